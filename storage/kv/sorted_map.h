/* sorted_map.h - an ordered map from bytes to records of one size, in an arena.
 *
 * Nodes are linked in key order, are never removed and never move, so a pointer to one is a position that insertions leave
 * intact. A record is zeroed when its node is made, and is aligned to 8 bytes. Keys are copied. One thread at a time.
 */
#ifndef STORAGE_KV_SORTED_MAP_H
#define STORAGE_KV_SORTED_MAP_H

#include "storage/base/arena.h"

typedef struct SortedNode {
    struct SortedNode *next, *previous; /* NULL at the ends */
    size_t key_size;
} SortedNode; /* the key's bytes and, aligned, the record follow */

struct SortedTree;

typedef struct SortedMap {
    Arena *arena;
    size_t record_size, count;
    SortedNode *first, *last; /* NULL while the map is empty */
    struct SortedTree *root;
} SortedMap;

void sorted_map_init(SortedMap *map, Arena *arena, size_t record_size);

/* The key's node, made if it is absent. */
SortedNode *sorted_map_put(SortedMap *map, Slice key, bool *made);
SortedNode *sorted_map_find(const SortedMap *map, Slice key);   /* NULL if absent */
SortedNode *sorted_map_seek(const SortedMap *map, Slice key);   /* the first >= key, or NULL */
SortedNode *sorted_map_before(const SortedMap *map, Slice key); /* the last < key, or NULL */

static inline Slice sorted_key(const SortedNode *node)
{
    return slice_of(node + 1, node->key_size);
}

static inline void *sorted_record(SortedNode *node)
{
    return (uint8_t *)(node + 1) + ((node->key_size + 7) & ~(size_t)7);
}

#endif
