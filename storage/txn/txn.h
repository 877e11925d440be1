/* txn.h - transactions over the map: snapshots, own writes, locks, commit.
 *
 * A Store is an open data directory. A Txn belongs to one thread; its reads merge its own writes (the overlay) over
 * its snapshot. Nothing is written to the engine before txn_commit, which hands the batch to the commit thread and
 * returns when it is durable.
 *
 *   - READ COMMITTED: txn_statement_begin takes a new snapshot. REPEATABLE READ and SERIALIZABLE keep the first one.
 *   - Slices returned are valid until the next txn_statement_begin, commit or rollback for reads from the snapshot, and
 *     until that key is written again for the transaction's own writes. A scan's pair: until the scan's next call.
 *   - A write takes the key's exclusive lock first and may therefore wait: 40P01 on a deadlock, 55P03 on lock_timeout,
 *     57014 when the interrupt is raised. After waiting at READ COMMITTED the key's newest committed value may differ
 *     from the statement's snapshot: txn_get_locked tells. At higher levels that is 40001.
 *   - Locks are held until commit or rollback, or until txn_locks_release_to.
 */
#ifndef STORAGE_TXN_TXN_H
#define STORAGE_TXN_TXN_H

#include "storage/base/buf.h"
#include "storage/base/err.h"
#include "storage/base/interrupt.h"

typedef struct Store Store;
typedef struct Directory Directory; /* storage/range/range.h */
typedef struct Kv Kv;               /* storage/kv/kv.h */
typedef struct RangeNotes RangeNotes; /* storage/range/range.h */
typedef struct Txn Txn;
typedef struct TxnScan TxnScan;
typedef struct LockSession LockSession;

typedef struct StoreOptions {
    const char *engine; /* "lmdb" (default when NULL), "memory" for tests, or wrapped: "fault:memory" */
    bool no_sync;       /* tests only: commits are not durable */
    int sessions_max;   /* sizes the engine's reader table; 0 = 1024 */
    bool no_services; /* nothing is done that was not asked for: ranges are neither cut nor merged by themselves */
    int nodes;          /* simulated, for the placement of ranges; 0 = 1 */
    size_t writes_bytes_max; /* a transaction's writes beyond it go to a temporary file; 0 = 16 MiB */
} StoreOptions;

/* Creates the directory's files if they are absent. 55006 if another process has the store open. */
Status store_open(const char *directory, const StoreOptions *options, Store **store, Arena *arena, Error *err);
void store_close(Store *store); /* all transactions are over; what is queued is committed first */
/* The number of the newest commit; grows by one or more with each. */
uint64_t store_version(const Store *store);
Directory *store_directory(Store *store);
Kv *store_kv(Store *store);

typedef enum TxnIsolation { TXN_READ_COMMITTED, TXN_REPEATABLE_READ, TXN_SERIALIZABLE } TxnIsolation;

typedef struct TxnOptions {
    TxnIsolation isolation;
    bool read_only;          /* writes fail with 25006 */
    bool synchronous_commit; /* false: commit returns before the sync; the order stays */
    int64_t lock_timeout_ms; /* 0: wait for ever */
    LockSession *session;    /* whose locks they are; NULL: nobody's */
    Interrupt *interrupt;    /* NULL: none */
} TxnOptions;

Status txn_begin(Store *store, const TxnOptions *options, Txn **txn, Error *err);
Status txn_statement_begin(Txn *txn, Error *err);
/* Takes the snapshot now; otherwise the statement's first read does. */
Status txn_snapshot_take(Txn *txn, Error *err);
/* Nothing read by the statement is needed any more: an idle READ COMMITTED transaction then pins no pages. */
void txn_statement_end(Txn *txn);
Status txn_commit(Txn *txn, Error *err); /* frees txn, whatever the outcome; ST_ERROR means rolled back or 08007 */
void txn_rollback(Txn *txn);             /* frees txn; NULL is allowed */

uint64_t txn_id(const Txn *txn); /* grows with each transaction of the process */
Arena *txn_arena(Txn *txn);      /* lives as long as the transaction */
Store *txn_store(Txn *txn);
const TxnOptions *txn_options(const Txn *txn);
bool txn_has_writes(const Txn *txn);
/* Where the load of what it reads is noted; NULL: nobody counts. */
RangeNotes *txn_notes(Txn *txn);
/* The commit that the current snapshot sees. */
uint64_t txn_snapshot_version(const Txn *txn);

/* *found says whether the key has a value; *value may be empty although found. */
Status txn_get(Txn *txn, Slice key, bool *found, Slice *value, Error *err);
/* n keys at once, in any order; an index join asks for hundreds. Arrays have n items. */
Status txn_get_many(Txn *txn, const Slice *keys, int n, bool *found, Slice *values, Error *err);

