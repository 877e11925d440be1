/* rule_fold_constants.c - what is known while planning is computed while planning.
 *
 *   WHERE ts > '2024-01-01'::date + 7 AND true        WHERE ts > '2024-01-08'
 *   WHERE lower('A') = x OR 1 = 0             ->      WHERE 'a' = x
 *   WHERE false                                       no rows: a filter on a constant
 *
 * Only immutable expressions are folded. One that fails (1/0) is left as it is: it may never be reached at run time.
 */
#include "planner/expr_fold.h"
#include "planner/rules/rules.h"

static bool all_constant(const Expr *e)
{
    for (int i = 0; i < e->arg_count; i++)
        if (e->args[i]->kind != EXPR_CONST) return false;
    return true;
}

/* true and false among the items of AND and OR, and what they decide. */
static Expr *simplify_connective(Arena *arena, Expr *e)
{
    bool is_and = e->kind == EXPR_AND;
    VEC(Expr *) kept = {0};
    for (int i = 0; i < e->arg_count; i++) {
        Value value;
        bool constant = expr_is_const(e->args[i], &value) && !value.null;
        if (constant && (value.i != 0) != is_and) return expr_bool(arena, !is_and);
        if (!constant) VEC_PUSH(arena, kept, e->args[i]);
    }
    if (kept.count == e->arg_count) return e;
    return is_and ? expr_and(arena, kept.items, kept.count) : expr_or(arena, kept.items, kept.count);
}

/* NOT (a < b) is a >= b; NOT (x IN ...) is x NOT IN ...; and so on. */
static Expr *simplify_not(Arena *arena, Expr *e)
{
    Expr *arg = e->args[0];
    if (arg->kind == EXPR_NOT) return arg->args[0];
    if (arg->kind == EXPR_COMPARE) {
        Expr *turned = expr_compare(arena, compare_negated(((ExprCompare *)arg)->op), arg->args[0], arg->args[1]);
        turned->position = arg->position;
        return turned;
    }
    if (arg->kind == EXPR_IN_LIST || arg->kind == EXPR_IS_NULL || arg->kind == EXPR_DISTINCT) {
        ExprNegatable *turned = (ExprNegatable *)expr_with_args(arena, arg, arg->args);
        turned->negated = !turned->negated;
        return &turned->base;
    }
    if (arg->kind != EXPR_AND && arg->kind != EXPR_OR) return e;
    Expr **items = ARENA_ARRAY(arena, Expr *, arg->arg_count);
    for (int i = 0; i < arg->arg_count; i++) items[i] = simplify_not(arena, expr_not(arena, arg->args[i]));
    return arg->kind == EXPR_AND ? expr_or(arena, items, arg->arg_count) : expr_and(arena, items, arg->arg_count);
}

/* CASE loses the branches that a constant rules out. */
static Expr *simplify_case(Arena *arena, Expr *e)
{
    VEC(Expr *) kept = {0};
    for (int i = 0; i + 1 < e->arg_count; i += 2) {
        Value value;
        if (!expr_is_const(e->args[i], &value)) {
            VEC_PUSH(arena, kept, e->args[i]);
            VEC_PUSH(arena, kept, e->args[i + 1]);
        } else if (!value.null && value.i) {
            VEC_PUSH(arena, kept, e->args[i + 1]);
            break;
        }
    }
    if (kept.count % 2 == 0) VEC_PUSH(arena, kept, e->args[e->arg_count - 1]);
    if (kept.count == e->arg_count) return e;
    return kept.count == 1 ? kept.items[0] : expr_new(arena, EXPR_CASE, e->type, kept.items, kept.count);
}

/* The row's type must stay as it was: a record and an array are left to the executor where they are not immutable text.
 */
static bool may_fold(const Expr *e)
{
    if (e->kind == EXPR_CONST || e->kind == EXPR_COLUMN || e->kind == EXPR_PARAM || e->kind == EXPR_ROW) return false;
    return expr_volatility(e) == VOLATILITY_IMMUTABLE;
}

static bool fails_always(const Expr *e, void *argument)
{
    bool *found = argument;
    bool computed = e->kind == EXPR_CALL || e->kind == EXPR_CAST;
    *found = *found || (computed && e->arg_count > 0 && all_constant(e) && may_fold(e));
    return !*found;
}

/* Has a strict operation a NULL for an operand? Its other operands need no value then, unless one is a constant that
 * could not be computed: its failure is the statement's. */
static bool is_null_by_operand(const Expr *e)
{
    Value value;
    bool strict = e->kind == EXPR_COMPARE || e->kind == EXPR_CAST, null = false, fails = false;
    if (e->kind == EXPR_CALL) {
        const FuncDef *function = ((const ExprCall *)e)->function;
        strict = function->flags & FN_STRICT && !(function->flags & FN_SET);
    }
    if (!strict) return false;
    for (int i = 0; i < e->arg_count; i++) null = null || (expr_is_const(e->args[i], &value) && value.null);
    for (int i = 0; i < e->arg_count && null && !fails; i++) expr_walk(e->args[i], fails_always, &fails);
    return null && !fails;
}

static Expr *fold_node(Arena *arena, Expr *e, void *argument)
{
    Rewriting *r = argument;
    if (e->kind == EXPR_PARAM && r->param_values)
        return expr_const(arena, e->type, r->param_values[((const ExprParam *)e)->number - 1]);
    if (e->kind == EXPR_AND || e->kind == EXPR_OR) e = simplify_connective(arena, e);
    if (e->kind == EXPR_NOT) e = simplify_not(arena, e);
    if (e->kind == EXPR_CASE) e = simplify_case(arena, e);
    if (is_null_by_operand(e)) {
        Expr *null = expr_const(arena, e->type, VALUE_NULL);
        null->position = e->position;
        return null;
    }
    if (!all_constant(e) || !may_fold(e)) return e;
    Value value;
    bool known;
    Error ignored = {0};
    if (expr_fold(r->session, e, &value, &known, arena, &ignored) != ST_OK || !known) return e;
    Expr *constant = expr_const(arena, e->type, value);
    constant->position = e->position;
    return constant;
}

static void fold_slot(Expr **slot, void *argument)
{
    Rewriting *r = argument;
    *slot = expr_rewrite(r->arena, *slot, fold_node, r);
}

/* A filter lets a row through only where its condition is true: an unknown part of it is as good as a false one. */
static Expr *null_is_false(Arena *arena, Expr *e)
{
    Value value;
    if (expr_is_const(e, &value) && value.null) return expr_bool(arena, false);
    if (e->kind != EXPR_AND && e->kind != EXPR_OR) return e;
    Expr **items = ARENA_ARRAY(arena, Expr *, e->arg_count);
    bool changed = false;
    for (int i = 0; i < e->arg_count; i++) {
        items[i] = null_is_false(arena, e->args[i]);
        changed = changed || items[i] != e->args[i];
    }
    return changed ? simplify_connective(arena, expr_with_args(arena, e, items)) : e;
}

static Status fold_constants(Rewriting *r, Rel **rel)
{
    rel_each_expr(*rel, fold_slot, r);
    if ((*rel)->kind == REL_FILTER)
        ((RelFilter *)*rel)->condition = null_is_false(r->arena, ((RelFilter *)*rel)->condition);
    if ((*rel)->kind == REL_FILTER && expr_is_true(((RelFilter *)*rel)->condition)) *rel = (*rel)->inputs[0];
    return ST_OK;
}

const Rule rule_fold_constants = {"fold_constants", fold_constants, false, SETTING_enable_rule_fold_constants};
