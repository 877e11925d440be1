/* fn_notify.c - notifications as functions: pg_notify and what a session listens to. */
#include "executor/functions/families.h"
#include "executor/notify.h"
#include "planner/session.h"

static Status pg_notify(FnCtx *ctx, const Value *args, Value *out)
{
    Arena *arena = ctx->type.arena;
    const char *channel = args[0].null ? "" : arena_strndup(arena, args[0].p, args[0].size);
    const char *payload = args[1].null ? "" : arena_strndup(arena, args[1].p, args[1].size);
    *out = value_bytes("", 0);
    return notify_add(ctx->session, NOTIFY_SEND, channel, payload, ctx->type.err);
}

typedef struct Channels {
    const char **names;
    int count, next;
} Channels;

static Status channels_start(FnCtx *ctx, void *state, const Value *args)
{
    Channels *c = state;
    c->next = 0;
    c->count = notify_channels(ctx->session, &c->names, ctx->site_arena);
    return ST_OK;
}

static Status channels_next(FnCtx *ctx, void *state, Value *out)
{
    Channels *c = state;
    if (c->next == c->count) return ST_END;
    *out = value_str(c->names[c->next++]);
    return ST_OK;
}

static const FnRows channel_rows = {sizeof(Channels), channels_start, channels_next, NULL};

static Status queue_usage(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_float(notify_queue_usage(ctx->session));
    return ST_OK;
}

/* clang-format off */
const FuncDef fn_notify_rows[] = {
    { 3035, "pg_listening_channels", "",       "text",   FN_STRICT | FN_STABLE | FN_SET, NULL, NULL, &channel_rows },
    { 3296, "pg_notification_queue_usage", "", "float8", FN_STRICT, queue_usage },
    { 3036, "pg_notify", "text, text",         "void",   0, pg_notify },
    { 0 }
};
/* clang-format on */
