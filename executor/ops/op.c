/* op.c - the one interface of operators: open, next, rewind, close, and their counters. */
#include "executor/ops/op.h"

#include <assert.h>

#include "executor/ops/exec.h"
#include "storage/base/clock.h"

Status op_open_inputs(Op *op)
{
    for (int i = 0; i < op->plan->input_count; i++) TRY(op_open(op->inputs[i]));
    return ST_OK;
}

Status op_open(Op *op)
{
    assert(!op->opened);
    op->opened = true;
    op->failed = false;
    op->rows_wanted = 0;
    op->stats->opens++;
    Status st = op->cls->open ? op->cls->open(op) : op_open_inputs(op);
    assert(st != ST_END);
    if (st == ST_ERROR) op->failed = true;
    return st;
}

static void count_kv(TxnCounters *sum, const TxnCounters *before, const TxnCounters *after)
{
    sum->seeks += after->seeks - before->seeks;
    sum->pairs_read += after->pairs_read - before->pairs_read;
    sum->bytes_read += after->bytes_read - before->bytes_read;
    sum->gets += after->gets - before->gets;
    sum->blocks += after->blocks - before->blocks;
    sum->pairs_written += after->pairs_written - before->pairs_written;
    sum->bytes_written += after->bytes_written - before->bytes_written;
    sum->lock_waits += after->lock_waits - before->lock_waits;
}

/* Taking the time and the counters costs more than a small batch does, so only EXPLAIN ANALYZE asks for them. */
static Status next_measured(Op *op, Batch *batch)
{
    TxnCounters before = {0};
    if (op->exec->txn) before = *txn_counters(op->exec->txn);
    uint64_t start = clock_monotonic_ns();
    Status st = op->cls->next(op, batch);
    op->stats->time_ns += clock_monotonic_ns() - start;
    if (op->exec->txn) count_kv(&op->stats->kv, &before, txn_counters(op->exec->txn));
    size_t memory = arena_bytes(op->arena) + arena_bytes(op->batch_arena);
    if (memory > op->stats->memory_max) op->stats->memory_max = memory;
    return st;
}

Status op_next(Op *op, Batch *batch)
{
    assert(op->opened && !op->failed);
    if (op->exec->session) TRY(interrupt_poll(&op->exec->session->interrupt, op->exec->err));
    arena_reset(op->batch_arena);
    *batch = (Batch){0};
    Status st = op->exec->timing ? next_measured(op, batch) : op->cls->next(op, batch);
    if (st == ST_ERROR) op->failed = true;
    if (st == ST_OK) {
        assert(batch->column_count == op->plan->column_count);
        op->stats->rows += (uint64_t)batch_rows(batch);
        op->stats->batches++;
    }
    return st;
}

Status op_rewind(Op *op)
{
    assert(op->opened);
    if (op->cls->rewind && !op->failed) return op->cls->rewind(op);
    op_close(op);
    return op_open(op);
}

void op_close(Op *op)
{
    if (!op || !op->opened) return;
    op->opened = false;
    if (op->cls->close) op->cls->close(op);
    for (int i = 0; i < op->plan->input_count; i++) op_close(op->inputs[i]);
    arena_reset(op->batch_arena);
    arena_reset(op->arena);
}

int op_column(const Plan *plan, ColId column)
{
    for (int i = 0; i < plan->column_count; i++)
        if (plan->columns[i] == column) return i;
    return -1;
}

const TypeDef **op_types(const Plan *plan, Arena *arena)
{
    const TypeDef **types = ARENA_ARRAY(arena, const TypeDef *, plan->column_count + 1);
    for (int i = 0; i < plan->column_count; i++) types[i] = exec_type(plan->types[i].oid);
    return types;
}

void op_ask_growing(Op *op, int *asked)
{
    if (op->rows_wanted == 0 || *asked >= BATCH_ROWS_MAX / 2) {
        op->inputs[0]->rows_wanted = 0;
        return;
    }
    *asked = *asked ? 2 * *asked : op->rows_wanted;
    op->inputs[0]->rows_wanted = *asked;
}
