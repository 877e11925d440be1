/* op.h - operators: a running plan node. One interface, and it moves batches.
 *
 * The plan is read-only, state is in the operator. op_next is the only caller of cls->next: it alone counts rows, batches
 * and time and books the difference of the transaction's counters to the operator (inputs included).
 * The batch handed out is valid until the next call of op_next, op_rewind or op_close on the same operator.
 * close runs exactly once, also after an error, and also for operators whose open failed half-way.
 */
#ifndef EXECUTOR_OPS_OP_H
#define EXECUTOR_OPS_OP_H

#include "planner/plan.h"

enum { BATCH_ROWS_MAX = 1024, BATCH_ROWS_FIRST = 16 };

typedef struct Batch {
    Value **columns; /* columns[c][row]; one per Plan.columns */
    int column_count;
    int row_count;   /* rows in the vectors */
    const int *selected; /* which of them count, in which order; NULL: all */
    int selected_count;
} Batch;

static inline int batch_rows(const Batch *b)
{
    return b->selected ? b->selected_count : b->row_count;
}
static inline int batch_row(const Batch *b, int i)
{
    return b->selected ? b->selected[i] : i;
}

typedef struct OpStats {
    uint64_t rows, batches, time_ns, opens;
    TxnCounters kv;       /* inputs included */
    uint64_t memory_max, spill_bytes;
    uint64_t streams, prefixes; /* merge streams; prefixes skipped */
    uint64_t ranges;            /* touched */
    int64_t range_ids[16];      /* the first of them */
    uint64_t nodes; /* that answered, a bit per (simulated) node: n1 is the lowest; EXPLAIN ANALYZE only, like: */
    uint64_t hops;  /* index join: requests to nodes for the rows of a batch */
} OpStats;

typedef struct Exec Exec; /* one running statement: exec.h */
typedef struct Op Op;

typedef struct OpClass {
    const char *name;
    size_t size; /* of the operator's struct, whose first member is an Op */
    Status (*open)(Op *op);                 /* NULL: opens the inputs */
    Status (*next)(Op *op, Batch *batch);   /* ST_END: no more rows; a batch of no rows is allowed */
    Status (*rewind)(Op *op);               /* from the start, under the current outer row; NULL: close and open */
    void (*close)(Op *op);                  /* NULL: nothing to do */
} OpClass;

struct Op {
    const OpClass *cls;
    const Plan *plan;
    Exec *exec;
    Op **inputs;
    OpStats *stats;
    Arena *arena;       /* emptied by close and by rewind */
    Arena *batch_arena; /* reset by op_next before each call of next */
    int rows_wanted;    /* how many rows the parent would like in the next batch; at most BATCH_ROWS_MAX; 0: any number */
    bool opened, failed;
};

/* An operator may be opened again after its close: with new parameters, in another transaction. What it makes only once
 * (programs, table access) it keeps in exec->arena. */
Status op_open(Op *op);
Status op_open_inputs(Op *op);
Status op_next(Op *op, Batch *batch);
Status op_rewind(Op *op);
void op_close(Op *op);
/* For an operator that drops rows: its input is asked for as many rows as are wanted, then for twice as many each time.
 * *asked: 0 at the start. */
void op_ask_growing(Op *op, int *asked);

/* The operator tree of a plan (op_build.c: one row per plan kind). */
Status op_build(Exec *exec, const Plan *plan, Op **op);

/* Position of a column in what the plan returns; -1 if it is not there. */
int op_column(const Plan *plan, ColId column);
/* The types of what the plan returns, one per column. */
const TypeDef **op_types(const Plan *plan, Arena *arena);

#endif
