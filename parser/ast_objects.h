/* ast_objects.h - changes of definitions and objects that are no tables: ALTER, DROP, schemas, views, sequences, types, roles,
 * grants; and the key-space statements. */
#ifndef PARSER_AST_OBJECTS_H
#define PARSER_AST_OBJECTS_H

#include "parser/ast_ddl.h"

/* ---- ALTER TABLE ---- */

#define AST_ALTER_KINDS(X)                                                                                           \
    X(AST_ALTER_ADD_COLUMN) X(AST_ALTER_DROP_COLUMN) X(AST_ALTER_COLUMN_TYPE) X(AST_ALTER_COLUMN_DEFAULT)            \
    X(AST_ALTER_COLUMN_DROP_DEFAULT) X(AST_ALTER_COLUMN_SET_NOT_NULL) X(AST_ALTER_COLUMN_DROP_NOT_NULL)              \
    X(AST_ALTER_COLUMN_DROP_EXPRESSION) /* also DROP STORED */ X(AST_ALTER_COLUMN_ADD_IDENTITY)                      \
    X(AST_ALTER_COLUMN_SET_IDENTITY) X(AST_ALTER_COLUMN_DROP_IDENTITY) X(AST_ALTER_COLUMN_VISIBLE)                   \
    X(AST_ALTER_COLUMN_ON_UPDATE) /* expr NULL: DROP ON UPDATE */                                                    \
    X(AST_ALTER_COLUMN_STATISTICS) X(AST_ALTER_COLUMN_STORAGE) X(AST_ALTER_COLUMN_OPTIONS)                           \
    X(AST_ALTER_ADD_CONSTRAINT) X(AST_ALTER_DROP_CONSTRAINT) X(AST_ALTER_VALIDATE_CONSTRAINT)                        \
    X(AST_ALTER_ALTER_CONSTRAINT) X(AST_ALTER_RENAME) X(AST_ALTER_RENAME_COLUMN) X(AST_ALTER_RENAME_CONSTRAINT)      \
    X(AST_ALTER_SET_SCHEMA) X(AST_ALTER_OWNER) X(AST_ALTER_PRIMARY_KEY) X(AST_ALTER_PARTITION_BY)                    \
    X(AST_ALTER_ATTACH_PARTITION) X(AST_ALTER_DETACH_PARTITION) X(AST_ALTER_SET_OPTIONS) X(AST_ALTER_RESET_OPTIONS)  \
    X(AST_ALTER_SET_TABLESPACE) X(AST_ALTER_SET_LOGGED) X(AST_ALTER_SET_UNLOGGED) X(AST_ALTER_CLUSTER_ON)            \
    X(AST_ALTER_REPLICA_IDENTITY) X(AST_ALTER_ROW_SECURITY) X(AST_ALTER_TRIGGER) X(AST_ALTER_INHERIT)                \
    X(AST_ALTER_ADD_FAMILY) X(AST_ALTER_INDEX_VISIBLE)

typedef enum AstAlterKind {
#define AST_ALTER_KIND(kind) kind,
    AST_ALTER_KINDS(AST_ALTER_KIND)
#undef AST_ALTER_KIND
} AstAlterKind;

typedef struct AstAlterAction {
    AstAlterKind kind;
    int position;
    bool if_exists;          /* DROP COLUMN, DROP CONSTRAINT, DROP IDENTITY, DROP EXPRESSION */
    bool if_not_exists;      /* ADD COLUMN, ADD CONSTRAINT */
    AstDropBehavior behavior;
    const char *name;        /* the column or constraint; RENAME's old name; what ROW_SECURITY or TRIGGER do, as words */
    const char *new_name;    /* RENAME..., SET SCHEMA, OWNER, SET TABLESPACE, CLUSTER ON */
    AstColumnDef *column;    /* ADD COLUMN; COLUMN_TYPE: type and collation */
    AstExpr *expr;           /* DEFAULT, USING of COLUMN_TYPE, ON UPDATE, STATISTICS */
    AstConstraint *constraint; /* ADD, ALTER CONSTRAINT, ADD_IDENTITY; PRIMARY_KEY: key, hash, options, split */
    AstOptionVec options;    /* SET (...), RESET (...), SET_IDENTITY: set generated, restart, sequence options */
    AstPartitionBy partition;
    AstName table;           /* ATTACH, DETACH, INHERIT */
    AstPartitionBound bound; /* ATTACH */
    bool visible;            /* COLUMN_VISIBLE, INDEX_VISIBLE; ROW_SECURITY: ENABLE */
    AstFamilyDef *family;
} AstAlterAction;
typedef VEC(AstAlterAction *) AstAlterActionVec;

