/* path_make.c - plan nodes: made, given columns, put on top of each other. */
#include "planner/paths/path.h"

#include <assert.h>
#include <math.h>

void *path_new(Paths *p, PlanKind kind, size_t size)
{
    Plan *plan = arena_alloc(p->arena, size);
    plan->kind = kind;
    return plan;
}

void *path_new_over(Paths *p, PlanKind kind, size_t size, Plan *input)
{
    Plan *plan = path_new(p, kind, size);
    plan->inputs = ARENA_ARRAY(p->arena, Plan *, 1);
    plan->inputs[0] = input;
    plan->input_count = 1;
    plan->rows_estimated = input->rows_estimated;
    plan->cost = input->cost;
    plan->estimate_known = input->estimate_known;
    plan->columns = input->columns;
    plan->types = input->types;
    plan->names = input->names;
    plan->column_count = input->column_count;
    path_set_order(plan, input->order, input->order_count);
    return plan;
}

static void reserve_columns(Paths *p, Plan *plan, int count)
{
    ColId *columns = ARENA_ARRAY(p->arena, ColId, count + 1);
    TypeRef *types = ARENA_ARRAY(p->arena, TypeRef, count + 1);
    const char **names = ARENA_ARRAY(p->arena, const char *, count + 1);
    if (plan->column_count) {
        memcpy(columns, plan->columns, sizeof *columns * (size_t)plan->column_count);
        memcpy(types, plan->types, sizeof *types * (size_t)plan->column_count);
        memcpy(names, plan->names, sizeof *names * (size_t)plan->column_count);
    }
    plan->columns = columns;
    plan->types = types;
    plan->names = names;
}

void path_set_columns(Paths *p, Plan *plan, const RelColumn *columns, int count)
{
    plan->column_count = 0;
    reserve_columns(p, plan, count);
    for (int i = 0; i < count; i++) {
        plan->columns[i] = columns[i].id;
        plan->types[i] = columns[i].type;
        plan->names[i] = columns[i].name;
    }
    plan->column_count = count;
}

void path_append_columns(Paths *p, Plan *plan, const Plan *more)
{
    int before = plan->column_count;
    reserve_columns(p, plan, before + more->column_count);
    for (int i = 0; i < more->column_count; i++) {
        plan->columns[before + i] = more->columns[i];
        plan->types[before + i] = more->types[i];
        plan->names[before + i] = more->names[i];
    }
    plan->column_count = before + more->column_count;
}

void path_add_column(Paths *p, Plan *plan, ColId id, TypeRef type, const char *name)
{
    reserve_columns(p, plan, plan->column_count + 1);
    plan->columns[plan->column_count] = id;
    plan->types[plan->column_count] = type;
    plan->names[plan->column_count++] = name;
}

int path_column_index(const Plan *plan, ColId id)
{
    for (int i = 0; i < plan->column_count; i++)
        if (plan->columns[i] == id) return i;
    return -1;
}

ColId path_new_column(Paths *p)
{
    return p->next_column++;
}

Plan *path_make_filter(Paths *p, Plan *input, Expr **conjuncts, int count)
{
    Expr *condition = expr_and(p->arena, conjuncts, count);
    if (count == 0 || expr_is_true(condition)) return input;
    PlanFilter *filter = path_new_over(p, PLAN_FILTER, sizeof *filter, input);
    filter->condition = condition;
    for (int i = 0; i < count; i++) filter->base.rows_estimated *= selectivity_guess(conjuncts[i]);
    if (input->rows_estimated >= 1) filter->base.rows_estimated = fmax(filter->base.rows_estimated, 1);
    filter->base.cost += input->rows_estimated * COST_FILTER * count;
    return &filter->base;
}

static Expr *input_column(Paths *p, const Plan *input, int i)
{
    return expr_column(p->arena, input->columns[i], input->types[i], input->names[i]);
}

