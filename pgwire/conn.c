#include "pgwire/conn.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static void serve_messages(Conn *conn)
{
    Frame frame;
    while (!conn->closing && !conn->out.lost) {
        Status st = reader_next(&conn->in, false, &frame, &conn->err);
        if (st == ST_END) {
            if (listener_stopping(conn->record->listener)) {
                conn->err = (Error){.sqlstate = ERR_ADMIN_SHUTDOWN,
                                    .message = "terminating connection due to administrator command",
                                    .fatal = true};
                report_error(conn, &conn->err);
            }
            return;
        }
        if (st == ST_ERROR) {
            report_error(conn, &conn->err);
            return;
        }
        /* A fatal error has been reported by then; a lost client shows at the next send or receive. */
        if (dispatch_message(conn, &frame) != ST_OK && conn->err.fatal) return;
        arena_reset(conn->message_arena);
    }
}

void conn_run(ConnRecord *record)
{
    Conn *conn = calloc(1, sizeof *conn);
    if (!conn) {
        close(record->fd);
        return;
    }
    conn->record = record;
    conn->arena = arena_create(NULL, 0);
    conn->message_arena = arena_create(conn->arena, 0);
    reader_init(&conn->in, record->fd);
    writer_init(&conn->out, record->fd);
    if (startup_run(conn) == ST_OK) serve_messages(conn);
    writer_flush(&conn->out);
    listener_withdraw(record);
    if (conn->session) session_close(conn->session);
    extended_finish(conn);
    reader_finish(&conn->in);
    writer_finish(&conn->out);
    arena_destroy(conn->arena);
    free(conn);
}
