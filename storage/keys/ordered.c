#include "storage/keys/ordered.h"

#include <assert.h>
#include <math.h>

static const int64_t NANOSECONDS_PER_DAY = INT64_C(86400) * 1000000000;
static const int64_t DAYS_PER_MONTH = 30;

OrderedKind ordered_kind(uint8_t first)
{
    if (first >= ORDERED_INT_MIN && first <= ORDERED_INT_MAX) return ORDERED_KIND_INT;
    if (first >= ORDERED_DECIMAL_NAN && first <= ORDERED_DECIMAL_NAN_DESC) return ORDERED_KIND_DECIMAL;
    if (first >= ORDERED_FLOAT_NAN && first <= ORDERED_FLOAT_NAN_DESC) return ORDERED_KIND_FLOAT;
    if (first >= ORDERED_JSON_EMPTY_ARRAY && first <= ORDERED_JSON_EMPTY_ARRAY_DESC)
        return first < ORDERED_JSON_EMPTY_ARRAY + 8 ? ORDERED_KIND_JSON : ORDERED_KIND_JSON_DESC;
    switch (first) {
    case ORDERED_NULL:
    case ORDERED_NULL_DESC: return ORDERED_KIND_NULL;
    case ORDERED_NOT_NULL:
    case ORDERED_NOT_NULL_DESC: return ORDERED_KIND_NOT_NULL;
    case ORDERED_BYTES: return ORDERED_KIND_BYTES;
    case ORDERED_BYTES_DESC: return ORDERED_KIND_BYTES_DESC;
    case ORDERED_TIME: return ORDERED_KIND_TIME;
    case ORDERED_TIMETZ: return ORDERED_KIND_TIMETZ;
    case ORDERED_INTERVAL: return ORDERED_KIND_INTERVAL;
    case ORDERED_BITS: return ORDERED_KIND_BITS;
    case ORDERED_BITS_DESC: return ORDERED_KIND_BITS_DESC;
    case ORDERED_ARRAY: return ORDERED_KIND_ARRAY;
    case ORDERED_ARRAY_DESC: return ORDERED_KIND_ARRAY_DESC;
    case ORDERED_RANGE: return ORDERED_KIND_RANGE;
    case ORDERED_RANGE_DESC: return ORDERED_KIND_RANGE_DESC;
    case ORDERED_VOID: return ORDERED_KIND_VOID;
    default: return ORDERED_KIND_UNKNOWN;
    }
}

void ordered_put_null(Buf *out, bool descending)
{
    buf_put_u8(out, descending ? ORDERED_NULL_DESC : ORDERED_NULL);
}

void ordered_put_not_null(Buf *out, bool descending)
{
    buf_put_u8(out, descending ? ORDERED_NOT_NULL_DESC : ORDERED_NOT_NULL);
}

/* ---- integers ---- */

static int byte_count(uint64_t value)
{
    return value ? (71 - __builtin_clzll(value)) / 8 : 1;
}

/* The low n bytes, most significant first, behind a marker. */
static void put_marked(Buf *out, uint8_t marker, uint64_t value, int n)
{
    uint8_t bytes[9];
    bytes[0] = marker;
    for (int i = 0; i < n; i++) bytes[1 + i] = (uint8_t)(value >> (8 * (n - 1 - i)));
    buf_put(out, bytes, (size_t)n + 1);
}

static uint64_t load_n(const uint8_t *p, int n)
{
    uint64_t value = 0;
    for (int i = 0; i < n; i++) value = value << 8 | p[i];
    return value;
}

static void advance(Slice *key, size_t n)
{
    assert(n <= key->size);
    key->data += n;
    key->size -= n;
}

static uint64_t low_bytes(int n)
{
    return n == 8 ? UINT64_MAX : (UINT64_C(1) << (8 * n)) - 1;
}

void ordered_put_uvarint(Buf *out, uint64_t value, bool descending)
{
    int n = byte_count(value);
    if (descending) {
        if (value == 0) buf_put_u8(out, ORDERED_INT_ZERO);
        else put_marked(out, (uint8_t)(ORDERED_INT_ZERO - n), ~value, n);
    } else if (value <= ORDERED_INT_SMALL) {
        buf_put_u8(out, (uint8_t)(ORDERED_INT_ZERO + value));
    } else {
        put_marked(out, (uint8_t)(ORDERED_INT_ZERO + ORDERED_INT_SMALL + n), value, n);
    }
}

