/* expr.h - bound expressions: names resolved, types known, coercions explicit.
 *
 * Made by bind/, rewritten by rules/, read by paths/, and compiled by executor/eval.c. Nodes are in the statement's arena
 * and are not changed once shared: a rule that rewrites makes new nodes. Inputs sit in the base, so a walk needs no switch.
 *
 * A column is named by a ColId, unique within one statement: every table reference, projection, aggregate and function
 * in FROM hands out fresh ones (rel.h). Which slot of a batch it is, the executor finds from the plan node's `columns`.
 */
#ifndef PLANNER_EXPR_H
#define PLANNER_EXPR_H

#include "storage/catalog/builtin.h"

typedef int ColId; /* from 1; 0 is none */

#define EXPR_KINDS(X)                                                                                                \
    X(EXPR_CONST, "const")                                                                                           \
    X(EXPR_PARAM, "parameter")             /* $1 */                                                                  \
    X(EXPR_COLUMN, "column")                                                                                         \
    X(EXPR_CALL, "call")                   /* function or operator: FuncDef; args */                                 \
    X(EXPR_CAST, "cast")                   /* arg 0; CastDef */                                                      \
    X(EXPR_DOMAIN, "domain")               /* arg 0, of the base type, if a domain's constraints let it pass */        \
    X(EXPR_AND, "and")                     /* n args, three-valued */                                                \
    X(EXPR_OR, "or")                                                                                                 \
    X(EXPR_NOT, "not")                                                                                               \
    X(EXPR_IS_NULL, "is null")             /* negated: IS NOT NULL. Of a row type: SQL's rule */                     \
    X(EXPR_IS_BOOL, "is bool")             /* IS [NOT] TRUE, FALSE, UNKNOWN */                                       \
    X(EXPR_COMPARE, "compare")             /* arg 0 op arg 1 of one comparable type */                               \
    X(EXPR_DISTINCT, "distinct")           /* IS [NOT] DISTINCT FROM */                                              \
    X(EXPR_ROW_COMPARE, "row compare")     /* (a, b) op (c, d): 2n args, the left half first */                      \
    X(EXPR_IN_LIST, "in list")             /* arg 0 [NOT] IN (arg 1 ...), all of one type */                         \
    X(EXPR_ANY_ARRAY, "any array")         /* arg 0 op ANY|ALL (arg 1, an array) by CompareOp or FuncDef */          \
    X(EXPR_CASE, "case")                   /* when, then, when, then ..., else: searched form, always with ELSE */   \
    X(EXPR_COALESCE, "coalesce")                                                                                     \
    X(EXPR_MIN_MAX, "greatest")            /* GREATEST or LEAST */                                                   \
    X(EXPR_ARRAY, "array")                 /* ARRAY[...] */                                                          \
    X(EXPR_ROW, "row")                                                                                               \
    X(EXPR_FIELD, "field")                 /* (row).f: arg 0, field number */                                        \
    X(EXPR_SUBSCRIPT, "subscript")         /* arg 0 [arg 1]; slices: arg 1 : arg 2 */                                \
    X(EXPR_SUBQUERY, "subquery")           /* kind: scalar, exists, in/any, all, array; rel; args: left sides */     \
    X(EXPR_AGGREGATE, "aggregate")         /* only in RelAggregate */                                                \
    X(EXPR_WINDOW, "window")               /* only in RelWindow */                                                   \
    X(EXPR_DEFAULT, "default")             /* DEFAULT in VALUES of an INSERT; gone after binding */

typedef enum ExprKind {
#define EXPR_KIND(kind, word) kind,
    EXPR_KINDS(EXPR_KIND)
#undef EXPR_KIND
} ExprKind;

typedef enum CompareOp { COMPARE_EQ, COMPARE_NE, COMPARE_LT, COMPARE_LE, COMPARE_GT, COMPARE_GE } CompareOp;

typedef struct Expr Expr;
struct Expr {
    ExprKind kind;
    TypeRef type;
    int position; /* in the statement's text, for errors of evaluation; 0: none */
    Expr **args;
    int arg_count;
};

