/* extract and date_trunc. */
#include <assert.h>

#include "storage/types/time_unit.h"
#include "storage/types/type_defs.h"
#include "storage/types/type_numeric.h"
#include "storage/types/type_time.h"
#include "storage/types/type_timestamp.h"

enum { JULIAN_OF_2000 = 2451545 };

static Status unknown_unit(TypeCtx *ctx, Oid type, Slice field)
{
    char *lower = arena_strndup(ctx->arena, field.data, field.size);
    for (char *c = lower; *c; c++) *c = (char)to_lower((uint8_t)*c);
    bool known = time_unit_find(field) != UNIT_UNKNOWN;
    return err_set(ctx->err, ctx->arena, known ? ERR_FEATURE_NOT_SUPPORTED : ERR_INVALID_PARAMETER_VALUE,
                   "unit \"%s\" not %s for type %s", lower, known ? "supported" : "recognized",
                   type_find(type)->sql_name);
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Weeks begin on Monday; the first one of a year has its first Thursday. */
static void iso_week(int64_t days, int64_t *iso_year, int *week)
{
    int64_t thursday = days - ((days + 5) % 7 + 7) % 7 + 3;
    int month, day;
    date_to_civil(thursday, iso_year, &month, &day);
    *week = (int)((thursday - date_from_civil(*iso_year, 1, 1)) / 7) + 1;
}

/* Centuries and millennia: the first began in year 1. */
static int64_t era_of(int64_t year, int64_t size)
{
    return year > 0 ? (year + size - 1) / size : -((size - 1 - (year - 1)) / size);
}

/* Fields of a day; false if the unit is none of a day. */
static bool date_field(TimeUnit unit, int64_t days, int64_t *out)
{
    int64_t year, iso_year;
    int month, day, week;
    date_to_civil(days, &year, &month, &day);
    switch ((int)unit) {
    case UNIT_DAY: *out = day; return true;
    case UNIT_MONTH: *out = month; return true;
    case UNIT_QUARTER: *out = (month - 1) / 3 + 1; return true;
    case UNIT_YEAR: *out = year > 0 ? year : year - 1; return true;
    case UNIT_DECADE: *out = floor_div(year, 10); return true;
    case UNIT_CENTURY: *out = era_of(year, 100); return true;
    case UNIT_MILLENNIUM: *out = era_of(year, 1000); return true;
    case UNIT_JULIAN: *out = days + JULIAN_OF_2000; return true;
    case UNIT_DOW: *out = ((days + 6) % 7 + 7) % 7; return true;
    case UNIT_ISODOW: *out = ((days + 5) % 7 + 7) % 7 + 1; return true;
    case UNIT_DOY: *out = days - date_from_civil(year, 1, 1) + 1; return true;
    case UNIT_WEEK:
        iso_week(days, &iso_year, &week);
        *out = week;
        return true;
    case UNIT_ISOYEAR:
        iso_week(days, &iso_year, &week);
        *out = iso_year > 0 ? iso_year : iso_year - 1;
        return true;
    default: return false;
    }
}

/* Fields of a time of day (of an interval's time too); *scale: the decimals of *out. */
static bool time_field(TimeUnit unit, int64_t us, int64_t *out, int *scale)
{
    *scale = 0;
    switch ((int)unit) {
    case UNIT_MICROSECOND: *out = us % US_PER_MINUTE; return true;
    case UNIT_MILLISECOND:
        *out = us % US_PER_MINUTE;
        *scale = 3;
        return true;
    case UNIT_SECOND:
        *out = us % US_PER_MINUTE;
        *scale = 6;
        return true;
    case UNIT_MINUTE: *out = us / US_PER_MINUTE % 60; return true;
    case UNIT_HOUR: *out = us / US_PER_HOUR; return true;
    default: return false;
    }
}

static bool zone_field(TimeUnit unit, int east, int64_t *out)
{
    if (unit == UNIT_TIMEZONE)
        *out = east;
    else if (unit == UNIT_TIMEZONE_HOUR)
        *out = east / 3600;
    else if (unit == UNIT_TIMEZONE_MINUTE)
        *out = east / 60 % 60;
    else
        return false;
    return true;
}

static Status answer(TypeCtx *ctx, __int128 mantissa, int scale, Value *out)
{
    *out = numeric_from_int128(mantissa, scale, ctx->arena);
    return ST_OK;
}

/* Of an infinity: fields that only ever grow are infinite, those that come round have no answer. */
static Status extract_infinity(TypeCtx *ctx, Oid type, TimeUnit unit, Slice field, bool positive, Value *out)
{
    int64_t ignored;
    int scale;
    bool grows = unit == UNIT_YEAR || unit == UNIT_DECADE || unit == UNIT_CENTURY || unit == UNIT_MILLENNIUM ||
                 unit == UNIT_JULIAN || unit == UNIT_ISOYEAR || unit == UNIT_EPOCH;
    bool known = grows || date_field(unit, 0, &ignored) ||
                 (type != OID_DATE && time_field(unit, 0, &ignored, &scale)) ||
                 (type != OID_DATE && zone_field(unit, 0, &ignored));
    if (!known) return unknown_unit(ctx, type, field);
    *out = VALUE_NULL;
    return grows ? numeric_parse(ctx, positive ? SLICE_LIT("Infinity") : SLICE_LIT("-Infinity"), out) : ST_OK;
}

static Status extract_date(TypeCtx *ctx, TimeUnit unit, Slice field, int64_t days, Value *out)
{
    int64_t n;
    if (days == DATE_INFINITY || days == DATE_MINUS_INFINITY)
        return extract_infinity(ctx, OID_DATE, unit, field, days > 0, out);
    if (unit == UNIT_EPOCH) return answer(ctx, (days - UNIX_EPOCH_DAYS) * 86400, 0, out);
    if (!date_field(unit, days, &n)) return unknown_unit(ctx, OID_DATE, field);
    return answer(ctx, n, 0, out);
}

static Status extract_julian(TypeCtx *ctx, int64_t days, int64_t time, Value *out)
{
    Value fraction = VALUE_NULL;
    TRY(numeric_div(ctx, numeric_from_int(time, ctx->arena), numeric_from_int(US_PER_DAY, ctx->arena), &fraction));
    return numeric_add(ctx, numeric_from_int(days + JULIAN_OF_2000, ctx->arena), fraction, out);
}

static Status extract_timestamp(TypeCtx *ctx, Oid type, TimeUnit unit, Slice field, int64_t us, Value *out)
{
    if (timestamp_is_infinite(us)) return extract_infinity(ctx, type, unit, field, us > 0, out);
    if (unit == UNIT_EPOCH) return answer(ctx, (__int128)us - UNIX_EPOCH_US, 6, out);
    int64_t n;
    int scale, east = 0;
    if (type == OID_TIMESTAMPTZ) {
        east = time_zone_offset(ctx->env->time_zone, us, NULL, NULL);
        if (zone_field(unit, east, &n)) return answer(ctx, n, 0, out);
        us += east * US_PER_SECOND;
    }
    int64_t days = date_from_timestamp(us), time = us - days * US_PER_DAY;
    if (unit == UNIT_JULIAN) return extract_julian(ctx, days, time, out);
    if (time_field(unit, time, &n, &scale)) return answer(ctx, n, scale, out);
    if (!date_field(unit, days, &n)) return unknown_unit(ctx, type, field);
    return answer(ctx, n, 0, out);
}

static Status extract_time(TypeCtx *ctx, Oid type, TimeUnit unit, Slice field, TimeTz time, Value *out)
{
    int64_t n;
    int scale;
    if (unit == UNIT_EPOCH) return answer(ctx, (__int128)time.us + time.west * US_PER_SECOND, 6, out);
    if (time_field(unit, time.us, &n, &scale)) return answer(ctx, n, scale, out);
    if (type == OID_TIMETZ && zone_field(unit, -time.west, &n)) return answer(ctx, n, 0, out);
    return unknown_unit(ctx, type, field);
}

static Status extract_interval(TypeCtx *ctx, TimeUnit unit, Slice field, Interval i, Value *out)
{
    int64_t n, years = i.months / 12;
    int scale;
    if (time_field(unit, i.us, &n, &scale)) return answer(ctx, n, scale, out);
    switch ((int)unit) {
    case UNIT_DAY: return answer(ctx, i.days, 0, out);
    case UNIT_MONTH: return answer(ctx, i.months % 12, 0, out);
    case UNIT_QUARTER: return answer(ctx, i.months % 12 / 3 + 1, 0, out);
    case UNIT_YEAR: return answer(ctx, years, 0, out);
    case UNIT_DECADE: return answer(ctx, years / 10, 0, out);
    case UNIT_CENTURY: return answer(ctx, years / 100, 0, out);
    case UNIT_MILLENNIUM: return answer(ctx, years / 1000, 0, out);
    case UNIT_EPOCH:
        /* A year of 365.25 days, a month of 30. */
        return answer(
            ctx,
            ((__int128)years * 36525 * 864 + (__int128)(i.months % 12) * 30 * 86400 + (__int128)i.days * 86400) *
                    US_PER_SECOND +
                i.us,
            6, out);
    default: return unknown_unit(ctx, OID_INTERVAL, field);
    }
}

Status datetime_extract(TypeCtx *ctx, Oid type, Slice field, Value value, Value *out)
{
    TimeUnit unit = time_unit_find(field);
    switch (type) {
    case OID_DATE: return extract_date(ctx, unit, field, value.i, out);
    case OID_TIME: return extract_time(ctx, type, unit, field, (TimeTz){value.i, 0}, out);
    case OID_TIMETZ: return extract_time(ctx, type, unit, field, timetz_load(value), out);
    case OID_INTERVAL: return extract_interval(ctx, unit, field, interval_load(value), out);
    default:
        assert(type == OID_TIMESTAMP || type == OID_TIMESTAMPTZ);
        return extract_timestamp(ctx, type, unit, field, value.i, out);
    }
}

/* ---- date_trunc ---- */

static int64_t first_year(int64_t year, int64_t size)
{
    return year > 0 ? (year - 1) / size * size + 1 : -((size - 1 - (year - 1)) / size) * size + 1;
}

/* The first microsecond of the unit; false if the unit cannot be truncated to. */
static bool trunc_local(TimeUnit unit, int64_t us, int64_t *out)
{
    int64_t days = date_from_timestamp(us), time = us - days * US_PER_DAY, year;
    int month, day;
    date_to_civil(days, &year, &month, &day);
    switch ((int)unit) {
    case UNIT_MICROSECOND: *out = us; return true;
    case UNIT_MILLISECOND: *out = us - time % 1000; return true;
    case UNIT_SECOND: *out = us - time % US_PER_SECOND; return true;
    case UNIT_MINUTE: *out = us - time % US_PER_MINUTE; return true;
    case UNIT_HOUR: *out = us - time % US_PER_HOUR; return true;
    case UNIT_DAY: break;
    case UNIT_WEEK: days -= ((days + 5) % 7 + 7) % 7; break;
    case UNIT_MONTH: days = date_from_civil(year, month, 1); break;
    case UNIT_QUARTER: days = date_from_civil(year, (month - 1) / 3 * 3 + 1, 1); break;
    case UNIT_YEAR: days = date_from_civil(year, 1, 1); break;
    case UNIT_DECADE: days = date_from_civil(floor_div(year, 10) * 10, 1, 1); break;
    case UNIT_CENTURY: days = date_from_civil(first_year(year, 100), 1, 1); break;
    case UNIT_MILLENNIUM: days = date_from_civil(first_year(year, 1000), 1, 1); break;
    default: return false;
    }
    *out = days * US_PER_DAY;
    return true;
}

static Status trunc_timestamptz(TypeCtx *ctx, TimeUnit unit, const TimeZone *zone, int64_t us, int64_t *out)
{
    int64_t offset = time_zone_offset(zone, us, NULL, NULL) * US_PER_SECOND, local;
    trunc_local(unit, us + offset, &local);
    /* Within a day the offset stays the moment's own, so that the second 02:30 of an autumn night stays the second. */
    *out = unit < UNIT_DAY ? local - offset : time_zone_to_utc(zone, local);
    return ST_OK;
}

/* A unit of fields, but none of date_trunc. */
static Status untruncatable(TypeCtx *ctx, Oid type, TimeUnit unit, Slice field)
{
    bool is_zone = unit == UNIT_TIMEZONE || unit == UNIT_TIMEZONE_HOUR || unit == UNIT_TIMEZONE_MINUTE;
    if (!is_zone && unit != UNIT_WEEK)
        return err_set(ctx->err, ctx->arena, ERR_INVALID_PARAMETER_VALUE, "unit \"%.*s\" not recognized for type %s",
                       (int)field.size, (const char *)field.data, type_find(type)->sql_name);
    unknown_unit(ctx, type, field);
    if (!is_zone) err_detail(ctx->err, ctx->arena, "Months usually have fractional weeks.");
    return ST_ERROR;
}

static Status trunc_interval(TypeCtx *ctx, TimeUnit unit, Slice field, Interval i, Value *out)
{
    int64_t us_unit = 1;
    int32_t years = 0;
    switch ((int)unit) {
    case UNIT_MICROSECOND: break;
    case UNIT_MILLISECOND: us_unit = 1000; break;
    case UNIT_SECOND: us_unit = US_PER_SECOND; break;
    case UNIT_MINUTE: us_unit = US_PER_MINUTE; break;
    case UNIT_HOUR: us_unit = US_PER_HOUR; break;
    case UNIT_DAY: us_unit = 0; break;
    case UNIT_MONTH: years = -1; break;
    case UNIT_QUARTER: years = -3; break;
    case UNIT_YEAR: years = 1; break;
    case UNIT_DECADE: years = 10; break;
    case UNIT_CENTURY: years = 100; break;
    case UNIT_MILLENNIUM: years = 1000; break;
    default: return untruncatable(ctx, OID_INTERVAL, unit, field);
    }
    if (years) {
        int32_t months = years > 0 ? years * 12 : -years;
        i = (Interval){0, 0, i.months / months * months};
    } else {
        i.us = us_unit ? i.us / us_unit * us_unit : 0;
    }
    *out = interval_store(i, ctx->arena);
    return ST_OK;
}

Status datetime_trunc(TypeCtx *ctx, Oid type, Slice field, Value value, const TimeZone *zone, Value *out)
{
    TimeUnit unit = time_unit_find(field);
    if (type == OID_INTERVAL) return trunc_interval(ctx, unit, field, interval_load(value), out);
    assert(type == OID_TIMESTAMP || type == OID_TIMESTAMPTZ);
    int64_t us = value.i;
    *out = value;
    if (timestamp_is_infinite(value.i)) return ST_OK;
    if (!trunc_local(unit, 0, &us)) return untruncatable(ctx, type, unit, field);
    if (type == OID_TIMESTAMP)
        trunc_local(unit, value.i, &us);
    else
        TRY(trunc_timestamptz(ctx, unit, zone, value.i, &us));
    if (us < TIMESTAMP_MIN || us >= TIMESTAMP_END)
        return err_set(ctx->err, ctx->arena, ERR_DATETIME_FIELD_OVERFLOW, "timestamp out of range");
    *out = value_int(us);
    return ST_OK;
}