static bool get_uvarint_descending(Slice *key, uint64_t *value)
{
    uint8_t first = key->data[0];
    if (first > ORDERED_INT_ZERO || first < ORDERED_INT_MIN) return false;
    int n = ORDERED_INT_ZERO - first;
    if (key->size < (size_t)n + 1) return false;
    *value = n ? ~load_n(key->data + 1, n) & low_bytes(n) : 0;
    advance(key, (size_t)n + 1);
    return true;
}

bool ordered_get_uvarint(Slice *key, bool descending, uint64_t *value)
{
    if (key->size == 0) return false;
    if (descending) return get_uvarint_descending(key, value);
    uint8_t first = key->data[0];
    if (first < ORDERED_INT_ZERO || first > ORDERED_INT_MAX) return false;
    int n = first - ORDERED_INT_ZERO - ORDERED_INT_SMALL;
    if (n <= 0) {
        *value = (uint64_t)(first - ORDERED_INT_ZERO);
        advance(key, 1);
        return true;
    }
    if (key->size < (size_t)n + 1) return false;
    *value = load_n(key->data + 1, n);
    advance(key, (size_t)n + 1);
    return true;
}

void ordered_put_int(Buf *out, int64_t value, bool descending)
{
    if (descending) value = ~value;
    if (value >= 0) {
        ordered_put_uvarint(out, (uint64_t)value, false);
        return;
    }
    int n = byte_count(-(uint64_t)value);
    put_marked(out, (uint8_t)(ORDERED_INT_ZERO - n), (uint64_t)value, n);
}

bool ordered_get_int(Slice *key, bool descending, int64_t *value)
{
    if (key->size == 0) return false;
    uint8_t first = key->data[0];
    uint64_t found;
    if (first < ORDERED_INT_ZERO) {
        int n = ORDERED_INT_ZERO - first;
        if (first < ORDERED_INT_MIN || key->size < (size_t)n + 1) return false;
        found = load_n(key->data + 1, n) | ~low_bytes(n);
        advance(key, (size_t)n + 1);
    } else {
        Slice rest = *key;
        if (!ordered_get_uvarint(&rest, false, &found) || found > INT64_MAX) return false;
        *key = rest;
    }
    *value = descending ? ~(int64_t)found : (int64_t)found;
    return true;
}

static bool skip_int(Slice *key)
{
    if (key->size == 0) return false;
    int first = key->data[0];
    if (first < ORDERED_INT_MIN || first > ORDERED_INT_MAX) return false;
    int n = first < ORDERED_INT_ZERO ? ORDERED_INT_ZERO - first : first - ORDERED_INT_ZERO - ORDERED_INT_SMALL;
    if (n < 0) n = 0;
    if (key->size < (size_t)n + 1) return false;
    advance(key, (size_t)n + 1);
    return true;
}

/* ---- floats ---- */

void ordered_put_float(Buf *out, double value, bool descending)
{
    if (isnan(value)) {
        buf_put_u8(out, descending ? ORDERED_FLOAT_NAN_DESC : ORDERED_FLOAT_NAN);
        return;
    }
    if (value == 0) {
        buf_put_u8(out, ORDERED_FLOAT_ZERO);
        return;
    }
    if (descending) value = -value;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_marked(out, value < 0 ? ORDERED_FLOAT_NEGATIVE : ORDERED_FLOAT_POSITIVE, value < 0 ? ~bits : bits, 8);
}

bool ordered_get_float(Slice *key, bool descending, double *value)
{
    if (key->size == 0) return false;
    uint8_t first = key->data[0];
    if (first < ORDERED_FLOAT_NAN || first > ORDERED_FLOAT_NAN_DESC) return false;
    bool number = first == ORDERED_FLOAT_NEGATIVE || first == ORDERED_FLOAT_POSITIVE;
    if (!number) {
        *value = first == ORDERED_FLOAT_ZERO ? 0.0 : NAN;
        advance(key, 1);
        return true;
    }
    if (key->size < 9) return false;
    uint64_t bits = load_u64(key->data + 1);
    if (first == ORDERED_FLOAT_NEGATIVE) bits = ~bits;
    memcpy(value, &bits, sizeof bits);
    if (descending) *value = -*value;
    advance(key, 9);
    return true;
}

