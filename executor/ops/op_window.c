/* op_window.c - window functions over rows that come sorted by partition and order.
 *
 * The input is read to its end; each function then goes over its partitions. Its arguments, partition and order values are
 * evaluated once per row and lie beside the row.
 */
#include <assert.h>

#include "executor/ops/op_classes.h"
#include "executor/ops/window_frame.h"

typedef struct OpWindow {
    Op base;
    Program *program;
    Value **results;
    const TypeDef **types;   /* of the input's columns, then of the expressions */
    int width, extra_count;  /* input columns; expressions beside them */
    WindowCall *calls;
    Value **out;
    VEC(Value *) rows;       /* input columns, expressions, results of the functions */
    bool done;
    int next;
} OpWindow;

typedef VEC(Expr *) ExprVec;

/* Where the function's expressions are among those of the program. */
static void place_call(WindowCall *call, const ExprWindow *e, ExprVec *exprs, int width, Arena *arena)
{
    const WindowSpec *spec = e->spec;
    *call = (WindowCall){.e = e, .args = width + exprs->count};
    for (int i = 0; i < e->base.arg_count; i++) VEC_PUSH(arena, *exprs, e->base.args[i]);
    call->partition = width + exprs->count;
    for (int i = 0; i < spec->partition_count; i++) VEC_PUSH(arena, *exprs, spec->partition[i]);
    call->order = width + exprs->count;
    for (int i = 0; i < spec->order_count; i++) VEC_PUSH(arena, *exprs, spec->order[i].expr);
    call->filter = call->start_offset = call->end_offset = -1;
    if (e->filter) {
        call->filter = width + exprs->count;
        VEC_PUSH(arena, *exprs, e->filter);
    }
    if (spec->start_offset) {
        call->start_offset = width + exprs->count;
        VEC_PUSH(arena, *exprs, spec->start_offset);
    }
    if (spec->end_offset) {
        call->end_offset = width + exprs->count;
        VEC_PUSH(arena, *exprs, spec->end_offset);
    }
}

static Status window_init(OpWindow *self)
{
    Op *op = &self->base;
    const PlanWindow *plan = (const PlanWindow *)op->plan;
    const Plan *input = op->plan->inputs[0];
    Arena *arena = op->exec->arena;
    ExprVec exprs = {0};
    self->width = input->column_count;
    self->calls = ARENA_ARRAY(arena, WindowCall, plan->function_count + 1);
    for (int i = 0; i < plan->function_count; i++)
        place_call(&self->calls[i], plan->functions[i], &exprs, self->width, arena);
    self->extra_count = exprs.count;
    self->types = ARENA_ARRAY(arena, const TypeDef *, self->width + exprs.count + 1);
    for (int i = 0; i < self->width; i++) self->types[i] = exec_type(input->types[i].oid);
    for (int i = 0; i < exprs.count; i++) self->types[self->width + i] = exec_type(exprs.items[i]->type.oid);
    for (int i = 0; i < plan->function_count; i++) window_call_types(&self->calls[i], op->exec, self->types);
    self->results = ARENA_ARRAY(arena, Value *, exprs.count + 1);
    self->out = ARENA_ARRAY(arena, Value *, op->plan->column_count + 1);
    for (int c = 0; c < op->plan->column_count; c++) self->out[c] = ARENA_ARRAY(arena, Value, BATCH_ROWS_MAX);
    return eval_compile(op->exec, exprs.items, exprs.count, input->columns, input->column_count, &self->program);
}

static Status window_open(Op *op)
{
    OpWindow *self = (OpWindow *)op;
    if (!self->calls) TRY(window_init(self));
    memset(&self->rows, 0, sizeof self->rows);
    self->done = false;
    self->next = 0;
    return op_open_inputs(op);
}

static Status read_rows(OpWindow *self)
{
    Op *op = &self->base;
    const PlanWindow *plan = (const PlanWindow *)op->plan;
    Batch in;
    Status st;
    Arena *scratch = arena_create(op->arena, 0);
    while ((st = op_next(op->inputs[0], &in)) == ST_OK) {
        arena_reset(scratch);
        TRY(eval_run(self->program, &in, scratch, self->results));
        for (int i = 0; i < batch_rows(&in); i++) {
            int at = batch_row(&in, i), columns = self->width + self->extra_count;
            Value *row = ARENA_ARRAY(op->arena, Value, columns + plan->function_count + 1);
            for (int c = 0; c < columns; c++) {
                Value v = c < self->width ? in.columns[c][at] : self->results[c - self->width][at];
                row[c] = v.null ? VALUE_NULL : value_copy(self->types[c], v, op->arena);
            }
            VEC_PUSH(op->arena, self->rows, row);
        }
    }
    return st == ST_END ? ST_OK : st;
}

static Status compute(OpWindow *self)
{
    Op *op = &self->base;
    const PlanWindow *plan = (const PlanWindow *)op->plan;
    TRY(read_rows(self));
    for (int i = 0; i < plan->function_count; i++) {
        WindowCall *call = &self->calls[i];
        int result = self->width + self->extra_count + i;
        for (int start = 0, end; start < self->rows.count; start = end) {
            for (end = start + 1; end < self->rows.count; end++)
                if (!window_same_partition(call, self->rows.items[start], self->rows.items[end])) break;
            WindowPartition partition = {self->rows.items + start, end - start, result};
            TRY(window_partition_run(call, &partition, op->exec, op->arena));
        }
    }
    self->done = true;
    return ST_OK;
}

static Status window_next(Op *op, Batch *batch)
{
    OpWindow *self = (OpWindow *)op;
    const PlanWindow *plan = (const PlanWindow *)op->plan;
    int rows = 0;
    if (!self->done) TRY(compute(self));
    for (; rows < BATCH_ROWS_MAX && self->next < self->rows.count; rows++, self->next++) {
        const Value *row = self->rows.items[self->next];
        for (int c = 0; c < self->width; c++) self->out[c][rows] = row[c];
        for (int f = 0; f < plan->function_count; f++)
            self->out[self->width + f][rows] = row[self->width + self->extra_count + f];
    }
    if (rows == 0) return ST_END;
    *batch = (Batch){.columns = self->out, .column_count = op->plan->column_count, .row_count = rows};
    return ST_OK;
}

static void window_close(Op *op)
{
    eval_close(((OpWindow *)op)->program);
}

const OpClass op_window_class = {"window", sizeof(OpWindow), window_open, window_next, NULL, window_close};
