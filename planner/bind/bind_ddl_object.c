/* Objects that are no tables: databases, schemas, views, sequences, types, roles. */
#include "parser/ast_print.h"
#include "planner/bind/bind_ddl.h"
#include "planner/bind/bind_ddl_owner.h"

Plan *ddl_create_utility(Binder *b, UtilityKind kind, const char *tag, Desc *draft)
{
    UtilityCreate *utility = bind_utility(b, kind, tag, sizeof *utility);
    utility->draft = draft;
    return &utility->base.base;
}

Plan *ddl_change_utility(Binder *b, const char *tag, const Desc *before, Desc *after)
{
    UtilityChange *utility = bind_utility(b, UTILITY_ALTER_OTHER, tag, sizeof *utility);
    VEC_PUSH(b->arena, utility->changes, (DescChange){before, after});
    return &utility->base.base;
}

/* A copy that may be changed on top; lists inside are shared with the original. */
Desc *ddl_desc_copy(Binder *b, const Desc *desc)
{
    switch (desc->kind) {
    case DESC_TABLE: return &table_desc_copy((const TableDesc *)desc, b->arena)->base;
    case DESC_VIEW: {
        ViewDesc *view = arena_copy(b->arena, desc, sizeof *view);
        view->columns.items = arena_copy(b->arena, view->columns.items, sizeof(ColumnDesc) * (size_t)view->columns.count);
        return &view->base;
    }
    case DESC_SEQUENCE: return arena_copy(b->arena, desc, sizeof(SequenceDesc));
    case DESC_TYPE: return arena_copy(b->arena, desc, sizeof(TypeDesc));
    case DESC_ROLE: return arena_copy(b->arena, desc, sizeof(RoleDesc));
    case DESC_DATABASE: return arena_copy(b->arena, desc, sizeof(DatabaseDesc));
    case DESC_SCHEMA: return arena_copy(b->arena, desc, sizeof(SchemaDesc));
    }
    return NULL;
}

ColumnDesc *ddl_columns(Desc *desc, int *count)
{
    TableDesc *table = desc->kind == DESC_TABLE ? (TableDesc *)desc : NULL;
    ViewDesc *view = desc->kind == DESC_VIEW ? (ViewDesc *)desc : NULL;
    *count = table ? table->columns.count : view ? view->columns.count : 0;
    return table ? table->columns.items : view ? view->columns.items : NULL;
}

/* ---- databases and schemas ---- */

Status bind_create_database(Binder *b, const AstCreateDatabase *ast, Plan **out)
{
    static const char *const accepted[] = {"owner", "template", "encoding", "locale", "lc_collate", "lc_ctype", "tablespace",
                                           "allow_connections", "connection_limit", "is_template", "strategy",
                                           "locale_provider", "icu_locale", "collation_version", "oid"};
    const char *owner = b->session->user;
    for (int i = 0; i < ast->options.count; i++) {
        const AstOption *option = &ast->options.items[i];
        bool known;
        TRY(ddl_check_colocation(b, option, &known));
        for (size_t a = 0; a < sizeof accepted / sizeof *accepted; a++) known = known || !strcmp(option->name, accepted[a]);
        if (!known)
            return ddl_fail(b, option->position, ERR_SYNTAX_ERROR, "option \"%s\" not recognized", option->name);
        const AstLiteral *value = option->value && option->value->kind == AST_LITERAL ? (const AstLiteral *)option->value : NULL;
        if (strcmp(option->name, "owner") == 0 && value) owner = value->text;
        if (strcmp(option->name, "encoding") == 0 && value && value->literal == AST_LITERAL_STRING &&
            strcasecmp(value->text, "utf8") != 0 && strcasecmp(value->text, "utf-8") != 0 && strcasecmp(value->text, "default") != 0)
            return ddl_unsupported(b, option->position, arena_printf(b->arena, "encoding %s", value->text));
    }
    const RoleDesc *self = (const RoleDesc *)catalog_find_role(b->session->catalog, b->session->user);
    owner = ddl_role_name(b, owner);
    if (!self || (!self->superuser && !self->create_db))
        return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "permission denied to create database");
    TRY(ddl_check_new_owner(b, owner));
    if (catalog_find_database(b->session->catalog, ast->name)) {
        if (!ast->if_not_exists)
            return ddl_fail(b, 0, ERR_DUPLICATE_DATABASE, "database \"%s\" already exists", ast->name);
        return ddl_skip(b, "CREATE DATABASE", ERR_DUPLICATE_DATABASE, out, "database \"%s\" already exists, skipping",
                        ast->name);
    }
    DatabaseDesc *draft = ARENA_NEW(b->arena, DatabaseDesc);
    draft->base = (Desc){.kind = DESC_DATABASE, .name = ast->name, .owner = owner};
    *out = ddl_create_utility(b, UTILITY_CREATE_DATABASE, "CREATE DATABASE", &draft->base);
    return ST_OK;
}

