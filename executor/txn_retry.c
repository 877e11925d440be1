/* txn_retry.c - what a client or the server may do about 40001.
 *
 * The server runs a batch again by itself as long as nothing of it was sent or committed. A client that uses CockroachDB's
 * protocol opens a transaction with SAVEPOINT cockroach_restart, goes back to it after 40001 and tries again; its RELEASE
 * commits. To whom the words matter, the message begins as CockroachDB's does.
 */
#include <stdlib.h>
#include <time.h>

#include "executor/utility_run.h"
#include "planner/settings.h"

enum { ATTEMPTS_MAX = 200, EAGER_ATTEMPTS = 3, WAIT_US_MAX = 10000, INJECTED_MAX = 3 };

/* ---- the message ---- */

void txn_retry_word(Error *err, Arena *arena)
{
    static const char first[] = "restart transaction: ";
    if (err->sqlstate != ERR_SERIALIZATION_FAILURE || !err->message || strncmp(err->message, first, sizeof first - 1) == 0)
        return;
    const char *reason = strstr(err->message, "concurrent update") ? "RETRY_WRITE_TOO_OLD" : "RETRY_SERIALIZABLE";
    err->message = arena_printf(arena, "%sTransactionRetryWithProtoRefreshError: TransactionRetryError: retry txn (%s - %s)",
                                first, reason, err->message);
    if (!err->hint) err->hint = "The transaction might succeed if retried.";
}

/* ---- batches ---- */

void txn_retry_batch_begin(SessionState *s)
{
    if (!s->batch_again) s->batch_attempts = 0;
    s->batch_again = false;
    s->batch_repeatable = s->phase == PHASE_IDLE;
}

void session_batch_begin(Session *session)
{
    txn_retry_batch_begin(state_of(session));
}

size_t session_results_buffer(const Session *session)
{
    return (size_t)setting_int(session->settings, SETTING_results_buffer_size);
}

/* Queries and what is undone with the transaction; a commit is noted where it succeeds. The others last longer than the
 * transaction, or read what the client sends. */
static bool is_repeatable(const Portal *portal)
{
    const PlanUtility *utility = portal_utility(portal);
    return !utility || portal->stmt->stmt_class == STMT_TXN_CONTROL || utility->utility == UTILITY_SET ||
           utility->utility == UTILITY_RESET || utility->utility == UTILITY_SHOW || utility->utility == UTILITY_EXECUTE ||
           utility->utility == UTILITY_EXPLAIN || utility->utility == UTILITY_DO_NOTHING;
}

void txn_retry_note(SessionState *s, const Portal *portal)
{
    if (!is_repeatable(portal)) s->batch_repeatable = false;
}

/* Those who were refused together do not come back together. */
static void wait_a_little(int attempts)
{
    if (attempts <= EAGER_ATTEMPTS) return;
    int64_t most_us = attempts < 14 ? (int64_t)1 << attempts : WAIT_US_MAX;
    if (most_us > WAIT_US_MAX) most_us = WAIT_US_MAX;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    nanosleep(&(struct timespec){.tv_nsec = (long)(now.tv_nsec / 100 % most_us) * 1000}, NULL);
}

bool session_retry(Session *session, const Error *err)
{
    SessionState *s = state_of(session);
    if (err->sqlstate != ERR_SERIALIZATION_FAILURE || !s->batch_repeatable || s->batch_attempts >= ATTEMPTS_MAX)
        return false;
    txn_state_rollback(s);
    portal_sweep(s);
    s->batch_again = true;
    wait_a_little(++s->batch_attempts);
    return true;
}

/* ---- inject_retry_errors_enabled ---- */

Status txn_retry_inject(SessionState *s, const Portal *portal, Error *err)
{
    const PlanUtility *utility = portal_utility(portal);
    bool wanted = s->phase == PHASE_BLOCK && setting_bool(s->session.settings, SETTING_inject_retry_errors_enabled);
    if (!wanted || portal->stmt->stmt_class == STMT_TXN_CONTROL) return ST_OK;
    if (utility && (utility->utility == UTILITY_SET || utility->utility == UTILITY_SHOW)) return ST_OK;
    if (s->restart_name[0] && s->injected_errors >= INJECTED_MAX) return ST_OK;
    s->injected_errors++;
    return err_set(err, state_error_arena(s), ERR_SERIALIZATION_FAILURE,
                   "restart transaction: TransactionRetryWithProtoRefreshError: injected by "
                   "`inject_retry_errors_enabled` session variable");
}

/* ---- SAVEPOINT cockroach_restart ---- */

Status txn_retry_released_error(SessionState *s, Error *err)
{
    return err_set(err, state_error_arena(s), ERR_INVALID_TRANSACTION_STATE,
                   "current transaction is committed, commands ignored until end of transaction block");
}

bool txn_retry_is_restart(const SessionState *s, const char *name)
{
    if (s->restart_name[0]) return strcmp(s->restart_name, name) == 0;
    return false;
}

static bool is_restart_word(const SessionState *s, const char *name)
{
    return strcmp(name, "cockroach_restart") == 0 || setting_bool(s->session.settings, SETTING_force_savepoint_restart);
}

/* ST_END: an ordinary savepoint. */
Status txn_retry_savepoint(SessionState *s, const char *name, Error *err)
{
    if (s->savepoints.count == 0 && txn_retry_is_restart(s, name)) return ST_OK;
    if (!is_restart_word(s, name) || (s->restart_name[0] && strcmp(name, "cockroach_restart") != 0)) return ST_END;
    if (s->savepoints.count > 0 || s->restart_name[0])
        return err_set(err, state_error_arena(s), ERR_SYNTAX_ERROR, "SAVEPOINT \"%s\" cannot be nested", name);
    if (s->statement_seen)
        return err_set(err, state_error_arena(s), ERR_SYNTAX_ERROR,
                       "SAVEPOINT \"%s\" needs to be the first statement in a transaction", name);
    snprintf(s->restart_name, sizeof s->restart_name, "%s", name);
    return ST_OK;
}

Status txn_retry_release(SessionState *s, Error *err)
{
    char name[RESTART_NAME_MAX];
    memcpy(name, s->restart_name, sizeof name);
    Status st = txn_state_commit(s, err);
    s->phase = st == ST_OK ? PHASE_RELEASED : PHASE_FAILED;
    if (st != ST_OK) memcpy(s->restart_name, name, sizeof name);
    return st;
}

Status txn_retry_rollback_to(SessionState *s, Error *err)
{
    char name[RESTART_NAME_MAX];
    int injected = s->injected_errors;
    memcpy(name, s->restart_name, sizeof name);
    TRY(txn_state_begin_again(s, err));
    memcpy(s->restart_name, name, sizeof name);
    s->injected_errors = injected;
    return ST_OK;
}

Status txn_retry_show(Portal *p, Error *err)
{
    static const char *const words[] = {[PHASE_IDLE] = "NoTxn", [PHASE_IMPLICIT] = "NoTxn", [PHASE_BLOCK] = "Open",
                                        [PHASE_FAILED] = "Aborted", [PHASE_RELEASED] = "CommitWait"};
    TRY(portal_store_create(p, p->columns, p->column_count, err));
    Value row = value_str(words[p->session->phase]);
    return row_store_add(p->store, &row);
}
