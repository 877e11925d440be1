/* memory.c - the map in memory: the engine for tests, and the plainest statement of what the contract means.
 *
 * Every version of every key is kept until the engine is closed, newest first, so a snapshot is a number and borrowed
 * bytes stay where they are. One mutex guards all of it; no call blocks while holding it.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "storage/kv/kv_internal.h"
#include "storage/kv/sorted_map.h"

typedef struct Version {
    struct Version *older;
    uint64_t version;
    bool deleted;
    Slice value;
} Version;

typedef struct Cell {
    Version *newest;
} Cell;

typedef struct MemoryKv {
    Kv base;
    Arena *arena;
    pthread_mutex_t mutex; /* guards what follows and the arena */
    SortedMap keys;         /* of Cell */
    uint64_t version, commits;
    int snapshots_open, readers_max;
    KvObserver observer;
    bool observed;
} MemoryKv;

typedef struct MemoryScan {
    KvScan base;
    KvSpan span;
    bool descending, done;
    SortedNode *passed; /* the last node looked at; NULL: seek target first */
    Slice target;
    uint8_t *bounds; /* start, end and seek target */
    size_t target_size_max;
    int rows, rows_max;
    KvPair pairs[KV_BLOCK_ROWS_MAX];
} MemoryScan;

static MemoryKv *memory_of(const KvSnapshot *snapshot)
{
    return (MemoryKv *)snapshot->kv;
}

Status kv_memory_open(Kv **kv)
{
    MemoryKv *memory = calloc(1, sizeof *memory);
    if (!memory) abort();
    memory->base.engine = &kv_engine_memory;
    memory->arena = arena_create(NULL, 0);
    pthread_mutex_init(&memory->mutex, NULL);
    sorted_map_init(&memory->keys, memory->arena, sizeof(Cell));
    memory->version = 1;
    memory->readers_max = 1 << 20;
    *kv = &memory->base;
    return ST_OK;
}

static void memory_close(Kv *kv)
{
    MemoryKv *memory = (MemoryKv *)kv;
    assert(memory->snapshots_open == 0);
    pthread_mutex_destroy(&memory->mutex);
    arena_destroy(memory->arena);
    free(memory);
}

static uint64_t memory_version(const Kv *kv)
{
    MemoryKv *memory = (MemoryKv *)(uintptr_t)kv;
    pthread_mutex_lock(&memory->mutex);
    uint64_t version = memory->version;
    pthread_mutex_unlock(&memory->mutex);
    return version;
}

/* ---- reading ---- */

static Status memory_snapshot_open(Kv *kv, KvSnapshot **snapshot, Error *err)
{
    MemoryKv *memory = (MemoryKv *)kv;
    KvSnapshot *opened = calloc(1, sizeof *opened);
    if (!opened) return err_no_memory(err);
    opened->kv = kv;
    pthread_mutex_lock(&memory->mutex);
    opened->version = memory->version;
    memory->snapshots_open++;
    pthread_mutex_unlock(&memory->mutex);
    *snapshot = opened;
    return ST_OK;
}

static Status memory_snapshot_renew(KvSnapshot *snapshot, Error *err)
{
    snapshot->version = memory_version(snapshot->kv);
    return ST_OK;
}

static void memory_snapshot_pause(KvSnapshot *snapshot)
{
    snapshot->version = 0;
}

static void memory_snapshot_close(KvSnapshot *snapshot)
{
    MemoryKv *memory = memory_of(snapshot);
    pthread_mutex_lock(&memory->mutex);
    memory->snapshots_open--;
    pthread_mutex_unlock(&memory->mutex);
    free(snapshot);
}

/* What the snapshot sees of a key; NULL if nothing. */
static const Version *visible(SortedNode *node, uint64_t version)
{
    const Version *v = node ? ((Cell *)sorted_record(node))->newest : NULL;
    while (v && v->version > version) v = v->older;
    return v && !v->deleted ? v : NULL;
}

static Status memory_get_many(KvSnapshot *snapshot, const Slice *keys, int n, bool *found, Slice *values, Error *err)
{
    MemoryKv *memory = memory_of(snapshot);
    pthread_mutex_lock(&memory->mutex);
    for (int i = 0; i < n; i++) {
        const Version *v = visible(sorted_map_find(&memory->keys, keys[i]), snapshot->version);
        found[i] = v != NULL;
        values[i] = v ? v->value : (Slice){0};
    }
    pthread_mutex_unlock(&memory->mutex);
    return ST_OK;
}

