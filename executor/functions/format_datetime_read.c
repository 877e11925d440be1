/* format_datetime_read.c - to_date and to_timestamp: input text by template to a date and a time of day. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "executor/functions/format_datetime.h"
#include "storage/types/type_defs.h"

/* What the fields said; 0: nothing. */
typedef struct Fields {
    FormatCalendar calendar;
    int hour, pm, minute, second, second_of_day, weekday, day, day_of_year, month, millisecond, microsecond, year, bc, week;
    int week_of_month, century, julian, year_digits, precision, zone_sign, zone_hour, zone_minute;
    bool twelve_hours;
} Fields;

typedef struct Reader {
    TypeCtx *ctx;
    const char *input, *at, *end;
    const FormatNode *node;
    bool fixed, standard;
    int skipped; /* blanks passed over beyond what the template has */
    Fields fields;
} Reader;

static Status malformed(Reader *r, const char *message)
{
    return err_set(r->ctx->err, r->ctx->arena, ERR_INVALID_DATETIME_FORMAT, "%s", message);
}

static void skip_character(Reader *r)
{
    if (r->at < r->end) r->at += format_character(slice_of(r->at, (size_t)(r->end - r->at)));
}

static void skip_spaces(Reader *r)
{
    for (; is_space((uint8_t)*r->at); r->at++) r->skipped++;
}

static Status set_calendar(Reader *r, FormatCalendar calendar)
{
    if (calendar == CALENDAR_ANY) return ST_OK;
    if (r->fields.calendar != CALENDAR_ANY && r->fields.calendar != calendar) {
        (void)malformed(r, "invalid combination of date conventions");
        err_hint(r->ctx->err, r->ctx->arena,
                 "Do not mix Gregorian and ISO week date conventions in a formatting template.");
        return ST_ERROR;
    }
    r->fields.calendar = calendar;
    return ST_OK;
}

static Status set_field(Reader *r, int *field, int value)
{
    if (*field != 0 && *field != value) {
        err_set(r->ctx->err, r->ctx->arena, ERR_INVALID_DATETIME_FORMAT,
                "conflicting values for \"%s\" field in formatting string", r->node->word->name);
        err_detail(r->ctx->err, r->ctx->arena, "This value contradicts a previous setting for the same field type.");
        return ST_ERROR;
    }
    *field = value;
    return ST_OK;
}

/* Does something that is no digit end this field? Then it may have any number of digits. */
static bool ends_by_itself(const FormatNode *node)
{
    if (node->modifiers & (FORMAT_TH_UPPER | FORMAT_TH_LOWER)) return true;
    node++;
    switch (node->kind) {
    case FORMAT_END: return true;
    case FORMAT_FIELD: return !node->word->is_number;
    case FORMAT_CHARACTER:
    case FORMAT_SEPARATOR:
    case FORMAT_SPACE: return !is_digit(node->text.data[0]);
    }
    return true;
}

static Status no_integer(Reader *r, const char *text)
{
    err_set(r->ctx->err, r->ctx->arena, ERR_INVALID_DATETIME_FORMAT, "invalid value \"%s\" for \"%s\"", text,
            r->node->word->name);
    err_detail(r->ctx->err, r->ctx->arena, "Value must be an integer.");
    return ST_ERROR;
}

static Status too_short(Reader *r, const char *text, int width, int have)
{
    const char *name = r->node->word->name;
    if (text)
        err_set(r->ctx->err, r->ctx->arena, ERR_INVALID_DATETIME_FORMAT, "invalid value \"%s\" for \"%s\"", text, name);
    else
        err_set(r->ctx->err, r->ctx->arena, ERR_INVALID_DATETIME_FORMAT,
                "source string too short for \"%s\" formatting field", name);
    err_detail(r->ctx->err, r->ctx->arena,
               text ? "Field requires %d characters, but only %d could be parsed."
                    : "Field requires %d characters, but only %d remain.",
               width, have);
    err_hint(r->ctx->err, r->ctx->arena, "If your source string is not fixed-width, try using the \"FM\" modifier.");
    return ST_ERROR;
}

