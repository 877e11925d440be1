/* lmdb_commit.c - commits of the LMDB engine: every batch of a group in one write transaction.
 *
 * When a group fails (disk or map full, I/O error, a batch too large), its batches are tried again one by one, so that
 * only those fail which must.
 */
#include <errno.h>
#include <sys/statvfs.h>

#include "storage/base/buf.h"
#include "storage/kv/lmdb_internal.h"
#include "storage/kv/lmdb_long_key.h"

/* A write transaction that is being filled. */
typedef struct Group {
    LmdbKv *kv;
    const LmdbWrite *write;
    MDB_txn *txn;
    MDB_cursor *cursor; /* in the map */
    bool observing, changed;
    uint64_t version;
    uint64_t operations, bytes; /* since the last relief */
} Group;

/* After so much has been changed the pages go to the file. An operation changes one page, or as many as its value has. */
enum { DISK_FULL_BYTES = 1 << 20, RELIEF_OPERATIONS = 16384, RELIEF_BYTES = 32 << 20 };

static void pair_changed(Group *group, Slice key, int64_t old_size, int64_t new_size)
{
    group->changed = true;
    if (!group->observing) return;
    const LmdbWrite *write = group->write;
    if (write->recent) recent_commits_note(write->recent, key);
    if (write->observer) write->observer->changed(write->observer->argument, key, old_size, new_size);
}

static int put(Group *group, Slice key, Slice value)
{
    LmdbKv *kv = group->kv;
    int64_t old_size = -1;
    int rc;
    if (key.size > LMDB_CHUNK) {
        rc = lmdb_long_put(group->txn, kv->map, kv->layers, key, value, &old_size);
    } else {
        /* One descent for a new key; for one that exists the cursor then stands on it. */
        MDB_val k = lmdb_val(key), v = lmdb_val(value);
        rc = mdb_cursor_put(group->cursor, &k, &v, MDB_NOOVERWRITE);
        if (rc == MDB_KEYEXIST) {
            old_size = (int64_t)v.mv_size;
            k = lmdb_val(key);
            v = lmdb_val(value);
            rc = mdb_cursor_put(group->cursor, &k, &v, MDB_CURRENT);
        }
    }
    if (rc == 0) pair_changed(group, key, old_size, (int64_t)value.size);
    return rc;
}

static int read_one(Group *group, Slice key, MDB_val *value)
{
    LmdbKv *kv = group->kv;
    if (key.size > LMDB_CHUNK) return lmdb_long_get(group->txn, kv->map, kv->layers, key, value);
    MDB_val k = lmdb_val(key);
    return mdb_cursor_get(group->cursor, &k, value, MDB_SET);
}

static int delete(Group *group, Slice key)
{
    MDB_val value;
    int rc = read_one(group, key, &value);
    if (rc) return rc == MDB_NOTFOUND ? 0 : rc;
    int64_t old_size = (int64_t)value.mv_size;
    if (key.size > LMDB_CHUNK)
        rc = lmdb_long_delete(group->txn, group->kv->map, group->kv->layers, key);
    else
        rc = mdb_cursor_del(group->cursor, 0);
    if (rc == 0) pair_changed(group, key, old_size, -1);
    return rc;
}

static int add(Group *group, Slice key, int64_t delta)
{
    uint8_t counter[8];
    MDB_val value = {0, NULL};
    int rc = read_one(group, key, &value);
    if (rc && rc != MDB_NOTFOUND) return rc;
    int64_t old = rc == 0 ? kv_counter_decode(lmdb_slice(&value)) : 0;
    kv_counter_encode((int64_t)((uint64_t)old + (uint64_t)delta), counter);
    return put(group, key, slice_of(counter, sizeof counter));
}

/* With a few pages there is nothing to write: only what is large comes here. */
static int relieve(Group *group, size_t bytes)
{
    group->operations++;
    group->bytes += bytes;
    if (!group->write->large || (group->operations < RELIEF_OPERATIONS && group->bytes < RELIEF_BYTES)) return 0;
    group->operations = group->bytes = 0;
    return lmdb_relieve(group->txn, group->kv->relief);
}

/* The entries are deleted under a cursor of their own. In the map LMDB leaves the cursor so that "next" gives the entry
 * behind the deleted one; inside layers the place is sought again, as the layer itself may be gone. */
