/* index_entry.h - one row as pairs, index by index: the bytes only; who reads and writes them is elsewhere.
 *
 * Keys end in their family, 0 but for the further pairs of a row whose columns are in families (table_access.h says what
 * lies where). Inside storage/table.
 */
#ifndef STORAGE_TABLE_INDEX_ENTRY_H
#define STORAGE_TABLE_INDEX_ENTRY_H

#include "storage/table/table_access.h"

/* Room for one value's cells; belongs to one writer. */
typedef struct EntryScratch {
    const TableAccess *access;
    Cell *cells;
    Value *values;
    Buf suffix;
} EntryScratch;
/* Released with the arena. */
EntryScratch *entry_scratch_create(const TableAccess *access, Arena *arena);

/* Appends the key of a row's entry. *unique_key: no other row's entry may have the same key (the primary index always;
 * a unique one unless a declared column is NULL). */
Status entry_key(const IndexAccess *index, const Value *row, Buf *key, bool *unique_key, Error *err);
/* Appends the value of an entry of a secondary index. */
Status entry_value(EntryScratch *scratch, const IndexAccess *index, const Value *row, Buf *value, Error *err);
/* Appends the value of a row's pair of the primary index. *exists: false for a family other than 0 all of whose columns
 * are NULL; it has no pair. */
Status row_family_value(EntryScratch *scratch, int family, const Value *row, Buf *value, bool *exists, Error *err);

/* Cuts the first `count` parts off an entry's whole key. false: damaged, or the key has fewer (those of an entry whose
 * suffix is in the value are then in `suffix`, which may be empty otherwise). */
bool entry_parts(const IndexAccess *index, Slice key, Slice suffix, int count, Slice *parts);
/* Appends the primary key (without family) of the row that an entry stands for. parts: all of them. */
bool entry_primary_key(const TableAccess *access, const IndexAccess *index, const Slice *parts, Arena *arena, Buf *key);

#endif
