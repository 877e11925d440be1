/* redo.c - the LMDB engine with its redo log: opening, snapshots. How it works is told in redo_internal.h. */
#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>

#include "storage/kv/redo_internal.h"

/* The leader's view and the copy for a backup have reader slots of their own. */
enum { READERS_DEFAULT = 1024, READERS_OWN = 4, TABLE_BYTES_DEFAULT = 32 << 20, RECENT_BYTES_MAX = 64 << 20 };

static void redo_close(Kv *base);

static Status start(RedoKv *kv, const char *directory, const KvOptions *options, Arena *arena, Error *err)
{
    KvOptions lower_options = *options;
    lower_options.readers_max = kv->readers_max + READERS_OWN;
    TRY(kv_lmdb_open(directory, &lower_options, &kv->lower, arena, err));
    TRY(redo_log_open(directory, options->no_sync, &kv->log, arena, err));
    TRY(redo_recover(kv, arena, err));
    TRY(redo_snapshot_create(kv, &kv->view, err));
    redo_snapshot_pause(&kv->view->base);
    kv->recent = recent_commits_create(RECENT_BYTES_MAX, atomic_load(&kv->version));
    redo_flusher_start(kv);
    return ST_OK;
}

Status kv_redo_open(const char *directory, const KvOptions *options, Kv **out, Arena *arena, Error *err)
{
    RedoKv *kv = calloc(1, sizeof *kv);
    if (!kv) return err_no_memory(err);
    kv->base.engine = &kv_engine_redo;
    kv->readers_max = options->readers_max > 0 ? options->readers_max : READERS_DEFAULT;
    kv->table_bytes_max = options->table_bytes_max ? options->table_bytes_max : TABLE_BYTES_DEFAULT;
    commit_queue_init(&kv->queue);
    pthread_mutex_init(&kv->writer_mutex, NULL);
    pthread_mutex_init(&kv->flush_mutex, NULL);
    pthread_mutex_init(&kv->state_mutex, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&kv->flush_wanted, &monotonic);
    pthread_cond_init(&kv->flush_ended, NULL);
    pthread_condattr_destroy(&monotonic);
    if (start(kv, directory, options, arena, err) != ST_OK) {
        redo_close(&kv->base);
        return ST_ERROR;
    }
    *out = &kv->base;
    return ST_OK;
}

static void snapshot_destroy(RedoSnapshot *snapshot)
{
    redo_scans_destroy(snapshot);
    mem_table_release(snapshot->active);
    mem_table_release(snapshot->frozen);
    kv_snapshot_close(snapshot->lower);
    free(snapshot);
}

/* What cannot be brought down into LMDB stays in the log, for the next start. */
static void log_end(RedoKv *kv)
{
    bool flushed = kv->flusher_runs;
    redo_flusher_stop(kv);
    if (flushed) {
        pthread_mutex_lock(&kv->writer_mutex);
        flushed = redo_flush_all(kv) == 0;
        pthread_mutex_unlock(&kv->writer_mutex);
    }
    if (flushed)
        redo_log_remove(kv->log);
    else
        redo_log_close(kv->log);
}

static void redo_close(Kv *base)
{
    RedoKv *kv = (RedoKv *)base;
    assert(atomic_load(&kv->snapshots_open) == 0);
    if (kv->log) log_end(kv);
    for (RedoSnapshot *snapshot = kv->idle, *next; snapshot; snapshot = next) {
        next = snapshot->next;
        snapshot_destroy(snapshot);
    }
    if (kv->view) snapshot_destroy(kv->view);
    mem_table_release(kv->active);
    mem_table_release(kv->frozen);
    if (kv->lower) kv_close(kv->lower);
    recent_commits_destroy(kv->recent);
    buf_finish(&kv->record);
    pthread_cond_destroy(&kv->flush_wanted);
    pthread_cond_destroy(&kv->flush_ended);
    pthread_mutex_destroy(&kv->writer_mutex);
    pthread_mutex_destroy(&kv->flush_mutex);
    pthread_mutex_destroy(&kv->state_mutex);
    commit_queue_finish(&kv->queue);
    free(kv);
}

static uint64_t redo_version(const Kv *kv)
{
    return atomic_load(&((const RedoKv *)kv)->version);
}

/* ---- snapshots ---- */

static void table_change(MemTable **held, MemTable *table)
{
    if (*held == table) return;
    mem_table_release(*held);
    *held = table;
    if (table) mem_table_hold(table);
}

/* The version and the tables; *newest: LMDB's transactions up to this one fit to them. *direct: the version of a commit
 * that may be in the transaction after *newest; 0: none. */
static void tables_take(RedoKv *kv, RedoSnapshot *snapshot, uint64_t *newest, uint64_t *direct)
{
    pthread_mutex_lock(&kv->state_mutex);
    snapshot->base.version = atomic_load(&kv->version);
    table_change(&snapshot->active, kv->active);
    table_change(&snapshot->frozen, kv->frozen);
    *newest = kv->lmdb_newest + (kv->frozen != NULL);
    *direct = kv->direct_version;
    pthread_mutex_unlock(&kv->state_mutex);
}

