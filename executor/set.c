/* set.c - SET, RESET, SHOW of one setting, DISCARD. */
#include "executor/ddl/temp_schema.h"
#include "executor/range_control.h"
#include "executor/utility_run.h"
#include "planner/settings.h"

Status set_run(Portal *p, const UtilitySet *u, Error *err)
{
    SessionState *s = p->session;
    if (u->cluster) {
        ClusterSettingId id = (ClusterSettingId)cluster_setting_find(u->name);
        if (s->phase == PHASE_BLOCK)
            return err_set(err, state_error_arena(s), ERR_ACTIVE_SQL_TRANSACTION,
                           "SET CLUSTER SETTING cannot be used inside a multi-statement transaction");
        return cluster_setting_change(s->server, id, u->value, state_error_arena(s), err);
    }
    if (u->local && s->phase != PHASE_BLOCK)
        session_notice(&s->session, "WARNING", ERR_NO_ACTIVE_SQL_TRANSACTION,
                       "SET LOCAL can only be used in transaction blocks");
    return settings_set_name(&s->session, u->name, u->value, u->local, err);
}

Status set_reset(Portal *p, const UtilityReset *u, Error *err)
{
    Session *session = &p->session->session;
    if (u->name) return settings_set_name(session, u->name, NULL, false, err);
    settings_reset_all(session);
    return ST_OK;
}

Status set_show(Portal *p, const UtilityShow *u, Error *err)
{
    if (u->what == SHOW_TRANSACTION_STATUS) return txn_retry_show(p, err);
    if (u->what == SHOW_SAVEPOINT_STATUS) return txn_control_show_savepoints(p, err);
    const char *text = settings_show(&p->session->session, u->name, err);
    if (!text) return ST_ERROR;
    TRY(portal_store_create(p, p->columns, p->column_count, err));
    Value row = value_str(text);
    return row_store_add(p->store, &row);
}

Status set_discard(Portal *p, const UtilityDiscard *u, Error *err)
{
    SessionState *s = p->session;
    if (u->what == DISCARD_TEMP) return temp_schema_empty(&s->session, s->txn, err);
    if (u->what != DISCARD_ALL) return ST_OK;
    if (s->phase == PHASE_BLOCK)
        return err_set(err, state_error_arena(s), ERR_ACTIVE_SQL_TRANSACTION,
                       "DISCARD ALL cannot run inside a transaction block");
    portal_close_all(s, true);
    TRY(temp_schema_empty(&s->session, s->txn, err));
    settings_reset_all(&s->session);
    TRY(notify_add(&s->session, NOTIFY_UNLISTEN_ALL, NULL, NULL, err));
    for (Stmt *stmt = s->stmts, *next; stmt; stmt = next) {
        next = stmt->next;
        if (stmt != p->stmt) stmt_close(&s->session, stmt->name);
    }
    return ST_OK;
}
