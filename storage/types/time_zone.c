/* Time zones of the system's tz database (TZif files), of fixed offsets, and of POSIX rules. */
#include "storage/types/time_zone.h"

#include <assert.h>
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "storage/types/type_defs.h"

enum { NAME_MAX_BYTES = 63, FILE_BYTES_MAX = 256 * 1024, TYPES_MAX = 256 };

struct TimeZone {
    char name[NAME_MAX_BYTES + 1];
    int transition_count;
    int64_t *moments; /* seconds since 1970 at which... */
    uint8_t *types_at; /* ...this entry of types begins to hold */
    ZoneType *types;
    int type_count, first_type;
    bool has_rule; /* holds after the last transition */
    ZoneRule rule;
    TimeZone *next;
};

/* Zones opened so far; they are never freed. The mutex guards the list; nothing else is locked while it is held. */
static pthread_mutex_t zones_mutex = PTHREAD_MUTEX_INITIALIZER;
static TimeZone *zones;

static const char *const zone_directories[] = {"/usr/share/zoneinfo", "/usr/lib/zoneinfo"};

/* ---- files ---- */

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    uint8_t *bytes = malloc(FILE_BYTES_MAX);
    *size = bytes ? fread(bytes, 1, FILE_BYTES_MAX, file) : 0;
    fclose(file);
    if (*size >= 44 && memcmp(bytes, "TZif", 4) == 0) return bytes;
    free(bytes);
    return NULL;
}

typedef struct TzHeader {
    uint32_t isutc_count, isstd_count, leap_count, time_count, type_count, char_count;
} TzHeader;

static TzHeader tz_header(const uint8_t *p)
{
    return (TzHeader){load_u32(p + 20), load_u32(p + 24), load_u32(p + 28),
                      load_u32(p + 32), load_u32(p + 36), load_u32(p + 40)};
}

static size_t tz_block_size(const TzHeader *h, size_t time_size)
{
    return (size_t)h->time_count * (time_size + 1) + (size_t)h->type_count * 6 + h->char_count +
           (size_t)h->leap_count * (time_size + 4) + h->isstd_count + h->isutc_count;
}

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) abort();
    return memory;
}

static void read_types(TimeZone *zone, const TzHeader *h, const uint8_t *types)
{
    const char *names = (const char *)types + 6 * (size_t)h->type_count;
    zone->type_count = (int)h->type_count;
    zone->types = take(h->type_count, sizeof *zone->types);
    for (uint32_t i = 0; i < h->type_count; i++) {
        ZoneType *type = &zone->types[i];
        type->east = (int32_t)load_u32(types + 6 * i);
        type->is_dst = types[6 * i + 4];
        uint32_t at = types[6 * i + 5];
        for (int n = 0; at < h->char_count && names[at] && n < ZONE_ABBREVIATION_MAX; n++)
            type->abbreviation[n] = names[at++];
    }
    /* Before the first transition the first standard type holds. */
    for (int i = zone->type_count; i-- > 0;)
        if (!zone->types[i].is_dst) zone->first_type = i;
}

/* The second, 64-bit block of a TZif file and the rule in its footer. */
static bool read_zone(TimeZone *zone, const uint8_t *bytes, size_t size)
{
    TzHeader first = tz_header(bytes);
    size_t at = 44 + tz_block_size(&first, 4);
    if (bytes[4] < '2' || at + 44 > size || memcmp(bytes + at, "TZif", 4) != 0) return false;
    TzHeader h = tz_header(bytes + at);
    at += 44;
    if (h.type_count == 0 || h.type_count > TYPES_MAX || at + tz_block_size(&h, 8) > size) return false;
    zone->transition_count = (int)h.time_count;
    zone->moments = take(h.time_count, sizeof *zone->moments);
    zone->types_at = take(h.time_count, 1);
    for (uint32_t i = 0; i < h.time_count; i++) {
        zone->moments[i] = (int64_t)load_u64(bytes + at + 8 * (size_t)i);
        zone->types_at[i] = bytes[at + 8 * (size_t)h.time_count + i];
        if (zone->types_at[i] >= h.type_count) return false;
    }
    read_types(zone, &h, bytes + at + 9 * (size_t)h.time_count);
    at += tz_block_size(&h, 8);
    char footer[100];
    size_t n = 0;
    for (at++; at < size && bytes[at] != '\n' && n + 1 < sizeof footer; at++) footer[n++] = (char)bytes[at];
    footer[n] = 0;
    zone->has_rule = n > 0 && zone_rule_parse(footer, &zone->rule);
    return true;
}

