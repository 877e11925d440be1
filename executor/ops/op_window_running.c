/* op_window_running.c - row_number, rank and dense_rank over rows that come sorted by partition and order.
 *
 * They count, so the rows pass through as they come and none is kept. Where only the first of each partition are wanted, the
 * others are left out, and if there is but one partition the input is not read further.
 */
#include "executor/eval.h"
#include "executor/functions/window_kinds.h"
#include "executor/ops/op_classes.h"
#include "executor/sorter.h"

typedef struct OpRunning {
    Op base;
    Program *program;    /* the partition's and the order's expressions */
    Value **results;
    SorterKey *keys;     /* of both, in that order */
    int partition_count, key_count;
    Value *last, *row;   /* keys of the row before, and of this one */
    bool started;        /* there is a row before */
    bool ended;
    int64_t number, rank, dense; /* of the row before in its partition */
    int64_t stop;
    bool stops;
    Arena *last_arena;
    Value **out;
    int asked;
} OpRunning;

static Status running_init(OpRunning *self)
{
    Op *op = &self->base;
    const PlanWindow *plan = (const PlanWindow *)op->plan;
    const WindowSpec *spec = plan->functions[0]->spec;
    const Plan *input = op->plan->inputs[0];
    Arena *arena = op->exec->arena;
    self->partition_count = spec->partition_count;
    self->key_count = spec->partition_count + spec->order_count;
    Expr **exprs = ARENA_ARRAY(arena, Expr *, self->key_count + 1);
    self->keys = ARENA_ARRAY(arena, SorterKey, self->key_count + 1);
    for (int i = 0; i < self->key_count; i++) {
        const SortKey *order = i < self->partition_count ? NULL : &spec->order[i - self->partition_count];
        exprs[i] = order ? order->expr : spec->partition[i];
        self->keys[i] = (SorterKey){.column = i, .type = exec_type(exprs[i]->type.oid)};
    }
    self->results = ARENA_ARRAY(arena, Value *, self->key_count + 1);
    self->last = ARENA_ARRAY(arena, Value, self->key_count + 1);
    self->row = ARENA_ARRAY(arena, Value, self->key_count + 1);
    self->out = ARENA_ARRAY(arena, Value *, op->plan->column_count + 1);
    for (int i = 0; i < plan->function_count; i++)
        self->out[input->column_count + i] = ARENA_ARRAY(arena, Value, BATCH_ROWS_MAX);
    return eval_compile(op->exec, exprs, self->key_count, input->columns, input->column_count, &self->program);
}

static Status running_open(Op *op)
{
    OpRunning *self = (OpRunning *)op;
    const PlanWindow *plan = (const PlanWindow *)op->plan;
    if (!self->program) TRY(running_init(self));
    self->started = self->ended = self->stops = false;
    self->asked = 0;
    self->last_arena = arena_create(op->arena, 0);
    if (plan->stop) {
        Value stop;
        TRY(eval_single(op->exec, plan->stop, &stop, op->arena));
        self->stops = !stop.null;
        self->stop = stop.null ? 0 : stop.i;
    }
    return op_open_inputs(op);
}

/* Where the row is in its partition. */
static void count_row(OpRunning *self, int at)
{
    for (int i = 0; i < self->key_count; i++) self->row[i] = self->results[i][at];
    bool same = self->started && sorter_compare(self->keys, self->partition_count, self->last, self->row) == 0;
    bool peer = same && sorter_compare(self->keys + self->partition_count, self->key_count - self->partition_count,
                                       self->last, self->row) == 0;
    if (!same) self->number = self->rank = self->dense = 0;
    self->number++;
    if (!peer) self->rank = self->number;
    if (!peer) self->dense++;
    self->started = true;
    Value *row = self->row;
    self->row = self->last;
    self->last = row;
}

static int64_t value_of(const OpRunning *self, const ExprWindow *function)
{
    WindowKind kind = (WindowKind)function->window->kind;
    return kind == WINDOW_ROW_NUMBER ? self->number : kind == WINDOW_RANK ? self->rank : self->dense;
}

/* The keys of the last row outlive the batch that they are borrowed from. */
static void own_last(OpRunning *self)
{
    Arena *arena = arena_create(self->base.arena, 0);
    for (int i = 0; i < self->key_count; i++)
        if (!self->last[i].null) self->last[i] = value_copy(self->keys[i].type, self->last[i], arena);
    arena_destroy(self->last_arena);
    self->last_arena = arena;
}

static Status running_next(Op *op, Batch *batch)
{
    OpRunning *self = (OpRunning *)op;
    const PlanWindow *plan = (const PlanWindow *)op->plan;
    int width = op->plan->inputs[0]->column_count, kept = 0;
    if (self->ended) return ST_END;
    op_ask_growing(op, &self->asked);
    TRY(op_next(op->inputs[0], batch));
    TRY(eval_run(self->program, batch, op->batch_arena, self->results));
    int *selected = ARENA_ARRAY(op->batch_arena, int, batch->row_count + 1);
    for (int i = 0; i < batch_rows(batch) && !self->ended; i++) {
        int at = batch_row(batch, i);
        count_row(self, at);
        for (int f = 0; f < plan->function_count; f++)
            self->out[width + f][at] = value_int(value_of(self, plan->functions[f]));
        bool beyond = self->stops && value_of(self, plan->functions[plan->stop_function]) > self->stop;
        if (!beyond) selected[kept++] = at;
        self->ended = beyond && self->partition_count == 0;
    }
    own_last(self);
    for (int c = 0; c < width; c++) self->out[c] = batch->columns[c];
    batch->columns = self->out;
    batch->column_count = op->plan->column_count;
    batch->selected = selected;
    batch->selected_count = kept;
    return ST_OK;
}

static void running_close(Op *op)
{
    eval_close(((OpRunning *)op)->program);
}

const OpClass op_window_running_class = {"window", sizeof(OpRunning), running_open, running_next, NULL, running_close};
