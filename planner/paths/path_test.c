#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "planner/paths/paths.h"
#include "planner/plan.h"

/* Plans of logical queries made by hand, as text. Tables:
 *   users (id int4 key, email text, region text): index users_email_idx (email), users_region_idx (region) storing email
 *   events (h int8 = bucket of id in 8, id int4, ts int8; key h, id): index events_ts_idx (g = bucket of ts, ts)
 *   visits (country bool, at int8, id int4; key country, at, id) */

typedef struct Fixture {
    Arena *arena;
    Error err;
    ColId next;
    TableDesc *users, *events;
} Fixture;

static const TypeRef int4 = {OID_INT4, -1}, int8 = {OID_INT8, -1}, text = {OID_TEXT, -1}, boolean = {OID_BOOL, -1};
static const FuncDef hash_function = {.name = "fnv32", .arguments = "int8", .result = "int8", .flags = FN_IMMUTABLE};
static const FuncDef mod_function = {.name = "mod", .arguments = "int8, int8", .result = "int8", .flags = FN_IMMUTABLE};

/* The binder's part: here the text is the name of the hashed column. */
Status plan_table_expr(Session *session, const TableExpr *expr, Expr **out, Arena *arena, Error *err)
{
    const RelColumn *columns = expr->columns;
    int ordinal = table_column_by_name(expr->table, expr->text);
    Expr **inner = ARENA_ARRAY(arena, Expr *, 1), **outer = ARENA_ARRAY(arena, Expr *, 2);
    inner[0] = expr_column(arena, columns[ordinal].id, columns[ordinal].type, columns[ordinal].name);
    outer[0] = expr_call(arena, &hash_function, int8, inner, 1);
    outer[1] = expr_const(arena, int8, value_int(8));
    *out = expr_call(arena, &mod_function, int8, outer, 2);
    return ST_OK;
}

static void add_column(Arena *arena, TableDesc *table, const char *name, TypeRef type, bool not_null)
{
    ColumnDesc column = {.id = (uint32_t)table->columns.count + 1, .name = name, .type = type, .not_null = not_null};
    VEC_PUSH(arena, table->columns, column);
}

static void make_bucket(TableDesc *table, int ordinal, const char *of)
{
    ColumnDesc *column = &table->columns.items[ordinal];
    column->role = COLUMN_BUCKET;
    column->bucket_count = 8;
    column->hidden = true;
    column->computed = COMPUTED_VIRTUAL;
    column->computed_expr = of;
}

/* Keys and suffix as ordinals, ended by -1. */
static IndexDesc *add_index(Arena *arena, TableDesc *table, const char *name, const int *keys, const int *suffix)
{
    IndexDesc index = {.id = (uint32_t)table->indexes.count + 1, .name = name, .primary = table->indexes.count == 0};
    index.unique = index.primary;
    for (int i = 0; keys[i] >= 0; i++)
        VEC_PUSH(arena, index.columns, (IndexColumn){.column_id = (uint32_t)keys[i] + 1,
                                                     .implicit = table->columns.items[keys[i]].role == COLUMN_BUCKET});
    for (int i = 0; suffix && suffix[i] >= 0; i++) VEC_PUSH(arena, index.suffix, suffix[i] + 1);
    VEC_PUSH(arena, table->indexes, index);
    return &VEC_LAST(table->indexes);
}

static TableDesc *make_users(Arena *arena)
{
    TableDesc *t = ARENA_NEW(arena, TableDesc);
    t->base.name = "users";
    add_column(arena, t, "id", int4, true);
    add_column(arena, t, "email", text, false);
    add_column(arena, t, "region", text, false);
    add_index(arena, t, "users_pkey", (const int[]){0, -1}, NULL);
    add_index(arena, t, "users_email_idx", (const int[]){1, -1}, (const int[]){0, -1});
    IndexDesc *region = add_index(arena, t, "users_region_idx", (const int[]){2, -1}, (const int[]){0, -1});
    VEC_PUSH(arena, region->stored, 2);
    return t;
}

static TableDesc *make_events(Arena *arena)
{
    TableDesc *t = ARENA_NEW(arena, TableDesc);
    t->base.name = "events";
    add_column(arena, t, "h", int8, true);
    add_column(arena, t, "id", int4, true);
    add_column(arena, t, "ts", int8, true);
    add_column(arena, t, "g", int8, true);
    add_column(arena, t, "kind", text, true);
    make_bucket(t, 0, "id");
    make_bucket(t, 3, "ts");
    add_index(arena, t, "events_pkey", (const int[]){0, 1, -1}, NULL);
    add_index(arena, t, "events_ts_idx", (const int[]){3, 2, -1}, (const int[]){0, 1, -1});
    return t;
}

