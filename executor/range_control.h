/* range_control.h - what statements say about ranges and outlives them: cluster settings and zones, and the policy made of both
 * under which storage/range cuts and merges.
 *
 * Records lie under /System: 04 "cluster-setting/" name, and 04 "zone/" kind, id, index id (4 bytes each, big endian). A
 * setting is written at once; a zone belongs to the transaction. Any thread.
 */
#ifndef EXECUTOR_RANGE_CONTROL_H
#define EXECUTOR_RANGE_CONTROL_H

#include "executor/stmt_internal.h"
#include "planner/cluster_settings.h"
#include "storage/range/range.h"

typedef struct RangeControl RangeControl;

/* At the server's start, when the catalog is open; and at its end, before it is closed. */
Status range_control_open(Server *server, Arena *arena, Error *err);
void range_control_close(Server *server);

int64_t cluster_setting_value(const Server *server, ClusterSettingId id);
bool cluster_setting_is_set(const Server *server, ClusterSettingId id); /* else it is the default */
/* text NULL: the default. */
Status cluster_setting_change(Server *server, ClusterSettingId id, const char *text, Arena *arena, Error *err);

/* ---- zones ---- */

/* The range that begins at /Min, with the directory and the catalog, belongs to META, and where that says nothing to SYSTEM. No
 * keys here belong to LIVENESS and TIMESERIES. */
typedef enum ZoneKind {
    ZONE_DEFAULT = 'r', ZONE_META = 'm', ZONE_SYSTEM = 's', ZONE_LIVENESS = 'l', ZONE_TIMESERIES = 'e',
    ZONE_DATABASE = 'd', ZONE_TABLE = 't', ZONE_INDEX = 'i'
} ZoneKind;
const char *zone_range_name(ZoneKind kind); /* "default", "meta"; NULL: it is none of RANGE */
typedef struct ZoneTarget {
    ZoneKind kind;
    uint32_t id, index_id; /* of the database or table; 0 where there is none */
} ZoneTarget;

/* Numbers, then texts; in the order of the records. */
typedef enum ZoneVariable {
    ZONE_MIN_BYTES, ZONE_MAX_BYTES, ZONE_GC_TTL, ZONE_REPLICAS, ZONE_VOTERS,
    ZONE_CONSTRAINTS, ZONE_VOTER_CONSTRAINTS, ZONE_LEASE_PREFERENCES, ZONE_VARIABLES,
    ZONE_NUMBERS = ZONE_CONSTRAINTS, ZONE_TEXTS = ZONE_VARIABLES - ZONE_NUMBERS
} ZoneVariable;
typedef struct ZoneConfig {
    bool has[ZONE_VARIABLES];
    int64_t values[ZONE_NUMBERS];
    const char *texts[ZONE_TEXTS]; /* canonical; in the arena of the transaction or of the records */
} ZoneConfig;
static inline const char *zone_text(const ZoneConfig *config, ZoneVariable variable)
{
    return config->has[variable] ? config->texts[variable - ZONE_NUMBERS] : NULL;
}
extern const ZoneConfig zone_config_default;
extern const char *const zone_variable_names[ZONE_VARIABLES];

/* As the transaction sees it. *found false: the target has none of its own. */
Status zone_read(Txn *txn, ZoneTarget target, ZoneConfig *config, bool *found, Error *err);
/* NULL: removes it. Takes effect when the transaction commits. */
Status zone_write(Txn *txn, Server *server, ZoneTarget target, const ZoneConfig *config, Error *err);
/* What holds for the target, from its own and those above it, and the nearest one that has any. */
Status zone_effective(Txn *txn, const ZoneTarget *chain, int count, ZoneConfig *config, ZoneTarget *from, Error *err);
/* All records, in key order. */
typedef struct ZoneRecord {
    ZoneTarget target;
    ZoneConfig config;
} ZoneRecord;
typedef VEC(ZoneRecord) ZoneRecords;
Status zone_list(Txn *txn, ZoneRecords *records, Arena *arena, Error *err);
/* Where the replicas of its ranges are to be, at least of what can be made of it with the nodes there are. */
Status zone_placement(const Server *server, const ZoneConfig *config, RangePlacement *placement, Arena *arena, Error *err);

#endif
