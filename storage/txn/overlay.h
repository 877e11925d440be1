/* overlay.h - what a transaction has written and not yet committed, in key order.
 *
 *   - A key has at most one newest Write: put, delete, or add (a sum of deltas on whatever lies below). Spans that were
 *     deleted whole hide what the store has there; keys written later are over them.
 *   - A view is a moment: it sees the writes made before it. A scan has one, so that it does not meet what its own
 *     statement writes; a savepoint is one that can be gone back to. Older states of a key are kept for them only.
 *   - Keys and values are copied in. Slices handed out stay until that key is written again, or until the overlay has
 *     outgrown its memory twice since.
 *   - An overlay that outgrows its memory goes to sorted runs in a temporary file (overlay_spill.c); what is written
 *     later lies over them. Every state carries its moment, so views and marks hold for runs too: going back to a mark
 *     declares the moments behind it dead.
 * Belongs to one transaction's thread.
 */
#ifndef STORAGE_TXN_OVERLAY_H
#define STORAGE_TXN_OVERLAY_H

#include "storage/base/list.h"
#include "storage/kv/kv.h"
#include "storage/kv/sorted_map.h"

typedef enum WriteKind { WRITE_NONE, WRITE_PUT, WRITE_DELETE, WRITE_ADD } WriteKind;

typedef struct Write {
    struct Write *older;
    uint64_t moment;
    union {
        const uint8_t *data; /* WRITE_PUT */
        int64_t delta;       /* WRITE_ADD */
    } value;
    uint32_t size, capacity; /* of data */
    WriteKind kind;
} Write;

typedef VEC(KvSpan) KvSpanVec;

typedef struct Mark {
    uint64_t moment;
    int touched_count;
    KvSpanVec hidden;
} Mark;

/* Moments that were gone back over: after < moment <= up_to. */
typedef struct DeadMoments {
    uint64_t after, up_to;
} DeadMoments;

/* A deleted span, for entries of runs that are older. */
typedef struct SpanNote {
    KvSpan span;
    uint64_t moment;
} SpanNote;

struct Run;
struct OverlayMerge;
struct OverlayCursor;

typedef struct OverlaySpill {
    const char *directory; /* NULL: stay in memory */
    size_t memory_max;
    int file; /* -1 until it is needed */
    uint64_t file_bytes;
    VEC(struct Run *) runs; /* the oldest first */
    VEC(DeadMoments) dead;
    VEC(SpanNote) spans;
    Arena *retired;   /* the memory before the last spill */
    Arena *values[2]; /* copies of values found in runs: the elder is given up when the younger is full */
    uint64_t spills;
} OverlaySpill;

typedef struct Overlay {
    Arena *arena;  /* the transaction's */
    Arena *memory; /* nodes, states and touched; made anew by a spill */
    SortedMap keys; /* of Write */
    uint64_t moment;      /* of the next write; from 1 */
    uint64_t moment_kept; /* states up to it are kept when they are written over */
    int views_open;
    bool keeps_older; /* some key in memory has more than one state */
    KvSpanVec hidden; /* deleted spans: sorted, disjoint; replaced, never changed in place */
    VEC(Mark) marks;
    VEC(SortedNode *) touched; /* in order of writing, while there are marks */
    struct OverlayCursor *cursors;
    OverlaySpill spill;
    Write found;   /* the last answer that came from a run */
    bool failed;   /* a run could not be read: all that reads the overlay must report failure */
    Error failure;
} Overlay;

void overlay_init(Overlay *overlay, Arena *arena);
/* Allows it to go to runs in this directory when it has more than memory_max bytes. */
void overlay_allow_spill(Overlay *overlay, const char *directory, size_t memory_max);
void overlay_finish(Overlay *overlay); /* closes the file; the rest is the arena's */
static inline bool overlay_is_empty(const Overlay *overlay)
{
    return !overlay->keys.count && !overlay->hidden.count && !overlay->spill.runs.count;
}

/* False: the arena's budget is spent, and nothing was written. */
bool overlay_put(Overlay *overlay, Slice key, Slice value);
bool overlay_delete(Overlay *overlay, Slice key);
bool overlay_add(Overlay *overlay, Slice key, int64_t delta);
bool overlay_delete_span(Overlay *overlay, Slice start, Slice end);
/* To be called after writes: goes to a run if there is too much in memory. */
static inline bool overlay_is_large(const Overlay *overlay)
{
    return overlay->spill.directory && arena_bytes(overlay->memory) > overlay->spill.memory_max;
}
Status overlay_relieve(Overlay *overlay, Error *err);

/* The newest write of a key, or NULL. Then overlay_hides says whether the store's pair is visible. */
const Write *overlay_find(Overlay *overlay, Slice key);
/* Whether the store's pair of this key is in a deleted span, which *span gets; span may be NULL. */
bool overlay_hides(const Overlay *overlay, Slice key, KvSpan *span);
static inline Slice write_value(const Write *write)
{
    return slice_of(write->value.data, write->size);
}

/* savepoint.c */
int overlay_mark(Overlay *overlay);
void overlay_roll_back(Overlay *overlay, int mark);
void overlay_release(Overlay *overlay, int mark); /* and those set since: states kept for them alone are kept no more */

/* A cursor over the writes that a view sees. It stands on an entry while write is not NULL. What write points to moves when
 * that key is written again: overlay_cursor_write gives the state that the view sees. */
typedef struct OverlayCursor {
    Overlay *overlay;
    struct OverlayCursor *next, *previous; /* of the overlay's */
    struct OverlayMerge *merge;            /* NULL while there are no runs */
    uint64_t moment; /* sees writes up to it */
    bool descending;
    SortedNode *node;
    Slice key;
    const Write *write;
} OverlayCursor;

/* Everything written up to now; end it when done, so that older states need not be kept. */
void overlay_cursor_begin(OverlayCursor *cursor, Overlay *overlay, bool descending);
/* To the first key >= key; descending: to the last < key, an empty key being behind all. */
void overlay_cursor_seek(OverlayCursor *cursor, Slice key);
void overlay_cursor_next(OverlayCursor *cursor);
const Write *overlay_cursor_write(OverlayCursor *cursor);
void overlay_cursor_end(OverlayCursor *cursor);

/* Between overlay.c and overlay_spill.c. */
const Write *overlay_state_at(SortedNode *node, uint64_t moment); /* NULL: the view sees none */
const Write *overlay_find_spilled(Overlay *overlay, Slice key);
void overlay_merge_seek(OverlayCursor *cursor, Slice key);
void overlay_merge_next(OverlayCursor *cursor);
void overlay_merge_end(OverlayCursor *cursor);

#endif
