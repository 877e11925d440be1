/* lock_bulk.c - the locks of an owner that has very many of them: a load of millions of rows.
 *
 * Of such a lock only 32 bits are kept, in a table per owner and shard: a mark. Whoever asks for a lock that has no slot
 * looks for it among the marks of others; if it is there it gets a slot, as if it had always had one, and everything
 * else goes on as for any lock. Two keys may share a mark, with a chance of about one in a thousand million: they exclude
 * each other needlessly, no more.
 *
 * A table that is full is kept and one of twice its size is begun: marks cannot be moved, as the hash is not in them.
 */
#include <stdlib.h>

#include "storage/txn/lock_internal.h"

enum { MARKS_FIRST = 1024 };

typedef struct MarkTable {
    struct MarkTable *older;
    size_t size, used; /* size is a power of two */
    uint32_t marks[];  /* 0: free */
} MarkTable;

struct LockBulk {
    LockBulk *next; /* of the shard */
    LockOwner *owner;
    MarkTable *marks; /* the newest */
    uint64_t *shown;  /* those that have got a slot */
    int shown_count, shown_capacity;
};

/* The upper half tells keys apart, the lower half places them. */
static uint32_t mark_of(uint64_t name)
{
    return (uint32_t)(name >> 26) | 1;
}

static uint32_t *mark_find(MarkTable *table, uint64_t name)
{
    size_t mask = table->size - 1;
    uint32_t mark = mark_of(name);
    size_t at = (size_t)(name >> NAME_LOW_BITS) & mask;
    while (table->marks[at] && table->marks[at] != mark) at = (at + 1) & mask;
    return &table->marks[at];
}

static bool is_marked(const LockBulk *bulk, uint64_t name)
{
    for (MarkTable *table = bulk->marks; table; table = table->older)
        if (*mark_find(table, name)) return true;
    return false;
}

static MarkTable *table_make(size_t size, MarkTable *older)
{
    MarkTable *table = calloc(1, sizeof *table + size * sizeof table->marks[0]);
    if (!table) abort();
    table->size = size;
    table->older = older;
    return table;
}

bool lock_bulk_wanted(const LockRequest *request)
{
    return request->tag.kind == LOCKED_ROW && request->mode == LOCK_UPDATE && request->owner->held_count >= LOCK_BULK_FROM;
}

static LockBulk *bulk_of(LockShard *shard, LockOwner *owner)
{
    owner->bulk = true;
    for (LockBulk *bulk = shard->bulk; bulk; bulk = bulk->next)
        if (bulk->owner == owner) return bulk;
    LockBulk *bulk = calloc(1, sizeof *bulk);
    if (!bulk) abort();
    bulk->owner = owner;
    bulk->marks = table_make(MARKS_FIRST, NULL);
    bulk->next = shard->bulk;
    shard->bulk = bulk;
    return bulk;
}

void lock_bulk_add(LockShard *shard, LockOwner *owner, uint64_t name)
{
    LockBulk *bulk = bulk_of(shard, owner);
    if (bulk->marks->used * 4 >= bulk->marks->size * 3) bulk->marks = table_make(bulk->marks->size * 2, bulk->marks);
    *mark_find(bulk->marks, name) = mark_of(name);
    bulk->marks->used++;
}

bool lock_bulk_show(LockShard *shard, const LockRequest *request, bool *own)
{
    uint64_t name = request->name;
    *own = false;
    for (LockBulk *bulk = shard->bulk; bulk; bulk = bulk->next) {
        /* Who is about to set its own mark need not know whether it is there. */
        if (bulk->owner == request->owner && lock_bulk_wanted(request)) continue;
        if (!is_marked(bulk, name)) continue;
        *own = bulk->owner == request->owner;
        if (*own) return true;
        if (bulk->shown_count == bulk->shown_capacity) {
            bulk->shown_capacity = bulk->shown_capacity ? bulk->shown_capacity * 2 : 8;
            bulk->shown = realloc(bulk->shown, sizeof *bulk->shown * (size_t)bulk->shown_capacity);
            if (!bulk->shown) abort();
        }
        bulk->shown[bulk->shown_count++] = name;
        lock_slot_add(shard, name, (uintptr_t)bulk->owner | (uintptr_t)1 << (LOCK_UPDATE + 1));
        return true;
    }
    return false;
}

static LockBulk *bulk_take(LockShard *shard, const LockOwner *owner)
{
    for (LockBulk **link = &shard->bulk; *link; link = &(*link)->next) {
        if ((*link)->owner != owner) continue;
        LockBulk *taken = *link;
        *link = taken->next;
        return taken;
    }
    return NULL;
}

void lock_bulk_release(LockTable *table, LockOwner *owner)
{
    if (!owner->bulk) return;
    for (int i = 0; i < LOCK_SHARDS; i++) {
        LockShard *shard = &table->shards[i];
        pthread_mutex_lock(&shard->mutex);
        LockBulk *bulk = bulk_take(shard, owner);
        pthread_mutex_unlock(&shard->mutex);
        /* From here on nobody can make a slot of a mark; those that were made are ordinary locks. */
        for (int n = 0; bulk && n < bulk->shown_count; n++)
            lock_release(table, owner, bulk->shown[n] | (uint64_t)LOCK_UPDATE << NAME_KIND_BITS);
        for (MarkTable *marks = bulk ? bulk->marks : NULL, *older; marks; marks = older) {
            older = marks->older;
            free(marks);
        }
        if (bulk) free(bulk->shown);
        free(bulk);
    }
    owner->bulk = false;
}
