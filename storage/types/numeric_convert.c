/* Numerics to and from integers, floating-point numbers and decimal digits; sums without a numeric per step. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "storage/types/numeric_internal.h"
#include "storage/types/type_defs.h"
#include "storage/types/type_int.h"

static const uint16_t tens[] = {1, 10, 100, 1000, 10000};

static __int128 power_of_ten(int n)
{
    __int128 power = 1;
    while (n-- > 0) power *= 10;
    return power;
}

Value numeric_from_int128(__int128 mantissa, int scale, Arena *arena)
{
    assert(scale >= 0 && scale <= NUMERIC_SCALE_MAX);
    uint16_t digits[12];
    bool negative = mantissa < 0;
    unsigned __int128 rest = negative ? 0 - (unsigned __int128)mantissa : (unsigned __int128)mantissa;
    int count = 0, places = (scale + BASE_DIGITS - 1) / BASE_DIGITS, behind = places * BASE_DIGITS - scale;
    int at = (int)(sizeof digits / sizeof digits[0]);
    if (behind && rest) { /* The lowest digit has only so many decimals of the mantissa. */
        int part = BASE_DIGITS - behind;
        digits[--at] = (uint16_t)((uint16_t)(rest % tens[part]) * tens[behind]);
        rest /= tens[part];
        count++;
    }
    for (; rest; count++) {
        digits[--at] = (uint16_t)(rest <= UINT64_MAX ? (uint64_t)rest % BASE : (uint64_t)(rest % BASE));
        rest = rest <= UINT64_MAX ? (uint64_t)rest / BASE : rest / BASE;
    }
    Num n = num_normal(digits + at, count, count - 1 - places, negative, scale);
    return num_store_small(&n, arena);
}

Value numeric_from_int(int64_t value, Arena *arena)
{
    return numeric_from_int128(value, 0, arena);
}

Status numeric_from_float(TypeCtx *ctx, double value, bool single, Value *out)
{
    char text[40];
    if (isnan(value) || isinf(value)) {
        Num special = num_special(isnan(value) ? NUMERIC_NAN : value > 0 ? NUMERIC_INFINITY : NUMERIC_MINUS_INFINITY);
        return num_store(ctx, &special, out);
    }
    int n = snprintf(text, sizeof text, "%.*g", single ? 6 : 15, value);
    return numeric_parse(ctx, slice_of(text, (size_t)n), out);
}

bool numeric_to_int128(Value value, __int128 *mantissa, int *scale)
{
    if (numeric_kind(value) != NUMERIC_FINITE) return false;
    int16_t weight;
    memcpy(&weight, value.p + 2, sizeof weight);
    int count = (int)(value.size - 4) / 2, low = weight - count + 1;
    *scale = numeric_scale(value);
    *mantissa = 0;
    if (count == 0) return true;
    if ((weight + 1) * BASE_DIGITS + *scale > 30 || count > 8) return false;
    __int128 m = 0;
    for (int i = 0; i < count; i++) {
        uint16_t digit;
        memcpy(&digit, value.p + 4 + 2 * i, sizeof digit);
        m = m * BASE + digit;
    }
    int shift = *scale + low * BASE_DIGITS;
    if (shift > 30) return false;
    /* What goes beyond the scale are zeros of the last digit: fewer than four. */
    if (shift >= 0)
        m *= power_of_ten(shift);
    else if (m <= INT64_MAX)
        m = (int64_t)m / tens[-shift];
    else
        m /= tens[-shift];
    *mantissa = numeric_sign(value) < 0 ? -m : m;
    return true;
}

Status numeric_to_int(TypeCtx *ctx, Value value, Oid int_type, Value *out)
{
    const char *type_words = type_find(int_type)->sql_name;
    NumericKind kind = numeric_kind(value);
    if (kind != NUMERIC_FINITE)
        return err_set(ctx->err, ctx->arena, ERR_FEATURE_NOT_SUPPORTED, "cannot convert %s to %s",
                       kind == NUMERIC_NAN ? "NaN" : "infinity", type_words);
    Num n = num_load(value, ctx->arena);
    n = num_round(&n, 0, ctx->arena);
    if (n.weight > 5) return type_out_of_range(ctx, type_words);
    __int128 whole = 0;
    for (int i = 0; i <= n.weight && n.count; i++) whole = whole * BASE + (i < n.count ? n.digits[i] : 0);
    return int_fit(ctx, int_type, n.negative ? -whole : whole, out);
}

