/* bind_subquery.c - subqueries in expressions. */
#include "planner/bind/bind_expr.h"

static const TypeRef boolean = {OID_BOOL, -1};

/* Binds a SELECT below the present scope; its columns of unknown type are text. */
static Status bind_below(Binder *binder, const AstSelect *select, int position, Rel **out)
{
    TRY(bind_check_part(binder, PART_SUBQUERY, position));
    BindClause clause = binder->clause;
    Scope *scope = binder->scope;
    Status status = bind_select(binder, select, out);
    binder->clause = clause;
    binder->scope = scope;
    return status;
}

static ExprSubquery *subquery_of(Binder *binder, SubqueryKind kind, TypeRef type, Rel *rel, const AstSelect *select)
{
    ExprSubquery *sub = (ExprSubquery *)expr_new(binder->arena, EXPR_SUBQUERY, type, NULL, 0);
    sub->sub_kind = kind;
    sub->rel = rel;
    sub->outer_count = rel_outer_columns(rel, &sub->outer, binder->arena);
    Slice source = select->base.source;
    sub->sql = source.size ? arena_strndup(binder->arena, source.data, source.size) : NULL;
    return sub;
}

static Status one_column(Binder *binder, const Rel *rel, int position)
{
    if (rel->column_count == 1) return ST_OK;
    (void)err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR, "subquery must return only one column");
    return err_at(binder->err, position);
}

Status bind_subquery(Binder *binder, const AstSubquery *ast, Expr **out)
{
    Rel *rel;
    int position = ast->base.position;
    TRY(bind_below(binder, ast->select, position, &rel));
    if (ast->subquery == AST_SUBQUERY_EXISTS) {
        *out = &subquery_of(binder, SUBQUERY_EXISTS, boolean, rel, ast->select)->base;
        (*out)->position = position;
        return ST_OK;
    }
    TRY(one_column(binder, rel, position));
    TypeRef type = rel->columns[0].type;
    SubqueryKind kind = SUBQUERY_SCALAR;
    if (ast->subquery == AST_SUBQUERY_ARRAY) {
        const TypeDef *def = type_find(type.oid);
        kind = SUBQUERY_ARRAY;
        if (!type_is_array(def)) type = (TypeRef){def->array_oid, -1};
        if (!type.oid) {
            (void)err_set(binder->err, binder->arena, ERR_UNDEFINED_OBJECT,
                          "could not find array type for data type %s",
                          type_words(rel->columns[0].type, binder->arena));
            return err_at(binder->err, position);
        }
    }
    *out = &subquery_of(binder, kind, type, rel, ast->select)->base;
    (*out)->position = position;
    return ST_OK;
}

/* ---- IN, ANY, ALL ---- */

/* A projection that casts the subquery's columns, where the comparison wants other types. */
static Rel *cast_columns(Binder *binder, Rel *rel, Expr *const *wanted, int count)
{
    bool any = false;
    for (int i = 0; i < count; i++) any |= wanted[i]->kind != EXPR_COLUMN;
    if (!any) return rel;
    RelProject *project = rel_new_over(binder->arena, REL_PROJECT, sizeof *project, rel);
    project->exprs = ARENA_ARRAY(binder->arena, Expr *, count);
    project->base.columns = ARENA_ARRAY(binder->arena, RelColumn, count);
    for (int i = 0; i < count; i++) {
        project->exprs[i] = wanted[i];
        project->base.columns[i] =
            (RelColumn){.id = wanted[i]->kind == EXPR_COLUMN ? rel->columns[i].id : binder_new_column(binder),
                        .name = rel->columns[i].name,
                        .type = wanted[i]->type};
    }
    return &project->base;
}

/* left op ANY|ALL (rel): both sides fitted to the types of the operator. */
static Status quantify(Binder *binder, ExprSubquery *sub, Expr **left, int left_count, const char *symbol)
{
    Rel *rel = sub->rel;
    int position = sub->base.position;
    Expr **lefts = ARENA_ARRAY(binder->arena, Expr *, left_count),
         **rights = ARENA_ARRAY(binder->arena, Expr *, left_count);
    if (rel->column_count != left_count) {
        (void)err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR, "subquery has too %s columns",
                      rel->column_count > left_count ? "many" : "few");
        return err_at(binder->err, position);
    }
    CompareOp op;
    bool comparison = compare_op_find(symbol, &op);
    for (int i = 0; i < left_count; i++) {
        Expr *pair, *right = rel_column_expr(binder->arena, &rel->columns[i]);
        if (comparison)
            TRY(bind_compare(binder, op, left[i], right, position, &pair));
        else
            TRY(bind_operator(binder, symbol, left[i], right, position, &pair));
        if (pair->kind == EXPR_CALL) {
            sub->function = ((ExprCall *)pair)->function;
        } else if (pair->kind != EXPR_COMPARE) {
            return err_unsupported(binder->err, binder->arena, "this comparison with a subquery");
        }
        lefts[i] = pair->args[0];
        rights[i] = pair->args[1];
    }
    if (comparison) sub->op = op;
    sub->rel = cast_columns(binder, rel, rights, left_count);
    sub->base.args = lefts;
    sub->base.arg_count = left_count;
    return ST_OK;
}

