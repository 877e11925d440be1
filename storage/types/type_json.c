#include "storage/types/type_json.h"

#include <assert.h>

#include "storage/types/cast_run.h"
#include "storage/types/type_defs.h"
#include "storage/types/type_numeric.h"
#include "storage/types/type_text.h"

enum { KIND_SHIFT = 28, SIZE_MASK = 0x0FFFFFFF, JSONB_WIRE_VERSION = 1 };

/* ---- reading ---- */

static uint32_t load32(const uint8_t *p)
{
    uint32_t n;
    memcpy(&n, p, sizeof n);
    return n;
}

JsonItem jsonb_root(Value jsonb)
{
    uint32_t entry = load32(jsonb.p);
    assert(jsonb.size == 4 + (entry & SIZE_MASK));
    return (JsonItem){(JsonKind)(entry >> KIND_SHIFT), slice_of(jsonb.p + 4, entry & SIZE_MASK)};
}

int jsonb_count(JsonItem item)
{
    return item.kind == JSON_ARRAY || item.kind == JSON_OBJECT ? (int)load32(item.payload.data) : 0;
}

/* The index-th of `entries` entries of a container. */
static JsonItem entry_at(JsonItem container, int index, int entries)
{
    const uint8_t *table = container.payload.data + 4, *payloads = table + 4 * (size_t)entries;
    uint32_t entry = load32(table + 4 * (size_t)index);
    uint32_t start = index ? load32(table + 4 * (size_t)(index - 1)) & SIZE_MASK : 0;
    return (JsonItem){(JsonKind)(entry >> KIND_SHIFT), slice_of(payloads + start, (entry & SIZE_MASK) - start)};
}

JsonItem jsonb_element(JsonItem array, int index)
{
    int count = jsonb_count(array);
    assert(array.kind == JSON_ARRAY && index >= 0 && index < count);
    return entry_at(array, index, count);
}

void jsonb_pair(JsonItem object, int index, Slice *key, JsonItem *value)
{
    int count = jsonb_count(object);
    assert(object.kind == JSON_OBJECT && index >= 0 && index < count);
    *key = entry_at(object, index, 2 * count).payload;
    *value = entry_at(object, count + index, 2 * count);
}

static int compare_keys(Slice a, Slice b)
{
    if (a.size != b.size) return a.size > b.size ? 1 : -1;
    return a.size ? memcmp(a.data, b.data, a.size) : 0;
}

