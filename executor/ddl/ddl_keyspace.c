/* SPLIT AT, UNSPLIT AT, SCATTER: changes of the range directory, at once and outside the transaction. */
#include <math.h>

#include "executor/ddl/ddl_internal.h"
#include "storage/base/clock.h"
#include "storage/keys/key_print.h"
#include "storage/keys/row_key.h"
#include "storage/range/range.h"
#include "storage/types/type_array.h"
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
    const TableDesc *table;
    const IndexDesc *index;
    const PlannedStmt *query;
    TableAccess *access;
    Directory *directory;
    int64_t until;
    ResultRows rows;
} Splitting;

/* 2262-04-11 23:47:16.854776: the largest time that CockroachDB's nanoseconds since 1970 can say. */
static const int64_t FOREVER_US = INT64_MAX / 1000 + 1 - INT64_C(946684800000000);

/* The key that the columns from `first` on are a prefix of. */
static Status row_key_from(Splitting *s, const Batch *batch, int r, int first, Buf *key)
{
    int count = batch->column_count - first;
    Value *values = ARENA_ARRAY(s->exec->arena, Value, count);
    for (int c = 0; c < count; c++) values[c] = batch->columns[first + c][r];
    buf_clear(key);
    return index_key_prefix(s->access, s->index, values, count, key, s->exec->err);
}

static Status row_key_of(Splitting *s, const Batch *batch, int r, Buf *key)
{
    return row_key_from(s, batch, r, 0, key);
}

/* The boundaries of a batch are made in one commit. */
static Status split_batch(void *argument, const Batch *batch)
{
    Splitting *s = argument;
    Buf key = {0};
    Status st = ST_OK;
    int count = batch_rows(batch);
    Slice *keys = ARENA_ARRAY(s->exec->arena, Slice, count + 1);
    for (int i = 0; i < count && st == ST_OK; i++) {
        st = row_key_of(s, batch, batch_row(batch, i), &key);
        if (st == ST_OK) keys[i] = arena_slice(s->exec->arena, buf_slice(&key));
    }
    buf_finish(&key);
    if (st == ST_OK) st = directory_split(s->directory, keys, count, s->until, s->exec->err);
    for (int i = 0; i < count && st == ST_OK; i++)
        add_row(&s->rows, keys[i], pretty_key(s->exec, s->table, s->index, keys[i], 2),
                value_int(s->until == INT64_MAX ? FOREVER_US : s->until));
    return st;
}

