#include <assert.h>
#include <stdlib.h>

#include "storage/range/directory_internal.h"

void range_map_finish(RangeMap *map)
{
    for (int c = 0; c < map->count; c++) {
        for (int i = 0; i < map->chunks[c]->count; i++) range_destroy(map->chunks[c]->items[i]);
        free(map->chunks[c]);
    }
    free(map->chunks);
    *map = (RangeMap){0};
}

static Slice chunk_end(const RangeChunk *chunk)
{
    return chunk->ends[chunk->count - 1];
}

RangePlace range_map_find(const RangeMap *map, Slice key)
{
    int low = 0, high = map->count - 1;
    if (map->count == 0) return (RangePlace){0, 0};
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (slice_compare(chunk_end(map->chunks[middle]), key) > 0) high = middle;
        else low = middle + 1;
    }
    const RangeChunk *chunk = map->chunks[low];
    int first = 0, last = chunk->count - 1;
    while (first < last) {
        int middle = first + (last - first) / 2;
        if (slice_compare(chunk->ends[middle], key) > 0) last = middle;
        else first = middle + 1;
    }
    return (RangePlace){low, first}; /* /Max holds what lies behind it, too: nothing does */
}

RangePlace range_map_next(const RangeMap *map, RangePlace place)
{
    if (place.item + 1 < map->chunks[place.chunk]->count) return (RangePlace){place.chunk, place.item + 1};
    return (RangePlace){place.chunk + 1, 0};
}

/* ---- changing ---- */

static void insert_chunk(RangeMap *map, int at, RangeChunk *chunk)
{
    if (map->count == map->capacity) {
        map->capacity = map->capacity ? map->capacity * 2 : 16;
        map->chunks = realloc(map->chunks, sizeof *map->chunks * (size_t)map->capacity);
        if (!map->chunks) abort();
    }
    memmove(map->chunks + at + 1, map->chunks + at, sizeof *map->chunks * (size_t)(map->count - at));
    map->chunks[at] = chunk;
    map->count++;
}

static RangeChunk *chunk_create(void)
{
    RangeChunk *chunk = calloc(1, sizeof *chunk);
    if (!chunk) abort();
    return chunk;
}

static void insert_at(RangeMap *map, RangePlace place, Range *range)
{
    RangeChunk *chunk = map->chunks[place.chunk];
    if (chunk->count == RANGE_CHUNK) {
        /* Behind a full last chunk a new one begins, so that loading in order fills them all. */
        bool append = place.chunk == map->count - 1 && place.item == RANGE_CHUNK;
        int stay = append ? RANGE_CHUNK : RANGE_CHUNK / 2;
        RangeChunk *right = chunk_create();
        right->count = RANGE_CHUNK - stay;
        memcpy(right->items, chunk->items + stay, sizeof *right->items * (size_t)right->count);
        memcpy(right->ends, chunk->ends + stay, sizeof *right->ends * (size_t)right->count);
        chunk->count = stay;
        insert_chunk(map, place.chunk + 1, right);
        if (place.item > stay || append) {
            chunk = right;
            place.item -= stay;
        }
    }
    memmove(chunk->items + place.item + 1, chunk->items + place.item,
            sizeof *chunk->items * (size_t)(chunk->count - place.item));
    memmove(chunk->ends + place.item + 1, chunk->ends + place.item, sizeof *chunk->ends * (size_t)(chunk->count - place.item));
    chunk->items[place.item] = range;
    chunk->ends[place.item] = range->end;
    chunk->count++;
    map->range_count++;
}

void range_map_push(RangeMap *map, Range *range)
{
    if (map->count == 0) insert_chunk(map, 0, chunk_create());
    int last = map->count - 1;
    insert_at(map, (RangePlace){last, map->chunks[last]->count}, range);
}

static void remove_range(RangeMap *map, const Range *range)
{
    RangePlace place = range_map_find(map, range->start);
    RangeChunk *chunk = map->chunks[place.chunk];
    assert(chunk->items[place.item] == range);
    memmove(chunk->items + place.item, chunk->items + place.item + 1,
            sizeof *chunk->items * (size_t)(chunk->count - place.item - 1));
    memmove(chunk->ends + place.item, chunk->ends + place.item + 1, sizeof *chunk->ends * (size_t)(chunk->count - place.item - 1));
    map->range_count--;
    if (--chunk->count > 0) return;
    free(chunk);
    map->count--;
    memmove(map->chunks + place.chunk, map->chunks + place.chunk + 1,
            sizeof *map->chunks * (size_t)(map->count - place.chunk));
}

static void insert_range(RangeMap *map, Range *range)
{
    if (map->count == 0 || slice_compare(chunk_end(map->chunks[map->count - 1]), range->start) <= 0) {
        range_map_push(map, range);
        return;
    }
    insert_at(map, range_map_find(map, range->start), range);
}

void range_map_replace(RangeMap *map, const RangeList *old, const RangeList *fresh)
{
    for (int i = 0; i < old->count; i++) remove_range(map, old->items[i]);
    for (int i = 0; i < fresh->count; i++) insert_range(map, fresh->items[i]);
}
