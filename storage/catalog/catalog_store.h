/* catalog_store.h - the catalog's records in the map.
 *
 *   /Table/3/1/<id>                                    descriptor        desc_codec.h
 *   /Table/7/1                                         ids given out     sequence.c
 *   /Table/20/1/<table id>                             statistics        desc_codec.h
 *   /Table/30/1/<class>/<database>/<parent>/<name>     what has a name   id, index id (4 bytes each)
 *   /Table/<sequence id>/1                             sequence value    sequence.c
 *
 * The name records make two transactions that create the same name meet: each locks it before it looks.
 */
#ifndef STORAGE_CATALOG_CATALOG_STORE_H
#define STORAGE_CATALOG_CATALOG_STORE_H

#include "storage/catalog/catalog_snapshot.h"

enum { TABLE_DESCRIPTORS = 3, TABLE_IDS = 7, TABLE_STATISTICS = 20, TABLE_NAMES = 30 };
enum {
    ID_DATABASE_DEFAULTDB = 100, ID_SCHEMA_DEFAULTDB_PUBLIC, ID_DATABASE_POSTGRES, ID_SCHEMA_POSTGRES_PUBLIC,
    ID_ROLE_POSTGRES = 10, ID_ROLE_ROOT = 12 /* 10 is PostgreSQL's oid of the first superuser */
};

void store_key_desc(DescId id, Buf *key);
void store_key_stats(DescId id, Buf *key);
void store_key_name(const NameUse *use, Buf *key);
void store_key_sequence(DescId id, Buf *key);

/* Every record as changes against the empty snapshot; *count 0 for an empty store. */
Status store_load(Txn *txn, CatalogChange **changes, int *count, Arena *arena, Error *err);
/* The descriptor as the transaction sees it (its own write, or its snapshot's); *entry NULL if there is none. */
Status store_get_desc(Txn *txn, DescId id, Entry **entry, Error *err);
Status store_get_stats(Txn *txn, DescId id, Entry **entry, Error *err);

/* Writes desc and the names in which it differs from `old` (NULL: it is new). 40001 if another transaction changed the
 * descriptor after old was read; 42P07 and its kin if a name is taken. */
Status store_put_desc(Txn *txn, const Desc *old, const Desc *desc, Error *err);
Status store_delete_desc(Txn *txn, const Desc *old, Error *err);
/* 42P07, 42P06, 42P04 or 42710, by what has the name. */
Status store_name_taken(const Desc *desc, const char *name, Arena *arena, Error *err);

#endif
