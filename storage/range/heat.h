/* heat.h - who was busy when: work per range and per key prefix, a step a minute, for the last hour. Inside storage/range.
 *
 * A prefix is a key up to its index's first column. Each step keeps the busiest prefixes, a few per set of a small table; what
 * falls out is booked to the rest of its range, and the least busy ranges to a range 0. So memory is bounded however many
 * keys and ranges there are, and sums stay right. Beyond some thousand requests a second one of several is booked, at
 * several times its weight. The caller holds a lock.
 */
#ifndef STORAGE_RANGE_HEAT_H
#define STORAGE_RANGE_HEAT_H

#include "storage/range/range.h"

enum { HEAT_STEPS = 60, HEAT_STEP_SECONDS = 60 };

typedef struct HeatStep HeatStep;

typedef struct Heat {
    HeatStep *steps[HEAT_STEPS]; /* by number modulo HEAT_STEPS; NULL: nothing happened yet */
    int64_t unix_offset_ns;      /* from clock_monotonic_ns to clock_unix_ns */
    uint64_t second, in_second;  /* the second of the newest request, and how many there have been in it */
} Heat;

void heat_init(Heat *heat);
void heat_finish(Heat *heat);
void heat_note(Heat *heat, int64_t range_id, const RangeRequest *request, const RangeWork *work, uint64_t now_ns);
/* Rows of the last hour, oldest step first. Returns the count. */
int heat_rows(const Heat *heat, uint64_t now_ns, HeatRow **rows, Arena *arena);

#endif
