/* fn_rowkey.c - schema rowkey: from the bytes of a key to the row it belongs to, and from a row to its keys. */
#include "executor/ddl/ddl_internal.h"
#include "executor/functions/families.h"
#include "executor/system/key_names.h"
#include "storage/range/range.h"
#include "storage/txn/usage.h"

enum { ROW_COLUMNS_MAX = 10 };

/* Rows made at the start, handed out one by one. */
typedef struct ReadyRows {
    VEC(Value *) rows;
    int next, width;
} ReadyRows;

static Status ready_next(FnCtx *ctx, void *state, Value *out)
{
    ReadyRows *ready = state;
    if (ready->next == ready->rows.count) return ST_END;
    memcpy(out, ready->rows.items[ready->next++], sizeof(Value) * (size_t)ready->width);
    return ST_OK;
}

static Value *add_row(ReadyRows *ready, Arena *arena)
{
    Value *row = ARENA_ARRAY(arena, Value, ROW_COLUMNS_MAX);
    VEC_PUSH(arena, ready->rows, row);
    return row;
}

static Value text_or_null(const char *text)
{
    return text ? value_str(text) : VALUE_NULL;
}

/* ---- rowkey.decode_key ---- */

static Status decode_start(FnCtx *ctx, void *state, const Value *args)
{
    Arena *arena = ctx->type.arena;
    KeyNamer namer = {.session = ctx->session, .arena = arena};
    KeyName name;
    key_name(&namer, value_to_slice(args[0]), NULL, &name);
    const PairContents *c = &name.contents;
    ReadyRows *ready = state;
    ready->width = 7;
    Value *row = add_row(ready, arena), *at = row;
    *at++ = name.table ? text_or_null(session_schema_name(ctx->session, name.table->base.parent_schema)) : VALUE_NULL;
    *at++ = text_or_null(name.table ? name.table->base.name : NULL);
    *at++ = text_or_null(name.index ? name.index->name : NULL);
    *at++ = text_or_null(name.index ? key_name_columns(&namer, name.table, c->key, c->key_count) : NULL);
    *at++ = text_or_null(name.index ? key_name_json(&namer, name.table, c->key, c->key_count) : NULL);
    *at++ = c->whole ? value_int(c->family) : VALUE_NULL;
    *at++ = value_str(name.pretty);
    return ST_OK;
}

static const FnRows decode_rows = {sizeof(ReadyRows), decode_start, ready_next,
                                   "schema_name text, table_name text, index_name text, key_columns text, "
                                   "key_values json, family int8, pretty text"};

/* ---- rowkey.row_keys ---- */

typedef struct RowKeys {
    FnCtx *ctx;
    ReadyRows *ready;
    Exec *exec;
    RowTarget target;
    KeyNamer namer;
    Value *row; /* by ordinal */
} RowKeys;

static Status find_table(FnCtx *ctx, Value oid, const TableDesc **table)
{
    const IndexDesc *index = NULL;
    const Desc *desc = catalog_find_id(ctx->session->catalog, (DescId)oid.i);
    if (!desc && catalog_find_index_oid(ctx->session->catalog, (Oid)oid.i, &index))
        return err_set(ctx->type.err, ctx->type.arena, ERR_WRONG_OBJECT_TYPE, "\"%s\" is not a table", index->name);
    if (!desc)
        return err_set(ctx->type.err, ctx->type.arena, ERR_UNDEFINED_TABLE, "relation with OID %u does not exist",
                       (unsigned)oid.i);
    if (desc->kind != DESC_TABLE)
        return err_set(ctx->type.err, ctx->type.arena, ERR_WRONG_OBJECT_TYPE, "\"%s\" is not a table", desc->name);
    *table = (const TableDesc *)desc;
    return ST_OK;
}

/* The values come as whatever they were written as; their text is read as the column's type. */
static Status as_column(FnCtx *ctx, int argument, Value given, const ColumnDesc *column, Value *out)
{
    const TypeDef *to = type_find(column->type.oid);
    TypeRef from = ctx->arg_types[argument];
    *out = given;
    if (given.null || from.oid == column->type.oid) return ST_OK;
    if (!to)
        return err_set(ctx->type.err, ctx->type.arena, ERR_DATATYPE_MISMATCH,
                       "column \"%s\" takes a value of its own type only", column->name);
    Slice text = value_to_slice(given);
    if (from.oid != OID_UNKNOWN) text = slice_str(type_text(from, ctx->type.env, given, ctx->type.arena));
    return to->in(to, &ctx->type, text, column->type.typmod, out);
}

