/* rules.h - rewriting a logical query into an equal one that is cheaper to run or easier to plan.
 *
 * A rule is one file with one function over one node; rules_apply walks the tree from the leaves up and offers each node
 * to every rule of the list, in order. A rule changes nodes in place or returns others; it may use next_column for fresh
 * ColIds. Subqueries in expressions are rewritten as trees of their own.
 */
#ifndef PLANNER_RULES_RULES_H
#define PLANNER_RULES_RULES_H

#include "planner/rel.h"
#include "planner/session.h"
#include "planner/settings.h"

typedef struct Rewriting {
    Session *session;
    Arena *arena;
    Error *err;
    ColId next_column;
    const Value *param_values; /* a custom plan: parameters are these constants; NULL: a generic one */
} Rewriting;

typedef struct Rule {
    const char *name;
    Status (*apply)(Rewriting *r, Rel **rel); /* *rel may be replaced */
    bool whole_tree; /* apply is called for roots only: the statement's, and each subquery's */
    SettingId setting; /* switches it off */
} Rule;

Status rules_apply(Rewriting *r, Rel **rel);

extern const Rule rule_fold_constants;
extern const Rule rule_drop_projection;
extern const Rule rule_decorrelate;
extern const Rule rule_outer_to_inner;
extern const Rule rule_push_filter;

#endif
