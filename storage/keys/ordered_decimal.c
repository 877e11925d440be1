/* Decimals in keys: pairs of digits as a fraction 0.D * 100^E, E in the marker, so that the order of the exponents comes
 * before the order of the digits. Each pair p is the byte 2p+1, the last one 2p: a value that goes on sorts after one
 * that ends there, and no byte is 00, the terminator. Negative values have all these bytes complemented. */
#include "storage/keys/ordered.h"

#include <assert.h>

enum {
    EXPONENT_MEDIUM_MAX = 10, /* exponents 0..10 have a marker of their own */
    POSITIVE_MEDIUM = 0x29,   /* + exponent */
    NEGATIVE_MEDIUM = 0x25    /* - exponent */
};

void ordered_put_decimal_head(Buf *out, int64_t exponent, bool negative)
{
    if (exponent < 0) {
        buf_put_u8(out, negative ? ORDERED_DECIMAL_NEGATIVE_SMALL : ORDERED_DECIMAL_POSITIVE_SMALL);
        ordered_put_uvarint(out, (uint64_t)-exponent, !negative);
    } else if (exponent <= EXPONENT_MEDIUM_MAX) {
        buf_put_u8(out, (uint8_t)(negative ? NEGATIVE_MEDIUM - exponent : POSITIVE_MEDIUM + exponent));
    } else {
        buf_put_u8(out, negative ? ORDERED_DECIMAL_NEGATIVE_LARGE : ORDERED_DECIMAL_POSITIVE_LARGE);
        ordered_put_uvarint(out, (uint64_t)exponent, negative);
    }
}

/* digits has neither leading nor trailing zeros; a zero goes in front where the exponent is odd. */
static void put_pairs(Buf *out, const char *digits, size_t count, bool odd, bool negative)
{
    size_t total = count + odd, pairs = (total + 1) / 2;
    uint8_t flip = negative ? 0xff : 0;
    uint8_t *to = buf_reserve(out, pairs + 1);
    if (!to) return;
    for (size_t i = 0; i < pairs; i++) {
        size_t high = 2 * i - odd, low = high + 1;
        int tens = odd && i == 0 ? 0 : digits[high] - '0';
        int ones = low < count ? digits[low] - '0' : 0;
        to[i] = (uint8_t)(2 * (10 * tens + ones) + (i + 1 < pairs)) ^ flip;
    }
    to[pairs] = 0;
    out->size += pairs + 1;
}

void ordered_put_decimal(Buf *out, const OrderedDecimal *value, bool descending)
{
    if (value->form == ORDERED_NAN) {
        buf_put_u8(out, descending ? ORDERED_DECIMAL_NAN_DESC : ORDERED_DECIMAL_NAN);
        return;
    }
    bool negative = value->negative != descending;
    if (value->form == ORDERED_INFINITE) {
        buf_put_u8(out, negative ? ORDERED_DECIMAL_MINUS_INFINITY : ORDERED_DECIMAL_INFINITY);
        return;
    }
    const char *digits = value->digits;
    size_t count = value->count;
    for (; count && digits[0] == '0'; count--) digits++;
    int64_t point = value->exponent + (int64_t)count; /* value = 0.digits * 10^point */
    while (count && digits[count - 1] == '0') count--;
    if (count == 0) {
        buf_put_u8(out, ORDERED_DECIMAL_ZERO);
        return;
    }
    int64_t exponent = point >= 0 ? (point + 1) / 2 : -(-point / 2); /* rounded up */
    ordered_put_decimal_head(out, exponent, negative);
    put_pairs(out, digits, count, 2 * exponent != point, negative);
}

