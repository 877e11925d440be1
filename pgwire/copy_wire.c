#include "pgwire/conn.h"

static Status send_response(Conn *conn, char type, const Portal *portal)
{
    Writer *w = &conn->out;
    int columns = portal_copy_columns(portal), binary = portal_copy_binary(portal);
    writer_begin(w, type);
    writer_u8(w, (uint8_t)binary);
    writer_i16(w, columns);
    for (int i = 0; i < columns; i++) writer_i16(w, binary);
    return writer_end(w, &conn->err);
}

static Status client_failed(Conn *conn, Frame *frame)
{
    return err_set(&conn->err, conn->message_arena, ERR_QUERY_CANCELED, "COPY from stdin failed: %s", frame_str(frame));
}

static Status client_gone(Conn *conn)
{
    conn->err = (Error){.sqlstate = ERR_CONNECTION_FAILURE,
                        .message = "unexpected EOF on client connection with an open transaction",
                        .fatal = true};
    return ST_ERROR;
}

Status copy_in_run(Conn *conn, Portal *portal)
{
    TRY(send_response(conn, 'G', portal));
    writer_flush(&conn->out);
    for (;;) {
        Frame frame;
        Status st = reader_next(&conn->in, false, &frame, &conn->err);
        if (st == ST_END) return client_gone(conn);
        if (st != ST_OK) return st;
        switch (frame.type) {
        case 'd':
            TRY(portal_copy_in(portal, frame.body, &conn->err));
            break;
        case 'c':
            return portal_copy_in_end(portal, &conn->err);
        case 'f':
            return client_failed(conn, &frame);
        case 'H': /* Flush and Sync mean nothing inside a COPY */
        case 'S':
            break;
        default:
            err_set(&conn->err, conn->message_arena, ERR_PROTOCOL_VIOLATION,
                    "unexpected message type 0x%02X during COPY from stdin", (unsigned char)frame.type);
            conn->err.fatal = true;
            return ST_ERROR;
        }
    }
}

Status copy_out_run(Conn *conn, Portal *portal)
{
    Writer *w = &conn->out;
    TRY(send_response(conn, 'H', portal));
    for (;;) {
        Slice bytes;
        Status st = portal_copy_out(portal, &bytes, &conn->err);
        if (st == ST_ERROR) return st;
        if (st == ST_END) break;
        writer_begin(w, 'd');
        buf_put_slice(&w->buffer, bytes);
        TRY(writer_end(w, &conn->err));
        if (w->lost) return client_gone(conn);
    }
    writer_begin(w, 'c');
    return writer_end(w, &conn->err);
}
