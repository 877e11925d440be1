#include "planner/cluster_settings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>

/* clang-format off */
static const ClusterSettingDef defs[CLUSTER_SETTING_COUNT] = {
    [CLUSTER_REBALANCING] = {"kv.allocator.load_based_rebalancing", NULL, CLUSTER_ENUM, "leases and replicas", 0, 0, "off|leases|leases and replicas", "whether leases and replicas of ranges are evened out over the (simulated) nodes"},
    [CLUSTER_OBJECTIVE] = {"kv.allocator.load_based_rebalancing.objective", NULL, CLUSTER_ENUM, "cpu", 0, 0, "qps|cpu", "what makes a range hot: requests, or time in the store"},
    [CLUSTER_MERGE_ENABLED] = {"kv.range_merge.queue.enabled", "kv.range_merge.queue_enabled", CLUSTER_BOOL, "true", 0, 1, NULL, "whether ranges that nothing holds apart are merged"},
    [CLUSTER_MERGE_INTERVAL] = {"kv.range_merge.queue_interval", "kv.range_merge.queue.interval", CLUSTER_DURATION, "200ms", 1000000, INT64_MAX, NULL, "time between two rounds of cutting and merging"},
    [CLUSTER_LOAD_SPLIT_ENABLED] = {"kv.range_split.by_load.enabled", "kv.range_split.by_load_enabled", CLUSTER_BOOL, "true", 0, 1, NULL, "whether hot ranges are cut where that parts their requests"},
    [CLUSTER_LOAD_MERGE_DELAY] = {"kv.range_split.by_load_merge_delay", "kv.range_split.by_load.merge_delay", CLUSTER_DURATION, "5m", 0, INT64_MAX, NULL, "age of a range before it is merged"},
    [CLUSTER_LOAD_CPU] = {"kv.range_split.load_cpu_threshold", NULL, CLUSTER_DURATION, "500ms", 1000, INT64_MAX, NULL, "time in the store per second that makes a range hot (objective cpu)"},
    [CLUSTER_LOAD_QPS] = {"kv.range_split.load_qps_threshold", NULL, CLUSTER_INT, "2500", 1, INT64_MAX, NULL, "requests per second that make a range hot (objective qps)"},
    [CLUSTER_ACCOUNTING] = {"rowkey.range_accounting.enabled", NULL, CLUSTER_BOOL, "true", 0, 1, NULL, "whether the load of ranges and nodes is counted"},
    [CLUSTER_SAMPLE_DURATION] = {"rowkey.range_split.load_sample_duration", NULL, CLUSTER_DURATION, "10s", 1000000, INT64_MAX, NULL, "how long the requests of a hot range are sampled before it is cut"},
    [CLUSTER_OFFER_INTERVAL] = {"rowkey.range_split.load_offer_interval", NULL, CLUSTER_DURATION, "1m", 0, INT64_MAX, NULL, "time between two cuts of a range by load"},
    [CLUSTER_REBALANCE_INTERVAL] = {"rowkey.rebalance_interval", NULL, CLUSTER_DURATION, "1s", 1000000, INT64_MAX, NULL, "time between two rounds of evening out nodes"},
    [CLUSTER_REFUSAL_INTERVAL] = {"rowkey.range_split.refusal_interval", "prevent_split_for_small_key_range_tablets_for_seconds", CLUSTER_DURATION, "5m", 0, INT64_MAX, NULL, "time before a cut by size that was refused is tried again"},
    [CLUSTER_SIZE_SPLIT_ENABLED] = {"rowkey.range_split.by_size.enabled", NULL, CLUSTER_BOOL, "true", 0, 1, NULL, "whether ranges larger than range_max_bytes are cut"},
    [CLUSTER_TABLET_SPLITTING] = {"enable_automatic_tablet_splitting", NULL, CLUSTER_BOOL, "true", 0, 1, NULL, "whether tablets of hash-sharded tables are cut by size"},
    [CLUSTER_TABLET_FORCE_BYTES] = {"tablet_force_split_threshold_bytes", NULL, CLUSTER_BYTES, "100GiB", 1024, INT64_MAX, NULL, "size that has a tablet cut beyond the high phase"},
    [CLUSTER_TABLET_HIGH_COUNT] = {"tablet_split_high_phase_shard_count_per_node", NULL, CLUSTER_INT, "24", 0, INT64_MAX, NULL, "tablets per node below which the high phase's size counts"},
    [CLUSTER_TABLET_HIGH_BYTES] = {"tablet_split_high_phase_size_threshold_bytes", NULL, CLUSTER_BYTES, "10GiB", 1024, INT64_MAX, NULL, "size that has a tablet cut in the high phase"},
    [CLUSTER_TABLET_LOW_COUNT] = {"tablet_split_low_phase_shard_count_per_node", NULL, CLUSTER_INT, "8", 0, INT64_MAX, NULL, "tablets per node below which the low phase's size counts"},
    [CLUSTER_TABLET_LOW_BYTES] = {"tablet_split_low_phase_size_threshold_bytes", NULL, CLUSTER_BYTES, "512MiB", 1024, INT64_MAX, NULL, "size that has a tablet cut in the low phase"},
    [CLUSTER_TABLET_LIMIT] = {"tablet_split_limit_per_table", NULL, CLUSTER_INT, "256", 0, INT64_MAX, NULL, "tablets of a table beyond which none is cut by size; 0: no limit"},
    [CLUSTER_LOG_SNAPSHOT_AGE] = {"rowkey.log_snapshot_age", NULL, CLUSTER_DURATION, "1m", 0, INT64_MAX, NULL, "age from which a session's snapshot is logged, once a minute; 0: never"},
    [CLUSTER_STATS_ENABLED] = {"sql.stats.automatic_collection.enabled", "autovacuum", CLUSTER_BOOL, "true", 0, 1, NULL, "whether tables are analyzed by themselves when much of them has changed"},
    [CLUSTER_STATS_SCALE] = {"sql.stats.automatic_collection.fraction_stale_rows", "autovacuum_analyze_scale_factor", CLUSTER_FRACTION, "0.1", 0, INT64_MAX, NULL, "share of a table's rows that must have changed before it is analyzed"},
    [CLUSTER_STATS_INTERVAL] = {"sql.stats.automatic_collection.interval", "autovacuum_naptime", CLUSTER_DURATION, "10s", 1000000, INT64_MAX, NULL, "time between two looks for tables to be analyzed"},
    [CLUSTER_STATS_THRESHOLD] = {"sql.stats.automatic_collection.min_stale_rows", "autovacuum_analyze_threshold", CLUSTER_INT, "50", 0, INT64_MAX, NULL, "rows that must have changed, beside the share, before a table is analyzed"},
};
/* clang-format on */

