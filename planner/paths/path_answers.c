/* path_answers.c - correlated subqueries answered for all rows at once.
 *
 *   (SELECT max(x) FROM o WHERE o.c = c.id AND o.y > 5)      SELECT o.c, max(x) FROM o WHERE o.y > 5 GROUP BY o.c
 *   EXISTS (SELECT 1 FROM o WHERE o.c = c.id AND o.y > 5)    SELECT DISTINCT o.c FROM o WHERE o.y > 5
 *
 * Both plans are kept. The executor begins with the first, row by row, and goes over to the second, whose rows it keeps in
 * a hash table, when as much has been spent as that costs: how many rows will ask is known to nobody before.
 */
#include "planner/paths/path.h"

#include <math.h>

#include "planner/rules/decorrelate.h"

enum { ANSWERS_MAX = 2000000 };

/* The pairs of an equality inside = outside that a subquery is correlated by. */
typedef struct Keys {
    Expr *inside[SUBQUERY_KEYS_MAX], *outside[SUBQUERY_KEYS_MAX];
    int count;
} Keys;

static void find_subquery(Expr **slot, void *argument)
{
    bool *found = argument;
    *found = *found || (*slot && expr_has_subquery(*slot));
}

/* Inner subqueries are planned once; a working table has other rows in every round. */
static void find_second_use(Rel **slot, void *argument)
{
    bool *found = argument;
    *found = *found || (*slot)->kind == REL_WORKING_TABLE || (*slot)->kind == REL_WITH || (*slot)->kind == REL_STATEMENT_ROWS;
    rel_each_expr(*slot, find_subquery, argument);
    rel_each_input(*slot, find_second_use, argument);
}

static bool may_run_beside(Rel *rel)
{
    bool found = false;
    find_second_use(&rel, &found);
    return !found;
}

static bool take_key(Paths *p, const Rel *body, const Expr *e, Keys *keys)
{
    ColSet made = {0}, used[2] = {{0}, {0}};
    if (e->kind != EXPR_COMPARE || ((const ExprCompare *)e)->op != COMPARE_EQ || keys->count == SUBQUERY_KEYS_MAX) return false;
    rel_made_columns(body, &made, p->arena);
    for (int i = 0; i < 2; i++) expr_columns(e->args[i], &used[i], p->arena);
    for (int i = 0; i < 2; i++) {
        bool inside = !colset_empty(&used[i]) && colset_contains(&made, &used[i]);
        if (!inside || colset_intersects(&made, &used[1 - i])) continue;
        const TypeDef *type = type_find(e->args[i]->type.oid);
        if (!type || !type->hash || e->args[0]->type.oid != e->args[1]->type.oid) return false;
        keys->inside[keys->count] = e->args[i];
        keys->outside[keys->count++] = e->args[1 - i];
        return true;
    }
    return false;
}

/* What a subquery reads without its correlation; NULL: it is correlated by something else than equalities. */
static Rel *take_keys(Paths *p, Rel *body, Keys *keys)
{
    Rewriting rewriting = {p->session, p->arena, p->err, p->next_column, NULL};
    Conjuncts pulled = {0};
    Rel *free = decorrelate_pull(&rewriting, body, body, &pulled);
    if (pulled.count == 0 || decorrelate_is_correlated(&rewriting, free)) return NULL;
    for (int i = 0; i < pulled.count; i++)
        if (!take_key(p, body, pulled.items[i], keys)) return NULL;
    return free;
}

static RelColumn key_column(Paths *p, const Keys *keys, int i)
{
    return (RelColumn){.id = path_new_column(p), .name = "key", .type = keys->inside[i]->type};
}

/* Projects the keys and, if there is one, the answer. */
static Rel *project(Paths *p, Rel *input, Expr *const *exprs, int count)
{
    RelProject *rel = rel_new_over(p->arena, REL_PROJECT, sizeof *rel, input);
    rel->base.columns = ARENA_ARRAY(p->arena, RelColumn, count);
    rel->base.column_count = count;
    rel->exprs = arena_copy(p->arena, exprs, sizeof *exprs * (size_t)count);
    for (int i = 0; i < count; i++)
        rel->base.columns[i] = (RelColumn){.id = path_new_column(p), .name = "key", .type = exprs[i]->type};
    return &rel->base;
}

