/* fn_date.c - operators and functions of dates, times, timestamps and intervals. Templates are in fn_format.c. */
#include <math.h>
#include <stdlib.h>

#include "executor/functions/families.h"
#include "planner/session.h"
#include "storage/base/clock.h"
#include "storage/types/type_numeric.h"
#include "storage/types/type_time.h"
#include "storage/types/type_timestamp.h"

static const TimeZone *zone_of(const FnCtx *ctx)
{
    return ctx->type.env->time_zone;
}

static Value interval_value(FnCtx *ctx, Interval interval)
{
    return interval_store(interval, ctx->type.arena);
}

/* ---- operators: the left side, then the right ---- */

#define INT_RESULT(name, call)                                                                                       \
    static Status name(FnCtx *ctx, const Value *args, Value *out)                                                    \
    {                                                                                                                \
        int64_t v;                                                                                                   \
        TRY(call);                                                                                                   \
        *out = value_int(v);                                                                                         \
        return ST_OK;                                                                                                \
    }
INT_RESULT(timestamp_plus, timestamp_add_interval(&ctx->type, args[0].i, interval_load(args[1]), &v))
INT_RESULT(plus_timestamp, timestamp_add_interval(&ctx->type, args[1].i, interval_load(args[0]), &v))
INT_RESULT(timestamptz_plus, timestamptz_add_interval(&ctx->type, args[0].i, interval_load(args[1]), zone_of(ctx), &v))
INT_RESULT(plus_timestamptz, timestamptz_add_interval(&ctx->type, args[1].i, interval_load(args[0]), zone_of(ctx), &v))
INT_RESULT(date_plus_days, date_add_days(&ctx->type, args[0].i, args[1].i, &v))
INT_RESULT(days_plus_date, date_add_days(&ctx->type, args[1].i, args[0].i, &v))
INT_RESULT(date_minus_days, date_add_days(&ctx->type, args[0].i, -args[1].i, &v))
INT_RESULT(date_made, date_make(&ctx->type, args[0].i, args[1].i, args[2].i, &v))
INT_RESULT(time_made, time_make(&ctx->type, args[0].i, args[1].i, args[2].f, &v))
INT_RESULT(date_binned, timestamp_bin(&ctx->type, interval_load(args[0]), args[1].i, args[2].i, &v))

static Status negated(FnCtx *ctx, Value interval, Interval *out)
{
    return interval_neg(&ctx->type, interval_load(interval), out);
}

static Status timestamp_minus_interval(FnCtx *ctx, const Value *args, Value *out)
{
    Interval by;
    int64_t v;
    TRY(negated(ctx, args[1], &by));
    TRY(timestamp_add_interval(&ctx->type, args[0].i, by, &v));
    *out = value_int(v);
    return ST_OK;
}

static Status timestamptz_minus_interval(FnCtx *ctx, const Value *args, Value *out)
{
    Interval by;
    int64_t v;
    TRY(negated(ctx, args[1], &by));
    TRY(timestamptz_add_interval(&ctx->type, args[0].i, by, zone_of(ctx), &v));
    *out = value_int(v);
    return ST_OK;
}

static Status date_shift(FnCtx *ctx, int64_t date, Interval by, Value *out)
{
    int64_t v;
    TRY(timestamp_from_date(&ctx->type, date, &v));
    TRY(timestamp_add_interval(&ctx->type, v, by, &v));
    *out = value_int(v);
    return ST_OK;
}

static Status date_plus_interval(FnCtx *ctx, const Value *args, Value *out)
{
    return date_shift(ctx, args[0].i, interval_load(args[1]), out);
}

static Status interval_plus_date(FnCtx *ctx, const Value *args, Value *out)
{
    return date_shift(ctx, args[1].i, interval_load(args[0]), out);
}

static Status date_minus_interval(FnCtx *ctx, const Value *args, Value *out)
{
    Interval by;
    TRY(negated(ctx, args[1], &by));
    return date_shift(ctx, args[0].i, by, out);
}

static Status date_plus_time(FnCtx *ctx, const Value *args, Value *out)
{
    int64_t v;
    TRY(timestamp_from_date(&ctx->type, args[0].i, &v));
    *out = value_int(timestamp_is_infinite(v) ? v : v + args[1].i);
    return ST_OK;
}

