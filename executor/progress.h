/* progress.h - how far a session's COPY or CREATE INDEX has come, for pg_stat_progress_copy and _create_index.
 *
 * A session has one slot, which its own thread writes and any thread reads; numbers of one moment need not fit together.
 */
#ifndef EXECUTOR_PROGRESS_H
#define EXECUTOR_PROGRESS_H

#include <stdatomic.h>

#include "storage/base/err.h"

typedef enum ProgressCommand { PROGRESS_NONE, PROGRESS_COPY_FROM, PROGRESS_COPY_TO, PROGRESS_CREATE_INDEX } ProgressCommand;

/* LOADING: the entries are there, sorted, and go down with the transaction. */
typedef enum IndexPhase { INDEX_PHASE_SCANNING, INDEX_PHASE_LOADING } IndexPhase;

typedef struct Progress {
    _Atomic int command; /* ProgressCommand; written last when it begins */
    _Atomic uint32_t table, index; /* as pg_class knows them; 0: none */
    _Atomic int phase;   /* IndexPhase */
    _Atomic int64_t bytes, rows, rows_total; /* rows_total: 0 if it is not known */
} Progress;

typedef struct ProgressStart {
    ProgressCommand command;
    uint32_t table, index;
    int64_t rows_total;
} ProgressStart;

static inline void progress_begin(Progress *progress, const ProgressStart *start)
{
    atomic_store(&progress->table, start->table);
    atomic_store(&progress->index, start->index);
    atomic_store(&progress->phase, INDEX_PHASE_SCANNING);
    atomic_store(&progress->bytes, 0);
    atomic_store(&progress->rows, 0);
    atomic_store(&progress->rows_total, start->rows_total);
    atomic_store(&progress->command, start->command);
}

static inline void progress_set(Progress *progress, int64_t bytes, int64_t rows)
{
    atomic_store_explicit(&progress->bytes, bytes, memory_order_relaxed);
    atomic_store_explicit(&progress->rows, rows, memory_order_relaxed);
}

static inline void progress_end(Progress *progress)
{
    atomic_store(&progress->command, PROGRESS_NONE);
}

#endif
