/* expr_fold.c - the value of an expression that uses no column: for folding constants and for DDL.
 *
 * The planner reads no rows, so what needs a transaction (a subquery) has no value here: *known is false.
 */
#include "planner/expr_fold.h"

#include "storage/types/type_array.h"
#include "storage/types/type_record.h"

typedef struct Fold {
    Session *session;
    TypeCtx types;
    bool known;
} Fold;

static Status fold(Fold *f, const Expr *e, Value *out);

/* Cannot be evaluated here. */
static Status unknown(Fold *f, Value *out)
{
    f->known = false;
    *out = VALUE_NULL;
    return ST_OK;
}

static Status fold_at(Fold *f, const Expr *e, Status status)
{
    if (status == ST_ERROR && e->position) return err_at(f->types.err, e->position);
    return status;
}

/* ---- calls and casts ---- */

static Status fold_args(Fold *f, const Expr *e, Value **values, bool *any_null)
{
    *values = ARENA_ARRAY(f->types.arena, Value, e->arg_count + 1);
    *any_null = false;
    for (int i = 0; i < e->arg_count && f->known; i++) {
        TRY(fold(f, e->args[i], &(*values)[i]));
        *any_null |= (*values)[i].null;
    }
    return ST_OK;
}

static Status fold_call(Fold *f, const Expr *e, Value *out)
{
    const FuncDef *function = ((const ExprCall *)e)->function;
    Value *args;
    bool any_null;
    if (!function->body || function->flags & FN_SET) return unknown(f, out);
    TRY(fold_args(f, e, &args, &any_null));
    *out = VALUE_NULL;
    if (!f->known || (any_null && function->flags & FN_STRICT)) return ST_OK;
    TypeRef *types = ARENA_ARRAY(f->types.arena, TypeRef, e->arg_count + 1);
    for (int i = 0; i < e->arg_count; i++) types[i] = e->args[i]->type;
    FnCtx ctx = {.type = f->types,
                 .session = f->session,
                 .arg_types = types,
                 .arg_count = e->arg_count,
                 .result_type = e->type,
                 .site = function->site_size ? arena_alloc(f->types.arena, function->site_size) : NULL,
                 .site_arena = f->types.arena};
    *out = (Value){0};
    return fold_at(f, e, function->body(&ctx, args, out));
}

static Status fold_cast(Fold *f, const Expr *e, Value *out)
{
    const ExprCast *cast = (const ExprCast *)e;
    TRY(fold(f, e->args[0], out));
    if (!f->known || out->null) return ST_OK;
    return fold_at(f, e, cast_run(&f->types, &cast->path, *out, e->type.typmod, cast->explicit_cast, out));
}

/* What a domain refuses has no value here: the executor says so, if it is ever asked for. */
static Status fold_domain(Fold *f, const Expr *e, Value *out)
{
    const ExprDomain *domain = (const ExprDomain *)e;
    if (domain->elements) return unknown(f, out);
    TRY(fold(f, e->args[0], out));
    for (int i = 0; i < domain->rule_count && f->known; i++) {
        Value truth;
        if (!domain->rules[i].check) {
            if (out->null) return unknown(f, out);
            continue;
        }
        Expr *value = expr_const(f->types.arena, e->args[0]->type, *out);
        TRY(fold(f, expr_substitute(f->types.arena, domain->rules[i].check, &domain->value, &value, 1), &truth));
        if (!truth.null && !truth.i) return unknown(f, out);
    }
    return ST_OK;
}

/* ---- logic ---- */

/* AND is false as soon as one is false, OR true as soon as one is true: also beside what has no value here. */
static Status fold_connective(Fold *f, const Expr *e, Value *out)
{
    bool decides = e->kind == EXPR_OR, null = false, all_known = true;
    for (int i = 0; i < e->arg_count; i++) {
        Value value;
        f->known = true;
        TRY(fold(f, e->args[i], &value));
        if (f->known && !value.null && (value.i != 0) == decides) {
            *out = value_bool(decides);
            return ST_OK;
        }
        all_known &= f->known;
        null |= value.null;
    }
    f->known = all_known;
    *out = null ? VALUE_NULL : value_bool(!decides);
    return ST_OK;
}

static bool compare_holds(CompareOp op, int order)
{
    switch (op) {
    case COMPARE_EQ:
        return order == 0;
    case COMPARE_NE:
        return order != 0;
    case COMPARE_LT:
        return order < 0;
    case COMPARE_LE:
        return order <= 0;
    case COMPARE_GT:
        return order > 0;
    case COMPARE_GE:
        return order >= 0;
    }
    return false;
}

static Status fold_compare(Fold *f, const Expr *e, Value *out)
{
    Value *args;
    bool any_null;
    TRY(fold_args(f, e, &args, &any_null));
    *out = VALUE_NULL;
    const TypeDef *type = type_find(e->args[0]->type.oid);
    if (!type || !type->compare) return unknown(f, out);
    if (!f->known) return ST_OK;
    if (e->kind == EXPR_COMPARE && !any_null) {
        *out = value_bool(compare_holds(((const ExprCompare *)e)->op, type_compare(type, args[0], args[1])));
    } else if (e->kind == EXPR_DISTINCT) {
        bool same = any_null ? args[0].null && args[1].null : type_compare(type, args[0], args[1]) == 0;
        *out = value_bool(same == ((const ExprNegatable *)e)->negated);
    }
    return ST_OK;
}

