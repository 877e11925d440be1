/* path_distinct_scan.c - one row of each group, by stepping from one distinct prefix of the key to the next.
 *
 *   SELECT DISTINCT a               index on (a, b):   distinct scan, prefix a
 *   SELECT a, max(b) GROUP BY a     index on (a, b):   the same, backwards
 *   ... WHERE b < 5 GROUP BY a      a skip scan over a that stops after the first row of each
 *
 * What groups the rows stays above: it gets fewer. Each prefix costs a seek or two instead of all its rows.
 */
#include "planner/paths/path_scan.h"

#include <math.h>

enum { PREFIX_COLUMNS_MAX = 6 };

static int key_ordinal(const TablePath *t, const IndexDesc *index, int k)
{
    return (int)(span_key_column(t->source->table, index, k, NULL) - t->source->table->columns.items);
}

static bool is_in_prefix(const TablePath *t, const IndexDesc *index, int n, ColId column)
{
    for (int k = 0; k < n; k++)
        if (t->source->spans.columns[key_ordinal(t, index, k)] == column) return true;
    return false;
}

bool path_is_pinned(const TablePath *t, ColId column)
{
    for (int o = 0; o < t->source->table->columns.count; o++)
        if (t->source->spans.columns[o] == column) return t->pinned[o];
    return false;
}

/* The shortest prefix of the key that has all the columns; 0: none has. */
static int prefix_columns(const TablePath *t, const IndexDesc *index)
{
    int count = span_key_column_count(index), n = 0;
    for (int i = 0; i < t->wanted->distinct_count; i++) {
        if (path_is_pinned(t, t->wanted->distinct[i])) continue;
        while (n < count && !is_in_prefix(t, index, n, t->wanted->distinct[i])) n++;
        if (!is_in_prefix(t, index, n, t->wanted->distinct[i])) return 0;
    }
    return n <= PREFIX_COLUMNS_MAX && n < count ? n : 0;
}

/* Is the condition about columns of the prefix alone? */
static bool is_about_prefix(const TablePath *t, const IndexDesc *index, int n, const Expr *condition)
{
    ColSet used = {0};
    expr_columns(condition, &used, t->p->arena);
    for (int o = 0; o < t->source->table->columns.count; o++) {
        ColId column = t->source->spans.columns[o];
        if (colset_has(&used, column) && !is_in_prefix(t, index, n, column)) return false;
    }
    return true;
}

/* A hash code says no more than the columns it is computed from. */
static bool follows_from_prefix(const TablePath *t, const IndexDesc *index, int n, int ordinal)
{
    IntVec inputs = {0};
    if (!span_follows(&t->source->spans, ordinal, &inputs)) return false;
    for (int i = 0; i < inputs.count; i++)
        if (!is_in_prefix(t, index, n, t->source->spans.columns[inputs.items[i]])) return false;
    return true;
}

/* Does the condition say only what value a column has that has one value anyway? */
static bool is_pin(const TablePath *t, const Expr *condition)
{
    ColSet used = {0};
    expr_columns(condition, &used, t->p->arena);
    for (int o = 0; o < t->source->table->columns.count; o++)
        if (colset_has(&used, t->source->spans.columns[o]) && !t->pinned[o]) return false;
    return true;
}

double path_prefix_count(const TablePath *t, const IndexDesc *index, int n)
{
    double prefixes = 1, rows = t->source->rows_priced;
    for (int i = 0; i < t->count; i++) {
        if (!is_about_prefix(t, index, n, t->conditions[i].expr)) continue;
        rows *= t->shares[i];
        if (!is_pin(t, t->conditions[i].expr)) prefixes *= t->shares[i];
    }
    for (int k = 0; k < n; k++) {
        int ordinal = key_ordinal(t, index, k);
        if (t->pinned[ordinal] || follows_from_prefix(t, index, n, ordinal)) continue;
        if (!source_distinct_known(t->source, ordinal)) return 0;
        prefixes *= source_distinct(t->source, ordinal);
    }
    return fmax(1, fmin(prefixes, rows));
}

/* The first row is chosen among entries: what they cannot decide comes too late. */
static bool entries_decide(const TablePath *t, const Candidate *c)
{
    if (t->source->locking) return false;
    for (int i = 0; i < t->count; i++)
        if (!c->choice.enforced[i] && !index_gives_expr(t->source, c->index, t->conditions[i].expr)) return false;
    return true;
}

/* The direction that the first rows ask for, and how much of the wanted order there is then. */
static bool take_direction(const TablePath *t, Candidate *c, int n)
{
    KeyPart behind = {c->index, n, span_key_column_count(c->index)}, prefix = {c->index, 0, n};
    const Wanted *w = t->wanted;
    bool descending;
    if (path_index_order(t, &behind, w->first, w->first_count, &c->descending) < w->first_count) return false;
    c->order_keys = path_index_order(t, &prefix, w->order, w->order_count, &descending);
    if (w->first_count == 0)
        c->descending = descending;
    else if (descending != c->descending)
        c->order_keys = 0;
    c->ordered = c->order_keys > 0 && c->order_keys == w->order_count;
    return true;
}

static void offer_kind(TablePath *t, Candidate c, int n, double prefixes, double seeks_each)
{
    if (c.choice.set.contradiction || !entries_decide(t, &c) || !take_direction(t, &c, n)) return;
    c.skip_columns = n;
    c.prefixes = prefixes;
    c.seeks = fmax(c.seeks, prefixes * seeks_each);
    path_offer(t, &c);
}

void path_offer_distinct(TablePath *t, const IndexDesc *index, const bool *guaranteed)
{
    int n = prefix_columns(t, index);
    double prefixes = n ? path_prefix_count(t, index, n) : 0;
    if (prefixes == 0 || !path_setting(t->p, SETTING_enable_skipscan)) return;
    Candidate skip = path_start_candidate(t, index, PLAN_SKIP_SCAN, &(SpanOptions){.first_column = n}, guaranteed);
    Candidate first = path_start_candidate(t, index, PLAN_DISTINCT_SCAN, &(SpanOptions){0}, guaranteed);
    /* What constrains the columns behind the prefix is sought for; as a filter it could have all rows before it read. */
    bool seeks_behind = skip.choice.set.template_count > 0 && first.choice.prefix <= n;
    bool each = t->wanted->distinct_each;
    if (!seeks_behind && !each) offer_kind(t, first, n, prefixes, 1);
    if (skip.choice.set.template_count || each) offer_kind(t, skip, n, prefixes, 2);
}
