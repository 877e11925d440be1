/* fn_array_shape.c - arrays made by their dimensions, cut at the end, and searched as thresholds. */
#include "executor/functions/families.h"
#include "storage/types/type_array.h"

enum { ARRAY_ELEMENTS_MAX = 134217727 };

static Status shape_fault(FnCtx *ctx, SqlState code, const char *message, const char *detail)
{
    err_set(ctx->type.err, ctx->type.arena, code, "%s", message);
    if (detail) err_detail(ctx->type.err, ctx->type.arena, "%s", detail);
    return ST_ERROR;
}

static Status size_fault(FnCtx *ctx)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_PROGRAM_LIMIT_EXCEEDED,
                   "array size exceeds the maximum allowed (%d)", ARRAY_ELEMENTS_MAX);
}

static Status dimensions_of(FnCtx *ctx, Value list, int32_t *out, int *count)
{
    Array a;
    array_open(list, &a);
    if (a.dimension_count > 1)
        return shape_fault(ctx, ERR_ARRAY_SUBSCRIPT_ERROR, "wrong number of array subscripts",
                           "Dimension array must be one dimensional.");
    if (a.has_nulls)
        return shape_fault(ctx, ERR_NULL_VALUE_NOT_ALLOWED, "dimension values cannot be null", NULL);
    if (a.count > ARRAY_DIMENSIONS_MAX)
        return err_set(ctx->type.err, ctx->type.arena, ERR_PROGRAM_LIMIT_EXCEEDED,
                       "number of array dimensions (%d) exceeds the maximum allowed (%d)", a.count, ARRAY_DIMENSIONS_MAX);
    for (int i = 0; i < a.count; i++) out[i] = (int32_t)array_element(&a, i).i;
    *count = a.count;
    return ST_OK;
}

static Status element_total(FnCtx *ctx, const int32_t *lengths, int count, int64_t *total)
{
    *total = count > 0;
    for (int i = 0; i < count; i++) {
        if (lengths[i] < 0) return size_fault(ctx);
        *total *= lengths[i];
        if (*total > ARRAY_ELEMENTS_MAX) return size_fault(ctx);
    }
    return ST_OK;
}

static Status array_fill(FnCtx *ctx, const Value *args, Value *out)
{
    int32_t lengths[ARRAY_DIMENSIONS_MAX], bounds[ARRAY_DIMENSIONS_MAX];
    int count, bound_count;
    int64_t total;
    bool has_bounds = ctx->arg_count > 2;
    if (args[1].null || (has_bounds && args[2].null))
        return shape_fault(ctx, ERR_NULL_VALUE_NOT_ALLOWED, "dimension array or low bound array cannot be null", NULL);
    TRY(dimensions_of(ctx, args[1], lengths, &count));
    if (has_bounds) {
        TRY(dimensions_of(ctx, args[2], bounds, &bound_count));
        if (bound_count != count)
            return shape_fault(ctx, ERR_ARRAY_SUBSCRIPT_ERROR, "wrong number of array subscripts",
                               "Low bound array has different size than dimensions array.");
    }
    TRY(element_total(ctx, lengths, count, &total));
    Value *items = arena_try_alloc(ctx->type.arena, (size_t)(total + 1) * sizeof *items);
    if (!items) return err_no_memory(ctx->type.err);
    for (int64_t i = 0; i < total; i++) items[i] = args[0];
    ArrayShape shape = {total ? count : 0, lengths, has_bounds ? bounds : NULL};
    return array_build_shaped(&ctx->type, type_find(ctx->result_type.oid)->element_oid, items, shape, out);
}

/* Without the last n rows of the first dimension. */
static Status trim_array(FnCtx *ctx, const Value *args, Value *out)
{
    Array a;
    array_open(args[0], &a);
    int64_t rows = a.dimension_count ? a.lengths[0] : 0, cut = args[1].i;
    if (cut < 0 || cut > rows)
        return err_set(ctx->type.err, ctx->type.arena, ERR_ARRAY_SUBSCRIPT_ERROR,
                       "number of elements to trim must be between 0 and %lld", (long long)rows);
    int kept = rows ? (int)(a.count / rows * (rows - cut)) : 0;
    Value *items = ARENA_ARRAY(ctx->type.arena, Value, kept + 1);
    for (int i = 0; i < kept; i++) items[i] = array_element(&a, i);
    int32_t lengths[ARRAY_DIMENSIONS_MAX];
    memcpy(lengths, a.lengths, sizeof lengths);
    lengths[0] = (int32_t)(rows - cut);
    ArrayShape shape = {kept ? a.dimension_count : 0, lengths, NULL};
    return array_build_shaped(&ctx->type, a.element, items, shape, out);
}

/* The number of thresholds, which are sorted, that are not above the operand. */
static Status width_bucket(FnCtx *ctx, const Value *args, Value *out)
{
    Array a;
    array_open(args[1], &a);
    const TypeDef *type = type_find(a.element);
    if (a.dimension_count > 1)
        return shape_fault(ctx, ERR_ARRAY_SUBSCRIPT_ERROR, "thresholds must be one-dimensional array", NULL);
    if (a.has_nulls)
        return shape_fault(ctx, ERR_NULL_VALUE_NOT_ALLOWED, "thresholds array must not contain NULLs", NULL);
    if (!type->compare)
        return err_set(ctx->type.err, ctx->type.arena, ERR_UNDEFINED_FUNCTION,
                       "could not identify a comparison function for type %s", type->sql_name);
    int low = 0, high = a.count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (type_compare(type, args[0], array_element(&a, middle)) < 0)
            high = middle;
        else
            low = middle + 1;
    }
    *out = value_int(low);
    return ST_OK;
}

/* clang-format off */
#define FN FN_STRICT | FN_IMMUTABLE
const FuncDef fn_array_shape_rows[] = {
    { 1193, "array_fill", "anyelement, _int4",        "anyarray", FN_IMMUTABLE, array_fill },
    { 1286, "array_fill", "anyelement, _int4, _int4", "anyarray", FN_IMMUTABLE, array_fill },
    { 6172, "trim_array", "anyarray, int4",           "anyarray", FN, trim_array },
    { 3218, "width_bucket", "anyelement, anyarray",   "int4",     FN, width_bucket },
    { 0 }
};
/* clang-format on */
