/* Order, containment and look-up of jsonb against PostgreSQL's answers in json_cases.tsv, the builder, and the details
 * of faults. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "storage/types/type_array.h"
#include "storage/types/type_defs.h"
#include "storage/types/type_json.h"
#include "storage/types/type_numeric.h"
#include "storage/types/type_record.h"

static const char *text_of(Buf *buf, Arena *arena)
{
    const char *text = buf_to_str(buf, arena);
    buf_finish(buf);
    return text;
}

static const char *look_up(JsonItem from, const char *b, Arena *arena)
{
    Buf text = {0};
    JsonItem found;
    bool present = jsonb_get_field(from, slice_str(b), &found) || jsonb_get_index(from, strtol(b, NULL, 10), &found);
    if (present && found.kind != JSON_NULL)
        jsonb_put_bare_text(found, &text);
    else
        return "NULL";
    return text_of(&text, arena);
}

static const char *compute(TypeCtx *ctx, const char *name, const char *a, const char *b)
{
    Value x, y;
    assert_int_equal(jsonb_parse(ctx, slice_str(a), &x), ST_OK);
    if (strcmp(name, "->>") == 0) return look_up(jsonb_root(x), b, ctx->arena);
    if (strcmp(name, "pretty") == 0) {
        Buf text = {0};
        jsonb_put_pretty(jsonb_root(x), &text);
        const char *shown = text_of(&text, ctx->arena);
        for (char *c = strchr(shown, '\n'); c; c = strchr(c, '\n')) *c = '~';
        return shown;
    }
    assert_int_equal(jsonb_parse(ctx, slice_str(b), &y), ST_OK);
    if (strcmp(name, "@>") == 0) return jsonb_contains(jsonb_root(x), jsonb_root(y)) ? "t" : "f";
    int order = type_jsonb.compare(&type_jsonb, x, y);
    if (order == 0) assert_true(type_jsonb.hash(&type_jsonb, x) == type_jsonb.hash(&type_jsonb, y));
    return order < 0 ? "-1" : order > 0 ? "1" : "0";
}

static void test_answers_of_postgresql(void **state)
{
    FILE *file = fopen("storage/types/json_cases.tsv", "r");
    assert_non_null(file);
    Arena *arena = arena_create(NULL, 0);
    Error err = {0};
    TypeCtx ctx = {arena, &type_env_default, &err};
    char line[4096];
    int cases = 0, faults = 0;
    for (; fgets(line, sizeof line, file); cases++) {
        line[strcspn(line, "\n")] = 0;
        char *rest = line, *name = strsep(&rest, "\t"), *a = strsep(&rest, "\t"), *b = strsep(&rest, "\t");
        const char *actual = compute(&ctx, name, a, b);
        if (strcmp(actual, rest) == 0) continue;
        faults++;
        fprintf(stderr, "%s %s %s\n  expected %s\n  actual   %s\n", a, name, b, rest, actual);
    }
    fclose(file);
    arena_destroy(arena);
    assert_true(cases > 0);
    assert_int_equal(faults, 0);
}

static void test_builder(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    Error err = {0};
    TypeCtx ctx = {arena, &type_env_default, &err};
    Value built, parsed;
    JsonBuilder *b = jsonb_builder(&ctx);
    jsonb_begin_object(b);
    jsonb_key(b, SLICE_LIT("bb"));
    jsonb_begin_array(b);
    jsonb_number(b, numeric_from_int(7, arena));
    jsonb_null(b);
    jsonb_end(b);
    jsonb_key(b, SLICE_LIT("a"));
    jsonb_string(b, SLICE_LIT("first"));
    jsonb_key(b, SLICE_LIT("a"));
    jsonb_bool(b, true);
    jsonb_end(b);
    assert_int_equal(jsonb_finish(b, &built), ST_OK);
    assert_string_equal(type_text((TypeRef){OID_JSONB, -1}, &type_env_default, built, arena),
                        "{\"a\": true, \"bb\": [7, null]}");
    assert_int_equal(jsonb_parse(&ctx, SLICE_LIT("{\"bb\":[7,null],\"a\":true}"), &parsed), ST_OK);
    assert_int_equal(built.size, parsed.size);
    assert_memory_equal(built.p, parsed.p, built.size);
    arena_destroy(arena);
}

static void test_faults_say_where(void **state)
{
    static const struct {
        const char *text, *detail, *context;
    } cases[] = {
        {"{\"a\":tru}", "Token \"tru\" is invalid.", "JSON data, line 1: {\"a\":tru..."},
        {"", "The input string ended unexpectedly.", "JSON data, line 1: "},
        {"[1 2]", "Expected \",\" or \"]\", but found \"2\".", "JSON data, line 1: [1 2..."},
        {"{\"a\" 1}", "Expected \":\", but found \"1\".", "JSON data, line 1: {\"a\" 1..."},
        {"{1:2}", "Expected string or \"}\", but found \"1\".", "JSON data, line 1: {1..."},
        {"{\"a\":1,}", "Expected string, but found \"}\".", "JSON data, line 1: {\"a\":1,}"},
        {"1 2", "Expected end of input, but found \"2\".", "JSON data, line 1: 1 2"},
        {"[1,\nx]", "Token \"x\" is invalid.", "JSON data, line 2: x..."},
        {"[}", "Expected JSON value, but found \"}\".", "JSON data, line 1: [}"},
        {"\"\\x\"", "Escape sequence \"\\x\" is invalid.", "JSON data, line 1: \"\\x..."},
    };
    Arena *arena = arena_create(NULL, 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Error err = {0};
        TypeCtx ctx = {arena, &type_env_default, &err};
        assert_int_equal(json_check(&ctx, slice_str(cases[i].text)), ST_ERROR);
        assert_string_equal(err.detail, cases[i].detail);
        assert_string_equal(err.context, cases[i].context);
    }
    arena_destroy(arena);
}

static void test_deep_documents_are_refused(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    Error err = {0};
    TypeCtx ctx = {arena, &type_env_default, &err};
    char *text = arena_alloc(arena, 100001);
    Value value;
    memset(text, '[', 100000);
    assert_int_equal(jsonb_parse(&ctx, slice_str(text), &value), ST_ERROR);
    assert_int_equal(err.sqlstate, ERR_STATEMENT_TOO_COMPLEX);
    arena_destroy(arena);
}

/* ---- records and arrays, which are built rather than read ---- */

