/* Spans to rows. One scan of the transaction is open at a time, over the span at hand; a row is handed out when all its
 * pairs have been seen, so with several families one pair is read ahead. */
#include <assert.h>

#include "storage/base/clock.h"
#include "storage/keys/row_key.h"
#include "storage/range/range.h"
#include "storage/txn/usage.h"
#include "storage/table/row_decode.h"

struct TableScan {
    const TableAccess *access;
    Txn *txn;
    RowDecoder *decoder;
    TableScanOptions options;
    KeySpan *spans;
    int span;      /* the one at hand, in scan order; span_count: at the end */
    TxnScan *scan; /* over it; NULL: not opened yet */
    Arena *arena;
    Arena *batch;    /* what the rows of one call point into; reset by the next */
    bool *copied;    /* per column: bytes that must outlive the pair */
    bool any_copied;
    bool has_families;
    /* With families: the row whose pairs are coming in, and the pair read ahead. */
    Buf row_key;
    bool row_open, row_exists, ahead;
    RowPair ahead_pair;
    /* The stretch of the span at hand that this call has read, for the load of its ranges. */
    uint64_t pairs, bytes, began_ns;
    RangeNotes *notes; /* NULL: nobody counts */
    Buf first_key;
    Slice last_key; /* valid until the next pair */
    IndexUsage *usage; /* NULL: nobody counts */
    bool full;         /* the whole index is read */
    bool noted;     /* something of the span at hand has been booked */
};

static void scan_finish(void *argument)
{
    TableScan *scan = argument;
    buf_finish(&scan->row_key);
    buf_finish(&scan->first_key);
}

static void usage_note_time(IndexUsage *usage)
{
    atomic_store_explicit(&usage->last_read_us, (int64_t)(clock_unix_ns() / 1000), memory_order_relaxed);
}

void index_count_reads(const TableAccess *access, Txn *txn, const IndexDesc *index, uint64_t scans, uint64_t rows)
{
    if (!directory_accounting(store_directory(txn_store(txn)))) return;
    IndexUsage *usage = usage_of(txn_store(txn), access->table->base.id, index->id);
    usage_count(&usage->scans, scans);
    usage_count(&usage->rows, rows);
    usage_note_time(usage);
}

static bool is_whole_index(const TableScan *scan)
{
    const KeySpan *span = &scan->options.spans[0];
    uint32_t table, index;
    Slice rest = span->start;
    if (scan->options.span_count != 1) return false;
    if (row_key_take_prefix(&rest, &table, &index) && rest.size) return false; /* as look-ups do */
    Buf start = {0}, end = {0};
    index_span(scan->access->table->base.id, scan->options.index->id, &start, &end);
    bool whole = slice_compare(span->start, buf_slice(&start)) <= 0 && slice_compare(span->end, buf_slice(&end)) >= 0;
    buf_finish(&start);
    buf_finish(&end);
    return whole;
}

/* A scan is counted when it is opened, its rows as they come. */
static void count_scan(TableScan *scan)
{
    const TableScanOptions *options = &scan->options;
    Store *store = txn_store(scan->txn);
    if (!directory_accounting(store_directory(store))) return;
    scan->full = is_whole_index(scan);
    scan->usage = usage_of(store, scan->access->table->base.id, options->index->id);
    usage_count(scan->full ? &scan->usage->full_scans : &scan->usage->scans, 1);
    usage_note_time(scan->usage);
}

Status table_scan_open(const TableAccess *access, Txn *txn, const TableScanOptions *options, TableScan **out,
                       Arena *arena, Error *err)
{
    TableScan *scan = ARENA_NEW(arena, TableScan);
    scan->access = access;
    scan->txn = txn;
    scan->options = *options;
    scan->arena = arena;
    scan->batch = arena_create(arena, 0);
    scan->decoder = row_decoder_create(access, options->index, options->columns, options->column_count,
                                       options->want_keys, arena);
    scan->has_families = options->index->primary && access->table->families.count > 1;
    scan->spans = ARENA_ARRAY(arena, KeySpan, options->span_count + 1);
    for (int i = 0; i < options->span_count; i++)
        scan->spans[i] = (KeySpan){arena_slice(arena, options->spans[i].start), arena_slice(arena, options->spans[i].end)};
    scan->copied = ARENA_ARRAY(arena, bool, options->column_count + 1);
    for (int c = 0; c < options->column_count; c++) {
        CellKind kind = access->cells[options->columns[c]].kind;
        scan->copied[c] = kind == CELL_BYTES || kind == CELL_16_BYTES;
        scan->any_copied |= scan->copied[c];
    }
    arena_defer(arena, scan_finish, scan);
    count_scan(scan);
    *out = scan;
    return ST_OK;
}

