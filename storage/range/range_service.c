/* Looks after ranges: what has grown too large or too hot is cut, cuts that nothing needs any more are undone after a while,
 * leases are evened out over the nodes. What it does, and how often, is the directory's configuration. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "storage/base/clock.h"
#include "storage/base/log.h"
#include "storage/range/directory_internal.h"

struct RangeService {
    Directory *directory;
    pthread_t thread;
    pthread_mutex_t mutex; /* guards stopping */
    pthread_cond_t wake;
    bool stopping;
    uint64_t cut_at_ns, merged_at_ns, balanced_at_ns; /* when each was done last */
};

/* false: it is time to stop. */
static bool wait_for_round(RangeService *service, uint64_t wait_ns)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    uint64_t ns = (uint64_t)until.tv_nsec + wait_ns;
    until.tv_sec += (time_t)(ns / 1000000000);
    until.tv_nsec = (long)(ns % 1000000000);
    pthread_mutex_lock(&service->mutex);
    int rc = 0;
    while (!service->stopping && rc != ETIMEDOUT) rc = pthread_cond_timedwait(&service->wake, &service->mutex, &until);
    bool stopping = service->stopping;
    pthread_mutex_unlock(&service->mutex);
    return !stopping;
}

static bool is_due(uint64_t *last_ns, uint64_t interval_ns)
{
    uint64_t now_ns = clock_monotonic_ns();
    if (now_ns - *last_ns < interval_ns) return false;
    *last_ns = now_ns;
    return true;
}

/* Merges of one round; the next one comes soon. A range that has grown fast is halved until its parts are small enough. */
enum { MERGES_MAX = 8, HALVINGS_MAX = 16 };

static Status split_large(Directory *directory, int *split, Error *err)
{
    int more = 1;
    for (int i = 0; i < HALVINGS_MAX && more; i++) {
        TRY(directory_split_large(directory, &more, err));
        *split += more;
    }
    return ST_OK;
}

static void run_round(RangeService *service, const RangeConfig *config)
{
    Error err = {0};
    int large = 0, hot = 0, merged = 0;
    Status st = ST_OK;
    directory_collect_notes(service->directory);
    if (is_due(&service->cut_at_ns, config->merge_interval_ns)) {
        if (config->split_by_size) st = split_large(service->directory, &large, &err);
        if (st == ST_OK && config->split_by_load) st = directory_split_hot(service->directory, &hot, &err);
    }
    if (st == ST_OK && config->merge && is_due(&service->merged_at_ns, config->merge_interval_ns))
        st = directory_merge_small(service->directory, MERGES_MAX, &merged, &err);
    if (is_due(&service->balanced_at_ns, config->rebalance_interval_ns))
        directory_rebalance(service->directory);
    if (st != ST_OK) log_write(LOG_WARNING, "looking after ranges failed: %s", err.message ? err.message : "unknown");
    if (large || hot || merged) log_write(LOG_DEBUG, "ranges: %d cut by size, %d by load, %d merged", large, hot, merged);
}

static void *run(void *argument)
{
    static const uint64_t WAIT_MAX_NS = 100000000, WAIT_MIN_NS = 1000000;
    RangeService *service = argument;
    RangeConfig config;
    uint64_t wait_ns;
    do {
        directory_read_config(service->directory, &config);
        run_round(service, &config);
        wait_ns = config.merge_interval_ns;
        if (wait_ns > config.rebalance_interval_ns) wait_ns = config.rebalance_interval_ns;
        if (wait_ns > WAIT_MAX_NS) wait_ns = WAIT_MAX_NS;
        if (wait_ns < WAIT_MIN_NS) wait_ns = WAIT_MIN_NS;
    } while (wait_for_round(service, wait_ns));
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
