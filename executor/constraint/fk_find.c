/* fk_find.c - the rows of a table that refer to given keys, through an index over the key's columns if there is one. */
#include "executor/constraint/fk.h"

#include <stdlib.h>

#include "storage/keys/row_key.h"

/* ---- keys ---- */

Status fk_key_set(FkLink *link, const FkRow *rows, int count, FkKeySet *set, Arena *arena)
{
    *set = (FkKeySet){.tuples = value_set_create(arena, link->child_types, link->count)};
    Value *tuple = ARENA_ARRAY(arena, Value, link->count + 1);
    for (int i = 0; i < count; i++) {
        bool possible, added;
        TRY(fk_convert(link, link->to_child, rows[i].key, tuple, &possible, arena));
        if (!possible) continue;
        value_set_put(set->tuples, tuple, &added);
        if (added) VEC_PUSH(arena, set->events, i);
    }
    return ST_OK;
}

/* ---- choosing the index ---- */

static int place_in_key(const FkLink *link, uint32_t column_id)
{
    for (int i = 0; i < link->count; i++)
        if ((uint32_t)link->key->columns.items[i] == column_id) return i;
    return -1;
}

/* Can the column in front be computed from the key's columns? */
static bool computable(const FkLink *link, uint32_t column_id)
{
    const TableDesc *table = link->child->table;
    const ColumnDesc *column = &table->columns.items[table_column_by_id(table, column_id)];
    if (!column->hashed_columns.count) return false;
    for (int i = 0; i < column->hashed_columns.count; i++)
        if (place_in_key(link, (uint32_t)column->hashed_columns.items[i]) < 0) return false;
    return true;
}

/* How many parts at the start of the index's key are known; *columns: how many of them are the key's own. */
static int known_prefix(const FkLink *link, const IndexDesc *index, int *columns)
{
    int parts = 0;
    *columns = 0;
    if (index->predicate || index->state != INDEX_PUBLIC) return 0;
    for (; parts < index->columns.count; parts++) {
        const IndexColumn *column = &index->columns.items[parts];
        bool own = place_in_key(link, column->column_id) >= 0;
        if (!own && !(column->implicit && computable(link, column->column_id))) break;
        *columns += own;
    }
    return *columns ? parts : 0;
}

static bool index_covers(const FkLink *link, const IndexDesc *index)
{
    if (index->primary) return true;
    for (int i = 0; i < link->count; i++) {
        uint32_t id = (uint32_t)link->key->columns.items[i];
        bool has = false;
        for (int c = 0; c < index->columns.count; c++) has |= index->columns.items[c].column_id == id;
        for (int c = 0; c < index->suffix.count; c++) has |= (uint32_t)index->suffix.items[c] == id;
        for (int c = 0; c < index->stored.count; c++) has |= (uint32_t)index->stored.items[c] == id;
        if (!has) return false;
    }
    return true;
}

static Status prepare(FkLink *link)
{
    FkSearch *search = &link->search;
    const TableDesc *child = link->child->table;
    const IndexDesc *best = NULL;
    int best_columns = 0;
    if (search->known) return ST_OK;
    for (int i = 0; i < child->indexes.count; i++) {
        int columns, parts = known_prefix(link, &child->indexes.items[i], &columns);
        if (columns <= best_columns) continue;
        best = &child->indexes.items[i];
        best_columns = columns;
        search->prefix = parts;
    }
    search->known = true;
    search->covers = !best || index_covers(link, best);
    return best ? fk_key_maker(link->child, best, &search->maker) : ST_OK;
}

/* ---- spans ---- */

static int by_start(const void *a, const void *b)
{
    return slice_compare(((const KeySpan *)a)->start, ((const KeySpan *)b)->start);
}

static Status span_of(FkLink *link, const Value *tuple, KeySpan *span, Arena *arena)
{
    FkSearch *search = &link->search;
    const TableDesc *child = link->child->table;
    Value *parts = ARENA_ARRAY(arena, Value, search->prefix + 1);
    Buf start = {0}, end = {0};
    TRY(fk_key_fill(link->child, &search->maker, link->child_ordinals, tuple, link->count));
    for (int i = 0; i < search->prefix; i++)
        parts[i] = search->maker.row[table_column_by_id(child, search->maker.index->columns.items[i].column_id)];
    Status st = index_key_prefix(link->child->access, search->maker.index, parts, search->prefix, &start, link->run->exec->err);
    row_key_prefix_end(buf_slice(&start), &end);
    *span = (KeySpan){arena_slice(arena, buf_slice(&start)), arena_slice(arena, buf_slice(&end))};
    buf_finish(&start);
    buf_finish(&end);
    return st;
}

