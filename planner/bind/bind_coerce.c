/* bind_coerce.c - casts, assignments, and the common type of several expressions. */
#include "planner/bind/bind_types.h"

bool expr_is_unknown(const Expr *e)
{
    return e->type.oid == OID_UNKNOWN;
}

bool type_is_text_like(Oid oid)
{
    return oid == OID_TEXT || oid == OID_VARCHAR || oid == OID_BPCHAR || oid == OID_NAME;
}

const char *type_words(TypeRef type, Arena *arena)
{
    return type_format((TypeRef){type.oid, -1, type.domain}, arena);
}

bool type_can_coerce(Oid from, Oid to, CastContext context)
{
    CastDef path;
    if (from == to || from == OID_UNKNOWN || to == OID_ANY) return true;
    return cast_find_path(from, to, context, &path);
}

/* ---- one expression ---- */

/* A string or NULL of unknown type becomes a value of the type, now. */
static Status coerce_unknown(Binder *binder, Expr *e, TypeRef wanted, bool explicit_cast, Expr **out)
{
    Value value;
    if (!expr_is_const(e, &value)) {
        CastDef path;
        (void)cast_find_path(OID_TEXT, wanted.oid, CAST_EXPLICIT, &path);
        *out = expr_cast(binder->arena, e, path, wanted, explicit_cast);
        return ST_OK;
    }
    if (value.null) {
        *out = expr_null(binder->arena, wanted);
        (*out)->position = e->position;
        return ST_OK;
    }
    const char *text = arena_strndup(binder->arena, value.p, value.size);
    return bind_literal(binder, text, wanted, explicit_cast, e->position, out);
}

/* The first use that says a type decides a parameter's. */
static Status coerce_param(Binder *binder, Expr *e, TypeRef wanted, Expr **out)
{
    ExprParam *param = (ExprParam *)e;
    TypeRef *known = &binder->params.items[param->number - 1];
    TypeRef type = {wanted.oid, -1};
    if (known->oid && known->oid != OID_UNKNOWN && known->oid != wanted.oid) {
        (void)err_set(binder->err, binder->arena, ERR_AMBIGUOUS_PARAMETER,
                      "inconsistent types deduced for parameter $%d", param->number);
        err_detail(binder->err, binder->arena, "%s versus %s", type_words(*known, binder->arena),
                   type_words(wanted, binder->arena));
        return err_at(binder->err, e->position);
    }
    *known = type;
    e->type = type;
    *out = e;
    if (wanted.typmod < 0) return ST_OK;
    CastDef path = {wanted.oid, wanted.oid, CAST_IMPLICIT, CAST_BINARY, NULL};
    *out = expr_cast(binder->arena, e, path, wanted, false);
    return ST_OK;
}

static Status cannot_cast(Binder *binder, Oid from, Oid to, int position)
{
    (void)err_set(binder->err, binder->arena, ERR_CANNOT_COERCE, "cannot cast type %s to %s",
                  type_words((TypeRef){from, -1}, binder->arena), type_words((TypeRef){to, -1}, binder->arena));
    return err_at(binder->err, position);
}

/* text::regclass at run time goes through the function of the type's name. */
static Status cast_by_function(Binder *binder, Expr *e, TypeRef wanted, Expr **out)
{
    const FuncDef *const *rows;
    const TypeDef *def = type_find(wanted.oid);
    int count = catalog_functions(binder->session->catalog, def->name, &rows);
    for (int i = 0; i < count; i++) {
        if (strcmp(rows[i]->arguments, "text") != 0) continue;
        Expr **args = ARENA_ARRAY(binder->arena, Expr *, 1);
        TRY(bind_coerce(binder, e, (TypeRef){OID_TEXT, -1}, CAST_IMPLICIT, e->position, &args[0]));
        *out = expr_call(binder->arena, rows[i], wanted, args, 1);
        return ST_OK;
    }
    return ST_END;
}

static bool is_reg_type(Oid oid)
{
    return oid == OID_REGCLASS || oid == OID_REGTYPE || oid == OID_REGPROC || oid == OID_REGNAMESPACE ||
           oid == OID_REGROLE;
}

Status bind_coerce(Binder *binder, Expr *e, TypeRef wanted, CastContext context, int position, Expr **out)
{
    Oid from = e->type.oid;
    bool explicit_cast = context == CAST_EXPLICIT;
    *out = e;
    if (wanted.domain) return bind_coerce_domain(binder, e, wanted, context, position, out);
    if (wanted.oid == OID_ANY || wanted.oid == OID_UNKNOWN) return ST_OK;
    if (from == OID_UNKNOWN && e->kind == EXPR_PARAM) return coerce_param(binder, e, wanted, out);
    if (from == OID_UNKNOWN) return coerce_unknown(binder, e, wanted, explicit_cast, out);
    if (from == wanted.oid && (wanted.typmod < 0 || wanted.typmod == e->type.typmod)) {
        if (explicit_cast && e->type.domain) {
            CastDef same = {from, from, CAST_IMPLICIT, CAST_BINARY, NULL};
            *out = expr_cast(binder->arena, e, same, (TypeRef){from, e->type.typmod}, true);
        } else if (wanted.typmod != e->type.typmod && explicit_cast && e->kind == EXPR_CAST) {
            *out = expr_with_args(binder->arena, e, e->args);
        }
        return ST_OK;
    }
    if (is_reg_type(wanted.oid) && type_is_text_like(from) && explicit_cast) {
        Status status = cast_by_function(binder, e, wanted, out);
        if (status != ST_END) return status;
    }
    CastDef path = {from, wanted.oid, CAST_IMPLICIT, CAST_BINARY, NULL};
    if (from != wanted.oid && !cast_find_path(from, wanted.oid, context, &path))
        return cannot_cast(binder, from, wanted.oid, position);
    *out = expr_cast(binder->arena, e, path, wanted, explicit_cast);
    if (position) (*out)->position = position;
    return ST_OK;
}

