/* ast.h - the syntax tree: what was written, before any name is looked up.
 *
 * One struct per kind; the first member of each is an AstStmt, an AstExpr or an AstFrom, which has kind and position.
 * All nodes and texts are in the statement's arena; texts are NUL-terminated UTF-8. Identifiers are folded as
 * PostgreSQL does (unquoted ones to lower case, cut to 63 bytes). Positions count characters of the text given to
 * parse_next, from 1; 0 is none. The tree is not changed after parsing.
 *
 *   ast.h          kinds, names, types, options       ast_query.h    SELECT, INSERT, UPDATE, DELETE
 *   ast_expr.h     expressions                        ast_ddl.h      CREATE, ALTER, DROP, key space
 *   ast_objects.h  other objects, GRANT, SPLIT AT
 *   ast_session.h  SET, SHOW, BEGIN, COPY, EXPLAIN, PREPARE, cursors
 */
#ifndef PARSER_AST_H
#define PARSER_AST_H

#include "storage/base/list.h"

/* kind, struct, start of the CommandComplete tag. */
#define AST_STMT_KINDS(X)                                                                                            \
    X(AST_SELECT, AstSelect, "SELECT") X(AST_INSERT, AstInsert, "INSERT") /* also UPSERT */                          \
    X(AST_UPDATE, AstUpdate, "UPDATE") X(AST_DELETE, AstDelete, "DELETE")                                            \
    X(AST_BEGIN, AstBegin, "BEGIN") X(AST_COMMIT, AstEndTxn, "COMMIT") X(AST_ROLLBACK, AstEndTxn, "ROLLBACK")        \
    X(AST_SAVEPOINT, AstSavepoint, "SAVEPOINT") X(AST_RELEASE, AstSavepoint, "RELEASE")                              \
    X(AST_ROLLBACK_TO, AstSavepoint, "ROLLBACK") X(AST_SET_TRANSACTION, AstSetTransaction, "SET")                    \
    X(AST_SET, AstSet, "SET") X(AST_RESET, AstReset, "RESET") X(AST_SHOW, AstShow, "SHOW")                           \
    X(AST_SET_CONSTRAINTS, AstSetConstraints, "SET CONSTRAINTS") X(AST_DISCARD, AstDiscard, "DISCARD")               \
    X(AST_PREPARE, AstPrepare, "PREPARE") X(AST_EXECUTE, AstExecute, "EXECUTE")                                      \
    X(AST_DEALLOCATE, AstDeallocate, "DEALLOCATE") X(AST_DECLARE, AstDeclare, "DECLARE CURSOR")                      \
    X(AST_FETCH, AstFetch, "FETCH") /* also MOVE */ X(AST_CLOSE, AstClose, "CLOSE CURSOR")                           \
    X(AST_EXPLAIN, AstExplain, "EXPLAIN") X(AST_COPY, AstCopy, "COPY") X(AST_LOCK, AstLock, "LOCK TABLE")            \
    X(AST_LISTEN, AstListen, "LISTEN") X(AST_UNLISTEN, AstListen, "UNLISTEN") X(AST_NOTIFY, AstNotify, "NOTIFY")     \
    X(AST_VACUUM, AstVacuum, "VACUUM") X(AST_ANALYZE, AstVacuum, "ANALYZE") X(AST_REINDEX, AstReindex, "REINDEX")    \
    X(AST_CLUSTER, AstReindex, "CLUSTER") X(AST_CHECKPOINT, AstBare, "CHECKPOINT") X(AST_DO, AstDo, "DO")            \
    X(AST_CREATE_DATABASE, AstCreateDatabase, "CREATE DATABASE")                                                     \
    X(AST_CREATE_SCHEMA, AstCreateSchema, "CREATE SCHEMA") X(AST_CREATE_TABLE, AstCreateTable, "CREATE TABLE")       \
    X(AST_CREATE_TABLE_AS, AstCreateTableAs, "SELECT") /* also CREATE MATERIALIZED VIEW */                           \
    X(AST_CREATE_INDEX, AstCreateIndex, "CREATE INDEX") X(AST_CREATE_VIEW, AstCreateView, "CREATE VIEW")             \
    X(AST_CREATE_SEQUENCE, AstCreateSequence, "CREATE SEQUENCE") X(AST_CREATE_ENUM, AstCreateEnum, "CREATE TYPE")    \
    X(AST_CREATE_DOMAIN, AstCreateDomain, "CREATE DOMAIN")                                                           \
    X(AST_CREATE_EXTENSION, AstCreateExtension, "CREATE EXTENSION")                                                  \
    X(AST_CREATE_ROLE, AstCreateRole, "CREATE ROLE") X(AST_ALTER_ROLE, AstCreateRole, "ALTER ROLE")                  \
    X(AST_ALTER_TABLE, AstAlterTable, "ALTER TABLE") /* also ALTER INDEX, VIEW, MATERIALIZED VIEW */                 \
    X(AST_ALTER_SEQUENCE, AstAlterSequence, "ALTER SEQUENCE") X(AST_ALTER_ENUM, AstAlterEnum, "ALTER TYPE")          \
    X(AST_ALTER_OBJECT, AstAlterObject, "ALTER") /* RENAME TO, OWNER TO, SET SCHEMA of anything but a table */       \
    X(AST_ALTER_DATABASE_SET, AstAlterSet, "ALTER DATABASE") X(AST_ALTER_ROLE_SET, AstAlterSet, "ALTER ROLE")        \
    X(AST_DROP, AstDrop, "DROP") X(AST_TRUNCATE, AstTruncate, "TRUNCATE TABLE")                                      \
    X(AST_REFRESH, AstRefresh, "REFRESH MATERIALIZED VIEW") X(AST_COMMENT, AstComment, "COMMENT")                    \
    X(AST_GRANT, AstGrant, "GRANT") X(AST_REVOKE, AstGrant, "REVOKE")                                                \
    X(AST_ALTER_DEFAULT_PRIVILEGES, AstDefaultPrivileges, "ALTER DEFAULT PRIVILEGES")                                \
    X(AST_DROP_OWNED, AstOwned, "DROP OWNED") X(AST_REASSIGN_OWNED, AstOwned, "REASSIGN OWNED")                      \
    X(AST_SPLIT_AT, AstSplitAt, "SPLIT") X(AST_UNSPLIT_AT, AstSplitAt, "UNSPLIT")                                    \
    X(AST_SCATTER, AstScatter, "SCATTER") X(AST_RELOCATE, AstRelocate, "RELOCATE")                                   \
    X(AST_CONFIGURE_ZONE, AstConfigureZone, "CONFIGURE ZONE") X(AST_FORECAST, AstForecast, "FORECAST")               \
    X(AST_UNSUPPORTED, AstUnsupported, "") /* known to PostgreSQL, not to rowkey: the binder answers 0A000 */

