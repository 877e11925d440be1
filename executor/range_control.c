#include "executor/range_control.h"

#include <stdlib.h>

#include "executor/zones.h"
#include "storage/base/log.h"
#include "storage/keys/ordered.h"
#include "storage/keys/row_key.h"
#include "storage/kv/kv.h"
#include "storage/range/range.h"

#define SETTING_PREFIX "\x04" "cluster-setting/"

struct RangeControl {
    Server *server;
    pthread_mutex_t mutex; /* guards all below; nothing is locked under it */
    int64_t values[CLUSTER_SETTING_COUNT];
    bool is_set[CLUSTER_SETTING_COUNT];
    ZoneRecords zones;
    Arena *zone_arena;
};

/* ---- cluster settings ---- */

int64_t cluster_setting_value(const Server *server, ClusterSettingId id)
{
    pthread_mutex_lock(&server->range_control->mutex);
    int64_t value = server->range_control->values[id];
    pthread_mutex_unlock(&server->range_control->mutex);
    return value;
}

bool cluster_setting_is_set(const Server *server, ClusterSettingId id)
{
    pthread_mutex_lock(&server->range_control->mutex);
    bool is_set = server->range_control->is_set[id];
    pthread_mutex_unlock(&server->range_control->mutex);
    return is_set;
}

static void configure(Server *server)
{
    RangeConfig config = range_config_default;
    config.accounting = cluster_setting_value(server, CLUSTER_ACCOUNTING);
    config.split_by_size = cluster_setting_value(server, CLUSTER_SIZE_SPLIT_ENABLED);
    config.split_by_load = cluster_setting_value(server, CLUSTER_LOAD_SPLIT_ENABLED);
    config.merge = cluster_setting_value(server, CLUSTER_MERGE_ENABLED);
    config.rebalance = cluster_setting_value(server, CLUSTER_REBALANCING) != 0;
    config.objective_cpu = cluster_setting_value(server, CLUSTER_OBJECTIVE) == 1;
    config.split_requests_per_second = (double)cluster_setting_value(server, CLUSTER_LOAD_QPS);
    config.split_cpu_share = (double)cluster_setting_value(server, CLUSTER_LOAD_CPU) * 1e-9;
    config.sample_ns = (uint64_t)cluster_setting_value(server, CLUSTER_SAMPLE_DURATION);
    config.offer_ns = (uint64_t)cluster_setting_value(server, CLUSTER_OFFER_INTERVAL);
    config.refusal_ns = (uint64_t)cluster_setting_value(server, CLUSTER_REFUSAL_INTERVAL);
    config.merge_interval_ns = (uint64_t)cluster_setting_value(server, CLUSTER_MERGE_INTERVAL);
    config.merge_delay_ns = (uint64_t)cluster_setting_value(server, CLUSTER_LOAD_MERGE_DELAY);
    config.rebalance_interval_ns = (uint64_t)cluster_setting_value(server, CLUSTER_REBALANCE_INTERVAL);
    directory_configure(store_directory(server->store), &config);
    directory_limits_changed(store_directory(server->store));
}

Status cluster_setting_change(Server *server, ClusterSettingId id, const char *text, Arena *arena, Error *err)
{
    const ClusterSettingDef *def = cluster_setting_def(id);
    RangeControl *control = server->range_control;
    int64_t value;
    uint64_t version;
    TRY(cluster_setting_parse(def, text ? text : def->boot, &value, arena, err));
    KvOp op = {.kind = text ? KV_PUT : KV_DELETE, .key = slice_str(arena_printf(arena, SETTING_PREFIX "%s", def->name)),
               .value = slice_str(cluster_setting_text(def, value, arena))};
    KvOutcome outcome = kv_commit_ops(store_kv(server->store), &op, 1, &version, err);
    if (outcome != KV_COMMITTED) return ST_ERROR;
    pthread_mutex_lock(&control->mutex);
    control->values[id] = value;
    control->is_set[id] = text != NULL;
    pthread_mutex_unlock(&control->mutex);
    configure(server);
    return ST_OK;
}

