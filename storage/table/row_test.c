#include "storage/table/row.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "storage/keys/key_print.h"
#include "storage/keys/row_key.h"
#include "storage/range/range.h"
#include "storage/types/type_numeric.h"

/* users (id int8, email text, amount numeric, score float8, note text): primary key (id), unique (email),
 * index (amount desc) storing (note), index (score); note and score may be in families of their own. */
enum { ID, EMAIL, AMOUNT, SCORE, NOTE, COLUMNS };
enum { INDEX_PKEY, INDEX_EMAIL, INDEX_AMOUNT, INDEX_SCORE, INDEXES };

typedef struct Fixture {
    Arena *arena;
    Store *store;
    TableDesc *table;
    TableAccess *access;
    Txn *txn;
    Error err;
} Fixture;

static void add_column(Fixture *f, uint32_t id, const char *name, Oid type, bool not_null)
{
    ColumnDesc column = {.id = id, .name = name, .type = {type, -1}, .not_null = not_null};
    VEC_PUSH(f->arena, f->table->columns, column);
}

static IndexDesc *add_index(Fixture *f, const char *name, uint32_t column_id, bool descending)
{
    IndexDesc index = {.id = (uint32_t)f->table->indexes.count + 1, .name = name};
    IndexColumn column = {.column_id = column_id, .descending = descending};
    VEC_PUSH(f->arena, index.columns, column);
    VEC_PUSH(f->arena, f->table->indexes, index);
    return &VEC_LAST(f->table->indexes);
}

static void make_table(Fixture *f)
{
    f->table = ARENA_NEW(f->arena, TableDesc);
    f->table->base = (Desc){.kind = DESC_TABLE, .id = 106, .name = "users"};
    add_column(f, 1, "id", OID_INT8, true);
    add_column(f, 2, "email", OID_TEXT, true);
    add_column(f, 3, "amount", OID_NUMERIC, false);
    add_column(f, 4, "score", OID_FLOAT8, false);
    add_column(f, 5, "note", OID_TEXT, false);
    IndexDesc *index = add_index(f, "users_pkey", 1, false);
    index->unique = index->primary = true;
    index = add_index(f, "users_email_key", 2, false);
    index->unique = true;
    VEC_PUSH(f->arena, index->suffix, 1);
    index = add_index(f, "users_amount_idx", 3, true);
    VEC_PUSH(f->arena, index->suffix, 1);
    VEC_PUSH(f->arena, index->stored, 5);
    index = add_index(f, "users_score_idx", 4, false);
    VEC_PUSH(f->arena, index->suffix, 1);
    VEC_PUSH(f->arena, f->table->families, (FamilyDesc){0, "primary"});
}

static void begin(Fixture *f)
{
    TxnOptions options = {.synchronous_commit = true};
    assert_int_equal(txn_begin(f->store, &options, &f->txn, &f->err), ST_OK);
    assert_int_equal(txn_statement_begin(f->txn, &f->err), ST_OK);
}

static void commit(Fixture *f)
{
    assert_int_equal(txn_commit(f->txn, &f->err), ST_OK);
    begin(f);
}

static int setup(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    f->arena = arena_create(NULL, 0);
    assert_int_equal(store_open("", &(StoreOptions){.engine = "memory"}, &f->store, f->arena, &f->err), ST_OK);
    make_table(f);
    f->access = table_access_create(f->table, f->arena);
    begin(f);
    *state = f;
    return 0;
}

static int setup_families(void **state)
{
    if (setup(state)) return -1;
    Fixture *f = *state;
    VEC_PUSH(f->arena, f->table->families, (FamilyDesc){200, "notes"});
    VEC_PUSH(f->arena, f->table->families, (FamilyDesc){1, "scores"});
    f->table->columns.items[NOTE].family = 200;
    f->table->columns.items[SCORE].family = 1;
    f->access = table_access_create(f->table, f->arena);
    return 0;
}

static int teardown(void **state)
{
    Fixture *f = *state;
    txn_rollback(f->txn);
    store_close(f->store);
    arena_destroy(f->arena);
    free(f);
    return 0;
}

