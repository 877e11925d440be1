#include "planner/bind/bind_show.h"

#include "parser/ast_print.h"
#include "planner/cluster_settings.h"
#include "planner/utility_session.h"

/* ---- names inside the queries ---- */

static const char *literal(Binder *b, const char *text)
{
    Buf quoted = {0};
    ast_print_string(text, &quoted);
    const char *copy = buf_to_str(&quoted, b->arena);
    buf_finish(&quoted);
    return copy;
}

static Status find_relation_id(Binder *b, const AstName *name, uint32_t *id)
{
    BoundName found;
    TRY(bind_find_relation(b, name, true, &found));
    *id = found.desc ? found.desc->id : found.system->oid;
    return ST_OK;
}

static Status find_database_id(Binder *b, const char *name, DescId *id)
{
    *id = b->session->database_id;
    if (!name) return ST_OK;
    const Desc *database = catalog_find_database(b->session->catalog, name);
    if (!database) return ddl_fail(b, 0, ERR_INVALID_CATALOG_NAME, "database \"%s\" does not exist", name);
    *id = database->id;
    return ST_OK;
}

/* ---- forms that need more than a table of texts ---- */

/* SHOW TABLES FROM x: x is a schema of this database, or else a database. */
static Status show_tables(Binder *b, const AstShow *ast, const char **sql)
{
    const char *database = ast->name.database, *schema = ast->name.schema;
    if (!database && schema && !catalog_find_schema(b->session->catalog, b->session->database_id, schema) &&
        catalog_find_database(b->session->catalog, schema)) {
        database = schema;
        schema = NULL;
    }
    DescId id;
    TRY(find_database_id(b, database, &id));
    if (schema && !catalog_find_schema(b->session->catalog, id, schema))
        return ddl_fail(b, 0, ERR_INVALID_SCHEMA_NAME, "schema \"%s\" does not exist", schema);
    const char *where = schema ? arena_printf(b->arena, " AND schema_name = %s", literal(b, schema)) : "";
    *sql = arena_printf(b->arena,
                        "SELECT schema_name, table_name, type, owner, estimated_row_count, locality%s FROM rowkey.show_tables "
                        "WHERE database_id = %u%s ORDER BY schema_name, table_name",
                        ast->with_comment ? ", comment" : "", id, where);
    return ST_OK;
}

static Status show_columns(Binder *b, const AstShow *ast, const char **sql)
{
    uint32_t id;
    TRY(find_relation_id(b, &ast->name, &id));
    *sql = arena_printf(b->arena,
                        "SELECT column_name, data_type, is_nullable, column_default, generation_expression, indices, "
                        "is_hidden%s FROM rowkey.show_columns WHERE relation_id = %u ORDER BY ordinal",
                        ast->with_comment ? ", comment" : "", id);
    return ST_OK;
}

static Status show_indexes(Binder *b, const AstShow *ast, const char **sql)
{
    uint32_t id;
    DescId database;
    const char *column = ast->on_database ? "database_id" : "relation_id";
    if (ast->on_database) {
        TRY(find_database_id(b, ast->name.name, &database));
        id = database;
    } else {
        TRY(find_relation_id(b, &ast->name, &id));
    }
    *sql = arena_printf(b->arena,
                        "SELECT table_name, index_name, non_unique, seq_in_index, column_name, definition, direction, "
                        "storing, implicit, visible%s FROM rowkey.show_indexes WHERE %s = %u "
                        "ORDER BY table_name, index_name, non_unique, seq_in_index",
                        ast->with_comment ? ", comment" : "", column, id);
    return ST_OK;
}

static Status show_create(Binder *b, const AstShow *ast, const char **sql)
{
    uint32_t id;
    if (ast->object == AST_OBJECT_DATABASE || ast->object == AST_OBJECT_SCHEMA || ast->object == AST_OBJECT_ROLE)
        return ddl_unsupported(b, ast->base.position,
                               arena_printf(b->arena, "SHOW CREATE %s", ast_object_words(ast->object)));
    TRY(find_relation_id(b, &ast->name, &id));
    *sql = arena_printf(b->arena, "SELECT table_name, create_statement FROM rowkey.show_create WHERE relation_id = %u", id);
    return ST_OK;
}

