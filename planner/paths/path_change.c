/* path_change.c - INSERT, UPDATE, DELETE and row locks: their inputs deliver old rows and primary key bytes. */
#include "planner/paths/path.h"

static bool reads_below(const Rel *rel, RelKind kind)
{
    while (rel->kind == REL_FILTER || rel->kind == REL_SORT || rel->kind == REL_PROJECT) rel = rel->inputs[0];
    return rel->kind == kind;
}

Status path_insert(Paths *p, RelInsert *rel, Plan **plan)
{
    Plan *input;
    TRY(path_rel_shaped(p, rel->base.inputs[0], (Wanted){0}, &input));
    PlanInsert *insert = path_new_over(p, PLAN_INSERT, sizeof *insert, input);
    insert->insert = rel;
    path_set_columns(p, &insert->base, rel->base.columns, rel->base.column_count);
    path_set_order(&insert->base, NULL, 0);
    insert->base.cost += input->rows_estimated * COST_FETCH;
    *plan = &insert->base;
    return ST_OK;
}

/* ---- old rows ---- */

/* Columns of the table that a change must know the old value of: those that make up keys, and all that are stored if the
 * row is written again. */
static bool *needed_columns(Paths *p, const TableDesc *table, const WriteTarget *target, bool rewrites)
{
    bool *needed = ARENA_ARRAY(p->arena, bool, table->columns.count);
    for (int i = 0; i < table->columns.count; i++)
        needed[i] = rewrites && table->columns.items[i].computed != COMPUTED_VIRTUAL;
    ColSet used = {0};
    for (int x = 0; x < table->indexes.count; x++) {
        const IndexDesc *index = &table->indexes.items[x];
        for (int k = 0; k < span_key_column_count(index); k++)
            needed[span_key_column(table, index, k, NULL) - table->columns.items] = true;
        if (target->predicates && target->predicates[x]) expr_columns(target->predicates[x], &used, p->arena);
    }
    for (int i = 0; i < table->columns.count; i++)
        if (target->row && colset_has(&used, target->row[i].id)) needed[i] = true;
    return needed;
}

static Status want_old_row(Paths *p, const RelTable *from, const bool *needed, Wanted *wanted, Source **source)
{
    TRY(path_source(p, from, source));
    if (!(*source)->key_bytes) (*source)->key_bytes = path_new_column(p);
    colset_add(&wanted->columns, p->arena, (*source)->key_bytes);
    for (int i = 0; i < from->table->columns.count; i++)
        if (needed[i]) colset_add(&wanted->columns, p->arena, from->base.columns[i].id);
    return ST_OK;
}

/* Rows are locked as they are read where nothing but this table's own conditions decides which rows are changed. */
static void lock_scan(const Rel *input, Source *source, LockMode mode, LockWait wait)
{
    if (!reads_below(input, REL_TABLE)) return;
    source->locking = true;
    source->lock_mode = mode;
    source->lock_wait = wait;
}

static ColId *old_row_columns(Paths *p, const RelTable *from, const Plan *input)
{
    int count = from->table->columns.count;
    ColId *columns = ARENA_ARRAY(p->arena, ColId, count);
    for (int i = 0; i < count; i++)
        if (path_column_index(input, from->base.columns[i].id) >= 0) columns[i] = from->base.columns[i].id;
    return columns;
}

static void need_each(Paths *p, Wanted *wanted, Expr **exprs, int count)
{
    for (int i = 0; exprs && i < count; i++) path_need(p, wanted, exprs[i]);
}

/* Whoever refers to a row by a unique key (FOR KEY SHARE) is in the way only of an update that changes such a key. */
static LockMode update_lock(const RelUpdate *update)
{
    const TableDesc *table = update->target.table;
    for (int x = 0; x < table->indexes.count; x++) {
        const IndexDesc *index = &table->indexes.items[x];
        if (!index_is_unique(index)) continue;
        for (int k = 0; k < span_key_column_count(index); k++) {
            const ColumnDesc *column = span_key_column(table, index, k, NULL);
            /* Buckets and hash codes are made of the key's own columns. */
            bool follows = column->role == COLUMN_BUCKET || column->role == COLUMN_HASH_CODE;
            if (update->set[column - table->columns.items] || (column->computed != COMPUTED_NONE && !follows))
                return LOCK_UPDATE;
        }
    }
    return LOCK_NO_KEY_UPDATE;
}