static Value numeric(Fixture *f, const char *text)
{
    Value value;
    TypeCtx ctx = {.arena = f->arena, .env = &type_env_default, .err = &f->err};
    if (!text) return VALUE_NULL;
    assert_int_equal(numeric_parse(&ctx, slice_str(text), &value), ST_OK);
    return value;
}

static Value *make_row(Fixture *f, int64_t id, const char *email, const char *amount, double score)
{
    Value *row = ARENA_ARRAY(f->arena, Value, COLUMNS);
    row[ID] = value_int(id);
    row[EMAIL] = value_str(email);
    row[AMOUNT] = numeric(f, amount);
    row[SCORE] = value_float(score);
    row[NOTE] = id % 2 ? value_str("odd") : VALUE_NULL;
    return row;
}

static Status insert(Fixture *f, const Value *row)
{
    RowWriter *writer = row_writer_create(f->access, f->txn, f->arena);
    return row_insert(writer, (RowImage){row, NULL}, &f->err);
}

static const char *value_text(const ColumnDesc *column, Value value, Arena *arena)
{
    return value.null ? "null" : type_text(column->type, &type_env_default, value, arena);
}

/* Rows as "1|a@x|7.10|1.5|odd" each and the primary keys, in lines. */
static const char *scanned(Fixture *f, int index, bool descending, const char *columns, bool keys)
{
    Buf start = {0}, end = {0}, text = {0};
    const IndexDesc *desc = &f->table->indexes.items[index];
    index_span(f->table->base.id, desc->id, &start, &end);
    KeySpan span = {buf_slice(&start), buf_slice(&end)};
    int ordinals[COLUMNS], count = 0;
    for (; columns[count]; count++) ordinals[count] = columns[count] - '0';
    Value *out[COLUMNS];
    for (int c = 0; c < COLUMNS; c++) out[c] = ARENA_ARRAY(f->arena, Value, 3);
    Slice primary_keys[3];
    TableScan *scan;
    TableScanOptions options = {.index = desc, .spans = &span, .span_count = 1, .descending = descending,
                                .columns = ordinals, .column_count = count, .want_keys = keys};
    assert_int_equal(table_scan_open(f->access, f->txn, &options, &scan, f->arena, &f->err), ST_OK);
    int rows;
    Status st;
    while ((st = table_scan_next(scan, out, primary_keys, 3, &rows, &f->err)) == ST_OK) {
        for (int i = 0; i < rows; i++) {
            for (int c = 0; c < count; c++)
                buf_printf(&text, "%s%s", c ? "|" : "", value_text(&f->table->columns.items[ordinals[c]], out[c][i], f->arena));
            if (keys) buf_printf(&text, " %s", key_text(primary_keys[i], NULL, f->arena));
            buf_put_str(&text, "\n");
        }
    }
    assert_int_equal(st, ST_END);
    table_scan_close(scan);
    const char *result = buf_to_str(&text, f->arena);
    buf_finish(&start);
    buf_finish(&end);
    buf_finish(&text);
    return result;
}

static void insert_three(Fixture *f)
{
    assert_int_equal(insert(f, make_row(f, 1, "b@x", "7.10", 1.5)), ST_OK);
    assert_int_equal(insert(f, make_row(f, 2, "a@x", "7.1", -0.0)), ST_OK);
    assert_int_equal(insert(f, make_row(f, 3, "c@x", NULL, 2)), ST_OK);
}

static const char *const three_rows = "1|b@x|7.10|1.5|odd /Table/106/1/1\n"
                                      "2|a@x|7.1|-0|null /Table/106/1/2\n"
                                      "3|c@x|null|2|odd /Table/106/1/3\n";

static void check_three(Fixture *f)
{
    assert_string_equal(scanned(f, INDEX_PKEY, false, "01234", true), three_rows);
    assert_string_equal(scanned(f, INDEX_PKEY, true, "0", false), "3\n2\n1\n");
    assert_string_equal(scanned(f, INDEX_PKEY, true, "40", false), "odd|3\nnull|2\nodd|1\n");
    assert_string_equal(scanned(f, INDEX_EMAIL, false, "10", true),
                        "a@x|2 /Table/106/1/2\nb@x|1 /Table/106/1/1\nc@x|3 /Table/106/1/3\n");
    /* What keys lose comes back from the value: 7.10 and 7.1 are one key. */
    assert_string_equal(scanned(f, INDEX_AMOUNT, false, "204", true),
                        "7.10|1|odd /Table/106/1/1\n7.1|2|null /Table/106/1/2\nnull|3|odd /Table/106/1/3\n");
    assert_string_equal(scanned(f, INDEX_SCORE, false, "3", true), "-0 /Table/106/1/2\n1.5 /Table/106/1/1\n2 /Table/106/1/3\n");
}

