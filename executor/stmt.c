/* stmt.c - statements: cut off a text, prepared, planned, and planned again when the catalog has changed. */
#include <assert.h>

#include "executor/stmt_internal.h"
#include "planner/settings.h"
#include "storage/base/clock.h"
#include "storage/catalog/catalog_snapshot.h"

/* ---- errors ---- */

static const char *keep(Arena *arena, const char *text)
{
    return text ? arena_strdup(arena, text) : NULL;
}

static void name_schema(const Session *session, Error *err)
{
    const Desc *table = err->table_id && !err->schema && session->catalog ? catalog_find_id(session->catalog, err->table_id) : NULL;
    if (table) err->schema = session_schema_name(session, table->parent_schema);
}

void session_keep_error(SessionState *s, Error *err)
{
    name_schema(&s->session, err);
    Arena *arena = s->error_arenas[1 - s->error_arena];
    arena_reset(arena);
    err->message = keep(arena, err->message);
    err->detail = keep(arena, err->detail);
    err->hint = keep(arena, err->hint);
    err->context = keep(arena, err->context);
    err->schema = keep(arena, err->schema);
    err->table = keep(arena, err->table);
    err->column = keep(arena, err->column);
    err->datatype = keep(arena, err->datatype);
    err->constraint = keep(arena, err->constraint);
    txn_retry_word(err, arena);
    s->error_arena = 1 - s->error_arena;
}

Status session_error(SessionState *s, Error *err)
{
    session_keep_error(s, err);
    txn_state_failed(s);
    return ST_ERROR;
}

/* ---- planning ---- */

static bool plan_locks_rows(const Plan *plan)
{
    if (plan->kind == PLAN_LOCK) return true;
    if (plan->kind == PLAN_SCAN && ((const PlanScan *)plan)->locking) return true;
    if (plan->kind == PLAN_INDEX_JOIN && ((const PlanIndexJoin *)plan)->locking) return true;
    for (int i = 0; i < plan->input_count; i++)
        if (plan_locks_rows(plan->inputs[i])) return true;
    return false;
}

static bool plan_modifies(const Plan *plan)
{
    if (plan->kind == PLAN_INSERT || plan->kind == PLAN_UPDATE || plan->kind == PLAN_DELETE) return true;
    if (plan->kind == PLAN_WITH)
        for (int i = 0; i < ((const PlanWith *)plan)->cte_count; i++)
            if (plan_modifies(((const PlanWith *)plan)->plans[i])) return true;
    for (int i = 0; i < plan->input_count; i++)
        if (plan_modifies(plan->inputs[i])) return true;
    return false;
}

ResultColumn *result_columns(const PlannedStmt *planned, Arena *arena)
{
    ResultColumn *columns = ARENA_ARRAY(arena, ResultColumn, planned->column_count + 1);
    for (int i = 0; i < planned->column_count; i++) {
        const RelColumn *from = &planned->columns[i];
        columns[i] = (ResultColumn){.name = from->name, .type = from->type, .table_oid = from->table_id,
                                    .column_number = (int16_t)from->column_id};
    }
    return columns;
}

/* The plan may return its columns in another order, or more of them. */
static int *result_places(const PlannedStmt *planned, Arena *arena)
{
    if (planned->plan->kind == PLAN_UTILITY) return NULL;
    bool same = true;
    int *places = ARENA_ARRAY(arena, int, planned->column_count + 1);
    for (int i = 0; i < planned->column_count; i++) {
        places[i] = op_column(planned->plan, planned->columns[i].id);
        if (places[i] < 0) places[i] = i;
        same &= places[i] == i;
    }
    return same ? NULL : places;
}

bool stmt_plan_is_current(const Stmt *stmt)
{
    const CatalogView *view = stmt->state->session.catalog;
    if (!stmt->parsed) return true;
    if (!stmt->planned_once) return false;
    const Session *session = &stmt->state->session;
    if (stmt->planned.user != session->user || stmt->planned.search_path != setting_text(session->settings, SETTING_search_path))
        return false;
    return !view || stmt->planned.catalog_version == catalog_view_version(view);
}

static bool same_result(const ResultColumn *before, int before_count, const ResultColumn *now, int now_count)
{
    if (before_count != now_count) return false;
    for (int i = 0; i < now_count; i++)
        if (before[i].type.oid != now[i].type.oid || before[i].type.typmod != now[i].type.typmod) return false;
    return true;
}

