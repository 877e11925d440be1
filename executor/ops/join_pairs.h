/* join_pairs.h - what all joins do with a pair of rows: test the condition, remember who matched, make output rows.
 *
 * A join adds candidate pairs, and says when a left row has had all of its. Pairs are tested in batches; output rows come
 * in the order of the left rows, a left row without a match with NULLs on its right where the kind of join says so.
 */
#ifndef EXECUTOR_OPS_JOIN_PAIRS_H
#define EXECUTOR_OPS_JOIN_PAIRS_H

#include "executor/eval.h"

typedef struct JoinPairs {
    Op *op;
    JoinKind kind;
    Program *condition;      /* over left and right columns; NULL: every pair matches */
    int left_count, right_count;
    Value **vectors;         /* left columns, right columns; room for pairs, and for left rows without a match */
    int capacity;            /* pairs, and rows done, that there is room for: grows with use, as most joins are small */
    int pairs, extra;        /* rows in the vectors: pairs, then extra ones */
    int *pair_left, *pair_right; /* of each pair: left row of the batch; the right row's number or -1 */
    int *done, *done_at;     /* left rows that had all their pairs, and how many pairs there were by then */
    int done_count;
    bool grow;               /* the last flush was a full one */
    bool *left_matched;      /* by row of the left batch */
    bool *right_matched;     /* by number of the right row; NULL: nobody asks */
    Batch left;              /* the batch in progress */
} JoinPairs;

typedef struct JoinSides {
    const ColId *left, *right;
    int left_count, right_count;
} JoinSides;

/* Made once, in exec->arena. */
Status join_pairs_init(JoinPairs *jp, Op *op, JoinKind kind, const JoinSides *sides, Expr *condition);
/* A new batch of left rows; what was added before must have been flushed. */
void join_pairs_begin(JoinPairs *jp, const Batch *left);
static inline bool join_pairs_full(const JoinPairs *jp)
{
    /* Each row that ends may add one beside the pairs, and a batch holds no more than the capacity. */
    return jp->pairs + jp->done_count >= jp->capacity;
}
/* Is another pair of this left row of no use, since one has matched already (semi, anti)? */
static inline bool join_pairs_settled(const JoinPairs *jp, int left_row)
{
    return (jp->kind == JOIN_SEMI || jp->kind == JOIN_ANTI) && jp->left_matched[left_row];
}
void join_pairs_add(JoinPairs *jp, int left_row, const Value *right, int right_number);
void join_pairs_done(JoinPairs *jp, int left_row);
/* Tests what was added and makes the output rows; may be none. */
Status join_pairs_flush(JoinPairs *jp, Batch *out);
/* To be called before rows are added anew: after a full flush there will be room for more. */
void join_pairs_grow(JoinPairs *jp);
/* Rows of the right side with NULLs on the left (RIGHT, FULL): count rows, at most BATCH_ROWS_MAX. Nothing is pending. */
void join_pairs_right_only(JoinPairs *jp, Value *const *rows, int count, Batch *out);
void join_pairs_close(JoinPairs *jp);

#endif
