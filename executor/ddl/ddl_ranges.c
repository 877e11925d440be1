/* Range boundaries follow the catalog: they are made once the table exists for everybody, and a failure to make one costs
 * nothing but the picture, so it is logged and not reported. */
#include "executor/ddl/ddl_internal.h"
#include "storage/base/log.h"
#include "storage/keys/row_key.h"
#include "storage/range/range.h"

typedef struct Boundaries {
    Directory *directory;
    Slice *keys;
    int count;
    Slice start, end; /* forget: strictly inside */
} Boundaries;

static void add_now(void *argument, bool committed)
{
    Boundaries *b = argument;
    Error err = {0};
    if (committed && directory_add_boundaries(b->directory, b->keys, b->count, &err) != ST_OK)
        log_write(LOG_WARNING, "range boundaries were not made: %s", err.message ? err.message : "unknown");
}

static void forget_now(void *argument, bool committed)
{
    Boundaries *b = argument;
    Error err = {0};
    if (committed && directory_forget(b->directory, b->start, b->end, &err) != ST_OK)
        log_write(LOG_WARNING, "range boundaries were not removed: %s", err.message ? err.message : "unknown");
}

static Boundaries *boundaries(Exec *exec)
{
    Boundaries *b = ARENA_NEW(txn_arena(exec->txn), Boundaries);
    b->directory = store_directory(txn_store(exec->txn));
    return b;
}

static Slice kept(Exec *exec, Buf *key)
{
    Slice copy = arena_slice(txn_arena(exec->txn), buf_slice(key));
    buf_clear(key);
    return copy;
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

Status ddl_add_boundaries(Exec *exec, const TableDesc *table, const IndexSplitVec *splits)
{
    Boundaries *b = boundaries(exec);
    if (!b->directory) return ST_OK;
    Buf key = {0};
    Status st = ST_OK;
    b->keys = ARENA_ARRAY(txn_arena(exec->txn), Slice, table->indexes.count + splits->count + 2);
    row_key_table_prefix(table->base.id, &key);
    b->keys[b->count++] = kept(exec, &key);
    for (int i = 1; i < table->indexes.count; i++) {
        row_key_index_prefix(table->base.id, table->indexes.items[i].id, &key);
        b->keys[b->count++] = kept(exec, &key);
    }
    for (int i = 0; i < splits->count && st == ST_OK; i++) {
        st = split_key(exec, table, &splits->items[i], &key);
        if (st == ST_OK) b->keys[b->count++] = kept(exec, &key);
    }
    row_key_table_prefix(table->base.id + 1, &key);
    b->keys[b->count++] = kept(exec, &key);
    buf_finish(&key);
    if (st == ST_OK) txn_on_end(exec->txn, add_now, b);
    return st;
}

static void forget(Exec *exec, void (*span)(Exec *exec, Boundaries *b, DescId table, uint32_t index_id), DescId table,
                   uint32_t index_id)
{
    Boundaries *b = boundaries(exec);
    if (!b->directory) return;
    span(exec, b, table, index_id);
    txn_on_end(exec->txn, forget_now, b);
}

static void span_of_table(Exec *exec, Boundaries *b, DescId table, uint32_t index_id)
{
    Buf key = {0};
    row_key_table_prefix(table, &key);
    b->start = kept(exec, &key);
    row_key_table_prefix(table + 1, &key);
    b->end = kept(exec, &key);
    buf_finish(&key);
}

static void span_of_index(Exec *exec, Boundaries *b, DescId table, uint32_t index_id)
{
    Buf key = {0};
    row_key_index_prefix(table, index_id, &key);
    b->start = kept(exec, &key);
    row_key_index_prefix(table, index_id + 1, &key);
    b->end = kept(exec, &key);
    buf_finish(&key);
}

void ddl_forget_table(Exec *exec, DescId table)
{
    forget(exec, span_of_table, table, 0);
}

void ddl_forget_index(Exec *exec, DescId table, uint32_t index_id)
{
    forget(exec, span_of_index, table, index_id);
}
