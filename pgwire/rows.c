#include "pgwire/conn.h"

static int16_t format_of(RowFormat format, int column)
{
    if (format.count == 0) return 0;
    return format.formats[format.count == 1 ? 0 : column];
}

Status rows_describe(Conn *conn, const ResultColumn *columns, int count, RowFormat format)
{
    Writer *w = &conn->out;
    writer_begin(w, 'T');
    writer_i16(w, count);
    for (int i = 0; i < count; i++) {
        const TypeDef *type = type_find(columns[i].type.oid);
        writer_str(w, columns[i].name);
        writer_i32(w, columns[i].table_oid);
        writer_i16(w, columns[i].column_number);
        writer_i32(w, columns[i].type.oid);
        writer_i16(w, type ? type->length : -1);
        /* A record's typmod is the planner's own. */
        writer_i32(w, columns[i].type.oid == OID_RECORD ? -1 : columns[i].type.typmod);
        writer_i16(w, format_of(format, i));
    }
    return writer_end(w, &conn->err);
}

typedef struct ColumnWriter {
    const TypeDef *type;
    bool binary;
} ColumnWriter;

static void put_value(Writer *w, const ColumnWriter *column, const TypeEnv *env, Value v)
{
    Buf *b = &w->buffer;
    if (v.null) {
        buf_put_u32(b, UINT32_MAX);
        return;
    }
    size_t start = b->size;
    buf_put_u32(b, 0);
    if (column->binary)
        column->type->send(column->type, env, v, b);
    else
        column->type->out(column->type, env, v, b);
    if (b->failed) return;
    uint32_t length = (uint32_t)(b->size - start - 4);
    uint8_t *p = b->data + start;
    p[0] = (uint8_t)(length >> 24);
    p[1] = (uint8_t)(length >> 16);
    p[2] = (uint8_t)(length >> 8);
    p[3] = (uint8_t)length;
}

static Status send_block(Conn *conn, const RowBlock *block, const ColumnWriter *columns, int count)
{
    Writer *w = &conn->out;
    const TypeEnv *env = session_type_env(conn->session);
    for (int i = 0; i < block->count; i++) {
        int row = block->rows ? block->rows[i] : i;
        writer_begin(w, 'D');
        writer_i16(w, count);
        for (int c = 0; c < count; c++) put_value(w, &columns[c], env, block->columns[c][row]);
        TRY(writer_end(w, &conn->err));
        if (w->lost) {
            conn->err = (Error){.sqlstate = ERR_CONNECTION_FAILURE, .message = "connection to client lost", .fatal = true};
            return ST_ERROR;
        }
    }
    return ST_OK;
}

static Status column_writers(Conn *conn, const ResultColumn *columns, int count, RowFormat format, ColumnWriter **out)
{
    *out = ARENA_ARRAY(conn->message_arena, ColumnWriter, count);
    if (format.count > 1 && format.count != count)
        return err_set(&conn->err, conn->message_arena, ERR_PROTOCOL_VIOLATION,
                       "bind message has %d result formats but query has %d columns", format.count, count);
    for (int i = 0; i < count; i++) {
        ColumnWriter *cw = &(*out)[i];
        *cw = (ColumnWriter){type_find(columns[i].type.oid), format_of(format, i) == 1};
        if (!cw->type)
            return err_set(&conn->err, conn->message_arena, ERR_INTERNAL_ERROR, "type %u has no output function",
                           columns[i].type.oid);
        if (cw->binary && !cw->type->send)
            return err_set(&conn->err, conn->message_arena, ERR_UNDEFINED_FUNCTION,
                           "no binary output function available for type %s", cw->type->sql_name);
    }
    return ST_OK;
}

Status rows_send(Conn *conn, Portal *portal, RowOrder order, bool *suspended)
{
    int count = 0, sent = 0;
    const ResultColumn *columns = NULL;
    ColumnWriter *writers = NULL;
    *suspended = false;
    for (bool first = true;; first = false) {
        RowBlock block = {0};
        Status st = portal_next(portal, order.rows_max ? order.rows_max - sent : 0, &block, &conn->err);
        if (st == ST_ERROR) return st;
        /* A statement that had to wait for its tables may have been planned again by now. */
        if (first) {
            columns = portal_columns(portal, &count);
            TRY(column_writers(conn, columns, count, order.format, &writers));
            if (order.describe && columns) TRY(rows_describe(conn, columns, count, order.format));
        }
        if (st == ST_END) return ST_OK;
        TRY(send_block(conn, &block, writers, count));
        sent += block.count;
        if (order.rows_max && sent >= order.rows_max) {
            *suspended = true;
            return ST_OK;
        }
    }
}
