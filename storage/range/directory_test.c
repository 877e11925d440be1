#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "storage/keys/ordered.h"
#include "storage/keys/row_key.h"
#include "storage/range/range.h"

typedef struct Fixture {
    Arena *arena;
    Kv *kv;
    Directory *directory;
    Error err;
    int nodes;
    char path[64];
} Fixture;

static void open_directory(Fixture *f)
{
    assert_int_equal(directory_open(f->kv, f->nodes ? f->nodes : 1, &f->directory, f->arena, &f->err), ST_OK);
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

static Status split_at(Fixture *f, Slice key, int64_t sticky_until_us)
{
    return directory_split(f->directory, &key, 1, sticky_until_us, &f->err);
}

static void set_limits(void *argument, Slice start, RangeLimits *limits)
{
    (void)start;
    *limits = *(const RangeLimits *)argument;
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
    assert_int_equal(split_at(f, table_key(f->arena, 106, 400), INT64_MAX), ST_OK);
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
    assert_int_equal(split_at(f, key, 77), ST_OK);
    assert_int_equal(split_at(f, key, 0), ST_OK);
    directory_find(f->directory, key, &range, f->arena);
    assert_int_equal(range.sticky_until_us, 77);
    assert_int_equal(split_at(f, key, INT64_MAX), ST_OK);
    directory_find(f->directory, key, &range, f->arena);
    assert_int_equal(range.sticky_until_us, INT64_MAX);
    assert_int_equal(directory_count(f->directory, (Slice){0}, (Slice){0}), 2);
    assert_int_equal(directory_unsplit(f->directory, table_key(f->arena, 106, 6), &was_start, &f->err), ST_OK);
    assert_false(was_start);
    assert_int_equal(directory_unsplit(f->directory, key, &was_start, &f->err), ST_OK);
    assert_true(was_start);
    directory_find(f->directory, key, &range, f->arena);
    assert_int_equal(range.sticky_until_us, 0);
    assert_int_equal(split_at(f, ROW_KEY_MAX, 0), ST_ERROR);
    assert_int_equal(split_at(f, (Slice){0}, 0), ST_ERROR);
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
    assert_int_equal(split_at(f, table_key(f->arena, 107, 20), INT64_MAX), ST_OK);
    assert_int_equal(split_at(f, table_key(f->arena, 107, 30), INT64_MAX), ST_OK);
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
    assert_int_equal(split_at(f, key, 0), ST_OK);
    assert_int_equal(directory_forget(f->directory, (Slice){0}, ROW_KEY_MAX, &f->err), ST_OK);
    check_restart(f);
    assert_int_equal(split_at(f, key, 0), ST_OK);
    directory_find(f->directory, key, &range, f->arena);
    assert_int_equal(range.id, 3);
}

static void test_size(void **state)
{
    Fixture *f = *state;
    int split, merged;
    for (int i = 0; i < 1000; i++) put(f, table_key(f->arena, 106, i), "0123456789012345678901234567890123456789");
    RangeLimits limits = {.bytes_max = 10000, .bytes_min = 1000, .replicas = 3};
    RangeConfig config = range_config_default;
    directory_set_policy(f->directory, &(RangePolicy){set_limits, &limits});
    for (int round = 0; round < 10; round++) assert_int_equal(directory_split_large(f->directory, &split, &f->err), ST_OK);
    RangeDesc *ranges;
    int count = directory_list(f->directory, (Slice){0}, (Slice){0}, &ranges, f->arena);
    assert_true(count >= 5 && count <= 16);
    for (int i = 0; i < count; i++) assert_true(ranges[i].key_bytes + ranges[i].value_bytes <= 10000);
    check_exact(f);
    Slice fixed = table_key(f->arena, 106, 0), sticky = table_key(f->arena, 106, 100);
    assert_int_equal(directory_add_boundaries(f->directory, &fixed, 1, &f->err), ST_OK);
    assert_int_equal(split_at(f, sticky, INT64_MAX), ST_OK);
    limits.bytes_min = limits.bytes_max = 1000000;
    assert_int_equal(directory_merge_small(f->directory, 1000, &merged, &f->err), ST_OK);
    assert_int_equal(merged, 0); /* too young */
    config.merge_delay_ns = 0;
    config.split_cpu_share = 1e9;
    directory_configure(f->directory, &config);
    limits.by_hash_code = true;
    assert_int_equal(directory_merge_small(f->directory, 1000, &merged, &f->err), ST_OK);
    assert_int_equal(merged, 0); /* tablets never are */
    limits.by_hash_code = false;
    assert_int_equal(directory_merge_small(f->directory, 1000, &merged, &f->err), ST_OK);
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
    RangeConfig config = range_config_default;
    RangeLimits limits = {.bytes_max = 4000, .bytes_min = 2000, .replicas = 3};
    config.merge_delay_ns = 0;
    config.split_cpu_share = 1e9;
    directory_configure(f->directory, &config);
    directory_set_policy(f->directory, &(RangePolicy){set_limits, &limits});
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, write_all_the_time, &writers[i]);
    for (int round = 0; round < 200; round++) {
        Slice key = table_key(f->arena, 106, round * 37 % 500);
        assert_int_equal(split_at(f, key, 0), ST_OK);
        if (round % 7 == 6)
            assert_int_equal(directory_forget(f->directory, table_key(f->arena, 106, 100), table_key(f->arena, 106, 300), &f->err), ST_OK);
        if (round % 31 == 30) {
            int merged;
            assert_int_equal(directory_merge_small(f->directory, 1000, &merged, &f->err), ST_OK);
        }
    }
    for (int i = 0; i < 2; i++) atomic_store(&writers[i].stop, true);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    check_exact(f);
    check_restart(f);
}

