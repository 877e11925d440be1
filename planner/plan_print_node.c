/* plan_print_node.c - each plan node's name and fields. */
#include <math.h>

#include "planner/plan_print.h"
#include "planner/utility.h"
#include "storage/base/clock.h"

enum { STREAMS_SHOWN = 16 };

static PrintNode *print_plan(PlanPrinter *p, const Plan *plan);

void print_field(PlanPrinter *p, PrintNode *node, const char *key, const char *value)
{
    VEC_PUSH(p->arena, node->fields, (PrintField){key, value});
}

static PrintNode *new_node(PlanPrinter *p, const char *name)
{
    PrintNode *node = ARENA_NEW(p->arena, PrintNode);
    node->name = name;
    return node;
}

static void add_child(PlanPrinter *p, PrintNode *node, PrintNode *child)
{
    VEC_PUSH(p->arena, node->children, child);
}

static const char *text_of(const Expr *e, PlanPrinter *p)
{
    return expr_text(e, p->arena);
}

const char *plan_print_expr(PlanPrinter *printer, const Expr *e)
{
    return text_of(e, printer);
}

/* ---- subqueries inside expressions ---- */

static const char *exec_mode(const ExprSubquery *sub)
{
    switch (sub->sub_kind) {
    case SUBQUERY_SCALAR: return "one row";
    case SUBQUERY_EXISTS: return "exists";
    case SUBQUERY_ANY:
    case SUBQUERY_ALL: return "all rows normalized";
    case SUBQUERY_ARRAY: return "all rows";
    }
    return "";
}

/* The other way to run it: once for all rows, from as many of them on. */
static PrintNode *answers_node(PlanPrinter *p, const ExprSubquery *sub)
{
    PrintNode *node = new_node(p, "all answers");
    Buf keys = {0};
    for (int i = 0; i < sub->base.arg_count - sub->bound_count; i++)
        buf_printf(&keys, "%s%s", i ? ", " : "", text_of(sub->base.args[i], p));
    print_field(p, node, "found by", buf_to_str(&keys, p->arena));
    buf_finish(&keys);
    print_field(p, node, "used after rows", print_grouped(p->arena, sub->answers_after));
    add_child(p, node, print_plan(p, sub->answers));
    return node;
}

static bool add_subquery(const Expr *e, void *argument)
{
    PlanPrinter *p = argument;
    const ExprSubquery *sub = (const ExprSubquery *)e;
    if (e->kind != EXPR_SUBQUERY || !sub->plan) return true;
    PrintNode *node = new_node(p, "subquery");
    print_field(p, node, "id", arena_printf(p->arena, "@S%d", p->subqueries.count + 1));
    if (sub->sql) print_field(p, node, "original sql", sub->sql);
    print_field(p, node, "exec mode", exec_mode(sub));
    VEC_PUSH(p->arena, p->subqueries, node);
    add_child(p, node, print_plan(p, sub->plan));
    if (sub->answers) add_child(p, node, answers_node(p, sub));
    return true;
}

static void add_subqueries(Expr **slot, void *argument)
{
    expr_walk(*slot, add_subquery, argument);
}

/* ---- fields that all nodes share ---- */

static const char *column_name(const Plan *plan, ColId id)
{
    for (int i = 0; i < plan->column_count; i++)
        if (plan->columns[i] == id) return plan->names[i] ? plan->names[i] : "?column?";
    for (int i = 0; i < plan->input_count; i++) {
        const char *name = column_name(plan->inputs[i], id);
        if (name) return name;
    }
    return NULL;
}

static const char *column_list(PlanPrinter *p, const Plan *plan, const ColId *columns, int count)
{
    Buf out = {0};
    for (int i = 0; i < count; i++) {
        const char *name = column_name(plan, columns[i]);
        buf_printf(&out, "%s%s", i ? ", " : "", name ? name : "?column?");
    }
    const char *text = buf_to_str(&out, p->arena);
    buf_finish(&out);
    return text;
}

