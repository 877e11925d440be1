#include <assert.h>

#include "storage/base/log.h"
#include "storage/range/range.h"
#include "storage/table/row_decode.h"
#include "storage/table/row_writer.h"

enum { BACKFILL_BATCH_ROWS = 256 };

typedef struct Backfill {
    const TableAccess *access;
    Txn *txn;
    const IndexDesc *index;
    BackfillCompute compute;
    void *argument;
    int column_count;
    RowWriter *writer;
    EncodedEntry entry;
    int position; /* of the index in its table */
} Backfill;

/* The rows come from the primary index; in an index made unique two of them may meet in one key. */
static Status add_row(Backfill *b, Value *row, Error *err)
{
    bool in_predicate = true, taken;
    Slice existing;
    if (b->compute) TRY(b->compute(b->argument, row, &in_predicate, err));
    if (!in_predicate) return ST_OK;
    TRY(writer_encode(b->writer, b->position, (RowImage){.values = row}, &b->entry, err));
    Slice key = buf_slice(&b->entry.key);
    if (b->entry.unique_key) {
        TRY(txn_get(b->txn, key, &taken, &existing, err));
        if (taken) {
            unique_violation(b->writer->arena, b->access, &b->access->indexes[b->position], row, err);
            err->message = arena_printf(b->writer->arena, "could not create unique index \"%s\"", b->index->name);
            const char *detail = err->detail;
            size_t kept = strlen(detail) - strlen(" already exists.");
            err_detail(err, b->writer->arena, "%.*s is duplicated.", (int)kept, detail);
            return ST_ERROR;
        }
    }
    return txn_put_unlocked(b->txn, key, buf_slice(&b->entry.value), err);
}

static Status add_batch(Backfill *b, Value **columns, int rows, Value *row, Error *err)
{
    for (int i = 0; i < rows; i++) {
        for (int c = 0; c < b->column_count; c++) row[c] = columns[c][i];
        TRY(add_row(b, row, err));
    }
    return ST_OK;
}

static Status run(Backfill *b, Arena *arena, Error *err)
{
    const TableDesc *table = b->access->table;
    Buf start = {0}, end = {0};
    index_span(table->base.id, table_primary(table)->id, &start, &end);
    KeySpan span = {buf_to_arena(&start, arena), buf_to_arena(&end, arena)};
    buf_finish(&start);
    buf_finish(&end);
    int *ordinals = ARENA_ARRAY(arena, int, b->column_count + 1);
    Value **columns = ARENA_ARRAY(arena, Value *, b->column_count + 1), *row = ARENA_ARRAY(arena, Value, b->column_count + 1);
    for (int c = 0; c < b->column_count; c++) {
        ordinals[c] = c;
        columns[c] = ARENA_ARRAY(arena, Value, BACKFILL_BATCH_ROWS);
    }
    TableScanOptions options = {.index = table_primary(table), .spans = &span, .span_count = 1, .columns = ordinals,
                                .column_count = b->column_count};
    TableScan *scan;
    int rows;
    TRY(table_scan_open(b->access, b->txn, &options, &scan, arena, err));
    Status st;
    while ((st = table_scan_next(scan, columns, NULL, BACKFILL_BATCH_ROWS, &rows, err)) == ST_OK) {
        st = interrupt_poll(txn_options(b->txn)->interrupt, err);
        if (st == ST_OK) st = add_batch(b, columns, rows, row, err);
        if (st != ST_OK) break;
    }
    table_scan_close(scan);
    return st == ST_END ? ST_OK : st;
}

static void entry_finish(void *entry)
{
    buf_finish(&((EncodedEntry *)entry)->key);
    buf_finish(&((EncodedEntry *)entry)->value);
}

Status index_backfill(const TableAccess *access, Txn *txn, const IndexDesc *index, BackfillCompute compute,
                      void *argument, Error *err)
{
    assert(!index->primary);
    Arena *arena = arena_create(NULL, 0);
    Backfill b = {.access = access, .txn = txn, .index = index, .compute = compute, .argument = argument,
                  .column_count = access->table->columns.count,
                  .position = (int)(index_access(access, index) - access->indexes)};
    b.writer = row_writer_create(access, txn, arena);
    /* Texts of errors outlive this call: they go where the transaction's things are. */
    b.writer->arena = txn_arena(txn);
    arena_defer(arena, entry_finish, &b.entry);
    Status st = run(&b, arena, err);
    arena_destroy(arena);
    return st;
}

/* ---- clearing ---- */

typedef struct Forget {
    Directory *directory;
    Slice start, end;
} Forget;

/* Splits of a span that has been emptied for good go too; a rollback leaves them. */
static void forget_boundaries(void *argument, bool committed)
{
    Forget *forget = argument;
    Error err;
    if (committed && directory_forget(forget->directory, forget->start, forget->end, &err) != ST_OK)
        log_write(LOG_WARNING, "could not forget the ranges of a cleared index: %s", err.message);
}

Status index_clear(Txn *txn, DescId table_id, uint32_t index_id, Error *err)
{
    Buf start = {0}, end = {0};
    index_span(table_id, index_id, &start, &end);
    Forget *forget = ARENA_NEW(txn_arena(txn), Forget);
    *forget = (Forget){store_directory(txn_store(txn)), buf_to_arena(&start, txn_arena(txn)),
                       buf_to_arena(&end, txn_arena(txn))};
    buf_finish(&start);
    buf_finish(&end);
    TRY(txn_delete_span(txn, forget->start, forget->end, err));
    txn_on_end(txn, forget_boundaries, forget);
    return ST_OK;
}

/* Index by index, so that the boundaries between them stay: a truncated table still has its indexes. */
Status table_clear(Txn *txn, const TableDesc *table, Error *err)
{
    for (int i = 0; i < table->indexes.count; i++) TRY(index_clear(txn, table->base.id, table->indexes.items[i].id, err));
    return ST_OK;
}
