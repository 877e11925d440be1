#include "storage/base/map.h"

#include <assert.h>
#include <xxhash.h>

uint64_t hash_bytes(const void *data, size_t size)
{
    return XXH3_64bits(data, size);
}

static MapSlot *slot_of(MapSlot *slots, size_t slot_count, Slice key)
{
    for (size_t i = hash_bytes(key.data, key.size);; i++) {
        MapSlot *slot = &slots[i & (slot_count - 1)];
        if (!slot->value || slice_equal(slot->key, key)) return slot;
    }
}

void *map_get(const Map *map, Slice key)
{
    return map->slot_count ? slot_of(map->slots, map->slot_count, key)->value : NULL;
}

static void grow(Map *map, Arena *arena)
{
    size_t slot_count = map->slot_count ? map->slot_count * 2 : 8;
    MapSlot *slots = ARENA_ARRAY(arena, MapSlot, slot_count);
    for (size_t i = 0; i < map->slot_count; i++)
        if (map->slots[i].value) *slot_of(slots, slot_count, map->slots[i].key) = map->slots[i];
    map->slots = slots;
    map->slot_count = slot_count;
}

void *map_put(Map *map, Arena *arena, Slice key, void *value)
{
    assert(value);
    if (map->count * 4 >= map->slot_count * 3) grow(map, arena);
    MapSlot *slot = slot_of(map->slots, map->slot_count, key);
    void *before = slot->value;
    if (!before) map->count++;
    *slot = (MapSlot){key, value};
    return before;
}