static const char *order_text(PlanPrinter *p, const SortKey *keys, int count)
{
    Buf out = {0};
    for (int i = 0; i < count; i++)
        buf_printf(&out, "%s%c%s", i ? "," : "", keys[i].descending ? '-' : '+', text_of(keys[i].expr, p));
    const char *text = buf_to_str(&out, p->arena);
    buf_finish(&out);
    return text;
}

static const char *types_text(PlanPrinter *p, const Plan *plan)
{
    Buf out = {0};
    for (int i = 0; i < plan->column_count; i++)
        buf_printf(&out, "%s%s %s", i ? ", " : "", plan->names[i], type_format(plan->types[i], p->arena));
    const char *text = buf_to_str(&out, p->arena);
    buf_finish(&out);
    return text;
}

static bool sorts(const Plan *plan)
{
    return plan->kind == PLAN_SORT || plan->kind == PLAN_TOP_K;
}

static void verbose_fields(PlanPrinter *p, PrintNode *node, const Plan *plan)
{
    if (!p->options->verbose && !p->options->types) return;
    const char *columns = p->options->types ? types_text(p, plan)
                                            : column_list(p, plan, plan->columns, plan->column_count);
    print_field(p, node, "columns", arena_printf(p->arena, "(%s)", columns));
    if (plan->order_count && !sorts(plan)) print_field(p, node, "ordering", order_text(p, plan->order, plan->order_count));
}

typedef struct StatsTarget {
    PlanPrinter *printer;
    PrintNode *node;
} StatsTarget;

static void stats_field(void *print, const char *key, const char *value)
{
    const StatsTarget *target = print;
    print_field(target->printer, target->node, key, value);
}

static void stats_fields(PlanPrinter *p, PrintNode *node, const Plan *plan)
{
    if (!p->options->stats) return;
    StatsTarget target = {p, node};
    p->options->stats(p->options->argument, plan, stats_field, &target);
}

static bool shows_estimate(PlanKind kind)
{
    return kind != PLAN_VALUES && kind != PLAN_PROJECT && kind != PLAN_LIMIT && kind != PLAN_INSERT &&
           kind != PLAN_UPDATE && kind != PLAN_DELETE && kind != PLAN_UTILITY;
}

static void estimate_field(PlanPrinter *p, PrintNode *node, const Plan *plan, double rows)
{
    if (!shows_estimate(plan->kind)) return;
    if (plan->estimate_known)
        print_field(p, node, "estimated row count", print_grouped(p->arena, rows));
    else if (p->options->verbose)
        print_field(p, node, "estimated row count",
                    arena_printf(p->arena, "%s (missing stats)", print_grouped(p->arena, rows)));
}

static void common_fields(PlanPrinter *p, PrintNode *node, const Plan *plan)
{
    verbose_fields(p, node, plan);
    if (plan->kind != PLAN_PROJECT && plan->kind != PLAN_LIMIT) stats_fields(p, node, plan);
    estimate_field(p, node, plan, plan->rows_estimated);
}

/* ---- scans ---- */

static const char *age_text(Arena *arena, int64_t since_us)
{
    static const struct {
        int64_t seconds;
        const char *unit;
    } units[] = {{86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}};
    int64_t seconds = (clock_now_us() - since_us) / 1000000;
    if (seconds < 0) seconds = 0;
    for (int i = 0; i < 4; i++) {
        int64_t n = seconds / units[i].seconds;
        if (n || i == 3) return arena_printf(arena, "%lld %s%s ago", (long long)n, units[i].unit, n == 1 ? "" : "s");
    }
    return "";
}

static const char *percent_text(Arena *arena, double rows, double of)
{
    double percent = of > 0 ? fmin(100, 100 * rows / of) : 100;
    if (percent >= 10) return arena_printf(arena, "%.0f%%", percent);
    if (percent >= 1) return arena_printf(arena, "%.1f%%", percent);
    if (percent >= 0.01) return arena_printf(arena, "%.2f%%", percent);
    return "<0.01%";
}

