/* bind_call.c - calls by name: functions, aggregates, window functions, set-returning functions.
 *
 * An aggregate, a window call or a set-returning call leaves the expression: it is kept in the Block of the query it
 * belongs to and an EXPR_COLUMN of a fresh id stands in its place. bind_select.c puts the nodes below that make them.
 */
#include "planner/bind/bind_expr.h"
#include "storage/catalog/extension.h"

/* ---- names ---- */

/* The name as the rows of functions have it: qualified unless it is pg_catalog's. 3F000 for a schema that is none. */
static Status function_name(Binder *binder, const AstName *name, const char **out)
{
    *out = name->name;
    if (!name->schema || strcmp(name->schema, "pg_catalog") == 0) return ST_OK;
    const ExtensionDef *extension = extension_of(name->name);
    const DatabaseDesc *database = (const DatabaseDesc *)catalog_find_id(binder->session->catalog, binder->session->database_id);
    int index = extension && database ? extension_index(database, extension) : -1;
    if (index >= 0 && strcmp(extension_schema(database, index), name->schema) == 0) return ST_OK;
    *out = arena_printf(binder->arena, "%s.%s", name->schema, name->name);
    if (session_find_schema(binder->session, name->schema)) return ST_OK;
    (void)err_set(binder->err, binder->arena, ERR_INVALID_SCHEMA_NAME, "schema \"%s\" does not exist", name->schema);
    return err_at(binder->err, name->position);
}

/* ---- arguments ---- */

static Status bind_argument(Binder *binder, const AstExpr *ast, Expr **out)
{
    const AstColumn *column = (const AstColumn *)ast;
    if (ast->kind != AST_COLUMN || !column->star || column->names.count == 0) return bind_expr(binder, ast, out);
    AstColumn whole = *column; /* f(t.*) is f(t) */
    whole.star = false;
    return scope_find_column(binder, &whole, out);
}

typedef struct NamedArguments {
    const char *function;
    const char *names[8], *defaults[8]; /* no default: the argument must be given */
    int count;
} NamedArguments;

/* Functions whose arguments may be given by name. */
static const NamedArguments named_arguments[] = {
#define PATH_ARGUMENTS {"target", "path", "vars", "silent"}, {NULL, NULL, "{}", "false"}, 4
    {"jsonb_insert", {"jsonb_in", "path", "replacement", "insert_after"}, {NULL, NULL, NULL, "false"}, 4},
    {"jsonb_path_exists", PATH_ARGUMENTS},
    {"jsonb_path_match", PATH_ARGUMENTS},
    {"jsonb_path_query", PATH_ARGUMENTS},
    {"jsonb_path_query_array", PATH_ARGUMENTS},
    {"jsonb_path_query_first", PATH_ARGUMENTS},
    {"jsonb_set", {"jsonb_in", "path", "replacement", "create_if_missing"}, {NULL, NULL, NULL, "true"}, 4},
    {"jsonb_set_lax", {"jsonb_in", "path", "replacement", "create_if_missing", "null_value_treatment"},
     {NULL, NULL, NULL, "true", "use_json_null"}, 5},
    {"make_date", {"year", "month", "day"}, {0}, 3},
    {"make_interval", {"years", "months", "weeks", "days", "hours", "mins", "secs"},
     {"0", "0", "0", "0", "0", "0", "0"}, 7},
    {"make_time", {"hour", "min", "sec"}, {0}, 3},
    {"make_timestamp", {"year", "month", "mday", "hour", "min", "sec"}, {0}, 6},
    {"parse_ident", {"str", "strict"}, {NULL, "true"}, 2},
#undef PATH_ARGUMENTS
};

static const NamedArguments *find_named(const char *function)
{
    for (size_t i = 0; i < sizeof named_arguments / sizeof named_arguments[0]; i++)
        if (strcmp(named_arguments[i].function, function) == 0) return &named_arguments[i];
    return NULL;
}

