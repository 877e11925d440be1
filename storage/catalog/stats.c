#include "storage/catalog/catalog_internal.h"
#include "storage/catalog/catalog_store.h"
#include "storage/catalog/desc_codec.h"
#include "storage/range/range.h"

static void key_id(Buf *key, uint32_t v)
{
    Buf whole = {0};
    store_key_sequence(v, &whole); /* /Table/<v>/1/0: the id is all but the last two bytes */
    buf_put(key, whole.data, whole.size - 2);
    buf_finish(&whole);
}

/* The rows of the primary index as the range counters have them: committed ones, one key per column family. */
static void live_counts(CatalogView *view, const TableDesc *table, TableStats *stats)
{
    Buf start = {0}, end = {0};
    const IndexDesc *primary = table_primary(table);
    key_id(&start, table->base.id);
    key_id(&end, table->base.id);
    key_id(&start, primary->id);
    key_id(&end, primary->id + 1);
    int64_t keys = 0, key_bytes = 0, value_bytes = 0;
    Directory *directory = store_directory(view->catalog->store);
    if (directory)
        directory_span_stats(directory, buf_slice(&start), buf_slice(&end), &keys, &key_bytes, &value_bytes);
    buf_finish(&start);
    buf_finish(&end);
    int families = table->families.count > 1 ? table->families.count : 1;
    stats->row_count = keys / families;
    stats->bytes = key_bytes + value_bytes;
}

const TableStats *catalog_table_stats(CatalogView *view, const TableDesc *table, Arena *arena)
{
    const TableStats *analyzed = snapshot_find_stats(view->current, table->base.id);
    TableStats *stats = ARENA_NEW(arena, TableStats);
    if (analyzed) *stats = *analyzed;
    if (table->base.id >= DESC_ID_FIRST_USER && table->indexes.count) live_counts(view, table, stats);
    return stats;
}

Status catalog_put_stats(CatalogView *view, DescId table_id, const TableStats *stats, Error *err)
{
    const Desc *desc = catalog_find_id(view, table_id);
    if (!desc || desc->kind != DESC_TABLE) return fail_literal(err, ERR_UNDEFINED_TABLE, "relation does not exist");
    const TableDesc *table = (const TableDesc *)desc;
    Arena *arena = arena_create(NULL, 0);
    TypeRep *reps = ARENA_ARRAY(arena, TypeRep, stats->columns.count + 1);
    for (int i = 0; i < stats->columns.count; i++) {
        int ordinal = table_column_by_id(table, stats->columns.items[i].column_id);
        const TypeDef *type = ordinal >= 0 ? type_find(table->columns.items[ordinal].type.oid) : NULL;
        reps[i] = type ? type->rep : REP_BYTES;
    }
    Buf key = {0}, record = {0};
    TableStats *copy;
    store_key_stats(table_id, &key);
    stats_encode(stats, reps, &record);
    Status st = record.failed ? err_no_memory(err) : stats_decode(buf_slice(&record), arena, &copy, err);
    if (st == ST_OK) {
        Entry *entry = entry_create_stats(arena, table_id, copy);
        VEC_PUSH(txn_arena(view->txn), view->made, entry);
        st = txn_put(view->txn, buf_slice(&key), buf_slice(&record), err);
        if (st == ST_OK) catalog_view_note_stats(view, table_id, entry);
    } else {
        arena_destroy(arena);
    }
    buf_finish(&key);
    buf_finish(&record);
    return st;
}
