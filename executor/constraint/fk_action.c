/* fk_action.c - a key that others may refer to is gone or has changed: refuse it, or do to them what the foreign key says. */
#include "executor/constraint/fk.h"

#include "executor/ddl/ddl_internal.h"
#include "executor/ops/row_lock.h"

enum { CHUNK_ROWS = 4096 };

typedef struct Action {
    FkLink *link;
    FkEventKind kind;
    FkAction what;
    const FkRow *rows; /* of this chunk */
    int count;
    FkKeySet set;
    Arena *arena;
} Action;

/* ---- a row of the child ---- */

/* Locks the row as it is now. *refers: it is still there and refers to one of the chunk's keys, *event. */
static Status fetch_child(Action *a, LockMode mode, const FkFound *found, Value *row, bool *refers, int *event)
{
    FkLink *link = a->link;
    FkTable *child = link->child;
    int n = child->table->columns.count;
    int *all = ARENA_ARRAY(child->row_arena, int, n + 1);
    for (int i = 0; i < n; i++) all[i] = i;
    RowLock lock = {.exec = link->run->exec, .access = child->access, .mode = mode, .wait = LOCK_WAIT, .ordinals = all, .count = n};
    TRY(row_lock_fetch(&lock, found->row, row, refers, child->row_arena));
    if (!*refers) return ST_OK;
    Value *tuple = ARENA_ARRAY(child->row_arena, Value, link->count + 1);
    for (int i = 0; i < link->count; i++) {
        tuple[i] = row[link->child_ordinals[i]];
        if (tuple[i].null) *refers = false;
    }
    int number = *refers ? value_set_find(a->set.tuples, tuple) : -1;
    *refers = number >= 0;
    if (*refers) *event = a->set.events.items[number];
    return ST_OK;
}

static Status open_child(FkTable *child)
{
    ConstraintRun *run = child->run;
    int n = child->table->columns.count;
    if (!child->row_arena) {
        child->row_arena = arena_create(run->arena, 0);
        child->before = ARENA_ARRAY(run->arena, Value, n + 1);
        child->after = ARENA_ARRAY(run->arena, Value, n + 1);
        child->defaults = ARENA_ARRAY(run->arena, Expr *, n + 1);
    }
    return ST_OK;
}

static Status open_writer(FkTable *child)
{
    ConstraintRun *run = child->run;
    WriteTarget *target;
    if (child->writer) return ST_OK;
    TRY(ddl_write_target(run->exec, child->table, &target));
    child->target = ARENA_NEW(run->arena, RowTarget);
    TRY(row_target_init(child->target, run->exec, target));
    child->writer = row_writer_create(child->target->access, run->exec->txn, arena_create(run->arena, 0));
    return ST_OK;
}

/* ---- refusing ---- */

/* Has another row of the parent taken the key's place? */
static Status is_replaced(Action *a, const FkRow *row, bool *replaced)
{
    const Exec *exec = a->link->run->exec;
    Buf key = {0};
    Slice value;
    Status st = fk_referenced_key(a->link, row->key, &key);
    if (st == ST_OK) st = txn_get(exec->txn, buf_slice(&key), replaced, &value, exec->err);
    buf_finish(&key);
    return st;
}

static Status refuse(Action *a, const FkFoundVec *found)
{
    int passed = -1; /* the last event that nobody minds */
    for (int i = 0; i < found->count; i++) {
        bool refers, replaced = false;
        int event = 0;
        if (found->items[i].event == passed) continue;
        if (a->what == FK_NO_ACTION) TRY(is_replaced(a, &a->rows[found->items[i].event], &replaced));
        if (replaced) passed = found->items[i].event;
        if (replaced) continue;
        arena_reset(a->link->child->row_arena);
        TRY(fetch_child(a, LOCK_KEY_SHARE, &found->items[i], a->link->child->before, &refers, &event));
        if (refers) return fk_still_referenced(a->link, &a->rows[event]);
    }
    return ST_OK;
}

/* ---- acting ---- */

static Status delete_child(FkTable *child)
{
    RowImage before;
    TableConstraints *constraints;
    RowTarget *target = child->target;
    TRY(fk_table_constraints(child, &constraints));
    TRY(row_target_image(target, child->before, target->in_predicate_before, &before, child->row_arena));
    TRY(row_delete(child->writer, before, child->run->exec->err));
    return constraints_deleted(constraints, child->before);
}

static Status update_child(FkTable *child)
{
    RowImage before, after;
    TableConstraints *constraints;
    RowTarget *target = child->target;
    Arena *arena = child->row_arena;
    TRY(fk_table_constraints(child, &constraints));
    TRY(row_target_compute(target, child->after, arena));
    TRY(row_target_check(target, child->after, arena));
    TRY(row_target_image(target, child->before, target->in_predicate_before, &before, arena));
    TRY(row_target_image(target, child->after, target->in_predicate, &after, arena));
    TRY(row_target_outcome(target, row_update(child->writer, before, after, child->run->exec->err)));
    return constraints_updated(constraints, child->before, child->after);
}

