/* path_sort.c - ORDER BY, LIMIT, DISTINCT: sorts only where no input can deliver the order by itself. */
#include "planner/paths/path.h"

#include <math.h>

/* The keys as columns; what is no column yet is added to the extension. */
static SortKey *keys_as_columns(Paths *p, const SortKey *keys, int count, Extension *extension)
{
    SortKey *columns = ARENA_ARRAY(p->arena, SortKey, count + 1);
    for (int i = 0; i < count; i++) {
        columns[i] = keys[i];
        if (keys[i].expr->kind == EXPR_COLUMN) continue;
        ColId id = path_as_column(p, extension, keys[i].expr);
        columns[i].expr = expr_column(p->arena, id, keys[i].expr->type, expr_text(keys[i].expr, p->arena));
    }
    return columns;
}

static bool is_among(const ColId *columns, int count, const SortKey *key)
{
    for (int i = 0; i < count; i++)
        if (key->expr->kind == EXPR_COLUMN && ((const ExprColumn *)key->expr)->column == columns[i]) return true;
    return false;
}

/* DISTINCT ON (a) ... ORDER BY a, b: of each a the first row by b. */
static void pass_distinct(const RelSort *rel, const SortKey *keys, const Wanted *wanted, Wanted *below)
{
    int leading = 0;
    while (leading < rel->key_count && is_among(wanted->distinct, wanted->distinct_count, &keys[leading])) leading++;
    below->distinct = wanted->distinct;
    below->distinct_count = wanted->distinct_count;
    below->distinct_rows = wanted->distinct_rows;
    if (!wanted->distinct_on) return;
    below->first = keys + leading;
    below->first_count = rel->key_count - leading;
}

Status path_sort(Paths *p, RelSort *rel, const Wanted *wanted, Plan **plan)
{
    Extension extension = {0};
    SortKey *keys = keys_as_columns(p, rel->keys, rel->key_count, &extension);
    /* Another order asked for from above does not matter: this one is what the statement says. */
    Wanted below = path_wanted_copy(p, wanted);
    for (int i = 0; i < rel->key_count; i++) path_need(p, &below, rel->keys[i].expr);
    bool elidable = extension.exprs.count == 0;
    below.order = elidable ? keys : NULL;
    below.order_count = elidable ? rel->key_count : 0;
    int shared = wanted->order_count < rel->key_count ? wanted->order_count : rel->key_count;
    if (!path_order_equal(wanted->order, keys, shared)) {
        below.limit = NULL;
        below.rows = 0;
    }
    Expr *k = below.limit;
    double rows = k ? wanted->rows : 0;
    if (!elidable) {
        below.limit = NULL;
        below.rows = 0;
    }
    if (elidable && wanted->distinct_count && !wanted->distinct_each) pass_distinct(rel, keys, wanted, &below);
    Plan *input;
    TRY(path_rel(p, rel->base.inputs[0], &below, &input));
    input = path_extend(p, input, extension.exprs.items, extension.ids.items, extension.exprs.count);
    *plan = path_make_sort(p, input, keys, rel->key_count, k, rows);
    return ST_OK;
}

/* ---- LIMIT ---- */

/* LIMIT + OFFSET as one number of rows; NULL where it is not known to be a bound. */
static Expr *rows_in_all(Paths *p, const RelLimit *rel)
{
    Value limit, offset;
    if (!rel->limit || rel->with_ties) return NULL;
    if (!rel->offset) return rel->limit;
    if (!expr_is_const(rel->limit, &limit) || !expr_is_const(rel->offset, &offset) || limit.null) return NULL;
    if (offset.null || offset.i == 0) return rel->limit;
    if (limit.i < 0 || offset.i < 0 || limit.i > INT64_MAX - offset.i) return NULL;
    return expr_const(p->arena, rel->limit->type, value_int(limit.i + offset.i));
}

