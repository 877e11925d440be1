/* path_union.c - OR over different columns, each arm by its own index.
 *
 *   WHERE email = 'a' OR id = 5   becomes   distinct on id (union all (index join (scan email), scan id))
 *
 * Rows that satisfy several arms are found several times; their primary keys tell.
 */
#include "planner/paths/path_scan.h"

#include <math.h>

enum { ARMS_MAX = 8 };

static bool is_constrained(const Candidate *c)
{
    return c->choice.set.template_count > 0 || c->choice.set.contradiction;
}

static void want_primary_key(const TablePath *t, Wanted *wanted)
{
    const IndexDesc *primary = table_primary(t->source->table);
    for (int k = 0; k < primary->columns.count; k++) {
        int ordinal = table_column_by_id(t->source->table, primary->columns.items[k].column_id);
        colset_add(&wanted->columns, t->p->arena, t->source->spans.columns[ordinal]);
    }
}

static Plan *distinct_rows(const TablePath *t, Plan *input)
{
    const IndexDesc *primary = table_primary(t->source->table);
    PlanDistinct *distinct = path_new_over(t->p, PLAN_DISTINCT, sizeof *distinct, input);
    distinct->on = ARENA_ARRAY(t->p->arena, ColId, primary->columns.count);
    for (int k = 0; k < primary->columns.count; k++) {
        if (primary->columns.items[k].implicit) continue;
        int ordinal = table_column_by_id(t->source->table, primary->columns.items[k].column_id);
        distinct->on[distinct->on_count++] = t->source->spans.columns[ordinal];
    }
    distinct->base.cost += input->rows_estimated * COST_HASH_BUILD;
    return &distinct->base;
}

static Status plan_arms(const TablePath *best, RelTable *rel, Expr **conjuncts, int count, int at, Plan **plan)
{
    Paths *p = best->p;
    const Expr *either = conjuncts[at];
    TablePath arms[ARMS_MAX];
    Wanted wanted = path_wanted_columns(p, &best->wanted->columns);
    want_primary_key(best, &wanted);
    double cost = best->wanted->order_count ? cost_sort(best->best.rows_out, 0) : 0;
    for (int i = 0; i < either->arg_count; i++) {
        ExprVec all = {0};
        for (int c = 0; c < count; c++)
            if (c != at) VEC_PUSH(p->arena, all, conjuncts[c]);
        path_split_condition(p, either->args[i], &all);
        TRY(path_scan_choose(p, rel, all.items, all.count, &wanted, &arms[i]));
        if (!is_constrained(&arms[i].best)) return ST_OK;
        cost += arms[i].best.cost + arms[i].best.rows_out * COST_HASH_BUILD;
    }
    if (cost >= best->best.cost) return ST_OK;
    Plan *append = path_new(p, PLAN_APPEND, sizeof *append);
    append->inputs = ARENA_ARRAY(p->arena, Plan *, either->arg_count);
    append->estimate_known = true;
    for (int i = 0; i < either->arg_count; i++) {
        Plan *input = path_scan_build(&arms[i], &arms[i].best);
        if (i == 0) path_append_columns(p, append, input);
        append->inputs[append->input_count++] = path_shape_like(p, input, append);
        append->rows_estimated += input->rows_estimated;
        append->estimate_known = append->estimate_known && input->estimate_known;
    }
    append->cost = cost;
    *plan = distinct_rows(best, append);
    return ST_OK;
}

Status path_union(const TablePath *best, RelTable *rel, Expr **conjuncts, int count, Plan **plan)
{
    *plan = NULL;
    if (is_constrained(&best->best) || best->source->locking) return ST_OK;
    for (int i = 0; i < count && !*plan; i++)
        if (conjuncts[i]->kind == EXPR_OR && conjuncts[i]->arg_count <= ARMS_MAX)
            TRY(plan_arms(best, rel, conjuncts, count, i, plan));
    return ST_OK;
}
