/* op_aggregate.c - GROUP BY: by hash, streaming where the input comes in group order, scalar without keys.
 *
 * Groups come out in the order in which their first rows came in. By hash, new groups are made until work_mem is used up;
 * the rows of others are then put aside, with the number of their grouping set, and grouped later.
 */
#include <assert.h>

#include "executor/ops/agg_group.h"
#include "executor/ops/op_classes.h"
#include "executor/spill.h"

typedef struct OpAggregate {
    Op base;
    AggList list;
    int *key_columns;        /* of the input */
    const TypeDef **key_types; /* and behind them the number of the grouping set */
    int tuple_width, set_count;
    Arena *arena;            /* of keys and groups */
    ValueSet *keys;
    VEC(Group *) groups;
    Arena *group_arena;
    int level;               /* of the parts that rows would be put into */
    Spill *spill;            /* NULL: none was */
    SpillPart *parts;        /* to be grouped */
    const TypeDef **row_types; /* of the input, and behind them the number of the grouping set */
    Value *row;
    Value *tuple, *finals;
    Value **out;
    bool read;               /* the input was read to its end */
    int next;                /* the group to hand out */
    int asked;               /* rows asked of the input last */
    /* Streaming: */
    Batch in;
    int in_next;
    Arena *load_arena;       /* arguments of the input batch in progress */
    Group *current;
    Value *current_key;
} OpAggregate;

static bool streams(const PlanAggregate *plan)
{
    return plan->key_count > 0 && plan->keys_ordered == plan->key_count && plan->grouping_set_count == 0;
}

static Status aggregate_init(OpAggregate *self)
{
    Op *op = &self->base;
    const PlanAggregate *plan = (const PlanAggregate *)op->plan;
    const Plan *input = op->plan->inputs[0];
    Arena *arena = op->exec->arena;
    int keys = plan->key_count;
    self->key_columns = ARENA_ARRAY(arena, int, keys + 1);
    self->key_types = ARENA_ARRAY(arena, const TypeDef *, keys + 2);
    for (int i = 0; i < keys; i++) {
        self->key_columns[i] = op_column(input, plan->keys[i]);
        assert(self->key_columns[i] >= 0);
        self->key_types[i] = exec_type(input->types[self->key_columns[i]].oid);
    }
    self->key_types[keys] = type_find(OID_INT4);
    self->tuple_width = keys + 1;
    self->set_count = plan->grouping_set_count ? plan->grouping_set_count : 1;
    self->tuple = ARENA_ARRAY(arena, Value, keys + 2);
    self->current_key = ARENA_ARRAY(arena, Value, keys + 2);
    self->finals = ARENA_ARRAY(arena, Value, plan->aggregate_count + 1);
    self->row_types = ARENA_ARRAY(arena, const TypeDef *, input->column_count + 1);
    memcpy(self->row_types, op_types(input, arena), sizeof *self->row_types * (size_t)input->column_count);
    self->row_types[input->column_count] = type_find(OID_INT4);
    self->row = ARENA_ARRAY(arena, Value, input->column_count + 1);
    self->out = ARENA_ARRAY(arena, Value *, op->plan->column_count + 1);
    int rows = plan->scalar && self->set_count == 1 ? 1 : BATCH_ROWS_MAX;
    for (int i = 0; i < op->plan->column_count; i++) self->out[i] = ARENA_ARRAY(arena, Value, rows);
    return agg_list_init(&self->list, op->exec, plan->aggregates, plan->aggregate_count, input);
}

static void grouping_begin(OpAggregate *self, int level)
{
    arena_destroy(self->arena);
    self->arena = arena_create(self->base.arena, 0);
    memset(&self->groups, 0, sizeof self->groups);
    self->keys = NULL;
    self->group_arena = arena_create(self->arena, 0);
    self->level = level;
    self->spill = NULL;
    self->next = 0;
}

static Status aggregate_open(Op *op)
{
    OpAggregate *self = (OpAggregate *)op;
    if (!self->out) TRY(aggregate_init(self));
    self->read = false;
    self->asked = 0;
    self->current = NULL;
    self->in = (Batch){0};
    self->in_next = 0;
    self->arena = NULL;
    self->parts = NULL;
    grouping_begin(self, 0);
    self->load_arena = arena_create(op->arena, 0);
    return op_open_inputs(op);
}

/* ---- reading ---- */

static void load_key(OpAggregate *self, const Batch *in, int row, int set)
{
    const PlanAggregate *plan = (const PlanAggregate *)self->base.plan;
    uint64_t mask = plan->grouping_set_count ? plan->grouping_sets[set] : ~(uint64_t)0;
    for (int k = 0; k < plan->key_count; k++)
        self->tuple[k] = mask >> k & 1 ? in->columns[self->key_columns[k]][row] : VALUE_NULL;
    self->tuple[plan->key_count] = value_int(set);
}

