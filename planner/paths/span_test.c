#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "planner/paths/span_build.h"
#include "planner/rel.h"

/* A table t (a int4, b int4 NULL, c int4 NULL, s text, d numeric, f bool, h int8 = bucket of a in 4) and one index. */

enum { A, B, C, S, D, F, H, COLUMNS };

typedef struct Fixture {
    Arena *arena;
    TableDesc table;
    IndexDesc index;
    ColId ids[COLUMNS];
    Expr *computed[COLUMNS];
    SpanTable spans;
    Error err;
} Fixture;

static const FuncDef hash_function = {.name = "fnv32", .arguments = "int8", .result = "int8", .flags = FN_IMMUTABLE};
static const FuncDef mod_function = {.name = "mod", .arguments = "int8, int8", .result = "int8", .flags = FN_IMMUTABLE};
static const FuncDef like_function = {.name = "~~", .arguments = "text, text", .result = "bool",
                                      .flags = FN_IMMUTABLE | FN_OPERATOR};

static const TypeRef int4 = {OID_INT4, -1}, int8 = {OID_INT8, -1}, text = {OID_TEXT, -1}, boolean = {OID_BOOL, -1};

static Expr *call(Arena *arena, const FuncDef *function, TypeRef type, Expr *a, Expr *b)
{
    Expr **args = ARENA_ARRAY(arena, Expr *, 2);
    args[0] = a;
    args[1] = b;
    return expr_call(arena, function, type, args, b ? 2 : 1);
}

static Expr *column(Fixture *x, int ordinal)
{
    const ColumnDesc *c = &x->table.columns.items[ordinal];
    return expr_column(x->arena, x->ids[ordinal], c->type, c->name);
}

static Expr *number(Fixture *x, int64_t n)
{
    return expr_const(x->arena, int4, value_int(n));
}

static void add_column(Fixture *x, const char *name, TypeRef type, bool not_null)
{
    ColumnDesc c = {.id = (uint32_t)x->table.columns.count + 1, .name = name, .type = type, .not_null = not_null};
    VEC_PUSH(x->arena, x->table.columns, c);
}

static void key(Fixture *x, int ordinal, bool descending)
{
    VEC_PUSH(x->arena, x->index.columns, (IndexColumn){.column_id = (uint32_t)ordinal + 1, .descending = descending});
}

static Fixture *fixture_create(void)
{
    Arena *arena = arena_create(NULL, 0);
    Fixture *x = ARENA_NEW(arena, Fixture);
    x->arena = arena;
    add_column(x, "a", int4, true);
    add_column(x, "b", int4, false);
    add_column(x, "c", int4, false);
    add_column(x, "s", text, true);
    add_column(x, "d", (TypeRef){OID_NUMERIC, -1}, true);
    add_column(x, "f", boolean, true);
    add_column(x, "h", int8, true);
    for (int i = 0; i < COLUMNS; i++) {
        x->ids[i] = 10 + i;
        colset_add(&x->spans.own, arena, x->ids[i]);
    }
    x->table.columns.items[H].role = COLUMN_BUCKET;
    x->table.columns.items[H].bucket_count = 4;
    x->table.columns.items[H].hidden = true;
    x->computed[H] = call(arena, &mod_function, int8, call(arena, &hash_function, int8, column(x, A), NULL),
                          expr_const(arena, int8, value_int(4)));
    x->table.base.name = "t";
    x->index.name = "i";
    x->spans.table = &x->table;
    x->spans.columns = x->ids;
    x->spans.computed = x->computed;
    x->spans.env = &type_env_default;
    x->spans.arena = arena;
    return x;
}

/* The bucket of a is (a * 7 + 3) % 4 here. */
static Status eval(void *argument, Expr *e, Value *value, Error *err)
{
    if (expr_is_const(e, value)) return ST_OK;
    assert_int_equal(e->kind, EXPR_CALL);
    Value a;
    assert_true(expr_is_const(e->args[0]->args[0], &a));
    *value = value_int(a.null ? 0 : (a.i * 7 + 3) % 4);
    return ST_OK;
}

