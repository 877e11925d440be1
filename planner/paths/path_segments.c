/* path_segments.c - an index order in pieces.
 *
 *   ORDER BY b LIMIT 10, b nullable, index on b:   keys hold NULL, 1, 2, 3 ...; SQL wants 1, 2, 3 ..., NULL
 *   becomes   union all (scan (/NULL - ], scan [/NULL - /NULL])
 *
 * Each piece is planned as a query of its own with one more condition, so every kind of scan can serve it. The second one
 * is not opened before the first is used up, which below a LIMIT is mostly never. Pieces that deliver only the leading keys
 * of the order are of use too: the rows that are alike in those are few, and are sorted above.
 */
#include "planner/paths/path_scan.h"

#include <math.h>

enum { SEGMENTS_MAX = 3 };

static bool is_key_column(const TableDesc *table, int ordinal)
{
    for (int i = 0; i < table->indexes.count; i++)
        for (int k = 0; k < table->indexes.items[i].columns.count; k++)
            if (table->indexes.items[i].columns.items[k].column_id == table->columns.items[ordinal].id) return true;
    return false;
}

static int first_order_ordinal(const TablePath *t)
{
    for (int i = 0; i < t->wanted->order_count; i++) {
        ColId id = ((const ExprColumn *)t->wanted->order[i].expr)->column;
        int ordinal = 0;
        while (ordinal < t->source->table->columns.count && t->source->spans.columns[ordinal] != id) ordinal++;
        if (ordinal == t->source->table->columns.count) return -1;
        if (!t->pinned[ordinal]) return ordinal;
    }
    return -1;
}

static const SortKey *key_of(const TablePath *t, int ordinal)
{
    for (int i = 0; i < t->wanted->order_count; i++)
        if (((const ExprColumn *)t->wanted->order[i].expr)->column == t->source->spans.columns[ordinal])
            return &t->wanted->order[i];
    return NULL;
}

/* The conditions of the pieces, in the order in which SQL wants their rows. */
static int make_conditions(const TablePath *t, int ordinal, Expr **conditions)
{
    Arena *arena = t->p->arena;
    const ColumnDesc *column = &t->source->table->columns.items[ordinal];
    const TypeDef *type = type_find(column->type.oid);
    const SortKey *key = key_of(t, ordinal);
    Expr *e = key->expr, *pieces[SEGMENTS_MAX];
    int count = 0;
    Value nan;
    Error err = {0};
    TypeCtx ctx = {arena, t->source->spans.env, &err};
    if (!t->not_nan[ordinal] && type->in(type, &ctx, slice_str("NaN"), -1, &nan) == ST_OK) {
        Expr *nan_const = expr_const(arena, column->type, nan);
        pieces[count++] = expr_compare(arena, COMPARE_LT, e, nan_const);
        pieces[count++] = expr_compare(arena, COMPARE_EQ, e, nan_const);
    } else {
        pieces[count++] = expr_is_null(arena, e, true);
    }
    bool nulls = !t->not_null[ordinal];
    int at = 0;
    if (nulls && key->nulls_first) conditions[at++] = expr_is_null(arena, e, false);
    for (int i = 0; i < count; i++) conditions[at++] = pieces[key->descending ? count - 1 - i : i];
    if (nulls && !key->nulls_first) conditions[at++] = expr_is_null(arena, e, false);
    return at;
}

/* Nothing is in every order. */
static bool delivers_all(const Candidate *c)
{
    return c->ordered || c->choice.set.contradiction;
}

static Plan *append(Paths *p, TablePath *pieces, int count, const Wanted *wanted)
{
    int order_keys = wanted->order_count;
    Plan *plan = path_new(p, PLAN_APPEND, sizeof *plan);
    plan->inputs = ARENA_ARRAY(p->arena, Plan *, count);
    plan->input_count = count;
    plan->estimate_known = true;
    for (int i = 0; i < count; i++) {
        Plan *input = path_scan_build(&pieces[i], &pieces[i].best);
        if (i == 0) path_append_columns(p, plan, input);
        plan->inputs[i] = path_shape_like(p, input, plan);
        plan->rows_estimated += input->rows_estimated;
        plan->cost += pieces[i].best.cost;
        if (!delivers_all(&pieces[i].best) && pieces[i].best.order_keys < order_keys) order_keys = pieces[i].best.order_keys;
        plan->estimate_known = plan->estimate_known && input->estimate_known;
    }
    path_set_order(plan, wanted->order, order_keys);
    return plan;
}

Status path_segments(const TablePath *best, RelTable *rel, Expr **conjuncts, int count, Plan **plan)
{
    int ordinal = first_order_ordinal(best);
    *plan = NULL;
    if (ordinal < 0 || (best->not_null[ordinal] && best->not_nan[ordinal])) return ST_OK;
    if (!is_key_column(rel->table, ordinal) || !type_find(rel->table->columns.items[ordinal].type.oid)) return ST_OK;
    Expr *conditions[SEGMENTS_MAX];
    TablePath pieces[SEGMENTS_MAX];
    int piece_count = make_conditions(best, ordinal, conditions);
    double cost = 0;
    for (int i = 0; i < piece_count; i++) {
        Expr **all = ARENA_ARRAY(best->p->arena, Expr *, count + 1);
        if (count) memcpy(all, conjuncts, sizeof *all * (size_t)count);
        all[count] = conditions[i];
        TRY(path_scan_choose(best->p, rel, all, count + 1, best->wanted, &pieces[i]));
        if (!delivers_all(&pieces[i].best) && pieces[i].best.order_keys == 0) return ST_OK;
        cost += pieces[i].best.cost;
    }
    if (cost < best->best.cost) *plan = append(best->p, pieces, piece_count, best->wanted);
    return ST_OK;
}
