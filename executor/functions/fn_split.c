/* fn_split.c - texts cut at a separator: string_to_array, string_to_table. */
#include "executor/functions/families.h"
#include "storage/base/list.h"
#include "storage/base/utf8.h"
#include "storage/types/type_array.h"

typedef struct Split {
    Slice rest, separator;
    Value null_text;   /* pieces equal to it are NULL; NULL: none are */
    bool by_character; /* the separator is NULL */
    bool ended;
} Split;

/* The empty text has no pieces. */
static Split split_begin(const FnCtx *ctx, const Value *args)
{
    Split s = {.null_text = ctx->arg_count > 2 ? args[2] : VALUE_NULL, .by_character = args[1].null};
    if (!args[0].null) s.rest = value_to_slice(args[0]);
    if (!args[1].null) s.separator = value_to_slice(args[1]);
    s.ended = s.rest.size == 0;
    return s;
}

static bool split_next(Split *s, Value *piece)
{
    if (s->ended) return false;
    const uint8_t *at = NULL;
    size_t n = s->rest.size, skip = n;
    if (s->by_character) {
        n = skip = (size_t)utf8_length(s->rest.data[0]);
        s->ended = n >= s->rest.size;
    } else {
        if (s->separator.size && s->rest.size)
            at = memmem(s->rest.data, s->rest.size, s->separator.data, s->separator.size);
        if (at) n = (size_t)(at - s->rest.data);
        skip = at ? n + s->separator.size : n;
        s->ended = !at;
    }
    *piece = value_bytes(s->rest.data, n);
    if (!s->null_text.null && slice_equal(value_to_slice(*piece), value_to_slice(s->null_text))) *piece = VALUE_NULL;
    s->rest = slice_of(s->rest.data + skip, s->rest.size - skip);
    return true;
}

static Status string_to_array(FnCtx *ctx, const Value *args, Value *out)
{
    VEC(Value) items = {0};
    Value piece;
    *out = VALUE_NULL;
    if (args[0].null) return ST_OK;
    Split split = split_begin(ctx, args);
    while (split_next(&split, &piece)) VEC_PUSH(ctx->type.arena, items, piece);
    return array_build(&ctx->type, OID_TEXT, items.items, items.count, out);
}

static Status table_start(FnCtx *ctx, void *state, const Value *args)
{
    *(Split *)state = split_begin(ctx, args);
    return ST_OK;
}

static Status table_next(FnCtx *ctx, void *state, Value *out)
{
    return split_next(state, out) ? ST_OK : ST_END;
}

static const FnRows table_rows = {sizeof(Split), table_start, table_next, NULL};

/* clang-format off */
const FuncDef fn_split_rows[] = {
    { 394, "string_to_array", "text, text",        "_text", FN_IMMUTABLE, string_to_array },
    { 376, "string_to_array", "text, text, text",  "_text", FN_IMMUTABLE, string_to_array },
    { 6160, "string_to_table", "text, text",       "text", FN_IMMUTABLE | FN_SET, NULL, NULL, &table_rows },
    { 6161, "string_to_table", "text, text, text", "text", FN_IMMUTABLE | FN_SET, NULL, NULL, &table_rows },
    { 0 }
};
/* clang-format on */
