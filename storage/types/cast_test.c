/* Casts against PostgreSQL's answers: cast_cases.tsv has value, types and result of explicit casts, cast_contexts.tsv
 * its pg_cast. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "storage/types/cast.h"
#include "storage/types/type_defs.h"
#include "storage/types/type_timestamp.h"

static Status run_cast(TypeCtx *ctx, const char *source, const char *text, const char *target, const char **out)
{
    const TypeDef *from = type_find_name(source), *to = type_find_name(target);
    CastDef path;
    Value value, result;
    assert_non_null(from);
    assert_non_null(to);
    TRY(from->in(from, ctx, slice_str(text), -1, &value));
    if (!cast_find_path(from->oid, to->oid, CAST_EXPLICIT, &path))
        return err_set(ctx->err, ctx->arena, ERR_CANNOT_COERCE, "cannot cast type %s to %s", from->sql_name,
                       to->sql_name);
    TRY(cast_run(ctx, &path, value, -1, true, &result));
    *out = result.null ? "NULL" : type_text((TypeRef){to->oid, -1}, ctx->env, result, ctx->arena);
    return ST_OK;
}

static void test_answers_of_postgresql(void **state)
{
    FILE *file = fopen("storage/types/cast_cases.tsv", "r");
    assert_non_null(file);
    Arena *arena = arena_create(NULL, 0);
    TypeEnv env = type_env_default;
    env.time_zone = time_zone_open("America/New_York");
    char line[8192], failed[4096];
    int cases = 0, faults = 0;
    for (; fgets(line, sizeof line, file); cases++) {
        line[strcspn(line, "\n")] = 0;
        char *rest = line, *source = strsep(&rest, "\t"), *text = strsep(&rest, "\t"), *target = strsep(&rest, "\t");
        Error err = {0};
        TypeCtx ctx = {arena, &env, &err};
        const char *actual = failed;
        if (run_cast(&ctx, source, text, target, &actual) != ST_OK) {
            snprintf(failed, sizeof failed, "!%s %s", sqlstate_code(err.sqlstate), err.message);
            actual = failed;
        }
        if (strcmp(actual, rest) != 0) {
            faults++;
            fprintf(stderr, "%s %s -> %s\n  expected %s\n  actual   %s\n", source, text, target, rest, actual);
        }
        arena_reset(arena);
    }
    fclose(file);
    arena_destroy(arena);
    assert_true(cases > 0);
    assert_int_equal(faults, 0);
}

static void test_contexts_are_those_of_pg_cast(void **state)
{
    FILE *file = fopen("storage/types/cast_contexts.tsv", "r");
    assert_non_null(file);
    unsigned source, target;
    char context;
    int found = 0;
    while (fscanf(file, "%u\t%u\t%c\n", &source, &target, &context) == 3) {
        if (!type_find(source) || !type_find(target)) continue;
        const CastDef *cast = cast_find(source, target);
        if (!cast) fprintf(stderr, "no cast from %u to %u\n", source, target);
        assert_non_null(cast);
        assert_int_equal(cast->context, context == 'i'   ? CAST_IMPLICIT
                                        : context == 'a' ? CAST_ASSIGNMENT
                                                         : CAST_EXPLICIT);
        found++;
    }
    fclose(file);
    assert_int_equal(found, cast_count());
}

static void test_typmods_and_contexts(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    Error err = {0};
    TypeCtx ctx = {arena, &type_env_default, &err};
    CastDef path;
    Value out;
    int32_t three = 4 + 3;
    assert_true(cast_find_path(OID_UNKNOWN, OID_VARCHAR, CAST_IMPLICIT, &path));
    assert_int_equal(cast_run(&ctx, &path, value_str("abcd"), three, true, &out), ST_OK);
    assert_int_equal(out.size, 3);
    assert_int_equal(cast_run(&ctx, &path, value_str("abcd"), three, false, &out), ST_ERROR);
    assert_string_equal(err.message, "value too long for type character varying(3)");
    assert_false(cast_find_path(OID_INT8, OID_INT4, CAST_IMPLICIT, &path));
    assert_true(cast_find_path(OID_INT8, OID_INT4, CAST_ASSIGNMENT, &path));
    assert_false(cast_find_path(OID_INT4, OID_TEXT, CAST_IMPLICIT, &path));
    assert_true(cast_find_path(OID_INT4, OID_TEXT, CAST_ASSIGNMENT, &path));
    assert_false(cast_find_path(OID_TEXT, OID_INT4, CAST_ASSIGNMENT, &path));
    assert_true(cast_find_path(OID_TEXT, OID_INT4, CAST_EXPLICIT, &path));
    assert_false(cast_find_path(OID_BOOL, OID_DATE, CAST_EXPLICIT, &path));
    assert_true(cast_find_path(OID_INT4_ARRAY, OID_INT8_ARRAY, CAST_IMPLICIT, &path));
    assert_int_equal(path.method, CAST_ARRAY);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contexts_are_those_of_pg_cast),
        cmocka_unit_test(test_typmods_and_contexts),
        cmocka_unit_test(test_answers_of_postgresql),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
