#include "storage/txn/run_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "storage/base/map.h"

enum { BLOCK_BYTES = 16 * 1024, ENTRY_HEADER = 1 + 8 + 4 + 4, FILTER_PROBES = 4, FILTER_BITS_A_KEY = 10 };

static Status file_error(int code, Error *err)
{
    bool full = code == ENOSPC || code == EDQUOT || code == EFBIG;
    *err = full ? (Error){.sqlstate = ERR_DISK_FULL, .message = "could not write to temporary file: No space left on device"}
                : (Error){.sqlstate = ERR_IO_ERROR, .message = "could not read or write temporary file: Input/output error"};
    return ST_ERROR;
}

int run_file_create(const char *directory)
{
    char path[4096];
    int file = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0) return file;
    int size = snprintf(path, sizeof path, "%s/rowkey-run-XXXXXX", directory);
    if (size < 0 || (size_t)size >= sizeof path) return -1;
    file = mkostemp(path, O_CLOEXEC);
    if (file >= 0) unlink(path);
    return file;
}

/* ---- the filter ---- */

static uint64_t filter_bit(const Run *run, uint64_t hash, int probe)
{
    return (hash + (uint64_t)probe * ((hash >> 32) | 1)) & (run->filter_bits - 1);
}

static void filter_add(Run *run, Slice key)
{
    uint64_t hash = hash_bytes(key.data, key.size);
    for (int i = 0; i < FILTER_PROBES; i++) {
        uint64_t bit = filter_bit(run, hash, i);
        run->filter[bit / 8] |= (uint8_t)(1u << (bit % 8));
    }
}

bool run_may_hold(const Run *run, Slice key)
{
    uint64_t hash = hash_bytes(key.data, key.size);
    for (int i = 0; i < FILTER_PROBES; i++) {
        uint64_t bit = filter_bit(run, hash, i);
        if (!(run->filter[bit / 8] & (1u << (bit % 8)))) return false;
    }
    return true;
}

/* ---- writing ---- */

void run_writer_init(RunWriter *writer, Arena *arena, int file, uint64_t offset, size_t keys_expected)
{
    uint64_t bits = 1024;
    while (bits < (uint64_t)keys_expected * FILTER_BITS_A_KEY) bits *= 2;
    *writer = (RunWriter){.arena = arena, .run = ARENA_NEW(arena, Run), .offset = offset};
    writer->run->file = file;
    writer->run->filter = arena_alloc(arena, bits / 8);
    writer->run->filter_bits = bits;
}

