/* bind_ddl_owner.c - ownership: checks, ALTER ... OWNER TO, REASSIGN OWNED, what stands in the way of DROP ROLE. */
#include "planner/bind/bind_ddl_owner.h"

#include <stdlib.h>

/* ---- checks ---- */

Status ddl_check_owner(Binder *b, const Desc *desc)
{
    if (privilege_owns(b->session, b->session->user, desc)) return ST_OK;
    const char *name = desc->kind == DESC_TYPE ? ddl_shown_name(b, desc) : desc->name;
    return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "must be owner of %s %s", privilege_kind_word(desc), name);
}

Status ddl_check_index_owner(Binder *b, const TableDesc *table, const IndexDesc *index)
{
    if (privilege_owns(b->session, b->session->user, &table->base)) return ST_OK;
    return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "must be owner of index %s", index->name);
}

Status ddl_check_move(Binder *b, DescId from, DescId to)
{
    const Session *session = b->session;
    bool temporary = ddl_is_temporary(b, from) || ddl_is_temporary(b, to) || session_is_other_temp(session, from) ||
                     session_is_other_temp(session, to);
    return temporary ? ddl_fail(b, 0, ERR_FEATURE_NOT_SUPPORTED, "cannot move objects into or out of temporary schemas") : ST_OK;
}

Status ddl_check_drop(Binder *b, const Desc *desc)
{
    const Desc *schema = desc->parent_schema ? catalog_find_id(b->session->catalog, desc->parent_schema) : NULL;
    if (schema && privilege_owns(b->session, b->session->user, schema)) return ST_OK;
    return ddl_check_owner(b, desc);
}

Status ddl_check_new_owner(Binder *b, const char *role)
{
    if (!privilege_role_id(b->session, role)) return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "role \"%s\" does not exist", role);
    if (session_is_superuser(b->session) || session_is_member(b->session, b->session->user, role)) return ST_OK;
    return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "must be member of role \"%s\"", role);
}

/* ---- OWNER TO ---- */

/* The new owner must be able to make such an object there. */
static Status check_place(Binder *b, const Desc *desc, const char *role)
{
    const CatalogView *view = b->session->catalog;
    if (desc->kind == DESC_DATABASE) {
        const RoleDesc *self = (const RoleDesc *)catalog_find_role(view, b->session->user);
        if (self && self->create_db) return ST_OK;
        return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "permission denied to change owner of database");
    }
    const Desc *place = catalog_find_id(view, desc->kind == DESC_SCHEMA ? desc->parent_database : desc->parent_schema);
    const char *who = desc->kind == DESC_SCHEMA ? b->session->user : role;
    if (!place || (privileges_held(b->session, who, place) & ACL_CREATE)) return ST_OK;
    return privilege_denied(place, b->arena, b->err);
}

static void hand_over(Binder *b, Desc *desc, const char *role)
{
    int count;
    ColumnDesc *columns = ddl_columns(desc, &count);
    DescId from = privilege_role_id(b->session, desc->owner), to = privilege_role_id(b->session, role);
    for (int i = 0; i < count; i++) {
        columns[i].acl = acl_copy(&columns[i].acl, b->arena);
        acl_change_owner(&columns[i].acl, from, to);
    }
    desc->acl = acl_copy(&desc->acl, b->arena);
    acl_change_owner(&desc->acl, from, to);
    desc->owner = role;
}

Status ddl_change_owner(Binder *b, const Desc *before, Desc *after, const char *role)
{
    role = ddl_role_name(b, role);
    if (!privilege_role_id(b->session, role)) return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "role \"%s\" does not exist", role);
    if (strcmp(before->owner, role) == 0) return ST_OK;
    TRY(ddl_check_owner(b, before));
    TRY(ddl_check_new_owner(b, role));
    if (!session_is_superuser(b->session)) TRY(check_place(b, before, role));
    hand_over(b, after, role);
    return ST_OK;
}

