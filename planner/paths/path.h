/* path.h - what the files of paths/ share: the planning state, what a parent wants of its input, makers of plan nodes.
 *
 * Planning is one pass from the top down: a parent says which columns it needs, in which order it would like the rows and
 * how many of them it will read; each relation answers with its cheapest plan, and says in Plan.order whether the order
 * holds. A parent that must have the order sorts if it does not.
 */
#ifndef PLANNER_PATHS_PATH_H
#define PLANNER_PATHS_PATH_H

#include "planner/cost/cost.h"
#include "planner/paths/paths.h"
#include "planner/paths/span_build.h"
#include "planner/settings.h"

typedef struct CtePlan {
    const Cte *cte;
    const Plan *plan;
} CtePlan;

typedef struct Paths {
    Session *session;
    Arena *arena;
    Error *err;
    ColId next_column;
    VEC(Source *) sources; /* one per RelTable met so far */
    VEC(CtePlan) ctes;     /* those planned so far */
    int depth;
    const ColSet *held; /* computed columns that the entries read must hold; NULL: none (path_indexed_expr.c) */
} Paths;

typedef struct Wanted {
    ColSet columns;       /* those of enclosing queries may be among them */
    const SortKey *order; /* of EXPR_COLUMNs; count 0: any */
    int order_count;
    Expr *limit;          /* no more rows than this will be read, if the order holds; NULL: all */
    double rows;          /* the same as an estimate, also where filters above make it soft; 0: all */
    /* One row for each combination of these columns is enough: the first by `first`, any one if that is empty. Not carried
     * on by path_wanted_copy: few relations can pass it down. */
    const ColId *distinct;
    int distinct_count;   /* 0: all rows */
    bool distinct_on;     /* a sort on the way down says which is the first */
    const SortKey *first;
    int first_count;
    double distinct_rows; /* how many such rows will be read; 0: all */
    Expr *distinct_each;  /* so many rows for each combination instead of one; NULL: one */
} Wanted;

/* The same needs, with a set of columns of its own to add to. */
Wanted path_wanted_copy(Paths *p, const Wanted *wanted);
/* Nothing is known of the order and the number of rows. */
Wanted path_wanted_columns(Paths *p, const ColSet *columns);

/* ---- dispatch (paths.c) ---- */
Status path_rel(Paths *p, Rel *rel, const Wanted *wanted, Plan **plan);
/* By the kind of the relation, as it is written. */
Status path_dispatch(Paths *p, Rel *rel, const Wanted *wanted, Plan **plan);
/* Replaces the plan of a projection or of groups over one table if an index that holds their expressions is cheaper. */
Status path_indexed_expr(Paths *p, Rel *rel, const Wanted *wanted, Plan **plan);
/* The same, shaped to return rel's columns exactly. */
Status path_rel_shaped(Paths *p, Rel *rel, Wanted wanted, Plan **plan);

/* For a subquery that is planned: sets its `answers` where it has them (path_answers.c). */
Status path_answers(Paths *p, ExprSubquery *sub);

