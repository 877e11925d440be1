/* bind_select.c - SELECT: its clauses in the order in which they take effect.
 *
 *   FROM -> WHERE -> group, aggregates, HAVING -> windows -> set-returning calls -> projection -> DISTINCT -> ORDER BY
 * -> LIMIT
 *
 * Without DISTINCT and set-returning calls ORDER BY, locks and LIMIT come below the projection: only rows that are
 * returned are computed, and FOR UPDATE locks no others.
 */
#include "parser/parse.h"
#include "planner/bind/bind_query.h"

enum { QUERY_DEPTH_MAX = 200 };

/* A SELECT on its way. */
typedef struct Query {
    const AstSelect *select;
    Rel *rel;
    TargetVec targets;
    Expr *having;
    SortKey *order;
    int *order_targets; /* per key: the target it is, or -1 */
    int order_count;
    Expr **on; /* DISTINCT ON */
    int on_count;
} Query;

/* ---- clauses ---- */

static Status bind_where(Binder *binder, Query *q)
{
    if (!q->select->where) return ST_OK;
    Expr *condition;
    binder->clause = CLAUSE_WHERE;
    TRY(bind_condition(binder, q->select->where, "WHERE", &condition));
    q->rel = rel_filter(binder->arena, q->rel, condition);
    return ST_OK;
}

static Rel *one_empty_row(Binder *binder)
{
    RelValues *values = rel_new(binder->arena, REL_VALUES, sizeof *values);
    values->rows = ARENA_ARRAY(binder->arena, Expr **, 1);
    values->row_count = 1;
    return &values->base;
}

static Status bind_order(Binder *binder, Query *q)
{
    const AstSortVec *ast = &q->select->order_by;
    binder->clause = CLAUSE_ORDER_BY;
    q->order_count = ast->count;
    q->order = ARENA_ARRAY(binder->arena, SortKey, ast->count);
    q->order_targets = ARENA_ARRAY(binder->arena, int, ast->count);
    for (int i = 0; i < ast->count; i++) {
        Expr *e;
        TRY(bind_output_reference(binder, ast->items[i].expr, &q->targets, OUTPUT_ORDER_BY, &q->order_targets[i], &e));
        TRY(bind_sort_key(binder, &ast->items[i], e, &q->order[i]));
        if (q->order_targets[i] >= 0) q->targets.items[q->order_targets[i]].expr = q->order[i].expr;
        if (q->select->distinct && !q->select->distinct_on.count && q->order_targets[i] < 0) {
            (void)err_set(binder->err, binder->arena, ERR_INVALID_COLUMN_REFERENCE,
                          "for SELECT DISTINCT, ORDER BY expressions must appear in select list");
            return err_at(binder->err, bind_leftmost(ast->items[i].expr));
        }
    }
    return ST_OK;
}

/* The keys of DISTINCT ON are the first ones of ORDER BY, in any order among themselves. */
static Status check_distinct_on(Binder *binder, const Query *q)
{
    for (int i = 0; i < q->order_count && i < q->on_count; i++) {
        bool listed = false;
        for (int k = 0; k < q->on_count; k++) listed |= expr_equal(q->on[k], q->order[i].expr);
        if (listed) continue;
        (void)err_set(binder->err, binder->arena, ERR_INVALID_COLUMN_REFERENCE,
                      "SELECT DISTINCT ON expressions must match initial ORDER BY expressions");
        return err_at(binder->err, q->select->distinct_on.items[0]->position);
    }
    return ST_OK;
}

static Status bind_distinct_on(Binder *binder, Query *q)
{
    const AstExprVec *ast = &q->select->distinct_on;
    binder->clause = CLAUSE_DISTINCT_ON;
    q->on = ARENA_ARRAY(binder->arena, Expr *, ast->count);
    for (int i = 0; i < ast->count; i++) {
        int target;
        TRY(bind_output_reference(binder, ast->items[i], &q->targets, OUTPUT_DISTINCT_ON, &target,
                                  &q->on[q->on_count]));
        q->on_count++;
    }
    return check_distinct_on(binder, q);
}

static Status bind_clauses(Binder *binder, Query *q, bool settle)
{
    const AstSelect *select = q->select;
    binder->clause = CLAUSE_FROM;
    TRY(bind_from(binder, &select->from, &q->rel));
    if (!q->rel) q->rel = one_empty_row(binder);
    TRY(bind_where(binder, q));
    binder->clause = CLAUSE_SELECT;
    TRY(bind_targets(binder, &select->targets, &q->targets));
    if (select->having) {
        binder->clause = CLAUSE_HAVING;
        TRY(bind_condition(binder, select->having, "HAVING", &q->having));
    }
    TRY(bind_order(binder, q));
    TRY(bind_distinct_on(binder, q));
    if (settle || select->distinct) TRY(bind_settle_targets(binder, &q->targets));
    for (int i = 0; i < q->order_count; i++)
        if (q->order_targets[i] >= 0) q->order[i].expr = q->targets.items[q->order_targets[i]].expr;
    return ST_OK;
}

