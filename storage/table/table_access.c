#include "storage/table/table_access.h"

#include <assert.h>

#include "storage/keys/row_key.h"
#include "storage/types/type_citext.h"

static bool type_may_lose(TypeRef type)
{
    KeyColumn column = key_column(type, false);
    bool bare = type.typmod < 0;
    switch (column.key_class) {
    case KEY_CLASS_DECIMAL: return bare;
    case KEY_CLASS_BYTES: return (bare && type.oid == OID_BPCHAR) || type.oid == OID_CITEXT;
    case KEY_CLASS_FLOAT:
    case KEY_CLASS_ARRAY:
    case KEY_CLASS_RANGE:
    case KEY_CLASS_JSON: return true;
    case KEY_CLASS_INT:
    case KEY_CLASS_DATE:
    case KEY_CLASS_TIMESTAMP:
    case KEY_CLASS_TIMETZ:
    case KEY_CLASS_INTERVAL:
    case KEY_CLASS_BITS:
    case KEY_CLASS_NONE: break;
    }
    return false;
}

static KeyPart key_part(const TableDesc *table, uint32_t column_id, bool descending)
{
    int ordinal = table_column_by_id(table, column_id);
    assert(ordinal >= 0);
    TypeRef type = table->columns.items[ordinal].type;
    return (KeyPart){.ordinal = ordinal, .key = key_column(type, descending), .may_lose = type_may_lose(type)};
}

/* Few enough for insertion; they come nearly sorted. */
static void sort_by_id(const TableDesc *table, int *ordinals, int count)
{
    for (int i = 1; i < count; i++) {
        int moved = ordinals[i], at = i;
        uint32_t id = table->columns.items[moved].id;
        for (; at > 0 && table->columns.items[ordinals[at - 1]].id > id; at--) ordinals[at] = ordinals[at - 1];
        ordinals[at] = moved;
    }
}

static void add_value_ordinal(IndexAccess *a, int ordinal)
{
    for (int i = 0; i < a->value_count; i++)
        if (a->value_ordinals[i] == ordinal) return;
    a->value_ordinals[a->value_count++] = ordinal;
}

static void list_value_columns(const TableDesc *table, IndexAccess *a, Arena *arena)
{
    a->value_ordinals = ARENA_ARRAY(arena, int, a->part_count + a->index->stored.count + 1);
    for (int i = 0; i < a->index->stored.count; i++) {
        int ordinal = table_column_by_id(table, (uint32_t)a->index->stored.items[i]);
        assert(ordinal >= 0);
        if (a->part_of_ordinal[ordinal] < 0) add_value_ordinal(a, ordinal);
    }
    for (int i = 0; i < a->part_count; i++)
        if (a->parts[i].may_lose) add_value_ordinal(a, a->parts[i].ordinal);
    sort_by_id(table, a->value_ordinals, a->value_count);
}

static void index_access_init(IndexAccess *a, const TableDesc *table, const IndexDesc *index, Arena *arena)
{
    Buf prefix = {0};
    row_key_index_prefix(table->base.id, index->id, &prefix);
    a->index = index;
    a->prefix = buf_to_arena(&prefix, arena);
    buf_finish(&prefix);
    a->declared_count = index->columns.count;
    int suffix_count = index->primary ? 0 : index->suffix.count;
    a->part_count = a->declared_count + suffix_count;
    a->suffix_in_value = index_is_unique(index) && !index->primary;
    a->parts = ARENA_ARRAY(arena, KeyPart, a->part_count + 1);
    a->part_of_ordinal = ARENA_ARRAY(arena, int, table->columns.count + 1);
    for (int i = 0; i < table->columns.count; i++) a->part_of_ordinal[i] = -1;
    for (int i = 0; i < a->declared_count; i++)
        a->parts[i] = key_part(table, index->columns.items[i].column_id, index->columns.items[i].descending);
    for (int i = 0; i < suffix_count; i++)
        a->parts[a->declared_count + i] = key_part(table, (uint32_t)index->suffix.items[i], false);
    for (int i = a->part_count - 1; i >= 0; i--) a->part_of_ordinal[a->parts[i].ordinal] = i;
    list_value_columns(table, a, arena);
}

static void relate_to_primary(IndexAccess *a, const IndexAccess *primary, Arena *arena)
{
    a->primary_part = ARENA_ARRAY(arena, int, primary->part_count + 1);
    a->primary_same = ARENA_ARRAY(arena, bool, primary->part_count + 1);
    for (int i = 0; i < primary->part_count; i++) {
        int part = a->part_of_ordinal[primary->parts[i].ordinal];
        assert(part >= 0);
        a->primary_part[i] = part;
        a->primary_same[i] = a->parts[part].key.descending == primary->parts[i].key.descending;
    }
}

static int find_family(const TableAccess *access, uint32_t id)
{
    for (int i = 0; i < access->family_count; i++)
        if (access->families[i].id == id) return i;
    return -1;
}

