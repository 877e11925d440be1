/* commit_queue.h - group commit: who leads, who waits.
 *
 * Whoever comes to an idle queue leads: it takes every waiting batch, has them committed together and wakes the owners.
 * Those who come meanwhile wait; the first of them leads the next group. A lone session therefore pays no hand-over
 * between threads, and a busy store makes its own groups.
 */
#ifndef STORAGE_KV_COMMIT_QUEUE_H
#define STORAGE_KV_COMMIT_QUEUE_H

#include <pthread.h>
#include <stdatomic.h>

#include "storage/kv/kv.h"

/* Lives on its owner's stack until it is done. */
typedef struct CommitRequest {
    struct CommitRequest *next;
    const KvBatch *batch;
    KvOutcome outcome;
    uint64_t version;
    Error error;
    bool tried;           /* its operations were read before */
    bool large;           /* known to be too large for the log */
    _Atomic uint32_t turn; /* what the owner sleeps on */
} CommitRequest;

typedef struct CommitQueue {
    pthread_mutex_t mutex; /* guards the rest; nothing is taken under it */
    CommitRequest *first, *last;
    bool leading; /* a thread runs a group */
} CommitQueue;

void commit_queue_init(CommitQueue *queue);
void commit_queue_finish(CommitQueue *queue);
bool commit_queue_is_idle(CommitQueue *queue);

/* Waits for its turn and for the outcome. run sets outcome, version and error of each request of the list; never two at
 * once. */
KvOutcome commit_queue_commit(CommitQueue *queue, CommitRequest *request, void (*run)(void *argument, CommitRequest *list),
                              void *argument);

#endif
