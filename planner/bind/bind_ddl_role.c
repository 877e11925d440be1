/* bind_ddl_role.c - CREATE and ALTER ROLE, and membership of roles in each other. */
#include <stdlib.h>

#include "planner/bind/bind_ddl_grant.h"

static bool option_on(const AstOption *option)
{
    if (!option->value || option->value->kind != AST_LITERAL) return true;
    return strcmp(((const AstLiteral *)option->value)->text, "false") != 0;
}

static const RoleDesc *self_of(const Binder *b)
{
    return (const RoleDesc *)catalog_find_role(b->session->catalog, b->session->user);
}

const char *ddl_role_name(Binder *b, const char *name)
{
    if (strcmp(name, "current_user") == 0 || strcmp(name, "current_role") == 0) return b->session->user;
    return strcmp(name, "session_user") == 0 ? b->session->session_user : name;
}

static Status find_role(Binder *b, const char *name, const RoleDesc **role)
{
    name = ddl_role_name(b, name);
    *role = (const RoleDesc *)catalog_find_role(b->session->catalog, name);
    return *role ? ST_OK : ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "role \"%s\" does not exist", name);
}

/* ---- options ---- */

typedef struct RoleOptions {
    const char *password;           /* NULL: not given */
    const AstOption *in_role, *members, *admins;
    NoticeVec notices;
    bool attributes, super_attributes; /* something but the password, or only for superusers, is changed */
} RoleOptions;

static bool *flag_of(RoleDesc *role, const char *name, bool *super)
{
    *super = true;
    if (strcmp(name, "superuser") == 0) return &role->superuser;
    if (strcmp(name, "replication") == 0) return &role->replication;
    if (strcmp(name, "bypassrls") == 0) return &role->bypass_rls;
    *super = false;
    if (strcmp(name, "login") == 0) return &role->login;
    if (strcmp(name, "createdb") == 0) return &role->create_db;
    if (strcmp(name, "createrole") == 0) return &role->create_role;
    return NULL;
}

static Status password_option(Binder *b, const AstOption *option, RoleOptions *found)
{
    found->password = option->value ? ((const AstLiteral *)option->value)->text : "";
    if (option->value && !*found->password)
        ddl_notice(b, &found->notices, ERR_SUCCESSFUL_COMPLETION, "empty string is not a valid password, clearing password");
    return ST_OK;
}

static Status limit_option(Binder *b, const AstOption *option, RoleDesc *role)
{
    const char *text = option->value->kind == AST_LITERAL ? ((const AstLiteral *)option->value)->text : "0";
    long limit = strtol(text, NULL, 10);
    if (limit < -1 || limit > INT32_MAX - 1)
        return ddl_fail(b, 0, ERR_INVALID_PARAMETER_VALUE, "invalid connection limit: %ld", limit);
    role->connections_max = (int32_t)limit + 1;
    return ST_OK;
}

/* Kept as text with its zone, so that it means the same in every session. */
static Status until_option(Binder *b, const AstOption *option, RoleDesc *role)
{
    const TypeDef *type = type_find(OID_TIMESTAMPTZ);
    const char *text = ((const AstLiteral *)option->value)->text;
    TypeCtx ctx = {b->arena, &b->session->type_env, b->err};
    Value until;
    TRY(type->in(type, &ctx, slice_of(text, strlen(text)), -1, &until));
    role->valid_until = type_text((TypeRef){OID_TIMESTAMPTZ, -1}, &type_env_default, until, b->arena);
    return ST_OK;
}

static Status role_option(Binder *b, const AstOption *option, RoleDesc *role, RoleOptions *found)
{
    const char *name = option->name;
    bool super;
    bool *flag = flag_of(role, name, &super);
    found->attributes |= strcmp(name, "password") != 0;
    found->super_attributes |= flag && super;
    if (flag) {
        *flag = option_on(option);
        return ST_OK;
    }
    if (strcmp(name, "inherit") == 0) {
        role->no_inherit = !option_on(option);
        return ST_OK;
    }
    if (strcmp(name, "password") == 0) return password_option(b, option, found);
    if (strcmp(name, "connection_limit") == 0) return limit_option(b, option, role);
    if (strcmp(name, "valid_until") == 0) return until_option(b, option, role);
    if (strcmp(name, "in_role") == 0) found->in_role = option;
    else if (strcmp(name, "role") == 0) found->members = option;
    else if (strcmp(name, "admin") == 0) found->admins = option;
    else if (strcmp(name, "sysid") != 0)
        return ddl_fail(b, option->position, ERR_SYNTAX_ERROR, "unrecognized role option \"%s\"", name);
    return ST_OK;
}

