/* txn_state.c - a session's transaction: implicit ones, blocks, failure, savepoints' frame. */
#include "executor/ddl/temp_schema.h"
#include "executor/stmt_internal.h"

#include <assert.h>

#include "executor/constraint/deferred.h"
#include "planner/settings.h"
#include "storage/base/clock.h"

static TxnIsolation isolation_of(const SessionState *s, SettingId setting)
{
    switch (setting_int(s->session.settings, setting)) {
    case ISOLATION_SERIALIZABLE: return TXN_SERIALIZABLE;
    case ISOLATION_REPEATABLE_READ: return TXN_REPEATABLE_READ;
    default: return TXN_READ_COMMITTED;
    }
}

/* Shows the transaction's own modes as settings, until it ends. */
static Status show_modes(SessionState *s, Error *err)
{
    static const char *const words[] = {[TXN_READ_COMMITTED] = "read committed", [TXN_REPEATABLE_READ] = "repeatable read",
                                        [TXN_SERIALIZABLE] = "serializable"};
    if (isolation_of(s, SETTING_transaction_isolation) != s->isolation)
        TRY(settings_set_name(&s->session, "transaction_isolation", words[s->isolation], true, err));
    if (setting_bool(s->session.settings, SETTING_transaction_read_only) != s->read_only)
        TRY(settings_set_name(&s->session, "transaction_read_only", s->read_only ? "on" : "off", true, err));
    return ST_OK;
}

static Status open_txn(SessionState *s, Error *err)
{
    assert(!s->txn);
    TxnOptions options = {.isolation = s->isolation, .read_only = s->read_only,
                          .synchronous_commit = strcmp(setting_text(s->session.settings, SETTING_synchronous_commit), "off") != 0,
                          .lock_timeout_ms = setting_int(s->session.settings, SETTING_lock_timeout),
                          .session = s->lock_session, .interrupt = &s->session.interrupt};
    TRY(txn_begin(s->server->store, &options, &s->txn, err));
    s->session.catalog = catalog_view_create(s->server->catalog, s->txn);
    s->session.transaction_start_us = clock_now_us();
    s->session.statement_start_us = s->session.transaction_start_us;
    if (s->batch_attempts == 0) s->session.first_attempt_us = s->session.transaction_start_us;
    s->session.type_env.transaction_start_us = s->session.transaction_start_us;
    activity_transaction(&s->activity, s->session.transaction_start_us);
    memset(&s->savepoints, 0, sizeof s->savepoints);
    notify_rollback(s, 0);
    return show_modes(s, err);
}

static void defaults_for_txn(SessionState *s)
{
    s->isolation = isolation_of(s, SETTING_default_transaction_isolation);
    s->read_only = setting_bool(s->session.settings, SETTING_default_transaction_read_only);
    s->statement_seen = false;
}

Status txn_state_aborted_error(SessionState *s, Error *err)
{
    return err_set(err, state_error_arena(s), ERR_IN_FAILED_SQL_TRANSACTION,
                   "current transaction is aborted, commands ignored until end of transaction block");
}

Status txn_state_ensure(SessionState *s, Error *err)
{
    if (s->phase == PHASE_FAILED) return txn_state_aborted_error(s, err);
    if (s->phase == PHASE_RELEASED) return txn_retry_released_error(s, err);
    if (s->txn) return ST_OK;
    if (s->phase == PHASE_IDLE) {
        defaults_for_txn(s);
        s->implicit_statements = 0;
    }
    TRY(open_txn(s, err));
    if (s->phase == PHASE_IDLE) s->phase = PHASE_IMPLICIT;
    return ST_OK;
}

static void set_deadline(SessionState *s)
{
    int64_t timeout_ms = setting_int(s->session.settings, SETTING_statement_timeout);
    int64_t deadline = timeout_ms > 0 ? (int64_t)clock_monotonic_ns() + timeout_ms * 1000000 : 0;
    atomic_store(&s->session.interrupt.deadline_ns, deadline);
}

Status txn_state_session_statement(SessionState *s, Error *err)
{
    TRY(txn_state_ensure(s, err));
    set_deadline(s);
    s->session.statement_start_us = clock_now_us();
    return ST_OK;
}

/* SET transaction_isolation before the first query of a transaction: begins it again at that level. */
static Status apply_isolation_setting(SessionState *s, Error *err)
{
    TxnIsolation wanted = isolation_of(s, SETTING_transaction_isolation);
    bool read_only = setting_bool(s->session.settings, SETTING_transaction_read_only);
    if (s->statement_seen || (wanted == s->isolation && read_only == s->read_only)) return ST_OK;
    if (txn_has_writes(s->txn)) return ST_OK;
    s->isolation = wanted;
    s->read_only = read_only;
    Txn *txn = s->txn;
    s->txn = NULL;
    txn_rollback(txn);
    return open_txn(s, err);
}

