/* Transactions: own writes in reads, the three isolation levels, locks at commit, counters under threads. */
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
#include "storage/txn/txn.h"

typedef struct Fixture {
    Arena *arena;
    char directory[64];
    Store *store;
    Error err;
} Fixture;

static int setup_sized(void **state, const char *engine, size_t writes_bytes_max)
{
    Arena *arena = arena_create(NULL, 0);
    Fixture *f = ARENA_NEW(arena, Fixture);
    f->arena = arena;
    snprintf(f->directory, sizeof f->directory, "/tmp/rowkey-txn-XXXXXX");
    if (!mkdtemp(f->directory)) return -1;
    StoreOptions options = {.engine = engine, .no_sync = true, .sessions_max = 32,
                            .writes_bytes_max = writes_bytes_max};
    if (store_open(f->directory, &options, &f->store, arena, &f->err) != ST_OK) return -1;
    *state = f;
    return 0;
}

static int setup(void **state)
{
    return setup_sized(state, "memory", 0);
}

static int setup_lmdb(void **state)
{
    return setup_sized(state, "lmdb", 0);
}

/* Large transactions spill to runs all the time. */
static int setup_small(void **state)
{
    return setup_sized(state, "lmdb", 100 << 10);
}

static int teardown(void **state)
{
    static const char *const files[] = {"data.mdb", "lock.mdb", "rowkey.lock"};
    Fixture *f = *state;
    char path[128];
    store_close(f->store);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", f->directory, files[i]);
        unlink(path);
    }
    rmdir(f->directory);
    arena_destroy(f->arena);
    return 0;
}

static Txn *begin(Fixture *f, TxnIsolation isolation)
{
    TxnOptions options = {.isolation = isolation, .synchronous_commit = true, .lock_timeout_ms = 5000};
    Txn *txn;
    assert_int_equal(txn_begin(f->store, &options, &txn, &f->err), ST_OK);
    assert_int_equal(txn_statement_begin(txn, &f->err), ST_OK);
    return txn;
}

static void put(Fixture *f, Txn *txn, const char *key, const char *value)
{
    assert_int_equal(txn_put(txn, slice_str(key), slice_str(value), &f->err), ST_OK);
}

static void commit(Fixture *f, Txn *txn)
{
    assert_int_equal(txn_commit(txn, &f->err), ST_OK);
}

static void put_alone(Fixture *f, const char *key, const char *value)
{
    Txn *txn = begin(f, TXN_READ_COMMITTED);
    put(f, txn, key, value);
    commit(f, txn);
}

static void assert_reads(Fixture *f, Txn *txn, const char *key, const char *expected)
{
    bool found;
    Slice value;
    assert_int_equal(txn_get(txn, slice_str(key), &found, &value, &f->err), ST_OK);
    assert_int_equal(found, expected != NULL);
    if (expected) assert_true(slice_equal_str(value, expected));
}

/* All pairs of [start, end) as "key=value " each, but for the store's own, which begin with control characters. */
static const char *scanned(Fixture *f, Txn *txn, const char *start, const char *end, bool descending)
{
    TxnScan *scan;
    Slice key, value;
    Status status;
    const char *text = "";
    assert_int_equal(txn_scan_open(txn, slice_str(start), slice_str(end), descending, 0, &scan, &f->err), ST_OK);
    while ((status = txn_scan_next(scan, &key, &value, &f->err)) == ST_OK) {
        if (key.data[0] < ' ') continue;
        text = arena_printf(f->arena, "%s%.*s=%.*s ", text, (int)key.size, (const char *)key.data, (int)value.size,
                            (const char *)value.data);
    }
    assert_int_equal(status, ST_END);
    assert_int_equal(txn_scan_next(scan, &key, &value, &f->err), ST_END);
    txn_scan_close(scan);
    return text;
}

