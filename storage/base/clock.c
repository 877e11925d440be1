#include "storage/base/clock.h"

#include <stdatomic.h>
#include <time.h>

static const int64_t UNIX_TO_2000_US = 946684800LL * 1000000;

static _Atomic int64_t fixed_us;

static uint64_t read_ns(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int64_t clock_now_us(void)
{
    int64_t fixed = atomic_load_explicit(&fixed_us, memory_order_relaxed);
    return fixed ? fixed : (int64_t)(read_ns(CLOCK_REALTIME) / 1000) - UNIX_TO_2000_US;
}

uint64_t clock_unix_ns(void)
{
    int64_t fixed = atomic_load_explicit(&fixed_us, memory_order_relaxed);
    return fixed ? (uint64_t)(fixed + UNIX_TO_2000_US) * 1000 : read_ns(CLOCK_REALTIME);
}

uint64_t clock_monotonic_ns(void)
{
    return read_ns(CLOCK_MONOTONIC);
}

void clock_fix(int64_t now_us)
{
    atomic_store(&fixed_us, now_us);
}
