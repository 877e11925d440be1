/* path_scan.c - which index to read a table by, and how: plainly, by one ordered stream per leading value, or skipping
 * over a leading column.
 */
#include "planner/paths/path_scan.h"

#include <assert.h>
#include <math.h>

enum { STREAMS_MAX = 2048, SKIP_COLUMNS_MAX = 2 };

static int streams_max(const Paths *p)
{
    if (!path_setting(p, SETTING_enable_bucketmerge)) return 0;
    if (!p->session || !p->session->settings) return STREAMS_MAX;
    int64_t max = setting_int(p->session->settings, SETTING_yb_max_merge_scan_streams);
    return max < STREAMS_MAX ? (int)max : STREAMS_MAX;
}

/* ---- facts about columns ---- */

static bool rejects_null(const SpanCondition *condition, int ordinal)
{
    if (!condition->usable || condition->terms.count == 0) return false;
    for (int t = 0; t < condition->terms.count; t++) {
        bool rejects = false;
        const SpanTerm *term = &condition->terms.items[t];
        for (int i = 0; i < term->pairs.count; i++) {
            const SpanPart *part = &term->pairs.items[i].part;
            if (term->pairs.items[i].ordinal == ordinal && part->kind != SPAN_NULL && !part->or_null) rejects = true;
        }
        if (!rejects) return false;
    }
    return true;
}

static bool pins(const SpanCondition *condition, int ordinal)
{
    if (!condition->usable || condition->terms.count != 1) return false;
    const SpanTerm *term = &condition->terms.items[0];
    for (int i = 0; i < term->pairs.count; i++) {
        const SpanPart *part = &term->pairs.items[i].part;
        if (term->pairs.items[i].ordinal != ordinal) continue;
        if (part->kind == SPAN_NULL) return true;
        if (part->kind == SPAN_POINTS && part->value_count == 1 && !part->array && !part->or_null) return true;
    }
    return false;
}

/* NaN lies below all other values in a key: what has a lower bound excludes it. */
static bool part_rejects_nan(const TypeDef *type, const SpanPart *part)
{
    Value value;
    if (part->kind == SPAN_RANGE && part->low)
        return !part->low_inclusive || (expr_is_const(part->low, &value) && !span_value_is_nan(type, value));
    if (part->kind != SPAN_POINTS || !span_part_is_constant(part)) return part->kind == SPAN_NULL;
    for (int i = 0; i < part->value_count; i++)
        if (expr_is_const(part->values[i], &value) && span_value_is_nan(type, value)) return false;
    return true;
}

static bool rejects_nan(const TypeDef *type, const SpanCondition *condition, int ordinal)
{
    if (!condition->usable || condition->terms.count == 0) return false;
    for (int t = 0; t < condition->terms.count; t++) {
        bool rejects = false;
        const SpanTerm *term = &condition->terms.items[t];
        for (int i = 0; i < term->pairs.count; i++)
            if (term->pairs.items[i].ordinal == ordinal && part_rejects_nan(type, &term->pairs.items[i].part))
                rejects = true;
        if (!rejects) return false;
    }
    return true;
}

static bool can_be_nan(const TypeDef *type)
{
    return type && (type->key_class == KEY_CLASS_FLOAT || type->key_class == KEY_CLASS_DECIMAL);
}

static void note_columns(TablePath *t)
{
    const TableDesc *table = t->source->table;
    t->not_nan = ARENA_ARRAY(t->p->arena, bool, table->columns.count);
    t->pinned = ARENA_ARRAY(t->p->arena, bool, table->columns.count);
    t->not_null = ARENA_ARRAY(t->p->arena, bool, table->columns.count);
    for (int o = 0; o < table->columns.count; o++) {
        const TypeDef *type = type_find(table->columns.items[o].type.oid);
        t->not_null[o] = table->columns.items[o].not_null;
        t->not_nan[o] = !can_be_nan(type);
        for (int i = 0; i < t->count; i++) {
            t->not_nan[o] = t->not_nan[o] || rejects_nan(type, &t->conditions[i], o);
            t->pinned[o] = t->pinned[o] || pins(&t->conditions[i], o);
            t->not_null[o] = t->not_null[o] || rejects_null(&t->conditions[i], o);
        }
    }
    for (int o = 0; o < table->columns.count; o++) {
        IntVec inputs = {0};
        if (t->pinned[o] || !span_follows(&t->source->spans, o, &inputs)) continue;
        bool all = true;
        for (int i = 0; i < inputs.count; i++) {
            const TypeDef *type = type_find(table->columns.items[inputs.items[i]].type.oid);
            all = all && t->pinned[inputs.items[i]] && type->key_class != KEY_CLASS_FLOAT;
        }
        t->pinned[o] = all;
    }
}

