/* Locks between threads: conflicts, order, deadlocks, patience. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "storage/base/clock.h"
#include "storage/txn/lock.h"

static const LockPatience wait_forever = {LOCK_WAIT, 0, NULL, NULL};
static const LockPatience not_at_all = {LOCK_NOWAIT, 0, NULL, NULL};
static const LockPatience skip = {LOCK_SKIP, 0, NULL, NULL};

/* A thread that asks for one lock. */
typedef struct Asker {
    LockTable *table;
    LockOwner *owner;
    const char *key;
    LockMode mode;
    LockPatience patience;
    Status status;
    Error err;
    bool waited;
    _Atomic bool done;
    pthread_t thread;
} Asker;

static void *ask(void *argument)
{
    Asker *asker = argument;
    asker->status = lock_key(asker->table, asker->owner, slice_str(asker->key), asker->mode, &asker->patience, &asker->waited,
                             &asker->err);
    atomic_store(&asker->done, true);
    return NULL;
}

static void asker_start(Asker *asker, LockTable *table, LockOwner *owner, const char *key, LockMode mode)
{
    *asker = (Asker){.table = table, .owner = owner, .key = key, .mode = mode, .patience = wait_forever};
    assert_int_equal(pthread_create(&asker->thread, NULL, ask, asker), 0);
}

static void asker_join(Asker *asker)
{
    pthread_join(asker->thread, NULL);
}

static Status take(LockTable *table, LockOwner *owner, const char *key, LockMode mode, const LockPatience *patience, Error *err)
{
    bool waited;
    return lock_key(table, owner, slice_str(key), mode, patience, &waited, err);
}

static Status take_table(LockTable *table, LockOwner *owner, uint32_t id, TableLockMode mode, const LockPatience *patience, Error *err)
{
    return lock_table_id(table, owner, id, mode, patience, err);
}

static void assert_taken(LockTable *table, LockOwner *owner, const char *key, LockMode mode)
{
    Error err;
    assert_int_equal(take(table, owner, key, mode, &not_at_all, &err), ST_OK);
}

static void test_conflicts(void **state)
{
    static const bool expected[4][4] = {{0, 0, 0, 1}, {0, 0, 1, 1}, {0, 1, 1, 1}, {1, 1, 1, 1}};
    LockTable *table = lock_table_create();
    LockOwner *a = lock_owner_create(table), *b = lock_owner_create(table);
    Error err;
    for (int held = 0; held < 4; held++)
        for (int asked = 0; asked < 4; asked++) {
            assert_taken(table, a, "k", (LockMode)held);
            Status status = take(table, b, "k", (LockMode)asked, &skip, &err);
            assert_int_equal(status, expected[held][asked] ? ST_END : ST_OK);
            status = take(table, b, "k", (LockMode)asked, &not_at_all, &err);
            assert_int_equal(status, expected[held][asked] ? ST_ERROR : ST_OK);
            if (status == ST_ERROR) assert_int_equal(err.sqlstate, ERR_LOCK_NOT_AVAILABLE);
            lock_release_all(table, a);
            lock_release_all(table, b);
        }
    lock_owner_destroy(a);
    lock_owner_destroy(b);
    lock_table_destroy(table);
}

/* PostgreSQL's table of table-level lock conflicts. */
static void test_table_conflicts(void **state)
{
    static const char *const expected[8] = {".......x", "......xx", "....xxxx", "...xxxxx",
                                            "..xx.xxx", "..xxxxxx", ".xxxxxxx", "xxxxxxxx"};
    LockTable *table = lock_table_create();
    LockOwner *a = lock_owner_create(table), *b = lock_owner_create(table);
    Error err;
    for (int held = 0; held < 8; held++)
        for (int asked = 0; asked < 8; asked++) {
            assert_int_equal(take_table(table, a, 106, (TableLockMode)held, &not_at_all, &err), ST_OK);
            Status status = take_table(table, b, 106, (TableLockMode)asked, &not_at_all, &err);
            assert_int_equal(status, expected[held][asked] == 'x' ? ST_ERROR : ST_OK);
            lock_release_all(table, a);
            lock_release_all(table, b);
        }
    lock_owner_destroy(a);
    lock_owner_destroy(b);
    lock_table_destroy(table);
}

