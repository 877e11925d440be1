/* span_choose.c - the spans of one index that a set of analysed conditions leaves.
 *
 * The conditions' terms are multiplied out into alternatives; each alternative holds at most one part per key column.
 * Its usable prefix ends at the first column that is not pinned, unless that column's value is derived: computed from
 * columns pinned behind it (one bucket), or filled in from its domain (every bucket).
 */
#include <assert.h>

#include "planner/paths/span_build.h"

enum { ALTERNATIVES_MAX = 128, CONDITIONS_MAX = 64, ENUMERATED_MAX = 64 };

typedef struct Alternative {
    SpanPart *parts;       /* per key column */
    bool *has;
    uint64_t *users;       /* per key column: conditions that shaped the part */
    uint64_t absorbed;     /* conditions that are wholly in the parts */
    const SpanTerm **terms; /* per condition: the one chosen */
    int prefix;
} Alternative;

typedef struct Chooser {
    const SpanTable *table;
    const IndexDesc *index;
    const SpanCondition *conditions;
    int condition_count;
    const SpanOptions *options;
    int key_count;
    int *ordinals; /* per key column */
    VEC(Alternative) alternatives;
} Chooser;

static int key_position(const Chooser *c, int ordinal)
{
    for (int k = 0; k < c->key_count; k++)
        if (c->ordinals[k] == ordinal) return k;
    return -1;
}

static Alternative alternative_copy(const Chooser *c, const Alternative *from)
{
    Arena *arena = c->table->arena;
    Alternative copy = {
        .parts = ARENA_ARRAY(arena, SpanPart, c->key_count),
        .has = ARENA_ARRAY(arena, bool, c->key_count),
        .users = ARENA_ARRAY(arena, uint64_t, c->key_count),
        .terms = ARENA_ARRAY(arena, const SpanTerm *, c->condition_count + 1),
    };
    if (!from) return copy;
    copy.absorbed = from->absorbed;
    memcpy(copy.parts, from->parts, sizeof *copy.parts * (size_t)c->key_count);
    memcpy(copy.has, from->has, sizeof *copy.has * (size_t)c->key_count);
    memcpy(copy.users, from->users, sizeof *copy.users * (size_t)c->key_count);
    memcpy(copy.terms, from->terms, sizeof *copy.terms * (size_t)c->condition_count);
    return copy;
}

/* IS NOT NULL of a column that never is NULL says nothing. */
static bool says_nothing(const Chooser *c, const SpanPair *pair)
{
    return pair->part.kind == SPAN_NOT_NULL && c->table->table->columns.items[pair->ordinal].not_null;
}

static bool always_holds(const Chooser *c, const SpanCondition *condition)
{
    if (!condition->usable || condition->terms.count != 1 || !condition->terms.items[0].tight) return false;
    const SpanTerm *term = &condition->terms.items[0];
    for (int p = 0; p < term->pairs.count; p++)
        if (!says_nothing(c, &term->pairs.items[p])) return false;
    return true;
}

/* Takes a term into an alternative; false if nothing satisfies both. */
static bool absorb(const Chooser *c, Alternative *a, int condition, const SpanTerm *term)
{
    uint64_t bit = UINT64_C(1) << condition;
    a->terms[condition] = term;
    if (term->tight) a->absorbed |= bit;
    for (int p = 0; p < term->pairs.count; p++) {
        const SpanPair *pair = &term->pairs.items[p];
        int k = key_position(c, pair->ordinal);
        if (k < c->options->first_column) {
            a->absorbed &= ~bit;
            continue;
        }
        if (!a->has[k]) {
            a->parts[k] = pair->part;
            a->has[k] = true;
            a->users[k] = bit;
            continue;
        }
        const TypeDef *type = type_find(c->table->table->columns.items[pair->ordinal].type.oid);
        CombineResult result = span_combine(type, &a->parts[k], &pair->part, c->table->arena);
        if (result == COMBINE_EMPTY) return false;
        if (result == COMBINE_KEPT) a->absorbed &= ~bit;
        if (result == COMBINE_REPLACED) a->absorbed &= ~a->users[k];
        a->users[k] = result == COMBINE_REPLACED ? bit : a->users[k] | bit;
    }
    return true;
}

/* A condition helps only if each of its terms constrains some column of this key. */
static bool touches_key(const Chooser *c, const SpanCondition *condition)
{
    for (int t = 0; t < condition->terms.count; t++) {
        const SpanTerm *term = &condition->terms.items[t];
        bool touches = false;
        for (int p = 0; p < term->pairs.count; p++)
            touches = touches || key_position(c, term->pairs.items[p].ordinal) >= c->options->first_column;
        if (!touches) return false;
    }
    return true;
}

