/* op_update.c - UPDATE. */
#include "executor/ops/op_classes.h"
#include "executor/ops/row_change.h"

typedef struct OpUpdate {
    Op base;
    RowChange change;
    Program *set;       /* over the input's columns */
    int *set_ordinals;
    int set_count;
    bool keep;          /* the change may move a row to where the scan has yet to come by */
    Value *after;
    Value *all;         /* the new row, then the input's columns: RETURNING's layout */
} OpUpdate;

static bool index_has_column(const TableDesc *table, const IndexDesc *index, int ordinal)
{
    uint32_t id = table->columns.items[ordinal].id;
    for (int i = 0; i < index->columns.count; i++)
        if (index->columns.items[i].column_id == id) return true;
    for (int i = 0; i < index->suffix.count; i++)
        if ((uint32_t)index->suffix.items[i] == id) return true;
    return false;
}

/* Does the update change no column of the key that its one scan goes along? */
static bool scan_is_safe(const OpUpdate *self, const Plan *plan)
{
    const WriteTarget *target = self->change.target.target;
    for (; plan->kind != PLAN_SCAN; plan = plan->inputs[0]) continue;
    const PlanScan *scan = (const PlanScan *)plan;
    for (int i = 0; i < self->set_count; i++)
        if (index_has_column(target->table, scan->index, self->set_ordinals[i])) return false;
    for (int i = 0; i < target->table->columns.count; i++)
        if (target->table->columns.items[i].computed != COMPUTED_NONE && index_has_column(target->table, scan->index, i))
            return false;
    return true;
}

static Status update_init(OpUpdate *self)
{
    Op *op = &self->base;
    const PlanUpdate *plan = (const PlanUpdate *)op->plan;
    const RelUpdate *update = plan->update;
    const Plan *input = op->plan->inputs[0];
    Arena *arena = op->exec->arena;
    TRY(row_change_init(&self->change, op, &update->target, plan->old_row, plan->key_bytes));
    int n = self->change.target.column_count;
    Expr **exprs = ARENA_ARRAY(arena, Expr *, n + 1);
    self->set_ordinals = ARENA_ARRAY(arena, int, n + 1);
    for (int i = 0; i < n; i++) {
        if (!update->set[i]) continue;
        exprs[self->set_count] = update->set[i];
        self->set_ordinals[self->set_count++] = i;
    }
    TRY(eval_compile(op->exec, exprs, self->set_count, input->columns, input->column_count, &self->set));
    self->after = ARENA_ARRAY(arena, Value, n + 1);
    int all = n + input->column_count;
    ColId *columns = ARENA_ARRAY(arena, ColId, all + 1);
    self->all = ARENA_ARRAY(arena, Value, all + 1);
    memcpy(columns, self->change.target.columns, sizeof(ColId) * (size_t)n);
    memcpy(columns + n, input->columns, sizeof(ColId) * (size_t)input->column_count);
    self->keep = !plan_is_chain(input) || plan_has_subquery(op->plan) || !scan_is_safe(self, input);
    return row_change_returning(&self->change, update->returning, columns, all);
}

static Status update_open(Op *op)
{
    OpUpdate *self = (OpUpdate *)op;
    if (!self->change.op) TRY(update_init(self));
    return row_change_open(&self->change, self->keep);
}

static Status update_row(OpUpdate *self, const Batch *in, int row, bool *done)
{
    Op *op = &self->base;
    RowTarget *target = &self->change.target;
    Arena *arena = self->change.row_arena;
    bool skip;
    TRY(row_change_fetch(&self->change, in, row, &skip));
    *done = !skip;
    if (skip) return ST_OK;
    Value *set = ARENA_ARRAY(arena, Value, self->set_count + 1);
    TRY(eval_row(self->set, self->change.in_row, arena, set));
    memcpy(self->after, self->change.before, sizeof(Value) * (size_t)target->column_count);
    for (int i = 0; i < self->set_count; i++) self->after[self->set_ordinals[i]] = set[i];
    TRY(row_target_compute(target, self->after, arena));
    TRY(row_target_check(target, self->after, arena));
    RowImage before, after;
    TRY(row_target_image(target, self->change.before, target->in_predicate_before, &before, arena));
    TRY(row_target_image(target, self->after, target->in_predicate, &after, arena));
    TRY(row_target_outcome(target, row_update(self->change.writer, before, after, op->exec->err)));
    return constraints_updated(self->change.constraints, self->change.before, self->after);
}

static Status return_row(OpUpdate *self, const Batch *in, int at)
{
    int n = self->change.target.column_count;
    memcpy(self->all, self->after, sizeof(Value) * (size_t)n);
    memcpy(self->all + n, self->change.in_row, sizeof(Value) * (size_t)in->column_count);
    return row_change_return(&self->change, self->all, at);
}

static Status update_batch(OpUpdate *self, const Batch *in, int *changed)
{
    Op *op = &self->base;
    *changed = 0;
    for (int i = 0; i < batch_rows(in); i++) {
        bool done;
        TRY(update_row(self, in, batch_row(in, i), &done));
        if (!done) continue;
        if (op->plan == op->exec->main_plan) op->exec->rows_affected++;
        if (self->change.returning) TRY(return_row(self, in, *changed));
        ++*changed;
    }
    return ST_OK;
}

static Status update_next(Op *op, Batch *batch)
{
    OpUpdate *self = (OpUpdate *)op;
    Batch in;
    int changed;
    for (;;) {
        TRY(row_input_next(&self->change.input, &in));
        row_change_room(&self->change, batch_rows(&in));
        TRY(update_batch(self, &in, &changed));
        if (!self->change.returning || changed == 0) continue;
        *batch = (Batch){.columns = self->change.out, .column_count = op->plan->column_count, .row_count = changed};
        return ST_OK;
    }
}

static void update_close(Op *op)
{
    OpUpdate *self = (OpUpdate *)op;
    row_change_close(&self->change);
    eval_close(self->set);
}

const OpClass op_update_class = {"update", sizeof(OpUpdate), update_open, update_next, NULL, update_close};
