#include <assert.h>
#include <stdlib.h>

#include "storage/base/clock.h"
#include "storage/keys/row_key.h"
#include "storage/range/directory_internal.h"

/* ---- opening ---- */

static Status damaged(Arena *arena, Error *err)
{
    return err_set(err, arena, ERR_DATA_CORRUPTED, "the records of the ranges are damaged");
}

/* The records are in key order and leave no gap. */
static Status take_block(Directory *directory, const KvBlock *block, Arena *arena, Error *err)
{
    for (int i = 0; i < block->count; i++) {
        Range *range = range_from_record(block->pairs[i].key, block->pairs[i].value);
        if (!range) return damaged(arena, err);
        Slice end = {0};
        if (directory->ranges.count) end = directory->ranges.items[directory->ranges.count - 1]->end;
        range_list_push(&directory->ranges, range);
        if (!slice_equal(range->start, end)) return damaged(arena, err);
        if (range->id >= directory->next_id) directory->next_id = range->id + 1;
    }
    return ST_OK;
}

static Status read_records(Directory *directory, KvSnapshot *snapshot, Arena *arena, Error *err)
{
    KvScan *scan;
    KvBlock block;
    Slice ids_key = SLICE_LIT("\x04range-ids"), ids;
    bool found;
    directory->next_id = 1;
    TRY(kv_scan_open(snapshot, SLICE_LIT("\x03"), SLICE_LIT("\x04"), false, 0, &scan, err));
    Status st;
    while ((st = kv_scan_next(scan, &block, err)) == ST_OK && (st = take_block(directory, &block, arena, err)) == ST_OK) {}
    kv_scan_close(scan);
    if (st != ST_END) return st;
    TRY(kv_get_many(snapshot, &ids_key, 1, &found, &ids, err));
    /* Ids of ranges that have been merged away are not given out again. */
    if (found && ids.size == 8 && (int64_t)load_u64(ids.data) + 2 > directory->next_id)
        directory->next_id = (int64_t)load_u64(ids.data) + 2;
    if (directory->ranges.count == 0) return ST_OK;
    Range *last = directory->ranges.items[directory->ranges.count - 1];
    return slice_equal(last->end, ROW_KEY_MAX) ? ST_OK : damaged(arena, err);
}

/* The first range of a store holds all keys: those that are there already, too. */
static Status make_first(Directory *directory, KvSnapshot *snapshot, Error *err)
{
    Range *range = range_create(directory->next_id++, (Slice){0}, ROW_KEY_MAX);
    range_list_push(&directory->ranges, range);
    KvScan *scan;
    KvBlock block;
    Status st;
    TRY(kv_scan_open(snapshot, (Slice){0}, ROW_KEY_MAX, false, 0, &scan, err));
    while ((st = kv_scan_next(scan, &block, err)) == ST_OK) {
        for (int i = 0; i < block.count; i++) {
            RangeSums pair = {1, (int64_t)block.pairs[i].key.size, (int64_t)block.pairs[i].value.size};
            sums_add(&range->sums, &pair);
        }
    }
    kv_scan_close(scan);
    if (st == ST_ERROR) return st;
    uint64_t version;
    range_record(range, &range->sums, &directory->key, &directory->value);
    KvOp put = {.kind = KV_PUT, .key = buf_slice(&directory->key), .value = buf_slice(&directory->value)};
    return kv_commit_ops(directory->kv, &put, 1, &version, err) == KV_COMMITTED ? ST_OK : ST_ERROR;
}

static void directory_destroy(Directory *directory)
{
    for (int i = 0; i < directory->ranges.count; i++) free(directory->ranges.items[i]);
    free(directory->ranges.items);
    free(directory->touched.items);
    buf_finish(&directory->key);
    buf_finish(&directory->value);
    pthread_mutex_destroy(&directory->change_mutex);
    pthread_mutex_destroy(&directory->mutex);
    pthread_cond_destroy(&directory->gap);
    free(directory);
}

