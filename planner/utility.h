/* utility.h - bound statements that are no query: one struct per kind, made by bind_ddl.c, bind_keyspace.c and
 * bind_session.c, run by executor/ddl and executor/ (txn_control, set, prepare, cursor, copy, explain).
 *
 * Names are resolved and descriptors drafted here; ids are given out and the catalog changed in the executor. A draft
 * TableDesc has base.id 0; its columns and indexes have their final ids within the table.
 */
#ifndef PLANNER_UTILITY_H
#define PLANNER_UTILITY_H

#include "planner/plan_node.h"

#define UTILITY_KINDS(X)                                                                                             \
    X(UTILITY_BEGIN) X(UTILITY_COMMIT) X(UTILITY_ROLLBACK) X(UTILITY_SAVEPOINT) X(UTILITY_RELEASE)                   \
    X(UTILITY_ROLLBACK_TO) X(UTILITY_SET_TRANSACTION)                                                                \
    X(UTILITY_SET) X(UTILITY_RESET) X(UTILITY_SHOW) X(UTILITY_DISCARD)                                               \
    X(UTILITY_PREPARE) X(UTILITY_EXECUTE) X(UTILITY_DEALLOCATE)                                                      \
    X(UTILITY_DECLARE) X(UTILITY_FETCH) X(UTILITY_CLOSE)                                                             \
    X(UTILITY_EXPLAIN) X(UTILITY_COPY) X(UTILITY_SET_CONSTRAINTS)                                                                               \
    X(UTILITY_CREATE_DATABASE) X(UTILITY_CREATE_SCHEMA) X(UTILITY_CREATE_TABLE) X(UTILITY_CREATE_TABLE_AS)           \
    X(UTILITY_CREATE_INDEX) X(UTILITY_CREATE_VIEW) X(UTILITY_CREATE_SEQUENCE) X(UTILITY_CREATE_TYPE)                 \
    X(UTILITY_CREATE_ROLE) X(UTILITY_ALTER_TABLE) X(UTILITY_ALTER_OTHER) X(UTILITY_DROP) X(UTILITY_TRUNCATE)         \
    X(UTILITY_COMMENT) X(UTILITY_GRANT) X(UTILITY_ANALYZE) X(UTILITY_VACUUM) X(UTILITY_LOCK_TABLE)                   \
    X(UTILITY_SPLIT_AT) X(UTILITY_UNSPLIT_AT) X(UTILITY_RELOCATE) X(UTILITY_RELOCATE_RANGE) X(UTILITY_CONFIGURE_ZONE) \
    X(UTILITY_SCATTER) X(UTILITY_FORECAST) X(UTILITY_DO) X(UTILITY_LISTEN) X(UTILITY_NOTIFY) X(UTILITY_CHECKPOINT)                 \
    X(UTILITY_DO_NOTHING) /* accepted without effect: .notice says so */

typedef enum UtilityKind {
#define UTILITY_KIND(kind) kind,
    UTILITY_KINDS(UTILITY_KIND)
#undef UTILITY_KIND
} UtilityKind;

/* base.columns: what the statement returns as rows; none for most. Each kind's struct starts with this and is declared in
 * the header of its family: utility_txn.h, utility_ddl.h, utility_keyspace.h, utility_session.h. */
typedef struct PlanUtility {
    Plan base;
    UtilityKind utility;
    const char *tag;    /* CommandComplete: "CREATE TABLE" */
    const char *notice; /* UTILITY_DO_NOTHING: sent as NOTICE; NULL: none */
    SqlState notice_code;
} PlanUtility;

#endif
