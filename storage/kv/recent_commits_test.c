/* recent_commits_test.c - what is remembered of groups that began while nobody held a guard. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "storage/kv/recent_commits.h"

static void commit_keys(RecentCommits *recent, uint64_t version, bool guarded, int count)
{
    char key[16];
    recent_commits_begin(recent, version, guarded);
    for (int i = 0; i < count; i++) {
        int size = snprintf(key, sizeof key, "k%06d", i);
        recent_commits_note(recent, slice_of(key, (size_t)size));
    }
    recent_commits_end(recent, true);
}

static bool changed(const RecentCommits *recent, const char *start, const char *end, uint64_t snapshot_version)
{
    KvSpan span = {slice_of(start, strlen(start)), slice_of(end, strlen(end))};
    return recent_commits_changed(recent, &span, snapshot_version);
}

/* A transaction that takes its guard while another one's commit is on its way reads the version before that commit. */
static void test_a_small_group_is_known_to_a_late_guard(void **state)
{
    (void)state;
    RecentCommits *recent = recent_commits_create(1 << 20, 10);
    commit_keys(recent, 11, false, 5);
    assert_false(recent_commits_too_old(recent, 10));
    assert_true(changed(recent, "k000003", "k000004", 10));
    assert_false(changed(recent, "k000005", "k000009", 10));
    assert_false(changed(recent, "k000003", "k000004", 11));
    recent_commits_destroy(recent);
}

static void test_a_large_unguarded_group_is_forgotten(void **state)
{
    (void)state;
    RecentCommits *recent = recent_commits_create(1 << 20, 10);
    commit_keys(recent, 11, false, 5000);
    assert_true(recent_commits_too_old(recent, 10));
    assert_false(recent_commits_too_old(recent, 11));
    commit_keys(recent, 12, true, 5000);
    assert_false(recent_commits_too_old(recent, 11));
    assert_true(changed(recent, "k004999", "k005", 11));
    recent_commits_destroy(recent);
}

static void test_an_undone_group_leaves_nothing(void **state)
{
    (void)state;
    RecentCommits *recent = recent_commits_create(1 << 20, 10);
    recent_commits_begin(recent, 11, false);
    recent_commits_note(recent, slice_of("k", 1));
    recent_commits_end(recent, false);
    assert_false(recent_commits_too_old(recent, 10));
    assert_false(changed(recent, "k", "l", 10));
    recent_commits_destroy(recent);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_small_group_is_known_to_a_late_guard),
        cmocka_unit_test(test_a_large_unguarded_group_is_forgotten),
        cmocka_unit_test(test_an_undone_group_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
