/* fn_json_set.c - jsonb taken apart into rows, and changed in places: jsonb_each, jsonb_array_elements, jsonb_set, -, ||. */
#include <stdlib.h>

#include "executor/functions/families.h"
#include "executor/functions/json_look.h"
#include "storage/types/type_array.h"

static Status bad_argument(FnCtx *ctx, const char *message)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "%s", message);
}

/* ---- rows ---- */

typedef struct Members {
    JsonItem root;
    int next;
} Members;

static Status each_start(FnCtx *ctx, void *state, const Value *args)
{
    Members *m = state;
    TRY(json_open(ctx, args[0], &m->root));
    if (m->root.kind == JSON_OBJECT) return ST_OK;
    return bad_argument(ctx, "cannot call jsonb_each on a non-object");
}

static Status next_pair(FnCtx *ctx, Members *m, bool as_text, Value *out)
{
    Slice key;
    JsonItem item;
    if (m->next == jsonb_count(m->root)) return ST_END;
    jsonb_pair(m->root, m->next++, &key, &item);
    out[0] = value_slice(key);
    return json_hand_out(ctx, item, as_text, &out[1]);
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
    Members *m = state;
    TRY(json_open(ctx, args[0], &m->root));
    if (m->root.kind == JSON_OBJECT) return ST_OK;
    return bad_argument(ctx, m->root.kind == JSON_ARRAY ? "cannot call jsonb_object_keys on an array"
                                                        : "cannot call jsonb_object_keys on a scalar");
}

static Status keys_next(FnCtx *ctx, void *state, Value *out)
{
    Members *m = state;
    Slice key;
    JsonItem item;
    if (m->next == jsonb_count(m->root)) return ST_END;
    jsonb_pair(m->root, m->next++, &key, &item);
    *out = value_slice(key);
    return ST_OK;
}

static Status elements_start(FnCtx *ctx, void *state, const Value *args)
{
    Members *m = state;
    TRY(json_open(ctx, args[0], &m->root));
    if (m->root.kind == JSON_ARRAY) return ST_OK;
    return bad_argument(ctx, m->root.kind == JSON_OBJECT ? "cannot extract elements from an object"
                                                         : "cannot extract elements from a scalar");
}

static Status elements_next(FnCtx *ctx, void *state, Value *out)
{
    Members *m = state;
    if (m->next == jsonb_count(m->root)) return ST_END;
    return json_hand_out(ctx, jsonb_element(m->root, m->next++), false, out);
}

static Status elements_text_next(FnCtx *ctx, void *state, Value *out)
{
    Members *m = state;
    if (m->next == jsonb_count(m->root)) return ST_END;
    return json_hand_out(ctx, jsonb_element(m->root, m->next++), true, out);
}

/* ---- changing ---- */

typedef enum PathChange { PATH_SET, PATH_REPLACE, PATH_INSERT_BEFORE, PATH_INSERT_AFTER, PATH_DELETE } PathChange;

typedef struct Change {
    FnCtx *ctx;
    JsonBuilder *builder;
    Array path;
    PathChange change;
    JsonItem value;
} Change;

static bool inserts(const Change *c)
{
    return c->change == PATH_INSERT_BEFORE || c->change == PATH_INSERT_AFTER;
}

static Status change_item(const Change *c, JsonItem item, int depth);

/* The member that the last step of the path names, as the change leaves it. */
static Status change_last(const Change *c, JsonItem old, bool in_array)
{
    if (inserts(c) && !in_array) {
        bad_argument(c->ctx, "cannot replace existing key");
        err_hint(c->ctx->type.err, c->ctx->type.arena, "Try using the function jsonb_set to replace key value.");
        return ST_ERROR;
    }
    if (c->change == PATH_INSERT_AFTER) jsonb_item(c->builder, old);
    if (c->change != PATH_DELETE) jsonb_item(c->builder, c->value);
    if (c->change == PATH_INSERT_BEFORE) jsonb_item(c->builder, old);
    return ST_OK;
}

