/* What LMDB keeps when the process dies, when its file is full, and when two servers want one directory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "storage/kv/kv.h"

static void directory_make(char directory[64])
{
    snprintf(directory, 64, "/tmp/rowkey-crash-XXXXXX");
    assert_non_null(mkdtemp(directory));
}

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

/* With tables that go down into LMDB seldom, all the time and now and then. */
static const size_t table_sizes[] = {0, 1, 64 << 10};

static Status store_open_at(const char *directory, uint64_t map_bytes, Kv **kv, Arena *arena, Error *err)
{
    KvOptions options = {.map_bytes = map_bytes};
    return kv_open("lmdb", directory, &options, kv, arena, err);
}

/* ---- kill -9 while committing ---- */

enum { WRITERS = 4, PAIRS = 3 };

typedef struct Writer {
    Kv *kv;
    int number, acknowledge;
} Writer;

/* Writes batches of PAIRS keys with one number; after each it tells the parent that it was acknowledged. */
static void *write_until_killed(void *argument)
{
    Writer *writer = argument;
    for (uint32_t n = 1;; n++) {
        char keys[PAIRS][32], value[16];
        KvOp ops[PAIRS];
        Error err;
        uint64_t version;
        snprintf(value, sizeof value, "%u", n);
        for (int i = 0; i < PAIRS; i++) {
            snprintf(keys[i], sizeof keys[i], "w%d/%c", writer->number, 'a' + i);
            ops[i] = (KvOp){.kind = KV_PUT, .key = slice_str(keys[i]), .value = slice_str(value)};
        }
        if (kv_commit_ops(writer->kv, ops, PAIRS, &version, &err) != KV_COMMITTED) _exit(3);
        uint32_t message[2] = {(uint32_t)writer->number, n};
        if (write(writer->acknowledge, message, sizeof message) != sizeof message) _exit(4);
    }
    return NULL;
}

static void child_run(const char *directory, int acknowledge, const char *engine, size_t table_bytes_max)
{
    KvOptions options = {.map_bytes = 1 << 30, .table_bytes_max = table_bytes_max};
    Writer writers[WRITERS];
    pthread_t threads[WRITERS];
    Arena *arena = arena_create(NULL, 0);
    Kv *kv;
    Error err;
    if (kv_open(engine, directory, &options, &kv, arena, &err) != ST_OK) _exit(2);
    for (int i = 0; i < WRITERS; i++) {
        writers[i] = (Writer){kv, i, acknowledge};
        pthread_create(&threads[i], NULL, write_until_killed, &writers[i]);
    }
    pthread_join(threads[0], NULL);
    _exit(5);
}

static void acknowledged_read(int from, int messages, pid_t child, uint32_t acknowledged[WRITERS])
{
    uint32_t message[2];
    for (int n = 0; read(from, message, sizeof message) == sizeof message; n++) {
        acknowledged[message[0]] = message[1];
        if (n == messages) kill(child, SIGKILL);
    }
}

static void check_store(const char *directory, const uint32_t acknowledged[WRITERS])
{
    Arena *arena = arena_create(NULL, 0);
    Kv *kv;
    Error err;
    KvSnapshot *snapshot;
    assert_int_equal(store_open_at(directory, 1 << 30, &kv, arena, &err), ST_OK);
    assert_int_equal(kv_snapshot_open(kv, &snapshot, &err), ST_OK);
    for (int w = 0; w < WRITERS; w++) {
        unsigned int numbers[PAIRS] = {0};
        for (int i = 0; i < PAIRS; i++) {
            char key[32];
            bool found;
            Slice k, value;
            snprintf(key, sizeof key, "w%d/%c", w, 'a' + i);
            k = slice_str(key);
            assert_int_equal(kv_get_many(snapshot, &k, 1, &found, &value, &err), ST_OK);
            if (found) numbers[i] = (unsigned int)strtoul(arena_strndup(arena, value.data, value.size), NULL, 10);
            assert_int_equal(numbers[i], numbers[0]);
        }
        assert_true(numbers[0] == acknowledged[w] || numbers[0] == acknowledged[w] + 1);
    }
    kv_snapshot_close(snapshot);
    kv_close(kv);
    arena_destroy(arena);
}

