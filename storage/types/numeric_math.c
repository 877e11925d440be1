/* Roots, powers, exponentials and logarithms of numerics: fixed-point arithmetic on GMP integers with guard bits, so
 * that the last decimal shown is right. The scales of the results are PostgreSQL's. */
#include <math.h>

#include "storage/types/numeric_internal.h"

enum { GUARD_BITS = 96, HALVINGS = 8, RESULT_WEIGHT_MAX = (WEIGHT_MAX + 1) * BASE_DIGITS,
       EXP_ARGUMENT_MAX = 3 * NUMERIC_RESULT_SCALE_MAX };

static const double log10_of_e = 0.434294481903252;

static int clamp_scale(int scale, int least_a, int least_b)
{
    if (scale < least_a) scale = least_a;
    if (scale < least_b) scale = least_b;
    return scale < 0 ? 0 : scale > DISPLAY_SCALE_MAX ? DISPLAY_SCALE_MAX : scale;
}

static unsigned long bits_for(int decimals)
{
    return (unsigned long)(decimals < 0 ? 0 : decimals) * 10 / 3 + GUARD_BITS;
}

/* ---- fixed point: z stands for z / 2^bits ---- */

/* ln m for 1 <= m <= 2: a few square roots, then the series of artanh. */
static void fixed_ln_small(mpz_t out, const mpz_t m, unsigned long bits)
{
    mpz_t x, one, power, square, term;
    mpz_init_set(x, m);
    mpz_init(one);
    mpz_init(power);
    mpz_init(square);
    mpz_init(term);
    mpz_setbit(one, bits);
    for (int i = 0; i < HALVINGS; i++) {
        mpz_mul_2exp(x, x, bits);
        mpz_sqrt(x, x);
    }
    mpz_sub(power, x, one);
    mpz_mul_2exp(power, power, bits);
    mpz_add(x, x, one);
    mpz_tdiv_q(power, power, x);
    mpz_mul(square, power, power);
    mpz_tdiv_q_2exp(square, square, bits);
    mpz_set(out, power);
    for (unsigned long n = 3; mpz_sgn(power); n += 2) {
        mpz_mul(power, power, square);
        mpz_tdiv_q_2exp(power, power, bits);
        mpz_tdiv_q_ui(term, power, n);
        mpz_add(out, out, term);
    }
    mpz_mul_2exp(out, out, HALVINGS + 1);
    mpz_clears(x, one, power, square, term, NULL);
}

static void fixed_ln_two(mpz_t out, unsigned long bits)
{
    mpz_t two;
    mpz_init(two);
    mpz_setbit(two, bits + 1);
    fixed_ln_small(out, two, bits);
    mpz_clear(two);
}

/* ln of a positive integer: mantissa in [1, 2) and a power of two. */
static void fixed_ln_integer(mpz_t out, const mpz_t n, unsigned long bits)
{
    mpz_t m, two;
    unsigned long exponent = mpz_sizeinbase(n, 2) - 1;
    mpz_init_set(m, n);
    mpz_init(two);
    if (exponent > bits)
        mpz_tdiv_q_2exp(m, m, exponent - bits);
    else
        mpz_mul_2exp(m, m, bits - exponent);
    fixed_ln_small(out, m, bits);
    fixed_ln_two(two, bits);
    mpz_addmul_ui(out, two, exponent);
    mpz_clears(m, two, NULL);
}

static int all_decimals(const Num *n)
{
    int low = num_low(n);
    return low < 0 ? -low * BASE_DIGITS : 0;
}

static void fixed_ln(mpz_t out, const Num *n, unsigned long bits)
{
    mpz_t m, ten;
    int scale = all_decimals(n);
    mpz_init(m);
    mpz_init(ten);
    num_to_mpz(n, scale, m);
    fixed_ln_integer(out, m, bits);
    mpz_set_ui(m, 10);
    fixed_ln_integer(ten, m, bits);
    mpz_submul_ui(out, ten, (unsigned long)scale);
    mpz_clears(m, ten, NULL);
}

