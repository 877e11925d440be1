/* redo_internal.h - the LMDB engine with a redo log in front of it, as its files see it.
 *
 * A commit group is applied to the active table in memory, written to the log's segment of that table and synced once. Its
 * version is then published and readers see it. When the table is large or old it is frozen, a new one takes its place,
 * and the frozen one goes down into LMDB in one transaction, which also records that its segment is applied. A snapshot
 * is a version, the two tables, and a read transaction of LMDB; each key is looked for in this order.
 *
 * Why a snapshot fits together: LMDB holds, beside what it held when the tables were taken, at most the frozen table, all
 * of which is published. lmdb_newest tells a read transaction that is newer than that, and the snapshot is taken again.
 *
 * Locks, in this order: writer_mutex, flush_mutex, state_mutex.
 */
#ifndef STORAGE_KV_REDO_INTERNAL_H
#define STORAGE_KV_REDO_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "storage/kv/commit_queue.h"
#include "storage/kv/lmdb_internal.h"
#include "storage/kv/mem_table.h"
#include "storage/kv/redo_log.h"

typedef struct RedoScan RedoScan;

typedef struct RedoSnapshot {
    KvSnapshot base;
    struct RedoSnapshot *next; /* in the pool */
    KvSnapshot *lower;         /* of LMDB; kept while idle */
    MemTable *active, *frozen; /* held; NULL: none, or paused */
    RedoScan *scans_idle;
    int scans_open;
} RedoSnapshot;

typedef struct RedoKv {
    Kv base;
    Kv *lower; /* LMDB */
    int readers_max;
    size_t table_bytes_max;
    _Atomic uint64_t version; /* of the newest published commit */
    _Atomic int guards, snapshots_open;
    _Atomic uint64_t commits, groups;

    CommitQueue queue;
    pthread_mutex_t writer_mutex; /* held while a group runs and while a table is frozen: guards what follows */
    RedoLog *log;
    RedoSnapshot *view; /* what the leader reads old values from */
    RecentCommits *recent;
    KvObserver observer;
    bool observed;
    Buf record;

    pthread_mutex_t flush_mutex; /* held while a table goes down into LMDB */

    pthread_mutex_t state_mutex; /* guards what follows; nothing is taken under it */
    pthread_cond_t flush_wanted, flush_ended;
    MemTable *active, *frozen;
    uint64_t lmdb_newest;    /* the newest transaction of LMDB that holds nothing but what was published at its time */
    uint64_t frozen_version; /* of the last commit in the frozen table */
    uint64_t direct_version; /* the commit that is just being written to LMDB past the log; 0: none */
    uint64_t active_since_ns; /* when the first commit came into the active table */
    uint64_t unsynced_since_ns; /* of the oldest commit that nobody waited for; 0: none */
    uint64_t unsynced_version;  /* of the newest */
    int flush_error;         /* of the last flush; 0: it went well */
    bool stopping;

    _Atomic bool broken; /* a sync of the log has failed */
    pthread_t flusher;
    bool flusher_runs;
    RedoSnapshot *idle; /* guarded by state_mutex */
} RedoKv;

/* ---- redo.c ---- */

Status redo_snapshot_renew(KvSnapshot *snapshot, Error *err);
void redo_snapshot_pause(KvSnapshot *snapshot);
Status redo_snapshot_create(RedoKv *kv, RedoSnapshot **snapshot, Error *err);

/* ---- redo_read.c ---- */

Status redo_get_many(KvSnapshot *snapshot, const Slice *keys, int n, bool *found, Slice *values, Error *err);
Status redo_scan_open(KvSnapshot *snapshot, const KvSpan *span, bool descending, int rows_max, KvScan **scan, Error *err);
Status redo_scan_next(KvScan *scan, KvBlock *block, Error *err);
Status redo_scan_seek(KvScan *scan, Slice key, Error *err);
void redo_scan_close(KvScan *scan);
void redo_scans_destroy(RedoSnapshot *snapshot); /* the idle ones */

/* ---- redo_commit.c ---- */

KvOutcome redo_commit(Kv *kv, const KvBatch *batch, uint64_t *version, Error *err);

/* ---- redo_flush.c; codes are LMDB's or the system's ---- */

/* Puts a new table in the place of the active one, which becomes the frozen one if anything was committed in it; there must
 * be none, and the writer_mutex be held. */
int redo_freeze(RedoKv *kv);
/* Brings all tables down into LMDB. With the writer_mutex held. */
int redo_flush_all(RedoKv *kv);
/* The same without stopping commits; those that come meanwhile stay. */
int redo_flush_older(RedoKv *kv);
/* Reads the log after a crash and brings it down. Before the first snapshot. */
Status redo_recover(RedoKv *kv, Arena *arena, Error *err);
void redo_flusher_start(RedoKv *kv);
void redo_flusher_stop(RedoKv *kv);

#endif
