/* ordered.h - values as bytes whose memcmp order is the order of the values.
 *
 * Byte for byte CockroachDB's encoding (its key and index formats are public; the facts are in key-vectors.tsv).
 *
 *   first byte        what follows
 *   00 ff             NULL, ascending and descending. Smallest of all, and largest of all
 *   01 fe             the place right behind the NULLs: bounds only, never stored
 *   02 06             float NaN; 03 04 05: negative, zero, positive float and its 8 bytes
 *   12 13             bytes, each 00 inside written 00 ff, ended by 00 01; descending all but the marker complemented
 *   14 3c 16          timestamp, timetz, interval: two or three ints
 *   18-36             decimal: sign and exponent in the marker, then pairs of digits, ended by 00
 *   3a 3b             bits: a uvarint per 64 bits, an end mark, the bits used in the last word
 *   3f 40             array: elements, an end mark
 *   45-4c 4d-54       JSON by kind; descending in the second set
 *   55 56             range (rowkey's own): bounds as values with tags, an end mark; key_range.c
 *   80-87 88-f5 f6-fd ints: negative of 8..1 bytes, 0..109 alone, 1..8 bytes
 *
 * The put functions append and cannot fail but for memory (out->failed), ordered_put_interval apart. The get functions
 * take one value off the front of *key; false: the bytes are no such value, and *key is where it was. No function
 * looks beyond the slice. Any thread.
 */
#ifndef STORAGE_KEYS_ORDERED_H
#define STORAGE_KEYS_ORDERED_H

#include "storage/base/buf.h"

enum {
    ORDERED_NULL = 0x00, ORDERED_NOT_NULL = 0x01, ORDERED_NOT_NULL_DESC = 0xfe, ORDERED_NULL_DESC = 0xff,
    ORDERED_FLOAT_NAN = 0x02, ORDERED_FLOAT_NEGATIVE = 0x03, ORDERED_FLOAT_ZERO = 0x04, ORDERED_FLOAT_POSITIVE = 0x05,
    ORDERED_FLOAT_NAN_DESC = 0x06, ORDERED_BYTES = 0x12, ORDERED_BYTES_DESC = 0x13, ORDERED_TIME = 0x14,
    ORDERED_INTERVAL = 0x16, ORDERED_DECIMAL_NAN = 0x18, ORDERED_DECIMAL_MINUS_INFINITY = 0x19,
    ORDERED_DECIMAL_NEGATIVE_LARGE = 0x1a, ORDERED_DECIMAL_NEGATIVE_SMALL = 0x26, ORDERED_DECIMAL_ZERO = 0x27,
    ORDERED_DECIMAL_POSITIVE_SMALL = 0x28, ORDERED_DECIMAL_POSITIVE_LARGE = 0x34, ORDERED_DECIMAL_INFINITY = 0x35,
    ORDERED_DECIMAL_NAN_DESC = 0x36, ORDERED_BITS = 0x3a, ORDERED_BITS_DESC = 0x3b, ORDERED_TIMETZ = 0x3c,
    ORDERED_ARRAY = 0x3f, ORDERED_ARRAY_DESC = 0x40, ORDERED_VOID = 0x44, ORDERED_JSON_EMPTY_ARRAY = 0x45,
    ORDERED_JSON_EMPTY_ARRAY_DESC = 0x54, ORDERED_RANGE = 0x55, ORDERED_RANGE_DESC = 0x56, ORDERED_INT_MIN = 0x80, ORDERED_INT_ZERO = 0x88, ORDERED_INT_SMALL = 109,
    ORDERED_INT_MAX = 0xfd
};

/* What a first byte announces. Direction shows only where the marker has one. */
typedef enum OrderedKind {
    ORDERED_KIND_UNKNOWN, ORDERED_KIND_NULL, ORDERED_KIND_NOT_NULL, ORDERED_KIND_INT, ORDERED_KIND_FLOAT,
    ORDERED_KIND_DECIMAL, ORDERED_KIND_BYTES, ORDERED_KIND_BYTES_DESC, ORDERED_KIND_TIME, ORDERED_KIND_TIMETZ,
    ORDERED_KIND_INTERVAL, ORDERED_KIND_BITS, ORDERED_KIND_BITS_DESC, ORDERED_KIND_ARRAY, ORDERED_KIND_ARRAY_DESC,
    ORDERED_KIND_JSON, ORDERED_KIND_JSON_DESC, ORDERED_KIND_RANGE, ORDERED_KIND_RANGE_DESC, ORDERED_KIND_VOID
} OrderedKind;
OrderedKind ordered_kind(uint8_t first);

void ordered_put_null(Buf *out, bool descending);
void ordered_put_not_null(Buf *out, bool descending); /* a bound: after the NULLs (descending: before them) */

