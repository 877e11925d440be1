/* plan_choice.h - whether a prepared statement runs by its generic plan or by one made for the values at hand. */
#ifndef EXECUTOR_PLAN_CHOICE_H
#define EXECUTOR_PLAN_CHOICE_H

#include "planner/plan.h"

typedef struct Stmt Stmt;

/* What is known of one statement; part of it. */
typedef struct PlanChoice {
    bool open;            /* the values may matter to the plan */
    bool same_shape;      /* all plans for values were like the generic one */
    int64_t trials;       /* plans for values since the generic one was made */
    double trials_cost;   /* of all of those, planning included */
    int64_t generic_plans, custom_plans; /* runs by each kind, ever */
} PlanChoice;

/* The statement has been planned anew: nothing is known of how other plans do. */
void plan_choice_reset(Stmt *stmt);
/* The plan to run by: one for these values, made in the arena, or the statement's own. */
Status plan_choice(Stmt *stmt, const Value *params, const PlannedStmt **planned, Arena *arena, Error *err);

#endif