static void note_read(RangeNotes *notes, const RangeRequest *request)
{
    range_notes_add(notes, (RangeRequests){request, 1});
}

static void test_heat(void **state)
{
    Fixture *f = *state;
    RangeNotes *notes = range_notes_create(f->directory);
    RangeDesc range;
    Slice key = table_key(f->arena, 106, 1);
    assert_int_equal(split_at(f, table_start(f->arena, 106), 0), ST_OK);
    for (int i = 0; i < 100; i++) put(f, key, "fifty");
    note_read(notes, &(RangeRequest){.start = SLICE_LIT("\x05"), .pairs = 7, .bytes = 70});
    directory_find(f->directory, key, &range, f->arena);
    assert_true(range.writes_per_second > 1 && range.reads_per_second == 0);
    assert_int_equal(range.work.writes, 100);
    assert_int_equal(range.work.write_bytes, 100 * (key.size + 5));
    directory_find(f->directory, SLICE_LIT("\x05"), &range, f->arena);
    assert_true(range.reads_per_second > 0 && range.writes_per_second == 0);
    assert_int_equal(range.work.requests, 1);
    assert_int_equal(range.work.reads, 7);
    /* A scan over three ranges: the middle one was read whole. */
    for (int i = 0; i < 30; i++) put(f, table_key(f->arena, 106, i), "v");
    assert_int_equal(split_at(f, table_key(f->arena, 106, 10), 0), ST_OK);
    assert_int_equal(split_at(f, table_key(f->arena, 106, 20), 0), ST_OK);
    note_read(notes, &(RangeRequest){.start = table_key(f->arena, 106, 5), .end = table_key(f->arena, 106, 25),
                                     .pairs = 20, .bytes = 200});
    uint64_t reads[3] = {5, 10, 5};
    for (int i = 0; i < 3; i++) {
        directory_find(f->directory, table_key(f->arena, 106, i * 10), &range, f->arena);
        assert_int_equal(range.work.reads, reads[i]);
        assert_int_equal(range.work.requests, 1);
    }
    /* Switched off, nothing is counted. */
    RangeConfig config = range_config_default;
    config.accounting = false;
    directory_configure(f->directory, &config);
    assert_false(directory_accounting(f->directory));
    put(f, key, "sixty");
    directory_find(f->directory, key, &range, f->arena);
    assert_int_equal(range.work.requests, 1);
    range_notes_destroy(notes);
}

