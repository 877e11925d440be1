/* conn.h - one client: its thread, buffers, protocol state and session. */
#ifndef PGWIRE_CONN_H
#define PGWIRE_CONN_H

#include "executor/stmt.h"
#include "pgwire/listener.h"
#include "pgwire/reader.h"
#include "pgwire/writer.h"

/* How a portal of the extended protocol wants its columns: kept here, as formats are the wire's business. */
typedef struct WirePortal {
    struct WirePortal *next;
    char *name;
    int16_t *formats; /* 0 text, 1 binary; one for all if count is 1; none: text */
    int format_count;
} WirePortal;

typedef struct Conn {
    ConnRecord *record;
    Reader in;
    Writer out;
    Arena *arena;         /* as long as the connection */
    Arena *message_arena; /* reset for each message */
    Session *session;
    WirePortal *portals;
    Error err;
    bool skip_to_sync; /* after an error in the extended protocol */
    bool failed;       /* an error since the last Sync: the implicit transaction must not commit */
    bool in_sequence;  /* between the first extended message and its Sync */
    Buf kept;          /* the extended messages since the last Sync, to be run again after 40001 (retry.c) */
    bool kept_whole;   /* all of them */
    WriterMark kept_mark;
    bool closing;
    _Atomic int wake_fd; /* an eventfd, once the session listens; -1 before */
} Conn;

/* Runs the connection to its end and frees it. Takes over the socket. */
void conn_run(ConnRecord *record);

/* ---- startup.c ---- */
/* From the first packet to ReadyForQuery. ST_END: nothing more to do (cancel, refused). */
Status startup_run(Conn *conn);

/* ---- dispatch.c ---- */
Status dispatch_message(Conn *conn, Frame *frame);
Status dispatch_again(Conn *conn, Frame *frame); /* a message of the extended protocol that was run before */

/* ---- retry.c ---- */
/* After conn->err: has the session undone the batch, so that it may be run again? What it wrote since is taken back. */
bool retry_allowed(Conn *conn, WriterMark mark);
void retry_begin(Conn *conn); /* the first message after a Sync */
void retry_keep(Conn *conn, const Frame *frame);
/* st: how a message, or Sync, has ended; returns how it ends after all. */
Status retry_message(Conn *conn, Status st);
Status retry_sync(Conn *conn, Status st);
void retry_finish(Conn *conn);

/* ---- simple.c ---- */
Status simple_query(Conn *conn, Frame *frame);

/* ---- extended.c ---- */
Status extended_parse(Conn *conn, Frame *frame);
Status extended_bind(Conn *conn, Frame *frame);
Status extended_describe(Conn *conn, Frame *frame);
Status extended_execute(Conn *conn, Frame *frame);
Status extended_close(Conn *conn, Frame *frame);
Status extended_sync(Conn *conn, Frame *frame);
Status extended_flush(Conn *conn, Frame *frame);
void extended_finish(Conn *conn); /* frees the formats of all portals */

/* ---- rows.c ---- */
typedef struct RowFormat {
    const int16_t *formats;
    int count;
} RowFormat;
Status rows_describe(Conn *conn, const ResultColumn *columns, int count, RowFormat format);
typedef struct RowOrder {
    RowFormat format;
    int rows_max;  /* 0: all */
    bool describe; /* RowDescription first, but not before the statement has produced something: it may fail yet */
} RowOrder;
/* Runs the portal until its end or rows_max rows. *suspended: rows_max was reached. Sends no CommandComplete. */
Status rows_send(Conn *conn, Portal *portal, RowOrder order, bool *suspended);

/* ---- copy_wire.c ---- */
Status copy_in_run(Conn *conn, Portal *portal);
Status copy_out_run(Conn *conn, Portal *portal);

/* ---- report.c ---- */
void report_error(Conn *conn, const Error *err); /* ErrorResponse; a fatal one ends the connection */
void report_notice(void *conn, const char *severity, const Error *fields);
void report_wake(void *conn); /* on another thread, as report_terminate */
void report_terminate(void *conn);
void report_notification(void *conn, uint64_t sender, const char *channel, const char *payload);
void report_settings(Conn *conn); /* ParameterStatus of what changed */
void report_ready(Conn *conn);    /* those, then ReadyForQuery, and everything is sent */
Status report_tag(Conn *conn, const char *tag);
/* Is the text UTF-8? 22021 otherwise. */
Status report_check_utf8(Conn *conn, Slice text);

#endif
