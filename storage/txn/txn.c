/* txn.c - beginning, reading single keys, writing, ending. Snapshots are in txn_snapshot.c, scans in txn_scan.c. */
#include "storage/txn/txn.h"

#include <assert.h>
#include <stdlib.h>

#include "storage/txn/txn_internal.h"

enum { IDLE_MAX = 256, LARGE_WRITES_BYTES = 16 << 20 };

/* ---- begin ---- */

static Txn *txn_create(Store *store)
{
    Txn *txn = calloc(1, sizeof *txn);
    if (!txn) abort();
    txn->store = store;
    txn->owner = lock_owner_create(store->locks);
    txn->arena = arena_create(NULL, 0);
    return txn;
}

Status txn_begin(Store *store, const TxnOptions *options, Txn **out, Error *err)
{
    pthread_mutex_lock(&store->idle_mutex);
    Txn *txn = store->idle;
    if (txn) {
        store->idle = txn->next;
        store->idle_count--;
    }
    pthread_mutex_unlock(&store->idle_mutex);
    if (!txn) txn = txn_create(store);
    txn->id = atomic_fetch_add(&store->txn_id_last, 1) + 1;
    txn->options = *options;
    lock_owner_begin(txn->owner, options->session, txn->id);
    txn->reads = (ReadSet){.arena = txn->arena};
    if (options->isolation != TXN_READ_COMMITTED && !options->read_only) {
        kv_guard_acquire(store->kv);
        txn->guarded = true;
        txn->tracks_reads = options->isolation == TXN_SERIALIZABLE;
    }
    *out = txn;
    return ST_OK;
}

/* ---- reading ---- */

RangeNotes *txn_notes(Txn *txn)
{
    Directory *directory = txn->store->directory;
    if (!directory_accounting(directory)) return NULL;
    if (!txn->notes) txn->notes = range_notes_create(directory);
    return txn->notes;
}

Status txn_own_failure(const Txn *txn, Error *err)
{
    if (!txn->overlay.failed) return ST_OK;
    *err = txn->overlay.failure;
    return ST_ERROR;
}

bool txn_write_over(const Write *write, bool found, Slice *value, uint8_t counter[8])
{
    switch (write->kind) {
    case WRITE_PUT:
        *value = write_value(write);
        return true;
    case WRITE_ADD:
        kv_counter_encode((int64_t)((uint64_t)(found ? kv_counter_decode(*value) : 0) + (uint64_t)write->value.delta), counter);
        *value = slice_of(counter, 8);
        return true;
    case WRITE_NONE:
        return found;
    case WRITE_DELETE:
        break;
    }
    *value = (Slice){0};
    return false;
}

static Status get_stored(Txn *txn, Slice key, bool *found, Slice *value, Error *err)
{
    TxnSnapshot *snapshot;
    TRY(txn_snapshot(txn, &snapshot, err));
    TRY(kv_get_many(snapshot->kv, &key, 1, found, value, err));
    txn->counters.gets++;
    if (*found) {
        txn->counters.pairs_read++;
        txn->counters.bytes_read += key.size + value->size;
    }
    if (txn->tracks_reads) read_set_point(&txn->reads, key);
    return ST_OK;
}

Status txn_get(Txn *txn, Slice key, bool *found, Slice *value, Error *err)
{
    if (!txn->writes) return get_stored(txn, key, found, value, err);
    const Write *write = txn_write_seen(txn, key);
    *found = false;
    *value = (Slice){0};
    if ((!write || write->kind == WRITE_ADD) && !overlay_hides(&txn->overlay, key, NULL))
        TRY(get_stored(txn, key, found, value, err));
    if (write) *found = txn_write_over(write, *found, value, txn->counter);
    return txn_own_failure(txn, err);
}

static void batch_reserve(Txn *txn, int n)
{
    if (n <= txn->batch_capacity) return;
    txn->batch_keys = realloc(txn->batch_keys, sizeof *txn->batch_keys * (size_t)n);
    txn->batch_values = realloc(txn->batch_values, sizeof *txn->batch_values * (size_t)n);
    txn->batch_found = realloc(txn->batch_found, sizeof *txn->batch_found * (size_t)n);
    txn->batch_places = realloc(txn->batch_places, sizeof *txn->batch_places * (size_t)n);
    if (!txn->batch_keys || !txn->batch_values || !txn->batch_found || !txn->batch_places) abort();
    txn->batch_capacity = n;
}

