/* bind_window.c - OVER: window definitions, their frames, and GROUPING. */
#include "planner/bind/bind_expr.h"

/* ---- named windows ---- */

bool bind_find_named_window(const Binder *binder, const char *name, const AstWindow **out)
{
    const AstSelect *select = binder->scope && binder->scope->block ? binder->scope->block->select : NULL;
    for (int i = 0; select && i < select->windows.count; i++) {
        *out = select->windows.items[i];
        if (strcmp((*out)->name, name) == 0) return true;
    }
    return false;
}

static Status find_referred(Binder *binder, const AstWindow *window, const AstWindow **out)
{
    if (bind_find_named_window(binder, window->refers, out)) return ST_OK;
    (void)err_set(binder->err, binder->arena, ERR_UNDEFINED_OBJECT, "window \"%s\" does not exist", window->refers);
    return err_at(binder->err, window->position);
}

/* What (w ORDER BY x) takes over from w: its partition, and its order if it has none of its own. */
static Status inherit(Binder *binder, const AstWindow *window, const AstWindow **partition, const AstWindow **order)
{
    *partition = *order = window;
    for (const AstWindow *base = window; base->refers;) {
        const AstWindow *referred;
        TRY(find_referred(binder, base, &referred));
        const char *fault = NULL;
        if (!window->bare && window->partition.count) fault = "cannot override PARTITION BY clause of window \"%s\"";
        if (!window->bare && window->order.count && referred->order.count)
            fault = "cannot override ORDER BY clause of window \"%s\"";
        if (fault && strstr(fault, "PARTITION"))
            return err_set(binder->err, binder->arena, ERR_WINDOWING_ERROR,
                           "cannot override PARTITION BY clause of window \"%s\"", referred->name);
        if (fault)
            return err_set(binder->err, binder->arena, ERR_WINDOWING_ERROR,
                           "cannot override ORDER BY clause of window \"%s\"", referred->name);
        if (!(*partition)->partition.count) *partition = referred;
        if (!(*order)->order.count) *order = referred;
        base = referred;
    }
    return ST_OK;
}

/* ---- frames ---- */

static FrameBound bound_of(AstFrameBound bound)
{
    switch (bound) {
    case AST_FRAME_UNBOUNDED_PRECEDING:
        return FRAME_UNBOUNDED_PRECEDING;
    case AST_FRAME_PRECEDING:
        return FRAME_PRECEDING;
    case AST_FRAME_CURRENT_ROW:
        return FRAME_CURRENT_ROW;
    case AST_FRAME_FOLLOWING:
        return FRAME_FOLLOWING;
    case AST_FRAME_UNBOUNDED_FOLLOWING:
        return FRAME_UNBOUNDED_FOLLOWING;
    }
    return FRAME_CURRENT_ROW;
}

static FrameExclude exclude_of(AstFrameExclude exclude)
{
    switch (exclude) {
    case AST_EXCLUDE_NONE:
        return FRAME_EXCLUDE_NONE;
    case AST_EXCLUDE_CURRENT_ROW:
        return FRAME_EXCLUDE_CURRENT_ROW;
    case AST_EXCLUDE_GROUP:
        return FRAME_EXCLUDE_GROUP;
    case AST_EXCLUDE_TIES:
        return FRAME_EXCLUDE_TIES;
    }
    return FRAME_EXCLUDE_NONE;
}

/* Rows and groups are counted; a RANGE offset is what is added to the ordering column. */
static Status bind_offset(Binder *binder, const AstExpr *ast, const WindowSpec *spec, Expr **out)
{
    Expr *e;
    TypeRef type = {OID_INT8, -1};
    if (!ast) return ST_OK;
    TRY(bind_expr(binder, ast, &e));
    if (spec->unit == FRAME_RANGE) {
        if (spec->order_count != 1)
            return err_set(binder->err, binder->arena, ERR_WINDOWING_ERROR,
                           "RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column");
        type = spec->order[0].expr->type;
        type.typmod = -1;
        if (type_find(type.oid)->category == 'D') type.oid = OID_INTERVAL;
    }
    if (!type_can_coerce(e->type.oid, type.oid, CAST_IMPLICIT)) {
        (void)err_set(binder->err, binder->arena, ERR_DATATYPE_MISMATCH, "argument of %s must be type %s, not type %s",
                      spec->unit == FRAME_ROWS     ? "ROWS"
                      : spec->unit == FRAME_GROUPS ? "GROUPS"
                                                   : "RANGE",
                      type_words(type, binder->arena), type_words(e->type, binder->arena));
        return err_at(binder->err, e->position);
    }
    return bind_coerce(binder, e, type, CAST_IMPLICIT, e->position, out);
}

