/* paths.c - the entry, subqueries first, and the dispatch over kinds of relations. */
#include "planner/paths/paths.h"

#include "planner/paths/path.h"

enum { DEPTH_MAX = 500 };

Wanted path_wanted_columns(Paths *p, const ColSet *columns)
{
    Wanted wanted = {0};
    colset_union(&wanted.columns, p->arena, columns);
    return wanted;
}

Wanted path_wanted_copy(Paths *p, const Wanted *wanted)
{
    Wanted copy = *wanted;
    copy.columns = (ColSet){0};
    copy.distinct_count = copy.first_count = 0;
    copy.distinct_on = false;
    copy.distinct_rows = 0;
    copy.distinct_each = NULL;
    colset_union(&copy.columns, p->arena, &wanted->columns);
    return copy;
}

bool path_setting(const Paths *p, SettingId id)
{
    return !p->session || !p->session->settings || setting_bool(p->session->settings, id);
}

Status path_source(Paths *p, const RelTable *rel, Source **source)
{
    for (int i = 0; i < p->sources.count; i++) {
        *source = p->sources.items[i];
        if ((*source)->rel == rel) return ST_OK;
    }
    TRY(source_create(p->session, rel, source, p->arena, p->err));
    VEC_PUSH(p->arena, p->sources, *source);
    return ST_OK;
}

/* ---- dispatch ---- */

static Status statement_rows(Paths *p, const RelStatementRows *rel, Plan **plan)
{
    *plan = rel->statement;
    return ST_OK;
}

Status path_dispatch(Paths *p, Rel *rel, const Wanted *wanted, Plan **plan)
{
    switch (rel->kind) {
    case REL_TABLE:
    case REL_SYSTEM:
    case REL_JOIN: return path_filtered(p, rel, NULL, 0, wanted, plan);
    case REL_FUNCTION: return path_function(p, (RelFunction *)rel, plan);
    case REL_VALUES: return path_values(p, (RelValues *)rel, plan);
    case REL_FILTER: return path_filter(p, (RelFilter *)rel, wanted, plan);
    case REL_PROJECT: return path_project(p, (RelProject *)rel, wanted, plan);
    case REL_PROJECT_SET: return path_project_set(p, (RelProjectSet *)rel, wanted, plan);
    case REL_AGGREGATE: return path_aggregate(p, (RelAggregate *)rel, wanted, plan);
    case REL_WINDOW: return path_window(p, (RelWindow *)rel, NULL, 0, wanted, plan);
    case REL_DISTINCT: return path_distinct(p, (RelDistinct *)rel, wanted, plan);
    case REL_SORT: return path_sort(p, (RelSort *)rel, wanted, plan);
    case REL_LIMIT: return path_limit(p, (RelLimit *)rel, wanted, plan);
    case REL_SET_OP: return path_set_op(p, (RelSetOp *)rel, wanted, plan);
    case REL_CTE:
    case REL_WORKING_TABLE: return path_cte(p, (RelCte *)rel, plan);
    case REL_WITH: return path_with(p, (RelWith *)rel, wanted, plan);
    case REL_LOCK: return path_lock(p, (RelLock *)rel, wanted, plan);
    case REL_INSERT: return path_insert(p, (RelInsert *)rel, plan);
    case REL_UPDATE: return path_update(p, (RelUpdate *)rel, plan);
    case REL_DELETE: return path_delete(p, (RelDelete *)rel, plan);
    case REL_STATEMENT_ROWS: return statement_rows(p, (RelStatementRows *)rel, plan);
    }
    return err_unsupported(p->err, p->arena, rel_kind_name(rel->kind));
}

Status path_rel(Paths *p, Rel *rel, const Wanted *wanted, Plan **plan)
{
    if (p->depth >= DEPTH_MAX)
        return err_set(p->err, p->arena, ERR_STATEMENT_TOO_COMPLEX, "stack depth limit exceeded");
    p->depth++;
    Status st = path_dispatch(p, rel, wanted, plan);
    if (st == ST_OK) st = path_indexed_expr(p, rel, wanted, plan);
    p->depth--;
    return st;
}

Status path_rel_shaped(Paths *p, Rel *rel, Wanted wanted, Plan **plan)
{
    wanted = path_wanted_copy(p, &wanted);
    for (int i = 0; i < rel->column_count; i++) colset_add(&wanted.columns, p->arena, rel->columns[i].id);
    TRY(path_rel(p, rel, &wanted, plan));
    if (rel->kind != REL_STATEMENT_ROWS) *plan = path_shape(p, *plan, rel->columns, rel->column_count);
    return ST_OK;
}

/* ---- subqueries: planned before what they stand in, innermost first ---- */

typedef struct Preparation {
    Paths *p;
    Status status;
} Preparation;

static void prepare_rel(Rel **slot, void *argument);

