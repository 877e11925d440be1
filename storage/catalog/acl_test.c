/* Grants as lists: options are given on, fall with who they came from, and are never one's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "storage/catalog/acl.h"

enum { OWNER = 10, ANN, BOB, CAT };

static AclVec start(Arena *arena)
{
    return acl_default(DESC_TABLE, OWNER, arena);
}

static uint32_t held(const AclVec *acl, DescId role)
{
    uint32_t all = 0;
    for (int i = 0; i < acl->count; i++)
        if (acl->items[i].grantee == role) all |= acl->items[i].privileges;
    return all;
}

static void test_defaults(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL, 0);
    AclVec acl = start(arena);
    assert_int_equal(acl.count, 1);
    assert_int_equal(held(&acl, OWNER), acl_all(DESC_TABLE));
    acl = acl_default(DESC_DATABASE, OWNER, arena);
    assert_int_equal(held(&acl, 0), ACL_CONNECT | ACL_TEMPORARY);
    acl = acl_of(&(Desc){.kind = DESC_SCHEMA, .name = "public"}, OWNER, arena);
    assert_int_equal(held(&acl, 0), ACL_USAGE);
    acl = acl_of(&(Desc){.kind = DESC_SCHEMA, .name = "other"}, OWNER, arena);
    assert_int_equal(held(&acl, 0), 0);
    arena_destroy(arena);
}

static void test_chain(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL, 0);
    AclVec acl = start(arena);
    assert_true(acl_grant(&acl, (AclItem){ANN, OWNER, ACL_SELECT | ACL_UPDATE, ACL_SELECT}, OWNER, arena));
    assert_true(acl_grant(&acl, (AclItem){BOB, ANN, ACL_SELECT, ACL_SELECT}, OWNER, arena));
    assert_true(acl_grant(&acl, (AclItem){CAT, BOB, ACL_SELECT, 0}, OWNER, arena));
    assert_int_equal(acl_grant_options(&acl, BOB), ACL_SELECT);
    /* Bob's option comes from Ann. */
    assert_false(acl_grant(&acl, (AclItem){ANN, BOB, ACL_SELECT, ACL_SELECT}, OWNER, arena));

    AclVec refused = acl_copy(&acl, arena);
    assert_false(acl_revoke(&refused, (AclRevoke){ANN, OWNER, ACL_SELECT, true, false}, OWNER));
    assert_true(acl_revoke(&acl, (AclRevoke){ANN, OWNER, ACL_SELECT, true, true}, OWNER));
    assert_int_equal(held(&acl, ANN), ACL_SELECT | ACL_UPDATE);
    assert_int_equal(held(&acl, BOB) | held(&acl, CAT), 0);
    arena_destroy(arena);
}

static void test_two_sources(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL, 0);
    AclVec acl = start(arena);
    assert_true(acl_grant(&acl, (AclItem){ANN, OWNER, ACL_SELECT, ACL_SELECT}, OWNER, arena));
    assert_true(acl_grant(&acl, (AclItem){BOB, OWNER, ACL_SELECT, ACL_SELECT}, OWNER, arena));
    assert_true(acl_grant(&acl, (AclItem){BOB, ANN, ACL_SELECT, ACL_SELECT}, OWNER, arena));
    assert_true(acl_grant(&acl, (AclItem){CAT, BOB, ACL_SELECT, 0}, OWNER, arena));
    /* Bob has the option from Ann still. */
    assert_true(acl_revoke(&acl, (AclRevoke){BOB, OWNER, ACL_SELECT, false, false}, OWNER));
    assert_int_equal(held(&acl, CAT), ACL_SELECT);
    arena_destroy(arena);
}

static void test_roles(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL, 0);
    AclVec acl = start(arena);
    assert_true(acl_grant(&acl, (AclItem){ANN, OWNER, ACL_SELECT, ACL_SELECT}, OWNER, arena));
    assert_true(acl_grant(&acl, (AclItem){BOB, ANN, ACL_SELECT, 0}, OWNER, arena));
    acl_change_owner(&acl, OWNER, ANN);
    assert_int_equal(held(&acl, OWNER), 0);
    assert_int_equal(held(&acl, ANN), acl_all(DESC_TABLE));
    assert_int_equal(acl.count, 2);
    assert_true(acl_names_role(&acl, BOB));
    assert_true(acl_forget_role(&acl, BOB));
    assert_false(acl_names_role(&acl, BOB));
    assert_false(acl_forget_role(&acl, BOB));
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_two_sources),
        cmocka_unit_test(test_roles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
