/* copy.h - COPY FROM STDIN and TO STDOUT: the part between a portal and the formats. */
#ifndef EXECUTOR_COPY_H
#define EXECUTOR_COPY_H

#include "executor/stmt_internal.h"
#include "planner/utility_session.h"

/* Makes portal->copy_in or portal->copy_out; nothing is read or run yet. */
Status copy_bind(Portal *portal, const UtilityCopy *copy, Error *err);
void copy_close(Portal *portal); /* nothing open: nothing done */

#endif
