#include <assert.h>

#include "storage/keys/row_key.h"
#include "storage/table/row_writer.h"

static void writer_finish(void *argument)
{
    RowWriter *writer = argument;
    for (int i = 0; i < writer->access->index_count; i++) {
        buf_finish(&writer->before[i].key);
        buf_finish(&writer->before[i].value);
        buf_finish(&writer->after[i].key);
        buf_finish(&writer->after[i].value);
    }
    key_gaps_finish(writer->gaps, writer->access->index_count);
    buf_finish(&writer->family_key);
    buf_finish(&writer->family_before);
    buf_finish(&writer->family_after);
}

RowWriter *row_writer_create(const TableAccess *access, Txn *txn, Arena *arena)
{
    RowWriter *writer = ARENA_NEW(arena, RowWriter);
    writer->access = access;
    writer->txn = txn;
    writer->usage = usage_of(txn_store(txn), access->table->base.id, primary_access(access)->index->id);
    writer->arena = arena;
    writer->row_arena = arena_create(arena, 0);
    writer->scratch = entry_scratch_create(access, arena);
    writer->before = ARENA_ARRAY(arena, EncodedEntry, access->index_count);
    writer->after = ARENA_ARRAY(arena, EncodedEntry, access->index_count);
    writer->gaps = key_gaps_create(access, arena);
    arena_defer(arena, writer_finish, writer);
    return writer;
}

/* ---- encoding ---- */

Status writer_encode(RowWriter *writer, int index, RowImage row, EncodedEntry *entry, Error *err)
{
    const IndexAccess *a = &writer->access->indexes[index];
    bool exists;
    entry->exists = !a->index->predicate || !row.in_predicate || row.in_predicate[index];
    if (!entry->exists) return ST_OK;
    buf_clear(&entry->key);
    buf_clear(&entry->value);
    TRY(entry_key(a, row.values, &entry->key, &entry->unique_key, err));
    if (index == 0) return row_family_value(writer->scratch, 0, row.values, &entry->value, &exists, err);
    return entry_value(writer->scratch, a, row.values, &entry->value, err);
}

static Status encode_all(RowWriter *writer, RowImage row, EncodedEntry *entries, Error *err)
{
    for (int i = 0; i < writer->access->index_count; i++) TRY(writer_encode(writer, i, row, &entries[i], err));
    return ST_OK;
}

static Status check_not_null(RowWriter *writer, const Value *row, Error *err)
{
    const TableDesc *table = writer->access->table;
    for (int i = 0; i < table->columns.count; i++)
        if (table->columns.items[i].not_null && row[i].null) return not_null_violation(writer, row, i, err);
    return ST_OK;
}

/* The key of a further family's pair, from that of family 0. */
static Slice family_key(RowWriter *writer, Slice key, uint32_t family)
{
    Slice row;
    uint32_t zero;
    bool split = row_key_split(key, &row, &zero);
    assert(split && zero == 0);
    (void)split;
    buf_clear(&writer->family_key);
    buf_put_slice(&writer->family_key, row);
    row_key_family(family, &writer->family_key);
    return buf_slice(&writer->family_key);
}

/* ---- writing ---- */

/* What is only tried out counts for nothing. */
static Status count_row(RowWriter *writer, atomic_uint_fast64_t *counter, Status st)
{
    if (st == ST_OK && !txn_is_watched(writer->txn)) usage_count(counter, 1);
    return st;
}

/* Keys that hold the row's primary key are covered by the row's lock, those of unique entries by the probe. */
static Status put_pair(RowWriter *writer, Slice key, Slice value, Error *err)
{
    return txn_put_unlocked(writer->txn, key, value, err);
}

static Status put_families(RowWriter *writer, const Value *row, Slice key, Error *err)
{
    for (int f = 1; f < writer->access->family_count; f++) {
        bool exists;
        buf_clear(&writer->family_after);
        TRY(row_family_value(writer->scratch, f, row, &writer->family_after, &exists, err));
        if (!exists) continue;
        Slice pair_key = family_key(writer, key, writer->access->families[f].id);
        TRY(put_pair(writer, pair_key, buf_slice(&writer->family_after), err));
    }
    return ST_OK;
}

static Status put_all(RowWriter *writer, const Value *row, Error *err)
{
    for (int i = 0; i < writer->access->index_count; i++) {
        EncodedEntry *entry = &writer->after[i];
        if (entry->exists) TRY(put_pair(writer, buf_slice(&entry->key), buf_slice(&entry->value), err));
    }
    TRY(put_families(writer, row, buf_slice(&writer->after[0].key), err));
    key_gaps_end_row(writer);
    return ST_OK;
}

