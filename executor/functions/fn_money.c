/* fn_money.c - arithmetic of money: cents in an int8. */
#include <math.h>

#include "executor/functions/families.h"

static Status out_of_range(FnCtx *ctx)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "money out of range");
}

static Status division_by_zero(FnCtx *ctx)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_DIVISION_BY_ZERO, "division by zero");
}

static Status add(FnCtx *ctx, const Value *args, Value *out)
{
    int64_t sum;
    if (__builtin_add_overflow(args[0].i, args[1].i, &sum)) return out_of_range(ctx);
    *out = value_int(sum);
    return ST_OK;
}

static Status subtract(FnCtx *ctx, const Value *args, Value *out)
{
    int64_t difference;
    if (__builtin_sub_overflow(args[0].i, args[1].i, &difference)) return out_of_range(ctx);
    *out = value_int(difference);
    return ST_OK;
}

static Status multiply(FnCtx *ctx, const Value *args, Value *out)
{
    int64_t product;
    if (__builtin_mul_overflow(args[0].i, args[1].i, &product)) return out_of_range(ctx);
    *out = value_int(product);
    return ST_OK;
}

static Status divide(FnCtx *ctx, const Value *args, Value *out)
{
    if (args[1].i == 0) return division_by_zero(ctx);
    if (args[1].i == -1 && args[0].i == INT64_MIN) return out_of_range(ctx);
    *out = value_int(args[0].i / args[1].i);
    return ST_OK;
}

static Status from_double(FnCtx *ctx, double cents, Value *out)
{
    double whole = rint(cents);
    if (!(whole >= -0x1p63 && whole < 0x1p63)) return out_of_range(ctx);
    *out = value_int((int64_t)whole);
    return ST_OK;
}

static Status multiply_float(FnCtx *ctx, const Value *args, Value *out)
{
    return from_double(ctx, (double)args[0].i * args[1].f, out);
}

static Status float_multiply(FnCtx *ctx, const Value *args, Value *out)
{
    return from_double(ctx, args[0].f * (double)args[1].i, out);
}

static Status divide_float(FnCtx *ctx, const Value *args, Value *out)
{
    if (args[1].f == 0) return division_by_zero(ctx);
    return from_double(ctx, (double)args[0].i / args[1].f, out);
}

static Status ratio(FnCtx *ctx, const Value *args, Value *out)
{
    if (args[1].i == 0) return division_by_zero(ctx);
    *out = value_float((double)args[0].i / (double)args[1].i);
    return ST_OK;
}

/* ---- sum ---- */

typedef struct MoneySum {
    int64_t total;
    bool any;
} MoneySum;

static Status sum_step(AggCtx *ctx, void *state, const Value *args)
{
    MoneySum *s = state;
    s->any = true;
    return __builtin_add_overflow(s->total, args[0].i, &s->total) ? out_of_range(&ctx->fn) : ST_OK;
}

static Status sum_final(AggCtx *ctx, void *state, Value *out)
{
    MoneySum *s = state;
    *out = s->any ? value_int(s->total) : VALUE_NULL;
    return ST_OK;
}

/* clang-format off */
#define OP FN_STRICT | FN_IMMUTABLE | FN_OPERATOR
const FuncDef fn_money_rows[] = {
    { 906,  "+", "money, money",  "money",  OP, add },
    { 907,  "-", "money, money",  "money",  OP, subtract },
    { 3349, "*", "int8, money",   "money",  OP, multiply },
    { 918,  "*", "int2, money",   "money",  OP, multiply },
    { 917,  "*", "int4, money",   "money",  OP, multiply },
    { 845,  "*", "float4, money", "money",  OP, float_multiply },
    { 916,  "*", "float8, money", "money",  OP, float_multiply },
    { 843,  "*", "money, float4", "money",  OP, multiply_float },
    { 908,  "*", "money, float8", "money",  OP, multiply_float },
    { 912,  "*", "money, int4",   "money",  OP, multiply },
    { 914,  "*", "money, int2",   "money",  OP, multiply },
    { 3346, "*", "money, int8",   "money",  OP, multiply },
    { 844,  "/", "money, float4", "money",  OP, divide_float },
    { 909,  "/", "money, float8", "money",  OP, divide_float },
    { 913,  "/", "money, int4",   "money",  OP, divide },
    { 915,  "/", "money, int2",   "money",  OP, divide },
    { 3347, "/", "money, int8",   "money",  OP, divide },
    { 3825, "/", "money, money",  "float8", OP, ratio },
    { 0 }
};

const AggDef fn_money_aggregate_rows[] = {
    { 2112, "sum", "money", "money", AGG_STRICT, sizeof(MoneySum), sum_step, sum_final },
    { 0 }
};
/* clang-format on */
