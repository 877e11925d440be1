/* bind_ddl_grant.c - GRANT and REVOKE on objects and columns. */
#include <strings.h>

#include "planner/bind/bind_ddl_owner.h"

/* ---- what is asked for ---- */

/* 0: no privilege is called so. */
static uint32_t privilege_bit(const char *word)
{
    if (strcasecmp(word, "temp") == 0) return ACL_TEMPORARY;
    for (int bit = 0; bit < ACL_COUNT; bit++)
        if (strcasecmp(word, acl_word(bit)) == 0) return 1u << bit;
    return 0;
}

static Status invalid_privilege(Binder *b, uint32_t bits, const char *what)
{
    int bit = 0;
    while (!(bits & (1u << bit))) bit++;
    return ddl_fail(b, 0, ERR_INVALID_GRANT_OPERATION, "invalid privilege type %s for %s", acl_word(bit), what);
}

Status ddl_privileges(Binder *b, const AstGrant *ast, const GrantClass *class, GrantWanted *wanted)
{
    *wanted = (GrantWanted){0};
    for (int i = 0; i < ast->privileges.count; i++) {
        const AstPrivilege *privilege = &ast->privileges.items[i];
        bool all = strcmp(privilege->name, "all") == 0;
        uint32_t bit = all ? ACL_OF_COLUMNS : privilege_bit(privilege->name);
        if (!bit) return ddl_fail(b, 0, ERR_SYNTAX_ERROR, "unrecognized privilege type \"%s\"", privilege->name);
        if (privilege->columns.count == 0) {
            if (!all && (bit & ~class->allowed)) return invalid_privilege(b, bit, class->word);
            wanted->all |= all;
            wanted->privileges |= all ? class->allowed : bit;
            continue;
        }
        if (class->kind != DESC_TABLE)
            return ddl_fail(b, 0, ERR_INVALID_GRANT_OPERATION, "column privileges are only valid for relations");
        if (bit & ~ACL_OF_COLUMNS) return invalid_privilege(b, bit, "column");
        VEC_PUSH(b->arena, wanted->columns, ((GrantColumns){bit, all, &privilege->columns}));
    }
    return ST_OK;
}

Status ddl_grant_class(Binder *b, const AstGrant *ast, GrantClass *class)
{
    switch ((int)ast->object) {
    case AST_OBJECT_TABLE:
        *class = (GrantClass){DESC_TABLE, acl_all(DESC_TABLE) | acl_all(DESC_SEQUENCE), "relation"};
        return ST_OK;
    case AST_OBJECT_SEQUENCE: *class = (GrantClass){DESC_SEQUENCE, acl_all(DESC_SEQUENCE), "sequence"}; return ST_OK;
    case AST_OBJECT_DATABASE: *class = (GrantClass){DESC_DATABASE, acl_all(DESC_DATABASE), "database"}; return ST_OK;
    case AST_OBJECT_SCHEMA: *class = (GrantClass){DESC_SCHEMA, acl_all(DESC_SCHEMA), "schema"}; return ST_OK;
    case AST_OBJECT_TYPE: *class = (GrantClass){DESC_TYPE, acl_all(DESC_TYPE), "type"}; return ST_OK;
    case AST_OBJECT_DOMAIN: *class = (GrantClass){DESC_TYPE, acl_all(DESC_TYPE), "domain"}; return ST_OK;
    }
    const char *words = arena_printf(b->arena, "GRANT and REVOKE ON %s", ast_object_words(ast->object));
    return ddl_unsupported(b, ast->base.position, words);
}

Status ddl_grantees(Binder *b, const AstGrant *ast, GranteeVec *grantees)
{
    bool grant = ast->base.kind == AST_GRANT;
    for (int i = 0; i < ast->grantees.count; i++) {
        const char *name = ddl_role_name(b, ast->grantees.items[i]);
        DescId id = DESC_ID_NONE;
        if (strcmp(name, "public") != 0) {
            id = privilege_role_id(b->session, name);
            if (!id) return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "role \"%s\" does not exist", name);
        } else if (grant && ast->grant_option) {
            return ddl_fail(b, 0, ERR_INVALID_GRANT_OPERATION, "grant options can only be granted to roles");
        }
        VEC_PUSH(b->arena, *grantees, id);
    }
    return ST_OK;
}

