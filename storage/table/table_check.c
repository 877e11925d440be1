#include "storage/table/table_check_internal.h"

#include "storage/keys/key_print.h"
#include "storage/keys/row_key.h"

/* ---- entries, looked up in batches ---- */

bool check_entry_suffix(Checking *c, Slice value, Slice *suffix)
{
    static const Cell cell = {ENTRY_SUFFIX_CELL, CELL_BYTES};
    RowReader *reader = row_reader_create(&cell, 1, c->row_arena);
    Value read;
    if (!row_reader_open(reader, value) || row_reader_cell(reader, 0, &read) != CELL_PRESENT || read.null) return false;
    *suffix = value_to_slice(read);
    return true;
}

static void compare_entry(Checking *c, int i)
{
    const IndexAccess *index = &c->access->indexes[c->expected[i].index];
    Finding where = check_place(c, "index", index, c->keys[i]);
    const char *row = key_text(c->expected[i].row_key, NULL, c->row_arena);
    Slice owner, wanted;
    if (!c->found[i]) {
        finding_add(c->findings, &where, "the entry of row %s is missing", row);
        return;
    }
    if (slice_equal(c->values[i], c->wanted[i])) {
        c->entries[c->expected[i].index]++;
        return;
    }
    bool owned = index->suffix_in_value && check_entry_suffix(c, c->values[i], &owner) &&
                 check_entry_suffix(c, c->wanted[i], &wanted);
    if (owned && !slice_equal(owner, wanted)) {
        finding_add(c->findings, &where, "the entry of row %s belongs to another row with the same unique key", row);
        return;
    }
    c->entries[c->expected[i].index]++;
    finding_add(c->findings, &where, "the entry of row %s does not have the row's values", row);
}

static Status look_up(Checking *c, Error *err)
{
    if (!c->count) return ST_OK;
    Status st = txn_get_many(c->txn, c->keys, c->count, c->found, c->values, err);
    for (int i = 0; i < c->count && st == ST_OK; i++) {
        arena_reset(c->row_arena);
        compare_entry(c, i);
    }
    c->count = 0;
    c->bytes = 0;
    arena_reset(c->batch_arena);
    return st;
}

static void expect_entry(Checking *c, int index)
{
    int i = c->count++;
    c->keys[i] = arena_slice(c->batch_arena, buf_slice(&c->key));
    c->wanted[i] = arena_slice(c->batch_arena, buf_slice(&c->value));
    c->expected[i] = (Expected){index, arena_slice(c->batch_arena, c->row_key)};
    c->bytes += c->key.size + c->value.size + c->row_key.size;
}

/* ---- rows ---- */

static void complain_row(Checking *c, const char *problem)
{
    Finding where = check_place(c, "row", NULL, c->row_key);
    finding_add(c->findings, &where, "%s", problem);
}

static int family_of(const Checking *c, uint32_t id)
{
    for (int i = 0; i < c->access->family_count; i++)
        if (c->access->families[i].id == id) return i;
    return -1;
}

/* A family whose columns were all dropped may have left its pairs. */
static bool family_is_known(const Checking *c, uint32_t id)
{
    return id < c->access->table->next_family_id || id == 0;
}

/* false: the row cannot be looked at any further. */
static bool decode_row(Checking *c)
{
    RowPlace place = {c->columns, 0, c->row_arena};
    bool whole = false;
    for (int i = 0; i < c->access->table->columns.count; i++) c->row[i] = VALUE_NULL;
    row_decode_absent(c->decoder, &place);
    for (int i = 0; i < c->pairs.count; i++) {
        Slice row;
        uint32_t id;
        Error damage;
        if (!row_key_split(c->pairs.items[i].key, &row, &id) || !family_is_known(c, id)) {
            complain_row(c, "the row has a pair of a family that the table does not have");
            continue;
        }
        whole |= id == 0;
        int family = family_of(c, id);
        if (family < 0 || row_decode(c->decoder, family, &c->pairs.items[i], &place, &damage) == ST_OK) continue;
        complain_row(c, arena_printf(c->row_arena, "the pair of family %u cannot be decoded", id));
        return false;
    }
    if (!whole) complain_row(c, "the row has no pair of family 0");
    return whole;
}

/* The key that the columns give, buckets and hash codes computed anew, is the key that the row has. */
static Status check_row_key(Checking *c, bool *same, Error *err)
{
    bool unique;
    buf_clear(&c->key);
    TRY(entry_key(primary_access(c->access), c->row, &c->key, &unique, err));
    Slice row;
    uint32_t family;
    *same = row_key_split(buf_slice(&c->key), &row, &family) && slice_equal(row, c->row_key);
    if (!*same)
        complain_row(c, arena_printf(c->row_arena,
                                     "the row's columns give another key, %s: its bucket or a key column is wrong",
                                     key_text(row, NULL, c->row_arena)));
    return ST_OK;
}

