/* rules.c - the ordered list of rules, and the walk. */
#include "planner/rules/rules.h"

/* Constants first, so that later rules see them; filters move down before equalities are closed over what they reached.
 */
static const Rule *const rules[] = {
    &rule_fold_constants, &rule_drop_projection, &rule_decorrelate,
    &rule_outer_to_inner, &rule_push_filter,     &rule_drop_projection,
};

typedef struct Walk {
    Rewriting *r;
    const Rule *rule;
    Status status;
} Walk;

static Status apply_tree(Walk *w, Rel **rel, bool root);

static void walk_input(Rel **slot, void *argument)
{
    Walk *w = argument;
    if (w->status == ST_OK) w->status = apply_tree(w, slot, false);
}

static bool walk_subquery(const Expr *e, void *argument)
{
    Walk *w = argument;
    /* Subqueries are the one part of an expression that rules change in place: each belongs to one expression alone. */
    if (e->kind == EXPR_SUBQUERY && w->status == ST_OK)
        w->status = apply_tree(w, &((ExprSubquery *)(uintptr_t)e)->rel, true);
    return w->status == ST_OK;
}

static void walk_expr(Expr **slot, void *argument)
{
    expr_walk(*slot, walk_subquery, argument);
}

static Status apply_tree(Walk *w, Rel **rel, bool root)
{
    rel_each_input(*rel, walk_input, w);
    if (w->status != ST_OK) return w->status;
    rel_each_expr(*rel, walk_expr, w);
    if (w->status != ST_OK) return w->status;
    if (w->rule->whole_tree && !root) return ST_OK;
    return w->status = w->rule->apply(w->r, rel);
}

Status rules_apply(Rewriting *r, Rel **rel)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        Walk w = {r, rules[i], ST_OK};
        const Settings *settings = r->session ? r->session->settings : NULL;
        if (settings && !setting_bool(settings, rules[i]->setting)) continue;
        TRY(apply_tree(&w, rel, true));
    }
    return ST_OK;
}
