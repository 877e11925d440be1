/* redo_flush.c - from the tables in memory down into LMDB: in the background, on demand, and after a crash. */
#include <assert.h>
#include <errno.h>
#include <time.h>

#include "storage/base/clock.h"
#include "storage/base/log.h"
#include "storage/kv/redo_internal.h"

#define SECOND_NS UINT64_C(1000000000)

/* A table goes down when it is full, when nothing was committed for a while, and at the latest at this age: the longer it
 * gathers, the more commits share each page that is written, and the longer take a start after a crash and a scan. */
static const uint64_t table_age_ns = 10 * SECOND_NS, idle_ns = SECOND_NS;
/* Commits that nobody waited for are synced so late. */
static const uint64_t unsynced_age_ns = SECOND_NS / 5, retry_ns = SECOND_NS;
static const uint64_t readers_check_ns = 60 * SECOND_NS;

/* ---- one table ---- */

/* The table as a batch: the newest value of each key, in key order. */
typedef struct TableSource {
    const MemTable *table;
    const MemNode *node;
} TableSource;

static void source_rewind(void *argument)
{
    TableSource *source = argument;
    source->node = mem_table_seek(source->table, (Slice){0});
}

static bool source_next(void *argument, KvOp *op)
{
    TableSource *source = argument;
    for (const MemNode *node = source->node; node; node = mem_node_next(node)) {
        *op = (KvOp){.kind = KV_PUT, .key = mem_node_key(node)};
        MemFound found = mem_node_read(node, UINT64_MAX, &op->value);
        if (found == MEM_NOTHING) continue;
        if (found == MEM_DELETED) *op = (KvOp){.kind = KV_DELETE, .key = op->key};
        source->node = mem_node_next(node);
        return true;
    }
    source->node = NULL;
    return false;
}

static int table_write(RedoKv *kv, const MemTable *table, const RedoPosition *position)
{
    LmdbKv *lmdb = (LmdbKv *)kv->lower;
    TableSource source = {.table = table};
    source_rewind(&source);
    KvBatch batch = {.next = source_next, .rewind = source_rewind, .argument = &source};
    CommitRequest request = {.batch = &batch};
    LmdbWrite write = {.newest = &lmdb->version, .position = position};
    return lmdb_write(lmdb, &request, &write);
}

/* With the flush_mutex held. The position's version is that of the table's last commit, as none came after it was frozen. */
static int frozen_write(RedoKv *kv)
{
    pthread_mutex_lock(&kv->state_mutex);
    MemTable *frozen = kv->frozen;
    RedoPosition position = {frozen ? mem_table_segment(frozen) : 0, kv->frozen_version};
    pthread_mutex_unlock(&kv->state_mutex);
    if (!frozen) return 0;
    int rc = table_write(kv, frozen, &position);
    pthread_mutex_lock(&kv->state_mutex);
    kv->lmdb_newest = lmdb_transaction_newest((LmdbKv *)kv->lower);
    kv->flush_error = rc;
    if (rc == 0) kv->frozen = NULL;
    pthread_cond_broadcast(&kv->flush_ended);
    pthread_mutex_unlock(&kv->state_mutex);
    if (rc == 0) mem_table_release(frozen);
    return rc;
}

/* Nothing was committed in the table, but groups that failed have left their places in it. */
static int redo_renew_active(RedoKv *kv)
{
    MemTable *fresh = mem_table_create(mem_table_segment(kv->active)), *old;
    if (!fresh) return ENOMEM;
    pthread_mutex_lock(&kv->state_mutex);
    old = kv->active;
    kv->active = fresh;
    pthread_mutex_unlock(&kv->state_mutex);
    mem_table_release(old);
    return 0;
}

int redo_freeze(RedoKv *kv)
{
    assert(!kv->frozen);
    if (!redo_log_is_started(kv->log)) return redo_renew_active(kv);
    uint64_t segment = mem_table_segment(kv->active) + 1, version = atomic_load(&kv->version);
    /* The next segment may not become durable before this one is. */
    pthread_mutex_lock(&kv->state_mutex);
    bool unsynced = kv->unsynced_since_ns != 0;
    pthread_mutex_unlock(&kv->state_mutex);
    if (unsynced && redo_log_sync(kv->log) != 0) atomic_store(&kv->broken, true);
    if (atomic_load(&kv->broken)) return EIO;
    MemTable *fresh = mem_table_create(segment);
    if (!fresh) return ENOMEM;
    redo_log_start(kv->log, segment, version);
    pthread_mutex_lock(&kv->state_mutex);
    kv->unsynced_since_ns = 0;
    kv->frozen = kv->active;
    kv->frozen_version = version;
    kv->active = fresh;
    kv->active_since_ns = 0;
    pthread_mutex_unlock(&kv->state_mutex);
    return 0;
}

