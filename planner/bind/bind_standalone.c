/* bind_standalone.c - expressions that stand outside a query: DEFAULT, CHECK, computed columns, key values; column lists. */
#include "parser/parse.h"
#include "planner/bind/bind_change.h"
#include "planner/expr_fold.h"
#include "planner/plan.h"

static Status bind_alone(Binder *binder, const AstExpr *ast, BindClause clause, TypeRef wanted, const char *name,
                         Expr **out)
{
    if (clause == CLAUSE_CHECK) return bind_condition(binder, ast, "CHECK", out);
    if (clause == CLAUSE_INDEX_PREDICATE) return bind_condition(binder, ast, "WHERE", out);
    TRY(bind_expr(binder, ast, out));
    if (!(*out)->position) (*out)->position = ast->position;
    if (wanted.oid) return bind_coerce_assignment(binder, *out, wanted, name ? name : "?column?", out);
    bool typed_later = clause == CLAUSE_SPLIT || clause == CLAUSE_PARTITION || clause == CLAUSE_DEFAULT;
    return typed_later ? ST_OK : bind_resolve_unknown(binder, *out, out);
}

Status bind_standalone(Binder *binder, const AstExpr *ast, BindClause clause, const TableDesc *table,
                       const RelColumn *columns, TypeRef wanted, const char *name, Expr **out)
{
    Scope *scope_before = binder->scope;
    BindClause clause_before = binder->clause;
    binder->scope = NULL;
    binder->clause = clause;
    if (table && columns) {
        ScopeItem *item = ARENA_NEW(binder->arena, ScopeItem);
        Scope *scope = scope_push(binder);
        item->name = table->base.name;
        item->columns = arena_copy(binder->arena, columns, sizeof *columns * (size_t)table->columns.count);
        item->column_count = table->columns.count;
        item->name_visible = item->columns_visible = item->lateral_ok = true;
        VEC_PUSH(binder->arena, scope->items, item);
    }
    Status status = bind_alone(binder, ast, clause, wanted, name, out);
    binder->scope = scope_before;
    binder->clause = clause_before;
    return status;
}

Status bind_fold(Binder *binder, const Expr *e, Value *value, bool *known)
{
    return expr_fold(binder->session, e, value, known, binder->arena, binder->err);
}

Status bind_table_text(Binder *binder, const TableDesc *table, const RelColumn *columns, const char *text,
                       TypeRef wanted, const char *name, Expr **out)
{
    AstExpr *ast;
    bool fixed = binder->params_fixed;
    BindClause clause = columns ? CLAUSE_COMPUTED : CLAUSE_DEFAULT;
    TRY(parse_expr_text(text, &ast, binder->arena, binder->err));
    binder->params_fixed = true;
    Status status = bind_standalone(binder, ast, clause, table, columns, wanted, name, out);
    binder->params_fixed = fixed;
    if (status != ST_OK) binder->err->position = 0; /* of the kept text */
    return status;
}

Status plan_table_expr(Session *session, const TableDesc *table, const RelColumn *columns, const char *text,
                       TypeRef wanted, Expr **expr, Arena *arena, Error *err)
{
    Binder binder;
    binder_init(&binder, session, arena, err);
    for (int i = 0; columns && i < table->columns.count; i++)
        if (columns[i].id >= binder.next_column) binder.next_column = columns[i].id + 1;
    return bind_table_text(&binder, table, columns, text, wanted, NULL, expr);
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
            return err_set(binder->err, binder->arena, ERR_INTERNAL_ERROR, "column \"%s\" of a built-in relation has no type", column);
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
