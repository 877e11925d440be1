/* table_access.h - what writers and readers know of a table, worked out once from its descriptor. Inside storage/table.
 *
 * An index entry's key is parts: the declared columns, then the suffix columns. Which pair of a row a column lies in:
 *
 *   primary index    its key columns in every pair's key; the others in the value of their family's pair
 *   secondary index  declared columns (and, unless the index is unique and none of them is NULL, the suffix) in the
 *                    key; stored columns in the value, and there too, of a unique index, the suffix's key bytes
 *
 * A key column whose key bytes lose something of a value (key_column_loses) has its original in the value besides;
 * in the primary index that is family 0's.
 */
#ifndef STORAGE_TABLE_TABLE_ACCESS_H
#define STORAGE_TABLE_TABLE_ACCESS_H

#include "storage/keys/key_column.h"
#include "storage/keys/row_value.h"
#include "storage/table/row.h"

/* The cell of a unique entry's value that holds its suffix as key bytes; column ids begin at 1. */
enum { ENTRY_SUFFIX_CELL = 0 };

typedef struct KeyPart {
    int ordinal; /* in TableDesc.columns */
    KeyColumn key;
    bool may_lose; /* its type is one of which some values lose in keys */
} KeyPart;

typedef struct IndexAccess {
    const IndexDesc *index;
    Slice prefix; /* /Table/<id>/<index> */
    KeyPart *parts;
    int declared_count, part_count; /* part_count: with the suffix */
    int *value_ordinals;            /* columns of the value, ascending by id: stored ones, and parts that may lose */
    int value_count;
    int *part_of_ordinal; /* per column of the table: its part, or -1 */
    /* For each part of the primary key: the part of this index that has the column, and whether its bytes can be
     * taken over as they are. */
    int *primary_part;
    bool *primary_same;
    bool suffix_in_value; /* unique and not the primary index */
} IndexAccess;

typedef struct FamilyAccess {
    uint32_t id;
    int *ordinals; /* of its columns that are not in the primary key, ascending by id */
    int count;
} FamilyAccess;

struct TableAccess {
    const TableDesc *table;
    Cell *cells;   /* per ordinal */
    Value *absent; /* per ordinal: what a row written without the column reads as */
    IndexAccess *indexes;
    int index_count;
    FamilyAccess *families; /* family 0 first; others only if they have columns */
    int family_count;
    int *family_of_ordinal; /* index into families; -1: not in a value of the primary index */
};

const IndexAccess *index_access(const TableAccess *access, const IndexDesc *index);
static inline const IndexAccess *primary_access(const TableAccess *access)
{
    return &access->indexes[0];
}

#endif
