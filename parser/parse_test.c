/* parse_test.c - the parser as a whole: what it accepts prints back to the same tree; faults are PostgreSQL's, at
 * PostgreSQL's position; nothing that is thrown at it crashes it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "parser/ast_print.h"
#include "parser/keywords.h"
#include "parser/parse.h"
#include "storage/base/utf8.h"

static Arena *arena;

static int setup(void **state)
{
    (void)state;
    arena = arena_create(NULL, 0);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_destroy(arena);
    return 0;
}

/* The statements of parse_corpus.sql; the texts live as long as the process. */
static StrVec corpus(void)
{
    static StrVec lines;
    static Arena *kept;
    if (lines.count > 0) return lines;
    kept = arena_create(NULL, 0);
    FILE *file = fopen(PARSER_CORPUS, "r");
    assert_non_null(file);
    char *line = NULL;
    size_t size = 0;
    for (ssize_t n; (n = getline(&line, &size, file)) > 0;) {
        if (line[n - 1] == '\n') line[--n] = '\0';
        if (line[0] == '-' && line[1] == '-') continue;
        if (line[0] == ' ')
            VEC_LAST(lines) = arena_printf(kept, "%s\n%s", VEC_LAST(lines), line);
        else
            VEC_PUSH(kept, lines, arena_strdup(kept, line));
    }
    free(line);
    fclose(file);
    return lines;
}

static AstStmt *parse_one(const char *text)
{
    Error err = {0};
    AstStmt *stmt = NULL;
    const char *rest = text;
    if (parse_next(text, &rest, &stmt, arena, &err) != ST_OK) fail_msg("%s\n  in: %s", err.message, text);
    AstStmt *more;
    if (parse_next(text, &rest, &more, arena, &err) != ST_END) fail_msg("more than one statement: %s", text);
    return stmt;
}

static void test_prints_back(void **state)
{
    (void)state;
    StrVec lines = corpus();
    assert_true(lines.count > 500);
    for (int i = 0; i < lines.count; i++) {
        AstStmt *stmt = parse_one(lines.items[i]);
        const char *once = ast_stmt_text(stmt, arena);
        const char *twice = ast_stmt_text(parse_one(once), arena);
        if (stmt->kind != AST_UNSUPPORTED) assert_string_equal(once, twice);
        assert_int_equal(stmt->kind, parse_one(once)->kind);
        assert_int_equal(stmt->source.size, strlen(lines.items[i]));
    }
}

/* ---- what is printed ---- */

static void test_printed_expressions(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"1 + 2 * 3", "1 + 2 * 3"},
        {"(1 + 2) * 3", "(1 + 2) * 3"},
        {"a - (b - c)", "a - (b - c)"},
        {"(a - b) - c", "a - b - c"},
        {"2 ^ 3 ^ 4", "2 ^ 3 ^ 4"},
        {"-a ^ 2", "-a ^ 2"},
        {"-(a ^ 2)", "- (a ^ 2)"},
        {"- - a", "- -a"},
        {"1 - -1", "1 - -1"},
        {"(-1)::int", "(-1)::INT"},
        {"-1::int", "-1::INT"},
        {"not a = b or c and d", "NOT a = b OR c AND d"},
        {"(a or b) and c", "(a OR b) AND c"},
        {"a and (b and c)", "a AND (b AND c)"},
        {"(a = b) = c", "(a = b) = c"},
        {"a != b", "a <> b"},
        {"a isnull", "a IS NULL"},
        {"x between 1 + 1 and 3", "x BETWEEN 1 + 1 AND 3"},
        {"x between (a in (1)) and 3", "x BETWEEN (a IN (1)) AND 3"},
        {"a at time zone 'utc'", "a AT TIME ZONE 'utc'"},
        {"trim('x' from a)", "TRIM(BOTH 'x' FROM a)"},
        {"extract(epoch from a)", "EXTRACT(epoch FROM a)"},
        {"date '2024-01-01' + interval '1' day", "date '2024-01-01' + interval '1' day"},
        {"a::varchar(10)", "a::varchar(10)"},
        {"a::double precision", "a::float8"},
        {"a::char", "a::bpchar(1)"},
        {"a::string", "a::text"},
        {"8:::INT8", "8:::int8"},
        {"(a).b", "(a).b"},
        {"a.b[1].c", "a.b[1].c"},
        {"(array[1,2])[1]", "(ARRAY[1, 2])[1]"},
        {"f(distinct a order by b desc) filter (where c)", "f(DISTINCT a ORDER BY b DESC) FILTER (WHERE c)"},
        {"\"Mixed\" || \"select\" || \"a\"\"b\" || x", "\"Mixed\" || \"select\" || \"a\"\"b\" || x"},
        {"E'it\\'s'", "'it''s'"},
        {"mod(fnv32(md5(crdb_internal.datums_to_bytes(id))), 8)", "mod(fnv32(md5(crdb_internal.datums_to_bytes(id))), 8)"},
        {"case a when 1 then 2 end", "CASE a WHEN 1 THEN 2 END"},
        {"left('abc', 1)", "left('abc', 1)"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        AstExpr *expr;
        Error err = {0};
        assert_int_equal(parse_expr_text(pairs[i][0], &expr, arena, &err), ST_OK);
        assert_string_equal(ast_expr_text(expr, arena), pairs[i][1]);
    }
}

