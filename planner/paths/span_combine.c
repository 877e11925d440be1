/* span_combine.c - the intersection of two constraints of one key column. */
#include "planner/paths/span_build.h"

#include <assert.h>
#include <math.h>

bool span_type_ranges(const TypeDef *type)
{
    switch (type->key_class) {
    case KEY_CLASS_INT:
    case KEY_CLASS_DATE:
    case KEY_CLASS_FLOAT:
    case KEY_CLASS_DECIMAL:
    case KEY_CLASS_TIMESTAMP:
    case KEY_CLASS_TIMETZ:
    case KEY_CLASS_BITS: return true;
    /* NaN is below all numbers in keys, inside of a range too. */
    case KEY_CLASS_RANGE: return type->oid != OID_NUMRANGE && type->oid != OID_NUMMULTIRANGE;
    /* char(n) compares without its trailing blanks, but its key has them. */
    case KEY_CLASS_BYTES: return type->oid != OID_BPCHAR;
    case KEY_CLASS_NONE:
    case KEY_CLASS_INTERVAL:
    case KEY_CLASS_ARRAY:
    case KEY_CLASS_JSON: return false;
    }
    return false;
}

/* Intervals that are equal (1 month, 30 days) have several keys. */
bool span_type_points(const TypeDef *type)
{
    return type->key_class != KEY_CLASS_NONE && type->key_class != KEY_CLASS_INTERVAL && type->compare;
}

bool span_value_is_nan(const TypeDef *type, Value value)
{
    if (type->key_class == KEY_CLASS_FLOAT) return isnan(value.f);
    if (type->key_class != KEY_CLASS_DECIMAL) return false;
    Buf text = {0};
    type->out(type, &type_env_default, value, &text);
    bool nan = slice_equal_str(buf_slice(&text), "NaN");
    buf_finish(&text);
    return nan;
}

int span_value_compare(const TypeDef *type, Value a, Value b)
{
    if (type->key_class == KEY_CLASS_FLOAT || type->key_class == KEY_CLASS_DECIMAL) {
        bool a_nan = span_value_is_nan(type, a), b_nan = span_value_is_nan(type, b);
        if (a_nan || b_nan) return (int)b_nan - (int)a_nan;
    }
    return type_compare(type, a, b);
}

bool span_part_is_constant(const SpanPart *part)
{
    if (part->array || part->computed) return false;
    for (int i = 0; i < part->value_count; i++)
        if (!expr_is_const(part->values[i], NULL)) return false;
    return (!part->low || expr_is_const(part->low, NULL)) && (!part->high || expr_is_const(part->high, NULL));
}

static Value constant(const Expr *e)
{
    Value value = VALUE_NULL;
    bool is_const = expr_is_const(e, &value);
    assert(is_const);
    (void)is_const;
    return value;
}

static bool inside(const TypeDef *type, const SpanPart *range, Value value)
{
    if (range->low) {
        int order = span_value_compare(type, value, constant(range->low));
        if (order < 0 || (order == 0 && !range->low_inclusive)) return false;
    }
    if (range->high) {
        int order = span_value_compare(type, value, constant(range->high));
        if (order > 0 || (order == 0 && !range->high_inclusive)) return false;
    }
    return true;
}

static bool among(const TypeDef *type, const SpanPart *points, Value value)
{
    for (int i = 0; i < points->value_count; i++)
        if (span_value_compare(type, constant(points->values[i]), value) == 0) return true;
    return false;
}

/* Constant points that `keep` (a range or points) lets through. */
static CombineResult filter_points(const TypeDef *type, SpanPart *points, const SpanPart *keep, Arena *arena)
{
    Expr **values = ARENA_ARRAY(arena, Expr *, points->value_count);
    int count = 0;
    for (int i = 0; i < points->value_count; i++) {
        Value value = constant(points->values[i]);
        if (keep->kind == SPAN_RANGE ? inside(type, keep, value) : among(type, keep, value))
            values[count++] = points->values[i];
    }
    points->values = values;
    points->value_count = count;
    points->or_null = points->or_null && keep->kind == SPAN_POINTS && keep->or_null;
    return count || points->or_null ? COMBINE_EXACT : COMBINE_EMPTY;
}

