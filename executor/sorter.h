/* sorter.h - sorts any number of rows: in memory up to work_mem, by merging sorted runs from files beyond it. */
#ifndef EXECUTOR_SORTER_H
#define EXECUTOR_SORTER_H

#include "executor/row_store.h"

typedef struct Sorter Sorter;

typedef struct SorterKey {
    int column;
    bool descending, nulls_first;
    const TypeDef *type;
} SorterKey;

/* The places of a plan's sort keys among its input's columns; in the arena. */
SorterKey *sorter_keys(const Plan *input, const SortKey *keys, int count, Arena *arena);
int sorter_compare(const SorterKey *keys, int count, const Value *a, const Value *b);

/* limit: only so many rows will be read; < 0: all. Rows that compare equal keep their order. */
Sorter *sorter_create(Exec *exec, const Plan *input, const SorterKey *keys, int key_count, int64_t limit, Arena *arena);
Status sorter_add(Sorter *sorter, const Batch *batch);
Status sorter_finish(Sorter *sorter);
/* Up to BATCH_ROWS_MAX rows; valid until the next call. ST_END. */
Status sorter_next(Sorter *sorter, Batch *batch);
uint64_t sorter_spilled(const Sorter *sorter);

#endif
