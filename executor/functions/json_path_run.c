/* json_path_run.c - the items that a path finds: accessors, methods, arithmetic. Conditions are in json_path_test.c. */
#include <math.h>

#include "executor/functions/json_path_internal.h"
#include "storage/types/type_numeric.h"

Status path_error(PathRun *run, SqlState code, const char *message)
{
    return err_set(run->fn->type.err, run->fn->type.arena, code, "%s", message);
}

/* A fault of structure: none in lax mode, and none below .** . */
static Status structure_error(PathRun *run, SqlState code, const char *message)
{
    return run->lenient ? ST_OK : path_error(run, code, message);
}

static Status add_next(PathRun *run, const PathNode *node, JsonItem item, JsonItems *found)
{
    if (node->next) return path_run_node(run, node->next, item, found, !run->strict);
    VEC_PUSH(run->fn->type.arena, *found, item);
    return ST_OK;
}

/* The node applied to each element; the elements' own arrays are not opened. */
static Status run_elements(PathRun *run, const PathNode *node, JsonItem array, JsonItems *found)
{
    for (int i = 0; i < jsonb_count(array); i++) TRY(path_run_node(run, node, jsonb_element(array, i), found, false));
    return ST_OK;
}

static JsonItem number_item(Value numeric)
{
    return (JsonItem){JSON_NUMBER, value_to_slice(numeric)};
}

static JsonItem string_item(const char *text)
{
    return (JsonItem){JSON_STRING, slice_str(text)};
}

/* ---- members and elements ---- */

static Status run_key(PathRun *run, const PathNode *node, JsonItem item, JsonItems *found)
{
    JsonItem member;
    if (item.kind != JSON_OBJECT)
        return structure_error(run, ERR_SQL_JSON_MEMBER_NOT_FOUND, "jsonpath member accessor can only be applied to an object");
    if (jsonb_get_field(item, node->text, &member)) return add_next(run, node, member, found);
    if (run->lenient) return ST_OK;
    return err_set(run->fn->type.err, run->fn->type.arena, ERR_SQL_JSON_MEMBER_NOT_FOUND,
                   "JSON object does not contain key \"%.*s\"", (int)node->text.size, (const char *)node->text.data);
}

static JsonItem child_at(JsonItem container, int index)
{
    Slice key;
    JsonItem child;
    if (container.kind == JSON_ARRAY) return jsonb_element(container, index);
    jsonb_pair(container, index, &key, &child);
    return child;
}

static bool is_container(JsonItem item)
{
    return item.kind == JSON_ARRAY || item.kind == JSON_OBJECT;
}

static Status run_children(PathRun *run, const PathNode *node, JsonItem item, JsonItems *found)
{
    for (int i = 0; i < jsonb_count(item); i++) TRY(add_next(run, node, child_at(item, i), found));
    return ST_OK;
}

static Status run_levels(PathRun *run, const PathNode *node, JsonItem item, int64_t level, JsonItems *found)
{
    bool deep = node->level_last < 0 || level <= node->level_last;
    /* {last} finds what has nothing below: scalars, but not the document itself. */
    bool leaf = node->level_last < 0 && level > 0 && !is_container(item);
    if (!deep) return ST_OK;
    bool wanted = node->level_first < 0 ? leaf : level >= node->level_first;
    if (wanted) {
        bool lenient = run->lenient;
        run->lenient = true;
        Status status = node->next ? path_run_node(run, node->next, item, found, !run->strict) : add_next(run, node, item, found);
        run->lenient = lenient;
        TRY(status);
    }
    for (int i = 0; is_container(item) && i < jsonb_count(item); i++)
        TRY(run_levels(run, node, child_at(item, i), level + 1, found));
    return ST_OK;
}

static Status subscript(PathRun *run, const PathNode *node, JsonItem item, int64_t *index)
{
    JsonItems found = {0};
    TRY(path_run_node(run, node, item, &found, !run->strict));
    if (found.count != 1 || found.items[0].kind != JSON_NUMBER)
        return path_error(run, ERR_INVALID_SQL_JSON_SUBSCRIPT, "jsonpath array subscript is not a single numeric value");
    Value whole = numeric_trunc(jsonb_numeric(found.items[0]), 0, run->fn->type.arena);
    if (numeric_to_int(&run->fn->type, whole, OID_INT4, &whole) != ST_OK)
        return path_error(run, ERR_INVALID_SQL_JSON_SUBSCRIPT, "jsonpath array subscript is out of integer range");
    *index = whole.i;
    return ST_OK;
}

