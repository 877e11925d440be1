/* One suite for all engines: what kv.h promises, checked against a model, against named anomalies and under threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "storage/kv/kv.h"

typedef struct Fixture {
    const char *engine;
    char directory[64];
    Arena *arena;
    Kv *kv;
    Error err;
} Fixture;

static void directory_remove(const char *directory)
{
    static const char *const files[] = {"data.mdb", "lock.mdb", "rowkey.lock", "redo.0", "redo.1"};
    char path[128];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, files[i]);
        unlink(path);
    }
    rmdir(directory);
}

static void fixture_open(Fixture *f, const char *engine, const KvOptions *options)
{
    *f = (Fixture){.engine = engine, .arena = arena_create(NULL, 0)};
    snprintf(f->directory, sizeof f->directory, "/tmp/rowkey-kv-XXXXXX");
    assert_non_null(mkdtemp(f->directory));
    KvOptions defaults = {.no_sync = true, .map_bytes = (uint64_t)1 << 30};
    assert_int_equal(kv_open(engine, f->directory, options ? options : &defaults, &f->kv, f->arena, &f->err), ST_OK);
    kv_guard_acquire(f->kv);
}

static void fixture_close(Fixture *f)
{
    kv_guard_release(f->kv);
    kv_close(f->kv);
    directory_remove(f->directory);
    arena_destroy(f->arena);
}

/* The second has a table so small that it goes down into LMDB with nearly every commit. */
static const struct {
    const char *name;
    size_t table_bytes_max;
} engines[] = {{"lmdb", 0}, {"lmdb", 1}, {"lmdb", 8192}, {"plain:lmdb", 0}, {"memory", 0}, {"fault:memory", 0}};
enum { ENGINES = sizeof engines / sizeof *engines };

static void fixture_open_nth(Fixture *f, int n)
{
    KvOptions options = {.no_sync = true, .map_bytes = (uint64_t)1 << 30, .table_bytes_max = engines[n].table_bytes_max};
    fixture_open(f, engines[n].name, &options);
}

#define FOR_EACH_ENGINE(f)                                                                                           \
    for (int engine_ = 0; engine_ < ENGINES; fixture_close(&(f)), engine_++)                                         \
        if (fixture_open_nth(&(f), engine_), true)

static KvOp op_put(const char *key, const char *value)
{
    return (KvOp){.kind = KV_PUT, .key = slice_str(key), .value = slice_str(value)};
}

static KvOp op_delete(const char *key)
{
    return (KvOp){.kind = KV_DELETE, .key = slice_str(key)};
}

typedef struct Ops {
    const KvOp *ops;
    int count, position;
} Ops;

static bool ops_next(void *argument, KvOp *op)
{
    Ops *ops = argument;
    if (ops->position == ops->count) return false;
    *op = ops->ops[ops->position++];
    return true;
}

static void ops_rewind(void *argument)
{
    ((Ops *)argument)->position = 0;
}

static KvOutcome commit_checked(Fixture *f, uint64_t snapshot_version, const KvSpan *unchanged, int spans, const KvOp *ops,
                                int count, uint64_t *version)
{
    Ops array = {ops, count, 0};
    KvBatch batch = {.snapshot_version = snapshot_version,
                     .unchanged = unchanged,
                     .unchanged_count = spans,
                     .next = ops_next,
                     .rewind = ops_rewind,
                     .argument = &array};
    return kv_commit(f->kv, &batch, version, &f->err);
}

static void commit_one(Fixture *f, KvOp op)
{
    uint64_t version;
    assert_int_equal(kv_commit_ops(f->kv, &op, 1, &version, &f->err), KV_COMMITTED);
}

static KvSnapshot *snapshot(Fixture *f)
{
    KvSnapshot *opened;
    assert_int_equal(kv_snapshot_open(f->kv, &opened, &f->err), ST_OK);
    return opened;
}

static void assert_value(Fixture *f, KvSnapshot *at, Slice key, const char *expected)
{
    bool found;
    Slice value;
    assert_int_equal(kv_get_many(at, &key, 1, &found, &value, &f->err), ST_OK);
    assert_int_equal(found, expected != NULL);
    if (expected) assert_true(slice_equal_str(value, expected));
}

/* ---- random histories against a model ---- */

enum { KEYS = 60, STEPS = 1500, OPEN_MAX = 6, OPS_MAX = 6 };

