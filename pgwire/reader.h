/* reader.h - messages from a socket: one buffer, cut into frames.
 *
 * A frame's payload lies in the reader's buffer until the next reader_next. One thread per reader. A frame is never longer
 * than the limit it was read under (startup packets: 10,000 bytes; messages: 1 GiB - 1); a longer or impossible length is a
 * fatal 08P01, as the stream cannot be trusted behind it.
 */
#ifndef PGWIRE_READER_H
#define PGWIRE_READER_H

#include "storage/base/buf.h"

typedef struct ssl_st Tls; /* tls.h */

typedef struct Reader {
    int fd;
    Tls *tls; /* NULL: in the clear */
    size_t message_bytes_max; /* small until the client has proved who it is */
    Buf buffer;
    size_t taken; /* bytes in front of the buffer that belong to frames handed out */
} Reader;

typedef struct Frame {
    char type; /* 0 for a startup packet */
    Slice body;
    size_t at; /* how far the body has been decoded */
    bool broken; /* a field went past the end */
} Frame;

enum { READER_UNPROVED_BYTES_MAX = 65535 };
void reader_trust(Reader *reader); /* messages may be as long as the protocol allows from here on */
/* Has anything been read that was not handed out, or does it lie decrypted behind the socket? */
bool reader_holds(const Reader *reader);
void reader_init(Reader *reader, int fd);
void reader_finish(Reader *reader);
/* ST_END: the client closed the connection between two frames. ST_ERROR: fatal. Blocks on the socket. */
Status reader_next(Reader *reader, bool startup, Frame *frame, Error *err);
/* Is a whole frame in the buffer already? */
bool reader_ready(const Reader *reader);

/* Fields of a frame. Past the end they set `broken` and return zero. */
uint8_t frame_u8(Frame *frame);
int16_t frame_i16(Frame *frame);
int32_t frame_i32(Frame *frame);
const char *frame_str(Frame *frame); /* NUL-terminated, in the buffer; "" when broken */
Slice frame_bytes(Frame *frame, size_t n);
static inline size_t frame_left(const Frame *frame)
{
    return frame->body.size - frame->at;
}
/* ST_OK when all fields were there and nothing is left over; else 08P01 «invalid message format». */
Status frame_end(const Frame *frame, Error *err);

#endif
