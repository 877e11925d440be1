/* time_unit.h - words for units of time, as intervals, extract and date_trunc read them. */
#ifndef STORAGE_TYPES_TIME_UNIT_H
#define STORAGE_TYPES_TIME_UNIT_H

#include "storage/base/slice.h"

typedef enum TimeUnit {
    UNIT_MICROSECOND, UNIT_MILLISECOND, UNIT_SECOND, UNIT_MINUTE, UNIT_HOUR, UNIT_DAY, UNIT_WEEK, UNIT_MONTH,
    UNIT_QUARTER, UNIT_YEAR, UNIT_DECADE, UNIT_CENTURY, UNIT_MILLENNIUM,
    /* Not of intervals as input. */
    UNIT_JULIAN, UNIT_ISOYEAR, UNIT_DOW, UNIT_ISODOW, UNIT_DOY, UNIT_EPOCH, UNIT_TIMEZONE, UNIT_TIMEZONE_HOUR,
    UNIT_TIMEZONE_MINUTE,
    UNIT_UNKNOWN
} TimeUnit;

TimeUnit time_unit_find(Slice word);

#endif
