#include "planner/bind/bind_ddl.h"
#include "planner/bind/bind_session.h"

Status ddl_fail(Binder *b, int position, SqlState code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *b->err = (Error){.sqlstate = code, .message = arena_vprintf(b->arena, format, args), .position = position};
    va_end(args);
    return ST_ERROR;
}

Status ddl_unsupported(Binder *b, int position, const char *what)
{
    err_unsupported(b->err, b->arena, what);
    return err_at(b->err, position);
}

Status ddl_skip(Binder *b, const char *tag, SqlState code, Plan **out, const char *format, ...)
{
    PlanUtility *utility = bind_utility(b, UTILITY_DO_NOTHING, tag, sizeof *utility);
    va_list args;
    va_start(args, format);
    utility->notice = arena_vprintf(b->arena, format, args);
    va_end(args);
    utility->notice_code = code;
    *out = &utility->base;
    return ST_OK;
}

void ddl_notice(Binder *b, NoticeVec *notices, SqlState code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    DdlNotice notice = {.code = code, .text = arena_vprintf(b->arena, format, args)};
    va_end(args);
    VEC_PUSH(b->arena, *notices, notice);
}

Status ddl_find_relation(Binder *b, const AstName *name, bool required, BoundName *found)
{
    AstName placeless = *name;
    placeless.position = 0;
    return bind_find_relation(b, &placeless, required, found);
}

Status ddl_find_table(Binder *b, const AstName *name, const TableDesc **table)
{
    AstName placeless = *name;
    placeless.position = 0;
    return bind_find_table(b, &placeless, table);
}

const char *ddl_shown_name(Binder *b, const Desc *desc)
{
    const DescId *path;
    int count = session_search_path(b->session, &path, b->arena);
    if (!desc->parent_schema) return ddl_quoted(b, desc->name);
    for (int i = 0; i < count; i++) {
        if (path[i] == desc->parent_schema) return ddl_quoted(b, desc->name);
        if (catalog_find_object(b->session->catalog, path[i], desc->name)) break;
    }
    return ddl_qualified(b, desc->parent_schema, desc->name);
}

Status ddl_nested_query(Binder *b, const AstStmt *stmt, PlannedStmt **out)
{
    Rel *rel;
    TRY(bind_query_stmt(b, stmt, &rel));
    return plan_nested(b, rel, out);
}

static Status bind_vacuum(Binder *b, const AstVacuum *ast, Plan **out)
{
    bool analyze = false, full = false;
    TRY(option_bool(b, ast_option(&ast->options, "analyze"), &analyze));
    TRY(option_bool(b, ast_option(&ast->options, "full"), &full));
    if (full) {
        (void)ddl_unsupported(b, ast->base.position, "VACUUM FULL");
        err_hint(b->err, b->arena, "The file is made smaller by \"rowkey compact DIR\", while no server has it open.");
        return ST_ERROR;
    }
    if (analyze) return bind_analyze(b, ast, out);
    for (int i = 0; i < ast->tables.count; i++) {
        const TableDesc *table;
        TRY(ddl_find_table(b, &ast->tables.items[i].name, &table));
    }
    /* Pages are reused by the engine itself; there is nothing to clean. */
    PlanUtility *utility = bind_utility(b, UTILITY_VACUUM, "VACUUM", sizeof *utility);
    *out = &utility->base;
    return ST_OK;
}

static Status bind_checkpoint(Binder *b, Plan **out)
{
    if (!session_is_superuser(b->session))
        return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "must be superuser or have privileges of pg_checkpoint to do CHECKPOINT");
    PlanUtility *utility = bind_utility(b, UTILITY_CHECKPOINT, "CHECKPOINT", sizeof *utility);
    *out = &utility->base;
    return ST_OK;
}

