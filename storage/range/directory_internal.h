/* directory_internal.h - the state of a Directory. Inside storage/range only.
 *
 * Who writes what. The array of ranges and their sums change only on the engine's commit thread, in directory_ended,
 * under `mutex`; everybody else reads them under `mutex`, the commit thread without it. One Change at a time
 * (`change_mutex`) replaces some ranges by others that cover the same keys:
 *
 *   1. change_begin   marks the old ranges, between two groups; from then on each group's sums are also booked to the
 *                     new ranges, in the change's log, under the version of the group
 *   2. counting       where a range with pairs is cut, from a snapshot, while commits go on (range_count.c)
 *   3. change_commit  commits a counter of its own; the flush of that group writes the records, with sums that are what
 *                     was counted and all that the log has after the snapshot
 *
 * Lock order: change_mutex, mutex. The commit thread may hold locks of the engine when it takes `mutex`, so whoever holds
 * `mutex` does not call the engine.
 */
#ifndef STORAGE_RANGE_DIRECTORY_INTERNAL_H
#define STORAGE_RANGE_DIRECTORY_INTERNAL_H

#include <pthread.h>

#include "storage/base/buf.h"
#include "storage/range/range.h"

typedef struct RangeSums {
    int64_t keys, key_bytes, value_bytes;
} RangeSums;

typedef struct Heat {
    double reads, writes, read_bytes, write_bytes; /* decayed sums */
    uint64_t at_ns;
} Heat;

typedef struct Change Change;

typedef struct Range {
    int64_t id;
    Slice start, end; /* in the same block as the Range */
    int64_t sticky_until_us;
    int lease_holder;
    bool fixed;
    RangeSums sums;  /* committed */
    RangeSums group; /* of the group in flight; commit thread only */
    bool touched;    /* it is in the list of the group in flight */
    Change *change;  /* that replaces it */
    Heat heat;       /* guarded by `mutex` */
    uint64_t made_at_ns; /* cut, merged or rewritten so, or read at the start */
} Range;

typedef struct RangeList {
    Range **items;
    int count, capacity;
} RangeList;

/* What a group, that became this version, did to one of the new ranges. */
typedef struct Booking {
    uint64_t version;
    int index; /* in fresh */
    RangeSums sums;
} Booking;

struct Change {
    RangeList old, fresh; /* both in key order */
    RangeSums *begun;     /* of the old ones, when the change began */
    Booking *log;
    int log_count, log_capacity;
    uint64_t counted_version; /* the sums of fresh are as of this version */
    int64_t ids_taken;
    bool ready, applied;
};

/* What the flush of a group hands out next. */
typedef enum FlushStep { FLUSH_IDLE, FLUSH_DROP_OLD, FLUSH_PUT_FRESH, FLUSH_PUT_TOUCHED } FlushStep;

struct Directory {
    Kv *kv;
    pthread_mutex_t change_mutex; /* one Change at a time */
    pthread_mutex_t mutex;        /* ranges, change, waiting_for_gap, heat */
    pthread_cond_t gap;           /* a group has ended, or a change has begun */
    RangeList ranges;             /* sorted; together all keys */
    int64_t next_id;              /* guarded by change_mutex */
    Change *change;
    int waiting_for_gap; /* a change wants to begin: the next group waits for it */
    bool in_group;

    /* Of the group in flight; commit thread only. */
    RangeList touched;
    Range *last; /* found for the key before */
    FlushStep step;
    int position;
    bool applying; /* the records of `change` are in this group */
    Buf key, value;
};

/* ---- ranges.c: lists of ranges, records ---- */
Range *range_create(int64_t id, Slice start, Slice end);
void range_list_push(RangeList *list, Range *range);
/* The index of the range that holds the key. */
int range_list_find(const RangeList *list, Slice key);
void range_record(const Range *range, const RangeSums *sums, Buf *key, Buf *value);
Range *range_from_record(Slice key, Slice value);
static inline void sums_add(RangeSums *to, const RangeSums *more)
{
    to->keys += more->keys;
    to->key_bytes += more->key_bytes;
    to->value_bytes += more->value_bytes;
}

/* ---- directory_observe.c ---- */
void directory_changed(void *directory, Slice key, int64_t old_size, int64_t new_size);
bool directory_flush(void *directory, KvOp *op);
void directory_ended(void *directory, bool committed, uint64_t version);

/* ---- range_change.c ---- */

/* Takes change_mutex and makes an empty change; change_plan calls fill it, change_run ends it, whatever the outcome. */
Change *change_create(Directory *directory);
/* Cuts the range at `index` at these keys, sorted and strictly inside. */
typedef struct Boundary {
    Slice key;
    int64_t sticky_until_us;
    bool fixed;
} Boundary;
void change_plan_split(Directory *directory, Change *change, int index, const Boundary *boundaries, int count);
/* Joins the ranges first..last. */
void change_plan_merge(Directory *directory, Change *change, int first, int last);
/* A copy with another sticky time or kind of boundary. */
void change_plan_rewrite(Directory *directory, Change *change, int index, int64_t sticky_until_us, bool fixed);
/* Begins, counts, commits and frees the change. */
Status change_run(Directory *directory, Change *change, Error *err);

/* ---- range_count.c ---- */

/* Fills in the sums of the new ranges as of a snapshot, and its version. */
Status change_count(Directory *directory, Change *change, Error *err);

/* ---- heat.c ---- */
void heat_rates(const Heat *heat, uint64_t now_ns, RangeDesc *range);

#endif
