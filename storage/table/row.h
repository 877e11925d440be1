/* row.h - a table's rows as key-value pairs: writing, fetching, scanning.
 *
 * A row is an array of Values in ordinal order of TableDesc.columns, virtual computed columns included (the caller has
 * computed them). Writers keep every index in step; readers fill only the columns asked for.
 * A column that a row was written without reads as ColumnDesc.absent_text says, NULL by default.
 * TableAccess is what both need of a table, made once per plan from its descriptor; read-only afterwards.
 */
#ifndef STORAGE_TABLE_ROW_H
#define STORAGE_TABLE_ROW_H

#include "storage/catalog/desc.h"
#include "storage/txn/txn.h"

typedef struct TableAccess TableAccess;

/* table must outlive it. */
TableAccess *table_access_create(const TableDesc *table, Arena *arena);

/* ---- keys ---- */

/* /Table/<id>/<index> as bytes, and its end. */
/* Both Bufs are cleared first; end may be NULL. */
void index_span(DescId table_id, uint32_t index_id, Buf *start, Buf *end);
void table_span(DescId table_id, Buf *start, Buf *end);
/* Appends /Table/<id>/<index> and the encoding of the first `count` key columns (values in key order, suffix columns after
 * the declared ones). */
Status index_key_prefix(const TableAccess *access, const IndexDesc *index, const Value *values, int count, Buf *key, Error *err);

/* Appends the whole key of a row's entry in a unique index none of whose columns is NULL; only those columns are looked at. */
Status index_unique_key(const TableAccess *access, const IndexDesc *index, const Value *row, Buf *key, Error *err);

/* ---- writing ---- */

typedef struct RowWriter RowWriter;
/* in_predicate[i]: for the i-th index, whether the row satisfies its partial predicate; NULL: all do. */
typedef struct RowImage {
    const Value *values;
    const bool *in_predicate;
} RowImage;

/* One writer per DML operator; its arena is reset per row. */
RowWriter *row_writer_create(const TableAccess *access, Txn *txn, Arena *arena);
/* 23502 NOT NULL, 23505 with constraint name and `Key (a)=(1) already exists.` */
Status row_insert(RowWriter *writer, RowImage row, Error *err);
/* *conflict: the index that already has the key (arbiter NULL: any unique index); nothing is written then, and
 * existing_key gets the primary key bytes of the row in the way, locked, valid until the writer's next call.
 * *conflict NULL: inserted. */
Status row_insert_or_find(RowWriter *writer, RowImage row, const IndexDesc *const *arbiters, int arbiter_count,
                          const IndexDesc **conflict, Slice *existing_key, Error *err);
/* Key columns may change: the row moves. Only entries that differ are rewritten. */
Status row_update(RowWriter *writer, RowImage before, RowImage after, Error *err);
Status row_delete(RowWriter *writer, RowImage before, Error *err);
/* The pairs that an insert of this row would write, for EXPLAIN (KEYS); called once per pair. */
typedef void (*RowPairFn)(void *argument, const IndexDesc *index, Slice key, Slice value);
Status row_pairs(RowWriter *writer, RowImage row, RowPairFn each, void *argument, Error *err);

/* ---- reading ---- */

/* Appends the primary key (whole, without family suffix) of a row from its values. */
Status row_primary_key(const TableAccess *access, const Value *values, Buf *key, Error *err);

/* Fetches rows by primary key bytes (without family suffix), n at once. columns: ordinals wanted; out[c][i] gets column
 * columns[c] of row i; found[i] false if there is no such row. Values borrow from the map: see txn.h. Virtual computed
 * columns that are not in the primary key come back NULL: the plan computes them. */
Status row_fetch(const TableAccess *access, Txn *txn, const Slice *keys, int n, const int *columns, int column_count,
                 Value **out, bool *found, Arena *arena, Error *err);
/* Locks the row, then reads its newest version (READ COMMITTED rechecks with it). ST_END: LOCK_SKIP and locked. */
Status row_fetch_locked(const TableAccess *access, Txn *txn, Slice key, LockMode mode, LockWait wait, const int *columns,
                        int column_count, Value *out, bool *found, Arena *arena, Error *err);

/* Books look-ups by row_fetch as reads of the index, for statistics; scans book themselves. */
void index_count_reads(const TableAccess *access, Txn *txn, const IndexDesc *index, uint64_t scans, uint64_t rows);

typedef struct TableScan TableScan;

typedef struct KeySpan {
    Slice start, end; /* start <= key < end; whole keys with table and index prefix */
} KeySpan;

typedef struct TableScanOptions {
    const IndexDesc *index;
    const KeySpan *spans; /* sorted, disjoint; a descending scan goes through them from the last */
    int span_count;
    bool descending;
    const int *columns; /* ordinals; each must be in the index's key, suffix or value */
    int column_count;
    uint64_t limit_hint; /* rows probably wanted; 0 unknown */
    bool want_keys;      /* also hand out each row's primary key bytes */
} TableScanOptions;

Status table_scan_open(const TableAccess *access, Txn *txn, const TableScanOptions *options, TableScan **scan,
                       Arena *arena, Error *err);
/* Up to rows_max rows: out[c][i]; primary_keys[i] if wanted. *rows > 0, or ST_END. Values are valid until the next call. */
Status table_scan_next(TableScan *scan, Value **out, Slice *primary_keys, int rows_max, int *rows, Error *err);
/* Jumps ahead to the first key >= key (descending: < key) inside the spans. */
Status table_scan_seek(TableScan *scan, Slice key, Error *err);
void table_scan_close(TableScan *scan);

/* ---- pairs as people read them ---- */

typedef struct PairColumn {
    int ordinal;
    Value value;
} PairColumn;

typedef struct PairContents {
    PairColumn *key; /* in key order; fewer than the index has if the key is cut short */
    int key_count;
    PairColumn *value; /* what the value holds besides, the rest of a unique entry's primary key first */
    int value_count;
    uint32_t family;
    bool whole; /* the key is a pair's: it ends in a family */
} PairContents;

/* What a key of this index, and its value if there is one, say. false: not a key of the index, or a damaged value.
 * Values borrow from the pair or lie in the arena. */
bool pair_read(const TableAccess *access, const IndexDesc *index, Slice key, const Slice *value, PairContents *out,
               Arena *arena);

/* ---- whole tables ---- */

/* Fills one index from the rows of the primary index. compute fills the virtual columns of a row and says whether it
 * satisfies the predicate. 23505 with the first duplicate. Bounded memory. */
typedef Status (*BackfillCompute)(void *argument, Value *row, bool *in_predicate, Error *err);
Status index_backfill(const TableAccess *access, Txn *txn, const IndexDesc *index, BackfillCompute compute,
                      void *argument, Error *err);
/* Deletes all pairs of the table (TRUNCATE, DROP) or of one index, and, once committed, the splits inside its indexes. */
Status table_clear(Txn *txn, const TableDesc *table, Error *err);
Status index_clear(Txn *txn, DescId table_id, uint32_t index_id, Error *err);

#endif