static SpanChoice choose(Fixture *x, Expr **conjuncts, int count, const SpanOptions *options)
{
    SpanCondition *conditions = ARENA_ARRAY(x->arena, SpanCondition, count + 1);
    for (int i = 0; i < count; i++) span_analyse(&x->spans, conjuncts[i], &conditions[i]);
    SpanChoice choice;
    span_choose(&x->spans, &x->index, conditions, count, options, &choice);
    return choice;
}

static const char *print(Fixture *x, const SpanChoice *choice)
{
    LogicalSpan *spans;
    int count;
    Buf out = {0};
    assert_int_equal(span_expand(&choice->set, eval, NULL, &spans, &count, x->arena, &x->err), ST_OK);
    for (int i = 0; i < count; i++) {
        if (i) buf_put_u8(&out, ' ');
        span_print(&choice->set, &spans[i], &out);
    }
    const char *line = buf_to_str(&out, x->arena);
    buf_finish(&out);
    return line ? line : "";
}

/* The spans of one condition, and whether it must still be filtered. */
static void expect(Fixture *x, Expr *e, const char *spans, bool enforced)
{
    Expr **conjuncts = &e;
    int count = 1;
    if (e->kind == EXPR_AND) {
        conjuncts = e->args;
        count = e->arg_count;
    }
    SpanChoice choice = choose(x, conjuncts, count, &(SpanOptions){0});
    assert_string_equal(print(x, &choice), spans);
    bool all = true;
    for (int i = 0; i < count; i++) all = all && choice.enforced[i];
    if (!choice.set.contradiction) assert_int_equal(all, enforced);
}

static Expr *compare(Fixture *x, int ordinal, CompareOp op, int64_t n)
{
    return expr_compare(x->arena, op, column(x, ordinal), number(x, n));
}

static Expr *and2(Fixture *x, Expr *a, Expr *b)
{
    Expr *items[2] = {a, b};
    return expr_and(x->arena, items, 2);
}

static Expr *or2(Fixture *x, Expr *a, Expr *b)
{
    Expr *items[2] = {a, b};
    return expr_or(x->arena, items, 2);
}

static void test_points_and_ranges(void **state)
{
    Fixture *x = fixture_create();
    key(x, A, false);
    expect(x, compare(x, A, COMPARE_EQ, 5), "[/5 - /5]", true);
    expect(x, compare(x, A, COMPARE_GT, 90), "[/91 - ]", true);
    expect(x, compare(x, A, COMPARE_LT, 9), "[ - /8]", true);
    expect(x, compare(x, A, COMPARE_NE, 5), "[ - /4] [/6 - ]", true);
    expect(x, and2(x, compare(x, A, COMPARE_GE, 1), compare(x, A, COMPARE_LE, 5)), "[/1 - /5]", true);
    expect(x, and2(x, compare(x, A, COMPARE_GE, 7), compare(x, A, COMPARE_LT, 7)), "", true);
    expect(x, or2(x, compare(x, A, COMPARE_EQ, 9), compare(x, A, COMPARE_EQ, 1)), "[/1 - /1] [/9 - /9]", true);
    expect(x, or2(x, compare(x, A, COMPARE_EQ, 2), compare(x, A, COMPARE_EQ, 1)), "[/1 - /2]", true);
    expect(x, or2(x, compare(x, A, COMPARE_LT, 2), compare(x, A, COMPARE_GT, 7)), "[ - /1] [/8 - ]", true);
    expect(x, compare(x, B, COMPARE_EQ, 5), "[ - ]", false);
    arena_destroy(x->arena);
}

static void test_nulls(void **state)
{
    Fixture *x = fixture_create();
    key(x, B, false);
    expect(x, compare(x, B, COMPARE_LT, 5), "(/NULL - /4]", true);
    expect(x, expr_is_null(x->arena, column(x, B), false), "[/NULL - /NULL]", true);
    expect(x, expr_is_null(x->arena, column(x, B), true), "(/NULL - ]", true);
    expect(x, expr_compare(x->arena, COMPARE_EQ, column(x, B), expr_null(x->arena, int4)), "", true);
    arena_destroy(x->arena);

    x = fixture_create();
    key(x, B, true);
    expect(x, compare(x, B, COMPARE_LT, 5), "[/4 - /NULL)", true);
    expect(x, compare(x, B, COMPARE_GT, 5), "[ - /6]", true);
    arena_destroy(x->arena);
}

