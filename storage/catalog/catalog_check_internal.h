/* catalog_check_internal.h - what the parts of the catalog's check share. Inside storage/catalog. */
#ifndef STORAGE_CATALOG_CATALOG_CHECK_INTERNAL_H
#define STORAGE_CATALOG_CATALOG_CHECK_INTERNAL_H

#include "storage/catalog/catalog_check.h"

typedef struct CatalogCheck {
    Txn *txn;
    CheckedCatalog *catalog;
    Findings *findings;
    Arena *arena;
} CatalogCheck;

/* Reports what is wrong with an object, and takes it for unsound. */
void catalog_complain(CatalogCheck *check, CheckedDesc *of, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* catalog_check_desc.c: one descriptor, by itself and with what it refers to. */
void catalog_check_desc(CatalogCheck *check, CheckedDesc *of);

#endif
