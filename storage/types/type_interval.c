#include "storage/types/type_interval.h"

#include <math.h>

#include "storage/types/type_defs.h"

Interval interval_load(Value value)
{
    Interval interval;
    memcpy(&interval.us, value.p, sizeof interval.us);
    memcpy(&interval.days, value.p + 8, sizeof interval.days);
    memcpy(&interval.months, value.p + 12, sizeof interval.months);
    return interval;
}

Value interval_store(Interval interval, Arena *arena)
{
    uint8_t *bytes = arena_alloc(arena, INTERVAL_BYTES);
    memcpy(bytes, &interval.us, sizeof interval.us);
    memcpy(bytes + 8, &interval.days, sizeof interval.days);
    memcpy(bytes + 12, &interval.months, sizeof interval.months);
    return value_bytes(bytes, INTERVAL_BYTES);
}

int32_t interval_typmod(int range, int precision)
{
    return (range & INTERVAL_MASK_ALL) << 16 | (precision < 0 ? INTERVAL_PRECISION_ALL : precision & 0xFFFF);
}

__int128 interval_total_us(Interval interval)
{
    return ((__int128)interval.months * 30 + interval.days) * US_PER_DAY + interval.us;
}

int interval_compare(Interval a, Interval b)
{
    __int128 x = interval_total_us(a), y = interval_total_us(b);
    return (x > y) - (x < y);
}

/* ---- arithmetic ---- */

static Status out_of_range(TypeCtx *ctx)
{
    return err_set(ctx->err, ctx->arena, ERR_DATETIME_FIELD_OVERFLOW, "interval out of range");
}

Status interval_add(TypeCtx *ctx, Interval a, Interval b, Interval *out)
{
    if (__builtin_add_overflow(a.us, b.us, &out->us) || __builtin_add_overflow(a.days, b.days, &out->days) ||
        __builtin_add_overflow(a.months, b.months, &out->months))
        return out_of_range(ctx);
    return ST_OK;
}

Status interval_sub(TypeCtx *ctx, Interval a, Interval b, Interval *out)
{
    if (__builtin_sub_overflow(a.us, b.us, &out->us) || __builtin_sub_overflow(a.days, b.days, &out->days) ||
        __builtin_sub_overflow(a.months, b.months, &out->months))
        return out_of_range(ctx);
    return ST_OK;
}

Status interval_neg(TypeCtx *ctx, Interval a, Interval *out)
{
    return interval_sub(ctx, (Interval){0}, a, out);
}

/* To microseconds, so that the noise of binary fractions does not surface. */
static double settle(double seconds)
{
    return rint(seconds * 1e6) / 1e6;
}

/* A fraction of a month becomes days of it, a fraction of a day time: nothing moves up. */
static Status scale_parts(TypeCtx *ctx, double months, double days, double us, Interval *out)
{
    if (isnan(months) || isnan(days) || isnan(us) || fabs(months) > INT32_MAX || fabs(days) > INT32_MAX)
        return out_of_range(ctx);
    out->months = (int32_t)months;
    out->days = (int32_t)days;
    double month_rest_days = settle((months - out->months) * 30);
    double rest_seconds =
        settle((days - out->days + month_rest_days - (int)month_rest_days) * 86400.0);
    if (fabs(rest_seconds) >= 86400) {
        if (__builtin_add_overflow(out->days, (int)(rest_seconds / 86400), &out->days)) return out_of_range(ctx);
        rest_seconds -= (int)(rest_seconds / 86400) * 86400.0;
    }
    if (__builtin_add_overflow(out->days, (int)month_rest_days, &out->days)) return out_of_range(ctx);
    double total = rint(us + rest_seconds * 1e6);
    if (!(total >= -9223372036854775808.0 && total < 9223372036854775808.0)) return out_of_range(ctx);
    out->us = (int64_t)total;
    return ST_OK;
}

Status interval_mul(TypeCtx *ctx, Interval a, double factor, Interval *out)
{
    return scale_parts(ctx, a.months * factor, a.days * factor, (double)a.us * factor, out);
}

Status interval_div(TypeCtx *ctx, Interval a, double divisor, Interval *out)
{
    if (divisor == 0) return err_set(ctx->err, ctx->arena, ERR_DIVISION_BY_ZERO, "division by zero");
    return scale_parts(ctx, a.months / divisor, a.days / divisor, (double)a.us / divisor, out);
}

Status interval_justify_hours(TypeCtx *ctx, Interval a, Interval *out)
{
    int64_t days = a.us / US_PER_DAY;
    *out = a;
    out->us -= days * US_PER_DAY;
    if (__builtin_add_overflow(out->days, (int32_t)days, &out->days)) return out_of_range(ctx);
    if (out->days > 0 && out->us < 0) {
        out->us += US_PER_DAY;
        out->days--;
    } else if (out->days < 0 && out->us > 0) {
        out->us -= US_PER_DAY;
        out->days++;
    }
    return ST_OK;
}

Status interval_justify_days(TypeCtx *ctx, Interval a, Interval *out)
{
    int32_t months = a.days / 30;
    *out = a;
    out->days -= months * 30;
    if (__builtin_add_overflow(out->months, months, &out->months)) return out_of_range(ctx);
    if (out->months > 0 && out->days < 0) {
        out->days += 30;
        out->months--;
    } else if (out->months < 0 && out->days > 0) {
        out->days -= 30;
        out->months++;
    }
    return ST_OK;
}

