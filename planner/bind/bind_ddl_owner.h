/* bind_ddl_owner.h - whose objects are: who may change and drop them, and give them away. Inside bind/ only. */
#ifndef PLANNER_BIND_BIND_DDL_OWNER_H
#define PLANNER_BIND_BIND_DDL_OWNER_H

#include "planner/bind/bind_ddl_grant.h"

/* 42501 `must be owner of table t`. */
Status ddl_check_owner(Binder *b, const Desc *desc);
Status ddl_check_index_owner(Binder *b, const TableDesc *table, const IndexDesc *index);
/* 0A000 for SET SCHEMA from or to a schema of temporary objects. */
Status ddl_check_move(Binder *b, DescId from, DescId to);
/* The owner of its schema may drop an object too. */
Status ddl_check_drop(Binder *b, const Desc *desc);
/* Who is named as an owner: 42704, or 42501 unless the current user is a member of it. */
Status ddl_check_new_owner(Binder *b, const char *role);
/* Makes `after`, a copy of `before`, the role's; what the old owner granted is the new one's grant. */
Status ddl_change_owner(Binder *b, const Desc *before, Desc *after, const char *role);
/* Objects are kept by their owners' names: those of a role that gets another name. */
void ddl_rename_owner(Binder *b, UtilityChange *utility, const char *old_name, const char *new_name);
/* 2BP01 with a list if the role owns anything, or has been granted anything. */
Status ddl_check_role_unused(Binder *b, const RoleDesc *role);
/* Objects of these kinds below a database (0: all), by id. */
typedef VEC(const Desc *) DescVec;
void ddl_list_objects(Binder *b, DescId database, DescVec *list);
Status bind_reassign_owned(Binder *b, const AstOwned *ast, Plan **out);
Status bind_drop_owned(Binder *b, const AstOwned *ast, Plan **out); /* bind_ddl_drop.c */

#endif
