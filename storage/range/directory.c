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

static Slice last_end(const Directory *directory)
{
    const RangeMap *map = &directory->ranges;
    return map->count ? map->chunks[map->count - 1]->items[map->chunks[map->count - 1]->count - 1]->end : (Slice){0};
}

/* The records are in key order and leave no gap. */
static Status take_block(Directory *directory, const KvBlock *block, Arena *arena, Error *err)
{
    for (int i = 0; i < block->count; i++) {
        Range *range = range_from_record(block->pairs[i].key, block->pairs[i].value);
        if (!range) return damaged(arena, err);
        Slice end = last_end(directory);
        bool fits = slice_equal(range->start, end) && slice_compare(range->start, range->end) < 0;
        range_map_push(&directory->ranges, range);
        if (!fits) return damaged(arena, err);
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
    return slice_equal(last_end(directory), ROW_KEY_MAX) ? ST_OK : damaged(arena, err);
}

/* The first range of a store holds all keys: those that are there already, too. */
static Status make_first(Directory *directory, KvSnapshot *snapshot, Error *err)
{
    Range *range = range_create(directory->next_id++, (Slice){0}, ROW_KEY_MAX);
    range_map_push(&directory->ranges, range);
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

static Directory *directory_create(Kv *kv)
{
    Directory *directory = calloc(1, sizeof *directory);
    if (!directory) return NULL;
    directory->kv = kv;
    pthread_mutex_init(&directory->change_mutex, NULL);
    pthread_mutex_init(&directory->mutex, NULL);
    pthread_mutex_init(&directory->notes_mutex, NULL);
    heat_init(&directory->heat);
    pthread_mutex_init(&directory->config_mutex, NULL);
    pthread_rwlock_init(&directory->policy_lock, NULL);
    pthread_cond_init(&directory->gap, NULL);
    directory->random = clock_monotonic_ns() | 1;
    directory_configure(directory, &range_config_default);
    return directory;
}

static void directory_destroy(Directory *directory)
{
    range_map_finish(&directory->ranges);
    free(directory->touched.items);
    for (int i = 0; i < WANTED_CUTS_MAX; i++) buf_finish(&directory->wanted_cuts.keys[i]);
    buf_finish(&directory->key);
    buf_finish(&directory->value);
    buf_finish(&directory->sampled_keys);
    buf_finish(&directory->merge_cursor);
    pthread_mutex_destroy(&directory->change_mutex);
    pthread_mutex_destroy(&directory->mutex);
    pthread_mutex_destroy(&directory->notes_mutex);
    heat_finish(&directory->heat);
    pthread_mutex_destroy(&directory->config_mutex);
    pthread_rwlock_destroy(&directory->policy_lock);
    pthread_cond_destroy(&directory->gap);
    free(directory);
}

Status directory_open(Kv *kv, int nodes, Directory **out, Arena *arena, Error *err)
{
    Directory *directory = directory_create(kv);
    if (!directory) return err_no_memory(err);
    KvSnapshot *snapshot = NULL;
    Status st = kv_snapshot_open(kv, &snapshot, err);
    if (st == ST_OK) st = read_records(directory, snapshot, arena, err);
    if (st == ST_OK && directory->ranges.count == 0) st = make_first(directory, snapshot, err);
    if (snapshot) kv_snapshot_close(snapshot);
    if (st != ST_OK) {
        directory_destroy(directory);
        return st;
    }
    topology_start(directory, nodes);
    kv_observe(kv, &(KvObserver){directory_changed, directory_flush, directory_ended, directory});
    *out = directory;
    return ST_OK;
}

void directory_close(Directory *directory)
{
    if (!directory) return;
    assert(!directory->in_group && !directory->change && !directory->notes);
    kv_observe(directory->kv, NULL);
    directory_destroy(directory);
}

/* ---- finding ---- */

static void describe_load(const RangeLoad *load, RangeDesc *desc, uint64_t now_ns, Arena *arena)
{
    double factor = load_rates_factor(&load->rates, now_ns);
    desc->requests_per_second = load->rates.requests * factor;
    desc->reads_per_second = load->rates.reads * factor;
    desc->writes_per_second = load->rates.writes * factor;
    desc->read_bytes_per_second = load->rates.read_bytes * factor;
    desc->write_bytes_per_second = load->rates.write_bytes * factor;
    desc->cpu_share = load->rates.busy_ns * factor * 1e-9;
    desc->work = load->work;
    desc->access_direction = load->direction;
    desc->popular_key_share = load->popular_share;
    Slice key = buf_slice(&load->popular_key);
    double share = 0;
    int popular = key.size || !load->finder ? -1 : load_finder_popular(load->finder, &share);
    if (popular >= 0) { /* the first sample is still being taken */
        key = buf_slice(&load->finder->samples[popular].key);
        desc->popular_key_share = share;
        desc->access_direction = load_finder_direction(load->finder);
    }
    desc->popular_key = arena_slice(arena, key);
}

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
        .fixed = range->fixed,
        .refusal = range->refusal,
    };
    Placement placement = placement_read(atomic_load_explicit(&range->placement, memory_order_relaxed));
    desc->lease_holder = placement.lease;
    desc->non_voters = placement.non_voters;
    for (NodeSet left = placement_replicas(&placement); left; left &= left - 1)
        desc->replicas[desc->replica_count++] = (uint8_t)node_set_first(left);
    if (range->load) describe_load(range->load, desc, now_ns, arena);
}