static Status run_range(PathRun *run, const PathNode *node, const PathNode *range, JsonItem item, JsonItems *found)
{
    int64_t from, to, size = item.kind == JSON_ARRAY ? jsonb_count(item) : 1;
    TRY(subscript(run, range->left, item, &from));
    to = from;
    if (range->right) TRY(subscript(run, range->right, item, &to));
    if (!run->lenient && (from < 0 || from > to || to >= size))
        return path_error(run, ERR_INVALID_SQL_JSON_SUBSCRIPT, "jsonpath array subscript is out of bounds");
    if (from < 0) from = 0;
    if (to >= size) to = size - 1;
    for (int64_t i = from; i <= to; i++) {
        JsonItem element = item.kind == JSON_ARRAY ? jsonb_element(item, (int)i) : item;
        TRY(add_next(run, node, element, found));
    }
    return ST_OK;
}

static Status run_subscripts(PathRun *run, const PathNode *node, JsonItem item, JsonItems *found)
{
    int64_t size = run->array_size;
    Status status = ST_OK;
    if (item.kind != JSON_ARRAY && run->strict)
        return structure_error(run, ERR_SQL_JSON_ARRAY_NOT_FOUND, "jsonpath array accessor can only be applied to an array");
    run->array_size = item.kind == JSON_ARRAY ? jsonb_count(item) : 1;
    for (const PathNode *range = node->left; range && status == ST_OK; range = range->sibling)
        status = run_range(run, node, range, item, found);
    run->array_size = size;
    return status;
}

static Status run_any_element(PathRun *run, const PathNode *node, JsonItem item, JsonItems *found)
{
    if (item.kind == JSON_ARRAY) return run_children(run, node, item, found);
    if (!run->strict) return add_next(run, node, item, found);
    return structure_error(run, ERR_SQL_JSON_ARRAY_NOT_FOUND, "jsonpath wildcard array accessor can only be applied to an array");
}

static Status run_any_key(PathRun *run, const PathNode *node, JsonItem item, JsonItems *found)
{
    if (item.kind == JSON_OBJECT) return run_children(run, node, item, found);
    return structure_error(run, ERR_SQL_JSON_OBJECT_NOT_FOUND, "jsonpath wildcard member accessor can only be applied to an object");
}

static Status run_filter(PathRun *run, const PathNode *node, JsonItem item, JsonItems *found)
{
    PathTruth truth;
    JsonItem outer = run->current;
    run->current = item;
    Status status = path_test(run, node->left, item, &truth);
    run->current = outer;
    TRY(status);
    return truth == PATH_IS_TRUE ? add_next(run, node, item, found) : ST_OK;
}

/* ---- methods ---- */

static Status method_error(PathRun *run, const PathNode *node, SqlState code, const char *what)
{
    return err_set(run->fn->type.err, run->fn->type.arena, code, "jsonpath item method .%s() can only be applied to %s",
                   json_path_word(node->kind), what);
}

static Status run_size(PathRun *run, const PathNode *node, JsonItem item, JsonItems *found)
{
    if (item.kind != JSON_ARRAY && run->strict)
        return run->lenient ? ST_OK : method_error(run, node, ERR_SQL_JSON_ARRAY_NOT_FOUND, "an array");
    int64_t size = item.kind == JSON_ARRAY ? jsonb_count(item) : 1;
    return add_next(run, node, number_item(numeric_from_int(size, run->fn->type.arena)), found);
}

static Status run_rounding(PathRun *run, const PathNode *node, JsonItem item, JsonItems *found)
{
    Arena *arena = run->fn->type.arena;
    if (item.kind != JSON_NUMBER) return method_error(run, node, ERR_NON_NUMERIC_SQL_JSON_ITEM, "a numeric value");
    Value v = jsonb_numeric(item);
    Value rounded = node->kind == PATH_ABS ? numeric_abs(v, arena) : node->kind == PATH_FLOOR ? numeric_floor(v, arena) : numeric_ceil(v, arena);
    return add_next(run, node, number_item(rounded), found);
}

static Status run_double(PathRun *run, const PathNode *node, JsonItem item, JsonItems *found)
{
    const TypeDef *float8 = type_find(OID_FLOAT8);
    TypeCtx *type = &run->fn->type;
    Value v;
    if (item.kind != JSON_NUMBER && item.kind != JSON_STRING)
        return method_error(run, node, ERR_NON_NUMERIC_SQL_JSON_ITEM, "a string or numeric value");
    Slice text = item.payload;
    if (item.kind == JSON_NUMBER) text = slice_str(type_text((TypeRef){OID_NUMERIC, -1}, type->env, jsonb_numeric(item), type->arena));
    if (float8->in(float8, type, text, -1, &v) != ST_OK || !isfinite(v.f))
        return err_set(type->err, type->arena, ERR_NON_NUMERIC_SQL_JSON_ITEM,
                       item.kind == JSON_NUMBER
                           ? "numeric argument of jsonpath item method .%s() is out of range for type double precision"
                           : "string argument of jsonpath item method .%s() is not a valid representation of a double precision number",
                       "double");
    if (item.kind == JSON_NUMBER) return add_next(run, node, item, found);
    TRY(numeric_from_float(type, v.f, false, &v));
    return add_next(run, node, number_item(v), found);
}