typedef struct State {
    int value[KEYS]; /* -1: absent */
} State;

typedef struct Model {
    uint8_t bytes[KEYS][8192];
    Slice keys[KEYS]; /* sorted */
    State now;
    uint64_t changed_at[KEYS], version;
} Model;

typedef struct Reader {
    KvSnapshot *snapshot; /* NULL: free */
    State state;
} Reader;

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

/* Lengths around LMDB's limits; most keys share long prefixes, with the bytes that sort at the edges. */
static void model_init(Model *model, uint64_t *seed)
{
    static const size_t sizes[] = {1, 2, 3, 17, 509, 510, 511, 512, 513, 1011, 1012, 1013, 1014, 1514, 1515, 8191, 8192};
    static const uint8_t edge[] = {0x00, 0x01, 0x7f, 0xff};
    for (int i = 0; i < KEYS; i++) {
        size_t size = sizes[random_below(seed, sizeof sizes / sizeof *sizes)];
        memset(model->bytes[i], 'a', size);
        for (int n = 0; n < 2; n++) model->bytes[i][size - 1 - random_below(seed, size < 8 ? (uint32_t)size : 8)] = edge[random_below(seed, 4)];
        if (random_below(seed, 3) == 0) model->bytes[i][random_below(seed, (uint32_t)size)] = edge[random_below(seed, 4)];
        model->keys[i] = slice_of(model->bytes[i], size);
        model->now.value[i] = -1;
        model->changed_at[i] = 0;
        for (int j = 0; j < i; j++)
            if (slice_equal(model->keys[i], model->keys[j])) {
                i--;
                break;
            }
    }
    qsort(model->keys, KEYS, sizeof *model->keys, key_order);
}

static Slice value_text(int value, char out[24])
{
    int size = value == 0 ? 0 : snprintf(out, 24, "value %d", value);
    return slice_of(out, (size_t)size);
}

static void assert_pair(const Model *model, const State *state, int i, const KvPair *pair)
{
    char text[24];
    assert_true(i >= 0 && i < KEYS);
    assert_true(slice_equal(pair->key, model->keys[i]));
    assert_true(slice_equal(pair->value, value_text(state->value[i], text)));
}

static int next_present(const State *state, int i, int step)
{
    while (i >= 0 && i < KEYS && state->value[i] < 0) i += step;
    return i;
}

static Slice random_bound(const Model *model, uint64_t *seed)
{
    Slice key = model->keys[random_below(seed, KEYS)];
    uint32_t cut = random_below(seed, 4);
    if (cut == 0) key.size = 1 + random_below(seed, (uint32_t)key.size);
    if (cut == 1 && random_below(seed, 4) == 0) key.size = 0;
    return key;
}

static int first_at_least(const Model *model, Slice key)
{
    int i = 0;
    while (i < KEYS && slice_compare(model->keys[i], key) < 0) i++;
    return i;
}

static void check_scan(Fixture *f, const Model *model, const Reader *reader, uint64_t *seed)
{
    Slice start = random_bound(model, seed), end = random_bound(model, seed);
    bool descending = random_below(seed, 2) == 1;
    int low = first_at_least(model, start), high = end.size ? first_at_least(model, end) : KEYS;
    int step = descending ? -1 : 1, i = next_present(&reader->state, descending ? high - 1 : low, step);
    KvScan *scan;
    KvBlock block;
    Status status;
    assert_int_equal(kv_scan_open(reader->snapshot, start, end, descending, (int)random_below(seed, 40), &scan, &f->err), ST_OK);
    bool sought = false;
    while ((status = kv_scan_next(scan, &block, &f->err)) == ST_OK) {
        assert_true(block.count > 0);
        for (int n = 0; n < block.count; n++, i = next_present(&reader->state, i + step, step)) {
            assert_true(i >= low && i < high);
            assert_pair(model, &reader->state, i, &block.pairs[n]);
        }
        if (sought || i < low || i >= high || random_below(seed, 2)) continue;
        int to = descending ? low + (int)random_below(seed, (uint32_t)(i - low + 2)) : i + (int)random_below(seed, (uint32_t)(high - i));
        if (to >= KEYS) continue;
        sought = true;
        assert_int_equal(kv_scan_seek(scan, model->keys[to], &f->err), ST_OK);
        i = next_present(&reader->state, descending ? to - 1 : to, step);
    }
    assert_int_equal(status, ST_END);
    assert_true(i < low || i >= high);
    kv_scan_close(scan);
}

