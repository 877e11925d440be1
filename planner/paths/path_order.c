/* path_order.c - orders of rows: whether one holds, and for how far. */
#include "planner/paths/path.h"

static ColId column_of(const SortKey *key)
{
    return key->expr->kind == EXPR_COLUMN ? ((const ExprColumn *)key->expr)->column : 0;
}

static bool keys_equal(const SortKey *a, const SortKey *b)
{
    ColId column = column_of(a);
    return column && column == column_of(b) && a->descending == b->descending && a->nulls_first == b->nulls_first;
}

bool path_order_equal(const SortKey *a, const SortKey *b, int count)
{
    for (int i = 0; i < count; i++)
        if (!keys_equal(&a[i], &b[i])) return false;
    return true;
}

int path_order_prefix(const Plan *plan, const SortKey *keys, int count)
{
    int i = 0;
    while (i < count && i < plan->order_count && keys_equal(&plan->order[i], &keys[i])) i++;
    return i;
}

bool path_order_holds(const Plan *plan, const SortKey *order, int count)
{
    return path_order_prefix(plan, order, count) == count;
}

void path_set_order(Plan *plan, const SortKey *order, int count)
{
    union {
        const SortKey *in;
        SortKey *out;
    } keys = {order};
    plan->order = keys.out;
    plan->order_count = count;
}

void path_split_condition(Paths *p, Expr *condition, ExprVec *conjuncts)
{
    if (!condition || expr_is_true(condition)) return;
    if (condition->kind != EXPR_AND) {
        VEC_PUSH(p->arena, *conjuncts, condition);
        return;
    }
    for (int i = 0; i < condition->arg_count; i++) path_split_condition(p, condition->args[i], conjuncts);
}

void path_need(Paths *p, Wanted *wanted, const Expr *e)
{
    if (e) expr_columns(e, &wanted->columns, p->arena);
}

double path_limit_rows(const Expr *limit)
{
    Value value;
    if (!limit) return 0;
    if (!expr_is_const(limit, &value)) return 100;
    if (value.null) return 0;
    return value.i < 1 ? 1 : (double)value.i;
}