static const KeySpan *span_at_hand(const TableScan *scan)
{
    int i = scan->options.descending ? scan->options.span_count - 1 - scan->span : scan->span;
    return &scan->spans[i];
}

/* The stretch ends at `last`: the last key read, or the end of the span in the scan's direction. */
static void note_stretch(TableScan *scan, Slice last)
{
    if (!scan->notes) return;
    uint64_t now_ns = clock_monotonic_ns();
    RangeRequest request = {.start = buf_slice(&scan->first_key), .pairs = scan->pairs, .bytes = scan->bytes,
                            .busy_ns = now_ns - scan->began_ns};
    if (scan->pairs == 0) {
        request.start = last;
    } else if (scan->pairs > 1) {
        request.end = last;
        if (scan->options.descending) {
            request.end = request.start;
            request.start = last;
        }
    }
    range_notes_add(scan->notes, (RangeRequests){&request, 1});
    scan->pairs = scan->bytes = 0;
    scan->noted = true;
    scan->began_ns = now_ns;
}

/* A look-up that found nothing was a request, too. */
static void note_end_of_span(TableScan *scan, const KeySpan *span)
{
    if (scan->pairs) note_stretch(scan, scan->options.descending ? span->start : span->end);
    else if (!scan->noted) note_stretch(scan, span->start);
    scan->noted = false;
}

/* The next pair of any span, ST_END after the last. */
static Status next_pair(TableScan *scan, RowPair *pair, Error *err)
{
    for (; scan->span < scan->options.span_count; scan->span++) {
        if (!scan->scan) {
            const KeySpan *span = span_at_hand(scan);
            TRY(txn_scan_open(scan->txn, span->start, span->end, scan->options.descending, scan->options.limit_hint,
                              &scan->scan, err));
        }
        Status st = txn_scan_next(scan->scan, &pair->key, &pair->value, err);
        if (st == ST_OK) {
            if (scan->pairs++ == 0) {
                buf_clear(&scan->first_key);
                buf_put_slice(&scan->first_key, pair->key);
            }
            scan->bytes += pair->key.size + pair->value.size;
            scan->last_key = pair->key;
        }
        if (st != ST_END) return st;
        note_end_of_span(scan, span_at_hand(scan));
        txn_scan_close(scan->scan);
        scan->scan = NULL;
    }
    return ST_END;
}

static bool lies_in(const uint8_t *p, Slice bytes)
{
    return (uintptr_t)p >= (uintptr_t)bytes.data && (uintptr_t)p < (uintptr_t)bytes.data + bytes.size;
}

/* A pair lasts until the scan's next call, the rows of a batch until the batch's. */
static Status keep_bytes(TableScan *scan, const RowPair *pair, const RowPlace *place, Error *err)
{
    if (!scan->any_copied) return ST_OK;
    for (int c = 0; c < scan->options.column_count; c++) {
        Value *v = &place->columns[c][place->row];
        if (!scan->copied[c] || v->null || v->size == 0) continue;
        if (!lies_in(v->p, pair->key) && !lies_in(v->p, pair->value)) continue;
        uint8_t *copy = arena_try_alloc(scan->batch, v->size);
        if (!copy) return err_no_memory(err);
        memcpy(copy, v->p, v->size);
        v->p = copy;
    }
    return ST_OK;
}

static Status keep_primary_key(TableScan *scan, Slice key, Slice *primary_keys, int row, Error *err)
{
    if (!scan->options.want_keys) return ST_OK;
    TRY(row_decode_primary_key(scan->decoder, key, scan->batch, &primary_keys[row], err));
    if (scan->options.index->primary) primary_keys[row] = arena_slice(scan->batch, primary_keys[row]);
    return ST_OK;
}

/* Every pair is a row. */
static Status next_simple(TableScan *scan, Value **out, Slice *primary_keys, int rows_max, int *rows, Error *err)
{
    while (*rows < rows_max) {
        RowPair pair;
        RowPlace place = {out, *rows, scan->batch};
        Status st = next_pair(scan, &pair, err);
        if (st == ST_END) break;
        if (st != ST_OK) return st;
        if (scan->decoder->gaps) row_decode_absent(scan->decoder, &place);
        TRY(row_decode(scan->decoder, 0, &pair, &place, err));
        TRY(keep_bytes(scan, &pair, &place, err));
        TRY(keep_primary_key(scan, pair.key, primary_keys, *rows, err));
        ++*rows;
    }
    return ST_OK;
}

