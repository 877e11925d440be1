/* sys_snapshots.c - rowkey.snapshots: the sessions that hold a snapshot, and so keep pages from being used again. */
#include "executor/held_snapshots.h"
#include "executor/system/sys_row.h"
#include "executor/system/system.h"
#include "storage/base/clock.h"
#include "storage/types/type_interval.h"

/* As PostgreSQL's difference of two moments: whole days apart. */
static Value age_value(int64_t us, Arena *arena)
{
    if (us < 0) us = 0;
    return interval_store((Interval){.us = us % US_PER_DAY, .days = (int32_t)(us / US_PER_DAY)}, arena);
}

static Status fill_snapshots(SystemCtx *ctx)
{
    Server *server = state_of(ctx->fn.session)->server;
    SnapshotHolderVec holders = {0};
    list_snapshot_holders(server, &holders, sys_arena(ctx));
    int64_t now_us = clock_now_us();
    uint64_t newest = store_version(server->store);
    for (int i = 0; i < holders.count; i++) {
        const SnapshotHolder *holder = &holders.items[i];
        SysRow r = sys_begin(ctx);
        sys_int(&r, (int64_t)(holder->session_id & 0x7fffffff));
        sys_text(&r, holder->user);
        sys_text(&r, holder->now->application);
        sys_text(&r, isolation_words(holder->held.isolation));
        sys_int(&r, holder->held.since_us);
        sys_value(&r, age_value(now_us - holder->held.since_us, sys_arena(ctx)));
        sys_int(&r, (int64_t)holder->held.version);
        sys_int(&r, (int64_t)(newest - holder->held.version));
        sys_text(&r, activity_state_words(holder->now->state));
        sys_text(&r, holder->now->query);
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

/* clang-format off */
const SystemRelation sys_snapshots_rows[] = {
    {9791, "rowkey", "snapshots", "pid int4, usename name, application_name text, isolation text, since timestamptz, "
     "age interval, version int8, versions_behind int8, state text, query text", fill_snapshots, NULL, NULL},
    {0},
};
