/* fn_json_path.c - jsonb_path_query and its family, the operators @? and @@. */
#include "executor/functions/families.h"
#include "executor/functions/json_path_run.h"
#include "executor/functions/regex.h"

/* The path of the last call, so that a constant one is parsed once. */
typedef struct PathSite {
    Slice text;
    JsonPath path;
    bool parsed;
} PathSite;

static void give_sites(Arena *arena, PathNode *node)
{
    for (; node; node = node->next) {
        if (node->kind == PATH_LIKE_REGEX) node->site = ARENA_NEW(arena, RegexSite);
        give_sites(arena, node->left);
        give_sites(arena, node->right);
        give_sites(arena, node->sibling);
    }
}

static Status path_at_site(FnCtx *ctx, Value text, const JsonPath **path)
{
    PathSite *site = ctx->site;
    if (!site->parsed || !slice_equal(site->text, value_to_slice(text))) {
        TypeCtx longer = {ctx->site_arena, ctx->type.env, ctx->type.err};
        site->parsed = false;
        site->text = arena_slice(ctx->site_arena, value_to_slice(text));
        TRY(json_path_parse(&longer, site->text, &site->path));
        give_sites(ctx->site_arena, site->path.root);
        site->parsed = true;
    }
    *path = &site->path;
    return ST_OK;
}

/* A fault of the document, that is, none of memory or of a cancelled statement. */
static bool is_of_document(const Error *err)
{
    return strncmp(sqlstate_code(err->sqlstate), "22", 2) == 0;
}

/* (target, path [, vars [, silent]]). *silenced: it failed, and the caller wants NULL instead. */
static Status run_path(FnCtx *ctx, const Value *args, bool silent, JsonItems *found, bool *silenced)
{
    const JsonPath *path;
    JsonItem vars = {JSON_NULL, {0}};
    if (ctx->arg_count > 2) vars = jsonb_root(args[2]);
    if (ctx->arg_count > 3) silent = args[3].i;
    *found = (JsonItems){0};
    *silenced = false;
    if (ctx->arg_count > 2 && vars.kind != JSON_OBJECT) {
        err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "\"vars\" argument is not an object");
        err_detail(ctx->type.err, ctx->type.arena, "Jsonpath parameters should be encoded as key-value pairs of \"vars\" object.");
        return ST_ERROR;
    }
    TRY(path_at_site(ctx, args[1], &path));
    Status status = json_path_run(ctx, path, jsonb_root(args[0]), vars, found);
    if (!silent || status != ST_ERROR || !is_of_document(ctx->type.err)) return status;
    *silenced = true;
    *ctx->type.err = (Error){0};
    return ST_OK;
}

static Status exists_either(FnCtx *ctx, const Value *args, bool silent, Value *out)
{
    JsonItems found;
    bool silenced;
    Status status = run_path(ctx, args, silent, &found, &silenced);
    /* Lax mode is done with the first item; what fails behind it does not matter. */
    const PathSite *site = ctx->site;
    if (found.count > 0 && !site->path.strict && (status == ST_OK || is_of_document(ctx->type.err))) {
        *ctx->type.err = (Error){0};
        *out = value_bool(true);
        return ST_OK;
    }
    *out = silenced ? VALUE_NULL : value_bool(found.count > 0);
    return status;
}

static Status path_exists(FnCtx *ctx, const Value *args, Value *out)
{
    return exists_either(ctx, args, false, out);
}

static Status path_exists_operator(FnCtx *ctx, const Value *args, Value *out)
{
    return exists_either(ctx, args, true, out);
}

static Status match_either(FnCtx *ctx, const Value *args, bool silent, Value *out)
{
    JsonItems found;
    bool silenced;
    if (ctx->arg_count > 3) silent = args[3].i;
    TRY(run_path(ctx, args, silent, &found, &silenced));
    JsonKind kind = found.count == 1 ? found.items[0].kind : JSON_OBJECT;
    *out = VALUE_NULL;
    if (silenced || kind == JSON_NULL) return ST_OK;
    if (kind == JSON_TRUE || kind == JSON_FALSE)
        *out = value_bool(kind == JSON_TRUE);
    else if (!silent)
        return err_set(ctx->type.err, ctx->type.arena, ERR_SINGLETON_SQL_JSON_ITEM_REQUIRED, "single boolean result is expected");
    return ST_OK;
}

