/* op_function.h - one running call of a set-returning function, or of a plain expression: one row. */
#ifndef EXECUTOR_OPS_OP_FUNCTION_H
#define EXECUTOR_OPS_OP_FUNCTION_H

#include "executor/eval.h"

typedef struct FunctionCall {
    Expr *expr;
    const FuncDef *function; /* NULL: a plain expression */
    Program *args;           /* the arguments, or the expression itself */
    Value *arg_values, single;
    FnCtx ctx;
    void *state;
    bool done;
} FunctionCall;

/* Made once; lives in exec->arena. columns: of the rows given to start. */
Status function_call_init(FunctionCall *call, Exec *exec, Expr *e, const ColId *columns, int column_count);
/* arena: holds the call's state and arguments until its last row. */
Status function_call_start(FunctionCall *call, Exec *exec, const Value *row, Arena *arena);
/* out: one value per result column. ST_END. */
Status function_call_next(FunctionCall *call, Exec *exec, Value *out);

#endif