static int place_order(const void *a, const void *b, void *keys)
{
    return slice_compare(((const Slice *)keys)[*(const int *)a], ((const Slice *)keys)[*(const int *)b]);
}

/* The keys at batch_places, from the store, in key order: neighbours lie on one page. */
static Status get_many_stored(Txn *txn, const Slice *keys, int n, bool *found, Slice *values, Error *err)
{
    TxnSnapshot *snapshot;
    bool sorted = true;
    TRY(txn_snapshot(txn, &snapshot, err));
    for (int i = 1; i < n && sorted; i++)
        sorted = slice_compare(keys[txn->batch_places[i - 1]], keys[txn->batch_places[i]]) <= 0;
    if (!sorted) qsort_r(txn->batch_places, (size_t)n, sizeof(int), place_order, (void *)(uintptr_t)keys);
    for (int i = 0; i < n; i++) txn->batch_keys[i] = keys[txn->batch_places[i]];
    TRY(kv_get_many(snapshot->kv, txn->batch_keys, n, txn->batch_found, txn->batch_values, err));
    txn->counters.gets += (uint64_t)n;
    txn->counters.blocks++;
    for (int i = 0; i < n; i++) {
        int place = txn->batch_places[i];
        found[place] = txn->batch_found[i];
        values[place] = txn->batch_values[i];
        if (txn->tracks_reads) read_set_point(&txn->reads, txn->batch_keys[i]);
        if (!found[place]) continue;
        txn->counters.pairs_read++;
        txn->counters.bytes_read += keys[place].size + values[place].size;
    }
    return ST_OK;
}

Status txn_get_many(Txn *txn, const Slice *keys, int n, bool *found, Slice *values, Error *err)
{
    int stored = 0;
    batch_reserve(txn, n);
    for (int i = 0; i < n; i++) {
        const Write *write = txn->writes ? txn_write_seen(txn, keys[i]) : NULL;
        /* A sum needs the store's value and room of its own, so it goes the slow way. */
        if (write && write->kind == WRITE_ADD) {
            TRY(txn_get(txn, keys[i], &found[i], &values[i], err));
            values[i] = arena_slice(txn->arena, values[i]);
            continue;
        }
        found[i] = false;
        values[i] = (Slice){0};
        if (write)
            found[i] = txn_write_over(write, false, &values[i], txn->counter);
        else if (!txn->writes || !overlay_hides(&txn->overlay, keys[i], NULL))
            txn->batch_places[stored++] = i;
    }
    TRY(txn_own_failure(txn, err));
    return stored ? get_many_stored(txn, keys, stored, found, values, err) : ST_OK;
}

/* ---- locked values ---- */

static Status concurrent_update(Error *err)
{
    *err = (Error){.sqlstate = ERR_SERIALIZATION_FAILURE,
                   .message = "could not serialize access due to concurrent update"};
    return ST_ERROR;
}

/* Reads the newest commit. The value is copied into the statement's arena unless it is what the snapshot sees. */
static Status get_newest(Txn *txn, Slice key, bool *found, Slice *value, bool *newer, Error *err)
{
    bool newer_found;
    Slice newer_value;
    if (!txn->newest)
        TRY(kv_snapshot_open(txn->store->kv, &txn->newest, err));
    else
        TRY(kv_snapshot_renew(txn->newest, err));
    Status status = kv_get_many(txn->newest, &key, 1, &newer_found, &newer_value, err);
    *newer = status == ST_OK && (newer_found != *found || (newer_found && !slice_equal(newer_value, *value)));
    if (*newer) {
        if (!txn->statement_arena) txn->statement_arena = arena_create(txn->arena, 0);
        *found = newer_found;
        *value = newer_found ? arena_slice(txn->statement_arena, newer_value) : (Slice){0};
    }
    kv_snapshot_pause(txn->newest);
    return status;
}

static bool nothing_since_snapshot(const Txn *txn)
{
    return kv_version(txn->store->kv) == kv_snapshot_version(txn->current->kv);
}

Status txn_get_newest(Txn *txn, Slice key, bool *found, Slice *value, bool *newer, Error *err)
{
    const Write *write = txn->writes ? overlay_find(&txn->overlay, key) : NULL;
    *found = *newer = false;
    *value = (Slice){0};
    if ((!write || write->kind == WRITE_ADD) && !(txn->writes && overlay_hides(&txn->overlay, key, NULL))) {
        TRY(get_stored(txn, key, found, value, err));
        if (!nothing_since_snapshot(txn)) TRY(get_newest(txn, key, found, value, newer, err));
    }
    if (write) *found = txn_write_over(write, *found, value, txn->counter);
    return txn_own_failure(txn, err);
}