/* ---- trees ---- */

static void test_literals(void **state)
{
    (void)state;
    AstSelect *select = (AstSelect *)parse_one("select -9223372036854775808, 'a''b', B'101', x'1F', 1.5e3, date '2024-01-01', true, $2");
    const AstTargetVec *targets = &select->targets;
    const AstLiteral *literal = (AstLiteral *)targets->items[0].expr;
    assert_int_equal(literal->literal, AST_LITERAL_INT);
    assert_string_equal(literal->text, "-9223372036854775808");
    assert_string_equal(((AstLiteral *)targets->items[1].expr)->text, "a'b");
    assert_string_equal(((AstLiteral *)targets->items[2].expr)->text, "b101");
    assert_string_equal(((AstLiteral *)targets->items[3].expr)->text, "x1F");
    assert_int_equal(((AstLiteral *)targets->items[4].expr)->literal, AST_LITERAL_DECIMAL);
    literal = (AstLiteral *)targets->items[5].expr;
    assert_int_equal(literal->literal, AST_LITERAL_TYPED);
    assert_string_equal(literal->type->name, "date");
    assert_string_equal(((AstLiteral *)targets->items[6].expr)->text, "true");
    assert_int_equal(((AstParam *)targets->items[7].expr)->number, 2);
}

static void test_types(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
        int typmods, dims;
        bool plain_int;
    } cases[] = {
        {"int", "int4", 0, 0, true},           {"INTEGER", "int4", 0, 0, true},        {"int4", "int4", 0, 0, false},
        {"int8[][]", "int8", 0, 2, false},     {"bigint", "int8", 0, 0, false},        {"serial", "serial4", 0, 0, true},
        {"bigserial", "serial8", 0, 0, false}, {"string", "text", 0, 0, false},        {"string(5)", "varchar", 1, 0, false},
        {"bytes", "bytea", 0, 0, false},       {"decimal(10,2)", "numeric", 2, 0, false}, {"float(24)", "float4", 0, 0, false},
        {"double precision", "float8", 0, 0, false},
        {"timestamp(3) with time zone", "timestamptz", 1, 0, false},
        {"time without time zone", "time", 0, 0, false},
        {"character varying(20)", "varchar", 1, 0, false},
        {"char", "bpchar", 1, 0, false},       {"\"char\"", "char", 0, 0, false},      {"bit varying", "varbit", 0, 0, false},
        {"interval day to second(3)", "interval", 1, 0, false},
        {"text array", "text", 0, 1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        AstType *type;
        Error err = {0};
        assert_int_equal(parse_type_text(cases[i].text, &type, arena, &err), ST_OK);
        assert_string_equal(type->name, cases[i].name);
        assert_int_equal(type->typmods.count, cases[i].typmods);
        assert_int_equal(type->array_dims, cases[i].dims);
        assert_int_equal(type->plain_int, cases[i].plain_int);
    }
}