typedef enum AstStmtKind {
#define AST_STMT_KIND(kind, type, tag) kind,
    AST_STMT_KINDS(AST_STMT_KIND)
#undef AST_STMT_KIND
} AstStmtKind;

typedef struct AstStmt {
    AstStmtKind kind;
    int position;
    Slice source; /* the text it was parsed from, without the semicolon; set for whole statements and those inside
                     EXPLAIN, PREPARE, DECLARE, COPY, CREATE VIEW; empty elsewhere */
} AstStmt;

typedef struct AstBare { AstStmt base; } AstBare;

typedef struct AstUnsupported {
    AstStmt base;
    const char *what; /* "CREATE FUNCTION" */
} AstUnsupported;

/* Start of the CommandComplete tag, from the list above. */
const char *ast_stmt_tag(const AstStmt *stmt);

#define AST_EXPR_KINDS(X)                                                                                            \
    X(AST_LITERAL, AstLiteral) X(AST_PARAM, AstParam) X(AST_COLUMN, AstColumn) X(AST_CALL, AstCall)                  \
    X(AST_OP, AstOp) X(AST_AND, AstList) X(AST_OR, AstList) X(AST_NOT, AstUnary) X(AST_LIKE, AstLike)                \
    X(AST_BETWEEN, AstBetween) X(AST_IN_LIST, AstIn) X(AST_IN_SUBQUERY, AstIn) X(AST_QUANTIFIED, AstQuantified)      \
    X(AST_IS, AstIs) X(AST_DISTINCT_FROM, AstDistinctFrom) X(AST_CASE, AstCase) X(AST_CAST, AstCast)                 \
    X(AST_COLLATE, AstCollate) X(AST_SUBSCRIPT, AstSubscript) X(AST_FIELD, AstField) X(AST_ARRAY, AstList)           \
    X(AST_ROW, AstRow) X(AST_SUBQUERY, AstSubquery) X(AST_COALESCE, AstList) X(AST_NULLIF, AstList)                  \
    X(AST_GREATEST, AstList) X(AST_LEAST, AstList) X(AST_SQL_VALUE, AstSqlValue) X(AST_GROUPING, AstList)            \
    X(AST_GROUPING_SET, AstGroupingSet) X(AST_CURRENT_OF, AstCurrentOf)                                              \
    X(AST_DEFAULT, AstExpr) X(AST_MINVALUE, AstExpr) X(AST_MAXVALUE, AstExpr)

