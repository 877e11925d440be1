/* directory_internal.h - the state of a Directory. Inside storage/range only.
 *
 * Who writes what. The map of ranges and their sums change only on the engine's commit thread, in directory_ended,
 * under `mutex`; everybody else reads them under `mutex`, the commit thread without it, and so does who holds
 * `change_mutex`, as ranges come and go only through its own change. One Change at a time replaces some ranges by others
 * that cover the same keys:
 *
 *   1. change_begin   marks the old ranges, between two groups; from then on each group's sums are also booked to the
 *                     new ranges, in the change's log, under the version of the group
 *   2. counting       where a range with pairs is cut, from a snapshot, while commits go on (range_count.c)
 *   3. change_commit  commits a counter of its own; the flush of that group writes the records, with sums that are what
 *                     was counted and all that the log has after the snapshot
 *
 * Lock order: change_mutex, notes_mutex, a RangeNotes' mutex, mutex. The commit thread may hold locks of the engine when it takes `mutex`, so whoever holds
 * `mutex` does not call the engine.
 */
#ifndef STORAGE_RANGE_DIRECTORY_INTERNAL_H
#define STORAGE_RANGE_DIRECTORY_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "storage/base/buf.h"
#include "storage/range/heat.h"
#include "storage/range/load.h"
#include "storage/range/placement.h"
#include "storage/range/range.h"

typedef struct RangeSums {
    int64_t keys, key_bytes, value_bytes;
} RangeSums;

typedef struct Change Change;

typedef struct Range {
    int64_t id;
    Slice start, end; /* in the same block as the Range */
    RangeLoad *load;  /* guarded by `mutex`; NULL: nothing yet */
    _Atomic uint64_t placement; /* placement.h */
    /* What a look-up needs is in one cache line so far. */
    int64_t sticky_until_us;
    bool fixed;
    RangeSums sums;  /* committed */
    RangeSums group; /* of the group in flight; commit thread only */
    GroupWrites written; /* the same; one key of them is sampled */
    bool touched;    /* it is in the list of the group in flight */
    Change *change;  /* that replaces it */
    uint64_t made_at_ns; /* cut, merged or rewritten so, or read at the start */
    RangeRefusal refusal;   /* guarded by `mutex`, like: */
    uint64_t refused_at_ns; /* the size split */
    NodeSet leases_on;      /* where its rules allow the lease; 0: anywhere */
} Range;

typedef struct RangeList {
    Range **items;
    int count, capacity;
} RangeList;

/* All ranges in key order, in chunks: what a search looks at of one are a few cache lines. */
enum { RANGE_CHUNK = 64, RANGE_SHARED_MAX = 56 };
typedef struct RangeChunk {
    int count, shared_size;
    uint8_t shared[RANGE_SHARED_MAX]; /* bytes that all ends begin with */
    uint64_t digests[RANGE_CHUNK]; /* of the items' ends: the bytes that follow; a search need not fetch the ends */
    Range *items[RANGE_CHUNK];
} RangeChunk;
typedef struct RangeMap {
    RangeChunk **chunks; /* none is empty */
    uint64_t *digests;   /* of the chunks' ends: the first bytes */
    int count, capacity;
    int range_count;
} RangeMap;
typedef struct RangePlace {
    int chunk, item;
} RangePlace;

/* What a group, that became this version, did to one of the new ranges. */
typedef struct Booking {
    uint64_t version;
    int index; /* in fresh */
    RangeSums sums;
} Booking;

struct Change {
    RangeList old, fresh; /* both in key order */
    RangeSums *begun;     /* of the old ones, when the change began */
    RangeList touched;    /* of fresh, by the group in flight */
    Booking *log;
    int log_count, log_capacity;
    RangeSums *settled;   /* of the fresh ones, but for the group in flight; made when the change is applied */
    uint64_t counted_version; /* the sums of fresh are as of this version */
    int64_t ids_taken;
    bool placed;          /* placements of fresh ranges are what was asked for */
    bool ready, applied;
};

/* What the flush of a group hands out next. */
typedef enum FlushStep { FLUSH_IDLE, FLUSH_DROP_OLD, FLUSH_PUT_FRESH, FLUSH_PUT_TOUCHED } FlushStep;

typedef struct Node {
    int64_t leases, replicas;
    RangeWork work;
    LoadRates rates;
} Node;

struct Directory {
    Kv *kv;
    pthread_mutex_t change_mutex; /* one Change at a time */
    pthread_mutex_t mutex;        /* ranges, change, waiting_for_gap, loads, nodes, wanted_cuts */
    pthread_cond_t gap;           /* a group has ended, or a change has begun */
    pthread_mutex_t notes_mutex;  /* guards the list of notes */
    RangeNotes *notes;
    RangeMap ranges;              /* together all keys */
    int64_t next_id;              /* guarded by change_mutex */
    Change *change;
    int waiting_for_gap; /* a change wants to begin: the next group waits for it */
    bool in_group;

    Node nodes[NODES_MAX + 1]; /* by id */
    int node_count;
    WantedCuts wanted_cuts;
    Heat heat; /* guarded by `mutex` */
    pthread_rwlock_t policy_lock; /* guards policy; the policy may take locks of its own under it */
    RangePolicy policy;
    pthread_mutex_t config_mutex; /* guards config; nothing is locked under it */
    RangeConfig config;
    atomic_bool accounting;       /* of the configuration, for all */
    atomic_bool sizes_to_judge;   /* a range may have grown too large */
    atomic_bool replicas_to_judge; /* limits have changed, or ranges are new */
    _Atomic int64_t bytes_max_least; /* of all ranges, when sizes were judged last */
    Buf merge_cursor;             /* range_service's: where the search for merges goes on; guarded by change_mutex */
    LoadLimits load_limits;       /* of the configuration; guarded by `mutex` */

