/* rule_decorrelate.c - EXISTS and IN become semi and anti joins.
 *
 *   filter(EXISTS (SELECT 1 FROM u WHERE u.t_id = t.id AND u.x > 5))       semi join(u.t_id = t.id)
 *     t                                                           ->         t
 *                                                                            filter(u.x > 5)  u
 *
 *   filter(t.a IN (SELECT b FROM u))      ->  semi join(t.a = u.b)
 *   filter(t.a NOT IN (SELECT b FROM u))  ->  anti join(t.a = u.b), aware of NULLs
 *
 * Run as a subquery it is run once per row; a join runs it once, or looks up by an index. What is correlated other than
 * by a condition of the subquery's WHERE stays a subquery.
 */
#include "planner/rules/decorrelate.h"

/* ---- taking a subquery apart ---- */

bool decorrelate_is_correlated(Rewriting *r, const Rel *rel)
{
    ColId *outer;
    return rel_outer_columns(rel, &outer, r->arena) > 0;
}

static bool uses_outer(Rewriting *r, const Rel *rel, const Expr *e)
{
    ColSet made = {0}, used = {0};
    rel_made_columns(rel, &made, r->arena);
    expr_columns(e, &used, r->arena);
    return !colset_contains(&made, &used);
}

static void sort_out(Rewriting *r, const Rel *whole, Expr *condition, Conjuncts *pulled, Conjuncts *kept)
{
    Conjuncts all = {0};
    conjuncts_add(r, &all, condition);
    for (int i = 0; i < all.count; i++) {
        if (uses_outer(r, whole, all.items[i]))
            VEC_PUSH(r->arena, *pulled, all.items[i]);
        else
            VEC_PUSH(r->arena, *kept, all.items[i]);
    }
}

Rel *decorrelate_pull(Rewriting *r, const Rel *whole, Rel *rel, Conjuncts *pulled)
{
    Conjuncts kept = {0};
    if (rel->kind == REL_FILTER) {
        sort_out(r, whole, ((RelFilter *)rel)->condition, pulled, &kept);
        return rel_filter(r->arena, decorrelate_pull(r, whole, rel->inputs[0], pulled), conjuncts_and(r, &kept));
    }
    if (rel->kind != REL_JOIN || ((RelJoin *)rel)->join != JOIN_INNER) return rel;
    RelJoin *join = arena_copy(r->arena, rel, sizeof *join);
    sort_out(r, whole, join->condition, pulled, &kept);
    join->condition = conjuncts_and(r, &kept);
    join->base.inputs = arena_copy(r->arena, rel->inputs, sizeof(Rel *) * 2);
    for (int i = 0; i < 2; i++) join->base.inputs[i] = decorrelate_pull(r, whole, rel->inputs[i], pulled);
    return &join->base;
}

Rel *decorrelate_strip_for_exists(Rel *rel)
{
    for (;;) {
        bool no_matter = rel->kind == REL_PROJECT || rel->kind == REL_SORT || rel->kind == REL_DISTINCT;
        if (rel->kind == REL_LIMIT) {
            const RelLimit *limit = (const RelLimit *)rel;
            Value n;
            no_matter = !limit->offset && limit->limit && expr_is_const(limit->limit, &n) && !n.null && n.i > 0;
        }
        if (!no_matter) return rel;
        rel = rel->inputs[0];
    }
}

/* ---- the joins ---- */

static Rel *make_join(Rewriting *r, JoinKind kind, Rel *left, Rel *right, Expr *condition)
{
    RelJoin *join = rel_new_over(r->arena, REL_JOIN, sizeof *join, left);
    join->join = kind;
    join->condition = condition;
    join->base.inputs = ARENA_ARRAY(r->arena, Rel *, 2);
    join->base.inputs[0] = left;
    join->base.inputs[1] = right;
    join->base.input_count = 2;
    return &join->base;
}

static bool join_exists(Rewriting *r, Rel **input, const ExprSubquery *sub, bool negated)
{
    Conjuncts pulled = {0};
    Rel *stripped = decorrelate_strip_for_exists(sub->rel), *right = decorrelate_pull(r, stripped, stripped, &pulled);
    if (pulled.count == 0 || decorrelate_is_correlated(r, right) || rel_volatility(sub->rel) == VOLATILITY_VOLATILE) return false;
    for (int i = 0; i < pulled.count; i++)
        if (expr_has_subquery(pulled.items[i])) return false;
    *input = make_join(r, negated ? JOIN_ANTI : JOIN_SEMI, *input, right, conjuncts_and(r, &pulled));
    return true;
}

