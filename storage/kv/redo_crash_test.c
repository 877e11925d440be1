/* The redo log: what it keeps when the process dies, when its files are cut or garbled, when the disk fails or is full, and
 * whether snapshots fit together while tables go down into LMDB. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "storage/kv/redo_internal.h"

enum { SMALL_MAP = 1 << 20, COMMITS = 20, VALUE_SIZE = 4096 };

typedef struct Place {
    char directory[64];
    Arena *arena;
    Kv *kv;
    Error err;
} Place;

static void place_make(Place *p)
{
    *p = (Place){.arena = arena_create(NULL, 0)};
    snprintf(p->directory, sizeof p->directory, "/tmp/rowkey-redo-XXXXXX");
    assert_non_null(mkdtemp(p->directory));
}

static const char *place_file(const Place *p, const char *name)
{
    return arena_printf(p->arena, "%s/%s", p->directory, name);
}

static void place_remove(Place *p)
{
    static const char *const files[] = {"data.mdb", "lock.mdb", "rowkey.lock", "redo.0", "redo.1"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) unlink(place_file(p, files[i]));
    rmdir(p->directory);
    arena_destroy(p->arena);
}

static Status place_open(Place *p, uint64_t map_bytes, size_t table_bytes_max)
{
    KvOptions options = {.no_sync = true, .map_bytes = map_bytes, .table_bytes_max = table_bytes_max};
    return kv_open("lmdb", p->directory, &options, &p->kv, p->arena, &p->err);
}

static void place_open_plenty(Place *p)
{
    assert_int_equal(place_open(p, 1 << 30, 0), ST_OK);
}

static KvOutcome put_text(Place *p, const char *key, const char *value)
{
    uint64_t version;
    KvOp op = {.kind = KV_PUT, .key = slice_str(key), .value = slice_str(value)};
    return kv_commit_ops(p->kv, &op, 1, &version, &p->err);
}

/* Commit n sets "last" and a key of its own, so that a part of the commits can be told from any other. */
static KvOutcome put_number(Place *p, int n)
{
    uint64_t version;
    char key[16], last[16];
    static uint8_t filler[VALUE_SIZE];
    snprintf(key, sizeof key, "n%06d", n);
    snprintf(last, sizeof last, "%d", n);
    KvOp ops[2] = {{.kind = KV_PUT, .key = SLICE_LIT("last"), .value = slice_str(last)},
                   {.kind = KV_PUT, .key = slice_str(key), .value = slice_of(filler, (size_t)(n * 37 % VALUE_SIZE))}};
    return kv_commit_ops(p->kv, ops, 2, &version, &p->err);
}

static bool get_text(Place *p, const char *key, char out[64])
{
    KvSnapshot *snapshot;
    bool found;
    Slice k = slice_str(key), value;
    assert_int_equal(kv_snapshot_open(p->kv, &snapshot, &p->err), ST_OK);
    assert_int_equal(kv_get_many(snapshot, &k, 1, &found, &value, &p->err), ST_OK);
    if (found) snprintf(out, 64, "%.*s", (int)(value.size < 63 ? value.size : 63), (const char *)value.data);
    kv_snapshot_close(snapshot);
    return found;
}

static int count_keys(Place *p, const char *start, const char *end)
{
    KvSnapshot *snapshot;
    KvScan *scan;
    KvBlock block;
    int count = 0;
    assert_int_equal(kv_snapshot_open(p->kv, &snapshot, &p->err), ST_OK);
    assert_int_equal(kv_scan_open(snapshot, slice_str(start), slice_str(end), false, 0, &scan, &p->err), ST_OK);
    while (kv_scan_next(scan, &block, &p->err) == ST_OK) count += block.count;
    kv_scan_close(scan);
    kv_snapshot_close(snapshot);
    return count;
}

/* How many of the commits are there, which must be the first ones, each wholly. */
static int numbers_present(Place *p)
{
    char last[64] = "0", key[16], ignored[64];
    (void)get_text(p, "last", last);
    int count = (int)strtol(last, NULL, 10);
    assert_int_equal(count_keys(p, "n", "o"), count);
    snprintf(key, sizeof key, "n%06d", count);
    if (count) assert_true(get_text(p, key, ignored));
    return count;
}

