/* lmdb.c - the map on disk: opening it, snapshots, reads. Commits are in lmdb_commit.c.
 *
 * A snapshot is a read transaction with its reader slot; closed ones are kept and renewed. Slots are not bound to threads
 * (MDB_NOTLS). LMDB's transaction number of the newest commit is the version.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/base/log.h"
#include "storage/kv/lmdb_internal.h"
#include "storage/kv/lmdb_long_key.h"

/* Long keys are put together here, a block's worth at a time; room for several of the longest. */
enum { KEY_AREA_BYTES = 64 * 1024, RECENT_BYTES_MAX = 64 << 20, READERS_DEFAULT = 1024 };

typedef struct LmdbScan LmdbScan;

struct LmdbSnapshot {
    KvSnapshot base;
    LmdbSnapshot *next; /* in the pool */
    MDB_txn *txn;
    MDB_cursor *cursor; /* for get_many */
    bool active;        /* it has a commit point */
    LmdbScan *scans_idle;
    int scans_open;
};

struct LmdbScan {
    KvScan base;
    LmdbScan *next; /* among the idle ones of its snapshot */
    LmdbCursor cursor;
    KvSpan span;
    bool descending;
    bool on_entry; /* the cursor stands on an entry that has not been handed out */
    bool done;
    int rows, rows_max;
    uint8_t *bounds;
    size_t bounds_size_max;
    uint8_t *key_area; /* made when the first long key is met */
    KvPair *pairs;
    int pairs_max;
};

Status lmdb_error(int code, const char *action, Error *err)
{
    switch (code) {
    case MDB_MAP_FULL:
        *err = (Error){.sqlstate = ERR_DISK_FULL, .message = "could not extend the store: its map is full"};
        break;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        *err = (Error){.sqlstate = ERR_DISK_FULL,
                       .message = "could not extend the store: No space left on device",
                       .hint = "Check free disk space."};
        break;
    case ENOMEM:
        return err_no_memory(err);
    case MDB_READERS_FULL:
        *err = (Error){.sqlstate = ERR_TOO_MANY_CONNECTIONS, .message = "too many snapshots are open"};
        break;
    case MDB_CORRUPTED:
    case MDB_PAGE_NOTFOUND:
    case MDB_INVALID:
    case MDB_VERSION_MISMATCH:
        *err = (Error){.sqlstate = ERR_DATA_CORRUPTED, .message = "the store's file is damaged or of another version"};
        break;
    case MDB_TXN_FULL:
        *err = (Error){.sqlstate = ERR_PROGRAM_LIMIT_EXCEEDED, .message = "transaction is too large"};
        break;
    case MDB_PANIC:
        *err = (Error){.sqlstate = ERR_IO_ERROR, .message = "the store has failed to write and takes no more commits"};
        break;
    default:
        *err = (Error){.sqlstate = ERR_IO_ERROR, .message = "could not read or write the store: Input/output error"};
        break;
    }
    log_write(LOG_WARNING, "%s: %s", action, mdb_strerror(code));
    return ST_ERROR;
}

/* ---- opening ---- */

/* What is in a redo log would be missing. */
static Status refuse_log(const char *directory, Arena *arena, Error *err)
{
    for (int i = 0; i < 2; i++)
        if (access(arena_printf(arena, "%s/redo.%d", directory, i), F_OK) == 0)
            return err_set(err, arena, ERR_OBJECT_NOT_IN_PREREQUISITE_STATE, "directory \"%s\" has a redo log", directory);
    return ST_OK;
}

Status kv_plain_open(const char *directory, const KvOptions *options, Kv **kv, Arena *arena, Error *err)
{
    TRY(refuse_log(directory, arena, err));
    return kv_lmdb_open(directory, options, kv, arena, err);
}

