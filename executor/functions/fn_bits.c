/* fn_bits.c - bytea as a row of bytes and bits: trimming, overlay, position, single bits. */
#include "executor/functions/families.h"

/* ---- trim: bytes of a set at either end ---- */

static bool has_byte(Slice set, uint8_t byte)
{
    return set.size && memchr(set.data, byte, set.size);
}

static Status trim_ends(const Value *args, bool left, bool right, Value *out)
{
    Slice bytes = value_to_slice(args[0]), set = value_to_slice(args[1]);
    size_t from = 0, to = bytes.size;
    while (left && from < to && has_byte(set, bytes.data[from])) from++;
    while (right && to > from && has_byte(set, bytes.data[to - 1])) to--;
    *out = value_bytes(bytes.data + from, to - from);
    return ST_OK;
}

static Status trim_both(FnCtx *ctx, const Value *args, Value *out)
{
    return trim_ends(args, true, true, out);
}

static Status trim_left(FnCtx *ctx, const Value *args, Value *out)
{
    return trim_ends(args, true, false, out);
}

static Status trim_right(FnCtx *ctx, const Value *args, Value *out)
{
    return trim_ends(args, false, true, out);
}

/* ---- overlay, position ---- */

static Status overlay_bytes(FnCtx *ctx, const Value *args, int64_t count, Value *out)
{
    int64_t start = args[2].i, after;
    Slice bytes = value_to_slice(args[0]), placed = value_to_slice(args[1]);
    if (start <= 0)
        return err_set(ctx->type.err, ctx->type.arena, ERR_SUBSTRING_ERROR, "negative substring length not allowed");
    if (__builtin_add_overflow(start, count, &after) || after > INT32_MAX)
        return err_set(ctx->type.err, ctx->type.arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "integer out of range");
    after--;
    size_t head = start - 1 < (int64_t)bytes.size ? (size_t)start - 1 : bytes.size;
    size_t tail = after < 0 ? 0 : after < (int64_t)bytes.size ? (size_t)after : bytes.size;
    size_t size = head + placed.size + bytes.size - tail;
    uint8_t *p = arena_try_alloc(ctx->type.arena, size + 1);
    if (!p) return err_no_memory(ctx->type.err);
    if (head) memcpy(p, bytes.data, head);
    if (placed.size) memcpy(p + head, placed.data, placed.size);
    if (bytes.size > tail) memcpy(p + head + placed.size, bytes.data + tail, bytes.size - tail);
    *out = value_bytes(p, size);
    return ST_OK;
}

static Status overlay(FnCtx *ctx, const Value *args, Value *out)
{
    return overlay_bytes(ctx, args, args[1].size, out);
}

static Status overlay_count(FnCtx *ctx, const Value *args, Value *out)
{
    return overlay_bytes(ctx, args, args[3].i, out);
}

static Status position(FnCtx *ctx, const Value *args, Value *out)
{
    Slice bytes = value_to_slice(args[0]), wanted = value_to_slice(args[1]);
    const uint8_t *at = wanted.size ? memmem(bytes.data, bytes.size, wanted.data, wanted.size) : bytes.data;
    *out = value_int(!wanted.size ? 1 : at ? at - bytes.data + 1 : 0);
    return ST_OK;
}

/* ---- bits: number 0 is the lowest of the first byte ---- */

static Status check_bit(FnCtx *ctx, const Value *args)
{
    int64_t bits = (int64_t)args[0].size * 8;
    if (args[1].i >= 0 && args[1].i < bits) return ST_OK;
    return err_set(ctx->type.err, ctx->type.arena, ERR_ARRAY_SUBSCRIPT_ERROR, "index %lld out of valid range, 0..%lld",
                   (long long)args[1].i, (long long)bits - 1);
}

static Status get_bit(FnCtx *ctx, const Value *args, Value *out)
{
    TRY(check_bit(ctx, args));
    *out = value_int(args[0].p[args[1].i / 8] >> (args[1].i % 8) & 1);
    return ST_OK;
}

static Status set_bit(FnCtx *ctx, const Value *args, Value *out)
{
    TRY(check_bit(ctx, args));
    if (args[2].i != 0 && args[2].i != 1)
        return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "new bit must be 0 or 1");
    uint8_t *p = arena_copy(ctx->type.arena, args[0].p, args[0].size);
    uint8_t mask = (uint8_t)(1 << (args[1].i % 8));
    p[args[1].i / 8] = args[2].i ? p[args[1].i / 8] | mask : p[args[1].i / 8] & (uint8_t)~mask;
    *out = value_bytes(p, args[0].size);
    return ST_OK;
}

static Status bit_count(FnCtx *ctx, const Value *args, Value *out)
{
    int64_t count = 0;
    for (size_t i = 0; i < args[0].size; i++) count += __builtin_popcount(args[0].p[i]);
    *out = value_int(count);
    return ST_OK;
}

/* clang-format off */
#define FN FN_STRICT | FN_IMMUTABLE
const FuncDef fn_bits_rows[] = {
    { 6163, "bit_count", "bytea",              "int8",  FN, bit_count },
    { 2015, "btrim", "bytea, bytea",           "bytea", FN, trim_both },
    { 723,  "get_bit", "bytea, int8",          "int4",  FN, get_bit },
    { 6195, "ltrim", "bytea, bytea",           "bytea", FN, trim_left },
    { 752,  "overlay", "bytea, bytea, int4",       "bytea", FN, overlay },
    { 749,  "overlay", "bytea, bytea, int4, int4", "bytea", FN, overlay_count },
    { 2014, "position", "bytea, bytea",        "int4",  FN, position },
    { 6196, "rtrim", "bytea, bytea",           "bytea", FN, trim_right },
    { 724,  "set_bit", "bytea, int8, int4",    "bytea", FN, set_bit },
    { 0 }
};
/* clang-format on */
