/* check.h - is a store whole? Catalog, rows, indexes, constraints, sequences, ranges, each against the others.
 *
 * Everything is read from snapshots, so a running server may be checked while it works. Findings are reported as they
 * are met. ST_ERROR: the check could not be made, or not to its end.
 */
#ifndef EXECUTOR_CHECK_CHECK_H
#define EXECUTOR_CHECK_CHECK_H

#include "executor/stmt.h"
#include "storage/base/finding.h"

/* The store of an open server. */
Status check_server(Server *server, Findings *findings, Arena *arena, Error *err);
/* A data directory that nobody has open: 55006 otherwise. */
Status check_directory(const char *directory, Findings *findings, Arena *arena, Error *err);

#endif