static Status show_constraints(Binder *b, const AstShow *ast, const char **sql)
{
    uint32_t id;
    TRY(find_relation_id(b, &ast->name, &id));
    *sql = arena_printf(b->arena,
                        "SELECT table_name, constraint_name, constraint_type, details, validated "
                        "FROM rowkey.show_constraints WHERE relation_id = %u ORDER BY table_name, constraint_name", id);
    return ST_OK;
}

static Status show_of_database(Binder *b, const AstShow *ast, const char *format, const char **sql)
{
    DescId id;
    TRY(find_database_id(b, ast->name.name, &id));
    *sql = arena_printf(b->arena, "%s WHERE database_id = %u ORDER BY 1, 2", format, id);
    return ST_OK;
}

static Status show_setting(Binder *b, const AstShow *ast, const char **sql)
{
    *sql = arena_printf(b->arena, "SELECT current_setting(%s) AS %s", literal(b, ast->setting), ddl_quoted(b, ast->setting));
    return ST_OK;
}

static Status show_cluster_setting(Binder *b, const AstShow *ast, const char **sql)
{
    if (!ast->setting) {
        *sql = "SELECT variable, value, setting_type, description, default_value, origin FROM rowkey.cluster_settings "
               "ORDER BY variable";
        return ST_OK;
    }
    int id = cluster_setting_find(ast->setting);
    if (id < 0) return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "unknown cluster setting '%s'", ast->setting);
    *sql = arena_printf(b->arena, "SELECT value AS %s FROM rowkey.cluster_settings WHERE variable = %s",
                        ddl_quoted(b, ast->setting), literal(b, cluster_setting_def((ClusterSettingId)id)->name));
    return ST_OK;
}

/* One row per form: its query, or what is asked to make it. */
static Status show_text(Binder *b, const AstShow *ast, const char **sql)
{
    switch (ast->show) {
    case AST_SHOW_SETTING: return show_setting(b, ast, sql);
    case AST_SHOW_ALL:
        *sql = "SELECT name, setting, short_desc AS description FROM pg_catalog.pg_settings ORDER BY name";
        return ST_OK;
    case AST_SHOW_TABLES: return show_tables(b, ast, sql);
    case AST_SHOW_COLUMNS: return show_columns(b, ast, sql);
    case AST_SHOW_INDEXES: return show_indexes(b, ast, sql);
    case AST_SHOW_CONSTRAINTS: return show_constraints(b, ast, sql);
    case AST_SHOW_CREATE: return show_create(b, ast, sql);
    case AST_SHOW_CREATE_ALL:
        *sql = arena_printf(b->arena, "SELECT create_statement FROM rowkey.show_create WHERE database_id = %u "
                                      "ORDER BY relation_id", b->session->database_id);
        return ST_OK;
    case AST_SHOW_DATABASES:
        *sql = ast->with_comment
                   ? "SELECT database_name, owner, primary_region, secondary_region, regions, survival_goal, comment "
                     "FROM rowkey.show_databases ORDER BY database_name"
                   : "SELECT database_name, owner, primary_region, secondary_region, regions, survival_goal "
                     "FROM rowkey.show_databases ORDER BY database_name";
        return ST_OK;
    case AST_SHOW_SCHEMAS: return show_of_database(b, ast, "SELECT schema_name, owner FROM rowkey.show_schemas", sql);
    case AST_SHOW_SEQUENCES:
        return show_of_database(b, ast, "SELECT sequence_schema, sequence_name FROM rowkey.show_sequences", sql);
    case AST_SHOW_ROLES:
    case AST_SHOW_USERS:
        *sql = "SELECT username, options, member_of FROM rowkey.show_roles ORDER BY username";
        return ST_OK;
    case AST_SHOW_SESSIONS:
        *sql = "SELECT 1::int8 AS node_id, pid::text AS session_id, state AS status, usename AS user_name, "
               "client_addr::text AS client_address, application_name, query AS active_queries, "
               "query AS last_active_query, backend_start AS session_start, query_start AS active_query_start "
               "FROM pg_catalog.pg_stat_activity ORDER BY pid";
        return ST_OK;
    case AST_SHOW_STATEMENTS:
        *sql = "SELECT pid::text AS query_id, 1::int8 AS node_id, pid::text AS session_id, usename AS user_name, "
               "query_start AS start, query, client_addr::text AS client_address, application_name, "
               "false AS distributed, 'executing' AS phase FROM pg_catalog.pg_stat_activity WHERE state = 'active' ORDER BY pid";
        return ST_OK;
    case AST_SHOW_ZONE_CONFIGURATION: return bind_show_zone(b, ast, sql);
    case AST_SHOW_CLUSTER_SETTING: return show_cluster_setting(b, ast, sql);
    case AST_SHOW_TYPES:
    case AST_SHOW_ENUMS:
    case AST_SHOW_GRANTS:
    case AST_SHOW_PARTITIONS:
    case AST_SHOW_JOBS:
    case AST_SHOW_STATISTICS:
    case AST_SHOW_SAVEPOINT_STATUS:
    case AST_SHOW_TRANSACTION_STATUS:
    case AST_SHOW_RANGES:
    case AST_SHOW_RANGE_FOR_ROW: break;
    }
    static const char *const words[] = {
#define AST_SHOW_KIND(kind, text) text,
        AST_SHOWS(AST_SHOW_KIND)
#undef AST_SHOW_KIND
    };
    return ddl_unsupported(b, ast->base.position, words[ast->show]);
}