static void check_gets(Fixture *f, const Model *model, const Reader *reader, uint64_t *seed)
{
    Slice keys[8], values[8];
    bool found[8];
    int at[8], n = 1 + (int)random_below(seed, 8);
    for (int i = 0; i < n; i++) {
        at[i] = (int)random_below(seed, KEYS);
        keys[i] = model->keys[at[i]];
    }
    assert_int_equal(kv_get_many(reader->snapshot, keys, n, found, values, &f->err), ST_OK);
    for (int i = 0; i < n; i++) {
        assert_int_equal(found[i], reader->state.value[at[i]] >= 0);
        if (found[i]) assert_pair(model, &reader->state, at[i], &(KvPair){keys[i], values[i]});
    }
}

static void model_set(Model *model, bool changed[KEYS], int i, int value)
{
    if (value < 0 && model->now.value[i] < 0) return;
    model->now.value[i] = value;
    changed[i] = true;
}

static void random_op(Model *model, KvOp *op, bool changed[KEYS], char text[24], uint64_t *seed)
{
    int i = (int)random_below(seed, KEYS), value = (int)random_below(seed, 1000);
    *op = (KvOp){.kind = KV_PUT, .key = model->keys[i]};
    switch (random_below(seed, 10)) {
    case 0:
        op->kind = KV_DELETE_SPAN;
        op->key = random_bound(model, seed);
        op->end = random_bound(model, seed);
        if (random_below(seed, 2) == 0 && op->end.size == 0) op->end = op->key;
        for (int k = first_at_least(model, op->key); k < (op->end.size ? first_at_least(model, op->end) : KEYS); k++)
            model_set(model, changed, k, -1);
        return;
    case 1:
    case 2:
    case 3:
        op->kind = KV_DELETE;
        model_set(model, changed, i, -1);
        return;
    default:
        op->value = value_text(value, text);
        model_set(model, changed, i, value);
    }
}

static void random_commit(Fixture *f, Model *model, const Reader *reader, uint64_t *seed)
{
    KvOp ops[OPS_MAX];
    char texts[OPS_MAX][24];
    bool changed[KEYS] = {false}, conflict = false;
    State before = model->now;
    KvSpan span = {random_bound(model, seed), random_bound(model, seed)};
    int count = (int)random_below(seed, OPS_MAX + 1), spans = (int)random_below(seed, 2);
    for (int i = 0; i < count; i++) random_op(model, &ops[i], changed, texts[i], seed);
    for (int i = 0; i < KEYS && spans; i++)
        if (slice_compare(model->keys[i], span.start) >= 0 && (!span.end.size || slice_compare(model->keys[i], span.end) < 0))
            conflict |= model->changed_at[i] > kv_snapshot_version(reader->snapshot);
    uint64_t version;
    KvOutcome outcome = commit_checked(f, kv_snapshot_version(reader->snapshot), &span, spans, ops, count, &version);
    assert_int_equal(outcome, conflict ? KV_CONFLICT : KV_COMMITTED);
    if (conflict) {
        model->now = before;
        return;
    }
    assert_true(version >= model->version);
    model->version = version;
    for (int i = 0; i < KEYS; i++)
        if (changed[i]) model->changed_at[i] = version;
}

static void history_run(Fixture *f, uint64_t seed)
{
    Model *model = calloc(1, sizeof *model);
    Reader readers[OPEN_MAX] = {{0}};
    assert_non_null(model);
    model_init(model, &seed);
    for (int step = 0; step < STEPS; step++) {
        Reader *reader = &readers[random_below(&seed, OPEN_MAX)];
        uint32_t choice = random_below(&seed, 16);
        if (!reader->snapshot) {
            reader->snapshot = snapshot(f);
            reader->state = model->now;
        } else if (choice == 0) {
            kv_snapshot_close(reader->snapshot);
            reader->snapshot = NULL;
        } else if (choice == 1) {
            if (random_below(&seed, 2)) kv_snapshot_pause(reader->snapshot);
            assert_int_equal(kv_snapshot_renew(reader->snapshot, &f->err), ST_OK);
            reader->state = model->now;
        } else if (choice < 6) {
            random_commit(f, model, reader, &seed);
        } else if (choice < 9) {
            check_gets(f, model, reader, &seed);
        } else {
            check_scan(f, model, reader, &seed);
        }
    }
    for (int i = 0; i < OPEN_MAX; i++) kv_snapshot_close(readers[i].snapshot);
    free(model);
}

