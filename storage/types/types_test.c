/* Text in and out and the binary forms of every type, against the answers of PostgreSQL 15 in type_cases.tsv
 * (type_cases.py asks for them), and the look-ups of types.c. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "storage/types/type_defs.h"
#include "storage/types/type_timestamp.h"

#ifndef TYPE_CASES
#define TYPE_CASES "storage/types/type_cases.tsv"
#endif

/* COPY's escapes undone, in place. */
static size_t unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (*from != '\\') {
            *to++ = *from;
            continue;
        }
        from++;
        *to++ = (char)(*from == 't' ? '\t' : *from == 'n' ? '\n' : *from == 'r' ? '\r' : *from);
    }
    *to = 0;
    return (size_t)(to - text);
}

static void apply_setting(TypeEnv *env, const char *name, const char *value)
{
    static const char *const styles[] = {"postgres", "postgres_verbose", "sql_standard", "iso_8601"};
    if (strcmp(name, "intervalstyle") == 0) {
        for (int i = 0; i < 4; i++)
            if (strcmp(value, styles[i]) == 0) env->interval_style = (IntervalStyle)i;
    } else if (strcmp(name, "timezone") == 0) {
        env->time_zone = time_zone_open(value);
        assert_non_null(env->time_zone);
    } else if (strcmp(name, "datestyle") == 0) {
        env->date_style = strstr(value, "SQL") ? DATE_SQL : strstr(value, "Postgres") ? DATE_POSTGRES
                        : strstr(value, "German") ? DATE_GERMAN : DATE_ISO;
        env->date_order = strstr(value, "DMY") ? DATE_DMY : strstr(value, "YMD") ? DATE_YMD : DATE_MDY;
    } else if (strcmp(name, "extra_float_digits") == 0) {
        env->extra_float_digits = (int)strtol(value, NULL, 10);
    } else if (strcmp(name, "bytea_output") == 0) {
        env->bytea_escape = strcmp(value, "escape") == 0;
    }
}

static void apply_settings(TypeEnv *env, char *settings)
{
    char *save = NULL;
    for (char *one = strtok_r(settings, ";", &save); one; one = strtok_r(NULL, ";", &save)) {
        char *equals = strchr(one, '=');
        *equals = 0;
        apply_setting(env, one, equals + 1);
    }
}

/* "numeric(4,2)" to a TypeRef. */
static Status parse_type(TypeCtx *ctx, char *name, TypeRef *ref)
{
    char *open = strchr(name, '('), *close = open ? strchr(open, ')') : NULL;
    int32_t args[4];
    int count = 0;
    if (open) {
        for (char *at = open; at < close; at = strpbrk(at + 1, ",)")) args[count++] = (int32_t)strtol(at + 1, NULL, 10);
        memmove(open, close + 1, strlen(close + 1) + 1);
    }
    const TypeDef *type = type_find_name(strcmp(name, "char") == 0 ? "bpchar" : name);
    if (!type) fprintf(stderr, "no type %s\n", name);
    assert_non_null(type);
    *ref = (TypeRef){type->oid, -1};
    return open ? type->typmod_in(type, ctx, args, count, &ref->typmod) : ST_OK;
}

static Status input(TypeCtx *ctx, char *type_name_text, Slice text, TypeRef *ref, Value *value)
{
    TRY(parse_type(ctx, type_name_text, ref));
    const TypeDef *type = type_find(ref->oid);
    /* A literal under a cast is read without a typmod, then fitted: but for the date types, whose input takes it. */
    TRY(type->in(type, ctx, text, type->oid == OID_INTERVAL ? ref->typmod : -1, value));
    return type->fit && ref->typmod >= 0 ? type->fit(type, ctx, *value, ref->typmod, true, value) : ST_OK;
}

static void check_binary(TypeCtx *ctx, const TypeDef *type, Value value, const char *hex, const char *text)
{
    Buf sent = {0}, again = {0}, shown = {0};
    type->send(type, ctx->env, value, &sent);
    for (size_t i = 0; i < sent.size; i++) buf_printf(&again, "%02x", sent.data[i]);
    buf_put_u8(&again, 0);
    assert_string_equal((char *)again.data, hex);
    Value back;
    assert_int_equal(type->receive(type, ctx, buf_slice(&sent), -1, &back), ST_OK);
    type->out(type, ctx->env, back, &shown);
    buf_put_u8(&shown, 0);
    assert_string_equal((char *)shown.data, text);
    if (type->compare) assert_int_equal(type->compare(type, value, back), 0);
    if (type->hash) assert_true(type->hash(type, value) == type->hash(type, back));
    buf_finish(&sent);
    buf_finish(&again);
    buf_finish(&shown);
}

