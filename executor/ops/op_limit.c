/* op_limit.c - OFFSET and LIMIT, WITH TIES included. */
#include "executor/eval.h"
#include "executor/ops/op_classes.h"

#include <assert.h>

typedef struct OpLimit {
    Op base;
    int64_t skip, left; /* left < 0: no limit */
    bool ties_open;     /* the limit is reached, rows that equal the last one still follow */
    int *tie_columns;
    Value *last;        /* the tie columns of the last row within the limit */
    Arena *last_arena;
} OpLimit;

static Status bound(Op *op, Expr *e, const char *word, SqlState code, int64_t *out)
{
    if (!e) return ST_OK;
    Value value;
    TRY(eval_single(op->exec, e, &value, op->arena));
    if (value.null) return ST_OK;
    if (value.i < 0) return err_set(op->exec->err, op->exec->arena, code, "%s must not be negative", word);
    *out = value.i;
    return ST_OK;
}

static Status limit_bounds(OpLimit *self)
{
    const PlanLimit *plan = (const PlanLimit *)self->base.plan;
    self->skip = 0;
    self->left = -1;
    self->ties_open = false;
    TRY(bound(&self->base, plan->offset, "OFFSET", ERR_INVALID_ROW_COUNT_IN_RESULT_OFFSET_CLAUSE, &self->skip));
    return bound(&self->base, plan->limit, "LIMIT", ERR_INVALID_ROW_COUNT_IN_LIMIT_CLAUSE, &self->left);
}

static Status limit_open(Op *op)
{
    OpLimit *self = (OpLimit *)op;
    const PlanLimit *plan = (const PlanLimit *)op->plan;
    if (plan->tie_count && !self->last) {
        self->last = ARENA_ARRAY(op->exec->arena, Value, plan->tie_count);
        self->last_arena = arena_create(op->exec->arena, 0);
        self->tie_columns = ARENA_ARRAY(op->exec->arena, int, plan->tie_count);
        for (int i = 0; i < plan->tie_count; i++) {
            self->tie_columns[i] = op_column(op->plan->inputs[0], ((const ExprColumn *)plan->ties[i].expr)->column);
            assert(self->tie_columns[i] >= 0);
        }
    }
    TRY(limit_bounds(self));
    return op_open_inputs(op);
}

static Status limit_rewind(Op *op)
{
    TRY(limit_bounds((OpLimit *)op));
    return op_rewind(op->inputs[0]);
}

/* The rows of the batch from `from` on, `count` of them. */
static void take(Op *op, Batch *batch, int from, int count)
{
    if (from == 0 && count == batch_rows(batch)) return;
    int *rows = ARENA_ARRAY(op->batch_arena, int, count + 1);
    for (int i = 0; i < count; i++) rows[i] = batch_row(batch, from + i);
    batch->selected = rows;
    batch->selected_count = count;
}

static const TypeDef *tie_type(const PlanLimit *plan, int i)
{
    return exec_type(plan->ties[i].expr->type.oid);
}

static void remember_last(OpLimit *self, const Batch *batch, int i)
{
    const PlanLimit *plan = (const PlanLimit *)self->base.plan;
    arena_reset(self->last_arena);
    for (int t = 0; t < plan->tie_count; t++) {
        Value v = batch->columns[self->tie_columns[t]][batch_row(batch, i)];
        self->last[t] = v.null ? VALUE_NULL : value_copy(tie_type(plan, t), v, self->last_arena);
    }
}

static bool ties(OpLimit *self, const Batch *batch, int i)
{
    const PlanLimit *plan = (const PlanLimit *)self->base.plan;
    for (int t = 0; t < plan->tie_count; t++) {
        Value v = batch->columns[self->tie_columns[t]][batch_row(batch, i)];
        if (v.null != self->last[t].null) return false;
        if (!v.null && type_compare(tie_type(plan, t), v, self->last[t]) != 0) return false;
    }
    return true;
}

/* How many rows from `from` on are within the limit or tie with its last. */
static int rows_within(OpLimit *self, const Batch *batch, int from)
{
    int rows = batch_rows(batch) - from, taken = rows;
    if (self->left < 0) return rows;
    if (taken > self->left) taken = (int)self->left;
    self->left -= taken;
    if (!self->last) return taken;
    if (taken > 0 && self->left == 0) {
        remember_last(self, batch, from + taken - 1);
        self->ties_open = true;
    }
    while (self->ties_open && taken < rows) {
        self->ties_open = ties(self, batch, from + taken);
        taken += self->ties_open;
    }
    return taken;
}

static Status limit_next(Op *op, Batch *batch)
{
    OpLimit *self = (OpLimit *)op;
    for (;;) {
        if (self->left == 0 && !self->ties_open) return ST_END;
        int64_t wanted = self->left < 0 ? 0 : self->skip + self->left;
        if (wanted > BATCH_ROWS_MAX) wanted = 0;
        if (op->rows_wanted && (wanted == 0 || op->rows_wanted < wanted)) wanted = op->rows_wanted;
        op->inputs[0]->rows_wanted = (int)wanted;
        TRY(op_next(op->inputs[0], batch));
        int rows = batch_rows(batch);
        if (self->skip >= rows) {
            self->skip -= rows;
            continue;
        }
        int from = (int)self->skip;
        self->skip = 0;
        take(op, batch, from, rows_within(self, batch, from));
        return ST_OK;
    }
}

const OpClass op_limit_class = {"limit", sizeof(OpLimit), limit_open, limit_next, limit_rewind, NULL};