/* An integer of at most `width` characters, or of any number if the field ends by itself. *used: characters taken. */
static Status read_integer(Reader *r, int width, int *field, int *used)
{
    const char *start = r->at;
    char *stop;
    long value;
    while (is_space((uint8_t)*r->at)) r->at++;
    char *copy = arena_strndup(r->ctx->arena, r->at, strnlen(r->at, (size_t)width));
    errno = 0;
    if ((r->node->modifiers & FORMAT_FILL) || ends_by_itself(r->node)) {
        value = strtol(start, &stop, 10);
        r->at = stop;
    } else {
        size_t remaining = strlen(r->at);
        if (remaining < (size_t)width) return too_short(r, NULL, width, (int)remaining);
        value = strtol(copy, &stop, 10);
        int parsed = (int)(stop - copy);
        if (parsed > 0 && parsed < width) return too_short(r, copy, width, parsed);
        r->at += parsed;
    }
    if (r->at == start) return no_integer(r, copy);
    if (errno == ERANGE || value < INT_MIN || value > INT_MAX) {
        err_set(r->ctx->err, r->ctx->arena, ERR_DATETIME_FIELD_OVERFLOW,
                "value for \"%s\" in source string is out of range", r->node->word->name);
        err_detail(r->ctx->err, r->ctx->arena, "Value must be in the range %d to %d.", INT_MIN, INT_MAX);
        return ST_ERROR;
    }
    if (used) *used = (int)(r->at - start);
    return field ? set_field(r, field, (int)value) : ST_OK;
}

static void skip_ordinal(Reader *r)
{
    if (!(r->node->modifiers & (FORMAT_TH_UPPER | FORMAT_TH_LOWER))) return;
    skip_character(r);
    skip_character(r);
}

/* The first of the names, in any case, that the input begins with; letters 0: whole names. */
static Status read_name(Reader *r, const char *const *names, int count, size_t letters, int *index)
{
    for (int i = 0; i < count; i++) {
        size_t size = letters ? letters : strlen(names[i]), n = 0;
        while (n < size && r->at[n] && to_lower((uint8_t)r->at[n]) == to_lower((uint8_t)names[i][n])) n++;
        if (n < size) continue;
        r->at += size;
        *index = i;
        return ST_OK;
    }
    size_t shown = 0;
    while (r->at[shown] && !is_space((uint8_t)r->at[shown])) shown++;
    err_set(r->ctx->err, r->ctx->arena, ERR_INVALID_DATETIME_FORMAT, "invalid value \"%.*s\" for \"%s\"", (int)shown, r->at,
            r->node->word->name);
    err_detail(r->ctx->err, r->ctx->arena, "The given value did not match any of the allowed values for this field.");
    return ST_ERROR;
}

/* Years of fewer than four digits: those around 2020. */
static int year_near_2020(int year)
{
    if (year < 70) return year + 2000;
    if (year < 100) return year + 1900;
    if (year < 520) return year + 2000;
    return year < 1000 ? year + 1000 : year;
}

static Status read_year(Reader *r)
{
    int digits = r->node->word->digits, used;
    TRY(read_integer(r, digits, &r->fields.year, &used));
    if (digits < 4 && used < 4) r->fields.year = year_near_2020(r->fields.year);
    r->fields.year_digits = digits;
    skip_ordinal(r);
    return ST_OK;
}

static Status read_year_comma(Reader *r)
{
    int thousands, rest, used;
    if (sscanf(r->at, "%d,%03d%n", &thousands, &rest, &used) < 2) /* NOLINT(cert-err34-c): as strtol would read them */
        return malformed(r, "invalid input string for \"Y,YYY\"");
    TRY(set_field(r, &r->fields.year, (int)(rest + (unsigned)thousands * 1000u)));
    r->fields.year_digits = 4;
    r->at += used;
    skip_ordinal(r);
    return ST_OK;
}

/* Digits after the point: .5 and .500 are the same, .05 is not. */
static Status read_fraction(Reader *r, int places, int *field, int full)
{
    int used;
    TRY(read_integer(r, places, field, &used));
    for (; used < full; used++) *field = (int)((unsigned)*field * 10u);
    skip_ordinal(r);
    return ST_OK;
}

static Status read_zone_hour(Reader *r)
{
    Fields *f = &r->fields;
    if (*r->at == '+' || *r->at == '-' || *r->at == ' ')
        f->zone_sign = *r->at++ == '-' ? -1 : 1;
    else /* the sign may have been taken for a separator */
        f->zone_sign = r->skipped > 0 && r->at > r->input && r->at[-1] == '-' ? -1 : 1;
    return read_integer(r, 2, &f->zone_hour, NULL);
}

static Status read_number(Reader *r, int width, int *field)
{
    TRY(read_integer(r, width, field, NULL));
    skip_ordinal(r);
    return ST_OK;
}

