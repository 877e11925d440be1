/* row_store.c - a chunk in the file is an image of the chunk in memory:
 *
 *   per column: `count` Values, whose pointers are offsets into the heap     then the heap: the values' bytes
 */
#include "executor/row_store.h"

#include <assert.h>
#include <unistd.h>

#include "executor/temp_file.h"

typedef struct Chunk {
    Value **columns; /* NULL: in the file */
    int count, capacity;
    uint64_t offset, size;
} Chunk;

struct RowStore {
    Exec *exec;
    Arena *parent, *arena; /* arena: the chunks in memory */
    const TypeDef **types;
    int width;
    Chunk *chunks;
    int chunk_count, chunk_capacity, first_in_memory;
    int64_t rows;
    TempFile *file;
    bool spill_always;
};

RowStore *row_store_create(Exec *exec, const TypeDef *const *types, int width, Arena *arena)
{
    RowStore *store = ARENA_NEW(arena, RowStore);
    store->exec = exec;
    store->parent = arena;
    store->arena = arena_create(arena, 0);
    store->types = arena_copy(arena, types, sizeof *types * (size_t)width);
    store->width = width;
    return store;
}

void row_store_clear(RowStore *store)
{
    arena_reset(store->arena);
    store->chunk_count = store->first_in_memory = 0;
    store->rows = 0;
    if (store->file) temp_file_clear(store->file);
}

int64_t row_store_rows(const RowStore *store)
{
    return store->rows;
}

uint64_t row_store_spilled(const RowStore *store)
{
    return store->file ? temp_file_size(store->file) : 0;
}

/* ---- writing ---- */

static Status spill_chunk(RowStore *store, Chunk *chunk)
{
    Buf image = {0};
    size_t heap = 0;
    for (int c = 0; c < store->width; c++)
        for (int r = 0; r < chunk->count; r++) {
            Value v = chunk->columns[c][r];
            if (!v.null && store->types[c]->rep == REP_BYTES) {
                v.i = (int64_t)heap;
                heap += v.size;
            }
            buf_put(&image, &v, sizeof v);
        }
    for (int c = 0; c < store->width; c++)
        for (int r = 0; r < chunk->count; r++) {
            Value v = chunk->columns[c][r];
            if (!v.null && store->types[c]->rep == REP_BYTES) buf_put(&image, v.p, v.size);
        }
    chunk->size = image.size;
    Status st = image.failed ? err_no_memory(store->exec->err)
                             : temp_file_append(store->file, buf_slice(&image), &chunk->offset, store->exec->err);
    buf_finish(&image);
    chunk->columns = NULL;
    return st;
}

static Status spill_full_chunks(RowStore *store)
{
    if (!store->file) TRY(temp_file_create(store->exec->temp_directory, &store->file, store->parent, store->exec->err));
    for (; store->first_in_memory < store->chunk_count; store->first_in_memory++)
        TRY(spill_chunk(store, &store->chunks[store->first_in_memory]));
    arena_reset(store->arena);
    return ST_OK;
}

void row_store_spill_always(RowStore *store)
{
    store->spill_always = true;
}

Status row_store_spill(RowStore *store)
{
    return spill_full_chunks(store);
}

static Chunk *open_chunk(RowStore *store)
{
    if (store->chunk_count > 0) {
        Chunk *last = &store->chunks[store->chunk_count - 1];
        if (last->columns && last->count < last->capacity) return last;
    }
    if (store->chunk_count == store->chunk_capacity) {
        int capacity = store->chunk_capacity ? store->chunk_capacity * 2 : 8;
        store->chunks = arena_grow(store->parent, store->chunks, sizeof(Chunk) * (size_t)store->chunk_capacity,
                                   sizeof(Chunk) * (size_t)capacity);
        store->chunk_capacity = capacity;
    }
    Chunk *chunk = &store->chunks[store->chunk_count++];
    int rows = store->chunk_count < 4 ? BATCH_ROWS_FIRST << (2 * (store->chunk_count - 1)) : BATCH_ROWS_MAX;
    *chunk = (Chunk){.columns = ARENA_ARRAY(store->arena, Value *, store->width + 1), .capacity = rows};
    for (int c = 0; c < store->width; c++) chunk->columns[c] = ARENA_ARRAY(store->arena, Value, rows);
    return chunk;
}