/* Runs work in a process that ends without closing the store. */
static void die_after(Place *p, uint64_t map_bytes, size_t table_bytes_max, void (*work)(Place *p))
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        if (place_open(p, map_bytes, table_bytes_max) != ST_OK) _exit(2);
        work(p);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void commit_numbers(Place *p)
{
    for (int n = 1; n <= COMMITS; n++)
        if (put_number(p, n) != KV_COMMITTED) _exit(3);
}

/* ---- files that are cut or garbled ---- */

static Buf file_read(const char *path)
{
    Buf bytes = {0};
    int file = open(path, O_RDONLY);
    ssize_t n;
    assert_true(file >= 0);
    do {
        n = read(file, buf_reserve(&bytes, 1 << 16), 1 << 16);
        assert_true(n >= 0);
        bytes.size += (size_t)n;
    } while (n > 0);
    close(file);
    return bytes;
}

static void file_write(const char *path, Slice bytes)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes.data, bytes.size), (ssize_t)bytes.size);
    close(file);
}

/* The commits that a store has whose log is this; both files are put back afterwards. */
static int numbers_with_log(Place *p, const char *log, Slice bytes, const Buf *store)
{
    const char *store_path = place_file(p, "data.mdb");
    file_write(log, bytes);
    place_open_plenty(p);
    int present = numbers_present(p);
    assert_int_equal(put_text(p, "after", "1"), KV_COMMITTED);
    kv_close(p->kv);
    file_write(store_path, buf_slice(store));
    return present;
}

static size_t records_end(const Buf *log)
{
    size_t end = log->size;
    while (end && !log->data[end - 1]) end--;
    return end;
}

static void test_torn_tail(void **state)
{
    Place p;
    place_make(&p);
    die_after(&p, 1 << 30, 0, commit_numbers);
    const char *path = place_file(&p, "redo.1");
    Buf log = file_read(path), store = file_read(place_file(&p, "data.mdb"));
    int last = 0;
    size_t end = records_end(&log) + VALUE_SIZE;
    for (size_t cut = 512; cut < end; cut += 997) {
        int present = numbers_with_log(&p, path, slice_of(log.data, cut), &store);
        assert_true(present >= last && present <= COMMITS);
        last = present;
        /* Garbage behind the cut is as good as nothing. */
        uint8_t kept[32];
        memcpy(kept, log.data + cut, sizeof kept);
        memset(log.data + cut, 0xa5, sizeof kept);
        assert_int_equal(numbers_with_log(&p, path, buf_slice(&log), &store), present);
        memcpy(log.data + cut, kept, sizeof kept);
    }
    assert_int_equal(last, COMMITS);
    assert_int_equal(numbers_with_log(&p, path, buf_slice(&log), &store), COMMITS);
    buf_finish(&log);
    buf_finish(&store);
    place_remove(&p);
}

/* The head of a segment is durable before anything follows it, so it cannot be torn. */
static void test_damaged_head(void **state)
{
    Place p;
    place_make(&p);
    die_after(&p, 1 << 30, 0, commit_numbers);
    const char *path = place_file(&p, "redo.1");
    Buf log = file_read(path);
    log.data[12] ^= 1;
    file_write(path, buf_slice(&log));
    assert_int_equal(place_open(&p, 1 << 30, 0), ST_ERROR);
    assert_int_equal(p.err.sqlstate, ERR_DATA_CORRUPTED);
    log.data[12] ^= 1;
    file_write(path, buf_slice(&log));
    place_open_plenty(&p);
    assert_int_equal(numbers_present(&p), COMMITS);
    kv_close(p.kv);
    buf_finish(&log);
    place_remove(&p);
}

/* ---- a store without room ---- */

static int refused_at; /* written by fill_store in this process only */

static void fill_store(Place *p)
{
    for (refused_at = 1; refused_at < 10000; refused_at++)
        if (put_number(p, refused_at) != KV_COMMITTED) return;
}

static void fill_and_tell(Place *p)
{
    char text[16];
    fill_store(p);
    if (p->err.sqlstate != ERR_DISK_FULL) _exit(4);
    int size = snprintf(text, sizeof text, "%d", refused_at - 1);
    file_write(place_file(p, "temp"), slice_of(text, (size_t)size));
}

