/* stmt.h - the front door of the SQL engine: sessions, statements, portals. All that pgwire sees of what lies behind it.
 *
 * A Server is an open data directory with its catalog. A session belongs to one connection's thread. Statement texts are
 * UTF-8 and NUL-terminated. After a call that returned ST_ERROR the Error's texts are valid until the next call on the session.
 */
#ifndef EXECUTOR_STMT_H
#define EXECUTOR_STMT_H

#include "storage/base/interrupt.h"
#include "storage/types/type.h"

typedef struct Server Server;
typedef struct Session Session;
typedef struct Stmt Stmt;     /* a prepared statement */
typedef struct Portal Portal; /* a statement with its parameters, being run */

typedef struct ServerOptions {
    const char *data_directory;
    const char *engine; /* NULL: lmdb */
    bool no_sync;
    int sessions_max;
    int nodes; /* simulated; 0: 1 */
    const char *localities; /* of the nodes, in turn: executor/locality.h; NULL: none */
    bool no_services; /* txn.h */
    bool no_auto_analyze; /* statistics by ANALYZE only */
    const char *hba_file, *ssl_cert_file, *ssl_key_file, *ssl_ca_file; /* shown as settings; NULL: none */
} ServerOptions;

Status server_open(const ServerOptions *options, Server **server, Arena *arena, Error *err);
void server_close(Server *server);
/* What a login needs to know of a role, whether there is one or not. Texts live in the arena. */
typedef struct LoginRole {
    bool exists;
    const char *password; /* its verifier; NULL: none, or no longer valid */
} LoginRole;
void server_find_login(Server *server, const char *user, LoginRole *role, Arena *arena);
/* Is the user the role itself or, over any number of steps, a member of it? */
bool server_is_member(Server *server, const char *user, const char *role);
/* Logs the sessions that hold a snapshot for long. To be called about every second, always on the same thread. */
void server_tell_of_old_snapshots(Server *server);

/* ---- sessions ---- */

typedef struct SessionOptions {
    const char *user, *database; /* 28000 / 3D000 if unknown */
    const char *const *names;    /* further start-up parameters (settings), `values` beside; unknown ones: 42704 */
    const char *const *values;
    int count;
    /* Called on the session's thread for each notice. fields' texts live until it returns. */
    void (*notice)(void *argument, const char *severity, const Error *fields);
    /* Called by session_deliver for each notification, in the order of their commits. */
    void (*notification)(void *argument, uint64_t sender, const char *channel, const char *payload);
    /* Called on another session's thread, which must not wait: a notification lies ready for session_deliver. */
    void (*wake)(void *argument);
    /* Called on another session's thread too: this one is to end, and is to be woken if it waits for its client. */
    void (*terminate)(void *argument);
    void *argument;
} SessionOptions;

Status session_open(Server *server, const SessionOptions *options, Session **session, Error *err);
void session_close(Session *session); /* rolls back, frees everything */
uint64_t session_id(const Session *session);
Interrupt *session_interrupt(Session *session); /* any thread may raise it while the session is open */
const TypeEnv *session_type_env(const Session *session);
/* 'I' idle, 'T' in a transaction block, 'E' in a failed one. */
char session_txn_status(const Session *session);
/* How long the client may leave it waiting, as it is now; 0: for ever. What the error is then. */
int64_t session_idle_timeout_ms(const Session *session);
void session_idle_error(const Session *session, Error *err);
/* Whether notifications may come at any time, so that they are to be waited for beside the client's messages. */
bool session_listening(const Session *session);
/* Hands out the notifications that have come. Does nothing inside a transaction. */
void session_deliver(Session *session);
/* ParameterStatus: settings to report that changed since the last call (all of them after opening); NULL at the end. */
const char *session_next_report(Session *session, const char **value);

/* ---- retries ---- */

/* After 40001: may the batch (all of a Query message, or what came since the last Sync) be run again from its start? Then
 * its transaction is undone, and the caller, who has sent none of its results, hands the same messages in again. */
