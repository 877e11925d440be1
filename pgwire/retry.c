/* retry.c - running again what 40001 has undone, without the client's noticing.
 *
 * A Query message is simply run again. Of the extended protocol the messages since the last Sync are kept, and handed to
 * their handlers once more. Either is possible only while none of the results have been sent.
 */
#include "pgwire/conn.h"

enum { KEPT_BYTES_MAX = 1 << 20, FRAME_HEAD_BYTES = 5 };

bool retry_allowed(Conn *conn, WriterMark mark)
{
    if (conn->out.flushed != mark.flushed || conn->closing) return false;
    return session_retry(conn->session, &conn->err) && writer_rewind(&conn->out, mark);
}

void retry_begin(Conn *conn)
{
    buf_clear(&conn->kept);
    conn->kept_whole = true;
    conn->kept_mark = writer_mark(&conn->out);
    conn->out.hold_bytes = session_results_buffer(conn->session);
    session_batch_begin(conn->session);
}

/* A statement that is closed by its name cannot be had back. */
static bool can_be_repeated(const Frame *frame)
{
    return frame->type != 'C' || frame->body.size < 2 || frame->body.data[0] != 'S' || frame->body.data[1] == '\0';
}

void retry_keep(Conn *conn, const Frame *frame)
{
    if (!conn->kept_whole) return;
    if (!can_be_repeated(frame) || conn->kept.size + frame->body.size > KEPT_BYTES_MAX) {
        conn->kept_whole = false;
        return;
    }
    buf_put_u8(&conn->kept, (uint8_t)frame->type);
    buf_put_u32(&conn->kept, (uint32_t)frame->body.size);
    buf_put_slice(&conn->kept, frame->body);
}

/* Hands the kept messages in again, up to the first that fails. */
static Status run_kept(Conn *conn)
{
    session_batch_begin(conn->session);
    for (size_t at = 0; at < conn->kept.size;) {
        const uint8_t *head = conn->kept.data + at;
        size_t size = (size_t)head[1] << 24 | (size_t)head[2] << 16 | (size_t)head[3] << 8 | head[4];
        Frame frame = {.type = (char)head[0], .body = slice_of(head + FRAME_HEAD_BYTES, size)};
        /* The statement is there from the time before. */
        if (frame.type == 'P' && size && frame.body.data[0]) stmt_close(conn->session, (const char *)frame.body.data);
        TRY(dispatch_again(conn, &frame));
        at += FRAME_HEAD_BYTES + size;
    }
    return ST_OK;
}

Status retry_message(Conn *conn, Status st)
{
    while (st == ST_ERROR && conn->kept_whole && !conn->failed && retry_allowed(conn, conn->kept_mark)) st = run_kept(conn);
    return st;
}

Status retry_sync(Conn *conn, Status st)
{
    bool run = true;
    Error ignored; /* what went wrong first is what the client is told */
    while (st == ST_ERROR && conn->kept_whole && !conn->failed && retry_allowed(conn, conn->kept_mark)) {
        st = run_kept(conn);
        run = st == ST_OK;
        if (run) st = session_sync(conn->session, false, &conn->err);
    }
    if (!run) (void)!session_sync(conn->session, true, &ignored);
    return st;
}

void retry_finish(Conn *conn)
{
    buf_finish(&conn->kept);
}
