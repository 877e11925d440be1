/* op_function.c - set-returning functions in FROM, and in the select list (project set). */
#include "executor/ops/op_function.h"

#include <assert.h>

#include "executor/eval.h"
#include "executor/ops/op_classes.h"
#include "storage/types/type_record.h"

/* ---- one call ---- */

Status function_call_init(FunctionCall *call, Exec *exec, Expr *e, const ColId *columns, int column_count)
{
    call->expr = e;
    call->function = e->kind == EXPR_CALL ? ((const ExprCall *)e)->function : NULL;
    if (call->function && !(call->function->flags & FN_SET)) call->function = NULL;
    if (!call->function) {
        return eval_compile(exec, &call->expr, 1, columns, column_count, &call->args);
    }
    Arena *arena = exec->arena;
    call->arg_values = ARENA_ARRAY(arena, Value, e->arg_count + 1);
    TypeRef *types = ARENA_ARRAY(arena, TypeRef, e->arg_count + 1);
    for (int i = 0; i < e->arg_count; i++) types[i] = e->args[i]->type;
    call->ctx = (FnCtx){.arg_types = types, .arg_count = e->arg_count, .result_type = e->type, .site_arena = arena};
    if (call->function->site_size) call->ctx.site = arena_alloc(arena, call->function->site_size);
    return eval_compile(exec, e->args, e->arg_count, columns, column_count, &call->args);
}

Status function_call_start(FunctionCall *call, Exec *exec, const Value *row, Arena *arena)
{
    call->done = false;
    call->state = NULL;
    if (!call->function) return eval_row(call->args, row, arena, &call->single);
    call->ctx.type = (TypeCtx){arena, exec_type_env(exec), exec->err};
    call->ctx.session = exec->session;
    call->ctx.txn = exec->txn;
    TRY(eval_row(call->args, row, arena, call->arg_values));
    if (call->function->flags & FN_STRICT)
        for (int i = 0; i < call->ctx.arg_count; i++) call->done |= call->arg_values[i].null;
    if (call->done) return ST_OK;
    call->state = arena_alloc(arena, call->function->rows->state_size + 1);
    return call->function->rows->start(&call->ctx, call->state, call->arg_values);
}

Status function_call_next(FunctionCall *call, Exec *exec, Value *out)
{
    if (call->done) return ST_END;
    if (!call->function) {
        call->done = true;
        *out = call->single;
        return ST_OK;
    }
    call->ctx.type.err = exec->err;
    Status st = call->function->rows->next(&call->ctx, call->state, out);
    call->done = st != ST_OK;
    return st;
}

/* ---- FROM ---- */

typedef struct OpFunction {
    Op base;
    FunctionCall *calls;
    Value **out;
    Value *row;
    int64_t number;
    bool ended;
} OpFunction;

static Status function_open(Op *op)
{
    OpFunction *self = (OpFunction *)op;
    const PlanFunction *plan = (const PlanFunction *)op->plan;
    Arena *arena = op->exec->arena;
    if (!self->calls) {
        self->calls = ARENA_ARRAY(arena, FunctionCall, plan->item_count + 1);
        self->out = ARENA_ARRAY(arena, Value *, op->plan->column_count + 1);
        self->row = ARENA_ARRAY(arena, Value, op->plan->column_count + 2);
        for (int c = 0; c < op->plan->column_count; c++) self->out[c] = ARENA_ARRAY(arena, Value, BATCH_ROWS_MAX);
        for (int i = 0; i < plan->item_count; i++)
            TRY(function_call_init(&self->calls[i], op->exec, plan->items[i].call, NULL, 0));
    }
    self->number = 0;
    self->ended = false;
    for (int i = 0; i < plan->item_count; i++)
        TRY(function_call_start(&self->calls[i], op->exec, NULL, op->arena));
    return ST_OK;
}

/* One row of one item into row[0 .. columns-1]; *some stays as it is when the item is dry. */
static Status item_row(OpFunction *self, int item, Value *row, bool *some)
{
    const PlanFunction *plan = (const PlanFunction *)self->base.plan;
    Status st = function_call_next(&self->calls[item], self->base.exec, row);
    if (st == ST_ERROR) return st;
    *some |= st == ST_OK;
    if (st == ST_END)
        for (int c = 0; c < plan->items[item].column_count; c++) row[c] = VALUE_NULL;
    return ST_OK;
}

static void keep_row(OpFunction *self, int at)
{
    Op *op = &self->base;
    for (int c = 0; c < op->plan->column_count; c++) self->out[c][at] = self->row[c];
}

static Status function_next(Op *op, Batch *batch)
{
    OpFunction *self = (OpFunction *)op;
    const PlanFunction *plan = (const PlanFunction *)op->plan;
    int rows = 0, wanted = op->rows_wanted ? op->rows_wanted : BATCH_ROWS_MAX;
    /* Results of this batch live in its arena; what the function keeps, in its state or op->arena. */
    for (int i = 0; i < plan->item_count; i++) self->calls[i].ctx.type.arena = op->batch_arena;
    while (rows < wanted && !self->ended) {
        bool some = false;
        Value *row = self->row;
        for (int i = 0; i < plan->item_count; i++) {
            TRY(item_row(self, i, row, &some));
            row += plan->items[i].column_count;
        }
        self->ended = !some;
        if (!some) break;
        if (plan->ordinality) *row = value_int(++self->number);
        keep_row(self, rows++);
    }
    if (rows == 0) return ST_END;
    *batch = (Batch){.columns = self->out, .column_count = op->plan->column_count, .row_count = rows};
    return ST_OK;
}

static void function_close(Op *op)
{
    OpFunction *self = (OpFunction *)op;
    const PlanFunction *plan = (const PlanFunction *)op->plan;
    for (int i = 0; self->calls && i < plan->item_count; i++) eval_close(self->calls[i].args);
}

const OpClass op_function_class = {"function", sizeof(OpFunction), function_open, function_next, NULL, function_close};