Status directory_open(Kv *kv, Directory **out, Arena *arena, Error *err)
{
    Directory *directory = calloc(1, sizeof *directory);
    if (!directory) return err_no_memory(err);
    directory->kv = kv;
    pthread_mutex_init(&directory->change_mutex, NULL);
    pthread_mutex_init(&directory->mutex, NULL);
    pthread_cond_init(&directory->gap, NULL);
    KvSnapshot *snapshot = NULL;
    Status st = kv_snapshot_open(kv, &snapshot, err);
    if (st == ST_OK) st = read_records(directory, snapshot, arena, err);
    if (st == ST_OK && directory->ranges.count == 0) st = make_first(directory, snapshot, err);
    if (snapshot) kv_snapshot_close(snapshot);
    if (st != ST_OK) {
        directory_destroy(directory);
        return st;
    }
    kv_observe(kv, &(KvObserver){directory_changed, directory_flush, directory_ended, directory});
    *out = directory;
    return ST_OK;
}

void directory_close(Directory *directory)
{
    if (!directory) return;
    assert(!directory->in_group && !directory->change);
    kv_observe(directory->kv, NULL);
    directory_destroy(directory);
}

/* ---- finding ---- */

static void describe(const Range *range, RangeDesc *desc, uint64_t now_ns, Arena *arena)
{
    *desc = (RangeDesc){
        .id = range->id,
        .start = arena_slice(arena, range->start),
        .end = arena_slice(arena, range->end),
        .sticky_until_us = range->sticky_until_us,
        .key_count = range->sums.keys,
        .key_bytes = range->sums.key_bytes,
        .value_bytes = range->sums.value_bytes,
        .lease_holder = range->lease_holder,
        .fixed = range->fixed,
    };
    heat_rates(&range->heat, now_ns, desc);
}

void directory_find(Directory *directory, Slice key, RangeDesc *range, Arena *arena)
{
    uint64_t now_ns = clock_monotonic_ns();
    pthread_mutex_lock(&directory->mutex);
    describe(directory->ranges.items[range_list_find(&directory->ranges, key)], range, now_ns, arena);
    pthread_mutex_unlock(&directory->mutex);
}

/* The ranges first..last overlap the span; an empty end is /Max. Called with the mutex held. */
static int overlap(const Directory *directory, Slice start, Slice end, int *first)
{
    *first = range_list_find(&directory->ranges, start);
    if (end.size && slice_compare(start, end) >= 0) return 0;
    int last = *first;
    while (last + 1 < directory->ranges.count &&
           (!end.size || slice_compare(directory->ranges.items[last + 1]->start, end) < 0))
        last++;
    return last - *first + 1;
}

int directory_list(Directory *directory, Slice start, Slice end, RangeDesc **ranges, Arena *arena)
{
    int first;
    uint64_t now_ns = clock_monotonic_ns();
    pthread_mutex_lock(&directory->mutex);
    int count = overlap(directory, start, end, &first);
    *ranges = ARENA_ARRAY(arena, RangeDesc, count + 1);
    for (int i = 0; i < count; i++) describe(directory->ranges.items[first + i], &(*ranges)[i], now_ns, arena);
    pthread_mutex_unlock(&directory->mutex);
    return count;
}

int directory_count(Directory *directory, Slice start, Slice end)
{
    int first;
    pthread_mutex_lock(&directory->mutex);
    int count = overlap(directory, start, end, &first);
    pthread_mutex_unlock(&directory->mutex);
    return count;
}

void directory_span_stats(Directory *directory, Slice start, Slice end, int64_t *keys, int64_t *key_bytes,
                          int64_t *value_bytes)
{
    int first;
    RangeSums sums = {0};
    pthread_mutex_lock(&directory->mutex);
    int count = overlap(directory, start, end, &first);
    for (int i = 0; i < count; i++) sums_add(&sums, &directory->ranges.items[first + i]->sums);
    pthread_mutex_unlock(&directory->mutex);
    *keys = sums.keys;
    *key_bytes = sums.key_bytes;
    *value_bytes = sums.value_bytes;
}