/* ---- nodes ---- */

/* The keys of DISTINCT ON are rewritten above the grouping as sort keys are. */
static Status add_grouping(Binder *binder, Query *q)
{
    int count = q->order_count + q->on_count;
    SortKey *keys = ARENA_ARRAY(binder->arena, SortKey, count);
    for (int i = 0; i < q->order_count; i++) keys[i] = q->order[i];
    for (int i = 0; i < q->on_count; i++) keys[q->order_count + i].expr = q->on[i];
    AboveGrouping above = {&q->targets, q->having, keys, count};
    TRY(bind_grouping_of(binder, q->select, &above, &q->rel));
    for (int i = 0; i < q->order_count; i++) q->order[i] = keys[i];
    for (int i = 0; i < q->on_count; i++) q->on[i] = keys[q->order_count + i].expr;
    return ST_OK;
}

static void add_windows(Binder *binder, Query *q)
{
    const Block *block = binder->scope->block;
    int n = block->windows.count;
    if (n == 0) return;
    RelWindow *node = rel_new_over(binder->arena, REL_WINDOW, sizeof *node, q->rel);
    node->functions = ARENA_ARRAY(binder->arena, ExprWindow *, n);
    node->function_count = n;
    int inputs = q->rel->column_count;
    node->base.columns = ARENA_ARRAY(binder->arena, RelColumn, inputs + n);
    for (int i = 0; i < inputs; i++) node->base.columns[i] = q->rel->columns[i];
    for (int i = 0; i < n; i++) {
        ExprWindow *call = block->windows.items[i].call;
        const char *name = call->aggregate ? call->aggregate->name : call->window->name;
        node->functions[i] = call;
        node->base.columns[inputs + i] =
            (RelColumn){.id = block->windows.items[i].id, .name = name, .type = call->base.type};
    }
    node->base.column_count = inputs + n;
    q->rel = &node->base;
}

/* Calls of one level advance together; a call whose arguments hold another's rows is a level above it. */
static void add_set_level(Binder *binder, Rel **rel, int level, bool below)
{
    const Block *block = binder->scope->block;
    int inputs = (*rel)->column_count, n = 0;
    for (int i = 0; i < block->set_calls.count; i++)
        n += block->set_calls.items[i].level == level && block->set_calls.items[i].below == below;
    if (n == 0) return;
    RelProjectSet *node = rel_new_over(binder->arena, REL_PROJECT_SET, sizeof *node, *rel);
    node->calls = ARENA_ARRAY(binder->arena, Expr *, n);
    node->base.columns = ARENA_ARRAY(binder->arena, RelColumn, inputs + n);
    for (int i = 0; i < inputs; i++) node->base.columns[i] = (*rel)->columns[i];
    for (int i = 0; i < block->set_calls.count; i++) {
        const BlockSetCall *call = &block->set_calls.items[i];
        if (call->level != level || call->below != below) continue;
        node->base.columns[inputs + node->call_count] =
            (RelColumn){.id = call->id, .name = ((ExprCall *)call->call)->function->name, .type = call->call->type};
        node->calls[node->call_count++] = call->call;
    }
    node->base.column_count = inputs + n;
    *rel = &node->base;
}

void bind_set_calls(Binder *binder, Rel **rel, bool below)
{
    int levels = 0;
    const Block *block = binder->scope->block;
    for (int i = 0; i < block->set_calls.count; i++)
        if (block->set_calls.items[i].level >= levels) levels = block->set_calls.items[i].level + 1;
    for (int level = 0; level < levels; level++) add_set_level(binder, rel, level, below);
}

/* ---- the end: sort, limit, project ---- */

static void add_sort(Binder *binder, Rel **rel, SortKey *keys, int count)
{
    if (count == 0) return;
    RelSort *sort = rel_new_over(binder->arena, REL_SORT, sizeof *sort, *rel);
    sort->keys = keys;
    sort->key_count = count;
    *rel = &sort->base;
}

