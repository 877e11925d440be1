/* map.h - a hash map from bytes to pointers, in an arena.
 *
 * Keys are borrowed: they must live as long as the map. Not for use by several threads. A zeroed Map is empty;
 * its arena is given at each put. Hash: XXH3.
 */
#ifndef STORAGE_BASE_MAP_H
#define STORAGE_BASE_MAP_H

#include "storage/base/arena.h"

typedef struct MapSlot {
    Slice key;
    void *value; /* NULL: free */
} MapSlot;

typedef struct Map {
    MapSlot *slots;
    size_t slot_count, count; /* slot_count is a power of two */
} Map;

uint64_t hash_bytes(const void *data, size_t size);
void *map_get(const Map *map, Slice key); /* NULL if absent */
/* value must not be NULL. Returns the value that the key had before, or NULL. */
void *map_put(Map *map, Arena *arena, Slice key, void *value);

#endif
