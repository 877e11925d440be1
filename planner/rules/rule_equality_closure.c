/* rule_equality_closure.c - equalities that follow from others.
 *
 *   t.a = u.a AND t.a = 5       ->      t.a = u.a AND t.a = 5 AND u.a = 5
 *
 * The new condition narrows the other table's scan by its index. Used where conditions of a join are gathered.
 */
#include "planner/rules/rule_push_filter.h"

static bool is_equality(const Expr *e)
{
    return e->kind == EXPR_COMPARE && ((const ExprCompare *)e)->op == COMPARE_EQ;
}

static bool is_pinning(const Expr *e)
{
    return e->kind == EXPR_CONST || e->kind == EXPR_PARAM;
}

static bool is_listed(const Conjuncts *list, const Expr *e)
{
    for (int i = 0; i < list->count; i++)
        if (expr_equal(list->items[i], e)) return true;
    return false;
}

/* column = value of e, either way round. */
static bool pins(const Expr *e, const Expr *column, Expr **value)
{
    if (!is_equality(e)) return false;
    for (int side = 0; side < 2; side++) {
        if (!expr_equal(e->args[side], column) || !is_pinning(e->args[1 - side])) continue;
        *value = e->args[1 - side];
        return true;
    }
    return false;
}

static void add_for(Rewriting *r, Conjuncts *list, const Expr *known, Expr *other)
{
    Expr *value;
    for (int i = 0; i < list->count; i++) {
        if (!pins(list->items[i], known, &value)) continue;
        Expr *derived = expr_compare(r->arena, COMPARE_EQ, other, value);
        if (!is_listed(list, derived)) VEC_PUSH(r->arena, *list, derived);
        return;
    }
}

void equality_closure(Rewriting *r, Conjuncts *list)
{
    /* What is added lets further ones follow: count grows while we go, and each column gets one value at most. */
    for (int round = 0; round < 4; round++) {
        int before = list->count;
        for (int i = 0; i < before; i++) {
            const Expr *e = list->items[i];
            if (!is_equality(e) || e->args[0]->kind != EXPR_COLUMN || e->args[1]->kind != EXPR_COLUMN) continue;
            add_for(r, list, e->args[0], e->args[1]);
            add_for(r, list, e->args[1], e->args[0]);
        }
        if (list->count == before) return;
    }
}
