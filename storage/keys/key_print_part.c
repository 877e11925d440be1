#include "storage/keys/key_print_part.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unicode/uchar.h>

#include "storage/base/utf8.h"
#include "storage/keys/ordered.h"

/* ---- quoted bytes ---- */

static bool is_printable(int32_t code_point)
{
    if (code_point < 0x7f) return code_point >= 0x20;
    uint32_t printed = U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK | U_GC_P_MASK | U_GC_S_MASK;
    return (U_GET_GC_MASK(code_point) & printed) != 0;
}

static void print_ascii(uint8_t c, Buf *out)
{
    static const char control[] = "\a\b\f\n\r\t\v", letters[] = "abfnrtv";
    const char *letter = c ? strchr(control, c) : NULL;
    if (c == '"' || c == '\\') buf_printf(out, "\\%c", c);
    else if (letter) buf_printf(out, "\\%c", letters[letter - control]);
    else if (c < 0x20 || c == 0x7f) buf_printf(out, "\\x%02x", c);
    else buf_put_u8(out, c);
}

void key_print_quoted(Slice bytes, Buf *out)
{
    buf_put_u8(out, '"');
    for (size_t i = 0; i < bytes.size;) {
        int length = 1;
        int32_t code_point = bytes.data[i] < 0x80 ? bytes.data[i]
                                                  : utf8_decode(bytes.data + i, bytes.size - i, &length);
        if (code_point < 0) {
            buf_printf(out, "\\x%02x", bytes.data[i]);
            length = 1;
        } else if (code_point < 0x80) {
            print_ascii((uint8_t)code_point, out);
        } else if (is_printable(code_point)) {
            buf_put(out, bytes.data + i, (size_t)length);
        } else {
            buf_printf(out, code_point < 0x10000 ? "\\u%04x" : "\\U%08x", (unsigned)code_point);
        }
        i += (size_t)length;
    }
    buf_put_u8(out, '"');
}

/* ---- numbers ---- */

/* The fewest digits that read back the same. */
static void print_float(double value, Buf *out)
{
    char text[40];
    if (isnan(value)) {
        buf_put_str(out, "NaN");
        return;
    }
    if (isinf(value)) {
        buf_put_str(out, value < 0 ? "-Inf" : "+Inf");
        return;
    }
    int digits = 0;
    do snprintf(text, sizeof text, "%.*e", digits, value);
    while (strtod(text, NULL) != value && ++digits <= 17);
    int exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
    if (exponent >= -4 && exponent < 21) {
        int decimals = digits - exponent;
        buf_printf(out, "%.*f", decimals > 0 ? decimals : 0, value);
    } else {
        buf_put_str(out, text);
    }
}

static void print_decimal(const OrderedDecimal *value, Buf *out)
{
    if (value->form == ORDERED_NAN) {
        buf_put_str(out, "NaN");
        return;
    }
    if (value->negative) buf_put_u8(out, '-');
    if (value->form == ORDERED_INFINITE) {
        buf_put_str(out, "Infinity");
        return;
    }
    if (value->count == 0) {
        buf_put_u8(out, '0');
        return;
    }
    int64_t count = (int64_t)value->count, adjusted = value->exponent + count - 1;
    if (value->exponent > 0 || adjusted < -6) {
        buf_put(out, value->digits, 1);
        if (count > 1) buf_put_u8(out, '.');
        buf_put(out, value->digits + 1, (size_t)count - 1);
        buf_printf(out, "E%+" PRId64, adjusted);
        return;
    }
    int64_t whole = count + value->exponent;
    if (whole <= 0) buf_put_str(out, "0.");
    for (int64_t i = whole; i < 0; i++) buf_put_u8(out, '0');
    if (whole > 0) buf_put(out, value->digits, (size_t)whole);
    if (whole > 0 && whole < count) buf_put_u8(out, '.');
    if (whole < 0) whole = 0;
    buf_put(out, value->digits + whole, (size_t)(count - whole));
}

/* ---- times ---- */

/* "hh:mm:ss", and six decimals at most. */
static void print_clock(uint64_t microseconds, Buf *out)
{
    uint64_t seconds = microseconds / 1000000;
    unsigned fraction = (unsigned)(microseconds % 1000000);
    buf_printf(out, "%02" PRIu64 ":%02u:%02u", seconds / 3600, (unsigned)(seconds / 60 % 60), (unsigned)(seconds % 60));
    if (!fraction) return;
    char text[8];
    snprintf(text, sizeof text, "%06u", fraction);
    for (int n = 6; n && text[n - 1] == '0'; n--) text[n - 1] = 0;
    buf_printf(out, ".%s", text);
}

