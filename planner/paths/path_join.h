/* path_join.h - joins: what the files of the family share. */
#ifndef PLANNER_PATHS_PATH_JOIN_H
#define PLANNER_PATHS_PATH_JOIN_H

#include "planner/paths/path_scan.h"

typedef struct JoinSpec {
    JoinKind join; /* never RIGHT: sides are swapped before */
    bool null_aware;
    Expr **conditions;
    int count;
    double rows; /* estimated result */
} JoinSpec;

/* Hash join where there are equal keys, else a nested loop (path_hash_join.c). */
Status path_join_plans(Paths *p, Plan *left, Plan *right, const JoinSpec *spec, Plan **plan);
/* One side of a join as it stands in the statement. */
typedef struct MergeSide {
    Rel *rel;
    ExprVec conjuncts; /* over this side alone */
    ColSet columns;
    Plan *planned;     /* without an order asked for */
} MergeSide;
/* A merge join of two sides, if indexes have both in the order of an equal key; else *plan is NULL (path_merge_join.c). */
Status path_merge_join(Paths *p, const MergeSide *sides, const JoinSpec *spec, const ColSet *wanted, Plan **plan);
/* Is the condition `left side = right side`? */
bool path_equal_sides(Paths *p, Expr *condition, const ColSet *left, const ColSet *right, Expr **left_side,
                      Expr **right_side, bool *null_safe);

/* ---- virtual tables (path_system_join.c) ---- */

/* The right side, under the join's conditions, as it is looked up for one left row; *plan NULL: it cannot be. */
Status path_system_lookup(Paths *p, Rel *right, const JoinSpec *spec, const ColSet *left, const ColSet *wanted, Plan **plan);
Plan *path_system_apply(Paths *p, Plan *left, Plan *right, const JoinSpec *spec);

/* ---- look-ups (path_lookup_join.c) ---- */

typedef struct LookupChoice {
    Source *source;
    const IndexDesc *index;
    SpanChoice spans;
    Expr **conditions;
    int count;
    bool covering, key_unique;
    double rows_each; /* rows found per left row */
    double cost_each;
} LookupChoice;

/* The best index of the table to look rows up by, given conditions over it and the left side's columns. False: none. */
bool path_lookup_choose(Paths *p, Source *source, const JoinSpec *spec, const ColSet *left, const ColSet *wanted,
                        LookupChoice *choice);
Plan *path_lookup_build(Paths *p, Plan *left, const JoinSpec *spec, const LookupChoice *choice, const ColSet *wanted);

/* ---- order of inner joins (path_join_order.c) ---- */

enum { JOIN_ITEMS_MAX = 60, JOIN_DP_MAX = 9 };

typedef struct JoinItem {
    Rel *rel;
    ColSet columns;
    ExprVec local;  /* conjuncts over this item alone */
    Source *source; /* NULL: no base table */
    Plan *plan;
} JoinItem;

typedef struct JoinEdge {
    Expr *condition;
    uint64_t items;
    double share;
} JoinEdge;

typedef struct JoinGraph {
    Paths *p;
    ColSet wanted; /* of the whole join, conditions included */
    VEC(JoinItem) items;
    VEC(JoinEdge) edges;
} JoinGraph;

Status path_join_order(JoinGraph *graph, Plan **plan);
/* The items looked up one after the other from `first` on, whose order is kept. *plan NULL: some cannot be looked up.
 * rows: how many of the result will be read; 0: all. */
void path_join_chain(JoinGraph *graph, int first, Plan *first_plan, double rows, Plan **plan);

#endif
