/* rule_push_filter.c - conditions go down to where the rows come from.
 *
 *   filter(u.x = 1 AND t.id = u.t_id AND s > 5)         join(t.id = u.t_id)
 *     join                                                filter(s > 5)  t'
 *       project(a + b AS s, id)  t           ->           filter(x = 1)  u
 *       u
 *
 * So an index can be used for them, and joins, groups and sorts see fewer rows. A condition stops above what it must
 * not pass: a LIMIT, an aggregate's result, the side of an outer join that is filled with NULLs, volatile functions.
 */
#include "planner/rules/rule_push_filter.h"

void conjuncts_add(Rewriting *r, Conjuncts *list, Expr *e)
{
    Expr **items;
    int count = expr_conjuncts(e, &items, r->arena);
    for (int i = 0; i < count; i++)
        if (!expr_is_true(items[i])) VEC_PUSH(r->arena, *list, items[i]);
}

Expr *conjuncts_and(Rewriting *r, const Conjuncts *list)
{
    return list->count ? expr_and(r->arena, list->items, list->count) : NULL;
}

static Rel *push(Rewriting *r, Rel *rel, Conjuncts *list);

static Rel *filter_with(Rewriting *r, Rel *rel, const Conjuncts *list)
{
    return rel_filter(r->arena, rel, conjuncts_and(r, list));
}

static bool may_move(const Expr *e)
{
    return expr_volatility(e) != VOLATILITY_VOLATILE;
}

/* ---- through projections ---- */

static bool uses_column(const Expr *e, ColId column, Arena *arena)
{
    ColSet used = {0};
    expr_columns(e, &used, arena);
    return colset_has(&used, column);
}

/* Can the condition stand on the projection's input? What it uses must cost no more there than here. */
static bool may_pass_project(Rewriting *r, const RelProject *project, const Expr *e)
{
    if (!may_move(e)) return false;
    for (int i = 0; i < project->base.column_count; i++) {
        const Expr *made = project->exprs[i];
        if (made->kind == EXPR_COLUMN || !uses_column(e, project->base.columns[i].id, r->arena)) continue;
        if (!may_move(made) || expr_has_subquery(made)) return false;
    }
    return true;
}

static Expr *below_project(Rewriting *r, const RelProject *project, Expr *e)
{
    int count = project->base.column_count;
    ColId *columns = ARENA_ARRAY(r->arena, ColId, count);
    for (int i = 0; i < count; i++) columns[i] = project->base.columns[i].id;
    return expr_substitute(r->arena, e, columns, project->exprs, count);
}

static Rel *push_project(Rewriting *r, Rel *rel, Conjuncts *list)
{
    const RelProject *project = (RelProject *)rel;
    Conjuncts below = {0}, above = {0};
    for (int i = 0; i < list->count; i++) {
        if (may_pass_project(r, project, list->items[i]))
            conjuncts_add(r, &below, below_project(r, project, list->items[i]));
        else
            VEC_PUSH(r->arena, above, list->items[i]);
    }
    rel->inputs[0] = push(r, rel->inputs[0], &below);
    return filter_with(r, rel, &above);
}

/* ---- through joins ---- */

typedef enum Sides { SIDE_NONE = 0, SIDE_LEFT = 1, SIDE_RIGHT = 2 } Sides;

static int sides_of(Rewriting *r, const Rel *join, const Expr *e)
{
    ColSet used = {0}, left = {0}, right = {0};
    expr_columns(e, &used, r->arena);
    rel_column_set(join->inputs[0], &left, r->arena);
    rel_column_set(join->inputs[1], &right, r->arena);
    return (colset_intersects(&used, &left) ? SIDE_LEFT : 0) | (colset_intersects(&used, &right) ? SIDE_RIGHT : 0);
}

typedef struct JoinSplit {
    Conjuncts left, right, join, above;
} JoinSplit;

static void push_inputs(Rewriting *r, RelJoin *join, JoinSplit *s)
{
    Rel *rel = &join->base;
    rel->inputs[0] = push(r, rel->inputs[0], &s->left);
    rel->inputs[1] = push(r, rel->inputs[1], &s->right);
    join->condition = conjuncts_and(r, &s->join);
}

static Rel *push_inner_join(Rewriting *r, RelJoin *join, Conjuncts *list)
{
    JoinSplit s = {0};
    Conjuncts all = {0};
    conjuncts_add(r, &all, join->condition);
    for (int i = 0; i < list->count; i++) VEC_PUSH(r->arena, all, list->items[i]);
    equality_closure(r, &all);
    for (int i = 0; i < all.count; i++) {
        Expr *e = all.items[i];
        int sides = sides_of(r, &join->base, e);
        Conjuncts *to = !may_move(e)                               ? &s.above
                        : sides == SIDE_RIGHT                      ? &s.right
                        : sides == SIDE_LEFT || sides == SIDE_NONE ? &s.left
                                                                   : &s.join;
        VEC_PUSH(r->arena, *to, e);
    }
    push_inputs(r, join, &s);
    return filter_with(r, &join->base, &s.above);
}

