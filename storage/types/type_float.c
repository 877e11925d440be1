#include "storage/types/type_float.h"

#include <assert.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "storage/types/type_defs.h"
#include "storage/types/type_int.h"

static const double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Decimal digits (no trailing zeros) and the exponent of 0.DDD * 10^exponent. */
typedef struct Decimal {
    char digits[20];
    int count, exponent;
} Decimal;

static void decimal_trim(Decimal *d)
{
    while (d->count > 1 && d->digits[d->count - 1] == '0') d->count--;
}

static void decimal_of_int(uint64_t n, int scale, Decimal *d)
{
    char text[20];
    int i = (int)sizeof text;
    for (; n; n /= 10) text[--i] = (char)('0' + n % 10);
    d->count = (int)sizeof text - i;
    memcpy(d->digits, text + i, (size_t)d->count);
    d->exponent = d->count - scale;
    decimal_trim(d);
}

/* Most numbers in tables are short decimals. n / 10^k is exact arithmetic rounded once, so if it gives the number
 * back, and n has at most 15 digits, then its digits are the shortest ones: no two decimals of 15 digits share a
 * double (nor two of 6 a float). */
static bool decimal_of_short(double value, bool single, Decimal *d)
{
    double limit = single ? 1e6 : 1e15;
    for (int scale = 0; scale <= 8; scale++) {
        double scaled = value * powers_of_ten[scale];
        if (scaled >= limit) return false;
        double n = nearbyint(scaled);
        double back = n / powers_of_ten[scale];
        if (n < 1 || (single ? (double)(float)back != value : back != value)) continue;
        decimal_of_int((uint64_t)n, scale, d);
        return true;
    }
    return false;
}

/* A decimal half way between two neighbours reads back only by grace of rounding to even; PostgreSQL does not count
 * on it. Such a point fits a long double exactly; its full expansion tells it from a near miss. */
static bool is_half_way(const char *text, double value, bool single)
{
    long double parsed = strtold(text, NULL), v = (long double)value;
    double above = single ? (double)nextafterf((float)value, INFINITY) : nextafter(value, INFINITY);
    double below = single ? (double)nextafterf((float)value, 0) : nextafter(value, 0);
    if (parsed != v + ((long double)above - v) / 2 && parsed != v - (v - (long double)below) / 2) return false;
    char exact[64];
    snprintf(exact, sizeof exact, "%.40Le", parsed);
    for (const char *digit = exact + 2 + 17; *digit != 'e'; digit++)
        if (*digit != '0') return false;
    return true;
}

static bool reads_back(const char *text, double value, bool single)
{
    bool same = single ? (double)strtof(text, NULL) == value : strtod(text, NULL) == value;
    return same && !is_half_way(text, value, single);
}

/* "d.ddde+xx" of snprintf, taken apart. */
static void decimal_of_text(const char *text, Decimal *d)
{
    const char *e = strchr(text, 'e');
    d->count = 0;
    for (const char *c = text; c < e; c++)
        if (*c != '.') d->digits[d->count++] = *c;
    d->exponent = (int)strtol(e + 1, NULL, 10) + 1;
    decimal_trim(d);
}

/* Below a power of two the doubles lie closer together than above it, so that the nearest decimal may miss while the
 * next one up hits. */
static bool next_up_reads_back(char *text, double value, bool single)
{
    char *last = strchr(text, 'e') - 1;
    if (*last == '9' || *last == '.') return false;
    ++*last;
    if (reads_back(text, value, single)) return true;
    --*last;
    return false;
}

static void decimal_shortest(double value, bool single, Decimal *d)
{
    char text[40];
    int fraction;
    bool power_of_two = frexp(value, &fraction) == 0.5;
    if (decimal_of_short(value, single, d)) return;
    for (int digits = 1;; digits++) {
        int least = single ? 6 : 15, most = single ? 9 : 17;
        if (digits < least) digits = value < (single ? (double)FLT_MIN : DBL_MIN) ? digits : least;
        snprintf(text, sizeof text, "%.*e", digits - 1, value);
        if (digits == most || reads_back(text, value, single)) break;
        if (power_of_two && digits > 1 && next_up_reads_back(text, value, single)) break;
    }
    decimal_of_text(text, d);
}

/* Scientific from 10^15 up (10^6 for a float), and below 0.0001. */
static void decimal_put(Buf *out, const Decimal *d, bool single)
{
    int exponent = d->exponent - 1;
    if (exponent < -4 || exponent >= (single ? 6 : 15)) {
        buf_put_u8(out, (uint8_t)d->digits[0]);
        if (d->count > 1) buf_put_u8(out, '.');
        buf_put(out, d->digits + 1, (size_t)d->count - 1);
        buf_put_str(out, exponent < 0 ? "e-" : "e+");
        unsigned magnitude = (unsigned)abs(exponent);
        int_put_padded(out, magnitude, magnitude > 99 ? 3 : 2);
    } else if (exponent < 0) {
        buf_put_str(out, "0.");
        for (int i = exponent + 1; i < 0; i++) buf_put_u8(out, '0');
        buf_put(out, d->digits, (size_t)d->count);
    } else {
        int whole = d->count < d->exponent ? d->count : d->exponent;
        buf_put(out, d->digits, (size_t)whole);
        for (int i = whole; i < d->exponent; i++) buf_put_u8(out, '0');
        if (d->count > whole) buf_put_u8(out, '.');
        buf_put(out, d->digits + whole, (size_t)(d->count - whole));
    }
}