bool jsonb_get_field(JsonItem object, Slice key, JsonItem *value)
{
    if (object.kind != JSON_OBJECT) return false;
    int count = jsonb_count(object), low = 0, high = count;
    while (low < high) {
        int middle = (low + high) / 2;
        int order = compare_keys(entry_at(object, middle, 2 * count).payload, key);
        if (order == 0) {
            *value = entry_at(object, count + middle, 2 * count);
            return true;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

bool jsonb_get_index(JsonItem array, int64_t index, JsonItem *value)
{
    int count = jsonb_count(array);
    if (array.kind != JSON_ARRAY) return false;
    if (index < 0) index += count;
    if (index < 0 || index >= count) return false;
    *value = jsonb_element(array, (int)index);
    return true;
}

Value jsonb_numeric(JsonItem number)
{
    assert(number.kind == JSON_NUMBER);
    return value_slice(number.payload);
}

const char *jsonb_type_name(JsonItem item)
{
    static const char *const names[] = {
        [JSON_NULL] = "null", [JSON_STRING] = "string", [JSON_NUMBER] = "number", [JSON_FALSE] = "boolean",
        [JSON_TRUE] = "boolean", [JSON_ARRAY] = "array", [JSON_OBJECT] = "object"};
    return names[item.kind];
}

/* ---- order ---- */

static int rank_of(JsonKind kind)
{
    static const int ranks[] = {
        [JSON_NULL] = 0, [JSON_STRING] = 1, [JSON_NUMBER] = 2, [JSON_FALSE] = 3,
        [JSON_TRUE] = 3, [JSON_ARRAY] = 4, [JSON_OBJECT] = 5};
    return ranks[kind];
}

static int compare_counts(int a, int b)
{
    return (a > b) - (a < b);
}

static int compare_objects(JsonItem a, JsonItem b, int count)
{
    for (int i = 0; i < count; i++) {
        Slice key_a, key_b;
        JsonItem value_a, value_b;
        jsonb_pair(a, i, &key_a, &value_a);
        jsonb_pair(b, i, &key_b, &value_b);
        int order = slice_compare(key_a, key_b);
        if (!order) order = jsonb_compare_items(value_a, value_b);
        if (order) return order;
    }
    return 0;
}

int jsonb_compare_items(JsonItem a, JsonItem b)
{
    int rank_a = rank_of(a.kind), rank_b = rank_of(b.kind), count_a = jsonb_count(a), count_b = jsonb_count(b),
        order = 0;
    if (rank_a != rank_b) return rank_a > rank_b ? 1 : -1;
    if (count_a != count_b) return compare_counts(count_a, count_b);
    switch (a.kind) {
    case JSON_NULL: return 0;
    case JSON_STRING: return slice_compare(a.payload, b.payload);
    case JSON_NUMBER: return numeric_compare(jsonb_numeric(a), jsonb_numeric(b));
    case JSON_FALSE:
    case JSON_TRUE: return (a.kind == JSON_TRUE) - (b.kind == JSON_TRUE);
    case JSON_ARRAY:
        for (int i = 0; i < count_a && !order; i++)
            order = jsonb_compare_items(jsonb_element(a, i), jsonb_element(b, i));
        return order;
    case JSON_OBJECT: return compare_objects(a, b, count_a);
    }
    return 0;
}

static bool is_container(JsonItem item)
{
    return item.kind == JSON_ARRAY || item.kind == JSON_OBJECT;
}

/* A document that is a scalar counts as an array of one, and the number of elements decides first; so [] is below all.
 */
static int jsonb_compare(const TypeDef *type, Value a, Value b)
{
    JsonItem x = jsonb_root(a), y = jsonb_root(b);
    bool array_x = x.kind == JSON_ARRAY, array_y = y.kind == JSON_ARRAY;
    if (array_x && jsonb_count(x) == 0 && !is_container(y)) return -1;
    if (array_y && jsonb_count(y) == 0 && !is_container(x)) return 1;
    return jsonb_compare_items(x, y);
}

static uint64_t hash_item(JsonItem item)
{
    uint64_t hash = hash_int(rank_of(item.kind) * 2 + (item.kind == JSON_TRUE));
    if (item.kind == JSON_STRING) hash ^= hash_bytes(item.payload.data, item.payload.size);
    if (item.kind == JSON_NUMBER) hash ^= numeric_hash(jsonb_numeric(item));
    int count = jsonb_count(item);
    for (int i = 0; i < count; i++) {
        JsonItem value;
        Slice key = {0};
        if (item.kind == JSON_OBJECT)
            jsonb_pair(item, i, &key, &value);
        else
            value = jsonb_element(item, i);
        hash = hash * 31 + hash_item(value) + (key.data ? hash_bytes(key.data, key.size) : 0);
    }
    return hash;
}

static uint64_t jsonb_hash(const TypeDef *type, Value value)
{
    return hash_int((int64_t)hash_item(jsonb_root(value)));
}

static bool array_has(JsonItem array, JsonItem wanted)
{
    for (int i = 0; i < jsonb_count(array); i++) {
        JsonItem element = jsonb_element(array, i);
        if (is_container(wanted) ? element.kind == wanted.kind && jsonb_contains(element, wanted)
                                 : jsonb_compare_items(element, wanted) == 0)
            return true;
    }
    return false;
}

bool jsonb_contains(JsonItem a, JsonItem b)
{
    if (a.kind == JSON_ARRAY && !is_container(b)) return array_has(a, b);
    if (a.kind == JSON_OBJECT && b.kind == JSON_OBJECT) {
        for (int i = 0; i < jsonb_count(b); i++) {
            Slice key;
            JsonItem wanted, found;
            jsonb_pair(b, i, &key, &wanted);
            if (!jsonb_get_field(a, key, &found)) return false;
            bool same = is_container(wanted) ? found.kind == wanted.kind && jsonb_contains(found, wanted)
                                             : jsonb_compare_items(found, wanted) == 0;
            if (!same) return false;
        }
        return true;
    }
    if (a.kind == JSON_ARRAY && b.kind == JSON_ARRAY) {
        for (int i = 0; i < jsonb_count(b); i++)
            if (!array_has(a, jsonb_element(b, i))) return false;
        return true;
    }
    return !is_container(a) && !is_container(b) && jsonb_compare_items(a, b) == 0;
}

/* ---- text ---- */

void json_put_string(Slice text, Buf *out)
{
    static const char hex[] = "0123456789abcdef";
    size_t start = 0;
    buf_put_u8(out, '"');
    for (size_t i = 0; i < text.size; i++) {
        uint8_t c = text.data[i];
        if (c >= ' ' && c != '"' && c != '\\') continue;
        buf_put(out, text.data + start, i - start);
        start = i + 1;
        const char *found = c ? strchr("\"\"\\\\\bb\ff\nn\rr\tt", c) : NULL;
        if (found) {
            buf_put_u8(out, '\\');
            buf_put_u8(out, (uint8_t)found[1]);
        } else {
            buf_put_str(out, "\\u00");
            buf_put_u8(out, (uint8_t)hex[c >> 4]);
            buf_put_u8(out, (uint8_t)hex[c & 15]);
        }
    }
    buf_put(out, text.data + start, text.size - start);
    buf_put_u8(out, '"');
}

static void put_scalar(JsonItem item, Buf *out)
{
    switch (item.kind) {
    case JSON_NULL: buf_put_str(out, "null"); break;
    case JSON_STRING: json_put_string(item.payload, out); break;
    case JSON_NUMBER: numeric_put_text(jsonb_numeric(item), out); break;
    case JSON_FALSE: buf_put_str(out, "false"); break;
    case JSON_TRUE: buf_put_str(out, "true"); break;
    case JSON_ARRAY:
    case JSON_OBJECT: assert(!"a container"); break;
    }
}

/* indent < 0: on one line. */
static void put_break(int indent, Buf *out)
{
    if (indent < 0) return;
    buf_put_u8(out, '\n');
    for (int i = 0; i < 4 * indent; i++) buf_put_u8(out, ' ');
}

static void put_item(JsonItem item, int indent, Buf *out)
{
    if (!is_container(item)) {
        put_scalar(item, out);
        return;
    }
    int count = jsonb_count(item), inner = indent < 0 ? -1 : indent + 1;
    buf_put_u8(out, item.kind == JSON_ARRAY ? '[' : '{');
    for (int i = 0; i < count; i++) {
        JsonItem value;
        if (i) buf_put_str(out, indent < 0 ? ", " : ",");
        put_break(inner, out);
        if (item.kind == JSON_OBJECT) {
            Slice key;
            jsonb_pair(item, i, &key, &value);
            json_put_string(key, out);
            buf_put_str(out, ": ");
        } else {
            value = jsonb_element(item, i);
        }
        put_item(value, inner, out);
    }
    put_break(indent, out);
    buf_put_u8(out, item.kind == JSON_ARRAY ? ']' : '}');
}

void jsonb_put_text(JsonItem item, Buf *out)
{
    put_item(item, -1, out);
}

void jsonb_put_pretty(JsonItem item, Buf *out)
{
    put_item(item, 0, out);
}

void jsonb_put_bare_text(JsonItem item, Buf *out)
{
    if (item.kind == JSON_STRING)
        buf_put_slice(out, item.payload);
    else
        jsonb_put_text(item, out);
}

/* ---- the types ---- */

static Status json_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    TRY(json_check(ctx, text));
    *out = value_slice(text);
    return ST_OK;
}

static void json_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    buf_put(out, value.p, value.size);
}

static Status json_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    TRY(text_check_utf8(ctx, bytes));
    return json_in(type, ctx, bytes, typmod, out);
}

