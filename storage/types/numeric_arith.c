/* Exact arithmetic on numerics: schoolbook on digits to base 10000, GMP where a divisor is long. */
#include <assert.h>
#include <stdlib.h>

#include "storage/types/numeric_internal.h"

Num num_special(NumericKind kind)
{
    return (Num){.kind = kind, .negative = kind == NUMERIC_MINUS_INFINITY};
}

Num num_zero(int scale)
{
    return (Num){.scale = scale};
}

Num num_normal(const uint16_t *digits, int count, int weight, bool negative, int scale)
{
    while (count > 0 && digits[0] == 0) {
        digits++;
        count--;
        weight--;
    }
    while (count > 0 && digits[count - 1] == 0) count--;
    if (count == 0) return num_zero(scale);
    return (Num){NUMERIC_FINITE, negative, weight, scale, count, digits};
}

Num num_negate(Num n)
{
    if (n.kind == NUMERIC_INFINITY) return num_special(NUMERIC_MINUS_INFINITY);
    if (n.kind == NUMERIC_MINUS_INFINITY) return num_special(NUMERIC_INFINITY);
    if (n.kind == NUMERIC_FINITE && n.count) n.negative = !n.negative;
    return n;
}

int num_compare_magnitude(const Num *a, const Num *b)
{
    if (a->count == 0 || b->count == 0) return (a->count > 0) - (b->count > 0);
    if (a->weight != b->weight) return a->weight > b->weight ? 1 : -1;
    for (int i = 0; i < a->count && i < b->count; i++)
        if (a->digits[i] != b->digits[i]) return a->digits[i] > b->digits[i] ? 1 : -1;
    return (a->count > b->count) - (a->count < b->count);
}

static int digit_at(const Num *n, int weight)
{
    int i = n->weight - weight;
    return i >= 0 && i < n->count ? n->digits[i] : 0;
}

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

static int max_int(int a, int b)
{
    return a > b ? a : b;
}

/* |a| + |b|, or |a| - |b| where |a| >= |b|; sign is the sign of what is added, 1 or -1. */
static Num combine(const Num *a, const Num *b, int sign, bool negative, Arena *arena)
{
    int scale = max_int(a->scale, b->scale);
    int high = max_int(a->weight, b->weight) + 1, low = min_int(num_low(a), num_low(b));
    int count = high - low + 1, carry = 0;
    uint16_t *digits = ARENA_ARRAY(arena, uint16_t, count);
    for (int w = low; w <= high; w++) {
        int sum = digit_at(a, w) + sign * digit_at(b, w) + carry;
        carry = sum < 0 ? -1 : sum >= BASE ? 1 : 0;
        digits[high - w] = (uint16_t)(sum - carry * BASE);
    }
    assert(carry == 0);
    return num_normal(digits, count, high, negative, scale);
}

Num num_add(const Num *a, const Num *b, Arena *arena)
{
    if (a->count == 0 || b->count == 0) {
        Num sum = a->count == 0 ? *b : *a;
        sum.scale = max_int(a->scale, b->scale);
        return sum;
    }
    if (a->negative == b->negative) return combine(a, b, 1, a->negative, arena);
    int order = num_compare_magnitude(a, b);
    if (order == 0) return num_zero(max_int(a->scale, b->scale));
    return order > 0 ? combine(a, b, -1, a->negative, arena) : combine(b, a, -1, b->negative, arena);
}

Num num_mul(const Num *a, const Num *b, Arena *arena)
{
    int scale = a->scale + b->scale;
    Num product = num_zero(scale);
    if (a->count && b->count) {
        int count = a->count + b->count;
        uint64_t few[64] = {0};
        uint64_t *sums = count <= 64 ? few : ARENA_ARRAY(arena, uint64_t, count);
        for (int i = 0; i < a->count; i++)
            for (int j = 0; j < b->count; j++) sums[i + j + 1] += (uint64_t)a->digits[i] * b->digits[j];
        uint16_t *digits = ARENA_ARRAY(arena, uint16_t, count);
        uint64_t carry = 0;
        for (int i = count - 1; i >= 0; i--) {
            carry += sums[i];
            digits[i] = (uint16_t)(carry % BASE);
            carry /= BASE;
        }
        assert(carry == 0);
        product = num_normal(digits, count, a->weight + b->weight + 1, a->negative != b->negative, scale);
    }
    return scale > NUMERIC_SCALE_MAX ? num_round(&product, NUMERIC_SCALE_MAX, arena) : product;
}

