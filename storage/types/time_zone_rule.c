#include "storage/types/time_zone.h"

#include "storage/types/type_defs.h"

enum { SECONDS_PER_DAY = 86400 };

static bool parse_abbreviation(const char **at, char *out)
{
    const char *start = *at, *end;
    if (*start == '<') {
        start++;
        end = strchr(start, '>');
        if (!end) return false;
        *at = end + 1;
    } else {
        for (end = start; is_alpha((uint8_t)*end);) end++;
        *at = end;
    }
    if (end - start > ZONE_ABBREVIATION_MAX) return false;
    memcpy(out, start, (size_t)(end - start));
    out[end - start] = 0;
    return true;
}

/* [+-]hh[:mm[:ss]] in seconds. */
static bool parse_offset(const char **at, int32_t *seconds)
{
    const char *c = *at;
    int sign = *c == '-' ? -1 : 1, parts[3] = {0}, count = 0;
    if (*c == '-' || *c == '+') c++;
    for (; count < 3; count++) {
        if (!is_digit((uint8_t)*c)) return false;
        for (int digits = 0; is_digit((uint8_t)*c); c++)
            if (++digits > 3) return false;
            else parts[count] = parts[count] * 10 + (*c - '0');
        if (*c != ':' || count == 2) break;
        c++;
    }
    if (parts[0] > 167 || parts[1] > 59 || parts[2] > 59) return false;
    *seconds = sign * (parts[0] * 3600 + parts[1] * 60 + parts[2]);
    *at = c;
    return true;
}

static bool parse_number(const char **at, int low, int high, int *out)
{
    int n = 0;
    const char *c = *at;
    if (!is_digit((uint8_t)*c)) return false;
    for (; is_digit((uint8_t)*c) && n < 1000; c++) n = n * 10 + (*c - '0');
    *at = c;
    *out = n;
    return n >= low && n <= high;
}

static bool parse_day(const char **at, RuleDay *day)
{
    *day = (RuleDay){.form = **at == 'M' || **at == 'J' ? **at : 0, .seconds = 2 * 3600};
    if (day->form) ++*at;
    if (day->form == 'M') {
        if (!parse_number(at, 1, 12, &day->month) || *(*at)++ != '.') return false;
        if (!parse_number(at, 1, 5, &day->week) || *(*at)++ != '.') return false;
        if (!parse_number(at, 0, 6, &day->day)) return false;
    } else if (!parse_number(at, day->form == 'J', day->form == 'J' ? 365 : 365, &day->day)) {
        return false;
    }
    if (**at != '/') return true;
    ++*at;
    return parse_offset(at, &day->seconds);
}

bool zone_rule_parse(const char *text, ZoneRule *rule)
{
    int32_t west;
    *rule = (ZoneRule){0};
    if (!parse_abbreviation(&text, rule->standard.abbreviation) || !parse_offset(&text, &west)) return false;
    rule->standard.east = -west;
    if (!*text) return true;
    rule->has_daylight = rule->daylight.is_dst = true;
    rule->daylight.east = rule->standard.east + 3600;
    if (!parse_abbreviation(&text, rule->daylight.abbreviation) || !rule->daylight.abbreviation[0]) return false;
    if (*text && *text != ',') {
        if (!parse_offset(&text, &west)) return false;
        rule->daylight.east = -west;
    }
    const char *days = *text ? text : ",M3.2.0,M11.1.0";
    if (*days++ != ',' || !parse_day(&days, &rule->start) || *days++ != ',' || !parse_day(&days, &rule->end))
        return false;
    return *days == 0;
}

static bool is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Seconds since 1970, local, of the rule's moment in a year. */
static int64_t rule_moment(const RuleDay *rule, int64_t year)
{
    int64_t new_year = date_from_civil(year, 1, 1), day;
    if (rule->form == 'M') {
        int64_t first = date_from_civil(year, rule->month, 1);
        int weekday = (int)(((first + 6) % 7 + 7) % 7); /* 2000-01-01 was a Saturday */
        day = first + (rule->day - weekday + 7) % 7 + 7 * (rule->week - 1);
        if (day >= first + days_in_month(year, rule->month)) day -= 7;
    } else if (rule->form == 'J') {
        day = new_year + rule->day - 1 + (is_leap(year) && rule->day >= 60);
    } else {
        day = new_year + rule->day;
    }
    return (day - UNIX_EPOCH_DAYS) * SECONDS_PER_DAY + rule->seconds;
}

const ZoneType *zone_rule_at(const ZoneRule *rule, int64_t utc_seconds)
{
    if (!rule->has_daylight) return &rule->standard;
    int64_t year, local = utc_seconds + rule->standard.east;
    int64_t days = local / SECONDS_PER_DAY - (local % SECONDS_PER_DAY < 0);
    int month, day;
    date_to_civil(days + UNIX_EPOCH_DAYS, &year, &month, &day);
    int64_t start = rule_moment(&rule->start, year) - rule->standard.east;
    int64_t end = rule_moment(&rule->end, year) - rule->daylight.east;
    bool daylight = start < end ? utc_seconds >= start && utc_seconds < end : utc_seconds >= start || utc_seconds < end;
    return daylight ? &rule->daylight : &rule->standard;
}