/* -1: of a family that no column of the table is in any more. */
static int family_index(const TableScan *scan, uint32_t family)
{
    for (int i = 0; i < scan->access->family_count; i++)
        if (scan->access->families[i].id == family) return i;
    return -1;
}

static Status add_pair(TableScan *scan, uint32_t family, Value **out, Slice *primary_keys, int row, Error *err)
{
    int index = family_index(scan, family);
    if (index < 0) return ST_OK;
    RowPlace place = {out, row, scan->batch};
    TRY(row_decode(scan->decoder, index, &scan->ahead_pair, &place, err));
    TRY(keep_bytes(scan, &scan->ahead_pair, &place, err));
    if (family != 0) return ST_OK;
    scan->row_exists = true;
    return keep_primary_key(scan, scan->ahead_pair.key, primary_keys, row, err);
}

/* The row at hand has all its pairs: it counts if family 0 was among them. */
static void end_row(TableScan *scan, int *rows)
{
    *rows += scan->row_open && scan->row_exists;
    scan->row_open = scan->row_exists = false;
}

static Status next_with_families(TableScan *scan, Value **out, Slice *primary_keys, int rows_max, int *rows, Error *err)
{
    while (*rows < rows_max) {
        if (!scan->ahead) {
            Status st = next_pair(scan, &scan->ahead_pair, err);
            if (st == ST_ERROR) return st;
            if (st == ST_END) {
                end_row(scan, rows);
                return ST_OK;
            }
            scan->ahead = true;
        }
        Slice row;
        uint32_t family;
        if (!row_key_split(scan->ahead_pair.key, &row, &family)) return row_damaged(scan->access, scan->decoder->index, err);
        if (!scan->row_open || !slice_equal(row, buf_slice(&scan->row_key))) {
            end_row(scan, rows);
            if (*rows == rows_max) break;
            buf_clear(&scan->row_key);
            buf_put_slice(&scan->row_key, row);
            row_decode_absent(scan->decoder, &(RowPlace){out, *rows, scan->batch});
            scan->row_open = true;
        }
        TRY(add_pair(scan, family, out, primary_keys, *rows, err));
        scan->ahead = false;
    }
    return ST_OK;
}

Status table_scan_next(TableScan *scan, Value **out, Slice *primary_keys, int rows_max, int *rows, Error *err)
{
    assert(rows_max > 0);
    *rows = 0;
    scan->pairs = scan->bytes = 0;
    scan->notes = txn_notes(scan->txn);
    scan->began_ns = scan->notes ? clock_monotonic_ns() : 0;
    arena_reset(scan->batch);
    Status st = scan->has_families ? next_with_families(scan, out, primary_keys, rows_max, rows, err)
                                   : next_simple(scan, out, primary_keys, rows_max, rows, err);
    if (scan->pairs) note_stretch(scan, scan->last_key);
    if (st != ST_OK) return st;
    if (scan->usage && *rows) usage_count(scan->full ? &scan->usage->full_rows : &scan->usage->rows, (uint64_t)*rows);
    return *rows ? ST_OK : ST_END;
}

Status table_scan_seek(TableScan *scan, Slice key, Error *err)
{
    bool descending = scan->options.descending;
    scan->ahead = scan->row_open = scan->row_exists = false;
    for (; scan->span < scan->options.span_count; scan->span++) {
        const KeySpan *span = span_at_hand(scan);
        bool behind = descending ? slice_compare(key, span->start) <= 0 : slice_compare(key, span->end) >= 0;
        if (!behind) break;
        txn_scan_close(scan->scan);
        scan->scan = NULL;
    }
    if (scan->span == scan->options.span_count) return ST_OK;
    KeySpan span = *span_at_hand(scan);
    bool inside = descending ? slice_compare(key, span.end) < 0 : slice_compare(key, span.start) > 0;
    if (!inside) return ST_OK;
    if (scan->scan) return txn_scan_seek(scan->scan, key, err);
    /* Not opened yet: begin at the key instead of opening and leaping. */
    KeySpan *rest = &scan->spans[descending ? scan->options.span_count - 1 - scan->span : scan->span];
    if (descending) rest->end = arena_slice(scan->arena, key);
    else rest->start = arena_slice(scan->arena, key);
    return ST_OK;
}

void table_scan_close(TableScan *scan)
{
    if (!scan) return;
    txn_scan_close(scan->scan);
    scan->scan = NULL;
    scan->span = scan->options.span_count;
}