static void test_own_writes_in_reads(void **state)
{
    Fixture *f = *state;
    for (char c = 'a'; c <= 'f'; c++) put_alone(f, (char[]){c, 0}, "old");
    Txn *txn = begin(f, TXN_READ_COMMITTED);
    put(f, txn, "b", "new");
    put(f, txn, "bb", "new");
    assert_int_equal(txn_delete(txn, SLICE_LIT("c"), &f->err), ST_OK);
    assert_int_equal(txn_delete_span(txn, SLICE_LIT("e"), SLICE_LIT("f"), &f->err), ST_OK);
    put(f, txn, "ee", "over the span");
    assert_string_equal(scanned(f, txn, "a", "", false), "a=old b=new bb=new d=old ee=over the span f=old ");
    assert_string_equal(scanned(f, txn, "", "f", true), "ee=over the span d=old bb=new b=new a=old ");
    assert_reads(f, txn, "c", NULL);
    assert_reads(f, txn, "e", NULL);
    assert_reads(f, txn, "d", "old");
    bool found[5];
    Slice values[5], keys[5] = {SLICE_LIT("f"), SLICE_LIT("c"), SLICE_LIT("bb"), SLICE_LIT("a"), SLICE_LIT("e")};
    assert_int_equal(txn_get_many(txn, keys, 5, found, values, &f->err), ST_OK);
    assert_true(found[0] && !found[1] && found[2] && found[3] && !found[4]);
    assert_true(slice_equal_str(values[0], "old") && slice_equal_str(values[2], "new") && slice_equal_str(values[3], "old"));
    commit(f, txn);
    txn = begin(f, TXN_READ_COMMITTED);
    assert_string_equal(scanned(f, txn, "", "", false), "a=old b=new bb=new d=old ee=over the span f=old ");
    txn_rollback(txn);
}

static void test_scan_does_not_meet_later_writes(void **state)
{
    Fixture *f = *state;
    put_alone(f, "a", "1");
    put_alone(f, "c", "1");
    Txn *txn = begin(f, TXN_READ_COMMITTED);
    put(f, txn, "b", "own");
    TxnScan *scan;
    Slice key, value;
    assert_int_equal(txn_scan_open(txn, SLICE_LIT("a"), (Slice){0}, false, 0, &scan, &f->err), ST_OK);
    int rows = 0;
    while (txn_scan_next(scan, &key, &value, &f->err) == ST_OK) {
        char moved[16];
        assert_true(value.size == 1 || slice_equal_str(value, "own"));
        snprintf(moved, sizeof moved, "z%d", rows++);
        put(f, txn, moved, "moved");
        put(f, txn, "c", "changed");
        put(f, txn, "b", "changed");
    }
    assert_int_equal(rows, 3);
    txn_scan_close(scan);
    assert_string_equal(scanned(f, txn, "", "", false), "a=1 b=changed c=changed z0=moved z1=moved z2=moved ");
    txn_rollback(txn);
}

static void test_view(void **state)
{
    Fixture *f = *state;
    put_alone(f, "a", "1");
    put_alone(f, "c", "1");
    Txn *txn = begin(f, TXN_READ_COMMITTED);
    put(f, txn, "b", "before");
    txn_view_hold(txn);
    put(f, txn, "b", "after");
    put(f, txn, "a", "after");
    put(f, txn, "d", "after");
    assert_string_equal(scanned(f, txn, "", "", false), "a=1 b=before c=1 ");
    bool found, newer;
    Slice value;
    assert_int_equal(txn_get(txn, SLICE_LIT("b"), &found, &value, &f->err), ST_OK);
    assert_true(found && slice_equal_str(value, "before"));
    assert_int_equal(txn_get(txn, SLICE_LIT("d"), &found, &value, &f->err), ST_OK);
    assert_false(found);
    assert_int_equal(txn_get_newest(txn, SLICE_LIT("d"), &found, &value, &newer, &f->err), ST_OK);
    assert_true(found);
    assert_true(txn_written_since_view(txn, SLICE_LIT("a")));
    assert_false(txn_written_since_view(txn, SLICE_LIT("c")));
    txn_view_release(txn);
    assert_false(txn_written_since_view(txn, SLICE_LIT("a")));
    assert_string_equal(scanned(f, txn, "", "", false), "a=after b=after c=1 d=after ");
    txn_rollback(txn);
}