static Status plan_subquery(Paths *p, ExprSubquery *sub)
{
    if (sub->plan) return ST_OK;
    Preparation inner = {p, ST_OK};
    prepare_rel(&sub->rel, &inner);
    TRY(inner.status);
    sub->outer_count = rel_outer_columns(sub->rel, &sub->outer, p->arena);
    Wanted wanted = {0};
    if (sub->sub_kind == SUBQUERY_EXISTS) wanted.rows = 1;
    TRY(path_rel_shaped(p, sub->rel, wanted, &sub->plan));
    return path_answers(p, sub);
}

static bool prepare_node(const Expr *e, void *argument)
{
    Preparation *preparation = argument;
    if (e->kind != EXPR_SUBQUERY || preparation->status != ST_OK) return preparation->status == ST_OK;
    union {
        const Expr *in;
        ExprSubquery *out;
    } node = {e};
    preparation->status = plan_subquery(preparation->p, node.out);
    return true;
}

static void prepare_expr(Expr **slot, void *argument)
{
    expr_walk(*slot, prepare_node, argument);
}

static void prepare_rel(Rel **slot, void *argument)
{
    Preparation *preparation = argument;
    if (preparation->status != ST_OK) return;
    rel_each_input(*slot, prepare_rel, argument);
    rel_each_expr(*slot, prepare_expr, argument);
}

/* ---- fresh column ids ---- */

static void raise_to(Paths *p, const RelColumn *columns, int count)
{
    for (int i = 0; columns && i < count; i++)
        if (columns[i].id >= p->next_column) p->next_column = columns[i].id + 1;
}

static void raise_rel(Rel **slot, void *argument);

static bool raise_node(const Expr *e, void *argument)
{
    Paths *p = argument;
    if (e->kind == EXPR_COLUMN && ((const ExprColumn *)e)->column >= p->next_column)
        p->next_column = ((const ExprColumn *)e)->column + 1;
    if (e->kind == EXPR_SUBQUERY) {
        Rel *rel = ((const ExprSubquery *)e)->rel;
        raise_rel(&rel, p);
    }
    return true;
}

static void raise_expr(Expr **slot, void *argument)
{
    expr_walk(*slot, raise_node, argument);
}

static void raise_rel(Rel **slot, void *argument)
{
    Paths *p = argument;
    Rel *rel = *slot;
    raise_to(p, rel->columns, rel->column_count);
    if (rel->kind == REL_INSERT) {
        RelInsert *insert = (RelInsert *)rel;
        raise_to(p, insert->target.row, insert->target.table->columns.count);
        raise_to(p, insert->existing, insert->target.table->columns.count);
    }
    if (rel->kind == REL_UPDATE)
        raise_to(p, ((RelUpdate *)rel)->target.row, ((RelUpdate *)rel)->target.table->columns.count);
    if (rel->kind == REL_DELETE)
        raise_to(p, ((RelDelete *)rel)->target.row, ((RelDelete *)rel)->target.table->columns.count);
    rel_each_expr(rel, raise_expr, p);
    rel_each_input(rel, raise_rel, p);
}

/* ---- numbers ---- */

static void number_plan(Plan *plan, int *next);

static bool number_node(const Expr *e, void *argument)
{
    if (e->kind == EXPR_SUBQUERY && ((const ExprSubquery *)e)->plan)
        number_plan(((const ExprSubquery *)e)->plan, argument);
    if (e->kind == EXPR_SUBQUERY && ((const ExprSubquery *)e)->answers)
        number_plan(((const ExprSubquery *)e)->answers, argument);
    return true;
}

static void number_slot(Expr **slot, void *argument)
{
    if (*slot) expr_walk(*slot, number_node, argument);
}

static void number_plan(Plan *plan, int *next)
{
    plan->number = (*next)++;
    for (int i = 0; i < plan->input_count; i++) number_plan(plan->inputs[i], next);
    if (plan->kind == PLAN_WITH) {
        PlanWith *with = (PlanWith *)plan;
        for (int i = 0; i < with->cte_count; i++) number_plan(with->plans[i], next);
    }
    plan_each_expr(plan, number_slot, next);
}

int paths_plan_count(const Plan *plan)
{
    union {
        const Plan *in;
        Plan *out;
    } tree = {plan};
    int next = 0;
    number_plan(tree.out, &next);
    return next;
}

Status paths_plan(Session *session, Rel *rel, Plan **plan, Arena *arena, Error *err)
{
    Paths p = {.session = session, .arena = arena, .err = err, .next_column = 1};
    raise_rel(&rel, &p);
    Preparation preparation = {&p, ST_OK};
    prepare_rel(&rel, &preparation);
    TRY(preparation.status);
    TRY(path_rel_shaped(&p, rel, (Wanted){0}, plan));
    paths_plan_count(*plan);
    return ST_OK;
}