static CombineResult combine_points(const TypeDef *type, SpanPart *part, const SpanPart *other, Arena *arena)
{
    if (span_part_is_constant(part) && span_part_is_constant(other)) return filter_points(type, part, other, arena);
    bool same = part->value_count == 1 && other->value_count == 1 && part->array == other->array &&
                part->or_null == other->or_null && expr_equal(part->values[0], other->values[0]);
    if (same) return COMBINE_EXACT;
    bool other_is_smaller = !other->array && (part->array || other->value_count < part->value_count);
    if (!other_is_smaller) return COMBINE_KEPT;
    *part = *other;
    return COMBINE_REPLACED;
}

/* Takes the tighter of two bounds; false if which one that is will only be known at run time. */
static bool tighten(const TypeDef *type, Expr **bound, bool *inclusive, Expr *other, bool other_inclusive, int sign)
{
    if (!other) return true;
    if (!*bound) {
        *bound = other;
        *inclusive = other_inclusive;
        return true;
    }
    if (expr_equal(*bound, other)) {
        *inclusive = *inclusive && other_inclusive;
        return true;
    }
    Value mine, theirs;
    if (!expr_is_const(*bound, &mine) || !expr_is_const(other, &theirs)) return false;
    int order = sign * span_value_compare(type, theirs, mine);
    if (order > 0) {
        *bound = other;
        *inclusive = other_inclusive;
    } else if (order == 0) {
        *inclusive = *inclusive && other_inclusive;
    }
    return true;
}

bool span_range_is_empty(const TypeDef *type, const SpanPart *part)
{
    Value low, high;
    if (!part->low || !part->high || !expr_is_const(part->low, &low) || !expr_is_const(part->high, &high)) return false;
    int order = span_value_compare(type, low, high);
    return order > 0 || (order == 0 && !(part->low_inclusive && part->high_inclusive));
}

static CombineResult combine_ranges(const TypeDef *type, SpanPart *part, const SpanPart *other, Arena *arena)
{
    bool low = tighten(type, &part->low, &part->low_inclusive, other->low, other->low_inclusive, 1);
    bool high = tighten(type, &part->high, &part->high_inclusive, other->high, other->high_inclusive, -1);
    if (span_range_is_empty(type, part)) return COMBINE_EMPTY;
    if (!low || !high) return COMBINE_KEPT;
    if (part->low && part->high && part->low_inclusive && part->high_inclusive && expr_equal(part->low, part->high)) {
        Expr **values = ARENA_ARRAY(arena, Expr *, 1);
        values[0] = part->low;
        *part = (SpanPart){.kind = SPAN_POINTS, .values = values, .value_count = 1};
    }
    return COMBINE_EXACT;
}

static bool takes_null(const SpanPart *part)
{
    return part->kind == SPAN_NULL || (part->kind == SPAN_POINTS && part->or_null);
}

/* part is POINTS, other a range. */
static CombineResult points_in_range(const TypeDef *type, SpanPart *points, const SpanPart *range, Arena *arena)
{
    if (span_part_is_constant(points) && span_part_is_constant(range)) return filter_points(type, points, range, arena);
    points->or_null = false;
    return COMBINE_KEPT;
}

CombineResult span_combine(const TypeDef *type, SpanPart *part, const SpanPart *other, Arena *arena)
{
    if (part->kind == SPAN_NULL) return takes_null(other) ? COMBINE_EXACT : COMBINE_EMPTY;
    if (other->kind == SPAN_NULL) {
        if (!takes_null(part)) return COMBINE_EMPTY;
        *part = *other;
        return COMBINE_EXACT;
    }
    if (other->kind == SPAN_NOT_NULL) {
        part->or_null = false;
        return COMBINE_EXACT;
    }
    if (part->kind == SPAN_NOT_NULL) {
        *part = *other;
        part->or_null = false;
        return COMBINE_EXACT;
    }
    if (part->kind == SPAN_RANGE && other->kind == SPAN_RANGE) return combine_ranges(type, part, other, arena);
    if (part->kind == SPAN_POINTS && other->kind == SPAN_POINTS) return combine_points(type, part, other, arena);
    if (part->kind == SPAN_POINTS) return points_in_range(type, part, other, arena);
    SpanPart range = *part;
    *part = *other;
    CombineResult result = points_in_range(type, part, &range, arena);
    return result == COMBINE_KEPT ? COMBINE_REPLACED : result;
}
