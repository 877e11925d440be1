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

/* clang-format off */
const AggDef fn_collect_rows[] = {
    { 2335, "array_agg", "anynonarray",   "anyarray", AGG_ORDER_MATTERS, sizeof(ArrayState), array_agg_step,  array_agg_final },
    { 3538, "string_agg", "text, text",   "text",     AGG_ORDER_MATTERS, sizeof(TextState),  string_agg_step, string_agg_final },
    { 3545, "string_agg", "bytea, bytea", "bytea",    AGG_ORDER_MATTERS, sizeof(TextState),  string_agg_step, string_agg_final },
    { 0 }
};
/* clang-format on */
