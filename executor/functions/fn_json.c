/* fn_json.c - operators that take json and jsonb apart. A json text is parsed to jsonb for a look inside; what is handed
 * back of it is the parsed form's text. */
#include "executor/functions/families.h"
#include "executor/functions/json_look.h"
#include "storage/types/type_array.h"
#include "storage/types/type_json.h"

Status json_open(FnCtx *ctx, Value v, JsonItem *root)
{
    if (ctx->arg_types[0].oid == OID_JSON) TRY(jsonb_parse(&ctx->type, value_to_slice(v), &v));
    *root = jsonb_root(v);
    return ST_OK;
}

static Status item_text(FnCtx *ctx, JsonItem item, bool bare, Value *out)
{
    Buf buf = {0};
    if (bare)
        jsonb_put_bare_text(item, &buf);
    else
        jsonb_put_text(item, &buf);
    bool failed = buf.failed;
    if (!failed) *out = value_slice(buf_to_arena(&buf, ctx->type.arena));
    buf_finish(&buf);
    return failed ? err_no_memory(ctx->type.err) : ST_OK;
}

Status json_hand_out(FnCtx *ctx, JsonItem item, bool as_text, Value *out)
{
    *out = VALUE_NULL;
    if (as_text && item.kind == JSON_NULL) return ST_OK;
    if (as_text || ctx->arg_types[0].oid == OID_JSON) return item_text(ctx, item, as_text, out);
    return jsonb_from_item(&ctx->type, item, out);
}

static Status hand_out(FnCtx *ctx, bool found, JsonItem item, bool as_text, Value *out)
{
    *out = VALUE_NULL;
    return found ? json_hand_out(ctx, item, as_text, out) : ST_OK;
}

static Status field(FnCtx *ctx, const Value *args, bool as_text, Value *out)
{
    JsonItem root, item = {0};
    TRY(json_open(ctx, args[0], &root));
    bool found = jsonb_get_field(root, value_to_slice(args[1]), &item);
    return hand_out(ctx, found, item, as_text, out);
}

static Status element(FnCtx *ctx, const Value *args, bool as_text, Value *out)
{
    JsonItem root, item = {0};
    TRY(json_open(ctx, args[0], &root));
    bool found = root.kind == JSON_ARRAY && jsonb_get_index(root, args[1].i, &item);
    /* PostgreSQL stores a scalar jsonb as an array of one, and this operator shows it. */
    if (root.kind != JSON_ARRAY && root.kind != JSON_OBJECT) {
        found = args[1].i == 0 || args[1].i == -1;
        item = root;
    }
    return hand_out(ctx, found, item, as_text, out);
}

bool json_path_index(Slice text, int64_t *index)
{
    size_t i = text.size && text.data[0] == '-';
    if (i == text.size || text.size > 11) return false;
    *index = 0;
    for (; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9') return false;
        *index = *index * 10 + (text.data[i] - '0');
    }
    if (text.data[0] == '-') *index = -*index;
    return true;
}

static bool step_down(JsonItem from, Slice key, JsonItem *to)
{
    int64_t index;
    if (from.kind == JSON_OBJECT) return jsonb_get_field(from, key, to);
    return from.kind == JSON_ARRAY && json_path_index(key, &index) && jsonb_get_index(from, index, to);
}

static Status path(FnCtx *ctx, const Value *args, bool as_text, Value *out)
{
    JsonItem item;
    Array keys;
    bool found = true;
    TRY(json_open(ctx, args[0], &item));
    array_open(args[1], &keys);
    for (int i = 0; i < keys.count && found; i++) {
        Value key = array_element(&keys, i);
        JsonItem below;
        found = !key.null && step_down(item, value_to_slice(key), &below);
        if (found) item = below;
    }
    return hand_out(ctx, found, item, as_text, out);
}

static Status path_variadic(FnCtx *ctx, const Value *args, bool as_text, Value *out)
{
    JsonItem item;
    bool found = true;
    TRY(json_open(ctx, args[0], &item));
    for (int i = 1; i < ctx->arg_count && found; i++) {
        JsonItem below;
        found = step_down(item, value_to_slice(args[i]), &below);
        if (found) item = below;
    }
    return hand_out(ctx, found, item, as_text, out);
}

#define TWO_FORMS(name, function)                                                                                    \
    static Status name(FnCtx *ctx, const Value *args, Value *out)                                                    \
    {                                                                                                                \
        return function(ctx, args, false, out);                                                                      \
    }                                                                                                                \
    static Status name##_text(FnCtx *ctx, const Value *args, Value *out)                                             \
    {                                                                                                                \
        return function(ctx, args, true, out);                                                                       \
    }
