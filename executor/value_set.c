/* value_set.c - open addressing with linear probing; tuples lie in one array that grows. */
#include "executor/value_set.h"

#include <assert.h>

typedef struct Slot {
    uint32_t hash;   /* the upper half */
    int32_t number;  /* of the tuple, plus 1; 0: free */
} Slot;

struct ValueSet {
    Arena *arena;
    const TypeDef **types;
    int width, count;
    Slot *slots;
    size_t slot_count;
    Value *tuples;
    int capacity;
};

ValueSet *value_set_create(Arena *arena, const TypeDef *const *types, int width)
{
    ValueSet *set = ARENA_NEW(arena, ValueSet);
    set->arena = arena;
    set->types = arena_copy(arena, types, sizeof *types * (size_t)width);
    set->width = width;
    for (int i = 0; i < width; i++) assert(types[i]->hash && types[i]->compare);
    return set;
}

static uint64_t mix(uint64_t h)
{
    h ^= h >> 32;
    h *= 0x9E3779B97F4A7C15u;
    return h ^ (h >> 29);
}

uint64_t value_tuple_hash(const TypeDef *const *types, int width, const Value *tuple)
{
    uint64_t h = 0x51ED270B;
    for (int i = 0; i < width; i++) h = mix(h * 31 + (tuple[i].null ? 0x7F : types[i]->hash(types[i], tuple[i])));
    return h;
}

bool value_tuple_equal(const TypeDef *const *types, int width, const Value *a, const Value *b)
{
    for (int i = 0; i < width; i++) {
        if (a[i].null != b[i].null) return false;
        if (!a[i].null && type_compare(types[i], a[i], b[i]) != 0) return false;
    }
    return true;
}

const Value *value_set_tuple(const ValueSet *set, int number)
{
    assert(number >= 0 && number < set->count);
    return set->tuples + (size_t)number * (size_t)set->width;
}

int value_set_count(const ValueSet *set)
{
    return set->count;
}

/* The slot that holds the tuple, or the free one where it belongs. */
static Slot *find_slot(const ValueSet *set, uint64_t hash, const Value *tuple)
{
    size_t mask = set->slot_count - 1;
    for (size_t at = hash & mask;; at = (at + 1) & mask) {
        Slot *slot = &set->slots[at];
        if (slot->number == 0) return slot;
        if (slot->hash == (uint32_t)(hash >> 32) &&
            value_tuple_equal(set->types, set->width, value_set_tuple(set, slot->number - 1), tuple))
            return slot;
    }
}

static void grow_slots(ValueSet *set)
{
    Slot *old = set->slots;
    size_t old_count = set->slot_count;
    set->slot_count = old_count ? old_count * 4 : 16;
    set->slots = ARENA_ARRAY(set->arena, Slot, set->slot_count);
    for (size_t i = 0; i < old_count; i++) {
        if (old[i].number == 0) continue;
        const Value *tuple = value_set_tuple(set, old[i].number - 1);
        *find_slot(set, value_tuple_hash(set->types, set->width, tuple), tuple) = old[i];
    }
}

static int append_tuple(ValueSet *set, const Value *tuple)
{
    if (set->count == set->capacity) {
        int capacity = set->capacity ? set->capacity * 2 : 8;
        size_t bytes = sizeof(Value) * (size_t)(set->width ? set->width : 1);
        set->tuples = arena_grow(set->arena, set->tuples, bytes * (size_t)set->capacity, bytes * (size_t)capacity);
        set->capacity = capacity;
    }
    Value *place = set->tuples + (size_t)set->count * (size_t)set->width;
    for (int i = 0; i < set->width; i++)
        place[i] = tuple[i].null ? VALUE_NULL : value_copy(set->types[i], tuple[i], set->arena);
    return set->count++;
}

int value_set_put(ValueSet *set, const Value *tuple, bool *added)
{
    if ((size_t)set->count * 2 >= set->slot_count) grow_slots(set);
    uint64_t hash = value_tuple_hash(set->types, set->width, tuple);
    Slot *slot = find_slot(set, hash, tuple);
    bool is_new = slot->number == 0;
    if (is_new) {
        slot->hash = (uint32_t)(hash >> 32);
        slot->number = append_tuple(set, tuple) + 1;
    }
    if (added) *added = is_new;
    return slot->number - 1;
}

int value_set_find(const ValueSet *set, const Value *tuple)
{
    if (set->count == 0) return -1;
    return find_slot(set, value_tuple_hash(set->types, set->width, tuple), tuple)->number - 1;
}