static void test_acknowledged_survives_kill(void **state)
{
    char directory[64];
    directory_make(directory);
    for (int round = 0; round < 8; round++) {
        int ends[2], status;
        uint32_t acknowledged[WRITERS] = {0};
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0) {
            close(ends[0]);
            child_run(directory, ends[1], round % 4 == 3 ? "plain:lmdb" : "lmdb", table_sizes[round % 3]);
        }
        close(ends[1]);
        acknowledged_read(ends[0], 20 + 37 * round, child, acknowledged);
        close(ends[0]);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        check_store(directory, acknowledged);
    }
    directory_remove(directory);
}

/* ---- a full map ---- */

static void test_full_map_fails_one_batch_only(void **state)
{
    char directory[64];
    directory_make(directory);
    Arena *arena = arena_create(NULL, 0);
    Kv *kv;
    Error err;
    uint64_t version;
    static uint8_t big[400 << 10];
    KvOptions options = {.map_bytes = 1 << 20};
    assert_int_equal(kv_open("plain:lmdb", directory, &options, &kv, arena, &err), ST_OK);
    KvOp first = {.kind = KV_PUT, .key = SLICE_LIT("a"), .value = slice_of(big, sizeof big)};
    KvOp second = {.kind = KV_PUT, .key = SLICE_LIT("b"), .value = slice_of(big, sizeof big)};
    KvOp third = {.kind = KV_PUT, .key = SLICE_LIT("c"), .value = slice_of(big, sizeof big)};
    KvOp small = {.kind = KV_PUT, .key = SLICE_LIT("d"), .value = SLICE_LIT("fits")};
    assert_int_equal(kv_commit_ops(kv, &first, 1, &version, &err), KV_COMMITTED);
    assert_int_equal(kv_commit_ops(kv, &second, 1, &version, &err), KV_COMMITTED);
    assert_int_equal(kv_commit_ops(kv, &third, 1, &version, &err), KV_FAILED);
    assert_int_equal(err.sqlstate, ERR_DISK_FULL);
    assert_int_equal(kv_commit_ops(kv, &small, 1, &version, &err), KV_COMMITTED);
    second.kind = KV_DELETE;
    assert_int_equal(kv_commit_ops(kv, &second, 1, &version, &err), KV_COMMITTED);
    assert_int_equal(kv_commit_ops(kv, &small, 1, &version, &err), KV_COMMITTED);
    third.value.size /= 2; /* the room that was freed need not be in one piece */
    assert_int_equal(kv_commit_ops(kv, &third, 1, &version, &err), KV_COMMITTED);
    kv_close(kv);
    directory_remove(directory);
    arena_destroy(arena);
}

/* ---- a copy of a store at work ---- */

typedef struct Scribbler {
    Kv *kv;
    _Atomic bool stop;
    bool failed;
} Scribbler;

/* Keeps x and y equal while it changes both. */
static void *scribble(void *argument)
{
    Scribbler *scribbler = argument;
    for (uint32_t n = 1; !atomic_load(&scribbler->stop); n++) {
        char text[16];
        uint64_t version;
        Error err;
        snprintf(text, sizeof text, "%u", n);
        KvOp ops[2] = {{.kind = KV_PUT, .key = SLICE_LIT("x"), .value = slice_str(text)},
                       {.kind = KV_PUT, .key = SLICE_LIT("y"), .value = slice_str(text)}};
        scribbler->failed |= kv_commit_ops(scribbler->kv, ops, 2, &version, &err) != KV_COMMITTED;
    }
    return NULL;
}