/* A record that this version does not know, or whose value it refuses, leaves the default. */
static void take_setting(RangeControl *control, const KvPair *pair, Arena *arena)
{
    size_t prefix = sizeof SETTING_PREFIX - 1;
    Error err = {0};
    int64_t value;
    int id = cluster_setting_find(arena_strndup(arena, pair->key.data + prefix, pair->key.size - prefix));
    const char *text = arena_strndup(arena, pair->value.data, pair->value.size);
    if (id < 0 || cluster_setting_parse(cluster_setting_def((ClusterSettingId)id), text, &value, arena, &err) != ST_OK) {
        log_write(LOG_WARNING, "a cluster setting in the store is not known: %.*s", (int)(pair->key.size - prefix),
                  (const char *)pair->key.data + prefix);
        return;
    }
    control->values[id] = value;
    control->is_set[id] = true;
}

static Status load_settings(RangeControl *control, Arena *arena, Error *err)
{
    KvSnapshot *snapshot;
    KvScan *scan = NULL;
    KvBlock block;
    for (int i = 0; i < CLUSTER_SETTING_COUNT; i++) {
        const ClusterSettingDef *def = cluster_setting_def((ClusterSettingId)i);
        TRY(cluster_setting_parse(def, def->boot, &control->values[i], arena, err));
    }
    TRY(kv_snapshot_open(store_kv(control->server->store), &snapshot, err));
    Status st = kv_scan_open(snapshot, SLICE_LIT(SETTING_PREFIX), SLICE_LIT("\x04" "cluster-setting0"), false, 0, &scan, err);
    while (st == ST_OK && (st = kv_scan_next(scan, &block, err)) == ST_OK)
        for (int i = 0; i < block.count; i++) take_setting(control, &block.pairs[i], arena);
    kv_scan_close(scan);
    kv_snapshot_close(snapshot);
    return st == ST_END ? ST_OK : st;
}

/* ---- zones in memory ---- */

Status zones_load(Server *server, Error *err)
{
    RangeControl *control = server->range_control;
    Arena *arena = arena_create(NULL, 0);
    ZoneRecords records = {0};
    if (zones_read_all(store_kv(server->store), &records, arena, err) != ST_OK) {
        arena_destroy(arena);
        return ST_ERROR;
    }
    pthread_mutex_lock(&control->mutex);
    Arena *old = control->zone_arena;
    control->zones = records;
    control->zone_arena = arena;
    pthread_mutex_unlock(&control->mutex);
    if (old) arena_destroy(old);
    directory_limits_changed(store_directory(server->store));
    return ST_OK;
}

static void inherit_from(const RangeControl *control, ZoneTarget target, ZoneConfig *config)
{
    for (int i = 0; i < control->zones.count; i++) {
        const ZoneRecord *record = &control->zones.items[i];
        if (record->target.kind == target.kind && record->target.id == target.id && record->target.index_id == target.index_id)
            zone_inherit(config, &record->config);
    }
}

/* ---- the policy ---- */

/* The table and index that a range starts in. NULL: none that is in the catalog. */
static const TableDesc *table_of(const CatalogSnapshot *snapshot, Slice key, const IndexDesc **index)
{
    uint64_t table_id, index_id = 1;
    *index = NULL;
    if (!key.size || key.data[0] < ROW_KEY_TABLE || key.data[0] >= ROW_KEY_TABLE_END) return NULL;
    if (!ordered_get_uvarint(&key, false, &table_id) || table_id > UINT32_MAX) return NULL;
    const Desc *desc = catalog_snapshot_find(snapshot, (DescId)table_id);
    if (!desc || desc->kind != DESC_TABLE) return NULL;
    if (key.size && !ordered_get_uvarint(&key, false, &index_id)) index_id = 1;
    *index = table_index_by_id((const TableDesc *)desc, (uint32_t)index_id);
    return (const TableDesc *)desc;
}

/* The size at which a tablet is cut depends on how many there are, as in YugabyteDB's phases. */
static int64_t tablet_bytes_max(RangeControl *control, DescId table, uint32_t index)
{
    Server *server = control->server;
    Directory *directory = store_directory(server->store);
    if (!cluster_setting_value(server, CLUSTER_TABLET_SPLITTING)) return INT64_MAX;
    Buf start = {0}, end = {0};
    row_key_index_prefix(table, index, &start);
    row_key_index_prefix(table, index + 1, &end);
    int64_t tablets = directory_count(directory, buf_slice(&start), buf_slice(&end)), nodes = directory_node_count(directory);
    buf_finish(&start);
    buf_finish(&end);
    int64_t limit = cluster_setting_value(server, CLUSTER_TABLET_LIMIT);
    if (limit && tablets >= limit) return INT64_MAX;
    if (tablets < cluster_setting_value(server, CLUSTER_TABLET_LOW_COUNT) * nodes)
        return cluster_setting_value(server, CLUSTER_TABLET_LOW_BYTES);
    if (tablets < cluster_setting_value(server, CLUSTER_TABLET_HIGH_COUNT) * nodes)
        return cluster_setting_value(server, CLUSTER_TABLET_HIGH_BYTES);
    return cluster_setting_value(server, CLUSTER_TABLET_FORCE_BYTES);
}

