/* selectivity.c - which share of a table's rows a condition leaves. */
#include <math.h>

#include "planner/cost/cost.h"

static const ColumnStats *stats_of(const Source *source, int ordinal)
{
    uint32_t id = source->table->columns.items[ordinal].id;
    for (int i = 0; i < source->stats->columns.count; i++)
        if (source->stats->columns.items[i].column_id == id) return &source->stats->columns.items[i];
    return NULL;
}

static double clamp(double share)
{
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

/* ---- points ---- */

static double common_share(const ColumnStats *stats, const TypeDef *type, const Expr *e, double otherwise)
{
    Value value;
    if (!expr_is_const(e, &value) || value.null) return otherwise;
    for (int i = 0; i < stats->common.count && i < stats->common_fraction.count; i++)
        if (!stats->common.items[i].null && type_compare(type, stats->common.items[i], value) == 0)
            return stats->common_fraction.items[i];
    return otherwise;
}

/* A constant that is none of the most common values shares with the other values what those leave of the rows. */
static double rare_share(const Source *source, int ordinal, const ColumnStats *stats)
{
    double common = 0, others = source_distinct(source, ordinal) - stats->common.count;
    for (int i = 0; i < stats->common_fraction.count; i++) common += stats->common_fraction.items[i];
    double left = fmax(1 - common - source_null_fraction(source, ordinal), 0);
    return fmax(left / fmax(others, 1), 1 / source->rows_priced);
}

static double points_share(const Source *source, int ordinal, const SpanPart *part)
{
    const ColumnStats *stats = stats_of(source, ordinal);
    const TypeDef *type = type_find(source->table->columns.items[ordinal].type.oid);
    double one = 1 / fmax(source_distinct(source, ordinal), 1), share = 0;
    double rare = stats && stats->common.count ? fmin(rare_share(source, ordinal, stats), one) : one;
    for (int i = 0; i < part->value_count; i++) {
        double otherwise = expr_is_const(part->values[i], NULL) ? rare : one;
        share += stats && type ? common_share(stats, type, part->values[i], otherwise) : one;
    }
    if (part->array) share *= 10;
    if (part->or_null) share += source_null_fraction(source, ordinal);
    return share;
}

/* ---- ranges ---- */

/* The share of the histogram below a value, by the step it falls in. */
static double share_below(const ColumnStats *stats, const TypeDef *type, const Expr *bound, double otherwise)
{
    Value value;
    if (!bound || stats->histogram.count < 2 || !expr_is_const(bound, &value) || value.null) return otherwise;
    int steps = stats->histogram.count - 1, below = 0;
    while (below <= steps && type_compare(type, stats->histogram.items[below], value) <= 0) below++;
    if (below == 0) return 0;
    if (below > steps) return 1;
    double within = 0.5;
    Value low = stats->histogram.items[below - 1], high = stats->histogram.items[below];
    if (type->rep == REP_INT && high.i > low.i) within = ((double)value.i - (double)low.i) / ((double)high.i - (double)low.i);
    return (below - 1 + within) / steps;
}

/* Is a value within the bounds? Those that are not constant let everything through. */
static bool within(const TypeDef *type, const SpanPart *part, Value value)
{
    Value bound;
    if (part->low && expr_is_const(part->low, &bound) && !bound.null) {
        int order = type_compare(type, value, bound);
        if (order < 0 || (order == 0 && !part->low_inclusive)) return false;
    }
    if (part->high && expr_is_const(part->high, &bound) && !bound.null) {
        int order = type_compare(type, value, bound);
        if (order > 0 || (order == 0 && !part->high_inclusive)) return false;
    }
    return true;
}

static bool is_constant_range(const SpanPart *part)
{
    return (!part->low || expr_is_const(part->low, NULL)) && (!part->high || expr_is_const(part->high, NULL));
}

/* Two bounds of which one is not known yet: people ask for few rows then, as PostgreSQL assumes too. A share of each bound
 * by itself would read the whole table where a prepared statement asks for a short stretch of an index. */
static const double share_between_unknown = 0.005;

/* Hash codes are spread evenly: no statistics are needed to know how many are within bounds. */
static double codes_share(const SpanPart *part)
{
    const double codes = 65536;
    Value bound;
    double low = 0, high = codes;
    if (part->low && expr_is_const(part->low, &bound) && !bound.null) low = (double)bound.i + !part->low_inclusive;
    if (part->high && expr_is_const(part->high, &bound) && !bound.null) high = (double)bound.i + part->high_inclusive;
    if (!is_constant_range(part)) return share_between_unknown;
    return fmax(fmin(high, codes) - fmax(low, 0), 0) / codes;
}

/* The most common values one by one; the histogram is of the others. */
static double range_share(const Source *source, int ordinal, const SpanPart *part)
{
    if (source->table->columns.items[ordinal].role == COLUMN_HASH_CODE) return codes_share(part);
    const ColumnStats *stats = stats_of(source, ordinal);
    const TypeDef *type = type_find(source->table->columns.items[ordinal].type.oid);
    double guess = part->low && part->high ? 0.11 : 1.0 / 3, nulls = source_null_fraction(source, ordinal);
    if (part->low && part->high && !is_constant_range(part)) return share_between_unknown;
    if (!stats || !type || (stats->histogram.count < 2 && !stats->common.count)) return guess;
    double common = 0, found = 0;
    for (int i = 0; i < stats->common.count && i < stats->common_fraction.count; i++) {
        common += stats->common_fraction.items[i];
        if (within(type, part, stats->common.items[i])) found += stats->common_fraction.items[i];
    }
    if (!is_constant_range(part)) found = common * guess;
    double low = part->low ? share_below(stats, type, part->low, 1.0 / 3) : 0;
    double high = part->high ? share_below(stats, type, part->high, 2.0 / 3) : 1;
    if (stats->histogram.count < 2) low = 0, high = guess;
    double floor = 1 / fmax(source_distinct(source, ordinal), 1);
    return fmax(found + fmax(high - low, 0) * fmax(1 - common - nulls, 0), fmin(floor, 1));
}

double selectivity_part(const Source *source, const SpanPair *pair)
{
    switch (pair->part.kind) {
    case SPAN_POINTS: return clamp(points_share(source, pair->ordinal, &pair->part));
    case SPAN_NULL: return source_null_fraction(source, pair->ordinal);
    case SPAN_NOT_NULL: return 1 - source_null_fraction(source, pair->ordinal);
    case SPAN_RANGE: return clamp(range_share(source, pair->ordinal, &pair->part));
    case SPAN_COMPUTED: return 1;
    }
    return 1;
}

double selectivity_condition(const Source *source, const SpanCondition *condition)
{
    if (!condition->usable) return selectivity_guess(condition->expr);
    double share = 0;
    for (int t = 0; t < condition->terms.count; t++) {
        double product = 1;
        for (int i = 0; i < condition->terms.items[t].pairs.count; i++)
            product *= selectivity_part(source, &condition->terms.items[t].pairs.items[i]);
        share += product;
    }
    return clamp(share);
}

double selectivity_guess(const Expr *e)
{
    switch (e->kind) {
    case EXPR_COMPARE: return ((const ExprCompare *)e)->op == COMPARE_EQ ? 0.1 : 1.0 / 3;
    case EXPR_IS_NULL: return ((const ExprNegatable *)e)->negated ? 0.99 : 0.01;
    case EXPR_OR: {
        double none = 1;
        for (int i = 0; i < e->arg_count; i++) none *= 1 - selectivity_guess(e->args[i]);
        return 1 - none;
    }
    case EXPR_AND: {
        double all = 1;
        for (int i = 0; i < e->arg_count; i++) all *= selectivity_guess(e->args[i]);
        return all;
    }
    case EXPR_NOT: return 1 - selectivity_guess(e->args[0]);
    case EXPR_CONST:
    case EXPR_PARAM:
    case EXPR_COLUMN:
    case EXPR_CALL:
    case EXPR_CAST:
    case EXPR_DOMAIN:
    case EXPR_IS_BOOL:
    case EXPR_DISTINCT:
    case EXPR_ROW_COMPARE:
    case EXPR_IN_LIST:
    case EXPR_ANY_ARRAY:
    case EXPR_CASE:
    case EXPR_COALESCE:
    case EXPR_MIN_MAX:
    case EXPR_ARRAY:
    case EXPR_ROW:
    case EXPR_FIELD:
    case EXPR_SUBSCRIPT:
    case EXPR_SUBQUERY:
    case EXPR_AGGREGATE:
    case EXPR_WINDOW:
    case EXPR_DEFAULT: return 1.0 / 3;
    }
    return 1.0 / 3;
}

/* ---- unique keys ---- */

/* Points that the conditions leave of a column; 0: it is not pinned. */
static double pinned_points(const SpanCondition *conditions, int count, int ordinal)
{
    double least = 0;
    for (int i = 0; i < count; i++) {
        if (!conditions[i].usable || conditions[i].terms.count != 1) continue;
        const SpanTerm *term = &conditions[i].terms.items[0];
        for (int p = 0; p < term->pairs.count; p++) {
            const SpanPart *part = &term->pairs.items[p].part;
            if (term->pairs.items[p].ordinal != ordinal || part->kind != SPAN_POINTS || part->or_null) continue;
            double points = part->array ? 10 : part->value_count;
            if (least == 0 || points < least) least = points;
        }
    }
    return least;
}

double selectivity_unique_limit(const Source *source, const SpanCondition *conditions, int count)
{
    double limit = INFINITY;
    for (int i = 0; i < source->table->indexes.count; i++) {
        const IndexDesc *index = &source->table->indexes.items[i];
        if (!index_is_unique(index) || index->predicate) continue;
        double product = 1;
        for (int c = 0; c < index->columns.count && product > 0; c++) {
            if (index->columns.items[c].implicit) continue;
            int ordinal = table_column_by_id(source->table, index->columns.items[c].column_id);
            product *= pinned_points(conditions, count, ordinal);
        }
        if (product > 0 && product < limit) limit = product;
    }
    return limit;
}
