/* scope.h - which names an expression can see.
 *
 * A Scope is one query level: the items of its FROM, the WITH queries it defines, and the Block that gathers aggregates,
 * window calls and set-returning calls of its select list. Look-ups go from the innermost scope outwards; what is found
 * further out is a correlated reference and needs no mark: ColIds are unique within the statement.
 */
#ifndef PLANNER_BIND_SCOPE_H
#define PLANNER_BIND_SCOPE_H

#include "planner/bind/bind.h"

typedef struct ScopeItem {
    const char *name;        /* alias or relation; NULL: a join without alias */
    DescId schema;           /* for s.t.a; 0: it has an alias, or is no relation */
    RelColumn *columns;      /* hidden ones are found by name, not by * */
    int column_count;
    bool name_visible;       /* t.a may be used */
    bool columns_visible;    /* a may be used; false once a join has taken them over */
    bool lateral_only;       /* seen only by LATERAL, while FROM is still being built */
    bool lateral_ok;         /* false: the right side of a RIGHT or FULL join */
    bool scalar;             /* t as a whole is its only column: a function that returns one value */
    const RelTable *table;   /* NULL: no user's table */
    Access *access;          /* NULL: no relation, or one that everybody may read */
    Oid relation_oid;        /* tableoid; 0: none */
    Rel *rel;
} ScopeItem;

/* A WITH query by name. */
typedef struct ScopeCte {
    const char *name;
    const AstCte *ast;
    Cte *cte;
    RelColumn *columns; /* templates: each use gets fresh ColIds */
    int column_count;
    bool working_table; /* inside the recursive part of itself */
    bool used_twice_refused;
} ScopeCte;

typedef struct BlockAggregate { ColId id; ExprAggregate *call; } BlockAggregate;
typedef struct BlockWindow { ColId id; ExprWindow *call; } BlockWindow;
typedef struct BlockSetCall {
    ColId id;
    Expr *call;
    int level;
    bool below; /* in a group key: its rows are made below the grouping */
} BlockSetCall;
typedef struct BlockGrouping { ColId id; Expr **args; int arg_count; int position; } BlockGrouping;

/* What the expressions of one SELECT leave behind: each call became an EXPR_COLUMN of a fresh id. */
typedef struct Block {
    VEC(BlockAggregate) aggregates;
    VEC(BlockWindow) windows;
    VEC(BlockSetCall) set_calls;
    VEC(BlockGrouping) groupings;
    const AstSelect *select;       /* for named windows; NULL: none */
    bool in_aggregate, in_window;  /* an argument of one is being bound */
    int set_level;                 /* of set-returning calls among the arguments being bound */
} Block;

struct Scope {
    Scope *outer;
    VEC(ScopeItem *) items;
    VEC(ScopeCte *) ctes;
    Block *block; /* NULL: no aggregates can be gathered here */
};

/* A scope inside the present one; the caller puts the old one back. */
Scope *scope_push(Binder *binder);

/* 42712 if the name is taken at this level. */
Status scope_add(Binder *binder, Scope *scope, ScopeItem *item);
ScopeItem *scope_item_new(Binder *binder, const char *name, Rel *rel);

/* The item is the relation of this access: its columns are noted as they are read (bind_access.c). */
void bind_access_item(ScopeItem *item, Access *access);
/* A column is read; item NULL: by a join, whose columns are those of others. */
void bind_note_read(Binder *binder, const ScopeItem *item, const RelColumn *column);

/* a, t.a, s.t.a, db.s.t.a; also t as a whole row. 42703, 42P01, 42702 with hints. */
Status scope_find_column(Binder *binder, const AstColumn *name, Expr **out);
/* The visible columns of * or t.*, hidden ones left out. */
typedef VEC(RelColumn) RelColumnVec;
Status scope_star(Binder *binder, const AstColumn *name, RelColumnVec *columns);
/* An item by its name at this level only; NULL if there is none. */
ScopeItem *scope_find_item(const Scope *scope, const char *name);
/* A WITH query that is visible; NULL if there is none. */
ScopeCte *scope_find_cte(const Scope *scope, const char *name);
/* The item whose column this is, at this level; NULL if none has it. */
const ScopeItem *scope_owner(const Scope *scope, ColId column);
/* `column "x" does not exist` with PostgreSQL's hints (scope_hint.c). */
Status scope_no_column(Binder *binder, const char *qualifier, const char *column, int position);
Status scope_no_table(Binder *binder, const char *table, int position);

#endif
