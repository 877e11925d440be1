/* portal.c - a statement with its parameters, being run; rows are pulled. */
#include <assert.h>
#include <limits.h>

#include "executor/constraint/deferred.h"
#include "executor/constraint/constraint.h"
#include "executor/copy.h"
#include "executor/stmt_internal.h"
#include "planner/settings.h"
#include "storage/base/clock.h"
#include "storage/catalog/catalog_snapshot.h"

enum { RETRIES_MAX = 1000 };

/* ---- life ---- */

static void release_exec(Portal *p)
{
    if (!p->op) return;
    op_close(p->op);
    p->op = NULL;
    p->exec = NULL;
    if (p->borrowed) p->stmt->in_use = false;
}

/* Everything that holds on to the transaction is let go; tag and columns stay. */
static void portal_finish(Portal *p, PortalState state)
{
    if (p->inner) portal_close(p->inner);
    p->inner = NULL;
    copy_close(p);
    release_exec(p);
    p->batch = (Batch){0};
    p->state = state;
}

static void unlink_portal(Portal *p)
{
    for (Portal **at = &p->session->portals; *at; at = &(*at)->next)
        if (*at == p) {
            *at = p->next;
            return;
        }
}

void portal_close(Portal *portal)
{
    portal_finish(portal, PORTAL_DONE);
    unlink_portal(portal);
    stmt_release(portal->stmt);
    arena_destroy(portal->arena);
}

Portal *portal_find(Session *session, const char *name)
{
    for (Portal *p = state_of(session)->portals; p; p = p->next)
        if (p->name && !p->gone && strcmp(p->name, name) == 0) return p;
    return NULL;
}

void portal_close_named(Session *session, const char *name)
{
    Portal *p = portal_find(session, name);
    if (p) portal_close(p);
}

void portal_close_all(SessionState *s, bool with_held)
{
    for (Portal *p = s->portals; p; p = p->next) {
        if (p->hold && p->store && !with_held) {
            release_exec(p);
            continue;
        }
        /* The one that is running ends its own transaction: COMMIT, ROLLBACK. */
        if (p == s->running) continue;
        bool is_inner = s->running && s->running->inner == p;
        if (is_inner) continue;
        portal_finish(p, PORTAL_FAILED);
        p->gone = true;
    }
}

void portal_sweep(SessionState *s)
{
    for (Portal *p = s->portals, *next; p; p = next) {
        next = p->next;
        if (!p->gone || !p->name || p == s->running) continue;
        portal_close(p);
        next = s->portals;
    }
}

static Status portal_keep_rest(Portal *p, Error *err)
{
    Arena *arena = p->arena;
    RowStore *store = row_store_create(p->exec, op_types(p->stmt->planned.plan, arena), p->stmt->planned.plan->column_count, arena);
    p->exec->err = err;
    Batch rest = p->batch;
    if (p->batch_next < batch_rows(&rest)) {
        int count = batch_rows(&rest) - p->batch_next;
        int *rows = ARENA_ARRAY(arena, int, count);
        for (int i = 0; i < count; i++) rows[i] = batch_row(&rest, p->batch_next + i);
        rest.selected = rows;
        rest.selected_count = count;
        TRY(row_store_add_batch(store, &rest));
    }
    TRY(row_store_add_all(store, p->op));
    p->batch = (Batch){0};
    p->batch_next = 0;
    p->store = store;
    row_reader_init(&p->reader, store, arena);
    op_close(p->op);
    return ST_OK;
}

/* It is half-way through its rows, and the rest of them are still in the store. */
static bool streams(const Portal *p)
{
    return p->state == PORTAL_ACTIVE && p->op && p->op->opened && !p->store;
}

bool portal_any_reads_on(const SessionState *s)
{
    for (const Portal *p = s->portals; p; p = p->next)
        if (streams(p) || (p->state == PORTAL_NEW && p->statement_begun)) return true;
    return false;
}

Status portal_detach_all(SessionState *s, Error *err)
{
    for (Portal *p = s->portals; p; p = p->next) {
        if (!streams(p) || p == s->running) continue;
        TRY(portal_keep_rest(p, err));
    }
    return ST_OK;
}

/* ---- binding ---- */

const PlanUtility *portal_utility(const Portal *portal)
{
    const Plan *plan = portal->stmt->planned.plan;
    return portal->stmt->parsed && plan->kind == PLAN_UTILITY ? (const PlanUtility *)plan : NULL;
}