int redo_flush_all(RedoKv *kv)
{
    pthread_mutex_lock(&kv->flush_mutex);
    int rc = frozen_write(kv);
    if (rc == 0 && !mem_table_is_empty(kv->active)) {
        rc = redo_freeze(kv);
        if (rc == 0) rc = frozen_write(kv);
    }
    pthread_mutex_unlock(&kv->flush_mutex);
    return rc;
}

/* ---- in the background ---- */

/* What the thread remembers from one turn to the next. */
typedef struct Memory {
    uint64_t failed_ns;            /* when the last flush failed */
    uint64_t looked_ns, version;   /* the newest commit at that time */
    uint64_t readers_checked_ns;
} Memory;

typedef struct Duties {
    bool stop, sync, freeze, write;
    uint64_t wait_ns; /* until the next may be due */
} Duties;

static uint64_t due_in(uint64_t since_ns, uint64_t age_ns, uint64_t now_ns)
{
    return since_ns + age_ns > now_ns ? since_ns + age_ns - now_ns : 0;
}

/* With the state_mutex held. */
static uint64_t freeze_due_in(const RedoKv *kv, Memory *memory, uint64_t now_ns)
{
    if (!kv->active_since_ns || kv->frozen) return UINT64_MAX;
    uint64_t age_ns = due_in(kv->active_since_ns, table_age_ns, now_ns);
    uint64_t look_ns = due_in(memory->looked_ns, idle_ns, now_ns);
    if (look_ns == 0) {
        uint64_t version = atomic_load(&kv->version);
        bool idle = version == memory->version && due_in(kv->active_since_ns, idle_ns, now_ns) == 0;
        memory->version = version;
        memory->looked_ns = now_ns;
        look_ns = idle ? 0 : idle_ns;
    }
    return age_ns < look_ns ? age_ns : look_ns;
}

static Duties duties_of(const RedoKv *kv, Memory *memory, uint64_t now_ns)
{
    Duties duties = {.stop = kv->stopping, .wait_ns = readers_check_ns};
    uint64_t sync_ns = kv->unsynced_since_ns ? due_in(kv->unsynced_since_ns, unsynced_age_ns, now_ns) : UINT64_MAX;
    uint64_t freeze_ns = freeze_due_in(kv, memory, now_ns);
    uint64_t write_ns = !kv->frozen ? UINT64_MAX : kv->flush_error ? due_in(memory->failed_ns, retry_ns, now_ns) : 0;
    duties.sync = sync_ns == 0;
    duties.freeze = freeze_ns == 0;
    duties.write = write_ns == 0;
    if (sync_ns < duties.wait_ns) duties.wait_ns = sync_ns;
    if (freeze_ns < duties.wait_ns) duties.wait_ns = freeze_ns;
    if (write_ns < duties.wait_ns) duties.wait_ns = write_ns;
    return duties;
}

static void wait_for(RedoKv *kv, uint64_t wait_ns)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    uint64_t at_ns = (uint64_t)until.tv_nsec + wait_ns;
    until.tv_sec += (time_t)(at_ns / SECOND_NS);
    until.tv_nsec = (long)(at_ns % SECOND_NS);
    pthread_cond_timedwait(&kv->flush_wanted, &kv->state_mutex, &until);
}

/* What is committed during the sync may not be covered by it. */
static void sync_late(RedoKv *kv)
{
    pthread_mutex_lock(&kv->state_mutex);
    uint64_t covered = kv->unsynced_version;
    pthread_mutex_unlock(&kv->state_mutex);
    int rc = redo_log_sync(kv->log);
    pthread_mutex_lock(&kv->state_mutex);
    if (kv->unsynced_since_ns) kv->unsynced_since_ns = kv->unsynced_version > covered ? clock_monotonic_ns() : 0;
    pthread_mutex_unlock(&kv->state_mutex);
    if (rc == 0) return;
    log_write(LOG_ERROR, "could not sync the redo log; the store takes no more commits");
    atomic_store(&kv->broken, true);
}