static void test_insert_and_scan(void **state)
{
    Fixture *f = *state;
    insert_three(f);
    check_three(f);
    commit(f);
    check_three(f);
}

static void test_fetch(void **state)
{
    Fixture *f = *state;
    insert_three(f);
    commit(f);
    Buf keys[3] = {{0}};
    Slice slices[3];
    int columns[] = {NOTE, AMOUNT, ID};
    Value *out[3];
    bool found[3];
    for (int i = 0; i < 3; i++) {
        assert_int_equal(row_primary_key(f->access, make_row(f, 3 - 2 * i + (i == 2) * 10, "", NULL, 0), &keys[i], &f->err), ST_OK);
        slices[i] = buf_slice(&keys[i]);
        out[i] = ARENA_ARRAY(f->arena, Value, 3);
    }
    assert_int_equal(row_fetch(f->access, f->txn, slices, 3, columns, 3, out, found, f->arena, &f->err), ST_OK);
    assert_true(found[0] && found[1] && !found[2]);
    assert_int_equal(out[2][0].i, 3);
    assert_int_equal(out[2][1].i, 1);
    assert_true(out[1][0].null);
    assert_true(slice_equal_str(value_to_slice(out[0][1]), "odd"));
    Value row[3];
    bool is_there;
    assert_int_equal(row_fetch_locked(f->access, f->txn, slices[1], LOCK_UPDATE, LOCK_WAIT, columns, 3, row, &is_there,
                                      f->arena, &f->err), ST_OK);
    assert_true(is_there);
    assert_string_equal(value_text(&f->table->columns.items[AMOUNT], row[1], f->arena), "7.10");
    for (int i = 0; i < 3; i++) buf_finish(&keys[i]);
}

static void test_violations(void **state)
{
    Fixture *f = *state;
    insert_three(f);
    assert_int_equal(insert(f, make_row(f, 3, "d@x", NULL, 0)), ST_ERROR);
    assert_int_equal(f->err.sqlstate, ERR_UNIQUE_VIOLATION);
    assert_string_equal(f->err.message, "duplicate key value violates unique constraint \"users_pkey\"");
    assert_string_equal(f->err.detail, "Key (id)=(3) already exists.");
    assert_string_equal(f->err.constraint, "users_pkey");
    assert_string_equal(f->err.table, "users");
    assert_int_equal(insert(f, make_row(f, 4, "a@x", NULL, 0)), ST_ERROR);
    assert_string_equal(f->err.detail, "Key (email)=(a@x) already exists.");
    Value *row = make_row(f, 5, "", "1.0", 0.5);
    row[EMAIL] = VALUE_NULL;
    assert_int_equal(insert(f, row), ST_ERROR);
    assert_int_equal(f->err.sqlstate, ERR_NOT_NULL_VIOLATION);
    assert_string_equal(f->err.message, "null value in column \"email\" of relation \"users\" violates not-null constraint");
    assert_string_equal(f->err.detail, "Failing row contains (5, null, 1.0, 0.5, odd).");
    assert_string_equal(f->err.column, "email");
    commit(f);
    check_three(f);
}

