/* op_cte.h - a WITH query's rows, kept for all who read them. */
#ifndef EXECUTOR_OPS_OP_CTE_H
#define EXECUTOR_OPS_OP_CTE_H

#include "executor/row_store.h"

struct CteBuffer {
    Op *op;             /* makes the rows; NULL: a working table */
    RowStore *store;
    bool filled;
};

/* The buffer of a WITH query by its number; makes room. */
CteBuffer **cte_buffer(Exec *exec, int number);

#endif