static void copy_params(Portal *p, const Value *params)
{
    const PlannedStmt *planned = &p->stmt->planned;
    p->params = ARENA_ARRAY(p->arena, Value, planned->param_count + 1);
    for (int i = 0; i < planned->param_count; i++)
        p->params[i] = !params || params[i].null
                           ? VALUE_NULL
                           : value_copy(exec_type(planned->param_types[i].oid), params[i], p->arena);
}

Status portal_create(SessionState *s, const char *name, Stmt *stmt, const Value *params, Portal **out, Error *err)
{
    Arena *arena = arena_create(s->session.arena, 0);
    Portal *p = ARENA_NEW(arena, Portal);
    p->session = s;
    p->arena = arena;
    p->name = name ? arena_strdup(arena, name) : NULL;
    p->stmt = stmt;
    stmt->references++;
    p->next = s->portals;
    s->portals = p;
    *out = p;
    if (!stmt->parsed) return ST_OK;
    copy_params(p, params);
    p->columns = stmt->columns;
    p->column_count = stmt->planned.column_count;
    /* What a COPY is told about its columns must still hold when it runs. */
    bool copies = portal_utility(p) && portal_utility(p)->utility == UTILITY_COPY;
    Status st = copies ? portal_lock_tables(p, err) : ST_OK;
    if (st == ST_OK && portal_utility(p)) st = utility_bind(p, err);
    if (st != ST_OK) portal_close(p);
    return st;
}

Status portal_bind(Session *session, const char *name, Stmt *stmt, const Value *params, Portal **portal, Error *err)
{
    SessionState *s = state_of(session);
    portal_sweep(s);
    if (stmt->text) session_note_begin(s, stmt->text);
    Portal *old = portal_find(session, name);
    if (old && *name) {
        (void)err_set(err, state_error_arena(s), ERR_DUPLICATE_CURSOR, "cursor \"%s\" already exists", name);
        return session_error(s, err);
    }
    if (old) portal_close(old);
    if (s->phase == PHASE_FAILED && stmt->parsed && !stmt->ends_failure) {
        (void)txn_state_aborted_error(s, err);
        return session_error(s, err);
    }
    if (stmt->parsed && stmt_plan(stmt, err) != ST_OK) return session_error(s, err);
    if (portal_create(s, name, stmt, params, portal, err) != ST_OK) return session_error(s, err);
    return ST_OK;
}

const ResultColumn *portal_columns(const Portal *portal, int *count)
{
    *count = portal->column_count;
    return portal->column_count || stmt_returns_rows(portal->stmt) ? portal->columns : NULL;
}

bool portal_is_empty(const Portal *portal)
{
    return !portal->stmt->parsed;
}

PortalKind portal_kind(const Portal *portal)
{
    if (portal->copy_in) return PORTAL_COPY_IN;
    if (portal->copy_out) return PORTAL_COPY_OUT;
    return portal->column_count ? PORTAL_ROWS : PORTAL_COMMAND;
}

const char *portal_tag(const Portal *portal)
{
    return portal->tag;
}

/* ---- starting ---- */

static Status take_exec(Portal *p, Error *err)
{
    Stmt *stmt = p->stmt;
    Session *session = &p->session->session;
    const PlannedStmt *planned;
    assert(!p->op);
    TRY(plan_choice(stmt, p->params, &planned, p->arena, err));
    p->borrowed = !stmt->in_use && planned == &stmt->planned;
    Exec *exec = p->borrowed ? stmt->exec : NULL;
    if (!exec) exec = exec_create(session, planned, p->borrowed ? stmt->plan_arena : p->arena);
    exec->temp_directory = p->session->server->temp_directory;
    exec->timing = p->started_ns != 0;
    exec_start(exec, p->session->txn, p->params, err);
    Op *op = p->borrowed ? stmt->op : NULL;
    if (!op) TRY(op_build(exec, planned->plan, &op));
    if (p->borrowed) {
        stmt->exec = exec;
        stmt->op = op;
        stmt->in_use = true;
    }
    p->exec = exec;
    p->op = op;
    return ST_OK;
}

