#include "storage/types/type_timestamp.h"

#include "storage/types/datetime_parse.h"
#include "storage/types/type_defs.h"
#include "storage/types/type_int.h"
#include "storage/types/type_time.h"

static int64_t floor_days(int64_t us)
{
    return us / US_PER_DAY - (us % US_PER_DAY < 0);
}

void timestamp_to_civil(int64_t us, CivilTime *civil)
{
    int64_t days = floor_days(us), time = us - days * US_PER_DAY;
    date_to_civil(days, &civil->year, &civil->month, &civil->day);
    civil->hour = (int)(time / US_PER_HOUR);
    civil->minute = (int)(time / US_PER_MINUTE % 60);
    civil->second = (int)(time / US_PER_SECOND % 60);
    civil->us = (int)(time % US_PER_SECOND);
}

int64_t date_from_timestamp(int64_t us)
{
    if (us == TIMESTAMP_INFINITY) return DATE_INFINITY;
    if (us == TIMESTAMP_MINUS_INFINITY) return DATE_MINUS_INFINITY;
    return floor_days(us);
}

int64_t timestamp_round(int64_t us, int32_t precision)
{
    return timestamp_is_infinite(us) ? us : time_round(us, precision);
}

static Status out_of_range(TypeCtx *ctx)
{
    return err_set(ctx->err, ctx->arena, ERR_DATETIME_FIELD_OVERFLOW, "timestamp out of range");
}

static Status date_out_of_range(TypeCtx *ctx)
{
    return err_set(ctx->err, ctx->arena, ERR_DATETIME_FIELD_OVERFLOW, "date out of range for timestamp");
}

static Status check_range(TypeCtx *ctx, __int128 us, int64_t *out)
{
    if (us < TIMESTAMP_MIN || us >= TIMESTAMP_END) return out_of_range(ctx);
    *out = (int64_t)us;
    return ST_OK;
}

Status timestamp_from_date(TypeCtx *ctx, int64_t days, int64_t *us)
{
    if (days == DATE_INFINITY || days == DATE_MINUS_INFINITY) {
        *us = days > 0 ? TIMESTAMP_INFINITY : TIMESTAMP_MINUS_INFINITY;
        return ST_OK;
    }
    if (days >= TIMESTAMP_END / US_PER_DAY + 1 || days < TIMESTAMP_MIN / US_PER_DAY - 1) return date_out_of_range(ctx);
    __int128 total = (__int128)days * US_PER_DAY;
    if (total < TIMESTAMP_MIN || total >= TIMESTAMP_END) return date_out_of_range(ctx);
    *us = (int64_t)total;
    return ST_OK;
}

Status timestamptz_from_timestamp(TypeCtx *ctx, int64_t local_us, const TimeZone *zone, int64_t *us)
{
    if (timestamp_is_infinite(local_us)) {
        *us = local_us;
        return ST_OK;
    }
    return check_range(ctx, time_zone_to_utc(zone, local_us), us);
}

Status timestamp_from_timestamptz(TypeCtx *ctx, int64_t utc_us, const TimeZone *zone, int64_t *us)
{
    if (timestamp_is_infinite(utc_us)) {
        *us = utc_us;
        return ST_OK;
    }
    return check_range(ctx, time_zone_to_local(zone, utc_us), us);
}

Status timestamptz_from_date(TypeCtx *ctx, int64_t days, const TimeZone *zone, int64_t *us)
{
    int64_t local = 0;
    TRY(timestamp_from_date(ctx, days, &local));
    return timestamptz_from_timestamp(ctx, local, zone, us);
}

/* ---- text out ---- */