static void test_seek(void **state)
{
    Fixture *f = *state;
    for (char c = 'a'; c <= 'j'; c++) put_alone(f, (char[]){c, 0}, "1");
    Txn *txn = begin(f, TXN_READ_COMMITTED);
    put(f, txn, "ee", "2");
    for (int descending = 0; descending < 2; descending++) {
        TxnScan *scan;
        Slice key, value;
        assert_int_equal(txn_scan_open(txn, SLICE_LIT("b"), SLICE_LIT("i"), descending, 2, &scan, &f->err), ST_OK);
        assert_int_equal(txn_scan_next(scan, &key, &value, &f->err), ST_OK);
        assert_true(slice_equal_str(key, descending ? "h" : "b"));
        assert_int_equal(txn_scan_seek(scan, descending ? SLICE_LIT("f") : SLICE_LIT("eb"), &f->err), ST_OK);
        assert_int_equal(txn_scan_next(scan, &key, &value, &f->err), ST_OK);
        assert_true(slice_equal_str(key, "ee"));
        assert_int_equal(txn_scan_next(scan, &key, &value, &f->err), ST_OK);
        assert_true(slice_equal_str(key, descending ? "e" : "f"));
        txn_scan_close(scan);
    }
    txn_rollback(txn);
}

static void test_savepoints(void **state)
{
    Fixture *f = *state;
    put_alone(f, "a", "1");
    Txn *txn = begin(f, TXN_READ_COMMITTED);
    TxnMark first = txn_savepoint(txn);
    put(f, txn, "a", "2");
    TxnMark second = txn_savepoint(txn);
    put(f, txn, "a", "3");
    put(f, txn, "b", "3");
    txn_rollback_to(txn, second);
    assert_string_equal(scanned(f, txn, "", "", false), "a=2 ");
    put(f, txn, "b", "4");
    txn_rollback_to(txn, second);
    txn_rollback_to(txn, first);
    assert_string_equal(scanned(f, txn, "", "", false), "a=1 ");
    put(f, txn, "c", "5");
    commit(f, txn);
    txn = begin(f, TXN_READ_COMMITTED);
    assert_string_equal(scanned(f, txn, "", "", false), "a=1 c=5 ");
    txn_rollback(txn);
}

static void test_counters(void **state)
{
    Fixture *f = *state;
    Txn *first = begin(f, TXN_READ_COMMITTED), *second = begin(f, TXN_READ_COMMITTED);
    bool found;
    Slice value;
    assert_int_equal(txn_add(first, SLICE_LIT("n"), 5, &f->err), ST_OK);
    assert_int_equal(txn_add(second, SLICE_LIT("n"), 7, &f->err), ST_OK);
    commit(f, first);
    assert_int_equal(txn_statement_begin(second, &f->err), ST_OK);
    assert_int_equal(txn_get(second, SLICE_LIT("n"), &found, &value, &f->err), ST_OK);
    assert_int_equal(kv_counter_decode(value), 12);
    commit(f, second);
}

static void test_read_committed(void **state)
{
    Fixture *f = *state;
    put_alone(f, "a", "1");
    Txn *txn = begin(f, TXN_READ_COMMITTED);
    bool found, waited;
    Slice value;
    assert_reads(f, txn, "a", "1");
    put_alone(f, "a", "2");
    assert_reads(f, txn, "a", "1");
    assert_int_equal(txn_lock(txn, SLICE_LIT("a"), LOCK_UPDATE, LOCK_WAIT, &waited, &f->err), ST_OK);
    assert_false(waited);
    assert_int_equal(txn_get_locked(txn, SLICE_LIT("a"), &found, &value, &f->err), ST_OK);
    assert_true(found && slice_equal_str(value, "2"));
    assert_int_equal(txn_statement_begin(txn, &f->err), ST_OK);
    assert_reads(f, txn, "a", "2");
    txn_statement_end(txn);
    put_alone(f, "b", "3");
    assert_reads(f, txn, "b", "3");
    txn_rollback(txn);
}

/* A cursor of an earlier statement goes on with what it saw. */
static void test_scan_keeps_its_snapshot(void **state)
{
    Fixture *f = *state;
    for (char c = 'a'; c <= 'z'; c++) put_alone(f, (char[]){c, 0}, "1");
    Txn *txn = begin(f, TXN_READ_COMMITTED);
    TxnScan *scan;
    Slice key, value;
    assert_int_equal(txn_scan_open(txn, SLICE_LIT("a"), (Slice){0}, false, 2, &scan, &f->err), ST_OK);
    for (int n = 0; txn_scan_next(scan, &key, &value, &f->err) == ST_OK; n++) {
        assert_int_equal(key.data[0], 'a' + n);
        assert_true(slice_equal_str(value, "1"));
        if (n % 5) continue;
        for (char c = 'a'; c <= 'z'; c++) put_alone(f, (char[]){c, 0}, "2");
        assert_int_equal(txn_statement_begin(txn, &f->err), ST_OK);
        assert_reads(f, txn, "z", "2");
    }
    txn_scan_close(scan);
    txn_rollback(txn);
}

