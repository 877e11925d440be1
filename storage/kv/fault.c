/* fault.c - wraps an engine and makes its n-th call fail, so that every error path above can be walked.
 *
 * Calls that can fail are counted: snapshot open and renew, get_many, scan open, next and seek, commit. Between, all goes
 * through. An armed KV_FAULT_UNKNOWN on a commit applies it when n is even and drops it when n is odd; on a read it is an
 * I/O error, as KV_FAULT_CONFLICT is.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "storage/kv/kv_internal.h"

typedef struct FaultKv {
    Kv base;
    Kv *wrapped;
    _Atomic int64_t calls_left; /* before the one that fails; 0: none is to fail */
    _Atomic uint64_t n;
    _Atomic int kind;
} FaultKv;

typedef struct FaultSnapshot {
    KvSnapshot base;
    KvSnapshot *wrapped;
} FaultSnapshot;

typedef struct FaultScan {
    KvScan base;
    KvScan *wrapped;
} FaultScan;

Status kv_fault_wrap(Kv *wrapped, Kv **kv)
{
    FaultKv *fault = calloc(1, sizeof *fault);
    if (!fault) abort();
    fault->base.engine = &kv_engine_fault;
    fault->wrapped = wrapped;
    *kv = &fault->base;
    return ST_OK;
}

void kv_fault_arm(Kv *kv, uint64_t n, KvFaultKind kind)
{
    FaultKv *fault = (FaultKv *)kv;
    if (kv->engine != &kv_engine_fault) return;
    atomic_store(&fault->kind, (int)kind);
    atomic_store(&fault->n, n);
    atomic_store(&fault->calls_left, (int64_t)n);
}

/* Whether this call is the one. */
static bool strikes(Kv *kv)
{
    FaultKv *fault = (FaultKv *)kv;
    if (atomic_load(&fault->calls_left) <= 0) return false;
    return atomic_fetch_sub(&fault->calls_left, 1) == 1;
}

static Status fault_error(Kv *kv, Error *err)
{
    FaultKv *fault = (FaultKv *)kv;
    bool full = atomic_load(&fault->kind) == KV_FAULT_DISK_FULL;
    *err = full ? (Error){.sqlstate = ERR_DISK_FULL, .message = "could not extend the store: No space left on device"}
                : (Error){.sqlstate = ERR_IO_ERROR, .message = "could not read the store: Input/output error"};
    return ST_ERROR;
}

static void fault_close(Kv *kv)
{
    kv_close(((FaultKv *)kv)->wrapped);
    free(kv);
}

static uint64_t fault_version(const Kv *kv)
{
    return kv_version(((const FaultKv *)kv)->wrapped);
}

static Status fault_snapshot_open(Kv *kv, KvSnapshot **snapshot, Error *err)
{
    if (strikes(kv)) return fault_error(kv, err);
    KvSnapshot *wrapped;
    TRY(kv_snapshot_open(((FaultKv *)kv)->wrapped, &wrapped, err));
    FaultSnapshot *opened = calloc(1, sizeof *opened);
    if (!opened) abort();
    opened->base = (KvSnapshot){kv, wrapped->version};
    opened->wrapped = wrapped;
    *snapshot = &opened->base;
    return ST_OK;
}

static Status fault_snapshot_renew(KvSnapshot *snapshot, Error *err)
{
    FaultSnapshot *own = (FaultSnapshot *)snapshot;
    if (strikes(snapshot->kv)) return fault_error(snapshot->kv, err);
    TRY(kv_snapshot_renew(own->wrapped, err));
    snapshot->version = own->wrapped->version;
    return ST_OK;
}

static void fault_snapshot_pause(KvSnapshot *snapshot)
{
    kv_snapshot_pause(((FaultSnapshot *)snapshot)->wrapped);
}

static void fault_snapshot_close(KvSnapshot *snapshot)
{
    kv_snapshot_close(((FaultSnapshot *)snapshot)->wrapped);
    free(snapshot);
}

