/* fn_text.c - string functions that look at characters. Patterns are in fn_pattern.c, case in fn_case.c, digests and
 * encodings in fn_bytea.c. Positions and lengths count characters, as PostgreSQL's do. */
#include "executor/functions/families.h"
#include "storage/base/utf8.h"

enum { TEXT_BYTES_MAX = (1 << 30) - 1 };

static Status too_large(FnCtx *ctx)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_PROGRAM_LIMIT_EXCEEDED, "requested length too large");
}

static bool is_ascii(Slice text)
{
    for (size_t i = 0; i < text.size; i++)
        if (text.data[i] & 0x80) return false;
    return true;
}

static Status allocate(FnCtx *ctx, size_t size, uint8_t **out)
{
    if (size > TEXT_BYTES_MAX) return too_large(ctx);
    *out = arena_try_alloc(ctx->type.arena, size);
    return *out ? ST_OK : err_no_memory(ctx->type.err);
}

static Status concatenate(FnCtx *ctx, const Value *args, Value *out)
{
    uint8_t *p;
    size_t a = args[0].size, b = args[1].size;
    TRY(allocate(ctx, a + b, &p));
    if (a) memcpy(p, args[0].p, a);
    if (b) memcpy(p + a, args[1].p, b);
    *out = value_bytes(p, a + b);
    return ST_OK;
}

/* The text of any value, borrowed where the value is text already. */
static Value text_of(FnCtx *ctx, int argument, Value v)
{
    const TypeDef *type = type_find(ctx->arg_types[argument].oid);
    if (v.null || !type || type->category == 'S') return v;
    if (type->oid == OID_BOOL) return value_str(v.i ? "t" : "f");
    return value_str(type_text(ctx->arg_types[argument], ctx->type.env, v, ctx->type.arena));
}

/* Beside || a value is cast, so a boolean reads true and false, and an inet says its prefix length; concat() prints them. */
static Status concatenate_any(FnCtx *ctx, const Value *args, Value *out)
{
    Value texts[2];
    for (int i = 0; i < 2; i++) {
        const CastDef *cast = cast_find(ctx->arg_types[i].oid, OID_TEXT);
        if (cast && cast->method == CAST_FUNCTION) TRY(cast_run(&ctx->type, cast, args[i], -1, false, &texts[i]));
        else texts[i] = text_of(ctx, i, args[i]);
    }
    return concatenate(ctx, texts, out);
}

static Status join_texts(FnCtx *ctx, const Value *args, int from, Value separator, Value *out)
{
    size_t size = 0;
    int parts = 0;
    Value *texts = ARENA_ARRAY(ctx->type.arena, Value, ctx->arg_count + 1);
    for (int i = from; i < ctx->arg_count; i++) {
        texts[i] = text_of(ctx, i, args[i]);
        if (!texts[i].null) size += texts[i].size + (parts++ ? separator.size : 0);
    }
    uint8_t *p, *at;
    TRY(allocate(ctx, size, &p));
    at = p;
    parts = 0;
    for (int i = from; i < ctx->arg_count; i++) {
        if (texts[i].null) continue;
        if (parts++ && separator.size) at = (uint8_t *)memcpy(at, separator.p, separator.size) + separator.size;
        if (texts[i].size) at = (uint8_t *)memcpy(at, texts[i].p, texts[i].size) + texts[i].size;
    }
    *out = value_bytes(p, size);
    return ST_OK;
}

static Status concat(FnCtx *ctx, const Value *args, Value *out)
{
    return join_texts(ctx, args, 0, value_bytes("", 0), out);
}

static Status concat_ws(FnCtx *ctx, const Value *args, Value *out)
{
    if (!args[0].null) return join_texts(ctx, args, 1, args[0], out);
    *out = VALUE_NULL;
    return ST_OK;
}

static Status length(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int((int64_t)utf8_count(value_to_slice(args[0])));
    return ST_OK;
}

static Slice trim_blanks(Value v)
{
    size_t n = v.size;
    while (n && v.p[n - 1] == ' ') n--;
    return slice_of(v.p, n);
}

static Status length_bpchar(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int((int64_t)utf8_count(trim_blanks(args[0])));
    return ST_OK;
}

