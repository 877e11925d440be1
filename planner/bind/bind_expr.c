/* bind_expr.c - expressions: which form is bound by whom, and the small forms. */
#include "planner/bind/bind_expr.h"

#include "planner/settings.h"

Status bind_exprs(Binder *binder, const AstExprVec *items, ExprVec *out)
{
    *out = (ExprVec){0};
    for (int i = 0; i < items->count; i++) {
        Expr *e;
        TRY(bind_expr(binder, items->items[i], &e));
        VEC_PUSH(binder->arena, *out, e);
    }
    return ST_OK;
}

/* ---- literals, parameters, columns ---- */

static Status bind_bits(Binder *binder, const AstLiteral *literal, Expr **out)
{
    const TypeDef *type = type_find_name("bit");
    if (!type) return err_unsupported(binder->err, binder->arena, "a bit string literal");
    return bind_literal(binder, literal->text, (TypeRef){type->oid, -1}, false, literal->base.position, out);
}

static Status bind_literal_ast(Binder *binder, const AstLiteral *literal, Expr **out)
{
    TypeRef type = {OID_UNKNOWN, -1};
    Value value = VALUE_NULL;
    switch (literal->literal) {
    case AST_LITERAL_INT:
    case AST_LITERAL_DECIMAL:
        return bind_number(binder, literal, out);
    case AST_LITERAL_BIT:
        return bind_bits(binder, literal, out);
    case AST_LITERAL_TYPED:
        TRY(bind_type(binder, literal->type, &type));
        return bind_literal(binder, literal->text, type, true, literal->base.position, out);
    case AST_LITERAL_BOOL:
        type.oid = OID_BOOL;
        value = value_bool(strcmp(literal->text, "true") == 0);
        break;
    case AST_LITERAL_STRING:
        value = value_str(literal->text);
        break;
    case AST_LITERAL_NULL:
        break;
    }
    *out = expr_const(binder->arena, type, value);
    (*out)->position = literal->base.position;
    return ST_OK;
}

static Status bind_param(Binder *binder, const AstParam *param, Expr **out)
{
    if (binder->params_fixed || param->number < 1 || param->number > 65535) {
        (void)err_set(binder->err, binder->arena, ERR_UNDEFINED_PARAMETER, "there is no parameter $%d", param->number);
        return err_at(binder->err, param->base.position);
    }
    while (binder->params.count < param->number) VEC_PUSH(binder->arena, binder->params, (TypeRef){0, -1});
    TypeRef known = binder->params.items[param->number - 1];
    if (!known.oid) known.oid = OID_UNKNOWN;
    ExprParam *e = (ExprParam *)expr_new(binder->arena, EXPR_PARAM, known, NULL, 0);
    e->number = param->number;
    e->base.position = param->base.position;
    *out = &e->base;
    return ST_OK;
}

static Status bind_column(Binder *binder, const AstColumn *column, Expr **out)
{
    if (column->star) {
        (void)err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR, "row expansion via \"*\" is not supported here");
        return err_at(binder->err, column->base.position);
    }
    TRY(bind_check_part(binder, PART_COLUMN, column->base.position));
    return scope_find_column(binder, column, out);
}

/* ---- logic ---- */

static Status bind_connective(Binder *binder, const AstList *list, ExprKind kind, Expr **out)
{
    ExprVec items = {0};
    for (int i = 0; i < list->items.count; i++) {
        Expr *e;
        TRY(bind_expr(binder, list->items.items[i], &e));
        TRY(bind_boolean(binder, e, kind == EXPR_AND ? "AND" : "OR", &e));
        VEC_PUSH(binder->arena, items, e);
    }
    *out = kind == EXPR_AND ? expr_and(binder->arena, items.items, items.count)
                            : expr_or(binder->arena, items.items, items.count);
    return ST_OK;
}

static Status bind_not(Binder *binder, const AstUnary *not_, Expr **out)
{
    Expr *e;
    TRY(bind_expr(binder, not_->arg, &e));
    TRY(bind_boolean(binder, e, "NOT", &e));
    *out = expr_not(binder->arena, e);
    return ST_OK;
}

