/* row_decode.h - from pairs to the columns asked for. Inside storage/table.
 *
 * A RowDecoder is made for one index and one list of columns. It belongs to one thread.
 */
#ifndef STORAGE_TABLE_ROW_DECODE_H
#define STORAGE_TABLE_ROW_DECODE_H

#include "storage/table/index_entry.h"

typedef struct ColumnSource {
    int ordinal;
    int part;   /* of the key; -1: not in it */
    int family; /* index into TableAccess.families (an entry has just 0); -1: in no value */
    int cell;   /* of that family's reader */
} ColumnSource;

typedef struct RowDecoder {
    const TableAccess *access;
    const IndexAccess *index;
    ColumnSource *sources;
    int count;
    RowReader **readers; /* per family; NULL where no column is wanted of it */
    int family_count;    /* that a pair of this index may be of */
    int *part_column;    /* per part: the first column that wants it, -1 none */
    int parts_wanted;    /* parts to walk over */
    bool *repeats;       /* per column: the same as one before */
    bool gaps;           /* some column is in no pair of family 0 */
    int suffix_cell;     /* of reader 0; -1 */
    Slice *parts;
    Buf primary_key;
} RowDecoder;

typedef struct RowPair {
    Slice key, value;
} RowPair;

/* Where a row goes: columns[c][row]. What has to be made lies in the arena. */
typedef struct RowPlace {
    Value **columns;
    int row;
    Arena *arena;
} RowPlace;

/* Columns that this index does not have (virtual ones, in the primary) come back NULL. want_keys: row_decode_primary_key
 * will be called. Its buffer is released with the arena. */
RowDecoder *row_decoder_create(const TableAccess *access, const IndexDesc *index, const int *columns, int column_count,
                               bool want_keys, Arena *arena);
/* Fills in what this pair has: the columns of its family, and with family 0 those of the key; others stay as they are, so
 * begin with row_decode_absent where a row has several pairs. XX001. Values borrow from the pair or lie in the arena. */
Status row_decode(RowDecoder *decoder, int family, const RowPair *pair, const RowPlace *place, Error *err);
/* What the columns of pairs that a row does not have read as. */
void row_decode_absent(const RowDecoder *decoder, const RowPlace *place);
/* The primary key of the row of the pair that was decoded last; for the primary index it borrows from the key. */
Status row_decode_primary_key(RowDecoder *decoder, Slice key, Arena *arena, Slice *primary_key, Error *err);
Status row_damaged(const TableAccess *access, const IndexAccess *index, Error *err);

#endif
