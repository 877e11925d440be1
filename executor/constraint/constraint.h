/* constraint.h - foreign keys and deferrable unique constraints: what must hold between tables once a statement, or its transaction, has ended.
 *
 * Whoever writes rows of a table tells of each (constraints_inserted ...). Nothing is looked at row by row: rows gather,
 * and are looked up many at a time; what is not yet as it should be is looked at again when the statement has ended, when
 * the actions on the tables that refer to what went away are taken too. Constraints that are deferred wait in the session until the
 * transaction commits, or SET CONSTRAINTS says otherwise (deferred.c).
 */
#ifndef EXECUTOR_CONSTRAINT_CONSTRAINT_H
#define EXECUTOR_CONSTRAINT_CONSTRAINT_H

#include "executor/ops/exec.h"

typedef struct TableConstraints TableConstraints;

/* NULL: nobody need be told of this statement's rows of the table. Valid until constraints_finish. */
Status constraints_open(Exec *exec, const WriteTarget *target, TableConstraints **constraints);
Status constraints_inserted(TableConstraints *constraints, const Value *row);
Status constraints_updated(TableConstraints *constraints, const Value *before, const Value *after);
Status constraints_deleted(TableConstraints *constraints, const Value *row);
/* The statement's own rows are written: checks, and the actions of foreign keys. 23503. */
Status constraints_finish(Exec *exec);
/* Forgets what was told since the statement began. */
void constraints_forget(Exec *exec);

/* ALTER TABLE. 23505 if a key of a deferrable index is there twice; 23503 if a row refers to what is not there. */
Status constraints_validate_unique(Exec *exec, const TableDesc *table, uint32_t index_id);
Status constraints_validate(Exec *exec, const TableDesc *table, uint32_t foreign_key_id);

#endif
