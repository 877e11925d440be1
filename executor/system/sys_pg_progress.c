/* What long commands are at: the pg_stat_progress views. COPY and CREATE INDEX have a slot in their session; the others are
 * not followed, so their views are empty. */
#include <pthread.h>

#include "executor/stmt_internal.h"
#include "executor/system/sys_source.h"
#include "executor/system/system.h"

typedef struct ProgressRow {
    uint64_t session;
    DescId database;
    ProgressCommand command;
    Oid table, index;
    IndexPhase phase;
    int64_t bytes, rows, rows_total;
} ProgressRow;

typedef VEC(ProgressRow) ProgressRowVec;

static ProgressRowVec list_progress(SystemCtx *ctx)
{
    SessionState *self = state_of(ctx->fn.session);
    ProgressRowVec list = {0};
    pthread_mutex_lock(&self->server->sessions_lock);
    for (SessionState *s = self->server->sessions; s; s = s->next) {
        ProgressCommand command = (ProgressCommand)atomic_load(&s->progress.command);
        if (command == PROGRESS_NONE) continue;
        ProgressRow row = {.session = s->session.id, .database = s->session.database_id, .command = command,
                           .table = atomic_load(&s->progress.table), .index = atomic_load(&s->progress.index),
                           .phase = (IndexPhase)atomic_load(&s->progress.phase), .bytes = atomic_load(&s->progress.bytes),
                           .rows = atomic_load(&s->progress.rows), .rows_total = atomic_load(&s->progress.rows_total)};
        VEC_PUSH(sys_arena(ctx), list, row);
    }
    pthread_mutex_unlock(&self->server->sessions_lock);
    return list;
}

static SysRow begin_row(SystemCtx *ctx, const ProgressRow *p)
{
    const Desc *database = catalog_find_id(sys_view(ctx), p->database);
    SysRow r = sys_begin(ctx);
    sys_int(&r, (int32_t)p->session);
    sys_int(&r, p->database);
    sys_text(&r, database ? database->name : NULL);
    sys_int(&r, p->table);
    return r;
}

static Status fill_copy(SystemCtx *ctx)
{
    ProgressRowVec list = list_progress(ctx);
    for (int i = 0; i < list.count; i++) {
        const ProgressRow *p = &list.items[i];
        if (p->command == PROGRESS_CREATE_INDEX) continue;
        SysRow r = begin_row(ctx, p);
        sys_text(&r, p->command == PROGRESS_COPY_FROM ? "COPY FROM" : "COPY TO");
        sys_text(&r, "PIPE"); /* from or to the client: there are no files of the server's */
        sys_int(&r, p->bytes);
        sys_int(&r, 0); /* bytes_total: not known of a pipe */
        sys_int(&r, p->rows);
        sys_int(&r, 0); /* tuples_excluded */
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

static const char *phase_text(IndexPhase phase)
{
    switch (phase) {
    case INDEX_PHASE_SCANNING: return "building index: scanning table";
    case INDEX_PHASE_LOADING: return "building index: loading tuples in tree";
    }
    return NULL;
}

static Status fill_create_index(SystemCtx *ctx)
{
    ProgressRowVec list = list_progress(ctx);
    for (int i = 0; i < list.count; i++) {
        const ProgressRow *p = &list.items[i];
        if (p->command != PROGRESS_CREATE_INDEX) continue;
        SysRow r = begin_row(ctx, p);
        sys_int(&r, p->index);
        sys_text(&r, "CREATE INDEX");
        sys_text(&r, phase_text(p->phase));
        for (int n = 0; n < 5; n++) sys_int(&r, 0); /* lockers, blocks */
        sys_int(&r, p->rows_total);
        sys_int(&r, p->rows);
        for (int n = 0; n < 2; n++) sys_int(&r, 0); /* partitions */
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

static Status fill_nothing(SystemCtx *ctx)
{
    return ST_OK;
}

/* clang-format off */
const SystemRelation sys_pg_progress_rows[] = {
    {12322, "pg_catalog", "pg_stat_progress_copy",
     "pid int4, datid oid, datname name, relid oid, command text, type text, bytes_processed int8, "
     "bytes_total int8, tuples_processed int8, tuples_excluded int8",
     fill_copy, NULL, NULL},
    {12312, "pg_catalog", "pg_stat_progress_create_index",
     "pid int4, datid oid, datname name, relid oid, index_relid oid, command text, phase text, "
     "lockers_total int8, lockers_done int8, current_locker_pid int8, blocks_total int8, blocks_done int8, "
     "tuples_total int8, tuples_done int8, partitions_total int8, partitions_done int8",
     fill_create_index, NULL, NULL},
    {12302, "pg_catalog", "pg_stat_progress_vacuum",
     "pid int4, datid oid, datname name, relid oid, phase text, heap_blks_total int8, "
     "heap_blks_scanned int8, heap_blks_vacuumed int8, index_vacuum_count int8, max_dead_tuples int8, "
     "num_dead_tuples int8",
     fill_nothing, NULL, NULL},
    {12297, "pg_catalog", "pg_stat_progress_analyze",
     "pid int4, datid oid, datname name, relid oid, phase text, sample_blks_total int8, "
     "sample_blks_scanned int8, ext_stats_total int8, ext_stats_computed int8, child_tables_total int8, "
     "child_tables_done int8, current_child_table_relid oid",
     fill_nothing, NULL, NULL},
    {12307, "pg_catalog", "pg_stat_progress_cluster",
     "pid int4, datid oid, datname name, relid oid, command text, phase text, cluster_index_relid oid, "
     "heap_tuples_scanned int8, heap_tuples_written int8, heap_blks_total int8, heap_blks_scanned int8, "
     "index_rebuild_count int8",
     fill_nothing, NULL, NULL},
    {12317, "pg_catalog", "pg_stat_progress_basebackup",
     "pid int4, phase text, backup_total int8, backup_streamed int8, tablespaces_total int8, "
     "tablespaces_streamed int8",
     fill_nothing, NULL, NULL},
    {0},
};