static Status bind_is(Binder *binder, const AstIs *is, Expr **out)
{
    static const char *const words[2][4] = {
        {[AST_IS_TRUE] = "IS TRUE", [AST_IS_FALSE] = "IS FALSE", [AST_IS_UNKNOWN] = "IS UNKNOWN"},
        {[AST_IS_TRUE] = "IS NOT TRUE", [AST_IS_FALSE] = "IS NOT FALSE", [AST_IS_UNKNOWN] = "IS NOT UNKNOWN"}};
    Expr *e;
    TRY(bind_expr(binder, is->arg, &e));
    if (is->test == AST_IS_NULL) {
        TRY(bind_resolve_unknown(binder, e, &e));
        *out = expr_is_null(binder->arena, e, is->negated);
        return ST_OK;
    }
    Expr **args = ARENA_ARRAY(binder->arena, Expr *, 1);
    TRY(bind_boolean(binder, e, words[is->negated][is->test], &args[0]));
    ExprIsBool *test = (ExprIsBool *)expr_new(binder->arena, EXPR_IS_BOOL, (TypeRef){OID_BOOL, -1}, args, 1);
    test->negated = is->negated;
    test->truth = is->test == AST_IS_TRUE ? 1 : is->test == AST_IS_FALSE ? 0 : -1;
    *out = &test->base;
    return ST_OK;
}

Status bind_condition(Binder *binder, const AstExpr *ast, const char *construct, Expr **out)
{
    Expr *e;
    TRY(bind_expr(binder, ast, &e));
    return bind_boolean(binder, e, construct, out);
}

/* ---- forms over a list ---- */

static Status bind_variadic_form(Binder *binder, const AstList *list, ExprKind kind, const char *word, Expr **out)
{
    ExprVec items;
    TypeRef type;
    TRY(bind_exprs(binder, &list->items, &items));
    TRY(bind_to_common_type(binder, items.items, items.count, word, &type));
    *out = expr_new(binder->arena, kind, type, items.items, items.count);
    (*out)->position = list->base.position;
    if (kind == EXPR_MIN_MAX) ((ExprMinMax *)*out)->least = list->base.kind == AST_LEAST;
    return ST_OK;
}

/* NULLIF(a, b) is CASE WHEN a = b THEN NULL ELSE a END. */
static Status bind_nullif(Binder *binder, const AstList *list, Expr **out)
{
    ExprVec items;
    Expr *equal;
    TRY(bind_exprs(binder, &list->items, &items));
    TRY(bind_compare(binder, COMPARE_EQ, items.items[0], items.items[1], list->base.position, &equal));
    Expr *value = expr_is_unknown(items.items[0]) && equal->arg_count ? equal->args[0] : items.items[0];
    TRY(bind_resolve_unknown(binder, value, &value));
    Expr **args = ARENA_ARRAY(binder->arena, Expr *, 3);
    args[0] = equal;
    args[1] = expr_null(binder->arena, value->type);
    args[2] = value;
    *out = expr_new(binder->arena, EXPR_CASE, value->type, args, 3);
    return ST_OK;
}

static Status bind_row(Binder *binder, const AstRow *row, Expr **out)
{
    ExprVec fields = {0};
    for (int i = 0; i < row->items.count; i++) {
        const AstExpr *item = row->items.items[i];
        RelColumnVec star = {0};
        if (item->kind == AST_COLUMN && ((const AstColumn *)item)->star) {
            TRY(scope_star(binder, (const AstColumn *)item, &star));
            for (int s = 0; s < star.count; s++)
                VEC_PUSH(binder->arena, fields, rel_column_expr(binder->arena, &star.items[s]));
            continue;
        }
        Expr *e;
        TRY(bind_expr(binder, item, &e));
        VEC_PUSH(binder->arena, fields, e);
    }
    /* Literals stay unknown: a row beside another takes the other's types. */
    *out = expr_new(binder->arena, EXPR_ROW, (TypeRef){OID_RECORD, -1}, fields.items, fields.count);
    (*out)->position = row->base.position;
    return ST_OK;
}

