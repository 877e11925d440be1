#include "storage/keys/yb_hash.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "storage/types/type_numeric.h"

static Buf image;
static Arena *arena;

static uint32_t code_of(const Oid *types, const Value *values, int n)
{
    Error err = {0};
    buf_clear(&image);
    for (int i = 0; i < n; i++) assert_int_equal(yb_hash_image(types[i], values[i], &image, arena, &err), ST_OK);
    return yb_hash_code(buf_slice(&image));
}

static uint32_t code(Oid type, Value value)
{
    return code_of(&type, &value, 1);
}

static void test_int4(void **state)
{
    static const uint32_t codes[] = {47650, 4624, 49348, 64672, 40623, 2675, 20056, 21199, 50082, 23904, 29135,
                                     7321, 16842, 14321, 52593, 18581, 15839, 28919, 41074, 31730, 65252};
    for (int i = 0; i <= 20; i++) assert_int_equal(code(OID_INT4, value_int(i)), codes[i]);
    assert_int_equal(code(OID_INT4, value_int(2147483647)), 40388);
    assert_int_equal(code(OID_INT4, value_int(-2147483648)), 4001);
    assert_int_equal(code(OID_INT4, value_int(3381)), 10427);
    assert_int_equal(code(OID_INT4, value_int(23)), 0x986C);
    assert_int_equal(code(OID_INT4, value_int(48)), 0x5955);
    assert_int_equal(code(OID_INT4, value_int(-1)), 48768);
}

static void test_int2(void **state)
{
    static const uint32_t codes[] = {13059, 26637, 29352, 1049, 35517, 48580, 26727, 30717, 50772, 53991,
                                     27386, 51191, 16740, 2923, 27610, 35577, 63800, 51845, 49544, 18377};
    for (int i = 1; i <= 20; i++) assert_int_equal(code(OID_INT2, value_int(i)), codes[i - 1]);
    assert_int_equal(code(OID_INT2, value_int(-1)), 60647);
}

static void test_floats(void **state)
{
    static const uint32_t singles[] = {1462, 40495, 38027, 2447, 31190, 20736, 15589, 12852, 60956, 54629,
                                       62813, 17903, 10957, 1395, 60807, 13407, 1379, 15765, 24476, 36591};
    static const uint32_t doubles[] = {4391, 57660, 27150, 7352, 23819, 13543, 42560, 37981, 22260, 35915,
                                       28532, 20278, 16387, 50080, 34735, 47639, 36000, 31074, 1454, 14302};
    for (int i = 1; i <= 20; i++) {
        assert_int_equal(code(OID_FLOAT4, value_float(i)), singles[i - 1]);
        assert_int_equal(code(OID_FLOAT8, value_float(i)), doubles[i - 1]);
    }
    assert_int_equal(code(OID_FLOAT8, value_float(1.5)), 39549);
    assert_int_equal(code(OID_FLOAT8, value_float(-0.0)), 25616);
    assert_int_equal(code(OID_FLOAT8, value_float(NAN)), 18802);
    assert_int_equal(code(OID_FLOAT8, value_float(INFINITY)), 38985);
    assert_int_equal(code(OID_FLOAT4, value_float(1.5)), 20060);
    assert_int_equal(code(OID_FLOAT4, value_float(NAN)), 2665);
}

