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

/* The order over the set operation's columns as one over those of an input; false: it has a key that is no column of it. */
static bool order_of_input(Paths *p, const RelSetOp *rel, const Rel *input, const Wanted *wanted, Wanted *each)
{
    SortKey *keys = arena_copy(p->arena, wanted->order, sizeof *keys * (size_t)wanted->order_count);
    for (int k = 0; k < wanted->order_count; k++) {
        ColId column = ((const ExprColumn *)keys[k].expr)->column;
        int at = 0;
        while (at < rel->base.column_count && rel->base.columns[at].id != column) at++;
        if (at == rel->base.column_count) return false;
        const RelColumn *own = &input->columns[at];
        if (own->type.oid != rel->base.columns[at].type.oid) return false;
        keys[k].expr = expr_column(p->arena, own->id, own->type, own->name);
    }
    each->order = keys;
    each->order_count = wanted->order_count;
    each->limit = wanted->limit;
    return true;
}

/* One input of UNION ALL. Where rows are wanted in an order and only so many of them, an input that has the order need not
 * give more than that; another one is read to its end, as the sort above wants it. */
static Status path_appended(Paths *p, const RelSetOp *rel, Rel *input, const Wanted *wanted, Plan **plan)
{
    Wanted each = {.rows = wanted->rows};
    bool ordered = wanted->limit && wanted->order_count && order_of_input(p, rel, input, wanted, &each);
    TRY(path_rel_shaped(p, input, each, plan));
    if (!ordered || !path_order_holds(*plan, each.order, each.order_count)) return ST_OK;
    PlanLimit *limit = path_new_over(p, PLAN_LIMIT, sizeof *limit, *plan);
    limit->limit = wanted->limit;
    double rows = path_limit_rows(wanted->limit);
    if (rows > 0 && rows < limit->base.rows_estimated) limit->base.rows_estimated = rows;
    *plan = &limit->base;
    return ST_OK;
}

Status path_set_op(Paths *p, RelSetOp *rel, const Wanted *wanted, Plan **plan)
{
    bool append = rel->op == SET_OP_UNION && rel->all;
    Plan **inputs = ARENA_ARRAY(p->arena, Plan *, rel->base.input_count);
    for (int i = 0; i < rel->base.input_count; i++) {
        Rel *input = rel->base.inputs[i];
        TRY(append ? path_appended(p, rel, input, wanted, &inputs[i]) : path_rel_shaped(p, input, (Wanted){0}, &inputs[i]));
    }
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
