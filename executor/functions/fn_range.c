/* fn_range.c - making ranges, looking into them, and how they lie to each other. */
#include "executor/functions/families.h"
#include "storage/types/type_range.h"

/* ---- looking into one ---- */

static Range open_argument(const FnCtx *ctx, const Value *args, int i)
{
    Range range;
    range_open(type_find(ctx->arg_types[i].oid), args[i], &range);
    return range;
}

static Status bound_value(bool empty, const RangeBound *bound, Value *out)
{
    *out = empty || bound->infinite ? VALUE_NULL : bound->value;
    return ST_OK;
}

static Status lower(FnCtx *ctx, const Value *args, Value *out)
{
    Range r = open_argument(ctx, args, 0);
    return bound_value(r.empty, &r.lower, out);
}

static Status upper(FnCtx *ctx, const Value *args, Value *out)
{
    Range r = open_argument(ctx, args, 0);
    return bound_value(r.empty, &r.upper, out);
}

#define RANGE_FACT(name, fact)                                                                                       \
    static Status name(FnCtx *ctx, const Value *args, Value *out)                                                    \
    {                                                                                                                \
        Range r = open_argument(ctx, args, 0);                                                                       \
        *out = value_bool(fact);                                                                                     \
        return ST_OK;                                                                                                \
    }

RANGE_FACT(isempty, r.empty)
RANGE_FACT(lower_inc, !r.empty && r.lower.inclusive)
RANGE_FACT(upper_inc, !r.empty && r.upper.inclusive)
RANGE_FACT(lower_inf, !r.empty && r.lower.infinite)
RANGE_FACT(upper_inf, !r.empty && r.upper.infinite)

/* ---- two of them ---- */

#define RANGE_PAIR(name, fact)                                                                                       \
    static Status name(FnCtx *ctx, const Value *args, Value *out)                                                    \
    {                                                                                                                \
        Range a = open_argument(ctx, args, 0), b = open_argument(ctx, args, 1);                                      \
        const TypeDef *element = range_element(ctx->arg_types[0].oid);                                               \
        *out = value_bool(fact);                                                                                     \
        return ST_OK;                                                                                                \
    }

RANGE_PAIR(contains, range_contains(element, &a, &b))
RANGE_PAIR(contained, range_contains(element, &b, &a))
RANGE_PAIR(overlaps, range_overlaps(element, &a, &b))
RANGE_PAIR(before, range_before(element, &a, &b))
RANGE_PAIR(after, range_before(element, &b, &a))
RANGE_PAIR(over_left, range_over_left(element, &a, &b))
RANGE_PAIR(over_right, range_over_right(element, &a, &b))
RANGE_PAIR(adjacent, range_adjacent(element, &a, &b))

static Status contains_value(FnCtx *ctx, const Value *args, Value *out)
{
    Range r = open_argument(ctx, args, 0);
    *out = value_bool(range_contains_value(range_element(ctx->arg_types[0].oid), &r, args[1]));
    return ST_OK;
}

static Status value_contained(FnCtx *ctx, const Value *args, Value *out)
{
    Range r = open_argument(ctx, args, 1);
    *out = value_bool(range_contains_value(range_element(ctx->arg_types[1].oid), &r, args[0]));
    return ST_OK;
}

static Status build(FnCtx *ctx, const Range *range, Value *out)
{
    return range_build(&ctx->type, type_find(ctx->arg_types[0].oid), range, out);
}

static Status not_contiguous(FnCtx *ctx, const char *what)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_DATA_EXCEPTION, "result of range %s would not be contiguous", what);
}

static Status merge(FnCtx *ctx, const Value *args, Value *out)
{
    Range a = open_argument(ctx, args, 0), b = open_argument(ctx, args, 1);
    Range all = range_merge(range_element(ctx->arg_types[0].oid), &a, &b);
    return build(ctx, &all, out);
}

static Status add(FnCtx *ctx, const Value *args, Value *out)
{
    const TypeDef *element = range_element(ctx->arg_types[0].oid);
    Range a = open_argument(ctx, args, 0), b = open_argument(ctx, args, 1);
    bool touch = a.empty || b.empty || range_overlaps(element, &a, &b) || range_adjacent(element, &a, &b);
    return touch ? merge(ctx, args, out) : not_contiguous(ctx, "union");
}

static Status intersect(FnCtx *ctx, const Value *args, Value *out)
{
    Range a = open_argument(ctx, args, 0), b = open_argument(ctx, args, 1);
    Range common = range_intersect(range_element(ctx->arg_types[0].oid), &a, &b);
    return build(ctx, &common, out);
}

static Status subtract(FnCtx *ctx, const Value *args, Value *out)
{
    const TypeDef *element = range_element(ctx->arg_types[0].oid);
    Range a = open_argument(ctx, args, 0), b = open_argument(ctx, args, 1), rest = a;
    *out = args[0];
    if (!range_overlaps(element, &a, &b)) return ST_OK;
    bool left = range_bound_compare(element, &a.lower, RANGE_LOWER, &b.lower, RANGE_LOWER) < 0;
    bool right = range_bound_compare(element, &a.upper, RANGE_UPPER, &b.upper, RANGE_UPPER) > 0;
    if (left && right) return not_contiguous(ctx, "difference");
    if (left) {
        rest.upper = b.lower;
        rest.upper.inclusive = !b.lower.inclusive;
    } else if (right) {
        rest.lower = b.upper;
        rest.lower.inclusive = !b.upper.inclusive;
    } else {
        rest.empty = true;
    }
    return build(ctx, &rest, out);
}

/* ---- constructors ---- */

