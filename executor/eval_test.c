/* Expression programs over hand-made trees. */
#include "executor/eval.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static PlannedStmt planned;
static Plan no_plan = {.kind = PLAN_VALUES};

typedef struct Fixture {
    Arena *arena, *run;
    Exec *exec;
    Error err;
} Fixture;

static const TypeRef t_int = {OID_INT4, -1}, t_text = {OID_TEXT, -1};

static void fixture_init(Fixture *f)
{
    planned.plan = &no_plan;
    f->arena = arena_create(NULL, 0);
    f->run = arena_create(f->arena, 0);
    f->err = (Error){0};
    f->exec = exec_create(NULL, &planned, f->arena);
    exec_start(f->exec, NULL, NULL, &f->err);
}

static Expr *int_const(Fixture *f, int64_t i)
{
    return expr_const(f->arena, t_int, value_int(i));
}

static Expr *null_bool(Fixture *f)
{
    return expr_const(f->arena, (TypeRef){OID_BOOL, -1}, VALUE_NULL);
}

static Value single(Fixture *f, Expr *e)
{
    Value v;
    assert_int_equal(eval_single(f->exec, e, &v, f->run), ST_OK);
    return v;
}

static void test_three_valued(void **state)
{
    Fixture f;
    fixture_init(&f);
    Expr *t = expr_bool(f.arena, true), *n = expr_bool(f.arena, false), *u = null_bool(&f);
    assert_true(single(&f, expr_and(f.arena, (Expr *[]){t, u}, 2)).null);
    Value v = single(&f, expr_and(f.arena, (Expr *[]){u, n}, 2));
    assert_false(v.null);
    assert_int_equal(v.i, 0);
    v = single(&f, expr_or(f.arena, (Expr *[]){u, t}, 2));
    assert_false(v.null);
    assert_int_equal(v.i, 1);
    assert_true(single(&f, expr_or(f.arena, (Expr *[]){n, u}, 2)).null);
    arena_destroy(f.arena);
}

static Status fail_body(FnCtx *ctx, const Value *args, Value *out)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_DIVISION_BY_ZERO, "division by zero");
}

static Status add_body(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int(args[0].i + args[1].i);
    return ST_OK;
}

static const FuncDef fail_function = {.name = "fail", .flags = FN_STRICT, .body = fail_body};
static const FuncDef add_function = {.name = "+", .flags = FN_STRICT, .body = add_body};

static Expr *call(Fixture *f, const FuncDef *function, TypeRef type, Expr *a, Expr *b)
{
    ExprCall *e = ARENA_NEW(f->arena, ExprCall);
    e->base = (Expr){.kind = EXPR_CALL, .type = type, .arg_count = b ? 2 : 1};
    e->base.args = ARENA_ARRAY(f->arena, Expr *, 2);
    e->base.args[0] = a;
    e->base.args[1] = b;
    e->function = function;
    return &e->base;
}

static void test_lazy(void **state)
{
    Fixture f;
    fixture_init(&f);
    Expr *fails = call(&f, &fail_function, (TypeRef){OID_BOOL, -1}, int_const(&f, 1), NULL);
    Value v = single(&f, expr_and(f.arena, (Expr *[]){expr_bool(f.arena, false), fails}, 2));
    assert_int_equal(v.i, 0);
    Value out;
    assert_int_equal(eval_single(f.exec, fails, &out, f.run), ST_ERROR);
    assert_int_equal(f.err.sqlstate, ERR_DIVISION_BY_ZERO);
    arena_destroy(f.arena);
}

