/* fn_json_text.c - operators and functions that take json apart. json is a text, and its parts are parts of that text: with
 * the spaces, the digits, the order and the repeated keys that it was written with. */
#include "executor/functions/families.h"
#include "executor/functions/json_look.h"
#include "storage/types/type_array.h"

/* The text was checked when it became json, so that its structure can be trusted here. */
static Slice skip_space(Slice text)
{
    size_t i = 0;
    while (i < text.size && strchr(" \t\n\r", text.data[i])) i++;
    return slice_of(text.data + i, text.size - i);
}

static size_t string_size(Slice text)
{
    size_t i = 1;
    while (i < text.size && text.data[i] != '"') i += text.data[i] == '\\' ? 2 : 1;
    return i + 1;
}

/* The size of the value at the start of the text. */
static size_t value_size(Slice text)
{
    size_t i = 0;
    int depth = 0;
    while (i < text.size) {
        uint8_t c = text.data[i];
        if (c == '"') {
            i += string_size(slice_of(text.data + i, text.size - i));
            if (depth == 0) return i;
            continue;
        }
        if (depth == 0 && strchr(",]} \t\n\r", c)) return i;
        if (c == '{' || c == '[') depth++;
        if ((c == '}' || c == ']') && --depth == 0) return i + 1;
        i++;
    }
    return text.size;
}

/* A walk over the members of an object or the elements of an array. */
typedef struct Walk {
    Slice rest;
    uint8_t kind; /* '{', '[', or something else: a scalar, which has no members */
} Walk;

static Walk walk_begin(Slice json)
{
    Slice text = skip_space(json);
    uint8_t kind = text.size ? text.data[0] : 0;
    return (Walk){slice_of(text.data + 1, text.size ? text.size - 1 : 0), kind};
}

static Slice take_value(Walk *w)
{
    size_t size = value_size(w->rest);
    Slice value = slice_of(w->rest.data, size);
    w->rest = slice_of(w->rest.data + size, w->rest.size - size);
    return value;
}

/* False: there are no more. Keys are as they are written, with their quotes. */
static bool walk_next(Walk *w, Slice *key, Slice *value)
{
    if (w->kind != '{' && w->kind != '[') return false;
    w->rest = skip_space(w->rest);
    if (w->rest.size && w->rest.data[0] == ',') w->rest = skip_space(slice_of(w->rest.data + 1, w->rest.size - 1));
    if (!w->rest.size || w->rest.data[0] == '}' || w->rest.data[0] == ']') return false;
    if (w->kind == '{') {
        *key = take_value(w);
        w->rest = skip_space(w->rest);
        w->rest = skip_space(slice_of(w->rest.data + 1, w->rest.size - 1)); /* the colon */
    }
    *value = take_value(w);
    return true;
}

/* What a string in quotes stands for. */
static Status unquote(FnCtx *ctx, Slice quoted, Slice *out)
{
    Value parsed;
    if (!memchr(quoted.data, '\\', quoted.size)) {
        *out = slice_of(quoted.data + 1, quoted.size - 2);
        return ST_OK;
    }
    TRY(jsonb_parse(&ctx->type, quoted, &parsed));
    *out = jsonb_root(parsed).payload;
    return ST_OK;
}

static Status hand_out(FnCtx *ctx, bool found, Slice part, bool as_text, Value *out)
{
    *out = VALUE_NULL;
    if (!found) return ST_OK;
    if (as_text && part.data[0] == 'n') return ST_OK;
    if (as_text && part.data[0] == '"') TRY(unquote(ctx, part, &part));
    *out = value_slice(part);
    return ST_OK;
}

/* ---- one part ---- */

/* Of a key that is there several times the last one counts. */
static Status find_field(FnCtx *ctx, Slice json, Slice name, Slice *value, bool *found)
{
    Walk w = walk_begin(json);
    Slice quoted, key, one;
    *found = false;
    if (w.kind != '{') return ST_OK;
    while (walk_next(&w, &quoted, &one)) {
        TRY(unquote(ctx, quoted, &key));
        if (!slice_equal(key, name)) continue;
        *value = one;
        *found = true;
    }
    return ST_OK;
}

static bool find_element(Slice json, int64_t index, Slice *value)
{
    Slice key;
    Walk w = walk_begin(json), counted = w;
    if (w.kind != '[') return false;
    for (int64_t i = index; i < 0; i++)
        if (!walk_next(&counted, &key, value)) return false;
    /* From the end: when as many steps are behind the other walk as are asked for, the two move on together. */
    while (index < 0 && walk_next(&counted, &key, value)) walk_next(&w, &key, value);
    for (; index > 0; index--)
        if (!walk_next(&w, &key, value)) return false;
    return walk_next(&w, &key, value);
}

static Status field(FnCtx *ctx, const Value *args, bool as_text, Value *out)
{
    Slice value = {0};
    bool found;
    TRY(find_field(ctx, value_to_slice(args[0]), value_to_slice(args[1]), &value, &found));
    return hand_out(ctx, found, value, as_text, out);
}

static Status element(FnCtx *ctx, const Value *args, bool as_text, Value *out)
{
    Slice value = {0};
    bool found = find_element(value_to_slice(args[0]), args[1].i, &value);
    return hand_out(ctx, found, value, as_text, out);
}

static Status step_down(FnCtx *ctx, Slice *json, Slice step, bool *found)
{
    int64_t index;
    Walk w = walk_begin(*json);
    if (w.kind == '{') return find_field(ctx, *json, step, json, found);
    *found = w.kind == '[' && json_path_index(step, &index) && find_element(*json, index, json);
    return ST_OK;
}

