#include "storage/types/type_text.h"

#include <assert.h>

#include "storage/base/utf8.h"
#include "storage/types/type_defs.h"

enum { VARHDRSZ = 4, LENGTH_MAX = 10485760 };

Status text_check_utf8(TypeCtx *ctx, Slice text)
{
    size_t valid = utf8_valid_prefix(text);
    if (valid == text.size) return ST_OK;
    char bytes[4 * 5 + 1] = "";
    size_t n = (size_t)utf8_length(text.data[valid]), at = 0;
    if (n > text.size - valid) n = text.size - valid;
    static const char hex[] = "0123456789abcdef";
    for (size_t i = 0; i < n; i++) {
        uint8_t byte = text.data[valid + i];
        const char shown[] = {'0', 'x', hex[byte >> 4], hex[byte & 15], ' '};
        memcpy(bytes + at, shown, sizeof shown);
        at += sizeof shown;
    }
    bytes[at ? at - 1 : 0] = 0;
    return err_set(ctx->err, ctx->arena, ERR_CHARACTER_NOT_IN_REPERTOIRE,
                   "invalid byte sequence for encoding \"UTF8\": %s", bytes);
}

Slice text_cut_name(Slice text)
{
    if (text.size <= NAME_BYTES_MAX) return text;
    size_t size = NAME_BYTES_MAX;
    while (size > 0 && (text.data[size] & 0xC0) == 0x80) size--;
    return slice_of(text.data, size);
}

Slice text_without_padding(Slice text)
{
    while (text.size && text.data[text.size - 1] == ' ') text.size--;
    return text;
}

static bool only_blanks(Slice text)
{
    return text_without_padding(text).size == 0;
}

static Status text_pad(TypeCtx *ctx, Slice text, size_t blanks, Value *out)
{
    uint8_t *padded = arena_try_alloc(ctx->arena, text.size + blanks);
    if (!padded) return err_no_memory(ctx->err);
    if (text.size) memcpy(padded, text.data, text.size);
    memset(padded + text.size, ' ', blanks);
    *out = value_bytes(padded, text.size + blanks);
    return ST_OK;
}

Status text_fit(Oid type, TypeCtx *ctx, Slice text, int32_t typmod, bool explicit_cast, Value *out)
{
    *out = value_slice(text);
    if (typmod < VARHDRSZ) return ST_OK;
    size_t limit = (size_t)(typmod - VARHDRSZ);
    if (text.size > limit || type == OID_BPCHAR) {
        size_t end = utf8_offset(text, limit);
        if (end < text.size) {
            bool lossless = only_blanks(slice_of(text.data + end, text.size - end));
            if (!lossless && !explicit_cast)
                return err_set(ctx->err, ctx->arena, ERR_STRING_DATA_RIGHT_TRUNCATION,
                               "value too long for type %s(%zu)",
                               type == OID_BPCHAR ? "character" : "character varying", limit);
            out->size = (uint32_t)end;
            return ST_OK;
        }
        size_t characters = type == OID_BPCHAR ? utf8_count(text) : limit;
        if (characters < limit) return text_pad(ctx, text, limit - characters, out);
    }
    return ST_OK;
}

static Status text_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    return text_fit(type->oid, ctx, text, typmod, false, out);
}

static void text_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    buf_put(out, value.p, value.size);
}

static Status text_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    TRY(text_check_utf8(ctx, bytes));
    return text_fit(type->oid, ctx, bytes, typmod, false, out);
}

static Status text_type_fit(const TypeDef *type, TypeCtx *ctx, Value in, int32_t typmod, bool explicit_cast, Value *out)
{
    return text_fit(type->oid, ctx, value_to_slice(in), typmod, explicit_cast, out);
}

