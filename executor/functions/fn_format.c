/* fn_format.c - to_char, to_date, to_timestamp by template, to_number. */
#include <math.h>
#include <float.h>
#include <stdlib.h>

#include "executor/functions/families.h"
#include "executor/functions/format_datetime.h"
#include "executor/functions/format_number.h"
#include "storage/types/type_numeric.h"

static Status from_buf(FnCtx *ctx, Buf *buf, Status status, Value *out)
{
    if (status == ST_OK && buf->failed) status = err_no_memory(ctx->type.err);
    if (status == ST_OK) *out = value_slice(buf_to_arena(buf, ctx->type.arena));
    buf_finish(buf);
    return status;
}

/* ---- dates and times ---- */

static Status put_time(FnCtx *ctx, Value template, const FormatTime *time, Value *out)
{
    const FormatNode *nodes;
    Buf buf = {0};
    TRY(format_template_parse(&ctx->type, FORMAT_DATES, value_to_slice(template), false, &nodes));
    return from_buf(ctx, &buf, format_datetime_put(&ctx->type, nodes, time, &buf), out);
}

static Status timestamp_to_char(FnCtx *ctx, const Value *args, Value *out)
{
    int64_t local = args[0].i;
    FormatTime time = {.zone = ""};
    CivilTime civil;
    *out = VALUE_NULL;
    if (args[1].size == 0 || timestamp_is_infinite(local)) return ST_OK;
    if (ctx->arg_types[0].oid == OID_TIMESTAMPTZ) {
        bool is_dst;
        time.east_seconds = time_zone_offset(ctx->type.env->time_zone, local, &time.zone, &is_dst);
        local += time.east_seconds * US_PER_SECOND;
    }
    timestamp_to_civil(local, &civil);
    time.year = civil.year;
    time.month = civil.month;
    time.day = civil.day;
    time.hour = civil.hour;
    time.minute = civil.minute;
    time.second = civil.second;
    time.us = civil.us;
    time.days = date_from_civil(civil.year, civil.month, civil.day);
    time.weekday = (int)(((time.days + 6) % 7 + 7) % 7);
    time.day_of_year = time.days - date_from_civil(civil.year, 1, 1) + 1;
    return put_time(ctx, args[1], &time, out);
}

static Status interval_to_char(FnCtx *ctx, const Value *args, Value *out)
{
    Interval v = interval_load(args[0]);
    FormatTime time = {.is_interval = true, .zone = ""};
    *out = VALUE_NULL;
    if (args[1].size == 0) return ST_OK;
    time.year = v.months / 12;
    time.month = v.months % 12;
    time.day = v.days;
    time.hour = v.us / US_PER_HOUR;
    time.minute = (int)(v.us % US_PER_HOUR / US_PER_MINUTE);
    time.second = (int)(v.us % US_PER_MINUTE / US_PER_SECOND);
    time.us = (int)(v.us % US_PER_SECOND);
    time.day_of_year = (int64_t)v.months * 30 + v.days;
    /* Read as a date where a field asks for one; month 0 is the one before January. */
    int month = time.month <= 0 ? time.month + 12 : time.month;
    time.days = date_from_civil(time.month <= 0 ? time.year - 1 : time.year, month, 1) + v.days - 1;
    return put_time(ctx, args[1], &time, out);
}

static Status read_time(FnCtx *ctx, const Value *args, FormatRead *read)
{
    const FormatNode *nodes;
    TRY(format_template_parse(&ctx->type, FORMAT_DATES, value_to_slice(args[1]), false, &nodes));
    return format_datetime_read(&ctx->type, nodes, value_to_slice(args[0]), false, read);
}

static bool year_is_possible(int64_t year)
{
    return year >= -4713 && year < 5874898;
}

static Status to_date(FnCtx *ctx, const Value *args, Value *out)
{
    FormatRead read;
    TRY(read_time(ctx, args, &read));
    int64_t days = DATE_END;
    if (year_is_possible(read.civil.year)) days = date_from_civil(read.civil.year, read.civil.month, read.civil.day);
    if (days < DATE_MIN || days >= DATE_END)
        return err_set(ctx->type.err, ctx->type.arena, ERR_DATETIME_FIELD_OVERFLOW, "date out of range: \"%.*s\"",
                       (int)args[0].size, (const char *)args[0].p);
    *out = value_int(days);
    return ST_OK;
}

