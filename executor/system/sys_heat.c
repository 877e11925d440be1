/* rowkey.heat and rowkey.hot_ranges: who was busy when, and what the busy ranges are busy with. */
#include "executor/system/key_names.h"
#include "executor/system/range_rows.h"
#include "executor/system/sys_source.h"
#include "executor/system/system.h"

static const int64_t UNIX_TO_2000_S = INT64_C(946684800);

static void put_names(SysRow *r, const KeyName *name)
{
    sys_text(r, name->table ? sys_schema_name(r->ctx, name->table->base.parent_schema) : NULL);
    sys_text(r, name->table ? name->table->base.name : NULL);
    sys_text(r, name->index ? name->index->name : NULL);
}

/* ---- rowkey.heat ---- */

/* A range that is no more, or that stands for many, has no names of its own. */
static Slice start_of(const RangeRow *ranges, int count, int64_t id)
{
    for (int i = 0; i < count; i++)
        if (ranges[i].range.id == id) return ranges[i].range.start;
    return (Slice){0};
}

static Status fill_heat(SystemCtx *ctx)
{
    Arena *arena = sys_arena(ctx);
    KeyNamer namer = {.session = ctx->fn.session, .arena = arena};
    HeatRow *rows;
    RangeRow *ranges;
    int count = directory_heat(store_directory(txn_store(ctx->fn.txn)), &rows, arena);
    int range_count = range_rows_list(ctx, (Slice){0}, SLICE_LIT("\xff\xff"), &ranges);
    for (int i = 0; i < count; i++) {
        const HeatRow *h = &rows[i];
        KeyName name = {0};
        Slice key = h->prefix.size || !h->range_id ? h->prefix : start_of(ranges, range_count, h->range_id);
        if (key.size) key_name(&namer, key, NULL, &name);
        const PairContents *c = &name.contents;
        SysRow r = sys_begin(ctx);
        sys_int(&r, (h->step_start - UNIX_TO_2000_S) * 1000000);
        sys_value(&r, h->range_id ? value_int(h->range_id) : VALUE_NULL);
        put_names(&r, &name);
        sys_text(&r, h->prefix.size ? name.pretty : NULL);
        sys_text(&r, h->prefix.size && name.index ? key_name_columns(&namer, name.table, c->key, c->key_count) : NULL);
        sys_int(&r, (int64_t)h->work.requests);
        sys_int(&r, (int64_t)h->work.reads);
        sys_int(&r, (int64_t)h->work.read_bytes);
        sys_int(&r, (int64_t)h->work.writes);
        sys_int(&r, (int64_t)h->work.write_bytes);
        sys_float(&r, (double)h->work.busy_ns * 1e-9);
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

/* ---- rowkey.hot_ranges ---- */

static const char *direction_word(const RangeDesc *range)
{
    static const double CLEAR = 0.8, POPULAR = 0.5;
    if (!range->popular_key.size) return NULL; /* nothing was sampled */
    if (range->popular_key_share >= POPULAR) return "one key";
    return range->access_direction > CLEAR ? "ascending" : range->access_direction < -CLEAR ? "descending" : "random";
}

static const char *refusal_text(RangeRefusal refusal)
{
    switch (refusal) {
    case REFUSAL_NONE: return NULL;
    case REFUSAL_ONE_ROW: return "it is one row";
    case REFUSAL_ONE_HASH_CODE: return "it has one hash code";
    case REFUSAL_POPULAR_KEY: return "one key has most of the requests";
    case REFUSAL_DIRECTION: return "the requests move one way";
    case REFUSAL_NO_KEY: return "no key parts the requests well";
    }
    return NULL;
}

static Status hot_range(SystemCtx *ctx, KeyNamer *namer, const RangeRow *row)
{
    const RangeDesc *range = &row->range;
    KeyName name, popular = {0};
    key_name(namer, range->start, NULL, &name);
    if (!name.index && name.table) name.index = table_primary(name.table);
    if (range->popular_key.size) key_name(namer, range->popular_key, NULL, &popular);
    const PairContents *c = &popular.contents;
    SysRow r = sys_begin(ctx);
    sys_int(&r, range->id);
    sys_int(&r, range->lease_holder ? range->lease_holder : 1);
    put_names(&r, &name);
    sys_text(&r, name.pretty);
    sys_text(&r, range_key_text(row, range->end, -1, namer->arena));
    sys_float(&r, range->requests_per_second);
    sys_float(&r, range->reads_per_second);
    sys_float(&r, range->writes_per_second);
    sys_float(&r, range->cpu_share);
    sys_text(&r, direction_word(range));
    sys_text(&r, popular.pretty);
    sys_text(&r, popular.index ? key_name_columns(namer, popular.table, c->key, c->key_count) : NULL);
    sys_value(&r, range->popular_key.size ? value_float(range->popular_key_share) : VALUE_NULL);
    sys_text(&r, refusal_text(range->refusal));
    return sys_emit(&r);
}

/* Those that have had something to do. */
static Status fill_hot_ranges(SystemCtx *ctx)
{
    KeyNamer namer = {.session = ctx->fn.session, .arena = sys_arena(ctx)};
    RangeRow *rows;
    int count = range_rows_list(ctx, (Slice){0}, SLICE_LIT("\xff\xff"), &rows);
    for (int i = 0; i < count; i++)
        if (rows[i].range.work.requests) TRY(hot_range(ctx, &namer, &rows[i]));
    return ST_OK;
}

/* clang-format off */
const SystemRelation sys_heat_rows[] = {
    {9770, "rowkey", "heat", "step_start timestamptz, range_id int8, schema_name text, table_name text, index_name text, "
     "prefix text, key_columns text, requests int8, reads int8, read_bytes int8, writes int8, write_bytes int8, "
     "cpu_seconds float8", fill_heat, NULL, NULL},
    {9771, "rowkey", "hot_ranges", "range_id int8, node int8, schema_name text, table_name text, index_name text, "
     "start_key text, end_key text, requests_per_second float8, reads_per_second float8, writes_per_second float8, "
     "cpu_share float8, access text, popular_key text, popular_key_columns text, popular_key_share float8, "
     "not_cut_because text", fill_hot_ranges, NULL, NULL},
    {0},
};
