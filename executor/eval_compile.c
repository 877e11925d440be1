/* eval_compile.c - from expression trees to programs. */
#include "executor/eval_internal.h"

#include <assert.h>

int eval_new_reg(Program *p, RegKind kind, int index)
{
    if (kind != REG_TEMP && kind != REG_CONST)
        for (int i = 0; i < p->reg_count; i++)
            if (p->regs[i].kind == kind && p->regs[i].index == index) return i;
    if (p->reg_count == p->reg_capacity) {
        int capacity = p->reg_capacity ? p->reg_capacity * 2 : 8;
        p->regs = arena_grow(p->arena, p->regs, sizeof(Reg) * (size_t)p->reg_capacity, sizeof(Reg) * (size_t)capacity);
        p->reg_capacity = capacity;
    }
    p->regs[p->reg_count] = (Reg){.kind = kind, .index = index};
    return p->reg_count++;
}

Instr *eval_emit(Program *p, InstrRun run, const Expr *e)
{
    if (p->code_count == p->code_capacity) {
        int capacity = p->code_capacity ? p->code_capacity * 2 : 8;
        p->code = arena_grow(p->arena, p->code, sizeof(Instr) * (size_t)p->code_capacity,
                             sizeof(Instr) * (size_t)capacity);
        p->code_capacity = capacity;
    }
    int at = p->code_count++;
    p->code[at] = (Instr){.run = run, .expr = e, .out = eval_new_reg(p, REG_TEMP, 0), .end = at + 1};
    return &p->code[at];
}

Status eval_compile_args(Program *p, Expr *const *args, int count, int **regs)
{
    *regs = ARENA_ARRAY(p->arena, int, count + 1);
    for (int i = 0; i < count; i++) TRY(eval_compile_expr(p, args[i], &(*regs)[i]));
    return ST_OK;
}

Status eval_compile_branch(Program *p, const Expr *e, Branch *branch)
{
    branch->from = p->code_count;
    TRY(eval_compile_expr(p, e, &branch->reg));
    branch->to = p->code_count;
    return ST_OK;
}

static int compile_column(Program *p, const Expr *e)
{
    ColId column = ((const ExprColumn *)e)->column;
    for (int i = 0; i < p->column_count; i++)
        if (p->columns[i] == column) return eval_new_reg(p, REG_INPUT, i);
    return eval_new_reg(p, REG_OUTER, column);
}

static int compile_const(Program *p, const Expr *e)
{
    int reg = eval_new_reg(p, REG_CONST, 0);
    p->regs[reg].value = ((const ExprConst *)e)->value;
    return reg;
}

Status eval_compile_expr(Program *p, const Expr *e, int *reg)
{
    switch (e->kind) {
    case EXPR_CONST: *reg = compile_const(p, e); return ST_OK;
    case EXPR_PARAM: *reg = eval_new_reg(p, REG_PARAM, ((const ExprParam *)e)->number); return ST_OK;
    case EXPR_COLUMN: *reg = compile_column(p, e); return ST_OK;
    case EXPR_CALL: return eval_compile_call(p, e, reg);
    case EXPR_CAST: return eval_compile_cast(p, e, reg);
    case EXPR_DOMAIN: return eval_compile_domain(p, e, reg);
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_NOT:
    case EXPR_IS_NULL:
    case EXPR_IS_BOOL:
    case EXPR_CASE:
    case EXPR_COALESCE: return eval_compile_logic(p, e, reg);
    case EXPR_COMPARE:
    case EXPR_DISTINCT:
    case EXPR_ROW_COMPARE:
    case EXPR_MIN_MAX: return eval_compile_compare(p, e, reg);
    case EXPR_IN_LIST:
    case EXPR_ANY_ARRAY: return eval_compile_list(p, e, reg);
    case EXPR_ARRAY:
    case EXPR_ROW:
    case EXPR_FIELD:
    case EXPR_SUBSCRIPT: return eval_compile_array(p, e, reg);
    case EXPR_SUBQUERY: return eval_compile_subquery(p, e, reg);
    case EXPR_AGGREGATE:
    case EXPR_WINDOW:
    case EXPR_DEFAULT: break;
    }
    assert(!"aggregates, window functions and DEFAULT have operators of their own");
    return err_set(p->exec->err, p->exec->arena, ERR_INTERNAL_ERROR, "unexpected expression kind %d", (int)e->kind);
}

Status eval_compile_in(Exec *exec, Expr *const *exprs, int count, const EvalLayout *layout, Program **program, Arena *arena)
{
    Program *p = ARENA_NEW(arena, Program);
    p->exec = exec;
    p->arena = arena;
    p->columns = layout->columns;
    p->column_count = layout->column_count;
    p->outs = ARENA_ARRAY(arena, int, count + 1);
    p->out_count = count;
    *program = p;
    for (int i = 0; i < count; i++) TRY(eval_compile_expr(p, exprs[i], &p->outs[i]));
    return ST_OK;
}

Status eval_compile(Exec *exec, Expr *const *exprs, int count, const ColId *columns, int column_count, Program **program)
{
    return eval_compile_in(exec, exprs, count, &(EvalLayout){columns, column_count}, program, exec->arena);
}