/* ---- kinds of relations ---- */
Status path_values(Paths *p, RelValues *rel, Plan **plan);
Status path_system(Paths *p, RelSystem *rel, Expr **conjuncts, int count, const Wanted *wanted, Plan **plan);
Status path_function(Paths *p, RelFunction *rel, Plan **plan);
Status path_filter(Paths *p, RelFilter *rel, const Wanted *wanted, Plan **plan);
Status path_project(Paths *p, RelProject *rel, const Wanted *wanted, Plan **plan);
Status path_project_set(Paths *p, RelProjectSet *rel, const Wanted *wanted, Plan **plan);
Status path_sort(Paths *p, RelSort *rel, const Wanted *wanted, Plan **plan);
Status path_limit(Paths *p, RelLimit *rel, const Wanted *wanted, Plan **plan);
Status path_distinct(Paths *p, RelDistinct *rel, const Wanted *wanted, Plan **plan);
Status path_aggregate(Paths *p, RelAggregate *rel, const Wanted *wanted, Plan **plan);
/* Window functions, with conjuncts from a filter above them. */
Status path_window(Paths *p, RelWindow *rel, Expr **conjuncts, int count, const Wanted *wanted, Plan **plan);
Status path_set_op(Paths *p, RelSetOp *rel, const Wanted *wanted, Plan **plan);
Status path_cte(Paths *p, RelCte *rel, Plan **plan);
Status path_with(Paths *p, RelWith *rel, const Wanted *wanted, Plan **plan);
Status path_lock(Paths *p, RelLock *rel, const Wanted *wanted, Plan **plan);
Status path_insert(Paths *p, RelInsert *rel, Plan **plan);
Status path_update(Paths *p, RelUpdate *rel, Plan **plan);
Status path_delete(Paths *p, RelDelete *rel, Plan **plan);
/* A join, with conjuncts from a filter above it. */
Status path_join(Paths *p, Rel *rel, Expr **conjuncts, int count, const Wanted *wanted, Plan **plan);
/* A table under conjuncts: picks the index (path_scan.c). */
Status path_table(Paths *p, RelTable *rel, Expr **conjuncts, int count, const Wanted *wanted, Plan **plan);
/* Conjuncts over any relation: pushed into tables and joins, else a filter node. */
Status path_filtered(Paths *p, Rel *rel, Expr **conjuncts, int count, const Wanted *wanted, Plan **plan);

/* ---- making nodes (path_make.c) ---- */
void *path_new(Paths *p, PlanKind kind, size_t size);
/* Over an input: its columns, rows, order and cost taken over. */
void *path_new_over(Paths *p, PlanKind kind, size_t size, Plan *input);
void path_set_columns(Paths *p, Plan *plan, const RelColumn *columns, int count);
/* plan's columns, then those of `more`. */
void path_append_columns(Paths *p, Plan *plan, const Plan *more);
void path_add_column(Paths *p, Plan *plan, ColId id, TypeRef type, const char *name);
int path_column_index(const Plan *plan, ColId id); /* -1: not among them */
Plan *path_make_filter(Paths *p, Plan *input, Expr **conjuncts, int count);
/* Exactly these columns in this order; the plan itself where it already is so. */
Plan *path_shape(Paths *p, Plan *plan, const RelColumn *columns, int count);
/* The columns of another plan, in its order. */
Plan *path_shape_like(Paths *p, Plan *plan, const Plan *like);
/* Adds computed columns behind the input's. */
Plan *path_extend(Paths *p, Plan *input, Expr **exprs, const ColId *ids, int count);
/* The column of an expression: its own if it is one, or that of an entry added to *exprs. */
typedef struct Extension {
    VEC(Expr *) exprs;
    VEC(ColId) ids;
} Extension;
ColId path_as_column(Paths *p, Extension *extension, Expr *e);
/* cost_sort, and what enable_sort adds to it. */
double path_sort_cost(const Paths *p, double rows, double limit);
Plan *path_make_sort(Paths *p, Plan *input, const SortKey *keys, int count, Expr *k, double rows);
ColId path_new_column(Paths *p);

/* The source of a table reference, made at the first call. */
Status path_source(Paths *p, const RelTable *rel, Source **source);

/* ---- orders (path_order.c) ---- */
bool path_order_holds(const Plan *plan, const SortKey *order, int count);
bool path_order_equal(const SortKey *a, const SortKey *b, int count);
/* How many of the leading keys hold already. */
int path_order_prefix(const Plan *plan, const SortKey *keys, int count);
void path_set_order(Plan *plan, const SortKey *order, int count);

/* ---- conditions ---- */
typedef VEC(Expr *) ExprVec;
void path_split_condition(Paths *p, Expr *condition, ExprVec *conjuncts);
void path_need(Paths *p, Wanted *wanted, const Expr *e);
/* Is a setting on? So it is where there is no session. */
bool path_setting(const Paths *p, SettingId id);
/* How many different combinations of the columns there are among so many rows. */
double path_distinct_count(const Paths *p, const ColId *columns, int count, double rows);
/* An estimate of the constant row count of LIMIT; 0: none. */
double path_limit_rows(const Expr *limit);

#endif
