/* path_aggregate.c - GROUP BY and aggregates: by hash, streaming where the input comes grouped, min and max by an index. */
#include "planner/paths/path_join.h"

#include <math.h>

/* ---- min(x), max(x): the first row of an order ---- */

/* Min or max of a plain column: *descending says which. */
static bool is_extreme(const ExprAggregate *aggregate, bool *descending)
{
    if (aggregate->filter || aggregate->order_count || aggregate->base.arg_count != 1) return false;
    if (aggregate->base.args[0]->kind != EXPR_COLUMN) return false;
    *descending = strcmp(aggregate->aggregate->name, "max") == 0;
    return *descending || strcmp(aggregate->aggregate->name, "min") == 0;
}

static bool is_below_filters(const Rel *rel, RelKind kind)
{
    while (rel->kind == REL_FILTER) rel = rel->inputs[0];
    return rel->kind == kind;
}

/* The row with the least (greatest) value: NULLs do not count, and one row is enough if it comes first. */
static Status plan_extreme(Paths *p, RelAggregate *rel, bool descending, Wanted *below, Plan **input)
{
    Expr *column = rel->aggregates[0]->base.args[0];
    SortKey *key = ARENA_NEW(p->arena, SortKey);
    *key = (SortKey){.expr = column, .descending = descending, .nulls_first = descending};
    below->order = key;
    below->order_count = 1;
    below->limit = expr_const(p->arena, (TypeRef){OID_INT8, -1}, value_int(1));
    below->rows = 1;
    Expr **conjuncts = ARENA_ARRAY(p->arena, Expr *, 1);
    conjuncts[0] = expr_is_null(p->arena, column, true);
    TRY(path_filtered(p, rel->base.inputs[0], conjuncts, 1, below, input));
    if (!path_order_holds(*input, key, 1)) return ST_OK;
    PlanLimit *limit = path_new_over(p, PLAN_LIMIT, sizeof *limit, *input);
    limit->limit = below->limit;
    limit->base.rows_estimated = 1;
    *input = &limit->base;
    return ST_OK;
}

static Status plan_one_extreme(Paths *p, RelAggregate *rel, int i, Plan **plan)
{
    RelAggregate *one = arena_copy(p->arena, rel, sizeof *rel);
    one->aggregates = rel->aggregates + i;
    one->aggregate_count = 1;
    one->base.columns = rel->base.columns + i;
    one->base.column_count = 1;
    return path_aggregate(p, one, &(Wanted){0}, plan);
}

/* min(a), max(a): each by its own end of an index, side by side, if that beats reading all rows. *plan NULL: it does not. */
static Status plan_extremes(Paths *p, RelAggregate *rel, double cost, Plan **plan)
{
    Plan *joined = NULL;
    bool descending;
    *plan = NULL;
    if (rel->key_count || rel->grouping_sets || rel->aggregate_count < 2 || rel->aggregate_count > 4) return ST_OK;
    if (!is_below_filters(rel->base.inputs[0], REL_TABLE) || rel_volatility(rel->base.inputs[0]) == VOLATILITY_VOLATILE)
        return ST_OK;
    for (int i = 0; i < rel->aggregate_count; i++)
        if (!is_extreme(rel->aggregates[i], &descending)) return ST_OK;
    for (int i = 0; i < rel->aggregate_count; i++) {
        Plan *one;
        JoinSpec spec = {.join = JOIN_INNER, .rows = 1};
        TRY(plan_one_extreme(p, rel, i, &one));
        if (joined) TRY(path_join_plans(p, joined, one, &spec, &joined));
        if (!joined) joined = one;
    }
    if (joined->cost < cost) *plan = joined;
    return ST_OK;
}

/* ---- groups ---- */

static void need_aggregates(Paths *p, const RelAggregate *rel, Wanted *below)
{
    for (int i = 0; i < rel->key_count; i++) path_need(p, below, rel->keys[i]);
    for (int i = 0; i < rel->aggregate_count; i++) path_need(p, below, &rel->aggregates[i]->base);
}

/* How many leading order columns are group keys. */
static int ordered_keys(const Plan *input, const ColId *keys, int count)
{
    int ordered = 0;
    for (; ordered < input->order_count && ordered < count; ordered++) {
        const Expr *e = input->order[ordered].expr;
        bool among = false;
        for (int k = 0; k < count && e->kind == EXPR_COLUMN; k++) among = among || keys[k] == ((const ExprColumn *)e)->column;
        if (!among) break;
    }
    return ordered;
}

/* The order that the group keys would be read in by an index; a hash table does as well without. */
static void ask_for_groups(Paths *p, const RelAggregate *rel, const Wanted *wanted, Wanted *below)
{
    SortKey *keys = ARENA_ARRAY(p->arena, SortKey, wanted->order_count + 1);
    if (wanted->order_count == 0 || wanted->order_count > rel->key_count || rel->grouping_sets) return;
    for (int i = 0; i < wanted->order_count; i++) {
        ColId column = ((const ExprColumn *)wanted->order[i].expr)->column;
        int at = 0;
        while (at < rel->key_count && rel->base.columns[at].id != column) at++;
        if (at == rel->key_count || rel->keys[at]->kind != EXPR_COLUMN) return;
        keys[i] = wanted->order[i];
        keys[i].expr = rel->keys[at];
    }
    below->order = keys;
    below->order_count = wanted->order_count;
}

