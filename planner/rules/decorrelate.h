/* decorrelate.h - taking the correlated conditions out of a subquery. Inside rules/ and paths/ only. */
#ifndef PLANNER_RULES_DECORRELATE_H
#define PLANNER_RULES_DECORRELATE_H

#include "planner/rules/rule_push_filter.h"

/* A copy of the tree without its correlated conditions, which are added to pulled; only filters and inner joins are
 * entered. whole: the tree whose columns count as its own. */
Rel *decorrelate_pull(Rewriting *r, const Rel *whole, Rel *rel, Conjuncts *pulled);
/* Without the nodes on top that do not change whether there is a row. */
Rel *decorrelate_strip_for_exists(Rel *rel);
bool decorrelate_is_correlated(Rewriting *r, const Rel *rel);

#endif