static Status text_typmod_in(const TypeDef *type, TypeCtx *ctx, const int32_t *args, int arg_count, int32_t *typmod)
{
    const char *name = type->oid == OID_BPCHAR ? "char" : "varchar";
    if (arg_count != 1) return err_set(ctx->err, ctx->arena, ERR_INVALID_PARAMETER_VALUE, "invalid type modifier");
    if (args[0] < 1)
        return err_set(ctx->err, ctx->arena, ERR_INVALID_PARAMETER_VALUE, "length for type %s must be at least 1",
                       name);
    if (args[0] > LENGTH_MAX)
        return err_set(ctx->err, ctx->arena, ERR_INVALID_PARAMETER_VALUE, "length for type %s cannot exceed %d", name,
                       LENGTH_MAX);
    *typmod = args[0] + VARHDRSZ;
    return ST_OK;
}

static void text_typmod_out(int32_t typmod, Buf *out)
{
    if (typmod >= VARHDRSZ) buf_printf(out, "(%d)", typmod - VARHDRSZ);
}

static int bpchar_compare(const TypeDef *type, Value a, Value b)
{
    return slice_compare(text_without_padding(value_to_slice(a)), text_without_padding(value_to_slice(b)));
}

static uint64_t bpchar_hash(const TypeDef *type, Value value)
{
    Slice text = text_without_padding(value_to_slice(value));
    return hash_bytes(text.data, text.size);
}

static Status name_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    *out = value_slice(text_cut_name(text));
    return ST_OK;
}

static Status name_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    TRY(text_check_utf8(ctx, bytes));
    return name_in(type, ctx, bytes, typmod, out);
}

/* "char" is one byte; no byte is the byte zero. Bytes above 127 are written \ooo. */
static Status char_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    const uint8_t *t = text.data;
    if (text.size == 4 && t[0] == '\\' && t[1] >= '0' && t[1] <= '3' && t[2] >= '0' && t[2] <= '7' && t[3] >= '0' &&
        t[3] <= '7') {
        uint8_t byte = (uint8_t)((t[1] - '0') << 6 | (t[2] - '0') << 3 | (t[3] - '0'));
        *out = value_bytes(arena_copy(ctx->arena, &byte, 1), byte ? 1 : 0);
        return ST_OK;
    }
    *out = value_bytes(t, text.size && t[0] ? 1 : 0);
    return ST_OK;
}

static void char_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    if (value.size && value.p[0] & 0x80)
        buf_printf(out, "\\%03o", value.p[0]);
    else
        buf_put(out, value.p, value.size);
}

static Status char_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    if (bytes.size != 1) return type_invalid_binary(ctx);
    *out = value_bytes(bytes.data, bytes.data[0] ? 1 : 0);
    return ST_OK;
}

static void char_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    buf_put_u8(out, value.size ? value.p[0] : 0);
}

int type_bytes_compare(const TypeDef *type, Value a, Value b)
{
    return slice_compare(value_to_slice(a), value_to_slice(b));
}

uint64_t type_bytes_hash(const TypeDef *type, Value value)
{
    return hash_bytes(value.p, value.size);
}

#define STRING_ROW(oid_, array, name_, sql, crdb)                                                                    \
    .oid = (oid_), .array_oid = (array), .name = (name_), .sql_name = (sql), .crdb_name = (crdb), .length = -1,      \
    .category = 'S', .rep = REP_BYTES, .key_class = KEY_CLASS_BYTES, .out = text_out, .send = text_out

const TypeDef type_text_def = {
    STRING_ROW(OID_TEXT, OID_TEXT_ARRAY, "text", "text", "STRING"), .preferred = true, .in = text_in,
    .receive = text_receive, .compare = type_bytes_compare, .hash = type_bytes_hash,
};

const TypeDef type_varchar = {
    STRING_ROW(OID_VARCHAR, OID_VARCHAR_ARRAY, "varchar", "character varying", "VARCHAR"), .in = text_in,
    .receive = text_receive, .compare = type_bytes_compare, .hash = type_bytes_hash, .fit = text_type_fit,
    .typmod_in = text_typmod_in, .typmod_out = text_typmod_out,
};

const TypeDef type_bpchar = {
    STRING_ROW(OID_BPCHAR, OID_BPCHAR_ARRAY, "bpchar", "character", "CHAR"), .in = text_in, .receive = text_receive,
    .compare = bpchar_compare, .hash = bpchar_hash, .fit = text_type_fit, .typmod_in = text_typmod_in,
    .typmod_out = text_typmod_out,
};

