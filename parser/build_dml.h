/* build_dml.h - builders of INSERT, UPDATE, DELETE; each is described in its source. Only included by build.h, which has their contract. */
#ifndef PARSER_BUILD_DML_H
#define PARSER_BUILD_DML_H

#include "parser/build.h"

/* build_dml.c */
AssignedColumn build_assigned_column(Parser *p, const Token *name, const IndirectionVec *steps);
void build_assigned_add(Parser *p, NameList *list, const AssignedColumn *column);
AstInsert *build_insert_rest(Parser *p, const NameList *columns, AstOverriding overriding, AstSelect *query);
AstInsert *build_conflict_target(Parser *p, const AstIndexElemVec *elems, AstExpr *where, const char *constraint);
AstInsert *build_on_conflict(Parser *p, const Token *at, AstInsert *target, const AstAssignmentVec *set,
    AstExpr *where);
AstInsert *build_conflict(AstInsert *insert, const AstInsert *conflict);
AstStmt *build_insert(Parser *p, AstWith *with, const Token *first, const InsertTarget *target, AstInsert *insert,
    const Returning *returning);
AstUpdate *build_update_tail(Parser *p, const FromClause *from, AstExpr *where, const AstSortVec *order, Limit limit,
    const Returning *returning);
AstStmt *build_update(Parser *p, AstWith *with, const Token *first, AstFromTable *table, const AstAssignmentVec *set,
    AstUpdate *update);
AstStmt *build_delete(Parser *p, AstWith *with, const Token *first, AstFromTable *table, const AstFromVec *items,
    const AstUpdate *tail);
AstAssignment build_assignment(Parser *p, const AssignedColumn *column, AstExpr *value);
AstAssignment build_assignment_multi(const Token *at, const NameList *columns, AstExpr *value);

#endif