static bool skip_float(Slice *key)
{
    bool number = key->data[0] == ORDERED_FLOAT_NEGATIVE || key->data[0] == ORDERED_FLOAT_POSITIVE;
    if (key->size < (number ? 9u : 1u)) return false;
    advance(key, number ? 9 : 1);
    return true;
}

/* ---- bytes ---- */

void ordered_put_bytes(Buf *out, Slice bytes, bool descending)
{
    const uint8_t *from = bytes.data, *end = bytes.data + bytes.size;
    buf_put_u8(out, descending ? ORDERED_BYTES_DESC : ORDERED_BYTES);
    size_t start = out->size;
    while (from < end) {
        const uint8_t *zero = memchr(from, 0, (size_t)(end - from));
        if (!zero) break;
        buf_put(out, from, (size_t)(zero - from));
        buf_put(out, "\x00\xff", 2);
        from = zero + 1;
    }
    if (from < end) buf_put(out, from, (size_t)(end - from));
    buf_put(out, "\x00\x01", 2);
    if (descending)
        for (size_t i = start; i < out->size; i++) out->data[i] = (uint8_t)~out->data[i];
}

/* Where the content ends, and how many of its bytes are escapes. */
static bool find_bytes_end(Slice key, bool descending, size_t *content, size_t *escapes)
{
    uint8_t flip = descending ? 0xff : 0;
    *escapes = 0;
    if (key.size == 0 || key.data[0] != (descending ? ORDERED_BYTES_DESC : ORDERED_BYTES)) return false;
    size_t at = 1;
    for (;;) {
        const uint8_t *mark = memchr(key.data + at, flip, key.size - at);
        if (!mark) return false;
        at = (size_t)(mark - key.data);
        if (at + 1 >= key.size) return false;
        uint8_t next = key.data[at + 1] ^ flip;
        if (next == 0x01) break;
        if (next != 0xff) return false;
        ++*escapes;
        at += 2;
    }
    *content = at - 1;
    return true;
}

bool ordered_get_bytes(Slice *key, bool descending, Arena *arena, Slice *bytes)
{
    size_t content, escapes;
    if (!find_bytes_end(*key, descending, &content, &escapes)) return false;
    const uint8_t *from = key->data + 1, *end = from + content;
    advance(key, content + 3);
    if (!descending && escapes == 0) {
        *bytes = slice_of(from, content);
        return true;
    }
    uint8_t flip = descending ? 0xff : 0;
    uint8_t *to = arena_alloc(arena, content - escapes + 1);
    *bytes = slice_of(to, content - escapes);
    for (; from < end; from++) {
        *to = *from ^ flip;
        if (*to++ == 0) from++;
    }
    return true;
}

bool ordered_skip_bytes(Slice *key, bool descending)
{
    size_t content, escapes;
    if (!find_bytes_end(*key, descending, &content, &escapes)) return false;
    advance(key, content + 3);
    return true;
}

/* ---- times and intervals: a marker and ints ---- */

static bool take_marker(Slice *key, uint8_t marker)
{
    if (key->size == 0 || key->data[0] != marker) return false;
    advance(key, 1);
    return true;
}

void ordered_put_time(Buf *out, int64_t seconds, int64_t nanoseconds, bool descending)
{
    assert(nanoseconds >= 0 && nanoseconds < 1000000000);
    buf_put_u8(out, ORDERED_TIME);
    ordered_put_int(out, seconds, descending);
    ordered_put_int(out, nanoseconds, descending);
}

bool ordered_get_time(Slice *key, bool descending, int64_t *seconds, int64_t *nanoseconds)
{
    Slice rest = *key;
    if (!take_marker(&rest, ORDERED_TIME) || !ordered_get_int(&rest, descending, seconds) ||
        !ordered_get_int(&rest, descending, nanoseconds))
        return false;
    *key = rest;
    return true;
}

void ordered_put_timetz(Buf *out, int64_t microseconds, int64_t west, bool descending)
{
    buf_put_u8(out, ORDERED_TIMETZ);
    ordered_put_int(out, microseconds + west * 1000000, descending);
    ordered_put_int(out, west, descending);
}

