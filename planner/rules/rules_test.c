/* Each rule by its effect: the logical query after all rules, as text. */
#include "planner/bind/bind_fixture.h"

static void put_rel(Fixture *f, const Rel *rel, Buf *out);

static void put_inputs(Fixture *f, const Rel *rel, Buf *out)
{
    for (int i = 0; i < rel->input_count; i++) {
        buf_put_str(out, i ? ", " : " ");
        put_rel(f, rel->inputs[i], out);
    }
}

static const char *join_words(const RelJoin *join)
{
    static const char *const words[] = {[JOIN_INNER] = "join", [JOIN_LEFT] = "left join",  [JOIN_RIGHT] = "right join",
                                        [JOIN_FULL] = "full join", [JOIN_SEMI] = "semi join", [JOIN_ANTI] = "anti join"};
    return words[join->join];
}

/* kind(conditions) inputs. Projections print their expressions. */
static void put_rel(Fixture *f, const Rel *rel, Buf *out)
{
    if (rel->kind == REL_TABLE) {
        buf_put_str(out, ((const RelTable *)rel)->table->base.name);
        return;
    }
    buf_put_str(out, "[");
    if (rel->kind == REL_JOIN) {
        const RelJoin *join = (const RelJoin *)rel;
        buf_put_str(out, join_words(join));
        if (join->condition) buf_printf(out, "(%s)", expr_text(join->condition, f->arena));
    } else if (rel->kind == REL_FILTER) {
        buf_printf(out, "filter(%s)", expr_text(((const RelFilter *)rel)->condition, f->arena));
    } else if (rel->kind == REL_PROJECT) {
        buf_put_str(out, "project(");
        for (int i = 0; i < rel->column_count; i++)
            buf_printf(out, "%s%s", i ? ", " : "", expr_text(((const RelProject *)rel)->exprs[i], f->arena));
        buf_put_str(out, ")");
    } else {
        buf_put_str(out, rel_kind_name(rel->kind));
    }
    put_inputs(f, rel, out);
    buf_put_str(out, "]");
}

typedef struct Case {
    const char *sql, *text;
} Case;

static void test_rules(void **state)
{
    static const Case cases[] = {
        /* fold_constants */
        {"select id from t where id = 1 + 2 and true", "[project(id) [filter(id = 3) t]]"},
        {"select id from t where not (id < 3)", "[project(id) [filter(id >= 3) t]]"},
        {"select id from t where 1 / 0 = 1 or id = 1", "[project(id) [filter(((1 / 0) = 1) OR (id = 1)) t]]"},
        {"select case when true then id else 5 end from t", "[project(id) t]"},
        /* push_filter */
        {"select * from (select id, b from t) s where s.id = 5", "[project(id, b) [filter(id = 5) t]]"},
        {"select t.b from t join u on u.t_id = t.id where u.d = 1 and t.b = 'x'",
         "[project(b) [join(t_id = id) [filter(b = 'x') t], [filter(d = 1) u]]]"},
        {"select * from (select id from t union all select id from u) s where id = 1",
         "[set op [project(id) [filter(id = 1) t]], [project(id) [filter(id = 1) u]]]"},
        {"select * from (select b, count(*) as n from t group by b) s where b = 'x' and n > 1",
         "[project(b, count) [filter(count > 1) [aggregate [filter(b = 'x') t]]]]"},
        {"select * from (select id from t limit 5) s where id = 1",
         "[project(id) [filter(id = 1) [limit t]]]"},
        {"select t.id from t left join u on u.t_id = t.id and u.d = 1 where t.id = 7 and u.d is null",
         "[project(id) [filter(d IS NULL) [left join(t_id = id) [filter(id = 7) t], [filter(d = 1) u]]]]"},
        /* equality_closure */
        {"select t.id from t join u on u.t_id = t.id where t.id = 4",
         "[project(id) [join(t_id = id) [filter(id = 4) t], [filter(t_id = 4) u]]]"},
        /* outer_to_inner */
        {"select t.id from t left join u on u.t_id = t.id where u.d > 3",
         "[project(id) [join(t_id = id) t, [filter(d > 3) u]]]"},
        {"select t.id from t left join u on u.t_id = t.id where coalesce(u.d, 4) > 3",
         "[project(id) [filter(COALESCE(d, 4) > 3) [left join(t_id = id) t, u]]]"},
        /* decorrelate */
        {"select id from t where exists (select 1 from u where u.t_id = t.id and u.d = 2)",
         "[project(id) [semi join(t_id = id) t, [filter(d = 2) u]]]"},
        {"select id from t where not exists (select 1 from u where u.t_id = t.id)",
         "[project(id) [anti join(t_id = id) t, u]]"},
        {"select id from t where id in (select t_id from u where d = 1)",
         "[project(id) [semi join(id = t_id) t, [filter(d = 1) u]]]"},
        {"select id from t where id not in (select t_id from u)", "[project(id) [anti join(id = t_id) t, u]]"},
        {"select id from t where exists (select 1 from u limit 0)",
         "[project(id) [filter(EXISTS (select 1 from u limit 0)) t]]"},
    };
    Fixture *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Binder binder;
        Rel *rel;
        Buf text = {0};
        if (fixture_bind(f, &binder, cases[i].sql, &rel) != ST_OK) fail_msg("%s: %s", cases[i].sql, f->err.message);
        Rewriting r = {&f->session, f->arena, &f->err, binder.next_column};
        assert_int_equal(rules_apply(&r, &rel), ST_OK);
        put_rel(f, rel, &text);
        assert_string_equal(buf_to_str(&text, f->arena), cases[i].text);
        buf_finish(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules)};
    return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