Status ddl_merge_grant(Binder *b, const AstGrant *ast, const GranteeVec *grantees, const GrantMerge *merge, AclVec *acl)
{
    bool grant = ast->base.kind == AST_GRANT;
    for (int i = 0; i < grantees->count; i++) {
        DescId grantee = grantees->items[i];
        AclItem item = {grantee, merge->grantor, merge->privileges, ast->grant_option ? merge->privileges : 0};
        AclRevoke revoke = {grantee, merge->grantor, merge->privileges, ast->grant_option, ast->behavior == AST_DROP_CASCADE};
        if (grant && !acl_grant(acl, item, merge->owner, b->arena))
            return ddl_fail(b, 0, ERR_INVALID_GRANT_OPERATION, "grant options cannot be granted back to your own grantor");
        if (!grant && !acl_revoke(acl, revoke, merge->owner)) {
            ddl_fail(b, 0, ERR_DEPENDENT_OBJECTS_STILL_EXIST, "dependent privileges exist");
            err_hint(b->err, b->arena, "Use CASCADE to revoke them too.");
            return ST_ERROR;
        }
    }
    return ST_OK;
}

/* ---- one object ---- */

typedef struct Grant {
    Binder *b;
    const AstGrant *ast;
    GrantClass class;
    GrantWanted wanted;
    GranteeVec grantees;
    UtilityChange *utility;
} Grant;

/* What of the privileges the user can grant, told of where it is not all of them. */
static uint32_t grantable_part(Grant *g, uint32_t wanted, uint32_t options, bool all, const char *shown)
{
    uint32_t part = wanted & options;
    bool grant = g->ast->base.kind == AST_GRANT;
    if (part && (all || part == wanted)) return part;
    const char *how = part ? "not all" : "no", *what = grant ? "were granted" : "could be revoked";
    ddl_notice(g->b, &g->utility->notices, grant ? ERR_PRIVILEGE_NOT_GRANTED : ERR_PRIVILEGE_NOT_REVOKED,
               "%s privileges %s for %s", how, what, shown);
    return part;
}

/* Whoever has nothing at all on the object does not learn more of it. */
static Status check_any(Grant *g, const Desc *desc, uint32_t options)
{
    Binder *b = g->b;
    if (options || privileges_held(b->session, b->session->user, desc)) return ST_OK;
    const char *word = g->class.kind == DESC_TABLE ? "table" : privilege_kind_word(desc);
    return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "permission denied for %s %s", word, desc->name);
}

static Status grant_on_object(Grant *g, const Desc *before, Desc *after, uint32_t wanted)
{
    Binder *b = g->b;
    DescId owner = privilege_role_id(b->session, after->owner), grantor;
    AclVec acl = acl_of(after, owner, b->arena);
    uint32_t options = privileges_grantable(b->session, b->session->user, before, &acl, wanted, &grantor);
    TRY(check_any(g, before, options));
    uint32_t part = grantable_part(g, wanted, options, g->wanted.all, arena_printf(b->arena, "\"%s\"", before->name));
    if (!part) return ST_OK;
    after->acl_given = true;
    after->acl = acl;
    return ddl_merge_grant(b, g->ast, &g->grantees, &(GrantMerge){grantor, owner, part}, &after->acl);
}

/* ---- columns ---- */

static AclVec joined(Binder *b, const AclVec *first, const AclVec *second)
{
    AclVec acl = acl_copy(first, b->arena);
    for (int i = 0; i < second->count; i++) VEC_PUSH(b->arena, acl, second->items[i]);
    return acl;
}

static Status grant_on_column(Grant *g, const Desc *before, ColumnDesc *column, uint32_t wanted, bool all)
{
    Binder *b = g->b;
    DescId owner = privilege_role_id(b->session, before->owner), grantor;
    AclVec of_table = acl_of(before, owner, b->arena), both = joined(b, &of_table, &column->acl);
    uint32_t options = privileges_grantable(b->session, b->session->user, before, &both, wanted, &grantor);
    uint32_t held = privileges_held(b->session, b->session->user, before) |
                    privileges_of_column(b->session, b->session->user, before, column->id);
    if (!options && !held)
        return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "permission denied for column \"%s\" of relation \"%s\"",
                        column->name, before->name);
    const char *shown = arena_printf(b->arena, "column \"%s\" of relation \"%s\"", column->name, before->name);
    uint32_t part = grantable_part(g, wanted, options, all, shown);
    if (!part) return ST_OK;
    column->acl = acl_copy(&column->acl, b->arena);
    return ddl_merge_grant(b, g->ast, &g->grantees, &(GrantMerge){grantor, owner, part}, &column->acl);
}

