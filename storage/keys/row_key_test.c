#include "storage/keys/row_key.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void test_split_undoes_family(void **state)
{
    static const uint32_t families[] = {0, 1, 2, 109, 110, 200, 255, 256, 65535, 65536, UINT32_MAX};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        Buf key = {0};
        row_key_index_prefix(106, 1, &key);
        buf_put(&key, "\xf7\x12\x6e", 3);
        size_t row_size = key.size;
        row_key_family(families[i], &key);
        Slice row;
        uint32_t family;
        assert_true(row_key_split(buf_slice(&key), &row, &family));
        assert_int_equal(row.size, row_size);
        assert_int_equal(family, families[i]);
        buf_finish(&key);
    }
}

static void test_split_refuses(void **state)
{
    Slice row;
    uint32_t family;
    assert_false(row_key_split(SLICE_LIT(""), &row, &family));
    assert_false(row_key_split(SLICE_LIT("\x88"), &row, &family));
    assert_false(row_key_split(SLICE_LIT("\x03\xf2\x89\x88"), &row, &family));
    assert_false(row_key_split(SLICE_LIT("\xf2\x89\x01"), &row, &family));
    assert_false(row_key_split(SLICE_LIT("\xf2\x8b"), &row, &family)); /* longer than what is left */
}

static void test_prefix_end(void **state)
{
    static const struct { Slice prefix, end; } cases[] = {
        {{(const uint8_t *)"\xf2\x89", 2}, {(const uint8_t *)"\xf2\x8a", 2}},
        {{(const uint8_t *)"\xf9\xff\xff\xff\xff", 5}, {(const uint8_t *)"\xfa", 1}},
        {{(const uint8_t *)"\xf2\xff", 2}, {(const uint8_t *)"\xf3", 1}},
        {{(const uint8_t *)"", 0}, {(const uint8_t *)"\xff\xff", 2}},
        {{(const uint8_t *)"\xff\xff\xff", 3}, {(const uint8_t *)"\xff\xff\xff", 3}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Buf end = {0};
        row_key_prefix_end(cases[i].prefix, &end);
        assert_true(slice_equal(buf_slice(&end), cases[i].end));
        buf_finish(&end);
    }
}

static void test_take_prefix(void **state)
{
    Slice key = SLICE_LIT("\xf6\x6e\x8a\x89");
    uint32_t table, index;
    assert_true(row_key_take_prefix(&key, &table, &index));
    assert_int_equal(table, 110);
    assert_int_equal(index, 2);
    assert_int_equal(key.size, 1);
    key = SLICE_LIT("\xf6\x6e");
    assert_false(row_key_take_prefix(&key, &table, &index));
    assert_int_equal(key.size, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_split_undoes_family),
        cmocka_unit_test(test_split_refuses),
        cmocka_unit_test(test_prefix_end),
        cmocka_unit_test(test_take_prefix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
