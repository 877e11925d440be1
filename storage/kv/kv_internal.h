/* kv_internal.h - what an engine is to kv.c: a table of functions, and the first members of its objects.
 *
 * An engine embeds Kv, KvSnapshot and KvScan as the first member of its own structs. Arguments reach it checked:
 * rows_max is at least 1. Errors carry literal texts, because most calls have no arena.
 */
#ifndef STORAGE_KV_KV_INTERNAL_H
#define STORAGE_KV_KV_INTERNAL_H

#include "storage/kv/kv.h"

enum { KV_KEY_BYTES_MAX = 8192, KV_VALUE_BYTES_MAX = 64 << 20, KV_BLOCK_ROWS_FIRST = 16, KV_BLOCK_ROWS_MAX = 1024 };

typedef struct KvEngine {
    const char *name;
    void (*close)(Kv *kv);
    uint64_t (*version)(const Kv *kv);
    Status (*snapshot_open)(Kv *kv, KvSnapshot **snapshot, Error *err);
    Status (*snapshot_renew)(KvSnapshot *snapshot, Error *err);
    void (*snapshot_pause)(KvSnapshot *snapshot);
    void (*snapshot_close)(KvSnapshot *snapshot);
    Status (*get_many)(KvSnapshot *snapshot, const Slice *keys, int n, bool *found, Slice *values, Error *err);
    Status (*scan_open)(KvSnapshot *snapshot, const KvSpan *span, bool descending, int rows_max, KvScan **scan, Error *err);
    Status (*scan_next)(KvScan *scan, KvBlock *block, Error *err);
    Status (*scan_seek)(KvScan *scan, Slice key, Error *err);
    void (*scan_close)(KvScan *scan);
    void (*guard)(Kv *kv, int change);
    KvOutcome (*commit)(Kv *kv, const KvBatch *batch, uint64_t *version, Error *err);
    void (*observe)(Kv *kv, const KvObserver *observer);
    void (*status)(Kv *kv, KvStatus *status);
    Status (*checkpoint)(Kv *kv, Error *err);
    Status (*backup)(Kv *kv, int file, Error *err);
} KvEngine;

struct Kv {
    const KvEngine *engine;
    KvLimits limits;
};

struct KvSnapshot {
    Kv *kv;
    uint64_t version;
};

struct KvScan {
    KvSnapshot *snapshot;
};

extern const KvEngine kv_engine_redo, kv_engine_lmdb, kv_engine_memory, kv_engine_fault;

Status kv_lmdb_open(const char *directory, const KvOptions *options, Kv **kv, Arena *arena, Error *err);
Status kv_plain_open(const char *directory, const KvOptions *options, Kv **kv, Arena *arena, Error *err);
Status kv_redo_open(const char *directory, const KvOptions *options, Kv **kv, Arena *arena, Error *err);
Status kv_memory_open(Kv **kv);
Status kv_fault_wrap(Kv *wrapped, Kv **kv);

/* 54000 for what no engine may store. */
Status kv_op_check(const KvOp *op, Error *err);

/* Whether start <= key < end. */
static inline bool kv_span_holds(const KvSpan *span, Slice key)
{
    return slice_compare(key, span->start) >= 0 && (!span->end.size || slice_compare(key, span->end) < 0);
}

#endif