static Status octet_length(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int(args[0].size);
    return ST_OK;
}

static Status bit_length(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int((int64_t)args[0].size * 8);
    return ST_OK;
}

/* Characters [start, start + count), start from 1; what lies outside the text is nothing. count < 0: to the end. */
static Value substring_of(Value text, int64_t start, int64_t count)
{
    int64_t end = count < 0 || __builtin_add_overflow(start, count, &end) ? INT64_MAX : end;
    if (start < 1) start = 1;
    if (end <= start) return value_bytes(text.p, 0);
    Slice s = value_to_slice(text);
    size_t from = utf8_offset(s, (size_t)(start - 1) > s.size ? s.size : (size_t)(start - 1));
    Slice rest = slice_of(s.data + from, s.size - from);
    size_t wanted = (uint64_t)(end - start) > rest.size ? rest.size : (size_t)(end - start);
    return value_bytes(rest.data, utf8_offset(rest, wanted));
}

static Status substring(FnCtx *ctx, const Value *args, Value *out)
{
    *out = substring_of(args[0], args[1].i, -1);
    return ST_OK;
}

static Status substring_count(FnCtx *ctx, const Value *args, Value *out)
{
    if (args[2].i < 0)
        return err_set(ctx->type.err, ctx->type.arena, ERR_SUBSTRING_ERROR, "negative substring length not allowed");
    *out = substring_of(args[0], args[1].i, args[2].i);
    return ST_OK;
}

static Status left(FnCtx *ctx, const Value *args, Value *out)
{
    int64_t n = args[1].i;
    if (n < 0) n += (int64_t)utf8_count(value_to_slice(args[0]));
    *out = substring_of(args[0], 1, n < 0 ? 0 : n);
    return ST_OK;
}

static Status right(FnCtx *ctx, const Value *args, Value *out)
{
    int64_t count = (int64_t)utf8_count(value_to_slice(args[0])), n = args[1].i;
    if (n < 0) n += count;
    if (n < 0) n = 0;
    if (n > count) n = count;
    *out = substring_of(args[0], count - n + 1, -1);
    return ST_OK;
}

static Status overlay_at(FnCtx *ctx, const Value *args, int64_t count, Value *out)
{
    int64_t start = args[2].i, after;
    if (start <= 0)
        return err_set(ctx->type.err, ctx->type.arena, ERR_SUBSTRING_ERROR, "negative substring length not allowed");
    if (__builtin_add_overflow(start, count, &after) || after > INT32_MAX)
        return err_set(ctx->type.err, ctx->type.arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "integer out of range");
    Value head[2] = {substring_of(args[0], 1, start - 1), args[1]}, joined[2];
    TRY(concatenate(ctx, head, &joined[0]));
    joined[1] = substring_of(args[0], after, -1);
    return concatenate(ctx, joined, out);
}

static Status overlay(FnCtx *ctx, const Value *args, Value *out)
{
    return overlay_at(ctx, args, (int64_t)utf8_count(value_to_slice(args[1])), out);
}

static Status overlay_count(FnCtx *ctx, const Value *args, Value *out)
{
    return overlay_at(ctx, args, args[3].i, out);
}

static const uint8_t *find(Slice text, Slice part)
{
    if (part.size == 0) return text.data;
    return text.size < part.size ? NULL : memmem(text.data, text.size, part.data, part.size);
}

static Status strpos(FnCtx *ctx, const Value *args, Value *out)
{
    Slice text = value_to_slice(args[0]);
    const uint8_t *at = find(text, value_to_slice(args[1]));
    *out = value_int(at || args[1].size == 0 ? (int64_t)utf8_count(slice_of(text.data, (size_t)(at - text.data))) + 1 : 0);
    return ST_OK;
}

static Status starts_with(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_bool(slice_starts_with(value_to_slice(args[0]), value_to_slice(args[1])));
    return ST_OK;
}

static Status from_buf(FnCtx *ctx, Buf *buf, Value *out)
{
    bool failed = buf->failed;
    if (!failed) *out = value_slice(buf_to_arena(buf, ctx->type.arena));
    buf_finish(buf);
    return failed ? err_no_memory(ctx->type.err) : ST_OK;
}

