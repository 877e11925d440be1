#include "storage/kv/skip_list.h"

#include <assert.h>

static SkipNode *node_make(SkipList *list, Slice key, uint32_t height)
{
    size_t size = sizeof(SkipNode) + sizeof(SkipNode *) * height + ((key.size + 7) & ~(size_t)7) + list->record_size;
    SkipNode *node = arena_alloc(list->arena, size);
    node->height = height;
    node->key_size = (uint32_t)key.size;
    if (key.size) memcpy(skip_links(node) + height, key.data, key.size);
    return node;
}

void skip_list_init(SkipList *list, Arena *arena, size_t record_size)
{
    *list = (SkipList){.arena = arena, .record_size = (record_size + 7) & ~(size_t)7, .random = 0x9e3779b97f4a7c15};
    list->head = node_make(list, (Slice){0}, SKIP_HEIGHT_MAX);
}

/* One node in four reaches the next level. */
static uint32_t height_draw(SkipList *list)
{
    list->random ^= list->random << 13;
    list->random ^= list->random >> 7;
    list->random ^= list->random << 17;
    uint32_t height = 1;
    for (uint64_t bits = list->random; height < SKIP_HEIGHT_MAX && (bits & 3) == 0; bits >>= 2) height++;
    return height;
}

/* The last node < key on each level; before may be NULL. Returns the one of the lowest level, maybe the head. */
static SkipNode *search(const SkipList *list, Slice key, SkipNode **before)
{
    SkipNode *node = list->head;
    SkipNode *passed = NULL; /* known to be >= key: the levels below often meet it again */
    for (int level = SKIP_HEIGHT_MAX - 1; level >= 0; level--) {
        for (;;) {
            SkipNode *next = skip_links(node)[level];
            if (!next || next == passed) break;
            if (slice_compare(skip_key(next), key) >= 0) {
                passed = next;
                break;
            }
            node = next;
        }
        if (before) before[level] = node;
    }
    return node;
}

/* Keys often come in order: then the place is just behind the node inserted last. */
static bool follows_finger(const SkipList *list, Slice key)
{
    SkipNode *finger = list->finger;
    if (!finger || slice_compare(skip_key(finger), key) >= 0) return false;
    SkipNode *next = skip_next(finger);
    return !next || slice_compare(skip_key(next), key) > 0;
}

static SkipNode *insert_behind(SkipList *list, Slice key)
{
    SkipNode *node = node_make(list, key, height_draw(list));
    for (uint32_t level = 0; level < node->height; level++) {
        SkipNode **link = &skip_links(list->before[level])[level];
        skip_links(node)[level] = *link;
        *link = node;
    }
    SkipNode *next = skip_next(node);
    node->previous = list->before[0] == list->head ? NULL : list->before[0];
    if (next)
        next->previous = node;
    else
        list->last = node;
    list->finger = node;
    list->count++;
    return node;
}

SkipNode *skip_list_put(SkipList *list, Slice key, bool *made)
{
    *made = true;
    if (follows_finger(list, key)) {
        for (uint32_t level = 0; level < list->finger->height; level++) list->before[level] = list->finger;
        return insert_behind(list, key);
    }
    SkipNode *before[SKIP_HEIGHT_MAX];
    SkipNode *node = skip_links(search(list, key, before))[0];
    if (node && slice_equal(skip_key(node), key)) {
        *made = false;
        return node;
    }
    memcpy(list->before, before, sizeof before);
    return insert_behind(list, key);
}

SkipNode *skip_list_seek(const SkipList *list, Slice key)
{
    return skip_links(search(list, key, NULL))[0];
}

SkipNode *skip_list_find(const SkipList *list, Slice key)
{
    SkipNode *node = skip_list_seek(list, key);
    return node && slice_equal(skip_key(node), key) ? node : NULL;
}

SkipNode *skip_list_before(const SkipList *list, Slice key)
{
    SkipNode *node = search(list, key, NULL);
    assert(node);
    return node == list->head ? NULL : node;
}
