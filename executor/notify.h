/* notify.h - LISTEN, UNLISTEN and NOTIFY: what a transaction asks for, and what other sessions have sent.
 *
 * Nothing happens before the transaction commits: then its LISTENs take effect, its notifications go into the inbox of
 * each session of the same database that listens to their channel, its own included, and each of these sessions is woken.
 * A session takes its inbox out between transactions. The same notification twice in one transaction is sent once.
 * Payloads have less than 8,000 bytes (22023). An inbox holds INBOX_BYTES_MAX: while one that would have to hold more is
 * full, committing a notification for it fails with 54000 before anything is written.
 * Inboxes and channels are guarded by the server's sessions_lock; what a transaction asks for belongs to its thread.
 */
#ifndef EXECUTOR_NOTIFY_H
#define EXECUTOR_NOTIFY_H

#include "storage/base/buf.h"
#include "storage/base/list.h"
#include "storage/base/map.h"

typedef struct Session Session;
typedef struct SessionState SessionState;

typedef enum NotifyKind { NOTIFY_LISTEN, NOTIFY_UNLISTEN, NOTIFY_UNLISTEN_ALL, NOTIFY_SEND } NotifyKind;

typedef struct NotifyAction {
    NotifyKind kind;
    const char *channel, *payload;
} NotifyAction;

typedef struct NotifyChannel {
    const char *name; /* in the session's arena; kept when nobody listens any more, as it may come back */
    bool active;
} NotifyChannel;

typedef struct NotifyState {
    Arena *arena; /* of the actions; NULL: the session has never asked for any */
    VEC(NotifyAction) actions;
    Map sent; /* channel and payload -> 1 + the action's index, which counts only while that action is there */
    VEC(NotifyChannel) channels;
    int listening; /* active channels */
    Buf inbox;     /* sender (4 bytes), channel and payload, each with its NUL */
} NotifyState;

/* Asked for by the running transaction. The texts are copied. */
Status notify_add(Session *session, NotifyKind kind, const char *channel, const char *payload, Error *err);
/* Names of the channels that the session listens to; the texts live as long as the session. */
int notify_channels(const Session *session, const char ***names, Arena *arena);
/* How full the fullest inbox is, from 0 to 1. */
double notify_queue_usage(const Session *session);

/* ---- txn_state.c, txn_control.c ---- */
int notify_mark(const SessionState *s);
void notify_rollback(SessionState *s, int mark); /* 0: all */
/* Before the commit: is there room for what it would send? */
Status notify_before_commit(SessionState *s, Error *err);
void notify_committed(SessionState *s);
void notify_finish(SessionState *s); /* the session ends; sessions_lock is held */

#endif
