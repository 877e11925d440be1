/* op_filter.c - keeps the rows for which the condition is true. */
#include "executor/eval.h"
#include "executor/ops/op_classes.h"

typedef struct OpFilter {
    Op base;
    Program *condition;
    int asked;
} OpFilter;

static Status filter_open(Op *op)
{
    OpFilter *self = (OpFilter *)op;
    const PlanFilter *plan = (const PlanFilter *)op->plan;
    const Plan *input = op->plan->inputs[0];
    if (!self->condition)
        TRY(eval_compile(op->exec, (Expr *const *)&plan->condition, 1, input->columns, input->column_count,
                         &self->condition));
    self->asked = 0;
    return op_open_inputs(op);
}

static Status filter_next(Op *op, Batch *batch)
{
    OpFilter *self = (OpFilter *)op;
    op_ask_growing(op, &self->asked);
    TRY(op_next(op->inputs[0], batch));
    int *selected = ARENA_ARRAY(op->batch_arena, int, batch->row_count);
    int count;
    TRY(eval_filter(self->condition, batch, op->batch_arena, selected, &count));
    batch->selected = selected;
    batch->selected_count = count;
    return ST_OK;
}

static Status filter_rewind(Op *op)
{
    ((OpFilter *)op)->asked = 0;
    return op_rewind(op->inputs[0]);
}

static void filter_close(Op *op)
{
    eval_close(((OpFilter *)op)->condition);
}

const OpClass op_filter_class = {"filter", sizeof(OpFilter), filter_open, filter_next, filter_rewind, filter_close};