static Status change_object(const Change *c, JsonItem object, int depth)
{
    Slice step = value_to_slice(array_element(&c->path, depth)), key;
    bool last = depth + 1 == c->path.count, found = false;
    JsonItem item;
    jsonb_begin_object(c->builder);
    for (int i = 0; i < jsonb_count(object); i++) {
        jsonb_pair(object, i, &key, &item);
        bool here = slice_equal(key, step);
        found |= here;
        if (here && last && c->change == PATH_DELETE) continue;
        jsonb_key(c->builder, key);
        if (!here) jsonb_item(c->builder, item);
        else TRY(last ? change_last(c, item, false) : change_item(c, item, depth + 1));
    }
    if (!found && last && (c->change == PATH_SET || inserts(c))) {
        jsonb_key(c->builder, step);
        jsonb_item(c->builder, c->value);
    }
    jsonb_end(c->builder);
    return ST_OK;
}

static Status step_index(const Change *c, int depth, int64_t *index)
{
    Slice text = value_to_slice(array_element(&c->path, depth));
    char *end, digits[24] = "";
    if (text.size < sizeof digits) memcpy(digits, text.data, text.size);
    *index = strtol(digits, &end, 10);
    if (digits[0] && *end == '\0') return ST_OK;
    return err_set(c->ctx->type.err, c->ctx->type.arena, ERR_INVALID_TEXT_REPRESENTATION,
                   "path element at position %d is not an integer: \"%.*s\"", depth + 1, (int)text.size, (const char *)text.data);
}

static Status change_array(const Change *c, JsonItem array, int depth)
{
    int64_t index;
    int count = jsonb_count(array);
    bool last = depth + 1 == c->path.count, adds = last && (c->change == PATH_SET || inserts(c));
    TRY(step_index(c, depth, &index));
    if (index < 0) index += count;
    jsonb_begin_array(c->builder);
    if (index < 0 && adds) jsonb_item(c->builder, c->value);
    for (int i = 0; i < count; i++) {
        JsonItem item = jsonb_element(array, i);
        if (i != index) jsonb_item(c->builder, item);
        else TRY(last ? change_last(c, item, true) : change_item(c, item, depth + 1));
    }
    if (index >= count && adds) jsonb_item(c->builder, c->value);
    jsonb_end(c->builder);
    return ST_OK;
}

static Status change_item(const Change *c, JsonItem item, int depth)
{
    if (item.kind == JSON_OBJECT) return change_object(c, item, depth);
    if (item.kind == JSON_ARRAY) return change_array(c, item, depth);
    jsonb_item(c->builder, item);
    return ST_OK;
}

static Status change(FnCtx *ctx, const Value *args, PathChange how, JsonItem value, Value *out)
{
    Change c = {.ctx = ctx, .change = how, .value = value};
    JsonItem root = jsonb_root(args[0]);
    array_open(args[1], &c.path);
    if (root.kind != JSON_OBJECT && root.kind != JSON_ARRAY)
        return bad_argument(ctx, how == PATH_DELETE ? "cannot delete path in scalar" : "cannot set path in scalar");
    for (int i = 0; i < c.path.count; i++)
        if (array_element(&c.path, i).null)
            return err_set(ctx->type.err, ctx->type.arena, ERR_NULL_VALUE_NOT_ALLOWED,
                           "path element at position %d is null", i + 1);
    *out = args[0];
    if (c.path.count == 0 || (jsonb_count(root) == 0 && (how == PATH_DELETE || how == PATH_REPLACE))) return ST_OK;
    c.builder = jsonb_builder(&ctx->type);
    TRY(change_item(&c, root, 0));
    return jsonb_finish(c.builder, out);
}

static Status set_path(FnCtx *ctx, const Value *args, Value *out)
{
    bool create = ctx->arg_count < 4 || args[3].i;
    return change(ctx, args, create ? PATH_SET : PATH_REPLACE, jsonb_root(args[2]), out);
}

static Status insert_path(FnCtx *ctx, const Value *args, Value *out)
{
    bool after = ctx->arg_count == 4 && args[3].i;
    return change(ctx, args, after ? PATH_INSERT_AFTER : PATH_INSERT_BEFORE, jsonb_root(args[2]), out);
}

static Status delete_path(FnCtx *ctx, const Value *args, Value *out)
{
    return change(ctx, args, PATH_DELETE, (JsonItem){0}, out);
}

