/* ast_query.h - SELECT and the statements that change rows. */
#ifndef PARSER_AST_QUERY_H
#define PARSER_AST_QUERY_H

#include "parser/ast_expr.h"

/* ---- FROM ---- */

typedef struct AstColumnDef AstColumnDef; /* ast_ddl.h; here name, type and collation only */
typedef VEC(AstColumnDef *) AstColumnDefVec;

typedef struct AstAlias {
    const char *name;  /* NULL: none */
    StrVec columns;    /* AS t(a, b) */
    AstColumnDefVec definitions; /* of a function in FROM: AS t(a int, b text) */
} AstAlias;

#define AST_FROM_KINDS(X)                                                                                            \
    X(AST_FROM_TABLE, AstFromTable) X(AST_FROM_SUBQUERY, AstFromSubquery) X(AST_FROM_FUNCTION, AstFromFunction)      \
    X(AST_FROM_JOIN, AstFromJoin) X(AST_FROM_STATEMENT, AstFromStatement)
typedef enum AstFromKind {
#define AST_FROM_KIND(kind, type) kind,
    AST_FROM_KINDS(AST_FROM_KIND)
#undef AST_FROM_KIND
} AstFromKind;

typedef struct AstFrom {
    AstFromKind kind;
    int position;
    AstAlias alias;
    bool lateral;
    bool ordinality; /* WITH ORDINALITY: functions; CockroachDB allows it on all */
    int depth;       /* of nested joins and subqueries below; the parser bounds it */
} AstFrom;
typedef VEC(AstFrom *) AstFromVec;

typedef struct AstFromTable {
    AstFrom base;
    AstName name;
    AstFound *found;
    bool only;                /* ONLY t */
    const char *index;        /* t@i, t@{FORCE_INDEX=i}; NULL: none */
    AstSortDirection index_direction; /* FORCE_INDEX=i,DESC */
    bool no_full_scan, no_index_join;
    const char *sample;       /* TABLESAMPLE method; NULL: none */
    AstExprVec sample_args;
    AstExpr *sample_seed;
} AstFromTable;

typedef struct AstFromSubquery { AstFrom base; AstSelect *select; } AstFromSubquery;

typedef struct AstFunctionItem {
    AstExpr *call; /* AST_CALL, or what is written like one: AST_SQL_VALUE, AST_COALESCE, AST_CAST ... */
    AstColumnDefVec definitions; /* ROWS FROM (f() AS (a int)) */
} AstFunctionItem;
typedef VEC(AstFunctionItem) AstFunctionItemVec;
typedef struct AstFromFunction {
    AstFrom base;
    AstFunctionItemVec items; /* more than one: ROWS FROM */
    bool rows_from;
} AstFromFunction;

typedef enum AstJoinKind { AST_JOIN_INNER, AST_JOIN_LEFT, AST_JOIN_RIGHT, AST_JOIN_FULL, AST_JOIN_CROSS } AstJoinKind;
typedef struct AstFromJoin {
    AstFrom base;    /* alias: (a JOIN b) AS x */
    AstJoinKind join;
    bool natural;
    AstFrom *left, *right;
    AstExpr *on;     /* NULL: none */
    bool has_using;
    StrVec using_columns;
    const char *using_alias; /* USING (a) AS x */
} AstFromJoin;

typedef struct AstFromStatement { AstFrom base; AstStmt *stmt; } AstFromStatement; /* [SHOW TABLES] */

/* ---- SELECT ---- */

typedef struct AstTarget {
    int position;
    AstExpr *expr;      /* AST_COLUMN with star for * and t.* */
    const char *alias;  /* NULL: none */
} AstTarget;
typedef VEC(AstTarget) AstTargetVec;

typedef enum AstMaterialized { AST_MATERIALIZED_DEFAULT, AST_MATERIALIZED_YES, AST_MATERIALIZED_NO } AstMaterialized;
typedef struct AstCte {
    int position;
    const char *name;
    StrVec columns;
    AstMaterialized materialized;
    AstStmt *stmt; /* SELECT, INSERT, UPDATE, DELETE, SHOW */
    bool search_or_cycle; /* SEARCH or CYCLE clause: not supported */
} AstCte;
typedef VEC(AstCte) AstCteVec;
typedef struct AstWith {
    int position;
    const char *text; /* where it stands in the source */
    bool recursive;
    AstCteVec ctes;
} AstWith;

