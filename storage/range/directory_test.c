#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "storage/keys/row_key.h"
#include "storage/range/range.h"

typedef struct Fixture {
    Arena *arena;
    Kv *kv;
    Directory *directory;
    Error err;
    char path[64];
} Fixture;

static void open_directory(Fixture *f)
{
    assert_int_equal(directory_open(f->kv, &f->directory, f->arena, &f->err), ST_OK);
}

static int setup_engine(void **state, const char *engine)
{
    Fixture *f = calloc(1, sizeof *f);
    f->arena = arena_create(NULL, 0);
    KvOptions options = {.readers_max = 16, .no_sync = true, .map_bytes = 1 << 28};
    snprintf(f->path, sizeof f->path, "/tmp/rowkey-range-XXXXXX");
    if (!mkdtemp(f->path)) return -1;
    assert_int_equal(kv_open(engine, f->path, &options, &f->kv, f->arena, &f->err), ST_OK);
    open_directory(f);
    *state = f;
    return 0;
}

static int setup(void **state)
{
    return setup_engine(state, "memory");
}

static int setup_lmdb(void **state)
{
    return setup_engine(state, "lmdb");
}

static int teardown(void **state)
{
    static const char *const files[] = {"data.mdb", "lock.mdb", "rowkey.lock"};
    Fixture *f = *state;
    directory_close(f->directory);
    kv_close(f->kv);
    for (int i = 0; i < 3; i++) unlink(arena_printf(f->arena, "%s/%s", f->path, files[i]));
    rmdir(f->path);
    arena_destroy(f->arena);
    free(f);
    return 0;
}

static Slice table_key(Arena *arena, uint32_t table, int row)
{
    Buf key = {0};
    row_key_index_prefix(table, 1, &key);
    buf_put_u32(&key, (uint32_t)row);
    buf_put_u8(&key, 0x88);
    Slice result = buf_to_arena(&key, arena);
    buf_finish(&key);
    return result;
}

static Slice table_start(Arena *arena, uint32_t table)
{
    Buf key = {0};
    row_key_table_prefix(table, &key);
    Slice result = buf_to_arena(&key, arena);
    buf_finish(&key);
    return result;
}

static void put(Fixture *f, Slice key, const char *value)
{
    uint64_t version;
    KvOp op = {.kind = KV_PUT, .key = key, .value = slice_str(value)};
    assert_int_equal(kv_commit_ops(f->kv, &op, 1, &version, &f->err), KV_COMMITTED);
}

static void delete_key(Fixture *f, Slice key)
{
    uint64_t version;
    KvOp op = {.kind = KV_DELETE, .key = key};
    assert_int_equal(kv_commit_ops(f->kv, &op, 1, &version, &f->err), KV_COMMITTED);
}

/* Counts what is really in each range, and compares. */
static void check_exact(Fixture *f)
{
    RangeDesc *ranges;
    int count = directory_list(f->directory, (Slice){0}, (Slice){0}, &ranges, f->arena);
    KvSnapshot *snapshot;
    assert_int_equal(kv_snapshot_open(f->kv, &snapshot, &f->err), ST_OK);
    for (int i = 0; i < count; i++) {
        KvScan *scan;
        KvBlock block;
        int64_t keys = 0, key_bytes = 0, value_bytes = 0;
        assert_true(slice_equal(ranges[i].start, i ? ranges[i - 1].end : (Slice){0}));
        assert_int_equal(kv_scan_open(snapshot, ranges[i].start, ranges[i].end, false, 0, &scan, &f->err), ST_OK);
        while (kv_scan_next(scan, &block, &f->err) == ST_OK) {
            for (int p = 0; p < block.count; p++) {
                if (block.pairs[p].key.data[0] == ROW_KEY_META2) continue;
                keys++;
                key_bytes += (int64_t)block.pairs[p].key.size;
                value_bytes += (int64_t)block.pairs[p].value.size;
            }
        }
        kv_scan_close(scan);
        assert_int_equal(ranges[i].key_count, keys);
        assert_int_equal(ranges[i].key_bytes, key_bytes);
        assert_int_equal(ranges[i].value_bytes, value_bytes);
    }
    assert_true(slice_equal(ranges[count - 1].end, ROW_KEY_MAX));
    kv_snapshot_close(snapshot);
}

