/* locality.h - where the simulated nodes stand, and what zones ask of it.
 *
 * --localities "region=eu,zone=a;region=us" deals localities to the nodes in turn; where there are several nodes each has
 * the tier simulated=n<id> in front. A constraint is +tier=value or -tier=value; CockroachDB's forms:
 *
 *   constraints, voter_constraints   '[+region=eu, -zone=a]' for every replica, or '{"+region=eu,+zone=a": 1, +region=us: 2}'
 *   lease_preferences                '[[+region=eu], [+region=us]]', the best first
 *
 * 22023 for what cannot be read, or names a place where no node is. `canonical` is how SHOW ZONE CONFIGURATION prints it.
 */
#ifndef EXECUTOR_LOCALITY_H
#define EXECUTOR_LOCALITY_H

#include "executor/stmt_internal.h"
#include "storage/range/range.h"

Status localities_check(const char *localities, Arena *arena, Error *err); /* NULL is allowed */
/* "simulated=n2,region=us"; empty where there is nothing to tell. */
const char *locality_of_node(const Server *server, int node, Arena *arena);
/* The value of one tier, "us" of region; NULL: the node has none. */
const char *locality_of_tier(const Server *server, int node, const char *tier, Arena *arena);

Status constraints_parse(const Server *server, const char *text, PlacementRules *rules, const char **canonical, Arena *arena, Error *err);
Status lease_preferences_parse(const Server *server, const char *text, RangePlacement *placement, const char **canonical, Arena *arena, Error *err);

#endif
