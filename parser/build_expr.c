/* build_expr.c - expressions. */
#include "parser/build.h"

#include <assert.h>

#include "parser/grammar.h"

AstExpr *build_expr_node(Parser *p, AstExprKind kind, size_t size, int position)
{
    assert(size >= sizeof(AstExpr));
    AstExpr *expr = arena_alloc(p->arena, size);
    expr->kind = kind;
    expr->position = position;
    expr->depth = 1;
    return expr;
}

static void deepen(Parser *p, AstExpr *expr, const AstExpr *child)
{
    if (child && child->depth >= expr->depth) expr->depth = build_depth(p, child->depth + 1);
}

static void deepen_all(Parser *p, AstExpr *expr, const AstExprVec *children)
{
    for (int i = 0; i < children->count; i++) deepen(p, expr, children->items[i]);
}

/* A subquery is as deep as anything in the statement so far: what is inside it has been built before. */
static void deepen_subquery(Parser *p, AstExpr *expr)
{
    expr->depth = build_depth(p, p->deepest + 1);
}

/* ---- literals ---- */

AstExpr *build_literal(Parser *p, AstLiteralKind kind, const Token *token)
{
    AstLiteral *literal = NEW_EXPR(p, AstLiteral, AST_LITERAL, token->position);
    literal->literal = kind;
    literal->text = token->value;
    return &literal->base;
}

AstExpr *build_one(Parser *p, const Token *at)
{
    Token one = *at;
    one.value = "1";
    return build_literal(p, AST_LITERAL_INT, &one);
}

AstExpr *build_typed_literal(Parser *p, AstType *type, const Token *text)
{
    AstExpr *expr = build_literal(p, AST_LITERAL_TYPED, text);
    ((AstLiteral *)expr)->type = type;
    return expr;
}

AstExpr *build_param(Parser *p, const Token *token)
{
    AstParam *param = NEW_EXPR(p, AstParam, AST_PARAM, token->position);
    param->number = build_int(p, token);
    if (param->number == 0)
        build_fail(p, ERR_UNDEFINED_PARAMETER, token->position, "there is no parameter $%s", token->value);
    return &param->base;
}

AstExpr *build_default(Parser *p, const Token *token)
{
    return build_expr_node(p, AST_DEFAULT, sizeof(AstExpr), token->position);
}

/* ---- columns and steps ---- */

Indirection build_field_step(const Token *at, const Token *name)
{
    return (Indirection){.kind = name ? STEP_FIELD : STEP_STAR, .position = name ? name->position : at->position,
                         .name = name ? name->value : NULL};
}

Indirection build_subscript_step(const Token *at, AstExpr *lower, AstExpr *upper, bool slice)
{
    return (Indirection){.kind = STEP_SUBSCRIPT, .position = at->position, .item = {lower, upper, slice}};
}

static AstExpr *add_step(Parser *p, AstExpr *expr, const Indirection *step)
{
    if (step->kind == STEP_SUBSCRIPT) {
        AstSubscript *subscript = (AstSubscript *)expr;
        if (expr->kind != AST_SUBSCRIPT) {
            subscript = NEW_EXPR(p, AstSubscript, AST_SUBSCRIPT, expr->position);
            subscript->arg = expr;
            deepen(p, &subscript->base, expr);
        }
        VEC_PUSH(p->arena, subscript->items, step->item);
        deepen(p, &subscript->base, step->item.lower);
        deepen(p, &subscript->base, step->item.upper);
        return &subscript->base;
    }
    AstField *field = NEW_EXPR(p, AstField, AST_FIELD, expr->position);
    field->arg = expr;
    field->name = step->name;
    deepen(p, &field->base, expr);
    return &field->base;
}

static AstExpr *add_steps(Parser *p, AstExpr *expr, const IndirectionVec *steps, int first)
{
    for (int i = first; i < steps->count; i++) {
        if (steps->items[i].kind == STEP_STAR && i + 1 < steps->count)
            build_fail(p, ERR_SYNTAX_ERROR, expr->position, "improper use of \"*\"");
        expr = add_step(p, expr, &steps->items[i]);
    }
    return expr;
}

AstExpr *build_indirection(Parser *p, AstExpr *expr, const IndirectionVec *steps)
{
    return add_steps(p, expr, steps, 0);
}

