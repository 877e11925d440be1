/* pair_read.c - one pair by itself, as people read it: which columns it holds, in its key and in its value. */
#include "storage/keys/row_key.h"
#include "storage/table/row_decode.h"

/* Takes parts off until the key ends; what is left must be a family. A key cut short has fewer parts and no family. */
static void read_key(const IndexAccess *index, Slice key, PairContents *out, Arena *arena)
{
    Slice rest = slice_of(key.data + index->prefix.size, key.size - index->prefix.size);
    out->key = ARENA_ARRAY(arena, PairColumn, index->part_count + 1);
    while (out->key_count < index->part_count && rest.size) {
        const KeyPart *part = &index->parts[out->key_count];
        /* The key of a unique entry ends with its declared columns unless one of them is NULL. */
        bool may_end = index->suffix_in_value && out->key_count == index->declared_count;
        if (may_end && rest.size == 1 && *rest.data == ROW_KEY_FAMILY_ZERO) break;
        PairColumn *column = &out->key[out->key_count];
        if (!key_column_decode(&part->key, &rest, arena, &column->value)) return;
        column->ordinal = part->ordinal;
        out->key_count++;
    }
    Slice row;
    out->whole = row_key_split(key, &row, &out->family) && row.data + row.size == rest.data;
}

static int list_columns(const TableAccess *access, const IndexAccess *index, uint32_t family, int *ordinals)
{
    int count = 0;
    if (!index->index->primary) {
        for (int i = 0; i < index->value_count; i++) ordinals[count++] = index->value_ordinals[i];
        return count;
    }
    for (int f = 0; f < access->family_count; f++)
        for (int i = 0; access->families[f].id == family && i < access->families[f].count; i++)
            ordinals[count++] = access->families[f].ordinals[i];
    for (int i = 0; family == 0 && i < index->part_count; i++)
        if (index->parts[i].may_lose) ordinals[count++] = index->parts[i].ordinal;
    return count;
}

/* The original of a key column is no column of the value to its reader: it takes its place in the key. */
static void put_column(PairContents *out, int ordinal, Value value)
{
    for (int i = 0; i < out->key_count; i++) {
        if (out->key[i].ordinal != ordinal) continue;
        out->key[i].value = value;
        return;
    }
    out->value[out->value_count++] = (PairColumn){ordinal, value};
}

/* The rest of the primary key, which a unique entry holds as key bytes in its value. */
static bool read_suffix(const IndexAccess *index, Slice suffix, PairContents *out, Arena *arena)
{
    for (int i = index->declared_count; i < index->part_count; i++) {
        Value value;
        if (!key_column_decode(&index->parts[i].key, &suffix, arena, &value)) return false;
        if (out->key_count <= index->declared_count)
            out->value[out->value_count++] = (PairColumn){index->parts[i].ordinal, value};
    }
    return true;
}

static bool read_value(const TableAccess *access, const IndexAccess *index, Slice value, PairContents *out, Arena *arena)
{
    int most = access->table->columns.count + index->part_count + 1;
    int *ordinals = ARENA_ARRAY(arena, int, most);
    Cell *cells = ARENA_ARRAY(arena, Cell, most + 1);
    int count = list_columns(access, index, out->family, ordinals);
    out->value = ARENA_ARRAY(arena, PairColumn, most);
    for (int i = 0; i < count; i++) cells[i] = access->cells[ordinals[i]];
    cells[count] = (Cell){ENTRY_SUFFIX_CELL, CELL_BYTES};
    RowReader *reader = row_reader_create(cells, count + index->suffix_in_value, arena);
    if (!row_reader_open(reader, value)) return false;
    Value cell;
    if (index->suffix_in_value && row_reader_cell(reader, count, &cell) == CELL_PRESENT && !cell.null &&
        !read_suffix(index, value_to_slice(cell), out, arena))
        return false;
    for (int i = 0; i < count; i++) {
        CellState state = row_reader_cell(reader, i, &cell);
        if (state == CELL_DAMAGED) return false;
        if (state == CELL_PRESENT) put_column(out, ordinals[i], cell);
    }
    return true;
}

bool pair_read(const TableAccess *access, const IndexDesc *index, Slice key, const Slice *value, PairContents *out,
               Arena *arena)
{
    const IndexAccess *a = index_access(access, index);
    *out = (PairContents){0};
    if (!slice_starts_with(key, a->prefix)) return false;
    read_key(a, key, out, arena);
    return !value || !out->whole || read_value(access, a, *value, out, arena);
}
