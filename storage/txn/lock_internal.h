/* lock_internal.h - shared by lock.c (the table, the quick way) and lock_wait.c (queues, deadlocks).
 *
 * Mutexes, in the order in which they may be taken: waiting, then one shard's.
 *   shard.mutex  guards the shard's slots and the holders of its queues.
 *   waiting      guards all lists of waiters and what each owner waits for. A queue that has waiters loses holders and is
 *                freed only under it, so whoever has it may walk the waits-for graph shard by shard.
 */
#ifndef STORAGE_TXN_LOCK_INTERNAL_H
#define STORAGE_TXN_LOCK_INTERNAL_H

#include <pthread.h>

#include "storage/txn/lock.h"

enum { LOCK_SHARDS = 64, LOCK_SLOTS_FIRST = 64, HELD_CHUNK = 508 };

typedef struct LockQueue LockQueue;
typedef struct LockShard LockShard;

typedef struct HeldChunk {
    struct HeldChunk *older;
    int count;
    uint64_t hashes[HELD_CHUNK];
} HeldChunk;

typedef struct LockWaiter {
    struct LockWaiter *next;
    LockOwner *owner;
    unsigned int modes; /* one bit */
    bool granted, holds_already;
} LockWaiter;

/* Aligned so that a pointer to one has five bits to spare. */
struct LockOwner {
    HeldChunk *held; /* the newest chunk; only its owner's thread touches the list */
    int held_count;
    LockQueue *waits_in; /* guarded by waiting, as the next two are */
    LockWaiter *waiter;
    uint64_t search; /* number of the last search that met it */
    pthread_cond_t wake;
} __attribute__((aligned(32)));

typedef struct LockHolder {
    LockOwner *owner;
    unsigned int modes;
} LockHolder;

/* A lock with several holders, or with waiters, or on a table. */
struct LockQueue {
    LockShard *shard;
    uint64_t hash;
    const uint16_t *conflicts; /* per mode, the modes it cannot stand beside */
    LockHolder *holders;
    int holder_count, holder_capacity;
    LockWaiter *first, *last;
};

/* holder: 0 free; else a LockOwner with its key lock modes in bits 1 to 4; with bit 0, a LockQueue. */
typedef struct LockSlot {
    uint64_t hash;
    uintptr_t holder;
} LockSlot;

struct LockShard {
    pthread_mutex_t mutex;
    LockSlot *slots;
    size_t slot_count, used; /* slot_count is a power of two */
};

struct LockTable {
    LockShard shards[LOCK_SHARDS];
    pthread_mutex_t waiting;
    uint64_t searches;
};

typedef struct LockRequest {
    LockOwner *owner;
    uint64_t hash;
    const uint16_t *conflicts;
    bool on_table;
    int mode;
    const LockPatience *patience;
} LockRequest;

typedef enum LockAnswer { LOCK_GRANTED, LOCK_GRANTED_ALREADY, LOCK_CONFLICTS } LockAnswer;

static inline LockShard *lock_shard(LockTable *table, uint64_t hash)
{
    return &table->shards[hash >> 58];
}

/* All with the shard's mutex held. */
LockSlot *lock_slot_find(LockShard *shard, uint64_t hash); /* NULL if the lock is free */
void lock_slot_remove(LockShard *shard, LockSlot *slot);
LockAnswer lock_try(LockShard *shard, const LockRequest *request);
LockQueue *lock_slot_queue(LockShard *shard, LockSlot *slot, const uint16_t *conflicts); /* makes it one */
LockHolder *lock_queue_holder(LockQueue *queue, const LockOwner *owner);
void lock_queue_hold(LockQueue *queue, LockOwner *owner, unsigned int modes);
void lock_queue_leave(LockQueue *queue, const LockOwner *owner);
bool lock_queue_conflicts(const LockQueue *queue, const LockOwner *owner, int mode);

/* lock_wait.c */
Status lock_wait(LockTable *table, const LockRequest *request, bool *already, Error *err);
void lock_release_contended(LockTable *table, LockOwner *owner, uint64_t hash);

#endif