static void test_many_locks(void **state)
{
    enum { MANY = 20000 };
    LockTable *table = lock_table_create();
    LockOwner *a = lock_owner_create(table), *b = lock_owner_create(table);
    char key[16];
    Error err;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < MANY; i++) {
            snprintf(key, sizeof key, "key%d", i);
            assert_taken(table, i % 3 ? a : b, key, LOCK_UPDATE);
            assert_taken(table, i % 3 ? a : b, key, LOCK_UPDATE);
        }
        assert_int_equal(lock_count(a) + lock_count(b), MANY);
        lock_release_all(table, a);
        for (int i = 0; i < MANY; i++) {
            snprintf(key, sizeof key, "key%d", i);
            assert_int_equal(take(table, a, key, LOCK_UPDATE, &skip, &err), i % 3 ? ST_OK : ST_END);
        }
        lock_release_all(table, a);
        lock_release_all(table, b);
    }
    lock_owner_destroy(a);
    lock_owner_destroy(b);
    lock_table_destroy(table);
}

/* Beyond a number of locks an owner's are kept as marks: they exclude as others do, are waited for, and end with it. */
static void test_very_many_locks(void **state)
{
    enum { MANY = 100000 };
    LockTable *table = lock_table_create();
    LockOwner *a = lock_owner_create(table), *b = lock_owner_create(table), *c = lock_owner_create(table);
    char key[16];
    Error err;
    Asker asker;
    for (int i = 0; i < MANY; i++) {
        snprintf(key, sizeof key, "key%d", i);
        assert_taken(table, i % 2 ? a : b, key, LOCK_UPDATE);
    }
    assert_true(lock_count(a) < MANY / 2);
    for (int i = 0; i < MANY; i++) {
        snprintf(key, sizeof key, "key%d", i);
        assert_taken(table, i % 2 ? a : b, key, LOCK_KEY_SHARE);
        assert_int_equal(take(table, c, key, LOCK_KEY_SHARE, &skip, &err), ST_END);
        assert_int_equal(take(table, i % 2 ? b : a, key, LOCK_UPDATE, &skip, &err), ST_END);
        snprintf(key, sizeof key, "other%d", i);
        assert_taken(table, c, key, LOCK_KEY_SHARE);
        assert_int_equal(take(table, a, key, LOCK_UPDATE, &skip, &err), ST_END);
    }
    lock_release_all(table, c);
    asker_start(&asker, table, c, "key99999", LOCK_UPDATE);
    usleep(20000);
    assert_false(atomic_load(&asker.done));
    lock_release_all(table, a);
    asker_join(&asker);
    assert_int_equal(asker.status, ST_OK);
    assert_true(asker.waited);
    for (int i = 0; i < MANY - 1; i++) {
        snprintf(key, sizeof key, "key%d", i);
        assert_int_equal(take(table, c, key, LOCK_UPDATE, &skip, &err), i % 2 ? ST_OK : ST_END);
    }
    lock_release_all(table, b);
    lock_release_all(table, c);
    lock_owner_destroy(a);
    lock_owner_destroy(b);
    lock_owner_destroy(c);
    lock_table_destroy(table);
}

