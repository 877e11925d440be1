/* acl_text.h - access lists as aclitem[], which holds each item as its text: grantee=privileges/grantor. */
#ifndef EXECUTOR_SYSTEM_ACL_TEXT_H
#define EXECUTOR_SYSTEM_ACL_TEXT_H

#include "executor/system/sys_row.h"
#include "storage/catalog/acl.h"

enum { OID_ACLITEM = 1033 };

/* A role's name as aclitem has it, quoted where needed; the number of a role that is gone. */
const char *acl_role_text(const Session *session, DescId role, Arena *arena);
/* NULL for an empty list. */
Status acl_array(TypeCtx *ctx, const Session *session, const AclVec *acl, Value *out);
/* What pg_class.relacl and its kin hold for the object: NULL as long as its kind's default holds. */
Status sys_acl(SysRow *r, const Desc *desc);

#endif
