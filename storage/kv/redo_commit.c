/* redo_commit.c - commit groups through the redo log, and batches too large for it past the log.
 *
 * A group is tried as a whole. If an operation or the log refuses it, its batches are tried one by one, so that only those
 * fail which must. What a failed try has put into the table is taken back before anybody could see it.
 */
#include <assert.h>
#include <errno.h>

#include "storage/base/clock.h"
#include "storage/base/log.h"
#include "storage/kv/redo_internal.h"

/* A larger batch, or a span of more keys, goes straight to LMDB. A group ends with the batch that makes it so large. */
enum { BATCH_BYTES_MAX = 4 << 20, SPAN_KEYS_MAX = 1000, GROUP_BYTES_MAX = 4 << 20 };

/* Besides the codes of lmdb_internal.h. TOO_LARGE: the batch does not belong into the log. BROKEN: an earlier sync failed. */
enum { TOO_LARGE = -10, BROKEN = -11 };

typedef struct Group {
    RedoKv *kv;
    uint64_t version;
    bool observing;
    CommitRequest *stop; /* the first request that is not part of it */
    bool wait_sync;
} Group;

/* ---- operations ---- */

/* In the table and in the record. old_size -1: the key is new. */
static int pair_set(Group *group, Slice key, const Slice *value, int64_t old_size)
{
    RedoKv *kv = group->kv;
    if (!mem_table_put(kv->active, key, value, group->version)) return ENOMEM;
    redo_record_put(&kv->record, key, value);
    if (!group->observing) return 0;
    recent_commits_note(kv->recent, key);
    if (kv->observed) kv->observer.changed(kv->observer.argument, key, old_size, value ? (int64_t)value->size : -1);
    return 0;
}

static int read_one(Group *group, Slice key, bool *found, Slice *value)
{
    Error err;
    return redo_get_many(&group->kv->view->base, &key, 1, found, value, &err) == ST_OK ? 0 : EIO;
}

static int put(Group *group, Slice key, Slice value)
{
    bool found = false;
    Slice old = {0};
    int rc = group->observing && group->kv->observed ? read_one(group, key, &found, &old) : 0;
    return rc ? rc : pair_set(group, key, &value, found ? (int64_t)old.size : -1);
}

static int delete(Group *group, Slice key)
{
    bool found;
    Slice old;
    int rc = read_one(group, key, &found, &old);
    return rc || !found ? rc : pair_set(group, key, NULL, (int64_t)old.size);
}

static int add(Group *group, Slice key, int64_t delta)
{
    uint8_t counter[8] = {0};
    bool found;
    Slice old, sum = slice_of(counter, sizeof counter);
    int rc = read_one(group, key, &found, &old);
    if (rc) return rc;
    kv_counter_encode((int64_t)((uint64_t)(found ? kv_counter_decode(old) : 0) + (uint64_t)delta), counter);
    return pair_set(group, key, &sum, found ? (int64_t)old.size : -1);
}

/* Every key that is there gets a deletion of its own. */
static int delete_span(Group *group, Slice start, Slice end)
{
    KvScan *scan;
    KvBlock block;
    Error err;
    int rc = 0, deleted = 0;
    KvSpan span = {start, end};
    if (redo_scan_open(&group->kv->view->base, &span, false, KV_BLOCK_ROWS_MAX, &scan, &err) != ST_OK) return EIO;
    Status status = ST_OK;
    while (rc == 0 && (status = redo_scan_next(scan, &block, &err)) == ST_OK) {
        deleted += block.count;
        if (deleted > SPAN_KEYS_MAX) rc = TOO_LARGE;
        for (int i = 0; i < block.count && rc == 0; i++)
            rc = pair_set(group, block.pairs[i].key, NULL, (int64_t)block.pairs[i].value.size);
    }
    redo_scan_close(scan);
    return rc == 0 && status == ST_ERROR ? EIO : rc;
}

static int apply_op(Group *group, const KvOp *op)
{
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
    size_t record_size = group->kv->record.size;
    KvOp op;
    if (request->tried) batch->rewind(batch->argument);
    request->tried = true;
    while (batch->next(batch->argument, &op)) {
        if (kv_op_check(&op, &request->error) != ST_OK) return LMDB_REFUSED;
        if (group->kv->record.size - record_size + op.key.size + op.value.size > BATCH_BYTES_MAX) return TOO_LARGE;
        int rc = apply_op(group, &op);
        if (rc) return rc;
    }
    return 0;
}

/* ---- groups ---- */

/* All requests up to group->stop, or to where the record becomes large; then stop is where it ended. When a batch is too
 * large, stop is its request. */
