/* path_join.c - joins: inner ones are flattened into a graph, others are planned as they stand. */
#include "planner/paths/path_join.h"

#include <math.h>

/* ---- inner joins as a graph ---- */

static void add_item(JoinGraph *g, Rel *rel)
{
    JoinItem item = {.rel = rel};
    rel_column_set(rel, &item.columns, g->p->arena);
    VEC_PUSH(g->p->arena, g->items, item);
}

static bool is_plain_inner(const Rel *rel)
{
    return rel->kind == REL_JOIN && ((const RelJoin *)rel)->join == JOIN_INNER && !((const RelJoin *)rel)->lateral;
}

static void flatten(JoinGraph *g, Rel *rel, ExprVec *conjuncts)
{
    bool room = g->items.count < JOIN_ITEMS_MAX - 2;
    if (is_plain_inner(rel) && room) {
        path_split_condition(g->p, ((RelJoin *)rel)->condition, conjuncts);
        flatten(g, rel->inputs[0], conjuncts);
        flatten(g, rel->inputs[1], conjuncts);
        return;
    }
    if (rel->kind == REL_FILTER && is_plain_inner(rel->inputs[0]) && room) {
        path_split_condition(g->p, ((RelFilter *)rel)->condition, conjuncts);
        flatten(g, rel->inputs[0], conjuncts);
        return;
    }
    add_item(g, rel);
}

static uint64_t items_of(const JoinGraph *g, const Expr *e)
{
    ColSet used = {0};
    uint64_t items = 0;
    expr_columns(e, &used, g->p->arena);
    for (int i = 0; i < g->items.count; i++)
        if (colset_intersects(&used, &g->items.items[i].columns)) items |= UINT64_C(1) << i;
    return items;
}

static Status plan_item(JoinGraph *g, JoinItem *item)
{
    Wanted wanted = path_wanted_columns(g->p, &g->wanted);
    ExprVec local = {0};
    while (item->rel->kind == REL_FILTER) {
        path_split_condition(g->p, ((RelFilter *)item->rel)->condition, &local);
        item->rel = item->rel->inputs[0];
    }
    for (int i = 0; i < item->local.count; i++) VEC_PUSH(g->p->arena, local, item->local.items[i]);
    item->local = local;
    if (item->rel->kind == REL_TABLE) TRY(path_source(g->p, (RelTable *)item->rel, &item->source));
    return path_filtered(g->p, item->rel, local.items, local.count, &wanted, &item->plan);
}

/* The item that all columns of the order belong to; -1: there is none. */
static int item_of_order(const JoinGraph *g, const Wanted *wanted)
{
    for (int i = 0; i < g->items.count; i++) {
        bool all = wanted->order_count > 0;
        for (int k = 0; k < wanted->order_count; k++)
            all = all && colset_has(&g->items.items[i].columns, ((const ExprColumn *)wanted->order[k].expr)->column);
        if (all) return i;
    }
    return -1;
}

/* One item read in the wanted order and all others looked up from there need no sort, and stop early below a LIMIT. */
static Status plan_in_order(JoinGraph *g, const Wanted *wanted, Plan **plan)
{
    int first = item_of_order(g, wanted);
    if (first < 0 || g->items.count > JOIN_DP_MAX) return ST_OK;
    JoinItem *item = &g->items.items[first];
    Plan *ordered, *chain;
    Wanted in_order = path_wanted_columns(g->p, &g->wanted);
    in_order.order = wanted->order;
    in_order.order_count = wanted->order_count;
    in_order.rows = wanted->rows;
    TRY(path_filtered(g->p, item->rel, item->local.items, item->local.count, &in_order, &ordered));
    if (!path_order_holds(ordered, wanted->order, wanted->order_count)) return ST_OK;
    path_join_chain(g, first, ordered, wanted->rows, &chain);
    double sorted = (*plan)->cost + path_sort_cost(g->p, (*plan)->rows_estimated, wanted->rows);
    if (chain && chain->cost < sorted) *plan = chain;
    return ST_OK;
}

/* What the plan costs once the wanted order is made. */
static double cost_in_order(const JoinGraph *g, const Plan *plan, const Wanted *wanted)
{
    if (path_order_holds(plan, wanted->order, wanted->order_count)) return plan->cost;
    return plan->cost + path_sort_cost(g->p, plan->rows_estimated, wanted->rows);
}

