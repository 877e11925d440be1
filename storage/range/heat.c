#include "storage/range/heat.h"

#include <stdlib.h>

#include "storage/base/clock.h"
#include "storage/keys/ordered.h"
#include "storage/keys/row_key.h"

enum { SETS = 128, WAYS = 8, PREFIX_MAX = 56, REST_SETS = 64, ALL_PER_SECOND = 2000, ONE_OF = 16 };

typedef struct HeatEntry {
    int64_t range_id; /* 0: free */
    RangeWork work;
    uint8_t prefix_size, prefix[PREFIX_MAX];
} HeatEntry;

typedef struct HeatRest {
    int64_t range_id; /* 0: free */
    RangeWork work;
} HeatRest;

struct HeatStep {
    int64_t number; /* since 1970 */
    HeatEntry entries[SETS][WAYS];
    HeatRest rest[REST_SETS][WAYS];
    RangeWork others; /* of the ranges that fell out */
};

static const uint64_t SECOND_NS = 1000000000u;

void heat_init(Heat *heat)
{
    *heat = (Heat){.unix_offset_ns = (int64_t)clock_unix_ns() - (int64_t)clock_monotonic_ns()};
}

void heat_finish(Heat *heat)
{
    for (int i = 0; i < HEAT_STEPS; i++) free(heat->steps[i]);
}

static void add(RangeWork *to, const RangeWork *more, uint64_t times)
{
    to->requests += more->requests * times;
    to->reads += more->reads * times;
    to->read_bytes += more->read_bytes * times;
    to->writes += more->writes * times;
    to->write_bytes += more->write_bytes * times;
    to->busy_ns += more->busy_ns * times;
}

/* ---- steps ---- */

static int64_t step_number(const Heat *heat, uint64_t now_ns)
{
    return ((int64_t)now_ns + heat->unix_offset_ns) / ((int64_t)HEAT_STEP_SECONDS * (int64_t)SECOND_NS);
}

/* NULL: no memory; heat is not worth failing for. */
static HeatStep *current_step(Heat *heat, uint64_t now_ns)
{
    int64_t number = step_number(heat, now_ns);
    HeatStep **place = &heat->steps[number % HEAT_STEPS];
    if (!*place) *place = calloc(1, sizeof **place);
    if (*place && (*place)->number != number) {
        memset(*place, 0, sizeof **place);
        (*place)->number = number;
    }
    return *place;
}

/* How much the request counts; 0: not at all. */
static uint64_t weight_of(Heat *heat, uint64_t now_ns)
{
    uint64_t second = now_ns / SECOND_NS;
    if (second != heat->second) {
        heat->second = second;
        heat->in_second = 0;
    }
    uint64_t count = heat->in_second++;
    if (count < ALL_PER_SECOND) return 1;
    return count % ONE_OF == 0 ? ONE_OF : 0;
}

/* ---- prefixes ---- */

/* Up to the first column; empty where a request covers several, or the key has none. */
static Slice prefix_of(const RangeRequest *request)
{
    uint32_t table, index;
    Slice rest = request->start;
    if (!rest.size || rest.data[0] < ROW_KEY_TABLE || rest.data[0] >= ROW_KEY_TABLE_END) return (Slice){0};
    if (!row_key_take_prefix(&rest, &table, &index) || !ordered_skip(&rest)) return (Slice){0};
    Slice prefix = slice_of(request->start.data, (size_t)(rest.data - request->start.data));
    if (prefix.size > PREFIX_MAX || (request->end.size && !slice_starts_with(request->end, prefix))) return (Slice){0};
    return prefix;
}

static uint64_t hash_of(int64_t range_id, Slice prefix)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ (uint64_t)range_id;
    for (size_t i = 0; i < prefix.size; i++) hash = (hash ^ prefix.data[i]) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 32;
}

static void add_to_rest(HeatStep *step, int64_t range_id, const RangeWork *work, uint64_t times)
{
    HeatRest *set = step->rest[hash_of(range_id, (Slice){0}) % REST_SETS], *least = &set[0];
    for (int i = 0; i < WAYS; i++) {
        if (set[i].range_id == range_id) {
            add(&set[i].work, work, times);
            return;
        }
        if (set[i].work.requests < least->work.requests) least = &set[i];
    }
    add(&step->others, &least->work, 1);
    *least = (HeatRest){.range_id = range_id};
    add(&least->work, work, times);
}

static void add_to_prefix(HeatStep *step, int64_t range_id, Slice prefix, const RangeWork *work, uint64_t times)
{
    HeatEntry *set = step->entries[hash_of(range_id, prefix) % SETS], *least = &set[0];
    for (int i = 0; i < WAYS; i++) {
        HeatEntry *e = &set[i];
        if (e->range_id == range_id && slice_equal(slice_of(e->prefix, e->prefix_size), prefix)) {
            add(&e->work, work, times);
            return;
        }
        if (e->work.requests < least->work.requests) least = e;
    }
    if (least->range_id) add_to_rest(step, least->range_id, &least->work, 1);
    *least = (HeatEntry){.range_id = range_id, .prefix_size = (uint8_t)prefix.size};
    memcpy(least->prefix, prefix.data, prefix.size);
    add(&least->work, work, times);
}

void heat_note(Heat *heat, int64_t range_id, const RangeRequest *request, const RangeWork *work, uint64_t now_ns)
{
    uint64_t times = weight_of(heat, now_ns);
    HeatStep *step = times ? current_step(heat, now_ns) : NULL;
    if (!step) return;
    Slice prefix = prefix_of(request);
    if (prefix.size) add_to_prefix(step, range_id, prefix, work, times);
    else add_to_rest(step, range_id, work, times);
}

/* ---- reading ---- */

static int count_step(const HeatStep *step)
{
    int count = 1;
    for (int s = 0; s < SETS; s++)
        for (int w = 0; w < WAYS; w++) count += step->entries[s][w].range_id != 0;
    for (int s = 0; s < REST_SETS; s++)
        for (int w = 0; w < WAYS; w++) count += step->rest[s][w].range_id != 0;
    return count;
}

static void put_step(const HeatStep *step, HeatRow *rows, int *count, Arena *arena)
{
    int64_t start = step->number * HEAT_STEP_SECONDS;
    for (int s = 0; s < SETS; s++)
        for (int w = 0; w < WAYS; w++) {
            const HeatEntry *e = &step->entries[s][w];
            if (!e->range_id) continue;
            Slice prefix = arena_slice(arena, slice_of(e->prefix, e->prefix_size));
            rows[(*count)++] = (HeatRow){start, e->range_id, prefix, e->work};
        }
    for (int s = 0; s < REST_SETS; s++)
        for (int w = 0; w < WAYS; w++)
            if (step->rest[s][w].range_id)
                rows[(*count)++] = (HeatRow){start, step->rest[s][w].range_id, {0}, step->rest[s][w].work};
    if (step->others.requests) rows[(*count)++] = (HeatRow){start, 0, {0}, step->others};
}

int heat_rows(const Heat *heat, uint64_t now_ns, HeatRow **rows, Arena *arena)
{
    int64_t newest = step_number(heat, now_ns);
    int room = 1, count = 0;
    for (int i = 0; i < HEAT_STEPS; i++) room += heat->steps[i] ? count_step(heat->steps[i]) : 0;
    *rows = ARENA_ARRAY(arena, HeatRow, room);
    for (int64_t number = newest - HEAT_STEPS + 1; number <= newest; number++) {
        const HeatStep *step = heat->steps[number % HEAT_STEPS];
        if (step && step->number == number) put_step(step, *rows, &count, arena);
    }
    return count;
}
