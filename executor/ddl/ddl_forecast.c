/* ddl_forecast.c - FORECAST TABLE: the keys and values that the rows of a query would become in a table that is not made. */
#include <math.h>
#include <stdlib.h>

#include "executor/ddl/ddl_internal.h"
#include "executor/ddl/forecast_model.h"
#include "storage/keys/row_key.h"
#include "storage/range/range.h"

enum { PAIRS_MAX = 4000000, RANGE_BYTES_DEFAULT = 512 << 20, RESULT_COLUMNS = 13 };

/* Times begin in 2026, with a row a millisecond. */
static const int64_t START_UNIX_MS = INT64_C(1767225600000), EPOCH_2015_MS = INT64_C(1420070400000),
                     EPOCH_2000_MS = INT64_C(946684800000);

typedef struct IndexTotals {
    int64_t pairs, key_bytes, value_bytes;
    int64_t *buckets; /* pairs per bucket; NULL: not sharded into buckets */
    int bucket_count, bucket_ordinal;
} IndexTotals;

typedef struct Forecast {
    Exec *exec;
    const UtilityForecast *u;
    TableDesc *table;
    RowTarget target;
    Expr **defaults; /* per column; NULL: none */
    Value *row;
    RowWriter *writer;
    ForecastModel *model;
    IndexTotals *totals; /* per index */
    int64_t rows;
    uint64_t random;
    Arena *arena; /* emptied with each row */
} Forecast;

/* ---- values of the columns that the query leaves out ---- */

