/* row_change.h - what UPDATE and DELETE share: from an input row to the locked, newest version of the target row.
 *
 * The row is locked and read again. If a column that the statement has read is not as it was, another transaction has
 * changed the row since the snapshot: the statement is run again (row_lock.h). A row that this statement has already
 * changed is skipped: a join may name it twice.
 */
#ifndef EXECUTOR_OPS_ROW_CHANGE_H
#define EXECUTOR_OPS_ROW_CHANGE_H

#include "executor/constraint/constraint.h"
#include "executor/ops/row_input.h"
#include "executor/ops/row_lock.h"
#include "executor/ops/row_target.h"
#include "executor/value_set.h"

typedef struct RowChange {
    Op *op;
    RowTarget target;
    int *seen;          /* per table column: the input's column of its old value; -1: not read */
    int key_column;
    LockMode lock_mode;
    RowInput input;
    RowWriter *writer;
    TableConstraints *constraints;
    ValueSet *changed;  /* keys this statement has changed */
    bool may_repeat;    /* the input may name a row twice */
    Arena *row_arena;   /* reset per row */
    Value *before;      /* the row as it is now */
    Value *in_row;      /* the input row */
    Program *returning;
    Value **out;        /* RETURNING's vectors */
    Value *returned;
    int out_capacity;
} RowChange;

/* returning_columns: the layout of the rows given to row_change_return. */
Status row_change_init(RowChange *change, Op *op, const WriteTarget *target, const ColId *old_row, ColId key_bytes);
Status row_change_returning(RowChange *change, Expr *const *returning, const ColId *columns, int column_count);
/* keep: read the whole input before the first write. */
Status row_change_open(RowChange *change, bool keep);
/* Locks and reads the row; *skip: it is not to be changed. Fills in_row and before. */
Status row_change_fetch(RowChange *change, const Batch *in, int row, bool *skip);
Status row_change_return(RowChange *change, const Value *row, int at);
void row_change_room(RowChange *change, int rows);
void row_change_close(RowChange *change);
/* A chain of scans, filters and projections: each row comes once. */
bool plan_is_chain(const Plan *plan);

#endif
