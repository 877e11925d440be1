#include "storage/txn/lock.h"

#include <assert.h>
#include <stdlib.h>

#include "storage/base/map.h"
#include "storage/txn/lock_internal.h"

#define MODE(m) (1u << (m))

/* PostgreSQL's tables of conflicts. */
static const uint16_t key_conflicts[] = {
    [LOCK_KEY_SHARE] = MODE(LOCK_UPDATE),
    [LOCK_SHARE] = MODE(LOCK_NO_KEY_UPDATE) | MODE(LOCK_UPDATE),
    [LOCK_NO_KEY_UPDATE] = MODE(LOCK_SHARE) | MODE(LOCK_NO_KEY_UPDATE) | MODE(LOCK_UPDATE),
    [LOCK_UPDATE] = MODE(LOCK_KEY_SHARE) | MODE(LOCK_SHARE) | MODE(LOCK_NO_KEY_UPDATE) | MODE(LOCK_UPDATE),
};

#define FROM(m) (0xffu & ~(MODE(m) - 1)) /* this mode and all stronger ones */
static const uint16_t table_conflicts[] = {
    [TABLE_ACCESS_SHARE] = FROM(TABLE_ACCESS_EXCLUSIVE),
    [TABLE_ROW_SHARE] = FROM(TABLE_EXCLUSIVE),
    [TABLE_ROW_EXCLUSIVE] = FROM(TABLE_SHARE),
    [TABLE_SHARE_UPDATE_EXCLUSIVE] = FROM(TABLE_SHARE_UPDATE_EXCLUSIVE),
    [TABLE_SHARE] = FROM(TABLE_ROW_EXCLUSIVE) & ~MODE(TABLE_SHARE),
    [TABLE_SHARE_ROW_EXCLUSIVE] = FROM(TABLE_ROW_EXCLUSIVE),
    [TABLE_EXCLUSIVE] = FROM(TABLE_ROW_SHARE),
    [TABLE_ACCESS_EXCLUSIVE] = FROM(TABLE_ACCESS_SHARE),
};

static void *memory_for(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory) abort();
    return memory;
}

LockTable *lock_table_create(void)
{
    LockTable *table = memory_for(1, sizeof *table);
    pthread_mutex_init(&table->waiting, NULL);
    for (int i = 0; i < LOCK_SHARDS; i++) {
        pthread_mutex_init(&table->shards[i].mutex, NULL);
        table->shards[i].slot_count = LOCK_SLOTS_FIRST;
        table->shards[i].slots = memory_for(LOCK_SLOTS_FIRST, sizeof(LockSlot));
    }
    return table;
}

void lock_table_destroy(LockTable *table)
{
    if (!table) return;
    for (int i = 0; i < LOCK_SHARDS; i++) {
        assert(table->shards[i].used == 0);
        pthread_mutex_destroy(&table->shards[i].mutex);
        free(table->shards[i].slots);
    }
    pthread_mutex_destroy(&table->waiting);
    free(table);
}

LockOwner *lock_owner_create(void)
{
    LockOwner *owner = aligned_alloc(32, sizeof *owner);
    if (!owner) abort();
    memset(owner, 0, sizeof *owner);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&owner->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    return owner;
}

void lock_owner_destroy(LockOwner *owner)
{
    if (!owner) return;
    assert(owner->held_count == 0);
    free(owner->held);
    pthread_cond_destroy(&owner->wake);
    free(owner);
}

int lock_count(const LockOwner *owner)
{
    return owner->held_count;
}

static void held_push(LockOwner *owner, uint64_t hash)
{
    if (!owner->held || owner->held->count == HELD_CHUNK) {
        HeldChunk *chunk = malloc(sizeof *chunk);
        if (!chunk) abort();
        chunk->older = owner->held;
        chunk->count = 0;
        owner->held = chunk;
    }
    owner->held->hashes[owner->held->count++] = hash;
    owner->held_count++;
}

/* ---- slots: linear probing ---- */

/* The highest bits choose the shard and the lowest one tells keys from tables. */
static size_t home_of(const LockShard *shard, uint64_t hash)
{
    return (size_t)(hash >> 1) & (shard->slot_count - 1);
}

LockSlot *lock_slot_find(LockShard *shard, uint64_t hash)
{
    size_t mask = shard->slot_count - 1;
    for (size_t i = home_of(shard, hash);; i = (i + 1) & mask) {
        LockSlot *slot = &shard->slots[i];
        if (!slot->holder) return NULL;
        if (slot->hash == hash) return slot;
    }
}