/* A tree that is deeper is refused, so that those who walk it may recurse. */
enum { AST_DEPTH_MAX = 2500 };

typedef enum AstExprKind {
#define AST_EXPR_KIND(kind, type) kind,
    AST_EXPR_KINDS(AST_EXPR_KIND)
#undef AST_EXPR_KIND
} AstExprKind;

typedef struct AstExpr {
    AstExprKind kind;
    int position;
    int depth;   /* of the tree below, at most AST_DEPTH_MAX (54001): walks may recurse */
    bool parens; /* written in parentheses; only the parser asks */
} AstExpr;

typedef struct AstSelect AstSelect;
typedef VEC(AstExpr *) AstExprVec;
typedef VEC(AstExprVec) AstExprRows;

/* A name of up to three parts; database and schema are NULL where not written. No name at all: name is NULL. */
typedef struct AstName {
    int position;
    const char *database, *schema, *name;
} AstName;
typedef VEC(AstName) AstNameVec;

/* t@i, or i alone (table.name NULL; a schema written before i is table.schema). */
typedef struct AstIndexName {
    int position;
    AstName table;
    const char *index;
} AstIndexName;
typedef VEC(AstIndexName) AstIndexNameVec;

/* name: built-in types by typname, whatever alias was written ("int4", "int8", "float8", "bool", "varchar", "bpchar",
 * "timestamptz", "numeric", "text" for STRING, "bytea" for BYTES, "serial8" for SERIAL8 and BIGSERIAL); others as written. */
typedef struct AstType {
    int position;
    const char *schema; /* NULL: not qualified */
    const char *name;
    IntVec typmods;              /* varchar(20): 20; char without length: 1; timestamp(3): 3; INTERVAL SECOND(3): 3 */
    const char *interval_fields; /* "year", "day to second" ...; NULL: none */
    int array_dims;              /* text[][]: 2; text ARRAY[4]: 1 */
    bool plain_int;              /* written INT or INTEGER: default_int_size decides; SERIAL too */
    bool setof;
    const char *collation;       /* CockroachDB's STRING COLLATE en; NULL: none */
} AstType;
typedef VEC(AstType *) AstTypeVec;

/* name [=] value, in WITH (...), EXPLAIN (...), COPY (...), roles, sequences, transaction modes. Names are lower case.
 * value: NULL (name alone), a literal (words are AST_LITERAL strings), or AST_ROW of them for (a, b). */
typedef struct AstOption {
    int position;
    const char *name;
    AstExpr *value;
} AstOption;
typedef VEC(AstOption) AstOptionVec;
/* The last option of that name; NULL if there is none. */
const AstOption *ast_option(const AstOptionVec *options, const char *name);

#endif
