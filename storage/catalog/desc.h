/* desc.h - descriptors: what the catalog knows of each object.
 *
 * Descriptors are records in the map (catalog_store.c) and immutable in memory once published; a statement binds to one
 * CatalogSnapshot. DDL copies a descriptor, changes the copy and puts it back. Ids are unique over all kinds; user objects
 * start at 104, as in CockroachDB, and an object's OID in pg_catalog is its id (index OIDs: index_oid below).
 *
 * A TableDesc's columns are addressed by ordinal (position in `columns`); dropped columns are removed from the array, so
 * stored rows name columns by `id`, which is never reused. Hidden leading key columns - the bucket of USING HASH, the
 * 16-bit code of a YugabyteDB HASH group - and indexed expressions are virtual computed columns like any other:
 * an index key is always a list of columns.
 */
#ifndef STORAGE_CATALOG_DESC_H
#define STORAGE_CATALOG_DESC_H

#include "storage/catalog/desc_base.h"
#include "storage/types/type.h"

typedef enum ComputedKind { COMPUTED_NONE, COMPUTED_VIRTUAL, COMPUTED_STORED } ComputedKind;
/* What a hidden column is for, so that planner and printers need not parse its expression. */
typedef enum ColumnRole {
    COLUMN_USER,
    COLUMN_ROWID,      /* hidden key of a table without PRIMARY KEY; default unique_rowid() */
    COLUMN_BUCKET,     /* USING HASH: mod(fnv32(md5(crdb_internal.datums_to_bytes(cols))), n), 0..n-1 */
    COLUMN_HASH_CODE,  /* YugabyteDB HASH: yb_hash_code(cols), 0..65535 */
    COLUMN_EXPRESSION  /* an indexed expression */
} ColumnRole;
typedef enum IdentityKind { IDENTITY_NONE, IDENTITY_ALWAYS, IDENTITY_BY_DEFAULT } IdentityKind;

typedef struct ColumnDesc {
    uint32_t id; /* from 1; pg_attribute.attnum */
    const char *name;
    TypeRef type;
    bool not_null, hidden;
    const char *default_expr;  /* SQL text; NULL: none */
    const char *absent_text;   /* added later: what rows without it read as, in the type's text form; NULL: NULL */
    ComputedKind computed;
    const char *computed_expr; /* SQL text */
    ColumnRole role;
    int32_t bucket_count;      /* COLUMN_BUCKET */
    IntVec hashed_columns;     /* ids: COLUMN_BUCKET in name order (or shard_columns), COLUMN_HASH_CODE in key order */
    IdentityKind identity;
    DescId sequence_id;        /* owned by SERIAL or IDENTITY; 0: none */
    uint32_t family;           /* id of its column family */
    const char *comment;
    AclVec acl;                /* beyond what is granted on the table */
} ColumnDesc;

typedef struct IndexColumn {
    uint32_t column_id;
    bool descending;
    bool nulls_first; /* as the user asked; keys always store NULL first ascending, last descending */
    bool implicit;    /* a bucket or hash code put in front by USING HASH or HASH */
    bool hash_mode;   /* declared HASH: follows an implicit hash code column */
    const char *opclass; /* as declared, where it is not the type's own: text_pattern_ops; NULL */
} IndexColumn;

typedef enum IndexState { INDEX_PUBLIC, INDEX_WRITE_ONLY } IndexState; /* write-only: being filled */

typedef struct PartitionDesc PartitionDesc;
struct PartitionDesc {
    const char *name;
    bool is_list;             /* else a range */
    bool is_default;          /* LIST: VALUES IN (DEFAULT) */
    StrVec values;            /* LIST: one "(a, b)" SQL text a tuple; RANGE: from, to */
    VEC(PartitionDesc) children;
    int child_columns;        /* of the sub-partitioning; 0: none */
};

typedef struct IndexDesc {
    uint32_t id; /* 1 is the first primary index; part of every key */
    const char *name;
    bool unique, primary, is_constraint; /* is_constraint: made by UNIQUE or PRIMARY KEY */
    /* Of the constraint. Keys of a deferrable index are not unique at all times: its entries are those of an index that is not. */
    bool deferrable, initially_deferred;
    bool logical_primary; /* the deferrable PRIMARY KEY of a table whose rows lie under a hidden key */
    IndexState state;
    VEC(IndexColumn) columns;  /* the declared key, implicit columns first */
    IntVec suffix;             /* ids: primary key columns not in `columns`; always ascending */
    IntVec stored;             /* ids: STORING, INCLUDE */
    const char *predicate;     /* partial index: SQL text; NULL: none */
    int32_t bucket_count;      /* USING HASH; 0: not sharded */
    bool legacy_hash_syntax;
    bool nulls_not_distinct;
    const char *split_clause;  /* YugabyteDB SPLIT as written; NULL: none */
    int partition_columns;
    VEC(PartitionDesc) partitions;
    const char *comment, *constraint_comment;
} IndexDesc;

typedef struct CheckDesc {
    uint32_t id;
    const char *name;
    const char *expr;        /* SQL text */
    bool hidden, validated;  /* hidden: the bucket column's own IN list */
    bool no_inherit;
    const char *comment;     /* NULL: none */
} CheckDesc;

typedef enum FkAction { FK_NO_ACTION, FK_RESTRICT, FK_CASCADE, FK_SET_NULL, FK_SET_DEFAULT } FkAction;