/* (target, path, value [, create [, what a NULL value means]]) */
static Status set_lax(FnCtx *ctx, const Value *args, Value *out)
{
    Value null_means = ctx->arg_count > 4 ? args[4] : value_str("use_json_null");
    *out = VALUE_NULL;
    if (args[0].null || args[1].null || (ctx->arg_count > 3 && args[3].null)) return ST_OK;
    if (null_means.null)
        return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE,
                       "null_value_treatment must be \"delete_key\", \"return_target\", \"use_json_null\", or \"raise_exception\"");
    bool create = ctx->arg_count < 4 || args[3].i;
    Slice how = value_to_slice(null_means);
    if (!args[2].null) return change(ctx, args, create ? PATH_SET : PATH_REPLACE, jsonb_root(args[2]), out);
    if (slice_equal_str(how, "use_json_null"))
        return change(ctx, args, create ? PATH_SET : PATH_REPLACE, (JsonItem){JSON_NULL, {0}}, out);
    if (slice_equal_str(how, "delete_key")) return delete_path(ctx, args, out);
    if (slice_equal_str(how, "return_target")) {
        *out = args[0];
        return ST_OK;
    }
    if (!slice_equal_str(how, "raise_exception"))
        return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE,
                       "null_value_treatment must be \"delete_key\", \"return_target\", \"use_json_null\", or \"raise_exception\"");
    err_set(ctx->type.err, ctx->type.arena, ERR_NULL_VALUE_NOT_ALLOWED, "JSON value must not be null");
    err_detail(ctx->type.err, ctx->type.arena, "Exception was raised because null_value_treatment is \"raise_exception\".");
    err_hint(ctx->type.err, ctx->type.arena,
             "To avoid, either change the null_value_treatment argument or ensure that an SQL NULL is not passed.");
    return ST_ERROR;
}

static void put_all(JsonBuilder *builder, JsonItem item)
{
    Slice key;
    JsonItem member;
    for (int i = 0; i < jsonb_count(item); i++) {
        if (item.kind == JSON_ARRAY) {
            jsonb_item(builder, jsonb_element(item, i));
            continue;
        }
        jsonb_pair(item, i, &key, &member);
        jsonb_key(builder, key);
        jsonb_item(builder, member);
    }
}

/* Two objects are merged; else both are arrays, or taken as arrays of one. */
static Status concatenate(FnCtx *ctx, const Value *args, Value *out)
{
    JsonItem sides[] = {jsonb_root(args[0]), jsonb_root(args[1])};
    JsonBuilder *builder = jsonb_builder(&ctx->type);
    bool objects = sides[0].kind == JSON_OBJECT && sides[1].kind == JSON_OBJECT;
    if (objects) jsonb_begin_object(builder);
    else jsonb_begin_array(builder);
    for (int i = 0; i < 2; i++) {
        if (objects || sides[i].kind == JSON_ARRAY) put_all(builder, sides[i]);
        else jsonb_item(builder, sides[i]);
    }
    jsonb_end(builder);
    return jsonb_finish(builder, out);
}

static bool is_among(Slice key, Value keys, Oid type)
{
    if (!type_is_array(type_find(type))) return slice_equal(key, value_to_slice(keys));
    Array array;
    array_open(keys, &array);
    for (int i = 0; i < array.count; i++) {
        Value one = array_element(&array, i);
        if (!one.null && slice_equal(key, value_to_slice(one))) return true;
    }
    return false;
}

/* jsonb - text, jsonb - text[]: without these keys, or strings of an array. */
static Status without_keys(FnCtx *ctx, const Value *args, Value *out)
{
    JsonItem root = jsonb_root(args[0]), item;
    Slice key;
    if (root.kind != JSON_OBJECT && root.kind != JSON_ARRAY) return bad_argument(ctx, "cannot delete from scalar");
    JsonBuilder *builder = jsonb_builder(&ctx->type);
    if (root.kind == JSON_OBJECT) jsonb_begin_object(builder);
    else jsonb_begin_array(builder);
    for (int i = 0; i < jsonb_count(root); i++) {
        if (root.kind == JSON_ARRAY) {
            item = jsonb_element(root, i);
            if (item.kind != JSON_STRING || !is_among(item.payload, args[1], ctx->arg_types[1].oid)) jsonb_item(builder, item);
            continue;
        }
        jsonb_pair(root, i, &key, &item);
        if (is_among(key, args[1], ctx->arg_types[1].oid)) continue;
        jsonb_key(builder, key);
        jsonb_item(builder, item);
    }
    jsonb_end(builder);
    return jsonb_finish(builder, out);
}

