/* fn_numeric.c - operators and mathematics of numeric; the arithmetic itself is in storage/types/type_numeric. */
#include "executor/functions/families.h"
#include "storage/types/type_numeric.h"

#define BINARY(name, function)                                                                                       \
    static Status name(FnCtx *ctx, const Value *args, Value *out)                                                    \
    {                                                                                                                \
        return function(&ctx->type, args[0], args[1], out);                                                          \
    }
BINARY(add, numeric_add)
BINARY(subtract, numeric_sub)
BINARY(multiply, numeric_mul)
BINARY(divide, numeric_div)
BINARY(modulo, numeric_mod)
BINARY(quotient, numeric_div_trunc)
BINARY(power, numeric_power)
BINARY(gcd, numeric_gcd)
BINARY(logarithm, numeric_log)

#define UNARY(name, expression)                                                                                      \
    static Status name(FnCtx *ctx, const Value *args, Value *out)                                                    \
    {                                                                                                                \
        *out = (expression);                                                                                         \
        return ST_OK;                                                                                                \
    }
UNARY(plus, args[0])
UNARY(negate, numeric_neg(args[0], ctx->type.arena))
UNARY(absolute, numeric_abs(args[0], ctx->type.arena))
UNARY(ceiling, numeric_ceil(args[0], ctx->type.arena))
UNARY(floor_of, numeric_floor(args[0], ctx->type.arena))
UNARY(trim_scale, numeric_trim_scale(args[0], ctx->type.arena))
UNARY(round_whole, numeric_round(args[0], 0, ctx->type.arena))
UNARY(truncate_whole, numeric_trunc(args[0], 0, ctx->type.arena))

static int clamp_scale(int64_t scale)
{
    return scale > NUMERIC_SCALE_MAX    ? NUMERIC_SCALE_MAX
           : scale < -NUMERIC_SCALE_MAX ? -NUMERIC_SCALE_MAX
                                               : (int)scale;
}
UNARY(round_scale, numeric_round(args[0], clamp_scale(args[1].i), ctx->type.arena))
UNARY(truncate_scale, numeric_trunc(args[0], clamp_scale(args[1].i), ctx->type.arena))

static Status sign_of(FnCtx *ctx, const Value *args, Value *out)
{
    *out = numeric_kind(args[0]) == NUMERIC_NAN ? args[0] : numeric_from_int(numeric_sign(args[0]), ctx->type.arena);
    return ST_OK;
}

static Status square_root(FnCtx *ctx, const Value *args, Value *out)
{
    return numeric_sqrt(&ctx->type, args[0], out);
}

static Status exponential(FnCtx *ctx, const Value *args, Value *out)
{
    return numeric_exp(&ctx->type, args[0], out);
}

static Status natural_logarithm(FnCtx *ctx, const Value *args, Value *out)
{
    return numeric_ln(&ctx->type, args[0], out);
}

static Status decimal_logarithm(FnCtx *ctx, const Value *args, Value *out)
{
    return numeric_log(&ctx->type, numeric_from_int(10, ctx->type.arena), args[0], out);
}

static Status scale_of(FnCtx *ctx, const Value *args, Value *out)
{
    *out = numeric_kind(args[0]) == NUMERIC_FINITE ? value_int(numeric_scale(args[0])) : VALUE_NULL;
    return ST_OK;
}

static Status min_scale_of(FnCtx *ctx, const Value *args, Value *out)
{
    *out = numeric_kind(args[0]) == NUMERIC_FINITE ? value_int(numeric_min_scale(args[0])) : VALUE_NULL;
    return ST_OK;
}

static Status factorial(FnCtx *ctx, const Value *args, Value *out)
{
    if (args[0].i < 0)
        return err_set(ctx->type.err, ctx->type.arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE,
                       "factorial of a negative number is undefined");
    if (args[0].i > 32177)
        return err_set(ctx->type.err, ctx->type.arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "value overflows numeric format");
    *out = numeric_from_int(1, ctx->type.arena);
    for (int64_t n = 2; n <= args[0].i; n++)
        TRY(numeric_mul(&ctx->type, *out, numeric_from_int(n, ctx->type.arena), out));
    return ST_OK;
}

/* Of numbers with a scale, as gcd is: lcm(0.5, 0.75) is 1.50. */
static Status lcm(FnCtx *ctx, const Value *args, Value *out)
{
    int scale = numeric_scale(args[0]) > numeric_scale(args[1]) ? numeric_scale(args[0]) : numeric_scale(args[1]);
    TRY(numeric_gcd(&ctx->type, args[0], args[1], out));
    if (numeric_kind(*out) != NUMERIC_FINITE) return ST_OK;
    if (numeric_sign(*out) != 0) {
        TRY(numeric_div_trunc(&ctx->type, args[0], *out, out));
        TRY(numeric_mul(&ctx->type, *out, args[1], out));
    }
    *out = numeric_round(numeric_abs(*out, ctx->type.arena), scale, ctx->type.arena);
    return ST_OK;
}

