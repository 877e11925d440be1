/* fk_queue.c - rows as they are told of, and the end of the statement. */
#include "executor/constraint/fk.h"

#include "executor/ops/row_lock.h"

enum { EARLY_ROWS = 1024 };

/* ---- the run ---- */

static void run_finish(void *run)
{
    buf_finish(&((ConstraintRun *)run)->row_key);
}

ConstraintRun *constraint_run_create(Exec *outer, Arena *arena)
{
    ConstraintRun *run = ARENA_NEW(arena, ConstraintRun);
    run->outer = outer;
    run->arena = arena;
    run->exec = ARENA_NEW(arena, Exec);
    run->exec->session = outer->session;
    run->exec->arena = arena;
    run->exec->txn = outer->txn;
    run->exec->err = outer->err;
    run->exec->work_mem_bytes = outer->work_mem_bytes;
    run->exec->temp_directory = outer->temp_directory;
    run->exec->run = 1;
    arena_defer(arena, run_finish, run);
    return run;
}

/* Errors go to the call in progress. */
static ConstraintRun *resume(ConstraintRun *run)
{
    run->exec->err = run->outer->err;
    return run;
}

static ConstraintRun *run_of(Exec *exec)
{
    if (!exec->constraints) exec->constraints = constraint_run_create(exec, arena_create(exec->arena, 0));
    return resume(exec->constraints);
}

void constraints_forget(Exec *exec)
{
    if (!exec->constraints) return;
    Arena *arena = exec->constraints->arena;
    exec->constraints = NULL;
    arena_destroy(arena);
}

/* ---- handles ---- */

static Status make_handle(FkTable *table, const Referrer *referrers, int count, TableConstraints **out)
{
    ConstraintRun *run = table->run;
    TableConstraints *c = ARENA_NEW(run->arena, TableConstraints);
    c->table = table;
    c->outgoing = ARENA_ARRAY(run->arena, FkLink *, table->table->foreign_keys.count + 1);
    c->incoming = ARENA_ARRAY(run->arena, FkLink *, count + 1);
    for (int i = 0; i < table->table->foreign_keys.count; i++) {
        TRY(fk_link(run, table->table, &table->table->foreign_keys.items[i], &c->outgoing[c->outgoing_count]));
        c->outgoing_count += c->outgoing[c->outgoing_count] != NULL;
    }
    for (int i = 0; i < count; i++) {
        TRY(fk_link(run, referrers[i].table, referrers[i].key, &c->incoming[c->incoming_count]));
        c->incoming_count += c->incoming[c->incoming_count] != NULL;
    }
    c->uniques = ARENA_ARRAY(run->arena, UniqueLink *, table->table->indexes.count + 1);
    for (int i = 0; i < table->table->indexes.count; i++)
        if (table->table->indexes.items[i].deferrable)
            TRY(unique_link(run, table, &table->table->indexes.items[i], &c->uniques[c->unique_count++]));
    *out = c;
    return ST_OK;
}

static bool has_deferrable_key(const TableDesc *table)
{
    for (int i = 0; i < table->indexes.count; i++)
        if (table->indexes.items[i].deferrable) return true;
    return false;
}

Status constraints_open(Exec *exec, const WriteTarget *target, TableConstraints **out)
{
    FkTable *table;
    *out = NULL;
    if (target->table->foreign_keys.count == 0 && target->referrer_count == 0 && !has_deferrable_key(target->table))
        return ST_OK;
    TRY(fk_table(run_of(exec), target->table, &table));
    return make_handle(table, target->referrers, target->referrer_count, out);
}

Status fk_table_constraints(FkTable *table, TableConstraints **out)
{
    Referrer *list;
    if (!table->all) {
        const ConstraintRun *run = table->run;
        int count = depend_referrers(run->exec->session->catalog, table->table->base.id, &list, run->arena);
        TRY(make_handle(table, list, count, &table->all));
    }
    *out = table->all;
    return ST_OK;
}

/* ---- rows ---- */

static Value *copy_tuple(const TableDesc *table, const int *ordinals, const Value *tuple, int count, Arena *arena)
{
    Value *copy = ARENA_ARRAY(arena, Value, count + 1);
    for (int i = 0; i < count; i++)
        copy[i] = tuple[i].null ? VALUE_NULL : value_copy(exec_type(table->columns.items[ordinals[i]].type.oid), tuple[i], arena);
    return copy;
}

