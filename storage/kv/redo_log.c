#include "storage/kv/redo_log.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/base/log.h"
#include "storage/kv/crc32c.h"

enum {
    SLOTS = 2,
    HEAD_SIZE = 36, /* of a segment */
    RECORDS_AT = 512, /* a sector of its own, so that writing records cannot tear the head */
    RECORD_HEAD = 16,
    PAIR_HEAD = 7,
    EXTENT_MIN = 256 << 10,
    EXTENT_MAX = 4 << 20,
    PAIR_PUT = 1,
    PAIR_DELETE = 2
};

static const uint8_t magic[8] = "rowkeyL1";

typedef struct Slot {
    char path[4096];
    int file;                  /* -1: not there */
    _Atomic uint64_t allocated; /* bytes that exist */
} Slot;

struct RedoLog {
    int directory;
    bool no_sync;
    Slot slots[SLOTS];
    _Atomic int current; /* the file of the slot that is written */
    uint64_t segment, version, end;
    uint32_t crc; /* of the last record */
    bool started; /* the segment's head is on the disk */
    _Atomic uint64_t syncs;
    _Atomic int64_t fault_calls_left;
    _Atomic int fault;
};

/* ---- files ---- */

void redo_log_fault_arm(RedoLog *log, uint64_t n, RedoFault fault)
{
    atomic_store(&log->fault, (int)fault);
    atomic_store(&log->fault_calls_left, (int64_t)n);
}

typedef enum Call { CALL_WRITE, CALL_GROW, CALL_SYNC } Call;

static bool concerns(RedoFault fault, Call call)
{
    if (fault == REDO_FAULT_SYNC) return call == CALL_SYNC;
    return fault == REDO_FAULT_NO_GROWTH ? call == CALL_GROW : call != CALL_SYNC;
}

/* Whether this call is one that shall fail. */
static bool strikes(RedoLog *log, Call call)
{
    int64_t left = atomic_load(&log->fault_calls_left);
    RedoFault fault = (RedoFault)atomic_load(&log->fault);
    if (left <= 0 || !concerns(fault, call)) return false;
    if (left == 1 && (fault == REDO_FAULT_DISK_FULL || fault == REDO_FAULT_NO_GROWTH)) return true;
    return atomic_fetch_sub(&log->fault_calls_left, 1) == 1;
}

static int write_at(RedoLog *log, const Slot *slot, Slice bytes, uint64_t offset)
{
    const uint8_t *data = bytes.data;
    size_t size = bytes.size;
    int rc = 0;
    if (strikes(log, offset < atomic_load(&slot->allocated) ? CALL_WRITE : CALL_GROW)) {
        RedoFault fault = (RedoFault)atomic_load(&log->fault);
        rc = fault == REDO_FAULT_DISK_FULL || fault == REDO_FAULT_NO_GROWTH ? ENOSPC : EIO;
        size = fault == REDO_FAULT_SHORT_WRITE ? size / 2 : 0;
    }
    while (size) {
        ssize_t n = pwrite(slot->file, data, size, (off_t)offset);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        if (n == 0) return EIO;
        data += n;
        offset += (uint64_t)n;
        size -= (size_t)n;
    }
    return rc;
}

static int sync_file(RedoLog *log, int file)
{
    if (strikes(log, CALL_SYNC)) return EIO;
    if (log->no_sync) return 0;
    atomic_fetch_add(&log->syncs, 1);
    return fdatasync(file) == 0 ? 0 : errno;
}

static Slot *slot_of(RedoLog *log, uint64_t segment)
{
    return &log->slots[segment % SLOTS];
}