static Status memory_scan_open(KvSnapshot *snapshot, const KvSpan *span, bool descending, int rows_max, KvScan **scan,
                               Error *err)
{
    MemoryScan *opened = calloc(1, sizeof *opened);
    uint8_t *bounds = malloc(span->start.size + span->end.size + 1);
    if (!opened || !bounds) {
        free(opened);
        free(bounds);
        return err_no_memory(err);
    }
    if (span->start.size) memcpy(bounds, span->start.data, span->start.size);
    if (span->end.size) memcpy(bounds + span->start.size, span->end.data, span->end.size);
    opened->base.snapshot = snapshot;
    opened->bounds = bounds;
    opened->span = (KvSpan){{bounds, span->start.size}, {bounds + span->start.size, span->end.size}};
    opened->descending = descending;
    opened->rows_max = rows_max;
    opened->rows = rows_max < KV_BLOCK_ROWS_FIRST ? rows_max : KV_BLOCK_ROWS_FIRST;
    opened->target = descending ? opened->span.end : opened->span.start;
    *scan = &opened->base;
    return ST_OK;
}

static SortedNode *scan_step(MemoryScan *scan, const SortedMap *keys)
{
    if (scan->passed) return scan->descending ? scan->passed->previous : scan->passed->next;
    if (!scan->descending) return sorted_map_seek(keys, scan->target);
    return scan->target.size ? sorted_map_before(keys, scan->target) : keys->last;
}

static Status memory_scan_next(KvScan *base, KvBlock *block, Error *err)
{
    MemoryScan *scan = (MemoryScan *)base;
    MemoryKv *memory = memory_of(base->snapshot);
    *block = (KvBlock){scan->pairs, 0};
    pthread_mutex_lock(&memory->mutex);
    while (!scan->done && block->count < scan->rows) {
        SortedNode *node = scan_step(scan, &memory->keys);
        if (!node || !kv_span_holds(&scan->span, sorted_key(node))) {
            scan->done = true;
            break;
        }
        scan->passed = node;
        const Version *v = visible(node, base->snapshot->version);
        if (v) scan->pairs[block->count++] = (KvPair){sorted_key(node), v->value};
    }
    pthread_mutex_unlock(&memory->mutex);
    scan->rows = scan->rows * 2 < scan->rows_max ? scan->rows * 2 : scan->rows_max;
    return block->count ? ST_OK : ST_END;
}

static Status memory_scan_seek(KvScan *base, Slice key, Error *err)
{
    MemoryScan *scan = (MemoryScan *)base;
    size_t fixed = scan->span.start.size + scan->span.end.size;
    if (key.size > scan->target_size_max) {
        uint8_t *grown = realloc(scan->bounds, fixed + key.size);
        if (!grown) return err_no_memory(err);
        scan->bounds = grown;
        scan->span.start.data = grown;
        scan->span.end.data = grown + scan->span.start.size;
        scan->target_size_max = key.size;
    }
    if (key.size) memcpy(scan->bounds + fixed, key.data, key.size);
    scan->target = slice_of(scan->bounds + fixed, key.size);
    bool inside = slice_compare(scan->target, scan->span.start) >= 0;
    if (!scan->descending && !inside) scan->target = scan->span.start;
    if (scan->descending && scan->span.end.size && slice_compare(scan->target, scan->span.end) > 0)
        scan->target = scan->span.end;
    scan->done = scan->descending && !inside;
    scan->passed = NULL;
    return ST_OK;
}

static void memory_scan_close(KvScan *base)
{
    MemoryScan *scan = (MemoryScan *)base;
    free(scan->bounds);
    free(scan);
}

/* ---- writing; all with the mutex held ---- */

static const Version *newest(SortedNode *node)
{
    return visible(node, UINT64_MAX);
}

static void cell_set(MemoryKv *memory, SortedNode *node, bool deleted, Slice value, bool observed)
{
    Cell *cell = sorted_record(node);
    const Version *old = newest(node);
    int64_t old_size = old ? (int64_t)old->value.size : -1;
    Version *v = ARENA_NEW(memory->arena, Version);
    *v = (Version){cell->newest, memory->version + 1, deleted, deleted ? value : arena_slice(memory->arena, value)};
    cell->newest = v;
    if (observed && memory->observed)
        memory->observer.changed(memory->observer.argument, sorted_key(node), old_size,
                                 deleted ? -1 : (int64_t)value.size);
}

