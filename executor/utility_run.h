/* utility_run.h - what each kind of utility statement does; called by utility_run.c only. Errors as PostgreSQL has them. */
#ifndef EXECUTOR_UTILITY_RUN_H
#define EXECUTOR_UTILITY_RUN_H

#include "executor/stmt_internal.h"
#include "planner/utility_session.h"

/* txn_control.c */
Status txn_control_begin(Portal *p, const UtilityBegin *u, Error *err);
Status txn_control_end(Portal *p, const UtilityEnd *u, bool commit, Error *err);
Status txn_control_savepoint(Portal *p, const UtilitySavepoint *u, Error *err);
Status txn_control_release(Portal *p, const UtilitySavepoint *u, Error *err);
Status txn_control_rollback_to(Portal *p, const UtilitySavepoint *u, Error *err);
Status txn_control_show_savepoints(Portal *p, Error *err);
/* A savepoint without a name, in whatever transaction there is: *mark tells it apart. Going back restores the phase, too. */
Status txn_control_mark(SessionState *s, int *mark, Error *err);
Status txn_control_back_to(SessionState *s, int mark, TxnPhase phase, Error *err);
void txn_control_forget_mark(SessionState *s, int mark);
Status do_block_run(Portal *p, const UtilityDo *u, Error *err);
Status txn_retry_show(Portal *p, Error *err);
Status txn_control_set(Portal *p, const UtilitySetTransaction *u, Error *err);

/* set.c */
Status set_run(Portal *p, const UtilitySet *u, Error *err);
Status set_reset(Portal *p, const UtilityReset *u, Error *err);
Status set_show(Portal *p, const UtilityShow *u, Error *err);
Status set_discard(Portal *p, const UtilityDiscard *u, Error *err);

/* prepare.c */
Status prepare_run(Portal *p, const UtilityPrepare *u, Error *err);
/* The prepared statement, planned, and the values of EXECUTE's list as its parameters; in the portal's arena. */
Status prepare_execute(Portal *p, const UtilityExecute *u, Stmt **stmt, Value **params, Error *err);
Status prepare_bind_execute(Portal *p, const UtilityExecute *u, Error *err);
Status prepare_deallocate(Portal *p, const UtilityDeallocate *u, Error *err);

/* cursor.c */
Status cursor_declare(Portal *p, const UtilityDeclare *u, Error *err);
Status cursor_bind_fetch(Portal *p, const UtilityFetch *u, Error *err);
Status cursor_fetch(Portal *p, const UtilityFetch *u, Error *err);
Status cursor_close(Portal *p, const UtilityClose *u, Error *err);

/* explain.c, explain_keys.c */
Status explain_run(Portal *p, const UtilityExplain *u, Error *err);
Status explain_keys(Portal *p, const UtilityExplain *u, Error *err); /* the portal's store has been made */

#endif
