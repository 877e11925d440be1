/* Nodes, simulated: one process holds everything, but each range has a lease holder and replicas among n1..nN, and all work
 * on a range is booked to its lease holder. So a laptop shows which machines of a cluster would be busy.
 *
 * Placement is known in memory; it is written down with the range's record, whenever that is written, and at once where a
 * statement asked for it. What the background moved and was not written is moved again after a restart.
 */
#include <assert.h>
#include <stdlib.h>

#include "storage/base/clock.h"
#include "storage/range/directory_internal.h"

enum { REPLICAS_DEFAULT = 3 };

static uint64_t placement_of(const Range *range)
{
    return atomic_load_explicit(&range->placement, memory_order_relaxed);
}

static void count_placement(Directory *directory, uint64_t packed, int change)
{
    Placement placement = placement_read(packed);
    directory->nodes[placement.lease].leases += change;
    for (NodeSet left = placement_replicas(&placement); left; left &= left - 1)
        directory->nodes[node_set_first(left)].replicas += change;
}

static void set_placement(Directory *directory, Range *range, uint64_t placement)
{
    count_placement(directory, placement_of(range), -1);
    atomic_store_explicit(&range->placement, placement, memory_order_relaxed);
    count_placement(directory, placement, 1);
}

/* Adds nodes with few replicas, of those that there are. */
static NodeSet fill(const Directory *directory, NodeSet nodes, NodeSet except, int wanted)
{
    for (int node; node_set_count(nodes) < wanted; nodes |= node_bit(node))
        if (!(node = placement_emptiest(directory, ~(nodes | except)))) break;
    return nodes;
}

void topology_spread(Directory *directory, Range *range)
{
    Placement placement = {.lease = placement_fewest_leases(directory, UINT64_MAX)};
    placement.voters = fill(directory, node_bit(placement.lease), 0, REPLICAS_DEFAULT);
    atomic_store(&range->placement, placement_pack(&placement));
}

void topology_plan(Directory *directory, const RangeList *fresh)
{
    enum { FAR = 1 << 20 };
    int64_t dealt[NODES_MAX + 1] = {0};
    for (int i = 0; i < fresh->count; i++) {
        if (placement_of(fresh->items[i])) continue;
        topology_spread(directory, fresh->items[i]);
        int node = placement_lease(placement_of(fresh->items[i]));
        /* Neighbours are dealt in turn, so that the buckets of an index lie evenly whatever else there is. */
        dealt[node]++;
        directory->nodes[node].leases += FAR;
    }
    for (int node = 1; node <= directory->node_count; node++) directory->nodes[node].leases -= dealt[node] * FAR;
}

static bool is_possible(const Directory *directory, uint64_t packed)
{
    Placement placement = placement_read(packed);
    NodeSet replicas = placement_replicas(&placement);
    bool fits = directory->node_count == NODES_MAX || !(replicas >> directory->node_count);
    return packed && fits && placement.voters & node_bit(placement.lease);
}

void topology_enter(Directory *directory, Range *range)
{
    if (!placement_of(range)) topology_spread(directory, range);
    count_placement(directory, placement_of(range), 1);
}

void topology_leave(Directory *directory, const Range *range)
{
    count_placement(directory, placement_of(range), -1);
}

void topology_start(Directory *directory, int nodes)
{
    assert(nodes >= 1 && nodes <= NODES_MAX);
    pthread_mutex_lock(&directory->mutex);
    directory->node_count = nodes;
    RangeMap *map = &directory->ranges;
    for (int c = 0; c < map->count; c++) {
        for (int i = 0; i < map->chunks[c]->count; i++) {
            Range *range = map->chunks[c]->items[i];
            if (!is_possible(directory, placement_of(range))) topology_spread(directory, range);
            topology_enter(directory, range);
        }
    }
    pthread_mutex_unlock(&directory->mutex);
}

int directory_node_count(Directory *directory)
{
    return directory->node_count;
}