static Status directory_lock(LmdbKv *kv, const char *directory, Arena *arena, Error *err)
{
    if (mkdir(directory, 0700) != 0 && errno != EEXIST)
        return err_set(err, arena, ERR_IO_ERROR, "could not create directory \"%s\": %s", directory, strerror(errno));
    const char *path = arena_printf(arena, "%s/rowkey.lock", directory);
    kv->lock_file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (kv->lock_file < 0)
        return err_set(err, arena, ERR_IO_ERROR, "could not open file \"%s\": %s", path, strerror(errno));
    if (flock(kv->lock_file, LOCK_EX | LOCK_NB) != 0)
        return err_set(err, arena, ERR_OBJECT_IN_USE, "data directory \"%s\" is in use by another server", directory);
    return ST_OK;
}

/* Reserving address space needs no disk, but a limit on the process's memory may forbid it: then less has to do. */
static int environment_open(LmdbKv *kv, const char *directory, const KvOptions *options)
{
    uint64_t map_bytes = options->map_bytes ? options->map_bytes : (uint64_t)1 << 40;
    for (;; map_bytes /= 2) {
        unsigned int flags = MDB_NOTLS | (options->no_sync ? MDB_NOSYNC : 0);
        int rc = mdb_env_create(&kv->env);
        if (rc == 0) rc = mdb_env_set_mapsize(kv->env, map_bytes);
        if (rc == 0) rc = mdb_env_set_maxreaders(kv->env, (unsigned int)kv->readers_max);
        if (rc == 0) rc = mdb_env_set_maxdbs(kv->env, 4);
        if (rc == 0) rc = mdb_env_open(kv->env, directory, flags, 0600);
        if (rc == 0) return 0;
        mdb_env_close(kv->env);
        kv->env = NULL;
        if (rc != ENOMEM || map_bytes <= (uint64_t)1 << 28) return rc;
    }
}

static int trees_open(LmdbKv *kv)
{
    MDB_txn *txn;
    int dead = 0;
    int rc = mdb_reader_check(kv->env, &dead);
    if (rc == 0) rc = mdb_txn_begin(kv->env, NULL, 0, &txn);
    if (rc) return rc;
    rc = mdb_dbi_open(txn, "map", MDB_CREATE, &kv->map);
    if (rc == 0) rc = mdb_dbi_open(txn, "layers", MDB_CREATE, &kv->layers);
    if (rc == 0) rc = mdb_dbi_open(txn, "redo", MDB_CREATE, &kv->redo);
    if (rc == 0) rc = lmdb_relief_open(txn, &kv->relief);
    if (rc) {
        mdb_txn_abort(txn);
        return rc;
    }
    rc = mdb_txn_commit(txn);
    if (rc) return rc;
    atomic_store(&kv->version, lmdb_transaction_newest(kv));
    return 0;
}

uint64_t lmdb_transaction_newest(LmdbKv *kv)
{
    MDB_envinfo info;
    mdb_env_info(kv->env, &info);
    return info.me_last_txnid;
}

static void lmdb_close(Kv *base);

Status kv_lmdb_open(const char *directory, const KvOptions *options, Kv **out, Arena *arena, Error *err)
{
    LmdbKv *kv = calloc(1, sizeof *kv);
    if (!kv) return err_no_memory(err);
    kv->base.engine = &kv_engine_lmdb;
    kv->readers_max = options->readers_max > 0 ? options->readers_max : READERS_DEFAULT;
    pthread_mutex_init(&kv->pool_mutex, NULL);
    commit_queue_init(&kv->queue);
    kv->lock_file = -1;
    Status status = directory_lock(kv, directory, arena, err);
    if (status == ST_OK) {
        int rc = environment_open(kv, directory, options);
        if (rc == 0) rc = trees_open(kv);
        if (rc) {
            status = lmdb_error(rc, "open the store", err);
            err_detail(err, arena, "Directory \"%s\": %s.", directory, mdb_strerror(rc));
        }
    }
    if (status != ST_OK) {
        lmdb_close(&kv->base);
        return status;
    }
    kv->recent = recent_commits_create(RECENT_BYTES_MAX, atomic_load(&kv->version));
    *out = &kv->base;
    return ST_OK;
}

