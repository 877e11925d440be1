/* fn_bit_string.c - operators and functions of bit strings. */
#include "executor/functions/families.h"
#include "storage/types/type_bit.h"

static Status sizes_differ(FnCtx *ctx, const char *verb)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_STRING_DATA_LENGTH_MISMATCH, "cannot %s bit strings of different sizes",
                   verb);
}

#define BIT_PAIR(name, verb, OP)                                                                                     \
    static Status name(FnCtx *ctx, const Value *args, Value *out)                                                    \
    {                                                                                                                \
        Bits a = bits_open(args[0]), b = bits_open(args[1]);                                                         \
        uint8_t *bytes;                                                                                              \
        if (a.count != b.count) return sizes_differ(ctx, verb);                                                      \
        TRY(bits_make(&ctx->type, a.count, &bytes, out));                                                            \
        for (uint32_t i = 0; i < (a.count + 7) / 8; i++) bytes[i] = (uint8_t)(a.bytes[i] OP b.bytes[i]);             \
        return ST_OK;                                                                                                \
    }

BIT_PAIR(bit_and, "AND", &)
BIT_PAIR(bit_or, "OR", |)
BIT_PAIR(bit_xor, "XOR", ^)

static Status bit_not(FnCtx *ctx, const Value *args, Value *out)
{
    Bits bits = bits_open(args[0]);
    uint8_t *bytes;
    TRY(bits_make(&ctx->type, bits.count, &bytes, out));
    for (uint32_t i = 0; i < bits.count; i++)
        if (!bits_at(bits, i)) bytes[i / 8] = (uint8_t)(bytes[i / 8] | 0x80 >> i % 8);
    return ST_OK;
}

/* The length stays: bits leave on one side and zeros come in on the other. left < 0 shifts right. */
static Status shift(FnCtx *ctx, Value value, int64_t left, Value *out)
{
    Bits bits = bits_open(value);
    uint8_t *bytes;
    TRY(bits_make(&ctx->type, bits.count, &bytes, out));
    uint64_t by = left < 0 ? (uint64_t)-left : (uint64_t)left;
    if (by >= bits.count) return ST_OK;
    uint32_t n = (uint32_t)by;
    bits_copy(bytes, left < 0 ? n : 0, bits.bytes, left < 0 ? 0 : n, bits.count - n);
    return ST_OK;
}

static Status shift_left(FnCtx *ctx, const Value *args, Value *out)
{
    return shift(ctx, args[0], args[1].i, out);
}

static Status shift_right(FnCtx *ctx, const Value *args, Value *out)
{
    return shift(ctx, args[0], -args[1].i, out);
}

static Status join(FnCtx *ctx, Bits a, Bits b, Value *out)
{
    uint8_t *bytes;
    if ((uint64_t)a.count + b.count > BIT_LENGTH_MAX)
        return err_set(ctx->type.err, ctx->type.arena, ERR_PROGRAM_LIMIT_EXCEEDED,
                       "bit string length exceeds the maximum allowed (%d)", BIT_LENGTH_MAX);
    TRY(bits_make(&ctx->type, a.count + b.count, &bytes, out));
    bits_copy(bytes, 0, a.bytes, 0, a.count);
    bits_copy(bytes, a.count, b.bytes, 0, b.count);
    return ST_OK;
}

static Status concat(FnCtx *ctx, const Value *args, Value *out)
{
    return join(ctx, bits_open(args[0]), bits_open(args[1]), out);
}

static Status bit_length(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int(bits_open(args[0]).count);
    return ST_OK;
}

static Status octet_length(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int(((int64_t)bits_open(args[0]).count + 7) / 8);
    return ST_OK;
}

static Status bit_count(FnCtx *ctx, const Value *args, Value *out)
{
    Bits bits = bits_open(args[0]);
    int64_t count = 0;
    for (uint32_t i = 0; i < bits.count; i++) count += bits_at(bits, i);
    *out = value_int(count);
    return ST_OK;
}

/* ---- parts ---- */

/* Bits from..to-1, counted from 1, of those that there are. */
static Status part(FnCtx *ctx, Bits bits, int64_t from, int64_t to, Value *out)
{
    uint8_t *bytes;
    if (from < 1) from = 1;
    if (to > (int64_t)bits.count + 1) to = (int64_t)bits.count + 1;
    uint32_t count = to > from ? (uint32_t)(to - from) : 0;
    TRY(bits_make(&ctx->type, count, &bytes, out));
    bits_copy(bytes, 0, bits.bytes, count ? (uint32_t)from - 1 : 0, count);
    return ST_OK;
}

static Status substring(FnCtx *ctx, const Value *args, Value *out)
{
    return part(ctx, bits_open(args[0]), args[1].i, INT64_MAX, out);
}

static Status negative_length(FnCtx *ctx)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_SUBSTRING_ERROR, "negative substring length not allowed");
}

