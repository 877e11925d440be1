/* fn_bytea.c - digests, encodings and random bytes. */
#include <openssl/evp.h>
#include <sys/random.h>

#include "executor/functions/families.h"
#include "storage/base/clock.h"

static Slice hex_of(Arena *arena, Slice bytes)
{
    static const char digits[] = "0123456789abcdef";
    char *text = arena_alloc(arena, bytes.size * 2 + 1);
    for (size_t i = 0; i < bytes.size; i++) {
        text[2 * i] = digits[bytes.data[i] >> 4];
        text[2 * i + 1] = digits[bytes.data[i] & 15];
    }
    return slice_of(text, bytes.size * 2);
}

static Status digest(FnCtx *ctx, const EVP_MD *algorithm, Slice bytes, Slice *out)
{
    uint8_t *sum = arena_alloc(ctx->type.arena, EVP_MAX_MD_SIZE);
    unsigned size;
    if (EVP_Digest(bytes.data, bytes.size, sum, &size, algorithm, NULL) != 1)
        return err_no_memory(ctx->type.err); /* nothing else can go wrong with bytes and a known algorithm */
    *out = slice_of(sum, size);
    return ST_OK;
}

static Status md5(FnCtx *ctx, const Value *args, Value *out)
{
    Slice sum = {0};
    TRY(digest(ctx, EVP_md5(), value_to_slice(args[0]), &sum));
    *out = value_slice(hex_of(ctx->type.arena, sum));
    return ST_OK;
}

static Status sha_bytes(FnCtx *ctx, const EVP_MD *algorithm, const Value *args, Value *out)
{
    Slice sum = {0};
    TRY(digest(ctx, algorithm, value_to_slice(args[0]), &sum));
    *out = value_slice(sum);
    return ST_OK;
}

static Status sha224(FnCtx *ctx, const Value *args, Value *out)
{
    return sha_bytes(ctx, EVP_sha224(), args, out);
}

static Status sha256(FnCtx *ctx, const Value *args, Value *out)
{
    return sha_bytes(ctx, EVP_sha256(), args, out);
}

static Status sha384(FnCtx *ctx, const Value *args, Value *out)
{
    return sha_bytes(ctx, EVP_sha384(), args, out);
}

static Status sha512(FnCtx *ctx, const Value *args, Value *out)
{
    return sha_bytes(ctx, EVP_sha512(), args, out);
}

static Status gen_random_uuid(FnCtx *ctx, const Value *args, Value *out)
{
    uint8_t *p = arena_alloc(ctx->type.arena, 16);
    if (getrandom(p, 16, 0) != 16)
        return err_set(ctx->type.err, ctx->type.arena, ERR_INTERNAL_ERROR, "could not generate random values");
    p[6] = (uint8_t)((p[6] & 0x0f) | 0x40); /* version 4, variant of RFC 4122 */
    p[8] = (uint8_t)((p[8] & 0x3f) | 0x80);
    *out = value_bytes(p, 16);
    return ST_OK;
}

/* 48 bits of milliseconds since 1970, then random ones: ordered by time. */
static Status uuidv7(FnCtx *ctx, const Value *args, Value *out)
{
    TRY(gen_random_uuid(ctx, args, out));
    uint8_t *p = arena_copy(ctx->type.arena, out->p, 16);
    uint64_t ms = clock_unix_ns() / 1000000;
    for (int i = 0; i < 6; i++) p[i] = (uint8_t)(ms >> (40 - 8 * i));
    p[6] = (uint8_t)((p[6] & 0x0f) | 0x70);
    *out = value_bytes(p, 16);
    return ST_OK;
}

/* ---- encode, decode ---- */

