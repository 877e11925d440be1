/* extract, date_trunc and calendar arithmetic against PostgreSQL's answers in timestamp_cases.tsv. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "storage/types/type_defs.h"
#include "storage/types/type_timestamp.h"

static Status read_value(TypeCtx *ctx, Oid type, const char *text, Value *out)
{
    const TypeDef *def = type_find(type);
    return def->in(def, ctx, slice_str(text), -1, out);
}

static Status interval_operation(TypeCtx *ctx, const char *name, Value a, const char *b, Value *out)
{
    Interval x = interval_load(a), y = {0}, result = {0};
    double factor = strtod(b, NULL);
    if (strcmp(name, "*") == 0) TRY(interval_mul(ctx, x, factor, &result));
    else if (strcmp(name, "/") == 0) TRY(interval_div(ctx, x, factor, &result));
    else if (strcmp(name, "justify_hours") == 0) TRY(interval_justify_hours(ctx, x, &result));
    else if (strcmp(name, "justify_days") == 0) TRY(interval_justify_days(ctx, x, &result));
    else if (strcmp(name, "justify_interval") == 0) TRY(interval_justify(ctx, x, &result));
    else {
        TRY(interval_parse(ctx, slice_str(b), -1, &y));
        TRY(strcmp(name, "+") == 0 ? interval_add(ctx, x, y, &result) : interval_sub(ctx, x, y, &result));
    }
    *out = interval_store(result, ctx->arena);
    return ST_OK;
}

/* name type a b: the result's type is left in *type. */
static Status compute(TypeCtx *ctx, const char *name, Oid *type, const char *a, const char *b, Value *out)
{
    Value x, y;
    Interval interval = {0};
    bool zoned = *type == OID_TIMESTAMPTZ;
    TRY(read_value(ctx, *type, a, &x));
    if (strcmp(name, "extract") == 0) {
        Oid of = *type;
        *type = OID_NUMERIC;
        return datetime_extract(ctx, of, slice_str(b), x, out);
    }
    if (strcmp(name, "date_trunc") == 0) return datetime_trunc(ctx, *type, slice_str(b), x, ctx->env->time_zone, out);
    if (*type == OID_INTERVAL) return interval_operation(ctx, name, x, b, out);
    if (strcmp(name, "+") == 0) {
        TRY(interval_parse(ctx, slice_str(b), -1, &interval));
        return zoned ? timestamptz_add_interval(ctx, x.i, interval, ctx->env->time_zone, &out->i)
                     : timestamp_add_interval(ctx, x.i, interval, &out->i);
    }
    TRY(read_value(ctx, *type, b, &y));
    *type = OID_INTERVAL;
    TRY(strcmp(name, "age") == 0 ? timestamp_age(ctx, x.i, y.i, &interval) : timestamp_sub(ctx, x.i, y.i, &interval));
    *out = interval_store(interval, ctx->arena);
    return ST_OK;
}

static void test_answers_of_postgresql(void **state)
{
    FILE *file = fopen("storage/types/timestamp_cases.tsv", "r");
    assert_non_null(file);
    Arena *arena = arena_create(NULL, 0);
    char line[4096], actual[1024];
    int cases = 0, faults = 0;
    for (; fgets(line, sizeof line, file); cases++) {
        line[strcspn(line, "\n")] = 0;
        char *rest = line, *zone = strsep(&rest, "\t"), *name = strsep(&rest, "\t"), *type_text_ = strsep(&rest, "\t");
        char *a = strsep(&rest, "\t"), *b = strsep(&rest, "\t");
        TypeEnv env = type_env_default;
        env.time_zone = time_zone_open(zone);
        Error err = {0};
        TypeCtx ctx = {arena, &env, &err};
        Oid type = type_find_name(type_text_)->oid;
        Value value = {0};
        if (compute(&ctx, name, &type, a, b, &value) != ST_OK)
            snprintf(actual, sizeof actual, "!%s %s", sqlstate_code(err.sqlstate), err.message);
        else
            snprintf(actual, sizeof actual, "%s",
                     value.null ? "NULL" : type_text((TypeRef){type, -1}, &env, value, arena));
        if (strcmp(actual, rest) != 0) {
            faults++;
            fprintf(stderr, "%s %s %s %s %s\n  expected %s\n  actual   %s\n", zone, name, type_text_, a, b, rest,
                    actual);
        }
        arena_reset(arena);
    }
    fclose(file);
    arena_destroy(arena);
    assert_true(cases > 0);
    assert_int_equal(faults, 0);
}