/* All pairs with start <= key < end, in key order (or descending); an empty end is behind all keys. The bounds are copied.
 * rows_hint sizes the blocks: 0 = unknown. The scan sees the own writes made before it was opened and none made later, so an
 * UPDATE does not meet the rows it moves. Statistics go to txn_counters. */
Status txn_scan_open(Txn *txn, Slice start, Slice end, bool descending, uint64_t rows_hint, TxnScan **scan, Error *err);
Status txn_scan_next(TxnScan *scan, Slice *key, Slice *value, Error *err); /* ST_END after the last */
/* Continues at the first key >= (descending: < ) key, which lies ahead of the position. One seek. For skip scans. */
Status txn_scan_seek(TxnScan *scan, Slice key, Error *err);
void txn_scan_close(TxnScan *scan); /* NULL is allowed; open scans are closed by commit and rollback too */

typedef enum LockMode { LOCK_KEY_SHARE, LOCK_SHARE, LOCK_NO_KEY_UPDATE, LOCK_UPDATE } LockMode;
typedef enum LockWait { LOCK_WAIT, LOCK_SKIP, LOCK_NOWAIT } LockWait;

/* ST_END only with LOCK_SKIP: another holds it. *waited: some other transaction may have changed the key meanwhile. */
Status txn_lock(Txn *txn, Slice key, LockMode mode, LockWait wait, bool *waited, Error *err);
/* The newest committed value of a key that this transaction holds the lock of, or its own write. *newer: it is not what the
 * snapshot sees. */
Status txn_get_newest(Txn *txn, Slice key, bool *found, Slice *value, bool *newer, Error *err);
/* The same for a row that is to be changed or locked. At REPEATABLE READ and above: 40001 if it is newer; and if it was
 * changed since the snapshot and looks the same again, the commit answers 40001. */
Status txn_get_locked(Txn *txn, Slice key, bool *found, Slice *value, Error *err);

/* For what refers to the keys: their KEY SHARE locks keep them as they are until the transaction ends. found: it is there, and
 * above READ COMMITTED the snapshot sees it; 40001 if it was there for the snapshot only. Does not count as read at
 * SERIALIZABLE. Arrays have n items; values are for its own use. */
Status txn_lock_present(Txn *txn, const Slice *keys, int n, bool *found, Slice *values, Error *err);
/* Between the two, reads see what is committed now under the own writes, at every isolation level: for what is certain only
 * since a lock was had. They do not count as read at SERIALIZABLE. At READ COMMITTED the statement has a new snapshot from then
 * on. No scan is open at the end. */
Status txn_newest_begin(Txn *txn, Error *err);
void txn_newest_end(Txn *txn);

/* From now on scans and txn_get see the own writes made up to now and none made later, until it is released; a second hold
 * changes nothing. txn_get_newest and txn_get_locked answer the newest state all the same. txn_written_since_view: has this
 * transaction written a key with the prefix since? */
void txn_view_hold(Txn *txn);
void txn_view_release(Txn *txn);
bool txn_written_since_view(Txn *txn, Slice prefix); /* false if none is held */

/* Each locks the key first (LOCK_UPDATE, waiting). */
Status txn_put(Txn *txn, Slice key, Slice value, Error *err);
Status txn_delete(Txn *txn, Slice key, Error *err);
/* Removes every key in [start, end). Takes no key locks: for dropped indexes and truncated tables, under a table lock. */
Status txn_delete_span(Txn *txn, Slice start, Slice end, Error *err);
/* Adds to a commutative 64-bit counter stored under key (8 bytes big endian, two's complement); takes no lock. */
Status txn_add(Txn *txn, Slice key, int64_t delta, Error *err);
/* Writes that skip the locks: the caller owns the span (a new table, a backfill, the catalog under its own lock). */
Status txn_put_unlocked(Txn *txn, Slice key, Slice value, Error *err);

/* Tells of each put and delete just before it is made, until it is called with NULL: EXPLAIN (KEYS). value NULL: delete. */
typedef void (*TxnWatch)(void *argument, Slice key, const Slice *value);
void txn_watch(Txn *txn, TxnWatch watch, void *argument);
bool txn_is_watched(const Txn *txn);

