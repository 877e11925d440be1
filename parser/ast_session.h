/* ast_session.h - transactions, settings, SHOW, prepared statements, cursors, EXPLAIN, COPY, maintenance. */
#ifndef PARSER_AST_SESSION_H
#define PARSER_AST_SESSION_H

#include "parser/ast_objects.h"

/* ---- transactions ---- */

/* Modes: isolation ("serializable", "repeatable read", "read committed", "read uncommitted"), read_only and deferrable
 * (literal true or false), priority, as_of. */
typedef struct AstBegin { AstStmt base; AstOptionVec modes; } AstBegin; /* BEGIN, START TRANSACTION */
typedef struct AstEndTxn { AstStmt base; bool chain; } AstEndTxn;       /* COMMIT, END, ROLLBACK, ABORT */
typedef struct AstSavepoint { AstStmt base; const char *name; } AstSavepoint;
typedef enum AstTransactionScope { AST_TRANSACTION_THIS, AST_TRANSACTION_SESSION } AstTransactionScope;
typedef struct AstSetTransaction {
    AstStmt base;
    AstTransactionScope scope; /* SESSION: SET SESSION CHARACTERISTICS */
    AstOptionVec modes;
    const char *snapshot;      /* SET TRANSACTION SNAPSHOT '...'; NULL: none */
} AstSetTransaction;
typedef struct AstSetConstraints { AstStmt base; bool all; AstNameVec names; bool deferred; } AstSetConstraints;

/* ---- settings ---- */

/* name: as written, lower case, dots kept ("my.setting"). TIME ZONE is "timezone", NAMES "client_encoding", SESSION
 * AUTHORIZATION "session_authorization", ROLE "role", SCHEMA "search_path", XML OPTION "xmloption".
 * values: literals, words as strings; TIME ZONE may have a typed INTERVAL; none: DEFAULT. */
typedef struct AstSet {
    AstStmt base;
    bool local, session;
    bool cluster; /* SET CLUSTER SETTING */
    const char *name;
    AstExprVec values;
    bool is_default;
    bool from_current;
} AstSet;
typedef struct AstReset { AstStmt base; const char *name; /* NULL: ALL */ bool cluster; } AstReset;
typedef struct AstDiscard { AstStmt base; const char *what; /* "all", "plans", "sequences", "temp" */ } AstDiscard;

/* ---- SHOW ---- */

/* kind, words. What each uses of AstShow stands behind it. */
#define AST_SHOWS(X)                                                                                                 \
    X(AST_SHOW_SETTING, "SHOW")                       /* setting: "timezone", "transaction_isolation" ... */         \
    X(AST_SHOW_ALL, "SHOW ALL")                                                                                      \
    X(AST_SHOW_TABLES, "SHOW TABLES")                 /* name.database, name.schema; with_comment */                 \
    X(AST_SHOW_COLUMNS, "SHOW COLUMNS")               /* name; with_comment */                                       \
    X(AST_SHOW_INDEXES, "SHOW INDEXES")               /* name, or on_database: name.name; with_comment */            \
    X(AST_SHOW_CONSTRAINTS, "SHOW CONSTRAINTS")       /* name */                                                     \
    X(AST_SHOW_CREATE, "SHOW CREATE")                 /* object TABLE, VIEW, SEQUENCE ... or OTHER: any; name */     \
    X(AST_SHOW_CREATE_ALL, "SHOW CREATE ALL TABLES")                                                                 \
    X(AST_SHOW_DATABASES, "SHOW DATABASES")           /* with_comment */                                             \
    X(AST_SHOW_SCHEMAS, "SHOW SCHEMAS")               /* name.name: database */                                      \
    X(AST_SHOW_SEQUENCES, "SHOW SEQUENCES")           /* name.name: database */                                      \
    X(AST_SHOW_TYPES, "SHOW TYPES") X(AST_SHOW_ENUMS, "SHOW ENUMS")                                                  \
    X(AST_SHOW_ROLES, "SHOW ROLES") X(AST_SHOW_USERS, "SHOW USERS")                                                  \
    X(AST_SHOW_GRANTS, "SHOW GRANTS")                 /* name, object; member: FOR role */                           \
    X(AST_SHOW_RANGES, "SHOW RANGES")                 /* object TABLE: index.table, INDEX: index, DATABASE: name.name, \
                                                         OTHER: current database, ROLE: CLUSTER; options */          \
    X(AST_SHOW_RANGE_FOR_ROW, "SHOW RANGE")           /* object TABLE or INDEX, index; row */                        \
    X(AST_SHOW_PARTITIONS, "SHOW PARTITIONS")         /* object TABLE, INDEX, DATABASE */                            \
    X(AST_SHOW_ZONE_CONFIGURATION, "SHOW ZONE CONFIGURATION") /* object, index or name */                            \
    X(AST_SHOW_SESSIONS, "SHOW SESSIONS") X(AST_SHOW_STATEMENTS, "SHOW STATEMENTS") X(AST_SHOW_JOBS, "SHOW JOBS")    \
    X(AST_SHOW_CLUSTER_SETTING, "SHOW CLUSTER SETTING") /* setting; NULL: all */                                     \
    X(AST_SHOW_STATISTICS, "SHOW STATISTICS")         /* name */                                                     \
    X(AST_SHOW_SAVEPOINT_STATUS, "SHOW SAVEPOINT STATUS") X(AST_SHOW_TRANSACTION_STATUS, "SHOW TRANSACTION STATUS")
