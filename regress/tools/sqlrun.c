/* sqlrun.c - runs SQL from stdin on an engine in this process and prints rows as psql -At does. For debugging: no sockets.
 *
 *   sqlrun [-d DIR] [-e] < file.sql      without -d the store is in memory; -e prints each text before its result
 *
 * A text ends where a line ends with a semicolon, and is run as one simple query.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "executor/stmt.h"

static void print_error(const char *severity, const Error *err)
{
    printf("%s:  %s: %s\n", severity, sqlstate_code(err->sqlstate), err->message);
    if (err->position) printf("POSITION:  %d\n", err->position);
    if (err->detail) printf("DETAIL:  %s\n", err->detail);
    if (err->hint) printf("HINT:  %s\n", err->hint);
    if (err->context) printf("CONTEXT:  %s\n", err->context);
}

static void print_notice(void *argument, const char *severity, const Error *fields)
{
    print_error(severity, fields);
}

static void print_rows(Session *session, Portal *portal, const RowBlock *block)
{
    int columns;
    const ResultColumn *column = portal_columns(portal, &columns);
    Buf text = {0};
    for (int i = 0; i < block->count; i++) {
        int row = block->rows ? block->rows[i] : i;
        for (int c = 0; c < columns; c++) {
            const TypeDef *type = type_find(column[c].type.oid);
            Value v = block->columns[c][row];
            if (c > 0) buf_put_u8(&text, '|');
            if (!v.null) (type ? type : type_find(OID_TEXT))->out(type, session_type_env(session), v, &text);
        }
        buf_put_u8(&text, '\n');
    }
    fwrite(text.data, 1, text.size, stdout);
    buf_finish(&text);
}

static Status run_portal(Session *session, Portal *portal, Error *err)
{
    RowBlock block;
    Slice bytes;
    Status st;
    switch (portal_kind(portal)) {
    case PORTAL_COPY_IN:
        return portal_copy_in_end(portal, err);
    case PORTAL_COPY_OUT:
        while ((st = portal_copy_out(portal, &bytes, err)) == ST_OK) fwrite(bytes.data, 1, bytes.size, stdout);
        return st;
    case PORTAL_ROWS:
    case PORTAL_COMMAND:
        break;
    }
    while ((st = portal_next(portal, 0, &block, err)) == ST_OK) print_rows(session, portal, &block);
    return st;
}

static void run_text(Session *session, const char *text)
{
    Error err = {0};
    Portal *portal;
    Status st;
    bool empty;
    stmt_query_begin(session, text, &empty);
    while ((st = stmt_query_next(session, &portal, &err)) == ST_OK) {
        st = run_portal(session, portal, &err);
        if (st == ST_END) printf("%s\n", portal_tag(portal));
        portal_close(portal);
        if (st == ST_ERROR) break;
    }
    if (st == ST_ERROR) print_error("ERROR", &err);
    if (stmt_query_end(session, st == ST_ERROR, &err) == ST_ERROR && st != ST_ERROR) print_error("ERROR", &err);
    fflush(stdout);
}

static void run_input(Session *session, bool echo)
{
    Buf text = {0};
    char line[65536];
    while (fgets(line, sizeof line, stdin)) {
        buf_put_str(&text, line);
        size_t end = text.size;
        while (end > 0 && (text.data[end - 1] == '\n' || text.data[end - 1] == ' ')) end--;
        if (end == 0 || text.data[end - 1] != ';') continue;
        buf_put_u8(&text, 0);
        if (echo) printf("%s", (const char *)text.data);
        run_text(session, (const char *)text.data);
        buf_clear(&text);
    }
    buf_finish(&text);
}

int main(int argc, char **argv)
{
    ServerOptions options = {.engine = "memory", .no_sync = true, .sessions_max = 16};
    SessionOptions who = {.user = "postgres", .database = "postgres", .notice = print_notice};
    bool echo = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-e") == 0) echo = true;
        if (strcmp(argv[i], "-d") != 0 || i + 1 >= argc) continue;
        options.data_directory = argv[++i];
        options.engine = "lmdb";
    }
    Arena *arena = arena_create(NULL, 0);
    Server *server;
    Session *session;
    Error err = {0};
    if (server_open(&options, &server, arena, &err) != ST_OK) {
        print_error("FATAL", &err);
        return 1;
    }
    if (session_open(server, &who, &session, &err) != ST_OK) {
        print_error("FATAL", &err);
        return 1;
    }
    run_input(session, echo);
    session_close(session);
    server_close(server);
    arena_destroy(arena);
    return 0;
}