static Status to_timestamp(FnCtx *ctx, const Value *args, Value *out)
{
    FormatRead read;
    TRY(read_time(ctx, args, &read));
    const CivilTime *t = &read.civil;
    const TimeZone *zone = read.has_zone ? time_zone_fixed(read.east_seconds) : ctx->type.env->time_zone;
    int64_t us = TIMESTAMP_END;
    if (t->year >= -4713 && t->year < 294278) {
        us = ((t->hour * 60 + t->minute) * 60 + t->second) * US_PER_SECOND + t->us;
        if (__builtin_add_overflow(date_from_civil(t->year, t->month, t->day) * US_PER_DAY, us, &us)) us = TIMESTAMP_END;
    }
    if (us >= TIMESTAMP_END || us < TIMESTAMP_MIN)
        return err_set(ctx->type.err, ctx->type.arena, ERR_DATETIME_FIELD_OVERFLOW, "timestamp out of range");
    TRY(timestamptz_from_timestamp(&ctx->type, us, zone, &us));
    *out = value_int(read.precision ? timestamp_round(us, read.precision) : us);
    return ST_OK;
}

/* ---- numbers ---- */

static char *hashes(FnCtx *ctx, int count)
{
    char *text = arena_alloc(ctx->type.arena, (size_t)count + 1);
    memset(text, '#', (size_t)count);
    return text;
}

static const char *roman(FnCtx *ctx, int64_t number)
{
    static const char *const digits[4][10] = {
        {"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"},
        {"", "X", "XX", "XX" "X", "XL", "L", "LX", "LXX", "LXXX", "XC"},
        {"", "C", "CC", "CCC", "CD", "D", "DC", "DCC", "DCCC", "CM"},
        {"", "M", "MM", "MMM"},
    };
    if (number < 1 || number > 3999) return hashes(ctx, 15);
    return arena_printf(ctx->type.arena, "%s%s%s%s", digits[3][number / 1000], digits[2][number / 100 % 10],
                        digits[1][number / 10 % 10], digits[0][number % 10]);
}

/* A number's text in full to what the picture has room for. */
static NumberText fit_number(FnCtx *ctx, NumberPicture *picture, const char *text)
{
    NumberText number = {.negative = *text == '-'};
    number.digits = text + number.negative;
    int before = (int)strcspn(number.digits, ".");
    picture->before += picture->shift;
    if (before < picture->before) number.padding = picture->before - before;
    if (before > picture->before) {
        char *full = hashes(ctx, picture->before + picture->after + 1);
        full[picture->before] = '.';
        number.digits = full;
    }
    return number;
}

/* EEEE of what has no exponent. */
static const char *exponent_hashes(FnCtx *ctx, const NumberPicture *picture)
{
    char *text = hashes(ctx, picture->before + picture->after + 6);
    text[0] = ' ';
    text[picture->before + 1] = '.';
    return text;
}

static const char *numeric_text(FnCtx *ctx, Value value)
{
    return type_text((TypeRef){OID_NUMERIC, -1}, ctx->type.env, value, ctx->type.arena);
}

/* d.ddd of a number, rounded half up to `places` behind the point. Where that carries, the exponent stays: 10.00e+04, as
 * PostgreSQL writes 99999.9. */
static void put_mantissa(const NumericDigits *digits, int places, Arena *arena, Buf *out)
{
    uint8_t *shown = arena_alloc(arena, (size_t)places + 1);
    bool up = digits->count > places + 1 && digits->digits[places + 1] >= 5;
    for (int i = 0; i <= places; i++) shown[i] = i < digits->count ? digits->digits[i] : 0;
    for (int i = places; up && i >= 0; i--) {
        up = ++shown[i] == 10;
        if (up) shown[i] = 0;
    }
    if (up) buf_put_u8(out, '1');
    for (int i = 0; i <= places; i++) {
        if (i == 1) buf_put_u8(out, '.');
        buf_put_u8(out, (uint8_t)('0' + shown[i]));
    }
}

