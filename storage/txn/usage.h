/* usage.h - how often each index has been read and each table changed since the store was opened.
 *
 * Counters are found without a lock and live until the store closes. There is room for some thousand indexes; what comes
 * later shares one counter that nobody shows. Any thread.
 */
#ifndef STORAGE_TXN_USAGE_H
#define STORAGE_TXN_USAGE_H

#include <stdatomic.h>

#include "storage/txn/txn.h"

typedef struct IndexUsage {
    uint32_t table_id, index_id;
    atomic_uint_fast64_t full_scans, full_rows; /* of the whole index */
    atomic_uint_fast64_t scans, rows;           /* of a part of it */
    _Atomic int64_t last_read_us;               /* since 1970; 0: never */
    atomic_uint_fast64_t inserted, updated, deleted; /* rows; in the primary index only */
} IndexUsage;

IndexUsage *usage_of(Store *store, uint32_t table_id, uint32_t index_id);
/* NULL: it has not been used. */
const IndexUsage *usage_find(Store *store, uint32_t table_id, uint32_t index_id);
void usage_reset_reads(Store *store);

static inline void usage_count(atomic_uint_fast64_t *counter, uint64_t n)
{
    atomic_fetch_add_explicit(counter, n, memory_order_relaxed);
}

/* ---- for store.c ---- */
typedef struct UsageTable UsageTable;
UsageTable *usage_table_create(void);
void usage_table_destroy(UsageTable *table);

#endif
