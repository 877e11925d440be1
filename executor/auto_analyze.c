#include "executor/auto_analyze.h"

#include <inttypes.h>
#include <stdlib.h>

#include "executor/range_control.h"
#include "storage/base/clock.h"
#include "storage/base/log.h"
#include "storage/catalog/catalog_snapshot.h"
#include "storage/txn/usage.h"

/* A table that could not be analyzed is left alone for so long. */
static const int64_t TRY_AGAIN_US = 60000000;

struct AutoAnalyze {
    Server *server;
    pthread_t thread;
    pthread_mutex_t mutex; /* guards all below; nothing is locked under it */
    pthread_cond_t wake;
    bool running, stopping;
    Session *session; /* in use; to be interrupted at the end */
    AnalyzeRecord *records;
    int count, capacity;
};

/* ---- records ---- */

uint64_t auto_analyze_changes(Store *store, const TableDesc *table)
{
    if (!table->indexes.count) return 0;
    const IndexUsage *u = usage_find(store, table->base.id, table_primary(table)->id);
    if (!u) return 0;
    return atomic_load_explicit(&u->inserted, memory_order_relaxed) + atomic_load_explicit(&u->updated, memory_order_relaxed) +
           atomic_load_explicit(&u->deleted, memory_order_relaxed);
}

/* With the mutex. */
static AnalyzeRecord *record_of(AutoAnalyze *a, DescId table)
{
    for (int i = 0; i < a->count; i++)
        if (a->records[i].table_id == table) return &a->records[i];
    if (a->count == a->capacity) {
        a->capacity = a->capacity ? 2 * a->capacity : 64;
        a->records = realloc(a->records, sizeof *a->records * (size_t)a->capacity);
        if (!a->records) abort();
    }
    a->records[a->count] = (AnalyzeRecord){.table_id = table};
    return &a->records[a->count++];
}

/* An ANALYZE that was none of ours: somebody's by hand, or one from before the server's start. */
static void see_stats(AnalyzeRecord *record, const TableStats *stats, uint64_t changes)
{
    int64_t at_us = stats ? stats->analyzed_at_us : 0;
    if (at_us == record->analyzed_at_us) return;
    bool first = record->analyzed_at_us == 0 && changes == 0;
    record->analyzed_at_us = record->by_hand_at_us = at_us;
    record->changes_before = changes;
    if (!first) record->by_hand_count++;
}

AnalyzeRecord auto_analyze_record(AutoAnalyze *a, const TableDesc *table, const TableStats *stats)
{
    uint64_t changes = auto_analyze_changes(a->server->store, table);
    pthread_mutex_lock(&a->mutex);
    AnalyzeRecord *record = record_of(a, table->base.id);
    see_stats(record, stats, changes);
    AnalyzeRecord copy = *record;
    pthread_mutex_unlock(&a->mutex);
    return copy;
}

/* ---- which tables ---- */

typedef struct Stale {
    DescId id;
    const char *database, *name; /* name: with its schema, quoted */
    uint64_t changes;
} Stale;

typedef struct Search {
    AutoAnalyze *a;
    const CatalogSnapshot *snapshot;
    VEC(Stale) found;
    Arena *arena;
    double threshold, scale;
    int64_t now_us;
} Search;

static const char *quoted(const char *name, Arena *arena)
{
    char *text = arena_alloc(arena, 2 * strlen(name) + 3), *to = text;
    *to++ = '"';
    for (; *name; name++) {
        if (*name == '"') *to++ = '"';
        *to++ = *name;
    }
    *to = '"';
    return text;
}

static void consider(void *argument, const Desc *desc)
{
    Search *search = argument;
    if (desc->kind != DESC_TABLE || desc->id < DESC_ID_FIRST_USER) return;
    const TableDesc *table = (const TableDesc *)desc;
    if (table->temporary) return; /* its session looks after it, if it wants to */
    uint64_t changes = auto_analyze_changes(search->a->server->store, table);
    const TableStats *stats = snapshot_find_stats(search->snapshot, desc->id);
    if (changes == 0 && !stats) return;
    pthread_mutex_lock(&search->a->mutex);
    AnalyzeRecord *record = record_of(search->a, desc->id);
    see_stats(record, stats, changes);
    double since = (double)(changes - record->changes_before), rows = stats ? (double)stats->row_count : 0;
    bool wait = record->tried_at_us && search->now_us - record->tried_at_us < TRY_AGAIN_US;
    pthread_mutex_unlock(&search->a->mutex);
    if (wait || since <= search->threshold + search->scale * rows) return;
    const Desc *schema = catalog_snapshot_find(search->snapshot, desc->parent_schema);
    const Desc *database = catalog_snapshot_find(search->snapshot, desc->parent_database);
    if (!schema || !database) return;
    const char *name = arena_printf(search->arena, "%s.%s", quoted(schema->name, search->arena), quoted(desc->name, search->arena));
    VEC_PUSH(search->arena, search->found, ((Stale){desc->id, arena_strdup(search->arena, database->name), name, changes}));
}

/* ---- ANALYZE ---- */

static Status run_statement(Session *session, const char *text, Error *err)
{
    Portal *portal;
    bool empty;
    stmt_query_begin(session, text, &empty);
    Status st;
    while ((st = stmt_query_next(session, &portal, err)) == ST_OK) {
        RowBlock block;
        while ((st = portal_next(portal, 0, &block, err)) == ST_OK) continue;
        portal_close(portal);
        if (st != ST_END) break;
    }
    if (st == ST_END) return stmt_query_end(session, false, err);
    Error ignored = {0};
    (void)!stmt_query_end(session, true, &ignored);
    return ST_ERROR;
}

