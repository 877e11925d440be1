/* Does the row that a foreign key refers to exist? */
#include "executor/check/check_rows.h"
#include "storage/keys/row_key.h"

/* Two types whose values have the same bytes in keys. */
static bool same_in_keys(Oid a, Oid b)
{
    bool integers =
        (a == OID_INT2 || a == OID_INT4 || a == OID_INT8) && (b == OID_INT2 || b == OID_INT4 || b == OID_INT8);
    bool texts = (a == OID_TEXT || a == OID_VARCHAR) && (b == OID_TEXT || b == OID_VARCHAR);
    return a == b || integers || texts;
}

static int position_of(const IntVec *ids, uint32_t id)
{
    for (int i = 0; i < ids->count; i++)
        if ((uint32_t)ids->items[i] == id) return i;
    return -1;
}

static bool index_fits(ForeignKeyCheck *check, const TableDesc *table, const TableDesc *referenced,
                       const IndexDesc *index)
{
    const ForeignKeyDesc *key = check->key;
    if (!(index->unique || index->primary) || index->predicate || index->columns.count != key->columns.count)
        return false;
    for (int i = 0; i < index->columns.count; i++) {
        int position = position_of(&key->referenced_columns, index->columns.items[i].column_id);
        if (position < 0) return false;
        int from = table_column_by_id(table, (uint32_t)key->columns.items[position]);
        int to = table_column_by_id(referenced, index->columns.items[i].column_id);
        if (!same_in_keys(table->columns.items[from].type.oid, referenced->columns.items[to].type.oid)) return false;
        check->ordinals[i] = from;
    }
    check->column_count = index->columns.count;
    return true;
}

static bool foreign_key_prepare(const CheckRun *run, const TableDesc *table, const ForeignKeyDesc *key,
                                ForeignKeyCheck *check, Arena *arena)
{
    const Desc *desc = checked_find(run->catalog, key->referenced_table);
    if (!key->validated || !desc || desc->kind != DESC_TABLE) return false;
    const TableDesc *referenced = (const TableDesc *)desc;
    *check = (ForeignKeyCheck){.key = key, .ordinals = ARENA_ARRAY(arena, int, key->columns.count + 1)};
    for (int i = 0; i < referenced->indexes.count && !check->index; i++)
        if (index_fits(check, table, referenced, &referenced->indexes.items[i]))
            check->index = &referenced->indexes.items[i];
    if (check->index) check->referenced = table_access_create(referenced, arena);
    return check->index != NULL;
}

ForeignKeyCheck *foreign_key_checks(const CheckRun *run, const TableDesc *table, int *count, Arena *arena)
{
    ForeignKeyCheck *checks = ARENA_ARRAY(arena, ForeignKeyCheck, table->foreign_keys.count + 1);
    *count = 0;
    for (int i = 0; i < table->foreign_keys.count; i++)
        *count += foreign_key_prepare(run, table, &table->foreign_keys.items[i], &checks[*count], arena);
    return checks;
}

static Status row_exists(const CheckRun *run, const ForeignKeyCheck *check, const Value *values, bool *exists,
                         Error *err)
{
    Buf start = {0}, end = {0};
    Slice key, value;
    TxnScan *scan;
    Status st = index_key_prefix(check->referenced, check->index, values, check->column_count, &start, err);
    row_key_prefix_end(buf_slice(&start), &end);
    if (st == ST_OK) st = txn_scan_open(run->txn, buf_slice(&start), buf_slice(&end), false, 1, &scan, err);
    if (st == ST_OK) {
        st = txn_scan_next(scan, &key, &value, err);
        txn_scan_close(scan);
    }
    *exists = st == ST_OK;
    buf_finish(&start);
    buf_finish(&end);
    return st == ST_END ? ST_OK : st;
}

Status foreign_key_check(const CheckRun *run, const ForeignKeyCheck *check, const Value *row, const char **problem,
                         Arena *arena, Error *err)
{
    Value *values = ARENA_ARRAY(arena, Value, check->column_count + 1);
    int nulls = 0;
    bool exists;
    *problem = NULL;
    for (int i = 0; i < check->column_count; i++) {
        values[i] = row[check->ordinals[i]];
        nulls += values[i].null;
    }
    if (nulls) {
        if (check->key->match_full && nulls < check->column_count)
            *problem = arena_printf(arena, "foreign key \"%s\" is broken: some of its columns are NULL, but not all",
                                    check->key->name);
        return ST_OK;
    }
    TRY(row_exists(run, check, values, &exists, err));
    if (!exists)
        *problem = arena_printf(arena, "foreign key \"%s\" is broken: the row it refers to in \"%s\" does not exist",
                                check->key->name, checked_find(run->catalog, check->key->referenced_table)->name);
    return ST_OK;
}
