/* type_interval.h - spans of time: months, days and microseconds, kept apart as the calendar needs.
 *
 * A value is 16 bytes (little endian, not aligned): microseconds (8), days (4), months (4).
 * They compare as if a month had 30 days and a day 24 hours.
 * A typmod is (range << 16 | precision): range is a mask of INTERVAL_MASK bits (0x7FFF all), precision 0..6 or 0xFFFF.
 */
#ifndef STORAGE_TYPES_TYPE_INTERVAL_H
#define STORAGE_TYPES_TYPE_INTERVAL_H

#include "storage/types/type.h"

typedef struct Interval {
    int64_t us;
    int32_t days, months;
} Interval;

enum { INTERVAL_BYTES = 16 };

/* The field bits of an interval's typmod: interval_typmod's first argument, PostgreSQL's numbers. */
enum {
    INTERVAL_MASK_MONTH = 1 << 1, INTERVAL_MASK_YEAR = 1 << 2, INTERVAL_MASK_DAY = 1 << 3,
    INTERVAL_MASK_HOUR = 1 << 10, INTERVAL_MASK_MINUTE = 1 << 11, INTERVAL_MASK_SECOND = 1 << 12,
    INTERVAL_MASK_ALL = 0x7FFF, INTERVAL_PRECISION_ALL = 0xFFFF
};

#define US_PER_SECOND INT64_C(1000000)
#define US_PER_MINUTE INT64_C(60000000)
#define US_PER_HOUR INT64_C(3600000000)
#define US_PER_DAY INT64_C(86400000000)

Interval interval_load(Value value);
Value interval_store(Interval interval, Arena *arena);
int32_t interval_typmod(int range, int precision); /* precision -1: none */

int interval_compare(Interval a, Interval b);
/* Microseconds with months of 30 days: what compare and hash use. */
__int128 interval_total_us(Interval interval);

Status interval_parse(TypeCtx *ctx, Slice text, int32_t typmod, Interval *out);
/* Drops the fields and rounds to the precision that a typmod says. */
Interval interval_restrict(Interval interval, int32_t typmod);
void interval_put_text(Interval interval, IntervalStyle style, Buf *out);

/* 22008 "interval out of range" on overflow. */
Status interval_add(TypeCtx *ctx, Interval a, Interval b, Interval *out);
Status interval_sub(TypeCtx *ctx, Interval a, Interval b, Interval *out);
Status interval_neg(TypeCtx *ctx, Interval a, Interval *out);
Status interval_mul(TypeCtx *ctx, Interval a, double factor, Interval *out);
Status interval_div(TypeCtx *ctx, Interval a, double divisor, Interval *out); /* 22012 */
Status interval_justify_hours(TypeCtx *ctx, Interval a, Interval *out);
Status interval_justify_days(TypeCtx *ctx, Interval a, Interval *out);
Status interval_justify(TypeCtx *ctx, Interval a, Interval *out);

#endif