/* ---- notes ---- */

enum { READERS = 4, READS = 5000 };

typedef struct Reader {
    Fixture *fixture;
    int number;
} Reader;

static void *read_much(void *argument)
{
    const Reader *reader = argument;
    Arena *arena = arena_create(NULL, 0);
    RangeNotes *notes = range_notes_create(reader->fixture->directory);
    for (int i = 0; i < READS; i++) {
        RangeRequest gets[3];
        for (int g = 0; g < 3; g++)
            gets[g] = (RangeRequest){.start = table_key(arena, 106, (i * 7 + g * 31) % 100), .pairs = 1, .bytes = 10, .busy_ns = 1};
        range_notes_add(notes, (RangeRequests){gets, 3});
        if (i % 100 == 0) arena_reset(arena);
    }
    range_notes_destroy(notes);
    arena_destroy(arena);
    return NULL;
}

static RangeWork work_of_all(Fixture *f)
{
    RangeDesc *ranges;
    RangeWork sum = {0};
    int count = directory_list(f->directory, (Slice){0}, (Slice){0}, &ranges, f->arena);
    for (int i = 0; i < count; i++) {
        sum.requests += ranges[i].work.requests;
        sum.reads += ranges[i].work.reads;
        sum.read_bytes += ranges[i].work.read_bytes;
        sum.busy_ns += ranges[i].work.busy_ns;
    }
    return sum;
}

/* What is shown has all that was read before, exactly, whoever read it and however far it has come. */
static void test_notes(void **state)
{
    Fixture *f = *state;
    pthread_t threads[READERS];
    Reader readers[READERS];
    RangeNotes *notes = range_notes_create(f->directory);
    RangeDesc range;
    NodeDesc *nodes;
    /* What was read before a cut does not count for its parts, which are new. */
    note_read(notes, &(RangeRequest){.start = table_key(f->arena, 106, 5), .pairs = 1, .bytes = 1});
    assert_int_equal(split_at(f, table_key(f->arena, 106, 5), INT64_MAX), ST_OK);
    directory_find(f->directory, table_key(f->arena, 106, 5), &range, f->arena);
    assert_int_equal(range.work.requests, 0);
    directory_nodes(f->directory, &nodes, f->arena);
    assert_int_equal(nodes[0].work.requests, 1);
    /* A key of any size. */
    Slice key = slice_of(arena_alloc(f->arena, 9000), 9000);
    for (int i = 0; i < 3; i++) note_read(notes, &(RangeRequest){.start = key});
    for (int i = 0; i < 300; i++) note_read(notes, &(RangeRequest){.start = slice_of(key.data, (size_t)i + 1)});
    assert_int_equal(work_of_all(f).requests, 303);
    range_notes_destroy(notes);

    for (int i = 0; i < READERS; i++) {
        readers[i] = (Reader){f, i};
        assert_int_equal(pthread_create(&threads[i], NULL, read_much, &readers[i]), 0);
    }
    for (int i = 1; i < 30; i++) {
        assert_int_equal(split_at(f, table_key(f->arena, 106, i * 3), INT64_MAX), ST_OK);
        work_of_all(f);
    }
    for (int i = 0; i < READERS; i++) pthread_join(threads[i], NULL);
    directory_nodes(f->directory, &nodes, f->arena);
    RangeWork sum = nodes[0].work;
    assert_int_equal(sum.requests, 304 + READERS * READS * 3);
    assert_int_equal(sum.reads, 1 + READERS * READS * 3);
    assert_int_equal(sum.read_bytes, 1 + READERS * READS * 30);
    assert_int_equal(sum.busy_ns, READERS * READS * 3);
}

/* ---- many ranges ---- */