static const char *numeric_exponent_text(FnCtx *ctx, const NumberPicture *picture, Value value)
{
    NumericDigits digits;
    Buf buf = {0};
    numeric_digits(value, ctx->type.arena, &digits);
    if (digits.kind != NUMERIC_FINITE) return exponent_hashes(ctx, picture);
    int exponent = digits.count ? digits.exponent - 1 : 0;
    buf_put_u8(&buf, digits.negative ? '-' : ' ');
    put_mantissa(&digits, picture->after, ctx->type.arena, &buf);
    buf_printf(&buf, "e%+03d", exponent);
    const char *text = buf_to_str(&buf, ctx->type.arena);
    buf_finish(&buf);
    return text;
}

static Status shift_numeric(FnCtx *ctx, const NumberPicture *picture, int sign, Value *value)
{
    Value power;
    if (!(picture->flags & PICTURE_SHIFT)) return ST_OK;
    TRY(numeric_power(&ctx->type, numeric_from_int(10, ctx->type.arena),
                      numeric_from_int((int64_t)sign * picture->shift, ctx->type.arena), &power));
    return numeric_mul(&ctx->type, *value, power, value);
}

static Status numeric_number(FnCtx *ctx, NumberPicture *picture, Value value, NumberText *number)
{
    if (picture->flags & PICTURE_ROMAN) {
        Value rounded = numeric_round(value, 0, ctx->type.arena);
        TRY(numeric_to_int(&ctx->type, rounded, OID_INT4, &rounded));
        *number = (NumberText){.digits = roman(ctx, rounded.i)};
    } else if (picture->flags & PICTURE_EXPONENT) {
        *number = (NumberText){.digits = numeric_exponent_text(ctx, picture, value)};
    } else {
        TRY(shift_numeric(ctx, picture, 1, &value));
        *number = fit_number(ctx, picture, numeric_text(ctx, numeric_round(value, picture->after, ctx->type.arena)));
    }
    return ST_OK;
}

/* pow(10, n) of V as an integer of the type, times the value; 22003. */
static Status shift_int(FnCtx *ctx, const NumberPicture *picture, int64_t *value)
{
    bool wide = ctx->arg_types[0].oid == OID_INT8;
    int64_t factor = 1;
    bool overflow = false;
    for (int i = 0; i < picture->shift; i++) overflow |= __builtin_mul_overflow(factor, 10, &factor);
    if (!wide) overflow |= factor != (int32_t)factor;
    if (!overflow) {
        overflow = __builtin_mul_overflow(*value, factor, value);
        if (!wide) overflow |= *value != (int32_t)*value;
    }
    if (!overflow) return ST_OK;
    return err_set(ctx->type.err, ctx->type.arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "%s out of range",
                   wide ? "bigint" : "integer");
}

static Status int_number(FnCtx *ctx, NumberPicture *picture, int64_t value, NumberText *number)
{
    if (picture->flags & PICTURE_ROMAN) {
        if (value != (int32_t)value)
            return err_set(ctx->type.err, ctx->type.arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "integer out of range");
        *number = (NumberText){.digits = roman(ctx, value)};
        return ST_OK;
    }
    if (picture->flags & PICTURE_EXPONENT) {
        const char *text = ctx->arg_types[0].oid == OID_INT8
                               ? numeric_exponent_text(ctx, picture, numeric_from_int(value, ctx->type.arena))
                               : arena_printf(ctx->type.arena, "% .*e", picture->after, (double)value);
        *number = (NumberText){.digits = text};
        return ST_OK;
    }
    TRY(shift_int(ctx, picture, &value));
    const char *text = arena_printf(ctx->type.arena, "%lld%s%0*d", (long long)value, picture->after ? "." : "",
                                    picture->after, 0);
    *number = fit_number(ctx, picture, picture->after ? text : arena_printf(ctx->type.arena, "%lld", (long long)value));
    return ST_OK;
}

