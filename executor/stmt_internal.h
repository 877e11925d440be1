/* stmt_internal.h - what lies behind stmt.h: the server, a session's transaction, its prepared statements and portals.
 *
 * Transaction phases of a session:
 *
 *   IDLE ── first statement ──> IMPLICIT ── end of the text, Sync ──> IDLE
 *   IDLE, IMPLICIT ── BEGIN ──> BLOCK ── COMMIT, ROLLBACK ──> IDLE
 *   BLOCK ── error ──> FAILED ── ROLLBACK, COMMIT ──> IDLE;  FAILED ── ROLLBACK TO ──> BLOCK
 *
 *   BLOCK ── RELEASE of the restart savepoint ──> RELEASED (committed already) ── COMMIT, ROLLBACK ──> IDLE
 *
 * In FAILED the store's transaction is kept only as long as there are savepoints to go back to.
 */
#ifndef EXECUTOR_STMT_INTERNAL_H
#define EXECUTOR_STMT_INTERNAL_H

#include <pthread.h>
#include <stdio.h>

#include "executor/progress.h"
#include "executor/notify.h"
#include "executor/activity.h"
#include "executor/ops/exec.h"
#include "executor/plan_choice.h"
#include "executor/random_state.h"
#include "executor/row_store.h"
#include "executor/stmt.h"
#include "planner/session.h"
#include "planner/utility_txn.h"

typedef struct SessionState SessionState;
typedef struct PendingBoundaries PendingBoundaries; /* ddl/ddl_ranges.c */

struct Server {
    Arena *arena;
    ServerOptions options;
    Store *store; Catalog *catalog;
    struct RangeControl *range_control; /* range_control.c */
    struct AutoAnalyze *auto_analyze;
    const char *temp_directory;
    pthread_mutex_t sessions_lock; /* guards the list of sessions, last_session_id, channels and inboxes; nothing is locked under it */
    SessionState *sessions;
    uint64_t last_session_id;
};

typedef enum TxnPhase { PHASE_IDLE, PHASE_IMPLICIT, PHASE_BLOCK, PHASE_FAILED, PHASE_RELEASED } TxnPhase;
enum { RESTART_NAME_MAX = 64 };

typedef struct DeferredMark { int rows, modes; } DeferredMark; /* constraint/deferred.h */

typedef struct Savepoint {
    const char *name;
    TxnMark mark;
    TxnLockMark lock_mark;
    int settings_mark, notify_mark;
    DeferredMark deferred_mark;
} Savepoint;

struct SessionState {
    Session session; /* session.executor points back here */
    Server *server;
    SessionState *next, *previous; /* of server->sessions */
    SessionOptions options;
    Arena *error_arenas[2]; /* texts of the last error, and of the one before while they are copied */
    int error_arena;

    Activity activity;
    int64_t told_since_us, told_at_us; /* the old snapshot that the log was told of, and when; held_snapshots.c's */
    LockSession *lock_session; /* its stake in the table of locks */
    TxnPhase phase;
    Txn *txn;
    bool read_only, synchronous_commit; /* of the transaction */
    TxnIsolation isolation;
    bool statement_seen;  /* the transaction has run a statement: its isolation is fixed */
    VEC(Savepoint) savepoints; /* in the transaction's arena */
    int implicit_statements; /* run in the current implicit transaction */
    Progress progress;
    char restart_name[RESTART_NAME_MAX]; /* the savepoint that restarts the whole transaction (txn_retry.c); "": none */
    int batch_attempts, injected_errors; /* the latter by inject_retry_errors_enabled, in this transaction */
    bool batch_repeatable; /* the batch in progress has done nothing that its transaction's end would not undo */
    bool batch_again;     /* the batch that begins now has been tried before */
    NotifyState notify;
    RandomState random;
    struct DeferredConstraints *deferred; /* constraint/deferred.c; NULL: none wait and none were set */
    PendingBoundaries *boundaries; /* that the transaction's DDL wants; NULL: none */

    Stmt *stmts;          /* named and unnamed, linked */
    Portal *portals, *running; /* all that are open, linked; the one whose portal_next is in progress */
    const char *query_origin, *query_text; /* the Query message in progress */
    bool query_checked;   /* its syntax, to its end */
};

