/* op_insert.c - INSERT, its ON CONFLICT forms and UPSERT. */
#include "executor/ops/op_insert.h"

#include <assert.h>

#include "executor/constraint/constraint.h"
#include "executor/ops/op_classes.h"
#include "executor/ops/row_input.h"
#include "executor/ops/row_lock.h"
#include "executor/ops/row_target.h"
#include "executor/value_set.h"

typedef struct OpInsert {
    Op base;
    const RelInsert *insert;
    RowTarget target;
    RowInput input;
    RowWriter *writer;
    TableConstraints *constraints;
    Program *set, *where;   /* over existing, then row */
    int *set_ordinals;      /* of the expressions of `set` */
    int set_count;
    Program *returning;     /* over row */
    ValueSet *touched;      /* primary keys written by this statement: ON CONFLICT DO UPDATE may not meet them again */
    Value *both;            /* existing, then row */
    Value **out;            /* RETURNING's vectors */
    Value *returned;
    int out_capacity;
    Arena *row_arena;
    Value *row;             /* op_insert_next_row's */
} OpInsert;

static Status compile_conflict(OpInsert *self)
{
    Op *op = &self->base;
    const RelInsert *insert = self->insert;
    int n = self->target.column_count;
    ColId *columns = ARENA_ARRAY(op->exec->arena, ColId, 2 * n + 1);
    Expr **exprs = ARENA_ARRAY(op->exec->arena, Expr *, n + 1);
    self->set_ordinals = ARENA_ARRAY(op->exec->arena, int, n + 1);
    for (int i = 0; i < n; i++) {
        columns[i] = insert->existing ? insert->existing[i].id : 0;
        columns[n + i] = insert->target.row[i].id;
        if (!insert->set || !insert->set[i]) continue;
        exprs[self->set_count] = insert->set[i];
        self->set_ordinals[self->set_count++] = i;
    }
    self->both = ARENA_ARRAY(op->exec->arena, Value, 2 * n + 1);
    TRY(eval_compile(op->exec, exprs, self->set_count, columns, 2 * n, &self->set));
    if (!insert->where) return ST_OK;
    return eval_compile(op->exec, (Expr *const *)&insert->where, 1, columns, 2 * n, &self->where);
}

static Status insert_init(OpInsert *self)
{
    Op *op = &self->base;
    self->insert = ((const PlanInsert *)op->plan)->insert;
    TRY(row_target_init(&self->target, op->exec, &self->insert->target));
    self->row_arena = arena_create(op->exec->arena, 0);
    if (self->insert->conflict == CONFLICT_UPDATE || self->insert->conflict == CONFLICT_UPSERT)
        TRY(compile_conflict(self));
    int returned = op->plan->column_count;
    self->out = ARENA_ARRAY(op->exec->arena, Value *, returned + 1);
    self->returned = ARENA_ARRAY(op->exec->arena, Value, returned + 1);
    if (returned == 0) return ST_OK;
    return eval_compile(op->exec, self->insert->returning, returned, self->target.columns, self->target.column_count,
                        &self->returning);
}

static Status insert_open(Op *op)
{
    OpInsert *self = (OpInsert *)op;
    if (!self->insert) TRY(insert_init(self));
    TRY(op_open_inputs(op));
    self->writer = row_writer_create(self->target.access, op->exec->txn, op->arena);
    TRY(constraints_open(op->exec, &self->insert->target, &self->constraints));
    const TypeDef *key = type_find(OID_BYTEA);
    if (self->insert->conflict == CONFLICT_UPDATE) self->touched = value_set_create(op->arena, &key, 1);
    return row_input_open(&self->input, op->inputs[0], op->arena,
                          plan_reads_table(op->plan->inputs[0], self->target.table->base.id));
}

/* ---- one row ---- */

static Status note_touched(OpInsert *self, const Value *row, bool *again)
{
    *again = false;
    if (!self->touched) return ST_OK;
    Buf key = {0};
    Status st = row_primary_key(self->target.access, row, &key, self->base.exec->err);
    if (st == ST_OK) {
        Value v = value_slice(buf_slice(&key));
        *again = !value_set_add(self->touched, &v);
    }
    buf_finish(&key);
    return st;
}