static void print_time(int64_t seconds, int64_t nanoseconds, Buf *out)
{
    int64_t days = seconds / 86400, second = seconds % 86400;
    if (second < 0) {
        second += 86400;
        days--;
    }
    /* Civil date from days since 1970: eras of 400 years that begin in March. */
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    int64_t day = days - era * 146097;
    int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    int64_t rest = day - (365 * year + year / 4 - year / 100);
    int64_t shifted = (5 * rest + 2) / 153;
    int month = (int)(shifted < 10 ? shifted + 3 : shifted - 9);
    year += era * 400 + (month <= 2);
    buf_printf(out, year < 0 ? "%05" PRId64 : "%04" PRId64, year);
    buf_printf(out, "-%02d-%02dT%02d:%02d:%02d", month, (int)(rest - (153 * shifted + 2) / 5 + 1), (int)(second / 3600),
               (int)(second / 60 % 60), (int)(second % 60));
    if (nanoseconds) {
        char text[12];
        snprintf(text, sizeof text, "%09" PRId64, nanoseconds);
        for (int n = 9; n && text[n - 1] == '0'; n--) text[n - 1] = 0;
        buf_printf(out, ".%s", text);
    }
    buf_put_u8(out, 'Z');
}

static void print_interval_field(int64_t n, const char *unit, bool *negative, bool *any, Buf *out)
{
    if (n == 0) return;
    if (*any) buf_put_u8(out, ' ');
    if (*negative && n > 0) buf_put_u8(out, '+');
    buf_printf(out, "%" PRId64 " %s%s", n, unit, n == 1 ? "" : "s");
    *negative = n < 0;
    *any = true;
}

static void print_interval(OrderedInterval interval, Buf *out)
{
    bool negative = false, any = false;
    print_interval_field(interval.months / 12, "year", &negative, &any, out);
    print_interval_field(interval.months % 12, "mon", &negative, &any, out);
    print_interval_field(interval.days, "day", &negative, &any, out);
    if (interval.nanoseconds == 0 && any) return;
    if (any) buf_put_u8(out, ' ');
    uint64_t size = interval.nanoseconds < 0 ? -(uint64_t)interval.nanoseconds : (uint64_t)interval.nanoseconds;
    if (interval.nanoseconds < 0) buf_put_u8(out, '-');
    else if (negative) buf_put_u8(out, '+');
    print_clock(size / 1000, out);
    if (size % 1000) buf_printf(out, "%+dns", (int)(interval.nanoseconds % 1000));
}

static void print_timetz(int64_t microseconds, int64_t west, Buf *out)
{
    print_clock((uint64_t)microseconds, out);
    buf_put_u8(out, west > 0 ? '-' : '+');
    print_clock((uint64_t)(west > 0 ? west : -west) * 1000000, out);
}

static bool print_bits(Slice *key, bool descending, Buf *out)
{
    Buf bits = {0};
    uint64_t count;
    bool found = ordered_get_bits(key, descending, &bits, &count);
    if (found) {
        buf_put_u8(out, 'B');
        for (uint64_t i = 0; i < count; i++) buf_put_u8(out, bits.data[i / 8] >> (7 - i % 8) & 1 ? '1' : '0');
    }
    buf_finish(&bits);
    return found;
}

/* ---- parts ---- */

static bool print_int(Slice *key, KeyPrintColumn column, Buf *out)
{
    int64_t value;
    if (!ordered_get_int(key, column.descending, &value)) return false;
    bool code = column.hash_code && value >= 0 && value <= 0xffff;
    if (code) buf_printf(out, "0x%04x", (unsigned)value);
    else buf_printf(out, "%" PRId64, value);
    return true;
}

static bool print_bytes(Slice *key, bool descending, Arena *arena, Buf *out)
{
    Slice bytes;
    if (!ordered_get_bytes(key, descending, arena, &bytes)) return false;
    key_print_quoted(bytes, out);
    return true;
}

static bool print_number(Slice *key, OrderedKind kind, bool descending, Arena *arena, Buf *out)
{
    if (kind == ORDERED_KIND_FLOAT) {
        double value;
        if (!ordered_get_float(key, descending, &value)) return false;
        print_float(value, out);
        return true;
    }
    OrderedDecimal value;
    if (!ordered_get_decimal(key, descending, arena, &value)) return false;
    print_decimal(&value, out);
    return true;
}

static bool print_temporal(Slice *key, OrderedKind kind, bool descending, Buf *out)
{
    int64_t first, second;
    OrderedInterval interval;
    if (kind == ORDERED_KIND_TIME) {
        if (!ordered_get_time(key, descending, &first, &second)) return false;
        /* Read in the wrong direction the nanoseconds are negative. */
        int64_t carry = second / 1000000000 - (second % 1000000000 < 0);
        if (__builtin_add_overflow(first, carry, &first)) return false;
        print_time(first, second - carry * 1000000000, out);
    } else if (kind == ORDERED_KIND_TIMETZ) {
        if (!ordered_get_timetz(key, descending, &first, &second) || first < 0) return false;
        print_timetz(first, second, out);
    } else {
        if (!ordered_get_interval(key, descending, &interval)) return false;
        print_interval(interval, out);
    }
    return true;
}

