/* format_datetime.h - dates, times and intervals by template: to_char, to_date, to_timestamp. */
#ifndef EXECUTOR_FUNCTIONS_FORMAT_DATETIME_H
#define EXECUTOR_FUNCTIONS_FORMAT_DATETIME_H

#include "executor/functions/format_template.h"
#include "storage/types/type_timestamp.h"

/* What to_char prints of. For an interval the fields are its parts: signed, and the hour without a limit. */
typedef struct FormatTime {
    int64_t year, hour;
    int month, day, minute, second, us;
    int weekday;     /* 0 is Sunday */
    int64_t day_of_year, days; /* days: since 2000-01-01 */
    int east_seconds;
    const char *zone; /* abbreviation; "" : none */
    bool is_interval;
} FormatTime;

/* Appends to out. 22007 for a field that an interval does not have. */
Status format_datetime_put(TypeCtx *ctx, const FormatNode *nodes, const FormatTime *time, Buf *out);

/* What was read. A date that the input does not say is 0001-01-01 BC. */
typedef struct FormatRead {
    CivilTime civil;
    bool has_zone;
    int east_seconds; /* if has_zone */
    int precision;    /* of FF1..FF6; 0: none */
} FormatRead;

/* standard: as SQL's datetime templates: characters must match, and all input must be used. 22007, 22008, 0A000. */
Status format_datetime_read(TypeCtx *ctx, const FormatNode *nodes, Slice input, bool standard, FormatRead *read);

#endif