/* PostgreSQL's choice: at least 16 significant digits, and no fewer decimals than the operands show. */
int num_div_scale(const Num *a, const Num *b)
{
    int first_a = a->count ? a->digits[0] : 0, first_b = b->count ? b->digits[0] : 0;
    int weight = (a->count ? a->weight : 0) - (b->count ? b->weight : 0);
    if (first_a <= first_b) weight--;
    int scale = max_int(SIGNIFICANT_MIN - weight * BASE_DIGITS, max_int(a->scale, b->scale));
    return min_int(max_int(scale, 0), DISPLAY_SCALE_MAX);
}

/* Long division by a divisor of at most four digits: the remainder times the base stays within 128 bits. */
static Num div_short(const Num *a, const Num *b, int shift, int low, Arena *arena)
{
    uint64_t divisor = 0;
    for (int i = 0; i < b->count; i++) divisor = divisor * BASE + b->digits[i];
    int count = a->count + shift;
    uint16_t *digits = ARENA_ARRAY(arena, uint16_t, count);
    if (b->count <= 3) {
        uint64_t rest = 0;
        for (int i = 0; i < count; i++) {
            rest = rest * BASE + (i < a->count ? a->digits[i] : 0u);
            digits[i] = (uint16_t)(rest / divisor);
            rest %= divisor;
        }
    } else {
        unsigned __int128 rest = 0;
        for (int i = 0; i < count; i++) {
            rest = rest * BASE + (i < a->count ? a->digits[i] : 0u);
            digits[i] = (uint16_t)(rest / divisor);
            rest %= divisor;
        }
    }
    return num_normal(digits, count, low + count - 1, a->negative != b->negative, 0);
}

Num num_div(const Num *a, const Num *b, int scale, bool round, Arena *arena)
{
    assert(b->count);
    if (a->count == 0) return num_zero(max_int(scale, 0));
    /* The quotient is computed to this many digits behind the point: one decimal more than wanted, cut off. */
    int places = (scale + 1 + BASE_DIGITS - 1) / BASE_DIGITS;
    int shift = num_low(a) - num_low(b) + places;
    Num quotient;
    if (b->count <= 4 && shift >= 0 && a->count + shift > 0) {
        quotient = div_short(a, b, shift, -places, arena);
    } else {
        mpz_t n, d;
        mpz_init(n);
        mpz_init(d);
        int common = max_int(0, -BASE_DIGITS * num_low(b));
        num_to_mpz(a, common + places * BASE_DIGITS, n);
        num_to_mpz(b, common, d);
        mpz_tdiv_q(n, n, d);
        quotient = num_from_mpz(n, places * BASE_DIGITS, arena);
        quotient.negative = quotient.count && a->negative != b->negative;
        mpz_clear(n);
        mpz_clear(d);
    }
    quotient.scale = places * BASE_DIGITS;
    return round ? num_round(&quotient, scale, arena) : num_trunc(&quotient, scale, arena);
}

static const uint16_t tens[] = {1, 10, 100, 1000, 10000};

/* Cuts the last kept digit to its decimals; *up: does what is dropped reach a half? */
static int cut(const Num *n, int keep, uint16_t *digits, bool *up)
{
    int whole = keep / BASE_DIGITS, part = keep % BASE_DIGITS;
    *up = false;
    if (whole >= n->count) return n->count;
    if (part == 0) {
        *up = n->digits[whole] >= BASE / 2;
        return whole;
    }
    uint16_t unit = tens[BASE_DIGITS - part], rest = (uint16_t)(n->digits[whole] % unit);
    digits[whole] = (uint16_t)(n->digits[whole] - rest);
    *up = rest >= unit / 2;
    return whole + 1;
}