static Status bind_show(Binder *b, const AstShow *ast, Rel **out)
{
    if (ast->show == AST_SHOW_RANGES) return bind_show_ranges(b, ast, out);
    if (ast->show == AST_SHOW_RANGE_FOR_ROW) return bind_show_range_for_row(b, ast, out);
    const char *sql = NULL;
    TRY(show_text(b, ast, &sql));
    return bind_query_text(b, sql, out);
}

/* Of what is no query: statements that are there for their rows. */
static bool makes_rows(UtilityKind kind)
{
    return kind == UTILITY_EXPLAIN || kind == UTILITY_FORECAST || kind == UTILITY_SPLIT_AT || kind == UTILITY_UNSPLIT_AT ||
           kind == UTILITY_SCATTER || kind == UTILITY_RELOCATE || kind == UTILITY_RELOCATE_RANGE;
}

static Status bind_statement_rows(Binder *b, const AstStmt *stmt, Rel **out)
{
    Plan *plan = NULL;
    bool handled;
    TRY(bind_session(b, stmt, &plan, &handled));
    if (!handled) TRY(bind_ddl(b, stmt, &plan));
    const PlanUtility *utility = (const PlanUtility *)plan;
    if (!makes_rows(utility->utility))
        return ddl_unsupported(b, stmt->position, arena_printf(b->arena, "%s as a table", ast_stmt_tag(stmt)));
    if (utility->utility == UTILITY_EXPLAIN && ((const UtilityExplain *)utility)->analyze)
        return ddl_fail(b, stmt->position, ERR_FEATURE_NOT_SUPPORTED, "EXPLAIN ANALYZE can only be used as a top-level statement");
    RelStatementRows *rel = rel_new(b->arena, REL_STATEMENT_ROWS, sizeof *rel);
    rel->statement = plan;
    rel->base.column_count = plan->column_count;
    rel->base.columns = ARENA_ARRAY(b->arena, RelColumn, plan->column_count + 1);
    for (int i = 0; i < plan->column_count; i++)
        rel->base.columns[i] = (RelColumn){.id = plan->columns[i], .name = plan->names[i], .type = plan->types[i]};
    *out = &rel->base;
    return ST_OK;
}

Status bind_bracketed(Binder *b, const AstStmt *stmt, Rel **out)
{
    if (stmt->kind == AST_SHOW) return bind_show(b, (const AstShow *)stmt, out);
    if (stmt->kind == AST_SELECT || stmt->kind == AST_INSERT || stmt->kind == AST_UPDATE || stmt->kind == AST_DELETE)
        return bind_query_stmt(b, stmt, out);
    return bind_statement_rows(b, stmt, out);
}
