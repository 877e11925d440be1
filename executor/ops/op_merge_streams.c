/* op_merge_streams.c - one ordered stream per combination of leading key values, merged on the rest of the key.
 *
 * A stream is a scan of its own that reads in small, growing batches and no further than it is asked: ORDER BY ts LIMIT
 * 100 over 16 buckets reads about 100 + 16 entries. The heap holds the streams by their next row.
 */
#include <assert.h>

#include "executor/eval.h"
#include "executor/ops/key_spans.h"
#include "executor/ops/op_classes.h"
#include "executor/sorter.h"

enum { STREAM_ROWS_FIRST = 4 };

typedef struct Stream {
    TableScan *scan;
    Value **vectors;  /* what the scan fills */
    Value **out;      /* by output column */
    Value *key_vector;
    Slice *keys;
    int capacity, rows, next, batch_rows;
    int number;
    const int *selected; /* rows that passed the filter; NULL: all */
    int selected_count;
    Arena *arena;     /* of the filter's results */
} Stream;

typedef struct OpMergeStreams {
    Op base;
    TableAccess *access;
    int *ordinals, column_count, key_column;
    SorterKey *keys;
    int key_count;
    Program *filter;
    Stream *streams;
    int stream_count;
    Stream **heap;
    int heap_count;
    Value **out;
    int out_capacity, last_rows;
    int64_t limit, returned;
    bool started;
} OpMergeStreams;

static Status streams_init(OpMergeStreams *self)
{
    Op *op = &self->base;
    const PlanScan *plan = (const PlanScan *)op->plan;
    Arena *arena = op->exec->arena;
    int columns = op->plan->column_count;
    self->access = table_access_create(plan->table, arena);
    self->ordinals = ARENA_ARRAY(arena, int, columns + 1);
    self->out = ARENA_ARRAY(arena, Value *, columns + 1);
    self->key_column = -1;
    for (int i = 0; i < columns; i++) {
        if (plan->ordinals[i] < 0)
            self->key_column = i;
        else
            self->ordinals[self->column_count++] = plan->ordinals[i];
    }
    self->keys = sorter_keys(op->plan, op->plan->order, op->plan->order_count, arena);
    self->key_count = op->plan->order_count;
    if (!plan->filter) return ST_OK;
    return eval_compile(op->exec, (Expr *const *)&plan->filter, 1, op->plan->columns, columns, &self->filter);
}

/* ---- streams ---- */

static bool shares_prefix(Slice a, Slice b, size_t size)
{
    return a.size >= size && b.size >= size && memcmp(a.data, b.data, size) == 0;
}

/* Spans of one stream follow each other. */
static Status open_stream(OpMergeStreams *self, const KeySpan *spans, int count)
{
    Op *op = &self->base;
    const PlanScan *plan = (const PlanScan *)op->plan;
    Stream *stream = &self->streams[self->stream_count];
    stream->number = self->stream_count++;
    stream->batch_rows = STREAM_ROWS_FIRST;
    stream->vectors = ARENA_ARRAY(op->arena, Value *, self->column_count + 1);
    stream->out = ARENA_ARRAY(op->arena, Value *, op->plan->column_count + 1);
    stream->arena = arena_create(op->arena, 0);
    TableScanOptions options = {.index = plan->index, .spans = spans, .span_count = count, .descending = plan->descending,
                                .columns = self->ordinals, .column_count = self->column_count,
                                .limit_hint = STREAM_ROWS_FIRST, .want_keys = self->key_column >= 0};
    return table_scan_open(self->access, op->exec->txn, &options, &stream->scan, op->arena, op->exec->err);
}

static void stream_room(OpMergeStreams *self, Stream *stream)
{
    Op *op = &self->base;
    if (stream->batch_rows <= stream->capacity) return;
    stream->capacity = stream->batch_rows;
    for (int i = 0; i < self->column_count; i++) stream->vectors[i] = ARENA_ARRAY(op->arena, Value, stream->capacity);
    if (self->key_column >= 0) {
        stream->keys = ARENA_ARRAY(op->arena, Slice, stream->capacity);
        stream->key_vector = ARENA_ARRAY(op->arena, Value, stream->capacity);
    }
    for (int i = 0, v = 0; i < op->plan->column_count; i++)
        stream->out[i] = i == self->key_column ? stream->key_vector : stream->vectors[v++];
}