/* a.b.c[1].f: fields up to the first subscript are names, the rest are steps. */
AstExpr *build_column(Parser *p, const Token *first, const IndirectionVec *steps)
{
    AstExpr *expr = build_column_ref(p, first, NULL);
    AstColumn *column = (AstColumn *)expr;
    int i = 0;
    for (; steps && i < steps->count && steps->items[i].kind == STEP_FIELD; i++)
        VEC_PUSH(p->arena, column->names, steps->items[i].name);
    if (steps && i == steps->count - 1 && steps->items[i].kind == STEP_STAR) {
        column->star = true;
        column->found = ARENA_NEW(p->arena, AstFound);
        i++;
    }
    return steps ? add_steps(p, expr, steps, i) : expr;
}

AstExpr *build_star(Parser *p, const Token *token)
{
    AstColumn *column = NEW_EXPR(p, AstColumn, AST_COLUMN, token->position);
    column->star = true;
    column->found = ARENA_NEW(p->arena, AstFound);
    return &column->base;
}

AstExpr *build_parens(Parser *p, AstExpr *expr, const IndirectionVec *steps)
{
    expr->parens = true;
    return add_steps(p, expr, steps, 0);
}

/* ---- operators ---- */

Operator build_operator(const Token *schema, const Token *op)
{
    return (Operator){.schema = schema ? schema->value : NULL, .op = op->value, .position = op->position};
}

Operator build_operator_at(const Token *at, Operator op)
{
    op.position = at->position;
    return op;
}

Operator build_operator_word(const Token *at, const char *op)
{
    return (Operator){.op = op, .position = at->position};
}

AstExpr *build_qualified_op(Parser *p, const Operator *op, AstExpr *left, AstExpr *right)
{
    AstOp *expr = NEW_EXPR(p, AstOp, AST_OP, op->position);
    expr->schema = op->schema;
    expr->op = op->op;
    expr->left = left;
    expr->right = right;
    deepen(p, &expr->base, left);
    deepen(p, &expr->base, right);
    return &expr->base;
}

static bool is_comparison(const AstExpr *expr)
{
    const AstOp *op = (const AstOp *)expr;
    if (expr->kind != AST_OP || !op->left || op->schema) return false;
    return strcmp(op->op, "=") == 0 || strcmp(op->op, "<") == 0 || strcmp(op->op, ">") == 0 || strcmp(op->op, "<>") == 0 ||
           strcmp(op->op, "<=") == 0 || strcmp(op->op, ">=") == 0;
}

/* Operators that do not associate: a = b = c is a syntax error at the second one. Lemon's %nonassoc only drops the
 * shift, which leaves the reduce and so makes them associate to the left. */
static void refuse_chain(Parser *p, const Token *op, const AstExpr *left, bool chained)
{
    if (chained && !left->parens) parser_syntax_error(p, op);
}

/* LIKE and BETWEEN, which end in an operand; IN (...) may be followed by another. */
static bool is_open_like(const AstExpr *expr)
{
    return expr->kind == AST_LIKE || expr->kind == AST_BETWEEN;
}

AstExpr *build_op(Parser *p, const Token *op, AstExpr *left, AstExpr *right)
{
    bool compares = op->code == TK_EQ || op->code == TK_NE || op->code == TK_LT || op->code == TK_GT || op->code == TK_LE || op->code == TK_GE;
    if (left && compares) refuse_chain(p, op, left, is_comparison(left));
    Operator named = build_operator(NULL, op);
    return build_qualified_op(p, &named, left, right);
}

/* A minus before a number is part of it, so that the smallest int8 can be written. */
AstExpr *build_negate(Parser *p, const Token *op, AstExpr *expr)
{
    AstLiteral *literal = (AstLiteral *)expr;
    if (expr->kind != AST_LITERAL || (literal->literal != AST_LITERAL_INT && literal->literal != AST_LITERAL_DECIMAL))
        return build_op(p, op, NULL, expr);
    literal->text = literal->text[0] == '-' ? literal->text + 1 : arena_printf(p->arena, "-%s", literal->text);
    expr->position = op->position;
    return expr;
}

/* a AND b AND c is one node, so that long chains are not deep. */
AstExpr *build_bool(Parser *p, AstExprKind kind, const Token *op, AstExpr *left, AstExpr *right)
{
    AstList *list = (AstList *)left;
    if (left->kind != kind) {
        list = NEW_EXPR(p, AstList, kind, op->position);
        VEC_PUSH(p->arena, list->items, left);
        deepen(p, &list->base, left);
    }
    VEC_PUSH(p->arena, list->items, right);
    deepen(p, &list->base, right);
    return &list->base;
}

