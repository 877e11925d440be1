/* main.c - the rowkey program: its commands, and the order in which a server comes up and goes down. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "executor/stmt.h"
#include "pgwire/listener.h"
#include "pgwire/maintenance.h"
#include "pgwire/node_status.h"
#include "pgwire/options.h"

static int fail(const Error *err)
{
    fprintf(stderr, "rowkey: %s\n", err->message);
    if (err->detail) fprintf(stderr, "rowkey: %s\n", err->detail);
    if (err->hint) fprintf(stderr, "rowkey: %s\n", err->hint);
    return 1;
}

static bool write_pid_file(const char *path, const char *address)
{
    char temporary[4200];
    snprintf(temporary, sizeof temporary, "%s.new", path);
    FILE *f = fopen(temporary, "w");
    if (!f) return false;
    fprintf(f, "%ld\n%s\n", (long)getpid(), address);
    if (fclose(f) == 0 && rename(temporary, path) == 0) return true;
    unlink(temporary);
    return false;
}

/* A thousand connections want a descriptor each, and the usual soft limit is 1,024. */
static void raise_descriptor_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static void block_signals(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, NULL); /* listener_run reads them; threads inherit the mask */
    signal(SIGPIPE, SIG_IGN);
}

static int run_server(const Options *options, Arena *arena)
{
    ServerOptions server_options = {.data_directory = options->data_directory,
                                    .no_sync = options->no_sync,
                                    .no_auto_analyze = options->no_auto_analyze,
                                    .nodes = options->nodes,
                                    .localities = options->localities,
                                    .hba_file = options->hba_file,
                                    .ssl_cert_file = options->tls_cert,
                                    .ssl_key_file = options->tls_key,
                                    .ssl_ca_file = options->tls_ca,
                                    .sessions_max = options->connections_max};
    Server *server;
    Listener *listener;
    Error err = {0};
    char pid_path[4096];
    if (server_open(&server_options, &server, arena, &err) != ST_OK) return fail(&err);
    if (listener_open(options, server, &listener, arena, &err) != ST_OK) {
        server_close(server);
        return fail(&err);
    }
    snprintf(pid_path, sizeof pid_path, "%s/rowkey.pid", options->data_directory);
    if (!write_pid_file(pid_path, listener_address(listener)))
        log_write(LOG_WARNING, "could not write \"%s\": %s", pid_path, strerror(errno));
    printf("rowkey: listening on %s\n", listener_address(listener));
    fflush(stdout);
    listener_run(listener);
    listener_close(listener);
    server_close(server);
    unlink(pid_path);
    return 0;
}

static int serve(int argc, char **argv)
{
    Options options;
    const char *problem;
    if (argc > 0 && strcmp(argv[0], "--help") == 0) {
        fputs(options_help, stdout);
        return 0;
    }
    if (!options_parse(argc, argv, &options, &problem)) {
        fprintf(stderr, "rowkey: %s\ntry `rowkey --help`\n", problem);
        return 2;
    }
    log_level_set(options.log_level);
    static char hba_path[4096];
    snprintf(hba_path, sizeof hba_path, "%s/pg_hba.conf", options.data_directory);
    if (!options.hba_file && access(hba_path, F_OK) == 0) options.hba_file = hba_path;
    block_signals();
    raise_descriptor_limit();
    Arena *arena = arena_create(NULL, 0);
    int status = run_server(&options, arena);
    arena_destroy(arena);
    return status;
}

int main(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : "--help";
    if (strcmp(command, "serve") == 0) return serve(argc - 2, argv + 2);
    if (strcmp(command, "check") == 0) return maintenance_check(argc - 2, argv + 2);
    if (strcmp(command, "compact") == 0) return maintenance_compact(argc - 2, argv + 2);
    if (strcmp(command, "restore") == 0) return maintenance_restore(argc - 2, argv + 2);
    if (strcmp(command, "node") == 0) return node_status(argc - 2, argv + 2);
    if (strcmp(command, "--version") == 0) {
        puts("rowkey " ROWKEY_VERSION " (PostgreSQL 15 protocol and dialect)");
        return 0;
    }
    if (strcmp(command, "--help") == 0) {
        fputs(options_help, stdout);
        return argc > 1 ? 0 : 2;
    }
    fprintf(stderr, "rowkey: unknown command \"%s\"\ntry `rowkey --help`\n", command);
    return 2;
}
