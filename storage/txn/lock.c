#include "storage/txn/lock.h"

#include <assert.h>
#include <stdlib.h>

#include "storage/base/map.h"
#include "storage/txn/lock_internal.h"

#define MODE(m) (1u << (m))

/* PostgreSQL's table of conflicts between row locks: each mode excludes what a weaker one does. */
static const uint16_t key_conflicts[] = {
    [LOCK_KEY_SHARE] = MODE(LOCK_UPDATE),
    [LOCK_SHARE] = MODE(LOCK_NO_KEY_UPDATE) | MODE(LOCK_UPDATE),
    [LOCK_NO_KEY_UPDATE] = MODE(LOCK_SHARE) | MODE(LOCK_NO_KEY_UPDATE) | MODE(LOCK_UPDATE),
    [LOCK_UPDATE] = MODE(LOCK_KEY_SHARE) | MODE(LOCK_SHARE) | MODE(LOCK_NO_KEY_UPDATE) | MODE(LOCK_UPDATE),
};

void *lock_memory(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory) abort();
    return memory;
}

LockTable *lock_table_create(void)
{
    LockTable *table = lock_memory(1, sizeof *table);
    pthread_mutex_init(&table->waiting, NULL);
    pthread_mutex_init(&table->owners_mutex, NULL);
    for (int i = 0; i < LOCK_SHARDS; i++) {
        pthread_mutex_init(&table->shards[i].mutex, NULL);
        table->shards[i].slot_count = LOCK_SLOTS_FIRST;
        table->shards[i].slots = lock_memory(LOCK_SLOTS_FIRST, sizeof(LockSlot));
    }
    return table;
}

void lock_table_destroy(LockTable *table)
{
    if (!table) return;
    assert(!table->owners);
    for (int i = 0; i < LOCK_SHARDS; i++) {
        assert(table->shards[i].used == 0);
        pthread_mutex_destroy(&table->shards[i].mutex);
        free(table->shards[i].slots);
    }
    pthread_mutex_destroy(&table->owners_mutex);
    pthread_mutex_destroy(&table->waiting);
    free(table);
}

/* ---- owners ---- */

LockOwner *lock_owner_create(LockTable *table)
{
    LockOwner *owner = aligned_alloc(32, sizeof *owner);
    if (!owner) abort();
    memset(owner, 0, sizeof *owner);
    owner->table = table;
    lock_session_init(&owner->own, table, 0);
    owner->session = &owner->own;
    pthread_mutex_init(&owner->fast_mutex, NULL);
    pthread_mutex_lock(&table->owners_mutex);
    owner->next = table->owners;
    if (owner->next) owner->next->previous = owner;
    table->owners = owner;
    pthread_mutex_unlock(&table->owners_mutex);
    return owner;
}

void lock_owner_destroy(LockOwner *owner)
{
    if (!owner) return;
    LockTable *table = owner->table;
    assert(owner->held_count == 0 && owner->fast_count == 0);
    pthread_mutex_lock(&table->owners_mutex);
    if (owner->previous)
        owner->previous->next = owner->next;
    else
        table->owners = owner->next;
    if (owner->next) owner->next->previous = owner->previous;
    pthread_mutex_unlock(&table->owners_mutex);
    free(owner->held);
    pthread_mutex_destroy(&owner->fast_mutex);
    pthread_cond_destroy(&owner->own.wake);
    free(owner);
}

void lock_owner_begin(LockOwner *owner, LockSession *session, uint64_t txn_id)
{
    assert(lock_count(owner) == 0);
    pthread_mutex_lock(&owner->fast_mutex);
    owner->session = session ? session : &owner->own;
    owner->txn_id = txn_id;
    pthread_mutex_unlock(&owner->fast_mutex);
}

void lock_owner_note_write(LockOwner *owner)
{
    if (!atomic_load_explicit(&owner->writes, memory_order_relaxed))
        atomic_store_explicit(&owner->writes, true, memory_order_relaxed);
}