static Status encode_escape(FnCtx *ctx, Slice bytes, Value *out)
{
    Buf buf = {0};
    for (size_t i = 0; i < bytes.size; i++) {
        uint8_t c = bytes.data[i];
        if (c == '\\')
            buf_put_str(&buf, "\\\\");
        else if (c == 0 || c >= 0x80)
            buf_printf(&buf, "\\%03o", c);
        else
            buf_put_u8(&buf, c);
    }
    bool failed = buf.failed;
    if (!failed) *out = value_slice(buf_to_arena(&buf, ctx->type.arena));
    buf_finish(&buf);
    return failed ? err_no_memory(ctx->type.err) : ST_OK;
}

/* Lines of 76 characters, as RFC 2045 has them. */
static Status encode_base64(FnCtx *ctx, Slice bytes, Value *out)
{
    size_t room = bytes.size / 3 * 4 + bytes.size / 57 + 16;
    uint8_t *text = arena_try_alloc(ctx->type.arena, room);
    size_t n = 0;
    if (!text) return err_no_memory(ctx->type.err);
    for (size_t i = 0; i < bytes.size; i += 57) {
        size_t line = bytes.size - i < 57 ? bytes.size - i : 57;
        if (i) text[n++] = '\n';
        n += (size_t)EVP_EncodeBlock(text + n, bytes.data + i, (int)line);
    }
    *out = value_bytes(text, n);
    return ST_OK;
}

static Status unknown_encoding(FnCtx *ctx, Value name)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "unrecognized encoding: \"%.*s\"",
                   (int)name.size, (const char *)name.p);
}

static Status encode(FnCtx *ctx, const Value *args, Value *out)
{
    Slice format = value_to_slice(args[1]), bytes = value_to_slice(args[0]);
    if (slice_equal_str(format, "escape")) return encode_escape(ctx, bytes, out);
    if (slice_equal_str(format, "base64")) return encode_base64(ctx, bytes, out);
    if (!slice_equal_str(format, "hex")) return unknown_encoding(ctx, args[1]);
    *out = value_slice(hex_of(ctx->type.arena, bytes));
    return ST_OK;
}

static int base64_digit(uint8_t c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static Status decode_base64(FnCtx *ctx, Slice text, Value *out)
{
    uint8_t *p = arena_try_alloc(ctx->type.arena, text.size / 4 * 3 + 4);
    size_t n = 0;
    uint32_t group = 0;
    int digits = 0, padding = 0;
    if (!p) return err_no_memory(ctx->type.err);
    for (size_t i = 0; i < text.size; i++) {
        uint8_t c = text.data[i];
        if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
        int digit = base64_digit(c);
        if (digit < 0 && c != '=')
            return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE,
                           "invalid symbol \"%c\" found while decoding base64 sequence", c);
        if (c == '=') padding++;
        group = group << 6 | (uint32_t)(digit < 0 ? 0 : digit);
        if (++digits % 4) continue;
        uint8_t three[3] = {(uint8_t)(group >> 16), (uint8_t)(group >> 8), (uint8_t)group};
        memcpy(p + n, three, 3);
        n += 3 - (padding > 2 ? 2 : (size_t)padding);
        group = 0;
    }
    if (digits % 4)
        return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "invalid base64 end sequence");
    *out = value_bytes(p, n);
    return ST_OK;
}

static int hex_digit(uint8_t c)
{
    if (c >= '0' && c <= '9') return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static Status decode_hex(FnCtx *ctx, Slice text, Value *out)
{
    uint8_t *p = arena_try_alloc(ctx->type.arena, text.size / 2 + 1);
    size_t digits = 0;
    if (!p) return err_no_memory(ctx->type.err);
    for (size_t i = 0; i < text.size; i++) {
        uint8_t c = text.data[i];
        if (c == ' ' || c == '\n' || c == '\t' || c == '\r') continue;
        int digit = hex_digit(c);
        if (digit < 0)
            return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE,
                           "invalid hexadecimal digit: \"%c\"", c);
        p[digits / 2] = (uint8_t)(p[digits / 2] << 4 | digit);
        digits++;
    }
    if (digits % 2)
        return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE,
                       "invalid hexadecimal data: odd number of digits");
    *out = value_bytes(p, digits / 2);
    return ST_OK;
}

