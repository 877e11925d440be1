/* fn_session.c - who is asking, of what, and under which settings. */
#include "executor/functions/families.h"
#include "planner/session.h"
#include "planner/settings.h"
#include "storage/base/clock.h"
#include "storage/types/type_array.h"
#include "storage/types/type_interval.h"

static Status version(FnCtx *ctx, const Value *args, Value *out)
{
    const char *style = setting_text(ctx->session->settings, SETTING_version_style);
    if (strcmp(style, "cockroachdb") == 0)
        *out = value_str("CockroachDB CCL v26.2.0 (rowkey 0.1.0, PostgreSQL 15.0 compatible)");
    else
        *out = value_str("PostgreSQL 15.0 (rowkey 0.1.0) on an ordered map of bytes");
    return ST_OK;
}

static Status text_of(FnCtx *ctx, const char *text, Value *out)
{
    *out = text ? value_str(text) : VALUE_NULL;
    return ST_OK;
}

static Status session_user(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_str(ctx->session->session_user);
    return ST_OK;
}

static Status current_user(FnCtx *ctx, const Value *args, Value *out)
{
    return text_of(ctx, ctx->session->user, out);
}

static Status current_database(FnCtx *ctx, const Value *args, Value *out)
{
    return text_of(ctx, ctx->session->database, out);
}

static Status current_schema(FnCtx *ctx, const Value *args, Value *out)
{
    Error ignored;
    DescId id = session_creation_schema(ctx->session, &ignored);
    return text_of(ctx, id ? session_schema_name(ctx->session, id) : NULL, out);
}

static Status current_schemas(FnCtx *ctx, const Value *args, Value *out)
{
    const DescId *ids;
    int found = session_search_path(ctx->session, &ids, ctx->type.arena), count = 0;
    Value *names = ARENA_ARRAY(ctx->type.arena, Value, found + 1);
    for (int i = 0; i < found; i++) {
        const char *name = session_schema_name(ctx->session, ids[i]);
        bool implicit = ids[i] == OID_PG_CATALOG_SCHEMA;
        if (name && (!implicit || args[0].i)) names[count++] = value_str(name);
    }
    return array_build(&ctx->type, OID_NAME, names, count, out);
}

static Status current_setting(FnCtx *ctx, const Value *args, Value *out)
{
    Error missing = {0};
    bool missing_ok = ctx->arg_count > 1 && args[1].i;
    const char *name = arena_strndup(ctx->type.arena, args[0].p, args[0].size);
    const char *value = settings_show(ctx->session, name, missing_ok ? &missing : ctx->type.err);
    if (!value && !missing_ok) return ST_ERROR;
    return text_of(ctx, value, out);
}

static Status set_config(FnCtx *ctx, const Value *args, Value *out)
{
    if (args[0].null)
        return err_set(ctx->type.err, ctx->type.arena, ERR_NULL_VALUE_NOT_ALLOWED, "SET requires parameter name");
    const char *name = arena_strndup(ctx->type.arena, args[0].p, args[0].size);
    const char *value = args[1].null ? NULL : arena_strndup(ctx->type.arena, args[1].p, args[1].size);
    TRY(settings_set_name(ctx->session, name, value, !args[2].null && args[2].i, ctx->type.err));
    value = settings_show(ctx->session, name, ctx->type.err);
    return text_of(ctx, value, out);
}

static Status backend_pid(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int((int64_t)(ctx->session->id & 0x7fffffff));
    return ST_OK;
}

static Status no(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_bool(false);
    return ST_OK;
}

static Status null(FnCtx *ctx, const Value *args, Value *out)
{
    *out = VALUE_NULL;
    return ST_OK;
}

static Status client_encoding(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_str("UTF8");
    return ST_OK;
}

static Status encoding_name(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_str(args[0].i == 6 ? "UTF8" : args[0].i == 0 ? "SQL_ASCII" : "");
    return ST_OK;
}

static Status transaction_id(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int((int64_t)txn_id(ctx->txn));
    return ST_OK;
}

/* For trying out how a client retries: fails for so long after the transaction was begun. */
static Status force_retry(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int(0);
    if (clock_now_us() - ctx->session->first_attempt_us >= interval_total_us(interval_load(args[0]))) return ST_OK;
    return err_set(ctx->type.err, ctx->type.arena, ERR_SERIALIZATION_FAILURE,
                   "restart transaction: TransactionRetryWithProtoRefreshError: TransactionRetryError: retry txn "
                   "(RETRY_SERIALIZABLE - forced by crdb_internal.force_retry())");
}

