#include "pgwire/reader.h"

#include <errno.h>
#include <sys/socket.h>

#include "pgwire/tls.h"

enum { READ_BYTES = 8192, STARTUP_BYTES_MAX = 10000, KEEP_BYTES_MAX = 1 << 20 };
static const size_t MESSAGE_BYTES_MAX = (1u << 30) - 1;

void reader_init(Reader *reader, int fd)
{
    *reader = (Reader){.fd = fd, .message_bytes_max = READER_UNPROVED_BYTES_MAX, .buffer = {.bytes_max = MESSAGE_BYTES_MAX + READ_BYTES}};
}

void reader_trust(Reader *reader)
{
    reader->message_bytes_max = MESSAGE_BYTES_MAX;
}

void reader_finish(Reader *reader)
{
    buf_finish(&reader->buffer);
}

static size_t available(const Reader *reader)
{
    return reader->buffer.size - reader->taken;
}

/* What was handed out is dropped, and a buffer that one large message has blown up is given back. */
static void make_room(Reader *reader)
{
    Buf *b = &reader->buffer;
    size_t left = available(reader);
    if (left == 0 && b->capacity > KEEP_BYTES_MAX)
        buf_finish(b);
    else if (left && reader->taken)
        memmove(b->data, b->data + reader->taken, left);
    b->size = left;
    reader->taken = 0;
}

static Status fill(Reader *reader, size_t wanted, Error *err)
{
    if (reader->taken && reader->taken + wanted > reader->buffer.capacity) make_room(reader);
    while (available(reader) < wanted) {
        size_t missing = wanted - available(reader);
        /* Memory grows with what has arrived, not with what a length field promises. */
        size_t step = missing < READ_BYTES ? READ_BYTES : missing < KEEP_BYTES_MAX ? missing : KEEP_BYTES_MAX;
        uint8_t *at = buf_reserve(&reader->buffer, step);
        if (!at) {
            err_no_memory(err);
            err->fatal = true;
            return ST_ERROR;
        }
        size_t room = reader->buffer.capacity - reader->buffer.size;
        ssize_t n = reader->tls ? tls_read(reader->tls, at, room) : recv(reader->fd, at, room, 0);
        if (n > 0) {
            reader->buffer.size += (size_t)n;
        } else if (n == 0) {
            return ST_END;
        } else if (errno != EINTR) {
            *err = (Error){.sqlstate = ERR_CONNECTION_FAILURE, .message = "could not receive data from client", .fatal = true};
            return ST_ERROR;
        }
    }
    return ST_OK;
}

static Status broken(Error *err, const char *message)
{
    *err = (Error){.sqlstate = ERR_PROTOCOL_VIOLATION, .message = message, .fatal = true};
    return ST_ERROR;
}

static Status fill_rest(Reader *reader, size_t wanted, Error *err)
{
    Status st = fill(reader, wanted, err);
    return st == ST_END ? broken(err, "unexpected EOF on client connection") : st;
}

Status reader_next(Reader *reader, bool startup, Frame *frame, Error *err)
{
    size_t head = startup ? 4 : 5;
    if (available(reader) == 0) make_room(reader);
    Status st = fill(reader, head, err);
    if (st == ST_END && available(reader)) return broken(err, "unexpected EOF on client connection");
    if (st != ST_OK) return st;
    const uint8_t *p = reader->buffer.data + reader->taken;
    uint32_t length = load_u32(startup ? p : p + 1);
    char type = startup ? 0 : (char)p[0];
    if (startup && (length < 8 || length > STARTUP_BYTES_MAX)) return broken(err, "invalid length of startup packet");
    if (length < 4 || length > reader->message_bytes_max) return broken(err, "invalid message length");
    size_t whole = head - 4 + length;
    TRY(fill_rest(reader, whole, err));
    p = reader->buffer.data + reader->taken;
    *frame = (Frame){.type = type, .body = slice_of(p + head, length - 4)};
    reader->taken += whole;
    return ST_OK;
}

bool reader_holds(const Reader *reader)
{
    return available(reader) > 0 || tls_pending(reader->tls);
}

bool reader_ready(const Reader *reader)
{
    size_t n = available(reader);
    if (n < 5) return false;
    uint32_t length = load_u32(reader->buffer.data + reader->taken + 1);
    return length >= 4 && n - 1 >= length;
}

Slice frame_bytes(Frame *frame, size_t n)
{
    if (frame->broken || n > frame_left(frame)) {
        frame->broken = true;
        return slice_of(NULL, 0);
    }
    Slice bytes = slice_of(frame->body.data + frame->at, n);
    frame->at += n;
    return bytes;
}

uint8_t frame_u8(Frame *frame)
{
    Slice b = frame_bytes(frame, 1);
    return b.size ? b.data[0] : 0;
}

int16_t frame_i16(Frame *frame)
{
    Slice b = frame_bytes(frame, 2);
    return b.size ? (int16_t)load_u16(b.data) : 0;
}

int32_t frame_i32(Frame *frame)
{
    Slice b = frame_bytes(frame, 4);
    return b.size ? (int32_t)load_u32(b.data) : 0;
}

const char *frame_str(Frame *frame)
{
    size_t left = frame_left(frame);
    const uint8_t *at = frame->body.data + frame->at;
    const uint8_t *end = frame->broken || !left ? NULL : memchr(at, 0, left);
    if (!end) {
        frame->broken = true;
        return "";
    }
    frame->at += (size_t)(end - at) + 1;
    return (const char *)at;
}

Status frame_end(const Frame *frame, Error *err)
{
    if (!frame->broken && frame_left(frame) == 0) return ST_OK;
    *err = (Error){.sqlstate = ERR_PROTOCOL_VIOLATION, .message = "invalid message format"};
    return ST_ERROR;
}