static void scan_estimate(PlanPrinter *p, PrintNode *node, const PlanScan *scan)
{
    if (!scan->base.estimate_known) {
        if (p->options->verbose)
            print_field(p, node, "estimated row count",
                        arena_printf(p->arena, "%s (missing stats)", print_grouped(p->arena, scan->rows_scanned)));
        else
            print_field(p, node, "missing stats", NULL);
        return;
    }
    const char *age = scan->analyzed_at_us && !p->options->steady ? age_text(p->arena, scan->analyzed_at_us) : NULL;
    const char *source = p->options->steady ? "" : age ? arena_printf(p->arena, "; stats collected %s", age) : "; live row count";
    print_field(p, node, "estimated row count",
                arena_printf(p->arena, "%s (%s of the table%s)", print_grouped(p->arena, scan->rows_scanned),
                             percent_text(p->arena, scan->rows_scanned, scan->table_rows), source));
}

static void table_field(PlanPrinter *p, PrintNode *node, const TableDesc *table, const IndexDesc *index)
{
    print_field(p, node, "table",
                arena_printf(p->arena, "%s@%s%s", table->base.name, index->name, index->predicate ? " (partial index)" : ""));
}

static const char *lock_strength(LockMode mode)
{
    switch (mode) {
    case LOCK_KEY_SHARE: return "for key share";
    case LOCK_SHARE: return "for share";
    case LOCK_NO_KEY_UPDATE: return "for no key update";
    case LOCK_UPDATE: return "for update";
    }
    return "";
}

static void lock_fields(PlanPrinter *p, PrintNode *node, bool locking, LockMode mode, LockWait wait)
{
    if (!locking) return;
    print_field(p, node, "locking strength", lock_strength(mode));
    if (wait == LOCK_NOWAIT) print_field(p, node, "locking wait policy", "nowait");
    if (wait == LOCK_SKIP) print_field(p, node, "locking wait policy", "skip locked");
}

static const char *full_scan_words(const PlanScan *scan)
{
    if (scan->limit) return "LIMITED SCAN";
    return scan->rows_hint > 0 ? "FULL SCAN (SOFT LIMIT)" : "FULL SCAN";
}

static const char *skipped_columns(PlanPrinter *p, const PlanScan *scan)
{
    Buf out = {0};
    for (int i = 0; i < scan->skip_columns; i++)
        buf_printf(&out, "%s%s", i ? ", " : "", span_key_column(scan->table, scan->index, i, NULL)->name);
    const char *text = buf_to_str(&out, p->arena);
    buf_finish(&out);
    return text;
}

static PrintNode *scan_node(PlanPrinter *p, const PlanScan *scan, const char *name)
{
    PrintNode *node = new_node(p, name);
    verbose_fields(p, node, &scan->base);
    return node;
}

static void scan_fields(PlanPrinter *p, PrintNode *node, const PlanScan *scan, const char *spans)
{
    table_field(p, node, scan->table, scan->index);
    if (scan->skip_columns) print_field(p, node, "skip columns", skipped_columns(p, scan));
    int prefix_count;
    if (scan->prefix_spans.template_count)
        print_field(p, node, "prefix spans", plan_print_spans(p, &scan->prefix_spans, &prefix_count));
    print_field(p, node, "spans", spans);
    if (scan->limit) print_field(p, node, "limit", text_of(scan->limit, p));
    if (scan->prefix_limit) print_field(p, node, "limit per prefix", text_of(scan->prefix_limit, p));
    lock_fields(p, node, scan->locking, scan->lock_mode, scan->lock_wait);
}

static PrintNode *plain_scan(PlanPrinter *p, const PlanScan *scan)
{
    const char *name = scan->base.kind == PLAN_SKIP_SCAN       ? "skip scan"
                       : scan->base.kind == PLAN_DISTINCT_SCAN ? "distinct scan"
                       : scan->descending                      ? "revscan"
                                                               : "scan";
    PrintNode *node = scan_node(p, scan, name);
    stats_fields(p, node, &scan->base);
    scan_estimate(p, node, scan);
    int count = 0;
    const char *spans = scan->spans.template_count ? plan_print_spans(p, &scan->spans, &count) : full_scan_words(scan);
    scan_fields(p, node, scan, spans);
    plan_warn_scan(p, scan, count);
    plan_warn_estimate(p, scan);
    return node;
}

