#include <assert.h>

#include "storage/base/clock.h"
#include "storage/range/directory_internal.h"

Status directory_forget(Directory *directory, Slice start, Slice end, Error *err)
{
    Change *change = change_create(directory);
    RangePlace first = range_map_find(&directory->ranges, start), place = first;
    const Range *last = range_map_at(&directory->ranges, first), *range;
    while ((range = range_map_at(&directory->ranges, place = range_map_next(&directory->ranges, place))) &&
           slice_compare(range->start, end) < 0)
        last = range;
    if (last != range_map_at(&directory->ranges, first)) change_plan_merge(directory, change, first, last->end);
    return change_run(directory, change, err);
}

/* ---- what nothing holds apart any more ---- */

static bool is_cool(const RangeConfig *config, const Range *left, const Range *right, uint64_t now_ns)
{
    double requests = 0, busy_ns = 0;
    const Range *both[2] = {left, right};
    for (int i = 0; i < 2; i++) {
        if (!both[i]->load) continue;
        double factor = load_rates_factor(&both[i]->load->rates, now_ns);
        requests += both[i]->load->rates.requests * factor;
        busy_ns += both[i]->load->rates.busy_ns * factor;
    }
    if (config->objective_cpu) return busy_ns * 1e-9 < config->split_cpu_share / 2;
    return requests < config->split_requests_per_second / 2;
}

/* The conditions that need no asking about limits. With the mutex held. */
static bool may_merge(const RangeConfig *config, const Range *left, const Range *right)
{
    uint64_t now_ns = clock_monotonic_ns();
    if (right->fixed || right->sticky_until_us > clock_now_us()) return false;
    /* Their load must be known for all of the delay. */
    if (now_ns - left->made_at_ns < config->merge_delay_ns || now_ns - right->made_at_ns < config->merge_delay_ns) return false;
    return is_cool(config, left, right, now_ns);
}

static bool are_small(Directory *directory, const Range *left, const Range *right)
{
    RangeLimits limits = directory_limits(directory, left->start);
    pthread_mutex_lock(&directory->mutex);
    int64_t a = range_bytes(left), b = range_bytes(right);
    pthread_mutex_unlock(&directory->mutex);
    return !limits.by_hash_code && a < limits.bytes_min && b < limits.bytes_min && a + b <= limits.bytes_max;
}

/* How many pairs of neighbours are looked at before the search rests: it goes on there the next time. */
enum { MERGE_SEARCH = 2000 };

/* The next pair to merge at or behind the cursor. The change mutex is held, so ranges do not go away. */
static bool find_pair(Directory *directory, const RangeConfig *config, int *looked_at, RangePlace *found)
{
    const RangeMap *map = &directory->ranges;
    RangePlace place = range_map_find(map, buf_slice(&directory->merge_cursor));
    const Range *left = range_map_at(map, place), *right;
    for (;; place = range_map_next(map, place), left = right) {
        right = range_map_at(map, range_map_next(map, place));
        bool at_end = !right;
        if (at_end || ++*looked_at > MERGE_SEARCH) {
            buf_clear(&directory->merge_cursor);
            if (!at_end) buf_put_slice(&directory->merge_cursor, left->start);
            return false;
        }
        pthread_mutex_lock(&directory->mutex);
        bool may = may_merge(config, left, right);
        pthread_mutex_unlock(&directory->mutex);
        if (!may || !are_small(directory, left, right)) continue;
        *found = place;
        buf_clear(&directory->merge_cursor);
        buf_put_slice(&directory->merge_cursor, left->start); /* the merged range and its new neighbour */
        return true;
    }
}

Status directory_merge_small(Directory *directory, int merges_max, int *merged, Error *err)
{
    RangeConfig config;
    int looked_at = 0;
    directory_read_config(directory, &config);
    for (*merged = 0; *merged < merges_max; ++*merged) {
        RangePlace place;
        Change *change = change_create(directory);
        bool found = find_pair(directory, &config, &looked_at, &place);
        if (found) {
            const Range *right = range_map_at(&directory->ranges, range_map_next(&directory->ranges, place));
            change_plan_merge(directory, change, place, right->end);
        }
        TRY(change_run(directory, change, err));
        if (!found) return ST_OK;
    }
    return ST_OK;
}
