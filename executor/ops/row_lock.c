#include "executor/ops/row_lock.h"

#include "storage/table/table_access.h"

Status row_lock_fetch(const RowLock *lock, Slice key, Value *values, bool *found, Arena *arena)
{
    Exec *exec = lock->exec;
    /* Another part of the statement (WITH) may have changed the row: that is the one change that takes place. */
    if (txn_written_since_view(exec->txn, key)) return ST_END;
    Status st = row_fetch_locked(lock->access, exec->txn, key, lock->mode, lock->wait, lock->ordinals, lock->count, values,
                                 found, arena, exec->err);
    if (st == ST_ERROR && lock->wait == LOCK_NOWAIT && exec->err->sqlstate == ERR_LOCK_NOT_AVAILABLE)
        return err_set(exec->err, exec->arena, ERR_LOCK_NOT_AVAILABLE, "could not obtain lock on row in relation \"%s\"",
                       lock->access->table->base.name);
    return st;
}

Status row_lock_retry(Exec *exec)
{
    exec->retry_statement = true;
    return err_set(exec->err, exec->arena, ERR_SERIALIZATION_FAILURE,
                   "could not serialize access due to concurrent update");
}

bool row_lock_same(const TableDesc *table, int ordinal, Value seen, Value now)
{
    const ColumnDesc *column = &table->columns.items[ordinal];
    if (column->computed == COMPUTED_VIRTUAL) return true;
    if (seen.null || now.null) return seen.null && now.null;
    const TypeDef *type = exec_type(column->type.oid);
    if (type->compare) return type_compare(type, seen, now) == 0;
    return slice_equal(value_to_slice(seen), value_to_slice(now));
}