Status txn_state_statement(SessionState *s, Error *err)
{
    TRY(txn_state_session_statement(s, err));
    TRY(apply_isolation_setting(s, err));
    /* It may be made read-only at any time. */
    s->read_only = setting_bool(s->session.settings, SETTING_transaction_read_only);
    bool first = !s->statement_seen;
    s->statement_seen = true;
    TRY(portal_detach_all(s, err));
    TRY(txn_statement_begin(s->txn, err));
    /* A transaction that keeps its snapshot takes it now, and the catalog with it. */
    if (s->isolation == TXN_READ_COMMITTED || first) catalog_view_refresh(s->session.catalog);
    return ST_OK;
}

/* What ends with a transaction whatever its outcome. The Txn itself is gone already. */
static void txn_ended(SessionState *s, bool committed)
{
    s->txn = NULL;
    s->session.catalog = NULL;
    s->phase = PHASE_IDLE;
    s->implicit_statements = s->injected_errors = 0;
    s->restart_name[0] = '\0';
    activity_transaction(&s->activity, 0);
    deferred_end(s);
    memset(&s->savepoints, 0, sizeof s->savepoints);
    atomic_store(&s->session.interrupt.deadline_ns, 0);
    if (committed) {
        s->batch_repeatable = false;
        settings_commit(&s->session);
        notify_committed(s);
    } else {
        settings_rollback(&s->session, 0);
        notify_rollback(s, 0);
    }
}

Status txn_state_commit(SessionState *s, Error *err)
{
    if (s->phase == PHASE_IDLE) return ST_OK;
    if (s->phase == PHASE_FAILED) {
        txn_state_rollback(s);
        return ST_OK;
    }
    portal_close_all(s, false);
    if (deferred_commit(s, err) != ST_OK || temp_schema_commit(&s->session, s->txn, err) != ST_OK || notify_before_commit(s, err) != ST_OK) {
        txn_state_rollback(s);
        return ST_ERROR;
    }
    Txn *txn = s->txn;
    s->txn = NULL;
    activity_wait(&s->activity, ACTIVITY_COMMITS);
    Status st = txn ? txn_commit(txn, err) : ST_OK;
    activity_wait(&s->activity, ACTIVITY_NO_WAIT);
    txn_ended(s, st == ST_OK);
    return st;
}

void txn_state_rollback(SessionState *s)
{
    if (s->phase == PHASE_IDLE) return;
    portal_close_all(s, false);
    Txn *txn = s->txn;
    s->txn = NULL;
    txn_rollback(txn);
    txn_ended(s, false);
}

void txn_state_failed(SessionState *s)
{
    if (s->phase != PHASE_BLOCK) return;
    s->phase = PHASE_FAILED;
    if (s->savepoints.count > 0) return;
    /* Nothing to go back to: the locks are free at once, as others may wait for them. */
    portal_close_all(s, false);
    txn_rollback(s->txn);
    s->txn = NULL;
    s->session.catalog = NULL;
}

static void apply_modes(SessionState *s, const TxnModes *modes)
{
    if (modes->has_isolation) {
        s->isolation = modes->isolation == ISOLATION_SERIALIZABLE      ? TXN_SERIALIZABLE
                       : modes->isolation == ISOLATION_REPEATABLE_READ ? TXN_REPEATABLE_READ
                                                                       : TXN_READ_COMMITTED;
    }
    if (modes->has_read_only) s->read_only = modes->read_only;
}

Status txn_state_begin_block(SessionState *s, const TxnModes *modes, Error *err)
{
    assert(s->phase != PHASE_FAILED);
    if (s->phase == PHASE_BLOCK) {
        session_notice(&s->session, "WARNING", ERR_ACTIVE_SQL_TRANSACTION, "there is already a transaction in progress");
        return ST_OK;
    }
    if (s->phase == PHASE_IDLE) defaults_for_txn(s);
    bool changes = modes && (modes->has_isolation || modes->has_read_only);
    if (modes) apply_modes(s, modes);
    if (s->txn && changes && !s->statement_seen) {
        Txn *txn = s->txn;
        s->txn = NULL;
        txn_rollback(txn);
    }
    s->phase = PHASE_BLOCK;
    return s->txn ? ST_OK : open_txn(s, err);
}

Status txn_state_retry_statement(SessionState *s, TxnMark mark, Error *err)
{
    txn_rollback_to(s->txn, mark);
    TRY(catalog_view_rolled_back(s->session.catalog, err));
    return txn_statement_begin(s->txn, err);
}

Status txn_state_begin_again(SessionState *s, Error *err)
{
    TxnIsolation isolation = s->isolation;
    bool read_only = s->read_only;
    int64_t start_us = s->session.transaction_start_us;
    txn_state_rollback(s);
    s->isolation = isolation;
    s->read_only = read_only;
    s->statement_seen = false;
    s->phase = PHASE_BLOCK;
    Status st = open_txn(s, err);
    s->session.first_attempt_us = start_us;
    return st;
}

void txn_state_leave_released(SessionState *s)
{
    assert(s->phase == PHASE_RELEASED && !s->txn);
    s->phase = PHASE_IDLE;
}
