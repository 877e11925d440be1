#include <stdlib.h>

#include "pgwire/conn.h"

enum { PARAMS_MAX = 65535 };

static void portal_formats_free(WirePortal *p)
{
    free(p->name);
    free(p->formats);
    free(p);
}

static void portal_formats_drop(Conn *conn, const char *name)
{
    for (WirePortal **at = &conn->portals; *at; at = &(*at)->next) {
        WirePortal *p = *at;
        if (strcmp(p->name, name) != 0) continue;
        *at = p->next;
        portal_formats_free(p);
        return;
    }
}

void extended_finish(Conn *conn)
{
    while (conn->portals) {
        WirePortal *next = conn->portals->next;
        portal_formats_free(conn->portals);
        conn->portals = next;
    }
}

static Status portal_formats_keep(Conn *conn, const char *name, const int16_t *formats, int count)
{
    portal_formats_drop(conn, name);
    if (count == 0) return ST_OK;
    WirePortal *p = calloc(1, sizeof *p);
    if (p) p->name = strdup(name);
    if (p && p->name) p->formats = malloc(sizeof *formats * (size_t)count);
    if (!p || !p->name || !p->formats) {
        if (p) portal_formats_free(p);
        return err_no_memory(&conn->err);
    }
    memcpy(p->formats, formats, sizeof *formats * (size_t)count);
    p->format_count = count;
    p->next = conn->portals;
    conn->portals = p;
    return ST_OK;
}

static RowFormat portal_formats(const Conn *conn, const char *name)
{
    for (const WirePortal *p = conn->portals; p; p = p->next)
        if (strcmp(p->name, name) == 0) return (RowFormat){p->formats, p->format_count};
    return (RowFormat){0};
}

/* A cancel that came while the session was idle was too late for what it meant. */
static void sequence_begin(Conn *conn)
{
    if (!conn->in_sequence) interrupt_clear(session_interrupt(conn->session));
    conn->in_sequence = true;
}

Status extended_parse(Conn *conn, Frame *frame)
{
    sequence_begin(conn);
    const char *name = frame_str(frame), *text = frame_str(frame);
    int count = (uint16_t)frame_i16(frame);
    Oid *types = ARENA_ARRAY(conn->message_arena, Oid, count + 1);
    for (int i = 0; i < count; i++) types[i] = (Oid)frame_i32(frame);
    TRY(frame_end(frame, &conn->err));
    TRY(report_check_utf8(conn, slice_str(text)));
    Stmt *stmt;
    TRY(stmt_prepare(conn->session, name, text, types, count, &stmt, &conn->err));
    writer_begin(&conn->out, '1');
    return writer_end(&conn->out, &conn->err);
}

static Status read_formats(Conn *conn, Frame *frame, int16_t **formats, int *count)
{
    *count = (uint16_t)frame_i16(frame);
    *formats = ARENA_ARRAY(conn->message_arena, int16_t, *count + 1);
    for (int i = 0; i < *count; i++) {
        (*formats)[i] = frame_i16(frame);
        if (!frame->broken && ((*formats)[i] < 0 || (*formats)[i] > 1))
            return err_set(&conn->err, conn->message_arena, ERR_INVALID_PARAMETER_VALUE, "unsupported format code: %d",
                           (*formats)[i]);
    }
    return ST_OK;
}

static Status read_param(Conn *conn, Slice bytes, Oid oid, bool binary, int number, Value *out)
{
    const TypeDef *type = type_find(oid);
    TypeCtx ctx = {conn->message_arena, session_type_env(conn->session), &conn->err};
    Status st;
    if (!type)
        return err_set(&conn->err, conn->message_arena, ERR_INTERNAL_ERROR, "type %u has no input function", oid);
    if (binary && !type->receive)
        return err_set(&conn->err, conn->message_arena, ERR_UNDEFINED_FUNCTION,
                       "no binary input function available for type %s", type->sql_name);
    if (!binary) TRY(report_check_utf8(conn, bytes));
    st = binary ? type->receive(type, &ctx, bytes, -1, out) : type->in(type, &ctx, bytes, -1, out);
    if (st != ST_OK && !conn->err.context)
        conn->err.context = arena_printf(conn->message_arena, "unnamed portal parameter $%d", number);
    return st;
}

static Status read_params(Conn *conn, Frame *frame, const Stmt *stmt, Value **params)
{
    int16_t *formats;
    int format_count;
    TRY(read_formats(conn, frame, &formats, &format_count));
    int count = (uint16_t)frame_i16(frame), wanted = stmt_param_count(stmt);
    if (frame->broken) return frame_end(frame, &conn->err);
    if (format_count > 1 && format_count != count)
        return err_set(&conn->err, conn->message_arena, ERR_PROTOCOL_VIOLATION,
                       "bind message has %d parameter formats but %d parameters", format_count, count);
    if (count != wanted)
        return err_set(&conn->err, conn->message_arena, ERR_PROTOCOL_VIOLATION,
                       "bind message supplies %d parameters, but prepared statement requires %d", count, wanted);
    *params = ARENA_ARRAY(conn->message_arena, Value, count + 1);
    for (int i = 0; i < count; i++) {
        int32_t size = frame_i32(frame);
        int16_t format = format_count == 0 ? 0 : formats[format_count == 1 ? 0 : i];
        (*params)[i] = VALUE_NULL;
        if (size == -1) continue;
        if (size < 0) frame->broken = true;
        Slice bytes = frame_bytes(frame, size < 0 ? 0 : (size_t)size);
        if (frame->broken) return frame_end(frame, &conn->err);
        TRY(read_param(conn, bytes, stmt_param_type(stmt, i), format == 1, i + 1, &(*params)[i]));
    }
    return ST_OK;
}

