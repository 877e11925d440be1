/* lock_view.c - the locks as pg_locks shows them. Shard after shard is looked at, so nobody is held up for long; what is
 * seen is no single moment.
 *
 * As in PostgreSQL the rows that a transaction has locked are not listed one by one: who wants one of them waits for the
 * transaction itself, so what is shown is its own lock on its number, and those who wait for that.
 */
#include <stdlib.h>

#include "storage/base/list.h"
#include "storage/txn/lock_internal.h"

typedef VEC(LockRow) LockRowVec;

typedef struct LockListing {
    LockTable *table;
    Arena *arena;
    LockRowVec rows;
} LockListing;

static LockRow row_of(const LockTag *tag, const LockOwner *owner, int mode)
{
    return (LockRow){.kind = tag->kind, .database = tag->kind == LOCKED_ADVISORY ? tag->database : owner->session->database, .class = tag->class, .object = tag->object,
                     .sub = tag->sub, .session_id = owner->session->id, .txn_id = owner->txn_id,
                     .mode = lock_mode_name(tag->kind, mode), .granted = true};
}

static bool is_listed(const LockListing *l, int from, uint64_t session_id, const char *mode)
{
    for (int i = from; i < l->rows.count; i++)
        if (l->rows.items[i].session_id == session_id && l->rows.items[i].mode == mode) return true;
    return false;
}

/* A session and its transaction may both hold a lock: that is one row a mode. */
static void list_holders(LockListing *l, const LockQueue *queue)
{
    int from = l->rows.count;
    for (int i = 0; i < queue->holder_count; i++) {
        const LockHolder *holder = &queue->holders[i];
        for (int mode = 0; mode < 8; mode++) {
            if (!(holder->modes & (1u << mode)) || !holder->owner->session->id) continue;
            LockRow row = row_of(&queue->tag, holder->owner, mode);
            if (!is_listed(l, from, row.session_id, row.mode)) VEC_PUSH(l->arena, l->rows, row);
        }
    }
}

static void list_shards(LockListing *l)
{
    for (int s = 0; s < LOCK_SHARDS; s++) {
        LockShard *shard = &l->table->shards[s];
        pthread_mutex_lock(&shard->mutex);
        for (size_t i = 0; i < shard->slot_count; i++) {
            if (!(shard->slots[i].holder & 1)) continue;
            const LockQueue *queue = (const LockQueue *)(shard->slots[i].holder & ~(uintptr_t)1);
            if (queue->tag.kind != LOCKED_ROW) list_holders(l, queue);
        }
        pthread_mutex_unlock(&shard->mutex);
    }
}

/* The weak locks of a transaction, and those on its own two numbers. */
static void list_owner(LockListing *l, const LockOwner *owner)
{
    if (!owner->session->id) return;
    for (int i = 0; i < owner->fast_count; i++) {
        if (owner->fast[i].moved) continue;
        LockRow row = row_of(&(LockTag){.kind = LOCKED_TABLE, .class = owner->fast[i].table_id}, owner, owner->fast[i].mode);
        row.fast = true;
        VEC_PUSH(l->arena, l->rows, row);
    }
    if (!owner->txn_id) return;
    LockRow own = row_of(&(LockTag){.kind = LOCKED_VIRTUAL_TRANSACTION}, owner, TABLE_EXCLUSIVE);
    own.fast = true;
    own.transaction = owner->txn_id;
    VEC_PUSH(l->arena, l->rows, own);
    if (!atomic_load_explicit(&owner->writes, memory_order_relaxed)) return;
    own.kind = LOCKED_TRANSACTION;
    own.fast = false;
    VEC_PUSH(l->arena, l->rows, own);
}

/* The first who waits for a row has the row's own lock and waits for its holder's transaction; the others wait for the
 * row's own lock. */
static void list_waiter(LockListing *l, const LockSession *session)
{
    const LockWaiter *waiter = session->waiter;
    LockRow row = row_of(&waiter->tag, waiter->owner, __builtin_ctz(waiter->modes));
    BlockerList blockers = {0};
    row.granted = false;
    row.wait_start_us = waiter->since_us;
    if (waiter->tag.kind == LOCKED_ROW && session->waits_in->first == waiter) {
        lock_push_blockers(session, &blockers);
        LockRow own = row;
        own.granted = true;
        own.wait_start_us = 0;
        VEC_PUSH(l->arena, l->rows, own);
        row.kind = LOCKED_TRANSACTION;
        row.class = 0;
        row.mode = lock_mode_name(LOCKED_TRANSACTION, TABLE_SHARE);
        if (blockers.count) row.transaction = blockers.items[0].transaction;
        free(blockers.items);
    }
    VEC_PUSH(l->arena, l->rows, row);
}

int lock_list(LockTable *table, LockRow **rows, Arena *arena)
{
    LockListing l = {.table = table, .arena = arena};
    list_shards(&l);
    pthread_mutex_lock(&table->waiting);
    pthread_mutex_lock(&table->owners_mutex);
    for (LockOwner *owner = table->owners; owner; owner = owner->next) {
        pthread_mutex_lock(&owner->fast_mutex);
        list_owner(&l, owner);
        pthread_mutex_unlock(&owner->fast_mutex);
        const LockSession *session = owner->session;
        if (session->id && session->waiter && session->waiter->owner == owner) list_waiter(&l, session);
    }
    pthread_mutex_unlock(&table->owners_mutex);
    pthread_mutex_unlock(&table->waiting);
    *rows = l.rows.items;
    return l.rows.count;
}

/* With waiting held. */
static const LockSession *find_waiting(LockTable *table, uint64_t session_id)
{
    const LockSession *found = NULL;
    pthread_mutex_lock(&table->owners_mutex);
    for (LockOwner *owner = table->owners; owner && !found; owner = owner->next) {
        pthread_mutex_lock(&owner->fast_mutex);
        const LockSession *session = owner->session;
        pthread_mutex_unlock(&owner->fast_mutex);
        if (session->id == session_id && session->waiter) found = session;
    }
    pthread_mutex_unlock(&table->owners_mutex);
    return found;
}

int lock_blockers(LockTable *table, uint64_t session_id, uint64_t **blockers, Arena *arena)
{
    VEC(uint64_t) ids = {0};
    BlockerList list = {0};
    pthread_mutex_lock(&table->waiting);
    const LockSession *session = find_waiting(table, session_id);
    if (session) lock_push_blockers(session, &list);
    for (int i = 0; i < list.count; i++) {
        bool known = false;
        for (int k = 0; k < ids.count && !known; k++) known = ids.items[k] == list.items[i].session->id;
        if (!known) VEC_PUSH(arena, ids, list.items[i].session->id);
    }
    pthread_mutex_unlock(&table->waiting);
    free(list.items);
    *blockers = ids.items;
    return ids.count;
}
