/* The binder over whole statements: result types, faults as PostgreSQL words them, parameters. */
#include "planner/bind/bind_fixture.h"

/* ---- what a query returns ---- */

typedef struct Shape {
    const char *sql, *columns;
} Shape;

static const char *columns_text(Fixture *f, const Rel *rel)
{
    Buf text = {0};
    for (int i = 0; i < rel->column_count; i++)
        buf_printf(&text, "%s%s %s", i ? ", " : "", rel->columns[i].name, type_format(rel->columns[i].type, f->arena));
    const char *copy = buf_to_str(&text, f->arena);
    buf_finish(&text);
    return copy;
}

static void test_shapes(void **state)
{
    static const Shape shapes[] = {
        {"select 1, 'a', 1.5, null", "?column? integer, ?column? text, ?column? numeric, ?column? text"},
        {"select 3000000000, 12345678901234567890", "?column? bigint, ?column? numeric"},
        {"select * from t", "id integer, a bigint, b text, c timestamp with time zone, v character varying(20)"},
        {"select t.a as x, lower(b) from t", "x bigint, lower text"},
        {"select id + 1, a + id from t", "?column? integer, ?column? bigint"},
        {"select '2024-01-01'::date + 1", "?column? date"},
        {"select abs('1'), abs(2)", "abs double precision, abs integer"},
        {"select case when true then 1 else 2.5 end, coalesce(null, 1)", "case numeric, coalesce integer"},
        {"select array[1, 2], array_append('{1}', 2)", "array integer[], array_append integer[]"},
        {"select count(*), sum(id), sum(a) from t", "count bigint, sum bigint, sum numeric"},
        {"select row_number() over (), lag(b) over (order by id) from t", "row_number bigint, lag text"},
        {"select 1 as x union select 2.5", "x numeric"},
        {"select null union select 1", "?column? integer"},
        {"values (1, 'a'), (2, null)", "column1 integer, column2 text"},
        {"select id from t join u using (id)", "id integer"},
        {"select * from t full join u using (id)",
         "id integer, a bigint, b text, c timestamp with time zone, v character varying(20), t_id integer, x numeric, d smallint"},
        {"with q as (select id from t) select q.id, r.id as other from q, q r", "id integer, other integer"},
        {"with recursive n(i) as (select 1 union all select i + 1 from n) select * from n", "i integer"},
        {"select exists (select 1), (select a from t), array(select id from t)", "exists boolean, a bigint, array integer[]"},
        {"select generate_series(1, 2)", "generate_series integer"},
        {"select g from generate_series(1, 2) g", "g integer"},
        {"select * from generate_series(1, 2) with ordinality as s(n, i)", "n integer, i bigint"},
        {"insert into t (id) values (1) returning id, b", "id integer, b text"},
        {"insert into t select 1", ""},
        {"update t set b = 'x' returning *",
         "id integer, a bigint, b text, c timestamp with time zone, v character varying(20)"},
        {"delete from t using u where u.t_id = t.id returning u.x", "x numeric"},
    };
    Fixture *f = *state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        Binder binder;
        Rel *rel;
        Status status = fixture_bind(f, &binder, shapes[i].sql, &rel);
        if (status != ST_OK) fail_msg("%s: %s", shapes[i].sql, f->err.message);
        assert_string_equal(columns_text(f, rel), shapes[i].columns);
    }
}

/* ---- faults ---- */

typedef struct Fault {
    const char *sql, *code, *message;
    int position;
} Fault;

