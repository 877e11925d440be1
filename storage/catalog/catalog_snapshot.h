/* catalog_snapshot.h - the immutable state of all descriptors, cheap to derive a new one from.
 *
 * A snapshot is three hash maps (by id, by name, statistics by id), each cut into shards. Deriving copies the pointers of
 * the shards and rebuilds those that a change touches, so publishing one table of ten thousand moves a few kilobytes.
 * Entries, shards and snapshots are reference-counted; all are immutable once reachable from a snapshot.
 */
#ifndef STORAGE_CATALOG_CATALOG_SNAPSHOT_H
#define STORAGE_CATALOG_CATALOG_SNAPSHOT_H

#include "storage/catalog/catalog.h"

typedef struct Entry Entry;

/* A descriptor or a table's statistics, with the memory it lives in. */
struct Entry {
    _Atomic int references;
    Arena *arena;
    DescId id;
    const Desc *desc;        /* one of these two */
    const TableStats *stats;
};

typedef enum NameClass { NAME_DATABASE, NAME_SCHEMA, NAME_OBJECT, NAME_ROLE } NameClass;

/* A name that a descriptor occupies; index_id is 0 for its own. */
typedef struct NameUse {
    NameClass class;
    DescId database, parent; /* parent: the database of a schema, the schema of an object, 0 */
    const char *name;
    uint32_t index_id;
} NameUse;

/* Takes over the arena, in which desc (or stats) lies. One reference, for the caller. */
Entry *entry_create(Arena *arena, const Desc *desc);
Entry *entry_create_stats(Arena *arena, DescId id, const TableStats *stats);
Entry *entry_retain(Entry *entry);
void entry_release(Entry *entry);

/* Every name of a descriptor: its own, then those of a table's indexes. Returns the count. */
int name_uses(const Desc *desc, NameUse **uses, Arena *arena);

/* What a transaction did to one descriptor and its statistics. */
typedef struct CatalogChange {
    DescId id;
    Entry *desc;        /* NULL with desc_changed: deleted */
    Entry *stats;
    bool desc_changed, stats_changed;
} CatalogChange;

CatalogSnapshot *snapshot_empty(void);
/* base with the changes applied, in order; one reference, for the caller. A change that base is already past (its
 * descriptor has that version or a later one) is left out. */
CatalogSnapshot *snapshot_derive(const CatalogSnapshot *base, const CatalogChange *changes, int count, uint64_t version);
const CatalogSnapshot *snapshot_retain(const CatalogSnapshot *snapshot);

const Desc *snapshot_find_id(const CatalogSnapshot *snapshot, DescId id);
Entry *snapshot_find_entry(const CatalogSnapshot *snapshot, DescId id);
/* *index_id (may be NULL) is 0 unless the name is an index's. */
const Desc *snapshot_find_name(const CatalogSnapshot *snapshot, NameClass class, DescId parent, const char *name,
                               uint32_t *index_id);
const TableStats *snapshot_find_stats(const CatalogSnapshot *snapshot, DescId id);
/* Calls each for every descriptor, in no order. */
void snapshot_each(const CatalogSnapshot *snapshot, void (*each)(void *argument, const Desc *desc), void *argument);

/* The foreign keys that may refer to the table (another one may share its hash), by their tables and ids. */
void snapshot_each_referrer(const CatalogSnapshot *snapshot, DescId table,
                            void (*each)(void *argument, const TableDesc *table, uint32_t foreign_key), void *argument);

#endif
