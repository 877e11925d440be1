/* Casts between strings, and of bool and "char" to them. */
#include "storage/types/cast_run.h"
#include "storage/types/type_defs.h"
#include "storage/types/type_text.h"

CAST_BODY(cast_bool_to_text)
{
    *out = value_str(in.i ? "true" : "false");
    return ST_OK;
}

CAST_BODY(cast_char_to_int4)
{
    *out = value_int(in.size ? (int8_t)in.p[0] : 0);
    return ST_OK;
}

/* A byte that is no character of its own is spelled \ooo. */
CAST_BODY(cast_char_to_text)
{
    *out = in;
    if (in.size && in.p[0] & 0x80) *out = value_str(type_text((TypeRef){OID_CHAR, -1}, ctx->env, in, ctx->arena));
    return ST_OK;
}

CAST_BODY(cast_int4_to_char)
{
    if (in.i < INT8_MIN || in.i > INT8_MAX) return type_out_of_range(ctx, "\"char\"");
    uint8_t byte = (uint8_t)in.i;
    *out = value_bytes(arena_copy(ctx->arena, &byte, 1), byte ? 1 : 0);
    return ST_OK;
}

CAST_BODY(cast_text_to_char)
{
    return type_char.in(&type_char, ctx, value_to_slice(in), -1, out);
}

CAST_BODY(cast_text_to_name)
{
    *out = value_slice(text_cut_name(value_to_slice(in)));
    return ST_OK;
}

CAST_BODY(cast_bpchar_to_text)
{
    *out = value_slice(text_without_padding(value_to_slice(in)));
    return ST_OK;
}

CAST_BODY(cast_bpchar_to_name)
{
    *out = value_slice(text_without_padding(text_cut_name(value_to_slice(in))));
    return ST_OK;
}

CAST_BODY(cast_text_to_regclass)
{
    return type_regclass.in(&type_regclass, ctx, value_to_slice(in), -1, out);
}
