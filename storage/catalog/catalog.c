#include "storage/catalog/catalog.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "storage/catalog/catalog_internal.h"
#include "storage/catalog/catalog_store.h"
#include "storage/catalog/desc_codec.h"

/* ---- opening ---- */

static Status put_new(Txn *txn, const Desc *desc, Error *err)
{
    return store_put_desc(txn, NULL, desc, err);
}

static Status bootstrap(Txn *txn, Error *err)
{
    const RoleDesc roles[] = {
        {{.kind = DESC_ROLE, .id = ID_ROLE_POSTGRES, .version = 1, .name = "postgres", .owner = "postgres"},
         true, true, true, true, NULL, .replication = true, .bypass_rls = true},
        {{.kind = DESC_ROLE, .id = ID_ROLE_ROOT, .version = 1, .name = "root", .owner = "postgres"},
         true, true, true, true, NULL, .replication = true, .bypass_rls = true},
    };
    const DatabaseDesc databases[] = {
        {{.kind = DESC_DATABASE, .id = ID_DATABASE_DEFAULTDB, .name = "defaultdb", .version = 1, .owner = "postgres"}},
        {{.kind = DESC_DATABASE, .id = ID_DATABASE_POSTGRES, .name = "postgres", .version = 1, .owner = "postgres"}},
    };
    const SchemaDesc schemas[] = {
        {{.kind = DESC_SCHEMA, .id = ID_SCHEMA_DEFAULTDB_PUBLIC, .parent_database = ID_DATABASE_DEFAULTDB,
         .name = "public", .version = 1, .owner = "pg_database_owner"}},
        {{.kind = DESC_SCHEMA, .id = ID_SCHEMA_POSTGRES_PUBLIC, .parent_database = ID_DATABASE_POSTGRES,
         .name = "public", .version = 1, .owner = "pg_database_owner"}},
    };
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) TRY(put_new(txn, &roles[i].base, err));
    for (size_t i = 0; i < sizeof databases / sizeof *databases; i++) TRY(put_new(txn, &databases[i].base, err));
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) TRY(put_new(txn, &schemas[i].base, err));
    return ST_OK;
}

/* Reads what the store holds into the first snapshot. An empty store is furnished first. */
static Status load(Catalog *catalog, bool may_bootstrap, bool *empty, Error *err)
{
    Txn *txn;
    TRY(txn_begin(catalog->store, &(TxnOptions){.synchronous_commit = true}, &txn, err));
    Arena *scratch = arena_create(NULL, 0);
    CatalogChange *changes = NULL;
    int count = 0;
    Status st = txn_statement_begin(txn, err);
    if (st == ST_OK) st = store_load(txn, &changes, &count, scratch, err);
    *empty = st == ST_OK && count == 0;
    if (st == ST_OK && *empty && may_bootstrap) st = bootstrap(txn, err);
    if (st == ST_OK)
        st = txn_commit(txn, err);
    else
        txn_rollback(txn);
    if (st == ST_OK) catalog_publish(catalog, changes, count);
    for (int i = 0; i < count; i++) {
        entry_release(changes[i].desc);
        entry_release(changes[i].stats);
    }
    arena_destroy(scratch);
    return st;
}

Status catalog_open(Store *store, const Builtins *builtins, Catalog **catalog, Arena *arena, Error *err)
{
    Catalog *c = ARENA_NEW(arena, Catalog);
    c->store = store;
    c->builtins = builtins;
    c->arena = arena;
    c->current = snapshot_empty();
    c->newest = catalog_version(c->current);
    c->sequences = sequence_cache_create(arena);
    pthread_mutex_init(&c->row_ids.mutex, NULL);
    pthread_mutex_init(&c->mutex, NULL);
    builtin_index_build(c);
    bool empty;
    Status st = load(c, true, &empty, err);
    if (st == ST_OK && empty) st = load(c, false, &empty, err);
    if (st == ST_OK)
        *catalog = c;
    else
        catalog_close(c);
    return st;
}