/* kept: the side whose rows all come through; other: the one that is filled with NULLs, or only looked into. */
static Rel *push_one_sided_join(Rewriting *r, RelJoin *join, Conjuncts *list, Sides kept)
{
    JoinSplit s = {0};
    Conjuncts own = {0}, *to_kept = kept == SIDE_LEFT ? &s.left : &s.right,
              *to_other = kept == SIDE_LEFT ? &s.right : &s.left;
    Sides other = kept == SIDE_LEFT ? SIDE_RIGHT : SIDE_LEFT;
    for (int i = 0; i < list->count; i++) {
        bool down = may_move(list->items[i]) && !(sides_of(r, &join->base, list->items[i]) & (int)other);
        if (down)
            VEC_PUSH(r->arena, *to_kept, list->items[i]);
        else
            VEC_PUSH(r->arena, s.above, list->items[i]);
    }
    conjuncts_add(r, &own, join->condition);
    for (int i = 0; i < own.count; i++) {
        bool down = may_move(own.items[i]) && sides_of(r, &join->base, own.items[i]) == (int)other && !join->null_aware;
        if (down)
            VEC_PUSH(r->arena, *to_other, own.items[i]);
        else
            VEC_PUSH(r->arena, s.join, own.items[i]);
    }
    push_inputs(r, join, &s);
    return filter_with(r, &join->base, &s.above);
}

static Rel *push_full_join(Rewriting *r, RelJoin *join, Conjuncts *list)
{
    Conjuncts none = {0}, other = {0};
    join->base.inputs[0] = push(r, join->base.inputs[0], &none);
    join->base.inputs[1] = push(r, join->base.inputs[1], &other);
    return filter_with(r, &join->base, list);
}

static Rel *push_join(Rewriting *r, RelJoin *join, Conjuncts *list)
{
    switch (join->join) {
    case JOIN_INNER:
        return push_inner_join(r, join, list);
    case JOIN_LEFT:
    case JOIN_SEMI:
    case JOIN_ANTI:
        return push_one_sided_join(r, join, list, SIDE_LEFT);
    case JOIN_RIGHT:
        return push_one_sided_join(r, join, list, SIDE_RIGHT);
    case JOIN_FULL:
        return push_full_join(r, join, list);
    }
    return filter_with(r, &join->base, list);
}

/* ---- through groups, windows, DISTINCT ---- */

static bool uses_only_ids(Rewriting *r, const Rel *rel, const Expr *e, const ColSet *allowed)
{
    ColSet used = {0};
    expr_columns(e, &used, r->arena);
    for (int i = 0; i < rel->column_count; i++)
        if (colset_has(&used, rel->columns[i].id) && !colset_has(allowed, rel->columns[i].id)) return false;
    return true;
}

static Rel *push_some(Rewriting *r, Rel *rel, Conjuncts *list, const ColSet *allowed)
{
    Conjuncts below = {0}, above = {0};
    for (int i = 0; i < list->count; i++) {
        Expr *e = list->items[i];
        if (may_move(e) && uses_only_ids(r, rel, e, allowed))
            VEC_PUSH(r->arena, below, e);
        else
            VEC_PUSH(r->arena, above, e);
    }
    rel->inputs[0] = push(r, rel->inputs[0], &below);
    return filter_with(r, rel, &above);
}

static Rel *push_aggregate(Rewriting *r, RelAggregate *group, Conjuncts *list)
{
    Rel *rel = &group->base;
    Conjuncts below = {0}, above = {0};
    ColSet keys = {0};
    ColId *ids = ARENA_ARRAY(r->arena, ColId, group->key_count);
    for (int i = 0; i < group->key_count; i++) {
        ids[i] = rel->columns[i].id;
        colset_add(&keys, r->arena, ids[i]);
    }
    /* Without keys there is a row even for no input: a condition below would not take it away. */
    bool open = group->key_count > 0 && !group->grouping_sets;
    for (int i = 0; i < list->count; i++) {
        Expr *e = list->items[i];
        if (open && may_move(e) && uses_only_ids(r, rel, e, &keys))
            VEC_PUSH(r->arena, below, expr_substitute(r->arena, e, ids, group->keys, group->key_count));
        else
            VEC_PUSH(r->arena, above, e);
    }
    rel->inputs[0] = push(r, rel->inputs[0], &below);
    return filter_with(r, rel, &above);
}

/* A condition on what every window is partitioned by keeps or drops whole partitions. */
static Rel *push_window(Rewriting *r, RelWindow *window, Conjuncts *list)
{
    ColSet allowed = {0};
    const WindowSpec *first = window->functions[0]->spec;
    for (int i = 0; i < first->partition_count; i++) {
        const Expr *key = first->partition[i];
        bool shared = key->kind == EXPR_COLUMN;
        for (int f = 1; f < window->function_count && shared; f++) {
            const WindowSpec *spec = window->functions[f]->spec;
            shared = false;
            for (int k = 0; k < spec->partition_count; k++) shared |= expr_equal(spec->partition[k], key);
        }
        if (shared) colset_add(&allowed, r->arena, ((const ExprColumn *)key)->column);
    }
    return push_some(r, &window->base, list, &allowed);
}