static Status fold_in_list(Fold *f, const Expr *e, Value *out)
{
    Value *args;
    bool any_null, negated = ((const ExprNegatable *)e)->negated;
    TRY(fold_args(f, e, &args, &any_null));
    const TypeDef *type = type_find(e->args[0]->type.oid);
    if (!f->known || !type->compare) return unknown(f, out);
    *out = any_null ? VALUE_NULL : value_bool(negated);
    for (int i = 1; i < e->arg_count && !args[0].null; i++)
        if (!args[i].null && type_compare(type, args[0], args[i]) == 0) *out = value_bool(!negated);
    return ST_OK;
}

static Status fold_is_null(Fold *f, const Expr *e, Value *out)
{
    if (e->args[0]->type.oid == OID_RECORD) return unknown(f, out);
    TRY(fold(f, e->args[0], out));
    *out = value_bool(out->null != ((const ExprNegatable *)e)->negated);
    return ST_OK;
}

static Status fold_is_bool(Fold *f, const Expr *e, Value *out)
{
    const ExprIsBool *test = (const ExprIsBool *)e;
    TRY(fold(f, e->args[0], out));
    bool is = test->truth < 0 ? out->null : !out->null && (out->i != 0) == (test->truth == 1);
    *out = value_bool(is != test->negated);
    return ST_OK;
}

static Status fold_not(Fold *f, const Expr *e, Value *out)
{
    TRY(fold(f, e->args[0], out));
    if (!out->null) *out = value_bool(!out->i);
    return ST_OK;
}

/* ---- forms ---- */

static Status fold_case(Fold *f, const Expr *e, Value *out)
{
    for (int i = 0; i + 1 < e->arg_count; i += 2) {
        TRY(fold(f, e->args[i], out));
        if (!f->known) return ST_OK;
        if (!out->null && out->i) return fold(f, e->args[i + 1], out);
    }
    return fold(f, e->args[e->arg_count - 1], out);
}

static Status fold_coalesce(Fold *f, const Expr *e, Value *out)
{
    *out = VALUE_NULL;
    for (int i = 0; i < e->arg_count && f->known && out->null; i++) TRY(fold(f, e->args[i], out));
    return ST_OK;
}

static Status fold_min_max(Fold *f, const Expr *e, Value *out)
{
    Value *args;
    bool any_null, least = ((const ExprMinMax *)e)->least;
    const TypeDef *type = type_find(e->type.oid);
    TRY(fold_args(f, e, &args, &any_null));
    if (!type->compare) return unknown(f, out);
    *out = VALUE_NULL;
    for (int i = 0; i < e->arg_count; i++) {
        if (args[i].null) continue;
        int order = out->null ? 0 : type_compare(type, args[i], *out);
        if (out->null || (least ? order < 0 : order > 0)) *out = args[i];
    }
    return ST_OK;
}

static Status fold_array(Fold *f, const Expr *e, Value *out)
{
    Value *args;
    bool any_null;
    const TypeDef *type = type_find(e->type.oid);
    if (e->arg_count && e->args[0]->type.oid == e->type.oid) return unknown(f, out); /* of several dimensions */
    TRY(fold_args(f, e, &args, &any_null));
    if (!f->known) return ST_OK;
    return array_build(&f->types, type->element_oid, args, e->arg_count, out);
}

static Status fold_row(Fold *f, const Expr *e, Value *out)
{
    Value *args;
    bool any_null;
    TRY(fold_args(f, e, &args, &any_null));
    if (!f->known) return ST_OK;
    RecordField *fields = ARENA_ARRAY(f->types.arena, RecordField, e->arg_count + 1);
    const char **names = ((const ExprRow *)e)->names;
    for (int i = 0; i < e->arg_count; i++)
        fields[i] = (RecordField){e->args[i]->type.oid, args[i], names ? slice_str(names[i]) : (Slice){0}};
    return record_build(&f->types, fields, e->arg_count, out);
}

static Status fold(Fold *f, const Expr *e, Value *out)
{
    switch (e->kind) {
    case EXPR_CONST:
        *out = ((const ExprConst *)e)->value;
        return ST_OK;
    case EXPR_CALL:
        return fold_call(f, e, out);
    case EXPR_CAST:
        return fold_cast(f, e, out);
    case EXPR_DOMAIN:
        return fold_domain(f, e, out);
    case EXPR_AND:
    case EXPR_OR:
        return fold_connective(f, e, out);
    case EXPR_NOT:
        return fold_not(f, e, out);
    case EXPR_IS_NULL:
        return fold_is_null(f, e, out);
    case EXPR_IS_BOOL:
        return fold_is_bool(f, e, out);
    case EXPR_COMPARE:
    case EXPR_DISTINCT:
        return fold_compare(f, e, out);
    case EXPR_IN_LIST:
        return fold_in_list(f, e, out);
    case EXPR_CASE:
        return fold_case(f, e, out);
    case EXPR_COALESCE:
        return fold_coalesce(f, e, out);
    case EXPR_MIN_MAX:
        return fold_min_max(f, e, out);
    case EXPR_ARRAY:
        return fold_array(f, e, out);
    case EXPR_ROW:
        return fold_row(f, e, out);
    case EXPR_PARAM:
    case EXPR_COLUMN:
    case EXPR_ROW_COMPARE:
    case EXPR_ANY_ARRAY:
    case EXPR_FIELD:
    case EXPR_SUBSCRIPT:
    case EXPR_SUBQUERY:
    case EXPR_AGGREGATE:
    case EXPR_WINDOW:
    case EXPR_DEFAULT:
        return unknown(f, out);
    }
    return unknown(f, out);
}

Status expr_fold(Session *session, const Expr *e, Value *value, bool *known, Arena *arena, Error *err)
{
    Fold f = {session, {arena, session ? &session->type_env : &type_env_default, err}, true};
    Status status = fold(&f, e, value);
    *known = f.known;
    return status;
}