static Status read_name_field(Reader *r)
{
    static const char *const half_days[2][2] = {{"AM", "PM"}, {"A.M.", "P.M."}};
    static const char *const eras[2][2] = {{"AD", "BC"}, {"A.D.", "B.C."}};
    Fields *f = &r->fields;
    bool dotted = r->node->word->digits == 4;
    int index = 0;
    switch ((int)r->node->word->field) {
    case FIELD_HALF_DAY:
        TRY(read_name(r, half_days[dotted], 2, 0, &index));
        f->twelve_hours = true;
        return set_field(r, &f->pm, index);
    case FIELD_ERA:
        TRY(read_name(r, eras[dotted], 2, 0, &index));
        return set_field(r, &f->bc, index);
    case FIELD_MONTH_NAME:
    case FIELD_MONTH_SHORT:
        TRY(read_name(r, format_months, 12, r->node->word->field == FIELD_MONTH_NAME ? 0 : 3, &index));
        return set_field(r, &f->month, index + 1);
    case FIELD_DAY_NAME:
    case FIELD_DAY_SHORT:
        TRY(read_name(r, format_days, 7, r->node->word->field == FIELD_DAY_NAME ? 0 : 3, &index));
        TRY(set_field(r, &f->weekday, index));
        f->weekday++;
        return ST_OK;
    case FIELD_ROMAN_MONTH: {
        /* VIII before VII before VI: the longest first. */
        static const char *const names[12] = {"XII", "XI", "X", "IX", "VIII", "VII", "VI", "V", "IV", "III", "II", "I"};
        TRY(read_name(r, names, 12, 0, &index));
        return set_field(r, &f->month, 12 - index);
    }
    }
    return ST_OK;
}

static Status read_field(Reader *r)
{
    Fields *f = &r->fields;
    int digits = r->node->word->digits;
    switch ((DateField)r->node->word->field) {
    case FIELD_FIXED: r->fixed = true; return ST_OK;
    case FIELD_HALF_DAY:
    case FIELD_ERA:
    case FIELD_MONTH_NAME:
    case FIELD_MONTH_SHORT:
    case FIELD_DAY_NAME:
    case FIELD_DAY_SHORT:
    case FIELD_ROMAN_MONTH: return read_name_field(r);
    case FIELD_HOUR12: f->twelve_hours = true; return read_number(r, 2, &f->hour);
    case FIELD_HOUR24: return read_number(r, 2, &f->hour);
    case FIELD_MINUTE: return read_number(r, digits, &f->minute);
    case FIELD_SECOND: return read_number(r, digits, &f->second);
    case FIELD_SECOND_OF_DAY: return read_number(r, digits, &f->second_of_day);
    case FIELD_MILLISECOND: return read_fraction(r, 3, &f->millisecond, 3);
    case FIELD_FRACTION: f->precision = digits; return read_fraction(r, digits, &f->microsecond, 6);
    case FIELD_MICROSECOND: return read_fraction(r, 6, &f->microsecond, 6);
    case FIELD_ZONE:
    case FIELD_OFFSET:
        return err_set(r->ctx->err, r->ctx->arena, ERR_FEATURE_NOT_SUPPORTED,
                       "formatting field \"%s\" is only supported in to_char", r->node->word->name);
    case FIELD_ZONE_HOUR: return read_zone_hour(r);
    case FIELD_ZONE_MINUTE:
        if (!f->zone_sign) f->zone_sign = 1;
        return read_integer(r, 2, &f->zone_minute, NULL);
    case FIELD_MONTH_NUMBER: return read_number(r, digits, &f->month);
    case FIELD_DAY_OF_YEAR:
    case FIELD_ISO_DAY_OF_YEAR: return read_number(r, 3, &f->day_of_year);
    case FIELD_DAY: return read_number(r, digits, &f->day);
    case FIELD_WEEKDAY: return read_number(r, digits, &f->weekday);
    case FIELD_ISO_WEEKDAY:
        TRY(read_integer(r, 1, &f->weekday, NULL));
        if (++f->weekday > 7) f->weekday = 1;
        skip_ordinal(r);
        return ST_OK;
    case FIELD_WEEK:
    case FIELD_ISO_WEEK: return read_number(r, digits, &f->week);
    case FIELD_QUARTER: return read_number(r, digits, NULL); /* which day of it is not known */
    case FIELD_CENTURY: return read_number(r, digits, &f->century);
    case FIELD_YEAR_COMMA: return read_year_comma(r);
    case FIELD_YEAR:
    case FIELD_ISO_YEAR: return read_year(r);
    case FIELD_WEEK_OF_MONTH: return read_number(r, digits, &f->week_of_month);
    case FIELD_JULIAN: return read_number(r, digits, &f->julian);
    }
    return ST_OK;
}

