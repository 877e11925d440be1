/* ast_ddl.h - definitions of tables and indexes. All other objects and the key-space statements that stand alone
 * (SPLIT AT, SCATTER ...) are in ast_objects.h; the clauses inside CREATE (USING HASH, SPLIT INTO, PARTITION BY) are structs
 * that tables and indexes share.
 */
#ifndef PARSER_AST_DDL_H
#define PARSER_AST_DDL_H

#include "parser/ast_query.h"

/* What DROP, COMMENT, GRANT, ALTER ... RENAME are about. kind, words in upper case. */
#define AST_OBJECTS(X)                                                                                               \
    X(AST_OBJECT_TABLE, "TABLE") X(AST_OBJECT_VIEW, "VIEW") X(AST_OBJECT_MATERIALIZED_VIEW, "MATERIALIZED VIEW")     \
    X(AST_OBJECT_INDEX, "INDEX") X(AST_OBJECT_SEQUENCE, "SEQUENCE") X(AST_OBJECT_DATABASE, "DATABASE")               \
    X(AST_OBJECT_SCHEMA, "SCHEMA") X(AST_OBJECT_TYPE, "TYPE") X(AST_OBJECT_DOMAIN, "DOMAIN")                         \
    X(AST_OBJECT_COLUMN, "COLUMN") X(AST_OBJECT_CONSTRAINT, "CONSTRAINT") X(AST_OBJECT_ROLE, "ROLE")                 \
    X(AST_OBJECT_EXTENSION, "EXTENSION") X(AST_OBJECT_FUNCTION, "FUNCTION") X(AST_OBJECT_TRIGGER, "TRIGGER")         \
    X(AST_OBJECT_LANGUAGE, "LANGUAGE") X(AST_OBJECT_OTHER, "OBJECT")
typedef enum AstObject {
#define AST_OBJECT(kind, words) kind,
    AST_OBJECTS(AST_OBJECT)
#undef AST_OBJECT
} AstObject;
const char *ast_object_words(AstObject object);

typedef enum AstDropBehavior { AST_DROP_DEFAULT, AST_DROP_RESTRICT, AST_DROP_CASCADE } AstDropBehavior;

/* ---- keys and their clauses ---- */

typedef enum AstKeyMode { AST_KEY_DEFAULT, AST_KEY_ASC, AST_KEY_DESC, AST_KEY_HASH } AstKeyMode;

/* An element of PRIMARY KEY (...), UNIQUE (...), INDEX (...), CREATE INDEX and ON CONFLICT (...): one of a column, an
 * expression, or (a, b) HASH. */
struct AstIndexElem {
    int position;
    const char *column; /* NULL: expression or group */
    AstExpr *expr;
    StrVec group;       /* ((a, b) HASH, c): a and b */
    AstKeyMode mode;
    AstNulls nulls;
    AstName collation, opclass; /* name NULL: none */
    AstOptionVec opclass_options;
};

/* USING HASH behind the column list. bucket_count: the legacy WITH BUCKET_COUNT = n; the modern count is in `options`. */
typedef struct AstHash {
    bool present;
    int position;
    AstExpr *bucket_count;
} AstHash;

/* YugabyteDB's SPLIT INTO n TABLETS or SPLIT AT VALUES ((1), (2, 'm')); values may be AST_MINVALUE and AST_MAXVALUE. */
typedef struct AstSplit {
    bool present;
    int position;
    AstExpr *tablets; /* NULL: AT VALUES */
    AstExprRows points;
} AstSplit;

/* PARTITION BY. CockroachDB's form lists its partitions; PostgreSQL's names only the key, which may have expressions. */
typedef enum AstPartitionKind { AST_PARTITION_NONE, AST_PARTITION_LIST, AST_PARTITION_RANGE, AST_PARTITION_HASH,
                                AST_PARTITION_NOTHING } AstPartitionKind;
typedef struct AstPartition AstPartition;
typedef VEC(AstPartition *) AstPartitionVec;
typedef struct AstPartitionBy {
    AstPartitionKind by;
    int position;
    bool all;             /* PARTITION ALL BY */
    AstIndexElemVec keys;
    bool has_partitions;  /* CockroachDB's form */
    AstPartitionVec partitions;
} AstPartitionBy;
struct AstPartition {
    int position;
    const char *name;
    AstExprRows values;   /* VALUES IN (...): a row each, one value or a tuple; DEFAULT, MINVALUE, MAXVALUE as such */
    AstExprVec from, to;  /* VALUES FROM (...) TO (...) */
    bool is_range;
    AstPartitionBy sub;   /* nested PARTITION BY */
};

/* FOR VALUES IN | FROM TO | WITH (MODULUS, REMAINDER), DEFAULT: PostgreSQL's PARTITION OF and ATTACH PARTITION. */
typedef struct AstPartitionBound {
    bool present, is_default;
    AstPartitionKind by;
    AstExprVec values, from, to;
    AstOptionVec modulus;
} AstPartitionBound;

/* ---- constraints ---- */

typedef enum AstConstraintKind {
    AST_CONSTRAINT_NOT_NULL, AST_CONSTRAINT_NULL, AST_CONSTRAINT_DEFAULT, AST_CONSTRAINT_CHECK,
    AST_CONSTRAINT_PRIMARY_KEY, AST_CONSTRAINT_UNIQUE, AST_CONSTRAINT_FOREIGN_KEY, AST_CONSTRAINT_EXCLUDE,
    AST_CONSTRAINT_GENERATED, /* computed: stored or virtual */
    AST_CONSTRAINT_IDENTITY, AST_CONSTRAINT_ON_UPDATE /* CockroachDB's ON UPDATE expr */
} AstConstraintKind;