static Status chunk_for_row(RowStore *store, Chunk **chunk)
{
    Chunk *last = store->chunk_count ? &store->chunks[store->chunk_count - 1] : NULL;
    bool full = last && last->columns && last->count == last->capacity;
    if (full && (store->spill_always || arena_bytes(store->arena) > store->exec->work_mem_bytes)) TRY(spill_full_chunks(store));
    *chunk = open_chunk(store);
    return ST_OK;
}

static void put_value(RowStore *store, Chunk *chunk, int column, Value v)
{
    chunk->columns[column][chunk->count] = v.null ? VALUE_NULL : value_copy(store->types[column], v, store->arena);
}

Status row_store_add(RowStore *store, const Value *row)
{
    Chunk *chunk;
    TRY(chunk_for_row(store, &chunk));
    for (int c = 0; c < store->width; c++) put_value(store, chunk, c, row[c]);
    chunk->count++;
    store->rows++;
    return ST_OK;
}

Status row_store_add_batch(RowStore *store, const Batch *batch)
{
    assert(batch->column_count >= store->width);
    int rows = batch_rows(batch);
    for (int i = 0; i < rows; i++) {
        Chunk *chunk;
        int row = batch_row(batch, i);
        TRY(chunk_for_row(store, &chunk));
        for (int c = 0; c < store->width; c++) put_value(store, chunk, c, batch->columns[c][row]);
        chunk->count++;
    }
    store->rows += rows;
    return ST_OK;
}

Status row_store_add_all(RowStore *store, Op *op)
{
    Batch batch;
    Status st;
    while ((st = op_next(op, &batch)) == ST_OK) TRY(row_store_add_batch(store, &batch));
    return st == ST_END ? ST_OK : st;
}

/* ---- reading ---- */

void row_reader_init(RowReader *reader, RowStore *store, Arena *arena)
{
    *reader = (RowReader){.store = store, .arena = arena_create(arena, 0)};
    reader->columns = ARENA_ARRAY(arena, Value *, store->width + 1);
}

void row_reader_rewind(RowReader *reader)
{
    reader->chunk = 0;
}

static Status load_chunk(RowReader *reader, const Chunk *chunk)
{
    RowStore *store = reader->store;
    arena_reset(reader->arena);
    uint8_t *image = arena_try_alloc(reader->arena, chunk->size + 1);
    if (!image) return err_no_memory(store->exec->err);
    TRY(temp_file_read(store->file, chunk->offset, image, chunk->size, store->exec->err));
    const uint8_t *heap = image + sizeof(Value) * (size_t)store->width * (size_t)chunk->count;
    for (int c = 0; c < store->width; c++) {
        Value *values = (Value *)(void *)image + (size_t)c * (size_t)chunk->count;
        if (store->types[c]->rep == REP_BYTES)
            for (int r = 0; r < chunk->count; r++)
                if (!values[r].null) values[r].p = heap + values[r].i;
        reader->columns[c] = values;
    }
    return ST_OK;
}

Status row_reader_next(RowReader *reader, Batch *batch)
{
    RowStore *store = reader->store;
    if (reader->chunk >= store->chunk_count) return ST_END;
    const Chunk *chunk = &store->chunks[reader->chunk++];
    *batch = (Batch){.columns = chunk->columns, .column_count = store->width, .row_count = chunk->count};
    if (chunk->columns) return ST_OK;
    TRY(load_chunk(reader, chunk));
    batch->columns = reader->columns;
    return ST_OK;
}
