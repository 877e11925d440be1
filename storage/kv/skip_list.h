/* skip_list.h - an ordered map from bytes to records of one size, in an arena.
 *
 * Nodes are never removed and never move, so a pointer to one is a position that insertions leave intact. A record is
 * zeroed when its node is made, and is aligned to 8 bytes. Keys are copied. Not for use by several threads at once.
 */
#ifndef STORAGE_KV_SKIP_LIST_H
#define STORAGE_KV_SKIP_LIST_H

#include "storage/base/arena.h"

enum { SKIP_HEIGHT_MAX = 12 };

typedef struct SkipNode {
    struct SkipNode *previous; /* NULL at the first */
    uint32_t key_size;
    uint32_t height;
} SkipNode; /* next[height], the key's bytes and, aligned, the record follow: a search reads one cache line of most nodes */

typedef struct SkipList {
    Arena *arena;
    size_t record_size;
    size_t count;
    SkipNode *head, *last; /* head holds no key; last is NULL while the list is empty */
    uint64_t random;
    SkipNode *finger;                  /* the node inserted last */
    SkipNode *before[SKIP_HEIGHT_MAX]; /* what stood before it on each level */
} SkipList;

void skip_list_init(SkipList *list, Arena *arena, size_t record_size);

/* The key's node, made if it is absent. */
SkipNode *skip_list_put(SkipList *list, Slice key, bool *made);
SkipNode *skip_list_find(const SkipList *list, Slice key);   /* NULL if absent */
SkipNode *skip_list_seek(const SkipList *list, Slice key);   /* the first >= key, or NULL */
SkipNode *skip_list_before(const SkipList *list, Slice key); /* the last < key, or NULL */

static inline SkipNode **skip_links(SkipNode *node)
{
    return (SkipNode **)(void *)(node + 1);
}

static inline void *skip_record(SkipNode *node)
{
    return (uint8_t *)(skip_links(node) + node->height) + ((node->key_size + 7) & ~(size_t)7);
}

static inline SkipNode *skip_next(SkipNode *node)
{
    return skip_links(node)[0];
}

static inline SkipNode *skip_first(const SkipList *list)
{
    return skip_links(list->head)[0];
}

static inline Slice skip_key(SkipNode *node)
{
    return slice_of(skip_links(node) + node->height, node->key_size);
}

#endif
