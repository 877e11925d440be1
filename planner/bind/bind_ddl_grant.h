/* bind_ddl_grant.h - what GRANT, REVOKE, ALTER DEFAULT PRIVILEGES and the statements about owners share. Inside bind/ only. */
#ifndef PLANNER_BIND_BIND_DDL_GRANT_H
#define PLANNER_BIND_BIND_DDL_GRANT_H

#include "planner/bind/bind_ddl.h"
#include "planner/privilege.h"

/* What the statement is about: DESC_TABLE stands for all relations. */
typedef struct GrantClass {
    DescKind kind;
    uint32_t allowed;
    const char *word; /* in errors */
} GrantClass;

typedef struct GrantColumns {
    uint32_t privileges;
    bool all;
    const StrVec *names;
} GrantColumns;

typedef struct GrantWanted {
    bool all; /* ALL PRIVILEGES: no warning if it is not all of them */
    uint32_t privileges;
    VEC(GrantColumns) columns;
} GrantWanted;

typedef VEC(DescId) GranteeVec; /* 0: PUBLIC */

typedef struct GrantMerge {
    DescId grantor, owner;
    uint32_t privileges;
} GrantMerge;

/* 0A000 for what cannot be granted on yet. */
Status ddl_grant_class(Binder *b, const AstGrant *ast, GrantClass *class);
/* 42601, 0LP01 for words that mean nothing here. */
Status ddl_privileges(Binder *b, const AstGrant *ast, const GrantClass *class, GrantWanted *wanted);
Status ddl_grantees(Binder *b, const AstGrant *ast, GranteeVec *grantees);
/* GRANTED BY somebody else: 0A000. */
Status ddl_check_grantor(Binder *b, const AstGrant *ast);
/* Gives to, or takes from, all grantees. */
Status ddl_merge_grant(Binder *b, const AstGrant *ast, const GranteeVec *grantees, const GrantMerge *merge, AclVec *acl);
Status bind_default_privileges(Binder *b, const AstDefaultPrivileges *ast, Plan **out);
Status bind_grant_roles(Binder *b, const AstGrant *ast, Plan **out);

#endif
