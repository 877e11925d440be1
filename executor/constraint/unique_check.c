/* unique_check.c - deferrable UNIQUE and PRIMARY KEY constraints: is a key there twice once the statement, or the transaction, has ended?
 *
 * The index holds an entry for every row, as one that is not unique does. Whoever looks at a key takes its lock first, so of
 * two transactions that add the same key the second one sees what the first one left.
 */
#include "executor/constraint/fk.h"

#include "executor/ddl/ddl_internal.h"
#include "executor/ops/row_lock.h"
#include "planner/utility_txn.h"
#include "storage/keys/row_key.h"

Status unique_link(ConstraintRun *run, FkTable *table, const IndexDesc *index, UniqueLink **out)
{
    for (UniqueLink *l = run->uniques; l; l = l->next)
        if (l->table == table && l->index->id == index->id) {
            *out = l;
            return ST_OK;
        }
    UniqueLink *link = ARENA_NEW(run->arena, UniqueLink);
    *link = (UniqueLink){.next = run->uniques, .run = run, .table = table, .index = index, .count = index->columns.count};
    link->ordinals = ARENA_ARRAY(run->arena, int, link->count + 1);
    link->tuple = ARENA_ARRAY(run->arena, Value, link->count + 1);
    for (int i = 0; i < link->count; i++)
        link->ordinals[i] = table_column_by_id(table->table, index->columns.items[i].column_id);
    run->uniques = link;
    *out = link;
    return ST_OK;
}

/* ---- a key ---- */

static void put_column_names(const UniqueLink *link, const Value *tuple, Buf *names, Buf *values)
{
    for (int i = 0; i < link->count; i++) {
        const ColumnDesc *column = &link->table->table->columns.items[link->ordinals[i]];
        if (link->index->columns.items[i].implicit) continue;
        if (names->size) {
            buf_put_str(names, ", ");
            buf_put_str(values, ", ");
        }
        buf_put_str(names, column->name);
        const TypeDef *type = exec_type(column->type.oid);
        if (tuple[i].null) buf_put_str(values, "null");
        else type->out(type, exec_type_env(link->run->exec), tuple[i], values);
    }
}

static Status is_twice(UniqueLink *link, const Value *tuple, bool validating)
{
    const Exec *exec = link->run->exec;
    Arena *arena = exec->arena;
    const TableDesc *table = link->table->table;
    Buf names = {0}, values = {0};
    put_column_names(link, tuple, &names, &values);
    (void)err_set(exec->err, arena, ERR_UNIQUE_VIOLATION,
                  validating ? "could not create unique index \"%s\"" : "duplicate key value violates unique constraint \"%s\"",
                  link->index->name);
    err_detail(exec->err, arena, validating ? "Key (%s)=(%s) is duplicated." : "Key (%s)=(%s) already exists.",
               buf_to_str(&names, arena), buf_to_str(&values, arena));
    buf_finish(&names);
    buf_finish(&values);
    exec->err->schema = session_schema_name(exec->session, table->base.parent_schema);
    exec->err->table = table->base.name;
    exec->err->table_id = table->base.id;
    exec->err->constraint = link->index->name;
    return ST_ERROR;
}

static Status count_entries(Txn *txn, Slice start, Slice end, int *count, Error *err)
{
    TxnScan *scan;
    Slice key, value;
    Status st = ST_OK;
    *count = 0;
    TRY(txn_scan_open(txn, start, end, false, 2, &scan, err));
    while (st == ST_OK && *count < 2) {
        st = txn_scan_next(scan, &key, &value, err);
        *count += st == ST_OK;
    }
    txn_scan_close(scan);
    return st == ST_END ? ST_OK : st;
}

/* *twice: there is another row with the key. */
static Status look_at(UniqueLink *link, const Value *tuple, bool lock, bool *twice)
{
    const Exec *exec = link->run->exec;
    Buf start = {0}, end = {0};
    bool waited;
    int count = 0;
    Status st = index_key_prefix(link->table->access, link->index, tuple, link->count, &start, exec->err);
    row_key_prefix_end(buf_slice(&start), &end);
    if (st == ST_OK && lock) st = txn_lock(exec->txn, buf_slice(&start), LOCK_UPDATE, LOCK_WAIT, &waited, exec->err);
    if (st == ST_OK) {
        st = txn_newest_begin(exec->txn, exec->err);
        if (st == ST_OK) st = count_entries(exec->txn, buf_slice(&start), buf_slice(&end), &count, exec->err);
        txn_newest_end(exec->txn);
    }
    *twice = count > 1;
    buf_finish(&start);
    buf_finish(&end);
    return st;
}

/* ---- events ---- */

Status unique_event(UniqueLink *link, const Value *tuple)
{
    ConstraintRun *run = link->run;
    if (!run->nothing_waits && constraint_is_deferred(run->exec, link->table->table->base.id, CONSTRAINT_OF_INDEX | link->index->id,
                                                      link->index->deferrable, link->index->initially_deferred)) {
        constraint_defer_unique(link, tuple);
        return ST_OK;
    }
    if (!link->arena) link->arena = arena_create(run->arena, 0);
    Value *copy = ARENA_ARRAY(link->arena, Value, link->count + 1);
    for (int i = 0; i < link->count; i++) {
        const TypeDef *type = exec_type(link->table->table->columns.items[link->ordinals[i]].type.oid);
        copy[i] = tuple[i].null ? VALUE_NULL : value_copy(type, tuple[i], link->arena);
    }
    VEC_PUSH(link->arena, link->tuples, copy);
    return ST_OK;
}

Status unique_written(UniqueLink *link, const Value *before, const Value *after)
{
    bool has_null = false, changed = !before;
    for (int i = 0; i < link->count; i++) {
        int ordinal = link->ordinals[i];
        link->tuple[i] = after[ordinal];
        has_null |= after[ordinal].null;
        changed = changed || !row_lock_same(link->table->table, ordinal, before[ordinal], after[ordinal]);
    }
    return !changed || (has_null && !link->index->nulls_not_distinct) ? ST_OK : unique_event(link, link->tuple);
}

Status unique_finish(UniqueLink *link)
{
    for (int i = 0; i < link->tuples.count; i++) {
        bool twice;
        TRY(look_at(link, link->tuples.items[i], true, &twice));
        if (twice) return is_twice(link, link->tuples.items[i], false);
    }
    link->tuples.count = 0;
    return ST_OK;
}

/* ---- ALTER TABLE ---- */

static Status validate_row(void *argument, Value *row, Arena *arena)
{
    UniqueLink *link = argument;
    bool has_null = false, twice;
    (void)arena;
    for (int i = 0; i < link->count; i++) {
        link->tuple[i] = row[link->ordinals[i]];
        has_null |= link->tuple[i].null;
    }
    if (has_null && !link->index->nulls_not_distinct) return ST_OK;
    TRY(look_at(link, link->tuple, false, &twice));
    return twice ? is_twice(link, link->tuple, true) : ST_OK;
}

Status constraints_validate_unique(Exec *exec, const TableDesc *table, uint32_t index_id)
{
    ConstraintRun *run = constraint_run_create(exec, arena_create(exec->arena, 0));
    FkTable *t;
    UniqueLink *link;
    const IndexDesc *index = table_index_by_id(table, index_id);
    if (!index) return ST_OK;
    TRY(fk_table(run, table, &t));
    TRY(unique_link(run, t, index, &link));
    return ddl_each_row(exec, table, validate_row, link);
}