Status bind_create_schema(Binder *b, const AstCreateSchema *ast, Plan **out)
{
    const char *owner = ast->authorization ? ddl_role_name(b, ast->authorization) : b->session->user;
    const char *name = ast->name.name ? ast->name.name : owner;
    const Desc *database = catalog_find_id(b->session->catalog, b->session->database_id);
    TRY(ddl_check_new_owner(b, owner));
    if (database) TRY(privilege_check(b->session, database, ACL_CREATE, b->arena, b->err));
    if (ast->elements.count) return ddl_unsupported(b, ast->base.position, "CREATE SCHEMA with elements");
    if (strncmp(name, "pg_", 3) == 0 || strcmp(name, "crdb_internal") == 0) {
        ddl_fail(b, 0, ERR_RESERVED_NAME, "unacceptable schema name \"%s\"", name);
        err_detail(b->err, b->arena, "The prefix \"pg_\" is reserved for system schemas.");
        return ST_ERROR;
    }
    if (session_find_schema(b->session, name)) {
        if (!ast->if_not_exists)
            return ddl_fail(b, 0, ERR_DUPLICATE_SCHEMA, "schema \"%s\" already exists", name);
        return ddl_skip(b, "CREATE SCHEMA", ERR_DUPLICATE_SCHEMA, out, "schema \"%s\" already exists, skipping",
                        name);
    }
    SchemaDesc *draft = ARENA_NEW(b->arena, SchemaDesc);
    draft->base = (Desc){.kind = DESC_SCHEMA, .parent_database = b->session->database_id, .name = name,
                         .owner = owner};
    *out = ddl_create_utility(b, UTILITY_CREATE_SCHEMA, "CREATE SCHEMA", &draft->base);
    return ST_OK;
}

/* ---- views ---- */

typedef struct ViewSource {
    Binder *b;
    ViewDesc *view;
} ViewSource;

static void depend_on(ViewSource *s, DescId id)
{
    for (int i = 0; i < s->view->depends_on.count; i++)
        if ((DescId)s->view->depends_on.items[i] == id) return;
    VEC_PUSH(s->b->arena, s->view->depends_on, (int)id);
}

/* Tables that the bound query reads; a view used inside has been replaced by its own query, so its tables count. */
static void collect_tables(ViewSource *s, const Rel *rel)
{
    if (rel->kind == REL_TABLE) depend_on(s, ((const RelTable *)rel)->table->base.id);
    for (int i = 0; i < rel->input_count; i++) collect_tables(s, rel->inputs[i]);
}

static Status view_columns(Binder *b, const AstCreateView *ast, const Rel *rel, ViewDesc *view)
{
    int visible = 0;
    for (int i = 0; i < rel->column_count; i++) {
        if (rel->columns[i].hidden) continue;
        ColumnDesc column = {.id = (uint32_t)visible + 1, .type = rel->columns[i].type};
        column.name = visible < ast->columns.count ? ast->columns.items[visible] : rel->columns[i].name;
        if (column.type.oid == OID_UNKNOWN) column.type = (TypeRef){OID_TEXT, -1};
        for (int c = 0; c < view->columns.count; c++)
            if (strcmp(view->columns.items[c].name, column.name) == 0)
                return ddl_fail(b, 0, ERR_DUPLICATE_COLUMN, "column \"%s\" specified more than once", column.name);
        VEC_PUSH(b->arena, view->columns, column);
        visible++;
    }
    if (ast->columns.count > visible)
        return ddl_fail(b, 0, ERR_SYNTAX_ERROR, "CREATE VIEW specifies more column names than columns");
    return ST_OK;
}