/* ---- what a candidate reads and costs ---- */

static bool is_covering(const TablePath *t, const Candidate *c)
{
    const Source *s = t->source;
    if (c->index->primary) return true;
    if (s->locking) return false;
    for (int o = 0; o < s->table->columns.count; o++)
        if (colset_has(&t->wanted->columns, s->spans.columns[o]) && !index_gives(s, c->index, o)) return false;
    for (int i = 0; i < t->count; i++)
        if (!c->choice.enforced[i] && !index_gives_expr(s, c->index, t->conditions[i].expr)) return false;
    return true;
}

/* Each span is one row of a unique key at most. INFINITY if they are not. */
static double whole_keys(const Candidate *c)
{
    const SpanSet *set = &c->choice.set;
    if (!index_is_unique(c->index) || !set->template_count) return INFINITY;
    for (int t = 0; t < set->template_count; t++) {
        if (set->templates[t].part_count < c->index->columns.count) return INFINITY;
        for (int i = 0; i < c->index->columns.count; i++) {
            const SpanPart *part = &set->templates[t].parts[i];
            if (part->kind == SPAN_COMPUTED) continue;
            if (part->kind != SPAN_POINTS || part->or_null) return INFINITY;
        }
    }
    return cost_span_count(set);
}

/* Of each prefix rows are read until as many as are wanted pass the filter. */
static void read_first_rows(const TablePath *t, Candidate *c)
{
    double passes = 1;
    for (int i = 0; i < t->count; i++)
        if (!c->choice.enforced[i]) passes *= t->shares[i];
    double each = t->wanted->distinct_each ? path_limit_rows(t->wanted->distinct_each) : 1;
    double found = fmin(c->prefixes * (each > 0 ? each : 10), c->rows_out);
    c->rows_read = fmin(c->rows_read, fmax(found, 1) / fmax(passes, 1e-6));
    c->rows_fetched = c->rows_out = found;
}

static void count_rows(const TablePath *t, Candidate *c)
{
    double rows = t->source->rows_priced, read = rows, fetched = rows, out = rows;
    SpanCondition *used = ARENA_ARRAY(t->p->arena, SpanCondition, t->count + 1);
    int used_count = 0;
    for (int i = 0; i < t->count; i++) {
        out *= t->shares[i];
        if (c->choice.used[i]) read *= t->shares[i];
        if (c->choice.used[i]) used[used_count++] = t->conditions[i];
        if (c->choice.used[i] || index_gives_expr(t->source, c->index, t->conditions[i].expr)) fetched *= t->shares[i];
    }
    double unique = fmin(selectivity_unique_limit(t->source, t->conditions, t->count), whole_keys(c));
    c->rows_read = fmin(fmin(read, whole_keys(c)), selectivity_unique_limit(t->source, used, used_count));
    c->rows_out = fmin(out, unique);
    c->rows_fetched = fmin(fmax(fetched, c->rows_out), c->rows_read);
    if (c->prefixes > 0) read_first_rows(t, c);
}

static void take_order(const TablePath *t, Candidate *c, int from)
{
    KeyPart part = {c->index, from, span_key_column_count(c->index)};
    c->order_keys = path_index_order(t, &part, t->wanted->order, t->wanted->order_count, &c->descending);
    c->ordered = c->order_keys > 0 && c->order_keys == t->wanted->order_count;
    /* The direction is of use only together with the order. */
    if (c->order_keys == 0) c->descending = false;
}

/* Rows alike in those keys of the order that hold: they are sorted together. */
static double segment_rows(const TablePath *t, const Candidate *c)
{
    double distinct = 1;
    for (int i = 0; i < c->order_keys; i++) {
        ColId column = ((const ExprColumn *)t->wanted->order[i].expr)->column;
        for (int o = 0; o < t->source->table->columns.count; o++)
            if (t->source->spans.columns[o] == column && !t->pinned[o]) distinct *= source_distinct(t->source, o);
    }
    return fmax(1, c->rows_out / fmax(distinct, 1));
}