/* Where the i-th argument of the call belongs; -1: no such name. */
static int argument_place(const NamedArguments *named, const AstCall *call, int i)
{
    const char *name = i < call->arg_names.count ? call->arg_names.items[i] : NULL;
    if (!name) return i < named->count ? i : -1;
    for (int n = 0; n < named->count; n++)
        if (strcmp(named->names[n], name) == 0) return n;
    return -1;
}

/* Puts named arguments in order and fills in what is missing. */
static Status order_arguments(Binder *binder, const AstCall *call, const char *name, ExprVec *args)
{
    const NamedArguments *named = find_named(name);
    bool by_name = false;
    for (int i = 0; i < call->arg_names.count; i++) by_name |= call->arg_names.items[i] != NULL;
    if (by_name && !named) {
        (void)err_unsupported(binder->err, binder->arena,
                              arena_printf(binder->arena, "calling function %s with named arguments", name));
        return err_at(binder->err, call->base.position);
    }
    if (!named || (!by_name && !named->defaults[0])) return ST_OK;
    ExprVec ordered = {0};
    for (int i = 0; i < named->count; i++) {
        Value text = named->defaults[i] ? value_str(named->defaults[i]) : VALUE_NULL;
        Expr *missing = named->defaults[i] ? expr_const(binder->arena, (TypeRef){OID_UNKNOWN, -1}, text) : NULL;
        VEC_PUSH(binder->arena, ordered, missing);
    }
    bool complete = true;
    for (int i = 0; i < args->count && complete; i++) {
        int place = argument_place(named, call, i);
        complete = place >= 0;
        if (complete) ordered.items[place] = args->items[i];
    }
    for (int i = 0; i < named->count; i++) complete = complete && ordered.items[i];
    if (!complete) return bind_no_function(binder, name, args->items, args->count, false, call->base.position);
    *args = ordered;
    return ST_OK;
}

/* f(VARIADIC ARRAY[a, b]) is f(a, b). */
static Status spread_variadic(Binder *binder, const AstCall *call, ExprVec *args)
{
    if (!call->variadic || args->count == 0) return ST_OK;
    Expr *array = VEC_LAST(*args);
    if (array->kind != EXPR_ARRAY) {
        (void)err_unsupported(binder->err, binder->arena, "VARIADIC with an array that is not written out");
        return err_at(binder->err, call->base.position);
    }
    args->count--;
    for (int i = 0; i < array->arg_count; i++) VEC_PUSH(binder->arena, *args, array->args[i]);
    return ST_OK;
}

static Status bind_arguments(Binder *binder, const AstCall *call, const char *name, ExprVec *args)
{
    *args = (ExprVec){0};
    for (int i = 0; i < call->args.count; i++) {
        Expr *e;
        TRY(bind_argument(binder, call->args.items[i], &e));
        /* pgjdbc's {? = call f(?)} passes the result as a parameter of type void, which is no argument. */
        if (e->kind == EXPR_PARAM && e->type.oid == OID_VOID) continue;
        VEC_PUSH(binder->arena, *args, e);
    }
    TRY(spread_variadic(binder, call, args));
    if (args->count <= ARGUMENTS_MAX) return order_arguments(binder, call, name, args);
    (void)err_set(binder->err, binder->arena, ERR_TOO_MANY_ARGUMENTS,
                  "cannot pass more than %d arguments to a function", ARGUMENTS_MAX);
    return err_at(binder->err, call->base.position);
}

static Oid *types_of(Binder *binder, const ExprVec *args)
{
    Oid *types = ARENA_ARRAY(binder->arena, Oid, args->count);
    for (int i = 0; i < args->count; i++) types[i] = args->items[i]->type.oid;
    return types;
}

/* ---- aggregates ---- */