static int slot_create(RedoLog *log, Slot *slot)
{
    slot->file = open(slot->path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (slot->file < 0) return errno;
    atomic_store(&slot->allocated, 0);
    return log->no_sync || fsync(log->directory) == 0 ? 0 : errno;
}

/* Zeros up to `end` at least. What was written before a failure remains in use. Page by page, as the page cache keeps what
 * is written at once in one piece, and counts all of it as dirty when a record changes a part. */
static int slot_extend(RedoLog *log, Slot *slot, uint64_t end)
{
    static const uint8_t zeros[4096];
    uint64_t allocated = atomic_load(&slot->allocated);
    if (end <= allocated) return 0;
    uint64_t extent = allocated < EXTENT_MIN ? EXTENT_MIN : allocated < EXTENT_MAX ? allocated : EXTENT_MAX;
    uint64_t target = end > allocated + extent ? end : allocated + extent;
    while (allocated < target) {
        size_t size = target - allocated < sizeof zeros ? (size_t)(target - allocated) : sizeof zeros;
        int rc = write_at(log, slot, slice_of(zeros, size), allocated);
        if (rc) return rc;
        allocated += size;
        atomic_store(&slot->allocated, allocated);
    }
    return 0;
}

static bool slot_open(Slot *slot)
{
    struct stat file;
    slot->file = open(slot->path, O_RDWR | O_CLOEXEC);
    if (slot->file < 0) return errno == ENOENT;
    if (fstat(slot->file, &file) != 0) return false;
    atomic_store(&slot->allocated, (uint64_t)file.st_size);
    return true;
}

Status redo_log_open(const char *directory, bool no_sync, RedoLog **out, Arena *arena, Error *err)
{
    RedoLog *log = calloc(1, sizeof *log);
    if (!log) return err_no_memory(err);
    log->no_sync = no_sync;
    atomic_init(&log->current, -1);
    for (int i = 0; i < SLOTS; i++) log->slots[i].file = -1;
    log->directory = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool opened = log->directory >= 0;
    for (int i = 0; i < SLOTS && opened; i++) {
        int size = snprintf(log->slots[i].path, sizeof log->slots[i].path, "%s/redo.%d", directory, i);
        opened = size > 0 && (size_t)size < sizeof log->slots[i].path && slot_open(&log->slots[i]);
    }
    if (!opened) {
        err_set(err, arena, ERR_IO_ERROR, "could not open the redo log in \"%s\": %s", directory, strerror(errno));
        redo_log_close(log);
        return ST_ERROR;
    }
    *out = log;
    return ST_OK;
}

void redo_log_close(RedoLog *log)
{
    if (!log) return;
    for (int i = 0; i < SLOTS; i++)
        if (log->slots[i].file >= 0) close(log->slots[i].file);
    if (log->directory >= 0) close(log->directory);
    free(log);
}

void redo_log_remove(RedoLog *log)
{
    for (int i = 0; i < SLOTS; i++) (void)unlink(log->slots[i].path);
    redo_log_close(log);
}

/* ---- writing ---- */

static void store_be(uint8_t *out, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) out[i] = (uint8_t)(value >> (8 * (bytes - 1 - i)));
}

void redo_log_start(RedoLog *log, uint64_t segment, uint64_t version)
{
    log->segment = segment;
    log->version = version;
    log->started = false;
}

bool redo_log_is_started(const RedoLog *log)
{
    return log->started;
}

static int segment_begin(RedoLog *log)
{
    uint8_t head[HEAD_SIZE];
    uint64_t salt;
    Slot *slot = slot_of(log, log->segment);
    if (getrandom(&salt, sizeof salt, 0) != sizeof salt) return errno;
    int rc = slot->file < 0 ? slot_create(log, slot) : 0;
    if (rc == 0) rc = slot_extend(log, slot, RECORDS_AT);
    if (rc) return rc;
    memcpy(head, magic, sizeof magic);
    store_be(head + 8, log->segment, 8);
    store_be(head + 16, salt, 8);
    store_be(head + 24, log->version, 8);
    log->crc = crc32c(0, head, HEAD_SIZE - 4);
    store_be(head + HEAD_SIZE - 4, log->crc, 4);
    rc = write_at(log, slot, slice_of(head, sizeof head), 0);
    /* Afterwards a file whose head cannot be read is damaged, not merely unfinished. */
    if (rc == 0) rc = sync_file(log, slot->file);
    if (rc) return rc;
    log->end = RECORDS_AT;
    log->started = true;
    atomic_store(&log->current, slot->file);
    return 0;
}

