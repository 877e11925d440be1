/* fn_ordered_set.c - aggregates WITHIN GROUP (ORDER BY ...): percentiles, mode, and the rank a row would have.
 *
 * Rows are stepped in the order that the call asks for; the direct arguments stand in front of the ordered ones and are the
 * same in every row.
 */
#include <math.h>

#include "executor/functions/families.h"
#include "storage/base/list.h"
#include "storage/types/type_array.h"
#include "storage/types/type_interval.h"

/* ---- percentiles ---- */

typedef struct PercentileState {
    bool begun;
    Value fraction; /* the direct argument */
    VEC(Value) values;
} PercentileState;

static Status percentile_step(AggCtx *ctx, void *state, const Value *args)
{
    PercentileState *s = state;
    Arena *arena = ctx->fn.type.arena;
    if (!s->begun) {
        s->fraction = args[0].null ? args[0] : value_copy(type_find(ctx->fn.arg_types[0].oid), args[0], arena);
        s->begun = true;
    }
    if (!args[1].null) VEC_PUSH(arena, s->values, value_copy(type_find(ctx->fn.arg_types[1].oid), args[1], arena));
    return ST_OK;
}

static Status check_fraction(AggCtx *ctx, double fraction)
{
    if (fraction >= 0 && fraction <= 1) return ST_OK;
    return err_set(ctx->fn.type.err, ctx->fn.type.arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE,
                   "percentile value %g is not between 0 and 1", fraction);
}

/* One answer of the sorted values, of which there is at least one. */
typedef Status (*Pick)(AggCtx *ctx, const PercentileState *s, double fraction, Value *out);

static Status pick_discrete(AggCtx *ctx, const PercentileState *s, double fraction, Value *out)
{
    int row = (int)ceil(fraction * s->values.count);
    *out = s->values.items[row > 0 ? row - 1 : 0];
    return ST_OK;
}

static Status pick_float(AggCtx *ctx, const PercentileState *s, double fraction, Value *out)
{
    double place = fraction * (s->values.count - 1);
    double low = s->values.items[(int)floor(place)].f, high = s->values.items[(int)ceil(place)].f;
    *out = floor(place) == ceil(place) ? value_float(low) : value_float(low + (place - floor(place)) * (high - low));
    return ST_OK;
}

static Status pick_interval(AggCtx *ctx, const PercentileState *s, double fraction, Value *out)
{
    double place = fraction * (s->values.count - 1);
    Interval low = interval_load(s->values.items[(int)floor(place)]);
    Interval high = interval_load(s->values.items[(int)ceil(place)]), part;
    TRY(interval_sub(&ctx->fn.type, high, low, &part));
    TRY(interval_mul(&ctx->fn.type, part, place - floor(place), &part));
    TRY(interval_add(&ctx->fn.type, low, part, &low));
    *out = interval_store(low, ctx->fn.type.arena);
    return ST_OK;
}

static Status pick_continuous(AggCtx *ctx, const PercentileState *s, double fraction, Value *out)
{
    bool interval = ctx->fn.arg_types[1].oid == OID_INTERVAL;
    return interval ? pick_interval(ctx, s, fraction, out) : pick_float(ctx, s, fraction, out);
}

static Status one_percentile(AggCtx *ctx, const PercentileState *s, Pick pick, Value *out)
{
    *out = VALUE_NULL;
    if (!s->begun || s->fraction.null) return ST_OK;
    TRY(check_fraction(ctx, s->fraction.f));
    return s->values.count ? pick(ctx, s, s->fraction.f, out) : ST_OK;
}

static Status many_percentiles(AggCtx *ctx, const PercentileState *s, Pick pick, Value *out)
{
    Array fractions;
    *out = VALUE_NULL;
    if (!s->begun || s->fraction.null || !s->values.count) return ST_OK;
    array_open(s->fraction, &fractions);
    Value *items = ARENA_ARRAY(ctx->fn.type.arena, Value, fractions.count + 1);
    for (int i = 0; i < fractions.count; i++) {
        Value fraction = array_element(&fractions, i);
        items[i] = VALUE_NULL;
        if (fraction.null) continue;
        TRY(check_fraction(ctx, fraction.f));
        TRY(pick(ctx, s, fraction.f, &items[i]));
    }
    ArrayShape shape = {fractions.dimension_count, fractions.lengths, fractions.lower_bounds};
    return array_build_shaped(&ctx->fn.type, ctx->fn.arg_types[1].oid, items, shape, out);
}

static Status discrete(AggCtx *ctx, void *state, Value *out)
{
    return one_percentile(ctx, state, pick_discrete, out);
}

static Status continuous(AggCtx *ctx, void *state, Value *out)
{
    return one_percentile(ctx, state, pick_continuous, out);
}

static Status discrete_many(AggCtx *ctx, void *state, Value *out)
{
    return many_percentiles(ctx, state, pick_discrete, out);
}

