/* build_call.c - function calls, the special forms among them, and windows. */
#include "parser/build.h"

static AstCall *new_call(Parser *p, const AstName *name)
{
    AstCall *call = NEW_EXPR(p, AstCall, AST_CALL, name->position);
    call->name = *name;
    return call;
}

static void deepen(Parser *p, AstExpr *expr, const AstExpr *child)
{
    if (child && child->depth >= expr->depth) expr->depth = build_depth(p, child->depth + 1);
}

static void add_arg(Parser *p, AstCall *call, const CallArg *arg)
{
    VEC_PUSH(p->arena, call->args, arg->expr);
    deepen(p, &call->base, arg->expr);
    /* arg_names stays empty until the first name, then runs beside args. */
    if (!arg->name && call->arg_names.count == 0) return;
    while (call->arg_names.count < call->args.count - 1) VEC_PUSH(p->arena, call->arg_names, NULL);
    VEC_PUSH(p->arena, call->arg_names, arg->name);
}

AstExpr *build_call(Parser *p, const AstName *name, const CallArgVec *args, const AstSortVec *order, int flags)
{
    AstCall *call = new_call(p, name);
    for (int i = 0; args && i < args->count; i++) add_arg(p, call, &args->items[i]);
    if (order) call->order = *order;
    call->star = flags & CALL_STAR;
    call->distinct = flags & CALL_DISTINCT;
    return &call->base;
}

AstExpr *build_call_variadic(Parser *p, const AstName *name, const CallArgVec *args, CallArg last, const AstSortVec *order)
{
    AstCall *call = (AstCall *)build_call(p, name, args, order, 0);
    add_arg(p, call, &last);
    call->variadic = true;
    return &call->base;
}

AstExpr *build_call_clauses(Parser *p, AstExpr *expr, const AstSortVec *within_group, AstExpr *filter, AstWindow *over)
{
    AstCall *call = (AstCall *)expr;
    if (within_group->count > 0) {
        int at = expr->position;
        if (call->order.count > 0)
            build_fail(p, ERR_SYNTAX_ERROR, at, "cannot use multiple ORDER BY clauses with WITHIN GROUP");
        if (call->distinct) build_fail(p, ERR_SYNTAX_ERROR, at, "cannot use DISTINCT with WITHIN GROUP");
        if (call->variadic) build_fail(p, ERR_SYNTAX_ERROR, at, "cannot use VARIADIC with WITHIN GROUP");
        call->order = *within_group;
        call->within_group = true;
    }
    call->filter = filter;
    call->over = over;
    deepen(p, expr, filter);
    return expr;
}

/* A word that is a keyword, called like any function: substring('abc', 2). */
AstExpr *build_word_call(Parser *p, const Token *word, const CallArgVec *args)
{
    AstName name = build_name(p, word, NULL, NULL);
    return build_call(p, &name, args, NULL, 0);
}

/* ---- special forms ---- */

AstExpr *build_special(Parser *p, const Token *at, const char *name, AstCallSyntax syntax, const AstExprVec *args)
{
    AstName qualified = {.position = at->position, .schema = "pg_catalog", .name = name};
    AstCall *call = new_call(p, &qualified);
    call->args = *args;
    call->syntax = syntax;
    for (int i = 0; i < args->count; i++) deepen(p, &call->base, args->items[i]);
    return &call->base;
}

AstExpr *build_special1(Parser *p, const Token *at, const char *name, AstCallSyntax syntax, AstExpr *first)
{
    AstExprVec args = {0};
    VEC_PUSH(p->arena, args, first);
    return build_special(p, at, name, syntax, &args);
}

AstExpr *build_special2(Parser *p, const Token *at, const char *name, AstCallSyntax syntax, AstExpr *first, AstExpr *second)
{
    AstExpr *expr = build_special1(p, at, name, syntax, first);
    add_arg(p, (AstCall *)expr, &(CallArg){NULL, second});
    return expr;
}

AstExpr *build_substring3(Parser *p, const Token *at, AstCallSyntax syntax, AstExpr *text, AstExpr *from, AstExpr *length)
{
    AstExpr *expr = build_special2(p, at, "substring", syntax, text, from);
    add_arg(p, (AstCall *)expr, &(CallArg){NULL, length});
    return expr;
}

/* SUBSTRING(x FOR n) starts at the first character. */
AstExpr *build_substring_for(Parser *p, const Token *at, AstExpr *text, AstExpr *length)
{
    return build_substring3(p, at, AST_CALL_SUBSTRING, text, build_one(p, at), length);
}

AstExpr *build_overlay(Parser *p, const Token *at, AstExpr *text, AstExpr *placing, AstExpr *from, AstExpr *length)
{
    AstExpr *expr = build_special2(p, at, "overlay", AST_CALL_OVERLAY, text, placing);
    add_arg(p, (AstCall *)expr, &(CallArg){NULL, from});
    if (length) add_arg(p, (AstCall *)expr, &(CallArg){NULL, length});
    return expr;
}