AstExpr *build_not(Parser *p, const Token *op, AstExpr *arg)
{
    AstUnary *expr = NEW_EXPR(p, AstUnary, AST_NOT, op->position);
    expr->arg = arg;
    deepen(p, &expr->base, arg);
    return &expr->base;
}

AstExpr *build_like(Parser *p, const Token *op, AstLikeKind kind, AstExpr *left, AstExpr *pattern, AstExpr *escape)
{
    AstLike *expr = NEW_EXPR(p, AstLike, AST_LIKE, op->position);
    refuse_chain(p, op, left, is_open_like(left));
    expr->like = kind;
    expr->negated = token_is_not(op);
    expr->left = left;
    expr->pattern = pattern;
    expr->escape = escape;
    deepen(p, &expr->base, left);
    deepen(p, &expr->base, pattern);
    deepen(p, &expr->base, escape);
    return &expr->base;
}

AstExpr *build_is(Parser *p, const Token *op, AstIsTest test, bool negated, AstExpr *arg)
{
    AstIs *expr = NEW_EXPR(p, AstIs, AST_IS, op->position);
    refuse_chain(p, op, arg, arg->kind == AST_DISTINCT_FROM);
    expr->test = test;
    expr->negated = negated;
    expr->arg = arg;
    deepen(p, &expr->base, arg);
    return &expr->base;
}

AstExpr *build_distinct_from(Parser *p, const Token *op, bool negated, AstExpr *left, AstExpr *right)
{
    AstDistinctFrom *expr = NEW_EXPR(p, AstDistinctFrom, AST_DISTINCT_FROM, op->position);
    refuse_chain(p, op, left, left->kind == AST_DISTINCT_FROM);
    expr->negated = negated;
    expr->left = left;
    expr->right = right;
    deepen(p, &expr->base, left);
    deepen(p, &expr->base, right);
    return &expr->base;
}

AstExpr *build_between(Parser *p, const Token *op, bool symmetric, AstExpr *arg, AstExpr *low, AstExpr *high)
{
    AstBetween *expr = NEW_EXPR(p, AstBetween, AST_BETWEEN, op->position);
    refuse_chain(p, op, arg, is_open_like(arg));
    expr->negated = token_is_not(op);
    expr->symmetric = symmetric;
    expr->arg = arg;
    expr->low = low;
    expr->high = high;
    deepen(p, &expr->base, arg);
    deepen(p, &expr->base, low);
    deepen(p, &expr->base, high);
    return &expr->base;
}

AstExpr *build_in_subquery(Parser *p, const Token *op, AstExpr *left, AstSelect *subquery)
{
    AstIn *expr = NEW_EXPR(p, AstIn, AST_IN_SUBQUERY, op->position);
    refuse_chain(p, op, left, is_open_like(left));
    expr->negated = token_is_not(op);
    expr->left = left;
    expr->subquery = subquery;
    deepen_subquery(p, &expr->base);
    return &expr->base;
}

AstExpr *build_in_list(Parser *p, const Token *op, AstExpr *left, const AstExprVec *items)
{
    AstIn *expr = NEW_EXPR(p, AstIn, AST_IN_LIST, op->position);
    refuse_chain(p, op, left, is_open_like(left));
    expr->negated = token_is_not(op);
    expr->left = left;
    expr->items = *items;
    deepen(p, &expr->base, left);
    deepen_all(p, &expr->base, items);
    return &expr->base;
}

AstExpr *build_quantified(Parser *p, const Operator *op, bool all, AstExpr *left, AstExpr *array, AstSelect *subquery)
{
    AstQuantified *expr = NEW_EXPR(p, AstQuantified, AST_QUANTIFIED, op->position);
    expr->schema = op->schema;
    expr->op = op->op;
    expr->all = all;
    expr->left = left;
    expr->array = array;
    expr->subquery = subquery;
    deepen(p, &expr->base, left);
    deepen(p, &expr->base, array);
    if (subquery) deepen_subquery(p, &expr->base);
    return &expr->base;
}