static void test_making(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    Error err = {0};
    TypeCtx ctx = {arena, &type_env_default, &err};
    int64_t value = 0;
    assert_int_equal(date_make(&ctx, 2000, 1, 1, &value), ST_OK);
    assert_int_equal(value, 0);
    assert_int_equal(date_make(&ctx, 2020, 13, 1, &value), ST_ERROR);
    assert_string_equal(err.message, "date field value out of range: 2020-13-01");
    assert_int_equal(time_make(&ctx, 25, 0, 0, &value), ST_ERROR);
    assert_string_equal(err.message, "time field value out of range: 25:00:00");
    assert_int_equal(date_add_days(&ctx, DATE_END - 1, 1, &value), ST_ERROR);
    arena_destroy(arena);
}

static void test_calendar_is_its_own_inverse(void **state)
{
    for (int64_t day = DATE_MIN; day < DATE_END; day += 9999991) {
        int64_t year;
        int month, of_month;
        date_to_civil(day, &year, &month, &of_month);
        assert_true(month >= 1 && month <= 12 && of_month >= 1 && of_month <= days_in_month(year, month));
        assert_int_equal(date_from_civil(year, month, of_month), day);
    }
}

static void test_interval_typmods(void **state)
{
    static const struct {
        int range, precision;
        const char *text, *value, *type;
    } cases[] = {
        {INTERVAL_MASK_YEAR, -1, "1 year 5 mons 3 days", "1 year", "interval year"},
        {INTERVAL_MASK_YEAR, -1, "7", "7 years", "interval year"},
        {INTERVAL_MASK_DAY | INTERVAL_MASK_HOUR, -1, "1 10:59", "1 day 10:00:00", "interval day to hour"},
        {INTERVAL_MASK_MINUTE | INTERVAL_MASK_SECOND, 1, "10:11.25", "00:10:11.3", "interval minute to second(1)"},
        {INTERVAL_MASK_ALL, 2, "1.005 sec", "00:00:01.01", "interval(2)"},
    };
    Arena *arena = arena_create(NULL, 0);
    Error err;
    TypeCtx ctx = {arena, &type_env_default, &err};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int32_t typmod = interval_typmod(cases[i].range, cases[i].precision);
        Value value;
        assert_int_equal(type_interval.in(&type_interval, &ctx, slice_str(cases[i].text), typmod, &value), ST_OK);
        assert_string_equal(type_text((TypeRef){OID_INTERVAL, -1}, &type_env_default, value, arena), cases[i].value);
        assert_string_equal(type_format((TypeRef){OID_INTERVAL, typmod}, arena), cases[i].type);
    }
    arena_destroy(arena);
}

static void test_zones(void **state)
{
    assert_null(time_zone_open("Nowhere/Land"));
    assert_null(time_zone_open("../etc/passwd"));
    assert_string_equal(time_zone_name(time_zone_open("america/new_york")), "America/New_York");
    assert_string_equal(time_zone_name(time_zone_open("3.5")), "<+03:30>-03:30");
    assert_int_equal(time_zone_offset(time_zone_find("EST"), 0, NULL, NULL), -5 * 3600);
    assert_int_equal(time_zone_offset(time_zone_find("+03"), 0, NULL, NULL), -3 * 3600);
    assert_int_equal(time_zone_offset(time_zone_open("+03"), 0, NULL, NULL), 3 * 3600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_making),           cmocka_unit_test(test_calendar_is_its_own_inverse),
        cmocka_unit_test(test_interval_typmods), cmocka_unit_test(test_zones),
        cmocka_unit_test(test_answers_of_postgresql),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