static void scan_destroy(LmdbScan *scan)
{
    lmdb_cursor_close(&scan->cursor);
    free(scan->bounds);
    free(scan->key_area);
    free(scan->pairs);
    free(scan);
}

static void snapshot_destroy(LmdbSnapshot *snapshot)
{
    for (LmdbScan *scan = snapshot->scans_idle, *next; scan; scan = next) {
        next = scan->next;
        scan_destroy(scan);
    }
    if (snapshot->cursor) mdb_cursor_close(snapshot->cursor);
    mdb_txn_abort(snapshot->txn);
    free(snapshot);
}

static void lmdb_close(Kv *base)
{
    LmdbKv *kv = (LmdbKv *)base;
    assert(atomic_load(&kv->snapshots_open) == 0);
    for (LmdbSnapshot *snapshot = kv->idle, *next; snapshot; snapshot = next) {
        next = snapshot->next;
        snapshot_destroy(snapshot);
    }
    if (kv->env) mdb_env_close(kv->env);
    if (kv->lock_file >= 0) close(kv->lock_file);
    recent_commits_destroy(kv->recent);
    pthread_mutex_destroy(&kv->pool_mutex);
    commit_queue_finish(&kv->queue);
    free(kv);
}

static uint64_t lmdb_version(const Kv *kv)
{
    return atomic_load(&((const LmdbKv *)kv)->version);
}

/* ---- snapshots ---- */

static void snapshot_started(LmdbSnapshot *snapshot)
{
    snapshot->base.version = mdb_txn_id(snapshot->txn);
    snapshot->active = true;
}

static int snapshot_create(LmdbKv *kv, LmdbSnapshot **out)
{
    LmdbSnapshot *snapshot = calloc(1, sizeof *snapshot);
    if (!snapshot) return ENOMEM;
    snapshot->base.kv = &kv->base;
    int rc = mdb_txn_begin(kv->env, NULL, MDB_RDONLY, &snapshot->txn);
    if (rc) {
        free(snapshot);
        return rc;
    }
    rc = mdb_cursor_open(snapshot->txn, kv->map, &snapshot->cursor);
    if (rc) {
        snapshot_destroy(snapshot);
        return rc;
    }
    snapshot_started(snapshot);
    *out = snapshot;
    return 0;
}

static Status lmdb_snapshot_renew(KvSnapshot *base, Error *err)
{
    LmdbSnapshot *snapshot = (LmdbSnapshot *)base;
    assert(snapshot->scans_open == 0);
    if (snapshot->active) mdb_txn_reset(snapshot->txn);
    snapshot->active = false;
    int rc = mdb_txn_renew(snapshot->txn);
    if (rc) return lmdb_error(rc, "renew a snapshot", err);
    snapshot_started(snapshot);
    rc = mdb_cursor_renew(snapshot->txn, snapshot->cursor);
    return rc ? lmdb_error(rc, "renew a snapshot", err) : ST_OK;
}

static Status lmdb_snapshot_open(Kv *base, KvSnapshot **out, Error *err)
{
    LmdbKv *kv = (LmdbKv *)base;
    pthread_mutex_lock(&kv->pool_mutex);
    LmdbSnapshot *snapshot = kv->idle;
    if (snapshot) kv->idle = snapshot->next;
    pthread_mutex_unlock(&kv->pool_mutex);
    Status status = ST_OK;
    if (snapshot) {
        status = lmdb_snapshot_renew(&snapshot->base, err);
        if (status != ST_OK) snapshot_destroy(snapshot);
    } else {
        int rc = snapshot_create(kv, &snapshot);
        if (rc) status = lmdb_error(rc, "open a snapshot", err);
    }
    if (status != ST_OK) return status;
    atomic_fetch_add(&kv->snapshots_open, 1);
    *out = &snapshot->base;
    return ST_OK;
}

static void lmdb_snapshot_pause(KvSnapshot *base)
{
    LmdbSnapshot *snapshot = (LmdbSnapshot *)base;
    assert(snapshot->scans_open == 0);
    if (snapshot->active) mdb_txn_reset(snapshot->txn);
    snapshot->active = false;
}