static NumberText float_number(FnCtx *ctx, NumberPicture *picture, double value)
{
    int digits = ctx->arg_types[0].oid == OID_FLOAT4 ? FLT_DIG : DBL_DIG;
    if (picture->flags & PICTURE_ROMAN) {
        double rounded = rint(value);
        return (NumberText){.digits = roman(ctx, rounded >= 1 && rounded <= 3999 ? (int64_t)rounded : 0)};
    }
    if (picture->flags & PICTURE_EXPONENT) {
        const char *text = !isfinite(value) ? exponent_hashes(ctx, picture)
                                            : arena_printf(ctx->type.arena, "% .*e", picture->after, value);
        return (NumberText){.digits = text};
    }
    for (int i = 0; i < picture->shift; i++) value *= 10;
    int before = (int)strlen(arena_printf(ctx->type.arena, "%.0f", fabs(value)));
    if (isinf(value)) before = (int)strlen("Infinity");
    if (before >= digits)
        picture->after = 0;
    else if (before + picture->after > digits)
        picture->after = digits - before;
    const char *text = isnan(value) ? "NaN" : isinf(value) ? (value < 0 ? "-Infinity" : "Infinity")
                                                           : arena_printf(ctx->type.arena, "%.*f", picture->after, value);
    return fit_number(ctx, picture, text);
}

static Status number_to_char(FnCtx *ctx, const Value *args, Value *out)
{
    NumberPicture picture;
    NumberText number;
    Buf buf = {0};
    *out = VALUE_NULL;
    if (args[1].size == 0) {
        *out = value_str("");
        return ST_OK;
    }
    TRY(number_picture(&ctx->type, value_to_slice(args[1]), &picture));
    switch (ctx->arg_types[0].oid) {
    case OID_NUMERIC: TRY(numeric_number(ctx, &picture, args[0], &number)); break;
    case OID_FLOAT4:
    case OID_FLOAT8: number = float_number(ctx, &picture, args[0].f); break;
    default: TRY(int_number(ctx, &picture, args[0].i, &number)); break;
    }
    return from_buf(ctx, &buf, number_picture_put(&ctx->type, &picture, number, &buf), out);
}

static Status to_number(FnCtx *ctx, const Value *args, Value *out)
{
    NumberPicture picture;
    char *text;
    int scale;
    *out = VALUE_NULL;
    if (args[1].size == 0) return ST_OK;
    TRY(number_picture(&ctx->type, value_to_slice(args[1]), &picture));
    TRY(number_picture_read(&ctx->type, &picture, value_to_slice(args[0]), &text, &scale));
    const TypeDef *numeric = type_find(OID_NUMERIC);
    int32_t typmod = ((picture.before + picture.shift + scale) << 16 | scale) + 4;
    TRY(numeric->in(numeric, &ctx->type, slice_str(text), typmod, out));
    return shift_numeric(ctx, &picture, -1, out);
}

/* clang-format off */
#define STABLE FN_STRICT | FN_STABLE
const FuncDef fn_format_rows[] = {
    { 1768, "to_char", "interval, text",    "text", STABLE, interval_to_char },
    { 1770, "to_char", "timestamptz, text", "text", STABLE, timestamp_to_char },
    { 1772, "to_char", "numeric, text",     "text", STABLE, number_to_char },
    { 1773, "to_char", "int4, text",        "text", STABLE, number_to_char },
    { 1774, "to_char", "int8, text",        "text", STABLE, number_to_char },
    { 1775, "to_char", "float4, text",      "text", STABLE, number_to_char },
    { 1776, "to_char", "float8, text",      "text", STABLE, number_to_char },
    { 2049, "to_char", "timestamp, text",   "text", STABLE, timestamp_to_char },
    { 1780, "to_date", "text, text",        "date", STABLE, to_date },
    { 1777, "to_number", "text, text",      "numeric", STABLE, to_number },
    { 1778, "to_timestamp", "text, text",   "timestamptz", STABLE, to_timestamp },
    { 0 }
};
/* clang-format on */