/* LMDB has no room for a table: commits go on until the next table is full too, and nothing of them is lost. */
static void test_full_store(void **state)
{
    Place p;
    place_make(&p);
    assert_int_equal(place_open(&p, SMALL_MAP, 800 << 10), ST_OK);
    fill_store(&p);
    assert_int_equal(p.err.sqlstate, ERR_DISK_FULL);
    int acknowledged = refused_at - 1;
    assert_true(acknowledged > 100);
    assert_int_equal(numbers_present(&p), acknowledged);
    assert_int_equal(put_text(&p, "again", ""), KV_FAILED);
    assert_int_equal(p.err.sqlstate, ERR_DISK_FULL);
    kv_close(p.kv);
    assert_int_equal(place_open(&p, SMALL_MAP, 800 << 10), ST_ERROR);
    assert_int_equal(p.err.sqlstate, ERR_DISK_FULL);
    place_open_plenty(&p);
    assert_int_equal(numbers_present(&p), acknowledged);
    kv_close(p.kv);
    place_remove(&p);
}

/* Two segments wait: the older one must be whole and be there. */
static void test_damaged_older_segment(void **state)
{
    Place p;
    place_make(&p);
    die_after(&p, SMALL_MAP, 800 << 10, fill_and_tell);
    Buf told = file_read(place_file(&p, "temp"));
    buf_put_u8(&told, 0);
    int acknowledged = (int)strtol((const char *)told.data, NULL, 10);
    const char *path = place_file(&p, "redo.1");
    Buf first = file_read(path), second = file_read(place_file(&p, "redo.0"));
    const Buf *older = load_u64(first.data + 8) < load_u64(second.data + 8) ? &first : &second;
    if (older == &second) path = place_file(&p, "redo.0");
    older->data[older->size / 4] ^= 1;
    file_write(path, buf_slice(older));
    assert_int_equal(place_open(&p, 1 << 30, 0), ST_ERROR);
    assert_int_equal(p.err.sqlstate, ERR_DATA_CORRUPTED);
    unlink(path);
    assert_int_equal(place_open(&p, 1 << 30, 0), ST_ERROR);
    assert_int_equal(p.err.sqlstate, ERR_DATA_CORRUPTED);
    older->data[older->size / 4] ^= 1;
    file_write(path, buf_slice(older));
    place_open_plenty(&p);
    assert_int_equal(numbers_present(&p), acknowledged);
    kv_close(p.kv);
    unlink(place_file(&p, "temp"));
    buf_finish(&told);
    buf_finish(&first);
    buf_finish(&second);
    place_remove(&p);
}

/* ---- a disk that fails ---- */

static void copy_and_reopen(Place *p, Place *copy)
{
    static const char *const files[] = {"data.mdb", "redo.0", "redo.1"};
    place_make(copy);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (access(place_file(p, files[i]), F_OK) != 0) continue;
        Buf bytes = file_read(place_file(p, files[i]));
        file_write(place_file(copy, files[i]), buf_slice(&bytes));
        buf_finish(&bytes);
    }
    place_open_plenty(copy);
}

static void check_fault(uint64_t nth, RedoFault fault)
{
    Place p, copy;
    char value[64];
    place_make(&p);
    place_open_plenty(&p);
    assert_int_equal(put_text(&p, "before", "1"), KV_COMMITTED);
    redo_log_fault_arm(((RedoKv *)p.kv)->log, nth, fault);
    for (uint64_t i = 1; i < nth; i++) assert_int_equal(put_text(&p, "between", "1"), KV_COMMITTED);
    KvOutcome outcome = put_text(&p, "struck", "1");
    bool unknown = fault == REDO_FAULT_SYNC;
    assert_int_equal(outcome, unknown ? KV_UNKNOWN : KV_FAILED);
    static const SqlState states[] = {ERR_IO_ERROR, ERR_IO_ERROR, ERR_DISK_FULL, ERR_TRANSACTION_RESOLUTION_UNKNOWN};
    assert_int_equal(p.err.sqlstate, states[fault]);
    assert_false(get_text(&p, "struck", value));
    redo_log_fault_arm(((RedoKv *)p.kv)->log, 0, fault);
    outcome = put_text(&p, "after", "1");
    assert_int_equal(outcome, unknown ? KV_FAILED : KV_COMMITTED);
    if (unknown) assert_int_equal(p.err.sqlstate, ERR_IO_ERROR);
    /* As after a crash at this point. */
    copy_and_reopen(&p, &copy);
    assert_true(get_text(&copy, "before", value));
    assert_int_equal(get_text(&copy, "between", value), nth > 1);
    assert_int_equal(get_text(&copy, "after", value), !unknown);
    if (!unknown) assert_false(get_text(&copy, "struck", value));
    kv_close(copy.kv);
    place_remove(&copy);
    kv_close(p.kv);
    place_open_plenty(&p);
    assert_true(get_text(&p, "before", value));
    assert_int_equal(get_text(&p, "after", value), !unknown);
    assert_int_equal(put_text(&p, "at last", "1"), KV_COMMITTED);
    kv_close(p.kv);
    place_remove(&p);
}