double path_rows_needed(const TablePath *t, const Candidate *c)
{
    double rows = c->prefixes > 0 ? t->wanted->distinct_rows : t->wanted->rows;
    if (rows <= 0 || t->wanted->order_count == 0 || c->ordered) return rows;
    return c->order_keys ? rows + segment_rows(t, c) : 0;
}

static double order_cost(const TablePath *t, const Candidate *c, double rows)
{
    if (t->wanted->order_count == 0 || c->ordered) return 0;
    if (c->order_keys == 0) return path_sort_cost(t->p, c->rows_out, t->wanted->rows);
    double sorted = rows > 0 ? fmin(rows, c->rows_out) : c->rows_out;
    return path_sort_cost(t->p, sorted, segment_rows(t, c));
}

/* Do the entries hold the computed columns that stand for their expressions? */
static bool holds_computed(const TablePath *t, const Candidate *c)
{
    for (int o = 0; o < t->source->table->columns.count; o++)
        if (colset_has(t->p->held, t->source->spans.columns[o]) && !index_holds(t->source->table, c->index, o)) return false;
    return c->covering;
}

static void price(const TablePath *t, Candidate *c)
{
    count_rows(t, c);
    double share = 1, rows = path_rows_needed(t, c);
    if (rows > 0 && rows < c->rows_out) share = rows / c->rows_out;
    double read = fmax(c->rows_read * share, fmin(c->rows_read, 1)), fetched = c->rows_fetched * share;
    if (c->kind == PLAN_MERGE_STREAMS) read += c->seeks;
    int filters = 0;
    for (int i = 0; i < t->count; i++) filters += !c->choice.enforced[i];
    double seeks = c->prefixes > 0 ? c->seeks * share : c->seeks;
    c->cost = seeks * COST_SEEK + read * (cost_width(t->source->table, c->index) + filters * COST_FILTER);
    if (!c->covering) c->cost += fetched * COST_FETCH;
    c->cost += order_cost(t, c, rows);
    if (c->kind == PLAN_MERGE_STREAMS) c->cost += read * 0.05 * log2(c->seeks + 1);
    bool full = c->choice.set.template_count == 0 && !c->choice.set.contradiction;
    if (full && !path_setting(t->p, SETTING_enable_seqscan)) c->cost += COST_DISABLED;
    if (!c->index->primary && !path_setting(t->p, SETTING_enable_indexscan)) c->cost += COST_DISABLED;
    if (c->choice.set.contradiction) c->cost = 0;
    if (t->p->held && !holds_computed(t, c)) c->cost += COST_DISABLED;
}

void path_offer(TablePath *t, Candidate *c)
{
    bool whole = c->choice.set.template_count == 0 && !c->choice.set.contradiction;
    if (t->source->rel->no_full_scan && whole && !t->wanted->limit && c->prefixes == 0) return;
    c->covering = is_covering(t, c);
    price(t, c);
    if (t->found && c->cost >= t->best.cost) return;
    t->best = *c;
    t->found = true;
}

/* ---- the kinds of scans ---- */

static void take_guarantees(const TablePath *t, SpanChoice *choice, const bool *guaranteed)
{
    for (int i = 0; i < t->count; i++) {
        choice->enforced[i] = choice->enforced[i] || guaranteed[i];
        choice->used[i] = choice->used[i] || guaranteed[i];
    }
}

/* The columns stepped over need not be free: their conditions bound where the next prefix is looked for. */
static void constrain_prefix(const TablePath *t, Candidate *c, int columns)
{
    span_choose(&t->source->spans, c->index, t->conditions, t->count, &(SpanOptions){.column_count = columns}, &c->prefix);
    c->choice.set.contradiction = c->choice.set.contradiction || c->prefix.set.contradiction;
    for (int i = 0; i < t->count; i++) {
        c->choice.enforced[i] = c->choice.enforced[i] || c->prefix.enforced[i];
        c->choice.used[i] = c->choice.used[i] || c->prefix.used[i];
    }
}

