/* path_leaf.c - relations that are not stored: VALUES, functions in FROM, virtual tables. */
#include "planner/paths/path.h"

Status path_values(Paths *p, RelValues *rel, Plan **plan)
{
    PlanValues *values = path_new(p, PLAN_VALUES, sizeof *values);
    path_set_columns(p, &values->base, rel->base.columns, rel->base.column_count);
    values->rows = rel->rows;
    values->row_count = rel->row_count;
    values->base.rows_estimated = rel->row_count;
    values->base.estimate_known = true;
    values->base.cost = COST_OUTPUT * rel->row_count;
    *plan = &values->base;
    return ST_OK;
}

Status path_function(Paths *p, RelFunction *rel, Plan **plan)
{
    PlanFunction *function = path_new(p, PLAN_FUNCTION, sizeof *function);
    path_set_columns(p, &function->base, rel->base.columns, rel->base.column_count);
    function->items = rel->items;
    function->item_count = rel->item_count;
    function->ordinality = rel->ordinality;
    function->base.rows_estimated = 10;
    function->base.cost = 10;
    *plan = &function->base;
    return ST_OK;
}

/* ---- virtual tables ---- */

static bool lists_word(const char *list, const char *word)
{
    size_t size = strlen(word);
    for (const char *at = list; at && *at;) {
        at += strspn(at, " ,");
        size_t length = strcspn(at, " ,");
        if (length == size && memcmp(at, word, size) == 0) return true;
        at += length;
    }
    return false;
}

/* The value that `column = value` gives to a column the relation can look up by; NULL if it is no such condition. */
static Expr *filter_value(const RelSystem *rel, const ColSet *own, Expr *conjunct, Arena *arena, int *column)
{
    if (conjunct->kind != EXPR_COMPARE || ((ExprCompare *)conjunct)->op != COMPARE_EQ) return NULL;
    for (int side = 0; side < 2; side++) {
        const Expr *left = conjunct->args[side];
        Expr *right = conjunct->args[1 - side];
        if (left->kind != EXPR_COLUMN || left->type.oid != right->type.oid) continue;
        ColSet used = {0};
        expr_columns(right, &used, arena);
        if (colset_intersects(&used, own) || expr_volatility(right) == VOLATILITY_VOLATILE) continue;
        for (int i = 0; i < rel->base.column_count; i++) {
            if (rel->base.columns[i].id != ((const ExprColumn *)left)->column) continue;
            if (!lists_word(rel->relation->filter_columns, rel->base.columns[i].name)) continue;
            *column = i;
            return right;
        }
    }
    return NULL;
}

Status path_system(Paths *p, RelSystem *rel, Expr **conjuncts, int count, const Wanted *wanted, Plan **plan)
{
    PlanSystem *system = path_new(p, PLAN_SYSTEM, sizeof *system);
    Wanted needs = path_wanted_copy(p, wanted);
    ColSet own = {0};
    rel_column_set(&rel->base, &own, p->arena);
    system->relation = rel->relation;
    system->filter_column = -1;
    for (int i = 0; i < count; i++) {
        path_need(p, &needs, conjuncts[i]);
        if (system->filter_column < 0)
            system->filter_value = filter_value(rel, &own, conjuncts[i], p->arena, &system->filter_column);
    }
    system->ordinals = ARENA_ARRAY(p->arena, int, rel->base.column_count + 1);
    RelColumn *kept = ARENA_ARRAY(p->arena, RelColumn, rel->base.column_count + 1);
    int kept_count = 0;
    for (int i = 0; i < rel->base.column_count; i++) {
        if (!colset_has(&needs.columns, rel->base.columns[i].id)) continue;
        system->ordinals[kept_count] = i;
        kept[kept_count++] = rel->base.columns[i];
    }
    path_set_columns(p, &system->base, kept, kept_count);
    system->base.rows_estimated = system->filter_column >= 0 ? 10 : 1000;
    system->base.cost = system->filter_column >= 0 ? 20 : 2000;
    *plan = path_make_filter(p, &system->base, conjuncts, count);
    return ST_OK;
}
