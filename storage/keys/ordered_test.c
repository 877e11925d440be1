#include "storage/keys/ordered.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "storage/keys/row_key.h"
#include "storage/keys/vectors_test.h"

static const char *vectors_path;

static void print_hex(const char *label, Slice bytes)
{
    print_error("%s ", label);
    for (size_t i = 0; i < bytes.size; i++) print_error("%02x", bytes.data[i]);
    print_error("\n");
}

/* Documents need the type itself: key_column_test. */
static bool is_left_out(const Vector *v)
{
    return strcmp(v->type, "jsonb") == 0;
}

static bool encode_vector(const Vector *v, Buf *out)
{
    bool descending = strcmp(v->direction, "DESC") == 0;
    unsigned table, index;
    if (strcmp(v->kind, "family") == 0) {
        row_key_family((uint32_t)strtoul(v->value, NULL, 10), out);
    } else if (strcmp(v->kind, "prefix") == 0) {
        if (sscanf(v->value, "%u/%u", &table, &index) != 2) return false;
        row_key_index_prefix(table, index, out);
    } else {
        return vector_encode(v->type, v->value, descending, out);
    }
    return true;
}

static void test_vectors(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    int run = 0, left_out = 0, failed = 0;
    for (Vector *v = vectors_read(vectors_path, arena); v->kind; v++) {
        bool here = strcmp(v->kind, "col") == 0 || strcmp(v->kind, "prim") == 0 || strcmp(v->kind, "family") == 0 ||
                    strcmp(v->kind, "prefix") == 0;
        if (!here) continue;
        if (is_left_out(v)) {
            left_out++;
            continue;
        }
        Buf got = {0}, want = {0};
        vector_bytes(v->hex, &want);
        bool known = encode_vector(v, &got);
        if (!known || !slice_equal(buf_slice(&got), buf_slice(&want))) {
            print_error("line %d: %s %s %s\n", v->line, v->type, v->direction, v->value);
            print_hex("  want", buf_slice(&want));
            print_hex("  got ", buf_slice(&got));
            failed++;
        }
        /* A tuple is several values, a family's suffix ends in a length. */
        if (strcmp(v->kind, "col") == 0 && strncmp(v->type, "tuple", 5)) {
            Slice rest = buf_slice(&want);
            assert_true(ordered_skip(&rest));
            assert_int_equal(rest.size, 0);
        }
        run++;
        buf_finish(&got);
        buf_finish(&want);
    }
    print_message("%d vectors run, %d left out (jsonb: key_column_test)\n", run, left_out);
    assert_int_equal(failed, 0);
    assert_int_equal(run, 420);
    arena_destroy(arena);
}

/* ---- properties: decode(encode(v)) = v, and memcmp orders as the values do ---- */

static uint64_t random_state = 88172645463325252u;

static uint64_t random_u64(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}

/* All magnitudes alike, and often next to a power of 256. */
static int64_t random_int(void)
{
    int64_t value = (int64_t)(random_u64() >> (random_u64() % 64));
    if (random_u64() % 4 == 0) value = (INT64_C(1) << (random_u64() % 63)) + (int64_t)(random_u64() % 3) - 1;
    return random_u64() % 2 ? value : -value;
}

static void assert_order(int values, const Buf *a, const Buf *b, bool descending)
{
    int bytes = slice_compare(buf_slice(a), buf_slice(b));
    bytes = (bytes > 0) - (bytes < 0);
    assert_int_equal(descending ? -values : values, bytes);
}

static void test_int_properties(void **state)
{
    for (int i = 0; i < 20000; i++) {
        bool descending = i % 2;
        int64_t x = random_int(), y = random_u64() % 3 ? random_int() : x + 1, back;
        Buf a = {0}, b = {0};
        ordered_put_int(&a, x, descending);
        ordered_put_int(&b, y, descending);
        assert_order((x > y) - (x < y), &a, &b, descending);
        Slice rest = buf_slice(&a);
        assert_true(ordered_get_int(&rest, descending, &back));
        assert_true(back == x && rest.size == 0);
        rest = slice_of(a.data, a.size - 1);
        assert_false(ordered_get_int(&rest, descending, &back));
        buf_clear(&a);
        ordered_put_uvarint(&a, (uint64_t)x, descending);
        rest = buf_slice(&a);
        uint64_t unsigned_back;
        assert_true(ordered_get_uvarint(&rest, descending, &unsigned_back));
        assert_true(unsigned_back == (uint64_t)x && rest.size == 0);
        buf_finish(&a);
        buf_finish(&b);
    }
}

