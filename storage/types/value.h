/* value.h - one SQL value, 16 bytes.
 *
 * What the payload means is known from the type, never from the Value:
 *
 *   rep         types                             payload
 *   REP_INT     bool int2 int4 int8 oid reg*      i: the number
 *               date                              i: days since 2000-01-01; INT32_MIN and INT32_MAX are -infinity, infinity
 *               time                              i: microseconds since midnight
 *               timestamp timestamptz             i: microseconds since 2000-01-01 (UTC); INT64_MIN/MAX are -infinity, infinity
 *   REP_FLOAT   float4 float8                     f (a float4 is held widened)
 *   REP_BYTES   text varchar char(n) name bytea   p, size: the bytes (UTF-8 for text; char(n) padded with blanks)
 *               uuid                              p: 16 bytes
 *               numeric, interval, json(b), array, record, bit ...   p, size: as drawn in the type's own header
 *
 * Bytes are borrowed: from an arena, or from the store's map while the block they came in is held. They are not
 * aligned: load with memcpy. A NULL Value has `null` set and an undefined payload (zero by VALUE_NULL).
 */
#ifndef STORAGE_TYPES_VALUE_H
#define STORAGE_TYPES_VALUE_H

#include "storage/base/slice.h"

typedef uint32_t Oid;

typedef struct Value {
    union {
        int64_t i;
        double f;
        const uint8_t *p;
    };
    uint32_t size; /* of REP_BYTES */
    bool null;
} Value;

_Static_assert(sizeof(Value) == 16, "a Value is two words");

#define VALUE_NULL ((Value){.null = true})

static inline Value value_int(int64_t i)
{
    return (Value){.i = i};
}

static inline Value value_bool(bool b)
{
    return (Value){.i = b};
}

static inline Value value_float(double f)
{
    return (Value){.f = f};
}

static inline Value value_bytes(const void *data, size_t size)
{
    return (Value){.p = (const uint8_t *)data, .size = (uint32_t)size};
}

static inline Value value_slice(Slice bytes)
{
    return value_bytes(bytes.data, bytes.size);
}

static inline Value value_str(const char *text)
{
    return value_bytes(text, strlen(text));
}

static inline Slice value_to_slice(Value v)
{
    return slice_of(v.p, v.size);
}

#endif
