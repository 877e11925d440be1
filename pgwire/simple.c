#include "pgwire/conn.h"

static Status run_portal(Conn *conn, Portal *portal)
{
    bool suspended;
    switch (portal_kind(portal)) {
    case PORTAL_COPY_IN:
        return copy_in_run(conn, portal);
    case PORTAL_COPY_OUT:
        return copy_out_run(conn, portal);
    case PORTAL_ROWS:
    case PORTAL_COMMAND:
        break;
    }
    return rows_send(conn, portal, (RowOrder){.describe = true}, &suspended);
}

/* The tag of a statement is sent only when the next one is known to exist, or when the implicit transaction that the last
 * one closes has committed: «INSERT 0 1» is a promise. */
static Status run_statements(Conn *conn, const char **tag)
{
    for (;;) {
        Portal *portal;
        Status st = stmt_query_next(conn->session, &portal, &conn->err);
        if (st == ST_END) return ST_OK;
        if (*tag) (void)!report_tag(conn, *tag);
        *tag = NULL;
        if (st != ST_OK) return st;
        st = run_portal(conn, portal);
        if (st == ST_OK) *tag = arena_strdup(conn->message_arena, portal_tag(portal));
        portal_close(portal);
        if (st != ST_OK) return st;
    }
}

/* Runs all of the text once. *tag: of the last statement, once all has been committed. *ended: the implicit transaction. */
static Status run_text(Conn *conn, const char *text, const char **tag, bool *empty, bool *ended)
{
    *tag = NULL;
    stmt_query_begin(conn->session, text, empty);
    Status st = run_statements(conn, tag);
    *ended = st == ST_OK;
    return st == ST_OK ? stmt_query_end(conn->session, false, &conn->err) : st;
}

static Status run_query(Conn *conn, const char *text)
{
    const char *tag;
    bool empty, ended;
    Status st;
    Error ignored; /* what went wrong first is what the client is told */
    WriterMark mark = writer_mark(&conn->out);
    conn->out.hold_bytes = session_results_buffer(conn->session);
    do {
        st = run_text(conn, text, &tag, &empty, &ended);
    } while (st != ST_OK && retry_allowed(conn, mark));
    if (st != ST_OK) {
        report_error(conn, &conn->err);
        if (!ended) (void)!stmt_query_end(conn->session, true, &ignored);
        return st;
    }
    if (tag) return report_tag(conn, tag);
    if (!empty) return ST_OK;
    writer_begin(&conn->out, 'I');
    return writer_end(&conn->out, &conn->err);
}

Status simple_query(Conn *conn, Frame *frame)
{
    /* A copy: COPY FROM STDIN reads further messages into the reader's buffer while the text is still being worked off. */
    const char *text = arena_strdup(conn->message_arena, frame_str(frame));
    interrupt_clear(session_interrupt(conn->session));
    Status st = frame_end(frame, &conn->err);
    if (st == ST_OK) st = report_check_utf8(conn, slice_str(text));
    if (st == ST_OK)
        st = run_query(conn, text);
    else
        report_error(conn, &conn->err);
    conn->skip_to_sync = conn->failed = false;
    if (!conn->closing) report_ready(conn);
    return st;
}