static Status time_plus_date(FnCtx *ctx, const Value *args, Value *out)
{
    Value swapped[2] = {args[1], args[0]};
    return date_plus_time(ctx, swapped, out);
}

static Status date_minus_date(FnCtx *ctx, const Value *args, Value *out)
{
    int64_t a = args[0].i, b = args[1].i;
    if (a == DATE_INFINITY || a == DATE_MINUS_INFINITY || b == DATE_INFINITY || b == DATE_MINUS_INFINITY)
        return err_set(ctx->type.err, ctx->type.arena, ERR_DATETIME_FIELD_OVERFLOW, "cannot subtract infinite dates");
    *out = value_int(a - b);
    return ST_OK;
}

static int64_t wrap_day(int64_t us)
{
    us %= US_PER_DAY;
    return us < 0 ? us + US_PER_DAY : us;
}

static Status time_plus_interval(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int(wrap_day(args[0].i + interval_load(args[1]).us % US_PER_DAY));
    return ST_OK;
}

static Status interval_plus_time(FnCtx *ctx, const Value *args, Value *out)
{
    Value swapped[2] = {args[1], args[0]};
    return time_plus_interval(ctx, swapped, out);
}

static Status time_minus_interval(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int(wrap_day(args[0].i - interval_load(args[1]).us % US_PER_DAY));
    return ST_OK;
}

static Status time_minus_time(FnCtx *ctx, const Value *args, Value *out)
{
    *out = interval_value(ctx, (Interval){.us = args[0].i - args[1].i});
    return ST_OK;
}

#define INTERVAL_RESULT(name, call)                                                                                  \
    static Status name(FnCtx *ctx, const Value *args, Value *out)                                                    \
    {                                                                                                                \
        Interval v;                                                                                                  \
        TRY(call);                                                                                                   \
        *out = interval_value(ctx, v);                                                                               \
        return ST_OK;                                                                                                \
    }
INTERVAL_RESULT(timestamp_minus, timestamp_sub(&ctx->type, args[0].i, args[1].i, &v))
INTERVAL_RESULT(interval_plus, interval_add(&ctx->type, interval_load(args[0]), interval_load(args[1]), &v))
INTERVAL_RESULT(interval_minus, interval_sub(&ctx->type, interval_load(args[0]), interval_load(args[1]), &v))
INTERVAL_RESULT(interval_negate, interval_neg(&ctx->type, interval_load(args[0]), &v))
INTERVAL_RESULT(interval_times, interval_mul(&ctx->type, interval_load(args[0]), args[1].f, &v))
INTERVAL_RESULT(times_interval, interval_mul(&ctx->type, interval_load(args[1]), args[0].f, &v))
INTERVAL_RESULT(interval_over, interval_div(&ctx->type, interval_load(args[0]), args[1].f, &v))
INTERVAL_RESULT(age_between, timestamp_age(&ctx->type, args[0].i, args[1].i, &v))
INTERVAL_RESULT(justified, interval_justify(&ctx->type, interval_load(args[0]), &v))
INTERVAL_RESULT(justified_days, interval_justify_days(&ctx->type, interval_load(args[0]), &v))
INTERVAL_RESULT(justified_hours, interval_justify_hours(&ctx->type, interval_load(args[0]), &v))

static Status age_between_tz(FnCtx *ctx, const Value *args, Value *out)
{
    Interval v;
    int64_t a = time_zone_to_local(zone_of(ctx), args[0].i), b = time_zone_to_local(zone_of(ctx), args[1].i);
    TRY(timestamp_age(&ctx->type, a, b, &v));
    *out = interval_value(ctx, v);
    return ST_OK;
}

/* Midnight of the day on which the transaction began, local. */
static int64_t today_us(const FnCtx *ctx)
{
    int64_t local = time_zone_to_local(zone_of(ctx), ctx->type.env->transaction_start_us);
    return date_from_timestamp(local) * US_PER_DAY;
}