static Splitting splitting(Exec *exec, const UtilitySplitAt *u, int columns)
{
    return (Splitting){.exec = exec, .table = u->table, .index = u->index, .query = u->query, .access = table_access_create(u->table, exec->arena),
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
        TypeRef type = s->query->columns[c].type;
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
                   pretty_key(s->exec, s->table, s->index, key, -1));
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
            add_row(&s->rows, buf_slice(&key), pretty_key(s->exec, s->table, s->index, buf_slice(&key), -1), VALUE_NULL);
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
    int count = list_index_ranges(s->exec, s->table, s->index, &ranges);
    for (int i = 0; i < count; i++) {
        bool was_start;
        if (!ranges[i].sticky_until_us) continue;
        TRY(directory_unsplit(s->directory, ranges[i].start, &was_start, s->exec->err));
        add_row(&s->rows, ranges[i].start, pretty_key(s->exec, s->table, s->index, ranges[i].start, -1), VALUE_NULL);
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

/* ---- RELOCATE ---- */

typedef struct Relocation {
    Splitting at;
    bool lease, non_voters;
} Relocation;

static Status nodes_of(Exec *exec, Value array, int least, uint8_t *nodes, int *count)
{
    Array view = {0};
    *count = 0;
    if (!array.null) array_open(array, &view);
    if (view.count < least)
        return err_set(exec->err, exec->arena, ERR_INVALID_PARAMETER_VALUE, "no nodes to relocate to");
    for (int i = 0; i < view.count; i++) {
        Value node = array_element(&view, i);
        if (node.null || node.i < 1 || node.i > NODES_MAX || *count == RANGE_REPLICAS_MAX)
            return err_set(exec->err, exec->arena, ERR_INVALID_PARAMETER_VALUE, "there is no such node");
        nodes[(*count)++] = (uint8_t)node.i;
    }
    return ST_OK;
}

static Status relocate_row(Relocation *r, const Batch *batch, int row, Slice key)
{
    Exec *exec = r->at.exec;
    Value to = batch->columns[0][row];
    uint8_t nodes[RANGE_REPLICAS_MAX];
    int count;
    if (r->lease) return directory_move_lease(r->at.directory, key, to.null ? 0 : (int)to.i, exec->err);
    TRY(nodes_of(exec, to, r->non_voters ? 0 : 1, nodes, &count));
    if (r->non_voters) return directory_place_non_voters(r->at.directory, key, nodes, count, exec->err);
    return directory_place(r->at.directory, key, nodes, count, exec->err);
}

static Status relocate_batch(void *argument, const Batch *batch)
{
    Relocation *r = argument;
    Buf key = {0};
    Status st = ST_OK;
    for (int i = 0; i < batch_rows(batch) && st == ST_OK; i++) {
        int row = batch_row(batch, i);
        st = row_key_from(&r->at, batch, row, 1, &key);
        if (st == ST_OK) st = relocate_row(r, batch, row, buf_slice(&key));
        if (st == ST_OK)
            add_row(&r->at.rows, buf_slice(&key), pretty_key(r->at.exec, r->at.table, r->at.index, buf_slice(&key), -1), VALUE_NULL);
    }
    buf_finish(&key);
    return st;
}

Status ddl_relocate(Exec *exec, const UtilityRelocate *u, Batch *rows)
{
    ddl_settle_boundaries(exec->session);
    UtilitySplitAt like = {.table = u->table, .index = u->index, .query = u->query};
    Relocation r = {splitting(exec, &like, 2), u->lease, u->non_voters};
    TRY(ddl_run_query(exec, u->query, relocate_batch, &r));
    hand_out(&r.at.rows, rows);
    return ST_OK;
}

/* ---- ALTER RANGE ... RELOCATE ---- */

typedef struct RangeRelocation {
    Exec *exec;
    Directory *directory;
    int64_t from, to;
    bool lease, non_voters;
    RangeDesc *ranges;
    int count;
    ResultRows rows;
} RangeRelocation;

static Status move_replica(RangeRelocation *r, const RangeDesc *range)
{
    uint8_t nodes[RANGE_REPLICAS_MAX];
    int count = 0;
    bool has = false;
    for (int i = 0; i < range->replica_count; i++) {
        if (r->non_voters != ((range->non_voters & node_bit(range->replicas[i])) != 0)) continue;
        nodes[count] = range->replicas[i];
        if (nodes[count] == r->from) nodes[count] = (uint8_t)(r->to > 0 && r->to <= NODES_MAX ? r->to : 0);
        has |= range->replicas[i] == r->from;
        count++;
    }
    if (!has) {
        *r->exec->err = (Error){.sqlstate = ERR_INVALID_PARAMETER_VALUE,
                                .message = arena_printf(r->exec->arena, "range r%lld has no %s on node %lld", (long long)range->id,
                                                        r->non_voters ? "non-voting replica" : "replica", (long long)r->from)};
        return ST_ERROR;
    }
    if (r->non_voters) return directory_place_non_voters(r->directory, range->start, nodes, count, r->exec->err);
    return directory_place(r->directory, range->start, nodes, count, r->exec->err);
}

/* What cannot be done is told in the row's result, as the others may well be possible. */
static Status relocate_id(RangeRelocation *r, Value id)
{
    const RangeDesc *range = NULL;
    for (int i = 0; i < r->count; i++)
        if (!id.null && r->ranges[i].id == id.i) range = &r->ranges[i];
    if (!range)
        return err_set(r->exec->err, r->exec->arena, ERR_UNCATEGORIZED, "range with ID %lld not found", id.null ? 0LL : (long long)id.i);
    Status st = r->lease ? directory_move_lease(r->directory, range->start, (int)r->to, r->exec->err) : move_replica(r, range);
    const char *result = st == ST_OK ? "ok" : r->exec->err->message;
    Value values[3] = {id, value_str(key_text(range->start, &(KeyPrintStyle){.skip = -1}, r->exec->arena)), value_str(result)};
    if (st != ST_OK) *r->exec->err = (Error){0};
    for (int i = 0; i < 3; i++) VEC_PUSH(r->exec->arena, r->rows.columns[i], values[i]);
    return ST_OK;
}

static Status relocate_ids(void *argument, const Batch *batch)
{
    for (int i = 0; i < batch_rows(batch); i++) TRY(relocate_id(argument, batch->columns[0][batch_row(batch, i)]));
    return ST_OK;
}

Status ddl_relocate_range(Exec *exec, const UtilityRelocateRange *u, Batch *rows)
{
    RangeRelocation r = {.exec = exec, .directory = store_directory(txn_store(exec->txn)), .lease = u->lease,
                         .non_voters = u->non_voters, .rows = {.exec = exec, .column_count = 3}};
    Value id = VALUE_NULL, from = VALUE_NULL, to;
    TRY(eval_single(exec, u->to, &to, exec->arena));
    if (u->from) TRY(eval_single(exec, u->from, &from, exec->arena));
    if (u->range_id) TRY(eval_single(exec, u->range_id, &id, exec->arena));
    r.from = from.null ? 0 : from.i;
    r.to = to.null ? 0 : to.i;
    r.count = directory_list(r.directory, (Slice){0}, (Slice){0}, &r.ranges, exec->arena);
    TRY(u->query ? ddl_run_query(exec, u->query, relocate_ids, &r) : relocate_id(&r, id));
    hand_out(&r.rows, rows);
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

/* The ranges are dealt over the nodes in turn. */
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
        if (directory_node_count(directory) > 1)
            st = directory_scatter(directory, buf_slice(&start), buf_slice(&end), exec->err);
        int count = directory_list(directory, buf_slice(&start), buf_slice(&end), &ranges, exec->arena);
        for (int i = 0; i < count; i++)
            add_row(&result, ranges[i].start, pretty_key(exec, u->table, u->index, ranges[i].start, -1), VALUE_NULL);
        hand_out(&result, rows);
    }
    buf_finish(&start);
    buf_finish(&end);
    return st;
}
