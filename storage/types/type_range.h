/* type_range.h - ranges: spans of an ordered type with open, closed or no ends.
 *
 * A value's bytes (little endian, not aligned): one byte of RangeFlag; then per bound that is there, the lower one first,
 * its size (4) and its bytes (8 for elements that are numbers to C). Ranges of discrete types are kept as [lower,upper),
 * so that equal ranges have equal bounds.
 */
#ifndef STORAGE_TYPES_TYPE_RANGE_H
#define STORAGE_TYPES_TYPE_RANGE_H

#include "storage/types/type.h"

/* As PostgreSQL's binary form has them. */
typedef enum RangeFlag {
    RANGE_EMPTY = 1, RANGE_LOWER_INCLUSIVE = 2, RANGE_UPPER_INCLUSIVE = 4, RANGE_LOWER_INFINITE = 8,
    RANGE_UPPER_INFINITE = 16
} RangeFlag;

typedef struct RangeBound {
    Value value; /* of the element type, borrowed; undefined if infinite */
    bool infinite, inclusive;
} RangeBound;

typedef struct Range {
    bool empty;
    RangeBound lower, upper; /* undefined if empty */
} Range;

/* The type of the bounds; NULL: oid is no range type. */
const TypeDef *range_element(Oid oid);
/* The range type over an element; 0: there is none. */
Oid range_over(Oid element);

/* The same of multiranges, whose elements are ranges: the type of their bounds, and the multirange type over it. */
const TypeDef *multirange_element(Oid oid);
Oid multirange_over(Oid element);

static inline bool type_is_range(const TypeDef *type)
{
    return range_element(type->oid) != NULL;
}

void range_open(const TypeDef *type, Value value, Range *range);
/* Canonical form first. 22000 if the bounds are in the wrong order, 22003 or 22008 where a discrete bound has no successor. */
Status range_build(TypeCtx *ctx, const TypeDef *type, const Range *range, Value *out);

/* ---- order (range_order.c) ---- */

typedef enum RangeEnd { RANGE_LOWER, RANGE_UPPER } RangeEnd;

/* Where two bounds stand on the line; the ends say which way their openness moves them. */
int range_bound_compare(const TypeDef *element, const RangeBound *a, RangeEnd a_end, const RangeBound *b, RangeEnd b_end);
/* Lower bounds first, then upper ones; the empty range before all. */
int range_order(const TypeDef *element, const Range *a, const Range *b);
bool range_contains_value(const TypeDef *element, const Range *range, Value value);
bool range_contains(const TypeDef *element, const Range *whole, const Range *part);
bool range_overlaps(const TypeDef *element, const Range *a, const Range *b);
bool range_before(const TypeDef *element, const Range *a, const Range *b);
/* Does a end nowhere to the right of b's end? Begin nowhere to the left of its beginning? */
bool range_over_left(const TypeDef *element, const Range *a, const Range *b);
bool range_over_right(const TypeDef *element, const Range *a, const Range *b);
/* Do they touch without a point in common or between them? */
bool range_adjacent(const TypeDef *element, const Range *a, const Range *b);
Range range_intersect(const TypeDef *element, const Range *a, const Range *b);
/* The least range that holds both. */
Range range_merge(const TypeDef *element, const Range *a, const Range *b);

/* The functions of every range's TypeDef (range_text.c). */
Status range_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out);
void range_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out);
Status range_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out);
void range_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out);
int range_compare(const TypeDef *type, Value a, Value b);
uint64_t range_hash(const TypeDef *type, Value value);

/* Reads the range that the text begins with, and says where it ends: for lists of ranges. */
Status range_parse(const TypeDef *type, TypeCtx *ctx, Slice text, size_t *end, Value *out);

#endif
