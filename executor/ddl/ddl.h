/* ddl.h - running bound DDL and key-space statements.
 *
 * All changes of the catalog and of rows belong to exec->txn and roll back with it; range boundaries are made after the
 * commit (SPLIT AT and its kin at once), or by ddl_settle_boundaries. Memory is exec->arena, errors go to exec->err. The
 * caller has locked the tables (ddl_table_uses). 40001 if another object was changed since the statement was bound: it
 * is to be bound and run again.
 */
#ifndef EXECUTOR_DDL_DDL_H
#define EXECUTOR_DDL_DDL_H

#include "executor/ops/exec.h"
#include "planner/utility.h"

/* Is it a kind that ddl_run runs? */
bool ddl_handles(UtilityKind kind);
/* Adds the tables that it changes, with the locks that keep the others away from them. */
void ddl_table_uses(const PlanUtility *utility, TableUseVec *list, Arena *arena);
/* Runs it. rows gets what a statement with columns returns (base.columns), all in one batch; it may be NULL for others.
 * CREATE TABLE AS leaves the number of rows in exec->rows_affected. */
Status ddl_run(Exec *exec, const PlanUtility *utility, Batch *rows);

/* Makes the range boundaries that the session's open transaction has yet to make: to be called before ranges are shown. */
void ddl_settle_boundaries(Session *session);

#endif