static Group *find_group(OpAggregate *self)
{
    bool added;
    int number = value_set_put(self->keys, self->tuple, &added);
    if (added) VEC_PUSH(self->arena, self->groups, agg_group_create(&self->list, self->group_arena));
    return self->groups.items[number];
}

static Status check_hashable(OpAggregate *self)
{
    Exec *exec = self->base.exec;
    for (int i = 0; i < self->tuple_width; i++)
        if (!self->key_types[i]->hash || !self->key_types[i]->compare)
            return err_set(exec->err, exec->arena, ERR_UNDEFINED_FUNCTION,
                           "could not identify an equality operator for type %s", self->key_types[i]->sql_name);
    return ST_OK;
}

/* GROUP BY () has one group although no row came. */
static void add_empty_groups(OpAggregate *self)
{
    const PlanAggregate *plan = (const PlanAggregate *)self->base.plan;
    Batch none = {0};
    if (plan->scalar && self->groups.count == 0) {
        load_key(self, &none, 0, 0);
        find_group(self);
    }
    for (int set = 0; set < plan->grouping_set_count; set++) {
        if (plan->grouping_sets[set] != 0) continue;
        load_key(self, &none, 0, set);
        find_group(self);
    }
}

static Status put_aside(OpAggregate *self, const Batch *in, int row, int set)
{
    Op *op = &self->base;
    int columns = op->plan->inputs[0]->column_count;
    if (!self->spill) self->spill = spill_create(op->exec, self->row_types, columns + 1, self->level, op->arena);
    for (int c = 0; c < columns; c++) self->row[c] = in->columns[c][row];
    self->row[columns] = value_int(set);
    return spill_add(self->spill, value_tuple_hash(self->key_types, self->tuple_width, self->tuple), self->row);
}

/* full: no new group is made. */
static Status group_row(OpAggregate *self, const Batch *in, int row, int set, bool full)
{
    load_key(self, in, row, set);
    if (!full) return agg_step(&self->list, find_group(self), row, self->group_arena);
    int number = value_set_find(self->keys, self->tuple);
    if (number < 0) return put_aside(self, in, row, set);
    return agg_step(&self->list, self->groups.items[number], row, self->group_arena);
}

/* Of a part each row says its set. */
static Status group_batch(OpAggregate *self, const Batch *in, bool of_part)
{
    int set_column = self->base.plan->inputs[0]->column_count;
    bool full = self->level < SPILL_LEVEL_MAX && arena_bytes(self->arena) > self->base.exec->work_mem_bytes;
    for (int set = 0; set < (of_part ? 1 : self->set_count); set++)
        for (int i = 0; i < batch_rows(in); i++) {
            int row = batch_row(in, i);
            TRY(group_row(self, in, row, of_part ? (int)in->columns[set_column][row].i : set, full));
        }
    return ST_OK;
}

static Status scalar_batch(OpAggregate *self, const Batch *in)
{
    if (!self->groups.count) {
        load_key(self, in, batch_row(in, 0), 0);
        find_group(self);
    }
    for (int i = 0; i < batch_rows(in); i++)
        TRY(agg_step(&self->list, self->groups.items[0], batch_row(in, i), self->group_arena));
    return ST_OK;
}

static Status group_source(OpAggregate *self, SpillSource *source)
{
    Op *op = &self->base;
    Batch in;
    Status st;
    bool one_group = ((const PlanAggregate *)op->plan)->key_count == 0 && self->set_count == 1;
    self->keys = value_set_create(self->arena, self->key_types, self->tuple_width);
    while ((st = spill_source_next(source, &in)) == ST_OK) {
        if (batch_rows(&in) == 0) continue;
        TRY(agg_list_load(&self->list, &in, op->batch_arena));
        TRY(one_group ? scalar_batch(self, &in) : group_batch(self, &in, source->part != NULL));
        arena_reset(op->batch_arena);
    }
    if (st == ST_ERROR) return st;
    if (!self->spill) return ST_OK;
    TRY(spill_end(self->spill, &op->stats->spill_bytes));
    self->parts = spill_take(self->spill, self->parts);
    return ST_OK;
}

static Status read_input(OpAggregate *self)
{
    SpillSource source = spill_source_op(self->base.inputs[0]);
    TRY(check_hashable(self));
    TRY(group_source(self, &source));
    add_empty_groups(self);
    self->read = true;
    return ST_OK;
}

/* ST_END: no part is left. */
static Status read_part(OpAggregate *self)
{
    SpillPart *part = self->parts;
    if (!part) return ST_END;
    self->parts = part->next;
    grouping_begin(self, part->level);
    SpillSource source = spill_source_part(part);
    TRY(group_source(self, &source));
    spill_part_free(part);
    return ST_OK;
}

