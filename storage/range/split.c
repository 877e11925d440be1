/* Boundaries that are asked for: by hand, and for tables, indexes and buckets. */
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

static int compare_keys(const void *a, const void *b)
{
    return slice_compare(*(const Slice *)a, *(const Slice *)b);
}

/* What the new boundaries are to be. */
typedef struct Wanted {
    const Slice *keys; /* sorted */
    int count;
    int64_t sticky_until_us;
    bool fixed;
} Wanted;

static void make_boundary(Range *range, const Wanted *wanted)
{
    range->fixed |= wanted->fixed;
    if (wanted->sticky_until_us) range->sticky_until_us = wanted->sticky_until_us;
}

/* All of the keys that lie in one range: one may be its start already, the others cut it. Returns how many. */
static int plan_range(Directory *directory, Change *change, const Wanted *wanted, int from, Boundary *boundaries)
{
    Range *range = range_map_get(&directory->ranges, wanted->keys[from]);
    int used = from, cuts = 0, first = change->fresh.count;
    bool at_start = false;
    for (; used < wanted->count && slice_compare(wanted->keys[used], range->end) < 0; used++) {
        Slice key = wanted->keys[used];
        if (slice_equal(key, range->start)) at_start = true;
        else if (cuts == 0 || !slice_equal(boundaries[cuts - 1].key, key))
            boundaries[cuts++] = (Boundary){key, wanted->sticky_until_us, wanted->fixed};
    }
    Range start = {.fixed = range->fixed, .sticky_until_us = range->sticky_until_us};
    if (at_start) make_boundary(&start, wanted);
    bool alters = start.fixed != range->fixed || start.sticky_until_us != range->sticky_until_us;
    if (cuts) change_plan_split(directory, change, range, boundaries, cuts);
    else if (alters) change_plan_rewrite(change, range);
    else return used - from;
    if (at_start) make_boundary(change->fresh.items[first], wanted);
    return used - from;
}

static Status make_boundaries(Directory *directory, const Slice *keys, int count, Wanted wanted, Error *err)
{
    for (int i = 0; i < count; i++) TRY(check_boundary(keys[i], err));
    if (count <= 0) return ST_OK;
    Arena *arena = arena_create(NULL, 0);
    Slice *sorted = arena_copy(arena, keys, sizeof *keys * (size_t)count);
    Boundary *boundaries = ARENA_ARRAY(arena, Boundary, count + 1);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_keys);
    wanted.keys = sorted;
    wanted.count = count;
    Change *change = change_create(directory);
    for (int i = 0; i < count;) i += plan_range(directory, change, &wanted, i, boundaries);
    Status st = change_run(directory, change, err);
    arena_destroy(arena);
    return st;
}

Status directory_split(Directory *directory, const Slice *keys, int count, int64_t sticky_until_us, Error *err)
{
    return make_boundaries(directory, keys, count, (Wanted){.sticky_until_us = sticky_until_us}, err);
}

Status directory_add_boundaries(Directory *directory, const Slice *keys, int count, Error *err)
{
    return make_boundaries(directory, keys, count, (Wanted){.fixed = true}, err);
}

Status directory_unsplit(Directory *directory, Slice key, bool *was_start, Error *err)
{
    Change *change = change_create(directory);
    Range *range = range_map_get(&directory->ranges, key);
    *was_start = slice_equal(range->start, key);
    if (*was_start && range->sticky_until_us) change_plan_rewrite(change, range)->sticky_until_us = 0;
    return change_run(directory, change, err);
}
