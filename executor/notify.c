#include "executor/notify.h"

#include "executor/stmt_internal.h"
#include "storage/base/log.h"

enum { PAYLOAD_BYTES_MAX = 8000, INBOX_BYTES_MAX = 16 << 20, CHANNEL_BYTES_MAX = 64 };

/* ---- asked for ---- */

/* True: the transaction sends the same already. Else it is noted as the next action. */
static bool sent_already(NotifyState *n, const NotifyAction *action)
{
    Buf key = {0};
    buf_put(&key, action->channel, strlen(action->channel) + 1);
    buf_put(&key, action->payload, strlen(action->payload));
    uintptr_t place = (uintptr_t)map_get(&n->sent, buf_slice(&key));
    const NotifyAction *other = place && place <= (uintptr_t)n->actions.count ? &n->actions.items[place - 1] : NULL;
    bool found = other && other->kind == NOTIFY_SEND && strcmp(other->channel, action->channel) == 0 &&
                 strcmp(other->payload, action->payload) == 0;
    if (!found) map_put(&n->sent, n->arena, buf_to_arena(&key, n->arena), (void *)(uintptr_t)(n->actions.count + 1));
    buf_finish(&key);
    return found;
}

static Status check(const NotifyAction *action, Arena *arena, Error *err)
{
    if (action->channel && !*action->channel)
        return err_set(err, arena, ERR_INVALID_PARAMETER_VALUE, "channel name cannot be empty");
    if (action->channel && strlen(action->channel) >= CHANNEL_BYTES_MAX)
        return err_set(err, arena, ERR_INVALID_PARAMETER_VALUE, "channel name too long");
    if (action->payload && strlen(action->payload) >= PAYLOAD_BYTES_MAX)
        return err_set(err, arena, ERR_INVALID_PARAMETER_VALUE, "payload string too long");
    return ST_OK;
}

Status notify_add(Session *session, NotifyKind kind, const char *channel, const char *payload, Error *err)
{
    SessionState *s = state_of(session);
    NotifyState *n = &s->notify;
    NotifyAction action = {kind, channel, payload ? payload : ""};
    TRY(check(&action, state_error_arena(s), err));
    if (!n->arena) n->arena = arena_create(session->arena, 0);
    if (kind == NOTIFY_SEND && sent_already(n, &action)) return ST_OK;
    if (channel) action.channel = arena_strdup(n->arena, channel);
    action.payload = arena_strdup(n->arena, action.payload);
    VEC_PUSH(n->arena, n->actions, action);
    return ST_OK;
}

int notify_mark(const SessionState *s)
{
    return s->notify.actions.count;
}

void notify_rollback(SessionState *s, int mark)
{
    NotifyState *n = &s->notify;
    n->actions.count = mark;
    if (mark || !n->arena) return;
    arena_reset(n->arena);
    memset(&n->actions, 0, sizeof n->actions);
    n->sent = (Map){0};
}

/* ---- channels ---- */

static NotifyChannel *find_channel(const NotifyState *n, const char *name)
{
    for (int i = 0; i < n->channels.count; i++)
        if (strcmp(n->channels.items[i].name, name) == 0) return &n->channels.items[i];
    return NULL;
}

static bool listens(const SessionState *s, const SessionState *sender, const char *channel)
{
    if (!s->notify.listening || s->session.database_id != sender->session.database_id) return false;
    const NotifyChannel *found = find_channel(&s->notify, channel);
    return found && found->active;
}

int notify_channels(const Session *session, const char ***names, Arena *arena)
{
    const NotifyState *n = &state_of(session)->notify;
    int count = 0;
    *names = ARENA_ARRAY(arena, const char *, n->channels.count + 1);
    for (int i = 0; i < n->channels.count; i++)
        if (n->channels.items[i].active) (*names)[count++] = n->channels.items[i].name;
    return count;
}

static void listen_to(SessionState *s, const char *name)
{
    NotifyState *n = &s->notify;
    NotifyChannel *channel = find_channel(n, name);
    if (!channel) {
        VEC_PUSH(s->session.arena, n->channels, (NotifyChannel){arena_strdup(s->session.arena, name), false});
        channel = &n->channels.items[n->channels.count - 1];
    }
    n->listening += !channel->active;
    channel->active = true;
}

static void unlisten(SessionState *s, const char *name)
{
    NotifyState *n = &s->notify;
    for (int i = 0; i < n->channels.count; i++) {
        NotifyChannel *channel = &n->channels.items[i];
        if (!channel->active || (name && strcmp(channel->name, name) != 0)) continue;
        channel->active = false;
        n->listening--;
    }
}

/* ---- commit ---- */

static size_t record_bytes(const NotifyAction *action)
{
    return 4 + strlen(action->channel) + 1 + strlen(action->payload) + 1;
}

