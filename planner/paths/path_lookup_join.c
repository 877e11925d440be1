/* path_lookup_join.c - for each left row, the rows of a table by one of its indexes: a scan whose spans hold left columns. */
#include "planner/paths/path_join.h"

#include <math.h>

static bool covers(const Source *s, const IndexDesc *index, const JoinSpec *spec, const ColSet *wanted)
{
    if (index->primary) return true;
    for (int o = 0; o < s->table->columns.count; o++)
        if (colset_has(wanted, s->spans.columns[o]) && !index_gives(s, index, o)) return false;
    for (int i = 0; i < spec->count; i++)
        if (!index_gives_expr(s, index, spec->conditions[i])) return false;
    return true;
}

/* Outer and semi joins must find in one step whether there is a match; columns computed above it would not be NULL where
 * there is none.
 */
static bool fits_kind(const Source *s, const IndexDesc *index, const JoinSpec *spec, const ColSet *wanted, bool covering)
{
    if (spec->join == JOIN_INNER) return true;
    /* Where entries decide whether there is a match, the rows can be fetched afterwards, or not at all. */
    for (int i = 0; !covering && i < spec->count; i++)
        if (!index_gives_expr(s, index, spec->conditions[i])) return false;
    if (!covering && spec->join != JOIN_LEFT) return false;
    const IndexDesc *from = covering ? index : table_primary(s->table);
    for (int o = 0; o < s->table->columns.count; o++)
        if (colset_has(wanted, s->spans.columns[o]) && !index_holds(s->table, from, o)) return false;
    return true;
}

static bool uses_left(const SpanChoice *spans, const SpanCondition *conditions, int count, const ColSet *left, Arena *arena)
{
    for (int i = 0; i < count; i++) {
        ColSet used = {0};
        if (!spans->used[i]) continue;
        expr_columns(conditions[i].expr, &used, arena);
        if (colset_intersects(&used, left)) return true;
    }
    return false;
}

static void consider(TablePath *t, const IndexDesc *index, const JoinSpec *spec, const ColSet *left, LookupChoice *best)
{
    Source *s = t->source;
    SpanCondition *used = ARENA_ARRAY(t->p->arena, SpanCondition, t->count + 1);
    bool *guaranteed = ARENA_ARRAY(t->p->arena, bool, t->count + 1);
    LookupChoice c = {.source = s, .index = index, .conditions = spec->conditions, .count = spec->count};
    if (index->state != INDEX_PUBLIC || !path_predicate_holds(t, index, guaranteed)) return;
    span_choose(&s->spans, index, t->conditions, t->count, &(SpanOptions){0}, &c.spans);
    if (!c.spans.set.template_count || c.spans.set.contradiction) return;
    if (!uses_left(&c.spans, t->conditions, t->count, left, t->p->arena)) return;
    c.covering = covers(s, index, spec, &t->wanted->columns);
    if (!fits_kind(s, index, spec, &t->wanted->columns, c.covering)) return;
    int used_count = 0;
    c.rows_each = s->rows_priced;
    for (int i = 0; i < t->count; i++) {
        c.spans.enforced[i] = c.spans.enforced[i] || guaranteed[i];
        if (!c.spans.used[i]) continue;
        c.rows_each *= t->shares[i];
        used[used_count++] = t->conditions[i];
    }
    double unique = selectivity_unique_limit(s, used, used_count);
    c.rows_each = fmin(c.rows_each, unique);
    c.key_unique = unique <= 1;
    c.cost_each = cost_span_count(&c.spans.set) * COST_SEEK + c.rows_each * cost_width(s->table, index);
    if (!c.covering) c.cost_each += c.rows_each * COST_FETCH;
    if (!best->index || c.cost_each < best->cost_each) *best = c;
}

bool path_lookup_choose(Paths *p, Source *source, const JoinSpec *spec, const ColSet *left, const ColSet *wanted,
                        LookupChoice *choice)
{
    *choice = (LookupChoice){0};
    if (source->locking) return false;
    if (!path_setting(p, SETTING_enable_lookupjoin)) return false;
    Wanted needs = path_wanted_columns(p, wanted);
    TablePath t = {.p = p, .source = source, .wanted = &needs, .count = spec->count};
    t.conditions = ARENA_ARRAY(p->arena, SpanCondition, spec->count + 1);
    t.shares = ARENA_ARRAY(p->arena, double, spec->count + 1);
    t.not_nan = ARENA_ARRAY(p->arena, bool, source->table->columns.count);
    t.not_null = ARENA_ARRAY(p->arena, bool, source->table->columns.count);
    for (int o = 0; o < source->table->columns.count; o++) t.not_null[o] = source->table->columns.items[o].not_null;
    bool any = false;
    for (int i = 0; i < spec->count; i++) {
        span_analyse(&source->spans, spec->conditions[i], &t.conditions[i]);
        t.shares[i] = selectivity_condition(source, &t.conditions[i]);
        any = any || t.conditions[i].usable;
    }
    for (int i = 0; any && i < source->table->indexes.count; i++)
        if (path_hint_allows(source->rel, &source->table->indexes.items[i]))
            consider(&t, &source->table->indexes.items[i], spec, left, choice);
    return choice->index != NULL;
}

