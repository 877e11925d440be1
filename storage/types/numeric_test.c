/* Arithmetic on numerics against PostgreSQL's answers: operation, operands, result in numeric_cases.tsv. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "storage/types/type_defs.h"
#include "storage/types/type_numeric.h"

typedef Status (*Binary)(TypeCtx *, Value, Value, Value *);
typedef Status (*Unary)(TypeCtx *, Value, Value *);
typedef Value (*Plain)(Value, Arena *);
typedef Value (*Scaled)(Value, int, Arena *);

static const struct {
    const char *name;
    Binary binary;
    Unary unary;
    Plain plain;
    Scaled scaled;
} operations[] = {
    {"+", .binary = numeric_add},        {"-", .binary = numeric_sub},
    {"*", .binary = numeric_mul},        {"/", .binary = numeric_div},
    {"mod", .binary = numeric_mod},      {"div", .binary = numeric_div_trunc},
    {"power", .binary = numeric_power},  {"log", .binary = numeric_log},
    {"sqrt", .unary = numeric_sqrt},     {"exp", .unary = numeric_exp},
    {"ln", .unary = numeric_ln},         {"ceil", .plain = numeric_ceil},
    {"floor", .plain = numeric_floor},   {"trim_scale", .plain = numeric_trim_scale},
    {"round", .scaled = numeric_round},  {"trunc", .scaled = numeric_trunc},
};

static Status aggregate(TypeCtx *ctx, const char *name, char *list, Value *out)
{
    NumericSum sum = {0};
    for (char *one; (one = strsep(&list, " "));) {
        Value value;
        TRY(numeric_parse(ctx, slice_str(one), &value));
        TRY(numeric_sum_add(&sum, ctx, value));
    }
    return name[0] == 's' ? numeric_sum_total(&sum, ctx, out) : numeric_sum_average(&sum, ctx, out);
}

static Status compute(TypeCtx *ctx, const char *name, char *a, const char *b, Value *out)
{
    Value x, y;
    if (strcmp(name, "sum") == 0 || strcmp(name, "avg") == 0) return aggregate(ctx, name, a, out);
    TRY(numeric_parse(ctx, slice_str(a), &x));
    TRY(numeric_parse(ctx, slice_str(b), &y));
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        if (strcmp(operations[i].name, name) != 0) continue;
        if (operations[i].binary) return operations[i].binary(ctx, x, y, out);
        if (operations[i].unary) return operations[i].unary(ctx, x, out);
        *out = operations[i].plain ? operations[i].plain(x, ctx->arena)
                                   : operations[i].scaled(x, (int)strtol(b, NULL, 10), ctx->arena);
        return ST_OK;
    }
    if (strcmp(name, "cmp") == 0) {
        *out = numeric_from_int(numeric_compare(x, y), ctx->arena);
        return ST_OK;
    }
    assert_string_equal(name, "int8");
    TRY(numeric_to_int(ctx, x, OID_INT8, out));
    *out = numeric_from_int(out->i, ctx->arena);
    return ST_OK;
}

/* A result taken apart and put together again is the same bytes. */
static void check_forms(TypeCtx *ctx, Value value)
{
    NumericDigits digits;
    Value again;
    __int128 mantissa;
    int scale;
    numeric_digits(value, ctx->arena, &digits);
    assert_int_equal(numeric_from_digits(ctx, &digits, &again), ST_OK);
    assert_int_equal(again.size, value.size);
    assert_memory_equal(again.p, value.p, value.size);
    if (!numeric_to_int128(value, &mantissa, &scale)) return;
    again = numeric_from_int128(mantissa, scale, ctx->arena);
    assert_int_equal(again.size, value.size);
    assert_memory_equal(again.p, value.p, value.size);
}

static void test_arithmetic_of_postgresql(void **state)
{
    FILE *file = fopen("storage/types/numeric_cases.tsv", "r");
    assert_non_null(file);
    Arena *arena = arena_create(NULL, 0);
    char line[16384], actual[8192];
    int cases = 0, faults = 0;
    for (; fgets(line, sizeof line, file); cases++) {
        line[strcspn(line, "\n")] = 0;
        char *rest = line, *name = strsep(&rest, "\t"), *a = strsep(&rest, "\t"), *b = strsep(&rest, "\t");
        Error err = {0};
        TypeCtx ctx = {arena, &type_env_default, &err};
        Value value;
        char *shown = arena_strdup(arena, a);
        if (compute(&ctx, name, a, b, &value) == ST_OK) {
            snprintf(actual, sizeof actual, "%s",
                     type_text((TypeRef){OID_NUMERIC, -1}, &type_env_default, value, arena));
            check_forms(&ctx, value);
        } else {
            snprintf(actual, sizeof actual, "!%s %s", sqlstate_code(err.sqlstate), err.message);
        }
        if (strcmp(actual, rest) != 0) {
            faults++;
            fprintf(stderr, "%s %s %s\n  expected %s\n  actual   %s\n", name, shown, b, rest, actual);
        }
        arena_reset(arena);
    }
    fclose(file);
    arena_destroy(arena);
    assert_true(cases > 0);
    assert_int_equal(faults, 0);
}

static void test_equal_numbers_hash_alike(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    Error err;
    TypeCtx ctx = {arena, &type_env_default, &err};
    Value one, one_point, minus_one;
    assert_int_equal(numeric_parse(&ctx, SLICE_LIT("1"), &one), ST_OK);
    assert_int_equal(numeric_parse(&ctx, SLICE_LIT("1.000"), &one_point), ST_OK);
    assert_int_equal(numeric_parse(&ctx, SLICE_LIT("-1"), &minus_one), ST_OK);
    assert_int_equal(numeric_compare(one, one_point), 0);
    assert_true(numeric_hash(one) == numeric_hash(one_point));
    assert_true(numeric_hash(one) != numeric_hash(minus_one));
    arena_destroy(arena);
}

static void test_overflow_names_the_limit(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    Error err = {0};
    TypeCtx ctx = {arena, &type_env_default, &err};
    Value value;
    int32_t args[] = {4, 2}, typmod = -1;
    assert_int_equal(type_numeric.typmod_in(&type_numeric, &ctx, args, 2, &typmod), ST_OK);
    assert_string_equal(type_format((TypeRef){OID_NUMERIC, typmod}, arena), "numeric(4,2)");
    assert_int_equal(type_numeric.in(&type_numeric, &ctx, SLICE_LIT("99.995"), typmod, &value), ST_ERROR);
    assert_string_equal(err.message, "numeric field overflow");
    assert_string_equal(err.detail,
                        "A field with precision 4, scale 2 must round to an absolute value less than 10^2.");
    arena_destroy(arena);
}

static void test_sum_of_integers(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    Error err;
    TypeCtx ctx = {arena, &type_env_default, &err};
    NumericSum sum = {0}, other = {0};
    Value total;
    for (int i = 0; i < 100; i++) numeric_sum_add_int(&sum, INT64_MAX, arena);
    numeric_sum_add_int(&other, -1, arena);
    assert_int_equal(numeric_sum_merge(&sum, &ctx, &other), ST_OK);
    assert_int_equal(numeric_sum_total(&sum, &ctx, &total), ST_OK);
    assert_string_equal(type_text((TypeRef){OID_NUMERIC, -1}, &type_env_default, total, arena),
                        "922337203685477580699");
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_numbers_hash_alike),
        cmocka_unit_test(test_overflow_names_the_limit),
        cmocka_unit_test(test_sum_of_integers),
        cmocka_unit_test(test_arithmetic_of_postgresql),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
