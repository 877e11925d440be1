#include "executor/temp_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct TempFile {
    Arena *arena;
    int fd;
    uint64_t size;
};

static void close_file(void *file)
{
    close(((TempFile *)file)->fd);
}

static Status io_error(TempFile *file, const char *what, Error *err)
{
    return err_set(err, file->arena, errno == ENOSPC ? ERR_DISK_FULL : ERR_IO_ERROR, "could not %s temporary file: %s", what,
                   strerror(errno));
}

Status temp_file_create(const char *directory, TempFile **out, Arena *arena, Error *err)
{
    TempFile *file = ARENA_NEW(arena, TempFile);
    file->arena = arena;
    const char *where = directory ? directory : "/tmp";
    file->fd = open(where, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file->fd < 0) {
        /* Not every file system has files without a name. */
        char *name = arena_printf(arena, "%s/rowkey-temp-XXXXXX", where);
        file->fd = mkostemp(name, O_CLOEXEC);
        if (file->fd >= 0) unlink(name);
    }
    if (file->fd < 0) return io_error(file, "create", err);
    arena_defer(arena, close_file, file);
    *out = file;
    return ST_OK;
}

Status temp_file_append(TempFile *file, Slice bytes, uint64_t *offset, Error *err)
{
    *offset = file->size;
    for (size_t done = 0; done < bytes.size;) {
        ssize_t n = pwrite(file->fd, bytes.data + done, bytes.size - done, (off_t)(file->size + done));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return io_error(file, "write to", err);
        done += (size_t)n;
    }
    file->size += bytes.size;
    return ST_OK;
}

Status temp_file_read(TempFile *file, uint64_t offset, void *to, size_t size, Error *err)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = pread(file->fd, (uint8_t *)to + done, size - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n == 0) errno = EIO;
        if (n <= 0) return io_error(file, "read from", err);
        done += (size_t)n;
    }
    return ST_OK;
}

uint64_t temp_file_size(const TempFile *file)
{
    return file->size;
}

void temp_file_clear(TempFile *file)
{
    file->size = 0;
}
