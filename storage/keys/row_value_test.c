#include "storage/keys/row_value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const Cell all_kinds[] = {
    {1, CELL_I64}, {2, CELL_BYTES}, {3, CELL_U8}, {5, CELL_I16}, {6, CELL_I32}, {40, CELL_U32}, {41, CELL_F32},
    {1000, CELL_16_BYTES}, {1001, CELL_BYTES}, {1040, CELL_BYTES},
};
enum { KINDS = sizeof all_kinds / sizeof *all_kinds };

static void fill(Value values[KINDS], const char *text)
{
    values[0] = value_int(-4718);
    values[1] = value_str("alice");
    values[2] = value_bool(true);
    values[3] = value_int(-300);
    values[4] = value_int(INT32_MIN);
    values[5] = value_int(UINT32_MAX);
    values[6] = value_float(1.5f);
    values[7] = value_bytes("0123456789abcdef", 16);
    values[8] = value_str(text);
    values[9] = value_str("");
}

static void assert_same(Value a, Value b, CellKind kind)
{
    assert_int_equal(a.null, b.null);
    if (a.null) return;
    if (kind == CELL_BYTES || kind == CELL_16_BYTES) assert_true(slice_equal(value_to_slice(a), value_to_slice(b)));
    else assert_int_equal(a.i, b.i);
}

static void check(const Value *values, Arena *arena)
{
    Buf out = {0};
    Error err;
    assert_int_equal(row_value_write(all_kinds, values, KINDS, &out, &err), ST_OK);
    RowReader *reader = row_reader_create(all_kinds, KINDS, arena);
    for (int again = 0; again < 2; again++) {
        assert_true(row_reader_open(reader, buf_slice(&out)));
        for (int i = 0; i < KINDS; i++) {
            Value got;
            assert_int_equal(row_reader_cell(reader, i, &got), CELL_PRESENT);
            assert_same(got, values[i], all_kinds[i].kind);
        }
    }
    buf_finish(&out);
}

static void test_round_trip(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    Value values[KINDS];
    fill(values, "x");
    check(values, arena);
    for (int i = 0; i < KINDS; i++) {
        values[i] = VALUE_NULL;
        check(values, arena);
    }
    /* More than 65,535 bytes: wide offsets. */
    char *text = malloc(70001);
    memset(text, 'w', 70000);
    text[70000] = 0;
    fill(values, text);
    check(values, arena);
    free(text);
    arena_destroy(arena);
}

/* Columns added later are absent, dropped ones are in nobody's way, the order asked does not matter. */
static void test_other_columns(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    static const Cell old[] = {{2, CELL_BYTES}, {3, CELL_I64}, {4, CELL_BYTES}};
    static const Cell new[] = {{5, CELL_I64}, {4, CELL_BYTES}, {2, CELL_BYTES}, {0, CELL_BYTES}, {4, CELL_BYTES}};
    Buf out = {0};
    Error err;
    Value got;
    assert_int_equal(row_value_write(old, (Value[]){value_str("two"), value_int(3), value_str("four")}, 3, &out, &err), ST_OK);
    RowReader *reader = row_reader_create(new, 5, arena);
    assert_true(row_reader_open(reader, buf_slice(&out)));
    assert_int_equal(row_reader_cell(reader, 0, &got), CELL_ABSENT);
    assert_int_equal(row_reader_cell(reader, 1, &got), CELL_PRESENT);
    assert_true(slice_equal_str(value_to_slice(got), "four"));
    assert_int_equal(row_reader_cell(reader, 2, &got), CELL_PRESENT);
    assert_true(slice_equal_str(value_to_slice(got), "two"));
    assert_int_equal(row_reader_cell(reader, 3, &got), CELL_ABSENT);
    assert_int_equal(row_reader_cell(reader, 4, &got), CELL_PRESENT);
    assert_true(row_reader_open(reader, slice_of(NULL, 0)));
    assert_int_equal(row_reader_cell(reader, 2, &got), CELL_ABSENT);
    buf_finish(&out);
    arena_destroy(arena);
}

/* More heads in turn than a reader remembers. */
static void test_many_heads(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    static const Cell wanted = {7, CELL_I64};
    RowReader *reader = row_reader_create(&wanted, 1, arena);
    Error err;
    for (int i = 0; i < 200; i++) {
        Buf out = {0};
        Cell cells[] = {{1 + (uint32_t)i % 6, CELL_BYTES}, {7, CELL_I64}, {100 + (uint32_t)i % 7, CELL_I64}};
        Value values[] = {value_str("ab"), value_int(i), value_int(0)}, got;
        assert_int_equal(row_value_write(cells, values, 3, &out, &err), ST_OK);
        assert_true(row_reader_open(reader, buf_slice(&out)));
        assert_int_equal(row_reader_cell(reader, 0, &got), CELL_PRESENT);
        assert_int_equal(got.i, i);
        buf_finish(&out);
    }
    arena_destroy(arena);
}

static void test_damage(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    Value values[KINDS], got;
    Error err;
    Buf out = {0};
    fill(values, "some text");
    assert_int_equal(row_value_write(all_kinds, values, KINDS, &out, &err), ST_OK);
    uint64_t seed = 7;
    for (int i = 0; i < 20000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        size_t size = i % 2 ? out.size : (size_t)(seed >> 33) % out.size;
        uint8_t *bytes = malloc(size + 1);
        memcpy(bytes, out.data, size);
        if (size) bytes[(seed >> 20) % size] = (uint8_t)(seed >> 50);
        RowReader *reader = row_reader_create(all_kinds, KINDS, arena);
        if (row_reader_open(reader, slice_of(bytes, size))) {
            volatile uint8_t sum = 0;
            for (int c = 0; c < KINDS; c++) {
                if (row_reader_cell(reader, c, &got) != CELL_PRESENT || got.null) continue;
                bool is_bytes = got.size > 0 && all_kinds[c].kind == CELL_BYTES;
                for (uint32_t b = 0; is_bytes && b < got.size; b++) sum = (uint8_t)(sum + got.p[b]);
            }
        }
        free(bytes);
        arena_reset(arena);
    }
    buf_finish(&out);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_other_columns),
        cmocka_unit_test(test_many_heads),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
