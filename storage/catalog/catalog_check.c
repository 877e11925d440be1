#include "storage/catalog/catalog_check_internal.h"

#include "storage/catalog/catalog_store.h"
#include "storage/catalog/desc_codec.h"
#include "storage/keys/ordered.h"
#include "storage/keys/row_key.h"

/* Ids below belong to the system's own tables and built-in objects. */
enum { FIRST_OBJECT_ID = 100, SEQUENCE_RECORD_BYTES = 9 };

const Desc *checked_find(const CheckedCatalog *catalog, DescId id)
{
    int low = 0, high = catalog->list.count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (catalog->list.items[middle].desc->id < id)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < catalog->list.count && catalog->list.items[low].desc->id == id;
    return found ? catalog->list.items[low].desc : NULL;
}

const char *checked_database(const CheckedCatalog *catalog, const Desc *desc)
{
    const Desc *database = checked_find(catalog, desc->parent_database);
    return database ? database->name : NULL;
}

void catalog_complain(CatalogCheck *check, CheckedDesc *of, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *problem = arena_vprintf(check->arena, format, args);
    va_end(args);
    of->sound = false;
    finding_add(
        check->findings,
        &(Finding){.kind = "catalog", .database = checked_database(check->catalog, of->desc), .table = of->desc->name},
        "%s", problem);
}

static void complain_key(CatalogCheck *check, Slice key, const char *problem)
{
    finding_add(check->findings, &(Finding){.kind = "catalog", .key = key}, "%s", problem);
}

/* ---- records ---- */

typedef Status (*RecordFn)(CatalogCheck *check, Slice key, Slice value, Error *err);

static Status each_record(CatalogCheck *check, uint32_t table, RecordFn each, Error *err)
{
    Buf start = {0}, end = {0};
    Slice key, value;
    TxnScan *scan;
    row_key_index_prefix(table, 1, &start);
    row_key_prefix_end(buf_slice(&start), &end);
    Status st = txn_scan_open(check->txn, buf_slice(&start), buf_slice(&end), false, 0, &scan, err);
    if (st == ST_OK) {
        while ((st = txn_scan_next(scan, &key, &value, err)) == ST_OK && (st = each(check, key, value, err)) == ST_OK) {
        }
        txn_scan_close(scan);
    }
    buf_finish(&start);
    buf_finish(&end);
    return st == ST_END ? ST_OK : st;
}

/* The id in the key of a record of descriptors or statistics. */
static bool record_id(Slice key, uint32_t *id)
{
    uint32_t table, index;
    uint64_t number;
    if (!row_key_take_prefix(&key, &table, &index) || !ordered_get_uvarint(&key, false, &number) || number > UINT32_MAX)
        return false;
    *id = (uint32_t)number;
    return key.size == 1 && key.data[0] == ROW_KEY_FAMILY_ZERO;
}

static Status take_descriptor(CatalogCheck *check, Slice key, Slice value, Error *err)
{
    uint32_t id;
    Desc *desc;
    Error damage;
    if (!record_id(key, &id)) {
        complain_key(check, key, "the key of a descriptor is damaged");
        return ST_OK;
    }
    /* The bytes of the record stay only as long as the scan's block. */
    if (desc_decode(arena_slice(check->arena, value), check->arena, &desc, &damage) != ST_OK) {
        complain_key(check, key, "the record of a descriptor is damaged");
        return ST_OK;
    }
    if (desc->id != id) {
        complain_key(
            check, key,
            arena_printf(check->arena, "the descriptor of id %u, \"%s\", lies under another id", desc->id, desc->name));
        return ST_OK;
    }
    VEC_PUSH(check->arena, check->catalog->list, (CheckedDesc){desc, true});
    return findings_advance(check->findings, 1, err);
}

static Status check_statistics(CatalogCheck *check, Slice key, Slice value, Error *err)
{
    uint32_t id;
    TableStats *stats;
    Error damage;
    Arena *arena = arena_create(NULL, 0);
    if (!record_id(key, &id))
        complain_key(check, key, "the key of a table's statistics is damaged");
    else if (!checked_find(check->catalog, id))
        complain_key(check, key, "statistics of a table that does not exist");
    else if (stats_decode(value, arena, &stats, &damage) != ST_OK)
        complain_key(check, key, "the record of a table's statistics is damaged");
    arena_destroy(arena);
    return ST_OK;
}

/* ---- names ---- */

static Status check_name_of(CatalogCheck *check, CheckedDesc *of, const NameUse *use, Error *err)
{
    Buf key = {0};
    Slice record;
    bool found;
    store_key_name(use, &key);
    Status st = txn_get(check->txn, buf_slice(&key), &found, &record, err);
    if (st == ST_OK && !found)
        catalog_complain(check, of, "the name \"%s\" has no record: it can be given to another object", use->name);
    else if (st == ST_OK &&
             (record.size != 8 || load_u32(record.data) != of->desc->id || load_u32(record.data + 4) != use->index_id))
        catalog_complain(check, of, "the record of the name \"%s\" says another object", use->name);
    buf_finish(&key);
    return st;
}

static Status check_names(CatalogCheck *check, CheckedDesc *of, Error *err)
{
    NameUse *uses;
    int count = name_uses(of->desc, &uses, check->arena);
    for (int i = 0; i < count; i++) TRY(check_name_of(check, of, &uses[i], err));
    return ST_OK;
}