/* The end mark follows the array's own marker; what marks a NULL element, as every element, the direction given. */
static bool print_array(Slice *key, KeyPrintColumn column, Arena *arena, Buf *out)
{
    Slice rest = slice_of(key->data + 1, key->size - 1);
    uint8_t end = key->data[0] == ORDERED_ARRAY ? ORDERED_NULL : ORDERED_NULL_DESC;
    uint8_t null = column.descending ? ORDERED_NOT_NULL_DESC : ORDERED_NOT_NULL;
    buf_put_str(out, "ARRAY[");
    for (bool first = true; rest.size && rest.data[0] != end; first = false) {
        if (!first) buf_put_u8(out, ',');
        if (rest.data[0] == null) {
            buf_put_str(out, "NULL");
            rest = slice_of(rest.data + 1, rest.size - 1);
            continue;
        }
        /* An array's elements are never arrays, so this does not nest. */
        OrderedKind kind = ordered_kind(rest.data[0]);
        if (kind == ORDERED_KIND_ARRAY || kind == ORDERED_KIND_ARRAY_DESC || kind == ORDERED_KIND_UNKNOWN) return false;
        if (!key_print_part(&rest, column, arena, out)) return false;
    }
    if (rest.size == 0) return false;
    buf_put_u8(out, ']');
    *key = slice_of(rest.data + 1, rest.size - 1);
    return true;
}

static bool print_bound(Slice *key, KeyPrintColumn column, Arena *arena, int64_t *last, Buf *out)
{
    OrderedKind kind = key->size ? ordered_kind(key->data[0]) : ORDERED_KIND_UNKNOWN;
    bool plain = kind == ORDERED_KIND_INT || kind == ORDERED_KIND_DECIMAL || kind == ORDERED_KIND_TIME;
    return plain && key_print_part(key, column, arena, out) && ordered_get_int(key, column.descending, last);
}

/* As key_range.c writes them: [1,5) */
static bool print_range(Slice *key, KeyPrintColumn column, Arena *arena, Buf *out)
{
    Slice rest = slice_of(key->data + 1, key->size - 1);
    uint8_t end = key->data[0] == ORDERED_RANGE ? ORDERED_NULL : ORDERED_NULL_DESC;
    int64_t tag, exclusive = 1, inclusive = 0;
    if (!ordered_get_int(&rest, column.descending, &tag)) return false;
    if (tag == 0) {
        buf_put_str(out, "empty");
    } else {
        size_t open = out->size;
        buf_put_u8(out, '(');
        if (tag == 2 && !print_bound(&rest, column, arena, &exclusive, out)) return false;
        if (!exclusive && !out->failed) out->data[open] = '[';
        buf_put_u8(out, ',');
        if (!ordered_get_int(&rest, column.descending, &tag)) return false;
        if (tag == 1 && !print_bound(&rest, column, arena, &inclusive, out)) return false;
        buf_put_u8(out, inclusive ? ']' : ')');
    }
    if (rest.size == 0 || rest.data[0] != end) return false;
    *key = slice_of(rest.data + 1, rest.size - 1);
    return true;
}

static bool print_mark(Slice *key, const char *text, Buf *out)
{
    *key = slice_of(key->data + 1, key->size - 1);
    buf_put_str(out, text);
    return true;
}

/* Kinds that a reader of bytes cannot cut into values: everything that is left, in quotes. */
static bool print_rest(Slice *key, Buf *out)
{
    key_print_quoted(*key, out);
    *key = slice_of(key->data + key->size, 0);
    return true;
}

static bool print_known(Slice *key, KeyPrintColumn column, Arena *arena, Buf *out)
{
    OrderedKind kind = ordered_kind(key->data[0]);
    switch (kind) {
    case ORDERED_KIND_NULL: return print_mark(key, "NULL", out);
    case ORDERED_KIND_NOT_NULL: return print_mark(key, "!NULL", out);
    case ORDERED_KIND_INT: return print_int(key, column, out);
    case ORDERED_KIND_FLOAT:
    case ORDERED_KIND_DECIMAL: return print_number(key, kind, column.descending, arena, out);
    case ORDERED_KIND_BYTES: return print_bytes(key, false, arena, out);
    case ORDERED_KIND_BYTES_DESC: return print_bytes(key, true, arena, out);
    case ORDERED_KIND_TIME:
    case ORDERED_KIND_TIMETZ:
    case ORDERED_KIND_INTERVAL: return print_temporal(key, kind, column.descending, out);
    case ORDERED_KIND_BITS: return print_bits(key, false, out);
    case ORDERED_KIND_BITS_DESC: return print_bits(key, true, out);
    case ORDERED_KIND_ARRAY:
    case ORDERED_KIND_ARRAY_DESC: return print_array(key, column, arena, out);
    case ORDERED_KIND_RANGE:
    case ORDERED_KIND_RANGE_DESC: return print_range(key, column, arena, out);
    case ORDERED_KIND_JSON:
    case ORDERED_KIND_JSON_DESC:
    case ORDERED_KIND_VOID:
    case ORDERED_KIND_UNKNOWN: return print_rest(key, out);
    }
    return false;
}

bool key_print_part(Slice *key, KeyPrintColumn column, Arena *arena, Buf *out)
{
    size_t start = out->size;
    Slice rest = *key;
    if (!arena && ordered_kind(rest.data[0]) != ORDERED_KIND_INT) return false;
    if (print_known(&rest, column, arena, out)) {
        *key = rest;
        return true;
    }
    out->size = start;
    return false;
}
