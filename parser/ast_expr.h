/* ast_expr.h - expressions as written.
 *
 * Special call forms (EXTRACT(x FROM y), SUBSTRING, POSITION, OVERLAY, TRIM, AT TIME ZONE, OVERLAPS, x SIMILAR TO y) are
 * AstCalls or operators with PostgreSQL's function names and argument order; `syntax` only tells the printer.
 */
#ifndef PARSER_AST_EXPR_H
#define PARSER_AST_EXPR_H

#include "parser/ast.h"

typedef enum AstLiteralKind {
    AST_LITERAL_NULL,
    AST_LITERAL_BOOL,    /* text: "true" or "false" */
    AST_LITERAL_INT,     /* digits, also "-5" (a minus before a number is folded, as PostgreSQL does); any length:
                            the binder chooses int4, int8 or numeric */
    AST_LITERAL_DECIMAL, /* 1.5, 1e5, -.5 */
    AST_LITERAL_STRING,  /* value of '...', E'...', $$...$$, U&'...': of unknown type */
    AST_LITERAL_BIT,     /* B'101': text "b101"; X'1F': text "x1F" */
    AST_LITERAL_TYPED    /* DATE '2024-01-01', INTERVAL '1' DAY, f(x) '...': type is set, text the string */
} AstLiteralKind;

typedef struct AstLiteral {
    AstExpr base;
    AstLiteralKind literal;
    const char *text;
    AstType *type; /* TYPED */
} AstLiteral;

typedef struct AstParam { AstExpr base; int number; } AstParam;

/* a, t.a, s.t.a, db.s.t.a; star: t.* (names "t") or * (no names). */
/* What a name was found to mean, written by whoever binds a query whose text is to be kept, so that it prints the same
 * meaning under any search_path: the schema of a relation, the columns of a star (their tables beside them, or NULL). */
typedef struct AstFound {
    const char *schema;
    StrVec tables, columns;
} AstFound;

typedef struct AstColumn {
    AstExpr base;
    StrVec names;
    bool star;
    AstFound *found; /* of a star; else NULL */
} AstColumn;

typedef enum AstSortDirection { AST_SORT_DEFAULT, AST_SORT_ASC, AST_SORT_DESC, AST_SORT_USING } AstSortDirection;
typedef enum AstNulls { AST_NULLS_DEFAULT, AST_NULLS_FIRST, AST_NULLS_LAST } AstNulls;

typedef struct AstSort {
    AstExpr *expr;
    AstSortDirection direction;
    const char *using_schema, *using_op; /* USING: the operator */
    AstNulls nulls;
} AstSort;
typedef VEC(AstSort) AstSortVec;

typedef enum AstFrameUnit { AST_FRAME_RANGE, AST_FRAME_ROWS, AST_FRAME_GROUPS } AstFrameUnit;
typedef enum AstFrameBound {
    AST_FRAME_UNBOUNDED_PRECEDING, AST_FRAME_PRECEDING, AST_FRAME_CURRENT_ROW, AST_FRAME_FOLLOWING,
    AST_FRAME_UNBOUNDED_FOLLOWING
} AstFrameBound;
typedef enum AstFrameExclude {
    AST_EXCLUDE_NONE, AST_EXCLUDE_CURRENT_ROW, AST_EXCLUDE_GROUP, AST_EXCLUDE_TIES
} AstFrameExclude;

typedef struct AstWindow {
    int position;
    const char *name;     /* WINDOW name AS (...); NULL in OVER (...) */
    const char *refers;   /* OVER name, or (name ...): the window it starts from; NULL: none */
    bool bare;            /* OVER name, without parentheses */
    AstExprVec partition;
    AstSortVec order;
    bool has_frame;       /* otherwise the fields below are the default: RANGE UNBOUNDED PRECEDING .. CURRENT ROW */
    AstFrameUnit unit;
    AstFrameBound start, end;
    AstExpr *start_offset, *end_offset;
    AstFrameExclude exclude;
} AstWindow;
typedef VEC(AstWindow *) AstWindowVec;

typedef enum AstCallSyntax {
    AST_CALL_PLAIN, AST_CALL_EXTRACT, AST_CALL_SUBSTRING, AST_CALL_SUBSTRING_SIMILAR, AST_CALL_POSITION,
    AST_CALL_OVERLAY, AST_CALL_TRIM, AST_CALL_AT_TIME_ZONE, AST_CALL_OVERLAPS, AST_CALL_COLLATION_FOR,
    AST_CALL_NORMALIZE, AST_CALL_IS_NORMALIZED
} AstCallSyntax;

typedef struct AstCall {
    AstExpr base;
    AstName name;        /* special forms: schema "pg_catalog" */
    AstExprVec args;
    StrVec arg_names;    /* f(a => 1): beside args, NULL where positional; empty: none is named */
    bool star;           /* count(*) */
    bool distinct, variadic;
    AstSortVec order;    /* inside the parentheses, or WITHIN GROUP's */
    bool within_group;
    AstExpr *filter;
    AstWindow *over;
    AstCallSyntax syntax;
} AstCall;

/* Binary, or prefix (left NULL). op is the symbol; != is written <>. */
typedef struct AstOp {
    AstExpr base;
    const char *schema; /* OPERATOR(pg_catalog.~); NULL: not qualified */
    const char *op;
    AstExpr *left, *right;
} AstOp;

