/* datetime_parse.h - texts of dates, times and timestamps to fields; for the input functions of these types.
 *
 * Takes what PostgreSQL takes: ISO 8601, dates in the session's order, month names, AM/PM, BC, zones by offset, name or
 * abbreviation, and the words now, today, tomorrow, yesterday, epoch, infinity, allballs.
 */
#ifndef STORAGE_TYPES_DATETIME_PARSE_H
#define STORAGE_TYPES_DATETIME_PARSE_H

#include "storage/types/type_timestamp.h"

typedef enum DateTimeKind { DATETIME_FIELDS, DATETIME_INFINITY, DATETIME_MINUS_INFINITY } DateTimeKind;

typedef struct DateTime {
    DateTimeKind kind;
    bool has_date, has_time, has_zone;
    CivilTime civil; /* second may be 60, hour 24 */
    int east;              /* of has_zone, when zone is NULL */
    const TimeZone *zone;  /* a zone by name: its offset depends on the moment */
} DateTime;

/* type_words name the type in 22007's message; the type decides what may be missing (a date needs no time, a time no
 * date). */
Status datetime_parse(TypeCtx *ctx, Oid type, const char *type_words, Slice text, DateTime *out);

/* The microseconds of the local clock, zone aside. */
Status datetime_local_us(TypeCtx *ctx, const char *type_words, Slice text, const DateTime *dt, int64_t *us);
/* The moment; a DateTime without zone is in the session's. */
Status datetime_utc_us(TypeCtx *ctx, const char *type_words, Slice text, const DateTime *dt, int64_t *us);

Status datetime_invalid(TypeCtx *ctx, const char *type_words, Slice text);  /* 22007 */
Status datetime_out_of_range(TypeCtx *ctx, const char *what, Slice text);   /* 22008: what out of range: "text" */

#endif
