#include "storage/catalog/catalog_store.h"

#include <assert.h>

#include "storage/catalog/desc_codec.h"

/* ---- keys ---- */

/* The ordered encoding of a number that is not negative, and of a text, as row_key.c has them; written out here because
 * the catalog's few keys are fixed and are needed before any table exists. */
static void key_number(Buf *key, uint32_t v)
{
    if (v <= 109) {
        buf_put_u8(key, (uint8_t)(0x88 + v));
        return;
    }
    int n = v > 0xffffff ? 4 : v > 0xffff ? 3 : v > 0xff ? 2 : 1;
    buf_put_u8(key, (uint8_t)(0xf5 + n));
    for (int shift = (n - 1) * 8; shift >= 0; shift -= 8) buf_put_u8(key, (uint8_t)(v >> shift));
}

static void key_text(Buf *key, const char *text)
{
    buf_put_u8(key, 0x12);
    buf_put_str(key, text); /* names hold no zero byte, so nothing needs escaping */
    buf_put(key, "\0\1", 2);
}

static void key_table(Buf *key, uint32_t table)
{
    key_number(key, table);
    key_number(key, 1);
}

void store_key_desc(DescId id, Buf *key)
{
    key_table(key, TABLE_DESCRIPTORS);
    key_number(key, id);
    key_number(key, 0);
}

void store_key_stats(DescId id, Buf *key)
{
    key_table(key, TABLE_STATISTICS);
    key_number(key, id);
    key_number(key, 0);
}

void store_key_sequence(DescId id, Buf *key)
{
    key_table(key, id);
    key_number(key, 0);
}

void store_key_name(const NameUse *use, Buf *key)
{
    key_table(key, TABLE_NAMES);
    key_number(key, use->class);
    key_number(key, use->database);
    key_number(key, use->parent);
    key_text(key, use->name);
    key_number(key, 0);
}

/* ---- reading ---- */

static Status decode_entry(Slice record, Entry **entry, Error *err)
{
    Arena *arena = arena_create(NULL, 0);
    Desc *desc;
    Status st = desc_decode(record, arena, &desc, err);
    if (st == ST_OK)
        *entry = entry_create(arena, desc);
    else
        arena_destroy(arena);
    return st;
}

static Status decode_stats(Slice record, DescId id, Entry **entry, Error *err)
{
    Arena *arena = arena_create(NULL, 0);
    TableStats *stats;
    Status st = stats_decode(record, arena, &stats, err);
    if (st == ST_OK)
        *entry = entry_create_stats(arena, id, stats);
    else
        arena_destroy(arena);
    return st;
}

static Status get_record(Txn *txn, void (*make_key)(DescId, Buf *), DescId id, bool *found, Slice *record, Error *err)
{
    Buf key = {0};
    make_key(id, &key);
    Status st = txn_get(txn, buf_slice(&key), found, record, err);
    buf_finish(&key);
    return st;
}

Status store_get_desc(Txn *txn, DescId id, Entry **entry, Error *err)
{
    bool found;
    Slice record;
    *entry = NULL;
    TRY(get_record(txn, store_key_desc, id, &found, &record, err));
    return found ? decode_entry(record, entry, err) : ST_OK;
}

Status store_get_stats(Txn *txn, DescId id, Entry **entry, Error *err)
{
    bool found;
    Slice record;
    *entry = NULL;
    TRY(get_record(txn, store_key_stats, id, &found, &record, err));
    return found ? decode_stats(record, id, entry, err) : ST_OK;
}

typedef struct ChangeVec {
    VEC(CatalogChange) list;
} ChangeVec;

static DescId id_of_key(Slice key, size_t prefix)
{
    assert(key.size > prefix);
    uint8_t first = key.data[prefix];
    if (first <= 0x88 + 109) return first - 0x88u;
    DescId id = 0;
    for (size_t i = 1; i <= first - 0xf5u && prefix + i < key.size; i++) id = id << 8 | key.data[prefix + i];
    return id;
}

static Status load_record(uint32_t table, Slice key, Slice value, ChangeVec *changes, Arena *arena, Error *err)
{
    CatalogChange change = {.id = id_of_key(key, 2)};
    if (table == TABLE_DESCRIPTORS) {
        change.desc_changed = true;
        TRY(decode_entry(value, &change.desc, err));
    } else {
        change.stats_changed = true;
        TRY(decode_stats(value, change.id, &change.stats, err));
    }
    VEC_PUSH(arena, changes->list, change);
    return ST_OK;
}

static Status load_table(Txn *txn, uint32_t table, ChangeVec *changes, Arena *arena, Error *err)
{
    Buf start = {0}, end = {0};
    key_table(&start, table);
    key_number(&end, table);
    key_number(&end, 2);
    TxnScan *scan;
    Status st = txn_scan_open(txn, buf_slice(&start), buf_slice(&end), false, 0, &scan, err);
    if (st == ST_OK) {
        Slice key, value;
        while ((st = txn_scan_next(scan, &key, &value, err)) == ST_OK) {
            st = load_record(table, key, value, changes, arena, err);
            if (st != ST_OK) break;
        }
        txn_scan_close(scan);
    }
    buf_finish(&start);
    buf_finish(&end);
    return st == ST_END ? ST_OK : st;
}

Status store_load(Txn *txn, CatalogChange **changes, int *count, Arena *arena, Error *err)
{
    ChangeVec all = {0};
    TRY(load_table(txn, TABLE_DESCRIPTORS, &all, arena, err));
    TRY(load_table(txn, TABLE_STATISTICS, &all, arena, err));
    *changes = all.list.items;
    *count = all.list.count;
    return ST_OK;
}

