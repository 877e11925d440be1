#include "executor/ops/scan_reader.h"

#include <assert.h>

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
    if (spans->count == 0) return ST_OK;
    TableScanOptions options = {.index = reader->plan->index, .spans = spans->spans, .span_count = spans->count,
                                .descending = reader->plan->descending, .columns = reader->ordinals,
                                .column_count = reader->column_count, .limit_hint = limit_hint,
                                .want_keys = reader->want_keys};
    Exec *exec = reader->op->exec;
    return table_scan_open(reader->access, exec->txn, &options, &reader->scan, reader->op->arena, exec->err);
}

Status scan_reader_next(ScanReader *reader, int wanted, Batch *batch)
{
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