void directory_find(Directory *directory, Slice key, RangeDesc *range, Arena *arena)
{
    directory_collect_notes(directory);
    uint64_t now_ns = clock_monotonic_ns();
    pthread_mutex_lock(&directory->mutex);
    describe(range_map_get(&directory->ranges, key), range, now_ns, arena);
    pthread_mutex_unlock(&directory->mutex);
}

int directory_lease_holder(Directory *directory, Slice key)
{
    pthread_mutex_lock(&directory->mutex);
    const Range *range = range_map_get(&directory->ranges, key);
    int node = placement_lease(atomic_load_explicit(&range->placement, memory_order_relaxed));
    pthread_mutex_unlock(&directory->mutex);
    return node;
}

static bool is_before(Slice start, Slice end)
{
    return !end.size || slice_compare(start, end) < 0;
}

/* The sums of the ranges that overlap the span, and how many they are. */
static int span_sums(Directory *directory, Slice start, Slice end, RangeSums *sums)
{
    int count = 0;
    if (!is_before(start, end)) return 0;
    pthread_mutex_lock(&directory->mutex);
    RangePlace place = range_map_find(&directory->ranges, start);
    for (const Range *range; (range = range_map_at(&directory->ranges, place)); count++) {
        if (count && !is_before(range->start, end)) break;
        sums_add(sums, &range->sums);
        place = range_map_next(&directory->ranges, place);
    }
    pthread_mutex_unlock(&directory->mutex);
    return count;
}

typedef VEC(RangeDesc) RangeDescs;

/* The next ranges of the span. The mutex is given up now and then: each stretch begins where the one before ended, so
 * they fit together. Returns false when the end is reached. */
static bool list_stretch(Directory *directory, Slice *at, Slice end, RangeDescs *list, Arena *arena)
{
    enum { STRETCH = 512 };
    uint64_t now_ns = clock_monotonic_ns();
    bool more = true;
    pthread_mutex_lock(&directory->mutex);
    RangePlace place = range_map_find(&directory->ranges, *at);
    for (int i = 0; i < STRETCH && more; i++, place = range_map_next(&directory->ranges, place)) {
        const Range *range = range_map_at(&directory->ranges, place);
        RangeDesc desc;
        describe(range, &desc, now_ns, arena);
        VEC_PUSH(arena, *list, desc);
        *at = desc.end;
        more = slice_compare(desc.end, ROW_KEY_MAX) < 0 && is_before(desc.end, end);
    }
    pthread_mutex_unlock(&directory->mutex);
    return more;
}

int directory_list(Directory *directory, Slice start, Slice end, RangeDesc **ranges, Arena *arena)
{
    RangeSums sums = {0};
    directory_collect_notes(directory);
    RangeDescs list = {.capacity = span_sums(directory, start, end, &sums) + 16};
    list.items = ARENA_ARRAY(arena, RangeDesc, list.capacity);
    Slice at = start;
    if (is_before(start, end))
        while (list_stretch(directory, &at, end, &list, arena)) {}
    *ranges = list.items;
    return list.count;
}

int directory_count(Directory *directory, Slice start, Slice end)
{
    RangeSums sums = {0};
    return span_sums(directory, start, end, &sums);
}

void directory_span_stats(Directory *directory, Slice start, Slice end, int64_t *keys, int64_t *key_bytes,
                          int64_t *value_bytes)
{
    RangeSums sums = {0};
    span_sums(directory, start, end, &sums);
    *keys = sums.keys;
    *key_bytes = sums.key_bytes;
    *value_bytes = sums.value_bytes;
}
