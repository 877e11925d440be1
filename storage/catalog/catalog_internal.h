/* catalog_internal.h - what the files of this folder share of a Catalog. */
#ifndef STORAGE_CATALOG_CATALOG_INTERNAL_H
#define STORAGE_CATALOG_CATALOG_INTERNAL_H

#include <pthread.h>

#include "storage/base/map.h"
#include "storage/catalog/catalog_snapshot.h"

typedef struct SequenceCache SequenceCache; /* sequence.c */

/* row_id.c */
typedef struct RowIds {
    pthread_mutex_t mutex; /* guards the rest; held while the record is written */
    bool loaded;
    uint64_t last, recorded; /* steps: the newest one handed out, and what the record says */
} RowIds;

struct Catalog {
    Store *store;
    const Builtins *builtins;
    Arena *arena;
    pthread_mutex_t mutex; /* guards current; held only to swap or retain it, or while deriving its successor */
    const CatalogSnapshot *current;
    _Atomic uint64_t newest; /* current's version, for who only wants to know whether there is a newer one */
    SequenceCache *sequences;
    RowIds row_ids;
    /* Immutable after catalog_open. */
    Map functions, aggregates, windows, relations; /* by name; relations by "schema.name" */
    Map functions_by_oid, relations_by_oid;
};

/* A transaction's view is a snapshot of its own: `base` with `changes` applied. Every entry it has made stays referenced
 * until its end, so what a statement has looked up stays valid while the statement changes the catalog. */
struct CatalogView {
    Catalog *catalog;
    Txn *txn;
    const CatalogSnapshot *base, *current;
    VEC(CatalogChange) changes; /* one per id */
    VEC(Entry *) made;
    uint64_t own_version;       /* 0: no changes */
};

/* Swaps in the successor of the current snapshot. */
void catalog_publish(Catalog *catalog, const CatalogChange *changes, int count);

/* Makes a table's new statistics part of the view. */
void catalog_view_note_stats(CatalogView *view, DescId table_id, Entry *entry);

/* builtin_index.c: fills the maps over the Builtins. */
void builtin_index_build(Catalog *catalog);

/* row_id.c: writes what was handed out exactly. */
void row_ids_close(Catalog *catalog);

/* sequence.c */
SequenceCache *sequence_cache_create(Arena *arena);
/* Writes what was handed out exactly, so that a clean stop leaves no gaps. */
void sequence_cache_close(Catalog *catalog);
Status sequence_next_id(Catalog *catalog, int64_t *value, Error *err);

/* An Error with a literal message, for places without an arena that outlives the call. */
static inline Status fail_literal(Error *err, SqlState state, const char *message)
{
    *err = (Error){.sqlstate = state, .message = message};
    return ST_ERROR;
}

/* Tells type_find of the enum types among the changes. */
void snapshot_define_types(const CatalogSnapshot *snapshot, const CatalogChange *changes, int count);

#endif
