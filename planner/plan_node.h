/* plan_node.h - the physical plan: what paths/ makes and executor/op_build.c turns into operators.
 *
 * Read-only once made. `columns` lists the ColIds a node returns, in batch order; an expression's EXPR_COLUMN that is not
 * among its input's columns belongs to an enclosing query and is read from the outer row (Plan with `outer`, subqueries).
 */
#ifndef PLANNER_PLAN_NODE_H
#define PLANNER_PLAN_NODE_H

#include "planner/rel.h"
#include "planner/span.h"

#define PLAN_KINDS(X)                                                                                                \
    X(PLAN_SCAN, "scan")                   /* printed revscan when descending */                                     \
    X(PLAN_SKIP_SCAN, "skip scan")                                                                                   \
    X(PLAN_DISTINCT_SCAN, "distinct scan") /* the first row of each distinct prefix of the key */                    \
    X(PLAN_MERGE_STREAMS, "union all")     /* one ordered stream per leading value, merged */                        \
    X(PLAN_INDEX_JOIN, "index join")                                                                                 \
    X(PLAN_SYSTEM, "virtual table")                                                                                  \
    X(PLAN_FUNCTION, "project set")                                                                                  \
    X(PLAN_VALUES, "values")                                                                                         \
    X(PLAN_FILTER, "filter")                                                                                         \
    X(PLAN_PROJECT, "render")                                                                                        \
    X(PLAN_PROJECT_SET, "project set")                                                                               \
    X(PLAN_LIMIT, "limit")                                                                                           \
    X(PLAN_SORT, "sort")                                                                                             \
    X(PLAN_TOP_K, "top-k")                                                                                           \
    X(PLAN_DISTINCT, "distinct")                                                                                     \
    X(PLAN_HASH_JOIN, "hash join")                                                                                   \
    X(PLAN_MERGE_JOIN, "merge join")                                                                                 \
    X(PLAN_LOOKUP_JOIN, "lookup join")                                                                               \
    X(PLAN_NESTED_LOOP, "cross join")      /* right side materialised */                                             \
    X(PLAN_APPLY, "apply join")            /* right side run again for each left row, which is its outer row */      \
    X(PLAN_AGGREGATE, "group")                                                                                       \
    X(PLAN_WINDOW, "window")                                                                                         \
    X(PLAN_APPEND, "union all")                                                                                      \
    X(PLAN_SET_OP, "set op")               /* UNION, INTERSECT, EXCEPT by hash */                                    \
    X(PLAN_WITH, "with")                                                                                             \
    X(PLAN_CTE, "scan buffer")                                                                                       \
    X(PLAN_RECURSIVE, "recursive cte")                                                                               \
    X(PLAN_WORKING_TABLE, "scan buffer")                                                                             \
    X(PLAN_LOCK, "lock")                                                                                             \
    X(PLAN_INSERT, "insert")                                                                                         \
    X(PLAN_UPDATE, "update")                                                                                         \
    X(PLAN_DELETE, "delete")                                                                                         \
    X(PLAN_UTILITY, "utility")             /* DDL, SET, BEGIN ...: utility.h */

typedef enum PlanKind {
#define PLAN_KIND(kind, word) kind,
    PLAN_KINDS(PLAN_KIND)
#undef PLAN_KIND
} PlanKind;

typedef struct Plan Plan;
struct Plan {
    PlanKind kind;
    int number; /* pre-order within the statement, for statistics */
    double rows_estimated, cost;
    bool estimate_known; /* statistics or exact counts were there */
    ColId *columns;
    TypeRef *types;
    const char **names;
    int column_count;
    Plan **inputs;
    int input_count;
    SortKey *order; /* the order in which rows come; EXPR_COLUMNs */
    int order_count;
};

typedef struct PlanScan { /* SCAN, SKIP_SCAN, DISTINCT_SCAN, MERGE_STREAMS, and the entry side of INDEX_JOIN's input */
    Plan base;
    const TableDesc *table;
    const IndexDesc *index;
    int *ordinals;      /* per output column: ordinal in table->columns, or -1: the primary key bytes, for an index join */
    SpanSet spans;
    SpanSet prefix_spans; /* SKIP_SCAN: what constrains the columns stepped over; no templates: nothing does */
    bool descending;
    Expr *filter;       /* what the spans do not guarantee, over this scan's columns; NULL: none */
    Expr *limit;        /* hard: no more rows than this after the filter; NULL: none */
    double rows_hint;   /* soft limit; 0: none */
    int skip_columns;   /* SKIP_SCAN: leading key columns stepped over; templates constrain those behind them.
                           DISTINCT_SCAN: those that make the prefix */
    bool first_of_prefix; /* SKIP_SCAN: one row of each prefix is enough */
    Expr *prefix_limit;   /* SKIP_SCAN: so many rows of each prefix are enough; NULL: all, or one */
    int stream_columns; /* MERGE_STREAMS: leading key columns, each SPAN_POINTS, whose combinations are the streams */
    double table_rows;  /* for «n% of the table» */
    double rows_scanned; /* estimate before the filter */
    int64_t analyzed_at_us; /* 0: row counts are known, ANALYZE has not run */
    LockMode lock_mode; /* with locking only */
    LockWait lock_wait;
    bool locking;
} PlanScan;

