/* Settings: texts in and out, faults, and what transactions undo. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "planner/session.h"
#include "planner/settings.h"

typedef struct Fixture {
    Session session;
    Error err;
} Fixture;

static int open_session(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    Fixture *f = ARENA_NEW(arena, Fixture);
    f->session = (Session){.arena = arena, .user = "postgres", .database = "postgres", .type_env = type_env_default};
    f->session.settings = settings_create(arena);
    *state = f;
    return 0;
}

static int close_session(void **state)
{
    arena_destroy(((Fixture *)*state)->session.arena);
    return 0;
}

static void test_texts(void **state)
{
    static const struct {
        const char *name, *text, *shown;
    } good[] = {
        {"statement_timeout", "5s", "5s"},       {"statement_timeout", "1500", "1500ms"},
        {"statement_timeout", "0.5s", "500ms"},  {"statement_timeout", "90min", "90min"},
        {"statement_timeout", NULL, "0"},        {"work_mem", "1.5MB", "1536kB"},
        {"DateStyle", "german", "German, DMY"},  {"datestyle", "iso, ymd", "ISO, YMD"},
        {"enable_sort", "0", "off"},             {"enable_sort", "tr", "on"},
        {"synchronous_commit", "true", "on"},    {"client_min_messages", "Warning", "warning"},
        {"client_encoding", "utf-8", "UTF8"},    {"my.own", "anything", "anything"},
        {"timezone", "utc", "UTC"},              {"search_path", "\"a b\", c", "\"a b\", c"},
    };
    Fixture *f = *state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        if (settings_set_name(&f->session, good[i].name, good[i].text, false, &f->err) != ST_OK)
            fail_msg("%s = %s: %s", good[i].name, good[i].text, f->err.message);
        assert_string_equal(settings_show(&f->session, good[i].name, &f->err), good[i].shown);
    }
    assert_int_equal(f->session.type_env.date_order, DATE_YMD);
}

static void test_faults(void **state)
{
    static const struct {
        const char *name, *text, *code, *message;
    } bad[] = {
        {"nope", "1", "42704", "unrecognized configuration parameter \"nope\""},
        {"server_version", "1", "55P02", "parameter \"server_version\" cannot be changed"},
        {"statement_timeout", "abc", "22023", "invalid value for parameter \"statement_timeout\": \"abc\""},
        {"statement_timeout", "-1", "22023", "-1 ms is outside the valid range for parameter \"statement_timeout\" (0 .. 2147483647)"},
        {"enable_sort", "maybe", "22023", "parameter \"enable_sort\" requires a Boolean value"},
        {"intervalstyle", "x", "22023", "invalid value for parameter \"intervalstyle\": \"x\""},
        {"timezone", "Nowhere/At_All", "22023", "invalid value for parameter \"TimeZone\": \"Nowhere/At_All\""},
        {"datestyle", "xx", "22023", "invalid value for parameter \"DateStyle\": \"xx\""},
    };
    Fixture *f = *state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(settings_set_name(&f->session, bad[i].name, bad[i].text, false, &f->err), ST_ERROR);
        assert_string_equal(sqlstate_code(f->err.sqlstate), bad[i].code);
        assert_string_equal(f->err.message, bad[i].message);
    }
}

static void set(Fixture *f, const char *text, bool is_local)
{
    assert_int_equal(settings_set_name(&f->session, "work_mem", text, is_local, &f->err), ST_OK);
}

static void assert_shown(Fixture *f, const char *text)
{
    assert_string_equal(settings_show(&f->session, "work_mem", &f->err), text);
}

static void test_transactions(void **state)
{
    Fixture *f = *state;
    set(f, "1MB", false);
    settings_commit(&f->session);
    int mark = settings_mark(f->session.settings);
    set(f, "2MB", false);
    set(f, "3MB", true);
    assert_shown(f, "3MB");
    settings_commit(&f->session); /* the local value goes, the other stays */
    assert_shown(f, "2MB");
    set(f, "4MB", true);
    set(f, "5MB", false);
    settings_commit(&f->session); /* a plain SET behind a local one stays */
    assert_shown(f, "5MB");
    mark = settings_mark(f->session.settings);
    set(f, "6MB", false);
    settings_rollback(&f->session, mark);
    assert_shown(f, "5MB");
}

static void test_reports(void **state)
{
    Fixture *f = *state;
    const char *value, *name;
    while ((name = settings_next_report(f->session.settings, &value)) != NULL) assert_non_null(value);
    assert_int_equal(settings_set_name(&f->session, "application_name", "caf\xc3\xa9", false, &f->err), ST_OK);
    assert_string_equal(settings_next_report(f->session.settings, &value), "application_name");
    assert_string_equal(value, "caf??");
    assert_null(settings_next_report(f->session.settings, &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_texts, open_session, close_session),
        cmocka_unit_test_setup_teardown(test_faults, open_session, close_session),
        cmocka_unit_test_setup_teardown(test_transactions, open_session, close_session),
        cmocka_unit_test_setup_teardown(test_reports, open_session, close_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