Candidate path_start_candidate(const TablePath *t, const IndexDesc *index, PlanKind kind, const SpanOptions *options,
                               const bool *guaranteed)
{
    Candidate c = {.kind = kind, .index = index};
    span_choose(&t->source->spans, index, t->conditions, t->count, options, &c.choice);
    take_guarantees(t, &c.choice, guaranteed);
    if (kind == PLAN_SKIP_SCAN) constrain_prefix(t, &c, options->first_column);
    c.seeks = cost_span_count(&c.choice.set);
    return c;
}

/* How many streams the first n parts of a template make; 0 if they are no lists of points. */
static double template_streams(const SpanTemplate *template, int n)
{
    if (n > template->part_count) return 0;
    double product = 1;
    for (int i = 0; i < n; i++) {
        const SpanPart *part = &template->parts[i];
        if (part->kind == SPAN_RANGE || part->kind == SPAN_NOT_NULL) return 0;
        if (part->kind == SPAN_POINTS) product *= part->array ? 10 : part->value_count;
        if (part->or_null) product++;
    }
    return product;
}

/* Several templates (those of a row comparison) may have spans in the same stream: this is how many there are at most. */
static double stream_count(const SpanChoice *choice, int n)
{
    double streams = 0;
    for (int t = 0; t < choice->set.template_count; t++) {
        double one = template_streams(&choice->set.templates[t], n);
        if (one == 0) return 0;
        streams += one;
    }
    return streams;
}

/* One ordered stream per combination of leading values, merged. */
static void offer_streams(TablePath *t, const IndexDesc *index, const bool *guaranteed)
{
    int max = streams_max(t->p);
    if (max == 0 || t->wanted->order_count == 0) return;
    Candidate c = path_start_candidate(t, index, PLAN_MERGE_STREAMS, &(SpanOptions){.streams = true}, guaranteed);
    if (c.choice.set.template_count == 0) return;
    for (int n = 1; n <= c.choice.set.templates[0].part_count; n++) {
        double streams = stream_count(&c.choice, n);
        if (streams == 0 || streams > max) return;
        if (streams < 2) continue;
        take_order(t, &c, n);
        if (c.order_keys == 0) continue;
        c.stream_columns = n;
        c.choice.set.separate_columns = n;
        path_offer(t, &c);
        if (c.ordered) return;
    }
}

/* The leading columns are free, or have several values, but few: for each combination, seek to what the columns behind
 * them are constrained to. */
static void offer_skips(TablePath *t, const IndexDesc *index, const bool *guaranteed)
{
    if (!path_setting(t->p, SETTING_enable_skipscan)) return;
    for (int n = 1; n < span_key_column_count(index); n++) {
        double prefixes = path_prefix_count(t, index, n);
        if (prefixes == 0) return;
        Candidate c = path_start_candidate(t, index, PLAN_SKIP_SCAN, &(SpanOptions){.first_column = n}, guaranteed);
        if (n - c.prefix.prefix > SKIP_COLUMNS_MAX) return;
        if (c.choice.set.template_count == 0 || c.choice.set.contradiction) continue;
        c.skip_columns = n;
        c.seeks = prefixes * (1 + c.seeks);
        take_order(t, &c, 0);
        path_offer(t, &c);
    }
}

static void offer_index(TablePath *t, const IndexDesc *index)
{
    bool *guaranteed = ARENA_ARRAY(t->p->arena, bool, t->count + 1);
    if (index->state != INDEX_PUBLIC || !path_predicate_holds(t, index, guaranteed)) return;
    Candidate c = path_start_candidate(t, index, PLAN_SCAN, &(SpanOptions){0}, guaranteed);
    take_order(t, &c, 0);
    bool ordered = c.ordered;
    path_offer(t, &c);
    if (t->count > 0 && !c.choice.set.contradiction) offer_skips(t, index, guaranteed);
    if (!ordered) offer_streams(t, index, guaranteed);
    if (t->wanted->distinct_count) path_offer_distinct(t, index, guaranteed);
}

