/* The entries of an index: each can be read, and none is left over. */
#include "storage/keys/key_print.h"
#include "storage/keys/row_key.h"
#include "storage/table/table_check_internal.h"

typedef Status (*EntryFn)(Checking *c, const IndexAccess *index, RowPair entry, Error *err);

static Status each_entry(Checking *c, const IndexAccess *index, EntryFn each, Error *err)
{
    Buf start = {0}, end = {0};
    RowPair entry;
    TxnScan *scan;
    index_span(c->access->table->base.id, index->index->id, &start, &end);
    Status st = txn_scan_open(c->txn, buf_slice(&start), buf_slice(&end), false, 0, &scan, err);
    if (st == ST_OK) {
        while ((st = txn_scan_next(scan, &entry.key, &entry.value, err)) == ST_OK) {
            st = each(c, index, entry, err);
            if (st == ST_OK) st = findings_advance(c->findings, 1, err);
            if (st != ST_OK) break;
        }
        txn_scan_close(scan);
    }
    buf_finish(&start);
    buf_finish(&end);
    return st == ST_END ? ST_OK : st;
}

static void complain(Checking *c, const IndexAccess *index, Slice key, const char *problem)
{
    Finding where = check_place(c, "index", index, key);
    finding_add(c->findings, &where, "%s", problem);
}

/* The declared part of an entry's key. false: it cannot be read, or a NULL in it makes it nobody's double. */
static bool declared_key(Checking *c, const IndexAccess *index, Slice key, Slice *declared)
{
    int count = index->declared_count;
    Slice *parts = ARENA_ARRAY(c->row_arena, Slice, count + 1);
    if (!entry_parts(index, key, (Slice){0}, count, parts)) return false;
    for (int i = 0; i < count && !index->index->nulls_not_distinct; i++) {
        Slice bytes = parts[i];
        Value value;
        if (!key_column_decode(&index->parts[i].key, &bytes, c->row_arena, &value) || value.null) return false;
    }
    const Slice *last = &parts[count - 1];
    *declared = slice_of(key.data, (size_t)(last->data + last->size - key.data));
    return true;
}

/* Keys of a deferrable constraint may be there twice only while a transaction is under way. */
static void check_single(Checking *c, const IndexAccess *index, Slice key)
{
    Slice declared = {0};
    arena_reset(c->row_arena);
    if (!index->index->deferrable || !declared_key(c, index, key, &declared)) declared = (Slice){0};
    if (declared.size && slice_equal(declared, buf_slice(&c->last_key)))
        complain(c, index, key, "the key of a unique constraint is there twice");
    buf_clear(&c->last_key);
    buf_put_slice(&c->last_key, declared);
}

static Status count_entry(Checking *c, const IndexAccess *index, RowPair entry, Error *err)
{
    c->entries[index - c->access->indexes]--;
    if (index->index->deferrable) check_single(c, index, entry.key);
    return ST_OK;
}

/* The primary key of the row that an entry says it is of. */
static bool entry_row(Checking *c, const IndexAccess *index, RowPair entry, Slice *row_key)
{
    Slice suffix = {0};
    Slice *parts = ARENA_ARRAY(c->row_arena, Slice, index->part_count + 1);
    if (index->suffix_in_value && !check_entry_suffix(c, entry.value, &suffix)) return false;
    if (!entry_parts(index, entry.key, suffix, index->part_count, parts)) return false;
    buf_clear(&c->key);
    if (!entry_primary_key(c->access, index, parts, c->row_arena, &c->key)) return false;
    *row_key = arena_slice(c->row_arena, buf_slice(&c->key));
    return true;
}

/* What is wrong with an entry of a row that exists; NULL: nothing. */
static const char *compare_with_row(Checking *c, const IndexAccess *index, Slice key)
{
    Error problem;
    bool unique;
    if (c->how->row(c->how->argument, c->row, c->in_predicate, NULL, &problem) != ST_OK)
        return NULL; /* has been told */
    if (!c->in_predicate[index - c->access->indexes])
        return "the row of the entry does not satisfy the index's predicate";
    buf_clear(&c->key);
    if (entry_key(index, c->row, &c->key, &unique, &problem) != ST_OK) return NULL;
    return slice_equal(buf_slice(&c->key), key) ? NULL : "the row of the entry has other values";
}

static Status trace_entry(Checking *c, const IndexAccess *index, RowPair entry, Error *err)
{
    Slice row_key;
    bool found;
    Error damage = {0};
    arena_reset(c->row_arena);
    if (!entry_row(c, index, entry, &row_key)) {
        complain(c, index, entry.key, "the entry cannot be decoded");
        return ST_OK;
    }
    for (int i = 0; i < c->access->table->columns.count; i++) c->row[i] = VALUE_NULL;
    Status st = row_fetch(c->access, c->txn, &row_key, 1, c->ordinals, c->access->table->columns.count, c->columns,
                          &found, c->row_arena, &damage);
    if (st != ST_OK) return ST_OK; /* a damaged row has been told of */
    const char *problem = found ? compare_with_row(c, index, entry.key)
                                : arena_printf(c->row_arena, "the entry dangles: there is no row %s",
                                               key_text(row_key, NULL, c->row_arena));
    if (problem) complain(c, index, entry.key, problem);
    return ST_OK;
}

Status check_index_entries(Checking *c, int number, Error *err)
{
    const IndexAccess *index = &c->access->indexes[number];
    buf_clear(&c->last_key);
    TRY(each_entry(c, index, count_entry, err));
    /* As many as there are rows to have them, each found under its own key: then none is left over. */
    return c->entries[number] == 0 ? ST_OK : each_entry(c, index, trace_entry, err);
}