static int delete_span(Group *group, Slice start, Slice end)
{
    LmdbKv *kv = group->kv;
    LmdbCursor cursor;
    uint8_t copy[KV_KEY_BYTES_MAX];
    int rc = lmdb_cursor_open(&cursor, group->txn, kv->map, kv->layers);
    if (rc == 0) rc = lmdb_cursor_seek(&cursor, start);
    while (rc == 0) {
        if (lmdb_cursor_key_size(&cursor) > sizeof copy) rc = MDB_CORRUPTED;
        if (rc) break;
        Slice key = lmdb_cursor_key_copy(&cursor, copy);
        if (end.size && slice_compare(key, end) >= 0) break;
        int64_t old_size = (int64_t)cursor.value.mv_size;
        bool in_map = cursor.depth == 0;
        rc = in_map ? mdb_cursor_del(cursor.levels[0], 0) : lmdb_long_delete(group->txn, kv->map, kv->layers, key);
        if (rc) break;
        pair_changed(group, key, old_size, -1);
        rc = relieve(group, 0);
        if (rc == 0) rc = in_map ? lmdb_cursor_next(&cursor) : lmdb_cursor_seek(&cursor, key);
    }
    lmdb_cursor_close(&cursor);
    return rc == MDB_NOTFOUND ? 0 : rc;
}

static int apply_op(Group *group, const KvOp *op)
{
    int rc = relieve(group, op->key.size + op->value.size);
    if (rc) return rc;
    switch (op->kind) {
    case KV_PUT:
        return put(group, op->key, op->value);
    case KV_DELETE:
        return delete(group, op->key);
    case KV_DELETE_SPAN:
        return delete_span(group, op->key, op->end);
    case KV_ADD:
        return add(group, op->key, op->delta);
    }
    return EINVAL;
}

static int apply_batch(Group *group, CommitRequest *request)
{
    const KvBatch *batch = request->batch;
    KvOp op;
    if (request->tried) batch->rewind(batch->argument);
    request->tried = true;
    while (batch->next(batch->argument, &op)) {
        if (kv_op_check(&op, &request->error) != ST_OK) return LMDB_REFUSED;
        int rc = apply_op(group, &op);
        if (rc) return rc;
    }
    return 0;
}

KvOutcome lmdb_judge(const RecentCommits *recent, const KvBatch *batch)
{
    if (!batch->unchanged_count || !recent) return KV_COMMITTED;
    if (recent_commits_too_old(recent, batch->snapshot_version)) return KV_TOO_OLD;
    for (int i = 0; i < batch->unchanged_count; i++)
        if (recent_commits_changed(recent, &batch->unchanged[i], batch->snapshot_version)) return KV_CONFLICT;
    return KV_COMMITTED;
}

static int apply_all(Group *group, CommitRequest *requests)
{
    const KvObserver *observer = group->write->observer;
    KvOp op;
    int rc = 0;
    for (CommitRequest *request = requests; request && rc == 0; request = request->next) {
        request->outcome = lmdb_judge(group->write->recent, request->batch);
        request->version = group->version;
        if (request->outcome == KV_COMMITTED) rc = apply_batch(group, request);
    }
    group->observing = false;
    if (rc || !group->changed || !observer) return rc;
    while (rc == 0 && observer->flush(observer->argument, &op)) rc = apply_op(group, &op);
    return rc;
}

static int group_begin(LmdbKv *kv, const LmdbWrite *write, Group *group)
{
    *group = (Group){.kv = kv, .write = write, .observing = true};
    int rc = mdb_txn_begin(kv->env, NULL, 0, &group->txn);
    if (rc) return rc;
    rc = mdb_cursor_open(group->txn, kv->map, &group->cursor);
    if (rc) {
        mdb_txn_abort(group->txn);
        return rc;
    }
    group->version = write->version ? write->version : mdb_txn_id(group->txn);
    if (write->recent) recent_commits_begin(write->recent, group->version, write->guarded);
    return 0;
}

/* LMDB cannot tell whether it has written the page that makes a commit the newest; then it takes no more. */
static int write_commit(LmdbKv *kv, MDB_txn *txn)
{
    MDB_txn *probe;
    int rc = mdb_txn_commit(txn);
    if (rc == 0) return 0;
    int probed = mdb_txn_begin(kv->env, NULL, 0, &probe);
    if (probed == 0) mdb_txn_abort(probe);
    return probed == MDB_PANIC ? LMDB_UNCLEAR : rc;
}

static Slice position_key(void)
{
    return SLICE_LIT("position");
}

static int position_put(Group *group, const RedoPosition *position)
{
    uint8_t bytes[16];
    kv_counter_encode((int64_t)position->segment, bytes);
    kv_counter_encode((int64_t)position->version, bytes + 8);
    MDB_val key = lmdb_val(position_key()), value = {sizeof bytes, bytes};
    return mdb_put(group->txn, group->kv->redo, &key, &value, 0);
}

