#include "pgwire/maintenance.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "executor/check/check.h"
#include "storage/base/log.h"
#include "storage/keys/key_print.h"
#include "storage/kv/kv_copy.h"

enum { EXIT_WELL, EXIT_WRONG, EXIT_NOT_DONE };

static int fail(const Error *err)
{
    fprintf(stderr, "rowkey: %s\n", err->message);
    if (err->detail) fprintf(stderr, "rowkey: %s\n", err->detail);
    if (err->hint) fprintf(stderr, "rowkey: %s\n", err->hint);
    return EXIT_NOT_DONE;
}

static int usage(const char *text)
{
    fprintf(stderr, "usage: rowkey %s\ntry `rowkey --help`\n", text);
    return EXIT_NOT_DONE;
}

/* The file is mapped: reading what has been cut off it raises SIGBUS. */
static void file_cut_short(int number)
{
    static const char message[] = "rowkey: the store's file is cut short: a page that is in use lies behind its end\n";
    ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    (void)written;
    _exit(EXIT_WRONG);
}

/* ---- check ---- */

static void print_finding(void *argument, const Finding *finding)
{
    Arena *arena = arena_create(NULL, 0);
    printf("%s", finding->kind);
    if (finding->database) printf(" %s", finding->database);
    if (finding->table) printf(finding->database ? ".%s" : " %s", finding->table);
    if (finding->index) printf("@%s", finding->index);
    if (finding->key.size) printf(" %s", key_text(finding->key, NULL, arena));
    printf(": %s\n", finding->problem);
    arena_destroy(arena);
}

static void print_progress(void *argument, uint64_t pairs)
{
    fprintf(stderr, "rowkey: %" PRIu64 " pairs checked\n", pairs);
}

int maintenance_check(int argc, char **argv)
{
    if (argc != 1 || argv[0][0] == '-') return usage("check DIR");
    Arena *arena = arena_create(NULL, 0);
    Findings findings = {.report = print_finding, .progress = print_progress};
    Error err = {0};
    log_level_set(LOG_ERROR);
    signal(SIGBUS, file_cut_short);
    Status st = check_directory(argv[0], &findings, arena, &err);
    int status = findings.count ? EXIT_WRONG : EXIT_WELL;
    if (st != ST_OK)
        status = fail(&err);
    else
        printf("%" PRIu64 " findings, %" PRIu64 " pairs checked\n", findings.count, findings.pairs);
    fflush(stdout);
    arena_destroy(arena);
    return status;
}

/* ---- compact ---- */

int maintenance_compact(int argc, char **argv)
{
    if (argc != 1 || argv[0][0] == '-') return usage("compact DIR");
    Arena *arena = arena_create(NULL, 0);
    uint64_t before = 0, after = 0;
    Error err = {0};
    log_level_set(LOG_ERROR);
    Status st = kv_compact(argv[0], &before, &after, arena, &err);
    int status = st == ST_OK ? EXIT_WELL : fail(&err);
    if (st == ST_OK) printf("compacted from %" PRIu64 " to %" PRIu64 " bytes\n", before, after);
    arena_destroy(arena);
    return status;
}

/* ---- restore ---- */

/* The copy is checked before it gets its name, so a server never starts on one that was cut short. */
static int restore(const char *backup, const char *directory, const char *unfinished, Arena *arena)
{
    Findings findings = {.report = print_finding, .progress = print_progress};
    Error err = {0};
    if (kv_copy_file(backup, unfinished, arena, &err) != ST_OK) return fail(&err);
    if (check_directory(unfinished, &findings, arena, &err) != ST_OK) return fail(&err);
    if (findings.count) {
        fprintf(stderr, "rowkey: the backup is not whole; its copy stays in \"%s\"\n", unfinished);
        return EXIT_WRONG;
    }
    if (rename(unfinished, directory) != 0) {
        fprintf(stderr, "rowkey: could not rename \"%s\" to \"%s\": %s\n", unfinished, directory, strerror(errno));
        return EXIT_NOT_DONE;
    }
    printf("restored %" PRIu64 " pairs into \"%s\"\n", findings.pairs, directory);
    return EXIT_WELL;
}

int maintenance_restore(int argc, char **argv)
{
    if (argc != 2 || argv[0][0] == '-') return usage("restore BACKUP DIR");
    Arena *arena = arena_create(NULL, 0);
    log_level_set(LOG_ERROR);
    signal(SIGBUS, file_cut_short);
    size_t length = strlen(argv[1]);
    while (length > 1 && argv[1][length - 1] == '/') argv[1][--length] = 0;
    int status = EXIT_NOT_DONE;
    if (access(argv[1], F_OK) == 0 && rmdir(argv[1]) != 0)
        fprintf(stderr, "rowkey: directory \"%s\" exists but is not empty\n", argv[1]);
    else
        status = restore(argv[0], argv[1], arena_printf(arena, "%s.restoring", argv[1]), arena);
    fflush(stdout);
    arena_destroy(arena);
    return status;
}
