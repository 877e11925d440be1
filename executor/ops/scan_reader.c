#include "executor/ops/scan_reader.h"

#include <assert.h>

static bool template_is_keys(const SpanSet *set, const SpanTemplate *template)
{
    if (template->part_count != set->index->columns.count) return false;
    for (int i = 0; i < template->part_count; i++) {
        const SpanPart *part = &template->parts[i];
        if (part->kind != SPAN_COMPUTED && (part->kind != SPAN_POINTS || part->or_null)) return false;
    }
    return true;
}

bool span_set_is_keys(const SpanSet *set)
{
    if (!set->index->primary || set->template_count == 0 || set->first_column != 0) return false;
    for (int i = 0; i < set->template_count; i++)
        if (!template_is_keys(set, &set->templates[i])) return false;
    return true;
}

void scan_reader_init(ScanReader *reader, Op *op, const PlanScan *plan)
{
    Arena *arena = op->exec->arena;
    int columns = plan->base.column_count;
    reader->op = op;
    reader->plan = plan;
    reader->access = table_access_create(plan->table, arena);
    reader->ordinals = ARENA_ARRAY(arena, int, columns + 1);
    reader->vectors = ARENA_ARRAY(arena, Value *, columns + 1);
    reader->out = ARENA_ARRAY(arena, Value *, columns + 1);
    reader->key_column = -1;
    for (int i = 0; i < columns; i++) {
        if (plan->ordinals[i] < 0)
            reader->key_column = i;
        else
            reader->ordinals[reader->column_count++] = plan->ordinals[i];
    }
    reader->want_keys = reader->key_column >= 0 || plan->locking;
    reader->keys_only = plan->base.kind == PLAN_SCAN && span_set_is_keys(&plan->spans);
}

static void make_room(ScanReader *reader, int rows)
{
    if (rows <= reader->capacity) return;
    Arena *arena = reader->op->exec->arena;
    reader->capacity = rows;
    for (int i = 0; i < reader->column_count; i++) reader->vectors[i] = ARENA_ARRAY(arena, Value, rows);
    if (reader->want_keys) reader->keys = ARENA_ARRAY(arena, Slice, rows);
    if (reader->key_column >= 0) reader->key_vector = ARENA_ARRAY(arena, Value, rows);
    for (int i = 0, v = 0; i < reader->plan->base.column_count; i++)
        reader->out[i] = i == reader->key_column ? reader->key_vector : reader->vectors[v++];
}

Status scan_reader_start(ScanReader *reader, const KeySpanList *spans, uint64_t limit_hint)
{
    assert(reader->access && !reader->scan);
    reader->batch_rows = BATCH_ROWS_FIRST;
    reader->spans = *spans;
    reader->by_key = reader->keys_only && spans->single;
    reader->next_span = 0;
    if (spans->count == 0 || reader->by_key) return ST_OK;
    TableScanOptions options = {.index = reader->plan->index, .spans = spans->spans, .span_count = spans->count,
                                .descending = reader->plan->descending, .columns = reader->ordinals,
                                .column_count = reader->column_count, .limit_hint = limit_hint,
                                .want_keys = reader->want_keys};
    Exec *exec = reader->op->exec;
    return table_scan_open(reader->access, exec->txn, &options, &reader->scan, reader->op->arena, exec->err);
}

/* Found rows only are selected: a key may have none. */
static Status fetch_next(ScanReader *reader, int wanted, Batch *batch)
{
    Op *op = reader->op;
    int rows = reader->spans.count - reader->next_span;
    if (rows <= 0) return ST_END;
    if (rows > BATCH_ROWS_MAX) rows = BATCH_ROWS_MAX;
    if (wanted > 0 && wanted < rows) rows = wanted;
    make_room(reader, rows);
    Slice *keys = ARENA_ARRAY(op->batch_arena, Slice, rows);
    bool *found = ARENA_ARRAY(op->batch_arena, bool, rows);
    for (int i = 0; i < rows; i++) {
        int at = reader->next_span + i;
        keys[i] = reader->spans.spans[reader->plan->descending ? reader->spans.count - 1 - at : at].start;
    }
    reader->next_span += rows;
    TRY(row_fetch(reader->access, op->exec->txn, keys, rows, reader->ordinals, reader->column_count, reader->vectors, found,
                  op->batch_arena, op->exec->err));
    int *selected = ARENA_ARRAY(op->batch_arena, int, rows), count = 0;
    for (int i = 0; i < rows; i++) {
        if (reader->want_keys) reader->keys[i] = keys[i];
        if (reader->key_column >= 0) reader->key_vector[i] = value_slice(keys[i]);
        if (found[i]) selected[count++] = i;
    }
    index_count_reads(reader->access, op->exec->txn, reader->plan->index, 1, (uint64_t)count);
    *batch = (Batch){.columns = reader->out, .column_count = reader->plan->base.column_count, .row_count = rows};
    if (count == rows) return ST_OK;
    batch->selected = selected;
    batch->selected_count = count;
    return ST_OK;
}

Status scan_reader_next(ScanReader *reader, int wanted, Batch *batch)
{
    if (reader->by_key) return fetch_next(reader, wanted, batch);
    if (!reader->scan) return ST_END;
    int rows = reader->batch_rows;
    if (wanted > 0 && wanted < rows) rows = wanted;
    if (reader->batch_rows < BATCH_ROWS_MAX) reader->batch_rows *= 4;
    if (reader->batch_rows > BATCH_ROWS_MAX) reader->batch_rows = BATCH_ROWS_MAX;
    make_room(reader, rows);
    int count = 0;
    TRY(table_scan_next(reader->scan, reader->vectors, reader->keys, rows, &count, reader->op->exec->err));
    assert(count > 0 && count <= rows);
    if (reader->key_column >= 0)
        for (int i = 0; i < count; i++) reader->key_vector[i] = value_slice(reader->keys[i]);
    *batch = (Batch){.columns = reader->out, .column_count = reader->plan->base.column_count, .row_count = count};
    return ST_OK;
}

void scan_reader_stop(ScanReader *reader)
{
    if (reader->scan) table_scan_close(reader->scan);
    reader->scan = NULL;
}
