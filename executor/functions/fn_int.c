/* fn_int.c - arithmetic and bit operators of the integer types.
 *
 * Mixed operand types (int2 with int4 ...) have rows of their own, as PostgreSQL has them: the result is the wider type.
 * All results are computed in int64 with overflow checks and then held to the result type's range.
 */
#include "executor/functions/families.h"

static Status out_of_range(FnCtx *ctx, const char *type)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "%s out of range", type);
}

static Status division_by_zero(FnCtx *ctx)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_DIVISION_BY_ZERO, "division by zero");
}

static Status fit2(FnCtx *ctx, int64_t v, Value *out)
{
    if (v < INT16_MIN || v > INT16_MAX) return out_of_range(ctx, "smallint");
    *out = value_int(v);
    return ST_OK;
}

static Status fit4(FnCtx *ctx, int64_t v, Value *out)
{
    if (v < INT32_MIN || v > INT32_MAX) return out_of_range(ctx, "integer");
    *out = value_int(v);
    return ST_OK;
}

/* Of two int2 or int4 operands nothing overflows int64. */
#define NARROW(width, name, expression)                                                                              \
    static Status int##width##_##name(FnCtx *ctx, const Value *args, Value *out)                                     \
    {                                                                                                                \
        int64_t a = args[0].i, b = args[1].i;                                                                        \
        return fit##width(ctx, (expression), out);                                                                   \
    }
NARROW(2, add, a + b)
NARROW(2, subtract, a - b)
NARROW(2, multiply, a *b)
NARROW(4, add, a + b)
NARROW(4, subtract, a - b)
NARROW(4, multiply, a *b)