static FkEvents *events_for(FkLink *link, FkEventKind kind)
{
    ConstraintRun *run = link->run;
    if (link->open[kind]) return link->open[kind];
    Arena *arena = arena_create(run->arena, 0);
    FkEvents *events = ARENA_NEW(run->arena, FkEvents);
    *events = (FkEvents){.link = link, .kind = kind, .arena = arena};
    if (run->last) run->last->next = events;
    else run->first = events;
    run->last = events;
    link->open[kind] = events;
    return events;
}

static FkAction action_of(const ForeignKeyDesc *key, FkEventKind kind)
{
    return kind == FK_DELETED ? key->on_delete : kind == FK_UPDATED ? key->on_update : FK_NO_ACTION;
}

static bool waits(const FkLink *link, FkEventKind kind)
{
    const ForeignKeyDesc *key = link->key;
    if (!key->deferrable || link->run->nothing_waits || (kind != FK_CHECK && action_of(key, kind) != FK_NO_ACTION)) return false;
    return constraint_is_deferred(link->run->exec, link->child->table->base.id, key->id, key->deferrable, key->initially_deferred);
}

Status fk_event(FkLink *link, FkEventKind kind, const FkRow *row)
{
    if (waits(link, kind)) {
        constraint_defer(link, kind, row);
        return ST_OK;
    }
    FkEvents *events = events_for(link, kind);
    const FkTable *table = kind == FK_CHECK ? link->child : link->parent;
    const int *ordinals = kind == FK_CHECK ? link->child_ordinals : link->parent_ordinals;
    FkRow copy = {.key = copy_tuple(table->table, ordinals, row->key, link->count, events->arena),
                  .row = arena_slice(events->arena, row->row), .number = link->run->events++};
    if (row->new_key) copy.new_key = copy_tuple(table->table, ordinals, row->new_key, link->count, events->arena);
    VEC_PUSH(events->arena, events->rows, copy);
    if (kind != FK_CHECK || events->rows.count < EARLY_ROWS || (link->run->nothing_waits && !link->run->early))
        return ST_OK;
    return fk_check(events, false);
}

static bool tuple_of(const Value *row, const int *ordinals, int count, Value *tuple)
{
    bool has_null = false;
    for (int i = 0; i < count; i++) {
        tuple[i] = row[ordinals[i]];
        has_null |= tuple[i].null;
    }
    return !has_null;
}

static bool same_at(const TableDesc *table, const int *ordinals, int count, const Value *a, const Value *b)
{
    for (int i = 0; i < count; i++)
        if (!row_lock_same(table, ordinals[i], a[ordinals[i]], b[ordinals[i]])) return false;
    return true;
}

static bool all_null(const Value *tuple, int count)
{
    for (int i = 0; i < count; i++)
        if (!tuple[i].null) return false;
    return true;
}

/* The row refers to what has to be there. */
static Status refers(FkLink *link, const Value *row)
{
    Value *tuple = link->tuple;
    bool whole = tuple_of(row, link->child_ordinals, link->count, tuple);
    if (!whole && (!link->key->match_full || all_null(tuple, link->count))) return ST_OK;
    if (whole && link->present && value_set_has(link->present, tuple)) {
        link->known++;
        return ST_OK;
    }
    buf_clear(&link->run->row_key);
    TRY(row_primary_key(link->child->access, row, &link->run->row_key, link->run->exec->err));
    return fk_event(link, FK_CHECK, &(FkRow){.key = tuple, .row = buf_slice(&link->run->row_key)});
}

Status constraints_inserted(TableConstraints *c, const Value *row)
{
    if (!c) return ST_OK;
    resume(c->table->run);
    for (int i = 0; i < c->unique_count; i++) TRY(unique_written(c->uniques[i], NULL, row));
    for (int i = 0; i < c->outgoing_count; i++) TRY(refers(c->outgoing[i], row));
    return ST_OK;
}