static Status pg_typeof(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int(type_ref_oid(ctx->arg_types[0]));
    return ST_OK;
}

static Status num_nulls(FnCtx *ctx, const Value *args, Value *out)
{
    int64_t count = 0;
    for (int i = 0; i < ctx->arg_count; i++) count += args[i].null;
    *out = value_int(count);
    return ST_OK;
}

static Status num_nonnulls(FnCtx *ctx, const Value *args, Value *out)
{
    TRY(num_nulls(ctx, args, out));
    *out = value_int(ctx->arg_count - out->i);
    return ST_OK;
}

static Status size_pretty(FnCtx *ctx, const Value *args, Value *out)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
    int64_t size = args[0].i;
    int unit = 0;
    int64_t limit = 10 * 1024;
    /* One bit more than the unit is kept while dividing, for rounding half away from zero at the end. */
    if (size < limit && size > -limit) {
        *out = value_str(arena_printf(ctx->type.arena, "%lld bytes", (long long)size));
        return ST_OK;
    }
    size /= 512;
    limit = 2 * 10240 - 1;
    for (unit = 1; unit < 5 && (size >= limit || size <= -limit); unit++) size /= 1024;
    size = size >= 0 ? (size + 1) / 2 : (size - 1) / 2;
    *out = value_str(arena_printf(ctx->type.arena, "%lld %s", (long long)size, units[unit]));
    return ST_OK;
}

static Status my_temp(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int(session_find_schema(ctx->session, "pg_temp"));
    return ST_OK;
}

static Status is_other_temp(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_bool(session_is_other_temp(ctx->session, (DescId)args[0].i));
    return ST_OK;
}

/* clang-format off */
#define STABLE FN_STRICT | FN_STABLE
const FuncDef fn_session_rows[] = {
    { 9170, "crdb_internal.force_retry", "interval", "int8", FN_STRICT, force_retry },
    { 861, "current_database", "",            "name", STABLE, current_database },
    { 1402, "current_schema", "",              "name", STABLE, current_schema },
    { 1403, "current_schemas", "bool",         "_name", STABLE, current_schemas },
    { 2077, "current_setting", "text",         "text", STABLE, current_setting },
    { 3294, "current_setting", "text, bool",   "text", STABLE, current_setting },
    { 745, "current_user", "",                "name", STABLE, current_user },
    { 2196, "inet_client_addr", "",            "text", STABLE, null },
    { 2197, "inet_client_port", "",            "int4", STABLE, null },
    { 2198, "inet_server_addr", "",            "text", STABLE, null },
    { 2199, "inet_server_port", "",            "int4", STABLE, null },
    { 440, "num_nonnulls", "any",             "int4", FN_IMMUTABLE | FN_VARIADIC, num_nonnulls },
    { 438, "num_nulls", "any",                "int4", FN_IMMUTABLE | FN_VARIADIC, num_nulls },
    { 2026, "pg_backend_pid", "",              "int4", STABLE, backend_pid },
    { 810, "pg_client_encoding", "",          "name", STABLE, client_encoding },
    { 1597, "pg_encoding_to_char", "int4",     "name", STABLE, encoding_name },
    { 3810, "pg_is_in_recovery", "",           "bool", STABLE, no },
    { 2855, "pg_is_other_temp_schema", "oid",  "bool", STABLE, is_other_temp },
    { 2854, "pg_my_temp_schema", "",           "oid",  STABLE, my_temp },
    { 2288, "pg_size_pretty", "int8",          "text", FN_STRICT | FN_IMMUTABLE, size_pretty },
    { 1619, "pg_typeof", "any",                "regtype", FN_STABLE, pg_typeof },
    { 746, "session_user", "",                "name", STABLE, session_user },
    { 2078, "set_config", "text, text, bool",  "text", 0, set_config },
    { 5059, "pg_current_xact_id", "",                "xid8", STABLE, transaction_id },
    { 5060, "pg_current_xact_id_if_assigned", "",    "xid8", STABLE, transaction_id },
    { 3348, "txid_current_if_assigned", "",          "int8", STABLE, transaction_id },
    { 2943, "txid_current", "",                "int8", STABLE, transaction_id },
    { 89, "version", "",                     "text", STABLE, version },
    { 0 }
};
/* clang-format on */
