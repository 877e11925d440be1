#include "storage/types/type_defs.h"

/* Any unambiguous beginning of these words is accepted; "o" alone could be on or off. */
static bool bool_parse(Slice text, bool *value)
{
    static const struct {
        const char *word;
        size_t least;
        bool value;
    } words[] = {{"true", 1, true}, {"false", 1, false}, {"yes", 1, true},  {"no", 1, false},
                 {"on", 2, true},   {"off", 2, false},   {"1", 1, true},    {"0", 1, false}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        Slice word = slice_str(words[i].word);
        if (text.size < words[i].least || text.size > word.size) continue;
        size_t n = 0;
        while (n < text.size && to_lower(text.data[n]) == word.data[n]) n++;
        if (n < text.size) continue;
        *value = words[i].value;
        return true;
    }
    return false;
}

static Status bool_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    bool value;
    if (!bool_parse(text_trim(text), &value)) return type_invalid_text(ctx, "boolean", text);
    *out = value_bool(value);
    return ST_OK;
}

static void bool_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    buf_put_u8(out, value.i ? 't' : 'f');
}

static Status bool_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    if (bytes.size != 1) return type_invalid_binary(ctx);
    *out = value_bool(bytes.data[0] != 0);
    return ST_OK;
}

static void bool_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    buf_put_u8(out, value.i != 0);
}

const TypeDef type_bool = {
    .oid = OID_BOOL, .array_oid = OID_BOOL_ARRAY, .name = "bool", .sql_name = "boolean", .crdb_name = "BOOL",
    .length = 1, .category = 'B', .preferred = true, .rep = REP_INT, .key_class = KEY_CLASS_INT,
    .in = bool_in, .out = bool_out, .receive = bool_receive, .send = bool_send,
    .compare = type_int_compare, .hash = type_int_hash,
};