static Status replace(FnCtx *ctx, const Value *args, Value *out)
{
    Slice text = value_to_slice(args[0]), from = value_to_slice(args[1]), to = value_to_slice(args[2]);
    const uint8_t *at = from.size ? find(text, from) : NULL;
    Buf buf = {0};
    *out = args[0];
    if (!at) return ST_OK;
    for (; at; at = find(text, from)) {
        size_t before = (size_t)(at - text.data);
        buf_put(&buf, text.data, before);
        buf_put_slice(&buf, to);
        text = slice_of(at + from.size, text.size - before - from.size);
    }
    buf_put_slice(&buf, text);
    return from_buf(ctx, &buf, out);
}

static Status translate(FnCtx *ctx, const Value *args, Value *out)
{
    Slice text = value_to_slice(args[0]), from = value_to_slice(args[1]), to = value_to_slice(args[2]);
    Buf buf = {0};
    for (size_t i = 0, n; i < text.size; i += n) {
        n = (size_t)utf8_length(text.data[i]);
        Slice c = slice_of(text.data + i, n);
        size_t f = 0, t = 0;
        while (f < from.size && !slice_starts_with(slice_of(from.data + f, from.size - f), c)) {
            f += (size_t)utf8_length(from.data[f]);
            if (t < to.size) t += (size_t)utf8_length(to.data[t]);
        }
        if (f >= from.size)
            buf_put_slice(&buf, c);
        else if (t < to.size)
            buf_put(&buf, to.data + t, (size_t)utf8_length(to.data[t]));
    }
    return from_buf(ctx, &buf, out);
}

static Status reverse(FnCtx *ctx, const Value *args, Value *out)
{
    uint8_t *p;
    TRY(allocate(ctx, args[0].size, &p));
    for (size_t i = 0, n; i < args[0].size; i += n) {
        n = (size_t)utf8_length(args[0].p[i]);
        memcpy(p + args[0].size - i - n, args[0].p + i, n);
    }
    *out = value_bytes(p, args[0].size);
    return ST_OK;
}

static Status repeat(FnCtx *ctx, const Value *args, Value *out)
{
    uint8_t *p;
    int64_t count = args[1].i < 0 ? 0 : args[1].i;
    if (args[0].size && count > TEXT_BYTES_MAX / (int64_t)args[0].size) return too_large(ctx);
    size_t size = args[0].size;
    TRY(allocate(ctx, size * (size_t)count, &p));
    for (int64_t i = 0; i < count && size; i++) memcpy(p + (size_t)i * size, args[0].p, size);
    *out = value_bytes(p, size * (size_t)count);
    return ST_OK;
}

static Status pad(FnCtx *ctx, const Value *args, Value fill, bool at_left, Value *out)
{
    int64_t wanted = args[1].i < 0 ? 0 : args[1].i, have = (int64_t)utf8_count(value_to_slice(args[0]));
    if (fill.size == 0 && wanted > have) wanted = have;
    Value kept = substring_of(args[0], 1, wanted);
    Buf buf = {0};
    if (wanted > TEXT_BYTES_MAX / 4) return too_large(ctx);
    if (!at_left) buf_put(&buf, kept.p, kept.size);
    for (int64_t i = have, at = 0; i < wanted && fill.size; i++) {
        int n = utf8_length(fill.p[at]);
        buf_put(&buf, fill.p + at, (size_t)n);
        at = at + n < fill.size ? at + n : 0;
    }
    if (at_left) buf_put(&buf, kept.p, kept.size);
    return from_buf(ctx, &buf, out);
}

static Status lpad(FnCtx *ctx, const Value *args, Value *out)
{
    return pad(ctx, args, ctx->arg_count > 2 ? args[2] : value_str(" "), true, out);
}

static Status rpad(FnCtx *ctx, const Value *args, Value *out)
{
    return pad(ctx, args, ctx->arg_count > 2 ? args[2] : value_str(" "), false, out);
}

