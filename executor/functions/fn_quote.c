/* fn_quote.c - quoting of SQL text, and format(). */
#include "executor/functions/families.h"
#include "executor/functions/quote.h"
#include "storage/base/utf8.h"

static bool plain_identifier(Slice name)
{
    if (name.size == 0) return false;
    for (size_t i = 0; i < name.size; i++) {
        uint8_t c = name.data[i];
        bool letter = (c >= 'a' && c <= 'z') || c == '_';
        if (!letter && (i == 0 || c < '0' || c > '9')) return false;
    }
    return true;
}

/* Words that PostgreSQL quotes although they look like names: its keywords that are not unreserved. Sorted. */
static const char *const reserved[] = {
    "all", "analyse", "analyze", "and", "any", "array", "as", "asc", "asymmetric", "authorization", "between", "bigint",
    "binary", "bit", "boolean", "both", "case", "cast", "char", "character", "check", "coalesce", "collate", "collation",
    "column", "concurrently", "constraint", "create", "cross", "current_catalog", "current_date", "current_role",
    "current_schema", "current_time", "current_timestamp", "current_user", "dec", "decimal", "default", "deferrable",
    "desc", "distinct", "do", "else", "end", "except", "exists", "extract", "false", "fetch", "float", "for", "foreign",
    "freeze", "from", "full", "grant", "greatest", "group", "grouping", "having", "ilike", "in", "initially", "inner",
    "inout", "int", "integer", "intersect", "interval", "into", "is", "isnull", "join", "lateral", "leading", "least",
    "left", "like", "limit", "localtime", "localtimestamp", "national", "natural", "nchar", "none", "normalize", "not",
    "notnull", "null", "nullif", "numeric", "offset", "on", "only", "or", "order", "out", "outer", "overlaps", "overlay",
    "placing", "position", "precision", "primary", "real", "references", "returning", "right", "row", "select",
    "session_user", "setof", "similar", "smallint", "some", "substring", "symmetric", "table", "tablesample", "then",
    "time", "timestamp", "to", "trailing", "treat", "trim", "true", "union", "unique", "user", "using", "values",
    "varchar", "variadic", "verbose", "when", "where", "window", "with", "xmlattributes", "xmlconcat", "xmlelement",
    "xmlexists", "xmlforest", "xmlnamespaces", "xmlparse", "xmlpi", "xmlroot", "xmlserialize", "xmltable"};

static bool is_reserved(Slice name)
{
    size_t low = 0, high = sizeof reserved / sizeof *reserved;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = slice_compare(name, slice_str(reserved[middle]));
        if (order == 0) return true;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

void quote_identifier(Slice name, Buf *out)
{
    if (plain_identifier(name) && !is_reserved(name)) {
        buf_put_slice(out, name);
        return;
    }
    buf_put_u8(out, '"');
    for (size_t i = 0; i < name.size; i++) {
        if (name.data[i] == '"') buf_put_u8(out, '"');
        buf_put_u8(out, name.data[i]);
    }
    buf_put_u8(out, '"');
}

void quote_string(Slice text, Buf *out)
{
    if (text.size && memchr(text.data, '\\', text.size)) buf_put_u8(out, 'E');
    buf_put_u8(out, '\'');
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] == '\'' || text.data[i] == '\\') buf_put_u8(out, text.data[i]);
        buf_put_u8(out, text.data[i]);
    }
    buf_put_u8(out, '\'');
}

static Status from_buf(FnCtx *ctx, Buf *buf, Value *out)
{
    bool failed = buf->failed;
    if (!failed) *out = value_slice(buf_to_arena(buf, ctx->type.arena));
    buf_finish(buf);
    return failed ? err_no_memory(ctx->type.err) : ST_OK;
}

static void put_text(FnCtx *ctx, int argument, Value v, Buf *out)
{
    const TypeDef *type = type_find(ctx->arg_types[argument].oid);
    type->out(type, ctx->type.env, v, out);
}

static Status quote_ident(FnCtx *ctx, const Value *args, Value *out)
{
    Buf buf = {0};
    quote_identifier(value_to_slice(args[0]), &buf);
    return from_buf(ctx, &buf, out);
}

static Status quote_literal(FnCtx *ctx, const Value *args, Value *out)
{
    Buf text = {0}, buf = {0};
    put_text(ctx, 0, args[0], &text);
    quote_string(buf_slice(&text), &buf);
    buf_finish(&text);
    return from_buf(ctx, &buf, out);
}

static Status quote_nullable(FnCtx *ctx, const Value *args, Value *out)
{
    if (!args[0].null) return quote_literal(ctx, args, out);
    *out = value_str("NULL");
    return ST_OK;
}

/* ---- format() ---- */

typedef struct FormatSpec {
    int64_t position, width; /* position 0: the next argument */
    bool left, width_from_argument;
    int64_t width_position;
    char kind;
} FormatSpec;

static Status format_fault(FnCtx *ctx, const char *message, const char *hint)
{
    err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "%s", message);
    if (hint) err_hint(ctx->type.err, ctx->type.arena, "%s", hint);
    return ST_ERROR;
}

static bool read_number(Slice format, size_t *at, int64_t *number)
{
    size_t start = *at;
    *number = 0;
    while (*at < format.size && format.data[*at] >= '0' && format.data[*at] <= '9' && *number < INT32_MAX)
        *number = *number * 10 + (format.data[(*at)++] - '0');
    return *at > start;
}

