/* run_file.h - sorted runs of writes in a temporary file: where an overlay goes that outgrows its memory.
 *
 *   block   entries of about 16 KiB together; a run knows each block's place and first key
 *   entry   kind (1), moment (8), key size (4), value size or 0 (4), key, value; an add's delta (8) in the value's place
 *
 * A run is written once, in key order, each key at most once, and then only read. A Bloom filter spares most look-ups of
 * keys that are not in it. The file has no name and ends with the process. Numbers are in the machine's own byte order.
 * Errors: 53100 or 58030.
 */
#ifndef STORAGE_TXN_RUN_FILE_H
#define STORAGE_TXN_RUN_FILE_H

#include "storage/base/buf.h"
#include "storage/txn/overlay.h"

typedef struct RunBlock {
    Slice first;
    uint64_t offset;
    uint32_t size;
} RunBlock;

typedef struct Run {
    int file;
    uint64_t moment_max;
    VEC(RunBlock) blocks;
    uint8_t *filter;
    uint64_t filter_bits; /* a power of two */
} Run;

typedef struct RunWriter {
    Arena *arena; /* of the run */
    Run *run;
    Buf block;
    uint64_t offset; /* in the file, of the next block */
} RunWriter;

/* A file in the directory that nobody else can see. -1 and errno if it cannot be made. */
int run_file_create(const char *directory);

void run_writer_init(RunWriter *writer, Arena *arena, int file, uint64_t offset, size_t keys_expected);
Status run_writer_add(RunWriter *writer, Slice key, const Write *write, Error *err);
/* *run is NULL if nothing was added. Releases the writer, whatever the outcome; writer->offset is behind the run. */
Status run_writer_finish(RunWriter *writer, Run **run, Error *err);

/* Stands on an entry while there is one. */
typedef struct RunCursor {
    const Run *run;
    bool descending, at_entry;
    int block;        /* loaded: -1 none */
    uint8_t *bytes;   /* of the block */
    size_t bytes_max;
    uint32_t *places; /* of its entries */
    int count, places_max, at;
    Slice key;
    Write write; /* older is NULL; data is borrowed from the block */
} RunCursor;

void run_cursor_init(RunCursor *cursor, const Run *run, bool descending);
Status run_cursor_seek(RunCursor *cursor, Slice key, Error *err); /* as overlay_cursor_seek */
Status run_cursor_next(RunCursor *cursor, Error *err);
void run_cursor_finish(RunCursor *cursor);

bool run_may_hold(const Run *run, Slice key);
/* To the entry of the key, if there is one. The cursor was initialised ascending. */
Status run_cursor_find(RunCursor *cursor, Slice key, bool *found, Error *err);

#endif