static Status bucket_fault(FnCtx *ctx, const char *message)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_ARGUMENT_FOR_WIDTH_BUCKET_FUNCTION, "%s", message);
}

/* Which of `count` buckets of equal width between two bounds, which may run downwards. */
static Status width_bucket(FnCtx *ctx, const Value *args, Value *out)
{
    if (args[3].i <= 0) return bucket_fault(ctx, "count must be greater than zero");
    for (int i = 0; i < 3; i++)
        if (numeric_kind(args[i]) == NUMERIC_NAN)
            return bucket_fault(ctx, "operand, lower bound, and upper bound cannot be NaN");
    if (numeric_kind(args[1]) != NUMERIC_FINITE || numeric_kind(args[2]) != NUMERIC_FINITE)
        return bucket_fault(ctx, "lower and upper bounds must be finite");
    int direction = numeric_compare(args[2], args[1]);
    if (direction == 0) return bucket_fault(ctx, "lower bound cannot equal upper bound");
    int64_t bucket = 0;
    if (numeric_compare(args[0], args[2]) * direction >= 0) {
        bucket = args[3].i + 1;
    } else if (numeric_compare(args[0], args[1]) * direction >= 0) {
        Value part, width;
        TRY(numeric_sub(&ctx->type, args[0], args[1], &part));
        TRY(numeric_mul(&ctx->type, part, numeric_from_int(args[3].i, ctx->type.arena), &part));
        TRY(numeric_sub(&ctx->type, args[2], args[1], &width));
        TRY(numeric_div_trunc(&ctx->type, part, width, &part));
        TRY(numeric_to_int(&ctx->type, part, OID_INT8, &part));
        bucket = part.i + 1;
    }
    if (bucket > INT32_MAX)
        return err_set(ctx->type.err, ctx->type.arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "integer out of range");
    *out = value_int(bucket);
    return ST_OK;
}

/* clang-format off */
#define OP FN_STRICT | FN_IMMUTABLE | FN_OPERATOR
#define FN FN_STRICT | FN_IMMUTABLE
const FuncDef fn_numeric_rows[] = {
    { 1758, "+", "numeric, numeric", "numeric", OP, add },
    { 1921, "+", "numeric",          "numeric", OP, plus },
    { 1759, "-", "numeric, numeric", "numeric", OP, subtract },
    { 1751, "-", "numeric",          "numeric", OP, negate },
    { 1760, "*", "numeric, numeric", "numeric", OP, multiply },
    { 1761, "/", "numeric, numeric", "numeric", OP, divide },
    { 1762, "%", "numeric, numeric", "numeric", OP, modulo },
    { 1038, "^", "numeric, numeric", "numeric", OP, power },
    { 1763, "@", "numeric",          "numeric", OP, absolute },
    { 1705, "abs", "numeric",        "numeric", FN, absolute },
    { 1711, "ceil", "numeric",       "numeric", FN, ceiling },
    { 2167, "ceiling", "numeric",    "numeric", FN, ceiling },
    { 1973, "div", "numeric, numeric", "numeric", FN, quotient },
    { 1732, "exp", "numeric",        "numeric", FN, exponential },
    { 1376, "factorial", "int8",     "numeric", FN, factorial },
    { 1712, "floor", "numeric",      "numeric", FN, floor_of },
    { 5048, "gcd", "numeric, numeric", "numeric", FN, gcd },
    { 5049, "lcm", "numeric, numeric", "numeric", FN, lcm },
    { 1734, "ln", "numeric",         "numeric", FN, natural_logarithm },
    { 1741, "log", "numeric",        "numeric", FN, decimal_logarithm },
    { 1736, "log", "numeric, numeric", "numeric", FN, logarithm },
    { 1481, "log10", "numeric",      "numeric", FN, decimal_logarithm },
    { 5042, "min_scale", "numeric",  "int4",    FN, min_scale_of },
    { 1728, "mod", "numeric, numeric", "numeric", FN, modulo },
    { 1738, "pow", "numeric, numeric", "numeric", FN, power },
    { 2169, "power", "numeric, numeric", "numeric", FN, power },
    { 1708, "round", "numeric",      "numeric", FN, round_whole },
    { 1707, "round", "numeric, int4", "numeric", FN, round_scale },
    { 3281, "scale", "numeric",      "int4",    FN, scale_of },
    { 1706, "sign", "numeric",       "numeric", FN, sign_of },
    { 1730, "sqrt", "numeric",       "numeric", FN, square_root },
    { 5043, "trim_scale", "numeric", "numeric", FN, trim_scale },
    { 1710, "trunc", "numeric",      "numeric", FN, truncate_whole },
    { 1709, "trunc", "numeric, int4", "numeric", FN, truncate_scale },
    { 2170, "width_bucket", "numeric, numeric, numeric, int4", "int4", FN, width_bucket },
    { 0 }
};
/* clang-format on */