static void test_random_histories(void **state)
{
    Fixture f;
    for (uint64_t seed = 1; seed <= 6; seed++)
        FOR_EACH_ENGINE(f)
            history_run(&f, seed * 0x9e3779b97f4a7c15);
}

/* ---- named anomalies ---- */

static KvSpan point(const char *key, char *end)
{
    size_t size = strlen(key);
    memcpy(end, key, size + 1);
    return (KvSpan){slice_str(key), slice_of(end, size + 1)};
}

static void test_lost_update(void **state)
{
    Fixture f;
    FOR_EACH_ENGINE(f) {
        char end[8];
        uint64_t version;
        commit_one(&f, op_put("x", "0"));
        uint64_t both = kv_version(f.kv);
        KvSpan x = point("x", end);
        KvOp first = op_put("x", "1"), second = op_put("x", "2");
        assert_int_equal(commit_checked(&f, both, &x, 1, &first, 1, &version), KV_COMMITTED);
        assert_int_equal(commit_checked(&f, both, &x, 1, &second, 1, &version), KV_CONFLICT);
        assert_int_equal(commit_checked(&f, version = kv_version(f.kv), &x, 1, &second, 1, &version), KV_COMMITTED);
    }
}

static void test_write_skew(void **state)
{
    Fixture f;
    FOR_EACH_ENGINE(f) {
        uint64_t version;
        commit_one(&f, op_put("x", "1"));
        commit_one(&f, op_put("y", "1"));
        uint64_t both = kv_version(f.kv);
        KvSpan xy = {SLICE_LIT("x"), SLICE_LIT("z")};
        KvOp first = op_delete("x"), second = op_delete("y");
        assert_int_equal(commit_checked(&f, both, &xy, 1, &first, 1, &version), KV_COMMITTED);
        assert_int_equal(commit_checked(&f, both, &xy, 1, &second, 1, &version), KV_CONFLICT);
    }
}

static void test_phantoms(void **state)
{
    Fixture f;
    FOR_EACH_ENGINE(f) {
        uint64_t version;
        KvSpan span = {SLICE_LIT("p"), SLICE_LIT("q")};
        KvOp own = op_put("z", "");
        uint64_t before = kv_version(f.kv);
        commit_one(&f, op_put("p1", "inserted"));
        assert_int_equal(commit_checked(&f, before, &span, 1, &own, 1, &version), KV_CONFLICT);
        before = kv_version(f.kv);
        commit_one(&f, op_put("q", "beside the span"));
        commit_one(&f, op_put("o", "beside the span"));
        assert_int_equal(commit_checked(&f, before, &span, 1, &own, 1, &version), KV_COMMITTED);
        before = kv_version(f.kv);
        commit_one(&f, op_delete("p1"));
        assert_int_equal(commit_checked(&f, before, &span, 1, &own, 1, &version), KV_CONFLICT);
        commit_one(&f, op_put("p2", ""));
        before = kv_version(f.kv);
        commit_one(&f, (KvOp){.kind = KV_DELETE_SPAN, .key = SLICE_LIT("a"), .end = SLICE_LIT("p3")});
        assert_int_equal(commit_checked(&f, before, &span, 1, &own, 1, &version), KV_CONFLICT);
    }
}

/* Two readers may not see two independent writes in different orders. */
static void test_long_fork(void **state)
{
    Fixture f;
    FOR_EACH_ENGINE(f) {
        KvSnapshot *none = snapshot(&f);
        commit_one(&f, op_put("x", "1"));
        KvSnapshot *first = snapshot(&f);
        commit_one(&f, op_put("y", "1"));
        KvSnapshot *second = snapshot(&f);
        assert_value(&f, none, SLICE_LIT("x"), NULL);
        assert_value(&f, first, SLICE_LIT("x"), "1");
        assert_value(&f, first, SLICE_LIT("y"), NULL);
        assert_value(&f, second, SLICE_LIT("x"), "1");
        assert_value(&f, second, SLICE_LIT("y"), "1");
        assert_true(kv_snapshot_version(none) < kv_snapshot_version(first));
        assert_true(kv_snapshot_version(first) < kv_snapshot_version(second));
        kv_snapshot_close(none);
        kv_snapshot_close(first);
        kv_snapshot_close(second);
    }
}