/* A name's record stands for a descriptor that has this name. */
static Status check_name_record(CatalogCheck *check, Slice key, Slice value, Error *err)
{
    if (value.size != 8) {
        complain_key(check, key, "the record of a name is damaged");
        return ST_OK;
    }
    const Desc *desc = checked_find(check->catalog, load_u32(value.data));
    bool matches = false;
    Arena *arena = arena_create(NULL, 0);
    NameUse *uses;
    Buf expected = {0};
    int count = desc ? name_uses(desc, &uses, arena) : 0;
    for (int i = 0; i < count && !matches; i++) {
        buf_clear(&expected);
        store_key_name(&uses[i], &expected);
        matches = uses[i].index_id == load_u32(value.data + 4) && slice_equal(buf_slice(&expected), key);
    }
    if (!matches) complain_key(check, key, "a name is taken, but nothing has it");
    buf_finish(&expected);
    arena_destroy(arena);
    return ST_OK;
}

/* ---- sequences and ids ---- */

static Status read_sequence(CatalogCheck *check, DescId id, bool *found, Slice *record, Error *err)
{
    Buf key = {0};
    store_key_sequence(id, &key);
    Status st = txn_get(check->txn, buf_slice(&key), found, record, err);
    buf_finish(&key);
    return st;
}

static Status check_sequence(CatalogCheck *check, CheckedDesc *of, Error *err)
{
    const SequenceDesc *sequence = (const SequenceDesc *)of->desc;
    Slice record;
    bool found;
    TRY(read_sequence(check, of->desc->id, &found, &record, err));
    if (!found) return ST_OK; /* nothing has been handed out */
    if (record.size != SEQUENCE_RECORD_BYTES) {
        catalog_complain(check, of, "the value of the sequence is damaged");
        return ST_OK;
    }
    int64_t value = (int64_t)load_u64(record.data + 1);
    if (value < sequence->minimum || value > sequence->maximum)
        catalog_complain(check, of, "the value of the sequence, %lld, is not between %lld and %lld", (long long)value,
                         (long long)sequence->minimum, (long long)sequence->maximum);
    return ST_OK;
}

/* Ids are never given out twice: the counter of ids is not behind any object's. */
static Status check_ids(CatalogCheck *check, Error *err)
{
    Slice record;
    bool found;
    TRY(read_sequence(check, TABLE_IDS, &found, &record, err));
    int64_t last = found && record.size == SEQUENCE_RECORD_BYTES ? (int64_t)load_u64(record.data + 1) : 0;
    for (int i = 0; i < check->catalog->list.count; i++) {
        CheckedDesc *of = &check->catalog->list.items[i];
        if (of->desc->id >= DESC_ID_FIRST_USER && of->desc->id > last)
            catalog_complain(check, of, "its id %u is ahead of the counter of ids, %lld", of->desc->id,
                             (long long)last);
    }
    return ST_OK;
}

/* ---- what lies in the map ---- */

typedef struct AreaStart { /* the first pair of an area */
    uint32_t table, index;
    Slice rest, value; /* rest: of its key */
} AreaStart;

/* A sequence hands out values outside transactions: one whose creation was rolled back may leave its record behind, for
 * an id that is never given out again. */
static bool is_sequence_record(AreaStart area)
{
    return area.index == 1 && area.rest.size == 1 && area.value.size == SEQUENCE_RECORD_BYTES;
}

/* NULL: the area belongs to something. */
static const char *area_problem(CatalogCheck *check, AreaStart area)
{
    if (area.table < FIRST_OBJECT_ID) return NULL;
    const Desc *desc = checked_find(check->catalog, area.table);
    if (!desc) return is_sequence_record(area) ? NULL : "pairs of a table that does not exist";
    if (desc->kind != DESC_TABLE) return NULL;
    return table_index_by_id((const TableDesc *)desc, area.index) ? NULL
                                                                  : "pairs of an index that its table does not have";
}

/* Leaps from index to index. */
static Status check_areas(CatalogCheck *check, Error *err)
{
    static const uint8_t first = ROW_KEY_TABLE, end = ROW_KEY_TABLE_END;
    TxnScan *scan;
    Slice key, value;
    Buf next = {0};
    TRY(txn_scan_open(check->txn, slice_of(&first, 1), slice_of(&end, 1), false, 1, &scan, err));
    Status st;
    while ((st = txn_scan_next(scan, &key, &value, err)) == ST_OK) {
        AreaStart area = {.rest = key, .value = value};
        if (!row_key_take_prefix(&area.rest, &area.table, &area.index)) {
            complain_key(check, key, "a key that does not say its table and index");
            continue;
        }
        const char *problem = area_problem(check, area);
        if (problem) complain_key(check, key, problem);
        buf_clear(&next);
        row_key_prefix_end(slice_of(key.data, key.size - area.rest.size), &next);
        st = txn_scan_seek(scan, buf_slice(&next), err);
        if (st != ST_OK) break;
    }
    txn_scan_close(scan);
    buf_finish(&next);
    return st == ST_END ? ST_OK : st;
}

Status catalog_check(Txn *txn, CheckedCatalog *catalog, Findings *findings, Arena *arena, Error *err)
{
    CatalogCheck check = {txn, catalog, findings, arena};
    *catalog = (CheckedCatalog){0};
    TRY(each_record(&check, TABLE_DESCRIPTORS, take_descriptor, err));
    for (int i = 0; i < catalog->list.count; i++) {
        CheckedDesc *of = &catalog->list.items[i];
        catalog_check_desc(&check, of);
        TRY(check_names(&check, of, err));
        if (of->desc->kind == DESC_SEQUENCE) TRY(check_sequence(&check, of, err));
    }
    TRY(check_ids(&check, err));
    TRY(each_record(&check, TABLE_NAMES, check_name_record, err));
    TRY(each_record(&check, TABLE_STATISTICS, check_statistics, err));
    return check_areas(&check, err);
}