double num_to_double(const Num *n)
{
    if (n->kind == NUMERIC_NAN) return NAN;
    if (n->kind != NUMERIC_FINITE) return n->negative ? -INFINITY : INFINITY;
    char text[260]; /* 50 digits decide every double but for ties nobody writes down */
    int at = 0, used = n->count < 50 ? n->count : 50;
    if (n->negative) text[at++] = '-';
    text[at++] = '0';
    for (int i = 0; i < used; i++) at += snprintf(text + at, sizeof text - (size_t)at, "%04u", n->digits[i]);
    snprintf(text + at, sizeof text - (size_t)at, "e%d", (n->weight - used + 1) * BASE_DIGITS);
    return strtod(text, NULL);
}

double numeric_to_float(Value value)
{
    __int128 mantissa;
    int scale;
    /* Both exact, so the quotient is rounded once. */
    if (numeric_to_int128(value, &mantissa, &scale) && mantissa < (INT64_C(1) << 53) &&
        mantissa > -(INT64_C(1) << 53) && scale <= 15)
        return (double)(int64_t)mantissa / (double)(int64_t)power_of_ten(scale);
    Arena *arena = arena_create(NULL, 0);
    Num n = num_load(value, arena);
    double result = num_to_double(&n);
    arena_destroy(arena);
    return result;
}

/* ---- decimal digits ---- */

void numeric_digits(Value value, Arena *arena, NumericDigits *out)
{
    *out = (NumericDigits){.kind = numeric_kind(value), .scale = numeric_scale(value)};
    if (out->kind != NUMERIC_FINITE) {
        out->negative = out->kind == NUMERIC_MINUS_INFINITY;
        return;
    }
    Num n = num_load(value, arena);
    uint8_t *digits = arena_alloc(arena, (size_t)n.count * BASE_DIGITS + 1);
    int count = n.count * BASE_DIGITS, start = 0;
    for (int i = 0; i < count; i++) digits[i] = (uint8_t)(n.digits[i / 4] / tens[BASE_DIGITS - 1 - i % 4] % 10);
    while (start < count && digits[start] == 0) start++;
    while (count > start && digits[count - 1] == 0) count--;
    out->negative = n.negative;
    out->digits = digits + start;
    out->count = count - start;
    out->exponent = out->count ? (n.weight + 1) * BASE_DIGITS - start : 0;
}

Status numeric_from_digits(TypeCtx *ctx, const NumericDigits *digits, Value *out)
{
    if (digits->kind != NUMERIC_FINITE) {
        Num special = num_special(digits->kind);
        return num_store(ctx, &special, out);
    }
    int last = digits->count - digits->exponent; /* the last digit counts 10^-last */
    int behind = ((last % BASE_DIGITS) + BASE_DIGITS) % BASE_DIGITS;
    behind = behind ? BASE_DIGITS - behind : 0;
    int count = (digits->count + behind + BASE_DIGITS - 1) / BASE_DIGITS;
    uint16_t *packed = ARENA_ARRAY(ctx->arena, uint16_t, count);
    for (int i = 0; i < digits->count; i++) {
        int from_end = digits->count - 1 - i + behind;
        uint16_t *digit = &packed[count - 1 - from_end / BASE_DIGITS];
        *digit = (uint16_t)(*digit + digits->digits[i] * tens[from_end % BASE_DIGITS]);
    }
    int scale = digits->count && last > digits->scale ? last : digits->scale;
    Num n = num_normal(packed, count, -(last + behind) / BASE_DIGITS + count - 1, digits->negative, scale);
    return num_store(ctx, &n, out);
}

/* ---- sums ---- */

/* 10^36: beyond it the 128-bit part moves over to the numeric one, before anything can overflow. */
static const __int128 small_limit = (__int128)INT64_C(1000000000000000000) * INT64_C(1000000000000000000);

