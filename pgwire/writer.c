#include "pgwire/writer.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#include "pgwire/tls.h"

enum { HOLD_BYTES_FIRST = 64 * 1024, KEEP_BYTES_MAX = 1 << 20, ROOM_WAIT_MS = 100 };

void writer_init(Writer *writer, int fd)
{
    *writer = (Writer){.fd = fd, .hold_bytes = HOLD_BYTES_FIRST};
}

void writer_finish(Writer *writer)
{
    buf_finish(&writer->buffer);
}

void writer_begin(Writer *writer, char type)
{
    writer->message = writer->buffer.size;
    buf_put_u8(&writer->buffer, (uint8_t)type);
    buf_put_u32(&writer->buffer, 0);
}

Status writer_end(Writer *writer, Error *err)
{
    Buf *b = &writer->buffer;
    if (b->failed) {
        b->failed = false;
        b->size = writer->message;
        *err = (Error){.sqlstate = ERR_PROGRAM_LIMIT_EXCEEDED, .message = "result row is too large for one message"};
        return ST_ERROR;
    }
    uint32_t length = (uint32_t)(b->size - writer->message - 1);
    uint8_t *p = b->data + writer->message + 1;
    p[0] = (uint8_t)(length >> 24);
    p[1] = (uint8_t)(length >> 16);
    p[2] = (uint8_t)(length >> 8);
    p[3] = (uint8_t)length;
    if (b->size >= writer->hold_bytes) writer_flush(writer);
    return ST_OK;
}

/* A client that does not read holds up its own session only, and that not when it is to end. */
static void wait_for_room(Writer *writer)
{
    struct pollfd room = {.fd = writer->fd, .events = POLLOUT};
    if (poll(&room, 1, ROOM_WAIT_MS) != 0 || !writer->interrupt) return;
    if (atomic_load(&writer->interrupt->raised) >= INTERRUPT_TERMINATE) writer->lost = true;
}

void writer_flush(Writer *writer)
{
    Buf *b = &writer->buffer;
    if (b->size) writer->flushed++;
    for (size_t sent = 0; sent < b->size && !writer->lost;) {
        ssize_t n = writer->tls ? tls_write(writer->tls, b->data + sent, b->size - sent)
                                : send(writer->fd, b->data + sent, b->size - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n >= 0)
            sent += (size_t)n;
        else if (errno == EAGAIN || errno == EWOULDBLOCK)
            wait_for_room(writer);
        else if (errno != EINTR)
            writer->lost = true;
    }
    if (b->capacity > KEEP_BYTES_MAX) buf_finish(b);
    buf_clear(b);
}

bool writer_rewind(Writer *writer, WriterMark mark)
{
    if (writer->flushed != mark.flushed || writer->lost) return false;
    writer->buffer.size = mark.size;
    return true;
}
