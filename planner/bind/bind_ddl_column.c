#include "parser/ast_print.h"
#include "planner/bind/bind_ddl.h"
#include "planner/settings.h"

static bool is_system_column(const char *name)
{
    static const char *const names[] = {"tableoid", "ctid", "xmin", "xmax", "cmin", "cmax"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

static Status check_name(TableDraft *d, const AstColumnDef *ast)
{
    if (is_system_column(ast->name))
        return ddl_fail(d->b, 0, ERR_DUPLICATE_COLUMN, "column name \"%s\" conflicts with a system column name", ast->name);
    if (table_column_by_name(d->table, ast->name) < 0) return ST_OK;
    if (d->table->base.id)
        return ddl_fail(d->b, 0, ERR_DUPLICATE_COLUMN, "column \"%s\" of relation \"%s\" already exists", ast->name,
                        d->table->base.name);
    return ddl_fail(d->b, 0, ERR_DUPLICATE_COLUMN, "column \"%s\" specified more than once", ast->name);
}

Status ddl_check_collation(Binder *b, const AstName *collation)
{
    static const char *const bytewise[] = {"default", "C", "POSIX", "ucs_basic"};
    if (!collation->name) return ST_OK;
    for (size_t i = 0; i < sizeof bytewise / sizeof *bytewise; i++)
        if (strcmp(bytewise[i], collation->name) == 0) return ST_OK;
    return ddl_unsupported(b, collation->position, arena_printf(b->arena, "COLLATE \"%s\" of a column", collation->name));
}

/* ---- types and serial ---- */

/* 0 unless the type is one of the serial ones: then the integer type that PostgreSQL would use. */
static Oid serial_type(const AstType *type)
{
    if (type->schema || type->array_dims) return 0;
    if (strcmp(type->name, "serial2") == 0) return OID_INT2;
    if (strcmp(type->name, "serial4") == 0) return OID_INT4;
    if (strcmp(type->name, "serial8") == 0) return OID_INT8;
    return 0;
}

static Status apply_serial(TableDraft *d, ColumnDesc *column, Oid type)
{
    const char *how = setting_text(d->b->session->settings, SETTING_serial_normalization);
    column->not_null = true;
    if (strcmp(how, "sql_sequence") == 0 || strcmp(how, "sql_sequence_cached") == 0) {
        column->type = (TypeRef){type, -1};
        return ddl_own_sequence(d, column, type, NULL);
    }
    if (strcmp(how, "virtual_sequence") == 0)
        return ddl_unsupported(d->b, 0, "serial_normalization = virtual_sequence");
    column->type = (TypeRef){OID_INT8, -1};
    column->default_expr = strcmp(how, "unordered_rowid") == 0 ? "unordered_unique_rowid()" : "unique_rowid()";
    return ST_OK;
}

static Status column_type(TableDraft *d, const AstColumnDef *ast, ColumnDesc *column)
{
    if (!ast->type)
        return ddl_fail(d->b, ast->position, ERR_SYNTAX_ERROR, "column \"%s\" has no type", ast->name);
    Oid serial = serial_type(ast->type);
    if (serial) return apply_serial(d, column, serial);
    return bind_type(d->b, ast->type, &column->type);
}

/* ---- constraints of a column ---- */

typedef struct ColumnSpec {
    TableDraft *d;
    const AstColumnDef *ast;
    ColumnDesc *column;
    bool null_said;
} ColumnSpec;

static Status conflicting_null(ColumnSpec *s, int position)
{
    return ddl_fail(s->d->b, position, ERR_SYNTAX_ERROR,
                    "conflicting NULL/NOT NULL declarations for column \"%s\" of table \"%s\"", s->column->name,
                    s->d->table->base.name);
}

static Status both_said(ColumnSpec *s, const char *what, int position)
{
    return ddl_fail(s->d->b, position, ERR_SYNTAX_ERROR, "both %s specified for column \"%s\" of table \"%s\"", what,
                    s->column->name, s->d->table->base.name);
}

static Status apply_default(ColumnSpec *s, const AstConstraint *c)
{
    if (s->column->default_expr)
        return ddl_fail(s->d->b, c->position, ERR_SYNTAX_ERROR,
                        "multiple default values specified for column \"%s\" of table \"%s\"", s->column->name,
                        s->d->table->base.name);
    if (s->column->computed != COMPUTED_NONE) return both_said(s, "default and generation expression", c->position);
    bool is_null = c->expr->kind == AST_LITERAL && ((const AstLiteral *)c->expr)->literal == AST_LITERAL_NULL;
    if (!is_null) s->column->default_expr = ast_expr_text(c->expr, s->d->b->arena);
    return ST_OK;
}

static Status apply_identity(ColumnSpec *s, const AstConstraint *c)
{
    Oid type = s->column->type.oid;
    if (s->column->default_expr) return both_said(s, "default and identity", c->position);
    if (type != OID_INT2 && type != OID_INT4 && type != OID_INT8)
        return ddl_fail(s->d->b, 0, ERR_INVALID_PARAMETER_VALUE, "identity column type must be smallint, integer, or bigint");
    s->column->identity = c->always ? IDENTITY_ALWAYS : IDENTITY_BY_DEFAULT;
    s->column->not_null = true;
    return ddl_own_sequence(s->d, s->column, type, &c->sequence_options);
}

static Status apply_generated(ColumnSpec *s, const AstConstraint *c)
{
    if (s->column->default_expr) return both_said(s, "default and generation expression", c->position);
    s->column->computed = c->stored ? COMPUTED_STORED : COMPUTED_VIRTUAL;
    s->column->computed_expr = ast_expr_text(c->expr, s->d->b->arena);
    return ST_OK;
}

static Status apply_constraint(ColumnSpec *s, const AstConstraint *c)
{
    switch (c->kind) {
    case AST_CONSTRAINT_NULL:
        if (s->column->not_null) return conflicting_null(s, c->position);
        s->null_said = true;
        return ST_OK;
    case AST_CONSTRAINT_NOT_NULL:
    case AST_CONSTRAINT_PRIMARY_KEY:
        if (s->null_said) return conflicting_null(s, c->position);
        s->column->not_null = true;
        return ST_OK;
    case AST_CONSTRAINT_DEFAULT: return apply_default(s, c);
    case AST_CONSTRAINT_IDENTITY: return apply_identity(s, c);
    case AST_CONSTRAINT_GENERATED: return apply_generated(s, c);
    case AST_CONSTRAINT_ON_UPDATE: return ddl_unsupported(s->d->b, c->position, "ON UPDATE of a column");
    case AST_CONSTRAINT_CHECK:
    case AST_CONSTRAINT_FOREIGN_KEY:
    case AST_CONSTRAINT_UNIQUE: return ST_OK; /* made once all columns are known */
    case AST_CONSTRAINT_EXCLUDE: return ddl_unsupported(s->d->b, c->position, "EXCLUDE");
    }
    return ST_OK;
}

Status ddl_add_column(TableDraft *d, const AstColumnDef *ast)
{
    Arena *arena = d->b->arena;
    TRY(check_name(d, ast));
    if (d->table->columns.count >= 1600)
        return ddl_fail(d->b, 0, ERR_TOO_MANY_COLUMNS, "tables can have at most 1600 columns");
    ColumnDesc column = {.id = d->table->next_column_id, .name = ast->name, .hidden = ast->not_visible};
    TRY(column_type(d, ast, &column));
    TRY(ddl_check_collation(d->b, &ast->collation));
    ColumnSpec spec = {d, ast, &column, false};
    for (int i = 0; i < ast->constraints.count; i++) TRY(apply_constraint(&spec, ast->constraints.items[i]));
    TRY(ddl_family_by_name(d, ast, &column.family));
    d->table->next_column_id++;
    VEC_PUSH(arena, d->table->columns, column);
    VEC_PUSH(arena, d->asts, ast);
    return ST_OK;
}

int ddl_add_hidden_column(TableDraft *d, ColumnDesc column)
{
    column.id = d->table->next_column_id++;
    column.hidden = true;
    VEC_PUSH(d->b->arena, d->table->columns, column);
    VEC_PUSH(d->b->arena, d->asts, NULL);
    return d->table->columns.count - 1;
}

Status ddl_add_rowid(TableDraft *d)
{
    const char *name = "rowid";
    for (int number = 1; table_column_by_name(d->table, name) >= 0; number++)
        name = arena_printf(d->b->arena, "rowid_%d", number);
    ColumnDesc column = {.name = name, .type = {OID_INT8, -1}, .not_null = true, .default_expr = "unique_rowid()",
                         .role = COLUMN_ROWID};
    int ordinal = ddl_add_hidden_column(d, column);
    IndexDesc *primary = &d->table->indexes.items[0];
    VEC_PUSH(d->b->arena, primary->columns, (IndexColumn){.column_id = d->table->columns.items[ordinal].id});
    return ST_OK;
}

/* ---- checking what was written about columns ---- */

static const AstConstraint *constraint_of(const AstColumnDef *ast, AstConstraintKind kind)
{
    for (int i = 0; ast && i < ast->constraints.count; i++)
        if (ast->constraints.items[i]->kind == kind) return ast->constraints.items[i];
    return NULL;
}

Status ddl_check_default(Binder *b, const ColumnDesc *column, const AstExpr *ast)
{
    Expr *e;
    if (bind_standalone(b, ast, &(Standalone){CLAUSE_DEFAULT, NULL, NULL, column->type, column->name}, &e) == ST_OK) return ST_OK;
    const char *place = b->err->sqlstate == ERR_DATATYPE_MISMATCH ? strstr(b->err->message, "but expression is") : NULL;
    if (place) {
        b->err->message = arena_printf(b->arena, "%.*sbut default expression is%s", (int)(place - b->err->message),
                                       b->err->message, place + strlen("but expression is"));
        b->err->position = 0;
    }
    return ST_ERROR;
}

static Status check_computed(TableDraft *d, const ColumnDesc *column, const AstConstraint *c, const RelColumn *columns)
{
    Binder *b = d->b;
    Expr *e;
    TRY(bind_standalone(b, c->expr, &(Standalone){CLAUSE_COMPUTED, d->table, columns, column->type, column->name}, &e));
    ColSet used = {0};
    expr_columns(e, &used, b->arena);
    for (int i = 0; i < d->table->columns.count; i++) {
        const ColumnDesc *other = &d->table->columns.items[i];
        if (!colset_has(&used, columns[i].id) || other->computed == COMPUTED_NONE) continue;
        ddl_fail(b, c->expr->position, ERR_INVALID_OBJECT_DEFINITION,
                 "cannot use generated column \"%s\" in column generation expression", other->name);
        err_detail(b->err, b->arena, "A generated column cannot reference another generated column.");
        return ST_ERROR;
    }
    if (expr_volatility(e) != VOLATILITY_IMMUTABLE)
        return ddl_fail(b, 0, ERR_INVALID_OBJECT_DEFINITION, "generation expression is not immutable");
    return ST_OK;
}

Status ddl_check_columns(TableDraft *d, int first)
{
    RelColumn *columns = bind_table_columns(d->b, d->table);
    for (int i = first; i < d->table->columns.count; i++) {
        const ColumnDesc *column = &d->table->columns.items[i];
        const AstConstraint *c = constraint_of(d->asts.items[i], AST_CONSTRAINT_DEFAULT);
        if (c && column->default_expr) TRY(ddl_check_default(d->b, column, c->expr));
        c = constraint_of(d->asts.items[i], AST_CONSTRAINT_GENERATED);
        if (c) TRY(check_computed(d, column, c, columns));
    }
    return ST_OK;
}

/* ---- CHECK ---- */

/* The one column that an expression uses; NULL if it uses none or several. */
static const char *only_column(TableDraft *d, const Expr *e, const RelColumn *columns)
{
    ColSet used = {0};
    expr_columns(e, &used, d->b->arena);
    const char *only = NULL;
    for (int i = 0; i < d->table->columns.count; i++) {
        if (!colset_has(&used, columns[i].id)) continue;
        if (only) return NULL;
        only = d->table->columns.items[i].name;
    }
    return only;
}

Status ddl_add_check(TableDraft *d, const AstConstraint *ast)
{
    Binder *b = d->b;
    RelColumn *columns = bind_table_columns(b, d->table);
    Expr *e;
    TRY(bind_standalone(b, ast->expr, &(Standalone){CLAUSE_CHECK, d->table, columns, (TypeRef){0, -1}, NULL}, &e));
    if (e->type.oid != OID_BOOL && e->type.oid != OID_UNKNOWN)
        return ddl_fail(b, ast->expr->position, ERR_DATATYPE_MISMATCH,
                        "argument of CHECK must be type boolean, not type %s", type_format(e->type, b->arena));
    const char *name = ast->name;
    if (!name) name = ddl_choose_constraint_name(d, only_column(d, e, columns), "check");
    for (int i = 0; i < d->table->checks.count; i++)
        if (strcmp(d->table->checks.items[i].name, name) == 0)
            return ddl_fail(b, 0, ERR_DUPLICATE_OBJECT, "check constraint \"%s\" already exists", name);
    CheckDesc check = {.id = d->table->next_constraint_id++, .name = name, .expr = ast_expr_text(ast->expr, b->arena),
                       .validated = !ast->not_valid || !d->table->base.id, /* a new table has no rows */
                       .no_inherit = ast->no_inherit};
    VEC_PUSH(b->arena, d->table->checks, check);
    return ST_OK;
}

/* ---- families ---- */

static int find_family(const TableDesc *table, const char *name)
{
    for (int i = 0; i < table->families.count; i++)
        if (strcmp(table->families.items[i].name, name) == 0) return i;
    return -1;
}

static uint32_t add_family(TableDraft *d, const char *name)
{
    uint32_t id = d->table->next_family_id++;
    if (!name || !*name) name = arena_printf(d->b->arena, "fam_%u", id);
    VEC_PUSH(d->b->arena, d->table->families, (FamilyDesc){id, name});
    return id;
}

Status ddl_family_by_name(TableDraft *d, const AstColumnDef *ast, uint32_t *family)
{
    *family = 0;
    if (!ast->family) return ST_OK;
    int known = *ast->family ? find_family(d->table, ast->family) : -1;
    if (known >= 0) {
        if (ast->create_family && !ast->family_if_not_exists)
            return ddl_fail(d->b, ast->position, ERR_DUPLICATE_OBJECT, "family \"%s\" already exists", ast->family);
        *family = d->table->families.items[known].id;
        return ST_OK;
    }
    /* CREATE TABLE makes a family by naming it; ALTER TABLE wants CREATE FAMILY. */
    if (d->table->base.id && !ast->create_family)
        return ddl_fail(d->b, ast->position, ERR_UNDEFINED_OBJECT, "unknown family \"%s\"", ast->family);
    *family = add_family(d, ast->family);
    return ST_OK;
}

/* FAMILY clauses come before the columns are added, so that the first one written is family 0. */
Status ddl_add_families(TableDraft *d, const AstTableElemVec *elems)
{
    for (int i = 0; i < elems->count; i++) {
        const AstFamilyDef *ast = elems->items[i].family;
        if (!ast) continue;
        if (ast->name && find_family(d->table, ast->name) >= 0)
            return ddl_fail(d->b, ast->position, ERR_DUPLICATE_OBJECT, "duplicate family name: \"%s\"", ast->name);
        add_family(d, ast->name);
    }
    return ST_OK;
}

/* After the columns: puts each into its FAMILY clause's family. */
Status ddl_assign_families(TableDraft *d, const AstTableElemVec *elems)
{
    int family = 0;
    for (int i = 0; i < elems->count; i++) {
        const AstFamilyDef *ast = elems->items[i].family;
        if (!ast) continue;
        uint32_t id = d->table->families.items[family++].id;
        for (int c = 0; c < ast->columns.count; c++) {
            int ordinal = table_column_by_name(d->table, ast->columns.items[c]);
            if (ordinal < 0)
                return ddl_fail(d->b, ast->position, ERR_UNDEFINED_COLUMN, "column \"%s\" does not exist",
                                ast->columns.items[c]);
            d->table->columns.items[ordinal].family = id;
        }
    }
    if (d->table->families.count == 0) {
        d->table->next_family_id = 0;
        add_family(d, "primary");
    }
    return ST_OK;
}
