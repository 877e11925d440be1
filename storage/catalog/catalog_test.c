/* The catalog on the memory engine: views, commit and rollback, names, ids, sequences, reopening. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "storage/base/clock.h"
#include "storage/catalog/catalog.h"
#include "storage/catalog/depend.h"

__attribute__((weak)) void directory_span_stats(Directory *directory, Slice start, Slice end, int64_t *keys, int64_t *key_bytes, int64_t *value_bytes);
__attribute__((weak)) void directory_span_stats(Directory *directory, Slice start, Slice end, int64_t *keys, int64_t *key_bytes, int64_t *value_bytes) {}
typedef struct Fixture {
    Arena *arena;
    char directory[64];
    Store *store;
    Catalog *catalog;
    Error err;
} Fixture;

static const Builtins no_builtins;

static int setup(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    Fixture *f = ARENA_NEW(arena, Fixture);
    f->arena = arena;
    snprintf(f->directory, sizeof f->directory, "/tmp/rowkey-catalog-XXXXXX");
    if (!mkdtemp(f->directory)) return -1;
    StoreOptions options = {.engine = "memory", .no_sync = true, .sessions_max = 32};
    if (store_open(f->directory, &options, &f->store, arena, &f->err) != ST_OK) return -1;
    if (catalog_open(f->store, &no_builtins, &f->catalog, arena, &f->err) != ST_OK) return -1;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    Fixture *f = *state;
    catalog_close(f->catalog);
    store_close(f->store);
    char path[128];
    snprintf(path, sizeof path, "%s/rowkey.lock", f->directory);
    unlink(path);
    rmdir(f->directory);
    arena_destroy(f->arena);
    return 0;
}

static CatalogView *begin(Fixture *f, Txn **txn)
{
    assert_int_equal(txn_begin(f->store, &(TxnOptions){.synchronous_commit = true}, txn, &f->err), ST_OK);
    assert_int_equal(txn_statement_begin(*txn, &f->err), ST_OK);
    return catalog_view_create(f->catalog, *txn);
}

static DescId public_schema(CatalogView *view, DescId *database)
{
    const Desc *db = catalog_find_database(view, "postgres");
    assert_non_null(db);
    *database = db->id;
    const Desc *schema = catalog_find_schema(view, db->id, "public");
    assert_non_null(schema);
    return schema->id;
}

static TableDesc *draft(Fixture *f, CatalogView *view, const char *name)
{
    TableDesc *t = ARENA_NEW(f->arena, TableDesc);
    t->base = (Desc){.kind = DESC_TABLE, .name = name, .owner = "postgres"};
    t->base.parent_schema = public_schema(view, &t->base.parent_database);
    VEC_PUSH(f->arena, t->columns, (ColumnDesc){.id = 1, .name = "id", .type = {OID_INT4, -1}, .not_null = true});
    IndexDesc primary = {.id = 1, .name = arena_printf(f->arena, "%s_pkey", name), .unique = true, .primary = true};
    VEC_PUSH(f->arena, primary.columns, (IndexColumn){.column_id = 1});
    VEC_PUSH(f->arena, t->indexes, primary);
    assert_int_equal(catalog_new_id(view, &t->base.id, &f->err), ST_OK);
    return t;
}

static const Desc *find(CatalogView *view, const char *name)
{
    DescId database;
    return catalog_find_object(view, public_schema(view, &database), name);
}

static void test_bootstrap(void **state)
{
    Fixture *f = *state;
    Txn *txn;
    CatalogView *view = begin(f, &txn);
    assert_int_equal(catalog_find_database(view, "defaultdb")->id, 100);
    assert_non_null(catalog_find_role(view, "postgres"));
    assert_non_null(catalog_find_role(view, "root"));
    DescId id;
    assert_int_equal(catalog_new_id(view, &id, &f->err), ST_OK);
    assert_int_equal(id, DESC_ID_FIRST_USER);
    txn_rollback(txn);
}

static void test_ids_are_nobody_elses(void **state)
{
    Fixture *f = *state;
    Txn *txn;
    CatalogView *view = begin(f, &txn);
    for (DescId id = 0; id < 6000;) {
        assert_int_equal(catalog_new_id(view, &id, &f->err), ST_OK);
        assert_null(type_find(id));
        assert_null(catalog_find_system_oid(view, id));
    }
    txn_rollback(txn);
}

static void test_commit_publishes(void **state)
{
    Fixture *f = *state;
    Txn *writer, *reader;
    CatalogView *mine = begin(f, &writer), *other = begin(f, &reader);
    uint64_t before = catalog_view_version(mine);
    assert_int_equal(catalog_put(mine, &draft(f, mine, "t")->base, &f->err), ST_OK);
    assert_true(catalog_view_version(mine) != before);
    assert_non_null(find(mine, "t"));
    assert_null(find(mine, "t_pkey")); /* an index is no object of its own */
    const IndexDesc *index;
    DescId database, schema = public_schema(mine, &database);
    assert_non_null(catalog_find_index(mine, schema, "t_pkey", &index));
    assert_int_equal(index->id, 1);
    catalog_view_refresh(other);
    assert_null(find(other, "t"));
    assert_int_equal(txn_commit(writer, &f->err), ST_OK);
    assert_null(find(other, "t"));
    catalog_view_refresh(other);
    assert_non_null(find(other, "t"));
    txn_rollback(reader);
}

