/* Load as the directory books it: each request to its range and to the node that leads it. Reads are noted by whoever
 * reads, writes by the commit thread, so that only what was committed counts. */
#include <assert.h>
#include <stdlib.h>

#include "storage/base/clock.h"
#include "storage/range/directory_internal.h"

const RangeConfig range_config_default = {
    .accounting = true,
    .split_by_size = true,
    .split_by_load = true,
    .merge = true,
    .rebalance = true,
    .objective_cpu = true,
    .split_requests_per_second = 2500,
    .split_cpu_share = 0.5,
    .sample_ns = UINT64_C(10) * 1000000000,
    .offer_ns = UINT64_C(60) * 1000000000,
    .refusal_ns = UINT64_C(300) * 1000000000,
    .merge_interval_ns = UINT64_C(200) * 1000000,
    .merge_delay_ns = UINT64_C(300) * 1000000000,
    .rebalance_interval_ns = UINT64_C(1) * 1000000000,
};

void directory_configure(Directory *directory, const RangeConfig *config)
{
    pthread_mutex_lock(&directory->config_mutex);
    directory->config = *config;
    pthread_mutex_unlock(&directory->config_mutex);
    pthread_mutex_lock(&directory->mutex);
    directory->load_limits = (LoadLimits){config->objective_cpu, config->split_requests_per_second, config->split_cpu_share,
                                          config->sample_ns, config->offer_ns};
    pthread_mutex_unlock(&directory->mutex);
    atomic_store(&directory->accounting, config->accounting);
    atomic_store(&directory->sizes_to_judge, true);
}

void directory_read_config(Directory *directory, RangeConfig *config)
{
    pthread_mutex_lock(&directory->config_mutex);
    *config = directory->config;
    pthread_mutex_unlock(&directory->config_mutex);
}

bool directory_accounting(const Directory *directory)
{
    return directory && atomic_load_explicit(&directory->accounting, memory_order_relaxed);
}

RangeLoad *range_load(Range *range)
{
    if (!range->load) range->load = calloc(1, sizeof *range->load);
    if (!range->load) abort();
    return range->load;
}

static void want_cut(Directory *directory, Slice key)
{
    WantedCuts *wanted = &directory->wanted_cuts;
    if (wanted->count == WANTED_CUTS_MAX) return; /* it is offered again */
    Buf *place = &wanted->keys[wanted->count++];
    buf_clear(place);
    buf_put_slice(place, key);
}

static RangeWork work_of_get(const RangeRequest *get, uint64_t busy_ns)
{
    return (RangeWork){.requests = 1, .reads = get->pairs, .read_bytes = get->bytes, .busy_ns = busy_ns};
}

/* The heat of requests that shared their time. */
static void note_heat(Directory *directory, const Range *range, const RangeWork *work, RangeRequests requests, uint64_t now_ns)
{
    if (requests.count == 1) {
        heat_note(&directory->heat, range->id, requests.items, work, now_ns);
        return;
    }
    for (int i = 0; i < requests.count; i++) {
        RangeWork one = work_of_get(&requests.items[i], work->busy_ns / (uint64_t)requests.count);
        heat_note(&directory->heat, range->id, &requests.items[i], &one, now_ns);
    }
}

/* work: of all the requests together. */
static void note(Directory *directory, Range *range, const RangeWork *work, RangeRequests requests, uint64_t now_ns)
{
    LoadAdvice advice = {.refusal = REFUSAL_NONE};
    Node *node = &directory->nodes[placement_lease(atomic_load_explicit(&range->placement, memory_order_relaxed))];
    LoadVerdict verdict = load_note(range_load(range), &directory->load_limits, work, requests, now_ns, &advice);
    if (verdict == LOAD_CUT) want_cut(directory, buf_slice(&advice.key));
    if (verdict != LOAD_NOTHING) range->refusal = advice.refusal;
    buf_finish(&advice.key);
    work_add(&node->work, work);
    load_rates_add(&node->rates, work, now_ns);
    note_heat(directory, range, work, requests, now_ns);
}

int directory_heat(Directory *directory, HeatRow **rows, Arena *arena)
{
    pthread_mutex_lock(&directory->mutex);
    int count = heat_rows(&directory->heat, clock_monotonic_ns(), rows, arena);
    pthread_mutex_unlock(&directory->mutex);
    return count;
}

