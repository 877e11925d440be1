#include "storage/catalog/acl.h"

#include <assert.h>
#include <stdlib.h>

static const struct {
    char letter;
    const char *word;
} privileges[ACL_COUNT] = {
    {'a', "INSERT"},  {'r', "SELECT"},  {'w', "UPDATE"}, {'d', "DELETE"}, {'D', "TRUNCATE"},  {'x', "REFERENCES"},
    {'t', "TRIGGER"}, {'X', "EXECUTE"}, {'U', "USAGE"},  {'C', "CREATE"}, {'T', "TEMPORARY"}, {'c', "CONNECT"},
};

char acl_letter(int bit)
{
    assert(bit >= 0 && bit < ACL_COUNT);
    return privileges[bit].letter;
}

const char *acl_word(int bit)
{
    assert(bit >= 0 && bit < ACL_COUNT);
    return privileges[bit].word;
}

uint32_t acl_all(DescKind kind)
{
    switch (kind) {
    case DESC_DATABASE: return ACL_CREATE | ACL_TEMPORARY | ACL_CONNECT;
    case DESC_SCHEMA: return ACL_USAGE | ACL_CREATE;
    case DESC_TABLE:
    case DESC_VIEW:
        return ACL_INSERT | ACL_SELECT | ACL_UPDATE | ACL_DELETE | ACL_TRUNCATE | ACL_REFERENCES | ACL_TRIGGER;
    case DESC_SEQUENCE: return ACL_USAGE | ACL_SELECT | ACL_UPDATE;
    case DESC_TYPE: return ACL_USAGE;
    case DESC_ROLE: return 0;
    }
    return 0;
}

AclVec acl_default(DescKind kind, DescId owner, Arena *arena)
{
    AclVec acl = {0};
    uint32_t everybody = kind == DESC_DATABASE ? ACL_TEMPORARY | ACL_CONNECT : kind == DESC_TYPE ? ACL_USAGE : 0;
    if (everybody) VEC_PUSH(arena, acl, (AclItem){0, owner, everybody, 0});
    VEC_PUSH(arena, acl, (AclItem){owner, owner, acl_all(kind), 0});
    return acl;
}

AclVec acl_copy(const AclVec *acl, Arena *arena)
{
    AclVec copy = {0};
    for (int i = 0; i < acl->count; i++) VEC_PUSH(arena, copy, acl->items[i]);
    return copy;
}

AclVec acl_of(const Desc *desc, DescId owner, Arena *arena)
{
    if (desc->acl_given) return acl_copy(&desc->acl, arena);
    AclVec acl = acl_default(desc->kind, owner, arena);
    /* A schema public is there from the start; everybody may look into it. */
    if (desc->kind == DESC_SCHEMA && strcmp(desc->name, "public") == 0)
        VEC_PUSH(arena, acl, (AclItem){0, owner, ACL_USAGE, 0});
    return acl;
}

static AclItem *find_item(const AclVec *acl, DescId grantee, DescId grantor)
{
    for (int i = 0; i < acl->count; i++)
        if (acl->items[i].grantee == grantee && acl->items[i].grantor == grantor) return &acl->items[i];
    return NULL;
}

bool acl_equal(const AclVec *a, const AclVec *b)
{
    if (a->count != b->count) return false;
    for (int i = 0; i < a->count; i++) {
        const AclItem *x = &a->items[i], *y = find_item(b, x->grantee, x->grantor);
        if (!y || x->privileges != y->privileges || x->grantable != y->grantable) return false;
    }
    return true;
}

static int by_roles(const void *a, const void *b)
{
    const AclItem *x = a, *y = b;
    if (x->grantee != y->grantee) return x->grantee < y->grantee ? -1 : 1;
    return (x->grantor > y->grantor) - (x->grantor < y->grantor);
}

void acl_sort(AclVec *acl)
{
    if (acl->count) qsort(acl->items, (size_t)acl->count, sizeof acl->items[0], by_roles);
}

