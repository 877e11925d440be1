/* bind_limit.c - LIMIT, OFFSET, FETCH; and the tail of VALUES and set operations. */
#include "planner/bind/bind_query.h"

static Status bind_count(Binder *binder, const AstExpr *ast, const char *word, BindClause clause, Expr **out)
{
    *out = NULL;
    if (!ast) return ST_OK;
    BindClause before = binder->clause;
    Scope *scope = binder->scope;
    ColSet used = {0};
    TypeRef int8 = {OID_INT8, -1};
    binder->clause = clause;
    Status status = bind_expr(binder, ast, out);
    binder->clause = before;
    TRY(status);
    if (!type_can_coerce((*out)->type.oid, OID_INT8, CAST_ASSIGNMENT)) {
        (void)err_set(binder->err, binder->arena, ERR_DATATYPE_MISMATCH,
                      "argument of %s must be type bigint, not type %s", word, type_words((*out)->type, binder->arena));
        return err_at(binder->err, (*out)->position);
    }
    expr_columns(*out, &used, binder->arena);
    for (ColId id = 1; scope && id < used.word_count * 64; id++) {
        if (!colset_has(&used, id) || !scope_owner(scope, id)) continue;
        (void)err_set(binder->err, binder->arena, ERR_INVALID_COLUMN_REFERENCE,
                      "argument of %s must not contain variables", word);
        return err_at(binder->err, (*out)->position);
    }
    return bind_coerce(binder, *out, int8, CAST_ASSIGNMENT, (*out)->position, out);
}

Status bind_limit(Binder *binder, const AstExpr *limit, const AstExpr *offset, bool with_ties, Rel **rel)
{
    Expr *limit_expr, *offset_expr;
    TRY(bind_count(binder, offset, "OFFSET", CLAUSE_OFFSET, &offset_expr));
    TRY(bind_count(binder, limit, "LIMIT", CLAUSE_LIMIT, &limit_expr));
    if (limit_expr && expr_is_null_const(limit_expr)) limit_expr = NULL; /* LIMIT NULL is no limit */
    if (offset_expr && expr_is_null_const(offset_expr)) offset_expr = NULL;
    if (!limit_expr && !offset_expr) return ST_OK;
    RelLimit *node = rel_new_over(binder->arena, REL_LIMIT, sizeof *node, *rel);
    node->limit = limit_expr;
    node->offset = offset_expr;
    node->with_ties = with_ties;
    *rel = &node->base;
    return ST_OK;
}

/* ---- the tail over outputs alone ---- */

static void outputs_as_targets(Binder *binder, const Rel *rel, TargetVec *targets)
{
    for (int i = 0; i < rel->column_count; i++) {
        Target target = {.name = rel->columns[i].name, .expr = rel_column_expr(binder->arena, &rel->columns[i])};
        VEC_PUSH(binder->arena, *targets, target);
    }
}

static Status refuse_expression(Binder *binder, const AstExpr *ast)
{
    (void)err_set(binder->err, binder->arena, ERR_FEATURE_NOT_SUPPORTED,
                  "invalid UNION/INTERSECT/EXCEPT ORDER BY clause");
    err_detail(binder->err, binder->arena, "Only result column names can be used, not expressions or functions.");
    err_hint(binder->err, binder->arena,
             "Add the expression/function to every SELECT, or move the UNION into a FROM clause.");
    return err_at(binder->err, bind_leftmost(ast));
}

static Status bind_output_order(Binder *binder, const AstSelect *select, bool expressions, Rel **rel)
{
    TargetVec targets = {0};
    outputs_as_targets(binder, *rel, &targets);
    RelSort *sort = rel_new_over(binder->arena, REL_SORT, sizeof *sort, *rel);
    sort->key_count = select->order_by.count;
    sort->keys = ARENA_ARRAY(binder->arena, SortKey, sort->key_count);
    for (int i = 0; i < sort->key_count; i++) {
        const AstSort *ast = &select->order_by.items[i];
        int target;
        Expr *e;
        TRY(bind_output_reference(binder, ast->expr, &targets, OUTPUT_ORDER_BY, &target, &e));
        if (target < 0 && !expressions) return refuse_expression(binder, ast->expr);
        TRY(bind_sort_key(binder, ast, e, &sort->keys[i]));
    }
    *rel = &sort->base;
    return ST_OK;
}

Status bind_output_tail(Binder *binder, const AstSelect *select, bool expressions, Rel **rel)
{
    Scope *outer = binder->scope, *scope = scope_push(binder);
    ScopeItem *item = scope_item_new(binder, NULL, *rel);
    TRY(scope_add(binder, scope, item));
    binder->clause = CLAUSE_ORDER_BY;
    Status status = select->order_by.count ? bind_output_order(binder, select, expressions, rel) : ST_OK;
    if (status == ST_OK) status = bind_limit(binder, select->limit, select->offset, select->with_ties, rel);
    binder->scope = outer;
    if (status != ST_OK) return status;
    if (select->locking.count)
        return bind_locks_refused(binder, select, "UNION/INTERSECT/EXCEPT");
    return ST_OK;
}
