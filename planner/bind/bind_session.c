/* bind_session.c - transactions, settings, prepared statements, cursors, EXPLAIN. */
#include "planner/cluster_settings.h"
#include "planner/bind/bind_session.h"
#include "parser/ast_print.h"
#include "planner/bind/bind_expr.h"
#include "planner/settings.h"
#include "planner/utility_session.h"
#include "planner/utility_txn.h"

#include <strings.h>

/* ---- options ---- */

const char *option_text(const AstOption *option)
{
    if (!option || !option->value || option->value->kind != AST_LITERAL) return NULL;
    return ((const AstLiteral *)option->value)->text;
}

Status option_bool(Binder *binder, const AstOption *option, bool *out)
{
    const char *text = option_text(option);
    if (!option) return ST_OK;
    *out = !text || strcasecmp(text, "true") == 0 || strcasecmp(text, "on") == 0 || strcmp(text, "1") == 0;
    if (*out || strcasecmp(text, "false") == 0 || strcasecmp(text, "off") == 0 || strcmp(text, "0") == 0) return ST_OK;
    (void)err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR, "%s requires a Boolean value", option->name);
    return err_at(binder->err, option->position);
}

/* ---- transactions ---- */

static Status bind_modes(Binder *binder, const AstOptionVec *options, TxnModes *modes)
{
    static const char *const levels[] = {[ISOLATION_SERIALIZABLE] = "serializable",
                                         [ISOLATION_REPEATABLE_READ] = "repeatable read",
                                         [ISOLATION_READ_COMMITTED] = "read committed",
                                         [ISOLATION_READ_UNCOMMITTED] = "read uncommitted"};
    for (int i = 0; i < options->count; i++) {
        const AstOption *option = &options->items[i];
        const char *text = option_text(option);
        if (strcmp(option->name, "isolation") == 0) {
            modes->has_isolation = true;
            for (int level = 0; text && level <= ISOLATION_READ_UNCOMMITTED; level++)
                if (strcasecmp(levels[level], text) == 0) modes->isolation = level;
        } else if (strcmp(option->name, "read_only") == 0) {
            modes->has_read_only = true;
            TRY(option_bool(binder, option, &modes->read_only));
        } else if (strcmp(option->name, "deferrable") == 0) {
            modes->has_deferrable = true;
            TRY(option_bool(binder, option, &modes->deferrable));
        } else if (strcmp(option->name, "as_of") == 0) {
            return err_unsupported(binder->err, binder->arena, "AS OF SYSTEM TIME");
        }
    }
    return ST_OK;
}

static Status bind_begin(Binder *binder, const AstBegin *ast, Plan **out)
{
    UtilityBegin *u = bind_utility(binder, UTILITY_BEGIN, "BEGIN", sizeof *u);
    *out = &u->base.base;
    return bind_modes(binder, &ast->modes, &u->modes);
}

static Status bind_end(Binder *binder, const AstEndTxn *ast, Plan **out)
{
    bool commit = ast->base.kind == AST_COMMIT;
    UtilityEnd *u =
        bind_utility(binder, commit ? UTILITY_COMMIT : UTILITY_ROLLBACK, commit ? "COMMIT" : "ROLLBACK", sizeof *u);
    u->chain = ast->chain;
    *out = &u->base.base;
    return ST_OK;
}

static Status bind_savepoint(Binder *binder, const AstSavepoint *ast, Plan **out)
{
    UtilityKind kind = ast->base.kind == AST_SAVEPOINT ? UTILITY_SAVEPOINT
                       : ast->base.kind == AST_RELEASE ? UTILITY_RELEASE
                                                       : UTILITY_ROLLBACK_TO;
    UtilitySavepoint *u = bind_utility(binder, kind, ast_stmt_tag(&ast->base), sizeof *u);
    u->name = ast->name;
    *out = &u->base.base;
    return ST_OK;
}