typedef struct AstAlterTable {
    AstStmt base;
    AstObject object;  /* TABLE, INDEX, VIEW, MATERIALIZED_VIEW */
    bool if_exists, only;
    AstName name;      /* of an INDEX: see index */
    AstIndexName index;
    AstAlterActionVec actions;
} AstAlterTable;

/* ---- other objects ---- */

typedef struct AstCreateDatabase { AstStmt base; bool if_not_exists; const char *name; AstOptionVec options; } AstCreateDatabase;
typedef struct AstCreateSchema {
    AstStmt base;
    bool if_not_exists;
    AstName name;              /* NULL name: AUTHORIZATION alone */
    const char *authorization; /* NULL: none */
    VEC(AstStmt *) elements;   /* CREATE SCHEMA s CREATE TABLE ... */
} AstCreateSchema;
typedef enum AstCheckOption { AST_CHECK_OPTION_NONE, AST_CHECK_OPTION_LOCAL, AST_CHECK_OPTION_CASCADED } AstCheckOption;
typedef struct AstCreateView {
    AstStmt base;
    bool or_replace, recursive, if_not_exists;
    AstPersistence persistence;
    AstName name;
    StrVec columns;
    AstOptionVec options;
    AstSelect *query; /* its base.source is the text */
    AstCheckOption check_option;
} AstCreateView;
typedef struct AstRefresh { AstStmt base; bool concurrently, no_data; AstName name; } AstRefresh;

/* Options: as, increment, minvalue, maxvalue (value NULL: NO ...), start, restart (NULL: no value), cache, cycle (literal
 * true or false), owned_by (AST_COLUMN; NULL: NONE), virtual, sequence_name. */
typedef struct AstCreateSequence {
    AstStmt base;
    AstPersistence persistence;
    bool if_not_exists;
    AstName name;
    AstType *type; /* AS type; NULL: none */
    AstOptionVec options;
} AstCreateSequence;
typedef struct AstAlterSequence { AstStmt base; bool if_exists; AstName name; AstType *type; AstOptionVec options; } AstAlterSequence;

typedef struct AstCreateEnum { AstStmt base; bool if_not_exists; AstName name; StrVec labels; } AstCreateEnum;
typedef struct AstAlterEnum {
    AstStmt base;
    AstName name;
    const char *label;     /* ADD VALUE; RENAME VALUE: the old one; DROP VALUE */
    bool if_not_exists, add, drop; /* neither: RENAME VALUE */
    const char *new_label;
    const char *neighbor;  /* BEFORE or AFTER; NULL: none */
    bool before;
} AstAlterEnum;
typedef struct AstCreateDomain { AstStmt base; AstName name; AstType *type; AstName collation; AstConstraintVec constraints; } AstCreateDomain;
typedef struct AstCreateExtension { AstStmt base; bool if_not_exists; const char *name; AstOptionVec options; } AstCreateExtension;
/* CREATE and ALTER ROLE, USER, GROUP. Options: login, superuser, createdb, createrole, inherit, replication, bypassrls
 * (literal true or false), password (string, NULL value: PASSWORD NULL), valid_until, connection_limit, in_role, role, admin. */
typedef struct AstCreateRole { AstStmt base; bool if_not_exists, user; const char *name; AstOptionVec options; } AstCreateRole;