/* ---- contract ---- */

static void test_limits(void **state)
{
    Fixture f;
    FOR_EACH_ENGINE(f) {
        static uint8_t key[8193], value[3 << 20];
        uint64_t version;
        memset(key, 0xff, sizeof key);
        memset(value, 7, sizeof value);
        KvOp ops[2] = {op_put("before", "1"), {.kind = KV_PUT, .key = slice_of(key, 8193)}};
        assert_int_equal(kv_commit_ops(f.kv, ops, 2, &version, &f.err), KV_FAILED);
        assert_int_equal(f.err.sqlstate, ERR_PROGRAM_LIMIT_EXCEEDED);
        ops[1].key.size = 0;
        assert_int_equal(kv_commit_ops(f.kv, ops, 2, &version, &f.err), KV_FAILED);
        ops[1] = (KvOp){.kind = KV_PUT, .key = slice_of(key, 8192), .value = slice_of(value, (64u << 20) + 1)};
        assert_int_equal(kv_commit_ops(f.kv, ops, 2, &version, &f.err), KV_FAILED);
        KvSnapshot *at = snapshot(&f);
        assert_value(&f, at, SLICE_LIT("before"), NULL);
        ops[1].value.size = sizeof value;
        assert_int_equal(kv_commit_ops(f.kv, ops, 2, &version, &f.err), KV_COMMITTED);
        assert_value(&f, at, slice_of(key, 8192), NULL);
        assert_int_equal(kv_snapshot_renew(at, &f.err), ST_OK);
        bool found;
        Slice got;
        assert_int_equal(kv_get_many(at, &ops[1].key, 1, &found, &got, &f.err), ST_OK);
        assert_true(found && slice_equal(got, ops[1].value));
        kv_snapshot_close(at);
    }
}

static void test_add(void **state)
{
    Fixture f;
    FOR_EACH_ENGINE(f) {
        uint64_t version;
        KvOp ops[] = {{.kind = KV_ADD, .key = SLICE_LIT("n"), .delta = 5},
                      {.kind = KV_ADD, .key = SLICE_LIT("n"), .delta = -7},
                      op_put("other", ""),
                      {.kind = KV_ADD, .key = SLICE_LIT("n"), .delta = 300}};
        assert_int_equal(kv_commit_ops(f.kv, ops, 4, &version, &f.err), KV_COMMITTED);
        assert_int_equal(kv_commit_ops(f.kv, ops, 2, &version, &f.err), KV_COMMITTED);
        KvSnapshot *at = snapshot(&f);
        Slice key = SLICE_LIT("n"), value;
        bool found;
        assert_int_equal(kv_get_many(at, &key, 1, &found, &value, &f.err), ST_OK);
        assert_int_equal(value.size, 8);
        assert_int_equal(kv_counter_decode(value), 296);
        kv_snapshot_close(at);
    }
}

/* A big table is deleted under a snapshot, which goes on seeing it, also in a scan begun before. */
static void test_snapshot_survives_deletes(void **state)
{
    enum { ROWS = 5000 };
    Fixture f;
    FOR_EACH_ENGINE(f) {
        KvOp *ops = calloc(ROWS, sizeof *ops);
        assert_non_null(ops);
        uint64_t version;
        for (int i = 0; i < ROWS; i++) ops[i] = op_put(arena_printf(f.arena, "row%06d", i), "some value that takes room");
        assert_int_equal(kv_commit_ops(f.kv, ops, ROWS, &version, &f.err), KV_COMMITTED);
        KvSnapshot *at = snapshot(&f);
        KvScan *scan;
        KvBlock block;
        assert_int_equal(kv_scan_open(at, (Slice){0}, (Slice){0}, false, 0, &scan, &f.err), ST_OK);
        int seen = 0;
        while (kv_scan_next(scan, &block, &f.err) == ST_OK) {
            commit_one(&f, (KvOp){.kind = KV_DELETE_SPAN, .key = SLICE_LIT("row"), .end = SLICE_LIT("row004999")});
            commit_one(&f, op_put("row000001", "again"));
            for (int i = 0; i < block.count; i++, seen++) {
                assert_true(slice_equal(block.pairs[i].key, ops[seen].key));
                assert_true(slice_equal(block.pairs[i].value, ops[seen].value));
            }
        }
        assert_int_equal(seen, ROWS);
        kv_scan_close(scan);
        assert_int_equal(kv_snapshot_renew(at, &f.err), ST_OK);
        assert_int_equal(kv_scan_open(at, (Slice){0}, (Slice){0}, true, 0, &scan, &f.err), ST_OK);
        static const char *const left[] = {"row004999", "row000001"};
        seen = 0;
        while (kv_scan_next(scan, &block, &f.err) == ST_OK)
            for (int i = 0; i < block.count; i++, seen++) assert_true(seen < 2 && slice_equal_str(block.pairs[i].key, left[seen]));
        assert_int_equal(seen, 2);
        kv_scan_close(scan);
        kv_snapshot_close(at);
        free(ops);
    }
}