int directory_nodes(Directory *directory, NodeDesc **nodes, Arena *arena)
{
    directory_collect_notes(directory);
    uint64_t now_ns = clock_monotonic_ns();
    NodeDesc *list = ARENA_ARRAY(arena, NodeDesc, directory->node_count);
    pthread_mutex_lock(&directory->mutex);
    for (int i = 0; i < directory->node_count; i++) {
        const Node *node = &directory->nodes[i + 1];
        double factor = load_rates_factor(&node->rates, now_ns);
        list[i] = (NodeDesc){.id = i + 1,
                             .leases = node->leases,
                             .replicas = node->replicas,
                             .requests_per_second = node->rates.requests * factor,
                             .cpu_share = node->rates.busy_ns * factor * 1e-9,
                             .read_bytes_per_second = node->rates.read_bytes * factor,
                             .write_bytes_per_second = node->rates.write_bytes * factor,
                             .writes_per_second = node->rates.writes * factor,
                             .work = node->work};
    }
    const RangeMap *map = &directory->ranges;
    for (int c = 0; c < map->count; c++) {
        for (int i = 0; i < map->chunks[c]->count; i++) {
            const Range *range = map->chunks[c]->items[i];
            Placement placement = placement_read(placement_of(range));
            for (NodeSet left = placement_replicas(&placement); left; left &= left - 1)
                list[node_set_first(left) - 1].replica_bytes += range_bytes(range);
        }
    }
    pthread_mutex_unlock(&directory->mutex);
    *nodes = list;
    return directory->node_count;
}

/* ---- by statement ---- */

/* The placement with the lease on another node, which takes the old holder's replica where it has none, and its vote. */
static uint64_t with_lease(uint64_t packed, int node)
{
    Placement placement = placement_read(packed);
    NodeSet to = node_bit(node), from = node_bit(placement.lease);
    if (!(placement.voters & to)) placement.voters = (placement.voters & ~from) | to;
    if (placement.non_voters & to) placement.non_voters = (placement.non_voters & ~to) | from;
    placement.lease = node;
    return placement_pack(&placement);
}

static Status no_node(int node, Error *err)
{
    *err = (Error){.sqlstate = ERR_INVALID_PARAMETER_VALUE, .message = node < 1 ? "a node id is 1 or more" : "there is no such node"};
    return ST_ERROR;
}

static Status place_range(Directory *directory, Slice key, uint64_t (*placed)(uint64_t before, const void *argument),
                          const void *argument, Error *err)
{
    Change *change = change_create(directory);
    Range *range = range_map_get(&directory->ranges, key);
    uint64_t before = placement_of(range), after = placed(before, argument);
    change->placed = true;
    if (after != before) atomic_store(&change_plan_rewrite(change, range)->placement, after);
    return change_run(directory, change, err);
}

static uint64_t lease_moved(uint64_t before, const void *argument)
{
    return with_lease(before, *(const int *)argument);
}

Status directory_move_lease(Directory *directory, Slice key, int node, Error *err)
{
    if (node < 1 || node > directory->node_count) return no_node(node, err);
    return place_range(directory, key, lease_moved, &node, err);
}

/* Replicas may have been added since it was checked that there is room. */
static uint64_t pack_at_most(Placement *placement)
{
    while (node_set_count(placement_replicas(placement)) > RANGE_REPLICAS_MAX) placement->non_voters &= placement->non_voters - 1;
    return placement_pack(placement);
}

static uint64_t voters_moved(uint64_t before, const void *argument)
{
    const Placement *wanted = argument; /* its lease: if the holder is none of them */
    Placement after = placement_read(before);
    after.voters = wanted->voters;
    after.non_voters &= ~wanted->voters;
    if (!(after.voters & node_bit(after.lease))) after.lease = wanted->lease;
    return pack_at_most(&after);
}

/* All of them are there, and no more than a range can have. */
static Status read_nodes(const Directory *directory, const uint8_t *nodes, int count, NodeSet *set, Error *err)
{
    *set = 0;
    for (int i = 0; i < count; i++) {
        if (nodes[i] < 1 || nodes[i] > directory->node_count) return no_node(nodes[i], err);
        *set |= node_bit(nodes[i]);
    }
    return ST_OK;
}

static Status check_count(NodeSet replicas, Error *err)
{
    if (node_set_count(replicas) <= RANGE_REPLICAS_MAX) return ST_OK;
    *err = (Error){.sqlstate = ERR_INVALID_PARAMETER_VALUE, .message = "a range has at most 7 replicas"};
    return ST_ERROR;
}

/* Both kinds of replicas as they are now; change_mutex is not held, so that it is but a check before the change. */
static Placement placement_now(Directory *directory, Slice key)
{
    pthread_mutex_lock(&directory->mutex);
    Placement now = placement_read(placement_of(range_map_get(&directory->ranges, key)));
    pthread_mutex_unlock(&directory->mutex);
    return now;
}

Status directory_place(Directory *directory, Slice key, const uint8_t *nodes, int count, Error *err)
{
    Placement wanted = {0}, now = placement_now(directory, key);
    if (count < 1) return no_node(0, err);
    TRY(read_nodes(directory, nodes, count, &wanted.voters, err));
    TRY(check_count(wanted.voters | now.non_voters, err));
    wanted.lease = nodes[0];
    return place_range(directory, key, voters_moved, &wanted, err);
}

