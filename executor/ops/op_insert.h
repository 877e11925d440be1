/* op_insert.h - an INSERT of one row, run again and again with other parameters: COPY FROM. */
#ifndef EXECUTOR_OPS_OP_INSERT_H
#define EXECUTOR_OPS_OP_INSERT_H

#include "executor/ops/op.h"

/* op: an opened insert operator over an input that makes one row from the Exec's parameters. */
Status op_insert_next_row(Op *op);

#endif
