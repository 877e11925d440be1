/* op_sort.c - ORDER BY, and its first k rows. */
#include "executor/eval.h"
#include "executor/ops/op_classes.h"
#include "executor/sorter.h"

typedef struct OpSort {
    Op base;
    SorterKey *keys;
    Sorter *sorter; /* NULL: the input has not been read yet */
} OpSort;

static Status sort_open(Op *op)
{
    OpSort *self = (OpSort *)op;
    const PlanSort *plan = (const PlanSort *)op->plan;
    self->sorter = NULL;
    if (!self->keys) self->keys = sorter_keys(op->plan->inputs[0], plan->keys, plan->key_count, op->exec->arena);
    return op_open_inputs(op);
}

static Status sort_input(OpSort *self)
{
    Op *op = &self->base;
    const PlanSort *plan = (const PlanSort *)op->plan;
    int64_t limit = -1;
    if (plan->k) {
        Value k;
        TRY(eval_single(op->exec, plan->k, &k, op->arena));
        if (!k.null) limit = k.i;
    }
    self->sorter = sorter_create(op->exec, op->plan->inputs[0], self->keys, plan->key_count, limit, op->arena);
    Batch batch;
    Status st;
    while ((st = op_next(op->inputs[0], &batch)) == ST_OK) TRY(sorter_add(self->sorter, &batch));
    if (st == ST_ERROR) return st;
    st = sorter_finish(self->sorter);
    op->stats->spill_bytes += sorter_spilled(self->sorter);
    return st;
}

static Status sort_next(Op *op, Batch *batch)
{
    OpSort *self = (OpSort *)op;
    if (!self->sorter) TRY(sort_input(self));
    return sorter_next(self->sorter, batch);
}

const OpClass op_sort_class = {"sort", sizeof(OpSort), sort_open, sort_next, NULL, NULL};
const OpClass op_top_k_class = {"top-k", sizeof(OpSort), sort_open, sort_next, NULL, NULL};