static void test_update(void **state)
{
    Fixture *f = *state;
    insert_three(f);
    commit(f);
    RowWriter *writer = row_writer_create(f->access, f->txn, f->arena);
    Value *before = make_row(f, 1, "b@x", "7.10", 1.5), *after = make_row(f, 1, "b@x", "7.1", 9);
    after[NOTE] = VALUE_NULL;
    assert_int_equal(row_update(writer, (RowImage){before, NULL}, (RowImage){after, NULL}, &f->err), ST_OK);
    assert_string_equal(scanned(f, INDEX_AMOUNT, false, "204", false), "7.1|1|null\n7.1|2|null\nnull|3|odd\n");
    assert_string_equal(scanned(f, INDEX_SCORE, true, "30", false), "9|1\n2|3\n-0|2\n");
    /* Another primary key: the row moves, all entries with it. */
    Value *moved = make_row(f, 10, "z@x", "7.1", 9);
    assert_int_equal(row_update(writer, (RowImage){after, NULL}, (RowImage){moved, NULL}, &f->err), ST_OK);
    commit(f);
    assert_string_equal(scanned(f, INDEX_PKEY, false, "014", false), "2|a@x|null\n3|c@x|odd\n10|z@x|null\n");
    assert_string_equal(scanned(f, INDEX_EMAIL, false, "10", false), "a@x|2\nc@x|3\nz@x|10\n");
    writer = row_writer_create(f->access, f->txn, f->arena);
    Value *taken = make_row(f, 10, "a@x", "7.1", 9);
    assert_int_equal(row_update(writer, (RowImage){moved, NULL}, (RowImage){taken, NULL}, &f->err), ST_ERROR);
    assert_string_equal(f->err.constraint, "users_email_key");
}

/* Nothing but the store's own keys may be left. */
static void assert_nothing_left(Fixture *f)
{
    int64_t keys, key_bytes, value_bytes;
    Slice table = SLICE_LIT("\xf2");
    assert_int_equal(directory_split(store_directory(f->store), &table, 1, 0, &f->err), ST_OK);
    directory_span_stats(store_directory(f->store), table, ROW_KEY_MAX, &keys, &key_bytes, &value_bytes);
    assert_int_equal(keys, 0);
    assert_int_equal(key_bytes, 0);
    assert_int_equal(value_bytes, 0);
}

static void test_delete(void **state)
{
    Fixture *f = *state;
    insert_three(f);
    commit(f);
    RowWriter *writer = row_writer_create(f->access, f->txn, f->arena);
    assert_int_equal(row_delete(writer, (RowImage){make_row(f, 1, "b@x", "7.10", 1.5), NULL}, &f->err), ST_OK);
    assert_string_equal(scanned(f, INDEX_PKEY, false, "04", false), "2|null\n3|odd\n");
    assert_string_equal(scanned(f, INDEX_SCORE, false, "0", false), "2\n3\n");
    assert_int_equal(row_delete(writer, (RowImage){make_row(f, 2, "a@x", "7.1", -0.0), NULL}, &f->err), ST_OK);
    assert_int_equal(row_delete(writer, (RowImage){make_row(f, 3, "c@x", NULL, 2), NULL}, &f->err), ST_OK);
    commit(f);
    assert_nothing_left(f);
}

static void test_clear(void **state)
{
    Fixture *f = *state;
    insert_three(f);
    commit(f);
    assert_int_equal(index_clear(f->txn, 106, 4, &f->err), ST_OK);
    assert_string_equal(scanned(f, INDEX_SCORE, false, "0", false), "");
    assert_int_equal(table_clear(f->txn, f->table, &f->err), ST_OK);
    assert_string_equal(scanned(f, INDEX_PKEY, false, "0", false), "");
    commit(f);
    assert_nothing_left(f);
}

static void count_pair(void *argument, const IndexDesc *index, Slice key, Slice value)
{
    Buf *text = argument;
    Arena *arena = arena_create(NULL, 0);
    buf_printf(text, "%s %s\n", index->name, key_text(key, NULL, arena));
    arena_destroy(arena);
}

static void test_pairs(void **state)
{
    Fixture *f = *state;
    Buf text = {0};
    RowWriter *writer = row_writer_create(f->access, f->txn, f->arena);
    assert_int_equal(row_pairs(writer, (RowImage){make_row(f, 1, "b@x", "7.10", 1.5), NULL}, count_pair, &text, &f->err), ST_OK);
    bool families = f->table->families.count > 1;
    assert_string_equal(buf_to_str(&text, f->arena), families ? "users_pkey /Table/106/1/1/0\n"
                                                                "users_pkey /Table/106/1/1/1/1\n"
                                                                "users_pkey /Table/106/1/1/200/2\n"
                                                                "users_email_key /Table/106/2/\"b@x\"/0\n"
                                                                "users_amount_idx /Table/106/3/-7.1/1/0\n"
                                                                "users_score_idx /Table/106/4/1.5/1/0\n"
                                                              : "users_pkey /Table/106/1/1/0\n"
                                                                "users_email_key /Table/106/2/\"b@x\"/0\n"
                                                                "users_amount_idx /Table/106/3/-7.1/1/0\n"
                                                                "users_score_idx /Table/106/4/1.5/1/0\n");
    buf_finish(&text);
}

