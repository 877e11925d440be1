/* exec.c - what the operators of one statement share. */
#include "executor/ops/exec.h"

#include "executor/constraint/constraint.h"
#include "planner/session.h"
#include "planner/settings.h"

Exec *exec_create(Session *session, const PlannedStmt *planned, Arena *arena)
{
    Exec *exec = ARENA_NEW(arena, Exec);
    exec->session = session;
    exec->arena = arena;
    exec->planned = planned;
    exec->param_types = planned->param_types;
    exec->main_plan = planned->plan;
    while (exec->main_plan->kind == PLAN_WITH) exec->main_plan = exec->main_plan->inputs[0];
    exec->stats = ARENA_ARRAY(arena, OpStats, planned->plan_count + 1);
    return exec;
}

void exec_start(Exec *exec, Txn *txn, const Value *params, Error *err)
{
    constraints_forget(exec);
    exec->run++;
    exec->txn = txn;
    exec->params = params;
    exec->err = err;
    exec->rows_affected = 0;
    exec->retry_statement = false;
    exec->work_mem_bytes = (size_t)64 << 20;
    if (exec->session && exec->session->settings)
        exec->work_mem_bytes = (size_t)setting_int(exec->session->settings, SETTING_work_mem) << 10;
}

Value **exec_outer(Exec *exec, ColId column)
{
    if (column >= exec->outer_count) {
        int count = column < 16 ? 32 : column * 2;
        exec->outer = arena_grow(exec->arena, exec->outer, sizeof(Value *) * (size_t)exec->outer_count,
                                 sizeof(Value *) * (size_t)count);
        for (int i = exec->outer_count; i < count; i++) exec->outer[i] = NULL;
        exec->outer_count = count;
    }
    return &exec->outer[column];
}

const TypeEnv *exec_type_env(const Exec *exec)
{
    return exec->session ? &exec->session->type_env : &type_env_default;
}

const TypeDef *exec_type(Oid oid)
{
    const TypeDef *type = type_find(oid);
    return type ? type : type_find(OID_BYTEA);
}