/* Is the character at p one of the set's? */
static bool in_set(const uint8_t *p, size_t n, Slice set)
{
    for (size_t i = 0, m; i < set.size; i += m) {
        m = (size_t)utf8_length(set.data[i]);
        if (m == n && i + m <= set.size && memcmp(set.data + i, p, n) == 0) return true;
    }
    return false;
}

static Value trim(FnCtx *ctx, const Value *args, bool at_left, bool at_right)
{
    Slice text = value_to_slice(args[0]), set = ctx->arg_count > 1 ? value_to_slice(args[1]) : SLICE_LIT(" ");
    while (at_left && text.size) {
        size_t n = (size_t)utf8_length(text.data[0]);
        if (!in_set(text.data, n, set)) break;
        text = slice_of(text.data + n, text.size - n);
    }
    while (at_right && text.size) {
        size_t n = 1;
        while (n < text.size && (text.data[text.size - n] & 0xc0) == 0x80) n++;
        if (!in_set(text.data + text.size - n, n, set)) break;
        text.size -= n;
    }
    return value_slice(text);
}

static Status btrim(FnCtx *ctx, const Value *args, Value *out)
{
    *out = trim(ctx, args, true, true);
    return ST_OK;
}

static Status ltrim(FnCtx *ctx, const Value *args, Value *out)
{
    *out = trim(ctx, args, true, false);
    return ST_OK;
}

static Status rtrim(FnCtx *ctx, const Value *args, Value *out)
{
    *out = trim(ctx, args, false, true);
    return ST_OK;
}

static Status split_part(FnCtx *ctx, const Value *args, Value *out)
{
    Slice text = value_to_slice(args[0]), separator = value_to_slice(args[1]);
    int64_t wanted = args[2].i, parts = 1;
    if (wanted == 0)
        return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "field position must not be zero");
    if (wanted < 0) {
        for (Slice rest = text; separator.size; parts++) {
            const uint8_t *at = find(rest, separator);
            if (!at || rest.size == 0) break;
            rest = slice_of(at + separator.size, rest.size - (size_t)(at - rest.data) - separator.size);
        }
        wanted += parts + 1;
    }
    *out = value_bytes("", 0);
    if (text.size == 0) return ST_OK;
    for (int64_t part = 1; wanted > 0; part++) {
        const uint8_t *at = separator.size ? find(text, separator) : NULL;
        size_t n = at ? (size_t)(at - text.data) : text.size;
        if (part == wanted) *out = value_bytes(text.data, n);
        if (part == wanted || !at) break;
        text = slice_of(at + separator.size, text.size - n - separator.size);
    }
    return ST_OK;
}

static Status ascii(FnCtx *ctx, const Value *args, Value *out)
{
    int n;
    *out = value_int(args[0].size ? utf8_decode(args[0].p, args[0].size, &n) : 0);
    return ST_OK;
}

static Status chr(FnCtx *ctx, const Value *args, Value *out)
{
    int64_t code = args[0].i;
    if (code == 0)
        return err_set(ctx->type.err, ctx->type.arena, ERR_PROGRAM_LIMIT_EXCEEDED, "null character not permitted");
    if (code < 0)
        return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "character number must be positive");
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        return err_set(ctx->type.err, ctx->type.arena, ERR_PROGRAM_LIMIT_EXCEEDED,
                       "requested character too large for encoding: %lld", (long long)code);
    uint8_t *p = arena_alloc(ctx->type.arena, 4);
    *out = value_bytes(p, (size_t)utf8_encode((int32_t)code, p));
    return ST_OK;
}

static Status to_hex(FnCtx *ctx, const Value *args, Value *out)
{
    bool narrow = ctx->arg_types[0].oid != OID_INT8;
    uint64_t v = narrow ? (uint32_t)args[0].i : (uint64_t)args[0].i;
    *out = value_str(arena_printf(ctx->type.arena, "%llx", (unsigned long long)v));
    return ST_OK;
}

static Status identity(FnCtx *ctx, const Value *args, Value *out)
{
    *out = args[0];
    return ST_OK;
}

static Status ascii_only(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_bool(is_ascii(value_to_slice(args[0])));
    return ST_OK;
}

