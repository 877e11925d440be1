/* op_set_op.c - UNION, INTERSECT and EXCEPT by hash: each distinct row with how often each side has it. */
#include "executor/ops/exec.h"
#include "executor/ops/op_classes.h"
#include "executor/value_set.h"

typedef struct OpSetOp {
    Op base;
    const TypeDef **types;
    ValueSet *rows;
    VEC(int64_t) left, right; /* counts by row number */
    bool read;
    int next;
    int64_t repeated;         /* times that row `next` was handed out */
    Value **out;
    Value *tuple;
} OpSetOp;

static Status set_op_open(Op *op)
{
    OpSetOp *self = (OpSetOp *)op;
    Arena *arena = op->exec->arena;
    int n = op->plan->column_count;
    if (!self->types) {
        self->types = op_types(op->plan, arena);
        self->out = ARENA_ARRAY(arena, Value *, n + 1);
        self->tuple = ARENA_ARRAY(arena, Value, n + 1);
        for (int c = 0; c < n; c++) self->out[c] = ARENA_ARRAY(arena, Value, BATCH_ROWS_MAX);
    }
    for (int c = 0; c < n; c++)
        if (!self->types[c]->hash || !self->types[c]->compare)
            return err_set(op->exec->err, op->exec->arena, ERR_UNDEFINED_FUNCTION,
                           "could not identify an equality operator for type %s", self->types[c]->sql_name);
    self->rows = value_set_create(op->arena, self->types, n);
    memset(&self->left, 0, sizeof self->left);
    memset(&self->right, 0, sizeof self->right);
    self->read = false;
    self->next = 0;
    self->repeated = 0;
    return op_open_inputs(op);
}

static Status read_side(OpSetOp *self, int side)
{
    Op *op = &self->base;
    Batch in;
    Status st;
    while ((st = op_next(op->inputs[side], &in)) == ST_OK)
        for (int i = 0; i < batch_rows(&in); i++) {
            int row = batch_row(&in, i);
            bool added;
            for (int c = 0; c < op->plan->column_count; c++) self->tuple[c] = in.columns[c][row];
            int number = value_set_put(self->rows, self->tuple, &added);
            if (added) {
                VEC_PUSH(op->arena, self->left, 0);
                VEC_PUSH(op->arena, self->right, 0);
            }
            ++*(side ? &self->right.items[number] : &self->left.items[number]);
        }
    return st == ST_END ? ST_OK : st;
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
    if (!self->read) {
        TRY(read_side(self, 0));
        TRY(read_side(self, 1));
        self->read = true;
    }
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
    if (rows == 0) return ST_END;
    *batch = (Batch){.columns = self->out, .column_count = op->plan->column_count, .row_count = rows};
    return ST_OK;
}

const OpClass op_set_op_class = {"set op", sizeof(OpSetOp), set_op_open, set_op_next, NULL, NULL};
