/* Ranges that have grown too large, and those that are too hot, are cut here: what the policy allows, and where. */
#include <assert.h>

#include "storage/base/clock.h"
#include "storage/base/log.h"
#include "storage/keys/ordered.h"
#include "storage/keys/row_key.h"
#include "storage/range/directory_internal.h"

/* ---- the policy ---- */

static const RangeLimits LIMITS_DEFAULT = {.bytes_max = INT64_C(512) << 20, .bytes_min = INT64_C(128) << 20, .replicas = 3};

void directory_set_policy(Directory *directory, const RangePolicy *policy)
{
    pthread_rwlock_wrlock(&directory->policy_lock);
    directory->policy = policy ? *policy : (RangePolicy){0};
    pthread_rwlock_unlock(&directory->policy_lock);
    directory_limits_changed(directory);
}

void directory_limits_changed(Directory *directory)
{
    atomic_store(&directory->bytes_max_least, 0);
    atomic_store(&directory->sizes_to_judge, true);
    atomic_store(&directory->replicas_to_judge, true);
}

RangeLimits directory_limits(Directory *directory, Slice start)
{
    RangeLimits limits = LIMITS_DEFAULT;
    pthread_rwlock_rdlock(&directory->policy_lock);
    if (directory->policy.limits) directory->policy.limits(directory->policy.argument, start, &limits);
    pthread_rwlock_unlock(&directory->policy_lock);
    return limits;
}

Slice directory_cut_place(const RangeLimits *limits, Slice row, Slice start)
{
    Slice cut = row;
    if (limits->by_hash_code) {
        uint32_t table, index;
        int64_t code;
        Slice rest = row;
        if (!row_key_take_prefix(&rest, &table, &index) || !ordered_get_int(&rest, false, &code)) return (Slice){0};
        cut.size = (size_t)(rest.data - row.data);
    }
    return slice_compare(cut, start) > 0 ? cut : (Slice){0};
}

/* ---- by size ---- */

typedef struct LargeRange {
    Slice start, end;
    int64_t bytes;
    RangeLimits limits;
} LargeRange;
typedef VEC(LargeRange) LargeRanges;

/* Ranges that may be too large. The least maximum of all is what the commit thread compares with. */
static void find_large(Directory *directory, uint64_t refusal_ns, LargeRanges *large, Arena *arena)
{
    RangeDesc *ranges;
    int64_t least = INT64_MAX;
    uint64_t now_ns = clock_monotonic_ns();
    int count = directory_list(directory, (Slice){0}, (Slice){0}, &ranges, arena);
    for (int i = 0; i < count; i++) {
        LargeRange range = {ranges[i].start, ranges[i].end, ranges[i].key_bytes + ranges[i].value_bytes,
                            directory_limits(directory, ranges[i].start)};
        if (range.limits.bytes_max < least) least = range.limits.bytes_max;
        if (range.bytes <= range.limits.bytes_max) continue;
        pthread_mutex_lock(&directory->mutex);
        const Range *now = range_map_get(&directory->ranges, range.start);
        bool waits = now->refused_at_ns && now_ns - now->refused_at_ns < refusal_ns;
        pthread_mutex_unlock(&directory->mutex);
        if (!waits) VEC_PUSH(arena, *large, range);
    }
    atomic_store(&directory->bytes_max_least, least);
}

/* The first cut at or behind the place where half of the bytes have been passed. Where the rows allow none behind it, the
 * last one before. Hash-sharded ranges are cut at the middle row's hash code or not at all. */
typedef struct Middle {
    const LargeRange *range;
    Slice cut; /* in the arena */
    Buf before;
    int64_t passed;
    bool done;
} Middle;

static void look_at_pair(Middle *m, const KvPair *pair, Arena *arena)
{
    Slice row;
    uint32_t family;
    bool is_row = row_key_split(pair->key, &row, &family), behind = m->passed >= m->range->bytes / 2;
    m->passed += (int64_t)(pair->key.size + pair->value.size);
    if (!is_row) return;
    Slice cut = directory_cut_place(&m->range->limits, row, m->range->start);
    if (behind) {
        m->done = m->range->limits.by_hash_code || cut.size;
        if (cut.size) m->cut = arena_slice(arena, cut);
    } else if (cut.size && !m->range->limits.by_hash_code) {
        buf_clear(&m->before);
        buf_put_slice(&m->before, cut);
    }
}