static Num num_keep(const Num *n, int scale, bool round, Arena *arena)
{
    int shown = max_int(scale, 0);
    Num result = *n;
    result.scale = shown;
    int keep = (n->weight + 1) * BASE_DIGITS + scale; /* decimal digits kept, counted from the first digit */
    if (n->count == 0 || keep >= n->count * BASE_DIGITS) return result;
    if (keep < 0) return num_zero(shown);
    uint16_t *digits = ARENA_ARRAY(arena, uint16_t, n->count + 2);
    memcpy(digits + 1, n->digits, sizeof *digits * (size_t)n->count);
    bool up;
    int count = cut(n, keep, digits + 1, &up);
    if (round && up) {
        int i = count, part = keep % BASE_DIGITS;
        digits[i] = (uint16_t)(digits[i] + (part ? tens[BASE_DIGITS - part] : 1));
        for (; digits[i] >= BASE; i--) {
            digits[i] = (uint16_t)(digits[i] - BASE);
            digits[i - 1]++;
        }
    }
    return num_normal(digits, count + 1, n->weight + 1, n->negative, shown);
}

Num num_round(const Num *n, int scale, Arena *arena)
{
    return num_keep(n, scale, true, arena);
}

Num num_trunc(const Num *n, int scale, Arena *arena)
{
    return num_keep(n, scale, false, arena);
}

void num_to_mpz(const Num *n, int scale, mpz_t z)
{
    int places = (n->weight + 1) * BASE_DIGITS + scale; /* decimal digits of the result */
    if (n->count == 0 || places <= 0) {
        mpz_set_ui(z, 0);
        return;
    }
    char *text = malloc((size_t)places + 1);
    if (!text) abort();
    memset(text, '0', (size_t)places);
    for (int i = 0; i < n->count; i++)
        for (int j = 0; j < BASE_DIGITS; j++) {
            int at = i * BASE_DIGITS + j;
            if (at < places) text[at] = (char)('0' + n->digits[i] / tens[BASE_DIGITS - 1 - j] % 10);
        }
    text[places] = 0;
    mpz_set_str(z, text, 10);
    free(text);
}

Num num_from_mpz(const mpz_t z, int scale, Arena *arena)
{
    size_t room = mpz_sizeinbase(z, 10) + 2;
    char *text = malloc(room);
    if (!text) abort();
    mpz_get_str(text, 10, z);
    const char *decimals = text[0] == '-' ? text + 1 : text;
    int size = (int)strlen(decimals);
    /* The last decimal counts 10^-scale; so many zeros behind it complete a digit. */
    int behind = ((scale % BASE_DIGITS) + BASE_DIGITS) % BASE_DIGITS;
    behind = behind ? BASE_DIGITS - behind : 0;
    int count = (size + behind + BASE_DIGITS - 1) / BASE_DIGITS;
    uint16_t *digits = ARENA_ARRAY(arena, uint16_t, count);
    for (int i = 0; i < size; i++) {
        int from_end = size - 1 - i + behind;
        digits[count - 1 - from_end / BASE_DIGITS] =
            (uint16_t)(digits[count - 1 - from_end / BASE_DIGITS] + (decimals[i] - '0') * tens[from_end % BASE_DIGITS]);
    }
    free(text);
    int low = -(scale + behind) / BASE_DIGITS;
    return num_normal(digits, count, low + count - 1, mpz_sgn(z) < 0, scale);
}

/* ---- the operators on values ---- */

/* What an operation on NaN or infinities gives; false: both are finite. kinds is consulted for infinities only. */
static bool nan_operand(const Num *a, const Num *b, Num *result)
{
    if (a->kind != NUMERIC_NAN && b->kind != NUMERIC_NAN) return false;
    *result = num_special(NUMERIC_NAN);
    return true;
}

static bool is_infinite(const Num *n)
{
    return n->kind == NUMERIC_INFINITY || n->kind == NUMERIC_MINUS_INFINITY;
}

