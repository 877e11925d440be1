/* computed_guard.h - the expression of a computed column, as it is to be computed.
 *
 * One that partial indexes alone have is computed for their rows only: (10 / v) WHERE v <> 0 has no value else.
 */
#ifndef PLANNER_COMPUTED_GUARD_H
#define PLANNER_COMPUTED_GUARD_H

#include "planner/expr.h"

/* e: the column's expression as it was defined. predicates: per index, NULL where it is not partial; NULL: there are none. */
Expr *computed_guard(Arena *arena, const TableDesc *table, int ordinal, Expr *e, Expr *const *predicates);

#endif
