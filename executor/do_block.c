/* do_block.c - running a DO block: its statements one after the other in the transaction of the DO, a block with handlers
 * inside a savepoint of its own. */
#include "executor/do_block.h"

#include "executor/utility_run.h"

static const char STMT_NAME[] = "\001 statement of a DO block"; /* closed before anybody else can look for it */

typedef struct DoRun {
    Portal *portal; /* of the DO */
    Arena *arena;
    bool rows_refused; /* of the statement at hand: in PL/pgSQL somebody has to take them */
} DoRun;

/* ---- SQL statements ---- */

/* Runs a statement to its end. value: the first column of its first row as a text, NULL for NULL or no row; may be NULL. */
static Status drain(DoRun *run, Portal *inner, const char **value, Error *err)
{
    RowBlock block;
    Status st;
    bool first = true;
    while ((st = portal_next(inner, 0, &block, err)) == ST_OK) {
        if (!value || !first || block.count == 0 || inner->column_count == 0) continue;
        Value v = block.columns[0][block.rows ? block.rows[0] : 0];
        *value = v.null ? NULL : type_text(inner->columns[0].type, &run->portal->session->session.type_env, v, run->arena);
        first = false;
    }
    return st == ST_END ? ST_OK : st;
}

static Status refuse_rows(SessionState *s, Error *err)
{
    (void)err_set(err, state_error_arena(s), ERR_SYNTAX_ERROR, "query has no destination for result data");
    err_hint(err, state_error_arena(s), "If you want to discard the results of a SELECT, use PERFORM instead.");
    return session_error(s, err);
}

static Status run_prepared(DoRun *run, Stmt *stmt, const char **value, Error *err)
{
    SessionState *s = run->portal->session;
    if (stmt_is_empty(stmt)) return ST_OK;
    if (stmt->stmt_class == STMT_TXN_CONTROL) {
        (void)err_unsupported(err, state_error_arena(s), "transaction control in a DO block");
        return session_error(s, err);
    }
    if (stmt_plan(stmt, err) != ST_OK) return session_error(s, err);
    Portal *inner;
    if (portal_create(s, NULL, stmt, NULL, &inner, err) != ST_OK) return session_error(s, err);
    run->portal->inner = inner;
    Status st = run->rows_refused && inner->column_count ? refuse_rows(s, err) : drain(run, inner, value, err);
    run->portal->inner = NULL;
    portal_close(inner);
    return st;
}

static Status run_sql(DoRun *run, const char *text, const char **value, Error *err)
{
    SessionState *s = run->portal->session;
    Stmt *stmt;
    if (value) *value = NULL;
    TRY(stmt_prepare(&s->session, STMT_NAME, text, NULL, 0, &stmt, err));
    Status st = run_prepared(run, stmt, value, err);
    stmt_close(&s->session, STMT_NAME);
    return st;
}

/* ---- conditions ---- */

static bool condition_holds(const char *condition, SqlState state)
{
    const char *code = sqlstate_code(state);
    if (*condition == '\'') return strncmp(condition + 1, code, 5) == 0;
    if (strcmp(condition, "others") == 0) return state != ERR_QUERY_CANCELED;
    if (strcmp(condition, sqlstate_name(state)) == 0) return true;
    /* The condition of a class: 23000 is all of 23. */
    char class[6] = "xx000";
    memcpy(class, code, 2);
    SqlState of_class = sqlstate_find(class);
    return of_class && strcmp(condition, sqlstate_name(of_class)) == 0;
}

static const DoHandler *find_handler(const DoBlock *block, SqlState state)
{
    for (int i = 0; i < block->handlers.count; i++) {
        const DoHandler *handler = &block->handlers.items[i];
        for (int c = 0; c < handler->conditions.count; c++)
            if (condition_holds(handler->conditions.items[c], state)) return handler;
    }
    return NULL;
}

/* ---- statements ---- */

