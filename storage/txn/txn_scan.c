/* txn_scan.c - scans: the store's pairs and the transaction's own writes in one order.
 *
 * A scan sees the own writes made before it was opened and none made later, so a statement does not meet what it writes.
 * Without own writes it hands on the engine's pairs as they come.
 */
#include <assert.h>
#include <stdlib.h>

#include "storage/txn/txn_internal.h"

struct TxnScan {
    Txn *txn;
    TxnScan *next, *previous; /* among the open ones; next also among the idle */
    TxnSnapshot *snapshot;
    KvScan *stored;
    KvBlock block;
    int at; /* in the block */
    bool exhausted; /* the store has no more */
    bool descending, merging, own_taken, ended;
    OverlayCursor own;
    uint8_t counter[8];
    Slice start, end;     /* in bounds */
    Slice from, reached;  /* SERIALIZABLE: where this stretch began, and the last key handed out */
    uint8_t *bounds;
    size_t bounds_size;
};

static void scan_link(TxnScan *scan)
{
    Txn *txn = scan->txn;
    scan->previous = NULL;
    scan->next = txn->scans_open;
    if (scan->next) scan->next->previous = scan;
    txn->scans_open = scan;
}

static void scan_unlink(TxnScan *scan)
{
    if (scan->previous)
        scan->previous->next = scan->next;
    else
        scan->txn->scans_open = scan->next;
    if (scan->next) scan->next->previous = scan->previous;
}

static TxnScan *scan_create(Txn *txn)
{
    TxnScan *scan = txn->scans_idle;
    if (scan) {
        txn->scans_idle = scan->next;
        *scan = (TxnScan){.bounds = scan->bounds, .bounds_size = scan->bounds_size};
    } else {
        scan = calloc(1, sizeof *scan);
        if (!scan) abort();
    }
    scan->txn = txn;
    return scan;
}

static bool bounds_copy(TxnScan *scan, Slice start, Slice end)
{
    size_t size = start.size + end.size;
    if (size > scan->bounds_size) {
        uint8_t *grown = realloc(scan->bounds, size + 64);
        if (!grown) return false;
        scan->bounds = grown;
        scan->bounds_size = size + 64;
    }
    if (start.size) memcpy(scan->bounds, start.data, start.size);
    if (end.size) memcpy(scan->bounds + start.size, end.data, end.size);
    scan->start = slice_of(scan->bounds, start.size);
    scan->end = slice_of(scan->bounds + start.size, end.size);
    return true;
}

static void scan_recycle(TxnScan *scan)
{
    scan->next = scan->txn->scans_idle;
    scan->txn->scans_idle = scan;
}

Status txn_scan_open(Txn *txn, Slice start, Slice end, bool descending, uint64_t rows_hint, TxnScan **out, Error *err)
{
    TxnSnapshot *snapshot;
    *out = NULL;
    TRY(txn_snapshot(txn, &snapshot, err));
    TxnScan *scan = scan_create(txn);
    int rows_max = rows_hint > 0 && rows_hint < 1024 ? (int)rows_hint : 1024;
    Status status = bounds_copy(scan, start, end) ? ST_OK : err_no_memory(err);
    if (status == ST_OK) status = kv_scan_open(snapshot->kv, start, end, descending, rows_max, &scan->stored, err);
    if (status != ST_OK) {
        scan_recycle(scan);
        return status;
    }
    scan->descending = descending;
    scan->snapshot = snapshot;
    scan->from = descending ? scan->end : scan->start;
    snapshot->scans++;
    txn->counters.seeks++;
    if (txn_has_writes(txn)) {
        scan->merging = true;
        overlay_cursor_begin(&scan->own, &txn->overlay, descending);
        if (txn_view_applies(txn)) scan->own.moment = txn->view.cursor.moment;
        overlay_cursor_seek(&scan->own, scan->from);
    }
    scan_link(scan);
    *out = scan;
    return ST_OK;
}

/* ---- the store's side ---- */

static Status block_next(TxnScan *scan, Error *err)
{
    Status status = scan->exhausted ? ST_END : kv_scan_next(scan->stored, &scan->block, err);
    scan->at = 0;
    if (status == ST_OK) {
        scan->txn->counters.blocks++;
        return ST_OK;
    }
    scan->block = (KvBlock){0};
    scan->exhausted = status == ST_END;
    return status;
}

/* The store's next pair that no deleted span hides; NULL at the end. */
static Status stored_peek(TxnScan *scan, const KvPair **pair, Error *err)
{
    Overlay *overlay = &scan->txn->overlay;
    KvSpan span;
    for (;;) {
        if (scan->at == scan->block.count) {
            Status status = block_next(scan, err);
            *pair = NULL;
            if (status != ST_OK) return status == ST_END ? ST_OK : status;
        }
        *pair = &scan->block.pairs[scan->at];
        if (!overlay->hidden.count || !overlay_hides(overlay, (*pair)->key, &span)) return ST_OK;
        if (!scan->descending && !span.end.size) {
            scan->exhausted = true;
            scan->at = scan->block.count;
            continue;
        }
        TRY(kv_scan_seek(scan->stored, scan->descending ? span.start : span.end, err));
        scan->txn->counters.seeks++;
        scan->at = scan->block.count;
    }
}