static void test_waits_in_order(void **state)
{
    LockTable *table = lock_table_create();
    LockOwner *holder = lock_owner_create(table), *writer = lock_owner_create(table), *reader = lock_owner_create(table);
    Asker first, second;
    assert_taken(table, holder, "k", LOCK_SHARE);
    asker_start(&first, table, writer, "k", LOCK_UPDATE);
    usleep(30000);
    /* A share would fit beside the holder, but not before the writer that waits already. */
    asker_start(&second, table, reader, "k", LOCK_SHARE);
    usleep(30000);
    assert_false(atomic_load(&first.done));
    assert_false(atomic_load(&second.done));
    lock_release_all(table, holder);
    asker_join(&first);
    assert_int_equal(first.status, ST_OK);
    assert_true(first.waited);
    usleep(20000);
    assert_false(atomic_load(&second.done));
    lock_release_all(table, writer);
    asker_join(&second);
    assert_int_equal(second.status, ST_OK);
    lock_release_all(table, reader);
    lock_owner_destroy(holder);
    lock_owner_destroy(writer);
    lock_owner_destroy(reader);
    lock_table_destroy(table);
}

static void test_deadlock(void **state)
{
    LockTable *table = lock_table_create();
    LockOwner *owners[3];
    Asker askers[2];
    Error err;
    static const char *const keys[] = {"a", "b", "c"};
    for (int i = 0; i < 3; i++) {
        owners[i] = lock_owner_create(table);
        assert_taken(table, owners[i], keys[i], LOCK_UPDATE);
    }
    for (int i = 0; i < 2; i++) asker_start(&askers[i], table, owners[i], keys[i + 1], LOCK_UPDATE);
    usleep(50000);
    assert_int_equal(take(table, owners[2], "a", LOCK_UPDATE, &wait_forever, &err), ST_ERROR);
    assert_int_equal(err.sqlstate, ERR_DEADLOCK_DETECTED);
    assert_string_equal(err.message, "deadlock detected");
    for (int i = 2; i >= 0; i--) {
        lock_release_all(table, owners[i]);
        if (i == 0) break;
        asker_join(&askers[i - 1]);
        assert_int_equal(askers[i - 1].status, ST_OK);
    }
    for (int i = 0; i < 3; i++) lock_owner_destroy(owners[i]);
    lock_table_destroy(table);
}

/* Two that share a lock and both want it whole. */
static void test_upgrade_deadlock(void **state)
{
    LockTable *table = lock_table_create();
    LockOwner *a = lock_owner_create(table), *b = lock_owner_create(table);
    Asker asker;
    Error err;
    assert_taken(table, a, "k", LOCK_SHARE);
    assert_taken(table, b, "k", LOCK_SHARE);
    asker_start(&asker, table, a, "k", LOCK_UPDATE);
    usleep(30000);
    assert_int_equal(take(table, b, "k", LOCK_UPDATE, &wait_forever, &err), ST_ERROR);
    assert_int_equal(err.sqlstate, ERR_DEADLOCK_DETECTED);
    lock_release_all(table, b);
    asker_join(&asker);
    assert_int_equal(asker.status, ST_OK);
    lock_release_all(table, a);
    lock_owner_destroy(a);
    lock_owner_destroy(b);
    lock_table_destroy(table);
}

/* Weak table locks are their owner's own affair until somebody wants a strong one, who then waits for them. */
typedef struct TableAsker {
    LockTable *table;
    LockOwner *owner;
    Status status;
    Error err;
    _Atomic bool done;
} TableAsker;

static void *ask_exclusive(void *argument)
{
    TableAsker *asker = argument;
    asker->status = take_table(asker->table, asker->owner, 107, TABLE_ACCESS_EXCLUSIVE, &wait_forever, &asker->err);
    atomic_store(&asker->done, true);
    return NULL;
}

