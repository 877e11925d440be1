/* bind_query.h - the parts of query binding that call each other. Inside bind/ only. */
#ifndef PLANNER_BIND_BIND_QUERY_H
#define PLANNER_BIND_BIND_QUERY_H

#include "planner/bind/bind_expr.h"

/* ---- FROM (bind_from.c, bind_join.c) ---- */

/* All items side by side; NULL in *out where there are none. Items are added to binder->scope. */
Status bind_from(Binder *binder, const AstFromVec *from, Rel **out);
Status bind_from_item(Binder *binder, const AstFrom *from, Rel **out);
Status bind_join(Binder *binder, const AstFromJoin *join, Rel **out);
/* A user's table with fresh columns, and its scope item. */
Status bind_table(Binder *binder, Access *access, const AstFromTable *ast, RelTable **rel, ScopeItem **item);
/* Gives an item its alias and column aliases. */
Status bind_alias(Binder *binder, ScopeItem *item, const AstAlias *alias);
Rel *bind_cross_join(Binder *binder, Rel *left, Rel *right);
/* Marks the join as lateral if the right side uses columns of the left. */
void bind_mark_lateral(Binder *binder, RelJoin *join);

/* ---- WITH (bind_with.c) ---- */

/* Binds the queries and pushes the scope that has them. */
Status bind_with(Binder *binder, const AstWith *with);
/* Puts what has to be materialised around the body. scope: the one bind_with pushed. */
Rel *bind_with_finish(Binder *binder, Scope *scope, Rel *body);
/* A reference to one of them in FROM. */
Status bind_cte_reference(Binder *binder, ScopeCte *cte, int position, Rel **out);

/* ---- targets (bind_targets.c) ---- */

typedef struct Target {
    const char *name;
    Expr *expr;
    int position;
    DescId table_id;    /* of a plain column */
    uint32_t column_id;
    ColId id;           /* as the projection returns it */
} Target;
typedef VEC(Target) TargetVec;

Status bind_targets(Binder *binder, const AstTargetVec *ast, TargetVec *targets);
/* The name that an output column gets without an alias: "?column?", "case", a function's name ... */
const char *bind_output_name(const AstExpr *expr);
/* Outputs of unknown type become text. */
Status bind_settle_targets(Binder *binder, TargetVec *targets);
/* A projection of the targets: plain columns keep their ids, unless one comes twice. */
RelProject *bind_project(Binder *binder, Rel *input, TargetVec *targets);

/* ---- ORDER BY, GROUP BY, DISTINCT ON: an output's name, its ordinal, or an expression ---- */

/* GROUP BY takes a name for a column first, the others for an output. */
typedef enum OutputClause { OUTPUT_ORDER_BY, OUTPUT_GROUP_BY, OUTPUT_DISTINCT_ON } OutputClause;
/* *target: its index among targets, -1: *expr is something else. */
Status bind_output_reference(Binder *binder, const AstExpr *ast, const TargetVec *targets, OutputClause clause,
                             int *target, Expr **expr);

/* ---- grouping (bind_group.c) ---- */

/* Puts an aggregate over rel where the query needs one, and rewrites what stands above it: targets, having, keys. */
typedef struct AboveGrouping {
    TargetVec *targets;
    Expr *having;
    SortKey *keys; /* of ORDER BY and DISTINCT ON */
    int key_count;
} AboveGrouping;
Status bind_grouping_of(Binder *binder, const AstSelect *select, AboveGrouping *above, Rel **rel);

/* Puts the nodes that make the rows of the block's set-returning calls on *rel: of those in group keys (`below`), or of
 * the others. */
void bind_set_calls(Binder *binder, Rel **rel, bool below);

/* ---- limits (bind_limit.c) ---- */

Status bind_limit(Binder *binder, const AstExpr *limit, const AstExpr *offset, bool with_ties, Rel **rel);
/* ORDER BY and LIMIT of VALUES and of set operations: over the outputs alone. */
Status bind_output_tail(Binder *binder, const AstSelect *select, bool expressions, Rel **rel);

/* ---- set operations, VALUES (bind_setop.c) ---- */

Status bind_set_op(Binder *binder, const AstSelect *select, Rel **out);
Status bind_values(Binder *binder, const AstSelect *select, Rel **out);
/* Fits the columns of a query to types, constants at once; a projection is added where it must. context: "UNION"; the name of
 * a column to which an assignment is made is in names, NULL: implicit casts. */
Status bind_fit_columns(Binder *binder, Rel **rel, const TypeRef *types, const char *const *names);

/* SELECT whose outputs may stay unknown: the arms of a UNION, the query of an INSERT. */
Status bind_select_unsettled(Binder *binder, const AstSelect *select, Rel **out);

/* bind_locks.c. Puts the locks of the SELECT, whose scope is the binder's, over *rel. */
Status bind_locks(Binder *binder, const AstSelect *select, Rel **rel);
Status bind_locks_refused(Binder *binder, const AstSelect *select, const char *what);
/* The subquery or view of this name in FROM is bound next: its tables are locked as the query around says. */
void bind_locks_pass_down(Binder *binder, const char *name);
const AstSelect *bind_locks_from_above(Binder *binder, const AstSelect *select); /* itself, or one with these locks too */

#endif