static Status fault_get_many(KvSnapshot *snapshot, const Slice *keys, int n, bool *found, Slice *values, Error *err)
{
    if (strikes(snapshot->kv)) return fault_error(snapshot->kv, err);
    return kv_get_many(((FaultSnapshot *)snapshot)->wrapped, keys, n, found, values, err);
}

static Status fault_scan_open(KvSnapshot *snapshot, const KvSpan *span, bool descending, int rows_max, KvScan **scan,
                              Error *err)
{
    if (strikes(snapshot->kv)) return fault_error(snapshot->kv, err);
    KvScan *wrapped;
    FaultSnapshot *own = (FaultSnapshot *)snapshot;
    TRY(kv_scan_open(own->wrapped, span->start, span->end, descending, rows_max, &wrapped, err));
    FaultScan *opened = calloc(1, sizeof *opened);
    if (!opened) abort();
    opened->base.snapshot = snapshot;
    opened->wrapped = wrapped;
    *scan = &opened->base;
    return ST_OK;
}

static Status fault_scan_next(KvScan *scan, KvBlock *block, Error *err)
{
    if (strikes(scan->snapshot->kv)) return fault_error(scan->snapshot->kv, err);
    return kv_scan_next(((FaultScan *)scan)->wrapped, block, err);
}

static Status fault_scan_seek(KvScan *scan, Slice key, Error *err)
{
    if (strikes(scan->snapshot->kv)) return fault_error(scan->snapshot->kv, err);
    return kv_scan_seek(((FaultScan *)scan)->wrapped, key, err);
}

static void fault_scan_close(KvScan *scan)
{
    kv_scan_close(((FaultScan *)scan)->wrapped);
    free(scan);
}

static void fault_guard(Kv *kv, int change)
{
    Kv *wrapped = ((FaultKv *)kv)->wrapped;
    wrapped->engine->guard(wrapped, change);
}

static KvOutcome fault_commit(Kv *kv, const KvBatch *batch, uint64_t *version, Error *err)
{
    FaultKv *fault = (FaultKv *)kv;
    if (!strikes(kv)) return kv_commit(fault->wrapped, batch, version, err);
    switch ((KvFaultKind)atomic_load(&fault->kind)) {
    case KV_FAULT_CONFLICT:
        return KV_CONFLICT;
    case KV_FAULT_UNKNOWN:
        if (atomic_load(&fault->n) % 2 == 0) (void)kv_commit(fault->wrapped, batch, version, err);
        *err = (Error){.sqlstate = ERR_TRANSACTION_RESOLUTION_UNKNOWN, .message = "outcome of the commit is unknown"};
        return KV_UNKNOWN;
    case KV_FAULT_IO:
    case KV_FAULT_DISK_FULL:
        break;
    }
    (void)fault_error(kv, err);
    return KV_FAILED;
}

static void fault_observe(Kv *kv, const KvObserver *observer)
{
    kv_observe(((FaultKv *)kv)->wrapped, observer);
}

static void fault_status(Kv *kv, KvStatus *status)
{
    kv_status(((FaultKv *)kv)->wrapped, status);
}

static Status fault_checkpoint(Kv *kv, Error *err)
{
    return kv_checkpoint(((FaultKv *)kv)->wrapped, err);
}

static Status fault_backup(Kv *kv, int file, Error *err)
{
    return kv_backup(((FaultKv *)kv)->wrapped, file, err);
}

const KvEngine kv_engine_fault = {
    .name = "fault",
    .close = fault_close,
    .version = fault_version,
    .snapshot_open = fault_snapshot_open,
    .snapshot_renew = fault_snapshot_renew,
    .snapshot_pause = fault_snapshot_pause,
    .snapshot_close = fault_snapshot_close,
    .get_many = fault_get_many,
    .scan_open = fault_scan_open,
    .scan_next = fault_scan_next,
    .scan_seek = fault_scan_seek,
    .scan_close = fault_scan_close,
    .guard = fault_guard,
    .commit = fault_commit,
    .observe = fault_observe,
    .status = fault_status,
    .checkpoint = fault_checkpoint,
    .backup = fault_backup,
};
