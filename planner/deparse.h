/* deparse.h - the expressions that the catalog keeps, as PostgreSQL's pg_get_expr prints them.
 *
 * Every operator stands in parentheses, constants say their type where a reader could take them for another, IN is
 * = ANY (ARRAY[...]), casts are ::. The pretty form leaves out the parentheses that precedence makes needless.
 */
#ifndef PLANNER_DEPARSE_H
#define PLANNER_DEPARSE_H

#include "planner/plan.h"

/* The text of what belongs to a table: CHECK, predicate, computed column, indexed expression. A text that cannot
 * be bound comes back as it is. */
const char *deparse_table_expr(Session *session, const TableDesc *table, const char *text, bool pretty, Arena *arena);
/* A domain's CHECK: its value is VALUE. */
const char *deparse_domain_check(Session *session, const TypeDesc *domain, const char *text, bool pretty, Arena *arena);
/* A default that computes; the others are as they were written, which is `text`. */
const char *deparse_default(Session *session, const TableDesc *table, const ColumnDesc *column, const char *text, Arena *arena);

#endif