const ClusterSettingDef *cluster_setting_def(ClusterSettingId id)
{
    return &defs[id];
}

int cluster_setting_find(const char *name)
{
    for (int i = 0; i < CLUSTER_SETTING_COUNT; i++)
        if (strcasecmp(defs[i].name, name) == 0 || (defs[i].alias && strcasecmp(defs[i].alias, name) == 0)) return i;
    return -1;
}

bool cluster_setting_is_ours(const char *name)
{
    static const char *const families[] = {"kv.range_split.", "kv.range_merge.", "kv.allocator.load_based", "rowkey.", "sql.stats.automatic_collection.", "tablet_"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strncasecmp(name, families[i], strlen(families[i])) == 0) return true;
    return false;
}

/* ---- texts and numbers ---- */

typedef struct Unit {
    const char *word;
    int64_t factor;
} Unit;

static const Unit durations[] = {{"ns", 1}, {"us", 1000}, {"\xc2\xb5s", 1000}, {"ms", 1000000}, {"s", 1000000000},
                                 {"m", INT64_C(60000000000)}, {"h", INT64_C(3600000000000)}, {NULL, 0}};
static const Unit sizes[] = {{"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", INT64_C(1) << 40},
                             {"KB", 1000}, {"MB", 1000000}, {"GB", 1000000000}, {"TB", INT64_C(1000000000000)}, {NULL, 0}};

static Status invalid(const ClusterSettingDef *def, const char *text, Arena *arena, Error *err)
{
    return err_set(err, arena, ERR_INVALID_PARAMETER_VALUE, "invalid value for cluster setting \"%s\": \"%s\"", def->name, text);
}

/* The longest unit that the text begins with. */
static const Unit *find_unit(const Unit *units, const char *text)
{
    const Unit *best = NULL;
    for (; units->word; units++)
        if (strncasecmp(units->word, text, strlen(units->word)) == 0 && (!best || strlen(units->word) > strlen(best->word)))
            best = units;
    return best;
}

/* "1m30s", "512MiB", "1.5s"; a number alone counts in `plain`. */
static bool parse_units(const char *text, const Unit *units, double plain, int64_t *value)
{
    double sum = 0;
    if (!*text) return false;
    while (*text) {
        char *end;
        double number = strtod(text, &end);
        if (end == text) return false;
        while (*end == ' ') end++;
        if (!*end) {
            sum += number * plain;
            break;
        }
        const Unit *unit = find_unit(units, end);
        if (!unit) return false;
        sum += number * (double)unit->factor;
        text = end + strlen(unit->word);
    }
    if (!(sum >= 0 && sum < 9e18)) return false;
    *value = (int64_t)sum;
    return true;
}

