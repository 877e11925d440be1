/* fn_json_object.c - json_object and jsonb_object: objects of texts from arrays. */
#include "executor/functions/families.h"
#include "storage/types/type_array.h"
#include "storage/types/type_json.h"

/* The i-th of count pairs. */
typedef struct TextPairs {
    Array keys, values;
    bool alternate; /* one array: key, value, key, value */
    int count;
} TextPairs;

static Status bad_shape(FnCtx *ctx, const char *message)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_ARRAY_SUBSCRIPT_ERROR, "%s", message);
}

static Status open_pairs(FnCtx *ctx, const Value *args, TextPairs *pairs)
{
    array_open(args[0], &pairs->keys);
    pairs->alternate = ctx->arg_count == 1;
    const Array *keys = &pairs->keys;
    if (!pairs->alternate) {
        array_open(args[1], &pairs->values);
        if (keys->dimension_count > 1 || keys->dimension_count != pairs->values.dimension_count)
            return bad_shape(ctx, "wrong number of array subscripts");
        if (keys->count != pairs->values.count) return bad_shape(ctx, "mismatched array dimensions");
        pairs->count = keys->count;
        return ST_OK;
    }
    if (keys->dimension_count > 2) return bad_shape(ctx, "wrong number of array subscripts");
    if (keys->dimension_count == 2 && keys->lengths[1] != 2) return bad_shape(ctx, "array must have two columns");
    if (keys->count % 2) return bad_shape(ctx, "array must have even number of elements");
    pairs->count = keys->count / 2;
    return ST_OK;
}

static Status pair_at(FnCtx *ctx, const TextPairs *pairs, int i, Value *key, Value *value)
{
    *key = array_element(&pairs->keys, pairs->alternate ? 2 * i : i);
    *value = pairs->alternate ? array_element(&pairs->keys, 2 * i + 1) : array_element(&pairs->values, i);
    if (!key->null) return ST_OK;
    return err_set(ctx->type.err, ctx->type.arena, ERR_NULL_VALUE_NOT_ALLOWED, "null value not allowed for object key");
}

static Status put_object(FnCtx *ctx, const TextPairs *pairs, Buf *buf)
{
    buf_put_u8(buf, '{');
    for (int i = 0; i < pairs->count; i++) {
        Value key, value;
        TRY(pair_at(ctx, pairs, i, &key, &value));
        if (i) buf_put_str(buf, ", ");
        json_put_string(value_to_slice(key), buf);
        buf_put_str(buf, " : ");
        if (value.null)
            buf_put_str(buf, "null");
        else
            json_put_string(value_to_slice(value), buf);
    }
    buf_put_u8(buf, '}');
    return ST_OK;
}

static Status json_object(FnCtx *ctx, const Value *args, Value *out)
{
    TextPairs pairs;
    Buf buf = {0};
    TRY(open_pairs(ctx, args, &pairs));
    Status status = put_object(ctx, &pairs, &buf);
    if (status == ST_OK && buf.failed) status = err_no_memory(ctx->type.err);
    if (status == ST_OK) *out = value_slice(buf_to_arena(&buf, ctx->type.arena));
    buf_finish(&buf);
    return status;
}

static Status jsonb_object(FnCtx *ctx, const Value *args, Value *out)
{
    TextPairs pairs;
    TRY(open_pairs(ctx, args, &pairs));
    JsonBuilder *builder = jsonb_builder(&ctx->type);
    jsonb_begin_object(builder);
    for (int i = 0; i < pairs.count; i++) {
        Value key, value;
        TRY(pair_at(ctx, &pairs, i, &key, &value));
        jsonb_key(builder, value_to_slice(key));
        if (value.null)
            jsonb_null(builder);
        else
            jsonb_string(builder, value_to_slice(value));
    }
    jsonb_end(builder);
    return jsonb_finish(builder, out);
}

/* clang-format off */
#define FN FN_STRICT | FN_IMMUTABLE
const FuncDef fn_json_object_rows[] = {
    { 3202, "json_object", "_text",         "json",  FN, json_object },
    { 3203, "json_object", "_text, _text",  "json",  FN, json_object },
    { 3263, "jsonb_object", "_text",        "jsonb", FN, jsonb_object },
    { 3264, "jsonb_object", "_text, _text", "jsonb", FN, jsonb_object },
    { 0 }
};
/* clang-format on */
