/* eval.h - expressions compiled into a flat program run over a batch.
 *
 * A Program is compiled for one input layout (ColId -> batch column) and belongs to one Exec, whose arena it lives in; it
 * may be run any number of times, also after the Exec was started anew. Result vectors are valid until the program's next
 * run; the bytes they point to live in the arena given to the run, or borrow from the batch. CASE, AND, OR and COALESCE
 * evaluate only the rows they must.
 */
#ifndef EXECUTOR_EVAL_H
#define EXECUTOR_EVAL_H

#include "executor/ops/exec.h"

typedef struct Program Program;

/* columns: the ColId of each batch column. Columns not among them are read from the outer row. */
Status eval_compile(Exec *exec, Expr *const *exprs, int count, const ColId *columns, int column_count, Program **program);
/* out[e] is a vector of results for the e-th expression, indexed by row as the batch's vectors are. */
Status eval_run(Program *program, const Batch *batch, Arena *arena, Value **out);
/* Keeps the rows for which expression 0 is true: writes their indexes to selected (room for row_count), returns the count. */
Status eval_filter(Program *program, const Batch *batch, Arena *arena, int *selected, int *count);
/* The same over one row given as an array of values, one per column of the layout. out: one value per expression. */
Status eval_row(Program *program, const Value *row, Arena *arena, Value *out);
/* Is expression 0 true for that row? NULL is not; *unknown (may be NULL) tells it from false. */
Status eval_row_test(Program *program, const Value *row, Arena *arena, bool *is_true, bool *unknown);
/* Expressions over no row at all: limits, span bounds, DEFAULTs. */
Status eval_single(Exec *exec, Expr *e, Value *value, Arena *arena);
void eval_close(Program *program); /* closes the plans of subqueries; NULL is allowed. The program may run again. */

#endif