static void test_several_columns(void **state)
{
    Fixture *x = fixture_create();
    key(x, A, false);
    key(x, B, true);
    expect(x, and2(x, compare(x, A, COMPARE_EQ, 1), compare(x, B, COMPARE_GT, 2)), "[/1 - /1/3]", true);
    expect(x, and2(x, compare(x, A, COMPARE_GT, 1), compare(x, B, COMPARE_EQ, 2)), "[/2 - ]", false);
    expect(x, and2(x, or2(x, compare(x, A, COMPARE_EQ, 1), compare(x, A, COMPARE_EQ, 3)), compare(x, B, COMPARE_EQ, 2)),
           "[/1/2 - /1/2] [/3/2 - /3/2]", true);
    arena_destroy(x->arena);
}

static void test_row_comparison(void **state)
{
    Fixture *x = fixture_create();
    key(x, A, false);
    key(x, B, false);
    Expr **args = ARENA_ARRAY(x->arena, Expr *, 4);
    args[0] = column(x, A);
    args[1] = column(x, B);
    args[2] = number(x, 1);
    args[3] = number(x, 2);
    Expr *e = expr_new(x->arena, EXPR_ROW_COMPARE, boolean, args, 4);
    ((ExprCompare *)e)->op = COMPARE_GT;
    expect(x, e, "[/1/3 - ]", true);
    ((ExprCompare *)e)->op = COMPARE_EQ;
    expect(x, e, "[/1/2 - /1/2]", true);
    ((ExprCompare *)e)->op = COMPARE_LE;
    expect(x, e, "[ - /0] (/1/NULL - /1/2]", true);
    arena_destroy(x->arena);
}

static void test_texts(void **state)
{
    Fixture *x = fixture_create();
    key(x, S, false);
    Expr *word = expr_const(x->arena, text, value_str("x"));
    expect(x, expr_compare(x->arena, COMPARE_GT, column(x, S), word), "[/e'x\\x00' - ]", true);
    expect(x, expr_compare(x->arena, COMPARE_LT, column(x, S), word), "[ - /'x')", true);
    expect(x, expr_compare(x->arena, COMPARE_EQ, column(x, S), expr_const(x->arena, text, value_str("it's"))),
           "[/'it''s' - /'it''s']", true);
    expect(x, call(x->arena, &like_function, boolean, column(x, S), expr_const(x->arena, text, value_str("ca%"))),
           "[/'ca' - /'cb')", true);
    expect(x, call(x->arena, &like_function, boolean, column(x, S), expr_const(x->arena, text, value_str("ca_b%"))),
           "[/'ca' - /'cb')", false);
    expect(x, call(x->arena, &like_function, boolean, column(x, S), expr_const(x->arena, text, value_str("a\\%b"))),
           "[/'a%b' - /'a%b']", true);
    arena_destroy(x->arena);
}

static void test_constants_outside_the_type(void **state)
{
    Fixture *x = fixture_create();
    key(x, A, false);
    CastDef widen = {.source = OID_INT4, .target = OID_INT8, .method = CAST_FUNCTION};
    Expr *wide = expr_cast(x->arena, column(x, A), widen, int8, false);
    Expr *huge = expr_const(x->arena, int8, value_int(INT64_C(1) << 40));
    expect(x, expr_compare(x->arena, COMPARE_EQ, wide, huge), "", true);
    expect(x, expr_compare(x->arena, COMPARE_LT, wide, huge), "[ - ]", true);
    expect(x, expr_compare(x->arena, COMPARE_GE, wide, huge), "", true);
    expect(x, expr_compare(x->arena, COMPARE_EQ, wide, expr_const(x->arena, int8, value_int(7))), "[/7 - /7]", true);
    arena_destroy(x->arena);
}

