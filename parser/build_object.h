/* build_object.h - builders of all other objects, DROP, COMMENT, GRANT; each is described in its source. Only included by build.h, which has their contract. */
#ifndef PARSER_BUILD_OBJECT_H
#define PARSER_BUILD_OBJECT_H

#include "parser/build.h"

/* build_object.c */
AstStmt *build_unsupported(Parser *p, const Token *first, const char *what);
AstStmt *build_unsupported_object(Parser *p, const Token *first, const char *verb, const Token *object);
AstStmt *build_create_database(Parser *p, const Token *first, bool if_not_exists, const Token *name,
    const AstOptionVec *options);
AstStmt *build_create_schema(Parser *p, const Token *first, bool if_not_exists, const AstName *name,
    const char *authorization);
AstCreateView *build_view(Parser *p, const AstName *name, const StrVec *columns, const AstOptionVec *options,
    AstSelect *query);
AstCreateView *build_view_check(AstCreateView *view, bool recursive, AstCheckOption check_option);
AstCreateView *build_view_replace(AstCreateView *view);
AstStmt *build_create_view(Parser *p, const Token *first, AstPersistence persistence, bool if_not_exists,
    AstCreateView *view);
AstStmt *build_refresh(Parser *p, const Token *first, int concurrently, const AstName *name, bool with_data);
AstStmt *build_create_sequence(Parser *p, const Token *first, AstPersistence persistence, bool if_not_exists,
    const AstName *name, const AstOptionVec *options);
AstStmt *build_alter_sequence(Parser *p, const Token *first, bool if_exists, const AstName *name,
    const AstOptionVec *options);
AstExpr *build_owned_by(AstExpr *column);
AstStmt *build_create_enum(Parser *p, const Token *first, bool if_not_exists, const AstName *name,
    const StrVec *labels);
AstStmt *build_enum_add(Parser *p, const Token *first, const AstName *name, bool if_not_exists, const Token *label,
    const EnumPlace *place);
AstStmt *build_enum_rename(Parser *p, const Token *first, const AstName *name, const Token *label,
    const Token *new_label);
AstStmt *build_enum_drop(Parser *p, const Token *first, const AstName *name, const Token *label);
AstStmt *build_create_domain(Parser *p, const Token *first, const AstName *name, AstType *type,
    const AstColumnDef *options);
AstStmt *build_create_extension(Parser *p, const Token *first, bool if_not_exists, const Token *name,
    const AstOptionVec *options);
RoleFlags build_role_flags(bool user, bool if_not_exists);
AstStmt *build_role(Parser *p, AstStmtKind kind, const Token *first, RoleFlags flags, const Token *name,
    const AstOptionVec *options);
AstOption build_role_option(Parser *p, const Token *word);
AstStmt *build_alter_object(Parser *p, const Token *first, AstObject object, bool if_exists, const AstName *name,
    const ObjectChange *change);
AstStmt *build_rename_role(Parser *p, const Token *first, const Token *name, const Token *new_name);
AstStmt *build_alter_set(Parser *p, AstStmtKind kind, const Token *first, const char *name, const char *in_database,
    AstStmt *set);
AstStmt *build_drop(Parser *p, const Token *first, AstObject object, bool if_exists, const AstNameVec *names,
    AstDropBehavior behavior);
AstStmt *build_drop_index(Parser *p, const Token *first, int concurrently, bool if_exists,
    const AstIndexNameVec *indexes, AstDropBehavior behavior);
AstStmt *build_drop_roles(Parser *p, const Token *first, bool if_exists, const StrVec *names);
AstStmt *build_truncate(Parser *p, const Token *first, const AstNameVec *tables, bool restart,
    AstDropBehavior behavior);
AstStmt *build_comment(Parser *p, const Token *first, AstObject object, const AstName *name, const char *member,
    const char *text);
AstStmt *build_comment_column(Parser *p, const Token *first, const AstExpr *path, const char *text);
AstStmt *build_comment_index(Parser *p, const Token *first, const AstIndexName *index, const char *text);
AstPrivilege build_privilege(const Token *word, const StrVec *columns);
Grantees build_grantees(const StrVec *roles, bool grant_option, const char *granted_by, AstDropBehavior behavior);
AstStmt *build_grant(Parser *p, AstStmtKind kind, const Token *first, const AstPrivilegeVec *privileges,
    const GrantObject *object, Grantees grantees);
AstStmt *build_default_privileges(Parser *p, const Token *first, const DefaultOptions *options, const AstStmt *grant);
AstStmt *build_drop_owned(Parser *p, const Token *first, const StrVec *roles, AstDropBehavior behavior);
AstStmt *build_reassign_owned(Parser *p, const Token *first, const StrVec *roles, const Token *new_owner);

#endif
