/* fk_check.c - rows that refer to something: is it there? */
#include "executor/constraint/fk.h"

#include <stdlib.h>

enum { PRESENT_MAX = 65536, PRESENT_TRIAL = 4096 };

typedef struct Probe {
    int row;
    Slice key; /* of the parent's entry */
    bool possible, found;
} Probe;

typedef struct Check {
    FkLink *link;
    FkEvents *events;
    Probe *probes;
    int count;
    Buf key; /* of the probe in hand */
    Arena *arena;
} Check;

static int by_key(const void *a, const void *b)
{
    return slice_compare(((const Probe *)a)->key, ((const Probe *)b)->key);
}

static int by_row(const void *a, const void *b)
{
    return ((const Probe *)a)->row - ((const Probe *)b)->row;
}

static bool mixes_nulls(const FkLink *link, const Value *tuple)
{
    for (int i = 0; i < link->count; i++)
        if (tuple[i].null) return true;
    return false;
}

static Status make_probe(Check *c, int row)
{
    FkLink *link = c->link;
    const Value *tuple = c->events->rows.items[row].key;
    Value *converted = ARENA_ARRAY(c->arena, Value, link->count + 1);
    Probe *probe = &c->probes[c->count++];
    *probe = (Probe){.row = row};
    if (mixes_nulls(link, tuple)) return ST_OK;
    TRY(fk_convert(link, link->to_parent, tuple, converted, &probe->possible, c->arena));
    if (!probe->possible) return ST_OK;
    TRY(fk_referenced_key(link, converted, &c->key));
    probe->key = arena_slice(c->arena, buf_slice(&c->key));
    return ST_OK;
}

/* Locks on the parent's entries keep them. A whole table that is locked needs none (ALTER TABLE). */
static Status look(Check *c, const Slice *keys, int n, bool *found)
{
    const Exec *exec = c->link->run->exec;
    Slice *values = ARENA_ARRAY(c->arena, Slice, n + 1);
    if (txn_holds_table(exec->txn, c->link->parent->table->base.id, TABLE_SHARE_ROW_EXCLUSIVE))
        return txn_get_many(exec->txn, keys, n, found, values, exec->err);
    return txn_lock_present(exec->txn, keys, n, found, values, exec->err);
}

/* Each key once, in order. */
static Status look_all(Check *c)
{
    Slice *keys = ARENA_ARRAY(c->arena, Slice, c->count + 1);
    bool *found = ARENA_ARRAY(c->arena, bool, c->count + 1);
    int *places = ARENA_ARRAY(c->arena, int, c->count + 1), n = 0;
    qsort(c->probes, (size_t)c->count, sizeof *c->probes, by_key);
    for (int i = 0; i < c->count; i++) {
        if (!c->probes[i].possible) continue;
        if (n == 0 || !slice_equal(keys[n - 1], c->probes[i].key)) keys[n++] = c->probes[i].key;
        places[i] = n - 1;
    }
    if (n) TRY(look(c, keys, n, found));
    for (int i = 0; i < c->count; i++)
        if (c->probes[i].possible) c->probes[i].found = found[places[i]];
    qsort(c->probes, (size_t)c->count, sizeof *c->probes, by_row);
    return ST_OK;
}

/* Rows that mostly refer to something new would only fill memory with what they have found. */
static void note_present(FkLink *link, const Value *tuple)
{
    if (++link->looked > PRESENT_TRIAL && link->known < link->looked / 8) return;
    if (link->present && value_set_count(link->present) >= PRESENT_MAX) {
        arena_reset(link->present_arena);
        link->present = NULL;
    }
    if (!link->present) {
        if (!link->present_arena) link->present_arena = arena_create(link->run->arena, 0);
        link->present = value_set_create(link->present_arena, link->child_types, link->count);
    }
    value_set_add(link->present, tuple);
}

/* Is the row still there, and does it still refer to this? */
static Status still_refers(Check *c, const FkRow *row, bool *refers)
{
    FkLink *link = c->link;
    const Exec *exec = link->run->exec;
    Value **out = ARENA_ARRAY(c->arena, Value *, link->count + 1), *now = ARENA_ARRAY(c->arena, Value, link->count + 1);
    for (int i = 0; i < link->count; i++) out[i] = &now[i];
    TRY(row_fetch(link->child->access, exec->txn, &row->row, 1, link->child_ordinals, link->count, out, refers, c->arena, exec->err));
    if (*refers) *refers = value_tuple_equal(link->child_types, link->count, now, row->key);
    return ST_OK;
}

/* Takes the rows that are as they should be out of the events. */
static Status judge(Check *c, bool last)
{
    FkLink *link = c->link;
    int kept = 0;
    for (int i = 0; i < c->count; i++) {
        FkRow *row = &c->events->rows.items[c->probes[i].row];
        if (c->probes[i].found) {
            note_present(link, row->key);
            continue;
        }
        if (!last) {
            c->events->rows.items[kept++] = *row;
            continue;
        }
        bool refers;
        TRY(still_refers(c, row, &refers));
        if (refers) return mixes_nulls(link, row->key) ? fk_mixed_nulls(link, row) : fk_not_present(link, row);
    }
    c->events->rows.count = kept;
    return ST_OK;
}

Status fk_check(FkEvents *events, bool last)
{
    FkLink *link = events->link;
    Check c = {.link = link, .events = events, .arena = arena_create(link->run->arena, 0)};
    c.probes = ARENA_ARRAY(c.arena, Probe, events->rows.count + 1);
    Status st = ST_OK;
    for (int i = 0; i < events->rows.count && st == ST_OK; i++) st = make_probe(&c, i);
    if (st == ST_OK) st = look_all(&c);
    if (st == ST_OK) st = judge(&c, last);
    buf_finish(&c.key);
    arena_destroy(c.arena);
    return st;
}
