/* op_skip_scan.c - steps over leading key columns of few distinct values, all of them or those within their own spans.
 *
 * For each distinct prefix: seek to it, read its rows within the spans that constrain the columns behind it, and seek past
 * it. One seek finds the next prefix, so the cost is a few seeks per prefix instead of all rows.
 */
#include <assert.h>

#include "executor/eval.h"
#include "executor/ops/op_classes.h"
#include "executor/ops/scan_reader.h"

typedef struct OpSkipScan {
    Op base;
    ScanReader reader;
    Program *filter;
    int *prefix_ordinals;      /* the table's columns that are stepped over */
    Value *prefix;             /* the current prefix */
    Value **prefix_vectors;
    TableScan *finder;         /* looks for the next prefix; reads the prefix columns only */
    LogicalSpan *spans;        /* over the columns behind the prefix */
    int span_count;
    Arena *prefix_arena;       /* reset per prefix */
    Slice end_of_prefix;       /* where the finder goes on; size 0: at the start */
    int64_t limit, returned;
    int64_t each, left;        /* rows of each prefix that are enough, -1: all; of this one still to come */
    bool inside;               /* the reader reads the current prefix's rows */
} OpSkipScan;

static Status skip_init(OpSkipScan *self)
{
    Op *op = &self->base;
    const PlanScan *plan = (const PlanScan *)op->plan;
    Arena *arena = op->exec->arena;
    scan_reader_init(&self->reader, op, plan);
    self->prefix_ordinals = ARENA_ARRAY(arena, int, plan->skip_columns + 1);
    self->prefix = ARENA_ARRAY(arena, Value, plan->skip_columns + 1);
    self->prefix_vectors = ARENA_ARRAY(arena, Value *, plan->skip_columns + 1);
    for (int i = 0; i < plan->skip_columns; i++) {
        bool descending;
        const ColumnDesc *column = span_key_column(plan->table, plan->index, i, &descending);
        self->prefix_ordinals[i] = table_column_by_id(plan->table, column->id);
        self->prefix_vectors[i] = ARENA_ARRAY(arena, Value, 1);
    }
    if (!plan->filter) return ST_OK;
    return eval_compile(op->exec, (Expr *const *)&plan->filter, 1, op->plan->columns, op->plan->column_count,
                        &self->filter);
}

static Status eval_bound(void *argument, Expr *e, Value *value, Error *err)
{
    Op *op = argument;
    return eval_single(op->exec, e, value, op->arena);
}

static Status open_finder(OpSkipScan *self)
{
    Op *op = &self->base;
    const PlanScan *plan = (const PlanScan *)op->plan;
    KeySpanList within;
    TRY(key_spans_expand(op->exec, self->reader.access, &plan->prefix_spans, &within, op->arena));
    key_spans_count_ranges(op, &within);
    if (within.count == 0) return ST_OK;
    TableScanOptions options = {.index = plan->index, .spans = within.spans, .span_count = within.count,
                                .descending = plan->descending, .columns = self->prefix_ordinals,
                                .column_count = plan->skip_columns, .limit_hint = 1};
    return table_scan_open(self->reader.access, op->exec->txn, &options, &self->finder, op->arena, op->exec->err);
}

static Status skip_open(Op *op)
{
    OpSkipScan *self = (OpSkipScan *)op;
    const PlanScan *plan = (const PlanScan *)op->plan;
    if (!self->reader.access) TRY(skip_init(self));
    self->inside = false;
    self->returned = 0;
    self->limit = -1;
    self->each = plan->first_of_prefix ? 1 : -1;
    self->end_of_prefix = (Slice){0};
    self->prefix_arena = arena_create(op->arena, 0);
    self->finder = NULL;
    if (plan->limit) {
        Value limit;
        TRY(eval_single(op->exec, plan->limit, &limit, op->arena));
        if (!limit.null) self->limit = limit.i;
    }
    if (plan->prefix_limit) {
        Value each;
        TRY(eval_single(op->exec, plan->prefix_limit, &each, op->arena));
        if (!each.null) self->each = each.i > 0 ? each.i : 0;
    }
    if (plan->spans.contradiction || self->each == 0) return ST_OK;
    if (!plan->spans.template_count) return open_finder(self);
    TRY(span_expand(&plan->spans, eval_bound, op, &self->spans, &self->span_count, op->arena, op->exec->err));
    /* A bound that is NULL matches nothing. */
    return self->span_count ? open_finder(self) : ST_OK;
}

/* The prefix's values in front of a span's bound. */
static const Value *with_prefix(OpSkipScan *self, const Value *bound, int count)
{
    const PlanScan *plan = (const PlanScan *)self->base.plan;
    Value *values = ARENA_ARRAY(self->prefix_arena, Value, plan->skip_columns + count + 1);
    memcpy(values, self->prefix, sizeof(Value) * (size_t)plan->skip_columns);
    if (count) memcpy(values + plan->skip_columns, bound, sizeof(Value) * (size_t)count);
    return values;
}