/* ---- handing out ---- */

/* GROUPING(a, b): a bit per argument, set where its key is not in the set; the last argument is the lowest bit. */
static int64_t grouping_value(const Expr *call, uint64_t mask)
{
    int64_t result = 0;
    for (int i = 0; i < call->arg_count; i++) {
        int64_t key = ((const ExprConst *)call->args[i])->value.i;
        result = result << 1 | !(mask >> key & 1);
    }
    return result;
}

static Status put_group(OpAggregate *self, const Value *tuple, Group *group, int at)
{
    const PlanAggregate *plan = (const PlanAggregate *)self->base.plan;
    int column = 0;
    TRY(agg_final(&self->list, group, self->finals, self->group_arena));
    for (int k = 0; k < plan->key_count; k++) self->out[column++][at] = tuple[k];
    for (int a = 0; a < plan->aggregate_count; a++) self->out[column++][at] = self->finals[a];
    uint64_t mask = plan->grouping_set_count ? plan->grouping_sets[tuple[plan->key_count].i] : ~(uint64_t)0;
    for (int g = 0; g < plan->grouping_call_count; g++)
        self->out[column++][at] = value_int(grouping_value(plan->grouping_calls[g], mask));
    assert(column == self->base.plan->column_count);
    return ST_OK;
}

static Status hash_next(OpAggregate *self, Batch *batch)
{
    if (!self->read) TRY(read_input(self));
    while (self->next >= self->groups.count) TRY(read_part(self));
    int rows = 0;
    for (; rows < BATCH_ROWS_MAX && self->next < self->groups.count; rows++, self->next++)
        TRY(put_group(self, value_set_tuple(self->keys, self->next), self->groups.items[self->next], rows));
    *batch = (Batch){.columns = self->out, .column_count = self->base.plan->column_count, .row_count = rows};
    return ST_OK;
}

/* ---- streaming ---- */

/* The current group is complete: its row is copied out, since the group's memory is used again. */
static Status end_group(OpAggregate *self, int at)
{
    Op *op = &self->base;
    TRY(put_group(self, self->current_key, self->current, at));
    for (int c = 0; c < op->plan->column_count; c++) {
        Value v = self->out[c][at];
        if (!v.null) self->out[c][at] = value_copy(exec_type(op->plan->types[c].oid), v, op->batch_arena);
    }
    arena_reset(self->group_arena);
    self->current = NULL;
    return ST_OK;
}

static void begin_group(OpAggregate *self)
{
    const PlanAggregate *plan = (const PlanAggregate *)self->base.plan;
    self->current = agg_group_create(&self->list, self->group_arena);
    for (int k = 0; k <= plan->key_count; k++)
        self->current_key[k] = self->tuple[k].null ? VALUE_NULL
                                                   : value_copy(self->key_types[k], self->tuple[k], self->group_arena);
}

static Status stream_next(OpAggregate *self, Batch *batch)
{
    Op *op = &self->base;
    const PlanAggregate *plan = (const PlanAggregate *)op->plan;
    int rows = 0, wanted = op->rows_wanted ? op->rows_wanted : BATCH_ROWS_MAX;
    while (rows < wanted && !self->read) {
        if (self->in_next >= batch_rows(&self->in)) {
            op_ask_growing(op, &self->asked);
            Status st = op_next(op->inputs[0], &self->in);
            if (st == ST_ERROR) return st;
            self->read = st == ST_END;
            self->in_next = 0;
            arena_reset(self->load_arena);
            if (st == ST_OK) TRY(agg_list_load(&self->list, &self->in, self->load_arena));
            continue;
        }
        int row = batch_row(&self->in, self->in_next);
        load_key(self, &self->in, row, 0);
        if (self->current && !value_tuple_equal(self->key_types, plan->key_count, self->tuple, self->current_key)) {
            TRY(end_group(self, rows++));
            continue;
        }
        if (!self->current) begin_group(self);
        TRY(agg_step(&self->list, self->current, row, self->group_arena));
        self->in_next++;
    }
    if (self->read && self->current && rows < wanted) TRY(end_group(self, rows++));
    if (rows == 0) return ST_END;
    *batch = (Batch){.columns = self->out, .column_count = op->plan->column_count, .row_count = rows};
    return ST_OK;
}

static Status aggregate_next(Op *op, Batch *batch)
{
    OpAggregate *self = (OpAggregate *)op;
    return streams((const PlanAggregate *)op->plan) ? stream_next(self, batch) : hash_next(self, batch);
}

static void aggregate_close(Op *op)
{
    agg_list_close(&((OpAggregate *)op)->list);
}

const OpClass op_aggregate_class = {"aggregate", sizeof(OpAggregate), aggregate_open, aggregate_next, NULL,
                                    aggregate_close};
