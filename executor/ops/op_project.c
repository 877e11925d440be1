/* op_project.c - computes the columns of its output from its input. */
#include "executor/eval.h"
#include "executor/ops/op_classes.h"

typedef struct OpProject {
    Op base;
    Program *program;
    Value **out;
} OpProject;

static Status project_open(Op *op)
{
    OpProject *self = (OpProject *)op;
    const PlanProject *plan = (const PlanProject *)op->plan;
    const Plan *input = op->plan->inputs[0];
    if (!self->program) {
        self->out = ARENA_ARRAY(op->exec->arena, Value *, op->plan->column_count + 1);
        TRY(eval_compile(op->exec, plan->exprs, op->plan->column_count, input->columns, input->column_count,
                         &self->program));
    }
    return op_open_inputs(op);
}

static Status project_next(Op *op, Batch *batch)
{
    OpProject *self = (OpProject *)op;
    if (op->rows_wanted) op->inputs[0]->rows_wanted = op->rows_wanted;
    TRY(op_next(op->inputs[0], batch));
    TRY(eval_run(self->program, batch, op->batch_arena, self->out));
    batch->columns = self->out;
    batch->column_count = op->plan->column_count;
    return ST_OK;
}

static Status project_rewind(Op *op)
{
    return op_rewind(op->inputs[0]);
}

static void project_close(Op *op)
{
    eval_close(((OpProject *)op)->program);
}

const OpClass op_project_class = {"project", sizeof(OpProject), project_open, project_next, project_rewind,
                                  project_close};