/* ---- the plan ---- */

static void split(Paths *p, const LookupChoice *c, ExprVec *on_entries, ExprVec *on_rows)
{
    for (int i = 0; i < c->count; i++) {
        if (c->spans.enforced[i]) continue;
        if (c->covering || index_gives_expr(c->source, c->index, c->conditions[i]))
            VEC_PUSH(p->arena, *on_entries, index_lower(c->source, c->index, c->conditions[i]));
        else
            VEC_PUSH(p->arena, *on_rows, index_lower(c->source, table_primary(c->source->table), c->conditions[i]));
    }
}

static void need_all(Paths *p, const ExprVec *exprs, ColSet *set)
{
    for (int i = 0; i < exprs->count; i++) expr_columns(exprs->items[i], set, p->arena);
}

static bool wants_key_bytes(const Source *s, const ColSet *wanted)
{
    return s->key_bytes && colset_has(wanted, s->key_bytes);
}

static PlanLookupJoin *make_lookup(Paths *p, Plan *left, const JoinSpec *spec, const LookupChoice *c,
                                   const IntVec *ordinals, const ExprVec *condition)
{
    PlanLookupJoin *lookup = path_new_over(p, PLAN_LOOKUP_JOIN, sizeof *lookup, left);
    Plan right = {0};
    path_add_ordinals(p, c->source, &right, ordinals);
    lookup->join = spec->join;
    lookup->table = c->source->table;
    lookup->index = c->index;
    lookup->ordinals = ordinals->items;
    lookup->spans = c->spans.set;
    lookup->right_columns = right.columns;
    lookup->right_count = right.column_count;
    lookup->condition = condition->count ? expr_and(p->arena, condition->items, condition->count) : NULL;
    lookup->key_unique = c->key_unique;
    if (spec->join != JOIN_SEMI && spec->join != JOIN_ANTI) path_append_columns(p, &lookup->base, &right);
    lookup->base.rows_estimated = spec->rows;
    lookup->base.cost = left->cost + left->rows_estimated * c->cost_each;
    return lookup;
}

static Plan *fetch_rows(Paths *p, Plan *lookup, const Plan *left, const LookupChoice *c, const ColSet *wanted,
                        const ExprVec *on_rows)
{
    Source *s = c->source;
    IntVec table_ordinals = {0}, ordinals = {0};
    ColSet needed = {0};
    colset_union(&needed, p->arena, wanted);
    need_all(p, on_rows, &needed);
    index_read_columns(s, table_primary(s->table), &needed, &table_ordinals);
    PlanIndexJoin *join = path_new_over(p, PLAN_INDEX_JOIN, sizeof *join, lookup);
    join->base.column_count = 0;
    path_append_columns(p, &join->base, left);
    for (int i = 0; i < left->column_count; i++) VEC_PUSH(p->arena, ordinals, -1);
    if (wants_key_bytes(s, wanted)) VEC_PUSH(p->arena, table_ordinals, -1);
    path_add_ordinals(p, s, &join->base, &table_ordinals);
    for (int i = 0; i < table_ordinals.count; i++) VEC_PUSH(p->arena, ordinals, table_ordinals.items[i]);
    join->table = s->table;
    join->key_bytes = s->key_bytes;
    join->ordinals = ordinals.items;
    join->filter = on_rows->count ? expr_and(p->arena, on_rows->items, on_rows->count) : NULL;
    return &join->base;
}

Plan *path_lookup_build(Paths *p, Plan *left, const JoinSpec *spec, const LookupChoice *c, const ColSet *wanted)
{
    Source *s = c->source;
    ExprVec on_entries = {0}, on_rows = {0};
    IntVec ordinals = {0};
    ColSet needed = {0};
    split(p, c, &on_entries, &on_rows);
    need_all(p, &on_entries, &needed);
    if (c->covering) {
        colset_union(&needed, p->arena, wanted);
        index_read_columns(s, c->index, &needed, &ordinals);
        if (wants_key_bytes(s, wanted)) VEC_PUSH(p->arena, ordinals, -1);
        Plan *lookup = &make_lookup(p, left, spec, c, &ordinals, &on_entries)->base;
        return spec->join == JOIN_INNER ? path_compute_virtual(p, s, c->index, wanted, lookup) : lookup;
    }
    index_read_columns(s, c->index, &needed, &ordinals);
    if (!s->key_bytes) s->key_bytes = path_new_column(p);
    VEC_PUSH(p->arena, ordinals, -1);
    Plan *lookup = &make_lookup(p, left, spec, c, &ordinals, &on_entries)->base;
    Plan *rows = fetch_rows(p, lookup, left, c, wanted, &on_rows);
    if (spec->join == JOIN_LEFT) return rows;
    return path_compute_virtual(p, s, table_primary(s->table), wanted, rows);
}