/* What the subquery returns, in terms of what stands below its projection. */
static Rel *below_projection(Rewriting *r, const ExprSubquery *sub, Expr ***outputs)
{
    Rel *rel = sub->rel;
    while (rel->kind == REL_SORT) rel = rel->inputs[0];
    *outputs = ARENA_ARRAY(r->arena, Expr *, rel->column_count);
    for (int i = 0; i < rel->column_count; i++) (*outputs)[i] = rel_column_expr(r->arena, &rel->columns[i]);
    if (rel->kind != REL_PROJECT) return rel;
    const RelProject *project = (const RelProject *)rel;
    for (int i = 0; i < rel->column_count; i++)
        if (expr_has_subquery(project->exprs[i])) return rel;
    *outputs = project->exprs;
    return rel->inputs[0];
}

/* Does the expression use columns of this side, and of no other? */
static bool of_side(Rewriting *r, const Expr *e, const Rel *side)
{
    ColSet used = {0}, own = {0};
    expr_columns(e, &used, r->arena);
    rel_column_set(side, &own, r->arena);
    return !colset_empty(&used) && colset_contains(&own, &used);
}

static bool join_in(Rewriting *r, Rel **input, const ExprSubquery *sub, bool negated)
{
    Expr **outputs;
    Conjuncts condition = {0};
    if (sub->op != COMPARE_EQ || sub->function || rel_volatility(sub->rel) == VOLATILITY_VOLATILE) return false;
    if (negated && (sub->base.arg_count != 1 || decorrelate_is_correlated(r, sub->rel))) return false;
    Rel *below = below_projection(r, sub, &outputs), *right = decorrelate_pull(r, below, below, &condition);
    if (decorrelate_is_correlated(r, right)) return false;
    for (int i = 0; i < condition.count; i++)
        if (expr_has_subquery(condition.items[i])) return false;
    for (int i = 0; i < sub->base.arg_count; i++) {
        if (expr_has_subquery(sub->base.args[i])) return false;
        /* Only a hash join on two sides knows what a NULL means to NOT IN. */
        if (negated && (!of_side(r, sub->base.args[i], *input) || !of_side(r, outputs[i], right))) return false;
        VEC_PUSH(r->arena, condition, expr_compare(r->arena, COMPARE_EQ, sub->base.args[i], outputs[i]));
    }
    *input = make_join(r, negated ? JOIN_ANTI : JOIN_SEMI, *input, right, conjuncts_and(r, &condition));
    ((RelJoin *)*input)->null_aware = negated;
    return true;
}

static bool try_join(Rewriting *r, Rel **input, const Expr *e)
{
    bool negated = e->kind == EXPR_NOT;
    if (negated) e = e->args[0];
    if (e->kind != EXPR_SUBQUERY) return false;
    const ExprSubquery *sub = (const ExprSubquery *)e;
    if (sub->sub_kind == SUBQUERY_EXISTS) return join_exists(r, input, sub, negated);
    return sub->sub_kind == SUBQUERY_ANY && join_in(r, input, sub, negated);
}

/* The statement's own UPDATE or DELETE knows its scan by address: a join beside it does not move it. */
static Status decorrelate(Rewriting *r, Rel **rel)
{
    if ((*rel)->kind != REL_FILTER) return ST_OK;
    Conjuncts all = {0}, left = {0};
    Rel *input = (*rel)->inputs[0];
    conjuncts_add(r, &all, ((RelFilter *)*rel)->condition);
    for (int i = 0; i < all.count; i++)
        if (!expr_has_subquery(all.items[i])) VEC_PUSH(r->arena, left, all.items[i]);
    Rel *filtered = rel_filter(r->arena, input, conjuncts_and(r, &left)), *joined = filtered;
    Conjuncts rest = {0};
    for (int i = 0; i < all.count; i++) {
        if (!expr_has_subquery(all.items[i]) || try_join(r, &joined, all.items[i])) continue;
        VEC_PUSH(r->arena, rest, all.items[i]);
    }
    if (joined == filtered) return ST_OK;
    *rel = rel_filter(r->arena, joined, conjuncts_and(r, &rest));
    return ST_OK;
}

const Rule rule_decorrelate = {"decorrelate", decorrelate, false, SETTING_enable_rule_decorrelate};
