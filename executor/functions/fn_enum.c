/* fn_enum.c - functions over the labels of an enum type. */
#include "executor/functions/families.h"
#include "storage/types/type_array.h"
#include "storage/types/type_enum.h"

static Status shape_of(FnCtx *ctx, const EnumShape **shape)
{
    *shape = type_enum_shape(ctx->arg_types[0].oid);
    if (*shape) return ST_OK;
    return err_set(ctx->type.err, ctx->type.arena, ERR_FEATURE_NOT_SUPPORTED, "could not determine actual enum type");
}

static Status enum_end(FnCtx *ctx, bool last, Value *out)
{
    const EnumShape *shape;
    TRY(shape_of(ctx, &shape));
    if (shape->count == 0)
        return err_set(ctx->type.err, ctx->type.arena, ERR_OBJECT_NOT_IN_PREREQUISITE_STATE, "enum %s contains no values",
                       shape->name);
    *out = value_slice(shape->members[last ? shape->count - 1 : 0].physical);
    return ST_OK;
}

static Status enum_first(FnCtx *ctx, const Value *args, Value *out)
{
    return enum_end(ctx, false, out);
}

static Status enum_last(FnCtx *ctx, const Value *args, Value *out)
{
    return enum_end(ctx, true, out);
}

static Status range_between(FnCtx *ctx, Value from, Value to, Value *out)
{
    const EnumShape *shape;
    TRY(shape_of(ctx, &shape));
    Value *values = ARENA_ARRAY(ctx->type.arena, Value, shape->count + 1);
    int count = 0;
    for (int i = 0; i < shape->count; i++) {
        Slice place = shape->members[i].physical;
        bool below = !from.null && slice_compare(place, value_to_slice(from)) < 0;
        bool above = !to.null && slice_compare(place, value_to_slice(to)) > 0;
        if (!below && !above) values[count++] = value_slice(place);
    }
    return array_build(&ctx->type, shape->oid, values, count, out);
}

static Status enum_range(FnCtx *ctx, const Value *args, Value *out)
{
    return range_between(ctx, VALUE_NULL, VALUE_NULL, out);
}

static Status enum_range_bounds(FnCtx *ctx, const Value *args, Value *out)
{
    return range_between(ctx, args[0], args[1], out);
}

static Status enum_cmp(FnCtx *ctx, const Value *args, Value *out)
{
    int order = slice_compare(value_to_slice(args[0]), value_to_slice(args[1]));
    *out = value_int(order < 0 ? -1 : order > 0);
    return ST_OK;
}

/* clang-format off */
const FuncDef fn_enum_rows[] = {
    { 3528, "enum_first", "anyenum",          "anyenum",  FN_STABLE, enum_first },
    { 3529, "enum_last",  "anyenum",          "anyenum",  FN_STABLE, enum_last },
    { 3531, "enum_range", "anyenum",          "anyarray", FN_STABLE, enum_range },
    { 3530, "enum_range", "anyenum, anyenum", "anyarray", FN_STABLE, enum_range_bounds },
    { 3514, "enum_cmp",   "anyenum, anyenum", "int4",     FN_STRICT | FN_IMMUTABLE, enum_cmp },
    { 0 },
};
/* clang-format on */
