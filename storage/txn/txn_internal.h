/* txn_internal.h - a store and a transaction, as the files of this folder see them. */
#ifndef STORAGE_TXN_TXN_INTERNAL_H
#define STORAGE_TXN_TXN_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "storage/kv/kv.h"
#include "storage/range/range.h"
#include "storage/txn/lock.h"
#include "storage/txn/overlay.h"
#include "storage/txn/read_set.h"
#include "storage/txn/txn.h"
#include "storage/txn/usage.h"

struct Store {
    Kv *kv;
    char *path; /* of the data directory */
    size_t writes_bytes_max;
    Directory *directory;
    RangeService *range_service;
    LockTable *locks;
    UsageTable *usage;
    _Atomic uint64_t txn_id_last;
    pthread_mutex_t idle_mutex; /* guards idle and idle_count; nothing is taken under it */
    Txn *idle;                  /* ended transactions whose memory is used again */
    int idle_count;
};

/* A snapshot stays while a scan on it is open, also when the next statement has a newer one. */
typedef struct TxnSnapshot {
    struct TxnSnapshot *next; /* among the retained ones */
    KvSnapshot *kv;           /* NULL: not open */
    int scans;
    bool stale; /* to be renewed before it is read */
    int64_t since_us; /* when it was opened or renewed; 0: it pins no pages */
} TxnSnapshot;

typedef struct EndHook {
    void (*run)(void *argument, bool committed);
    void *argument;
} EndHook;

typedef struct TableLock {
    uint32_t table_id;
    TableLockMode mode;
} TableLock;

/* What txn_view_hold keeps. Paused: between txn_newest_begin and txn_newest_end, and in txn_lock_present. */
typedef struct TxnView {
    OverlayCursor cursor;
    bool held, paused;
} TxnView;

struct Txn {
    Store *store;
    Txn *next; /* among the idle ones */
    uint64_t id;
    TxnOptions options;
    Arena *arena;
    Arena *statement_arena; /* copies of values that no snapshot holds; emptied when a statement begins */
    LockOwner *owner;
    TxnSnapshot *current;  /* NULL: none yet */
    TxnSnapshot *retained; /* older, with open scans */
    TxnSnapshot *spare;
    TxnSnapshot *set_aside; /* the transaction's own, between txn_newest_begin and txn_newest_end */
    KvSnapshot *newest; /* for txn_get_locked; paused between uses */
    bool guarded;       /* holds a guard of the engine */
    bool tracks_reads;  /* SERIALIZABLE: whatever is read must be unchanged at the commit */
    bool tracks_after;  /* tracks_reads, once txn_newest_end is called */
    bool writes;
    Overlay overlay;
    TxnView view;
    ReadSet reads; /* what must be unchanged at the commit: see txn_get_locked */
    VEC(EndHook) hooks;
    VEC(TableLock) table_locks;
    TxnScan *scans_open, *scans_idle;
    TxnCounters counters;
    TxnWatch watch; /* NULL: nobody */
    void *watch_argument;
    uint8_t counter[8]; /* the last sum of a WRITE_ADD */
    Slice *batch_keys;  /* for get_many: keys in order, what was found */
    Slice *batch_values;
    bool *batch_found;
    int *batch_places;
    int batch_capacity;
    RangeNotes *notes; /* NULL: none yet */
};

/* The snapshot to read from, opened or renewed if need be. */
Status txn_snapshot(Txn *txn, TxnSnapshot **snapshot, Error *err);
void txn_snapshot_release(Txn *txn, TxnSnapshot *snapshot); /* a scan on it has ended */
/* The error of a run that could not be read, if there was one. */
Status txn_own_failure(const Txn *txn, Error *err);
/* What a write of this transaction makes of the store's pair (found, value). An add's sum is put into counter. */
bool txn_write_over(const Write *write, bool found, Slice *value, uint8_t counter[8]);
void txn_writes_start(Txn *txn);
const Write *txn_write_seen(Txn *txn, Slice key);
static inline bool txn_view_applies(const Txn *txn)
{
    return txn->view.held && !txn->view.paused;
}
void txn_snapshots_end(Txn *txn); /* closes all; no scan is open */
void txn_destroy(Txn *txn);      /* an idle one */
void txn_scans_end(Txn *txn);    /* closes all */
void txn_scans_destroy(Txn *txn); /* frees the idle ones */

#endif