static Status expect_entries(Checking *c, Error *err)
{
    for (int i = 1; i < c->access->index_count; i++) {
        const IndexAccess *index = &c->access->indexes[i];
        bool unique;
        if (!c->in_predicate[i] || index->index->state == INDEX_WRITE_ONLY) continue;
        buf_clear(&c->key);
        buf_clear(&c->value);
        TRY(entry_key(index, c->row, &c->key, &unique, err));
        TRY(entry_value(c->scratch, index, c->row, &c->value, err));
        expect_entry(c, i);
    }
    return ST_OK;
}

static Status check_row(Checking *c, Error *err)
{
    Finding where = check_place(c, "constraint", NULL, c->row_key);
    Error problem = {0};
    bool same = false;
    if (!decode_row(c)) return ST_OK;
    Status st = c->how->row(c->how->argument, c->row, c->in_predicate, &where, &problem);
    if (st == ST_OK) st = check_row_key(c, &same, &problem);
    if (st == ST_OK && same) st = expect_entries(c, &problem);
    if (st != ST_OK)
        complain_row(c, arena_printf(c->row_arena, "the row's keys and computed columns cannot be worked out: %s",
                                     problem.message));
    /* The next row may want an entry in each index. */
    bool full = c->count + c->access->index_count > CHECK_BATCH_ENTRIES || c->bytes > CHECK_BATCH_BYTES;
    return full ? look_up(c, err) : ST_OK;
}

static Status end_row(Checking *c, Error *err)
{
    Status st = c->pairs.count ? check_row(c, err) : ST_OK;
    arena_reset(c->row_arena);
    c->pairs.items = NULL;
    c->pairs.count = c->pairs.capacity = 0;
    c->row_key = (Slice){0};
    return st;
}

static Status take_pair(Checking *c, Slice key, Slice value, Error *err)
{
    Slice row;
    uint32_t family;
    TRY(findings_advance(c->findings, 1, err));
    if (!row_key_split(key, &row, &family)) {
        TRY(end_row(c, err));
        c->row_key = key;
        complain_row(c, "a key that does not end in a family");
        c->row_key = (Slice){0};
        return ST_OK;
    }
    if (!slice_equal(row, c->row_key)) TRY(end_row(c, err));
    RowPair pair = {arena_slice(c->row_arena, key), arena_slice(c->row_arena, value)};
    VEC_PUSH(c->row_arena, c->pairs, pair);
    (void)row_key_split(pair.key, &c->row_key, &family);
    return ST_OK;
}

static Status check_rows(Checking *c, Error *err)
{
    Buf start = {0}, end = {0};
    Slice key, value;
    TxnScan *scan;
    index_span(c->access->table->base.id, primary_access(c->access)->index->id, &start, &end);
    Status st = txn_scan_open(c->txn, buf_slice(&start), buf_slice(&end), false, 0, &scan, err);
    if (st == ST_OK) {
        while ((st = txn_scan_next(scan, &key, &value, err)) == ST_OK &&
               (st = take_pair(c, key, value, err)) == ST_OK) {
        }
        txn_scan_close(scan);
    }
    buf_finish(&start);
    buf_finish(&end);
    if (st != ST_END) return st;
    TRY(end_row(c, err));
    return look_up(c, err);
}

static void checking_init(Checking *c)
{
    Arena *arena = c->arena;
    int columns = c->access->table->columns.count;
    c->row_arena = arena_create(arena, 0);
    c->batch_arena = arena_create(arena, 0);
    c->ordinals = ARENA_ARRAY(arena, int, columns + 1);
    c->row = ARENA_ARRAY(arena, Value, columns + 1);
    c->columns = ARENA_ARRAY(arena, Value *, columns + 1);
    for (int i = 0; i < columns; i++) {
        c->ordinals[i] = i;
        c->columns[i] = &c->row[i];
    }
    c->decoder = row_decoder_create(c->access, primary_access(c->access)->index, c->ordinals, columns, false, arena);
    c->scratch = entry_scratch_create(c->access, arena);
    c->in_predicate = ARENA_ARRAY(arena, bool, c->access->index_count + 1);
    c->entries = ARENA_ARRAY(arena, uint64_t, c->access->index_count + 1);
}

Status table_check(const TableAccess *access, Txn *txn, const TableCheck *how, Findings *findings, Error *err)
{
    Arena *arena = arena_create(NULL, 0);
    Checking *c = ARENA_NEW(arena, Checking);
    c->access = access;
    c->txn = txn;
    c->how = how;
    c->findings = findings;
    c->arena = arena;
    checking_init(c);
    Status st = check_rows(c, err);
    for (int i = 1; i < access->index_count && st == ST_OK; i++)
        if (access->indexes[i].index->state == INDEX_PUBLIC) st = check_index_entries(c, i, err);
    buf_finish(&c->key);
    buf_finish(&c->value);
    buf_finish(&c->last_key);
    arena_destroy(arena);
    return st;
}