/* Adds a column that is computed to a projection that passes everything through. */
static void pass_and_compute(Binder *binder, Rel **rel, const ExprVec *computed, ColId *ids)
{
    Rel *input = *rel;
    int inputs = input->column_count, count = inputs + computed->count;
    RelProject *project = rel_new_over(binder->arena, REL_PROJECT, sizeof *project, input);
    project->exprs = ARENA_ARRAY(binder->arena, Expr *, count);
    project->base.columns = ARENA_ARRAY(binder->arena, RelColumn, count);
    project->base.column_count = count;
    for (int i = 0; i < inputs; i++) {
        project->base.columns[i] = input->columns[i];
        project->exprs[i] = rel_column_expr(binder->arena, &input->columns[i]);
    }
    for (int i = 0; i < computed->count; i++) {
        Expr *e = computed->items[i];
        ids[i] = binder_new_column(binder);
        project->exprs[inputs + i] = e;
        project->base.columns[inputs + i] =
            (RelColumn){.id = ids[i], .name = expr_text(e, binder->arena), .type = e->type};
    }
    *rel = &project->base;
}

static bool is_input_column(const Rel *rel, const Expr *e)
{
    return e->kind == EXPR_COLUMN && rel_find_column(rel, ((const ExprColumn *)e)->column);
}

typedef struct Computed {
    const ExprVec *exprs;
    const ColId *ids;
    const Rel *rel;
} Computed;

static Expr *use_computed(Arena *arena, Expr *e, void *argument)
{
    const Computed *c = argument;
    for (int i = 0; i < c->exprs->count; i++)
        if (expr_equal(c->exprs->items[i], e)) return rel_column_expr(arena, rel_find_column(c->rel, c->ids[i]));
    return NULL;
}

/* Sort keys that are no columns are computed below the sort, once: targets that have the same expression use them too.
 */
static void compute_keys(Binder *binder, Query *q)
{
    ExprVec computed = {0};
    for (int i = 0; i < q->order_count; i++) {
        bool known = is_input_column(q->rel, q->order[i].expr);
        for (int c = 0; c < computed.count && !known; c++) known = expr_equal(computed.items[c], q->order[i].expr);
        if (!known) VEC_PUSH(binder->arena, computed, q->order[i].expr);
    }
    if (computed.count == 0) return;
    ColId *ids = ARENA_ARRAY(binder->arena, ColId, computed.count);
    pass_and_compute(binder, &q->rel, &computed, ids);
    Computed c = {&computed, ids, q->rel};
    for (int i = 0; i < q->order_count; i++)
        q->order[i].expr = expr_replace(binder->arena, q->order[i].expr, use_computed, &c);
    for (int i = 0; i < q->targets.count; i++)
        q->targets.items[i].expr = expr_replace(binder->arena, q->targets.items[i].expr, use_computed, &c);
}

static Status finish_late(Binder *binder, Query *q)
{
    const AstSelect *select = q->select;
    compute_keys(binder, q);
    add_sort(binder, &q->rel, q->order, q->order_count);
    TRY(bind_locks(binder, q->select, &q->rel));
    TRY(bind_limit(binder, select->limit, select->offset, select->with_ties, &q->rel));
    q->rel = &bind_project(binder, q->rel, &q->targets)->base;
    return ST_OK;
}

/* The target with this expression; one is added behind the others if there is none. */
static int target_of(Binder *binder, Query *q, Expr *e)
{
    for (int i = 0; i < q->targets.count; i++)
        if (expr_equal(q->targets.items[i].expr, e)) return i;
    Target target = {.name = expr_text(e, binder->arena), .expr = e, .position = e->position};
    VEC_PUSH(binder->arena, q->targets, target);
    return q->targets.count - 1;
}

static Expr *target_column(Binder *binder, const Rel *rel, int target)
{
    return rel_column_expr(binder->arena, &rel->columns[target]);
}

static void add_distinct(Binder *binder, Query *q, const int *on)
{
    if (!q->select->distinct) return;
    RelDistinct *node = rel_new_over(binder->arena, REL_DISTINCT, sizeof *node, q->rel);
    if (q->on_count) {
        node->on = ARENA_ARRAY(binder->arena, Expr *, q->on_count);
        node->on_count = q->on_count;
        for (int i = 0; i < q->on_count; i++) node->on[i] = target_column(binder, q->rel, on[i]);
    }
    q->rel = &node->base;
}

/* Drops the columns that only ORDER BY and DISTINCT ON wanted. */
static void strip(Binder *binder, Query *q, int wanted)
{
    if (q->rel->column_count == wanted) return;
    RelProject *project = rel_new_over(binder->arena, REL_PROJECT, sizeof *project, q->rel);
    project->base.column_count = wanted;
    project->exprs = ARENA_ARRAY(binder->arena, Expr *, wanted);
    for (int i = 0; i < wanted; i++) project->exprs[i] = rel_column_expr(binder->arena, &q->rel->columns[i]);
    q->rel = &project->base;
}