/* CREATE OR REPLACE may add columns at the end, nothing else. */
static Status check_replacement(Binder *b, const ViewDesc *old, const ViewDesc *new)
{
    if (new->columns.count < old->columns.count)
        return ddl_fail(b, 0, ERR_INVALID_TABLE_DEFINITION, "cannot drop columns from view");
    for (int i = 0; i < old->columns.count; i++) {
        const ColumnDesc *was = &old->columns.items[i], *is = &new->columns.items[i];
        if (strcmp(was->name, is->name) != 0) {
            ddl_fail(b, 0, ERR_INVALID_TABLE_DEFINITION, "cannot change name of view column \"%s\" to \"%s\"", was->name,
                     is->name);
            err_hint(b->err, b->arena, "Use ALTER VIEW ... RENAME COLUMN ... to change name of view column instead.");
            return ST_ERROR;
        }
        if (was->type.oid != is->type.oid || was->type.typmod != is->type.typmod)
            return ddl_fail(b, 0, ERR_INVALID_TABLE_DEFINITION,
                            "cannot change data type of view column \"%s\" from %s to %s", was->name,
                            type_format(was->type, b->arena), type_format(is->type, b->arena));
    }
    return ST_OK;
}

static Status existing_view(Binder *b, const AstCreateView *ast, ViewDesc *draft, Plan **out)
{
    const Desc *existing = catalog_find_object(b->session->catalog, draft->base.parent_schema, ast->name.name);
    if (!existing || !ast->or_replace) {
        if (ast->if_not_exists)
            return ddl_skip(b, "CREATE VIEW", ERR_DUPLICATE_TABLE, out, "relation \"%s\" already exists, skipping",
                        ast->name.name);
        return ddl_fail(b, 0, ERR_DUPLICATE_TABLE, "relation \"%s\" already exists", ast->name.name);
    }
    if (existing->kind != DESC_VIEW)
        return ddl_fail(b, 0, ERR_WRONG_OBJECT_TYPE, "\"%s\" is not a view", ast->name.name);
    TRY(ddl_check_owner(b, existing));
    TRY(check_replacement(b, (const ViewDesc *)existing, draft));
    draft->base.acl = existing->acl;
    draft->base.acl_given = existing->acl_given;
    for (int i = 0; i < ((const ViewDesc *)existing)->columns.count; i++)
        draft->columns.items[i].acl = ((const ViewDesc *)existing)->columns.items[i].acl;
    draft->base.id = existing->id;
    draft->base.owner = existing->owner;
    draft->base.comment = existing->comment;
    *out = ddl_change_utility(b, "CREATE VIEW", existing, &draft->base);
    return ST_OK;
}

static bool reads_temporary(Binder *b, const ViewDesc *view)
{
    for (int i = 0; i < view->depends_on.count; i++) {
        const Desc *desc = catalog_find_id(b->session->catalog, (DescId)view->depends_on.items[i]);
        if (desc && ddl_is_temporary(b, desc->parent_schema)) return true;
    }
    return false;
}

Status bind_create_view(Binder *b, const AstCreateView *ast, Plan **out)
{
    if (ast->recursive) return ddl_unsupported(b, ast->base.position, "CREATE RECURSIVE VIEW");
    if (ast->check_option != AST_CHECK_OPTION_NONE) return ddl_unsupported(b, ast->base.position, "WITH CHECK OPTION");
    DescId schema;
    TRY(ddl_creation_schema(b, &ast->name, ast->persistence, &schema));
    TRY(ddl_check_schema_writable(b, schema, ast->name.name));
    Rel *rel;
    ViewDesc *draft = ARENA_NEW(b->arena, ViewDesc);
    b->view_uses = &draft->depends_on;
    Status status = bind_select(b, ast->query, &rel);
    b->view_uses = NULL;
    TRY(status);
    NoticeVec notices = {0};
    if (!ddl_is_temporary(b, schema) && reads_temporary(b, draft)) {
        ddl_notice(b, &notices, ERR_SUCCESSFUL_COMPLETION, "view \"%s\" will be a temporary view", ast->name.name);
        TRY(ddl_creation_schema(b, &(AstName){.name = ast->name.name}, AST_TEMPORARY, &schema));
    }
    draft->base = (Desc){.kind = DESC_VIEW, .parent_database = b->session->database_id, .parent_schema = schema,
                         .name = ast->name.name, .owner = b->session->user};
    draft->query = ast_stmt_text(&ast->query->base, b->arena);
    TRY(view_columns(b, ast, rel, draft));
    ViewSource source = {b, draft};
    collect_tables(&source, rel);
    if (ddl_relation_exists(b, schema, ast->name.name)) return existing_view(b, ast, draft, out);
    *out = ddl_create_utility(b, UTILITY_CREATE_VIEW, "CREATE VIEW", &draft->base);
    ((UtilityCreate *)*out)->notices = notices;
    return ST_OK;
}

