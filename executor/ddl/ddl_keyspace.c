/* SPLIT AT, UNSPLIT AT, SCATTER: changes of the range directory, at once and outside the transaction. */
#include <math.h>

#include "executor/ddl/ddl_internal.h"
#include "storage/base/clock.h"
#include "storage/keys/key_print.h"
#include "storage/keys/row_key.h"
#include "storage/range/range.h"
#include "storage/types/type_interval.h"

/* ---- the rows handed out ---- */

typedef struct ResultRows {
    Exec *exec;
    VEC(Value) columns[3];
    int column_count;
} ResultRows;

static void add_row(ResultRows *r, Slice key, const char *pretty, Value until)
{
    Arena *arena = r->exec->arena;
    Value values[3] = {value_slice(arena_slice(arena, key)), value_str(pretty), until};
    for (int i = 0; i < r->column_count; i++) VEC_PUSH(arena, r->columns[i], values[i]);
}

static void hand_out(const ResultRows *r, Batch *rows)
{
    rows->columns = ARENA_ARRAY(r->exec->arena, Value *, r->column_count);
    rows->column_count = r->column_count;
    rows->row_count = r->columns[0].count;
    for (int i = 0; i < r->column_count; i++) rows->columns[i] = r->columns[i].items;
}

static const char *pretty_key(Exec *exec, const TableDesc *table, const IndexDesc *index, Slice key, int skip)
{
    int count = index->columns.count + index->suffix.count;
    KeyPrintColumn *columns = ARENA_ARRAY(exec->arena, KeyPrintColumn, count + 1);
    for (int i = 0; i < index->columns.count; i++) {
        int ordinal = table_column_by_id(table, index->columns.items[i].column_id);
        columns[i].descending = index->columns.items[i].descending;
        columns[i].hash_code = table->columns.items[ordinal].role == COLUMN_HASH_CODE;
    }
    return key_text(key, &(KeyPrintStyle){.columns = columns, .count = count, .skip = skip}, exec->arena);
}

/* ---- SPLIT AT ---- */

/* Microseconds since 2000; INT64_MAX without a clause. */
static Status expiration(Exec *exec, Expr *e, int64_t *until)
{
    Value value;
    *until = INT64_MAX;
    if (!e) return ST_OK;
    TRY(eval_single(exec, e, &value, exec->arena));
    if (value.null) return ST_OK;
    TypeCtx ctx = {exec->arena, exec_type_env(exec), exec->err};
    int64_t now = exec->session->statement_start_us;
    Interval interval;
    if (e->type.oid == OID_TIMESTAMP || e->type.oid == OID_TIMESTAMPTZ) {
        *until = value.i;
    } else if (e->type.oid == OID_INTERVAL) {
        *until = now + (int64_t)interval_total_us(interval_load(value));
    } else if (e->type.oid == OID_TEXT) {
        const TypeDef *timestamp = type_find(OID_TIMESTAMPTZ);
        Value parsed;
        if (timestamp->in(timestamp, &ctx, value_to_slice(value), -1, &parsed) == ST_OK) {
            *until = parsed.i;
        } else {
            TRY(interval_parse(&ctx, value_to_slice(value), -1, &interval));
            *until = now + (int64_t)interval_total_us(interval);
        }
    } else {
        return err_unsupported(exec->err, exec->arena, "this type of SPLIT AT expiration");
    }
    if (*until < now)
        return err_set(exec->err, exec->arena, ERR_UNCATEGORIZED,
                       "SPLIT AT: expiration time should be greater than or equal to current time");
    return ST_OK;
}

typedef struct Splitting {
    Exec *exec;
    const UtilitySplitAt *u;
    TableAccess *access;
    Directory *directory;
    int64_t until;
    ResultRows rows;
} Splitting;

/* 2262-04-11 23:47:16.854776: the largest time that CockroachDB's nanoseconds since 1970 can say. */
static const int64_t FOREVER_US = INT64_MAX / 1000 + 1 - INT64_C(946684800000000);

static Status row_key_of(Splitting *s, const Batch *batch, int r, Buf *key)
{
    Value *values = ARENA_ARRAY(s->exec->arena, Value, batch->column_count);
    for (int c = 0; c < batch->column_count; c++) values[c] = batch->columns[c][r];
    buf_clear(key);
    return index_key_prefix(s->access, s->u->index, values, batch->column_count, key, s->exec->err);
}

static Status split_batch(void *argument, const Batch *batch)
{
    Splitting *s = argument;
    Buf key = {0};
    Status st = ST_OK;
    for (int i = 0; i < batch_rows(batch) && st == ST_OK; i++) {
        st = row_key_of(s, batch, batch_row(batch, i), &key);
        if (st == ST_OK) st = directory_split(s->directory, &(Slice){key.data, key.size}, 1, s->until, s->exec->err);
        if (st == ST_OK)
            add_row(&s->rows, buf_slice(&key), pretty_key(s->exec, s->u->table, s->u->index, buf_slice(&key), 2),
                    value_int(s->until == INT64_MAX ? FOREVER_US : s->until));
    }
    buf_finish(&key);
    return st;
}

static Splitting splitting(Exec *exec, const UtilitySplitAt *u, int columns)
{
    return (Splitting){.exec = exec, .u = u, .access = table_access_create(u->table, exec->arena),
                       .directory = store_directory(txn_store(exec->txn)), .rows = {.exec = exec, .column_count = columns}};
}

