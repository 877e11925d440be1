/* bind_targets.c - select lists: stars, names of outputs, references to outputs, projections. */
#include "planner/bind/bind_query.h"

#include <stdlib.h>

/* ---- names ---- */

/* A weak name gives way to a stronger one inside: (CASE ... END)::text is "case" only if nothing better is below. */
static int figure_name(const AstExpr *expr, const char **name);

static int name_of_call(const AstCall *call, const char **name)
{
    *name = call->name.name;
    return 2;
}

static int name_of_type(const AstCast *cast, const char **name)
{
    int strength = figure_name(cast->arg, name);
    if (strength > 1) return strength;
    *name = cast->type->name;
    return 1;
}

static int name_of_subquery(const AstSubquery *subquery, const char **name)
{
    if (subquery->subquery == AST_SUBQUERY_EXISTS) *name = "exists";
    if (subquery->subquery == AST_SUBQUERY_ARRAY) *name = "array";
    if (subquery->subquery != AST_SUBQUERY_SCALAR) return 2;
    const AstSelect *select = subquery->select;
    while (select->op != AST_SET_OP_NONE) select = select->left;
    if (select->is_values || select->targets.count == 0) return 0;
    const AstTarget *first = &select->targets.items[0];
    if (!first->alias) return figure_name(first->expr, name);
    *name = first->alias;
    return 2;
}

static int name_of_case(const AstCase *ast, const char **name)
{
    int strength = ast->otherwise ? figure_name(ast->otherwise, name) : 0;
    if (strength > 1) return strength;
    *name = "case";
    return 1;
}

static int strong(const char **name, const char *word)
{
    *name = word;
    return 2;
}

static int name_of_typed_literal(const AstLiteral *literal, const char **name)
{
    if (literal->literal == AST_LITERAL_BOOL) {
        *name = "bool";
        return 1;
    }
    if (literal->literal != AST_LITERAL_TYPED) return 0;
    *name = literal->type->name;
    return 1;
}

static int figure_name(const AstExpr *expr, const char **name)
{
    switch (expr->kind) {
    case AST_COLUMN: {
        const AstColumn *column = (const AstColumn *)expr;
        return column->star || column->names.count == 0 ? 0 : strong(name, VEC_LAST(column->names));
    }
    case AST_CALL:
        return name_of_call((const AstCall *)expr, name);
    case AST_CASE:
        return name_of_case((const AstCase *)expr, name);
    case AST_CAST:
        return name_of_type((const AstCast *)expr, name);
    case AST_COLLATE:
        return figure_name(((const AstCollate *)expr)->arg, name);
    case AST_SUBSCRIPT:
        return figure_name(((const AstSubscript *)expr)->arg, name);
    case AST_FIELD:
        return ((const AstField *)expr)->name ? strong(name, ((const AstField *)expr)->name) : 0;
    case AST_ARRAY:
        return strong(name, "array");
    case AST_ROW:
        return strong(name, "row");
    case AST_SUBQUERY:
        return name_of_subquery((const AstSubquery *)expr, name);
    case AST_COALESCE:
        return strong(name, "coalesce");
    case AST_NULLIF:
        return strong(name, "nullif");
    case AST_GREATEST:
        return strong(name, "greatest");
    case AST_LEAST:
        return strong(name, "least");
    case AST_GROUPING:
        return strong(name, "grouping");
    case AST_SQL_VALUE:
        return strong(name, ast_sql_value_word(((const AstSqlValue *)expr)->value));
    case AST_LITERAL:
        return name_of_typed_literal((const AstLiteral *)expr, name);
    case AST_PARAM:
    case AST_OP:
    case AST_AND:
    case AST_OR:
    case AST_NOT:
    case AST_LIKE:
    case AST_BETWEEN:
    case AST_IN_LIST:
    case AST_IN_SUBQUERY:
    case AST_QUANTIFIED:
    case AST_IS:
    case AST_DISTINCT_FROM:
    case AST_GROUPING_SET:
    case AST_CURRENT_OF:
    case AST_DEFAULT:
    case AST_MINVALUE:
    case AST_MAXVALUE:
        return 0;
    }
    return 0;
}

