/* Rows kept aside and sorted, in memory and through files. */
#include "executor/sorter.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { ROWS = 20000 };

static PlannedStmt planned;
static ColId ids[] = {1, 2};
static TypeRef types[] = {{OID_INT4, -1}, {OID_TEXT, -1}};
static Plan input = {.kind = PLAN_VALUES, .columns = ids, .types = types, .column_count = 2};
static Error err;

static Exec *make_exec(Arena *arena, size_t work_mem)
{
    planned.plan = &input;
    Exec *exec = exec_create(NULL, &planned, arena);
    exec_start(exec, NULL, NULL, &err);
    exec->work_mem_bytes = work_mem;
    return exec;
}

static void make_batch(Arena *arena, int from, int rows, Batch *batch)
{
    Value **columns = ARENA_ARRAY(arena, Value *, 2);
    for (int c = 0; c < 2; c++) columns[c] = ARENA_ARRAY(arena, Value, rows);
    for (int i = 0; i < rows; i++) {
        int n = (from + i) * 7919 % ROWS;
        columns[0][i] = n % 100 == 0 ? VALUE_NULL : value_int(n);
        columns[1][i] = value_str(arena_printf(arena, "row %d", n));
    }
    *batch = (Batch){.columns = columns, .column_count = 2, .row_count = rows};
}

static void sort_and_check(size_t work_mem, int64_t limit, bool spills)
{
    Arena *arena = arena_create(NULL, 0);
    Exec *exec = make_exec(arena, work_mem);
    SortKey key = {expr_column(arena, 1, types[0], "a"), true, true};
    Sorter *sorter = sorter_create(exec, &input, sorter_keys(&input, &key, 1, arena), 1, limit, arena);
    Batch batch;
    for (int at = 0; at < ROWS; at += 1000) {
        make_batch(arena, at, 1000, &batch);
        assert_int_equal(sorter_add(sorter, &batch), ST_OK);
    }
    assert_int_equal(sorter_finish(sorter), ST_OK);
    assert_int_equal(sorter_spilled(sorter) > 0, spills);
    int64_t rows = 0, last = INT64_MAX;
    while (sorter_next(sorter, &batch) == ST_OK)
        for (int i = 0; i < batch_rows(&batch); i++, rows++) {
            Value v = batch.columns[0][i], text = batch.columns[1][i];
            assert_int_equal(v.null, rows < ROWS / 100);
            if (v.null) continue;
            assert_true(v.i <= last);
            last = v.i;
            assert_true(slice_equal_str(value_to_slice(text), arena_printf(arena, "row %d", (int)v.i)));
        }
    assert_int_equal(rows, limit < 0 ? ROWS : limit);
    arena_destroy(arena);
}

static void test_in_memory(void **state)
{
    sort_and_check((size_t)1 << 30, -1, false);
}

static void test_spilled(void **state)
{
    sort_and_check(256 * 1024, -1, true);
}

static void test_top_k(void **state)
{
    sort_and_check(256 * 1024, 500, false);
}

static void test_row_store(void **state)
{
    for (int spill = 0; spill < 2; spill++) {
        Arena *arena = arena_create(NULL, 0);
        Exec *exec = make_exec(arena, spill ? 64 * 1024 : (size_t)1 << 30);
        RowStore *store = row_store_create(exec, op_types(&input, arena), 2, arena);
        Batch batch;
        for (int at = 0; at < ROWS; at += 500) {
            make_batch(arena, at, 500, &batch);
            assert_int_equal(row_store_add_batch(store, &batch), ST_OK);
        }
        assert_int_equal(row_store_rows(store), ROWS);
        assert_int_equal(row_store_spilled(store) > 0, spill);
        RowReader reader;
        row_reader_init(&reader, store, arena);
        for (int round = 0; round < 2; round++) {
            int at = 0;
            while (row_reader_next(&reader, &batch) == ST_OK)
                for (int i = 0; i < batch.row_count; i++, at++) {
                    int n = at * 7919 % ROWS;
                    assert_int_equal(batch.columns[0][i].null, n % 100 == 0);
                    assert_true(slice_equal_str(value_to_slice(batch.columns[1][i]), arena_printf(arena, "row %d", n)));
                }
            assert_int_equal(at, ROWS);
            row_reader_rewind(&reader);
        }
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_in_memory), cmocka_unit_test(test_spilled),
                                       cmocka_unit_test(test_top_k), cmocka_unit_test(test_row_store)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
