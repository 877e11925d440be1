#include "storage/keys/key_column_parts.h"

#include <assert.h>

#include "storage/keys/ordered.h"
#include "storage/types/type_numeric.h"

enum { NUMERIC_HEAD_BYTES = 4, DIGIT_BASE_SQUARED = 10000, DIGIT_BASE = 100, NUMERIC_NEGATIVE_BIT = 0x4000 };

static unsigned load_little_u16(const uint8_t *p)
{
    return (unsigned)p[0] | (unsigned)p[1] << 8;
}

static void store_little_u16(uint8_t *p, unsigned value)
{
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
}

/* The i-th pair of decimal digits of the digits to base 10000. */
static unsigned pair_at(const uint8_t *digits, size_t i)
{
    unsigned digit = load_little_u16(digits + i / 2 * 2);
    return i % 2 ? digit % DIGIT_BASE : digit / DIGIT_BASE;
}

static void put_special(NumericKind kind, bool descending, Buf *out)
{
    OrderedDecimal value = {.form = kind == NUMERIC_NAN ? ORDERED_NAN : ORDERED_INFINITE,
                            .negative = kind == NUMERIC_MINUS_INFINITY};
    ordered_put_decimal(out, &value, descending);
}

void key_numeric_put(Value numeric, bool descending, Buf *out)
{
    NumericKind kind = numeric_kind(numeric);
    if (kind != NUMERIC_FINITE) {
        put_special(kind, descending, out);
        return;
    }
    size_t pair_count = (numeric.size - NUMERIC_HEAD_BYTES) / 2 * 2, first = 0;
    if (pair_count == 0) {
        buf_put_u8(out, ORDERED_DECIMAL_ZERO);
        return;
    }
    const uint8_t *digits = numeric.p + NUMERIC_HEAD_BYTES;
    int64_t exponent = 2 * ((int64_t)(int16_t)load_little_u16(numeric.p + 2) + 1);
    bool negative = (numeric_sign(numeric) < 0) != descending;
    if (pair_at(digits, 0) == 0) {
        first = 1;
        exponent--;
    }
    if (pair_at(digits, pair_count - 1) == 0) pair_count--;
    ordered_put_decimal_head(out, exponent, negative);
    uint8_t *to = buf_reserve(out, pair_count - first + 1);
    if (!to) return;
    uint8_t flip = negative ? 0xff : 0;
    for (size_t i = first; i < pair_count; i++) *to++ = (uint8_t)(2 * pair_at(digits, i) + (i + 1 < pair_count)) ^ flip;
    *to = 0;
    out->size += pair_count - first + 1;
}

/* Decimals needed behind the point to show all digits: pairs, the last of which may end in a zero. */
static int64_t least_scale(int64_t exponent, size_t pair_count, unsigned last_pair)
{
    int64_t scale = 2 * ((int64_t)pair_count - exponent) - (last_pair % 10 == 0);
    return scale > 0 ? scale : 0;
}

static bool special_value(const OrderedDecimal *decimal, int scale, Arena *arena, Value *numeric)
{
    uint8_t *bytes = arena_alloc(arena, NUMERIC_HEAD_BYTES);
    unsigned head = decimal->form == ORDERED_FINITE ? (unsigned)(scale < 0 ? 0 : scale)
                    : decimal->form == ORDERED_NAN  ? 0x8000
                    : decimal->negative             ? 0x8002
                                                    : 0x8001;
    store_little_u16(bytes, head);
    *numeric = value_bytes(bytes, decimal->form == ORDERED_FINITE ? NUMERIC_HEAD_BYTES : 2);
    return true;
}

/* Two pairs a digit; an odd exponent leaves the first pair alone in its digit. */
static size_t join_pairs(const uint8_t *pairs, size_t count, bool odd, uint8_t flip, uint8_t *digits)
{
    size_t digit_count = (count + odd + 1) / 2;
    memset(digits, 0, 2 * digit_count);
    for (size_t i = 0; i < count; i++) {
        unsigned pair = (uint8_t)(pairs[i] ^ flip) >> 1;
        size_t place = i + odd;
        uint8_t *digit = digits + place / 2 * 2;
        store_little_u16(digit, load_little_u16(digit) + (place % 2 ? pair : pair * DIGIT_BASE));
    }
    return digit_count;
}

bool key_numeric_get(Slice *key, bool descending, int scale, Arena *arena, Value *numeric)
{
    OrderedDecimal special;
    Slice rest = *key;
    bool negative;
    int64_t exponent;
    if (ordered_get_decimal_special(&rest, descending, &special)) {
        *key = rest;
        return special_value(&special, scale, arena, numeric);
    }
    if (!ordered_get_decimal_head(&rest, &negative, &exponent)) return false;
    const uint8_t *end = rest.size ? memchr(rest.data, 0, rest.size) : NULL;
    if (!end || end == rest.data) return false;
    uint8_t flip = negative ? 0xff : 0;
    size_t pair_count = (size_t)(end - rest.data);
    if (!ordered_pairs_valid(rest.data, pair_count, negative)) return false;
    unsigned last = (uint8_t)(rest.data[pair_count - 1] ^ flip) >> 1;
    bool odd = exponent % 2 != 0;
    int64_t weight = (exponent + odd) / 2 - 1;
    int64_t least = least_scale(exponent, pair_count, last);
    if (weight > INT16_MAX || weight < INT16_MIN || least > NUMERIC_SCALE_MAX) return false;
    if (scale < least) scale = (int)least;
    uint8_t *bytes = arena_alloc(arena, NUMERIC_HEAD_BYTES + pair_count + 2);
    size_t digit_count = join_pairs(rest.data, pair_count, odd, flip, bytes + NUMERIC_HEAD_BYTES);
    store_little_u16(bytes, (unsigned)scale | (negative != descending ? NUMERIC_NEGATIVE_BIT : 0));
    store_little_u16(bytes + 2, (uint16_t)weight);
    *numeric = value_bytes(bytes, NUMERIC_HEAD_BYTES + 2 * digit_count);
    *key = slice_of(end + 1, rest.size - pair_count - 1);
    return true;
}

bool key_numeric_loses(Value numeric, int scale)
{
    if (numeric_kind(numeric) != NUMERIC_FINITE) return false;
    int least = numeric_min_scale(numeric);
    return numeric_scale(numeric) != (scale > least ? scale : least);
}
