#include "storage/base/buf.h"

#include <stdio.h>
#include <stdlib.h>

static const size_t BYTES_MAX_DEFAULT = (1u << 30) - 1;

void buf_finish(Buf *buf)
{
    free(buf->data);
    *buf = (Buf){.bytes_max = buf->bytes_max};
}

void buf_finish_deferred(void *buf)
{
    buf_finish(buf);
}

uint8_t *buf_reserve(Buf *buf, size_t n)
{
    size_t bytes_max = buf->bytes_max ? buf->bytes_max : BYTES_MAX_DEFAULT;
    if (buf->failed) return NULL;
    if (n <= buf->capacity - buf->size && buf->data) return buf->data + buf->size;
    if (n > bytes_max || buf->size > bytes_max - n) {
        buf->failed = true;
        return NULL;
    }
    size_t capacity = buf->capacity ? buf->capacity : 64;
    while (capacity < buf->size + n) capacity *= 2;
    uint8_t *grown = realloc(buf->data, capacity);
    if (!grown) {
        buf->failed = true;
        return NULL;
    }
    buf->data = grown;
    buf->capacity = capacity;
    return grown + buf->size;
}

void buf_put(Buf *buf, const void *data, size_t n)
{
    uint8_t *at = n ? buf_reserve(buf, n) : NULL;
    if (!at) return;
    memcpy(at, data, n);
    buf->size += n;
}

void buf_printf(Buf *buf, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    uint8_t *at = buf_reserve(buf, (size_t)n + 1);
    if (at) {
        vsnprintf((char *)at, (size_t)n + 1, format, again);
        buf->size += (size_t)n;
    }
    va_end(again);
    va_end(args);
}

void buf_put_u16(Buf *buf, uint16_t value)
{
    uint8_t bytes[2] = {(uint8_t)(value >> 8), (uint8_t)value};
    buf_put(buf, bytes, sizeof bytes);
}

void buf_put_u32(Buf *buf, uint32_t value)
{
    uint8_t bytes[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};
    buf_put(buf, bytes, sizeof bytes);
}

void buf_put_u64(Buf *buf, uint64_t value)
{
    buf_put_u32(buf, (uint32_t)(value >> 32));
    buf_put_u32(buf, (uint32_t)value);
}

Slice buf_to_arena(const Buf *buf, Arena *arena)
{
    return slice_of(arena_strndup(arena, buf->data, buf->size), buf->size);
}

char *buf_to_str(const Buf *buf, Arena *arena)
{
    return arena_strndup(arena, buf->data, buf->size);
}
