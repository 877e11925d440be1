/* buf.h - a growing byte buffer with a maximum.
 *
 * Memory comes from malloc and belongs to the Buf until buf_finish. Appending past bytes_max, or when the machine has
 * no memory, sets `failed` and drops what is appended from then on: check it once, where the result is used, and
 * report 53200 (or 54000). A zeroed Buf is a valid empty one with the default maximum (1 GiB - 1, PostgreSQL's).
 */
#ifndef STORAGE_BASE_BUF_H
#define STORAGE_BASE_BUF_H

#include "storage/base/err.h"

typedef struct Buf {
    uint8_t *data;
    size_t size, capacity, bytes_max;
    bool failed;
} Buf;

void buf_finish(Buf *buf);
void buf_finish_deferred(void *buf); /* for arena_defer */

/* Room for n more bytes behind size; NULL when it cannot be had. The caller moves size. */
uint8_t *buf_reserve(Buf *buf, size_t n);
void buf_put(Buf *buf, const void *data, size_t n);
void buf_printf(Buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline void buf_clear(Buf *buf)
{
    buf->size = 0;
    buf->failed = false;
}

static inline void buf_put_u8(Buf *buf, uint8_t byte)
{
    if (buf->size < buf->capacity)
        buf->data[buf->size++] = byte;
    else
        buf_put(buf, &byte, 1);
}

static inline void buf_put_slice(Buf *buf, Slice bytes)
{
    buf_put(buf, bytes.data, bytes.size);
}

static inline void buf_put_str(Buf *buf, const char *text)
{
    buf_put(buf, text, strlen(text));
}

void buf_put_u16(Buf *buf, uint16_t value); /* big endian, as the wire and the keys are */
void buf_put_u32(Buf *buf, uint32_t value);
void buf_put_u64(Buf *buf, uint64_t value);

static inline Slice buf_slice(const Buf *buf)
{
    return slice_of(buf->data, buf->size);
}

/* A copy in the arena, NUL-terminated behind its end. */
Slice buf_to_arena(const Buf *buf, Arena *arena);
char *buf_to_str(const Buf *buf, Arena *arena);

/* Big-endian loads; no alignment needed. */
static inline uint16_t load_u16(const uint8_t *p)
{
    return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t load_u32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline uint64_t load_u64(const uint8_t *p)
{
    return (uint64_t)load_u32(p) << 32 | load_u32(p + 4);
}

#endif