static Status run_statements(DoRun *run, const DoStmtVec *body, Error *err);

static Status run_if(DoRun *run, const DoStmt *stmt, Error *err)
{
    for (int i = 0; i < stmt->branches.count; i++) {
        const DoBranch *branch = &stmt->branches.items[i];
        const char *holds = "true";
        if (branch->condition)
            TRY(run_sql(run, arena_printf(run->arena, "SELECT CAST((%s) AS bool)::text", branch->condition), &holds, err));
        if (holds && strcmp(holds, "true") == 0) return run_statements(run, &branch->body, err);
    }
    return ST_OK;
}

static Status run_raise(DoRun *run, const DoStmt *stmt, Error *err)
{
    SessionState *s = run->portal->session;
    const char *message;
    TRY(run_sql(run, arena_printf(run->arena, "SELECT %s", stmt->text), &message, err));
    if (strcmp(stmt->level, "EXCEPTION") == 0) {
        (void)err_set(err, state_error_arena(s), ERR_RAISE_EXCEPTION, "%s", message ? message : "");
        return session_error(s, err);
    }
    session_notice(&s->session, stmt->level, ERR_SUCCESSFUL_COMPLETION, "%s", message ? message : "");
    return ST_OK;
}

static Status run_execute(DoRun *run, const DoStmt *stmt, Error *err)
{
    SessionState *s = run->portal->session;
    const char *text;
    TRY(run_sql(run, arena_printf(run->arena, "SELECT CAST((%s) AS text)", stmt->text), &text, err));
    if (text) return run_sql(run, text, NULL, err);
    (void)err_set(err, state_error_arena(s), ERR_NULL_VALUE_NOT_ALLOWED, "query string argument of EXECUTE is null");
    return session_error(s, err);
}

static Status run_plain(DoRun *run, const DoStmt *stmt, Error *err)
{
    run->rows_refused = true;
    Status st = run_sql(run, stmt->text, NULL, err);
    run->rows_refused = false;
    return st;
}

/* The handler that fits has the statements of the block undone; else the error goes on. */
static Status run_block(DoRun *run, const DoBlock *block, Error *err)
{
    SessionState *s = run->portal->session;
    if (block->handlers.count == 0) return run_statements(run, &block->body, err);
    TxnPhase phase = s->phase;
    int mark;
    TRY(txn_control_mark(s, &mark, err));
    Status st = run_statements(run, &block->body, err);
    const DoHandler *handler = st == ST_ERROR ? find_handler(block, err->sqlstate) : NULL;
    if (st == ST_OK) txn_control_forget_mark(s, mark);
    if (!handler) return st;
    TRY(txn_control_back_to(s, mark, phase, err));
    txn_control_forget_mark(s, mark);
    *err = (Error){0};
    return run_statements(run, &handler->body, err);
}

static Status run_statement(DoRun *run, const DoStmt *stmt, Error *err)
{
    switch (stmt->kind) {
    case DO_NULL: return ST_OK;
    case DO_SQL: return run_plain(run, stmt, err);
    case DO_PERFORM: return run_sql(run, arena_printf(run->arena, "SELECT %s", stmt->text), NULL, err);
    case DO_EXECUTE: return run_execute(run, stmt, err);
    case DO_RAISE: return run_raise(run, stmt, err);
    case DO_IF: return run_if(run, stmt, err);
    case DO_BLOCK: return run_block(run, stmt->block, err);
    }
    return ST_OK;
}

static Status run_statements(DoRun *run, const DoStmtVec *body, Error *err)
{
    for (int i = 0; i < body->count; i++) TRY(run_statement(run, body->items[i], err));
    return ST_OK;
}

Status do_block_run(Portal *p, const UtilityDo *u, Error *err)
{
    DoRun run = {p, p->arena};
    DoBlock *block;
    TRY(do_block_parse(u->body, p->arena, &block, err));
    return run_block(&run, block, err);
}
