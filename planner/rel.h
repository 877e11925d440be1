/* rel.h - the logical query: what bind/ makes, rules/ rewrite and paths/ turn into a Plan.
 *
 * A Rel names the columns it returns (`columns`), each with name and type. Nodes are in the statement's arena.
 * A column of an enclosing query may be used anywhere below (a correlated reference): paths/ passes it down.
 */
#ifndef PLANNER_REL_H
#define PLANNER_REL_H

#include "planner/expr.h"
#include "storage/catalog/depend.h"

typedef struct RelColumn {
    ColId id;
    const char *name;
    TypeRef type;
    bool hidden;
    /* Where it comes from, for RowDescription and EXPLAIN; 0 where it is computed. */
    DescId table_id;
    uint32_t column_id;
} RelColumn;

#define REL_KINDS(X)                                                                                                 \
    X(REL_TABLE, "table")             /* a user's table */                                                           \
    X(REL_SYSTEM, "system")           /* a virtual table */                                                          \
    X(REL_FUNCTION, "function")       /* set-returning functions in FROM (ROWS FROM, WITH ORDINALITY); lateral */    \
    X(REL_VALUES, "values")                                                                                          \
    X(REL_FILTER, "filter")                                                                                          \
    X(REL_PROJECT, "project")         /* computes columns; passes none through unless listed */                      \
    X(REL_PROJECT_SET, "project set") /* set-returning functions in the select list; passes its input through */     \
    X(REL_JOIN, "join")                                                                                              \
    X(REL_AGGREGATE, "aggregate")                                                                                    \
    X(REL_WINDOW, "window")           /* passes its input through, adds a column per function */                     \
    X(REL_DISTINCT, "distinct")       /* on all columns, or DISTINCT ON */                                           \
    X(REL_SORT, "sort")                                                                                              \
    X(REL_LIMIT, "limit")                                                                                            \
    X(REL_SET_OP, "set op")                                                                                          \
    X(REL_CTE, "cte")                 /* reads a WITH query that is materialised */                                  \
    X(REL_WITH, "with")               /* inputs: the body; ctes listed */                                            \
    X(REL_WORKING_TABLE, "working table") /* the recursive reference */                                              \
    X(REL_LOCK, "lock")               /* FOR UPDATE ... */                                                           \
    X(REL_INSERT, "insert")                                                                                          \
    X(REL_UPDATE, "update")                                                                                          \
    X(REL_DELETE, "delete")                                                                                          \
    X(REL_STATEMENT_ROWS, "statement rows") /* a statement that returns rows but is no query: [SPLIT AT ...] */

typedef enum RelKind {
#define REL_KIND(kind, word) kind,
    REL_KINDS(REL_KIND)
#undef REL_KIND
} RelKind;

typedef struct Rel Rel;
struct Rel {
    RelKind kind;
    RelColumn *columns;
    int column_count;
    Rel **inputs;
    int input_count;
};

typedef struct RelTable {
    Rel base; /* one column per TableDesc column, in ordinal order, hidden ones included */
    const TableDesc *table;
    const char *alias;       /* NULL: the table's name */
    const char *index_hint;  /* t@i; NULL: none */
    bool no_full_scan;
} RelTable;

typedef struct RelSystem {
    Rel base;
    const SystemRelation *relation;
    const char *alias;
} RelSystem;

typedef struct RelFunctionItem {
    Expr *call;        /* EXPR_CALL of a set-returning function, or any expression: one row */
    int column_count;  /* of base.columns that it fills */
} RelFunctionItem;
typedef struct RelFunction {
    Rel base;
    RelFunctionItem *items;
    int item_count;
    bool ordinality;   /* the last column */
} RelFunction;

typedef struct RelValues {
    Rel base;
    Expr ***rows; /* rows[r][c] */
    int row_count; /* one row of no columns: SELECT without FROM */
} RelValues;

typedef struct RelFilter { Rel base; Expr *condition; } RelFilter;

typedef struct RelProject {
    Rel base;
    Expr **exprs; /* one per column; an EXPR_COLUMN of the same id passes it through */
} RelProject;

typedef struct RelProjectSet {
    Rel base; /* columns: the input's, then one per call */
    Expr **calls;
    int call_count;
} RelProjectSet;

typedef enum JoinKind { JOIN_INNER, JOIN_LEFT, JOIN_RIGHT, JOIN_FULL, JOIN_SEMI, JOIN_ANTI } JoinKind;
typedef struct RelJoin {
    Rel base; /* columns: left's then right's (semi, anti: left's) */
    JoinKind join;
    bool lateral;    /* the right side uses columns of the left */
    Expr *condition; /* NULL: true */
    bool null_aware; /* anti join of NOT IN: a NULL on either side makes it unknown */
} RelJoin;

typedef struct RelAggregate {
    Rel base; /* columns: one per group key, then one per aggregate (then GROUPING columns) */
    Expr **keys;
    int key_count;
    ExprAggregate **aggregates;
    int aggregate_count;
    uint64_t *grouping_sets; /* bit k: key k is in the set; NULL: one set of all keys */
    int grouping_set_count;
    Expr **grouping_calls;   /* GROUPING(...): an EXPR_ROW of constants, the positions of its keys; evaluated per set */
    int grouping_call_count;
} RelAggregate;

typedef struct RelWindow {
    Rel base;
    ExprWindow **functions;
    int function_count;
} RelWindow;

typedef struct RelDistinct {
    Rel base;
    Expr **on; /* NULL: all columns */
    int on_count;
} RelDistinct;

