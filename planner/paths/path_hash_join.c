/* path_hash_join.c - joins of two finished inputs: by hash where keys are equal, else by nested loop. */
#include "planner/paths/path_join.h"

bool path_equal_sides(Paths *p, Expr *condition, const ColSet *left, const ColSet *right, Expr **left_side,
                      Expr **right_side, bool *null_safe)
{
    bool equal = condition->kind == EXPR_COMPARE && ((ExprCompare *)condition)->op == COMPARE_EQ;
    *null_safe = condition->kind == EXPR_DISTINCT && ((ExprNegatable *)condition)->negated;
    if (!equal && !*null_safe) return false;
    for (int swap = 0; swap < 2; swap++) {
        Expr *a = condition->args[swap], *b = condition->args[1 - swap];
        ColSet of_a = {0}, of_b = {0};
        expr_columns(a, &of_a, p->arena);
        expr_columns(b, &of_b, p->arena);
        if (!colset_intersects(&of_a, left) || colset_intersects(&of_a, right)) continue;
        if (!colset_intersects(&of_b, right) || colset_intersects(&of_b, left)) continue;
        if (expr_has_subquery(a) || expr_has_subquery(b) || a->type.oid != b->type.oid) continue;
        *left_side = a;
        *right_side = b;
        return true;
    }
    return false;
}

static void columns_of(Paths *p, const Plan *plan, ColSet *set)
{
    for (int i = 0; i < plan->column_count; i++) colset_add(set, p->arena, plan->columns[i]);
}

typedef struct Keys {
    Extension left_extension, right_extension;
    VEC(ColId) left, right;
    VEC(CompareOp) ops;
    bool any_null_safe;
    ExprVec rest;
} Keys;

static void find_keys(Paths *p, const Plan *left, const Plan *right, const JoinSpec *spec, Keys *keys)
{
    ColSet left_set = {0}, right_set = {0};
    columns_of(p, left, &left_set);
    columns_of(p, right, &right_set);
    for (int i = 0; i < spec->count; i++) {
        Expr *a, *b;
        bool null_safe;
        if (!path_equal_sides(p, spec->conditions[i], &left_set, &right_set, &a, &b, &null_safe)) {
            VEC_PUSH(p->arena, keys->rest, spec->conditions[i]);
            continue;
        }
        VEC_PUSH(p->arena, keys->left, path_as_column(p, &keys->left_extension, a));
        VEC_PUSH(p->arena, keys->right, path_as_column(p, &keys->right_extension, b));
        VEC_PUSH(p->arena, keys->ops, null_safe ? COMPARE_NE : COMPARE_EQ);
        keys->any_null_safe = keys->any_null_safe || null_safe;
    }
}

static Plan *extend_by(Paths *p, Plan *plan, const Extension *extension)
{
    return path_extend(p, plan, extension->exprs.items, extension->ids.items, extension->exprs.count);
}

static bool is_semi(JoinKind join)
{
    return join == JOIN_SEMI || join == JOIN_ANTI;
}

Status path_join_plans(Paths *p, Plan *left, Plan *right, const JoinSpec *spec, Plan **plan)
{
    Keys keys = {0};
    find_keys(p, left, right, spec, &keys);
    bool hash = keys.left.count > 0;
    left = extend_by(p, left, &keys.left_extension);
    right = extend_by(p, right, &keys.right_extension);
    PlanJoin *join = path_new_over(p, hash ? PLAN_HASH_JOIN : PLAN_NESTED_LOOP, sizeof *join, left);
    join->base.inputs = ARENA_ARRAY(p->arena, Plan *, 2);
    join->base.inputs[0] = left;
    join->base.inputs[1] = right;
    join->base.input_count = 2;
    join->join = spec->join;
    join->null_aware = spec->null_aware;
    join->left_keys = keys.left.items;
    join->right_keys = keys.right.items;
    join->key_ops = keys.any_null_safe ? keys.ops.items : NULL;
    join->key_count = keys.left.count;
    join->condition = keys.rest.count ? expr_and(p->arena, keys.rest.items, keys.rest.count) : NULL;
    if (!is_semi(spec->join)) path_append_columns(p, &join->base, right);
    /* A hash join that spills loses the order of its left side. */
    if (hash || spec->join == JOIN_FULL) path_set_order(&join->base, NULL, 0);
    join->base.rows_estimated = spec->rows;
    join->base.estimate_known = left->estimate_known && right->estimate_known;
    join->base.cost = left->cost + right->cost + spec->rows * COST_OUTPUT;
    if (!path_setting(p, hash ? SETTING_enable_hashjoin : SETTING_enable_nestloop)) join->base.cost += COST_DISABLED;
    join->base.cost += hash ? right->rows_estimated * COST_HASH_BUILD + left->rows_estimated * COST_HASH_PROBE
                            : left->rows_estimated * right->rows_estimated * COST_OUTPUT;
    *plan = &join->base;
    return ST_OK;
}
