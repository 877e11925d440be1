/* build_expr.h - builders of expressions, calls, windows; each is described in its source. Only included by build.h, which has their contract. */
#ifndef PARSER_BUILD_EXPR_H
#define PARSER_BUILD_EXPR_H

#include "parser/build.h"

#define NEW_EXPR(p, Type, kind, position) ((Type *)build_expr_node((p), (kind), sizeof(Type), (position)))
/* Was the operator written with NOT: NOT IN, NOT LIKE ...? */
static inline bool token_is_not(const Token *op)
{
    return strcmp(op->value, "not") == 0;
}

/* build_expr.c */
AstExpr *build_expr_node(Parser *p, AstExprKind kind, size_t size, int position);
AstExpr *build_literal(Parser *p, AstLiteralKind kind, const Token *token);
AstExpr *build_one(Parser *p, const Token *at);
AstExpr *build_typed_literal(Parser *p, AstType *type, const Token *text);
AstExpr *build_param(Parser *p, const Token *token);
AstExpr *build_default(Parser *p, const Token *token);
Indirection build_field_step(const Token *at, const Token *name);
Indirection build_subscript_step(const Token *at, AstExpr *lower, AstExpr *upper, bool slice);
AstExpr *build_indirection(Parser *p, AstExpr *expr, const IndirectionVec *steps);
AstExpr *build_column(Parser *p, const Token *first, const IndirectionVec *steps);
AstExpr *build_star(Parser *p, const Token *token);
AstExpr *build_parens(Parser *p, AstExpr *expr, const IndirectionVec *steps);
Operator build_operator(const Token *schema, const Token *op);
Operator build_operator_at(const Token *at, Operator op);
Operator build_operator_word(const Token *at, const char *op);
AstExpr *build_qualified_op(Parser *p, const Operator *op, AstExpr *left, AstExpr *right);
AstExpr *build_op(Parser *p, const Token *op, AstExpr *left, AstExpr *right);
AstExpr *build_negate(Parser *p, const Token *op, AstExpr *expr);
AstExpr *build_bool(Parser *p, AstExprKind kind, const Token *op, AstExpr *left, AstExpr *right);
AstExpr *build_not(Parser *p, const Token *op, AstExpr *arg);
AstExpr *build_like(Parser *p, const Token *op, AstLikeKind kind, AstExpr *left, AstExpr *pattern, AstExpr *escape);
AstExpr *build_is(Parser *p, const Token *op, AstIsTest test, bool negated, AstExpr *arg);
AstExpr *build_distinct_from(Parser *p, const Token *op, bool negated, AstExpr *left, AstExpr *right);
AstExpr *build_between(Parser *p, const Token *op, bool symmetric, AstExpr *arg, AstExpr *low, AstExpr *high);
AstExpr *build_in_subquery(Parser *p, const Token *op, AstExpr *left, AstSelect *subquery);
AstExpr *build_in_list(Parser *p, const Token *op, AstExpr *left, const AstExprVec *items);
AstExpr *build_quantified(Parser *p, const Operator *op, bool all, AstExpr *left, AstExpr *array, AstSelect *subquery);
AstExpr *build_cast(Parser *p, const Token *op, AstExpr *arg, AstType *type, bool annotation);
AstExpr *build_collate(Parser *p, const Token *op, AstExpr *arg, const AstName *collation);
AstExpr *build_expr_list(Parser *p, AstExprKind kind, const Token *at, const AstExprVec *items);
AstExpr *build_nullif(Parser *p, const Token *at, AstExpr *left, AstExpr *right);
AstExpr *build_array(Parser *p, const Token *at, AstExpr *array);
AstExpr *build_row(Parser *p, const Token *at, const AstExprVec *items, bool explicit_row);
AstExpr *build_implicit_row(Parser *p, const Token *at, AstExprVec *items, AstExpr *last);
AstExpr *build_grouping_set(Parser *p, const Token *at, AstGroupingKind kind, const AstExprVec *items);
AstExpr *build_case(Parser *p, const Token *at, AstExpr *arg, const AstWhenVec *whens, AstExpr *otherwise);
AstExpr *build_subquery(Parser *p, const Token *at, AstSubqueryKind kind, AstSelect *select);
AstExpr *build_sql_value(Parser *p, const Token *at, AstSqlValueKind value, const Token *precision);
AstExpr *build_current_of(Parser *p, const Token *at, const Token *cursor);

/* build_call.c */
AstExpr *build_call(Parser *p, const AstName *name, const CallArgVec *args, const AstSortVec *order, int flags);
AstExpr *build_call_variadic(Parser *p, const AstName *name, const CallArgVec *args, CallArg last,
    const AstSortVec *order);
AstExpr *build_call_clauses(Parser *p, AstExpr *expr, const AstSortVec *within_group, AstExpr *filter, AstWindow *over);
AstExpr *build_word_call(Parser *p, const Token *word, const CallArgVec *args);
AstExpr *build_special(Parser *p, const Token *at, const char *name, AstCallSyntax syntax, const AstExprVec *args);
AstExpr *build_special1(Parser *p, const Token *at, const char *name, AstCallSyntax syntax, AstExpr *first);
AstExpr *build_special2(Parser *p, const Token *at, const char *name, AstCallSyntax syntax, AstExpr *first,
    AstExpr *second);
AstExpr *build_substring3(Parser *p, const Token *at, AstCallSyntax syntax, AstExpr *text, AstExpr *from,
    AstExpr *length);
AstExpr *build_substring_for(Parser *p, const Token *at, AstExpr *text, AstExpr *length);
AstExpr *build_overlay(Parser *p, const Token *at, AstExpr *text, AstExpr *placing, AstExpr *from, AstExpr *length);
/* form: NFC, NFD, NFKC or NFKD; NULL is NFC. */
AstExpr *build_normalize(Parser *p, const Token *at, AstExpr *text, const Token *form);
AstExpr *build_is_normalized(Parser *p, const Token *at, AstExpr *text, const Token *form);
AstExpr *build_extract(Parser *p, const Token *at, const Token *field, AstExpr *from);
AstExprVec build_trim(Parser *p, AstExpr *characters, AstExprVec *texts);
AstExpr *build_at_time_zone(Parser *p, const Token *at, AstExpr *time, AstExpr *zone);
AstExpr *build_overlaps(Parser *p, const Token *at, AstExpr *left, AstExpr *right);
AstWindow *build_window(Parser *p, const Token *at, const Token *refers, const AstExprVec *partition,
    const AstSortVec *order, AstWindow *frame);
AstWindow *build_window_reference(Parser *p, const Token *at, const Token *name);
AstWindow *build_named_window(const Token *name, AstWindow *window);
AstWindow *build_frame_extent(Parser *p, const FrameEdge *start, const FrameEdge *end);
AstWindow *build_frame(AstWindow *frame, AstFrameUnit unit, AstFrameExclude exclude);

#endif
