#include "storage/types/type_bit.h"

#include "storage/types/type_defs.h"

Bits bits_open(Value value)
{
    uint32_t count;
    memcpy(&count, value.p, sizeof count);
    return (Bits){value.p + BIT_HEAD_BYTES, count};
}

static size_t byte_count(uint32_t bits)
{
    return ((size_t)bits + 7) / 8;
}

Status bits_make(TypeCtx *ctx, uint32_t count, uint8_t **bytes, Value *out)
{
    size_t size = BIT_HEAD_BYTES + byte_count(count);
    uint8_t *p = arena_try_alloc(ctx->arena, size);
    if (!p) return err_no_memory(ctx->err);
    memset(p, 0, size);
    memcpy(p, &count, sizeof count);
    *bytes = p + BIT_HEAD_BYTES;
    *out = value_bytes(p, size);
    return ST_OK;
}

Status bits_build(TypeCtx *ctx, const uint8_t *bytes, uint32_t count, Value *out)
{
    uint8_t *p;
    TRY(bits_make(ctx, count, &p, out));
    if (count) memcpy(p, bytes, byte_count(count));
    if (count % 8) p[count / 8] = (uint8_t)(p[count / 8] & 0xff00 >> count % 8);
    return ST_OK;
}

void bits_copy(uint8_t *target, uint32_t to, const uint8_t *source, uint32_t from, uint32_t count)
{
    if (to % 8 == 0 && from % 8 == 0) {
        memcpy(target + to / 8, source + from / 8, count / 8);
        uint32_t whole = count / 8 * 8;
        to += whole;
        from += whole;
        count -= whole;
    }
    for (uint32_t i = 0; i < count; i++) {
        int bit = source[(from + i) / 8] >> (7 - (from + i) % 8) & 1;
        target[(to + i) / 8] = (uint8_t)(target[(to + i) / 8] | bit << (7 - (to + i) % 8));
    }
}

/* ---- length ---- */

static Status too_long(TypeCtx *ctx, int32_t limit)
{
    return err_set(ctx->err, ctx->arena, ERR_STRING_DATA_RIGHT_TRUNCATION, "bit string too long for type bit varying(%d)",
                   limit);
}

static Status wrong_length(TypeCtx *ctx, uint32_t count, int32_t wanted)
{
    return err_set(ctx->err, ctx->arena, ERR_STRING_DATA_LENGTH_MISMATCH,
                   "bit string length %u does not match type bit(%d)", count, wanted);
}

/* An assignment wants the length of a bit(n), and no more than that of a bit varying(n). */
static Status check_length(const TypeDef *type, TypeCtx *ctx, uint32_t count, int32_t typmod)
{
    if (typmod <= 0 || count == (uint32_t)typmod) return ST_OK;
    if (type->oid == OID_BIT) return wrong_length(ctx, count, typmod);
    return count > (uint32_t)typmod ? too_long(ctx, typmod) : ST_OK;
}

/* An explicit cast cuts, and fills a bit(n) with zeros, on the right. */
static Status bits_fit(const TypeDef *type, TypeCtx *ctx, Value in, int32_t typmod, bool explicit_cast, Value *out)
{
    Bits bits = bits_open(in);
    *out = in;
    if (!explicit_cast || typmod <= 0) return check_length(type, ctx, bits.count, typmod);
    if (bits.count == (uint32_t)typmod || (type->oid == OID_VARBIT && bits.count < (uint32_t)typmod)) return ST_OK;
    uint8_t *bytes;
    TRY(bits_make(ctx, (uint32_t)typmod, &bytes, out));
    bits_copy(bytes, 0, bits.bytes, 0, bits.count < (uint32_t)typmod ? bits.count : (uint32_t)typmod);
    return ST_OK;
}

static Status bits_typmod_in(const TypeDef *type, TypeCtx *ctx, const int32_t *args, int arg_count, int32_t *typmod)
{
    const char *name = type->oid == OID_BIT ? "bit" : "varbit";
    if (arg_count != 1)
        return err_set(ctx->err, ctx->arena, ERR_INVALID_PARAMETER_VALUE, "invalid type modifier");
    if (args[0] < 1)
        return err_set(ctx->err, ctx->arena, ERR_INVALID_PARAMETER_VALUE, "length for type %s must be at least 1", name);
    if (args[0] > BIT_LENGTH_MAX)
        return err_set(ctx->err, ctx->arena, ERR_INVALID_PARAMETER_VALUE, "length for type %s cannot exceed %d", name,
                       BIT_LENGTH_MAX);
    *typmod = args[0];
    return ST_OK;
}