static Status bind_collate(Binder *binder, const AstCollate *collate, Expr **out)
{
    static const char *const known[] = {"default", "C", "POSIX", "ucs_basic", "C.UTF-8", "c"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(collate->collation.name, known[i]) == 0) return bind_expr(binder, collate->arg, out);
    (void)err_set(binder->err, binder->arena, ERR_UNDEFINED_OBJECT,
                  "collation \"%s\" for encoding \"UTF8\" does not exist", collate->collation.name);
    return err_at(binder->err, collate->base.position);
}

static Status bind_default(Binder *binder, const AstExpr *ast, Expr **out)
{
    if (binder->clause == CLAUSE_INSERT || binder->clause == CLAUSE_UPDATE_SET) {
        *out = expr_new(binder->arena, EXPR_DEFAULT, (TypeRef){OID_UNKNOWN, -1}, NULL, 0);
        (*out)->position = ast->position;
        return ST_OK;
    }
    (void)err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR, "DEFAULT is not allowed in this context");
    return err_at(binder->err, ast->position);
}

static Status bind_out_of_place(Binder *binder, const AstExpr *ast, const char *what)
{
    (void)err_unsupported(binder->err, binder->arena, what);
    return err_at(binder->err, ast->position);
}

/* ---- which form ---- */

int bind_leftmost(const AstExpr *ast)
{
    const AstExpr *inner = NULL;
    if (ast->kind == AST_OP) inner = ((const AstOp *)ast)->left;
    if (ast->kind == AST_AND || ast->kind == AST_OR) inner = ((const AstList *)ast)->items.items[0];
    if (ast->kind == AST_LIKE) inner = ((const AstLike *)ast)->left;
    if (ast->kind == AST_BETWEEN) inner = ((const AstBetween *)ast)->arg;
    if (ast->kind == AST_IN_LIST || ast->kind == AST_IN_SUBQUERY) inner = ((const AstIn *)ast)->left;
    if (ast->kind == AST_QUANTIFIED) inner = ((const AstQuantified *)ast)->left;
    if (ast->kind == AST_IS) inner = ((const AstIs *)ast)->arg;
    if (ast->kind == AST_DISTINCT_FROM) inner = ((const AstDistinctFrom *)ast)->left;
    if (ast->kind == AST_CAST) inner = ((const AstCast *)ast)->arg;
    if (ast->kind == AST_COLLATE) inner = ((const AstCollate *)ast)->arg;
    if (ast->kind == AST_SUBSCRIPT) inner = ((const AstSubscript *)ast)->arg;
    if (ast->kind == AST_FIELD) inner = ((const AstField *)ast)->arg;
    if (!inner) return ast->position;
    int position = bind_leftmost(inner);
    return position && (position < ast->position || !ast->position) ? position : ast->position;
}

static Status bind_form(Binder *binder, const AstExpr *ast, Expr **out);

Status bind_expr(Binder *binder, const AstExpr *ast, Expr **out)
{
    TRY(bind_form(binder, ast, out));
    if ((*out)->kind != EXPR_CONST || !(*out)->position) (*out)->position = bind_leftmost(ast);
    return ST_OK;
}

