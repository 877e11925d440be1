/* bind_ddl_rename.h - column names inside the expressions that the catalog keeps as text. */
#ifndef PLANNER_BIND_BIND_DDL_RENAME_H
#define PLANNER_BIND_BIND_DDL_RENAME_H

#include "planner/bind/bind_ddl.h"

bool ddl_text_uses_column(Binder *b, const char *expr_text, const char *column);
Status ddl_rename_column_in_text(Binder *b, const char **expr_text, const char *old_name, const char *new_name);
/* Does the text of a query hold that word as an identifier? May say yes too often, never too rarely. */
bool ddl_query_uses_name(Binder *b, const char *query_text, const char *name);

#endif
