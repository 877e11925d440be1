/* agg_group.h - the aggregates of one plan node: how a row is stepped into a group, and what a group comes to.
 *
 * A Group's memory is one block in its arena: the aggregates' states, and for DISTINCT and ORDER BY what was seen so far.
 */
#ifndef EXECUTOR_OPS_AGG_GROUP_H
#define EXECUTOR_OPS_AGG_GROUP_H

#include "executor/eval.h"
#include "executor/value_set.h"

typedef struct AggSpec {
    const ExprAggregate *e;
    AggCtx ctx;
    int first, arg_count, order_count; /* places among the program's results: arguments, then order keys */
    int filter;                        /* place of FILTER's condition; -1: none */
    size_t state_offset;
    const TypeDef **types;             /* of arguments and order keys */
} AggSpec;

typedef struct AggList {
    Exec *exec;
    AggSpec *specs;
    int count;
    Program *program;
    Value **results; /* of the program's last run */
    size_t state_size;
    bool has_extras;
} AggList;

typedef struct Group Group;

/* columns: of the input. Made once, in exec->arena. */
Status agg_list_init(AggList *list, Exec *exec, ExprAggregate *const *aggregates, int count, const Plan *input);
/* Evaluates arguments and filters of a batch, for agg_step of its rows. */
Status agg_list_load(AggList *list, const Batch *batch, Arena *arena);
Group *agg_group_create(const AggList *list, Arena *arena);
/* group_arena: the one it was created in. */
Status agg_step(AggList *list, Group *group, int row, Arena *group_arena);
/* out: one value per aggregate, in group_arena. */
Status agg_final(AggList *list, Group *group, Value *out, Arena *group_arena);
void agg_list_close(AggList *list);

#endif