AstExpr *build_normalize(Parser *p, const Token *at, AstExpr *text, const Token *form)
{
    if (!form) return build_special1(p, at, "normalize", AST_CALL_NORMALIZE, text);
    return build_special2(p, at, "normalize", AST_CALL_NORMALIZE, text, build_string(p, form, form->value));
}

AstExpr *build_is_normalized(Parser *p, const Token *at, AstExpr *text, const Token *form)
{
    if (!form) return build_special1(p, at, "is_normalized", AST_CALL_IS_NORMALIZED, text);
    return build_special2(p, at, "is_normalized", AST_CALL_IS_NORMALIZED, text, build_string(p, form, form->value));
}

AstExpr *build_extract(Parser *p, const Token *at, const Token *field, AstExpr *from)
{
    return build_special2(p, at, "extract", AST_CALL_EXTRACT, build_string(p, field, field->value), from);
}

/* TRIM(chars FROM text): the text comes first in the call. */
AstExprVec build_trim(Parser *p, AstExpr *characters, AstExprVec *texts)
{
    VEC_PUSH(p->arena, *texts, characters);
    return *texts;
}

AstExpr *build_at_time_zone(Parser *p, const Token *at, AstExpr *time, AstExpr *zone)
{
    return build_special2(p, at, "timezone", AST_CALL_AT_TIME_ZONE, zone, time);
}

AstExpr *build_overlaps(Parser *p, const Token *at, AstExpr *left, AstExpr *right)
{
    const AstRow *rows[2] = {(AstRow *)left, (AstRow *)right};
    AstExprVec args = {0};
    for (int i = 0; i < 2; i++) {
        if (rows[i]->items.count != 2)
            build_fail(p, ERR_SYNTAX_ERROR, rows[i]->base.position, "wrong number of parameters on %s side of OVERLAPS expression",
                       i ? "right" : "left");
        for (int k = 0; k < rows[i]->items.count; k++) VEC_PUSH(p->arena, args, rows[i]->items.items[k]);
    }
    return build_special(p, at, "overlaps", AST_CALL_OVERLAPS, &args);
}

/* ---- windows ---- */

AstWindow *build_window(Parser *p, const Token *at, const Token *refers, const AstExprVec *partition, const AstSortVec *order,
                        AstWindow *frame)
{
    AstWindow *window = frame ? frame : ARENA_NEW(p->arena, AstWindow);
    if (!frame) window->end = AST_FRAME_CURRENT_ROW;
    window->position = at->position;
    window->refers = refers->value;
    window->partition = *partition;
    window->order = *order;
    return window;
}

AstWindow *build_window_reference(Parser *p, const Token *at, const Token *name)
{
    AstWindow *window = ARENA_NEW(p->arena, AstWindow);
    (void)at;
    window->position = name->position;
    window->refers = name->value;
    window->bare = true;
    window->end = AST_FRAME_CURRENT_ROW;
    return window;
}

AstWindow *build_named_window(const Token *name, AstWindow *window)
{
    window->name = name->value;
    window->position = name->position;
    return window;
}

/* One bound alone is the start; the end is then the current row. */
AstWindow *build_frame_extent(Parser *p, const FrameEdge *start, const FrameEdge *end)
{
    AstWindow *window = ARENA_NEW(p->arena, AstWindow);
    int at = start->token.position, to = end ? end->token.position : at;
    window->has_frame = true;
    window->start = start->bound;
    window->start_offset = start->offset;
    window->end = end ? end->bound : AST_FRAME_CURRENT_ROW;
    window->end_offset = end ? end->offset : NULL;
    if (window->start == AST_FRAME_UNBOUNDED_FOLLOWING)
        build_fail(p, ERR_WINDOWING_ERROR, at, "frame start cannot be UNBOUNDED FOLLOWING");
    if (!end && window->start == AST_FRAME_FOLLOWING)
        build_fail(p, ERR_WINDOWING_ERROR, at, "frame starting from following row cannot end with current row");
    if (window->end == AST_FRAME_UNBOUNDED_PRECEDING)
        build_fail(p, ERR_WINDOWING_ERROR, to, "frame end cannot be UNBOUNDED PRECEDING");
    if (window->start == AST_FRAME_CURRENT_ROW && window->end == AST_FRAME_PRECEDING)
        build_fail(p, ERR_WINDOWING_ERROR, to, "frame starting from current row cannot have preceding rows");
    if (window->start == AST_FRAME_FOLLOWING && (window->end == AST_FRAME_PRECEDING || window->end == AST_FRAME_CURRENT_ROW))
        build_fail(p, ERR_WINDOWING_ERROR, to, "frame starting from following row cannot have preceding rows");
    return window;
}

AstWindow *build_frame(AstWindow *frame, AstFrameUnit unit, AstFrameExclude exclude)
{
    frame->unit = unit;
    frame->exclude = exclude;
    return frame;
}
