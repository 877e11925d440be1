/* lock_wait.c - queues of waiters, and the search for circles among them. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "storage/base/clock.h"
#include "storage/txn/lock_internal.h"

/* Interrupts are flags that nobody signals, so a waiter looks at them this often. */
enum { POLL_MS = 10 };

/* ---- deadlocks; with the mutex of waiting held ---- */

typedef struct OwnerList {
    LockOwner **items;
    int count, capacity;
} OwnerList;

static void owner_push(OwnerList *list, LockOwner *owner)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 16;
        list->items = realloc(list->items, sizeof(LockOwner *) * (size_t)list->capacity);
        if (!list->items) abort();
    }
    list->items[list->count++] = owner;
}

/* Those whom an owner waits for: holders in the way, and waiters in the way that stand before it. */
static void blockers_push(const LockOwner *owner, OwnerList *list)
{
    LockQueue *queue = owner->waits_in;
    unsigned int in_the_way = 0;
    if (!queue) return;
    for (int mode = 0; mode < 8; mode++)
        if (owner->waiter->modes & (1u << mode)) in_the_way |= queue->conflicts[mode];
    pthread_mutex_lock(&queue->shard->mutex);
    for (int i = 0; i < queue->holder_count; i++)
        if (queue->holders[i].owner != owner && (queue->holders[i].modes & in_the_way)) owner_push(list, queue->holders[i].owner);
    pthread_mutex_unlock(&queue->shard->mutex);
    for (const LockWaiter *waiter = queue->first; waiter && waiter != owner->waiter; waiter = waiter->next)
        if (waiter->modes & in_the_way) owner_push(list, waiter->owner);
}

static bool closes_circle(LockTable *table, const LockOwner *owner)
{
    OwnerList open = {0};
    bool found = false;
    uint64_t search = ++table->searches;
    blockers_push(owner, &open);
    while (open.count && !found) {
        LockOwner *next = open.items[--open.count];
        found = next == owner;
        if (next->search == search) continue;
        next->search = search;
        blockers_push(next, &open);
    }
    free(open.items);
    return found;
}

/* ---- queues; with both mutexes held ---- */

static void waiter_insert(LockQueue *queue, LockWaiter *waiter)
{
    if (waiter->holds_already) {
        waiter->next = queue->first;
        queue->first = waiter;
        if (!queue->last) queue->last = waiter;
        return;
    }
    if (queue->last)
        queue->last->next = waiter;
    else
        queue->first = waiter;
    queue->last = waiter;
}

static void waiter_remove(LockQueue *queue, LockWaiter *waiter)
{
    LockWaiter *previous = NULL;
    for (LockWaiter *w = queue->first; w != waiter; w = w->next) previous = w;
    if (previous)
        previous->next = waiter->next;
    else
        queue->first = waiter->next;
    if (queue->last == waiter) queue->last = previous;
    waiter->owner->waits_in = NULL;
    waiter->owner->waiter = NULL;
}

static int mode_of(unsigned int modes)
{
    return __builtin_ctz(modes);
}

static bool waits_before(const LockQueue *queue, const LockWaiter *waiter)
{
    if (waiter->holds_already) return false;
    for (const LockWaiter *w = queue->first; w != waiter; w = w->next)
        if (w->modes & queue->conflicts[mode_of(waiter->modes)]) return true;
    return false;
}

/* Gives the lock to all who can have it now, in order. */
static void grant(LockQueue *queue)
{
    for (LockWaiter *waiter = queue->first, *next; waiter; waiter = next) {
        next = waiter->next;
        if (lock_queue_conflicts(queue, waiter->owner, mode_of(waiter->modes)) || waits_before(queue, waiter)) continue;
        waiter_remove(queue, waiter);
        lock_queue_hold(queue, waiter->owner, waiter->modes);
        waiter->granted = true;
        pthread_cond_signal(&waiter->owner->wake);
    }
}

static void free_if_unused(LockShard *shard, LockQueue *queue)
{
    if (queue->holder_count || queue->first) return;
    lock_slot_remove(shard, lock_slot_find(shard, queue->hash));
    free(queue->holders);
    free(queue);
}

