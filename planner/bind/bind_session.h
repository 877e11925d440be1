/* bind_session.h - what bind_session.c and bind_copy.c share. Inside bind/ only. */
#ifndef PLANNER_BIND_BIND_SESSION_H
#define PLANNER_BIND_BIND_SESSION_H

#include "planner/bind/bind.h"

const char *option_text(const AstOption *option); /* NULL: no option, or it has no plain value */
/* A name alone is true; *out is not touched if there is no option. 42601 for what is no boolean. */
Status option_bool(Binder *binder, const AstOption *option, bool *out);

Status bind_copy(Binder *binder, const AstCopy *copy, Plan **out);
/* bind_constraints.c */
Status bind_set_constraints(Binder *binder, const AstSetConstraints *ast, Plan **out);

#endif
