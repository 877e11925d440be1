/* fn_case.c - lower, upper, initcap by ICU's simple rules; ASCII text takes a short way. */
#include <unicode/uchar.h>

#include "executor/functions/families.h"
#include "executor/functions/text_case.h"
#include "storage/base/utf8.h"

static int32_t map_character(int32_t c, bool upper)
{
    return upper ? u_toupper(c) : u_tolower(c);
}

Status text_case(TypeCtx *ctx, Slice text, bool upper, Slice *out)
{
    /* A character's other case may take one byte more, never twice as many. */
    uint8_t *p = arena_try_alloc(ctx->arena, text.size * 2 + 4);
    size_t n = 0;
    if (!p) return err_no_memory(ctx->err);
    for (size_t i = 0; i < text.size;) {
        uint8_t c = text.data[i];
        int length = 1;
        if (c < 0x80) {
            bool swap = upper ? c >= 'a' && c <= 'z' : c >= 'A' && c <= 'Z';
            p[n++] = swap ? c ^ 0x20 : c;
        } else {
            int32_t code = utf8_decode(text.data + i, text.size - i, &length);
            if (code < 0)
                p[n++] = c;
            else
                n += (size_t)utf8_encode(map_character(code, upper), p + n);
        }
        i += (size_t)length;
    }
    *out = slice_of(p, n);
    return ST_OK;
}

static Status lower(FnCtx *ctx, const Value *args, Value *out)
{
    Slice text;
    TRY(text_case(&ctx->type, value_to_slice(args[0]), false, &text));
    *out = value_slice(text);
    return ST_OK;
}

static Status upper(FnCtx *ctx, const Value *args, Value *out)
{
    Slice text;
    TRY(text_case(&ctx->type, value_to_slice(args[0]), true, &text));
    *out = value_slice(text);
    return ST_OK;
}

static Status initcap(FnCtx *ctx, const Value *args, Value *out)
{
    Slice text = value_to_slice(args[0]);
    uint8_t *p = arena_try_alloc(ctx->type.arena, text.size * 2 + 4);
    size_t n = 0;
    bool inside = false;
    if (!p) return err_no_memory(ctx->type.err);
    for (size_t i = 0; i < text.size;) {
        int length;
        int32_t code = utf8_decode(text.data + i, text.size - i, &length);
        if (code >= 0) n += (size_t)utf8_encode(map_character(code, !inside), p + n);
        inside = code >= 0 && u_isalnum(code);
        i += (size_t)length;
    }
    *out = value_bytes(p, n);
    return ST_OK;
}

/* clang-format off */
const FuncDef fn_case_rows[] = {
    { 872, "initcap", "text", "text", FN_STRICT | FN_IMMUTABLE, initcap },
    { 870, "lower",   "text", "text", FN_STRICT | FN_IMMUTABLE, lower },
    { 871, "upper",   "text", "text", FN_STRICT | FN_IMMUTABLE, upper },
    { 0 }
};
/* clang-format on */
