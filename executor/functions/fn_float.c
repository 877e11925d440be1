/* fn_float.c - arithmetic and mathematics of float4 and float8. */
#include <float.h>
#include <math.h>

#include "executor/functions/families.h"

static Status fault(FnCtx *ctx, SqlState state, const char *message)
{
    return err_set(ctx->type.err, ctx->type.arena, state, "%s", message);
}

/* A result may be infinite only if an operand was, and zero only where the mathematics says so. */
static Status finish(FnCtx *ctx, double v, bool infinite_input, bool zero_allowed, bool narrow, Value *out)
{
    if (narrow) v = (double)(float)v;
    if (isinf(v) && !infinite_input) return fault(ctx, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "value out of range: overflow");
    if (v == 0 && !zero_allowed) return fault(ctx, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "value out of range: underflow");
    *out = value_float(v);
    return ST_OK;
}

static bool any_infinite(const Value *args)
{
    return isinf(args[0].f) || isinf(args[1].f);
}

static Status add(FnCtx *ctx, const Value *args, Value *out)
{
    return finish(ctx, args[0].f + args[1].f, any_infinite(args), true, false, out);
}

static Status subtract(FnCtx *ctx, const Value *args, Value *out)
{
    return finish(ctx, args[0].f - args[1].f, any_infinite(args), true, false, out);
}

static Status multiply(FnCtx *ctx, const Value *args, Value *out)
{
    return finish(ctx, args[0].f * args[1].f, any_infinite(args), args[0].f == 0 || args[1].f == 0, false, out);
}

static Status divide(FnCtx *ctx, const Value *args, Value *out)
{
    if (args[1].f == 0 && !isnan(args[0].f)) return fault(ctx, ERR_DIVISION_BY_ZERO, "division by zero");
    return finish(ctx, args[0].f / args[1].f, isinf(args[0].f), args[0].f == 0 || isinf(args[1].f), false, out);
}

static Status add4(FnCtx *ctx, const Value *args, Value *out)
{
    return finish(ctx, args[0].f + args[1].f, any_infinite(args), true, true, out);
}

static Status subtract4(FnCtx *ctx, const Value *args, Value *out)
{
    return finish(ctx, args[0].f - args[1].f, any_infinite(args), true, true, out);
}

static Status multiply4(FnCtx *ctx, const Value *args, Value *out)
{
    return finish(ctx, args[0].f * args[1].f, any_infinite(args), args[0].f == 0 || args[1].f == 0, true, out);
}

static Status divide4(FnCtx *ctx, const Value *args, Value *out)
{
    if (args[1].f == 0 && !isnan(args[0].f)) return fault(ctx, ERR_DIVISION_BY_ZERO, "division by zero");
    return finish(ctx, args[0].f / args[1].f, isinf(args[0].f), args[0].f == 0 || isinf(args[1].f), true, out);
}

static Status plus(FnCtx *ctx, const Value *args, Value *out)
{
    *out = args[0];
    return ST_OK;
}

/* Results without a domain to check. */
#define PLAIN(name, expression)                                                                                      \
    static Status name(FnCtx *ctx, const Value *args, Value *out)                                                    \
    {                                                                                                                \
        double x = args[0].f;                                                                                        \
        *out = value_float(expression);                                                                              \
        return ST_OK;                                                                                                \
    }
PLAIN(negate, -x)
PLAIN(absolute, fabs(x))
PLAIN(ceiling, ceil(x))
PLAIN(floor_of, floor(x))
PLAIN(round_of, rint(x))
PLAIN(truncate_of, trunc(x))
PLAIN(sign_of, x > 0 ? 1 : x < 0 ? -1 : 0)
PLAIN(cube_root, cbrt(x))
PLAIN(arc_tangent, atan(x))
PLAIN(hyperbolic_tangent, tanh(x))
PLAIN(to_degrees, x / (M_PI / 180.0))
PLAIN(to_radians, x * (M_PI / 180.0))

#define FINITE_INPUT(name, expression)                                                                               \
    static Status name(FnCtx *ctx, const Value *args, Value *out)                                                    \
    {                                                                                                                \
        double x = args[0].f;                                                                                        \
        if (isinf(x)) return fault(ctx, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "input is out of range");                    \
        *out = value_float(expression);                                                                              \
        return ST_OK;                                                                                                \
    }
