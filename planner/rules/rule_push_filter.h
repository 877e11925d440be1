/* rule_push_filter.h - lists of conditions, as rules pass them on. Inside rules/ only. */
#ifndef PLANNER_RULES_RULE_PUSH_FILTER_H
#define PLANNER_RULES_RULE_PUSH_FILTER_H

#include "planner/rules/rules.h"

typedef struct Conjuncts { Expr **items; int count, capacity; } Conjuncts;

/* Adds the items of e, ANDs taken apart; NULL and true add nothing. */
void conjuncts_add(Rewriting *r, Conjuncts *list, Expr *e);
Expr *conjuncts_and(Rewriting *r, const Conjuncts *list); /* NULL of none */

/* Adds to the list what follows from its equalities: a = b AND a = 5 gives b = 5. */
void equality_closure(Rewriting *r, Conjuncts *list);

#endif