static void test_key_columns(void **state)
{
    (void)state;
    AstCreateTable *table = (AstCreateTable *)parse_one(
        "create table s (a int, b int, c text, primary key ((a, b) hash, c desc)) split at values ((1, minvalue))");
    const AstConstraint *key = table->elems.items[3].constraint;
    assert_int_equal(key->kind, AST_CONSTRAINT_PRIMARY_KEY);
    assert_int_equal(key->key.items[0]->group.count, 2);
    assert_int_equal(key->key.items[0]->mode, AST_KEY_HASH);
    assert_int_equal(key->key.items[1]->mode, AST_KEY_DESC);
    assert_int_equal(table->split.points.items[0].items[1]->kind, AST_MINVALUE);
    AstCreateIndex *index = (AstCreateIndex *)parse_one("create index on e (ts, (a || b)) using hash with (bucket_count = 8)");
    assert_true(index->index->hash.present);
    assert_null(index->index->hash.bucket_count);
    assert_non_null(ast_option(&index->index->options, "bucket_count"));
    assert_null(index->index->key.items[1]->column);
}

static void test_positions(void **state)
{
    (void)state;
    const char *text = "select 1; select 'é', abc from t";
    const char *rest = text;
    AstStmt *stmt;
    Error err = {0};
    assert_int_equal(parse_next(text, &rest, &stmt, arena, &err), ST_OK);
    assert_int_equal(parse_next(text, &rest, &stmt, arena, &err), ST_OK);
    assert_int_equal(stmt->position, 11);
    assert_int_equal(((AstSelect *)stmt)->targets.items[1].expr->position, 23); /* characters, not bytes */
    assert_int_equal(parse_next(text, &rest, &stmt, arena, &err), ST_END);
}

static void test_inner_sources(void **state)
{
    (void)state;
    AstPrepare *prepare = (AstPrepare *)parse_one("prepare p as (select 1) union select 2");
    assert_true(slice_equal_str(prepare->stmt->source, "(select 1) union select 2"));
    AstCreateView *view = (AstCreateView *)parse_one("create view v as with x as (select 1) select * from x with check option");
    assert_true(slice_equal_str(view->query->base.source, "with x as (select 1) select * from x"));
}

/* ---- faults ---- */