/* A character between the fields. Only a standard template insists that it is the same as in the input. */
static Status pass_character(Reader *r)
{
    bool blank = r->node->kind != FORMAT_CHARACTER;
    if (r->standard) {
        Slice rest = slice_of(r->at, (size_t)(r->end - r->at));
        if (!slice_starts_with(rest, r->node->text))
            return err_set(r->ctx->err, r->ctx->arena, ERR_INVALID_DATETIME_FORMAT, "unmatched format %s \"%.*s\"",
                           blank ? "separator" : "character", (int)r->node->text.size, (const char *)r->node->text.data);
        r->at += r->node->text.size;
    } else if (r->fixed) {
        skip_character(r);
    } else if (blank) {
        r->skipped--;
        if (!is_space((uint8_t)*r->at) && !format_is_separator((uint8_t)*r->at)) return ST_OK;
        r->at++;
        r->skipped++;
    } else if (r->skipped > 0) {
        r->skipped--; /* what was passed over too much stands for this character */
    } else {
        skip_character(r);
    }
    return ST_OK;
}

static Status read_nodes(Reader *r, const FormatNode *first)
{
    const FormatNode *node = first;
    for (; node->kind != FORMAT_END && *r->at; node++) {
        r->node = node;
        bool is_field = node->kind == FORMAT_FIELD, sets_fixed = is_field && node->word->field == FIELD_FIXED;
        if (!r->fixed && !sets_fixed && (is_field || node == first)) skip_spaces(r);
        if (!is_field) {
            TRY(pass_character(r));
            continue;
        }
        TRY(set_calendar(r, node->word->calendar));
        TRY(read_field(r));
        if (r->fixed) continue;
        r->skipped = 0;
        skip_spaces(r);
    }
    if (!r->standard) return ST_OK;
    if (node->kind != FORMAT_END) return malformed(r, "input string is too short for datetime format");
    while (is_space((uint8_t)*r->at)) r->at++;
    return *r->at ? malformed(r, "trailing characters remain in input string after datetime format") : ST_OK;
}

/* ---- fields to a date ---- */

static int64_t monday_of_week(int64_t year, int64_t week)
{
    int64_t fourth = date_from_civil(year, 1, 4);
    return fourth - ((fourth + 5) % 7 + 7) % 7 + (week - 1) * 7;
}

static Status resolve_time(Reader *r, CivilTime *civil)
{
    const Fields *f = &r->fields;
    civil->hour = f->second_of_day / 3600;
    civil->minute = f->second_of_day % 3600 / 60;
    civil->second = f->second_of_day % 60;
    if (f->second) civil->second = f->second;
    if (f->minute) civil->minute = f->minute;
    if (f->hour) civil->hour = f->hour;
    if (!f->twelve_hours) return ST_OK;
    if (civil->hour < 1 || civil->hour > 12) {
        err_set(r->ctx->err, r->ctx->arena, ERR_INVALID_DATETIME_FORMAT,
                "hour \"%d\" is invalid for the 12-hour clock", civil->hour);
        err_hint(r->ctx->err, r->ctx->arena, "Use the 24-hour clock, or give an hour between 1 and 12.");
        return ST_ERROR;
    }
    civil->hour = civil->hour % 12 + (f->pm ? 12 : 0);
    return ST_OK;
}

/* A century and the last two digits of its year. The 21st begins in 2001; the 6th before Christ ends in 501 BC. */
static int64_t year_of_century(int64_t century, int64_t year)
{
    year %= 100;
    if (!year) return century * 100 + (century >= 0 ? 0 : 1);
    return century >= 0 ? year + (century - 1) * 100 : (century + 1) * 100 - year + 1;
}

static bool resolve_year(Fields *f, CivilTime *civil)
{
    if (!f->year && !f->century) return false;
    int64_t century = f->bc ? -(int64_t)f->century : f->century;
    if (!f->year)
        civil->year = century >= 0 ? (century - 1) * 100 + 1 : century * 100 + 1;
    else if (century && f->year_digits <= 2)
        civil->year = year_of_century(century, f->year);
    else {
        civil->year = f->bc ? -(int64_t)f->year : f->year;
        if (civil->year < 0) civil->year++;
    }
    return true;
}

enum { KNOWS_YEAR = 1, KNOWS_MONTH = 2, KNOWS_DAY = 4, KNOWS_DATE = 7 };