/* Two tables that indexes have in the order of the key. */
static Status plan_merge(JoinGraph *g, const Wanted *wanted, Plan **plan)
{
    if (g->items.count != 2) return ST_OK;
    MergeSide sides[2];
    JoinSpec spec = {.join = JOIN_INNER, .rows = (*plan)->rows_estimated};
    ExprVec conditions = {0};
    for (int i = 0; i < 2; i++) {
        const JoinItem *item = &g->items.items[i];
        sides[i] = (MergeSide){item->rel, item->local, item->columns, item->plan};
    }
    for (int i = 0; i < g->edges.count; i++) VEC_PUSH(g->p->arena, conditions, g->edges.items[i].condition);
    spec.conditions = conditions.items;
    spec.count = conditions.count;
    Plan *merge;
    TRY(path_merge_join(g->p, sides, &spec, &g->wanted, &merge));
    if (merge && cost_in_order(g, merge, wanted) < cost_in_order(g, *plan, wanted)) *plan = merge;
    return ST_OK;
}

static Status plan_graph(Paths *p, Rel *rel, Expr **conjuncts, int count, const Wanted *wanted, Plan **plan)
{
    JoinGraph g = {.p = p};
    ExprVec all = {0}, constant = {0};
    for (int i = 0; i < count; i++) VEC_PUSH(p->arena, all, conjuncts[i]);
    flatten(&g, rel, &all);
    colset_union(&g.wanted, p->arena, &wanted->columns);
    for (int i = 0; i < all.count; i++) {
        Expr *e = all.items[i];
        uint64_t items = items_of(&g, e);
        expr_columns(e, &g.wanted, p->arena);
        if (items == 0)
            VEC_PUSH(p->arena, constant, e);
        else if ((items & (items - 1)) == 0)
            VEC_PUSH(p->arena, g.items.items[__builtin_ctzll(items)].local, e);
        else
            VEC_PUSH(p->arena, g.edges, (JoinEdge){.condition = e, .items = items});
    }
    for (int i = 0; i < g.items.count; i++) TRY(plan_item(&g, &g.items.items[i]));
    TRY(path_join_order(&g, plan));
    TRY(plan_in_order(&g, wanted, plan));
    TRY(plan_merge(&g, wanted, plan));
    *plan = path_make_filter(p, *plan, constant.items, constant.count);
    return ST_OK;
}

/* ---- lateral joins ---- */

static bool uses_columns_of(Paths *p, const Rel *right, const ColSet *left)
{
    ColId *outer;
    int count = rel_outer_columns(right, &outer, p->arena);
    for (int i = 0; i < count; i++)
        if (colset_has(left, outer[i])) return true;
    return false;
}

static double joined_rows(JoinKind join, double left, double matches)
{
    switch (join) {
    case JOIN_SEMI:
    case JOIN_ANTI: return fmax(1, left / 2);
    case JOIN_LEFT:
    case JOIN_FULL: return fmax(left, matches);
    case JOIN_INNER:
    case JOIN_RIGHT: return matches;
    }
    return matches;
}

static Plan *make_apply(Paths *p, const RelJoin *rel, Plan *left, Plan *right, const ExprVec *condition)
{
    PlanJoin *apply = path_new_over(p, PLAN_APPLY, sizeof *apply, left);
    apply->base.inputs = ARENA_ARRAY(p->arena, Plan *, 2);
    apply->base.inputs[0] = left;
    apply->base.inputs[1] = right;
    apply->base.input_count = 2;
    apply->join = rel->join;
    apply->condition = condition->count ? expr_and(p->arena, condition->items, condition->count) : NULL;
    if (rel->join != JOIN_SEMI && rel->join != JOIN_ANTI) path_append_columns(p, &apply->base, right);
    apply->base.rows_estimated = joined_rows(rel->join, left->rows_estimated, left->rows_estimated * right->rows_estimated);
    apply->base.estimate_known = left->estimate_known && right->estimate_known;
    apply->base.cost = left->cost + left->rows_estimated * right->cost;
    return &apply->base;
}

/* ---- joins that keep their sides ---- */

