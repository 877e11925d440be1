/* format_datetime.c - to_char of dates, times and intervals. */
#include <stdlib.h>

#include "executor/functions/format_datetime.h"
#include "storage/types/type_defs.h"

typedef struct Printer {
    TypeCtx *ctx;
    const FormatTime *time;
    Buf *out;
} Printer;

static Status not_of_interval(Printer *p)
{
    err_set(p->ctx->err, p->ctx->arena, ERR_INVALID_DATETIME_FORMAT, "invalid format specification for an interval value");
    err_hint(p->ctx->err, p->ctx->arena, "Intervals are not tied to specific calendar dates.");
    return ST_ERROR;
}

/* Zeros up to the width unless FM; a minus sign takes a place of its own. */
static void put_number(Printer *p, const FormatNode *node, int width, int64_t value)
{
    bool fill = node->modifiers & FORMAT_FILL;
    buf_printf(p->out, "%0*lld", fill ? 0 : width, (long long)value);
}

static void put_signed(Printer *p, const FormatNode *node, int width, int64_t value)
{
    put_number(p, node, value >= 0 ? width : width + 1, value);
}

/* A name in the case of the template's word: whole or its first three letters, padded to nine unless FM or TM. */
static void put_name(Printer *p, const FormatNode *node, const char *name, bool whole)
{
    size_t size = whole ? strlen(name) : 3;
    for (size_t i = 0; i < size; i++) {
        char c = name[i];
        if (node->word->letters == CASE_UPPER && c >= 'a') c = (char)(c - 32);
        if (node->word->letters == CASE_LOWER) c = (char)to_lower((uint8_t)c);
        buf_put_u8(p->out, (uint8_t)c);
    }
    bool padded = whole && !(node->modifiers & (FORMAT_FILL | FORMAT_LOCAL));
    for (size_t i = size; padded && i < 9; i++) buf_put_u8(p->out, ' ');
}

static void put_letters(Printer *p, const FormatNode *node, const char *upper)
{
    for (; *upper; upper++) {
        char c = node->word->letters == CASE_LOWER ? (char)to_lower((uint8_t)*upper) : *upper;
        buf_put_u8(p->out, (uint8_t)c);
    }
}

static int64_t shown_year(const FormatTime *time, int64_t year)
{
    return !time->is_interval && year <= 0 ? 1 - year : year;
}

static void put_year(Printer *p, const FormatNode *node, int64_t year)
{
    static const int64_t modulus[5] = {0, 10, 100, 1000, INT64_MAX};
    int digits = node->word->digits;
    int64_t shown = shown_year(p->time, year);
    bool negative = shown_year(p->time, p->time->year) < 0; /* for ISO years too */
    if (digits == 1)
        buf_printf(p->out, "%1d", (int)(shown % 10));
    else
        put_number(p, node, negative ? digits + 1 : digits, shown % modulus[digits]);
}

static void put_century(Printer *p, const FormatNode *node)
{
    int64_t year = p->time->year;
    int64_t century = p->time->is_interval ? year / 100 : year > 0 ? (year - 1) / 100 + 1 : year / 100 - 1;
    if (century <= 99 && century >= -99)
        put_signed(p, node, 2, century);
    else
        buf_printf(p->out, "%lld", (long long)century);
}

/* Of an interval of whole years the months are 0, which counts as December; negative ones count from the end. */
static void put_roman_month(Printer *p, const FormatNode *node)
{
    const FormatTime *t = p->time;
    if (!t->month && !t->year) return;
    int number = t->month > 0 ? t->month : t->month < 0 ? 13 + t->month : t->year >= 0 ? 12 : 1;
    const char *roman = format_roman_months[number - 1];
    put_letters(p, node, roman);
    for (size_t i = strlen(roman); !(node->modifiers & FORMAT_FILL) && i < 4; i++) buf_put_u8(p->out, ' ');
}