static void test_text(void **state)
{
    static const struct { const char *text; uint32_t code; } cases[] = {
        {"800001", 39633}, {"800002", 29019}, {"800003", 42996}, {"800004", 58508}, {"800005", 8102}, {"800006", 59778},
        {"800007", 23917}, {"800008", 18864}, {"800009", 52091}, {"800010", 20355}, {"800011", 64428}, {"800012", 3842},
        {"800013", 13531}, {"800014", 16739}, {"800015", 4509}, {"800016", 23039}, {"800017", 61648}, {"800018", 887},
        {"800019", 59776}, {"800020", 41202}, {"8646", 30}, {"1363", 63}, {"yb", 5962}, {"ybdb", 44116},
        {"yugabyte", 8000}, {"yugabytedb", 30096}, {"github.com/yugabyte/yugabyte-db/", 58057}, {"k1", 39051},
        {"a", 44389}, {"ab", 16872}, {"abcdefgh", 20601}, {"abcdefghijklmnop", 49721}, {"abcdefghijklmnopqrstuvwx", 24810},
        {"", 19780},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(code(OID_TEXT, value_str(cases[i].text)), cases[i].code);
    assert_int_equal(code(OID_BPCHAR, value_str("a   ")), 44389);
}

static void test_several_arguments(void **state)
{
    static const Oid ints[] = {OID_INT4, OID_INT4, OID_INT4}, mixed[] = {OID_INT4, OID_INT4, OID_TEXT};
    assert_int_equal(code_of(ints, (Value[]){value_int(1), value_int(2), value_int(3)}, 3), 57262);
    assert_int_equal(code_of(mixed, (Value[]){value_int(1), value_int(2), value_str("abc")}, 3), 33808);
    assert_int_equal(code_of(mixed, (Value[]){value_int(1), value_int(2), value_str("sample string")}, 3), 23017);
    assert_int_equal(code_of(mixed, (Value[]){VALUE_NULL, VALUE_NULL, VALUE_NULL}, 3), 19780);
}

static void test_others(void **state)
{
    uint8_t uuid[16] = {0};
    assert_int_equal(code(OID_UUID, value_bytes(uuid, 16)), 51732);
    memset(uuid, 0xff, 16);
    assert_int_equal(code(OID_UUID, value_bytes(uuid, 16)), 60798);
    assert_int_equal(code(OID_UUID, value_bytes("\x12\x3e\x45\x67\xe8\x9b\x12\xd3\xa4\x56\x42\x66\x14\x17\x40\x00", 16)), 22806);
    assert_int_equal(code(OID_BOOL, value_bool(true)), 36855);
    assert_int_equal(code(OID_BOOL, value_bool(false)), 56384);
    assert_int_equal(code(OID_INT8, value_int(0)), 59242);
    assert_int_equal(code(OID_INT8, value_int(1)), 60841);
    assert_int_equal(code(OID_INT8, value_int(-1)), 22565);
    assert_int_equal(code(OID_INT8, value_int(INT64_MAX)), 13015);
    assert_int_equal(code(OID_DATE, value_int(5997)), 60764);                       /* 2016-06-02 */
    assert_int_equal(code(OID_TIMESTAMPTZ, value_int(INT64_C(598453194000000))), 42269); /* 2018-12-18 12:59:54 */
}

static void test_enum(void **state)
{
    static const struct { float order; Oid oid; uint32_t code; } labels[] = {{1, 16412, 6308}, {3, 16416, 1243}};
    for (size_t i = 0; i < 2; i++) {
        buf_clear(&image);
        yb_hash_enum_image(labels[i].order, labels[i].oid, &image);
        assert_int_equal(yb_hash_code(buf_slice(&image)), labels[i].code);
    }
}

static void test_decimal(void **state)
{
    static const struct { bool negative; const char *digits; int64_t point; const char *bytes; size_t size; uint32_t code; } cases[] = {
        {false, "", 0, "\x80", 1, 57731}, {false, "1", 1, "\xe1\x14", 2, 25357}, {true, "1", 1, "\x1e\xeb", 2, 56044},
        {false, "15", 1, "\xe1\x1e", 2, 7143}, {false, "1", 2, "\xe2\x14", 2, 14112},
        {false, "12345", 3, "\xe3\x19\x45\x64", 4, 54763}, {true, "12345", 3, "\x1c\xe6\xba\x9b", 4, 4716},
        {false, "1", -2, "\xdd\x14", 2, 61875}, {false, "1", 7, "\xe7\x14", 2, 50607},
        {false, "12345678901234567890123", 20, "\xf0\x14\x19\x45\x71\x9d\xb5\x19\x45\x71\x9d\xb5\x19\x3c", 14, 41741},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        buf_clear(&image);
        yb_hash_decimal_image(cases[i].negative, cases[i].digits, strlen(cases[i].digits), cases[i].point, &image);
        assert_int_equal(image.size, cases[i].size);
        assert_memory_equal(image.data, cases[i].bytes, cases[i].size);
        assert_int_equal(yb_hash_code(buf_slice(&image)), cases[i].code);
    }
}

static void test_numeric(void **state)
{
    static const struct { const char *text; uint32_t code; } cases[] = {
        {"0.00", 57731}, {"1", 25357}, {"-1.0", 56044}, {"1.50", 7143}, {"10", 14112}, {"-123.45", 4716},
        {"0.001", 61875}, {"1000000", 50607}, {"12345678901234567890.123", 41741},
    };
    Error err = {0};
    TypeCtx ctx = {.arena = arena, .env = &type_env_default, .err = &err};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Value value;
        assert_int_equal(numeric_parse(&ctx, slice_str(cases[i].text), &value), ST_OK);
        assert_int_equal(code(OID_NUMERIC, value), cases[i].code);
    }
}