static bool sends(const NotifyState *n)
{
    for (int i = 0; i < n->actions.count; i++)
        if (n->actions.items[i].kind == NOTIFY_SEND) return true;
    return false;
}

static bool has_room(const SessionState *s, const SessionState *sender)
{
    size_t bytes = s->notify.inbox.size;
    for (int i = 0; i < sender->notify.actions.count; i++) {
        const NotifyAction *action = &sender->notify.actions.items[i];
        if (action->kind == NOTIFY_SEND && listens(s, sender, action->channel)) bytes += record_bytes(action);
    }
    return bytes <= INBOX_BYTES_MAX;
}

Status notify_before_commit(SessionState *s, Error *err)
{
    bool room = true;
    if (!sends(&s->notify)) return ST_OK;
    pthread_mutex_lock(&s->server->sessions_lock);
    for (const SessionState *to = s->server->sessions; to && room; to = to->next) room = has_room(to, s);
    pthread_mutex_unlock(&s->server->sessions_lock);
    if (room) return ST_OK;
    return err_set(err, state_error_arena(s), ERR_PROGRAM_LIMIT_EXCEEDED, "too many notifications in the NOTIFY queue");
}

/* Wholly or not at all: the transaction is committed already, so without memory the listener misses it. */
static void put_record(SessionState *to, const SessionState *from, const NotifyAction *action)
{
    Buf *inbox = &to->notify.inbox;
    size_t before = inbox->size;
    buf_put_u32(inbox, (uint32_t)(from->session.id & 0x7fffffff));
    buf_put(inbox, action->channel, strlen(action->channel) + 1);
    buf_put(inbox, action->payload, strlen(action->payload) + 1);
    if (!inbox->failed) return;
    inbox->size = before;
    inbox->failed = false;
    log_write(LOG_WARNING, "no memory for a notification on channel \"%s\": a session misses it", action->channel);
}

static void send_all(SessionState *from, SessionState *to)
{
    bool any = false;
    for (int i = 0; i < from->notify.actions.count; i++) {
        const NotifyAction *action = &from->notify.actions.items[i];
        if (action->kind != NOTIFY_SEND || !listens(to, from, action->channel)) continue;
        put_record(to, from, action);
        any = true;
    }
    if (any && to != from && to->options.wake) to->options.wake(to->options.argument);
}

void notify_committed(SessionState *s)
{
    NotifyState *n = &s->notify;
    if (!n->actions.count) return;
    pthread_mutex_lock(&s->server->sessions_lock);
    for (int i = 0; i < n->actions.count; i++) {
        const NotifyAction *action = &n->actions.items[i];
        if (action->kind == NOTIFY_LISTEN) listen_to(s, action->channel);
        if (action->kind == NOTIFY_UNLISTEN) unlisten(s, action->channel);
        if (action->kind == NOTIFY_UNLISTEN_ALL) unlisten(s, NULL);
    }
    if (sends(n))
        for (SessionState *to = s->server->sessions; to; to = to->next) send_all(s, to);
    pthread_mutex_unlock(&s->server->sessions_lock);
    notify_rollback(s, 0);
}

double notify_queue_usage(const Session *session)
{
    const Server *server = state_of(session)->server;
    pthread_mutex_t *lock = &state_of(session)->server->sessions_lock;
    size_t most = 0;
    pthread_mutex_lock(lock);
    for (const SessionState *s = server->sessions; s; s = s->next)
        if (s->notify.inbox.size > most) most = s->notify.inbox.size;
    pthread_mutex_unlock(lock);
    return (double)most / INBOX_BYTES_MAX;
}

void notify_finish(SessionState *s)
{
    buf_finish(&s->notify.inbox);
}

/* ---- delivery ---- */

bool session_listening(const Session *session)
{
    return state_of(session)->notify.listening > 0;
}

static void deliver(const SessionState *s, const Buf *inbox)
{
    const uint8_t *at = inbox->data, *end = inbox->data + inbox->size;
    while (at < end) {
        uint32_t sender = load_u32(at);
        const char *channel = (const char *)at + 4;
        const char *payload = channel + strlen(channel) + 1;
        s->options.notification(s->options.argument, sender, channel, payload);
        at = (const uint8_t *)payload + strlen(payload) + 1;
    }
}

void session_deliver(Session *session)
{
    SessionState *s = state_of(session);
    if (s->phase != PHASE_IDLE || !s->notify.channels.count) return;
    pthread_mutex_lock(&s->server->sessions_lock);
    Buf inbox = s->notify.inbox;
    s->notify.inbox = (Buf){0};
    pthread_mutex_unlock(&s->server->sessions_lock);
    if (inbox.size && s->options.notification) deliver(s, &inbox);
    buf_finish(&inbox);
}