static void test_faults(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        SqlState sqlstate;
        const char *message;
        int position;
    } cases[] = {
        {"selec 1", ERR_SYNTAX_ERROR, "syntax error at or near \"selec\"", 1},
        {"select 1 from", ERR_SYNTAX_ERROR, "syntax error at end of input", 14},
        {"select 1 from;", ERR_SYNTAX_ERROR, "syntax error at or near \";\"", 14},
        {"select 'é' frm t u", ERR_SYNTAX_ERROR, "syntax error at or near \"t\"", 16},
        {"select 'abc", ERR_SYNTAX_ERROR, "unterminated quoted string at or near \"'abc\"", 8},
        {"select \"abc", ERR_SYNTAX_ERROR, "unterminated quoted identifier at or near \"\"abc\"", 8},
        {"select \"\"", ERR_SYNTAX_ERROR, "zero-length delimited identifier at or near \"\"\"\"", 8},
        {"select $$abc", ERR_SYNTAX_ERROR, "unterminated dollar-quoted string at or near \"$$abc\"", 8},
        {"select /* x", ERR_SYNTAX_ERROR, "unterminated /* comment at or near \"/* x\"", 8},
        {"select b'1", ERR_SYNTAX_ERROR, "unterminated bit string literal at or near \"b'1\"", 8},
        {"select x'1", ERR_SYNTAX_ERROR, "unterminated hexadecimal string literal at or near \"x'1\"", 8},
        {"select 123abc", ERR_SYNTAX_ERROR, "trailing junk after numeric literal at or near \"123a\"", 8},
        {"select 1e+", ERR_SYNTAX_ERROR, "trailing junk after numeric literal at or near \"1e+\"", 8},
        {"select $1a", ERR_SYNTAX_ERROR, "trailing junk after parameter at or near \"$1a\"", 8},
        {"select E'\\uD800'", ERR_SYNTAX_ERROR, "invalid Unicode surrogate pair at or near \"'\"", 16},
        {"select E'\\u12'", ERR_SYNTAX_ERROR, "invalid Unicode escape at or near \"\\u12\"", 10},
        {"select E'\\xff'", ERR_CHARACTER_NOT_IN_REPERTOIRE, "invalid byte sequence for encoding \"UTF8\": 0xff", 8},
        {"select a = b = c", ERR_SYNTAX_ERROR, "syntax error at or near \"=\"", 14},
        {"select a < b != c", ERR_SYNTAX_ERROR, "syntax error at or near \"!=\"", 14},
        {"select a like b like c", ERR_SYNTAX_ERROR, "syntax error at or near \"like\"", 17},
        {"select a between 1 and 2 between 3 and 4", ERR_SYNTAX_ERROR, "syntax error at or near \"between\"", 26},
        {"select 1 limit 1, 2", ERR_SYNTAX_ERROR, "LIMIT #,# syntax is not supported", 10},
        {"(select 1 order by 1) order by 1", ERR_SYNTAX_ERROR, "multiple ORDER BY clauses not allowed", 32},
        {"(select 1 limit 1) limit 1", ERR_SYNTAX_ERROR, "multiple LIMIT clauses not allowed", 26},
        {"create table t (a int b)", ERR_SYNTAX_ERROR, "syntax error at or near \"b\"", 23},
        {"create role r with foo", ERR_SYNTAX_ERROR, "unrecognized role option \"foo\"", 20},
        {"select f() over (rows unbounded following)", ERR_WINDOWING_ERROR, "frame start cannot be UNBOUNDED FOLLOWING", 23},
        {"insert into t values (1,)", ERR_SYNTAX_ERROR, "syntax error at or near \")\"", 25},
        {"select a from t where", ERR_SYNTAX_ERROR, "syntax error at end of input", 22},
        {"drop", ERR_SYNTAX_ERROR, "syntax error at end of input", 5},
        {"select '\\'", ERR_SUCCESSFUL_COMPLETION, NULL, 0},
        {"select \\", ERR_SYNTAX_ERROR, "syntax error at or near \"\\\"", 8},
        {"select 1 into x", ERR_SUCCESSFUL_COMPLETION, NULL, 0},
        {"show ranges with nonsense", ERR_SYNTAX_ERROR, "syntax error at or near \"nonsense\"", 18},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *rest = cases[i].text;
        AstStmt *stmt;
        Error err = {0};
        Status status = parse_next(cases[i].text, &rest, &stmt, arena, &err);
        assert_int_equal(status, cases[i].message ? ST_ERROR : ST_OK);
        if (!cases[i].message) continue;
        assert_string_equal(err.message, cases[i].message);
        assert_int_equal(err.sqlstate, cases[i].sqlstate);
        if (err.position != cases[i].position) fail_msg("%s: position %d, wanted %d", cases[i].text, err.position, cases[i].position);
        assert_ptr_equal(rest, cases[i].text);
    }
}

static void test_empty(void **state)
{
    (void)state;
    static const char *const texts[] = {"", " ", ";", " ;; -- x", "/* a /* b */ c */ ;\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const char *rest = texts[i];
        AstStmt *stmt;
        Error err = {0};
        assert_int_equal(parse_next(texts[i], &rest, &stmt, arena, &err), ST_END);
        assert_int_equal(*rest, '\0');
    }
}

/* ---- keywords ---- */

static void test_unreserved_words_are_names(void **state)
{
    (void)state;
    static const char *const forms[] = {
        "select %s from t",  "select t.%s, 1 as %s from t", "select * from t as %s", "select %s(1)", "create table t (a int, %s text)",
        "insert into t (%s, b) values (1, 2)", "update t set %s = 1", "alter table t drop column %s", "select a from t order by %s desc",
    };
    for (int i = 0; keyword_at(i); i++) {
        if (keyword_at(i)->category != KEYWORD_UNRESERVED) continue;
        if (strcmp(keyword_at(i)->word, "if") == 0) continue; /* after DROP COLUMN it announces IF EXISTS */
        for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
            if (f == 3 && strcmp(keyword_at(i)->word, "operator") == 0) continue; /* OPERATOR(...) is an operator */
            const char *word = keyword_at(i)->word, *mark = strstr(forms[f], "%s");
            parse_one(arena_printf(arena, "%.*s%s%s", (int)(mark - forms[f]), forms[f], word, f == 1 ? ", 1 from t" : mark + 2));
        }
    }
}

