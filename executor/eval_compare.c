/* eval_compare.c - comparisons, IS DISTINCT FROM, row comparison, GREATEST and LEAST. */
#include "executor/eval_internal.h"

#include <assert.h>

/* Each fast path is a loop whose body the compiler sees whole; OP is a C comparison operator. */
#define COMPARE_LOOP(field, OP)                                                                                      \
    for (int i = 0; i < n; i++) {                                                                                    \
        const Value *x = &a[rows[i]], *y = &b[rows[i]];                                                              \
        out[rows[i]] = x->null | y->null ? VALUE_NULL : value_bool(x->field OP y->field);                            \
    }                                                                                                                \
    return ST_OK

static Status compare_ints(Program *p, const Instr *in, const int *rows, int n)
{
    const Value *a = eval_rows(p, in->args[0]), *b = eval_rows(p, in->args[1]);
    Value *out = eval_rows(p, in->out);
    switch ((CompareOp)in->op) {
    case COMPARE_EQ: COMPARE_LOOP(i, ==);
    case COMPARE_NE: COMPARE_LOOP(i, !=);
    case COMPARE_LT: COMPARE_LOOP(i, <);
    case COMPARE_LE: COMPARE_LOOP(i, <=);
    case COMPARE_GT: COMPARE_LOOP(i, >);
    case COMPARE_GE: COMPARE_LOOP(i, >=);
    }
    return ST_OK;
}

/* Types whose equality is that of their bytes. */
static Status compare_bytes_equal(Program *p, const Instr *in, const int *rows, int n)
{
    const Value *a = eval_rows(p, in->args[0]), *b = eval_rows(p, in->args[1]);
    Value *out = eval_rows(p, in->out);
    bool wanted = in->op == COMPARE_EQ;
    for (int i = 0; i < n; i++) {
        const Value *x = &a[rows[i]], *y = &b[rows[i]];
        if (x->null | y->null)
            out[rows[i]] = VALUE_NULL;
        else
            out[rows[i]] = value_bool(slice_equal(value_to_slice(*x), value_to_slice(*y)) == wanted);
    }
    return ST_OK;
}

static Status compare_any(Program *p, const Instr *in, const int *rows, int n)
{
    const Value *a = eval_rows(p, in->args[0]), *b = eval_rows(p, in->args[1]);
    Value *out = eval_rows(p, in->out);
    const TypeDef *type = in->type;
    for (int i = 0; i < n; i++) {
        const Value *x = &a[rows[i]], *y = &b[rows[i]];
        if (x->null | y->null)
            out[rows[i]] = VALUE_NULL;
        else
            out[rows[i]] = value_bool(eval_compare_holds(in->op, type_compare(type, *x, *y)));
    }
    return ST_OK;
}

static bool type_equal_by_bytes(const TypeDef *type)
{
    return type->oid == OID_TEXT || type->oid == OID_VARCHAR || type->oid == OID_BYTEA || type->oid == OID_UUID ||
           type->oid == OID_NAME;
}

static InstrRun compare_runner(const TypeDef *type, int op)
{
    if (type->rep == REP_INT) return compare_ints;
    if ((op == COMPARE_EQ || op == COMPARE_NE) && type_equal_by_bytes(type)) return compare_bytes_equal;
    return compare_any;
}

static Status run_distinct(Program *p, const Instr *in, const int *rows, int n)
{
    bool negated = ((const ExprNegatable *)in->expr)->negated; /* IS NOT DISTINCT FROM */
    const Value *a = eval_rows(p, in->args[0]), *b = eval_rows(p, in->args[1]);
    Value *out = eval_rows(p, in->out);
    for (int i = 0; i < n; i++) {
        const Value *x = &a[rows[i]], *y = &b[rows[i]];
        bool same = x->null | y->null ? x->null & y->null : type_compare(in->type, *x, *y) == 0;
        out[rows[i]] = value_bool(same == negated);
    }
    return ST_OK;
}

