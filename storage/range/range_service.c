/* Looks after the sizes of ranges: a range that has grown too large is cut, cuts that nothing needs any more are undone
 * after a while. The limits are CockroachDB's defaults. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "storage/base/log.h"
#include "storage/range/range.h"

static const int64_t RANGE_BYTES_MAX = INT64_C(512) << 20, RANGE_BYTES_MIN = INT64_C(128) << 20;
static const uint64_t MERGE_AGE_NS = UINT64_C(300) * 1000000000;
enum { ROUND_SECONDS = 10 };

struct RangeService {
    Directory *directory;
    pthread_t thread;
    pthread_mutex_t mutex; /* guards stopping */
    pthread_cond_t wake;
    bool stopping;
};

/* false: it is time to stop. */
static bool wait_for_round(RangeService *service)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += ROUND_SECONDS;
    pthread_mutex_lock(&service->mutex);
    int rc = 0;
    while (!service->stopping && rc != ETIMEDOUT) rc = pthread_cond_timedwait(&service->wake, &service->mutex, &until);
    bool stopping = service->stopping;
    pthread_mutex_unlock(&service->mutex);
    return !stopping;
}

static void *run(void *argument)
{
    RangeService *service = argument;
    while (wait_for_round(service)) {
        Error err = {0};
        int split = 0, merged = 0;
        Status st = directory_split_large(service->directory, RANGE_BYTES_MAX, &split, &err);
        if (st == ST_OK) st = directory_merge_small(service->directory, RANGE_BYTES_MIN, MERGE_AGE_NS, &merged, &err);
        if (st != ST_OK) log_write(LOG_WARNING, "looking after ranges failed: %s", err.message ? err.message : "unknown");
        if (split || merged) log_write(LOG_INFO, "ranges: %d cut, %d merged", split, merged);
    }
    return NULL;
}

RangeService *range_service_start(Directory *directory)
{
    RangeService *service = calloc(1, sizeof *service);
    if (!service) abort();
    service->directory = directory;
    pthread_mutex_init(&service->mutex, NULL);
    pthread_cond_init(&service->wake, NULL);
    if (pthread_create(&service->thread, NULL, run, service) == 0) return service;
    log_write(LOG_WARNING, "no thread for looking after ranges: they are not cut by size");
    free(service);
    return NULL;
}

void range_service_stop(RangeService *service)
{
    if (!service) return;
    pthread_mutex_lock(&service->mutex);
    service->stopping = true;
    pthread_cond_signal(&service->wake);
    pthread_mutex_unlock(&service->mutex);
    pthread_join(service->thread, NULL);
    pthread_mutex_destroy(&service->mutex);
    pthread_cond_destroy(&service->wake);
    free(service);
}
