/* bind_standalone.c - expressions that stand outside a query: DEFAULT, CHECK, computed columns, key values; column
 * lists. */
#include "parser/parse.h"
#include "planner/bind/bind_change.h"
#include "planner/expr_fold.h"

static Status bind_alone(Binder *binder, const AstExpr *ast, const Standalone *how, Expr **out)
{
    BindClause clause = how->clause;
    if (clause == CLAUSE_CHECK) return bind_condition(binder, ast, "CHECK", out);
    if (clause == CLAUSE_INDEX_PREDICATE) return bind_condition(binder, ast, "WHERE", out);
    TRY(bind_expr(binder, ast, out));
    if (how->wanted.oid)
        return bind_coerce_assignment(binder, *out, how->wanted, how->name ? how->name : "?column?", out);
    bool typed_later =
        clause == CLAUSE_SPLIT || clause == CLAUSE_PARTITION || clause == CLAUSE_DEFAULT || clause == CLAUSE_EXECUTE;
    return typed_later ? ST_OK : bind_resolve_unknown(binder, *out, out);
}

static void see_table(Binder *binder, const TableDesc *table, const RelColumn *columns)
{
    ScopeItem *item = ARENA_NEW(binder->arena, ScopeItem);
    Scope *scope = scope_push(binder);
    item->name = table->base.name;
    item->columns = arena_copy(binder->arena, columns, sizeof *columns * (size_t)table->columns.count);
    item->column_count = table->columns.count;
    item->name_visible = item->columns_visible = item->lateral_ok = true;
    VEC_PUSH(binder->arena, scope->items, item);
}

Status bind_standalone(Binder *binder, const AstExpr *ast, const Standalone *how, Expr **out)
{
    Scope *scope = binder->scope;
    BindClause clause = binder->clause;
    binder->scope = NULL;
    binder->clause = how->clause;
    if (how->table && how->columns) see_table(binder, how->table, how->columns);
    Status status = bind_alone(binder, ast, how, out);
    binder->scope = scope;
    binder->clause = clause;
    return status;
}

Status bind_fold(Binder *binder, const Expr *e, Value *value, bool *known)
{
    return expr_fold(binder->session, e, value, known, binder->arena, binder->err);
}

Status bind_table_text(Binder *binder, const TableExpr *expr, const char *name, Expr **out)
{
    AstExpr *ast;
    bool fixed = binder->params_fixed;
    Standalone how = {expr->columns ? CLAUSE_COMPUTED : CLAUSE_DEFAULT, expr->table, expr->columns, expr->wanted, name};
    TRY(parse_expr_text(expr->text, &ast, binder->arena, binder->err));
    binder->params_fixed = true;
    Status status = bind_standalone(binder, ast, &how, out);
    binder->params_fixed = fixed;
    if (status != ST_OK) binder->err->position = 0; /* of the kept text */
    return status;
}

Status plan_table_expr(Session *session, const TableExpr *expr, Expr **out, Arena *arena, Error *err)
{
    Binder binder;
    binder_init(&binder, session, arena, err);
    for (int i = 0; expr->columns && i < expr->table->columns.count; i++)
        if (expr->columns[i].id >= binder.next_column) binder.next_column = expr->columns[i].id + 1;
    return bind_table_text(&binder, expr, NULL, out);
}

/* ---- "oid oid, relname name" ---- */

/* The next word; a type may be of several, as in "timestamp with time zone". */
static const char *trim(Arena *arena, const char *from, const char *to)
{
    while (from < to && (*from == ' ' || *from == '\n')) from++;
    while (to > from && (to[-1] == ' ' || to[-1] == '\n')) to--;
    return arena_strndup(arena, from, (size_t)(to - from));
}

Status bind_column_list(Binder *binder, const char *text, RelColumnVec *columns)
{
    *columns = (RelColumnVec){0};
    for (const char *p = text; *p;) {
        const char *end = strchr(p, ','), *stop = end ? end : p + strlen(p);
        const char *column = trim(binder->arena, p, stop), *space = strchr(column, ' ');
        if (!space)
            return err_set(binder->err, binder->arena, ERR_INTERNAL_ERROR,
                           "column \"%s\" of a built-in relation has no type", column);
        const char *name = arena_strndup(binder->arena, column, (size_t)(space - column));
        const char *type_name = trim(binder->arena, space, column + strlen(column));
        Oid type = signature_type(slice_str(type_name));
        if (!type)
            return err_set(binder->err, binder->arena, ERR_INTERNAL_ERROR,
                           "type \"%s\" of a built-in relation's column is not known", type_name);
        VEC_PUSH(binder->arena, *columns, (RelColumn){.name = name, .type = {type, -1}});
        p = end ? end + 1 : stop;
    }
    return ST_OK;
}
