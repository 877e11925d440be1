/* Casts between numbers, and between numbers and the types that are one inside. */
#include <math.h>

#include "storage/types/cast_run.h"
#include "storage/types/type_defs.h"
#include "storage/types/type_int.h"
#include "storage/types/type_numeric.h"

CAST_BODY(cast_same)
{
    *out = in;
    return ST_OK;
}

CAST_BODY(cast_to_int2)
{
    return int_fit(ctx, OID_INT2, in.i, out);
}

CAST_BODY(cast_to_int4)
{
    return int_fit(ctx, OID_INT4, in.i, out);
}

CAST_BODY(cast_int_to_bool)
{
    *out = value_bool(in.i != 0);
    return ST_OK;
}

CAST_BODY(cast_int4_to_oid)
{
    *out = value_int((int64_t)(uint32_t)in.i);
    return ST_OK;
}

CAST_BODY(cast_int8_to_oid)
{
    if (in.i < 0 || in.i > UINT32_MAX) return type_out_of_range(ctx, "OID");
    *out = in;
    return ST_OK;
}

CAST_BODY(cast_oid_to_int4)
{
    *out = value_int((int32_t)in.i);
    return ST_OK;
}

CAST_BODY(cast_int_to_float8)
{
    *out = value_float((double)in.i);
    return ST_OK;
}

CAST_BODY(cast_int_to_float4)
{
    *out = value_float((double)(float)in.i);
    return ST_OK;
}

/* Rounded to the nearest, half ways to the even one; NaN is out of every range. */
static Status float_to_int(TypeCtx *ctx, double value, Oid type, Value *out)
{
    double whole = rint(value);
    if (!(whole >= -9223372036854775808.0 && whole < 9223372036854775808.0))
        return type_out_of_range(ctx, type_find(type)->sql_name);
    return int_fit(ctx, type, (int64_t)whole, out);
}

CAST_BODY(cast_float_to_int2)
{
    return float_to_int(ctx, in.f, OID_INT2, out);
}

CAST_BODY(cast_float_to_int4)
{
    return float_to_int(ctx, in.f, OID_INT4, out);
}

CAST_BODY(cast_float_to_int8)
{
    return float_to_int(ctx, in.f, OID_INT8, out);
}

CAST_BODY(cast_float8_to_float4)
{
    double narrow = (double)(float)in.f;
    if (isinf(narrow) && !isinf(in.f))
        return err_set(ctx->err, ctx->arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "value out of range: overflow");
    if (narrow == 0 && in.f != 0)
        return err_set(ctx->err, ctx->arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "value out of range: underflow");
    *out = value_float(narrow);
    return ST_OK;
}

CAST_BODY(cast_int_to_numeric)
{
    *out = numeric_from_int(in.i, ctx->arena);
    return ST_OK;
}

CAST_BODY(cast_float4_to_numeric)
{
    return numeric_from_float(ctx, in.f, true, out);
}

CAST_BODY(cast_float8_to_numeric)
{
    return numeric_from_float(ctx, in.f, false, out);
}

CAST_BODY(cast_numeric_to_int2)
{
    return numeric_to_int(ctx, in, OID_INT2, out);
}

CAST_BODY(cast_numeric_to_int4)
{
    return numeric_to_int(ctx, in, OID_INT4, out);
}

CAST_BODY(cast_numeric_to_int8)
{
    return numeric_to_int(ctx, in, OID_INT8, out);
}

static Status numeric_to_some_float(TypeCtx *ctx, Value in, bool single, Value *out)
{
    double value = numeric_to_float(in);
    if (single) value = (double)(float)value;
    bool vanished = value == 0 && numeric_sign(in) != 0;
    if (numeric_kind(in) == NUMERIC_FINITE && (isinf(value) || vanished))
        return err_set(ctx->err, ctx->arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "\"%s\" is out of range for type %s",
                       type_text((TypeRef){OID_NUMERIC, -1}, ctx->env, in, ctx->arena),
                       single ? "real" : "double precision");
    *out = value_float(value);
    return ST_OK;
}

CAST_BODY(cast_numeric_to_float4)
{
    return numeric_to_some_float(ctx, in, true, out);
}

CAST_BODY(cast_numeric_to_float8)
{
    return numeric_to_some_float(ctx, in, false, out);
}
