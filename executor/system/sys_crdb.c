/* crdb_internal: ranges and what lies behind tables, in CockroachDB's columns; and YugabyteDB's view of tablets. */
#include <stdlib.h>

#include "executor/system/describe.h"
#include "executor/system/range_rows.h"
#include "executor/system/sys_source.h"
#include "executor/system/system.h"
#include "storage/keys/row_key.h"

/* ---- ranges ---- */

static Status put_range(SysRow *r, const RangeRow *row)
{
    Arena *arena = sys_arena(r->ctx);
    sys_int(r, row->range.id);
    sys_bytes(r, row->range.start);
    sys_text(r, range_key_text(row, row->range.start, -1, arena));
    sys_bytes(r, row->range.end);
    sys_text(r, range_key_text(row, row->range.end, -1, arena));
    TRY(range_put_replicas(r, &row->range));
    TRY(range_put_localities(r, &row->range));
    TRY(range_put_voters(r, &row->range));
    TRY(range_put_non_voters(r, &row->range));
    TRY(sys_array(r, OID_INT8, NULL, 0));
    sys_value(r, range_enforced_until(&row->range));
    return ST_OK;
}

static void put_owner(SysRow *r, const RangeRow *row)
{
    const IndexDesc *index;
    const CatalogView *view = sys_view(r->ctx);
    const TableDesc *table = range_table(row, &index);
    const Desc *database = table ? catalog_find_id(view, table->base.parent_database) : NULL;
    const Desc *schema = table ? catalog_find_id(view, table->base.parent_schema) : NULL;
    sys_value(r, table ? value_int(table->base.id) : VALUE_NULL);
    sys_text(r, database ? database->name : NULL);
    sys_text(r, schema ? schema->name : NULL);
    sys_text(r, table ? table->base.name : NULL);
    sys_text(r, index ? index->name : NULL);
}