/* ---- sequences ---- */

static Status sequence_type(Binder *b, const AstType *ast, Oid *type)
{
    if (!ast) return ST_OK;
    TypeRef ref;
    TRY(bind_type(b, ast, &ref));
    if (ref.oid != OID_INT2 && ref.oid != OID_INT4 && ref.oid != OID_INT8)
        return ddl_fail(b, ast->position, ERR_INVALID_PARAMETER_VALUE,
                        "sequence type must be smallint, integer, or bigint");
    *type = ref.oid;
    return ST_OK;
}

static Status owned_by(Binder *b, const AstOptionVec *options, SequenceDesc *sequence)
{
    const AstOption *option = ast_option(options, "owned_by");
    if (!option) return ST_OK;
    sequence->owner_table = 0;
    sequence->owner_column = 0;
    if (!option->value) return ST_OK;
    const StrVec *names = &((const AstColumn *)option->value)->names;
    if (names->count < 2)
        return ddl_fail(b, option->position, ERR_SYNTAX_ERROR, "invalid OWNED BY option");
    AstName table = {.position = option->position, .name = names->items[names->count - 2]};
    if (names->count > 2) table.schema = names->items[names->count - 3];
    const TableDesc *owner;
    TRY(ddl_find_table(b, &table, &owner));
    int ordinal = table_column_by_name(owner, VEC_LAST(*names));
    if (ordinal < 0)
        return ddl_fail(b, option->position, ERR_UNDEFINED_COLUMN, "column \"%s\" of relation \"%s\" does not exist",
                        VEC_LAST(*names), owner->base.name);
    sequence->owner_table = owner->base.id;
    sequence->owner_column = owner->columns.items[ordinal].id;
    return ST_OK;
}

Status bind_create_sequence(Binder *b, const AstCreateSequence *ast, Plan **out)
{
    DescId schema;
    TRY(ddl_creation_schema(b, &ast->name, ast->persistence, &schema));
    TRY(ddl_check_schema_writable(b, schema, ast->name.name));
    if (ddl_relation_exists(b, schema, ast->name.name)) {
        if (!ast->if_not_exists)
            return ddl_fail(b, 0, ERR_DUPLICATE_TABLE, "relation \"%s\" already exists", ast->name.name);
        return ddl_skip(b, "CREATE SEQUENCE", ERR_DUPLICATE_TABLE, out, "relation \"%s\" already exists, skipping",
                        ast->name.name);
    }
    SequenceDesc *draft = ARENA_NEW(b->arena, SequenceDesc);
    draft->base = (Desc){.kind = DESC_SEQUENCE, .parent_database = b->session->database_id, .parent_schema = schema,
                         .name = ast->name.name, .owner = b->session->user};
    draft->type = OID_INT8;
    TRY(sequence_type(b, ast->type, &draft->type));
    TRY(ddl_sequence_options(b, &ast->options, draft, true));
    TRY(owned_by(b, &ast->options, draft));
    *out = ddl_create_utility(b, UTILITY_CREATE_SEQUENCE, "CREATE SEQUENCE", &draft->base);
    return ST_OK;
}

static Status find_sequence(Binder *b, const AstName *name, bool if_exists, const SequenceDesc **sequence)
{
    BoundName found;
    *sequence = NULL;
    TRY(ddl_find_relation(b, name, !if_exists, &found));
    if (!found.desc && !found.system) return ST_OK;
    if (!found.desc || found.desc->kind != DESC_SEQUENCE)
        return ddl_fail(b, 0, ERR_WRONG_OBJECT_TYPE, "\"%s\" is not a sequence", name->name);
    *sequence = (const SequenceDesc *)found.desc;
    return ST_OK;
}