static Status path(FnCtx *ctx, const Value *args, bool as_text, Value *out)
{
    Array keys;
    Slice json = skip_space(value_to_slice(args[0]));
    bool found = true;
    array_open(args[1], &keys);
    for (int i = 0; i < keys.count && found; i++) {
        Value key = array_element(&keys, i);
        found = !key.null;
        if (found) TRY(step_down(ctx, &json, value_to_slice(key), &found));
    }
    return hand_out(ctx, found, json, as_text, out);
}

static Status path_variadic(FnCtx *ctx, const Value *args, bool as_text, Value *out)
{
    Slice json = skip_space(value_to_slice(args[0]));
    bool found = true;
    for (int i = 1; i < ctx->arg_count && found; i++) TRY(step_down(ctx, &json, value_to_slice(args[i]), &found));
    return hand_out(ctx, found, json, as_text, out);
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

/* ---- rows ---- */

static Status bad_argument(FnCtx *ctx, const char *message)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "%s", message);
}

static Status each_start(FnCtx *ctx, void *state, const Value *args)
{
    Walk *w = state;
    *w = walk_begin(value_to_slice(args[0]));
    if (w->kind == '{') return ST_OK;
    return bad_argument(ctx, w->kind == '[' ? "cannot deconstruct an array as an object" : "cannot deconstruct a scalar");
}

static Status next_pair(FnCtx *ctx, Walk *w, bool as_text, Value *out)
{
    Slice quoted, key, value;
    if (!walk_next(w, &quoted, &value)) return ST_END;
    TRY(unquote(ctx, quoted, &key));
    out[0] = value_slice(key);
    return hand_out(ctx, true, value, as_text, &out[1]);
}

static Status each_next(FnCtx *ctx, void *state, Value *out)
{
    return next_pair(ctx, state, false, out);
}

static Status each_text_next(FnCtx *ctx, void *state, Value *out)
{
    return next_pair(ctx, state, true, out);
}

static Status keys_start(FnCtx *ctx, void *state, const Value *args)
{
    Walk *w = state;
    *w = walk_begin(value_to_slice(args[0]));
    if (w->kind == '{') return ST_OK;
    return bad_argument(ctx, w->kind == '[' ? "cannot call json_object_keys on an array" : "cannot call json_object_keys on a scalar");
}

static Status keys_next(FnCtx *ctx, void *state, Value *out)
{
    Slice quoted, key, value;
    if (!walk_next(state, &quoted, &value)) return ST_END;
    TRY(unquote(ctx, quoted, &key));
    *out = value_slice(key);
    return ST_OK;
}

static Status array_start(FnCtx *ctx, Walk *w, const Value *args, const char *name)
{
    *w = walk_begin(value_to_slice(args[0]));
    if (w->kind == '[') return ST_OK;
    return bad_argument(ctx, arena_printf(ctx->type.arena, "cannot call %s on a %s", name,
                                          w->kind == '{' ? "non-array" : "scalar"));
}

static Status elements_start(FnCtx *ctx, void *state, const Value *args)
{
    return array_start(ctx, state, args, "json_array_elements");
}

static Status elements_text_start(FnCtx *ctx, void *state, const Value *args)
{
    return array_start(ctx, state, args, "json_array_elements_text");
}

static Status elements_next(FnCtx *ctx, void *state, Value *out)
{
    Slice key, value;
    return walk_next(state, &key, &value) ? hand_out(ctx, true, value, false, out) : ST_END;
}

static Status elements_text_next(FnCtx *ctx, void *state, Value *out)
{
    Slice key, value;
    return walk_next(state, &key, &value) ? hand_out(ctx, true, value, true, out) : ST_END;
}

/* clang-format off */
#define OP FN_STRICT | FN_IMMUTABLE | FN_OPERATOR
#define FN FN_STRICT | FN_IMMUTABLE
#define SET FN | FN_SET
static const FnRows each_rows = {sizeof(Walk), each_start, each_next, "key text, value json"};
static const FnRows each_text_rows = {sizeof(Walk), each_start, each_text_next, "key text, value text"};
static const FnRows keys_rows = {sizeof(Walk), keys_start, keys_next, NULL};
static const FnRows elements_rows = {sizeof(Walk), elements_start, elements_next, "value json"};
static const FnRows elements_text_rows = {sizeof(Walk), elements_text_start, elements_text_next, "value text"};

const FuncDef fn_json_text_rows[] = {
    { 3962, "->",  "json, text",   "json",  OP, json_field },
    { 3964, "->",  "json, int4",   "json",  OP, json_element },
    { 3963, "->>", "json, text",   "text",  OP, json_field_text },
    { 3965, "->>", "json, int4",   "text",  OP, json_element_text },
    { 3966, "#>",  "json, _text",  "json",  OP, json_path },
    { 3967, "#>>", "json, _text",  "text",  OP, json_path_text },
    { 3951, "json_extract_path", "json, text",       "json",  FN | FN_VARIADIC, json_path_variadic },
    { 3953, "json_extract_path_text", "json, text",  "text",  FN | FN_VARIADIC, json_path_variadic_text },
    { 3958, "json_each",         "json", "record", SET, .rows = &each_rows },
    { 3959, "json_each_text",    "json", "record", SET, .rows = &each_text_rows },
    { 3957, "json_object_keys",  "json", "text",   SET, .rows = &keys_rows },
    { 3955, "json_array_elements",      "json", "json", SET, .rows = &elements_rows },
    { 3969, "json_array_elements_text", "json", "text", SET, .rows = &elements_text_rows },
    { 0 }
};
/* clang-format on */