typedef struct ReadBack {
    Fixture *f;
    const Value *row;
    int pairs;
} ReadBack;

/* Whatever a pair says of a column is what the row has there. */
static void read_back(void *argument, const IndexDesc *index, Slice key, Slice value)
{
    ReadBack *r = argument;
    PairContents c;
    assert_true(pair_read(r->f->access, index, key, &value, &c, r->f->arena));
    assert_true(c.whole);
    assert_true(c.key_count > 0);
    for (int i = 0; i < c.key_count + c.value_count; i++) {
        const PairColumn *column = i < c.key_count ? &c.key[i] : &c.value[i - c.key_count];
        const TypeDef *type = type_find(r->f->table->columns.items[column->ordinal].type.oid);
        Value expected = r->row[column->ordinal];
        assert_int_equal(column->value.null, expected.null);
        if (!expected.null) assert_int_equal(type_compare(type, column->value, expected), 0);
    }
    /* Every shorter key reads as far as it goes. */
    for (size_t size = 0; size < key.size; size++) {
        PairContents cut;
        Slice part = slice_of(key.data, size);
        if (pair_read(r->f->access, index, part, NULL, &cut, r->f->arena)) assert_true(cut.key_count <= c.key_count);
    }
    r->pairs++;
}

static void test_pair_read(void **state)
{
    Fixture *f = *state;
    RowWriter *writer = row_writer_create(f->access, f->txn, f->arena);
    Value *rows[] = {make_row(f, 1, "b@x", "7.10", 1.5), make_row(f, -300, "", "-0.50", 0), make_row(f, 0, "", NULL, -1)};
    rows[1][EMAIL] = VALUE_NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ReadBack r = {f, rows[i], 0};
        assert_int_equal(row_pairs(writer, (RowImage){rows[i], NULL}, read_back, &r, &f->err), ST_OK);
        assert_true(r.pairs >= 4);
    }
}

static void test_insert_or_find(void **state)
{
    Fixture *f = *state;
    insert_three(f);
    commit(f);
    const IndexDesc *conflict, *email = &f->table->indexes.items[INDEX_EMAIL];
    Slice existing;
    RowWriter *writer = row_writer_create(f->access, f->txn, f->arena);
    RowImage row = {make_row(f, 9, "c@x", NULL, 0), NULL};
    assert_int_equal(row_insert_or_find(writer, row, &email, 1, &conflict, &existing, &f->err), ST_OK);
    assert_ptr_equal(conflict, email);
    assert_string_equal(key_text(existing, NULL, f->arena), "/Table/106/1/3");
    assert_int_equal(row_insert_or_find(writer, row, NULL, 0, &conflict, &existing, &f->err), ST_OK);
    assert_ptr_equal(conflict, email);
    /* A conflict elsewhere than in the arbiter is an error. */
    row.values = make_row(f, 3, "new@x", NULL, 0);
    assert_int_equal(row_insert_or_find(writer, row, &email, 1, &conflict, &existing, &f->err), ST_ERROR);
    assert_string_equal(f->err.constraint, "users_pkey");
    row.values = make_row(f, 9, "new@x", NULL, 0);
    assert_int_equal(row_insert_or_find(writer, row, &email, 1, &conflict, &existing, &f->err), ST_OK);
    assert_null(conflict);
    assert_string_equal(scanned(f, INDEX_EMAIL, true, "0", false), "9\n3\n1\n2\n");
}