bool ordered_get_timetz(Slice *key, bool descending, int64_t *microseconds, int64_t *west)
{
    Slice rest = *key;
    int64_t universal, offset;
    if (!take_marker(&rest, ORDERED_TIMETZ) || !ordered_get_int(&rest, descending, &universal) ||
        !ordered_get_int(&rest, descending, west))
        return false;
    if (__builtin_mul_overflow(*west, INT64_C(1000000), &offset) ||
        __builtin_sub_overflow(universal, offset, microseconds))
        return false;
    *key = rest;
    return true;
}

bool ordered_put_interval(Buf *out, OrderedInterval interval, bool descending)
{
    __int128 days = (__int128)interval.months * DAYS_PER_MONTH + interval.days;
    __int128 total = days * NANOSECONDS_PER_DAY + interval.nanoseconds;
    if (total > INT64_MAX || total < INT64_MIN) return false;
    buf_put_u8(out, ORDERED_INTERVAL);
    ordered_put_int(out, (int64_t)total, descending);
    ordered_put_int(out, interval.months, descending);
    ordered_put_int(out, interval.days, descending);
    return true;
}

bool ordered_get_interval(Slice *key, bool descending, OrderedInterval *interval)
{
    Slice rest = *key;
    int64_t total;
    if (!take_marker(&rest, ORDERED_INTERVAL) || !ordered_get_int(&rest, descending, &total) ||
        !ordered_get_int(&rest, descending, &interval->months) || !ordered_get_int(&rest, descending, &interval->days))
        return false;
    __int128 days = (__int128)interval->months * DAYS_PER_MONTH + interval->days;
    __int128 nanoseconds = total - days * NANOSECONDS_PER_DAY;
    if (nanoseconds > INT64_MAX || nanoseconds < INT64_MIN) return false;
    interval->nanoseconds = (int64_t)nanoseconds;
    *key = rest;
    return true;
}

/* ---- bits ---- */

void ordered_put_bits(Buf *out, const uint8_t *bits, uint64_t bit_count, bool descending)
{
    uint64_t word_count = (bit_count + 63) / 64, byte_total = (bit_count + 7) / 8;
    buf_put_u8(out, descending ? ORDERED_BITS_DESC : ORDERED_BITS);
    for (uint64_t w = 0; w < word_count; w++) {
        uint64_t word = 0;
        for (uint64_t i = 0; i < 8; i++) word = word << 8 | (w * 8 + i < byte_total ? bits[w * 8 + i] : 0);
        if (w + 1 == word_count && bit_count % 64) word &= ~(UINT64_MAX >> (bit_count % 64));
        ordered_put_uvarint(out, word, descending);
    }
    buf_put_u8(out, descending ? 0xff : 0x00);
    ordered_put_uvarint(out, bit_count ? (bit_count - 1) % 64 + 1 : 0, descending);
}

bool ordered_get_bits(Slice *key, bool descending, Buf *bits, uint64_t *bit_count)
{
    Slice rest = *key;
    uint64_t words = 0, word, last;
    uint8_t end = descending ? 0xff : 0x00;
    size_t start = bits->size;
    if (!take_marker(&rest, descending ? ORDERED_BITS_DESC : ORDERED_BITS)) return false;
    while (rest.size && rest.data[0] != end) {
        if (!ordered_get_uvarint(&rest, descending, &word)) goto malformed;
        buf_put_u64(bits, word);
        words++;
    }
    if (!take_marker(&rest, end) || !ordered_get_uvarint(&rest, descending, &last)) goto malformed;
    if (last > 64 || (last == 0) != (words == 0) || bits->failed) goto malformed;
    *bit_count = words ? (words - 1) * 64 + last : 0;
    bits->size = start + (*bit_count + 7) / 8;
    *key = rest;
    return true;
malformed:
    bits->size = start;
    return false;
}

static bool skip_bits(Slice *key, bool descending)
{
    uint8_t end = descending ? 0xff : 0x00;
    advance(key, 1);
    while (key->size && key->data[0] != end)
        if (!skip_int(key)) return false;
    return take_marker(key, end) && skip_int(key);
}

/* ---- arrays and JSON ---- */

void ordered_put_array_start(Buf *out, bool descending)
{
    buf_put_u8(out, descending ? ORDERED_ARRAY_DESC : ORDERED_ARRAY);
}

/* The end mark takes the place that NULL has elsewhere, so that a prefix sorts first; NULL moves up one. */
void ordered_put_array_null(Buf *out, bool descending)
{
    ordered_put_not_null(out, descending);
}

