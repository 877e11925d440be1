#include "pgwire/conn.h"

typedef struct MessageDef {
    const char *name;
    Status (*run)(Conn *conn, Frame *frame);
    bool extended; /* an error makes the server skip to Sync */
    bool always;   /* also while skipping to Sync */
} MessageDef;

static Status terminate(Conn *conn, Frame *frame)
{
    conn->closing = true;
    return ST_OK;
}

/* COPY messages that arrive when no COPY is running belong to one that failed: they are dropped. */
static Status ignore(Conn *conn, Frame *frame)
{
    return ST_OK;
}

static Status function_call(Conn *conn, Frame *frame)
{
    Status st = err_unsupported(&conn->err, conn->message_arena, "the function call message");
    report_error(conn, &conn->err);
    report_ready(conn);
    return st;
}

static Status unexpected_password(Conn *conn, Frame *frame)
{
    conn->err = (Error){.sqlstate = ERR_PROTOCOL_VIOLATION, .message = "unexpected authentication message", .fatal = true};
    report_error(conn, &conn->err);
    return ST_ERROR;
}

/* clang-format off */
static const MessageDef messages[128] = {
    ['B'] = {"Bind",         extended_bind,       true,  false},
    ['C'] = {"Close",        extended_close,      true,  false},
    ['c'] = {"CopyDone",     ignore,              false, true},
    ['D'] = {"Describe",     extended_describe,   true,  false},
    ['d'] = {"CopyData",     ignore,              false, true},
    ['E'] = {"Execute",      extended_execute,    true,  false},
    ['F'] = {"FunctionCall", function_call,       false, false},
    ['f'] = {"CopyFail",     ignore,              false, true},
    ['H'] = {"Flush",        extended_flush,      true,  false},
    ['P'] = {"Parse",        extended_parse,      true,  false},
    ['p'] = {"Password",     unexpected_password, false, false},
    ['Q'] = {"Query",        simple_query,        false, false},
    ['S'] = {"Sync",         extended_sync,       false, true},
    ['X'] = {"Terminate",    terminate,           false, true},
};
/* clang-format on */

Status dispatch_message(Conn *conn, Frame *frame)
{
    unsigned char type = (unsigned char)frame->type;
    const MessageDef *message = type < 128 ? &messages[type] : NULL;
    if (!message || !message->run) {
        err_set(&conn->err, conn->message_arena, ERR_PROTOCOL_VIOLATION, "invalid frontend message type %d", type);
        conn->err.fatal = true;
        report_error(conn, &conn->err);
        return ST_ERROR;
    }
    if (conn->skip_to_sync && !message->always) return ST_OK;
    bool kept = message->extended && frame->type != 'H';
    if (kept && !conn->in_sequence) retry_begin(conn);
    if (kept) retry_keep(conn, frame);
    Status st = message->run(conn, frame);
    if (kept) st = retry_message(conn, st);
    if (st == ST_OK || !message->extended) return st;
    report_error(conn, &conn->err);
    /* A client that has asked for Flush waits for this error before it sends Sync; the Flush itself is skipped. */
    writer_flush(&conn->out);
    conn->skip_to_sync = conn->failed = true;
    return st;
}

Status dispatch_again(Conn *conn, Frame *frame)
{
    return messages[(unsigned char)frame->type].run(conn, frame);
}
