/* kv.h - one ordered map from bytes to bytes, as all of rowkey sees it.
 *
 *   - Keys compare by memcmp; a prefix sorts first. Keys of 1 to 8192 bytes and values of 0 to 64 MiB work on every
 *     engine; longer ones are refused with 54000 before anything is written.
 *   - A KvSnapshot sees one commit point for its whole life. It belongs to one thread at a time.
 *   - A KvBatch is committed wholly or not at all; the commit thread of the engine applies all waiting batches with one
 *     sync. Outcomes: committed, or a conflict: a span the batch declared unchanged has changed since its snapshot.
 *   - A Slice handed out is borrowed from the block it came in, until the block is released (at the latest until the
 *     snapshot is closed or renewed). Not aligned.
 *   - No transaction of the engine is ever open across two calls that write.
 * SQLSTATEs: 53100 disk or map full, 58030 I/O error, 40001 snapshot too old, 54000 too large. Any thread may call.
 * Engines, opened by name: "lmdb" (redo.c: LMDB behind a redo log), "plain:lmdb" (lmdb.c alone), "memory" (memory.c, for
 * tests), and "fault:" before one of them (fault.c: fails its n-th call).
 *   - An empty end of a span means: to the last key.
 */
#ifndef STORAGE_KV_KV_H
#define STORAGE_KV_KV_H

#include "storage/base/err.h"

typedef struct Kv Kv;
typedef struct KvSnapshot KvSnapshot;
typedef struct KvScan KvScan;

typedef struct KvOptions {
    bool no_sync;
    int readers_max;      /* snapshots that may be open at once */
    uint64_t map_bytes;   /* reserved address space; 0: 1 TiB */
    size_t table_bytes_max; /* of commits in memory, before they go from the log into the file; 0: 32 MiB */
} KvOptions;

typedef struct KvLimits {
    size_t key_bytes_max, value_bytes_max, batch_bytes_max;
} KvLimits;

Status kv_open(const char *engine, const char *directory, const KvOptions *options, Kv **kv, Arena *arena, Error *err);
void kv_close(Kv *kv);
const KvLimits *kv_limits(const Kv *kv);
uint64_t kv_version(const Kv *kv); /* of the newest commit */

/* ---- reading ---- */

/* Sees at least every commit that was acknowledged before the call. */
Status kv_snapshot_open(Kv *kv, KvSnapshot **snapshot, Error *err);
/* The same object at the newest commit; cheap. Scans must be closed before. */
Status kv_snapshot_renew(KvSnapshot *snapshot, Error *err);
/* Gives up the commit point, so that no pages are pinned; only renew or close may follow. */
void kv_snapshot_pause(KvSnapshot *snapshot);
void kv_snapshot_close(KvSnapshot *snapshot);
uint64_t kv_snapshot_version(const KvSnapshot *snapshot);

/* found[i] and values[i] for each key. Quickest when the keys are sorted. Values are valid until the snapshot is renewed,
 * paused or closed. */
Status kv_get_many(KvSnapshot *snapshot, const Slice *keys, int n, bool *found, Slice *values, Error *err);

typedef struct KvPair {
    Slice key, value;
} KvPair;
typedef struct KvBlock {
    const KvPair *pairs; /* valid until the next kv_scan_next, seek or close of the scan */
    int count;
} KvBlock;

/* start <= key < end; descending goes from the end. Blocks hold at most rows_max pairs, starting small and growing. */
Status kv_scan_open(KvSnapshot *snapshot, Slice start, Slice end, bool descending, int rows_max, KvScan **scan, Error *err);
Status kv_scan_next(KvScan *scan, KvBlock *block, Error *err); /* ST_END: nothing is left */
/* Continues at the first key >= (descending: <) key. */
Status kv_scan_seek(KvScan *scan, Slice key, Error *err);
void kv_scan_close(KvScan *scan);

/* ---- writing ---- */