static void test_rollback_leaves_nothing(void **state)
{
    Fixture *f = *state;
    Txn *txn;
    CatalogView *view = begin(f, &txn);
    assert_int_equal(catalog_put(view, &draft(f, view, "gone")->base, &f->err), ST_OK);
    txn_rollback(txn);
    view = begin(f, &txn);
    assert_null(find(view, "gone"));
    assert_int_equal(catalog_put(view, &draft(f, view, "gone")->base, &f->err), ST_OK); /* the name is free again */
    txn_rollback(txn);
}

static void test_rollback_to(void **state)
{
    Fixture *f = *state;
    Txn *txn;
    CatalogView *view = begin(f, &txn);
    TableDesc *kept = draft(f, view, "kept"), *lost = draft(f, view, "lost");
    assert_int_equal(catalog_put(view, &kept->base, &f->err), ST_OK);
    TxnMark mark = txn_savepoint(txn);
    kept->base.comment = "changed";
    assert_int_equal(catalog_put(view, &kept->base, &f->err), ST_OK);
    assert_int_equal(catalog_put(view, &lost->base, &f->err), ST_OK);
    txn_rollback_to(txn, mark);
    assert_int_equal(catalog_view_rolled_back(view, &f->err), ST_OK);
    assert_null(find(view, "lost"));
    assert_null(find(view, "kept")->comment);
    assert_int_equal(txn_commit(txn, &f->err), ST_OK);
    view = begin(f, &txn);
    assert_null(find(view, "lost"));
    assert_null(find(view, "kept")->comment);
    txn_rollback(txn);
}

static void test_rollback_to_of_a_drop(void **state)
{
    Fixture *f = *state;
    Txn *txn;
    CatalogView *view = begin(f, &txn);
    TableDesc *t = draft(f, view, "t");
    assert_int_equal(catalog_put(view, &t->base, &f->err), ST_OK);
    assert_int_equal(txn_commit(txn, &f->err), ST_OK);
    view = begin(f, &txn);
    TxnMark mark = txn_savepoint(txn);
    assert_int_equal(catalog_delete(view, t->base.id, &f->err), ST_OK);
    assert_null(find(view, "t"));
    txn_rollback_to(txn, mark);
    assert_int_equal(catalog_view_rolled_back(view, &f->err), ST_OK);
    assert_non_null(find(view, "t"));
    assert_int_equal(catalog_delete(view, t->base.id, &f->err), ST_OK);
    assert_int_equal(txn_commit(txn, &f->err), ST_OK);
    view = begin(f, &txn);
    assert_null(find(view, "t"));
    txn_rollback(txn);
}