static void multiply(Chooser *c, int condition)
{
    const SpanCondition *by = &c->conditions[condition];
    if (!by->usable || !touches_key(c, by)) return;
    if (c->alternatives.count * by->terms.count > ALTERNATIVES_MAX) return;
    Chooser product = {0};
    for (int a = 0; a < c->alternatives.count; a++) {
        for (int t = 0; t < by->terms.count; t++) {
            Alternative joined = alternative_copy(c, &c->alternatives.items[a]);
            if (absorb(c, &joined, condition, &by->terms.items[t]))
                VEC_PUSH(c->table->arena, product.alternatives, joined);
        }
    }
    c->alternatives.items = product.alternatives.items;
    c->alternatives.count = product.alternatives.count;
    c->alternatives.capacity = product.alternatives.capacity;
}

/* ---- the prefix of the key that an alternative pins ---- */

static bool is_pinned(const Alternative *a, int k)
{
    return a->has[k] && (a->parts[k].kind == SPAN_POINTS || a->parts[k].kind == SPAN_NULL);
}

/* A short range of integers as a list of points, so that each can be hashed to its own bucket. */
static bool enumerate(const Chooser *c, SpanPart *part, int64_t count_max)
{
    Value low, high;
    if (part->kind != SPAN_RANGE || !part->low || !part->high) return false;
    if (!expr_is_const(part->low, &low) || !expr_is_const(part->high, &high)) return false;
    TypeRef type = part->low->type;
    if (type.oid != OID_INT2 && type.oid != OID_INT4 && type.oid != OID_INT8) return false;
    if (low.i == INT64_MAX || high.i == INT64_MIN) return false;
    int64_t first = part->low_inclusive ? low.i : low.i + 1, last = part->high_inclusive ? high.i : high.i - 1;
    if (last < first || (uint64_t)last - (uint64_t)first >= (uint64_t)count_max) return false;
    SpanPart points = {.kind = SPAN_POINTS, .value_count = (int)(last - first + 1)};
    points.values = ARENA_ARRAY(c->table->arena, Expr *, points.value_count);
    for (int i = 0; i < points.value_count; i++)
        points.values[i] = expr_const(c->table->arena, type, value_int(first + i));
    *part = points;
    return true;
}

/* Whether key column k follows from columns pinned behind it, everything between being pinned too. */
static bool is_computable(const Chooser *c, Alternative *a, int k)
{
    IntVec inputs = {0};
    if (!span_follows(c->table, c->ordinals[k], &inputs)) return false;
    int last = k;
    for (int i = 0; i < inputs.count; i++) {
        int at = key_position(c, inputs.items[i]);
        if (at <= k || !a->has[at]) return false;
        if (at > last) last = at;
    }
    const ColumnDesc *column = &c->table->table->columns.items[c->ordinals[k]];
    int64_t count_max = column->bucket_count > ENUMERATED_MAX ? ENUMERATED_MAX : column->bucket_count - 1;
    for (int at = k + 1; at <= last; at++) {
        if (is_pinned(a, at)) continue;
        if (!a->has[at] || column->role != COLUMN_BUCKET || !enumerate(c, &a->parts[at], count_max)) return false;
    }
    return true;
}

/* The hash code of a column whose values are few and known: YugabyteDB's HASH over a bucket. The columns between are filled
 * in from their domains, so that there is one code for each of their values.
 */
static bool computed_from_domains(const Chooser *c, Alternative *a, int k)
{
    IntVec inputs = {0};
    int last = k;
    if (!span_follows(c->table, c->ordinals[k], &inputs)) return false;
    for (int i = 0; i < inputs.count; i++) {
        int at = key_position(c, inputs.items[i]);
        if (at <= k) return false;
        if (at > last) last = at;
    }
    SpanPart *domains = ARENA_ARRAY(c->table->arena, SpanPart, c->key_count);
    for (int at = k + 1; at <= last; at++) {
        if (is_pinned(a, at)) continue;
        if (a->has[at] || !span_domain(c->table, c->ordinals[at], &domains[at]) || domains[at].or_null) return false;
    }
    for (int at = k + 1; at <= last; at++) {
        if (is_pinned(a, at)) continue;
        a->parts[at] = domains[at];
        a->has[at] = true;
    }
    return true;
}

static bool constrained_behind(const Chooser *c, const Alternative *a, int k)
{
    SpanPart ignored;
    for (k++; k < c->key_count; k++) {
        if (a->has[k]) return true;
        if (!span_domain(c->table, c->ordinals[k], &ignored)) return false;
    }
    return false;
}

static bool derive(const Chooser *c, Alternative *a, int k)
{
    SpanPart domain;
    bool behind = c->options->streams || constrained_behind(c, a, k);
    if (is_computable(c, a, k) || (behind && computed_from_domains(c, a, k))) {
        a->parts[k] = (SpanPart){.kind = SPAN_COMPUTED, .computed = c->table->computed[c->ordinals[k]]};
        a->has[k] = true;
        return true;
    }
    if (!behind || !span_domain(c->table, c->ordinals[k], &domain)) return false;
    if (domain.or_null && c->options->streams) return false;
    a->parts[k] = domain;
    a->has[k] = true;
    return true;
}

