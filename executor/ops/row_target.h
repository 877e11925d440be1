/* row_target.h - what every writer of a table does with a row before storage gets it: computed columns, NOT NULL, CHECK
 * constraints, predicates of partial indexes, RETURNING. */
#ifndef EXECUTOR_OPS_ROW_TARGET_H
#define EXECUTOR_OPS_ROW_TARGET_H

#include "executor/eval.h"
#include "storage/table/row.h"

typedef struct RowTarget {
    Exec *exec;
    const WriteTarget *target;
    const TableDesc *table;
    TableAccess *access;
    int column_count;        /* of the table */
    ColId *columns;          /* of target->row */
    Program **computed;      /* per column; NULL: not computed */
    Program *checks;         /* NULL: none */
    int *check_numbers;      /* of `checks`' expressions: index into table->checks */
    int check_count;
    Program **predicates;    /* per index; NULL: not partial */
    bool partial;
    bool *in_predicate, *in_predicate_before; /* per index */
    int *all_ordinals;       /* 0, 1, 2 ... */
} RowTarget;

/* Made once, in exec->arena. */
Status row_target_init(RowTarget *rt, Exec *exec, const WriteTarget *target);
/* Fills the computed columns of a row. */
Status row_target_compute(RowTarget *rt, Value *row, Arena *arena);
/* The same for the columns that are not stored: of a row that was fetched. */
Status row_target_compute_virtual(RowTarget *rt, Value *row, Arena *arena);
/* 23502 and 23514. */
Status row_target_check(RowTarget *rt, const Value *row, Arena *arena);
/* Passes on what storage answered, adding the schema's name to an error that names a table. */
Status row_target_outcome(const RowTarget *rt, Status st);
/* The image that storage takes; which: rt->in_predicate or rt->in_predicate_before. */
Status row_target_image(RowTarget *rt, const Value *row, bool *which, RowImage *image, Arena *arena);
/* Does a plan read the table, other than in one straight scan? Then its rows must be kept before the first write. */
bool plan_reads_table(const Plan *plan, DescId table);
/* Does an expression of the plan run a query of its own? */
bool plan_has_subquery(const Plan *plan);
void row_target_close(RowTarget *rt);

#endif