/* Runs the statement to its end, again if a row it wants to change was changed by another transaction. */
static Status run_whole(Portal *p, Error *err)
{
    SessionState *s = p->session;
    TxnMark mark = txn_savepoint(s->txn);
    DeferredMark deferred = deferred_mark(s);
    for (int attempt = 0;; attempt++) {
        TRY(take_exec(p, err));
        Status st = op_open(p->op);
        const Plan *plan = p->stmt->planned.plan;
        if (!p->store && plan->column_count)
            p->store = row_store_create(p->exec, op_types(plan, p->arena), plan->column_count, p->arena);
        Batch batch;
        while (st == ST_OK && (st = op_next(p->op, &batch)) == ST_OK)
            if (p->store) st = row_store_add_batch(p->store, &batch);
        if (st == ST_END) {
            st = constraints_finish(p->exec);
            if (st == ST_OK) st = ST_END;
        }
        bool again = st == ST_ERROR && p->exec->retry_statement && attempt < RETRIES_MAX;
        if (st == ST_END) {
            if (p->store) row_reader_init(&p->reader, p->store, p->arena);
            op_close(p->op);
            txn_release(s->txn, mark);
            return ST_OK;
        }
        if (!again) return st;
        release_exec(p);
        if (p->store) row_store_clear(p->store);
        deferred_rollback(s, deferred, INT_MAX);
        TRY(txn_state_retry_statement(s, mark, err));
    }
}

/* log_min_duration_statement; < 0: off. */
static int64_t log_from_ms(const Portal *p)
{
    return setting_int(p->session->session.settings, SETTING_log_min_duration_statement);
}

static void log_if_slow(Portal *p)
{
    int64_t from_ms = log_from_ms(p);
    if (from_ms < 0 || p->started_ns == 0 || !p->exec || !p->exec->planned || p->inner) return;
    uint64_t taken = clock_monotonic_ns() - p->started_ns;
    p->started_ns = 0;
    if (taken >= (uint64_t)from_ms * 1000000) explain_log(p, taken);
}

static Status start_query(Portal *p, Error *err)
{
    TRY(portal_lock_tables(p, err));
    if (log_from_ms(p) >= 0) p->started_ns = clock_monotonic_ns();
    if (p->stmt->runs_whole) return run_whole(p, err);
    TRY(take_exec(p, err));
    return op_open(p->op);
}

Status portal_check_allowed(const Portal *p, Error *err)
{
    if (!p->stmt->planned.denied) return ST_OK;
    *err = *p->stmt->planned.denied;
    return ST_ERROR;
}

static Status portal_start(Portal *p, Error *err)
{
    SessionState *s = p->session;
    if (s->phase == PHASE_FAILED && !p->stmt->ends_failure) return txn_state_aborted_error(s, err);
    if (s->phase == PHASE_RELEASED && !p->stmt->ends_failure) return txn_retry_released_error(s, err);
    txn_retry_note(s, p);
    TRY(txn_retry_inject(s, p, err));
    if (p->stmt->stmt_class != STMT_TXN_CONTROL) {
        TRY(txn_state_ensure(s, err));
        s->implicit_statements++;
    }
    p->state = PORTAL_ACTIVE;
    TRY(txn_state_check_read_only(s, &p->stmt->planned, err));
    TRY(portal_check_allowed(p, err));
    if (!portal_utility(p)) return start_query(p, err);
    return p->stmt->stmt_class == STMT_UTILITY ? portal_run_ddl(p, err) : utility_run(p, err);
}

/* ---- rows ---- */

static Status next_batch(Portal *p, int rows_max)
{
    p->batch_next = 0;
    p->batch = (Batch){0};
    if (p->ended) return ST_END;
    do {
        Status st;
        if (p->store)
            st = row_reader_next(&p->reader, &p->batch);
        else if (!p->op || !p->op->opened)
            st = ST_END;
        else {
            p->op->rows_wanted = rows_max < BATCH_ROWS_MAX ? rows_max : 0;
            st = op_next(p->op, &p->batch);
        }
        TRY(st);
    } while (batch_rows(&p->batch) == 0);
    return ST_OK;
}

static void hand_out(Portal *p, int rows_max, RowBlock *block)
{
    int left = batch_rows(&p->batch) - p->batch_next;
    block->columns = p->batch.columns;
    if (p->stmt->places && p->batch_next == 0) {
        if (!p->placed) p->placed = ARENA_ARRAY(p->arena, Value *, p->column_count + 1);
        for (int c = 0; c < p->column_count; c++) p->placed[c] = p->batch.columns[p->stmt->places[c]];
    }
    if (p->stmt->places) block->columns = p->placed;
    block->count = rows_max > 0 && rows_max < left ? rows_max : left;
    if (p->batch.selected) {
        block->rows = p->batch.selected + p->batch_next;
    } else if (p->batch_next > 0) {
        if (!p->rows) p->rows = ARENA_ARRAY(p->arena, int, BATCH_ROWS_MAX);
        for (int i = 0; i < block->count; i++) p->rows[i] = p->batch_next + i;
        block->rows = p->rows;
    }
    p->batch_next += block->count;
    p->rows_returned += block->count;
}