Status path_update(Paths *p, RelUpdate *rel, Plan **plan)
{
    const TableDesc *table = rel->target.table;
    Wanted wanted = {0};
    Source *source;
    TRY(want_old_row(p, rel->from, needed_columns(p, table, &rel->target, true), &wanted, &source));
    need_each(p, &wanted, rel->set, table->columns.count);
    need_each(p, &wanted, rel->returning, rel->base.column_count);
    LockMode mode = update_lock(rel);
    lock_scan(rel->base.inputs[0], source, mode, LOCK_WAIT);
    Plan *input;
    TRY(path_rel(p, rel->base.inputs[0], &wanted, &input));
    PlanUpdate *update = path_new_over(p, PLAN_UPDATE, sizeof *update, input);
    update->update = rel;
    update->old_row = old_row_columns(p, rel->from, input);
    update->key_bytes = source->key_bytes;
    update->lock_mode = mode;
    path_set_columns(p, &update->base, rel->base.columns, rel->base.column_count);
    path_set_order(&update->base, NULL, 0);
    update->base.cost += input->rows_estimated * COST_FETCH;
    *plan = &update->base;
    return ST_OK;
}

Status path_delete(Paths *p, RelDelete *rel, Plan **plan)
{
    Wanted wanted = {0};
    Source *source;
    TRY(want_old_row(p, rel->from, needed_columns(p, rel->target.table, &rel->target, false), &wanted, &source));
    need_each(p, &wanted, rel->returning, rel->base.column_count);
    lock_scan(rel->base.inputs[0], source, LOCK_UPDATE, LOCK_WAIT);
    Plan *input;
    TRY(path_rel(p, rel->base.inputs[0], &wanted, &input));
    PlanDelete *delete_ = path_new_over(p, PLAN_DELETE, sizeof *delete_, input);
    delete_->delete_ = rel;
    delete_->old_row = old_row_columns(p, rel->from, input);
    delete_->key_bytes = source->key_bytes;
    path_set_columns(p, &delete_->base, rel->base.columns, rel->base.column_count);
    path_set_order(&delete_->base, NULL, 0);
    delete_->base.cost += input->rows_estimated * COST_FETCH;
    *plan = &delete_->base;
    return ST_OK;
}

/* ---- FOR UPDATE ---- */

static bool sorts(const Plan *plan)
{
    while (plan->input_count && plan->kind != PLAN_SORT && plan->kind != PLAN_TOP_K) plan = plan->inputs[0];
    return plan->kind == PLAN_SORT || plan->kind == PLAN_TOP_K;
}

Status path_lock(Paths *p, RelLock *rel, const Wanted *wanted, Plan **plan)
{
    Wanted below = path_wanted_copy(p, wanted);
    below.limit = NULL;
    ColId *key_bytes = ARENA_ARRAY(p->arena, ColId, rel->item_count + 1);
    for (int i = 0; i < rel->item_count; i++) {
        Source *source;
        TRY(path_source(p, rel->items[i].from, &source));
        if (!source->key_bytes) source->key_bytes = path_new_column(p);
        key_bytes[i] = source->key_bytes;
        colset_add(&below.columns, p->arena, source->key_bytes);
        if (rel->item_count == 1) lock_scan(rel->base.inputs[0], source, rel->items[i].mode, rel->items[i].wait);
        if (!source->locking) continue;
        TRY(path_rel(p, rel->base.inputs[0], &below, plan));
        if (!sorts(*plan)) return ST_OK;
        /* Below a sort all rows would be locked, though a LIMIT may take but a few. */
        source->locking = false;
    }
    /* Whether a row that was waited for is still as it was read shows in all of its columns. */
    for (int i = 0; i < rel->item_count; i++) {
        const RelTable *from = rel->items[i].from;
        for (int c = 0; from && c < from->table->columns.count; c++)
            if (from->table->columns.items[c].computed != COMPUTED_VIRTUAL)
                colset_add(&below.columns, p->arena, from->base.columns[c].id);
    }
    Plan *input;
    TRY(path_rel(p, rel->base.inputs[0], &below, &input));
    PlanLock *lock = path_new_over(p, PLAN_LOCK, sizeof *lock, input);
    lock->items = rel->items;
    lock->key_bytes = key_bytes;
    lock->item_count = rel->item_count;
    lock->base.cost += input->rows_estimated * COST_FETCH;
    *plan = &lock->base;
    return ST_OK;
}