typedef struct ExprConst { Expr base; Value value; } ExprConst;
typedef struct ExprParam { Expr base; int number; /* from 1 */ } ExprParam;
typedef struct ExprColumn { Expr base; ColId column; const char *name; /* as EXPLAIN prints it */ } ExprColumn;
typedef struct ExprCall { Expr base; const FuncDef *function; } ExprCall;
typedef struct ExprCast { Expr base; CastDef path; bool explicit_cast; } ExprCast;
typedef struct DomainRule {
    const char *constraint; /* NULL: NOT NULL */
    Expr *check;            /* over the column ExprDomain.value */
} DomainRule;
typedef struct ExprDomain {
    Expr base;
    ColId value;
    const DomainRule *rules; /* at least one */
    int rule_count;
    Oid domain;
    bool elements;           /* arg 0 is an array of domains: each element is judged */
} ExprDomain;
typedef struct ExprNegatable { Expr base; bool negated; } ExprNegatable; /* IS_NULL, DISTINCT, IN_LIST */
typedef struct ExprIsBool { Expr base; bool negated; int truth; /* 1 TRUE, 0 FALSE, -1 UNKNOWN */ } ExprIsBool;
typedef struct ExprCompare { Expr base; CompareOp op; } ExprCompare; /* COMPARE, ROW_COMPARE */
typedef struct ExprAnyArray { Expr base; bool all; CompareOp op; const FuncDef *function; /* NULL: op */ } ExprAnyArray;
typedef struct ExprMinMax { Expr base; bool least; } ExprMinMax;
/* EXPR_ROW. names: of a table's row, one a field; NULL: none. */
typedef struct ExprRow { Expr base; const char **names; } ExprRow;
typedef struct ExprField { Expr base; int field; } ExprField; /* from 0 */
typedef struct ExprSubscript { Expr base; bool slice; } ExprSubscript;

typedef enum SubqueryKind { SUBQUERY_SCALAR, SUBQUERY_EXISTS, SUBQUERY_ANY, SUBQUERY_ALL, SUBQUERY_ARRAY } SubqueryKind;
struct Rel;
struct Plan;
enum { SUBQUERY_KEYS_MAX = 8 };
typedef struct ExprSubquery {
    Expr base; /* args: left sides of ANY and ALL, keys of `answers`; then the values of `bound` */
    SubqueryKind sub_kind;
    CompareOp op;              /* ANY, ALL */
    const FuncDef *function;   /* ANY, ALL with an operator that is no comparison; NULL: op */
    struct Rel *rel;           /* its columns: what the subquery returns */
    struct Plan *plan;         /* set by paths/ */
    ColId *outer;              /* columns of enclosing queries that rel uses; none: evaluated once */
    int outer_count;
    ColId *bound;              /* the same where plan is set and the value is not that of a column but computed: the last */
    int bound_count;           /* args */
    /* EXISTS and scalar ones that are correlated by equalities alone: a plan, set by paths/, that returns the answers for
     * all keys at once, the keys first and then (scalar) the answer. base.args are the keys of the row at hand. A key that
     * it does not return has the answer that the subquery gives where no row matches. NULL: there is none. */
    struct Plan *answers;
    double answers_after;      /* so many answers one by one cost as much as all at once */
    const char *sql;           /* original text, for EXPLAIN */
} ExprSubquery;

typedef struct SortKey {
    Expr *expr; /* in a Plan: always an EXPR_COLUMN */
    bool descending, nulls_first;
} SortKey;

typedef struct ExprAggregate {
    Expr base; /* args: the arguments */
    const AggDef *aggregate;
    bool distinct;
    Expr *filter; /* NULL: none */
    SortKey *order;
    int order_count;
} ExprAggregate;

typedef enum FrameUnit { FRAME_ROWS, FRAME_RANGE, FRAME_GROUPS } FrameUnit;
typedef enum FrameBound { FRAME_UNBOUNDED_PRECEDING, FRAME_PRECEDING, FRAME_CURRENT_ROW, FRAME_FOLLOWING, FRAME_UNBOUNDED_FOLLOWING } FrameBound;
typedef enum FrameExclude { FRAME_EXCLUDE_NONE, FRAME_EXCLUDE_CURRENT_ROW, FRAME_EXCLUDE_GROUP, FRAME_EXCLUDE_TIES } FrameExclude;

typedef struct WindowSpec {
    Expr **partition;
    int partition_count;
    SortKey *order;
    int order_count;
    FrameUnit unit;
    FrameBound start, end;
    Expr *start_offset, *end_offset;
    FrameExclude exclude;
} WindowSpec;

