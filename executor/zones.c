/* Zones: the records. A value is a byte per variable (is it there?) followed by its 8 bytes, big endian. */
#include "executor/range_control.h"
#include "executor/zones.h"
#include "storage/base/log.h"
#include "storage/kv/kv.h"

#define ZONE_PREFIX SLICE_LIT("\x04zone/")
#define ZONE_PREFIX_END SLICE_LIT("\x04zone0")
enum { ZONE_KEY_SIZE = 6 + 9 };

const ZoneConfig zone_config_default = {{true, true, true, true}, {INT64_C(128) << 20, INT64_C(512) << 20, 14400, 3}};
const char *const zone_variable_names[ZONE_VARIABLES] = {"range_min_bytes", "range_max_bytes", "gc.ttlseconds", "num_replicas"};

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

static ZoneConfig config_of(Slice value)
{
    ZoneConfig config = {0};
    for (size_t i = 0; i < ZONE_VARIABLES && value.size >= (i + 1) * 9; i++) {
        config.has[i] = value.data[i * 9] != 0;
        config.values[i] = (int64_t)load_u64(value.data + i * 9 + 1);
    }
    return config;
}

Status zone_read(Txn *txn, ZoneTarget target, ZoneConfig *config, bool *found, Error *err)
{
    Buf key = {0};
    Slice value;
    Status st = txn_get(txn, zone_key(target, &key), found, &value, err);
    if (st == ST_OK) *config = *found ? config_of(value) : (ZoneConfig){0};
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
    for (int i = 0; config && i < ZONE_VARIABLES; i++) {
        buf_put_u8(&value, config->has[i]);
        buf_put_u64(&value, (uint64_t)config->values[i]);
    }
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
        config->values[i] = above->values[i];
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
        ZoneRecord record = {target_of_key(key), config_of(value)};
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
            ZoneRecord record = {target_of_key(block.pairs[i].key), config_of(block.pairs[i].value)};
            VEC_PUSH(arena, *records, record);
        }
    }
    kv_scan_close(scan);
    kv_snapshot_close(snapshot);
    return st == ST_END ? ST_OK : st;
}
