#include "pgwire/conn.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

/* A session that listens waits for its client and for notifications. What has come before the descriptor was there is
 * delivered first. */
static void wait_notified(Conn *conn)
{
    if (atomic_load(&conn->wake_fd) < 0) atomic_store(&conn->wake_fd, eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    int fd = atomic_load(&conn->wake_fd);
    eventfd_t woken;
    if (fd < 0) return;
    for (;;) {
        session_deliver(conn->session);
        writer_flush(&conn->out);
        struct pollfd watched[2] = {{.fd = conn->in.fd, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
        if (poll(watched, 2, -1) < 0 && errno != EINTR) return;
        if (watched[1].revents) (void)!eventfd_read(fd, &woken);
        if (watched[0].revents || conn->out.lost) return;
    }
}

static void serve_messages(Conn *conn)
{
    Frame frame;
    while (!conn->closing && !conn->out.lost) {
        if (session_listening(conn->session) && !reader_ready(&conn->in)) wait_notified(conn);
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
    atomic_init(&conn->wake_fd, -1);
    conn->arena = arena_create(NULL, 0);
    conn->message_arena = arena_create(conn->arena, 0);
    reader_init(&conn->in, record->fd);
    writer_init(&conn->out, record->fd);
    if (startup_run(conn) == ST_OK) serve_messages(conn);
    writer_flush(&conn->out);
    listener_withdraw(record);
    if (conn->session) session_close(conn->session);
    if (conn->wake_fd >= 0) close(conn->wake_fd);
    extended_finish(conn);
    reader_finish(&conn->in);
    writer_finish(&conn->out);
    arena_destroy(conn->arena);
    free(conn);
}
