/* op_append.c - UNION ALL: one input after the other; columns match by position. */
#include "executor/ops/op_classes.h"

typedef struct OpAppend {
    Op base;
    int input;
} OpAppend;

static Status append_open(Op *op)
{
    ((OpAppend *)op)->input = 0;
    return ST_OK;
}

static Status append_next(Op *op, Batch *batch)
{
    OpAppend *self = (OpAppend *)op;
    for (; self->input < op->plan->input_count; self->input++) {
        Op *input = op->inputs[self->input];
        /* Inputs are opened when their turn comes: a LIMIT above may never get there. */
        if (!input->opened) TRY(op_open(input));
        if (op->rows_wanted) input->rows_wanted = op->rows_wanted;
        Status st = op_next(input, batch);
        if (st != ST_END) return st;
        op_close(input);
    }
    return ST_END;
}

const OpClass op_append_class = {"append", sizeof(OpAppend), append_open, append_next, NULL, NULL};
