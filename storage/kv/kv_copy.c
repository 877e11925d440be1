#include "storage/kv/kv_copy.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const char file_name[] = "data.mdb", new_name[] = "data.mdb.new";

enum { COPY_BYTES = 1 << 20 };

static Status fail(Arena *arena, Error *err, const char *action, const char *path)
{
    int problem = errno;
    bool full = problem == ENOSPC || problem == EDQUOT;
    return err_set(err, arena, full ? ERR_DISK_FULL : ERR_IO_ERROR, "could not %s \"%s\": %s", action, path,
                   strerror(problem));
}

static Status sync_directory(const char *directory, Arena *arena, Error *err)
{
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return fail(arena, err, "open directory", directory);
    Status st = fsync(fd) == 0 ? ST_OK : fail(arena, err, "synchronize directory", directory);
    close(fd);
    return st;
}

static bool is_empty(const char *directory)
{
    DIR *listing = opendir(directory);
    if (!listing) return false;
    bool empty = true;
    for (struct dirent *entry; empty && (entry = readdir(listing));)
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    closedir(listing);
    return empty;
}

/* *made: it was not there. */
static Status directory_make(const char *directory, bool *made, Arena *arena, Error *err)
{
    *made = mkdir(directory, 0700) == 0;
    if (*made) return ST_OK;
    if (errno != EEXIST) return fail(arena, err, "create directory", directory);
    if (is_empty(directory)) return ST_OK;
    return err_set(err, arena, ERR_OBJECT_NOT_IN_PREREQUISITE_STATE, "directory \"%s\" exists but is not empty",
                   directory);
}

/* Whoever made the directory sees to it that it is there after a crash, too. */
static Status sync_parent(const char *directory, Arena *arena, Error *err)
{
    return sync_directory(dirname(arena_strdup(arena, directory)), arena, err);
}

static Status file_create(const char *path, int *fd, Arena *arena, Error *err)
{
    *fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    return *fd >= 0 ? ST_OK : fail(arena, err, "create file", path);
}

static Status file_finish(int fd, const char *path, uint64_t *bytes, Arena *arena, Error *err)
{
    struct stat file;
    if (fsync(fd) != 0) return fail(arena, err, "synchronize file", path);
    if (fstat(fd, &file) != 0) return fail(arena, err, "read the size of file", path);
    *bytes = (uint64_t)file.st_size;
    return ST_OK;
}

/* Writes the file under its other name and gives it its own; nothing is left of it after an error. */
static Status copy_into(Kv *kv, const char *directory, uint64_t *bytes, Arena *arena, Error *err)
{
    const char *new_path = arena_printf(arena, "%s/%s", directory, new_name);
    const char *path = arena_printf(arena, "%s/%s", directory, file_name);
    int fd;
    TRY(file_create(new_path, &fd, arena, err));
    Status st = kv_backup(kv, fd, err);
    if (st == ST_OK) st = file_finish(fd, new_path, bytes, arena, err);
    close(fd);
    if (st == ST_OK && rename(new_path, path) != 0) st = fail(arena, err, "rename file", new_path);
    if (st != ST_OK) unlink(new_path);
    return st == ST_OK ? sync_directory(directory, arena, err) : st;
}

Status kv_copy_to(Kv *kv, const char *directory, uint64_t *bytes, Arena *arena, Error *err)
{
    bool made;
    TRY(directory_make(directory, &made, arena, err));
    Status st = copy_into(kv, directory, bytes, arena, err);
    if (st == ST_OK && made) st = sync_parent(directory, arena, err);
    if (st != ST_OK && made) rmdir(directory);
    return st;
}

/* The store stays open, and with it locked, until the new file is in place: nobody can commit to the old one in
 * between. */
Status kv_compact(const char *directory, uint64_t *bytes_before, uint64_t *bytes_after, Arena *arena, Error *err)
{
    Kv *kv;
    KvOptions options = {.readers_max = 16};
    KvStatus status = {0};
    const char *path = arena_printf(arena, "%s/%s", directory, file_name);
    if (access(path, R_OK | W_OK) != 0) return fail(arena, err, "open file", path);
    TRY(kv_open("lmdb", directory, &options, &kv, arena, err));
    Status st = kv_checkpoint(kv, err);
    kv_status(kv, &status);
    *bytes_before = status.file_bytes;
    if (st == ST_OK) st = copy_into(kv, directory, bytes_after, arena, err);
    kv_close(kv);
    return st;
}

/* ---- a file that lies still ---- */

static Status copy_bytes(int from, int to, const char *path, Arena *arena, Error *err)
{
    uint8_t *buffer = arena_alloc(arena, COPY_BYTES);
    for (;;) {
        ssize_t n = read(from, buffer, COPY_BYTES);
        if (n == 0) return ST_OK;
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail(arena, err, "read the file to be copied to", path);
        for (ssize_t done = 0; done < n;) {
            ssize_t written = write(to, buffer + done, (size_t)(n - done));
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) return fail(arena, err, "write file", path);
            done += written;
        }
    }
}

Status kv_copy_file(const char *from_directory, const char *directory, Arena *arena, Error *err)
{
    const char *from = arena_printf(arena, "%s/%s", from_directory, file_name);
    const char *path = arena_printf(arena, "%s/%s", directory, file_name);
    uint64_t bytes;
    int to;
    int source = open(from, O_RDONLY | O_CLOEXEC);
    if (source < 0) return fail(arena, err, "open file", from);
    Status st = mkdir(directory, 0700) == 0 ? ST_OK : fail(arena, err, "create directory", directory);
    if (st == ST_OK) st = file_create(path, &to, arena, err);
    if (st == ST_OK) {
        st = copy_bytes(source, to, path, arena, err);
        if (st == ST_OK) st = file_finish(to, path, &bytes, arena, err);
        close(to);
    }
    close(source);
    if (st == ST_OK) st = sync_directory(directory, arena, err);
    return st == ST_OK ? sync_parent(directory, arena, err) : st;
}
