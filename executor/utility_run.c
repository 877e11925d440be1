/* utility_run.c - statements that are no query: one line per kind. */
#include "executor/utility_run.h"

#include "executor/constraint/deferred.h"
#include "executor/copy.h"
#include "executor/ddl/ddl.h"
#include "planner/settings.h"
#include "storage/kv/kv.h"

Status utility_bind(Portal *portal, Error *err)
{
    const PlanUtility *utility = portal_utility(portal);
    if (utility->utility == UTILITY_EXECUTE) return prepare_bind_execute(portal, (const UtilityExecute *)utility, err);
    if (utility->utility == UTILITY_FETCH) return cursor_bind_fetch(portal, (const UtilityFetch *)utility, err);
    if (utility->utility == UTILITY_COPY) TRY(portal_check_allowed(portal, err));
    if (utility->utility == UTILITY_COPY) return copy_bind(portal, (const UtilityCopy *)utility, err);
    return ST_OK;
}

static Status run_ddl(Portal *p, const PlanUtility *utility, Error *err)
{
    SessionState *s = p->session;
    bool never_in_block = utility->utility == UTILITY_CREATE_DATABASE || strcmp(utility->tag, "VACUUM") == 0;
    if (never_in_block && s->phase == PHASE_BLOCK)
        return err_set(err, state_error_arena(s), ERR_ACTIVE_SQL_TRANSACTION, "%s cannot run inside a transaction block",
                       utility->tag);
    Exec *exec = exec_create(&s->session, &p->stmt->planned, p->arena);
    exec_start(exec, s->txn, p->params, err);
    exec->temp_directory = s->server->temp_directory;
    if (p->column_count) TRY(portal_store_create(p, p->columns, p->column_count, err));
    Batch rows = {0};
    TRY(ddl_run(exec, utility, &rows));
    if (p->store && rows.row_count) TRY(row_store_add_batch(p->store, &rows));
    if (utility->utility == UTILITY_CREATE_TABLE_AS && strcmp(utility->tag, "SELECT") == 0)
        snprintf(p->tag, sizeof p->tag, "SELECT %lld", (long long)exec->rows_affected);
    return ST_OK;
}

static Status do_nothing(Portal *p, const PlanUtility *utility)
{
    if (utility->notice) session_notice(&p->session->session, "NOTICE", utility->notice_code, "%s", utility->notice);
    return ST_OK;
}

static Status run_listen(Portal *p, const UtilityListen *u, Error *err)
{
    NotifyKind kind = u->listen ? NOTIFY_LISTEN : u->channel ? NOTIFY_UNLISTEN : NOTIFY_UNLISTEN_ALL;
    return notify_add(&p->session->session, kind, u->channel, NULL, err);
}

static Status run_notify(Portal *p, const UtilityNotify *u, Error *err)
{
    return notify_add(&p->session->session, NOTIFY_SEND, u->channel, u->payload, err);
}

/* Brings what is in the log into the store's file. */
static Status checkpoint(Portal *p, Error *err)
{
    SessionState *s = p->session;
    if (!session_is_superuser(&s->session))
        return err_set(err, state_error_arena(s), ERR_INSUFFICIENT_PRIVILEGE,
                       "must be superuser or have privileges of pg_checkpoint to do CHECKPOINT");
    return kv_checkpoint(store_kv(s->server->store), err);
}

Status utility_run(Portal *p, Error *err)
{
    const PlanUtility *u = portal_utility(p);
    switch (u->utility) {
    case UTILITY_BEGIN: return txn_control_begin(p, (const UtilityBegin *)u, err);
    case UTILITY_COMMIT: return txn_control_end(p, (const UtilityEnd *)u, true, err);
    case UTILITY_ROLLBACK: return txn_control_end(p, (const UtilityEnd *)u, false, err);
    case UTILITY_SAVEPOINT: return txn_control_savepoint(p, (const UtilitySavepoint *)u, err);
    case UTILITY_RELEASE: return txn_control_release(p, (const UtilitySavepoint *)u, err);
    case UTILITY_ROLLBACK_TO: return txn_control_rollback_to(p, (const UtilitySavepoint *)u, err);
    case UTILITY_SET_CONSTRAINTS: return deferred_set(p->session, (const UtilitySetConstraints *)u, err);
    case UTILITY_SET_TRANSACTION: return txn_control_set(p, (const UtilitySetTransaction *)u, err);
    case UTILITY_SET: return set_run(p, (const UtilitySet *)u, err);
    case UTILITY_RESET: return set_reset(p, (const UtilityReset *)u, err);
    case UTILITY_SHOW: return set_show(p, (const UtilityShow *)u, err);
    case UTILITY_DISCARD: return set_discard(p, (const UtilityDiscard *)u, err);
    case UTILITY_PREPARE: return prepare_run(p, (const UtilityPrepare *)u, err);
    case UTILITY_EXECUTE: return ST_OK; /* the inner portal runs */
    case UTILITY_DEALLOCATE: return prepare_deallocate(p, (const UtilityDeallocate *)u, err);
    case UTILITY_DECLARE: return cursor_declare(p, (const UtilityDeclare *)u, err);
    case UTILITY_FETCH: return cursor_fetch(p, (const UtilityFetch *)u, err);
    case UTILITY_CLOSE: return cursor_close(p, (const UtilityClose *)u, err);
    case UTILITY_EXPLAIN: return explain_run(p, (const UtilityExplain *)u, err);
    case UTILITY_COPY: return ST_OK; /* portal_copy_in, portal_copy_out */
    case UTILITY_DO_NOTHING: return do_nothing(p, u);
    case UTILITY_CHECKPOINT: return checkpoint(p, err);
    case UTILITY_LISTEN: return run_listen(p, (const UtilityListen *)u, err);
    case UTILITY_DO: return do_block_run(p, (const UtilityDo *)u, err);
    case UTILITY_NOTIFY: return run_notify(p, (const UtilityNotify *)u, err);
    case UTILITY_CREATE_DATABASE:
    case UTILITY_CREATE_SCHEMA:
    case UTILITY_CREATE_TABLE:
    case UTILITY_CREATE_TABLE_AS:
    case UTILITY_CREATE_INDEX:
    case UTILITY_CREATE_VIEW:
    case UTILITY_CREATE_SEQUENCE:
    case UTILITY_CREATE_TYPE:
    case UTILITY_CREATE_ROLE:
    case UTILITY_ALTER_TABLE:
    case UTILITY_ALTER_OTHER:
    case UTILITY_DROP:
    case UTILITY_TRUNCATE:
    case UTILITY_COMMENT:
    case UTILITY_GRANT:
    case UTILITY_ANALYZE:
    case UTILITY_VACUUM:
    case UTILITY_LOCK_TABLE:
    case UTILITY_SPLIT_AT:
    case UTILITY_UNSPLIT_AT:
    case UTILITY_RELOCATE:
    case UTILITY_RELOCATE_RANGE:
    case UTILITY_CONFIGURE_ZONE:
    case UTILITY_SCATTER:
    case UTILITY_FORECAST: return run_ddl(p, u, err);
    }
    return ST_OK;
}