/* Entries for matching rows only. */
static void test_partial_index(void **state)
{
    Fixture *f = *state;
    f->table->indexes.items[INDEX_SCORE].predicate = "score > 1";
    f->access = table_access_create(f->table, f->arena);
    RowWriter *writer = row_writer_create(f->access, f->txn, f->arena);
    bool in[INDEXES] = {true, true, true, true}, out[INDEXES] = {true, true, true, false};
    Value *one = make_row(f, 1, "a", NULL, 5), *two = make_row(f, 2, "b", NULL, 0), *three = make_row(f, 2, "b", NULL, 7);
    assert_int_equal(row_insert(writer, (RowImage){one, in}, &f->err), ST_OK);
    assert_int_equal(row_insert(writer, (RowImage){two, out}, &f->err), ST_OK);
    assert_string_equal(scanned(f, INDEX_SCORE, false, "0", false), "1\n");
    assert_int_equal(row_update(writer, (RowImage){two, out}, (RowImage){three, in}, &f->err), ST_OK);
    assert_int_equal(row_update(writer, (RowImage){one, in}, (RowImage){one, out}, &f->err), ST_OK);
    assert_string_equal(scanned(f, INDEX_SCORE, false, "03", false), "2|7\n");
}

/* NULLs are distinct in a unique index unless told otherwise. */
static void test_unique_nulls(void **state)
{
    Fixture *f = *state;
    f->table->columns.items[EMAIL].not_null = false;
    Value *rows[2] = {make_row(f, 1, "", NULL, 0), make_row(f, 2, "", NULL, 0)};
    for (int i = 0; i < 2; i++) {
        rows[i][EMAIL] = VALUE_NULL;
        assert_int_equal(insert(f, rows[i]), ST_OK);
    }
    assert_string_equal(scanned(f, INDEX_EMAIL, false, "10", true), "null|1 /Table/106/1/1\nnull|2 /Table/106/1/2\n");
    f->table->indexes.items[INDEX_EMAIL].nulls_not_distinct = true;
    Value *more[2] = {make_row(f, 3, "", NULL, 0), make_row(f, 4, "", NULL, 0)};
    more[0][EMAIL] = more[1][EMAIL] = VALUE_NULL;
    assert_int_equal(insert(f, more[0]), ST_OK);
    assert_int_equal(insert(f, more[1]), ST_ERROR);
    assert_string_equal(f->err.detail, "Key (email)=(null) already exists.");
}

/* Columns added and dropped after rows were written. */
static void test_changed_columns(void **state)
{
    Fixture *f = *state;
    insert_three(f);
    commit(f);
    add_column(f, 6, "age", OID_INT4, false);
    f->table->columns.items[5].absent_text = "42";
    f->table->columns.items[NOTE] = f->table->columns.items[5];
    f->table->columns.count--;
    f->table->indexes.items[INDEX_AMOUNT].stored.count = 0;
    f->access = table_access_create(f->table, f->arena);
    assert_string_equal(scanned(f, INDEX_PKEY, false, "042", false), "1|42|7.10\n2|42|7.1\n3|42|null\n");
    Value *row = make_row(f, 4, "d@x", NULL, 0);
    row[NOTE] = value_int(7);
    assert_int_equal(insert(f, row), ST_OK);
    assert_string_equal(scanned(f, INDEX_PKEY, true, "40", false), "7|4\n42|3\n42|2\n42|1\n");
}

static Status compute(void *argument, Value *row, bool *in_predicate, Error *err)
{
    *in_predicate = row[ID].i != *(int64_t *)argument;
    return ST_OK;
}

static void test_backfill(void **state)
{
    Fixture *f = *state;
    insert_three(f);
    commit(f);
    int64_t left_out = 2;
    IndexDesc *index = add_index(f, "users_note_idx", 5, false);
    VEC_PUSH(f->arena, index->suffix, 1);
    f->access = table_access_create(f->table, f->arena);
    assert_int_equal(index_backfill(f->access, f->txn, index, compute, &left_out, &f->err), ST_OK);
    assert_string_equal(scanned(f, INDEXES, false, "40", true), "odd|1 /Table/106/1/1\nodd|3 /Table/106/1/3\n");
    index->unique = true;
    assert_int_equal(index_clear(f->txn, 106, index->id, &f->err), ST_OK);
    f->access = table_access_create(f->table, f->arena);
    assert_int_equal(index_backfill(f->access, f->txn, index, NULL, NULL, &f->err), ST_ERROR);
    assert_int_equal(f->err.sqlstate, ERR_UNIQUE_VIOLATION);
    assert_string_equal(f->err.message, "could not create unique index \"users_note_idx\"");
    assert_string_equal(f->err.detail, "Key (note)=(odd) is duplicated.");
}

