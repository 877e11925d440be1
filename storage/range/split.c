#include <assert.h>
#include <stdlib.h>

#include "storage/keys/row_key.h"
#include "storage/range/directory_internal.h"

static Status check_boundary(Slice key, Error *err)
{
    if (key.size && slice_compare(key, ROW_KEY_MAX) < 0) return ST_OK;
    *err = (Error){.sqlstate = ERR_INVALID_PARAMETER_VALUE, .message = "a range cannot be split at the end of the key space"};
    return ST_ERROR;
}

Status directory_split(Directory *directory, Slice key, int64_t sticky_until_us, Error *err)
{
    TRY(check_boundary(key, err));
    Change *change = change_create(directory);
    int index = range_list_find(&directory->ranges, key);
    const Range *range = directory->ranges.items[index];
    if (!slice_equal(range->start, key))
        change_plan_split(directory, change, index, &(Boundary){.key = key, .sticky_until_us = sticky_until_us}, 1);
    else if (sticky_until_us && sticky_until_us != range->sticky_until_us)
        change_plan_rewrite(directory, change, index, sticky_until_us, range->fixed);
    return change_run(directory, change, err);
}

static int compare_keys(const void *a, const void *b)
{
    return slice_compare(*(const Slice *)a, *(const Slice *)b);
}

/* All of the keys that lie in one range: one may be its start already, the others cut it. Returns how many. */
static int plan_fixed(Directory *directory, Change *change, const Slice *keys, int count, Boundary *boundaries)
{
    int index = range_list_find(&directory->ranges, keys[0]), used = 0, cuts = 0;
    const Range *range = directory->ranges.items[index];
    bool start_fixed = range->fixed;
    for (; used < count && slice_compare(keys[used], range->end) < 0; used++) {
        if (slice_equal(keys[used], range->start)) start_fixed = true;
        else if (cuts == 0 || !slice_equal(boundaries[cuts - 1].key, keys[used]))
            boundaries[cuts++] = (Boundary){.key = keys[used], .fixed = true};
    }
    int first = change->fresh.count;
    if (cuts) {
        change_plan_split(directory, change, index, boundaries, cuts);
        change->fresh.items[first]->fixed = start_fixed;
    } else if (start_fixed != range->fixed) {
        change_plan_rewrite(directory, change, index, range->sticky_until_us, start_fixed);
    }
    return used;
}

Status directory_add_boundaries(Directory *directory, const Slice *keys, int count, Error *err)
{
    for (int i = 0; i < count; i++) TRY(check_boundary(keys[i], err));
    if (count <= 0) return ST_OK;
    Arena *arena = arena_create(NULL, 0);
    Slice *sorted = arena_copy(arena, keys, sizeof *keys * (size_t)count);
    Boundary *boundaries = ARENA_ARRAY(arena, Boundary, count + 1);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_keys);
    Change *change = change_create(directory);
    for (int i = 0; i < count;) i += plan_fixed(directory, change, sorted + i, count - i, boundaries);
    Status st = change_run(directory, change, err);
    arena_destroy(arena);
    return st;
}

Status directory_unsplit(Directory *directory, Slice key, bool *was_start, Error *err)
{
    Change *change = change_create(directory);
    int index = range_list_find(&directory->ranges, key);
    const Range *range = directory->ranges.items[index];
    *was_start = slice_equal(range->start, key);
    if (*was_start && range->sticky_until_us) change_plan_rewrite(directory, change, index, 0, range->fixed);
    return change_run(directory, change, err);
}

/* ---- by size ---- */

/* The row that begins where half of the range's bytes have been passed; size 0 if there is none to cut at. */
static Status find_middle(Directory *directory, const RangeDesc *range, Slice *middle, Arena *arena, Error *err)
{
    KvSnapshot *snapshot;
    KvScan *scan = NULL;
    KvBlock block;
    int64_t half = (range->key_bytes + range->value_bytes) / 2, passed = 0;
    *middle = (Slice){0};
    TRY(kv_snapshot_open(directory->kv, &snapshot, err));
    Status st = kv_scan_open(snapshot, range->start, range->end, false, 0, &scan, err);
    while (st == ST_OK && !middle->size && (st = kv_scan_next(scan, &block, err)) == ST_OK) {
        for (int i = 0; i < block.count && !middle->size; i++) {
            Slice row;
            uint32_t family;
            bool is_row = row_key_split(block.pairs[i].key, &row, &family);
            if (passed >= half && is_row && slice_compare(row, range->start) > 0) *middle = arena_slice(arena, row);
            passed += (int64_t)(block.pairs[i].key.size + block.pairs[i].value.size);
        }
    }
    kv_scan_close(scan);
    kv_snapshot_close(snapshot);
    return st == ST_ERROR ? st : ST_OK;
}

Status directory_split_large(Directory *directory, int64_t bytes_max, int *split, Error *err)
{
    Arena *arena = arena_create(NULL, 0);
    RangeDesc *ranges;
    int count = directory_list(directory, (Slice){0}, (Slice){0}, &ranges, arena);
    Status st = ST_OK;
    *split = 0;
    for (int i = 0; i < count && st == ST_OK; i++) {
        Slice middle;
        if (ranges[i].key_bytes + ranges[i].value_bytes <= bytes_max) continue;
        st = find_middle(directory, &ranges[i], &middle, arena, err);
        if (st != ST_OK || !middle.size) continue;
        st = directory_split(directory, middle, 0, err);
        *split += st == ST_OK;
    }
    arena_destroy(arena);
    return st;
}
