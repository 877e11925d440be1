#include "planner/privilege.h"

#include <strings.h>

/* ---- roles ---- */

static const RoleDesc *role_named(const Session *session, const char *name)
{
    return (const RoleDesc *)catalog_find_role(session->catalog, name);
}

DescId privilege_role_id(const Session *session, const char *role)
{
    const RoleDesc *desc = role_named(session, role);
    if (desc) return desc->base.id;
    return strcmp(role, ROLE_DATABASE_OWNER) == 0 ? OID_ROLE_DATABASE_OWNER : DESC_ID_NONE;
}

const char *privilege_role_name(const Session *session, DescId role, Arena *arena)
{
    const Desc *desc = catalog_find_id(session->catalog, role);
    if (role == DESC_ID_NONE) return "";
    if (desc && desc->kind == DESC_ROLE) return desc->name;
    return role == OID_ROLE_DATABASE_OWNER ? ROLE_DATABASE_OWNER : arena_printf(arena, "%u", role);
}

bool privilege_is_superuser(const Session *session, const char *role)
{
    const RoleDesc *desc = role_named(session, role);
    return desc && desc->superuser;
}

/* Who owns the database is what pg_database_owner stands for. */
static DescId settle(const Session *session, DescId role)
{
    if (role != OID_ROLE_DATABASE_OWNER) return role;
    const Desc *database = catalog_find_id(session->catalog, session->database_id);
    return database ? privilege_role_id(session, database->owner) : DESC_ID_NONE;
}

static bool has_role(const Session *session, const char *role, DescId wanted)
{
    return wanted == DESC_ID_NONE || session_inherits(session, role, settle(session, wanted));
}

bool privilege_owns(const Session *session, const char *role, const Desc *desc)
{
    DescId owner = settle(session, privilege_role_id(session, desc->owner));
    if (strcmp(role, desc->owner) == 0 || privilege_is_superuser(session, role)) return true;
    return owner != DESC_ID_NONE && session_inherits(session, role, owner);
}

/* ---- what is held ---- */

static uint32_t held_by_list(const Session *session, const char *role, const AclVec *acl)
{
    uint32_t held = 0;
    for (int i = 0; i < acl->count; i++) {
        const AclItem *item = &acl->items[i];
        if ((item->privileges & ~held) && has_role(session, role, item->grantee)) held |= item->privileges;
    }
    return held;
}

uint32_t privileges_held(const Session *session, const char *role, const Desc *desc)
{
    if (privilege_is_superuser(session, role)) return acl_all(desc->kind);
    if (desc->acl_given) return held_by_list(session, role, &desc->acl);
    if (strcmp(role, desc->owner) == 0) return acl_all(desc->kind);
    Arena *scratch = arena_create(NULL, 0);
    AclVec acl = acl_of(desc, privilege_role_id(session, desc->owner), scratch);
    uint32_t held = held_by_list(session, role, &acl);
    arena_destroy(scratch);
    return held;
}

const ColumnDesc *privilege_columns(const Desc *desc, int *count)
{
    *count = 0;
    if (desc->kind == DESC_TABLE) {
        *count = ((const TableDesc *)desc)->columns.count;
        return ((const TableDesc *)desc)->columns.items;
    }
    if (desc->kind != DESC_VIEW) return NULL;
    *count = ((const ViewDesc *)desc)->columns.count;
    return ((const ViewDesc *)desc)->columns.items;
}

uint32_t privileges_of_column(const Session *session, const char *role, const Desc *desc, uint32_t column_id)
{
    int count;
    const ColumnDesc *columns = privilege_columns(desc, &count);
    for (int i = 0; i < count; i++)
        if (columns[i].id == column_id) return held_by_list(session, role, &columns[i].acl);
    return 0;
}

static int bits_in(uint32_t set)
{
    return __builtin_popcount(set);
}

uint32_t privileges_grantable(const Session *session, const char *role, const Desc *desc, const AclVec *acl, uint32_t wanted,
                              DescId *grantor)
{
    *grantor = privilege_role_id(session, desc->owner);
    if (privilege_owns(session, role, desc)) return acl_all(desc->kind);
    uint32_t best = 0;
    *grantor = privilege_role_id(session, role);
    for (int i = 0; i < acl->count; i++) {
        DescId candidate = acl->items[i].grantee;
        if (candidate == DESC_ID_NONE || !has_role(session, role, candidate)) continue;
        uint32_t options = acl_grant_options(acl, candidate);
        if (bits_in(options & wanted) <= bits_in(best & wanted)) continue;
        best = options;
        *grantor = candidate;
    }
    return best;
}

/* ---- checks ---- */

const char *privilege_kind_word(const Desc *desc)
{
    switch (desc->kind) {
    case DESC_DATABASE: return "database";
    case DESC_SCHEMA: return "schema";
    case DESC_TABLE: return ((const TableDesc *)desc)->view_query ? "materialized view" : "table";
    case DESC_VIEW: return ((const ViewDesc *)desc)->materialized ? "materialized view" : "view";
    case DESC_SEQUENCE: return "sequence";
    case DESC_TYPE: return "type";
    case DESC_ROLE: return "role";
    }
    return "object";
}

Status privilege_denied(const Desc *desc, Arena *arena, Error *err)
{
    return err_set(err, arena, ERR_INSUFFICIENT_PRIVILEGE, "permission denied for %s %s", privilege_kind_word(desc), desc->name);
}

Status privilege_check(const Session *session, const Desc *desc, uint32_t wanted, Arena *arena, Error *err)
{
    if ((privileges_held(session, session->user, desc) & wanted) == wanted) return ST_OK;
    return privilege_denied(desc, arena, err);
}

Status privilege_check_owner(const Session *session, const Desc *desc, Arena *arena, Error *err)
{
    if (privilege_owns(session, session->user, desc)) return ST_OK;
    return err_set(err, arena, ERR_INSUFFICIENT_PRIVILEGE, "must be owner of %s %s", privilege_kind_word(desc), desc->name);
}

bool privilege_may_use_schema(const Session *session, DescId schema)
{
    const Desc *desc = schema == session->temp_schema ? NULL : catalog_find_id(session->catalog, schema);
    return !desc || (privileges_held(session, session->user, desc) & ACL_USAGE);
}

Status privilege_check_schema(const Session *session, DescId schema, uint32_t wanted, Arena *arena, Error *err)
{
    const Desc *desc = schema == session->temp_schema ? NULL : catalog_find_id(session->catalog, schema);
    return desc ? privilege_check(session, desc, wanted, arena, err) : ST_OK;
}

bool privilege_is_secret(const SystemRelation *relation)
{
    static const char *const secret[] = {"pg_authid", "pg_shadow", "pg_statistic", "pg_hba_file_rules", "pg_file_settings",
                                         "pg_ident_file_mappings", "pg_largeobject", "pg_subscription",
                                         "pg_user_mapping", "pg_statistic_ext_data", "pg_backend_memory_contexts",
                                         "pg_shmem_allocations", "pg_config", "pg_replication_origin_status"};
    for (size_t i = 0; i < sizeof secret / sizeof secret[0]; i++)
        if (strcmp(relation->name, secret[i]) == 0) return true;
    return false;
}