/* Table-level locks between DDL and DML, keyed by a descriptor id; they wait, detect deadlocks and end as key locks do. */
typedef enum TableLockMode {
    TABLE_ACCESS_SHARE, TABLE_ROW_SHARE, TABLE_ROW_EXCLUSIVE, TABLE_SHARE_UPDATE_EXCLUSIVE, TABLE_SHARE,
    TABLE_SHARE_ROW_EXCLUSIVE, TABLE_EXCLUSIVE, TABLE_ACCESS_EXCLUSIVE
} TableLockMode;
Status txn_lock_table(Txn *txn, uint32_t table_id, TableLockMode mode, LockWait wait, Error *err);

/* In this mode or a stronger one. */
bool txn_holds_table(const Txn *txn, uint32_t table_id, TableLockMode least);

/* For writers of keys in order, at READ COMMITTED: shortens the span from start to *gap_end, if need be, so that this
 * transaction has written nothing in it, or that nothing in it is committed. *version: the newest commit that was seen. */
Status txn_own_gap(Txn *txn, Slice start, Buf *gap_end, Error *err);
Status txn_committed_gap(Txn *txn, Slice start, Buf *gap_end, uint64_t *version, Error *err);

/* Marks in the overlay. txn_rollback_to undoes all writes since the mark and keeps the locks; the mark stays valid. */
typedef int TxnMark;
TxnMark txn_savepoint(Txn *txn);
void txn_rollback_to(Txn *txn, TxnMark mark);
void txn_release(Txn *txn, TxnMark mark); /* forgets it and those set since */
/* Gives back the locks that were taken since, as ROLLBACK TO does when the writes have been undone. */
typedef struct TxnLockMark {
    int held, fast, tables;
} TxnLockMark;
TxnLockMark txn_lock_mark(const Txn *txn);
void txn_locks_release_to(Txn *txn, TxnLockMark mark);

/* ---- advisory locks: numbers that mean something to the applications alone ---- */

/* One bigint: its halves in class and object, sub 1; two ints: sub 2. */
typedef struct AdvisoryKey {
    uint32_t database, class, object;
    uint16_t sub;
} AdvisoryKey;
/* Until the transaction ends. ST_END only with LOCK_SKIP: another holds it. */
Status txn_lock_advisory(Txn *txn, const AdvisoryKey *key, bool shared, LockWait wait, Error *err);
/* Until the session gives it back as many times as it took it. The transaction only lends its patience. */
Status txn_session_lock(Txn *txn, const AdvisoryKey *key, bool shared, LockWait wait, Error *err);
bool txn_session_unlock(Txn *txn, const AdvisoryKey *key, bool shared); /* false: the session has it not */
void session_unlock_all(LockSession *session);

/* ---- sessions in the table of locks ---- */

/* One thread's: its transactions and its advisory locks, which are never in each other's way. */
LockSession *store_session_create(Store *store, uint64_t id);
void store_session_database(LockSession *session, uint32_t database); /* for views; before it takes locks */
void store_session_destroy(LockSession *session); /* its transactions are over; frees its advisory locks */

/* The oldest snapshot that the session's transaction holds now: its pages, and all newer ones that were freed since, cannot
 * be used again. Any thread may ask while the session is there. */
typedef struct HeldSnapshot {
    uint64_t version;
    int64_t since_us; /* when it was opened */
    TxnIsolation isolation;
} HeldSnapshot;
bool store_session_snapshot(const LockSession *session, HeldSnapshot *held); /* false: it holds none */

typedef enum LockedKind { LOCKED_ROW, LOCKED_TABLE, LOCKED_ADVISORY, LOCKED_TRANSACTION, LOCKED_VIRTUAL_TRANSACTION } LockedKind;
typedef struct LockRow {
    LockedKind kind;
    uint32_t database, class, object; /* class: the table's id */
    uint16_t sub;
    uint64_t transaction; /* that is locked */
    uint64_t session_id, txn_id; /* whose lock it is; txn_id 0: the session's own */
    const char *mode; /* PostgreSQL's word */
    bool granted, fast;
    int64_t wait_start_us; /* 0: does not wait */
} LockRow;
/* All locks of sessions; what is seen is no single moment. */
int store_locks(Store *store, LockRow **rows, Arena *arena);
/* The sessions that hold what this one waits for, or stand before it. */
int store_blockers(Store *store, uint64_t session_id, uint64_t **blockers, Arena *arena);

/* Runs after a commit is durable, or after a rollback, in order of registration; arguments in txn_arena. */
void txn_on_end(Txn *txn, void (*run)(void *argument, bool committed), void *argument);

/* What this transaction has read and written since it began; operators book differences. */
typedef struct TxnCounters {
    uint64_t seeks, pairs_read, bytes_read, gets, blocks; /* blocks: engine calls that brought pairs */
    uint64_t pairs_written, bytes_written, lock_waits;
} TxnCounters;
const TxnCounters *txn_counters(const Txn *txn);

#endif
