/* catalog_check.h - do the catalog's records agree with each other?
 *
 * Reads the records as they lie in the map under the transaction's snapshot, not the cache: descriptors decode, have
 * the names and parents that they say, refer to what exists, and every area of the map belongs to something.
 */
#ifndef STORAGE_CATALOG_CATALOG_CHECK_H
#define STORAGE_CATALOG_CATALOG_CHECK_H

#include "storage/base/finding.h"
#include "storage/catalog/catalog.h"

typedef struct CheckedDesc {
    const Desc *desc;
    bool sound; /* what it says of itself holds together: a table's rows can be read by it */
} CheckedDesc;

typedef struct CheckedCatalog {
    VEC(CheckedDesc) list; /* by id */
} CheckedCatalog;

/* Everything that could be read, in the arena, whatever was found. ST_ERROR: the check could not be made. */
Status catalog_check(Txn *txn, CheckedCatalog *catalog, Findings *findings, Arena *arena, Error *err);
const Desc *checked_find(const CheckedCatalog *catalog, DescId id); /* NULL: none */
/* The name of the database that it is in; NULL: none. */
const char *checked_database(const CheckedCatalog *catalog, const Desc *desc);

#endif
