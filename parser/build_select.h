/* build_select.h - builders of SELECT and FROM; each is described in its source. Only included by build.h, which has their contract. */
#ifndef PARSER_BUILD_SELECT_H
#define PARSER_BUILD_SELECT_H

#include "parser/build.h"

/* build_select.c */
AstSelect *build_query_tail(Parser *p, AstExpr *where, AstSelect *group_by, AstExpr *having,
    const AstWindowVec *windows);
AstSelect *build_group_by(Parser *p, bool distinct, const AstExprVec *items);
AstSelect *build_select(Parser *p, const Token *first, const AstTargetVec *targets, const AstInto *into,
    const FromClause *from, AstSelect *tail);
AstSelect *build_distinct(Parser *p, const AstExprVec *on);
AstSelect *build_select_distinct(Parser *p, const AstSelect *distinct, AstSelect *select);
AstInto *build_into(Parser *p, const Token *at, AstPersistence persistence, const AstName *name);
AstSelect *build_values(Parser *p, const Token *first, const AstExprVec *row);
AstSelect *build_table_select(Parser *p, const Token *first, AstFromTable *table);
AstSelect *build_set_op(Parser *p, const Token *op, AstSetOp kind, bool all, AstSelect *left, AstSelect *right);
AstSelect *build_select_enclosed(Parser *p, const Token *paren, AstSelect *select);
AstStmt *build_top_select(Parser *p, AstSelect *select);
AstStmt *build_inner_select(Parser *p, AstSelect *select);
AstSelect *build_select_tail(Parser *p, AstWith *with, AstSelect *select, const AstSortVec *order,
    const Limit *limit, const AstLockingVec *locking);
Limit build_limit(Limit limit, AstExpr *offset);
Limit build_refuse_limit(Parser *p, const Token *at);
AstWith *build_with(Parser *p, const Token *at, bool recursive, const AstCteVec *ctes);
AstFromTable *build_relation(Parser *p, const AstName *name, bool only);
AstFromTable *build_relation_index(Parser *p, const AstName *name, const Token *index);
AstFromTable *build_relation_alias(AstFromTable *table, const Token *alias);
AstFromTable *build_hint_index(Parser *p, const Token *index);
AstFromTable *build_hint_direction(Parser *p, AstSortDirection direction);
AstFromTable *build_hint_flag(Parser *p, bool full_scan);
void build_hint_merge(Parser *p, AstFromTable *hints, const AstFromTable *hint);
AstFromTable *build_relation_hints(Parser *p, const AstName *name, const AstFromTable *hints);
AstFromTable *build_sample(Parser *p, const AstName *method, const AstExprVec *args, AstExpr *seed);
AstFrom *build_table_ref(Parser *p, AstFromTable *table, const AstAlias *alias, const AstFromTable *sample);
AstFrom *build_ordinality(AstFrom *from);
AstFrom *build_from_alias(AstFrom *from, const AstAlias *alias, bool lateral);
AstFrom *build_from_subquery(Parser *p, AstSelect *select, const AstAlias *alias, bool lateral);
AstFrom *build_from_statement(Parser *p, const Token *at, AstStmt *stmt, const AstAlias *alias);
AstFrom *build_from_function(Parser *p, AstExpr *call, bool ordinality);
AstFrom *build_rows_from(Parser *p, const Token *at, const AstFunctionItemVec *items, bool ordinality);
AstFrom *build_join(Parser *p, const Token *at, AstJoinKind kind, AstFrom *left, AstFrom *right,
    const JoinCondition *condition);
AstFrom *build_natural_join(Parser *p, const Token *at, AstJoinKind kind, AstFrom *left, AstFrom *right);
AstColumnDef *build_column_def(Parser *p, const Token *name, AstType *type, const AstName *collation);

#endif