/* false: a marker of another kind, or one without digits. */
bool ordered_get_decimal_head(Slice *key, bool *negative, int64_t *exponent)
{
    if (key->size == 0) return false;
    uint8_t first = key->data[0];
    Slice rest = slice_of(key->data + 1, key->size - 1);
    *negative = first <= ORDERED_DECIMAL_NEGATIVE_SMALL;
    bool small = first == ORDERED_DECIMAL_NEGATIVE_SMALL || first == ORDERED_DECIMAL_POSITIVE_SMALL;
    bool large = first == ORDERED_DECIMAL_NEGATIVE_LARGE || first == ORDERED_DECIMAL_POSITIVE_LARGE;
    uint64_t size;
    if (small || large) {
        if (!ordered_get_uvarint(&rest, small ? !*negative : *negative, &size) || size > INT64_MAX / 4) return false;
        *exponent = small ? -(int64_t)size : (int64_t)size;
    } else if (first > ORDERED_DECIMAL_NEGATIVE_LARGE && first < ORDERED_DECIMAL_NEGATIVE_SMALL) {
        *exponent = NEGATIVE_MEDIUM - first;
    } else if (first >= POSITIVE_MEDIUM && first <= POSITIVE_MEDIUM + EXPONENT_MEDIUM_MAX) {
        *exponent = first - POSITIVE_MEDIUM;
    } else {
        return false;
    }
    *key = rest;
    return true;
}

bool ordered_pairs_valid(const uint8_t *pairs, size_t count, bool negative)
{
    uint8_t flip = negative ? 0xff : 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t pair = pairs[i] ^ flip;
        bool last = i + 1 == count, edge = i == 0 || last;
        if ((pair & 1) == last || pair >> 1 > 99 || (edge && pair >> 1 == 0)) return false;
    }
    return count > 0;
}

bool ordered_get_decimal_special(Slice *key, bool descending, OrderedDecimal *value)
{
    if (key->size == 0) return false;
    uint8_t first = key->data[0];
    *value = (OrderedDecimal){.form = ORDERED_FINITE, .digits = "0"};
    switch (first) {
    case ORDERED_DECIMAL_NAN:
    case ORDERED_DECIMAL_NAN_DESC: value->form = ORDERED_NAN; break;
    case ORDERED_DECIMAL_INFINITY:
    case ORDERED_DECIMAL_MINUS_INFINITY:
        value->form = ORDERED_INFINITE;
        value->negative = (first == ORDERED_DECIMAL_MINUS_INFINITY) != descending;
        break;
    case ORDERED_DECIMAL_ZERO: break;
    default: return false;
    }
    *key = slice_of(key->data + 1, key->size - 1);
    return true;
}

bool ordered_get_decimal(Slice *key, bool descending, Arena *arena, OrderedDecimal *value)
{
    if (ordered_get_decimal_special(key, descending, value)) return true;
    Slice rest = *key;
    bool negative;
    int64_t exponent;
    if (!ordered_get_decimal_head(&rest, &negative, &exponent)) return false;
    const uint8_t *end = rest.size ? memchr(rest.data, 0, rest.size) : NULL;
    if (!end || end == rest.data) return false;
    size_t pairs = (size_t)(end - rest.data), count = 2 * pairs;
    if (!ordered_pairs_valid(rest.data, pairs, negative)) return false;
    char *digits = arena_alloc(arena, count);
    for (size_t i = 0; i < pairs; i++) {
        uint8_t pair = (uint8_t)(negative ? ~rest.data[i] : rest.data[i]) >> 1;
        digits[2 * i] = (char)('0' + pair / 10);
        digits[2 * i + 1] = (char)('0' + pair % 10);
    }
    if (digits[count - 1] == '0') count--;
    value->negative = negative != descending;
    value->exponent = 2 * exponent - (int64_t)count;
    size_t lead = digits[0] == '0' && count > 1;
    value->digits = digits + lead;
    value->count = count - lead;
    *key = slice_of(end + 1, rest.size - pairs - 1);
    return true;
}

bool ordered_skip_decimal(Slice *key)
{
    OrderedDecimal special;
    bool negative;
    int64_t exponent;
    Slice rest = *key;
    if (ordered_get_decimal_special(key, false, &special)) return true;
    if (!ordered_get_decimal_head(&rest, &negative, &exponent)) return false;
    const uint8_t *end = rest.size ? memchr(rest.data, 0, rest.size) : NULL;
    if (!end) return false;
    *key = slice_of(end + 1, rest.size - (size_t)(end - rest.data) - 1);
    return true;
}
