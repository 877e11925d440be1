/* build_ddl.h - builders of tables, indexes, ALTER TABLE; each is described in its source. Only included by build.h, which has their contract. */
#ifndef PARSER_BUILD_DDL_H
#define PARSER_BUILD_DDL_H

#include "parser/build.h"

/* build_ddl.c */
AstColumnDef *build_column_options(Parser *p);
AstColumnDef *build_column_definition(Parser *p, const Token *name, AstType *type, AstColumnDef *column);
void build_column_constraint(Parser *p, AstColumnDef *column, const Token *name, AstConstraint *constraint);
void build_column_attribute(Parser *p, AstColumnDef *column, const AstConstraint *attribute);
void build_column_family(AstColumnDef *column, const Token *family, bool create, bool if_not_exists);
AstConstraint *build_constraint(Parser *p, const Token *at, AstConstraintKind kind, AstExpr *expr);
AstConstraint *build_exclude(Parser *p, const Token *at);
AstConstraint *build_check(Parser *p, const Token *at, AstExpr *expr, bool no_inherit);
AstConstraint *build_generated(Parser *p, const Token *at, AstExpr *expr, bool stored);
AstConstraint *build_identity(Parser *p, const Token *at, bool always, const AstOptionVec *options);
AstConstraint *build_key_constraint(Parser *p, const Token *at, AstConstraintKind kind, const AstIndexElemVec *key,
    bool nulls_not_distinct, const AstIndexDef *tail);
AstConstraint *build_without_index(AstConstraint *constraint);
AstConstraint *build_using_index(Parser *p, const Token *at, AstConstraintKind kind, const Token *index);
AstConstraint *build_named_constraint(const Token *name, AstConstraint *constraint);
AstConstraint *build_references_tail(Parser *p);
AstConstraint *build_references(Parser *p, const Token *at, const AstName *table, const StrVec *columns,
    AstConstraint *tail);
AstConstraint *build_foreign_key(const StrVec *columns, AstConstraint *constraint);
void build_delete_columns(AstConstraint *constraint, AstFkAction action, const StrVec *columns);
AstConstraint *build_deferrable(Parser *p, const Token *at, bool deferrable);
AstConstraint *build_initially(Parser *p, const Token *at, bool deferred);
AstConstraint *build_not_valid(Parser *p);
AstConstraint *build_no_inherit(Parser *p);
AstConstraint *build_merge_attributes(Parser *p, AstConstraint *all, AstConstraint *attribute);
AstConstraint *build_with_attributes(Parser *p, AstConstraint *constraint, const AstConstraint *attributes);
AstCreateTable *build_table_tail(Parser *p);
AstCreateTable *build_table_elems(AstCreateTable *table, const AstTableElemVec *elems);
AstCreateTable *build_table_partition_of(AstCreateTable *table, const AstName *parent, const AstPartitionBound *bound);
AstCreateTable *build_table_of_type(AstCreateTable *table, const AstName *type);
void build_table_partition(Parser *p, AstCreateTable *table, const AstPartitionBy *partition);
void build_table_split(Parser *p, AstCreateTable *table, const AstSplit *split);
const char *build_text_since(Parser *p, const Token *first);
AstStmt *build_create_table(Parser *p, const Token *first, AstPersistence persistence, bool if_not_exists,
    const AstName *name, AstCreateTable *table);
AstTableLike *build_like_options(Parser *p);
void build_like_option(Parser *p, AstTableLike *like, const Token *word, bool excluding);
AstTableLike *build_table_like(Parser *p, const Token *at, const AstName *table, AstTableLike *like);
AstFamilyDef *build_family(Parser *p, const Token *at, const Token *name, const StrVec *columns);
AstCreateTableAs *build_as_tail(Parser *p);
AstCreateTableAs *build_as_columns(AstCreateTableAs *tail, const StrVec *columns);
CreateAsFlags build_as_flags(AstPersistence persistence, bool if_not_exists, bool with_data);
AstStmt *build_create_table_as(Parser *p, const Token *first, const AstName *name, const AstCreateTableAs *tail,
    AstStmt *query, CreateAsFlags flags);
AstStmt *build_materialized(AstStmt *stmt);