static Status default_of(FkTable *child, int ordinal, Value *value)
{
    const ColumnDesc *column = &child->table->columns.items[ordinal];
    Exec *exec = child->run->exec;
    *value = VALUE_NULL;
    if (!column->default_expr) return ST_OK;
    if (!child->defaults[ordinal])
        TRY(plan_table_expr(exec->session, &(TableExpr){child->table, NULL, column->default_expr, column->type},
                            &child->defaults[ordinal], child->run->arena, exec->err));
    return eval_single(exec, child->defaults[ordinal], value, child->row_arena);
}

static bool is_set(const Action *a, int column)
{
    const IntVec *listed = &a->link->key->on_delete_columns;
    if (a->kind != FK_DELETED || listed->count == 0) return true;
    for (int i = 0; i < listed->count; i++)
        if (listed->items[i] == a->link->key->columns.items[column]) return true;
    return false;
}

static Status clear_columns(Action *a)
{
    FkLink *link = a->link;
    for (int i = 0; i < link->count; i++) {
        if (!is_set(a, i)) continue;
        int ordinal = link->child_ordinals[i];
        if (a->what == FK_SET_DEFAULT) TRY(default_of(link->child, ordinal, &link->child->after[ordinal]));
        else link->child->after[ordinal] = VALUE_NULL;
    }
    return ST_OK;
}

static Status follow(Action *a, int event)
{
    FkLink *link = a->link;
    const Exec *exec = link->run->exec;
    TypeCtx ctx = {link->child->row_arena, exec_type_env(exec), exec->err};
    for (int i = 0; i < link->count; i++) {
        Value value = a->rows[event].new_key[i], *out = &link->child->after[link->child_ordinals[i]];
        const ColumnDesc *column = &link->child->table->columns.items[link->child_ordinals[i]];
        const TypeDef *from = exec_type(link->parent->table->columns.items[link->parent_ordinals[i]].type.oid);
        CastDef path = {.source = from->oid, .target = column->type.oid, .method = CAST_BINARY};
        *out = VALUE_NULL;
        if (value.null) continue;
        if (from->oid != column->type.oid) (void)cast_find_path(from->oid, column->type.oid, CAST_EXPLICIT, &path);
        TRY(cast_run(&ctx, &path, value, column->type.typmod, false, out));
    }
    return ST_OK;
}

static Status act_on(Action *a, const FkFound *found)
{
    FkTable *child = a->link->child;
    LockMode mode = a->what == FK_CASCADE && a->kind == FK_DELETED ? LOCK_UPDATE : LOCK_NO_KEY_UPDATE;
    bool refers;
    int event = 0;
    arena_reset(child->row_arena);
    TRY(fetch_child(a, mode, found, child->before, &refers, &event));
    if (!refers) return ST_OK;
    TRY(row_target_compute_virtual(child->target, child->before, child->row_arena));
    if (a->what == FK_CASCADE && a->kind == FK_DELETED) return delete_child(child);
    memcpy(child->after, child->before, sizeof(Value) * (size_t)child->table->columns.count);
    TRY(a->what == FK_CASCADE ? follow(a, event) : clear_columns(a));
    return update_child(child);
}

/* ---- events ---- */

static Status find(Action *a, FkFoundVec *found)
{
    TRY(fk_key_set(a->link, a->rows, a->count, &a->set, a->arena));
    return fk_find(a->link, &a->set, found, a->arena);
}

/* The rows are sought among all that is committed, as the parent's lock has kept others from adding to them since. */
static Status act_chunk(Action *a)
{
    FkFoundVec found;
    Txn *txn = a->link->run->exec->txn;
    bool refuses = a->what == FK_NO_ACTION || a->what == FK_RESTRICT;
    TRY(txn_newest_begin(txn, a->link->run->exec->err));
    Status st = find(a, &found);
    if (st == ST_OK && refuses && found.count) st = refuse(a, &found);
    txn_newest_end(txn);
    TRY(st);
    if (refuses || found.count == 0) return ST_OK;
    TRY(open_writer(a->link->child));
    for (int i = 0; i < found.count; i++) TRY(act_on(a, &found.items[i]));
    if (a->what != FK_SET_DEFAULT) return ST_OK;
    a->what = FK_NO_ACTION; /* a default may be the very key that went */
    return act_chunk(a);
}

FkAction fk_action(const FkEvents *events)
{
    const ForeignKeyDesc *key = events->link->key;
    return events->kind == FK_DELETED ? key->on_delete : events->kind == FK_UPDATED ? key->on_update : FK_NO_ACTION;
}

Status fk_act(FkEvents *events)
{
    FkLink *link = events->link;
    FkAction what = fk_action(events);
    TRY(open_child(link->child));
    for (int i = 0; i < events->rows.count; i += CHUNK_ROWS) {
        int left = events->rows.count - i;
        Action a = {.link = link, .kind = events->kind, .what = what, .rows = &events->rows.items[i],
                    .count = left < CHUNK_ROWS ? left : CHUNK_ROWS, .arena = arena_create(link->run->arena, 0)};
        Status st = act_chunk(&a);
        arena_destroy(a.arena);
        TRY(st);
    }
    return ST_OK;
}
