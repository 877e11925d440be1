/* bind_change.h - what INSERT, UPDATE and DELETE share. Inside bind/ only. */
#ifndef PLANNER_BIND_BIND_CHANGE_H
#define PLANNER_BIND_BIND_CHANGE_H

#include "planner/bind/bind_query.h"
#include "planner/plan.h"

/* The table that a statement changes: 42P01, 42809, and 0A000 for views. `word`: "insert into", "update", "delete from". */
Status bind_change_table(Binder *binder, const AstName *name, const char *word, const TableDesc **table, Access **access);
/* Notes which columns `set` changes. */
void bind_access_updated(Binder *binder, Access *access, Expr *const *set);
/* Fresh `row` columns and, over them, computed columns, checks and predicates. */
Status bind_write_target(Binder *binder, const TableDesc *table, WriteTarget *target);
/* A column that is written by name: 42703, 55000 for hidden key columns. */
Status bind_written_column(Binder *binder, const TableDesc *table, const char *name, int position, int *ordinal);
/* The column's default, fitted to its type; NULL of it where there is none. */
/* What a column without a DEFAULT starts with: its domain's, or NULL (bind_domain.c). */
Status bind_type_default(Binder *binder, const ColumnDesc *column, Expr **out);
Status bind_column_default(Binder *binder, const TableDesc *table, int ordinal, Expr **out);
/* Is a value other than DEFAULT refused for this column? INSERT: 428C9; UPDATE: 428C9. */
Status bind_check_assignable(Binder *binder, const ColumnDesc *column, bool insert, AstOverriding overriding, int position);

/* SET a = 1, (b, c) = (2, 3): set[ordinal], in the present scope. rel: where a subquery for several columns is joined to;
 * NULL: not possible here. */
Status bind_assignments(Binder *binder, const AstAssignmentVec *set, const TableDesc *table, Rel **rel, Expr **out);

/* ---- bind_referrers.c ---- */

typedef enum ReferrerUse { REFERRERS_STAY, REFERRERS_OF_UPDATED, REFERRERS_OF_DELETED } ReferrerUse;
/* Notes the locks on tables at the other end of foreign keys, and fills the target's referrers. set: per table column, what an
 * UPDATE gives it; NULL: anything may change. */
void bind_referrers(Binder *binder, WriteTarget *target, ReferrerUse use, Expr *const *set);

/* RETURNING: its columns and expressions, in the present scope. */
Status bind_returning(Binder *binder, bool has_returning, const AstTargetVec *ast, Rel *rel, Expr ***returning);

/* An expression of the catalog, for column `name`; errors have no position. */
Status bind_table_text(Binder *binder, const TableExpr *expr, const char *name, Expr **out);

#endif