int lmdb_position(LmdbKv *kv, RedoPosition *position)
{
    MDB_txn *txn;
    MDB_val key = lmdb_val(position_key()), value;
    *position = (RedoPosition){0};
    int rc = mdb_txn_begin(kv->env, NULL, MDB_RDONLY, &txn);
    if (rc) return rc;
    rc = mdb_get(txn, kv->redo, &key, &value);
    if (rc == 0 && value.mv_size == 16)
        *position = (RedoPosition){load_u64(value.mv_data), load_u64((const uint8_t *)value.mv_data + 8)};
    else if (rc == 0)
        rc = MDB_CORRUPTED;
    mdb_txn_abort(txn);
    return rc == MDB_NOTFOUND ? 0 : rc;
}

/* Ends the write transaction; rc is what went wrong before. */
static int group_end(Group *group, int rc)
{
    LmdbKv *kv = group->kv;
    const LmdbWrite *write = group->write;
    bool commit = rc == 0 && (group->changed || write->position);
    if (commit && write->position) rc = position_put(group, write->position);
    mdb_cursor_close(group->cursor);
    if (commit && rc == 0)
        rc = write_commit(kv, group->txn);
    else
        mdb_txn_abort(group->txn);
    bool committed = commit && rc == 0;
    if (write->recent) recent_commits_end(write->recent, committed);
    if (committed) {
        atomic_store(write->newest, group->version);
        atomic_fetch_add(&kv->groups, 1);
        atomic_fetch_add(&kv->syncs, 2);
    }
    if (write->observer) write->observer->ended(write->observer->argument, committed, group->version);
    return rc;
}

int lmdb_write(LmdbKv *kv, CommitRequest *requests, LmdbWrite *write)
{
    Group group;
    int rc = group_begin(kv, write, &group);
    if (rc) return rc;
    rc = group_end(&group, apply_all(&group, requests));
    if (rc == 0 && !group.changed)
        for (CommitRequest *request = requests; request; request = request->next)
            request->version = atomic_load(write->newest);
    return rc;
}

/* LMDB reports a write that the file system cut short as EIO; mostly the disk is full then. */
static bool disk_is_full(LmdbKv *kv)
{
    struct statvfs disk;
    int file;
    if (mdb_env_get_fd(kv->env, &file) || fstatvfs(file, &disk)) return false;
    return (uint64_t)disk.f_bavail * disk.f_frsize < DISK_FULL_BYTES;
}

void lmdb_write_failed(LmdbKv *kv, CommitRequest *request, int code)
{
    if (code == EIO && disk_is_full(kv)) code = ENOSPC;
    request->outcome = code == LMDB_UNCLEAR ? KV_UNKNOWN : KV_FAILED;
    if (code == LMDB_UNCLEAR)
        request->error = (Error){.sqlstate = ERR_TRANSACTION_RESOLUTION_UNKNOWN,
                                 .message = "could not finish writing a commit: its outcome is unknown"};
    else if (code != LMDB_REFUSED)
        (void)lmdb_error(code, "commit", &request->error);
}

static int group_try(LmdbKv *kv, CommitRequest *requests)
{
    LmdbWrite write = {.newest = &kv->version, .recent = kv->recent, .guarded = atomic_load(&kv->guards) > 0,
                       .observer = kv->observed ? &kv->observer : NULL};
    return lmdb_write(kv, requests, &write);
}

static void group_run(void *argument, CommitRequest *requests)
{
    LmdbKv *kv = argument;
    int rc = group_try(kv, requests);
    bool alone = !requests->next;
    for (CommitRequest *request = requests, *next; request && rc; request = next) {
        next = request->next;
        request->next = NULL;
        int own = alone || rc == LMDB_UNCLEAR ? rc : group_try(kv, request);
        request->next = next;
        if (own) lmdb_write_failed(kv, request, own);
    }
    for (CommitRequest *request = requests; request; request = request->next)
        if (request->outcome == KV_COMMITTED) atomic_fetch_add(&kv->commits, 1);
}

KvOutcome lmdb_commit(Kv *base, const KvBatch *batch, uint64_t *version, Error *err)
{
    LmdbKv *kv = (LmdbKv *)base;
    CommitRequest request = {.batch = batch};
    KvOutcome outcome = commit_queue_commit(&kv->queue, &request, group_run, kv);
    if (outcome == KV_FAILED || outcome == KV_UNKNOWN) *err = request.error;
    *version = request.version;
    return outcome;
}