Plan *path_shape(Paths *p, Plan *plan, const RelColumn *columns, int count)
{
    bool same = plan->column_count == count;
    for (int i = 0; same && i < count; i++) same = plan->columns[i] == columns[i].id;
    if (same) return plan;
    PlanProject *project = path_new_over(p, PLAN_PROJECT, sizeof *project, plan);
    path_set_columns(p, &project->base, columns, count);
    project->exprs = ARENA_ARRAY(p->arena, Expr *, count);
    for (int i = 0; i < count; i++) {
        int at = path_column_index(plan, columns[i].id);
        /* A column nobody has asked for by its id: what is not read is NULL. */
        project->exprs[i] = at < 0 ? expr_null(p->arena, columns[i].type) : input_column(p, plan, at);
    }
    project->base.cost += plan->rows_estimated * COST_OUTPUT;
    return &project->base;
}

Plan *path_shape_like(Paths *p, Plan *plan, const Plan *like)
{
    RelColumn *columns = ARENA_ARRAY(p->arena, RelColumn, like->column_count + 1);
    for (int i = 0; i < like->column_count; i++)
        columns[i] = (RelColumn){.id = like->columns[i], .type = like->types[i], .name = like->names[i]};
    return path_shape(p, plan, columns, like->column_count);
}

Plan *path_extend(Paths *p, Plan *input, Expr **exprs, const ColId *ids, int count)
{
    if (count == 0) return input;
    PlanProject *project = path_new_over(p, PLAN_PROJECT, sizeof *project, input);
    project->exprs = ARENA_ARRAY(p->arena, Expr *, input->column_count + count);
    for (int i = 0; i < input->column_count; i++) project->exprs[i] = input_column(p, input, i);
    for (int i = 0; i < count; i++) {
        project->exprs[input->column_count + i] = exprs[i];
        path_add_column(p, &project->base, ids[i], exprs[i]->type, expr_text(exprs[i], p->arena));
    }
    project->base.cost += input->rows_estimated * COST_OUTPUT;
    return &project->base;
}

ColId path_as_column(Paths *p, Extension *extension, Expr *e)
{
    if (e->kind == EXPR_COLUMN) return ((const ExprColumn *)e)->column;
    for (int i = 0; i < extension->exprs.count; i++)
        if (expr_equal(extension->exprs.items[i], e) && expr_volatility(e) != VOLATILITY_VOLATILE)
            return extension->ids.items[i];
    ColId id = path_new_column(p);
    VEC_PUSH(p->arena, extension->exprs, e);
    VEC_PUSH(p->arena, extension->ids, id);
    return id;
}

static double column_distinct(const Paths *p, ColId column, double otherwise)
{
    for (int i = 0; i < p->sources.count; i++) {
        const Source *source = p->sources.items[i];
        for (int o = 0; o < source->table->columns.count; o++)
            if (source->spans.columns[o] == column)
                return source_distinct_known(source, o) ? source_distinct(source, o) : otherwise;
    }
    return otherwise;
}

double path_distinct_count(const Paths *p, const ColId *columns, int count, double rows)
{
    double product = 1;
    for (int i = 0; i < count; i++) product *= column_distinct(p, columns[i], fmax(rows / 10, 1));
    return fmax(1, fmin(product, rows));
}

double path_sort_cost(const Paths *p, double rows, double limit)
{
    return cost_sort(rows, limit) + (path_setting(p, SETTING_enable_sort) ? 0 : COST_DISABLED);
}

Plan *path_make_sort(Paths *p, Plan *input, const SortKey *keys, int count, Expr *k, double rows)
{
    if (path_order_holds(input, keys, count)) return input;
    PlanSort *sort = path_new_over(p, k ? PLAN_TOP_K : PLAN_SORT, sizeof *sort, input);
    sort->keys = arena_copy(p->arena, keys, sizeof *keys * (size_t)count);
    sort->key_count = count;
    sort->keys_already_ordered = path_order_prefix(input, keys, count);
    sort->k = k;
    if (k && rows > 0 && rows < input->rows_estimated) sort->base.rows_estimated = rows;
    bool stops_early = sort->keys_already_ordered && k && rows > 0;
    double sorted = stops_early ? fmin(input->rows_estimated, 10 * rows) : input->rows_estimated;
    sort->base.cost += path_sort_cost(p, sorted, k ? rows : 0);
    path_set_order(&sort->base, sort->keys, count);
    return &sort->base;
}