static PrintNode *stream_node(PlanPrinter *p, const PlanScan *scan, const char *spans)
{
    PrintNode *node = scan_node(p, scan, scan->descending ? "revscan" : "scan");
    scan_fields(p, node, scan, spans);
    return node;
}

/* One child per stream, all of them merged by the node above. */
static PrintNode *merge_node(PlanPrinter *p, const PlanScan *scan)
{
    PrintNode *node = new_node(p, "union all");
    LogicalSpan *spans;
    int count, shown = 0, hidden = 0;
    common_fields(p, node, &scan->base);
    if (!plan_print_expand(p, &scan->spans, &spans, &count)) {
        add_child(p, node, stream_node(p, scan, plan_print_spans(p, &scan->spans, &count)));
        return node;
    }
    for (int at = 0; at < count;) {
        int size = plan_print_stream_size(&scan->spans, spans, count, at, scan->stream_columns);
        if (shown < STREAMS_SHOWN) {
            add_child(p, node, stream_node(p, scan, plan_print_span_list(p, &scan->spans, spans + at, size)));
            shown++;
        } else {
            hidden++;
        }
        at += size;
    }
    if (!p->options->analyze) print_field(p, node, "streams", print_grouped(p->arena, shown + hidden));
    if (hidden) print_field(p, node, "not shown", arena_printf(p->arena, "%d more streams", hidden));
    return node;
}

static PrintNode *filter_over(PlanPrinter *p, const Plan *plan, const Expr *filter, PrintNode *below)
{
    if (!filter) return below;
    PrintNode *node = new_node(p, "filter");
    node->is_filter = true;
    below->plan = plan;
    verbose_fields(p, node, plan);
    estimate_field(p, node, plan, plan->rows_estimated);
    print_field(p, node, "filter", text_of(filter, p));
    add_child(p, node, below);
    return node;
}

static PrintNode *print_scan(PlanPrinter *p, const PlanScan *scan)
{
    if (scan->spans.contradiction) return new_node(p, "norows");
    PrintNode *node = scan->base.kind == PLAN_MERGE_STREAMS ? merge_node(p, scan) : plain_scan(p, scan);
    return filter_over(p, &scan->base, scan->filter, node);
}

static PrintNode *print_index_join(PlanPrinter *p, const PlanIndexJoin *join)
{
    PrintNode *node = new_node(p, "index join");
    common_fields(p, node, &join->base);
    table_field(p, node, join->table, table_primary(join->table));
    lock_fields(p, node, join->locking, join->lock_mode, join->lock_wait);
    add_child(p, node, print_plan(p, join->base.inputs[0]));
    return filter_over(p, &join->base, join->filter, node);
}

/* ---- joins ---- */

static const char *join_name(PlanPrinter *p, const char *method, JoinKind join)
{
    switch (join) {
    case JOIN_INNER: return p->options->verbose ? arena_printf(p->arena, "%s (inner)", method) : method;
    case JOIN_LEFT: return arena_printf(p->arena, "%s (left outer)", method);
    case JOIN_RIGHT: return arena_printf(p->arena, "%s (right outer)", method);
    case JOIN_FULL: return arena_printf(p->arena, "%s (full outer)", method);
    case JOIN_SEMI: return arena_printf(p->arena, "%s (semi)", method);
    case JOIN_ANTI: return arena_printf(p->arena, "%s (anti)", method);
    }
    return method;
}

