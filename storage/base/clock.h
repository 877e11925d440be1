/* clock.h - the one source of time.
 *
 * Times of day are microseconds since 2000-01-01 00:00 UTC, PostgreSQL's epoch; durations are monotonic nanoseconds.
 * A test may fix the wall clock with clock_fix.
 */
#ifndef STORAGE_BASE_CLOCK_H
#define STORAGE_BASE_CLOCK_H

#include <stdint.h>

int64_t clock_now_us(void);
uint64_t clock_unix_ns(void);      /* since 1970, for unique_rowid */
uint64_t clock_monotonic_ns(void); /* for durations */
void clock_fix(int64_t now_us);    /* 0 sets it free again */

#endif
