/* fn_aggregate.c - count, sums, averages, extremes, and the aggregates of booleans and bits.
 *
 * A state is zeroed memory; `count` in it says whether anything came. Statistical aggregates are in fn_statistics.c, those
 * that collect values in fn_collect.c.
 */
#include "executor/functions/families.h"
#include "storage/types/type_interval.h"
#include "storage/types/type_numeric.h"

/* ---- count ---- */

typedef struct CountState {
    int64_t count;
} CountState;

static Status count_step(AggCtx *ctx, void *state, const Value *args)
{
    ((CountState *)state)->count++;
    return ST_OK;
}

static Status count_unstep(AggCtx *ctx, void *state, const Value *args)
{
    ((CountState *)state)->count--;
    return ST_OK;
}

static Status count_final(AggCtx *ctx, void *state, Value *out)
{
    *out = value_int(((CountState *)state)->count);
    return ST_OK;
}

static Status count_merge(AggCtx *ctx, void *state, const void *other)
{
    ((CountState *)state)->count += ((const CountState *)other)->count;
    return ST_OK;
}

/* ---- sums of int2 and int4: bigint, exact ---- */

typedef struct IntSumState {
    int64_t count;
    __int128 sum;
} IntSumState;

static Status int_sum_step(AggCtx *ctx, void *state, const Value *args)
{
    IntSumState *s = state;
    s->count++;
    s->sum += args[0].i;
    return ST_OK;
}

static Status int_sum_unstep(AggCtx *ctx, void *state, const Value *args)
{
    IntSumState *s = state;
    s->count--;
    s->sum -= args[0].i;
    return ST_OK;
}

static Status int_sum_merge(AggCtx *ctx, void *state, const void *other)
{
    IntSumState *s = state;
    s->count += ((const IntSumState *)other)->count;
    s->sum += ((const IntSumState *)other)->sum;
    return ST_OK;
}

static Status int_sum_final(AggCtx *ctx, void *state, Value *out)
{
    IntSumState *s = state;
    if (s->count && (s->sum > INT64_MAX || s->sum < INT64_MIN))
        return err_set(ctx->fn.type.err, ctx->fn.type.arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "bigint out of range");
    *out = s->count ? value_int((int64_t)s->sum) : VALUE_NULL;
    return ST_OK;
}

static Status big_sum_final(AggCtx *ctx, void *state, Value *out)
{
    IntSumState *s = state;
    *out = s->count ? numeric_from_int128(s->sum, 0, ctx->fn.type.arena) : VALUE_NULL;
    return ST_OK;
}

static Status int_average_final(AggCtx *ctx, void *state, Value *out)
{
    IntSumState *s = state;
    Arena *arena = ctx->fn.type.arena;
    *out = VALUE_NULL;
    if (!s->count) return ST_OK;
    return numeric_div(&ctx->fn.type, numeric_from_int128(s->sum, 0, arena), numeric_from_int(s->count, arena), out);
}

/* ---- numeric ---- */

static Status numeric_step(AggCtx *ctx, void *state, const Value *args)
{
    return numeric_sum_add(state, &ctx->fn.type, args[0]);
}

static Status numeric_merge(AggCtx *ctx, void *state, const void *other)
{
    return numeric_sum_merge(state, &ctx->fn.type, other);
}

static Status numeric_sum_final(AggCtx *ctx, void *state, Value *out)
{
    *out = VALUE_NULL;
    return ((NumericSum *)state)->count ? numeric_sum_total(state, &ctx->fn.type, out) : ST_OK;
}

static Status numeric_average_final(AggCtx *ctx, void *state, Value *out)
{
    *out = VALUE_NULL;
    return ((NumericSum *)state)->count ? numeric_sum_average(state, &ctx->fn.type, out) : ST_OK;
}

/* ---- floats ---- */

typedef struct FloatState {
    int64_t count;
    double sum;
} FloatState;

