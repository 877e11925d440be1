/* Where a range is cut, the pairs on one side must be counted; those on the other are the rest. Both sides are counted in
 * turns, and the one that is done first decides, so a cut at the edge of a large range costs next to nothing. */
#include <assert.h>

#include "storage/range/directory_internal.h"

typedef struct SideCount {
    KvScan *scan; /* NULL: nothing is left */
    RangeSums sums;
} SideCount;

static Status side_open(KvSnapshot *snapshot, Slice start, Slice end, SideCount *side, Error *err)
{
    *side = (SideCount){0};
    return kv_scan_open(snapshot, start, end, false, 0, &side->scan, err);
}

/* Counts one block. */
static Status side_step(SideCount *side, Error *err)
{
    KvBlock block;
    Status st = kv_scan_next(side->scan, &block, err);
    if (st == ST_ERROR) return st;
    if (st == ST_END) {
        kv_scan_close(side->scan);
        side->scan = NULL;
        return ST_OK;
    }
    for (int i = 0; i < block.count; i++) {
        if (block.pairs[i].key.data[0] == 0x03) continue; /* the directory's own */
        RangeSums pair = {1, (int64_t)block.pairs[i].key.size, (int64_t)block.pairs[i].value.size};
        sums_add(&side->sums, &pair);
    }
    return ST_OK;
}

/* The pairs in [start, middle), given those in [start, end). */
static Status count_left(KvSnapshot *snapshot, const Slice bounds[3], RangeSums all, RangeSums *left, Error *err)
{
    SideCount sides[2] = {{0}, {0}};
    Status st = side_open(snapshot, bounds[0], bounds[1], &sides[0], err);
    if (st == ST_OK) st = side_open(snapshot, bounds[1], bounds[2], &sides[1], err);
    while (st == ST_OK && sides[0].scan && sides[1].scan) {
        st = side_step(&sides[1], err);
        if (st == ST_OK && sides[1].scan) st = side_step(&sides[0], err);
    }
    if (st == ST_OK && !sides[0].scan) {
        *left = sides[0].sums;
    } else {
        const RangeSums *right = &sides[1].sums;
        *left = (RangeSums){all.keys - right->keys, all.key_bytes - right->key_bytes, all.value_bytes - right->value_bytes};
    }
    kv_scan_close(sides[0].scan);
    kv_scan_close(sides[1].scan);
    return st;
}

/* What the old ranges held when the snapshot was taken: their sums when the change began, and what has been booked up to
 * the snapshot's version since. Waits until no group is in flight, as the one that the snapshot sees may be. */
static RangeSums sums_at(Directory *directory, const Change *change, const RangeSums *begun, int first, int last)
{
    RangeSums sums = *begun;
    pthread_mutex_lock(&directory->mutex);
    directory->waiting_for_gap++;
    while (directory->in_group) pthread_cond_wait(&directory->gap, &directory->mutex);
    directory->waiting_for_gap--;
    for (int i = 0; i < change->log_count; i++) {
        const Booking *booking = &change->log[i];
        if (booking->version <= change->counted_version && booking->index >= first && booking->index <= last)
            sums_add(&sums, &booking->sums);
    }
    pthread_cond_broadcast(&directory->gap);
    pthread_mutex_unlock(&directory->mutex);
    return sums;
}

/* fresh[first..last] cover one old range. */
static Status count_cut(Directory *directory, KvSnapshot *snapshot, Change *change, RangeSums all, const int cut[2],
                        Error *err)
{
    RangeList *fresh = &change->fresh;
    for (int i = cut[0]; i < cut[1]; i++) {
        Slice bounds[3] = {fresh->items[i]->start, fresh->items[i]->end, fresh->items[cut[1]]->end};
        RangeSums left;
        TRY(count_left(snapshot, bounds, all, &left, err));
        fresh->items[i]->sums = left;
        all = (RangeSums){all.keys - left.keys, all.key_bytes - left.key_bytes, all.value_bytes - left.value_bytes};
    }
    fresh->items[cut[1]]->sums = all;
    return ST_OK;
}

static Status count_all(Directory *directory, KvSnapshot *snapshot, Change *change, Error *err)
{
    int old = 0;
    for (int first = 0; first < change->fresh.count;) {
        int last = first;
        RangeSums sums = change->begun[old];
        /* A cut range is covered by several fresh ones, a merged range covers several old ones. */
        while (slice_compare(change->fresh.items[last]->end, change->old.items[old]->end) < 0) last++;
        while (slice_compare(change->old.items[old]->end, change->fresh.items[last]->end) < 0)
            sums_add(&sums, &change->begun[++old]);
        RangeSums all = snapshot ? sums_at(directory, change, &sums, first, last) : sums;
        if (first == last || !all.keys) change->fresh.items[last]->sums = all;
        else TRY(count_cut(directory, snapshot, change, all, (int[2]){first, last}, err));
        first = last + 1;
        old++;
    }
    return ST_OK;
}

Status change_count(Directory *directory, Change *change, Error *err)
{
    bool any_pairs = false;
    KvSnapshot *snapshot = NULL;
    for (int i = 0; i < change->old.count; i++) any_pairs |= change->begun[i].keys != 0;
    if (any_pairs && change->fresh.count > 1) {
        TRY(kv_snapshot_open(directory->kv, &snapshot, err));
        change->counted_version = kv_snapshot_version(snapshot);
    }
    Status st = count_all(directory, snapshot, change, err);
    if (snapshot) kv_snapshot_close(snapshot);
    return st;
}