static void test_faults(void **state)
{
    static const Fault faults[] = {
        {"select * from nope", "42P01", "relation \"nope\" does not exist", 15},
        {"select nam from t", "42703", "column \"nam\" does not exist", 8},
        {"select x.id from t", "42P01", "missing FROM-clause entry for table \"x\"", 8},
        {"select t.nam from t", "42703", "column t.nam does not exist", 8},
        {"select id from t, u", "42702", "column reference \"id\" is ambiguous", 8},
        {"select * from t, t", "42712", "table name \"t\" specified more than once", 0},
        {"select lower(1)", "42883", "function lower(integer) does not exist", 8},
        {"select 1 = 'a'::text", "42883", "operator does not exist: integer = text", 10},
        {"select 'a' + 'b'", "42725", "operator is not unique: unknown + unknown", 12},
        {"select 'abc'::int4", "22P02", "invalid input syntax for type integer: \"abc\"", 8},
        {"select 1 where 5", "42804", "argument of WHERE must be type boolean, not type integer", 16},
        {"select id, count(*) from t", "42803",
         "column \"t.id\" must appear in the GROUP BY clause or be used in an aggregate function", 8},
        {"select 1 from t where sum(id) > 1", "42803", "aggregate functions are not allowed in WHERE", 23},
        {"select sum(sum(id)) from t", "42803", "aggregate function calls cannot be nested", 12},
        {"select (select id) from t group by b", "42803", "subquery uses ungrouped column \"t.id\" from outer query", 9},
        {"select 1 from t where row_number() over () = 1", "42P20", "window functions are not allowed in WHERE", 23},
        {"select 1 from t where generate_series(1, 2) = 1", "0A000", "set-returning functions are not allowed in WHERE",
         23},
        {"select 1 order by 2", "42P10", "ORDER BY position 2 is not in select list", 19},
        {"select distinct id from t order by b", "42P10",
         "for SELECT DISTINCT, ORDER BY expressions must appear in select list", 36},
        {"select 1 union select now()", "42804", "UNION types integer and timestamp with time zone cannot be matched", 23},
        {"select 1, 2 union select 1", "42601", "each UNION query must have the same number of columns", 26},
        {"select 1 in (select 1, 2)", "42601", "subquery has too many columns", 10},
        {"select id from t limit id", "42P10", "argument of LIMIT must not contain variables", 24},
        {"insert into t (nope) values (1)", "42703", "column \"nope\" of relation \"t\" does not exist", 16},
        {"insert into t (id) values (1, 2)", "42601", "INSERT has more expressions than target columns", 31},
        {"insert into t (id, a) values (1)", "42601", "INSERT has more target columns than expressions", 20},
        {"insert into t (id) values (now())", "42804",
         "column \"id\" is of type integer but expression is of type timestamp with time zone", 28},
        {"insert into t values (1) on conflict (b) do nothing", "42P10",
         "there is no unique or exclusion constraint matching the ON CONFLICT specification", 0},
        {"update t set id = 1, id = 2", "42601", "multiple assignments to same column \"id\"", 0},
        {"with recursive n as (select * from n) select 1", "42P19",
         "recursive query \"n\" does not have the form non-recursive-term UNION [ALL] recursive-term", 16},
        {"select * from t for update of x", "42P01", "relation \"x\" in FOR UPDATE clause not found in FROM clause", 31},
    };
    Fixture *f = *state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        Binder binder;
        Rel *rel;
        if (fixture_bind(f, &binder, faults[i].sql, &rel) == ST_OK) fail_msg("%s: no error", faults[i].sql);
        assert_string_equal(f->err.message, faults[i].message);
        assert_string_equal(sqlstate_code(f->err.sqlstate), faults[i].code);
        if (f->err.position != faults[i].position)
            fail_msg("%s: at %d, not %d", faults[i].sql, f->err.position, faults[i].position);
    }
}

/* ---- parameters ---- */

static void test_parameters(void **state)
{
    static const Shape uses[] = {
        {"select id from t where id = $1 and b = $2", "integer, text"},
        {"select $1", "text"},
        {"insert into t (id, c, v) values ($1, $2, $3)", "integer, timestamp with time zone, character varying"},
        {"select id from t limit $1", "bigint"},
        {"select id from t where id in ($1, $2)", "integer, integer"},
        {"select id from t where id = any($1)", "integer[]"},
        {"select $1::date, $2 + 1", "date, integer"},
        {"select id from t where b like 'x' || $1", "text"},
    };
    Fixture *f = *state;
    for (size_t i = 0; i < sizeof uses / sizeof uses[0] - 1; i++) {
        Binder binder;
        Rel *rel;
        if (fixture_bind(f, &binder, uses[i].sql, &rel) != ST_OK) fail_msg("%s: %s", uses[i].sql, f->err.message);
        const char *types = "";
        for (int p = 0; p < binder.params.count; p++)
            types = arena_printf(f->arena, "%s%s%s", types, p ? ", " : "", type_format(binder.params.items[p], f->arena));
        assert_string_equal(types, uses[i].columns);
    }
    Binder binder;
    Rel *rel;
    assert_int_equal(fixture_bind(f, &binder, "select $1::int4, $1::text", &rel), ST_OK);
    assert_int_equal(binder.params.items[0].oid, OID_INT4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_parameters),
    };
    return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