/* *done: the active table is frozen, or there is nothing in it; else an older one has to go first. */
static int freeze_if_free(RedoKv *kv, bool *done)
{
    int rc = 0;
    pthread_mutex_lock(&kv->writer_mutex);
    pthread_mutex_lock(&kv->state_mutex);
    bool free = !kv->frozen;
    pthread_mutex_unlock(&kv->state_mutex);
    *done = free;
    if (free && !mem_table_is_empty(kv->active)) rc = redo_freeze(kv);
    pthread_mutex_unlock(&kv->writer_mutex);
    return rc;
}

static int frozen_write_alone(RedoKv *kv)
{
    pthread_mutex_lock(&kv->flush_mutex);
    int rc = frozen_write(kv);
    pthread_mutex_unlock(&kv->flush_mutex);
    return rc;
}

int redo_flush_older(RedoKv *kv)
{
    bool done = false;
    int rc = 0;
    while (rc == 0 && !done) {
        rc = frozen_write_alone(kv);
        if (rc == 0) rc = freeze_if_free(kv, &done);
    }
    return rc ? rc : frozen_write_alone(kv);
}

/* A table that cannot be frozen (no memory, a broken log) is left alone for a while. */
static void freeze_old(RedoKv *kv)
{
    bool done;
    if (freeze_if_free(kv, &done) == 0) return;
    pthread_mutex_lock(&kv->state_mutex);
    kv->active_since_ns = clock_monotonic_ns();
    pthread_mutex_unlock(&kv->state_mutex);
}

static void readers_check(RedoKv *kv, Memory *memory, uint64_t now_ns)
{
    int dead;
    if (now_ns - memory->readers_checked_ns < readers_check_ns) return;
    memory->readers_checked_ns = now_ns;
    mdb_reader_check(((LmdbKv *)kv->lower)->env, &dead);
}

static void *flusher_run(void *argument)
{
    RedoKv *kv = argument;
    Memory memory = {.readers_checked_ns = clock_monotonic_ns()};
    for (;;) {
        uint64_t now_ns = clock_monotonic_ns();
        pthread_mutex_lock(&kv->state_mutex);
        Duties duties = duties_of(kv, &memory, now_ns);
        if (!duties.stop && duties.wait_ns) wait_for(kv, duties.wait_ns);
        pthread_mutex_unlock(&kv->state_mutex);
        if (duties.stop) return NULL;
        if (duties.sync) sync_late(kv);
        if (duties.freeze) freeze_old(kv);
        if ((duties.write || duties.freeze) && frozen_write_alone(kv) != 0) memory.failed_ns = clock_monotonic_ns();
        readers_check(kv, &memory, now_ns);
    }
}

void redo_flusher_start(RedoKv *kv)
{
    kv->flusher_runs = pthread_create(&kv->flusher, NULL, flusher_run, kv) == 0;
}

void redo_flusher_stop(RedoKv *kv)
{
    if (!kv->flusher_runs) return;
    pthread_mutex_lock(&kv->state_mutex);
    kv->stopping = true;
    pthread_cond_signal(&kv->flush_wanted);
    pthread_mutex_unlock(&kv->state_mutex);
    pthread_join(kv->flusher, NULL);
    kv->flusher_runs = false;
}

/* ---- after a crash ---- */

static bool pair_take(void *argument, uint64_t version, Slice key, const Slice *value)
{
    MemTable *table = argument;
    bool taken = mem_table_put(table, key, value, version);
    mem_table_keep(table);
    return taken;
}

Status redo_recover(RedoKv *kv, Arena *arena, Error *err)
{
    LmdbKv *lmdb = (LmdbKv *)kv->lower;
    RedoPosition position;
    int rc = lmdb_position(lmdb, &position);
    if (rc) return lmdb_error(rc, "read how far the redo log is applied", err);
    RedoPosition end = position;
    MemTable *table = mem_table_create(0);
    if (!table) return err_no_memory(err);
    Status status = redo_log_recover(kv->log, &end, pair_take, table, arena, err);
    if (status == ST_OK && end.segment > position.segment) {
        rc = table_write(kv, table, &end);
        if (rc) status = lmdb_error(rc, "apply the redo log", err);
        if (!rc) log_write(LOG_INFO, "the redo log was applied: %zu bytes of changes", mem_table_bytes(table));
    }
    mem_table_release(table);
    if (status != ST_OK) return status;
    kv->lmdb_newest = lmdb_transaction_newest(lmdb);
    atomic_store(&kv->version, end.version);
    kv->active = mem_table_create(end.segment + 1);
    if (!kv->active) return err_no_memory(err);
    redo_log_start(kv->log, end.segment + 1, end.version);
    return ST_OK;
}