static Status grant_on_columns(Grant *g, const Desc *before, Desc *after)
{
    int count;
    ColumnDesc *columns = ddl_columns(after, &count);
    for (int i = 0; i < g->wanted.columns.count; i++) {
        const GrantColumns *given = &g->wanted.columns.items[i];
        for (int n = 0; n < given->names->count; n++) {
            const char *name = given->names->items[n];
            int at = 0;
            while (at < count && (strcmp(columns[at].name, name) != 0 || columns[at].hidden)) at++;
            if (at == count)
                return ddl_fail(g->b, 0, ERR_UNDEFINED_COLUMN, "column \"%s\" of relation \"%s\" does not exist", name, before->name);
            TRY(grant_on_column(g, before, &columns[at], given->privileges, given->all));
        }
    }
    return ST_OK;
}

/* What is revoked on a table is revoked on its columns too. */
static Status revoke_on_all_columns(Grant *g, const Desc *before, Desc *after)
{
    int count;
    ColumnDesc *columns = ddl_columns(after, &count);
    for (int i = 0; i < count; i++)
        if (columns[i].acl.count) TRY(grant_on_column(g, before, &columns[i], g->wanted.privileges & ACL_OF_COLUMNS, true));
    return ST_OK;
}

/* ---- the object's descriptor ---- */

static Desc *changed(Grant *g, const Desc *before)
{
    for (int i = 0; i < g->utility->changes.count; i++)
        if (g->utility->changes.items[i].before == before) return g->utility->changes.items[i].after;
    Desc *after = ddl_desc_copy(g->b, before);
    VEC_PUSH(g->b->arena, g->utility->changes, (DescChange){before, after});
    return after;
}

static Status grant_on(Grant *g, const Desc *before)
{
    Desc *after = changed(g, before);
    uint32_t wanted = g->wanted.privileges;
    if (g->class.kind == DESC_TABLE && before->kind == DESC_SEQUENCE) {
        if (!g->wanted.all && (wanted & ~acl_all(DESC_SEQUENCE)))
            ddl_notice(g->b, &g->utility->notices, ERR_INVALID_GRANT_OPERATION,
                       "sequence \"%s\" only supports USAGE, SELECT, and UPDATE privileges", before->name);
        wanted &= acl_all(DESC_SEQUENCE);
    } else if (g->class.kind == DESC_TABLE) {
        if (!g->wanted.all && (wanted & ACL_USAGE)) return invalid_privilege(g->b, ACL_USAGE, "table");
        wanted &= acl_all(DESC_TABLE);
    }
    if (wanted) TRY(grant_on_object(g, before, after, wanted));
    if (g->ast->base.kind == AST_REVOKE && wanted) TRY(revoke_on_all_columns(g, before, after));
    return g->wanted.columns.count ? grant_on_columns(g, before, after) : ST_OK;
}

/* ---- finding objects ---- */

static Status find_relation(Grant *g, const AstName *name, const Desc **desc)
{
    BoundName found;
    TRY(ddl_find_relation(g->b, name, true, &found));
    if (found.system) return ddl_unsupported(g->b, g->ast->base.position, "GRANT and REVOKE on a system catalog");
    if (g->class.kind == DESC_SEQUENCE && found.desc->kind != DESC_SEQUENCE)
        return ddl_fail(g->b, 0, ERR_WRONG_OBJECT_TYPE, "\"%s\" is not a sequence", name->name);
    *desc = found.desc;
    return ST_OK;
}

