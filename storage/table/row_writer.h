/* row_writer.h - the state of a RowWriter, for row_write.c and unique.c. Inside storage/table. */
#ifndef STORAGE_TABLE_ROW_WRITER_H
#define STORAGE_TABLE_ROW_WRITER_H

#include "storage/table/index_entry.h"
#include "storage/txn/usage.h"

typedef struct EncodedEntry {
    Buf key, value;
    bool exists;     /* the row is in the index at all */
    bool unique_key; /* entry_key */
} EncodedEntry;

/* What is known of a unique index where keys are written in order (key_gap.c). */
typedef struct KeyGap {
    bool watched, known;
    Buf last, end;    /* nothing lies between them if it is known */
    uint64_t version; /* of the newest commit that was looked at */
    int uses;         /* keys that the gap has covered; -1: it was not looked for */
    int ascending, penalty;
} KeyGap;

struct RowWriter {
    const TableAccess *access;
    Txn *txn;
    IndexUsage *usage; /* of the primary index */
    Arena *arena;     /* the operator's: error texts */
    Arena *row_arena; /* reset with each row */
    EntryScratch *scratch;
    EncodedEntry *before, *after; /* one per index; the primary's value is family 0's */
    Buf family_key, family_before, family_after;
    KeyGap *gaps;           /* one per index */
    uint64_t pairs_written; /* by the transaction when the last row was done */
};

/* Encodes key and value of a row's entry in the i-th index. */
Status writer_encode(RowWriter *writer, int index, RowImage row, EncodedEntry *entry, Error *err);

/* ---- key_gap.c ---- */

KeyGap *key_gaps_create(const TableAccess *access, Arena *arena);
void key_gaps_finish(KeyGap *gaps, int count);
void key_gaps_begin_row(RowWriter *writer);
void key_gaps_end_row(RowWriter *writer);
/* *covers: the key, whose lock is held, is neither committed nor written by this transaction. Else it is not known. */
Status key_gap_covers(RowWriter *writer, int index, Slice key, bool *covers, Error *err);

/* ---- unique.c ---- */

/* Takes the lock of the new row's key in an index, which must be nobody's, waiting for whoever is about to take it, and looks. *taken: it has a
 * committed value, or one of this transaction's; existing_value gets it. */
Status unique_probe(RowWriter *writer, int index, bool *taken, Slice *existing_value, Error *err);
/* 23505 with the user's columns and values in the detail. Always ST_ERROR. */
Status unique_violation(Arena *arena, const TableAccess *access, const IndexAccess *index, const Value *row, Error *err);
/* The primary key of the row that an entry with this value belongs to; its bytes lie in the row arena. */
Status unique_owner(RowWriter *writer, const IndexAccess *index, Slice key, Slice value, Slice *primary_key, Error *err);
/* 23502. Always ST_ERROR. */
Status not_null_violation(RowWriter *writer, const Value *row, int ordinal, Error *err);

#endif