static Status taken_away(FkLink *link, FkEventKind kind, const Value *before, const Value *after)
{
    Value *old = link->tuple, *new = link->new_tuple;
    if (!tuple_of(before, link->parent_ordinals, link->count, old)) return ST_OK;
    if (after) (void)tuple_of(after, link->parent_ordinals, link->count, new);
    return fk_event(link, kind, &(FkRow){.key = old, .new_key = after ? new : NULL});
}

/* A row that moves is not found any more by those who have yet to look at it. */
static bool moves(const FkTable *table, const Value *before, const Value *after)
{
    const IndexDesc *primary = table_primary(table->table);
    for (int i = 0; i < primary->columns.count; i++) {
        int ordinal = table_column_by_id(table->table, primary->columns.items[i].column_id);
        if (!row_lock_same(table->table, ordinal, before[ordinal], after[ordinal])) return true;
    }
    return false;
}

Status constraints_updated(TableConstraints *c, const Value *before, const Value *after)
{
    if (!c) return ST_OK;
    const FkTable *table = c->table;
    resume(table->run);
    for (int i = 0; i < c->unique_count; i++) TRY(unique_written(c->uniques[i], before, after));
    for (int i = 0; i < c->outgoing_count; i++) {
        FkLink *link = c->outgoing[i];
        if (same_at(table->table, link->child_ordinals, link->count, before, after) &&
            !(link->key->deferrable && moves(table, before, after)))
            continue;
        TRY(refers(link, after));
    }
    for (int i = 0; i < c->incoming_count; i++) {
        FkLink *link = c->incoming[i];
        if (!same_at(table->table, link->parent_ordinals, link->count, before, after))
            TRY(taken_away(link, FK_UPDATED, before, after));
    }
    return ST_OK;
}

Status constraints_deleted(TableConstraints *c, const Value *row)
{
    if (!c) return ST_OK;
    resume(c->table->run);
    for (int i = 0; i < c->incoming_count; i++) TRY(taken_away(c->incoming[i], FK_DELETED, row, NULL));
    return ST_OK;
}

/* ---- the end ---- */

static Status look(FkEvents *events)
{
    return events->kind == FK_CHECK ? fk_check(events, true) : fk_act(events);
}

static bool only_looks(const FkEvents *events)
{
    return fk_action(events) == FK_NO_ACTION || fk_action(events) == FK_RESTRICT;
}

/* Rows are looked at one constraint after the other; the error is to be the one that comes first row by row. */
static Status earliest_error(ConstraintRun *run, const FkEvents *failed)
{
    Error *err = run->exec->err, first = *err;
    for (FkEvents *events = failed->next; events && only_looks(events); events = events->next) {
        int64_t before = run->failed;
        int kept = 0;
        for (int i = 0; i < events->rows.count && run->failed >= 0; i++)
            if (events->rows.items[i].number < before) events->rows.items[kept++] = events->rows.items[i];
        events->rows.count = kept;
        if (kept == 0) continue;
        run->failed = -1;
        if (look(events) == ST_ERROR && run->failed >= 0) first = *err;
        else run->failed = before;
    }
    *err = first;
    return ST_ERROR;
}

static Status finish_uniques(ConstraintRun *run)
{
    for (UniqueLink *link = run->uniques; link; link = link->next) TRY(unique_finish(link));
    return ST_OK;
}

/* Unique keys come first, as in PostgreSQL; actions may add to them. */
Status constraint_run_finish(ConstraintRun *run)
{
    TRY(finish_uniques(run));
    while (run->first) {
        FkEvents *events = run->first;
        events->link->open[events->kind] = NULL;
        run->failed = -1;
        Status st = look(events);
        if (st == ST_ERROR && run->failed >= 0 && only_looks(events)) return earliest_error(run, events);
        TRY(st);
        run->first = events->next;
        if (!run->first) run->last = NULL;
        arena_destroy(events->arena);
    }
    return finish_uniques(run);
}

Status constraints_finish(Exec *exec)
{
    txn_view_release(exec->txn);
    if (!exec->constraints) return ST_OK;
    ConstraintRun *run = resume(exec->constraints);
    Status st = constraint_run_finish(run);
    if (run->exec->retry_statement) exec->retry_statement = true;
    /* The texts of an error lie in the run's arena. */
    if (st == ST_OK) constraints_forget(exec);
    return st;
}