static void list_families(TableAccess *access, Arena *arena)
{
    const TableDesc *table = access->table;
    const IndexAccess *primary = primary_access(access);
    access->families = ARENA_ARRAY(arena, FamilyAccess, table->families.count + 2);
    access->family_of_ordinal = ARENA_ARRAY(arena, int, table->columns.count + 1);
    access->family_count = 1; /* family 0 exists even where no descriptor lists it */
    for (int o = 0; o < table->columns.count; o++) {
        const ColumnDesc *column = &table->columns.items[o];
        access->family_of_ordinal[o] = -1;
        if (primary->part_of_ordinal[o] >= 0 || column->computed == COMPUTED_VIRTUAL) continue;
        int family = find_family(access, column->family);
        if (family < 0) {
            family = access->family_count++;
            assert(family <= table->families.count + 1);
            access->families[family].id = column->family;
        }
        FamilyAccess *f = &access->families[family];
        if (!f->ordinals) f->ordinals = ARENA_ARRAY(arena, int, table->columns.count);
        f->ordinals[f->count++] = o;
        access->family_of_ordinal[o] = family;
    }
    for (int i = 0; i < access->family_count; i++)
        sort_by_id(table, access->families[i].ordinals, access->families[i].count);
    /* Pairs of a row come in the order of the families' ids. */
    for (int i = 2; i < access->family_count; i++)
        for (int at = i; at > 1 && access->families[at - 1].id > access->families[at].id; at--) {
            FamilyAccess swapped = access->families[at];
            access->families[at] = access->families[at - 1];
            access->families[at - 1] = swapped;
        }
    for (int i = 0; i < access->family_count; i++)
        for (int c = 0; c < access->families[i].count; c++) access->family_of_ordinal[access->families[i].ordinals[c]] = i;
}

static Value absent_value(const ColumnDesc *column, Arena *arena)
{
    const TypeDef *type = type_find(column->type.oid);
    Value value = VALUE_NULL;
    Error err;
    TypeCtx ctx = {.arena = arena, .env = &type_env_default, .err = &err};
    if (!column->absent_text) return VALUE_NULL;
    if (!type) return value_str(column->absent_text);
    Status st = type->in(type, &ctx, slice_str(column->absent_text), column->type.typmod, &value);
    assert(st == ST_OK); /* it was a value of the type when the column was added */
    return st == ST_OK ? value : VALUE_NULL;
}

TableAccess *table_access_create(const TableDesc *table, Arena *arena)
{
    TableAccess *access = ARENA_NEW(arena, TableAccess);
    access->table = table;
    access->index_count = table->indexes.count;
    access->cells = ARENA_ARRAY(arena, Cell, table->columns.count + 1);
    access->absent = ARENA_ARRAY(arena, Value, table->columns.count + 1);
    for (int i = 0; i < table->columns.count; i++) {
        access->cells[i] = (Cell){table->columns.items[i].id, cell_kind(table->columns.items[i].type)};
        access->absent[i] = absent_value(&table->columns.items[i], arena);
    }
    access->indexes = ARENA_ARRAY(arena, IndexAccess, table->indexes.count);
    for (int i = 0; i < table->indexes.count; i++)
        index_access_init(&access->indexes[i], table, &table->indexes.items[i], arena);
    for (int i = 0; i < table->indexes.count; i++)
        relate_to_primary(&access->indexes[i], primary_access(access), arena);
    list_families(access, arena);
    return access;
}

const IndexAccess *index_access(const TableAccess *access, const IndexDesc *index)
{
    ptrdiff_t at = index - access->table->indexes.items;
    if (at >= 0 && at < access->index_count && access->indexes[at].index == index) return &access->indexes[at];
    /* The same index of another copy of the descriptor. */
    for (int i = 0; i < access->index_count; i++)
        if (access->indexes[i].index->id == index->id) return &access->indexes[i];
    assert(false);
    return NULL;
}

/* ---- keys ---- */

static void prefix_span(Buf *start, Buf *end)
{
    if (end) row_key_prefix_end(buf_slice(start), end);
}

void index_span(DescId table_id, uint32_t index_id, Buf *start, Buf *end)
{
    buf_clear(start);
    if (end) buf_clear(end);
    row_key_index_prefix(table_id, index_id, start);
    prefix_span(start, end);
}

void table_span(DescId table_id, Buf *start, Buf *end)
{
    buf_clear(start);
    if (end) buf_clear(end);
    row_key_table_prefix(table_id, start);
    prefix_span(start, end);
}

Status index_key_prefix(const TableAccess *access, const IndexDesc *index, const Value *values, int count, Buf *key,
                        Error *err)
{
    const IndexAccess *a = index_access(access, index);
    assert(count <= a->part_count);
    buf_put_slice(key, a->prefix);
    for (int i = 0; i < count; i++) TRY(key_column_encode(&a->parts[i].key, values[i], key, err));
    return key->failed ? err_no_memory(err) : ST_OK;
}

Status row_primary_key(const TableAccess *access, const Value *values, Buf *key, Error *err)
{
    const IndexAccess *primary = primary_access(access);
    buf_put_slice(key, primary->prefix);
    for (int i = 0; i < primary->part_count; i++)
        TRY(key_column_encode(&primary->parts[i].key, values[primary->parts[i].ordinal], key, err));
    return key->failed ? err_no_memory(err) : ST_OK;
}
