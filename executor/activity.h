/* activity.h - what a session is doing, as pg_stat_activity shows it to others.
 *
 * Each session has one, written by its own thread a few times a statement and read by any: its mutex guards everything
 * but `wait`, which is set where a statement waits for something that is no lock. Texts are cut to fit.
 */
#ifndef EXECUTOR_ACTIVITY_H
#define EXECUTOR_ACTIVITY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { ACTIVITY_QUERY_BYTES = 1024, ACTIVITY_NAME_BYTES = 64 };

typedef enum ActivityState { ACTIVITY_ACTIVE, ACTIVITY_IDLE, ACTIVITY_IDLE_IN_BLOCK, ACTIVITY_IDLE_IN_FAILED_BLOCK } ActivityState;
typedef enum ActivityWait { ACTIVITY_NO_WAIT, ACTIVITY_SLEEPS, ACTIVITY_COMMITS } ActivityWait;

/* A copy of it is a plain value. */
typedef struct ActivityView {
    ActivityState state;
    int64_t backend_start_us, transaction_start_us, query_start_us, state_change_us; /* 0: none */
    char query[ACTIVITY_QUERY_BYTES], application[ACTIVITY_NAME_BYTES];
} ActivityView;

typedef struct Activity {
    pthread_mutex_t mutex;
    ActivityView now;
    _Atomic int wait; /* an ActivityWait */
} Activity;

void activity_init(Activity *activity);
void activity_finish(Activity *activity);
/* A client's request begins. */
void activity_begin(Activity *activity, const char *query, const char *application);
/* It has been answered. */
void activity_end(Activity *activity, ActivityState state, const char *application);
void activity_transaction(Activity *activity, int64_t start_us); /* 0: it is over */
void activity_read(Activity *activity, ActivityView *view);
const char *activity_state_words(ActivityState state); /* PostgreSQL's */

static inline void activity_wait(Activity *activity, ActivityWait wait)
{
    atomic_store_explicit(&activity->wait, (int)wait, memory_order_relaxed);
}

#endif
