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
    "  --hba FILE              who may connect, and how they prove who they are: a pg_hba.conf (default DIR/pg_hba.conf if it\n"
    "                          is there, else everybody from this machine)\n"
    "  --tls-cert FILE         certificate (chain) for encrypted connections, PEM; with --tls-key FILE\n"
    "  --tls-ca FILE           authorities whose client certificates are accepted\n"
    "  --authentication-timeout S   seconds a client has to prove who it is (default 60)\n"
    "  --max-connections N     sessions at once (default 2000)\n"
    "  --log-level LEVEL       debug, info, warning or error (default info)\n"
    "  --nodes N               simulate N nodes: ranges are placed over them and work is booked to them (default 1)\n"
    "  --localities LIST       where they stand, dealt to them in turn: region=eu,zone=a;region=us\n"
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

/* Options that are kept as they are written. */
static const char **text_option(Options *o, const char *flag)
{
    if (strcmp(flag, "--data") == 0) return &o->data_directory;
    if (strcmp(flag, "--socket-dir") == 0) return &o->socket_directory;
    if (strcmp(flag, "--hba") == 0) return &o->hba_file;
    if (strcmp(flag, "--localities") == 0) return &o->localities;
    if (strcmp(flag, "--tls-cert") == 0) return &o->tls_cert;
    if (strcmp(flag, "--tls-key") == 0) return &o->tls_key;
    if (strcmp(flag, "--tls-ca") == 0) return &o->tls_ca;
    return NULL;
}

static bool is_checked(const char *flag)
{
    static const char *const flags[] = {"--listen", "--max-connections", "--nodes", "--log-level", "--authentication-timeout"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(flag, flags[i]) == 0) return true;
    return false;
}

bool options_parse(int argc, char **argv, Options *options, const char **problem)
{
    *options = (Options){.data_directory = "rowkey-data",
                         .host = "127.0.0.1",
                         .port = "5433",
                         .connections_max = 2000,
                         .auth_timeout_s = 60,
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
        const char **text = text_option(options, flag);
        if (!text && !is_checked(flag)) return wrong(problem, "unknown option \"%s\"", flag);
        if (!value) return wrong(problem, "%s wants a value", flag);
        i++;
        bool good = true;
        if (text)
            *text = value;
        else if (strcmp(flag, "--listen") == 0)
            good = parse_listen(value, options, problem);
        else if (strcmp(flag, "--log-level") == 0)
            good = parse_level(value, &options->log_level, problem);
        else if (strcmp(flag, "--authentication-timeout") == 0)
            good = parse_number(flag, value, 1, 600, &options->auth_timeout_s, problem);
        else if (strcmp(flag, "--nodes") == 0)
            good = parse_number(flag, value, 1, 64, &options->nodes, problem);
        else
            good = parse_number(flag, value, 1, 100000, &options->connections_max, problem);
        if (!good) return false;
    }
    if (!options->tls_cert != !options->tls_key) return wrong(problem, "--tls-cert and --tls-key belong together");
    if (options->tls_ca && !options->tls_cert) return wrong(problem, "--tls-ca wants --tls-cert and --tls-key");
    return true;
}
