/* eval_list.c - IN (...) and op ANY|ALL (array). */
#include "executor/eval_internal.h"
#include "executor/value_set.h"
#include "storage/types/type_array.h"

#include <assert.h>

enum { LIST_HASHED_MIN = 8 }; /* from this many constants on a hash set pays */

/* ---- IN ---- */

typedef struct ConstList {
    ValueSet *set;
    bool has_null;
} ConstList;

static Value in_result(bool found, bool null, bool negated)
{
    if (found) return value_bool(!negated);
    return null ? VALUE_NULL : value_bool(negated);
}

static Status run_in_hashed(Program *p, const Instr *in, const int *rows, int n)
{
    const ConstList *list = in->state;
    const Value *arg = eval_rows(p, in->args[0]);
    Value *out = eval_rows(p, in->out);
    for (int i = 0; i < n; i++) {
        const Value *v = &arg[rows[i]];
        out[rows[i]] = v->null ? VALUE_NULL : in_result(value_set_has(list->set, v), list->has_null, in->op);
    }
    return ST_OK;
}

static Status run_in(Program *p, const Instr *in, const int *rows, int n)
{
    const Value *arg = eval_rows(p, in->args[0]);
    Value *out = eval_rows(p, in->out);
    for (int i = 0; i < n; i++) {
        Value v = arg[rows[i]];
        bool found = false, null = false;
        for (int a = 1; a < in->arg_count && !found && !v.null; a++) {
            Value item = eval_rows(p, in->args[a])[rows[i]];
            if (item.null)
                null = true;
            else
                found = type_compare(in->type, v, item) == 0;
        }
        out[rows[i]] = v.null ? VALUE_NULL : in_result(found, null, in->op);
    }
    return ST_OK;
}

static ConstList *const_list(Program *p, const Expr *e, const TypeDef *type)
{
    if (e->arg_count - 1 < LIST_HASHED_MIN || !type->hash) return NULL;
    for (int i = 1; i < e->arg_count; i++)
        if (e->args[i]->kind != EXPR_CONST) return NULL;
    ConstList *list = ARENA_NEW(p->arena, ConstList);
    list->set = value_set_create(p->arena, &type, 1);
    for (int i = 1; i < e->arg_count; i++) {
        Value v = ((const ExprConst *)e->args[i])->value;
        if (v.null)
            list->has_null = true;
        else
            value_set_add(list->set, &v);
    }
    return list;
}

static Status compile_in(Program *p, const Expr *e, int *reg)
{
    const TypeDef *type = exec_type(e->args[0]->type.oid);
    ConstList *list = const_list(p, e, type);
    int *args;
    TRY(eval_compile_args(p, e->args, list ? 1 : e->arg_count, &args));
    Instr *in = eval_emit(p, list ? run_in_hashed : run_in, e);
    in->args = args;
    in->arg_count = list ? 1 : e->arg_count;
    in->type = type;
    in->op = ((const ExprNegatable *)e)->negated;
    in->state = list;
    *reg = in->out;
    return ST_OK;
}

/* ---- ANY, ALL over an array ---- */

static Status any_item(Program *p, const Instr *in, Value left, Value item, Value *result)
{
    if (in->state) {
        Value pair[2] = {left, item};
        return eval_call_row(p, in->state, pair, result);
    }
    *result = left.null || item.null ? VALUE_NULL
                                     : value_bool(eval_compare_holds(in->op, type_compare(in->type, left, item)));
    return ST_OK;
}

static Status any_row(Program *p, const Instr *in, Value left, Value array, Value *out)
{
    bool all = ((const ExprAnyArray *)in->expr)->all;
    *out = VALUE_NULL;
    if (array.null) return ST_OK;
    Array items;
    array_open(array, &items);
    *out = value_bool(all);
    Value result;
    bool null = false;
    for (int i = 0; i < items.count; i++) {
        TRY(any_item(p, in, left, array_element(&items, i), &result));
        if (result.null)
            null = true;
        else if ((result.i != 0) != all) {
            *out = value_bool(!all);
            return ST_OK;
        }
    }
    if (null) *out = VALUE_NULL;
    return ST_OK;
}

static Status run_any(Program *p, const Instr *in, const int *rows, int n)
{
    const Value *left = eval_rows(p, in->args[0]), *array = eval_rows(p, in->args[1]);
    Value *out = eval_rows(p, in->out);
    for (int i = 0; i < n; i++) TRY(any_row(p, in, left[rows[i]], array[rows[i]], &out[rows[i]]));
    return ST_OK;
}

Status eval_compile_list(Program *p, const Expr *e, int *reg)
{
    if (e->kind == EXPR_IN_LIST) return compile_in(p, e, reg);
    assert(e->kind == EXPR_ANY_ARRAY);
    const ExprAnyArray *any = (const ExprAnyArray *)e;
    int *args;
    TRY(eval_compile_args(p, e->args, 2, &args));
    const TypeDef *array = exec_type(e->args[1]->type.oid);
    CallSite *site = NULL;
    if (any->function) {
        TypeRef types[2] = {e->args[0]->type, {array->element_oid, -1}};
        site = eval_call_site(p, any->function, types, 2, e->type);
    }
    Instr *in = eval_emit(p, run_any, e);
    in->args = args;
    in->arg_count = 2;
    in->type = exec_type(e->args[0]->type.oid);
    in->op = (int)any->op;
    in->state = site;
    *reg = in->out;
    return ST_OK;
}