void float_put_text(Buf *out, double value, bool single, int extra_float_digits)
{
    if (isnan(value)) {
        buf_put_str(out, "NaN");
    } else if (isinf(value)) {
        buf_put_str(out, value > 0 ? "Infinity" : "-Infinity");
    } else if (extra_float_digits <= 0) {
        int digits = (single ? FLT_DIG : DBL_DIG) + extra_float_digits;
        buf_printf(out, "%.*g", digits < 1 ? 1 : digits, value);
    } else {
        if (signbit(value)) buf_put_u8(out, '-');
        if (value == 0) {
            buf_put_u8(out, '0');
            return;
        }
        Decimal d;
        decimal_shortest(fabs(value), single, &d);
        decimal_put(out, &d, single);
    }
}

static bool float_parse_word(Slice t, double *value)
{
    bool negative = t.size && t.data[0] == '-';
    Slice word = t.size && (negative || t.data[0] == '+') ? slice_of(t.data + 1, t.size - 1) : t;
    if (text_is_word(word, "infinity") || text_is_word(word, "inf"))
        *value = negative ? -INFINITY : INFINITY;
    else if (text_is_word(t, "nan"))
        *value = NAN;
    else
        return false;
    return true;
}

/* Up to 15 digits and a small scale: one exact division gives the correctly rounded double. */
static bool float_parse_short(Slice t, double *value)
{
    size_t i = t.data[0] == '-' || t.data[0] == '+' ? 1 : 0;
    if (t.size - i > 16 || t.size == i) return false;
    uint64_t n = 0;
    int scale = -1;
    for (; i < t.size; i++) {
        if (t.data[i] == '.' && scale < 0) {
            scale = 0;
            continue;
        }
        if (!is_digit(t.data[i])) return false;
        n = n * 10 + (t.data[i] - '0');
        if (scale >= 0) scale++;
    }
    if (!is_digit(t.data[t.size - 1]) || n >= UINT64_C(1) << 53) return false;
    double magnitude = (double)n / powers_of_ten[scale < 0 ? 0 : scale];
    *value = t.data[0] == '-' ? -magnitude : magnitude;
    return true;
}

Status float_parse(TypeCtx *ctx, Slice text, bool single, double *value)
{
    const char *type_name = single ? "real" : "double precision";
    Slice t = text_trim(text);
    if (!t.size) return type_invalid_text(ctx, type_name, text);
    if (float_parse_word(t, value)) return ST_OK;
    if (!single && float_parse_short(t, value)) return ST_OK;
    uint8_t first = t.data[t.size > 1 && (t.data[0] == '-' || t.data[0] == '+')];
    if (!is_digit(first) && first != '.') return type_invalid_text(ctx, type_name, text);
    char *copy = arena_strndup(ctx->arena, t.data, t.size), *end;
    errno = 0;
    double parsed = single ? (double)strtof(copy, &end) : strtod(copy, &end);
    if (end != copy + t.size) return type_invalid_text(ctx, type_name, text);
    if (errno == ERANGE && (parsed == 0 || isinf(parsed)))
        return err_set(ctx->err, ctx->arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "\"%s\" is out of range for type %s", copy,
                       type_name);
    *value = parsed;
    return ST_OK;
}

static Status float_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    double value = 0;
    TRY(float_parse(ctx, text, type->oid == OID_FLOAT4, &value));
    *out = value_float(value);
    return ST_OK;
}

static void float_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    float_put_text(out, value.f, type->oid == OID_FLOAT4, env->extra_float_digits);
}

static Status float_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    if (bytes.size != (size_t)type->length) return type_invalid_binary(ctx);
    if (type->oid == OID_FLOAT4) {
        uint32_t bits = load_u32(bytes.data);
        float single;
        memcpy(&single, &bits, sizeof single);
        *out = value_float((double)single);
    } else {
        *out = value_int((int64_t)load_u64(bytes.data));
    }
    return ST_OK;
}

static void float_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    if (type->oid == OID_FLOAT4) {
        float single = (float)value.f;
        uint32_t bits;
        memcpy(&bits, &single, sizeof bits);
        buf_put_u32(out, bits);
    } else {
        buf_put_u64(out, (uint64_t)value.i);
    }
}

static int float_type_compare(const TypeDef *type, Value a, Value b)
{
    return float_compare(a.f, b.f);
}

static uint64_t float_hash(const TypeDef *type, Value value)
{
    double f = isnan(value.f) ? (double)NAN : value.f + 0.0; /* -0 + 0 is 0 */
    int64_t bits;
    memcpy(&bits, &f, sizeof bits);
    return hash_int(isnan(f) ? INT64_C(0x7ff8000000000000) : bits);
}

const TypeDef type_float4 = {
    .oid = OID_FLOAT4, .array_oid = OID_FLOAT4_ARRAY, .name = "float4", .sql_name = "real", .crdb_name = "FLOAT4",
    .length = 4, .category = 'N', .rep = REP_FLOAT, .key_class = KEY_CLASS_FLOAT, .in = float_in, .out = float_out,
    .receive = float_receive, .send = float_send, .compare = float_type_compare, .hash = float_hash,
};

const TypeDef type_float8 = {
    .oid = OID_FLOAT8, .array_oid = OID_FLOAT8_ARRAY, .name = "float8", .sql_name = "double precision",
    .crdb_name = "FLOAT8", .length = 8, .category = 'N', .preferred = true, .rep = REP_FLOAT,
    .key_class = KEY_CLASS_FLOAT, .in = float_in, .out = float_out, .receive = float_receive, .send = float_send,
    .compare = float_type_compare, .hash = float_hash,
};
