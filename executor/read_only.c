/* read_only.c - what a READ ONLY transaction refuses, by the command's name. */
#include "executor/stmt_internal.h"
#include "planner/settings.h"
#include "planner/utility_session.h"

static Status refuse(SessionState *s, const char *command, Error *err)
{
    return err_set(err, state_error_arena(s), ERR_READ_ONLY_SQL_TRANSACTION, "cannot execute %s in a read-only transaction",
                   command);
}

static const char *lock_words(LockMode mode)
{
    switch (mode) {
    case LOCK_UPDATE: return "SELECT FOR UPDATE";
    case LOCK_NO_KEY_UPDATE: return "SELECT FOR NO KEY UPDATE";
    case LOCK_SHARE: return "SELECT FOR SHARE";
    case LOCK_KEY_SHARE: break;
    }
    return "SELECT FOR KEY SHARE";
}

/* The command that a query locks rows for; NULL: it locks none. */
static const char *locking_command(const Plan *plan)
{
    const char *found = NULL;
    if (plan->kind == PLAN_LOCK) return lock_words(((const PlanLock *)plan)->items[0].mode);
    if (plan->kind == PLAN_SCAN && ((const PlanScan *)plan)->locking) return lock_words(((const PlanScan *)plan)->lock_mode);
    if (plan->kind == PLAN_INDEX_JOIN && ((const PlanIndexJoin *)plan)->locking)
        return lock_words(((const PlanIndexJoin *)plan)->lock_mode);
    for (int i = 0; i < plan->input_count && !found; i++) found = locking_command(plan->inputs[i]);
    return found;
}

static Status check_utility(SessionState *s, const PlanUtility *u, Error *err)
{
    switch (u->utility) {
    case UTILITY_CREATE_TABLE_AS: return refuse(s, "CREATE TABLE AS", err);
    case UTILITY_CREATE_DATABASE:
    case UTILITY_CREATE_SCHEMA:
    case UTILITY_CREATE_TABLE:
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
    case UTILITY_SPLIT_AT:
    case UTILITY_UNSPLIT_AT:
    case UTILITY_RELOCATE:
    case UTILITY_RELOCATE_RANGE:
    case UTILITY_CONFIGURE_ZONE:
    case UTILITY_SCATTER: return refuse(s, u->tag, err);
    case UTILITY_COPY: return ((const UtilityCopy *)u)->from ? refuse(s, "COPY FROM", err) : ST_OK;
    case UTILITY_EXPLAIN:
        return ((const UtilityExplain *)u)->analyze ? txn_state_check_read_only(s, ((const UtilityExplain *)u)->stmt, err) : ST_OK;
    case UTILITY_DECLARE: return txn_state_check_read_only(s, ((const UtilityDeclare *)u)->query, err);
    case UTILITY_ANALYZE:
    case UTILITY_VACUUM:
    case UTILITY_LOCK_TABLE:
    case UTILITY_LISTEN:
    case UTILITY_NOTIFY:
    case UTILITY_DO: /* its statements are asked one by one */
    case UTILITY_BEGIN:
    case UTILITY_COMMIT:
    case UTILITY_ROLLBACK:
    case UTILITY_SAVEPOINT:
    case UTILITY_RELEASE:
    case UTILITY_ROLLBACK_TO:
    case UTILITY_SET_TRANSACTION:
    case UTILITY_SET_CONSTRAINTS:
    case UTILITY_SET:
    case UTILITY_RESET:
    case UTILITY_SHOW:
    case UTILITY_DISCARD:
    case UTILITY_PREPARE:
    case UTILITY_EXECUTE:
    case UTILITY_DEALLOCATE:
    case UTILITY_FETCH:
    case UTILITY_CLOSE:
    case UTILITY_CHECKPOINT:
    case UTILITY_FORECAST:
    case UTILITY_DO_NOTHING: break;
    }
    return ST_OK;
}

Status txn_state_check_read_only(SessionState *s, const PlannedStmt *planned, Error *err)
{
    if (!planned->plan || !setting_bool(s->session.settings, SETTING_transaction_read_only)) return ST_OK;
    if (planned->plan->kind == PLAN_UTILITY) return check_utility(s, (const PlanUtility *)planned->plan, err);
    if (!planned->read_only) return refuse(s, planned->tag, err);
    const char *locking = locking_command(planned->plan);
    return locking ? refuse(s, locking, err) : ST_OK;
}
