/* lock_internal.h - shared by lock.c (the table of locks, the quick way), lock_table.c (weak and strong table locks),
 * lock_bulk.c (an owner with very many), lock_wait.c (queues), lock_deadlock.c, lock_session.c and lock_view.c.
 *
 * Mutexes, in the order in which they may be taken: waiting, owners_mutex, one owner's fast_mutex, one shard's.
 *   waiting       guards all lists of waiters and what each session waits for. A queue that has waiters loses holders and is
 *                 freed only under it, so whoever has it may walk the waits-for graph shard by shard.
 *   owners_mutex  guards the list of owners.
 *   fast_mutex    guards an owner's weak table locks, its session and its transaction's number.
 *   shard.mutex   guards the shard's slots and the holders of its queues.
 */
#ifndef STORAGE_TXN_LOCK_INTERNAL_H
#define STORAGE_TXN_LOCK_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "storage/txn/lock.h"

enum { LOCK_SHARDS = 64, LOCK_SLOTS_FIRST = 64, HELD_CHUNK = 508, FAST_LOCKS_MAX = 32, STRONG_COUNTS = 1024 };

/* The low bits of a lock's name: its kind, and in an owner's list the mode that was taken. */
enum { NAME_KIND_BITS = 2, NAME_LOW_BITS = 5 };
#define NAME_LOW ((UINT64_C(1) << NAME_LOW_BITS) - 1)

/* An owner with so many locks gets its further exclusive key locks as marks (lock_bulk.c). */
enum { LOCK_BULK_FROM = 16384 };

typedef struct LockQueue LockQueue;
typedef struct LockShard LockShard;
typedef struct LockBulk LockBulk;

/* What a lock is on, as people read it. Of keys only the waiters know: class is the table, 0 for a key outside of tables. */
typedef struct LockTag {
    LockedKind kind; /* LOCKED_ROW, LOCKED_TABLE, LOCKED_ADVISORY */
    uint32_t database, class, object;
    uint16_t sub;
} LockTag;

typedef struct HeldChunk {
    struct HeldChunk *older;
    int count;
    uint64_t names[HELD_CHUNK]; /* with the mode */
} HeldChunk;

typedef struct LockWaiter {
    struct LockWaiter *next;
    LockOwner *owner;
    LockTag tag;
    unsigned int modes; /* one bit */
    int64_t since_us;
    bool granted, holds_already;
} LockWaiter;

typedef struct SessionLock {
    AdvisoryKey key;
    int counts[2]; /* exclusive, shared */
} SessionLock;

struct LockSession {
    uint64_t id; /* 0: no session's */
    uint32_t database;
    LockTable *table;
    LockQueue *waits_in; /* guarded by waiting, as all up to wake */
    LockWaiter *waiter;
    uint64_t search;          /* number of the last search that met it */
    LockSession *met_from;    /* whose blocker it was then */
    uint64_t met_transaction; /* and by which transaction */
    pthread_cond_t wake;
    _Atomic int64_t held_since_us; /* the snapshot that is shown; 0: none, or it is being set */
    _Atomic uint64_t held_version;
    _Atomic int held_isolation; /* a TxnIsolation */
    LockOwner *standing; /* holds what the session itself holds; NULL: nothing yet */
    SessionLock *locks;  /* only the session's thread touches them */
    int lock_count, lock_capacity;
};

typedef struct FastLock {
    uint32_t table_id;
    uint8_t mode;
    bool moved; /* to the shared table, since somebody wanted a strong lock */
} FastLock;

/* Aligned so that a pointer to one has five bits to spare. */
struct LockOwner {
    LockTable *table;
    LockOwner *next, *previous; /* guarded by owners_mutex */
    LockSession *session;       /* its own one, or the session's */
    LockSession own;
    uint64_t txn_id;     /* 0: no transaction */
    _Atomic bool writes; /* others may wait for the transaction's end */
    HeldChunk *held;     /* the newest chunk; only its owner's thread touches the list */
    int held_count;
    bool bulk; /* it may have marks */
    uint64_t waits;
    pthread_mutex_t fast_mutex;
    int fast_count;
    FastLock fast[FAST_LOCKS_MAX];
} __attribute__((aligned(32)));

typedef struct LockHolder {
    LockOwner *owner;
    unsigned int modes;
} LockHolder;

/* A lock with several holders, or with waiters, or on no key. */
struct LockQueue {
    LockShard *shard;
    uint64_t name;
    LockTag tag;
    const uint16_t *conflicts; /* per mode, the modes it cannot stand beside */
    LockHolder *holders;
    int holder_count, holder_capacity;
    LockWaiter *first, *last;
};

