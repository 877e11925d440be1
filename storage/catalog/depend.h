/* depend.h - what stands on an object, so that DROP can refuse or take it along. */
#ifndef STORAGE_CATALOG_DEPEND_H
#define STORAGE_CATALOG_DEPEND_H

#include "storage/catalog/catalog.h"

/* AUTO goes with the object silently (a sequence owned by its column); NORMAL needs CASCADE. */
typedef enum DependKind { DEPEND_AUTO, DEPEND_NORMAL } DependKind;

typedef struct Dependent {
    const Desc *desc;
    DependKind kind;
    const ForeignKeyDesc *foreign_key; /* the constraint of desc, a table, that stands on the object; */
    const ColumnDesc *column;          /* or its column, on a type; both NULL: desc itself */
} Dependent;

/* What depends directly on the object. Contents of databases and schemas are not among it: catalog_list has them. */
int depend_list(const CatalogView *view, DescId id, Dependent **list, Arena *arena);

/* A foreign key, and the table that has it. */
typedef struct Referrer {
    const TableDesc *table;
    const ForeignKeyDesc *key;
} Referrer;
/* The foreign keys that refer to the table, its own included, oldest table first. */
int depend_referrers(const CatalogView *view, DescId table, Referrer **list, Arena *arena);

#endif