static Status prefix_spans(OpSkipScan *self, KeySpanList *list)
{
    Op *op = &self->base;
    const PlanScan *plan = (const PlanScan *)op->plan;
    LogicalSpan alone = {.start_inclusive = true, .end_inclusive = true};
    const LogicalSpan *spans = self->span_count ? self->spans : &alone;
    int count = self->span_count ? self->span_count : 1;
    list->spans = ARENA_ARRAY(self->prefix_arena, KeySpan, count);
    list->count = 0;
    for (int i = 0; i < count; i++) {
        LogicalSpan span = spans[i];
        Value *bound;
        memcpy(&bound, &(const Value *){with_prefix(self, span.start, span.start_count)}, sizeof bound);
        span.start = bound;
        memcpy(&bound, &(const Value *){with_prefix(self, span.end, span.end_count)}, sizeof bound);
        span.end = bound;
        if (span.start_count == 0) span.start_inclusive = true;
        if (span.end_count == 0) span.end_inclusive = true;
        span.start_count += plan->skip_columns;
        span.end_count += plan->skip_columns;
        KeySpan *out = &list->spans[list->count];
        TRY(key_span_encode(op->exec, self->reader.access, plan->index, &span, out, self->prefix_arena));
        if (slice_compare(out->start, out->end) < 0) list->count++;
    }
    return ST_OK;
}

/* Finds the next distinct prefix and starts reading its rows. ST_END: there is none. */
static Status next_prefix(OpSkipScan *self)
{
    Op *op = &self->base;
    const PlanScan *plan = (const PlanScan *)op->plan;
    if (!self->finder) return ST_END;
    if (self->end_of_prefix.size) TRY(table_scan_seek(self->finder, self->end_of_prefix, op->exec->err));
    int rows;
    TRY(table_scan_next(self->finder, self->prefix_vectors, NULL, 1, &rows, op->exec->err));
    arena_reset(self->prefix_arena);
    for (int i = 0; i < plan->skip_columns; i++) {
        const ColumnDesc *column = &plan->table->columns.items[self->prefix_ordinals[i]];
        Value v = self->prefix_vectors[i][0];
        self->prefix[i] = v.null ? VALUE_NULL : value_copy(exec_type(column->type.oid), v, self->prefix_arena);
    }
    KeySpan whole;
    LogicalSpan prefix = {.start = self->prefix, .end = self->prefix, .start_count = plan->skip_columns,
                          .end_count = plan->skip_columns, .start_inclusive = true, .end_inclusive = true};
    TRY(key_span_encode(op->exec, self->reader.access, plan->index, &prefix, &whole, self->prefix_arena));
    self->end_of_prefix = plan->descending ? whole.start : whole.end;
    KeySpanList spans;
    TRY(prefix_spans(self, &spans));
    op->stats->prefixes++;
    self->inside = true;
    self->left = self->each;
    return scan_reader_start(&self->reader, &spans, 0);
}

static void leave_prefix(OpSkipScan *self)
{
    scan_reader_stop(&self->reader);
    self->inside = false;
}

static void cut_batch(Batch *batch, int rows)
{
    if (batch->selected)
        batch->selected_count = rows;
    else
        batch->row_count = rows;
}

/* The next rows past the filter. A prefix is left only when its last rows, which are borrowed from its scan, are used. */
static Status next_rows(OpSkipScan *self, Batch *batch)
{
    Op *op = &self->base;
    for (;;) {
        if (self->inside && self->left == 0) leave_prefix(self);
        if (!self->inside) TRY(next_prefix(self));
        int wanted = op->rows_wanted;
        if (self->left > 0 && (wanted == 0 || self->left < wanted)) wanted = self->left < BATCH_ROWS_MAX ? (int)self->left : 0;
        Status st = scan_reader_next(&self->reader, wanted, batch);
        if (st == ST_ERROR) return st;
        if (st == ST_END) {
            leave_prefix(self);
            continue;
        }
        if (self->filter) {
            int *selected = ARENA_ARRAY(op->batch_arena, int, batch->row_count);
            TRY(eval_filter(self->filter, batch, op->batch_arena, selected, &batch->selected_count));
            batch->selected = selected;
        }
        if (self->each < 0) return ST_OK;
        if (batch_rows(batch) > self->left) cut_batch(batch, (int)self->left);
        self->left -= batch_rows(batch);
        if (batch_rows(batch)) return ST_OK;
    }
}

static Status skip_next(Op *op, Batch *batch)
{
    OpSkipScan *self = (OpSkipScan *)op;
    if (self->limit >= 0 && self->returned >= self->limit) return ST_END;
    TRY(next_rows(self, batch));
    if (self->limit >= 0 && batch_rows(batch) > self->limit - self->returned)
        cut_batch(batch, (int)(self->limit - self->returned));
    self->returned += batch_rows(batch);
    return ST_OK;
}

static void skip_close(Op *op)
{
    OpSkipScan *self = (OpSkipScan *)op;
    scan_reader_stop(&self->reader);
    if (self->finder) table_scan_close(self->finder);
    self->finder = NULL;
    eval_close(self->filter);
}

const OpClass op_skip_scan_class = {"skip scan", sizeof(OpSkipScan), skip_open, skip_next, NULL, skip_close};