static void limits_of_table(RangeControl *control, const TableDesc *table, const IndexDesc *index, ZoneConfig *config)
{
    if (index) inherit_from(control, (ZoneTarget){ZONE_INDEX, table->base.id, index->id}, config);
    inherit_from(control, (ZoneTarget){ZONE_TABLE, table->base.id, 0}, config);
    inherit_from(control, (ZoneTarget){ZONE_DATABASE, table->base.parent_database, 0}, config);
}

static bool leads_with_hash_code(const TableDesc *table, const IndexDesc *index)
{
    if (!index) return false;
    int ordinal = table_column_by_id(table, index->columns.items[0].column_id);
    return table->columns.items[ordinal].role == COLUMN_HASH_CODE;
}

/* A constraint that fits no node any more asks for nothing. */
static void place_by(const RangeControl *control, const ZoneConfig *config, RangeLimits *limits)
{
    bool any = config->has[ZONE_VOTERS];
    for (int i = ZONE_NUMBERS; i < ZONE_VARIABLES; i++) any |= config->has[i];
    limits->placement = (RangePlacement){0};
    if (!any) return;
    Error err = {0};
    Arena *arena = arena_create(NULL, 0);
    if (zone_placement(control->server, config, &limits->placement, arena, &err) != ST_OK) limits->placement = (RangePlacement){0};
    arena_destroy(arena);
}

static void limits_of(void *argument, Slice start, RangeLimits *limits)
{
    RangeControl *control = argument;
    const CatalogSnapshot *snapshot = catalog_snapshot(control->server->catalog);
    const IndexDesc *index;
    const TableDesc *table = table_of(snapshot, start, &index);
    ZoneConfig config = {0};
    pthread_mutex_lock(&control->mutex);
    if (table) limits_of_table(control, table, index, &config);
    if (!start.size) {
        inherit_from(control, (ZoneTarget){.kind = ZONE_META}, &config);
        inherit_from(control, (ZoneTarget){.kind = ZONE_SYSTEM}, &config);
    }
    bool own_maximum = config.has[ZONE_MAX_BYTES];
    inherit_from(control, (ZoneTarget){.kind = ZONE_DEFAULT}, &config);
    place_by(control, &config, limits); /* its texts are the records' */
    pthread_mutex_unlock(&control->mutex);
    zone_inherit(&config, &zone_config_default);
    limits->bytes_max = config.values[ZONE_MAX_BYTES];
    limits->bytes_min = config.values[ZONE_MIN_BYTES];
    limits->replicas = (int)config.values[ZONE_REPLICAS];
    limits->by_hash_code = table && leads_with_hash_code(table, index);
    /* A zone that the user gave the table goes before YugabyteDB's phases. */
    if (limits->by_hash_code && !own_maximum) limits->bytes_max = tablet_bytes_max(control, table->base.id, index->id);
    catalog_release(snapshot);
}

/* ---- beginning and end ---- */

Status range_control_open(Server *server, Arena *arena, Error *err)
{
    RangeControl *control = ARENA_NEW(arena, RangeControl);
    control->server = server;
    pthread_mutex_init(&control->mutex, NULL);
    server->range_control = control;
    TRY(load_settings(control, arena, err));
    TRY(zones_load(server, err));
    directory_set_policy(store_directory(server->store), &(RangePolicy){limits_of, control});
    configure(server);
    return ST_OK;
}

/* While the server goes down, nothing is cut or merged for want of knowing better. */
static void leave_alone(void *argument, Slice start, RangeLimits *limits)
{
    *limits = (RangeLimits){.bytes_max = INT64_MAX};
}

void range_control_close(Server *server)
{
    RangeControl *control = server->range_control;
    if (!control) return;
    directory_set_policy(store_directory(server->store), &(RangePolicy){leave_alone, NULL});
    if (control->zone_arena) arena_destroy(control->zone_arena);
    pthread_mutex_destroy(&control->mutex);
    server->range_control = NULL;
}
