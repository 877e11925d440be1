/* eval_internal.h - the parts of an expression program, shared by eval*.c.
 *
 * A program is an array of instructions in the order in which they run. Each writes one register: a vector of values
 * with a place per row. A lazy instruction (AND, CASE ...) owns the instructions behind it up to `end` as branches and
 * runs them itself over the rows that still need them; eval_range steps over them.
 */
#ifndef EXECUTOR_EVAL_INTERNAL_H
#define EXECUTOR_EVAL_INTERNAL_H

#include "executor/eval.h"
#include "planner/session.h"

typedef struct Instr Instr;
typedef Status (*InstrRun)(Program *p, const Instr *in, const int *rows, int n);

typedef struct Branch {
    int from, to, reg;
} Branch;

struct Instr {
    InstrRun run;
    const Expr *expr;
    int out;             /* register written */
    int *args;           /* registers read */
    int arg_count;
    int end;             /* the next instruction of this level */
    Branch *branches;    /* lazy instructions only */
    int branch_count;
    const TypeDef *type; /* of the operands, where they are compared */
    int op;              /* a CompareOp or another small choice */
    void *state;
};

typedef enum RegKind { REG_TEMP, REG_INPUT, REG_CONST, REG_PARAM, REG_OUTER } RegKind;

typedef struct Reg {
    RegKind kind;
    int index;     /* input column, parameter number or outer ColId */
    Value value;   /* REG_CONST, REG_PARAM: what fills the rows */
    Value *rows;
    int filled;    /* REG_CONST, REG_PARAM: rows that hold the value */
    uint64_t run;  /* REG_PARAM: the run of the Exec that it was read in */
} Reg;

typedef struct SubProgram SubProgram; /* eval_subquery.c: a subquery's operator tree */

struct Program {
    Exec *exec;
    Arena *arena;      /* of the program itself */
    Arena *batch;      /* of the run in progress */
    Instr *code;
    int code_count, code_capacity;
    Reg *regs;
    int reg_count, reg_capacity;
    int *outs;
    int out_count;
    int capacity;      /* rows that REG_TEMP vectors hold */
    int *identity;     /* 0, 1, 2 ... capacity-1 */
    const ColId *columns;
    int column_count;
    SubProgram *subqueries; /* linked, for eval_close */
    const Batch *input;     /* of the run in progress: outer rows of subqueries */
};

/* ---- compiling ---- */
typedef struct EvalLayout {
    const ColId *columns;
    int column_count;
} EvalLayout;
/* eval_compile with an arena of its own, for a program that is run once. */
Status eval_compile_in(Exec *exec, Expr *const *exprs, int count, const EvalLayout *layout, Program **program, Arena *arena);
Status eval_compile_expr(Program *p, const Expr *e, int *reg);
/* A new instruction with a register that it writes; valid until the next. */
Instr *eval_emit(Program *p, InstrRun run, const Expr *e);
int eval_new_reg(Program *p, RegKind kind, int index);
Status eval_compile_args(Program *p, Expr *const *args, int count, int **regs);
/* Compiles one branch of the lazy instruction that was emitted last. */
Status eval_compile_branch(Program *p, const Expr *e, Branch *branch);

Status eval_compile_call(Program *p, const Expr *e, int *reg);     /* eval_call.c */
Status eval_compile_cast(Program *p, const Expr *e, int *reg);
Status eval_compile_domain(Program *p, const Expr *e, int *reg);   /* eval_domain.c */
Status eval_compile_logic(Program *p, const Expr *e, int *reg);    /* eval_logic.c */
Status eval_compile_compare(Program *p, const Expr *e, int *reg);  /* eval_compare.c */
Status eval_compile_list(Program *p, const Expr *e, int *reg);     /* eval_list.c */
Status eval_compile_array(Program *p, const Expr *e, int *reg);    /* eval_array.c */
Status eval_compile_subquery(Program *p, const Expr *e, int *reg); /* eval_subquery.c */
void eval_close_subqueries(Program *p);

/* ---- running ---- */
Status eval_range(Program *p, int from, int to, const int *rows, int n);

static inline Value *eval_rows(const Program *p, int reg)
{
    return p->regs[reg].rows;
}

static inline TypeCtx eval_type_ctx(const Program *p)
{
    return (TypeCtx){.arena = p->batch, .env = exec_type_env(p->exec), .err = p->exec->err};
}

/* A function to be called per row, with its site memory; eval_call.c. */
typedef struct CallSite CallSite;
CallSite *eval_call_site(Program *p, const FuncDef *function, const TypeRef *arg_types, int arg_count, TypeRef result);
Status eval_call_row(Program *p, CallSite *site, const Value *args, Value *out); /* strictness is kept */

/* Does `order` (of a comparison) satisfy op? */
static inline bool eval_compare_holds(int op, int order)
{
    switch ((CompareOp)op) {
    case COMPARE_EQ: return order == 0;
    case COMPARE_NE: return order != 0;
    case COMPARE_LT: return order < 0;
    case COMPARE_LE: return order <= 0;
    case COMPARE_GT: return order > 0;
    case COMPARE_GE: return order >= 0;
    }
    return false;
}

#endif