/* What a restart reads is what is in memory. */
static void check_restart(Fixture *f)
{
    RangeDesc *before, *after;
    int count = directory_list(f->directory, (Slice){0}, (Slice){0}, &before, f->arena);
    directory_close(f->directory);
    open_directory(f);
    assert_int_equal(directory_list(f->directory, (Slice){0}, (Slice){0}, &after, f->arena), count);
    for (int i = 0; i < count; i++) {
        assert_int_equal(before[i].id, after[i].id);
        assert_true(slice_equal(before[i].end, after[i].end));
        assert_int_equal(before[i].key_count, after[i].key_count);
        assert_int_equal(before[i].key_bytes, after[i].key_bytes);
        assert_int_equal(before[i].value_bytes, after[i].value_bytes);
        assert_int_equal(before[i].sticky_until_us, after[i].sticky_until_us);
        assert_int_equal(before[i].fixed, after[i].fixed);
    }
}

static void test_split_and_counts(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < 1000; i++) put(f, table_key(f->arena, 106, i), "some value");
    check_exact(f);
    assert_int_equal(directory_split(f->directory, table_key(f->arena, 106, 400), INT64_MAX, &f->err), ST_OK);
    assert_int_equal(directory_count(f->directory, (Slice){0}, (Slice){0}), 2);
    check_exact(f);
    RangeDesc left, right;
    directory_find(f->directory, table_key(f->arena, 106, 399), &left, f->arena);
    directory_find(f->directory, table_key(f->arena, 106, 400), &right, f->arena);
    assert_int_equal(left.id, 1);
    assert_int_equal(right.id, 2);
    assert_int_equal(right.key_count, 600);
    assert_int_equal(right.sticky_until_us, INT64_MAX);
    assert_int_equal(left.sticky_until_us, 0);
    for (int i = 300; i < 500; i++) delete_key(f, table_key(f->arena, 106, i));
    put(f, table_key(f->arena, 106, 10), "longer than it was");
    check_exact(f);
    check_restart(f);
    check_exact(f);
}

static void test_split_again_rewrites_stickiness(void **state)
{
    Fixture *f = *state;
    Slice key = table_key(f->arena, 106, 5);
    RangeDesc range;
    bool was_start;
    assert_int_equal(directory_split(f->directory, key, 77, &f->err), ST_OK);
    assert_int_equal(directory_split(f->directory, key, 0, &f->err), ST_OK);
    directory_find(f->directory, key, &range, f->arena);
    assert_int_equal(range.sticky_until_us, 77);
    assert_int_equal(directory_split(f->directory, key, INT64_MAX, &f->err), ST_OK);
    directory_find(f->directory, key, &range, f->arena);
    assert_int_equal(range.sticky_until_us, INT64_MAX);
    assert_int_equal(directory_count(f->directory, (Slice){0}, (Slice){0}), 2);
    assert_int_equal(directory_unsplit(f->directory, table_key(f->arena, 106, 6), &was_start, &f->err), ST_OK);
    assert_false(was_start);
    assert_int_equal(directory_unsplit(f->directory, key, &was_start, &f->err), ST_OK);
    assert_true(was_start);
    directory_find(f->directory, key, &range, f->arena);
    assert_int_equal(range.sticky_until_us, 0);
    assert_int_equal(directory_split(f->directory, ROW_KEY_MAX, 0, &f->err), ST_ERROR);
    assert_int_equal(directory_split(f->directory, (Slice){0}, 0, &f->err), ST_ERROR);
}