static Status bad_flags(FnCtx *ctx)
{
    (void)err_set(ctx->type.err, ctx->type.arena, ERR_SYNTAX_ERROR, "invalid range bound flags");
    err_hint(ctx->type.err, ctx->type.arena, "Valid values are \"[]\", \"[)\", \"(]\", and \"()\".");
    return ST_ERROR;
}

static Status make(FnCtx *ctx, const Value *args, Value *out)
{
    Slice flags = slice_of("[)", 2);
    if (ctx->arg_count > 2) {
        if (args[2].null)
            return err_set(ctx->type.err, ctx->type.arena, ERR_DATA_EXCEPTION,
                           "range constructor flags argument must not be null");
        flags = value_to_slice(args[2]);
    }
    if (flags.size != 2 || !strchr("[(", flags.data[0]) || !strchr("])", flags.data[1])) return bad_flags(ctx);
    Range range = {.lower = {args[0], args[0].null, flags.data[0] == '['}, .upper = {args[1], args[1].null, flags.data[1] == ']'}};
    return range_build(&ctx->type, type_find(ctx->result_type.oid), &range, out);
}

/* clang-format off */
#define FN FN_STRICT | FN_IMMUTABLE
#define OP FN_STRICT | FN_IMMUTABLE | FN_OPERATOR
const FuncDef fn_range_rows[] = {
    { 3889, "@>",  "anyrange, anyelement", "bool", OP, contains_value },
    { 3890, "@>",  "anyrange, anyrange",   "bool", OP, contains },
    { 3891, "<@",  "anyelement, anyrange", "bool", OP, value_contained },
    { 3892, "<@",  "anyrange, anyrange",   "bool", OP, contained },
    { 3888, "&&",  "anyrange, anyrange",   "bool", OP, overlaps },
    { 3893, "<<",  "anyrange, anyrange",   "bool", OP, before },
    { 3894, ">>",  "anyrange, anyrange",   "bool", OP, after },
    { 3895, "&<",  "anyrange, anyrange",   "bool", OP, over_left },
    { 3896, "&>",  "anyrange, anyrange",   "bool", OP, over_right },
    { 3897, "-|-", "anyrange, anyrange",   "bool", OP, adjacent },
    { 3898, "+",   "anyrange, anyrange",   "anyrange", OP, add },
    { 3899, "-",   "anyrange, anyrange",   "anyrange", OP, subtract },
    { 3900, "*",   "anyrange, anyrange",   "anyrange", OP, intersect },
    { 3860, "elem_contained_by_range", "anyelement, anyrange", "bool", FN, value_contained },
    { 3850, "isempty", "anyrange",         "bool", FN, isempty },
    { 3848, "lower", "anyrange",           "anyelement", FN, lower },
    { 3851, "lower_inc", "anyrange",       "bool", FN, lower_inc },
    { 3853, "lower_inf", "anyrange",       "bool", FN, lower_inf },
    { 3862, "range_adjacent", "anyrange, anyrange", "bool", FN, adjacent },
    { 3864, "range_after", "anyrange, anyrange", "bool", FN, after },
    { 3863, "range_before", "anyrange, anyrange", "bool", FN, before },
    { 3861, "range_contained_by", "anyrange, anyrange", "bool", FN, contained },
    { 3859, "range_contains", "anyrange, anyrange", "bool", FN, contains },
    { 3858, "range_contains_elem", "anyrange, anyelement", "bool", FN, contains_value },
    { 3868, "range_intersect", "anyrange, anyrange", "anyrange", FN, intersect },
    { 4057, "range_merge", "anyrange, anyrange", "anyrange", FN, merge },
    { 3869, "range_minus", "anyrange, anyrange", "anyrange", FN, subtract },
    { 3857, "range_overlaps", "anyrange, anyrange", "bool", FN, overlaps },
    { 3865, "range_overleft", "anyrange, anyrange", "bool", FN, over_left },
    { 3866, "range_overright", "anyrange, anyrange", "bool", FN, over_right },
    { 3867, "range_union", "anyrange, anyrange", "anyrange", FN, add },
    { 3849, "upper", "anyrange",           "anyelement", FN, upper },
    { 3852, "upper_inc", "anyrange",       "bool", FN, upper_inc },
    { 3854, "upper_inf", "anyrange",       "bool", FN, upper_inf },
    { 0 }
};

const FuncDef fn_range_make_rows[] = {
    { 3941, "daterange", "date, date",                     "daterange", FN_IMMUTABLE, make },
    { 3942, "daterange", "date, date, text",               "daterange", FN_IMMUTABLE, make },
    { 3840, "int4range", "int4, int4",                     "int4range", FN_IMMUTABLE, make },
    { 3841, "int4range", "int4, int4, text",               "int4range", FN_IMMUTABLE, make },
    { 3945, "int8range", "int8, int8",                     "int8range", FN_IMMUTABLE, make },
    { 3946, "int8range", "int8, int8, text",               "int8range", FN_IMMUTABLE, make },
    { 3844, "numrange", "numeric, numeric",                "numrange",  FN_IMMUTABLE, make },
    { 3845, "numrange", "numeric, numeric, text",          "numrange",  FN_IMMUTABLE, make },
    { 3933, "tsrange", "timestamp, timestamp",             "tsrange",   FN_IMMUTABLE, make },
    { 3934, "tsrange", "timestamp, timestamp, text",       "tsrange",   FN_IMMUTABLE, make },
    { 3937, "tstzrange", "timestamptz, timestamptz",       "tstzrange", FN_IMMUTABLE, make },
    { 3938, "tstzrange", "timestamptz, timestamptz, text", "tstzrange", FN_IMMUTABLE, make },
    { 0 }
};
/* clang-format on */
