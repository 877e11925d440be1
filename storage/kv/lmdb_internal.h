/* lmdb_internal.h - what the files of the LMDB engine share.
 *
 * Four trees: "map" holds keys of up to 510 bytes as they are, "layers" the rest of longer ones (lmdb_long_key.h), "redo"
 * how far the redo log has been applied (redo.h), "relief" is described in lmdb_relief.c.
 */
#ifndef STORAGE_KV_LMDB_INTERNAL_H
#define STORAGE_KV_LMDB_INTERNAL_H

#include <lmdb.h>
#include <pthread.h>
#include <stdatomic.h>

#include "storage/kv/commit_queue.h"
#include "storage/kv/kv_internal.h"
#include "storage/kv/recent_commits.h"
#include "storage/kv/redo_log.h"

typedef struct LmdbSnapshot LmdbSnapshot;

typedef struct LmdbKv {
    Kv base;
    MDB_env *env;
    MDB_dbi map, layers, redo, relief;
    int lock_file; /* flock held while the store is open */
    int readers_max;
    _Atomic uint64_t version; /* of the newest commit */
    _Atomic int guards;

    pthread_mutex_t pool_mutex; /* guards idle; nothing is taken under it */
    LmdbSnapshot *idle;         /* snapshots that have a reader slot but nobody who uses them */
    _Atomic int snapshots_open;

    CommitQueue queue; /* what follows belongs to the leader alone */
    RecentCommits *recent;
    KvObserver observer;
    bool observed;

    _Atomic uint64_t commits, groups, syncs;
} LmdbKv;

/* How a write transaction is to be judged, numbered, observed and marked. */
typedef struct LmdbWrite {
    uint64_t version;             /* 0: LMDB's number of the transaction */
    _Atomic uint64_t *newest;     /* gets the version once it is committed */
    RecentCommits *recent;        /* NULL: nothing is judged or noted */
    bool guarded;
    const KvObserver *observer;   /* NULL: none */
    const RedoPosition *position; /* written in the same transaction; NULL: none */
    bool large;                   /* may be larger than memory: changed pages go to the file early (lmdb_relief.c) */
} LmdbWrite;

/* Besides LMDB's and the system's codes. REFUSED: an operation that no engine may store; the request's error says which.
 * UNCLEAR: it may or may not be there after a restart. */
enum { LMDB_REFUSED = -1, LMDB_UNCLEAR = -2 };

/* All requests of the list in one write transaction. Not 0: none of them was applied. */
int lmdb_write(LmdbKv *kv, CommitRequest *requests, LmdbWrite *write);
/* Sets what a request that was not applied is answered. */
void lmdb_write_failed(LmdbKv *kv, CommitRequest *request, int code);
/* Whether the batch may be committed after what the recent commits changed. */
KvOutcome lmdb_judge(const RecentCommits *recent, const KvBatch *batch);

/* lmdb_relief.c: changed pages of a write transaction go to the file before its end, so that it needs little memory. */
int lmdb_relief_open(MDB_txn *txn, MDB_dbi *relief);
int lmdb_relieve(MDB_txn *txn, MDB_dbi relief);

/* All zero when there is none. */
int lmdb_position(LmdbKv *kv, RedoPosition *position);
/* LMDB's number of the newest transaction. */
uint64_t lmdb_transaction_newest(LmdbKv *kv);
Status lmdb_backup(Kv *kv, int file, Error *err);

/* The Error of an LMDB or system code. MDB_NOTFOUND and 0 are none. */
Status lmdb_error(int code, const char *action, Error *err);

KvOutcome lmdb_commit(Kv *kv, const KvBatch *batch, uint64_t *version, Error *err);

static inline MDB_val lmdb_val(Slice bytes)
{
    return (MDB_val){bytes.size, (void *)(uintptr_t)bytes.data};
}

static inline Slice lmdb_slice(const MDB_val *val)
{
    return slice_of(val->mv_data, val->mv_size);
}

#endif
