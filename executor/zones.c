/* Zones: the records. A value is, per variable, a byte (is it there?) followed by a number's 8 bytes, big endian, or by a text's
 * size (4 bytes) and the text. Variables that the record ends before are not set. */
#include "executor/locality.h"
#include "executor/range_control.h"
#include "executor/zones.h"
#include "storage/base/log.h"
#include "storage/kv/kv.h"

#define ZONE_PREFIX SLICE_LIT("\x04zone/")
#define ZONE_PREFIX_END SLICE_LIT("\x04zone0")
enum { ZONE_KEY_SIZE = 6 + 9 };

const ZoneConfig zone_config_default = {.has = {[ZONE_MIN_BYTES] = true, [ZONE_MAX_BYTES] = true, [ZONE_GC_TTL] = true, [ZONE_REPLICAS] = true},
                                        .values = {INT64_C(128) << 20, INT64_C(512) << 20, 14400, 3}};
const char *const zone_variable_names[ZONE_VARIABLES] = {"range_min_bytes", "range_max_bytes", "gc.ttlseconds", "num_replicas",
                                                         "num_voters", "constraints", "voter_constraints", "lease_preferences"};

const char *zone_range_name(ZoneKind kind)
{
    switch (kind) {
    case ZONE_DEFAULT: return "default";
    case ZONE_META: return "meta";
    case ZONE_SYSTEM: return "system";
    case ZONE_LIVENESS: return "liveness";
    case ZONE_TIMESERIES: return "timeseries";
    case ZONE_DATABASE:
    case ZONE_TABLE:
    case ZONE_INDEX: break;
    }
    return NULL;
}

static Slice zone_key(ZoneTarget target, Buf *key)
{
    buf_put_slice(key, ZONE_PREFIX);
    buf_put_u8(key, (uint8_t)target.kind);
    buf_put_u32(key, target.id);
    buf_put_u32(key, target.index_id);
    return buf_slice(key);
}

static ZoneTarget target_of_key(Slice key)
{
    const uint8_t *p = key.data + ZONE_PREFIX.size;
    return (ZoneTarget){(ZoneKind)p[0], load_u32(p + 1), load_u32(p + 5)};
}

static Slice take_bytes(Slice *rest, size_t size)
{
    Slice bytes = slice_of(rest->data, size <= rest->size ? size : rest->size);
    *rest = slice_of(rest->data + bytes.size, rest->size - bytes.size);
    return bytes;
}

static ZoneConfig config_of(Slice value, Arena *arena)
{
    ZoneConfig config = {0};
    for (int i = 0; i < ZONE_VARIABLES && value.size >= 9; i++) {
        config.has[i] = take_bytes(&value, 1).data[0] != 0;
        if (i < ZONE_NUMBERS) {
            config.values[i] = (int64_t)load_u64(take_bytes(&value, 8).data);
            continue;
        }
        size_t size = load_u32(take_bytes(&value, 4).data);
        Slice text = take_bytes(&value, size);
        config.texts[i - ZONE_NUMBERS] = arena_strndup(arena, text.data, text.size);
    }
    return config;
}

static void put_config(const ZoneConfig *config, Buf *value)
{
    for (int i = 0; i < ZONE_VARIABLES; i++) {
        buf_put_u8(value, config->has[i]);
        if (i < ZONE_NUMBERS) {
            buf_put_u64(value, (uint64_t)config->values[i]);
            continue;
        }
        const char *text = zone_text(config, (ZoneVariable)i);
        Slice bytes = slice_str(text ? text : "[]");
        buf_put_u32(value, (uint32_t)bytes.size);
        buf_put_slice(value, bytes);
    }
}

Status zone_read(Txn *txn, ZoneTarget target, ZoneConfig *config, bool *found, Error *err)
{
    Buf key = {0};
    Slice value;
    Status st = txn_get(txn, zone_key(target, &key), found, &value, err);
    if (st == ST_OK) *config = *found ? config_of(value, txn_arena(txn)) : (ZoneConfig){0};
    buf_finish(&key);
    return st;
}