static Status float_step(AggCtx *ctx, void *state, const Value *args)
{
    FloatState *s = state;
    s->count++;
    s->sum += args[0].f;
    return ST_OK;
}

static Status float_merge(AggCtx *ctx, void *state, const void *other)
{
    FloatState *s = state;
    s->count += ((const FloatState *)other)->count;
    s->sum += ((const FloatState *)other)->sum;
    return ST_OK;
}

static Status float4_sum_final(AggCtx *ctx, void *state, Value *out)
{
    FloatState *s = state;
    *out = s->count ? value_float((double)(float)s->sum) : VALUE_NULL;
    return ST_OK;
}

static Status float8_sum_final(AggCtx *ctx, void *state, Value *out)
{
    FloatState *s = state;
    *out = s->count ? value_float(s->sum) : VALUE_NULL;
    return ST_OK;
}

static Status float_average_final(AggCtx *ctx, void *state, Value *out)
{
    FloatState *s = state;
    *out = s->count ? value_float(s->sum / (double)s->count) : VALUE_NULL;
    return ST_OK;
}

/* ---- intervals ---- */

typedef struct IntervalState {
    int64_t count;
    Interval sum;
} IntervalState;

static Status interval_step(AggCtx *ctx, void *state, const Value *args)
{
    IntervalState *s = state;
    s->count++;
    return interval_add(&ctx->fn.type, s->sum, interval_load(args[0]), &s->sum);
}

static Status interval_sum_final(AggCtx *ctx, void *state, Value *out)
{
    IntervalState *s = state;
    *out = s->count ? interval_store(s->sum, ctx->fn.type.arena) : VALUE_NULL;
    return ST_OK;
}

static Status interval_average_final(AggCtx *ctx, void *state, Value *out)
{
    IntervalState *s = state;
    Interval average;
    *out = VALUE_NULL;
    if (!s->count) return ST_OK;
    TRY(interval_div(&ctx->fn.type, s->sum, (double)s->count, &average));
    *out = interval_store(average, ctx->fn.type.arena);
    return ST_OK;
}

/* ---- min and max of anything that has an order ---- */

typedef struct ExtremeState {
    bool any;
    Value value;
    uint32_t room; /* bytes behind value.p */
    uint8_t *bytes;
} ExtremeState;

/* The kept value is copied, into the same room as long as it fits: a long text column must not fill the arena. */
static void keep(AggCtx *ctx, const TypeDef *type, ExtremeState *s, Value v)
{
    if (type->rep == REP_BYTES) {
        if (v.size > s->room || !s->bytes) {
            s->room = v.size * 2 + 16;
            s->bytes = arena_alloc(ctx->fn.type.arena, s->room);
        }
        if (v.size) memmove(s->bytes, v.p, v.size);
        v.p = s->bytes;
    }
    s->value = v;
    s->any = true;
}

static Status extreme_step(AggCtx *ctx, ExtremeState *s, Value v, int sign)
{
    const TypeDef *type = type_find(ctx->fn.arg_types[0].oid);
    if (!type->compare)
        return err_set(ctx->fn.type.err, ctx->fn.type.arena, ERR_UNDEFINED_FUNCTION,
                       "could not identify a comparison function for type %s", type->sql_name);
    /* Of equal values that look different (1.0 and 1.00) the last one is kept. */
    if (!s->any || type_compare(type, v, s->value) * sign >= 0) keep(ctx, type, s, v);
    return ST_OK;
}

static Status min_step(AggCtx *ctx, void *state, const Value *args)
{
    return extreme_step(ctx, state, args[0], -1);
}

static Status max_step(AggCtx *ctx, void *state, const Value *args)
{
    return extreme_step(ctx, state, args[0], 1);
}

static Status min_merge(AggCtx *ctx, void *state, const void *other)
{
    const ExtremeState *o = other;
    return o->any ? extreme_step(ctx, state, o->value, -1) : ST_OK;
}