static PrintNode *print_join(PlanPrinter *p, const PlanJoin *join, const char *method)
{
    PrintNode *node = new_node(p, join_name(p, method, join->join));
    common_fields(p, node, &join->base);
    if (join->key_count)
        print_field(p, node, "equality",
                    arena_printf(p->arena, "(%s) = (%s)",
                                 column_list(p, join->base.inputs[0], join->left_keys, join->key_count),
                                 column_list(p, join->base.inputs[1], join->right_keys, join->key_count)));
    if (join->left_keys_unique) print_field(p, node, "left cols are key", NULL);
    if (join->right_keys_unique) print_field(p, node, "right cols are key", NULL);
    if (join->condition) print_field(p, node, "pred", text_of(join->condition, p));
    add_child(p, node, print_plan(p, join->base.inputs[0]));
    add_child(p, node, print_plan(p, join->base.inputs[1]));
    return node;
}

/* Spans that are one point per key column read as equalities. */
static bool is_equality_lookup(const SpanSet *set)
{
    if (set->template_count != 1) return false;
    for (int i = 0; i < set->templates[0].part_count; i++) {
        const SpanPart *part = &set->templates[0].parts[i];
        if (part->kind == SPAN_COMPUTED) continue;
        if (part->kind != SPAN_POINTS || part->value_count != 1 || part->array || part->or_null) return false;
    }
    return true;
}

static const char *equality_text(PlanPrinter *p, const SpanSet *set)
{
    Buf left = {0}, right = {0};
    const SpanTemplate *template = &set->templates[0];
    for (int i = 0; i < template->part_count; i++) {
        const ColumnDesc *column = span_key_column(set->table, set->index, i, NULL);
        const SpanPart *part = &template->parts[i];
        const char *value = part->kind == SPAN_COMPUTED ? arena_printf(p->arena, "%s_eq", column->name)
                                                        : text_of(part->values[0], p);
        buf_printf(&left, "%s%s", i ? ", " : "", value);
        buf_printf(&right, "%s%s", i ? ", " : "", column->name);
    }
    const char *text = arena_printf(p->arena, "(%s) = (%s)", buf_to_str(&left, p->arena), buf_to_str(&right, p->arena));
    buf_finish(&left);
    buf_finish(&right);
    return text;
}

static PrintNode *print_lookup(PlanPrinter *p, const PlanLookupJoin *join)
{
    PrintNode *node = new_node(p, join_name(p, "lookup join", join->join));
    int count;
    common_fields(p, node, &join->base);
    table_field(p, node, join->table, join->index);
    if (is_equality_lookup(&join->spans))
        print_field(p, node, "equality", equality_text(p, &join->spans));
    else
        print_field(p, node, "lookup condition", plan_print_spans(p, &join->spans, &count));
    if (join->key_unique) print_field(p, node, "equality cols are key", NULL);
    if (join->condition) print_field(p, node, "pred", text_of(join->condition, p));
    add_child(p, node, print_plan(p, join->base.inputs[0]));
    return node;
}

/* ---- rows made of rows ---- */

static PrintNode *over_inputs(PlanPrinter *p, const Plan *plan, const char *name)
{
    PrintNode *node = new_node(p, name);
    common_fields(p, node, plan);
    return node;
}

static PrintNode *window_node(PlanPrinter *p, const PlanWindow *window)
{
    PrintNode *node = over_inputs(p, &window->base, "window");
    if (!window->stop) return node;
    const char *function = expr_text(&window->functions[window->stop_function]->base, p->arena);
    print_field(p, node, "stop", arena_printf(p->arena, "%s > %s", function, text_of(window->stop, p)));
    return node;
}

static PrintNode *with_inputs(PlanPrinter *p, PrintNode *node, const Plan *plan)
{
    for (int i = 0; i < plan->input_count; i++) add_child(p, node, print_plan(p, plan->inputs[i]));
    return node;
}

static PrintNode *print_project(PlanPrinter *p, const PlanProject *project)
{
    if (!p->options->verbose && !p->options->types) return print_plan(p, project->base.inputs[0]);
    PrintNode *node = over_inputs(p, &project->base, "render");
    for (int i = 0; i < project->base.column_count; i++)
        print_field(p, node, arena_printf(p->arena, "render %s", project->base.names[i]), text_of(project->exprs[i], p));
    return with_inputs(p, node, &project->base);
}

