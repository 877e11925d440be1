/* session.h - what a statement is planned under: user, database, search_path, settings, the catalog as the transaction sees it.
 *
 * A Session belongs to one connection and one thread at a time (cancel apart: its Interrupt). It is created by
 * executor/stmt.c, which keeps what the planner need not know in `executor`.
 */
#ifndef PLANNER_SESSION_H
#define PLANNER_SESSION_H

#include "storage/base/interrupt.h"
#include "storage/catalog/catalog.h"

typedef struct Settings Settings; /* settings.h: one value per row of settings.c */

/* A table that the statement reads or writes, and the lock that keeps DDL away from it meanwhile. */
typedef struct TableUse {
    DescId table;
    TableLockMode mode;
} TableUse;
typedef VEC(TableUse) TableUseVec;

typedef struct Notice {
    const char *severity; /* "NOTICE", "WARNING", "INFO", "LOG", "DEBUG" */
    Error fields;
} Notice;

struct Session {
    uint64_t id;             /* also BackendKeyData's process id */
    Arena *arena;            /* lives as long as the connection */
    const char *user;        /* current_user: SET ROLE changes it */
    const char *session_user, *login_user; /* the latter: as authenticated. SET SESSION AUTHORIZATION changes the former */
    const char *database;
    DescId database_id;
    Settings *settings;
    TypeEnv type_env;        /* kept in step with the settings */
    Interrupt interrupt;
    CatalogView *catalog;    /* of the current transaction; set before planning */
    int64_t statement_start_us, transaction_start_us;
    int64_t first_attempt_us; /* when the transaction was begun before it was retried; else its start */
    /* Called for each NOTICE that is to be sent; set by pgwire. The texts live until the call returns. */
    void (*notice)(void *argument, const Notice *notice);
    void *notice_argument;
    DescId temp_schema;      /* where its temporary objects go; 0: it has not made any. In the catalog from the first one on */
    const char *temp_schema_name;
    bool temp_on_commit;     /* there may be temporary tables that a commit empties or drops */
    void *last_values;       /* executor/functions/fn_sequence.c: what currval answers */
    Arena *rehearsal;        /* not NULL: the statement will be undone; sequences stay as they are */
    void *rehearsed_values;  /* what nextval has answered since the rehearsal began; in its arena */
    void *executor;          /* executor/stmt_internal.h */
};

void session_notice(Session *session, const char *severity, SqlState code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same with detail and hint. */
void session_notice_error(Session *session, const char *severity, const Error *fields);

/* Lets the session's reg* types read and print names of its catalog (reg_names.c). */
void session_use_reg_names(Session *session);

/* What the current user may do as a role. Members of a role have its privileges unless they are NOINHERIT. */
bool session_is_superuser(const Session *session);
bool session_has_role(const Session *session, const char *role);   /* as itself, a superuser, or by inheritance */
bool session_inherits(const Session *session, const char *user, DescId role); /* has its privileges; superusers have all */
bool session_is_member(const Session *session, const char *user, const char *role); /* may SET ROLE to it */
bool session_is_admin(const Session *session, const char *role);   /* may grant membership in it */

/* A schema of the session's database by name, built-in ones included; 0 if there is none. */
DescId session_find_schema(const Session *session, const char *name);
const char *session_schema_name(const Session *session, DescId schema); /* NULL if there is none */

/* The schemas of search_path that exist, pg_catalog in front unless named; built-in ones as OID_PG_CATALOG_SCHEMA ... */
int session_search_path(const Session *session, const DescId **schemas, Arena *arena);
/* "integer", or a user's type with its schema where the search path does not find it; NULL session: without. */
const char *session_type_name(const Session *session, TypeRef type, Arena *arena);
/* A user's type, by its schema or along search_path; NULL if there is none. */
const Desc *session_find_type(const Session *session, const char *schema, const char *name, Arena *arena);
/* The session's schema of temporary objects, its id given out if it has none yet. */
Status session_reserve_temp_schema(Session *session, DescId *schema, Error *err);
/* Is it the schema of another session's temporary objects? */
bool session_is_other_temp(const Session *session, DescId schema);
/* The schema in which unqualified CREATE puts things; 0 with 3F000 if there is none. */
DescId session_creation_schema(const Session *session, Error *err);

#endif
