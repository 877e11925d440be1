/* lock_session.c - what a session holds beyond its transactions: advisory locks, counted. */
#include <assert.h>
#include <stdlib.h>

#include "storage/base/map.h"
#include "storage/txn/lock_internal.h"

enum { SESSION_LOCKS_MAX = 65536 };

void lock_session_init(LockSession *session, LockTable *table, uint64_t id)
{
    pthread_condattr_t attributes;
    *session = (LockSession){.id = id, .table = table};
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&session->wake, &attributes);
    pthread_condattr_destroy(&attributes);
}

LockSession *lock_session_create(LockTable *table, uint64_t id)
{
    LockSession *session = lock_memory(1, sizeof *session);
    lock_session_init(session, table, id);
    return session;
}

void lock_session_set_database(LockSession *session, uint32_t database)
{
    session->database = database;
}

/* Written last and read first and last, the time says whether the rest belongs to it. */
void lock_session_show_snapshot(LockSession *session, const HeldSnapshot *held)
{
    atomic_store_explicit(&session->held_since_us, 0, memory_order_relaxed);
    if (!held) return;
    atomic_store_explicit(&session->held_version, held->version, memory_order_release);
    atomic_store_explicit(&session->held_isolation, (int)held->isolation, memory_order_release);
    atomic_store_explicit(&session->held_since_us, held->since_us, memory_order_release);
}

/* One that changes while it is looked at is new: nobody needs to know of it yet. */
bool store_session_snapshot(const LockSession *session, HeldSnapshot *held)
{
    held->since_us = atomic_load_explicit(&session->held_since_us, memory_order_acquire);
    held->version = atomic_load_explicit(&session->held_version, memory_order_acquire);
    held->isolation = (TxnIsolation)atomic_load_explicit(&session->held_isolation, memory_order_acquire);
    return held->since_us && held->since_us == atomic_load_explicit(&session->held_since_us, memory_order_relaxed);
}

void lock_session_destroy(LockSession *session)
{
    if (!session) return;
    lock_session_give_back_all(session);
    lock_owner_destroy(session->standing);
    pthread_cond_destroy(&session->wake);
    free(session->locks);
    free(session);
}

static LockRequest advisory_request(LockOwner *owner, const AdvisoryKey *key, bool shared, const LockPatience *patience)
{
    uint32_t words[4] = {key->database, key->class, key->object, key->sub};
    return (LockRequest){.owner = owner, .name = lock_name(hash_bytes(words, sizeof words), LOCKED_ADVISORY),
                         .conflicts = lock_table_conflicts,
                         .tag = {LOCKED_ADVISORY, key->database, key->class, key->object, key->sub},
                         .mode = shared ? TABLE_SHARE : TABLE_EXCLUSIVE, .patience = patience};
}

Status lock_advisory(LockTable *table, LockOwner *owner, const AdvisoryKey *key, bool shared, const LockPatience *patience,
                     Error *err)
{
    LockRequest request = advisory_request(owner, key, shared, patience);
    bool waited, already;
    TRY(lock_acquire(table, &request, &waited, &already, err));
    if (!already) lock_held_push(owner, request.name, request.mode);
    return ST_OK;
}

static SessionLock *find_lock(LockSession *session, const AdvisoryKey *key)
{
    for (int i = session->lock_count - 1; i >= 0; i--) {
        const AdvisoryKey *k = &session->locks[i].key;
        if (k->object == key->object && k->class == key->class && k->sub == key->sub && k->database == key->database)
            return &session->locks[i];
    }
    return NULL;
}

static SessionLock *add_lock(LockSession *session, const AdvisoryKey *key)
{
    if (session->lock_count == session->lock_capacity) {
        session->lock_capacity = session->lock_capacity ? session->lock_capacity * 2 : 8;
        session->locks = realloc(session->locks, sizeof *session->locks * (size_t)session->lock_capacity);
        if (!session->locks) abort();
    }
    session->locks[session->lock_count] = (SessionLock){.key = *key};
    return &session->locks[session->lock_count++];
}

static LockOwner *standing_owner(LockSession *session)
{
    if (session->standing) return session->standing;
    session->standing = lock_owner_create(session->table);
    lock_owner_begin(session->standing, session, 0);
    return session->standing;
}

Status lock_session_take(LockSession *session, const AdvisoryKey *key, bool shared, const LockPatience *patience, Error *err)
{
    SessionLock *lock = find_lock(session, key);
    if (!lock || !lock->counts[shared]) {
        LockRequest request = advisory_request(standing_owner(session), key, shared, patience);
        bool waited, already;
        if (!lock && session->lock_count == SESSION_LOCKS_MAX) {
            *err = (Error){.sqlstate = ERR_OUT_OF_MEMORY, .message = "out of shared memory",
                           .detail = "A session can hold at most 65536 advisory locks."};
            return ST_ERROR;
        }
        TRY(lock_acquire(session->table, &request, &waited, &already, err));
        assert(!already);
        if (!lock) lock = add_lock(session, key);
    }
    lock->counts[shared]++;
    return ST_OK;
}

static void release(LockSession *session, const SessionLock *lock, bool shared)
{
    LockRequest request = advisory_request(session->standing, &lock->key, shared, NULL);
    lock_release(session->table, session->standing, request.name | (uint64_t)request.mode << NAME_KIND_BITS);
}

bool lock_session_give_back(LockSession *session, const AdvisoryKey *key, bool shared)
{
    SessionLock *lock = find_lock(session, key);
    if (!lock || !lock->counts[shared]) return false;
    if (--lock->counts[shared]) return true;
    release(session, lock, shared);
    if (!lock->counts[!shared]) *lock = session->locks[--session->lock_count];
    return true;
}

void lock_session_give_back_all(LockSession *session)
{
    for (int i = 0; i < session->lock_count; i++)
        for (int shared = 0; shared < 2; shared++)
            if (session->locks[i].counts[shared]) release(session, &session->locks[i], shared);
    session->lock_count = 0;
}