typedef enum AstLockStrength { AST_LOCK_UPDATE, AST_LOCK_NO_KEY_UPDATE, AST_LOCK_SHARE, AST_LOCK_KEY_SHARE } AstLockStrength;
typedef enum AstLockWait { AST_LOCK_BLOCK, AST_LOCK_NOWAIT, AST_LOCK_SKIP } AstLockWait;
typedef struct AstLocking {
    int position;
    AstLockStrength strength;
    AstLockWait wait;
    AstNameVec of; /* none: all tables */
} AstLocking;
typedef VEC(AstLocking) AstLockingVec;

typedef enum AstSetOp { AST_SET_OP_NONE, AST_SET_OP_UNION, AST_SET_OP_INTERSECT, AST_SET_OP_EXCEPT } AstSetOp;

typedef enum AstPersistence { AST_PERMANENT, AST_TEMPORARY, AST_UNLOGGED } AstPersistence;
typedef struct AstInto { int position; AstPersistence persistence; AstName name; } AstInto;

struct AstSelect {
    AstStmt base;
    AstWith *with; /* NULL: none */
    /* A set operation: op is set, left and right are selects (which may have WITH, ORDER BY and LIMIT of their own,
     * where they stood in parentheses) and all fields down to `values` are empty. */
    AstSetOp op;
    bool all;
    AstSelect *left, *right;
    /* Otherwise a plain SELECT ... */
    bool distinct;
    AstExprVec distinct_on; /* none: all columns */
    AstTargetVec targets;
    const AstInto *into; /* NULL: none. A whole statement's has become an AstCreateTableAs: 42601 elsewhere */
    AstFromVec from;
    AstExpr *where;
    AstExprVec group_by;
    bool group_distinct;
    AstExpr *having;
    AstWindowVec windows;
    /* ... or VALUES. Items may be AST_DEFAULT, allowed in INSERT only. */
    bool is_values;
    AstExprRows values;
    /* All forms. */
    AstSortVec order_by;
    AstExpr *limit, *offset; /* NULL: none, also LIMIT ALL */
    bool with_ties;
    AstLockingVec locking;
    AstExpr *as_of; /* AS OF SYSTEM TIME; NULL: none */
    int depth;      /* of what is below; the parser bounds it */
};

/* ---- changes ---- */

/* SET a = 1; SET (a, b) = (1, 2), ROW(1, 2) or (SELECT ...): several columns, one expr (AST_ROW, AST_SUBQUERY or other). */
typedef struct AstAssignment {
    int position;
    StrVec columns;
    IntVec positions;   /* beside columns */
    bool multiple;        /* written with parentheses */
    bool indirection;     /* SET a[1] = or a.f = : not supported */
    AstExpr *value;       /* AST_DEFAULT is allowed, also inside an AST_ROW */
} AstAssignment;
typedef VEC(AstAssignment) AstAssignmentVec;

typedef enum AstOnConflict { AST_ON_CONFLICT_NONE, AST_ON_CONFLICT_NOTHING, AST_ON_CONFLICT_UPDATE } AstOnConflict;
typedef struct AstIndexElem AstIndexElem; /* ast_ddl.h */
typedef VEC(AstIndexElem *) AstIndexElemVec;

typedef enum AstOverriding { AST_OVERRIDING_NONE, AST_OVERRIDING_SYSTEM, AST_OVERRIDING_USER } AstOverriding;

typedef struct AstInsert {
    AstStmt base;
    AstWith *with;
    bool upsert;
    AstName table;
    const char *alias;
    bool has_columns;
    StrVec columns;
    IntVec column_positions;
    AstOverriding overriding;
    AstSelect *query; /* NULL: DEFAULT VALUES */
    AstOnConflict on_conflict;
    int conflict_position;
    AstIndexElemVec conflict_target; /* ON CONFLICT (a, lower(b)) */
    AstExpr *conflict_where;             /* ... WHERE predicate of a partial index */
    const char *conflict_constraint;     /* ON CONFLICT ON CONSTRAINT name */
    AstAssignmentVec set;                /* DO UPDATE SET */
    AstExpr *set_where;
    bool has_returning;
    AstTargetVec returning;
} AstInsert;

typedef struct AstUpdate {
    AstStmt base;
    AstWith *with;
    AstFromTable *table;
    AstAssignmentVec set;
    AstFromVec from;
    AstExpr *where;
    AstSortVec order_by; /* CockroachDB */
    AstExpr *limit;
    bool has_returning;
    AstTargetVec returning;
} AstUpdate;

typedef struct AstDelete {
    AstStmt base;
    AstWith *with;
    AstFromTable *table;
    AstFromVec using_;
    AstExpr *where;
    AstSortVec order_by;
    AstExpr *limit;
    bool has_returning;
    AstTargetVec returning;
} AstDelete;

#endif