static void lmdb_snapshot_close(KvSnapshot *base)
{
    LmdbSnapshot *snapshot = (LmdbSnapshot *)base;
    LmdbKv *kv = (LmdbKv *)base->kv;
    lmdb_snapshot_pause(base);
    atomic_fetch_sub(&kv->snapshots_open, 1);
    pthread_mutex_lock(&kv->pool_mutex);
    snapshot->next = kv->idle;
    kv->idle = snapshot;
    pthread_mutex_unlock(&kv->pool_mutex);
}

static Status lmdb_get_many(KvSnapshot *base, const Slice *keys, int n, bool *found, Slice *values, Error *err)
{
    LmdbSnapshot *snapshot = (LmdbSnapshot *)base;
    LmdbKv *kv = (LmdbKv *)base->kv;
    assert(snapshot->active);
    for (int i = 0; i < n; i++) {
        MDB_val key = lmdb_val(keys[i]), value = {0, NULL};
        int rc = MDB_NOTFOUND;
        if (key.mv_size > LMDB_CHUNK)
            rc = lmdb_long_get(snapshot->txn, kv->map, kv->layers, keys[i], &value);
        else if (key.mv_size)
            rc = mdb_cursor_get(snapshot->cursor, &key, &value, MDB_SET);
        if (rc && rc != MDB_NOTFOUND) return lmdb_error(rc, "read", err);
        found[i] = rc == 0;
        values[i] = rc == 0 ? lmdb_slice(&value) : (Slice){0};
    }
    return ST_OK;
}

/* ---- scans ---- */

static int scan_create(LmdbSnapshot *snapshot, LmdbScan **out)
{
    LmdbKv *kv = (LmdbKv *)snapshot->base.kv;
    LmdbScan *scan = snapshot->scans_idle;
    if (scan) {
        snapshot->scans_idle = scan->next;
        *out = scan;
        return lmdb_cursor_renew(&scan->cursor, snapshot->txn);
    }
    scan = calloc(1, sizeof *scan);
    if (!scan) return ENOMEM;
    *out = scan;
    scan->base.snapshot = &snapshot->base;
    return lmdb_cursor_open(&scan->cursor, snapshot->txn, kv->map, kv->layers);
}

static bool bounds_set(LmdbScan *scan, const KvSpan *span)
{
    size_t size = span->start.size + span->end.size;
    if (size > scan->bounds_size_max) {
        uint8_t *grown = realloc(scan->bounds, size + 64);
        if (!grown) return false;
        scan->bounds = grown;
        scan->bounds_size_max = size + 64;
    }
    if (span->start.size) memcpy(scan->bounds, span->start.data, span->start.size);
    if (span->end.size) memcpy(scan->bounds + span->start.size, span->end.data, span->end.size);
    scan->span.start = slice_of(scan->bounds, span->start.size);
    scan->span.end = slice_of(scan->bounds + span->start.size, span->end.size);
    return true;
}

/* Puts the cursor on the first entry to hand out. */
static int scan_position(LmdbScan *scan, Slice target)
{
    int rc;
    if (!scan->descending)
        rc = lmdb_cursor_seek(&scan->cursor, target);
    else
        rc = target.size ? lmdb_cursor_seek_before(&scan->cursor, target) : lmdb_cursor_last(&scan->cursor);
    scan->done = rc == MDB_NOTFOUND;
    scan->on_entry = rc == 0;
    scan->rows = scan->rows_max < KV_BLOCK_ROWS_FIRST ? scan->rows_max : KV_BLOCK_ROWS_FIRST;
    return scan->done ? 0 : rc;
}

