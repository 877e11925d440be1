/* expr_fold.h - evaluating expressions while planning. */
#ifndef PLANNER_EXPR_FOLD_H
#define PLANNER_EXPR_FOLD_H

#include "planner/expr.h"
#include "planner/session.h"

/* Volatile functions are called too: whoever folds asks expr_volatility before. *known false: the expression holds a column,
 * a parameter, a subquery or another thing that only the executor can evaluate; *value is NULL then. The value lives in the
 * arena or is a constant's own. */
Status expr_fold(Session *session, const Expr *e, Value *value, bool *known, Arena *arena, Error *err);

#endif