/* A key whose lock was just had. What differs from the snapshot is refused now; what was changed and changed back since
 * cannot be told by its value, so it is left to the commit, which knows versions. */
static Status must_be_as_seen(Txn *txn, Slice key, bool newer, Error *err)
{
    if (txn->options.isolation == TXN_READ_COMMITTED) return ST_OK;
    if (newer) return concurrent_update(err);
    if (txn->guarded && !txn->tracks_reads && !nothing_since_snapshot(txn)) read_set_point(&txn->reads, key);
    return ST_OK;
}

Status txn_get_locked(Txn *txn, Slice key, bool *found, Slice *value, Error *err)
{
    bool newer;
    TRY(txn_get_newest(txn, key, found, value, &newer, err));
    return must_be_as_seen(txn, key, newer, err);
}

/* A key whose lock is had, although others have committed since the snapshot. */
static Status present_now(Txn *txn, Slice key, bool *found, Error *err)
{
    bool newer, seen;
    Slice value;
    TRY(txn_get_newest(txn, key, found, &value, &newer, err));
    if (!newer || txn->options.isolation == TXN_READ_COMMITTED) return ST_OK;
    TRY(txn_get(txn, key, &seen, &value, err));
    if (seen && !*found) return concurrent_update(err);
    *found = *found && seen;
    return ST_OK;
}

Status txn_lock_present(Txn *txn, const Slice *keys, int n, bool *found, Slice *values, Error *err)
{
    bool waited, tracks = txn->tracks_reads;
    for (int i = 0; i < n; i++) TRY(txn_lock(txn, keys[i], LOCK_KEY_SHARE, LOCK_WAIT, &waited, err));
    bool paused = txn->view.paused;
    txn->tracks_reads = false;
    txn->view.paused = true;
    Status status = txn_snapshot_take(txn, err);
    if (status == ST_OK && nothing_since_snapshot(txn)) {
        status = txn_get_many(txn, keys, n, found, values, err);
    } else {
        for (int i = 0; i < n && status == ST_OK; i++) status = present_now(txn, keys[i], &found[i], err);
    }
    txn->tracks_reads = tracks;
    txn->view.paused = paused;
    return status;
}

/* ---- writing ---- */

void txn_writes_start(Txn *txn)
{
    if (txn->writes) return;
    lock_owner_note_write(txn->owner);
    overlay_init(&txn->overlay, txn->arena);
    overlay_allow_spill(&txn->overlay, txn->store->path, txn->store->writes_bytes_max);
    txn->writes = true;
}

/* After a write: whether there was room for it, and whether there is for the next. */
static Status write_end(Txn *txn, bool written, Error *err)
{
    if (!written) return err_no_memory(err);
    TRY(txn_own_failure(txn, err));
    return overlay_is_large(&txn->overlay) ? overlay_relieve(&txn->overlay, err) : ST_OK;
}

static Status write_begin(Txn *txn, const KvOp *op, Error *err)
{
    if (txn->options.read_only) {
        *err = (Error){.sqlstate = ERR_READ_ONLY_SQL_TRANSACTION, .message = "cannot write in a read-only transaction"};
        return ST_ERROR;
    }
    if (op->kind != KV_DELETE_SPAN && (!op->key.size || op->key.size > kv_limits(txn->store->kv)->key_bytes_max)) {
        *err = (Error){.sqlstate = ERR_PROGRAM_LIMIT_EXCEEDED, .message = "key is longer than 8192 bytes"};
        return ST_ERROR;
    }
    if (op->value.size > kv_limits(txn->store->kv)->value_bytes_max) {
        *err = (Error){.sqlstate = ERR_PROGRAM_LIMIT_EXCEEDED, .message = "row is larger than 64 MB"};
        return ST_ERROR;
    }
    txn_writes_start(txn);
    if (txn->watch && (op->kind == KV_PUT || op->kind == KV_DELETE))
        txn->watch(txn->watch_argument, op->key, op->kind == KV_PUT ? &op->value : NULL);
    txn->counters.pairs_written++;
    txn->counters.bytes_written += op->key.size + op->value.size;
    return ST_OK;
}

