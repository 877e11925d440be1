/* cursor.c - DECLARE, FETCH, MOVE, CLOSE.
 *
 * A cursor is a portal with a name. One declared SCROLL keeps all its rows at the first FETCH, so it can go anywhere; the
 * others run only as far as they are asked.
 */
#include <assert.h>

#include "executor/utility_run.h"

static Status plan_cursor_query(SessionState *s, const UtilityDeclare *u, const Portal *p, Stmt **stmt, Error *err)
{
    Arena *arena = arena_create(s->session.arena, 0);
    ParsedStmt *parsed = NULL;
    const char *text = arena_strdup(arena, u->text), *rest = text;
    Status st = plan_parse(text, &rest, &parsed, arena, err);
    if (st != ST_OK) {
        (void)session_error(s, err);
        arena_destroy(arena);
        return st;
    }
    TRY(stmt_create(s, NULL, parsed, arena, stmt));
    int count = p->stmt->planned.param_count;
    (*stmt)->declared_types = ARENA_ARRAY(arena, Oid, count + 1);
    (*stmt)->declared_count = count;
    for (int i = 0; i < count; i++) (*stmt)->declared_types[i] = p->stmt->planned.param_types[i].oid;
    st = stmt_plan(*stmt, err);
    if (st != ST_OK) stmt_release(*stmt);
    return st;
}

Status cursor_declare(Portal *p, const UtilityDeclare *u, Error *err)
{
    SessionState *s = p->session;
    if (s->phase != PHASE_BLOCK && !u->with_hold)
        return err_set(err, state_error_arena(s), ERR_NO_ACTIVE_SQL_TRANSACTION,
                       "DECLARE CURSOR can only be used in transaction blocks");
    if (portal_find(&s->session, u->name))
        return err_set(err, state_error_arena(s), ERR_DUPLICATE_CURSOR, "cursor \"%s\" already exists", u->name);
    Stmt *stmt;
    Portal *cursor;
    TRY(plan_cursor_query(s, u, p, &stmt, err));
    Status st = portal_create(s, u->name, stmt, p->params, &cursor, err);
    stmt_release(stmt);
    TRY(st);
    cursor->is_cursor = true;
    cursor->scroll = u->scroll;
    cursor->hold = u->with_hold;
    return u->with_hold ? portal_keep_all(cursor, err) : portal_open_now(cursor, err);
}

static Status find_cursor(SessionState *s, const char *name, Portal **cursor, Error *err)
{
    *cursor = portal_find(&s->session, name);
    if (*cursor) return ST_OK;
    return err_set(err, state_error_arena(s), ERR_INVALID_CURSOR_NAME, "cursor \"%s\" does not exist", name);
}

Status cursor_bind_fetch(Portal *p, const UtilityFetch *u, Error *err)
{
    Portal *cursor;
    TRY(find_cursor(p->session, u->cursor, &cursor, err));
    if (u->move) return ST_OK;
    p->columns = cursor->columns;
    p->column_count = cursor->column_count;
    return ST_OK;
}

/* ---- moving ---- */

/* Takes up to count rows forward; into: where they go, NULL for MOVE. */
static Status forward(Portal *cursor, int64_t count, RowStore *into, int64_t *moved, Error *err)
{
    *moved = 0;
    while (*moved < count) {
        RowBlock block;
        int64_t left = count - *moved;
        Status st = portal_next(cursor, left < BATCH_ROWS_MAX ? (int)left : BATCH_ROWS_MAX, &block, err);
        if (st == ST_END) break;
        TRY(st);
        Batch batch = {.column_count = cursor->column_count, .row_count = block.count, .selected = block.rows,
                       .selected_count = block.count};
        memcpy(&batch.columns, &block.columns, sizeof batch.columns);
        if (into) TRY(row_store_add_batch(into, &batch));
        *moved += block.count;
    }
    cursor->position += *moved;
    return ST_OK;
}

