/* fn_regression.c - statistics of pairs (Y, X): corr, covar_*, regr_*. */
#include <math.h>

#include "executor/functions/families.h"

/* The sums of squares and products are of differences from the mean: Youngs and Cramer's update. */
typedef struct PairMoments {
    double count, sum_x, squares_x, sum_y, squares_y, products;
} PairMoments;

static Status pair_step(AggCtx *ctx, void *state, const Value *args)
{
    PairMoments *m = state;
    double y = args[0].f, x = args[1].f, before = m->count, scale;
    /* Infinities that came in are no overflow; those that are made here are. */
    bool finite_x = !isinf(m->sum_x) && !isinf(x), finite_y = !isinf(m->sum_y) && !isinf(y);
    m->count += 1;
    m->sum_x += x;
    m->sum_y += y;
    if (before == 0) {
        if (!isfinite(x)) m->squares_x = m->products = NAN;
        if (!isfinite(y)) m->squares_y = m->products = NAN;
        return ST_OK;
    }
    double dx = x * m->count - m->sum_x, dy = y * m->count - m->sum_y;
    scale = 1.0 / (m->count * before);
    m->squares_x += dx * dx * scale;
    m->squares_y += dy * dy * scale;
    m->products += dx * dy * scale;
    bool x_over = finite_x && (isinf(m->sum_x) || isinf(m->squares_x));
    bool y_over = finite_y && (isinf(m->sum_y) || isinf(m->squares_y));
    if (x_over || y_over || (finite_x && finite_y && isinf(m->products)))
        return err_set(ctx->fn.type.err, ctx->fn.type.arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "value out of range: overflow");
    if (isinf(m->squares_x)) m->squares_x = NAN;
    if (isinf(m->squares_y)) m->squares_y = NAN;
    if (isinf(m->products)) m->products = NAN;
    return ST_OK;
}

/* NULL for fewer pairs than `least`, and where a divisor is zero. */
#define PAIR_FINAL(name, least, zero, expression)                                                                    \
    static Status name(AggCtx *ctx, void *state, Value *out)                                                         \
    {                                                                                                                \
        const PairMoments *m = state;                                                                                \
        *out = m->count < (least) || (zero) ? VALUE_NULL : value_float(expression);                                  \
        return ST_OK;                                                                                                \
    }
PAIR_FINAL(covar_pop, 1, false, m->products / m->count)
PAIR_FINAL(covar_samp, 2, false, m->products / (m->count - 1))
PAIR_FINAL(corr, 1, m->squares_x == 0 || m->squares_y == 0, m->products / sqrt(m->squares_x * m->squares_y))
PAIR_FINAL(regr_avgx, 1, false, m->sum_x / m->count)
PAIR_FINAL(regr_avgy, 1, false, m->sum_y / m->count)
PAIR_FINAL(regr_sxx, 1, false, m->squares_x)
PAIR_FINAL(regr_syy, 1, false, m->squares_y)
PAIR_FINAL(regr_sxy, 1, false, m->products)
PAIR_FINAL(regr_slope, 1, m->squares_x == 0, m->products / m->squares_x)
PAIR_FINAL(regr_intercept, 1, m->squares_x == 0, (m->sum_y - m->sum_x * m->products / m->squares_x) / m->count)
PAIR_FINAL(regr_r2, 1, m->squares_x == 0,
           m->squares_y == 0 ? 1.0 : m->products * m->products / (m->squares_x * m->squares_y))

static Status regr_count(AggCtx *ctx, void *state, Value *out)
{
    *out = value_int((int64_t)((const PairMoments *)state)->count);
    return ST_OK;
}

/* clang-format off */
#define PAIRS AGG_STRICT, sizeof(PairMoments), pair_step
const AggDef fn_regression_rows[] = {
    { 2829, "corr", "float8, float8",           "float8", PAIRS, corr },
    { 2827, "covar_pop", "float8, float8",      "float8", PAIRS, covar_pop },
    { 2828, "covar_samp", "float8, float8",     "float8", PAIRS, covar_samp },
    { 2822, "regr_avgx", "float8, float8",      "float8", PAIRS, regr_avgx },
    { 2823, "regr_avgy", "float8, float8",      "float8", PAIRS, regr_avgy },
    { 2818, "regr_count", "float8, float8",     "int8",   PAIRS, regr_count },
    { 2826, "regr_intercept", "float8, float8", "float8", PAIRS, regr_intercept },
    { 2824, "regr_r2", "float8, float8",        "float8", PAIRS, regr_r2 },
    { 2825, "regr_slope", "float8, float8",     "float8", PAIRS, regr_slope },
    { 2819, "regr_sxx", "float8, float8",       "float8", PAIRS, regr_sxx },
    { 2821, "regr_sxy", "float8, float8",       "float8", PAIRS, regr_sxy },
    { 2820, "regr_syy", "float8, float8",       "float8", PAIRS, regr_syy },
    { 0 }
};
/* clang-format on */