static double random_float(void)
{
    double value;
    uint64_t bits = random_u64();
    memcpy(&value, &bits, sizeof value);
    if (isnan(value)) return 0;
    return random_u64() % 5 ? value : (double)random_int();
}

static void test_float_properties(void **state)
{
    for (int i = 0; i < 20000; i++) {
        bool descending = i % 2;
        double x = random_float(), y = random_float(), back;
        Buf a = {0}, b = {0};
        ordered_put_float(&a, x, descending);
        ordered_put_float(&b, y, descending);
        assert_order((x > y) - (x < y), &a, &b, descending);
        Slice rest = buf_slice(&a);
        assert_true(ordered_get_float(&rest, descending, &back));
        assert_true(back == x && rest.size == 0);
        buf_finish(&a);
        buf_finish(&b);
    }
}

/* Short, over few bytes, so that prefixes, zeros and equal values are common. */
static Slice random_bytes(uint8_t *space)
{
    static const uint8_t alphabet[] = {0x00, 0x01, 'a', 0xfe, 0xff};
    size_t n = random_u64() % 8;
    for (size_t i = 0; i < n; i++) space[i] = alphabet[random_u64() % sizeof alphabet];
    return slice_of(space, n);
}

static void test_bytes_properties(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    for (int i = 0; i < 20000; i++) {
        bool descending = i % 2;
        uint8_t x_space[8], y_space[8];
        Slice x = random_bytes(x_space), y = random_bytes(y_space), back;
        Buf a = {0}, b = {0};
        ordered_put_bytes(&a, x, descending);
        ordered_put_bytes(&b, y, descending);
        int order = slice_compare(x, y);
        assert_order((order > 0) - (order < 0), &a, &b, descending);
        Slice rest = buf_slice(&a);
        assert_true(ordered_get_bytes(&rest, descending, arena, &back));
        assert_true(slice_equal(x, back) && rest.size == 0);
        rest = slice_of(a.data, a.size - 1);
        assert_false(ordered_get_bytes(&rest, descending, arena, &back));
        buf_finish(&a);
        buf_finish(&b);
        if (i % 100 == 0) arena_reset(arena);
    }
    arena_destroy(arena);
}

/* -1, 0, 1 of two finite decimals with at most 12 digits and near exponents, by scaled integers. */
static int compare_decimals(const OrderedDecimal *a, const OrderedDecimal *b)
{
    __int128 x = 0, y = 0;
    for (size_t i = 0; i < a->count; i++) x = x * 10 + (a->digits[i] - '0');
    for (size_t i = 0; i < b->count; i++) y = y * 10 + (b->digits[i] - '0');
    for (int64_t e = a->exponent; e > b->exponent; e--) x *= 10;
    for (int64_t e = b->exponent; e > a->exponent; e--) y *= 10;
    if (a->negative) x = -x;
    if (b->negative) y = -y;
    return (x > y) - (x < y);
}

static OrderedDecimal random_decimal(char *space)
{
    OrderedDecimal d = {.negative = random_u64() % 2, .digits = space, .count = 1 + random_u64() % 6};
    for (size_t i = 0; i < d.count; i++) space[i] = (char)('0' + (random_u64() % 3 ? random_u64() % 10 : 0));
    d.exponent = (int64_t)(random_u64() % 16) - 8 - (int64_t)d.count;
    return d;
}

static void test_decimal_properties(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    for (int i = 0; i < 40000; i++) {
        bool descending = i % 2;
        char x_space[16], y_space[16];
        OrderedDecimal x = random_decimal(x_space), y = random_decimal(y_space), back;
        Buf a = {0}, b = {0};
        ordered_put_decimal(&a, &x, descending);
        ordered_put_decimal(&b, &y, descending);
        assert_order(compare_decimals(&x, &y), &a, &b, descending);
        Slice rest = buf_slice(&a);
        assert_true(ordered_get_decimal(&rest, descending, arena, &back));
        assert_int_equal(rest.size, 0);
        assert_int_equal(compare_decimals(&x, &back), 0);
        rest = buf_slice(&a);
        assert_true(ordered_skip_decimal(&rest) && rest.size == 0);
        buf_finish(&a);
        buf_finish(&b);
        if (i % 100 == 0) arena_reset(arena);
    }
    arena_destroy(arena);
}

