/* table_check_internal.h - what the two halves of a table's check share. Inside storage/table. */
#ifndef STORAGE_TABLE_TABLE_CHECK_INTERNAL_H
#define STORAGE_TABLE_TABLE_CHECK_INTERNAL_H

#include "storage/table/row_decode.h"
#include "storage/table/table_check.h"

enum { CHECK_BATCH_ENTRIES = 256, CHECK_BATCH_BYTES = 4 << 20 };

/* An entry that a row should have. */
typedef struct Expected {
    int index;
    Slice row_key;
} Expected;

typedef struct Checking {
    const TableAccess *access;
    Txn *txn;
    const TableCheck *how;
    Findings *findings;
    Arena *arena;       /* of the whole check */
    Arena *row_arena;   /* reset with each row */
    Arena *batch_arena; /* reset with each batch of entries */
    int *ordinals;      /* 0, 1, 2 ... */
    Value *row, **columns;
    RowDecoder *decoder;
    EntryScratch *scratch;
    Buf key, value;
    Buf last_key;      /* of a deferrable index: the declared part of the entry before; empty: a NULL is in it */
    bool *in_predicate;
    uint64_t *entries; /* per index: entries found where a row wanted them */

    /* The row at hand. */
    Slice row_key;
    VEC(RowPair) pairs;

    /* Entries to be looked up. */
    Slice keys[CHECK_BATCH_ENTRIES], wanted[CHECK_BATCH_ENTRIES], values[CHECK_BATCH_ENTRIES];
    Expected expected[CHECK_BATCH_ENTRIES];
    bool found[CHECK_BATCH_ENTRIES];
    int count;
    size_t bytes;
} Checking;

static inline Finding check_place(const Checking *c, const char *kind, const IndexAccess *index, Slice key)
{
    return (Finding){.kind = kind,
                     .database = c->how->database,
                     .table = c->access->table->base.name,
                     .index = index ? index->index->name : NULL,
                     .key = key};
}

/* The suffix that an entry's value keeps; false: it has none. */
bool check_entry_suffix(Checking *c, Slice value, Slice *suffix);

/* table_check_index.c: the entries of one index, seen from the index. */
Status check_index_entries(Checking *c, int index, Error *err);

#endif
