#include "executor/ops/row_input.h"

Status row_input_open(RowInput *input, Op *op, Arena *arena, bool keep)
{
    *input = (RowInput){.op = op};
    if (!keep) return ST_OK;
    input->store = row_store_create(op->exec, op_types(op->plan, arena), op->plan->column_count, arena);
    TRY(row_store_add_all(input->store, op));
    row_reader_init(&input->reader, input->store, arena);
    return ST_OK;
}

Status row_input_next(RowInput *input, Batch *batch)
{
    return input->store ? row_reader_next(&input->reader, batch) : op_next(input->op, batch);
}
