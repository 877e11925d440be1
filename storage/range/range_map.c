#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "storage/range/directory_internal.h"

void range_map_finish(RangeMap *map)
{
    for (int c = 0; c < map->count; c++) {
        for (int i = 0; i < map->chunks[c]->count; i++) range_destroy(map->chunks[c]->items[i]);
        free(map->chunks[c]);
    }
    free(map->chunks);
    free(map->digests);
    *map = (RangeMap){0};
}

static Slice chunk_end(const RangeChunk *chunk)
{
    return chunk->items[chunk->count - 1]->end;
}

/* ---- digests: eight bytes of a key, so that a search compares numbers that lie side by side ---- */

static uint64_t digest_of(Slice key, size_t skip)
{
    uint8_t bytes[8] = {0};
    if (key.size >= skip + 8) return load_u64(key.data + skip);
    if (key.size > skip) memcpy(bytes, key.data + skip, key.size - skip);
    return load_u64(bytes);
}

/* How many of the digests, which ascend, are less. */
static int digests_before(const uint64_t *digests, int count, uint64_t digest)
{
    const uint64_t *at = digests;
    if (count == 0) return 0;
    for (int left = count; left > 1;) {
        int half = left / 2;
        at += at[half - 1] < digest ? half : 0;
        left -= half;
    }
    return (int)(at - digests) + (*at < digest);
}

/* Of `count` ends, those that are left to be compared in full lie in [*low, *high]: what is before is not behind the key,
 * and *high is, or is the last. */
static void narrow(const uint64_t *digests, int count, uint64_t digest, int *low, int *high)
{
    *low = digests_before(digests, count - 1, digest);
    *high = digest == UINT64_MAX ? count - 1 : *low + digests_before(digests + *low, count - 1 - *low, digest + 1);
}

static int find_chunk(const RangeMap *map, Slice key)
{
    int low, high;
    narrow(map->digests, map->count, digest_of(key, 0), &low, &high);
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (slice_compare(chunk_end(map->chunks[middle]), key) > 0) high = middle;
        else low = middle + 1;
    }
    return low;
}

static int find_item(const RangeChunk *chunk, Slice key)
{
    size_t shared = (size_t)chunk->shared_size, compared = key.size < shared ? key.size : shared;
    int low, high, order = compared ? memcmp(key.data, chunk->shared, compared) : 0;
    if (order > 0) return chunk->count - 1;
    if (order < 0 || key.size < shared) return 0;
    narrow(chunk->digests, chunk->count, digest_of(key, shared), &low, &high);
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (slice_compare(chunk->items[middle]->end, key) > 0) high = middle;
        else low = middle + 1;
    }
    return low;
}

/* Anew for the whole chunk: what the first and the last end have in common, all have. */
static void make_digests(RangeChunk *chunk)
{
    Slice first = chunk->items[0]->end, last = chunk_end(chunk);
    size_t shared = 0, most = first.size < last.size ? first.size : last.size;
    if (most > RANGE_SHARED_MAX) most = RANGE_SHARED_MAX;
    while (shared < most && first.data[shared] == last.data[shared]) shared++;
    memcpy(chunk->shared, first.data, shared);
    chunk->shared_size = (int)shared;
    for (int i = 0; i < chunk->count; i++) chunk->digests[i] = digest_of(chunk->items[i]->end, shared);
}

RangePlace range_map_find(const RangeMap *map, Slice key)
{
    if (map->count == 0) return (RangePlace){0, 0};
    int chunk = find_chunk(map, key);
    return (RangePlace){chunk, find_item(map->chunks[chunk], key)}; /* /Max holds what lies behind it, too: nothing does */
}

static void prefetch(const void *start, size_t size, size_t step)
{
    for (size_t at = 0; at < size; at += step) __builtin_prefetch((const char *)start + at);
}