/* The name as the directory spells it, without regard to case. */
static bool spell_name(const char *directory, const char *name, char *out, size_t room)
{
    const char *slash = strchr(name, '/');
    size_t size = slash ? (size_t)(slash - name) : strlen(name);
    DIR *listing = opendir(directory);
    if (!listing) return false;
    bool found = false;
    for (struct dirent *entry; !found && (entry = readdir(listing));) {
        if (strlen(entry->d_name) != size || size >= room || strncasecmp(entry->d_name, name, size) != 0) continue;
        memcpy(out, entry->d_name, size + 1);
        if (!slash) {
            found = true;
        } else {
            char deeper[512];
            snprintf(deeper, sizeof deeper, "%s/%s", directory, entry->d_name);
            out[size] = '/';
            found = spell_name(deeper, slash + 1, out + size + 1, room - size - 1);
        }
    }
    closedir(listing);
    return found;
}

static bool is_name(const char *name)
{
    if (!is_alpha((uint8_t)name[0]) || strlen(name) > NAME_MAX_BYTES) return false;
    for (const char *c = name; *c; c++)
        if (!is_alpha((uint8_t)*c) && !is_digit((uint8_t)*c) && !strchr("/_-+", *c)) return false;
    return true;
}

static TimeZone *zone_load_file(const char *name)
{
    char spelled[NAME_MAX_BYTES + 1], path[512];
    for (size_t i = 0; i < sizeof zone_directories / sizeof zone_directories[0]; i++) {
        size_t size;
        if (!is_name(name) || !spell_name(zone_directories[i], name, spelled, sizeof spelled)) continue;
        snprintf(path, sizeof path, "%s/%s", zone_directories[i], spelled);
        uint8_t *bytes = read_file(path, &size);
        if (!bytes) continue;
        TimeZone *zone = take(1, sizeof *zone);
        bool good = read_zone(zone, bytes, size);
        free(bytes);
        memcpy(zone->name, spelled, sizeof spelled);
        if (good) return zone;
        free(zone->moments);
        free(zone->types_at);
        free(zone->types);
        free(zone);
    }
    return NULL;
}

static TimeZone *zone_of_rule(const char *name, const ZoneRule *rule)
{
    TimeZone *zone = take(1, sizeof *zone);
    snprintf(zone->name, sizeof zone->name, "%s", name);
    zone->has_rule = true;
    zone->rule = *rule;
    return zone;
}

/* ---- opening ---- */

static const TimeZone *find_open(const char *name)
{
    for (const TimeZone *zone = zones; zone; zone = zone->next)
        if (strcasecmp(zone->name, name) == 0) return zone;
    return NULL;
}

static const TimeZone *zone_open_locked(const char *name)
{
    const TimeZone *open = find_open(name);
    if (open) return open;
    ZoneRule rule;
    TimeZone *zone = zone_load_file(name);
    /* UTC is needed even where the system has no tz database. */
    if (!zone && strcasecmp(name, "UTC") == 0 && zone_rule_parse("UTC0", &rule)) zone = zone_of_rule("UTC", &rule);
    if (!zone && strlen(name) <= NAME_MAX_BYTES && zone_rule_parse(name, &rule)) zone = zone_of_rule(name, &rule);
    if (!zone) return NULL;
    zone->next = zones;
    zones = zone;
    return zone;
}

static const TimeZone *zone_open(const char *name)
{
    pthread_mutex_lock(&zones_mutex);
    const TimeZone *zone = zone_open_locked(name);
    pthread_mutex_unlock(&zones_mutex);
    return zone;
}

