/* op_distinct.c - the first row of each combination of some columns. */
#include <assert.h>

#include "executor/ops/op_classes.h"
#include "executor/ops/exec.h"
#include "executor/value_set.h"

typedef struct OpDistinct {
    Op base;
    int *columns, count;
    const TypeDef **types;
    ValueSet *seen;    /* input_ordered: not used */
    Value *tuple, *last;
    bool has_last;
    int asked;
    Arena *last_arena;
} OpDistinct;

static void distinct_init(OpDistinct *self)
{
    Op *op = &self->base;
    const PlanDistinct *plan = (const PlanDistinct *)op->plan;
    const Plan *input = op->plan->inputs[0];
    Arena *arena = op->exec->arena;
    self->count = plan->on_count ? plan->on_count : input->column_count;
    self->columns = ARENA_ARRAY(arena, int, self->count + 1);
    self->types = ARENA_ARRAY(arena, const TypeDef *, self->count + 1);
    for (int i = 0; i < self->count; i++) {
        self->columns[i] = plan->on_count ? op_column(input, plan->on[i]) : i;
        assert(self->columns[i] >= 0);
        self->types[i] = exec_type(input->types[self->columns[i]].oid);
    }
    self->tuple = ARENA_ARRAY(arena, Value, self->count + 1);
    self->last = ARENA_ARRAY(arena, Value, self->count + 1);
}

static Status distinct_open(Op *op)
{
    OpDistinct *self = (OpDistinct *)op;
    const PlanDistinct *plan = (const PlanDistinct *)op->plan;
    if (!self->types) distinct_init(self);
    for (int i = 0; i < self->count; i++)
        if (!self->types[i]->hash || !self->types[i]->compare)
            return err_set(op->exec->err, op->exec->arena, ERR_UNDEFINED_FUNCTION,
                           "could not identify an equality operator for type %s", self->types[i]->sql_name);
    self->seen = plan->input_ordered ? NULL : value_set_create(op->arena, self->types, self->count);
    self->has_last = false;
    self->asked = 0;
    self->last_arena = arena_create(op->arena, 0);
    return op_open_inputs(op);
}

static bool is_first(OpDistinct *self)
{
    if (self->seen) return value_set_add(self->seen, self->tuple);
    if (self->has_last && value_tuple_equal(self->types, self->count, self->tuple, self->last)) return false;
    arena_reset(self->last_arena);
    for (int i = 0; i < self->count; i++)
        self->last[i] = self->tuple[i].null ? VALUE_NULL : value_copy(self->types[i], self->tuple[i], self->last_arena);
    self->has_last = true;
    return true;
}

static Status distinct_next(Op *op, Batch *batch)
{
    OpDistinct *self = (OpDistinct *)op;
    op_ask_growing(op, &self->asked);
    TRY(op_next(op->inputs[0], batch));
    int rows = batch_rows(batch), kept = 0;
    int *selected = ARENA_ARRAY(op->batch_arena, int, rows + 1);
    for (int i = 0; i < rows; i++) {
        int row = batch_row(batch, i);
        for (int c = 0; c < self->count; c++) self->tuple[c] = batch->columns[self->columns[c]][row];
        if (is_first(self)) selected[kept++] = row;
    }
    batch->selected = selected;
    batch->selected_count = kept;
    return ST_OK;
}

const OpClass op_distinct_class = {"distinct", sizeof(OpDistinct), distinct_open, distinct_next, NULL, NULL};
