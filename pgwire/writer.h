/* writer.h - messages to a socket, gathered in one buffer.
 *
 *   writer_begin(w, 'C'); writer_str(w, "SELECT 1"); writer_end(w);
 *
 * Nothing is sent before writer_flush, or before the buffer holds more than 64 KiB at a message's end. When the client is
 * gone everything is dropped and `lost` is set: the connection ends at its next look. One thread per writer.
 */
#ifndef PGWIRE_WRITER_H
#define PGWIRE_WRITER_H

#include "storage/base/buf.h"
#include "storage/base/interrupt.h"

typedef struct ssl_st Tls; /* tls.h */

typedef struct Writer {
    int fd;
    Tls *tls; /* NULL: in the clear */
    Buf buffer;
    size_t message; /* where the open message starts */
    uint64_t flushed; /* how often something was sent */
    size_t hold_bytes; /* sent when more has gathered */
    bool lost;
    const Interrupt *interrupt; /* of the session; NULL while there is none */
} Writer;

/* A place in what has been written. */
typedef struct WriterMark {
    uint64_t flushed;
    size_t size;
} WriterMark;

void writer_init(Writer *writer, int fd);
void writer_finish(Writer *writer);
void writer_begin(Writer *writer, char type);
/* Sends if much has gathered. A message that outgrew the buffer's maximum is taken back: 54000. */
Status writer_end(Writer *writer, Error *err);
void writer_flush(Writer *writer);
static inline WriterMark writer_mark(const Writer *w)
{
    return (WriterMark){w->flushed, w->buffer.size};
}
/* Takes back all that was written since, unless some of it was sent: false. */
bool writer_rewind(Writer *writer, WriterMark mark);

static inline void writer_u8(Writer *w, uint8_t v)
{
    buf_put_u8(&w->buffer, v);
}
static inline void writer_i16(Writer *w, int v)
{
    buf_put_u16(&w->buffer, (uint16_t)v);
}
static inline void writer_i32(Writer *w, int64_t v)
{
    buf_put_u32(&w->buffer, (uint32_t)v);
}
/* With its NUL. */
static inline void writer_str(Writer *w, const char *text)
{
    buf_put(&w->buffer, text, strlen(text) + 1);
}

#endif