/* Probes the key of an entry that is about to be written; the row's own key first, so that its lock covers the rest. */
static Status claim(RowWriter *writer, int index, const Value *row, Error *err)
{
    bool taken;
    Slice existing;
    EncodedEntry *entry = &writer->after[index];
    if (!entry->exists || !entry->unique_key) return ST_OK;
    TRY(unique_probe(writer, index, &taken, &existing, err));
    if (!taken) return ST_OK;
    return unique_violation(writer->arena, writer->access, &writer->access->indexes[index], row, err);
}

Status row_insert(RowWriter *writer, RowImage row, Error *err)
{
    arena_reset(writer->row_arena);
    TRY(check_not_null(writer, row.values, err));
    TRY(encode_all(writer, row, writer->after, err));
    key_gaps_begin_row(writer);
    for (int i = 0; i < writer->access->index_count; i++) TRY(claim(writer, i, row.values, err));
    return count_row(writer, &writer->usage->inserted, put_all(writer, row.values, err));
}

static bool is_arbiter(const IndexAccess *a, const IndexDesc *const *arbiters, int arbiter_count)
{
    if (!index_is_unique(a->index)) return false;
    if (!arbiters || arbiter_count == 0) return true;
    for (int i = 0; i < arbiter_count; i++)
        if (arbiters[i]->id == a->index->id) return true;
    return false;
}

/* Is the key of an arbiter taken? Then the row in the way is locked and named. */
static Status find_conflict(RowWriter *writer, int index, bool *found, Slice *existing_key, Error *err)
{
    const IndexAccess *a = &writer->access->indexes[index];
    EncodedEntry *entry = &writer->after[index];
    Slice value;
    bool waited;
    *found = false;
    if (!entry->exists || !entry->unique_key) return ST_OK;
    TRY(unique_probe(writer, index, found, &value, err));
    if (!*found) return ST_OK;
    /* Above READ COMMITTED a row that the snapshot does not see cannot be acted on: 40001. */
    TRY(txn_get_locked(writer->txn, buf_slice(&entry->key), found, &value, err));
    TRY(unique_owner(writer, a, buf_slice(&entry->key), value, existing_key, err));
    buf_clear(&writer->family_key);
    buf_put_slice(&writer->family_key, *existing_key);
    row_key_family(0, &writer->family_key);
    return txn_lock(writer->txn, buf_slice(&writer->family_key), LOCK_UPDATE, LOCK_WAIT, &waited, err);
}

Status row_insert_or_find(RowWriter *writer, RowImage row, const IndexDesc *const *arbiters, int arbiter_count,
                          const IndexDesc **conflict, Slice *existing_key, Error *err)
{
    arena_reset(writer->row_arena);
    *conflict = NULL;
    TRY(check_not_null(writer, row.values, err));
    TRY(encode_all(writer, row, writer->after, err));
    key_gaps_begin_row(writer);
    for (int i = 0; i < writer->access->index_count; i++) {
        bool found;
        if (!is_arbiter(&writer->access->indexes[i], arbiters, arbiter_count)) continue;
        TRY(find_conflict(writer, i, &found, existing_key, err));
        if (!found) continue;
        *conflict = writer->access->indexes[i].index;
        return ST_OK;
    }
    for (int i = 0; i < writer->access->index_count; i++)
        if (!is_arbiter(&writer->access->indexes[i], arbiters, arbiter_count)) TRY(claim(writer, i, row.values, err));
    return count_row(writer, &writer->usage->inserted, put_all(writer, row.values, err));
}

/* ---- update and delete ---- */

static Status delete_pair(RowWriter *writer, Slice key, Error *err)
{
    return txn_delete(writer->txn, key, err);
}

/* All further families, also those that the row seems not to have: their pair may hold columns dropped since. */
static Status delete_families(RowWriter *writer, Slice key, Error *err)
{
    const TableDesc *table = writer->access->table;
    for (int f = 0; f < table->families.count; f++) {
        if (table->families.items[f].id == 0) continue;
        TRY(delete_pair(writer, family_key(writer, key, table->families.items[f].id), err));
    }
    return ST_OK;
}

static Status lock_row(RowWriter *writer, Slice key, LockMode mode, Error *err)
{
    bool waited;
    return txn_lock(writer->txn, key, mode, LOCK_WAIT, &waited, err);
}

