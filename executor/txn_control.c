/* txn_control.c - BEGIN, COMMIT, ROLLBACK, SAVEPOINT, RELEASE, ROLLBACK TO, SET TRANSACTION. */
#include <assert.h>

#include "executor/constraint/deferred.h"
#include "executor/utility_run.h"
#include "planner/settings.h"

static void set_tag(Portal *p, const char *tag)
{
    snprintf(p->tag, sizeof p->tag, "%s", tag);
}

Status txn_control_begin(Portal *p, const UtilityBegin *u, Error *err)
{
    return txn_state_begin_block(p->session, &u->modes, err);
}

static bool in_block(const SessionState *s)
{
    return s->phase == PHASE_BLOCK || s->phase == PHASE_FAILED || s->phase == PHASE_RELEASED;
}

static Status only_in_block(SessionState *s, const char *what, Error *err)
{
    if (in_block(s)) return ST_OK;
    return err_set(err, state_error_arena(s), ERR_NO_ACTIVE_SQL_TRANSACTION, "%s can only be used in transaction blocks",
                   what);
}

Status txn_control_end(Portal *p, const UtilityEnd *u, bool commit, Error *err)
{
    SessionState *s = p->session;
    if (u->chain) TRY(only_in_block(s, commit ? "COMMIT AND CHAIN" : "ROLLBACK AND CHAIN", err));
    if (s->phase == PHASE_RELEASED) {
        txn_state_leave_released(s);
        set_tag(p, commit ? "COMMIT" : "ROLLBACK");
        return ST_OK;
    }
    if (!in_block(s))
        session_notice(&s->session, "WARNING", ERR_NO_ACTIVE_SQL_TRANSACTION, "there is no transaction in progress");
    TxnModes modes = {.has_isolation = true, .has_read_only = true, .read_only = s->read_only,
                      .isolation = s->isolation == TXN_SERIALIZABLE        ? ISOLATION_SERIALIZABLE
                                   : s->isolation == TXN_REPEATABLE_READ ? ISOLATION_REPEATABLE_READ
                                                                         : ISOLATION_READ_COMMITTED};
    bool commits = commit && s->phase != PHASE_FAILED;
    set_tag(p, commits ? "COMMIT" : "ROLLBACK");
    if (commits)
        TRY(txn_state_commit(s, err));
    else
        txn_state_rollback(s);
    return u->chain ? txn_state_begin_block(s, &modes, err) : ST_OK;
}

/* ---- savepoints ---- */

/* Index of the newest savepoint of that name; -1: none. */
static int find_savepoint(const SessionState *s, const char *name)
{
    for (int i = s->savepoints.count - 1; i >= 0; i--)
        if (strcmp(s->savepoints.items[i].name, name) == 0) return i;
    return -1;
}

static Status no_savepoint(SessionState *s, const char *name, Error *err)
{
    return err_set(err, state_error_arena(s), ERR_INVALID_SAVEPOINT_SPECIFICATION, "savepoint \"%s\" does not exist", name);
}

static Status push_savepoint(SessionState *s, const char *name, Error *err)
{
    Arena *arena = txn_arena(s->txn);
    TRY(portal_detach_all(s, err));
    VEC_PUSH(arena, s->savepoints,
             (Savepoint){arena_strdup(arena, name), txn_savepoint(s->txn), txn_lock_mark(s->txn),
                         settings_mark(s->session.settings), notify_mark(s), deferred_mark(s)});
    return ST_OK;
}

Status txn_control_savepoint(Portal *p, const UtilitySavepoint *u, Error *err)
{
    SessionState *s = p->session;
    TRY(only_in_block(s, "SAVEPOINT", err));
    if (s->phase == PHASE_FAILED) return txn_state_aborted_error(s, err);
    Status restart = txn_retry_savepoint(s, u->name, err);
    if (restart != ST_END) return restart;
    return push_savepoint(s, u->name, err);
}

Status txn_control_mark(SessionState *s, int *mark, Error *err)
{
    *mark = s->savepoints.count;
    return push_savepoint(s, "", err); /* no name in SQL is empty */
}

Status txn_control_release(Portal *p, const UtilitySavepoint *u, Error *err)
{
    SessionState *s = p->session;
    TRY(only_in_block(s, "RELEASE SAVEPOINT", err));
    if (s->phase == PHASE_FAILED) return txn_state_aborted_error(s, err);
    int at = find_savepoint(s, u->name);
    if (at < 0 && txn_retry_is_restart(s, u->name)) return txn_retry_release(s, err);
    if (at < 0) return no_savepoint(s, u->name, err);
    txn_release(s->txn, s->savepoints.items[at].mark);
    deferred_release(s, at);
    s->savepoints.count = at;
    return ST_OK;
}