AstExpr *build_cast(Parser *p, const Token *op, AstExpr *arg, AstType *type, bool annotation)
{
    AstCast *expr = NEW_EXPR(p, AstCast, AST_CAST, op->position);
    expr->arg = arg;
    expr->type = type;
    expr->annotation = annotation;
    deepen(p, &expr->base, arg);
    return &expr->base;
}

AstExpr *build_collate(Parser *p, const Token *op, AstExpr *arg, const AstName *collation)
{
    AstCollate *expr = NEW_EXPR(p, AstCollate, AST_COLLATE, op->position);
    expr->arg = arg;
    expr->collation = *collation;
    deepen(p, &expr->base, arg);
    return &expr->base;
}

/* ---- lists, rows, CASE, subqueries ---- */

AstExpr *build_expr_list(Parser *p, AstExprKind kind, const Token *at, const AstExprVec *items)
{
    AstList *list = NEW_EXPR(p, AstList, kind, at->position);
    if (items) list->items = *items;
    deepen_all(p, &list->base, &list->items);
    return &list->base;
}

AstExpr *build_nullif(Parser *p, const Token *at, AstExpr *left, AstExpr *right)
{
    AstExprVec items = {0};
    VEC_PUSH(p->arena, items, left);
    VEC_PUSH(p->arena, items, right);
    return build_expr_list(p, AST_NULLIF, at, &items);
}

AstExpr *build_array(Parser *p, const Token *at, AstExpr *array)
{
    (void)p;
    array->position = at->position;
    return array;
}

AstExpr *build_row(Parser *p, const Token *at, const AstExprVec *items, bool explicit_row)
{
    AstRow *row = NEW_EXPR(p, AstRow, AST_ROW, at->position);
    if (items) row->items = *items;
    row->explicit_row = explicit_row;
    deepen_all(p, &row->base, &row->items);
    return &row->base;
}

/* (a, b), or CockroachDB's (a,) of one item. */
AstExpr *build_implicit_row(Parser *p, const Token *at, AstExprVec *items, AstExpr *last)
{
    if (last) VEC_PUSH(p->arena, *items, last);
    return build_row(p, at, items, items->count == 1);
}

AstExpr *build_grouping_set(Parser *p, const Token *at, AstGroupingKind kind, const AstExprVec *items)
{
    AstGroupingSet *set = NEW_EXPR(p, AstGroupingSet, AST_GROUPING_SET, at->position);
    set->grouping = kind;
    if (items) set->items = *items;
    deepen_all(p, &set->base, &set->items);
    return &set->base;
}

AstExpr *build_case(Parser *p, const Token *at, AstExpr *arg, const AstWhenVec *whens, AstExpr *otherwise)
{
    AstCase *expr = NEW_EXPR(p, AstCase, AST_CASE, at->position);
    expr->arg = arg;
    expr->whens = *whens;
    expr->otherwise = otherwise;
    deepen(p, &expr->base, arg);
    deepen(p, &expr->base, otherwise);
    for (int i = 0; i < whens->count; i++) {
        deepen(p, &expr->base, whens->items[i].when);
        deepen(p, &expr->base, whens->items[i].then);
    }
    return &expr->base;
}

AstExpr *build_subquery(Parser *p, const Token *at, AstSubqueryKind kind, AstSelect *select)
{
    AstSubquery *expr = NEW_EXPR(p, AstSubquery, AST_SUBQUERY, at ? at->position : select->base.position);
    expr->subquery = kind;
    expr->select = select;
    deepen_subquery(p, &expr->base);
    return &expr->base;
}

AstExpr *build_sql_value(Parser *p, const Token *at, AstSqlValueKind value, const Token *precision)
{
    AstSqlValue *expr = NEW_EXPR(p, AstSqlValue, AST_SQL_VALUE, at->position);
    expr->value = value;
    expr->precision = precision ? build_int(p, precision) : -1;
    return &expr->base;
}

AstExpr *build_current_of(Parser *p, const Token *at, const Token *cursor)
{
    AstCurrentOf *expr = NEW_EXPR(p, AstCurrentOf, AST_CURRENT_OF, at->position);
    expr->cursor = cursor->value;
    return &expr->base;
}

const char *ast_sql_value_word(AstSqlValueKind value)
{
    static const char *const words[] = {
#define WORD(kind, word) word,
        AST_SQL_VALUES(WORD)
#undef WORD
    };
    return words[value];
}