void catalog_close(Catalog *catalog)
{
    if (!catalog) return;
    sequence_cache_close(catalog);
    row_ids_close(catalog);
    catalog_release(catalog->current);
    pthread_mutex_destroy(&catalog->mutex);
}

const Builtins *catalog_builtins(const Catalog *catalog)
{
    return catalog->builtins;
}

const CatalogSnapshot *catalog_snapshot(Catalog *catalog)
{
    pthread_mutex_lock(&catalog->mutex);
    const CatalogSnapshot *snapshot = snapshot_retain(catalog->current);
    pthread_mutex_unlock(&catalog->mutex);
    return snapshot;
}

void catalog_publish(Catalog *catalog, const CatalogChange *changes, int count)
{
    pthread_mutex_lock(&catalog->mutex);
    const CatalogSnapshot *old = catalog->current;
    CatalogSnapshot *derived = snapshot_derive(old, changes, count, catalog_version(old) + 1);
    snapshot_define_types(derived, changes, count); /* before anybody can meet a column of the type */
    catalog->current = derived;
    atomic_store(&catalog->newest, catalog_version(catalog->current));
    pthread_mutex_unlock(&catalog->mutex);
    catalog_release(old);
}

/* ---- views ---- */

/* Versions of views with changes of their own come from one counter and have the top bit, so none equals another's. */
static uint64_t next_own_version(void)
{
    static _Atomic uint64_t counter;
    return UINT64_C(1) << 63 | atomic_fetch_add(&counter, 1);
}

static void view_ended(void *argument, bool committed)
{
    CatalogView *view = argument;
    if (committed && view->changes.count) catalog_publish(view->catalog, view->changes.items, view->changes.count);
    for (int i = 0; i < view->made.count; i++) entry_release(view->made.items[i]);
    catalog_release(view->current);
    catalog_release(view->base);
}

CatalogView *catalog_view_create(Catalog *catalog, Txn *txn)
{
    CatalogView *view = ARENA_NEW(txn_arena(txn), CatalogView);
    view->catalog = catalog;
    view->txn = txn;
    view->base = catalog_snapshot(catalog);
    view->current = snapshot_retain(view->base);
    txn_on_end(txn, view_ended, view);
    return view;
}

static void view_rederive(CatalogView *view)
{
    catalog_release(view->current);
    if (view->changes.count == 0) {
        view->current = snapshot_retain(view->base);
        view->own_version = 0;
        return;
    }
    view->own_version = next_own_version();
    view->current = snapshot_derive(view->base, view->changes.items, view->changes.count, view->own_version);
}

/* After ROLLBACK TO the overlay is the truth: reads back each record this view had changed. Its lock is still held, so
 * one that equals the base's version is as it was before this transaction. */
static Status reload_change(CatalogView *view, CatalogChange *change, Error *err)
{
    if (change->desc_changed) {
        Entry *base = snapshot_find_entry(view->base, change->id);
        TRY(store_get_desc(view->txn, change->id, &change->desc, err));
        if (change->desc) VEC_PUSH(txn_arena(view->txn), view->made, change->desc);
        change->desc_changed = change->desc ? !base || base->desc->version != change->desc->desc->version : base != NULL;
    }
    if (change->stats_changed) {
        TRY(store_get_stats(view->txn, change->id, &change->stats, err));
        if (change->stats) VEC_PUSH(txn_arena(view->txn), view->made, change->stats);
    }
    return ST_OK;
}

Status catalog_view_rolled_back(CatalogView *view, Error *err)
{
    if (view->changes.count == 0) return ST_OK;
    int kept = 0;
    Status st = ST_OK;
    for (int i = 0; i < view->changes.count && st == ST_OK; i++) {
        CatalogChange change = view->changes.items[i];
        st = reload_change(view, &change, err);
        if (change.desc_changed || change.stats_changed) view->changes.items[kept++] = change;
    }
    view->changes.count = kept;
    view_rederive(view);
    return st;
}

