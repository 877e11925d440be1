/* txn_gap.c - where nothing is: for those who write many keys in order and would look for each of them. */
#include "storage/txn/run_file.h"
#include "storage/txn/txn_internal.h"

static void gap_cut(Buf *gap_end, Slice key)
{
    if (slice_compare(key, buf_slice(gap_end)) >= 0) return;
    buf_clear(gap_end);
    buf_put_slice(gap_end, key);
}

static Status cut_at_run(const Run *run, Slice start, Buf *gap_end, Error *err)
{
    RunCursor cursor;
    run_cursor_init(&cursor, run, false);
    Status status = run_cursor_seek(&cursor, start, err);
    if (status == ST_OK && cursor.at_entry) gap_cut(gap_end, cursor.key);
    run_cursor_finish(&cursor);
    return status;
}

/* Deletions count as writes, and what was rolled back may: the gap is then smaller than it could be. */
Status txn_own_gap(Txn *txn, Slice start, Buf *gap_end, Error *err)
{
    if (!txn->writes) return ST_OK;
    const SortedNode *node = sorted_map_seek(&txn->overlay.keys, start);
    if (node) gap_cut(gap_end, sorted_key(node));
    for (int i = 0; i < txn->overlay.spill.runs.count; i++)
        TRY(cut_at_run(txn->overlay.spill.runs.items[i], start, gap_end, err));
    return gap_end->failed ? err_no_memory(err) : ST_OK;
}

static bool hides_all(const Txn *txn, Slice start, Slice end)
{
    KvSpan span;
    if (!txn->writes || !overlay_hides(&txn->overlay, start, &span)) return false;
    return !span.end.size || slice_compare(end, span.end) <= 0;
}

Status txn_committed_gap(Txn *txn, Slice start, Buf *gap_end, uint64_t *version, Error *err)
{
    KvScan *scan;
    KvBlock block;
    if (!txn->newest)
        TRY(kv_snapshot_open(txn->store->kv, &txn->newest, err));
    else
        TRY(kv_snapshot_renew(txn->newest, err));
    *version = kv_snapshot_version(txn->newest);
    Status status = ST_OK;
    if (!hides_all(txn, start, buf_slice(gap_end))) {
        status = kv_scan_open(txn->newest, start, buf_slice(gap_end), false, 1, &scan, err);
        if (status == ST_OK) {
            status = kv_scan_next(scan, &block, err);
            if (status == ST_OK) gap_cut(gap_end, block.pairs[0].key);
            kv_scan_close(scan);
        }
        txn->counters.seeks++;
    }
    kv_snapshot_pause(txn->newest);
    return status == ST_ERROR ? status : ST_OK;
}