/* build_index.c */
AstIndexElem *build_opclass(Parser *p, const AstName *name, const AstOptionVec *options);
AstIndexElem *build_index_elem_options(Parser *p, const AstName *collation, AstIndexElem *opclass, AstKeyMode mode,
    AstNulls nulls);
AstIndexElem *build_index_column(Parser *p, const Token *name, AstIndexElem *elem);
AstIndexElem *build_index_expr(Parser *p, AstExpr *expr, AstIndexElem *elem);
AstIndexElem *build_index_parens(Parser *p, AstExpr *expr, AstIndexElem *elem);
AstIndexElem *build_index_group(Parser *p, const Token *at, AstExprVec *items, AstExpr *last);
AstIndexDef *build_index_kind(Parser *p, bool unique, bool inverted, bool vector);
IndexClause build_clause_hash(const Token *at, AstExpr *bucket_count);
void build_merge_clause(Parser *p, AstIndexDef *index, const IndexClause *clause);
void build_index_partition(Parser *p, AstIndexDef *index, const AstPartitionBy *partition);
bool build_visibility(const AstExpr *number);
AstIndexDef *build_index_rest(AstIndexDef *index, const char *method, const AstIndexElemVec *key);
AstIndexDef *build_inline_index(Parser *p, const Token *at, const AstIndexDef *kind, const Token *name,
    AstIndexDef *index);
AstCreateIndex *build_index_target(Parser *p, const Token *name, bool only, const AstName *table);
AstCreateIndex *build_if_not_exists(AstCreateIndex *stmt);
AstStmt *build_create_index(Parser *p, const Token *first, const AstIndexDef *kind, int concurrently,
    AstCreateIndex *target, AstIndexDef *index);

/* build_alter.c */
AstStmt *build_alter_table(Parser *p, const Token *first, AstObject object, bool if_exists, const RelationName *name,
    const AstAlterActionVec *actions);
AstStmt *build_alter_index(Parser *p, const Token *first, bool if_exists, const AstIndexName *index,
    const AstAlterActionVec *actions);
AstStmt *build_alter_domain(Parser *p, const Token *first, const AstName *name, AstAlterAction *action);
AstAlterAction *build_add_column(Parser *p, const Token *at, bool if_not_exists, AstColumnDef *column);
AstAlterAction *build_add_constraint(Parser *p, const Token *at, bool if_not_exists, AstConstraint *constraint);
AstAlterAction *build_add_family(Parser *p, const Token *at, AstFamilyDef *family);
AstAlterAction *build_drop_member(Parser *p, const Token *at, AstAlterKind kind, bool if_exists, const Token *name,
    AstDropBehavior behavior);
AstAlterAction *build_alter_name(Parser *p, const Token *at, AstAlterKind kind, const Token *name,
    const Token *new_name);
AstAlterAction *build_alter_constraint(Parser *p, const Token *at, const Token *name, AstConstraint *attributes);
AstAlterAction *build_alter_primary_key(Parser *p, const Token *at, const AstIndexElemVec *key,
    const AstIndexDef *tail);
AstAlterAction *build_alter_partition(Parser *p, const AstPartitionBy *partition);
AstAlterAction *build_attach(Parser *p, const Token *at, AstAlterKind kind, const AstName *table,
    const AstPartitionBound *bound);
AstAlterAction *build_alter_options(Parser *p, const Token *at, AstAlterKind kind, const AstOptionVec *options);
AstAlterAction *build_index_visible(Parser *p, bool visible);
AstAlterAction *build_alter_column(const Token *at, const Token *name, AstAlterAction *action);
AstAlterAction *build_column_type(Parser *p, AstType *type, const AstName *collation, AstExpr *using_);
AstAlterAction *build_column_change(Parser *p, AstAlterKind kind, AstExpr *expr);
AstAlterAction *build_column_drop(Parser *p, AstAlterKind kind, bool if_exists);
AstAlterAction *build_column_add_identity(Parser *p, AstConstraint *constraint);
AstAlterAction *build_column_options_change(Parser *p, AstAlterKind kind, const AstOptionVec *options);
AstAlterAction *build_column_word(Parser *p, AstAlterKind kind, const Token *word);
AstAlterAction *build_column_visible(Parser *p, bool visible);

#endif