void ordered_put_array_end(Buf *out, bool descending)
{
    ordered_put_null(out, descending);
}

void ordered_put_json(Buf *out, OrderedJson kind, bool descending)
{
    buf_put_u8(out, (uint8_t)(descending ? ORDERED_JSON_EMPTY_ARRAY_DESC - (int)kind
                                         : ORDERED_JSON_EMPTY_ARRAY + (int)kind));
}

void ordered_put_json_end(Buf *out, bool descending)
{
    ordered_put_null(out, descending);
}

bool ordered_get_json(Slice *key, bool descending, OrderedJson *kind)
{
    if (key->size == 0) return false;
    int step = descending ? ORDERED_JSON_EMPTY_ARRAY_DESC - key->data[0] : key->data[0] - ORDERED_JSON_EMPTY_ARRAY;
    if (step < 0 || step > ORDERED_JSON_OBJECT) return false;
    *kind = (OrderedJson)step;
    advance(key, 1);
    return true;
}

/* Arrays, ranges and JSON values nest; what is open is counted, so that no input makes this recurse. Markers of what may be
 * inside never equal the end mark of the same direction. */
static bool skip_nested(Slice *key, bool descending)
{
    uint8_t end = descending ? ORDERED_NULL_DESC : ORDERED_NULL;
    size_t open = 0;
    do {
        if (key->size == 0) return false;
        uint8_t first = key->data[0];
        OrderedKind kind = ordered_kind(first);
        OrderedJson json;
        Slice rest = *key;
        if (first == end && open) {
            advance(key, 1);
            open--;
        } else if (kind == ORDERED_KIND_ARRAY || kind == ORDERED_KIND_ARRAY_DESC || kind == ORDERED_KIND_RANGE ||
                   kind == ORDERED_KIND_RANGE_DESC) {
            advance(key, 1);
            open++;
        } else if (ordered_get_json(&rest, descending, &json)) {
            *key = rest;
            if (json != ORDERED_JSON_NULL && json != ORDERED_JSON_FALSE && json != ORDERED_JSON_TRUE) open++;
        } else if (kind == ORDERED_KIND_JSON || kind == ORDERED_KIND_JSON_DESC || !ordered_skip(key)) {
            return false;
        }
    } while (open);
    return true;
}

static bool skip_ints(Slice *key, int n)
{
    advance(key, 1);
    for (int i = 0; i < n; i++)
        if (!skip_int(key)) return false;
    return true;
}

bool ordered_skip(Slice *key)
{
    if (key->size == 0) return false;
    Slice rest = *key;
    bool skipped = false;
    switch (ordered_kind(rest.data[0])) {
    case ORDERED_KIND_NULL:
    case ORDERED_KIND_NOT_NULL:
    case ORDERED_KIND_VOID: skipped = skip_ints(&rest, 0); break;
    case ORDERED_KIND_INT: skipped = skip_int(&rest); break;
    case ORDERED_KIND_FLOAT: skipped = skip_float(&rest); break;
    case ORDERED_KIND_DECIMAL: skipped = ordered_skip_decimal(&rest); break;
    case ORDERED_KIND_BYTES: skipped = ordered_skip_bytes(&rest, false); break;
    case ORDERED_KIND_BYTES_DESC: skipped = ordered_skip_bytes(&rest, true); break;
    case ORDERED_KIND_TIME:
    case ORDERED_KIND_TIMETZ: skipped = skip_ints(&rest, 2); break;
    case ORDERED_KIND_INTERVAL: skipped = skip_ints(&rest, 3); break;
    case ORDERED_KIND_BITS: skipped = skip_bits(&rest, false); break;
    case ORDERED_KIND_BITS_DESC: skipped = skip_bits(&rest, true); break;
    case ORDERED_KIND_ARRAY:
    case ORDERED_KIND_RANGE:
    case ORDERED_KIND_JSON: skipped = skip_nested(&rest, false); break;
    case ORDERED_KIND_ARRAY_DESC:
    case ORDERED_KIND_RANGE_DESC:
    case ORDERED_KIND_JSON_DESC: skipped = skip_nested(&rest, true); break;
    case ORDERED_KIND_UNKNOWN: break;
    }
    if (skipped) *key = rest;
    return skipped;
}
