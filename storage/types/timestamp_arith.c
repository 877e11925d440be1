/* Calendar arithmetic on timestamps, and making dates and times of numbers. */
#include <math.h>

#include "storage/types/type_defs.h"
#include "storage/types/type_timestamp.h"

static Status out_of_range(TypeCtx *ctx)
{
    return err_set(ctx->err, ctx->arena, ERR_DATETIME_FIELD_OVERFLOW, "timestamp out of range");
}

static Status check_range(TypeCtx *ctx, __int128 us, int64_t *out)
{
    if (us < TIMESTAMP_MIN || us >= TIMESTAMP_END) return out_of_range(ctx);
    *out = (int64_t)us;
    return ST_OK;
}

/* The day of the month stays, or becomes the last one where the month is shorter. */
static Status add_months(TypeCtx *ctx, int64_t us, int32_t months, int64_t *out)
{
    int64_t days = date_from_timestamp(us), year;
    int month, day;
    date_to_civil(days, &year, &month, &day);
    int64_t all = year * 12 + month - 1 + months;
    year = all >= 0 ? all / 12 : -((11 - all) / 12);
    month = (int)(all - year * 12) + 1;
    if (day > days_in_month(year, month)) day = days_in_month(year, month);
    return check_range(ctx, (__int128)date_from_civil(year, month, day) * US_PER_DAY + (us - days * US_PER_DAY), out);
}

static Status add_calendar(TypeCtx *ctx, int64_t us, Interval interval, int64_t *out)
{
    *out = us;
    if (interval.months) TRY(add_months(ctx, us, interval.months, out));
    return interval.days ? check_range(ctx, *out + (__int128)interval.days * US_PER_DAY, out) : ST_OK;
}

Status timestamp_add_interval(TypeCtx *ctx, int64_t us, Interval interval, int64_t *out)
{
    *out = us;
    if (timestamp_is_infinite(us)) return ST_OK;
    TRY(add_calendar(ctx, us, interval, out));
    return check_range(ctx, (__int128)*out + interval.us, out);
}

Status timestamptz_add_interval(TypeCtx *ctx, int64_t us, Interval interval, const TimeZone *zone, int64_t *out)
{
    *out = us;
    if (timestamp_is_infinite(us)) return ST_OK;
    if (interval.months || interval.days) {
        TRY(add_calendar(ctx, time_zone_to_local(zone, us), interval, out));
        *out = time_zone_to_utc(zone, *out);
    }
    return check_range(ctx, (__int128)*out + interval.us, out);
}

Status timestamp_sub(TypeCtx *ctx, int64_t a, int64_t b, Interval *out)
{
    if (timestamp_is_infinite(a) || timestamp_is_infinite(b))
        return err_set(ctx->err, ctx->arena, ERR_DATETIME_FIELD_OVERFLOW, "cannot subtract infinite timestamps");
    int64_t us;
    if (__builtin_sub_overflow(a, b, &us))
        return err_set(ctx->err, ctx->arena, ERR_DATETIME_FIELD_OVERFLOW, "interval out of range");
    *out = (Interval){us % US_PER_DAY, (int32_t)(us / US_PER_DAY), 0};
    return ST_OK;
}

/* Field by field from the later to the earlier; days are borrowed from the earlier one's month. */
Status timestamp_age(TypeCtx *ctx, int64_t a, int64_t b, Interval *out)
{
    if (timestamp_is_infinite(a) || timestamp_is_infinite(b)) return out_of_range(ctx);
    int64_t later = a >= b ? a : b, earlier = a >= b ? b : a;
    CivilTime x, y;
    timestamp_to_civil(later, &x);
    timestamp_to_civil(earlier, &y);
    int64_t later_days = date_from_timestamp(later), earlier_days = date_from_timestamp(earlier);
    int64_t us = (later - later_days * US_PER_DAY) - (earlier - earlier_days * US_PER_DAY);
    int64_t days = x.day - y.day, months = (x.year - y.year) * 12 + x.month - y.month;
    if (us < 0) {
        us += US_PER_DAY;
        days--;
    }
    for (int64_t year = y.year, month = y.month; days < 0; month++) {
        if (month > 12) {
            month = 1;
            year++;
        }
        days += days_in_month(year, (int)month);
        months--;
    }
    Interval age = {us, (int32_t)days, (int32_t)months};
    if (a >= b) {
        *out = age;
        return ST_OK;
    }
    return interval_neg(ctx, age, out);
}