Status interval_justify(TypeCtx *ctx, Interval a, Interval *out)
{
    int64_t days = a.us / US_PER_DAY;
    *out = a;
    out->us -= days * US_PER_DAY;
    int64_t all_days = (int64_t)a.days + days, months = all_days / 30;
    out->days = (int32_t)(all_days - months * 30);
    if (__builtin_add_overflow(out->months, (int32_t)months, &out->months)) return out_of_range(ctx);
    if (out->months > 0 && (out->days < 0 || (out->days == 0 && out->us < 0))) {
        out->days += 30;
        out->months--;
    } else if (out->months < 0 && (out->days > 0 || (out->days == 0 && out->us > 0))) {
        out->days -= 30;
        out->months++;
    }
    if (out->days > 0 && out->us < 0) {
        out->us += US_PER_DAY;
        out->days--;
    } else if (out->days < 0 && out->us > 0) {
        out->us -= US_PER_DAY;
        out->days++;
    }
    return ST_OK;
}

/* ---- the type ---- */

static Status interval_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    Interval interval = {0};
    TRY(interval_parse(ctx, text, typmod, &interval));
    *out = interval_store(interval, ctx->arena);
    return ST_OK;
}

static void interval_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    interval_put_text(interval_load(value), env->interval_style, out);
}

static Status interval_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    if (bytes.size != INTERVAL_BYTES) return type_invalid_binary(ctx);
    Interval interval = {(int64_t)load_u64(bytes.data), (int32_t)load_u32(bytes.data + 8),
                         (int32_t)load_u32(bytes.data + 12)};
    *out = interval_store(interval_restrict(interval, typmod), ctx->arena);
    return ST_OK;
}

static void interval_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    Interval interval = interval_load(value);
    buf_put_u64(out, (uint64_t)interval.us);
    buf_put_u32(out, (uint32_t)interval.days);
    buf_put_u32(out, (uint32_t)interval.months);
}

static int interval_type_compare(const TypeDef *type, Value a, Value b)
{
    return interval_compare(interval_load(a), interval_load(b));
}

static uint64_t interval_hash(const TypeDef *type, Value value)
{
    __int128 total = interval_total_us(interval_load(value));
    return hash_int((int64_t)total) ^ hash_int((int64_t)(total >> 64) + 1);
}

static Status interval_fit(const TypeDef *type, TypeCtx *ctx, Value in, int32_t typmod, bool explicit_cast, Value *out)
{
    *out = interval_store(interval_restrict(interval_load(in), typmod), ctx->arena);
    return ST_OK;
}

/* Arguments: a field mask, or a field mask and a precision; the parser makes INTERVAL_MASK_ALL of interval(3). */
static Status interval_typmod_in(const TypeDef *type, TypeCtx *ctx, const int32_t *args, int arg_count, int32_t *typmod)
{
    if (arg_count < 1 || arg_count > 2)
        return err_set(ctx->err, ctx->arena, ERR_INVALID_PARAMETER_VALUE, "invalid INTERVAL type modifier");
    int precision = arg_count == 2 ? args[1] : -1;
    if (arg_count == 2 && precision < 0)
        return err_set(ctx->err, ctx->arena, ERR_INVALID_PARAMETER_VALUE, "INTERVAL(%d) precision must not be negative",
                       precision);
    if (arg_count == 1 && args[0] == INTERVAL_MASK_ALL)
        *typmod = -1;
    else
        *typmod = interval_typmod(args[0], precision > 6 ? 6 : precision);
    return ST_OK;
}

static void interval_typmod_out(int32_t typmod, Buf *out)
{
    static const struct {
        int mask;
        const char *name;
    } fields[] = {{INTERVAL_MASK_YEAR, "year"}, {INTERVAL_MASK_MONTH, "month"},   {INTERVAL_MASK_DAY, "day"},
                  {INTERVAL_MASK_HOUR, "hour"}, {INTERVAL_MASK_MINUTE, "minute"}, {INTERVAL_MASK_SECOND, "second"}};
    int range = typmod >> 16 & INTERVAL_MASK_ALL, precision = typmod & 0xFFFF;
    const char *first = NULL, *last = NULL;
    for (int i = 0; i < 6 && range != INTERVAL_MASK_ALL; i++) {
        if (!(range & fields[i].mask)) continue;
        if (!first) first = fields[i].name;
        last = fields[i].name;
    }
    if (first) buf_printf(out, " %s", first);
    if (last != first) buf_printf(out, " to %s", last);
    if (precision != INTERVAL_PRECISION_ALL) buf_printf(out, "(%d)", precision);
}

const TypeDef type_interval = {
    .oid = OID_INTERVAL, .array_oid = 1187, .name = "interval", .sql_name = "interval", .crdb_name = "INTERVAL",
    .length = INTERVAL_BYTES, .category = 'T', .preferred = true, .rep = REP_BYTES, .key_class = KEY_CLASS_INTERVAL,
    .in = interval_in, .out = interval_out, .receive = interval_receive, .send = interval_send,
    .compare = interval_type_compare, .hash = interval_hash, .fit = interval_fit, .typmod_in = interval_typmod_in,
    .typmod_out = interval_typmod_out,
};