static void test_batch(void **state)
{
    Fixture f;
    fixture_init(&f);
    enum { N = 300 };
    Value numbers[N], *columns[] = {numbers}, *out[2];
    for (int i = 0; i < N; i++) numbers[i] = i % 7 == 0 ? VALUE_NULL : value_int(i);
    Expr *column = expr_column(f.arena, 5, t_int, "a");
    Expr *sum = call(&f, &add_function, t_int, column, int_const(&f, 1000));
    Expr *test = expr_compare(f.arena, COMPARE_GT, column, int_const(&f, 100));
    Program *program;
    ColId ids[] = {5};
    assert_int_equal(eval_compile(f.exec, (Expr *[]){sum, test}, 2, ids, 1, &program), ST_OK);
    Batch batch = {.columns = columns, .column_count = 1, .row_count = N};
    assert_int_equal(eval_run(program, &batch, f.run, out), ST_OK);
    for (int i = 0; i < N; i++) {
        assert_int_equal(out[0][i].null, i % 7 == 0);
        if (i % 7 == 0) continue;
        assert_int_equal(out[0][i].i, i + 1000);
        assert_int_equal(out[1][i].i, i > 100);
    }
    assert_int_equal(eval_compile(f.exec, &test, 1, ids, 1, &program), ST_OK);
    int selected[N], count;
    assert_int_equal(eval_filter(program, &batch, f.run, selected, &count), ST_OK);
    int expected = 0;
    for (int i = 101; i < N; i++) expected += i % 7 != 0;
    assert_int_equal(count, expected);
    arena_destroy(f.arena);
}

static Expr *in_list(Fixture *f, Expr *left, int items, bool with_null, bool negated)
{
    ExprNegatable *e = ARENA_NEW(f->arena, ExprNegatable);
    e->base = (Expr){.kind = EXPR_IN_LIST, .type = {OID_BOOL, -1}, .arg_count = 1 + items + with_null};
    e->base.args = ARENA_ARRAY(f->arena, Expr *, e->base.arg_count);
    e->base.args[0] = left;
    for (int i = 0; i < items; i++) e->base.args[i + 1] = int_const(f, i * 2);
    if (with_null) e->base.args[items + 1] = expr_const(f->arena, t_int, VALUE_NULL);
    e->negated = negated;
    return &e->base;
}

static void test_in_list(void **state)
{
    Fixture f;
    fixture_init(&f);
    for (int items = 2; items <= 20; items += 18) {
        assert_int_equal(single(&f, in_list(&f, int_const(&f, 2), items, false, false)).i, 1);
        assert_int_equal(single(&f, in_list(&f, int_const(&f, 3), items, false, false)).i, 0);
        assert_true(single(&f, in_list(&f, int_const(&f, 3), items, true, false)).null);
        assert_true(single(&f, in_list(&f, int_const(&f, 3), items, true, true)).null);
        assert_int_equal(single(&f, in_list(&f, int_const(&f, 2), items, true, true)).i, 0);
    }
    arena_destroy(f.arena);
}

static void test_case(void **state)
{
    Fixture f;
    fixture_init(&f);
    Expr *column = expr_column(f.arena, 1, t_int, "a");
    Expr *args[] = {expr_compare(f.arena, COMPARE_LT, column, int_const(&f, 10)), expr_const(f.arena, t_text, value_str("low")),
                    expr_compare(f.arena, COMPARE_LT, column, int_const(&f, 20)), expr_const(f.arena, t_text, value_str("mid")),
                    expr_const(f.arena, t_text, value_str("high"))};
    Expr e = {.kind = EXPR_CASE, .type = t_text, .args = args, .arg_count = 5};
    Expr *whole = &e;
    Program *program;
    ColId ids[] = {1};
    Value numbers[30], *columns[] = {numbers}, *out[1];
    for (int i = 0; i < 30; i++) numbers[i] = value_int(i);
    assert_int_equal(eval_compile(f.exec, &whole, 1, ids, 1, &program), ST_OK);
    Batch batch = {.columns = columns, .column_count = 1, .row_count = 30};
    assert_int_equal(eval_run(program, &batch, f.run, out), ST_OK);
    for (int i = 0; i < 30; i++)
        assert_true(slice_equal_str(value_to_slice(out[0][i]), i < 10 ? "low" : i < 20 ? "mid" : "high"));
    arena_destroy(f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_three_valued), cmocka_unit_test(test_lazy),
                                       cmocka_unit_test(test_batch), cmocka_unit_test(test_in_list),
                                       cmocka_unit_test(test_case)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