Status date_add_days(TypeCtx *ctx, int64_t date, int64_t days, int64_t *out)
{
    *out = date;
    if (date == DATE_INFINITY || date == DATE_MINUS_INFINITY) return ST_OK;
    if (__builtin_add_overflow(date, days, out) || *out < DATE_MIN || *out >= DATE_END)
        return err_set(ctx->err, ctx->arena, ERR_DATETIME_FIELD_OVERFLOW, "date out of range");
    return ST_OK;
}

Status timestamp_bin(TypeCtx *ctx, Interval stride, int64_t us, int64_t origin, int64_t *out)
{
    *out = us;
    if (timestamp_is_infinite(us)) return ST_OK;
    if (timestamp_is_infinite(origin))
        return err_set(ctx->err, ctx->arena, ERR_DATETIME_FIELD_OVERFLOW, "origin out of range");
    if (stride.months)
        return err_set(ctx->err, ctx->arena, ERR_FEATURE_NOT_SUPPORTED,
                       "timestamps cannot be binned into intervals containing months or years");
    __int128 step = (__int128)stride.days * US_PER_DAY + stride.us;
    if (step <= 0)
        return err_set(ctx->err, ctx->arena, ERR_DATETIME_FIELD_OVERFLOW, "stride must be greater than zero");
    __int128 distance = (__int128)us - origin, rest = distance % step;
    return check_range(ctx, us - rest - (rest < 0 ? step : 0), out);
}

/* ---- making ---- */

Status date_make(TypeCtx *ctx, int64_t year, int64_t month, int64_t day, int64_t *out)
{
    bool valid = year != 0 && year >= -4714 && year <= 5874897 && month >= 1 && month <= 12 && day >= 1;
    int64_t astronomical = year < 0 ? year + 1 : year;
    if (valid && day <= days_in_month(astronomical, (int)month)) {
        *out = date_from_civil(astronomical, (int)month, (int)day);
        if (*out >= DATE_MIN && *out < DATE_END) return ST_OK;
    }
    return err_set(ctx->err, ctx->arena, ERR_DATETIME_FIELD_OVERFLOW,
                   "date field value out of range: %lld-%02lld-%02lld", (long long)year, (long long)month,
                   (long long)day);
}

Status time_make(TypeCtx *ctx, int64_t hour, int64_t minute, double seconds, int64_t *out)
{
    double whole_us = rint(seconds * 1e6);
    bool valid = hour >= 0 && minute >= 0 && minute <= 59 && whole_us >= 0 && whole_us <= 60e6 && hour <= 24;
    if (valid) {
        *out = hour * US_PER_HOUR + minute * US_PER_MINUTE + (int64_t)whole_us;
        if (*out <= US_PER_DAY) return ST_OK;
    }
    char text[32];
    Buf shown = {0};
    buf_printf(&shown, "%02g", seconds);
    size_t n = shown.size < sizeof text - 1 ? shown.size : sizeof text - 1;
    memcpy(text, shown.data ? shown.data : (const uint8_t *)"", n);
    text[n] = 0;
    buf_finish(&shown);
    return err_set(ctx->err, ctx->arena, ERR_DATETIME_FIELD_OVERFLOW, "time field value out of range: %lld:%02lld:%s",
                   (long long)hour, (long long)minute, text);
}

Status timestamp_make(TypeCtx *ctx, const int64_t ymdhm[5], double seconds, int64_t *out)
{
    int64_t date = 0, time = 0;
    TRY(date_make(ctx, ymdhm[0], ymdhm[1], ymdhm[2], &date));
    TRY(time_make(ctx, ymdhm[3], ymdhm[4], seconds, &time));
    return check_range(ctx, (__int128)date * US_PER_DAY + time, out);
}

Status interval_make(TypeCtx *ctx, const int64_t parts[6], double seconds, Interval *out)
{
    __int128 months = (__int128)parts[0] * 12 + parts[1], days = (__int128)parts[2] * 7 + parts[3];
    __int128 us = (__int128)parts[4] * US_PER_HOUR + (__int128)parts[5] * US_PER_MINUTE;
    double second_us = rint(seconds * 1e6);
    bool valid = fabs(second_us) < 9.2e18 && months == (int32_t)months && days == (int32_t)days;
    if (valid) us += (int64_t)second_us;
    if (!valid || us > INT64_MAX || us < INT64_MIN)
        return err_set(ctx->err, ctx->arena, ERR_DATETIME_FIELD_OVERFLOW, "interval out of range");
    *out = (Interval){(int64_t)us, (int32_t)days, (int32_t)months};
    return ST_OK;
}