static Status lmdb_scan_open(KvSnapshot *base, const KvSpan *span, bool descending, int rows_max, KvScan **out, Error *err)
{
    LmdbSnapshot *snapshot = (LmdbSnapshot *)base;
    LmdbScan *scan = NULL;
    assert(snapshot->active);
    int rc = scan_create(snapshot, &scan);
    if (rc == 0 && !bounds_set(scan, span)) rc = ENOMEM;
    if (rc == 0) {
        scan->descending = descending;
        scan->rows_max = rows_max;
        rc = scan_position(scan, descending ? scan->span.end : scan->span.start);
    }
    if (rc) {
        if (scan) scan_destroy(scan);
        return lmdb_error(rc, "open a scan", err);
    }
    snapshot->scans_open++;
    *out = &scan->base;
    return ST_OK;
}

static bool pairs_room(LmdbScan *scan)
{
    if (scan->rows <= scan->pairs_max) return true;
    KvPair *pairs = realloc(scan->pairs, sizeof *pairs * (size_t)scan->rows);
    if (!pairs) return false;
    scan->pairs = pairs;
    scan->pairs_max = scan->rows;
    return true;
}

/* The logical key of the cursor's entry. False: no more room for long ones in this block. */
static bool entry_key(LmdbScan *scan, size_t *area_used, Slice *key)
{
    if (scan->cursor.depth == 0) {
        *key = lmdb_slice(&scan->cursor.key);
        return true;
    }
    size_t size = lmdb_cursor_key_size(&scan->cursor);
    if (!scan->key_area) scan->key_area = malloc(KEY_AREA_BYTES);
    if (!scan->key_area || *area_used + size > KEY_AREA_BYTES) return false;
    *key = lmdb_cursor_key_copy(&scan->cursor, scan->key_area + *area_used);
    *area_used += size;
    return true;
}

static bool behind_bound(const LmdbScan *scan, Slice key)
{
    if (scan->descending) return slice_compare(key, scan->span.start) < 0;
    return scan->span.end.size && slice_compare(key, scan->span.end) >= 0;
}

static int scan_move(LmdbScan *scan)
{
    return scan->descending ? lmdb_cursor_previous(&scan->cursor) : lmdb_cursor_next(&scan->cursor);
}

static int block_fill(LmdbScan *scan, KvBlock *block)
{
    size_t area_used = 0;
    int rc = 0;
    while (block->count < scan->rows) {
        if (!scan->on_entry) {
            rc = scan_move(scan);
            if (rc) break;
        }
        Slice key;
        scan->on_entry = true;
        if (!entry_key(scan, &area_used, &key)) return block->count ? 0 : ENOMEM;
        if (behind_bound(scan, key)) {
            rc = MDB_NOTFOUND;
            break;
        }
        scan->pairs[block->count++] = (KvPair){key, lmdb_slice(&scan->cursor.value)};
        scan->on_entry = false;
    }
    scan->done = rc == MDB_NOTFOUND;
    return scan->done ? 0 : rc;
}

static Status lmdb_scan_next(KvScan *base, KvBlock *block, Error *err)
{
    LmdbScan *scan = (LmdbScan *)base;
    if (!pairs_room(scan)) return err_no_memory(err);
    *block = (KvBlock){scan->pairs, 0};
    if (scan->done) return ST_END;
    int rc = block_fill(scan, block);
    if (rc) return lmdb_error(rc, "scan", err);
    scan->rows = scan->rows * 2 < scan->rows_max ? scan->rows * 2 : scan->rows_max;
    return block->count ? ST_OK : ST_END;
}

static Status lmdb_scan_seek(KvScan *base, Slice key, Error *err)
{
    LmdbScan *scan = (LmdbScan *)base;
    bool before_start = slice_compare(key, scan->span.start) < 0;
    bool behind_end = scan->span.end.size && slice_compare(key, scan->span.end) > 0;
    Slice target = key;
    if (before_start && !scan->descending) target = scan->span.start;
    if (behind_end && scan->descending) target = scan->span.end;
    if (!target.size && scan->descending) before_start = true;
    if (before_start && scan->descending) {
        scan->done = true;
        return ST_OK;
    }
    int rc = scan_position(scan, target);
    return rc ? lmdb_error(rc, "seek", err) : ST_OK;
}