static void test_many(void **state)
{
    Fixture *f = *state;
    enum { COUNT = 20000 };
    Slice *keys = ARENA_ARRAY(f->arena, Slice, COUNT);
    for (int i = 0; i < COUNT; i++) keys[i] = table_key(f->arena, 106, (int)((uint64_t)i * 7919 % COUNT)); /* not in order */
    for (int i = 0; i < 100; i++) put(f, table_key(f->arena, 106, i * 199), "v");
    assert_int_equal(directory_split(f->directory, keys, COUNT / 2, INT64_MAX, &f->err), ST_OK);
    assert_int_equal(directory_split(f->directory, keys, COUNT, INT64_MAX, &f->err), ST_OK);
    assert_int_equal(directory_count(f->directory, (Slice){0}, (Slice){0}), COUNT + 1);
    for (int i = 0; i < COUNT; i += 97) {
        RangeDesc range;
        directory_find(f->directory, table_key(f->arena, 106, i), &range, f->arena);
        assert_true(slice_equal(range.start, table_key(f->arena, 106, i)));
        assert_int_equal(range.key_count, i % 199 == 0 && i / 199 < 100);
    }
    check_restart(f);
    for (int i = 0; i < 200; i++) put(f, table_key(f->arena, 106, i * 97), "w");
    assert_int_equal(directory_forget(f->directory, table_key(f->arena, 106, 100), table_key(f->arena, 106, 19900), &f->err), ST_OK);
    assert_int_equal(directory_count(f->directory, (Slice){0}, (Slice){0}), 100 + 1 + 100 + 1);
    check_exact(f);
    check_restart(f);
}

/* ---- hash codes, rows ---- */

static Slice code_key(Arena *arena, int code, int row)
{
    Buf key = {0};
    row_key_index_prefix(107, 1, &key);
    ordered_put_int(&key, code, false);
    ordered_put_int(&key, row, false);
    row_key_family(0, &key);
    Slice result = buf_to_arena(&key, arena);
    buf_finish(&key);
    return result;
}

/* One hash code only: one cut in front of it, which leaves an empty sibling, and then refusal. */
static void test_hash_codes(void **state)
{
    Fixture *f = *state;
    RangeLimits limits = {.bytes_max = 1000, .bytes_min = 100, .replicas = 3, .by_hash_code = true};
    RangeConfig config = range_config_default;
    Slice start = table_start(f->arena, 107);
    RangeDesc *ranges, range;
    int split;
    config.refusal_ns = 0;
    directory_configure(f->directory, &config);
    directory_set_policy(f->directory, &(RangePolicy){set_limits, &limits});
    assert_int_equal(directory_add_boundaries(f->directory, &start, 1, &f->err), ST_OK);
    for (int i = 0; i < 200; i++) put(f, code_key(f->arena, 4711, i), "0123456789");
    for (int i = 0; i < 5; i++) assert_int_equal(directory_split_large(f->directory, &split, &f->err), ST_OK);
    assert_int_equal(directory_list(f->directory, start, (Slice){0}, &ranges, f->arena), 2);
    assert_int_equal(ranges[0].key_count, 0);
    assert_int_equal(ranges[1].key_count, 200);
    assert_int_equal(ranges[1].refusal, REFUSAL_ONE_HASH_CODE);
    /* A second code that has more rows: the cut parts the two, and each is refused. */
    for (int i = 0; i < 400; i++) put(f, code_key(f->arena, 5000, i), "0123456789");
    for (int i = 0; i < 5; i++) assert_int_equal(directory_split_large(f->directory, &split, &f->err), ST_OK);
    assert_int_equal(directory_count(f->directory, start, (Slice){0}), 3);
    directory_find(f->directory, code_key(f->arena, 5000, 0), &range, f->arena);
    assert_int_equal(range.key_count, 400);
    assert_int_equal(range.refusal, REFUSAL_ONE_HASH_CODE);
    check_exact(f);
    /* Cut at rows there is no such end. */
    limits.by_hash_code = false;
    directory_limits_changed(f->directory);
    for (int i = 0; i < 20; i++) assert_int_equal(directory_split_large(f->directory, &split, &f->err), ST_OK);
    assert_true(directory_count(f->directory, start, (Slice){0}) > 10);
    check_exact(f);
}