Status txn_control_back_to(SessionState *s, int at, TxnPhase phase, Error *err)
{
    const Savepoint *savepoint = &s->savepoints.items[at];
    assert(s->txn);
    TRY(portal_detach_all(s, err));
    txn_rollback_to(s->txn, savepoint->mark);
    settings_rollback(&s->session, savepoint->settings_mark);
    notify_rollback(s, savepoint->notify_mark);
    deferred_rollback(s, savepoint->deferred_mark, at + 1);
    s->savepoints.count = at + 1;
    s->phase = phase;
    TRY(catalog_view_rolled_back(s->session.catalog, err));
    /* What the rolled back statements locked is free for others, who may wait for it. */
    txn_locks_release_to(s->txn, savepoint->lock_mark);
    return ST_OK;
}

void txn_control_forget_mark(SessionState *s, int mark)
{
    txn_release(s->txn, s->savepoints.items[mark].mark);
    deferred_release(s, mark);
    s->savepoints.count = mark;
}

Status txn_control_rollback_to(Portal *p, const UtilitySavepoint *u, Error *err)
{
    SessionState *s = p->session;
    TRY(only_in_block(s, "ROLLBACK TO SAVEPOINT", err));
    int at = find_savepoint(s, u->name);
    if (at < 0 && txn_retry_is_restart(s, u->name)) return txn_retry_rollback_to(s, err);
    if (at < 0) return no_savepoint(s, u->name, err);
    return txn_control_back_to(s, at, PHASE_BLOCK, err);
}

Status txn_control_show_savepoints(Portal *p, Error *err)
{
    SessionState *s = p->session;
    TRY(portal_store_create(p, p->columns, p->column_count, err));
    if (s->restart_name[0]) TRY(row_store_add(p->store, (Value[]){value_str(s->restart_name), value_bool(true)}));
    for (int i = 0; i < s->savepoints.count; i++) {
        Value row[] = {value_str(s->savepoints.items[i].name), value_bool(false)};
        TRY(row_store_add(p->store, row));
    }
    return ST_OK;
}

/* ---- SET TRANSACTION ---- */

static const char *isolation_words(int isolation)
{
    switch (isolation) {
    case ISOLATION_SERIALIZABLE: return "serializable";
    case ISOLATION_REPEATABLE_READ: return "repeatable read";
    case ISOLATION_READ_UNCOMMITTED: return "read uncommitted";
    default: return "read committed";
    }
}

static Status set_modes(SessionState *s, const TxnModes *modes, bool of_session, Error *err)
{
    if (modes->has_isolation)
        TRY(settings_set_name(&s->session, of_session ? "default_transaction_isolation" : "transaction_isolation",
                              isolation_words(modes->isolation), !of_session, err));
    if (modes->has_read_only)
        TRY(settings_set_name(&s->session, of_session ? "default_transaction_read_only" : "transaction_read_only",
                              modes->read_only ? "on" : "off", !of_session, err));
    if (modes->has_deferrable)
        TRY(settings_set_name(&s->session, of_session ? "default_transaction_deferrable" : "transaction_deferrable",
                              modes->deferrable ? "on" : "off", !of_session, err));
    return ST_OK;
}

Status txn_control_set(Portal *p, const UtilitySetTransaction *u, Error *err)
{
    SessionState *s = p->session;
    if (u->of_session) return set_modes(s, &u->modes, true, err);
    if (s->phase != PHASE_BLOCK) {
        session_notice(&s->session, "WARNING", ERR_NO_ACTIVE_SQL_TRANSACTION,
                       "SET TRANSACTION can only be used in transaction blocks");
        return ST_OK;
    }
    if (u->modes.has_isolation && s->statement_seen)
        return err_set(err, state_error_arena(s), ERR_ACTIVE_SQL_TRANSACTION,
                       "SET TRANSACTION ISOLATION LEVEL must be called before any query");
    if (u->modes.has_read_only && !u->modes.read_only && s->read_only && s->savepoints.count)
        return err_set(err, state_error_arena(s), ERR_ACTIVE_SQL_TRANSACTION,
                       "cannot set transaction read-write mode inside a read-only transaction");
    if (u->modes.has_read_only && !u->modes.read_only && s->read_only && s->statement_seen)
        return err_set(err, state_error_arena(s), ERR_ACTIVE_SQL_TRANSACTION,
                       "transaction read-write mode must be set before any query");
    return set_modes(s, &u->modes, false, err);
}
