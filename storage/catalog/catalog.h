/* catalog.h - finding and changing descriptors.
 *
 * A Catalog belongs to a Store. catalog_snapshot gives the immutable state as of the newest committed DDL; it is shared
 * by reference count and may be used by any thread until released. A transaction that has done DDL sees its own changes:
 * CatalogView is «the snapshot plus my changes», and is what planner and executor work with.
 *
 * Records lie in the map under /Table/3 (descriptors by id) and /Table/30 (names), written by ordinary transactions,
 * so DDL rolls back with them (ROLLBACK TO included).
 */
#ifndef STORAGE_CATALOG_CATALOG_H
#define STORAGE_CATALOG_CATALOG_H

#include "storage/catalog/builtin.h"
#include "storage/txn/txn.h"

typedef struct Catalog Catalog;
typedef struct CatalogView CatalogView;

/* Loads every descriptor; on an empty store creates databases postgres and defaultdb with schema public, and the roles
 * postgres and root. builtins must outlive the catalog. */
Status catalog_open(Store *store, const Builtins *builtins, Catalog **catalog, Arena *arena, Error *err);
void catalog_close(Catalog *catalog);
const Builtins *catalog_builtins(const Catalog *catalog);

const CatalogSnapshot *catalog_snapshot(Catalog *catalog); /* takes a reference */
void catalog_release(const CatalogSnapshot *snapshot);
uint64_t catalog_version(const CatalogSnapshot *snapshot);
const Desc *catalog_snapshot_find(const CatalogSnapshot *snapshot, DescId id); /* NULL if there is none */

/* A view lives in a transaction: created at its first statement, refreshed at each statement at READ COMMITTED. It ends,
 * and publishes its changes if the transaction commits, through txn_on_end. */
CatalogView *catalog_view_create(Catalog *catalog, Txn *txn);
void catalog_view_refresh(CatalogView *view);
/* Has DDL been committed that this view does not see? */
bool catalog_view_is_behind(const CatalogView *view);
/* Is this descriptor, the view's own changes apart, still the newest? */
bool catalog_view_has_newest(const CatalogView *view, DescId id);
/* To be called after txn_rollback_to: reads back what this transaction has changed and still holds. */
Status catalog_view_rolled_back(CatalogView *view, Error *err);
/* The snapshot with the transaction's own changes in it; borrowed from the view. */
const CatalogSnapshot *catalog_view_snapshot(const CatalogView *view);
/* Differs whenever a plan made under another version may no longer hold. */
uint64_t catalog_view_version(const CatalogView *view);
Catalog *catalog_view_catalog(CatalogView *view);

/* ---- finding. NULL if there is none. Pointers are valid until the view is refreshed. ---- */
const Desc *catalog_find_id(const CatalogView *view, DescId id);
const Desc *catalog_find_database(const CatalogView *view, const char *name);
const Desc *catalog_find_schema(const CatalogView *view, DescId database, const char *name);
/* Tables, views, sequences and types share a namespace per schema. */
const Desc *catalog_find_object(const CatalogView *view, DescId schema, const char *name);
/* An index by name in a schema: its table and itself. */
const TableDesc *catalog_find_index(const CatalogView *view, DescId schema, const char *name, const IndexDesc **index);
const TableDesc *catalog_find_index_oid(const CatalogView *view, Oid oid, const IndexDesc **index);
const Desc *catalog_find_role(const CatalogView *view, const char *name);
const SystemRelation *catalog_find_system(const CatalogView *view, const char *schema, const char *name);
const SystemRelation *catalog_find_system_oid(const CatalogView *view, Oid oid);

/* Every descriptor of a kind below a parent (0: all), sorted by name. Returns how many; array in the arena. */
int catalog_list(const CatalogView *view, DescKind kind, DescId database, DescId schema, const Desc ***list, Arena *arena);

/* Function rows by name, all overloads; the array is shared and const. Names: "lower" or "crdb_internal.pretty_key"
 * or an operator symbol. */
int catalog_functions(const CatalogView *view, const char *name, const FuncDef *const **rows);
int catalog_aggregates(const CatalogView *view, const char *name, const AggDef *const **rows);
const WindowDef *catalog_window(const CatalogView *view, const char *name);
const FuncDef *catalog_function_oid(const CatalogView *view, Oid oid);

/* ---- changing, inside the view's transaction ---- */
Status catalog_new_id(CatalogView *view, DescId *id, Error *err); /* never reused, also not after a rollback */
/* Inserts or replaces; the descriptor is copied. Raises its version. 42P07 (or kin) if another object has the name. */
Status catalog_put(CatalogView *view, const Desc *desc, Error *err);
Status catalog_delete(CatalogView *view, DescId id, Error *err);
/* Makes a type that this transaction has created known to type_find. Committed ones and their changes are by themselves. */
Status catalog_define_type(const CatalogView *view, const TypeDesc *desc, Error *err);

/* ---- sequences: not transactional, as in PostgreSQL ---- */
Status sequence_next(Catalog *catalog, const SequenceDesc *sequence, int64_t *value, Error *err);
Status sequence_set(Catalog *catalog, const SequenceDesc *sequence, int64_t value, bool is_called, Error *err);
Status sequence_read(Catalog *catalog, const SequenceDesc *sequence, int64_t *last_value, bool *is_called, Error *err);
/* What nextval would answer after `last`. 2200H. */
Status sequence_after(const SequenceDesc *sequence, int64_t last, int64_t *next, Error *err);

/* What unique_rowid() returns: grows with time, and is never handed out twice, not even across a crash. */
Status catalog_row_id(Catalog *catalog, int64_t *id, Error *err);

/* ---- statistics ---- */
typedef struct ColumnStats {
    uint32_t column_id;
    double distinct, null_fraction;
    VEC(Value) histogram; /* bounds of equally filled steps, in the column's order */
    VEC(Value) common;    /* most common values */
    VEC(double) common_fraction;
} ColumnStats;
typedef struct TableStats {
    int64_t row_count;      /* live, from the range counters */
    int64_t bytes;
    int64_t analyzed_at_us; /* 0: ANALYZE has not run */
    VEC(ColumnStats) columns;
} TableStats;
/* Never NULL; zero counts for a system relation. Valid as long as the arena. */
const TableStats *catalog_table_stats(CatalogView *view, const TableDesc *table, Arena *arena);
Status catalog_put_stats(CatalogView *view, DescId table, const TableStats *stats, Error *err);

#endif
