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

/* Replicas in ascending order, the lease holder among them. */
static uint64_t pack(int lease, const uint8_t *replicas, int count)
{
    uint64_t placement = 0;
    bool used[NODES_MAX + 1] = {false};
    for (int i = 0; i < count; i++) used[replicas[i]] = true;
    assert(used[lease]);
    for (int node = NODES_MAX; node > 0; node--)
        if (used[node]) placement = placement << 8 | (uint64_t)node;
    return placement << 8 | (uint64_t)lease;
}

static int unpack(uint64_t placement, uint8_t *replicas)
{
    int count = 0;
    for (placement >>= 8; placement; placement >>= 8) replicas[count++] = (uint8_t)(placement & 0xff);
    return count;
}

static void count_placement(Directory *directory, uint64_t placement, int change)
{
    uint8_t replicas[RANGE_REPLICAS_MAX + 1];
    int count = unpack(placement, replicas);
    directory->nodes[placement_lease(placement)].leases += change;
    for (int i = 0; i < count; i++) directory->nodes[replicas[i]].replicas += change;
}

static void set_placement(Directory *directory, Range *range, uint64_t placement)
{
    count_placement(directory, placement_of(range), -1);
    atomic_store_explicit(&range->placement, placement, memory_order_relaxed);
    count_placement(directory, placement, 1);
}

/* The node with the fewest replicas that is not in the list. */
static int emptiest_node(const Directory *directory, const uint8_t *except, int count)
{
    int best = 0;
    for (int node = 1; node <= directory->node_count; node++) {
        bool taken = false;
        for (int i = 0; i < count; i++) taken |= except[i] == node;
        if (!taken && (!best || directory->nodes[node].replicas < directory->nodes[best].replicas)) best = node;
    }
    return best;
}

static int fill_replicas(const Directory *directory, uint8_t *replicas, int count, int wanted)
{
    for (int node; count < wanted && (node = emptiest_node(directory, replicas, count)); count++) replicas[count] = (uint8_t)node;
    return count;
}

static int fewest_leases(const Directory *directory)
{
    int best = 1;
    for (int node = 2; node <= directory->node_count; node++)
        if (directory->nodes[node].leases < directory->nodes[best].leases) best = node;
    return best;
}

void topology_spread(Directory *directory, Range *range)
{
    uint8_t replicas[RANGE_REPLICAS_MAX] = {(uint8_t)fewest_leases(directory)};
    int lease = replicas[0], count = fill_replicas(directory, replicas, 1, REPLICAS_DEFAULT);
    atomic_store(&range->placement, pack(lease, replicas, count));
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

static bool is_possible(const Directory *directory, uint64_t placement)
{
    uint8_t replicas[RANGE_REPLICAS_MAX + 1];
    int count = unpack(placement, replicas), lease = placement_lease(placement);
    bool leads = false;
    for (int i = 0; i < count; i++) {
        if (replicas[i] > directory->node_count) return false;
        leads |= replicas[i] == lease;
    }
    return leads;
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
            uint8_t replicas[RANGE_REPLICAS_MAX + 1];
            int count = unpack(placement_of(map->chunks[c]->items[i]), replicas);
            for (int r = 0; r < count; r++) list[replicas[r] - 1].replica_bytes += range_bytes(map->chunks[c]->items[i]);
        }
    }
    pthread_mutex_unlock(&directory->mutex);
    *nodes = list;
    return directory->node_count;
}

/* ---- by statement ---- */

