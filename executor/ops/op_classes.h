/* op_classes.h - every operator class, for op_build.c. */
#ifndef EXECUTOR_OPS_OP_CLASSES_H
#define EXECUTOR_OPS_OP_CLASSES_H

#include "executor/ops/op.h"

extern const OpClass op_scan_class, op_skip_scan_class, op_distinct_scan_class, op_merge_streams_class, op_index_join_class, op_system_class,
    op_function_class, op_values_class, op_filter_class, op_project_class, op_project_set_class, op_limit_class,
    op_sort_class, op_top_k_class, op_distinct_class, op_hash_join_class, op_merge_join_class, op_lookup_join_class,
    op_nested_loop_class, op_apply_class, op_aggregate_class, op_window_class, op_window_running_class, op_append_class, op_set_op_class,
    op_with_class, op_cte_class, op_recursive_class, op_working_table_class, op_lock_class, op_insert_class,
    op_update_class, op_delete_class, op_utility_class;

#endif
