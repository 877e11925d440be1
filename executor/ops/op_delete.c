/* op_delete.c - DELETE. */
#include "executor/ops/op_classes.h"
#include "executor/ops/row_change.h"

typedef struct OpDelete {
    Op base;
    RowChange change;
    bool keep;
} OpDelete;

static Status delete_init(OpDelete *self)
{
    Op *op = &self->base;
    const PlanDelete *plan = (const PlanDelete *)op->plan;
    const Plan *input = op->plan->inputs[0];
    TRY(row_change_init(&self->change, op, &plan->delete_->target, plan->old_row, plan->key_bytes));
    self->keep = !plan_is_chain(input) || plan_has_subquery(op->plan);
    return row_change_returning(&self->change, plan->delete_->returning, input->columns, input->column_count);
}

static Status delete_open(Op *op)
{
    OpDelete *self = (OpDelete *)op;
    if (!self->change.op) TRY(delete_init(self));
    return row_change_open(&self->change, self->keep);
}

static Status delete_row(OpDelete *self, const Batch *in, int row, bool *done)
{
    RowTarget *target = &self->change.target;
    bool skip;
    TRY(row_change_fetch(&self->change, in, row, &skip));
    *done = !skip;
    if (skip) return ST_OK;
    RowImage before;
    TRY(row_target_image(target, self->change.before, target->in_predicate_before, &before, self->change.row_arena));
    TRY(row_delete(self->change.writer, before, self->base.exec->err));
    return constraints_deleted(self->change.constraints, self->change.before);
}

static Status delete_batch(OpDelete *self, const Batch *in, int *deleted)
{
    Op *op = &self->base;
    *deleted = 0;
    for (int i = 0; i < batch_rows(in); i++) {
        bool done;
        TRY(delete_row(self, in, batch_row(in, i), &done));
        if (!done) continue;
        if (op->plan == op->exec->main_plan) op->exec->rows_affected++;
        if (self->change.returning) TRY(row_change_return(&self->change, self->change.in_row, *deleted));
        ++*deleted;
    }
    return ST_OK;
}

static Status delete_next(Op *op, Batch *batch)
{
    OpDelete *self = (OpDelete *)op;
    Batch in;
    int deleted;
    for (;;) {
        TRY(row_input_next(&self->change.input, &in));
        row_change_room(&self->change, batch_rows(&in));
        TRY(delete_batch(self, &in, &deleted));
        if (!self->change.returning || deleted == 0) continue;
        *batch = (Batch){.columns = self->change.out, .column_count = op->plan->column_count, .row_count = deleted};
        return ST_OK;
    }
}

static void delete_close(Op *op)
{
    row_change_close(&((OpDelete *)op)->change);
}

const OpClass op_delete_class = {"delete", sizeof(OpDelete), delete_open, delete_next, NULL, delete_close};