typedef struct Sides {
    Rel *left, *right;
    ColSet left_columns, right_columns;
    JoinKind join;
    ExprVec left_conjuncts, right_conjuncts, on, above;
    double left_read; /* rows of the left side that a look-up join will have read: not all below a LIMIT */
} Sides;

static void sort_conjuncts(Paths *p, Sides *s, const RelJoin *rel, Expr **conjuncts, int count)
{
    ExprVec on = {0};
    path_split_condition(p, rel->condition, &on);
    for (int i = 0; i < count; i++) {
        ColSet used = {0};
        expr_columns(conjuncts[i], &used, p->arena);
        bool left_only = !colset_intersects(&used, &s->right_columns);
        if (left_only && s->join != JOIN_FULL)
            VEC_PUSH(p->arena, s->left_conjuncts, conjuncts[i]);
        else
            VEC_PUSH(p->arena, s->above, conjuncts[i]);
    }
    for (int i = 0; i < on.count; i++) {
        ColSet used = {0};
        expr_columns(on.items[i], &used, p->arena);
        bool right_only = !colset_intersects(&used, &s->left_columns) && colset_intersects(&used, &s->right_columns);
        if (right_only && s->join != JOIN_FULL && !rel->null_aware && !rel->lateral)
            VEC_PUSH(p->arena, s->right_conjuncts, on.items[i]);
        else
            VEC_PUSH(p->arena, s->on, on.items[i]);
    }
}

static RelTable *base_table(Paths *p, Rel *rel, ExprVec *conjuncts)
{
    while (rel->kind == REL_FILTER) {
        path_split_condition(p, ((RelFilter *)rel)->condition, conjuncts);
        rel = rel->inputs[0];
    }
    return rel->kind == REL_TABLE ? (RelTable *)rel : NULL;
}

/* How many rows of the left side are read by a look-up join of which only the first rows are wanted: its order stays. */
static double left_rows_read(const Sides *s, const Plan *left, const Wanted *wanted)
{
    bool streams = s->above.count == 0 && path_order_holds(left, wanted->order, wanted->order_count);
    if (!streams || wanted->rows <= 0 || (s->join != JOIN_LEFT && s->join != JOIN_SEMI && s->join != JOIN_INNER))
        return left->rows_estimated;
    /* Each left row is in the result of an outer join; of the others half may not be. */
    return fmin(left->rows_estimated, s->join == JOIN_LEFT ? wanted->rows : 2 * wanted->rows);
}

/* A look-up into the right side's table, if that is one and beats reading it whole. NULL: no. */
static Status try_lookup(Paths *p, const Sides *s, Plan *left, const Plan *right, const ColSet *wanted, JoinSpec spec,
                         Plan **plan)
{
    ExprVec conditions = {0};
    for (int i = 0; i < s->on.count; i++) VEC_PUSH(p->arena, conditions, s->on.items[i]);
    for (int i = 0; i < s->right_conjuncts.count; i++) VEC_PUSH(p->arena, conditions, s->right_conjuncts.items[i]);
    RelTable *table = base_table(p, s->right, &conditions);
    *plan = NULL;
    if (!table || spec.null_aware || s->join == JOIN_FULL) return ST_OK;
    Source *source;
    LookupChoice choice;
    TRY(path_source(p, table, &source));
    spec.conditions = conditions.items;
    spec.count = conditions.count;
    if (!path_lookup_choose(p, source, &spec, &s->left_columns, wanted, &choice)) return ST_OK;
    double found = left->rows_estimated * choice.rows_each;
    spec.rows = choice.key_unique && s->join == JOIN_LEFT ? left->rows_estimated : joined_rows(s->join, left->rows_estimated, found);
    double hashed = right->cost + right->rows_estimated * COST_HASH_BUILD + left->rows_estimated * COST_HASH_PROBE;
    if (!path_setting(p, SETTING_enable_hashjoin)) hashed += COST_DISABLED;
    if (s->left_read * choice.cost_each >= hashed) return ST_OK;
    *plan = path_lookup_build(p, left, &spec, &choice, wanted);
    (*plan)->cost -= (left->rows_estimated - s->left_read) * choice.cost_each;
    return ST_OK;
}

