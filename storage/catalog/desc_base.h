/* desc_base.h - what the descriptors of all kinds begin with: identity, name, owner, privileges. */
#ifndef STORAGE_CATALOG_DESC_BASE_H
#define STORAGE_CATALOG_DESC_BASE_H

#include "storage/base/list.h"

typedef uint32_t DescId;

enum {
    DESC_ID_NONE = 0, DESC_ID_FIRST_USER = 104,
    OID_PG_CATALOG_SCHEMA = 11, /* pg_namespace oids of the built-in schemas */
    OID_INFORMATION_SCHEMA = 13, OID_CRDB_INTERNAL_SCHEMA = 14, OID_ROWKEY_SCHEMA = 15
};

typedef enum DescKind { DESC_DATABASE, DESC_SCHEMA, DESC_TABLE, DESC_VIEW, DESC_SEQUENCE, DESC_TYPE, DESC_ROLE } DescKind;

/* Privileges as bits: PostgreSQL's, from the lowest up "arwdDxtXUCTc". */
typedef struct AclItem {
    DescId grantee, grantor; /* grantee 0: PUBLIC */
    uint32_t privileges, grantable;
} AclItem;
typedef VEC(AclItem) AclVec;

typedef struct Desc {
    DescKind kind;
    DescId id, parent_database, parent_schema; /* a database has neither, a schema only the database */
    uint64_t version;                          /* grows with each change of this object */
    const char *name;
    const char *owner;
    const char *comment; /* NULL: none */
    AclVec acl;          /* what is granted on it */
    bool acl_given;      /* false: nothing was granted or revoked yet, the kind's defaults hold */
} Desc;

#endif