typedef enum AstAlterObjectKind { AST_ALTER_OBJECT_RENAME, AST_ALTER_OBJECT_OWNER, AST_ALTER_OBJECT_SCHEMA } AstAlterObjectKind;
typedef struct AstAlterObject {
    AstStmt base;
    AstObject object; /* SEQUENCE, TYPE, SCHEMA, DATABASE, ROLE, DOMAIN, EXTENSION, ... */
    AstAlterObjectKind change;
    bool if_exists;
    AstName name;
    const char *value;
} AstAlterObject;
/* ALTER DATABASE d SET x = y, ALTER ROLE r SET x = y; set is an AstSet or AstReset. */
typedef struct AstAlterSet { AstStmt base; const char *name; /* NULL: ROLE ALL */ const char *in_database; AstStmt *set; } AstAlterSet;

typedef struct AstDrop {
    AstStmt base;
    AstObject object; /* OTHER: not supported, named by `words` */
    const char *words;
    bool if_exists, concurrently;
    AstNameVec names;         /* all but INDEX */
    AstIndexNameVec indexes;  /* INDEX */
    AstDropBehavior behavior;
} AstDrop;
typedef struct AstTruncate { AstStmt base; AstNameVec tables; bool restart_identity; AstDropBehavior behavior; } AstTruncate;

typedef struct AstComment {
    AstStmt base;
    AstObject object;
    AstName name;        /* COLUMN: its table; CONSTRAINT: its table */
    const char *member;  /* COLUMN, CONSTRAINT: its name; DOMAIN: its constraint's, NULL: the domain itself */
    AstIndexName index;  /* INDEX */
    const char *text;    /* NULL: removes it */
} AstComment;

typedef struct AstPrivilege { int position; const char *name; /* lower case; "all" */ StrVec columns; } AstPrivilege;
typedef VEC(AstPrivilege) AstPrivilegeVec;
typedef struct AstGrant {
    AstStmt base;
    bool of_roles;                /* GRANT role TO role: roles in `privileges` */
    AstPrivilegeVec privileges;
    AstObject object;
    bool all_in_schema;           /* ALL TABLES IN SCHEMA names */
    AstNameVec names;
    StrVec grantees;              /* "public" is a role name here */
    bool grant_option;            /* WITH GRANT OPTION, GRANT OPTION FOR, WITH ADMIN OPTION */
    const char *granted_by;       /* NULL: not said */
    AstDropBehavior behavior;
} AstGrant;

typedef struct AstDefaultPrivileges { /* ALTER DEFAULT PRIVILEGES */
    AstStmt base;
    StrVec roles, schemas;        /* FOR ROLE, IN SCHEMA */
    const AstGrant *grant;        /* without names */
} AstDefaultPrivileges;

typedef struct AstOwned { /* DROP OWNED, REASSIGN OWNED */
    AstStmt base;
    StrVec roles;
    const char *new_owner;        /* NULL: DROP OWNED */
    AstDropBehavior behavior;
} AstOwned;

/* ---- key space ---- */

typedef struct AstSplitAt { /* also UNSPLIT AT */
    AstStmt base;
    bool of_index;
    AstIndexName target; /* a table: target.table */
    AstSelect *rows;     /* NULL: UNSPLIT ALL */
    AstExpr *expiration;
} AstSplitAt;
typedef struct AstScatter { AstStmt base; bool of_index, bounded; AstIndexName target; AstExprVec from, to; } AstScatter;
typedef enum AstRelocateKind { AST_RELOCATE_VOTERS, AST_RELOCATE_NONVOTERS, AST_RELOCATE_LEASE } AstRelocateKind;
typedef struct AstRelocate {
    AstStmt base;
    AstObject object;    /* TABLE, INDEX, or OTHER: ALTER RANGE */
    AstIndexName target;
    AstRelocateKind what;
    AstSelect *rows;     /* TABLE, INDEX; ALTER RANGE ... FOR select */
    AstExpr *range_id, *from, *to;
} AstRelocate;
typedef struct AstConfigureZone {
    AstStmt base;
    AstObject object;    /* TABLE, INDEX, DATABASE, or OTHER: ALTER RANGE name */
    AstIndexName target; /* DATABASE and RANGE: the name is target.table.name */
    bool discard;
    AstOptionVec options;
} AstConfigureZone;

#endif
