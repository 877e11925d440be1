#include "storage/keys/key_column.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "storage/keys/vectors_test.h"
#include "storage/types/type_array.h"
#include "storage/types/type_interval.h"
#include "storage/types/type_numeric.h"

static const char *vectors_path;
static Arena *arena;

static const struct { const char *name; Oid oid; } vector_types[] = {
    {"int", OID_INT8}, {"bool", OID_BOOL}, {"oid", OID_OID}, {"float", OID_FLOAT8}, {"decimal", OID_NUMERIC},
    {"string", OID_TEXT}, {"bytes", OID_BYTEA}, {"enum", OID_BYTEA}, {"collatedkey", OID_BYTEA}, {"date", OID_DATE},
    {"time", OID_TIME}, {"timetz", OID_TIMETZ}, {"timestamp", OID_TIMESTAMP}, {"timestamptz", OID_TIMESTAMPTZ},
    {"interval", OID_INTERVAL}, {"uuid", OID_UUID}, {"int[]", OID_INT8_ARRAY}, {"string[]", OID_TEXT_ARRAY},
    {"decimal[]", OID_NUMERIC_ARRAY}, {"bool[]", OID_BOOL_ARRAY}, {"jsonb", OID_JSONB},
};

static Oid type_of(const char *name)
{
    for (size_t i = 0; i < sizeof vector_types / sizeof *vector_types; i++)
        if (strcmp(vector_types[i].name, name) == 0) return vector_types[i].oid;
    return 0;
}

static bool parse(Oid oid, const char *text, Value *value)
{
    Error err;
    TypeCtx ctx = {.arena = arena, .env = &type_env_default, .err = &err};
    const TypeDef *type = type_find(oid);
    return type->in(type, &ctx, slice_str(text), -1, value) == ST_OK;
}

static bool parse_interval(const char *text, Value *value)
{
    int64_t ns;
    Interval interval;
    int n = sscanf(text, "mon=%" SCNd32 " day=%" SCNd32 " ns=%" SCNd64, &interval.months, &interval.days, &ns);
    interval.us = ns / 1000;
    if (n == 3) *value = interval_store(interval, arena);
    return n == 3 && ns % 1000 == 0;
}

/* A value in the notation of the vectors. false: SQL's type does not go so far (nanoseconds, exponents). */
static bool parse_vector(const Vector *v, Oid oid, Value *value)
{
    *value = VALUE_NULL;
    if (strcmp(v->value, "NULL") == 0) return true;
    if (strcmp(v->value, "NOT NULL") == 0) return false;
    const char *dot = strchr(v->value, '.');
    if ((oid == OID_TIMESTAMPTZ || oid == OID_TIMESTAMP) && dot && strspn(dot + 1, "0123456789") > 6) return false;
    if (oid == OID_INTERVAL) return parse_interval(v->value, value);
    if (oid == OID_TEXT) {
        *value = value_slice(vector_unquote(v->value, arena));
        return true;
    }
    if (!type_is_array(type_find(oid))) return parse(oid, v->value, value);
    char *text = arena_strdup(arena, v->value);
    text[0] = '{';
    text[strlen(text) - 1] = '}';
    return parse(oid, text, value);
}

static void check_vector(const Vector *v, Oid oid, Value value)
{
    Error err;
    Value back;
    const TypeDef *type = type_find(oid);
    KeyColumn column = key_column((TypeRef){oid, -1}, strcmp(v->direction, "DESC") == 0);
    Buf key = {0}, want = {0};
    vector_bytes(v->hex, &want);
    assert_int_equal(key_column_encode(&column, value, &key, &err), ST_OK);
    if (!slice_equal(buf_slice(&key), buf_slice(&want))) print_error("line %d: %s %s\n", v->line, v->type, v->value);
    assert_true(slice_equal(buf_slice(&key), buf_slice(&want)));
    Slice rest = buf_slice(&key);
    assert_true(key_column_decode(&column, &rest, arena, &back));
    assert_int_equal(rest.size, 0);
    assert_int_equal(back.null, value.null);
    if (!value.null) {
        assert_int_equal(type->compare(type, value, back), 0);
        const char *before = type_text((TypeRef){oid, -1}, &type_env_default, value, arena);
        const char *after = type_text((TypeRef){oid, -1}, &type_env_default, back, arena);
        assert_int_equal(strcmp(before, after) != 0, key_column_loses(&column, value));
    }
    buf_finish(&key);
    buf_finish(&want);
}