struct Stmt {
    SessionState *state;
    Stmt *next;
    int references;       /* the session's list and open portals */
    Arena *arena;         /* the text, the tree, the declared types */
    const char *name, *text;
    ParsedStmt *parsed;   /* NULL: empty */
    Oid *declared_types;
    int declared_count;
    bool from_sql;        /* made by PREPARE */
    int64_t prepared_at_us;
    StmtClass stmt_class;
    bool ends_failure;
    Arena *plan_arena;    /* the plan, the idle operator tree */
    const CatalogSnapshot *snapshot; /* what the plan's descriptors belong to; NULL: the transaction's own */
    PlannedStmt planned;
    bool planned_once;
    PlanChoice choice;
    uint64_t planning_ns; /* how long the last planning took */
    bool runs_whole;      /* writes or locks rows: run to its end before the first row is handed out */
    TableUseVec locks;    /* the tables that it uses: locked before its snapshot is taken */
    ResultColumn *columns; int column_count; /* in the arena of the statement, not of its plan */
    int *places;          /* of the result's columns among the plan's; NULL: the same */
    Exec *exec;           /* operator tree, between runs or in use by one portal */
    Op *op;
    bool in_use;
};

typedef enum PortalState { PORTAL_NEW, PORTAL_ACTIVE, PORTAL_DONE, PORTAL_FAILED } PortalState;
typedef struct CopyIn CopyIn;
typedef struct CopyOut CopyOut;
struct Portal {
    SessionState *session;
    Portal *next;
    const char *name;     /* NULL: of a simple query */
    Stmt *stmt;
    Arena *arena;
    Value *params;
    PortalState state;
    bool statement_begun; /* the snapshot was taken when the statement was planned */
    bool gone;            /* its transaction is over: not to be found by name any more */
    bool is_cursor, scroll, hold; /* DECLARE */
    bool ended;           /* the last row was handed out */
    Exec *exec;           /* the statement's own, or one made for this portal */
    Op *op;
    bool borrowed;        /* exec belongs to stmt */
    const ResultColumn *columns;
    int column_count;
    RowStore *store;      /* rows that were made before the first was handed out; NULL: straight from op */
    RowReader reader;
    Batch batch;          /* being handed out */
    int batch_next;       /* rows of it that were */
    int *rows;            /* for a batch without selection */
    Value **placed;       /* the batch's columns as the result has them */
    int64_t rows_returned;
    uint64_t started_ns;  /* 0: log_min_duration_statement is off */
    int64_t position;     /* of a cursor: rows before the current one, counted from 1 */
    char tag[96];
    Portal *inner;        /* EXECUTE: the portal of the statement that was prepared */
    CopyIn *copy_in;
    CopyOut *copy_out;
    PlannedStmt *explained; /* EXPLAIN ANALYZE */
    Exec *around;         /* of the statement that reads this one's rows as a table's; NULL: a client does */
};

static inline SessionState *state_of(const Session *session)
{
    return session->executor;
}

static inline Arena *state_error_arena(const SessionState *s)
{
    return s->error_arenas[s->error_arena];
}

/* ---- txn_state.c ---- */
/* Begins an implicit transaction where none is open. 25P02 in a failed block. */
Status txn_state_ensure(SessionState *s, Error *err);
/* A statement begins: new snapshot, refreshed catalog, clock, timeout. */
Status txn_state_statement(SessionState *s, Error *err);
/* The same for what reads no rows: SET, SHOW, FETCH. */
Status txn_state_session_statement(SessionState *s, Error *err);
Status txn_state_begin_block(SessionState *s, const TxnModes *modes, Error *err);
Status txn_state_commit(SessionState *s, Error *err);
void txn_state_rollback(SessionState *s);
/* Undoes all of a transaction block and begins it again with the same modes. */
Status txn_state_begin_again(SessionState *s, Error *err);
void txn_state_leave_released(SessionState *s);
/* An error has ended a statement. */
void txn_state_failed(SessionState *s);
Status txn_state_aborted_error(SessionState *s, Error *err); /* 25P02 */
/* Runs the statement again under a new snapshot: undoes what it wrote since the mark. */
Status txn_state_retry_statement(SessionState *s, TxnMark mark, Error *err);

