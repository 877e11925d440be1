/* overlay.h - what a transaction has written and not yet committed, in key order.
 *
 *   - A key has at most one newest Write: put, delete, or add (a sum of deltas on whatever lies below). Spans that were
 *     deleted whole hide what the store has there; keys written later are over them.
 *   - A view is a moment: it sees the writes made before it. A scan has one, so that it does not meet what its own
 *     statement writes; a savepoint is one that can be gone back to. Older states of a key are kept for them only.
 *   - Keys and values are copied in; Slices handed out stay until that key is written again.
 * Belongs to one transaction's thread.
 */
#ifndef STORAGE_TXN_OVERLAY_H
#define STORAGE_TXN_OVERLAY_H

#include "storage/base/list.h"
#include "storage/kv/kv.h"
#include "storage/kv/skip_list.h"

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

typedef struct Overlay {
    Arena *arena;
    SkipList keys; /* of Write */
    uint64_t moment;      /* of the next write; from 1 */
    uint64_t moment_kept; /* states up to it are kept when they are written over */
    int views_open;
    KvSpanVec hidden; /* deleted spans: sorted, disjoint; replaced, never changed in place */
    VEC(Mark) marks;
    VEC(SkipNode *) touched; /* in order of writing, while there are marks */
} Overlay;

void overlay_init(Overlay *overlay, Arena *arena);
static inline bool overlay_is_empty(const Overlay *overlay)
{
    return !overlay->keys.count && !overlay->hidden.count;
}

/* False: the arena's budget is spent, and nothing was written. */
bool overlay_put(Overlay *overlay, Slice key, Slice value);
bool overlay_delete(Overlay *overlay, Slice key);
bool overlay_add(Overlay *overlay, Slice key, int64_t delta);
bool overlay_delete_span(Overlay *overlay, Slice start, Slice end);

/* The newest write of a key, or NULL. Then overlay_hides says whether the store's pair is visible. */
const Write *overlay_find(const Overlay *overlay, Slice key);
/* Whether the store's pair of this key is in a deleted span; *end is the span's end. end may be NULL. */
bool overlay_hides(const Overlay *overlay, Slice key, KvSpan *span);
static inline Slice write_value(const Write *write)
{
    return slice_of(write->value.data, write->size);
}

/* savepoint.c */
int overlay_mark(Overlay *overlay);
void overlay_roll_back(Overlay *overlay, int mark);

/* A cursor over the writes that a view sees. It stands on an entry while write is not NULL. What write points to moves when
 * that key is written again: overlay_cursor_write gives the state that the view sees. */
typedef struct OverlayCursor {
    Overlay *overlay;
    uint64_t moment; /* sees writes up to it */
    bool descending;
    SkipNode *node;
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

#endif