const TypeDef type_name_def = {
    .oid = OID_NAME, .array_oid = OID_NAME_ARRAY, .element_oid = OID_CHAR, .name = "name", .sql_name = "name",
    .crdb_name = "NAME", .length = 64, .category = 'S', .rep = REP_BYTES, .key_class = KEY_CLASS_BYTES, .in = name_in,
    .out = text_out, .receive = name_receive, .send = text_out, .compare = type_bytes_compare, .hash = type_bytes_hash,
};

const TypeDef type_char = {
    .oid = OID_CHAR, .array_oid = OID_CHAR_ARRAY, .name = "char", .sql_name = "\"char\"", .crdb_name = "\"char\"",
    .length = 1, .category = 'Z', .rep = REP_BYTES, .key_class = KEY_CLASS_BYTES, .in = char_in, .out = char_out,
    .receive = char_receive, .send = char_send, .compare = type_bytes_compare, .hash = type_bytes_hash,
};

const TypeDef type_unknown = {
    .oid = OID_UNKNOWN, .name = "unknown", .sql_name = "unknown", .crdb_name = "STRING", .length = -2, .category = 'X',
    .rep = REP_BYTES, .in = text_in, .out = text_out, .receive = text_receive, .send = text_out,
    .compare = type_bytes_compare, .hash = type_bytes_hash,
};

const TypeDef type_cstring = {
    .oid = OID_CSTRING, .array_oid = 1263, .name = "cstring", .sql_name = "cstring", .crdb_name = "STRING",
    .length = -2, .category = 'P', .rep = REP_BYTES, .in = text_in, .out = text_out, .receive = text_receive,
    .send = text_out, .compare = type_bytes_compare, .hash = type_bytes_hash,
};

/* Texts that only the system relations hand out. */
const TypeDef type_node_tree = {
    .oid = 194, .name = "pg_node_tree", .sql_name = "pg_node_tree", .crdb_name = "STRING", .length = -1,
    .category = 'Z', .rep = REP_BYTES, .in = text_in, .out = text_out, .receive = text_receive, .send = text_out,
};

static Status refuse_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    return err_set(ctx->err, ctx->arena, ERR_FEATURE_NOT_SUPPORTED, "cannot accept a value of type %s", type->name);
}

/* Of columns that are always NULL here. */
#define CATALOG_TEXT(oid_, array, name_, bytes, category_)                                                           \
    {                                                                                                                \
        .oid = (oid_), .array_oid = (array), .name = (name_), .sql_name = (name_), .crdb_name = "STRING",            \
        .length = (bytes), .category = (category_), .rep = REP_BYTES, .in = refuse_in, .out = text_out,              \
        .receive = refuse_in, .send = text_out                                                                       \
    }
const TypeDef type_pg_lsn = CATALOG_TEXT(3220, 3221, "pg_lsn", 8, 'U');
const TypeDef type_pg_ndistinct = CATALOG_TEXT(3361, 0, "pg_ndistinct", -1, 'Z');
const TypeDef type_pg_dependencies = CATALOG_TEXT(3402, 0, "pg_dependencies", -1, 'Z');
const TypeDef type_pg_mcv_list = CATALOG_TEXT(5017, 0, "pg_mcv_list", -1, 'Z');

const TypeDef type_aclitem = {
    .oid = 1033, .array_oid = 1034, .name = "aclitem", .sql_name = "aclitem", .crdb_name = "STRING", .length = 12,
    .category = 'U', .rep = REP_BYTES, .in = text_in, .out = text_out, .receive = text_receive, .send = text_out,
    .compare = type_bytes_compare, .hash = type_bytes_hash,
};

const TypeDef type_refcursor = {
    .oid = 1790, .array_oid = 2201, .name = "refcursor", .sql_name = "refcursor", .crdb_name = "REFCURSOR",
    .length = -1, .category = 'U', .rep = REP_BYTES, .in = text_in, .out = text_out, .receive = text_receive,
    .send = text_out,
};