/* All families of a row stay together, and a row larger than the maximum stays whole. */
static void test_rows_stay_whole(void **state)
{
    Fixture *f = *state;
    RangeLimits limits = {.bytes_max = 400, .bytes_min = 100, .replicas = 3};
    RangeDesc *ranges;
    Slice start = table_start(f->arena, 106);
    int split;
    directory_set_policy(f->directory, &(RangePolicy){set_limits, &limits});
    for (int row = 0; row < 4; row++) {
        for (uint32_t family = 0; family < 10; family++) {
            Buf key = {0};
            row_key_index_prefix(106, 1, &key);
            ordered_put_int(&key, row, false);
            row_key_family(family, &key);
            put(f, buf_slice(&key), row == 2 ? "0123456789012345678901234567890123456789012345678901234567890" : "01234567");
            buf_finish(&key);
        }
    }
    assert_int_equal(directory_add_boundaries(f->directory, &start, 1, &f->err), ST_OK);
    for (int i = 0; i < 10; i++) assert_int_equal(directory_split_large(f->directory, &split, &f->err), ST_OK);
    int count = directory_list(f->directory, start, (Slice){0}, &ranges, f->arena);
    assert_int_equal(count, 3); /* 0 and 1; 2, that is too large; 3 */
    for (int i = 0; i < count; i++) assert_int_equal(ranges[i].key_count % 10, 0);
    assert_int_equal(ranges[1].refusal, REFUSAL_ONE_ROW);
    check_exact(f);
}

/* ---- nodes ---- */

static void reopen(Fixture *f, int nodes)
{
    directory_close(f->directory);
    f->nodes = nodes;
    open_directory(f);
}

static void check_nodes(Fixture *f, int replicas)
{
    RangeDesc *ranges;
    NodeDesc *nodes;
    int64_t leases[NODES_MAX + 1] = {0};
    int count = directory_list(f->directory, (Slice){0}, (Slice){0}, &ranges, f->arena);
    int node_count = directory_nodes(f->directory, &nodes, f->arena);
    for (int i = 0; i < count; i++) {
        bool leads = false;
        assert_int_equal(ranges[i].replica_count, replicas);
        for (int r = 0; r < ranges[i].replica_count; r++) {
            leads |= ranges[i].replicas[r] == ranges[i].lease_holder;
            assert_true(r == 0 || ranges[i].replicas[r - 1] < ranges[i].replicas[r]);
            assert_true(ranges[i].replicas[r] >= 1 && ranges[i].replicas[r] <= node_count);
        }
        assert_true(leads);
        leases[ranges[i].lease_holder]++;
    }
    for (int i = 0; i < node_count; i++) assert_int_equal(nodes[i].leases, leases[i + 1]);
}