/* ---- writing ---- */

Status store_name_taken(const Desc *desc, const char *name, Arena *arena, Error *err)
{
    switch (desc->kind) {
    case DESC_DATABASE: return err_set(err, arena, ERR_DUPLICATE_DATABASE, "database \"%s\" already exists", name);
    case DESC_SCHEMA: return err_set(err, arena, ERR_DUPLICATE_SCHEMA, "schema \"%s\" already exists", name);
    case DESC_TYPE: return err_set(err, arena, ERR_DUPLICATE_OBJECT, "type \"%s\" already exists", name);
    case DESC_ROLE: return err_set(err, arena, ERR_DUPLICATE_OBJECT, "role \"%s\" already exists", name);
    case DESC_TABLE:
    case DESC_VIEW:
    case DESC_SEQUENCE: break;
    }
    return err_set(err, arena, ERR_DUPLICATE_TABLE, "relation \"%s\" already exists", name);
}

static bool same_name(const NameUse *a, const NameUse *b)
{
    return a->class == b->class && a->database == b->database && a->parent == b->parent && strcmp(a->name, b->name) == 0;
}

static const NameUse *find_use(const NameUse *uses, int count, const NameUse *wanted)
{
    for (int i = 0; i < count; i++)
        if (same_name(&uses[i], wanted)) return &uses[i];
    return NULL;
}

static Status take_name(Txn *txn, const Desc *desc, const NameUse *use, Error *err)
{
    Buf key = {0};
    store_key_name(use, &key);
    bool waited, found;
    Slice taken;
    Status st = txn_lock(txn, buf_slice(&key), LOCK_UPDATE, LOCK_WAIT, &waited, err);
    if (st == ST_OK) st = txn_get_locked(txn, buf_slice(&key), &found, &taken, err);
    if (st == ST_OK && found) st = store_name_taken(desc, use->name, txn_arena(txn), err);
    if (st == ST_OK) {
        uint32_t ids[2] = {desc->id, use->index_id};
        Buf value = {0};
        buf_put_u32(&value, ids[0]);
        buf_put_u32(&value, ids[1]);
        st = txn_put(txn, buf_slice(&key), buf_slice(&value), err);
        buf_finish(&value);
    }
    buf_finish(&key);
    return st;
}

static Status drop_name(Txn *txn, const NameUse *use, Error *err)
{
    Buf key = {0};
    store_key_name(use, &key);
    Status st = txn_delete(txn, buf_slice(&key), err);
    buf_finish(&key);
    return st;
}

static Status put_names(Txn *txn, const Desc *old, const Desc *desc, Arena *scratch, Error *err)
{
    NameUse *before = NULL, *after = NULL;
    int before_count = old ? name_uses(old, &before, scratch) : 0;
    int after_count = desc ? name_uses(desc, &after, scratch) : 0;
    for (int i = 0; i < before_count; i++) {
        const NameUse *kept = find_use(after, after_count, &before[i]);
        if (!kept || kept->index_id != before[i].index_id) TRY(drop_name(txn, &before[i], err));
    }
    for (int i = 0; i < after_count; i++) {
        const NameUse *kept = find_use(before, before_count, &after[i]);
        if (!kept || kept->index_id != after[i].index_id) TRY(take_name(txn, desc, &after[i], err));
    }
    return ST_OK;
}

/* The record must still be what the change was made from: DDL binds before it locks. */
static Status check_unchanged(Txn *txn, Slice key, const Desc *old, Error *err)
{
    bool waited, found;
    Slice record;
    TRY(txn_lock(txn, key, LOCK_UPDATE, LOCK_WAIT, &waited, err));
    TRY(txn_get_locked(txn, key, &found, &record, err));
    if (found && old) {
        Entry *entry;
        TRY(decode_entry(record, &entry, err));
        bool same = entry->desc->version == old->version;
        entry_release(entry);
        if (same) return ST_OK;
    }
    *err = (Error){.sqlstate = ERR_SERIALIZATION_FAILURE,
                   .message = "restart transaction: the object's definition was changed by a concurrent transaction"};
    return ST_ERROR;
}

Status store_put_desc(Txn *txn, const Desc *old, const Desc *desc, Error *err)
{
    Buf key = {0}, record = {0};
    Arena *scratch = arena_create(NULL, 0);
    store_key_desc(desc->id, &key);
    desc_encode(desc, &record);
    Status st = record.failed ? err_no_memory(err) : ST_OK;
    if (st == ST_OK && old) st = check_unchanged(txn, buf_slice(&key), old, err);
    if (st == ST_OK) st = put_names(txn, old, desc, scratch, err);
    if (st == ST_OK) st = txn_put(txn, buf_slice(&key), buf_slice(&record), err);
    arena_destroy(scratch);
    buf_finish(&key);
    buf_finish(&record);
    return st;
}

Status store_delete_desc(Txn *txn, const Desc *old, Error *err)
{
    Buf key = {0}, stats_key = {0};
    Arena *scratch = arena_create(NULL, 0);
    store_key_desc(old->id, &key);
    store_key_stats(old->id, &stats_key);
    Status st = check_unchanged(txn, buf_slice(&key), old, err);
    if (st == ST_OK) st = put_names(txn, old, NULL, scratch, err);
    if (st == ST_OK) st = txn_delete(txn, buf_slice(&key), err);
    if (st == ST_OK && old->kind == DESC_TABLE) st = txn_delete(txn, buf_slice(&stats_key), err);
    arena_destroy(scratch);
    buf_finish(&key);
    buf_finish(&stats_key);
    return st;
}