Status ddl_restart_value(Binder *b, const AstOptionVec *options, const SequenceDesc *draft, bool *restart, int64_t *at)
{
    const AstOption *option = ast_option(options, "restart");
    if (!option) return ST_OK;
    *restart = true;
    *at = draft->start;
    if (!option->value) return ST_OK;
    Expr *e;
    Value value;
    bool known;
    TRY(bind_standalone(b, option->value, &(Standalone){CLAUSE_DEFAULT, NULL, NULL, (TypeRef){OID_INT8, -1}, "restart"}, &e));
    TRY(bind_fold(b, e, &value, &known));
    if (!known || value.null)
        return ddl_fail(b, option->position, ERR_SYNTAX_ERROR, "RESTART must be followed by a number");
    *at = value.i;
    return ST_OK;
}

Status bind_alter_sequence(Binder *b, const AstAlterSequence *ast, Plan **out)
{
    const SequenceDesc *before;
    TRY(find_sequence(b, &ast->name, ast->if_exists, &before));
    if (!before)
        return ddl_skip(b, "ALTER SEQUENCE", ERR_SUCCESSFUL_COMPLETION, out, "relation \"%s\" does not exist, skipping",
                        ast->name.name);
    TRY(ddl_check_owner(b, &before->base));
    SequenceDesc *after = (SequenceDesc *)ddl_desc_copy(b, &before->base);
    TRY(sequence_type(b, ast->type, &after->type));
    TRY(ddl_sequence_options(b, &ast->options, after, false));
    TRY(owned_by(b, &ast->options, after));
    *out = ddl_change_utility(b, "ALTER SEQUENCE", &before->base, &after->base);
    UtilityChange *utility = (UtilityChange *)*out;
    return ddl_restart_value(b, &ast->options, after, &utility->restart, &utility->restart_value);
}

/* ---- RENAME, OWNER, SET SCHEMA of anything but a table ---- */

static Status find_altered(Binder *b, const AstAlterObject *ast, const Desc **found)
{
    const CatalogView *view = b->session->catalog;
    const char *name = ast->name.name;
    *found = NULL;
    switch (ast->object) {
    case AST_OBJECT_DATABASE:
        *found = catalog_find_database(view, name);
        return *found ? ST_OK : ddl_fail(b, 0, ERR_INVALID_CATALOG_NAME, "database \"%s\" does not exist", name);
    case AST_OBJECT_SCHEMA:
        *found = catalog_find_schema(view, b->session->database_id, name);
        return *found ? ST_OK : ddl_fail(b, 0, ERR_INVALID_SCHEMA_NAME, "schema \"%s\" does not exist", name);
    case AST_OBJECT_ROLE:
        *found = catalog_find_role(view, name);
        return *found ? ST_OK : ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "role \"%s\" does not exist", name);
    case AST_OBJECT_SEQUENCE: {
        const SequenceDesc *sequence;
        TRY(find_sequence(b, &ast->name, ast->if_exists, &sequence));
        *found = sequence ? &sequence->base : NULL;
        return ST_OK;
    }
    case AST_OBJECT_DOMAIN: {
        const TypeDesc *domain;
        TRY(ddl_find_domain(b, &ast->name, &domain));
        *found = &domain->base;
        return ST_OK;
    }
    case AST_OBJECT_TYPE:
        *found = session_find_type(b->session, ast->name.schema, name, b->arena);
        return *found ? ST_OK : ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "type \"%s\" does not exist", name);
    case AST_OBJECT_TABLE:
    case AST_OBJECT_VIEW:
    case AST_OBJECT_MATERIALIZED_VIEW:
    case AST_OBJECT_INDEX:
    case AST_OBJECT_COLUMN:
    case AST_OBJECT_CONSTRAINT:
    case AST_OBJECT_EXTENSION:
    case AST_OBJECT_FUNCTION:
    case AST_OBJECT_TRIGGER:
    case AST_OBJECT_LANGUAGE:
    case AST_OBJECT_OTHER: break;
    }
    return ddl_unsupported(b, ast->base.position, arena_printf(b->arena, "ALTER %s", ast_object_words(ast->object)));
}

