/* A skip list that only grows. The writer prepares a node and then links it from below with release stores; readers follow
 * links with acquire loads. The lowest level is linked backwards too: a reader who passes a node that is just being linked
 * may miss it, which is no matter, as its version is not published yet. */
#include "storage/kv/mem_table.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "storage/base/arena.h"

enum { HEIGHT_MAX = 16, CHANGES_FIRST = 256 };

typedef struct MemVersion {
    struct MemVersion *older;
    uint64_t version;
    uint32_t size;
    bool deleted;
    uint8_t bytes[];
} MemVersion;

struct MemNode {
    MemVersion *_Atomic newest; /* NULL: all that was put has been taken back */
    MemNode *_Atomic previous;
    uint32_t key_size, height;
    MemNode *_Atomic next[]; /* height of them; the key's bytes follow */
};

struct MemTable {
    _Atomic int holders;
    _Atomic bool filled;
    uint64_t segment, random;
    Arena *arena;
    MemNode *head;
    MemNode *_Atomic last;
    MemNode **changes; /* a node for each put that may be taken back */
    size_t change_count, change_capacity;
};

static MemNode *node_create(Arena *arena, Slice key, uint32_t height)
{
    MemNode *node = arena_try_alloc(arena, sizeof *node + sizeof node->next[0] * height + key.size);
    if (!node) return NULL;
    node->height = height;
    node->key_size = (uint32_t)key.size;
    if (key.size) memcpy((uint8_t *)node + sizeof *node + sizeof node->next[0] * height, key.data, key.size);
    return node;
}

MemTable *mem_table_create(uint64_t segment)
{
    MemTable *table = calloc(1, sizeof *table);
    if (!table) return NULL;
    atomic_init(&table->holders, 1);
    table->segment = segment;
    table->random = 0x9e3779b97f4a7c15;
    table->arena = arena_create(NULL, 0);
    table->head = node_create(table->arena, (Slice){0}, HEIGHT_MAX);
    if (table->head) return table;
    mem_table_release(table);
    return NULL;
}

void mem_table_hold(MemTable *table)
{
    atomic_fetch_add_explicit(&table->holders, 1, memory_order_relaxed);
}

void mem_table_release(MemTable *table)
{
    if (!table || atomic_fetch_sub(&table->holders, 1) != 1) return;
    arena_destroy(table->arena);
    free(table->changes);
    free(table);
}

uint64_t mem_table_segment(const MemTable *table)
{
    return table->segment;
}

size_t mem_table_bytes(const MemTable *table)
{
    return arena_bytes(table->arena);
}

bool mem_table_is_empty(const MemTable *table)
{
    return !atomic_load_explicit(&table->filled, memory_order_acquire);
}

Slice mem_node_key(const MemNode *node)
{
    return slice_of((const uint8_t *)node + sizeof *node + sizeof node->next[0] * node->height, node->key_size);
}

static MemNode *link_of(const MemNode *node, int level)
{
    return atomic_load_explicit(&node->next[level], memory_order_acquire);
}

/* The last node < key at the lowest level, maybe the head. before: of each level, if it is asked for. */
static MemNode *search(const MemTable *table, Slice key, MemNode **before)
{
    MemNode *node = table->head, *known_behind = NULL;
    for (int level = HEIGHT_MAX - 1; level >= 0; level--) {
        MemNode *next = link_of(node, level);
        /* A node that is known to lie behind the key need not be compared again one level lower. */
        while (next && next != known_behind && slice_compare(mem_node_key(next), key) < 0) {
            node = next;
            next = link_of(node, level);
        }
        known_behind = next;
        if (before) before[level] = node;
    }
    return node;
}

/* ---- the writer ---- */

static uint32_t height_draw(MemTable *table)
{
    table->random ^= table->random << 13;
    table->random ^= table->random >> 7;
    table->random ^= table->random << 17;
    uint32_t height = 1;
    for (uint64_t bits = table->random; height < HEIGHT_MAX && (bits & 3) == 0; bits >>= 2) height++;
    return height;
}

