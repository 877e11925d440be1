/* Domains: CREATE DOMAIN, ALTER DOMAIN. */
#include "parser/ast_print.h"
#include "parser/parse.h"
#include "planner/bind/bind_ddl_owner.h"
#include "storage/catalog/desc_codec.h"

static int find_check(const TypeDesc *domain, const char *name)
{
    for (int i = 0; i < domain->checks.count; i++)
        if (strcmp(domain->checks.items[i].name, name) == 0) return i;
    return -1;
}

static const char *choose_name(Binder *b, const TypeDesc *domain)
{
    const char *name = arena_printf(b->arena, "%s_check", domain->base.name);
    for (int i = 1; find_check(domain, name) >= 0; i++) name = arena_printf(b->arena, "%s_check%d", domain->base.name, i);
    return name;
}

static Status add_check(Binder *b, const AstConstraint *ast, TypeDesc *domain)
{
    const char *name = ast->name ? ast->name : choose_name(b, domain);
    if (find_check(domain, name) >= 0)
        return ddl_fail(b, 0, ERR_DUPLICATE_OBJECT, "constraint \"%s\" for domain \"%s\" already exists", name, domain->base.name);
    TableDesc table = {.base.name = domain->base.name};
    TypeRef of = {domain->of.oid, domain->of.typmod};
    RelColumn column = {.id = binder_new_column(b), .name = "value", .type = of};
    Expr *e;
    VEC_PUSH(b->arena, table.columns, (ColumnDesc){.id = 1, .name = "value", .type = of});
    TRY(bind_standalone(b, ast->expr, &(Standalone){CLAUSE_CHECK, &table, &column, (TypeRef){0, -1}, NULL}, &e));
    CheckDesc check = {.id = domain->next_constraint_id++, .name = name, .expr = ast_expr_text(ast->expr, b->arena),
                       .validated = !ast->not_valid || !domain->base.id};
    CheckDesc *checks = ARENA_ARRAY(b->arena, CheckDesc, domain->checks.count + 1); /* the list is shared with the original */
    for (int i = 0; i < domain->checks.count; i++) checks[i] = domain->checks.items[i];
    checks[domain->checks.count++] = check;
    domain->checks.items = checks;
    domain->checks.capacity = domain->checks.count;
    return ST_OK;
}

static Status set_default(Binder *b, const AstExpr *ast, TypeDesc *domain)
{
    Expr *e;
    Value value;
    TypeRef of = domain->of;
    TRY(bind_standalone(b, ast, &(Standalone){CLAUSE_DEFAULT, NULL, NULL, of, domain->base.name}, &e));
    bool null = e->kind == EXPR_CONST && (value = ((ExprConst *)e)->value).null;
    domain->default_expr = null ? NULL : ast_expr_text(ast, b->arena);
    return ST_OK;
}

static Status not_possible(Binder *b, const char *what)
{
    return ddl_fail(b, 0, ERR_SYNTAX_ERROR, "%s constraints not possible for domains", what);
}

typedef struct Said { bool null, not_null, default_; } Said;

static Status take_constraint(Binder *b, const AstConstraint *c, TypeDesc *draft, Said *said)
{
    switch (c->kind) {
    case AST_CONSTRAINT_NOT_NULL:
    case AST_CONSTRAINT_NULL: {
        bool not_null = c->kind == AST_CONSTRAINT_NOT_NULL;
        if (not_null ? said->null : said->not_null)
            return ddl_fail(b, 0, ERR_SYNTAX_ERROR, "conflicting NULL/NOT NULL constraints");
        draft->not_null = said->not_null = said->not_null || not_null;
        said->null = said->null || !not_null;
        return ST_OK;
    }
    case AST_CONSTRAINT_DEFAULT:
        if (said->default_) return ddl_fail(b, 0, ERR_SYNTAX_ERROR, "multiple default expressions");
        said->default_ = true;
        return set_default(b, c->expr, draft);
    case AST_CONSTRAINT_CHECK:
        if (c->no_inherit)
            return ddl_fail(b, 0, ERR_INVALID_OBJECT_DEFINITION, "check constraints for domains cannot be marked NO INHERIT");
        return add_check(b, c, draft);
    case AST_CONSTRAINT_PRIMARY_KEY: return not_possible(b, "primary key");
    case AST_CONSTRAINT_UNIQUE: return not_possible(b, "unique");
    case AST_CONSTRAINT_FOREIGN_KEY: return not_possible(b, "foreign key");
    case AST_CONSTRAINT_EXCLUDE: return not_possible(b, "exclusion");
    case AST_CONSTRAINT_GENERATED:
    case AST_CONSTRAINT_IDENTITY:
    case AST_CONSTRAINT_ON_UPDATE: break;
    }
    return ddl_fail(b, c->position, ERR_SYNTAX_ERROR, "specifying a generated value is not possible for domains");
}

