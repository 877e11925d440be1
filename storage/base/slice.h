/* slice.h - borrowed bytes.
 *
 * A Slice owns nothing: who hands one out says until when the bytes stay. It is compared as the map compares
 * keys: bytewise, a prefix first.
 */
#ifndef STORAGE_BASE_SLICE_H
#define STORAGE_BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct Slice {
    const uint8_t *data;
    size_t size;
} Slice;

#define SLICE_LIT(text) ((Slice){(const uint8_t *)("" text), sizeof(text) - 1})

static inline Slice slice_of(const void *data, size_t size)
{
    return (Slice){(const uint8_t *)data, size};
}

static inline Slice slice_str(const char *text)
{
    return (Slice){(const uint8_t *)text, text ? strlen(text) : 0};
}

static inline int slice_compare(Slice a, Slice b)
{
    size_t shared = a.size < b.size ? a.size : b.size;
    int order = shared ? memcmp(a.data, b.data, shared) : 0;
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

static inline bool slice_equal(Slice a, Slice b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static inline bool slice_equal_str(Slice a, const char *text)
{
    return slice_equal(a, slice_str(text));
}

static inline bool slice_starts_with(Slice a, Slice prefix)
{
    return a.size >= prefix.size && (prefix.size == 0 || memcmp(a.data, prefix.data, prefix.size) == 0);
}

#endif
