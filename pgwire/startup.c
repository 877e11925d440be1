#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/random.h>
#include <sys/socket.h>

#include "pgwire/auth.h"
#include "pgwire/tls.h"

enum {
    CODE_CANCEL = 1234 << 16 | 5678,
    CODE_SSL = 1234 << 16 | 5679,
    CODE_GSS = 1234 << 16 | 5680,
    PARAMETERS_MAX = 100
};

typedef struct Startup {
    const char *user, *database;
    const char *names[PARAMETERS_MAX], *values[PARAMETERS_MAX];
    int count;
    const char *unknown_options[PARAMETERS_MAX]; /* _pq_.*: answered by NegotiateProtocolVersion */
    int unknown_count;
} Startup;

static Status fatal(Conn *conn, SqlState state, const char *message)
{
    conn->err = (Error){.sqlstate = state, .message = message, .fatal = true};
    report_error(conn, &conn->err);
    return ST_ERROR;
}

static Status add_setting(Conn *conn, Startup *s, const char *name, const char *value)
{
    if (s->count == PARAMETERS_MAX) return fatal(conn, ERR_PROTOCOL_VIOLATION, "too many startup parameters");
    s->names[s->count] = name;
    s->values[s->count++] = value;
    return ST_OK;
}

/* «-c name=value» and «--name=value», blanks in values written as «\ ». */
static Status parse_options(Conn *conn, Startup *s, const char *text)
{
    char *word = arena_alloc(conn->arena, strlen(text) + 1);
    while (*text) {
        size_t n = 0;
        while (*text == ' ' || *text == '\t') text++;
        for (; *text && *text != ' ' && *text != '\t'; text++) {
            if (*text == '\\' && text[1]) text++;
            word[n++] = *text;
        }
        word[n] = 0;
        const char *assignment = word;
        if (n == 0 || strcmp(word, "-c") == 0) continue;
        if (strncmp(word, "--", 2) == 0 || strncmp(word, "-c", 2) == 0) assignment += 2;
        const char *equals = strchr(assignment, '=');
        if (!equals) return fatal(conn, ERR_SYNTAX_ERROR, "invalid command-line argument for server process");
        char *name = arena_strndup(conn->arena, assignment, (size_t)(equals - assignment));
        for (char *c = name; *c; c++)
            if (*c == '-') *c = '_';
        TRY(add_setting(conn, s, name, arena_strdup(conn->arena, equals + 1)));
    }
    return ST_OK;
}

static Status read_parameters(Conn *conn, Frame *frame, Startup *s)
{
    while (frame_left(frame) > 1) {
        const char *name = arena_strdup(conn->arena, frame_str(frame));
        const char *value = arena_strdup(conn->arena, frame_str(frame));
        if (frame->broken || !*name) break;
        if (strcmp(name, "user") == 0) {
            s->user = value;
        } else if (strcmp(name, "database") == 0) {
            s->database = value;
        } else if (strcmp(name, "options") == 0) {
            TRY(parse_options(conn, s, value));
        } else if (strcmp(name, "replication") == 0) {
            if (strcmp(value, "false") != 0 && strcmp(value, "off") != 0 && strcmp(value, "0") != 0)
                return fatal(conn, ERR_FEATURE_NOT_SUPPORTED, "replication connections are not supported");
        } else if (strncmp(name, "_pq_.", 5) == 0) {
            if (s->unknown_count < PARAMETERS_MAX) s->unknown_options[s->unknown_count++] = name;
        } else {
            TRY(add_setting(conn, s, name, value));
        }
    }
    if (frame->broken || frame_left(frame) != 1 || frame_u8(frame) != 0)
        return fatal(conn, ERR_PROTOCOL_VIOLATION, "invalid startup packet layout: expected terminator as last byte");
    if (!s->user || !*s->user)
        return fatal(conn, ERR_INVALID_AUTHORIZATION_SPECIFICATION, "no PostgreSQL user name specified in startup packet");
    if (!s->database || !*s->database) s->database = s->user;
    return ST_OK;
}

static void negotiate(Conn *conn, const Startup *s)
{
    Error ignored;
    writer_begin(&conn->out, 'v');
    writer_i32(&conn->out, 3 << 16);
    writer_i32(&conn->out, s->unknown_count);
    for (int i = 0; i < s->unknown_count; i++) writer_str(&conn->out, s->unknown_options[i]);
    (void)!writer_end(&conn->out, &ignored);
}