/* An aggregate of the block that an expression is over: its own, or in a subquery's one that belongs out here. */
static bool uses_aggregate(const Block *block, const ColSet *used)
{
    for (int i = 0; block && i < block->aggregates.count; i++)
        if (colset_has(used, block->aggregates.items[i].id)) return true;
    return false;
}

/* The scope whose columns the aggregate is over: the innermost one that its arguments use; the present one if none. */
static Scope *aggregate_scope(const Binder *binder, const Expr *call, Arena *arena)
{
    ColSet used = {0};
    expr_columns(call, &used, arena);
    if (colset_empty(&used)) return binder->scope;
    for (Scope *scope = binder->scope; scope; scope = scope->outer) {
        if (uses_aggregate(scope->block, &used)) return scope;
        for (ColId id = 1; id < used.word_count * 64; id++)
            if (colset_has(&used, id) && scope_owner(scope, id)) return scope;
    }
    return binder->scope;
}

static Status refuse_nested(Binder *binder, const Block *block, const Expr *call)
{
    int position = call->position;
    ColSet used = {0};
    expr_columns(call, &used, binder->arena);
    if (block && (block->in_aggregate || uses_aggregate(block, &used))) {
        (void)err_set(binder->err, binder->arena, ERR_GROUPING_ERROR, "aggregate function calls cannot be nested");
        return err_at(binder->err, position);
    }
    return ST_OK;
}

static ColId keep_aggregate(Binder *binder, Block *block, ExprAggregate *call)
{
    for (int i = 0; i < block->aggregates.count; i++)
        if (expr_equal(&block->aggregates.items[i].call->base, &call->base)) return block->aggregates.items[i].id;
    ColId id = binder_new_column(binder);
    VEC_PUSH(binder->arena, block->aggregates, (BlockAggregate){id, call});
    return id;
}

/* Aggregates may stand where the scope they belong to is; deeper ones are checked against their own clause. */
static Status place_aggregate(Binder *binder, ExprAggregate *call, Expr **out)
{
    int position = call->base.position;
    Scope *scope = aggregate_scope(binder, &call->base, binder->arena);
    if (scope == binder->scope) TRY(bind_check_part(binder, PART_AGGREGATE, position));
    if (!scope || !scope->block) {
        (void)err_set(binder->err, binder->arena, ERR_GROUPING_ERROR, "aggregate functions are not allowed here");
        return err_at(binder->err, position);
    }
    TRY(refuse_nested(binder, scope->block, &call->base));
    ColId id = keep_aggregate(binder, scope->block, call);
    *out = expr_column(binder->arena, id, call->base.type, call->aggregate->name);
    (*out)->position = position;
    return ST_OK;
}

/* DISTINCT sorts, as PostgreSQL does: array_agg(DISTINCT x) comes out in the order of x. */
static void order_distinct(Binder *binder, ExprAggregate *call)
{
    call->order_count = call->base.arg_count;
    call->order = ARENA_ARRAY(binder->arena, SortKey, call->order_count);
    for (int i = 0; i < call->order_count; i++) call->order[i] = (SortKey){.expr = call->base.args[i]};
}

static Status bind_aggregate_order(Binder *binder, const AstCall *ast, ExprAggregate *call, const ExprVec *within)
{
    if (call->distinct && !ast->order.count && (call->aggregate->flags & AGG_ORDER_MATTERS)) {
        order_distinct(binder, call);
        return ST_OK;
    }
    call->order_count = ast->order.count;
    call->order = ARENA_ARRAY(binder->arena, SortKey, ast->order.count);
    for (int i = 0; i < ast->order.count; i++) {
        Expr *e = within->count ? within->items[i] : NULL;
        if (!e) TRY(bind_expr(binder, ast->order.items[i].expr, &e));
        TRY(bind_sort_key(binder, &ast->order.items[i], e, &call->order[i]));
        bool listed = !call->distinct;
        for (int a = 0; a < call->base.arg_count && !listed; a++)
            listed = expr_equal(call->order[i].expr, call->base.args[a]);
        if (listed) continue;
        (void)err_set(binder->err, binder->arena, ERR_INVALID_COLUMN_REFERENCE,
                      "in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list");
        return err_at(binder->err, e->position);
    }
    return ST_OK;
}