Status redo_snapshot_renew(KvSnapshot *base, Error *err)
{
    RedoSnapshot *snapshot = (RedoSnapshot *)base;
    RedoKv *kv = (RedoKv *)base->kv;
    uint64_t newest, direct;
    assert(snapshot->scans_open == 0);
    for (;;) {
        tables_take(kv, snapshot, &newest, &direct);
        Status status = kv_snapshot_renew(snapshot->lower, err);
        if (status != ST_OK) redo_snapshot_pause(base);
        if (status != ST_OK) return status;
        uint64_t transaction = kv_snapshot_version(snapshot->lower);
        if (transaction <= newest) return ST_OK;
        /* It is there for good, though its leader has not yet said so. Both tables were empty before it. */
        if (direct && transaction == newest + 1) snapshot->base.version = direct;
        if (direct && transaction == newest + 1) return ST_OK;
        sched_yield();
    }
}

void redo_snapshot_pause(KvSnapshot *base)
{
    RedoSnapshot *snapshot = (RedoSnapshot *)base;
    assert(snapshot->scans_open == 0);
    table_change(&snapshot->active, NULL);
    table_change(&snapshot->frozen, NULL);
    kv_snapshot_pause(snapshot->lower);
}

Status redo_snapshot_create(RedoKv *kv, RedoSnapshot **out, Error *err)
{
    RedoSnapshot *snapshot = calloc(1, sizeof *snapshot);
    if (!snapshot) return err_no_memory(err);
    snapshot->base.kv = &kv->base;
    Status status = kv_snapshot_open(kv->lower, &snapshot->lower, err);
    if (status == ST_OK)
        *out = snapshot;
    else
        free(snapshot);
    return status;
}

static Status redo_snapshot_open(Kv *base, KvSnapshot **out, Error *err)
{
    RedoKv *kv = (RedoKv *)base;
    Status status = ST_OK;
    if (atomic_fetch_add(&kv->snapshots_open, 1) >= kv->readers_max) {
        atomic_fetch_sub(&kv->snapshots_open, 1);
        *err = (Error){.sqlstate = ERR_TOO_MANY_CONNECTIONS, .message = "too many snapshots are open"};
        return ST_ERROR;
    }
    pthread_mutex_lock(&kv->state_mutex);
    RedoSnapshot *snapshot = kv->idle;
    if (snapshot) kv->idle = snapshot->next;
    pthread_mutex_unlock(&kv->state_mutex);
    if (!snapshot) status = redo_snapshot_create(kv, &snapshot, err);
    if (status == ST_OK) {
        status = redo_snapshot_renew(&snapshot->base, err);
        if (status != ST_OK) snapshot_destroy(snapshot);
    }
    if (status != ST_OK) {
        atomic_fetch_sub(&kv->snapshots_open, 1);
        return status;
    }
    *out = &snapshot->base;
    return ST_OK;
}

static void redo_snapshot_close(KvSnapshot *base)
{
    RedoSnapshot *snapshot = (RedoSnapshot *)base;
    RedoKv *kv = (RedoKv *)base->kv;
    redo_snapshot_pause(base);
    atomic_fetch_sub(&kv->snapshots_open, 1);
    pthread_mutex_lock(&kv->state_mutex);
    snapshot->next = kv->idle;
    kv->idle = snapshot;
    pthread_mutex_unlock(&kv->state_mutex);
}

/* ---- the rest ---- */

static void redo_guard(Kv *kv, int change)
{
    atomic_fetch_add(&((RedoKv *)kv)->guards, change);
}

static void redo_observe(Kv *base, const KvObserver *observer)
{
    RedoKv *kv = (RedoKv *)base;
    pthread_mutex_lock(&kv->writer_mutex);
    kv->observed = observer != NULL;
    if (observer) kv->observer = *observer;
    pthread_mutex_unlock(&kv->writer_mutex);
}

static void redo_status(Kv *base, KvStatus *status)
{
    RedoKv *kv = (RedoKv *)base;
    kv_status(kv->lower, status);
    status->log_bytes = redo_log_bytes(kv->log);
    status->snapshots_open = atomic_load(&kv->snapshots_open);
    status->readers_max = kv->readers_max;
    status->commits = atomic_load(&kv->commits);
    status->groups = atomic_load(&kv->groups);
    status->syncs += redo_log_syncs(kv->log);
}

static Status redo_checkpoint(Kv *base, Error *err)
{
    int rc = redo_flush_older((RedoKv *)base);
    return rc ? lmdb_error(rc, "bring the log into the store", err) : ST_OK;
}

static Status redo_backup(Kv *base, int file, Error *err)
{
    TRY(redo_checkpoint(base, err));
    return kv_backup(((RedoKv *)base)->lower, file, err);
}

const KvEngine kv_engine_redo = {
    .name = "lmdb",
    .close = redo_close,
    .version = redo_version,
    .snapshot_open = redo_snapshot_open,
    .snapshot_renew = redo_snapshot_renew,
    .snapshot_pause = redo_snapshot_pause,
    .snapshot_close = redo_snapshot_close,
    .get_many = redo_get_many,
    .scan_open = redo_scan_open,
    .scan_next = redo_scan_next,
    .scan_seek = redo_scan_seek,
    .scan_close = redo_scan_close,
    .guard = redo_guard,
    .commit = redo_commit,
    .observe = redo_observe,
    .status = redo_status,
    .checkpoint = redo_checkpoint,
    .backup = redo_backup,
};