/* Does the plan itself return no more than `limit` rows? */
static bool obeys(const Plan *plan, const Expr *limit)
{
    switch (plan->kind) {
    case PLAN_TOP_K: return ((const PlanSort *)plan)->k == limit;
    case PLAN_SCAN:
    case PLAN_SKIP_SCAN:
    case PLAN_DISTINCT_SCAN: return ((const PlanScan *)plan)->limit == limit;
    case PLAN_PROJECT: return obeys(plan->inputs[0], limit);
    case PLAN_INDEX_JOIN: return !((const PlanIndexJoin *)plan)->filter && obeys(plan->inputs[0], limit);
    case PLAN_MERGE_STREAMS:
    case PLAN_SYSTEM:
    case PLAN_FUNCTION:
    case PLAN_VALUES:
    case PLAN_FILTER:
    case PLAN_PROJECT_SET:
    case PLAN_LIMIT:
    case PLAN_SORT:
    case PLAN_DISTINCT:
    case PLAN_HASH_JOIN:
    case PLAN_MERGE_JOIN:
    case PLAN_LOOKUP_JOIN:
    case PLAN_NESTED_LOOP:
    case PLAN_APPLY:
    case PLAN_AGGREGATE:
    case PLAN_WINDOW:
    case PLAN_APPEND:
    case PLAN_SET_OP:
    case PLAN_WITH:
    case PLAN_CTE:
    case PLAN_RECURSIVE:
    case PLAN_WORKING_TABLE:
    case PLAN_LOCK:
    case PLAN_INSERT:
    case PLAN_UPDATE:
    case PLAN_DELETE:
    case PLAN_UTILITY: return false;
    }
    return false;
}

static void find_ties(Paths *p, const RelLimit *rel, PlanLimit *limit)
{
    const Rel *below = rel->base.inputs[0];
    while (below->kind == REL_PROJECT || below->kind == REL_LOCK) below = below->inputs[0];
    if (!rel->with_ties || below->kind != REL_SORT) return;
    limit->ties = limit->base.order;
    limit->tie_count = limit->base.order_count;
    if (((const RelSort *)below)->key_count < limit->tie_count) limit->tie_count = ((const RelSort *)below)->key_count;
}

Status path_limit(Paths *p, RelLimit *rel, const Wanted *wanted, Plan **plan)
{
    Wanted below = path_wanted_copy(p, wanted);
    below.limit = rows_in_all(p, rel);
    below.rows = path_limit_rows(rel->limit);
    Value none;
    if (below.limit && expr_is_const(below.limit, &none) && none.null) below.limit = NULL;
    if (below.rows > 0 && rel->offset) below.rows += path_limit_rows(rel->offset);
    Plan *input;
    TRY(path_rel(p, rel->base.inputs[0], &below, &input));
    *plan = input;
    bool whole = below.limit && obeys(input, below.limit);
    if (whole && !rel->offset) return ST_OK;
    PlanLimit *limit = path_new_over(p, PLAN_LIMIT, sizeof *limit, input);
    limit->limit = rel->limit;
    limit->offset = rel->offset;
    find_ties(p, rel, limit);
    double rows = path_limit_rows(rel->limit);
    if (rows > 0 && rows < limit->base.rows_estimated) limit->base.rows_estimated = rows;
    *plan = &limit->base;
    return ST_OK;
}

/* ---- DISTINCT ---- */

Status path_distinct(Paths *p, RelDistinct *rel, const Wanted *wanted, Plan **plan)
{
    Extension extension = {0};
    Wanted below = path_wanted_copy(p, wanted);
    below.limit = NULL;
    below.rows = 0;
    int count = rel->on ? rel->on_count : rel->base.column_count;
    ColId *on = ARENA_ARRAY(p->arena, ColId, count + 1);
    for (int i = 0; i < count; i++) {
        if (rel->on) path_need(p, &below, rel->on[i]);
        on[i] = rel->on ? path_as_column(p, &extension, rel->on[i]) : rel->base.columns[i].id;
        if (!rel->on) colset_add(&below.columns, p->arena, on[i]);
    }
    if (extension.exprs.count == 0) {
        below.distinct = on;
        below.distinct_count = count;
        below.distinct_on = rel->on != NULL;
        below.distinct_rows = wanted->rows;
    }
    Plan *input;
    TRY(path_rel(p, rel->base.inputs[0], &below, &input));
    input = path_extend(p, input, extension.exprs.items, extension.ids.items, extension.exprs.count);
    PlanDistinct *distinct = path_new_over(p, PLAN_DISTINCT, sizeof *distinct, input);
    distinct->on = on;
    distinct->on_count = count;
    int ordered = 0;
    for (int i = 0; i < input->order_count && i < count; i++) {
        ColId column = input->order[i].expr->kind == EXPR_COLUMN ? ((ExprColumn *)input->order[i].expr)->column : 0;
        bool among = false;
        for (int c = 0; c < count; c++) among = among || on[c] == column;
        if (!among) break;
        ordered++;
    }
    distinct->input_ordered = count > 0 && ordered == count;
    /* By hash, first rows may come out of a spilled part in another order. */
    if (!distinct->input_ordered) path_set_order(&distinct->base, NULL, 0);
    distinct->base.rows_estimated = path_distinct_count(p, on, count, input->rows_estimated);
    distinct->base.cost += input->rows_estimated * (distinct->input_ordered ? COST_OUTPUT : COST_HASH_BUILD);
    *plan = &distinct->base;
    return ST_OK;
}