bool session_retry(Session *session, const Error *err);
/* The first message after a Sync, or one that is handed in again after session_retry. */
void session_batch_begin(Session *session);
/* Results beyond this many bytes are sent while a batch is running. */
size_t session_results_buffer(const Session *session);

/* ---- simple query ---- */

/* One Query message: statements are cut off, run and ended one after the other; they are one implicit transaction unless
 * the text itself has BEGIN and COMMIT.
 *   stmt_query_begin(session, text);
 *   while ((st = stmt_query_next(session, &portal, err)) == ST_OK) { run it; portal_close }   ST_END: done
 *   st = stmt_query_end(session, err)                   commits the implicit transaction; after an error: rolls it back
 * An empty text gives ST_END at once with *empty set by stmt_query_begin. */
void stmt_query_begin(Session *session, const char *text, bool *empty);
Status stmt_query_next(Session *session, Portal **portal, Error *err);
Status stmt_query_end(Session *session, bool failed, Error *err);

/* ---- extended query ---- */

/* name "" is the unnamed statement, which is replaced; another name in use: 42P05. param_types 0: inferred. An empty text
 * makes an empty statement (stmt_is_empty). More than one statement: 42601. */
Status stmt_prepare(Session *session, const char *name, const char *text, const Oid *param_types, int param_count,
                    Stmt **stmt, Error *err);
Stmt *stmt_find(Session *session, const char *name); /* NULL if there is none: 26000 */
void stmt_close(Session *session, const char *name); /* an unknown name is no error */
bool stmt_is_empty(const Stmt *stmt);
int stmt_param_count(const Stmt *stmt);
Oid stmt_param_type(const Stmt *stmt, int index);

typedef struct ResultColumn {
    const char *name;
    TypeRef type;
    Oid table_oid;      /* 0: computed */
    int16_t column_number;
} ResultColumn;
/* NULL and count 0: returns no rows. */
const ResultColumn *stmt_columns(const Stmt *stmt, int *count);

/* params: bytes copied. An empty name replaces the unnamed portal; a name in use: 42P03. Starts the (implicit) transaction. */
Status portal_bind(Session *session, const char *name, Stmt *stmt, const Value *params, Portal **portal, Error *err);
Portal *portal_find(Session *session, const char *name); /* NULL if there is none: 34000 */
void portal_close(Portal *portal);
void portal_close_named(Session *session, const char *name);
/* Sync: ends the implicit transaction, commits it unless `failed`. Portals outside a transaction block are gone. */
Status session_sync(Session *session, bool failed, Error *err);

/* ---- running a portal ---- */

const ResultColumn *portal_columns(const Portal *portal, int *count);
bool portal_is_empty(const Portal *portal); /* EmptyQueryResponse */

typedef struct RowBlock {
    Value *const *columns; /* columns[c][rows[i]] */
    const int *rows;       /* NULL: 0 .. count-1 */
    int count;
} RowBlock;

typedef enum PortalKind { PORTAL_ROWS, PORTAL_COPY_IN, PORTAL_COPY_OUT, PORTAL_COMMAND } PortalKind;
PortalKind portal_kind(const Portal *portal);

/* Up to rows_max rows (0: as many as the engine likes); valid until the next call. ST_END: no more; the statement is
 * complete and portal_tag is known. A PORTAL_COMMAND does its work here and returns ST_END. */
Status portal_next(Portal *portal, int rows_max, RowBlock *block, Error *err);
const char *portal_tag(const Portal *portal); /* "SELECT 10", "INSERT 0 1", "CREATE TABLE" */

/* COPY. Bytes in what pieces they come; the text formats' rows may be cut anywhere. */
int portal_copy_columns(const Portal *portal);
bool portal_copy_binary(const Portal *portal);
Status portal_copy_in(Portal *portal, Slice bytes, Error *err);
Status portal_copy_in_end(Portal *portal, Error *err);
/* The next piece of output; ST_END after the last. */
Status portal_copy_out(Portal *portal, Slice *bytes, Error *err);

#endif