const TimeZone *time_zone_fixed(int east_seconds)
{
    unsigned magnitude = (unsigned)abs(east_seconds), hours = magnitude / 3600, rest = magnitude % 3600;
    char offset[16], name[NAME_MAX_BYTES + 1];
    if (rest % 60)
        snprintf(offset, sizeof offset, "%02u:%02u:%02u", hours % 1000, rest / 60, rest % 60);
    else if (rest)
        snprintf(offset, sizeof offset, "%02u:%02u", hours % 1000, rest / 60);
    else
        snprintf(offset, sizeof offset, "%02u", hours % 1000);
    char east = east_seconds < 0 ? '-' : '+', west = east_seconds < 0 ? '+' : '-';
    snprintf(name, sizeof name, "<%c%s>%c%s", east, offset, west, offset);
    return zone_open(name);
}

const TimeZone *time_zone_open(const char *name)
{
    char *end;
    double hours = strtod(name, &end);
    if (end != name && *end == 0) {
        if (!(hours > -168 && hours < 168)) return NULL;
        return time_zone_fixed((int)(hours * 3600));
    }
    return zone_open(name);
}

bool time_zone_abbreviation(Slice name, int *east, bool *is_dst)
{
    static const struct {
        char name[7];
        int8_t quarters;
        bool is_dst;
    } abbreviations[] = {
#include "storage/types/time_zone_abbreviations.def"
    };
    for (size_t i = 0; i < sizeof abbreviations / sizeof abbreviations[0]; i++)
        if (text_is_word(name, abbreviations[i].name)) {
            *east = abbreviations[i].quarters * 900;
            *is_dst = abbreviations[i].is_dst;
            return true;
        }
    return false;
}

const TimeZone *time_zone_find(const char *name)
{
    int east;
    bool is_dst;
    if (time_zone_abbreviation(slice_str(name), &east, &is_dst)) return time_zone_fixed(east);
    return zone_open(name);
}

const char *time_zone_name(const TimeZone *zone)
{
    return zone ? zone->name : "UTC";
}

/* ---- look-up ---- */

static const ZoneType *type_at_moment(const TimeZone *zone, int64_t seconds)
{
    int low = 0, high = zone->transition_count; /* the last transition at or before */
    if (zone->has_rule && (high == 0 || seconds >= zone->moments[high - 1])) return zone_rule_at(&zone->rule, seconds);
    while (low < high) {
        int middle = (low + high) / 2;
        if (zone->moments[middle] <= seconds)
            low = middle + 1;
        else
            high = middle;
    }
    return &zone->types[low ? zone->types_at[low - 1] : zone->first_type];
}

static int64_t floor_seconds(int64_t us)
{
    return us / US_PER_SECOND - (us % US_PER_SECOND < 0);
}

int time_zone_offset(const TimeZone *zone, int64_t utc_us, const char **abbreviation, bool *is_dst)
{
    static const ZoneType utc = {0, false, "UTC"};
    const ZoneType *type =
        zone ? type_at_moment(zone, floor_seconds(utc_us) - UNIX_EPOCH_US / US_PER_SECOND) : &utc;
    if (abbreviation) *abbreviation = type->abbreviation;
    if (is_dst) *is_dst = type->is_dst;
    return type->east;
}

int64_t time_zone_to_local(const TimeZone *zone, int64_t utc_us)
{
    return utc_us + time_zone_offset(zone, utc_us, NULL, NULL) * US_PER_SECOND;
}

int64_t time_zone_to_utc(const TimeZone *zone, int64_t local_us)
{
    if (!zone) return local_us;
    int before = time_zone_offset(zone, local_us - US_PER_DAY, NULL, NULL);
    int after = time_zone_offset(zone, local_us + US_PER_DAY, NULL, NULL);
    int64_t by_before = local_us - before * US_PER_SECOND, by_after = local_us - after * US_PER_SECOND;
    if (before == after) return by_before;
    bool before_holds = time_zone_offset(zone, by_before, NULL, NULL) == before;
    bool after_holds = time_zone_offset(zone, by_after, NULL, NULL) == after;
    /* Both hold in an overlap, neither in a gap. */
    if (before_holds != after_holds) return before_holds ? by_before : by_after;
    return before < after ? by_before : by_after;
}