static void node_link(MemTable *table, MemNode *node, MemNode *const *before)
{
    MemNode *behind = link_of(before[0], 0);
    for (uint32_t level = 0; level < node->height; level++)
        atomic_init(&node->next[level], link_of(before[level], (int)level));
    atomic_init(&node->previous, before[0] == table->head ? NULL : before[0]);
    for (uint32_t level = 0; level < node->height; level++)
        atomic_store_explicit(&before[level]->next[level], node, memory_order_release);
    atomic_store_explicit(behind ? &behind->previous : &table->last, node, memory_order_release);
}

static MemNode *node_of(MemTable *table, Slice key)
{
    MemNode *before[HEIGHT_MAX];
    MemNode *node = link_of(search(table, key, before), 0);
    if (node && slice_equal(mem_node_key(node), key)) return node;
    node = node_create(table->arena, key, height_draw(table));
    if (node) node_link(table, node, before);
    return node;
}

static bool changes_reserve(MemTable *table)
{
    if (table->change_count < table->change_capacity) return true;
    size_t capacity = table->change_capacity ? table->change_capacity * 2 : CHANGES_FIRST;
    MemNode **grown = realloc(table->changes, sizeof(MemNode *) * capacity);
    if (!grown) return false;
    table->changes = grown;
    table->change_capacity = capacity;
    return true;
}

bool mem_table_put(MemTable *table, Slice key, const Slice *value, uint64_t version)
{
    size_t size = value ? value->size : 0;
    if (!changes_reserve(table)) return false;
    MemVersion *put = arena_try_alloc(table->arena, sizeof *put + size);
    MemNode *node = put ? node_of(table, key) : NULL;
    if (!node) return false;
    put->version = version;
    put->size = (uint32_t)size;
    put->deleted = !value;
    if (size) memcpy(put->bytes, value->data, size);
    put->older = atomic_load_explicit(&node->newest, memory_order_relaxed);
    assert(!put->older || put->older->version <= version);
    atomic_store_explicit(&node->newest, put, memory_order_release);
    table->changes[table->change_count++] = node;
    if (mem_table_is_empty(table)) atomic_store_explicit(&table->filled, true, memory_order_release);
    return true;
}

void mem_table_keep(MemTable *table)
{
    table->change_count = 0;
}

/* Readers who stand on a version that is taken back see that it is not theirs, and it leads them on. */
void mem_table_undo(MemTable *table)
{
    while (table->change_count) {
        MemNode *node = table->changes[--table->change_count];
        MemVersion *put = atomic_load_explicit(&node->newest, memory_order_relaxed);
        atomic_store_explicit(&node->newest, put->older, memory_order_release);
    }
}

/* ---- readers ---- */

MemFound mem_node_read(const MemNode *node, uint64_t version, Slice *value)
{
    const MemVersion *v = atomic_load_explicit(&node->newest, memory_order_acquire);
    while (v && v->version > version) v = v->older;
    *value = v ? slice_of(v->bytes, v->size) : (Slice){0};
    if (!v) return MEM_NOTHING;
    return v->deleted ? MEM_DELETED : MEM_VALUE;
}

MemFound mem_table_get(const MemTable *table, Slice key, uint64_t version, Slice *value)
{
    if (mem_table_is_empty(table)) return MEM_NOTHING;
    const MemNode *node = mem_table_seek(table, key);
    if (!node || !slice_equal(mem_node_key(node), key)) return MEM_NOTHING;
    return mem_node_read(node, version, value);
}

MemNode *mem_table_seek(const MemTable *table, Slice key)
{
    return link_of(search(table, key, NULL), 0);
}

MemNode *mem_table_seek_before(const MemTable *table, Slice key)
{
    if (!key.size) return atomic_load_explicit(&table->last, memory_order_acquire);
    MemNode *node = search(table, key, NULL);
    return node == table->head ? NULL : node;
}

MemNode *mem_node_next(const MemNode *node)
{
    return link_of(node, 0);
}

MemNode *mem_node_previous(const MemNode *node)
{
    return atomic_load_explicit(&node->previous, memory_order_acquire);
}
