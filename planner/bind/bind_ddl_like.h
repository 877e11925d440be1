/* bind_ddl_like.h - LIKE in CREATE TABLE. Inside bind/ only. */
#ifndef PLANNER_BIND_BIND_DDL_LIKE_H
#define PLANNER_BIND_BIND_DDL_LIKE_H

#include "planner/bind/bind_ddl.h"

bool ddl_like_includes(const AstTableLike *ast, const char *what);
/* A table or a view. */
Status ddl_like_source(Binder *b, const AstTableLike *ast, const Desc **source);
Status ddl_like_columns(TableDraft *d, const AstTableLike *ast);
/* The primary key that comes with INCLUDING INDEXES, if the table has none; *has_primary: it has one. */
Status ddl_like_primary(TableDraft *d, const AstTableElemVec *elems, bool *has_primary);
/* Checks and further indexes. */
Status ddl_like_rest(TableDraft *d, const AstTableElemVec *elems);

#endif
