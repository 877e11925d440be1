/* path_filter.c - filters and projections: conjuncts go to where they can narrow a scan, columns to where they are made. */
#include "planner/paths/path.h"

/* A filter that stays where it is. Its input may deliver more rows than the parent will read. */
static Status filter_above(Paths *p, Rel *rel, Expr **conjuncts, int count, const Wanted *wanted, Plan **plan)
{
    Wanted needs = path_wanted_copy(p, wanted);
    for (int i = 0; i < count; i++) path_need(p, &needs, conjuncts[i]);
    if (count) needs.limit = NULL;
    if (count) needs.rows = wanted->rows * 3;
    TRY(path_rel(p, rel, &needs, plan));
    *plan = path_make_filter(p, *plan, conjuncts, count);
    return ST_OK;
}

Status path_filtered(Paths *p, Rel *rel, Expr **conjuncts, int count, const Wanted *wanted, Plan **plan)
{
    switch (rel->kind) {
    case REL_TABLE: return path_table(p, (RelTable *)rel, conjuncts, count, wanted, plan);
    case REL_SYSTEM: return path_system(p, (RelSystem *)rel, conjuncts, count, wanted, plan);
    case REL_JOIN: return path_join(p, rel, conjuncts, count, wanted, plan);
    case REL_WINDOW: return path_window(p, (RelWindow *)rel, conjuncts, count, wanted, plan);
    case REL_FILTER: {
        ExprVec all = {0};
        for (int i = 0; i < count; i++) VEC_PUSH(p->arena, all, conjuncts[i]);
        path_split_condition(p, ((RelFilter *)rel)->condition, &all);
        return path_filtered(p, rel->inputs[0], all.items, all.count, wanted, plan);
    }
    case REL_FUNCTION:
    case REL_VALUES:
    case REL_PROJECT:
    case REL_PROJECT_SET:
    case REL_AGGREGATE:
    case REL_DISTINCT:
    case REL_SORT:
    case REL_LIMIT:
    case REL_SET_OP:
    case REL_CTE:
    case REL_WITH:
    case REL_WORKING_TABLE:
    case REL_LOCK:
    case REL_INSERT:
    case REL_UPDATE:
    case REL_DELETE:
    case REL_STATEMENT_ROWS: return filter_above(p, rel, conjuncts, count, wanted, plan);
    }
    return filter_above(p, rel, conjuncts, count, wanted, plan);
}

Status path_filter(Paths *p, RelFilter *rel, const Wanted *wanted, Plan **plan)
{
    return path_filtered(p, &rel->base, NULL, 0, wanted, plan);
}

/* ---- projections ---- */

static Expr *projected(const RelProject *rel, ColId column)
{
    for (int i = 0; i < rel->base.column_count; i++)
        if (rel->base.columns[i].id == column) return rel->exprs[i];
    return NULL;
}

/* The wanted order in terms of the input's columns; false if some key is computed here. */
static bool order_below(Paths *p, const RelProject *rel, const Wanted *wanted, Wanted *below)
{
    SortKey *keys = ARENA_ARRAY(p->arena, SortKey, wanted->order_count + 1);
    for (int i = 0; i < wanted->order_count; i++) {
        Expr *e = projected(rel, ((const ExprColumn *)wanted->order[i].expr)->column);
        if (!e || e->kind != EXPR_COLUMN) return false;
        keys[i] = wanted->order[i];
        keys[i].expr = e;
    }
    below->order = keys;
    below->order_count = wanted->order_count;
    return true;
}

/* The columns that one row each is wanted of, as the input's; not passed on if some are computed here. */
static void distinct_below(Paths *p, const RelProject *rel, const Wanted *wanted, Wanted *below)
{
    ColId *columns = ARENA_ARRAY(p->arena, ColId, wanted->distinct_count + 1);
    SortKey *first = ARENA_ARRAY(p->arena, SortKey, wanted->first_count + 1);
    for (int i = 0; i < wanted->distinct_count; i++) {
        const Expr *e = projected(rel, wanted->distinct[i]);
        if (!e || e->kind != EXPR_COLUMN) return;
        columns[i] = ((const ExprColumn *)e)->column;
    }
    for (int i = 0; i < wanted->first_count; i++) {
        Expr *e = projected(rel, ((const ExprColumn *)wanted->first[i].expr)->column);
        if (!e || e->kind != EXPR_COLUMN) return;
        first[i] = wanted->first[i];
        first[i].expr = e;
    }
    below->distinct = columns;
    below->distinct_count = wanted->distinct_count;
    below->distinct_on = wanted->distinct_on;
    below->distinct_rows = wanted->distinct_rows;
    below->distinct_each = wanted->distinct_each;
    below->first = first;
    below->first_count = wanted->first_count;
}

