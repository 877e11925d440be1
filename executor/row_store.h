/* row_store.h - rows kept aside: to be read again, or after their source has ended.
 *
 * Rows are copied in, bytes included, in chunks of column vectors; a chunk read back is a Batch without further copying.
 * Beyond the statement's work_mem full chunks go to a temporary file. Reading may begin when writing is over, any number
 * of times, by several readers.
 */
#ifndef EXECUTOR_ROW_STORE_H
#define EXECUTOR_ROW_STORE_H

#include "executor/ops/exec.h"

typedef struct RowStore RowStore;

/* types: one per column; copied. The store is emptied and its file closed when the arena is reset. */
RowStore *row_store_create(Exec *exec, const TypeDef *const *types, int width, Arena *arena);
Status row_store_add_batch(RowStore *store, const Batch *batch);
Status row_store_add(RowStore *store, const Value *row);
/* Everything that op returns, until its end. */
Status row_store_add_all(RowStore *store, Op *op);
/* Keeps nothing in memory but the chunk being filled; row_store_spill writes that one too. */
void row_store_spill_always(RowStore *store);
Status row_store_spill(RowStore *store);
void row_store_clear(RowStore *store);
int64_t row_store_rows(const RowStore *store);
uint64_t row_store_spilled(const RowStore *store); /* bytes written to the file */

typedef struct RowReader {
    RowStore *store;
    int chunk;
    Arena *arena;    /* holds the chunk that was loaded from the file */
    Value **columns;
} RowReader;

void row_reader_init(RowReader *reader, RowStore *store, Arena *arena);
void row_reader_rewind(RowReader *reader);
/* The next chunk, valid until the next call; ST_END. */
Status row_reader_next(RowReader *reader, Batch *batch);

#endif
