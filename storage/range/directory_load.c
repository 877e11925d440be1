/* Load as the directory books it: each request to its range and to the node that leads it. Reads are noted by whoever
 * reads, writes by the commit thread, so that only what was committed counts. */
#include <assert.h>
#include <stddef.h>
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

enum { LOAD_ALIGNMENT = 64 };

RangeLoad *range_load(Range *range)
{
    if (range->load) return range->load;
    range->load = aligned_alloc(LOAD_ALIGNMENT, (sizeof *range->load + LOAD_ALIGNMENT - 1) / LOAD_ALIGNMENT * LOAD_ALIGNMENT);
    if (!range->load) abort();
    memset(range->load, 0, sizeof *range->load);
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

static RangeWork work_of(const RangeRequest *request)
{
    return (RangeWork){.requests = 1, .reads = request->pairs, .read_bytes = request->bytes, .busy_ns = request->busy_ns};
}

static void note_heat(Directory *directory, const Range *range, const RangeWork *work, RangeRequests requests, uint64_t now_ns)
{
    if (requests.count == 1) {
        heat_note(&directory->heat, range->id, requests.items, work, now_ns);
        return;
    }
    for (int i = 0; i < requests.count; i++) {
        RangeWork one = work_of(&requests.items[i]);
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
    directory_collect_notes(directory);
    pthread_mutex_lock(&directory->mutex);
    int count = heat_rows(&directory->heat, clock_monotonic_ns(), rows, arena);
    pthread_mutex_unlock(&directory->mutex);
    return count;
}

/* A read over several ranges: those inside were read whole, the first and the last share the rest. */
static void note_long_read(Directory *directory, const RangeRequest *request, uint64_t now_ns)
{
    uint64_t inside = 0;
    int ranges = 0;
    const Range *range;
    RangePlace place = range_map_find(&directory->ranges, request->start);
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
                          .busy_ns = request->busy_ns * pairs / request->pairs};
        RangeRequest span = {.start = i ? part->start : request->start, .end = request->end};
        note(directory, part, &work, (RangeRequests){&span, 1}, now_ns);
    }
}

static bool is_long(const RangeRequest *request, const Range *range)
{
    return request->end.size && request->pairs && slice_compare(request->end, range->end) > 0;
}

/* The reads from the first on that fell into one range. */
static int note_run(Directory *directory, RangeRequests reads, Range *const *ranges, uint64_t now_ns)
{
    if (is_long(reads.items, ranges[0])) {
        note_long_read(directory, reads.items, now_ns);
        return 1;
    }
    RangeWork work = {0};
    int n = 0;
    do {
        RangeWork one = work_of(&reads.items[n++]);
        work_add(&work, &one);
    } while (n < reads.count && ranges[n] == ranges[0] && !is_long(&reads.items[n], ranges[0]));
    note(directory, ranges[0], &work, (RangeRequests){reads.items, n}, now_ns);
    return n;
}

static void find_ranges(const Directory *directory, RangeRequests reads, Range **ranges)
{
    Slice keys[BOOKED_MAX];
    for (int i = 0; i < reads.count; i++) keys[i] = reads.items[i].start;
    range_map_get_many(&directory->ranges, keys, reads.count, ranges);
    for (int i = 0; i < reads.count; i++) {
        const char *load = (const char *)ranges[i]->load;
        if (!load || (i && ranges[i] == ranges[i - 1])) continue;
        for (size_t at = 0; at < offsetof(RangeLoad, offered_ns); at += LOAD_ALIGNMENT) __builtin_prefetch(load + at, 1);
    }
}

void directory_book_reads(Directory *directory, RangeRequests reads)
{
    Range *ranges[BOOKED_MAX];
    assert(reads.count <= BOOKED_MAX);
    pthread_mutex_lock(&directory->mutex);
    uint64_t now_ns = clock_monotonic_ns();
    find_ranges(directory, reads, ranges);
    for (int i = 0; i < reads.count;)
        i += note_run(directory, (RangeRequests){reads.items + i, reads.count - i}, ranges + i, now_ns);
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