static const char *const day_names[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
static const char *const month_names[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/* Wed Jul 04 13:14:15 2007 */
static void put_postgres(int64_t local_us, const TypeEnv *env, Buf *out)
{
    CivilTime c;
    timestamp_to_civil(local_us, &c);
    int64_t days = floor_days(local_us);
    buf_put_str(out, day_names[((days + 5) % 7 + 7) % 7]);
    if (env->date_order == DATE_DMY)
        buf_printf(out, " %02d %s ", c.day, month_names[c.month - 1]);
    else
        buf_printf(out, " %s %02d ", month_names[c.month - 1], c.day);
    time_put_text(local_us - days * US_PER_DAY, out);
    buf_printf(out, " %04lld", (long long)(c.year > 0 ? c.year : 1 - c.year));
}

static bool put_infinity(int64_t us, Buf *out)
{
    if (!timestamp_is_infinite(us)) return false;
    buf_put_str(out, us > 0 ? "infinity" : "-infinity");
    return true;
}

static uint8_t *two_digits(uint8_t *at, int n)
{
    at[0] = (uint8_t)('0' + n / 10);
    at[1] = (uint8_t)('0' + n % 10);
    return at + 2;
}

/* 2020-01-15 10:11:12.5, for years of four digits: what nearly every timestamp is. */
static void put_iso(int64_t year, int month, int day, int64_t time, Buf *out)
{
    uint8_t text[32], *at = two_digits(text, (int)year / 100);
    int seconds = (int)(time / US_PER_SECOND), fraction = (int)(time % US_PER_SECOND);
    at = two_digits(at, (int)year % 100);
    *at++ = '-';
    at = two_digits(at, month);
    *at++ = '-';
    at = two_digits(at, day);
    *at++ = ' ';
    at = two_digits(at, seconds / 3600);
    *at++ = ':';
    at = two_digits(at, seconds / 60 % 60);
    *at++ = ':';
    at = two_digits(at, seconds % 60);
    if (fraction) {
        *at++ = '.';
        at = two_digits(at, fraction / 10000);
        at = two_digits(at, fraction / 100 % 100);
        at = two_digits(at, fraction % 100);
        while (at[-1] == '0') at--;
    }
    buf_put(out, text, (size_t)(at - text));
}

/* Date and time without zone and without BC, which follows the zone. */
static bool put_date_time(int64_t local_us, const TypeEnv *env, Buf *out)
{
    int64_t days = floor_days(local_us), year;
    int month, day;
    date_to_civil(days, &year, &month, &day);
    if (env->date_style == DATE_ISO && year > 0 && year < 10000) {
        put_iso(year, month, day, local_us - days * US_PER_DAY, out);
        return false;
    }
    if (env->date_style == DATE_POSTGRES) {
        put_postgres(local_us, env, out);
        return year <= 0;
    }
    date_put_text(days, env, out);
    if (year <= 0 && !out->failed) out->size -= 3; /* " BC" */
    buf_put_u8(out, ' ');
    time_put_text(local_us - days * US_PER_DAY, out);
    return year <= 0;
}

void timestamp_put_text(int64_t us, const TypeEnv *env, Buf *out)
{
    if (!put_infinity(us, out) && put_date_time(us, env, out)) buf_put_str(out, " BC");
}

void timestamptz_put_text(int64_t us, const TypeEnv *env, Buf *out)
{
    if (put_infinity(us, out)) return;
    const char *abbreviation;
    int east = time_zone_offset(env->time_zone, us, &abbreviation, NULL);
    bool bc = put_date_time(us + east * US_PER_SECOND, env, out);
    if (env->date_style == DATE_ISO) {
        zone_offset_put_text(east, out);
    } else {
        buf_put_u8(out, ' ');
        buf_put_str(out, abbreviation);
    }
    if (bc) buf_put_str(out, " BC");
}

/* ---- the types ---- */

static bool read_digits(const uint8_t *at, int count, int *out)
{
    *out = 0;
    for (int i = 0; i < count; i++) {
        if (!is_digit(at[i])) return false;
        *out = *out * 10 + (at[i] - '0');
    }
    return true;
}

/* yyyy-mm-dd hh:mm:ss[.ffffff], as most timestamps arrive; everything else takes the long way. */
static bool parse_plain(Slice t, int64_t *us)
{
    static const int scale[] = {0, 100000, 10000, 1000, 100, 10, 1};
    const uint8_t *c = t.data;
    int year, month, day, hour, minute, second, fraction = 0;
    if (t.size < 19 || t.size == 20 || t.size > 26 || c[4] != '-' || c[7] != '-' || (c[10] != ' ' && c[10] != 'T'))
        return false;
    if (c[13] != ':' || c[16] != ':' || !read_digits(c, 4, &year) || !read_digits(c + 5, 2, &month)) return false;
    if (!read_digits(c + 8, 2, &day) || !read_digits(c + 11, 2, &hour) || !read_digits(c + 14, 2, &minute))
        return false;
    if (!read_digits(c + 17, 2, &second)) return false;
    if (t.size > 19 && (c[19] != '.' || !read_digits(c + 20, (int)t.size - 20, &fraction))) return false;
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > days_in_month(year, month)) return false;
    if (hour > 23 || minute > 59 || second > 59) return false;
    *us = date_from_civil(year, month, day) * US_PER_DAY + hour * US_PER_HOUR + minute * US_PER_MINUTE +
          second * US_PER_SECOND + (t.size > 19 ? fraction * scale[t.size - 20] : 0);
    return true;
}

static Status timestamp_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    bool zoned = type->oid == OID_TIMESTAMPTZ;
    const char *words = zoned ? "timestamp with time zone" : "timestamp";
    DateTime dt;
    int64_t us = 0;
    if (parse_plain(text, &us)) {
        if (zoned) us = time_zone_to_utc(ctx->env->time_zone, us);
        *out = value_int(timestamp_round(us, typmod));
        return ST_OK;
    }
    TRY(datetime_parse(ctx, type->oid, words, text, &dt));
    if (dt.kind != DATETIME_FIELDS)
        us = dt.kind == DATETIME_INFINITY ? TIMESTAMP_INFINITY : TIMESTAMP_MINUS_INFINITY;
    else if (zoned)
        TRY(datetime_utc_us(ctx, "timestamp", text, &dt, &us));
    else
        TRY(datetime_local_us(ctx, "timestamp", text, &dt, &us));
    *out = value_int(timestamp_round(us, typmod));
    return ST_OK;
}

