/* Unit tests of heat.c: sums stay right and memory bounded, whatever comes. */
#include "storage/range/heat.h"
#include "storage/keys/ordered.h"
#include "storage/keys/row_key.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const uint64_t SECOND_NS = 1000000000u;

static Slice make_key(Arena *arena, int64_t first, int64_t second)
{
    Buf key = {0};
    row_key_index_prefix(104, 1, &key);
    ordered_put_int(&key, first, false);
    ordered_put_int(&key, second, false);
    row_key_family(0, &key);
    Slice copy = arena_slice(arena, buf_slice(&key));
    buf_finish(&key);
    return copy;
}

typedef struct Sums {
    uint64_t requests, reads, rest_requests, named;
    int rows;
} Sums;

static Sums sum(const Heat *heat, uint64_t now_ns, Arena *arena)
{
    Sums sums = {0};
    HeatRow *rows;
    sums.rows = heat_rows(heat, now_ns, &rows, arena);
    for (int i = 0; i < sums.rows; i++) {
        sums.requests += rows[i].work.requests;
        sums.reads += rows[i].work.reads;
        if (rows[i].prefix.size) sums.named++;
        else sums.rest_requests += rows[i].work.requests;
    }
    return sums;
}

static void test_prefixes(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    Heat heat;
    heat_init(&heat);
    RangeWork work = {.requests = 1, .reads = 3};
    uint64_t now_ns = 100 * SECOND_NS;
    /* One first column, many rows: one prefix. A span over several: the rest. */
    for (int i = 0; i < 100; i++) heat_note(&heat, 5, &(RangeRequest){.start = make_key(arena, 7, i)}, &work, now_ns);
    heat_note(&heat, 5, &(RangeRequest){.start = make_key(arena, 7, 1), .end = make_key(arena, 7, 9)}, &work, now_ns);
    heat_note(&heat, 5, &(RangeRequest){.start = make_key(arena, 7, 1), .end = make_key(arena, 8, 1)}, &work, now_ns);
    heat_note(&heat, 5, &(RangeRequest){.start = SLICE_LIT("\x04x")}, &work, now_ns);
    Sums sums = sum(&heat, now_ns, arena);
    assert_int_equal(sums.rows, 2);
    assert_int_equal(sums.named, 1);
    assert_int_equal(sums.requests, 103);
    assert_int_equal(sums.reads, 309);
    assert_int_equal(sums.rest_requests, 2);
    heat_finish(&heat);
    arena_destroy(arena);
}

/* More keys and ranges than there is room for: the popular one stays, and nothing is lost. */
static void test_bounded(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    Heat heat;
    heat_init(&heat);
    RangeWork work = {.requests = 1, .reads = 1};
    uint64_t now_ns = 6000 * SECOND_NS, requests = 0;
    for (int i = 0; i < 40000; i++) {
        now_ns += SECOND_NS / 1500; /* few enough to be booked all */
        if (i % 4 == 0) heat_note(&heat, 1, &(RangeRequest){.start = make_key(arena, 42, i)}, &work, now_ns);
        else heat_note(&heat, 1 + i % 3000, &(RangeRequest){.start = make_key(arena, 1000 + i, 0)}, &work, now_ns);
        requests++;
    }
    Sums sums = sum(&heat, now_ns, arena);
    assert_int_equal(sums.requests, requests);
    assert_true(sums.rows < 3 * 1537);
    HeatRow *rows;
    int count = heat_rows(&heat, now_ns, &rows, arena);
    uint64_t popular = 0;
    Slice key = make_key(arena, 42, 0);
    for (int i = 0; i < count; i++)
        if (rows[i].range_id == 1 && rows[i].prefix.size && slice_starts_with(key, rows[i].prefix)) popular += rows[i].work.requests;
    assert_int_equal(popular, requests / 4);
    heat_finish(&heat);
    arena_destroy(arena);
}

/* Beyond two thousand a second one of sixteen is booked, sixteen times. */
static void test_sampling(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    Heat heat;
    heat_init(&heat);
    RangeWork work = {.requests = 1};
    uint64_t now_ns = 6000 * SECOND_NS;
    Slice key = make_key(arena, 1, 1);
    for (int i = 0; i < 100000; i++) heat_note(&heat, 1, &(RangeRequest){.start = key}, &work, now_ns);
    Sums sums = sum(&heat, now_ns, arena);
    assert_true(sums.requests > 99900 && sums.requests < 100100);
    heat_finish(&heat);
    arena_destroy(arena);
}

static void test_an_hour(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    Heat heat;
    heat_init(&heat);
    RangeWork work = {.requests = 1};
    uint64_t start_ns = 60000 * SECOND_NS;
    Slice key = make_key(arena, 1, 1);
    for (uint64_t minute = 0; minute < 200; minute++)
        heat_note(&heat, 1, &(RangeRequest){.start = key}, &work, start_ns + minute * 60 * SECOND_NS);
    uint64_t now_ns = start_ns + 199 * 60 * SECOND_NS;
    HeatRow *rows;
    assert_int_equal(heat_rows(&heat, now_ns, &rows, arena), 60);
    for (int i = 1; i < 60; i++) assert_int_equal(rows[i].step_start - rows[i - 1].step_start, 60);
    assert_int_equal(heat_rows(&heat, now_ns + 59 * 60 * SECOND_NS, &rows, arena), 1);
    assert_int_equal(heat_rows(&heat, now_ns + 60 * 60 * SECOND_NS, &rows, arena), 0);
    heat_finish(&heat);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_prefixes), cmocka_unit_test(test_bounded),
                                       cmocka_unit_test(test_sampling), cmocka_unit_test(test_an_hour)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
