/* fn_collect.c - aggregates that collect their input: string_agg, array_agg. */
#include "executor/functions/families.h"
#include "storage/types/type_array.h"

/* ---- string_agg ---- */

typedef struct TextState {
    bool any;
    Buf *buf; /* released with the group's arena */
} TextState;

static Status string_agg_step(AggCtx *ctx, void *state, const Value *args)
{
    TextState *s = state;
    if (args[0].null) return ST_OK;
    if (!s->buf) {
        s->buf = ARENA_NEW(ctx->fn.type.arena, Buf);
        arena_defer(ctx->fn.type.arena, buf_finish_deferred, s->buf);
    }
    if (s->any && !args[1].null) buf_put(s->buf, args[1].p, args[1].size);
    buf_put(s->buf, args[0].p, args[0].size);
    s->any = true;
    return s->buf->failed ? err_no_memory(ctx->fn.type.err) : ST_OK;
}

static Status string_agg_final(AggCtx *ctx, void *state, Value *out)
{
    TextState *s = state;
    *out = s->any ? value_slice(buf_slice(s->buf)) : VALUE_NULL;
    return ST_OK;
}

/* ---- array_agg ---- */

typedef struct ArrayState {
    Value *items;
    int count, room;
} ArrayState;

static Status array_agg_step(AggCtx *ctx, void *state, const Value *args)
{
    ArrayState *s = state;
    Arena *arena = ctx->fn.type.arena;
    if (s->count == s->room) {
        int room = s->room ? s->room * 2 : 8;
        s->items = arena_grow(arena, s->items, sizeof(Value) * (size_t)s->room, sizeof(Value) * (size_t)room);
        s->room = room;
    }
    const TypeDef *type = type_find(ctx->fn.arg_types[0].oid);
    s->items[s->count++] = args[0].null ? VALUE_NULL : value_copy(type, args[0], arena);
    return ST_OK;
}

static Status array_agg_final(AggCtx *ctx, void *state, Value *out)
{
    ArrayState *s = state;
    *out = VALUE_NULL;
    return s->count ? array_build(&ctx->fn.type, ctx->fn.arg_types[0].oid, s->items, s->count, out) : ST_OK;
}

/* ---- array_agg of arrays: one dimension more ---- */

static Status cannot_accumulate(AggCtx *ctx, SqlState code, const char *what)
{
    return err_set(ctx->fn.type.err, ctx->fn.type.arena, code, "cannot accumulate %s", what);
}

static Status array_agg_arrays_step(AggCtx *ctx, void *state, const Value *args)
{
    ArrayState *s = state;
    Array first, next;
    if (args[0].null) return cannot_accumulate(ctx, ERR_NULL_VALUE_NOT_ALLOWED, "null arrays");
    array_open(args[0], &next);
    if (next.count == 0) return cannot_accumulate(ctx, ERR_ARRAY_SUBSCRIPT_ERROR, "empty arrays");
    if (s->count) {
        array_open(s->items[0], &first);
        bool same = first.dimension_count == next.dimension_count;
        for (int d = 0; same && d < next.dimension_count; d++) same = first.lengths[d] == next.lengths[d];
        if (!same) return cannot_accumulate(ctx, ERR_ARRAY_SUBSCRIPT_ERROR, "arrays of different dimensionality");
    } else if (next.dimension_count == ARRAY_DIMENSIONS_MAX) {
        return err_set(ctx->fn.type.err, ctx->fn.type.arena, ERR_PROGRAM_LIMIT_EXCEEDED,
                       "number of array dimensions (%d) exceeds the maximum allowed (%d)", ARRAY_DIMENSIONS_MAX + 1,
                       ARRAY_DIMENSIONS_MAX);
    }
    return array_agg_step(ctx, state, args);
}

static Status array_agg_arrays_final(AggCtx *ctx, void *state, Value *out)
{
    const ArrayState *s = state;
    Array first, next;
    int32_t lengths[ARRAY_DIMENSIONS_MAX], bounds[ARRAY_DIMENSIONS_MAX];
    *out = VALUE_NULL;
    if (!s->count) return ST_OK;
    array_open(s->items[0], &first);
    Value *items = ARENA_ARRAY(ctx->fn.type.arena, Value, (size_t)s->count * (size_t)first.count);
    for (int a = 0; a < s->count; a++) {
        array_open(s->items[a], &next);
        for (int i = 0; i < next.count; i++) items[a * first.count + i] = array_element(&next, i);
    }
    lengths[0] = s->count;
    bounds[0] = 1;
    memcpy(lengths + 1, first.lengths, sizeof(int32_t) * (ARRAY_DIMENSIONS_MAX - 1));
    memcpy(bounds + 1, first.lower_bounds, sizeof(int32_t) * (ARRAY_DIMENSIONS_MAX - 1));
    return array_build_shaped(&ctx->fn.type, first.element, items, (ArrayShape){first.dimension_count + 1, lengths, bounds}, out);
}

/* clang-format off */
const AggDef fn_collect_rows[] = {
    { 2335, "array_agg", "anynonarray",   "anyarray", AGG_ORDER_MATTERS, sizeof(ArrayState), array_agg_step,  array_agg_final },
    { 4053, "array_agg", "anyarray",      "anyarray", AGG_ORDER_MATTERS, sizeof(ArrayState), array_agg_arrays_step, array_agg_arrays_final },
    { 3538, "string_agg", "text, text",   "text",     AGG_ORDER_MATTERS, sizeof(TextState),  string_agg_step, string_agg_final },
    { 3545, "string_agg", "bytea, bytea", "bytea",    AGG_ORDER_MATTERS, sizeof(TextState),  string_agg_step, string_agg_final },
    { 0 }
};
/* clang-format on */
