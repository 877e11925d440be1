/* rules.c - the ordered list of rules, and the walk. */
#include "planner/rules/rules.h"

/* Constants first, so that later rules see them; filters move down before equalities are closed over what they reached. */
static const Rule *const rules[] = {
    &rule_fold_constants, &rule_drop_projection,
};

typedef struct Walk {
    Rewriting *r;
    const Rule *rule;
    Status status;
} Walk;

static Status apply_tree(Walk *w, Rel **rel);

static void walk_input(Rel **slot, void *argument)
{
    Walk *w = argument;
    if (w->status == ST_OK) w->status = apply_tree(w, slot);
}

static Expr *walk_subquery(Arena *arena, Expr *e, void *argument)
{
    Walk *w = argument;
    if (e->kind != EXPR_SUBQUERY || w->status != ST_OK) return e;
    w->status = apply_tree(w, &((ExprSubquery *)e)->rel);
    return e;
}

static void walk_expr(Expr **slot, void *argument)
{
    Walk *w = argument;
    (void)expr_rewrite(w->r->arena, *slot, walk_subquery, w);
}

static Status apply_tree(Walk *w, Rel **rel)
{
    rel_each_input(*rel, walk_input, w);
    if (w->status != ST_OK) return w->status;
    rel_each_expr(*rel, walk_expr, w);
    if (w->status != ST_OK) return w->status;
    return w->status = w->rule->apply(w->r, rel);
}

Status rules_apply(Rewriting *r, Rel **rel)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        Walk w = {r, rules[i], ST_OK};
        TRY(apply_tree(&w, rel));
    }
    return ST_OK;
}