/* Above READ COMMITTED nothing may be written that was committed after the snapshot. */
static Status lock_for_write(Txn *txn, Slice key, Error *err)
{
    bool waited, found, newer;
    Slice value;
    TRY(txn_lock(txn, key, LOCK_UPDATE, LOCK_WAIT, &waited, err));
    if (txn->options.isolation == TXN_READ_COMMITTED || overlay_find(&txn->overlay, key)) return ST_OK;
    TxnSnapshot *snapshot;
    TRY(txn_snapshot(txn, &snapshot, err));
    if (nothing_since_snapshot(txn)) return ST_OK;
    TRY(kv_get_many(snapshot->kv, &key, 1, &found, &value, err));
    TRY(get_newest(txn, key, &found, &value, &newer, err));
    return must_be_as_seen(txn, key, newer, err);
}

Status txn_put(Txn *txn, Slice key, Slice value, Error *err)
{
    TRY(write_begin(txn, &(KvOp){.kind = KV_PUT, .key = key, .value = value}, err));
    TRY(lock_for_write(txn, key, err));
    return write_end(txn, overlay_put(&txn->overlay, key, value), err);
}

Status txn_put_unlocked(Txn *txn, Slice key, Slice value, Error *err)
{
    TRY(write_begin(txn, &(KvOp){.kind = KV_PUT, .key = key, .value = value}, err));
    return write_end(txn, overlay_put(&txn->overlay, key, value), err);
}

Status txn_delete(Txn *txn, Slice key, Error *err)
{
    TRY(write_begin(txn, &(KvOp){.kind = KV_DELETE, .key = key}, err));
    TRY(lock_for_write(txn, key, err));
    return write_end(txn, overlay_delete(&txn->overlay, key), err);
}

Status txn_delete_span(Txn *txn, Slice start, Slice end, Error *err)
{
    TRY(write_begin(txn, &(KvOp){.kind = KV_DELETE_SPAN, .key = start, .end = end}, err));
    return write_end(txn, overlay_delete_span(&txn->overlay, start, end), err);
}

Status txn_add(Txn *txn, Slice key, int64_t delta, Error *err)
{
    TRY(write_begin(txn, &(KvOp){.kind = KV_ADD, .key = key}, err));
    return write_end(txn, overlay_add(&txn->overlay, key, delta), err);
}

void txn_watch(Txn *txn, TxnWatch watch, void *argument)
{
    txn->watch = watch;
    txn->watch_argument = argument;
}

bool txn_is_watched(const Txn *txn)
{
    return txn->watch != NULL;
}

TxnMark txn_savepoint(Txn *txn)
{
    txn_writes_start(txn);
    return overlay_mark(&txn->overlay);
}

void txn_rollback_to(Txn *txn, TxnMark mark)
{
    txn_view_release(txn);
    overlay_roll_back(&txn->overlay, mark);
}

void txn_release(Txn *txn, TxnMark mark)
{
    overlay_release(&txn->overlay, mark);
}

/* ---- end ---- */

void txn_on_end(Txn *txn, void (*run)(void *argument, bool committed), void *argument)
{
    VEC_PUSH(txn->arena, txn->hooks, (EndHook){run, argument});
}

/* What a hook changes (the catalog's newest version) must be there before those who wait for the locks go on. */
static void finish(Txn *txn, bool committed)
{
    Store *store = txn->store;
    txn_scans_end(txn);
    txn_view_release(txn);
    assert(!txn->retained);
    for (int i = 0; i < txn->hooks.count; i++) txn->hooks.items[i].run(txn->hooks.items[i].argument, committed);
    if (txn->writes) overlay_finish(&txn->overlay);
    lock_release_all(store->locks, txn->owner);
    if (txn->guarded) kv_guard_release(store->kv);
    txn_snapshots_end(txn);
    arena_reset(txn->arena);
    Txn kept = {.store = store, .owner = txn->owner, .arena = txn->arena, .spare = txn->spare,
                .scans_idle = txn->scans_idle, .batch_keys = txn->batch_keys, .batch_values = txn->batch_values,
                .batch_found = txn->batch_found, .batch_places = txn->batch_places,
                .batch_capacity = txn->batch_capacity, .notes = txn->notes};
    *txn = kept;
    pthread_mutex_lock(&store->idle_mutex);
    bool keep = store->idle_count < IDLE_MAX;
    if (keep) {
        txn->next = store->idle;
        store->idle = txn;
        store->idle_count++;
    }
    pthread_mutex_unlock(&store->idle_mutex);
    if (!keep) txn_destroy(txn);
}