static void test_boundaries(void **state)
{
    Fixture *f = *state;
    for (uint32_t table = 106; table < 109; table++)
        for (int i = 0; i < 50; i++) put(f, table_key(f->arena, table, i), "v");
    Slice keys[] = {table_start(f->arena, 108), table_start(f->arena, 106), table_start(f->arena, 107),
                    table_start(f->arena, 107), table_start(f->arena, 200)};
    assert_int_equal(directory_add_boundaries(f->directory, keys, 5, &f->err), ST_OK);
    assert_int_equal(directory_count(f->directory, (Slice){0}, (Slice){0}), 5);
    check_exact(f);
    assert_int_equal(directory_add_boundaries(f->directory, keys, 5, &f->err), ST_OK);
    assert_int_equal(directory_count(f->directory, (Slice){0}, (Slice){0}), 5);
    int64_t rows, key_bytes, value_bytes;
    directory_span_stats(f->directory, table_start(f->arena, 107), table_start(f->arena, 108), &rows, &key_bytes, &value_bytes);
    assert_int_equal(rows, 50);
    assert_int_equal(value_bytes, 50);
    /* A split inside, and all of them gone again; the table's own boundaries stay. */
    assert_int_equal(directory_split(f->directory, table_key(f->arena, 107, 20), INT64_MAX, &f->err), ST_OK);
    assert_int_equal(directory_split(f->directory, table_key(f->arena, 107, 30), INT64_MAX, &f->err), ST_OK);
    assert_int_equal(directory_count(f->directory, table_start(f->arena, 107), table_start(f->arena, 108)), 3);
    assert_int_equal(directory_forget(f->directory, table_start(f->arena, 107), table_start(f->arena, 108), &f->err), ST_OK);
    assert_int_equal(directory_count(f->directory, table_start(f->arena, 107), table_start(f->arena, 108)), 1);
    assert_int_equal(directory_count(f->directory, (Slice){0}, (Slice){0}), 5);
    check_exact(f);
    check_restart(f);
}

static void test_ids_are_not_reused(void **state)
{
    Fixture *f = *state;
    RangeDesc range;
    Slice key = table_key(f->arena, 106, 5);
    assert_int_equal(directory_split(f->directory, key, 0, &f->err), ST_OK);
    assert_int_equal(directory_forget(f->directory, (Slice){0}, ROW_KEY_MAX, &f->err), ST_OK);
    check_restart(f);
    assert_int_equal(directory_split(f->directory, key, 0, &f->err), ST_OK);
    directory_find(f->directory, key, &range, f->arena);
    assert_int_equal(range.id, 3);
}

static void test_size(void **state)
{
    Fixture *f = *state;
    int split, merged;
    for (int i = 0; i < 1000; i++) put(f, table_key(f->arena, 106, i), "0123456789012345678901234567890123456789");
    for (int round = 0; round < 10; round++) assert_int_equal(directory_split_large(f->directory, 10000, &split, &f->err), ST_OK);
    RangeDesc *ranges;
    int count = directory_list(f->directory, (Slice){0}, (Slice){0}, &ranges, f->arena);
    assert_true(count >= 5 && count <= 16);
    for (int i = 0; i < count; i++) assert_true(ranges[i].key_bytes + ranges[i].value_bytes <= 10000);
    check_exact(f);
    Slice fixed = table_key(f->arena, 106, 0), sticky = table_key(f->arena, 106, 100);
    assert_int_equal(directory_add_boundaries(f->directory, &fixed, 1, &f->err), ST_OK);
    assert_int_equal(directory_split(f->directory, sticky, INT64_MAX, &f->err), ST_OK);
    assert_int_equal(directory_merge_small(f->directory, 1000000, UINT64_C(3600000000000), &merged, &f->err), ST_OK);
    assert_int_equal(merged, 0);
    assert_int_equal(directory_merge_small(f->directory, 1000000, 0, &merged, &f->err), ST_OK);
    assert_int_equal(directory_count(f->directory, (Slice){0}, (Slice){0}), 3);
    check_exact(f);
    check_restart(f);
}

typedef struct Writers {
    Fixture *f;
    atomic_bool stop;
    uint64_t seed;
} Writers;

static void *write_all_the_time(void *argument)
{
    Writers *w = argument;
    Arena *arena = arena_create(NULL, 0);
    uint64_t seed = w->seed, version;
    Error err;
    while (!atomic_load(&w->stop)) {
        KvOp ops[8];
        arena_reset(arena);
        for (int i = 0; i < 8; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            int row = (int)(seed >> 40) % 500;
            ops[i] = (KvOp){.kind = (seed >> 20) % 3 ? KV_PUT : KV_DELETE, .key = table_key(arena, 106, row),
                            .value = slice_of("0123456789abcdef", (seed >> 30) % 16)};
        }
        if (kv_commit_ops(w->f->kv, ops, 8, &version, &err) != KV_COMMITTED) abort();
    }
    arena_destroy(arena);
    return NULL;
}

