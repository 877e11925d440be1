/* pg_locks and pg_stat_activity: what sessions are doing, and what they hold others up with. */
#include "executor/stmt_internal.h"
#include "executor/system/sys_source.h"
#include "executor/system/system.h"
#include "planner/settings.h"

/* ---- pg_locks ---- */

static const char *lock_type(LockedKind kind)
{
    switch (kind) {
    case LOCKED_ROW: return "tuple";
    case LOCKED_TABLE: return "relation";
    case LOCKED_ADVISORY: return "advisory";
    case LOCKED_TRANSACTION: return "transactionid";
    case LOCKED_VIRTUAL_TRANSACTION: break;
    }
    return "virtualxid";
}

static int64_t xid_of(uint64_t transaction)
{
    return (int64_t)(uint32_t)transaction;
}

static Value virtual_xid(Arena *arena, uint64_t session, uint64_t transaction)
{
    return value_str(arena_printf(arena, "%llu/%llu", (unsigned long long)session, (unsigned long long)transaction));
}

static Status lock_row(SystemCtx *ctx, const LockRow *lock)
{
    Arena *arena = sys_arena(ctx);
    bool on_table = lock->kind == LOCKED_ROW || lock->kind == LOCKED_TABLE, advisory = lock->kind == LOCKED_ADVISORY;
    SysRow r = sys_begin(ctx);
    sys_text(&r, lock_type(lock->kind));
    sys_value(&r, on_table || advisory ? value_int(lock->database) : VALUE_NULL);
    sys_value(&r, on_table ? value_int(lock->class) : VALUE_NULL);
    sys_nulls(&r, 2); /* page, tuple: a row lies under its key */
    sys_value(&r, lock->kind == LOCKED_VIRTUAL_TRANSACTION ? virtual_xid(arena, lock->session_id, lock->transaction) : VALUE_NULL);
    sys_value(&r, lock->kind == LOCKED_TRANSACTION ? value_int(xid_of(lock->transaction)) : VALUE_NULL);
    sys_value(&r, advisory ? value_int(lock->class) : VALUE_NULL);
    sys_value(&r, advisory ? value_int(lock->object) : VALUE_NULL);
    sys_value(&r, advisory ? value_int(lock->sub) : VALUE_NULL);
    sys_value(&r, virtual_xid(arena, lock->session_id, lock->txn_id));
    sys_int(&r, (int64_t)(lock->session_id & 0x7fffffff));
    sys_text(&r, lock->mode);
    sys_bool(&r, lock->granted);
    sys_bool(&r, lock->fast);
    sys_value(&r, lock->wait_start_us ? value_int(lock->wait_start_us) : VALUE_NULL);
    return sys_emit(&r);
}

static Status fill_pg_locks(SystemCtx *ctx)
{
    LockRow *locks;
    int count = store_locks(state_of(ctx->fn.session)->server->store, &locks, sys_arena(ctx));
    for (int i = 0; i < count; i++) TRY(lock_row(ctx, &locks[i]));
    return ST_OK;
}

/* ---- pg_stat_activity ---- */

typedef struct ActivityRow {
    uint64_t id;
    DescId database;
    const char *user;
    ActivityWait wait;
    ActivityView now;
    uint64_t transaction; /* that others may wait for; 0: none */
    const LockRow *waits;
} ActivityRow;

typedef VEC(ActivityRow) ActivityRowVec;

static void list_sessions(SystemCtx *ctx, ActivityRowVec *rows)
{
    Server *server = state_of(ctx->fn.session)->server;
    Arena *arena = sys_arena(ctx);
    pthread_mutex_lock(&server->sessions_lock);
    for (SessionState *s = server->sessions; s; s = s->next) {
        VEC_PUSH(arena, *rows, (ActivityRow){.id = s->session.id, .database = s->session.database_id});
        ActivityRow *row = &VEC_LAST(*rows);
        row->user = arena_strdup(arena, s->session.user);
        row->wait = (ActivityWait)atomic_load_explicit(&s->activity.wait, memory_order_relaxed);
        activity_read(&s->activity, &row->now);
    }
    pthread_mutex_unlock(&server->sessions_lock);
}

