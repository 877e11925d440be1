/* stmt_lock.c - a statement's locks on tables: taken before its snapshot, and the plan checked against the catalog after. */
#include "executor/ddl/ddl.h"
#include "executor/stmt_internal.h"
#include "planner/utility_ddl.h"

enum { ATTEMPTS_MAX = 100 };

void stmt_collect_locks(Stmt *stmt, Arena *arena)
{
    const Plan *plan = stmt->planned.plan;
    memset(&stmt->locks, 0, sizeof stmt->locks);
    for (int i = 0; i < stmt->planned.tables.count; i++) VEC_PUSH(arena, stmt->locks, stmt->planned.tables.items[i]);
    if (stmt->parsed && plan->kind == PLAN_UTILITY) ddl_table_uses((const PlanUtility *)plan, &stmt->locks, arena);
}

static LockWait wait_of(const Portal *p)
{
    const PlanUtility *u = portal_utility(p);
    return u && u->utility == UTILITY_LOCK_TABLE ? ((const UtilityLockTable *)u)->wait : LOCK_WAIT;
}

static Status lock_all(Portal *p, Error *err)
{
    SessionState *s = p->session;
    LockWait wait = wait_of(p);
    for (int i = 0; i < p->stmt->locks.count; i++) {
        TableUse use = p->stmt->locks.items[i];
        Status st = txn_lock_table(s->txn, use.table, use.mode, wait, err);
        if (st == ST_OK) continue;
        const Desc *table = catalog_find_id(s->session.catalog, use.table);
        if (wait == LOCK_NOWAIT && table)
            return err_set(err, state_error_arena(s), ERR_LOCK_NOT_AVAILABLE, "could not obtain lock on relation \"%s\"",
                           table->name);
        return st;
    }
    return ST_OK;
}

/* A transaction that keeps its snapshot keeps the catalog of that time, and must not write rows by a definition that
 * has been replaced since. */
static Status check_definitions(const Portal *p, Error *err)
{
    SessionState *s = p->session;
    if (s->isolation == TXN_READ_COMMITTED) return ST_OK;
    for (int i = 0; i < p->stmt->locks.count; i++) {
        TableUse use = p->stmt->locks.items[i];
        if (use.mode >= TABLE_ROW_EXCLUSIVE && !catalog_view_has_newest(s->session.catalog, use.table))
            return err_set(err, state_error_arena(s), ERR_SERIALIZATION_FAILURE,
                           "restart transaction: the definition of a table was changed by a concurrent transaction");
    }
    return ST_OK;
}

Status portal_lock_tables(Portal *p, Error *err)
{
    SessionState *s = p->session;
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        TRY(txn_state_ensure(s, err));
        uint64_t waits = txn_counters(s->txn)->lock_waits;
        TRY(lock_all(p, err));
        bool waited = txn_counters(s->txn)->lock_waits != waits;
        bool behind = s->isolation == TXN_READ_COMMITTED && catalog_view_is_behind(s->session.catalog);
        if (!p->statement_begun || waited || behind) TRY(txn_state_statement(s, err));
        p->statement_begun = true;
        TRY(check_definitions(p, err));
        if (stmt_plan_is_current(p->stmt)) return ST_OK;
        TRY(stmt_plan(p->stmt, err));
        p->columns = p->stmt->columns;
        p->column_count = p->stmt->planned.column_count;
    }
    return err_set(err, state_error_arena(s), ERR_SERIALIZATION_FAILURE,
                   "restart transaction: the catalog was changed again and again by concurrent transactions");
}

/* ---- DDL ---- */

static bool text_goes_on(const SessionState *s)
{
    return s->query_text && s->query_text[strspn(s->query_text, " \t\r\n\f\v;")];
}

/* A lock that ends with its own statement would be of no use. */
static Status check_block(const Portal *p, const PlanUtility *u, Error *err)
{
    SessionState *s = p->session;
    if (u->utility != UTILITY_LOCK_TABLE || s->phase == PHASE_BLOCK || s->implicit_statements > 1 || text_goes_on(s))
        return ST_OK;
    return err_set(err, state_error_arena(s), ERR_NO_ACTIVE_SQL_TRANSACTION,
                   "LOCK TABLE can only be used in transaction blocks");
}

/* Does the error come from a catalog that has changed since the statement was bound: a name taken meanwhile, a descriptor
 * replaced? Bound again it goes through, or fails for what it is. */
static bool is_outdated(const SessionState *s, const Error *err)
{
    if (!s->txn || s->isolation != TXN_READ_COMMITTED || !catalog_view_is_behind(s->session.catalog)) return false;
    return err->sqlstate == ERR_SERIALIZATION_FAILURE || err->sqlstate == ERR_DUPLICATE_TABLE ||
           err->sqlstate == ERR_DUPLICATE_OBJECT || err->sqlstate == ERR_DUPLICATE_SCHEMA ||
           err->sqlstate == ERR_DUPLICATE_DATABASE;
}

Status portal_run_ddl(Portal *p, Error *err)
{
    SessionState *s = p->session;
    UtilityKind kind = portal_utility(p)->utility;
    TRY(check_block(p, portal_utility(p), err));
    if (kind == UTILITY_COPY) return utility_run(p, err); /* its tables were locked when it was bound */
    if (!ddl_handles(kind)) {
        if (p->stmt->locks.count) TRY(portal_lock_tables(p, err));
        return utility_run(p, err);
    }
    for (int attempt = 0;; attempt++) {
        TRY(portal_lock_tables(p, err));
        TxnMark mark = txn_savepoint(s->txn);
        Status st = utility_run(p, err);
        if (st != ST_ERROR || attempt >= ATTEMPTS_MAX || !is_outdated(s, err)) {
            if (st != ST_ERROR) txn_release(s->txn, mark);
            return st;
        }
        txn_rollback_to(s->txn, mark);
        TRY(catalog_view_rolled_back(s->session.catalog, err));
        p->store = NULL;
        p->statement_begun = false;
    }
}