static Status run_keyvalue(PathRun *run, const PathNode *node, JsonItem item, JsonItems *found)
{
    if (item.kind != JSON_OBJECT) return method_error(run, node, ERR_SQL_JSON_OBJECT_NOT_FOUND, "an object");
    for (int i = 0; i < jsonb_count(item); i++) {
        Slice key;
        JsonItem member;
        Value pair;
        JsonBuilder *builder = jsonb_builder(&run->fn->type);
        jsonb_pair(item, i, &key, &member);
        jsonb_begin_object(builder);
        jsonb_key(builder, SLICE_LIT("id"));
        /* The object's place in the document tells objects apart. */
        bool inside = item.payload.data >= run->root.payload.data &&
                      item.payload.data < run->root.payload.data + run->root.payload.size;
        jsonb_number(builder, numeric_from_int(inside ? item.payload.data - run->root.payload.data : 0, run->fn->type.arena));
        jsonb_key(builder, SLICE_LIT("key"));
        jsonb_string(builder, key);
        jsonb_key(builder, SLICE_LIT("value"));
        jsonb_item(builder, member);
        jsonb_end(builder);
        TRY(jsonb_finish(builder, &pair));
        TRY(add_next(run, node, jsonb_root(pair), found));
    }
    return ST_OK;
}

/* ---- arithmetic ---- */

Status path_run_operand(PathRun *run, const PathNode *node, JsonItem item, bool unwrap, JsonItems *found)
{
    JsonItems raw = {0};
    TRY(path_run_node(run, node, item, &raw, !run->strict));
    for (int i = 0; i < raw.count; i++) {
        JsonItem one = raw.items[i];
        if (!unwrap || run->strict || one.kind != JSON_ARRAY) {
            VEC_PUSH(run->fn->type.arena, *found, one);
            continue;
        }
        for (int e = 0; e < jsonb_count(one); e++) VEC_PUSH(run->fn->type.arena, *found, jsonb_element(one, e));
    }
    return ST_OK;
}

static Status single_number(PathRun *run, const PathNode *node, bool left, const JsonItems *found, Value *out)
{
    if (found->count != 1 || found->items[0].kind != JSON_NUMBER)
        return err_set(run->fn->type.err, run->fn->type.arena, ERR_SINGLETON_SQL_JSON_ITEM_REQUIRED,
                       "%s operand of jsonpath operator %s is not a single numeric value", left ? "left" : "right",
                       json_path_word(node->kind));
    *out = jsonb_numeric(found->items[0]);
    return ST_OK;
}

static Status run_binary(PathRun *run, const PathNode *node, JsonItem item, JsonItems *found)
{
    Value a, b, result = VALUE_NULL;
    TypeCtx *type = &run->fn->type;
    JsonItems left = {0}, right = {0};
    TRY(path_run_operand(run, node->left, item, true, &left));
    TRY(path_run_operand(run, node->right, item, true, &right));
    TRY(single_number(run, node, true, &left, &a));
    TRY(single_number(run, node, false, &right, &b));
    switch ((int)node->kind) {
    case PATH_ADD: TRY(numeric_add(type, a, b, &result)); break;
    case PATH_SUB: TRY(numeric_sub(type, a, b, &result)); break;
    case PATH_MUL: TRY(numeric_mul(type, a, b, &result)); break;
    case PATH_DIV: TRY(numeric_div(type, a, b, &result)); break;
    case PATH_MOD: TRY(numeric_mod(type, a, b, &result)); break;
    }
    return add_next(run, node, number_item(result), found);
}

static Status run_sign(PathRun *run, const PathNode *node, JsonItem item, JsonItems *found)
{
    JsonItems operands = {0};
    TRY(path_run_operand(run, node->left, item, true, &operands));
    for (int i = 0; i < operands.count; i++) {
        JsonItem one = operands.items[i];
        if (one.kind != JSON_NUMBER)
            return err_set(run->fn->type.err, run->fn->type.arena, ERR_SQL_JSON_NUMBER_NOT_FOUND,
                           "operand of unary jsonpath operator %s is not a numeric value", json_path_word(node->kind));
        if (node->kind == PATH_MINUS) one = number_item(numeric_neg(jsonb_numeric(one), run->fn->type.arena));
        TRY(add_next(run, node, one, found));
    }
    return ST_OK;
}

/* ---- any node ---- */