typedef struct ExprWindow {
    Expr base;
    const AggDef *aggregate;  /* either this */
    const WindowDef *window;  /* or this */
    Expr *filter;
    const WindowSpec *spec;
} ExprWindow;

/* ---- making and looking (expr.c) ---- */
/* A zeroed node of that kind; args are kept, not copied. */
Expr *expr_new(Arena *arena, ExprKind kind, TypeRef type, Expr **args, int arg_count);
Expr *expr_null(Arena *arena, TypeRef type);
Expr *expr_not(Arena *arena, Expr *e);
Expr *expr_is_null(Arena *arena, Expr *e, bool negated);
Expr *expr_cast(Arena *arena, Expr *e, CastDef path, TypeRef type, bool explicit_cast);
Expr *expr_call(Arena *arena, const FuncDef *function, TypeRef type, Expr **args, int arg_count);
Expr *expr_const(Arena *arena, TypeRef type, Value value);
Expr *expr_bool(Arena *arena, bool value);
Expr *expr_column(Arena *arena, ColId column, TypeRef type, const char *name);
Expr *expr_compare(Arena *arena, CompareOp op, Expr *left, Expr *right);
/* Of zero: true. Of one: itself. Nested ANDs are flattened. */
Expr *expr_and(Arena *arena, Expr **items, int count);
Expr *expr_or(Arena *arena, Expr **items, int count);
Expr *expr_and2(Arena *arena, Expr *a, Expr *b); /* either may be NULL, which is true */
/* The items of an AND, or e alone; 0 of NULL. The array is shared: do not change it. */
int expr_conjuncts(Expr *e, Expr ***items, Arena *arena);
bool expr_is_const(const Expr *e, Value *value); /* *value if not NULL */
bool expr_is_true(const Expr *e);
bool expr_is_null_const(const Expr *e);
CompareOp compare_swapped(CompareOp op); /* a op b = b swapped a */
CompareOp compare_negated(CompareOp op); /* NOT (a op b) = a negated b */
const char *compare_symbol(CompareOp op);
bool expr_equal(const Expr *a, const Expr *b); /* same structure, columns and constants */
bool window_spec_equal(const WindowSpec *a, const WindowSpec *b);
size_t expr_size(ExprKind kind);               /* bytes of the struct */
/* A shallow copy with new args. */
Expr *expr_with_args(Arena *arena, const Expr *e, Expr **args);

/* ---- walking (expr_walk.c) ---- */
/* Calls visit for e and everything below, subqueries' relations not entered, parents first; false from visit skips below. */
void expr_walk(const Expr *e, bool (*visit)(const Expr *e, void *argument), void *argument);
/* Rebuilds bottom-up: rewrite may return another node or the same. */
Expr *expr_rewrite(Arena *arena, Expr *e, Expr *(*rewrite)(Arena *arena, Expr *e, void *argument), void *argument);
/* Parents first: where replace returns a node, it stands for e and everything below. */
Expr *expr_replace(Arena *arena, Expr *e, Expr *(*replace)(Arena *arena, Expr *e, void *argument), void *argument);

/* A set of ColIds. */
typedef struct ColSet {
    uint64_t *words;
    int word_count;
} ColSet;
void colset_add(ColSet *set, Arena *arena, ColId column);
void colset_union(ColSet *set, Arena *arena, const ColSet *other);
bool colset_has(const ColSet *set, ColId column);
bool colset_empty(const ColSet *set);
bool colset_contains(const ColSet *set, const ColSet *part);
bool colset_intersects(const ColSet *a, const ColSet *b);
/* Adds every column that e uses, those of subqueries' outer lists included. */
void expr_columns(const Expr *e, ColSet *set, Arena *arena);
bool expr_uses_only(const Expr *e, const ColSet *columns);
typedef enum Volatility { VOLATILITY_IMMUTABLE, VOLATILITY_STABLE, VOLATILITY_VOLATILE } Volatility;
Volatility expr_volatility(const Expr *e);
bool expr_has_subquery(const Expr *e);
/* Column ids replaced by expressions: replacements[i] stands for columns[i]. Correlated uses in subqueries are replaced
 * too, and their outer lists kept right. */
Expr *expr_substitute(Arena *arena, Expr *e, const ColId *columns, Expr *const *replacements, int count);

/* SQL-like text for EXPLAIN and errors: `age > 30`, `(a = 1) AND (b = 2)`. */
const char *expr_text(const Expr *e, Arena *arena);

#endif