static Status spans_of(FkLink *link, const FkKeySet *set, KeySpan **out, int *count, Arena *arena)
{
    int tuples = value_set_count(set->tuples), kept = 0;
    KeySpan *spans = ARENA_ARRAY(arena, KeySpan, tuples + 1);
    *out = spans;
    *count = 1;
    if (!link->search.maker.index) {
        Buf start = {0}, end = {0};
        index_span(link->child->table->base.id, table_primary(link->child->table)->id, &start, &end);
        spans[0] = (KeySpan){arena_slice(arena, buf_slice(&start)), arena_slice(arena, buf_slice(&end))};
        buf_finish(&start);
        buf_finish(&end);
        return ST_OK;
    }
    for (int i = 0; i < tuples; i++) TRY(span_of(link, value_set_tuple(set->tuples, i), &spans[i], arena));
    qsort(spans, (size_t)tuples, sizeof *spans, by_start);
    /* Keys that share the known columns share a span. */
    for (int i = 0; i < tuples; i++)
        if (kept == 0 || !slice_equal(spans[kept - 1].start, spans[i].start)) spans[kept++] = spans[i];
    *count = kept;
    return ST_OK;
}

/* ---- reading ---- */

typedef struct Reading {
    FkLink *link;
    const FkKeySet *set;
    FkFoundVec *found;
    Arena *arena, *block_arena;
    Value **vectors;
    Slice keys[BATCH_ROWS_MAX];
} Reading;

static Status fetch_tuples(Reading *r, int rows)
{
    const Exec *exec = r->link->run->exec;
    bool *there = ARENA_ARRAY(r->block_arena, bool, rows + 1);
    TRY(row_fetch(r->link->child->access, exec->txn, r->keys, rows, r->link->child_ordinals, r->link->count, r->vectors, there,
                  r->block_arena, exec->err));
    for (int i = 0; i < rows; i++)
        if (!there[i]) r->vectors[0][i] = VALUE_NULL;
    return ST_OK;
}

static Status take_block(Reading *r, int rows)
{
    int width = r->link->count;
    arena_reset(r->block_arena);
    if (!r->link->search.covers) TRY(fetch_tuples(r, rows));
    Value *tuple = ARENA_ARRAY(r->block_arena, Value, width + 1);
    for (int i = 0; i < rows; i++) {
        bool whole = true;
        for (int c = 0; c < width; c++) {
            tuple[c] = r->vectors[c][i];
            whole = whole && !tuple[c].null;
        }
        int number = whole ? value_set_find(r->set->tuples, tuple) : -1;
        if (number < 0) continue;
        VEC_PUSH(r->arena, *r->found, (FkFound){r->set->events.items[number], arena_slice(r->arena, r->keys[i])});
    }
    return interrupt_poll(&r->link->run->exec->session->interrupt, r->link->run->exec->err);
}

static Status read_spans(Reading *r, const KeySpan *spans, int span_count)
{
    FkLink *link = r->link;
    const Exec *exec = link->run->exec;
    TableScan *scan;
    TableScanOptions options = {.index = link->search.maker.index ? link->search.maker.index : table_primary(link->child->table),
                                .spans = spans, .span_count = span_count, .columns = link->child_ordinals,
                                .column_count = link->search.covers ? link->count : 0, .want_keys = true};
    TRY(table_scan_open(link->child->access, exec->txn, &options, &scan, r->arena, exec->err));
    Status st = ST_OK;
    while (st == ST_OK) {
        int rows = 0;
        st = table_scan_next(scan, r->vectors, r->keys, BATCH_ROWS_MAX, &rows, exec->err);
        if (st == ST_OK) st = take_block(r, rows);
    }
    table_scan_close(scan);
    return st == ST_END ? ST_OK : st;
}

static int by_event(const void *a, const void *b)
{
    const FkFound *one = a, *two = b;
    return one->event != two->event ? one->event - two->event : slice_compare(one->row, two->row);
}

Status fk_find(FkLink *link, const FkKeySet *set, FkFoundVec *found, Arena *arena)
{
    KeySpan *spans;
    int span_count;
    *found = (FkFoundVec){0};
    if (value_set_count(set->tuples) == 0) return ST_OK;
    TRY(prepare(link));
    TRY(spans_of(link, set, &spans, &span_count, arena));
    Reading *r = ARENA_NEW(arena, Reading);
    *r = (Reading){.link = link, .set = set, .found = found, .arena = arena, .block_arena = arena_create(arena, 0)};
    r->vectors = ARENA_ARRAY(arena, Value *, link->count + 1);
    for (int c = 0; c < link->count; c++) r->vectors[c] = ARENA_ARRAY(arena, Value, BATCH_ROWS_MAX);
    TRY(read_spans(r, spans, span_count));
    if (found->count) qsort(found->items, (size_t)found->count, sizeof *found->items, by_event);
    return ST_OK;
}