static Status jsonb_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    return jsonb_parse(ctx, text, out);
}

static void jsonb_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    jsonb_put_text(jsonb_root(value), out);
}

static Status jsonb_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    if (bytes.size == 0) return type_invalid_binary(ctx);
    if (bytes.data[0] != JSONB_WIRE_VERSION)
        return err_set(ctx->err, ctx->arena, ERR_INTERNAL_ERROR, "unsupported jsonb version number %d", bytes.data[0]);
    Slice text = slice_of(bytes.data + 1, bytes.size - 1);
    TRY(text_check_utf8(ctx, text));
    return jsonb_parse(ctx, text, out);
}

static void jsonb_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    buf_put_u8(out, JSONB_WIRE_VERSION);
    jsonb_put_text(jsonb_root(value), out);
}

const TypeDef type_json = {
    .oid = OID_JSON, .array_oid = 199, .name = "json", .sql_name = "json", .crdb_name = "JSON", .length = -1,
    .category = 'U', .rep = REP_BYTES, .in = json_in, .out = json_out, .receive = json_receive, .send = json_out,
};

const TypeDef type_jsonb = {
    .oid = OID_JSONB, .array_oid = OID_JSONB_ARRAY, .name = "jsonb", .sql_name = "jsonb", .crdb_name = "JSONB",
    .length = -1, .category = 'U', .rep = REP_BYTES, .key_class = KEY_CLASS_JSON, .in = jsonb_in, .out = jsonb_out,
    .receive = jsonb_receive, .send = jsonb_send, .compare = jsonb_compare, .hash = jsonb_hash,
};