FINITE_INPUT(sine, sin(x))
FINITE_INPUT(cosine, cos(x))
FINITE_INPUT(tangent, tan(x))
FINITE_INPUT(cotangent, 1.0 / tan(x))

#define UNIT_INPUT(name, expression)                                                                                 \
    static Status name(FnCtx *ctx, const Value *args, Value *out)                                                    \
    {                                                                                                                \
        double x = args[0].f;                                                                                        \
        if (x < -1 || x > 1) return fault(ctx, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "input is out of range");             \
        *out = value_float(expression);                                                                              \
        return ST_OK;                                                                                                \
    }
UNIT_INPUT(arc_sine, asin(x))
UNIT_INPUT(arc_cosine, acos(x))

static Status hyperbolic_sine(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_float(sinh(args[0].f));
    return ST_OK;
}

static Status hyperbolic_cosine(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_float(cosh(args[0].f));
    return ST_OK;
}

static Status arc_tangent2(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_float(atan2(args[0].f, args[1].f));
    return ST_OK;
}

static Status square_root(FnCtx *ctx, const Value *args, Value *out)
{
    if (args[0].f < 0)
        return fault(ctx, ERR_INVALID_ARGUMENT_FOR_POWER_FUNCTION, "cannot take square root of a negative number");
    *out = value_float(sqrt(args[0].f));
    return ST_OK;
}

static Status exponential(FnCtx *ctx, const Value *args, Value *out)
{
    return finish(ctx, exp(args[0].f), isinf(args[0].f), isinf(args[0].f), false, out);
}

static Status logarithm_domain(FnCtx *ctx, double x)
{
    if (x == 0) return fault(ctx, ERR_INVALID_ARGUMENT_FOR_LOGARITHM, "cannot take logarithm of zero");
    if (x < 0) return fault(ctx, ERR_INVALID_ARGUMENT_FOR_LOGARITHM, "cannot take logarithm of a negative number");
    return ST_OK;
}

static Status natural_logarithm(FnCtx *ctx, const Value *args, Value *out)
{
    TRY(logarithm_domain(ctx, args[0].f));
    *out = value_float(log(args[0].f));
    return ST_OK;
}

static Status decimal_logarithm(FnCtx *ctx, const Value *args, Value *out)
{
    TRY(logarithm_domain(ctx, args[0].f));
    *out = value_float(log10(args[0].f));
    return ST_OK;
}

static Status power(FnCtx *ctx, const Value *args, Value *out)
{
    double base = args[0].f, exponent = args[1].f;
    if (base == 0 && exponent < 0)
        return fault(ctx, ERR_INVALID_ARGUMENT_FOR_POWER_FUNCTION, "zero raised to a negative power is undefined");
    if (base < 0 && isfinite(exponent) && floor(exponent) != exponent)
        return fault(ctx, ERR_INVALID_ARGUMENT_FOR_POWER_FUNCTION,
                     "a negative number raised to a non-integer power yields a complex result");
    return finish(ctx, pow(base, exponent), any_infinite(args), base == 0 || any_infinite(args), false, out);
}

static Status pi_value(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_float(M_PI);
    return ST_OK;
}

static Status width_bucket(FnCtx *ctx, const Value *args, Value *out)
{
    double x = args[0].f, low = args[1].f, high = args[2].f;
    int64_t count = args[3].i, bucket;
    if (count <= 0)
        return fault(ctx, ERR_INVALID_ARGUMENT_FOR_WIDTH_BUCKET_FUNCTION, "count must be greater than zero");
    if (isnan(x) || isnan(low) || isnan(high))
        return fault(ctx, ERR_INVALID_ARGUMENT_FOR_WIDTH_BUCKET_FUNCTION,
                     "operand, lower bound, and upper bound cannot be NaN");
    if (!isfinite(low) || !isfinite(high))
        return fault(ctx, ERR_INVALID_ARGUMENT_FOR_WIDTH_BUCKET_FUNCTION, "lower and upper bounds must be finite");
    if (low == high)
        return fault(ctx, ERR_INVALID_ARGUMENT_FOR_WIDTH_BUCKET_FUNCTION, "lower bound cannot equal upper bound");
    if (low < high)
        bucket = x < low ? 0 : x >= high ? count + 1 : (int64_t)((double)count * (x - low) / (high - low)) + 1;
    else
        bucket = x > low ? 0 : x <= high ? count + 1 : (int64_t)((double)count * (low - x) / (low - high)) + 1;
    if (bucket > INT32_MAX) return fault(ctx, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "integer out of range");
    *out = value_int(bucket);
    return ST_OK;
}

