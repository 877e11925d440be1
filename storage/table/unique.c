#include <assert.h>

#include "storage/keys/row_key.h"
#include "storage/table/row_writer.h"

enum { FAILING_ROW_VALUE_MAX = 64 }; /* PostgreSQL cuts each value of a failing row there */

/* What is committed now decides, at every isolation level: the index has one entry of a key, not one per snapshot. */
Status unique_probe(RowWriter *writer, int index, bool *taken, Slice *existing_value, Error *err)
{
    bool waited, covered, newer;
    Slice key = buf_slice(&writer->after[index].key);
    /* Nobody else writes to a table that is locked against it. */
    if (!txn_holds_table(writer->txn, writer->access->table->base.id, TABLE_EXCLUSIVE))
        TRY(txn_lock(writer->txn, key, LOCK_UPDATE, LOCK_WAIT, &waited, err));
    TRY(key_gap_covers(writer, index, key, &covered, err));
    *taken = false;
    if (covered) return ST_OK;
    return txn_get_newest(writer->txn, key, taken, existing_value, &newer, err);
}

Status unique_owner(RowWriter *writer, const IndexAccess *index, Slice key, Slice value, Slice *primary_key, Error *err)
{
    if (index->index->primary) {
        uint32_t family;
        if (row_key_split(key, primary_key, &family)) {
            *primary_key = arena_slice(writer->row_arena, *primary_key);
            return ST_OK;
        }
        return err_set(err, writer->arena, ERR_INDEX_CORRUPTED, "damaged key in index \"%s\"", index->index->name);
    }
    Cell suffix_cell = {ENTRY_SUFFIX_CELL, CELL_BYTES};
    RowReader *reader = row_reader_create(&suffix_cell, 1, writer->row_arena);
    Value suffix = VALUE_NULL;
    Slice *parts = ARENA_ARRAY(writer->row_arena, Slice, index->part_count + 1);
    Buf owner = {0};
    bool readable = row_reader_open(reader, value) && row_reader_cell(reader, 0, &suffix) == CELL_PRESENT &&
                    entry_parts(index, key, value_to_slice(suffix), index->part_count, parts) &&
                    entry_primary_key(writer->access, index, parts, writer->row_arena, &owner);
    if (readable) *primary_key = arena_slice(writer->row_arena, buf_slice(&owner));
    buf_finish(&owner);
    if (readable) return ST_OK;
    return err_set(err, writer->arena, ERR_INDEX_CORRUPTED, "damaged entry in index \"%s\"", index->index->name);
}

/* ---- errors ---- */

static const char *value_text(const ColumnDesc *column, Value value, Arena *arena)
{
    if (value.null) return "null";
    if (!type_find(column->type.oid)) return arena_strndup(arena, value.p, value.size);
    return type_text(column->type, &type_env_default, value, arena);
}

/* "(a, b)=(1, x)": the columns that the user declared, never a bucket or a hash code in front of them. */
Status unique_violation(Arena *arena, const TableAccess *access, const IndexAccess *index, const Value *row, Error *err)
{
    const TableDesc *table = access->table;
    Buf names = {0}, values = {0};
    for (int i = 0; i < index->declared_count; i++) {
        const ColumnDesc *column = &table->columns.items[index->parts[i].ordinal];
        if (index->index->columns.items[i].implicit) continue;
        if (names.size) {
            buf_put_str(&names, ", ");
            buf_put_str(&values, ", ");
        }
        bool expression = column->role == COLUMN_EXPRESSION && column->computed_expr;
        buf_put_str(&names, expression ? column->computed_expr : column->name);
        buf_put_str(&values, value_text(column, row[index->parts[i].ordinal], arena));
    }
    err_set(err, arena, ERR_UNIQUE_VIOLATION, "duplicate key value violates unique constraint \"%s\"",
            index->index->name);
    err_detail(err, arena, "Key (%s)=(%s) already exists.", buf_to_str(&names, arena), buf_to_str(&values, arena));
    err->table = arena_strdup(arena, table->base.name);
    err->table_id = table->base.id;
    err->constraint = arena_strdup(arena, index->index->name);
    buf_finish(&names);
    buf_finish(&values);
    return ST_ERROR;
}

static void put_failing_value(const char *text, Buf *out)
{
    size_t size = strlen(text);
    if (size <= FAILING_ROW_VALUE_MAX) {
        buf_put_str(out, text);
        return;
    }
    size_t cut = FAILING_ROW_VALUE_MAX;
    while (cut && ((uint8_t)text[cut] & 0xc0) == 0x80) cut--;
    buf_put(out, text, cut);
    buf_put_str(out, "...");
}

Status not_null_violation(RowWriter *writer, const Value *row, int ordinal, Error *err)
{
    const TableDesc *table = writer->access->table;
    const ColumnDesc *column = &table->columns.items[ordinal];
    Buf values = {0};
    for (int i = 0; i < table->columns.count; i++) {
        if (table->columns.items[i].hidden) continue;
        if (values.size) buf_put_str(&values, ", ");
        put_failing_value(value_text(&table->columns.items[i], row[i], writer->arena), &values);
    }
    err_set(err, writer->arena, ERR_NOT_NULL_VIOLATION,
            "null value in column \"%s\" of relation \"%s\" violates not-null constraint", column->name,
            table->base.name);
    err_detail(err, writer->arena, "Failing row contains (%s).", buf_to_str(&values, writer->arena));
    err->table = arena_strdup(writer->arena, table->base.name);
    err->table_id = table->base.id;
    err->column = arena_strdup(writer->arena, column->name);
    buf_finish(&values);
    return ST_ERROR;
}