static void test_time_and_interval_properties(void **state)
{
    for (int i = 0; i < 10000; i++) {
        bool descending = i % 2;
        int64_t seconds = random_int() / 1000, nanoseconds = (int64_t)(random_u64() % 1000000000), s, n;
        Buf a = {0};
        ordered_put_time(&a, seconds, nanoseconds, descending);
        Slice rest = buf_slice(&a);
        assert_true(ordered_get_time(&rest, descending, &s, &n));
        assert_true(s == seconds && n == nanoseconds && rest.size == 0);
        buf_clear(&a);
        OrderedInterval x = {random_int() % 1000, random_int() % 20000, random_int() % 1000000000000}, back;
        assert_true(ordered_put_interval(&a, x, descending));
        rest = buf_slice(&a);
        assert_true(ordered_get_interval(&rest, descending, &back));
        assert_true(x.months == back.months && x.days == back.days && x.nanoseconds == back.nanoseconds);
        buf_clear(&a);
        int64_t us = (int64_t)(random_u64() % 86400000001), west = random_int() % 57599, us_back, west_back;
        ordered_put_timetz(&a, us, west, descending);
        rest = buf_slice(&a);
        assert_true(ordered_get_timetz(&rest, descending, &us_back, &west_back));
        assert_true(us == us_back && west == west_back);
        buf_finish(&a);
    }
}

static void test_bits_properties(void **state)
{
    for (int i = 0; i < 5000; i++) {
        bool descending = i % 2;
        uint8_t bits[24];
        uint64_t count = random_u64() % 190, back;
        for (size_t b = 0; b < sizeof bits; b++) bits[b] = (uint8_t)(random_u64() & random_u64());
        if (count % 8) bits[count / 8] &= (uint8_t)(0xff << (8 - count % 8));
        Buf a = {0}, got = {0};
        ordered_put_bits(&a, bits, count, descending);
        Slice rest = buf_slice(&a);
        assert_true(ordered_get_bits(&rest, descending, &got, &back));
        assert_true(back == count && rest.size == 0);
        assert_memory_equal(got.data ? got.data : bits, bits, (count + 7) / 8);
        buf_finish(&a);
        buf_finish(&got);
    }
}

/* Whatever the bytes, nothing reads beyond them and nothing hangs; what is skipped is never more than there is. */
static void test_garbage(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    for (int i = 0; i < 60000; i++) {
        size_t n = 1 + random_u64() % 24;
        uint8_t *garbage = malloc(n);
        for (size_t b = 0; b < n; b++) garbage[b] = (uint8_t)(random_u64() % 3 ? random_u64() % 0x60 : random_u64());
        Slice key = slice_of(garbage, n), rest = key, bytes;
        OrderedDecimal decimal;
        OrderedInterval interval;
        int64_t a, b;
        double f;
        if (ordered_skip(&rest)) assert_true(rest.size < n);
        for (int descending = 0; descending < 2; descending++) {
            rest = key;
            ordered_get_int(&rest, descending, &a);
            ordered_get_float(&rest, descending, &f);
            ordered_get_bytes(&rest, descending, arena, &bytes);
            ordered_get_decimal(&rest, descending, arena, &decimal);
            ordered_get_time(&rest, descending, &a, &b);
            ordered_get_timetz(&rest, descending, &a, &b);
            ordered_get_interval(&rest, descending, &interval);
            Buf bits = {0};
            uint64_t count;
            ordered_get_bits(&rest, descending, &bits, &count);
            buf_finish(&bits);
        }
        free(garbage);
        if (i % 100 == 0) arena_reset(arena);
    }
    arena_destroy(arena);
}

int main(int argc, char **argv)
{
    vectors_path = argc > 1 ? argv[1] : "key-vectors.tsv";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_int_properties),
        cmocka_unit_test(test_float_properties),
        cmocka_unit_test(test_bytes_properties),
        cmocka_unit_test(test_decimal_properties),
        cmocka_unit_test(test_time_and_interval_properties),
        cmocka_unit_test(test_bits_properties),
        cmocka_unit_test(test_garbage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
