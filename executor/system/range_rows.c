#include "executor/system/range_rows.h"

#include <inttypes.h>

#include "executor/ddl/ddl.h"
#include "executor/locality.h"
#include "storage/keys/key_print.h"
#include "storage/keys/ordered.h"
#include "storage/keys/row_key.h"

/* 2262-04-11 23:47:16.854776, the last time that nanoseconds since 1970 can say. */
static const int64_t FOREVER_US = INT64_MAX / 1000 + 1 - INT64_C(946684800000000);

int range_rows_list(SystemCtx *ctx, Slice start, Slice end, RangeRow **rows)
{
    RangeDesc *ranges;
    ddl_settle_boundaries(ctx->fn.session);
    Directory *directory = store_directory(txn_store(ctx->fn.txn));
    int count = directory_list(directory, start, end, &ranges, sys_arena(ctx));
    *rows = ARENA_ARRAY(sys_arena(ctx), RangeRow, count + 1);
    for (int i = 0; i < count; i++) (*rows)[i] = (RangeRow){ranges[i], sys_view(ctx)};
    return count;
}

void range_row_find(SystemCtx *ctx, Slice key, RangeRow *row)
{
    *row = (RangeRow){.view = sys_view(ctx)};
    ddl_settle_boundaries(ctx->fn.session);
    directory_find(store_directory(txn_store(ctx->fn.txn)), key, &row->range, sys_arena(ctx));
}

const TableDesc *range_key_table(const CatalogView *view, Slice key, const IndexDesc **index)
{
    uint64_t table_id, index_id;
    *index = NULL;
    if (!key.size || key.data[0] < ROW_KEY_TABLE || key.data[0] >= ROW_KEY_TABLE_END) return NULL;
    if (!ordered_get_uvarint(&key, false, &table_id)) return NULL;
    const Desc *desc = table_id <= UINT32_MAX ? catalog_find_id(view, (DescId)table_id) : NULL;
    if (!desc || desc->kind != DESC_TABLE) return NULL;
    const TableDesc *table = (const TableDesc *)desc;
    if (!key.size)
        *index = table_primary(table);
    else if (ordered_get_uvarint(&key, false, &index_id))
        *index = table_index_by_id(table, (uint32_t)index_id);
    return table;
}

const TableDesc *range_table(const RangeRow *row, const IndexDesc **index)
{
    return range_key_table(row->view, row->range.start, index);
}

const char *range_key_text(const RangeRow *row, Slice key, int skip, Arena *arena)
{
    const IndexDesc *index;
    const TableDesc *table = range_key_table(row->view, key, &index);
    KeyPrintStyle style = {.skip = skip};
    if (table && index) {
        KeyPrintColumn *columns = ARENA_ARRAY(arena, KeyPrintColumn, index->columns.count + 1);
        for (int i = 0; i < index->columns.count; i++) {
            int ordinal = table_column_by_id(table, index->columns.items[i].column_id);
            columns[i].descending = index->columns.items[i].descending;
            columns[i].hash_code = table->columns.items[ordinal].role == COLUMN_HASH_CODE;
        }
        style.columns = columns;
        style.count = index->columns.count;
    }
    return key_text(key, &style, arena);
}

const char *range_locality(const SystemCtx *ctx, int node)
{
    return locality_of_node(state_of(ctx->fn.session)->server, node, sys_arena(ctx));
}

static Status put_nodes(SysRow *r, const RangeDesc *range, bool voting)
{
    Value nodes[RANGE_REPLICAS_MAX];
    int count = 0;
    for (int i = 0; i < range->replica_count; i++)
        if (voting == !(range->non_voters & node_bit(range->replicas[i]))) nodes[count++] = value_int(range->replicas[i]);
    return sys_array(r, OID_INT8, nodes, count);
}

Status range_put_voters(SysRow *r, const RangeDesc *range)
{
    return put_nodes(r, range, true);
}

Status range_put_non_voters(SysRow *r, const RangeDesc *range)
{
    return put_nodes(r, range, false);
}

Status range_put_replicas(SysRow *r, const RangeDesc *range)
{
    Value nodes[RANGE_REPLICAS_MAX];
    for (int i = 0; i < range->replica_count; i++) nodes[i] = value_int(range->replicas[i]);
    return sys_array(r, OID_INT8, nodes, range->replica_count);
}

Status range_put_localities(SysRow *r, const RangeDesc *range)
{
    Value texts[RANGE_REPLICAS_MAX];
    for (int i = 0; i < range->replica_count; i++) texts[i] = value_str(range_locality(r->ctx, range->replicas[i]));
    return sys_array(r, OID_TEXT, texts, range->replica_count);
}

Value range_enforced_until(const RangeDesc *range)
{
    if (!range->sticky_until_us) return VALUE_NULL;
    return value_int(range->sticky_until_us == INT64_MAX ? FOREVER_US : range->sticky_until_us);
}

static Status parse_as(TypeCtx *ctx, Oid oid, const char *text, Value *out)
{
    const TypeDef *type = type_find(oid);
    return type->in(type, ctx, slice_str(text), -1, out);
}

Status range_megabytes(TypeCtx *ctx, int64_t bytes, Value *out)
{
    const char *text = arena_printf(ctx->arena, "%" PRId64 ".%06" PRId64, bytes / 1000000, bytes % 1000000);
    return parse_as(ctx, OID_NUMERIC, text, out);
}

Status range_span_stats(TypeCtx *ctx, const RangeDesc *range, Value *out)
{
    int64_t live = range->key_bytes + range->value_bytes;
    const char *text = arena_printf(
        ctx->arena,
        "{\"approximate_disk_bytes\": %" PRId64 ", \"intent_bytes\": 0, \"intent_count\": 0, \"key_bytes\": %" PRId64
        ", \"key_count\": %" PRId64 ", \"live_bytes\": %" PRId64 ", \"live_count\": %" PRId64
        ", \"sys_bytes\": 0, \"sys_count\": 0, \"val_bytes\": %" PRId64 ", \"val_count\": %" PRId64 "}",
        live, range->key_bytes, range->key_count, live, range->key_count, range->value_bytes, range->key_count);
    return parse_as(ctx, OID_JSONB, text, out);
}