static Status bind_set_transaction(Binder *binder, const AstSetTransaction *ast, Plan **out)
{
    UtilitySetTransaction *u = bind_utility(binder, UTILITY_SET_TRANSACTION, "SET", sizeof *u);
    if (ast->snapshot) return err_unsupported(binder->err, binder->arena, "SET TRANSACTION SNAPSHOT");
    u->of_session = ast->scope == AST_TRANSACTION_SESSION;
    *out = &u->base.base;
    return bind_modes(binder, &ast->modes, &u->modes);
}

/* ---- settings ---- */

static Status accepted(Binder *binder, const char *tag, const char *notice, Plan **out)
{
    PlanUtility *u = bind_utility(binder, UTILITY_DO_NOTHING, tag, sizeof *u);
    u->notice = notice;
    *out = &u->base;
    return ST_OK;
}

static Status bind_listen(Binder *binder, const AstListen *ast, Plan **out)
{
    UtilityListen *u = bind_utility(binder, UTILITY_LISTEN, ast_stmt_tag(&ast->base), sizeof *u);
    u->listen = ast->base.kind == AST_LISTEN;
    u->channel = ast->channel;
    *out = &u->base.base;
    return ST_OK;
}

static Status bind_notify(Binder *binder, const AstNotify *ast, Plan **out)
{
    UtilityNotify *u = bind_utility(binder, UTILITY_NOTIFY, "NOTIFY", sizeof *u);
    u->channel = ast->channel;
    u->payload = ast->payload;
    *out = &u->base.base;
    return ST_OK;
}

static Status bind_do(Binder *binder, const AstDo *ast, Plan **out)
{
    if (ast->language && strcmp(ast->language, "plpgsql") != 0)
        return err_set(binder->err, binder->arena, ERR_UNDEFINED_OBJECT, "language \"%s\" does not exist", ast->language);
    UtilityDo *u = bind_utility(binder, UTILITY_DO, "DO", sizeof *u);
    u->body = ast->body;
    *out = &u->base.base;
    return ST_OK;
}

/* The values of SET as one text; those of a list setting are quoted where they must be. */
static const char *set_text(Binder *binder, const AstSet *ast)
{
    int id = setting_find(ast->name);
    bool names = id == SETTING_search_path || id == SETTING_temp_tablespaces;
    Buf text = {0};
    for (int i = 0; i < ast->values.count; i++) {
        const AstExpr *value = ast->values.items[i];
        const char *word = value->kind == AST_LITERAL ? ((const AstLiteral *)value)->text : "";
        if (i) buf_put_str(&text, ", ");
        if (names)
            ast_print_identifier(word, &text);
        else
            buf_put_str(&text, word);
    }
    const char *joined = buf_to_str(&text, binder->arena);
    buf_finish(&text);
    return joined;
}

/* Names of other systems' settings are accepted, so that scripts run; those that rowkey would act upon must be right. */
static Status bind_set_cluster(Binder *binder, const AstSet *ast, Plan **out)
{
    if (!session_is_superuser(binder->session))
        return err_set(binder->err, binder->arena, ERR_INSUFFICIENT_PRIVILEGE,
                       "only users with the MODIFYCLUSTERSETTING privilege are allowed to set cluster setting '%s'", ast->name);
    if (cluster_setting_find(ast->name) < 0) {
        if (cluster_setting_is_ours(ast->name))
            return err_set(binder->err, binder->arena, ERR_UNDEFINED_OBJECT, "unknown cluster setting '%s'", ast->name);
        return accepted(binder, "SET CLUSTER SETTING",
                        arena_printf(binder->arena, "cluster setting \"%s\" has no effect", ast->name), out);
    }
    UtilitySet *u = bind_utility(binder, UTILITY_SET, "SET CLUSTER SETTING", sizeof *u);
    u->name = ast->name;
    u->cluster = true;
    if (!ast->is_default && ast->values.count) u->value = set_text(binder, ast);
    *out = &u->base.base;
    return ST_OK;
}