/* Fills in the key columns: the given ones, then those computed from them. */
static Status fill_key(RowKeys *k, const Value *args)
{
    FnCtx *ctx = k->ctx;
    const TableDesc *table = k->target.table;
    const IndexDesc *primary = table_primary(table);
    int given = 0, wanted = 0;
    for (int i = 0; i < primary->columns.count; i++) wanted += !primary->columns.items[i].implicit;
    if (wanted != ctx->arg_count - 1)
        return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE,
                       "the primary key of \"%s\" has %d column%s, but %d value%s given", table->base.name, wanted,
                       wanted == 1 ? "" : "s", ctx->arg_count - 1, ctx->arg_count == 2 ? " is" : "s are");
    for (int i = 0; i < table->columns.count; i++) k->row[i] = VALUE_NULL;
    for (int i = 0; i < primary->columns.count; i++) {
        if (primary->columns.items[i].implicit) continue;
        int ordinal = table_column_by_id(table, primary->columns.items[i].column_id);
        given++;
        TRY(as_column(ctx, given, args[given], &table->columns.items[ordinal], &k->row[ordinal]));
    }
    for (int i = 0; i < primary->columns.count; i++) {
        int ordinal = table_column_by_id(table, primary->columns.items[i].column_id);
        Program *computed = k->target.computed[ordinal];
        if (primary->columns.items[i].implicit && computed)
            TRY(eval_row(computed, k->row, ctx->type.arena, &k->row[ordinal]));
    }
    return ST_OK;
}

static Status fetch_row(RowKeys *k, bool *found)
{
    FnCtx *ctx = k->ctx;
    Arena *arena = ctx->type.arena;
    int n = k->target.column_count;
    Value **out = ARENA_ARRAY(arena, Value *, n + 1);
    for (int i = 0; i < n; i++) out[i] = &k->row[i];
    Buf key = {0};
    Status st = row_primary_key(k->target.access, k->row, &key, ctx->type.err);
    Slice at = arena_slice(arena, buf_slice(&key));
    buf_finish(&key);
    if (st == ST_OK)
        st = row_fetch(k->target.access, ctx->txn, &at, 1, k->target.all_ordinals, n, out, found, arena, ctx->type.err);
    return st == ST_OK && *found ? row_target_compute_virtual(&k->target, k->row, arena) : st;
}

static void add_pair(void *argument, const IndexDesc *index, Slice key, Slice value)
{
    RowKeys *k = argument;
    Arena *arena = k->ctx->type.arena;
    key = arena_slice(arena, key);
    value = arena_slice(arena, value);
    KeyName name;
    RangeDesc range;
    key_name(&k->namer, key, &value, &name);
    directory_find(store_directory(txn_store(k->ctx->txn)), key, &range, arena);
    const PairContents *c = &name.contents;
    Value *at = add_row(k->ready, arena);
    *at++ = text_or_null(index->name);
    *at++ = value_int(c->family);
    *at++ = value_slice(key);
    *at++ = value_str(name.pretty);
    *at++ = text_or_null(name.index ? key_name_columns(&k->namer, name.table, c->key, c->key_count) : NULL);
    *at++ = text_or_null(name.index ? key_name_columns(&k->namer, name.table, c->value, c->value_count) : NULL);
    *at++ = value_slice(value);
    *at++ = value_int(range.id);
    *at++ = value_int(range.lease_holder ? range.lease_holder : 1);
}

static Status collect(RowKeys *k, const Value *args)
{
    Arena *arena = k->ctx->type.arena;
    bool found = false;
    RowImage image;
    TRY(fill_key(k, args));
    TRY(fetch_row(k, &found));
    if (!found) return ST_OK;
    TRY(row_target_image(&k->target, k->row, k->target.in_predicate, &image, arena));
    RowWriter *writer = row_writer_create(k->target.access, k->ctx->txn, arena);
    return row_pairs(writer, image, add_pair, k, k->ctx->type.err);
}

static Status keys_start(FnCtx *ctx, void *state, const Value *args)
{
    Arena *arena = ctx->type.arena;
    const TableDesc *table = NULL;
    WriteTarget *target;
    TRY(find_table(ctx, args[0], &table));
    RowKeys k = {.ctx = ctx, .ready = state, .namer = {.session = ctx->session, .arena = arena}};
    k.ready->width = 9;
    k.row = ARENA_ARRAY(arena, Value, table->columns.count + 1);
    PlannedStmt *nothing = ARENA_NEW(arena, PlannedStmt);
    nothing->plan = ARENA_NEW(arena, Plan);
    nothing->plan->kind = PLAN_VALUES;
    k.exec = exec_create(ctx->session, nothing, arena);
    exec_start(k.exec, ctx->txn, NULL, ctx->type.err);
    TRY(ddl_write_target(k.exec, table, &target));
    TRY(row_target_init(&k.target, k.exec, target));
    Status st = collect(&k, args);
    row_target_close(&k.target);
    return st;
}

static const FnRows keys_rows = {sizeof(ReadyRows), keys_start, ready_next,
                                 "index_name text, family int8, key bytea, pretty text, key_columns text, "
                                 "value_columns text, value bytea, range_id int8, node int8"};

static Status reset_index_usage(FnCtx *ctx, const Value *args, Value *out)
{
    usage_reset_reads(txn_store(ctx->txn));
    *out = value_bool(true);
    return ST_OK;
}

/* clang-format off */
#define SET FN_STABLE | FN_SET
const FuncDef fn_rowkey_rows[] = {
    { 9050, "rowkey.decode_key", "bytea",         "record", SET | FN_STRICT, NULL, NULL, &decode_rows },
    { 9051, "rowkey.row_keys",   "regclass, any", "record", SET | FN_VARIADIC, NULL, NULL, &keys_rows },
    { 9052, "crdb_internal.reset_index_usage_stats", "", "bool", FN_STRICT, reset_index_usage },
    { 0 }
};
/* clang-format on */