/* To the place behind row number `position` (0: before the first). Only for cursors that keep their rows. */
static Status go_to(Portal *cursor, int64_t position, Error *err)
{
    int64_t moved;
    cursor->batch = (Batch){0};
    cursor->batch_next = 0;
    cursor->position = 0;
    cursor->state = PORTAL_ACTIVE;
    cursor->ended = false;
    row_reader_rewind(&cursor->reader);
    return forward(cursor, position, NULL, &moved, err);
}

static Status must_scroll(Portal *cursor, Error *err)
{
    SessionState *s = cursor->session;
    if (cursor->scroll) {
        if (!cursor->store) TRY(portal_keep_all(cursor, err));
        return ST_OK;
    }
    (void)err_set(err, state_error_arena(s), ERR_OBJECT_NOT_IN_PREREQUISITE_STATE, "cursor can only scan forward");
    err_hint(err, state_error_arena(s), "Declare it with SCROLL option to enable backward scan.");
    return ST_ERROR;
}

/* Rows before the current one, the nearest first. */
static Status backward(Portal *cursor, int64_t count, RowStore *into, int64_t *moved, Error *err)
{
    TRY(must_scroll(cursor, err));
    int64_t at = cursor->position > row_store_rows(cursor->store) ? row_store_rows(cursor->store) + 1 : cursor->position;
    *moved = 0;
    while (*moved < count && at > 1) {
        int64_t one;
        at--;
        TRY(go_to(cursor, at - 1, err));
        TRY(forward(cursor, 1, into, &one, err));
        ++*moved;
    }
    if (*moved < count) TRY(go_to(cursor, 0, err));
    return ST_OK;
}

static Status absolute(Portal *cursor, int64_t position, RowStore *into, int64_t *moved, Error *err)
{
    *moved = 0;
    if (position > 0 && position > cursor->position && !cursor->scroll) {
        TRY(forward(cursor, position - cursor->position - 1, NULL, moved, err));
        return forward(cursor, 1, into, moved, err);
    }
    TRY(must_scroll(cursor, err));
    if (position < 0) position = row_store_rows(cursor->store) + 1 + position;
    if (position <= 0) return go_to(cursor, 0, err);
    TRY(go_to(cursor, position - 1, err));
    return forward(cursor, 1, into, moved, err);
}

static Status move(Portal *cursor, const UtilityFetch *u, RowStore *into, int64_t *moved, Error *err)
{
    int64_t count = u->count;
    switch (u->direction) {
    case FETCH_FORWARD:
    case FETCH_BACKWARD: {
        bool back = (u->direction == FETCH_BACKWARD) != (count < 0);
        int64_t n = count < 0 ? -count : count;
        if (n == 0) return absolute(cursor, cursor->position, into, moved, err);
        if (cursor->scroll && !cursor->store) TRY(portal_keep_all(cursor, err));
        return back ? backward(cursor, n, into, moved, err) : forward(cursor, n, into, moved, err);
    }
    case FETCH_ABSOLUTE: return absolute(cursor, count, into, moved, err);
    case FETCH_RELATIVE: return absolute(cursor, cursor->position + count, into, moved, err);
    }
    return ST_OK;
}

Status cursor_fetch(Portal *p, const UtilityFetch *u, Error *err)
{
    Portal *cursor;
    TRY(find_cursor(p->session, u->cursor, &cursor, err));
    if (!u->move) TRY(portal_store_create(p, p->columns, p->column_count, err));
    int64_t moved = 0;
    TRY(move(cursor, u, u->move ? NULL : p->store, &moved, err));
    snprintf(p->tag, sizeof p->tag, "%s %lld", u->move ? "MOVE" : "FETCH", (long long)moved);
    return ST_OK;
}

Status cursor_close(Portal *p, const UtilityClose *u, Error *err)
{
    SessionState *s = p->session;
    if (u->name) {
        Portal *cursor;
        TRY(find_cursor(s, u->name, &cursor, err));
        portal_close(cursor);
        return ST_OK;
    }
    for (Portal *c = s->portals, *next; c; c = next) {
        next = c->next;
        if (c->is_cursor) portal_close(c);
    }
    return ST_OK;
}
