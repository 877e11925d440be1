/* placement.h - which nodes have a replica of a range, which of these vote, and which one has the lease. Inside storage/range.
 *
 * Packed into 8 bytes, as records have it: byte 0 the lease holder, bytes 1..7 the replicas, ascending, 0 for none, with bit 7 set
 * where one does not vote. The directory's mutex is held wherever a Directory is passed.
 */
#ifndef STORAGE_RANGE_PLACEMENT_H
#define STORAGE_RANGE_PLACEMENT_H

#include "storage/range/range.h"

typedef struct Placement {
    int lease;
    NodeSet voters, non_voters;
} Placement;
Placement placement_read(uint64_t packed);
uint64_t placement_pack(const Placement *placement);
static inline NodeSet placement_replicas(const Placement *placement)
{
    return placement->voters | placement->non_voters;
}
static inline int node_set_count(NodeSet nodes)
{
    return __builtin_popcountll(nodes);
}
/* The lowest node; the set is not empty. */
static inline int node_set_first(NodeSet nodes)
{
    return __builtin_ctzll(nodes) + 1;
}
/* Of these the node with the fewest replicas, or leases; 0: the set is empty. */
int placement_emptiest(const Directory *directory, NodeSet among);
int placement_fewest_leases(const Directory *directory, NodeSet among);
bool placement_has_rules(const RangePlacement *rules);
/* What the rules make of the placement, moving as little as possible; and where the lease may be. */
Placement placement_by_rules(const Directory *directory, const RangeLimits *limits, const Placement *before, NodeSet *leases_on);
static inline int placement_lease(uint64_t packed)
{
    return (int)(packed & 0xff);
}

#endif
