/* fn_identifier.c - qualified names taken apart. */
#include "executor/functions/families.h"
#include "storage/base/list.h"
#include "storage/types/type_array.h"
#include "storage/types/type_defs.h"

static Status no_identifier(FnCtx *ctx, Slice text, const char *detail)
{
    err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "string is not a valid identifier: \"%.*s\"",
            (int)text.size, (const char *)text.data);
    if (detail) err_detail(ctx->type.err, ctx->type.arena, "%s", detail);
    return ST_ERROR;
}

static bool begins_identifier(uint8_t c)
{
    return c == '_' || is_alpha(c) || c >= 0x80;
}

static bool continues_identifier(uint8_t c)
{
    return begins_identifier(c) || is_digit(c) || c == '$';
}

static void skip_blanks(Slice *rest)
{
    while (rest->size && is_space(rest->data[0])) *rest = slice_of(rest->data + 1, rest->size - 1);
}

/* "a""b" at the front of rest. */
static Status quoted_part(FnCtx *ctx, Slice text, Slice *rest, Value *part)
{
    char *name = arena_alloc(ctx->type.arena, rest->size);
    size_t size = 0, i = 1;
    for (; i < rest->size; i++) {
        if (rest->data[i] == '"' && !(i + 1 < rest->size && rest->data[i + 1] == '"')) break;
        i += rest->data[i] == '"';
        name[size++] = (char)rest->data[i];
    }
    if (i >= rest->size) return no_identifier(ctx, text, "String has unclosed double quotes.");
    if (size == 0) return no_identifier(ctx, text, "Quoted identifier must not be empty.");
    *rest = slice_of(rest->data + i + 1, rest->size - i - 1);
    *part = value_bytes(name, size);
    return ST_OK;
}

static Value plain_part(FnCtx *ctx, Slice *rest)
{
    size_t n = 0;
    while (n < rest->size && continues_identifier(rest->data[n])) n++;
    char *name = arena_strndup(ctx->type.arena, rest->data, n);
    for (size_t i = 0; i < n; i++) name[i] = (char)to_lower((uint8_t)name[i]);
    *rest = slice_of(rest->data + n, rest->size - n);
    return value_bytes(name, n);
}

static Status missing_part(FnCtx *ctx, Slice text, Slice rest, bool after_dot)
{
    bool before_dot = rest.size && rest.data[0] == '.';
    const char *detail = before_dot ? "No valid identifier before \".\"." : after_dot ? "No valid identifier after \".\"." : NULL;
    return no_identifier(ctx, text, detail);
}

/* strict (the default): nothing may follow the last part. */
static Status parse_ident(FnCtx *ctx, const Value *args, Value *out)
{
    VEC(Value) parts = {0};
    Slice text = value_to_slice(args[0]), rest = text;
    bool strict = ctx->arg_count < 2 || args[1].i, after_dot = false;
    for (;;) {
        Value part;
        skip_blanks(&rest);
        if (rest.size && rest.data[0] == '"')
            TRY(quoted_part(ctx, text, &rest, &part));
        else if (rest.size && begins_identifier(rest.data[0]))
            part = plain_part(ctx, &rest);
        else
            return missing_part(ctx, text, rest, after_dot);
        VEC_PUSH(ctx->type.arena, parts, part);
        skip_blanks(&rest);
        after_dot = rest.size && rest.data[0] == '.';
        if (!after_dot) break;
        rest = slice_of(rest.data + 1, rest.size - 1);
    }
    if (rest.size && strict) return no_identifier(ctx, text, NULL);
    return array_build(&ctx->type, OID_TEXT, parts.items, parts.count, out);
}

/* clang-format off */
#define FN FN_STRICT | FN_IMMUTABLE
const FuncDef fn_identifier_rows[] = {
    { 9652, "parse_ident", "text",       "_text", FN | FN_HIDDEN, parse_ident },
    { 1268, "parse_ident", "text, bool", "_text", FN, parse_ident },
    { 0 }
};
/* clang-format on */
