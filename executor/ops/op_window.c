/* op_window.c - window functions over rows that come sorted by partition and order.
 *
 * All functions of a node have one PARTITION BY. The input is read partition by partition, several small ones at a time, and
 * each function goes over each: what is in memory is bounded by the largest partition. Arguments, partition and order values
 * are evaluated once per row and lie beside the row.
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
    Arena *arena;            /* of the rows in memory */
    VEC(Value *) rows;       /* input columns, expressions, results of the functions */
    int next;                /* to be handed out */
    Batch in;                /* of the input, in progress */
    int in_next;
    bool in_ended;
    Arena *in_arena;         /* of the expressions' values */
    Value *candidate;        /* the input's next row, borrowed */
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
    self->candidate = ARENA_ARRAY(arena, Value, self->width + self->extra_count + 1);
    return eval_compile(op->exec, exprs.items, exprs.count, input->columns, input->column_count, &self->program);
}

static Status window_open(Op *op)
{
    OpWindow *self = (OpWindow *)op;
    if (!self->calls) TRY(window_init(self));
    memset(&self->rows, 0, sizeof self->rows);
    self->arena = arena_create(op->arena, 0);
    self->in_arena = arena_create(op->arena, 0);
    self->in = (Batch){0};
    self->in_next = self->next = 0;
    self->in_ended = false;
    return op_open_inputs(op);
}

/* Makes the input's next row the candidate. ST_END. */
static Status look_ahead(OpWindow *self)
{
    while (self->in_next >= batch_rows(&self->in)) {
        if (self->in_ended) return ST_END;
        Status st = op_next(self->base.inputs[0], &self->in);
        if (st == ST_ERROR) return st;
        self->in_next = 0;
        self->in_ended = st == ST_END;
        if (self->in_ended) self->in = (Batch){0};
        arena_reset(self->in_arena);
        if (st == ST_OK) TRY(eval_run(self->program, &self->in, self->in_arena, self->results));
    }
    int at = batch_row(&self->in, self->in_next);
    for (int c = 0; c < self->width; c++) self->candidate[c] = self->in.columns[c][at];
    for (int e = 0; e < self->extra_count; e++) self->candidate[self->width + e] = self->results[e][at];
    return ST_OK;
}

static void take_candidate(OpWindow *self)
{
    int columns = self->width + self->extra_count;
    Value *row = ARENA_ARRAY(self->arena, Value, columns + ((const PlanWindow *)self->base.plan)->function_count + 1);
    for (int c = 0; c < columns; c++) {
        Value v = self->candidate[c];
        row[c] = v.null ? VALUE_NULL : value_copy(self->types[c], v, self->arena);
    }
    VEC_PUSH(self->arena, self->rows, row);
    self->in_next++;
}

/* The rows from `start` on are a partition. */
static Status end_partition(OpWindow *self, int start)
{
    Op *op = &self->base;
    const PlanWindow *plan = (const PlanWindow *)op->plan;
    for (int i = 0; i < plan->function_count; i++) {
        WindowPartition partition = {self->rows.items + start, self->rows.count - start, self->width + self->extra_count + i};
        TRY(window_partition_run(&self->calls[i], &partition, op->exec, self->arena));
    }
    return ST_OK;
}

static Status read_partitions(OpWindow *self)
{
    Status st;
    int start = 0;
    arena_reset(self->arena);
    memset(&self->rows, 0, sizeof self->rows);
    self->next = 0;
    while ((st = look_ahead(self)) == ST_OK) {
        int count = self->rows.count;
        if (count > start && !window_same_partition(&self->calls[0], self->rows.items[start], self->candidate)) {
            TRY(end_partition(self, start));
            start = count;
            if (count >= BATCH_ROWS_MAX) return ST_OK;
        }
        take_candidate(self);
    }
    if (st == ST_ERROR) return st;
    return self->rows.count > start ? end_partition(self, start) : ST_OK;
}

static Status window_next(Op *op, Batch *batch)
{
    OpWindow *self = (OpWindow *)op;
    const PlanWindow *plan = (const PlanWindow *)op->plan;
    int rows = 0;
    if (self->next >= self->rows.count) TRY(read_partitions(self));
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
