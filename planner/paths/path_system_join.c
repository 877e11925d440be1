/* Joins with virtual tables that can be looked up: by pg_class.oid, pg_attribute.attrelid and the like. The relation is run
 * once for each row of the left side, with the left row's value to look up, instead of once as a whole. */
#include "planner/paths/path_join.h"

static RelSystem *base_system(Paths *p, Rel *rel, ExprVec *conjuncts)
{
    while (rel->kind == REL_FILTER) {
        path_split_condition(p, ((RelFilter *)rel)->condition, conjuncts);
        rel = rel->inputs[0];
    }
    return rel->kind == REL_SYSTEM ? (RelSystem *)rel : NULL;
}

static const PlanSystem *system_below(const Plan *plan)
{
    while (plan->kind != PLAN_SYSTEM && plan->input_count == 1) plan = plan->inputs[0];
    return plan->kind == PLAN_SYSTEM ? (const PlanSystem *)plan : NULL;
}

Status path_system_lookup(Paths *p, Rel *right, const JoinSpec *spec, const ColSet *left, const ColSet *wanted, Plan **plan)
{
    ExprVec conditions = {0};
    *plan = NULL;
    if (spec->null_aware) return ST_OK;
    for (int i = 0; i < spec->count; i++) VEC_PUSH(p->arena, conditions, spec->conditions[i]);
    RelSystem *system = base_system(p, right, &conditions);
    if (!system || !system->relation->filter_columns) return ST_OK;
    Plan *found;
    Wanted needs = path_wanted_columns(p, wanted);
    TRY(path_system(p, system, conditions.items, conditions.count, &needs, &found));
    const PlanSystem *scan = system_below(found);
    if (!scan || scan->filter_column < 0) return ST_OK;
    ColSet used = {0};
    expr_columns(scan->filter_value, &used, p->arena);
    if (colset_intersects(&used, left)) *plan = found;
    return ST_OK;
}

Plan *path_system_apply(Paths *p, Plan *left, Plan *right, const JoinSpec *spec)
{
    PlanJoin *apply = path_new_over(p, PLAN_APPLY, sizeof *apply, left);
    apply->base.inputs = ARENA_ARRAY(p->arena, Plan *, 2);
    apply->base.inputs[0] = left;
    apply->base.inputs[1] = right;
    apply->base.input_count = 2;
    apply->join = spec->join;
    if (spec->join != JOIN_SEMI && spec->join != JOIN_ANTI) path_append_columns(p, &apply->base, right);
    apply->base.rows_estimated = spec->rows;
    apply->base.cost = left->cost + left->rows_estimated * right->cost;
    return &apply->base;
}