static void test_faults(void **state)
{
    for (uint64_t n = 1; n <= 3; n++) {
        check_fault(n, REDO_FAULT_WRITE);
        check_fault(n, REDO_FAULT_SHORT_WRITE);
        check_fault(n, REDO_FAULT_DISK_FULL);
        check_fault(n, REDO_FAULT_SYNC);
    }
}

/* The very first write of a segment, its head, may fail too. */
static void test_fault_in_first_commit(void **state)
{
    for (uint64_t n = 1; n <= 6; n++) {
        Place p;
        char value[64];
        place_make(&p);
        place_open_plenty(&p);
        redo_log_fault_arm(((RedoKv *)p.kv)->log, n, REDO_FAULT_SHORT_WRITE);
        KvOutcome outcome = put_text(&p, "first", "1");
        assert_int_equal(get_text(&p, "first", value), outcome == KV_COMMITTED);
        redo_log_fault_arm(((RedoKv *)p.kv)->log, 0, REDO_FAULT_SHORT_WRITE);
        assert_int_equal(put_text(&p, "second", "2"), KV_COMMITTED);
        kv_close(p.kv);
        place_open_plenty(&p);
        assert_int_equal(get_text(&p, "first", value), outcome == KV_COMMITTED);
        assert_true(get_text(&p, "second", value));
        kv_close(p.kv);
        place_remove(&p);
    }
}

static uint64_t file_blocks(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 ? (uint64_t)file.st_size : 0;
}

/* A log that has no room to grow begins anew in the other file, if that is there and LMDB has room. */
static void test_log_begins_anew(void **state)
{
    Place p;
    place_make(&p);
    place_open_plenty(&p);
    for (int n = 1; n <= COMMITS; n++) assert_int_equal(put_number(&p, n), KV_COMMITTED);
    assert_int_equal(kv_checkpoint(p.kv, &p.err), ST_OK);
    uint64_t size = file_blocks(place_file(&p, "redo.1"));
    int n = COMMITS;
    while (file_blocks(place_file(&p, "redo.0")) <= size) assert_int_equal(put_number(&p, ++n), KV_COMMITTED);
    /* Writes inside the files go well; only growing fails. */
    redo_log_fault_arm(((RedoKv *)p.kv)->log, 1, REDO_FAULT_NO_GROWTH);
    int end = n + 3000;
    while (n < end) assert_int_equal(put_number(&p, ++n), KV_COMMITTED);
    assert_int_equal(numbers_present(&p), n);
    kv_close(p.kv);
    place_open_plenty(&p);
    assert_int_equal(numbers_present(&p), n);
    kv_close(p.kv);
    place_remove(&p);
}

/* A segment in which every commit failed is not on the disk: the next one must not be numbered as if it were. */
static void test_segment_without_commits(void **state)
{
    for (uint64_t n = 1; n <= 6; n++) {
        Place p;
        char value[64];
        place_make(&p);
        place_open_plenty(&p);
        RedoKv *kv = (RedoKv *)p.kv;
        assert_int_equal(put_text(&p, "before", "1"), KV_COMMITTED);
        assert_int_equal(kv_checkpoint(p.kv, &p.err), ST_OK);
        redo_flusher_stop(kv);
        redo_log_fault_arm(kv->log, n, REDO_FAULT_DISK_FULL);
        KvOutcome outcome = put_text(&p, "struck", "1");
        redo_log_fault_arm(kv->log, 0, REDO_FAULT_DISK_FULL);
        pthread_mutex_lock(&kv->writer_mutex);
        assert_int_equal(redo_freeze(kv), 0);
        pthread_mutex_unlock(&kv->writer_mutex);
        assert_int_equal(put_text(&p, "after", "1"), KV_COMMITTED);
        kv_close(p.kv); /* with nobody to bring them down, commits stay in the log */
        place_open_plenty(&p);
        assert_true(get_text(&p, "before", value));
        assert_true(get_text(&p, "after", value));
        assert_int_equal(get_text(&p, "struck", value), outcome == KV_COMMITTED);
        kv_close(p.kv);
        place_remove(&p);
    }
}

/* ---- past the log ---- */

enum { LARGE_KEYS = 6000 };

