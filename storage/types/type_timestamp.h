/* type_timestamp.h - dates, timestamps and time zones; the calendar arithmetic that functions and operators use.
 *
 * Days and microseconds count from 2000-01-01. The infinities are INT32_MIN, INT32_MAX of a date and INT64_MIN,
 * INT64_MAX of a timestamp. The calendar is Gregorian throughout; year 0 is 1 BC.
 */
#ifndef STORAGE_TYPES_TYPE_TIMESTAMP_H
#define STORAGE_TYPES_TYPE_TIMESTAMP_H

#include "storage/types/type_interval.h"

#define TIMESTAMP_INFINITY INT64_MAX
#define TIMESTAMP_MINUS_INFINITY INT64_MIN
#define DATE_INFINITY INT32_MAX
#define DATE_MINUS_INFINITY INT32_MIN
/* 4713-01-01 BC (Julian day 0 begins 4713-11-24 BC) to the end of 294276. */
#define TIMESTAMP_MIN INT64_C(-211813488000000000)
#define TIMESTAMP_END INT64_C(9223371331200000000)
#define DATE_MIN (-2451545)
#define DATE_END 2145031949
#define UNIX_EPOCH_DAYS (-10957) /* 1970-01-01 */
#define UNIX_EPOCH_US (UNIX_EPOCH_DAYS * US_PER_DAY)

/* ---- time zones: immutable, for ever in memory, any thread ---- */

/* What SET TimeZone takes: a name of the tz database in any case, a number of hours east, or a POSIX rule such as
 * EST5EDT or -08:00, where positive is west. NULL if there is none of that name. */
const TimeZone *time_zone_open(const char *name);
/* What AT TIME ZONE takes: abbreviations first (EST, CEST), then names, then POSIX rules, numbers among them. */
const TimeZone *time_zone_find(const char *name);
bool time_zone_abbreviation(Slice name, int *east_seconds, bool *is_dst);
/* A zone of a fixed offset, in seconds east of UTC. */
const TimeZone *time_zone_fixed(int east_seconds);
const char *time_zone_name(const TimeZone *zone); /* as SHOW TimeZone has it */
/* Seconds east of UTC at that moment; abbreviation and is_dst may be NULL. */
int time_zone_offset(const TimeZone *zone, int64_t utc_us, const char **abbreviation, bool *is_dst);
/* Local wall clock to UTC: in a gap the offset before it holds, in an overlap the standard one. */
int64_t time_zone_to_utc(const TimeZone *zone, int64_t local_us);
int64_t time_zone_to_local(const TimeZone *zone, int64_t utc_us);
/* ---- the calendar ---- */

typedef struct CivilTime {
    int64_t year; /* 0 is 1 BC */
    int month, day, hour, minute, second, us;
} CivilTime;

int64_t date_from_civil(int64_t year, int month, int day); /* days since 2000-01-01; month and day must be valid */
void date_to_civil(int64_t days, int64_t *year, int *month, int *day);
void timestamp_to_civil(int64_t us, CivilTime *civil);
int days_in_month(int64_t year, int month);
static inline bool timestamp_is_infinite(int64_t us)
{
    return us == TIMESTAMP_INFINITY || us == TIMESTAMP_MINUS_INFINITY;
}

/* ---- conversions; zone NULL is UTC ---- */

Status timestamp_from_date(TypeCtx *ctx, int64_t days, int64_t *us);
Status timestamptz_from_date(TypeCtx *ctx, int64_t days, const TimeZone *zone, int64_t *us);
int64_t date_from_timestamp(int64_t us); /* infinities map to infinities */
Status timestamptz_from_timestamp(TypeCtx *ctx, int64_t local_us, const TimeZone *zone, int64_t *us);
Status timestamp_from_timestamptz(TypeCtx *ctx, int64_t utc_us, const TimeZone *zone, int64_t *us);
int64_t timestamp_round(int64_t us, int32_t precision);

/* ---- arithmetic; 22008 when out of range ---- */

Status timestamp_add_interval(TypeCtx *ctx, int64_t us, Interval interval, int64_t *out);
/* In the zone: a day is a day of the wall clock. */
Status timestamptz_add_interval(TypeCtx *ctx, int64_t us, Interval interval, const TimeZone *zone, int64_t *out);
Status timestamp_sub(TypeCtx *ctx, int64_t a, int64_t b, Interval *out); /* days and time, no months */
Status timestamp_age(TypeCtx *ctx, int64_t a, int64_t b, Interval *out); /* years, months, days and time */
Status date_add_days(TypeCtx *ctx, int64_t date, int64_t days, int64_t *out);

/* extract(field from value): a numeric, as PostgreSQL 14 and later; null when the field of an infinity has no answer.
 * type is date, time, timetz, timestamp, timestamptz or interval. 22023 for a field it does not know, 0A000 for one
 * that the type does not have. */
Status datetime_extract(TypeCtx *ctx, Oid type, Slice field, Value value, Value *out);
/* date_trunc(field, value [, zone]): type is timestamp, timestamptz or interval. */
Status datetime_trunc(TypeCtx *ctx, Oid type, Slice field, Value value, const TimeZone *zone, Value *out);
/* date_bin(stride, value, origin). */
Status timestamp_bin(TypeCtx *ctx, Interval stride, int64_t us, int64_t origin, int64_t *out);

Status date_make(TypeCtx *ctx, int64_t year, int64_t month, int64_t day, int64_t *out);
Status time_make(TypeCtx *ctx, int64_t hour, int64_t minute, double seconds, int64_t *out);
Status timestamp_make(TypeCtx *ctx, const int64_t ymdhm[5], double seconds, int64_t *out);
/* make_interval's arguments in its order: years, months, weeks, days, hours, minutes. */
Status interval_make(TypeCtx *ctx, const int64_t parts[6], double seconds, Interval *out);

void date_put_text(int64_t days, const TypeEnv *env, Buf *out);
void timestamp_put_text(int64_t us, const TypeEnv *env, Buf *out);
void timestamptz_put_text(int64_t us, const TypeEnv *env, Buf *out);

#endif