void ordered_put_uvarint(Buf *out, uint64_t value, bool descending);
bool ordered_get_uvarint(Slice *key, bool descending, uint64_t *value);
void ordered_put_int(Buf *out, int64_t value, bool descending);
bool ordered_get_int(Slice *key, bool descending, int64_t *value);
/* Both zeros are one value, all NaNs are one. */
void ordered_put_float(Buf *out, double value, bool descending);
bool ordered_get_float(Slice *key, bool descending, double *value);

void ordered_put_bytes(Buf *out, Slice bytes, bool descending);
/* Borrows from the key where nothing was escaped or complemented, else from the arena. */
bool ordered_get_bytes(Slice *key, bool descending, Arena *arena, Slice *bytes);
bool ordered_skip_bytes(Slice *key, bool descending);

/* seconds since 1970 rounded down, nanoseconds 0..999999999. */
void ordered_put_time(Buf *out, int64_t seconds, int64_t nanoseconds, bool descending);
bool ordered_get_time(Slice *key, bool descending, int64_t *seconds, int64_t *nanoseconds);
/* microseconds of the local time of day; the zone in seconds west of Greenwich. */
void ordered_put_timetz(Buf *out, int64_t microseconds, int64_t west, bool descending);
bool ordered_get_timetz(Slice *key, bool descending, int64_t *microseconds, int64_t *west);

typedef struct OrderedInterval {
    int64_t months, days, nanoseconds;
} OrderedInterval;
/* false, and nothing appended: longer than 2^63 nanoseconds, a month being 30 days. */
bool ordered_put_interval(Buf *out, OrderedInterval interval, bool descending);
bool ordered_get_interval(Slice *key, bool descending, OrderedInterval *interval);

/* bits: most significant first in each byte; those behind bit_count in the last byte are ignored. */
void ordered_put_bits(Buf *out, const uint8_t *bits, uint64_t bit_count, bool descending);
bool ordered_get_bits(Slice *key, bool descending, Buf *bits, uint64_t *bit_count);

/* value = (-1)^negative * digits * 10^exponent. Zero has no digits, or only zeros. */
typedef enum OrderedDecimalForm { ORDERED_FINITE, ORDERED_INFINITE, ORDERED_NAN } OrderedDecimalForm;
typedef struct OrderedDecimal {
    OrderedDecimalForm form;
    bool negative;
    const char *digits; /* '0'..'9', most significant first; leading and trailing zeros are allowed */
    size_t count;
    int64_t exponent;
} OrderedDecimal;
void ordered_put_decimal(Buf *out, const OrderedDecimal *value, bool descending);
/* The digits lie in the arena; trailing zeros were lost when the value was put. */
bool ordered_get_decimal(Slice *key, bool descending, Arena *arena, OrderedDecimal *value);
bool ordered_skip_decimal(Slice *key);
/* For number formats that have pairs of digits themselves: value = 0.p1p2p3... * 100^exponent, p1 not zero. Behind the
 * head come the bytes 2p+1, the last one 2p, complemented if negative, and 00. Zero and what is not finite have none. */
void ordered_put_decimal_head(Buf *out, int64_t exponent, bool negative_bytes);
bool ordered_get_decimal_head(Slice *key, bool *negative_bytes, int64_t *exponent);
/* Are these mantissa bytes ones that put would write: pairs of digits, the first and the last not 00? */
bool ordered_pairs_valid(const uint8_t *pairs, size_t count, bool negative_bytes);
bool ordered_get_decimal_special(Slice *key, bool descending, OrderedDecimal *value);

/* An array is start, elements, end; a NULL element has a mark of its own. */
void ordered_put_array_start(Buf *out, bool descending);
void ordered_put_array_null(Buf *out, bool descending);
void ordered_put_array_end(Buf *out, bool descending);

/* JSON: null, false and true are their marker alone; others are the marker, content, ordered_put_json_end. */
typedef enum OrderedJson {
    ORDERED_JSON_EMPTY, ORDERED_JSON_NULL, ORDERED_JSON_STRING, ORDERED_JSON_NUMBER, ORDERED_JSON_FALSE,
    ORDERED_JSON_TRUE, ORDERED_JSON_ARRAY, ORDERED_JSON_OBJECT
} OrderedJson; /* in key order; EMPTY is the empty array */
void ordered_put_json(Buf *out, OrderedJson kind, bool descending);
void ordered_put_json_end(Buf *out, bool descending);
bool ordered_get_json(Slice *key, bool descending, OrderedJson *kind);

/* Takes one value of whatever kind off the front, without decoding it. descending matters for ints alone. */
bool ordered_skip(Slice *key);

#endif