static void bits_typmod_out(int32_t typmod, Buf *out)
{
    if (typmod >= 0) buf_printf(out, "(%d)", typmod);
}

/* ---- text ---- */

static int digit_value(uint8_t c, int bits_per_digit)
{
    if (bits_per_digit == 1) return c == '0' || c == '1' ? c - '0' : -1;
    if (is_digit(c)) return c - '0';
    c = to_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static Status invalid_digit(TypeCtx *ctx, Slice text, size_t at, int bits_per_digit)
{
    size_t end = at + 1;
    while (end < text.size && (text.data[end] & 0xc0) == 0x80) end++;
    return err_set(ctx->err, ctx->arena, ERR_INVALID_TEXT_REPRESENTATION, "\"%.*s\" is not a valid %s digit", (int)(end - at),
                   (const char *)text.data + at, bits_per_digit == 1 ? "binary" : "hexadecimal");
}

/* 101, b101 or x1F. */
static Status bits_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    bool hex = text.size && to_lower(text.data[0]) == 'x', marked = hex || (text.size && to_lower(text.data[0]) == 'b');
    int width = hex ? 4 : 1;
    if (marked) text = slice_of(text.data + 1, text.size - 1);
    if (text.size > BIT_LENGTH_MAX / (size_t)width)
        return err_set(ctx->err, ctx->arena, ERR_PROGRAM_LIMIT_EXCEEDED, "bit string length exceeds the maximum allowed (%d)",
                       BIT_LENGTH_MAX);
    uint32_t count = (uint32_t)text.size * (uint32_t)width;
    uint8_t *bytes;
    TRY(check_length(type, ctx, count, typmod));
    TRY(bits_make(ctx, count, &bytes, out));
    for (size_t i = 0; i < text.size; i++) {
        int digit = digit_value(text.data[i], width);
        if (digit < 0) return invalid_digit(ctx, text, i, width);
        size_t last = (i + 1) * (size_t)width - 1;
        bytes[last / 8] = (uint8_t)(bytes[last / 8] | digit << (7 - last % 8));
    }
    return ST_OK;
}

static void bits_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    Bits bits = bits_open(value);
    for (uint32_t i = 0; i < bits.count; i++) buf_put_u8(out, bits_at(bits, i) ? '1' : '0');
}

/* ---- binary: the number of bits, then their bytes ---- */

static Status bits_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    if (bytes.size < 4) return type_invalid_binary(ctx);
    uint32_t count = load_u32(bytes.data);
    if (count > BIT_LENGTH_MAX)
        return err_set(ctx->err, ctx->arena, ERR_INVALID_BINARY_REPRESENTATION, "invalid length in external bit string");
    if (bytes.size - 4 != byte_count(count)) return type_invalid_binary(ctx);
    TRY(check_length(type, ctx, count, typmod));
    return bits_build(ctx, bytes.data + 4, count, out);
}

static void bits_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    Bits bits = bits_open(value);
    buf_put_u32(out, bits.count);
    buf_put(out, bits.bytes, byte_count(bits.count));
}

/* As text of zeros and ones would compare: bits behind the end are zero. */
static int bits_compare(const TypeDef *type, Value a, Value b)
{
    Bits x = bits_open(a), y = bits_open(b);
    size_t common = byte_count(x.count < y.count ? x.count : y.count);
    int order = common ? memcmp(x.bytes, y.bytes, common) : 0;
    return order ? order : (x.count > y.count) - (x.count < y.count);
}

const TypeDef type_bit = {
    .oid = OID_BIT, .array_oid = 1561, .name = "bit", .sql_name = "bit", .crdb_name = "BIT", .length = -1,
    .category = 'V', .rep = REP_BYTES, .key_class = KEY_CLASS_BITS, .in = bits_in, .out = bits_out,
    .receive = bits_receive, .send = bits_send, .compare = bits_compare, .hash = type_bytes_hash, .fit = bits_fit,
    .typmod_in = bits_typmod_in, .typmod_out = bits_typmod_out,
};

const TypeDef type_varbit = {
    .oid = OID_VARBIT, .array_oid = 1563, .name = "varbit", .sql_name = "bit varying", .crdb_name = "VARBIT", .length = -1,
    .category = 'V', .preferred = true, .rep = REP_BYTES, .key_class = KEY_CLASS_BITS, .in = bits_in, .out = bits_out,
    .receive = bits_receive, .send = bits_send, .compare = bits_compare, .hash = type_bytes_hash, .fit = bits_fit,
    .typmod_in = bits_typmod_in, .typmod_out = bits_typmod_out,
};