typedef enum KvOpKind { KV_PUT, KV_DELETE, KV_DELETE_SPAN, KV_ADD } KvOpKind;
typedef struct KvOp {
    KvOpKind kind;
    Slice key, end;  /* end: KV_DELETE_SPAN, exclusive */
    Slice value;     /* KV_PUT */
    int64_t delta;   /* KV_ADD: on 8 bytes, big-endian two's complement; absent counts as 0 */
} KvOp;

typedef struct KvSpan {
    Slice start, end;
} KvSpan;

/* Operations come in order from `next`, so a batch larger than memory can be streamed from sorted runs. */
typedef struct KvBatch {
    uint64_t snapshot_version; /* what `unchanged` was read at */
    const KvSpan *unchanged;   /* no key in them may have been committed since; sorted */
    int unchanged_count;
    bool no_wait_sync; /* return when applied in order, before it is durable */
    bool large;        /* known to be of several MiB: an engine need not find that out by trying */
    bool (*next)(void *argument, KvOp *op); /* false: no more; Slices valid until the next call */
    void (*rewind)(void *argument);         /* the group is tried again */
    void *argument;
} KvBatch;

/* While somebody holds a guard, commits are remembered, so that `unchanged` can be judged. Take it before the snapshot is
 * opened; a batch whose snapshot was opened before its guard may be answered KV_TOO_OLD, and so may one whose guard was
 * taken in the middle of a commit of thousands of keys. */
void kv_guard_acquire(Kv *kv);
void kv_guard_release(Kv *kv);

typedef enum KvOutcome { KV_COMMITTED, KV_CONFLICT, KV_TOO_OLD, KV_FAILED, KV_UNKNOWN } KvOutcome;

/* Blocks until the outcome is known. *version: of the commit. KV_FAILED and KV_UNKNOWN fill err. */
KvOutcome kv_commit(Kv *kv, const KvBatch *batch, uint64_t *version, Error *err);
/* The same with a plain array of operations. */
KvOutcome kv_commit_ops(Kv *kv, const KvOp *ops, int count, uint64_t *version, Error *err);

/* Told on the committing thread (never two at once) of each pair that a commit changes, and asked at the end of the group for operations to be
 * applied in the same engine commit (they are not observed). Sizes are value bytes, -1 = absent. One observer per Kv. */
typedef struct KvObserver {
    void (*changed)(void *argument, Slice key, int64_t old_size, int64_t new_size);
    bool (*flush)(void *argument, KvOp *op); /* called until false */
    /* committed: make the sums of this group the truth; else forget them. version: of the group's commit. */
    void (*ended)(void *argument, bool committed, uint64_t version);
    void *argument;
} KvObserver;
void kv_observe(Kv *kv, const KvObserver *observer);

/* The 8 bytes that KV_ADD works on; anything else than 8 bytes counts as 0. */
int64_t kv_counter_decode(Slice value);
void kv_counter_encode(int64_t counter, uint8_t out[8]);

/* ---- looking after it ---- */
typedef struct KvStatus {
    uint64_t file_bytes, used_bytes, free_bytes, map_bytes; /* free: in the file, to be used again before it grows */
    uint64_t log_bytes; /* of the redo log, which lies beside the file */
    int snapshots_open, readers_max;
    uint64_t commits, groups, syncs;
} KvStatus;
void kv_status(Kv *kv, KvStatus *status);

/* Brings all that was committed before the call into the engine's main file ("data.mdb" of the LMDB engine), synced. */
Status kv_checkpoint(Kv *kv, Error *err);
/* Writes a compact copy of the store, as of one commit point not before the call, into an empty file that is open for
 * writing; reading and writing go on meanwhile. A directory in which it is called "data.mdb" can be opened. Not synced.
 * 0A000: the engine keeps no file. */
Status kv_backup(Kv *kv, int file, Error *err);

/* fault.c: makes the n-th call from now of the wrapped engine fail (0: none). Only for "fault:" engines. */
typedef enum KvFaultKind { KV_FAULT_IO, KV_FAULT_DISK_FULL, KV_FAULT_CONFLICT, KV_FAULT_UNKNOWN } KvFaultKind;
void kv_fault_arm(Kv *kv, uint64_t n, KvFaultKind kind);

#endif
