/* time_zone.h - what time_zone.c and time_zone_rule.c share: POSIX rules, which say how a zone goes on for ever. */
#ifndef STORAGE_TYPES_TIME_ZONE_H
#define STORAGE_TYPES_TIME_ZONE_H

#include "storage/types/type_timestamp.h"

enum { ZONE_ABBREVIATION_MAX = 15 };

typedef struct ZoneType {
    int32_t east; /* seconds */
    bool is_dst;
    char abbreviation[ZONE_ABBREVIATION_MAX + 1];
} ZoneType;

/* A day of the year: Mm.w.d, Jn (no leap day counted) or n. */
typedef struct RuleDay {
    char form; /* 'M', 'J' or 0 */
    int month, week, day;
    int32_t seconds; /* of that day's local time */
} RuleDay;

typedef struct ZoneRule {
    ZoneType standard, daylight;
    bool has_daylight;
    RuleDay start, end;
} ZoneRule;

/* "CET-1CEST,M3.5.0,M10.5.0/3"; also "-08:00", whose zone has no name. */
bool zone_rule_parse(const char *text, ZoneRule *rule);
const ZoneType *zone_rule_at(const ZoneRule *rule, int64_t utc_seconds);

#endif