static Status fill_ranges_no_leases(SystemCtx *ctx)
{
    RangeRow *rows;
    int count = range_rows_list(ctx, (Slice){0}, ROW_KEY_MAX, &rows);
    for (int i = 0; i < count; i++) {
        SysRow r = sys_begin(ctx);
        TRY(put_range(&r, &rows[i]));
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

static Status fill_ranges(SystemCtx *ctx)
{
    RangeRow *rows;
    int count = range_rows_list(ctx, (Slice){0}, ROW_KEY_MAX, &rows);
    for (int i = 0; i < count; i++) {
        SysRow r = sys_begin(ctx);
        TRY(put_range(&r, &rows[i]));
        sys_int(&r, rows[i].range.lease_holder);
        sys_int(&r, rows[i].range.key_bytes + rows[i].range.value_bytes);
        sys_null(&r); /* errors */
        put_owner(&r, &rows[i]);
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

/* What makes the range stand out, in words. NULL: nothing. */
static const char *load_hint(const RangeDesc *range)
{
    switch (range->refusal) {
    case REFUSAL_NONE: break;
    case REFUSAL_ONE_ROW: return "larger than range_max_bytes, but one row: it cannot be cut";
    case REFUSAL_ONE_HASH_CODE: return "too large, but its middle row has the first hash code of the tablet: it cannot be cut";
    case REFUSAL_POPULAR_KEY: return "hot: one key has many of the requests, no cut would part them";
    case REFUSAL_DIRECTION: return "hot: the requests move one way, as a sequence does; no cut would part them";
    case REFUSAL_NO_KEY: return "hot: no key parts the requests well";
    }
    if (range->popular_key_share >= 0.25) return "one key has many of the requests";
    if (range->access_direction > 0.8 || range->access_direction < -0.8) return "the requests move one way, as a sequence does";
    return NULL;
}

static Status replica_row(SystemCtx *ctx, const RangeRow *row, int node)
{
    Arena *arena = sys_arena(ctx);
    const RangeDesc *range = &row->range;
    const IndexDesc *index;
    const TableDesc *table = range_table(row, &index);
    const Desc *database = table ? catalog_find_id(sys_view(ctx), table->base.parent_database) : NULL;
    bool leads = node == range->lease_holder; /* it does the work */
    bool sampled = range->popular_key.size != 0;
    SysRow r = sys_begin(ctx);
    sys_int(&r, range->id);
    sys_int(&r, node);
    sys_int(&r, node);
    sys_bytes(&r, range->start);
    sys_text(&r, range_key_text(row, range->start, -1, arena));
    sys_bytes(&r, range->end);
    sys_text(&r, range_key_text(row, range->end, -1, arena));
    sys_text(&r, database ? database->name : NULL);
    sys_text(&r, table ? table->base.name : NULL);
    sys_text(&r, index ? index->name : NULL);
    sys_int(&r, range->lease_holder);
    sys_float(&r, leads ? range->requests_per_second : 0);
    sys_float(&r, leads ? range->reads_per_second : 0);
    sys_float(&r, leads ? range->writes_per_second : 0);
    sys_int(&r, range->key_bytes + range->value_bytes);
    sys_value(&r, sampled ? value_float(range->popular_key_share) : VALUE_NULL);
    sys_value(&r, sampled ? value_float(range->access_direction) : VALUE_NULL);
    sys_text(&r, load_hint(range));
    return sys_emit(&r);
}

static int compare_load(const void *a, const void *b)
{
    double left = ((const RangeRow *)a)->range.requests_per_second, right = ((const RangeRow *)b)->range.requests_per_second;
    return (left < right) - (left > right);
}

/* rowkey's own: what CockroachDB shows only on its console. The hottest come first, a row per replica. */
static Status fill_cluster_replicas(SystemCtx *ctx)
{
    RangeRow *rows;
    int count = range_rows_list(ctx, (Slice){0}, ROW_KEY_MAX, &rows);
    qsort(rows, (size_t)count, sizeof *rows, compare_load);
    for (int i = 0; i < count; i++) {
        TRY(replica_row(ctx, &rows[i], rows[i].range.lease_holder));
        for (int n = 0; n < rows[i].range.replica_count; n++)
            if (rows[i].range.replicas[n] != rows[i].range.lease_holder) TRY(replica_row(ctx, &rows[i], rows[i].range.replicas[n]));
    }
    return ST_OK;
}

/* ---- tables and indexes ---- */

static Status table_row(SystemCtx *ctx, const Desc *desc)
{
    const CatalogView *view = sys_view(ctx);
    const Desc *database = catalog_find_id(view, desc->parent_database), *schema = catalog_find_id(view, desc->parent_schema);
    SysRow r = sys_begin(ctx);
    sys_int(&r, desc->id);
    sys_int(&r, desc->parent_database);
    sys_text(&r, desc->name);
    sys_text(&r, database ? database->name : NULL);
    sys_int(&r, (int64_t)desc->version);
    sys_nulls(&r, 2); /* mod_time, mod_time_logical */
    sys_text(&r, "InterleavedFormatVersion");
    sys_text(&r, "PUBLIC");
    sys_nulls(&r, 3); /* sc_lease_node_id, sc_lease_expiration_time, drop_time */
    sys_text(&r, "DISABLED");
    sys_text(&r, schema ? schema->name : NULL);
    sys_int(&r, desc->parent_schema);
    sys_null(&r);
    return sys_emit(&r);
}

static Status fill_tables(SystemCtx *ctx)
{
    TRY(sys_each_desc(ctx, DESC_TABLE, 0, table_row));
    TRY(sys_each_desc(ctx, DESC_VIEW, 0, table_row));
    return sys_each_desc(ctx, DESC_SEQUENCE, 0, table_row);
}

static Status table_indexes_of(SystemCtx *ctx, const TableDesc *table)
{
    for (int i = 0; i < table->indexes.count; i++) {
        const IndexDesc *index = &table->indexes.items[i];
        SysRow r = sys_begin(ctx);
        sys_int(&r, table->base.id);
        sys_text(&r, table->base.name);
        sys_int(&r, index->id);
        sys_text(&r, index->name);
        sys_text(&r, index->primary ? "primary" : "secondary");
        sys_bool(&r, index->unique);
        sys_bool(&r, false);
        sys_bool(&r, index->bucket_count > 0);
        sys_bool(&r, true);
        sys_value(&r, index->bucket_count ? value_int(index->bucket_count) : VALUE_NULL);
        sys_null(&r);
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

static Status fill_table_indexes(SystemCtx *ctx)
{
    return sys_each_table(ctx, 0, table_indexes_of);
}

typedef struct IndexPart {
    const TableDesc *table;
    const IndexDesc *index;
} IndexPart;

static Status index_column_row(SystemCtx *ctx, const IndexPart *p, const char *kind, uint32_t column_id, const IndexColumn *key)
{
    SysRow r = sys_begin(ctx);
    sys_int(&r, p->table->base.id);
    sys_text(&r, p->table->base.name);
    sys_int(&r, p->index->id);
    sys_text(&r, p->index->name);
    sys_text(&r, kind);
    sys_int(&r, column_id);
    sys_text(&r, p->table->columns.items[table_column_by_id(p->table, column_id)].name);
    sys_text(&r, key ? (key->descending ? "DESC" : "ASC") : NULL);
    sys_bool(&r, key ? key->implicit : strcmp(kind, "extra") == 0);
    return sys_emit(&r);
}

static Status index_columns_of(SystemCtx *ctx, const TableDesc *table)
{
    for (int i = 0; i < table->indexes.count; i++) {
        IndexPart p = {table, &table->indexes.items[i]};
        for (int c = 0; c < p.index->columns.count; c++)
            TRY(index_column_row(ctx, &p, "key", p.index->columns.items[c].column_id, &p.index->columns.items[c]));
        for (int c = 0; c < p.index->stored.count; c++)
            TRY(index_column_row(ctx, &p, "storing", (uint32_t)p.index->stored.items[c], NULL));
        for (int c = 0; c < p.index->suffix.count; c++)
            TRY(index_column_row(ctx, &p, "extra", (uint32_t)p.index->suffix.items[c], NULL));
    }
    return ST_OK;
}

static Status fill_index_columns(SystemCtx *ctx)
{
    return sys_each_table(ctx, 0, index_columns_of);
}

static Status table_columns_of(SystemCtx *ctx, const TableDesc *table)
{
    for (int i = 0; i < table->columns.count; i++) {
        const ColumnDesc *column = &table->columns.items[i];
        SysRow r = sys_begin(ctx);
        sys_int(&r, table->base.id);
        sys_text(&r, table->base.name);
        sys_int(&r, column->id);
        sys_text(&r, column->name);
        sys_text(&r, type_format_crdb(column->type, sys_arena(ctx)));
        sys_bool(&r, !column->not_null);
        sys_text(&r, column->default_expr);
        sys_bool(&r, column->hidden);
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

static Status fill_table_columns(SystemCtx *ctx)
{
    return sys_each_table(ctx, 0, table_columns_of);
}

static Status fill_node_build_info(SystemCtx *ctx)
{
    static const char *const fields[][2] = {{"Name", "rowkey"}, {"Build", "rowkey 0.1.0"}, {"Version", "0.1.0"}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        SysRow r = sys_begin(ctx);
        sys_int(&r, 1);
        sys_text(&r, fields[i][0]);
        sys_text(&r, fields[i][1]);
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

/* ---- YugabyteDB's tablets: the ranges of tables ---- */

static int32_t hash_bound(const RangeRow *row, const IndexDesc *index, Slice key, int32_t missing)
{
    uint32_t table_id, index_id;
    if (!index || !index->columns.items[0].implicit || index->bucket_count || !row_key_take_prefix(&key, &table_id, &index_id))
        return missing;
    if (!key.size || key.data[0] < 0x88) return missing;
    if (key.data[0] <= 0xf5) return key.data[0] - 0x88;
    int32_t value = 0;
    for (size_t i = 1; i < key.size && i <= (size_t)(key.data[0] - 0xf5); i++) value = value << 8 | key.data[i];
    return value;
}

static const char *node_address(SystemCtx *ctx, int node)
{
    bool simulated = directory_node_count(store_directory(txn_store(ctx->fn.txn))) > 1;
    return simulated ? arena_printf(sys_arena(ctx), "n%d (simulated)", node) : "127.0.0.1:5433";
}

static Status fill_yb_tablet_metadata(SystemCtx *ctx)
{
    RangeRow *rows;
    int count = range_rows_list(ctx, (Slice){0}, ROW_KEY_MAX, &rows);
    for (int i = 0; i < count; i++) {
        const IndexDesc *index;
        const TableDesc *table = range_table(&rows[i], &index);
        if (!table || !index) continue;
        const Desc *database = catalog_find_id(sys_view(ctx), table->base.parent_database);
        bool hashed = index->columns.items[0].implicit && !index->bucket_count;
        SysRow r = sys_begin(ctx);
        sys_text(&r, arena_printf(sys_arena(ctx), "%032llx", (unsigned long long)rows[i].range.id));
        sys_int(&r, index->primary ? table->base.id : index_oid(table->base.id, index->id));
        sys_text(&r, database ? database->name : NULL);
        sys_text(&r, index->primary ? table->base.name : index->name);
        sys_value(&r, hashed ? value_int(hash_bound(&rows[i], index, rows[i].range.start, 0)) : VALUE_NULL);
        sys_value(&r, hashed ? value_int(hash_bound(&rows[i], index, rows[i].range.end, 65536)) : VALUE_NULL);
        sys_text(&r, node_address(ctx, rows[i].range.lease_holder));
        Value replicas[RANGE_REPLICAS_MAX];
        for (int n = 0; n < rows[i].range.replica_count; n++) replicas[n] = value_str(node_address(ctx, rows[i].range.replicas[n]));
        TRY(sys_array(&r, OID_TEXT, replicas, rows[i].range.replica_count));
        sys_text(&r, hashed ? NULL : range_key_text(&rows[i], rows[i].range.start, 1, sys_arena(ctx)));
        sys_text(&r, hashed ? NULL : range_key_text(&rows[i], rows[i].range.end, 1, sys_arena(ctx)));
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

static Status fill_yb_local_tablets(SystemCtx *ctx)
{
    RangeRow *rows;
    int count = range_rows_list(ctx, (Slice){0}, ROW_KEY_MAX, &rows);
    for (int i = 0; i < count; i++) {
        const IndexDesc *index;
        const TableDesc *table = range_table(&rows[i], &index);
        if (!table || !index) continue;
        const Desc *database = catalog_find_id(sys_view(ctx), table->base.parent_database);
        const Desc *schema = catalog_find_id(sys_view(ctx), table->base.parent_schema);
        bool first = i == 0 || range_table(&rows[i - 1], &(const IndexDesc *){NULL}) != table;
        SysRow r = sys_begin(ctx);
        sys_text(&r, arena_printf(sys_arena(ctx), "%032llx", (unsigned long long)rows[i].range.id));
        sys_text(&r, arena_printf(sys_arena(ctx), "%032llx", (unsigned long long)(index->primary ? table->base.id : index_oid(table->base.id, index->id))));
        sys_text(&r, "YSQL");
        sys_text(&r, database ? database->name : NULL);
        sys_text(&r, schema ? schema->name : NULL);
        sys_text(&r, index->primary ? table->base.name : index->name);
        sys_value(&r, first ? VALUE_NULL : value_slice(rows[i].range.start));
        sys_bytes(&r, rows[i].range.end);
        sys_text(&r, "TABLET_DATA_READY");
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

/* ---- the parts of the key space that tables and indexes own ---- */

static Slice prefix_key(Arena *arena, DescId table, uint32_t index)
{
    Buf key = {0};
    if (index) row_key_index_prefix(table, index, &key);
    else row_key_table_prefix(table, &key);
    Slice copy = arena_slice(arena, buf_slice(&key));
    buf_finish(&key);
    return copy;
}

static Status table_span_row(SystemCtx *ctx, const TableDesc *table)
{
    SysRow r = sys_begin(ctx);
    sys_int(&r, table->base.id);
    sys_bytes(&r, prefix_key(sys_arena(ctx), table->base.id, 0));
    sys_bytes(&r, prefix_key(sys_arena(ctx), table->base.id + 1, 0));
    sys_bool(&r, false);
    return sys_emit(&r);
}

static Status index_span_rows(SystemCtx *ctx, const TableDesc *table)
{
    for (int i = 0; i < table->indexes.count; i++) {
        uint32_t id = table->indexes.items[i].id;
        SysRow r = sys_begin(ctx);
        sys_int(&r, table->base.id);
        sys_int(&r, id);
        sys_bytes(&r, prefix_key(sys_arena(ctx), table->base.id, id));
        sys_bytes(&r, prefix_key(sys_arena(ctx), table->base.id, id + 1));
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

static Status fill_table_spans(SystemCtx *ctx)
{
    return sys_each_table(ctx, 0, table_span_row);
}

static Status fill_index_spans(SystemCtx *ctx)
{
    return sys_each_table(ctx, 0, index_span_rows);
}

#define RANGE_COLUMNS                                                                                                \
    "range_id int8, start_key bytea, start_pretty text, end_key bytea, end_pretty text, replicas int8[], "           \
    "replica_localities text[], voting_replicas int8[], non_voting_replicas int8[], learner_replicas int8[], "       \
    "split_enforced_until timestamp"

/* clang-format off */
const SystemRelation sys_crdb_rows[] = {
    {9730, "crdb_internal", "ranges_no_leases", RANGE_COLUMNS, fill_ranges_no_leases, NULL, NULL},
    {9731, "crdb_internal", "ranges", RANGE_COLUMNS ", lease_holder int8, range_size int8, errors text, table_id int8, "
     "database_name text, schema_name text, table_name text, index_name text", fill_ranges, NULL, NULL},
    {9732, "crdb_internal", "cluster_replicas", "range_id int8, node_id int8, store_id int8, start_key bytea, "
     "start_pretty text, end_key bytea, end_pretty text, database_name text, table_name text, index_name text, "
     "lease_holder int8, queries_per_second float8, reads_per_second float8, writes_per_second float8, range_size int8, "
     "popular_key_frequency float8, access_direction float8, hint text", fill_cluster_replicas, NULL, NULL},
    {9733, "crdb_internal", "tables", "table_id int8, parent_id int8, name text, database_name text, version int8, "
     "mod_time timestamp, mod_time_logical numeric, format_version text, state text, sc_lease_node_id int8, "
     "sc_lease_expiration_time timestamp, drop_time timestamp, audit_mode text, schema_name text, parent_schema_id int8, "
     "locality text", fill_tables, NULL, NULL},
    {9734, "crdb_internal", "table_indexes", "descriptor_id int8, descriptor_name text, index_id int8, index_name text, "
     "index_type text, is_unique bool, is_inverted bool, is_sharded bool, is_visible bool, shard_bucket_count int8, "
     "created_at timestamp", fill_table_indexes, NULL, "descriptor_id"},
    {9735, "crdb_internal", "index_columns", "descriptor_id int8, descriptor_name text, index_id int8, index_name text, "
     "column_type text, column_id int8, column_name text, column_direction text, implicit bool",
     fill_index_columns, NULL, "descriptor_id"},
    {9736, "crdb_internal", "table_columns", "descriptor_id int8, descriptor_name text, column_id int8, column_name text, "
     "column_type text, nullable bool, default_expr text, hidden bool", fill_table_columns, NULL, "descriptor_id"},
    {9737, "crdb_internal", "node_build_info", "node_id int8, field text, value text", fill_node_build_info, NULL, NULL},
    {9738, "pg_catalog", "yb_tablet_metadata", "tablet_id text, oid oid, db_name text, relname text, start_hash_code int4, "
     "end_hash_code int4, leader text, replicas text[], start_range text, end_range text", fill_yb_tablet_metadata, NULL, NULL},
    {9739, "pg_catalog", "yb_local_tablets", "tablet_id text, table_id text, table_type text, namespace_name text, "
     "ysql_schema_name text, table_name text, partition_key_start bytea, partition_key_end bytea, state text",
     fill_yb_local_tablets, NULL, NULL},
    {9740, "crdb_internal", "table_spans", "descriptor_id int8, start_key bytea, end_key bytea, dropped bool",
     fill_table_spans, NULL, "descriptor_id"},
    {9741, "crdb_internal", "index_spans", "descriptor_id int8, index_id int8, start_key bytea, end_key bytea",
     fill_index_spans, NULL, "descriptor_id"},
    {0},
};
