/* shim.c - makes the n-th call of a system function fail. Preloaded into a server by regress/suites/fault.py.
 *
 * The file that ROWKEY_FAULT names is mapped by the server and by the test: the test arms a fault in it and reads from it
 * how often each function was called. Writes count where they go to regular files other than stdout and stderr.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CALL_WRITE, CALL_SYNC, CALL_TRUNCATE, CALL_ALLOCATE, CALL_MALLOC, CALL_COUNT };
enum { HOW_FAIL, HOW_SHORT };

/* fault.py writes and reads the same, as 32-bit numbers. */
typedef struct Control {
    _Atomic int32_t call, countdown, error, how;
    _Atomic int32_t sticky; /* from the n-th call on all fail */
    _Atomic int32_t fired;
    _Atomic int32_t calls[CALL_COUNT];
} Control;

static Control none, *control = &none;

__attribute__((constructor)) static void map_control(void)
{
    const char *path = getenv("ROWKEY_FAULT");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0) return;
    void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (mapped != MAP_FAILED) control = mapped;
}

/* Is it this call's turn to fail? */
static int due(int call)
{
    atomic_fetch_add(&control->calls[call], 1);
    if (atomic_load(&control->call) != call) return 0;
    int32_t left = atomic_load(&control->countdown);
    if (left <= 0) return 0;
    if (atomic_fetch_sub(&control->countdown, 1) != 1) return 0;
    if (atomic_load(&control->sticky)) atomic_store(&control->countdown, 1);
    atomic_fetch_add(&control->fired, 1);
    errno = atomic_load(&control->error);
    return 1;
}

static int counts(int fd)
{
    struct stat file;
    int saved = errno;
    int regular = fd > STDERR_FILENO && fstat(fd, &file) == 0 && S_ISREG(file.st_mode);
    errno = saved;
    return regular;
}

static size_t cut(size_t size)
{
    return size > 1 ? size / 2 : size;
}

static int is_short(void)
{
    return atomic_load(&control->how) == HOW_SHORT;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t size)
{
    if (counts(fd) && due(CALL_WRITE)) {
        if (!is_short()) return -1;
        size = cut(size);
    }
    return REAL(write)(fd, bytes, size);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at)
{
    if (counts(fd) && due(CALL_WRITE)) {
        if (!is_short()) return -1;
        size = cut(size);
    }
    return REAL(pwrite64)(fd, bytes, size, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
    return pwrite64(fd, bytes, size, at);
}

ssize_t writev(int fd, const struct iovec *pieces, int count)
{
    if (counts(fd) && due(CALL_WRITE)) {
        if (!is_short()) return -1;
        return REAL(write)(fd, pieces[0].iov_base, cut(pieces[0].iov_len));
    }
    return REAL(writev)(fd, pieces, count);
}

ssize_t pwritev64(int fd, const struct iovec *pieces, int count, off64_t at)
{
    if (counts(fd) && due(CALL_WRITE)) {
        if (!is_short()) return -1;
        return REAL(pwrite64)(fd, pieces[0].iov_base, cut(pieces[0].iov_len), at);
    }
    return REAL(pwritev64)(fd, pieces, count, at);
}

ssize_t pwritev(int fd, const struct iovec *pieces, int count, off_t at)
{
    return pwritev64(fd, pieces, count, at);
}

int fdatasync(int fd)
{
    return counts(fd) && due(CALL_SYNC) ? -1 : REAL(fdatasync)(fd);
}

int fsync(int fd)
{
    return counts(fd) && due(CALL_SYNC) ? -1 : REAL(fsync)(fd);
}

int msync(void *start, size_t size, int flags)
{
    return due(CALL_SYNC) ? -1 : REAL(msync)(start, size, flags);
}

int ftruncate64(int fd, off64_t size)
{
    return counts(fd) && due(CALL_TRUNCATE) ? -1 : REAL(ftruncate64)(fd, size);
}

int ftruncate(int fd, off_t size)
{
    return ftruncate64(fd, size);
}

int fallocate64(int fd, int mode, off64_t at, off64_t size)
{
    return counts(fd) && due(CALL_ALLOCATE) ? -1 : REAL(fallocate64)(fd, mode, at, size);
}

int fallocate(int fd, int mode, off_t at, off_t size)
{
    return fallocate64(fd, mode, at, size);
}

int posix_fallocate64(int fd, off64_t at, off64_t size)
{
    return counts(fd) && due(CALL_ALLOCATE) ? errno : REAL(posix_fallocate64)(fd, at, size);
}

int posix_fallocate(int fd, off_t at, off_t size)
{
    return posix_fallocate64(fd, at, size);
}

/* ---- memory: dlsym itself allocates, so the real ones are called by their other names ---- */

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

void *malloc(size_t size)
{
    return due(CALL_MALLOC) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return due(CALL_MALLOC) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return due(CALL_MALLOC) ? NULL : __libc_realloc(block, size);
}