static Status path_match(FnCtx *ctx, const Value *args, Value *out)
{
    return match_either(ctx, args, false, out);
}

static Status path_match_operator(FnCtx *ctx, const Value *args, Value *out)
{
    return match_either(ctx, args, true, out);
}

static Status path_query_first(FnCtx *ctx, const Value *args, Value *out)
{
    JsonItems found;
    bool silenced;
    TRY(run_path(ctx, args, false, &found, &silenced));
    *out = VALUE_NULL;
    return found.count ? jsonb_from_item(&ctx->type, found.items[0], out) : ST_OK;
}

static Status path_query_array(FnCtx *ctx, const Value *args, Value *out)
{
    JsonItems found;
    bool silenced;
    TRY(run_path(ctx, args, false, &found, &silenced));
    JsonBuilder *builder = jsonb_builder(&ctx->type);
    jsonb_begin_array(builder);
    for (int i = 0; i < found.count; i++) jsonb_item(builder, found.items[i]);
    jsonb_end(builder);
    return jsonb_finish(builder, out);
}

typedef struct Found {
    JsonItems items;
    int next;
} Found;

static Status query_start(FnCtx *ctx, void *state, const Value *args)
{
    bool silenced;
    return run_path(ctx, args, false, &((Found *)state)->items, &silenced);
}

static Status query_next(FnCtx *ctx, void *state, Value *out)
{
    Found *found = state;
    if (found->next >= found->items.count) return ST_END;
    return jsonb_from_item(&ctx->type, found->items.items[found->next++], out);
}

static const FnRows query_rows = {sizeof(Found), query_start, query_next, NULL};

/* clang-format off */
#define FN FN_STRICT | FN_IMMUTABLE
#define SITE NULL, NULL, sizeof(PathSite)
/* vars and silent may be left out; in pg_proc they have defaults. */
#define FAMILY(oid, hidden, name, result, body)                                                            \
    { hidden,     name, "jsonb, jsonpath",              result, FN | FN_HIDDEN, body, SITE },              \
    { hidden + 1, name, "jsonb, jsonpath, jsonb",       result, FN | FN_HIDDEN, body, SITE },              \
    { oid,        name, "jsonb, jsonpath, jsonb, bool", result, FN, body, SITE }
#define SET_FAMILY(oid, hidden, name)                                                                                     \
    { hidden,     name, "jsonb, jsonpath",              "jsonb", FN | FN_SET | FN_HIDDEN, NULL, NULL, &query_rows, sizeof(PathSite) }, \
    { hidden + 1, name, "jsonb, jsonpath, jsonb",       "jsonb", FN | FN_SET | FN_HIDDEN, NULL, NULL, &query_rows, sizeof(PathSite) }, \
    { oid,        name, "jsonb, jsonpath, jsonb, bool", "jsonb", FN | FN_SET, NULL, NULL, &query_rows, sizeof(PathSite) }
const FuncDef fn_json_path_rows[] = {
    { 4010, "@?", "jsonb, jsonpath", "bool", FN | FN_OPERATOR, path_exists_operator, SITE },
    { 4011, "@@", "jsonb, jsonpath", "bool", FN | FN_OPERATOR, path_match_operator, SITE },
    FAMILY(4005, 9660, "jsonb_path_exists", "bool", path_exists),
    FAMILY(1177, 9662, "jsonb_path_exists_tz", "bool", path_exists),
    FAMILY(4009, 9664, "jsonb_path_match", "bool", path_match),
    FAMILY(2030, 9666, "jsonb_path_match_tz", "bool", path_match),
    FAMILY(4007, 9668, "jsonb_path_query_array", "jsonb", path_query_array),
    FAMILY(1180, 9670, "jsonb_path_query_array_tz", "jsonb", path_query_array),
    FAMILY(4008, 9672, "jsonb_path_query_first", "jsonb", path_query_first),
    FAMILY(2023, 9674, "jsonb_path_query_first_tz", "jsonb", path_query_first),
    SET_FAMILY(4006, 9676, "jsonb_path_query"),
    SET_FAMILY(1179, 9678, "jsonb_path_query_tz"),
    { 0 }
};
/* clang-format on */
