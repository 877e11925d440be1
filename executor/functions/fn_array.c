/* fn_array.c - looking into arrays and making new ones. */
#include "executor/functions/families.h"
#include "storage/types/type_array.h"

static Status array_length(FnCtx *ctx, const Value *args, Value *out)
{
    Array a;
    array_open(args[0], &a);
    *out = args[1].i < 1 || args[1].i > a.dimension_count ? VALUE_NULL : value_int(a.lengths[args[1].i - 1]);
    return ST_OK;
}

static Status array_lower(FnCtx *ctx, const Value *args, Value *out)
{
    Array a;
    array_open(args[0], &a);
    *out = args[1].i < 1 || args[1].i > a.dimension_count ? VALUE_NULL : value_int(a.lower_bounds[args[1].i - 1]);
    return ST_OK;
}

static Status array_upper(FnCtx *ctx, const Value *args, Value *out)
{
    Array a;
    int64_t d = args[1].i - 1;
    array_open(args[0], &a);
    *out = d < 0 || d >= a.dimension_count ? VALUE_NULL : value_int((int64_t)a.lower_bounds[d] + a.lengths[d] - 1);
    return ST_OK;
}

static Status array_ndims(FnCtx *ctx, const Value *args, Value *out)
{
    Array a;
    array_open(args[0], &a);
    *out = a.dimension_count ? value_int(a.dimension_count) : VALUE_NULL;
    return ST_OK;
}

static Status array_dims(FnCtx *ctx, const Value *args, Value *out)
{
    Array a;
    Buf buf = {0};
    array_open(args[0], &a);
    *out = VALUE_NULL;
    if (a.dimension_count == 0) return ST_OK;
    for (int d = 0; d < a.dimension_count; d++)
        buf_printf(&buf, "[%d:%d]", a.lower_bounds[d], a.lower_bounds[d] + a.lengths[d] - 1);
    *out = value_slice(buf_to_arena(&buf, ctx->type.arena));
    buf_finish(&buf);
    return ST_OK;
}

static Status cardinality(FnCtx *ctx, const Value *args, Value *out)
{
    Array a;
    array_open(args[0], &a);
    *out = value_int(a.count);
    return ST_OK;
}

/* Elements of an array that may be NULL as a whole, with room for `extra` more behind. */
static Value *elements_of(FnCtx *ctx, Value array, int extra, int *count)
{
    Array a = {0};
    if (!array.null) array_open(array, &a);
    Value *items = ARENA_ARRAY(ctx->type.arena, Value, a.count + extra + 1);
    for (int i = 0; i < a.count; i++) items[i] = array_element(&a, i);
    *count = a.count;
    return items;
}

static Oid element_type(const FnCtx *ctx, int argument)
{
    const TypeDef *type = type_find(ctx->arg_types[argument].oid);
    return type ? type->element_oid : 0;
}

static Status one_dimension(FnCtx *ctx, Value array, const char *what)
{
    Array a;
    if (array.null) return ST_OK;
    array_open(array, &a);
    if (a.dimension_count <= 1) return ST_OK;
    return err_set(ctx->type.err, ctx->type.arena, ERR_FEATURE_NOT_SUPPORTED, "%s", what);
}

static Status array_append(FnCtx *ctx, const Value *args, Value *out)
{
    int count;
    TRY(one_dimension(ctx, args[0], "argument must be empty or one-dimensional array"));
    Value *items = elements_of(ctx, args[0], 1, &count);
    items[count] = args[1];
    return array_build(&ctx->type, element_type(ctx, 0), items, count + 1, out);
}

static Status array_prepend(FnCtx *ctx, const Value *args, Value *out)
{
    int count;
    TRY(one_dimension(ctx, args[1], "argument must be empty or one-dimensional array"));
    Value *items = elements_of(ctx, args[1], 1, &count);
    memmove(items + 1, items, sizeof *items * (size_t)count);
    items[0] = args[0];
    return array_build(&ctx->type, element_type(ctx, 1), items, count + 1, out);
}

