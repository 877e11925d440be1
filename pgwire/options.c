#include "pgwire/options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char options_help[] =
    "rowkey - a PostgreSQL-compatible SQL database that shows its key space\n"
    "\n"
    "usage:\n"
    "  rowkey serve [options]        run the server\n"
    "  rowkey check DIR              verify the store in DIR, which no server has open: catalog, rows, indexes, constraints,\n"
    "                                ranges; exit status 1 if anything is wrong with it\n"
    "  rowkey compact DIR            make the file of such a store as small as what is in it\n"
    "  rowkey restore BACKUP DIR     check a backup (SELECT rowkey.backup('...')) and put a copy of it into DIR, for serve\n"
    "  rowkey node status [--ranges] [--url URL]   the (simulated) nodes of a running server\n"
    "  rowkey --help | --version\n"
    "\n"
    "options of serve:\n"
    "  --data DIR              data directory, created if absent (default ./rowkey-data)\n"
    "  --listen HOST:PORT      address to listen on (default 127.0.0.1:5433); port 0 picks a free one\n"
    "  --socket-dir DIR        also listen on the Unix socket DIR/.s.PGSQL.PORT\n"
    "  --max-connections N     sessions at once (default 2000)\n"
    "  --log-level LEVEL       debug, info, warning or error (default info)\n"
    "  --nodes N               simulate N nodes: ranges are placed over them and work is booked to them (default 1)\n"
    "  --no-sync               commits do not wait for the disk: for throw-away databases only\n"
    "  --no-auto-analyze       statistics are collected by ANALYZE only, not after large changes: plans stay as they are\n"
    "\n"
    "The server prints `rowkey: listening on HOST:PORT` when it accepts connections, and ends cleanly on SIGTERM.\n";

static char problem_text[256];

__attribute__((format(printf, 2, 3))) static bool wrong(const char **problem, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(problem_text, sizeof problem_text, format, args);
    va_end(args);
    *problem = problem_text;
    return false;
}

static bool parse_listen(const char *text, Options *options, const char **problem)
{
    static char host[256];
    const char *colon = strrchr(text, ':');
    char *end;
    if (!colon || colon == text || !colon[1])
        return wrong(problem, "--listen wants HOST:PORT, got \"%s\"", text);
    long port = strtol(colon + 1, &end, 10);
    if (*end || port < 0 || port > 65535) return wrong(problem, "port \"%s\" is not a number from 0 to 65535", colon + 1);
    size_t n = (size_t)(colon - text);
    const char *start = text;
    if (*start == '[' && n > 1 && start[n - 1] == ']') { /* [::1]:5433 */
        start++;
        n -= 2;
    }
    if (n >= sizeof host) return wrong(problem, "host in \"%s\" is too long", text);
    memcpy(host, start, n);
    host[n] = 0;
    options->host = host;
    options->port = colon + 1;
    return true;
}

static bool parse_number(const char *flag, const char *text, int min, int max, int *out, const char **problem)
{
    char *end;
    long n = strtol(text, &end, 10);
    if (!*text || *end || n < min || n > max)
        return wrong(problem, "%s wants a number from %d to %d, got \"%s\"", flag, min, max, text);
    *out = (int)n;
    return true;
}

static bool parse_level(const char *text, LogLevel *level, const char **problem)
{
    static const char *const names[] = {"debug", "info", "warning", "error"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(text, names[i]) != 0) continue;
        *level = (LogLevel)i;
        return true;
    }
    return wrong(problem, "--log-level wants debug, info, warning or error, got \"%s\"", text);
}

bool options_parse(int argc, char **argv, Options *options, const char **problem)
{
    *options = (Options){.data_directory = "rowkey-data",
                         .host = "127.0.0.1",
                         .port = "5433",
                         .connections_max = 2000,
                         .nodes = 1,
                         .log_level = LOG_INFO};
    for (int i = 0; i < argc; i++) {
        const char *flag = argv[i];
        if (strcmp(flag, "--no-sync") == 0) {
            options->no_sync = true;
            continue;
        }
        if (strcmp(flag, "--no-auto-analyze") == 0) {
            options->no_auto_analyze = true;
            continue;
        }
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        bool known = strcmp(flag, "--data") == 0 || strcmp(flag, "--listen") == 0 || strcmp(flag, "--socket-dir") == 0 ||
                     strcmp(flag, "--max-connections") == 0 || strcmp(flag, "--nodes") == 0 || strcmp(flag, "--log-level") == 0;
        if (!known) return wrong(problem, "unknown option \"%s\"", flag);
        if (!value) return wrong(problem, "%s wants a value", flag);
        i++;
        bool good = true;
        if (strcmp(flag, "--data") == 0)
            options->data_directory = value;
        else if (strcmp(flag, "--socket-dir") == 0)
            options->socket_directory = value;
        else if (strcmp(flag, "--listen") == 0)
            good = parse_listen(value, options, problem);
        else if (strcmp(flag, "--log-level") == 0)
            good = parse_level(value, &options->log_level, problem);
        else if (strcmp(flag, "--nodes") == 0)
            good = parse_number(flag, value, 1, 64, &options->nodes, problem);
        else
            good = parse_number(flag, value, 1, 100000, &options->connections_max, problem);
        if (!good) return false;
    }
    return true;
}