static Status bind_set(Binder *binder, const AstSet *ast, Plan **out)
{
    if (ast->cluster) return bind_set_cluster(binder, ast, out);
    UtilitySet *u = bind_utility(binder, UTILITY_SET, "SET", sizeof *u);
    u->name = ast->name;
    u->local = ast->local;
    bool local_zone = setting_find(ast->name) == SETTING_TimeZone && ast->values.count == 1;
    if (ast->from_current)
        u->value = settings_show(binder->session, ast->name, binder->err);
    else if (!ast->is_default && ast->values.count)
        u->value = set_text(binder, ast);
    if (ast->from_current && !u->value) return ST_ERROR;
    if (local_zone && strcasecmp(u->value, "local") == 0) u->value = NULL;
    *out = &u->base.base;
    return ST_OK;
}

static Status bind_reset(Binder *binder, const AstReset *ast, Plan **out)
{
    if (ast->cluster) return bind_set_cluster(binder, &(AstSet){.base = ast->base, .name = ast->name, .is_default = true}, out);
    UtilityReset *u = bind_utility(binder, UTILITY_RESET, "RESET", sizeof *u);
    u->name = ast->name;
    *out = &u->base.base;
    return ST_OK;
}

static Status bind_show_setting(Binder *binder, const AstShow *ast, Plan **out)
{
    UtilityShow *u = bind_utility(binder, UTILITY_SHOW, "SHOW", sizeof *u);
    int id = setting_find(ast->setting);
    RelColumn column = {.name = id >= 0 ? setting_def((SettingId)id)->name : ast->setting, .type = {OID_TEXT, -1}};
    u->name = ast->setting;
    bind_utility_columns(binder, &u->base, &column, 1);
    *out = &u->base.base;
    return settings_show(binder->session, ast->setting, binder->err) ? ST_OK : ST_ERROR;
}

/* What the session itself knows, also in a failed transaction. */
static Status bind_show_status(Binder *binder, const AstShow *ast, Plan **out)
{
    static const RelColumn transaction[] = {{.name = "TRANSACTION STATUS", .type = {OID_TEXT, -1}}};
    static const RelColumn savepoint[] = {{.name = "savepoint_name", .type = {OID_TEXT, -1}},
                                          {.name = "is_initial_savepoint", .type = {OID_BOOL, -1}}};
    UtilityShow *u = bind_utility(binder, UTILITY_SHOW, "SHOW", sizeof *u);
    bool of_transaction = ast->show == AST_SHOW_TRANSACTION_STATUS;
    u->what = of_transaction ? SHOW_TRANSACTION_STATUS : SHOW_SAVEPOINT_STATUS;
    bind_utility_columns(binder, &u->base, of_transaction ? transaction : savepoint, of_transaction ? 1 : 2);
    *out = &u->base.base;
    return ST_OK;
}

static bool shows_status(AstShowKind show)
{
    return show == AST_SHOW_TRANSACTION_STATUS || show == AST_SHOW_SAVEPOINT_STATUS;
}

static Status bind_discard(Binder *binder, const AstDiscard *ast, Plan **out)
{
    UtilityDiscard *u = bind_utility(binder, UTILITY_DISCARD, "DISCARD ALL", sizeof *u);
    static const struct {
        const char *word, *tag;
        DiscardKind kind;
    } kinds[] = {{"all", "DISCARD ALL", DISCARD_ALL},
                 {"plans", "DISCARD PLANS", DISCARD_PLANS},
                 {"sequences", "DISCARD SEQUENCES", DISCARD_SEQUENCES},
                 {"temp", "DISCARD TEMP", DISCARD_TEMP}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].word, ast->what) != 0) continue;
        u->what = kinds[i].kind;
        u->base.tag = kinds[i].tag;
    }
    *out = &u->base.base;
    return ST_OK;
}

/* ---- prepared statements ---- */

static const char *source_text(Binder *binder, const AstStmt *stmt)
{
    if (stmt->source.size) return arena_strndup(binder->arena, stmt->source.data, stmt->source.size);
    return ast_stmt_text(stmt, binder->arena);
}

