/* deferred.h - constraints that wait for the end of the transaction, or for SET CONSTRAINTS. One per session. */
#ifndef EXECUTOR_CONSTRAINT_DEFERRED_H
#define EXECUTOR_CONSTRAINT_DEFERRED_H

#include "executor/stmt_internal.h"
#include "planner/utility_txn.h"

DeferredMark deferred_mark(const SessionState *s);
/* What was told and set since the mark is forgotten; what was checked under `level` savepoints or more has yet to be checked
 * again. */
void deferred_rollback(SessionState *s, DeferredMark mark, int level);
void deferred_release(SessionState *s, int level);
/* Checks all that waits. */
Status deferred_commit(SessionState *s, Error *err);
Status deferred_set(SessionState *s, const UtilitySetConstraints *u, Error *err);
/* Rows of the table, or that refer to it, wait to be checked. */
bool deferred_has_table(const SessionState *s, DescId table);
/* 55006 if they do. */
Status deferred_refuse(const Exec *exec, const char *tag, const Desc *table);
/* The transaction is over. */
void deferred_end(SessionState *s);

#endif
