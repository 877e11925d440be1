#include "storage/range/placement.h"

#include <assert.h>

#include "storage/range/directory_internal.h"

enum { NO_VOTER = 0x80 };

Placement placement_read(uint64_t packed)
{
    Placement placement = {.lease = placement_lease(packed)};
    for (packed >>= 8; packed; packed >>= 8) {
        NodeSet node = node_bit((int)(packed & (NO_VOTER - 1)));
        if (packed & NO_VOTER) placement.non_voters |= node;
        else placement.voters |= node;
    }
    return placement;
}

uint64_t placement_pack(const Placement *placement)
{
    uint64_t packed = 0;
    assert(placement->voters & node_bit(placement->lease));
    assert(!(placement->voters & placement->non_voters));
    assert(node_set_count(placement_replicas(placement)) <= RANGE_REPLICAS_MAX);
    for (int node = NODES_MAX; node > 0; node--) {
        if (placement->voters & node_bit(node)) packed = packed << 8 | (uint64_t)node;
        else if (placement->non_voters & node_bit(node)) packed = packed << 8 | NO_VOTER | (uint64_t)node;
    }
    return packed << 8 | (uint64_t)placement->lease;
}

int placement_emptiest(const Directory *directory, NodeSet among)
{
    int best = 0;
    for (int node = 1; node <= directory->node_count; node++)
        if (among & node_bit(node) && (!best || directory->nodes[node].replicas < directory->nodes[best].replicas)) best = node;
    return best;
}

int placement_fewest_leases(const Directory *directory, NodeSet among)
{
    int best = 0;
    for (int node = 1; node <= directory->node_count; node++)
        if (among & node_bit(node) && (!best || directory->nodes[node].leases < directory->nodes[best].leases)) best = node;
    return best;
}

/* ---- rules ---- */

bool placement_has_rules(const RangePlacement *rules)
{
    return rules->voters || rules->replica_rules.all_on || rules->replica_rules.count || rules->voter_rules.all_on ||
           rules->voter_rules.count || rules->lease_count;
}

typedef struct Choice {
    const Directory *directory;
    NodeSet chosen, preferred; /* preferred: where there is one already */
    int wanted;
} Choice;

/* Adds nodes of the set until it has `count` of those chosen, or the choice is complete. */
static void choose(Choice *choice, NodeSet among, int count)
{
    while (node_set_count(choice->chosen & among) < count && node_set_count(choice->chosen) < choice->wanted) {
        NodeSet left = among & ~choice->chosen;
        int node = placement_emptiest(choice->directory, left & choice->preferred ? left & choice->preferred : left);
        if (!node) return;
        choice->chosen |= node_bit(node);
    }
}

static NodeSet all_nodes(const Directory *directory)
{
    return directory->node_count == NODES_MAX ? UINT64_MAX : node_bit(directory->node_count + 1) - 1;
}

/* First what rules count, then anywhere they allow, in the end anywhere. */
static NodeSet choose_by(const Directory *directory, const PlacementRules *rules, NodeSet among, NodeSet preferred, int wanted)
{
    Choice choice = {directory, 0, preferred, wanted};
    NodeSet allowed = rules->all_on ? among & rules->all_on : among;
    for (int i = 0; i < rules->count; i++) choose(&choice, allowed & rules->items[i].nodes, rules->items[i].count);
    choose(&choice, allowed, wanted);
    choose(&choice, among, wanted);
    return choice.chosen;
}

static int at_most(int count, int most)
{
    return count > most ? most : count;
}

/* Voters are chosen first, as both kinds of rules hold for them, then who fills up the rest. */
Placement placement_by_rules(const Directory *directory, const RangeLimits *limits, const Placement *before, NodeSet *leases_on)
{
    const RangePlacement *rules = &limits->placement;
    NodeSet everywhere = all_nodes(directory), replicas_before = placement_replicas(before);
    int replicas = at_most(at_most(limits->replicas > 0 ? limits->replicas : 1, directory->node_count), RANGE_REPLICAS_MAX);
    int voters = rules->voters ? at_most(rules->voters, replicas) : replicas;
    NodeSet chosen = choose_by(directory, &rules->replica_rules, everywhere, replicas_before, replicas);
    Placement after = {0};
    if (rules->voter_rules.all_on || rules->voter_rules.count) {
        /* What voters need comes first; the rest of the choice is made around them. */
        NodeSet allowed = rules->replica_rules.all_on ? rules->replica_rules.all_on : everywhere;
        after.voters = choose_by(directory, &rules->voter_rules, allowed & everywhere, chosen | replicas_before, voters);
        Choice rest = {directory, after.voters, replicas_before, replicas};
        for (int i = 0; i < rules->replica_rules.count; i++)
            choose(&rest, allowed & rules->replica_rules.items[i].nodes, rules->replica_rules.items[i].count);
        choose(&rest, allowed, replicas);
        choose(&rest, everywhere, replicas);
        chosen = rest.chosen;
    } else {
        after.voters = choose_by(directory, &rules->voter_rules, chosen, before->voters, voters);
    }
    after.non_voters = chosen & ~after.voters;
    *leases_on = after.voters;
    for (int i = rules->lease_count - 1; i >= 0; i--)
        if (after.voters & rules->leases_on[i]) *leases_on = after.voters & rules->leases_on[i];
    after.lease = before->lease;
    if (!(*leases_on & node_bit(before->lease))) after.lease = placement_fewest_leases(directory, *leases_on);
    return after;
}