/* ---- txn_retry.c ---- */
/* Puts the words in front of a serialization failure by which CockroachDB's clients know it. */
void txn_retry_word(Error *err, Arena *arena);
/* A Query message, or the first message after a Sync. */
void txn_retry_batch_begin(SessionState *s);
/* A statement of the batch is about to run. */
void txn_retry_note(SessionState *s, const Portal *portal);
Status txn_retry_inject(SessionState *s, const Portal *portal, Error *err);
Status txn_retry_released_error(SessionState *s, Error *err); /* 25000 */
bool txn_retry_is_restart(const SessionState *s, const char *name);
Status txn_retry_savepoint(SessionState *s, const char *name, Error *err);
Status txn_retry_release(SessionState *s, Error *err);
Status txn_retry_rollback_to(SessionState *s, Error *err);

/* 25006 if the statement, or the one that it explains or declares, changes something in a transaction that may only read. */
Status txn_state_check_read_only(SessionState *s, const PlannedStmt *planned, Error *err);
/* A client's request begins, or has been answered. */
void session_note_begin(SessionState *s, const char *query);
void session_note_end(SessionState *s);

/* ---- stmt.c ---- */
Status stmt_create(SessionState *s, const char *name, ParsedStmt *parsed, Arena *arena, Stmt **stmt);
void stmt_release(Stmt *stmt);
/* Plans, or plans again if the catalog has changed since. */
Status stmt_plan(Stmt *stmt, Error *err);
bool stmt_plan_is_current(const Stmt *stmt);
Status stmt_prepare_sql(SessionState *s, const char *name, const char *text, const Oid *types, int count, Error *err);
Status stmt_not_found(SessionState *s, const char *name, Error *err); /* 26000 */
bool stmt_returns_rows(const Stmt *stmt);
ResultColumn *result_columns(const PlannedStmt *planned, Arena *arena);

/* ---- stmt_lock.c ---- */
void stmt_collect_locks(Stmt *stmt, Arena *arena); /* fills stmt->locks from the plan */
/* Locks what the statement uses, takes a snapshot if that had to wait, and plans again if the catalog has changed. */
Status portal_lock_tables(Portal *p, Error *err);
Status portal_run_ddl(Portal *p, Error *err); /* again if something it was bound to has changed meanwhile */

/* ---- portal.c ---- */
Status portal_create(SessionState *s, const char *name, Stmt *stmt, const Value *params, Portal **portal, Error *err);
Status portal_check_allowed(const Portal *portal, Error *err); /* 42501 if the user may not run the statement */
void session_keep_error(SessionState *s, Error *err); /* its texts outlive portals and arenas of the statement */
/* The same, and marks the transaction failed. */
Status session_error(SessionState *s, Error *err);
/* The transaction ends: closes all portals but held cursors (with_held: those too). */
void portal_close_all(SessionState *s, bool with_held);
bool portal_any_reads_on(const SessionState *s); /* some open portal has yet to read from the snapshot of now */
/* A new snapshot is about to be taken: open portals keep what they have yet to return. */
Status portal_detach_all(SessionState *s, Error *err);
/* Starts it under the snapshot of now, before its first row is asked for: DECLARE. */
Status portal_open_now(Portal *p, Error *err);
Status portal_keep_all(Portal *p, Error *err); /* runs it and keeps every row: cursors that scroll or outlive the transaction */
void portal_sweep(SessionState *s); /* frees the portals that are gone */
const PlanUtility *portal_utility(const Portal *portal); /* NULL: a query */
/* Rows of a utility statement are added to portal->store, made here. */
Status portal_store_create(Portal *portal, const ResultColumn *columns, int count, Error *err);

/* ---- utility_run.c ---- */
/* What must be known before the first row is asked for: columns of EXECUTE and FETCH, kinds of COPY. */
Status utility_bind(Portal *portal, Error *err);
/* Logs a statement that took so long, with its plan and what that did. */
void explain_log(Portal *portal, uint64_t taken_ns);
/* Runs a statement that is no query; rows go to portal->store. */
Status utility_run(Portal *portal, Error *err);

#endif