static Status no_statement(Conn *conn, const char *name)
{
    if (!*name)
        return err_set(&conn->err, conn->message_arena, ERR_INVALID_SQL_STATEMENT_NAME,
                       "unnamed prepared statement does not exist");
    return err_set(&conn->err, conn->message_arena, ERR_INVALID_SQL_STATEMENT_NAME,
                   "prepared statement \"%s\" does not exist", name);
}

static Status no_portal(Conn *conn, const char *name)
{
    return err_set(&conn->err, conn->message_arena, ERR_INVALID_CURSOR_NAME, "portal \"%s\" does not exist", name);
}

Status extended_bind(Conn *conn, Frame *frame)
{
    sequence_begin(conn);
    const char *portal_name = frame_str(frame), *name = frame_str(frame);
    int16_t *formats;
    int format_count;
    Value *params = NULL;
    Portal *portal;
    Stmt *stmt = stmt_find(conn->session, name);
    if (frame->broken) return frame_end(frame, &conn->err);
    if (!stmt) return no_statement(conn, name);
    TRY(read_params(conn, frame, stmt, &params));
    TRY(read_formats(conn, frame, &formats, &format_count));
    TRY(frame_end(frame, &conn->err));
    TRY(portal_bind(conn->session, portal_name, stmt, params, &portal, &conn->err));
    TRY(portal_formats_keep(conn, portal_name, formats, format_count));
    writer_begin(&conn->out, '2');
    return writer_end(&conn->out, &conn->err);
}

static Status no_data(Conn *conn)
{
    writer_begin(&conn->out, 'n');
    return writer_end(&conn->out, &conn->err);
}

static Status describe_statement(Conn *conn, const char *name)
{
    Stmt *stmt = stmt_find(conn->session, name);
    if (!stmt) return no_statement(conn, name);
    int count = stmt_param_count(stmt);
    writer_begin(&conn->out, 't');
    writer_i16(&conn->out, count);
    for (int i = 0; i < count; i++) writer_i32(&conn->out, stmt_param_type(stmt, i));
    TRY(writer_end(&conn->out, &conn->err));
    const ResultColumn *columns = stmt_columns(stmt, &count);
    return columns ? rows_describe(conn, columns, count, (RowFormat){0}) : no_data(conn);
}

static Status describe_portal(Conn *conn, const char *name)
{
    int count;
    Portal *portal = portal_find(conn->session, name);
    if (!portal) return no_portal(conn, name);
    const ResultColumn *columns = portal_columns(portal, &count);
    RowFormat format = portal_formats(conn, name);
    if (columns && format.count > 1 && format.count != count)
        return err_set(&conn->err, conn->message_arena, ERR_PROTOCOL_VIOLATION,
                       "bind message has %d result formats but query has %d columns", format.count, count);
    return columns ? rows_describe(conn, columns, count, format) : no_data(conn);
}

Status extended_describe(Conn *conn, Frame *frame)
{
    sequence_begin(conn);
    char what = (char)frame_u8(frame);
    const char *name = frame_str(frame);
    TRY(frame_end(frame, &conn->err));
    if (what == 'S') return describe_statement(conn, name);
    if (what == 'P') return describe_portal(conn, name);
    return err_set(&conn->err, conn->message_arena, ERR_PROTOCOL_VIOLATION, "invalid DESCRIBE message subtype %d", what);
}

Status extended_execute(Conn *conn, Frame *frame)
{
    sequence_begin(conn);
    const char *name = frame_str(frame);
    int32_t rows_max = frame_i32(frame);
    bool suspended = false;
    TRY(frame_end(frame, &conn->err));
    Portal *portal = portal_find(conn->session, name);
    if (!portal) return no_portal(conn, name);
    if (portal_is_empty(portal)) {
        writer_begin(&conn->out, 'I');
        return writer_end(&conn->out, &conn->err);
    }
    switch (portal_kind(portal)) {
    case PORTAL_COPY_IN:
        TRY(copy_in_run(conn, portal));
        break;
    case PORTAL_COPY_OUT:
        TRY(copy_out_run(conn, portal));
        break;
    case PORTAL_ROWS:
    case PORTAL_COMMAND:
        TRY(rows_send(conn, portal, (RowOrder){portal_formats(conn, name), rows_max > 0 ? rows_max : 0, false}, &suspended));
        break;
    }
    if (!suspended) return report_tag(conn, portal_tag(portal));
    writer_begin(&conn->out, 's');
    return writer_end(&conn->out, &conn->err);
}

Status extended_close(Conn *conn, Frame *frame)
{
    sequence_begin(conn);
    char what = (char)frame_u8(frame);
    const char *name = frame_str(frame);
    TRY(frame_end(frame, &conn->err));
    if (what == 'S') {
        stmt_close(conn->session, name);
    } else if (what == 'P') {
        portal_close_named(conn->session, name);
        portal_formats_drop(conn, name);
    } else {
        return err_set(&conn->err, conn->message_arena, ERR_PROTOCOL_VIOLATION, "invalid CLOSE message subtype %d", what);
    }
    writer_begin(&conn->out, '3');
    return writer_end(&conn->out, &conn->err);
}

Status extended_sync(Conn *conn, Frame *frame)
{
    Status st = retry_sync(conn, session_sync(conn->session, conn->failed, &conn->err));
    if (st != ST_OK) report_error(conn, &conn->err);
    conn->skip_to_sync = conn->failed = conn->in_sequence = false;
    if (!conn->closing) report_ready(conn);
    return st;
}

Status extended_flush(Conn *conn, Frame *frame)
{
    writer_flush(&conn->out);
    return ST_OK;
}