/* count(DISTINCT x): the only argument of all aggregates; NULL: they are others. */
static const Expr *distinct_argument(const RelAggregate *rel)
{
    const Expr *argument = NULL;
    for (int i = 0; i < rel->aggregate_count; i++) {
        const ExprAggregate *a = rel->aggregates[i];
        if (!a->distinct || a->filter || a->order_count || a->base.arg_count != 1) return NULL;
        if (a->base.args[0]->kind != EXPR_COLUMN || (argument && !expr_equal(argument, a->base.args[0]))) return NULL;
        argument = a->base.args[0];
    }
    return argument;
}

/* All aggregates are min(x), or all max(x), of one column: the first row of a group by x says all. */
static const SortKey *extreme_of_groups(Paths *p, const RelAggregate *rel)
{
    SortKey *key = ARENA_NEW(p->arena, SortKey);
    for (int i = 0; i < rel->aggregate_count; i++) {
        bool descending;
        const ExprAggregate *a = rel->aggregates[i];
        if (!is_extreme(a, &descending)) return NULL;
        if (key->expr && (!expr_equal(key->expr, a->base.args[0]) || key->descending != descending)) return NULL;
        *key = (SortKey){.expr = a->base.args[0], .descending = descending, .nulls_first = descending};
    }
    return key;
}

/* Groups of which one row says all there is to know: a scan may step from one to the next. */
static void ask_for_first_rows(Paths *p, const RelAggregate *rel, Wanted *below)
{
    ColId *columns = ARENA_ARRAY(p->arena, ColId, rel->key_count + 1);
    int count = 0;
    for (int i = 0; i < rel->key_count; i++) {
        if (rel->keys[i]->kind != EXPR_COLUMN) return;
        columns[count++] = ((const ExprColumn *)rel->keys[i])->column;
    }
    const Expr *argument = rel->aggregate_count ? distinct_argument(rel) : NULL;
    const SortKey *first = argument ? NULL : extreme_of_groups(p, rel);
    if (rel->grouping_sets || (!argument && !first)) return;
    if (argument) columns[count++] = ((const ExprColumn *)argument)->column;
    below->distinct = columns;
    below->distinct_count = count;
    below->first = first;
    below->first_count = first && rel->aggregate_count ? 1 : 0;
}

Status path_aggregate(Paths *p, RelAggregate *rel, const Wanted *wanted, Plan **plan)
{
    Wanted below = {0};
    Extension extension = {0};
    Plan *input;
    bool descending;
    need_aggregates(p, rel, &below);
    bool alone = rel->key_count == 0 && !rel->grouping_sets && rel->aggregate_count == 1;
    if (alone && is_extreme(rel->aggregates[0], &descending) && is_below_filters(rel->base.inputs[0], REL_TABLE)) {
        TRY(plan_extreme(p, rel, descending, &below, &input));
    } else {
        ask_for_groups(p, rel, wanted, &below);
        ask_for_first_rows(p, rel, &below);
        TRY(path_rel(p, rel->base.inputs[0], &below, &input));
    }
    ColId *keys = ARENA_ARRAY(p->arena, ColId, rel->key_count + 1);
    for (int i = 0; i < rel->key_count; i++) keys[i] = path_as_column(p, &extension, rel->keys[i]);
    input = path_extend(p, input, extension.exprs.items, extension.ids.items, extension.exprs.count);

    PlanAggregate *group = path_new_over(p, PLAN_AGGREGATE, sizeof *group, input);
    path_set_columns(p, &group->base, rel->base.columns, rel->base.column_count);
    group->keys = keys;
    group->key_count = rel->key_count;
    group->aggregates = rel->aggregates;
    group->aggregate_count = rel->aggregate_count;
    group->grouping_sets = rel->grouping_sets;
    group->grouping_set_count = rel->grouping_set_count;
    group->grouping_calls = rel->grouping_calls;
    group->grouping_call_count = rel->grouping_call_count;
    group->scalar = rel->key_count == 0 && !rel->grouping_sets;
    group->keys_ordered = rel->grouping_sets ? 0 : ordered_keys(input, keys, rel->key_count);
    group->base.rows_estimated = rel->key_count ? path_distinct_count(p, keys, rel->key_count, input->rows_estimated) : 1;
    group->base.cost += input->rows_estimated * (group->keys_ordered == rel->key_count ? COST_OUTPUT : COST_HASH_BUILD);
    bool streaming = group->keys_ordered == rel->key_count && rel->key_count > 0;
    bool ordered = streaming && below.order_count && path_order_holds(input, below.order, below.order_count);
    path_set_order(&group->base, ordered ? wanted->order : NULL, ordered ? wanted->order_count : 0);
    TRY(plan_extremes(p, rel, group->base.cost, plan));
    if (!*plan) *plan = &group->base;
    return ST_OK;
}
