/* type_multirange.h - sets of ranges over one type: in order, none empty, no two of them touching.
 *
 * A value's bytes (little endian, not aligned): the number of ranges (4), then per range its size (4) and the range's own
 * bytes (type_range.h).
 */
#ifndef STORAGE_TYPES_TYPE_MULTIRANGE_H
#define STORAGE_TYPES_TYPE_MULTIRANGE_H

#include "storage/types/type_range.h"

typedef struct Multirange {
    const TypeDef *element, *range;
    Range *ranges; /* their bounds are borrowed from the value */
    int count;
} Multirange;

Status multirange_open(TypeCtx *ctx, const TypeDef *type, Value value, Multirange *set);
/* Of any ranges over the type's elements: sorts them in place, joins those that touch, leaves out the empty ones. */
Status multirange_build(TypeCtx *ctx, const TypeDef *type, Range *ranges, int count, Value *out);
bool multirange_contains(const Multirange *whole, const Range *part);

#endif