static bool parse_bool(const char *text, int64_t *value)
{
    static const char *const words[2][4] = {{"false", "off", "no", "0"}, {"true", "on", "yes", "1"}};
    for (int v = 0; v < 2; v++)
        for (int i = 0; i < 4; i++)
            if (strcasecmp(text, words[v][i]) == 0) return *value = v, true;
    return false;
}

static bool parse_choice(const char *choices, const char *text, int64_t *value)
{
    size_t size = strlen(text);
    for (*value = 0; *choices; ++*value) {
        size_t length = strcspn(choices, "|");
        if (length == size && strncasecmp(choices, text, size) == 0) return true;
        choices += length + (choices[length] == '|');
    }
    return false;
}

Status cluster_setting_parse(const ClusterSettingDef *def, const char *text, int64_t *value, Arena *arena, Error *err)
{
    bool good = false;
    char *end;
    switch (def->kind) {
    case CLUSTER_BOOL: good = parse_bool(text, value); break;
    case CLUSTER_INT:
        *value = strtoll(text, &end, 10);
        good = *text && !*end;
        break;
    case CLUSTER_DURATION: good = parse_units(text, durations, 1e9, value); break;
    case CLUSTER_BYTES: good = parse_units(text, sizes, 1, value); break;
    case CLUSTER_FRACTION:
        /* No unit: 0.1 is a tenth. */
        good = parse_units(text, sizes + sizeof sizes / sizeof *sizes - 1, CLUSTER_FRACTION_ONE, value);
        break;
    case CLUSTER_ENUM: return parse_choice(def->choices, text, value) ? ST_OK : invalid(def, text, arena, err);
    }
    if (!good) return invalid(def, text, arena, err);
    if (*value >= def->min && *value <= def->max) return ST_OK;
    return err_set(err, arena, ERR_INVALID_PARAMETER_VALUE, "cluster setting \"%s\" cannot be set to %s: at least %s is needed",
                   def->name, text, cluster_setting_text(def, def->min, arena));
}

static const char *duration_text(int64_t ns, Arena *arena)
{
    if (ns < 1000) return arena_printf(arena, ns ? "%" PRId64 "ns" : "0s", ns);
    if (ns < 1000000) return arena_printf(arena, "%.6g\xc2\xb5s", (double)ns / 1e3);
    if (ns < 1000000000) return arena_printf(arena, "%.6gms", (double)ns / 1e6);
    int64_t seconds = ns / 1000000000, hours = seconds / 3600, minutes = seconds / 60 % 60;
    double rest = (double)(ns - (hours * 3600 + minutes * 60) * 1000000000) / 1e9;
    if (hours) return arena_printf(arena, "%" PRId64 "h%" PRId64 "m%.9gs", hours, minutes, rest);
    return minutes ? arena_printf(arena, "%" PRId64 "m%.9gs", minutes, rest) : arena_printf(arena, "%.9gs", rest);
}

static const char *bytes_text(int64_t bytes, Arena *arena)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    while (unit < 4 && bytes && bytes % 1024 == 0) {
        bytes /= 1024;
        unit++;
    }
    return arena_printf(arena, "%" PRId64 " %s", bytes, units[unit]);
}

static const char *choice_text(const char *choices, int64_t value, Arena *arena)
{
    while (value-- > 0) choices += strcspn(choices, "|") + 1;
    return arena_strndup(arena, choices, strcspn(choices, "|"));
}

const char *cluster_setting_text(const ClusterSettingDef *def, int64_t value, Arena *arena)
{
    switch (def->kind) {
    case CLUSTER_BOOL: return value ? "true" : "false";
    case CLUSTER_INT: break;
    case CLUSTER_DURATION: return duration_text(value, arena);
    case CLUSTER_BYTES: return bytes_text(value, arena);
    case CLUSTER_ENUM: return choice_text(def->choices, value, arena);
    case CLUSTER_FRACTION: return arena_printf(arena, "%.6g", (double)value / CLUSTER_FRACTION_ONE);
    }
    return arena_printf(arena, "%" PRId64, value);
}

char cluster_setting_letter(const ClusterSettingDef *def)
{
    static const char letters[] = {[CLUSTER_BOOL] = 'b', [CLUSTER_INT] = 'i', [CLUSTER_DURATION] = 'd', [CLUSTER_BYTES] = 'z',
                                   [CLUSTER_ENUM] = 'e', [CLUSTER_FRACTION] = 'f'};
    return letters[def->kind];
}
