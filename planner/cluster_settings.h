/* cluster_settings.h - settings of the whole server, kept in the store: SET CLUSTER SETTING, SHOW CLUSTER SETTING(S).
 *
 * Here are their names, kinds and bounds; executor/range_control.c has the values. Most of them steer what looks after
 * ranges. CockroachDB's and YugabyteDB's names where they have one, rowkey.* elsewhere.
 */
#ifndef PLANNER_CLUSTER_SETTINGS_H
#define PLANNER_CLUSTER_SETTINGS_H

#include "storage/base/err.h"

typedef enum ClusterSettingKind { CLUSTER_BOOL, CLUSTER_INT, CLUSTER_DURATION, CLUSTER_BYTES, CLUSTER_ENUM, CLUSTER_FRACTION } ClusterSettingKind;

/* What a CLUSTER_FRACTION of 1 is as a number. */
#define CLUSTER_FRACTION_ONE 1000000

typedef enum ClusterSettingId {
    CLUSTER_REBALANCING, CLUSTER_OBJECTIVE,
    CLUSTER_MERGE_ENABLED, CLUSTER_MERGE_INTERVAL,
    CLUSTER_LOAD_SPLIT_ENABLED, CLUSTER_LOAD_MERGE_DELAY, CLUSTER_LOAD_CPU, CLUSTER_LOAD_QPS,
    CLUSTER_ACCOUNTING, CLUSTER_SAMPLE_DURATION, CLUSTER_OFFER_INTERVAL, CLUSTER_REBALANCE_INTERVAL,
    CLUSTER_REFUSAL_INTERVAL, CLUSTER_SIZE_SPLIT_ENABLED,
    CLUSTER_TABLET_SPLITTING, CLUSTER_TABLET_FORCE_BYTES, CLUSTER_TABLET_HIGH_COUNT, CLUSTER_TABLET_HIGH_BYTES,
    CLUSTER_TABLET_LOW_COUNT, CLUSTER_TABLET_LOW_BYTES, CLUSTER_TABLET_LIMIT, CLUSTER_LOG_SNAPSHOT_AGE,
    CLUSTER_STATS_ENABLED, CLUSTER_STATS_SCALE, CLUSTER_STATS_INTERVAL, CLUSTER_STATS_THRESHOLD,
    CLUSTER_SETTING_COUNT
} ClusterSettingId;

typedef struct ClusterSettingDef {
    const char *name;
    const char *alias; /* an older spelling; NULL: none */
    ClusterSettingKind kind;
    const char *boot;
    int64_t min, max;    /* of the number: durations in nanoseconds */
    const char *choices; /* CLUSTER_ENUM: separated by | */
    const char *description;
} ClusterSettingDef;

const ClusterSettingDef *cluster_setting_def(ClusterSettingId id);
int cluster_setting_find(const char *name); /* -1 if there is none */
/* Is it a name that rowkey would have to act upon? Other unknown ones are accepted with a NOTICE. */
bool cluster_setting_is_ours(const char *name);
/* 22023 */
Status cluster_setting_parse(const ClusterSettingDef *def, const char *text, int64_t *value, Arena *arena, Error *err);
const char *cluster_setting_text(const ClusterSettingDef *def, int64_t value, Arena *arena);
char cluster_setting_letter(const ClusterSettingDef *def); /* as SHOW CLUSTER SETTINGS prints kinds */

#endif