static void give_up(LockQueue *queue, LockWaiter *waiter)
{
    LockShard *shard = queue->shard;
    pthread_mutex_lock(&shard->mutex);
    waiter_remove(queue, waiter);
    grant(queue);
    free_if_unused(shard, queue);
    pthread_mutex_unlock(&shard->mutex);
}

void lock_release_contended(LockTable *table, LockOwner *owner, uint64_t hash)
{
    LockShard *shard = lock_shard(table, hash);
    pthread_mutex_lock(&table->waiting);
    pthread_mutex_lock(&shard->mutex);
    LockSlot *slot = lock_slot_find(shard, hash);
    assert(slot && (slot->holder & 1));
    LockQueue *queue = (LockQueue *)(slot->holder & ~(uintptr_t)1);
    lock_queue_leave(queue, owner);
    grant(queue);
    free_if_unused(shard, queue);
    pthread_mutex_unlock(&shard->mutex);
    pthread_mutex_unlock(&table->waiting);
}

/* ---- waiting ---- */

static void sleep_a_while(LockTable *table, LockOwner *owner, uint64_t until_ns)
{
    uint64_t now = clock_monotonic_ns(), poll = now + POLL_MS * 1000000ull;
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    if (until_ns && until_ns < poll) poll = until_ns;
    uint64_t ns = (uint64_t)at.tv_nsec + (poll > now ? poll - now : 0);
    at.tv_sec += (time_t)(ns / 1000000000u);
    at.tv_nsec = (long)(ns % 1000000000u);
    pthread_cond_timedwait(&owner->wake, &table->waiting, &at);
}

/* With the mutex of waiting held. */
static Status wait_granted(LockTable *table, const LockRequest *request, const LockWaiter *waiter, Error *err)
{
    const LockPatience *patience = request->patience;
    uint64_t until = 0;
    if (patience->timeout_ms > 0) until = clock_monotonic_ns() + (uint64_t)patience->timeout_ms * 1000000u;
    while (!waiter->granted) {
        sleep_a_while(table, request->owner, until);
        if (waiter->granted) break;
        TRY(interrupt_poll(patience->interrupt, err));
        if (until && clock_monotonic_ns() >= until) {
            *err = (Error){.sqlstate = ERR_LOCK_NOT_AVAILABLE, .message = "canceling statement due to lock timeout"};
            return ST_ERROR;
        }
    }
    return ST_OK;
}

/* NULL: the lock could be had after all. */
static LockQueue *join_queue(LockTable *table, const LockRequest *request, LockWaiter *waiter, bool *already)
{
    LockShard *shard = lock_shard(table, request->hash);
    LockQueue *queue = NULL;
    pthread_mutex_lock(&shard->mutex);
    LockAnswer answer = lock_try(shard, request);
    *already = answer == LOCK_GRANTED_ALREADY;
    if (answer == LOCK_CONFLICTS) {
        queue = lock_slot_queue(shard, lock_slot_find(shard, request->hash), request->conflicts);
        waiter->holds_already = lock_queue_holder(queue, request->owner) != NULL;
        waiter_insert(queue, waiter);
        request->owner->waits_in = queue;
        request->owner->waiter = waiter;
    }
    pthread_mutex_unlock(&shard->mutex);
    return queue;
}

Status lock_wait(LockTable *table, const LockRequest *request, bool *already, Error *err)
{
    LockWaiter waiter = {.owner = request->owner, .modes = 1u << request->mode};
    Status status = ST_OK;
    pthread_mutex_lock(&table->waiting);
    LockQueue *queue = join_queue(table, request, &waiter, already);
    if (queue) {
        if (closes_circle(table, request->owner)) {
            *err = (Error){.sqlstate = ERR_DEADLOCK_DETECTED, .message = "deadlock detected"};
            status = ST_ERROR;
        } else {
            status = wait_granted(table, request, &waiter, err);
        }
        if (!waiter.granted) give_up(queue, &waiter);
        *already = waiter.holds_already;
    }
    pthread_mutex_unlock(&table->waiting);
    return status;
}
