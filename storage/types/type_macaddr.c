/* type_macaddr.c - hardware addresses of six and of eight bytes, as those bytes. */
#include "storage/types/type_defs.h"
#include "storage/types/type_inet.h"

static int hex_value(uint8_t c)
{
    if (is_digit(c)) return c - '0';
    c = to_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Digits between separators; where groups are whole bytes, several may stand together. Returns the number of bytes, 0 if it
 * is no address. One separator, :, - or ., is used throughout. */
static int scan_groups(Slice text, uint8_t *bytes, int max)
{
    int count = 0;
    uint8_t separator = 0;
    for (size_t i = 0; i < text.size;) {
        size_t start = i;
        while (i < text.size && hex_value(text.data[i]) >= 0) i++;
        size_t digits = i - start, used = start;
        if (digits == 0 || (digits % 2 && digits != 1)) return 0;
        for (; used < i; used += digits == 1 ? 1 : 2) {
            if (count == max) return 0;
            int high = digits == 1 ? 0 : hex_value(text.data[used]);
            bytes[count++] = (uint8_t)(high << 4 | hex_value(text.data[digits == 1 ? used : used + 1]));
        }
        if (i == text.size) break;
        uint8_t c = text.data[i++];
        if ((c != ':' && c != '-' && c != '.') || (separator && c != separator) || i == text.size) return 0;
        separator = c;
    }
    return count;
}

static Status macaddr_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    uint8_t bytes[MACADDR8_BYTES];
    int count = scan_groups(text_trim(text), bytes, type->length);
    if (count == MACADDR_BYTES && type->length == MACADDR8_BYTES) {
        memmove(bytes + 5, bytes + 3, 3);
        bytes[3] = 0xff;
        bytes[4] = 0xfe;
        count = MACADDR8_BYTES;
    }
    if (count != type->length) return type_invalid_text(ctx, type->name, text);
    *out = value_bytes(arena_copy(ctx->arena, bytes, (size_t)count), (size_t)count);
    return ST_OK;
}

static void macaddr_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    for (uint32_t i = 0; i < value.size; i++) buf_printf(out, i ? ":%02x" : "%02x", value.p[i]);
}

static Status macaddr_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    if (bytes.size == MACADDR_BYTES && type->length == MACADDR8_BYTES) {
        uint8_t long_form[MACADDR8_BYTES] = {0, 0, 0, 0xff, 0xfe, 0, 0, 0};
        memcpy(long_form, bytes.data, 3);
        memcpy(long_form + 5, bytes.data + 3, 3);
        *out = value_bytes(arena_copy(ctx->arena, long_form, sizeof long_form), sizeof long_form);
        return ST_OK;
    }
    if (bytes.size != (size_t)type->length) return type_invalid_binary(ctx);
    *out = value_slice(bytes);
    return ST_OK;
}

static void macaddr_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    buf_put(out, value.p, value.size);
}

const TypeDef type_macaddr = {
    .oid = OID_MACADDR, .array_oid = 1040, .name = "macaddr", .sql_name = "macaddr", .crdb_name = "MACADDR",
    .length = MACADDR_BYTES, .category = 'U', .rep = REP_BYTES, .key_class = KEY_CLASS_BYTES, .in = macaddr_in,
    .out = macaddr_out, .receive = macaddr_receive, .send = macaddr_send, .compare = type_bytes_compare,
    .hash = type_bytes_hash,
};

const TypeDef type_macaddr8 = {
    .oid = OID_MACADDR8, .array_oid = 775, .name = "macaddr8", .sql_name = "macaddr8", .crdb_name = "MACADDR8",
    .length = MACADDR8_BYTES, .category = 'U', .rep = REP_BYTES, .key_class = KEY_CLASS_BYTES, .in = macaddr_in,
    .out = macaddr_out, .receive = macaddr_receive, .send = macaddr_send, .compare = type_bytes_compare,
    .hash = type_bytes_hash,
};
