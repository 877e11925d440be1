/* range.h - the key space cut into ranges.
 *
 * A Directory belongs to an engine handle; store_open makes both. Descriptors lie under /Meta2 by end key and are cached in memory, ordered; changes are
 * atomic and durable by themselves, outside the surrounding transaction (ROLLBACK does not undo a split).
 * Boundaries: table and index starts (made when their first key space appears: directory_add_boundary), SPLIT AT, size, load.
 * Counters count the pairs of everything but the directory itself. A range keeps its id when it is cut, its right part gets
 * a new one. All functions may be called from any thread, but none while an engine's observer runs.
 */
#ifndef STORAGE_RANGE_RANGE_H
#define STORAGE_RANGE_RANGE_H

#include "storage/base/list.h"
#include "storage/kv/kv.h"

typedef struct Directory Directory;

/* Work done on a range or by a node, in all since the range was made or the server started. */
typedef struct RangeWork {
    uint64_t requests;    /* reads: look-ups and steps of a scan; writes: pairs */
    uint64_t reads, read_bytes, writes, write_bytes; /* pairs and their bytes; writes are those committed */
    uint64_t busy_ns;     /* time in the store on behalf of the requests */
} RangeWork;

enum { RANGE_REPLICAS_MAX = 7, NODES_MAX = 64 };
typedef uint64_t NodeSet; /* node n is the bit 1 << (n - 1) */
static inline NodeSet node_bit(int node)
{
    return UINT64_C(1) << (node - 1);
}

/* Why the last attempt to cut a range came to nothing. */
typedef enum RangeRefusal {
    REFUSAL_NONE,
    REFUSAL_ONE_ROW,       /* too large, but one row */
    REFUSAL_ONE_HASH_CODE, /* hash-sharded, and the middle row has the range's first hash code */
    REFUSAL_POPULAR_KEY,   /* hot, and one key has most of the requests */
    REFUSAL_DIRECTION,     /* hot, and the requests move one way */
    REFUSAL_NO_KEY,        /* hot, and no key parts the requests well */
} RangeRefusal;

typedef struct RangeDesc {
    int64_t id;              /* from 1, never reused */
    Slice start, end;        /* start empty: /Min; end ff ff: /Max */
    int64_t sticky_until_us; /* 0: may merge; INT64_MAX: for ever (2262-04-11 23:47:16.854776) */
    int64_t key_count, key_bytes, value_bytes; /* live, exact after each commit */
    int lease_holder;        /* node 1..N */
    int replica_count;
    uint8_t replicas[RANGE_REPLICAS_MAX]; /* nodes, ascending; the lease holder is one of them */
    NodeSet non_voters;      /* of the replicas; the lease holder is none of them */
    bool fixed;              /* it starts where a table or an index does: never merged to its left */
    /* Load of the last minute or so, decayed. */
    double requests_per_second, reads_per_second, writes_per_second; /* requests; pairs */
    double read_bytes_per_second, write_bytes_per_second;
    double cpu_share;        /* of one processor */
    RangeWork work;
    /* Of the requests sampled last; the key is empty where nothing was. */
    Slice popular_key;
    double popular_key_share;  /* 0..1 of the samples */
    double access_direction;   /* -1: to the left, 1: to the right, as appends do */
    RangeRefusal refusal;
} RangeDesc;

/* Reads the records (creating the first range of an empty store) and becomes the engine's observer: the counters of each
 * range move in the same commit as the pairs. nodes: how many are simulated, 1..NODES_MAX; ranges that lie on nodes that
 * are no more are placed anew. */
Status directory_open(Kv *kv, int nodes, Directory **directory, Arena *arena, Error *err);
void directory_close(Directory *directory);

/* The range that holds the key; texts in the arena. */
void directory_find(Directory *directory, Slice key, RangeDesc *range, Arena *arena);
/* All ranges that overlap [start, end), in key order. Returns the count. They fit together, though commits go on meanwhile. */
int directory_list(Directory *directory, Slice start, Slice end, RangeDesc **ranges, Arena *arena);
int directory_count(Directory *directory, Slice start, Slice end);
/* Table row counts and bytes from the counters: pairs of all ranges that overlap the span. */
void directory_span_stats(Directory *directory, Slice start, Slice end, int64_t *keys, int64_t *key_bytes, int64_t *value_bytes);

/* ---- boundaries ---- */

/* Makes the keys range starts, in one commit. Where one exists already only stickiness is rewritten (0 leaves it). */
Status directory_split(Directory *directory, const Slice *keys, int count, int64_t sticky_until_us, Error *err);
/* Boundaries that last as long as their table or index, in one commit. */
Status directory_add_boundaries(Directory *directory, const Slice *keys, int count, Error *err);
/* *was_start: false if key is not the start of a range. */
Status directory_unsplit(Directory *directory, Slice key, bool *was_start, Error *err);
/* Removes every boundary strictly inside (start, end), after a DROP or TRUNCATE. */
Status directory_forget(Directory *directory, Slice start, Slice end, Error *err);

/* ---- nodes: simulated, but for the first ---- */

typedef struct NodeDesc {
    int id;
    int64_t leases, replicas, replica_bytes; /* ranges it leads, ranges and bytes it has a copy of */
    double requests_per_second, cpu_share, read_bytes_per_second, write_bytes_per_second, writes_per_second;
    RangeWork work;
} NodeDesc;