static void lmdb_scan_close(KvScan *base)
{
    LmdbScan *scan = (LmdbScan *)base;
    LmdbSnapshot *snapshot = (LmdbSnapshot *)base->snapshot;
    assert(snapshot->scans_open > 0);
    snapshot->scans_open--;
    scan->next = snapshot->scans_idle;
    snapshot->scans_idle = scan;
}

/* ---- the rest ---- */

static void lmdb_guard(Kv *kv, int change)
{
    atomic_fetch_add(&((LmdbKv *)kv)->guards, change);
}

static void lmdb_observe(Kv *base, const KvObserver *observer)
{
    LmdbKv *kv = (LmdbKv *)base;
    assert(commit_queue_is_idle(&kv->queue));
    kv->observed = observer != NULL;
    if (observer) kv->observer = *observer;
}

/* Pages that no commit uses any more: listed, a block per commit, each with its count in front. */
static uint64_t free_pages(LmdbKv *kv)
{
    enum { FREE_LIST = 0 };
    MDB_txn *txn;
    MDB_cursor *cursor;
    MDB_val key, pages;
    uint64_t sum = 0;
    if (mdb_txn_begin(kv->env, NULL, MDB_RDONLY, &txn)) return 0;
    if (mdb_cursor_open(txn, FREE_LIST, &cursor) == 0) {
        while (mdb_cursor_get(cursor, &key, &pages, MDB_NEXT) == 0) {
            size_t count;
            memcpy(&count, pages.mv_data, sizeof count);
            sum += count;
        }
        mdb_cursor_close(cursor);
    }
    mdb_txn_abort(txn);
    return sum;
}

static void lmdb_status(Kv *base, KvStatus *status)
{
    LmdbKv *kv = (LmdbKv *)base;
    MDB_envinfo info;
    MDB_stat stat;
    struct stat file;
    int fd;
    if (mdb_env_info(kv->env, &info) || mdb_env_stat(kv->env, &stat)) return;
    status->map_bytes = info.me_mapsize;
    uint64_t pages = (uint64_t)info.me_last_pgno + 1, unused = free_pages(kv);
    status->used_bytes = (pages > unused ? pages - unused : 0) * stat.ms_psize;
    if (mdb_env_get_fd(kv->env, &fd) == 0 && fstat(fd, &file) == 0) status->file_bytes = (uint64_t)file.st_size;
    status->free_bytes = status->file_bytes > status->used_bytes ? status->file_bytes - status->used_bytes : 0;
    status->snapshots_open = atomic_load(&kv->snapshots_open);
    status->readers_max = kv->readers_max;
    status->commits = atomic_load(&kv->commits);
    status->groups = atomic_load(&kv->groups);
    status->syncs = atomic_load(&kv->syncs);
}

/* Every commit is in the file already. */
static Status lmdb_checkpoint(Kv *kv, Error *err)
{
    return ST_OK;
}

Status lmdb_backup(Kv *kv, int file, Error *err)
{
    int rc = mdb_env_copyfd2(((LmdbKv *)kv)->env, file, MDB_CP_COMPACT);
    return rc ? lmdb_error(rc, "copy the store", err) : ST_OK;
}

const KvEngine kv_engine_lmdb = {
    .name = "lmdb",
    .close = lmdb_close,
    .version = lmdb_version,
    .snapshot_open = lmdb_snapshot_open,
    .snapshot_renew = lmdb_snapshot_renew,
    .snapshot_pause = lmdb_snapshot_pause,
    .snapshot_close = lmdb_snapshot_close,
    .get_many = lmdb_get_many,
    .scan_open = lmdb_scan_open,
    .scan_next = lmdb_scan_next,
    .scan_seek = lmdb_scan_seek,
    .scan_close = lmdb_scan_close,
    .guard = lmdb_guard,
    .commit = lmdb_commit,
    .observe = lmdb_observe,
    .status = lmdb_status,
    .checkpoint = lmdb_checkpoint,
    .backup = lmdb_backup,
};
