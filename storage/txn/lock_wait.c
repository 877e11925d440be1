/* lock_wait.c - queues of waiters. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "storage/base/clock.h"
#include "storage/keys/row_key.h"
#include "storage/txn/lock_internal.h"

/* Interrupts are flags that nobody signals, so a waiter looks at them this often. */
enum { POLL_MS = 10 };

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
    waiter->owner->session->waits_in = NULL;
    waiter->owner->session->waiter = NULL;
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
        pthread_cond_signal(&waiter->owner->session->wake);
    }
}

static void free_if_unused(LockShard *shard, LockQueue *queue)
{
    if (queue->holder_count || queue->first) return;
    lock_slot_remove(shard, lock_slot_find(shard, queue->name));
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

void lock_release_contended(LockTable *table, LockOwner *owner, uint64_t name)
{
    uint64_t plain = (name & ~NAME_LOW) | (name & ((1u << NAME_KIND_BITS) - 1));
    LockShard *shard = lock_shard(table, plain);
    pthread_mutex_lock(&table->waiting);
    pthread_mutex_lock(&shard->mutex);
    LockSlot *slot = lock_slot_find(shard, plain);
    assert(slot && (slot->holder & 1));
    LockQueue *queue = (LockQueue *)(slot->holder & ~(uintptr_t)1);
    lock_queue_leave(queue, owner, 1u << ((name & NAME_LOW) >> NAME_KIND_BITS));
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
    pthread_cond_timedwait(&owner->session->wake, &table->waiting, &at);
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

/* Which table a key belongs to is found out only when somebody waits for it. */
static LockTag tag_of(const LockRequest *request)
{
    LockTag tag = request->tag;
    Slice key = request->key;
    uint32_t index;
    if (tag.kind == LOCKED_ROW && !row_key_take_prefix(&key, &tag.class, &index)) tag.class = 0;
    return tag;
}

/* NULL: the lock could be had after all. */
static LockQueue *join_queue(LockTable *table, const LockRequest *request, LockWaiter *waiter, bool *already)
{
    LockShard *shard = lock_shard(table, request->name);
    LockSession *session = request->owner->session;
    LockQueue *queue = NULL;
    pthread_mutex_lock(&shard->mutex);
    LockAnswer answer = lock_try(shard, request);
    *already = answer == LOCK_GRANTED_ALREADY;
    if (answer == LOCK_CONFLICTS) {
        queue = lock_slot_queue(shard, lock_slot_find(shard, request->name), request);
        waiter->holds_already = lock_queue_has(queue, session);
        waiter_insert(queue, waiter);
        session->waits_in = queue;
        session->waiter = waiter;
    }
    pthread_mutex_unlock(&shard->mutex);
    return queue;
}

Status lock_wait(LockTable *table, const LockRequest *request, bool *already, Error *err)
{
    LockWaiter waiter = {.owner = request->owner, .tag = tag_of(request), .modes = 1u << request->mode,
                         .since_us = clock_now_us()};
    Status status = ST_OK;
    pthread_mutex_lock(&table->waiting);
    LockQueue *queue = join_queue(table, request, &waiter, already);
    request->owner->waits++;
    if (queue) {
        status = lock_check_circle(table, request->owner->session, request->patience->arena, err);
        if (status == ST_OK) status = wait_granted(table, request, &waiter, err);
        assert(waiter.granted == (status == ST_OK));
        if (!waiter.granted) give_up(queue, &waiter);
    }
    pthread_mutex_unlock(&table->waiting);
    return status;
}