typedef struct AstUnary { AstExpr base; AstExpr *arg; } AstUnary;
/* AND and OR (flattened, two or more), ARRAY[...], COALESCE, NULLIF, GREATEST, LEAST, GROUPING. An inner [...] of
 * ARRAY[[1,2],[3,4]] is an AST_ARRAY too. */
typedef struct AstList { AstExpr base; AstExprVec items; } AstList;

typedef enum AstLikeKind { AST_LIKE_LIKE, AST_LIKE_ILIKE, AST_LIKE_SIMILAR } AstLikeKind;
typedef struct AstLike {
    AstExpr base;
    AstLikeKind like;
    bool negated;
    AstExpr *left, *pattern, *escape; /* escape NULL: none written */
} AstLike;

typedef struct AstBetween {
    AstExpr base;
    bool negated, symmetric;
    AstExpr *arg, *low, *high;
} AstBetween;

typedef struct AstIn {
    AstExpr base;
    bool negated;
    AstExpr *left;
    AstExprVec items;    /* AST_IN_LIST */
    AstSelect *subquery; /* AST_IN_SUBQUERY */
} AstIn;

/* left op ANY|ALL (subquery or array). LIKE ANY has op "~~", NOT LIKE "!~~", ILIKE "~~*", NOT ILIKE "!~~*". */
typedef struct AstQuantified {
    AstExpr base;
    const char *schema, *op;
    bool all;
    AstExpr *left, *array; /* array NULL: subquery */
    AstSelect *subquery;
} AstQuantified;

typedef enum AstIsTest { AST_IS_NULL, AST_IS_TRUE, AST_IS_FALSE, AST_IS_UNKNOWN } AstIsTest;
typedef struct AstIs {
    AstExpr base;
    AstIsTest test;
    bool negated;
    AstExpr *arg;
} AstIs;

typedef struct AstDistinctFrom {
    AstExpr base;
    bool negated; /* IS NOT DISTINCT FROM */
    AstExpr *left, *right;
} AstDistinctFrom;

typedef struct AstWhen { AstExpr *when, *then; int position; } AstWhen;
typedef VEC(AstWhen) AstWhenVec;
typedef struct AstCase {
    AstExpr base;
    AstExpr *arg; /* NULL: searched form */
    AstWhenVec whens;
    AstExpr *otherwise; /* NULL: no ELSE */
} AstCase;

typedef struct AstCast {
    AstExpr base;
    AstExpr *arg;
    AstType *type;
    bool annotation; /* CockroachDB's x:::type */
} AstCast;

typedef struct AstCollate { AstExpr base; AstExpr *arg; AstName collation; } AstCollate;

typedef struct AstSubscriptItem {
    AstExpr *lower, *upper; /* not a slice: upper is the index. Missing bounds of a slice: NULL */
    bool slice;
} AstSubscriptItem;
typedef struct AstSubscript { AstExpr base; AstExpr *arg; VEC(AstSubscriptItem) items; } AstSubscript;

typedef struct AstField { AstExpr base; AstExpr *arg; const char *name; /* NULL: (x).* */ } AstField;
typedef struct AstRow { AstExpr base; AstExprVec items; bool explicit_row; /* ROW(...); otherwise (a, b) */ } AstRow;

typedef enum AstSubqueryKind { AST_SUBQUERY_SCALAR, AST_SUBQUERY_EXISTS, AST_SUBQUERY_ARRAY } AstSubqueryKind;
typedef struct AstSubquery { AstExpr base; AstSubqueryKind subquery; AstSelect *select; } AstSubquery;

/* kind, word in lower case */
#define AST_SQL_VALUES(X)                                                                                            \
    X(AST_CURRENT_DATE, "current_date") X(AST_CURRENT_TIME, "current_time")                                          \
    X(AST_CURRENT_TIMESTAMP, "current_timestamp") X(AST_LOCALTIME, "localtime")                                      \
    X(AST_LOCALTIMESTAMP, "localtimestamp") X(AST_CURRENT_ROLE, "current_role")                                      \
    X(AST_CURRENT_USER, "current_user") X(AST_USER, "user") X(AST_SESSION_USER, "session_user")                      \
    X(AST_CURRENT_CATALOG, "current_catalog") X(AST_CURRENT_SCHEMA, "current_schema")
typedef enum AstSqlValueKind {
#define AST_SQL_VALUE_KIND(kind, word) kind,
    AST_SQL_VALUES(AST_SQL_VALUE_KIND)
#undef AST_SQL_VALUE_KIND
} AstSqlValueKind;
typedef struct AstSqlValue {
    AstExpr base;
    AstSqlValueKind value;
    int precision; /* -1: none */
} AstSqlValue;
const char *ast_sql_value_word(AstSqlValueKind value);

/* Only in GROUP BY. Items of ROLLUP and CUBE are expressions or AST_ROWs; of SETS also AST_GROUPING_SETs. */
typedef enum AstGroupingKind { AST_GROUPING_EMPTY, AST_GROUPING_ROLLUP, AST_GROUPING_CUBE, AST_GROUPING_SETS } AstGroupingKind;
typedef struct AstGroupingSet { AstExpr base; AstGroupingKind grouping; AstExprVec items; } AstGroupingSet;

typedef struct AstCurrentOf { AstExpr base; const char *cursor; } AstCurrentOf;

#endif
