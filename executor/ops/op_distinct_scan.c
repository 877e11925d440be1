/* op_distinct_scan.c - the first row of each distinct prefix of the key, within the spans and past the filter.
 *
 * When a row is found the scan leaps behind all keys that share its prefix: one seek a prefix, whatever lies under it.
 */
#include "executor/eval.h"
#include "executor/ops/op_classes.h"
#include "executor/ops/scan_reader.h"

enum { ROWS_FIRST = 1, ROWS_MAX = 64, OUT_ROWS_MAX = 128 };

typedef struct OpDistinctScan {
    Op base;
    ScanReader reader;     /* its access and columns; the scan itself is run here */
    Program *filter;
    int *ordinals;         /* what is read: the reader's columns, then the prefix */
    int column_count;
    Value **vectors, **out;
    Slice *keys;
    Value *prefix;
    TableScan *scan;
    Arena *rows_arena;     /* reset per batch of rows read */
    int rows, row;         /* read; the one at hand */
    int wanted;            /* how many to read next */
    bool *passes;          /* per row read: the filter lets it through */
    Buf last;              /* the key bytes of the prefix found last; size 0: none */
    int64_t limit, returned;
} OpDistinctScan;

static Status init(OpDistinctScan *self)
{
    Op *op = &self->base;
    const PlanScan *plan = (const PlanScan *)op->plan;
    Arena *arena = op->exec->arena;
    scan_reader_init(&self->reader, op, plan);
    self->column_count = self->reader.column_count + plan->skip_columns;
    self->ordinals = ARENA_ARRAY(arena, int, self->column_count + 1);
    self->vectors = ARENA_ARRAY(arena, Value *, self->column_count + 1);
    self->out = ARENA_ARRAY(arena, Value *, op->plan->column_count + 1);
    self->prefix = ARENA_ARRAY(arena, Value, plan->skip_columns + 1);
    self->keys = ARENA_ARRAY(arena, Slice, ROWS_MAX);
    for (int i = 0; i < self->reader.column_count; i++) self->ordinals[i] = self->reader.ordinals[i];
    for (int i = 0; i < plan->skip_columns; i++) {
        const ColumnDesc *column = span_key_column(plan->table, plan->index, i, NULL);
        self->ordinals[self->reader.column_count + i] = table_column_by_id(plan->table, column->id);
    }
    for (int i = 0; i < self->column_count; i++) self->vectors[i] = ARENA_ARRAY(arena, Value, ROWS_MAX);
    for (int i = 0; i < op->plan->column_count; i++) self->out[i] = ARENA_ARRAY(arena, Value, OUT_ROWS_MAX);
    if (!plan->filter) return ST_OK;
    return eval_compile(op->exec, (Expr *const *)&plan->filter, 1, op->plan->columns, op->plan->column_count, &self->filter);
}

static Status distinct_open(Op *op)
{
    OpDistinctScan *self = (OpDistinctScan *)op;
    const PlanScan *plan = (const PlanScan *)op->plan;
    if (!self->reader.access) TRY(init(self));
    self->scan = NULL;
    self->returned = 0;
    self->limit = -1;
    self->rows_arena = arena_create(op->arena, 0);
    self->rows = self->row = 0;
    self->wanted = ROWS_FIRST;
    buf_clear(&self->last);
    if (plan->limit) {
        Value limit;
        TRY(eval_single(op->exec, plan->limit, &limit, op->arena));
        if (!limit.null) self->limit = limit.i;
    }
    KeySpanList spans;
    TRY(key_spans_expand(op->exec, self->reader.access, &plan->spans, &spans, op->arena));
    key_spans_count_ranges(op, &spans);
    if (spans.count == 0) return ST_OK;
    TableScanOptions options = {.index = plan->index, .spans = spans.spans, .span_count = spans.count,
                                .descending = plan->descending, .columns = self->ordinals,
                                .column_count = self->column_count, .limit_hint = ROWS_FIRST,
                                .want_keys = self->reader.want_keys};
    return table_scan_open(self->reader.access, op->exec->txn, &options, &self->scan, op->arena, op->exec->err);
}

