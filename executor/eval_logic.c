/* eval_logic.c - AND, OR, NOT, IS NULL, IS TRUE, CASE, COALESCE.
 *
 * The lazy ones keep the list of rows that are still open and run each branch over those only.
 */
#include "executor/eval_internal.h"

#include <assert.h>

static int *rows_copy(Program *p, const int *rows, int n)
{
    return arena_copy(p->batch, rows, sizeof(int) * (size_t)n);
}

/* AND and OR: a row is decided by the first branch that is false (true); `op` is that deciding value. */
static Status run_and_or(Program *p, const Instr *in, const int *rows, int n)
{
    Value *out = eval_rows(p, in->out);
    int *open = rows_copy(p, rows, n), open_count = n;
    for (int i = 0; i < n; i++) out[rows[i]] = value_bool(!in->op);
    for (int b = 0; b < in->branch_count && open_count > 0; b++) {
        const Branch *branch = &in->branches[b];
        TRY(eval_range(p, branch->from, branch->to, open, open_count));
        const Value *truth = eval_rows(p, branch->reg);
        int kept = 0;
        for (int i = 0; i < open_count; i++) {
            const Value *v = &truth[open[i]];
            if (v->null)
                out[open[i]] = VALUE_NULL;
            else if ((v->i != 0) == in->op) {
                out[open[i]] = value_bool(in->op);
                continue;
            }
            open[kept++] = open[i];
        }
        open_count = kept;
    }
    return ST_OK;
}

static Status run_not(Program *p, const Instr *in, const int *rows, int n)
{
    const Value *arg = eval_rows(p, in->args[0]);
    Value *out = eval_rows(p, in->out);
    for (int i = 0; i < n; i++) out[rows[i]] = arg[rows[i]].null ? VALUE_NULL : value_bool(!arg[rows[i]].i);
    return ST_OK;
}

static Status run_is_null(Program *p, const Instr *in, const int *rows, int n)
{
    Value *out = eval_rows(p, in->out);
    for (int i = 0; i < n; i++) {
        bool holds = true;
        /* Several operands are a row: IS NULL wants all NULL, IS NOT NULL wants none NULL. */
        for (int a = 0; a < in->arg_count && holds; a++) holds = eval_rows(p, in->args[a])[rows[i]].null != in->op;
        out[rows[i]] = value_bool(holds);
    }
    return ST_OK;
}

static Status run_is_bool(Program *p, const Instr *in, const int *rows, int n)
{
    const ExprIsBool *e = (const ExprIsBool *)in->expr;
    const Value *arg = eval_rows(p, in->args[0]);
    Value *out = eval_rows(p, in->out);
    for (int i = 0; i < n; i++) {
        const Value *v = &arg[rows[i]];
        bool is = e->truth < 0 ? v->null : !v->null && (v->i != 0) == (e->truth != 0);
        out[rows[i]] = value_bool(is != e->negated);
    }
    return ST_OK;
}

static Status run_coalesce(Program *p, const Instr *in, const int *rows, int n)
{
    Value *out = eval_rows(p, in->out);
    int *open = rows_copy(p, rows, n), open_count = n;
    for (int i = 0; i < n; i++) out[rows[i]] = VALUE_NULL;
    for (int b = 0; b < in->branch_count && open_count > 0; b++) {
        const Branch *branch = &in->branches[b];
        TRY(eval_range(p, branch->from, branch->to, open, open_count));
        const Value *from = eval_rows(p, branch->reg);
        int kept = 0;
        for (int i = 0; i < open_count; i++) {
            if (from[open[i]].null)
                open[kept++] = open[i];
            else
                out[open[i]] = from[open[i]];
        }
        open_count = kept;
    }
    return ST_OK;
}

static Status case_take(Program *p, const Branch *branch, const int *rows, int n, Value *out)
{
    TRY(eval_range(p, branch->from, branch->to, rows, n));
    if (n == 0) return ST_OK;
    const Value *from = eval_rows(p, branch->reg);
    for (int i = 0; i < n; i++) out[rows[i]] = from[rows[i]];
    return ST_OK;
}

/* Branches: when, then, when, then ..., else. */
static Status run_case(Program *p, const Instr *in, const int *rows, int n)
{
    Value *out = eval_rows(p, in->out);
    int *open = rows_copy(p, rows, n), open_count = n;
    int *matched = ARENA_ARRAY(p->batch, int, n);
    int b = 0;
    for (; b + 1 < in->branch_count && open_count > 0; b += 2) {
        TRY(eval_range(p, in->branches[b].from, in->branches[b].to, open, open_count));
        const Value *truth = eval_rows(p, in->branches[b].reg);
        int kept = 0, matched_count = 0;
        for (int i = 0; i < open_count; i++) {
            const Value *v = &truth[open[i]];
            if (!v->null && v->i)
                matched[matched_count++] = open[i];
            else
                open[kept++] = open[i];
        }
        open_count = kept;
        TRY(case_take(p, &in->branches[b + 1], matched, matched_count, out));
    }
    if (open_count == 0) return ST_OK;
    assert(in->branch_count % 2 == 1);
    return case_take(p, &in->branches[in->branch_count - 1], open, open_count, out);
}

static Status compile_lazy(Program *p, const Expr *e, InstrRun run, int op, int *reg)
{
    eval_emit(p, run, e);
    int at = p->code_count - 1;
    Branch *branches = ARENA_ARRAY(p->arena, Branch, e->arg_count);
    for (int i = 0; i < e->arg_count; i++) TRY(eval_compile_branch(p, e->args[i], &branches[i]));
    Instr *in = &p->code[at];
    in->branches = branches;
    in->branch_count = e->arg_count;
    in->op = op;
    in->end = p->code_count;
    *reg = in->out;
    return ST_OK;
}

static Status compile_plain(Program *p, const Expr *e, InstrRun run, int op, int *reg)
{
    const Expr *row = e->kind == EXPR_IS_NULL && e->args[0]->kind == EXPR_ROW ? e->args[0] : e;
    int *args;
    TRY(eval_compile_args(p, row->args, row->arg_count, &args));
    Instr *in = eval_emit(p, run, e);
    in->args = args;
    in->arg_count = row->arg_count;
    in->op = op;
    *reg = in->out;
    return ST_OK;
}

Status eval_compile_logic(Program *p, const Expr *e, int *reg)
{
    if (e->kind == EXPR_AND) return compile_lazy(p, e, run_and_or, false, reg);
    if (e->kind == EXPR_OR) return compile_lazy(p, e, run_and_or, true, reg);
    if (e->kind == EXPR_CASE) return compile_lazy(p, e, run_case, 0, reg);
    if (e->kind == EXPR_COALESCE) return compile_lazy(p, e, run_coalesce, 0, reg);
    if (e->kind == EXPR_NOT) return compile_plain(p, e, run_not, 0, reg);
    if (e->kind == EXPR_IS_BOOL) return compile_plain(p, e, run_is_bool, 0, reg);
    assert(e->kind == EXPR_IS_NULL);
    return compile_plain(p, e, run_is_null, ((const ExprNegatable *)e)->negated, reg);
}