/* ---- casts ---- */

static Status cannot_cast(TypeCtx *ctx, JsonItem item, const char *target)
{
    const char *what = item.kind == JSON_NUMBER ? "numeric" : jsonb_type_name(item);
    return err_set(ctx->err, ctx->arena, ERR_INVALID_PARAMETER_VALUE, "cannot cast jsonb %s to type %s", what, target);
}

CAST_BODY(cast_jsonb_to_bool)
{
    JsonItem item = jsonb_root(in);
    if (item.kind != JSON_TRUE && item.kind != JSON_FALSE) return cannot_cast(ctx, item, "boolean");
    *out = value_bool(item.kind == JSON_TRUE);
    return ST_OK;
}

static Status number_of(TypeCtx *ctx, Value in, const char *target, Value *out)
{
    JsonItem item = jsonb_root(in);
    if (item.kind != JSON_NUMBER) return cannot_cast(ctx, item, target);
    *out = jsonb_numeric(item);
    return ST_OK;
}

CAST_BODY(cast_jsonb_to_numeric)
{
    return number_of(ctx, in, "numeric", out);
}

CAST_BODY(cast_jsonb_to_int2)
{
    TRY(number_of(ctx, in, "smallint", &in));
    return numeric_to_int(ctx, in, OID_INT2, out);
}

CAST_BODY(cast_jsonb_to_int4)
{
    TRY(number_of(ctx, in, "integer", &in));
    return numeric_to_int(ctx, in, OID_INT4, out);
}

CAST_BODY(cast_jsonb_to_int8)
{
    TRY(number_of(ctx, in, "bigint", &in));
    return numeric_to_int(ctx, in, OID_INT8, out);
}

CAST_BODY(cast_jsonb_to_float4)
{
    TRY(number_of(ctx, in, "real", &in));
    return cast_numeric_to_float4(ctx, in, typmod, explicit_cast, out);
}

CAST_BODY(cast_jsonb_to_float8)
{
    TRY(number_of(ctx, in, "double precision", &in));
    return cast_numeric_to_float8(ctx, in, typmod, explicit_cast, out);
}