static bool run_case(char *line, Arena *arena, int line_number)
{
    char *fields[5] = {0};
    for (int i = 0; i < 5; i++) fields[i] = strsep(&line, "\t");
    if (!fields[4]) return false;
    char where[200];
    snprintf(where, sizeof where, "%d: %s %s %s", line_number, fields[0], fields[1], fields[2]);
    TypeEnv env = type_env_default;
    Error err = {0};
    TypeCtx ctx = {arena, &env, &err};
    apply_settings(&env, fields[0]);
    Slice text = slice_of(fields[2], unescape(fields[2]));
    unescape(fields[3]);
    TypeRef ref;
    Value value;
    char actual[4000];
    if (input(&ctx, fields[1], text, &ref, &value) == ST_OK)
        snprintf(actual, sizeof actual, "%s", type_text((TypeRef){ref.oid, -1}, &env, value, arena));
    else
        snprintf(actual, sizeof actual, "!%s %s", sqlstate_code(err.sqlstate), err.message);
    bool same = strcmp(actual, fields[3]) == 0;
    if (!same) fprintf(stderr, "%s\n  expected %s\n  actual   %s\n", where, fields[3], actual);
    if (same && actual[0] != '!') check_binary(&ctx, type_find(ref.oid), value, fields[4], fields[3]);
    return same;
}

static void test_cases_of_postgresql(void **state)
{
    FILE *file = fopen(getenv("TYPE_CASES") ? getenv("TYPE_CASES") : TYPE_CASES, "r");
    assert_non_null(file);
    Arena *arena = arena_create(NULL, 0);
    char line[16384];
    int number = 0, faults = 0;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        faults += !run_case(line, arena, ++number);
        arena_reset(arena);
    }
    fclose(file);
    arena_destroy(arena);
    assert_true(number > 0);
    assert_int_equal(faults, 0);
}

static void test_find(void **state)
{
    Oid before = 0;
    for (int i = 0; i < type_count(); i++) {
        const TypeDef *type = type_at(i);
        assert_true(type->oid > before);
        before = type->oid;
        assert_ptr_equal(type_find(type->oid), type);
        if (type->array_oid && type_find(type->array_oid))
            assert_int_equal(type_find(type->array_oid)->element_oid, type->oid);
    }
    assert_int_equal(type_find_name("string")->oid, OID_TEXT);
    assert_int_equal(type_find_name("bigint")->oid, OID_INT8);
    assert_int_equal(type_find_name("double precision")->oid, OID_FLOAT8);
    assert_int_equal(type_find_name("char")->oid, OID_CHAR);
    assert_int_equal(type_find_name("character")->oid, OID_BPCHAR);
    assert_null(type_find_name("nothing"));
    assert_null(type_find(99999));
}

static void test_format(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    assert_string_equal(type_format((TypeRef){OID_VARCHAR, 24}, arena), "character varying(20)");
    assert_string_equal(type_format((TypeRef){OID_INT4, -1}, arena), "integer");
    assert_string_equal(type_format_crdb((TypeRef){OID_TEXT, -1}, arena), "STRING");
    assert_string_equal(type_format_crdb((TypeRef){OID_VARCHAR, 24}, arena), "VARCHAR(20)");
    arena_destroy(arena);
}

static void test_assignment_to_strings(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    Error err = {0};
    TypeCtx ctx = {arena, &type_env_default, &err};
    Value v;
    assert_int_equal(type_varchar.in(&type_varchar, &ctx, SLICE_LIT("abc "), 7, &v), ST_OK);
    assert_int_equal(v.size, 3);
    assert_int_equal(type_varchar.in(&type_varchar, &ctx, SLICE_LIT("abcd"), 7, &v), ST_ERROR);
    assert_string_equal(err.message, "value too long for type character varying(3)");
    assert_int_equal(err.sqlstate, ERR_STRING_DATA_RIGHT_TRUNCATION);
    assert_int_equal(type_bpchar.in(&type_bpchar, &ctx, SLICE_LIT("\xc3\xa9"), 7, &v), ST_OK);
    assert_int_equal(v.size, 4);
    assert_int_equal(type_text_def.receive(&type_text_def, &ctx, SLICE_LIT("a\xc3("), -1, &v), ST_ERROR);
    assert_string_equal(err.message, "invalid byte sequence for encoding \"UTF8\": 0xc3 0x28");
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_format),
        cmocka_unit_test(test_assignment_to_strings),
        cmocka_unit_test(test_cases_of_postgresql),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
