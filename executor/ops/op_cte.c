/* op_cte.c - WITH: the body, the queries it names, recursive ones included.
 *
 * A query is run when the first reader asks for it, and kept; one that changes rows runs to its end whoever reads it.
 */
#include "executor/ops/op_cte.h"

#include <assert.h>

#include "executor/ops/op_classes.h"
#include "executor/value_set.h"

CteBuffer **cte_buffer(Exec *exec, int number)
{
    if (number >= exec->cte_count) {
        int count = number + 8;
        exec->ctes = arena_grow(exec->arena, exec->ctes, sizeof(CteBuffer *) * (size_t)exec->cte_count,
                                sizeof(CteBuffer *) * (size_t)count);
        for (int i = exec->cte_count; i < count; i++) exec->ctes[i] = NULL;
        exec->cte_count = count;
    }
    return &exec->ctes[number];
}

static Status buffer_fill(Exec *exec, CteBuffer *buffer)
{
    if (buffer->filled) return ST_OK;
    buffer->filled = true;
    TRY(op_open(buffer->op));
    TRY(row_store_add_all(buffer->store, buffer->op));
    op_close(buffer->op);
    return ST_OK;
}

/* ---- WITH ---- */

typedef struct OpWith {
    Op base;
    Op **queries;
    CteBuffer *buffers;
} OpWith;

static Status with_open(Op *op)
{
    OpWith *self = (OpWith *)op;
    const PlanWith *plan = (const PlanWith *)op->plan;
    if (!self->queries) {
        self->queries = ARENA_ARRAY(op->exec->arena, Op *, plan->cte_count + 1);
        self->buffers = ARENA_ARRAY(op->exec->arena, CteBuffer, plan->cte_count + 1);
        for (int i = 0; i < plan->cte_count; i++) TRY(op_build(op->exec, plan->plans[i], &self->queries[i]));
    }
    for (int i = 0; i < plan->cte_count; i++) {
        const Plan *query = plan->plans[i];
        RowStore *store = row_store_create(op->exec, op_types(query, op->arena), query->column_count, op->arena);
        self->buffers[i] = (CteBuffer){.op = self->queries[i], .store = store};
        *cte_buffer(op->exec, plan->ctes[i]->number) = &self->buffers[i];
    }
    /* What changes rows runs in order, before the body; no part of the statement sees what another has changed. */
    for (int i = 0; i < plan->cte_count; i++) {
        if (!plan->ctes[i]->modifies) continue;
        txn_view_hold(op->exec->txn);
        TRY(buffer_fill(op->exec, &self->buffers[i]));
    }
    return op_open_inputs(op);
}

static Status with_next(Op *op, Batch *batch)
{
    return op_next(op->inputs[0], batch);
}

static void with_close(Op *op)
{
    OpWith *self = (OpWith *)op;
    const PlanWith *plan = (const PlanWith *)op->plan;
    for (int i = 0; self->queries && i < plan->cte_count; i++) op_close(self->queries[i]);
}

const OpClass op_with_class = {"with", sizeof(OpWith), with_open, with_next, NULL, with_close};

/* ---- reading one ---- */

typedef struct OpCte {
    Op base;
    RowReader reader;
    bool started;
} OpCte;

static Status cte_open(Op *op)
{
    ((OpCte *)op)->started = false;
    return ST_OK;
}

static Status cte_next(Op *op, Batch *batch)
{
    OpCte *self = (OpCte *)op;
    CteBuffer *buffer = *cte_buffer(op->exec, ((const PlanCte *)op->plan)->cte->number);
    if (!self->started) {
        assert(buffer);
        TRY(buffer_fill(op->exec, buffer));
        row_reader_init(&self->reader, buffer->store, op->arena);
        self->started = true;
    }
    TRY(row_reader_next(&self->reader, batch));
    batch->column_count = op->plan->column_count;
    return ST_OK;
}

const OpClass op_cte_class = {"cte", sizeof(OpCte), cte_open, cte_next, NULL, NULL};
const OpClass op_working_table_class = {"working table", sizeof(OpCte), cte_open, cte_next, NULL, NULL};

/* ---- WITH RECURSIVE ---- */

typedef struct OpRecursive {
    Op base;
    CteBuffer working;
    RowStore *next_rows;   /* what the step makes: the next working table */
    ValueSet *seen;        /* UNION: rows returned so far; NULL: UNION ALL */
    bool first;            /* first: the non-recursive part is being read */
} OpRecursive;

static Status recursive_open(Op *op)
{
    OpRecursive *self = (OpRecursive *)op;
    const Cte *cte = ((const PlanCte *)op->plan)->cte;
    const TypeDef **types = op_types(op->plan, op->arena);
    int width = op->plan->column_count;
    self->working = (CteBuffer){.store = row_store_create(op->exec, types, width, op->arena), .filled = true};
    self->next_rows = row_store_create(op->exec, types, width, op->arena);
    self->seen = cte->union_all ? NULL : value_set_create(op->arena, types, width);
    self->first = true;
    return op_open(op->inputs[0]);
}

static void drop_seen(OpRecursive *self, Batch *batch)
{
    Op *op = &self->base;
    int rows = batch_rows(batch), kept = 0, width = op->plan->column_count;
    if (!self->seen) return;
    int *selected = ARENA_ARRAY(op->batch_arena, int, rows + 1);
    Value *tuple = ARENA_ARRAY(op->batch_arena, Value, width + 1);
    for (int i = 0; i < rows; i++) {
        int row = batch_row(batch, i);
        for (int c = 0; c < width; c++) tuple[c] = batch->columns[c][row];
        if (value_set_add(self->seen, tuple)) selected[kept++] = row;
    }
    batch->selected = selected;
    batch->selected_count = kept;
}

/* The step has read the whole working table: what it made becomes the next one. ST_END: it made nothing. */
static Status next_round(OpRecursive *self)
{
    Op *op = &self->base;
    if (row_store_rows(self->next_rows) == 0) return ST_END;
    RowStore *used = self->working.store;
    self->working.store = self->next_rows;
    self->next_rows = used;
    row_store_clear(used);
    *cte_buffer(op->exec, ((const PlanCte *)op->plan)->cte->number) = &self->working;
    op_close(op->inputs[1]);
    return op_open(op->inputs[1]);
}

static Status recursive_next(Op *op, Batch *batch)
{
    OpRecursive *self = (OpRecursive *)op;
    CteBuffer **slot = cte_buffer(op->exec, ((const PlanCte *)op->plan)->cte->number), *outer = *slot;
    Status st;
    for (;;) {
        if (!self->first) *slot = &self->working;
        st = op_next(op->inputs[self->first ? 0 : 1], batch);
        if (st == ST_END) {
            st = next_round(self);
            self->first = false;
            slot = cte_buffer(op->exec, ((const PlanCte *)op->plan)->cte->number);
            if (st != ST_OK) break;
            continue;
        }
        if (st == ST_OK) drop_seen(self, batch);
        if (st == ST_OK) st = row_store_add_batch(self->next_rows, batch);
        break;
    }
    /* Readers of the whole query share the number with the working table; theirs is put back. */
    *slot = outer;
    return st;
}

const OpClass op_recursive_class = {"recursive", sizeof(OpRecursive), recursive_open, recursive_next, NULL, NULL};