static Status bind_prepare(Binder *binder, const AstPrepare *ast, Plan **out)
{
    UtilityPrepare *u = bind_utility(binder, UTILITY_PREPARE, "PREPARE", sizeof *u);
    Oid *types = ARENA_ARRAY(binder->arena, Oid, ast->types.count);
    for (int i = 0; i < ast->types.count; i++) {
        TypeRef type;
        if (strcmp(ast->types.items[i]->name, "unknown") == 0) continue;
        TRY(bind_type(binder, ast->types.items[i], &type));
        types[i] = type.oid;
    }
    u->name = ast->name;
    u->text = source_text(binder, ast->stmt);
    u->param_types = types;
    u->param_count = ast->types.count;
    *out = &u->base.base;
    return ST_OK;
}

static Status bind_execute(Binder *binder, const AstExecute *ast, Plan **out)
{
    UtilityExecute *u = bind_utility(binder, UTILITY_EXECUTE, "EXECUTE", sizeof *u);
    u->name = ast->name;
    u->param_count = ast->params.count;
    u->params = ARENA_ARRAY(binder->arena, Expr *, ast->params.count);
    for (int i = 0; i < ast->params.count; i++)
        TRY(bind_standalone(binder, ast->params.items[i],
                            &(Standalone){CLAUSE_EXECUTE, NULL, NULL, (TypeRef){0, -1}, NULL}, &u->params[i]));
    *out = &u->base.base;
    return ST_OK;
}

static Status bind_deallocate(Binder *binder, const AstDeallocate *ast, Plan **out)
{
    UtilityDeallocate *u =
        bind_utility(binder, UTILITY_DEALLOCATE, ast->name ? "DEALLOCATE" : "DEALLOCATE ALL", sizeof *u);
    u->name = ast->name;
    *out = &u->base.base;
    return ST_OK;
}

/* ---- cursors ---- */

static Status bind_declare(Binder *binder, const AstDeclare *ast, Plan **out)
{
    UtilityDeclare *u = bind_utility(binder, UTILITY_DECLARE, "DECLARE CURSOR", sizeof *u);
    Rel *rel;
    u->name = ast->name;
    u->binary = ast->binary;
    u->scroll = ast->scroll;
    u->no_scroll = ast->no_scroll;
    u->with_hold = ast->with_hold;
    u->text = source_text(binder, &ast->query->base);
    *out = &u->base.base;
    TRY(bind_select(binder, ast->query, &rel));
    return plan_nested(binder, rel, &u->query);
}

static Status bind_fetch(Binder *binder, const AstFetch *ast, Plan **out)
{
    static const FetchDirection directions[] = {[AST_FETCH_FORWARD] = FETCH_FORWARD,
                                                [AST_FETCH_BACKWARD] = FETCH_BACKWARD,
                                                [AST_FETCH_ABSOLUTE] = FETCH_ABSOLUTE,
                                                [AST_FETCH_RELATIVE] = FETCH_RELATIVE};
    UtilityFetch *u = bind_utility(binder, UTILITY_FETCH, ast->move ? "MOVE" : "FETCH", sizeof *u);
    u->cursor = ast->cursor;
    u->move = ast->move;
    u->direction = directions[ast->direction];
    u->count = ast->count;
    *out = &u->base.base;
    return ST_OK;
}

static Status bind_close(Binder *binder, const AstClose *ast, Plan **out)
{
    UtilityClose *u = bind_utility(binder, UTILITY_CLOSE, ast->name ? "CLOSE CURSOR" : "CLOSE CURSOR ALL", sizeof *u);
    u->name = ast->name;
    *out = &u->base.base;
    return ST_OK;
}

/* ---- EXPLAIN ---- */

