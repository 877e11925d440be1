/* sys_pg_stats.c - pg_stats: what ANALYZE found in each column. */
#include "executor/eval.h"
#include "executor/system/sys_source.h"
#include "executor/system/system.h"

static const ColumnDesc *column_of(const TableDesc *table, uint32_t id)
{
    int ordinal = table_column_by_id(table, id);
    return ordinal < 0 ? NULL : &table->columns.items[ordinal];
}

/* As PostgreSQL has it: a share of the rows, negative, where the count grows with the table. */
static double distinct_of(const ColumnStats *stats, double rows)
{
    return rows > 0 && stats->distinct > rows / 10 ? -stats->distinct / rows : stats->distinct;
}

static Status put_values(SystemCtx *ctx, SysRow *r, Oid type, const Value *values, int count)
{
    if (count == 0) {
        sys_null(r);
        return ST_OK;
    }
    return sys_array(r, type, values, count);
}

static Status stats_row(SystemCtx *ctx, const TableDesc *table, const TableStats *stats, const ColumnStats *column)
{
    const ColumnDesc *desc = column_of(table, column->column_id);
    if (!desc || desc->role != COLUMN_USER) return ST_OK;
    Value *fractions = ARENA_ARRAY(sys_arena(ctx), Value, column->common_fraction.count + 1);
    for (int i = 0; i < column->common_fraction.count; i++) fractions[i] = value_float(column->common_fraction.items[i]);
    SysRow r = sys_begin(ctx);
    sys_text(&r, sys_schema_name(ctx, table->base.parent_schema));
    sys_text(&r, table->base.name);
    sys_text(&r, desc->name);
    sys_bool(&r, false);
    sys_float(&r, column->null_fraction);
    sys_int(&r, type_find(desc->type.oid)->length > 0 ? type_find(desc->type.oid)->length : 32);
    sys_float(&r, distinct_of(column, (double)stats->row_count));
    TRY(put_values(ctx, &r, desc->type.oid, column->common.items, column->common.count));
    TRY(put_values(ctx, &r, OID_FLOAT4, fractions, column->common_fraction.count));
    TRY(put_values(ctx, &r, desc->type.oid, column->histogram.items, column->histogram.count));
    sys_nulls(&r, 4);
    return sys_emit(&r);
}

static Status stats_of_table(SystemCtx *ctx, const Desc *desc)
{
    const TableDesc *table = (const TableDesc *)desc;
    const TableStats *stats = catalog_table_stats(ctx->fn.session->catalog, table, sys_arena(ctx));
    for (int i = 0; i < stats->columns.count; i++) TRY(stats_row(ctx, table, stats, &stats->columns.items[i]));
    return ST_OK;
}

static Status fill_pg_stats(SystemCtx *ctx)
{
    return sys_each_desc(ctx, DESC_TABLE, ctx->fn.session->database_id, stats_of_table);
}

const SystemRelation sys_pg_stats_rows[] = {
    {12053, "pg_catalog", "pg_stats",
     "schemaname name, tablename name, attname name, inherited bool, null_frac float4, avg_width int4, "
     "n_distinct float4, most_common_vals anyarray, most_common_freqs float4[], histogram_bounds anyarray, "
     "correlation float4, most_common_elems anyarray, most_common_elem_freqs float4[], "
     "elem_count_histogram float4[]",
     fill_pg_stats, NULL, NULL},
    {0},
};