static void slots_resize(LockShard *shard, size_t slot_count)
{
    LockSlot *old = shard->slots;
    size_t old_count = shard->slot_count, mask = slot_count - 1;
    shard->slots = memory_for(slot_count, sizeof(LockSlot));
    shard->slot_count = slot_count;
    for (size_t n = 0; n < old_count; n++) {
        if (!old[n].holder) continue;
        size_t i = home_of(shard, old[n].hash);
        while (shard->slots[i].holder) i = (i + 1) & mask;
        shard->slots[i] = old[n];
    }
    free(old);
}

static void slot_add(LockShard *shard, uint64_t hash, uintptr_t holder)
{
    if ((shard->used + 1) * 4 > shard->slot_count * 3) slots_resize(shard, shard->slot_count * 2);
    size_t mask = shard->slot_count - 1, i = home_of(shard, hash);
    while (shard->slots[i].holder) i = (i + 1) & mask;
    shard->slots[i] = (LockSlot){hash, holder};
    shard->used++;
}

/* Those that stand behind are moved up, so that no search stops short of them. */
void lock_slot_remove(LockShard *shard, LockSlot *slot)
{
    size_t mask = shard->slot_count - 1, hole = (size_t)(slot - shard->slots);
    for (size_t i = (hole + 1) & mask; shard->slots[i].holder; i = (i + 1) & mask) {
        size_t home = home_of(shard, shard->slots[i].hash);
        if (((i - home) & mask) < ((i - hole) & mask)) continue;
        shard->slots[hole] = shard->slots[i];
        hole = i;
    }
    shard->slots[hole].holder = 0;
    shard->used--;
    if (shard->slot_count > 1024 && shard->used * 16 < shard->slot_count) slots_resize(shard, shard->slot_count / 4);
}

/* ---- holders ---- */

LockHolder *lock_queue_holder(LockQueue *queue, const LockOwner *owner)
{
    for (int i = 0; i < queue->holder_count; i++)
        if (queue->holders[i].owner == owner) return &queue->holders[i];
    return NULL;
}

void lock_queue_hold(LockQueue *queue, LockOwner *owner, unsigned int modes)
{
    LockHolder *holder = lock_queue_holder(queue, owner);
    if (holder) {
        holder->modes |= modes;
        return;
    }
    if (queue->holder_count == queue->holder_capacity) {
        queue->holder_capacity = queue->holder_capacity ? queue->holder_capacity * 2 : 4;
        queue->holders = realloc(queue->holders, sizeof *queue->holders * (size_t)queue->holder_capacity);
        if (!queue->holders) abort();
    }
    queue->holders[queue->holder_count++] = (LockHolder){owner, modes};
}

void lock_queue_leave(LockQueue *queue, const LockOwner *owner)
{
    LockHolder *holder = lock_queue_holder(queue, owner);
    if (holder) *holder = queue->holders[--queue->holder_count];
}

bool lock_queue_conflicts(const LockQueue *queue, const LockOwner *owner, int mode)
{
    for (int i = 0; i < queue->holder_count; i++)
        if (queue->holders[i].owner != owner && (queue->holders[i].modes & queue->conflicts[mode])) return true;
    return false;
}

static LockQueue *queue_create(LockShard *shard, uint64_t hash, const uint16_t *conflicts)
{
    LockQueue *queue = memory_for(1, sizeof *queue);
    queue->shard = shard;
    queue->hash = hash;
    queue->conflicts = conflicts;
    return queue;
}

static LockOwner *slot_owner(const LockSlot *slot)
{
    assert(!(slot->holder & 1));
    return (LockOwner *)(slot->holder & ~(uintptr_t)31);
}

static unsigned int slot_modes(const LockSlot *slot)
{
    return (slot->holder >> 1) & 15;
}

LockQueue *lock_slot_queue(LockShard *shard, LockSlot *slot, const uint16_t *conflicts)
{
    if (slot->holder & 1) return (LockQueue *)(slot->holder & ~(uintptr_t)1);
    LockQueue *queue = queue_create(shard, slot->hash, conflicts);
    lock_queue_hold(queue, slot_owner(slot), slot_modes(slot));
    slot->holder = (uintptr_t)queue | 1;
    return queue;
}

static LockAnswer try_new(LockShard *shard, const LockRequest *request)
{
    uintptr_t holder;
    if (request->on_table) {
        LockQueue *queue = queue_create(shard, request->hash, request->conflicts);
        lock_queue_hold(queue, request->owner, MODE(request->mode));
        holder = (uintptr_t)queue | 1;
    } else {
        holder = (uintptr_t)request->owner | (uintptr_t)MODE(request->mode) << 1;
    }
    slot_add(shard, request->hash, holder);
    return LOCK_GRANTED;
}