/* The right side as it is looked up for one left row, if it is a virtual table that can be; else NULL. */
static Status try_system(Paths *p, const Sides *s, const ColSet *wanted, const JoinSpec *spec, Plan **plan)
{
    *plan = NULL;
    if (s->join == JOIN_FULL) return ST_OK;
    ExprVec conditions = {0};
    for (int i = 0; i < s->on.count; i++) VEC_PUSH(p->arena, conditions, s->on.items[i]);
    for (int i = 0; i < s->right_conjuncts.count; i++) VEC_PUSH(p->arena, conditions, s->right_conjuncts.items[i]);
    JoinSpec whole = *spec;
    whole.conditions = conditions.items;
    whole.count = conditions.count;
    return path_system_lookup(p, s->right, &whole, &s->left_columns, wanted, plan);
}

static Status plan_sides(Paths *p, const RelJoin *rel, Sides *s, const Wanted *wanted, Plan **plan)
{
    Wanted left_wanted = path_wanted_columns(p, &wanted->columns), right_wanted;
    for (int i = 0; i < s->on.count; i++) path_need(p, &left_wanted, s->on.items[i]);
    for (int i = 0; i < s->above.count; i++) path_need(p, &left_wanted, s->above.items[i]);
    right_wanted = path_wanted_copy(p, &left_wanted);
    ColId *outer;
    int outer_count = rel_outer_columns(s->right, &outer, p->arena);
    for (int i = 0; i < outer_count; i++) colset_add(&left_wanted.columns, p->arena, outer[i]);
    /* Rows come out in the left side's order where the right one is looked up. */
    left_wanted.order = wanted->order;
    left_wanted.order_count = wanted->order_count;
    if (s->join == JOIN_LEFT || s->join == JOIN_SEMI || s->join == JOIN_INNER) left_wanted.rows = wanted->rows;
    Plan *left, *right;
    TRY(path_filtered(p, s->left, s->left_conjuncts.items, s->left_conjuncts.count, &left_wanted, &left));
    TRY(path_filtered(p, s->right, s->right_conjuncts.items, s->right_conjuncts.count, &right_wanted, &right));
    if (rel->lateral && uses_columns_of(p, s->right, &s->left_columns)) {
        *plan = make_apply(p, rel, left, right, &s->on);
    } else {
        double matches = fmax(left->rows_estimated, right->rows_estimated);
        JoinSpec spec = {s->join, rel->null_aware, s->on.items, s->on.count,
                         joined_rows(s->join, left->rows_estimated, matches)};
        s->left_read = left_rows_read(s, left, wanted);
        TRY(try_lookup(p, s, left, right, &right_wanted.columns, spec, plan));
        Plan *looked_up = NULL;
        if (!*plan) TRY(try_system(p, s, &right_wanted.columns, &spec, &looked_up));
        if (looked_up && left->rows_estimated * looked_up->cost < right->cost) *plan = path_system_apply(p, left, looked_up, &spec);
        if (!*plan) TRY(path_join_plans(p, left, right, &spec, plan));
        MergeSide sides[2] = {{s->left, s->left_conjuncts, s->left_columns, left}, {s->right, s->right_conjuncts, s->right_columns, right}};
        Plan *merge;
        TRY(path_merge_join(p, sides, &spec, &left_wanted.columns, &merge));
        if (merge && merge->cost < (*plan)->cost) *plan = merge;
    }
    *plan = path_make_filter(p, *plan, s->above.items, s->above.count);
    return ST_OK;
}

Status path_join(Paths *p, Rel *rel, Expr **conjuncts, int count, const Wanted *wanted, Plan **plan)
{
    if (is_plain_inner(rel)) return plan_graph(p, rel, conjuncts, count, wanted, plan);
    const RelJoin *join = (const RelJoin *)rel;
    Sides s = {.left = rel->inputs[0], .right = rel->inputs[1], .join = join->join};
    if (join->join == JOIN_RIGHT) {
        s.left = rel->inputs[1];
        s.right = rel->inputs[0];
        s.join = JOIN_LEFT;
    }
    rel_column_set(s.left, &s.left_columns, p->arena);
    rel_column_set(s.right, &s.right_columns, p->arena);
    sort_conjuncts(p, &s, join, conjuncts, count);
    return plan_sides(p, join, &s, wanted, plan);
}