static void test_backup_is_one_commit_point(void **state)
{
    char directory[64], copy[64], path[80];
    directory_make(directory);
    directory_make(copy);
    Arena *arena = arena_create(NULL, 0);
    Scribbler scribbler = {0};
    pthread_t thread;
    Kv *kv;
    KvSnapshot *snapshot;
    Error err;
    uint64_t version;
    bool found[3];
    Slice keys[3] = {SLICE_LIT("before"), SLICE_LIT("x"), SLICE_LIT("y")}, values[3];
    KvOp before = {.kind = KV_PUT, .key = keys[0], .value = SLICE_LIT("1")};
    assert_int_equal(store_open_at(directory, 1 << 30, &kv, arena, &err), ST_OK);
    scribbler.kv = kv;
    assert_int_equal(pthread_create(&thread, NULL, scribble, &scribbler), 0);
    assert_int_equal(kv_commit_ops(kv, &before, 1, &version, &err), KV_COMMITTED);
    assert_int_equal(kv_checkpoint(kv, &err), ST_OK);
    snprintf(path, sizeof path, "%s/data.mdb", copy);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(file >= 0);
    assert_int_equal(kv_backup(kv, file, &err), ST_OK);
    close(file);
    atomic_store(&scribbler.stop, true);
    pthread_join(thread, NULL);
    assert_false(scribbler.failed);
    kv_close(kv);
    assert_int_equal(store_open_at(copy, 1 << 30, &kv, arena, &err), ST_OK);
    assert_int_equal(kv_snapshot_open(kv, &snapshot, &err), ST_OK);
    assert_int_equal(kv_get_many(snapshot, keys, 3, found, values, &err), ST_OK);
    assert_true(found[0]);
    assert_int_equal(found[1], found[2]);
    assert_true(slice_equal(values[1], values[2]));
    kv_snapshot_close(snapshot);
    kv_close(kv);
    directory_remove(directory);
    directory_remove(copy);
    arena_destroy(arena);
}

/* ---- one server a directory ---- */

static void test_directory_in_use(void **state)
{
    char directory[64];
    directory_make(directory);
    Arena *arena = arena_create(NULL, 0);
    Kv *kv, *second;
    Error err;
    assert_int_equal(store_open_at(directory, 1 << 26, &kv, arena, &err), ST_OK);
    assert_int_equal(store_open_at(directory, 1 << 26, &second, arena, &err), ST_ERROR);
    assert_int_equal(err.sqlstate, ERR_OBJECT_IN_USE);
    assert_string_equal(err.message, arena_printf(arena, "data directory \"%s\" is in use by another server", directory));
    kv_close(kv);
    assert_int_equal(store_open_at(directory, 1 << 26, &kv, arena, &err), ST_OK);
    kv_close(kv);
    directory_remove(directory);
    arena_destroy(arena);
}

/* A reader table that is full refuses one more snapshot and nothing else. */
static void test_readers_are_bounded(void **state)
{
    enum { READERS = 4 };
    char directory[64];
    directory_make(directory);
    Arena *arena = arena_create(NULL, 0);
    KvOptions options = {.map_bytes = 1 << 26, .readers_max = READERS};
    Kv *kv;
    Error err;
    KvSnapshot *open[READERS], *one_more;
    assert_int_equal(kv_open("lmdb", directory, &options, &kv, arena, &err), ST_OK);
    for (int i = 0; i < READERS; i++) assert_int_equal(kv_snapshot_open(kv, &open[i], &err), ST_OK);
    assert_int_equal(kv_snapshot_open(kv, &one_more, &err), ST_ERROR);
    assert_int_equal(err.sqlstate, ERR_TOO_MANY_CONNECTIONS);
    kv_snapshot_close(open[0]);
    assert_int_equal(kv_snapshot_open(kv, &open[0], &err), ST_OK);
    for (int i = 0; i < READERS; i++) kv_snapshot_close(open[i]);
    kv_close(kv);
    directory_remove(directory);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_acknowledged_survives_kill),
        cmocka_unit_test(test_full_map_fails_one_batch_only),
        cmocka_unit_test(test_backup_is_one_commit_point),
        cmocka_unit_test(test_directory_in_use),
        cmocka_unit_test(test_readers_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