static void test_vectors(void **state)
{
    int run = 0, left_out = 0;
    for (Vector *v = vectors_read(vectors_path, arena); v->kind; v++) {
        Value value;
        if (strcmp(v->kind, "col")) continue;
        Oid oid = type_of(v->type);
        if (!oid || !type_find(oid) || !parse_vector(v, oid, &value)) {
            left_out++;
            continue;
        }
        check_vector(v, oid, value);
        run++;
    }
    print_message("%d vectors run as SQL values, %d left out (types or values that SQL does not have here)\n", run, left_out);
    assert_true(run > 280);
}

/* ---- properties ---- */

static uint64_t random_state = 88172645463325252u;

static uint64_t random_u64(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}

static const char *random_numeric(void)
{
    static const char *const edges[] = {"0", "0.00", "-0.1", "1", "10", "100", "9999", "10000", "10000.0001", "-99999999.99",
                                        "1e20", "-1e20", "1e-20", "123456789012345678901234567890.12345", "Infinity",
                                        "-Infinity"};
    if (random_u64() % 4 == 0) return edges[random_u64() % (sizeof edges / sizeof *edges)];
    int scale = (int)(random_u64() % 12);
    int64_t mantissa = (int64_t)(random_u64() >> (1 + random_u64() % 63));
    return arena_printf(arena, "%s%" PRId64 "e-%d", random_u64() % 2 ? "-" : "", mantissa, scale);
}

static void check_order(const KeyColumn *column, Value a, Value b)
{
    Error err;
    Buf x = {0}, y = {0};
    const TypeDef *type = type_find(column->type.oid);
    assert_int_equal(key_column_encode(column, a, &x, &err), ST_OK);
    assert_int_equal(key_column_encode(column, b, &y, &err), ST_OK);
    int bytes = slice_compare(buf_slice(&x), buf_slice(&y)), values = type->compare(type, a, b);
    if (column->descending) values = -values;
    assert_int_equal((bytes > 0) - (bytes < 0), (values > 0) - (values < 0));
    Slice rest = buf_slice(&x);
    Value back;
    assert_true(key_column_decode(column, &rest, arena, &back));
    assert_int_equal(type->compare(type, a, back), 0);
    if (!key_column_loses(column, a))
        assert_string_equal(type_text(column->type, &type_env_default, a, arena),
                            type_text(column->type, &type_env_default, back, arena));
    buf_finish(&x);
    buf_finish(&y);
}

static void test_numeric_order(void **state)
{
    for (int i = 0; i < 20000; i++) {
        Value a, b;
        KeyColumn column = key_column((TypeRef){OID_NUMERIC, -1}, i % 2);
        assert_true(parse(OID_NUMERIC, random_numeric(), &a));
        assert_true(parse(OID_NUMERIC, random_numeric(), &b));
        check_order(&column, a, b);
        if (i % 500 == 0) arena_reset(arena);
    }
}

/* A column's own scale brings the zeros back. */
static void test_numeric_scale(void **state)
{
    KeyColumn column = key_column((TypeRef){OID_NUMERIC, (10 << 16 | 2) + 4}, false);
    Value a, back;
    Error err;
    Buf key = {0};
    assert_true(parse(OID_NUMERIC, "7.10", &a));
    assert_false(key_column_loses(&column, a));
    assert_int_equal(key_column_encode(&column, a, &key, &err), ST_OK);
    Slice rest = buf_slice(&key);
    assert_true(key_column_decode(&column, &rest, arena, &back));
    assert_string_equal(type_text(column.type, &type_env_default, back, arena), "7.10");
    column.type.typmod = -1;
    assert_true(key_column_loses(&column, a));
    buf_finish(&key);
}

static void test_time_order(void **state)
{
    static const int64_t edges[] = {INT64_MIN, INT64_MAX, 0, -1, 1, 999999, -999999, INT64_C(-211813488000000000),
                                    INT64_C(9223371331199999999), INT64_C(-946684800000000)};
    for (int i = 0; i < 20000; i++) {
        KeyColumn column = key_column((TypeRef){OID_TIMESTAMPTZ, -1}, i % 2);
        int64_t us[2];
        for (int v = 0; v < 2; v++) {
            us[v] = (int64_t)(random_u64() >> (random_u64() % 64)) / 64;
            if (random_u64() % 2) us[v] = -us[v];
            if (random_u64() % 3 == 0) us[v] = edges[random_u64() % (sizeof edges / sizeof *edges)];
            bool infinite = us[v] == INT64_MIN || us[v] == INT64_MAX;
            if (!infinite && us[v] < edges[7]) us[v] = edges[7];
        }
        check_order(&column, value_int(us[0]), value_int(us[1]));
        if (i % 500 == 0) arena_reset(arena);
    }
}