static void query_tag(Portal *p)
{
    const char *tag = p->stmt->planned.tag;
    int64_t rows = p->rows_returned;
    if (p->exec && p->exec->main_plan->kind >= PLAN_INSERT && p->exec->main_plan->kind <= PLAN_DELETE)
        rows = p->exec->rows_affected;
    snprintf(p->tag, sizeof p->tag, strcmp(tag, "INSERT") == 0 ? "%s 0 %lld" : "%s %lld", tag, (long long)rows);
}

static Status portal_end(Portal *p)
{
    log_if_slow(p);
    if (!p->tag[0]) {
        if (portal_utility(p))
            snprintf(p->tag, sizeof p->tag, "%s", portal_utility(p)->tag);
        else
            query_tag(p);
    }
    p->ended = true;
    /* A cursor may be moved back; it keeps its rows. */
    if (!p->is_cursor) portal_finish(p, PORTAL_DONE);
    return ST_END;
}

static Status inner_next(Portal *p, int rows_max, RowBlock *block, Error *err)
{
    Status st = portal_next(p->inner, rows_max, block, err);
    if (st == ST_OK) p->rows_returned += block->count;
    if (st == ST_END) snprintf(p->tag, sizeof p->tag, "%s", portal_tag(p->inner));
    return st == ST_END ? portal_end(p) : st;
}

static Status portal_run(Portal *p, int rows_max, RowBlock *block, Error *err)
{
    if (p->exec) p->exec->err = err;
    if (p->state == PORTAL_NEW) TRY(portal_start(p, err));
    if (p->inner) return inner_next(p, rows_max, block, err);
    if (p->batch_next >= batch_rows(&p->batch)) {
        Status st = next_batch(p, rows_max);
        if (st == ST_END) return portal_end(p);
        TRY(st);
    }
    hand_out(p, rows_max, block);
    return ST_OK;
}

Status portal_next(Portal *portal, int rows_max, RowBlock *block, Error *err)
{
    SessionState *s = portal->session;
    *block = (RowBlock){0};
    if (portal->state == PORTAL_DONE || !portal->stmt->parsed) return ST_END;
    if (portal->state == PORTAL_FAILED) {
        (void)err_set(err, state_error_arena(s), ERR_INVALID_CURSOR_STATE, "portal \"%s\" cannot be run",
                      portal->name ? portal->name : "");
        return session_error(s, err);
    }
    Portal *outer = s->running;
    s->running = portal;
    Status st = portal_run(portal, rows_max, block, err);
    s->running = outer;
    if (st != ST_ERROR) return st;
    /* The texts lie in arenas of the operators; scans must be closed before the transaction they read in is rolled back. */
    session_keep_error(s, err);
    portal_finish(portal, PORTAL_FAILED);
    return session_error(s, err);
}

Status portal_open_now(Portal *p, Error *err)
{
    SessionState *s = p->session;
    Portal *outer = s->running;
    s->running = p;
    Status st = portal_start(p, err);
    s->running = outer;
    TRY(st);
    return txn_snapshot_take(s->txn, err);
}

Status portal_keep_all(Portal *p, Error *err)
{
    assert(p->state == PORTAL_NEW || !p->store);
    if (p->exec) p->exec->err = err;
    if (p->state == PORTAL_NEW) TRY(portal_open_now(p, err));
    return p->store ? ST_OK : portal_keep_rest(p, err);
}

Status portal_store_create(Portal *p, const ResultColumn *columns, int count, Error *err)
{
    const TypeDef **types = ARENA_ARRAY(p->arena, const TypeDef *, count + 1);
    for (int i = 0; i < count; i++) types[i] = exec_type(columns[i].type.oid);
    Exec *exec = ARENA_NEW(p->arena, Exec);
    exec->work_mem_bytes = (size_t)64 << 20;
    exec->temp_directory = p->session->server->temp_directory;
    exec->err = err;
    p->exec = exec;
    p->store = row_store_create(exec, types, count, p->arena);
    row_reader_init(&p->reader, p->store, p->arena);
    return ST_OK;
}