static Status explain_option(Binder *binder, const AstOption *option, UtilityExplain *u)
{
    bool opt = false;
    struct {
        const char *name;
        bool *flag;
    } flags[] = {{"analyze", &u->analyze}, {"verbose", &u->verbose}, {"types", &u->types},    {"keys", &u->keys},
                 {"costs", &u->costs},     {"dist", &u->dist},       {"timing", &u->timing},  {"summary", &u->summary},
                 {"plan", &(bool){0}},     {"opt", &opt},            {"buffers", &(bool){0}}, {"debug", &(bool){0}},
                 {"settings", &(bool){0}}, {"wal", &(bool){0}},      {"distsql", &u->dist}};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (strcmp(flags[i].name, option->name) == 0) {
            TRY(option_bool(binder, option, flags[i].flag));
            if (opt) u->format = EXPLAIN_OPT;
            return ST_OK;
        }
    const char *format = option_text(option);
    if (strcmp(option->name, "json") == 0) format = "json";
    bool is_format = format && (strcmp(option->name, "format") == 0 || strcmp(option->name, "json") == 0);
    if (is_format && strcasecmp(format, "json") == 0) {
        u->format = EXPLAIN_JSON;
        return ST_OK;
    }
    if (is_format && strcasecmp(format, "yaml") == 0) {
        u->format = EXPLAIN_YAML;
        return ST_OK;
    }
    if (is_format && strcasecmp(format, "text") == 0) return ST_OK;
    if (is_format)
        (void)err_set(binder->err, binder->arena, ERR_INVALID_PARAMETER_VALUE,
                      "unrecognized value for EXPLAIN option \"format\": \"%s\"", format);
    else
        (void)err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR, "unrecognized EXPLAIN option \"%s\"", option->name);
    return err_at(binder->err, option->position);
}

static Status explained_rel(Binder *binder, const AstStmt *stmt, Rel **rel)
{
    *rel = NULL;
    if (stmt->kind == AST_SHOW && ((const AstShow *)stmt)->show != AST_SHOW_SETTING)
        return bind_bracketed(binder, stmt, rel);
    bool query =
        stmt->kind == AST_SELECT || stmt->kind == AST_INSERT || stmt->kind == AST_UPDATE || stmt->kind == AST_DELETE;
    return query ? bind_query_stmt(binder, stmt, rel) : ST_OK;
}

static Status explained_utility(Binder *binder, const AstStmt *stmt, PlannedStmt **out)
{
    PlannedStmt *planned = ARENA_NEW(binder->arena, PlannedStmt);
    bool handled;
    planned->tag = ast_stmt_tag(stmt);
    planned->plan_count = 1;
    *out = planned;
    TRY(bind_session(binder, stmt, &planned->plan, &handled));
    return handled ? ST_OK : bind_ddl(binder, stmt, &planned->plan);
}

/* One column of lines or of JSON; EXPLAIN (KEYS) has a row per pair that is written, or per span that is read. */
static void explain_columns(Binder *binder, UtilityExplain *u)
{
    static const TypeRef text = {OID_TEXT, -1}, bytes = {OID_BYTEA, -1}, number = {OID_INT8, -1};
    const RelColumn written[] = {{.name = "operation", .type = text},  {.name = "table_name", .type = text},
                                 {.name = "index_name", .type = text}, {.name = "key", .type = text},
                                 {.name = "value", .type = text},      {.name = "range_id", .type = number},
                                 {.name = "node", .type = number},     {.name = "key_bytes", .type = bytes},
                                 {.name = "value_bytes", .type = bytes}};
    const RelColumn read[] = {{.name = "operation", .type = text},  {.name = "table_name", .type = text},
                              {.name = "index_name", .type = text}, {.name = "span", .type = text},
                              {.name = "start_key", .type = text},  {.name = "end_key", .type = text},
                              {.name = "range_id", .type = number}, {.name = "node", .type = number}};
    const RelColumn json = {.name = "QUERY PLAN", .type = {OID_JSON, -1}}, info = {.name = "info", .type = text};
    const RelColumn yaml = {.name = "QUERY PLAN", .type = text};
    if (u->format == EXPLAIN_JSON) bind_utility_columns(binder, &u->base, &json, 1);
    else if (u->format == EXPLAIN_YAML) bind_utility_columns(binder, &u->base, &yaml, 1);
    else if (!u->keys) bind_utility_columns(binder, &u->base, &info, 1);
    else if (u->stmt->read_only) bind_utility_columns(binder, &u->base, read, sizeof read / sizeof *read);
    else bind_utility_columns(binder, &u->base, written, sizeof written / sizeof *written);
}