static Status without_element(FnCtx *ctx, const Value *args, Value *out)
{
    JsonItem root = jsonb_root(args[0]);
    if (root.kind == JSON_OBJECT) return bad_argument(ctx, "cannot delete from object using integer index");
    if (root.kind != JSON_ARRAY) return bad_argument(ctx, "cannot delete from scalar");
    int64_t index = args[1].i < 0 ? args[1].i + jsonb_count(root) : args[1].i;
    JsonBuilder *builder = jsonb_builder(&ctx->type);
    jsonb_begin_array(builder);
    for (int i = 0; i < jsonb_count(root); i++)
        if (i != index) jsonb_item(builder, jsonb_element(root, i));
    jsonb_end(builder);
    return jsonb_finish(builder, out);
}

static void put_stripped(JsonBuilder *builder, JsonItem item)
{
    Slice key;
    JsonItem member;
    if (item.kind != JSON_OBJECT && item.kind != JSON_ARRAY) {
        jsonb_item(builder, item);
        return;
    }
    if (item.kind == JSON_OBJECT) jsonb_begin_object(builder);
    else jsonb_begin_array(builder);
    for (int i = 0; i < jsonb_count(item); i++) {
        if (item.kind == JSON_ARRAY) {
            put_stripped(builder, jsonb_element(item, i));
            continue;
        }
        jsonb_pair(item, i, &key, &member);
        if (member.kind == JSON_NULL) continue;
        jsonb_key(builder, key);
        put_stripped(builder, member);
    }
    jsonb_end(builder);
}

static Status strip_nulls(FnCtx *ctx, const Value *args, Value *out)
{
    JsonBuilder *builder = jsonb_builder(&ctx->type);
    put_stripped(builder, jsonb_root(args[0]));
    return jsonb_finish(builder, out);
}

/* clang-format off */
#define SET FN_STRICT | FN_IMMUTABLE | FN_SET
#define FN FN_STRICT | FN_IMMUTABLE
#define OP FN | FN_OPERATOR
static const FnRows each_rows = {sizeof(Members), each_start, each_next, "key text, value jsonb"};
static const FnRows each_text_rows = {sizeof(Members), each_start, each_text_next, "key text, value text"};
static const FnRows keys_rows = {sizeof(Members), keys_start, keys_next, NULL};
static const FnRows elements_rows = {sizeof(Members), elements_start, elements_next, "value jsonb"};
static const FnRows elements_text_rows = {sizeof(Members), elements_start, elements_text_next, "value text"};

const FuncDef fn_json_set_rows[] = {
    { 3208, "jsonb_each",      "jsonb", "record", SET, .rows = &each_rows },
    { 3932, "jsonb_each_text", "jsonb", "record", SET, .rows = &each_text_rows },
    { 3931, "jsonb_object_keys", "jsonb", "text", SET, .rows = &keys_rows },
    { 3219, "jsonb_array_elements",      "jsonb", "jsonb", SET, .rows = &elements_rows },
    { 3465, "jsonb_array_elements_text", "jsonb", "text",  SET, .rows = &elements_text_rows },
    { 3305, "jsonb_set",    "jsonb, _text, jsonb",       "jsonb", FN, set_path },
    { 9305, "jsonb_set",    "jsonb, _text, jsonb, bool", "jsonb", FN, set_path },
    { 9680, "jsonb_set_lax", "jsonb, _text, jsonb",       "jsonb", FN_IMMUTABLE | FN_HIDDEN, set_lax },
    { 9681, "jsonb_set_lax", "jsonb, _text, jsonb, bool", "jsonb", FN_IMMUTABLE | FN_HIDDEN, set_lax },
    { 5054, "jsonb_set_lax", "jsonb, _text, jsonb, bool, text", "jsonb", FN_IMMUTABLE, set_lax },
    { 3579, "jsonb_insert", "jsonb, _text, jsonb",       "jsonb", FN, insert_path },
    { 9306, "jsonb_insert", "jsonb, _text, jsonb, bool", "jsonb", FN, insert_path },
    { 3262, "jsonb_strip_nulls", "jsonb", "jsonb", FN, strip_nulls },
    { 3301, "||", "jsonb, jsonb", "jsonb", OP, concatenate },
    { 3302, "-",  "jsonb, text",  "jsonb", OP, without_keys },
    { 3343, "-",  "jsonb, _text", "jsonb", OP, without_keys },
    { 3303, "-",  "jsonb, int4",  "jsonb", OP, without_element },
    { 3304, "#-", "jsonb, _text", "jsonb", OP, delete_path },
    { 0 },
};
/* clang-format on */