static int sign_of(const Num *n)
{
    if (n->kind == NUMERIC_NAN) return 0;
    if (is_infinite(n)) return n->negative ? -1 : 1;
    return n->count == 0 ? 0 : n->negative ? -1 : 1;
}

static Num infinity(int sign)
{
    return num_special(sign < 0 ? NUMERIC_MINUS_INFINITY : NUMERIC_INFINITY);
}

static Num add_any(const Num *a, const Num *b, Arena *arena)
{
    Num result;
    if (nan_operand(a, b, &result)) return result;
    if (is_infinite(a) && is_infinite(b)) return a->kind == b->kind ? *a : num_special(NUMERIC_NAN);
    if (is_infinite(a)) return *a;
    if (is_infinite(b)) return *b;
    return num_add(a, b, arena);
}

Status numeric_add(TypeCtx *ctx, Value a, Value b, Value *out)
{
    Num x = num_load(a, ctx->arena), y = num_load(b, ctx->arena), sum = add_any(&x, &y, ctx->arena);
    return num_store(ctx, &sum, out);
}

Status numeric_sub(TypeCtx *ctx, Value a, Value b, Value *out)
{
    Num x = num_load(a, ctx->arena), y = num_negate(num_load(b, ctx->arena)), sum = add_any(&x, &y, ctx->arena);
    return num_store(ctx, &sum, out);
}

Status numeric_mul(TypeCtx *ctx, Value a, Value b, Value *out)
{
    Num x = num_load(a, ctx->arena), y = num_load(b, ctx->arena), product;
    if (!nan_operand(&x, &y, &product)) {
        int sign = sign_of(&x) * sign_of(&y);
        if (!is_infinite(&x) && !is_infinite(&y))
            product = num_mul(&x, &y, ctx->arena);
        else
            product = sign ? infinity(sign) : num_special(NUMERIC_NAN);
    }
    return num_store(ctx, &product, out);
}

static Status division_by_zero(TypeCtx *ctx)
{
    return err_set(ctx->err, ctx->arena, ERR_DIVISION_BY_ZERO, "division by zero");
}

/* Quotients with NaN, an infinity or a zero divisor. *done is false when plain division is called for. */
static Status div_special(TypeCtx *ctx, const Num *x, const Num *y, Num *quotient, bool *done)
{
    *done = true;
    if (nan_operand(x, y, quotient)) return ST_OK;
    if (is_infinite(x)) {
        if (num_is_zero(y)) return division_by_zero(ctx);
        *quotient = is_infinite(y) ? num_special(NUMERIC_NAN) : infinity(sign_of(x) * sign_of(y));
        return ST_OK;
    }
    if (is_infinite(y)) {
        *quotient = num_zero(0);
        return ST_OK;
    }
    if (num_is_zero(y)) return division_by_zero(ctx);
    *done = false;
    return ST_OK;
}

Status numeric_div(TypeCtx *ctx, Value a, Value b, Value *out)
{
    Num x = num_load(a, ctx->arena), y = num_load(b, ctx->arena), quotient = {0};
    bool done;
    TRY(div_special(ctx, &x, &y, &quotient, &done));
    if (!done) quotient = num_div(&x, &y, num_div_scale(&x, &y), true, ctx->arena);
    return num_store(ctx, &quotient, out);
}

Status numeric_div_trunc(TypeCtx *ctx, Value a, Value b, Value *out)
{
    Num x = num_load(a, ctx->arena), y = num_load(b, ctx->arena), quotient = {0};
    bool done;
    TRY(div_special(ctx, &x, &y, &quotient, &done));
    if (!done) quotient = num_div(&x, &y, 0, false, ctx->arena);
    return num_store(ctx, &quotient, out);
}

