/* op_build.c - from plan nodes to operators: one row per plan kind. */
#include "executor/ops/op_classes.h"

#include <assert.h>

#include "executor/ops/exec.h"

static const OpClass *const classes[] = {
    [PLAN_SCAN] = &op_scan_class,
    [PLAN_SKIP_SCAN] = &op_skip_scan_class,
    [PLAN_DISTINCT_SCAN] = &op_distinct_scan_class,
    [PLAN_MERGE_STREAMS] = &op_merge_streams_class,
    [PLAN_INDEX_JOIN] = &op_index_join_class,
    [PLAN_SYSTEM] = &op_system_class,
    [PLAN_FUNCTION] = &op_function_class,
    [PLAN_VALUES] = &op_values_class,
    [PLAN_FILTER] = &op_filter_class,
    [PLAN_PROJECT] = &op_project_class,
    [PLAN_PROJECT_SET] = &op_project_set_class,
    [PLAN_LIMIT] = &op_limit_class,
    [PLAN_SORT] = &op_sort_class,
    [PLAN_TOP_K] = &op_top_k_class,
    [PLAN_DISTINCT] = &op_distinct_class,
    [PLAN_HASH_JOIN] = &op_hash_join_class,
    [PLAN_MERGE_JOIN] = &op_merge_join_class,
    [PLAN_LOOKUP_JOIN] = &op_lookup_join_class,
    [PLAN_NESTED_LOOP] = &op_nested_loop_class,
    [PLAN_APPLY] = &op_apply_class,
    [PLAN_AGGREGATE] = &op_aggregate_class,
    [PLAN_WINDOW] = &op_window_class,
    [PLAN_APPEND] = &op_append_class,
    [PLAN_SET_OP] = &op_set_op_class,
    [PLAN_WITH] = &op_with_class,
    [PLAN_CTE] = &op_cte_class,
    [PLAN_RECURSIVE] = &op_recursive_class,
    [PLAN_WORKING_TABLE] = &op_working_table_class,
    [PLAN_LOCK] = &op_lock_class,
    [PLAN_INSERT] = &op_insert_class,
    [PLAN_UPDATE] = &op_update_class,
    [PLAN_DELETE] = &op_delete_class,
    [PLAN_UTILITY] = &op_utility_class,
};

Status op_build(Exec *exec, const Plan *plan, Op **out)
{
    const OpClass *cls = plan->kind < sizeof classes / sizeof classes[0] ? classes[plan->kind] : NULL;
    if (plan->kind == PLAN_WINDOW && ((const PlanWindow *)plan)->running) cls = &op_window_running_class;
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