/* False: the server ends. */
static bool publish_session(AutoAnalyze *a, Session *session)
{
    pthread_mutex_lock(&a->mutex);
    a->session = session;
    bool go_on = !a->stopping;
    pthread_mutex_unlock(&a->mutex);
    return go_on;
}

static void note_outcome(AutoAnalyze *a, const Stale *stale, bool done)
{
    const CatalogSnapshot *snapshot = catalog_snapshot(a->server->catalog);
    const TableStats *stats = snapshot_find_stats(snapshot, stale->id);
    pthread_mutex_lock(&a->mutex);
    AnalyzeRecord *record = record_of(a, stale->id);
    record->tried_at_us = done ? 0 : clock_now_us();
    if (done && stats) {
        record->analyzed_at_us = record->by_itself_at_us = stats->analyzed_at_us;
        record->by_itself_count++;
        record->changes_before = stale->changes;
    }
    pthread_mutex_unlock(&a->mutex);
    catalog_release(snapshot);
}

static void analyze(AutoAnalyze *a, const Stale *stale, Arena *arena)
{
    static const char *const names[] = {"application_name", "lock_timeout"};
    static const char *const values[] = {"automatic statistics", "100ms"};
    SessionOptions options = {.user = "root", .database = stale->database, .names = names, .values = values, .count = 2};
    Session *session;
    Error err = {0};
    if (session_open(a->server, &options, &session, &err) != ST_OK) {
        log_write(LOG_WARNING, "no session for automatic statistics: %s", err.message);
        note_outcome(a, stale, false);
        return;
    }
    Status st = ST_ERROR;
    if (publish_session(a, session)) st = run_statement(session, arena_printf(arena, "ANALYZE %s", stale->name), &err);
    (void)publish_session(a, NULL);
    if (st != ST_OK && err.message) log_write(LOG_INFO, "automatic ANALYZE of %s: %s", stale->name, err.message);
    session_close(session);
    note_outcome(a, stale, st == ST_OK);
}

static bool is_stopping(AutoAnalyze *a)
{
    pthread_mutex_lock(&a->mutex);
    bool stopping = a->stopping;
    pthread_mutex_unlock(&a->mutex);
    return stopping;
}

static void run_round(AutoAnalyze *a)
{
    Server *server = a->server;
    if (!cluster_setting_value(server, CLUSTER_STATS_ENABLED)) return;
    Arena *arena = arena_create(NULL, 0);
    Search search = {.a = a, .arena = arena, .snapshot = catalog_snapshot(server->catalog), .now_us = clock_now_us()};
    search.threshold = (double)cluster_setting_value(server, CLUSTER_STATS_THRESHOLD);
    search.scale = (double)cluster_setting_value(server, CLUSTER_STATS_SCALE) / CLUSTER_FRACTION_ONE;
    snapshot_each(search.snapshot, consider, &search);
    catalog_release(search.snapshot);
    for (int i = 0; i < search.found.count && !is_stopping(a); i++) analyze(a, &search.found.items[i], arena);
    arena_destroy(arena);
}

/* ---- the thread ---- */

/* False: it is to end. Not longer than a second at once, so that a changed interval is soon obeyed. */
static bool wait_for_round(AutoAnalyze *a, uint64_t *slept_ns, uint64_t interval_ns)
{
    uint64_t step_ns = interval_ns < 1000000000 ? interval_ns : 1000000000;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(step_ns % 1000000000);
    until.tv_sec += (time_t)(step_ns / 1000000000) + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&a->mutex);
    if (!a->stopping) pthread_cond_timedwait(&a->wake, &a->mutex, &until);
    bool go_on = !a->stopping;
    pthread_mutex_unlock(&a->mutex);
    *slept_ns += step_ns;
    return go_on;
}

static void *run(void *argument)
{
    AutoAnalyze *a = argument;
    uint64_t slept_ns = 0;
    for (;;) {
        uint64_t interval_ns = (uint64_t)cluster_setting_value(a->server, CLUSTER_STATS_INTERVAL);
        if (!wait_for_round(a, &slept_ns, interval_ns)) return NULL;
        if (slept_ns < interval_ns) continue;
        slept_ns = 0;
        run_round(a);
    }
}

AutoAnalyze *auto_analyze_start(Server *server, bool by_itself)
{
    AutoAnalyze *a = calloc(1, sizeof *a);
    if (!a) abort();
    a->server = server;
    pthread_mutex_init(&a->mutex, NULL);
    pthread_cond_init(&a->wake, NULL);
    a->running = by_itself && pthread_create(&a->thread, NULL, run, a) == 0;
    if (by_itself && !a->running) log_write(LOG_WARNING, "no thread for automatic statistics: tables are analyzed by ANALYZE only");
    return a;
}

void auto_analyze_stop(AutoAnalyze *a)
{
    pthread_mutex_lock(&a->mutex);
    a->stopping = true;
    if (a->session) interrupt_raise(session_interrupt(a->session), INTERRUPT_TERMINATE);
    pthread_cond_signal(&a->wake);
    pthread_mutex_unlock(&a->mutex);
    if (a->running) pthread_join(a->thread, NULL);
    pthread_mutex_destroy(&a->mutex);
    pthread_cond_destroy(&a->wake);
    free(a->records);
    free(a);
}