static Status continuous_many(AggCtx *ctx, void *state, Value *out)
{
    return many_percentiles(ctx, state, pick_continuous, out);
}

/* ---- mode: the value of the longest run, the first of several ---- */

typedef struct ModeState {
    Value best, current;
    int64_t best_count, current_count;
} ModeState;

static Status mode_step(AggCtx *ctx, void *state, const Value *args)
{
    ModeState *s = state;
    const TypeDef *type = type_find(ctx->fn.arg_types[0].oid);
    if (args[0].null) return ST_OK;
    if (!s->current_count || type_compare(type, s->current, args[0]) != 0) {
        s->current = value_copy(type, args[0], ctx->fn.type.arena);
        s->current_count = 0;
    }
    if (++s->current_count > s->best_count) {
        s->best = s->current;
        s->best_count = s->current_count;
    }
    return ST_OK;
}

static Status mode_final(AggCtx *ctx, void *state, Value *out)
{
    const ModeState *s = state;
    *out = s->best_count ? s->best : VALUE_NULL;
    return ST_OK;
}

/* ---- hypothetical rows ---- */

typedef struct RankState {
    int64_t rows, before, equal; /* rows in all; that sort before the hypothetical one; that are its peers */
    int64_t distinct_before;
    Value *last; /* of the rows before it: the ordered arguments of the latest */
} RankState;

static int compare_one(const AggCtx *ctx, int key, Value a, Value b)
{
    const struct AggOrder *order = &ctx->order[key];
    if (a.null || b.null) return a.null == b.null ? 0 : a.null == order->nulls_first ? -1 : 1;
    int result = type_compare(type_find(ctx->fn.arg_types[ctx->order_count + key].oid), a, b);
    return order->descending ? (result < 0) - (result > 0) : result;
}

static int compare_rows(const AggCtx *ctx, const Value *a, const Value *b)
{
    int result = 0;
    for (int i = 0; i < ctx->order_count && !result; i++) result = compare_one(ctx, i, a[i], b[i]);
    return result;
}

static Status rank_step(AggCtx *ctx, void *state, const Value *args)
{
    RankState *s = state;
    const Value *row = args + ctx->order_count;
    int order = compare_rows(ctx, row, args);
    s->rows++;
    s->equal += order == 0;
    if (order >= 0) return ST_OK;
    s->before++;
    if (s->last && compare_rows(ctx, s->last, row) == 0) return ST_OK;
    s->distinct_before++;
    if (!s->last) s->last = ARENA_ARRAY(ctx->fn.type.arena, Value, ctx->order_count);
    for (int i = 0; i < ctx->order_count; i++)
        s->last[i] = row[i].null ? row[i] : value_copy(type_find(ctx->fn.arg_types[ctx->order_count + i].oid), row[i],
                                                       ctx->fn.type.arena);
    return ST_OK;
}

#define RANK_FINAL(name, result)                                                                                     \
    static Status name(AggCtx *ctx, void *state, Value *out)                                                         \
    {                                                                                                                \
        const RankState *s = state;                                                                                  \
        *out = result;                                                                                               \
        return ST_OK;                                                                                                \
    }
RANK_FINAL(rank, value_int(s->before + 1))
RANK_FINAL(dense_rank, value_int(s->distinct_before + 1))
RANK_FINAL(percent_rank, value_float(s->rows ? (double)s->before / (double)s->rows : 0))
RANK_FINAL(cume_dist, value_float((double)(s->before + s->equal + 1) / (double)(s->rows + 1)))

/* clang-format off */
#define SORTED AGG_ORDERED_SET | AGG_ORDER_MATTERS
#define PERCENTILE SORTED, sizeof(PercentileState), percentile_step
#define RANK AGG_HYPOTHETICAL | AGG_VARIADIC | AGG_ORDER_MATTERS, sizeof(RankState), rank_step
const AggDef fn_ordered_set_rows[] = {
    { 3992, "dense_rank", "any",                    "int8",        RANK, dense_rank },
    { 3990, "cume_dist", "any",                     "float8",      RANK, cume_dist },
    { 3984, "mode", "anyelement",                   "anyelement",  SORTED, sizeof(ModeState), mode_step, mode_final },
    { 3974, "percentile_cont", "float8, float8",    "float8",      PERCENTILE, continuous },
    { 3976, "percentile_cont", "float8, interval",  "interval",    PERCENTILE, continuous },
    { 3980, "percentile_cont", "_float8, float8",   "_float8",     PERCENTILE, continuous_many },
    { 3982, "percentile_cont", "_float8, interval", "_interval",   PERCENTILE, continuous_many },
    { 3972, "percentile_disc", "float8, anyelement",  "anyelement", PERCENTILE, discrete },
    { 3978, "percentile_disc", "_float8, anyelement", "anyarray",   PERCENTILE, discrete_many },
    { 3988, "percent_rank", "any",                  "float8",      RANK, percent_rank },
    { 3986, "rank", "any",                          "int8",        RANK, rank },
    { 0 }
};
/* clang-format on */