static Status update_families(RowWriter *writer, const Value *before, const Value *after, Slice key, Error *err)
{
    for (int f = 1; f < writer->access->family_count; f++) {
        bool was, is;
        buf_clear(&writer->family_before);
        buf_clear(&writer->family_after);
        TRY(row_family_value(writer->scratch, f, before, &writer->family_before, &was, err));
        TRY(row_family_value(writer->scratch, f, after, &writer->family_after, &is, err));
        Slice old = buf_slice(&writer->family_before), new = buf_slice(&writer->family_after);
        if (was == is && (!is || slice_equal(old, new))) continue;
        Slice pair_key = family_key(writer, key, writer->access->families[f].id);
        if (is) TRY(put_pair(writer, pair_key, new, err));
        else TRY(delete_pair(writer, pair_key, err));
    }
    return ST_OK;
}

/* One entry from its old bytes to its new ones. Uniqueness has been checked. */
static Status move_entry(RowWriter *writer, int index, Error *err)
{
    EncodedEntry *old = &writer->before[index], *new = &writer->after[index];
    bool same_key = old->exists && new->exists && slice_equal(buf_slice(&old->key), buf_slice(&new->key));
    /* The row itself is written although nothing changed: at higher isolation levels others must notice that it was. */
    if (index > 0 && same_key && slice_equal(buf_slice(&old->value), buf_slice(&new->value))) return ST_OK;
    if (old->exists && !same_key) TRY(delete_pair(writer, buf_slice(&old->key), err));
    return new->exists ? put_pair(writer, buf_slice(&new->key), buf_slice(&new->value), err) : ST_OK;
}

static bool key_moves(const RowWriter *writer, int index)
{
    const EncodedEntry *old = &writer->before[index], *new = &writer->after[index];
    return new->exists && !(old->exists && slice_equal(buf_slice(&old->key), buf_slice(&new->key)));
}

/* A row that keeps its unique keys stays where those who refer to it expect it. */
static LockMode update_lock(const RowWriter *writer)
{
    for (int i = 0; i < writer->access->index_count; i++)
        if (writer->after[i].unique_key && key_moves(writer, i)) return LOCK_UPDATE;
    return LOCK_NO_KEY_UPDATE;
}

Status row_update(RowWriter *writer, RowImage before, RowImage after, Error *err)
{
    arena_reset(writer->row_arena);
    TRY(check_not_null(writer, after.values, err));
    TRY(encode_all(writer, before, writer->before, err));
    TRY(encode_all(writer, after, writer->after, err));
    TRY(lock_row(writer, buf_slice(&writer->before[0].key), update_lock(writer), err));
    key_gaps_begin_row(writer);
    for (int i = 0; i < writer->access->index_count; i++)
        if (key_moves(writer, i)) TRY(claim(writer, i, after.values, err));
    bool row_moves = key_moves(writer, 0);
    for (int i = 0; i < writer->access->index_count; i++) TRY(move_entry(writer, i, err));
    if (!row_moves) {
        TRY(update_families(writer, before.values, after.values, buf_slice(&writer->after[0].key), err));
    } else {
        TRY(delete_families(writer, buf_slice(&writer->before[0].key), err));
        TRY(put_families(writer, after.values, buf_slice(&writer->after[0].key), err));
    }
    return count_row(writer, &writer->usage->updated, ST_OK);
}

Status row_delete(RowWriter *writer, RowImage before, Error *err)
{
    arena_reset(writer->row_arena);
    TRY(encode_all(writer, before, writer->before, err));
    TRY(lock_row(writer, buf_slice(&writer->before[0].key), LOCK_UPDATE, err));
    for (int i = 0; i < writer->access->index_count; i++)
        if (writer->before[i].exists) TRY(delete_pair(writer, buf_slice(&writer->before[i].key), err));
    return count_row(writer, &writer->usage->deleted, delete_families(writer, buf_slice(&writer->before[0].key), err));
}

/* ---- showing ---- */

Status row_pairs(RowWriter *writer, RowImage row, RowPairFn each, void *argument, Error *err)
{
    arena_reset(writer->row_arena);
    TRY(encode_all(writer, row, writer->after, err));
    for (int i = 0; i < writer->access->index_count; i++) {
        EncodedEntry *entry = &writer->after[i];
        const IndexDesc *index = writer->access->indexes[i].index;
        if (entry->exists) each(argument, index, buf_slice(&entry->key), buf_slice(&entry->value));
        for (int f = 1; i == 0 && f < writer->access->family_count; f++) {
            bool exists;
            buf_clear(&writer->family_after);
            TRY(row_family_value(writer->scratch, f, row.values, &writer->family_after, &exists, err));
            if (!exists) continue;
            Slice key = family_key(writer, buf_slice(&entry->key), writer->access->families[f].id);
            each(argument, index, key, buf_slice(&writer->family_after));
        }
    }
    return ST_OK;
}
