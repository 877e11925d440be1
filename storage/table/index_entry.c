#include "storage/table/index_entry.h"

#include <assert.h>

#include "storage/keys/ordered.h"
#include "storage/keys/row_key.h"

static void scratch_finish(void *scratch)
{
    buf_finish(&((EntryScratch *)scratch)->suffix);
}

EntryScratch *entry_scratch_create(const TableAccess *access, Arena *arena)
{
    EntryScratch *scratch = ARENA_NEW(arena, EntryScratch);
    scratch->access = access;
    size_t most = (size_t)access->table->columns.count + 1;
    scratch->cells = ARENA_ARRAY(arena, Cell, most);
    scratch->values = ARENA_ARRAY(arena, Value, most);
    arena_defer(arena, scratch_finish, scratch);
    return scratch;
}

Status entry_key(const IndexAccess *index, const Value *row, Buf *key, bool *unique_key, Error *err)
{
    bool has_null = false;
    buf_put_slice(key, index->prefix);
    for (int i = 0; i < index->declared_count; i++) {
        Value value = row[index->parts[i].ordinal];
        has_null |= value.null;
        TRY(key_column_encode(&index->parts[i].key, value, key, err));
    }
    *unique_key = index->index->primary || (index_is_unique(index->index) && (!has_null || index->index->nulls_not_distinct));
    for (int i = index->declared_count; !*unique_key && i < index->part_count; i++)
        TRY(key_column_encode(&index->parts[i].key, row[index->parts[i].ordinal], key, err));
    row_key_family(0, key);
    return key->failed ? err_no_memory(err) : ST_OK;
}

Status entry_value(EntryScratch *scratch, const IndexAccess *index, const Value *row, Buf *value, Error *err)
{
    int count = 0;
    if (index->suffix_in_value) {
        buf_clear(&scratch->suffix);
        for (int i = index->declared_count; i < index->part_count; i++)
            TRY(key_column_encode(&index->parts[i].key, row[index->parts[i].ordinal], &scratch->suffix, err));
        scratch->cells[count] = (Cell){ENTRY_SUFFIX_CELL, CELL_BYTES};
        scratch->values[count++] = value_slice(buf_slice(&scratch->suffix));
    }
    for (int i = 0; i < index->value_count; i++) {
        int ordinal = index->value_ordinals[i], part = index->part_of_ordinal[ordinal];
        if (part >= 0 && !key_column_loses(&index->parts[part].key, row[ordinal])) continue;
        scratch->cells[count] = scratch->access->cells[ordinal];
        scratch->values[count++] = row[ordinal];
    }
    return row_value_write(scratch->cells, scratch->values, count, value, err);
}

/* The key columns whose originals family 0 keeps, merged among its own by id. */
static int add_originals(EntryScratch *scratch, const Value *row, int count)
{
    const TableAccess *access = scratch->access;
    const IndexAccess *primary = primary_access(access);
    for (int i = 0; i < primary->part_count; i++) {
        const KeyPart *part = &primary->parts[i];
        if (!part->may_lose || !key_column_loses(&part->key, row[part->ordinal])) continue;
        Cell cell = access->cells[part->ordinal];
        int at = count++;
        for (; at > 0 && scratch->cells[at - 1].id > cell.id; at--) {
            scratch->cells[at] = scratch->cells[at - 1];
            scratch->values[at] = scratch->values[at - 1];
        }
        scratch->cells[at] = cell;
        scratch->values[at] = row[part->ordinal];
    }
    return count;
}

Status row_family_value(EntryScratch *scratch, int family, const Value *row, Buf *value, bool *exists, Error *err)
{
    const TableAccess *access = scratch->access;
    const FamilyAccess *f = &access->families[family];
    int count = 0;
    *exists = family == 0;
    for (int i = 0; i < f->count; i++) {
        int ordinal = f->ordinals[i];
        scratch->cells[count] = access->cells[ordinal];
        scratch->values[count++] = row[ordinal];
        *exists |= !row[ordinal].null;
    }
    if (!*exists) return ST_OK;
    if (family == 0) count = add_originals(scratch, row, count);
    return row_value_write(scratch->cells, scratch->values, count, value, err);
}

bool entry_parts(const IndexAccess *index, Slice key, Slice suffix, int count, Slice *parts)
{
    if (key.size < index->prefix.size) return false;
    Slice rest = slice_of(key.data + index->prefix.size, key.size - index->prefix.size);
    for (int i = 0; i < count; i++) {
        if (i == index->declared_count && suffix.size) rest = suffix;
        const uint8_t *start = rest.data;
        if (!ordered_skip(&rest)) return false;
        parts[i] = slice_of(start, (size_t)(rest.data - start));
    }
    return true;
}

bool entry_primary_key(const TableAccess *access, const IndexAccess *index, const Slice *parts, Arena *arena, Buf *key)
{
    const IndexAccess *primary = primary_access(access);
    buf_put_slice(key, primary->prefix);
    for (int i = 0; i < primary->part_count; i++) {
        int part = index->primary_part[i];
        if (index->primary_same[i]) {
            buf_put_slice(key, parts[part]);
            continue;
        }
        Slice bytes = parts[part];
        Value value;
        Error err;
        if (!key_column_decode(&index->parts[part].key, &bytes, arena, &value)) return false;
        if (key_column_encode(&primary->parts[i].key, value, key, &err) != ST_OK) return false;
    }
    return !key->failed;
}

Status index_unique_key(const TableAccess *access, const IndexDesc *index, const Value *row, Buf *key, Error *err)
{
    bool unique;
    Status st = entry_key(index_access(access, index), row, key, &unique, err);
    assert(st != ST_OK || unique);
    return st;
}