typedef enum AstShowKind {
#define AST_SHOW_KIND(kind, words) kind,
    AST_SHOWS(AST_SHOW_KIND)
#undef AST_SHOW_KIND
} AstShowKind;

typedef struct AstShow {
    AstStmt base;
    AstShowKind show;
    const char *setting;
    AstName name;
    AstObject object;
    AstIndexName index;
    AstExprVec row;
    AstOptionVec options;      /* RANGES: tables, indexes, keys, details, explain, zone */
    const char *member;
    bool on_database, with_comment;
} AstShow;

/* ---- prepared statements, cursors ---- */

typedef struct AstPrepare { AstStmt base; const char *name; AstTypeVec types; AstStmt *stmt; } AstPrepare;
typedef struct AstExecute { AstStmt base; const char *name; AstExprVec params; } AstExecute;
typedef struct AstDeallocate { AstStmt base; const char *name; /* NULL: ALL */ } AstDeallocate;

typedef struct AstDeclare {
    AstStmt base;
    const char *name;
    bool binary, scroll, no_scroll, with_hold, insensitive, asensitive;
    AstSelect *query;
} AstDeclare;
typedef enum AstFetchDirection { AST_FETCH_FORWARD, AST_FETCH_BACKWARD, AST_FETCH_ABSOLUTE, AST_FETCH_RELATIVE } AstFetchDirection;
/* NEXT: forward 1; PRIOR: backward 1; FIRST: absolute 1; LAST: absolute -1; ALL: count INT64_MAX. */
typedef struct AstFetch { AstStmt base; bool move; const char *cursor; AstFetchDirection direction; int64_t count; } AstFetch;
typedef struct AstClose { AstStmt base; const char *name; /* NULL: ALL */ } AstClose;

/* ---- EXPLAIN, COPY ---- */

/* options: EXPLAIN ANALYZE VERBOSE and (ANALYZE, FORMAT JSON, DIST ...) alike, lower case; value NULL: on. */
typedef struct AstExplain { AstStmt base; AstOptionVec options; AstStmt *stmt; } AstExplain;

typedef struct AstCopy {
    AstStmt base;
    AstName table;       /* name NULL: query */
    StrVec columns;
    AstStmt *query;
    bool from;           /* FROM; otherwise TO */
    bool is_program;
    const char *file;    /* NULL: STDIN or STDOUT */
    AstOptionVec options; /* format, delimiter, null, header, quote, escape, force_quote, force_not_null, force_null,
                             encoding, freeze; the old syntax is translated */
    AstExpr *where;
} AstCopy;

/* ---- maintenance and the rest ---- */

typedef struct AstVacuumTable { AstName name; StrVec columns; } AstVacuumTable;
typedef VEC(AstVacuumTable) AstVacuumTableVec;
typedef struct AstVacuum { AstStmt base; AstOptionVec options; AstVacuumTableVec tables; } AstVacuum; /* also ANALYZE */
typedef struct AstReindex { /* also CLUSTER: name the table, index the index */
    AstStmt base;
    const char *what; /* "table", "index", "schema", "database", "system"; CLUSTER: NULL */
    bool concurrently;
    AstName name;
    const char *index;
    AstOptionVec options;
} AstReindex;
typedef struct AstLock { AstStmt base; AstNameVec tables; const char *mode; /* "access exclusive" */ bool nowait; } AstLock;
typedef struct AstListen { AstStmt base; const char *channel; /* UNLISTEN *: NULL */ } AstListen;
typedef struct AstNotify { AstStmt base; const char *channel, *payload; /* NULL: none */ } AstNotify;
typedef struct AstDo { AstStmt base; const char *language, *body; } AstDo;

#endif