/* Splits and merges while others commit: no pair is counted twice or not at all. */
static void test_concurrent(void **state)
{
    Fixture *f = *state;
    Writers writers[2] = {{.f = f, .seed = 1}, {.f = f, .seed = 2}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, write_all_the_time, &writers[i]);
    for (int round = 0; round < 200; round++) {
        Slice key = table_key(f->arena, 106, round * 37 % 500);
        assert_int_equal(directory_split(f->directory, key, 0, &f->err), ST_OK);
        if (round % 7 == 6)
            assert_int_equal(directory_forget(f->directory, table_key(f->arena, 106, 100), table_key(f->arena, 106, 300), &f->err), ST_OK);
        if (round % 31 == 30) {
            int merged;
            assert_int_equal(directory_merge_small(f->directory, 2000, 0, &merged, &f->err), ST_OK);
        }
    }
    for (int i = 0; i < 2; i++) atomic_store(&writers[i].stop, true);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    check_exact(f);
    check_restart(f);
}

static void test_heat(void **state)
{
    Fixture *f = *state;
    RangeDesc range;
    Slice key = table_key(f->arena, 106, 1);
    assert_int_equal(directory_split(f->directory, table_start(f->arena, 106), 0, &f->err), ST_OK);
    for (int i = 0; i < 100; i++) directory_note_write(f->directory, key, 1, 50);
    directory_note_read(f->directory, SLICE_LIT("\x05"), 7, 70);
    directory_find(f->directory, key, &range, f->arena);
    assert_true(range.writes_per_second > 1 && range.reads_per_second == 0);
    directory_find(f->directory, SLICE_LIT("\x05"), &range, f->arena);
    assert_true(range.reads_per_second > 0 && range.writes_per_second == 0);
    directory_note_read(NULL, key, 1, 1);
}

/* A split, a merge, boundaries and writes with the n-th engine call failing: a clean error, and nothing out of step. */
static void test_faults(void **state)
{
    Fixture *f = *state;
    uint64_t version;
    bool failed = true;
    for (uint64_t n = 1; failed; n++) {
        assert_true(n < 500);
        kv_fault_arm(f->kv, n, n % 2 ? KV_FAULT_IO : KV_FAULT_DISK_FULL);
        failed = false;
        for (int i = 0; i < 6; i++) {
            Slice key = table_key(f->arena, 106, (int)n * 10 + i), inner = table_key(f->arena, 106, (int)n * 10 + 3);
            KvOp op = {.kind = i % 3 == 2 ? KV_DELETE : KV_PUT, .key = table_key(f->arena, 106, (int)n * 10 + i - (i % 3 == 2)),
                       .value = key};
            failed |= kv_commit_ops(f->kv, &op, 1, &version, &f->err) != KV_COMMITTED;
            if (i == 3) failed |= directory_split(f->directory, inner, 0, &f->err) != ST_OK;
            if (i == 4) failed |= directory_add_boundaries(f->directory, &key, 1, &f->err) != ST_OK;
            if (i == 5) failed |= directory_forget(f->directory, (Slice){0}, inner, &f->err) != ST_OK;
        }
        kv_fault_arm(f->kv, 0, KV_FAULT_IO);
        check_exact(f);
        check_restart(f);
    }
}

static int setup_fault(void **state)
{
    return setup_engine(state, "fault:memory");
}

#define BOTH(test) \
    cmocka_unit_test_setup_teardown(test, setup, teardown), { #test " on lmdb", test, setup_lmdb, teardown, NULL }

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(test_split_and_counts), BOTH(test_split_again_rewrites_stickiness), BOTH(test_boundaries),
        BOTH(test_ids_are_not_reused), BOTH(test_size), BOTH(test_concurrent), BOTH(test_heat),
        cmocka_unit_test_setup_teardown(test_faults, setup_fault, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