/* ---- observer ---- */

typedef struct Sums {
    int64_t keys, bytes, pending_keys, pending_bytes;
    int flushes, ended;
    bool flushed;
} Sums;

static void sums_changed(void *argument, Slice key, int64_t old_size, int64_t new_size)
{
    Sums *sums = argument;
    sums->pending_keys += (new_size >= 0) - (old_size >= 0);
    sums->pending_bytes += (new_size > 0 ? new_size : 0) - (old_size > 0 ? old_size : 0);
}

static bool sums_flush(void *argument, KvOp *op)
{
    Sums *sums = argument;
    if (sums->flushed) return false;
    sums->flushed = true;
    *op = (KvOp){.kind = KV_ADD, .key = SLICE_LIT("!count"), .delta = sums->pending_keys};
    return true;
}

static void sums_ended(void *argument, bool committed, uint64_t version)
{
    Sums *sums = argument;
    sums->keys += committed ? sums->pending_keys : 0;
    sums->bytes += committed ? sums->pending_bytes : 0;
    sums->pending_keys = sums->pending_bytes = 0;
    sums->flushed = false;
    sums->ended += committed;
}

static void test_observer(void **state)
{
    Fixture f;
    FOR_EACH_ENGINE(f) {
        Sums sums = {0};
        uint64_t version;
        KvObserver observer = {sums_changed, sums_flush, sums_ended, &sums};
        kv_observe(f.kv, &observer);
        commit_one(&f, op_put("a", "12345"));
        commit_one(&f, op_put("b", "1"));
        commit_one(&f, op_put("a", "12"));
        KvOp refused[] = {op_put("c", "1"), {.kind = KV_PUT}};
        assert_int_equal(kv_commit_ops(f.kv, refused, 2, &version, &f.err), KV_FAILED);
        assert_int_equal(sums.keys, 2);
        assert_int_equal(sums.bytes, 3);
        commit_one(&f, (KvOp){.kind = KV_DELETE_SPAN, .key = SLICE_LIT("a"), .end = SLICE_LIT("b")});
        assert_int_equal(sums.keys, 1);
        assert_int_equal(sums.ended, 4);
        KvSnapshot *at = snapshot(&f);
        Slice key = SLICE_LIT("!count"), value;
        bool found;
        assert_int_equal(kv_get_many(at, &key, 1, &found, &value, &f.err), ST_OK);
        assert_int_equal(kv_counter_decode(value), 1);
        kv_snapshot_close(at);
        kv_observe(f.kv, NULL);
    }
}

/* ---- threads ---- */

enum { THREADS = 8, COMMITS = 100 };

typedef struct Worker {
    Fixture *f;
    int number;
    int conflicts;
    bool failed;
    pthread_t thread;
} Worker;

