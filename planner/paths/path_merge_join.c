/* path_merge_join.c - joins of two inputs that indexes deliver in the order of an equal key: walked side by side.
 *
 * Nothing is built and nothing sorted, and the left side's order is kept. One equal pair of columns is the key; what else
 * the join demands is tested row by row.
 */
#include "planner/paths/path_join.h"

static bool holds_join(const Rel *rel)
{
    if (rel->kind == REL_JOIN) return true;
    for (int i = 0; i < rel->input_count; i++)
        if (holds_join(rel->inputs[i])) return true;
    return false;
}

/* A side that is a join is not planned again: each level of a chain of joins would double the work. */
static Status ordered_side(Paths *p, const MergeSide *side, Expr *key, const ColSet *wanted, Plan **plan)
{
    SortKey *order = ARENA_NEW(p->arena, SortKey);
    Wanted needs = path_wanted_columns(p, wanted);
    *order = (SortKey){.expr = key};
    needs.order = order;
    needs.order_count = 1;
    path_need(p, &needs, key);
    *plan = side->planned;
    if (!holds_join(side->rel)) TRY(path_filtered(p, side->rel, side->conjuncts.items, side->conjuncts.count, &needs, plan));
    if (!path_order_holds(*plan, order, 1)) *plan = NULL;
    return ST_OK;
}

/* The first condition that says that two columns are equal; -1: there is none. */
static int find_key(Paths *p, const MergeSide *left, const MergeSide *right, const JoinSpec *spec, Expr **keys)
{
    for (int i = 0; i < spec->count; i++) {
        bool null_safe;
        if (!path_equal_sides(p, spec->conditions[i], &left->columns, &right->columns, &keys[0], &keys[1], &null_safe)) continue;
        if (!null_safe && keys[0]->kind == EXPR_COLUMN && keys[1]->kind == EXPR_COLUMN) return i;
    }
    return -1;
}

static Plan *make_merge(Paths *p, Plan *sides[2], Expr *keys[2], const JoinSpec *spec, int key)
{
    PlanJoin *join = path_new_over(p, PLAN_MERGE_JOIN, sizeof *join, sides[0]);
    ExprVec rest = {0};
    for (int i = 0; i < spec->count; i++)
        if (i != key) VEC_PUSH(p->arena, rest, spec->conditions[i]);
    join->base.inputs = arena_copy(p->arena, sides, 2 * sizeof *sides);
    join->base.input_count = 2;
    join->join = spec->join;
    join->left_keys = ARENA_ARRAY(p->arena, ColId, 1);
    join->right_keys = ARENA_ARRAY(p->arena, ColId, 1);
    join->left_keys[0] = ((const ExprColumn *)keys[0])->column;
    join->right_keys[0] = ((const ExprColumn *)keys[1])->column;
    join->key_count = 1;
    join->key_descending = ARENA_ARRAY(p->arena, bool, 1);
    join->condition = rest.count ? expr_and(p->arena, rest.items, rest.count) : NULL;
    if (spec->join != JOIN_SEMI && spec->join != JOIN_ANTI) path_append_columns(p, &join->base, sides[1]);
    if (spec->join == JOIN_FULL) path_set_order(&join->base, NULL, 0);
    join->base.rows_estimated = spec->rows;
    join->base.estimate_known = sides[0]->estimate_known && sides[1]->estimate_known;
    double walked = sides[0]->rows_estimated + sides[1]->rows_estimated;
    join->base.cost = sides[0]->cost + sides[1]->cost + walked * COST_MERGE + spec->rows * COST_OUTPUT;
    return &join->base;
}

Status path_merge_join(Paths *p, const MergeSide *sides, const JoinSpec *spec, const ColSet *wanted, Plan **plan)
{
    Expr *keys[2];
    Plan *inputs[2];
    *plan = NULL;
    int key = find_key(p, &sides[0], &sides[1], spec, keys);
    if (key < 0 || spec->null_aware || !path_setting(p, SETTING_enable_mergejoin)) return ST_OK;
    for (int i = 0; i < 2; i++) {
        TRY(ordered_side(p, &sides[i], keys[i], wanted, &inputs[i]));
        if (!inputs[i]) return ST_OK;
    }
    *plan = make_merge(p, inputs, keys, spec, key);
    return ST_OK;
}