static Status find_middle(Directory *directory, const LargeRange *range, Slice *middle, Arena *arena, Error *err)
{
    KvSnapshot *snapshot;
    KvScan *scan = NULL;
    KvBlock block;
    Middle m = {.range = range};
    TRY(kv_snapshot_open(directory->kv, &snapshot, err));
    Status st = kv_scan_open(snapshot, range->start, range->end, false, 0, &scan, err);
    while (st == ST_OK && !m.done && (st = kv_scan_next(scan, &block, err)) == ST_OK)
        for (int i = 0; i < block.count && !m.done; i++) look_at_pair(&m, &block.pairs[i], arena);
    kv_scan_close(scan);
    kv_snapshot_close(snapshot);
    *middle = arena_slice(arena, m.cut.size ? m.cut : buf_slice(&m.before));
    buf_finish(&m.before);
    return st == ST_ERROR ? st : ST_OK;
}

static void refuse(Directory *directory, Slice start, RangeRefusal refusal)
{
    pthread_mutex_lock(&directory->mutex);
    Range *range = range_map_get(&directory->ranges, start);
    range->refusal = refusal;
    range->refused_at_ns = clock_monotonic_ns();
    long long id = range->id;
    pthread_mutex_unlock(&directory->mutex);
    if (refusal == REFUSAL_ONE_HASH_CODE)
        log_write(LOG_WARNING, "Failed to detect middle key for range %lld with partition bounds: TABLET_SPLIT_KEY_RANGE_TOO_SMALL "
                               "(the middle row has the first hash code of the range)", id);
}

static Status split_one(Directory *directory, const LargeRange *range, int *split, Arena *arena, Error *err)
{
    Slice middle;
    TRY(find_middle(directory, range, &middle, arena, err));
    if (!middle.size) {
        refuse(directory, range->start, range->limits.by_hash_code ? REFUSAL_ONE_HASH_CODE : REFUSAL_ONE_ROW);
        return ST_OK;
    }
    TRY(directory_split(directory, &middle, 1, 0, err));
    ++*split;
    return ST_OK;
}

Status directory_split_large(Directory *directory, int *split, Error *err)
{
    RangeConfig config;
    *split = 0;
    directory_read_config(directory, &config);
    if (!atomic_exchange(&directory->sizes_to_judge, false)) return ST_OK;
    Arena *arena = arena_create(NULL, 0);
    LargeRanges large = {0};
    find_large(directory, config.refusal_ns, &large, arena);
    Status st = ST_OK;
    for (int i = 0; i < large.count && st == ST_OK; i++) st = split_one(directory, &large.items[i], split, arena, err);
    /* The halves may still be too large; a refused cut is tried again. */
    if (large.count) atomic_store(&directory->sizes_to_judge, true);
    arena_destroy(arena);
    return st;
}

/* ---- by load ---- */

static int take_wanted(Directory *directory, Slice *keys, Arena *arena)
{
    pthread_mutex_lock(&directory->mutex);
    int count = directory->wanted_cuts.count;
    for (int i = 0; i < count; i++) keys[i] = arena_slice(arena, buf_slice(&directory->wanted_cuts.keys[i]));
    directory->wanted_cuts.count = 0;
    pthread_mutex_unlock(&directory->mutex);
    return count;
}

Status directory_split_hot(Directory *directory, int *split, Error *err)
{
    Slice keys[WANTED_CUTS_MAX], row;
    uint32_t family;
    Arena *arena = arena_create(NULL, 0);
    RangeConfig config;
    Status st = ST_OK;
    *split = 0;
    directory_read_config(directory, &config);
    int count = take_wanted(directory, keys, arena);
    for (int i = 0; i < count && st == ST_OK && config.split_by_load; i++) {
        RangeDesc range;
        if (!row_key_split(keys[i], &row, &family)) continue;
        directory_find(directory, keys[i], &range, arena);
        RangeLimits limits = directory_limits(directory, range.start);
        Slice cut = directory_cut_place(&limits, row, range.start);
        if (!cut.size) continue;
        st = directory_split(directory, &cut, 1, 0, err);
        *split += st == ST_OK;
    }
    arena_destroy(arena);
    return st;
}
