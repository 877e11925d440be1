/* row_value.h - the columns that are not in the key: the value of a pair.
 *
 *   0      bits 0-3: format, 1; bit 4: offsets are 4 bytes, else 2
 *   1..2   size of the head, all that stands before the NULL bits (little endian, as everything here)
 *   3..    one byte per column, ascending by id: bits 0-2 its CellKind, bits 3-7 what its id is above the one before
 *          (the first: above 0); 31: the id follows, 4 bytes
 *   then   NULL bits, one per column, set where it is NULL, rounded up to bytes
 *   then   the cells of fixed size, in head order; a NULL one has its place too
 *   then   the end offset of each cell of varying size, from the start of the bytes that follow
 *   then   those bytes
 *
 * The head names its columns by id, so a row can be read whatever has been added to or dropped from its table since:
 * what is not in it is absent. All rows written alike have the same head, byte for byte: a reader compares it with the
 * last one it saw and knows every place, so a cell costs the same wherever it stands. No columns: no bytes at all.
 */
#ifndef STORAGE_KEYS_ROW_VALUE_H
#define STORAGE_KEYS_ROW_VALUE_H

#include "storage/base/buf.h"
#include "storage/types/type.h"

typedef enum CellKind {
    CELL_BYTES, CELL_U8, CELL_I16, CELL_I32, CELL_U32, CELL_I64 /* also float8's bits */, CELL_F32, CELL_16_BYTES
} CellKind;

typedef struct Cell {
    uint32_t id; /* of the column; 0 is free for the pair's owner */
    CellKind kind;
} Cell;

CellKind cell_kind(TypeRef type);

/* Appends a value with these cells, ascending by id. 54000 if there are more than 20,000. */
Status row_value_write(const Cell *cells, const Value *values, int count, Buf *out, Error *err);

/* ---- reading. A reader belongs to one thread and is asked for a fixed list of columns. ---- */

typedef struct RowReader RowReader;
RowReader *row_reader_create(const Cell *wanted, int count, Arena *arena);
/* Opens a value, which must stay as long as cells are taken. false: damaged. */
bool row_reader_open(RowReader *reader, Slice value);
typedef enum CellState { CELL_ABSENT, CELL_PRESENT, CELL_DAMAGED } CellState;
/* The i-th wanted column of the value opened; NULL is present. Bytes borrow from the value. */
CellState row_reader_cell(const RowReader *reader, int i, Value *out);

#endif