Status bind_coerce_assignment(Binder *binder, Expr *e, TypeRef wanted, const char *column, Expr **out)
{
    if (type_can_coerce(e->type.oid, wanted.oid, CAST_ASSIGNMENT))
        return bind_coerce(binder, e, wanted, CAST_ASSIGNMENT, e->position, out);
    (void)err_set(binder->err, binder->arena, ERR_DATATYPE_MISMATCH,
                  "column \"%s\" is of type %s but expression is of type %s", column, type_words(wanted, binder->arena),
                  type_words(e->type, binder->arena));
    err_hint(binder->err, binder->arena, "You will need to rewrite or cast the expression.");
    return err_at(binder->err, e->position);
}

Status bind_resolve_unknown(Binder *binder, Expr *e, Expr **out)
{
    *out = e;
    if (!expr_is_unknown(e)) return ST_OK;
    return bind_coerce(binder, e, (TypeRef){OID_TEXT, -1}, CAST_IMPLICIT, e->position, out);
}

Status bind_boolean(Binder *binder, Expr *e, const char *construct, Expr **out)
{
    TypeRef boolean = {OID_BOOL, -1};
    if (type_can_coerce(e->type.oid, OID_BOOL, CAST_IMPLICIT))
        return bind_coerce(binder, e, boolean, CAST_IMPLICIT, e->position, out);
    (void)err_set(binder->err, binder->arena, ERR_DATATYPE_MISMATCH, "argument of %s must be type boolean, not type %s",
                  construct, type_words(e->type, binder->arena));
    return err_at(binder->err, e->position);
}

/* ---- several expressions ---- */

static Status no_common_type(Binder *binder, const char *context, Oid a, Oid b, int position)
{
    (void)err_set(binder->err, binder->arena, ERR_DATATYPE_MISMATCH, "%s types %s and %s cannot be matched", context,
                  type_words((TypeRef){a, -1}, binder->arena), type_words((TypeRef){b, -1}, binder->arena));
    return err_at(binder->err, position);
}

static bool all_of_one_type(const TypeRef *types, int count)
{
    for (int i = 1; i < count; i++)
        if (types[i].oid != types[0].oid) return false;
    return count > 0 && types[0].oid != OID_UNKNOWN;
}

static int32_t common_typmod(const TypeRef *types, int count)
{
    for (int i = 1; i < count; i++)
        if (types[i].typmod != types[0].typmod) return -1;
    return types[0].typmod;
}

Status bind_common_type_of(Binder *binder, const TypeRef *types, const int *positions, int count, const char *context,
                           TypeRef *type)
{
    if (all_of_one_type(types, count)) {
        *type = (TypeRef){types[0].oid, common_typmod(types, count), types[0].domain};
        for (int i = 1; i < count; i++)
            if (types[i].domain != type->domain) type->domain = 0;
        return ST_OK;
    }
    Oid chosen = OID_UNKNOWN;
    for (int i = 0; i < count; i++) {
        Oid next = types[i].oid;
        if (next == OID_UNKNOWN || next == chosen) continue;
        if (chosen == OID_UNKNOWN) {
            chosen = next;
            continue;
        }
        const TypeDef *a = type_find(chosen), *b = type_find(next);
        if (a->category != b->category) return no_common_type(binder, context, chosen, next, positions[i]);
        if (!a->preferred && type_can_coerce(chosen, next, CAST_IMPLICIT) &&
            !type_can_coerce(next, chosen, CAST_IMPLICIT))
            chosen = next;
    }
    *type = (TypeRef){chosen == OID_UNKNOWN ? OID_TEXT : chosen, -1};
    return ST_OK;
}

Status bind_common_type(Binder *binder, Expr *const *items, int count, const char *context, TypeRef *type)
{
    TypeRef *types = ARENA_ARRAY(binder->arena, TypeRef, count);
    int *positions = ARENA_ARRAY(binder->arena, int, count);
    for (int i = 0; i < count; i++) {
        types[i] = items[i]->type;
        positions[i] = items[i]->position;
    }
    return bind_common_type_of(binder, types, positions, count, context, type);
}

Status bind_to_common_type(Binder *binder, Expr **items, int count, const char *context, TypeRef *type)
{
    TRY(bind_common_type(binder, items, count, context, type));
    for (int i = 0; i < count; i++) {
        if (!type_can_coerce(items[i]->type.oid, type->oid, CAST_IMPLICIT)) {
            (void)err_set(binder->err, binder->arena, ERR_CANNOT_COERCE, "%s could not convert type %s to %s", context,
                          type_words(items[i]->type, binder->arena), type_words(*type, binder->arena));
            return err_at(binder->err, items[i]->position);
        }
        TRY(bind_coerce(binder, items[i], (TypeRef){type->oid, -1}, CAST_IMPLICIT, items[i]->position, &items[i]));
    }
    return ST_OK;
}