static void set_date(CivilTime *civil, int64_t days, int *known)
{
    date_to_civil(days, &civil->year, &civil->month, &civil->day);
    *known |= KNOWS_DATE;
}

static Status resolve_day_of_year(Reader *r, CivilTime *civil, int *known)
{
    const Fields *f = &r->fields;
    if (!civil->year && !f->bc) return malformed(r, "cannot calculate day of year without year information");
    if (f->calendar == CALENDAR_ISO_WEEK) {
        set_date(civil, monday_of_week(civil->year, 1) - 1 + f->day_of_year, known);
        return ST_OK;
    }
    int month = 1, before = 0;
    while (month <= 12 && f->day_of_year > before + days_in_month(civil->year, month))
        before += days_in_month(civil->year, month++);
    if (civil->month <= 1) civil->month = month;
    if (civil->day <= 1) civil->day = f->day_of_year - before;
    *known |= KNOWS_MONTH | KNOWS_DAY;
    return ST_OK;
}

static Status resolve_date(Reader *r, CivilTime *civil, int *known)
{
    Fields *f = &r->fields;
    if (resolve_year(f, civil)) *known |= KNOWS_YEAR;
    if (f->julian) set_date(civil, (int64_t)f->julian - 2451545, known);
    if (f->week && f->calendar == CALENDAR_ISO_WEEK) {
        int64_t day = f->weekday > 1 ? f->weekday - 2 : f->weekday == 1 ? 6 : 0;
        set_date(civil, monday_of_week(civil->year, f->week) + day, known);
    } else if (f->week) {
        f->day_of_year = (int)((unsigned)(f->week - 1) * 7u + 1u);
    }
    if (f->week_of_month) f->day = (int)((unsigned)(f->week_of_month - 1) * 7u + 1u);
    if (f->day) {
        civil->day = f->day;
        *known |= KNOWS_DAY;
    }
    if (f->month) {
        civil->month = f->month;
        *known |= KNOWS_MONTH;
    }
    if (f->day_of_year && (civil->month <= 1 || civil->day <= 1)) return resolve_day_of_year(r, civil, known);
    return ST_OK;
}

static bool date_is_possible(const CivilTime *civil, int known)
{
    if ((known & KNOWS_MONTH) && (civil->month < 1 || civil->month > 12)) return false;
    if ((known & KNOWS_DAY) && (civil->day < 1 || civil->day > 31)) return false;
    return known != KNOWS_DATE || civil->day <= days_in_month(civil->year, civil->month);
}

static bool time_is_possible(const CivilTime *civil, int64_t us)
{
    return civil->hour >= 0 && civil->hour < 24 && civil->minute >= 0 && civil->minute < 60 && civil->second >= 0 &&
           civil->second < 60 && us >= 0 && us < US_PER_SECOND;
}

static Status resolve_zone(Reader *r, FormatRead *read)
{
    const Fields *f = &r->fields;
    if (!f->zone_sign) return ST_OK;
    if (f->zone_hour < 0 || f->zone_hour > 15 || f->zone_minute < 0 || f->zone_minute >= 60)
        return err_set(r->ctx->err, r->ctx->arena, ERR_INVALID_TIME_ZONE_DISPLACEMENT_VALUE,
                       "time zone displacement out of range: \"%s\"", r->input);
    read->has_zone = true;
    read->east_seconds = f->zone_sign * (f->zone_hour * 3600 + f->zone_minute * 60);
    return ST_OK;
}

Status format_datetime_read(TypeCtx *ctx, const FormatNode *nodes, Slice input, bool standard, FormatRead *read)
{
    const char *text = arena_strndup(ctx->arena, input.data, input.size);
    Reader r = {ctx, text, text, text + input.size, NULL, standard, standard, 0, {0}};
    int known = 0;
    *read = (FormatRead){.civil = {.month = 1, .day = 1}};
    TRY(read_nodes(&r, nodes));
    TRY(resolve_time(&r, &read->civil));
    TRY(resolve_date(&r, &read->civil, &known));
    int64_t us = (int64_t)r.fields.millisecond * 1000 + r.fields.microsecond;
    if (!date_is_possible(&read->civil, known) || !time_is_possible(&read->civil, us))
        return err_set(ctx->err, ctx->arena, ERR_DATETIME_FIELD_OVERFLOW, "date/time field value out of range: \"%s\"", text);
    read->civil.us = (int)us;
    read->precision = r.fields.precision;
    return resolve_zone(&r, read);
}