void catalog_view_refresh(CatalogView *view)
{
    const CatalogSnapshot *newest = catalog_snapshot(view->catalog);
    if (newest == view->base) {
        catalog_release(newest);
        return;
    }
    catalog_release(view->base);
    view->base = newest;
    view_rederive(view);
}

bool catalog_view_is_behind(const CatalogView *view)
{
    return catalog_version(view->base) != atomic_load(&view->catalog->newest);
}

bool catalog_view_has_newest(const CatalogView *view, DescId id)
{
    if (!catalog_view_is_behind(view)) return true;
    const Desc *seen = snapshot_find_id(view->base, id);
    const CatalogSnapshot *newest = catalog_snapshot(view->catalog);
    const Desc *now = snapshot_find_id(newest, id);
    bool same = seen && now ? seen->version == now->version : seen == now;
    catalog_release(newest);
    return same;
}

uint64_t catalog_view_version(const CatalogView *view)
{
    return view->own_version ? view->own_version : catalog_version(view->base);
}

Catalog *catalog_view_catalog(CatalogView *view)
{
    return view->catalog;
}

const CatalogSnapshot *catalog_view_snapshot(const CatalogView *view)
{
    return view->current;
}

/* ---- finding ---- */

const Desc *catalog_find_id(const CatalogView *view, DescId id)
{
    return snapshot_find_id(view->current, id);
}

const Desc *catalog_find_database(const CatalogView *view, const char *name)
{
    return snapshot_find_name(view->current, NAME_DATABASE, 0, name, NULL);
}

const Desc *catalog_find_schema(const CatalogView *view, DescId database, const char *name)
{
    return snapshot_find_name(view->current, NAME_SCHEMA, database, name, NULL);
}

const Desc *catalog_find_object(const CatalogView *view, DescId schema, const char *name)
{
    uint32_t index_id = 0;
    const Desc *desc = snapshot_find_name(view->current, NAME_OBJECT, schema, name, &index_id);
    return index_id ? NULL : desc;
}

const TableDesc *catalog_find_index(const CatalogView *view, DescId schema, const char *name, const IndexDesc **index)
{
    uint32_t index_id = 0;
    const Desc *desc = snapshot_find_name(view->current, NAME_OBJECT, schema, name, &index_id);
    if (!desc || !index_id) return NULL;
    const TableDesc *table = (const TableDesc *)desc;
    if (index) *index = table_index_by_id(table, index_id);
    return table;
}

const TableDesc *catalog_find_index_oid(const CatalogView *view, Oid oid, const IndexDesc **index)
{
    if (!(oid & UINT32_C(0x80000000))) return NULL;
    uint32_t index_id = oid & ((1u << INDEX_OID_BITS) - 1);
    DescId low = (oid & UINT32_C(0x7fffffff)) >> INDEX_OID_BITS;
    /* The OID has only the low bits of the table's id; few stores ever give out a second one with the same. */
    for (uint64_t id = low; id < UINT64_C(64) * INDEX_OID_TABLES; id += INDEX_OID_TABLES) {
        const Desc *desc = catalog_find_id(view, (DescId)id);
        const IndexDesc *found = desc && desc->kind == DESC_TABLE ? table_index_by_id((const TableDesc *)desc, index_id) : NULL;
        if (!found) continue;
        if (index) *index = found;
        return (const TableDesc *)desc;
    }
    return NULL;
}

const Desc *catalog_find_role(const CatalogView *view, const char *name)
{
    return snapshot_find_name(view->current, NAME_ROLE, 0, name, NULL);
}

typedef struct Listing {
    DescKind kind;
    DescId database, schema;
    Arena *arena;
    VEC(const Desc *) found;
} Listing;

static void list_one(void *argument, const Desc *desc)
{
    Listing *listing = argument;
    if (desc->kind != listing->kind) return;
    if (listing->database && desc->parent_database != listing->database) return;
    if (listing->schema && desc->parent_schema != listing->schema) return;
    VEC_PUSH(listing->arena, listing->found, desc);
}