/* holder: 0 free; else a LockOwner with its key lock modes in bits 1 to 4; with bit 0, a LockQueue. */
typedef struct LockSlot {
    uint64_t name;
    uintptr_t holder;
} LockSlot;

struct LockShard {
    pthread_mutex_t mutex;
    LockSlot *slots;
    size_t slot_count, used; /* slot_count is a power of two */
    LockBulk *bulk; /* owners with marks in this shard */
};

struct LockTable {
    LockShard shards[LOCK_SHARDS];
    pthread_mutex_t waiting;
    uint64_t searches;
    pthread_mutex_t owners_mutex;
    LockOwner *owners;
    _Atomic uint32_t strong[STRONG_COUNTS]; /* strong table locks held or wanted, by the name's highest bits */
};

typedef struct LockRequest {
    LockOwner *owner;
    uint64_t name;
    const uint16_t *conflicts;
    LockTag tag;
    Slice key; /* of a key lock: says which table when somebody waits */
    int mode;
    const LockPatience *patience;
} LockRequest;

typedef enum LockAnswer { LOCK_GRANTED, LOCK_GRANTED_ALREADY, LOCK_CONFLICTS } LockAnswer;

extern const uint16_t lock_table_conflicts[8];

static inline LockShard *lock_shard(LockTable *table, uint64_t name)
{
    return &table->shards[name >> 58];
}

static inline uint64_t lock_name(uint64_t hash, LockedKind kind)
{
    return (hash & ~NAME_LOW) | (uint64_t)kind;
}

static inline uint64_t lock_table_name(uint32_t id)
{
    return lock_name((uint64_t)id * UINT64_C(0x9e3779b97f4a7c15) << NAME_LOW_BITS, LOCKED_TABLE);
}

/* Gets or adds a lock; *waited: somebody else had it. ST_END only with LOCK_SKIP. */
Status lock_acquire(LockTable *table, const LockRequest *request, bool *waited, bool *already, Error *err);
void lock_held_push(LockOwner *owner, uint64_t name, int mode);
/* Gives one mode of one lock back; name has the mode in it. */
void lock_release(LockTable *table, LockOwner *owner, uint64_t name);
void lock_session_init(LockSession *session, LockTable *table, uint64_t id);
void *lock_memory(size_t count, size_t size);

/* All with the shard's mutex held. */
LockSlot *lock_slot_find(LockShard *shard, uint64_t name); /* NULL if the lock is free */
void lock_slot_remove(LockShard *shard, LockSlot *slot);
void lock_slot_add(LockShard *shard, uint64_t name, uintptr_t holder);
LockAnswer lock_try(LockShard *shard, const LockRequest *request);
LockQueue *lock_slot_queue(LockShard *shard, LockSlot *slot, const LockRequest *request); /* makes it one */
LockHolder *lock_queue_holder(LockQueue *queue, const LockOwner *owner);
bool lock_queue_has(const LockQueue *queue, const LockSession *session);
void lock_queue_hold(LockQueue *queue, LockOwner *owner, unsigned int modes);
void lock_queue_leave(LockQueue *queue, const LockOwner *owner, unsigned int modes);
bool lock_queue_conflicts(const LockQueue *queue, const LockOwner *owner, int mode);
/* The weak table lock of an owner is put into the shared table. */
void lock_hold_moved(LockShard *shard, const LockRequest *request);

/* lock_table.c */
void lock_fast_release_to(LockTable *table, LockOwner *owner, int count);
void lock_strong_end(LockTable *table, uint64_t name);

/* lock_bulk.c; the first three with the shard's mutex held */
/* Makes the slot of a lock that an owner has as a mark only; false: no owner has. *own: the asking one has it. */
bool lock_bulk_show(LockShard *shard, const LockRequest *request, bool *own);
bool lock_bulk_wanted(const LockRequest *request);
void lock_bulk_add(LockShard *shard, LockOwner *owner, uint64_t name); /* of a lock that nobody has */
void lock_bulk_release(LockTable *table, LockOwner *owner);

/* lock_wait.c */
Status lock_wait(LockTable *table, const LockRequest *request, bool *already, Error *err);
void lock_release_contended(LockTable *table, LockOwner *owner, uint64_t name);

/* lock_deadlock.c, with waiting held */
typedef struct Blocker {
    LockSession *session;
    uint64_t transaction;
} Blocker;
typedef struct BlockerList {
    Blocker *items;
    int count, capacity;
} BlockerList;
/* Those whom a session waits for: holders in the way, and waiters in the way that stand before it. */
void lock_push_blockers(const LockSession *session, BlockerList *list);
Status lock_check_circle(LockTable *table, LockSession *session, Arena *arena, Error *err);
const char *lock_mode_name(LockedKind kind, int mode);

#endif