/* clang-format off */
#define OP FN_STRICT | FN_IMMUTABLE | FN_OPERATOR
#define FN FN_STRICT | FN_IMMUTABLE
const FuncDef fn_float_rows[] = {
    { 586,  "+",   "float4, float4", "float4", OP, add4 },
    { 591,  "+",   "float8, float8", "float8", OP, add },
    { 1116, "+",   "float4, float8", "float8", OP, add },
    { 1126, "+",   "float8, float4", "float8", OP, add },
    { 1919, "+",   "float4",         "float4", OP, plus },
    { 1920, "+",   "float8",         "float8", OP, plus },
    { 587,  "-",   "float4, float4", "float4", OP, subtract4 },
    { 592,  "-",   "float8, float8", "float8", OP, subtract },
    { 1117, "-",   "float4, float8", "float8", OP, subtract },
    { 1127, "-",   "float8, float4", "float8", OP, subtract },
    { 584,  "-",   "float4",         "float4", OP, negate },
    { 585,  "-",   "float8",         "float8", OP, negate },
    { 589,  "*",   "float4, float4", "float4", OP, multiply4 },
    { 594,  "*",   "float8, float8", "float8", OP, multiply },
    { 1119, "*",   "float4, float8", "float8", OP, multiply },
    { 1129, "*",   "float8, float4", "float8", OP, multiply },
    { 588,  "/",   "float4, float4", "float4", OP, divide4 },
    { 593,  "/",   "float8, float8", "float8", OP, divide },
    { 1118, "/",   "float4, float8", "float8", OP, divide },
    { 1128, "/",   "float8, float4", "float8", OP, divide },
    { 590,  "@",   "float4",         "float4", OP, absolute },
    { 595,  "@",   "float8",         "float8", OP, absolute },
    { 965,  "^",   "float8, float8", "float8", OP, power },
    { 596,  "|/",  "float8",         "float8", OP, square_root },
    { 597,  "||/", "float8",         "float8", OP, cube_root },
    { 1394, "abs", "float4",         "float4", FN, absolute },
    { 1395, "abs", "float8",         "float8", FN, absolute },
    { 1601, "acos", "float8",        "float8", FN, arc_cosine },
    { 1600, "asin", "float8",        "float8", FN, arc_sine },
    { 1602, "atan", "float8",        "float8", FN, arc_tangent },
    { 1603, "atan2", "float8, float8", "float8", FN, arc_tangent2 },
    { 1345, "cbrt", "float8",        "float8", FN, cube_root },
    { 2308, "ceil", "float8",        "float8", FN, ceiling },
    { 2320, "ceiling", "float8",     "float8", FN, ceiling },
    { 1605, "cos", "float8",         "float8", FN, cosine },
    { 2463, "cosh", "float8",        "float8", FN, hyperbolic_cosine },
    { 1607, "cot", "float8",         "float8", FN, cotangent },
    { 1608, "degrees", "float8",     "float8", FN, to_degrees },
    { 1347, "exp", "float8",         "float8", FN, exponential },
    { 2309, "floor", "float8",       "float8", FN, floor_of },
    { 1341, "ln", "float8",          "float8", FN, natural_logarithm },
    { 1340, "log", "float8",         "float8", FN, decimal_logarithm },
    { 1194, "log10", "float8",       "float8", FN, decimal_logarithm },
    { 1610, "pi", "",                "float8", FN, pi_value },
    { 1346, "pow", "float8, float8", "float8", FN, power },
    { 1368, "power", "float8, float8", "float8", FN, power },
    { 1609, "radians", "float8",     "float8", FN, to_radians },
    { 1342, "round", "float8",       "float8", FN, round_of },
    { 2310, "sign", "float8",        "float8", FN, sign_of },
    { 1604, "sin", "float8",         "float8", FN, sine },
    { 2462, "sinh", "float8",        "float8", FN, hyperbolic_sine },
    { 1344, "sqrt", "float8",        "float8", FN, square_root },
    { 1606, "tan", "float8",         "float8", FN, tangent },
    { 2464, "tanh", "float8",        "float8", FN, hyperbolic_tangent },
    { 1343, "trunc", "float8",       "float8", FN, truncate_of },
    { 320,  "width_bucket", "float8, float8, float8, int4", "int4", FN, width_bucket },
    { 0 }
};
/* clang-format on */