TWO_FORMS(json_field, field)
TWO_FORMS(json_element, element)
TWO_FORMS(json_path, path)
TWO_FORMS(json_path_variadic, path_variadic)

static Status contains(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_bool(jsonb_contains(jsonb_root(args[0]), jsonb_root(args[1])));
    return ST_OK;
}

static Status contained(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_bool(jsonb_contains(jsonb_root(args[1]), jsonb_root(args[0])));
    return ST_OK;
}

/* A key of an object, a string of an array, or the string itself. */
static bool has_key(JsonItem root, Slice key)
{
    JsonItem item;
    if (root.kind == JSON_OBJECT) return jsonb_get_field(root, key, &item);
    if (root.kind == JSON_STRING) return slice_equal(root.payload, key);
    for (int i = 0; root.kind == JSON_ARRAY && i < jsonb_count(root); i++) {
        item = jsonb_element(root, i);
        if (item.kind == JSON_STRING && slice_equal(item.payload, key)) return true;
    }
    return false;
}

static Status exists(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_bool(has_key(jsonb_root(args[0]), value_to_slice(args[1])));
    return ST_OK;
}

static Status exists_some(const Value *args, bool all, Value *out)
{
    Array keys;
    array_open(args[1], &keys);
    bool result = all;
    for (int i = 0; i < keys.count; i++) {
        Value key = array_element(&keys, i);
        if (!key.null && has_key(jsonb_root(args[0]), value_to_slice(key)) != all) result = !all;
    }
    *out = value_bool(result);
    return ST_OK;
}

static Status exists_any(FnCtx *ctx, const Value *args, Value *out)
{
    return exists_some(args, false, out);
}

static Status exists_all(FnCtx *ctx, const Value *args, Value *out)
{
    return exists_some(args, true, out);
}

static Status type_name(FnCtx *ctx, const Value *args, Value *out)
{
    JsonItem root;
    TRY(json_open(ctx, args[0], &root));
    *out = value_str(jsonb_type_name(root));
    return ST_OK;
}

static Status array_size(FnCtx *ctx, const Value *args, Value *out)
{
    JsonItem root;
    TRY(json_open(ctx, args[0], &root));
    if (root.kind != JSON_ARRAY)
        return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "cannot get array length of %s",
                       root.kind == JSON_OBJECT ? "a non-array" : "a scalar");
    *out = value_int(jsonb_count(root));
    return ST_OK;
}

static Status pretty(FnCtx *ctx, const Value *args, Value *out)
{
    Buf buf = {0};
    jsonb_put_pretty(jsonb_root(args[0]), &buf);
    bool failed = buf.failed;
    if (!failed) *out = value_slice(buf_to_arena(&buf, ctx->type.arena));
    buf_finish(&buf);
    return failed ? err_no_memory(ctx->type.err) : ST_OK;
}

/* clang-format off */
#define OP FN_STRICT | FN_IMMUTABLE | FN_OPERATOR
#define FN FN_STRICT | FN_IMMUTABLE
const FuncDef fn_json_rows[] = {
    { 3211, "->",  "jsonb, text",  "jsonb", OP, json_field },
    { 3212, "->",  "jsonb, int4",  "jsonb", OP, json_element },
    { 3477, "->>", "jsonb, text",  "text",  OP, json_field_text },
    { 3481, "->>", "jsonb, int4",  "text",  OP, json_element_text },
    { 3213, "#>",  "jsonb, _text", "jsonb", OP, json_path },
    { 3206, "#>>", "jsonb, _text", "text",  OP, json_path_text },
    { 3246, "@>",  "jsonb, jsonb", "bool",  OP, contains },
    { 3250, "<@",  "jsonb, jsonb", "bool",  OP, contained },
    { 3247, "?",   "jsonb, text",  "bool",  OP, exists },
    { 3248, "?|",  "jsonb, _text", "bool",  OP, exists_any },
    { 3249, "?&",  "jsonb, _text", "bool",  OP, exists_all },
    { 1956, "json_array_length", "json",   "int4", FN, array_size },
    { 3968, "json_typeof", "json",         "text", FN, type_name },
    { 3207, "jsonb_array_length", "jsonb", "int4", FN, array_size },
    { 3217, "jsonb_extract_path", "jsonb, text",      "jsonb", FN | FN_VARIADIC, json_path_variadic },
    { 3940, "jsonb_extract_path_text", "jsonb, text", "text",  FN | FN_VARIADIC, json_path_variadic_text },
    { 3306, "jsonb_pretty", "jsonb",       "text", FN, pretty },
    { 3210, "jsonb_typeof", "jsonb",       "text", FN, type_name },
    { 0 }
};
/* clang-format on */