/* Reads some rows and asks the filter. */
static Status read_rows(OpDistinctScan *self)
{
    Op *op = &self->base;
    const PlanScan *plan = (const PlanScan *)op->plan;
    arena_reset(self->rows_arena);
    self->row = self->rows = 0;
    TRY(table_scan_next(self->scan, self->vectors, self->keys, self->wanted, &self->rows, op->exec->err));
    self->wanted = self->wanted < ROWS_MAX ? 4 * self->wanted : ROWS_MAX;
    self->passes = ARENA_ARRAY(self->rows_arena, bool, self->rows);
    for (int i = 0; i < self->rows; i++) self->passes[i] = !self->filter;
    if (!self->filter) return ST_OK;
    Batch batch = {.column_count = op->plan->column_count, .row_count = self->rows};
    batch.columns = ARENA_ARRAY(self->rows_arena, Value *, batch.column_count + 1);
    Value *keys = ARENA_ARRAY(self->rows_arena, Value, self->rows);
    for (int i = 0; self->reader.key_column >= 0 && i < self->rows; i++) keys[i] = value_slice(self->keys[i]);
    for (int c = 0, v = 0; c < batch.column_count; c++)
        batch.columns[c] = plan->ordinals[c] < 0 ? keys : self->vectors[v++];
    int *selected = ARENA_ARRAY(self->rows_arena, int, self->rows), count;
    TRY(eval_filter(self->filter, &batch, self->rows_arena, selected, &count));
    for (int i = 0; i < count; i++) self->passes[selected[i]] = true;
    return ST_OK;
}

static void keep_row(OpDistinctScan *self, int row, int at)
{
    Op *op = &self->base;
    const PlanScan *plan = (const PlanScan *)op->plan;
    for (int c = 0, v = 0; c < op->plan->column_count; c++) {
        Value value = plan->ordinals[c] < 0 ? value_slice(self->keys[row]) : self->vectors[v++][row];
        self->out[c][at] = value.null ? VALUE_NULL : value_copy(exec_type(op->plan->types[c].oid), value, op->batch_arena);
    }
}

/* The keys that share the row's prefix. */
static Status prefix_of(OpDistinctScan *self, int row, KeySpan *keys)
{
    Op *op = &self->base;
    const PlanScan *plan = (const PlanScan *)op->plan;
    for (int i = 0; i < plan->skip_columns; i++) self->prefix[i] = self->vectors[self->reader.column_count + i][row];
    LogicalSpan prefix = {.start = self->prefix, .end = self->prefix, .start_count = plan->skip_columns,
                          .end_count = plan->skip_columns, .start_inclusive = true, .end_inclusive = true};
    return key_span_encode(op->exec, self->reader.access, plan->index, &prefix, keys, self->rows_arena);
}

/* Behind the rows at hand: past the prefix found last, if the last of them is still in it. */
static Status move_on(OpDistinctScan *self)
{
    const PlanScan *plan = (const PlanScan *)self->base.plan;
    KeySpan keys;
    if (self->rows == 0) return ST_OK;
    TRY(prefix_of(self, self->rows - 1, &keys));
    if (!slice_equal(keys.start, buf_slice(&self->last))) return ST_OK;
    self->wanted = ROWS_FIRST;
    return table_scan_seek(self->scan, plan->descending ? keys.start : keys.end, self->base.exec->err);
}

/* One row; ST_END when there is no further prefix. */
static Status next_first(OpDistinctScan *self, int at)
{
    for (;;) {
        if (self->row == self->rows) {
            TRY(move_on(self));
            TRY(read_rows(self));
        }
        int row = self->row++;
        KeySpan keys;
        if (!self->passes[row]) continue;
        TRY(prefix_of(self, row, &keys));
        if (slice_equal(keys.start, buf_slice(&self->last))) continue;
        buf_clear(&self->last);
        buf_put(&self->last, keys.start.data, keys.start.size);
        self->base.stats->prefixes++;
        keep_row(self, row, at);
        return ST_OK;
    }
}

static Status distinct_next(Op *op, Batch *batch)
{
    OpDistinctScan *self = (OpDistinctScan *)op;
    int wanted = OUT_ROWS_MAX, rows = 0;
    if (!self->scan) return ST_END;
    if (op->rows_wanted && op->rows_wanted < wanted) wanted = op->rows_wanted;
    if (self->limit >= 0 && self->limit - self->returned < wanted) wanted = (int)(self->limit - self->returned);
    while (rows < wanted) {
        Status st = next_first(self, rows);
        if (st == ST_END) break;
        TRY(st);
        rows++;
    }
    if (rows == 0) return ST_END;
    self->returned += rows;
    *batch = (Batch){.columns = self->out, .column_count = op->plan->column_count, .row_count = rows};
    return ST_OK;
}

static void distinct_close(Op *op)
{
    OpDistinctScan *self = (OpDistinctScan *)op;
    if (self->scan) table_scan_close(self->scan);
    self->scan = NULL;
    buf_finish(&self->last);
    eval_close(self->filter);
}

const OpClass op_distinct_scan_class = {"distinct scan", sizeof(OpDistinctScan), distinct_open, distinct_next, NULL,
                                        distinct_close};