static Status bind_form(Binder *binder, const AstExpr *ast, Expr **out)
{
    switch (ast->kind) {
    case AST_LITERAL:
        return bind_literal_ast(binder, (const AstLiteral *)ast, out);
    case AST_PARAM:
        return bind_param(binder, (const AstParam *)ast, out);
    case AST_COLUMN:
        return bind_column(binder, (const AstColumn *)ast, out);
    case AST_CALL:
        return bind_call(binder, (const AstCall *)ast, out);
    case AST_OP:
        return bind_op(binder, (const AstOp *)ast, out);
    case AST_AND:
        return bind_connective(binder, (const AstList *)ast, EXPR_AND, out);
    case AST_OR:
        return bind_connective(binder, (const AstList *)ast, EXPR_OR, out);
    case AST_NOT:
        return bind_not(binder, (const AstUnary *)ast, out);
    case AST_LIKE:
        return bind_like(binder, (const AstLike *)ast, out);
    case AST_BETWEEN:
        return bind_between(binder, (const AstBetween *)ast, out);
    case AST_IN_LIST:
        return bind_in_list(binder, (const AstIn *)ast, out);
    case AST_IN_SUBQUERY:
        return bind_in_subquery(binder, (const AstIn *)ast, out);
    case AST_QUANTIFIED:
        return bind_quantified(binder, (const AstQuantified *)ast, out);
    case AST_IS:
        return bind_is(binder, (const AstIs *)ast, out);
    case AST_DISTINCT_FROM:
        return bind_distinct_from(binder, (const AstDistinctFrom *)ast, out);
    case AST_CASE:
        return bind_case(binder, (const AstCase *)ast, out);
    case AST_CAST:
        return bind_cast(binder, (const AstCast *)ast, out);
    case AST_COLLATE:
        return bind_collate(binder, (const AstCollate *)ast, out);
    case AST_SUBSCRIPT:
        return bind_subscript(binder, (const AstSubscript *)ast, out);
    case AST_FIELD:
        return bind_field(binder, (const AstField *)ast, out);
    case AST_ARRAY:
        return bind_array(binder, (const AstList *)ast, 0, out);
    case AST_ROW:
        return bind_row(binder, (const AstRow *)ast, out);
    case AST_SUBQUERY:
        return bind_subquery(binder, (const AstSubquery *)ast, out);
    case AST_COALESCE:
        return bind_variadic_form(binder, (const AstList *)ast, EXPR_COALESCE, "COALESCE", out);
    case AST_NULLIF:
        return bind_nullif(binder, (const AstList *)ast, out);
    case AST_GREATEST:
        return bind_variadic_form(binder, (const AstList *)ast, EXPR_MIN_MAX, "GREATEST", out);
    case AST_LEAST:
        return bind_variadic_form(binder, (const AstList *)ast, EXPR_MIN_MAX, "LEAST", out);
    case AST_SQL_VALUE:
        return bind_sql_value(binder, (const AstSqlValue *)ast, out);
    case AST_GROUPING:
        return bind_grouping(binder, (const AstList *)ast, out);
    case AST_DEFAULT:
        return bind_default(binder, ast, out);
    case AST_GROUPING_SET:
        return bind_out_of_place(binder, ast, "a grouping set outside GROUP BY");
    case AST_CURRENT_OF:
        return bind_out_of_place(binder, ast, "WHERE CURRENT OF");
    case AST_MINVALUE:
    case AST_MAXVALUE:
        return bind_out_of_place(binder, ast, "MINVALUE or MAXVALUE outside a partition bound");
    }
    return ST_OK;
}

/* ---- sorting ---- */

Status bind_sort_key(Binder *binder, const AstSort *sort, Expr *expr, SortKey *key)
{
    TRY(bind_resolve_unknown(binder, expr, &expr));
    const TypeDef *type = type_find(expr->type.oid);
    if (!type || !type->compare) {
        (void)err_set(binder->err, binder->arena, ERR_UNDEFINED_FUNCTION,
                      "could not identify an ordering operator for type %s", type_words(expr->type, binder->arena));
        err_hint(binder->err, binder->arena, "Use an explicit ordering operator or modify the query.");
        return err_at(binder->err, expr->position);
    }
    bool using_greater = sort->direction == AST_SORT_USING && sort->using_op && sort->using_op[0] == '>';
    key->expr = expr;
    key->descending = sort->direction == AST_SORT_DESC || using_greater;
    bool last_by_default = setting_bool(binder->session->settings, SETTING_null_ordered_last);
    key->nulls_first =
        sort->nulls == AST_NULLS_FIRST || (sort->nulls == AST_NULLS_DEFAULT && key->descending == last_by_default);
    return ST_OK;
}
