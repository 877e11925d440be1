#include "storage/base/clock.h"
#include "storage/range/directory_internal.h"

Status directory_forget(Directory *directory, Slice start, Slice end, Error *err)
{
    Change *change = change_create(directory);
    int first = range_list_find(&directory->ranges, start), last = first;
    while (last + 1 < directory->ranges.count && slice_compare(directory->ranges.items[last + 1]->start, end) < 0) last++;
    if (last > first) change_plan_merge(directory, change, first, last);
    return change_run(directory, change, err);
}

/* A range that is read or written more often than this is left alone. */
static const double MERGE_RATE_MAX = 100;

static double rate(const Range *range, uint64_t now_ns)
{
    RangeDesc desc;
    heat_rates(&range->heat, now_ns, &desc);
    return desc.reads_per_second + desc.writes_per_second;
}

static bool may_merge(Directory *directory, int left, int64_t bytes_max, uint64_t age_ns)
{
    int64_t now_us = clock_now_us();
    uint64_t now_ns = clock_monotonic_ns();
    pthread_mutex_lock(&directory->mutex);
    const Range *a = directory->ranges.items[left], *b = directory->ranges.items[left + 1];
    int64_t bytes = a->sums.key_bytes + a->sums.value_bytes + b->sums.key_bytes + b->sums.value_bytes;
    bool merge = !b->fixed && b->sticky_until_us <= now_us && bytes <= bytes_max && now_ns - b->made_at_ns >= age_ns &&
                 rate(a, now_ns) + rate(b, now_ns) <= MERGE_RATE_MAX;
    pthread_mutex_unlock(&directory->mutex);
    return merge;
}

Status directory_merge_small(Directory *directory, int64_t bytes_max, uint64_t age_ns, int *merged, Error *err)
{
    *merged = 0;
    for (int left = 0;;) {
        Change *change = change_create(directory);
        bool any = false;
        for (; left + 1 < directory->ranges.count && !any; left++) any = may_merge(directory, left, bytes_max, age_ns);
        if (any) change_plan_merge(directory, change, left - 1, left);
        TRY(change_run(directory, change, err));
        if (!any) return ST_OK;
        ++*merged;
        left--; /* the merged range and its new neighbour */
    }
}