static PrintNode *print_values(PlanPrinter *p, const PlanValues *values)
{
    const Plan *plan = &values->base;
    if (values->row_count == 0) return new_node(p, "norows");
    if (values->row_count == 1 && plan->column_count == 0) return new_node(p, "emptyrow");
    PrintNode *node = over_inputs(p, plan, "values");
    print_field(p, node, "size",
                arena_printf(p->arena, "%d column%s, %d row%s", plan->column_count, plan->column_count == 1 ? "" : "s",
                             values->row_count, values->row_count == 1 ? "" : "s"));
    for (int r = 0; p->options->verbose && r < values->row_count && r < 16; r++)
        for (int c = 0; c < plan->column_count; c++)
            print_field(p, node, arena_printf(p->arena, "row %d, expr %d", r, c), text_of(values->rows[r][c], p));
    return node;
}

static PrintNode *print_limit(PlanPrinter *p, const PlanLimit *limit)
{
    PrintNode *node = over_inputs(p, &limit->base, "limit");
    if (limit->limit) print_field(p, node, "count", text_of(limit->limit, p));
    if (limit->offset) print_field(p, node, "offset", text_of(limit->offset, p));
    return with_inputs(p, node, &limit->base);
}

static PrintNode *print_sort(PlanPrinter *p, const PlanSort *sort)
{
    PrintNode *node = over_inputs(p, &sort->base, sort->base.kind == PLAN_TOP_K ? "top-k" : "sort");
    print_field(p, node, "order", order_text(p, sort->keys, sort->key_count));
    if (sort->k) print_field(p, node, "k", text_of(sort->k, p));
    if (sort->keys_already_ordered)
        print_field(p, node, "already ordered", order_text(p, sort->keys, sort->keys_already_ordered));
    plan_warn_sort(p, sort);
    return with_inputs(p, node, &sort->base);
}

static PrintNode *print_distinct(PlanPrinter *p, const PlanDistinct *distinct)
{
    PrintNode *node = over_inputs(p, &distinct->base, "distinct");
    const char *on = column_list(p, distinct->base.inputs[0], distinct->on, distinct->on_count);
    print_field(p, node, "distinct on", on);
    if (distinct->input_ordered) print_field(p, node, "order key", on);
    return with_inputs(p, node, &distinct->base);
}

static const char *group_name(const PlanAggregate *group)
{
    if (group->scalar) return "group (scalar)";
    if (group->key_count && group->keys_ordered == group->key_count) return "group (streaming)";
    return group->keys_ordered ? "group (partial streaming)" : "group (hash)";
}

static PrintNode *print_group(PlanPrinter *p, const PlanAggregate *group)
{
    PrintNode *node = over_inputs(p, &group->base, group_name(group));
    for (int i = 0; p->options->verbose && i < group->aggregate_count; i++)
        print_field(p, node, arena_printf(p->arena, "aggregate %d", i), text_of(&group->aggregates[i]->base, p));
    const Plan *input = group->base.inputs[0];
    if (group->key_count) print_field(p, node, "group by", column_list(p, input, group->keys, group->key_count));
    if (group->keys_ordered) print_field(p, node, "ordered", order_text(p, input->order, group->keys_ordered));
    return with_inputs(p, node, &group->base);
}

static PrintNode *print_set_op(PlanPrinter *p, const PlanSetOp *set_op)
{
    static const char *const names[] = {"union", "intersect", "except"};
    const char *name = names[set_op->op];
    PrintNode *node = over_inputs(p, &set_op->base, set_op->all ? arena_printf(p->arena, "%s all", name) : name);
    return with_inputs(p, node, &set_op->base);
}

/* ---- WITH ---- */

static const char *buffer_label(PlanPrinter *p, const Cte *cte)
{
    return arena_printf(p->arena, "buffer %d (%s)", cte->number + 1, cte->name);
}

