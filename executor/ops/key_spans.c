#include "executor/ops/key_spans.h"

#include <assert.h>

#include "executor/eval.h"
#include "storage/range/range.h"

typedef struct SpanEvalContext {
    Exec *exec;
    Arena *arena;
} SpanEvalContext;

static Status eval_part(void *argument, Expr *e, Value *value, Error *err)
{
    SpanEvalContext *context = argument;
    return eval_single(context->exec, e, value, context->arena);
}

Status key_spans_eval(void *argument, Expr *e, Value *value, Error *err)
{
    Exec *exec = argument;
    return eval_single(exec, e, value, exec->arena);
}

Slice key_prefix_end(Slice prefix, Arena *arena)
{
    size_t size = prefix.size;
    while (size > 0 && prefix.data[size - 1] == 0xFF) size--;
    assert(size > 0);
    uint8_t *end = arena_copy(arena, prefix.data, size);
    end[size - 1]++;
    return slice_of(end, size);
}

/* Values, and behind them a NULL if `with_null`, as key bytes. */
static Status encode_bound(Exec *exec, const TableAccess *access, const IndexDesc *index, const Value *values, int count,
                           bool with_null, Slice *key, Arena *arena)
{
    Value padded[33];
    assert(count <= 32);
    if (with_null) {
        if (count > 0) memcpy(padded, values, sizeof(Value) * (size_t)count);
        padded[count++] = VALUE_NULL;
        values = padded;
    }
    Buf buf = {0};
    Status st = index_key_prefix(access, index, values, count, &buf, exec->err);
    if (st == ST_OK && buf.failed) st = err_no_memory(exec->err);
    if (st == ST_OK) *key = arena_slice(arena, buf_slice(&buf));
    buf_finish(&buf);
    return st;
}

Status key_span_encode(Exec *exec, const TableAccess *access, const IndexDesc *index, const LogicalSpan *span,
                       KeySpan *out, Arena *arena)
{
    Slice start, end;
    TRY(encode_bound(exec, access, index, span->start, span->start_count, span->start_after_null, &start, arena));
    if (span->start_after_null || (span->start_count > 0 && !span->start_inclusive)) start = key_prefix_end(start, arena);
    TRY(encode_bound(exec, access, index, span->end, span->end_count, span->end_before_null, &end, arena));
    if (!span->end_before_null && (span->end_count == 0 || span->end_inclusive)) end = key_prefix_end(end, arena);
    *out = (KeySpan){start, end};
    return ST_OK;
}

Status key_spans_expand(Exec *exec, const TableAccess *access, const SpanSet *set, KeySpanList *list, Arena *arena)
{
    SpanEvalContext context = {exec, arena};
    LogicalSpan *spans;
    int count;
    *list = (KeySpanList){0};
    if (set->contradiction) return ST_OK;
    TRY(span_expand(set, eval_part, &context, &spans, &count, arena, exec->err));
    list->spans = ARENA_ARRAY(arena, KeySpan, count + 1);
    list->single = true;
    for (int i = 0; i < count; i++) {
        KeySpan *span = &list->spans[list->count];
        TRY(key_span_encode(exec, access, set->index, &spans[i], span, arena));
        list->single &= slice_equal(key_prefix_end(span->start, arena), span->end);
        if (slice_compare(span->start, span->end) < 0) list->count++;
    }
    return ST_OK;
}

void key_spans_count_ranges(Op *op, const KeySpanList *list)
{
    if (!op->exec->timing) return;
    Directory *directory = store_directory(txn_store(op->exec->txn));
    Arena *arena = arena_create(NULL, 0);
    int64_t last = op->stats->ranges > 0 && op->stats->ranges <= 16 ? op->stats->range_ids[op->stats->ranges - 1] : 0;
    for (int i = 0; i < list->count; i++) {
        RangeDesc *ranges;
        int count = directory_list(directory, list->spans[i].start, list->spans[i].end, &ranges, arena);
        for (int r = 0; r < count; r++) {
            op->stats->nodes |= UINT64_C(1) << (ranges[r].lease_holder - 1);
            if (ranges[r].id == last) continue;
            last = ranges[r].id;
            if (op->stats->ranges < 16) op->stats->range_ids[op->stats->ranges] = last;
            op->stats->ranges++;
        }
    }
    arena_destroy(arena);
}

void key_spans_count_hops(Op *op, const Slice *keys, int count)
{
    if (!op->exec->timing || count == 0) return;
    Directory *directory = store_directory(txn_store(op->exec->txn));
    uint64_t asked = 0;
    for (int i = 0; i < count; i++) asked |= UINT64_C(1) << (directory_lease_holder(directory, keys[i]) - 1);
    op->stats->nodes |= asked;
    op->stats->hops += (uint64_t)__builtin_popcountll(asked);
}
