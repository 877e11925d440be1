/* row_lock.h - taking a row's lock and making sure that the row is still the one the statement saw.
 *
 * At READ COMMITTED a row may have been changed between the statement's snapshot and the lock. Then the statement's reads
 * may be out of date too; it is undone and run again under a new snapshot, keeping its locks, so that it makes progress
 * (Exec.retry_statement; portal.c does it). At higher levels storage answers 40001.
 */
#ifndef EXECUTOR_OPS_ROW_LOCK_H
#define EXECUTOR_OPS_ROW_LOCK_H

#include "executor/ops/exec.h"
#include "storage/table/row.h"

typedef struct RowLock {
    Exec *exec;
    const TableAccess *access;
    LockMode mode;
    LockWait wait;
    const int *ordinals; /* columns to fetch */
    int count;
} RowLock;

/* Locks the row and fetches its newest version: values[i] for ordinals[i]. ST_END: held by another, under SKIP
 * LOCKED, or changed by another part of the same statement. */
Status row_lock_fetch(const RowLock *lock, Slice key, Value *values, bool *found, Arena *arena);
/* The error that makes portal.c run the statement again. */
Status row_lock_retry(Exec *exec);
/* Are both versions of a column the same? Virtual columns are computed from the others and always are. */
bool row_lock_same(const TableDesc *table, int ordinal, Value seen, Value now);

#endif
