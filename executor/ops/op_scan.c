/* op_scan.c - reads spans of one index, in key order or against it. */
#include "executor/ops/scan_reader.h"

#include <assert.h>

#include "executor/eval.h"
#include "executor/ops/op_classes.h"

typedef struct OpScan {
    Op base;
    ScanReader reader;
    Program *filter;
    int64_t limit, returned; /* limit < 0: none */
} OpScan;

static Status scan_limit(OpScan *self, const PlanScan *plan)
{
    self->limit = -1;
    self->returned = 0;
    if (!plan->limit) return ST_OK;
    Value limit;
    TRY(eval_single(self->base.exec, plan->limit, &limit, self->base.arena));
    if (!limit.null) self->limit = limit.i;
    return ST_OK;
}

static Status scan_start(OpScan *self)
{
    const PlanScan *plan = (const PlanScan *)self->base.plan;
    KeySpanList spans;
    TRY(scan_limit(self, plan));
    TRY(key_spans_expand(self->base.exec, self->reader.access, &plan->spans, &spans, self->base.arena));
    key_spans_count_ranges(&self->base, &spans);
    double hint = plan->rows_hint;
    if (self->limit >= 0 && !plan->filter) hint = (double)self->limit;
    return scan_reader_start(&self->reader, &spans, hint > 0 && hint < 1e9 ? (uint64_t)hint : 0);
}

static Status scan_open(Op *op)
{
    OpScan *self = (OpScan *)op;
    const PlanScan *plan = (const PlanScan *)op->plan;
    if (!self->reader.access) {
        scan_reader_init(&self->reader, op, plan);
        if (plan->filter)
            TRY(eval_compile(op->exec, (Expr *const *)&plan->filter, 1, op->plan->columns, op->plan->column_count,
                             &self->filter));
    }
    return scan_start(self);
}

static Status scan_rewind(Op *op)
{
    OpScan *self = (OpScan *)op;
    scan_reader_stop(&self->reader);
    arena_reset(op->arena);
    return scan_start(self);
}

/* SELECT ... FOR UPDATE pushed into the scan: keeps the rows whose lock was had. */
static Status lock_rows(OpScan *self, Batch *batch)
{
    Op *op = &self->base;
    const PlanScan *plan = (const PlanScan *)op->plan;
    int *kept = ARENA_ARRAY(op->batch_arena, int, batch->row_count), kept_count = 0;
    Value *now = ARENA_ARRAY(op->batch_arena, Value, self->reader.column_count + 1);
    RowLock lock = {.exec = op->exec, .access = self->reader.access, .mode = plan->lock_mode, .wait = plan->lock_wait,
                    .ordinals = self->reader.ordinals, .count = self->reader.column_count};
    int rows = batch_rows(batch);
    for (int i = 0; i < rows; i++) {
        int row = batch_row(batch, i);
        bool found;
        Status st = row_lock_fetch(&lock, self->reader.keys[row], now, &found, op->batch_arena);
        if (st == ST_END) continue;
        TRY(st);
        if (!found) return row_lock_retry(op->exec);
        for (int c = 0; c < lock.count; c++)
            if (!row_lock_same(plan->table, lock.ordinals[c], self->reader.vectors[c][row], now[c]))
                return row_lock_retry(op->exec);
        kept[kept_count++] = row;
    }
    batch->selected = kept;
    batch->selected_count = kept_count;
    return ST_OK;
}

static void cut_to_limit(OpScan *self, Batch *batch)
{
    if (self->limit < 0) return;
    int64_t left = self->limit - self->returned;
    if (batch_rows(batch) > left) {
        if (batch->selected)
            batch->selected_count = (int)left;
        else
            batch->row_count = (int)left;
    }
    self->returned += batch_rows(batch);
}

static Status scan_next(Op *op, Batch *batch)
{
    OpScan *self = (OpScan *)op;
    const PlanScan *plan = (const PlanScan *)op->plan;
    if (self->limit >= 0 && self->returned >= self->limit) return ST_END;
    int wanted = op->rows_wanted;
    if (self->limit >= 0 && !plan->filter && (wanted == 0 || self->limit - self->returned < wanted))
        wanted = self->limit - self->returned < BATCH_ROWS_MAX ? (int)(self->limit - self->returned) : 0;
    TRY(scan_reader_next(&self->reader, wanted, batch));
    if (self->filter) {
        int *selected = ARENA_ARRAY(op->batch_arena, int, batch->row_count);
        TRY(eval_filter(self->filter, batch, op->batch_arena, selected, &batch->selected_count));
        batch->selected = selected;
    }
    if (plan->locking) TRY(lock_rows(self, batch));
    cut_to_limit(self, batch);
    return ST_OK;
}

static void scan_close(Op *op)
{
    OpScan *self = (OpScan *)op;
    scan_reader_stop(&self->reader);
    eval_close(self->filter);
}

const OpClass op_scan_class = {"scan", sizeof(OpScan), scan_open, scan_next, scan_rewind, scan_close};
