/* Range boundaries are not transactional. Those of a new table or index are made at once, so that the statement's own
 * transaction sees them, and forgotten if it rolls back; those of a dropped one go when the drop has committed. A failure
 * to make or forget one costs nothing but the picture, so it is logged and not reported. */
#include "executor/ddl/ddl_internal.h"
#include "storage/base/log.h"
#include "storage/keys/row_key.h"
#include "storage/range/range.h"

/* ---- forgetting, when the transaction ends ---- */

typedef struct Forgetting {
    Directory *directory;
    Slice start, end; /* boundaries strictly inside go */
    bool on_commit;   /* else on rollback */
} Forgetting;

static void forget(void *argument, bool committed)
{
    Forgetting *f = argument;
    Error err = {0};
    if (committed == f->on_commit && directory_forget(f->directory, f->start, f->end, &err) != ST_OK)
        log_write(LOG_WARNING, "range boundaries were not removed: %s", err.message ? err.message : "unknown");
}

static Slice kept(Exec *exec, Buf *key)
{
    Slice copy = arena_slice(txn_arena(exec->txn), buf_slice(key));
    buf_clear(key);
    return copy;
}

static Forgetting *forget_at_end(Exec *exec, bool on_commit)
{
    Forgetting *f = ARENA_NEW(txn_arena(exec->txn), Forgetting);
    f->directory = store_directory(txn_store(exec->txn));
    f->on_commit = on_commit;
    txn_on_end(exec->txn, forget, f);
    return f;
}

static bool is_table(Exec *exec, DescId id)
{
    const Desc *desc = catalog_find_id(ddl_view(exec), id);
    return desc && desc->kind == DESC_TABLE;
}

/* The table's own start and end go too where no neighbour needs them. */
static void forget_table(Exec *exec, DescId table, bool on_commit)
{
    Forgetting *f = forget_at_end(exec, on_commit);
    Buf key = {0};
    row_key_table_prefix(is_table(exec, table - 1) ? table : table - 1, &key);
    f->start = kept(exec, &key);
    row_key_table_prefix(is_table(exec, table + 1) ? table + 1 : table + 2, &key);
    f->end = kept(exec, &key);
    buf_finish(&key);
}

static void forget_index(Exec *exec, DescId table, uint32_t index_id, bool on_commit)
{
    Forgetting *f = forget_at_end(exec, on_commit);
    Buf key = {0};
    row_key_index_prefix(table, index_id, &key);
    f->start = kept(exec, &key);
    row_key_index_prefix(table, index_id + 1, &key);
    f->end = kept(exec, &key);
    buf_finish(&key);
}

void ddl_forget_table(Exec *exec, DescId table)
{
    forget_table(exec, table, true);
}

void ddl_forget_index(Exec *exec, DescId table, uint32_t index_id)
{
    forget_index(exec, table, index_id, true);
}

/* ---- making ---- */

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

Status ddl_add_boundaries(Exec *exec, const TableDesc *before, const TableDesc *table, const IndexSplitVec *splits)
{
    Directory *directory = store_directory(txn_store(exec->txn));
    Slice *keys = ARENA_ARRAY(txn_arena(exec->txn), Slice, table->indexes.count + splits->count + 2);
    int count = 0;
    Buf key = {0};
    Status st = ST_OK;
    if (!before) {
        row_key_table_prefix(table->base.id, &key);
        keys[count++] = kept(exec, &key);
        row_key_table_prefix(table->base.id + 1, &key);
        keys[count++] = kept(exec, &key);
        forget_table(exec, table->base.id, false);
    }
    for (int i = before ? 0 : 1; i < table->indexes.count; i++) {
        uint32_t id = table->indexes.items[i].id;
        if (!is_new_index(before, id)) continue;
        row_key_index_prefix(table->base.id, id, &key);
        keys[count++] = kept(exec, &key);
        if (before) forget_index(exec, table->base.id, id, false);
    }
    for (int i = 0; i < splits->count && st == ST_OK; i++) {
        st = split_key(exec, table, &splits->items[i], &key);
        if (st == ST_OK) keys[count++] = kept(exec, &key);
    }
    buf_finish(&key);
    TRY(st);
    Error err = {0};
    if (count && directory_add_boundaries(directory, keys, count, &err) != ST_OK)
        log_write(LOG_WARNING, "range boundaries were not made: %s", err.message ? err.message : "unknown");
    return ST_OK;
}