static Rel *existing_keys(Paths *p, const ExprSubquery *sub, Keys *keys)
{
    Rel *input = take_keys(p, decorrelate_strip_for_exists(sub->rel), keys);
    if (!input) return NULL;
    RelDistinct *distinct = rel_new_over(p->arena, REL_DISTINCT, sizeof *distinct, project(p, input, keys->inside, keys->count));
    return &distinct->base;
}

/* The aggregate over all rows that the subquery returns, or computes its answer from; NULL: it is something else. */
static RelAggregate *only_aggregate(Paths *p, const ExprSubquery *sub, Expr **answer)
{
    Rel *rel = sub->rel;
    if (rel->column_count != 1) return NULL;
    *answer = rel_column_expr(p->arena, &rel->columns[0]);
    if (rel->kind == REL_PROJECT) {
        *answer = ((const RelProject *)rel)->exprs[0];
        rel = rel->inputs[0];
    }
    RelAggregate *aggregate = (RelAggregate *)rel;
    bool fits = rel->kind == REL_AGGREGATE && aggregate->key_count == 0 && !aggregate->grouping_sets;
    return fits ? aggregate : NULL;
}

static Rel *grouped_answers(Paths *p, const ExprSubquery *sub, Keys *keys)
{
    Expr *exprs[SUBQUERY_KEYS_MAX + 1];
    const RelAggregate *whole = only_aggregate(p, sub, &exprs[SUBQUERY_KEYS_MAX]);
    Rel *input = whole ? take_keys(p, whole->base.inputs[0], keys) : NULL;
    if (!input) return NULL;
    RelAggregate *groups = arena_copy(p->arena, whole, sizeof *groups);
    groups->base.inputs = arena_copy(p->arena, &input, sizeof(Rel *));
    groups->keys = arena_copy(p->arena, keys->inside, sizeof(Expr *) * (size_t)keys->count);
    groups->key_count = keys->count;
    groups->base.column_count = keys->count + whole->base.column_count;
    groups->base.columns = ARENA_ARRAY(p->arena, RelColumn, groups->base.column_count);
    for (int i = 0; i < keys->count; i++) {
        groups->base.columns[i] = key_column(p, keys, i);
        exprs[i] = rel_column_expr(p->arena, &groups->base.columns[i]);
    }
    memcpy(groups->base.columns + keys->count, whole->base.columns, sizeof(RelColumn) * (size_t)whole->base.column_count);
    exprs[keys->count] = exprs[SUBQUERY_KEYS_MAX];
    return project(p, &groups->base, exprs, keys->count + 1);
}

Status path_answers(Paths *p, ExprSubquery *sub)
{
    Keys keys = {.count = 0};
    bool kind = sub->sub_kind == SUBQUERY_EXISTS || sub->sub_kind == SUBQUERY_SCALAR;
    if (!kind || sub->outer_count == 0 || !path_setting(p, SETTING_enable_rule_decorrelate)) return ST_OK;
    if (rel_volatility(sub->rel) == VOLATILITY_VOLATILE || !may_run_beside(sub->rel)) return ST_OK;
    Rel *rel = sub->sub_kind == SUBQUERY_EXISTS ? existing_keys(p, sub, &keys) : grouped_answers(p, sub, &keys);
    ColId *outer;
    if (!rel || rel_outer_columns(rel, &outer, p->arena) > 0) return ST_OK;
    for (int i = 0; i < keys.count; i++)
        if (expr_has_subquery(keys.outside[i])) return ST_OK;
    Plan *plan;
    TRY(path_rel_shaped(p, rel, (Wanted){0}, &plan));
    if (plan->rows_estimated > ANSWERS_MAX) return ST_OK;
    sub->answers = plan;
    sub->answers_after = ceil(fmax(1, plan->cost / fmax(sub->plan->cost, 1)));
    sub->base.args = arena_copy(p->arena, keys.outside, sizeof(Expr *) * (size_t)keys.count);
    sub->base.arg_count = keys.count;
    return ST_OK;
}