uint64_t lock_owner_waits(const LockOwner *owner)
{
    return owner->waits;
}

int lock_count(const LockOwner *owner)
{
    return owner->held_count + owner->fast_count;
}

void lock_held_push(LockOwner *owner, uint64_t name, int mode)
{
    if (!owner->held || owner->held->count == HELD_CHUNK) {
        HeldChunk *chunk = malloc(sizeof *chunk);
        if (!chunk) abort();
        chunk->older = owner->held;
        chunk->count = 0;
        owner->held = chunk;
    }
    owner->held->names[owner->held->count++] = name | (uint64_t)mode << NAME_KIND_BITS;
    owner->held_count++;
}

/* ---- slots: linear probing ---- */

/* The highest bits choose the shard and the lowest ones are no part of the hash. */
static size_t home_of(const LockShard *shard, uint64_t name)
{
    return (size_t)(name >> NAME_LOW_BITS) & (shard->slot_count - 1);
}

LockSlot *lock_slot_find(LockShard *shard, uint64_t name)
{
    size_t mask = shard->slot_count - 1;
    for (size_t i = home_of(shard, name);; i = (i + 1) & mask) {
        LockSlot *slot = &shard->slots[i];
        if (!slot->holder) return NULL;
        if (slot->name == name) return slot;
    }
}

static void slots_resize(LockShard *shard, size_t slot_count)
{
    LockSlot *old = shard->slots;
    size_t old_count = shard->slot_count, mask = slot_count - 1;
    shard->slots = lock_memory(slot_count, sizeof(LockSlot));
    shard->slot_count = slot_count;
    for (size_t n = 0; n < old_count; n++) {
        if (!old[n].holder) continue;
        size_t i = home_of(shard, old[n].name);
        while (shard->slots[i].holder) i = (i + 1) & mask;
        shard->slots[i] = old[n];
    }
    free(old);
}

void lock_slot_add(LockShard *shard, uint64_t name, uintptr_t holder)
{
    if ((shard->used + 1) * 4 > shard->slot_count * 3) slots_resize(shard, shard->slot_count * 2);
    size_t mask = shard->slot_count - 1, i = home_of(shard, name);
    while (shard->slots[i].holder) i = (i + 1) & mask;
    shard->slots[i] = (LockSlot){name, holder};
    shard->used++;
}

