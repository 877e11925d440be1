/* prepare.c - PREPARE, EXECUTE, DEALLOCATE. */
#include "executor/eval.h"
#include "executor/utility_run.h"

Status prepare_run(Portal *p, const UtilityPrepare *u, Error *err)
{
    return stmt_prepare_sql(p->session, u->name, u->text, u->param_types, u->param_count, err);
}

static Status cast_param(Portal *p, const Expr *e, Value in, TypeRef wanted, Value *out, Error *err)
{
    SessionState *s = p->session;
    *out = VALUE_NULL;
    if (in.null) return ST_OK;
    CastDef path;
    /* A plain string in the list is of no type yet. */
    bool literal = e->kind == EXPR_CONST && (e->type.oid == OID_UNKNOWN || e->type.oid == OID_TEXT);
    if (!cast_find_path(e->type.oid, wanted.oid, literal ? CAST_EXPLICIT : CAST_ASSIGNMENT, &path))
        return err_set(err, state_error_arena(s), ERR_DATATYPE_MISMATCH,
                       "parameter of type %s cannot be coerced to the expected type %s", type_format(e->type, p->arena),
                       type_format(wanted, p->arena));
    TypeCtx ctx = {p->arena, &s->session.type_env, err};
    return cast_run(&ctx, &path, in, wanted.typmod, false, out);
}

static Status execute_params(Portal *p, const UtilityExecute *u, const Stmt *stmt, Value **params, Error *err)
{
    int wanted = stmt->planned.param_count;
    if (u->param_count != wanted) {
        (void)err_set(err, state_error_arena(p->session), ERR_SYNTAX_ERROR,
                      "wrong number of parameters for prepared statement \"%s\"", u->name);
        err_detail(err, state_error_arena(p->session), "Expected %d parameters but got %d.", wanted, u->param_count);
        return ST_ERROR;
    }
    Exec *exec = exec_create(&p->session->session, &p->stmt->planned, p->arena);
    exec_start(exec, p->session->txn, p->params, err);
    *params = ARENA_ARRAY(p->arena, Value, wanted + 1);
    for (int i = 0; i < wanted; i++) {
        Value v;
        TRY(eval_single(exec, u->params[i], &v, p->arena));
        TRY(cast_param(p, u->params[i], v, stmt->planned.param_types[i], &(*params)[i], err));
    }
    return ST_OK;
}

Status prepare_execute(Portal *p, const UtilityExecute *u, Stmt **out, Value **params, Error *err)
{
    SessionState *s = p->session;
    Stmt *stmt = *out = stmt_find(&s->session, u->name);
    if (!stmt || !*u->name) return stmt_not_found(s, u->name, err);
    if (!stmt->parsed) return ST_OK;
    TRY(stmt_plan(stmt, err));
    return execute_params(p, u, stmt, params, err);
}

Status prepare_bind_execute(Portal *p, const UtilityExecute *u, Error *err)
{
    SessionState *s = p->session;
    Stmt *stmt;
    Value *params;
    TRY(prepare_execute(p, u, &stmt, &params, err));
    if (!stmt->parsed) return ST_OK;
    TRY(portal_create(s, NULL, stmt, params, &p->inner, err));
    p->columns = p->inner->columns;
    p->column_count = p->inner->column_count;
    return ST_OK;
}

Status prepare_deallocate(Portal *p, const UtilityDeallocate *u, Error *err)
{
    SessionState *s = p->session;
    if (u->name) {
        Stmt *stmt = stmt_find(&s->session, u->name);
        if (!stmt || !*u->name) return stmt_not_found(s, u->name, err);
        stmt_close(&s->session, u->name);
        return ST_OK;
    }
    for (Stmt *stmt = s->stmts, *next; stmt; stmt = next) {
        next = stmt->next;
        if (*stmt->name) stmt_close(&s->session, stmt->name);
    }
    return ST_OK;
}