/* Published lengths, and the order of the numbers is the order of the bytes. */
static void test_decimal_lengths(void **state)
{
    static const struct { bool negative; const char *digits; int64_t point; size_t size; } cases[] = {
        {true, "9847236776", INT64_C(2147483658), 10}, {true, "984723678", INT64_C(2147483657), 10}, {true, "134", 1, 3},
        {true, "1337", 1, 3}, {true, "1334", 1, 3}, {true, "133", 1, 3}, {true, "136", INT64_C(-2147483644), 7},
        {false, "", 0, 1}, {false, "5", -1, 2}, {false, "115", 1, 3}, {false, "12", 1, 2}, {false, "12", 3, 2},
        {false, "12", 101, 3}, {false, "26382", 3628, 6},
    };
    Buf before = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        buf_clear(&image);
        yb_hash_decimal_image(cases[i].negative, cases[i].digits, strlen(cases[i].digits), cases[i].point, &image);
        assert_int_equal(image.size, cases[i].size);
        assert_true(slice_compare(buf_slice(&before), buf_slice(&image)) < 0);
        buf_clear(&before);
        buf_put_slice(&before, buf_slice(&image));
    }
    buf_finish(&before);
}

static void test_sets(void **state)
{
    static const Oid two[] = {OID_INT4, OID_INT4};
    int below = 0, both_below = 0, wide = 0, ten = 0, last_first = 0;
    for (int x = 1; x <= 10000; x++) {
        uint32_t one = code(OID_INT4, value_int(x));
        uint32_t pair = code_of(two, (Value[]){value_int(x), value_int(x)}, 2);
        below += one < 512;
        both_below += pair < 512;
        wide += pair < 60000;
        ten += pair == 10;
        last_first += one > 60000 && pair < 60000;
    }
    assert_int_equal(below, 85);
    assert_int_equal(both_below, 76);
    assert_int_equal(wide, 9122);
    assert_int_equal(ten, 2);
    assert_int_equal(last_first, 723);
}

static void test_refused(void **state)
{
    Error err = {0};
    assert_int_equal(yb_hash_image(OID_JSONB, value_str(""), &image, arena, &err), ST_ERROR);
    assert_int_equal(err.sqlstate, ERR_FEATURE_NOT_SUPPORTED);
    assert_string_equal(err.message, "unsupported datatype given to yb_hash_code");
    assert_false(yb_hash_supports(OID_INTERVAL));
}

static void test_tablets(void **state)
{
    assert_int_equal(yb_hash_tablet_start(0, 3), 0);
    assert_int_equal(yb_hash_tablet_start(1, 3), 0x5555);
    assert_int_equal(yb_hash_tablet_start(2, 3), 0xaaaa);
    assert_int_equal(yb_hash_tablet_start(5, 6), 54613);
}

int main(void)
{
    arena = arena_create(NULL, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_int4), cmocka_unit_test(test_int2), cmocka_unit_test(test_floats),
        cmocka_unit_test(test_text), cmocka_unit_test(test_several_arguments), cmocka_unit_test(test_others),
        cmocka_unit_test(test_enum), cmocka_unit_test(test_decimal), cmocka_unit_test(test_decimal_lengths), cmocka_unit_test(test_numeric),
        cmocka_unit_test(test_sets), cmocka_unit_test(test_refused), cmocka_unit_test(test_tablets),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    buf_finish(&image);
    arena_destroy(arena);
    return failed;
}