static int apply_all(Group *group, CommitRequest *first)
{
    RedoKv *kv = group->kv;
    const KvObserver *observer = &kv->observer;
    CommitRequest *request = first;
    KvOp op;
    int rc = 0;
    for (; request != group->stop && kv->record.size < GROUP_BYTES_MAX; request = request->next) {
        request->outcome = lmdb_judge(kv->recent, request->batch);
        request->version = group->version;
        if (request->outcome != KV_COMMITTED) continue;
        rc = request->large ? TOO_LARGE : apply_batch(group, request);
        if (rc == TOO_LARGE) request->large = true;
        if (rc) break;
        group->wait_sync |= !request->batch->no_wait_sync;
    }
    if (rc == 0 || rc == TOO_LARGE) group->stop = request;
    group->observing = false;
    if (rc || redo_record_is_empty(&kv->record) || !kv->observed) return rc;
    while (rc == 0 && observer->flush(observer->argument, &op)) rc = apply_op(group, &op);
    return rc;
}

/* The group's commits are in the log, and on the disk unless nobody waits for that. */
static void publish(Group *group)
{
    RedoKv *kv = group->kv;
    pthread_mutex_lock(&kv->state_mutex);
    bool wake = !kv->active_since_ns;
    if (wake) kv->active_since_ns = clock_monotonic_ns();
    if (group->wait_sync) {
        kv->unsynced_since_ns = 0;
    } else {
        kv->unsynced_version = group->version;
        wake |= !kv->unsynced_since_ns;
        if (!kv->unsynced_since_ns) kv->unsynced_since_ns = clock_monotonic_ns();
    }
    atomic_store(&kv->version, group->version);
    if (wake) pthread_cond_signal(&kv->flush_wanted);
    pthread_mutex_unlock(&kv->state_mutex);
    atomic_fetch_add(&kv->groups, 1);
}

static int log_write_group(Group *group)
{
    RedoKv *kv = group->kv;
    if (redo_record_is_empty(&kv->record)) return 0;
    int rc = redo_log_append(kv->log, &kv->record, group->version);
    if (rc || !group->wait_sync) return rc;
    if (redo_log_sync(kv->log) == 0) return 0;
    atomic_store(&kv->broken, true);
    return LMDB_UNCLEAR;
}

/* Ends a try; rc is what went wrong before. */
static int group_end(Group *group, int rc)
{
    RedoKv *kv = group->kv;
    if (rc == 0) rc = log_write_group(group);
    bool committed = rc == 0 && !redo_record_is_empty(&kv->record);
    if (committed)
        mem_table_keep(kv->active);
    else
        mem_table_undo(kv->active);
    recent_commits_end(kv->recent, committed);
    if (committed) publish(group);
    if (kv->observed) kv->observer.ended(kv->observer.argument, committed, group->version);
    redo_snapshot_pause(&kv->view->base);
    return rc;
}

/* Not 0: none was applied. */
static int group_try(RedoKv *kv, CommitRequest *first, CommitRequest **stop)
{
    Error err;
    if (atomic_load(&kv->broken)) return BROKEN;
    if (redo_snapshot_renew(&kv->view->base, &err) != ST_OK) return EIO;
    kv->view->base.version = UINT64_MAX; /* the leader sees its own group */
    Group group = {.kv = kv, .version = atomic_load(&kv->version) + 1, .observing = true, .stop = *stop};
    recent_commits_begin(kv->recent, group.version, atomic_load(&kv->guards) > 0);
    redo_record_begin(&kv->record);
    int rc = group_end(&group, apply_all(&group, first));
    *stop = group.stop;
    if (rc || !redo_record_is_empty(&kv->record)) return rc;
    for (CommitRequest *request = first; request != *stop; request = request->next)
        request->version = atomic_load(&kv->version);
    return 0;
}

static void fail(RedoKv *kv, CommitRequest *request, int rc)
{
    lmdb_write_failed((LmdbKv *)kv->lower, request, rc == BROKEN ? EIO : rc);
    if (rc == BROKEN)
        request->error = (Error){.sqlstate = ERR_IO_ERROR,
                                 .message = "could not sync the redo log earlier: no more commits are taken",
                                 .hint = "Restart the server."};
}

/* ---- past the log ---- */