static Status bind_explain(Binder *binder, const AstExplain *ast, Plan **out)
{
    UtilityExplain *u = bind_utility(binder, UTILITY_EXPLAIN, "EXPLAIN", sizeof *u);
    Rel *rel;
    u->costs = u->timing = true;
    for (int i = 0; i < ast->options.count; i++) TRY(explain_option(binder, &ast->options.items[i], u));
    *out = &u->base.base;
    TRY(explained_rel(binder, ast->stmt, &rel));
    if (!rel) {
        TRY(explained_utility(binder, ast->stmt, &u->stmt));
    } else {
        TRY(plan_nested(binder, rel, &u->stmt));
        u->stmt->tag = ast_stmt_tag(ast->stmt);
    }
    explain_columns(binder, u);
    return ST_OK;
}

/* ---- which ---- */

static Status bind_txn_control(Binder *binder, const AstStmt *stmt, Plan **out)
{
    if (stmt->kind == AST_BEGIN) return bind_begin(binder, (const AstBegin *)stmt, out);
    if (stmt->kind == AST_COMMIT || stmt->kind == AST_ROLLBACK) return bind_end(binder, (const AstEndTxn *)stmt, out);
    if (stmt->kind == AST_SET_TRANSACTION) return bind_set_transaction(binder, (const AstSetTransaction *)stmt, out);
    return bind_savepoint(binder, (const AstSavepoint *)stmt, out);
}

static bool is_txn_control(AstStmtKind kind)
{
    return kind == AST_BEGIN || kind == AST_COMMIT || kind == AST_ROLLBACK || kind == AST_SAVEPOINT ||
           kind == AST_RELEASE || kind == AST_ROLLBACK_TO || kind == AST_SET_TRANSACTION;
}

Status bind_session(Binder *binder, const AstStmt *stmt, Plan **out, bool *handled)
{
    int kind = (int)stmt->kind;
    *handled = true;
    if (is_txn_control(stmt->kind)) return bind_txn_control(binder, stmt, out);
    switch (kind) {
    case AST_SET:
        return bind_set(binder, (const AstSet *)stmt, out);
    case AST_RESET:
        return bind_reset(binder, (const AstReset *)stmt, out);
    case AST_SET_CONSTRAINTS:
        return bind_set_constraints(binder, (const AstSetConstraints *)stmt, out);
    case AST_DISCARD:
        return bind_discard(binder, (const AstDiscard *)stmt, out);
    case AST_PREPARE:
        return bind_prepare(binder, (const AstPrepare *)stmt, out);
    case AST_EXECUTE:
        return bind_execute(binder, (const AstExecute *)stmt, out);
    case AST_DEALLOCATE:
        return bind_deallocate(binder, (const AstDeallocate *)stmt, out);
    case AST_DECLARE:
        return bind_declare(binder, (const AstDeclare *)stmt, out);
    case AST_FETCH:
        return bind_fetch(binder, (const AstFetch *)stmt, out);
    case AST_CLOSE:
        return bind_close(binder, (const AstClose *)stmt, out);
    case AST_EXPLAIN:
        return bind_explain(binder, (const AstExplain *)stmt, out);
    case AST_COPY:
        return bind_copy(binder, (const AstCopy *)stmt, out);
    case AST_LISTEN:
    case AST_UNLISTEN:
        return bind_listen(binder, (const AstListen *)stmt, out);
    case AST_NOTIFY:
        return bind_notify(binder, (const AstNotify *)stmt, out);
    case AST_DO:
        return bind_do(binder, (const AstDo *)stmt, out);
    case AST_SHOW:
        if (((const AstShow *)stmt)->show == AST_SHOW_SETTING)
            return bind_show_setting(binder, (const AstShow *)stmt, out);
        if (shows_status(((const AstShow *)stmt)->show)) return bind_show_status(binder, (const AstShow *)stmt, out);
        break;
    default:
        break;
    }
    *handled = false;
    return ST_OK;
}
