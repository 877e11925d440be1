#include "executor/sorter.h"

#include <assert.h>
#include <stdlib.h>

typedef struct Run {
    RowStore *store;
    RowReader reader;
    Batch batch;
    int next; /* row of the batch */
    int number;
} Run;

struct Sorter {
    Exec *exec;
    const Plan *input;
    const TypeDef **types;
    const SorterKey *keys;
    int key_count, width;
    int64_t limit, returned;
    Arena *arena, *row_arena; /* row_arena: the rows in memory */
    Value **rows;
    int64_t count, capacity, position;
    VEC(Run *) runs;
    Run **heap;
    int heap_count;
    Value **out;
    Value *one; /* a row of a run, gathered */
};

SorterKey *sorter_keys(const Plan *input, const SortKey *keys, int count, Arena *arena)
{
    SorterKey *out = ARENA_ARRAY(arena, SorterKey, count + 1);
    for (int i = 0; i < count; i++) {
        int column = op_column(input, ((const ExprColumn *)keys[i].expr)->column);
        assert(keys[i].expr->kind == EXPR_COLUMN && column >= 0);
        out[i] = (SorterKey){column, keys[i].descending, keys[i].nulls_first, exec_type(keys[i].expr->type.oid)};
    }
    return out;
}

static int compare_values(const SorterKey *key, Value x, Value y)
{
    if (x.null | y.null) {
        if (x.null & y.null) return 0;
        return x.null == key->nulls_first ? -1 : 1;
    }
    int order = key->type->rep == REP_INT ? (x.i > y.i) - (x.i < y.i) : type_compare(key->type, x, y);
    return key->descending ? -order : order;
}

int sorter_compare(const SorterKey *keys, int count, const Value *a, const Value *b)
{
    for (int i = 0; i < count; i++) {
        int order = compare_values(&keys[i], a[keys[i].column], b[keys[i].column]);
        if (order) return order;
    }
    return 0;
}

Sorter *sorter_create(Exec *exec, const Plan *input, const SorterKey *keys, int key_count, int64_t limit, Arena *arena)
{
    Sorter *s = ARENA_NEW(arena, Sorter);
    s->exec = exec;
    s->input = input;
    s->types = op_types(input, arena);
    s->keys = keys;
    s->key_count = key_count;
    s->width = input->column_count;
    s->limit = limit;
    s->arena = arena;
    s->row_arena = arena_create(arena, 0);
    s->out = ARENA_ARRAY(arena, Value *, s->width + 1);
    s->one = ARENA_ARRAY(arena, Value, s->width + 1);
    return s;
}

static int compare_rows(const void *a, const void *b, void *argument)
{
    const Sorter *s = argument;
    return sorter_compare(s->keys, s->key_count, *(Value *const *)a, *(Value *const *)b);
}

static void sort_rows(Sorter *s)
{
    /* glibc's qsort_r merges, so rows that compare equal keep their order. */
    if (s->count > 1) qsort_r(s->rows, (size_t)s->count, sizeof *s->rows, compare_rows, s);
}

static void forget_rows(Sorter *s)
{
    arena_reset(s->row_arena);
    s->rows = NULL;
    s->count = s->capacity = 0;
}

static Value *copy_row(const Sorter *s, const Value *row, Arena *arena)
{
    Value *copy = ARENA_ARRAY(arena, Value, s->width + 1);
    for (int c = 0; c < s->width; c++) copy[c] = row[c].null ? VALUE_NULL : value_copy(s->types[c], row[c], arena);
    return copy;
}

/* Keeps the first `limit` rows and gives up the others' memory. */
static void cut(Sorter *s)
{
    sort_rows(s);
    int64_t kept = s->count < s->limit ? s->count : s->limit;
    Arena *fresh = arena_create(s->arena, 0);
    int64_t capacity = s->limit * 2 + BATCH_ROWS_MAX;
    Value **rows = ARENA_ARRAY(fresh, Value *, capacity);
    for (int64_t i = 0; i < kept; i++) rows[i] = copy_row(s, s->rows[i], fresh);
    arena_destroy(s->row_arena);
    s->row_arena = fresh;
    s->rows = rows;
    s->count = kept;
    s->capacity = capacity;
}

static Status write_run(Sorter *s)
{
    sort_rows(s);
    Run *run = ARENA_NEW(s->arena, Run);
    run->store = row_store_create(s->exec, s->types, s->width, s->arena);
    run->number = s->runs.count;
    row_store_spill_always(run->store);
    for (int64_t i = 0; i < s->count; i++) TRY(row_store_add(run->store, s->rows[i]));
    TRY(row_store_spill(run->store));
    VEC_PUSH(s->arena, s->runs, run);
    forget_rows(s);
    return ST_OK;
}

static bool is_top_k(const Sorter *s)
{
    return s->limit >= 0 && s->limit < 100000;
}