static bool is_passed_through(const RelProject *rel, int i)
{
    const Expr *e = rel->exprs[i];
    return e->kind == EXPR_COLUMN && ((const ExprColumn *)e)->column == rel->base.columns[i].id;
}

/* SELECT without FROM: the expressions are the row. */
static bool is_one_empty_row(const Rel *rel)
{
    return rel->kind == REL_VALUES && rel->column_count == 0 && ((const RelValues *)rel)->row_count == 1;
}

static Status project_row(Paths *p, RelProject *rel, Plan **plan)
{
    PlanValues *values = path_new(p, PLAN_VALUES, sizeof *values);
    path_set_columns(p, &values->base, rel->base.columns, rel->base.column_count);
    values->rows = ARENA_ARRAY(p->arena, Expr **, 1);
    values->rows[0] = rel->exprs;
    values->row_count = 1;
    values->base.rows_estimated = 1;
    values->base.estimate_known = true;
    *plan = &values->base;
    return ST_OK;
}

/* Key bytes that a change or lock above asks for are no columns of any relation: they pass through. */
static void pass_key_bytes(Paths *p, const Plan *input, const Wanted *wanted, PlanProject *project)
{
    for (int i = 0; i < p->sources.count; i++) {
        ColId id = p->sources.items[i]->key_bytes;
        int at = id && colset_has(&wanted->columns, id) ? path_column_index(input, id) : -1;
        if (at < 0) continue;
        project->exprs[project->base.column_count] = expr_column(p->arena, id, input->types[at], input->names[at]);
        path_add_column(p, &project->base, id, input->types[at], input->names[at]);
    }
}

static void need_key_bytes(Paths *p, const Wanted *wanted, Wanted *below)
{
    for (int i = 0; i < p->sources.count; i++) {
        ColId id = p->sources.items[i]->key_bytes;
        if (id && colset_has(&wanted->columns, id)) colset_add(&below->columns, p->arena, id);
    }
}

Status path_project(Paths *p, RelProject *rel, const Wanted *wanted, Plan **plan)
{
    if (is_one_empty_row(rel->base.inputs[0])) return project_row(p, rel, plan);
    Wanted below = {.limit = wanted->limit, .rows = wanted->rows};
    bool computes = false;
    for (int i = 0; i < rel->base.column_count; i++) {
        if (!colset_has(&wanted->columns, rel->base.columns[i].id)) continue;
        path_need(p, &below, rel->exprs[i]);
        computes = computes || !is_passed_through(rel, i);
    }
    need_key_bytes(p, wanted, &below);
    bool mapped = order_below(p, rel, wanted, &below);
    if (!mapped && wanted->order_count) below.limit = NULL;
    if (!mapped && wanted->order_count) below.rows = 0;
    distinct_below(p, rel, wanted, &below);
    Plan *input;
    TRY(path_rel(p, rel->base.inputs[0], &below, &input));
    bool ordered = mapped && path_order_holds(input, below.order, below.order_count);
    *plan = input;
    if (!computes) return ST_OK;
    PlanProject *project = path_new_over(p, PLAN_PROJECT, sizeof *project, input);
    project->base.column_count = 0;
    project->exprs = ARENA_ARRAY(p->arena, Expr *, rel->base.column_count + p->sources.count);
    RelColumn *kept = ARENA_ARRAY(p->arena, RelColumn, rel->base.column_count);
    int count = 0;
    for (int i = 0; i < rel->base.column_count; i++) {
        if (!colset_has(&wanted->columns, rel->base.columns[i].id)) continue;
        project->exprs[count] = rel->exprs[i];
        kept[count++] = rel->base.columns[i];
    }
    path_set_columns(p, &project->base, kept, count);
    pass_key_bytes(p, input, wanted, project);
    project->base.cost += input->rows_estimated * COST_OUTPUT;
    if (ordered) path_set_order(&project->base, wanted->order, wanted->order_count);
    *plan = &project->base;
    return ST_OK;
}

Status path_project_set(Paths *p, RelProjectSet *rel, const Wanted *wanted, Plan **plan)
{
    Wanted below = path_wanted_columns(p, &wanted->columns);
    for (int i = 0; i < rel->call_count; i++) path_need(p, &below, rel->calls[i]);
    Plan *input;
    TRY(path_rel(p, rel->base.inputs[0], &below, &input));
    PlanProjectSet *set = path_new_over(p, PLAN_PROJECT_SET, sizeof *set, input);
    set->calls = rel->calls;
    set->call_count = rel->call_count;
    for (int i = 0; i < rel->call_count; i++) {
        const RelColumn *column = &rel->base.columns[rel->base.column_count - rel->call_count + i];
        path_add_column(p, &set->base, column->id, column->type, column->name);
    }
    set->base.rows_estimated *= 10;
    set->base.cost += set->base.rows_estimated * COST_OUTPUT;
    *plan = &set->base;
    return ST_OK;
}