const char *bind_output_name(const AstExpr *expr)
{
    const char *name = "?column?";
    (void)figure_name(expr, &name);
    return name;
}

/* ---- targets ---- */

static void add_column(Binder *binder, const RelColumn *column, int position, TargetVec *targets)
{
    Expr *e = rel_column_expr(binder->arena, column);
    e->position = position;
    Target target = {.name = column->name, .expr = e, .position = position};
    VEC_PUSH(binder->arena, *targets, target);
}

/* The origin of a plain column, for RowDescription. */
static void find_origin(const Binder *binder, Target *target)
{
    if (target->expr->kind != EXPR_COLUMN) return;
    ColId id = ((const ExprColumn *)target->expr)->column;
    for (const Scope *scope = binder->scope; scope; scope = scope->outer) {
        const ScopeItem *item = scope_owner(scope, id);
        for (int i = 0; item && i < item->column_count; i++) {
            if (item->columns[i].id != id) continue;
            target->table_id = item->columns[i].table_id;
            target->column_id = item->columns[i].column_id;
            return;
        }
    }
}

/* A view keeps the columns that its star had when it was made. */
static void note_star(Binder *binder, const AstColumn *star, const RelColumnVec *columns)
{
    for (int i = 0; i < columns->count; i++) {
        const ScopeItem *owner = scope_owner(binder->scope, columns->items[i].id);
        VEC_PUSH(binder->arena, star->found->columns, columns->items[i].name);
        VEC_PUSH(binder->arena, star->found->tables, owner && owner->name_visible ? owner->name : NULL);
    }
}

static Status add_star(Binder *binder, const AstColumn *star, TargetVec *targets)
{
    RelColumnVec columns;
    TRY(scope_star(binder, star, &columns));
    for (int i = 0; i < columns.count; i++) add_column(binder, &columns.items[i], star->base.position, targets);
    if (binder->view_uses) note_star(binder, star, &columns);
    return ST_OK;
}

/* (f(x)).* */
static Status add_fields(Binder *binder, const AstField *ast, TargetVec *targets)
{
    Expr *record;
    RelColumnVec names;
    ExprVec fields;
    TRY(bind_expr(binder, ast->arg, &record));
    TRY(bind_record_fields(binder, record, ast->base.position, &names, &fields));
    for (int i = 0; i < fields.count; i++) {
        Target target = {.name = names.items[i].name, .expr = fields.items[i], .position = ast->base.position};
        VEC_PUSH(binder->arena, *targets, target);
    }
    return ST_OK;
}

static Status add_target(Binder *binder, const AstTarget *ast, TargetVec *targets)
{
    const AstExpr *expr = ast->expr;
    if (expr->kind == AST_COLUMN && ((const AstColumn *)expr)->star)
        return add_star(binder, (const AstColumn *)expr, targets);
    if (expr->kind == AST_FIELD && !((const AstField *)expr)->name)
        return add_fields(binder, (const AstField *)expr, targets);
    Target target = {.name = ast->alias ? ast->alias : bind_output_name(expr), .position = ast->position};
    if (binder->uses) VEC_PUSH(binder->arena, binder->uses->targets, ast);
    TRY(bind_expr(binder, expr, &target.expr));
    if (!target.expr->position) target.expr->position = expr->position;
    VEC_PUSH(binder->arena, *targets, target);
    return ST_OK;
}

Status bind_targets(Binder *binder, const AstTargetVec *ast, TargetVec *targets)
{
    *targets = (TargetVec){0};
    for (int i = 0; i < ast->count; i++) TRY(add_target(binder, &ast->items[i], targets));
    for (int i = 0; i < targets->count; i++) find_origin(binder, &targets->items[i]);
    if (targets->count <= 1664) return ST_OK;
    return err_set(binder->err, binder->arena, ERR_TOO_MANY_COLUMNS, "target lists can have at most %d entries", 1664);
}

Status bind_settle_targets(Binder *binder, TargetVec *targets)
{
    for (int i = 0; i < targets->count; i++)
        TRY(bind_resolve_unknown(binder, targets->items[i].expr, &targets->items[i].expr));
    return ST_OK;
}