static Status array_cat(FnCtx *ctx, const Value *args, Value *out)
{
    int left, right;
    *out = VALUE_NULL;
    if (args[0].null && args[1].null) return ST_OK;
    Value *a = elements_of(ctx, args[0], 0, &left), *b = elements_of(ctx, args[1], 0, &right);
    if (left == 0 || right == 0) {
        *out = left == 0 && !args[1].null ? args[1] : args[0];
        return ST_OK;
    }
    TRY(one_dimension(ctx, args[0], "cannot concatenate incompatible arrays"));
    TRY(one_dimension(ctx, args[1], "cannot concatenate incompatible arrays"));
    Value *items = ARENA_ARRAY(ctx->type.arena, Value, left + right);
    memcpy(items, a, sizeof *a * (size_t)left);
    memcpy(items + left, b, sizeof *b * (size_t)right);
    return array_build(&ctx->type, element_type(ctx, 0), items, left + right, out);
}

/* NULL is found by NULL here, as in array_position's documentation: IS NOT DISTINCT FROM. */
static bool same(const TypeDef *type, Value a, Value b)
{
    if (a.null || b.null) return a.null && b.null;
    return type->compare && type_compare(type, a, b) == 0;
}

static Status array_position(FnCtx *ctx, const Value *args, Value *out)
{
    Array a;
    *out = VALUE_NULL;
    if (args[0].null) return ST_OK;
    TRY(one_dimension(ctx, args[0], "searching for elements in multidimensional arrays is not supported"));
    if (ctx->arg_count > 2 && args[2].null)
        return err_set(ctx->type.err, ctx->type.arena, ERR_NULL_VALUE_NOT_ALLOWED, "initial position must not be null");
    array_open(args[0], &a);
    int64_t first = a.dimension_count ? a.lower_bounds[0] : 1, from = ctx->arg_count > 2 ? args[2].i - first : 0;
    const TypeDef *type = type_find(a.element);
    for (int64_t i = from < 0 ? 0 : from; i < a.count; i++) {
        if (!same(type, array_element(&a, (int)i), args[1])) continue;
        *out = value_int(first + i);
        break;
    }
    return ST_OK;
}

static Status array_positions(FnCtx *ctx, const Value *args, Value *out)
{
    Array a;
    int found = 0;
    *out = VALUE_NULL;
    if (args[0].null) return ST_OK;
    TRY(one_dimension(ctx, args[0], "searching for elements in multidimensional arrays is not supported"));
    array_open(args[0], &a);
    Value *items = ARENA_ARRAY(ctx->type.arena, Value, a.count + 1);
    for (int i = 0; i < a.count; i++)
        if (same(type_find(a.element), array_element(&a, i), args[1])) items[found++] = value_int(a.lower_bounds[0] + i);
    return array_build(&ctx->type, OID_INT4, items, found, out);
}

static Status array_remove(FnCtx *ctx, const Value *args, Value *out)
{
    Array a;
    int kept = 0;
    *out = args[0];
    if (args[0].null) return ST_OK;
    TRY(one_dimension(ctx, args[0], "removing elements from multidimensional arrays is not supported"));
    array_open(args[0], &a);
    Value *items = ARENA_ARRAY(ctx->type.arena, Value, a.count + 1);
    for (int i = 0; i < a.count; i++)
        if (!same(type_find(a.element), array_element(&a, i), args[1])) items[kept++] = array_element(&a, i);
    return kept == a.count ? ST_OK : array_build(&ctx->type, a.element, items, kept, out);
}

static Status array_replace(FnCtx *ctx, const Value *args, Value *out)
{
    Array a;
    *out = args[0];
    if (args[0].null) return ST_OK;
    array_open(args[0], &a);
    Value *items = ARENA_ARRAY(ctx->type.arena, Value, a.count + 1);
    for (int i = 0; i < a.count; i++) {
        items[i] = array_element(&a, i);
        if (same(type_find(a.element), items[i], args[1])) items[i] = args[2];
    }
    ArrayShape shape = {a.dimension_count, a.lengths, a.lower_bounds};
    return array_build_shaped(&ctx->type, a.element, items, shape, out);
}

static bool holds(const Array *a, const TypeDef *type, Value v)
{
    for (int i = 0; i < a->count; i++) {
        Value element = array_element(a, i);
        if (!element.null && !v.null && type_compare(type, element, v) == 0) return true;
    }
    return false;
}

static bool contains(Value whole, Value part)
{
    Array a, b;
    array_open(whole, &a);
    array_open(part, &b);
    for (int i = 0; i < b.count; i++)
        if (!holds(&a, type_find(a.element), array_element(&b, i))) return false;
    return true;
}