/* What a session is seen to hold is its transaction's oldest snapshot, as long as pages are pinned for it. */
static void test_held_snapshot(void **state)
{
    Fixture *f = *state;
    LockSession *session = store_session_create(f->store, 1);
    TxnOptions options = {.isolation = TXN_READ_COMMITTED, .session = session};
    HeldSnapshot first, held;
    Txn *txn;
    TxnScan *scan;
    put_alone(f, "a", "1");
    assert_int_equal(txn_begin(f->store, &options, &txn, &f->err), ST_OK);
    assert_int_equal(txn_statement_begin(txn, &f->err), ST_OK);
    assert_false(store_session_snapshot(session, &held));
    assert_int_equal(txn_scan_open(txn, SLICE_LIT("a"), SLICE_LIT("b"), false, 0, &scan, &f->err), ST_OK);
    assert_true(store_session_snapshot(session, &first));
    assert_int_equal(first.version, store_version(f->store));
    assert_int_equal(first.isolation, TXN_READ_COMMITTED);

    put_alone(f, "a", "2");
    assert_int_equal(txn_statement_begin(txn, &f->err), ST_OK);
    assert_reads(f, txn, "a", "2");
    assert_true(store_session_snapshot(session, &held));
    assert_int_equal(held.version, first.version);
    assert_int_equal(held.since_us, first.since_us);
    txn_scan_close(scan);
    assert_true(store_session_snapshot(session, &held));
    assert_int_equal(held.version, store_version(f->store));
    txn_statement_end(txn);
    assert_false(store_session_snapshot(session, &held));
    assert_reads(f, txn, "a", "2");
    assert_true(store_session_snapshot(session, &held));
    commit(f, txn);
    assert_false(store_session_snapshot(session, &held));

    options.isolation = TXN_SERIALIZABLE;
    assert_int_equal(txn_begin(f->store, &options, &txn, &f->err), ST_OK);
    assert_int_equal(txn_statement_begin(txn, &f->err), ST_OK);
    txn_statement_end(txn);
    assert_true(store_session_snapshot(session, &held));
    assert_int_equal(held.isolation, TXN_SERIALIZABLE);
    txn_rollback(txn);
    assert_false(store_session_snapshot(session, &held));
    store_session_destroy(session);
}

static void test_repeatable_read(void **state)
{
    Fixture *f = *state;
    put_alone(f, "a", "1");
    Txn *txn = begin(f, TXN_REPEATABLE_READ);
    bool found, waited;
    Slice value;
    assert_reads(f, txn, "a", "1");
    put_alone(f, "a", "2");
    assert_int_equal(txn_statement_begin(txn, &f->err), ST_OK);
    assert_reads(f, txn, "a", "1");
    assert_int_equal(txn_lock(txn, SLICE_LIT("a"), LOCK_UPDATE, LOCK_WAIT, &waited, &f->err), ST_OK);
    assert_int_equal(txn_get_locked(txn, SLICE_LIT("a"), &found, &value, &f->err), ST_ERROR);
    assert_int_equal(f->err.sqlstate, ERR_SERIALIZATION_FAILURE);
    assert_string_equal(f->err.message, "could not serialize access due to concurrent update");
    assert_int_equal(txn_put(txn, SLICE_LIT("a"), SLICE_LIT("3"), &f->err), ST_ERROR);
    assert_int_equal(f->err.sqlstate, ERR_SERIALIZATION_FAILURE);
    put(f, txn, "b", "untouched by others");
    txn_rollback(txn);
}

/* Each of two reads what the other writes. */
static void write_skew(Fixture *f, TxnIsolation isolation, Status expected)
{
    put_alone(f, "x", "1");
    put_alone(f, "y", "1");
    Txn *first = begin(f, isolation), *second = begin(f, isolation);
    assert_string_equal(scanned(f, first, "x", "z", false), "x=1 y=1 ");
    assert_string_equal(scanned(f, second, "x", "z", true), "y=1 x=1 ");
    put(f, first, "x", "0");
    put(f, second, "y", "0");
    commit(f, first);
    assert_int_equal(txn_commit(second, &f->err), expected);
    if (expected == ST_ERROR) assert_int_equal(f->err.sqlstate, ERR_SERIALIZATION_FAILURE);
}

