/* sys_store.c - rowkey.store: the file under the server, in one row. */
#include "executor/stmt_internal.h"
#include "executor/system/sys_row.h"
#include "executor/system/system.h"
#include "storage/kv/kv.h"

static Status fill_store(SystemCtx *ctx)
{
    const Server *server = state_of(ctx->fn.session)->server;
    KvStatus status = {0};
    kv_status(store_kv(server->store), &status);
    SysRow r = sys_begin(ctx);
    sys_int(&r, (int64_t)status.file_bytes);
    sys_int(&r, (int64_t)status.used_bytes);
    sys_int(&r, (int64_t)status.free_bytes);
    sys_int(&r, (int64_t)status.map_bytes);
    sys_int(&r, (int64_t)status.log_bytes);
    sys_int(&r, status.snapshots_open);
    sys_int(&r, status.readers_max);
    sys_int(&r, (int64_t)store_version(server->store));
    sys_int(&r, (int64_t)status.commits);
    sys_int(&r, (int64_t)status.groups);
    sys_int(&r, (int64_t)status.syncs);
    return sys_emit(&r);
}

/* clang-format off */
const SystemRelation sys_store_rows[] = {
    {9790, "rowkey", "store", "file_bytes int8, used_bytes int8, free_bytes int8, map_bytes int8, log_bytes int8, "
     "snapshots_open int8, snapshots_max int8, version int8, commits int8, commit_groups int8, syncs int8", fill_store, NULL, NULL},
    {0},
};