static Status array_contains(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_bool(contains(args[0], args[1]));
    return ST_OK;
}

static Status array_contained(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_bool(contains(args[1], args[0]));
    return ST_OK;
}

static Status array_overlap(FnCtx *ctx, const Value *args, Value *out)
{
    Array a, b;
    array_open(args[0], &a);
    array_open(args[1], &b);
    *out = value_bool(false);
    for (int i = 0; i < b.count && !out->i; i++)
        if (holds(&a, type_find(a.element), array_element(&b, i))) *out = value_bool(true);
    return ST_OK;
}

static Status array_to_string(FnCtx *ctx, const Value *args, Value *out)
{
    Array a;
    Buf buf = {0};
    bool any = false, show_null = ctx->arg_count > 2 && !args[2].null;
    *out = VALUE_NULL;
    if (args[0].null || args[1].null) return ST_OK;
    array_open(args[0], &a);
    const TypeDef *type = type_find(a.element);
    for (int i = 0; i < a.count; i++) {
        Value element = array_element(&a, i);
        if (element.null && !show_null) continue;
        if (any) buf_put(&buf, args[1].p, args[1].size);
        any = true;
        if (element.null)
            buf_put(&buf, args[2].p, args[2].size);
        else
            type->out(type, ctx->type.env, element, &buf);
    }
    *out = value_slice(buf_to_arena(&buf, ctx->type.arena));
    bool failed = buf.failed;
    buf_finish(&buf);
    return failed ? err_no_memory(ctx->type.err) : ST_OK;
}

/* clang-format off */
#define FN FN_STRICT | FN_IMMUTABLE
#define OP FN_STRICT | FN_IMMUTABLE | FN_OPERATOR
const FuncDef fn_array_rows[] = {
    { 374,  "||", "anycompatible, anycompatiblearray", "anycompatiblearray", FN_IMMUTABLE | FN_OPERATOR, array_prepend },
    { 349,  "||", "anycompatiblearray, anycompatible", "anycompatiblearray", FN_IMMUTABLE | FN_OPERATOR, array_append },
    { 375,  "||", "anycompatiblearray, anycompatiblearray",   "anycompatiblearray", FN_IMMUTABLE | FN_OPERATOR, array_cat },
    { 2751, "@>", "anyarray, anyarray", "bool", OP, array_contains },
    { 2752, "<@", "anyarray, anyarray", "bool", OP, array_contained },
    { 2750, "&&", "anyarray, anyarray", "bool", OP, array_overlap },
    { 378,  "array_append", "anycompatiblearray, anycompatible",  "anycompatiblearray", FN_IMMUTABLE, array_append },
    { 383,  "array_cat", "anycompatiblearray, anycompatiblearray",       "anycompatiblearray", FN_IMMUTABLE, array_cat },
    { 747, "array_dims", "anyarray",          "text", FN, array_dims },
    { 2176, "array_length", "anyarray, int4",  "int4", FN, array_length },
    { 2091, "array_lower", "anyarray, int4",   "int4", FN, array_lower },
    { 748, "array_ndims", "anyarray",         "int4", FN, array_ndims },
    { 3277, "array_position", "anycompatiblearray, anycompatible",       "int4", FN_IMMUTABLE, array_position },
    { 3278, "array_position", "anycompatiblearray, anycompatible, int4", "int4", FN_IMMUTABLE, array_position },
    { 3279, "array_positions", "anycompatiblearray, anycompatible",      "_int4", FN_IMMUTABLE, array_positions },
    { 379,  "array_prepend", "anycompatible, anycompatiblearray",        "anycompatiblearray", FN_IMMUTABLE, array_prepend },
    { 3167, "array_remove", "anycompatiblearray, anycompatible",         "anycompatiblearray", FN_IMMUTABLE, array_remove },
    { 3168, "array_replace", "anycompatiblearray, anycompatible, anycompatible", "anycompatiblearray", FN_IMMUTABLE, array_replace },
    { 395, "array_to_string", "anyarray, text",       "text", FN_STABLE, array_to_string },
    { 384, "array_to_string", "anyarray, text, text", "text", FN_STABLE, array_to_string },
    { 2092, "array_upper", "anyarray, int4",   "int4", FN, array_upper },
    { 3179, "cardinality", "anyarray",         "int4", FN, cardinality },
    { 0 }
};
/* clang-format on */
