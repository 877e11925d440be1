/* bind_ddl_default_acl.c - ALTER DEFAULT PRIVILEGES: kept with the role whose new objects they are for. */
#include "planner/bind/bind_ddl_owner.h"

typedef struct Defaults {
    Binder *b;
    const AstGrant *ast;
    GrantClass class;
    GrantWanted wanted;
    GranteeVec grantees;
} Defaults;

static DefaultAcl *find_default(RoleDesc *role, DescId database, DescId schema, DescKind kind)
{
    for (int i = 0; i < role->default_acls.count; i++) {
        DefaultAcl *given = &role->default_acls.items[i];
        if (given->database == database && given->schema == schema && given->kind == kind) return given;
    }
    return NULL;
}

/* An entry that says what holds anyway is none. */
static void remove_idle(Binder *b, RoleDesc *role, DefaultAcl *given)
{
    AclVec standard = given->schema ? (AclVec){0} : acl_default(given->kind, role->base.id, b->arena);
    if (!acl_equal(&given->acl, &standard)) return;
    *given = VEC_LAST(role->default_acls);
    role->default_acls.count--;
}

static Status change_default(Defaults *d, RoleDesc *role, DescId schema)
{
    Binder *b = d->b;
    DescId id = role->base.id, database = b->session->database_id;
    DefaultAcl *given = find_default(role, database, schema, d->class.kind);
    if (!given) {
        DefaultAcl new = {.database = database, .schema = schema, .kind = d->class.kind};
        if (!schema) new.acl = acl_default(d->class.kind, id, b->arena);
        VEC_PUSH(b->arena, role->default_acls, new);
        given = &VEC_LAST(role->default_acls);
    }
    given->acl = acl_copy(&given->acl, b->arena);
    TRY(ddl_merge_grant(b, d->ast, &d->grantees, &(GrantMerge){id, id, d->wanted.privileges}, &given->acl));
    remove_idle(b, role, given);
    return ST_OK;
}

static Status change_role(Defaults *d, const char *name, const StrVec *schemas, UtilityChange *utility)
{
    Binder *b = d->b;
    TRY(ddl_check_new_owner(b, name));
    const Desc *before = catalog_find_role(b->session->catalog, name);
    RoleDesc *after = arena_copy(b->arena, before, sizeof *after);
    after->default_acls = (__typeof__(after->default_acls)){0};
    for (int i = 0; i < ((const RoleDesc *)before)->default_acls.count; i++)
        VEC_PUSH(b->arena, after->default_acls, ((const RoleDesc *)before)->default_acls.items[i]);
    for (int i = 0; i < schemas->count; i++) {
        const Desc *schema = catalog_find_schema(b->session->catalog, b->session->database_id, schemas->items[i]);
        if (!schema) return ddl_fail(b, 0, ERR_INVALID_SCHEMA_NAME, "schema \"%s\" does not exist", schemas->items[i]);
        TRY(change_default(d, after, schema->id));
    }
    if (schemas->count == 0) TRY(change_default(d, after, DESC_ID_NONE));
    VEC_PUSH(b->arena, utility->changes, (DescChange){before, &after->base});
    return ST_OK;
}

Status bind_default_privileges(Binder *b, const AstDefaultPrivileges *ast, Plan **out)
{
    Defaults d = {.b = b, .ast = ast->grant};
    UtilityChange *utility = bind_utility(b, UTILITY_GRANT, "ALTER DEFAULT PRIVILEGES", sizeof *utility);
    TRY(ddl_grant_class(b, ast->grant, &d.class));
    if (d.class.kind == DESC_TABLE) d.class.allowed = acl_all(DESC_TABLE);
    TRY(ddl_privileges(b, ast->grant, &d.class, &d.wanted));
    TRY(ddl_grantees(b, ast->grant, &d.grantees));
    if (d.wanted.columns.count) return ddl_fail(b, 0, ERR_INVALID_GRANT_OPERATION, "default privileges cannot be set for columns");
    if (ast->schemas.count && d.class.kind == DESC_SCHEMA)
        return ddl_fail(b, 0, ERR_INVALID_GRANT_OPERATION, "cannot use IN SCHEMA clause when using GRANT/REVOKE ON SCHEMAS");
    for (int i = 0; i < ast->roles.count; i++)
        TRY(change_role(&d, ddl_role_name(b, ast->roles.items[i]), &ast->schemas, utility));
    if (ast->roles.count == 0) TRY(change_role(&d, b->session->user, &ast->schemas, utility));
    *out = &utility->base.base;
    return ST_OK;
}
