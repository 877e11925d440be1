/* range_order.c - how ranges lie to each other. */
#include "storage/types/type_defs.h"
#include "storage/types/type_range.h"

/* An open bound stands a hair's breadth inside of its value. */
static int lean(const RangeBound *bound, RangeEnd end)
{
    if (bound->inclusive) return 0;
    return end == RANGE_LOWER ? 1 : -1;
}

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

int range_bound_compare(const TypeDef *element, const RangeBound *a, RangeEnd a_end, const RangeBound *b, RangeEnd b_end)
{
    if (a->infinite && b->infinite) return sign((int)a_end - (int)b_end);
    if (a->infinite) return a_end == RANGE_LOWER ? -1 : 1;
    if (b->infinite) return b_end == RANGE_LOWER ? 1 : -1;
    int order = element->compare(element, a->value, b->value);
    return order ? sign(order) : sign(lean(a, a_end) - lean(b, b_end));
}

static int compare_lowers(const TypeDef *element, const Range *a, const Range *b)
{
    return range_bound_compare(element, &a->lower, RANGE_LOWER, &b->lower, RANGE_LOWER);
}

static int compare_uppers(const TypeDef *element, const Range *a, const Range *b)
{
    return range_bound_compare(element, &a->upper, RANGE_UPPER, &b->upper, RANGE_UPPER);
}

int range_order(const TypeDef *element, const Range *a, const Range *b)
{
    if (a->empty || b->empty) return (int)b->empty - (int)a->empty;
    int order = compare_lowers(element, a, b);
    return order ? order : compare_uppers(element, a, b);
}

int range_compare(const TypeDef *type, Value a, Value b)
{
    Range x, y;
    range_open(type, a, &x);
    range_open(type, b, &y);
    return range_order(range_element(type->oid), &x, &y);
}

static uint64_t bound_hash(const TypeDef *element, const RangeBound *bound)
{
    return bound->infinite ? 0 : element->hash(element, bound->value) * 2 + bound->inclusive;
}

uint64_t range_hash(const TypeDef *type, Value value)
{
    const TypeDef *element = range_element(type->oid);
    Range range;
    range_open(type, value, &range);
    if (range.empty) return hash_int(RANGE_EMPTY);
    return hash_int((int64_t)(bound_hash(element, &range.lower) * 31 + bound_hash(element, &range.upper)));
}

bool range_contains_value(const TypeDef *element, const Range *range, Value value)
{
    if (range->empty) return false;
    int low = range->lower.infinite ? 1 : element->compare(element, value, range->lower.value);
    int high = range->upper.infinite ? -1 : element->compare(element, value, range->upper.value);
    return (low > 0 || (low == 0 && range->lower.inclusive)) && (high < 0 || (high == 0 && range->upper.inclusive));
}

bool range_contains(const TypeDef *element, const Range *whole, const Range *part)
{
    if (part->empty) return true;
    return !whole->empty && compare_lowers(element, whole, part) <= 0 && compare_uppers(element, whole, part) >= 0;
}

bool range_before(const TypeDef *element, const Range *a, const Range *b)
{
    if (a->empty || b->empty) return false;
    return range_bound_compare(element, &a->upper, RANGE_UPPER, &b->lower, RANGE_LOWER) < 0;
}

bool range_overlaps(const TypeDef *element, const Range *a, const Range *b)
{
    return !a->empty && !b->empty && !range_before(element, a, b) && !range_before(element, b, a);
}

bool range_over_left(const TypeDef *element, const Range *a, const Range *b)
{
    return !a->empty && !b->empty && compare_uppers(element, a, b) <= 0;
}

bool range_over_right(const TypeDef *element, const Range *a, const Range *b)
{
    return !a->empty && !b->empty && compare_lowers(element, a, b) >= 0;
}

/* Discrete ranges are [lower,upper), so here too touching bounds have one value. */
static bool bounds_touch(const TypeDef *element, const RangeBound *upper, const RangeBound *lower)
{
    if (upper->infinite || lower->infinite || upper->inclusive == lower->inclusive) return false;
    return element->compare(element, upper->value, lower->value) == 0;
}

bool range_adjacent(const TypeDef *element, const Range *a, const Range *b)
{
    if (a->empty || b->empty) return false;
    return bounds_touch(element, &a->upper, &b->lower) || bounds_touch(element, &b->upper, &a->lower);
}

Range range_intersect(const TypeDef *element, const Range *a, const Range *b)
{
    if (!range_overlaps(element, a, b)) return (Range){.empty = true};
    return (Range){.lower = compare_lowers(element, a, b) >= 0 ? a->lower : b->lower,
                   .upper = compare_uppers(element, a, b) <= 0 ? a->upper : b->upper};
}

Range range_merge(const TypeDef *element, const Range *a, const Range *b)
{
    if (a->empty) return *b;
    if (b->empty) return *a;
    return (Range){.lower = compare_lowers(element, a, b) <= 0 ? a->lower : b->lower,
                   .upper = compare_uppers(element, a, b) >= 0 ? a->upper : b->upper};
}
