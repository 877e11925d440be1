/* A B+ tree that only grows, over the linked nodes.
 *
 * A page of the tree has the bytes that all its keys begin with, and for each key the eight bytes behind those as a number
 * (its head): most comparisons are of numbers that lie together, and a node is looked at only where heads are equal. A
 * cache miss costs what a hundred instructions do, and a large transaction lives outside the cache.
 *
 *   page of the lowest level   entry i: a node
 *   page above                 entry i: the first node under child i, and the child; keys before the first belong to child 0
 */
#include "storage/kv/sorted_map.h"

#include <assert.h>

enum { PAGE_ENTRIES = 64, PREFIX_MAX = 44, LEVELS_MAX = 16 };

typedef struct SortedTree {
    uint16_t count;
    bool lowest;
    uint8_t prefix_size;
    uint8_t prefix[PREFIX_MAX];
    uint64_t heads[PAGE_ENTRIES];
    SortedNode *nodes[PAGE_ENTRIES];
    struct SortedTree *children[]; /* PAGE_ENTRIES of them above the lowest level */
} SortedTree;

typedef struct Path {
    SortedTree *pages[LEVELS_MAX];
    int places[LEVELS_MAX];
    int depth;
} Path;

static SortedTree *page_make(SortedMap *map, bool lowest)
{
    size_t children = lowest ? 0 : sizeof(SortedTree *) * PAGE_ENTRIES;
    SortedTree *page = arena_alloc(map->arena, sizeof(SortedTree) + children);
    page->lowest = lowest;
    return page;
}

void sorted_map_init(SortedMap *map, Arena *arena, size_t record_size)
{
    *map = (SortedMap){.arena = arena, .record_size = (record_size + 7) & ~(size_t)7};
    map->root = page_make(map, true);
}

/* ---- heads ---- */

/* The eight bytes behind the prefix, short keys filled up with zeros: an unequal head orders as the keys do. */
static uint64_t head_of(Slice key, size_t prefix_size)
{
    uint64_t head = 0;
    if (key.size >= prefix_size + sizeof head) {
        memcpy(&head, key.data + prefix_size, sizeof head);
        return __builtin_bswap64(head);
    }
    for (size_t i = 0; i < sizeof head; i++) head = head << 8 | (prefix_size + i < key.size ? key.data[prefix_size + i] : 0);
    return head;
}

static size_t shared_size(Slice a, Slice b)
{
    size_t max = a.size < b.size ? a.size : b.size, n = 0;
    if (max > PREFIX_MAX) max = PREFIX_MAX;
    while (n < max && a.data[n] == b.data[n]) n++;
    return n;
}

/* Takes the prefix from the first and last key, between which the others lie. */
static void page_measure(SortedTree *page)
{
    if (!page->count) return;
    Slice first = sorted_key(page->nodes[0]);
    page->prefix_size = (uint8_t)shared_size(first, sorted_key(page->nodes[page->count - 1]));
    memcpy(page->prefix, first.data, page->prefix_size);
    for (int i = 0; i < page->count; i++) page->heads[i] = head_of(sorted_key(page->nodes[i]), page->prefix_size);
}

/* After entries were taken away: the rest may have more in common. */
static void page_tighten(SortedTree *page)
{
    Slice first = sorted_key(page->nodes[0]), last = sorted_key(page->nodes[page->count - 1]);
    if (shared_size(first, last) != page->prefix_size) page_measure(page);
}

/* -1, 0, 1: the key lies before the page's prefix, has it, or lies behind it. */
static int prefix_order(const SortedTree *page, Slice key)
{
    size_t size = page->prefix_size;
    size_t shared = key.size < size ? key.size : size;
    int order = shared ? memcmp(key.data, page->prefix, shared) : 0;
    if (order) return order < 0 ? -1 : 1;
    return key.size < size ? -1 : 0;
}