/* The stream's next rows; ST_END when it is dry. */
static Status stream_fill(OpMergeStreams *self, Stream *stream)
{
    Op *op = &self->base;
    do {
        stream_room(self, stream);
        int rows = stream->batch_rows;
        stream->rows = stream->next = 0;
        TRY(table_scan_next(stream->scan, stream->vectors, stream->keys, rows, &stream->rows, op->exec->err));
        if (stream->batch_rows < BATCH_ROWS_MAX / 4) stream->batch_rows *= 2;
        if (self->key_column >= 0)
            for (int i = 0; i < stream->rows; i++) stream->key_vector[i] = value_slice(stream->keys[i]);
        if (!self->filter) return ST_OK;
        arena_reset(stream->arena);
        int *selected = ARENA_ARRAY(stream->arena, int, stream->rows);
        Batch batch = {.columns = stream->out, .column_count = op->plan->column_count, .row_count = stream->rows};
        TRY(eval_filter(self->filter, &batch, stream->arena, selected, &stream->rows));
        stream->selected = selected;
    } while (stream->rows == 0);
    return ST_OK;
}

static int stream_row(const Stream *stream)
{
    return stream->selected ? stream->selected[stream->next] : stream->next;
}

/* ---- the heap ---- */

static bool stream_before(const OpMergeStreams *self, const Stream *a, const Stream *b)
{
    for (int i = 0; i < self->key_count; i++) {
        const SorterKey *key = &self->keys[i];
        Value x = a->out[key->column][stream_row(a)], y = b->out[key->column][stream_row(b)];
        SorterKey alone = {0, key->descending, key->nulls_first, key->type};
        int order = sorter_compare(&alone, 1, &x, &y);
        if (order) return order < 0;
    }
    return a->number < b->number;
}

static void sift_down(OpMergeStreams *self, int at)
{
    for (;;) {
        int least = at;
        for (int child = 2 * at + 1; child <= 2 * at + 2 && child < self->heap_count; child++)
            if (stream_before(self, self->heap[child], self->heap[least])) least = child;
        if (least == at) return;
        Stream *swapped = self->heap[at];
        self->heap[at] = self->heap[least];
        self->heap[least] = swapped;
        at = least;
    }
}

static Status streams_start(OpMergeStreams *self)
{
    self->heap = ARENA_ARRAY(self->base.arena, Stream *, self->stream_count + 1);
    self->heap_count = 0;
    for (int i = 0; i < self->stream_count; i++) {
        Status st = stream_fill(self, &self->streams[i]);
        if (st == ST_END) continue;
        TRY(st);
        self->heap[self->heap_count++] = &self->streams[i];
    }
    for (int i = self->heap_count / 2; i >= 0; i--) sift_down(self, i);
    self->started = true;
    return ST_OK;
}

/* ---- the operator ---- */

/* The length of the encoded leading values: what all spans of a stream have in common. */
static Status prefix_sizes(OpMergeStreams *self, const LogicalSpan *spans, int count, size_t *sizes)
{
    Op *op = &self->base;
    const PlanScan *plan = (const PlanScan *)op->plan;
    for (int i = 0; i < count; i++) {
        Buf key = {0};
        int values = spans[i].start_count < plan->stream_columns ? spans[i].start_count : plan->stream_columns;
        Status st = index_key_prefix(self->access, plan->index, spans[i].start, values, &key, op->exec->err);
        sizes[i] = key.size;
        buf_finish(&key);
        TRY(st);
    }
    return ST_OK;
}

static Status eval_bound(void *argument, Expr *e, Value *value, Error *err)
{
    Op *op = argument;
    return eval_single(op->exec, e, value, op->arena);
}

