/* path_scan_build.c - the plan of the access path chosen: a scan, and an index join where the index does not cover. */
#include "planner/paths/path_scan.h"

#include <assert.h>
#include <math.h>

static double honest_rows(const TablePath *t, double priced)
{
    return fmax(1, fmin(priced * t->source->rows / t->source->rows_priced, priced));
}

/* Conditions that the spans do not guarantee. On entries: those an entry can decide; else the others. */
static void split_filter(const TablePath *t, const Candidate *c, ExprVec *on_entries, ExprVec *on_rows)
{
    for (int i = 0; i < t->count; i++) {
        Expr *e = t->conditions[i].expr;
        bool on_entry = c->covering || index_gives_expr(t->source, c->index, e);
        /* A row that changed while we waited for its lock must be tested in full. */
        bool again = !c->covering && t->source->locking;
        if (!c->choice.enforced[i] && on_entry)
            VEC_PUSH(t->p->arena, *on_entries, index_lower(t->source, c->index, e));
        if ((!c->choice.enforced[i] && !on_entry) || again)
            VEC_PUSH(t->p->arena, *on_rows, index_lower(t->source, table_primary(t->source->table), e));
    }
}

static void add_columns_of(const ExprVec *exprs, ColSet *set, Arena *arena)
{
    for (int i = 0; i < exprs->count; i++) expr_columns(exprs->items[i], set, arena);
}

static void add_order_columns(const TablePath *t, const Candidate *c, ColSet *set)
{
    for (int i = 0; i < c->order_keys; i++) expr_columns(t->wanted->order[i].expr, set, t->p->arena);
}

static Expr *conjunction(Paths *p, const ExprVec *conjuncts)
{
    return conjuncts->count ? expr_and(p->arena, conjuncts->items, conjuncts->count) : NULL;
}

static bool may_limit(const TablePath *t, const Candidate *c)
{
    return t->wanted->limit && !t->source->locking && (c->ordered || t->wanted->order_count == 0);
}

/* The order in terms of what the scan reads. A key it does not read has one value in all rows (its column is pinned), or
 * comes behind the whole index key and decides nothing. */
static void set_scan_order(const TablePath *t, const Candidate *c, Plan *scan)
{
    SortKey *keys = ARENA_ARRAY(t->p->arena, SortKey, t->wanted->order_count);
    int count = 0;
    for (int i = 0; i < c->order_keys; i++)
        if (path_column_index(scan, ((const ExprColumn *)t->wanted->order[i].expr)->column) >= 0)
            keys[count++] = t->wanted->order[i];
    path_set_order(scan, keys, count);
}

static PlanScan *make_scan(const TablePath *t, const Candidate *c, const IntVec *ordinals, const ExprVec *filter)
{
    PlanScan *scan = path_new(t->p, c->kind, sizeof *scan);
    scan->table = t->source->table;
    scan->index = c->index;
    scan->ordinals = ordinals->items;
    scan->spans = c->choice.set;
    scan->prefix_spans = c->prefix.set;
    scan->descending = c->descending;
    scan->filter = conjunction(t->p, filter);
    scan->skip_columns = c->skip_columns;
    scan->stream_columns = c->stream_columns;
    bool some_of_prefix = c->kind == PLAN_SKIP_SCAN && c->prefixes > 0;
    scan->prefix_limit = some_of_prefix ? t->wanted->distinct_each : NULL;
    scan->first_of_prefix = some_of_prefix && !scan->prefix_limit;
    scan->table_rows = t->source->rows;
    scan->rows_scanned = honest_rows(t, c->rows_read);
    scan->analyzed_at_us = t->source->stats->analyzed_at_us;
    path_add_ordinals(t->p, t->source, &scan->base, ordinals);
    scan->base.rows_estimated = honest_rows(t, c->covering ? c->rows_out : c->rows_fetched);
    scan->base.estimate_known = t->source->analyzed || t->source->rows > 0;
    scan->base.cost = c->cost;
    double needed = path_rows_needed(t, c);
    if (needed > 0) {
        double share = c->rows_read > 0 ? c->rows_out / c->rows_read : 1;
        scan->rows_hint = ceil(needed / fmax(share, 0.001));
    }
    set_scan_order(t, c, &scan->base);
    return scan;
}