static void drop_plan(Stmt *stmt)
{
    arena_destroy(stmt->plan_arena);
    if (stmt->snapshot) catalog_release(stmt->snapshot);
    stmt->plan_arena = NULL;
    stmt->snapshot = NULL;
    stmt->exec = NULL;
    stmt->op = NULL;
    stmt->planned_once = false;
}

static Status plan_again(Stmt *stmt, Arena *arena, PlannedStmt *planned, Error *err)
{
    SessionState *s = stmt->state;
    TRY(plan_statement(&s->session, stmt->parsed, &(PlanParams){stmt->declared_types, stmt->declared_count, NULL}, planned, arena, err));
    if (stmt->planned_once && stmt->name &&
        !same_result(stmt->columns, stmt->planned.column_count, result_columns(planned, arena), planned->column_count))
        return err_set(err, state_error_arena(s), ERR_FEATURE_NOT_SUPPORTED, "cached plan must not change result type");
    return ST_OK;
}

static bool same_name(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_columns(const ResultColumn *a, const ResultColumn *b, int count)
{
    for (int i = 0; i < count; i++)
        if (!same_name(a[i].name, b[i].name) || a[i].table_oid != b[i].table_oid || a[i].column_number != b[i].column_number)
            return false;
    return true;
}

/* Portals go on reading the columns that they began with after another one had the statement planned again: they live as
 * long as the statement. */
static ResultColumn *keep_columns(Stmt *stmt)
{
    int count = stmt->planned.column_count;
    ResultColumn *columns = result_columns(&stmt->planned, stmt->plan_arena);
    if (stmt->columns && same_result(stmt->columns, stmt->column_count, columns, count) &&
        same_columns(stmt->columns, columns, count))
        return stmt->columns;
    columns = arena_copy(stmt->arena, columns, sizeof *columns * (size_t)(count + 1));
    for (int i = 0; i < count; i++)
        if (columns[i].name) columns[i].name = arena_strdup(stmt->arena, columns[i].name);
    stmt->column_count = count;
    return columns;
}

Status stmt_plan(Stmt *stmt, Error *err)
{
    SessionState *s = stmt->state;
    if (stmt->stmt_class != STMT_TXN_CONTROL) TRY(txn_state_ensure(s, err));
    if (stmt_plan_is_current(stmt)) return ST_OK;
    Arena *arena = arena_create(s->session.arena, 0);
    PlannedStmt planned = {0};
    uint64_t start = clock_monotonic_ns();
    Status st = plan_again(stmt, arena, &planned, err);
    if (st != ST_OK) {
        st = session_error(s, err);
        arena_destroy(arena);
        return st;
    }
    assert(!stmt->in_use);
    drop_plan(stmt);
    stmt->plan_arena = arena;
    stmt->planned = planned;
    stmt->planned_once = true;
    plan_choice_reset(stmt);
    stmt->planning_ns = clock_monotonic_ns() - start;
    if (s->session.catalog) stmt->snapshot = snapshot_retain(catalog_view_snapshot(s->session.catalog));
    stmt->columns = keep_columns(stmt);
    stmt->places = result_places(&stmt->planned, arena);
    stmt->runs_whole = plan_modifies(planned.plan) || plan_locks_rows(planned.plan);
    stmt_collect_locks(stmt, arena);
    return ST_OK;
}

/* ---- life ---- */

Status stmt_create(SessionState *s, const char *name, ParsedStmt *parsed, Arena *arena, Stmt **out)
{
    Stmt *stmt = ARENA_NEW(arena, Stmt);
    stmt->state = s;
    stmt->arena = arena;
    stmt->name = name ? arena_strdup(arena, name) : NULL;
    stmt->parsed = parsed;
    stmt->references = 1;
    stmt->prepared_at_us = clock_now_us();
    if (parsed) {
        stmt->stmt_class = plan_stmt_class(parsed);
        stmt->ends_failure = plan_stmt_ends_failure(parsed);
    }
    *out = stmt;
    return ST_OK;
}

void stmt_release(Stmt *stmt)
{
    if (--stmt->references > 0) return;
    assert(!stmt->in_use);
    drop_plan(stmt);
    arena_destroy(stmt->arena);
}

Status stmt_not_found(SessionState *s, const char *name, Error *err)
{
    return err_set(err, state_error_arena(s), ERR_INVALID_SQL_STATEMENT_NAME, "prepared statement \"%s\" does not exist",
                   name);
}

Stmt *stmt_find(Session *session, const char *name)
{
    for (Stmt *stmt = state_of(session)->stmts; stmt; stmt = stmt->next)
        if (strcmp(stmt->name, name) == 0) return stmt;
    return NULL;
}

void stmt_close(Session *session, const char *name)
{
    for (Stmt **at = &state_of(session)->stmts; *at; at = &(*at)->next) {
        Stmt *stmt = *at;
        if (strcmp(stmt->name, name) != 0) continue;
        *at = stmt->next;
        stmt_release(stmt);
        return;
    }
}

/* ---- preparing ---- */

static Status parse_one(SessionState *s, const char *text, ParsedStmt **parsed, Arena *arena, Error *err)
{
    const char *rest = text;
    ParsedStmt *second;
    *parsed = NULL;
    Status st = plan_parse(text, &rest, parsed, arena, err);
    if (st == ST_END) {
        *parsed = NULL;
        return ST_OK;
    }
    TRY(st);
    st = plan_parse(text, &rest, &second, arena, err);
    if (st == ST_OK)
        return err_set(err, state_error_arena(s), ERR_SYNTAX_ERROR,
                       "cannot insert multiple commands into a prepared statement");
    return st == ST_END ? ST_OK : st;
}

static Status prepare_in(SessionState *s, Stmt **out, Arena *arena, const char *name, const char *text, Error *err)
{
    ParsedStmt *parsed;
    const char *own_text = arena_strdup(arena, text);
    TRY(parse_one(s, own_text, &parsed, arena, err));
    TRY(stmt_create(s, name, parsed, arena, out));
    (*out)->text = own_text;
    if (parsed && s->phase == PHASE_FAILED && !(*out)->ends_failure) return txn_state_aborted_error(s, err);
    return ST_OK;
}

static Status add_statement(SessionState *s, Stmt *stmt, const Oid *types, int count, Error *err)
{
    stmt->declared_types = arena_copy(stmt->arena, types, sizeof(Oid) * (size_t)count);
    stmt->declared_count = count;
    if (stmt->parsed && s->session.catalog && s->isolation == TXN_READ_COMMITTED) catalog_view_refresh(s->session.catalog);
    if (stmt->parsed) TRY(stmt_plan(stmt, err));
    stmt->next = s->stmts;
    s->stmts = stmt;
    return ST_OK;
}

Status stmt_prepare(Session *session, const char *name, const char *text, const Oid *param_types, int param_count,
                    Stmt **out, Error *err)
{
    SessionState *s = state_of(session);
    portal_sweep(s);
    if (!s->query_origin) session_note_begin(s, text);
    if (*name && stmt_find(session, name)) {
        (void)err_set(err, state_error_arena(s), ERR_DUPLICATE_PREPARED_STATEMENT,
                      "prepared statement \"%s\" already exists", name);
        return session_error(s, err);
    }
    if (!*name) stmt_close(session, name);
    Arena *arena = arena_create(session->arena, 0);
    Stmt *stmt = NULL;
    Status st = prepare_in(s, &stmt, arena, name, text, err);
    if (st == ST_OK) st = add_statement(s, stmt, param_types, param_count, err);
    if (st == ST_OK) {
        *out = stmt;
        return ST_OK;
    }
    st = session_error(s, err);
    arena_destroy(arena);
    return st;
}

Status stmt_prepare_sql(SessionState *s, const char *name, const char *text, const Oid *types, int count, Error *err)
{
    Stmt *stmt;
    if (*name == '\0' || stmt_find(&s->session, name))
        return err_set(err, state_error_arena(s), ERR_DUPLICATE_PREPARED_STATEMENT,
                       "prepared statement \"%s\" already exists", name);
    TRY(stmt_prepare(&s->session, name, text, types, count, &stmt, err));
    stmt->from_sql = true;
    return ST_OK;
}

bool stmt_is_empty(const Stmt *stmt)
{
    return !stmt->parsed;
}

int stmt_param_count(const Stmt *stmt)
{
    return stmt->planned.param_count;
}

Oid stmt_param_type(const Stmt *stmt, int index)
{
    assert(index >= 0 && index < stmt->planned.param_count);
    return stmt->planned.param_types[index].oid;
}

/* A SELECT of no columns has rows all the same. */
bool stmt_returns_rows(const Stmt *stmt)
{
    if (stmt->planned.column_count > 0) return true;
    const Plan *plan = stmt->parsed ? stmt->planned.plan : NULL;
    return plan && plan->kind != PLAN_UTILITY && strcmp(stmt->planned.tag, "SELECT") == 0;
}

const ResultColumn *stmt_columns(const Stmt *stmt, int *count)
{
    *count = stmt->planned.column_count;
    return stmt_returns_rows(stmt) ? stmt->columns : NULL;
}

/* ---- simple query ---- */

void stmt_query_begin(Session *session, const char *text, bool *empty)
{
    SessionState *s = state_of(session);
    portal_sweep(s);
    /* A simple query discards the unnamed statement and portal. */
    stmt_close(session, "");
    portal_close_named(session, "");
    txn_retry_batch_begin(s);
    s->query_origin = s->query_text = text;
    session_note_begin(s, text);
    s->query_checked = false;
    Arena *scratch = arena_create(NULL, 0);
    ParsedStmt *parsed;
    Error ignored = {0};
    const char *at = text;
    *empty = false;
    if (strspn(text, " \t\r\n\f\v;") == strlen(text) || text[0] == '-' || text[0] == '/')
        *empty = plan_parse(text, &at, &parsed, scratch, &ignored) == ST_END;
    arena_destroy(scratch);
}

/* A mistake anywhere in a Query message refuses all of it, before its first statement has run. */
static Status check_rest(SessionState *s, Error *err)
{
    const char *at = s->query_text;
    ParsedStmt *parsed;
    Status st = ST_OK;
    if (s->query_checked) return ST_OK;
    s->query_checked = true;
    while (st == ST_OK) {
        Arena *scratch = arena_create(NULL, 0);
        st = plan_parse(s->query_origin, &at, &parsed, scratch, err);
        if (st == ST_ERROR) session_keep_error(s, err);
        arena_destroy(scratch);
    }
    return st == ST_END ? ST_OK : st;
}

static Status begin_simple(SessionState *s, Stmt *stmt, Error *err)
{
    if (s->phase == PHASE_FAILED && !stmt->ends_failure) return txn_state_aborted_error(s, err);
    if (s->phase == PHASE_RELEASED && !stmt->ends_failure) return txn_retry_released_error(s, err);
    if (stmt->stmt_class == STMT_TXN_CONTROL) return ST_OK;
    if (stmt->stmt_class == STMT_SESSION) return txn_state_session_statement(s, err);
    return txn_state_statement(s, err);
}

/* A Query message brings no values along. */
static Status check_no_params(const Stmt *stmt, Error *err)
{
    if (stmt->planned.param_count == 0) return ST_OK;
    return err_set(err, state_error_arena(stmt->state), ERR_UNDEFINED_PARAMETER, "there is no parameter $1");
}

static Status next_simple(SessionState *s, Portal **portal, Error *err)
{
    Arena *arena = arena_create(s->session.arena, 0);
    ParsedStmt *parsed;
    Stmt *stmt = NULL;
    Status st = plan_parse(s->query_origin, &s->query_text, &parsed, arena, err);
    if (st == ST_OK) st = check_rest(s, err);
    if (st == ST_OK) st = stmt_create(s, NULL, parsed, arena, &stmt);
    if (st == ST_OK) st = begin_simple(s, stmt, err);
    if (st == ST_OK) st = stmt_plan(stmt, err);
    if (st == ST_OK) st = check_no_params(stmt, err);
    if (st == ST_OK) st = portal_create(s, NULL, stmt, NULL, portal, err);
    if (st == ST_OK) (*portal)->statement_begun = stmt->stmt_class != STMT_TXN_CONTROL;
    if (st == ST_ERROR) (void)session_error(s, err);
    if (stmt)
        stmt_release(stmt);
    else
        arena_destroy(arena);
    return st;
}

Status stmt_query_next(Session *session, Portal **portal, Error *err)
{
    SessionState *s = state_of(session);
    return next_simple(s, portal, err);
}

Status stmt_query_end(Session *session, bool failed, Error *err)
{
    return session_sync(session, failed, err);
}

Status session_sync(Session *session, bool failed, Error *err)
{
    SessionState *s = state_of(session);
    s->query_origin = s->query_text = NULL;
    Status st = ST_OK;
    if (s->phase == PHASE_IMPLICIT) {
        if (failed)
            txn_state_rollback(s);
        else
            st = txn_state_commit(s, err);
        if (st != ST_OK) st = session_error(s, err);
    }
    portal_sweep(s);
    session_note_end(s);
    /* A block that waits for its client pins no pages, unless something is still being read. */
    if (s->txn && !portal_any_reads_on(s)) txn_statement_end(s->txn);
    return st;
}