static void put_offset(Printer *p, const FormatNode *node)
{
    int east = p->time->east_seconds, size = east < 0 ? -east : east;
    buf_put_u8(p->out, east >= 0 ? '+' : '-');
    put_number(p, node, 2, size / 3600);
    if (size % 3600) buf_printf(p->out, ":%02d", size % 3600 / 60);
}

static void put_fraction(Printer *p, int places)
{
    static const int divisors[7] = {0, 100000, 10000, 1000, 100, 10, 1};
    buf_printf(p->out, "%0*d", places, p->time->us / divisors[places]);
}

/* Weeks begin on Monday; the first one of a year has its first Thursday. */
static int64_t monday_of_week_one(int64_t year)
{
    int64_t fourth = date_from_civil(year, 1, 4);
    return fourth - ((fourth + 5) % 7 + 7) % 7;
}

static int64_t iso_year_of(const FormatTime *t)
{
    int64_t year = t->year;
    if (t->days >= monday_of_week_one(year + 1)) return year + 1;
    return t->days < monday_of_week_one(year) ? year - 1 : year;
}

/* The fields that only a point in time has. */
static Status put_calendar_field(Printer *p, const FormatNode *node)
{
    const FormatTime *t = p->time;
    if (t->is_interval) return not_of_interval(p);
    switch ((int)node->word->field) {
    case FIELD_ERA:
        put_letters(p, node, node->word->digits == 4 ? (t->year <= 0 ? "B.C." : "A.D.") : t->year <= 0 ? "BC" : "AD");
        break;
    case FIELD_DAY_NAME: put_name(p, node, format_days[t->weekday], true); break;
    case FIELD_DAY_SHORT: put_name(p, node, format_days[t->weekday], false); break;
    case FIELD_MONTH_NAME: put_name(p, node, format_months[t->month - 1], true); break;
    case FIELD_MONTH_SHORT: put_name(p, node, format_months[t->month - 1], false); break;
    case FIELD_WEEKDAY: put_number(p, node, 0, t->weekday + 1); break;
    case FIELD_ISO_WEEKDAY: put_number(p, node, 0, t->weekday == 0 ? 7 : t->weekday); break;
    case FIELD_ZONE: put_letters(p, node, t->zone); break;
    case FIELD_ZONE_HOUR:
        buf_printf(p->out, "%c%02d", t->east_seconds >= 0 ? '+' : '-', abs(t->east_seconds) / 3600);
        break;
    case FIELD_ZONE_MINUTE: buf_printf(p->out, "%02d", abs(t->east_seconds) % 3600 / 60); break;
    case FIELD_OFFSET: put_offset(p, node); break;
    }
    return ST_OK;
}

static void put_clock_field(Printer *p, const FormatNode *node)
{
    const FormatTime *t = p->time;
    int64_t of_twelve = t->hour % 12;
    switch ((int)node->word->field) {
    case FIELD_HOUR12: put_number(p, node, t->hour >= 0 ? 2 : 3, of_twelve == 0 ? 12 : of_twelve); break;
    case FIELD_HOUR24: put_signed(p, node, 2, t->hour); break;
    case FIELD_MINUTE: put_signed(p, node, 2, t->minute); break;
    case FIELD_SECOND: put_signed(p, node, 2, t->second); break;
    case FIELD_SECOND_OF_DAY: put_number(p, node, 0, t->hour * 3600 + t->minute * 60 + t->second); break;
    case FIELD_FRACTION:
    case FIELD_MILLISECOND:
    case FIELD_MICROSECOND: put_fraction(p, node->word->digits); break;
    }
}