/* The placement with the lease on another node, which takes the old holder's replica where it has none. */
static uint64_t with_lease(uint64_t placement, int node)
{
    uint8_t replicas[RANGE_REPLICAS_MAX + 1];
    int count = unpack(placement, replicas);
    bool has = false;
    for (int i = 0; i < count; i++) has |= replicas[i] == node;
    for (int i = 0; i < count && !has; i++)
        if (replicas[i] == placement_lease(placement)) replicas[i] = (uint8_t)node;
    return pack(node, replicas, count);
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

typedef struct NodeSet {
    const uint8_t *nodes;
    int count;
} NodeSet;

static uint64_t replicas_moved(uint64_t before, const void *argument)
{
    const NodeSet *set = argument;
    int lease = set->nodes[0];
    for (int i = 0; i < set->count; i++)
        if (set->nodes[i] == placement_lease(before)) lease = set->nodes[i];
    return pack(lease, set->nodes, set->count);
}

Status directory_place(Directory *directory, Slice key, const uint8_t *nodes, int count, Error *err)
{
    NodeSet set = {nodes, count};
    if (count < 1 || count > RANGE_REPLICAS_MAX) return no_node(0, err);
    for (int i = 0; i < count; i++)
        if (nodes[i] < 1 || nodes[i] > directory->node_count) return no_node(nodes[i], err);
    return place_range(directory, key, replicas_moved, &set, err);
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
        uint8_t replicas[RANGE_REPLICAS_MAX + 1];
        int count = unpack(placement_of(range), replicas);
        for (int i = 0; i < count; i++) replicas[i] = (uint8_t)((lease - 1 + i) % nodes + 1);
        uint64_t after = pack(lease, replicas, count);
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
            if (lease == loads.busiest && rate > gap * 0.05 && rate < gap * 0.95 &&
                (!best || (rate - gap / 2) * (rate - gap / 2) < (rate_of(best, now_ns) - gap / 2) * (rate_of(best, now_ns) - gap / 2)))
                best = range;
            if (lease == loads.idlest && rate < gap * 0.01 && !idle) idle = range;
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
            int lease = placement_lease(placement_of(range)), to = fewest_leases(directory);
            if (directory->nodes[lease].leases <= most || directory->nodes[to].leases + 1 >= directory->nodes[lease].leases) continue;
            if (rate_of(range, now_ns) > 1) continue;
            set_placement(directory, range, with_lease(placement_of(range), to));
            moved++;
        }
    }
    return moved;
}

/* More or fewer replicas; the lease stays. */
static uint64_t with_replicas(const Directory *directory, uint64_t placement, int wanted)
{
    uint8_t replicas[RANGE_REPLICAS_MAX + 1];
    int count = fill_replicas(directory, replicas, unpack(placement, replicas), wanted), lease = placement_lease(placement);
    while (count > wanted) {
        int fullest = -1;
        for (int i = 0; i < count; i++)
            if (replicas[i] != lease && (fullest < 0 || directory->nodes[replicas[i]].replicas > directory->nodes[replicas[fullest]].replicas))
                fullest = i;
        replicas[fullest] = replicas[--count];
    }
    return pack(lease, replicas, count);
}

/* Where the number of replicas is not what the limits want. */
static int balance_replicas(Directory *directory)
{
    int moved = 0;
    RangeDesc *ranges;
    if (!atomic_exchange(&directory->replicas_to_judge, false)) return 0;
    Arena *arena = arena_create(NULL, 0);
    int count = directory_list(directory, (Slice){0}, (Slice){0}, &ranges, arena);
    for (int i = 0; i < count; i++) {
        int wanted = directory_limits(directory, ranges[i].start).replicas;
        if (wanted > directory->node_count) wanted = directory->node_count;
        if (wanted > RANGE_REPLICAS_MAX) wanted = RANGE_REPLICAS_MAX;
        if (wanted < 1 || ranges[i].replica_count == wanted) continue;
        pthread_mutex_lock(&directory->mutex);
        Range *range = range_map_get(&directory->ranges, ranges[i].start);
        set_placement(directory, range, with_replicas(directory, placement_of(range), wanted));
        pthread_mutex_unlock(&directory->mutex);
        moved++;
    }
    arena_destroy(arena);
    return moved;
}

int directory_rebalance(Directory *directory)
{
    if (directory->node_count < 2) return 0;
    int replicas = balance_replicas(directory);
    uint64_t now_ns = clock_monotonic_ns();
    pthread_mutex_lock(&directory->mutex);
    int moved = balance_counts(directory, now_ns) + balance_load(directory, now_ns);
    pthread_mutex_unlock(&directory->mutex);
    return moved + replicas;
}