void range_map_get_many(const RangeMap *map, const Slice *keys, int count, Range **ranges)
{
    const RangeChunk *chunks[RANGES_AT_ONCE];
    int items[RANGES_AT_ONCE];
    assert(count <= RANGES_AT_ONCE);
    for (int i = 0; i < count; i++) {
        chunks[i] = map->chunks[find_chunk(map, keys[i])];
        prefetch(chunks[i], offsetof(RangeChunk, items), 64);
    }
    for (int i = 0; i < count; i++) {
        items[i] = find_item(chunks[i], keys[i]);
        __builtin_prefetch(&chunks[i]->items[items[i]]);
    }
    for (int i = 0; i < count; i++) {
        ranges[i] = chunks[i]->items[items[i]];
        __builtin_prefetch(ranges[i]);
    }
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
        map->digests = realloc(map->digests, sizeof *map->digests * (size_t)map->capacity);
        if (!map->chunks || !map->digests) abort();
    }
    memmove(map->chunks + at + 1, map->chunks + at, sizeof *map->chunks * (size_t)(map->count - at));
    memmove(map->digests + at + 1, map->digests + at, sizeof *map->digests * (size_t)(map->count - at));
    map->chunks[at] = chunk;
    map->digests[at] = 0;
    map->count++;
}

static RangeChunk *chunk_create(void)
{
    RangeChunk *chunk = calloc(1, sizeof *chunk);
    if (!chunk) abort();
    return chunk;
}

/* Makes room behind a full chunk. *place may then be in the other one. */
static void split_chunk(RangeMap *map, RangePlace *place)
{
    RangeChunk *chunk = map->chunks[place->chunk], *right = chunk_create();
    /* Behind a full last chunk a new one begins, so that loading in order fills them all. */
    bool append = place->chunk == map->count - 1 && place->item == RANGE_CHUNK;
    int stay = append ? RANGE_CHUNK : RANGE_CHUNK / 2;
    right->count = RANGE_CHUNK - stay;
    memcpy(right->items, chunk->items + stay, sizeof *right->items * (size_t)right->count);
    chunk->count = stay;
    make_digests(chunk);
    insert_chunk(map, place->chunk + 1, right);
    map->digests[place->chunk] = digest_of(chunk_end(chunk), 0);
    if (right->count) {
        make_digests(right);
        map->digests[place->chunk + 1] = digest_of(chunk_end(right), 0);
    }
    if (place->item <= stay && !append) return;
    place->chunk++;
    place->item -= stay;
}

static void insert_at(RangeMap *map, RangePlace place, Range *range)
{
    if (map->chunks[place.chunk]->count == RANGE_CHUNK) split_chunk(map, &place);
    RangeChunk *chunk = map->chunks[place.chunk];
    size_t behind = (size_t)(chunk->count - place.item);
    memmove(chunk->items + place.item + 1, chunk->items + place.item, sizeof *chunk->items * behind);
    memmove(chunk->digests + place.item + 1, chunk->digests + place.item, sizeof *chunk->digests * behind);
    chunk->items[place.item] = range;
    chunk->digests[place.item] = digest_of(range->end, (size_t)chunk->shared_size);
    chunk->count++;
    if (!slice_starts_with(range->end, slice_of(chunk->shared, (size_t)chunk->shared_size))) make_digests(chunk);
    map->digests[place.chunk] = digest_of(chunk_end(chunk), 0);
    map->range_count++;
}

void range_map_push(RangeMap *map, Range *range)
{
    if (map->count == 0) insert_chunk(map, 0, chunk_create());
    int last = map->count - 1;
    insert_at(map, (RangePlace){last, map->chunks[last]->count}, range);
}

static void remove_chunk(RangeMap *map, int at)
{
    free(map->chunks[at]);
    map->count--;
    memmove(map->chunks + at, map->chunks + at + 1, sizeof *map->chunks * (size_t)(map->count - at));
    memmove(map->digests + at, map->digests + at + 1, sizeof *map->digests * (size_t)(map->count - at));
}

static void remove_range(RangeMap *map, const Range *range)
{
    RangePlace place = range_map_find(map, range->start);
    RangeChunk *chunk = map->chunks[place.chunk];
    size_t behind = (size_t)(chunk->count - place.item - 1);
    assert(chunk->items[place.item] == range);
    memmove(chunk->items + place.item, chunk->items + place.item + 1, sizeof *chunk->items * behind);
    memmove(chunk->digests + place.item, chunk->digests + place.item + 1, sizeof *chunk->digests * behind);
    map->range_count--;
    if (--chunk->count > 0) map->digests[place.chunk] = digest_of(chunk_end(chunk), 0);
    else remove_chunk(map, place.chunk);
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