/* One row per statement: what drafts it. Kinds that are queries or session control never get here. */
Status bind_ddl(Binder *b, const AstStmt *stmt, Plan **out)
{
    switch (stmt->kind) {
    case AST_CREATE_DATABASE: return bind_create_database(b, (const AstCreateDatabase *)stmt, out);
    case AST_CREATE_SCHEMA: return bind_create_schema(b, (const AstCreateSchema *)stmt, out);
    case AST_CREATE_TABLE: return bind_create_table(b, (const AstCreateTable *)stmt, out);
    case AST_CREATE_TABLE_AS: return bind_create_table_as(b, (const AstCreateTableAs *)stmt, out);
    case AST_CREATE_INDEX: return bind_create_index(b, (const AstCreateIndex *)stmt, out);
    case AST_CREATE_VIEW: return bind_create_view(b, (const AstCreateView *)stmt, out);
    case AST_CREATE_SEQUENCE: return bind_create_sequence(b, (const AstCreateSequence *)stmt, out);
    case AST_CREATE_ENUM: return bind_create_enum(b, (const AstCreateEnum *)stmt, out);
    case AST_ALTER_ENUM: return bind_alter_enum(b, (const AstAlterEnum *)stmt, out);
    case AST_CREATE_ROLE: case AST_ALTER_ROLE: return bind_create_role(b, (const AstCreateRole *)stmt, out);
    case AST_ALTER_TABLE: return bind_alter_table(b, (const AstAlterTable *)stmt, out);
    case AST_ALTER_SEQUENCE: return bind_alter_sequence(b, (const AstAlterSequence *)stmt, out);
    case AST_ALTER_OBJECT: return bind_alter_object(b, (const AstAlterObject *)stmt, out);
    case AST_DROP: return bind_drop(b, (const AstDrop *)stmt, out);
    case AST_TRUNCATE: return bind_truncate(b, (const AstTruncate *)stmt, out);
    case AST_CREATE_EXTENSION: return bind_create_extension(b, (const AstCreateExtension *)stmt, out);
    case AST_COMMENT: return bind_comment(b, (const AstComment *)stmt, out);
    case AST_VACUUM: return bind_vacuum(b, (const AstVacuum *)stmt, out);
    case AST_ANALYZE: return bind_analyze(b, (const AstVacuum *)stmt, out);
    case AST_LOCK: return bind_lock_table(b, (const AstLock *)stmt, out);
    case AST_SPLIT_AT: case AST_UNSPLIT_AT: return bind_split_at(b, (const AstSplitAt *)stmt, out);
    case AST_SCATTER: return bind_scatter(b, (const AstScatter *)stmt, out);
    case AST_FORECAST: return bind_forecast(b, (const AstForecast *)stmt, out);
    case AST_CONFIGURE_ZONE: return bind_configure_zone(b, (const AstConfigureZone *)stmt, out);
    case AST_RELOCATE: return bind_relocate(b, (const AstRelocate *)stmt, out);
    case AST_GRANT: case AST_REVOKE: case AST_ALTER_DEFAULT_PRIVILEGES: case AST_DROP_OWNED:
    case AST_REASSIGN_OWNED: return bind_privileges(b, stmt, out);
    case AST_CHECKPOINT: return bind_checkpoint(b, out);
    case AST_UNSUPPORTED: return ddl_unsupported(b, stmt->position, ((const AstUnsupported *)stmt)->what);
    case AST_CREATE_DOMAIN: return bind_create_domain(b, (const AstCreateDomain *)stmt, out);
    case AST_ALTER_DATABASE_SET:
    case AST_ALTER_ROLE_SET:
    case AST_REFRESH: return bind_refresh(b, (const AstRefresh *)stmt, out);
    case AST_REINDEX:
    case AST_CLUSTER: return ddl_unsupported(b, stmt->position, ast_stmt_tag(stmt));
    case AST_SELECT:
    case AST_INSERT:
    case AST_UPDATE:
    case AST_DELETE:
    case AST_BEGIN:
    case AST_COMMIT:
    case AST_ROLLBACK:
    case AST_SAVEPOINT:
    case AST_RELEASE:
    case AST_ROLLBACK_TO:
    case AST_SET_TRANSACTION:
    case AST_SET:
    case AST_RESET:
    case AST_SHOW:
    case AST_SET_CONSTRAINTS:
    case AST_DISCARD:
    case AST_PREPARE:
    case AST_EXECUTE:
    case AST_DEALLOCATE:
    case AST_DECLARE:
    case AST_FETCH:
    case AST_CLOSE:
    case AST_EXPLAIN:
    case AST_COPY:
    case AST_LISTEN:
    case AST_UNLISTEN:
    case AST_NOTIFY:
    case AST_DO: break;
    }
    return ddl_unsupported(b, stmt->position, ast_stmt_tag(stmt));
}
