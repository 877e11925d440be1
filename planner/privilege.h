/* privilege.h - what roles may do: grants, ownership and membership, asked of the session's catalog.
 *
 * Superusers may do everything. A role has what was granted to it, to PUBLIC and to the roles whose privileges it
 * inherits. Errors are 42501 with PostgreSQL's texts.
 */
#ifndef PLANNER_PRIVILEGE_H
#define PLANNER_PRIVILEGE_H

#include "planner/session.h"
#include "storage/catalog/acl.h"

/* 0 if there is no such role. pg_database_owner, which has no descriptor, included. */
DescId privilege_role_id(const Session *session, const char *role);
/* "" is PUBLIC; the number as text where the role is gone. */
const char *privilege_role_name(const Session *session, DescId role, Arena *arena);
bool privilege_is_superuser(const Session *session, const char *role);
/* Has the role all that the owner has? */
bool privilege_owns(const Session *session, const char *role, const Desc *desc);

/* What the role may do with the object; with a column of it, by what was granted on the column alone. */
uint32_t privileges_held(const Session *session, const char *role, const Desc *desc);
uint32_t privileges_of_column(const Session *session, const char *role, const Desc *desc, uint32_t column_id);
/* The columns of a table or view; NULL: it has none. */
const ColumnDesc *privilege_columns(const Desc *desc, int *count);
/* What the role may grant on, and as whose grant: its own, the owner's, or that of a role it is a member of. */
uint32_t privileges_grantable(const Session *session, const char *role, const Desc *desc, const AclVec *acl, uint32_t wanted,
                              DescId *grantor);

/* "table", "view", "sequence", "schema" ... as errors call it. */
const char *privilege_kind_word(const Desc *desc);
Status privilege_denied(const Desc *desc, Arena *arena, Error *err); /* permission denied for table t */
/* For the current user. All of `wanted` must be held. */
Status privilege_check(const Session *session, const Desc *desc, uint32_t wanted, Arena *arena, Error *err);
Status privilege_check_owner(const Session *session, const Desc *desc, Arena *arena, Error *err); /* must be owner of table t */
/* The same for a schema by id; built-in ones may be used by everybody. */
bool privilege_may_use_schema(const Session *session, DescId schema);
Status privilege_check_schema(const Session *session, DescId schema, uint32_t wanted, Arena *arena, Error *err);
/* May this system relation be read by superusers only? */
bool privilege_is_secret(const SystemRelation *relation);

#endif
