/* temp_schema.h - a session's temporary objects lie in a schema of their own, pg_temp_<session>, which goes with them.
 *
 * The schema has an id as soon as a statement wants to make something in it (planner/session.c) and a descriptor from the
 * first object on. What a crash leaves behind is dropped when the server starts.
 */
#ifndef EXECUTOR_DDL_TEMP_SCHEMA_H
#define EXECUTOR_DDL_TEMP_SCHEMA_H

#include "executor/ops/exec.h"
#include "executor/stmt.h"

/* Puts the schema's descriptor if the new object is the first one in it. */
Status temp_schema_prepare(Exec *exec, const Desc *object);
/* Before a transaction commits: ON COMMIT DELETE ROWS and DROP. */
Status temp_schema_commit(Session *session, Txn *txn, Error *err);
/* DISCARD TEMP: in the transaction that is open. */
Status temp_schema_empty(Session *session, Txn *txn, Error *err);
/* The session ends: in a transaction of its own. */
void temp_schema_leave(Session *session);
/* What sessions have left that did not end in order. */
void temp_schema_sweep(Server *server);

#endif