static void test_weak_and_strong(void **state)
{
    LockTable *table = lock_table_create();
    LockOwner *reader = lock_owner_create(table), *writer = lock_owner_create(table), *ddl = lock_owner_create(table);
    TableAsker asker = {.table = table, .owner = ddl};
    pthread_t thread;
    Error err;
    for (uint32_t id = 100; id < 200; id++) {
        assert_int_equal(take_table(table, reader, id, TABLE_ACCESS_SHARE, &not_at_all, &err), ST_OK);
        assert_int_equal(take_table(table, writer, id, TABLE_ROW_EXCLUSIVE, &not_at_all, &err), ST_OK);
    }
    assert_int_equal(pthread_create(&thread, NULL, ask_exclusive, &asker), 0);
    usleep(30000);
    assert_false(atomic_load(&asker.done));
    /* Who comes later stands behind the one that waits. */
    assert_int_equal(take_table(table, writer, 300, TABLE_ACCESS_SHARE, &not_at_all, &err), ST_OK);
    LockOwner *late = lock_owner_create(table);
    assert_int_equal(take_table(table, late, 107, TABLE_ACCESS_SHARE, &not_at_all, &err), ST_ERROR);
    lock_release_all(table, reader);
    usleep(30000);
    assert_false(atomic_load(&asker.done));
    lock_release_all(table, writer);
    pthread_join(thread, NULL);
    assert_int_equal(asker.status, ST_OK);
    assert_int_equal(take_table(table, late, 107, TABLE_ACCESS_SHARE, &not_at_all, &err), ST_ERROR);
    assert_int_equal(take_table(table, late, 108, TABLE_ACCESS_SHARE, &not_at_all, &err), ST_OK);
    lock_release_all(table, ddl);
    assert_int_equal(take_table(table, late, 107, TABLE_ACCESS_SHARE, &not_at_all, &err), ST_OK);
    lock_release_all(table, late);
    lock_owner_destroy(reader);
    lock_owner_destroy(writer);
    lock_owner_destroy(ddl);
    lock_owner_destroy(late);
    lock_table_destroy(table);
}

/* Going back to a mark frees what was taken since, modes that were added to older locks included. */
static void test_marks(void **state)
{
    enum { MANY = 1500 };
    LockTable *table = lock_table_create();
    LockOwner *a = lock_owner_create(table), *b = lock_owner_create(table);
    char key[16];
    Error err;
    assert_taken(table, a, "kept", LOCK_KEY_SHARE);
    assert_int_equal(take_table(table, a, 1, TABLE_ACCESS_SHARE, &not_at_all, &err), ST_OK);
    LockMark mark = lock_mark(a);
    assert_taken(table, a, "kept", LOCK_UPDATE);
    for (int i = 0; i < MANY; i++) {
        snprintf(key, sizeof key, "key%d", i);
        assert_taken(table, a, key, LOCK_UPDATE);
    }
    assert_int_equal(take_table(table, a, 1, TABLE_EXCLUSIVE, &not_at_all, &err), ST_OK);
    assert_int_equal(take_table(table, a, 2, TABLE_ROW_EXCLUSIVE, &not_at_all, &err), ST_OK);
    assert_int_equal(take(table, b, "kept", LOCK_KEY_SHARE, &skip, &err), ST_END);
    lock_release_to(table, a, mark);
    assert_int_equal(take(table, b, "kept", LOCK_UPDATE, &skip, &err), ST_END);
    assert_taken(table, b, "kept", LOCK_NO_KEY_UPDATE);
    for (int i = 0; i < MANY; i++) {
        snprintf(key, sizeof key, "key%d", i);
        assert_taken(table, b, key, LOCK_UPDATE);
    }
    assert_int_equal(take_table(table, b, 1, TABLE_EXCLUSIVE, &not_at_all, &err), ST_OK);
    assert_int_equal(take_table(table, b, 1, TABLE_ACCESS_EXCLUSIVE, &not_at_all, &err), ST_ERROR);
    assert_int_equal(take_table(table, b, 2, TABLE_ACCESS_EXCLUSIVE, &not_at_all, &err), ST_OK);
    lock_release_all(table, a);
    lock_release_all(table, b);
    lock_owner_destroy(a);
    lock_owner_destroy(b);
    lock_table_destroy(table);
}

