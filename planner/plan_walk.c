/* plan_walk.c - the expressions of a plan node, by place. */
#include "planner/plan_node.h"

typedef void (*EachExpr)(Expr **slot, void *argument);

static void each_of(Expr **items, int count, EachExpr each, void *argument)
{
    for (int i = 0; items && i < count; i++)
        if (items[i]) each(&items[i], argument);
}

static void each_of_spans(SpanSet *set, EachExpr each, void *argument)
{
    for (int t = 0; t < set->template_count; t++) {
        for (int i = 0; i < set->templates[t].part_count; i++) {
            SpanPart *part = &set->templates[t].parts[i];
            each_of(part->values, part->value_count, each, argument);
            each_of(&part->low, 1, each, argument);
            each_of(&part->high, 1, each, argument);
        }
    }
}

static void each_of_scan(PlanScan *scan, EachExpr each, void *argument)
{
    each_of_spans(&scan->spans, each, argument);
    each_of_spans(&scan->prefix_spans, each, argument);
    each_of(&scan->filter, 1, each, argument);
    each_of(&scan->limit, 1, each, argument);
    each_of(&scan->prefix_limit, 1, each, argument);
}

static void each_of_lookup(PlanLookupJoin *join, EachExpr each, void *argument)
{
    each_of_spans(&join->spans, each, argument);
    each_of(&join->condition, 1, each, argument);
}

static void each_of_aggregate(PlanAggregate *group, EachExpr each, void *argument)
{
    for (int i = 0; i < group->aggregate_count; i++) {
        Expr *e = &group->aggregates[i]->base;
        each(&e, argument);
        group->aggregates[i] = (ExprAggregate *)e;
    }
    each_of(group->grouping_calls, group->grouping_call_count, each, argument);
}

static void each_of_window(PlanWindow *window, EachExpr each, void *argument)
{
    for (int i = 0; i < window->function_count; i++) {
        Expr *e = &window->functions[i]->base;
        each(&e, argument);
        window->functions[i] = (ExprWindow *)e;
    }
    each_of(&window->stop, 1, each, argument);
}

static void each_of_values(PlanValues *values, EachExpr each, void *argument)
{
    for (int r = 0; r < values->row_count; r++) each_of(values->rows[r], values->base.column_count, each, argument);
}

static void each_of_function(PlanFunction *function, EachExpr each, void *argument)
{
    for (int i = 0; i < function->item_count; i++) each(&function->items[i].call, argument);
}

static void each_of_target(const WriteTarget *target, EachExpr each, void *argument)
{
    each_of(target->computed, target->table->columns.count, each, argument);
    each_of(target->checks, target->table->checks.count, each, argument);
    each_of(target->predicates, target->table->indexes.count, each, argument);
}

static void each_of_change(Plan *plan, EachExpr each, void *argument)
{
    if (plan->kind == PLAN_INSERT) {
        RelInsert *insert = ((PlanInsert *)plan)->insert;
        each_of_target(&insert->target, each, argument);
        each_of(insert->set, insert->target.table->columns.count, each, argument);
        each_of(&insert->where, 1, each, argument);
        each_of(insert->returning, plan->column_count, each, argument);
    } else if (plan->kind == PLAN_UPDATE) {
        RelUpdate *update = ((PlanUpdate *)plan)->update;
        each_of_target(&update->target, each, argument);
        each_of(update->set, update->target.table->columns.count, each, argument);
        each_of(update->returning, plan->column_count, each, argument);
    } else {
        RelDelete *delete_ = ((PlanDelete *)plan)->delete_;
        each_of_target(&delete_->target, each, argument);
        each_of(delete_->returning, plan->column_count, each, argument);
    }
}

void plan_each_expr(Plan *plan, EachExpr each, void *argument)
{
    switch (plan->kind) {
    case PLAN_SCAN:
    case PLAN_SKIP_SCAN:
    case PLAN_DISTINCT_SCAN:
    case PLAN_MERGE_STREAMS: each_of_scan((PlanScan *)plan, each, argument); return;
    case PLAN_INDEX_JOIN: each_of(&((PlanIndexJoin *)plan)->filter, 1, each, argument); return;
    case PLAN_SYSTEM: each_of(&((PlanSystem *)plan)->filter_value, 1, each, argument); return;
    case PLAN_FUNCTION: each_of_function((PlanFunction *)plan, each, argument); return;
    case PLAN_VALUES: each_of_values((PlanValues *)plan, each, argument); return;
    case PLAN_FILTER: each_of(&((PlanFilter *)plan)->condition, 1, each, argument); return;
    case PLAN_PROJECT: each_of(((PlanProject *)plan)->exprs, plan->column_count, each, argument); return;
    case PLAN_PROJECT_SET:
        each_of(((PlanProjectSet *)plan)->calls, ((PlanProjectSet *)plan)->call_count, each, argument);
        return;
    case PLAN_LIMIT:
        each_of(&((PlanLimit *)plan)->limit, 1, each, argument);
        each_of(&((PlanLimit *)plan)->offset, 1, each, argument);
        return;
    case PLAN_TOP_K: each_of(&((PlanSort *)plan)->k, 1, each, argument); return;
    case PLAN_HASH_JOIN:
    case PLAN_MERGE_JOIN:
    case PLAN_NESTED_LOOP:
    case PLAN_APPLY: each_of(&((PlanJoin *)plan)->condition, 1, each, argument); return;
    case PLAN_LOOKUP_JOIN: each_of_lookup((PlanLookupJoin *)plan, each, argument); return;
    case PLAN_AGGREGATE: each_of_aggregate((PlanAggregate *)plan, each, argument); return;
    case PLAN_WINDOW: each_of_window((PlanWindow *)plan, each, argument); return;
    case PLAN_INSERT:
    case PLAN_UPDATE:
    case PLAN_DELETE: each_of_change(plan, each, argument); return;
    case PLAN_SORT:
    case PLAN_DISTINCT:
    case PLAN_APPEND:
    case PLAN_SET_OP:
    case PLAN_WITH:
    case PLAN_CTE:
    case PLAN_RECURSIVE:
    case PLAN_WORKING_TABLE:
    case PLAN_LOCK:
    case PLAN_UTILITY: return;
    }
}
