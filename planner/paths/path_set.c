/* path_set.c - UNION and kin, WITH. Columns match by position, so every input is shaped to its own list. */
#include "planner/paths/path.h"

#include <math.h>

static Plan *join_inputs(Paths *p, PlanKind kind, size_t size, Plan *const *inputs, int count)
{
    Plan *plan = path_new(p, kind, size);
    plan->inputs = arena_copy(p->arena, inputs, sizeof *inputs * (size_t)count);
    plan->input_count = count;
    plan->estimate_known = true;
    for (int i = 0; i < count; i++) {
        plan->rows_estimated += inputs[i]->rows_estimated;
        plan->cost += inputs[i]->cost;
        plan->estimate_known = plan->estimate_known && inputs[i]->estimate_known;
    }
    return plan;
}

Status path_set_op(Paths *p, RelSetOp *rel, const Wanted *wanted, Plan **plan)
{
    bool append = rel->op == SET_OP_UNION && rel->all;
    Plan **inputs = ARENA_ARRAY(p->arena, Plan *, rel->base.input_count);
    Wanted each = {.rows = append ? wanted->rows : 0};
    for (int i = 0; i < rel->base.input_count; i++) TRY(path_rel_shaped(p, rel->base.inputs[i], each, &inputs[i]));
    Plan *out;
    if (append) {
        out = join_inputs(p, PLAN_APPEND, sizeof(Plan), inputs, rel->base.input_count);
    } else {
        PlanSetOp *set_op = (PlanSetOp *)join_inputs(p, PLAN_SET_OP, sizeof *set_op, inputs, rel->base.input_count);
        set_op->op = rel->op;
        set_op->all = rel->all;
        out = &set_op->base;
        out->cost += out->rows_estimated * COST_HASH_BUILD;
        if (rel->op != SET_OP_UNION) out->rows_estimated = inputs[0]->rows_estimated / 2;
    }
    path_set_columns(p, out, rel->base.columns, rel->base.column_count);
    *plan = out;
    return ST_OK;
}

/* ---- WITH ---- */

Status path_cte(Paths *p, RelCte *rel, Plan **plan)
{
    PlanKind kind = rel->base.kind == REL_CTE ? PLAN_CTE : PLAN_WORKING_TABLE;
    PlanCte *cte = path_new(p, kind, sizeof *cte);
    cte->cte = rel->cte;
    path_set_columns(p, &cte->base, rel->base.columns, rel->base.column_count);
    cte->base.rows_estimated = 100;
    for (int i = 0; i < p->ctes.count; i++) {
        if (p->ctes.items[i].cte != rel->cte) continue;
        cte->base.rows_estimated = p->ctes.items[i].plan->rows_estimated;
        cte->base.estimate_known = p->ctes.items[i].plan->estimate_known;
    }
    cte->base.cost = 10;
    *plan = &cte->base;
    return ST_OK;
}

static Status plan_recursive(Paths *p, Cte *cte, Plan **plan)
{
    Plan *inputs[2];
    TRY(path_rel_shaped(p, cte->rel, (Wanted){0}, &inputs[0]));
    TRY(path_rel_shaped(p, cte->recursive, (Wanted){0}, &inputs[1]));
    PlanCte *recursive = (PlanCte *)join_inputs(p, PLAN_RECURSIVE, sizeof *recursive, inputs, 2);
    recursive->cte = cte;
    path_set_columns(p, &recursive->base, cte->rel->columns, cte->rel->column_count);
    recursive->base.rows_estimated *= 10;
    *plan = &recursive->base;
    return ST_OK;
}

Status path_with(Paths *p, RelWith *rel, const Wanted *wanted, Plan **plan)
{
    Plan **plans = ARENA_ARRAY(p->arena, Plan *, rel->cte_count + 1);
    for (int i = 0; i < rel->cte_count; i++) {
        Cte *cte = rel->ctes[i];
        if (cte->recursive)
            TRY(plan_recursive(p, cte, &plans[i]));
        else
            TRY(path_rel_shaped(p, cte->rel, (Wanted){0}, &plans[i]));
        VEC_PUSH(p->arena, p->ctes, (CtePlan){cte, plans[i]});
    }
    Plan *body;
    TRY(path_rel(p, rel->base.inputs[0], wanted, &body));
    PlanWith *with = path_new_over(p, PLAN_WITH, sizeof *with, body);
    with->ctes = rel->ctes;
    with->plans = plans;
    with->cte_count = rel->cte_count;
    for (int i = 0; i < rel->cte_count; i++) with->base.cost += plans[i]->cost;
    *plan = &with->base;
    return ST_OK;
}