static void add_locks(SystemCtx *ctx, ActivityRowVec *rows)
{
    LockRow *locks;
    int count = store_locks(state_of(ctx->fn.session)->server->store, &locks, sys_arena(ctx));
    for (int i = 0; i < count; i++)
        for (int r = 0; r < rows->count; r++) {
            ActivityRow *row = &rows->items[r];
            if (row->id != locks[i].session_id) continue;
            if (!locks[i].granted) row->waits = &locks[i];
            if (locks[i].granted && locks[i].kind == LOCKED_TRANSACTION) row->transaction = locks[i].transaction;
        }
}

static void put_wait(SysRow *r, const ActivityRow *row)
{
    const char *type = NULL, *event = NULL;
    if (row->waits) {
        type = "Lock";
        event = lock_type(row->waits->kind);
    } else if (row->now.state != ACTIVITY_ACTIVE) {
        type = "Client";
        event = "ClientRead";
    } else if (row->wait == ACTIVITY_SLEEPS) {
        type = "Timeout";
        event = "PgSleep";
    } else if (row->wait == ACTIVITY_COMMITS) {
        type = "IO";
        event = "WALSync";
    }
    sys_text(r, type);
    sys_text(r, event);
}

static void put_time(SysRow *r, int64_t us)
{
    sys_value(r, us ? value_int(us) : VALUE_NULL);
}

static Status activity_row(SystemCtx *ctx, const ActivityRow *a)
{
    const Desc *database = catalog_find_id(sys_view(ctx), a->database);
    SysRow r = sys_begin(ctx);
    sys_int(&r, a->database);
    sys_text(&r, database ? database->name : NULL);
    sys_int(&r, (int64_t)(a->id & 0x7fffffff));
    sys_null(&r); /* leader_pid */
    sys_int(&r, sys_role_oid(ctx, a->user));
    sys_text(&r, a->user);
    sys_text(&r, a->now.application);
    sys_nulls(&r, 3); /* client_addr, client_hostname, client_port */
    put_time(&r, a->now.backend_start_us);
    put_time(&r, a->now.transaction_start_us);
    put_time(&r, a->now.query_start_us);
    put_time(&r, a->now.state_change_us);
    put_wait(&r, a);
    sys_text(&r, activity_state_words(a->now.state));
    sys_value(&r, a->transaction ? value_int(xid_of(a->transaction)) : VALUE_NULL);
    sys_nulls(&r, 2); /* backend_xmin, query_id */
    sys_text(&r, a->now.query);
    sys_text(&r, "client backend");
    return sys_emit(&r);
}

static Status fill_pg_stat_activity(SystemCtx *ctx)
{
    ActivityRowVec rows = {0};
    list_sessions(ctx, &rows);
    add_locks(ctx, &rows);
    for (int i = 0; i < rows.count; i++) TRY(activity_row(ctx, &rows.items[i]));
    return ST_OK;
}

/* clang-format off */
const SystemRelation sys_pg_locks_rows[] = {
    {12222, "pg_catalog", "pg_stat_activity",
     "datid oid, datname name, pid int4, leader_pid int4, usesysid oid, usename name, application_name "
     "text, client_addr text, client_hostname text, client_port int4, backend_start timestamptz, "
     "xact_start timestamptz, query_start timestamptz, state_change timestamptz, wait_event_type text, "
     "wait_event text, state text, backend_xid xid, backend_xmin xid, query_id int8, query text, "
     "backend_type text",
     fill_pg_stat_activity, NULL, NULL},
    {12073, "pg_catalog", "pg_locks",
     "locktype text, database oid, relation oid, page int4, tuple int2, virtualxid text, transactionid "
     "xid, classid oid, objid oid, objsubid int2, virtualtransaction text, pid int4, mode text, granted "
     "bool, fastpath bool, waitstart timestamptz",
     fill_pg_locks, NULL, NULL},
    {0},
};
/* clang-format on */