/* clang-format off */
#define OP FN_STRICT | FN_IMMUTABLE | FN_OPERATOR
#define FN FN_STRICT | FN_IMMUTABLE
const FuncDef fn_text_rows[] = {
    { 654,  "||", "text, text",             "text", OP, concatenate },
    { 2779, "||", "text, anynonarray",      "text", FN_STRICT | FN_STABLE | FN_OPERATOR, concatenate_any },
    { 2780, "||", "anynonarray, text",      "text", FN_STRICT | FN_STABLE | FN_OPERATOR, concatenate_any },
    { 2018, "||", "bytea, bytea",           "bytea", OP, concatenate },
    { 3877, "^@", "text, text",             "bool", OP, starts_with },
    { 1620, "ascii", "text",                "int4", FN, ascii },
    { 1811, "bit_length", "text",           "int4", FN, bit_length },
    { 1810, "bit_length", "bytea",          "int4", FN, bit_length },
    { 885,  "btrim", "text",                "text", FN, btrim },
    { 884,  "btrim", "text, text",          "text", FN, btrim },
    { 1381, "char_length", "text",          "int4", FN, length },
    { 1372, "char_length", "bpchar",        "int4", FN, length_bpchar },
    { 1369, "character_length", "text",     "int4", FN, length },
    { 1367, "character_length", "bpchar",   "int4", FN, length_bpchar },
    { 1621, "chr", "int4",                  "text", FN, chr },
    { 3058, "concat", "any",                "text", FN_STABLE | FN_VARIADIC, concat },
    { 3059, "concat_ws", "text, any",       "text", FN_STABLE | FN_VARIADIC, concat_ws },
    { 9001, "crdb_internal.is_ascii", "text", "bool", FN, ascii_only },
    { 3060, "left", "text, int4",           "text", FN, left },
    { 1317, "length", "text",               "int4", FN, length },
    { 1318, "length", "bpchar",             "int4", FN, length_bpchar },
    { 2010, "length", "bytea",              "int4", FN, octet_length },
    { 879,  "lpad", "text, int4",           "text", FN, lpad },
    { 873,  "lpad", "text, int4, text",     "text", FN, lpad },
    { 881,  "ltrim", "text",                "text", FN, ltrim },
    { 875,  "ltrim", "text, text",          "text", FN, ltrim },
    { 1374, "octet_length", "text",         "int4", FN, octet_length },
    { 1375, "octet_length", "bpchar",       "int4", FN, octet_length },
    { 720,  "octet_length", "bytea",        "int4", FN, octet_length },
    { 1405, "overlay", "text, text, int4",       "text", FN, overlay },
    { 1404, "overlay", "text, text, int4, int4", "text", FN, overlay_count },
    { 849,  "position", "text, text",       "int4", FN, strpos },
    { 1622, "repeat", "text, int4",         "text", FN, repeat },
    { 2087, "replace", "text, text, text",  "text", FN, replace },
    { 3062, "reverse", "text",              "text", FN, reverse },
    { 3061, "right", "text, int4",          "text", FN, right },
    { 880,  "rpad", "text, int4",           "text", FN, rpad },
    { 874,  "rpad", "text, int4, text",     "text", FN, rpad },
    { 882,  "rtrim", "text",                "text", FN, rtrim },
    { 876,  "rtrim", "text, text",          "text", FN, rtrim },
    { 2088, "split_part", "text, text, int4", "text", FN, split_part },
    { 3696, "starts_with", "text, text",    "bool", FN, starts_with },
    { 868,  "strpos", "text, text",         "int4", FN, strpos },
    { 883,  "substr", "text, int4",         "text", FN, substring },
    { 877,  "substr", "text, int4, int4",   "text", FN, substring_count },
    { 937,  "substring", "text, int4",      "text", FN, substring },
    { 936,  "substring", "text, int4, int4", "text", FN, substring_count },
    { 401,  "text", "bpchar",               "text", FN, rtrim },
    { 1192, "text", "text",                 "text", FN | FN_HIDDEN, identity },
    { 2089, "to_hex", "int4",               "text", FN, to_hex },
    { 2090, "to_hex", "int8",               "text", FN, to_hex },
    { 878,  "translate", "text, text, text", "text", FN, translate },
    { 0 }
};
/* clang-format on */