/* A char(n) is padded, its key is not: a prefix sorts before what it is a prefix of, whatever follows. */
static void test_padded_char(void **state)
{
    KeyColumn column = key_column((TypeRef){OID_BPCHAR, 5 + 4}, false);
    check_order(&column, value_str("ab   "), value_str("ab\t  "));
    check_order(&column, value_str("\xc3\xa9    "), value_str("abcde"));
    KeyColumn bare = key_column((TypeRef){OID_BPCHAR, -1}, false);
    assert_true(key_column_loses(&bare, value_str("ab ")));
    assert_false(key_column_loses(&bare, value_str("ab")));
}

/* Every pair of a list of values, both ways up: keys sort as the type does, and read back. */
static void test_listed_order(void **state)
{
    static const struct {
        Oid type;
        const char *texts[12];
    } lists[] = {
        {OID_INT4RANGE, {"empty", "(,)", "(,5)", "[-3,5)", "[-3,)", "[1,2)", "[1,300)", "[300,70000)", "[-70000,0)"}},
        {OID_NUMRANGE, {"empty", "(,)", "(,1.0]", "[1.0,2)", "(1,2)", "(1,2]", "[1.00,2]", "[1,)", "[-1.5,0)", "[-1e20,1e20]"}},
        {OID_TSTZRANGE, {"empty", "(,)", "[2024-01-01,2024-01-02)", "[-infinity,infinity]", "[-infinity,infinity)", "(,2024-01-01)"}},
        {OID_DATERANGE, {"empty", "(,)", "[2024-01-01,2024-01-02]", "[-infinity,)", "[1960-01-01,2024-01-01)"}},
        {OID_VARBIT, {"", "0", "1", "01", "10", "11111111", "111111110", "1111111100000001", "00000000000000000000000000"}},
        {OID_INET, {"10.0.0.0/8", "10.0.0.5/8", "10.0.0.0/9", "10.1.2.3", "9.255.255.255", "::/0", "::1", "255.255.255.255", "0.0.0.0/0"}},
        {OID_MACADDR, {"00:00:00:00:00:00", "08:00:2b:01:02:03", "ff:ff:ff:ff:ff:ff"}},
    };
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        for (int i = 0; i < 2 * 12 * 12; i++) {
            const char *a_text = lists[l].texts[i / 2 % 12], *b_text = lists[l].texts[i / 24];
            Value a, b;
            if (!a_text || !b_text) continue;
            KeyColumn column = key_column((TypeRef){lists[l].type, -1}, i % 2);
            assert_true(parse(lists[l].type, a_text, &a));
            assert_true(parse(lists[l].type, b_text, &b));
            check_order(&column, a, b);
        }
    }
}

static void test_refusals(void **state)
{
    Error err;
    Value value;
    Buf key = {0};
    KeyColumn json = key_column((TypeRef){OID_JSON, -1}, false);
    if (type_find(OID_JSON)) assert_int_equal(key_column_encode(&json, value_str("1"), &key, &err), ST_ERROR);
    KeyColumn array = key_column((TypeRef){OID_INT8_ARRAY, -1}, false);
    assert_true(parse(OID_INT8_ARRAY, "{{1,2},{3,4}}", &value));
    assert_int_equal(key_column_encode(&array, value, &key, &err), ST_ERROR);
    assert_int_equal(err.sqlstate, ERR_FEATURE_NOT_SUPPORTED);
    KeyColumn interval = key_column((TypeRef){OID_INTERVAL, -1}, false);
    value = interval_store((Interval){.months = 12 * 400}, arena);
    assert_int_equal(key_column_encode(&interval, value, &key, &err), ST_ERROR);
    assert_int_equal(err.sqlstate, ERR_DATETIME_FIELD_OVERFLOW);
    assert_int_equal(key.size, 0);
    buf_finish(&key);
}

int main(int argc, char **argv)
{
    vectors_path = argc > 1 ? argv[1] : "key-vectors.tsv";
    arena = arena_create(NULL, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),     cmocka_unit_test(test_numeric_order), cmocka_unit_test(test_numeric_scale),
        cmocka_unit_test(test_time_order),  cmocka_unit_test(test_padded_char),   cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_listed_order),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_destroy(arena);
    return failed;
}
