/* bind_show.h - SHOW forms as queries over system relations of schema rowkey (executor/system/sys_show_*.c).
 *
 * The relations that depend on more than one id have a column `request`, which the query pins to a text made here and
 * read there: "form table index flags", numbers in decimal:
 *   show_ranges   form t (table), i (index), d (database; table is its id), c (cluster); flags: t tables, i indexes, - neither; d: details
 *   show_range_for_row   form t or i; flags: the row's key in hex
 *   show_zone_configuration   form r (default), d, t, i; a: all that have one
 */
#ifndef PLANNER_BIND_BIND_SHOW_H
#define PLANNER_BIND_BIND_SHOW_H

#include "planner/bind/bind_ddl.h"

/* bind_keyspace.c */
Status bind_show_ranges(Binder *b, const AstShow *ast, Rel **out);
Status bind_show_range_for_row(Binder *b, const AstShow *ast, Rel **out);
/* bind_zone.c: the query's text */
Status bind_show_zone(Binder *b, const AstShow *ast, const char **sql);

#endif