typedef struct RelSort { Rel base; SortKey *keys; int key_count; } RelSort;
typedef struct RelLimit {
    Rel base;
    Expr *limit, *offset; /* NULL: none */
    bool with_ties;
} RelLimit;

typedef enum SetOpKind { SET_OP_UNION, SET_OP_INTERSECT, SET_OP_EXCEPT } SetOpKind;
typedef struct RelSetOp {
    Rel base;
    SetOpKind op;
    bool all;
} RelSetOp;

typedef struct Cte {
    const char *name;
    Rel *rel;             /* the query; of a recursive one: the non-recursive part */
    Rel *recursive;       /* NULL: not recursive. Contains REL_WORKING_TABLE */
    bool union_all;       /* of the recursive form */
    bool modifies;        /* INSERT, UPDATE or DELETE inside: always run to its end */
    int references;
    int number;           /* within the statement */
} Cte;
typedef struct RelCte { Rel base; Cte *cte; } RelCte; /* also REL_WORKING_TABLE */
typedef struct RelWith { Rel base; Cte **ctes; int cte_count; } RelWith;

typedef struct LockItem {
    const TableDesc *table;
    const RelTable *from; /* whose rows */
    LockMode mode;
    LockWait wait;
} LockItem;
/* from_above: the locks are those of a query around, whose conditions decide about the rows too. */
typedef struct RelLock { Rel base; LockItem *items; int item_count; bool from_above; } RelLock;

/* A utility statement whose rows are the relation's: [SPLIT AT ...], [EXPLAIN ...]. */
struct Plan;
typedef struct RelStatementRows { Rel base; struct Plan *statement; } RelStatementRows;

/* ---- changes ---- */

/* What every writer of a table needs, all by ordinal of TableDesc.columns. Expressions use `row` columns: fresh ColIds for
 * the table's columns, as they are in the row being written. */
typedef struct WriteTarget {
    const TableDesc *table;
    RelColumn *row;          /* one per table column */
    Expr **computed;         /* for each column: its computed expression over `row`, NULL if not computed */
    Expr **checks;           /* over `row`; one per CheckDesc */
    Expr **predicates;       /* over `row`; one per index, NULL: not partial */
    const Referrer *referrers; int referrer_count; /* foreign keys of what may refer to what the statement takes away */
} WriteTarget;

typedef enum ConflictAction { CONFLICT_ERROR, CONFLICT_NOTHING, CONFLICT_UPDATE, CONFLICT_UPSERT } ConflictAction;

typedef struct RelInsert {
    Rel base;               /* columns: RETURNING's, none without */
    WriteTarget target;
    /* inputs[0] returns one column per table column in ordinal order: defaults are in place and types are fitted.
     * Computed ones are NULL there. */
    ConflictAction conflict;
    const IndexDesc **arbiters; /* ON CONFLICT (...): none = any unique index */
    int arbiter_count;
    RelColumn *existing;    /* CONFLICT_UPDATE: the table's columns of the row in the way; `row` columns are excluded.* */
    Expr **set;             /* CONFLICT_UPDATE, UPSERT: per table column, NULL = unchanged; over existing and row */
    Expr *where;            /* CONFLICT_UPDATE; NULL: none */
    Expr **returning;       /* one per base column, over `row` */
    bool overriding_system;
} RelInsert;

typedef struct RelUpdate {
    Rel base;
    WriteTarget target;
    const RelTable *from;   /* the scan of the target inside inputs[0]; its columns are the old row */
    Expr **set;             /* per table column, NULL = unchanged; over inputs[0]'s columns */
    Expr **returning;       /* over `row` (the new row) and inputs[0]'s columns */
} RelUpdate;

typedef struct RelDelete {
    Rel base;
    WriteTarget target;
    const RelTable *from;
    Expr **returning;       /* over inputs[0]'s columns */
} RelDelete;

/* ---- making, walking (rel.c) ---- */

void *rel_new(Arena *arena, RelKind kind, size_t size); /* a zeroed node; size is that of its struct */
/* The same with inputs; the columns are those of the first input, shared. */
void *rel_new_over(Arena *arena, RelKind kind, size_t size, Rel *input);
Rel *rel_filter(Arena *arena, Rel *input, Expr *condition); /* the input itself where condition is NULL or true */
const char *rel_kind_name(RelKind kind);
const RelColumn *rel_find_column(const Rel *rel, ColId id); /* NULL if rel does not return it */
Expr *rel_column_expr(Arena *arena, const RelColumn *column);

/* Adds the columns that rel returns. */
void rel_column_set(const Rel *rel, ColSet *set, Arena *arena);
/* Adds the columns that some node of the tree makes. */
void rel_made_columns(const Rel *rel, ColSet *set, Arena *arena);
/* Columns used in the tree but not made in it: those of enclosing queries, ascending. Returns how many. */
int rel_outer_columns(const Rel *rel, ColId **columns, Arena *arena);

/* Hands out the place of every expression of this node (not of its inputs), for reading or replacing. */
void rel_each_expr(Rel *rel, void (*each)(Expr **slot, void *argument), void *argument);
/* The inputs and, of REL_WITH, the queries of its CTEs, by place. */
void rel_each_input(Rel *rel, void (*each)(Rel **slot, void *argument), void *argument);
/* A copy of the tree whose nodes may be changed; expressions and leaf nodes without any are shared. ColIds stay. */
Rel *rel_copy(Arena *arena, Rel *rel);
/* A copy of the tree with columns replaced, subqueries included. */
Rel *rel_substitute(Arena *arena, Rel *rel, const ColId *columns, Expr *const *replacements, int count);
/* Of all expressions of the tree; a tree that writes or locks is volatile. */
Volatility rel_volatility(const Rel *rel);

#endif
