/* The table in memory against a model, with values taken back, and read while it is written; and the log's checksum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "storage/kv/crc32c.h"
#include "storage/kv/mem_table.h"

enum { KEYS = 50, VERSIONS = 300 };

static uint32_t random_below(uint64_t *seed, uint32_t n)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (uint32_t)((*seed >> 20) % n);
}

static Slice key_text(int key, char out[16])
{
    return slice_of(out, (size_t)snprintf(out, 16, "key %02d", key));
}

/* value[v][k]: what a reader of version v sees; 0 nothing, -1 deleted. */
static int value[VERSIONS + 1][KEYS];

static void check_version(const MemTable *table, int version)
{
    char text[16];
    Slice got;
    int k = 0;
    for (int i = 0; i < KEYS; i++) {
        MemFound expected = value[version][i] == 0 ? MEM_NOTHING : value[version][i] < 0 ? MEM_DELETED : MEM_VALUE;
        assert_int_equal(mem_table_get(table, key_text(i, text), (uint64_t)version, &got), expected);
        if (expected == MEM_VALUE) assert_int_equal(got.size, value[version][i]);
    }
    for (const MemNode *node = mem_table_seek(table, (Slice){0}); node; node = mem_node_next(node)) {
        if (mem_node_read(node, (uint64_t)version, &got) == MEM_NOTHING) continue;
        while (k < KEYS && value[version][k] == 0) k++;
        assert_true(k < KEYS && slice_equal(mem_node_key(node), key_text(k, text)));
        k++;
    }
    while (k < KEYS && value[version][k] == 0) k++;
    assert_int_equal(k, KEYS);
}

static void put_random(MemTable *table, int version, uint64_t *seed, bool keep)
{
    static const uint8_t bytes[200];
    char text[16];
    for (uint32_t n = random_below(seed, 6); n; n--) {
        int key = (int)random_below(seed, KEYS), size = 1 + (int)random_below(seed, 199);
        bool delete = random_below(seed, 4) == 0;
        Slice put = slice_of(bytes, (size_t)size);
        assert_true(mem_table_put(table, key_text(key, text), delete ? NULL : &put, (uint64_t)version));
        if (keep) value[version][key] = delete ? -1 : size;
    }
}

static void test_versions(void **state)
{
    uint64_t seed = 88172645463325252;
    MemTable *table = mem_table_create(7);
    assert_int_equal(mem_table_segment(table), 7);
    assert_true(mem_table_is_empty(table));
    for (int version = 1; version <= VERSIONS; version++) {
        memcpy(value[version], value[version - 1], sizeof value[version]);
        if (random_below(&seed, 3) == 0) {
            put_random(table, version, &seed, false);
            mem_table_undo(table);
        }
        put_random(table, version, &seed, true);
        mem_table_keep(table);
        check_version(table, version);
        check_version(table, 1 + (int)random_below(&seed, (uint32_t)version));
    }
    for (int version = 0; version <= VERSIONS; version++) check_version(table, version);
    mem_table_release(table);
}

static void test_neighbours(void **state)
{
    MemTable *table = mem_table_create(1);
    Slice empty = {0}, a = SLICE_LIT("a"), b = SLICE_LIT("b"), c = SLICE_LIT("c");
    assert_null(mem_table_seek(table, empty));
    assert_null(mem_table_seek_before(table, empty));
    assert_true(mem_table_put(table, c, &empty, 1) && mem_table_put(table, a, &empty, 1));
    assert_true(slice_equal(mem_node_key(mem_table_seek(table, b)), c));
    assert_true(slice_equal(mem_node_key(mem_table_seek_before(table, b)), a));
    assert_true(slice_equal(mem_node_key(mem_table_seek_before(table, empty)), c));
    assert_null(mem_table_seek_before(table, a));
    assert_true(mem_table_put(table, b, &empty, 2));
    const MemNode *node = mem_table_seek(table, c);
    assert_true(slice_equal(mem_node_key(node = mem_node_previous(node)), b));
    assert_true(slice_equal(mem_node_key(node = mem_node_previous(node)), a));
    assert_null(mem_node_previous(node));
    mem_table_release(table);
}

/* ---- one writer, readers beside it ---- */

typedef struct Shared {
    MemTable *table;
    _Atomic uint64_t published;
    _Atomic bool wrong;
} Shared;

/* At version v the keys are exactly 1 to v, in both directions. */
static void *read_along(void *argument)
{
    Shared *shared = argument;
    uint64_t version;
    Slice got;
    do {
        version = atomic_load(&shared->published);
        uint64_t forward = 0, backward = 0;
        for (const MemNode *n = mem_table_seek(shared->table, (Slice){0}); n; n = mem_node_next(n))
            forward += mem_node_read(n, version, &got) == MEM_VALUE;
        for (const MemNode *n = mem_table_seek_before(shared->table, (Slice){0}); n; n = mem_node_previous(n))
            backward += mem_node_read(n, version, &got) == MEM_VALUE;
        if (forward != version || backward != version) atomic_store(&shared->wrong, true);
    } while (version < 2000);
    return NULL;
}

static void test_readers_beside_the_writer(void **state)
{
    Shared shared = {.table = mem_table_create(1)};
    pthread_t readers[2];
    char text[16];
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&readers[i], NULL, read_along, &shared), 0);
    for (uint32_t i = 1; i <= 2000; i++) {
        Slice key = slice_of(text, (size_t)snprintf(text, sizeof text, "%08x", i * 2654435761u));
        assert_true(mem_table_put(shared.table, key, &key, i));
        if (i % 5 == 0) {
            mem_table_undo(shared.table);
            assert_true(mem_table_put(shared.table, key, &key, i));
        }
        mem_table_keep(shared.table);
        atomic_store(&shared.published, i);
    }
    for (int i = 0; i < 2; i++) pthread_join(readers[i], NULL);
    assert_false(atomic_load(&shared.wrong));
    mem_table_release(shared.table);
}

static void test_checksum(void **state)
{
    assert_int_equal(crc32c(0, "123456789", 9), 0xe3069283);
    assert_int_equal(crc32c(crc32c(0, "1234", 4), "56789", 5), 0xe3069283);
    assert_int_equal(crc32c(0, "", 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_readers_beside_the_writer),
        cmocka_unit_test(test_checksum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
