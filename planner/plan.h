/* plan.h - from one statement's text to its plan: the only entry of the planner. */
#ifndef PLANNER_PLAN_H
#define PLANNER_PLAN_H

#include "planner/plan_node.h"
#include "planner/session.h"

/* A parsed statement; its tree is private to planner and parser. */
typedef struct ParsedStmt ParsedStmt;

/* Cuts the next statement off *text (a pointer into a NUL-terminated string) and parses it. ST_END: nothing but blanks,
 * comments and semicolons is left. Positions count characters from `origin`, the start of the whole string. */
Status plan_parse(const char *origin, const char **text, ParsedStmt **stmt, Arena *arena, Error *err);

/* What must be known before planning: statement classes that need no transaction, or are refused in a failed one. */
typedef enum StmtClass {
    STMT_QUERY,       /* SELECT, INSERT ...: needs a transaction */
    STMT_UTILITY,     /* needs a transaction too */
    STMT_TXN_CONTROL, /* BEGIN, COMMIT, ROLLBACK, SAVEPOINT ...: never starts one by itself */
    STMT_SESSION      /* SET, SHOW, RESET, DEALLOCATE, FETCH ... */
} StmtClass;
StmtClass plan_stmt_class(const ParsedStmt *stmt);
/* Is it COMMIT, ROLLBACK or ROLLBACK TO: allowed in a failed transaction? */
bool plan_stmt_ends_failure(const ParsedStmt *stmt);
/* "SELECT", "INSERT" ...: the start of the CommandComplete tag. */
const char *plan_stmt_tag(const ParsedStmt *stmt);

typedef struct PlannedStmt PlannedStmt;
struct PlannedStmt {
    Plan *plan;             /* PLAN_UTILITY for what is no query */
    TypeRef *param_types;   /* $1 ...: as declared or inferred */
    int param_count;
    const RelColumn *columns; /* what it returns; none: no rows */
    int column_count;
    uint64_t catalog_version; /* of the view it was planned under */
    const char *user, *search_path; /* and for whom: the session's own texts */
    const Error *denied;    /* NULL: the user may run it; else why not */
    bool read_only;         /* changes nothing */
    TableUseVec tables;     /* of every query in it; what DDL locks is the executor's to know */
    int plan_count;         /* Plan nodes, subqueries' included: for statistics by Plan.number */
    const char *tag;
};

typedef struct PlanParams {
    const Oid *types;    /* 0 = unspecified, to be inferred */
    int count;
    const Value *values; /* for a custom plan; NULL = generic */
} PlanParams;

/* 42P18 if a parameter's type stays unknown. The session's catalog view and transaction must be set. */
Status plan_statement(Session *session, const ParsedStmt *stmt, const PlanParams *params, PlannedStmt *planned,
                      Arena *arena, Error *err);

/* An expression kept in the catalog as text: DEFAULT, CHECK, computed, partial predicate, index expression. */
typedef struct TableExpr {
    const TableDesc *table;
    const RelColumn *columns; /* column ordinal i is ColId columns[i].id; NULL: the expression uses no column */
    const char *text;
    TypeRef wanted;           /* oid 0: its own */
} TableExpr;
Status plan_table_expr(Session *session, const TableExpr *expr, Expr **out, Arena *arena, Error *err);

/* What a node did, all runs together; FORMAT JSON asks for it. */
typedef struct PlanActual {
    double rows, loops, milliseconds;
} PlanActual;

/* EXPLAIN's tree: lines without numbers of execution, or with them where `stats` is given (executor/explain.c). */
typedef struct PlanPrintOptions {
    bool verbose, types, analyze;
    bool yaml;          /* FORMAT YAML instead of JSON */
    bool steady;        /* nothing that differs from run to run of the same statement on the same store */
    /* Appends the statistics lines of a node by calling field; NULL: none. */
    void (*stats)(void *argument, const Plan *plan, void (*field)(void *print, const char *key, const char *value), void *print);
    void *argument;
    void (*actual)(void *argument, const Plan *plan, PlanActual *actual); /* FORMAT JSON; NULL: not run */
    double planning_ms, execution_ms;
    /* Parameters' and outer values for spans; NULL: printed as $1. */
    SpanEval eval;
    void *eval_argument;
} PlanPrintOptions;
/* One line per call of line. */
Status plan_print(const PlannedStmt *planned, const PlanPrintOptions *options,
                  void (*line)(void *argument, const char *text), void *argument, Arena *arena, Error *err);
/* EXPLAIN (OPT): the short tree of CockroachDB's optimizer. */
typedef struct LineSink {
    void (*line)(void *argument, const char *text);
    void *argument;
} LineSink;
void plan_print_opt(const PlannedStmt *planned, const PlanPrintOptions *options, LineSink sink, Arena *arena);
/* FORMAT JSON or YAML, in PostgreSQL's shape. */
Status plan_print_json(const PlannedStmt *planned, const PlanPrintOptions *options, Buf *out, Arena *arena, Error *err);

#endif
