#include "pgwire/conn.h"

#include "storage/base/utf8.h"

#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

static void field(Writer *w, char code, const char *text)
{
    if (!text) return;
    writer_u8(w, (uint8_t)code);
    writer_str(w, text);
}

static void send_fields(Conn *conn, char type, const char *severity, const Error *e)
{
    Writer *w = &conn->out;
    Error ignored;
    writer_begin(w, type);
    field(w, 'S', severity);
    field(w, 'V', severity);
    field(w, 'C', sqlstate_code(e->sqlstate));
    field(w, 'M', e->message ? e->message : sqlstate_name(e->sqlstate));
    field(w, 'D', e->detail);
    field(w, 'H', e->hint);
    if (e->position > 0) {
        char text[16];
        snprintf(text, sizeof text, "%d", e->position);
        field(w, 'P', text);
    }
    field(w, 'W', e->context);
    field(w, 's', e->schema);
    field(w, 't', e->table);
    field(w, 'c', e->column);
    field(w, 'd', e->datatype);
    field(w, 'n', e->constraint);
    writer_u8(w, 0);
    (void)!writer_end(w, &ignored);
}

void report_error(Conn *conn, const Error *err)
{
    send_fields(conn, 'E', err->fatal ? "FATAL" : "ERROR", err);
    if (!err->fatal) return;
    writer_flush(&conn->out);
    conn->closing = true;
}

void report_notice(void *argument, const char *severity, const Error *fields)
{
    send_fields(argument, 'N', severity, fields);
}

void report_notification(void *argument, uint64_t sender, const char *channel, const char *payload)
{
    Conn *conn = argument;
    Error ignored;
    writer_begin(&conn->out, 'A');
    writer_i32(&conn->out, (int64_t)(sender & 0x7fffffff));
    writer_str(&conn->out, channel);
    writer_str(&conn->out, payload);
    (void)!writer_end(&conn->out, &ignored);
}

void report_wake(void *argument)
{
    const Conn *conn = argument;
    int fd = atomic_load(&conn->wake_fd);
    if (fd >= 0) (void)!eventfd_write(fd, 1);
}

/* Its reading ends, so that a session that waits for its client sees that it is to end. */
void report_terminate(void *argument)
{
    const Conn *conn = argument;
    shutdown(conn->in.fd, SHUT_RD);
}

void report_settings(Conn *conn)
{
    const char *name, *value;
    Error ignored;
    while ((name = session_next_report(conn->session, &value))) {
        writer_begin(&conn->out, 'S');
        writer_str(&conn->out, name);
        writer_str(&conn->out, value);
        (void)!writer_end(&conn->out, &ignored);
    }
}

void report_ready(Conn *conn)
{
    Error ignored;
    session_deliver(conn->session);
    report_settings(conn);
    writer_begin(&conn->out, 'Z');
    writer_u8(&conn->out, (uint8_t)session_txn_status(conn->session));
    (void)!writer_end(&conn->out, &ignored);
    writer_flush(&conn->out);
}

Status report_tag(Conn *conn, const char *tag)
{
    writer_begin(&conn->out, 'C');
    writer_str(&conn->out, tag);
    return writer_end(&conn->out, &conn->err);
}

Status report_check_utf8(Conn *conn, Slice text)
{
    size_t good = utf8_valid_prefix(text);
    if (good == text.size) return ST_OK;
    Buf hex = {0};
    int length = utf8_length(text.data[good]);
    for (size_t i = good; i < text.size && i < good + (size_t)length; i++)
        buf_printf(&hex, "%s0x%02x", i > good ? " " : "", text.data[i]);
    Status st = err_set(&conn->err, conn->message_arena, ERR_CHARACTER_NOT_IN_REPERTOIRE,
                        "invalid byte sequence for encoding \"UTF8\": %.*s", (int)hex.size, (const char *)hex.data);
    buf_finish(&hex);
    return st;
}