static Status second_time(OpInsert *self)
{
    Exec *exec = self->base.exec;
    (void)err_set(exec->err, exec->arena, ERR_CARDINALITY_VIOLATION,
                  "ON CONFLICT DO UPDATE command cannot affect row a second time");
    err_hint(exec->err, exec->arena,
             "Ensure that no rows proposed for insertion within the same command have duplicate constrained values.");
    return ST_ERROR;
}

/* The row in the way becomes both[0 .. n-1]; it is locked already. */
static Status fetch_existing(OpInsert *self, Slice key)
{
    Exec *exec = self->base.exec;
    RowLock lock = {.exec = exec, .access = self->target.access, .mode = LOCK_UPDATE, .wait = LOCK_WAIT,
                    .ordinals = self->target.all_ordinals, .count = self->target.column_count};
    bool found;
    Status st = row_lock_fetch(&lock, key, self->both, &found, self->row_arena);
    if (st == ST_END) return second_time(self);
    TRY(st);
    if (!found) return row_lock_retry(exec);
    return row_target_compute(&self->target, self->both, self->row_arena);
}

/* *row: the proposed row; becomes the new one. *written: false if WHERE said no. */
static Status update_existing(OpInsert *self, Slice key, Value *row, bool *written)
{
    int n = self->target.column_count;
    Arena *arena = self->row_arena;
    *written = false;
    TRY(fetch_existing(self, key));
    memcpy(self->both + n, row, sizeof(Value) * (size_t)n);
    bool wanted = true, again;
    if (self->where) TRY(eval_row_test(self->where, self->both, arena, &wanted, NULL));
    if (!wanted) return ST_OK;
    Value *set = ARENA_ARRAY(arena, Value, self->set_count + 1);
    TRY(eval_row(self->set, self->both, arena, set));
    memcpy(row, self->both, sizeof(Value) * (size_t)n);
    for (int i = 0; i < self->set_count; i++) row[self->set_ordinals[i]] = set[i];
    TRY(row_target_compute(&self->target, row, arena));
    TRY(row_target_check(&self->target, row, arena));
    TRY(note_touched(self, self->both, &again));
    if (again) return second_time(self);
    RowImage before, after;
    TRY(row_target_image(&self->target, self->both, self->target.in_predicate_before, &before, arena));
    TRY(row_target_image(&self->target, row, self->target.in_predicate, &after, arena));
    *written = true;
    TRY(row_target_outcome(&self->target, row_update(self->writer, before, after, self->base.exec->err)));
    return constraints_updated(self->constraints, self->both, row);
}

static Status insert_row(OpInsert *self, Value *row, bool *written)
{
    Error *err = self->base.exec->err;
    const RelInsert *insert = self->insert;
    RowImage image;
    *written = true;
    TRY(row_target_compute(&self->target, row, self->row_arena));
    TRY(row_target_check(&self->target, row, self->row_arena));
    TRY(row_target_image(&self->target, row, self->target.in_predicate, &image, self->row_arena));
    if (insert->conflict == CONFLICT_ERROR) {
        TRY(row_target_outcome(&self->target, row_insert(self->writer, image, err)));
        return constraints_inserted(self->constraints, row);
    }
    const IndexDesc *primary = table_primary(self->target.table), *conflict = NULL;
    const IndexDesc *const *arbiters = (const IndexDesc *const *)insert->arbiters;
    int arbiter_count = insert->arbiter_count;
    if (arbiter_count == 0 && insert->conflict == CONFLICT_UPSERT) {
        arbiters = &primary;
        arbiter_count = 1;
    }
    Slice existing;
    bool again;
    TRY(row_target_outcome(&self->target, row_insert_or_find(self->writer, image, arbiter_count ? arbiters : NULL,
                                                             arbiter_count, &conflict, &existing, err)));
    if (!conflict) {
        TRY(constraints_inserted(self->constraints, row));
        return note_touched(self, row, &again);
    }
    *written = false;
    if (insert->conflict == CONFLICT_NOTHING) return ST_OK;
    return update_existing(self, arena_slice(self->row_arena, existing), row, written);
}

