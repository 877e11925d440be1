/* eval_call.c - calls of functions and operators, and casts. */
#include "executor/eval_internal.h"

#include <assert.h>

struct CallSite {
    const FuncDef *function;
    FnCtx ctx;
    Value *row_args; /* one call's arguments, gathered */
};

CallSite *eval_call_site(Program *p, const FuncDef *function, const TypeRef *arg_types, int arg_count, TypeRef result)
{
    CallSite *site = ARENA_NEW(p->arena, CallSite);
    site->function = function;
    site->ctx.arg_types = arena_copy(p->arena, arg_types, sizeof(TypeRef) * (size_t)arg_count);
    site->ctx.arg_count = arg_count;
    site->ctx.result_type = result;
    site->ctx.site_arena = p->arena;
    if (function->site_size) site->ctx.site = arena_alloc(p->arena, function->site_size);
    site->row_args = ARENA_ARRAY(p->arena, Value, arg_count + 1);
    return site;
}

static void site_ready(Program *p, CallSite *site)
{
    site->ctx.type = eval_type_ctx(p);
    site->ctx.session = p->exec->session;
    site->ctx.txn = p->exec->txn;
}

Status eval_call_row(Program *p, CallSite *site, const Value *args, Value *out)
{
    *out = (Value){0};
    if (site->function->flags & FN_STRICT)
        for (int a = 0; a < site->ctx.arg_count; a++)
            if (args[a].null) {
                *out = VALUE_NULL;
                return ST_OK;
            }
    site_ready(p, site);
    return site->function->body(&site->ctx, args, out);
}

static Status call_batch(Program *p, const Instr *in, const int *rows, int n)
{
    CallSite *site = in->state;
    Value *out = eval_rows(p, in->out);
    const Value **args = ARENA_ARRAY(p->batch, const Value *, in->arg_count + 1);
    for (int a = 0; a < in->arg_count; a++) args[a] = eval_rows(p, in->args[a]);
    const int *active = rows;
    int active_count = n;
    if (site->function->flags & FN_STRICT) {
        int *kept = ARENA_ARRAY(p->batch, int, n), kept_count = 0;
        for (int i = 0; i < n; i++) {
            bool null = false;
            for (int a = 0; a < in->arg_count && !null; a++) null = args[a][rows[i]].null;
            if (null)
                out[rows[i]] = VALUE_NULL;
            else
                kept[kept_count++] = rows[i];
        }
        active = kept;
        active_count = kept_count;
    }
    if (active_count == 0) return ST_OK;
    site_ready(p, site);
    Value **vectors;
    memcpy(&vectors, &args, sizeof vectors);
    return site->function->batch(&site->ctx, vectors, active, active_count, out);
}

static Status call_rows(Program *p, const Instr *in, const int *rows, int n)
{
    CallSite *site = in->state;
    FnBody body = site->function->body;
    bool strict = site->function->flags & FN_STRICT;
    Value *out = eval_rows(p, in->out), *row_args = site->row_args;
    site_ready(p, site);
    for (int i = 0; i < n; i++) {
        bool null = false;
        for (int a = 0; a < in->arg_count; a++) {
            row_args[a] = eval_rows(p, in->args[a])[rows[i]];
            null |= row_args[a].null;
        }
        out[rows[i]] = (Value){0};
        if (strict && null)
            out[rows[i]] = VALUE_NULL;
        else
            TRY(body(&site->ctx, row_args, &out[rows[i]]));
    }
    return ST_OK;
}

Status eval_compile_call(Program *p, const Expr *e, int *reg)
{
    const FuncDef *function = ((const ExprCall *)e)->function;
    int *args;
    TRY(eval_compile_args(p, e->args, e->arg_count, &args));
    if (!function->body && !function->batch)
        return err_set(p->exec->err, p->exec->arena, ERR_FEATURE_NOT_SUPPORTED,
                       "set-valued function called in context that cannot accept a set");
    TypeRef *types = ARENA_ARRAY(p->arena, TypeRef, e->arg_count + 1);
    for (int a = 0; a < e->arg_count; a++) types[a] = e->args[a]->type;
    CallSite *site = eval_call_site(p, function, types, e->arg_count, e->type);
    Instr *in = eval_emit(p, function->batch ? call_batch : call_rows, e);
    in->args = args;
    in->arg_count = e->arg_count;
    in->state = site;
    *reg = in->out;
    return ST_OK;
}

/* ---- casts ---- */

static Status cast_rows(Program *p, const Instr *in, const int *rows, int n)
{
    const ExprCast *e = (const ExprCast *)in->expr;
    const Value *arg = eval_rows(p, in->args[0]);
    Value *out = eval_rows(p, in->out);
    TypeCtx ctx = eval_type_ctx(p);
    for (int i = 0; i < n; i++) {
        if (arg[rows[i]].null)
            out[rows[i]] = VALUE_NULL;
        else
            TRY(cast_run(&ctx, &e->path, arg[rows[i]], e->base.type.typmod, e->explicit_cast, &out[rows[i]]));
    }
    return ST_OK;
}

static Status cast_int_to_float(Program *p, const Instr *in, const int *rows, int n)
{
    const Value *arg = eval_rows(p, in->args[0]);
    Value *out = eval_rows(p, in->out);
    for (int i = 0; i < n; i++)
        out[rows[i]] = arg[rows[i]].null ? VALUE_NULL : value_float((double)arg[rows[i]].i);
    return ST_OK;
}

static int int_width(Oid oid)
{
    return oid == OID_INT2 ? 2 : oid == OID_INT4 ? 4 : oid == OID_INT8 ? 8 : 0;
}

/* The value stays as it is: a binary cast without a length to enforce, or an integer that becomes a wider one. */
static bool cast_is_free(const ExprCast *e)
{
    Oid source = e->path.source, target = e->path.target;
    if (e->path.method == CAST_BINARY) return e->base.type.typmod < 0;
    return int_width(source) && int_width(target) >= int_width(source);
}

Status eval_compile_cast(Program *p, const Expr *e, int *reg)
{
    const ExprCast *cast = (const ExprCast *)e;
    int *args;
    TRY(eval_compile_args(p, e->args, 1, &args));
    if (cast_is_free(cast)) {
        *reg = args[0];
        return ST_OK;
    }
    bool to_float = int_width(cast->path.source) && cast->path.target == OID_FLOAT8;
    Instr *in = eval_emit(p, to_float ? cast_int_to_float : cast_rows, e);
    in->args = args;
    in->arg_count = 1;
    *reg = in->out;
    return ST_OK;
}