static Status decode(FnCtx *ctx, const Value *args, Value *out)
{
    Slice format = value_to_slice(args[1]), text = value_to_slice(args[0]);
    if (slice_equal_str(format, "base64")) return decode_base64(ctx, text, out);
    if (slice_equal_str(format, "hex")) return decode_hex(ctx, text, out);
    if (!slice_equal_str(format, "escape")) return unknown_encoding(ctx, args[1]);
    return type_find(OID_BYTEA)->in(type_find(OID_BYTEA), &ctx->type, text, -1, out);
}

static Status index_fault(FnCtx *ctx, int64_t index, size_t size)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_ARRAY_SUBSCRIPT_ERROR, "index %lld out of valid range, 0..%lld",
                   (long long)index, (long long)size - 1);
}

static Status get_byte(FnCtx *ctx, const Value *args, Value *out)
{
    if (args[1].i < 0 || args[1].i >= args[0].size) return index_fault(ctx, args[1].i, args[0].size);
    *out = value_int(args[0].p[args[1].i]);
    return ST_OK;
}

static Status set_byte(FnCtx *ctx, const Value *args, Value *out)
{
    if (args[1].i < 0 || args[1].i >= args[0].size) return index_fault(ctx, args[1].i, args[0].size);
    uint8_t *p = arena_copy(ctx->type.arena, args[0].p, args[0].size);
    p[args[1].i] = (uint8_t)args[2].i;
    *out = value_bytes(p, args[0].size);
    return ST_OK;
}

static Status substring_of(const Value *args, int64_t count, Value *out)
{
    int64_t start = args[1].i, end = count < 0 || __builtin_add_overflow(start, count, &end) ? INT64_MAX : end;
    int64_t size = args[0].size;
    if (start < 1) start = 1;
    if (end > size + 1) end = size + 1;
    *out = end <= start ? value_bytes("", 0) : value_bytes(args[0].p + start - 1, (size_t)(end - start));
    return ST_OK;
}

static Status substring(FnCtx *ctx, const Value *args, Value *out)
{
    return substring_of(args, -1, out);
}

static Status substring_count(FnCtx *ctx, const Value *args, Value *out)
{
    if (args[2].i < 0)
        return err_set(ctx->type.err, ctx->type.arena, ERR_SUBSTRING_ERROR, "negative substring length not allowed");
    return substring_of(args, args[2].i, out);
}

/* clang-format off */
#define FN FN_STRICT | FN_IMMUTABLE
const FuncDef fn_bytea_rows[] = {
    { 1947, "decode", "text, text",        "bytea", FN, decode },
    { 1946, "encode", "bytea, text",       "text",  FN, encode },
    { 3432, "gen_random_uuid", "",         "uuid",  FN_STRICT, gen_random_uuid },
    { 721, "get_byte", "bytea, int4",     "int4",  FN, get_byte },
    { 2311, "md5", "text",                 "text",  FN, md5 },
    { 2321, "md5", "bytea",                "text",  FN, md5 },
    { 722, "set_byte", "bytea, int4, int4", "bytea", FN, set_byte },
    { 3419, "sha224", "bytea",             "bytea", FN, sha224 },
    { 3420, "sha256", "bytea",             "bytea", FN, sha256 },
    { 3421, "sha384", "bytea",             "bytea", FN, sha384 },
    { 3422, "sha512", "bytea",             "bytea", FN, sha512 },
    { 2086, "substr", "bytea, int4",       "bytea", FN, substring },
    { 2085, "substr", "bytea, int4, int4", "bytea", FN, substring_count },
    { 2013, "substring", "bytea, int4",    "bytea", FN, substring },
    { 2012, "substring", "bytea, int4, int4", "bytea", FN, substring_count },
    { 9019, "uuidv7", "",                  "uuid",  FN_STRICT, uuidv7 },
    { 9010, "uuid_generate_v4", "",        "uuid",  FN_STRICT, gen_random_uuid },
    { 0 }
};
/* clang-format on */
