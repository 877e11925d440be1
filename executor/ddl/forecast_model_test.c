/* Unit tests of forecast_model.c: where inserts go, by the order of their keys. */
#include "executor/ddl/forecast_model.h"
#include "storage/keys/ordered.h"
#include "storage/keys/row_key.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROWS = 10000, VALUE_BYTES = 90 };

typedef struct Fixture {
    Arena *arena;
    Buf key;
} Fixture;

static int setup(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    f->arena = arena_create(NULL, 0);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    Fixture *f = *state;
    arena_destroy(f->arena);
    buf_finish(&f->key);
    free(f);
    return 0;
}

/* /Table/104/<index>/<column>.../0 */
static Slice make_key(Fixture *f, uint32_t index, const int64_t *columns, int count)
{
    buf_clear(&f->key);
    row_key_index_prefix(104, index, &f->key);
    for (int i = 0; i < count; i++) ordered_put_int(&f->key, columns[i], false);
    if (count) row_key_family(0, &f->key);
    return arena_slice(f->arena, buf_slice(&f->key));
}

static ForecastModel *make_model(Fixture *f, bool by_hash_code, int nodes)
{
    ForecastIndex index = {.start = make_key(f, 1, NULL, 0), .by_hash_code = by_hash_code};
    return forecast_model_create(&index, 1, nodes, f->arena);
}

static int64_t scattered(int64_t i)
{
    return (int64_t)((uint64_t)i * UINT64_C(0x9e3779b97f4a7c15) >> 20);
}

static ForecastSpread run(Fixture *f, ForecastModel *model, int64_t (*key_of)(int64_t), double weight)
{
    for (int64_t i = 0; i < ROWS; i++) {
        int64_t column = key_of(i);
        forecast_model_add(model, 0, i, make_key(f, 1, &column, 1), VALUE_BYTES);
    }
    forecast_model_run(model, ROWS, weight, 100000);
    return forecast_model_spread(model, 0);
}

static int64_t upwards(int64_t i) { return i; }
static int64_t downwards(int64_t i) { return -i; }
static int64_t same(int64_t i) { return 7; }
static int64_t few(int64_t i) { return i % 3; }

static void test_ascending(void **state)
{
    ForecastSpread s = run(*state, make_model(*state, false, 8), upwards, 1);
    assert_true(s.ranges >= 12 && s.ranges <= 20); /* 0.8 MB in half-full ranges of 100 kB */
    assert_true(s.hottest_is_last);
    assert_true(s.hottest_range == 1 && s.hottest_node == 1 && s.ascending == 1 && s.descending == 0);
    assert_int_equal(s.ranges_written, 1);
    assert_int_equal(s.nodes, 8);
}

static void test_descending(void **state)
{
    ForecastSpread s = run(*state, make_model(*state, false, 8), downwards, 1);
    assert_true(s.hottest_is_first && s.hottest_range == 1 && s.descending == 1 && s.ascending == 0);
}

static void test_scattered(void **state)
{
    ForecastSpread s = run(*state, make_model(*state, false, 4), scattered, 1);
    assert_true(s.ranges >= 8 && s.ranges <= 20);
    assert_int_equal(s.ranges_written, s.ranges);
    assert_true(s.hottest_range < 0.2);
    assert_true(s.hottest_node < 0.3);
}

/* A sample stands for a larger table. */
static void test_weight(void **state)
{
    ForecastSpread one = run(*state, make_model(*state, false, 4), scattered, 1);
    ForecastSpread ten = run(*state, make_model(*state, false, 4), scattered, 10);
    assert_true(ten.ranges > 7 * one.ranges);
    assert_true(ten.bytes > 9.99 * one.bytes && ten.bytes < 10.01 * one.bytes);
    assert_false(ten.coarse);
    assert_true(run(*state, make_model(*state, false, 4), scattered, 1e6).coarse);
}

/* A row is never cut, nor a hash code. */
static void test_refusals(void **state)
{
    assert_int_equal(run(*state, make_model(*state, false, 4), same, 1).ranges, 1);
    Fixture *f = *state;
    ForecastModel *model = make_model(f, true, 4);
    for (int64_t i = 0; i < ROWS; i++) {
        int64_t columns[] = {few(i), i};
        forecast_model_add(model, 0, i, make_key(f, 1, columns, 2), VALUE_BYTES);
    }
    forecast_model_run(model, ROWS, 1, 1000);
    assert_int_equal(forecast_model_spread(model, 0).ranges, 3);
}

static void test_splits_and_indexes(void **state)
{
    Fixture *f = *state;
    int64_t bounds[] = {2500, 5000, 7500};
    Slice splits[3];
    for (int i = 0; i < 3; i++) splits[i] = make_key(f, 1, &bounds[i], 1);
    ForecastIndex indexes[] = {{make_key(f, 1, NULL, 0), splits, 3, false}, {make_key(f, 2, NULL, 0), NULL, 0, false}};
    ForecastModel *model = forecast_model_create(indexes, 2, 5, f->arena);
    for (int64_t i = 0; i < ROWS; i++) {
        int64_t column = scattered(i) % ROWS;
        forecast_model_add(model, 0, i, make_key(f, 1, &column, 1), VALUE_BYTES);
        forecast_model_add(model, 1, i, make_key(f, 2, &i, 1), 0);
    }
    forecast_model_run(model, ROWS, 1, 1e9);
    assert_int_equal(forecast_model_spread(model, 0).ranges, 4);
    assert_int_equal(forecast_model_spread(model, 1).ranges, 1);
    ForecastSpread all = forecast_model_spread(model, -1);
    assert_int_equal(all.ranges, 5);
    assert_int_equal(all.nodes, 5);
    assert_true(all.hottest_range == 0.5 && all.hottest_node == 0.5);
    assert_int_equal(forecast_model_pairs(model), 2 * ROWS);
}

static void test_nothing(void **state)
{
    ForecastModel *model = make_model(*state, false, 3);
    forecast_model_run(model, 0, 1, 1000);
    ForecastSpread s = forecast_model_spread(model, 0);
    assert_int_equal(s.ranges, 1);
    assert_true(s.hottest_range == 0 && s.hottest_node == 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_ascending), TEST(test_descending), TEST(test_scattered), TEST(test_weight),
                                       TEST(test_refusals), TEST(test_splits_and_indexes), TEST(test_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
