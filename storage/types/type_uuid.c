#include "storage/types/type_defs.h"

enum { UUID_BYTES = 16 };

static int hex_value(uint8_t c)
{
    if (is_digit(c)) return c - '0';
    c = to_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Braces around are allowed, and a hyphen after any group of four digits. */
static bool uuid_parse(Slice text, uint8_t bytes[UUID_BYTES])
{
    size_t at = 0, end = text.size;
    if (end && text.data[0] == '{') {
        if (text.data[end - 1] != '}') return false;
        at++;
        end--;
    }
    for (int i = 0; i < UUID_BYTES; i++) {
        if (end - at < 2 || at > end) return false;
        int high = hex_value(text.data[at]), low = hex_value(text.data[at + 1]);
        if (high < 0 || low < 0) return false;
        bytes[i] = (uint8_t)(high << 4 | low);
        at += 2;
        if (i % 2 == 1 && i < UUID_BYTES - 1 && at < end && text.data[at] == '-') at++;
    }
    return at == end;
}

static Status uuid_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    uint8_t bytes[UUID_BYTES];
    if (!uuid_parse(text, bytes)) return type_invalid_text(ctx, "uuid", text);
    *out = value_bytes(arena_copy(ctx->arena, bytes, sizeof bytes), sizeof bytes);
    return ST_OK;
}

static void uuid_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    static const char hex[] = "0123456789abcdef";
    uint8_t text[36], *at = text;
    for (int i = 0; i < UUID_BYTES; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) *at++ = '-';
        *at++ = (uint8_t)hex[value.p[i] >> 4];
        *at++ = (uint8_t)hex[value.p[i] & 15];
    }
    buf_put(out, text, sizeof text);
}

static Status uuid_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    if (bytes.size != UUID_BYTES) return type_invalid_binary(ctx);
    *out = value_slice(bytes);
    return ST_OK;
}

static void uuid_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    buf_put(out, value.p, value.size);
}

const TypeDef type_uuid = {
    .oid = OID_UUID, .array_oid = OID_UUID_ARRAY, .name = "uuid", .sql_name = "uuid", .crdb_name = "UUID",
    .length = UUID_BYTES, .category = 'U', .rep = REP_BYTES, .key_class = KEY_CLASS_BYTES, .in = uuid_in,
    .out = uuid_out, .receive = uuid_receive, .send = uuid_send, .compare = type_bytes_compare,
    .hash = type_bytes_hash,
};