RelProject *bind_project(Binder *binder, Rel *input, TargetVec *targets)
{
    RelProject *project = rel_new_over(binder->arena, REL_PROJECT, sizeof *project, input);
    project->exprs = ARENA_ARRAY(binder->arena, Expr *, targets->count);
    project->base.columns = ARENA_ARRAY(binder->arena, RelColumn, targets->count);
    project->base.column_count = targets->count;
    ColSet taken = {0};
    for (int i = 0; i < targets->count; i++) {
        Target *target = &targets->items[i];
        ColId own = target->expr->kind == EXPR_COLUMN ? ((ExprColumn *)target->expr)->column : 0;
        /* An outer query's column is a new column here, and so is a second copy. */
        if (own && (colset_has(&taken, own) || !rel_find_column(input, own))) own = 0;
        target->id = own ? own : binder_new_column(binder);
        colset_add(&taken, binder->arena, target->id);
        project->exprs[i] = target->expr;
        project->base.columns[i] =
            (RelColumn){target->id, target->name, target->expr->type, false, target->table_id, target->column_id};
    }
    return project;
}

/* ---- references to outputs ---- */

static Status find_by_name(Binder *binder, const AstColumn *column, const TargetVec *targets, const char *clause,
                           int *found)
{
    const char *name = column->names.items[0];
    *found = -1;
    for (int i = 0; i < targets->count; i++) {
        if (strcmp(targets->items[i].name, name) != 0) continue;
        if (*found >= 0 && !expr_equal(targets->items[*found].expr, targets->items[i].expr)) {
            (void)err_set(binder->err, binder->arena, ERR_AMBIGUOUS_COLUMN, "%s \"%s\" is ambiguous", clause, name);
            return err_at(binder->err, column->base.position);
        }
        if (*found < 0) *found = i;
    }
    return ST_OK;
}

static bool is_visible_column(const Binder *binder, const char *name)
{
    const Scope *scope = binder->scope;
    for (int i = 0; i < scope->items.count; i++) {
        const ScopeItem *item = scope->items.items[i];
        for (int c = 0; item->columns_visible && c < item->column_count; c++)
            if (strcmp(item->columns[c].name, name) == 0) return true;
    }
    return false;
}

static Status find_by_ordinal(Binder *binder, const AstLiteral *literal, const TargetVec *targets, const char *clause,
                              int *found)
{
    if (literal->literal != AST_LITERAL_INT) {
        (void)err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR, "non-integer constant in %s", clause);
        return err_at(binder->err, literal->base.position);
    }
    long long number = strtoll(literal->text, NULL, 10);
    *found = (int)number - 1;
    if (number >= 1 && number <= targets->count) return ST_OK;
    (void)err_set(binder->err, binder->arena, ERR_INVALID_COLUMN_REFERENCE, "%s position %lld is not in select list",
                  clause, number);
    return err_at(binder->err, literal->base.position);
}

Status bind_output_reference(Binder *binder, const AstExpr *ast, const TargetVec *targets, OutputClause output_clause,
                             int *target, Expr **expr)
{
    static const char *const words[] = {
        [OUTPUT_ORDER_BY] = "ORDER BY", [OUTPUT_GROUP_BY] = "GROUP BY", [OUTPUT_DISTINCT_ON] = "SELECT DISTINCT ON"};
    const char *clause = words[output_clause];
    *target = -1;
    const AstColumn *column = (const AstColumn *)ast;
    const AstLiteral *literal = (const AstLiteral *)ast;
    if (ast->kind == AST_COLUMN && !column->star && column->names.count == 1 &&
        !(output_clause == OUTPUT_GROUP_BY && is_visible_column(binder, column->names.items[0])))
        TRY(find_by_name(binder, column, targets, clause, target));
    if (ast->kind == AST_LITERAL && literal->literal != AST_LITERAL_TYPED && literal->literal != AST_LITERAL_NULL)
        TRY(find_by_ordinal(binder, literal, targets, clause, target));
    if (*target < 0) {
        TRY(bind_expr(binder, ast, expr));
        TRY(bind_resolve_unknown(binder, *expr, expr));
        for (int i = 0; i < targets->count && *target < 0; i++)
            if (expr_equal(targets->items[i].expr, *expr)) *target = i;
    }
    if (*target >= 0) *expr = targets->items[*target].expr;
    return ST_OK;
}