uint32_t acl_grant_options(const AclVec *acl, DescId role)
{
    uint32_t options = 0;
    for (int i = 0; i < acl->count; i++)
        if (acl->items[i].grantee == role) options |= acl->items[i].grantable;
    return options;
}

static void remove_item(AclVec *acl, int at)
{
    acl->count--;
    for (int i = at; i < acl->count; i++) acl->items[i] = acl->items[i + 1];
}

/* Would the grantor still hold its options if the grantee had lost all of its own? */
static bool stands_alone(const AclVec *acl, const AclItem *given, DescId owner, Arena *arena)
{
    if (given->grantor == owner) return true;
    AclVec rest = acl_copy(acl, arena);
    for (int i = 0; i < rest.count; i++) {
        AclItem item = rest.items[i];
        if (item.grantee != given->grantee || !item.grantable) continue;
        (void)acl_revoke(&rest, (AclRevoke){item.grantee, item.grantor, item.grantable, true, true}, owner);
        i = -1; /* the list has become another one */
    }
    return (acl_grant_options(&rest, given->grantor) & given->grantable) == given->grantable;
}

bool acl_grant(AclVec *acl, AclItem given, DescId owner, Arena *arena)
{
    if (given.grantable && !stands_alone(acl, &given, owner, arena)) return false;
    AclItem *item = find_item(acl, given.grantee, given.grantor);
    if (!item) {
        VEC_PUSH(arena, *acl, ((AclItem){given.grantee, given.grantor, 0, 0}));
        item = &VEC_LAST(*acl);
    }
    item->privileges |= given.privileges;
    item->grantable |= given.grantable;
    return true;
}

/* The role has lost options: what it gave by them goes too. */
static bool revoke_given_on(AclVec *acl, DescId role, uint32_t lost, bool cascade, DescId owner)
{
    lost &= ~acl_grant_options(acl, role);
    if (role == 0 || role == owner || !lost) return true;
    for (int i = 0; i < acl->count; i++) {
        AclItem item = acl->items[i];
        if (item.grantor != role || !(item.privileges & lost)) continue;
        if (!cascade) return false;
        if (!acl_revoke(acl, (AclRevoke){item.grantee, role, lost, false, true}, owner)) return false;
        i = -1;
    }
    return true;
}

bool acl_revoke(AclVec *acl, AclRevoke what, DescId owner)
{
    AclItem *item = find_item(acl, what.grantee, what.grantor);
    if (!item) return true;
    uint32_t lost = item->grantable & what.privileges;
    item->grantable &= ~what.privileges;
    if (!what.options_only) item->privileges &= ~what.privileges;
    if (!item->privileges) remove_item(acl, (int)(item - acl->items));
    return revoke_given_on(acl, what.grantee, lost, what.cascade, owner);
}

bool acl_names_role(const AclVec *acl, DescId role)
{
    for (int i = 0; i < acl->count; i++)
        if (acl->items[i].grantee == role || acl->items[i].grantor == role) return true;
    return false;
}

bool acl_forget_role(AclVec *acl, DescId role)
{
    bool any = false;
    for (int i = acl->count - 1; i >= 0; i--) {
        if (acl->items[i].grantee != role && acl->items[i].grantor != role) continue;
        remove_item(acl, i);
        any = true;
    }
    return any;
}

void acl_change_owner(AclVec *acl, DescId from, DescId to)
{
    for (int i = 0; i < acl->count; i++) {
        if (acl->items[i].grantor == from) acl->items[i].grantor = to;
        if (acl->items[i].grantee == from) acl->items[i].grantee = to;
    }
    for (int i = 0; i < acl->count; i++) /* the new owner may have had something before */
        for (int k = acl->count - 1; k > i; k--) {
            if (acl->items[k].grantee != acl->items[i].grantee || acl->items[k].grantor != acl->items[i].grantor) continue;
            acl->items[i].privileges |= acl->items[k].privileges;
            acl->items[i].grantable |= acl->items[k].grantable;
            remove_item(acl, k);
        }
}