/* ---- both sides ---- */

static const Write *own_peek(TxnScan *scan)
{
    OverlayCursor *own = &scan->own;
    const Write *write = overlay_cursor_write(own);
    if (!write) return NULL;
    if (scan->descending) return slice_compare(own->key, scan->start) >= 0 ? write : NULL;
    return !scan->end.size || slice_compare(own->key, scan->end) < 0 ? write : NULL;
}

static Status merged_next(TxnScan *scan, Slice *key, Slice *value, Error *err)
{
    for (;;) {
        const KvPair *pair;
        if (scan->own_taken) overlay_cursor_next(&scan->own);
        scan->own_taken = false;
        TRY(stored_peek(scan, &pair, err));
        const Write *write = own_peek(scan);
        TRY(txn_own_failure(scan->txn, err));
        if (!pair && !write) return ST_END;
        int order = !pair ? 1 : !write ? -1 : slice_compare(pair->key, scan->own.key);
        if (pair && write && scan->descending) order = -order;
        if (order <= 0) scan->at++;
        if (order < 0) {
            *key = pair->key;
            *value = pair->value;
            return ST_OK;
        }
        scan->own_taken = true;
        *key = scan->own.key;
        *value = order == 0 ? pair->value : (Slice){0};
        if (txn_write_over(write, order == 0, value, scan->counter)) return ST_OK;
    }
}

static void read_set_note(TxnScan *scan, bool to_the_end)
{
    Txn *txn = scan->txn;
    if (!txn->tracks_reads) return;
    if (to_the_end)
        read_set_span(&txn->reads, scan->descending ? scan->start : scan->from, scan->descending ? scan->from : scan->end);
    else if (scan->reached.size && !scan->descending)
        read_set_up_to(&txn->reads, scan->from, scan->reached);
    else if (scan->reached.size)
        read_set_span(&txn->reads, scan->reached, scan->from);
    scan->reached = (Slice){0};
}

Status txn_scan_next(TxnScan *scan, Slice *key, Slice *value, Error *err)
{
    if (scan->ended) return ST_END;
    Status status = ST_OK;
    if (scan->merging) {
        status = merged_next(scan, key, value, err);
    } else {
        if (scan->at == scan->block.count) status = block_next(scan, err);
        if (status == ST_OK) {
            const KvPair *pair = &scan->block.pairs[scan->at++];
            *key = pair->key;
            *value = pair->value;
        }
    }
    if (status == ST_OK) {
        scan->txn->counters.pairs_read++;
        scan->txn->counters.bytes_read += key->size + value->size;
        if (scan->txn->tracks_reads) scan->reached = *key;
        return ST_OK;
    }
    if (status == ST_END) {
        read_set_note(scan, true);
        scan->ended = true;
    }
    return status;
}

Status txn_scan_seek(TxnScan *scan, Slice key, Error *err)
{
    Txn *txn = scan->txn;
    bool inside = slice_compare(key, scan->start) >= 0 && (!scan->end.size || slice_compare(key, scan->end) <= 0);
    read_set_note(scan, false);
    if (txn->tracks_reads) scan->from = inside ? arena_slice(txn->arena, key) : scan->descending ? scan->end : scan->start;
    TRY(kv_scan_seek(scan->stored, key, err));
    scan->block = (KvBlock){0};
    scan->at = 0;
    scan->exhausted = scan->ended = scan->own_taken = false;
    if (scan->merging) {
        bool short_of = scan->descending ? scan->end.size && slice_compare(key, scan->end) > 0
                                         : slice_compare(key, scan->start) < 0;
        overlay_cursor_seek(&scan->own, short_of ? (scan->descending ? scan->end : scan->start) : key);
    }
    txn->counters.seeks++;
    return ST_OK;
}

void txn_scan_close(TxnScan *scan)
{
    if (!scan) return;
    if (!scan->ended) read_set_note(scan, false);
    scan_unlink(scan);
    kv_scan_close(scan->stored);
    if (scan->merging) overlay_cursor_end(&scan->own);
    txn_snapshot_release(scan->txn, scan->snapshot);
    scan_recycle(scan);
}

void txn_scans_end(Txn *txn)
{
    while (txn->scans_open) txn_scan_close(txn->scans_open);
}

void txn_scans_destroy(Txn *txn)
{
    for (TxnScan *scan = txn->scans_idle, *next; scan; scan = next) {
        next = scan->next;
        free(scan->bounds);
        free(scan);
    }
    txn->scans_idle = NULL;
}