/* ---- all objects ---- */

static int by_id(const void *a, const void *b)
{
    DescId x = (*(const Desc *const *)a)->id, y = (*(const Desc *const *)b)->id;
    return (x > y) - (x < y);
}

void ddl_list_objects(Binder *b, DescId database, DescVec *list)
{
    static const DescKind kinds[] = {DESC_DATABASE, DESC_SCHEMA, DESC_TABLE, DESC_VIEW, DESC_SEQUENCE, DESC_TYPE};
    *list = (DescVec){0};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const Desc **some;
        int count = catalog_list(b->session->catalog, kinds[k], kinds[k] == DESC_DATABASE ? 0 : database, 0, &some, b->arena);
        for (int i = 0; i < count; i++)
            if (!database || kinds[k] != DESC_DATABASE || some[i]->id == database) VEC_PUSH(b->arena, *list, some[i]);
    }
    if (list->count) qsort(list->items, (size_t)list->count, sizeof list->items[0], by_id);
}

void ddl_rename_owner(Binder *b, UtilityChange *utility, const char *old_name, const char *new_name)
{
    DescVec list;
    const Desc **roles;
    ddl_list_objects(b, 0, &list);
    int count = catalog_list(b->session->catalog, DESC_ROLE, 0, 0, &roles, b->arena);
    for (int i = 0; i < count; i++)
        if (strcmp(roles[i]->name, old_name) != 0) VEC_PUSH(b->arena, list, roles[i]);
    for (int i = 0; i < list.count; i++) {
        if (strcmp(list.items[i]->owner, old_name) != 0) continue;
        Desc *after = ddl_desc_copy(b, list.items[i]);
        after->owner = new_name;
        VEC_PUSH(b->arena, utility->changes, (DescChange){list.items[i], after});
    }
}

/* ---- DROP ROLE ---- */

typedef struct RoleUses {
    Binder *b;
    const RoleDesc *role;
    StrVec lines;
} RoleUses;

static const char *object_text(Binder *b, const Desc *desc)
{
    return arena_printf(b->arena, "%s %s", privilege_kind_word(desc), ddl_shown_name(b, desc));
}

static void note_uses_of(RoleUses *uses, const Desc *desc)
{
    int count;
    Binder *b = uses->b;
    const ColumnDesc *columns = privilege_columns(desc, &count);
    const char *text = object_text(b, desc);
    bool owner = strcmp(desc->owner, uses->role->base.name) == 0;
    if (owner) VEC_PUSH(b->arena, uses->lines, arena_printf(b->arena, "owner of %s", text));
    if (!owner && acl_names_role(&desc->acl, uses->role->base.id))
        VEC_PUSH(b->arena, uses->lines, arena_printf(b->arena, "privileges for %s", text));
    for (int i = 0; i < count && !owner; i++)
        if (acl_names_role(&columns[i].acl, uses->role->base.id))
            VEC_PUSH(b->arena, uses->lines, arena_printf(b->arena, "privileges for column %s of %s", columns[i].name, text));
}

static const char *default_text(Binder *b, const RoleDesc *role, const DefaultAcl *given)
{
    const char *what = given->kind == DESC_TABLE ? "relations" : given->kind == DESC_SEQUENCE ? "sequences"
                       : given->kind == DESC_TYPE ? "types" : "schemas";
    const char *schema = given->schema ? session_schema_name(b->session, given->schema) : NULL;
    return arena_printf(b->arena, "default privileges on new %s belonging to role %s%s%s", what, role->base.name,
                        schema ? " in schema " : "", schema ? schema : "");
}