/* No candidate: the index named in the hint is not there, or does not have all the rows. */
static Status no_path(Paths *p, const RelTable *rel)
{
    if (rel->index_hint) {
        for (int i = 0; i < rel->table->indexes.count; i++)
            if (strcmp(rel->table->indexes.items[i].name, rel->index_hint) == 0)
                return err_set(p->err, p->arena, ERR_WRONG_OBJECT_TYPE,
                               "index \"%s\" is a partial index that does not contain all the rows needed to execute this query",
                               rel->index_hint);
        return err_set(p->err, p->arena, ERR_UNDEFINED_OBJECT, "index \"%s\" not found", rel->index_hint);
    }
    return err_set(p->err, p->arena, ERR_WRONG_OBJECT_TYPE,
                   "could not produce a query plan conforming to the NO_FULL_SCAN hint");
}

/* The one range that a condition is; NULL: it is something else. */
static const SpanPair *only_range(const SpanCondition *condition)
{
    if (!condition->usable || condition->terms.count != 1 || condition->terms.items[0].pairs.count != 1) return NULL;
    const SpanPair *pair = &condition->terms.items[0].pairs.items[0];
    return pair->part.kind == SPAN_RANGE ? pair : NULL;
}

/* a >= 5 AND a < 9 are one range: the first of the two stands for both. */
static void price_conditions(TablePath *t)
{
    for (int i = 0; i < t->count; i++) {
        const SpanPair *range = only_range(&t->conditions[i]);
        t->shares[i] = selectivity_condition(t->source, &t->conditions[i]);
        for (int j = 0; range && j < i; j++) {
            const SpanPair *other = only_range(&t->conditions[j]);
            if (!other || other->ordinal != range->ordinal) continue;
            SpanPair both = *other;
            const TypeDef *type = type_find(t->source->table->columns.items[both.ordinal].type.oid);
            if (span_combine(type, &both.part, &range->part, t->p->arena) != COMBINE_EXACT) continue;
            t->shares[j] = fmin(t->shares[j], selectivity_part(t->source, &both));
            t->shares[i] = 1;
            break;
        }
    }
}

bool path_hint_allows(const RelTable *rel, const IndexDesc *index)
{
    const char *hint = rel->index_hint;
    return !hint || strcmp(hint, index->name) == 0 || (index->primary && strcmp(hint, "primary") == 0);
}

/* The first rows of each group where there is one group only: a limit. */
static const Wanted *limited_group(const TablePath *t, const Wanted *wanted)
{
    if (!wanted->distinct_each) return wanted;
    for (int i = 0; i < wanted->distinct_count; i++)
        if (!path_is_pinned(t, wanted->distinct[i])) return wanted;
    Wanted *limited = ARENA_NEW(t->p->arena, Wanted);
    *limited = *wanted;
    limited->limit = wanted->distinct_each;
    limited->rows = path_limit_rows(limited->limit);
    limited->distinct_count = 0;
    return limited;
}

Status path_scan_choose(Paths *p, RelTable *rel, Expr **conjuncts, int count, const Wanted *wanted, TablePath *t)
{
    *t = (TablePath){.p = p, .wanted = wanted, .count = count};
    TRY(path_source(p, rel, &t->source));
    t->conditions = ARENA_ARRAY(p->arena, SpanCondition, count + 1);
    t->shares = ARENA_ARRAY(p->arena, double, count + 1);
    for (int i = 0; i < count; i++) span_analyse(&t->source->spans, conjuncts[i], &t->conditions[i]);
    price_conditions(t);
    note_columns(t);
    t->wanted = limited_group(t, wanted);
    for (int i = 0; i < rel->table->indexes.count; i++) {
        const IndexDesc *index = &rel->table->indexes.items[i];
        if (path_hint_allows(rel, index)) offer_index(t, index);
    }
    return t->found ? ST_OK : no_path(p, rel);
}

Status path_table(Paths *p, RelTable *rel, Expr **conjuncts, int count, const Wanted *wanted, Plan **plan)
{
    TablePath t;
    TRY(path_scan_choose(p, rel, conjuncts, count, wanted, &t));
    *plan = NULL;
    if (wanted->order_count && !t.best.ordered) TRY(path_segments(&t, rel, conjuncts, count, plan));
    if (!*plan) TRY(path_union(&t, rel, conjuncts, count, plan));
    if (!*plan) *plan = path_scan_build(&t, &t.best);
    return ST_OK;
}