static Fixture *fixture_create(void)
{
    Arena *arena = arena_create(NULL, 0);
    Fixture *x = ARENA_NEW(arena, Fixture);
    x->arena = arena;
    x->next = 1;
    x->users = make_users(arena);
    x->events = make_events(arena);
    return x;
}

/* ---- relations ---- */

static Rel *table_rel(Fixture *x, const TableDesc *table)
{
    RelTable *rel = rel_new(x->arena, REL_TABLE, sizeof *rel);
    rel->table = table;
    rel->base.column_count = table->columns.count;
    rel->base.columns = ARENA_ARRAY(x->arena, RelColumn, table->columns.count);
    for (int i = 0; i < table->columns.count; i++)
        rel->base.columns[i] = (RelColumn){.id = x->next++, .name = table->columns.items[i].name,
                                           .type = table->columns.items[i].type};
    return &rel->base;
}

static Expr *column(Fixture *x, const Rel *rel, int i)
{
    return expr_column(x->arena, rel->columns[i].id, rel->columns[i].type, rel->columns[i].name);
}

/* Keeps the columns whose bit is set. */
static Rel *project(Fixture *x, Rel *input, int mask)
{
    RelProject *rel = rel_new_over(x->arena, REL_PROJECT, sizeof *rel, input);
    rel->base.columns = ARENA_ARRAY(x->arena, RelColumn, input->column_count);
    rel->exprs = ARENA_ARRAY(x->arena, Expr *, input->column_count);
    int count = 0;
    for (int i = 0; i < input->column_count; i++) {
        if (!(mask >> i & 1)) continue;
        rel->exprs[count] = column(x, input, i);
        rel->base.columns[count++] = input->columns[i];
    }
    rel->base.column_count = count;
    return &rel->base;
}

static Rel *sort(Fixture *x, Rel *input, Expr *by, bool descending)
{
    RelSort *rel = rel_new_over(x->arena, REL_SORT, sizeof *rel, input);
    rel->keys = ARENA_ARRAY(x->arena, SortKey, 1);
    rel->keys[0] = (SortKey){.expr = by, .descending = descending, .nulls_first = descending};
    rel->key_count = 1;
    return &rel->base;
}

static Rel *limit(Fixture *x, Rel *input, int64_t rows)
{
    RelLimit *rel = rel_new_over(x->arena, REL_LIMIT, sizeof *rel, input);
    rel->limit = expr_const(x->arena, int8, value_int(rows));
    return &rel->base;
}

static Rel *join(Fixture *x, JoinKind kind, Rel *left, Rel *right, Expr *condition)
{
    RelJoin *rel = rel_new(x->arena, REL_JOIN, sizeof *rel);
    rel->join = kind;
    rel->condition = condition;
    rel->base.inputs = ARENA_ARRAY(x->arena, Rel *, 2);
    rel->base.inputs[0] = left;
    rel->base.inputs[1] = right;
    rel->base.input_count = 2;
    rel->base.columns = ARENA_ARRAY(x->arena, RelColumn, left->column_count + right->column_count);
    for (int i = 0; i < left->column_count; i++) rel->base.columns[rel->base.column_count++] = left->columns[i];
    for (int i = 0; i < right->column_count; i++) rel->base.columns[rel->base.column_count++] = right->columns[i];
    return &rel->base;
}

static Expr *equals_int(Fixture *x, const Rel *rel, int i, int64_t n)
{
    return expr_compare(x->arena, COMPARE_EQ, column(x, rel, i), expr_const(x->arena, rel->columns[i].type, value_int(n)));
}

static Expr *equals_text(Fixture *x, const Rel *rel, int i, const char *word)
{
    return expr_compare(x->arena, COMPARE_EQ, column(x, rel, i), expr_const(x->arena, text, value_str(word)));
}

/* ---- plans as text ---- */

static void add_line(void *argument, const char *line)
{
    buf_put_str(argument, line);
    buf_put_u8(argument, '\n');
}

/* fnv32(n) % 8 is n % 8 here. */
static Status eval(void *argument, Expr *e, Value *value, Error *err)
{
    if (expr_is_const(e, value)) return ST_OK;
    if (e->kind != EXPR_CALL) return ST_ERROR;
    Value n;
    assert_true(expr_is_const(e->args[0]->args[0], &n));
    *value = value_int(n.i % 8);
    return ST_OK;
}

