#include "storage/keys/key_column_parts.h"

#include "storage/keys/ordered.h"
#include "storage/types/type_json.h"

/* A key is at most a few thousand bytes, so what nests deeper than this is no key. */
enum { JSON_DEPTH_MAX = 4000 };

static void put_item(JsonItem item, bool descending, Buf *out);

static void put_text(Slice text, bool descending, Buf *out)
{
    ordered_put_json(out, ORDERED_JSON_STRING, descending);
    ordered_put_bytes(out, text, descending);
    ordered_put_json_end(out, descending);
}

static void put_array(JsonItem array, bool descending, Buf *out)
{
    int count = jsonb_count(array);
    ordered_put_json(out, count ? ORDERED_JSON_ARRAY : ORDERED_JSON_EMPTY, descending);
    ordered_put_int(out, count, descending);
    for (int i = 0; i < count; i++) put_item(jsonb_element(array, i), descending, out);
    ordered_put_json_end(out, descending);
}

/* The smallest name of an object that is greater than `after`; a jsonb has them by size first, keys by bytes. */
static int next_pair(JsonItem object, int count, const Slice *after)
{
    int best = -1;
    Slice best_name = {0};
    for (int i = 0; i < count; i++) {
        Slice name;
        JsonItem value;
        jsonb_pair(object, i, &name, &value);
        if (after && slice_compare(name, *after) <= 0) continue;
        if (best >= 0 && slice_compare(name, best_name) >= 0) continue;
        best = i;
        best_name = name;
    }
    return best;
}

static void put_object(JsonItem object, bool descending, Buf *out)
{
    int count = jsonb_count(object);
    Slice name = {0};
    ordered_put_json(out, ORDERED_JSON_OBJECT, descending);
    ordered_put_int(out, count, descending);
    for (int n = 0; n < count; n++) {
        JsonItem value;
        int pair = next_pair(object, count, n ? &name : NULL);
        jsonb_pair(object, pair, &name, &value);
        put_text(name, descending, out);
        put_item(value, descending, out);
    }
    ordered_put_json_end(out, descending);
}

static void put_item(JsonItem item, bool descending, Buf *out)
{
    switch (item.kind) {
    case JSON_NULL: ordered_put_json(out, ORDERED_JSON_NULL, descending); break;
    case JSON_FALSE: ordered_put_json(out, ORDERED_JSON_FALSE, descending); break;
    case JSON_TRUE: ordered_put_json(out, ORDERED_JSON_TRUE, descending); break;
    case JSON_STRING: put_text(item.payload, descending, out); break;
    case JSON_NUMBER:
        ordered_put_json(out, ORDERED_JSON_NUMBER, descending);
        key_numeric_put(jsonb_numeric(item), descending, out);
        ordered_put_json_end(out, descending);
        break;
    case JSON_ARRAY: put_array(item, descending, out); break;
    case JSON_OBJECT: put_object(item, descending, out); break;
    }
}

void key_json_put(Value jsonb, bool descending, Buf *out)
{
    put_item(jsonb_root(jsonb), descending, out);
}

/* ---- back ---- */

typedef struct JsonDecode {
    Slice key;
    bool descending;
    Arena *arena;
    JsonBuilder *builder;
    int depth;
} JsonDecode;

static bool get_item(JsonDecode *d);

static bool get_end(JsonDecode *d)
{
    if (d->key.size == 0 || d->key.data[0] != (d->descending ? ORDERED_NULL_DESC : ORDERED_NULL)) return false;
    d->key = slice_of(d->key.data + 1, d->key.size - 1);
    return true;
}

static bool get_name(JsonDecode *d)
{
    OrderedJson kind;
    Slice name;
    if (!ordered_get_json(&d->key, d->descending, &kind) || kind != ORDERED_JSON_STRING) return false;
    if (!ordered_get_bytes(&d->key, d->descending, d->arena, &name)) return false;
    jsonb_key(d->builder, name);
    return get_end(d);
}

static bool get_members(JsonDecode *d, bool object)
{
    int64_t count;
    if (!ordered_get_int(&d->key, d->descending, &count) || ++d->depth > JSON_DEPTH_MAX) return false;
    if (object) jsonb_begin_object(d->builder);
    else jsonb_begin_array(d->builder);
    for (int64_t i = 0; i < count; i++)
        if ((object && !get_name(d)) || !get_item(d)) return false;
    jsonb_end(d->builder);
    d->depth--;
    return get_end(d);
}

static bool get_scalar(JsonDecode *d, OrderedJson kind)
{
    Slice text;
    Value number;
    if (kind == ORDERED_JSON_STRING) {
        if (!ordered_get_bytes(&d->key, d->descending, d->arena, &text)) return false;
        jsonb_string(d->builder, text);
    } else {
        if (!key_numeric_get(&d->key, d->descending, -1, d->arena, &number)) return false;
        jsonb_number(d->builder, number);
    }
    return get_end(d);
}

static bool get_item(JsonDecode *d)
{
    OrderedJson kind;
    if (!ordered_get_json(&d->key, d->descending, &kind)) return false;
    switch (kind) {
    case ORDERED_JSON_NULL: jsonb_null(d->builder); return true;
    case ORDERED_JSON_FALSE:
    case ORDERED_JSON_TRUE: jsonb_bool(d->builder, kind == ORDERED_JSON_TRUE); return true;
    case ORDERED_JSON_STRING:
    case ORDERED_JSON_NUMBER: return get_scalar(d, kind);
    case ORDERED_JSON_EMPTY:
    case ORDERED_JSON_ARRAY:
    case ORDERED_JSON_OBJECT: return get_members(d, kind == ORDERED_JSON_OBJECT);
    }
    return false;
}

bool key_json_get(Slice *key, bool descending, Arena *arena, Value *jsonb)
{
    Error err;
    TypeCtx ctx = {.arena = arena, .env = &type_env_default, .err = &err};
    JsonDecode d = {.key = *key, .descending = descending, .arena = arena, .builder = jsonb_builder(&ctx)};
    if (!get_item(&d) || jsonb_finish(d.builder, jsonb) != ST_OK) return false;
    *key = d.key;
    return true;
}

static bool item_loses(JsonItem item)
{
    if (item.kind == JSON_NUMBER) return key_numeric_loses(jsonb_numeric(item), -1);
    if (item.kind != JSON_ARRAY && item.kind != JSON_OBJECT) return false;
    int count = jsonb_count(item);
    for (int i = 0; i < count; i++) {
        Slice name;
        JsonItem member;
        if (item.kind == JSON_ARRAY) member = jsonb_element(item, i);
        else jsonb_pair(item, i, &name, &member);
        if (item_loses(member)) return true;
    }
    return false;
}

bool key_json_loses(Value jsonb)
{
    return item_loses(jsonb_root(jsonb));
}
