/* op_index_join.c - from primary keys found in an index to the rows themselves, a batch of keys at once. */
#include <assert.h>
#include <stdlib.h>

#include "executor/ops/key_spans.h"
#include "executor/eval.h"
#include "executor/ops/op_classes.h"
#include "executor/ops/row_lock.h"

typedef struct OpIndexJoin {
    Op base;
    TableAccess *access;
    int key_column;      /* of the input */
    int *ordinals;       /* table columns fetched */
    int fetched_count;
    int *pass_through;   /* per output column: the input's column; -1: fetched */
    Program *filter;
    Value **fetched;     /* vectors, in the order of the input's rows */
    Value **scratch;     /* vectors, in key order */
    Value **out;
    Slice *keys;
    int *key_order;      /* rows of the input batch, by key */
    bool *found;
    int capacity, asked;
} OpIndexJoin;

static Status join_init(OpIndexJoin *self)
{
    Op *op = &self->base;
    const PlanIndexJoin *plan = (const PlanIndexJoin *)op->plan;
    Arena *arena = op->exec->arena;
    int columns = op->plan->column_count;
    self->access = table_access_create(plan->table, arena);
    self->key_column = op_column(op->plan->inputs[0], plan->key_bytes);
    assert(self->key_column >= 0);
    self->ordinals = ARENA_ARRAY(arena, int, columns + 1);
    self->pass_through = ARENA_ARRAY(arena, int, columns + 1);
    self->fetched = ARENA_ARRAY(arena, Value *, columns + 1);
    self->scratch = ARENA_ARRAY(arena, Value *, columns + 1);
    self->out = ARENA_ARRAY(arena, Value *, columns + 1);
    for (int i = 0; i < columns; i++) {
        self->pass_through[i] = plan->ordinals[i] < 0 ? op_column(op->plan->inputs[0], op->plan->columns[i]) : -1;
        if (plan->ordinals[i] >= 0) self->ordinals[self->fetched_count++] = plan->ordinals[i];
    }
    if (!plan->filter) return ST_OK;
    return eval_compile(op->exec, (Expr *const *)&plan->filter, 1, op->plan->columns, columns, &self->filter);
}

static Status join_open(Op *op)
{
    OpIndexJoin *self = (OpIndexJoin *)op;
    if (!self->access) TRY(join_init(self));
    self->asked = 0;
    return op_open_inputs(op);
}

static void make_room(OpIndexJoin *self, int rows)
{
    if (rows <= self->capacity) return;
    Arena *arena = self->base.exec->arena;
    self->capacity = rows;
    for (int i = 0; i < self->fetched_count; i++) {
        self->fetched[i] = ARENA_ARRAY(arena, Value, rows);
        self->scratch[i] = ARENA_ARRAY(arena, Value, rows);
    }
    self->keys = ARENA_ARRAY(arena, Slice, rows);
    self->key_order = ARENA_ARRAY(arena, int, rows);
    self->found = ARENA_ARRAY(arena, bool, rows);
}

static int compare_keys(const void *a, const void *b, void *argument)
{
    const Value *keys = argument;
    return slice_compare(value_to_slice(keys[*(const int *)a]), value_to_slice(keys[*(const int *)b]));
}

/* Fetches in key order, which costs the store least, and puts the values back at the rows they belong to. selected gets
 * the rows that exist. */
static Status fetch(OpIndexJoin *self, const Batch *in, int *selected, int *count)
{
    Op *op = &self->base;
    int rows = 0;
    Value *keys = in->columns[self->key_column];
    bool *exists = ARENA_ARRAY(op->batch_arena, bool, in->row_count);
    for (int i = 0; i < batch_rows(in); i++) {
        int row = batch_row(in, i);
        if (!keys[row].null) {
            self->key_order[rows++] = row;
            continue;
        }
        exists[row] = true;
        for (int c = 0; c < self->fetched_count; c++) self->fetched[c][row] = VALUE_NULL;
    }
    qsort_r(self->key_order, (size_t)rows, sizeof(int), compare_keys, keys);
    for (int i = 0; i < rows; i++) self->keys[i] = value_to_slice(keys[self->key_order[i]]);
    key_spans_count_hops(op, self->keys, rows);
    TRY(row_fetch(self->access, op->exec->txn, self->keys, rows, self->ordinals, self->fetched_count, self->scratch,
                  self->found, op->batch_arena, op->exec->err));
    for (int i = 0; i < rows; i++) {
        exists[self->key_order[i]] = self->found[i];
        for (int c = 0; c < self->fetched_count; c++) self->fetched[c][self->key_order[i]] = self->scratch[c][i];
    }
    *count = 0;
    for (int i = 0; i < batch_rows(in); i++)
        if (exists[batch_row(in, i)]) selected[(*count)++] = batch_row(in, i);
    return ST_OK;
}

static Status lock_rows(OpIndexJoin *self, const Batch *in, int *selected, int *count)
{
    Op *op = &self->base;
    const PlanIndexJoin *plan = (const PlanIndexJoin *)op->plan;
    RowLock lock = {op->exec, self->access, plan->lock_mode, plan->lock_wait, self->ordinals, self->fetched_count};
    Value *now = ARENA_ARRAY(op->batch_arena, Value, self->fetched_count + 1);
    int kept = 0;
    for (int i = 0; i < *count; i++) {
        bool found;
        Status st = row_lock_fetch(&lock, value_to_slice(in->columns[self->key_column][selected[i]]), now, &found,
                                   op->batch_arena);
        if (st == ST_END) continue;
        TRY(st);
        bool same = found;
        for (int c = 0; c < self->fetched_count && same; c++)
            same = row_lock_same(plan->table, self->ordinals[c], self->fetched[c][selected[i]], now[c]);
        if (!same) return row_lock_retry(op->exec);
        selected[kept++] = selected[i];
    }
    *count = kept;
    return ST_OK;
}

static Status join_next(Op *op, Batch *batch)
{
    OpIndexJoin *self = (OpIndexJoin *)op;
    const PlanIndexJoin *plan = (const PlanIndexJoin *)op->plan;
    Batch in;
    if (plan->filter) op_ask_growing(op, &self->asked);
    else if (op->rows_wanted) op->inputs[0]->rows_wanted = op->rows_wanted;
    TRY(op_next(op->inputs[0], &in));
    make_room(self, in.row_count);
    int *selected = ARENA_ARRAY(op->batch_arena, int, in.row_count), count;
    TRY(fetch(self, &in, selected, &count));
    for (int i = 0, f = 0; i < op->plan->column_count; i++)
        self->out[i] = self->pass_through[i] >= 0 ? in.columns[self->pass_through[i]] : self->fetched[f++];
    *batch = (Batch){.columns = self->out, .column_count = op->plan->column_count, .row_count = in.row_count,
                     .selected = selected, .selected_count = count};
    if (self->filter) {
        int *kept = ARENA_ARRAY(op->batch_arena, int, in.row_count);
        TRY(eval_filter(self->filter, batch, op->batch_arena, kept, &batch->selected_count));
        batch->selected = selected = kept;
    }
    return plan->locking ? lock_rows(self, &in, selected, &batch->selected_count) : ST_OK;
}

static Status join_rewind(Op *op)
{
    ((OpIndexJoin *)op)->asked = 0;
    return op_rewind(op->inputs[0]);
}

static void join_close(Op *op)
{
    eval_close(((OpIndexJoin *)op)->filter);
}

const OpClass op_index_join_class = {"index join", sizeof(OpIndexJoin), join_open, join_next, join_rewind, join_close};
