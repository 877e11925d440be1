#include "storage/types/type_defs.h"

static int hex_value(uint8_t c)
{
    if (is_digit(c)) return c - '0';
    c = to_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static Status bytea_bad_digit(TypeCtx *ctx, Slice rest)
{
    int size = 1;
    while (size < 4 && (size_t)size < rest.size && (rest.data[size] & 0xC0) == 0x80) size++;
    return err_set(ctx->err, ctx->arena, ERR_INVALID_PARAMETER_VALUE, "invalid hexadecimal digit: \"%.*s\"", size,
                   (const char *)rest.data);
}

static Status bytea_parse_hex(TypeCtx *ctx, Slice hex, Value *out)
{
    uint8_t *bytes = arena_try_alloc(ctx->arena, hex.size / 2 + 1);
    if (!bytes) return err_no_memory(ctx->err);
    size_t size = 0;
    for (size_t i = 0; i < hex.size; i++) {
        uint8_t c = hex.data[i];
        if (c == ' ' || c == '\n' || c == '\t' || c == '\r') continue;
        int high = hex_value(c);
        if (high < 0) return bytea_bad_digit(ctx, slice_of(hex.data + i, hex.size - i));
        if (++i == hex.size)
            return err_set(ctx->err, ctx->arena, ERR_INVALID_PARAMETER_VALUE,
                           "invalid hexadecimal data: odd number of digits");
        int low = hex_value(hex.data[i]);
        if (low < 0) return bytea_bad_digit(ctx, slice_of(hex.data + i, hex.size - i));
        bytes[size++] = (uint8_t)(high << 4 | low);
    }
    *out = value_bytes(bytes, size);
    return ST_OK;
}

static bool is_octal(Slice text, size_t at)
{
    return text.size - at >= 4 && text.data[at + 1] >= '0' && text.data[at + 1] <= '3' && text.data[at + 2] >= '0' &&
           text.data[at + 2] <= '7' && text.data[at + 3] >= '0' && text.data[at + 3] <= '7';
}

static Status bytea_parse_escapes(TypeCtx *ctx, Slice text, Value *out)
{
    uint8_t *bytes = arena_try_alloc(ctx->arena, text.size + 1);
    if (!bytes) return err_no_memory(ctx->err);
    size_t size = 0;
    for (size_t i = 0; i < text.size;) {
        const uint8_t *t = text.data + i;
        if (t[0] != '\\') {
            bytes[size++] = t[0];
            i++;
        } else if (is_octal(text, i)) {
            bytes[size++] = (uint8_t)((t[1] - '0') << 6 | (t[2] - '0') << 3 | (t[3] - '0'));
            i += 4;
        } else if (i + 1 < text.size && t[1] == '\\') {
            bytes[size++] = '\\';
            i += 2;
        } else {
            return err_set(ctx->err, ctx->arena, ERR_INVALID_TEXT_REPRESENTATION,
                           "invalid input syntax for type bytea");
        }
    }
    *out = value_bytes(bytes, size);
    return ST_OK;
}

static Status bytea_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    if (slice_starts_with(text, SLICE_LIT("\\x")))
        return bytea_parse_hex(ctx, slice_of(text.data + 2, text.size - 2), out);
    return bytea_parse_escapes(ctx, text, out);
}

static void bytea_out_hex(Value value, Buf *out)
{
    static const char hex[] = "0123456789abcdef";
    uint8_t *at = buf_reserve(out, 2 + 2 * (size_t)value.size);
    if (!at) return;
    *at++ = '\\';
    *at++ = 'x';
    for (uint32_t i = 0; i < value.size; i++) {
        *at++ = (uint8_t)hex[value.p[i] >> 4];
        *at++ = (uint8_t)hex[value.p[i] & 15];
    }
    out->size += 2 + 2 * (size_t)value.size;
}

static void bytea_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    if (!env->bytea_escape) {
        bytea_out_hex(value, out);
        return;
    }
    for (uint32_t i = 0; i < value.size; i++) {
        uint8_t c = value.p[i];
        if (c == '\\')
            buf_put_str(out, "\\\\");
        else if (c < 0x20 || c > 0x7E)
            buf_printf(out, "\\%03o", c);
        else
            buf_put_u8(out, c);
    }
}

static Status bytea_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    *out = value_slice(bytes);
    return ST_OK;
}

static void bytea_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    buf_put(out, value.p, value.size);
}

const TypeDef type_bytea = {
    .oid = OID_BYTEA, .array_oid = OID_BYTEA_ARRAY, .name = "bytea", .sql_name = "bytea", .crdb_name = "BYTES",
    .length = -1, .category = 'U', .rep = REP_BYTES, .key_class = KEY_CLASS_BYTES, .in = bytea_in, .out = bytea_out,
    .receive = bytea_receive, .send = bytea_send, .compare = type_bytes_compare, .hash = type_bytes_hash,
};