    /* Of the group in flight; commit thread only. */
    RangeList touched;
    Range *last; /* found for the key before */
    FlushStep step;
    int position;
    bool applying; /* the records of `change` are in this group */
    Buf key, value, sampled_keys;
    uint64_t random, group_cpu_ns, group_pairs;
};

/* ---- ranges.c: lists of ranges, records ---- */
Range *range_create(int64_t id, Slice start, Slice end);
void range_destroy(Range *range);
void range_list_push(RangeList *list, Range *range);
/* The index of the first range that ends behind the key; count if there is none. */
int range_list_find(const RangeList *list, Slice key);
void range_record(const Range *range, const RangeSums *sums, Buf *key, Buf *value);
Range *range_from_record(Slice key, Slice value);
static inline void sums_add(RangeSums *to, const RangeSums *more)
{
    to->keys += more->keys;
    to->key_bytes += more->key_bytes;
    to->value_bytes += more->value_bytes;
}
static inline bool range_holds(const Range *range, Slice key)
{
    return slice_compare(key, range->start) >= 0 && slice_compare(key, range->end) < 0;
}
static inline int64_t range_bytes(const Range *range)
{
    return range->sums.key_bytes + range->sums.value_bytes;
}

/* ---- range_map.c ---- */
void range_map_finish(RangeMap *map); /* the ranges too */
/* The first range that ends behind the key: the one that holds it. The last one for keys behind /Max. */
RangePlace range_map_find(const RangeMap *map, Slice key);
/* NULL: behind the last, or before the first. */
static inline Range *range_map_at(const RangeMap *map, RangePlace place)
{
    return place.chunk >= 0 && place.chunk < map->count ? map->chunks[place.chunk]->items[place.item] : NULL;
}
static inline Range *range_map_get(const RangeMap *map, Slice key)
{
    return range_map_at(map, range_map_find(map, key));
}
/* For up to RANGES_AT_ONCE keys at once, which costs less than one by one where most of the map is in no cache. */
enum { RANGES_AT_ONCE = 64 };
void range_map_get_many(const RangeMap *map, const Slice *keys, int count, Range **ranges);
RangePlace range_map_next(const RangeMap *map, RangePlace place);
void range_map_push(RangeMap *map, Range *range); /* behind all others */
void range_map_replace(RangeMap *map, const RangeList *old, const RangeList *fresh);

/* ---- directory_observe.c ---- */
void directory_changed(void *directory, Slice key, int64_t old_size, int64_t new_size);
bool directory_flush(void *directory, KvOp *op);
void directory_ended(void *directory, bool committed, uint64_t version);

/* ---- range_change.c ---- */

/* Takes change_mutex and makes an empty change; change_plan calls fill it, change_run ends it, whatever the outcome. */
Change *change_create(Directory *directory);
/* Cuts the range at these keys, sorted and strictly inside. */
typedef struct Boundary {
    Slice key;
    int64_t sticky_until_us;
    bool fixed;
} Boundary;
void change_plan_split(Directory *directory, Change *change, Range *range, const Boundary *boundaries, int count);
/* Joins the ranges from `first` to the one that ends at `end`. */
void change_plan_merge(Directory *directory, Change *change, RangePlace first, Slice end);
/* A copy with the same bounds, to be altered by the caller. */
Range *change_plan_rewrite(Change *change, Range *range);
/* Begins, counts, commits and frees the change. */
Status change_run(Directory *directory, Change *change, Error *err);

/* ---- range_count.c ---- */

/* Fills in the sums of the new ranges as of a snapshot, and its version. */
Status change_count(Directory *directory, Change *change, Error *err);

/* ---- size.c ---- */

/* What the policy says; and the place of a cut near a row's key under it: size 0 if there is none inside the range. */
RangeLimits directory_limits(Directory *directory, Slice start);
Slice directory_cut_place(const RangeLimits *limits, Slice row, Slice start);
void directory_read_config(Directory *directory, RangeConfig *config);

/* ---- range_notes.c ---- */

/* Books all that readers have collected; nothing below change_mutex is held. */
void directory_collect_notes(Directory *directory);

/* ---- directory_load.c: all but the first with the mutex held ---- */
enum { BOOKED_MAX = RANGES_AT_ONCE };
void directory_book_reads(Directory *directory, RangeRequests reads); /* at most BOOKED_MAX */
RangeLoad *range_load(Range *range);
/* The group's writes, that took the commit thread this long. */
void directory_note_writes(Directory *directory, uint64_t busy_ns, uint64_t now_ns);

/* ---- topology.c: all but the first with the mutex held ---- */
void topology_start(Directory *directory, int nodes);
void topology_enter(Directory *directory, Range *range);  /* it is in the map now: counted, and placed if it is not */
void topology_leave(Directory *directory, const Range *range);
/* Places those that are not placed yet. */
void topology_plan(Directory *directory, const RangeList *fresh);
void topology_spread(Directory *directory, Range *range); /* to the nodes with the fewest leases; not yet entered */

#endif