static void test_session_locks(void **state)
{
    LockTable *table = lock_table_create();
    LockSession *one = lock_session_create(table, 1), *two = lock_session_create(table, 2);
    LockOwner *a = lock_owner_create(table), *b = lock_owner_create(table);
    AdvisoryKey key = {5, 0, 42, 1}, other = {5, 0, 42, 2};
    Error err;
    lock_owner_begin(a, one, 11);
    lock_owner_begin(b, two, 12);
    for (int i = 0; i < 2; i++) assert_int_equal(lock_session_take(one, &key, false, &not_at_all, &err), ST_OK);
    /* A session is not in the way of its own transaction. */
    assert_int_equal(lock_advisory(table, a, &key, false, &not_at_all, &err), ST_OK);
    assert_int_equal(lock_advisory(table, b, &key, true, &skip, &err), ST_END);
    assert_int_equal(lock_advisory(table, b, &other, false, &skip, &err), ST_OK);
    assert_true(lock_session_give_back(one, &key, false));
    assert_false(lock_session_give_back(one, &key, true));
    lock_release_all(table, a);
    assert_int_equal(lock_advisory(table, b, &key, true, &skip, &err), ST_END);
    assert_true(lock_session_give_back(one, &key, false));
    assert_false(lock_session_give_back(one, &key, false));
    assert_int_equal(lock_advisory(table, b, &key, true, &skip, &err), ST_OK);
    assert_int_equal(lock_session_take(one, &key, true, &not_at_all, &err), ST_OK);
    lock_session_give_back_all(one);
    lock_release_all(table, b);
    lock_owner_destroy(a);
    lock_owner_destroy(b);
    lock_session_destroy(one);
    lock_session_destroy(two);
    lock_table_destroy(table);
}

/* The circle goes through a lock that a session holds and one that its transaction waits for. */
static void test_deadlock_of_sessions(void **state)
{
    LockTable *table = lock_table_create();
    LockSession *one = lock_session_create(table, 7), *two = lock_session_create(table, 8);
    LockOwner *a = lock_owner_create(table), *b = lock_owner_create(table);
    AdvisoryKey key = {5, 0, 42, 1};
    Arena *arena = arena_create(NULL, 0);
    LockPatience patience = {LOCK_WAIT, 0, NULL, arena};
    Asker asker;
    Error err;
    lock_owner_begin(a, one, 11);
    lock_owner_begin(b, two, 12);
    assert_int_equal(lock_session_take(one, &key, false, &not_at_all, &err), ST_OK);
    assert_taken(table, b, "k", LOCK_UPDATE);
    asker_start(&asker, table, a, "k", LOCK_SHARE);
    usleep(30000);
    uint64_t *blockers;
    assert_int_equal(lock_blockers(table, 7, &blockers, arena), 1);
    assert_int_equal(blockers[0], 8);
    assert_int_equal(lock_session_take(two, &key, true, &patience, &err), ST_ERROR);
    assert_int_equal(err.sqlstate, ERR_DEADLOCK_DETECTED);
    assert_string_equal(err.detail, "Process 8 waits for ShareLock on advisory lock [5,0,42,1]; blocked by process 7.\n"
                                    "Process 7 waits for ShareLock on transaction 12; blocked by process 8.");
    lock_release_all(table, b);
    asker_join(&asker);
    assert_int_equal(asker.status, ST_OK);
    lock_release_all(table, a);
    lock_owner_destroy(a);
    lock_owner_destroy(b);
    lock_session_destroy(one);
    lock_session_destroy(two);
    lock_table_destroy(table);
    arena_destroy(arena);
}