static Status bind_frame(Binder *binder, const AstWindow *window, WindowSpec *spec)
{
    static const FrameUnit units[] = {
        [AST_FRAME_RANGE] = FRAME_RANGE, [AST_FRAME_ROWS] = FRAME_ROWS, [AST_FRAME_GROUPS] = FRAME_GROUPS};
    spec->unit = FRAME_RANGE;
    spec->start = FRAME_UNBOUNDED_PRECEDING;
    spec->end = FRAME_CURRENT_ROW;
    while (!window->has_frame && window->bare && window->refers) {
        if (!bind_find_named_window(binder, window->refers, &window)) return ST_OK;
    }
    if (!window->has_frame) return ST_OK;
    spec->unit = units[window->unit];
    spec->start = bound_of(window->start);
    spec->end = bound_of(window->end);
    spec->exclude = exclude_of(window->exclude);
    if (spec->unit == FRAME_GROUPS && spec->order_count == 0)
        return err_set(binder->err, binder->arena, ERR_WINDOWING_ERROR, "GROUPS mode requires an ORDER BY clause");
    TRY(bind_offset(binder, window->start_offset, spec, &spec->start_offset));
    return bind_offset(binder, window->end_offset, spec, &spec->end_offset);
}

/* ---- definitions ---- */

static Status bind_window_parts(Binder *binder, const AstWindow *window, WindowSpec *spec)
{
    const AstWindow *partition, *order;
    ExprVec keys;
    TRY(inherit(binder, window, &partition, &order));
    TRY(bind_exprs(binder, &partition->partition, &keys));
    for (int i = 0; i < keys.count; i++) TRY(bind_resolve_unknown(binder, keys.items[i], &keys.items[i]));
    spec->partition = keys.items;
    spec->partition_count = keys.count;
    spec->order = ARENA_ARRAY(binder->arena, SortKey, order->order.count);
    for (int i = 0; i < order->order.count; i++) {
        Expr *e;
        TRY(bind_expr(binder, order->order.items[i].expr, &e));
        TRY(bind_sort_key(binder, &order->order.items[i], e, &spec->order[i]));
        spec->order_count++;
    }
    return bind_frame(binder, window, spec);
}

static Status bind_spec(Binder *binder, const AstWindow *window, const WindowSpec **out)
{
    WindowSpec *spec = ARENA_NEW(binder->arena, WindowSpec);
    BindClause clause = binder->clause;
    binder->clause = CLAUSE_WINDOW;
    Status status = bind_window_parts(binder, window, spec);
    binder->clause = clause;
    *out = spec;
    return status;
}

static ColId keep_window(Binder *binder, Block *block, ExprWindow *call)
{
    for (int i = 0; i < block->windows.count; i++) {
        const ExprWindow *other = block->windows.items[i].call;
        if (window_spec_equal(other->spec, call->spec)) call->spec = other->spec;
        if (expr_equal(&other->base, &call->base)) return block->windows.items[i].id;
    }
    ColId id = binder_new_column(binder);
    VEC_PUSH(binder->arena, block->windows, (BlockWindow){id, call});
    return id;
}

static Status refuse_nested(Binder *binder, const Block *block, const ExprWindow *call)
{
    ColSet used = {0};
    for (int i = 0; i < call->base.arg_count; i++) expr_columns(call->base.args[i], &used, binder->arena);
    for (int w = 0; w < block->windows.count; w++) {
        if (!colset_has(&used, block->windows.items[w].id)) continue;
        (void)err_set(binder->err, binder->arena, ERR_WINDOWING_ERROR, "window function calls cannot be nested");
        return err_at(binder->err, call->base.position);
    }
    return ST_OK;
}

Status bind_window_call(Binder *binder, const AstCall *ast, ExprWindow *call, Expr **out)
{
    int position = ast->base.position;
    TRY(bind_check_part(binder, PART_WINDOW, position));
    Block *block = binder->scope ? binder->scope->block : NULL;
    const char *fault = !block                ? "window functions are not allowed here"
                        : block->in_aggregate ? "aggregate function calls cannot contain window function calls"
                                              : NULL;
    if (fault) {
        (void)err_set(binder->err, binder->arena, ERR_WINDOWING_ERROR, "%s", fault);
        return err_at(binder->err, position);
    }
    if (ast->distinct || ast->order.count) {
        (void)err_unsupported(binder->err, binder->arena,
                              ast->distinct ? "DISTINCT for window functions"
                                            : "aggregate ORDER BY for window functions");
        return err_at(binder->err, position);
    }
    call->base.position = position;
    TRY(refuse_nested(binder, block, call));
    if (ast->filter) TRY(bind_condition(binder, ast->filter, "FILTER", &call->filter));
    TRY(bind_spec(binder, ast->over, &call->spec));
    ColId id = keep_window(binder, block, call);
    const char *name = call->aggregate ? call->aggregate->name : call->window->name;
    *out = expr_column(binder->arena, id, call->base.type, name);
    (*out)->position = position;
    return ST_OK;
}

/* ---- GROUPING ---- */

Status bind_grouping(Binder *binder, const AstList *list, Expr **out)
{
    ExprVec args;
    TRY(bind_check_part(binder, PART_AGGREGATE, list->base.position));
    TRY(bind_exprs(binder, &list->items, &args));
    Block *block = binder->scope ? binder->scope->block : NULL;
    if (!block) return err_unsupported(binder->err, binder->arena, "GROUPING outside a query");
    ColId id = binder_new_column(binder);
    BlockGrouping grouping = {id, args.items, args.count, list->base.position};
    VEC_PUSH(binder->arena, block->groupings, grouping);
    *out = expr_column(binder->arena, id, (TypeRef){OID_INT4, -1}, "grouping");
    (*out)->position = list->base.position;
    return ST_OK;
}
