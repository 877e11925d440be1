/* bind_access.c - which relations and columns a statement reads and writes, and whether its user may.
 *
 * Names are noted where they are found. The answer is part of the plan: a statement may be prepared by who may not run it,
 * as in PostgreSQL, and a plan is made again when grants, roles or the current user change.
 */
#include "planner/bind/scope.h"
#include "planner/privilege.h"

Access *bind_access(Binder *binder, const Desc *desc, uint32_t wanted)
{
    Access *access = ARENA_NEW(binder->arena, Access);
    access->desc = desc;
    access->role = binder->acting;
    access->wanted = wanted;
    if (!binder->trusted) VEC_PUSH(binder->arena, binder->accesses, access);
    return access;
}

static void add_column(Binder *binder, IntVec *columns, uint32_t column_id)
{
    for (int i = 0; i < columns->count; i++)
        if ((uint32_t)columns->items[i] == column_id) return;
    VEC_PUSH(binder->arena, *columns, (int)column_id);
}

void bind_access_column(Binder *binder, Access *access, uint32_t privilege, uint32_t column_id)
{
    access->wanted |= privilege;
    if (privilege == ACL_SELECT) add_column(binder, &access->selected, column_id);
    if (privilege == ACL_INSERT) add_column(binder, &access->inserted, column_id);
    if (privilege == ACL_UPDATE) add_column(binder, &access->updated, column_id);
}

/* A join's columns are those of the relations in it. A view comes before what it is made of, whose columns it may pass on. */
static Access *access_of_column(const Binder *binder, ColId id, uint32_t *column_id)
{
    for (int i = 0; i < binder->accesses.count; i++) {
        Access *access = binder->accesses.items[i];
        for (int c = 0; c < access->column_count; c++) {
            if (access->columns[c].id != id) continue;
            *column_id = access->columns[c].column_id;
            return access;
        }
    }
    return NULL;
}

void bind_note_read(Binder *binder, const ScopeItem *item, const RelColumn *column)
{
    uint32_t column_id = column->column_id;
    Access *access = item ? item->access : NULL;
    if (!access && (!item || !item->name)) access = access_of_column(binder, column->id, &column_id);
    if (access) bind_access_column(binder, access, ACL_SELECT, column_id);
}

void bind_access_item(ScopeItem *item, Access *access)
{
    item->access = access;
    access->columns = item->columns;
    access->column_count = item->column_count;
}

/* ---- the check ---- */

static bool any_column(const Session *session, const char *role, const Desc *desc, uint32_t privilege)
{
    int count;
    const ColumnDesc *columns = privilege_columns(desc, &count);
    for (int i = 0; i < count; i++)
        if (privileges_of_column(session, role, desc, columns[i].id) & privilege) return true;
    return false;
}

/* Does what was granted on columns make up for a privilege that is not held on the whole? Without columns any will do. */
static bool columns_allow(const Session *session, const char *role, const Access *access, uint32_t privilege)
{
    const IntVec *columns = privilege == ACL_SELECT   ? &access->selected
                            : privilege == ACL_INSERT ? &access->inserted
                                                      : &access->updated;
    if (columns->count == 0) return any_column(session, role, access->desc, privilege);
    for (int i = 0; i < columns->count; i++)
        if (!(privileges_of_column(session, role, access->desc, (uint32_t)columns->items[i]) & privilege)) return false;
    return true;
}

static bool is_allowed(const Binder *binder, const Access *access)
{
    static const uint32_t of_columns[] = {ACL_SELECT, ACL_INSERT, ACL_UPDATE};
    const Session *session = binder->session;
    const char *role = access->role ? access->role : session->user;
    uint32_t missing = access->wanted & ~privileges_held(session, role, access->desc);
    for (size_t i = 0; i < sizeof of_columns / sizeof of_columns[0]; i++)
        if ((missing & of_columns[i]) && columns_allow(session, role, access, of_columns[i])) missing &= ~of_columns[i];
    return !missing;
}

const Error *bind_denied(Binder *binder)
{
    Error *denied = ARENA_NEW(binder->arena, Error);
    if (binder->denied_system) {
        (void)err_set(denied, binder->arena, ERR_INSUFFICIENT_PRIVILEGE, "permission denied for %s %s",
                      binder->denied_system->fill ? "table" : "view", binder->denied_system->name);
        return denied;
    }
    for (int i = 0; i < binder->accesses.count; i++) {
        if (is_allowed(binder, binder->accesses.items[i])) continue;
        (void)privilege_denied(binder->accesses.items[i]->desc, binder->arena, denied);
        return denied;
    }
    return NULL;
}