static KvOutcome put_large(Place *p, char letter)
{
    static KvOp ops[LARGE_KEYS];
    static char keys[LARGE_KEYS][16];
    static uint8_t value[1024];
    uint64_t version;
    for (int i = 0; i < LARGE_KEYS; i++) {
        snprintf(keys[i], sizeof keys[i], "%c%06d", letter, i);
        ops[i] = (KvOp){.kind = KV_PUT, .key = slice_str(keys[i]), .value = slice_of(value, sizeof value)};
    }
    return kv_commit_ops(p->kv, ops, LARGE_KEYS, &version, &p->err);
}

static KvOutcome delete_all(Place *p, const char *start, const char *end)
{
    uint64_t version;
    KvOp op = {.kind = KV_DELETE_SPAN, .key = slice_str(start), .end = slice_str(end)};
    return kv_commit_ops(p->kv, &op, 1, &version, &p->err);
}

static void mix_large_and_small(Place *p)
{
    bool right = put_text(p, "a", "1") == KV_COMMITTED && put_large(p, 'b') == KV_COMMITTED;
    right = right && put_text(p, "b000001", "small") == KV_COMMITTED && put_large(p, 'c') == KV_COMMITTED;
    right = right && delete_all(p, "c", "d") == KV_COMMITTED && put_text(p, "c000007", "new") == KV_COMMITTED;
    right = right && delete_all(p, "b", "b000001") == KV_COMMITTED && put_text(p, "a", "2") == KV_COMMITTED;
    if (!right) _exit(5);
}

static void test_large_and_small_batches(void **state)
{
    for (int rounds = 0; rounds < 2; rounds++) {
        Place p;
        char value[64];
        place_make(&p);
        die_after(&p, 1 << 30, rounds ? 1 : 0, mix_large_and_small);
        place_open_plenty(&p);
        assert_true(get_text(&p, "a", value));
        assert_string_equal(value, "2");
        assert_true(get_text(&p, "b000001", value));
        assert_string_equal(value, "small");
        assert_int_equal(count_keys(&p, "b", "c"), LARGE_KEYS - 1);
        assert_int_equal(count_keys(&p, "c", "d"), 1);
        kv_close(p.kv);
        place_remove(&p);
    }
}

/* ---- synchronous_commit off, closing ---- */

static bool one_next(void *argument, KvOp *op)
{
    bool *given = argument;
    *op = (KvOp){.kind = KV_ADD, .key = SLICE_LIT("n"), .delta = 1};
    return !*given && (*given = true);
}

static void one_rewind(void *argument)
{
    *(bool *)argument = false;
}

static void test_commits_nobody_waits_for(void **state)
{
    Place p;
    place_make(&p);
    KvOptions options = {.map_bytes = 1 << 30};
    uint64_t version;
    KvStatus before, after;
    bool given = false;
    KvBatch batch = {.no_wait_sync = true, .next = one_next, .rewind = one_rewind, .argument = &given};
    assert_int_equal(kv_open("lmdb", p.directory, &options, &p.kv, p.arena, &p.err), ST_OK);
    assert_int_equal(put_text(&p, "first", ""), KV_COMMITTED);
    kv_status(p.kv, &before);
    for (int i = 0; i < 1000; i++, given = false) assert_int_equal(kv_commit(p.kv, &batch, &version, &p.err), KV_COMMITTED);
    kv_status(p.kv, &after);
    assert_true(after.syncs < before.syncs + 500);
    assert_int_equal(after.commits, before.commits + 1000);
    assert_true(after.log_bytes > 0);
    kv_close(p.kv);
    assert_int_not_equal(access(place_file(&p, "redo.0"), F_OK), 0);
    assert_int_not_equal(access(place_file(&p, "redo.1"), F_OK), 0);
    place_open_plenty(&p);
    KvSnapshot *snapshot;
    Slice key = SLICE_LIT("n"), value;
    bool found;
    assert_int_equal(kv_snapshot_open(p.kv, &snapshot, &p.err), ST_OK);
    assert_int_equal(kv_get_many(snapshot, &key, 1, &found, &value, &p.err), ST_OK);
    assert_int_equal(kv_counter_decode(value), 1000);
    kv_snapshot_close(snapshot);
    kv_close(p.kv);
    place_remove(&p);
}

/* ---- snapshots while tables go down ---- */

enum { READERS = 3, ROUNDS = 400, LETTERS = 8 };