typedef enum AstFkAction {
    AST_FK_NO_ACTION, AST_FK_RESTRICT, AST_FK_CASCADE, AST_FK_SET_NULL, AST_FK_SET_DEFAULT
} AstFkAction;

/* Of a column or of the table: a column constraint has no key or columns list. */
typedef struct AstConstraint {
    AstConstraintKind kind;
    int position;
    const char *name; /* CONSTRAINT name; NULL: none */
    AstExpr *expr;    /* DEFAULT, CHECK, GENERATED, ON UPDATE */
    bool stored;      /* GENERATED: STORED; otherwise VIRTUAL, or no word */
    bool no_inherit, not_valid;
    bool always;      /* IDENTITY: GENERATED ALWAYS; otherwise BY DEFAULT */
    AstOptionVec sequence_options; /* IDENTITY */
    /* PRIMARY KEY, UNIQUE */
    AstIndexElemVec key;
    bool without_index, nulls_not_distinct;
    AstHash hash;
    StrVec including;
    AstOptionVec options; /* WITH (...) */
    const char *tablespace;
    const char *using_index; /* ADD CONSTRAINT ... USING INDEX i */
    AstSplit split;
    AstPartitionBy partition;
    AstExpr *where;       /* CockroachDB's partial UNIQUE constraint */
    /* FOREIGN KEY, REFERENCES */
    StrVec columns;
    AstName referenced;
    StrVec referenced_columns;
    AstFkAction on_delete, on_update;
    StrVec on_delete_columns; /* SET NULL (a, b) */
    bool match_full, match_partial;
    bool deferrable, not_deferrable, initially_deferred, initially_immediate;
} AstConstraint;
typedef VEC(AstConstraint *) AstConstraintVec;

/* ---- tables ---- */

struct AstColumnDef {
    int position;
    const char *name;
    AstType *type;         /* NULL: none written (CREATE TABLE AS, PARTITION OF) */
    AstName collation;     /* name NULL: none */
    AstConstraintVec constraints;
    bool not_visible;
    const char *family;    /* FAMILY f; NULL: none. "" for CREATE FAMILY without a name */
    bool create_family, family_if_not_exists;
    const char *storage, *compression;
};

/* An INDEX in a table, or CREATE INDEX. */
typedef struct AstIndexDef {
    int position;
    const char *name;   /* NULL: chosen */
    bool unique, inverted, vector;
    const char *method; /* USING btree before the columns; NULL: none */
    AstIndexElemVec key;
    AstHash hash;
    StrVec including;   /* INCLUDE, STORING, COVERING */
    bool nulls_not_distinct;
    AstPartitionBy partition;
    AstOptionVec options;
    const char *tablespace;
    AstSplit split;
    AstExpr *where;
    bool not_visible;
} AstIndexDef;

typedef struct AstFamilyDef { int position; const char *name; /* NULL */ StrVec columns; } AstFamilyDef;
typedef struct AstLikeOption { const char *name; bool excluding; } AstLikeOption; /* "all", "defaults", "indexes" ... */
typedef VEC(AstLikeOption) AstLikeOptionVec;
typedef struct AstTableLike { int position; AstName table; AstLikeOptionVec options; } AstTableLike;

/* One element of the table's list: exactly one member is set. */
typedef struct AstTableElem {
    AstColumnDef *column;
    AstConstraint *constraint;
    AstIndexDef *index;
    AstFamilyDef *family;
    AstTableLike *like;
} AstTableElem;
typedef VEC(AstTableElem) AstTableElemVec;

typedef enum AstOnCommit { AST_ON_COMMIT_DEFAULT, AST_ON_COMMIT_PRESERVE, AST_ON_COMMIT_DELETE, AST_ON_COMMIT_DROP } AstOnCommit;

typedef struct AstCreateTable {
    AstStmt base;
    AstPersistence persistence;
    bool if_not_exists;
    AstName name;
    AstTableElemVec elems;
    AstNameVec inherits;
    AstName partition_of;      /* name NULL: none */
    AstPartitionBound bound;   /* of partition_of */
    AstName of_type;
    AstPartitionBy partition;
    const char *access_method;
    AstOptionVec options;
    AstOnCommit on_commit;
    const char *tablespace;
    AstSplit split;
    const char *locality;      /* CockroachDB's LOCALITY ..., as written; NULL: none */
} AstCreateTable;

typedef struct AstForecast { /* FORECAST TABLE t (...) FROM (query) NODES n ROWS m: what the table would be like */
    AstStmt base;
    AstStmt *table;       /* an AstCreateTable */
    AstStmt *query;
    AstOptionVec options;
} AstForecast;

/* CREATE TABLE AS and CREATE MATERIALIZED VIEW. */
typedef struct AstCreateTableAs {
    AstStmt base;
    AstPersistence persistence;
    bool materialized_view, if_not_exists;
    AstName name;
    StrVec columns;
    AstTableElemVec elems;     /* CockroachDB: column constraints and families beside the names */
    AstOptionVec options;
    AstOnCommit on_commit;
    const char *tablespace, *access_method;
    AstStmt *query;            /* SELECT, VALUES or EXECUTE */
    bool no_data;
} AstCreateTableAs;

typedef struct AstCreateIndex {
    AstStmt base;
    AstIndexDef *index;
    bool concurrently, nonconcurrently, if_not_exists, only;
    AstName table;
} AstCreateIndex;


#endif