static void apply(MemoryKv *memory, const KvOp *op, bool observed)
{
    SortedMap *keys = &memory->keys;
    bool made;
    SortedNode *node;
    uint8_t counter[8];
    switch (op->kind) {
    case KV_PUT:
        cell_set(memory, sorted_map_put(keys, op->key, &made), false, op->value, observed);
        return;
    case KV_DELETE:
        node = sorted_map_find(keys, op->key);
        if (newest(node)) cell_set(memory, node, true, (Slice){0}, observed);
        return;
    case KV_DELETE_SPAN:
        for (node = sorted_map_seek(keys, op->key); node; node = node->next) {
            if (op->end.size && slice_compare(sorted_key(node), op->end) >= 0) break;
            if (newest(node)) cell_set(memory, node, true, (Slice){0}, observed);
        }
        return;
    case KV_ADD:
        node = sorted_map_put(keys, op->key, &made);
        const Version *old = newest(node);
        kv_counter_encode((int64_t)((uint64_t)(old ? kv_counter_decode(old->value) : 0) + (uint64_t)op->delta), counter);
        cell_set(memory, node, false, slice_of(counter, 8), observed);
        return;
    }
}

static bool unchanged(MemoryKv *memory, const KvBatch *batch)
{
    for (int i = 0; i < batch->unchanged_count; i++) {
        SortedNode *node = sorted_map_seek(&memory->keys, batch->unchanged[i].start);
        for (; node && kv_span_holds(&batch->unchanged[i], sorted_key(node));
             node = node->next) {
            const Version *v = ((Cell *)sorted_record(node))->newest;
            if (v && v->version > batch->snapshot_version) return false;
        }
    }
    return true;
}

static KvOutcome memory_commit(Kv *kv, const KvBatch *batch, uint64_t *version, Error *err)
{
    MemoryKv *memory = (MemoryKv *)kv;
    KvOutcome outcome = KV_COMMITTED;
    KvOp op;
    /* Nothing can fail once the operations have been looked at, so there is nothing to undo. */
    while (batch->next(batch->argument, &op))
        if (kv_op_check(&op, err) != ST_OK) return KV_FAILED;
    batch->rewind(batch->argument);
    pthread_mutex_lock(&memory->mutex);
    if (unchanged(memory, batch)) {
        while (batch->next(batch->argument, &op)) apply(memory, &op, true);
        if (memory->observed) {
            while (memory->observer.flush(memory->observer.argument, &op)) apply(memory, &op, false);
            memory->observer.ended(memory->observer.argument, true, memory->version + 1);
        }
        *version = ++memory->version;
        memory->commits++;
    } else {
        outcome = KV_CONFLICT;
    }
    pthread_mutex_unlock(&memory->mutex);
    return outcome;
}

static void memory_guard(Kv *kv, int change)
{
}

static void memory_observe(Kv *kv, const KvObserver *observer)
{
    MemoryKv *memory = (MemoryKv *)kv;
    pthread_mutex_lock(&memory->mutex);
    memory->observed = observer != NULL;
    if (observer) memory->observer = *observer;
    pthread_mutex_unlock(&memory->mutex);
}

static void memory_status(Kv *kv, KvStatus *status)
{
    MemoryKv *memory = (MemoryKv *)kv;
    pthread_mutex_lock(&memory->mutex);
    status->used_bytes = status->file_bytes = arena_bytes(memory->arena);
    status->snapshots_open = memory->snapshots_open;
    status->readers_max = memory->readers_max;
    status->commits = status->groups = memory->commits;
    pthread_mutex_unlock(&memory->mutex);
}

static Status memory_checkpoint(Kv *kv, Error *err)
{
    return ST_OK;
}

static Status memory_backup(Kv *kv, int file, Error *err)
{
    *err = (Error){.sqlstate = ERR_FEATURE_NOT_SUPPORTED, .message = "a store in memory cannot be copied into a file"};
    return ST_ERROR;
}

const KvEngine kv_engine_memory = {
    .name = "memory",
    .close = memory_close,
    .version = memory_version,
    .snapshot_open = memory_snapshot_open,
    .snapshot_renew = memory_snapshot_renew,
    .snapshot_pause = memory_snapshot_pause,
    .snapshot_close = memory_snapshot_close,
    .get_many = memory_get_many,
    .scan_open = memory_scan_open,
    .scan_next = memory_scan_next,
    .scan_seek = memory_scan_seek,
    .scan_close = memory_scan_close,
    .guard = memory_guard,
    .commit = memory_commit,
    .observe = memory_observe,
    .status = memory_status,
    .checkpoint = memory_checkpoint,
    .backup = memory_backup,
};
