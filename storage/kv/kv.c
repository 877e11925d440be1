#include "storage/kv/kv.h"

#include <assert.h>
#include <stdlib.h>

#include "storage/base/buf.h"
#include "storage/kv/kv_internal.h"

static const KvLimits limits = {KV_KEY_BYTES_MAX, KV_VALUE_BYTES_MAX, SIZE_MAX};

static Status open_plain(const char *engine, const char *directory, const KvOptions *options, Kv **kv, Arena *arena,
                         Error *err)
{
    if (strcmp(engine, "lmdb") == 0) return kv_redo_open(directory, options, kv, arena, err);
    if (strcmp(engine, "plain:lmdb") == 0) return kv_plain_open(directory, options, kv, arena, err);
    if (strcmp(engine, "memory") == 0) return kv_memory_open(kv);
    return err_set(err, arena, ERR_INVALID_PARAMETER_VALUE, "unknown storage engine \"%s\"", engine);
}

Status kv_open(const char *engine, const char *directory, const KvOptions *options, Kv **kv, Arena *arena, Error *err)
{
    static const char fault_prefix[] = "fault:";
    size_t prefix_size = sizeof fault_prefix - 1;
    bool faulty = strncmp(engine, fault_prefix, prefix_size) == 0;
    *kv = NULL;
    TRY(open_plain(faulty ? engine + prefix_size : engine, directory, options, kv, arena, err));
    (*kv)->limits = limits;
    if (!faulty) return ST_OK;
    TRY(kv_fault_wrap(*kv, kv));
    (*kv)->limits = limits;
    return ST_OK;
}

void kv_close(Kv *kv)
{
    if (kv) kv->engine->close(kv);
}

const KvLimits *kv_limits(const Kv *kv)
{
    return &kv->limits;
}

uint64_t kv_version(const Kv *kv)
{
    return kv->engine->version(kv);
}

Status kv_snapshot_open(Kv *kv, KvSnapshot **snapshot, Error *err)
{
    *snapshot = NULL;
    TRY(kv->engine->snapshot_open(kv, snapshot, err));
    assert((*snapshot)->kv == kv);
    return ST_OK;
}

Status kv_snapshot_renew(KvSnapshot *snapshot, Error *err)
{
    return snapshot->kv->engine->snapshot_renew(snapshot, err);
}

void kv_snapshot_pause(KvSnapshot *snapshot)
{
    snapshot->kv->engine->snapshot_pause(snapshot);
}

void kv_snapshot_close(KvSnapshot *snapshot)
{
    if (snapshot) snapshot->kv->engine->snapshot_close(snapshot);
}

uint64_t kv_snapshot_version(const KvSnapshot *snapshot)
{
    return snapshot->version;
}

Status kv_get_many(KvSnapshot *snapshot, const Slice *keys, int n, bool *found, Slice *values, Error *err)
{
    return snapshot->kv->engine->get_many(snapshot, keys, n, found, values, err);
}

Status kv_scan_open(KvSnapshot *snapshot, Slice start, Slice end, bool descending, int rows_max, KvScan **scan, Error *err)
{
    KvSpan span = {start, end};
    *scan = NULL;
    if (rows_max <= 0 || rows_max > KV_BLOCK_ROWS_MAX) rows_max = KV_BLOCK_ROWS_MAX;
    return snapshot->kv->engine->scan_open(snapshot, &span, descending, rows_max, scan, err);
}

Status kv_scan_next(KvScan *scan, KvBlock *block, Error *err)
{
    return scan->snapshot->kv->engine->scan_next(scan, block, err);
}

Status kv_scan_seek(KvScan *scan, Slice key, Error *err)
{
    return scan->snapshot->kv->engine->scan_seek(scan, key, err);
}

void kv_scan_close(KvScan *scan)
{
    if (scan) scan->snapshot->kv->engine->scan_close(scan);
}

void kv_guard_acquire(Kv *kv)
{
    kv->engine->guard(kv, 1);
}

void kv_guard_release(Kv *kv)
{
    kv->engine->guard(kv, -1);
}

KvOutcome kv_commit(Kv *kv, const KvBatch *batch, uint64_t *version, Error *err)
{
    return kv->engine->commit(kv, batch, version, err);
}

typedef struct OpArray {
    const KvOp *ops;
    int count, position;
} OpArray;

static bool array_next(void *argument, KvOp *op)
{
    OpArray *array = argument;
    if (array->position == array->count) return false;
    *op = array->ops[array->position++];
    return true;
}

static void array_rewind(void *argument)
{
    ((OpArray *)argument)->position = 0;
}

KvOutcome kv_commit_ops(Kv *kv, const KvOp *ops, int count, uint64_t *version, Error *err)
{
    OpArray array = {ops, count, 0};
    KvBatch batch = {.next = array_next, .rewind = array_rewind, .argument = &array};
    return kv_commit(kv, &batch, version, err);
}

void kv_observe(Kv *kv, const KvObserver *observer)
{
    kv->engine->observe(kv, observer);
}

void kv_status(Kv *kv, KvStatus *status)
{
    *status = (KvStatus){0};
    kv->engine->status(kv, status);
}

Status kv_checkpoint(Kv *kv, Error *err)
{
    return kv->engine->checkpoint(kv, err);
}

Status kv_backup(Kv *kv, int file, Error *err)
{
    return kv->engine->backup(kv, file, err);
}

Status kv_op_check(const KvOp *op, Error *err)
{
    bool key_fits = op->key.size >= 1 && op->key.size <= KV_KEY_BYTES_MAX;
    if (op->kind != KV_DELETE_SPAN && !key_fits) {
        *err = (Error){.sqlstate = ERR_PROGRAM_LIMIT_EXCEEDED, .message = "key is longer than 8192 bytes"};
        return ST_ERROR;
    }
    if (op->kind == KV_PUT && op->value.size > KV_VALUE_BYTES_MAX) {
        *err = (Error){.sqlstate = ERR_PROGRAM_LIMIT_EXCEEDED, .message = "row is larger than 64 MB"};
        return ST_ERROR;
    }
    return ST_OK;
}

int64_t kv_counter_decode(Slice value)
{
    return value.size == 8 ? (int64_t)load_u64(value.data) : 0;
}

void kv_counter_encode(int64_t counter, uint8_t out[8])
{
    for (int i = 0; i < 8; i++) out[i] = (uint8_t)((uint64_t)counter >> (56 - 8 * i));
}