static uint64_t non_voters_moved(uint64_t before, const void *argument)
{
    Placement after = placement_read(before);
    after.non_voters = *(const NodeSet *)argument & ~after.voters;
    return pack_at_most(&after);
}

Status directory_place_non_voters(Directory *directory, Slice key, const uint8_t *nodes, int count, Error *err)
{
    NodeSet wanted;
    Placement now = placement_now(directory, key);
    TRY(read_nodes(directory, nodes, count, &wanted, err));
    if (wanted & now.voters) {
        *err = (Error){.sqlstate = ERR_INVALID_PARAMETER_VALUE, .message = "a voting replica is on one of these nodes already"};
        return ST_ERROR;
    }
    TRY(check_count(wanted | now.voters, err));
    return place_range(directory, key, non_voters_moved, &wanted, err);
}

Status directory_scatter(Directory *directory, Slice start, Slice end, Error *err)
{
    Change *change = change_create(directory);
    const RangeMap *map = &directory->ranges;
    Range *range;
    change->placed = true;
    uint64_t dealt = clock_monotonic_ns() >> 10;
    for (RangePlace place = range_map_find(map, start);
         (range = range_map_at(map, place)) && slice_compare(range->start, end) < 0; place = range_map_next(map, place)) {
        int nodes = directory->node_count, lease = (int)(dealt++ % (uint64_t)nodes) + 1;
        Placement before = placement_read(placement_of(range)), dealt_out = {.lease = lease};
        int count = node_set_count(placement_replicas(&before)), voters = node_set_count(before.voters);
        for (int i = 0; i < count; i++)
            *(i < voters ? &dealt_out.voters : &dealt_out.non_voters) |= node_bit((lease - 1 + i) % nodes + 1);
        uint64_t after = placement_pack(&dealt_out);
        if (after != placement_of(range)) atomic_store(&change_plan_rewrite(change, range)->placement, after);
    }
    return change_run(directory, change, err);
}

/* ---- in the background ---- */

static double rate_of(const Range *range, uint64_t now_ns)
{
    return range->load ? range->load->rates.requests * load_rates_factor(&range->load->rates, now_ns) : 0;
}

typedef struct Loads {
    double requests[NODES_MAX + 1]; /* of the ranges that each node leads now */
    double mean;
    int busiest, idlest;
} Loads;

static void measure(const Directory *directory, Loads *loads, uint64_t now_ns)
{
    const RangeMap *map = &directory->ranges;
    *loads = (Loads){.busiest = 1, .idlest = 1};
    for (int c = 0; c < map->count; c++)
        for (int i = 0; i < map->chunks[c]->count; i++)
            loads->requests[placement_lease(placement_of(map->chunks[c]->items[i]))] += rate_of(map->chunks[c]->items[i], now_ns);
    for (int node = 1; node <= directory->node_count; node++) {
        loads->mean += loads->requests[node] / directory->node_count;
        if (loads->requests[node] > loads->requests[loads->busiest]) loads->busiest = node;
        if (loads->requests[node] < loads->requests[loads->idlest]) loads->idlest = node;
    }
}

static bool may_lead(const Range *range, int node)
{
    return !range->leases_on || range->leases_on & node_bit(node);
}

/* Where the busiest node has clearly more than its share, the range whose load comes closest to half the difference to the
 * idlest one is exchanged for one there that does next to nothing. A node with one hot range keeps it: moving helps nobody. */
static int balance_load(Directory *directory, uint64_t now_ns)
{
    static const double EXCESS = 1.1, REQUESTS_MIN = 10;
    Loads loads;
    Range *best = NULL, *idle = NULL;
    const RangeMap *map = &directory->ranges;
    measure(directory, &loads, now_ns);
    double gap = loads.requests[loads.busiest] - loads.requests[loads.idlest];
    if (loads.requests[loads.busiest] < loads.mean * EXCESS + REQUESTS_MIN) return 0;
    for (int c = 0; c < map->count; c++) {
        for (int i = 0; i < map->chunks[c]->count; i++) {
            Range *range = map->chunks[c]->items[i];
            int lease = placement_lease(placement_of(range));
            double rate = rate_of(range, now_ns);
            if (lease == loads.busiest && rate > gap * 0.05 && rate < gap * 0.95 && may_lead(range, loads.idlest) &&
                (!best || (rate - gap / 2) * (rate - gap / 2) < (rate_of(best, now_ns) - gap / 2) * (rate_of(best, now_ns) - gap / 2)))
                best = range;
            if (lease == loads.idlest && rate < gap * 0.01 && !idle && may_lead(range, loads.busiest)) idle = range;
        }
    }
    if (!best) return 0;
    set_placement(directory, best, with_lease(placement_of(best), loads.idlest));
    if (idle) set_placement(directory, idle, with_lease(placement_of(idle), loads.busiest));
    return 1;
}