static void test_nodes(void **state)
{
    Fixture *f = *state;
    RangeLimits limits = {.bytes_max = 1 << 20, .bytes_min = 1000, .replicas = 3};
    NodeDesc *nodes;
    RangeDesc range;
    Slice keys[40], hot = table_key(f->arena, 106, 5);
    directory_set_policy(f->directory, &(RangePolicy){set_limits, &limits});
    check_nodes(f, 1);
    reopen(f, 8);
    directory_set_policy(f->directory, &(RangePolicy){set_limits, &limits});
    directory_rebalance(f->directory);
    /* Fixed boundaries are spread at once; what is cut by hand stays until it is moved. */
    for (int i = 0; i < 15; i++) keys[i] = table_start(f->arena, 106 + (uint32_t)i);
    assert_int_equal(directory_add_boundaries(f->directory, keys, 15, &f->err), ST_OK);
    check_nodes(f, 3);
    directory_nodes(f->directory, &nodes, f->arena);
    for (int i = 0; i < 8; i++) assert_int_equal(nodes[i].leases, 2);
    for (int i = 0; i < 40; i++) keys[i] = table_key(f->arena, 110, i);
    assert_int_equal(directory_split(f->directory, keys, 40, INT64_MAX, &f->err), ST_OK);
    directory_nodes(f->directory, &nodes, f->arena);
    int64_t most = 0;
    for (int i = 0; i < 8; i++) most = nodes[i].leases > most ? nodes[i].leases : most;
    assert_int_equal(most, 42);
    for (int i = 0; i < 3; i++) directory_rebalance(f->directory);
    directory_nodes(f->directory, &nodes, f->arena);
    for (int i = 0; i < 8; i++) assert_int_equal(nodes[i].leases, 7);
    /* By hand, written down. */
    assert_int_equal(directory_move_lease(f->directory, hot, 7, &f->err), ST_OK);
    assert_int_equal(directory_move_lease(f->directory, hot, 9, &f->err), ST_ERROR);
    assert_int_equal(directory_place(f->directory, keys[0], (const uint8_t[]){8, 2, 5}, 3, &f->err), ST_OK);
    check_nodes(f, 3);
    reopen(f, 8);
    directory_find(f->directory, hot, &range, f->arena);
    assert_int_equal(range.lease_holder, 7);
    directory_find(f->directory, keys[0], &range, f->arena);
    assert_memory_equal(range.replicas, ((uint8_t[]){2, 5, 8}), 3);
    check_nodes(f, 3);
    assert_int_equal(directory_scatter(f->directory, keys[0], keys[39], &f->err), ST_OK);
    limits.replicas = 5;
    directory_set_policy(f->directory, &(RangePolicy){set_limits, &limits});
    directory_rebalance(f->directory);
    check_nodes(f, 5);
    /* Work is booked to the node that leads the range. */
    directory_find(f->directory, hot, &range, f->arena);
    for (int i = 0; i < 50; i++) put(f, hot, "v");
    directory_nodes(f->directory, &nodes, f->arena);
    for (int i = 0; i < 8; i++) assert_int_equal(nodes[i].work.writes, i + 1 == range.lease_holder ? 50 : 0);
    /* With fewer nodes nothing lies on those that are gone. */
    reopen(f, 2);
    check_nodes(f, 2);
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
            if (i == 3) failed |= split_at(f, inner, 0) != ST_OK;
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

/* ---- placement by rules ---- */

static NodeSet nodes_of(const RangeDesc *range, bool voters)
{
    NodeSet set = 0;
    for (int i = 0; i < range->replica_count; i++)
        if (voters == !(range->non_voters & node_bit(range->replicas[i]))) set |= node_bit(range->replicas[i]);
    return set;
}

/* Judges all ranges by the limits and returns how the one that holds the key lies then. */
static RangeDesc placed_by(Fixture *f, RangeLimits *limits, Slice key)
{
    RangeDesc range;
    directory_set_policy(f->directory, &(RangePolicy){set_limits, limits});
    directory_rebalance(f->directory);
    directory_find(f->directory, key, &range, f->arena);
    assert_true(nodes_of(&range, true) & node_bit(range.lease_holder));
    return range;
}

enum { A = 0x07, B = 0x38, C = 0xc0 }; /* nodes 1-3, 4-6, 7-8 */

static void test_placement(void **state)
{
    Fixture *f = *state;
    Slice key = table_key(f->arena, 106, 5);
    RangeConfig config = range_config_default;
    RangeLimits limits = {.bytes_max = 1 << 20, .replicas = 3, .placement = {.replica_rules = {.all_on = B}}};
    reopen(f, 8);
    config.rebalance = false; /* rules hold all the same */
    directory_configure(f->directory, &config);
    assert_int_equal(directory_add_boundaries(f->directory, (Slice[]){table_start(f->arena, 106), table_start(f->arena, 107)}, 2, &f->err), ST_OK);
    RangeDesc range = placed_by(f, &limits, key);
    assert_int_equal(nodes_of(&range, true), B);

    /* Rules that count are met first, whatever else there is room for. */
    limits.replicas = 4;
    limits.placement = (RangePlacement){.replica_rules = {.items = {{C, 2}, {A, 1}}, .count = 2}};
    range = placed_by(f, &limits, key);
    assert_int_equal(range.replica_count, 4);
    assert_int_equal(nodes_of(&range, true) & C, C);
    assert_true(nodes_of(&range, true) & A && nodes_of(&range, true) & B);
    NodeSet before = nodes_of(&range, true);
    range = placed_by(f, &limits, key);
    assert_int_equal(nodes_of(&range, true), before);

    limits.replicas = 5;
    limits.placement = (RangePlacement){.voters = 3, .voter_rules = {.all_on = A}, .replica_rules = {.items = {{C, 1}}, .count = 1},
                                        .leases_on = {B, node_bit(2)}, .lease_count = 2};
    range = placed_by(f, &limits, key);
    assert_int_equal(nodes_of(&range, true), A);
    assert_true(nodes_of(&range, false) & C);
    assert_int_equal(range.replica_count, 5);
    assert_int_equal(range.lease_holder, 2);
    check_nodes(f, 5);

    /* More than there are nodes of: what is there, and the rest elsewhere. */
    limits.placement = (RangePlacement){.replica_rules = {.all_on = C}, .voters = 7};
    range = placed_by(f, &limits, key);
    assert_int_equal(nodes_of(&range, true) & C, C);
    assert_int_equal(range.replica_count, 5);
    directory_set_policy(f->directory, NULL);
}

/* Replicas that do not vote, placed by hand, and there again after a restart. */
static void test_non_voters(void **state)
{
    Fixture *f = *state;
    RangeDesc range;
    Slice key = table_key(f->arena, 106, 5);
    reopen(f, 8);
    assert_int_equal(split_at(f, table_start(f->arena, 106), INT64_MAX), ST_OK);
    assert_int_equal(directory_place(f->directory, key, (const uint8_t[]){1, 2, 3}, 3, &f->err), ST_OK);
    assert_int_equal(directory_place_non_voters(f->directory, key, (const uint8_t[]){7, 5}, 2, &f->err), ST_OK);
    assert_int_equal(directory_place_non_voters(f->directory, key, (const uint8_t[]){3}, 1, &f->err), ST_ERROR);
    assert_int_equal(directory_place_non_voters(f->directory, key, (const uint8_t[]){9}, 1, &f->err), ST_ERROR);
    assert_int_equal(directory_place_non_voters(f->directory, key, (const uint8_t[]){4, 5, 6, 7, 8}, 5, &f->err), ST_ERROR);
    reopen(f, 8);
    directory_find(f->directory, key, &range, f->arena);
    assert_int_equal(nodes_of(&range, true), A);
    assert_int_equal(range.non_voters, node_bit(5) | node_bit(7));
    assert_memory_equal(range.replicas, ((uint8_t[]){1, 2, 3, 5, 7}), 5);
    /* The lease on a node without a vote: it gets the old holder's. */
    int holder = range.lease_holder;
    assert_int_equal(directory_move_lease(f->directory, key, 7, &f->err), ST_OK);
    directory_find(f->directory, key, &range, f->arena);
    assert_int_equal(range.lease_holder, 7);
    assert_int_equal(nodes_of(&range, true), (A & ~node_bit(holder)) | node_bit(7));
    assert_int_equal(range.non_voters, node_bit(5) | node_bit(holder));
    reopen(f, 4);
    directory_find(f->directory, key, &range, f->arena);
    assert_true(range.replicas[range.replica_count - 1] <= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(test_split_and_counts), BOTH(test_split_again_rewrites_stickiness), BOTH(test_boundaries),
        BOTH(test_ids_are_not_reused), BOTH(test_size), BOTH(test_concurrent), BOTH(test_heat), BOTH(test_placement), BOTH(test_non_voters), BOTH(test_notes), BOTH(test_many),
        BOTH(test_hash_codes), BOTH(test_rows_stay_whole), BOTH(test_nodes),
        cmocka_unit_test_setup_teardown(test_faults, setup_fault, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
