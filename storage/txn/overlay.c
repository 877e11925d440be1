#include "storage/txn/overlay.h"

#include <assert.h>

void overlay_init(Overlay *overlay, Arena *arena)
{
    *overlay = (Overlay){.arena = arena, .memory = arena_create(arena, 0), .moment = 1, .spill.file = -1};
    sorted_map_init(&overlay->keys, overlay->memory, sizeof(Write));
}

/* ---- writing ---- */

/* Readies a key's state for being written over: keeps what a view or mark may still see. */
static bool state_renew(Overlay *overlay, SortedNode *node)
{
    Write *write = sorted_record(node);
    bool fresh = write->moment < overlay->moment;
    if (write->kind != WRITE_NONE && write->moment <= overlay->moment_kept) {
        Write *older = arena_try_alloc(overlay->memory, sizeof *older);
        if (!older) return false;
        *older = *write;
        *write = (Write){.older = older};
        overlay->keeps_older = true;
    }
    if (fresh && overlay->marks.count) VEC_PUSH(overlay->memory, overlay->touched, node);
    write->moment = overlay->moment;
    return true;
}

static SortedNode *node_for(Overlay *overlay, Slice key)
{
    bool made;
    return sorted_map_put(&overlay->keys, key, &made);
}

/* The value goes where the last one was if it fits: nobody may rely on a Slice of a key that is written again. */
static bool value_store(Overlay *overlay, Write *write, Slice value)
{
    bool in_place = write->kind == WRITE_PUT && write->capacity >= value.size;
    if (!in_place && value.size) {
        uint8_t *data = arena_try_alloc(overlay->memory, value.size);
        if (!data) return false;
        write->value.data = data;
        write->capacity = (uint32_t)value.size;
    }
    if (value.size) memmove((uint8_t *)(uintptr_t)write->value.data, value.data, value.size);
    if (!in_place && !value.size) {
        write->value.data = NULL;
        write->capacity = 0;
    }
    write->size = (uint32_t)value.size;
    write->kind = WRITE_PUT;
    return true;
}

bool overlay_put(Overlay *overlay, Slice key, Slice value)
{
    SortedNode *node = node_for(overlay, key);
    Write *write = sorted_record(node);
    return state_renew(overlay, node) && value_store(overlay, write, value);
}

static bool node_delete(Overlay *overlay, SortedNode *node)
{
    Write *write = sorted_record(node);
    if (!state_renew(overlay, node)) return false;
    write->kind = WRITE_DELETE;
    write->capacity = write->size = 0;
    return true;
}

bool overlay_delete(Overlay *overlay, Slice key)
{
    return node_delete(overlay, node_for(overlay, key));
}

bool overlay_add(Overlay *overlay, Slice key, int64_t delta)
{
    SortedNode *node = node_for(overlay, key);
    Write *write = sorted_record(node);
    const Write *newest = overlay_find(overlay, key);
    Write below = newest ? *newest : (Write){.kind = WRITE_NONE};
    uint8_t counter[8];
    if (!state_renew(overlay, node)) return false;
    bool on_store = below.kind == WRITE_NONE && !overlay_hides(overlay, key, NULL);
    if (on_store || below.kind == WRITE_ADD) {
        int64_t sum = below.kind == WRITE_ADD ? below.value.delta : 0;
        write->value.delta = (int64_t)((uint64_t)sum + (uint64_t)delta);
        write->kind = WRITE_ADD;
        write->capacity = write->size = 0;
        return true;
    }
    int64_t sum = below.kind == WRITE_PUT ? kv_counter_decode(write_value(&below)) : 0;
    kv_counter_encode((int64_t)((uint64_t)sum + (uint64_t)delta), counter);
    return value_store(overlay, write, slice_of(counter, sizeof counter));
}

static bool end_before(Slice a, Slice b)
{
    if (!a.size || !b.size) return a.size && !b.size;
    return slice_compare(a, b) < 0;
}

/* A new list with the span in it; those it touches become one with it. */
static KvSpanVec hidden_with(Overlay *overlay, KvSpan span)
{
    KvSpanVec list = {0};
    bool placed = false;
    for (int i = 0; i < overlay->hidden.count; i++) {
        KvSpan old = overlay->hidden.items[i];
        bool before = old.end.size && slice_compare(old.end, span.start) < 0;
        bool behind = span.end.size && slice_compare(span.end, old.start) < 0;
        if (behind && !placed) {
            VEC_PUSH(overlay->arena, list, span);
            placed = true;
        }
        if (before || behind) {
            VEC_PUSH(overlay->arena, list, old);
            continue;
        }
        if (slice_compare(old.start, span.start) < 0) span.start = old.start;
        if (end_before(span.end, old.end)) span.end = old.end;
    }
    if (!placed) VEC_PUSH(overlay->arena, list, span);
    return list;
}

