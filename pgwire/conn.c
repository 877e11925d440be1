#include "pgwire/conn.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pgwire/tls.h"
#include "storage/base/clock.h"

/* The session listens: the descriptor by which others wake it is made, and what has come before it was there is
 * delivered. -1: it does not listen, or there is no descriptor to be had. */
static int listening_fd(Conn *conn)
{
    if (!session_listening(conn->session)) return -1;
    if (atomic_load(&conn->wake_fd) < 0) atomic_store(&conn->wake_fd, eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    session_deliver(conn->session);
    writer_flush(&conn->out);
    return atomic_load(&conn->wake_fd);
}

/* Waits for the client, and for notifications if the session listens, as long as the session may be left idle. ST_ERROR:
 * no longer. */
static Status wait_client(Conn *conn)
{
    int64_t timeout_ms = conn->in_sequence ? 0 : session_idle_timeout_ms(conn->session);
    uint64_t until = clock_monotonic_ns() + (uint64_t)timeout_ms * 1000000;
    for (;;) {
        int fd = listening_fd(conn), left_ms = -1;
        eventfd_t woken;
        if (fd < 0 && !timeout_ms) return ST_OK; /* reading waits as well */
        if (timeout_ms) {
            uint64_t now = clock_monotonic_ns();
            uint64_t left = until > now ? (until - now + 999999) / 1000000 : 0;
            left_ms = left > INT_MAX ? INT_MAX : (int)left;
        }
        struct pollfd watched[2] = {{.fd = conn->in.fd, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
        int n = poll(watched, 2, left_ms);
        if (n < 0 && errno != EINTR) return ST_OK;
        if (n == 0 && clock_monotonic_ns() >= until) {
            session_idle_error(conn->session, &conn->err);
            return ST_ERROR;
        }
        if (n > 0 && watched[1].revents) (void)!eventfd_read(fd, &woken);
        if ((n > 0 && watched[0].revents) || conn->out.lost) return ST_OK;
    }
}

/* Its input has ended because somebody ends the session, or because the client is gone. */
static void end_of_input(Conn *conn)
{
    if (interrupt_poll(session_interrupt(conn->session), &conn->err) == ST_OK || !conn->err.fatal) {
        if (!listener_stopping(conn->record->listener)) return;
        conn->err = (Error){.sqlstate = ERR_ADMIN_SHUTDOWN,
                            .message = "terminating connection due to administrator command",
                            .fatal = true};
    }
    report_error(conn, &conn->err);
}

static void serve_messages(Conn *conn)
{
    Frame frame;
    while (!conn->closing && !conn->out.lost) {
        /* What lies decrypted already will not wake poll. */
        Status st = reader_ready(&conn->in) || tls_pending(conn->in.tls) ? ST_OK : wait_client(conn);
        if (st == ST_OK) st = reader_next(&conn->in, false, &frame, &conn->err);
        if (st == ST_END) {
            end_of_input(conn);
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
    conn->out.interrupt = NULL;
    if (conn->session) session_close(conn->session);
    if (conn->wake_fd >= 0) close(conn->wake_fd);
    extended_finish(conn);
    retry_finish(conn);
    tls_close(conn->in.tls);
    reader_finish(&conn->in);
    writer_finish(&conn->out);
    arena_destroy(conn->arena);
    free(conn);
}