static Status open_session(Conn *conn, const Startup *s)
{
    SessionOptions options = {.user = s->user,
                              .database = s->database,
                              .names = s->names,
                              .values = s->values,
                              .count = s->count,
                              .notice = report_notice,
                              .notification = report_notification,
                              .wake = report_wake,
                              .terminate = report_terminate,
                              .argument = conn};
    uint32_t secret;
    Error ignored;
    Status st = session_open(listener_server(conn->record->listener), &options, &conn->session, &conn->err);
    if (st != ST_OK) {
        conn->err.fatal = true;
        report_error(conn, &conn->err);
        return st;
    }
    if (getrandom(&secret, sizeof secret, 0) != sizeof secret)
        return fatal(conn, ERR_INTERNAL_ERROR, "could not generate random cancel key");
    uint32_t process_id = (uint32_t)(session_id(conn->session) & 0x7fffffff);
    conn->out.interrupt = session_interrupt(conn->session);
    listener_publish(conn->record, process_id, secret, session_interrupt(conn->session));
    writer_begin(&conn->out, 'R');
    writer_i32(&conn->out, 0);
    (void)!writer_end(&conn->out, &ignored);
    report_settings(conn);
    writer_begin(&conn->out, 'K');
    writer_i32(&conn->out, process_id);
    writer_i32(&conn->out, secret);
    (void)!writer_end(&conn->out, &ignored);
    report_ready(conn);
    return ST_OK;
}

/* Answers SSLRequest and GSSENCRequest. Encryption by GSS is declined, by TLS if there is no certificate; the client then
 * goes on in the clear or leaves. */
static Status answer_encryption(Conn *conn, bool tls)
{
    if (reader_holds(&conn->in)) /* bytes behind the request would be trusted although nobody vouches for them */
        return fatal(conn, ERR_PROTOCOL_VIOLATION, "received unencrypted data after SSL request");
    bool local = conn->record->local;
    TlsContext *context = tls && !local ? listener_tls(conn->record->listener) : NULL;
    if (send(conn->in.fd, context ? "S" : "N", 1, MSG_NOSIGNAL) != 1) {
        tls_context_release(context);
        return ST_END;
    }
    if (!context) return ST_OK;
    conn->in.tls = conn->out.tls = tls_accept(context, conn->in.fd);
    tls_context_release(context);
    return conn->in.tls ? ST_OK : ST_END;
}

Status startup_run(Conn *conn)
{
    int on = 1, refused = 0;
    setsockopt(conn->in.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); /* fails on a Unix socket, harmlessly */
    setsockopt(conn->in.fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    for (;;) {
        Frame frame;
        Startup startup = {0};
        Status st = reader_next(&conn->in, true, &frame, &conn->err);
        if (st == ST_ERROR) report_error(conn, &conn->err);
        if (st != ST_OK) return st;
        int32_t code = frame_i32(&frame);
        if (code == CODE_CANCEL) {
            uint32_t process_id = (uint32_t)frame_i32(&frame), secret = (uint32_t)frame_i32(&frame);
            if (frame_end(&frame, &conn->err) == ST_OK) listener_cancel(conn->record->listener, process_id, secret);
            return ST_END;
        }
        if (code == CODE_SSL || code == CODE_GSS) {
            if (conn->in.tls || refused++ > 1) return fatal(conn, ERR_PROTOCOL_VIOLATION, "encryption was requested twice");
            TRY(answer_encryption(conn, code == CODE_SSL));
            continue;
        }
        if (code >> 16 != 3) {
            err_set(&conn->err, conn->arena, ERR_FEATURE_NOT_SUPPORTED,
                    "unsupported frontend protocol %d.%d: server supports 3.0 to 3.0", code >> 16, code & 0xffff);
            conn->err.fatal = true;
            report_error(conn, &conn->err);
            return ST_ERROR;
        }
        TRY(read_parameters(conn, &frame, &startup));
        if (code != 3 << 16 || startup.unknown_count) negotiate(conn, &startup);
        TRY(auth_run(conn, startup.user, startup.database));
        reader_trust(&conn->in);
        return open_session(conn, &startup);
    }
}