static void test_bool_columns(void **state)
{
    Fixture *x = fixture_create();
    key(x, F, true);
    key(x, A, false);
    expect(x, column(x, F), "[/true - /true]", true);
    expect(x, expr_not(x->arena, column(x, F)), "[/false - /false]", true);
    expect(x, compare(x, A, COMPARE_EQ, 3), "[/true/3 - /true/3] [/false/3 - /false/3]", true);
    arena_destroy(x->arena);
}

static void test_buckets(void **state)
{
    Fixture *x = fixture_create();
    key(x, H, false);
    key(x, A, false);
    expect(x, compare(x, A, COMPARE_EQ, 4), "[/3/4 - /3/4]", true);
    expect(x, or2(x, compare(x, A, COMPARE_EQ, 4), compare(x, A, COMPARE_EQ, 1)), "[/2/1 - /2/1] [/3/4 - /3/4]", true);
    expect(x, compare(x, A, COMPARE_GT, 100), "[/0/101 - /0] [/1/101 - /1] [/2/101 - /2] [/3/101 - /3]", true);
    /* Fewer values than buckets: each is hashed. */
    expect(x, and2(x, compare(x, A, COMPARE_GE, 1), compare(x, A, COMPARE_LT, 3)), "[/1/2 - /1/2] [/2/1 - /2/1]", true);
    expect(x, compare(x, B, COMPARE_EQ, 1), "[ - ]", false);
    arena_destroy(x->arena);
}

static void test_streams(void **state)
{
    Fixture *x = fixture_create();
    key(x, H, false);
    key(x, B, false);
    SpanChoice choice = choose(x, NULL, 0, &(SpanOptions){.streams = true});
    assert_string_equal(print(x, &choice), "[/0 - /3]");
    choice.set.separate_columns = 1;
    assert_string_equal(print(x, &choice), "[/0 - /0] [/1 - /1] [/2 - /2] [/3 - /3]");
    arena_destroy(x->arena);
}

static void test_skip(void **state)
{
    Fixture *x = fixture_create();
    key(x, C, false);
    key(x, A, false);
    Expr *e = compare(x, A, COMPARE_EQ, 4);
    SpanChoice choice = choose(x, &e, 1, &(SpanOptions){.first_column = 1});
    assert_string_equal(print(x, &choice), "[/4 - /4]");
    assert_true(choice.enforced[0]);
    arena_destroy(x->arena);
}

static void test_repeated_column(void **state)
{
    Fixture *x = fixture_create();
    key(x, B, false);
    key(x, B, false);
    expect(x, compare(x, B, COMPARE_GT, 0), "[/1 - ]", true);
    expect(x, compare(x, B, COMPARE_EQ, 0), "[/0 - /0]", true);
    arena_destroy(x->arena);
}

/* ---- spans and filter against evaluation row by row ---- */

enum { DOMAIN = 5 }; /* values 0..4, and NULL as DOMAIN */

static uint32_t seed = 1;

static int below(int n)
{
    seed = seed * 1664525 + 1013904223;
    return (int)((seed >> 8) % (uint32_t)n);
}

static const CompareOp ops[] = {COMPARE_EQ, COMPARE_NE, COMPARE_LT, COMPARE_LE, COMPARE_GT, COMPARE_GE};

static Expr *random_row(Fixture *x)
{
    Expr **args = ARENA_ARRAY(x->arena, Expr *, 4);
    args[0] = column(x, below(3));
    args[1] = column(x, below(3));
    args[2] = number(x, below(DOMAIN));
    args[3] = number(x, below(DOMAIN));
    Expr *e = expr_new(x->arena, EXPR_ROW_COMPARE, boolean, args, 4);
    ((ExprCompare *)e)->op = ops[below(6)];
    return e;
}

static Expr *random_list(Fixture *x)
{
    int count = 1 + below(4);
    Expr **args = ARENA_ARRAY(x->arena, Expr *, count + 1);
    args[0] = column(x, below(3));
    for (int i = 1; i <= count; i++) args[i] = below(8) ? number(x, below(DOMAIN)) : expr_null(x->arena, int4);
    return expr_new(x->arena, EXPR_IN_LIST, boolean, args, count + 1);
}

