/* store.c - an open data directory: engine, locks, range directory. */
#include <assert.h>
#include <stdlib.h>

#include "storage/range/range.h"
#include "storage/txn/txn_internal.h"

enum { SESSIONS_DEFAULT = 1024, SERVICE_SNAPSHOTS = 64, WRITES_BYTES_DEFAULT = 16 << 20 };

/* The range directory observes the engine's commits, so it comes before the first transaction. */
static Status directory_start(Store *store, const StoreOptions *options, Arena *arena, Error *err)
{
    TRY(directory_open(store->kv, options->nodes > 0 ? options->nodes : 1, &store->directory, arena, err));
    if (!options->no_services) store->range_service = range_service_start(store->directory);
    return ST_OK;
}

static void directory_stop(Store *store)
{
    range_service_stop(store->range_service);
    directory_close(store->directory);
    store->directory = NULL;
}

Status store_open(const char *directory, const StoreOptions *options, Store **out, Arena *arena, Error *err)
{
    int sessions = options->sessions_max > 0 ? options->sessions_max : SESSIONS_DEFAULT;
    /* A session reads from one snapshot and now and then from the newest one; old scans hold a third. */
    KvOptions kv_options = {.no_sync = options->no_sync, .readers_max = sessions * 3 + SERVICE_SNAPSHOTS};
    Kv *kv;
    *out = NULL;
    TRY(kv_open(options->engine ? options->engine : "lmdb", directory, &kv_options, &kv, arena, err));
    Store *store = calloc(1, sizeof *store);
    if (!store) abort();
    store->kv = kv;
    store->path = strdup(directory ? directory : ".");
    if (!store->path) abort();
    store->writes_bytes_max = options->writes_bytes_max ? options->writes_bytes_max : WRITES_BYTES_DEFAULT;
    store->locks = lock_table_create();
    store->usage = usage_table_create();
    pthread_mutex_init(&store->idle_mutex, NULL);
    if (directory_start(store, options, arena, err) != ST_OK) {
        store_close(store);
        return ST_ERROR;
    }
    *out = store;
    return ST_OK;
}

void txn_destroy(Txn *txn)
{
    txn_scans_destroy(txn);
    range_notes_destroy(txn->notes);
    lock_owner_destroy(txn->owner);
    arena_destroy(txn->arena);
    free(txn->current);
    free(txn->spare);
    free(txn->batch_keys);
    free(txn->batch_values);
    free(txn->batch_found);
    free(txn->batch_places);
    free(txn);
}

void store_close(Store *store)
{
    if (!store) return;
    for (Txn *txn = store->idle, *next; txn; txn = next) {
        next = txn->next;
        txn_destroy(txn);
    }
    directory_stop(store);
    lock_table_destroy(store->locks);
    usage_table_destroy(store->usage);
    kv_close(store->kv);
    free(store->path);
    pthread_mutex_destroy(&store->idle_mutex);
    free(store);
}

uint64_t store_version(const Store *store)
{
    return kv_version(store->kv);
}

Directory *store_directory(Store *store)
{
    return store->directory;
}

Kv *store_kv(Store *store)
{
    return store->kv;
}