static LockAnswer try_queue(LockQueue *queue, const LockRequest *request)
{
    const LockHolder *own = lock_queue_holder(queue, request->owner);
    if (lock_queue_conflicts(queue, request->owner, request->mode)) return LOCK_CONFLICTS;
    /* Nobody overtakes one that waits for what this request would take; an owner that holds the lock already may, as
     * the others wait for it anyway. */
    if (!own)
        for (const LockWaiter *waiter = queue->first; waiter; waiter = waiter->next)
            if (waiter->modes & queue->conflicts[request->mode]) return LOCK_CONFLICTS;
    LockAnswer answer = own ? LOCK_GRANTED_ALREADY : LOCK_GRANTED;
    lock_queue_hold(queue, request->owner, MODE(request->mode));
    return answer;
}

LockAnswer lock_try(LockShard *shard, const LockRequest *request)
{
    LockSlot *slot = lock_slot_find(shard, request->hash);
    if (!slot) return try_new(shard, request);
    if (!(slot->holder & 1)) {
        if (slot_owner(slot) == request->owner) {
            slot->holder |= (uintptr_t)MODE(request->mode) << 1;
            return LOCK_GRANTED_ALREADY;
        }
        if (slot_modes(slot) & request->conflicts[request->mode]) return LOCK_CONFLICTS;
    }
    return try_queue(lock_slot_queue(shard, slot, request->conflicts), request);
}

/* ---- asking and giving back ---- */

static Status acquire(LockTable *table, const LockRequest *request, bool *waited, Error *err)
{
    LockShard *shard = lock_shard(table, request->hash);
    pthread_mutex_lock(&shard->mutex);
    LockAnswer answer = lock_try(shard, request);
    pthread_mutex_unlock(&shard->mutex);
    bool already = answer == LOCK_GRANTED_ALREADY;
    *waited = false;
    if (answer == LOCK_CONFLICTS) {
        if (request->patience->wait == LOCK_SKIP) return ST_END;
        if (request->patience->wait == LOCK_NOWAIT) {
            *err = (Error){.sqlstate = ERR_LOCK_NOT_AVAILABLE,
                           .message = request->on_table ? "could not obtain lock on relation"
                                                        : "could not obtain lock on row in relation"};
            return ST_ERROR;
        }
        *waited = true;
        TRY(lock_wait(table, request, &already, err));
    }
    if (!already) held_push(request->owner, request->hash);
    return ST_OK;
}

/* The lowest bit tells keys from tables. */
Status lock_key(LockTable *table, LockOwner *owner, Slice key, LockMode mode, const LockPatience *patience, bool *waited,
                Error *err)
{
    LockRequest request = {owner, hash_bytes(key.data, key.size) & ~(uint64_t)1, key_conflicts, false, (int)mode, patience};
    return acquire(table, &request, waited, err);
}

Status lock_table_id(LockTable *table, LockOwner *owner, uint32_t id, TableLockMode mode, const LockPatience *patience,
                     Error *err)
{
    bool waited;
    LockRequest request = {owner, hash_bytes(&id, sizeof id) | 1, table_conflicts, true, (int)mode, patience};
    return acquire(table, &request, &waited, err);
}

/* False: somebody waits for it. */
static bool release_quick(LockShard *shard, LockOwner *owner, uint64_t hash)
{
    LockSlot *slot = lock_slot_find(shard, hash);
    assert(slot);
    if (!(slot->holder & 1)) {
        assert(slot_owner(slot) == owner);
        lock_slot_remove(shard, slot);
        return true;
    }
    LockQueue *queue = (LockQueue *)(slot->holder & ~(uintptr_t)1);
    if (queue->first) return false;
    lock_queue_leave(queue, owner);
    if (!queue->holder_count) {
        lock_slot_remove(shard, slot);
        free(queue->holders);
        free(queue);
    }
    return true;
}

void lock_release_all(LockTable *table, LockOwner *owner)
{
    while (owner->held) {
        HeldChunk *chunk = owner->held;
        for (int i = 0; i < chunk->count; i++) {
            LockShard *shard = lock_shard(table, chunk->hashes[i]);
            pthread_mutex_lock(&shard->mutex);
            bool released = release_quick(shard, owner, chunk->hashes[i]);
            pthread_mutex_unlock(&shard->mutex);
            if (!released) lock_release_contended(table, owner, chunk->hashes[i]);
        }
        owner->held_count -= chunk->count;
        chunk->count = 0;
        /* The oldest chunk is kept for the owner's next transaction. */
        if (!chunk->older) break;
        owner->held = chunk->older;
        free(chunk);
    }
    assert(owner->held_count == 0);
}