static void test_patience_ends(void **state)
{
    LockTable *table = lock_table_create();
    LockOwner *a = lock_owner_create(table), *b = lock_owner_create(table);
    Interrupt interrupt = {0};
    Error err;
    assert_taken(table, a, "k", LOCK_UPDATE);
    LockPatience some = {LOCK_WAIT, 30, NULL, NULL}, interrupted = {LOCK_WAIT, 0, &interrupt, NULL};
    uint64_t start = clock_monotonic_ns();
    assert_int_equal(take(table, b, "k", LOCK_UPDATE, &some, &err), ST_ERROR);
    assert_true(clock_monotonic_ns() - start >= 30000000u);
    assert_int_equal(err.sqlstate, ERR_LOCK_NOT_AVAILABLE);
    assert_string_equal(err.message, "canceling statement due to lock timeout");
    interrupt_raise(&interrupt, INTERRUPT_CANCEL);
    assert_int_equal(take(table, b, "k", LOCK_UPDATE, &interrupted, &err), ST_ERROR);
    assert_int_equal(err.sqlstate, ERR_QUERY_CANCELED);
    lock_release_all(table, a);
    assert_taken(table, b, "k", LOCK_UPDATE);
    lock_release_all(table, b);
    lock_owner_destroy(a);
    lock_owner_destroy(b);
    lock_table_destroy(table);
}

/* Threads take random locks in random order; every deadlock must be found, and at the end all are free. */
enum { THREADS = 6, ROUNDS = 150 };

typedef struct Fighter {
    LockTable *table;
    _Atomic int *inside; /* per key: exclusive holders */
    uint64_t seed;
    int deadlocks;
    bool failed;
    pthread_t thread;
} Fighter;

static void *fight(void *argument)
{
    Fighter *fighter = argument;
    LockOwner *owner = lock_owner_create(fighter->table);
    LockPatience patience = {LOCK_WAIT, 10000, NULL, NULL};
    for (int round = 0; round < ROUNDS && !fighter->failed; round++) {
        bool mine[5] = {false};
        for (int n = 0; n < 3; n++) {
            fighter->seed = fighter->seed * 6364136223846793005u + 1442695040888963407u;
            int k = (int)((fighter->seed >> 33) % 5);
            char key[2] = {(char)('a' + k), 0};
            Error err;
            Status status = take(fighter->table, owner, key, (fighter->seed >> 50) % 4 ? LOCK_UPDATE : LOCK_SHARE, &patience, &err);
            if (status != ST_OK) {
                fighter->deadlocks++;
                fighter->failed |= err.sqlstate != ERR_DEADLOCK_DETECTED;
                break;
            }
            if (!mine[k] && (fighter->seed >> 50) % 4) {
                mine[k] = true;
                fighter->failed |= atomic_fetch_add(&fighter->inside[k], 1) != 0;
            }
        }
        for (int k = 0; k < 5; k++)
            if (mine[k]) atomic_fetch_sub(&fighter->inside[k], 1);
        lock_release_all(fighter->table, owner);
    }
    lock_owner_destroy(owner);
    return NULL;
}

static void test_fight(void **state)
{
    LockTable *table = lock_table_create();
    Fighter fighters[THREADS];
    _Atomic int inside[5] = {0};
    for (int i = 0; i < THREADS; i++) {
        fighters[i] = (Fighter){.table = table, .inside = inside, .seed = (uint64_t)i * 977 + 1};
        assert_int_equal(pthread_create(&fighters[i].thread, NULL, fight, &fighters[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(fighters[i].thread, NULL);
        assert_false(fighters[i].failed);
    }
    lock_table_destroy(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conflicts),      cmocka_unit_test(test_table_conflicts),
        cmocka_unit_test(test_many_locks), cmocka_unit_test(test_very_many_locks),
        cmocka_unit_test(test_waits_in_order),
        cmocka_unit_test(test_deadlock),       cmocka_unit_test(test_upgrade_deadlock),
        cmocka_unit_test(test_patience_ends),  cmocka_unit_test(test_fight),
        cmocka_unit_test(test_weak_and_strong), cmocka_unit_test(test_marks),
        cmocka_unit_test(test_session_locks),  cmocka_unit_test(test_deadlock_of_sessions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
