/* fn_backend.c - other sessions: stopping what they do, ending them, who is in whose way. And sleeping in one's own. */
#include <time.h>

#include "executor/functions/families.h"
#include "executor/stmt_internal.h"
#include "planner/privilege.h"
#include "storage/base/clock.h"
#include "storage/types/type_timestamp.h"
#include "storage/types/type_array.h"

enum { PIECE_NS = 10000000 };

/* Sleeps in short pieces, so that a cancel is heard. */
static Status sleep_until(FnCtx *ctx, uint64_t until)
{
    Status st;
    activity_wait(&state_of(ctx->session)->activity, ACTIVITY_SLEEPS);
    while ((st = interrupt_poll(&ctx->session->interrupt, ctx->type.err)) == ST_OK) {
        uint64_t now = clock_monotonic_ns();
        if (now >= until) break;
        uint64_t left = until - now;
        nanosleep(&(struct timespec){.tv_nsec = (long)(left < PIECE_NS ? left : PIECE_NS)}, NULL);
    }
    activity_wait(&state_of(ctx->session)->activity, ACTIVITY_NO_WAIT);
    return st;
}

static Status pg_sleep(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_bytes("", 0);
    return sleep_until(ctx, clock_monotonic_ns() + (uint64_t)(args[0].f > 0 ? args[0].f * 1e9 : 0));
}

static Status sleep_us(FnCtx *ctx, int64_t us, Value *out)
{
    *out = value_bytes("", 0);
    return sleep_until(ctx, clock_monotonic_ns() + (us > 0 ? (uint64_t)us * 1000 : 0));
}

/* From now on, the clock of the wall: a month is as long as it is from here. */
static Status pg_sleep_for(FnCtx *ctx, const Value *args, Value *out)
{
    int64_t now = clock_now_us(), end;
    TRY(timestamptz_add_interval(&ctx->type, now, interval_load(args[0]), ctx->type.env->time_zone, &end));
    return sleep_us(ctx, end - now, out);
}

static Status pg_sleep_until(FnCtx *ctx, const Value *args, Value *out)
{
    return sleep_us(ctx, args[0].i - clock_now_us(), out);
}

/* The text of the message in progress: all its statements. */
static Status current_query(FnCtx *ctx, const Value *args, Value *out)
{
    const SessionState *s = state_of(ctx->session);
    bool prepared = s->running && s->running->stmt && s->running->stmt->text;
    const char *text = prepared ? s->running->stmt->text : s->query_origin;
    *out = text ? value_str(text) : VALUE_NULL;
    return ST_OK;
}

static SessionState *find_session(const Server *server, int64_t pid)
{
    SessionState *s = server->sessions;
    while (s && (int64_t)(s->session.id & 0x7fffffff) != pid) s = s->next;
    return s;
}

/* Superusers' sessions are for superusers, others for members of their role. NULL: allowed. */
static const char *check_signal(const Session *session, const char *owner, InterruptKind kind)
{
    bool cancel = kind == INTERRUPT_CANCEL;
    if (privilege_is_superuser(session, owner) && !session_is_superuser(session))
        return cancel ? "must be a superuser to cancel superuser query" : "must be a superuser to terminate superuser process";
    if (session_has_role(session, owner)) return NULL;
    return cancel ? "must be a member of the role whose query is being canceled or member of pg_signal_backend"
                  : "must be a member of the role whose process is being terminated or member of pg_signal_backend";
}

static Status signal_session(FnCtx *ctx, int64_t pid, InterruptKind kind, Value *out)
{
    Server *server = state_of(ctx->session)->server;
    pthread_mutex_lock(&server->sessions_lock);
    SessionState *s = find_session(server, pid);
    const char *denied = s ? check_signal(ctx->session, s->session.login_user, kind) : NULL;
    if (denied) {
        pthread_mutex_unlock(&server->sessions_lock);
        return err_set(ctx->type.err, ctx->type.arena, ERR_INSUFFICIENT_PRIVILEGE, "%s", denied);
    }
    if (s) interrupt_raise(&s->session.interrupt, kind);
    /* One that waits for its client must be woken. */
    if (s && kind == INTERRUPT_TERMINATE && s->options.terminate) s->options.terminate(s->options.argument);
    pthread_mutex_unlock(&server->sessions_lock);
    *out = value_bool(s != NULL);
    if (!s)
        session_notice(ctx->session, "WARNING", ERR_WARNING, "PID %lld is not a PostgreSQL backend process", (long long)pid);
    return ST_OK;
}

static Status pg_cancel_backend(FnCtx *ctx, const Value *args, Value *out)
{
    return signal_session(ctx, args[0].i, INTERRUPT_CANCEL, out);
}

static bool is_there(Server *server, int64_t pid)
{
    pthread_mutex_lock(&server->sessions_lock);
    bool there = find_session(server, pid) != NULL;
    pthread_mutex_unlock(&server->sessions_lock);
    return there;
}

/* With a time-out: waits for it to be gone. */
static Status pg_terminate_backend(FnCtx *ctx, const Value *args, Value *out)
{
    Server *server = state_of(ctx->session)->server;
    int64_t timeout_ms = ctx->arg_count > 1 ? args[1].i : 0, pid = args[0].i;
    if (timeout_ms < 0)
        return err_set(ctx->type.err, ctx->type.arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "\"timeout\" must not be negative");
    TRY(signal_session(ctx, pid, INTERRUPT_TERMINATE, out));
    if (!out->i || !timeout_ms) return ST_OK;
    uint64_t until = clock_monotonic_ns() + (uint64_t)timeout_ms * 1000000;
    while (is_there(server, pid)) {
        uint64_t now = clock_monotonic_ns();
        if (now >= until) {
            session_notice(ctx->session, "WARNING", ERR_WARNING, "backend with PID %lld did not terminate within %lld milliseconds",
                           (long long)pid, (long long)timeout_ms);
            *out = value_bool(false);
            return ST_OK;
        }
        TRY(sleep_until(ctx, now + PIECE_NS));
    }
    return ST_OK;
}

static Status pg_blocking_pids(FnCtx *ctx, const Value *args, Value *out)
{
    uint64_t *ids;
    int count = store_blockers(state_of(ctx->session)->server->store, (uint64_t)args[0].i, &ids, ctx->type.arena);
    Value *pids = ARENA_ARRAY(ctx->type.arena, Value, count + 1);
    for (int i = 0; i < count; i++) pids[i] = value_int((int64_t)(ids[i] & 0x7fffffff));
    return array_build(&ctx->type, OID_INT4, pids, count, out);
}

/* clang-format off */
const FuncDef fn_backend_rows[] = {
    { 2561, "pg_blocking_pids", "int4",           "_int4", FN_STRICT, pg_blocking_pids },
    { 2171, "pg_cancel_backend", "int4",          "bool", FN_STRICT, pg_cancel_backend },
    { 817, "current_query", "",                   "text", FN_STRICT, current_query },
    { 3935, "pg_sleep_for", "interval",           "void", FN_STRICT, pg_sleep_for },
    { 3936, "pg_sleep_until", "timestamptz",      "void", FN_STRICT, pg_sleep_until },
    { 2626, "pg_sleep", "float8",                 "void", FN_STRICT, pg_sleep },
    { 2096, "pg_terminate_backend", "int4",       "bool", FN_STRICT, pg_terminate_backend },
    { 9070, "pg_terminate_backend", "int4, int8", "bool", FN_STRICT, pg_terminate_backend },
    { 0 }
};
/* clang-format on */
