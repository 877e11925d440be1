/* The map of ranges finds what a plain walk finds, whatever the keys look like: short ones, long ones that differ late, ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "storage/keys/row_key.h"
#include "storage/range/directory_internal.h"

enum { KEYS = 1500 };

static int compare_keys(const void *a, const void *b)
{
    return slice_compare(*(const Slice *)a, *(const Slice *)b);
}

typedef Slice (*MakeKey)(Arena *arena, int i);

/* 4 bytes at random behind `shared` equal ones; with few bits many keys are prefixes of others, or equal. */
static Slice random_key(Arena *arena, size_t shared, unsigned bits)
{
    size_t size = shared + (size_t)(rand() % 5);
    uint8_t *bytes = arena_alloc(arena, size + 1);
    memset(bytes, 0x88, shared);
    for (size_t i = shared; i < size; i++) bytes[i] = (uint8_t)((unsigned)rand() & ((1u << bits) - 1));
    if (bits == 8 && size > shared && rand() % 4 == 0) bytes[size - 1] = rand() % 2 ? 0xff : 0;
    if (size == 0) bytes[size++] = 1;
    return slice_of(bytes, size);
}

static Slice short_key(Arena *arena, int i)
{
    return random_key(arena, 0, 8);
}

static Slice long_key(Arena *arena, int i)
{
    return random_key(arena, 30, 8);
}

static Slice longer_key(Arena *arena, int i)
{
    return random_key(arena, 100, 8);
}

static Slice alike_key(Arena *arena, int i)
{
    return random_key(arena, (size_t)(i % 12), 2);
}

static void check_find(const RangeMap *map, const RangeList *all, Slice key)
{
    int expected = 0;
    while (expected < all->count - 1 && slice_compare(all->items[expected]->end, key) <= 0) expected++;
    assert_ptr_equal(range_map_get(map, key), all->items[expected]);
}

static void check_find_many(const RangeMap *map, MakeKey make, Arena *arena)
{
    Slice keys[RANGES_AT_ONCE];
    Range *ranges[RANGES_AT_ONCE];
    for (int i = 0; i < RANGES_AT_ONCE; i++) keys[i] = make(arena, i);
    range_map_get_many(map, keys, RANGES_AT_ONCE, ranges);
    for (int i = 0; i < RANGES_AT_ONCE; i++) assert_ptr_equal(ranges[i], range_map_get(map, keys[i]));
}

static void check_all(const RangeMap *map, const RangeList *all, MakeKey make, Arena *arena)
{
    int n = 0;
    for (RangePlace place = {0, 0}; range_map_at(map, place); place = range_map_next(map, place))
        assert_ptr_equal(range_map_at(map, place), all->items[n++]);
    assert_int_equal(n, all->count);
    assert_int_equal(map->range_count, all->count);
    check_find(map, all, (Slice){0});
    check_find(map, all, SLICE_LIT("\xff\xff"));
    check_find(map, all, SLICE_LIT("\xff\xff\xff"));
    check_find(map, all, SLICE_LIT("\xff\xff\xff\xff\xff\xff\xff\xff\xff"));
    check_find_many(map, make, arena);
    for (int i = 0; i < 300; i++) {
        check_find(map, all, make(arena, i));
        check_find(map, all, all->items[rand() % all->count]->end);
        check_find(map, all, all->items[rand() % all->count]->start);
    }
}

/* Replaces `count` ranges from `first` on by ranges between the given keys, in the map and in the list. */
static void replace(RangeMap *map, RangeList *all, int first, int count, const Slice *cuts, int cut_count)
{
    RangeList old = {0}, fresh = {0}, after = {0};
    Slice start = all->items[first]->start, end = all->items[first + count - 1]->end;
    for (int i = 0; i < count; i++) range_list_push(&old, all->items[first + i]);
    for (int i = 0; i <= cut_count; i++)
        range_list_push(&fresh, range_create(1, i ? cuts[i - 1] : start, i < cut_count ? cuts[i] : end));
    range_map_replace(map, &old, &fresh);
    for (int i = 0; i < first; i++) range_list_push(&after, all->items[i]);
    for (int i = 0; i < fresh.count; i++) range_list_push(&after, fresh.items[i]);
    for (int i = first + count; i < all->count; i++) range_list_push(&after, all->items[i]);
    for (int i = 0; i < old.count; i++) range_destroy(old.items[i]);
    free(old.items);
    free(fresh.items);
    free(all->items);
    *all = after;
}

static void run(MakeKey make)
{
    Arena *arena = arena_create(NULL, 0);
    RangeMap map = {0};
    RangeList all = {0};
    Slice *keys = ARENA_ARRAY(arena, Slice, KEYS);
    int cuts = 0;
    srand(7);
    for (int i = 0; i < KEYS; i++) keys[i] = make(arena, i);
    qsort(keys, KEYS, sizeof *keys, compare_keys);
    for (int i = 0; i < KEYS; i++)
        if (!cuts || !slice_equal(keys[i], keys[cuts - 1])) keys[cuts++] = keys[i];
    Range *whole = range_create(1, (Slice){0}, ROW_KEY_MAX);
    range_map_push(&map, whole);
    range_list_push(&all, whole);
    check_all(&map, &all, make, arena);
    /* Every other one at once, the rest one by one anywhere, then away with them in stretches. */
    Slice *half = ARENA_ARRAY(arena, Slice, cuts);
    for (int i = 0; i < cuts / 2; i++) half[i] = keys[i * 2];
    replace(&map, &all, 0, 1, half, cuts / 2);
    check_all(&map, &all, make, arena);
    for (int i = 0; i < cuts / 2; i++) {
        Slice key = keys[(i * 7919 % (cuts / 2)) * 2 + 1];
        int at = range_list_find(&all, key);
        if (!slice_equal(all.items[at]->start, key)) replace(&map, &all, at, 1, &key, 1);
    }
    check_all(&map, &all, make, arena);
    while (all.count > 3) {
        int first = rand() % (all.count - 2), count = 1 + rand() % (all.count - first);
        replace(&map, &all, first, count > 50 ? 50 : count, NULL, 0);
        if (all.count % 8 == 0) check_all(&map, &all, make, arena);
    }
    check_all(&map, &all, make, arena);
    range_map_finish(&map);
    free(all.items);
    arena_destroy(arena);
}

static void test_short_keys(void **state)
{
    run(short_key);
}

static void test_long_keys(void **state)
{
    run(long_key);
    run(longer_key);
}

static void test_keys_alike(void **state)
{
    run(alike_key);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_short_keys), cmocka_unit_test(test_long_keys),
                                       cmocka_unit_test(test_keys_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
