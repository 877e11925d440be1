/* A skip list whose links carry the newest version among the nodes they pass over: a span is judged without visiting the
 * nodes that are old enough. Versions only grow, so an insertion simply writes its version on every link it lies under.
 *
 * Two generations bound it: when the younger is half of the whole, the older is dropped and the floor becomes the version
 * up to which it was complete. A key may stand in both; the younger entry is the newer one. */
#include "storage/kv/recent_commits.h"

#include <assert.h>
#include <stdlib.h>

enum { HEIGHT_MAX = 12, UNGUARDED_NOTES_MAX = 4096 };

typedef struct Link {
    struct Node *node;
    uint64_t newest; /* among the nodes behind this link up to and with its target; may be too high, never too low */
} Link;

typedef struct Node {
    uint64_t version;
    uint32_t key_size, height;
    Link links[]; /* height of them; the key's bytes follow */
} Node;

typedef struct Generation {
    Arena *arena;
    Node *head;
    uint64_t version_first; /* it holds all notes of versions from this one on */
} Generation;

typedef struct Undo {
    Node *node;
    uint64_t version;
} Undo;

struct RecentCommits {
    size_t bytes_max;
    uint64_t floor, version, random;
    bool guarded, overflowed;
    Generation young, old;
    Undo *undo;
    size_t undo_count, undo_capacity;
};

static Node *node_make(Arena *arena, Slice key, uint32_t height)
{
    Node *node = arena_alloc(arena, sizeof(Node) + sizeof(Link) * height + key.size);
    node->height = height;
    node->key_size = (uint32_t)key.size;
    if (key.size) memcpy(node->links + height, key.data, key.size);
    return node;
}

static Slice node_key(const Node *node)
{
    return slice_of(node->links + node->height, node->key_size);
}

static void generation_start(Generation *generation, uint64_t version_first)
{
    generation->arena = arena_create(NULL, 0);
    generation->head = node_make(generation->arena, (Slice){0}, HEIGHT_MAX);
    generation->version_first = version_first;
}

RecentCommits *recent_commits_create(size_t bytes_max, uint64_t floor)
{
    RecentCommits *recent = calloc(1, sizeof *recent);
    if (!recent) abort();
    recent->bytes_max = bytes_max;
    recent->floor = floor;
    recent->random = 0x9e3779b97f4a7c15;
    generation_start(&recent->young, floor + 1);
    generation_start(&recent->old, floor + 1);
    return recent;
}

void recent_commits_destroy(RecentCommits *recent)
{
    if (!recent) return;
    arena_destroy(recent->young.arena);
    arena_destroy(recent->old.arena);
    free(recent->undo);
    free(recent);
}

static void forget_all(RecentCommits *recent, uint64_t floor)
{
    recent->floor = floor;
    if (!recent->young.head->links[0].node && !recent->old.head->links[0].node) return;
    arena_destroy(recent->young.arena);
    arena_destroy(recent->old.arena);
    generation_start(&recent->young, floor + 1);
    generation_start(&recent->old, floor + 1);
}

void recent_commits_begin(RecentCommits *recent, uint64_t version, bool guarded)
{
    assert(version > recent->floor);
    recent->version = version;
    recent->guarded = guarded;
    recent->overflowed = false;
    recent->undo_count = 0;
    if (arena_bytes(recent->young.arena) < recent->bytes_max / 2) return;
    arena_destroy(recent->old.arena);
    recent->floor = recent->young.version_first - 1;
    recent->old = recent->young;
    generation_start(&recent->young, version);
}

static void undo_push(RecentCommits *recent, Node *node)
{
    if (recent->undo_count == recent->undo_capacity) {
        recent->undo_capacity = recent->undo_capacity ? recent->undo_capacity * 2 : 256;
        recent->undo = realloc(recent->undo, recent->undo_capacity * sizeof *recent->undo);
        if (!recent->undo) abort();
    }
    recent->undo[recent->undo_count++] = (Undo){node, node->version};
}

static uint32_t height_draw(RecentCommits *recent)
{
    recent->random ^= recent->random << 13;
    recent->random ^= recent->random >> 7;
    recent->random ^= recent->random << 17;
    uint32_t height = 1;
    for (uint64_t bits = recent->random; height < HEIGHT_MAX && (bits & 3) == 0; bits >>= 2) height++;
    return height;
}

/* Fills the last node < key of each level and returns the first node >= key. */
static Node *search(const Generation *generation, Slice key, Node **before)
{
    Node *node = generation->head;
    for (int level = HEIGHT_MAX - 1; level >= 0; level--) {
        while (node->links[level].node && slice_compare(node_key(node->links[level].node), key) < 0)
            node = node->links[level].node;
        before[level] = node;
    }
    return node->links[0].node;
}

void recent_commits_note(RecentCommits *recent, Slice key)
{
    Node *before[HEIGHT_MAX];
    if (recent->overflowed) return;
    /* Nobody can ask about a group that began unguarded unless a guard was taken while it was on its way; then a small
     * group is still known, and a load of many keys is not worth the room. */
    size_t notes_max = recent->guarded ? SIZE_MAX : UNGUARDED_NOTES_MAX;
    if (recent->undo_count >= notes_max || arena_bytes(recent->young.arena) > recent->bytes_max) {
        recent->overflowed = true;
        return;
    }
    Node *node = search(&recent->young, key, before);
    if (!node || !slice_equal(node_key(node), key)) {
        node = node_make(recent->young.arena, key, height_draw(recent));
        for (uint32_t level = 0; level < node->height; level++) {
            node->links[level] = before[level]->links[level];
            before[level]->links[level].node = node;
        }
    }
    undo_push(recent, node);
    node->version = recent->version;
    for (int level = 0; level < HEIGHT_MAX; level++) before[level]->links[level].newest = recent->version;
}

void recent_commits_end(RecentCommits *recent, bool committed)
{
    bool complete = !recent->overflowed;
    recent->overflowed = false;
    if (committed && !complete) forget_all(recent, recent->version);
    if (committed) return;
    while (recent->undo_count) {
        const Undo *undo = &recent->undo[--recent->undo_count];
        undo->node->version = undo->version;
    }
}

bool recent_commits_too_old(const RecentCommits *recent, uint64_t snapshot_version)
{
    return snapshot_version < recent->floor || recent->overflowed;
}

static bool generation_changed(const Generation *generation, const KvSpan *span, uint64_t snapshot_version)
{
    Node *before[HEIGHT_MAX];
    Node *node = search(generation, span->start, before);
    /* The node is inside or behind the span. Links whose passed-over nodes are all old enough are jumped along. */
    while (node && (!span->end.size || slice_compare(node_key(node), span->end) < 0)) {
        if (node->version > snapshot_version) return true;
        int level = (int)node->height - 1;
        while (level > 0 && node->links[level].newest > snapshot_version) level--;
        node = node->links[level].node;
    }
    return false;
}

bool recent_commits_changed(const RecentCommits *recent, const KvSpan *span, uint64_t snapshot_version)
{
    return generation_changed(&recent->young, span, snapshot_version) ||
           generation_changed(&recent->old, span, snapshot_version);
}
