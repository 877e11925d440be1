/* lock.h - the locks that transactions hold on keys and tables, in memory.
 *
 *   - A lock is named by a 64-bit hash. Two keys with one hash share a lock: they exclude each other needlessly, no more.
 *   - An uncontended key lock is 16 bytes in a sharded hash table and 8 in its owner's list.
 *   - Requests that conflict with a holder, or with one that waits already, queue in order. An owner that asks for more on
 *     a lock it has goes first. The waits-for graph is searched when a waiter joins it: 40P01 for the one that closes a
 *     circle.
 *   - An owner belongs to one thread; it is freed of its locks all at once.
 */
#ifndef STORAGE_TXN_LOCK_H
#define STORAGE_TXN_LOCK_H

#include "storage/base/interrupt.h"
#include "storage/txn/txn.h"

typedef struct LockTable LockTable;
typedef struct LockOwner LockOwner;

LockTable *lock_table_create(void);
void lock_table_destroy(LockTable *table); /* nobody holds a lock */

LockOwner *lock_owner_create(void);
void lock_owner_destroy(LockOwner *owner);

typedef struct LockPatience {
    LockWait wait;
    int64_t timeout_ms; /* 0: for ever */
    Interrupt *interrupt;
} LockPatience;

/* ST_END only with LOCK_SKIP. *waited: somebody else had it. */
Status lock_key(LockTable *table, LockOwner *owner, Slice key, LockMode mode, const LockPatience *patience, bool *waited,
                Error *err);
Status lock_table_id(LockTable *table, LockOwner *owner, uint32_t id, TableLockMode mode, const LockPatience *patience,
                     Error *err);
void lock_release_all(LockTable *table, LockOwner *owner);
int lock_count(const LockOwner *owner);

#endif
