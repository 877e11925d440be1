/* key_range.c - ranges in keys: marker, lower bound, upper bound, end mark.
 *
 *   lower bound   tag 0: the range is empty, and the end mark follows; 1: none; 2: its value, then 0 (inclusive) or 1
 *   upper bound   tag 1: its value, then 0 (exclusive) or 1 (inclusive); 2: none
 *
 * Tags are ints of one byte. So the order is that of the lower bounds, then of the upper ones, the empty range first.
 */
#include "storage/keys/key_column_parts.h"
#include "storage/keys/ordered.h"
#include "storage/types/type_range.h"

enum { LOWER_EMPTY = 0, LOWER_NONE = 1, LOWER_VALUE = 2, UPPER_VALUE = 1, UPPER_NONE = 2 };

static KeyColumn element_column(const KeyColumn *column)
{
    return key_column((TypeRef){range_element(column->type.oid)->oid, -1}, column->descending);
}

static void put_bound(const KeyColumn *element, const RangeBound *bound, bool last, Buf *out)
{
    Error never; /* elements of ranges are numbers and times, and those fit in any key */
    (void)key_column_encode(element, bound->value, out, &never);
    ordered_put_int(out, last, element->descending);
}

void key_range_put(const KeyColumn *column, Value value, Buf *out)
{
    bool descending = column->descending;
    KeyColumn element = element_column(column);
    Range range;
    range_open(type_find(column->type.oid), value, &range);
    buf_put_u8(out, descending ? ORDERED_RANGE_DESC : ORDERED_RANGE);
    ordered_put_int(out, range.empty ? LOWER_EMPTY : range.lower.infinite ? LOWER_NONE : LOWER_VALUE, descending);
    if (!range.empty) {
        if (!range.lower.infinite) put_bound(&element, &range.lower, !range.lower.inclusive, out);
        ordered_put_int(out, range.upper.infinite ? UPPER_NONE : UPPER_VALUE, descending);
        if (!range.upper.infinite) put_bound(&element, &range.upper, range.upper.inclusive, out);
    }
    buf_put_u8(out, descending ? ORDERED_NULL_DESC : ORDERED_NULL);
}

static bool get_bound(const KeyColumn *element, Slice *key, Arena *arena, RangeBound *bound, int64_t *last)
{
    return key_column_decode(element, key, arena, &bound->value) && !bound->value.null &&
           ordered_get_int(key, element->descending, last);
}

static bool get_bounds(const KeyColumn *column, Slice *key, Arena *arena, Range *range)
{
    KeyColumn element = element_column(column);
    int64_t tag, last = 0;
    if (!ordered_get_int(key, column->descending, &tag)) return false;
    range->empty = tag == LOWER_EMPTY;
    if (range->empty) return true;
    range->lower.infinite = tag == LOWER_NONE;
    if (!range->lower.infinite && !get_bound(&element, key, arena, &range->lower, &last)) return false;
    range->lower.inclusive = !range->lower.infinite && !last;
    if (!ordered_get_int(key, column->descending, &tag)) return false;
    range->upper.infinite = tag == UPPER_NONE;
    if (!range->upper.infinite && !get_bound(&element, key, arena, &range->upper, &last)) return false;
    range->upper.inclusive = !range->upper.infinite && last;
    return true;
}

bool key_range_get(const KeyColumn *column, Slice *key, Arena *arena, Value *value)
{
    Slice rest = *key;
    Range range = {0};
    Error err;
    TypeCtx ctx = {.arena = arena, .env = &type_env_default, .err = &err};
    if (rest.size == 0 || rest.data[0] != (column->descending ? ORDERED_RANGE_DESC : ORDERED_RANGE)) return false;
    rest = slice_of(rest.data + 1, rest.size - 1);
    if (!get_bounds(column, &rest, arena, &range)) return false;
    if (rest.size == 0 || rest.data[0] != (column->descending ? ORDERED_NULL_DESC : ORDERED_NULL)) return false;
    if (range_build(&ctx, type_find(column->type.oid), &range, value) != ST_OK) return false;
    *key = slice_of(rest.data + 1, rest.size - 1);
    return true;
}

bool key_range_loses(const KeyColumn *column, Value value)
{
    KeyColumn element = element_column(column);
    Range range;
    range_open(type_find(column->type.oid), value, &range);
    if (range.empty) return false;
    return (!range.lower.infinite && key_column_loses(&element, range.lower.value)) ||
           (!range.upper.infinite && key_column_loses(&element, range.upper.value));
}
