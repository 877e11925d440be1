#include "storage/table/row_decode.h"

#include <assert.h>

#include "storage/keys/ordered.h"
#include "storage/keys/row_key.h"

Status row_damaged(const TableAccess *access, const IndexAccess *index, Error *err)
{
    *err = (Error){.sqlstate = index->index->primary ? ERR_DATA_CORRUPTED : ERR_INDEX_CORRUPTED,
                   .message = index->index->primary ? "damaged row" : "damaged index entry",
                   .table = access->table->base.name,
                   .table_id = access->table->base.id};
    return ST_ERROR;
}

static bool in_entry_value(const IndexAccess *index, int ordinal)
{
    for (int i = 0; i < index->value_count; i++)
        if (index->value_ordinals[i] == ordinal) return true;
    return false;
}

static ColumnSource find_source(const TableAccess *access, const IndexAccess *index, int ordinal)
{
    ColumnSource source = {.ordinal = ordinal, .part = index->part_of_ordinal[ordinal], .family = -1, .cell = -1};
    bool may_lose = source.part >= 0 && index->parts[source.part].may_lose;
    if (!index->index->primary) source.family = in_entry_value(index, ordinal) ? 0 : -1;
    else if (source.part < 0) source.family = access->family_of_ordinal[ordinal];
    else if (may_lose) source.family = 0;
    return source;
}

static void make_readers(RowDecoder *d, bool want_suffix, Arena *arena)
{
    Cell *cells = ARENA_ARRAY(arena, Cell, d->count + 1);
    d->suffix_cell = -1;
    for (int f = 0; f < d->family_count; f++) {
        int n = 0;
        for (int c = 0; c < d->count; c++) {
            if (d->sources[c].family != f) continue;
            d->sources[c].cell = n;
            cells[n++] = d->access->cells[d->sources[c].ordinal];
        }
        if (f == 0 && want_suffix) {
            d->suffix_cell = n;
            cells[n++] = (Cell){ENTRY_SUFFIX_CELL, CELL_BYTES};
        }
        if (n) d->readers[f] = row_reader_create(cells, n, arena);
    }
}

static void decoder_finish(void *decoder)
{
    buf_finish(&((RowDecoder *)decoder)->primary_key);
}

RowDecoder *row_decoder_create(const TableAccess *access, const IndexDesc *index, const int *columns, int column_count,
                               bool want_keys, Arena *arena)
{
    RowDecoder *d = ARENA_NEW(arena, RowDecoder);
    d->access = access;
    d->index = index_access(access, index);
    d->count = column_count;
    d->family_count = index->primary ? access->family_count : 1;
    d->sources = ARENA_ARRAY(arena, ColumnSource, column_count + 1);
    d->repeats = ARENA_ARRAY(arena, bool, column_count + 1);
    d->readers = ARENA_ARRAY(arena, RowReader *, d->family_count);
    d->part_column = ARENA_ARRAY(arena, int, d->index->part_count + 1);
    d->parts = ARENA_ARRAY(arena, Slice, d->index->part_count + 1);
    for (int p = 0; p < d->index->part_count; p++) d->part_column[p] = -1;
    for (int c = 0; c < column_count; c++) {
        d->sources[c] = find_source(access, d->index, columns[c]);
        int part = d->sources[c].part;
        d->gaps |= part < 0 && d->sources[c].family != 0;
        if (part < 0) continue;
        d->repeats[c] = d->part_column[part] >= 0;
        if (!d->repeats[c]) d->part_column[part] = c;
        if (part >= d->parts_wanted) d->parts_wanted = part + 1;
    }
    if (want_keys && !index->primary) d->parts_wanted = d->index->part_count;
    make_readers(d, d->index->suffix_in_value && d->parts_wanted > d->index->declared_count, arena);
    if (want_keys && !index->primary) arena_defer(arena, decoder_finish, d);
    return d;
}

static bool decode_part(RowDecoder *d, int part, Slice *rest, const RowPlace *place)
{
    int c = d->part_column[part];
    if (c < 0) return ordered_skip(rest);
    Value *out = &place->columns[c][place->row];
    /* The original, where the key has lost something of it. */
    if (d->sources[c].cell >= 0) {
        CellState state = row_reader_cell(d->readers[0], d->sources[c].cell, out);
        if (state == CELL_DAMAGED) return false;
        if (state == CELL_PRESENT) return ordered_skip(rest);
    }
    return key_column_decode(&d->index->parts[part].key, rest, place->arena, out);
}

static bool decode_key(RowDecoder *d, Slice key, const RowPlace *place)
{
    const IndexAccess *index = d->index;
    Slice rest = slice_of(key.data + index->prefix.size, key.size - index->prefix.size);
    for (int p = 0; p < d->parts_wanted; p++) {
        if (p == index->declared_count && d->suffix_cell >= 0) {
            Value suffix;
            if (row_reader_cell(d->readers[0], d->suffix_cell, &suffix) != CELL_PRESENT || suffix.null) return false;
            rest = value_to_slice(suffix);
        }
        const uint8_t *start = rest.data;
        if (!decode_part(d, p, &rest, place)) return false;
        d->parts[p] = slice_of(start, (size_t)(rest.data - start));
    }
    for (int c = 0; c < d->count; c++)
        if (d->repeats[c])
            place->columns[c][place->row] = place->columns[d->part_column[d->sources[c].part]][place->row];
    return true;
}

static bool decode_value(RowDecoder *d, int family, const RowPlace *place)
{
    for (int c = 0; c < d->count; c++) {
        const ColumnSource *source = &d->sources[c];
        if (source->part >= 0 || source->family != family) continue;
        Value *out = &place->columns[c][place->row];
        CellState state = row_reader_cell(d->readers[family], source->cell, out);
        if (state == CELL_ABSENT) *out = d->access->absent[source->ordinal];
        else if (state == CELL_DAMAGED) return false;
    }
    return true;
}

Status row_decode(RowDecoder *decoder, int family, const RowPair *pair, const RowPlace *place, Error *err)
{
    RowReader *reader = decoder->readers[family];
    if (pair->key.size < decoder->index->prefix.size) return row_damaged(decoder->access, decoder->index, err);
    if (reader && !row_reader_open(reader, pair->value)) return row_damaged(decoder->access, decoder->index, err);
    /* Family 0's pair speaks for the key: every row has it, and the originals are there. */
    if (family == 0 && decoder->parts_wanted && !decode_key(decoder, pair->key, place))
        return row_damaged(decoder->access, decoder->index, err);
    if (reader && !decode_value(decoder, family, place)) return row_damaged(decoder->access, decoder->index, err);
    return ST_OK;
}

void row_decode_absent(const RowDecoder *decoder, const RowPlace *place)
{
    for (int c = 0; c < decoder->count; c++) {
        const ColumnSource *source = &decoder->sources[c];
        if (source->part >= 0) continue;
        place->columns[c][place->row] = source->family < 0 ? VALUE_NULL : decoder->access->absent[source->ordinal];
    }
}

Status row_decode_primary_key(RowDecoder *decoder, Slice key, Arena *arena, Slice *primary_key, Error *err)
{
    uint32_t family;
    if (decoder->index->index->primary)
        return row_key_split(key, primary_key, &family) ? ST_OK : row_damaged(decoder->access, decoder->index, err);
    buf_clear(&decoder->primary_key);
    if (!entry_primary_key(decoder->access, decoder->index, decoder->parts, arena, &decoder->primary_key))
        return row_damaged(decoder->access, decoder->index, err);
    *primary_key = arena_slice(arena, buf_slice(&decoder->primary_key));
    return ST_OK;
}