static Status age_today(FnCtx *ctx, const Value *args, Value *out)
{
    Interval v;
    bool zoned = ctx->arg_types[0].oid == OID_TIMESTAMPTZ;
    int64_t then = zoned ? time_zone_to_local(zone_of(ctx), args[0].i) : args[0].i;
    TRY(timestamp_age(&ctx->type, today_us(ctx), then, &v));
    *out = interval_value(ctx, v);
    return ST_OK;
}

/* ---- the clock ---- */

static Status now(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int(ctx->type.env->transaction_start_us);
    return ST_OK;
}

static Status statement_timestamp(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int(ctx->session ? ctx->session->statement_start_us : ctx->type.env->transaction_start_us);
    return ST_OK;
}

static Status clock_timestamp(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int(clock_now_us());
    return ST_OK;
}

/* ---- fields ---- */

static Status extract(FnCtx *ctx, const Value *args, Value *out)
{
    *out = VALUE_NULL;
    return datetime_extract(&ctx->type, ctx->arg_types[1].oid, value_to_slice(args[0]), args[1], out);
}

static Status date_part(FnCtx *ctx, const Value *args, Value *out)
{
    Value exact = VALUE_NULL;
    TRY(datetime_extract(&ctx->type, ctx->arg_types[1].oid, value_to_slice(args[0]), args[1], &exact));
    *out = exact.null ? exact : value_float(numeric_to_float(exact));
    return ST_OK;
}

static Status date_trunc(FnCtx *ctx, const Value *args, Value *out)
{
    return datetime_trunc(&ctx->type, ctx->arg_types[1].oid, value_to_slice(args[0]), args[1], zone_of(ctx), out);
}

static Status open_zone(FnCtx *ctx, Value name, const TimeZone **zone)
{
    const char *text = arena_strndup(ctx->type.arena, name.p, name.size);
    /* A bare number is hours west here, as in POSIX, although SET TIME ZONE takes it for hours east. */
    char *end;
    double hours = strtod(text, &end);
    bool number = end > text && *end == '\0' && strspn(text, "+-.0123456789") == strlen(text) && fabs(hours) < 168;
    *zone = number ? time_zone_fixed(-(int)hours * 3600) : time_zone_open(text);
    if (*zone) return ST_OK;
    return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "time zone \"%s\" not recognized", text);
}

static Status date_trunc_zone(FnCtx *ctx, const Value *args, Value *out)
{
    const TimeZone *zone;
    *out = args[1];
    if (timestamp_is_infinite(args[1].i)) return ST_OK;
    TRY(open_zone(ctx, args[2], &zone));
    return datetime_trunc(&ctx->type, OID_TIMESTAMPTZ, value_to_slice(args[0]), args[1], zone, out);
}

static Status at_zone(FnCtx *ctx, const TimeZone *zone, Value value, Value *out)
{
    int64_t v;
    if (ctx->arg_types[1].oid == OID_TIMESTAMPTZ)
        TRY(timestamp_from_timestamptz(&ctx->type, value.i, zone, &v));
    else
        TRY(timestamptz_from_timestamp(&ctx->type, value.i, zone, &v));
    *out = value_int(v);
    return ST_OK;
}

static Status timezone_named(FnCtx *ctx, const Value *args, Value *out)
{
    const TimeZone *zone;
    if (timestamp_is_infinite(args[1].i)) {
        *out = args[1];
        return ST_OK;
    }
    TRY(open_zone(ctx, args[0], &zone));
    return at_zone(ctx, zone, args[1], out);
}

/* A time of day with a zone, as it is in another one. */
static Status timetz_at(FnCtx *ctx, int east, Value value, Value *out)
{
    TimeTz time = timetz_load(value);
    time.us = wrap_day(time.us + ((int64_t)time.west + east) * US_PER_SECOND);
    time.west = -east;
    *out = timetz_store(time, ctx->type.arena);
    return ST_OK;
}

static Status timetz_named(FnCtx *ctx, const Value *args, Value *out)
{
    const TimeZone *zone;
    TRY(open_zone(ctx, args[0], &zone));
    return timetz_at(ctx, time_zone_offset(zone, ctx->type.env->transaction_start_us, NULL, NULL), args[1], out);
}