/* A key that was changed and changed back since the snapshot looks as it did, but is not what was read. */
static void test_changed_and_back(void **state)
{
    Fixture *f = *state;
    bool found, waited, newer;
    Slice value;
    put_alone(f, "a", "1");
    Txn *txn = begin(f, TXN_REPEATABLE_READ);
    put_alone(f, "a", "2");
    put_alone(f, "a", "1");
    assert_int_equal(txn_lock(txn, SLICE_LIT("a"), LOCK_UPDATE, LOCK_WAIT, &waited, &f->err), ST_OK);
    assert_int_equal(txn_get_locked(txn, SLICE_LIT("a"), &found, &value, &f->err), ST_OK);
    put(f, txn, "a", "1 more");
    assert_int_equal(txn_commit(txn, &f->err), ST_ERROR);
    assert_int_equal(f->err.sqlstate, ERR_SERIALIZATION_FAILURE);
    /* Other keys may change as they like. */
    txn = begin(f, TXN_REPEATABLE_READ);
    put_alone(f, "b", "2");
    put(f, txn, "a", "1 more");
    commit(f, txn);
    /* A key that came after the snapshot is seen by who asks for the newest, at every level. */
    txn = begin(f, TXN_REPEATABLE_READ);
    put_alone(f, "c", "3");
    assert_int_equal(txn_get_newest(txn, SLICE_LIT("c"), &found, &value, &newer, &f->err), ST_OK);
    assert_true(found && newer && slice_equal_str(value, "3"));
    assert_reads(f, txn, "c", NULL);
    txn_rollback(txn);
}

/* The first statement's snapshot is the transaction's, also of a statement that reads nothing. */
static void test_snapshot_of_first_statement(void **state)
{
    Fixture *f = *state;
    put_alone(f, "a", "1");
    Txn *repeatable = begin(f, TXN_REPEATABLE_READ), *committed = begin(f, TXN_READ_COMMITTED);
    put_alone(f, "a", "2");
    assert_reads(f, repeatable, "a", "1");
    assert_int_equal(txn_statement_begin(committed, &f->err), ST_OK);
    assert_reads(f, committed, "a", "2");
    txn_rollback(repeatable);
    txn_rollback(committed);
}

static void test_serializable(void **state)
{
    Fixture *f = *state;
    write_skew(f, TXN_REPEATABLE_READ, ST_OK);
    write_skew(f, TXN_SERIALIZABLE, ST_ERROR);
    /* What lies behind the last row read may change. */
    Txn *txn = begin(f, TXN_SERIALIZABLE);
    TxnScan *scan;
    Slice key, value;
    assert_int_equal(txn_scan_open(txn, SLICE_LIT("x"), SLICE_LIT("z"), false, 1, &scan, &f->err), ST_OK);
    assert_int_equal(txn_scan_next(scan, &key, &value, &f->err), ST_OK);
    put_alone(f, "y", "2");
    put(f, txn, "own", "1");
    commit(f, txn);
    /* A point that was not there is a read too. */
    txn = begin(f, TXN_SERIALIZABLE);
    assert_reads(f, txn, "absent", NULL);
    put_alone(f, "absent", "1");
    put(f, txn, "own", "2");
    assert_int_equal(txn_commit(txn, &f->err), ST_ERROR);
}

static void test_read_only(void **state)
{
    Fixture *f = *state;
    TxnOptions options = {.read_only = true};
    Txn *txn;
    assert_int_equal(txn_begin(f->store, &options, &txn, &f->err), ST_OK);
    assert_int_equal(txn_put(txn, SLICE_LIT("a"), SLICE_LIT("1"), &f->err), ST_ERROR);
    assert_int_equal(f->err.sqlstate, ERR_READ_ONLY_SQL_TRANSACTION);
    uint64_t version = store_version(f->store);
    commit(f, txn);
    assert_int_equal(store_version(f->store), version);
}

static void end_note(void *argument, bool committed)
{
    *(int *)argument += committed ? 1 : 10;
}

