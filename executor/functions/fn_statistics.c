/* fn_statistics.c - variance and standard deviation, in numeric for exact types and in float8 for floats. */
#include <math.h>

#include "executor/functions/families.h"
#include "storage/types/type_numeric.h"

/* ---- floats: Youngs and Cramer's update, which does not lose the small differences of large values ---- */

typedef struct FloatMoments {
    double count, sum, squares; /* squares: sum of squared differences from the mean */
} FloatMoments;

static Status float_step(AggCtx *ctx, void *state, const Value *args)
{
    FloatMoments *m = state;
    double x = args[0].f, before = m->sum;
    m->count += 1;
    m->sum += x;
    if (m->count > 1) {
        double d = x * m->count - m->sum;
        m->squares += d * d / (m->count * (m->count - 1));
        /* An infinity that did not come in, but was made here: the sum of the squares cannot be told any more. */
        if (isinf(m->sum) || isinf(m->squares)) {
            if (!isinf(x) && !isinf(before))
                return err_set(ctx->fn.type.err, ctx->fn.type.arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "value out of range: overflow");
            m->squares = NAN;
        }
    } else if (!isfinite(x)) {
        m->squares = NAN;
    }
    return ST_OK;
}

#define FLOAT_FINAL(name, least, expression)                                                                         \
    static Status name(AggCtx *ctx, void *state, Value *out)                                                         \
    {                                                                                                                \
        FloatMoments *m = state;                                                                                     \
        *out = m->count < (least) ? VALUE_NULL : value_float(expression);                                            \
        return ST_OK;                                                                                                \
    }
FLOAT_FINAL(float_var_pop, 1, m->squares / m->count)
FLOAT_FINAL(float_var_samp, 2, m->squares / (m->count - 1))
FLOAT_FINAL(float_stddev_pop, 1, sqrt(m->squares / m->count))
FLOAT_FINAL(float_stddev_samp, 2, sqrt(m->squares / (m->count - 1)))

/* ---- exact types ---- */

typedef struct ExactMoments {
    int64_t count;
    NumericSum sum, squares;
} ExactMoments;

static Status exact_step(AggCtx *ctx, void *state, const Value *args)
{
    ExactMoments *m = state;
    Value x = args[0], square;
    if (ctx->fn.arg_types[0].oid != OID_NUMERIC) x = numeric_from_int(x.i, ctx->fn.type.arena);
    m->count++;
    TRY(numeric_sum_add(&m->sum, &ctx->fn.type, x));
    TRY(numeric_mul(&ctx->fn.type, x, x, &square));
    return numeric_sum_add(&m->squares, &ctx->fn.type, square);
}

/* (n * sum(x^2) - sum(x)^2) / (n * divisor), where divisor is n or n - 1. */
static Status exact_variance(AggCtx *ctx, ExactMoments *m, bool sample, bool root, Value *out)
{
    TypeCtx *type = &ctx->fn.type;
    Value sum, squares, n = numeric_from_int(m->count, type->arena), left, right, divisor;
    *out = VALUE_NULL;
    if (m->count < (sample ? 2 : 1)) return ST_OK;
    TRY(numeric_sum_total(&m->sum, type, &sum));
    TRY(numeric_sum_total(&m->squares, type, &squares));
    TRY(numeric_mul(type, n, squares, &left));
    TRY(numeric_mul(type, sum, sum, &right));
    TRY(numeric_sub(type, left, right, &left));
    if (numeric_sign(left) <= 0 && numeric_kind(left) == NUMERIC_FINITE) {
        *out = numeric_from_int(0, type->arena);
        return ST_OK;
    }
    TRY(numeric_mul(type, n, numeric_from_int(sample ? m->count - 1 : m->count, type->arena), &divisor));
    TRY(numeric_div(type, left, divisor, out));
    return root ? numeric_sqrt_to_scale(type, *out, numeric_scale(*out), out) : ST_OK;
}

static Status exact_var_pop(AggCtx *ctx, void *state, Value *out)
{
    return exact_variance(ctx, state, false, false, out);
}