static Status zone_interval(FnCtx *ctx, Value value, int *east)
{
    Interval offset = interval_load(value);
    if (offset.months || offset.days)
        return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE,
                       "interval time zone \"%s\" must not include months or days",
                       type_text((TypeRef){OID_INTERVAL, -1}, ctx->type.env, value, ctx->type.arena));
    *east = (int)(offset.us / US_PER_SECOND);
    return ST_OK;
}

static Status timezone_offset(FnCtx *ctx, const Value *args, Value *out)
{
    int east;
    *out = args[1];
    if (timestamp_is_infinite(args[1].i)) return ST_OK;
    TRY(zone_interval(ctx, args[0], &east));
    return at_zone(ctx, time_zone_fixed(east), args[1], out);
}

static Status timetz_offset(FnCtx *ctx, const Value *args, Value *out)
{
    int east;
    TRY(zone_interval(ctx, args[0], &east));
    return timetz_at(ctx, east, args[1], out);
}

static Status is_finite_time(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_bool(!timestamp_is_infinite(args[0].i));
    return ST_OK;
}

static Status is_finite_date(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_bool(args[0].i != DATE_INFINITY && args[0].i != DATE_MINUS_INFINITY);
    return ST_OK;
}

static Status is_finite_interval(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_bool(true);
    return ST_OK;
}

/* ---- making ---- */

static Status date_time_tz(FnCtx *ctx, const Value *args, Value *out)
{
    int64_t v;
    TRY(timestamp_from_date(&ctx->type, args[0].i, &v));
    if (!timestamp_is_infinite(v)) TRY(timestamptz_from_timestamp(&ctx->type, v + args[1].i, zone_of(ctx), &v));
    *out = value_int(v);
    return ST_OK;
}

static Status date_timetz(FnCtx *ctx, const Value *args, Value *out)
{
    int64_t v;
    TimeTz time = timetz_load(args[1]);
    TRY(timestamp_from_date(&ctx->type, args[0].i, &v));
    *out = value_int(timestamp_is_infinite(v) ? v : v + time.us + time.west * US_PER_SECOND);
    return ST_OK;
}

/* The wall clock in the style of C's ctime, with microseconds and the zone. */
static Status timeofday(FnCtx *ctx, const Value *args, Value *out)
{
    static const char *const days[7] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char *const months[12] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const char *zone;
    CivilTime t;
    int64_t now = clock_now_us(), local = now + time_zone_offset(zone_of(ctx), now, &zone, NULL) * US_PER_SECOND;
    timestamp_to_civil(local, &t);
    int weekday = (int)((date_from_timestamp(local) + 6) % 7);
    *out = value_str(arena_printf(ctx->type.arena, "%s %s %02d %02d:%02d:%02d.%06d %lld %s", days[weekday], months[t.month - 1],
                                  t.day, t.hour, t.minute, t.second, t.us, (long long)t.year, zone));
    return ST_OK;
}

static Status made_timestamp(FnCtx *ctx, const Value *args, int64_t *out)
{
    int64_t parts[5] = {args[0].i, args[1].i, args[2].i, args[3].i, args[4].i};
    return timestamp_make(&ctx->type, parts, args[5].f, out);
}

static Status make_timestamp(FnCtx *ctx, const Value *args, Value *out)
{
    int64_t v;
    TRY(made_timestamp(ctx, args, &v));
    *out = value_int(v);
    return ST_OK;
}

static Status make_timestamptz(FnCtx *ctx, const Value *args, Value *out)
{
    int64_t v;
    const TimeZone *zone = zone_of(ctx);
    TRY(made_timestamp(ctx, args, &v));
    if (ctx->arg_count > 6) TRY(open_zone(ctx, args[6], &zone));
    TRY(timestamptz_from_timestamp(&ctx->type, v, zone, &v));
    *out = value_int(v);
    return ST_OK;
}

static Status make_interval(FnCtx *ctx, const Value *args, Value *out)
{
    int64_t parts[6] = {0};
    Interval v;
    for (int i = 0; i < 6 && i < ctx->arg_count; i++) parts[i] = args[i].i;
    TRY(interval_make(&ctx->type, parts, ctx->arg_count > 6 ? args[6].f : 0, &v));
    *out = interval_value(ctx, v);
    return ST_OK;
}