static void test_end_hooks(void **state)
{
    Fixture *f = *state;
    int ends = 0;
    Txn *txn = begin(f, TXN_READ_COMMITTED);
    txn_on_end(txn, end_note, &ends);
    put(f, txn, "a", "1");
    commit(f, txn);
    assert_int_equal(ends, 1);
    txn = begin(f, TXN_READ_COMMITTED);
    txn_on_end(txn, end_note, &ends);
    txn_rollback(txn);
    assert_int_equal(ends, 11);
}

/* ---- a transaction that outgrows its memory ---- */

enum { ROWS = 12000 };

/* Long enough that a run has several blocks. */
#define LONG_VALUE                                                                                                   \
    "written over once more, with a value that takes its room: a block of a run then ends where the next block has " \
    "another entry, and what is borrowed from one must not be read when the other is there"

static const char *row_key(char out[24], int i)
{
    snprintf(out, 24, "row%08d", i);
    return out;
}

static void check_rows(Fixture *f, Txn *txn, const char *expected)
{
    for (int descending = 0; descending < 2; descending++) {
        TxnScan *scan;
        Slice key, value;
        char wanted[24];
        int i = descending ? ROWS - 1 : 0;
        assert_int_equal(txn_scan_open(txn, SLICE_LIT("row"), SLICE_LIT("rox"), descending, 0, &scan, &f->err), ST_OK);
        for (; txn_scan_next(scan, &key, &value, &f->err) == ST_OK; i += descending ? -1 : 1) {
            assert_true(slice_equal_str(key, row_key(wanted, i)));
            assert_true(slice_equal_str(value, expected));
        }
        assert_int_equal(i, descending ? -1 : ROWS);
        txn_scan_close(scan);
    }
}

/* An UPDATE of all rows: reads by a scan what the same transaction wrote, and writes over it. */
static void update_rows(Fixture *f, Txn *txn, const char *from, const char *to)
{
    TxnScan *scan;
    Slice key, value;
    int rows = 0;
    assert_int_equal(txn_scan_open(txn, SLICE_LIT("row"), SLICE_LIT("rox"), false, 0, &scan, &f->err), ST_OK);
    for (; txn_scan_next(scan, &key, &value, &f->err) == ST_OK; rows++) {
        assert_true(slice_equal_str(value, from));
        Slice kept = arena_slice(f->arena, key);
        assert_int_equal(txn_put(txn, key, slice_str(to), &f->err), ST_OK);
        assert_true(slice_equal(key, kept));
    }
    assert_int_equal(rows, ROWS);
    txn_scan_close(scan);
}

static void test_large_transaction(void **state)
{
    Fixture *f = *state;
    Txn *txn = begin(f, TXN_READ_COMMITTED);
    char key[24];
    for (int i = 0; i < ROWS; i++) {
        row_key(key, (int)((int64_t)i * 7919 % ROWS));
        assert_reads(f, txn, key, NULL);
        put(f, txn, key, "inserted in some order");
    }
    check_rows(f, txn, "inserted in some order");
    TxnMark mark = txn_savepoint(txn);
    update_rows(f, txn, "inserted in some order", "updated");
    check_rows(f, txn, "updated");
    assert_reads(f, txn, row_key(key, 77), "updated");
    assert_int_equal(txn_delete_span(txn, SLICE_LIT("row"), SLICE_LIT("rox"), &f->err), ST_OK);
    assert_reads(f, txn, row_key(key, 77), NULL);
    assert_string_equal(scanned(f, txn, "row", "rox", false), "");
    txn_rollback_to(txn, mark);
    check_rows(f, txn, "inserted in some order");
    update_rows(f, txn, "inserted in some order", LONG_VALUE);
    commit(f, txn);
    txn = begin(f, TXN_READ_COMMITTED);
    check_rows(f, txn, LONG_VALUE);
    txn_rollback(txn);
}

/* ---- threads ---- */

enum { THREADS = 8, INCREMENTS = 60, COUNTERS = 3 };

typedef struct Worker {
    Fixture *f;
    int number;
    bool failed;
    pthread_t thread;
} Worker;

static Status increment(Txn *txn, Slice key, Error *err)
{
    bool waited, found;
    Slice value;
    uint8_t counter[8];
    TRY(txn_statement_begin(txn, err));
    TRY(txn_get(txn, key, &found, &value, err));
    TRY(txn_lock(txn, key, LOCK_UPDATE, LOCK_WAIT, &waited, err));
    TRY(txn_get_locked(txn, key, &found, &value, err));
    kv_counter_encode((found ? kv_counter_decode(value) : 0) + 1, counter);
    return txn_put(txn, key, slice_of(counter, sizeof counter), err);
}

