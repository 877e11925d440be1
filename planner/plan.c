/* plan.c - from text to plan: parse, bind, rewrite, choose paths. */
#include "planner/plan.h"

#include "parser/parse.h"
#include "planner/bind/bind.h"
#include "planner/paths/paths.h"
#include "planner/settings.h"
#include "planner/rules/rules.h"

struct ParsedStmt {
    AstStmt *ast;
};

Status plan_parse(const char *origin, const char **text, ParsedStmt **stmt, Arena *arena, Error *err)
{
    AstStmt *ast;
    TRY(parse_next(origin, text, &ast, arena, err));
    *stmt = ARENA_NEW(arena, ParsedStmt);
    (*stmt)->ast = ast;
    return ST_OK;
}

/* ---- classes ---- */

static bool shows_status(const AstStmt *ast)
{
    if (ast->kind != AST_SHOW) return false;
    AstShowKind show = ((const AstShow *)ast)->show;
    return show == AST_SHOW_TRANSACTION_STATUS || show == AST_SHOW_SAVEPOINT_STATUS;
}

StmtClass plan_stmt_class(const ParsedStmt *stmt)
{
    int kind = (int)stmt->ast->kind;
    switch (kind) {
    case AST_SELECT:
    case AST_INSERT:
    case AST_UPDATE:
    case AST_DELETE:
    case AST_EXECUTE:
        return STMT_QUERY;
    case AST_BEGIN:
    case AST_COMMIT:
    case AST_ROLLBACK:
    case AST_SAVEPOINT:
    case AST_RELEASE:
    case AST_ROLLBACK_TO:
    case AST_SET_TRANSACTION:
        return STMT_TXN_CONTROL;
    case AST_SET:
    case AST_RESET:
    case AST_DISCARD:
    case AST_DEALLOCATE:
    case AST_FETCH:
    case AST_CLOSE:
    case AST_LISTEN:
    case AST_UNLISTEN:
    case AST_NOTIFY:
    case AST_DO:
        return STMT_SESSION;
    case AST_SHOW:
        if (shows_status(stmt->ast)) return STMT_TXN_CONTROL;
        return ((const AstShow *)stmt->ast)->show == AST_SHOW_SETTING ? STMT_SESSION : STMT_QUERY;
    default:
        return STMT_UTILITY;
    }
}

bool plan_stmt_ends_failure(const ParsedStmt *stmt)
{
    AstStmtKind kind = stmt->ast->kind;
    return kind == AST_COMMIT || kind == AST_ROLLBACK || kind == AST_ROLLBACK_TO || shows_status(stmt->ast);
}

const char *plan_stmt_tag(const ParsedStmt *stmt)
{
    return ast_stmt_tag(stmt->ast);
}

/* ---- queries ---- */

static Status plan_rel(Binder *binder, Rel *rel, PlannedStmt *planned)
{
    Rewriting rewriting = {binder->session, binder->arena, binder->err, binder->next_column,
                           binder->param_values};
    TRY(rules_apply(&rewriting, &rel));
    binder->next_column = rewriting.next_column;
    TRY(paths_plan(binder->session, rel, &planned->plan, binder->arena, binder->err));
    planned->columns = rel->columns;
    planned->column_count = rel->column_count;
    planned->plan_count = paths_plan_count(planned->plan);
    planned->read_only = !binder->modifies;
    return ST_OK;
}

static void take_params(const Binder *binder, PlannedStmt *planned)
{
    planned->param_types = binder->params.items;
    planned->param_count = binder->params.count;
    planned->tables = binder->tables;
    if (binder->session->catalog) planned->catalog_version = catalog_view_version(binder->session->catalog);
}

Status plan_nested(Binder *binder, Rel *rel, PlannedStmt **out)
{
    PlannedStmt *planned = *out = ARENA_NEW(binder->arena, PlannedStmt);
    planned->tag = "SELECT";
    TRY(plan_rel(binder, rel, planned));
    take_params(binder, planned);
    return ST_OK;
}

/* ---- utilities ---- */

static void take_utility(Binder *binder, Plan *plan, PlannedStmt *planned)
{
    RelColumn *columns = ARENA_ARRAY(binder->arena, RelColumn, plan->column_count);
    for (int i = 0; i < plan->column_count; i++)
        columns[i] = (RelColumn){.id = plan->columns[i], .name = plan->names[i], .type = plan->types[i]};
    planned->plan = plan;
    planned->columns = columns;
    planned->column_count = plan->column_count;
    planned->plan_count = 1;
    const char *tag = ((const PlanUtility *)plan)->tag;
    if (tag) planned->tag = tag;
}

static bool is_query(const AstStmt *ast)
{
    if (ast->kind == AST_SHOW) return ((const AstShow *)ast)->show != AST_SHOW_SETTING && !shows_status(ast);
    return ast->kind == AST_SELECT || ast->kind == AST_INSERT || ast->kind == AST_UPDATE || ast->kind == AST_DELETE;
}

static Status plan_ast(Binder *binder, const AstStmt *ast, PlannedStmt *planned)
{
    if (is_query(ast)) {
        Rel *rel;
        TRY(ast->kind == AST_SHOW ? bind_bracketed(binder, ast, &rel) : bind_query_stmt(binder, ast, &rel));
        return plan_rel(binder, rel, planned);
    }
    Plan *plan;
    bool handled;
    TRY(bind_session(binder, ast, &plan, &handled));
    if (!handled) TRY(bind_ddl(binder, ast, &plan));
    take_utility(binder, plan, planned);
    return ST_OK;
}

/* ---- parameters ---- */

static Status check_params(Binder *binder)
{
    for (int i = 0; i < binder->params.count; i++) {
        Oid type = binder->params.items[i].oid;
        if (type && type != OID_UNKNOWN) continue;
        return err_set(binder->err, binder->arena, ERR_INDETERMINATE_DATATYPE,
                       "could not determine data type of parameter $%d", i + 1);
    }
    return ST_OK;
}

Status plan_statement(Session *session, const ParsedStmt *stmt, const PlanParams *params, PlannedStmt *planned,
                      Arena *arena, Error *err)
{
    Binder binder;
    binder_init(&binder, session, arena, err);
    binder.param_values = params->values;
    for (int i = 0; i < params->count; i++) /* a domain judges its values where they are used */
        VEC_PUSH(arena, binder.params, (TypeRef){type_ref(params->types[i]).oid, -1});
    planned->tag = ast_stmt_tag(stmt->ast);
    TRY(plan_ast(&binder, stmt->ast, planned));
    TRY(check_params(&binder));
    take_params(&binder, planned);
    planned->denied = bind_denied(&binder);
    planned->user = session->user;
    planned->search_path = setting_text(session->settings, SETTING_search_path);
    /* COPY FROM inserts by parameters of its own, one a column: they are no business of the client's. */
    const Plan *plan = planned->plan;
    if (plan->kind == PLAN_UTILITY && ((const PlanUtility *)plan)->utility == UTILITY_COPY) planned->param_count = 0;
    return ST_OK;
}