/* ---- batches ---- */

static void make_room(OpInsert *self, int rows)
{
    if (rows <= self->out_capacity) return;
    self->out_capacity = rows;
    for (int c = 0; c < self->base.plan->column_count; c++)
        self->out[c] = ARENA_ARRAY(self->base.exec->arena, Value, rows);
}

static Status return_row(OpInsert *self, const Value *row, int at)
{
    Op *op = &self->base;
    TRY(eval_row(self->returning, row, op->batch_arena, self->returned));
    for (int c = 0; c < op->plan->column_count; c++)
        self->out[c][at] = self->returned[c].null ? VALUE_NULL
                                                  : value_copy(exec_type(op->plan->types[c].oid), self->returned[c],
                                                               op->batch_arena);
    return ST_OK;
}

static Status insert_batch(OpInsert *self, const Batch *in, int *returned)
{
    Op *op = &self->base;
    int n = self->target.column_count, rows = batch_rows(in);
    Value *row = ARENA_ARRAY(op->batch_arena, Value, n + 1);
    *returned = 0;
    for (int i = 0; i < rows; i++) {
        int at = batch_row(in, i);
        bool written;
        arena_reset(self->row_arena);
        for (int c = 0; c < n; c++) row[c] = in->columns[c][at];
        TRY(insert_row(self, row, &written));
        if (!written) continue;
        if (op->plan == op->exec->main_plan) op->exec->rows_affected++;
        if (self->returning) TRY(return_row(self, row, *returned));
        ++*returned;
    }
    return ST_OK;
}

static Status insert_next(Op *op, Batch *batch)
{
    OpInsert *self = (OpInsert *)op;
    Batch in;
    int returned;
    for (;;) {
        TRY(row_input_next(&self->input, &in));
        assert(in.column_count >= self->target.column_count);
        make_room(self, batch_rows(&in));
        TRY(insert_batch(self, &in, &returned));
        if (!self->returning || returned == 0) continue;
        *batch = (Batch){.columns = self->out, .column_count = op->plan->column_count, .row_count = returned};
        return ST_OK;
    }
}

/* The row that the parameters make, where every value is one or a constant: no operator needs to run for it. */
static bool row_of_params(const Op *op, int columns, Value *row)
{
    const PlanValues *values = (const PlanValues *)op->plan->inputs[0];
    if (op->plan->inputs[0]->kind != PLAN_VALUES || values->row_count != 1) return false;
    for (int c = 0; c < columns; c++) {
        const Expr *e = values->rows[0][c];
        if (e->kind == EXPR_PARAM)
            row[c] = op->exec->params[((const ExprParam *)e)->number - 1];
        else if (e->kind == EXPR_CONST)
            row[c] = ((const ExprConst *)e)->value;
        else
            return false;
    }
    return true;
}

Status op_insert_next_row(Op *op)
{
    OpInsert *self = (OpInsert *)op;
    Batch in;
    int returned;
    bool written;
    assert(op->cls == &op_insert_class && op->opened);
    if (!self->row) self->row = ARENA_ARRAY(op->exec->arena, Value, self->target.column_count + 1);
    if (!self->returning && row_of_params(op, self->target.column_count, self->row)) {
        arena_reset(self->row_arena);
        TRY(interrupt_poll(&op->exec->session->interrupt, op->exec->err));
        TRY(insert_row(self, self->row, &written));
        if (written && op->plan == op->exec->main_plan) op->exec->rows_affected++;
        return ST_OK;
    }
    arena_reset(op->batch_arena);
    TRY(op_rewind(op->inputs[0]));
    TRY(op_next(op->inputs[0], &in));
    return insert_batch(self, &in, &returned);
}

static void insert_close(Op *op)
{
    OpInsert *self = (OpInsert *)op;
    if (!self->insert) return;
    row_target_close(&self->target);
    eval_close(self->set);
    eval_close(self->where);
    eval_close(self->returning);
}

const OpClass op_insert_class = {"insert", sizeof(OpInsert), insert_open, insert_next, NULL, insert_close};
