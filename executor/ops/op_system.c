/* op_system.c - virtual tables: a relation's fill function makes its rows, of which the wanted columns are kept. */
#include "executor/eval.h"
#include "executor/ops/op_classes.h"
#include "executor/row_store.h"
#include "planner/session.h"

typedef struct OpSystem {
    Op base;
    SystemRows rows;  /* what fill sees; append finds the operator from it */
    RowStore *store;  /* NULL: not filled yet */
    RowReader reader;
    Value *row;
} OpSystem;

static Status append_row(SystemRows *rows, const Value *values)
{
    OpSystem *self = (OpSystem *)((char *)rows - offsetof(OpSystem, rows));
    const PlanSystem *plan = (const PlanSystem *)self->base.plan;
    for (int c = 0; c < self->base.plan->column_count; c++) self->row[c] = values[plan->ordinals[c]];
    return row_store_add(self->store, self->row);
}

static Status system_open(Op *op)
{
    OpSystem *self = (OpSystem *)op;
    self->store = NULL;
    self->rows.append = append_row;
    self->row = ARENA_ARRAY(op->arena, Value, op->plan->column_count + 1);
    return ST_OK;
}

static Status fill(OpSystem *self)
{
    Op *op = &self->base;
    Exec *exec = op->exec;
    const PlanSystem *plan = (const PlanSystem *)op->plan;
    SystemCtx ctx = {.rows = &self->rows, .filter = {.column = plan->filter_column}};
    ctx.fn = (FnCtx){.type = {op->arena, exec_type_env(exec), exec->err}, .session = exec->session, .txn = exec->txn,
                     .site_arena = op->arena};
    ctx.catalog = catalog_view_snapshot(exec->session->catalog);
    self->store = row_store_create(exec, op_types(op->plan, op->arena), op->plan->column_count, op->arena);
    if (plan->filter_column >= 0) {
        TRY(eval_single(exec, plan->filter_value, &ctx.filter.value, op->arena));
        if (ctx.filter.value.null) return ST_OK;
    }
    return plan->relation->fill(&ctx);
}

static Status system_next(Op *op, Batch *batch)
{
    OpSystem *self = (OpSystem *)op;
    if (!self->store) {
        TRY(fill(self));
        row_reader_init(&self->reader, self->store, op->arena);
    }
    return row_reader_next(&self->reader, batch);
}

const OpClass op_system_class = {"system", sizeof(OpSystem), system_open, system_next, NULL, NULL};
