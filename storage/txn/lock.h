/* lock.h - the locks that transactions and sessions hold on keys, tables and advisory numbers, in memory.
 *
 *   - A lock is named by a 64-bit hash. Two keys with one hash share a lock: they exclude each other needlessly, no more.
 *   - An uncontended key lock is 16 bytes in a sharded hash table and 8 in its owner's list; from the 16,384th exclusive one
 *     of an owner on, 4 bytes and the table's free places (lock_bulk.c). Weak table locks (those of readers and writers of rows)
 *     stay in their owner as long as nobody wants a strong one (lock_table.c).
 *   - Requests that conflict with a holder, or with one that waits already, queue in order. A session that asks for more on
 *     a lock it has goes first. The waits-for graph is searched when a waiter joins it: 40P01 for the one that closes a
 *     circle (lock_deadlock.c).
 *   - An owner is a transaction, or what a session holds itself; owners of one session are never in each other's way.
 *     An owner belongs to one thread. Its locks are a stack: they are freed back to a mark, or all at once.
 */
#ifndef STORAGE_TXN_LOCK_H
#define STORAGE_TXN_LOCK_H

#include "storage/base/interrupt.h"
#include "storage/txn/txn.h"

typedef struct LockTable LockTable;
typedef struct LockOwner LockOwner;

LockTable *lock_table_create(void);
void lock_table_destroy(LockTable *table); /* nobody holds a lock */

LockOwner *lock_owner_create(LockTable *table);
void lock_owner_destroy(LockOwner *owner);
/* A transaction begins: whose it is (NULL: nobody's) and its number. */
void lock_owner_begin(LockOwner *owner, LockSession *session, uint64_t txn_id);
/* It has written or locked a row, so others may come to wait for its end. */
void lock_owner_note_write(LockOwner *owner);
uint64_t lock_owner_waits(const LockOwner *owner); /* how often it has waited in its life */

LockSession *lock_session_create(LockTable *table, uint64_t id);
void lock_session_set_database(LockSession *session, uint32_t database);
/* What store_session_snapshot tells; NULL: nothing is held. Only the session's thread sets it. */
void lock_session_show_snapshot(LockSession *session, const HeldSnapshot *held);
void lock_session_destroy(LockSession *session); /* frees what it holds itself; its transactions are over */

typedef struct LockPatience {
    LockWait wait;
    int64_t timeout_ms; /* 0: for ever */
    Interrupt *interrupt;
    Arena *arena; /* for texts of errors; NULL: they go without detail */
} LockPatience;

/* ST_END only with LOCK_SKIP. *waited: somebody else had it. */
Status lock_key(LockTable *table, LockOwner *owner, Slice key, LockMode mode, const LockPatience *patience, bool *waited,
                Error *err);
Status lock_table_id(LockTable *table, LockOwner *owner, uint32_t id, TableLockMode mode, const LockPatience *patience,
                     Error *err);
Status lock_advisory(LockTable *table, LockOwner *owner, const AdvisoryKey *key, bool shared, const LockPatience *patience,
                     Error *err);
/* Held by the session itself, counted: as many times as it was taken it must be given back. */
Status lock_session_take(LockSession *session, const AdvisoryKey *key, bool shared, const LockPatience *patience, Error *err);
bool lock_session_give_back(LockSession *session, const AdvisoryKey *key, bool shared); /* false: it has it not */
void lock_session_give_back_all(LockSession *session);

typedef struct LockMark {
    int held, fast;
} LockMark;
LockMark lock_mark(const LockOwner *owner);
void lock_release_to(LockTable *table, LockOwner *owner, LockMark mark);
void lock_release_all(LockTable *table, LockOwner *owner); /* the transaction is over */
int lock_count(const LockOwner *owner);

/* lock_view.c: for store_locks, store_blockers, store_waits_for. */
int lock_list(LockTable *table, LockRow **rows, Arena *arena);
int lock_blockers(LockTable *table, uint64_t session_id, uint64_t **blockers, Arena *arena);

#endif
