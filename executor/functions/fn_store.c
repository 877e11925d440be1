/* fn_store.c - looking after the running store: rowkey.check() and rowkey.backup(). */
#include "executor/check/check.h"
#include "executor/functions/families.h"
#include "executor/stmt_internal.h"
#include "planner/settings.h"
#include "storage/keys/key_print.h"
#include "storage/kv/kv_copy.h"

enum { FINDING_COLUMNS = 6 };

/* Findings beyond these are counted only. */
enum { FINDINGS_KEPT = 10000 };

typedef struct FindingRow {
    Value values[FINDING_COLUMNS];
} FindingRow;

typedef struct CheckRows {
    Arena *arena;
    VEC(FindingRow) rows;
    int next;
} CheckRows;

static Value text_of(Arena *arena, const char *text)
{
    return text ? value_str(arena_strdup(arena, text)) : VALUE_NULL;
}

static void keep_finding(void *argument, const Finding *finding)
{
    CheckRows *c = argument;
    if (c->rows.count == FINDINGS_KEPT) return;
    FindingRow row = {{text_of(c->arena, finding->kind), text_of(c->arena, finding->database),
                       text_of(c->arena, finding->table), text_of(c->arena, finding->index),
                       finding->key.size ? value_str(key_text(finding->key, NULL, c->arena)) : VALUE_NULL,
                       text_of(c->arena, finding->problem)}};
    VEC_PUSH(c->arena, c->rows, row);
}

static Status require_superuser(FnCtx *ctx, const char *what)
{
    if (setting_bool(ctx->session->settings, SETTING_is_superuser)) return ST_OK;
    return err_set(ctx->type.err, ctx->type.arena, ERR_INSUFFICIENT_PRIVILEGE, "must be superuser to %s", what);
}

/* Both see all rows of all databases. */
static Status only_superusers(FnCtx *ctx, const char *function)
{
    if (session_is_superuser(ctx->session)) return ST_OK;
    return err_set(ctx->type.err, ctx->type.arena, ERR_INSUFFICIENT_PRIVILEGE, "permission denied for function %s", function);
}

static Status check_start(FnCtx *ctx, void *state, const Value *args)
{
    TRY(only_superusers(ctx, "check"));
    CheckRows *c = state;
    TRY(require_superuser(ctx, "check the store"));
    *c = (CheckRows){.arena = ctx->site_arena};
    Findings findings = {.report = keep_finding, .argument = c, .interrupt = &ctx->session->interrupt};
    return check_server(state_of(ctx->session)->server, &findings, c->arena, ctx->type.err);
}

static Status check_next(FnCtx *ctx, void *state, Value *out)
{
    CheckRows *c = state;
    if (c->next == c->rows.count) return ST_END;
    memcpy(out, c->rows.items[c->next++].values, sizeof c->rows.items[0].values);
    return ST_OK;
}

static const FnRows check_rows = {
    sizeof(CheckRows), check_start, check_next,
    "kind text, database_name text, table_name text, index_name text, key text, problem text"};

/* ---- backup ---- */

static Status backup_start(FnCtx *ctx, void *state, const Value *args)
{
    TRY(only_superusers(ctx, "backup"));
    uint64_t *bytes = state;
    const char *directory = arena_strndup(ctx->type.arena, args[0].p, args[0].size);
    TRY(require_superuser(ctx, "back up the store"));
    if (directory[0] != '/')
        return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_NAME, "relative path not allowed for a backup");
    Store *store = state_of(ctx->session)->server->store;
    return kv_copy_to(store_kv(store), directory, bytes, ctx->type.arena, ctx->type.err);
}

static Status backup_next(FnCtx *ctx, void *state, Value *out)
{
    uint64_t *bytes = state;
    if (!*bytes) return ST_END;
    *out = value_int((int64_t)*bytes);
    *bytes = 0;
    return ST_OK;
}

static const FnRows backup_rows = {sizeof(uint64_t), backup_start, backup_next, "bytes int8"};

/* clang-format off */
const FuncDef fn_store_rows[] = {
    { 9060, "rowkey.check",  "",     "record", FN_SET,             NULL, NULL, &check_rows },
    { 9061, "rowkey.backup", "text", "int8",   FN_SET | FN_STRICT, NULL, NULL, &backup_rows },
    { 0 }
};
/* clang-format on */