static Status run_variable(PathRun *run, const PathNode *node, JsonItems *found)
{
    JsonItem value;
    if (run->vars.kind == JSON_OBJECT && jsonb_get_field(run->vars, node->text, &value)) return add_next(run, node, value, found);
    return err_set(run->fn->type.err, run->fn->type.arena, ERR_UNDEFINED_OBJECT, "could not find jsonpath variable \"%.*s\"",
                   (int)node->text.size, (const char *)node->text.data);
}

static Status run_last(PathRun *run, const PathNode *node, JsonItems *found)
{
    if (run->array_size < 0)
        return path_error(run, ERR_INTERNAL_ERROR, "evaluating jsonpath LAST outside of array subscript");
    return add_next(run, node, number_item(numeric_from_int(run->array_size - 1, run->fn->type.arena)), found);
}

static Status run_truth(PathRun *run, const PathNode *node, JsonItem item, JsonItems *found)
{
    PathTruth truth;
    TRY(path_test(run, node, item, &truth));
    JsonKind kind = truth == PATH_IS_TRUE ? JSON_TRUE : truth == PATH_IS_FALSE ? JSON_FALSE : JSON_NULL;
    return add_next(run, node, (JsonItem){kind, {0}}, found);
}

/* Does lax mode apply the node to an array's elements instead of the array? */
static bool opens_arrays(PathKind kind)
{
    return kind == PATH_KEY || kind == PATH_ANY_KEY || kind == PATH_FILTER || kind == PATH_DOUBLE ||
           (kind >= PATH_CEILING && kind <= PATH_DATETIME);
}

Status path_run_node(PathRun *run, const PathNode *node, JsonItem item, JsonItems *found, bool unwrap)
{
    if (unwrap && item.kind == JSON_ARRAY && opens_arrays(node->kind)) return run_elements(run, node, item, found);
    switch (node->kind) {
    case PATH_NULL: return add_next(run, node, (JsonItem){JSON_NULL, {0}}, found);
    case PATH_TRUE: return add_next(run, node, (JsonItem){JSON_TRUE, {0}}, found);
    case PATH_FALSE: return add_next(run, node, (JsonItem){JSON_FALSE, {0}}, found);
    case PATH_STRING: return add_next(run, node, (JsonItem){JSON_STRING, node->text}, found);
    case PATH_NUMBER: return add_next(run, node, number_item(node->number), found);
    case PATH_ROOT: return add_next(run, node, run->root, found);
    case PATH_CURRENT: return add_next(run, node, run->current, found);
    case PATH_LAST: return run_last(run, node, found);
    case PATH_VARIABLE: return run_variable(run, node, found);
    case PATH_KEY: return run_key(run, node, item, found);
    case PATH_ANY_KEY: return run_any_key(run, node, item, found);
    case PATH_ANY_LEVEL: return run_levels(run, node, item, 0, found);
    case PATH_ANY_ELEMENT: return run_any_element(run, node, item, found);
    case PATH_SUBSCRIPTS: return run_subscripts(run, node, item, found);
    case PATH_FILTER: return run_filter(run, node, item, found);
    case PATH_TYPE: return add_next(run, node, string_item(jsonb_type_name(item)), found);
    case PATH_SIZE: return run_size(run, node, item, found);
    case PATH_DOUBLE: return run_double(run, node, item, found);
    case PATH_CEILING:
    case PATH_FLOOR:
    case PATH_ABS: return run_rounding(run, node, item, found);
    case PATH_KEYVALUE: return run_keyvalue(run, node, item, found);
    case PATH_DATETIME: return err_unsupported(run->fn->type.err, run->fn->type.arena, "jsonpath item method .datetime()");
    case PATH_ADD:
    case PATH_SUB:
    case PATH_MUL:
    case PATH_DIV:
    case PATH_MOD: return run_binary(run, node, item, found);
    case PATH_PLUS:
    case PATH_MINUS: return run_sign(run, node, item, found);
    case PATH_OR:
    case PATH_AND:
    case PATH_NOT:
    case PATH_EQ:
    case PATH_NE:
    case PATH_LT:
    case PATH_LE:
    case PATH_GT:
    case PATH_GE:
    case PATH_STARTS_WITH:
    case PATH_LIKE_REGEX:
    case PATH_EXISTS:
    case PATH_IS_UNKNOWN: return run_truth(run, node, item, found);
    }
    return ST_OK;
}

Status json_path_run(FnCtx *ctx, const JsonPath *path, JsonItem document, JsonItem vars, JsonItems *found)
{
    PathRun run = {.fn = ctx, .root = document, .current = document, .vars = vars, .strict = path->strict,
                   .lenient = !path->strict, .array_size = -1};
    return path_run_node(&run, path->root, document, found, !path->strict);
}
