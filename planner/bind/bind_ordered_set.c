/* bind_ordered_set.c - aggregates that are called WITHIN GROUP (ORDER BY ...), and those that are not. */
#include "planner/bind/bind_expr.h"
#include "planner/bind/bind_types.h"

static Status refuse(Binder *binder, const AstCall *call, SqlState code, const char *format, const char *name)
{
    char *message = arena_strdup(binder->arena, format), *place = strstr(message, "NAME");
    (void)err_set(binder->err, binder->arena, code, "%.*s%s%s", (int)(place - message), message, name, place + 4);
    return err_at(binder->err, call->base.position);
}

static int flags_of(const Binder *binder, const char *name)
{
    const AggDef *const *rows;
    return catalog_aggregates(binder->session->catalog, name, &rows) > 0 ? rows[0]->flags : 0;
}

Status bind_check_within_group(Binder *binder, const AstCall *call, const AggDef *aggregate)
{
    const char *name = aggregate->name;
    bool ordered = aggregate->flags & (AGG_ORDERED_SET | AGG_HYPOTHETICAL);
    if (ordered && !call->within_group)
        return refuse(binder, call, ERR_WRONG_OBJECT_TYPE, "WITHIN GROUP is required for ordered-set aggregate NAME", name);
    if (ordered && call->over)
        return refuse(binder, call, ERR_FEATURE_NOT_SUPPORTED, "OVER is not supported for ordered-set aggregate NAME", name);
    if (!ordered && call->within_group)
        return refuse(binder, call, ERR_WRONG_OBJECT_TYPE,
                      "NAME is not an ordered-set aggregate, so it cannot have WITHIN GROUP", name);
    return ST_OK;
}

/* rank(a, b) WITHIN GROUP (ORDER BY x, y): a is brought to one type with x, b with y. */
Status bind_hypothetical(Binder *binder, const AstCall *call, const char *name, Expr **args, int count)
{
    int ordered = call->order.count, direct = count - ordered;
    if (!call->within_group || !(flags_of(binder, name) & AGG_HYPOTHETICAL)) return ST_OK;
    if (direct != ordered) {
        (void)bind_no_function(binder, name, args, count, false, call->base.position);
        err_hint(binder->err, binder->arena,
                 "To use the hypothetical-set aggregate %s, the number of hypothetical direct arguments (here %d) must match "
                 "the number of ordering columns (here %d).",
                 name, direct, ordered);
        return ST_ERROR;
    }
    for (int i = 0; i < direct; i++) {
        Expr *pair[2] = {args[i], args[direct + i]};
        TypeRef type;
        TRY(bind_to_common_type(binder, pair, 2, "WITHIN GROUP", &type));
        args[i] = pair[0];
        args[direct + i] = pair[1];
    }
    return ST_OK;
}