bool overlay_delete_span(Overlay *overlay, Slice start, Slice end)
{
    /* Before and behind it begin moments of their own: what is in runs is older than the span or younger. */
    uint64_t moment = ++overlay->moment;
    SortedNode *node = start.size ? sorted_map_seek(&overlay->keys, start) : overlay->keys.first;
    for (; node; node = node->next) {
        if (end.size && slice_compare(sorted_key(node), end) >= 0) break;
        if (((Write *)sorted_record(node))->kind != WRITE_NONE && !node_delete(overlay, node)) return false;
    }
    KvSpan span = {arena_slice(overlay->arena, start), arena_slice(overlay->arena, end)};
    overlay->hidden = hidden_with(overlay, span);
    VEC_PUSH(overlay->arena, overlay->spill.spans, (SpanNote){span, moment});
    overlay->moment++;
    return true;
}

/* ---- reading ---- */

const Write *overlay_find(Overlay *overlay, Slice key)
{
    SortedNode *node = sorted_map_find(&overlay->keys, key);
    const Write *write = node ? sorted_record(node) : NULL;
    if (write && write->kind != WRITE_NONE) return write;
    return overlay->spill.runs.count ? overlay_find_spilled(overlay, key) : NULL;
}

bool overlay_hides(const Overlay *overlay, Slice key, KvSpan *span)
{
    int low = 0, high = overlay->hidden.count;
    /* The last span that starts at or before the key. */
    while (low < high) {
        int middle = (low + high) / 2;
        if (slice_compare(overlay->hidden.items[middle].start, key) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low) return false;
    const KvSpan *found = &overlay->hidden.items[low - 1];
    if (span) *span = *found;
    return !found->end.size || slice_compare(key, found->end) < 0;
}

const Write *overlay_state_at(SortedNode *node, uint64_t moment)
{
    const Write *write = sorted_record(node);
    while (write && write->moment > moment) write = write->older;
    return write && write->kind != WRITE_NONE ? write : NULL;
}

/* From node on, the first that the view sees. */
static void cursor_settle(OverlayCursor *cursor, SortedNode *node)
{
    const Write *write = NULL;
    while (node && !(write = overlay_state_at(node, cursor->moment)))
        node = cursor->descending ? node->previous : node->next;
    cursor->node = node;
    cursor->write = node ? write : NULL;
    cursor->key = node ? sorted_key(node) : (Slice){0};
}

void overlay_cursor_begin(OverlayCursor *cursor, Overlay *overlay, bool descending)
{
    *cursor = (OverlayCursor){.overlay = overlay, .moment = overlay->moment, .descending = descending};
    overlay->moment_kept = overlay->moment++;
    overlay->views_open++;
    cursor->next = overlay->cursors;
    if (cursor->next) cursor->next->previous = cursor;
    overlay->cursors = cursor;
}

void overlay_cursor_seek(OverlayCursor *cursor, Slice key)
{
    const SortedMap *keys = &cursor->overlay->keys;
    if (cursor->overlay->spill.runs.count)
        overlay_merge_seek(cursor, key);
    else if (!cursor->descending)
        cursor_settle(cursor, key.size ? sorted_map_seek(keys, key) : keys->first);
    else
        cursor_settle(cursor, key.size ? sorted_map_before(keys, key) : keys->last);
}

void overlay_cursor_next(OverlayCursor *cursor)
{
    if (cursor->merge) {
        overlay_merge_next(cursor);
        return;
    }
    assert(cursor->node);
    cursor_settle(cursor, cursor->descending ? cursor->node->previous : cursor->node->next);
}

const Write *overlay_cursor_write(OverlayCursor *cursor)
{
    if (!cursor->write || !cursor->node) return cursor->write;
    cursor->write = overlay_state_at(cursor->node, cursor->moment);
    if (!cursor->write && !cursor->merge) cursor_settle(cursor, cursor->node); /* it was rolled back */
    return cursor->write;
}

void overlay_cursor_end(OverlayCursor *cursor)
{
    Overlay *overlay = cursor->overlay;
    if (!overlay) return;
    assert(overlay->views_open > 0);
    overlay_merge_end(cursor);
    if (cursor->next) cursor->next->previous = cursor->previous;
    if (cursor->previous)
        cursor->previous->next = cursor->next;
    else
        overlay->cursors = cursor->next;
    if (--overlay->views_open == 0) overlay->moment_kept = overlay->marks.count ? VEC_LAST(overlay->marks).moment : 0;
    cursor->overlay = NULL;
    cursor->write = NULL;
}
