/* COMMENT, ANALYZE, LOCK TABLE. */
#include "planner/bind/bind_ddl.h"
#include "planner/bind/bind_ddl_owner.h"
#include "storage/catalog/desc_codec.h"

/* ---- COMMENT ---- */

static Plan *table_change(Binder *b, const TableDesc *before, TableDesc *after)
{
    UtilityAlterTable *utility = bind_utility(b, UTILITY_ALTER_TABLE, "COMMENT", sizeof *utility);
    utility->before = before;
    utility->after = after;
    return &utility->base.base;
}

static Status comment_column(Binder *b, const AstComment *ast, Plan **out)
{
    const TableDesc *table;
    TRY(ddl_find_table(b, &ast->name, &table));
    if (!privilege_owns(b->session, b->session->user, &table->base))
        return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "must be owner of relation %s", table->base.name);
    int ordinal = table_column_by_name(table, ast->member);
    if (ordinal < 0)
        return ddl_fail(b, 0, ERR_UNDEFINED_COLUMN, "column \"%s\" of relation \"%s\" does not exist", ast->member,
                        table->base.name);
    TableDesc *after = table_desc_copy(table, b->arena);
    after->columns.items[ordinal].comment = ast->text;
    *out = table_change(b, table, after);
    return ST_OK;
}

static Status comment_index(Binder *b, const AstComment *ast, Plan **out)
{
    const TableDesc *table;
    const IndexDesc *index;
    TRY(bind_find_index(b, &ast->index, &table, &index));
    TRY(ddl_check_index_owner(b, table, index));
    TableDesc *after = table_desc_copy(table, b->arena);
    for (int i = 0; i < after->indexes.count; i++)
        if (after->indexes.items[i].id == index->id) after->indexes.items[i].comment = ast->text;
    *out = table_change(b, table, after);
    return ST_OK;
}

static Status comment_relation(Binder *b, const AstComment *ast, const Desc **found)
{
    BoundName name;
    TRY(ddl_find_relation(b, &ast->name, true, &name));
    if (!name.desc)
        return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "permission denied: \"%s\" is a system catalog", ast->name.name);
    *found = name.desc;
    return ST_OK;
}

static Status comment_target(Binder *b, const AstComment *ast, const Desc **found)
{
    const CatalogView *view = b->session->catalog;
    switch (ast->object) {
    case AST_OBJECT_TABLE:
    case AST_OBJECT_VIEW:
    case AST_OBJECT_MATERIALIZED_VIEW:
    case AST_OBJECT_SEQUENCE: return comment_relation(b, ast, found);
    case AST_OBJECT_SCHEMA:
        *found = catalog_find_schema(view, b->session->database_id, ast->name.name);
        return *found ? ST_OK : ddl_fail(b, 0, ERR_INVALID_SCHEMA_NAME, "schema \"%s\" does not exist", ast->name.name);
    case AST_OBJECT_DATABASE:
        *found = catalog_find_database(view, ast->name.name);
        return *found ? ST_OK : ddl_fail(b, 0, ERR_INVALID_CATALOG_NAME, "database \"%s\" does not exist", ast->name.name);
    case AST_OBJECT_ROLE:
        *found = catalog_find_role(view, ast->name.name);
        return *found ? ST_OK : ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "role \"%s\" does not exist", ast->name.name);
    case AST_OBJECT_TYPE:
        *found = session_find_type(b->session, ast->name.schema, ast->name.name, b->arena);
        return *found ? ST_OK : ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "type \"%s\" does not exist", ast->name.name);
    case AST_OBJECT_INDEX:
    case AST_OBJECT_DOMAIN:
    case AST_OBJECT_COLUMN:
    case AST_OBJECT_CONSTRAINT:
    case AST_OBJECT_EXTENSION:
    case AST_OBJECT_FUNCTION:
    case AST_OBJECT_TRIGGER:
    case AST_OBJECT_LANGUAGE:
    case AST_OBJECT_OTHER: break;
    }
    return ddl_unsupported(b, ast->base.position, arena_printf(b->arena, "COMMENT ON %s", ast_object_words(ast->object)));
}

/* The place of a constraint's comment in the table; NULL: there is no such constraint. */
static const char **constraint_comment(TableDesc *table, const char *name)
{
    for (int i = 0; i < table->checks.count; i++)
        if (!table->checks.items[i].hidden && strcmp(table->checks.items[i].name, name) == 0) return &table->checks.items[i].comment;
    for (int i = 0; i < table->foreign_keys.count; i++)
        if (strcmp(table->foreign_keys.items[i].name, name) == 0) return &table->foreign_keys.items[i].comment;
    for (int i = 0; i < table->indexes.count; i++) {
        IndexDesc *index = &table->indexes.items[i];
        if (index->is_constraint && strcmp(index->name, name) == 0) return &index->constraint_comment;
    }
    return NULL;
}

static Status comment_constraint(Binder *b, const AstComment *ast, Plan **out)
{
    const TableDesc *table;
    TRY(ddl_find_table(b, &ast->name, &table));
    TRY(ddl_check_owner(b, &table->base));
    TableDesc *after = table_desc_copy(table, b->arena);
    const char **comment = constraint_comment(after, ast->member);
    if (!comment)
        return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "constraint \"%s\" for table \"%s\" does not exist", ast->member,
                        table->base.name);
    *comment = ast->text;
    *out = table_change(b, table, after);
    return ST_OK;
}

