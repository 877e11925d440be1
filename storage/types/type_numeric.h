/* type_numeric.h - exact decimal numbers, PostgreSQL's numeric: display scale, NaN, infinities, its choice of scales.
 *
 * A value's bytes (little endian, not aligned):
 *
 *   0..1  kind (two upper bits) and display scale (14 bits): 00 positive, 01 negative, 10 special
 *         special: the scale bits are 0 NaN, 1 Infinity, 2 -Infinity; nothing follows
 *   2..3  weight, signed: the first digit counts 10000^weight
 *   4..   digits to base 10000, two bytes each, most significant first, none of leading or trailing zero digits;
 *         zero has no digits, weight 0 and is positive
 *
 * So 12345.60 is kind 00, scale 2, weight 1, digits 1, 2345, 6000. Digits after the display scale are zero.
 * Results live in ctx->arena. Functions never see NULL. NaN is equal to NaN and above all else.
 */
#ifndef STORAGE_TYPES_TYPE_NUMERIC_H
#define STORAGE_TYPES_TYPE_NUMERIC_H

#include "storage/types/type.h"

enum { NUMERIC_SCALE_MAX = 16383, NUMERIC_PRECISION_MAX = 1000, NUMERIC_RESULT_SCALE_MAX = 2000 };

typedef enum NumericKind { NUMERIC_FINITE, NUMERIC_NAN, NUMERIC_INFINITY, NUMERIC_MINUS_INFINITY } NumericKind;

NumericKind numeric_kind(Value value);
int numeric_scale(Value value); /* display scale; 0 for a special value */
int numeric_sign(Value value);  /* -1, 0, 1; 0 for NaN */

/* A number as decimal digits: 0.d1d2d3... * 10^exponent, d1 and the last digit not zero. Zero has count 0. */
typedef struct NumericDigits {
    NumericKind kind;
    bool negative;
    int exponent, count;
    int scale;             /* display scale; when building, raised to what the digits need */
    const uint8_t *digits; /* each 0..9 */
} NumericDigits;

void numeric_digits(Value value, Arena *arena, NumericDigits *digits);
Status numeric_from_digits(TypeCtx *ctx, const NumericDigits *digits, Value *out);

Value numeric_from_int(int64_t value, Arena *arena);
/* mantissa * 10^-scale, 0 <= scale <= NUMERIC_SCALE_MAX. */
Value numeric_from_int128(__int128 mantissa, int scale, Arena *arena);
Status numeric_from_float(TypeCtx *ctx, double value, bool single, Value *out);
/* As the input function: no typmod. */
Status numeric_parse(TypeCtx *ctx, Slice text, Value *out);
void numeric_put_text(Value value, Buf *out);
/* Rounded half away from zero; 22003 "integer out of range" for the type given, 0A000 for NaN and infinity. */
Status numeric_to_int(TypeCtx *ctx, Value value, Oid int_type, Value *out);
double numeric_to_float(Value value);
/* The number as mantissa * 10^-scale, if the mantissa needs fewer than 2^100. */
bool numeric_to_int128(Value value, __int128 *mantissa, int *scale);

Status numeric_add(TypeCtx *ctx, Value a, Value b, Value *out);
Status numeric_sub(TypeCtx *ctx, Value a, Value b, Value *out);
Status numeric_mul(TypeCtx *ctx, Value a, Value b, Value *out);
Status numeric_div(TypeCtx *ctx, Value a, Value b, Value *out); /* 22012; scale as PostgreSQL selects it */
Status numeric_mod(TypeCtx *ctx, Value a, Value b, Value *out);
Status numeric_div_trunc(TypeCtx *ctx, Value a, Value b, Value *out); /* div(): the integer quotient */
Status numeric_gcd(TypeCtx *ctx, Value a, Value b, Value *out);
Value numeric_neg(Value value, Arena *arena);
Value numeric_abs(Value value, Arena *arena);
Value numeric_round(Value value, int scale, Arena *arena); /* half away from zero; scale may be negative */
Value numeric_trunc(Value value, int scale, Arena *arena);
Value numeric_ceil(Value value, Arena *arena);
Value numeric_floor(Value value, Arena *arena);
Value numeric_trim_scale(Value value, Arena *arena);
int numeric_min_scale(Value value);
int numeric_compare(Value a, Value b);
uint64_t numeric_hash(Value value); /* 1 and 1.00 hash alike */

Status numeric_sqrt(TypeCtx *ctx, Value value, Value *out);
Status numeric_sqrt_to_scale(TypeCtx *ctx, Value value, int scale, Value *out);
Status numeric_exp(TypeCtx *ctx, Value value, Value *out);
Status numeric_ln(TypeCtx *ctx, Value value, Value *out);
Status numeric_log(TypeCtx *ctx, Value base, Value value, Value *out);
Status numeric_power(TypeCtx *ctx, Value base, Value exponent, Value *out);

/* Sums without a numeric per step: 128 bits while they last. A zeroed one is empty. It holds memory of the arena that
 * the steps are given, which must be the same for all. */
typedef struct NumericSum {
    __int128 small; /* at small_scale; the rest is in large */
    int small_scale, scale;
    Value large; /* p NULL: nothing there */
    int64_t count, nan_count, infinity_count, minus_infinity_count;
} NumericSum;

void numeric_sum_add_int(NumericSum *sum, int64_t value, Arena *arena);
Status numeric_sum_add(NumericSum *sum, TypeCtx *ctx, Value value);
Status numeric_sum_merge(NumericSum *sum, TypeCtx *ctx, const NumericSum *other);
/* count must not be 0. */
Status numeric_sum_total(const NumericSum *sum, TypeCtx *ctx, Value *out);
Status numeric_sum_average(const NumericSum *sum, TypeCtx *ctx, Value *out);

/* The typmod of numeric(p,s) taken apart; false: none. */
bool numeric_typmod(int32_t typmod, int *precision, int *scale);

#endif