static Status open_streams(OpMergeStreams *self)
{
    Op *op = &self->base;
    const PlanScan *plan = (const PlanScan *)op->plan;
    LogicalSpan *logical;
    int count = 0;
    if (!plan->spans.contradiction)
        TRY(span_expand(&plan->spans, eval_bound, op, &logical, &count, op->arena, op->exec->err));
    KeySpan *spans = ARENA_ARRAY(op->arena, KeySpan, count + 1);
    size_t *sizes = ARENA_ARRAY(op->arena, size_t, count + 1);
    if (count > 0) TRY(prefix_sizes(self, logical, count, sizes));
    for (int i = 0; i < count; i++)
        TRY(key_span_encode(op->exec, self->access, plan->index, &logical[i], &spans[i], op->arena));
    KeySpanList list = {spans, count};
    key_spans_count_ranges(op, &list);
    self->streams = ARENA_ARRAY(op->arena, Stream, count + 1);
    for (int i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && shares_prefix(spans[i].start, spans[end].start, sizes[i]); end++) continue;
        TRY(open_stream(self, spans + i, end - i));
    }
    op->stats->streams = (uint64_t)self->stream_count;
    return ST_OK;
}

static Status streams_open(Op *op)
{
    OpMergeStreams *self = (OpMergeStreams *)op;
    const PlanScan *plan = (const PlanScan *)op->plan;
    if (!self->access) TRY(streams_init(self));
    self->stream_count = self->heap_count = 0;
    self->started = false;
    self->limit = -1;
    self->returned = 0;
    if (plan->limit) {
        Value limit;
        TRY(eval_single(op->exec, plan->limit, &limit, op->arena));
        if (!limit.null) self->limit = limit.i;
    }
    return open_streams(self);
}

static void out_room(OpMergeStreams *self, int rows)
{
    if (rows <= self->out_capacity) return;
    self->out_capacity = rows;
    for (int i = 0; i < self->base.plan->column_count; i++)
        self->out[i] = ARENA_ARRAY(self->base.exec->arena, Value, rows);
}

/* Rows handed out from a stream borrow from blocks that its next fill gives back. */
static void own_rows(OpMergeStreams *self, int rows)
{
    Op *op = &self->base;
    for (int c = 0; c < op->plan->column_count; c++) {
        const TypeDef *type = exec_type(op->plan->types[c].oid);
        for (int i = self->last_rows; i < rows; i++)
            if (!self->out[c][i].null) self->out[c][i] = value_copy(type, self->out[c][i], op->batch_arena);
    }
    self->last_rows = rows;
}

/* A stream is filled only when a row behind its last one is wanted: until then it waits on top of the heap. */
static Status take_row(OpMergeStreams *self, int at, bool *taken)
{
    Stream *stream = self->heap[0];
    *taken = stream->next < stream->rows;
    if (!*taken) {
        own_rows(self, at);
        Status st = stream_fill(self, stream);
        if (st == ST_ERROR) return st;
        if (st == ST_END) self->heap[0] = self->heap[--self->heap_count];
        sift_down(self, 0);
        return ST_OK;
    }
    int row = stream_row(stream);
    for (int c = 0; c < self->base.plan->column_count; c++) self->out[c][at] = stream->out[c][row];
    if (++stream->next < stream->rows) sift_down(self, 0);
    return ST_OK;
}

static Status streams_next(Op *op, Batch *batch)
{
    OpMergeStreams *self = (OpMergeStreams *)op;
    if (self->limit >= 0 && self->returned >= self->limit) return ST_END;
    if (!self->started) TRY(streams_start(self));
    int wanted = op->rows_wanted ? op->rows_wanted : BATCH_ROWS_MAX, rows = 0;
    if (self->limit >= 0 && self->limit - self->returned < wanted) wanted = (int)(self->limit - self->returned);
    out_room(self, wanted);
    self->last_rows = 0;
    while (rows < wanted && self->heap_count > 0) {
        bool taken;
        TRY(take_row(self, rows, &taken));
        rows += taken;
    }
    if (rows == 0) return ST_END;
    self->returned += rows;
    *batch = (Batch){.columns = self->out, .column_count = op->plan->column_count, .row_count = rows};
    return ST_OK;
}

static void streams_close(Op *op)
{
    OpMergeStreams *self = (OpMergeStreams *)op;
    for (int i = 0; i < self->stream_count; i++)
        if (self->streams[i].scan) table_scan_close(self->streams[i].scan);
    self->stream_count = 0;
    eval_close(self->filter);
}

const OpClass op_merge_streams_class = {"merge streams", sizeof(OpMergeStreams), streams_open, streams_next, NULL,
                                        streams_close};