static Status to_timestamp(FnCtx *ctx, const Value *args, Value *out)
{
    double seconds = args[0].f;
    if (isnan(seconds))
        return err_set(ctx->type.err, ctx->type.arena, ERR_DATETIME_FIELD_OVERFLOW, "timestamp cannot be NaN");
    if (isinf(seconds)) {
        *out = value_int(seconds > 0 ? TIMESTAMP_INFINITY : TIMESTAMP_MINUS_INFINITY);
        return ST_OK;
    }
    double us = rint(seconds * 1e6) + (double)UNIX_EPOCH_US;
    if (us < (double)TIMESTAMP_MIN || us >= (double)TIMESTAMP_END)
        return err_set(ctx->type.err, ctx->type.arena, ERR_DATETIME_FIELD_OVERFLOW, "timestamp out of range: \"%g\"",
                       seconds);
    *out = value_int((int64_t)rint(seconds * 1e6) + UNIX_EPOCH_US);
    return ST_OK;
}

/* clang-format off */
#define OP FN_STRICT | FN_IMMUTABLE | FN_OPERATOR
#define FN FN_STRICT | FN_IMMUTABLE
#define STABLE FN_STRICT | FN_STABLE
const FuncDef fn_date_rows[] = {
    { 1100, "+", "date, int4",             "date",        OP, date_plus_days },
    { 2555, "+", "int4, date",             "date",        OP, days_plus_date },
    { 1076, "+", "date, interval",         "timestamp",   OP, date_plus_interval },
    { 2551, "+", "interval, date",         "timestamp",   OP, interval_plus_date },
    { 1360, "+", "date, time",             "timestamp",   OP, date_plus_time },
    { 1363, "+", "time, date",             "timestamp",   OP, time_plus_date },
    { 2066, "+", "timestamp, interval",    "timestamp",   OP, timestamp_plus },
    { 2553, "+", "interval, timestamp",    "timestamp",   OP, plus_timestamp },
    { 1327, "+", "timestamptz, interval",  "timestamptz", STABLE | FN_OPERATOR, timestamptz_plus },
    { 2554, "+", "interval, timestamptz",  "timestamptz", STABLE | FN_OPERATOR, plus_timestamptz },
    { 1800, "+", "time, interval",         "time",        OP, time_plus_interval },
    { 1849, "+", "interval, time",         "time",        OP, interval_plus_time },
    { 1337, "+", "interval, interval",     "interval",    OP, interval_plus },
    { 1099, "-", "date, date",             "int4",        OP, date_minus_date },
    { 1101, "-", "date, int4",             "date",        OP, date_minus_days },
    { 1077, "-", "date, interval",         "timestamp",   OP, date_minus_interval },
    { 2067, "-", "timestamp, timestamp",   "interval",    OP, timestamp_minus },
    { 1328, "-", "timestamptz, timestamptz", "interval",  OP, timestamp_minus },
    { 2068, "-", "timestamp, interval",    "timestamp",   OP, timestamp_minus_interval },
    { 1329, "-", "timestamptz, interval",  "timestamptz", STABLE | FN_OPERATOR, timestamptz_minus_interval },
    { 1399, "-", "time, time",             "interval",    OP, time_minus_time },
    { 1801, "-", "time, interval",         "time",        OP, time_minus_interval },
    { 1338, "-", "interval, interval",     "interval",    OP, interval_minus },
    { 1336, "-", "interval",               "interval",    OP, interval_negate },
    { 1583, "*", "interval, float8",       "interval",    OP, interval_times },
    { 1584, "*", "float8, interval",       "interval",    OP, times_interval },
    { 1585, "/", "interval, float8",       "interval",    OP, interval_over },
    { 2058, "age", "timestamp, timestamp", "interval",    FN, age_between },
    { 1199, "age", "timestamptz, timestamptz", "interval", STABLE, age_between_tz },
    { 2059, "age", "timestamp",            "interval",    STABLE, age_today },
    { 1386, "age", "timestamptz",          "interval",    STABLE, age_today },
    { 2649, "clock_timestamp", "",         "timestamptz", 0, clock_timestamp },
    { 6177, "date_bin", "interval, timestamp, timestamp",     "timestamp",   FN, date_binned },
    { 6178, "date_bin", "interval, timestamptz, timestamptz", "timestamptz", FN, date_binned },
    { 1384, "date_part", "text, date",        "float8", FN, date_part },
    { 1385, "date_part", "text, time",        "float8", FN, date_part },
    { 2021, "date_part", "text, timestamp",   "float8", FN, date_part },
    { 1171, "date_part", "text, timestamptz", "float8", STABLE, date_part },
    { 1172, "date_part", "text, interval",    "float8", FN, date_part },
    { 1273, "date_part", "text, timetz",       "float8", FN, date_part },
    { 2020, "date_trunc", "text, timestamp",   "timestamp",   FN, date_trunc },
    { 1217, "date_trunc", "text, timestamptz", "timestamptz", STABLE, date_trunc },
    { 1284, "date_trunc", "text, timestamptz, text", "timestamptz", STABLE, date_trunc_zone },
    { 1218, "date_trunc", "text, interval",    "interval",    FN, date_trunc },
    { 6199, "extract", "text, date",        "numeric", FN, extract },
    { 6200, "extract", "text, time",        "numeric", FN, extract },
    { 6201, "extract", "text, timetz",      "numeric", FN, extract },
    { 6202, "extract", "text, timestamp",   "numeric", FN, extract },
    { 6203, "extract", "text, timestamptz", "numeric", STABLE, extract },
    { 6204, "extract", "text, interval",    "numeric", FN, extract },
    { 1373, "isfinite", "date",        "bool", FN, is_finite_date },
    { 2048, "isfinite", "timestamp",   "bool", FN, is_finite_time },
    { 1389, "isfinite", "timestamptz", "bool", FN, is_finite_time },
    { 1390, "isfinite", "interval",    "bool", FN, is_finite_interval },
    { 1295, "justify_days", "interval",     "interval", FN, justified_days },
    { 1175, "justify_hours", "interval",    "interval", FN, justified_hours },
    { 2711, "justify_interval", "interval", "interval", FN, justified },
    { 3846, "make_date", "int4, int4, int4",   "date", FN, date_made },
    { 3464, "make_interval", "int4, int4, int4, int4, int4, int4, float8", "interval", FN, make_interval },
    { 3847, "make_time", "int4, int4, float8", "time", FN, time_made },
    { 3461, "make_timestamp", "int4, int4, int4, int4, int4, float8",         "timestamp",   FN, make_timestamp },
    { 3462, "make_timestamptz", "int4, int4, int4, int4, int4, float8",       "timestamptz", STABLE, make_timestamptz },
    { 3463, "make_timestamptz", "int4, int4, int4, int4, int4, float8, text", "timestamptz", STABLE, make_timestamptz },
    { 1299, "now", "",                         "timestamptz", STABLE, now },
    { 2648, "statement_timestamp", "",         "timestamptz", STABLE, statement_timestamp },
    { 2069, "timezone", "text, timestamp",     "timestamptz", FN, timezone_named },
    { 1159, "timezone", "text, timestamptz",   "timestamp",   FN, timezone_named },
    { 2070, "timezone", "interval, timestamp", "timestamptz", FN, timezone_offset },
    { 1026, "timezone", "interval, timestamptz", "timestamp", FN, timezone_offset },
    { 2037, "timezone", "text, timetz",        "timetz",      STABLE, timetz_named },
    { 2038, "timezone", "interval, timetz",    "timetz",      FN, timetz_offset },
    { 274,  "timeofday", "",                   "text",        FN_STRICT, timeofday },
    { 2025, "timestamp", "date, time",         "timestamp",   FN, date_plus_time },
    { 1176, "timestamptz", "date, time",       "timestamptz", STABLE, date_time_tz },
    { 1359, "timestamptz", "date, timetz",     "timestamptz", FN, date_timetz },
    { 1158, "to_timestamp", "float8",          "timestamptz", FN, to_timestamp },
    { 2647, "transaction_timestamp", "",       "timestamptz", STABLE, now },
    { 0 }
};
/* clang-format on */