static const char *plan_text(Fixture *x, Rel *rel)
{
    Plan *plan;
    Buf out = {0};
    Status st = paths_plan(NULL, rel, &plan, x->arena, &x->err);
    if (st != ST_OK) fail_msg("%s", x->err.message);
    assert_int_equal(plan->column_count, rel->column_count);
    PlannedStmt planned = {.plan = plan};
    assert_int_equal(plan_print(&planned, &(PlanPrintOptions){.eval = eval}, add_line, &out, x->arena, &x->err), ST_OK);
    const char *printed = buf_to_str(&out, x->arena);
    buf_finish(&out);
    return printed;
}

static void expect(Fixture *x, Rel *rel, const char *wanted)
{
    assert_string_equal(plan_text(x, rel), wanted);
    arena_destroy(x->arena);
}

static void test_point_of_primary_key(void **state)
{
    Fixture *x = fixture_create();
    Rel *users = table_rel(x, x->users);
    expect(x, rel_filter(x->arena, users, equals_int(x, users, 0, 4718)),
           "• scan\n  missing stats\n  table: users@users_pkey\n  spans: [/4718 - /4718]\n");
}

static void test_index_join(void **state)
{
    Fixture *x = fixture_create();
    Rel *users = table_rel(x, x->users);
    expect(x, rel_filter(x->arena, users, equals_text(x, users, 1, "a@x")),
           "• index join\n│ table: users@users_pkey\n│\n└── • scan\n      missing stats\n"
           "      table: users@users_email_idx\n      spans: [/'a@x' - /'a@x']\n");
}

static void test_covering_index(void **state)
{
    Fixture *x = fixture_create();
    Rel *users = table_rel(x, x->users);
    expect(x, project(x, rel_filter(x->arena, users, equals_text(x, users, 2, "eu")), 6),
           "• scan\n  missing stats\n  table: users@users_region_idx\n  spans: [/'eu' - /'eu']\n");
}

static void test_full_scan_with_filter(void **state)
{
    Fixture *x = fixture_create();
    Rel *users = table_rel(x, x->users);
    Expr *e = expr_compare(x->arena, COMPARE_EQ, column(x, users, 1), column(x, users, 2));
    expect(x, rel_filter(x->arena, users, e),
           "• filter\n│ filter: email = region\n│\n└── • scan\n      missing stats\n      table: users@users_pkey\n"
           "      spans: FULL SCAN\n");
}

static void test_limit_in_scan(void **state)
{
    Fixture *x = fixture_create();
    Rel *users = table_rel(x, x->users);
    expect(x, limit(x, sort(x, users, column(x, users, 0), true), 3),
           "• revscan\n  missing stats\n  table: users@users_pkey\n  spans: LIMITED SCAN\n  limit: 3\n");
}

static void test_nulls_are_read_behind_the_rest(void **state)
{
    Fixture *x = fixture_create();
    Rel *users = table_rel(x, x->users);
    expect(x, project(x, limit(x, sort(x, users, column(x, users, 2), false), 3), 4),
           "• limit\n│ count: 3\n│\n└── • union all\n    │\n    ├── • scan\n    │     missing stats\n"
           "    │     table: users@users_region_idx\n    │     spans: (/NULL - ]\n    │     limit: 3\n    │\n"
           "    └── • scan\n          missing stats\n          table: users@users_region_idx\n"
           "          spans: [/NULL - /NULL]\n          limit: 3\n");
}

static void test_bucket_is_computed(void **state)
{
    Fixture *x = fixture_create();
    Rel *events = table_rel(x, x->events);
    expect(x, project(x, rel_filter(x->arena, events, equals_int(x, events, 1, 12)), 6),
           "• scan\n  missing stats\n  table: events@events_pkey\n  spans: [/4/12 - /4/12]\n");
}

static void test_window_reads_every_bucket(void **state)
{
    Fixture *x = fixture_create();
    Rel *events = table_rel(x, x->events);
    Expr *e = expr_compare(x->arena, COMPARE_GT, column(x, events, 2), expr_const(x->arena, int8, value_int(100)));
    const char *printed = plan_text(x, project(x, rel_filter(x->arena, events, e), 2));
    assert_non_null(strstr(printed, "table: events@events_ts_idx\n"));
    assert_non_null(strstr(printed, "spans: [/0/101 - /0] [/1/101 - /1] [/2/101 - /2] [/3/101 - /3] … (4 more)\n"));
    assert_non_null(strstr(printed, "warning: all 8 buckets of events_ts_idx are read"));
    arena_destroy(x->arena);
}

