/* Range boundaries are not transactional. Those that a transaction wants are made in one go when it has committed, or before
 * that if it asks for ranges itself (then they are forgotten if it rolls back); those of what it drops go when the drop
 * has committed. A failure to make or forget one costs nothing but the picture, so it is logged and not reported. */
#include "executor/ddl/ddl_internal.h"
#include "executor/stmt_internal.h"
#include "storage/base/log.h"
#include "storage/keys/row_key.h"
#include "storage/range/range.h"

static void report(Status st, const Error *err)
{
    if (st != ST_OK) log_write(LOG_WARNING, "range boundaries were not changed: %s", err->message ? err->message : "unknown");
}

/* ---- forgetting what is dropped ---- */

typedef struct Forgetting {
    Directory *directory;
    Slice start, end; /* boundaries strictly inside go */
} Forgetting;

static void forget(void *argument, bool committed)
{
    Forgetting *f = argument;
    Error err = {0};
    if (committed) report(directory_forget(f->directory, f->start, f->end, &err), &err);
}

static Slice kept(Exec *exec, Buf *key)
{
    Slice copy = arena_slice(txn_arena(exec->txn), buf_slice(key));
    buf_clear(key);
    return copy;
}

static bool is_table(Exec *exec, DescId id)
{
    const Desc *desc = catalog_find_id(ddl_view(exec), id);
    return desc && desc->kind == DESC_TABLE;
}

/* The table's own start and end go too where no neighbour needs them. */
static void span_of_table(Exec *exec, DescId table, Forgetting *f)
{
    Buf key = {0};
    row_key_table_prefix(is_table(exec, table - 1) ? table : table - 1, &key);
    f->start = kept(exec, &key);
    row_key_table_prefix(is_table(exec, table + 1) ? table + 1 : table + 2, &key);
    f->end = kept(exec, &key);
    buf_finish(&key);
}

static void span_of_index(Exec *exec, DescId table, uint32_t index_id, Forgetting *f)
{
    Buf key = {0};
    row_key_index_prefix(table, index_id, &key);
    f->start = kept(exec, &key);
    row_key_index_prefix(table, index_id + 1, &key);
    f->end = kept(exec, &key);
    buf_finish(&key);
}

void ddl_forget_table(Exec *exec, DescId table)
{
    Forgetting *f = ARENA_NEW(txn_arena(exec->txn), Forgetting);
    f->directory = store_directory(txn_store(exec->txn));
    span_of_table(exec, table, f);
    txn_on_end(exec->txn, forget, f);
}

void ddl_forget_index(Exec *exec, DescId table, uint32_t index_id)
{
    Forgetting *f = ARENA_NEW(txn_arena(exec->txn), Forgetting);
    f->directory = store_directory(txn_store(exec->txn));
    span_of_index(exec, table, index_id, f);
    txn_on_end(exec->txn, forget, f);
}

/* ---- what a transaction wants made ---- */

typedef struct Wanted {
    DescId table;
    Slice *keys;
    int count;
    bool made;
    Forgetting undo;
} Wanted;

struct PendingBoundaries {
    SessionState *session;
    Catalog *catalog;
    Arena *arena; /* the transaction's */
    VEC(Wanted) wanted;
};

static void make(PendingBoundaries *p, const CatalogSnapshot *only_tables_of)
{
    VEC(Slice) keys = {0};
    for (int i = 0; i < p->wanted.count; i++) {
        Wanted *w = &p->wanted.items[i];
        /* A table that ROLLBACK TO took back is not in the catalog. */
        if (w->made || (only_tables_of && !catalog_snapshot_find(only_tables_of, w->table))) continue;
        for (int k = 0; k < w->count; k++) VEC_PUSH(p->arena, keys, w->keys[k]);
        w->made = true;
    }
    Error err = {0};
    if (keys.count) report(directory_add_boundaries(store_directory(p->session->server->store), keys.items, keys.count, &err), &err);
}

static void transaction_ended(void *argument, bool committed)
{
    PendingBoundaries *p = argument;
    p->session->boundaries = NULL;
    if (committed) {
        const CatalogSnapshot *snapshot = catalog_snapshot(p->catalog);
        make(p, snapshot);
        catalog_release(snapshot);
        return;
    }
    for (int i = 0; i < p->wanted.count; i++)
        if (p->wanted.items[i].made) forget(&p->wanted.items[i].undo, true);
}

static PendingBoundaries *pending(Exec *exec)
{
    SessionState *session = state_of(exec->session);
    if (session->boundaries) return session->boundaries;
    PendingBoundaries *p = ARENA_NEW(txn_arena(exec->txn), PendingBoundaries);
    p->session = session;
    p->catalog = catalog_view_catalog(ddl_view(exec));
    p->arena = txn_arena(exec->txn);
    session->boundaries = p;
    txn_on_end(exec->txn, transaction_ended, p);
    return p;
}

void ddl_settle_boundaries(Session *session)
{
    SessionState *state = state_of(session);
    if (state->boundaries) make(state->boundaries, NULL);
}

static Status split_key(Exec *exec, const TableDesc *table, const IndexSplit *split, Buf *key)
{
    const IndexDesc *index = table_index_by_id(table, split->index_id);
    TableAccess *access = table_access_create(table, exec->arena);
    Buf prefix = {0};
    Status st = index_key_prefix(access, index, split->values, split->count, split->behind ? &prefix : key, exec->err);
    if (st == ST_OK && split->behind) row_key_prefix_end(buf_slice(&prefix), key);
    buf_finish(&prefix);
    return st;
}

static bool is_new_index(const TableDesc *before, uint32_t index_id)
{
    return !before || !table_index_by_id(before, index_id);
}

static void want_key(Exec *exec, Wanted *w, Buf *key)
{
    w->keys[w->count++] = kept(exec, key);
}

Status ddl_add_boundaries(Exec *exec, const TableDesc *before, const TableDesc *table, const IndexSplitVec *splits)
{
    Wanted w = {.table = table->base.id, .undo.directory = store_directory(txn_store(exec->txn))};
    w.keys = ARENA_ARRAY(txn_arena(exec->txn), Slice, table->indexes.count + splits->count + 2);
    Buf key = {0};
    Status st = ST_OK;
    if (!before) {
        row_key_table_prefix(table->base.id, &key);
        want_key(exec, &w, &key);
        row_key_table_prefix(table->base.id + 1, &key);
        want_key(exec, &w, &key);
        span_of_table(exec, table->base.id, &w.undo);
    }
    for (int i = before ? 0 : 1; i < table->indexes.count; i++) {
        uint32_t id = table->indexes.items[i].id;
        if (!is_new_index(before, id)) continue;
        row_key_index_prefix(table->base.id, id, &key);
        want_key(exec, &w, &key);
        if (before) span_of_index(exec, table->base.id, id, &w.undo);
    }
    for (int i = 0; i < splits->count && st == ST_OK; i++) {
        st = split_key(exec, table, &splits->items[i], &key);
        if (st == ST_OK) want_key(exec, &w, &key);
    }
    buf_finish(&key);
    PendingBoundaries *p = pending(exec);
    if (st == ST_OK && w.count) VEC_PUSH(p->arena, p->wanted, w);
    return st;
}