static Status find_object(Grant *g, const AstName *name, const Desc **desc)
{
    Binder *b = g->b;
    const CatalogView *view = b->session->catalog;
    if (g->class.kind == DESC_DATABASE) {
        *desc = catalog_find_database(view, name->name);
        return *desc ? ST_OK : ddl_fail(b, 0, ERR_INVALID_CATALOG_NAME, "database \"%s\" does not exist", name->name);
    }
    if (g->class.kind == DESC_SCHEMA) {
        *desc = catalog_find_schema(view, b->session->database_id, name->name);
        if (*desc) return ST_OK;
        if (session_find_schema(b->session, name->name))
            return ddl_unsupported(b, g->ast->base.position, "GRANT and REVOKE on a built-in schema");
        return ddl_fail(b, 0, ERR_INVALID_SCHEMA_NAME, "schema \"%s\" does not exist", name->name);
    }
    if (g->class.kind != DESC_TYPE) return find_relation(g, name, desc);
    *desc = session_find_type(b->session, name->schema, name->name, b->arena);
    if (!*desc) return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "type \"%s\" does not exist", bind_qualified_text(b, name));
    if (g->ast->object == AST_OBJECT_DOMAIN)
        return ddl_fail(b, 0, ERR_WRONG_OBJECT_TYPE, "\"%s\" is not a domain", name->name);
    return ST_OK;
}

static Status grant_in_schema(Grant *g, const char *schema)
{
    static const DescKind relations[] = {DESC_TABLE, DESC_VIEW};
    Binder *b = g->b;
    DescId id = session_find_schema(b->session, schema);
    if (!id) return ddl_fail(b, 0, ERR_INVALID_SCHEMA_NAME, "schema \"%s\" does not exist", schema);
    TRY(privilege_check_schema(b->session, id, ACL_USAGE, b->arena, b->err));
    int kinds = g->class.kind == DESC_TABLE ? 2 : 1;
    for (int k = 0; k < kinds; k++) {
        const Desc **list;
        DescKind kind = g->class.kind == DESC_TABLE ? relations[k] : g->class.kind;
        int count = catalog_list(b->session->catalog, kind, b->session->database_id, id, &list, b->arena);
        for (int i = 0; i < count; i++) TRY(grant_on(g, list[i]));
    }
    return ST_OK;
}

Status ddl_check_grantor(Binder *b, const AstGrant *ast)
{
    if (!ast->granted_by || strcmp(ddl_role_name(b, ast->granted_by), b->session->user) == 0) return ST_OK;
    const char *name = ddl_role_name(b, ast->granted_by);
    if (!catalog_find_role(b->session->catalog, name))
        return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "role \"%s\" does not exist", name);
    return ddl_fail(b, 0, ERR_FEATURE_NOT_SUPPORTED, "grantor must be current user");
}

static Status bind_grant(Binder *b, const AstGrant *ast, Plan **out)
{
    if (ast->of_roles) return bind_grant_roles(b, ast, out);
    Grant g = {.b = b, .ast = ast};
    g.utility = bind_utility(b, UTILITY_GRANT, ast_stmt_tag(&ast->base), sizeof *g.utility);
    TRY(ddl_grant_class(b, ast, &g.class));
    TRY(ddl_check_grantor(b, ast));
    TRY(ddl_privileges(b, ast, &g.class, &g.wanted));
    TRY(ddl_grantees(b, ast, &g.grantees));
    for (int i = 0; i < ast->names.count; i++) {
        const Desc *desc = NULL;
        if (ast->all_in_schema) {
            TRY(grant_in_schema(&g, ast->names.items[i].name));
            continue;
        }
        TRY(find_object(&g, &ast->names.items[i], &desc));
        TRY(grant_on(&g, desc));
    }
    *out = &g.utility->base.base;
    return ST_OK;
}

Status bind_privileges(Binder *b, const AstStmt *stmt, Plan **out)
{
    if (stmt->kind == AST_GRANT || stmt->kind == AST_REVOKE) return bind_grant(b, (const AstGrant *)stmt, out);
    if (stmt->kind == AST_ALTER_DEFAULT_PRIVILEGES) return bind_default_privileges(b, (const AstDefaultPrivileges *)stmt, out);
    const AstOwned *owned = (const AstOwned *)stmt;
    return owned->new_owner ? bind_reassign_owned(b, owned, out) : bind_drop_owned(b, owned, out);
}