static Status finish_early(Binder *binder, Query *q)
{
    const AstSelect *select = q->select;
    int wanted = q->targets.count;
    int *on = ARENA_ARRAY(binder->arena, int, q->on_count);
    int *order = ARENA_ARRAY(binder->arena, int, q->order_count);
    for (int i = 0; i < q->on_count; i++) on[i] = target_of(binder, q, q->on[i]);
    for (int i = 0; i < q->order_count; i++) order[i] = target_of(binder, q, q->order[i].expr);
    q->rel = &bind_project(binder, q->rel, &q->targets)->base;
    for (int i = 0; i < q->order_count; i++) q->order[i].expr = target_column(binder, q->rel, order[i]);
    TRY(bind_locks(binder, q->select, &q->rel));
    if (q->on_count == 0) add_distinct(binder, q, on);
    add_sort(binder, &q->rel, q->order, q->order_count);
    if (q->on_count) add_distinct(binder, q, on); /* the first row of each, in that order */
    TRY(bind_limit(binder, select->limit, select->offset, select->with_ties, &q->rel));
    strip(binder, q, wanted);
    return ST_OK;
}

static Status bind_plain(Binder *binder, const AstSelect *select, bool settle, Rel **out)
{
    if (select->into) {
        (void)err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR, "SELECT ... INTO is not allowed here");
        return err_at(binder->err, select->into->position);
    }
    Query q = {.select = select};
    Scope *scope = scope_push(binder);
    scope->block = ARENA_NEW(binder->arena, Block);
    scope->block->select = select;
    if (select->as_of) return err_unsupported(binder->err, binder->arena, "AS OF SYSTEM TIME");
    TRY(bind_clauses(binder, &q, settle));
    TRY(add_grouping(binder, &q));
    add_windows(binder, &q);
    bind_set_calls(binder, &q.rel, false);
    if (select->with_ties && q.order_count == 0)
        return err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR,
                       "WITH TIES cannot be specified without ORDER BY clause");
    if (select->distinct || scope->block->set_calls.count)
        TRY(finish_early(binder, &q));
    else
        TRY(finish_late(binder, &q));
    *out = q.rel;
    return ST_OK;
}

/* ---- entry ---- */

static Status bind_body(Binder *binder, const AstSelect *select, bool settle, Rel **out)
{
    if (select->op != AST_SET_OP_NONE) return bind_set_op(binder, select, out);
    if (select->is_values) return bind_values(binder, select, out);
    return bind_plain(binder, select, settle, out);
}

static Status bind_whole(Binder *binder, const AstSelect *select, bool settle, Rel **out)
{
    Scope *outer = binder->scope, *with_scope = NULL;
    BindClause clause = binder->clause;
    if (++binder->depth > QUERY_DEPTH_MAX)
        return err_set(binder->err, binder->arena, ERR_STATEMENT_TOO_COMPLEX, "stack depth limit exceeded");
    select = bind_locks_from_above(binder, select);
    if (select->with) {
        TRY(bind_with(binder, select->with));
        with_scope = binder->scope;
    }
    TRY(bind_body(binder, select, settle, out));
    if (with_scope) *out = bind_with_finish(binder, with_scope, *out);
    binder->depth--;
    binder->scope = outer;
    binder->clause = clause;
    return ST_OK;
}

Status bind_select(Binder *binder, const AstSelect *select, Rel **out)
{
    if (select->is_values && binder->clause == CLAUSE_INSERT) binder->clause = CLAUSE_SELECT;
    return bind_whole(binder, select, true, out);
}

Status bind_select_unsettled(Binder *binder, const AstSelect *select, Rel **out)
{
    return bind_whole(binder, select, false, out);
}

Status bind_query_stmt(Binder *binder, const AstStmt *stmt, Rel **out)
{
    if (stmt->kind == AST_SELECT) return bind_select(binder, (const AstSelect *)stmt, out);
    if (stmt->kind == AST_INSERT) return bind_insert(binder, (const AstInsert *)stmt, out);
    if (stmt->kind == AST_UPDATE) return bind_update(binder, (const AstUpdate *)stmt, out);
    if (stmt->kind == AST_DELETE) return bind_delete(binder, (const AstDelete *)stmt, out);
    return err_unsupported(binder->err, binder->arena, ast_stmt_tag(stmt));
}

Status bind_query_text(Binder *binder, const char *text, Rel **out)
{
    AstStmt *stmt;
    const char *rest = text;
    Scope *scope = binder->scope;
    BindClause clause = binder->clause;
    TRY(parse_next(text, &rest, &stmt, binder->arena, binder->err));
    binder->scope = NULL;
    binder->clause = CLAUSE_SELECT;
    Status status = bind_query_stmt(binder, stmt, out);
    binder->scope = scope;
    binder->clause = clause;
    if (status != ST_OK) binder->err->position = 0; /* of the stored text, not of the statement */
    return status;
}