static Expr *random_condition(Fixture *x, int depth)
{
    int kind = below(depth > 0 ? 8 : 6);
    if (kind == 6) return and2(x, random_condition(x, depth - 1), random_condition(x, depth - 1));
    if (kind == 7) return or2(x, random_condition(x, depth - 1), random_condition(x, depth - 1));
    if (kind == 0) return random_row(x);
    if (kind == 1) return random_list(x);
    if (kind == 2) return expr_is_null(x->arena, column(x, below(3)), below(2));
    Expr *e = compare(x, below(3), ops[below(6)], below(DOMAIN));
    if (kind == 3) {
        Expr *swapped = e->args[0];
        e->args[0] = e->args[1];
        e->args[1] = swapped;
    }
    return e;
}

/* 1 true, 0 false, -1 unknown. */
static int compare_ints(CompareOp op, Value a, Value b)
{
    if (a.null || b.null) return -1;
    switch (op) {
    case COMPARE_EQ: return a.i == b.i;
    case COMPARE_NE: return a.i != b.i;
    case COMPARE_LT: return a.i < b.i;
    case COMPARE_LE: return a.i <= b.i;
    case COMPARE_GT: return a.i > b.i;
    case COMPARE_GE: return a.i >= b.i;
    }
    return -1;
}

static Value scalar(const Fixture *x, const Expr *e, const Value *row)
{
    Value v;
    if (expr_is_const(e, &v)) return v;
    return row[((const ExprColumn *)e)->column - x->ids[0]];
}

static int truth(const Fixture *x, const Expr *e, const Value *row);

static int truth_of_row(const Fixture *x, const Expr *e, const Value *row)
{
    CompareOp op = ((const ExprCompare *)e)->op;
    Value a[2], b[2];
    for (int i = 0; i < 2; i++) {
        a[i] = scalar(x, e->args[i], row);
        b[i] = scalar(x, e->args[2 + i], row);
    }
    int first = compare_ints(COMPARE_EQ, a[0], b[0]), second = compare_ints(COMPARE_EQ, a[1], b[1]);
    if (op == COMPARE_EQ || op == COMPARE_NE) {
        int equal = first == 0 || second == 0 ? 0 : first < 0 || second < 0 ? -1 : 1;
        return equal < 0 ? -1 : op == COMPARE_EQ ? equal : !equal;
    }
    CompareOp strict = op == COMPARE_LE ? COMPARE_LT : op == COMPARE_GE ? COMPARE_GT : op;
    if (first < 0) return -1;
    return first ? compare_ints(op, a[1], b[1]) : compare_ints(strict, a[0], b[0]);
}

static int truth_of_connective(const Fixture *x, const Expr *e, const Value *row)
{
    int decisive = e->kind == EXPR_OR, result = !decisive;
    for (int i = 0; i < e->arg_count; i++) {
        int one = truth(x, e->args[i], row);
        if (one == decisive) return decisive;
        if (one < 0) result = -1;
    }
    return result;
}

static int truth_of_list(const Fixture *x, const Expr *e, const Value *row)
{
    int result = 0;
    for (int i = 1; i < e->arg_count; i++) {
        int one = compare_ints(COMPARE_EQ, scalar(x, e->args[0], row), scalar(x, e->args[i], row));
        if (one == 1) return 1;
        if (one < 0) result = -1;
    }
    return result;
}

static int truth(const Fixture *x, const Expr *e, const Value *row)
{
    if (e->kind == EXPR_AND || e->kind == EXPR_OR) return truth_of_connective(x, e, row);
    if (e->kind == EXPR_ROW_COMPARE) return truth_of_row(x, e, row);
    if (e->kind == EXPR_IN_LIST) return truth_of_list(x, e, row);
    if (e->kind == EXPR_IS_NULL) return scalar(x, e->args[0], row).null != ((const ExprNegatable *)e)->negated;
    assert_int_equal(e->kind, EXPR_COMPARE);
    return compare_ints(((const ExprCompare *)e)->op, scalar(x, e->args[0], row), scalar(x, e->args[1], row));
}