static void test_record(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    Error err = {0};
    TypeCtx ctx = {arena, &type_env_default, &err};
    RecordField fields[] = {{OID_INT4, value_int(1)}, {OID_TEXT, value_str("a b")}, {OID_TEXT, value_str("")},
                            {OID_INT4, VALUE_NULL}, {OID_TEXT, value_str("q\"\\")}};
    Value record, smaller;
    assert_int_equal(record_build(&ctx, fields, 5, &record), ST_OK);
    assert_string_equal(type_text((TypeRef){OID_RECORD, -1}, &type_env_default, record, arena),
                        "(1,\"a b\",\"\",,\"q\"\"\\\\\")");
    assert_int_equal(record_field(record, 0).value.i, 1);
    assert_true(record_field(record, 3).value.null);
    fields[0].value = value_int(0);
    assert_int_equal(record_build(&ctx, fields, 5, &smaller), ST_OK);
    assert_true(type_record.compare(&type_record, smaller, record) < 0);
    assert_int_equal(type_record.compare(&type_record, record, record), 0);
    arena_destroy(arena);
}

static void test_array(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    Error err = {0};
    TypeCtx ctx = {arena, &type_env_default, &err};
    Value items[] = {value_str("a"), VALUE_NULL, value_str("ccc")}, built;
    const int32_t second[] = {2};
    Array array;
    assert_int_equal(array_build(&ctx, OID_TEXT, items, 3, &built), ST_OK);
    array_open(built, &array);
    assert_int_equal(array.count, 3);
    assert_true(array_at(&array, second, 1).null);
    assert_int_equal(array_element(&array, 2).size, 3);
    assert_string_equal(type_text((TypeRef){OID_TEXT_ARRAY, -1}, &type_env_default, built, arena), "{a,NULL,ccc}");
    assert_int_equal(array_build(&ctx, OID_TEXT, NULL, 0, &built), ST_OK);
    assert_string_equal(type_text((TypeRef){OID_TEXT_ARRAY, -1}, &type_env_default, built, arena), "{}");
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_builder), cmocka_unit_test(test_faults_say_where),
        cmocka_unit_test(test_deep_documents_are_refused), cmocka_unit_test(test_record), cmocka_unit_test(test_array),
        cmocka_unit_test(test_answers_of_postgresql),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