Status bind_create_domain(Binder *b, const AstCreateDomain *ast, Plan **out)
{
    DescId schema;
    TRY(bind_creation_schema(b, &ast->name, &schema));
    TRY(ddl_check_schema_writable(b, schema, ast->name.name));
    if (catalog_find_object(b->session->catalog, schema, ast->name.name))
        return ddl_fail(b, 0, ERR_DUPLICATE_OBJECT, "type \"%s\" already exists", ast->name.name);
    TypeDesc *draft = ARENA_NEW(b->arena, TypeDesc);
    draft->base = (Desc){.kind = DESC_TYPE, .parent_database = b->session->database_id, .parent_schema = schema,
                         .name = ast->name.name, .owner = b->session->user};
    draft->form = TYPE_DOMAIN;
    draft->next_constraint_id = 1;
    TRY(bind_type(b, ast->type, &draft->of));
    if (type_find(draft->of.oid)->category == 'P')
        return ddl_fail(b, 0, ERR_DATATYPE_MISMATCH, "\"%s\" is not a valid base type for a domain", ast->type->name);
    TRY(ddl_check_collation(b, &ast->collation));
    Said said = {0};
    for (int i = 0; i < ast->constraints.count; i++) TRY(take_constraint(b, ast->constraints.items[i], draft, &said));
    *out = ddl_create_utility(b, UTILITY_CREATE_TYPE, "CREATE DOMAIN", &draft->base);
    return ST_OK;
}

/* ---- ALTER DOMAIN ---- */

Status ddl_find_domain(Binder *b, const AstName *name, const TypeDesc **domain)
{
    *domain = (const TypeDesc *)session_find_type(b->session, name->schema, name->name, b->arena);
    if (!*domain)
        return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "type \"%s\" does not exist", bind_qualified_text(b, name));
    if ((*domain)->form != TYPE_DOMAIN)
        return ddl_fail(b, 0, ERR_WRONG_OBJECT_TYPE, "%s is not a domain", ddl_shown_name(b, &(*domain)->base));
    return ST_OK;
}

/* Values inside of arrays are not looked at: whoever has such a column keeps the domain as it is. */
static Status refuse_arrays(Binder *b, const TypeDesc *domain)
{
    const Desc **list;
    int count = catalog_list(b->session->catalog, DESC_TABLE, domain->base.parent_database, 0, &list, b->arena);
    for (int t = 0; t < count; t++) {
        const TableDesc *table = (const TableDesc *)list[t];
        for (int i = 0; i < table->columns.count; i++) {
            const ColumnDesc *column = &table->columns.items[i];
            if (column->type.domain != domain->array_oid) continue;
            return ddl_fail(b, 0, ERR_FEATURE_NOT_SUPPORTED, "cannot alter type \"%s\" because column \"%s.%s\" uses it",
                            domain->base.name, table->base.name, column->name);
        }
    }
    return ST_OK;
}

static bool is_or_stands_on(Binder *b, Oid domain, DescId wanted)
{
    while (domain && domain != wanted) {
        const Desc *desc = catalog_find_id(b->session->catalog, domain);
        domain = desc && desc->kind == DESC_TYPE ? ((const TypeDesc *)desc)->of.domain : 0;
    }
    return domain == wanted;
}

/* The stored values that a new constraint is to hold for: one query a column. */
static Status probe_columns(Binder *b, const TypeDesc *domain, const char *check, UtilityChange *u)
{
    const Desc **list;
    TRY(refuse_arrays(b, domain));
    int count = catalog_list(b->session->catalog, DESC_TABLE, domain->base.parent_database, 0, &list, b->arena);
    for (int t = 0; t < count; t++) {
        const TableDesc *table = (const TableDesc *)list[t];
        for (int i = 0; i < table->columns.count; i++) {
            const ColumnDesc *column = &table->columns.items[i];
            if (!is_or_stands_on(b, column->type.domain, domain->base.id)) continue;
            const char *test = check ? arena_printf(b->arena, "NOT (%s)", check) : "value IS NULL";
            const char *from = ddl_qualified(b, table->base.parent_schema, table->base.name);
            const char *text = arena_printf(b->arena, "SELECT 1 FROM (SELECT %s AS value FROM %s) AS t WHERE %s LIMIT 1",
                                            ddl_quoted(b, column->name), from, test);
            DomainProbe probe = {.code = check ? ERR_CHECK_VIOLATION : ERR_NOT_NULL_VIOLATION};
            probe.message = arena_printf(b->arena,
                                         check ? "column \"%s\" of table \"%s\" contains values that violate the new constraint"
                                               : "column \"%s\" of table \"%s\" contains null values",
                                         column->name, table->base.name);
            Rel *rel;
            TRY(bind_query_text(b, text, &rel));
            TRY(plan_nested(b, rel, &probe.query));
            VEC_PUSH(b->arena, u->probes, probe);
        }
    }
    return ST_OK;
}