static Status bind_filter(Binder *binder, const AstCall *ast, Expr **out)
{
    BindClause clause = binder->clause;
    binder->clause = CLAUSE_FILTER;
    Status status = bind_condition(binder, ast->filter, "FILTER", out);
    binder->clause = clause;
    return status;
}

static Status resolve_aggregate(Binder *binder, const AstCall *ast, const char *name, const ExprVec *args,
                                Resolution *resolution, const AggDef **aggregate)
{
    const AggDef *const *rows;
    int count = catalog_aggregates(binder->session->catalog, name, &rows);
    Signature *signatures = ARENA_ARRAY(binder->arena, Signature, count);
    for (int i = 0; i < count; i++)
        signatures[i] =
            (Signature){rows[i], rows[i]->arguments, rows[i]->result, (rows[i]->flags & AGG_VARIADIC) != 0, false};
    if (!ast->star && args->count == 0 && count > 0 && strcmp(name, "count") == 0) {
        (void)err_set(binder->err, binder->arena, ERR_WRONG_OBJECT_TYPE,
                      "count(*) must be used to call a parameterless aggregate function");
        return err_at(binder->err, ast->base.position);
    }
    bind_resolve(binder, &(Overloads){signatures, count, false}, types_of(binder, args), args->count, resolution);
    if (resolution->chosen < 0)
        return bind_no_function(binder, name, args->items, args->count, resolution->ambiguous, ast->base.position);
    *aggregate = rows[resolution->chosen];
    return ST_OK;
}

/* The arguments, with those of WITHIN GROUP (ORDER BY ...) behind them. */
static Status bind_aggregate_arguments(Binder *binder, const AstCall *ast, const char *name, ExprVec *args,
                                       ExprVec *within)
{
    *within = (ExprVec){0};
    TRY(bind_arguments(binder, ast, name, args));
    for (int i = 0; ast->within_group && i < ast->order.count; i++) {
        Expr *e;
        TRY(bind_expr(binder, ast->order.items[i].expr, &e));
        VEC_PUSH(binder->arena, *args, e);
        VEC_PUSH(binder->arena, *within, e);
    }
    return ST_OK;
}

static Status bind_aggregate(Binder *binder, const AstCall *ast, const char *name, Expr **out)
{
    Block *block = binder->scope ? binder->scope->block : NULL;
    const AggDef *aggregate = NULL;
    Resolution resolution;
    ExprVec args, within;
    bool nested = block && block->in_aggregate;
    if (block && !ast->over) block->in_aggregate = true;
    Status status = bind_aggregate_arguments(binder, ast, name, &args, &within);
    Expr *filter = NULL;
    if (status == ST_OK && ast->filter) status = bind_filter(binder, ast, &filter);
    if (block) block->in_aggregate = nested;
    TRY(status);
    TRY(bind_hypothetical(binder, ast, name, args.items, args.count));
    TRY(resolve_aggregate(binder, ast, name, &args, &resolution, &aggregate));
    TRY(bind_check_within_group(binder, ast, aggregate));
    TRY(bind_fit_arguments(binder, &resolution, args.items, args.count));
    TypeRef type = {resolution.result, -1};
    if (ast->over) {
        Expr *window = expr_new(binder->arena, EXPR_WINDOW, type, args.items, args.count);
        ((ExprWindow *)window)->aggregate = aggregate;
        return bind_window_call(binder, ast, (ExprWindow *)window, out);
    }
    ExprAggregate *call = (ExprAggregate *)expr_new(binder->arena, EXPR_AGGREGATE, type, args.items, args.count);
    call->aggregate = aggregate;
    call->distinct = ast->distinct;
    call->filter = filter;
    call->base.position = ast->base.position;
    for (int i = 0; i < within.count; i++) within.items[i] = args.items[args.count - within.count + i];
    TRY(bind_aggregate_order(binder, ast, call, &within));
    return place_aggregate(binder, call, out);
}