static Status add_row(Sorter *s, const Batch *batch, int row)
{
    if (s->count == s->capacity) {
        int64_t capacity = s->capacity ? s->capacity * 2 : 64;
        s->rows = arena_grow(s->row_arena, s->rows, sizeof(Value *) * (size_t)s->capacity,
                             sizeof(Value *) * (size_t)capacity);
        s->capacity = capacity;
    }
    for (int c = 0; c < s->width; c++) s->one[c] = batch->columns[c][row];
    s->rows[s->count++] = copy_row(s, s->one, s->row_arena);
    return ST_OK;
}

Status sorter_add(Sorter *s, const Batch *batch)
{
    int rows = batch_rows(batch);
    for (int i = 0; i < rows; i++) TRY(add_row(s, batch, batch_row(batch, i)));
    if (is_top_k(s)) {
        if (s->count >= s->limit * 2 + BATCH_ROWS_MAX) cut(s);
        return ST_OK;
    }
    return arena_bytes(s->row_arena) > s->exec->work_mem_bytes ? write_run(s) : ST_OK;
}

/* ---- merging ---- */

static void run_row(const Sorter *s, const Run *run, Value *row)
{
    for (int c = 0; c < s->width; c++) row[c] = run->batch.columns[c][run->next];
}

static bool run_before(Sorter *s, const Run *a, const Run *b)
{
    for (int i = 0; i < s->key_count; i++) {
        int column = s->keys[i].column;
        int order = compare_values(&s->keys[i], a->batch.columns[column][a->next], b->batch.columns[column][b->next]);
        if (order) return order < 0;
    }
    return a->number < b->number;
}

static void sift_down(Sorter *s, int at)
{
    for (;;) {
        int least = at;
        for (int child = 2 * at + 1; child <= 2 * at + 2 && child < s->heap_count; child++)
            if (run_before(s, s->heap[child], s->heap[least])) least = child;
        if (least == at) return;
        Run *swapped = s->heap[at];
        s->heap[at] = s->heap[least];
        s->heap[least] = swapped;
        at = least;
    }
}

static Status start_merge(Sorter *s)
{
    if (s->count > 0) TRY(write_run(s));
    s->heap = ARENA_ARRAY(s->arena, Run *, s->runs.count + 1);
    for (int i = 0; i < s->runs.count; i++) {
        Run *run = s->runs.items[i];
        row_reader_init(&run->reader, run->store, s->arena);
        Status st = row_reader_next(&run->reader, &run->batch);
        if (st == ST_END) continue;
        TRY(st);
        s->heap[s->heap_count++] = run;
    }
    for (int i = s->heap_count / 2; i >= 0; i--) sift_down(s, i);
    return ST_OK;
}

Status sorter_finish(Sorter *s)
{
    if (s->runs.count > 0) return start_merge(s);
    sort_rows(s);
    if (s->limit >= 0 && s->count > s->limit) s->count = s->limit;
    return ST_OK;
}

/* The row goes out as a copy, since advancing a run may replace the chunk it lies in. */
static Status next_merged(Sorter *s, Batch *batch, int *rows)
{
    while (s->heap_count > 0 && *rows < BATCH_ROWS_MAX) {
        Run *run = s->heap[0];
        run_row(s, run, s->one);
        Value *copy = copy_row(s, s->one, s->row_arena);
        for (int c = 0; c < s->width; c++) s->out[c][*rows] = copy[c];
        ++*rows;
        if (++run->next == run->batch.row_count) {
            run->next = 0;
            Status st = row_reader_next(&run->reader, &run->batch);
            if (st == ST_ERROR) return st;
            if (st == ST_END) s->heap[0] = s->heap[--s->heap_count];
        }
        sift_down(s, 0);
    }
    return ST_OK;
}

Status sorter_next(Sorter *s, Batch *batch)
{
    int rows = 0;
    if (!s->out[0])
        for (int c = 0; c < s->width; c++) s->out[c] = ARENA_ARRAY(s->arena, Value, BATCH_ROWS_MAX);
    if (s->runs.count > 0) {
        arena_reset(s->row_arena);
        TRY(next_merged(s, batch, &rows));
    } else {
        for (; rows < BATCH_ROWS_MAX && s->position < s->count; rows++, s->position++)
            for (int c = 0; c < s->width; c++) s->out[c][rows] = s->rows[s->position][c];
    }
    if (s->limit >= 0 && s->returned + rows > s->limit) rows = (int)(s->limit - s->returned);
    if (rows <= 0) return ST_END;
    s->returned += rows;
    *batch = (Batch){.columns = s->out, .column_count = s->width, .row_count = rows};
    return ST_OK;
}

uint64_t sorter_spilled(const Sorter *s)
{
    uint64_t bytes = 0;
    for (int i = 0; i < s->runs.count; i++) bytes += row_store_spilled(s->runs.items[i]->store);
    return bytes;
}
