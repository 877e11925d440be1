/* op_distinct.c - the first row of each combination of some columns.
 *
 * By hash, the combinations seen are remembered up to work_mem; rows of others are then put aside and gone through later.
 */
#include <assert.h>

#include "executor/ops/op_classes.h"
#include "executor/spill.h"
#include "executor/value_set.h"

typedef struct OpDistinct {
    Op base;
    int *columns, count;
    const TypeDef **types;
    ValueSet *seen;    /* input_ordered: not used */
    Arena *seen_arena;
    SpillSource source;
    int level;         /* of the parts that the source would be put into */
    Spill *spill;      /* NULL: all of the source fits */
    SpillPart *parts;  /* to be gone through */
    const TypeDef **row_types;
    Value *row;
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
    self->row_types = op_types(input, arena);
    self->row = ARENA_ARRAY(arena, Value, input->column_count + 1);
}

static void source_begin(OpDistinct *self, SpillSource source, int level)
{
    arena_destroy(self->seen_arena);
    self->seen_arena = arena_create(self->base.arena, 0);
    self->seen = value_set_create(self->seen_arena, self->types, self->count);
    self->source = source;
    self->level = level;
    self->spill = NULL;
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
    self->seen_arena = NULL;
    self->parts = NULL;
    self->source = spill_source_op(op->inputs[0]);
    if (plan->input_ordered)
        self->seen = NULL;
    else
        source_begin(self, self->source, 0);
    self->has_last = false;
    self->asked = 0;
    self->last_arena = arena_create(op->arena, 0);
    return op_open_inputs(op);
}

static bool is_first_in_order(OpDistinct *self)
{
    if (self->has_last && value_tuple_equal(self->types, self->count, self->tuple, self->last)) return false;
    arena_reset(self->last_arena);
    for (int i = 0; i < self->count; i++)
        self->last[i] = self->tuple[i].null ? VALUE_NULL : value_copy(self->types[i], self->tuple[i], self->last_arena);
    self->has_last = true;
    return true;
}

static Status put_aside(OpDistinct *self, const Batch *batch, int row)
{
    Exec *exec = self->base.exec;
    if (!self->spill)
        self->spill = spill_create(exec, self->row_types, batch->column_count, self->level, self->base.arena);
    for (int c = 0; c < batch->column_count; c++) self->row[c] = batch->columns[c][row];
    return spill_add(self->spill, value_tuple_hash(self->types, self->count, self->tuple), self->row);
}

/* Is the row in `tuple` the first of its kind, as far as can be told now? */
static Status test_row(OpDistinct *self, const Batch *batch, int row, bool *first)
{
    bool full = self->seen && self->level < SPILL_LEVEL_MAX && arena_bytes(self->seen_arena) > self->base.exec->work_mem_bytes;
    if (!full) {
        *first = self->seen ? value_set_add(self->seen, self->tuple) : is_first_in_order(self);
        return ST_OK;
    }
    *first = false;
    return value_set_has(self->seen, self->tuple) ? ST_OK : put_aside(self, batch, row);
}

/* ST_END: no part is left. */
static Status next_part(OpDistinct *self)
{
    spill_part_free(self->source.part);
    self->source.part = NULL;
    if (self->spill) {
        TRY(spill_end(self->spill, &self->base.stats->spill_bytes));
        self->parts = spill_take(self->spill, self->parts);
    }
    SpillPart *part = self->parts;
    if (!part) return ST_END;
    self->parts = part->next;
    source_begin(self, spill_source_part(part), part->level);
    return ST_OK;
}

static Status distinct_next(Op *op, Batch *batch)
{
    OpDistinct *self = (OpDistinct *)op;
    Status st;
    op_ask_growing(op, &self->asked);
    while ((st = spill_source_next(&self->source, batch)) == ST_END) TRY(next_part(self));
    TRY(st);
    int rows = batch_rows(batch), kept = 0;
    int *selected = ARENA_ARRAY(op->batch_arena, int, rows + 1);
    for (int i = 0; i < rows; i++) {
        int row = batch_row(batch, i);
        bool first;
        for (int c = 0; c < self->count; c++) self->tuple[c] = batch->columns[self->columns[c]][row];
        TRY(test_row(self, batch, row, &first));
        if (first) selected[kept++] = row;
    }
    batch->selected = selected;
    batch->selected_count = kept;
    return ST_OK;
}

const OpClass op_distinct_class = {"distinct", sizeof(OpDistinct), distinct_open, distinct_next, NULL, NULL};