static void test_names_are_taken(void **state)
{
    Fixture *f = *state;
    Txn *txn, *second;
    CatalogView *view = begin(f, &txn), *late = begin(f, &second);
    assert_int_equal(catalog_put(view, &draft(f, view, "t")->base, &f->err), ST_OK);
    assert_int_equal(catalog_put(view, &draft(f, view, "t")->base, &f->err), ST_ERROR);
    assert_int_equal(f->err.sqlstate, ERR_DUPLICATE_TABLE);
    assert_string_equal(f->err.message, "relation \"t\" already exists");
    assert_int_equal(txn_commit(txn, &f->err), ST_OK);
    /* Its view does not know of t yet; the name's record does. */
    assert_int_equal(catalog_put(late, &draft(f, late, "t")->base, &f->err), ST_ERROR);
    assert_int_equal(f->err.sqlstate, ERR_DUPLICATE_TABLE);
    txn_rollback(second);
}

static void test_concurrent_change_is_refused(void **state)
{
    Fixture *f = *state;
    Txn *txn, *second;
    CatalogView *view = begin(f, &txn);
    TableDesc *t = draft(f, view, "t");
    assert_int_equal(catalog_put(view, &t->base, &f->err), ST_OK);
    assert_int_equal(txn_commit(txn, &f->err), ST_OK);
    CatalogView *late = begin(f, &second);
    view = begin(f, &txn);
    assert_int_equal(catalog_put(view, &t->base, &f->err), ST_OK);
    assert_int_equal(txn_commit(txn, &f->err), ST_OK);
    assert_int_equal(catalog_put(late, &t->base, &f->err), ST_ERROR);
    assert_int_equal(f->err.sqlstate, ERR_SERIALIZATION_FAILURE);
    txn_rollback(second);
}

static SequenceDesc counting(int64_t start, int64_t increment, int64_t low, int64_t high, bool cycle)
{
    return (SequenceDesc){.base = {.kind = DESC_SEQUENCE, .id = 900, .name = "s"}, .start = start, .increment = increment,
                          .minimum = low, .maximum = high, .cache = 1, .cycle = cycle};
}

static void reopen(Fixture *f, bool clean)
{
    if (clean) catalog_close(f->catalog);
    assert_int_equal(catalog_open(f->store, &no_builtins, &f->catalog, f->arena, &f->err), ST_OK);
}

static void create_sequence(Fixture *f, SequenceDesc *s)
{
    Txn *txn;
    CatalogView *view = begin(f, &txn);
    s->base.kind = DESC_SEQUENCE;
    s->base.owner = "postgres";
    s->base.parent_schema = public_schema(view, &s->base.parent_database);
    assert_int_equal(catalog_new_id(view, &s->base.id, &f->err), ST_OK);
    assert_int_equal(catalog_put(view, &s->base, &f->err), ST_OK);
    assert_int_equal(txn_commit(txn, &f->err), ST_OK);
}

static void test_sequence(void **state)
{
    Fixture *f = *state;
    SequenceDesc s = counting(1, 1, 1, INT64_MAX, false);
    create_sequence(f, &s);
    int64_t value;
    bool called;
    for (int i = 1; i <= 100; i++) {
        assert_int_equal(sequence_next(f->catalog, &s, &value, &f->err), ST_OK);
        assert_int_equal(value, i);
    }
    reopen(f, true);
    assert_int_equal(sequence_next(f->catalog, &s, &value, &f->err), ST_OK);
    assert_int_equal(value, 101);
    assert_int_equal(sequence_set(f->catalog, &s, 7, false, &f->err), ST_OK);
    assert_int_equal(sequence_read(f->catalog, &s, &value, &called, &f->err), ST_OK);
    assert_int_equal(value, 7);
    assert_false(called);
    assert_int_equal(sequence_next(f->catalog, &s, &value, &f->err), ST_OK);
    assert_int_equal(value, 7);
}

static void test_sequence_after_a_crash(void **state)
{
    Fixture *f = *state;
    SequenceDesc s = counting(1, 1, 1, INT64_MAX, false);
    int64_t value = 0, last;
    for (int i = 0; i < 50; i++) assert_int_equal(sequence_next(f->catalog, &s, &value, &f->err), ST_OK);
    last = value;
    Catalog *abandoned = f->catalog;
    reopen(f, false);
    assert_int_equal(sequence_next(f->catalog, &s, &value, &f->err), ST_OK);
    assert_true(value > last);
    (void)abandoned;
}

