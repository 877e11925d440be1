/* utility_session.h - settings, prepared statements, cursors, EXPLAIN, COPY: as bind_session.c hands them to the executor.
 *
 * A statement inside another (PREPARE, DECLARE, EXPLAIN) is a PlannedStmt where it is planned at once, or its text where
 * it is planned later.
 */
#ifndef PLANNER_UTILITY_SESSION_H
#define PLANNER_UTILITY_SESSION_H

#include "planner/plan.h"
#include "planner/utility.h"

/* ---- settings ---- */

typedef struct UtilitySet { /* UTILITY_SET: settings_set_name(session, name, value, local) */
    PlanUtility base;
    const char *name, *value; /* value NULL: DEFAULT. RESET ALL: UtilityReset with name NULL */
    bool local;
    bool cluster; /* SET CLUSTER SETTING; value NULL: the default */
} UtilitySet;
typedef struct UtilityReset { PlanUtility base; const char *name; /* NULL: ALL */ } UtilityReset;
/* One row of base.columns: settings_show(session, name). SHOW ALL is a query. */
typedef enum ShowWhat { SHOW_SETTING, SHOW_TRANSACTION_STATUS, SHOW_SAVEPOINT_STATUS } ShowWhat;
typedef struct UtilityShow { PlanUtility base; ShowWhat what; const char *name; } UtilityShow;
typedef enum DiscardKind { DISCARD_ALL, DISCARD_PLANS, DISCARD_SEQUENCES, DISCARD_TEMP } DiscardKind;
typedef struct UtilityDiscard { PlanUtility base; DiscardKind what; } UtilityDiscard;

/* ---- notifications ---- */

typedef struct UtilityListen { PlanUtility base; bool listen; /* else UNLISTEN */ const char *channel; /* NULL: all */ } UtilityListen;
typedef struct UtilityDo { PlanUtility base; const char *body; } UtilityDo; /* PL/pgSQL */
typedef struct UtilityNotify { PlanUtility base; const char *channel, *payload; /* NULL: none */ } UtilityNotify;

/* ---- prepared statements ---- */

typedef struct UtilityPrepare { /* stmt_prepare(session, name, text, ...): the inner statement's own text */
    PlanUtility base;
    const char *name, *text;
    const Oid *param_types;
    int param_count;
} UtilityPrepare;
typedef struct UtilityExecute {
    PlanUtility base;
    const char *name;
    Expr **params; /* over no row; of unknown type where they are plain strings: the executor casts to the statement's
                      parameter types, as an assignment does */
    int param_count;
} UtilityExecute;
typedef struct UtilityDeallocate { PlanUtility base; const char *name; /* NULL: ALL */ } UtilityDeallocate;

/* ---- cursors ---- */

typedef struct UtilityDeclare {
    PlanUtility base;
    const char *name;
    bool binary, scroll, no_scroll, with_hold;
    const char *text;         /* the query's own text */
    PlannedStmt *query;
} UtilityDeclare;
typedef enum FetchDirection { FETCH_FORWARD, FETCH_BACKWARD, FETCH_ABSOLUTE, FETCH_RELATIVE } FetchDirection;
typedef struct UtilityFetch { /* its columns are the cursor's: known only to the executor */
    PlanUtility base;
    const char *cursor;
    bool move;
    FetchDirection direction;
    int64_t count; /* INT64_MAX: ALL */
} UtilityFetch;
typedef struct UtilityClose { PlanUtility base; const char *name; /* NULL: ALL */ } UtilityClose;

/* ---- EXPLAIN ---- */

typedef enum ExplainFormat { EXPLAIN_TEXT, EXPLAIN_JSON, EXPLAIN_YAML, EXPLAIN_OPT } ExplainFormat;
typedef struct UtilityExplain { /* base.columns: info text (EXPLAIN_TEXT), or "QUERY PLAN" json */
    PlanUtility base;
    bool analyze, verbose, types, keys, costs, dist, timing, summary;
    ExplainFormat format;
    PlannedStmt *stmt; /* a utility statement's plan prints as its tag; of EXECUTE: the prepared statement's is shown */
} UtilityExplain;

/* ---- COPY ---- */

typedef enum CopyFormat { COPY_TEXT, COPY_CSV, COPY_BINARY } CopyFormat;
typedef enum CopyHeader { COPY_HEADER_OFF, COPY_HEADER_ON, COPY_HEADER_MATCH } CopyHeader;
typedef struct UtilityCopy {
    PlanUtility base;
    bool from;
    CopyFormat format;
    char delimiter, quote, escape;
    const char *null_text;
    CopyHeader header;
    bool force_quote_all;
    bool *force_quote, *force_not_null, *force_null; /* per copied column; NULL: none */
    /* The copied columns: names and types, by order in the file. */
    const RelColumn *columns;
    int column_count;
    /* COPY TO: the query whose rows go out (of a table: a SELECT of the columns). */
    PlannedStmt *query;
    /* COPY FROM: an INSERT of one row whose values are $1 ... $column_count, to be run per row or fed in batches:
     * insert->base.inputs[0] makes the full row from the parameters. */
    PlannedStmt *insert;
    const TableDesc *table;
} UtilityCopy;

#endif