/* e^x = out / 2^bits * 2^*exponent, 1 <= out / 2^bits < 2 or so. */
static void fixed_exp(mpz_t out, long *exponent, const mpz_t x, unsigned long bits)
{
    mpz_t two, rest, term, k;
    mpz_inits(two, rest, term, k, NULL);
    fixed_ln_two(two, bits);
    mpz_fdiv_qr(k, rest, x, two);
    *exponent = mpz_get_si(k);
    mpz_tdiv_q_2exp(rest, rest, HALVINGS);
    mpz_set_ui(out, 0);
    mpz_setbit(out, bits);
    mpz_set(term, out);
    for (unsigned long n = 1; mpz_sgn(term); n++) {
        mpz_mul(term, term, rest);
        mpz_tdiv_q_2exp(term, term, bits);
        mpz_tdiv_q_ui(term, term, n);
        mpz_add(out, out, term);
    }
    for (int i = 0; i < HALVINGS; i++) {
        mpz_mul(out, out, out);
        mpz_tdiv_q_2exp(out, out, bits);
    }
    mpz_clears(two, rest, term, k, NULL);
}

/* z * 2^shift as a numeric, rounded half away from zero at `scale`. */
static Num num_from_fixed(const mpz_t z, long shift, int scale, Arena *arena)
{
    mpz_t scaled, half;
    mpz_inits(scaled, half, NULL);
    mpz_ui_pow_ui(scaled, 10, (unsigned long)scale);
    mpz_mul(scaled, scaled, z);
    if (shift >= 0) {
        mpz_mul_2exp(scaled, scaled, (unsigned long)shift);
    } else {
        mpz_setbit(half, (unsigned long)-shift - 1);
        if (mpz_sgn(scaled) < 0) mpz_neg(half, half);
        mpz_add(scaled, scaled, half);
        mpz_tdiv_q_2exp(scaled, scaled, (unsigned long)-shift);
    }
    Num n = num_from_mpz(scaled, scale, arena);
    mpz_clears(scaled, half, NULL);
    return n;
}

/* ---- how large a result will be ---- */

/* Roughly log10 of |ln n|: where the first decimal of the logarithm stands. */
static int ln_weight(const Num *n, Arena *arena)
{
    double value = num_to_double(n);
    if (value >= 0.9 && value <= 1.1) {
        static const uint16_t one_digit[] = {1};
        Num minus_one = {NUMERIC_FINITE, true, 0, 0, 1, one_digit};
        Num rest = num_add(n, &minus_one, arena);
        return rest.count ? rest.weight * BASE_DIGITS + (int)log10(rest.digits[0]) : 0;
    }
    double first = n->digits[0], weight = n->weight * BASE_DIGITS;
    if (n->count > 1) {
        first = first * BASE + n->digits[1];
        weight -= BASE_DIGITS;
    }
    return (int)log10(fabs(log(first) + weight * 2.302585092994046));
}

/* log10 of |n|. */
static double decimal_log(const Num *n)
{
    double first = n->digits[0];
    int weight = n->weight * BASE_DIGITS;
    for (int i = 1; i < n->count && i * BASE_DIGITS < SIGNIFICANT_MIN; i++) {
        first = first * BASE + n->digits[i];
        weight -= BASE_DIGITS;
    }
    return log10(first) + weight;
}

/* ---- functions ---- */

/* scale below 0: as many digits as PostgreSQL shows of sqrt(). */
static Status square_root(TypeCtx *ctx, Value value, int scale, Value *out)
{
    Num n = num_load(value, ctx->arena), root = n;
    if (n.negative)
        return err_set(ctx->err, ctx->arena, ERR_INVALID_ARGUMENT_FOR_POWER_FUNCTION,
                       "cannot take square root of a negative number");
    if (n.kind == NUMERIC_FINITE) {
        int weight = (n.weight + 1) * BASE_DIGITS / 2 - 1;
        if (scale < 0) scale = clamp_scale(SIGNIFICANT_MIN - weight, n.scale, 0);
        mpz_t z;
        mpz_init(z);
        /* One decimal more than shown decides the rounding; a root is never just half way. */
        num_to_mpz(&n, 2 * (scale + 1), z);
        mpz_sqrt(z, z);
        root = num_from_mpz(z, scale + 1, ctx->arena);
        root = num_round(&root, scale, ctx->arena);
        mpz_clear(z);
    }
    return num_store(ctx, &root, out);
}

Status numeric_sqrt(TypeCtx *ctx, Value value, Value *out)
{
    return square_root(ctx, value, -1, out);
}

Status numeric_sqrt_to_scale(TypeCtx *ctx, Value value, int scale, Value *out)
{
    return square_root(ctx, value, scale, out);
}

