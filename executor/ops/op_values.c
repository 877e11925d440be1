/* op_values.c - VALUES lists, and the one row of no columns of a SELECT without FROM. */
#include "executor/eval.h"
#include "executor/ops/op_classes.h"

typedef struct OpValues {
    Op base;
    Program **programs; /* one per row; made when the row is first reached */
    Value **out;
    int capacity, row;
} OpValues;

static Status values_open(Op *op)
{
    OpValues *self = (OpValues *)op;
    const PlanValues *plan = (const PlanValues *)op->plan;
    self->row = 0;
    if (self->programs) return ST_OK;
    self->programs = ARENA_ARRAY(op->exec->arena, Program *, plan->row_count + 1);
    self->out = ARENA_ARRAY(op->exec->arena, Value *, op->plan->column_count + 1);
    self->capacity = plan->row_count < BATCH_ROWS_MAX ? plan->row_count : BATCH_ROWS_MAX;
    for (int c = 0; c < op->plan->column_count; c++)
        self->out[c] = ARENA_ARRAY(op->exec->arena, Value, self->capacity + 1);
    return ST_OK;
}

static Status value_row(OpValues *self, int row, int at, Value *scratch)
{
    Op *op = &self->base;
    const PlanValues *plan = (const PlanValues *)op->plan;
    int columns = op->plan->column_count;
    bool constant = true;
    for (int c = 0; c < columns && constant; c++) constant = plan->rows[row][c]->kind == EXPR_CONST;
    if (constant) {
        for (int c = 0; c < columns; c++) self->out[c][at] = ((const ExprConst *)plan->rows[row][c])->value;
        return ST_OK;
    }
    if (!self->programs[row])
        TRY(eval_compile(op->exec, plan->rows[row], columns, NULL, 0, &self->programs[row]));
    TRY(eval_row(self->programs[row], NULL, op->batch_arena, scratch));
    for (int c = 0; c < columns; c++) self->out[c][at] = scratch[c];
    return ST_OK;
}

static Status values_next(Op *op, Batch *batch)
{
    OpValues *self = (OpValues *)op;
    const PlanValues *plan = (const PlanValues *)op->plan;
    if (self->row >= plan->row_count) return ST_END;
    int rows = plan->row_count - self->row;
    if (rows > self->capacity) rows = self->capacity;
    Value *scratch = ARENA_ARRAY(op->batch_arena, Value, op->plan->column_count + 1);
    for (int i = 0; i < rows; i++) TRY(value_row(self, self->row + i, i, scratch));
    self->row += rows;
    *batch = (Batch){.columns = self->out, .column_count = op->plan->column_count, .row_count = rows};
    return ST_OK;
}

static Status values_rewind(Op *op)
{
    ((OpValues *)op)->row = 0;
    return ST_OK;
}

static void values_close(Op *op)
{
    OpValues *self = (OpValues *)op;
    const PlanValues *plan = (const PlanValues *)op->plan;
    for (int i = 0; self->programs && i < plan->row_count; i++) eval_close(self->programs[i]);
}

const OpClass op_values_class = {"values", sizeof(OpValues), values_open, values_next, values_rewind, values_close};