/* The same over a batch; the error path leaves by the row body, which words it. */
#define NARROW_BATCH(width, name, expression)                                                                        \
    static Status int##width##_##name##_batch(FnCtx *ctx, Value *const *args, const int *active, int n, Value *out)  \
    {                                                                                                                \
        for (int i = 0; i < n; i++) {                                                                                \
            int row = active[i];                                                                                     \
            int64_t a = args[0][row].i, b = args[1][row].i;                                                          \
            TRY(fit##width(ctx, (expression), &out[row]));                                                           \
        }                                                                                                            \
        return ST_OK;                                                                                                \
    }
NARROW_BATCH(4, add, a + b)
NARROW_BATCH(4, subtract, a - b)
NARROW_BATCH(4, multiply, a *b)

#define WIDE(name, builtin)                                                                                          \
    static Status int8_##name(FnCtx *ctx, const Value *args, Value *out)                                             \
    {                                                                                                                \
        int64_t v;                                                                                                   \
        if (builtin(args[0].i, args[1].i, &v)) return out_of_range(ctx, "bigint");                                   \
        *out = value_int(v);                                                                                         \
        return ST_OK;                                                                                                \
    }                                                                                                                \
    static Status int8_##name##_batch(FnCtx *ctx, Value *const *args, const int *active, int n, Value *out)          \
    {                                                                                                                \
        for (int i = 0; i < n; i++) {                                                                                \
            int64_t v;                                                                                               \
            int row = active[i];                                                                                     \
            if (builtin(args[0][row].i, args[1][row].i, &v)) return out_of_range(ctx, "bigint");                     \
            out[row] = value_int(v);                                                                                 \
        }                                                                                                            \
        return ST_OK;                                                                                                \
    }
WIDE(add, __builtin_add_overflow)
WIDE(subtract, __builtin_sub_overflow)
WIDE(multiply, __builtin_mul_overflow)

static Status int2_divide(FnCtx *ctx, const Value *args, Value *out)
{
    return args[1].i == 0 ? division_by_zero(ctx) : fit2(ctx, args[0].i / args[1].i, out);
}

static Status int4_divide(FnCtx *ctx, const Value *args, Value *out)
{
    return args[1].i == 0 ? division_by_zero(ctx) : fit4(ctx, args[0].i / args[1].i, out);
}

static Status int8_divide(FnCtx *ctx, const Value *args, Value *out)
{
    if (args[1].i == 0) return division_by_zero(ctx);
    if (args[0].i == INT64_MIN && args[1].i == -1) return out_of_range(ctx, "bigint");
    *out = value_int(args[0].i / args[1].i);
    return ST_OK;
}

static Status int_modulo(FnCtx *ctx, const Value *args, Value *out)
{
    if (args[1].i == 0) return division_by_zero(ctx);
    *out = value_int(args[1].i == -1 ? 0 : args[0].i % args[1].i); /* the minimum by -1 traps in hardware */
    return ST_OK;
}

static Status int2_negate(FnCtx *ctx, const Value *args, Value *out)
{
    return fit2(ctx, -args[0].i, out);
}

static Status int4_negate(FnCtx *ctx, const Value *args, Value *out)
{
    return fit4(ctx, -args[0].i, out);
}

static Status int8_negate(FnCtx *ctx, const Value *args, Value *out)
{
    if (args[0].i == INT64_MIN) return out_of_range(ctx, "bigint");
    *out = value_int(-args[0].i);
    return ST_OK;
}

static Status int2_absolute(FnCtx *ctx, const Value *args, Value *out)
{
    return fit2(ctx, args[0].i < 0 ? -args[0].i : args[0].i, out);
}

static Status int4_absolute(FnCtx *ctx, const Value *args, Value *out)
{
    return fit4(ctx, args[0].i < 0 ? -args[0].i : args[0].i, out);
}

static Status int8_absolute(FnCtx *ctx, const Value *args, Value *out)
{
    if (args[0].i < 0) return int8_negate(ctx, args, out);
    *out = args[0];
    return ST_OK;
}

static Status int_plus(FnCtx *ctx, const Value *args, Value *out)
{
    *out = args[0];
    return ST_OK;
}

static Status int_and(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int(args[0].i & args[1].i);
    return ST_OK;
}

static Status int_or(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int(args[0].i | args[1].i);
    return ST_OK;
}

static Status int_xor(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int(args[0].i ^ args[1].i);
    return ST_OK;
}

static Status int_not(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int(~args[0].i);
    return ST_OK;
}

/* Shift counts wrap at the width, as the processor's do and as PostgreSQL's answers show. */
static Status int2_shift_left(FnCtx *ctx, const Value *args, Value *out)
{
    unsigned count = (unsigned)args[1].i & 31;
    *out = value_int((int16_t)(uint32_t)((uint64_t)(uint32_t)args[0].i << count));
    return ST_OK;
}

static Status int4_shift_left(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int((int32_t)((uint32_t)args[0].i << ((unsigned)args[1].i & 31)));
    return ST_OK;
}

static Status int8_shift_left(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int((int64_t)((uint64_t)args[0].i << ((unsigned)args[1].i & 63)));
    return ST_OK;
}

static Status int_shift_right(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int(args[0].i >> ((unsigned)args[1].i & 31));
    return ST_OK;
}

static Status int8_shift_right(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int(args[0].i >> ((unsigned)args[1].i & 63));
    return ST_OK;
}

/* ---- greatest common divisor, least common multiple ---- */

static uint64_t gcd_of(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static uint64_t magnitude(int64_t v)
{
    return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

static Status int4_gcd(FnCtx *ctx, const Value *args, Value *out)
{
    return fit4(ctx, (int64_t)gcd_of(magnitude(args[0].i), magnitude(args[1].i)), out);
}

static Status int8_gcd(FnCtx *ctx, const Value *args, Value *out)
{
    uint64_t v = gcd_of(magnitude(args[0].i), magnitude(args[1].i));
    if (v > INT64_MAX) return out_of_range(ctx, "bigint");
    *out = value_int((int64_t)v);
    return ST_OK;
}

static Status lcm_of(FnCtx *ctx, const Value *args, uint64_t max, const char *type, Value *out)
{
    uint64_t a = magnitude(args[0].i), b = magnitude(args[1].i), v = 0;
    if (a && b && (__builtin_mul_overflow(a / gcd_of(a, b), b, &v) || v > max)) return out_of_range(ctx, type);
    *out = value_int((int64_t)v);
    return ST_OK;
}

static Status int4_lcm(FnCtx *ctx, const Value *args, Value *out)
{
    return lcm_of(ctx, args, INT32_MAX, "integer", out);
}

static Status int8_lcm(FnCtx *ctx, const Value *args, Value *out)
{
    return lcm_of(ctx, args, INT64_MAX, "bigint", out);
}

/* clang-format off */
#define OP FN_STRICT | FN_IMMUTABLE | FN_OPERATOR
#define FN FN_STRICT | FN_IMMUTABLE
const FuncDef fn_int_rows[] = {
    /* oid  name  arguments     result  flags  body               batch */
    { 550,  "+",  "int2, int2", "int2", OP, int2_add },
    { 551,  "+",  "int4, int4", "int4", OP, int4_add,             int4_add_batch },
    { 552,  "+",  "int2, int4", "int4", OP, int4_add,             int4_add_batch },
    { 553,  "+",  "int4, int2", "int4", OP, int4_add,             int4_add_batch },
    { 684,  "+",  "int8, int8", "int8", OP, int8_add,             int8_add_batch },
    { 688,  "+",  "int8, int4", "int8", OP, int8_add,             int8_add_batch },
    { 692,  "+",  "int4, int8", "int8", OP, int8_add,             int8_add_batch },
    { 818,  "+",  "int8, int2", "int8", OP, int8_add,             int8_add_batch },
    { 822,  "+",  "int2, int8", "int8", OP, int8_add,             int8_add_batch },
    { 1916, "+",  "int8",       "int8", OP, int_plus },
    { 1917, "+",  "int2",       "int2", OP, int_plus },
    { 1918, "+",  "int4",       "int4", OP, int_plus },
    { 554,  "-",  "int2, int2", "int2", OP, int2_subtract },
    { 555,  "-",  "int4, int4", "int4", OP, int4_subtract,        int4_subtract_batch },
    { 556,  "-",  "int2, int4", "int4", OP, int4_subtract,        int4_subtract_batch },
    { 557,  "-",  "int4, int2", "int4", OP, int4_subtract,        int4_subtract_batch },
    { 685,  "-",  "int8, int8", "int8", OP, int8_subtract,        int8_subtract_batch },
    { 689,  "-",  "int8, int4", "int8", OP, int8_subtract,        int8_subtract_batch },
    { 693,  "-",  "int4, int8", "int8", OP, int8_subtract,        int8_subtract_batch },
    { 819,  "-",  "int8, int2", "int8", OP, int8_subtract,        int8_subtract_batch },
    { 823,  "-",  "int2, int8", "int8", OP, int8_subtract,        int8_subtract_batch },
    { 484,  "-",  "int8",       "int8", OP, int8_negate },
    { 558,  "-",  "int4",       "int4", OP, int4_negate },
    { 559,  "-",  "int2",       "int2", OP, int2_negate },
    { 526,  "*",  "int2, int2", "int2", OP, int2_multiply },
    { 514,  "*",  "int4, int4", "int4", OP, int4_multiply,        int4_multiply_batch },
    { 544,  "*",  "int2, int4", "int4", OP, int4_multiply,        int4_multiply_batch },
    { 545,  "*",  "int4, int2", "int4", OP, int4_multiply,        int4_multiply_batch },
    { 686,  "*",  "int8, int8", "int8", OP, int8_multiply,        int8_multiply_batch },
    { 690,  "*",  "int8, int4", "int8", OP, int8_multiply,        int8_multiply_batch },
    { 694,  "*",  "int4, int8", "int8", OP, int8_multiply,        int8_multiply_batch },
    { 820,  "*",  "int8, int2", "int8", OP, int8_multiply,        int8_multiply_batch },
    { 824,  "*",  "int2, int8", "int8", OP, int8_multiply,        int8_multiply_batch },
    { 527,  "/",  "int2, int2", "int2", OP, int2_divide },
    { 528,  "/",  "int4, int4", "int4", OP, int4_divide },
    { 546,  "/",  "int2, int4", "int4", OP, int4_divide },
    { 547,  "/",  "int4, int2", "int4", OP, int4_divide },
    { 687,  "/",  "int8, int8", "int8", OP, int8_divide },
    { 691,  "/",  "int8, int4", "int8", OP, int8_divide },
    { 695,  "/",  "int4, int8", "int8", OP, int8_divide },
    { 821,  "/",  "int8, int2", "int8", OP, int8_divide },
    { 825,  "/",  "int2, int8", "int8", OP, int8_divide },
    { 439,  "%",  "int8, int8", "int8", OP, int_modulo },
    { 529,  "%",  "int2, int2", "int2", OP, int_modulo },
    { 530,  "%",  "int4, int4", "int4", OP, int_modulo },
    { 473,  "@",  "int8",       "int8", OP, int8_absolute },
    { 682,  "@",  "int2",       "int2", OP, int2_absolute },
    { 773,  "@",  "int4",       "int4", OP, int4_absolute },
    { 1874, "&",  "int2, int2", "int2", OP, int_and },
    { 1880, "&",  "int4, int4", "int4", OP, int_and },
    { 1886, "&",  "int8, int8", "int8", OP, int_and },
    { 1875, "|",  "int2, int2", "int2", OP, int_or },
    { 1881, "|",  "int4, int4", "int4", OP, int_or },
    { 1887, "|",  "int8, int8", "int8", OP, int_or },
    { 1876, "#",  "int2, int2", "int2", OP, int_xor },
    { 1882, "#",  "int4, int4", "int4", OP, int_xor },
    { 1888, "#",  "int8, int8", "int8", OP, int_xor },
    { 1877, "~",  "int2",       "int2", OP, int_not },
    { 1883, "~",  "int4",       "int4", OP, int_not },
    { 1889, "~",  "int8",       "int8", OP, int_not },
    { 1878, "<<", "int2, int4", "int2", OP, int2_shift_left },
    { 1884, "<<", "int4, int4", "int4", OP, int4_shift_left },
    { 1890, "<<", "int8, int4", "int8", OP, int8_shift_left },
    { 1879, ">>", "int2, int4", "int2", OP, int_shift_right },
    { 1885, ">>", "int4, int4", "int4", OP, int_shift_right },
    { 1891, ">>", "int8, int4", "int8", OP, int8_shift_right },
    { 1396, "abs", "int8",       "int8", FN, int8_absolute },
    { 1397, "abs", "int4",       "int4", FN, int4_absolute },
    { 1398, "abs", "int2",       "int2", FN, int2_absolute },
    { 940,  "mod", "int2, int2", "int2", FN, int_modulo },
    { 941,  "mod", "int4, int4", "int4", FN, int_modulo },
    { 947,  "mod", "int8, int8", "int8", FN, int_modulo },
    { 5044, "gcd", "int4, int4", "int4", FN, int4_gcd },
    { 5045, "gcd", "int8, int8", "int8", FN, int8_gcd },
    { 5046, "lcm", "int4, int4", "int4", FN, int4_lcm },
    { 5047, "lcm", "int8, int8", "int8", FN, int8_lcm },
    { 0 }
};
/* clang-format on */