/* A read over several ranges: those inside were read whole, the first and the last share the rest. */
static void note_long_read(Directory *directory, RangePlace place, const RangeRequest *request, uint64_t now_ns, uint64_t busy_ns)
{
    uint64_t inside = 0;
    int ranges = 0;
    const Range *range;
    for (RangePlace p = place; (range = range_map_at(&directory->ranges, p)); p = range_map_next(&directory->ranges, p), ranges++) {
        bool last = slice_compare(range->end, request->end) >= 0;
        if (ranges && !last) inside += (uint64_t)range->sums.keys;
        if (last) break;
    }
    uint64_t rest = request->pairs > inside ? (request->pairs - inside) / 2 : 0;
    for (int i = 0; i <= ranges; i++, place = range_map_next(&directory->ranges, place)) {
        Range *part = range_map_at(&directory->ranges, place);
        if (!part) return;
        uint64_t pairs = i == 0 ? request->pairs - inside - rest : (uint64_t)part->sums.keys;
        if (i == ranges) pairs = rest;
        if (pairs > request->pairs) pairs = 0;
        RangeWork work = {.requests = 1, .reads = pairs, .read_bytes = request->bytes * pairs / request->pairs,
                          .busy_ns = busy_ns * pairs / request->pairs};
        RangeRequest span = {.start = i ? part->start : request->start, .end = request->end};
        note(directory, part, &work, (RangeRequests){&span, 1}, now_ns);
    }
}

void directory_note_read(Directory *directory, const RangeRequest *request)
{
    if (!directory_accounting(directory)) return;
    uint64_t now_ns = clock_monotonic_ns(), busy_ns = request->began_ns ? now_ns - request->began_ns : 0;
    pthread_mutex_lock(&directory->mutex);
    RangePlace place = range_map_find(&directory->ranges, request->start);
    Range *range = range_map_at(&directory->ranges, place);
    if (request->end.size && request->pairs && slice_compare(request->end, range->end) > 0) {
        note_long_read(directory, place, request, now_ns, busy_ns);
    } else {
        RangeWork work = {.requests = 1, .reads = request->pairs, .read_bytes = request->bytes, .busy_ns = busy_ns};
        note(directory, range, &work, (RangeRequests){request, 1}, now_ns);
    }
    pthread_mutex_unlock(&directory->mutex);
}

/* The gets from the first on that fell into one range; they mostly come in key order. */
static int note_run(Directory *directory, RangeRequests gets, uint64_t each_ns, uint64_t now_ns)
{
    Range *range = range_map_at(&directory->ranges, range_map_find(&directory->ranges, gets.items[0].start));
    RangeWork work = {0};
    int n = 0;
    do {
        RangeWork one = work_of_get(&gets.items[n], each_ns);
        work_add(&work, &one);
        n++;
    } while (n < gets.count && slice_compare(gets.items[n].start, range->end) < 0 &&
             slice_compare(gets.items[n].start, gets.items[n - 1].start) >= 0);
    note(directory, range, &work, (RangeRequests){gets.items, n}, now_ns);
    return n;
}

void directory_note_gets(Directory *directory, RangeRequests gets)
{
    if (!directory_accounting(directory) || gets.count == 0) return;
    uint64_t now_ns = clock_monotonic_ns(), began_ns = gets.items[0].began_ns;
    uint64_t each_ns = began_ns ? (now_ns - began_ns) / (uint64_t)gets.count : 0;
    pthread_mutex_lock(&directory->mutex);
    for (int i = 0; i < gets.count;)
        i += note_run(directory, (RangeRequests){gets.items + i, gets.count - i}, each_ns, now_ns);
    pthread_mutex_unlock(&directory->mutex);
}

void directory_note_writes(Directory *directory, uint64_t busy_ns, uint64_t now_ns)
{
    for (int i = 0; i < directory->touched.count; i++) {
        Range *range = directory->touched.items[i];
        const GroupWrites *written = &range->written;
        if (!written->pairs) continue;
        RangeWork work = {.requests = written->pairs, .writes = written->pairs, .write_bytes = written->bytes,
                          .busy_ns = busy_ns * written->pairs / directory->group_pairs};
        RangeRequest key = {.start = slice_of(directory->sampled_keys.data + written->key_offset, written->key_size)};
        note(directory, range, &work, (RangeRequests){&key, 1}, now_ns);
    }
}