static Status change_schema(Binder *b, Desc *after, const char *schema)
{
    const Desc *target = catalog_find_schema(b->session->catalog, b->session->database_id, schema);
    if (!target) return ddl_fail(b, 0, ERR_INVALID_SCHEMA_NAME, "schema \"%s\" does not exist", schema);
    TRY(ddl_check_move(b, after->parent_schema, target->id));
    TRY(privilege_check(b->session, target, ACL_CREATE, b->arena, b->err));
    after->parent_schema = target->id;
    return ST_OK;
}

/* The name must be one that the user could make anew. */
static Status check_rename(Binder *b, const Desc *desc)
{
    const RoleDesc *self = (const RoleDesc *)catalog_find_role(b->session->catalog, b->session->user);
    const Desc *database = desc->kind == DESC_SCHEMA ? catalog_find_id(b->session->catalog, desc->parent_database) : NULL;
    if (desc->kind == DESC_DATABASE && !(self && (self->superuser || self->create_db)))
        return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "permission denied to rename database");
    return database ? privilege_check(b->session, database, ACL_CREATE, b->arena, b->err) : ST_OK;
}

static Status rename_role(Binder *b, const Desc *before, const char *name, Plan **out)
{
    const RoleDesc *self = (const RoleDesc *)catalog_find_role(b->session->catalog, b->session->user);
    const RoleDesc *role = (const RoleDesc *)before;
    if (strcmp(before->name, b->session->session_user) == 0)
        return ddl_fail(b, 0, ERR_FEATURE_NOT_SUPPORTED, "session user cannot be renamed");
    if (strcmp(before->name, b->session->user) == 0)
        return ddl_fail(b, 0, ERR_FEATURE_NOT_SUPPORTED, "current user cannot be renamed");
    if (catalog_find_role(b->session->catalog, name))
        return ddl_fail(b, 0, ERR_DUPLICATE_OBJECT, "role \"%s\" already exists", name);
    if (role->superuser && !(self && self->superuser))
        return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "must be superuser to rename superusers");
    if (!self || (!self->superuser && !self->create_role))
        return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "permission denied to rename role");
    Desc *after = ddl_desc_copy(b, before);
    after->name = name;
    UtilityChange *utility = bind_utility(b, UTILITY_GRANT, "ALTER ROLE", sizeof *utility);
    if (strcmp(before->owner, before->name) == 0) after->owner = name;
    VEC_PUSH(b->arena, utility->changes, (DescChange){before, after});
    ddl_rename_owner(b, utility, before->name, name);
    *out = &utility->base.base;
    return ST_OK;
}

Status bind_alter_object(Binder *b, const AstAlterObject *ast, Plan **out)
{
    const char *tag = arena_printf(b->arena, "ALTER %s", ast_object_words(ast->object));
    const Desc *before;
    TRY(find_altered(b, ast, &before));
    if (!before)
        return ddl_skip(b, tag, ERR_SUCCESSFUL_COMPLETION, out, "relation \"%s\" does not exist, skipping",
                        ast->name.name);
    if (before->kind == DESC_ROLE) return rename_role(b, before, ast->value, out);
    TRY(ddl_check_owner(b, before));
    Desc *after = ddl_desc_copy(b, before);
    if (before->kind == DESC_TYPE && ast->change != AST_ALTER_OBJECT_OWNER) {
        if (ast->change == AST_ALTER_OBJECT_RENAME &&
            catalog_find_object(b->session->catalog, before->parent_schema, ast->value))
            return ddl_fail(b, 0, ERR_DUPLICATE_OBJECT, "type \"%s\" already exists", ast->value);
        const char *cast = arena_printf(b->arena, "::%s", type_format((TypeRef){before->id, -1}, b->arena));
        TRY(ddl_check_unsaid(b, before, cast, "ALTER TYPE ... RENAME or SET SCHEMA"));
    }
    switch (ast->change) {
    case AST_ALTER_OBJECT_RENAME:
        TRY(check_rename(b, before));
        after->name = ast->value;
        break;
    case AST_ALTER_OBJECT_OWNER: TRY(ddl_change_owner(b, before, after, ast->value)); break;
    case AST_ALTER_OBJECT_SCHEMA: TRY(change_schema(b, after, ast->value)); break;
    }
    *out = ddl_change_utility(b, tag, before, after);
    return ST_OK;
}