Status bind_comment(Binder *b, const AstComment *ast, Plan **out)
{
    if (ast->object == AST_OBJECT_CONSTRAINT) return comment_constraint(b, ast, out);
    if (ast->object == AST_OBJECT_DOMAIN) return bind_comment_domain(b, ast, out);
    if (ast->object == AST_OBJECT_COLUMN) return comment_column(b, ast, out);
    if (ast->object == AST_OBJECT_INDEX) return comment_index(b, ast, out);
    if (ast->object == AST_OBJECT_EXTENSION) return bind_comment_extension(b, ast, out);
    const Desc *before;
    TRY(comment_target(b, ast, &before));
    if (before->kind == DESC_ROLE && !session_is_admin(b->session, before->name))
        return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "must be member of role \"%s\"", before->name);
    if (before->kind != DESC_ROLE) TRY(ddl_check_owner(b, before));
    Desc *after = desc_copy(before, b->arena);
    after->comment = ast->text;
    UtilityChange *utility = bind_utility(b, UTILITY_COMMENT, "COMMENT", sizeof *utility);
    VEC_PUSH(b->arena, utility->changes, (DescChange){before, after});
    *out = &utility->base.base;
    return ST_OK;
}

/* ---- ANALYZE ---- */

static Status analyze_target(Binder *b, const AstVacuumTable *ast, AnalyzeTarget *target)
{
    TRY(ddl_find_table(b, &ast->name, &target->table));
    for (int i = 0; i < ast->columns.count; i++) {
        int ordinal = table_column_by_name(target->table, ast->columns.items[i]);
        if (ordinal < 0)
            return ddl_fail(b, ast->name.position, ERR_UNDEFINED_COLUMN,
                            "column \"%s\" of relation \"%s\" does not exist", ast->columns.items[i],
                            target->table->base.name);
        VEC_PUSH(b->arena, target->columns, (int)target->table->columns.items[ordinal].id);
    }
    return ST_OK;
}

static bool may_analyze(Binder *b, const TableDesc *table, bool vacuum, NoticeVec *notices)
{
    const Desc *database = catalog_find_id(b->session->catalog, b->session->database_id);
    if (privilege_owns(b->session, b->session->user, &table->base)) return true;
    if (database && privilege_owns(b->session, b->session->user, database)) return true;
    ddl_notice(b, notices, ERR_WARNING, "skipping \"%s\" --- only table or database owner can %s it", table->base.name,
               vacuum ? "vacuum" : "analyze");
    return false;
}

Status bind_analyze(Binder *b, const AstVacuum *ast, Plan **out)
{
    bool vacuum = ast->base.kind == AST_VACUUM;
    UtilityAnalyze *utility = bind_utility(b, UTILITY_ANALYZE, vacuum ? "VACUUM" : "ANALYZE", sizeof *utility);
    for (int i = 0; i < ast->tables.count; i++) {
        AnalyzeTarget target = {0};
        TRY(analyze_target(b, &ast->tables.items[i], &target));
        if (may_analyze(b, target.table, vacuum, &utility->notices)) VEC_PUSH(b->arena, utility->targets, target);
    }
    if (ast->tables.count == 0) {
        const Desc **list;
        int count = catalog_list(b->session->catalog, DESC_TABLE, b->session->database_id, 0, &list, b->arena);
        for (int i = 0; i < count; i++)
            if (may_analyze(b, (const TableDesc *)list[i], vacuum, &utility->notices))
                VEC_PUSH(b->arena, utility->targets, (AnalyzeTarget){.table = (const TableDesc *)list[i]});
    }
    *out = &utility->base.base;
    return ST_OK;
}

/* ---- LOCK TABLE ---- */

Status bind_lock_table(Binder *b, const AstLock *ast, Plan **out)
{
    static const char *const modes[] = {"access share", "row share", "row exclusive", "share update exclusive", "share",
                                        "share row exclusive", "exclusive", "access exclusive"};
    UtilityLockTable *utility = bind_utility(b, UTILITY_LOCK_TABLE, "LOCK TABLE", sizeof *utility);
    utility->mode = TABLE_ACCESS_EXCLUSIVE;
    for (int i = 0; ast->mode && i <= TABLE_ACCESS_EXCLUSIVE; i++)
        if (strcmp(ast->mode, modes[i]) == 0) utility->mode = (TableLockMode)i;
    utility->wait = ast->nowait ? LOCK_NOWAIT : LOCK_WAIT;
    for (int i = 0; i < ast->tables.count; i++) {
        const TableDesc *table;
        TRY(ddl_find_table(b, &ast->tables.items[i], &table));
        uint32_t any = utility->mode == TABLE_ACCESS_SHARE ? ACL_SELECT : ACL_UPDATE | ACL_DELETE | ACL_TRUNCATE;
        if (!(privileges_held(b->session, b->session->user, &table->base) & any))
            return privilege_denied(&table->base, b->arena, b->err);
        VEC_PUSH(b->arena, utility->tables, table);
    }
    *out = &utility->base.base;
    return ST_OK;
}