static Status exp_fixed(TypeCtx *ctx, const mpz_t x, unsigned long bits, int scale, Num *result)
{
    mpz_t power;
    long exponent;
    mpz_init(power);
    fixed_exp(power, &exponent, x, bits);
    *result = num_from_fixed(power, exponent - (long)bits, scale, ctx->arena);
    mpz_clear(power);
    return ST_OK;
}

/* Decimals that a result of about 10^log10 needs for 16 significant ones. */
static int scale_for(double log10_value)
{
    double bound = NUMERIC_RESULT_SCALE_MAX;
    double v = log10_value < -bound ? -bound : log10_value > bound ? bound : log10_value;
    return SIGNIFICANT_MIN - (int)v;
}

Status numeric_exp(TypeCtx *ctx, Value value, Value *out)
{
    Num n = num_load(value, ctx->arena), result = n;
    if (n.kind == NUMERIC_MINUS_INFINITY) result = num_zero(0);
    if (n.kind == NUMERIC_FINITE) {
        double log10_value = num_to_double(&n) * log10_of_e;
        int scale = clamp_scale(scale_for(log10_value), n.scale, 0);
        if (num_to_double(&n) >= EXP_ARGUMENT_MAX) return num_overflow(ctx);
        if (log10_value < -scale - 1) {
            result = num_zero(scale);
        } else {
            unsigned long bits = bits_for(scale + (log10_value > 0 ? (int)log10_value : 0));
            mpz_t x, divisor;
            mpz_inits(x, divisor, NULL);
            int decimals = all_decimals(&n);
            num_to_mpz(&n, decimals, x);
            mpz_mul_2exp(x, x, bits);
            mpz_ui_pow_ui(divisor, 10, (unsigned long)decimals);
            mpz_tdiv_q(x, x, divisor);
            if (n.negative) mpz_neg(x, x);
            exp_fixed(ctx, x, bits, scale, &result);
            mpz_clears(x, divisor, NULL);
        }
    }
    return num_store(ctx, &result, out);
}

static Status check_logarithm(TypeCtx *ctx, const Num *n)
{
    if (n->negative)
        return err_set(ctx->err, ctx->arena, ERR_INVALID_ARGUMENT_FOR_LOGARITHM,
                       "cannot take logarithm of a negative number");
    if (num_is_zero(n))
        return err_set(ctx->err, ctx->arena, ERR_INVALID_ARGUMENT_FOR_LOGARITHM, "cannot take logarithm of zero");
    return ST_OK;
}

Status numeric_ln(TypeCtx *ctx, Value value, Value *out)
{
    Num n = num_load(value, ctx->arena), result = n;
    TRY(check_logarithm(ctx, &n));
    if (n.kind == NUMERIC_FINITE) {
        int scale = clamp_scale(SIGNIFICANT_MIN - ln_weight(&n, ctx->arena), n.scale, 0);
        unsigned long bits = bits_for(scale);
        mpz_t z;
        mpz_init(z);
        fixed_ln(z, &n, bits);
        result = num_from_fixed(z, -(long)bits, scale, ctx->arena);
        mpz_clear(z);
    }
    return num_store(ctx, &result, out);
}

static Status log_finite(TypeCtx *ctx, const Num *base, const Num *n, Num *result)
{
    int weight = ln_weight(n, ctx->arena) - ln_weight(base, ctx->arena);
    int scale = clamp_scale(SIGNIFICANT_MIN - weight, base->scale > n->scale ? base->scale : n->scale, 0);
    unsigned long bits = bits_for(2 * scale + 40);
    mpz_t ln_base, ln_n;
    mpz_inits(ln_base, ln_n, NULL);
    fixed_ln(ln_base, base, bits);
    fixed_ln(ln_n, n, bits);
    bool by_zero = base->count == 1 && base->weight == 0 && base->digits[0] == 1;
    if (!by_zero) {
        mpz_mul_2exp(ln_n, ln_n, bits);
        mpz_tdiv_q(ln_n, ln_n, ln_base);
        *result = num_from_fixed(ln_n, -(long)bits, scale, ctx->arena);
    }
    mpz_clears(ln_base, ln_n, NULL);
    return by_zero ? err_set(ctx->err, ctx->arena, ERR_DIVISION_BY_ZERO, "division by zero") : ST_OK;
}

