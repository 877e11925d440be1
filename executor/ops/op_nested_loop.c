/* op_nested_loop.c - every left row with every right row (the right side is kept), and the apply join, whose right side is
 * run again for each left row. */
#include <assert.h>

#include "executor/ops/join_pairs.h"
#include "executor/ops/op_classes.h"
#include "executor/row_store.h"

typedef struct OpNestedLoop {
    Op base;
    bool initialised, kept;
    JoinPairs pairs;
    RowStore *store;         /* nested loop: the right side */
    RowReader reader;
    Batch left, right;
    int left_next, right_next, right_number; /* right_number: of the first row of `right` */
    bool left_ended, in_row; /* in_row: the left row's right side is being read */
    Value *right_row;
    int rest_next;
} OpNestedLoop;

static Status loop_init(OpNestedLoop *self)
{
    Op *op = &self->base;
    const PlanJoin *plan = (const PlanJoin *)op->plan;
    const Plan *left = op->plan->inputs[0], *right = op->plan->inputs[1];
    self->right_row = ARENA_ARRAY(op->exec->arena, Value, right->column_count + 1);
    self->initialised = true;
    JoinSides sides = {left->columns, right->columns, left->column_count, right->column_count};
    return join_pairs_init(&self->pairs, op, plan->join, &sides, plan->condition);
}

static Status loop_open(Op *op)
{
    OpNestedLoop *self = (OpNestedLoop *)op;
    if (!self->initialised) TRY(loop_init(self));
    self->kept = self->left_ended = self->in_row = false;
    self->left = self->right = (Batch){0};
    self->left_next = self->right_next = self->right_number = self->rest_next = 0;
    self->pairs.pairs = self->pairs.done_count = 0;
    self->pairs.right_matched = NULL;
    TRY(op_open(op->inputs[0]));
    return op->plan->kind == PLAN_APPLY ? ST_OK : op_open(op->inputs[1]);
}

static Status keep_right(OpNestedLoop *self)
{
    Op *op = &self->base;
    const Plan *right = op->plan->inputs[1];
    self->store = row_store_create(op->exec, op_types(right, op->arena), right->column_count, op->arena);
    TRY(row_store_add_all(self->store, op->inputs[1]));
    row_reader_init(&self->reader, self->store, op->arena);
    if (self->pairs.kind == JOIN_RIGHT || self->pairs.kind == JOIN_FULL)
        self->pairs.right_matched = ARENA_ARRAY(op->arena, bool, row_store_rows(self->store) + 1);
    self->kept = true;
    return ST_OK;
}

/* The right side from its start, for the left row: rewound, or run again with the row's columns as outer values. */
static Status start_right(OpNestedLoop *self, int row)
{
    Op *op = &self->base;
    const Plan *left = op->plan->inputs[0];
    self->right = (Batch){0};
    self->right_next = self->right_number = 0;
    self->in_row = true;
    if (op->plan->kind != PLAN_APPLY) {
        row_reader_rewind(&self->reader);
        return ST_OK;
    }
    for (int c = 0; c < left->column_count; c++) *exec_outer(op->exec, left->columns[c]) = &self->left.columns[c][row];
    return op->inputs[1]->opened ? op_rewind(op->inputs[1]) : op_open(op->inputs[1]);
}

static Status next_right(OpNestedLoop *self)
{
    Op *op = &self->base;
    self->right_number += self->right.row_count;
    self->right_next = 0;
    self->right = (Batch){0};
    if (op->plan->kind != PLAN_APPLY) return row_reader_next(&self->reader, &self->right);
    return op_next(op->inputs[1], &self->right);
}

/* Rows kept in memory stay where they are. */
static bool right_stays(const OpNestedLoop *self)
{
    return self->kept && row_store_spilled(self->store) == 0;
}

/* Adds pairs of the left row until its right side ends (*ended) or the pairs must be flushed: when they are full, or before
 * the batch that their right values borrow from is replaced. */
static Status pair_row(OpNestedLoop *self, int row, bool *ended, bool *flush)
{
    *ended = *flush = false;
    for (;;) {
        if (join_pairs_full(&self->pairs)) {
            *flush = true;
            return ST_OK;
        }
        *ended = join_pairs_settled(&self->pairs, row);
        if (*ended) return ST_OK;
        if (self->right_next >= batch_rows(&self->right)) {
            *flush = self->pairs.pairs > 0 && !right_stays(self);
            if (*flush) return ST_OK;
            Status st = next_right(self);
            if (st == ST_ERROR) return st;
            *ended = st == ST_END;
            if (*ended) return ST_OK;
            continue;
        }
        int at = batch_row(&self->right, self->right_next++);
        for (int c = 0; c < self->pairs.right_count; c++) self->right_row[c] = self->right.columns[c][at];
        join_pairs_add(&self->pairs, row, self->right_row, self->right_number + at);
    }
}

static Status loop_batch(OpNestedLoop *self, Batch *batch)
{
    bool flush = false;
    join_pairs_grow(&self->pairs);
    while (self->left_next < batch_rows(&self->left) && !flush) {
        int row = batch_row(&self->left, self->left_next);
        bool ended;
        if (!self->in_row) TRY(start_right(self, row));
        TRY(pair_row(self, row, &ended, &flush));
        if (!ended) continue;
        join_pairs_done(&self->pairs, row);
        self->left_next++;
        self->in_row = false;
    }
    return join_pairs_flush(&self->pairs, batch);
}

static Status right_rest(OpNestedLoop *self, Batch *batch)
{
    if (!self->pairs.right_matched) return ST_END;
    if (self->rest_next == 0) row_reader_rewind(&self->reader);
    for (;;) {
        Batch in;
        TRY(row_reader_next(&self->reader, &in));
        int count = 0;
        Value **rows = ARENA_ARRAY(self->base.batch_arena, Value *, in.row_count + 1);
        for (int i = 0; i < in.row_count; i++) {
            if (self->pairs.right_matched[self->rest_next + i]) continue;
            rows[count] = ARENA_ARRAY(self->base.batch_arena, Value, self->pairs.right_count + 1);
            for (int c = 0; c < self->pairs.right_count; c++) rows[count][c] = in.columns[c][i];
            count++;
        }
        self->rest_next += in.row_count;
        if (count == 0) continue;
        join_pairs_right_only(&self->pairs, rows, count, batch);
        return ST_OK;
    }
}

static Status loop_next(Op *op, Batch *batch)
{
    OpNestedLoop *self = (OpNestedLoop *)op;
    if (op->plan->kind != PLAN_APPLY && !self->kept) TRY(keep_right(self));
    for (;;) {
        if (self->left_ended) return right_rest(self, batch);
        if (self->left_next >= batch_rows(&self->left)) {
            Status st = op_next(op->inputs[0], &self->left);
            if (st == ST_ERROR) return st;
            self->left_ended = st == ST_END;
            if (self->left_ended) continue;
            self->left_next = 0;
            join_pairs_begin(&self->pairs, &self->left);
        }
        TRY(loop_batch(self, batch));
        if (batch->selected_count > 0) return ST_OK;
    }
}

static void loop_close(Op *op)
{
    join_pairs_close(&((OpNestedLoop *)op)->pairs);
}

const OpClass op_nested_loop_class = {"nested loop", sizeof(OpNestedLoop), loop_open, loop_next, NULL, loop_close};
const OpClass op_apply_class = {"apply", sizeof(OpNestedLoop), loop_open, loop_next, NULL, loop_close};
