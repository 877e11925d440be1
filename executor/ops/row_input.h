/* row_input.h - the rows a writer works on: as they come, or kept aside first when the writes could change what is read. */
#ifndef EXECUTOR_OPS_ROW_INPUT_H
#define EXECUTOR_OPS_ROW_INPUT_H

#include "executor/row_store.h"

typedef struct RowInput {
    Op *op;
    RowStore *store; /* NULL: straight from op */
    RowReader reader;
} RowInput;

/* keep: runs op to its end now. */
Status row_input_open(RowInput *input, Op *op, Arena *arena, bool keep);
Status row_input_next(RowInput *input, Batch *batch);

#endif
