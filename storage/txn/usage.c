#include "storage/txn/usage.h"

#include <pthread.h>
#include <stdlib.h>

#include "storage/txn/txn_internal.h"

enum { SLOTS = 8192, ENTRIES_MAX = 6000 };

struct UsageTable {
    _Atomic(IndexUsage *) slots[SLOTS]; /* open addressing; entries are never removed */
    pthread_mutex_t mutex;              /* guards adding; nothing is taken under it */
    int count;
    IndexUsage others;
};

UsageTable *usage_table_create(void)
{
    UsageTable *table = calloc(1, sizeof *table);
    if (!table) abort();
    pthread_mutex_init(&table->mutex, NULL);
    return table;
}

void usage_table_destroy(UsageTable *table)
{
    if (!table) return;
    for (int i = 0; i < SLOTS; i++) free(atomic_load(&table->slots[i]));
    pthread_mutex_destroy(&table->mutex);
    free(table);
}

/* The slot of the index, or the free one where it belongs. */
static _Atomic(IndexUsage *) *find_slot(UsageTable *table, uint32_t table_id, uint32_t index_id)
{
    uint32_t at = (table_id * 31 + index_id) * UINT32_C(2654435761) >> 19;
    for (;; at = (at + 1) % SLOTS) {
        IndexUsage *entry = atomic_load_explicit(&table->slots[at], memory_order_acquire);
        if (!entry || (entry->table_id == table_id && entry->index_id == index_id)) return &table->slots[at];
    }
}

static IndexUsage *add_entry(UsageTable *table, uint32_t table_id, uint32_t index_id)
{
    pthread_mutex_lock(&table->mutex);
    _Atomic(IndexUsage *) *slot = find_slot(table, table_id, index_id);
    IndexUsage *entry = atomic_load(slot);
    if (!entry && table->count < ENTRIES_MAX) {
        entry = calloc(1, sizeof *entry);
        if (entry) {
            entry->table_id = table_id;
            entry->index_id = index_id;
            table->count++;
            atomic_store_explicit(slot, entry, memory_order_release);
        }
    }
    pthread_mutex_unlock(&table->mutex);
    return entry ? entry : &table->others;
}

IndexUsage *usage_of(Store *store, uint32_t table_id, uint32_t index_id)
{
    IndexUsage *entry = atomic_load_explicit(find_slot(store->usage, table_id, index_id), memory_order_acquire);
    return entry ? entry : add_entry(store->usage, table_id, index_id);
}

const IndexUsage *usage_find(Store *store, uint32_t table_id, uint32_t index_id)
{
    return atomic_load_explicit(find_slot(store->usage, table_id, index_id), memory_order_acquire);
}

void usage_reset_reads(Store *store)
{
    for (int i = 0; i < SLOTS; i++) {
        IndexUsage *entry = atomic_load_explicit(&store->usage->slots[i], memory_order_acquire);
        if (!entry) continue;
        atomic_store(&entry->full_scans, 0);
        atomic_store(&entry->full_rows, 0);
        atomic_store(&entry->scans, 0);
        atomic_store(&entry->rows, 0);
        atomic_store(&entry->last_read_us, 0);
    }
}
