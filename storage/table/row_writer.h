/* row_writer.h - the state of a RowWriter, for row_write.c and unique.c. Inside storage/table. */
#ifndef STORAGE_TABLE_ROW_WRITER_H
#define STORAGE_TABLE_ROW_WRITER_H

#include "storage/table/index_entry.h"

typedef struct EncodedEntry {
    Buf key, value;
    bool exists;     /* the row is in the index at all */
    bool unique_key; /* entry_key */
} EncodedEntry;

struct RowWriter {
    const TableAccess *access;
    Txn *txn;
    Arena *arena;     /* the operator's: error texts */
    Arena *row_arena; /* reset with each row */
    EntryScratch *scratch;
    EncodedEntry *before, *after; /* one per index; the primary's value is family 0's */
    Buf family_key, family_before, family_after;
};

/* Encodes key and value of a row's entry in the i-th index. */
Status writer_encode(RowWriter *writer, int index, RowImage row, EncodedEntry *entry, Error *err);

/* ---- unique.c ---- */

/* Takes the lock of a key that must be nobody's, waiting for whoever is about to take it, and looks. *taken: it has a
 * committed value, or one of this transaction's; existing_value gets it. */
Status unique_probe(RowWriter *writer, Slice key, bool *taken, Slice *existing_value, Error *err);
/* 23505 with the user's columns and values in the detail. Always ST_ERROR. */
Status unique_violation(Arena *arena, const TableAccess *access, const IndexAccess *index, const Value *row, Error *err);
/* The primary key of the row that an entry with this value belongs to; its bytes lie in the row arena. */
Status unique_owner(RowWriter *writer, const IndexAccess *index, Slice key, Slice value, Slice *primary_key, Error *err);
/* 23502. Always ST_ERROR. */
Status not_null_violation(RowWriter *writer, const Value *row, int ordinal, Error *err);

#endif