static Rel *push_distinct(Rewriting *r, RelDistinct *distinct, Conjuncts *list)
{
    ColSet allowed = {0};
    if (!distinct->on) rel_column_set(&distinct->base, &allowed, r->arena);
    for (int i = 0; i < distinct->on_count; i++)
        if (distinct->on[i]->kind == EXPR_COLUMN)
            colset_add(&allowed, r->arena, ((ExprColumn *)distinct->on[i])->column);
    return push_some(r, &distinct->base, list, &allowed);
}

static Rel *push_project_set(Rewriting *r, RelProjectSet *set, Conjuncts *list)
{
    ColSet allowed = {0};
    rel_column_set(set->base.inputs[0], &allowed, r->arena);
    return push_some(r, &set->base, list, &allowed);
}

static Rel *push_through(Rewriting *r, Rel *rel, Conjuncts *list)
{
    ColSet allowed = {0};
    rel_column_set(rel, &allowed, r->arena);
    return push_some(r, rel, list, &allowed);
}

/* ---- through set operations ---- */

static Rel *push_set_op(Rewriting *r, Rel *rel, Conjuncts *list)
{
    Conjuncts sides[2] = {{0}, {0}}, above = {0};
    int count = rel->column_count;
    ColId *ids = ARENA_ARRAY(r->arena, ColId, count);
    for (int i = 0; i < count; i++) ids[i] = rel->columns[i].id;
    for (int i = 0; i < list->count; i++) {
        Expr *e = list->items[i];
        /* A subquery would stand in both inputs under the same ids. */
        if (!may_move(e) || expr_has_subquery(e)) {
            VEC_PUSH(r->arena, above, e);
            continue;
        }
        for (int side = 0; side < 2; side++) {
            Expr **columns = ARENA_ARRAY(r->arena, Expr *, count);
            for (int c = 0; c < count; c++) columns[c] = rel_column_expr(r->arena, &rel->inputs[side]->columns[c]);
            VEC_PUSH(r->arena, sides[side], expr_substitute(r->arena, e, ids, columns, count));
        }
    }
    for (int side = 0; side < 2; side++) rel->inputs[side] = push(r, rel->inputs[side], &sides[side]);
    return filter_with(r, rel, &above);
}

/* ---- the walk ---- */

/* Conditions stop here; those further down are pushed on their own. */
static Rel *push_stop(Rewriting *r, Rel *rel, Conjuncts *list)
{
    for (int i = 0; i < rel->input_count; i++) {
        Conjuncts none = {0};
        rel->inputs[i] = push(r, rel->inputs[i], &none);
    }
    return filter_with(r, rel, list);
}

static Rel *push_with(Rewriting *r, RelWith *with, Conjuncts *list)
{
    for (int i = 0; i < with->cte_count; i++) {
        Conjuncts none = {0}, none_either = {0};
        with->ctes[i]->rel = push(r, with->ctes[i]->rel, &none);
        if (with->ctes[i]->recursive) with->ctes[i]->recursive = push(r, with->ctes[i]->recursive, &none_either);
    }
    return push_through(r, &with->base, list);
}

static Rel *push(Rewriting *r, Rel *rel, Conjuncts *list)
{
    switch (rel->kind) {
    case REL_FILTER:
        conjuncts_add(r, list, ((RelFilter *)rel)->condition);
        return push(r, rel->inputs[0], list);
    case REL_PROJECT:
        return push_project(r, rel, list);
    case REL_PROJECT_SET:
        return push_project_set(r, (RelProjectSet *)rel, list);
    case REL_JOIN:
        return push_join(r, (RelJoin *)rel, list);
    case REL_AGGREGATE:
        return push_aggregate(r, (RelAggregate *)rel, list);
    case REL_WINDOW:
        return push_window(r, (RelWindow *)rel, list);
    case REL_DISTINCT:
        return push_distinct(r, (RelDistinct *)rel, list);
    case REL_SORT:
        return push_through(r, rel, list);
    case REL_SET_OP:
        return push_set_op(r, rel, list);
    case REL_WITH:
        return push_with(r, (RelWith *)rel, list);
    case REL_LOCK:
        return ((const RelLock *)rel)->from_above ? push_through(r, rel, list) : push_stop(r, rel, list);
    case REL_LIMIT:
    case REL_INSERT:
    case REL_UPDATE:
    case REL_DELETE:
    case REL_TABLE:
    case REL_SYSTEM:
    case REL_FUNCTION:
    case REL_VALUES:
    case REL_CTE:
    case REL_WORKING_TABLE:
    case REL_STATEMENT_ROWS:
        return push_stop(r, rel, list);
    }
    return filter_with(r, rel, list);
}

/* The whole tree at once, from its root: a condition goes all the way in one step. */
static Status push_filter(Rewriting *r, Rel **rel)
{
    Conjuncts none = {0};
    *rel = push(r, *rel, &none);
    return ST_OK;
}

const Rule rule_push_filter = {"push_filter", push_filter, true, SETTING_enable_rule_push_filter};