static void test_sequence_bounds(void **state)
{
    Fixture *f = *state;
    SequenceDesc s = counting(-1, -2, -5, -1, false);
    int64_t value;
    for (int64_t expected = -1; expected >= -5; expected -= 2) {
        assert_int_equal(sequence_next(f->catalog, &s, &value, &f->err), ST_OK);
        assert_int_equal(value, expected);
    }
    assert_int_equal(sequence_next(f->catalog, &s, &value, &f->err), ST_ERROR);
    assert_int_equal(f->err.sqlstate, ERR_SEQUENCE_GENERATOR_LIMIT_EXCEEDED);
    assert_string_equal(f->err.message, "nextval: reached minimum value of sequence \"s\" (-5)");
    s.cycle = true;
    assert_int_equal(sequence_next(f->catalog, &s, &value, &f->err), ST_OK);
    assert_int_equal(value, -1);
}

static void test_reload(void **state)
{
    Fixture *f = *state;
    Txn *txn;
    CatalogView *view = begin(f, &txn);
    TableDesc *t = draft(f, view, "t");
    TableStats stats = {.analyzed_at_us = 5};
    ColumnStats column = {.column_id = 1, .distinct = 3};
    VEC_PUSH(f->arena, column.common, value_int(42));
    VEC_PUSH(f->arena, stats.columns, column);
    assert_int_equal(catalog_put(view, &t->base, &f->err), ST_OK);
    assert_int_equal(catalog_put_stats(view, t->base.id, &stats, &f->err), ST_OK);
    assert_int_equal(txn_commit(txn, &f->err), ST_OK);
    reopen(f, true);
    view = begin(f, &txn);
    const TableDesc *found = (const TableDesc *)find(view, "t");
    assert_non_null(found);
    const TableStats *read = catalog_table_stats(view, found, f->arena);
    assert_int_equal(read->columns.items[0].common.items[0].i, 42);
    const IndexDesc *index;
    assert_ptr_equal(catalog_find_index_oid(view, index_oid(t->base.id, 1), &index), found);
    txn_rollback(txn);
}

/* A schema of many tables must not cost the square of its size. */
static void test_many_tables(void **state)
{
    Fixture *f = *state;
    Txn *txn;
    uint64_t start = clock_monotonic_ns();
    for (int i = 0; i < 500; i++) {
        CatalogView *view = begin(f, &txn);
        assert_int_equal(catalog_put(view, &draft(f, view, arena_printf(f->arena, "t%d", i))->base, &f->err), ST_OK);
        assert_int_equal(txn_commit(txn, &f->err), ST_OK);
    }
    assert_true(clock_monotonic_ns() - start < UINT64_C(2000000000));
    CatalogView *view = begin(f, &txn);
    const Desc **list;
    assert_int_equal(catalog_list(view, DESC_TABLE, 0, 0, &list, f->arena), 500);
    assert_string_equal(list[0]->name, "t0");
    assert_string_equal(list[499]->name, "t99");
    txn_rollback(txn);
}

static void test_depend(void **state)
{
    Fixture *f = *state;
    Txn *txn;
    CatalogView *view = begin(f, &txn);
    TableDesc *t = draft(f, view, "t");
    assert_int_equal(catalog_put(view, &t->base, &f->err), ST_OK);
    ViewDesc v = {.base = t->base, .query = "SELECT 1"};
    v.base.kind = DESC_VIEW;
    v.base.name = "v";
    assert_int_equal(catalog_new_id(view, &v.base.id, &f->err), ST_OK);
    VEC_PUSH(f->arena, v.depends_on, (int)t->base.id);
    assert_int_equal(catalog_put(view, &v.base, &f->err), ST_OK);
    Dependent *list;
    assert_int_equal(depend_list(view, t->base.id, &list, f->arena), 1);
    assert_string_equal(list[0].desc->name, "v");
    txn_rollback(txn);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_bootstrap), TEST(test_ids_are_nobody_elses), TEST(test_commit_publishes), TEST(test_rollback_leaves_nothing), TEST(test_rollback_to),
        TEST(test_rollback_to_of_a_drop), TEST(test_names_are_taken), TEST(test_concurrent_change_is_refused),
        TEST(test_sequence), TEST(test_sequence_after_a_crash), TEST(test_sequence_bounds), TEST(test_reload),
        TEST(test_many_tables), TEST(test_depend),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
