/* acl.h - what is granted on an object, and to whom: PostgreSQL's rules over lists of AclItems.
 *
 * An item says what one grantor gave one grantee (0: PUBLIC), as bits. Who owns the object may do everything that its kind
 * knows, and grant it, whatever the list says of it. A list is changed in place; its items live in the arena that is given.
 */
#ifndef STORAGE_CATALOG_ACL_H
#define STORAGE_CATALOG_ACL_H

#include "storage/catalog/desc.h"

enum {
    ACL_INSERT = 1 << 0, ACL_SELECT = 1 << 1, ACL_UPDATE = 1 << 2, ACL_DELETE = 1 << 3, ACL_TRUNCATE = 1 << 4,
    ACL_REFERENCES = 1 << 5, ACL_TRIGGER = 1 << 6, ACL_EXECUTE = 1 << 7, ACL_USAGE = 1 << 8, ACL_CREATE = 1 << 9,
    ACL_TEMPORARY = 1 << 10, ACL_CONNECT = 1 << 11,
    ACL_COUNT = 12,
    ACL_OF_COLUMNS = ACL_INSERT | ACL_SELECT | ACL_UPDATE | ACL_REFERENCES
};

/* The role that owns every schema public: whoever owns the database is its only member. It has no descriptor. */
#define ROLE_DATABASE_OWNER "pg_database_owner"
enum { OID_ROLE_DATABASE_OWNER = 6171 };

/* The letter and the word of the privilege with that bit number: 'r', "SELECT". */
char acl_letter(int bit);
const char *acl_word(int bit);

/* All privileges that objects of the kind know. */
uint32_t acl_all(DescKind kind);
/* What holds for an object of the kind on which nothing was granted or revoked. */
AclVec acl_default(DescKind kind, DescId owner, Arena *arena);
/* A copy of what holds for the object, the default included. */
AclVec acl_of(const Desc *desc, DescId owner, Arena *arena);
AclVec acl_copy(const AclVec *acl, Arena *arena);
bool acl_equal(const AclVec *a, const AclVec *b); /* in any order */
void acl_sort(AclVec *acl);                       /* by grantee and grantor */

/* What the role may grant on by what was granted to itself; the owner's rights apart. */
uint32_t acl_grant_options(const AclVec *acl, DescId role);
/* Adds what the item gives. false: the grant options would go back to who they come from. */
bool acl_grant(AclVec *acl, AclItem given, DescId owner, Arena *arena);
/* Takes privileges away, or only the options to grant them. What was granted on by an option that is lost goes with it
 * where `cascade` says so; else false is returned, and the list is of no use any more. */
typedef struct AclRevoke {
    DescId grantee, grantor;
    uint32_t privileges;
    bool options_only, cascade;
} AclRevoke;
bool acl_revoke(AclVec *acl, AclRevoke what, DescId owner);
/* Removes every item of the role, as grantee and as grantor. Returns whether there were any. */
bool acl_forget_role(AclVec *acl, DescId role);
bool acl_names_role(const AclVec *acl, DescId role);
/* ALTER ... OWNER TO: what the old owner had and had given is the new one's. */
void acl_change_owner(AclVec *acl, DescId from, DescId to);

#endif
