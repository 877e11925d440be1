#include "executor/held_snapshots.h"

#include <inttypes.h>
#include <stdlib.h>

#include "executor/range_control.h"
#include "storage/base/clock.h"
#include "storage/base/log.h"

static const int64_t WARN_AGAIN_US = 60000000;

const char *isolation_words(TxnIsolation isolation)
{
    switch (isolation) {
    case TXN_READ_COMMITTED: return "read committed";
    case TXN_REPEATABLE_READ: return "repeatable read";
    case TXN_SERIALIZABLE: break;
    }
    return "serializable";
}

/* With the list of sessions locked. */
static void add_holder(const SessionState *s, const HeldSnapshot *held, SnapshotHolderVec *holders, Arena *arena)
{
    ActivityView *now = ARENA_NEW(arena, ActivityView);
    activity_read((Activity *)(uintptr_t)&s->activity, now);
    VEC_PUSH(arena, *holders, (SnapshotHolder){.session_id = s->session.id, .user = arena_strdup(arena, s->session.user),
                                               .held = *held, .now = now});
}

static int older_first(const void *a, const void *b)
{
    int64_t x = ((const SnapshotHolder *)a)->held.since_us, y = ((const SnapshotHolder *)b)->held.since_us;
    return (x > y) - (x < y);
}

void list_snapshot_holders(Server *server, SnapshotHolderVec *holders, Arena *arena)
{
    HeldSnapshot held;
    pthread_mutex_lock(&server->sessions_lock);
    for (SessionState *s = server->sessions; s; s = s->next)
        if (store_session_snapshot(s->lock_session, &held)) add_holder(s, &held, holders, arena);
    pthread_mutex_unlock(&server->sessions_lock);
    if (holders->count) qsort(holders->items, (size_t)holders->count, sizeof *holders->items, older_first);
}

/* ---- the log ---- */

/* One snapshot is told of as soon as it is too old, and then once a minute. */
static bool is_to_be_told(SessionState *s, const HeldSnapshot *held, int64_t now_us)
{
    bool told = s->told_since_us == held->since_us && now_us - s->told_at_us < WARN_AGAIN_US;
    if (told) return false;
    s->told_since_us = held->since_us;
    s->told_at_us = now_us;
    return true;
}

/* Of the query no line breaks: an event is one line. */
static char *one_line(const char *query, Arena *arena)
{
    char *line = arena_strdup(arena, query);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ') *c = ' ';
    return line;
}

static void tell(const SnapshotHolder *holder, int64_t now_us, Arena *arena)
{
    int64_t age_ms = (now_us - holder->held.since_us) / 1000;
    log_write(LOG_WARNING,
              "process %d holds a snapshot for %" PRId64 ".%03d s, so that pages freed since are not used again: user %s, "
              "application \"%s\", %s, %s, query: %s",
              (int)(holder->session_id & 0x7fffffff), age_ms / 1000, (int)(age_ms % 1000), holder->user,
              one_line(holder->now->application, arena), isolation_words(holder->held.isolation),
              activity_state_words(holder->now->state), one_line(holder->now->query, arena));
}

void server_tell_of_old_snapshots(Server *server)
{
    int64_t age_us = cluster_setting_value(server, CLUSTER_LOG_SNAPSHOT_AGE) / 1000, now_us = clock_now_us();
    if (!age_us) return;
    Arena *arena = arena_create(NULL, 0);
    SnapshotHolderVec old = {0};
    HeldSnapshot held;
    pthread_mutex_lock(&server->sessions_lock);
    for (SessionState *s = server->sessions; s; s = s->next)
        if (store_session_snapshot(s->lock_session, &held) && now_us - held.since_us >= age_us && is_to_be_told(s, &held, now_us))
            add_holder(s, &held, &old, arena);
    pthread_mutex_unlock(&server->sessions_lock);
    for (int i = 0; i < old.count; i++) tell(&old.items[i], now_us, arena);
    arena_destroy(arena);
}