static int by_name(const void *a, const void *b)
{
    const Desc *x = *(const Desc *const *)a, *y = *(const Desc *const *)b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->id > y->id) - (x->id < y->id);
}

int catalog_list(const CatalogView *view, DescKind kind, DescId database, DescId schema, const Desc ***list, Arena *arena)
{
    Listing listing = {kind, database, schema, arena, {0}};
    snapshot_each(view->current, list_one, &listing);
    if (listing.found.count) qsort(listing.found.items, (size_t)listing.found.count, sizeof(Desc *), by_name);
    *list = listing.found.items;
    return listing.found.count;
}

/* ---- changing ---- */

static CatalogChange *change_of(CatalogView *view, DescId id)
{
    for (int i = view->changes.count - 1; i >= 0; i--)
        if (view->changes.items[i].id == id) return &view->changes.items[i];
    VEC_PUSH(txn_arena(view->txn), view->changes, (CatalogChange){.id = id});
    return &VEC_LAST(view->changes);
}

/* Applies one change to the view's snapshot: cheaper than deriving from the base again. */
static void apply_change(CatalogView *view, const CatalogChange *change)
{
    view->own_version = next_own_version();
    const CatalogSnapshot *old = view->current;
    view->current = snapshot_derive(old, change, 1, view->own_version);
    catalog_release(old);
}

/* Descriptors share pg_class with system relations and pg_type with the types that the binary brings along. */
static bool is_taken(const CatalogView *view, DescId id)
{
    const Builtins *builtins = view->catalog->builtins;
    if (catalog_find_system_oid(view, id) || type_find(id)) return true;
    return builtins->reg_name && builtins->reg_name(OID_REGTYPE, id);
}

Status catalog_new_id(CatalogView *view, DescId *id, Error *err)
{
    do {
        int64_t value;
        TRY(sequence_next_id(view->catalog, &value, err));
        *id = (DescId)value;
    } while (is_taken(view, *id));
    return ST_OK;
}

static Status check_name_free(CatalogView *view, const Desc *desc, Error *err)
{
    NameUse *uses;
    int count = name_uses(desc, &uses, txn_arena(view->txn));
    for (int i = 0; i < count; i++) {
        const Desc *other = snapshot_find_name(view->current, uses[i].class, uses[i].parent, uses[i].name, NULL);
        if (other && other->id != desc->id) return store_name_taken(desc, uses[i].name, txn_arena(view->txn), err);
    }
    return ST_OK;
}

Status catalog_put(CatalogView *view, const Desc *desc, Error *err)
{
    assert(desc->id && desc->name);
    const Desc *old = catalog_find_id(view, desc->id);
    TRY(check_name_free(view, desc, err));
    Arena *arena = arena_create(NULL, 0);
    Desc *copy = desc_copy(desc, arena);
    copy->version = old ? old->version + 1 : 1;
    Entry *entry = entry_create(arena, copy);
    VEC_PUSH(txn_arena(view->txn), view->made, entry);
    TRY(store_put_desc(view->txn, old, copy, err));
    CatalogChange *change = change_of(view, desc->id);
    change->desc_changed = true;
    change->desc = entry;
    apply_change(view, &(CatalogChange){.id = desc->id, .desc = entry, .desc_changed = true});
    return ST_OK;
}

Status catalog_delete(CatalogView *view, DescId id, Error *err)
{
    const Desc *old = catalog_find_id(view, id);
    assert(old);
    TRY(store_delete_desc(view->txn, old, err));
    CatalogChange *change = change_of(view, id);
    *change = (CatalogChange){.id = id, .desc_changed = true, .stats_changed = true};
    apply_change(view, &(CatalogChange){.id = id, .desc_changed = true, .stats_changed = true});
    return ST_OK;
}

void catalog_view_note_stats(CatalogView *view, DescId table_id, Entry *entry)
{
    CatalogChange *change = change_of(view, table_id);
    change->stats_changed = true;
    change->stats = entry;
    apply_change(view, &(CatalogChange){.id = table_id, .stats = entry, .stats_changed = true});
}