void redo_record_begin(Buf *record)
{
    static const uint8_t head[RECORD_HEAD];
    if (!record->bytes_max) record->bytes_max = (size_t)1 << 31;
    buf_clear(record);
    buf_put(record, head, sizeof head);
}

void redo_record_put(Buf *record, Slice key, const Slice *value)
{
    uint8_t head[PAIR_HEAD];
    head[0] = value ? PAIR_PUT : PAIR_DELETE;
    store_be(head + 1, key.size, 2);
    store_be(head + 3, value ? value->size : 0, 4);
    buf_put(record, head, sizeof head);
    buf_put_slice(record, key);
    if (value) buf_put_slice(record, *value);
}

bool redo_record_is_empty(const Buf *record)
{
    return record->size <= RECORD_HEAD;
}

int redo_log_append(RedoLog *log, Buf *record, uint64_t version)
{
    assert(record->size >= RECORD_HEAD && version > log->version);
    if (record->failed) return ENOMEM;
    int rc = log->started ? 0 : segment_begin(log);
    Slot *slot = slot_of(log, log->segment);
    if (rc == 0) rc = slot_extend(log, slot, log->end + record->size);
    if (rc) return rc;
    store_be(record->data + 4, record->size - RECORD_HEAD, 4);
    store_be(record->data + 8, version, 8);
    uint32_t crc = crc32c(log->crc, record->data + 4, record->size - 4);
    store_be(record->data, crc, 4);
    rc = write_at(log, slot, buf_slice(record), log->end);
    if (rc) return rc;
    log->crc = crc;
    log->end += record->size;
    log->version = version;
    return 0;
}

int redo_log_sync(RedoLog *log)
{
    int file = atomic_load(&log->current);
    return file < 0 ? 0 : sync_file(log, file);
}

uint64_t redo_log_bytes(const RedoLog *log)
{
    uint64_t bytes = 0;
    for (int i = 0; i < SLOTS; i++) bytes += atomic_load(&log->slots[i].allocated);
    return bytes;
}

uint64_t redo_log_syncs(const RedoLog *log)
{
    return atomic_load(&log->syncs);
}

/* ---- recovery ---- */

typedef struct Segment {
    uint64_t number, version; /* before its first record */
    uint32_t crc;
    Buf bytes;
} Segment;

static Status damaged(const Slot *slot, const char *what, Arena *arena, Error *err)
{
    err_set(err, arena, ERR_DATA_CORRUPTED, "redo log file \"%s\" is damaged", slot->path);
    err_detail(err, arena, "%s", what);
    return ST_ERROR;
}