Status ddl_split_at(Exec *exec, const UtilitySplitAt *u, Batch *rows)
{
    ddl_settle_boundaries(exec->session);
    Splitting s = splitting(exec, u, 3);
    TRY(expiration(exec, u->expiration, &s.until));
    TRY(ddl_run_query(exec, u->query, split_batch, &s));
    hand_out(&s.rows, rows);
    return ST_OK;
}

/* ---- UNSPLIT AT ---- */

static Status not_a_start(Splitting *s, const Batch *batch, int r, Slice key)
{
    Buf values = {0};
    for (int c = 0; c < batch->column_count; c++) {
        TypeRef type = s->u->query->columns[c].type;
        Value v = batch->columns[c][r];
        const TypeDef *def = exec_type(type.oid);
        bool quoted = def->rep == REP_BYTES && type.oid != OID_NUMERIC;
        buf_printf(&values, "%s%s%s%s", c ? ", " : "", quoted ? "'" : "",
                   v.null ? "NULL" : type_text(type, exec_type_env(s->exec), v, s->exec->arena), quoted ? "'" : "");
    }
    const char *text = buf_to_str(&values, s->exec->arena);
    buf_finish(&values);
    return err_set(s->exec->err, s->exec->arena, ERR_UNCATEGORIZED,
                   "could not UNSPLIT AT (%s): key %s is not the start of a range", text,
                   pretty_key(s->exec, s->u->table, s->u->index, key, -1));
}

static Status unsplit_batch(void *argument, const Batch *batch)
{
    Splitting *s = argument;
    Buf key = {0};
    Status st = ST_OK;
    for (int i = 0; i < batch_rows(batch) && st == ST_OK; i++) {
        int r = batch_row(batch, i);
        bool was_start = false;
        st = row_key_of(s, batch, r, &key);
        if (st == ST_OK) st = directory_unsplit(s->directory, buf_slice(&key), &was_start, s->exec->err);
        if (st == ST_OK && !was_start) st = not_a_start(s, batch, r, buf_slice(&key));
        if (st == ST_OK)
            add_row(&s->rows, buf_slice(&key), pretty_key(s->exec, s->u->table, s->u->index, buf_slice(&key), -1), VALUE_NULL);
    }
    buf_finish(&key);
    return st;
}

static int list_index_ranges(Exec *exec, const TableDesc *table, const IndexDesc *index, RangeDesc **ranges)
{
    Buf start = {0}, end = {0};
    index_span(table->base.id, index->id, &start, &end);
    int count = directory_list(store_directory(txn_store(exec->txn)), buf_slice(&start), buf_slice(&end), ranges, exec->arena);
    buf_finish(&start);
    buf_finish(&end);
    return count;
}

static Status unsplit_all(Splitting *s)
{
    RangeDesc *ranges;
    int count = list_index_ranges(s->exec, s->u->table, s->u->index, &ranges);
    for (int i = 0; i < count; i++) {
        bool was_start;
        if (!ranges[i].sticky_until_us) continue;
        TRY(directory_unsplit(s->directory, ranges[i].start, &was_start, s->exec->err));
        add_row(&s->rows, ranges[i].start, pretty_key(s->exec, s->u->table, s->u->index, ranges[i].start, -1), VALUE_NULL);
    }
    return ST_OK;
}

Status ddl_unsplit_at(Exec *exec, const UtilitySplitAt *u, Batch *rows)
{
    ddl_settle_boundaries(exec->session);
    Splitting s = splitting(exec, u, 2);
    TRY(u->all ? unsplit_all(&s) : ddl_run_query(exec, u->query, unsplit_batch, &s));
    hand_out(&s.rows, rows);
    return ST_OK;
}

/* ---- SCATTER ---- */

static Status scatter_key(Exec *exec, const UtilityScatter *u, Expr **bound, int count, Buf *key)
{
    TableAccess *access = table_access_create(u->table, exec->arena);
    Value *values = ARENA_ARRAY(exec->arena, Value, count + 1);
    for (int i = 0; i < count; i++) TRY(eval_single(exec, bound[i], &values[i], exec->arena));
    return index_key_prefix(access, u->index, values, count, key, exec->err);
}

/* Leases are where they are: the ranges that would move are listed, as CockroachDB does. */
Status ddl_scatter(Exec *exec, const UtilityScatter *u, Batch *rows)
{
    ResultRows result = {.exec = exec, .column_count = 2};
    ddl_settle_boundaries(exec->session);
    Buf start = {0}, end = {0};
    Status st = ST_OK;
    index_span(u->table->base.id, u->index->id, &start, &end);
    if (u->from_count) {
        buf_clear(&start);
        buf_clear(&end);
        st = scatter_key(exec, u, u->from, u->from_count, &start);
        if (st == ST_OK) st = scatter_key(exec, u, u->to, u->to_count, &end);
        if (slice_compare(buf_slice(&start), buf_slice(&end)) > 0) {
            Buf swap = start;
            start = end;
            end = swap;
        }
    }
    if (st == ST_OK) {
        RangeDesc *ranges;
        Directory *directory = store_directory(txn_store(exec->txn));
        int count = directory_list(directory, buf_slice(&start), buf_slice(&end), &ranges, exec->arena);
        for (int i = 0; i < count; i++)
            add_row(&result, ranges[i].start, pretty_key(exec, u->table, u->index, ranges[i].start, -1), VALUE_NULL);
        hand_out(&result, rows);
    }
    buf_finish(&start);
    buf_finish(&end);
    return st;
}
