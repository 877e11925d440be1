/* bind_expr.h - the parts of expression binding that call each other. Inside bind/ only. */
#ifndef PLANNER_BIND_BIND_EXPR_H
#define PLANNER_BIND_BIND_EXPR_H

#include "planner/bind/bind_types.h"
#include "planner/bind/scope.h"

typedef struct ExprVec { Expr **items; int count, capacity; } ExprVec;

/* ---- clauses (bind_clause.c) ---- */

typedef enum ClausePart { PART_AGGREGATE, PART_WINDOW, PART_SET_CALL, PART_SUBQUERY, PART_COLUMN } ClausePart;
/* May an expression of the present clause hold this? Otherwise the error that PostgreSQL has for it. */
Status bind_check_part(Binder *binder, ClausePart part, int position);

/* ---- forms ---- */

/* Where an expression begins: of `a + b` the position of a, where the operator's own is that of +. */
int bind_leftmost(const AstExpr *ast);

Status bind_exprs(Binder *binder, const AstExprVec *items, ExprVec *out);
Status bind_call(Binder *binder, const AstCall *call, Expr **out);
/* A function in FROM: a set-returning call stays an EXPR_CALL. */
Status bind_call_in_from(Binder *binder, const AstCall *call, Expr **out);
Status bind_sql_value(Binder *binder, const AstSqlValue *value, Expr **out);
Status bind_op(Binder *binder, const AstOp *op, Expr **out);
Status bind_like(Binder *binder, const AstLike *like, Expr **out);
Status bind_between(Binder *binder, const AstBetween *between, Expr **out);
Status bind_in_list(Binder *binder, const AstIn *in, Expr **out);
Status bind_distinct_from(Binder *binder, const AstDistinctFrom *distinct, Expr **out);
Status bind_case(Binder *binder, const AstCase *ast, Expr **out);
Status bind_cast(Binder *binder, const AstCast *cast, Expr **out);
Status bind_array(Binder *binder, const AstList *list, Oid element, Expr **out); /* element 0: by its items */
Status bind_subscript(Binder *binder, const AstSubscript *subscript, Expr **out);
Status bind_field(Binder *binder, const AstField *field, Expr **out);
/* The fields of a set-returning call or of a row, for (f(x)).*; ST_ERROR if e has none that are known. */
Status bind_record_fields(Binder *binder, Expr *record, int position, RelColumnVec *names, ExprVec *fields);
/* Subqueries (bind_subquery.c). */
Status bind_subquery(Binder *binder, const AstSubquery *subquery, Expr **out);
Status bind_in_subquery(Binder *binder, const AstIn *in, Expr **out);
Status bind_quantified(Binder *binder, const AstQuantified *quantified, Expr **out);
/* Windows (bind_window.c). */
/* call: made with its function and arguments; gets its window and filter here. */
Status bind_window_call(Binder *binder, const AstCall *ast, ExprWindow *call, Expr **out);
bool bind_find_named_window(const Binder *binder, const char *name, const AstWindow **out);
/* GROUPING(a, b). */
Status bind_grouping(Binder *binder, const AstList *list, Expr **out);

/* ---- sorting ---- */

/* Direction and NULLs as written, or by the session's default; 42883 for a type that has no order. */
Status bind_sort_key(Binder *binder, const AstSort *sort, Expr *expr, SortKey *key);

/* "oid oid, relname name": the columns of a SystemRelation or of FnRows, without ColIds. */
Status bind_column_list(Binder *binder, const char *text, RelColumnVec *columns);

#endif
