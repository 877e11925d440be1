/* ddl_default_acl.c - what a new object's access list starts with, by its owner's ALTER DEFAULT PRIVILEGES. */
#include "executor/ddl/ddl_internal.h"
#include "storage/catalog/acl.h"

static const DefaultAcl *find_default(const RoleDesc *role, const Desc *desc, DescId schema)
{
    DescKind kind = desc->kind == DESC_VIEW ? DESC_TABLE : desc->kind;
    for (int i = 0; i < role->default_acls.count; i++) {
        const DefaultAcl *given = &role->default_acls.items[i];
        if (given->database == desc->parent_database && given->schema == schema && given->kind == kind) return given;
    }
    return NULL;
}

void ddl_apply_default_acl(Exec *exec, Desc *desc)
{
    const RoleDesc *role = (const RoleDesc *)catalog_find_role(ddl_view(exec), desc->owner);
    if (!role || !desc->parent_database) return;
    DescId owner = role->base.id;
    const DefaultAcl *everywhere = find_default(role, desc, DESC_ID_NONE);
    const DefaultAcl *here = desc->parent_schema ? find_default(role, desc, desc->parent_schema) : NULL;
    AclVec standard = acl_default(desc->kind, owner, exec->arena);
    AclVec acl = acl_copy(everywhere ? &everywhere->acl : &standard, exec->arena);
    for (int i = 0; here && i < here->acl.count; i++) (void)acl_grant(&acl, here->acl.items[i], owner, exec->arena);
    if (acl_equal(&acl, &standard)) return;
    acl_sort(&acl);
    desc->acl = acl;
    desc->acl_given = true;
}
