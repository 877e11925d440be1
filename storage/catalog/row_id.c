/* unique_rowid(): 48 bits of time in steps of 10 microseconds since 2015, 15 bits of node.
 *
 * A bulk load takes more ids than time goes by, so the ids may run ahead of the clock, and the clock may be set back.
 * What may have been handed out is therefore recorded: /System/row-ids is a step that no id has gone beyond. It is
 * moved ahead a few seconds' worth at a time, so a store that is written to steadily commits it every few seconds. */
#include "storage/base/clock.h"
#include "storage/catalog/catalog_internal.h"
#include "storage/kv/kv.h"

static const uint64_t EPOCH_2015_NS = UINT64_C(1420070400) * 1000000000;
enum { ROWID_STEP_NS = 10000, ROWID_NODE_BITS = 15, ROWID_NODE = 1, ROWID_BLOCK = 500000 /* steps: 5 s */ };

#define ROWID_KEY SLICE_LIT("\x04row-ids")

static Status load(Catalog *catalog, RowIds *ids, Error *err)
{
    KvSnapshot *snapshot;
    Slice key = ROWID_KEY, value;
    bool found;
    TRY(kv_snapshot_open(store_kv(catalog->store), &snapshot, err));
    Status st = kv_get_many(snapshot, &key, 1, &found, &value, err);
    if (st == ST_OK) {
        ids->last = ids->recorded = (uint64_t)(found ? kv_counter_decode(value) : 0);
        ids->loaded = true;
    }
    kv_snapshot_close(snapshot);
    return st;
}

static Status record(Catalog *catalog, RowIds *ids, uint64_t step, Error *err)
{
    uint8_t bytes[8];
    uint64_t version;
    kv_counter_encode((int64_t)step, bytes);
    KvOp put = {.kind = KV_PUT, .key = ROWID_KEY, .value = slice_of(bytes, sizeof bytes)};
    if (kv_commit_ops(store_kv(catalog->store), &put, 1, &version, err) != KV_COMMITTED) return ST_ERROR;
    ids->recorded = step;
    return ST_OK;
}

static Status take(Catalog *catalog, RowIds *ids, uint64_t now, uint64_t *step, Error *err)
{
    if (!ids->loaded) TRY(load(catalog, ids, err));
    *step = now > ids->last ? now : ids->last + 1;
    if (*step > ids->recorded) TRY(record(catalog, ids, *step + ROWID_BLOCK, err));
    ids->last = *step;
    return ST_OK;
}

Status catalog_row_id(Catalog *catalog, int64_t *id, Error *err)
{
    uint64_t now = (clock_unix_ns() - EPOCH_2015_NS) / ROWID_STEP_NS, step = 0;
    pthread_mutex_lock(&catalog->row_ids.mutex);
    Status st = take(catalog, &catalog->row_ids, now, &step, err);
    pthread_mutex_unlock(&catalog->row_ids.mutex);
    *id = (int64_t)(step << ROWID_NODE_BITS ^ ROWID_NODE);
    return st;
}

void row_ids_close(Catalog *catalog)
{
    RowIds *ids = &catalog->row_ids;
    Error ignored; /* the record then stays ahead, which costs steps but repeats none */
    if (ids->loaded && ids->recorded != ids->last && record(catalog, ids, ids->last, &ignored) != ST_OK)
        ids->loaded = false;
    pthread_mutex_destroy(&ids->mutex);
}