static Status sum_flush(NumericSum *sum, TypeCtx *ctx)
{
    Value small = numeric_from_int128(sum->small, sum->small_scale, ctx->arena);
    sum->small = 0;
    if (!sum->large.p) {
        sum->large = small;
        return ST_OK;
    }
    return numeric_add(ctx, sum->large, small, &sum->large);
}

void numeric_sum_add_int(NumericSum *sum, int64_t value, Arena *arena)
{
    Error ignored;
    TypeCtx ctx = {arena, &type_env_default, &ignored};
    __int128 step = (__int128)value * (sum->small_scale ? power_of_ten(sum->small_scale) : 1);
    sum->count++;
    sum->small += step;
    if (sum->small > small_limit || sum->small < -small_limit) {
        /* Sums of 64-bit integers never leave numeric's range. */
        Status status = sum_flush(sum, &ctx);
        assert(status == ST_OK);
        (void)status;
    }
}

static Status sum_add_large(NumericSum *sum, TypeCtx *ctx, Value value)
{
    if (sum->large.p) return numeric_add(ctx, sum->large, value, &sum->large);
    sum->large = value_bytes(arena_copy(ctx->arena, value.p, value.size), value.size);
    return ST_OK;
}

Status numeric_sum_add(NumericSum *sum, TypeCtx *ctx, Value value)
{
    enum { SMALL_SCALE_MAX = 18 };
    NumericKind kind = numeric_kind(value);
    sum->count++;
    sum->nan_count += kind == NUMERIC_NAN;
    sum->infinity_count += kind == NUMERIC_INFINITY;
    sum->minus_infinity_count += kind == NUMERIC_MINUS_INFINITY;
    if (kind != NUMERIC_FINITE) return ST_OK;
    __int128 mantissa;
    int scale = numeric_scale(value);
    if (scale > sum->scale) sum->scale = scale;
    if (scale > SMALL_SCALE_MAX || !numeric_to_int128(value, &mantissa, &scale)) return sum_add_large(sum, ctx, value);
    if (scale > sum->small_scale) {
        TRY(sum->small ? sum_flush(sum, ctx) : ST_OK);
        sum->small_scale = scale;
    } else if (scale < sum->small_scale) {
        if (__builtin_mul_overflow(mantissa, power_of_ten(sum->small_scale - scale), &mantissa) ||
            mantissa > small_limit || mantissa < -small_limit)
            return sum_add_large(sum, ctx, value);
    }
    sum->small += mantissa;
    return sum->small > small_limit || sum->small < -small_limit ? sum_flush(sum, ctx) : ST_OK;
}

Status numeric_sum_merge(NumericSum *sum, TypeCtx *ctx, const NumericSum *other)
{
    Value part = numeric_from_int128(other->small, other->small_scale, ctx->arena);
    TRY(sum_add_large(sum, ctx, part));
    if (other->large.p) TRY(sum_add_large(sum, ctx, other->large));
    sum->count += other->count;
    sum->nan_count += other->nan_count;
    sum->infinity_count += other->infinity_count;
    sum->minus_infinity_count += other->minus_infinity_count;
    if (other->scale > sum->scale) sum->scale = other->scale;
    return ST_OK;
}

Status numeric_sum_total(const NumericSum *sum, TypeCtx *ctx, Value *out)
{
    assert(sum->count > 0);
    if (sum->nan_count || sum->infinity_count || sum->minus_infinity_count) {
        Num special = num_special(sum->nan_count || (sum->infinity_count && sum->minus_infinity_count) ? NUMERIC_NAN
                                  : sum->infinity_count ? NUMERIC_INFINITY : NUMERIC_MINUS_INFINITY);
        return num_store(ctx, &special, out);
    }
    *out = numeric_from_int128(sum->small, sum->small_scale, ctx->arena);
    if (sum->large.p) TRY(numeric_add(ctx, sum->large, *out, out));
    Num n = num_load(*out, ctx->arena);
    n.scale = sum->scale;
    return num_store(ctx, &n, out);
}

Status numeric_sum_average(const NumericSum *sum, TypeCtx *ctx, Value *out)
{
    Value total = VALUE_NULL;
    TRY(numeric_sum_total(sum, ctx, &total));
    return numeric_div(ctx, total, numeric_from_int(sum->count, ctx->arena), out);
}
