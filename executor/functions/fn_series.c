/* fn_series.c - set-returning functions over numbers, times and arrays. */
#include "executor/functions/families.h"
#include "storage/types/type_array.h"
#include "storage/types/type_numeric.h"
#include "storage/types/type_timestamp.h"

static Status step_is_zero(FnCtx *ctx)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "step size cannot equal zero");
}

/* ---- generate_series over integers ---- */

typedef struct IntSeries {
    int64_t next, stop, step;
    bool done;
} IntSeries;

static Status int_start(FnCtx *ctx, void *state, const Value *args)
{
    *(IntSeries *)state = (IntSeries){args[0].i, args[1].i, ctx->arg_count > 2 ? args[2].i : 1, false};
    return ((IntSeries *)state)->step == 0 ? step_is_zero(ctx) : ST_OK;
}

static Status int_next(FnCtx *ctx, void *state, Value *out)
{
    IntSeries *s = state;
    if (s->done || (s->step > 0 ? s->next > s->stop : s->next < s->stop)) return ST_END;
    *out = value_int(s->next);
    s->done = __builtin_add_overflow(s->next, s->step, &s->next);
    return ST_OK;
}

static const FnRows int_rows = {sizeof(IntSeries), int_start, int_next, NULL};

/* ---- over numerics ---- */

typedef struct NumericSeries {
    Value next, stop, step;
    Arena *arena; /* the running value outlives the batch */
} NumericSeries;

static Status numeric_is_finite(FnCtx *ctx, Value v, const char *what)
{
    if (numeric_kind(v) == NUMERIC_FINITE) return ST_OK;
    return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "%s cannot be %s", what,
                   numeric_kind(v) == NUMERIC_NAN ? "NaN" : "infinity");
}

static Status numeric_start(FnCtx *ctx, void *state, const Value *args)
{
    NumericSeries *s = state;
    TRY(numeric_is_finite(ctx, args[0], "start value"));
    TRY(numeric_is_finite(ctx, args[1], "stop value"));
    if (ctx->arg_count > 2) TRY(numeric_is_finite(ctx, args[2], "step size"));
    const TypeDef *type = type_find(OID_NUMERIC);
    s->arena = ctx->site_arena;
    s->next = value_copy(type, args[0], s->arena);
    s->stop = value_copy(type, args[1], s->arena);
    s->step = ctx->arg_count > 2 ? value_copy(type, args[2], s->arena) : numeric_from_int(1, s->arena);
    return numeric_sign(s->step) == 0 ? step_is_zero(ctx) : ST_OK;
}

static Status numeric_next(FnCtx *ctx, void *state, Value *out)
{
    NumericSeries *s = state;
    TypeCtx longer = {s->arena, ctx->type.env, ctx->type.err};
    if (numeric_compare(s->next, s->stop) * numeric_sign(s->step) > 0) return ST_END;
    *out = s->next;
    return numeric_add(&longer, s->next, s->step, &s->next);
}

static const FnRows numeric_rows = {sizeof(NumericSeries), numeric_start, numeric_next, NULL};

/* ---- over times ---- */

typedef struct TimeSeries {
    int64_t next, stop;
    Interval step;
    int sign;
} TimeSeries;

static Status time_start(FnCtx *ctx, void *state, const Value *args)
{
    TimeSeries *s = state;
    *s = (TimeSeries){args[0].i, args[1].i, interval_load(args[2]), 0};
    s->sign = interval_compare(s->step, (Interval){0});
    return s->sign == 0 ? step_is_zero(ctx) : ST_OK;
}

static Status time_next(FnCtx *ctx, void *state, Value *out)
{
    TimeSeries *s = state;
    if (s->sign > 0 ? s->next > s->stop : s->next < s->stop) return ST_END;
    *out = value_int(s->next);
    if (ctx->arg_types[0].oid == OID_TIMESTAMPTZ)
        return timestamptz_add_interval(&ctx->type, s->next, s->step, ctx->type.env->time_zone, &s->next);
    return timestamp_add_interval(&ctx->type, s->next, s->step, &s->next);
}

static const FnRows time_rows = {sizeof(TimeSeries), time_start, time_next, NULL};

/* ---- over arrays ---- */

typedef struct ArraySeries {
    Array array;
    int next;
} ArraySeries;

static Status unnest_start(FnCtx *ctx, void *state, const Value *args)
{
    ArraySeries *s = state;
    array_open(args[0], &s->array);
    return ST_OK;
}

static Status unnest_next(FnCtx *ctx, void *state, Value *out)
{
    ArraySeries *s = state;
    if (s->next >= s->array.count) return ST_END;
    *out = array_element(&s->array, s->next++);
    return ST_OK;
}

static const FnRows unnest_rows = {sizeof(ArraySeries), unnest_start, unnest_next, NULL};

/* information_schema._pg_expandarray: the elements and their numbers from 1, whatever the array's own bounds. */
static Status expand_next(FnCtx *ctx, void *state, Value *out)
{
    ArraySeries *s = state;
    TRY(unnest_next(ctx, state, &out[0]));
    out[1] = value_int(s->next);
    return ST_OK;
}

static const FnRows expand_rows[] = {
    {sizeof(ArraySeries), unnest_start, expand_next, "x int2, n int4"},
    {sizeof(ArraySeries), unnest_start, expand_next, "x oid, n int4"},
};

static Status subscripts_start(FnCtx *ctx, void *state, const Value *args)
{
    Array array;
    int64_t dimension = args[1].i;
    bool backwards = ctx->arg_count > 2 && args[2].i;
    array_open(args[0], &array);
    *(IntSeries *)state = (IntSeries){.done = true};
    if (dimension < 1 || dimension > array.dimension_count) return ST_OK;
    int64_t first = array.lower_bounds[dimension - 1], last = first + array.lengths[dimension - 1] - 1;
    *(IntSeries *)state = backwards ? (IntSeries){last, first, -1, false} : (IntSeries){first, last, 1, false};
    return ST_OK;
}

static const FnRows subscript_rows = {sizeof(IntSeries), subscripts_start, int_next, NULL};

/* clang-format off */
#define SET FN_STRICT | FN_IMMUTABLE | FN_SET, NULL, NULL
const FuncDef fn_series_rows[] = {
    { 1067, "generate_series", "int4, int4",             "int4",    SET, &int_rows },
    { 1066, "generate_series", "int4, int4, int4",       "int4",    SET, &int_rows },
    { 1069, "generate_series", "int8, int8",             "int8",    SET, &int_rows },
    { 1068, "generate_series", "int8, int8, int8",       "int8",    SET, &int_rows },
    { 3260, "generate_series", "numeric, numeric",       "numeric", SET, &numeric_rows },
    { 3259, "generate_series", "numeric, numeric, numeric", "numeric", SET, &numeric_rows },
    { 938, "generate_series", "timestamp, timestamp, interval",     "timestamp",   SET, &time_rows },
    { 939, "generate_series", "timestamptz, timestamptz, interval", "timestamptz", FN_STRICT | FN_STABLE | FN_SET, NULL, NULL, &time_rows },
    { 1192, "generate_subscripts", "anyarray, int4",       "int4", SET, &subscript_rows },
    { 1191, "generate_subscripts", "anyarray, int4, bool", "int4", SET, &subscript_rows },
    { 9620, "information_schema._pg_expandarray", "int2vector", "record", SET, &expand_rows[0] },
    { 9621, "information_schema._pg_expandarray", "oidvector", "record", SET, &expand_rows[1] },
    { 2331, "unnest", "anyarray",                          "anyelement", SET, &unnest_rows },
    { 0 }
};
/* clang-format on */