static Status role_options(Binder *b, const AstCreateRole *ast, RoleDesc *role, RoleOptions *found)
{
    *found = (RoleOptions){0};
    for (int i = 0; i < ast->options.count; i++) TRY(role_option(b, &ast->options.items[i], role, found));
    return ST_OK;
}

/* ---- membership ---- */

static RoleDesc *changed_copy(Binder *b, const RoleDesc *role)
{
    RoleDesc *after = arena_copy(b->arena, role, sizeof *role);
    after->member_of = (__typeof__(after->member_of)){0};
    for (int i = 0; i < role->member_of.count; i++) VEC_PUSH(b->arena, after->member_of, role->member_of.items[i]);
    return after;
}

static int membership_in(const RoleDesc *role, DescId wanted)
{
    for (int i = 0; i < role->member_of.count; i++)
        if (role->member_of.items[i].role == wanted) return i;
    return -1;
}

static bool would_cycle(Binder *b, const RoleDesc *role, DescId member)
{
    if (role->base.id == member) return true;
    for (int i = 0; i < role->member_of.count; i++) {
        const Desc *next = catalog_find_id(b->session->catalog, role->member_of.items[i].role);
        if (next && would_cycle(b, (const RoleDesc *)next, member)) return true;
    }
    return false;
}

static Status check_admin(Binder *b, const RoleDesc *role)
{
    if (session_is_admin(b->session, role->base.name)) return ST_OK;
    if (role->superuser) return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "must be superuser to alter superusers");
    return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "must have admin option on role \"%s\"", role->base.name);
}

static void names_of(Binder *b, const AstOption *option, StrVec *names)
{
    *names = (StrVec){0};
    const AstExprVec *items = option ? &((const AstRow *)option->value)->items : NULL;
    for (int i = 0; items && i < items->count; i++) VEC_PUSH(b->arena, *names, ((const AstLiteral *)items->items[i])->text);
}

static Status new_members(Binder *b, UtilityCreate *u, const AstOption *option, bool admin)
{
    StrVec names;
    names_of(b, option, &names);
    for (int i = 0; i < names.count; i++) {
        const RoleDesc *member;
        TRY(find_role(b, names.items[i], &member));
        RoleDesc *after = changed_copy(b, member);
        RoleMembership membership = {.grantor = self_of(b)->base.id, .admin = admin};
        VEC_PUSH(b->arena, after->member_of, membership);
        VEC_PUSH(b->arena, u->changes, (DescChange){&member->base, &after->base});
    }
    return ST_OK;
}

static Status draft_role(Binder *b, const AstCreateRole *ast, Plan **out)
{
    const RoleDesc *self = self_of(b);
    RoleOptions found;
    RoleDesc *draft = ARENA_NEW(b->arena, RoleDesc);
    draft->base = (Desc){.kind = DESC_ROLE, .name = ast->name, .owner = b->session->user};
    draft->login = ast->user;
    TRY(role_options(b, ast, draft, &found));
    if (strncmp(ast->name, "pg_", 3) == 0 || strcmp(ast->name, "public") == 0 || strcmp(ast->name, "none") == 0) {
        (void)ddl_fail(b, 0, ERR_RESERVED_NAME, "role name \"%s\" is reserved", ast->name);
        if (*ast->name == 'p' && ast->name[1] == 'g') b->err->detail = "Role names starting with \"pg_\" are reserved.";
        return ST_ERROR;
    }
    if (draft->superuser && !self->superuser)
        return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "must be superuser to create superusers");
    if (draft->replication && !self->superuser)
        return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "must be superuser to create replication users");
    if (draft->bypass_rls && !self->superuser)
        return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "must be superuser to create bypassrls users");
    if (!self->superuser && !self->create_role)
        return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "permission denied to create role");
    UtilityCreate *u = bind_utility(b, UTILITY_CREATE_ROLE, "CREATE ROLE", sizeof *u);
    u->draft = &draft->base;
    u->password = found.password;
    u->notices = found.notices;
    StrVec in;
    names_of(b, found.in_role, &in);
    for (int i = 0; i < in.count; i++) {
        const RoleDesc *role;
        TRY(find_role(b, in.items[i], &role));
        TRY(check_admin(b, role));
        RoleMembership membership = {.role = role->base.id, .grantor = self->base.id};
        VEC_PUSH(b->arena, draft->member_of, membership);
    }
    TRY(new_members(b, u, found.members, false));
    TRY(new_members(b, u, found.admins, true));
    *out = &u->base.base;
    return ST_OK;
}

