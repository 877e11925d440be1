#include "storage/base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static _Atomic int level_lowest = LOG_INFO;

void log_level_set(LogLevel lowest)
{
    atomic_store(&level_lowest, (int)lowest);
}

void log_write(LogLevel level, const char *format, ...)
{
    static const char *const names[] = {"DEBUG", "INFO", "WARNING", "ERROR"};
    if ((int)level < atomic_load_explicit(&level_lowest, memory_order_relaxed)) return;
    char line[1024];
    struct timespec now;
    struct tm utc;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    size_t n = strftime(line, sizeof line, "%Y-%m-%d %H:%M:%S", &utc);
    n += (size_t)snprintf(line + n, sizeof line - n, ".%03ld UTC %s: ", now.tv_nsec / 1000000, names[level]);
    va_list args;
    va_start(args, format);
    int more = vsnprintf(line + n, sizeof line - n - 1, format, args);
    va_end(args);
    if (more > 0) n += (size_t)more < sizeof line - n - 1 ? (size_t)more : sizeof line - n - 2;
    line[n++] = '\n';
    if (write(STDERR_FILENO, line, n) < 0) return; /* nowhere left to say so */
}