static Status block_write(RunWriter *writer, Error *err)
{
    RunBlock *block = &VEC_LAST(writer->run->blocks);
    size_t done = 0;
    if (writer->block.failed) return err_no_memory(err);
    block->offset = writer->offset;
    block->size = (uint32_t)writer->block.size;
    while (done < writer->block.size) {
        ssize_t n = pwrite(writer->run->file, writer->block.data + done, writer->block.size - done,
                           (off_t)(writer->offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return file_error(n < 0 ? errno : EIO, err);
        done += (size_t)n;
    }
    writer->offset += done;
    buf_clear(&writer->block);
    return ST_OK;
}

Status run_writer_add(RunWriter *writer, Slice key, const Write *write, Error *err)
{
    Run *run = writer->run;
    uint32_t key_size = (uint32_t)key.size, value_size = write->kind == WRITE_PUT ? write->size : 0;
    uint8_t kind = (uint8_t)write->kind;
    if (!writer->block.size) VEC_PUSH(writer->arena, run->blocks, (RunBlock){.first = arena_slice(writer->arena, key)});
    buf_put_u8(&writer->block, kind);
    buf_put(&writer->block, &write->moment, sizeof write->moment);
    buf_put(&writer->block, &key_size, sizeof key_size);
    buf_put(&writer->block, &value_size, sizeof value_size);
    buf_put(&writer->block, key.data, key.size);
    if (value_size) buf_put(&writer->block, write->value.data, value_size);
    if (write->kind == WRITE_ADD) buf_put(&writer->block, &write->value.delta, sizeof write->value.delta);
    filter_add(run, key);
    if (write->moment > run->moment_max) run->moment_max = write->moment;
    return writer->block.size >= BLOCK_BYTES ? block_write(writer, err) : ST_OK;
}

Status run_writer_finish(RunWriter *writer, Run **run, Error *err)
{
    Status status = writer->block.size ? block_write(writer, err) : ST_OK;
    *run = writer->run->blocks.count ? writer->run : NULL;
    buf_finish(&writer->block);
    return status;
}

/* ---- reading ---- */

void run_cursor_init(RunCursor *cursor, const Run *run, bool descending)
{
    *cursor = (RunCursor){.run = run, .descending = descending, .block = -1};
}

void run_cursor_finish(RunCursor *cursor)
{
    free(cursor->bytes);
    free(cursor->places);
    *cursor = (RunCursor){.block = -1};
}

static size_t entry_size(const uint8_t *entry)
{
    uint32_t key_size, value_size;
    memcpy(&key_size, entry + 9, sizeof key_size);
    memcpy(&value_size, entry + 13, sizeof value_size);
    return ENTRY_HEADER + key_size + value_size + (entry[0] == WRITE_ADD ? 8 : 0);
}

static Slice entry_key(const RunCursor *cursor, int at)
{
    uint32_t key_size;
    const uint8_t *entry = cursor->bytes + cursor->places[at];
    memcpy(&key_size, entry + 9, sizeof key_size);
    return slice_of(entry + ENTRY_HEADER, key_size);
}

static Status places_find(RunCursor *cursor, size_t size, Error *err)
{
    cursor->count = 0;
    for (size_t place = 0; place < size; place += entry_size(cursor->bytes + place)) {
        if (cursor->count == cursor->places_max) {
            int max = cursor->places_max ? cursor->places_max * 2 : 256;
            uint32_t *places = realloc(cursor->places, sizeof *places * (size_t)max);
            if (!places) return err_no_memory(err);
            cursor->places = places;
            cursor->places_max = max;
        }
        cursor->places[cursor->count++] = (uint32_t)place;
    }
    return ST_OK;
}

static Status block_load(RunCursor *cursor, int number, Error *err)
{
    const RunBlock *block = &cursor->run->blocks.items[number];
    if (cursor->block == number) return ST_OK;
    cursor->block = -1;
    if (block->size > cursor->bytes_max) {
        uint8_t *bytes = realloc(cursor->bytes, block->size);
        if (!bytes) return err_no_memory(err);
        cursor->bytes = bytes;
        cursor->bytes_max = block->size;
    }
    for (size_t done = 0; done < block->size;) {
        ssize_t n = pread(cursor->run->file, cursor->bytes + done, block->size - done, (off_t)(block->offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return file_error(n < 0 ? errno : EIO, err);
        done += (size_t)n;
    }
    TRY(places_find(cursor, block->size, err));
    cursor->block = number;
    return ST_OK;
}

/* Reads the entry that the cursor is at. */
static void entry_read(RunCursor *cursor)
{
    const uint8_t *entry = cursor->bytes + cursor->places[cursor->at];
    uint32_t value_size;
    cursor->key = entry_key(cursor, cursor->at);
    cursor->write = (Write){.kind = (WriteKind)entry[0]};
    memcpy(&cursor->write.moment, entry + 1, sizeof cursor->write.moment);
    memcpy(&value_size, entry + 13, sizeof value_size);
    const uint8_t *value = entry + ENTRY_HEADER + cursor->key.size;
    if (cursor->write.kind == WRITE_ADD)
        memcpy(&cursor->write.value.delta, value, sizeof cursor->write.value.delta);
    else
        cursor->write.value.data = value;
    cursor->write.size = value_size;
    cursor->at_entry = true;
}

/* From the place it is at, which may be one outside the block on either side. */
static Status settle(RunCursor *cursor, Error *err)
{
    cursor->at_entry = false;
    if (cursor->at >= cursor->count) {
        if (cursor->block + 1 >= cursor->run->blocks.count) return ST_OK;
        TRY(block_load(cursor, cursor->block + 1, err));
        cursor->at = 0;
    } else if (cursor->at < 0) {
        if (cursor->block == 0) return ST_OK;
        TRY(block_load(cursor, cursor->block - 1, err));
        cursor->at = cursor->count - 1;
    }
    entry_read(cursor);
    return ST_OK;
}

/* The last block that starts at or before the key; the first if none does. */
static int block_of(const Run *run, Slice key)
{
    int low = 0, high = run->blocks.count;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (slice_compare(run->blocks.items[middle].first, key) <= 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int first_at_least(const RunCursor *cursor, Slice key)
{
    int low = 0, high = cursor->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (slice_compare(entry_key(cursor, middle), key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

Status run_cursor_seek(RunCursor *cursor, Slice key, Error *err)
{
    bool behind_all = cursor->descending && !key.size;
    assert(cursor->run->blocks.count > 0);
    TRY(block_load(cursor, behind_all ? cursor->run->blocks.count - 1 : block_of(cursor->run, key), err));
    cursor->at = behind_all ? cursor->count : first_at_least(cursor, key);
    if (cursor->descending) cursor->at--;
    return settle(cursor, err);
}

Status run_cursor_next(RunCursor *cursor, Error *err)
{
    assert(cursor->at_entry);
    cursor->at += cursor->descending ? -1 : 1;
    return settle(cursor, err);
}

Status run_cursor_find(RunCursor *cursor, Slice key, bool *found, Error *err)
{
    TRY(run_cursor_seek(cursor, key, err));
    *found = cursor->at_entry && slice_equal(cursor->key, key);
    return ST_OK;
}
