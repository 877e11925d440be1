/* lmdb_internal.h - what the files of the LMDB engine share.
 *
 * Two trees: "map" holds keys of up to 510 bytes as they are, "layers" the rest of longer ones (lmdb_long_key.h).
 */
#ifndef STORAGE_KV_LMDB_INTERNAL_H
#define STORAGE_KV_LMDB_INTERNAL_H

#include <lmdb.h>
#include <pthread.h>
#include <stdatomic.h>

#include "storage/kv/kv_internal.h"
#include "storage/kv/recent_commits.h"

typedef struct LmdbSnapshot LmdbSnapshot;
typedef struct CommitRequest CommitRequest;

typedef struct LmdbKv {
    Kv base;
    MDB_env *env;
    MDB_dbi map, layers;
    int lock_file; /* flock held while the store is open */
    int readers_max;
    _Atomic uint64_t version; /* of the newest commit */
    _Atomic int guards;

    pthread_mutex_t pool_mutex; /* guards idle; nothing is taken under it */
    LmdbSnapshot *idle;         /* snapshots that have a reader slot but nobody who uses them */
    _Atomic int snapshots_open;

    pthread_mutex_t queue_mutex; /* guards the queue and leading; nothing is taken under it */
    CommitRequest *queue_first, *queue_last;
    bool leading; /* a thread runs a group; what follows belongs to it alone */
    RecentCommits *recent;
    KvObserver observer;
    bool observed;

    _Atomic uint64_t commits, groups, syncs;
} LmdbKv;

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