/* Leases in excess of the mean go to the nodes that have the fewest. What has load stays where the load put it. */
static int balance_counts(Directory *directory, uint64_t now_ns)
{
    enum { MOVES_MAX = 256 };
    const RangeMap *map = &directory->ranges;
    int moved = 0, most = (map->range_count + directory->node_count - 1) / directory->node_count;
    for (int c = 0; c < map->count && moved < MOVES_MAX; c++) {
        for (int i = 0; i < map->chunks[c]->count && moved < MOVES_MAX; i++) {
            Range *range = map->chunks[c]->items[i];
            int lease = placement_lease(placement_of(range));
            int to = placement_fewest_leases(directory, range->leases_on ? range->leases_on : UINT64_MAX);
            if (directory->nodes[lease].leases <= most || directory->nodes[to].leases + 1 >= directory->nodes[lease].leases) continue;
            if (rate_of(range, now_ns) > 1) continue;
            set_placement(directory, range, with_lease(placement_of(range), to));
            moved++;
        }
    }
    return moved;
}

/* More or fewer replicas that vote; the lease stays. */
static Placement with_replicas(const Directory *directory, Placement placement, int wanted)
{
    placement.voters = fill(directory, placement.voters, placement.non_voters, wanted - node_set_count(placement.non_voters));
    while (node_set_count(placement_replicas(&placement)) > wanted && placement.non_voters) placement.non_voters &= placement.non_voters - 1;
    while (node_set_count(placement.voters) > wanted) {
        int fullest = 0;
        for (NodeSet left = placement.voters & ~node_bit(placement.lease); left; left &= left - 1) {
            int node = node_set_first(left);
            if (!fullest || directory->nodes[node].replicas > directory->nodes[fullest].replicas) fullest = node;
        }
        placement.voters &= ~node_bit(fullest);
    }
    return placement;
}

/* What the limits make of the placement of a range. */
static Placement judge(const Directory *directory, Range *range, const RangeLimits *limits)
{
    Placement placement = placement_read(placement_of(range));
    int wanted = limits->replicas > directory->node_count ? directory->node_count : limits->replicas;
    if (wanted > RANGE_REPLICAS_MAX) wanted = RANGE_REPLICAS_MAX;
    range->leases_on = 0;
    if (placement_has_rules(&limits->placement)) return placement_by_rules(directory, limits, &placement, &range->leases_on);
    if (wanted < 1 || node_set_count(placement_replicas(&placement)) == wanted) return placement;
    return with_replicas(directory, placement, wanted);
}

/* Where replicas and leases are not as the limits want them. */
static int balance_replicas(Directory *directory)
{
    int moved = 0;
    RangeDesc *ranges;
    if (!atomic_exchange(&directory->replicas_to_judge, false)) return 0;
    Arena *arena = arena_create(NULL, 0);
    int count = directory_list(directory, (Slice){0}, (Slice){0}, &ranges, arena);
    for (int i = 0; i < count; i++) {
        RangeLimits limits = directory_limits(directory, ranges[i].start);
        pthread_mutex_lock(&directory->mutex);
        Range *range = range_map_get(&directory->ranges, ranges[i].start);
        assert(range);
        Placement after = judge(directory, range, &limits);
        uint64_t packed = placement_pack(&after);
        if (packed != placement_of(range)) {
            set_placement(directory, range, packed);
            moved++;
        }
        pthread_mutex_unlock(&directory->mutex);
    }
    arena_destroy(arena);
    return moved;
}

int directory_rebalance(Directory *directory)
{
    RangeConfig config;
    if (directory->node_count < 2) return 0;
    int replicas = balance_replicas(directory);
    directory_read_config(directory, &config);
    if (!config.rebalance) return replicas;
    uint64_t now_ns = clock_monotonic_ns();
    pthread_mutex_lock(&directory->mutex);
    int moved = balance_counts(directory, now_ns) + balance_load(directory, now_ns);
    pthread_mutex_unlock(&directory->mutex);
    return moved + replicas;
}