Status numeric_log(TypeCtx *ctx, Value base_value, Value value, Value *out)
{
    Num base = num_load(base_value, ctx->arena), n = num_load(value, ctx->arena), result = {0};
    if (base.kind == NUMERIC_NAN || n.kind == NUMERIC_NAN) {
        result = num_special(NUMERIC_NAN);
        return num_store(ctx, &result, out);
    }
    TRY(check_logarithm(ctx, &base));
    TRY(check_logarithm(ctx, &n));
    if (base.kind != NUMERIC_FINITE)
        result = n.kind == NUMERIC_FINITE ? num_zero(0) : num_special(NUMERIC_NAN);
    else if (n.kind != NUMERIC_FINITE)
        result = n;
    else
        TRY(log_finite(ctx, &base, &n, &result));
    return num_store(ctx, &result, out);
}

/* ---- power ---- */

/* A number as mantissa * 10^-scale of limited length. */
typedef struct Short {
    mpz_t mantissa;
    long scale;
} Short;

static void short_limit(Short *s, long digits)
{
    long size = (long)mpz_sizeinbase(s->mantissa, 10);
    if (size <= digits) return;
    mpz_t divisor;
    mpz_init(divisor);
    mpz_ui_pow_ui(divisor, 10, (unsigned long)(size - digits));
    mpz_tdiv_q(s->mantissa, s->mantissa, divisor);
    s->scale -= size - digits;
    mpz_clear(divisor);
}

/* base^n by squaring, with so many digits kept that the result is right at `scale`. */
static Num power_by_squaring(const Num *base, int64_t n, double log10_result, int scale, Arena *arena)
{
    long digits = (log10_result > -scale ? scale + (long)log10_result : 0) + 40;
    uint64_t left = (uint64_t)(n < 0 ? -n : n);
    Short square = {.scale = all_decimals(base)}, product = {.scale = 0};
    mpz_init(square.mantissa);
    mpz_init_set_ui(product.mantissa, 1);
    num_to_mpz(base, (int)square.scale, square.mantissa);
    for (; left; left >>= 1) {
        if (left & 1) {
            mpz_mul(product.mantissa, product.mantissa, square.mantissa);
            product.scale += square.scale;
            short_limit(&product, digits);
        }
        if (left > 1) {
            mpz_mul(square.mantissa, square.mantissa, square.mantissa);
            square.scale *= 2;
            short_limit(&square, digits);
        }
    }
    /* One decimal more than shown, rounded on the way back. */
    long want = scale + 1, shift;
    mpz_t factor;
    mpz_init(factor);
    if (n < 0) {
        shift = want + product.scale;
        mpz_ui_pow_ui(factor, 10, (unsigned long)(shift < 0 ? 0 : shift));
        mpz_tdiv_q(product.mantissa, factor, product.mantissa);
    } else {
        shift = want - product.scale;
        mpz_ui_pow_ui(factor, 10, (unsigned long)(shift < 0 ? -shift : shift));
        if (shift >= 0)
            mpz_mul(product.mantissa, product.mantissa, factor);
        else
            mpz_tdiv_q(product.mantissa, product.mantissa, factor);
    }
    Num result = num_from_mpz(product.mantissa, (int)want, arena);
    result.negative = result.count && base->negative && (n & 1);
    mpz_clears(square.mantissa, product.mantissa, factor, NULL);
    return num_round(&result, scale, arena);
}

static Status power_integer(TypeCtx *ctx, const Num *base, int64_t n, Num *result)
{
    int scale = clamp_scale(SIGNIFICANT_MIN, base->scale, 0);
    if (n == 0) {
        static const uint16_t one_digit[] = {1};
        *result = (Num){NUMERIC_FINITE, false, 0, scale, 1, one_digit};
        return ST_OK;
    }
    if (base->count == 0) {
        *result = num_zero(scale);
        return ST_OK;
    }
    double log10_result = (double)n * decimal_log(base);
    if (log10_result > RESULT_WEIGHT_MAX) return num_overflow(ctx);
    if (log10_result + 1 < -scale)
        *result = num_zero(scale);
    else
        *result = power_by_squaring(base, n, log10_result, scale, ctx->arena);
    result->scale = scale;
    return ST_OK;
}

