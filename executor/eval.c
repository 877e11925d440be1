/* eval.c - running expression programs. */
#include "executor/eval_internal.h"

#include <assert.h>

Status eval_range(Program *p, int from, int to, const int *rows, int n)
{
    if (n == 0) return ST_OK;
    for (int i = from; i < to; i = p->code[i].end) {
        assert(p->code[i].end > i);
        TRY(p->code[i].run(p, &p->code[i], rows, n));
    }
    return ST_OK;
}

static void program_grow(Program *p, int rows)
{
    int capacity = p->capacity ? p->capacity : 1;
    while (capacity < rows) capacity *= 4;
    for (int i = 0; i < p->reg_count; i++) {
        Reg *reg = &p->regs[i];
        if (reg->kind == REG_INPUT) continue;
        reg->rows = ARENA_ARRAY(p->arena, Value, capacity);
        reg->filled = 0;
    }
    p->identity = ARENA_ARRAY(p->arena, int, capacity);
    for (int i = 0; i < capacity; i++) p->identity[i] = i;
    p->capacity = capacity;
}

static void reg_fill(Reg *reg, Value value, int from, int rows)
{
    for (int i = from; i < rows; i++) reg->rows[i] = value;
    if (reg->filled < rows) reg->filled = rows;
}

static void program_load(Program *p, const Batch *batch)
{
    for (int i = 0; i < p->reg_count; i++) {
        Reg *reg = &p->regs[i];
        switch (reg->kind) {
        case REG_TEMP: break;
        case REG_INPUT: reg->rows = batch->columns[reg->index]; break;
        case REG_CONST: reg_fill(reg, reg->value, reg->filled, batch->row_count); break;
        case REG_PARAM:
            if (reg->run != p->exec->run) {
                reg->run = p->exec->run;
                reg->value = p->exec->params[reg->index - 1];
                reg->filled = 0;
            }
            reg_fill(reg, reg->value, reg->filled, batch->row_count);
            break;
        case REG_OUTER: {
            Value *value = *exec_outer(p->exec, reg->index);
            assert(value != NULL);
            reg_fill(reg, *value, 0, batch->row_count);
            break;
        }
        }
    }
}

static Status program_run(Program *p, const Batch *batch, Arena *arena, const int **rows, int *count)
{
    if (batch->row_count > p->capacity) program_grow(p, batch->row_count);
    p->batch = arena;
    p->input = batch;
    program_load(p, batch);
    *rows = batch->selected ? batch->selected : p->identity;
    *count = batch_rows(batch);
    return eval_range(p, 0, p->code_count, *rows, *count);
}

Status eval_run(Program *program, const Batch *batch, Arena *arena, Value **out)
{
    const int *rows;
    int count;
    TRY(program_run(program, batch, arena, &rows, &count));
    for (int i = 0; i < program->out_count; i++) out[i] = program->regs[program->outs[i]].rows;
    return ST_OK;
}

Status eval_filter(Program *program, const Batch *batch, Arena *arena, int *selected, int *count)
{
    const int *rows;
    int n, kept = 0;
    TRY(program_run(program, batch, arena, &rows, &n));
    const Value *truth = eval_rows(program, program->outs[0]);
    for (int i = 0; i < n; i++) {
        const Value *v = &truth[rows[i]];
        if (!v->null && v->i) selected[kept++] = rows[i];
    }
    *count = kept;
    return ST_OK;
}

Status eval_row(Program *program, const Value *row, Arena *arena, Value *out)
{
    Value *columns[64], **places = columns;
    if (program->column_count > 64) places = ARENA_ARRAY(arena, Value *, program->column_count);
    /* A batch of one row: each column vector is the value's own place in the row. */
    for (int i = 0; i < program->column_count; i++) memcpy(&places[i], &(const Value *){row + i}, sizeof places[i]);
    Batch batch = {.columns = places, .column_count = program->column_count, .row_count = 1};
    const int *rows;
    int n;
    TRY(program_run(program, &batch, arena, &rows, &n));
    program->input = NULL;
    for (int i = 0; i < program->out_count; i++) out[i] = program->regs[program->outs[i]].rows[0];
    return ST_OK;
}

Status eval_row_test(Program *program, const Value *row, Arena *arena, bool *is_true, bool *unknown)
{
    Value value;
    assert(program->out_count == 1);
    TRY(eval_row(program, row, arena, &value));
    *is_true = !value.null && value.i;
    if (unknown) *unknown = value.null;
    return ST_OK;
}

Status eval_single(Exec *exec, Expr *e, Value *value, Arena *arena)
{
    if (e->kind == EXPR_CONST) {
        *value = ((const ExprConst *)e)->value;
        return ST_OK;
    }
    if (e->kind == EXPR_PARAM) {
        *value = exec->params[((const ExprParam *)e)->number - 1];
        return ST_OK;
    }
    if (e->kind == EXPR_COLUMN) {
        Value *outer = *exec_outer(exec, ((const ExprColumn *)e)->column);
        assert(outer != NULL);
        *value = *outer;
        return ST_OK;
    }
    Program *program;
    TRY(eval_compile_in(exec, &e, 1, &(EvalLayout){0}, &program, arena));
    Status st = eval_row(program, NULL, arena, value);
    eval_close(program);
    return st;
}

void eval_close(Program *program)
{
    if (program) eval_close_subqueries(program);
}
