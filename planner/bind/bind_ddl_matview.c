/* Materialized views: tables that keep what a query gave. */
#include "parser/ast_print.h"
#include "planner/bind/bind_ddl_owner.h"

static void depend_on(Binder *b, TableDesc *view, DescId id)
{
    for (int i = 0; i < view->depends_on.count; i++)
        if ((DescId)view->depends_on.items[i] == id) return;
    VEC_PUSH(b->arena, view->depends_on, (int)id);
}

static void collect_tables(Binder *b, TableDesc *view, const Rel *rel)
{
    if (rel->kind == REL_TABLE) depend_on(b, view, ((const RelTable *)rel)->table->base.id);
    for (int i = 0; i < rel->input_count; i++) collect_tables(b, view, rel->inputs[i]);
}

Status ddl_matview_query(Binder *b, const AstStmt *query, TableDesc *view, PlannedStmt **out)
{
    Rel *rel;
    b->view_uses = &view->depends_on;
    Status status = bind_query_stmt(b, query, &rel);
    b->view_uses = NULL;
    TRY(status);
    view->view_query = ast_stmt_text(query, b->arena);
    collect_tables(b, view, rel);
    return plan_nested(b, rel, out);
}

Status ddl_find_matview(Binder *b, const AstName *name, SqlState code, const TableDesc **view)
{
    BoundName found;
    TRY(ddl_find_relation(b, name, true, &found));
    *view = found.desc && found.desc->kind == DESC_TABLE ? (const TableDesc *)found.desc : NULL;
    if (*view && (*view)->view_query) return ST_OK;
    return ddl_fail(b, 0, code, "\"%s\" is not a materialized view", name->name);
}

static bool has_whole_key(const TableDesc *view)
{
    for (int i = 0; i < view->indexes.count; i++) {
        const IndexDesc *index = &view->indexes.items[i];
        bool plain = index->unique && !index->primary && !index->predicate;
        for (int c = 0; c < index->columns.count && plain; c++)
            plain = view->columns.items[table_column_by_id(view, index->columns.items[c].column_id)].role == COLUMN_USER;
        if (plain) return true;
    }
    return false;
}

static Status check_concurrently(Binder *b, const AstRefresh *ast, const TableDesc *view)
{
    if (ast->no_data)
        return ddl_fail(b, 0, ERR_SYNTAX_ERROR, "%s and %s options cannot be used together", "CONCURRENTLY", "WITH NO DATA");
    if (!view->populated)
        return ddl_fail(b, 0, ERR_FEATURE_NOT_SUPPORTED, "CONCURRENTLY cannot be used when the materialized view is not populated");
    if (has_whole_key(view)) return ST_OK;
    ddl_fail(b, 0, ERR_OBJECT_NOT_IN_PREREQUISITE_STATE, "cannot refresh materialized view \"%s\" concurrently",
             ddl_qualified(b, view->base.parent_schema, view->base.name));
    err_hint(b->err, b->arena, "Create a unique index with no WHERE clause on one or more columns of the materialized view.");
    return ST_ERROR;
}

Status bind_refresh(Binder *b, const AstRefresh *ast, Plan **out)
{
    const TableDesc *view;
    Rel *rel;
    TRY(ddl_find_matview(b, &ast->name, ERR_FEATURE_NOT_SUPPORTED, &view));
    TRY(ddl_check_owner(b, &view->base));
    if (ast->concurrently) TRY(check_concurrently(b, ast, view));
    UtilityCreateTableAs *utility = bind_utility(b, UTILITY_CREATE_TABLE_AS, "REFRESH MATERIALIZED VIEW", sizeof *utility);
    TRY(bind_query_text(b, view->view_query, &rel));
    TRY(plan_nested(b, rel, &utility->query));
    utility->draft = table_desc_copy(view, b->arena);
    utility->draft->populated = utility->with_data = !ast->no_data;
    utility->refreshed = view;
    utility->concurrently = ast->concurrently;
    *out = &utility->base.base;
    return ST_OK;
}