static int key_order(const Fixture *x, int k, Value a, Value b)
{
    int order = a.null || b.null ? (int)b.null - (int)a.null : (a.i > b.i) - (a.i < b.i);
    return x->index.columns.items[k].descending ? -order : order;
}

/* Where a row's key lies to a bound's values: they may be a prefix of it. */
static int to_bound(const Fixture *x, const Value *row, const Value *values, int count)
{
    for (int k = 0; k < count; k++) {
        int order = key_order(x, k, row[x->index.columns.items[k].column_id - 1], values[k]);
        if (order) return order;
    }
    return 0;
}

static bool is_inside(const Fixture *x, const Value *row, const LogicalSpan *span)
{
    int start = to_bound(x, row, span->start, span->start_count), end = to_bound(x, row, span->end, span->end_count);
    if (start < 0 || end > 0) return false;
    if (start == 0 && span->start_count && !span->start_inclusive) return false;
    if (end == 0 && span->end_count && !span->end_inclusive) return false;
    if (start == 0 && span->start_after_null)
        if (row[x->index.columns.items[span->start_count].column_id - 1].null) return false;
    if (end == 0 && span->end_before_null)
        if (row[x->index.columns.items[span->end_count].column_id - 1].null) return false;
    return true;
}

static void check_rows(const Fixture *x, Expr *const *conjuncts, int count, const SpanChoice *choice,
                       const LogicalSpan *spans, int span_count)
{
    for (int n = 0; n < DOMAIN * (DOMAIN + 1) * (DOMAIN + 1); n++) {
        int values[3] = {n % DOMAIN, n / DOMAIN % (DOMAIN + 1), n / DOMAIN / (DOMAIN + 1)};
        Value row[3];
        for (int i = 0; i < 3; i++) row[i] = values[i] == DOMAIN ? VALUE_NULL : value_int(values[i]);
        int inside = 0;
        for (int s = 0; s < span_count; s++) inside += is_inside(x, row, &spans[s]);
        assert_true(inside <= 1);
        bool wanted = true, kept = inside;
        for (int i = 0; i < count; i++) {
            bool is_true = truth(x, conjuncts[i], row) == 1;
            wanted = wanted && is_true;
            if (!choice->enforced[i]) kept = kept && is_true;
        }
        if (wanted == kept) continue;
        for (int i = 0; i < count; i++) print_error("%s\n", expr_text(conjuncts[i], x->arena));
        fail_msg("row (%d, %d, %d): wanted %d, %d", values[0], values[1], values[2], wanted, kept);
    }
}

static void test_against_brute_force(void **state)
{
    for (int round = 0; round < 3000; round++) {
        Fixture *x = fixture_create();
        int first = below(3), columns = 1 + below(3);
        for (int i = 0; i < columns; i++) key(x, (first + i) % 3, below(2));
        Expr *conjuncts[3];
        int count = 1 + below(3), span_count;
        for (int i = 0; i < count; i++) conjuncts[i] = random_condition(x, 2);
        SpanChoice choice = choose(x, conjuncts, count, &(SpanOptions){0});
        LogicalSpan *spans;
        assert_int_equal(span_expand(&choice.set, eval, NULL, &spans, &span_count, x->arena, &x->err), ST_OK);
        if (choice.set.contradiction)
            for (int i = 0; i < count; i++) choice.enforced[i] = true;
        check_rows(x, conjuncts, count, &choice, spans, span_count);
        arena_destroy(x->arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_and_ranges),
        cmocka_unit_test(test_nulls),
        cmocka_unit_test(test_several_columns),
        cmocka_unit_test(test_row_comparison),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_constants_outside_the_type),
        cmocka_unit_test(test_bool_columns),
        cmocka_unit_test(test_buckets),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_skip),
        cmocka_unit_test(test_repeated_column),
        cmocka_unit_test(test_against_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
