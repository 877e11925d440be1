/* fk_check.c - rows that refer to something: is it there? */
#include "executor/constraint/fk.h"

#include <stdlib.h>

enum { PRESENT_MAX = 65536 };

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
    Buf key = {0};
    Status st = fk_referenced_key(link, converted, &key);
    probe->key = arena_slice(c->arena, buf_slice(&key));
    buf_finish(&key);
    return st;
}

/* A lock on the parent's entry keeps it. A whole table that is locked needs none (ALTER TABLE). */
static Status look(Check *c, Probe *probe)
{
    const Exec *exec = c->link->run->exec;
    Slice value;
    if (!probe->possible) return ST_OK;
    if (txn_holds_table(exec->txn, c->link->parent->table->base.id, TABLE_SHARE_ROW_EXCLUSIVE))
        return txn_get(exec->txn, probe->key, &probe->found, &value, exec->err);
    return txn_lock_present(exec->txn, probe->key, LOCK_WAIT, &probe->found, exec->err);
}

static Status look_all(Check *c)
{
    qsort(c->probes, (size_t)c->count, sizeof *c->probes, by_key);
    for (int i = 0; i < c->count; i++) {
        const Probe *before = i ? &c->probes[i - 1] : NULL;
        if (before && before->possible && c->probes[i].possible && slice_equal(before->key, c->probes[i].key))
            c->probes[i].found = before->found;
        else
            TRY(look(c, &c->probes[i]));
    }
    qsort(c->probes, (size_t)c->count, sizeof *c->probes, by_row);
    return ST_OK;
}

static void note_present(FkLink *link, const Value *tuple)
{
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
    arena_destroy(c.arena);
    return st;
}