typedef struct ForeignKeyDesc {
    uint32_t id;
    const char *name;
    IntVec columns;          /* ids in this table */
    DescId referenced_table;
    IntVec referenced_columns;
    FkAction on_delete, on_update;
    bool match_full, deferrable, initially_deferred, validated;
    IntVec on_delete_columns; /* SET NULL (a), SET DEFAULT (a): ids; none: all columns */
    const char *comment;
} ForeignKeyDesc;

typedef struct FamilyDesc {
    uint32_t id; /* 0 always exists */
    const char *name;
} FamilyDesc;

typedef enum OnCommit { ON_COMMIT_PRESERVE, ON_COMMIT_DELETE, ON_COMMIT_DROP } OnCommit;

typedef struct TableDesc {
    Desc base;
    VEC(ColumnDesc) columns;
    VEC(IndexDesc) indexes; /* indexes.items[0] is the primary index */
    VEC(CheckDesc) checks;
    VEC(ForeignKeyDesc) foreign_keys;
    VEC(FamilyDesc) families;
    uint32_t next_column_id, next_index_id, next_constraint_id, next_family_id;
    int64_t range_max_bytes; /* zone configuration; 0: the default */
    bool temporary;
    OnCommit on_commit;      /* of a temporary table */
    const char *view_query;  /* of a materialized view, a table that only REFRESH writes: SQL text; NULL: a table */
    bool populated;          /* the materialized view has been filled */
    IntVec depends_on;       /* ids: what view_query reads */
} TableDesc;

typedef enum ViewCheck { VIEW_CHECK_NONE, VIEW_CHECK_LOCAL, VIEW_CHECK_CASCADED } ViewCheck;

typedef struct ViewDesc {
    Desc base;
    const char *query; /* SQL text, names qualified */
    VEC(ColumnDesc) columns;
    bool materialized;
    IntVec depends_on; /* ids */
    ViewCheck check_option;
} ViewDesc;

typedef struct SequenceDesc {
    Desc base;
    Oid type; /* int2, int4, int8 */
    int64_t start, increment, minimum, maximum, cache;
    bool cycle;
    DescId owner_table; /* OWNED BY; 0: none */
    uint32_t owner_column;
} SequenceDesc;

typedef struct EnumLabel {
    const char *label;
    Slice physical; /* what keys and rows hold */
    DescId oid;     /* pg_enum.oid; 0 in a draft */
    int64_t order;  /* pg_enum.enumsortorder, in millionths: 1, 2, 3 as made, the middle of two for one put between */
} EnumLabel;

typedef enum TypeForm { TYPE_ENUM, TYPE_DOMAIN } TypeForm;

typedef struct TypeDesc { /* DESC_TYPE */
    Desc base;
    DescId array_oid; /* of its array type; 0 in a draft */
    TypeForm form;
    VEC(EnumLabel) labels;    /* an enum's */
    TypeRef of;               /* a domain's base type, itself perhaps a domain */
    bool not_null;
    const char *default_expr; /* SQL text; NULL: none */
    VEC(CheckDesc) checks;    /* over the column `value` */
    uint32_t next_constraint_id;
} TypeDesc;

typedef struct RoleMembership {
    DescId role, grantor;
    bool admin; /* may grant it on */
} RoleMembership;

/* ALTER DEFAULT PRIVILEGES: what objects that the role will make start with. */
typedef struct DefaultAcl {
    DescId database, schema; /* schema 0: all of the database; its acl is then the whole one, else what comes on top */
    DescKind kind;           /* DESC_TABLE stands for views too */
    AclVec acl;
} DefaultAcl;

typedef struct DatabaseSettings { DescId database; StrVec settings; } DatabaseSettings;

typedef struct RoleDesc {
    Desc base;
    bool superuser, login, create_db, create_role;
    const char *password;    /* SCRAM or md5 verifier; NULL: none */
    bool no_inherit, replication, bypass_rls;
    const char *valid_until; /* timestamptz as text, in UTC; NULL: for ever */
    int32_t connections_max; /* 0: no limit; else one more than CONNECTION LIMIT */
    VEC(RoleMembership) member_of;
    StrVec settings;         /* "name=value": what a session of the role starts with */
    VEC(DatabaseSettings) database_settings; /* the same in one database */
    VEC(DefaultAcl) default_acls;
} RoleDesc;

typedef struct DatabaseDesc {
    Desc base;
    StrVec settings;         /* "name=value": what a session in it starts with */
    StrVec extensions;       /* "name=schema": extension.h */
} DatabaseDesc;
typedef struct SchemaDesc { Desc base; } SchemaDesc;

/* May a key never be there twice? */
static inline bool index_is_unique(const IndexDesc *index)
{
    return index->primary || (index->unique && !index->deferrable);
}

/* Ordinal of the column with that id; -1 if there is none. */
int table_column_by_id(const TableDesc *table, uint32_t column_id);
int table_column_by_name(const TableDesc *table, const char *name);
const IndexDesc *table_index_by_id(const TableDesc *table, uint32_t index_id); /* NULL: none */
const IndexDesc *table_index_by_name(const TableDesc *table, const char *name);
static inline const IndexDesc *table_primary(const TableDesc *table)
{
    return &table->indexes.items[0];
}
/* Is the column part of the primary key (bucket included)? */
bool table_column_in_primary(const TableDesc *table, uint32_t column_id);
/* The unique index that a foreign key's look-ups in the table it refers to go through; NULL: there is none any more. */
const IndexDesc *table_referenced_index(const TableDesc *referenced, const ForeignKeyDesc *key);
/* pg_class.oid of an index: unique over all tables, stable. The primary index has one of its own too. */
Oid index_oid(DescId table_id, uint32_t index_id);
/* A deep copy to change. */
TableDesc *table_desc_copy(const TableDesc *table, Arena *arena);

#endif