static PrintNode *print_with(PlanPrinter *p, const PlanWith *with)
{
    for (int i = 0; i < with->cte_count; i++) {
        PrintNode *sub = new_node(p, "subquery"), *buffer = new_node(p, "buffer");
        print_field(p, sub, "id", arena_printf(p->arena, "@S%d", p->subqueries.count + 1));
        print_field(p, sub, "exec mode", "all rows");
        print_field(p, buffer, "label", buffer_label(p, with->ctes[i]));
        VEC_PUSH(p->arena, p->subqueries, sub);
        add_child(p, sub, buffer);
        add_child(p, buffer, print_plan(p, with->plans[i]));
    }
    return print_plan(p, with->base.inputs[0]);
}

static PrintNode *print_cte(PlanPrinter *p, const PlanCte *cte, const char *name)
{
    PrintNode *node = over_inputs(p, &cte->base, name);
    print_field(p, node, "label", buffer_label(p, cte->cte));
    return with_inputs(p, node, &cte->base);
}

/* ---- changes ---- */

static const char *table_columns(PlanPrinter *p, const TableDesc *table, Expr *const *only)
{
    Buf out = {0};
    for (int i = 0; i < table->columns.count; i++) {
        const ColumnDesc *column = &table->columns.items[i];
        if (only ? !only[i] : column->hidden) continue;
        buf_printf(&out, "%s%s", out.size ? ", " : "", column->name);
    }
    const char *text = buf_to_str(&out, p->arena);
    buf_finish(&out);
    return text ? text : "";
}

static void arbiter_field(PlanPrinter *p, PrintNode *node, const RelInsert *insert)
{
    Buf out = {0};
    const TableDesc *table = insert->target.table;
    if (insert->conflict == CONFLICT_ERROR) return;
    for (int i = 0; i < insert->arbiter_count; i++)
        buf_printf(&out, "%s%s", i ? ", " : "", insert->arbiters[i]->name);
    for (int i = 0; insert->arbiter_count == 0 && i < table->indexes.count; i++)
        if (table->indexes.items[i].unique)
            buf_printf(&out, "%s%s", out.size ? ", " : "", table->indexes.items[i].name);
    print_field(p, node, "arbiter indexes", buf_to_str(&out, p->arena));
    buf_finish(&out);
}

static PrintNode *print_insert(PlanPrinter *p, const PlanInsert *plan)
{
    const RelInsert *insert = plan->insert;
    const TableDesc *table = insert->target.table;
    PrintNode *node = over_inputs(p, &plan->base, insert->conflict == CONFLICT_UPSERT ? "upsert" : "insert");
    print_field(p, node, "into", arena_printf(p->arena, "%s(%s)", table->base.name, table_columns(p, table, NULL)));
    print_field(p, node, "auto commit", NULL);
    arbiter_field(p, node, insert);
    return with_inputs(p, node, &plan->base);
}

static PrintNode *print_update(PlanPrinter *p, const PlanUpdate *plan)
{
    const TableDesc *table = plan->update->target.table;
    PrintNode *node = over_inputs(p, &plan->base, "update");
    print_field(p, node, "table", table->base.name);
    print_field(p, node, "set", table_columns(p, table, plan->update->set));
    print_field(p, node, "auto commit", NULL);
    return with_inputs(p, node, &plan->base);
}

static PrintNode *print_delete(PlanPrinter *p, const PlanDelete *plan)
{
    PrintNode *node = over_inputs(p, &plan->base, "delete");
    print_field(p, node, "from", plan->delete_->target.table->base.name);
    print_field(p, node, "auto commit", NULL);
    return with_inputs(p, node, &plan->base);
}

static PrintNode *print_lock(PlanPrinter *p, const PlanLock *lock)
{
    PrintNode *node = over_inputs(p, &lock->base, "lock");
    for (int i = 0; i < lock->item_count; i++) {
        print_field(p, node, "table", lock->items[i].table->base.name);
        lock_fields(p, node, true, lock->items[i].mode, lock->items[i].wait);
    }
    return with_inputs(p, node, &lock->base);
}

static PrintNode *print_system(PlanPrinter *p, const PlanSystem *system)
{
    PrintNode *node = over_inputs(p, &system->base, "virtual table");
    print_field(p, node, "table", arena_printf(p->arena, "%s@primary", system->relation->name));
    if (system->filter_value) print_field(p, node, "looked up by", text_of(system->filter_value, p));
    return node;
}

