#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "storage/range/load.h"

static const uint64_t SECOND = 1000000000u;
static const LoadLimits limits = {.requests_per_second = 100, .cpu_share = 0.5, .sample_ns = UINT64_C(10) * 1000000000,
                                  .offer_ns = UINT64_C(60) * 1000000000};

typedef struct Key {
    char text[16];
} Key;

static Slice key_of(Key *key, int number)
{
    snprintf(key->text, sizeof key->text, "%08d", number);
    return slice_str(key->text);
}

/* Requests of one second each a hundredth apart, `seconds` long; *cut: the last that was advised. */
static LoadVerdict drive(RangeLoad *load, uint64_t *now, int seconds, int (*pick)(int), char *cut)
{
    LoadVerdict last = LOAD_NOTHING;
    Key key;
    int rate = 200;
    for (int i = 0; i < seconds * rate; i++) {
        LoadAdvice advice = {0};
        RangeWork work = {.requests = 1, .reads = 1, .read_bytes = 10, .busy_ns = 1000};
        RangeRequest request = {.start = key_of(&key, pick(i))};
        *now += SECOND / (uint64_t)rate;
        LoadVerdict verdict = load_note(load, &limits, &work, (RangeRequests){&request, 1}, *now, &advice);
        if (verdict == LOAD_CUT) snprintf(cut, 16, "%.*s", (int)advice.key.size, (char *)advice.key.data);
        if (verdict == LOAD_NO_CUT) snprintf(cut, 16, "%d", advice.refusal);
        if (verdict != LOAD_NOTHING) last = verdict;
        buf_finish(&advice.key);
    }
    return last;
}

static int anywhere(int i)
{
    return (int)((unsigned)i * 2654435761u % 10000);
}

static int onwards(int i)
{
    return i;
}

static int mostly_one(int i)
{
    return i % 2 ? 5000 : anywhere(i);
}

static void test_uniform_keys_part(void **state)
{
    RangeLoad *load = calloc(1, sizeof *load);
    uint64_t now = 1000 * SECOND;
    char cut[16] = "";
    assert_int_equal(drive(load, &now, 30, anywhere, cut), LOAD_CUT);
    long place = strtol(cut, NULL, 10);
    assert_true(place > 3500 && place < 6500);
    assert_true(fabs(load->direction) < 0.5);
    assert_int_equal(load->work.requests, 6000);
    double rate = load->rates.requests * load_rates_factor(&load->rates, now);
    assert_true(rate > 60 && rate < 200); /* half of the way up after 30 s */
    load_destroy(load);
}

static void test_appends_do_not(void **state)
{
    RangeLoad *load = calloc(1, sizeof *load);
    uint64_t now = 1000 * SECOND;
    char why[16] = "";
    assert_int_equal(drive(load, &now, 30, onwards, why), LOAD_NO_CUT);
    assert_int_equal(strtol(why, NULL, 10), REFUSAL_DIRECTION);
    assert_true(load->direction > 0.99);
    load_destroy(load);
}

static void test_popular_key(void **state)
{
    RangeLoad *load = calloc(1, sizeof *load);
    uint64_t now = 1000 * SECOND;
    char why[16] = "";
    drive(load, &now, 30, mostly_one, why);
    assert_int_equal(load->popular_key.size, 8);
    assert_memory_equal(load->popular_key.data, "00005000", 8);
    assert_true(load->popular_share >= 0.2);
    load_destroy(load);
}

/* Below the limit nothing is advised, however even the keys are; nor before the sample is complete. */
static void test_below_the_limit(void **state)
{
    RangeLoad *load = calloc(1, sizeof *load);
    uint64_t now = 1000 * SECOND;
    char cut[16] = "";
    assert_int_equal(drive(load, &now, 9, anywhere, cut), LOAD_NOTHING);
    load_destroy(load);
    load = calloc(1, sizeof *load);
    for (int i = 0; i < 2000; i++) {
        Key key;
        LoadAdvice advice = {0};
        RangeWork work = {.requests = 1};
        RangeRequest request = {.start = key_of(&key, anywhere(i))};
        now += SECOND / 50;
        assert_int_equal(load_note(load, &limits, &work, (RangeRequests){&request, 1}, now, &advice), LOAD_NOTHING);
    }
    load_destroy(load);
}

/* Spans that hold most keys leave no place between them. */
static void test_spans_contain(void **state)
{
    LoadFinder *finder = calloc(1, sizeof *finder);
    Key start, end;
    RangeRefusal refusal;
    load_finder_begin(finder, SECOND);
    for (int i = 0; i < 5000; i++) load_finder_note(finder, key_of(&start, anywhere(i) / 10), key_of(&end, 9999));
    for (int i = 0; i < 3; i++) load_finder_note(finder, key_of(&start, 1), (Slice){0});
    uint32_t contained = 0;
    for (int i = 0; i < LOAD_SAMPLES; i++) contained += finder->samples[i].contained;
    assert_true(contained > 0);
    int chosen = load_finder_choose(finder, &refusal);
    if (chosen >= 0) {
        const LoadSample *s = &finder->samples[chosen];
        assert_true((double)s->contained / (s->left + s->right + s->contained) < 0.5);
    }
    load_finder_finish(finder);
    free(finder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_uniform_keys_part), cmocka_unit_test(test_appends_do_not),
                                       cmocka_unit_test(test_popular_key), cmocka_unit_test(test_below_the_limit),
                                       cmocka_unit_test(test_spans_contain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
