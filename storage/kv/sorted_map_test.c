/* The map against a sorted array, for keys that come at random, in order, backwards and in two streams. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "storage/kv/sorted_map.h"

enum { KEYS = 20000 };

static uint32_t random_below(uint64_t *seed, uint32_t n)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (uint32_t)((*seed >> 20) % n);
}

static int key_order(const void *a, const void *b)
{
    return slice_compare(*(const Slice *)a, *(const Slice *)b);
}

/* Few different bytes and long shared beginnings, so that heads are often equal. */
static Slice random_key(Arena *arena, uint64_t *seed)
{
    static const uint8_t bytes[] = {0x00, 0x01, 'a', 0xff};
    size_t size = random_below(seed, 4) ? 1 + random_below(seed, 20) : 40 + random_below(seed, 30);
    uint8_t *key = arena_alloc(arena, size);
    memset(key, 'a', size);
    for (size_t i = size > 12 ? size - 12 : 0; i < size; i++) key[i] = bytes[random_below(seed, 4)];
    if (random_below(seed, 50) == 0) key[random_below(seed, (uint32_t)size)] = bytes[random_below(seed, 4)];
    return slice_of(key, size);
}

static void check(const SortedMap *map, const Slice *sorted, int count, Arena *arena, uint64_t *seed)
{
    SortedNode *node = map->first, *previous = NULL;
    assert_int_equal(map->count, count);
    for (int i = 0; i < count; i++, previous = node, node = node->next) {
        assert_true(slice_equal(sorted_key(node), sorted[i]));
        assert_ptr_equal(node->previous, previous);
        assert_ptr_equal(sorted_map_find(map, sorted[i]), node);
        assert_ptr_equal(sorted_map_before(map, sorted[i]), previous);
        assert_int_equal(*(uint64_t *)sorted_record(node), sorted[i].size);
    }
    assert_null(node);
    assert_ptr_equal(map->last, previous);
    for (int n = 0; n < 2000; n++) {
        Slice key = random_key(arena, seed);
        const Slice *exact = bsearch(&key, sorted, (size_t)count, sizeof *sorted, key_order);
        SortedNode *at = sorted_map_seek(map, key);
        assert_int_equal(sorted_map_find(map, key) != NULL, exact != NULL);
        if (at) assert_true(slice_compare(sorted_key(at), key) >= 0);
        SortedNode *before = at ? at->previous : map->last;
        if (before) assert_true(slice_compare(sorted_key(before), key) < 0);
        assert_ptr_equal(sorted_map_before(map, key), before);
    }
}

typedef enum Order { AT_RANDOM, ASCENDING, DESCENDING, TWO_STREAMS } Order;

static void run(Order order, uint64_t seed)
{
    Arena *arena = arena_create(NULL, 0);
    Slice *sorted = calloc(KEYS, sizeof *sorted), *arriving = calloc(KEYS, sizeof *arriving);
    int count = 0;
    SortedMap map;
    assert_non_null(sorted);
    assert_non_null(arriving);
    for (int i = 0; i < KEYS; i++) sorted[i] = arriving[i] = random_key(arena, &seed);
    qsort(sorted, KEYS, sizeof *sorted, key_order);
    for (int i = 0; i < KEYS; i++)
        if (!count || !slice_equal(sorted[count - 1], sorted[i])) sorted[count++] = sorted[i];
    sorted_map_init(&map, arena, sizeof(uint64_t));
    assert_null(sorted_map_seek(&map, SLICE_LIT("a")));
    assert_null(sorted_map_before(&map, SLICE_LIT("a")));
    for (int i = 0; i < (order == AT_RANDOM ? KEYS : count); i++) {
        bool made;
        Slice key = arriving[i];
        if (order == ASCENDING) key = sorted[i];
        if (order == DESCENDING) key = sorted[count - 1 - i];
        if (order == TWO_STREAMS) key = i % 2 ? sorted[i / 2] : sorted[(count / 2 + i / 2) % count];
        SortedNode *node = sorted_map_put(&map, key, &made);
        uint64_t *record = sorted_record(node);
        assert_int_equal(*record, made ? 0 : key.size);
        *record = key.size;
    }
    if (order == TWO_STREAMS && count % 2) {
        bool made;
        *(uint64_t *)sorted_record(sorted_map_put(&map, sorted[count / 2], &made)) = sorted[count / 2].size;
        *(uint64_t *)sorted_record(sorted_map_put(&map, sorted[count - 1], &made)) = sorted[count - 1].size;
    }
    check(&map, sorted, count, arena, &seed);
    free(sorted);
    free(arriving);
    arena_destroy(arena);
}

static void test_orders(void **state)
{
    for (int order = AT_RANDOM; order <= TWO_STREAMS; order++)
        for (uint64_t seed = 1; seed <= 3; seed++) run((Order)order, seed * 0x9e3779b97f4a7c15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_orders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