static void note_defaults(RoleUses *uses)
{
    Binder *b = uses->b;
    const Desc **roles;
    int count = catalog_list(b->session->catalog, DESC_ROLE, 0, 0, &roles, b->arena);
    for (int r = 0; r < count; r++) {
        const RoleDesc *role = (const RoleDesc *)roles[r];
        for (int i = 0; i < role->default_acls.count; i++) {
            const DefaultAcl *given = &role->default_acls.items[i];
            const char *how = role == uses->role ? "owner of" : acl_names_role(&given->acl, uses->role->base.id) ? "privileges for" : NULL;
            if (how) VEC_PUSH(b->arena, uses->lines, arena_printf(b->arena, "%s %s", how, default_text(b, role, given)));
        }
    }
}

/* Objects in other databases are only counted, as in PostgreSQL. */
static void note_other_databases(RoleUses *uses)
{
    Binder *b = uses->b;
    const Desc **databases;
    int count = catalog_list(b->session->catalog, DESC_DATABASE, 0, 0, &databases, b->arena);
    for (int d = 0; d < count; d++) {
        if (databases[d]->id == b->session->database_id) continue;
        DescVec list;
        RoleUses elsewhere = {b, uses->role, {0}};
        ddl_list_objects(b, databases[d]->id, &list);
        for (int i = 0; i < list.count; i++)
            if (list.items[i]->kind != DESC_DATABASE) note_uses_of(&elsewhere, list.items[i]);
        int n = elsewhere.lines.count;
        if (n)
            VEC_PUSH(b->arena, uses->lines,
                     arena_printf(b->arena, n == 1 ? "%d object in database %s" : "%d objects in database %s", n, databases[d]->name));
    }
}

Status ddl_check_role_unused(Binder *b, const RoleDesc *role)
{
    DescVec list;
    RoleUses uses = {b, role, {0}};
    ddl_list_objects(b, 0, &list);
    note_defaults(&uses);
    for (int i = 0; i < list.count; i++)
        if (list.items[i]->kind == DESC_DATABASE || list.items[i]->parent_database == b->session->database_id)
            note_uses_of(&uses, list.items[i]);
    note_other_databases(&uses);
    if (uses.lines.count == 0) return ST_OK;
    ddl_fail(b, 0, ERR_DEPENDENT_OBJECTS_STILL_EXIST, "role \"%s\" cannot be dropped because some objects depend on it", role->base.name);
    const char *detail = uses.lines.items[0];
    for (int i = 1; i < uses.lines.count; i++) detail = arena_printf(b->arena, "%s\n%s", detail, uses.lines.items[i]);
    b->err->detail = detail;
    return ST_ERROR;
}

/* ---- REASSIGN OWNED ---- */

static Status check_reassign(Binder *b, const char *role)
{
    if (!catalog_find_role(b->session->catalog, role)) return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "role \"%s\" does not exist", role);
    if (session_has_role(b->session, role)) return ST_OK;
    return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "permission denied to reassign objects");
}

static bool is_among(Binder *b, const StrVec *roles, const char *owner)
{
    for (int i = 0; i < roles->count; i++)
        if (strcmp(ddl_role_name(b, roles->items[i]), owner) == 0) return true;
    return false;
}

Status bind_reassign_owned(Binder *b, const AstOwned *ast, Plan **out)
{
    const char *to = ddl_role_name(b, ast->new_owner);
    UtilityChange *utility = bind_utility(b, UTILITY_GRANT, "REASSIGN OWNED", sizeof *utility);
    for (int i = 0; i < ast->roles.count; i++) TRY(check_reassign(b, ddl_role_name(b, ast->roles.items[i])));
    TRY(check_reassign(b, to));
    DescVec list;
    ddl_list_objects(b, 0, &list);
    for (int i = 0; i < list.count; i++) {
        const Desc *desc = list.items[i];
        bool here = desc->kind == DESC_DATABASE || desc->parent_database == b->session->database_id;
        if (!here || !is_among(b, &ast->roles, desc->owner)) continue;
        Desc *after = ddl_desc_copy(b, desc);
        hand_over(b, after, to);
        VEC_PUSH(b->arena, utility->changes, (DescChange){desc, after});
    }
    *out = &utility->base.base;
    return ST_OK;
}
