#include "storage/kv/commit_queue.h"

#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Waiting for a turn; to lead the next group; done. */
enum { TURN_NONE, TURN_LEAD, TURN_DONE };

void commit_queue_init(CommitQueue *queue)
{
    *queue = (CommitQueue){0};
    pthread_mutex_init(&queue->mutex, NULL);
}

void commit_queue_finish(CommitQueue *queue)
{
    assert(!queue->leading && !queue->first);
    pthread_mutex_destroy(&queue->mutex);
}

bool commit_queue_is_idle(CommitQueue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    bool idle = !queue->leading;
    pthread_mutex_unlock(&queue->mutex);
    return idle;
}

/* A mutex and a condition would cost each waiter two more wake-ups and would have the leader take the mutex again. */
static uint32_t turn_wait(CommitRequest *request)
{
    uint32_t turn;
    while ((turn = atomic_load(&request->turn)) == TURN_NONE)
        syscall(SYS_futex, &request->turn, FUTEX_WAIT_PRIVATE, TURN_NONE, NULL, NULL, 0);
    return turn;
}

/* The request may be gone as soon as the turn is stored; waking an address that nobody sleeps on does no harm. */
static void turn_give(CommitRequest *request, uint32_t turn)
{
    _Atomic uint32_t *address = &request->turn;
    atomic_store(address, turn);
    syscall(SYS_futex, address, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* True: the caller leads and is the first of the queue. */
static bool enqueue(CommitQueue *queue, CommitRequest *request)
{
    pthread_mutex_lock(&queue->mutex);
    if (queue->last)
        queue->last->next = request;
    else
        queue->first = request;
    queue->last = request;
    bool lead = !queue->leading;
    queue->leading = true;
    pthread_mutex_unlock(&queue->mutex);
    return lead;
}

/* The next leader is woken before the others are: the store must not idle while they are told. */
static void lead(CommitQueue *queue, const CommitRequest *own, void (*run)(void *argument, CommitRequest *list),
                 void *argument)
{
    pthread_mutex_lock(&queue->mutex);
    CommitRequest *list = queue->first, *next;
    queue->first = queue->last = NULL;
    pthread_mutex_unlock(&queue->mutex);
    run(argument, list);
    pthread_mutex_lock(&queue->mutex);
    CommitRequest *successor = queue->first;
    queue->leading = successor != NULL;
    pthread_mutex_unlock(&queue->mutex);
    if (successor) turn_give(successor, TURN_LEAD);
    for (CommitRequest *request = list; request; request = next) {
        next = request->next;
        if (request != own) turn_give(request, TURN_DONE);
    }
}

KvOutcome commit_queue_commit(CommitQueue *queue, CommitRequest *request, void (*run)(void *argument, CommitRequest *list),
                              void *argument)
{
    if (enqueue(queue, request) || turn_wait(request) == TURN_LEAD) lead(queue, request, run, argument);
    return request->outcome;
}