static Status read_spec(FnCtx *ctx, Slice format, size_t *at, FormatSpec *spec)
{
    int64_t number;
    size_t start = *at;
    *spec = (FormatSpec){0};
    if (read_number(format, at, &number)) {
        if (*at < format.size && format.data[*at] == '$') {
            if (number == 0) return format_fault(ctx, "format specifies argument 0, but arguments are numbered from 1", NULL);
            spec->position = number;
            ++*at;
        } else {
            *at = start;
        }
    }
    while (*at < format.size && format.data[*at] == '-') {
        spec->left = true;
        ++*at;
    }
    if (*at < format.size && format.data[*at] == '*') {
        ++*at;
        spec->width_from_argument = true;
        if (read_number(format, at, &spec->width_position)) ++*at;
    } else {
        read_number(format, at, &spec->width);
    }
    if (*at >= format.size)
        return format_fault(ctx, "unterminated format() type specifier", "For a single \"%\" use \"%%\".");
    spec->kind = (char)format.data[(*at)++];
    if (spec->kind == 's' || spec->kind == 'I' || spec->kind == 'L') return ST_OK;
    return format_fault(ctx,
                        arena_printf(ctx->type.arena, "unrecognized format() type specifier \"%c\"", spec->kind),
                        "For a single \"%\" use \"%%\".");
}

static Status convert(FnCtx *ctx, const Value *args, int argument, char kind, Buf *out)
{
    Buf text = {0};
    Value v = args[argument];
    if (v.null) {
        if (kind == 'I')
            return err_set(ctx->type.err, ctx->type.arena, ERR_NULL_VALUE_NOT_ALLOWED,
                           "null values cannot be formatted as an SQL identifier");
        if (kind == 'L') buf_put_str(out, "NULL");
        return ST_OK;
    }
    put_text(ctx, argument, v, &text);
    if (kind == 's')
        buf_put_slice(out, buf_slice(&text));
    else if (kind == 'I')
        quote_identifier(buf_slice(&text), out);
    else
        quote_string(buf_slice(&text), out);
    buf_finish(&text);
    return ST_OK;
}

static Status put_spec(FnCtx *ctx, const Value *args, const FormatSpec *spec, int argument, Buf *out)
{
    Buf piece = {0};
    Status st = convert(ctx, args, argument, spec->kind, &piece);
    int64_t length = st == ST_OK ? (int64_t)utf8_count(buf_slice(&piece)) : 0;
    int64_t width = spec->width < 0 ? -spec->width : spec->width;
    bool left = spec->left || spec->width < 0;
    for (int64_t i = length; st == ST_OK && !left && i < width; i++) buf_put_u8(out, ' ');
    if (st == ST_OK) buf_put_slice(out, buf_slice(&piece));
    for (int64_t i = length; st == ST_OK && left && i < width; i++) buf_put_u8(out, ' ');
    buf_finish(&piece);
    return st;
}

static Status take_argument(FnCtx *ctx, int64_t wanted, int *next, int *argument)
{
    if (wanted > 0) *next = (int)wanted;
    if (*next >= ctx->arg_count) return format_fault(ctx, "too few arguments for format()", NULL);
    *argument = (*next)++;
    return ST_OK;
}

static Status format_into(FnCtx *ctx, const Value *args, Buf *buf)
{
    Slice format = value_to_slice(args[0]);
    int next = 1;
    for (size_t at = 0; at < format.size;) {
        uint8_t c = format.data[at++];
        if (c != '%') {
            buf_put_u8(buf, c);
            continue;
        }
        if (at < format.size && format.data[at] == '%') {
            buf_put_u8(buf, '%');
            at++;
            continue;
        }
        FormatSpec spec;
        int argument = 0;
        TRY(read_spec(ctx, format, &at, &spec));
        if (spec.width_from_argument) {
            TRY(take_argument(ctx, spec.width_position, &next, &argument));
            spec.width = args[argument].null ? 0 : args[argument].i;
        }
        TRY(take_argument(ctx, spec.position, &next, &argument));
        TRY(put_spec(ctx, args, &spec, argument, buf));
    }
    return ST_OK;
}

static Status format(FnCtx *ctx, const Value *args, Value *out)
{
    Buf buf = {0};
    *out = VALUE_NULL;
    if (args[0].null) return ST_OK;
    if (format_into(ctx, args, &buf) == ST_OK) return from_buf(ctx, &buf, out);
    buf_finish(&buf);
    return ST_ERROR;
}

/* clang-format off */
const FuncDef fn_quote_rows[] = {
    { 3539, "format", "text, any",          "text", FN_STABLE | FN_VARIADIC, format },
    { 3540, "format", "text",               "text", FN_STABLE, format },
    { 1282, "quote_ident", "text",          "text", FN_STRICT | FN_IMMUTABLE, quote_ident },
    { 1283, "quote_literal", "text",        "text", FN_STRICT | FN_IMMUTABLE, quote_literal },
    { 1285, "quote_literal", "anyelement",  "text", FN_STRICT | FN_STABLE, quote_literal },
    { 1289, "quote_nullable", "text",       "text", FN_IMMUTABLE, quote_nullable },
    { 1290, "quote_nullable", "anyelement", "text", FN_STABLE, quote_nullable },
    { 0 }
};
/* clang-format on */
