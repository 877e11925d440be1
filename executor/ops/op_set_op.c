/* op_set_op.c - UNION, INTERSECT and EXCEPT by hash: each distinct row with how often each side has it.
 *
 * Distinct rows are kept up to work_mem; others are then put aside with the number of their side, and counted later.
 */
#include "executor/ops/op_classes.h"
#include "executor/spill.h"
#include "executor/value_set.h"

typedef struct OpSetOp {
    Op base;
    const TypeDef **types;    /* and behind them the side's number */
    ValueSet *rows;
    VEC(int64_t) left, right; /* counts by row number */
    Arena *arena;             /* of these */
    int level;                /* of the parts that rows would be put into */
    Spill *spill;             /* NULL: none was */
    SpillPart *parts;         /* to be counted */
    bool read;
    int next;
    int64_t repeated;         /* times that row `next` was handed out */
    Value **out;
    Value *tuple;
} OpSetOp;

static void counting_begin(OpSetOp *self, int level)
{
    arena_destroy(self->arena);
    self->arena = arena_create(self->base.arena, 0);
    self->rows = value_set_create(self->arena, self->types, self->base.plan->column_count);
    memset(&self->left, 0, sizeof self->left);
    memset(&self->right, 0, sizeof self->right);
    self->level = level;
    self->spill = NULL;
    self->next = 0;
    self->repeated = 0;
}

static Status set_op_open(Op *op)
{
    OpSetOp *self = (OpSetOp *)op;
    Arena *arena = op->exec->arena;
    int n = op->plan->column_count;
    if (!self->types) {
        self->types = ARENA_ARRAY(arena, const TypeDef *, n + 1);
        memcpy(self->types, op_types(op->plan, arena), sizeof *self->types * (size_t)n);
        self->types[n] = type_find(OID_INT4);
        self->out = ARENA_ARRAY(arena, Value *, n + 1);
        self->tuple = ARENA_ARRAY(arena, Value, n + 1);
        for (int c = 0; c < n; c++) self->out[c] = ARENA_ARRAY(arena, Value, BATCH_ROWS_MAX);
    }
    for (int c = 0; c < n; c++)
        if (!self->types[c]->hash || !self->types[c]->compare)
            return err_set(op->exec->err, op->exec->arena, ERR_UNDEFINED_FUNCTION,
                           "could not identify an equality operator for type %s", self->types[c]->sql_name);
    self->arena = NULL;
    self->parts = NULL;
    self->read = false;
    counting_begin(self, 0);
    return op_open_inputs(op);
}

static Status count_row(OpSetOp *self, int side)
{
    Op *op = &self->base;
    int columns = op->plan->column_count, number;
    bool full = self->level < SPILL_LEVEL_MAX && arena_bytes(self->arena) > op->exec->work_mem_bytes;
    if (full && (number = value_set_find(self->rows, self->tuple)) < 0) {
        if (!self->spill) self->spill = spill_create(op->exec, self->types, columns + 1, self->level, op->arena);
        self->tuple[columns] = value_int(side);
        return spill_add(self->spill, value_tuple_hash(self->types, columns, self->tuple), self->tuple);
    }
    bool added = false;
    if (!full) number = value_set_put(self->rows, self->tuple, &added);
    if (added) {
        VEC_PUSH(self->arena, self->left, 0);
        VEC_PUSH(self->arena, self->right, 0);
    }
    ++*(side ? &self->right.items[number] : &self->left.items[number]);
    return ST_OK;
}

/* side: -1: each row says it itself. */
static Status count_rows(OpSetOp *self, SpillSource *source, int side)
{
    int columns = self->base.plan->column_count;
    Batch in;
    Status st;
    while ((st = spill_source_next(source, &in)) == ST_OK)
        for (int i = 0; i < batch_rows(&in); i++) {
            int row = batch_row(&in, i);
            for (int c = 0; c < columns; c++) self->tuple[c] = in.columns[c][row];
            TRY(count_row(self, side >= 0 ? side : (int)in.columns[columns][row].i));
        }
    return st == ST_END ? ST_OK : st;
}

static Status counting_end(OpSetOp *self)
{
    if (!self->spill) return ST_OK;
    TRY(spill_end(self->spill, &self->base.stats->spill_bytes));
    self->parts = spill_take(self->spill, self->parts);
    return ST_OK;
}

static Status count_inputs(OpSetOp *self)
{
    for (int side = 0; side < 2; side++) {
        SpillSource source = spill_source_op(self->base.inputs[side]);
        TRY(count_rows(self, &source, side));
    }
    self->read = true;
    return counting_end(self);
}

/* ST_END: no part is left. */
static Status count_part(OpSetOp *self)
{
    SpillPart *part = self->parts;
    if (!part) return ST_END;
    self->parts = part->next;
    counting_begin(self, part->level);
    SpillSource source = spill_source_part(part);
    TRY(count_rows(self, &source, -1));
    spill_part_free(part);
    return counting_end(self);
}

/* How often the result has the row. */
static int64_t result_count(const OpSetOp *self, int number)
{
    const PlanSetOp *plan = (const PlanSetOp *)self->base.plan;
    int64_t left = self->left.items[number], right = self->right.items[number];
    switch (plan->op) {
    case SET_OP_UNION: return plan->all ? left + right : 1;
    case SET_OP_INTERSECT: return plan->all ? (left < right ? left : right) : left > 0 && right > 0;
    case SET_OP_EXCEPT: return plan->all ? (left > right ? left - right : 0) : left > 0 && right == 0;
    }
    return 0;
}

static Status set_op_next(Op *op, Batch *batch)
{
    OpSetOp *self = (OpSetOp *)op;
    if (!self->read) TRY(count_inputs(self));
    while (self->next >= value_set_count(self->rows)) TRY(count_part(self));
    int rows = 0;
    while (rows < BATCH_ROWS_MAX && self->next < value_set_count(self->rows)) {
        if (self->repeated >= result_count(self, self->next)) {
            self->next++;
            self->repeated = 0;
            continue;
        }
        const Value *tuple = value_set_tuple(self->rows, self->next);
        for (int c = 0; c < op->plan->column_count; c++) self->out[c][rows] = tuple[c];
        self->repeated++;
        rows++;
    }
    *batch = (Batch){.columns = self->out, .column_count = op->plan->column_count, .row_count = rows};
    return ST_OK;
}

const OpClass op_set_op_class = {"set op", sizeof(OpSetOp), set_op_open, set_op_next, NULL, NULL};