static void cut(const Chooser *c, Alternative *a)
{
    int k = c->options->first_column;
    for (; k < c->key_count; k++) {
        if (!a->has[k] && !derive(c, a, k)) break;
        if (a->parts[k].kind == SPAN_RANGE && is_computable(c, a, k)) {
            /* yb_hash_code(id) < 500 AND id IN (1, 2): the points are fewer; their codes are compared by a filter. */
            a->parts[k] = (SpanPart){.kind = SPAN_COMPUTED, .computed = c->table->computed[c->ordinals[k]]};
            a->absorbed &= ~a->users[k];
        }
        if (a->parts[k].kind == SPAN_RANGE || a->parts[k].kind == SPAN_NOT_NULL) {
            k++;
            break;
        }
    }
    a->prefix = k - c->options->first_column;
}

/* Is all of the condition in the prefix? */
static bool is_enforced(const Chooser *c, const Alternative *a, int condition)
{
    if (!(a->absorbed & UINT64_C(1) << condition) || !a->terms[condition]) return false;
    const SpanTerm *term = a->terms[condition];
    for (int p = 0; p < term->pairs.count; p++)
        if (key_position(c, term->pairs.items[p].ordinal) >= c->options->first_column + a->prefix) return false;
    return true;
}

static bool is_used(const Chooser *c, const Alternative *a, int condition)
{
    const SpanTerm *term = a->terms[condition];
    for (int p = 0; term && p < term->pairs.count; p++) {
        int k = key_position(c, term->pairs.items[p].ordinal);
        if (k >= c->options->first_column && k < c->options->first_column + a->prefix) return true;
    }
    return false;
}

/* ---- the result ---- */

static void start_set(const Chooser *c, SpanSet *set)
{
    *set = (SpanSet){.table = c->table->table, .index = c->index, .first_column = c->options->first_column};
    set->key_columns = ARENA_ARRAY(c->table->arena, ColId, c->key_count);
    for (int k = 0; k < c->key_count; k++) set->key_columns[k] = c->table->columns[c->ordinals[k]];
}

static void finish_set(Chooser *c, SpanChoice *choice)
{
    SpanSet *set = &choice->set;
    set->templates = ARENA_ARRAY(c->table->arena, SpanTemplate, c->alternatives.count);
    for (int i = 0; i < c->alternatives.count; i++) {
        Alternative *a = &c->alternatives.items[i];
        set->templates[set->template_count++] =
            (SpanTemplate){.parts = a->parts + c->options->first_column, .part_count = a->prefix};
        if (i == 0 || a->prefix < choice->prefix) choice->prefix = a->prefix;
    }
    for (int i = 0; i < c->condition_count && i < CONDITIONS_MAX; i++) {
        if (choice->enforced[i]) continue;
        choice->enforced[i] = choice->used[i] = c->alternatives.count > 0;
        for (int a = 0; a < c->alternatives.count; a++) {
            choice->enforced[i] = choice->enforced[i] && is_enforced(c, &c->alternatives.items[a], i);
            choice->used[i] = choice->used[i] && is_used(c, &c->alternatives.items[a], i);
        }
    }
}

/* The columns that a span may speak of. The key of a unique entry ends with the declared ones: the primary key is in its
 * value, unless a NULL makes the entry one of many. */
static int constrainable_count(const IndexDesc *index)
{
    return index_is_unique(index) && !index->primary ? index->columns.count : span_key_column_count(index);
}

void span_choose(const SpanTable *table, const IndexDesc *index, const SpanCondition *conditions, int count,
                 const SpanOptions *options, SpanChoice *choice)
{
    Chooser c = {table, index, conditions, count, options, constrainable_count(index), NULL, {0}};
    if (options->column_count && options->column_count < c.key_count) c.key_count = options->column_count;
    c.ordinals = ARENA_ARRAY(table->arena, int, c.key_count);
    for (int k = 0; k < c.key_count; k++) {
        const ColumnDesc *column = span_key_column(table->table, index, k, NULL);
        c.ordinals[k] = (int)(column - table->table->columns.items);
    }
    *choice = (SpanChoice){.enforced = ARENA_ARRAY(table->arena, bool, count + 1),
                           .used = ARENA_ARRAY(table->arena, bool, count + 1)};
    start_set(&c, &choice->set);
    VEC_PUSH(table->arena, c.alternatives, alternative_copy(&c, NULL));
    for (int i = 0; i < count && i < CONDITIONS_MAX; i++) {
        if (conditions[i].usable && conditions[i].terms.count == 0) {
            choice->set.contradiction = true;
            return;
        }
        choice->enforced[i] = always_holds(&c, &conditions[i]);
        if (!choice->enforced[i]) multiply(&c, i);
    }
    choice->set.contradiction = c.alternatives.count == 0;
    bool whole = false;
    for (int a = 0; a < c.alternatives.count; a++) {
        cut(&c, &c.alternatives.items[a]);
        whole = whole || c.alternatives.items[a].prefix == 0;
    }
    if (!whole) finish_set(&c, choice);
}
