/* eval_domain.c - values judged by a domain's constraints. */
#include "executor/eval_internal.h"
#include "storage/types/type_array.h"

static Status refuse(Program *p, const ExprDomain *e, const DomainRule *rule)
{
    Exec *exec = p->exec;
    const char *name = type_format((TypeRef){e->domain, -1}, p->batch);
    if (!rule->check)
        return err_set(exec->err, p->batch, ERR_NOT_NULL_VIOLATION, "domain %s does not allow null values", name);
    (void)err_set(exec->err, p->batch, ERR_CHECK_VIOLATION, "value for domain %s violates check constraint \"%s\"", name,
                  rule->constraint);
    exec->err->constraint = rule->constraint;
    return ST_ERROR;
}

static Status judge(Program *p, const Instr *in, Value value)
{
    const ExprDomain *e = (const ExprDomain *)in->expr;
    Program **checks = in->state;
    for (int i = 0; i < e->rule_count; i++) {
        bool holds = !value.null, unknown = false;
        if (checks[i]) TRY(eval_row_test(checks[i], &value, p->batch, &holds, &unknown));
        if (!holds && !unknown) return refuse(p, e, &e->rules[i]);
    }
    return ST_OK;
}

static Status judge_elements(Program *p, const Instr *in, Value value)
{
    Array array;
    if (value.null) return ST_OK;
    array_open(value, &array);
    for (int i = 0; i < array.count; i++) TRY(judge(p, in, array_element(&array, i)));
    return ST_OK;
}

static Status run_domain(Program *p, const Instr *in, const int *rows, int n)
{
    const Value *arg = eval_rows(p, in->args[0]);
    Value *out = eval_rows(p, in->out);
    bool elements = ((const ExprDomain *)in->expr)->elements;
    for (int i = 0; i < n; i++) {
        out[rows[i]] = arg[rows[i]];
        TRY((elements ? judge_elements : judge)(p, in, arg[rows[i]]));
    }
    return ST_OK;
}

Status eval_compile_domain(Program *p, const Expr *e, int *reg)
{
    const ExprDomain *domain = (const ExprDomain *)e;
    Program **checks = ARENA_ARRAY(p->arena, Program *, domain->rule_count);
    int *args;
    TRY(eval_compile_args(p, e->args, 1, &args));
    for (int i = 0; i < domain->rule_count; i++) {
        Expr *check = domain->rules[i].check;
        if (check) TRY(eval_compile_in(p->exec, &check, 1, &(EvalLayout){&domain->value, 1}, &checks[i], p->arena));
    }
    Instr *in = eval_emit(p, run_domain, e);
    in->args = args;
    in->arg_count = 1;
    in->state = checks;
    *reg = in->out;
    return ST_OK;
}