/* ---- rows ---- */

/* in->state: the TypeDef of each pair. */
static Value row_equal(Program *p, const Instr *in, int row)
{
    const TypeDef **types = in->state;
    bool null = false;
    int pairs = in->arg_count / 2;
    for (int i = 0; i < pairs; i++) {
        Value a = eval_rows(p, in->args[i])[row], b = eval_rows(p, in->args[pairs + i])[row];
        if (a.null || b.null)
            null = true;
        else if (type_compare(types[i], a, b) != 0)
            return value_bool(in->op == COMPARE_NE);
    }
    return null ? VALUE_NULL : value_bool(in->op == COMPARE_EQ);
}

/* The first pair that is not equal decides; a NULL before it makes the result unknown. */
static Value row_order(Program *p, const Instr *in, int row)
{
    const TypeDef **types = in->state;
    int pairs = in->arg_count / 2, order = 0;
    for (int i = 0; i < pairs && order == 0; i++) {
        Value a = eval_rows(p, in->args[i])[row], b = eval_rows(p, in->args[pairs + i])[row];
        if (a.null || b.null) return VALUE_NULL;
        order = type_compare(types[i], a, b);
    }
    return value_bool(eval_compare_holds(in->op, order));
}

static Status run_row_compare(Program *p, const Instr *in, const int *rows, int n)
{
    Value *out = eval_rows(p, in->out);
    bool equality = in->op == COMPARE_EQ || in->op == COMPARE_NE;
    for (int i = 0; i < n; i++) out[rows[i]] = equality ? row_equal(p, in, rows[i]) : row_order(p, in, rows[i]);
    return ST_OK;
}

static Status run_min_max(Program *p, const Instr *in, const int *rows, int n)
{
    Value *out = eval_rows(p, in->out);
    for (int i = 0; i < n; i++) {
        Value best = VALUE_NULL;
        for (int a = 0; a < in->arg_count; a++) {
            Value v = eval_rows(p, in->args[a])[rows[i]];
            if (v.null) continue;
            int order = best.null ? 0 : type_compare(in->type, v, best);
            if (best.null || (in->op ? order < 0 : order > 0)) best = v;
        }
        out[rows[i]] = best;
    }
    return ST_OK;
}

static Status check_comparable(Program *p, const TypeDef *type, TypeRef ref)
{
    if (type->compare) return ST_OK;
    return err_set(p->exec->err, p->exec->arena, ERR_UNDEFINED_FUNCTION,
                   "could not identify a comparison function for type %s", type_format(ref, p->exec->arena));
}

Status eval_compile_compare(Program *p, const Expr *e, int *reg)
{
    int *args;
    TRY(eval_compile_args(p, e->args, e->arg_count, &args));
    const TypeDef *type = exec_type(e->args[0]->type.oid);
    TRY(check_comparable(p, type, e->args[0]->type));
    InstrRun run = run_distinct;
    int op = 0;
    void *state = NULL;
    if (e->kind == EXPR_COMPARE) {
        op = (int)((const ExprCompare *)e)->op;
        run = compare_runner(type, op);
    } else if (e->kind == EXPR_MIN_MAX) {
        op = ((const ExprMinMax *)e)->least;
        run = run_min_max;
    } else if (e->kind == EXPR_ROW_COMPARE) {
        op = (int)((const ExprCompare *)e)->op;
        run = run_row_compare;
        const TypeDef **types = ARENA_ARRAY(p->arena, const TypeDef *, e->arg_count);
        for (int i = 0; i < e->arg_count; i++) types[i] = exec_type(e->args[i]->type.oid);
        state = types;
    }
    Instr *in = eval_emit(p, run, e);
    in->args = args;
    in->arg_count = e->arg_count;
    in->type = type;
    in->op = op;
    in->state = state;
    *reg = in->out;
    return ST_OK;
}
