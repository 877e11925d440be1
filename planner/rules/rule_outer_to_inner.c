/* rule_outer_to_inner.c - an outer join whose NULL rows are thrown away above is an inner join.
 *
 *   filter(u.x > 5)                        filter(u.x > 5)
 *     left join(t.id = u.t_id)     ->        join(t.id = u.t_id)
 *
 * A condition that cannot be true where u's columns are NULL drops every row that the outer join filled up. Inner joins
 * can be ordered freely.
 */
#include "planner/rules/rule_push_filter.h"

/* Is e NULL whenever the columns of the set are NULL? */
static bool null_with(const Expr *e, const ColSet *set)
{
    bool strict = e->kind == EXPR_CAST || e->kind == EXPR_COMPARE ||
                  (e->kind == EXPR_CALL && ((const ExprCall *)e)->function->flags & FN_STRICT);
    if (e->kind == EXPR_COLUMN) return colset_has(set, ((const ExprColumn *)e)->column);
    for (int i = 0; strict && i < e->arg_count; i++)
        if (null_with(e->args[i], set)) return true;
    return false;
}

/* Can e not be true where the columns of the set are NULL? */
static bool rejects_null(const Expr *e, const ColSet *set)
{
    if (e->kind == EXPR_AND) {
        for (int i = 0; i < e->arg_count; i++)
            if (rejects_null(e->args[i], set)) return true;
        return false;
    }
    if (e->kind == EXPR_OR) {
        for (int i = 0; i < e->arg_count; i++)
            if (!rejects_null(e->args[i], set)) return false;
        return e->arg_count > 0;
    }
    if (e->kind == EXPR_IS_NULL) return ((const ExprNegatable *)e)->negated && null_with(e->args[0], set);
    /* NULL >= ALL ('{}') is true. */
    if (e->kind == EXPR_ANY_ARRAY) return !((const ExprAnyArray *)e)->all && null_with(e->args[0], set);
    if (e->kind == EXPR_IN_LIST || e->kind == EXPR_NOT) return null_with(e->args[0], set);
    return null_with(e, set);
}

static void reduce(Rewriting *r, Rel *rel, const Expr *condition)
{
    if (rel->kind == REL_FILTER) {
        reduce(r, rel->inputs[0], condition);
        return;
    }
    if (rel->kind != REL_JOIN) return;
    RelJoin *join = (RelJoin *)rel;
    ColSet left = {0}, right = {0};
    rel_column_set(rel->inputs[0], &left, r->arena);
    rel_column_set(rel->inputs[1], &right, r->arena);
    bool no_left = rejects_null(condition, &left), no_right = rejects_null(condition, &right);
    if (join->join == JOIN_LEFT && no_right) join->join = JOIN_INNER;
    if (join->join == JOIN_RIGHT && no_left) join->join = JOIN_INNER;
    if (join->join == JOIN_FULL)
        join->join = no_left && no_right ? JOIN_INNER : no_left ? JOIN_LEFT : no_right ? JOIN_RIGHT : JOIN_FULL;
    /* The condition holds for what comes from a side whose rows are all kept, so it reaches the joins there too. */
    if (join->join == JOIN_INNER || join->join == JOIN_LEFT) reduce(r, rel->inputs[0], condition);
    if (join->join == JOIN_INNER || join->join == JOIN_RIGHT) reduce(r, rel->inputs[1], condition);
    if (join->join == JOIN_INNER && join->condition) {
        reduce(r, rel->inputs[0], join->condition);
        reduce(r, rel->inputs[1], join->condition);
    }
}

static Status outer_to_inner(Rewriting *r, Rel **rel)
{
    if ((*rel)->kind == REL_FILTER) reduce(r, (*rel)->inputs[0], ((RelFilter *)*rel)->condition);
    return ST_OK;
}

const Rule rule_outer_to_inner = {"outer_to_inner", outer_to_inner, false, SETTING_enable_rule_outer_to_inner};