static int direct_write(RedoKv *kv, CommitRequest *request)
{
    LmdbKv *lmdb = (LmdbKv *)kv->lower;
    uint64_t version = atomic_load(&kv->version) + 1;
    RedoPosition position = {mem_table_segment(kv->active) - 1, version};
    LmdbWrite write = {.version = version, .newest = &kv->version, .recent = kv->recent,
                       .guarded = atomic_load(&kv->guards) > 0, .observer = kv->observed ? &kv->observer : NULL,
                       .position = &position, .large = true};
    pthread_mutex_lock(&kv->state_mutex);
    kv->direct_version = version;
    pthread_mutex_unlock(&kv->state_mutex);
    int rc = lmdb_write(lmdb, request, &write);
    pthread_mutex_lock(&kv->state_mutex);
    kv->direct_version = 0;
    kv->lmdb_newest = lmdb_transaction_newest(lmdb);
    pthread_mutex_unlock(&kv->state_mutex);
    if (rc == 0) redo_log_start(kv->log, position.segment + 1, atomic_load(&kv->version));
    return rc;
}

/* The tables go down first, so that LMDB has everything that is older than the batch. */
static void direct_run(RedoKv *kv, CommitRequest *request)
{
    CommitRequest *next = request->next;
    request->next = NULL;
    int rc = atomic_load(&kv->broken) ? BROKEN : redo_flush_all(kv);
    if (rc == 0) rc = direct_write(kv, request);
    if (rc) fail(kv, request, rc);
    request->next = next;
}

/* ---- the leader ---- */

/* Waits for room in memory: with the active table full, the frozen one must have gone down. */
static int room_make(RedoKv *kv)
{
    size_t bytes = mem_table_bytes(kv->active);
    if (bytes < kv->table_bytes_max) return 0;
    pthread_mutex_lock(&kv->state_mutex);
    while (kv->frozen && !kv->flush_error && bytes >= 2 * kv->table_bytes_max)
        pthread_cond_wait(&kv->flush_ended, &kv->state_mutex);
    bool frozen = kv->frozen != NULL;
    int error = kv->flush_error;
    pthread_mutex_unlock(&kv->state_mutex);
    if (frozen) return error && bytes >= 2 * kv->table_bytes_max ? error : 0;
    int rc = redo_freeze(kv);
    pthread_mutex_lock(&kv->state_mutex);
    pthread_cond_signal(&kv->flush_wanted);
    pthread_mutex_unlock(&kv->state_mutex);
    return rc;
}

static void one_by_one(RedoKv *kv, CommitRequest *first, const CommitRequest *stop, int rc)
{
    bool alone = first->next == stop || rc == LMDB_UNCLEAR || rc == BROKEN;
    for (CommitRequest *request = first; request != stop; request = request->next) {
        CommitRequest *next = request->next;
        int own = alone ? rc : group_try(kv, request, &next);
        if (own == TOO_LARGE)
            direct_run(kv, request);
        else if (own)
            fail(kv, request, own);
    }
}

/* Commits as many requests as fit together and returns the first that is left. */
static CommitRequest *some_run(RedoKv *kv, CommitRequest *first)
{
    CommitRequest *stop = NULL;
    int rc = room_make(kv);
    for (CommitRequest *request = first; request && rc; request = request->next) fail(kv, request, rc);
    if (rc) return NULL;
    rc = group_try(kv, first, &stop);
    /* A log that cannot grow begins anew in the other file when its table has gone down. */
    if (rc == ENOSPC && !mem_table_is_empty(kv->active) && redo_flush_all(kv) == 0) rc = group_try(kv, first, &stop);
    /* Those before a batch that is too large go without it. */
    if (rc == TOO_LARGE && stop != first) rc = group_try(kv, first, &stop);
    if (rc == TOO_LARGE && stop == first) stop = first->next;
    if (rc) one_by_one(kv, first, stop, rc);
    return stop;
}

static void group_run(void *argument, CommitRequest *requests)
{
    RedoKv *kv = argument;
    pthread_mutex_lock(&kv->writer_mutex);
    for (CommitRequest *left = requests; left;) left = some_run(kv, left);
    pthread_mutex_unlock(&kv->writer_mutex);
    for (CommitRequest *request = requests; request; request = request->next)
        if (request->outcome == KV_COMMITTED) atomic_fetch_add(&kv->commits, 1);
}

KvOutcome redo_commit(Kv *base, const KvBatch *batch, uint64_t *version, Error *err)
{
    RedoKv *kv = (RedoKv *)base;
    CommitRequest request = {.batch = batch, .large = batch->large};
    KvOutcome outcome = commit_queue_commit(&kv->queue, &request, group_run, kv);
    if (outcome == KV_FAILED || outcome == KV_UNKNOWN) *err = request.error;
    *version = request.version;
    return outcome;
}