typedef struct PlanIndexJoin {
    Plan base; /* columns: of the table, by ordinals */
    const TableDesc *table;
    ColId key_bytes;    /* the input column that holds the primary key bytes; a row where it is NULL (below an outer
                           join) stays, with NULLs for the table's columns */
    int *ordinals;      /* per output column; -1: passed through from the input (ColId is the same) */
    Expr *filter;
    LockMode lock_mode;
    LockWait lock_wait;
    bool locking;
} PlanIndexJoin;

typedef struct PlanSystem {
    Plan base;
    const SystemRelation *relation;
    int *ordinals;
    int filter_column;  /* index among the relation's columns; -1: none */
    Expr *filter_value;
} PlanSystem;

typedef struct PlanFunction { Plan base; RelFunctionItem *items; int item_count; bool ordinality; } PlanFunction;
typedef struct PlanValues { Plan base; Expr ***rows; int row_count; } PlanValues;
typedef struct PlanFilter { Plan base; Expr *condition; } PlanFilter;
typedef struct PlanProject { Plan base; Expr **exprs; } PlanProject;
typedef struct PlanProjectSet { Plan base; Expr **calls; int call_count; } PlanProjectSet; /* input's columns, then calls */
typedef struct PlanLimit { Plan base; Expr *limit, *offset; SortKey *ties; int tie_count; } PlanLimit;
typedef struct PlanSort { Plan base; SortKey *keys; int key_count; int keys_already_ordered; Expr *k; /* TOP_K */ } PlanSort;
typedef struct PlanDistinct { Plan base; ColId *on; int on_count; bool input_ordered; } PlanDistinct; /* first row of each */

typedef struct PlanJoin { /* HASH, MERGE, NESTED_LOOP, APPLY */
    Plan base; /* inputs: left (probe, outer), right (build, inner) */
    JoinKind join;
    ColId *left_keys, *right_keys; /* equal pairs; HASH, MERGE */
    CompareOp *key_ops;            /* NULL: all plain = ; otherwise EQ, or NE meaning IS NOT DISTINCT FROM */
    int key_count;
    Expr *condition; /* beyond the keys; NULL: none */
    bool null_aware;
    bool left_keys_unique, right_keys_unique;
    bool *key_descending; /* MERGE */
} PlanJoin;

typedef struct PlanLookupJoin {
    Plan base; /* inputs[0]: left. Columns: left's, then the table's by ordinals */
    JoinKind join; /* INNER, LEFT, SEMI, ANTI */
    const TableDesc *table;
    const IndexDesc *index;
    int *ordinals;    /* per output column behind the left's; -1: primary key bytes */
    SpanSet spans;    /* templates over the left's columns */
    ColId *right_columns; /* ColIds of ordinals, also for semi and anti, whose output lacks them */
    int right_count;
    Expr *condition;  /* over left and right columns; NULL: none */
    bool key_unique;
} PlanLookupJoin;

typedef struct PlanAggregate {
    Plan base;
    ColId *keys;      /* input columns */
    int key_count;
    ExprAggregate **aggregates; /* arguments: any expressions over the input */
    int aggregate_count;
    uint64_t *grouping_sets;
    int grouping_set_count;
    Expr **grouping_calls;
    int grouping_call_count;
    int keys_ordered; /* the input is grouped by that many keys: all = streaming */
    bool scalar;      /* no GROUP BY: exactly one row */
} PlanAggregate;

typedef struct PlanWindow {
    Plan base;
    ExprWindow **functions; /* all of one sort order */
    int function_count;
    bool running;       /* they all number rows and peers: nothing behind a row counts for it */
    Expr *stop;         /* running: rows for which that function exceeds it are not needed; NULL: all are */
    int stop_function;
} PlanWindow;
typedef struct PlanSetOp { Plan base; SetOpKind op; bool all; } PlanSetOp; /* columns match by position */
typedef struct PlanWith { Plan base; Cte **ctes; Plan **plans; int cte_count; } PlanWith; /* inputs[0]: the body */
typedef struct PlanCte { Plan base; Cte *cte; } PlanCte; /* CTE, WORKING_TABLE, RECURSIVE (inputs: start, step) */
typedef struct PlanLock { Plan base; LockItem *items; ColId *key_bytes; int item_count; } PlanLock;

typedef struct PlanInsert { Plan base; RelInsert *insert; } PlanInsert; /* inputs[0] as RelInsert says */
typedef struct PlanUpdate {
    Plan base;
    RelUpdate *update;
    ColId *old_row; /* the input's column of each table column; 0: not read, so unchanged and not needed */
    ColId key_bytes;
    LockMode lock_mode; /* of the rows: weaker if no unique key changes */
} PlanUpdate;
typedef struct PlanDelete { Plan base; RelDelete *delete_; ColId *old_row; ColId key_bytes; } PlanDelete;

/* Hands out the place of every expression of this node, not of its inputs (plan_walk.c). */
void plan_each_expr(Plan *plan, void (*each)(Expr **slot, void *argument), void *argument);

#endif
