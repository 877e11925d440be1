#include "executor/ops/row_change.h"

#include <assert.h>

bool plan_is_chain(const Plan *plan)
{
    if (plan->kind == PLAN_SCAN) return true;
    if (plan->kind != PLAN_FILTER && plan->kind != PLAN_PROJECT && plan->kind != PLAN_INDEX_JOIN &&
        plan->kind != PLAN_LIMIT)
        return false;
    return plan_is_chain(plan->inputs[0]);
}

Status row_change_init(RowChange *change, Op *op, const WriteTarget *target, const ColId *old_row, ColId key_bytes)
{
    Arena *arena = op->exec->arena;
    const Plan *input = op->plan->inputs[0];
    change->op = op;
    change->lock_mode = op->plan->kind == PLAN_UPDATE ? ((const PlanUpdate *)op->plan)->lock_mode : LOCK_UPDATE;
    TRY(row_target_init(&change->target, op->exec, target));
    int n = change->target.column_count;
    change->seen = ARENA_ARRAY(arena, int, n + 1);
    for (int i = 0; i < n; i++) change->seen[i] = old_row && old_row[i] ? op_column(input, old_row[i]) : -1;
    change->key_column = op_column(input, key_bytes);
    assert(change->key_column >= 0);
    change->may_repeat = !plan_is_chain(input);
    change->row_arena = arena_create(arena, 0);
    change->before = ARENA_ARRAY(arena, Value, n + 1);
    change->in_row = ARENA_ARRAY(arena, Value, input->column_count + 1);
    change->out = ARENA_ARRAY(arena, Value *, op->plan->column_count + 1);
    change->returned = ARENA_ARRAY(arena, Value, op->plan->column_count + 1);
    return ST_OK;
}

Status row_change_returning(RowChange *change, Expr *const *returning, const ColId *columns, int column_count)
{
    if (change->op->plan->column_count == 0) return ST_OK;
    return eval_compile(change->op->exec, returning, change->op->plan->column_count, columns, column_count,
                        &change->returning);
}

Status row_change_open(RowChange *change, bool keep)
{
    Op *op = change->op;
    const TypeDef *key = type_find(OID_BYTEA);
    TRY(op_open_inputs(op));
    change->writer = row_writer_create(change->target.access, op->exec->txn, op->arena);
    TRY(constraints_open(op->exec, change->target.target, &change->constraints));
    change->changed = change->may_repeat ? value_set_create(op->arena, &key, 1) : NULL;
    return row_input_open(&change->input, op->inputs[0], op->arena, keep);
}

static bool as_seen(RowChange *change)
{
    for (int i = 0; i < change->target.column_count; i++)
        if (change->seen[i] >= 0 &&
            !row_lock_same(change->target.table, i, change->in_row[change->seen[i]], change->before[i]))
            return false;
    return true;
}

Status row_change_fetch(RowChange *change, const Batch *in, int row, bool *skip)
{
    Exec *exec = change->op->exec;
    Value key = in->columns[change->key_column][row];
    arena_reset(change->row_arena);
    /* An outer join may have no row of the target. */
    *skip = key.null || (change->changed && !value_set_add(change->changed, &key));
    if (*skip) return ST_OK;
    for (int c = 0; c < in->column_count; c++) change->in_row[c] = in->columns[c][row];
    RowLock lock = {.exec = exec, .access = change->target.access, .mode = change->lock_mode, .wait = LOCK_WAIT,
                    .ordinals = change->target.all_ordinals, .count = change->target.column_count};
    bool found;
    Status st = row_lock_fetch(&lock, value_to_slice(key), change->before, &found, change->row_arena);
    *skip = st == ST_END;
    if (st != ST_OK) return *skip ? ST_OK : st;
    if (!found) return row_lock_retry(exec);
    TRY(row_target_compute_virtual(&change->target, change->before, change->row_arena));
    return as_seen(change) ? ST_OK : row_lock_retry(exec);
}

void row_change_room(RowChange *change, int rows)
{
    if (rows <= change->out_capacity) return;
    change->out_capacity = rows;
    for (int c = 0; c < change->op->plan->column_count; c++)
        change->out[c] = ARENA_ARRAY(change->op->exec->arena, Value, rows);
}

Status row_change_return(RowChange *change, const Value *row, int at)
{
    Op *op = change->op;
    TRY(eval_row(change->returning, row, change->row_arena, change->returned));
    for (int c = 0; c < op->plan->column_count; c++) {
        Value v = change->returned[c];
        change->out[c][at] = v.null ? VALUE_NULL : value_copy(exec_type(op->plan->types[c].oid), v, op->batch_arena);
    }
    return ST_OK;
}

void row_change_close(RowChange *change)
{
    if (!change->op) return;
    row_target_close(&change->target);
    eval_close(change->returning);
}
