/* txn_lock.c - the locks of a transaction and of its session. */
#include "storage/txn/txn_internal.h"

static LockPatience patience_of(const Txn *txn, LockWait wait)
{
    return (LockPatience){wait, txn->options.lock_timeout_ms, txn->options.interrupt, txn->arena};
}

Status txn_lock(Txn *txn, Slice key, LockMode mode, LockWait wait, bool *waited, Error *err)
{
    LockPatience patience = patience_of(txn, wait);
    Status status = lock_key(txn->store->locks, txn->owner, key, mode, &patience, waited, err);
    if (*waited) txn->counters.lock_waits++;
    return status;
}

Status txn_lock_table(Txn *txn, uint32_t table_id, TableLockMode mode, LockWait wait, Error *err)
{
    LockPatience patience = patience_of(txn, wait);
    for (int i = 0; i < txn->table_locks.count; i++)
        if (txn->table_locks.items[i].table_id == table_id && txn->table_locks.items[i].mode == mode) return ST_OK;
    uint64_t waits = lock_owner_waits(txn->owner);
    Status st = lock_table_id(txn->store->locks, txn->owner, table_id, mode, &patience, err);
    txn->counters.lock_waits += lock_owner_waits(txn->owner) - waits;
    TRY(st);
    VEC_PUSH(txn->arena, txn->table_locks, (TableLock){table_id, mode});
    return ST_OK;
}

bool txn_holds_table(const Txn *txn, uint32_t table_id, TableLockMode least)
{
    for (int i = 0; i < txn->table_locks.count; i++)
        if (txn->table_locks.items[i].table_id == table_id && txn->table_locks.items[i].mode >= least) return true;
    return false;
}

TxnLockMark txn_lock_mark(const Txn *txn)
{
    LockMark mark = lock_mark(txn->owner);
    return (TxnLockMark){mark.held, mark.fast, txn->table_locks.count};
}

void txn_locks_release_to(Txn *txn, TxnLockMark mark)
{
    lock_release_to(txn->store->locks, txn->owner, (LockMark){mark.held, mark.fast});
    txn->table_locks.count = mark.tables;
}

/* ---- advisory locks ---- */

Status txn_lock_advisory(Txn *txn, const AdvisoryKey *key, bool shared, LockWait wait, Error *err)
{
    LockPatience patience = patience_of(txn, wait);
    return lock_advisory(txn->store->locks, txn->owner, key, shared, &patience, err);
}

Status txn_session_lock(Txn *txn, const AdvisoryKey *key, bool shared, LockWait wait, Error *err)
{
    LockPatience patience = patience_of(txn, wait);
    return lock_session_take(txn->options.session, key, shared, &patience, err);
}

bool txn_session_unlock(Txn *txn, const AdvisoryKey *key, bool shared)
{
    return lock_session_give_back(txn->options.session, key, shared);
}

void session_unlock_all(LockSession *session)
{
    lock_session_give_back_all(session);
}

/* ---- sessions ---- */

LockSession *store_session_create(Store *store, uint64_t id)
{
    return lock_session_create(store->locks, id);
}

void store_session_database(LockSession *session, uint32_t database)
{
    lock_session_set_database(session, database);
}

void store_session_destroy(LockSession *session)
{
    lock_session_destroy(session);
}

int store_locks(Store *store, LockRow **rows, Arena *arena)
{
    return lock_list(store->locks, rows, arena);
}

int store_blockers(Store *store, uint64_t session_id, uint64_t **blockers, Arena *arena)
{
    return lock_blockers(store->locks, session_id, blockers, arena);
}