/* The overlay as a batch: spans first, as what was written later lies over them. */
typedef struct BatchSource {
    Overlay *overlay;
    OverlayCursor cursor;
    int spans_given;
    bool taken; /* the cursor's entry was given; it is borrowed until the next call */
} BatchSource;

static void source_rewind(void *argument)
{
    BatchSource *source = argument;
    source->spans_given = 0;
    source->taken = false;
    overlay_cursor_seek(&source->cursor, (Slice){0});
}

static bool source_next(void *argument, KvOp *op)
{
    BatchSource *source = argument;
    if (source->spans_given < source->overlay->hidden.count) {
        const KvSpan *span = &source->overlay->hidden.items[source->spans_given++];
        *op = (KvOp){.kind = KV_DELETE_SPAN, .key = span->start, .end = span->end};
        return true;
    }
    if (source->taken) overlay_cursor_next(&source->cursor);
    source->taken = true;
    const Write *write = source->cursor.write;
    /* A batch cannot say that it cannot be read on; an operation without a key makes the engine refuse all of it. */
    if (source->overlay->failed) *op = (KvOp){.kind = KV_PUT};
    if (source->overlay->failed) return true;
    if (!write) return false;
    *op = (KvOp){.key = source->cursor.key, .kind = KV_DELETE};
    if (write->kind == WRITE_PUT) {
        op->kind = KV_PUT;
        op->value = write_value(write);
    } else if (write->kind == WRITE_ADD) {
        op->kind = KV_ADD;
        op->delta = write->value.delta;
    }
    return true;
}

static Status outcome_status(const Txn *txn, KvOutcome outcome, Error *err)
{
    static const char hint[] = "The transaction might succeed if retried.";
    switch (outcome) {
    case KV_COMMITTED:
        return ST_OK;
    case KV_CONFLICT:
        if (!txn->tracks_reads) return concurrent_update(err);
        *err = (Error){.sqlstate = ERR_SERIALIZATION_FAILURE,
                       .message = "could not serialize access due to read/write dependencies among transactions",
                       .hint = hint};
        return ST_ERROR;
    case KV_TOO_OLD:
        *err = (Error){.sqlstate = ERR_SERIALIZATION_FAILURE,
                       .message = "could not serialize access because the snapshot is too old",
                       .hint = hint};
        return ST_ERROR;
    case KV_UNKNOWN:
    case KV_FAILED:
        break;
    }
    return ST_ERROR;
}

static Status commit_writes(Txn *txn, Error *err)
{
    BatchSource source = {.overlay = &txn->overlay};
    KvBatch batch = {.next = source_next,
                     .rewind = source_rewind,
                     .argument = &source,
                     .no_wait_sync = !txn->options.synchronous_commit,
                     .large = txn->overlay.spill.runs.count || arena_bytes(txn->overlay.memory) > LARGE_WRITES_BYTES};
    uint64_t version;
    if (txn->reads.spans.count) {
        read_set_merge(&txn->reads);
        batch.unchanged = txn->reads.spans.items;
        batch.unchanged_count = txn->reads.spans.count;
        batch.snapshot_version = txn_snapshot_version(txn);
    }
    overlay_cursor_begin(&source.cursor, &txn->overlay, false);
    source_rewind(&source);
    KvOutcome outcome = kv_commit(txn->store->kv, &batch, &version, err);
    overlay_cursor_end(&source.cursor);
    if (outcome == KV_FAILED) TRY(txn_own_failure(txn, err));
    return outcome_status(txn, outcome, err);
}

Status txn_commit(Txn *txn, Error *err)
{
    Status status = ST_OK;
    txn_scans_end(txn);
    if (txn_has_writes(txn)) status = commit_writes(txn, err);
    finish(txn, status == ST_OK);
    return status;
}

void txn_rollback(Txn *txn)
{
    if (txn) finish(txn, false);
}

/* ---- what is known of one ---- */

uint64_t txn_id(const Txn *txn)
{
    return txn->id;
}

Arena *txn_arena(Txn *txn)
{
    return txn->arena;
}

Store *txn_store(Txn *txn)
{
    return txn->store;
}

const TxnOptions *txn_options(const Txn *txn)
{
    return &txn->options;
}

bool txn_has_writes(const Txn *txn)
{
    return txn->writes && !overlay_is_empty(&txn->overlay);
}

const TxnCounters *txn_counters(const Txn *txn)
{
    return &txn->counters;
}