/* Those that stand behind are moved up, so that no search stops short of them. */
void lock_slot_remove(LockShard *shard, LockSlot *slot)
{
    size_t mask = shard->slot_count - 1, hole = (size_t)(slot - shard->slots);
    for (size_t i = (hole + 1) & mask; shard->slots[i].holder; i = (i + 1) & mask) {
        size_t home = home_of(shard, shard->slots[i].name);
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

bool lock_queue_has(const LockQueue *queue, const LockSession *session)
{
    for (int i = 0; i < queue->holder_count; i++)
        if (queue->holders[i].owner->session == session) return true;
    return false;
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

void lock_queue_leave(LockQueue *queue, const LockOwner *owner, unsigned int modes)
{
    LockHolder *holder = lock_queue_holder(queue, owner);
    assert(holder && (holder->modes & modes) == modes);
    holder->modes &= ~modes;
    if (!holder->modes) *holder = queue->holders[--queue->holder_count];
}

bool lock_queue_conflicts(const LockQueue *queue, const LockOwner *owner, int mode)
{
    for (int i = 0; i < queue->holder_count; i++)
        if ((queue->holders[i].modes & queue->conflicts[mode]) && queue->holders[i].owner->session != owner->session)
            return true;
    return false;
}

static LockQueue *queue_create(LockShard *shard, const LockRequest *request)
{
    LockQueue *queue = lock_memory(1, sizeof *queue);
    queue->shard = shard;
    queue->name = request->name;
    queue->tag = request->tag;
    queue->conflicts = request->conflicts;
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

LockQueue *lock_slot_queue(LockShard *shard, LockSlot *slot, const LockRequest *request)
{
    if (slot->holder & 1) return (LockQueue *)(slot->holder & ~(uintptr_t)1);
    LockQueue *queue = queue_create(shard, request);
    lock_queue_hold(queue, slot_owner(slot), slot_modes(slot));
    slot->holder = (uintptr_t)queue | 1;
    return queue;
}

static LockAnswer try_new(LockShard *shard, const LockRequest *request)
{
    uintptr_t holder;
    if (lock_bulk_wanted(request)) {
        lock_bulk_add(shard, request->owner, request->name);
        return LOCK_GRANTED_ALREADY; /* it is not to be entered among those held */
    }
    if (request->tag.kind != LOCKED_ROW) {
        LockQueue *queue = queue_create(shard, request);
        lock_queue_hold(queue, request->owner, MODE(request->mode));
        holder = (uintptr_t)queue | 1;
    } else {
        holder = (uintptr_t)request->owner | (uintptr_t)MODE(request->mode) << 1;
    }
    lock_slot_add(shard, request->name, holder);
    return LOCK_GRANTED;
}

/* Modes that are at least this one. Those of rows are one ladder; others have no order. */
static unsigned int modes_covering(const LockRequest *request)
{
    return request->tag.kind == LOCKED_ROW ? 15u & ~(MODE(request->mode) - 1) : MODE(request->mode);
}

static LockAnswer try_queue(LockQueue *queue, const LockRequest *request)
{
    const LockHolder *own = lock_queue_holder(queue, request->owner);
    if (own && (own->modes & modes_covering(request))) return LOCK_GRANTED_ALREADY;
    if (lock_queue_conflicts(queue, request->owner, request->mode)) return LOCK_CONFLICTS;
    /* Nobody overtakes one that waits for what this request would take; a session that holds the lock already may, as
     * the others wait for it anyway. */
    if (queue->first && !lock_queue_has(queue, request->owner->session))
        for (const LockWaiter *waiter = queue->first; waiter; waiter = waiter->next)
            if (waiter->modes & queue->conflicts[request->mode]) return LOCK_CONFLICTS;
    lock_queue_hold(queue, request->owner, MODE(request->mode));
    return LOCK_GRANTED;
}

LockAnswer lock_try(LockShard *shard, const LockRequest *request)
{
    LockSlot *slot = lock_slot_find(shard, request->name);
    bool own;
    if (!slot && shard->bulk && lock_bulk_show(shard, request, &own)) {
        if (own) return LOCK_GRANTED_ALREADY;
        slot = lock_slot_find(shard, request->name);
    }
    if (!slot) return try_new(shard, request);
    if (!(slot->holder & 1)) {
        if (slot_owner(slot) == request->owner) {
            if (slot_modes(slot) & modes_covering(request)) return LOCK_GRANTED_ALREADY;
            slot->holder |= (uintptr_t)MODE(request->mode) << 1;
            return LOCK_GRANTED;
        }
        if (slot_modes(slot) & request->conflicts[request->mode]) return LOCK_CONFLICTS;
    }
    return try_queue(lock_slot_queue(shard, slot, request), request);
}

void lock_hold_moved(LockShard *shard, const LockRequest *request)
{
    LockSlot *slot = lock_slot_find(shard, request->name);
    if (slot)
        lock_queue_hold(lock_slot_queue(shard, slot, request), request->owner, MODE(request->mode));
    else
        (void)try_new(shard, request);
}

/* ---- asking and giving back ---- */

static Status not_available(const LockRequest *request, Error *err)
{
    *err = (Error){.sqlstate = ERR_LOCK_NOT_AVAILABLE,
                   .message = request->tag.kind == LOCKED_ROW ? "could not obtain lock on row"
                                                              : "could not obtain lock on relation"};
    return ST_ERROR;
}

Status lock_acquire(LockTable *table, const LockRequest *request, bool *waited, bool *already, Error *err)
{
    LockShard *shard = lock_shard(table, request->name);
    pthread_mutex_lock(&shard->mutex);
    LockAnswer answer = lock_try(shard, request);
    pthread_mutex_unlock(&shard->mutex);
    *already = answer == LOCK_GRANTED_ALREADY;
    *waited = false;
    if (answer != LOCK_CONFLICTS) return ST_OK;
    if (request->patience->wait == LOCK_SKIP) return ST_END;
    if (request->patience->wait == LOCK_NOWAIT) return not_available(request, err);
    *waited = true;
    return lock_wait(table, request, already, err);
}

Status lock_key(LockTable *table, LockOwner *owner, Slice key, LockMode mode, const LockPatience *patience, bool *waited,
                Error *err)
{
    LockRequest request = {.owner = owner, .name = lock_name(hash_bytes(key.data, key.size), LOCKED_ROW),
                           .conflicts = key_conflicts, .tag = {.kind = LOCKED_ROW}, .key = key, .mode = (int)mode,
                           .patience = patience};
    bool already;
    lock_owner_note_write(owner);
    TRY(lock_acquire(table, &request, waited, &already, err));
    if (!already) lock_held_push(owner, request.name, request.mode);
    return ST_OK;
}

/* False: somebody waits for it. */
static bool release_quick(LockShard *shard, LockOwner *owner, uint64_t name, unsigned int modes)
{
    LockSlot *slot = lock_slot_find(shard, name);
    assert(slot);
    if (!(slot->holder & 1)) {
        assert(slot_owner(slot) == owner);
        slot->holder &= ~((uintptr_t)modes << 1);
        if (!slot_modes(slot)) lock_slot_remove(shard, slot);
        return true;
    }
    LockQueue *queue = (LockQueue *)(slot->holder & ~(uintptr_t)1);
    if (queue->first) return false;
    lock_queue_leave(queue, owner, modes);
    if (!queue->holder_count) {
        lock_slot_remove(shard, slot);
        free(queue->holders);
        free(queue);
    }
    return true;
}

void lock_release(LockTable *table, LockOwner *owner, uint64_t name)
{
    uint64_t plain = (name & ~NAME_LOW) | (name & ((1u << NAME_KIND_BITS) - 1));
    int mode = (int)((name & NAME_LOW) >> NAME_KIND_BITS);
    LockShard *shard = lock_shard(table, plain);
    pthread_mutex_lock(&shard->mutex);
    bool released = release_quick(shard, owner, plain, MODE(mode));
    pthread_mutex_unlock(&shard->mutex);
    if (!released) lock_release_contended(table, owner, name);
    if ((plain & NAME_LOW) == LOCKED_TABLE && mode > TABLE_SHARE_UPDATE_EXCLUSIVE) lock_strong_end(table, plain);
}

LockMark lock_mark(const LockOwner *owner)
{
    return (LockMark){owner->held_count, owner->fast_count};
}

void lock_release_to(LockTable *table, LockOwner *owner, LockMark mark)
{
    lock_fast_release_to(table, owner, mark.fast);
    /* Marks have no order; those that may be older than the savepoint stay until the end. */
    if (mark.held < LOCK_BULK_FROM) lock_bulk_release(table, owner);
    while (owner->held_count > mark.held) {
        HeldChunk *chunk = owner->held;
        assert(chunk->count > 0);
        while (chunk->count > 0 && owner->held_count > mark.held) {
            lock_release(table, owner, chunk->names[--chunk->count]);
            owner->held_count--;
        }
        /* The oldest chunk is kept for the owner's next transaction. */
        if (chunk->count > 0 || !chunk->older) break;
        owner->held = chunk->older;
        free(chunk);
    }
    assert(owner->held_count == mark.held);
}

void lock_release_all(LockTable *table, LockOwner *owner)
{
    lock_release_to(table, owner, (LockMark){0, 0});
    atomic_store_explicit(&owner->writes, false, memory_order_relaxed);
    lock_owner_begin(owner, NULL, 0);
}
