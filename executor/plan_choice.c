/* plan_choice.c - whether a prepared statement runs by its generic plan or by one for the values at hand.
 *
 * As in PostgreSQL, the first five runs are planned for their values, and the generic plan is taken from then on if it is
 * not costlier than those were. Two kinds of statements never need the five: those whose plan is decided without their
 * values (a look-up by a unique key, INSERT ... VALUES), which is found out once, when the statement is planned; and after
 * the five, those whose plans all had the shape of the generic one, whatever its estimate.
 */
#include "executor/stmt_internal.h"
#include "planner/plan_node.h"
#include "planner/settings.h"

enum { TRIALS = 5 };

/* What planning costs again each time, in the planner's units: for the statement, and for each relation in it. */
static const double cost_of_planning = 100;

/* ---- does it matter which values come? ---- */

static bool reads_by_whole_keys(const PlanScan *scan)
{
    const SpanSet *set = &scan->spans;
    if (set->contradiction) return true;
    if (!scan->index->unique || set->template_count == 0) return false;
    for (int t = 0; t < set->template_count; t++) {
        if (set->templates[t].part_count < scan->index->columns.count) return false;
        for (int i = 0; i < scan->index->columns.count; i++) {
            const SpanPart *part = &set->templates[t].parts[i];
            bool point = part->kind == SPAN_POINTS && !part->array && !part->or_null;
            if (!point && part->kind != SPAN_COMPUTED) return false;
        }
    }
    return true;
}

static void note_subquery(Expr **slot, void *argument)
{
    bool *found = argument;
    *found = *found || (*slot && expr_has_subquery(*slot));
}

static bool depends_on_values(const Plan *plan)
{
    union {
        const Plan *in;
        Plan *out;
    } view = {plan};
    bool subquery = false;
    if (plan->kind == PLAN_SCAN) return !reads_by_whole_keys((const PlanScan *)plan);
    if (plan->kind == PLAN_SKIP_SCAN || plan->kind == PLAN_DISTINCT_SCAN || plan->kind == PLAN_MERGE_STREAMS) return true;
    if (plan->kind == PLAN_WITH || plan->kind == PLAN_RECURSIVE) return true;
    plan_each_expr(view.out, note_subquery, &subquery);
    if (subquery) return true;
    for (int i = 0; i < plan->input_count; i++)
        if (depends_on_values(plan->inputs[i])) return true;
    return false;
}

void plan_choice_reset(Stmt *stmt)
{
    const PlannedStmt *planned = &stmt->planned;
    PlanChoice *choice = &stmt->choice;
    choice->same_shape = true;
    choice->trials = 0;
    choice->trials_cost = 0;
    choice->open = planned->param_count > 0 && planned->plan->kind != PLAN_UTILITY && depends_on_values(planned->plan);
}

/* ---- shapes ---- */

static bool same_scan(const PlanScan *a, const PlanScan *b)
{
    return a->index == b->index && a->descending == b->descending && a->skip_columns == b->skip_columns &&
           a->stream_columns == b->stream_columns && a->spans.template_count == b->spans.template_count &&
           a->prefix_spans.template_count == b->prefix_spans.template_count &&
           a->spans.contradiction == b->spans.contradiction;
}

static bool same_shape(const Plan *a, const Plan *b)
{
    if (a->kind != b->kind || a->input_count != b->input_count) return false;
    bool scan = a->kind == PLAN_SCAN || a->kind == PLAN_SKIP_SCAN || a->kind == PLAN_DISTINCT_SCAN || a->kind == PLAN_MERGE_STREAMS;
    if (scan && !same_scan((const PlanScan *)a, (const PlanScan *)b)) return false;
    if (a->kind == PLAN_LOOKUP_JOIN && ((const PlanLookupJoin *)a)->index != ((const PlanLookupJoin *)b)->index) return false;
    /* What is run per row of a subquery or once per CTE is not compared. */
    if (a->kind == PLAN_WITH || a->kind == PLAN_RECURSIVE || a->kind == PLAN_APPLY) return false;
    for (int i = 0; i < a->input_count; i++)
        if (!same_shape(a->inputs[i], b->inputs[i])) return false;
    return true;
}

static int relations_in(const Plan *plan)
{
    int count = plan->input_count == 0 || plan->kind == PLAN_LOOKUP_JOIN;
    for (int i = 0; i < plan->input_count; i++) count += relations_in(plan->inputs[i]);
    return count;
}

/* ---- the choice ---- */

static bool wants_custom(const Stmt *stmt)
{
    enum { AUTO, FORCE_GENERIC, FORCE_CUSTOM };
    const PlanChoice *choice = &stmt->choice;
    int64_t mode = setting_int(stmt->state->session.settings, SETTING_plan_cache_mode);
    bool possible = stmt->planned.param_count > 0 && stmt->planned.plan->kind != PLAN_UTILITY;
    if (!possible || mode == FORCE_GENERIC) return false;
    if (mode == FORCE_CUSTOM) return true;
    if (!choice->open) return false;
    if (choice->trials < TRIALS) return true;
    return !choice->same_shape && stmt->planned.plan->cost >= choice->trials_cost / (double)choice->trials;
}

static void note_custom(Stmt *stmt, const Plan *custom)
{
    PlanChoice *choice = &stmt->choice;
    choice->same_shape = choice->same_shape && same_shape(custom, stmt->planned.plan);
    choice->trials_cost += custom->cost + cost_of_planning * (1 + relations_in(custom));
    choice->trials++;
    choice->custom_plans++;
}

Status plan_choice(Stmt *stmt, const Value *params, const PlannedStmt **planned, Arena *arena, Error *err)
{
    *planned = &stmt->planned;
    if (!wants_custom(stmt)) {
        stmt->choice.generic_plans++;
        return ST_OK;
    }
    PlannedStmt *custom = ARENA_NEW(arena, PlannedStmt);
    Oid *types = ARENA_ARRAY(arena, Oid, stmt->planned.param_count);
    for (int i = 0; i < stmt->planned.param_count; i++) types[i] = stmt->planned.param_types[i].oid;
    PlanParams known = {types, stmt->planned.param_count, params};
    TRY(plan_statement(&stmt->state->session, stmt->parsed, &known, custom, arena, err));
    note_custom(stmt, custom->plan);
    *planned = custom;
    return ST_OK;
}