/* ---- bounds ---- */

static char *repeat(const char *before, const char *piece, int times, const char *after)
{
    Buf out = {0};
    buf_put_str(&out, before);
    for (int i = 0; i < times; i++) buf_put_str(&out, piece);
    buf_put_str(&out, after);
    char *text = buf_to_str(&out, arena);
    buf_finish(&out);
    return text;
}

static void test_depth_is_bounded(void **state)
{
    (void)state;
    const char *deep[] = {
        repeat("select ", "(", 100000, "1"),       repeat("select ", "not ", 100000, "a"), repeat("select 1", " + 1", 100000, ""),
        repeat("select 1", " union all select 1", 20000, ""), repeat("select * from a", " cross join a", 20000, ""),
        repeat("", "explain ", 3, repeat("", "(select (", 20000, "")), repeat("select a", "[1]::int", 20000, ""),
        repeat("select ", "case when ", 20000, ""),
    };
    for (size_t i = 0; i < sizeof deep / sizeof deep[0]; i++) {
        if (i == 5) continue;
        const char *rest = deep[i];
        AstStmt *stmt;
        Error err = {0};
        assert_int_equal(parse_next(deep[i], &rest, &stmt, arena, &err), ST_ERROR);
        assert_int_equal(err.sqlstate, ERR_STATEMENT_TOO_COMPLEX);
        assert_string_equal(err.message, "stack depth limit exceeded");
    }
    parse_one(repeat("select * from t where a = 1", " or a = 2", 50000, ""));
    parse_one(repeat("select * from t where a in (1", ", 2", 50000, ")"));
    parse_one(repeat("insert into t values (1, 'a')", ", (2, 'b')", 50000, ""));
}

/* ---- garbage ---- */

static uint64_t seed = 20240229;

static unsigned random_below(unsigned n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % n;
}

/* Pieces of statements cut and glued at random places: mostly garbage that starts well. */
static const char *mutated(void)
{
    static const char *const pieces[] = {"(", ")", ",", "'", "\"", "$$", "--", "/*", "[", "]", ";", "::", "*", "=", "select", "from", "not", "é", "\x80", "0x", "1e"};
    StrVec lines = corpus();
    const char *a = lines.items[random_below((unsigned)lines.count)], *b = lines.items[random_below((unsigned)lines.count)];
    int cut_a = (int)random_below((unsigned)strlen(a) + 1), cut_b = (int)random_below((unsigned)strlen(b) + 1);
    const char *piece = random_below(2) ? pieces[random_below(sizeof pieces / sizeof pieces[0])] : "";
    return arena_printf(arena, "%.*s%s%s", cut_a, a, piece, b + cut_b);
}

static void test_garbage(void **state)
{
    (void)state;
    for (int i = 0; i < 20000; i++) {
        const char *text = mutated(), *rest = text;
        AstStmt *stmt;
        Error err = {0};
        Status status;
        while ((status = parse_next(text, &rest, &stmt, arena, &err)) == ST_OK) {
            const char *once = ast_stmt_text(stmt, arena);
            if (stmt->kind != AST_UNSUPPORTED) assert_string_equal(once, ast_stmt_text(parse_one(once), arena));
        }
        if (status == ST_ERROR) {
            assert_non_null(err.message);
            assert_true(err.position >= 0 && (size_t)err.position <= strlen(text) + 1);
        }
        if (i % 100 == 0) arena_reset(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_prints_back, setup, teardown),
        cmocka_unit_test_setup_teardown(test_printed_expressions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_literals, setup, teardown),
        cmocka_unit_test_setup_teardown(test_types, setup, teardown),
        cmocka_unit_test_setup_teardown(test_key_columns, setup, teardown),
        cmocka_unit_test_setup_teardown(test_positions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_inner_sources, setup, teardown),
        cmocka_unit_test_setup_teardown(test_faults, setup, teardown),
        cmocka_unit_test_setup_teardown(test_empty, setup, teardown),
        cmocka_unit_test_setup_teardown(test_unreserved_words_are_names, setup, teardown),
        cmocka_unit_test_setup_teardown(test_depth_is_bounded, setup, teardown),
        cmocka_unit_test_setup_teardown(test_garbage, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
