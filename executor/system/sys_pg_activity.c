/* What the server is set to, and what this session has prepared; counts of tables. */
#include "executor/auto_analyze.h"
#include "executor/stmt_internal.h"
#include "executor/system/sys_source.h"
#include "executor/system/system.h"
#include "planner/settings.h"
#include "storage/txn/usage.h"

/* ---- pg_settings ---- */

static const char *setting_type(SettingKind kind)
{
    switch (kind) {
    case SETTING_BOOL: return "bool";
    case SETTING_INT: return "integer";
    case SETTING_REAL: return "real";
    case SETTING_STRING: return "string";
    case SETTING_ENUM: return "enum";
    }
    return "string";
}

static Status put_choices(SysRow *r, const SettingDef *def)
{
    Value choices[64];
    int count = 0;
    if (def->kind != SETTING_ENUM || !def->choices) {
        sys_null(r);
        return ST_OK;
    }
    for (const char *p = def->choices; *p && count < 64; p += *p == ',') {
        size_t size = strcspn(p, ",");
        choices[count++] = value_bytes(p, size);
        p += size;
    }
    return sys_array(r, OID_TEXT, choices, count);
}

static Status fill_pg_settings(SystemCtx *ctx)
{
    Arena *arena = sys_arena(ctx);
    for (int id = 0; id < SETTING_COUNT; id++) {
        const SettingDef *def = setting_def((SettingId)id);
        bool number = def->kind == SETTING_INT;
        SysRow r = sys_begin(ctx);
        sys_text(&r, def->name);
        sys_text(&r, setting_text(ctx->fn.session->settings, (SettingId)id));
        sys_text(&r, def->unit);
        sys_text(&r, def->category);
        sys_text(&r, def->description);
        sys_null(&r); /* extra_desc */
        sys_text(&r, def->read_only ? "internal" : "user");
        sys_text(&r, setting_type(def->kind));
        sys_text(&r, "default");
        sys_text(&r, number ? arena_printf(arena, "%lld", (long long)def->min) : NULL);
        sys_text(&r, number ? arena_printf(arena, "%lld", (long long)def->max) : NULL);
        TRY(put_choices(&r, def));
        sys_text(&r, def->boot);
        sys_text(&r, def->boot);
        sys_nulls(&r, 2);
        sys_bool(&r, false);
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

/* ---- prepared statements and cursors of this session ---- */

static Status fill_pg_prepared_statements(SystemCtx *ctx)
{
    for (const Stmt *s = state_of(ctx->fn.session)->stmts; s; s = s->next) {
        if (!s->name || !*s->name) continue;
        Value *types = ARENA_ARRAY(sys_arena(ctx), Value, s->planned.param_count + 1);
        for (int i = 0; i < s->planned.param_count; i++) types[i] = value_int(s->planned.param_types[i].oid);
        SysRow r = sys_begin(ctx);
        sys_text(&r, s->name);
        sys_text(&r, s->text);
        sys_int(&r, s->prepared_at_us);
        TRY(sys_array(&r, OID_REGTYPE, types, s->planned.param_count));
        sys_bool(&r, s->from_sql);
        sys_int(&r, s->choice.generic_plans);
        sys_int(&r, s->choice.custom_plans);
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

static Status fill_pg_cursors(SystemCtx *ctx)
{
    for (const Portal *p = state_of(ctx->fn.session)->portals; p; p = p->next) {
        if (!p->name || !*p->name || p->gone) continue;
        SysRow r = sys_begin(ctx);
        sys_text(&r, p->name);
        sys_text(&r, p->stmt->text);
        sys_bool(&r, p->hold);
        sys_bool(&r, false);
        sys_bool(&r, p->scroll);
        sys_int(&r, ctx->fn.session->transaction_start_us);
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

/* ---- table statistics ---- */

static uint64_t counted(const atomic_uint_fast64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

/* A sequential scan is one of the whole primary index; all others use an index. */
static void put_usage(SysRow *r, const TableDesc *table)
{
    Store *store = txn_store(r->ctx->fn.txn);
    uint64_t whole[2] = {0}, part[2] = {0}, changed[3] = {0};
    for (int i = 0; i < table->indexes.count; i++) {
        const IndexUsage *u = usage_find(store, table->base.id, table->indexes.items[i].id);
        if (!u) continue;
        uint64_t *full = i == 0 ? whole : part;
        full[0] += counted(&u->full_scans);
        full[1] += counted(&u->full_rows);
        part[0] += counted(&u->scans);
        part[1] += counted(&u->rows);
        changed[0] += counted(&u->inserted);
        changed[1] += counted(&u->updated);
        changed[2] += counted(&u->deleted);
    }
    const uint64_t all[] = {whole[0], whole[1], part[0], part[1], changed[0], changed[1], changed[2]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) sys_int(r, (int64_t)all[i]);
}

static Status table_activity(SystemCtx *ctx, const TableDesc *table)
{
    const TableStats *stats = catalog_table_stats(ctx->fn.session->catalog, table, sys_arena(ctx));
    SysRow r = sys_begin(ctx);
    sys_int(&r, table->base.id);
    sys_text(&r, sys_schema_name(ctx, table->base.parent_schema));
    sys_text(&r, table->base.name);
    put_usage(&r, table);
    sys_int(&r, 0); /* n_tup_hot_upd */
    sys_int(&r, stats->row_count);
    AnalyzeRecord record = auto_analyze_record(state_of(ctx->fn.session)->server->auto_analyze, table, stats);
    uint64_t changes = auto_analyze_changes(txn_store(ctx->fn.txn), table);
    sys_int(&r, 0); /* n_dead_tup */
    sys_int(&r, (int64_t)(changes - record.changes_before));
    sys_int(&r, 0);
    sys_nulls(&r, 2);
    sys_value(&r, record.by_hand_at_us ? value_int(record.by_hand_at_us) : VALUE_NULL);
    sys_value(&r, record.by_itself_at_us ? value_int(record.by_itself_at_us) : VALUE_NULL);
    sys_int(&r, 0);
    sys_int(&r, 0);
    sys_int(&r, record.by_hand_count);
    sys_int(&r, record.by_itself_count);
    return sys_emit(&r);
}

static Status fill_pg_stat_user_tables(SystemCtx *ctx)
{
    return sys_each_table(ctx, 0, table_activity);
}

static Status fill_pg_stat_all_tables(SystemCtx *ctx)
{
    return sys_each_table(ctx, 0, table_activity);
}

static Status index_activity(SystemCtx *ctx, const TableDesc *table)
{
    for (int i = 0; i < table->indexes.count; i++) {
        const IndexDesc *index = &table->indexes.items[i];
        const IndexUsage *u = usage_find(txn_store(ctx->fn.txn), table->base.id, index->id);
        if (!sys_index_is_listed(table, index)) continue;
        /* A scan of the whole table is not one of its primary key. */
        uint64_t scans = u ? counted(&u->scans) + (i ? counted(&u->full_scans) : 0) : 0;
        uint64_t rows = u ? counted(&u->rows) + (i ? counted(&u->full_rows) : 0) : 0;
        SysRow r = sys_begin(ctx);
        sys_int(&r, table->base.id);
        sys_int(&r, index_oid(table->base.id, index->id));
        sys_text(&r, sys_schema_name(ctx, table->base.parent_schema));
        sys_text(&r, table->base.name);
        sys_text(&r, index->name);
        sys_int(&r, (int64_t)scans);
        sys_int(&r, (int64_t)rows);
        sys_int(&r, (int64_t)rows);
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

static Status fill_pg_stat_indexes(SystemCtx *ctx)
{
    return sys_each_table(ctx, 0, index_activity);
}

static Status index_usage(SystemCtx *ctx, const TableDesc *table)
{
    static const int64_t UNIX_TO_2000_US = INT64_C(946684800000000);
    for (int i = 0; i < table->indexes.count; i++) {
        const IndexDesc *index = &table->indexes.items[i];
        const IndexUsage *u = usage_find(txn_store(ctx->fn.txn), table->base.id, index->id);
        int64_t last = u ? atomic_load_explicit(&u->last_read_us, memory_order_relaxed) : 0;
        SysRow r = sys_begin(ctx);
        sys_int(&r, table->base.id);
        sys_int(&r, index->id);
        sys_int(&r, u ? (int64_t)(counted(&u->scans) + counted(&u->full_scans)) : 0);
        sys_value(&r, last ? value_int(last - UNIX_TO_2000_US) : VALUE_NULL);
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

static Status fill_index_usage(SystemCtx *ctx)
{
    return sys_each_table(ctx, 0, index_usage);
}

#define STAT_INDEX_COLUMNS                                                                                           \
    "relid oid, indexrelid oid, schemaname name, relname name, indexrelname name, idx_scan int8, idx_tup_read int8, " \
    "idx_tup_fetch int8"

/* clang-format off */
const SystemRelation sys_pg_activity_rows[] = {
    {12104, "pg_catalog", "pg_settings",
     "name text, setting text, unit text, category text, short_desc text, extra_desc text, context text, "
     "vartype text, source text, min_val text, max_val text, enumvals text[], boot_val text, reset_val "
     "text, sourcefile text, sourceline int4, pending_restart bool",
     fill_pg_settings, NULL, NULL},
    {12095, "pg_catalog", "pg_prepared_statements",
     "name text, statement text, prepare_time timestamptz, parameter_types regtype[], from_sql bool, "
     "generic_plans int8, custom_plans int8",
     fill_pg_prepared_statements, NULL, NULL},
    {12077, "pg_catalog", "pg_cursors",
     "name text, statement text, is_holdable bool, is_binary bool, is_scrollable bool, creation_time "
     "timestamptz",
     fill_pg_cursors, NULL, NULL},
    {12161, "pg_catalog", "pg_stat_user_tables",
     "relid oid, schemaname name, relname name, seq_scan int8, seq_tup_read int8, idx_scan int8, "
     "idx_tup_fetch int8, n_tup_ins int8, n_tup_upd int8, n_tup_del int8, n_tup_hot_upd int8, n_live_tup "
     "int8, n_dead_tup int8, n_mod_since_analyze int8, n_ins_since_vacuum int8, last_vacuum timestamptz, "
     "last_autovacuum timestamptz, last_analyze timestamptz, last_autoanalyze timestamptz, vacuum_count "
     "int8, autovacuum_count int8, analyze_count int8, autoanalyze_count int8",
     fill_pg_stat_user_tables, NULL, "relid"},
    {12142, "pg_catalog", "pg_stat_all_tables",
     "relid oid, schemaname name, relname name, seq_scan int8, seq_tup_read int8, idx_scan int8, "
     "idx_tup_fetch int8, n_tup_ins int8, n_tup_upd int8, n_tup_del int8, n_tup_hot_upd int8, n_live_tup "
     "int8, n_dead_tup int8, n_mod_since_analyze int8, n_ins_since_vacuum int8, last_vacuum timestamptz, "
     "last_autovacuum timestamptz, last_analyze timestamptz, last_autoanalyze timestamptz, vacuum_count "
     "int8, autovacuum_count int8, analyze_count int8, autoanalyze_count int8",
     fill_pg_stat_all_tables, NULL, "relid"},
    {12188, "pg_catalog", "pg_stat_user_indexes", STAT_INDEX_COLUMNS, fill_pg_stat_indexes, NULL, "relid"},
    {12181, "pg_catalog", "pg_stat_all_indexes", STAT_INDEX_COLUMNS, fill_pg_stat_indexes, NULL, "relid"},
    {9772, "crdb_internal", "index_usage_statistics", "table_id int8, index_id int8, total_reads int8, "
     "last_read timestamptz", fill_index_usage, NULL, "table_id"},
    {0},
};
