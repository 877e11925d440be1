/* op_build.c - from plan nodes to operators: one row per plan kind. */
#include "executor/ops/op_classes.h"

#include <assert.h>

#include "executor/ops/exec.h"

static const OpClass *const classes[] = {
    [PLAN_SCAN] = &op_scan_class,
    [PLAN_VALUES] = &op_values_class,
    [PLAN_FILTER] = &op_filter_class,
    [PLAN_PROJECT] = &op_project_class,
    [PLAN_LIMIT] = &op_limit_class,
    [PLAN_INSERT] = &op_insert_class,
};

Status op_build(Exec *exec, const Plan *plan, Op **out)
{
    const OpClass *cls = plan->kind < sizeof classes / sizeof classes[0] ? classes[plan->kind] : NULL;
    if (!cls) return err_unsupported(exec->err, exec->arena, "this kind of plan");
    assert(cls->size >= sizeof(Op));
    Op *op = arena_alloc(exec->arena, cls->size);
    op->cls = cls;
    op->plan = plan;
    op->exec = exec;
    assert(plan->number >= 0 && plan->number <= exec->planned->plan_count);
    op->stats = &exec->stats[plan->number];
    op->arena = arena_create(exec->arena, 0);
    op->batch_arena = arena_create(exec->arena, 0);
    op->inputs = ARENA_ARRAY(exec->arena, Op *, plan->input_count + 1);
    for (int i = 0; i < plan->input_count; i++) TRY(op_build(exec, plan->inputs[i], &op->inputs[i]));
    *out = op;
    return ST_OK;
}
