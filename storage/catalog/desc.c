#include "storage/catalog/desc.h"

#include <assert.h>

#include "storage/catalog/desc_codec.h"

int table_column_by_id(const TableDesc *table, uint32_t column_id)
{
    /* Ids are given out in order, so until a column is dropped the ordinal is the id less one. */
    if (column_id && column_id <= (uint32_t)table->columns.count && table->columns.items[column_id - 1].id == column_id)
        return (int)column_id - 1;
    for (int i = 0; i < table->columns.count; i++)
        if (table->columns.items[i].id == column_id) return i;
    return -1;
}

int table_column_by_name(const TableDesc *table, const char *name)
{
    for (int i = 0; i < table->columns.count; i++)
        if (strcmp(table->columns.items[i].name, name) == 0) return i;
    return -1;
}

const IndexDesc *table_index_by_id(const TableDesc *table, uint32_t index_id)
{
    for (int i = 0; i < table->indexes.count; i++)
        if (table->indexes.items[i].id == index_id) return &table->indexes.items[i];
    return NULL;
}

const IndexDesc *table_index_by_name(const TableDesc *table, const char *name)
{
    for (int i = 0; i < table->indexes.count; i++)
        if (strcmp(table->indexes.items[i].name, name) == 0) return &table->indexes.items[i];
    return NULL;
}

bool table_column_in_primary(const TableDesc *table, uint32_t column_id)
{
    const IndexDesc *primary = table_primary(table);
    for (int i = 0; i < primary->columns.count; i++)
        if (primary->columns.items[i].column_id == column_id) return true;
    return false;
}

static bool lists(const IntVec *ids, uint32_t id)
{
    for (int i = 0; i < ids->count; i++)
        if ((uint32_t)ids->items[i] == id) return true;
    return false;
}

/* Are the index's columns, those in front that nobody named apart, just the ones that the key refers to? */
static bool is_over(const IndexDesc *index, const ForeignKeyDesc *key)
{
    int named = 0;
    for (int i = 0; i < index->columns.count; i++) {
        if (index->columns.items[i].implicit) continue;
        if (!lists(&key->referenced_columns, index->columns.items[i].column_id)) return false;
        named++;
    }
    return named == key->referenced_columns.count;
}

const IndexDesc *table_referenced_index(const TableDesc *referenced, const ForeignKeyDesc *key)
{
    for (int i = 0; i < referenced->indexes.count; i++) {
        const IndexDesc *index = &referenced->indexes.items[i];
        if (index_is_unique(index) && !index->predicate && is_over(index, key))
            return index;
    }
    return NULL;
}

Oid index_oid(DescId table_id, uint32_t index_id)
{
    return UINT32_C(0x80000000) | (table_id & (INDEX_OID_TABLES - 1)) << INDEX_OID_BITS |
           (index_id & ((1u << INDEX_OID_BITS) - 1));
}

Desc *desc_copy(const Desc *desc, Arena *arena)
{
    Buf bytes = {0};
    desc_encode(desc, &bytes);
    Desc *copy = NULL;
    Error err;
    Status st = desc_decode(buf_slice(&bytes), arena, &copy, &err);
    buf_finish(&bytes);
    assert(st == ST_OK);
    (void)st;
    return copy;
}

TableDesc *table_desc_copy(const TableDesc *table, Arena *arena)
{
    return (TableDesc *)desc_copy(&table->base, arena);
}