/* SplitMix64: the same numbers in every run. */
static uint64_t next_random(Forecast *f)
{
    uint64_t z = f->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static Value imitated_uuid(Forecast *f, bool by_time)
{
    uint8_t *p = arena_alloc(f->arena, 16);
    uint64_t words[2] = {next_random(f), next_random(f)};
    memcpy(p, words, 16);
    uint64_t ms = (uint64_t)(START_UNIX_MS + f->rows);
    for (int i = 0; by_time && i < 6; i++) p[i] = (uint8_t)(ms >> (40 - 8 * i));
    p[6] = (uint8_t)((p[6] & 0x0f) | (by_time ? 0x70 : 0x40));
    p[8] = (uint8_t)((p[8] & 0x3f) | 0x80);
    return value_bytes(p, 16);
}

static Value imitated_row_id(Forecast *f, bool reversed)
{
    enum { TIME_BITS = 48, NODE_BITS = 15, STEPS_PER_MS = 100 };
    uint64_t step = (uint64_t)(START_UNIX_MS - EPOCH_2015_MS + f->rows) * STEPS_PER_MS, time = step;
    for (int i = 0; reversed && i < TIME_BITS; i++) {
        if (i == 0) time = 0;
        time |= (step >> i & 1) << (TIME_BITS - 1 - i);
    }
    return value_int((int64_t)(time << NODE_BITS | 1));
}

static Value imitated_time(Forecast *f, Oid type)
{
    int64_t ms = START_UNIX_MS - EPOCH_2000_MS + f->rows;
    return value_int(type == OID_DATE ? ms / 86400000 : ms * 1000);
}

static Value imitated_sequence(Forecast *f, const ColumnDesc *column)
{
    for (int i = 0; i < f->u->sequences.count; i++) {
        const SequenceDesc *s = f->u->sequences.items[i].draft;
        if (f->u->sequences.items[i].column_id == column->id) return value_int(s->start + f->rows * s->increment);
    }
    return value_int(f->rows + 1);
}

static Status fill_column(Forecast *f, int ordinal)
{
    const ColumnDesc *column = &f->table->columns.items[ordinal];
    Value *out = &f->row[ordinal];
    *out = VALUE_NULL;
    switch (f->u->sources[ordinal]) {
    case FORECAST_GIVEN: return ST_OK;
    case FORECAST_SEQUENCE: *out = imitated_sequence(f, column); return ST_OK;
    case FORECAST_ROW_ID:
    case FORECAST_ROW_ID_REVERSED:
        *out = imitated_row_id(f, f->u->sources[ordinal] == FORECAST_ROW_ID_REVERSED);
        return ST_OK;
    case FORECAST_CLOCK: *out = imitated_time(f, column->type.oid); return ST_OK;
    case FORECAST_UUID_RANDOM:
    case FORECAST_UUID_V7:
        *out = imitated_uuid(f, f->u->sources[ordinal] == FORECAST_UUID_V7);
        return ST_OK;
    case FORECAST_DEFAULT: break;
    }
    return f->defaults[ordinal] ? eval_single(f->exec, f->defaults[ordinal], out, f->arena) : ST_OK;
}

/* ---- rows ---- */

static void add_pair(void *argument, const IndexDesc *index, Slice key, Slice value)
{
    Forecast *f = argument;
    int at = (int)(index - f->table->indexes.items);
    IndexTotals *totals = &f->totals[at];
    totals->pairs++;
    totals->key_bytes += (int64_t)key.size;
    totals->value_bytes += (int64_t)value.size;
    if (totals->buckets) {
        Value bucket = f->row[totals->bucket_ordinal];
        if (!bucket.null && bucket.i >= 0 && bucket.i < totals->bucket_count) totals->buckets[bucket.i]++;
    }
    forecast_model_add(f->model, at, f->rows, key, value.size);
}

static Status add_row(Forecast *f, const Batch *batch, int r)
{
    RowImage image;
    arena_reset(f->arena);
    for (int c = 0; c < f->table->columns.count; c++) TRY(fill_column(f, c));
    for (int c = 0; c < batch->column_count; c++) f->row[f->u->ordinals[c]] = batch->columns[c][r];
    TRY(row_target_compute(&f->target, f->row, f->arena));
    TRY(row_target_check(&f->target, f->row, f->arena));
    TRY(row_target_image(&f->target, f->row, f->target.in_predicate, &image, f->arena));
    TRY(row_pairs(f->writer, image, add_pair, f, f->exec->err));
    f->rows++;
    if (forecast_model_pairs(f->model) <= PAIRS_MAX) return ST_OK;
    (void)err_set(f->exec->err, f->exec->arena, ERR_PROGRAM_LIMIT_EXCEEDED,
                  "the sample of FORECAST has more than %d key-value pairs", PAIRS_MAX);
    err_hint(f->exec->err, f->exec->arena, "Give fewer rows, and say with ROWS how many the table will have.");
    return ST_ERROR;
}

static Status add_batch(void *argument, const Batch *batch)
{
    for (int i = 0; i < batch_rows(batch); i++) TRY(add_row(argument, batch, batch_row(batch, i)));
    return ST_OK;
}

/* ---- setting up ---- */

static int compare_keys(const void *a, const void *b)
{
    return slice_compare(*(const Slice *)a, *(const Slice *)b);
}

static Status split_keys(Forecast *f, const IndexDesc *index, ForecastIndex *facts)
{
    Arena *arena = f->exec->arena;
    Slice *keys = ARENA_ARRAY(arena, Slice, f->u->splits.count + 1);
    Buf key = {0}, end = {0};
    Status st = ST_OK;
    for (int i = 0; i < f->u->splits.count && st == ST_OK; i++) {
        const IndexSplit *split = &f->u->splits.items[i];
        if (split->index_id != index->id) continue;
        buf_clear(&key);
        buf_clear(&end);
        st = index_key_prefix(f->target.access, index, split->values, split->count, &key, f->exec->err);
        if (split->behind) row_key_prefix_end(buf_slice(&key), &end);
        keys[facts->split_count++] = arena_slice(arena, buf_slice(split->behind ? &end : &key));
    }
    buf_finish(&end);
    if (st == ST_OK) index_span(f->table->base.id, index->id, &key, NULL);
    facts->start = arena_slice(arena, buf_slice(&key));
    facts->splits = keys;
    qsort(keys, (size_t)facts->split_count, sizeof *keys, compare_keys);
    buf_finish(&key);
    return st;
}

static Status describe_index(Forecast *f, int i, ForecastIndex *facts)
{
    const IndexDesc *index = &f->table->indexes.items[i];
    int first = table_column_by_id(f->table, index->columns.items[0].column_id);
    IndexTotals *totals = &f->totals[i];
    facts->by_hash_code = f->table->columns.items[first].role == COLUMN_HASH_CODE;
    if (index->bucket_count > 0) {
        totals->bucket_count = index->bucket_count;
        totals->bucket_ordinal = first;
        totals->buckets = ARENA_ARRAY(f->exec->arena, int64_t, index->bucket_count);
    }
    return split_keys(f, index, facts);
}

static Status set_up(Forecast *f)
{
    Exec *exec = f->exec;
    Arena *arena = exec->arena;
    WriteTarget *target;
    f->table = table_desc_copy(f->u->draft, arena);
    f->table->base.id = DESC_ID_FIRST_USER; /* as if it were the first one made */
    int columns = f->table->columns.count, indexes = f->table->indexes.count;
    TRY(ddl_write_target(exec, f->table, &target));
    TRY(row_target_init(&f->target, exec, target));
    f->row = ARENA_ARRAY(arena, Value, columns + 1);
    f->defaults = ARENA_ARRAY(arena, Expr *, columns + 1);
    for (int i = 0; i < columns; i++) {
        const ColumnDesc *column = &f->table->columns.items[i];
        if (f->u->sources[i] != FORECAST_DEFAULT || !column->default_expr || column->sequence_id) continue;
        const TableExpr expr = {f->table, NULL, column->default_expr, column->type};
        TRY(plan_table_expr(exec->session, &expr, &f->defaults[i], arena, exec->err));
    }
    f->arena = arena_create(arena, 0);
    f->writer = row_writer_create(f->target.access, exec->txn, arena_create(arena, 0));
    f->totals = ARENA_ARRAY(arena, IndexTotals, indexes);
    ForecastIndex *facts = ARENA_ARRAY(arena, ForecastIndex, indexes);
    for (int i = 0; i < indexes; i++) TRY(describe_index(f, i, &facts[i]));
    int nodes = f->u->nodes ? (int)f->u->nodes : directory_node_count(store_directory(txn_store(exec->txn)));
    f->model = forecast_model_create(facts, indexes, nodes, arena_create(arena, 0));
    return ST_OK;
}

/* ---- words ---- */

static const char *percent(Forecast *f, double share)
{
    double p = share * 100;
    bool whole = fabs(p - round(p)) < 0.005;
    return arena_printf(f->exec->arena, whole ? "%.0f %%" : "%.1f %%", p);
}

static const char *bytes_text(Forecast *f, double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    for (; bytes >= 1024 && unit < 4; unit++) bytes /= 1024;
    return arena_printf(f->exec->arena, unit > 0 && bytes < 10 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}

enum { ORDERED_PERCENT = 90 };

static const char *one_range(Forecast *f, const ForecastSpread *s)
{
    bool up = s->ascending * 100 >= ORDERED_PERCENT, down = s->descending * 100 >= ORDERED_PERCENT;
    const char *size = bytes_text(f, s->bytes);
    if (s->whole) return arena_printf(f->exec->arena, "in one place: one range holds all (%s), and there is no key to cut it at", size);
    if (up || down)
        return arena_printf(f->exec->arena, "sequential: one range holds all (%s); when it splits, %s of the inserts go to the %s range",
                            size, percent(f, up ? s->ascending : s->descending), up ? "last" : "first");
    return arena_printf(f->exec->arena, "one range holds all (%s): there is nothing to spread", size);
}

static const char *verdict(Forecast *f, const IndexTotals *totals, const ForecastSpread *s)
{
    Arena *arena = f->exec->arena;
    const char *share = percent(f, s->hottest_range);
    long long ranges = (long long)s->ranges, written = (long long)s->ranges_written;
    if (f->rows == 0) return "the query has no rows";
    if (s->ranges == 1) return one_range(f, s);
    if (s->hottest_range * 100 >= ORDERED_PERCENT && (s->hottest_is_last || s->hottest_is_first))
        return arena_printf(arena, "sequential: %s of the inserts go to the %s range", share, s->hottest_is_last ? "last" : "first");
    if (s->hottest_range * 100 >= ORDERED_PERCENT)
        return arena_printf(arena, "in one place: %s of the inserts go to one of %lld ranges", share, ranges);
    if (totals->bucket_count && written <= totals->bucket_count && ranges > totals->bucket_count + 1)
        return arena_printf(arena, "spread, sequential in each bucket: the inserts go to %lld of %lld ranges, %s of them to the hottest",
                            written, ranges, share);
    double even = 1.0 / (double)(written > 0 ? written : 1);
    if (s->hottest_range > 2 * even)
        return arena_printf(arena, "skewed: %s of the inserts go to the hottest of %lld ranges (%s would be even)", share, ranges,
                            percent(f, even));
    return arena_printf(arena, "spread: the inserts go to %lld of %lld ranges, %s of them to the hottest", written, ranges, share);
}

static const char *key_text(Forecast *f, const IndexDesc *index)
{
    Buf text = {0};
    for (int i = 0; i < index->columns.count; i++) {
        const IndexColumn *key = &index->columns.items[i];
        const ColumnDesc *column = &f->table->columns.items[table_column_by_id(f->table, key->column_id)];
        const char *name = column->role == COLUMN_EXPRESSION ? column->computed_expr : column->name;
        buf_printf(&text, "%s%s%s", i ? ", " : "", name, key->descending ? " DESC" : "");
    }
    const char *copy = buf_to_str(&text, f->exec->arena);
    buf_finish(&text);
    return copy;
}

/* ---- the result ---- */

static double hundredths(double x)
{
    return round(x * 100) / 100;
}

static Value hottest_bucket(const IndexTotals *totals)
{
    int64_t most = 0;
    if (!totals->buckets || !totals->pairs) return VALUE_NULL;
    for (int i = 0; i < totals->bucket_count; i++)
        if (totals->buckets[i] > most) most = totals->buckets[i];
    return value_float(hundredths(100.0 * (double)most / (double)totals->pairs));
}

static void put_row(Forecast *f, Batch *rows, const char *name, const char *key, const IndexTotals *totals, const ForecastSpread *s)
{
    double n = f->rows ? (double)f->rows : 1;
    const IndexTotals *primary = &f->totals[0];
    double primary_bytes = (double)(primary->key_bytes + primary->value_bytes);
    double all = (double)(totals->key_bytes + totals->value_bytes);
    const char *words = totals == primary || key ? verdict(f, totals, s)
                                                 : arena_printf(f->exec->arena, "the hottest node does %s of the writes",
                                                                percent(f, s->hottest_node));
    if (s->coarse) words = arena_printf(f->exec->arena, "%s (a guess: too few rows for ROWS)", words);
    const Value row[RESULT_COLUMNS] = {
        value_str(name),
        key ? value_str(key) : VALUE_NULL,
        value_float(hundredths((double)totals->pairs / n)),
        value_float(hundredths((double)totals->key_bytes / n)),
        value_float(hundredths((double)totals->value_bytes / n)),
        value_float(primary_bytes > 0 ? hundredths(all / primary_bytes) : 0),
        totals->bucket_count ? value_int(totals->bucket_count) : VALUE_NULL,
        hottest_bucket(totals),
        value_int(s->ranges),
        value_float(hundredths(100 * s->hottest_range)),
        value_int(s->nodes),
        value_float(hundredths(100 * s->hottest_node)),
        value_str(words),
    };
    for (int c = 0; c < RESULT_COLUMNS; c++) rows->columns[c][rows->row_count] = row[c];
    rows->row_count++;
}

static void put_result(Forecast *f, Batch *rows)
{
    Arena *arena = f->exec->arena;
    int indexes = f->table->indexes.count;
    IndexTotals sum = {0};
    rows->column_count = RESULT_COLUMNS;
    rows->columns = ARENA_ARRAY(arena, Value *, RESULT_COLUMNS);
    for (int c = 0; c < RESULT_COLUMNS; c++) rows->columns[c] = ARENA_ARRAY(arena, Value, indexes + 1);
    for (int i = 0; i < indexes; i++) {
        const IndexDesc *index = &f->table->indexes.items[i];
        const IndexTotals *totals = &f->totals[i];
        ForecastSpread s = forecast_model_spread(f->model, i);
        put_row(f, rows, index->name, key_text(f, index), totals, &s);
        sum.pairs += totals->pairs;
        sum.key_bytes += totals->key_bytes;
        sum.value_bytes += totals->value_bytes;
    }
    ForecastSpread s = forecast_model_spread(f->model, -1);
    put_row(f, rows, "(table)", NULL, &sum, &s);
}

Status ddl_forecast(Exec *exec, const UtilityForecast *u, Batch *rows)
{
    Forecast f = {.exec = exec, .u = u, .random = 1};
    Status st = set_up(&f);
    if (st == ST_OK) st = ddl_run_query(exec, u->query, add_batch, &f);
    row_target_close(&f.target);
    TRY(st);
    double built = (double)(f.rows - f.rows / 5);
    double weight = f.rows ? (double)(u->rows ? u->rows : f.rows) / built : 1;
    forecast_model_run(f.model, f.rows, weight, (double)(u->range_max_bytes ? u->range_max_bytes : RANGE_BYTES_DEFAULT));
    put_result(&f, rows);
    return ST_OK;
}