static Status exact_var_samp(AggCtx *ctx, void *state, Value *out)
{
    return exact_variance(ctx, state, true, false, out);
}

static Status exact_stddev_pop(AggCtx *ctx, void *state, Value *out)
{
    return exact_variance(ctx, state, false, true, out);
}

static Status exact_stddev_samp(AggCtx *ctx, void *state, Value *out)
{
    return exact_variance(ctx, state, true, true, out);
}

/* clang-format off */
#define EXACT AGG_STRICT, sizeof(ExactMoments), exact_step
#define FLOAT AGG_STRICT, sizeof(FloatMoments), float_step
const AggDef fn_statistics_rows[] = {
    { 2156, "stddev", "int2", "numeric", EXACT, exact_stddev_samp },
    { 2155, "stddev", "int4", "numeric", EXACT, exact_stddev_samp },
    { 2154, "stddev", "int8", "numeric", EXACT, exact_stddev_samp },
    { 2159, "stddev", "numeric", "numeric", EXACT, exact_stddev_samp },
    { 2157, "stddev", "float4", "float8", FLOAT, float_stddev_samp },
    { 2158, "stddev", "float8", "float8", FLOAT, float_stddev_samp },
    { 2726, "stddev_pop", "int2", "numeric", EXACT, exact_stddev_pop },
    { 2725, "stddev_pop", "int4", "numeric", EXACT, exact_stddev_pop },
    { 2724, "stddev_pop", "int8", "numeric", EXACT, exact_stddev_pop },
    { 2729, "stddev_pop", "numeric", "numeric", EXACT, exact_stddev_pop },
    { 2727, "stddev_pop", "float4", "float8", FLOAT, float_stddev_pop },
    { 2728, "stddev_pop", "float8", "float8", FLOAT, float_stddev_pop },
    { 2714, "stddev_samp", "int2", "numeric", EXACT, exact_stddev_samp },
    { 2713, "stddev_samp", "int4", "numeric", EXACT, exact_stddev_samp },
    { 2712, "stddev_samp", "int8", "numeric", EXACT, exact_stddev_samp },
    { 2717, "stddev_samp", "numeric", "numeric", EXACT, exact_stddev_samp },
    { 2715, "stddev_samp", "float4", "float8", FLOAT, float_stddev_samp },
    { 2716, "stddev_samp", "float8", "float8", FLOAT, float_stddev_samp },
    { 2720, "var_pop", "int2", "numeric", EXACT, exact_var_pop },
    { 2719, "var_pop", "int4", "numeric", EXACT, exact_var_pop },
    { 2718, "var_pop", "int8", "numeric", EXACT, exact_var_pop },
    { 2723, "var_pop", "numeric", "numeric", EXACT, exact_var_pop },
    { 2721, "var_pop", "float4", "float8", FLOAT, float_var_pop },
    { 2722, "var_pop", "float8", "float8", FLOAT, float_var_pop },
    { 2643, "var_samp", "int2", "numeric", EXACT, exact_var_samp },
    { 2642, "var_samp", "int4", "numeric", EXACT, exact_var_samp },
    { 2641, "var_samp", "int8", "numeric", EXACT, exact_var_samp },
    { 2646, "var_samp", "numeric", "numeric", EXACT, exact_var_samp },
    { 2644, "var_samp", "float4", "float8", FLOAT, float_var_samp },
    { 2645, "var_samp", "float8", "float8", FLOAT, float_var_samp },
    { 2150, "variance", "int2", "numeric", EXACT, exact_var_samp },
    { 2149, "variance", "int4", "numeric", EXACT, exact_var_samp },
    { 2148, "variance", "int8", "numeric", EXACT, exact_var_samp },
    { 2153, "variance", "numeric", "numeric", EXACT, exact_var_samp },
    { 2151, "variance", "float4", "float8", FLOAT, float_var_samp },
    { 2152, "variance", "float8", "float8", FLOAT, float_var_samp },
    { 0 }
};
/* clang-format on */
