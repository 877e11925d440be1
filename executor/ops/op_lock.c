/* op_lock.c - SELECT ... FOR UPDATE, SHARE and their kin above joins: locks the rows of the named tables. */
#include <assert.h>

#include "executor/ops/op_classes.h"
#include "executor/ops/row_lock.h"

typedef struct LockTarget {
    TableAccess *access;
    int key_column;
    int *ordinals, *seen;  /* table columns that the input has, and where */
    int count;
} LockTarget;

typedef struct OpLock {
    Op base;
    LockTarget *targets;
    Value *now;
} OpLock;

static void target_init(OpLock *self, int at)
{
    Op *op = &self->base;
    const PlanLock *plan = (const PlanLock *)op->plan;
    const LockItem *item = &plan->items[at];
    LockTarget *target = &self->targets[at];
    Arena *arena = op->exec->arena;
    const Plan *input = op->plan->inputs[0];
    int columns = item->table->columns.count;
    target->access = table_access_create(item->table, arena);
    target->key_column = op_column(input, plan->key_bytes[at]);
    assert(target->key_column >= 0);
    target->ordinals = ARENA_ARRAY(arena, int, columns + 1);
    target->seen = ARENA_ARRAY(arena, int, columns + 1);
    for (int i = 0; item->from && i < columns; i++) {
        int place = op_column(input, item->from->base.columns[i].id);
        if (place < 0) continue;
        target->ordinals[target->count] = i;
        target->seen[target->count++] = place;
    }
}

static Status lock_open(Op *op)
{
    OpLock *self = (OpLock *)op;
    const PlanLock *plan = (const PlanLock *)op->plan;
    if (!self->targets) {
        int columns = 1;
        self->targets = ARENA_ARRAY(op->exec->arena, LockTarget, plan->item_count + 1);
        for (int i = 0; i < plan->item_count; i++) {
            target_init(self, i);
            columns += plan->items[i].table->columns.count;
        }
        self->now = ARENA_ARRAY(op->exec->arena, Value, columns);
    }
    return op_open_inputs(op);
}

/* ST_END: held by another, under SKIP LOCKED. */
static Status lock_one(OpLock *self, const Batch *batch, int row, int at)
{
    Op *op = &self->base;
    const LockItem *item = &((const PlanLock *)op->plan)->items[at];
    const LockTarget *target = &self->targets[at];
    Value key = batch->columns[target->key_column][row];
    if (key.null) return ST_OK;
    RowLock lock = {op->exec, target->access, item->mode, item->wait, target->ordinals, target->count};
    bool found;
    TRY(row_lock_fetch(&lock, value_to_slice(key), self->now, &found, op->batch_arena));
    if (!found) return row_lock_retry(op->exec);
    for (int c = 0; c < target->count; c++)
        if (!row_lock_same(item->table, target->ordinals[c], batch->columns[target->seen[c]][row], self->now[c]))
            return row_lock_retry(op->exec);
    return ST_OK;
}

static Status lock_next(Op *op, Batch *batch)
{
    OpLock *self = (OpLock *)op;
    const PlanLock *plan = (const PlanLock *)op->plan;
    if (op->rows_wanted) op->inputs[0]->rows_wanted = op->rows_wanted;
    TRY(op_next(op->inputs[0], batch));
    int rows = batch_rows(batch), kept = 0;
    int *selected = ARENA_ARRAY(op->batch_arena, int, rows + 1);
    for (int i = 0; i < rows; i++) {
        int row = batch_row(batch, i);
        Status st = ST_OK;
        for (int t = 0; t < plan->item_count && st == ST_OK; t++) st = lock_one(self, batch, row, t);
        if (st == ST_ERROR) return st;
        if (st == ST_OK) selected[kept++] = row;
    }
    batch->selected = selected;
    batch->selected_count = kept;
    batch->column_count = op->plan->column_count;
    return ST_OK;
}

const OpClass op_lock_class = {"lock", sizeof(OpLock), lock_open, lock_next, NULL, NULL};