static void zones_changed(void *argument, bool committed)
{
    Error err = {0};
    if (committed && zones_load(argument, &err) != ST_OK)
        log_write(LOG_WARNING, "zones could not be read: %s", err.message ? err.message : "unknown");
}

Status zone_write(Txn *txn, Server *server, ZoneTarget target, const ZoneConfig *config, Error *err)
{
    Buf key = {0}, value = {0};
    if (config) put_config(config, &value);
    zone_key(target, &key);
    Status st = config ? txn_put(txn, buf_slice(&key), buf_slice(&value), err) : txn_delete(txn, buf_slice(&key), err);
    buf_finish(&key);
    buf_finish(&value);
    if (st == ST_OK) txn_on_end(txn, zones_changed, server);
    return st;
}

void zone_inherit(ZoneConfig *config, const ZoneConfig *above)
{
    for (int i = 0; i < ZONE_VARIABLES; i++) {
        if (config->has[i] || !above->has[i]) continue;
        config->has[i] = true;
        if (i < ZONE_NUMBERS) config->values[i] = above->values[i];
        else config->texts[i - ZONE_NUMBERS] = above->texts[i - ZONE_NUMBERS];
    }
}

Status zone_effective(Txn *txn, const ZoneTarget *chain, int count, ZoneConfig *config, ZoneTarget *from, Error *err)
{
    *config = (ZoneConfig){0};
    *from = (ZoneTarget){.kind = ZONE_DEFAULT};
    for (int i = 0; i < count; i++) {
        ZoneConfig own;
        bool found;
        TRY(zone_read(txn, chain[i], &own, &found, err));
        if (found && from->kind == ZONE_DEFAULT) *from = chain[i];
        zone_inherit(config, &own);
    }
    zone_inherit(config, &zone_config_default);
    return ST_OK;
}

Status zone_list(Txn *txn, ZoneRecords *records, Arena *arena, Error *err)
{
    TxnScan *scan;
    Slice key, value;
    Status st;
    TRY(txn_scan_open(txn, ZONE_PREFIX, ZONE_PREFIX_END, false, 0, &scan, err));
    while ((st = txn_scan_next(scan, &key, &value, err)) == ST_OK) {
        if (key.size != ZONE_KEY_SIZE) continue;
        ZoneRecord record = {target_of_key(key), config_of(value, arena)};
        VEC_PUSH(arena, *records, record);
    }
    txn_scan_close(scan);
    return st == ST_END ? ST_OK : st;
}

Status zones_read_all(Kv *kv, ZoneRecords *records, Arena *arena, Error *err)
{
    KvSnapshot *snapshot;
    KvScan *scan = NULL;
    KvBlock block;
    TRY(kv_snapshot_open(kv, &snapshot, err));
    Status st = kv_scan_open(snapshot, ZONE_PREFIX, ZONE_PREFIX_END, false, 0, &scan, err);
    while (st == ST_OK && (st = kv_scan_next(scan, &block, err)) == ST_OK) {
        for (int i = 0; i < block.count; i++) {
            if (block.pairs[i].key.size != ZONE_KEY_SIZE) continue;
            ZoneRecord record = {target_of_key(block.pairs[i].key), config_of(block.pairs[i].value, arena)};
            VEC_PUSH(arena, *records, record);
        }
    }
    kv_scan_close(scan);
    kv_snapshot_close(snapshot);
    return st == ST_END ? ST_OK : st;
}

Status zone_placement(const Server *server, const ZoneConfig *config, RangePlacement *placement, Arena *arena, Error *err)
{
    const char *replicas = zone_text(config, ZONE_CONSTRAINTS), *voters = zone_text(config, ZONE_VOTER_CONSTRAINTS);
    const char *leases = zone_text(config, ZONE_LEASE_PREFERENCES), *canonical;
    *placement = (RangePlacement){.voters = config->has[ZONE_VOTERS] ? (int)config->values[ZONE_VOTERS] : 0};
    if (replicas) TRY(constraints_parse(server, replicas, &placement->replica_rules, &canonical, arena, err));
    if (voters) TRY(constraints_parse(server, voters, &placement->voter_rules, &canonical, arena, err));
    return leases ? lease_preferences_parse(server, leases, placement, &canonical, arena, err) : ST_OK;
}