typedef struct Watcher {
    Kv *kv;
    _Atomic bool *stop;
    uint64_t looks;
    const char *wrong;
    pthread_t thread;
} Watcher;

/* Eight keys always have one value, which only grows; a scan sees the same as single reads. */
static const char *look(KvSnapshot *snapshot, int64_t *last)
{
    Slice keys[LETTERS], values[LETTERS];
    static const char letters[] = "abcdefgh";
    bool found[LETTERS];
    KvScan *scan;
    KvBlock block;
    Error err;
    int n = 0;
    for (int i = 0; i < LETTERS; i++) keys[i] = slice_of(letters + i, 1);
    if (kv_get_many(snapshot, keys, LETTERS, found, values, &err) != ST_OK) return "get";
    for (int i = 1; i < LETTERS; i++)
        if (found[i] != found[0] || !slice_equal(values[i], values[0])) return "two values in one snapshot";
    if (!found[0]) return NULL;
    if (kv_counter_decode(values[0]) < *last) return "a snapshot that is older than the one before";
    *last = kv_counter_decode(values[0]);
    if (kv_scan_open(snapshot, SLICE_LIT("a"), SLICE_LIT("i"), *last % 2, 0, &scan, &err) != ST_OK) return "scan";
    while (kv_scan_next(scan, &block, &err) == ST_OK)
        for (int i = 0; i < block.count; i++, n++)
            if (!slice_equal(block.pairs[i].value, values[0])) return "a scan that sees something else";
    kv_scan_close(scan);
    return n == LETTERS ? NULL : "a scan that misses a key";
}

static void *watch(void *argument)
{
    Watcher *watcher = argument;
    KvSnapshot *snapshot;
    Error err;
    int64_t last = 0;
    if (kv_snapshot_open(watcher->kv, &snapshot, &err) != ST_OK) return watcher->wrong = "open", NULL;
    while (!atomic_load(watcher->stop) && !watcher->wrong) {
        watcher->wrong = look(snapshot, &last);
        if (!watcher->wrong) watcher->wrong = look(snapshot, &last);
        if (kv_snapshot_renew(snapshot, &err) != ST_OK) watcher->wrong = "renew";
        watcher->looks++;
    }
    kv_snapshot_close(snapshot);
    return NULL;
}

static KvOutcome put_letters(Place *p, int64_t n, bool large)
{
    static const char letters[] = "abcdefgh";
    static uint8_t filler[5 << 20];
    KvOp ops[LETTERS + 1];
    uint8_t value[8];
    uint64_t version;
    kv_counter_encode(n, value);
    for (int i = 0; i < LETTERS; i++)
        ops[i] = (KvOp){.kind = KV_PUT, .key = slice_of(letters + i, 1), .value = slice_of(value, 8)};
    ops[LETTERS] = (KvOp){.kind = KV_PUT, .key = SLICE_LIT("z"), .value = slice_of(filler, sizeof filler)};
    return kv_commit_ops(p->kv, ops, LETTERS + large, &version, &p->err);
}

static void test_snapshots_fit_together(void **state)
{
    static const size_t sizes[] = {1, 100000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        Place p;
        Watcher watchers[READERS];
        _Atomic bool stop = false;
        place_make(&p);
        assert_int_equal(place_open(&p, 1 << 30, sizes[s]), ST_OK);
        for (int i = 0; i < READERS; i++) {
            watchers[i] = (Watcher){.kv = p.kv, .stop = &stop};
            assert_int_equal(pthread_create(&watchers[i].thread, NULL, watch, &watchers[i]), 0);
        }
        for (int n = 1; n <= ROUNDS; n++) assert_int_equal(put_letters(&p, n, n % 50 == 0), KV_COMMITTED);
        atomic_store(&stop, true);
        for (int i = 0; i < READERS; i++) {
            pthread_join(watchers[i].thread, NULL);
            if (watchers[i].wrong) fail_msg("%s", watchers[i].wrong);
        }
        kv_close(p.kv);
        place_remove(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_torn_tail),
        cmocka_unit_test(test_damaged_head),
        cmocka_unit_test(test_full_store),
        cmocka_unit_test(test_damaged_older_segment),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_fault_in_first_commit),
        cmocka_unit_test(test_segment_without_commits),
        cmocka_unit_test(test_log_begins_anew),
        cmocka_unit_test(test_large_and_small_batches),
        cmocka_unit_test(test_commits_nobody_waits_for),
        cmocka_unit_test(test_snapshots_fit_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