static Status read_whole(const Slot *slot, Buf *bytes, Arena *arena, Error *err)
{
    uint64_t size = atomic_load(&slot->allocated);
    bytes->bytes_max = SIZE_MAX / 2;
    if (!buf_reserve(bytes, size)) return err_no_memory(err);
    while (bytes->size < size) {
        ssize_t n = pread(slot->file, bytes->data + bytes->size, size - bytes->size, (off_t)bytes->size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return err_set(err, arena, ERR_IO_ERROR, "could not read file \"%s\": %s", slot->path, strerror(errno));
        if (n == 0) break;
        bytes->size += (size_t)n;
    }
    return ST_OK;
}

/* number 0: the file holds no segment. */
static Status head_read(const Slot *slot, Segment *segment, Arena *arena, Error *err)
{
    static const uint8_t zeros[HEAD_SIZE];
    uint8_t head[HEAD_SIZE];
    *segment = (Segment){0};
    ssize_t n = slot->file < 0 ? 0 : pread(slot->file, head, sizeof head, 0);
    if (n < 0) return err_set(err, arena, ERR_IO_ERROR, "could not read file \"%s\": %s", slot->path, strerror(errno));
    if (n < HEAD_SIZE || memcmp(head, zeros, HEAD_SIZE) == 0) return ST_OK;
    segment->crc = crc32c(0, head, HEAD_SIZE - 4);
    if (memcmp(head, magic, sizeof magic) != 0 || load_u32(head + HEAD_SIZE - 4) != segment->crc)
        return damaged(slot, "The head of the segment cannot be read.", arena, err);
    segment->number = load_u64(head + 8);
    segment->version = load_u64(head + 24);
    return ST_OK;
}

/* A body whose checksum is right was written by redo_record_put. */
static bool body_take(Slice body, uint64_t version, RedoPairTaker take, void *argument)
{
    while (body.size >= PAIR_HEAD) {
        size_t key_size = load_u16(body.data + 1), value_size = load_u32(body.data + 3);
        assert(key_size + value_size <= body.size - PAIR_HEAD);
        Slice key = slice_of(body.data + PAIR_HEAD, key_size), value = slice_of(key.data + key_size, value_size);
        if (!take(argument, version, key, body.data[0] == PAIR_PUT ? &value : NULL)) return false;
        size_t size = PAIR_HEAD + key_size + value_size;
        body = slice_of(body.data + size, body.size - size);
    }
    return true;
}

/* The record at the offset, if it is whole; the CRC of the one before is in *crc. */
static bool record_read(const Buf *bytes, size_t at, uint32_t *crc, uint64_t *version, Slice *body)
{
    if (at > bytes->size || bytes->size - at < RECORD_HEAD) return false;
    const uint8_t *head = bytes->data + at;
    size_t size = load_u32(head + 4);
    if (size > bytes->size - at - RECORD_HEAD) return false;
    uint32_t computed = crc32c(*crc, head + 4, RECORD_HEAD - 4 + size);
    if (computed != load_u32(head)) return false;
    *crc = computed;
    *version = load_u64(head + 8);
    *body = slice_of(head + RECORD_HEAD, size);
    return true;
}

static Status discontinuous(Error *err)
{
    *err = (Error){.sqlstate = ERR_DATA_CORRUPTED,
                   .message = "the redo log does not continue where the segment before it or the store ends"};
    return ST_ERROR;
}

static Status segment_take(Segment *segment, uint64_t *version, RedoPairTaker take, void *argument, Error *err)
{
    size_t at = RECORDS_AT;
    uint64_t record_version;
    uint64_t base = *version;
    uint32_t crc = segment->crc;
    Slice body;
    while (record_read(&segment->bytes, at, &crc, &record_version, &body)) {
        /* A head alone says nothing: a commit that went past the log may have followed it. */
        if (segment->version != base || record_version <= *version) return discontinuous(err);
        if (!body_take(body, record_version, take, argument)) return err_no_memory(err);
        *version = record_version;
        at += RECORD_HEAD + body.size;
    }
    return ST_OK;
}

Status redo_log_recover(RedoLog *log, RedoPosition *position, RedoPairTaker take, void *argument, Arena *arena, Error *err)
{
    Segment found[SLOTS] = {{0}};
    uint64_t newest = position->segment;
    for (int i = 0; i < SLOTS; i++) {
        TRY(head_read(&log->slots[i], &found[i], arena, err));
        if (found[i].number && found[i].number % SLOTS != (uint64_t)i)
            return damaged(&log->slots[i], "It holds the other file's segment.", arena, err);
        if (found[i].number > newest) newest = found[i].number;
    }
    Status status = ST_OK;
    while (status == ST_OK && position->segment < newest) {
        Segment *next = &found[(position->segment + 1) % SLOTS];
        const Slot *slot = &log->slots[(position->segment + 1) % SLOTS];
        if (next->number != position->segment + 1) return damaged(slot, "A segment is missing.", arena, err);
        status = read_whole(slot, &next->bytes, arena, err);
        if (status == ST_OK) status = segment_take(next, &position->version, take, argument, err);
        if (status != ST_OK) err_detail(err, arena, "File \"%s\".", slot->path);
        buf_finish(&next->bytes);
        position->segment++;
    }
    return status;
}