Status numeric_mod(TypeCtx *ctx, Value a, Value b, Value *out)
{
    Num x = num_load(a, ctx->arena), y = num_load(b, ctx->arena), rest;
    if (!nan_operand(&x, &y, &rest)) {
        if (num_is_zero(&y)) return division_by_zero(ctx);
        if (is_infinite(&x)) {
            rest = num_special(NUMERIC_NAN);
        } else if (is_infinite(&y)) {
            rest = x;
        } else {
            int scale = max_int(x.scale, y.scale);
            mpz_t n, d;
            mpz_init(n);
            mpz_init(d);
            num_to_mpz(&x, scale, n);
            num_to_mpz(&y, scale, d);
            mpz_tdiv_r(n, n, d);
            rest = num_from_mpz(n, scale, ctx->arena);
            rest.negative = rest.count && x.negative;
            mpz_clear(n);
            mpz_clear(d);
        }
    }
    return num_store(ctx, &rest, out);
}

Status numeric_gcd(TypeCtx *ctx, Value a, Value b, Value *out)
{
    Num x = num_load(a, ctx->arena), y = num_load(b, ctx->arena);
    Num result = num_special(NUMERIC_NAN);
    if (x.kind == NUMERIC_FINITE && y.kind == NUMERIC_FINITE) {
        int scale = max_int(x.scale, y.scale);
        mpz_t n, d;
        mpz_init(n);
        mpz_init(d);
        num_to_mpz(&x, scale, n);
        num_to_mpz(&y, scale, d);
        mpz_gcd(n, n, d);
        result = num_from_mpz(n, scale, ctx->arena);
        mpz_clear(n);
        mpz_clear(d);
    }
    return num_store(ctx, &result, out);
}

Value numeric_neg(Value value, Arena *arena)
{
    Num n = num_negate(num_load(value, arena));
    return num_store_small(&n, arena);
}

Value numeric_abs(Value value, Arena *arena)
{
    Num n = num_load(value, arena);
    if (n.negative) n = num_negate(n);
    return num_store_small(&n, arena);
}

Value numeric_round(Value value, int scale, Arena *arena)
{
    Num n = num_load(value, arena);
    if (n.kind != NUMERIC_FINITE) return value;
    int limit = NUMERIC_SCALE_MAX;
    n = num_round(&n, scale > limit ? limit : scale < -limit ? -limit : scale, arena);
    return num_store_small(&n, arena);
}

Value numeric_trunc(Value value, int scale, Arena *arena)
{
    Num n = num_load(value, arena);
    if (n.kind != NUMERIC_FINITE) return value;
    int limit = NUMERIC_SCALE_MAX;
    n = num_trunc(&n, scale > limit ? limit : scale < -limit ? -limit : scale, arena);
    return num_store_small(&n, arena);
}

/* The integer below (or, for ceil, above) where a fraction is cut off. */
static Value to_integer(Value value, bool up, Arena *arena)
{
    Num n = num_load(value, arena);
    if (n.kind != NUMERIC_FINITE) return value;
    Num whole = num_trunc(&n, 0, arena);
    if (!num_is_integer(&n) && n.negative != up) {
        static const uint16_t one_digit[] = {1};
        Num one = {NUMERIC_FINITE, !up, 0, 0, 1, one_digit};
        whole = num_add(&whole, &one, arena);
    }
    return num_store_small(&whole, arena);
}

Value numeric_ceil(Value value, Arena *arena)
{
    return to_integer(value, true, arena);
}

Value numeric_floor(Value value, Arena *arena)
{
    return to_integer(value, false, arena);
}

int numeric_min_scale(Value value)
{
    uint16_t digit;
    int places;
    if (numeric_kind(value) != NUMERIC_FINITE || value.size <= 4) return 0;
    int16_t weight;
    memcpy(&weight, value.p + 2, sizeof weight);
    memcpy(&digit, value.p + value.size - 2, sizeof digit);
    places = ((int)(value.size - 4) / 2 - weight - 1) * BASE_DIGITS;
    for (; places > 0 && digit % 10 == 0; digit = (uint16_t)(digit / 10)) places--;
    return places > 0 ? places : 0;
}

Value numeric_trim_scale(Value value, Arena *arena)
{
    Num n = num_load(value, arena);
    if (n.kind != NUMERIC_FINITE) return value;
    n.scale = numeric_min_scale(value);
    return num_store_small(&n, arena);
}