static Status bind_quantified_subquery(Binder *binder, const AstExpr *left_ast, const AstSelect *select,
                                       const AstQuantified *how, Expr **out)
{
    Expr *left;
    Rel *rel;
    int position = how->base.position;
    TRY(bind_expr(binder, left_ast, &left));
    TRY(bind_below(binder, select, position, &rel));
    ExprSubquery *sub = subquery_of(binder, how->all ? SUBQUERY_ALL : SUBQUERY_ANY, boolean, rel, select);
    sub->base.position = position;
    if (left->kind == EXPR_ROW && left_ast->kind == AST_ROW)
        TRY(quantify(binder, sub, left->args, left->arg_count, how->op));
    else
        TRY(quantify(binder, sub, &left, 1, how->op));
    *out = &sub->base;
    return ST_OK;
}

Status bind_in_subquery(Binder *binder, const AstIn *in, Expr **out)
{
    AstQuantified equals_any = {.base = in->base, .op = "="};
    TRY(bind_quantified_subquery(binder, in->left, in->subquery, &equals_any, out));
    if (in->negated) *out = expr_not(binder->arena, *out);
    return ST_OK;
}

static Status not_an_array(Binder *binder, const Expr *e)
{
    (void)err_set(binder->err, binder->arena, ERR_WRONG_OBJECT_TYPE, "op ANY/ALL (array) requires array on right side");
    return err_at(binder->err, e->position);
}

/* The element's type is worked out on a stand-in for one element of the array. */
static Status bind_quantified_array(Binder *binder, const AstQuantified *ast, Expr *left, Expr *array, Expr **out)
{
    int position = ast->base.position;
    const TypeDef *array_type = type_find(array->type.oid);
    if (expr_is_unknown(array)) {
        Oid element = expr_is_unknown(left) ? OID_TEXT : left->type.oid;
        TypeRef wanted = {type_find(element)->array_oid, -1};
        TRY(bind_coerce(binder, array, wanted, CAST_IMPLICIT, array->position, &array));
        array_type = type_find(wanted.oid);
    }
    if (!array_type || !array_type->element_oid) return not_an_array(binder, array);
    Expr *element = expr_new(binder->arena, EXPR_DEFAULT, (TypeRef){array_type->element_oid, -1}, NULL, 0), *pair;
    CompareOp op = COMPARE_EQ;
    const FuncDef *function = NULL;
    if (compare_op_find(ast->op, &op))
        TRY(bind_compare(binder, op, left, element, position, &pair));
    else
        TRY(bind_operator(binder, ast->op, left, element, position, &pair));
    if (pair->kind == EXPR_CALL) function = ((ExprCall *)pair)->function;
    Oid element_wanted = pair->args[1]->type.oid;
    if (element_wanted != array_type->element_oid) {
        const TypeDef *wanted = type_find(element_wanted);
        TRY(bind_coerce(binder, array, (TypeRef){wanted->array_oid, -1}, CAST_EXPLICIT, array->position, &array));
    }
    Expr **args = ARENA_ARRAY(binder->arena, Expr *, 2);
    args[0] = pair->args[0];
    args[1] = array;
    ExprAnyArray *any = (ExprAnyArray *)expr_new(binder->arena, EXPR_ANY_ARRAY, boolean, args, 2);
    any->all = ast->all;
    any->op = op;
    any->function = function;
    any->base.position = position;
    *out = &any->base;
    return ST_OK;
}

Status bind_quantified(Binder *binder, const AstQuantified *ast, Expr **out)
{
    if (ast->subquery) return bind_quantified_subquery(binder, ast->left, ast->subquery, ast, out);
    Expr *left, *array;
    TRY(bind_expr(binder, ast->left, &left));
    TRY(bind_expr(binder, ast->array, &array));
    return bind_quantified_array(binder, ast, left, array, out);
}