/* ---- window functions ---- */

static Status bind_window_function(Binder *binder, const AstCall *ast, const char *name, const WindowDef *window,
                                   Expr **out)
{
    ExprVec args;
    Resolution resolution;
    TRY(bind_arguments(binder, ast, name, &args));
    if (!ast->over) {
        (void)err_set(binder->err, binder->arena, ERR_WRONG_OBJECT_TYPE, "window function %s requires an OVER clause",
                      name);
        return err_at(binder->err, ast->base.position);
    }
    Signature signature = {window, window->arguments, window->result, false, true};
    bind_resolve(binder, &(Overloads){&signature, 1, false}, types_of(binder, &args), args.count, &resolution);
    if (resolution.chosen < 0) return bind_no_function(binder, name, args.items, args.count, false, ast->base.position);
    TRY(bind_fit_arguments(binder, &resolution, args.items, args.count));
    TypeRef type = {resolution.result, -1};
    ExprWindow *call = (ExprWindow *)expr_new(binder->arena, EXPR_WINDOW, type, args.items, args.count);
    call->window = window;
    return bind_window_call(binder, ast, call, out);
}

/* ---- set-returning functions ---- */

static int set_level(const Block *block, const Expr *call)
{
    int level = 0;
    for (int i = 0; i < block->set_calls.count; i++) {
        ColSet one = {0};
        Arena *scratch = arena_create(NULL, 0);
        expr_columns(call, &one, scratch);
        if (colset_has(&one, block->set_calls.items[i].id) && block->set_calls.items[i].level >= level)
            level = block->set_calls.items[i].level + 1;
        arena_destroy(scratch);
    }
    return level;
}

/* Equal calls advance together: one of them stands for all, unless each has values of its own. */
static ColId equal_set_call(const Block *block, const Expr *call)
{
    if (expr_volatility(call) == VOLATILITY_VOLATILE) return 0;
    for (int i = 0; i < block->set_calls.count; i++)
        if (expr_equal(block->set_calls.items[i].call, call)) return block->set_calls.items[i].id;
    return 0;
}

static Status place_set_call(Binder *binder, Expr *call, Expr **out)
{
    TRY(bind_check_part(binder, PART_SET_CALL, call->position));
    Block *block = binder->scope ? binder->scope->block : NULL;
    if (!block || block->in_aggregate) {
        (void)err_set(binder->err, binder->arena, ERR_FEATURE_NOT_SUPPORTED,
                      block ? "aggregate function calls cannot contain set-returning function calls"
                            : "set-returning functions are not allowed here");
        if (block)
            err_hint(binder->err, binder->arena,
                     "You might be able to move the set-returning function into a LATERAL FROM item.");
        return err_at(binder->err, call->position);
    }
    ColId id = equal_set_call(block, call);
    if (!id) {
        int level = set_level(block, call);
        id = binder_new_column(binder);
        VEC_PUSH(binder->arena, block->set_calls, (BlockSetCall){.id = id, .call = call, .level = level});
    }
    const FuncDef *function = ((ExprCall *)call)->function;
    TypeRef type = call->type;
    /* A record's fields can be named wherever the column is seen, outside of the subquery also: its typmod says whose. */
    if (type.oid == OID_RECORD && function->rows && function->rows->columns) type.typmod = (int32_t)function->oid;
    *out = expr_column(binder->arena, id, type, function->name);
    (*out)->position = call->position;
    return ST_OK;
}

/* ---- which kind ---- */

