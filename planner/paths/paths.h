/* paths.h - from a logical query to the plan that runs it: access paths, join order, methods, sorts.
 *
 * The tree must have been rewritten by rules/. It is not changed but for its subqueries: ExprSubquery.plan and .outer are
 * filled in. Plan nodes and what they point to live in the arena, beside the Rel tree whose expressions they share.
 */
#ifndef PLANNER_PATHS_PATHS_H
#define PLANNER_PATHS_PATHS_H

#include "planner/plan_node.h"
#include "planner/session.h"

/* The plan returns exactly rel's columns, in their order. Nodes are numbered from 0, subqueries' included. */
Status paths_plan(Session *session, Rel *rel, Plan **plan, Arena *arena, Error *err);

/* How many nodes the plan has, subqueries' included: one more than the greatest Plan.number. */
int paths_plan_count(const Plan *plan);

#endif