static PrintNode *print_filter(PlanPrinter *p, const PlanFilter *filter)
{
    PrintNode *node = over_inputs(p, &filter->base, "filter");
    print_field(p, node, "filter", text_of(filter->condition, p));
    return with_inputs(p, node, &filter->base);
}

/* ---- the dispatch ---- */

static PrintNode *print_kind(PlanPrinter *p, const Plan *plan)
{
    switch (plan->kind) {
    case PLAN_SCAN:
    case PLAN_SKIP_SCAN:
    case PLAN_DISTINCT_SCAN:
    case PLAN_MERGE_STREAMS: return print_scan(p, (const PlanScan *)plan);
    case PLAN_INDEX_JOIN: return print_index_join(p, (const PlanIndexJoin *)plan);
    case PLAN_SYSTEM: return print_system(p, (const PlanSystem *)plan);
    case PLAN_VALUES: return print_values(p, (const PlanValues *)plan);
    case PLAN_FILTER: return print_filter(p, (const PlanFilter *)plan);
    case PLAN_PROJECT: return print_project(p, (const PlanProject *)plan);
    case PLAN_LIMIT: return print_limit(p, (const PlanLimit *)plan);
    case PLAN_SORT:
    case PLAN_TOP_K: return print_sort(p, (const PlanSort *)plan);
    case PLAN_DISTINCT: return print_distinct(p, (const PlanDistinct *)plan);
    case PLAN_HASH_JOIN: return print_join(p, (const PlanJoin *)plan, "hash join");
    case PLAN_MERGE_JOIN: return print_join(p, (const PlanJoin *)plan, "merge join");
    case PLAN_NESTED_LOOP: return print_join(p, (const PlanJoin *)plan, "cross join");
    case PLAN_APPLY: return print_join(p, (const PlanJoin *)plan, "apply join");
    case PLAN_LOOKUP_JOIN: return print_lookup(p, (const PlanLookupJoin *)plan);
    case PLAN_AGGREGATE: return print_group(p, (const PlanAggregate *)plan);
    case PLAN_SET_OP: return print_set_op(p, (const PlanSetOp *)plan);
    case PLAN_WITH: return print_with(p, (const PlanWith *)plan);
    case PLAN_CTE:
    case PLAN_WORKING_TABLE: return print_cte(p, (const PlanCte *)plan, "scan buffer");
    case PLAN_RECURSIVE: return print_cte(p, (const PlanCte *)plan, "recursive cte");
    case PLAN_LOCK: return print_lock(p, (const PlanLock *)plan);
    case PLAN_INSERT: return print_insert(p, (const PlanInsert *)plan);
    case PLAN_UPDATE: return print_update(p, (const PlanUpdate *)plan);
    case PLAN_DELETE: return print_delete(p, (const PlanDelete *)plan);
    case PLAN_FUNCTION: return over_inputs(p, plan, "project set");
    case PLAN_PROJECT_SET: return with_inputs(p, over_inputs(p, plan, "project set"), plan);
    case PLAN_WINDOW: return with_inputs(p, window_node(p, (const PlanWindow *)plan), plan);
    case PLAN_APPEND: return with_inputs(p, over_inputs(p, plan, "union all"), plan);
    case PLAN_UTILITY: return new_node(p, ((const PlanUtility *)plan)->tag);
    }
    return new_node(p, "?");
}

static PrintNode *print_plan(PlanPrinter *p, const Plan *plan)
{
    union {
        const Plan *in;
        Plan *out;
    } readable = {plan};
    PrintNode *node = print_kind(p, plan);
    if (!node->plan && plan->kind != PLAN_PROJECT && plan->kind != PLAN_WITH) node->plan = plan;
    if (plan->kind != PLAN_INSERT) plan_each_expr(readable.out, add_subqueries, p);
    return node;
}

PrintNode *plan_print_tree(PlanPrinter *p, const Plan *plan)
{
    return print_plan(p, plan);
}