static void timestamp_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    timestamp_put_text(value.i, env, out);
}

static void timestamptz_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    timestamptz_put_text(value.i, env, out);
}

static Status timestamp_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    if (bytes.size != 8) return type_invalid_binary(ctx);
    int64_t us = (int64_t)load_u64(bytes.data);
    if (!timestamp_is_infinite(us)) TRY(check_range(ctx, us, &us));
    *out = value_int(timestamp_round(us, typmod));
    return ST_OK;
}

static void timestamp_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    buf_put_u64(out, (uint64_t)value.i);
}

static Status timestamp_fit(const TypeDef *type, TypeCtx *ctx, Value in, int32_t typmod, bool explicit_cast, Value *out)
{
    *out = value_int(timestamp_round(in.i, typmod));
    return ST_OK;
}

const TypeDef type_timestamp = {
    .oid = OID_TIMESTAMP, .array_oid = OID_TIMESTAMP_ARRAY, .name = "timestamp",
    .sql_name = "timestamp without time zone", .crdb_name = "TIMESTAMP", .length = 8, .category = 'D', .rep = REP_INT,
    .key_class = KEY_CLASS_TIMESTAMP, .in = timestamp_in, .out = timestamp_out, .receive = timestamp_receive,
    .send = timestamp_send, .compare = type_int_compare, .hash = type_int_hash, .fit = timestamp_fit,
    .typmod_in = time_typmod_in, .typmod_out = time_typmod_out,
};

const TypeDef type_timestamptz = {
    .oid = OID_TIMESTAMPTZ, .array_oid = OID_TIMESTAMPTZ_ARRAY, .name = "timestamptz",
    .sql_name = "timestamp with time zone", .crdb_name = "TIMESTAMPTZ", .length = 8, .category = 'D',
    .preferred = true, .rep = REP_INT, .key_class = KEY_CLASS_TIMESTAMP, .in = timestamp_in, .out = timestamptz_out,
    .receive = timestamp_receive, .send = timestamp_send, .compare = type_int_compare, .hash = type_int_hash,
    .fit = timestamp_fit, .typmod_in = time_typmod_in, .typmod_out = time_typmod_out,
};