/* A hard limit in the scan bounds what comes out. */
static void limit_scan(const TablePath *t, PlanScan *scan)
{
    double rows = path_limit_rows(t->wanted->limit);
    scan->limit = t->wanted->limit;
    if (expr_is_const(scan->limit, NULL) && rows > 0 && rows < scan->base.rows_estimated) scan->base.rows_estimated = rows;
}

static Plan *build_covering(TablePath *t, const Candidate *c)
{
    Paths *p = t->p;
    Source *s = t->source;
    ExprVec filter = {0}, none = {0};
    IntVec ordinals = {0};
    ColSet read = {0};
    split_filter(t, c, &filter, &none);
    colset_union(&read, p->arena, &t->wanted->columns);
    add_columns_of(&filter, &read, p->arena);
    if (c->kind == PLAN_MERGE_STREAMS) add_order_columns(t, c, &read);
    index_read_columns(s, c->index, &read, &ordinals);
    if (s->key_bytes && colset_has(&t->wanted->columns, s->key_bytes)) VEC_PUSH(p->arena, ordinals, -1);
    PlanScan *scan = make_scan(t, c, &ordinals, &filter);
    if (may_limit(t, c) && !filter.count) limit_scan(t, scan);
    scan->locking = s->locking;
    scan->lock_mode = s->lock_mode;
    scan->lock_wait = s->lock_wait;
    return path_compute_virtual(p, s, c->index, &t->wanted->columns, &scan->base);
}

static Plan *build_index_join(TablePath *t, const Candidate *c)
{
    Paths *p = t->p;
    Source *s = t->source;
    const IndexDesc *primary = table_primary(s->table);
    ExprVec on_entries = {0}, on_rows = {0};
    IntVec entry_ordinals = {0}, row_ordinals = {0};
    ColSet entry_columns = {0}, row_columns = {0};
    split_filter(t, c, &on_entries, &on_rows);
    add_columns_of(&on_entries, &entry_columns, p->arena);
    add_order_columns(t, c, &entry_columns);
    index_read_columns(s, c->index, &entry_columns, &entry_ordinals);
    if (!s->key_bytes) s->key_bytes = path_new_column(p);
    VEC_PUSH(p->arena, entry_ordinals, -1);
    PlanScan *scan = make_scan(t, c, &entry_ordinals, &on_entries);
    if (may_limit(t, c) && !on_entries.count && !on_rows.count) limit_scan(t, scan);

    colset_union(&row_columns, p->arena, &t->wanted->columns);
    add_columns_of(&on_rows, &row_columns, p->arena);
    index_read_columns(s, primary, &row_columns, &row_ordinals);
    if (colset_has(&t->wanted->columns, s->key_bytes)) VEC_PUSH(p->arena, row_ordinals, -1);
    PlanIndexJoin *join = path_new_over(p, PLAN_INDEX_JOIN, sizeof *join, &scan->base);
    join->base.column_count = 0;
    path_add_ordinals(p, s, &join->base, &row_ordinals);
    join->table = s->table;
    join->key_bytes = s->key_bytes;
    join->ordinals = row_ordinals.items;
    join->filter = conjunction(p, &on_rows);
    join->locking = s->locking;
    join->lock_mode = s->lock_mode;
    join->lock_wait = s->lock_wait;
    join->base.rows_estimated = scan->limit ? scan->base.rows_estimated : honest_rows(t, c->rows_out);
    path_set_order(&join->base, t->wanted->order, c->order_keys);
    return path_compute_virtual(p, s, primary, &t->wanted->columns, &join->base);
}

Plan *path_scan_build(TablePath *t, const Candidate *c)
{
    Plan *plan = c->covering ? build_covering(t, c) : build_index_join(t, c);
    if (c->choice.set.contradiction) plan->rows_estimated = 0;
    return plan;
}