/* Everybody may change their own password; the rest is for CREATEROLE, and superusers are for superusers. */
static Status check_alter(Binder *b, const RoleDesc *role, const RoleOptions *found)
{
    const RoleDesc *self = self_of(b);
    if (self->superuser) return ST_OK;
    if (role->superuser || found->super_attributes) {
        const char *what = role->superuser ? "must be superuser to alter superuser roles or change superuser attribute"
                                           : "must be superuser to change replication or bypassrls attributes";
        return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "%s", what);
    }
    if (self->create_role || (role == self && !found->attributes)) return ST_OK;
    return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "permission denied");
}

static Status alter_role(Binder *b, const AstCreateRole *ast, Plan **out)
{
    const RoleDesc *existing;
    RoleOptions found;
    TRY(find_role(b, ast->name, &existing));
    RoleDesc *after = arena_copy(b->arena, existing, sizeof *existing);
    TRY(role_options(b, ast, after, &found));
    TRY(check_alter(b, existing, &found));
    UtilityChange *u = bind_utility(b, UTILITY_ALTER_OTHER, "ALTER ROLE", sizeof *u);
    VEC_PUSH(b->arena, u->changes, (DescChange){&existing->base, &after->base});
    u->password = found.password;
    u->notices = found.notices;
    *out = &u->base.base;
    return ST_OK;
}

Status bind_create_role(Binder *b, const AstCreateRole *ast, Plan **out)
{
    if (ast->base.kind == AST_ALTER_ROLE) return alter_role(b, ast, out);
    if (!catalog_find_role(b->session->catalog, ast->name)) return draft_role(b, ast, out);
    if (!ast->if_not_exists) return ddl_fail(b, 0, ERR_DUPLICATE_OBJECT, "role \"%s\" already exists", ast->name);
    return ddl_skip(b, "CREATE ROLE", ERR_DUPLICATE_OBJECT, out, "role \"%s\" already exists, skipping", ast->name);
}

/* ---- GRANT role TO role ---- */

static Status grant_one(Binder *b, const AstGrant *ast, const RoleDesc *role, RoleDesc *after, NoticeVec *notices)
{
    int at = membership_in(after, role->base.id);
    RoleMembership membership = {role->base.id, self_of(b)->base.id, ast->grant_option};
    if (would_cycle(b, role, after->base.id))
        return ddl_fail(b, 0, ERR_INVALID_GRANT_OPERATION, "role \"%s\" is a member of role \"%s\"", role->base.name, after->base.name);
    if (at < 0)
        VEC_PUSH(b->arena, after->member_of, membership);
    else if (ast->grant_option && !after->member_of.items[at].admin)
        after->member_of.items[at].admin = true;
    else
        ddl_notice(b, notices, ERR_SUCCESSFUL_COMPLETION, "role \"%s\" is already a member of role \"%s\"", after->base.name, role->base.name);
    return ST_OK;
}

static void revoke_one(Binder *b, const AstGrant *ast, const RoleDesc *role, RoleDesc *after, NoticeVec *notices)
{
    int at = membership_in(after, role->base.id);
    if (at < 0)
        ddl_notice(b, notices, ERR_WARNING, "role \"%s\" is not a member of role \"%s\"", after->base.name, role->base.name);
    else if (ast->grant_option)
        after->member_of.items[at].admin = false;
    else {
        after->member_of.count--;
        for (int i = at; i < after->member_of.count; i++) after->member_of.items[i] = after->member_of.items[i + 1];
    }
}

Status bind_grant_roles(Binder *b, const AstGrant *ast, Plan **out)
{
    TRY(ddl_check_grantor(b, ast));
    bool grant = ast->base.kind == AST_GRANT;
    UtilityChange *u = bind_utility(b, UTILITY_ALTER_OTHER, grant ? "GRANT ROLE" : "REVOKE ROLE", sizeof *u);
    for (int m = 0; m < ast->grantees.count; m++) {
        const RoleDesc *member;
        TRY(find_role(b, ast->grantees.items[m], &member));
        RoleDesc *after = changed_copy(b, member);
        for (int i = 0; i < ast->privileges.count; i++) {
            const RoleDesc *role;
            TRY(find_role(b, ast->privileges.items[i].name, &role));
            TRY(check_admin(b, role));
            if (grant) TRY(grant_one(b, ast, role, after, &u->notices));
            else revoke_one(b, ast, role, after, &u->notices);
        }
        VEC_PUSH(b->arena, u->changes, (DescChange){&member->base, &after->base});
    }
    *out = &u->base.base;
    return ST_OK;
}