static Status power_fraction(TypeCtx *ctx, const Num *base, const Num *exponent, Num *result)
{
    double log10_result = decimal_log(base) * num_to_double(exponent);
    int scale = clamp_scale(scale_for(log10_result), base->scale, exponent->scale);
    if (log10_result > RESULT_WEIGHT_MAX) return num_overflow(ctx);
    if (log10_result < -scale - 1) {
        *result = num_zero(scale);
        return ST_OK;
    }
    /* The exponent's whole digits cost as many of the logarithm's decimals. */
    int whole = exponent->weight >= 0 ? (exponent->weight + 1) * BASE_DIGITS : 0;
    unsigned long bits = bits_for(scale + (log10_result > 0 ? (int)log10_result : 0) + whole);
    mpz_t x, factor;
    mpz_inits(x, factor, NULL);
    fixed_ln(x, base, bits);
    int decimals = all_decimals(exponent);
    num_to_mpz(exponent, decimals, factor);
    mpz_mul(x, x, factor);
    mpz_ui_pow_ui(factor, 10, (unsigned long)decimals);
    mpz_tdiv_q(x, x, factor);
    if (exponent->negative) mpz_neg(x, x);
    Status status = exp_fixed(ctx, x, bits, scale, result);
    mpz_clears(x, factor, NULL);
    return status;
}

static Status power_fault(TypeCtx *ctx, const char *message)
{
    return err_set(ctx->err, ctx->arena, ERR_INVALID_ARGUMENT_FOR_POWER_FUNCTION, "%s", message);
}

static bool is_one(const Num *n)
{
    return n->kind == NUMERIC_FINITE && !n->negative && n->count == 1 && n->weight == 0 && n->digits[0] == 1;
}

static bool is_odd_integer(const Num *n)
{
    return num_is_integer(n) && n->count == n->weight + 1 && n->count && n->digits[n->count - 1] % 2;
}

/* POSIX's rules for NaN and the infinities. */
static Status power_special(TypeCtx *ctx, const Num *base, const Num *exponent, Num *result)
{
    static const uint16_t one_digit[] = {1};
    const Num one = {NUMERIC_FINITE, false, 0, 0, 1, one_digit};
    if (is_one(base) || num_is_zero(exponent)) {
        *result = one;
    } else if (base->kind == NUMERIC_NAN || exponent->kind == NUMERIC_NAN) {
        *result = num_special(NUMERIC_NAN);
    } else if (exponent->kind != NUMERIC_FINITE) {
        bool grows = exponent->kind == NUMERIC_INFINITY, above_one = true;
        if (base->kind == NUMERIC_FINITE) {
            int order = num_compare_magnitude(base, &one);
            if (order == 0) { /* -1 */
                *result = one;
                return ST_OK;
            }
            above_one = order > 0;
        }
        if (num_is_zero(base) && !grows) return power_fault(ctx, "zero raised to a negative power is undefined");
        *result = above_one == grows ? num_special(NUMERIC_INFINITY) : num_zero(0);
    } else if (base->negative && !num_is_integer(exponent)) {
        return power_fault(ctx, "a negative number raised to a non-integer power yields a complex result");
    } else if (exponent->negative) {
        *result = num_zero(0);
    } else {
        bool negative = base->kind == NUMERIC_MINUS_INFINITY && is_odd_integer(exponent);
        *result = num_special(negative ? NUMERIC_MINUS_INFINITY : NUMERIC_INFINITY);
    }
    return ST_OK;
}

Status numeric_power(TypeCtx *ctx, Value base_value, Value exponent_value, Value *out)
{
    Num base = num_load(base_value, ctx->arena), exponent = num_load(exponent_value, ctx->arena), result = {0};
    if (base.kind != NUMERIC_FINITE || exponent.kind != NUMERIC_FINITE) {
        TRY(power_special(ctx, &base, &exponent, &result));
        return num_store(ctx, &result, out);
    }
    if (base.count == 0 && exponent.negative) return power_fault(ctx, "zero raised to a negative power is undefined");
    if (base.negative && !num_is_integer(&exponent))
        return power_fault(ctx, "a negative number raised to a non-integer power yields a complex result");
    __int128 n;
    int scale;
    Num whole = num_trunc(&exponent, 0, ctx->arena);
    if (num_is_integer(&exponent) && numeric_to_int128(num_store_small(&whole, ctx->arena), &n, &scale) &&
        n <= INT32_MAX && n >= INT32_MIN)
        TRY(power_integer(ctx, &base, (int64_t)n, &result));
    else if (base.count == 0)
        result = num_zero(SIGNIFICANT_MIN);
    else if (base.negative)
        return num_overflow(ctx);
    else
        TRY(power_fraction(ctx, &base, &exponent, &result));
    return num_store(ctx, &result, out);
}