int directory_node_count(Directory *directory);
int directory_nodes(Directory *directory, NodeDesc **nodes, Arena *arena);
/* The node that answers for the key. */
int directory_lease_holder(Directory *directory, Slice key);

/* Moves the lease of the range that holds the key, and a replica with it where the node has none; or all its replicas that
 * vote: the first of `nodes` gets the lease if the holder is not among them; or all that do not, which may be none. What is
 * asked for explicitly is written down at once. */
Status directory_move_lease(Directory *directory, Slice key, int node, Error *err);
Status directory_place(Directory *directory, Slice key, const uint8_t *nodes, int count, Error *err);
Status directory_place_non_voters(Directory *directory, Slice key, const uint8_t *nodes, int count, Error *err);
/* Deals the ranges that overlap [start, end) over all nodes. */
Status directory_scatter(Directory *directory, Slice start, Slice end, Error *err);

/* ---- what looks after sizes, load and placement ---- */

/* At least so many replicas on these nodes. */
typedef struct PlacementRule {
    NodeSet nodes;
    int count;
} PlacementRule;
enum { PLACEMENT_RULES_MAX = 8 };
typedef struct PlacementRules {
    NodeSet all_on; /* every replica; 0: anywhere */
    PlacementRule items[PLACEMENT_RULES_MAX];
    int count;
} PlacementRules;

/* Where replicas and the lease are to be, as far as the nodes there are allow it. All zero: anywhere. */
typedef struct RangePlacement {
    int voters; /* of the replicas; 0: all */
    PlacementRules replica_rules, voter_rules;
    NodeSet leases_on[PLACEMENT_RULES_MAX]; /* the first of which a voter is */
    int lease_count;
} RangePlacement;

typedef struct RangeLimits {
    int64_t bytes_max, bytes_min;
    int replicas;
    RangePlacement placement;
    bool by_hash_code; /* cut between hash codes only, and never merged: YugabyteDB's hash-sharded tablets */
} RangeLimits;

/* What holds for the range that starts at `start`; called by the service thread, without any lock of the directory. */
typedef struct RangePolicy {
    void (*limits)(void *argument, Slice start, RangeLimits *limits);
    void *argument;
} RangePolicy;
/* NULL: the same defaults for all. Returns when no call of the old policy is running any more. */
void directory_set_policy(Directory *directory, const RangePolicy *policy);
/* Limits may have changed: sizes are judged anew. */
void directory_limits_changed(Directory *directory);

typedef struct RangeConfig {
    bool accounting;            /* load per range and node */
    bool split_by_size, split_by_load, merge, rebalance;
    bool objective_cpu;         /* else requests per second */
    double split_requests_per_second, split_cpu_share;
    uint64_t sample_ns;         /* how long requests are sampled before a range is cut by load */
    uint64_t offer_ns;          /* between two offers of a cut of one range */
    uint64_t refusal_ns;        /* before a size split that was refused is tried again */
    uint64_t merge_interval_ns, merge_delay_ns, rebalance_interval_ns;
} RangeConfig;
extern const RangeConfig range_config_default;
void directory_configure(Directory *directory, const RangeConfig *config);

/* Removes boundaries that nothing holds any more: not fixed, not sticky now, both sides as they are for the delay, smaller
 * than their minimum, together not to be cut again, and doing little. *merged: how many; at most merges_max. */
Status directory_merge_small(Directory *directory, int merges_max, int *merged, Error *err);
/* Cuts ranges larger than their maximum near the middle, between two rows. *split: how many. */
Status directory_split_large(Directory *directory, int *split, Error *err);
/* Cuts ranges whose load asked for it. */
Status directory_split_hot(Directory *directory, int *split, Error *err);
/* Puts replicas and leases where the limits want them and, if it is configured, evens out leases and load over the nodes, a few
 * at a time. Returns how many were moved. */
int directory_rebalance(Directory *directory);

/* A thread that does all that, until it is stopped. */
typedef struct RangeService RangeService;
RangeService *range_service_start(Directory *directory);
void range_service_stop(RangeService *service); /* waits; NULL is allowed */

/* ---- load accounting: reads; writes are seen as they are committed ---- */

typedef struct RangeRequest {
    Slice start, end;      /* the first key, and where reading ended; end empty: one key */
    uint64_t pairs, bytes, busy_ns;
} RangeRequest;
typedef struct RangeRequests {
    const RangeRequest *items;
    int count;
} RangeRequests;
bool directory_accounting(const Directory *directory); /* else notes are for nothing; it may be NULL */

/* What one thread has read. It is booked a little later, but before descriptions of ranges, nodes or heat are handed out. */
typedef struct RangeNotes RangeNotes;
RangeNotes *range_notes_create(Directory *directory);
void range_notes_add(RangeNotes *notes, RangeRequests requests);
void range_notes_destroy(RangeNotes *notes); /* books what is in it; NULL is allowed */

/* The last hour, a step a minute: work per range and key prefix (a key up to its first column). */
typedef struct HeatRow {
    int64_t step_start; /* seconds since 1970 */
    int64_t range_id;   /* 0: ranges that had little to do */
    Slice prefix;       /* empty: the rest of the range */
    RangeWork work;
} HeatRow;
int directory_heat(Directory *directory, HeatRow **rows, Arena *arena); /* oldest first; returns the count */

#endif