static Status substring_count(FnCtx *ctx, const Value *args, Value *out)
{
    if (args[2].i < 0) return negative_length(ctx);
    return part(ctx, bits_open(args[0]), args[1].i, args[1].i + args[2].i, out);
}

static Status overlay_of(FnCtx *ctx, const Value *args, int64_t count, Value *out)
{
    Bits bits = bits_open(args[0]);
    Value head, tail, front;
    int64_t from = args[2].i;
    if (from <= 0) return negative_length(ctx);
    if (from + count > INT32_MAX)
        return err_set(ctx->type.err, ctx->type.arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "integer out of range");
    TRY(part(ctx, bits, 1, from, &head));
    TRY(part(ctx, bits, from + count, INT64_MAX, &tail));
    TRY(join(ctx, bits_open(head), bits_open(args[1]), &front));
    return join(ctx, bits_open(front), bits_open(tail), out);
}

static Status overlay(FnCtx *ctx, const Value *args, Value *out)
{
    return overlay_of(ctx, args, bits_open(args[1]).count, out);
}

static Status overlay_count(FnCtx *ctx, const Value *args, Value *out)
{
    return overlay_of(ctx, args, args[3].i, out);
}

static bool found_at(Bits whole, uint32_t at, Bits wanted)
{
    for (uint32_t i = 0; i < wanted.count; i++)
        if (bits_at(whole, at + i) != bits_at(wanted, i)) return false;
    return true;
}

/* args: where to look, what for. */
static Status position(FnCtx *ctx, const Value *args, Value *out)
{
    Bits whole = bits_open(args[0]), wanted = bits_open(args[1]);
    *out = value_int(0);
    if (whole.count == 0 || wanted.count > whole.count) return ST_OK;
    for (uint32_t at = 0; at <= whole.count - wanted.count; at++) {
        if (!found_at(whole, at, wanted)) continue;
        *out = value_int((int64_t)at + 1);
        return ST_OK;
    }
    return ST_OK;
}

static Status check_index(FnCtx *ctx, Bits bits, int64_t index)
{
    if (index >= 0 && index < bits.count) return ST_OK;
    return err_set(ctx->type.err, ctx->type.arena, ERR_ARRAY_SUBSCRIPT_ERROR, "bit index %lld out of valid range (0..%lld)",
                   (long long)index, (long long)bits.count - 1);
}

static Status get_bit(FnCtx *ctx, const Value *args, Value *out)
{
    Bits bits = bits_open(args[0]);
    TRY(check_index(ctx, bits, args[1].i));
    *out = value_int(bits_at(bits, (uint32_t)args[1].i));
    return ST_OK;
}

static Status set_bit(FnCtx *ctx, const Value *args, Value *out)
{
    Bits bits = bits_open(args[0]);
    uint8_t *bytes;
    TRY(check_index(ctx, bits, args[1].i));
    if (args[2].i != 0 && args[2].i != 1)
        return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "new bit must be 0 or 1");
    TRY(bits_make(&ctx->type, bits.count, &bytes, out));
    memcpy(bytes, bits.bytes, (bits.count + 7) / 8);
    int mask = 0x80 >> args[1].i % 8;
    uint8_t *byte = &bytes[args[1].i / 8];
    *byte = (uint8_t)(args[2].i ? *byte | mask : *byte & ~mask);
    return ST_OK;
}

/* clang-format off */
#define FN FN_STRICT | FN_IMMUTABLE
#define OP FN_STRICT | FN_IMMUTABLE | FN_OPERATOR
const FuncDef fn_bit_string_rows[] = {
    { 1791, "&",  "bit, bit",       "bit",    OP, bit_and },
    { 1792, "|",  "bit, bit",       "bit",    OP, bit_or },
    { 1793, "#",  "bit, bit",       "bit",    OP, bit_xor },
    { 1794, "~",  "bit",            "bit",    OP, bit_not },
    { 1795, "<<", "bit, int4",      "bit",    OP, shift_left },
    { 1796, ">>", "bit, int4",      "bit",    OP, shift_right },
    { 1797, "||", "varbit, varbit", "varbit", OP, concat },
    { 6162, "bit_count", "bit",     "int8",   FN, bit_count },
    { 1812, "bit_length", "bit",    "int4",   FN, bit_length },
    { 3032, "get_bit", "bit, int4", "int4",   FN, get_bit },
    { 1681, "length", "bit",        "int4",   FN, bit_length },
    { 1682, "octet_length", "bit",  "int4",   FN, octet_length },
    { 3031, "overlay", "bit, bit, int4",       "bit", FN, overlay },
    { 3030, "overlay", "bit, bit, int4, int4", "bit", FN, overlay_count },
    { 1698, "position", "bit, bit", "int4",   FN, position },
    { 3033, "set_bit", "bit, int4, int4",      "bit", FN, set_bit },
    { 1699, "substring", "bit, int4",          "bit", FN, substring },
    { 1680, "substring", "bit, int4, int4",    "bit", FN, substring_count },
    { 0 }
};
/* clang-format on */