static void *work(void *argument)
{
    Worker *worker = argument;
    for (int i = 0; i < INCREMENTS && !worker->failed; i++) {
        TxnOptions options = {.synchronous_commit = true, .lock_timeout_ms = 20000};
        char key[2] = {(char)('a' + (i + worker->number) % COUNTERS), 0};
        Txn *txn;
        Error err;
        Status status = txn_begin(worker->f->store, &options, &txn, &err);
        if (status == ST_OK) status = increment(txn, slice_str(key), &err);
        if (status == ST_OK)
            status = txn_commit(txn, &err);
        else
            txn_rollback(txn);
        worker->failed = status != ST_OK;
    }
    return NULL;
}

static void test_counter_increments_lose_nothing(void **state)
{
    Fixture *f = *state;
    Worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (Worker){.f = f, .number = i};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        assert_false(workers[i].failed);
    }
    Txn *txn = begin(f, TXN_READ_COMMITTED);
    int64_t sum = 0;
    for (int i = 0; i < COUNTERS; i++) {
        bool found;
        Slice value;
        char key[2] = {(char)('a' + i), 0};
        assert_int_equal(txn_get(txn, slice_str(key), &found, &value, &f->err), ST_OK);
        sum += kv_counter_decode(value);
    }
    assert_int_equal(sum, THREADS * INCREMENTS);
    txn_rollback(txn);
}

static void *commit_later(void *argument)
{
    Error err;
    usleep(50000);
    return txn_commit(argument, &err) == ST_OK ? argument : NULL;
}

/* The second writer waits for the first, then finds what it wrote. */
static void test_waits_for_the_writer(void **state)
{
    Fixture *f = *state;
    bool waited, found;
    Slice value;
    pthread_t thread;
    Txn *first = begin(f, TXN_READ_COMMITTED), *second = begin(f, TXN_READ_COMMITTED);
    put(f, first, "k", "first");
    assert_reads(f, second, "k", NULL);
    assert_int_equal(txn_lock(second, SLICE_LIT("k"), LOCK_UPDATE, LOCK_SKIP, &waited, &f->err), ST_END);
    assert_int_equal(txn_lock(second, SLICE_LIT("k"), LOCK_UPDATE, LOCK_NOWAIT, &waited, &f->err), ST_ERROR);
    assert_int_equal(f->err.sqlstate, ERR_LOCK_NOT_AVAILABLE);
    pthread_create(&thread, NULL, commit_later, first);
    assert_int_equal(txn_lock(second, SLICE_LIT("k"), LOCK_UPDATE, LOCK_WAIT, &waited, &f->err), ST_OK);
    assert_true(waited);
    assert_int_equal(txn_get_locked(second, SLICE_LIT("k"), &found, &value, &f->err), ST_OK);
    assert_true(found && slice_equal_str(value, "first"));
    txn_rollback(second);
    void *committed;
    pthread_join(thread, &committed);
    assert_non_null(committed);
}

#define ON_BOTH(test)                                                                                                \
    cmocka_unit_test_setup_teardown(test, setup, teardown), cmocka_unit_test_setup_teardown(test, setup_lmdb, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BOTH(test_own_writes_in_reads),
        ON_BOTH(test_scan_does_not_meet_later_writes),
        ON_BOTH(test_view),
        ON_BOTH(test_seek),
        ON_BOTH(test_savepoints),
        ON_BOTH(test_counters),
        ON_BOTH(test_read_committed),
        ON_BOTH(test_scan_keeps_its_snapshot),
        ON_BOTH(test_held_snapshot),
        ON_BOTH(test_repeatable_read),
        ON_BOTH(test_changed_and_back),
        ON_BOTH(test_snapshot_of_first_statement),
        ON_BOTH(test_serializable),
        ON_BOTH(test_read_only),
        ON_BOTH(test_end_hooks),
        ON_BOTH(test_counter_increments_lose_nothing),
        ON_BOTH(test_waits_for_the_writer),
        ON_BOTH(test_large_transaction),
        cmocka_unit_test_setup_teardown(test_large_transaction, setup_small, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