/* Each adds to one counter by reading and writing it under `unchanged`, and notes its progress under a key of its own. */
static void *worker_run(void *argument)
{
    Worker *worker = argument;
    Error err;
    KvSnapshot *at;
    char own[16], end[16];
    KvSpan span = point("shared", end);
    snprintf(own, sizeof own, "own%d", worker->number);
    if (kv_snapshot_open(worker->f->kv, &at, &err) != ST_OK) return worker->failed = true, NULL;
    for (int done = 0; done < COMMITS && !worker->failed;) {
        uint8_t counter[8];
        Slice key = SLICE_LIT("shared"), value;
        bool found;
        worker->failed = kv_snapshot_renew(at, &err) != ST_OK || kv_get_many(at, &key, 1, &found, &value, &err) != ST_OK;
        kv_counter_encode((found ? kv_counter_decode(value) : 0) + 1, counter);
        KvOp ops[2] = {{.kind = KV_PUT, .key = key, .value = slice_of(counter, 8)},
                       {.kind = KV_ADD, .key = slice_str(own), .delta = 1}};
        Ops array = {ops, 2, 0};
        KvBatch batch = {.snapshot_version = kv_snapshot_version(at), .unchanged = &span, .unchanged_count = 1,
                         .next = ops_next, .rewind = ops_rewind, .argument = &array};
        uint64_t version;
        KvOutcome outcome = kv_commit(worker->f->kv, &batch, &version, &err);
        done += outcome == KV_COMMITTED;
        worker->conflicts += outcome == KV_CONFLICT;
        worker->failed |= outcome != KV_COMMITTED && outcome != KV_CONFLICT;
        worker->failed |= outcome == KV_COMMITTED && kv_version(worker->f->kv) < version;
    }
    kv_snapshot_close(at);
    return NULL;
}

static void test_threads_lose_nothing(void **state)
{
    Fixture f;
    FOR_EACH_ENGINE(f) {
        Worker workers[THREADS];
        for (int i = 0; i < THREADS; i++) {
            workers[i] = (Worker){.f = &f, .number = i};
            assert_int_equal(pthread_create(&workers[i].thread, NULL, worker_run, &workers[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) {
            pthread_join(workers[i].thread, NULL);
            assert_false(workers[i].failed);
        }
        KvSnapshot *at = snapshot(&f);
        Slice keys[2] = {SLICE_LIT("own3"), SLICE_LIT("shared")}, values[2];
        bool found[2];
        assert_int_equal(kv_get_many(at, keys, 2, found, values, &f.err), ST_OK);
        assert_int_equal(kv_counter_decode(values[0]), COMMITS);
        assert_int_equal(kv_counter_decode(values[1]), THREADS * COMMITS);
        kv_snapshot_close(at);
        KvStatus status;
        kv_status(f.kv, &status);
        assert_int_equal(status.commits, THREADS * COMMITS);
        assert_true(status.groups <= status.commits);
        assert_int_equal(status.snapshots_open, 0);
    }
}

/* ---- faults ---- */

static Status scenario(Kv *kv, Error *err)
{
    KvSnapshot *at;
    KvScan *scan = NULL;
    KvBlock block;
    uint64_t version;
    KvOp ops[2] = {op_put("f1", "1"), op_put("f2", "2")};
    KvOutcome outcome = kv_commit_ops(kv, ops, 2, &version, err);
    if (outcome != KV_COMMITTED) return ST_ERROR;
    TRY(kv_snapshot_open(kv, &at, err));
    bool found[2];
    Slice keys[2] = {ops[0].key, ops[1].key}, values[2];
    Status status = kv_get_many(at, keys, 2, found, values, err);
    if (status == ST_OK) status = kv_scan_open(at, (Slice){0}, (Slice){0}, false, 0, &scan, err);
    if (status == ST_OK) status = kv_scan_next(scan, &block, err);
    if (status == ST_OK) status = kv_scan_seek(scan, keys[1], err);
    kv_scan_close(scan);
    if (status == ST_OK) status = kv_snapshot_renew(at, err);
    kv_snapshot_close(at);
    return status;
}

static void test_faults(void **state)
{
    static const KvFaultKind kinds[] = {KV_FAULT_IO, KV_FAULT_DISK_FULL, KV_FAULT_CONFLICT, KV_FAULT_UNKNOWN};
    Fixture f;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        fixture_open(&f, "fault:memory", NULL);
        uint64_t n = 1;
        for (; n < 100; n++) {
            kv_fault_arm(f.kv, n, kinds[k]);
            if (scenario(f.kv, &f.err) == ST_OK) break;
        }
        assert_int_equal(n, 8);
        kv_fault_arm(f.kv, 0, kinds[k]);
        assert_int_equal(scenario(f.kv, &f.err), ST_OK);
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_histories), cmocka_unit_test(test_lost_update),
        cmocka_unit_test(test_write_skew),       cmocka_unit_test(test_phantoms),
        cmocka_unit_test(test_long_fork),        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_add),              cmocka_unit_test(test_snapshot_survives_deletes),
        cmocka_unit_test(test_observer),         cmocka_unit_test(test_threads_lose_nothing),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
