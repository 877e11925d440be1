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

typedef struct RangeDesc {
    int64_t id;              /* from 1, never reused */
    Slice start, end;        /* start empty: /Min; end ff ff: /Max */
    int64_t sticky_until_us; /* 0: may merge; INT64_MAX: for ever (2262-04-11 23:47:16.854776) */
    int64_t key_count, key_bytes, value_bytes; /* live, exact after each commit */
    int lease_holder;        /* node 1..N */
    bool fixed;              /* it starts where a table or an index does: never merged to its left */
    /* Load of the last minute or so, decayed. */
    double reads_per_second, writes_per_second;             /* pairs */
    double read_bytes_per_second, write_bytes_per_second;
} RangeDesc;

/* Reads the records (creating the first range of an empty store) and becomes the engine's observer: the counters of each
 * range move in the same commit as the pairs. */
Status directory_open(Kv *kv, Directory **directory, Arena *arena, Error *err);
void directory_close(Directory *directory);

/* The range that holds the key; texts in the arena. */
void directory_find(Directory *directory, Slice key, RangeDesc *range, Arena *arena);
/* All ranges that overlap [start, end), in key order. Returns the count. */
int directory_list(Directory *directory, Slice start, Slice end, RangeDesc **ranges, Arena *arena);
int directory_count(Directory *directory, Slice start, Slice end);

/* Makes key a range start. Where one exists already only stickiness is rewritten (0 leaves it). */
Status directory_split(Directory *directory, Slice key, int64_t sticky_until_us, Error *err);
/* A boundary that lasts as long as its table or index: many at once, one commit. */
Status directory_add_boundaries(Directory *directory, const Slice *keys, int count, Error *err);
/* *was_start: false if key is not the start of a range. */
Status directory_unsplit(Directory *directory, Slice key, bool *was_start, Error *err);
/* Removes every boundary strictly inside (start, end), after a DROP or TRUNCATE. */
Status directory_forget(Directory *directory, Slice start, Slice end, Error *err);

/* Removes boundaries that nothing holds any more: not fixed, not sticky now, as they are for age_ns at least, both sides
 * together no bigger than bytes_max and doing little. *merged: how many. */
Status directory_merge_small(Directory *directory, int64_t bytes_max, uint64_t age_ns, int *merged, Error *err);
/* Cuts ranges larger than bytes_max near their middle, between two rows; a row that fills a range stays whole. */
Status directory_split_large(Directory *directory, int64_t bytes_max, int *split, Error *err);

/* A thread that does both now and then, with the sizes of range_service.c, until it is stopped. */
typedef struct RangeService RangeService;
RangeService *range_service_start(Directory *directory);
void range_service_stop(RangeService *service); /* waits; NULL is allowed */

/* Load accounting, sampled; cheap. directory may be NULL. */
void directory_note_read(Directory *directory, Slice key, uint64_t pairs, uint64_t bytes);
void directory_note_write(Directory *directory, Slice key, uint64_t pairs, uint64_t bytes);

/* Table row counts and bytes from the counters: pairs of all ranges that overlap the span. */
void directory_span_stats(Directory *directory, Slice start, Slice end, int64_t *keys, int64_t *key_bytes, int64_t *value_bytes);

#endif
