/* server_login.c - what is to be known of a role before there is a session. */
#include "executor/stmt_internal.h"
#include "storage/base/clock.h"
#include "storage/catalog/catalog_snapshot.h"

static bool still_valid(const RoleDesc *role, Arena *arena)
{
    Error ignored = {0};
    TypeCtx ctx = {.arena = arena, .err = &ignored, .env = &type_env_default};
    Value until;
    const TypeDef *type = type_find(OID_TIMESTAMPTZ);
    if (!role->valid_until) return true;
    if (type->in(type, &ctx, slice_of(role->valid_until, strlen(role->valid_until)), -1, &until) != ST_OK) return false;
    return until.i > clock_now_us();
}

void server_find_login(Server *server, const char *user, LoginRole *login, Arena *arena)
{
    const CatalogSnapshot *snapshot = catalog_snapshot(server->catalog);
    const RoleDesc *role = (const RoleDesc *)snapshot_find_name(snapshot, NAME_ROLE, 0, user, NULL);
    *login = (LoginRole){.exists = role != NULL};
    if (role && role->password && still_valid(role, arena)) login->password = arena_strdup(arena, role->password);
    catalog_release(snapshot);
}

/* Memberships have no cycles: GRANT refuses to make one. */
static bool is_member(const CatalogSnapshot *snapshot, const RoleDesc *role, DescId wanted)
{
    if (!role) return false;
    if (role->base.id == wanted) return true;
    for (int i = 0; i < role->member_of.count; i++)
        if (is_member(snapshot, (const RoleDesc *)snapshot_find_id(snapshot, role->member_of.items[i].role), wanted)) return true;
    return false;
}

bool server_is_member(Server *server, const char *user, const char *role)
{
    const CatalogSnapshot *snapshot = catalog_snapshot(server->catalog);
    const Desc *member = snapshot_find_name(snapshot, NAME_ROLE, 0, user, NULL);
    const Desc *wanted = snapshot_find_name(snapshot, NAME_ROLE, 0, role, NULL);
    bool answer = member && wanted && is_member(snapshot, (const RoleDesc *)member, wanted->id);
    catalog_release(snapshot);
    return answer;
}
