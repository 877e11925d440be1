/* The server as a whole: its nodes, simulated but for the first; cluster settings; zones. */
#include <inttypes.h>
#include <stdio.h>

#include "executor/functions/quote.h"
#include "executor/locality.h"
#include "executor/range_control.h"
#include "executor/system/sys_row.h"
#include "executor/system/system.h"
#include "storage/range/range.h"

/* ---- nodes ---- */

static Status fill_nodes(SystemCtx *ctx)
{
    NodeDesc *nodes;
    uint64_t writes = 0, busy_ns = 0;
    int count = directory_nodes(store_directory(txn_store(ctx->fn.txn)), &nodes, sys_arena(ctx));
    for (int i = 0; i < count; i++) {
        writes += nodes[i].work.writes;
        busy_ns += nodes[i].work.busy_ns;
    }
    for (int i = 0; i < count; i++) {
        const NodeDesc *node = &nodes[i];
        SysRow r = sys_begin(ctx);
        sys_int(&r, node->id);
        sys_bool(&r, count > 1);
        sys_int(&r, node->replicas);
        sys_int(&r, node->leases);
        sys_float(&r, node->requests_per_second);
        sys_float(&r, node->cpu_share);
        sys_float(&r, node->read_bytes_per_second);
        sys_float(&r, node->write_bytes_per_second);
        sys_int(&r, node->replica_bytes);
        sys_int(&r, (int64_t)node->work.requests);
        sys_int(&r, (int64_t)node->work.reads);
        sys_int(&r, (int64_t)node->work.read_bytes);
        sys_int(&r, (int64_t)node->work.writes);
        sys_int(&r, (int64_t)node->work.write_bytes);
        sys_float(&r, writes ? (double)node->work.writes / (double)writes : 0);
        sys_float(&r, busy_ns ? (double)node->work.busy_ns / (double)busy_ns : 0);
        sys_text(&r, locality_of_node(state_of(ctx->fn.session)->server, node->id, sys_arena(ctx)));
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

/* ---- cluster settings ---- */

static Status fill_cluster_settings(SystemCtx *ctx)
{
    const Server *server = state_of(ctx->fn.session)->server;
    Arena *arena = sys_arena(ctx);
    for (int i = 0; i < CLUSTER_SETTING_COUNT; i++) {
        ClusterSettingId id = (ClusterSettingId)i;
        const ClusterSettingDef *def = cluster_setting_def(id);
        const char letter[2] = {cluster_setting_letter(def), 0};
        int64_t boot;
        TRY(cluster_setting_parse(def, def->boot, &boot, arena, ctx->fn.type.err));
        SysRow r = sys_begin(ctx);
        sys_text(&r, def->name);
        sys_text(&r, cluster_setting_text(def, cluster_setting_value(server, id), arena));
        sys_text(&r, arena_strdup(arena, letter));
        sys_text(&r, def->description);
        sys_text(&r, cluster_setting_text(def, boot, arena));
        sys_text(&r, cluster_setting_is_set(server, id) ? "override" : "default");
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

/* ---- zones ---- */

static const char *quoted(const char *name, Arena *arena)
{
    Buf text = {0};
    quote_identifier(slice_str(name), &text);
    const char *copy = buf_to_str(&text, arena);
    buf_finish(&text);
    return copy;
}

/* The target and those above it, the nearest first. Returns how many; 0: it is no more. */
static int chain_of(SystemCtx *ctx, ZoneTarget target, ZoneTarget chain[4])
{
    int count = 0;
    if (target.kind == ZONE_INDEX) chain[count++] = target;
    if (target.kind == ZONE_INDEX || target.kind == ZONE_TABLE) {
        const Desc *table = catalog_find_id(sys_view(ctx), target.id);
        if (!table) return 0;
        chain[count++] = (ZoneTarget){ZONE_TABLE, target.id, 0};
        chain[count++] = (ZoneTarget){ZONE_DATABASE, table->parent_database, 0};
    }
    if (target.kind == ZONE_DATABASE || (target.kind != ZONE_DEFAULT && zone_range_name(target.kind))) chain[count++] = target;
    chain[count++] = (ZoneTarget){.kind = ZONE_DEFAULT};
    return count;
}

/* "TABLE postgres.public.t". NULL: it is no more. */
static const char *target_text(SystemCtx *ctx, ZoneTarget target)
{
    Arena *arena = sys_arena(ctx);
    const CatalogView *view = sys_view(ctx);
    if (zone_range_name(target.kind)) return arena_printf(arena, "RANGE %s", zone_range_name(target.kind));
    const Desc *desc = catalog_find_id(view, target.id);
    if (!desc) return NULL;
    if (target.kind == ZONE_DATABASE) return arena_printf(arena, "DATABASE %s", quoted(desc->name, arena));
    const Desc *database = catalog_find_id(view, desc->parent_database), *schema = catalog_find_id(view, desc->parent_schema);
    const char *name = arena_printf(arena, "%s.%s.%s", database ? quoted(database->name, arena) : "?",
                                    schema ? quoted(schema->name, arena) : "public", quoted(desc->name, arena));
    if (target.kind == ZONE_TABLE) return arena_printf(arena, "TABLE %s", name);
    const IndexDesc *index = table_index_by_id((const TableDesc *)desc, target.index_id);
    return index ? arena_printf(arena, "INDEX %s@%s", name, quoted(index->name, arena)) : NULL;
}

/* What is not set anywhere is left out, but for constraints and lease preferences, which are then none. */
static const char *config_text(const char *target, const ZoneConfig *config, Arena *arena)
{
    Buf text = {0};
    buf_printf(&text, "ALTER %s CONFIGURE ZONE USING", target);
    for (int i = 0; i < ZONE_VARIABLES; i++) {
        bool always = i == ZONE_CONSTRAINTS || i == ZONE_LEASE_PREFERENCES;
        if (!config->has[i] && !always) continue;
        buf_printf(&text, "%s\n\t%s = ", i ? "," : "", zone_variable_names[i]);
        const char *rules = i < ZONE_NUMBERS ? NULL : zone_text(config, (ZoneVariable)i);
        if (i < ZONE_NUMBERS) buf_printf(&text, "%" PRId64, config->values[i]);
        else buf_printf(&text, "'%s'", rules ? rules : "[]");
    }
    const char *copy = buf_to_str(&text, arena);
    buf_finish(&text);
    return copy;
}

static Status zone_row(SystemCtx *ctx, const char *request, ZoneTarget target, int ordinal)
{
    Arena *arena = sys_arena(ctx);
    ZoneTarget chain[4], from;
    ZoneConfig config;
    int count = chain_of(ctx, target, chain);
    if (!count) return ST_OK;
    TRY(zone_effective(ctx->fn.txn, chain, count, &config, &from, ctx->fn.type.err));
    const char *text = target_text(ctx, from);
    if (!text) return ST_OK;
    SysRow r = sys_begin(ctx);
    sys_text(&r, request);
    sys_text(&r, text);
    sys_text(&r, config_text(text, &config, arena));
    sys_int(&r, ordinal);
    return sys_emit(&r);
}

/* The default's row comes first whether it has a record or not. */
static Status all_zone_rows(SystemCtx *ctx, const char *request)
{
    ZoneRecords records = {0};
    TRY(zone_list(ctx->fn.txn, &records, sys_arena(ctx), ctx->fn.type.err));
    TRY(zone_row(ctx, request, (ZoneTarget){.kind = ZONE_DEFAULT}, 0));
    for (int i = 0; i < records.count; i++)
        if (records.items[i].target.kind != ZONE_DEFAULT) TRY(zone_row(ctx, request, records.items[i].target, i + 1));
    return ST_OK;
}

static Status fill_show_zone(SystemCtx *ctx)
{
    Value wanted;
    char kind;
    unsigned id, index_id;
    if (!sys_wants(ctx, 0, &wanted)) return ST_OK;
    const char *request = arena_strndup(sys_arena(ctx), wanted.p, wanted.size);
    if (sscanf(request, "%c %u %u", &kind, &id, &index_id) != 3) return ST_OK;
    if (kind == 'a') return all_zone_rows(ctx, request);
    return zone_row(ctx, request, (ZoneTarget){(ZoneKind)kind, id, index_id}, 0);
}

/* clang-format off */
const SystemRelation sys_cluster_rows[] = {
    {9800, "rowkey", "nodes", "node_id int8, simulated bool, ranges int8, leases int8, queries_per_second float8, "
     "cpu_per_second float8, bytes_read_per_second float8, bytes_written_per_second float8, bytes int8, requests int8, "
     "pairs_read int8, bytes_read int8, pairs_written int8, bytes_written int8, write_share float8, cpu_share float8, locality text",
     fill_nodes, NULL, NULL},
    {9801, "rowkey", "cluster_settings", "variable text, value text, setting_type text, description text, "
     "default_value text, origin text", fill_cluster_settings, NULL, NULL},
    {9802, "rowkey", "show_zone_configuration", "request text, target text, raw_config_sql text, ordinal int8",
     fill_show_zone, NULL, "request"},
    {9803, "crdb_internal", "kv_node_status", "node_id int8, address text, locality text, started_at timestamptz, ranges int8, leases int8",
     NULL, "SELECT node_id, '127.0.0.1'::text AS address, locality, "
     "pg_catalog.pg_postmaster_start_time() AS started_at, ranges, leases FROM rowkey.nodes", NULL},
    {9804, "crdb_internal", "gossip_nodes", "node_id int8, address text, locality text, is_live bool, ranges int8, leases int8",
     NULL, "SELECT node_id, '127.0.0.1'::text AS address, locality, "
     "true AS is_live, ranges, leases FROM rowkey.nodes", NULL},
    {0},
};