static Status only_for_aggregates(Binder *binder, const AstCall *call, const char *name)
{
    const char *what = call->star           ? "%s(*) specified, but %s is not an aggregate function"
                       : call->distinct     ? "DISTINCT specified, but %s is not an aggregate function"
                       : call->within_group ? "WITHIN GROUP specified, but %s is not an aggregate function"
                       : call->order.count  ? "ORDER BY specified, but %s is not an aggregate function"
                       : call->filter       ? "FILTER specified, but %s is not an aggregate function"
                       : call->over ? "OVER specified, but %s is not a window function nor an aggregate function"
                                    : NULL;
    if (!what) return ST_OK;
    Buf text = {0};
    for (const char *p = what; *p; p++) {
        if (p[0] == '%' && p[1] == 's') {
            buf_put_str(&text, name);
            p++;
        } else {
            buf_put_u8(&text, (uint8_t)*p);
        }
    }
    (void)err_set(binder->err, binder->arena, ERR_WRONG_OBJECT_TYPE, "%s", buf_to_str(&text, binder->arena));
    buf_finish(&text);
    return err_at(binder->err, call->base.position);
}

static Status bind_plain_call(Binder *binder, const AstCall *call, const char *name, Expr **out)
{
    ExprVec args;
    TRY(bind_arguments(binder, call, name, &args));
    const FuncDef *const *rows;
    if (catalog_functions(binder->session->catalog, name, &rows) > 0) TRY(only_for_aggregates(binder, call, name));
    return bind_function(binder, name, args.items, args.count, call->base.position, out);
}

static Status bind_any_call(Binder *binder, const AstCall *call, Expr **out)
{
    const CatalogView *view = binder->session->catalog;
    const char *name;
    TRY(function_name(binder, &call->name, &name));
    const AggDef *const *aggregates;
    const WindowDef *window = catalog_window(view, name);
    if (catalog_aggregates(view, name, &aggregates) > 0 && !(window && !call->within_group))
        return bind_aggregate(binder, call, name, out);
    if (window) return bind_window_function(binder, call, name, window, out);
    return bind_plain_call(binder, call, name, out);
}

Status bind_call_in_from(Binder *binder, const AstCall *call, Expr **out)
{
    return bind_any_call(binder, call, out);
}

Status bind_call(Binder *binder, const AstCall *call, Expr **out)
{
    TRY(bind_any_call(binder, call, out));
    if ((*out)->kind == EXPR_CALL && (((ExprCall *)*out)->function->flags & FN_SET))
        return place_set_call(binder, *out, out);
    return ST_OK;
}

/* ---- CURRENT_DATE and kin ---- */

static Status call_by_name(Binder *binder, const char *name, int position, Expr **out)
{
    return bind_function(binder, name, NULL, 0, position, out);
}

/* The clock's words are now() in another type; roles and schemas are functions of their own. */
Status bind_sql_value(Binder *binder, const AstSqlValue *value, Expr **out)
{
    Oid type = 0;
    int position = value->base.position;
    switch (value->value) {
    case AST_CURRENT_DATE:
        type = OID_DATE;
        break;
    case AST_CURRENT_TIME:
        type = OID_TIMETZ;
        break;
    case AST_CURRENT_TIMESTAMP:
        type = OID_TIMESTAMPTZ;
        break;
    case AST_LOCALTIME:
        type = OID_TIME;
        break;
    case AST_LOCALTIMESTAMP:
        type = OID_TIMESTAMP;
        break;
    case AST_CURRENT_ROLE:
    case AST_CURRENT_USER:
    case AST_USER:
        return call_by_name(binder, "current_user", position, out);
    case AST_SESSION_USER:
        return call_by_name(binder, "session_user", position, out);
    case AST_CURRENT_CATALOG:
        return call_by_name(binder, "current_database", position, out);
    case AST_CURRENT_SCHEMA:
        return call_by_name(binder, "current_schema", position, out);
    }
    Expr *now;
    TRY(call_by_name(binder, "now", position, &now));
    return bind_coerce(binder, now, (TypeRef){type, value->precision}, CAST_EXPLICIT, position, out);
}