static void test_spans_and_seek(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < 100; i++) assert_int_equal(insert(f, make_row(f, i, arena_printf(f->arena, "%d@x", i), NULL, i)), ST_OK);
    commit(f);
    Slice bounds[6];
    static const int ids[] = {10, 13, 20, 22, 50, 60};
    for (int i = 0; i < 6; i++) {
        Buf key = {0};
        Value id = value_int(ids[i]);
        assert_int_equal(index_key_prefix(f->access, table_primary(f->table), &id, 1, &key, &f->err), ST_OK);
        bounds[i] = buf_to_arena(&key, f->arena);
        buf_finish(&key);
    }
    KeySpan spans[] = {{bounds[0], bounds[1]}, {bounds[2], bounds[3]}, {bounds[4], bounds[5]}};
    int column = ID, rows;
    for (int descending = 0; descending < 2; descending++) {
        TableScanOptions options = {.index = table_primary(f->table), .spans = spans, .span_count = 3,
                                    .descending = descending, .columns = &column, .column_count = 1};
        TableScan *scan;
        Value *out[] = {ARENA_ARRAY(f->arena, Value, 64)};
        assert_int_equal(table_scan_open(f->access, f->txn, &options, &scan, f->arena, &f->err), ST_OK);
        assert_int_equal(table_scan_next(scan, out, NULL, 2, &rows, &f->err), ST_OK);
        assert_int_equal(rows, 2);
        assert_int_equal(out[0][1].i, descending ? 58 : 11);
        assert_int_equal(table_scan_seek(scan, descending ? bounds[3] : bounds[2], &f->err), ST_OK);
        assert_int_equal(table_scan_next(scan, out, NULL, 64, &rows, &f->err), ST_OK);
        assert_int_equal(rows, descending ? 5 : 12);
        assert_int_equal(out[0][0].i, descending ? 21 : 20);
        assert_int_equal(out[0][rows - 1].i, descending ? 10 : 59);
        assert_int_equal(table_scan_next(scan, out, NULL, 64, &rows, &f->err), ST_END);
        table_scan_close(scan);
    }
}

typedef struct Rival {
    Fixture *f;
    Status status;
    Error err;
} Rival;

static void *insert_rival(void *argument)
{
    Rival *rival = argument;
    Arena *arena = arena_create(NULL, 0);
    Fixture mine = {.arena = arena, .store = rival->f->store, .table = rival->f->table, .access = rival->f->access};
    begin(&mine);
    rival->status = insert(&mine, make_row(&mine, 2, "same@x", NULL, 0));
    rival->err = mine.err;
    txn_rollback(mine.txn);
    arena_destroy(arena);
    return NULL;
}

/* The second inserter of a key waits for the first, and then sees what became of it. */
static void test_second_inserter_waits(void **state)
{
    Fixture *f = *state;
    for (int committed = 0; committed < 2; committed++) {
        Rival rival = {.f = f};
        pthread_t thread;
        assert_int_equal(insert(f, make_row(f, 1, "same@x", NULL, 0)), ST_OK);
        pthread_create(&thread, NULL, insert_rival, &rival);
        struct timespec moment = {0, 20 * 1000 * 1000};
        nanosleep(&moment, NULL);
        if (committed) {
            commit(f);
        } else {
            txn_rollback(f->txn);
            begin(f);
        }
        pthread_join(thread, NULL);
        assert_int_equal(rival.status, committed ? ST_ERROR : ST_OK);
        if (committed) assert_int_equal(rival.err.sqlstate, ERR_UNIQUE_VIOLATION);
    }
}

#define BOTH(test) \
    cmocka_unit_test_setup_teardown(test, setup, teardown), \
    { #test " with families", test, setup_families, teardown, NULL }

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(test_insert_and_scan), BOTH(test_fetch), BOTH(test_violations), BOTH(test_update), BOTH(test_delete),
        BOTH(test_clear), BOTH(test_pairs), BOTH(test_pair_read), BOTH(test_insert_or_find), BOTH(test_partial_index),
        BOTH(test_unique_nulls), BOTH(test_changed_columns), BOTH(test_backfill), BOTH(test_spans_and_seek),
        BOTH(test_second_inserter_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