/* The first entry >= key; behind: the first > key. */
static int page_seek(const SortedTree *page, Slice key, bool behind)
{
    int order = page->count ? prefix_order(page, key) : -1;
    if (order) return order < 0 ? 0 : page->count;
    uint64_t head = head_of(key, page->prefix_size);
    int low = 0, high = page->count;
    while (low < high) {
        int middle = (low + high) / 2;
        bool less = page->heads[middle] < head;
        if (page->heads[middle] == head) less = slice_compare(sorted_key(page->nodes[middle]), key) < (behind ? 1 : 0);
        if (less)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A look at the numbers spares most looks at the node. */
static bool entry_is(const SortedTree *page, int place, Slice key)
{
    if (place >= page->count || prefix_order(page, key) != 0) return false;
    if (page->heads[place] != head_of(key, page->prefix_size)) return false;
    return slice_equal(sorted_key(page->nodes[place]), key);
}

/* Down to the page of the lowest level where the key is or would be. path may be NULL. */
static SortedTree *descend(const SortedMap *map, Slice key, Path *path)
{
    SortedTree *page = map->root;
    int depth = 0;
    while (!page->lowest) {
        int place = page_seek(page, key, true);
        if (place > 0) place--;
        if (path) {
            path->pages[depth] = page;
            path->places[depth] = place;
        }
        depth++;
        page = page->children[place];
    }
    assert(depth < LEVELS_MAX);
    if (path) path->depth = depth;
    return page;
}

/* ---- growing ---- */

static void entry_insert(SortedTree *page, int place, SortedNode *node, SortedTree *child)
{
    size_t behind = (size_t)(page->count - place);
    assert(page->count < PAGE_ENTRIES);
    memmove(page->heads + place + 1, page->heads + place, behind * sizeof *page->heads);
    memmove(page->nodes + place + 1, page->nodes + place, behind * sizeof(SortedNode *));
    page->nodes[place] = node;
    if (child) {
        memmove(page->children + place + 1, page->children + place, behind * sizeof(SortedTree *));
        page->children[place] = child;
    }
    page->count++;
    Slice key = sorted_key(node);
    if (page->count > 1 && prefix_order(page, key) == 0)
        page->heads[place] = head_of(key, page->prefix_size);
    else
        page_measure(page);
}

/* Moves what is from `place` on to a new page. */
static SortedTree *page_split(SortedMap *map, SortedTree *page, int place)
{
    SortedTree *right = page_make(map, page->lowest);
    size_t count = (size_t)(page->count - place);
    if (!count) return right;
    right->count = (uint16_t)count;
    right->prefix_size = page->prefix_size;
    memcpy(right->prefix, page->prefix, page->prefix_size);
    memcpy(right->heads, page->heads + place, count * sizeof *page->heads);
    memcpy(right->nodes, page->nodes + place, count * sizeof(SortedNode *));
    if (!page->lowest) memcpy(right->children, page->children + place, count * sizeof(SortedTree *));
    page->count = (uint16_t)place;
    page_tighten(page);
    page_tighten(right);
    return right;
}

/* Puts an entry into a page, which is split if it is full; the new page goes to the level above. Keys that come in order
 * leave full pages behind. The first entry above stands for all keys before it, so it is corrected before another one,
 * which may be less than it was, comes to stand behind it. */
static void page_add(SortedMap *map, Path *path, SortedTree *page, int place, SortedNode *node)
{
    SortedTree *child = NULL;
    for (int depth = path->depth;; depth--) {
        if (page->count < PAGE_ENTRIES) {
            entry_insert(page, place, node, child);
            return;
        }
        int cut = place == page->count ? page->count : page->count / 2;
        SortedTree *right = page_split(map, page, cut);
        if (place < cut)
            entry_insert(page, place, node, child);
        else
            entry_insert(right, place - cut, node, child);
        SortedNode *left_first = page->nodes[0];
        node = right->nodes[0];
        child = right;
        if (depth == 0) break;
        page = path->pages[depth - 1];
        place = path->places[depth - 1] + 1;
        if (place == 1 && page->nodes[0] != left_first) {
            page->nodes[0] = left_first;
            page_measure(page);
        }
    }
    SortedTree *root = page_make(map, false);
    SortedTree *left = map->root;
    map->root = root;
    entry_insert(root, 0, left->nodes[0], left);
    entry_insert(root, 1, node, child);
}

static SortedNode *node_make(SortedMap *map, Slice key)
{
    size_t size = sizeof(SortedNode) + ((key.size + 7) & ~(size_t)7) + map->record_size;
    SortedNode *node = arena_alloc(map->arena, size);
    node->key_size = key.size;
    if (key.size) memcpy(node + 1, key.data, key.size);
    map->count++;
    return node;
}

static void node_link(SortedMap *map, SortedNode *node, SortedNode *previous, SortedNode *next)
{
    node->previous = previous;
    node->next = next;
    if (previous)
        previous->next = node;
    else
        map->first = node;
    if (next)
        next->previous = node;
    else
        map->last = node;
}

SortedNode *sorted_map_put(SortedMap *map, Slice key, bool *made)
{
    Path path;
    SortedTree *page = descend(map, key, &path);
    int place = page_seek(page, key, false);
    SortedNode *next = place < page->count ? page->nodes[place] : NULL;
    *made = !entry_is(page, place, key);
    if (!*made) return next;
    SortedNode *previous = next ? next->previous : place ? page->nodes[place - 1] : NULL;
    SortedNode *node = node_make(map, key);
    node_link(map, node, previous, previous ? previous->next : map->first);
    page_add(map, &path, page, place, node);
    return node;
}

/* ---- looking ---- */

SortedNode *sorted_map_seek(const SortedMap *map, Slice key)
{
    const SortedTree *page = descend(map, key, NULL);
    int place = page_seek(page, key, false);
    if (place < page->count) return page->nodes[place];
    return place ? page->nodes[place - 1]->next : NULL;
}

SortedNode *sorted_map_find(const SortedMap *map, Slice key)
{
    const SortedTree *page = descend(map, key, NULL);
    int place = page_seek(page, key, false);
    return entry_is(page, place, key) ? page->nodes[place] : NULL;
}

SortedNode *sorted_map_before(const SortedMap *map, Slice key)
{
    SortedNode *node = sorted_map_seek(map, key);
    return node ? node->previous : map->last;
}