static void test_newest_rows_merge_streams(void **state)
{
    Fixture *x = fixture_create();
    Rel *events = table_rel(x, x->events);
    const char *printed = plan_text(x, project(x, limit(x, sort(x, events, column(x, events, 2), true), 100), 6));
    assert_non_null(strstr(printed, "• limit\n│ count: 100\n│\n└── • union all\n"));
    assert_non_null(strstr(printed, "• revscan\n    │     table: events@events_ts_idx\n    │     spans: [/0 - /0]\n"));
    assert_null(strstr(printed, "sort"));
    arena_destroy(x->arena);
}

static void test_merge_below_index_join(void **state)
{
    Fixture *x = fixture_create();
    Rel *events = table_rel(x, x->events);
    const char *printed = plan_text(x, limit(x, sort(x, events, column(x, events, 2), true), 10));
    assert_non_null(strstr(printed, "• index join\n"));
    assert_non_null(strstr(printed, "• union all\n"));
    assert_null(strstr(printed, "sort"));
    assert_null(strstr(printed, "top-k"));
    arena_destroy(x->arena);
}

static void test_lookup_join(void **state)
{
    Fixture *x = fixture_create();
    Rel *users = table_rel(x, x->users), *events = table_rel(x, x->events);
    Rel *one = rel_filter(x->arena, users, equals_int(x, users, 0, 5));
    Expr *on = expr_compare(x->arena, COMPARE_EQ, column(x, users, 0), column(x, events, 1));
    Rel *both = join(x, JOIN_INNER, one, events, on);
    expect(x, project(x, both, 1 | 1 << 5),
           "• lookup join\n│ table: events@events_pkey\n│ equality: (h_eq, id) = (h, id)\n│ equality cols are key\n│\n"
           "└── • scan\n      missing stats\n      table: users@users_pkey\n      spans: [/5 - /5]\n");
}

static void test_hash_join(void **state)
{
    Fixture *x = fixture_create();
    Rel *a = table_rel(x, x->users), *b = table_rel(x, x->events);
    Expr *on = expr_compare(x->arena, COMPARE_EQ, column(x, a, 2), column(x, b, 4));
    const char *printed = plan_text(x, project(x, join(x, JOIN_LEFT, a, b, on), 1 | 1 << 5));
    assert_non_null(strstr(printed, "• hash join (left outer)\n"));
    assert_non_null(strstr(printed, "│ equality: (region) = (kind)\n"));
    arena_destroy(x->arena);
}

/* Sixty-odd tables in a chain: planned greedily, and quickly. */
static void test_many_tables(void **state)
{
    Fixture *x = fixture_create();
    Rel *all = table_rel(x, x->users), *last = all;
    for (int i = 1; i < 64; i++) {
        Rel *next = table_rel(x, x->users);
        Expr *on = expr_compare(x->arena, COMPARE_EQ, column(x, last, 1), column(x, next, 1));
        all = join(x, JOIN_INNER, all, next, on);
        last = next;
    }
    const char *printed = plan_text(x, project(x, all, 1));
    assert_null(strstr(printed, "cross join"));
    arena_destroy(x->arena);
}

static void test_condition_that_cannot_hold(void **state)
{
    Fixture *x = fixture_create();
    Rel *users = table_rel(x, x->users);
    Expr *items[2] = {equals_int(x, users, 0, 1), equals_int(x, users, 0, 2)};
    expect(x, rel_filter(x->arena, users, expr_and(x->arena, items, 2)), "• norows\n");
    (void)boolean;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_point_of_primary_key),
        cmocka_unit_test(test_index_join),
        cmocka_unit_test(test_covering_index),
        cmocka_unit_test(test_full_scan_with_filter),
        cmocka_unit_test(test_limit_in_scan),
        cmocka_unit_test(test_nulls_are_read_behind_the_rest),
        cmocka_unit_test(test_bucket_is_computed),
        cmocka_unit_test(test_window_reads_every_bucket),
        cmocka_unit_test(test_newest_rows_merge_streams),
        cmocka_unit_test(test_merge_below_index_join),
        cmocka_unit_test(test_lookup_join),
        cmocka_unit_test(test_hash_join),
        cmocka_unit_test(test_many_tables),
        cmocka_unit_test(test_condition_that_cannot_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