static Status max_merge(AggCtx *ctx, void *state, const void *other)
{
    const ExtremeState *o = other;
    return o->any ? extreme_step(ctx, state, o->value, 1) : ST_OK;
}

static Status extreme_final(AggCtx *ctx, void *state, Value *out)
{
    ExtremeState *s = state;
    *out = s->any ? s->value : VALUE_NULL;
    return ST_OK;
}

/* ---- booleans and bits ---- */

typedef struct BitState {
    int64_t count, value;
} BitState;

#define FOLD(name, expression)                                                                                       \
    static Status name(AggCtx *ctx, void *state, const Value *args)                                                  \
    {                                                                                                                \
        BitState *s = state;                                                                                         \
        int64_t a = s->value, b = args[0].i;                                                                         \
        s->value = s->count++ ? (expression) : b;                                                                    \
        return ST_OK;                                                                                                \
    }
FOLD(and_step, a &b)
FOLD(or_step, a | b)
FOLD(xor_step, a ^ b)

static Status bit_final(AggCtx *ctx, void *state, Value *out)
{
    BitState *s = state;
    *out = s->count ? value_int(s->value) : VALUE_NULL;
    return ST_OK;
}

/* clang-format off */
#define STRICT AGG_STRICT
#define MINMAX sizeof(ExtremeState)
const AggDef fn_aggregate_rows[] = {
    { 2803, "count", "*",        "int8",     0,      sizeof(CountState),  count_step,    count_final,            count_merge,   count_unstep },
    { 2147, "count", "any",      "int8",     STRICT, sizeof(CountState),  count_step,    count_final,            count_merge,   count_unstep },
    { 2109, "sum", "int2",       "int8",     STRICT, sizeof(IntSumState), int_sum_step,  int_sum_final,          int_sum_merge, int_sum_unstep },
    { 2108, "sum", "int4",       "int8",     STRICT, sizeof(IntSumState), int_sum_step,  int_sum_final,          int_sum_merge, int_sum_unstep },
    { 2107, "sum", "int8",       "numeric",  STRICT, sizeof(IntSumState), int_sum_step,  big_sum_final,          int_sum_merge, int_sum_unstep },
    { 2110, "sum", "float4",     "float4",   STRICT, sizeof(FloatState),  float_step,    float4_sum_final,       float_merge },
    { 2111, "sum", "float8",     "float8",   STRICT, sizeof(FloatState),  float_step,    float8_sum_final,       float_merge },
    { 2114, "sum", "numeric",    "numeric",  STRICT, sizeof(NumericSum),  numeric_step,  numeric_sum_final,      numeric_merge },
    { 2113, "sum", "interval",   "interval", STRICT, sizeof(IntervalState), interval_step, interval_sum_final },
    { 2102, "avg", "int2",       "numeric",  STRICT, sizeof(IntSumState), int_sum_step,  int_average_final,      int_sum_merge, int_sum_unstep },
    { 2101, "avg", "int4",       "numeric",  STRICT, sizeof(IntSumState), int_sum_step,  int_average_final,      int_sum_merge, int_sum_unstep },
    { 2100, "avg", "int8",       "numeric",  STRICT, sizeof(IntSumState), int_sum_step,  int_average_final,      int_sum_merge, int_sum_unstep },
    { 2104, "avg", "float4",     "float8",   STRICT, sizeof(FloatState),  float_step,    float_average_final,    float_merge },
    { 2105, "avg", "float8",     "float8",   STRICT, sizeof(FloatState),  float_step,    float_average_final,    float_merge },
    { 2103, "avg", "numeric",    "numeric",  STRICT, sizeof(NumericSum),  numeric_step,  numeric_average_final,  numeric_merge },
    { 2106, "avg", "interval",   "interval", STRICT, sizeof(IntervalState), interval_step, interval_average_final },
    { 2133, "min", "int2",        "int2",        STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 2132, "min", "int4",        "int4",        STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 2131, "min", "int8",        "int8",        STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 2134, "min", "oid",         "oid",         STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 2135, "min", "float4",      "float4",      STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 2136, "min", "float8",      "float8",      STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 2146, "min", "numeric",     "numeric",     STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 2145, "min", "text",        "text",        STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 2245, "min", "bpchar",      "bpchar",      STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 2138, "min", "date",        "date",        STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 2139, "min", "time",        "time",        STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 2140, "min", "timetz",      "timetz",      STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 2142, "min", "timestamp",   "timestamp",   STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 2143, "min", "timestamptz", "timestamptz", STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 2144, "min", "interval",    "interval",    STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 2141, "min", "money",       "money",       STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 9740, "min", "citext",      "citext",      STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 3565, "min", "inet",        "inet",        STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 4190, "min", "pg_lsn",      "pg_lsn",      STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 2051, "min", "anyarray",    "anyarray",    STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 3527, "min", "anyenum",     "anyenum",     STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 9011, "min", "uuid",        "uuid",        STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 9012, "min", "bytea",       "bytea",       STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 9013, "min", "bool",        "bool",        STRICT, MINMAX, min_step, extreme_final, min_merge },
    { 2117, "max", "int2",        "int2",        STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 2116, "max", "int4",        "int4",        STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 2115, "max", "int8",        "int8",        STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 2118, "max", "oid",         "oid",         STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 2119, "max", "float4",      "float4",      STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 2120, "max", "float8",      "float8",      STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 2130, "max", "numeric",     "numeric",     STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 2129, "max", "text",        "text",        STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 2244, "max", "bpchar",      "bpchar",      STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 2122, "max", "date",        "date",        STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 2123, "max", "time",        "time",        STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 2124, "max", "timetz",      "timetz",      STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 2126, "max", "timestamp",   "timestamp",   STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 2127, "max", "timestamptz", "timestamptz", STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 2128, "max", "interval",    "interval",    STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 2125, "max", "money",       "money",       STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 9741, "max", "citext",      "citext",      STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 3564, "max", "inet",        "inet",        STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 4189, "max", "pg_lsn",      "pg_lsn",      STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 2050, "max", "anyarray",    "anyarray",    STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 3526, "max", "anyenum",     "anyenum",     STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 9014, "max", "uuid",        "uuid",        STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 9015, "max", "bytea",       "bytea",       STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 9016, "max", "bool",        "bool",        STRICT, MINMAX, max_step, extreme_final, max_merge },
    { 2517, "bool_and", "bool",  "bool", STRICT, sizeof(BitState), and_step, bit_final },
    { 2519, "every", "bool",     "bool", STRICT, sizeof(BitState), and_step, bit_final },
    { 2518, "bool_or", "bool",   "bool", STRICT, sizeof(BitState), or_step,  bit_final },
    { 2236, "bit_and", "int2",   "int2", STRICT, sizeof(BitState), and_step, bit_final },
    { 2238, "bit_and", "int4",   "int4", STRICT, sizeof(BitState), and_step, bit_final },
    { 2240, "bit_and", "int8",   "int8", STRICT, sizeof(BitState), and_step, bit_final },
    { 2237, "bit_or", "int2",    "int2", STRICT, sizeof(BitState), or_step,  bit_final },
    { 2239, "bit_or", "int4",    "int4", STRICT, sizeof(BitState), or_step,  bit_final },
    { 2241, "bit_or", "int8",    "int8", STRICT, sizeof(BitState), or_step,  bit_final },
    { 6164, "bit_xor", "int2",   "int2", STRICT, sizeof(BitState), xor_step, bit_final },
    { 6165, "bit_xor", "int4",   "int4", STRICT, sizeof(BitState), xor_step, bit_final },
    { 6166, "bit_xor", "int8",   "int8", STRICT, sizeof(BitState), xor_step, bit_final },
    { 0 }
};
/* clang-format on */