static Status no_constraint(Binder *b, const TypeDesc *domain, const char *name)
{
    return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "constraint \"%s\" of domain \"%s\" does not exist", name, domain->base.name);
}

static Status drop_check(Binder *b, const AstAlterAction *action, TypeDesc *after, UtilityChange *u)
{
    int at = find_check(after, action->name);
    if (at < 0 && !action->if_exists) return no_constraint(b, after, action->name);
    if (at < 0) {
        ddl_notice(b, &u->notices, ERR_SUCCESSFUL_COMPLETION, "constraint \"%s\" of domain \"%s\" does not exist, skipping",
                   action->name, after->base.name);
        return ST_OK;
    }
    after->checks.count--;
    for (int i = at; i < after->checks.count; i++) after->checks.items[i] = after->checks.items[i + 1];
    return ST_OK;
}

static Status rename_check(Binder *b, const AstAlterAction *action, TypeDesc *after)
{
    int at = find_check(after, action->name);
    if (at < 0)
        return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "constraint \"%s\" for domain %s does not exist", action->name, after->base.name);
    if (find_check(after, action->new_name) >= 0)
        return ddl_fail(b, 0, ERR_DUPLICATE_OBJECT, "constraint \"%s\" for domain %s already exists", action->new_name,
                        after->base.name);
    after->checks.items[at].name = action->new_name;
    return ST_OK;
}

static Status validate_check(Binder *b, const AstAlterAction *action, TypeDesc *after, UtilityChange *u)
{
    int at = find_check(after, action->name);
    if (at < 0) return no_constraint(b, after, action->name);
    if (after->checks.items[at].validated) return ST_OK;
    after->checks.items[at].validated = true;
    return probe_columns(b, after, after->checks.items[at].expr, u);
}

static Status add_constraint(Binder *b, const AstConstraint *c, TypeDesc *after, UtilityChange *u)
{
    Said said = {0};
    if (c->kind != AST_CONSTRAINT_CHECK && c->kind != AST_CONSTRAINT_NOT_NULL) return take_constraint(b, c, after, &said);
    TRY(take_constraint(b, c, after, &said));
    if (c->not_valid) return ST_OK;
    return probe_columns(b, after, c->kind == AST_CONSTRAINT_CHECK ? VEC_LAST(after->checks).expr : NULL, u);
}

Status bind_alter_domain(Binder *b, const AstAlterTable *ast, Plan **out)
{
    const AstAlterAction *action = ast->actions.items[0];
    const TypeDesc *before;
    TRY(ddl_find_domain(b, &ast->name, &before));
    TRY(ddl_check_owner(b, &before->base));
    TypeDesc *after = (TypeDesc *)desc_copy(&before->base, b->arena);
    *out = ddl_change_utility(b, "ALTER DOMAIN", &before->base, &after->base);
    UtilityChange *u = (UtilityChange *)*out;
    if (action->kind == AST_ALTER_COLUMN_DEFAULT) return set_default(b, action->expr, after);
    if (action->kind == AST_ALTER_COLUMN_DROP_DEFAULT) after->default_expr = NULL;
    if (action->kind == AST_ALTER_COLUMN_DROP_NOT_NULL) after->not_null = false;
    if (action->kind == AST_ALTER_COLUMN_SET_NOT_NULL && !before->not_null) {
        after->not_null = true;
        return probe_columns(b, after, NULL, u);
    }
    if (action->kind == AST_ALTER_ADD_CONSTRAINT) return add_constraint(b, action->constraint, after, u);
    if (action->kind == AST_ALTER_DROP_CONSTRAINT) return drop_check(b, action, after, u);
    if (action->kind == AST_ALTER_RENAME_CONSTRAINT) return rename_check(b, action, after);
    if (action->kind == AST_ALTER_VALIDATE_CONSTRAINT) return validate_check(b, action, after, u);
    return ST_OK;
}

Status bind_comment_domain(Binder *b, const AstComment *ast, Plan **out)
{
    const TypeDesc *before;
    TRY(ddl_find_domain(b, &ast->name, &before));
    TRY(ddl_check_owner(b, &before->base));
    TypeDesc *after = (TypeDesc *)desc_copy(&before->base, b->arena);
    int at = ast->member ? find_check(after, ast->member) : -1;
    if (!ast->member)
        after->base.comment = ast->text;
    else if (at < 0)
        return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "constraint \"%s\" for domain %s does not exist", ast->member, before->base.name);
    else
        after->checks.items[at].comment = ast->text;
    *out = ddl_change_utility(b, "COMMENT", &before->base, &after->base);
    return ST_OK;
}
