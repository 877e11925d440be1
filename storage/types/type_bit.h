/* type_bit.h - bit(n) and bit varying: strings of bits.
 *
 * A value's bytes: the number of bits (4, little endian), then the bits, most significant first; those behind the last
 * one in its byte are zero.
 */
#ifndef STORAGE_TYPES_TYPE_BIT_H
#define STORAGE_TYPES_TYPE_BIT_H

#include "storage/types/type.h"

enum { BIT_HEAD_BYTES = 4, BIT_LENGTH_MAX = 83886080 };

typedef struct Bits {
    const uint8_t *bytes;
    uint32_t count;
} Bits;

Bits bits_open(Value value);
static inline bool bits_at(Bits bits, uint32_t i)
{
    return bits.bytes[i / 8] >> (7 - i % 8) & 1;
}
/* A value of so many zero bits to be filled in; NULL: 53200 in ctx->err. *bytes is where the bits are. */
Status bits_make(TypeCtx *ctx, uint32_t count, uint8_t **bytes, Value *out);
/* The value of bits that lie elsewhere; what is behind the last bit is cleared. */
Status bits_build(TypeCtx *ctx, const uint8_t *bytes, uint32_t count, Value *out);
/* Copies `count` bits from bit `from` of source to bit `to` of target, which is zero there. */
void bits_copy(uint8_t *target, uint32_t to, const uint8_t *source, uint32_t from, uint32_t count);

#endif