static void put_date_field(Printer *p, const FormatNode *node)
{
    const FormatTime *t = p->time;
    int64_t year = shown_year(t, t->year);
    switch ((int)node->word->field) {
    case FIELD_MONTH_NUMBER: put_signed(p, node, 2, t->month); break;
    case FIELD_DAY_OF_YEAR: put_number(p, node, 3, t->day_of_year); break;
    case FIELD_ISO_DAY_OF_YEAR: put_number(p, node, 3, t->days - monday_of_week_one(iso_year_of(t)) + 1); break;
    case FIELD_DAY: put_number(p, node, 2, t->day); break;
    case FIELD_WEEK: put_number(p, node, 2, (t->day_of_year - 1) / 7 + 1); break;
    case FIELD_ISO_WEEK: put_number(p, node, 2, (t->days - monday_of_week_one(iso_year_of(t))) / 7 + 1); break;
    case FIELD_QUARTER:
        if (t->month) put_number(p, node, 0, (t->month - 1) / 3 + 1);
        break;
    case FIELD_CENTURY: put_century(p, node); break;
    case FIELD_YEAR_COMMA:
        buf_printf(p->out, "%lld,%03lld", (long long)(year / 1000), (long long)(year % 1000));
        break;
    case FIELD_YEAR: put_year(p, node, t->year); break;
    case FIELD_ISO_YEAR: put_year(p, node, iso_year_of(t)); break;
    case FIELD_WEEK_OF_MONTH: put_number(p, node, 0, (t->day - 1) / 7 + 1); break;
    case FIELD_JULIAN: put_number(p, node, 0, t->days + 2451545); break;
    }
}

static Status put_ordinal(Printer *p, const FormatNode *node, size_t start)
{
    const char *ending;
    TRY(format_ordinal(p->ctx, slice_of(p->out->data + start, p->out->size - start), node->modifiers & FORMAT_TH_UPPER,
                       &ending));
    buf_put_str(p->out, ending);
    return ST_OK;
}

static Status put_field(Printer *p, const FormatNode *node)
{
    size_t start = p->out->size;
    bool takes_ordinal = true;
    switch ((DateField)node->word->field) {
    case FIELD_FIXED: return ST_OK;
    case FIELD_HALF_DAY: {
        bool pm = p->time->hour % 24 >= 12;
        put_letters(p, node, node->word->digits == 4 ? (pm ? "P.M." : "A.M.") : pm ? "PM" : "AM");
        return ST_OK;
    }
    case FIELD_ROMAN_MONTH: put_roman_month(p, node); return ST_OK;
    case FIELD_ERA:
    case FIELD_DAY_NAME:
    case FIELD_DAY_SHORT:
    case FIELD_MONTH_NAME:
    case FIELD_MONTH_SHORT:
    case FIELD_ZONE:
    case FIELD_ZONE_HOUR:
    case FIELD_ZONE_MINUTE:
    case FIELD_OFFSET: return put_calendar_field(p, node);
    case FIELD_WEEKDAY:
    case FIELD_ISO_WEEKDAY: TRY(put_calendar_field(p, node)); break;
    case FIELD_FRACTION:
    case FIELD_HOUR24:
    case FIELD_HOUR12:
    case FIELD_MINUTE:
    case FIELD_SECOND:
    case FIELD_SECOND_OF_DAY:
    case FIELD_MILLISECOND:
    case FIELD_MICROSECOND: put_clock_field(p, node); break;
    case FIELD_CENTURY:
    case FIELD_DAY_OF_YEAR:
    case FIELD_DAY:
    case FIELD_ISO_DAY_OF_YEAR:
    case FIELD_ISO_WEEK:
    case FIELD_JULIAN:
    case FIELD_MONTH_NUMBER:
    case FIELD_QUARTER:
    case FIELD_WEEK:
    case FIELD_WEEK_OF_MONTH:
    case FIELD_YEAR_COMMA:
    case FIELD_YEAR:
    case FIELD_ISO_YEAR: put_date_field(p, node); break;
    }
    takes_ordinal = node->modifiers & (FORMAT_TH_UPPER | FORMAT_TH_LOWER) && p->out->size > start;
    return takes_ordinal ? put_ordinal(p, node, start) : ST_OK;
}

Status format_datetime_put(TypeCtx *ctx, const FormatNode *nodes, const FormatTime *time, Buf *out)
{
    Printer printer = {ctx, time, out};
    for (; nodes->kind != FORMAT_END; nodes++) {
        if (nodes->kind == FORMAT_FIELD)
            TRY(put_field(&printer, nodes));
        else
            buf_put_slice(out, nodes->text);
    }
    return ST_OK;
}
