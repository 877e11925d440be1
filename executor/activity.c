#include "executor/activity.h"

#include <string.h>

#include "storage/base/clock.h"

/* Cut before a character that would be left incomplete. */
static void copy_text(char *to, size_t room, const char *from)
{
    size_t size = strlen(from);
    if (size >= room) {
        size = room - 1;
        while (size && ((unsigned char)from[size] & 0xc0) == 0x80) size--;
    }
    memcpy(to, from, size);
    to[size] = 0;
}

void activity_init(Activity *activity)
{
    pthread_mutex_init(&activity->mutex, NULL);
    activity->now.backend_start_us = activity->now.state_change_us = clock_now_us();
}

void activity_finish(Activity *activity)
{
    pthread_mutex_destroy(&activity->mutex);
}

void activity_begin(Activity *activity, const char *query, const char *application)
{
    int64_t now = clock_now_us();
    pthread_mutex_lock(&activity->mutex);
    activity->now.state = ACTIVITY_ACTIVE;
    activity->now.query_start_us = activity->now.state_change_us = now;
    copy_text(activity->now.query, sizeof activity->now.query, query);
    copy_text(activity->now.application, sizeof activity->now.application, application);
    pthread_mutex_unlock(&activity->mutex);
}

void activity_end(Activity *activity, ActivityState state, const char *application)
{
    int64_t now = clock_now_us();
    pthread_mutex_lock(&activity->mutex);
    activity->now.state = state;
    activity->now.state_change_us = now;
    copy_text(activity->now.application, sizeof activity->now.application, application);
    pthread_mutex_unlock(&activity->mutex);
}

void activity_transaction(Activity *activity, int64_t start_us)
{
    pthread_mutex_lock(&activity->mutex);
    activity->now.transaction_start_us = start_us;
    pthread_mutex_unlock(&activity->mutex);
}

void activity_read(Activity *activity, ActivityView *view)
{
    pthread_mutex_lock(&activity->mutex);
    *view = activity->now;
    pthread_mutex_unlock(&activity->mutex);
}

const char *activity_state_words(ActivityState state)
{
    switch (state) {
    case ACTIVITY_ACTIVE: return "active";
    case ACTIVITY_IDLE: return "idle";
    case ACTIVITY_IDLE_IN_BLOCK: return "idle in transaction";
    case ACTIVITY_IDLE_IN_FAILED_BLOCK: break;
    }
    return "idle in transaction (aborted)";
}
