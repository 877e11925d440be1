/* path_order_index.c - which orders an index can deliver, and which rows a partial one has.
 *
 * Keys put NULL first when ascending and last when descending; SQL's default is the other way round. An index therefore
 * delivers ORDER BY of a column as written only where no NULL can come, or where the statement asks for the keys' order.
 */
#include "planner/paths/path_scan.h"

static int ordinal_of(const Source *source, ColId column)
{
    for (int i = 0; i < source->table->columns.count; i++)
        if (source->spans.columns[i] == column) return i;
    return -1;
}

static int key_ordinal(const Source *source, const IndexDesc *index, int k, bool *descending)
{
    return (int)(span_key_column(source->table, index, k, descending) - source->table->columns.items);
}

/* Types whose key order is SQL's order; NaN apart, which is first in keys and last in SQL. Not so char(n) and json. */
static bool key_order_is_sql_order(Oid oid)
{
    const TypeDef *type = type_find(oid);
    return type && span_type_ranges(type);
}

typedef struct Direction {
    bool known, descending;
} Direction;

static bool key_matches(const TablePath *t, const SortKey *wanted, int ordinal, bool key_descending, Direction *direction)
{
    const ColumnDesc *column = &t->source->table->columns.items[ordinal];
    if (!key_order_is_sql_order(column->type.oid) || !t->not_nan[ordinal]) return false;
    bool reverse = wanted->descending != key_descending;
    if (direction->known && direction->descending != reverse) return false;
    if (!t->not_null[ordinal] && wanted->nulls_first == wanted->descending) return false;
    *direction = (Direction){true, reverse};
    return true;
}

int path_index_order(const TablePath *t, const KeyPart *part, const SortKey *keys, int count, bool *descending)
{
    Direction direction = {0};
    const IndexDesc *index = part->index;
    int k = part->from;
    *descending = false;
    for (int i = 0; i < count; i++) {
        int ordinal = ordinal_of(t->source, ((const ExprColumn *)keys[i].expr)->column);
        if (ordinal < 0) return i;
        if (t->pinned[ordinal]) continue;
        bool key_descending = false;
        while (k < part->until && t->pinned[key_ordinal(t->source, index, k, NULL)]) k++;
        /* The whole key is used up: no two rows of a stream are alike in it, so further sort keys decide nothing, except
         * between streams, where they have to be read. */
        if (k >= part->until && part->from == 0) break;
        if (k >= part->until && !index_holds(t->source->table, index, ordinal)) return i;
        if (k >= part->until) continue;
        if (key_ordinal(t->source, index, k, &key_descending) != ordinal) return i;
        if (!key_matches(t, &keys[i], ordinal, key_descending, &direction)) return i;
        *descending = direction.descending;
        k++;
    }
    return count;
}

/* ---- partial indexes ---- */

static bool parts_same(const SpanPart *a, const SpanPart *b)
{
    if (a->kind != b->kind || a->value_count != b->value_count || a->or_null != b->or_null || a->array != b->array)
        return false;
    for (int i = 0; i < a->value_count; i++)
        if (!expr_equal(a->values[i], b->values[i])) return false;
    if (!a->low != !b->low || !a->high != !b->high) return false;
    if (a->low && (!expr_equal(a->low, b->low) || a->low_inclusive != b->low_inclusive)) return false;
    return !a->high || (expr_equal(a->high, b->high) && a->high_inclusive == b->high_inclusive);
}

/* Is every value that `part` takes also taken by `by`? */
static bool part_implies(const TypeDef *type, const SpanPart *part, const SpanPart *by, Arena *arena)
{
    SpanPart narrowed = *part;
    return span_combine(type, &narrowed, by, arena) == COMBINE_EXACT && parts_same(&narrowed, part);
}

/* Does some condition of the statement imply this conjunct of the predicate? */
static bool implied(const TablePath *t, Expr *conjunct, bool *guaranteed)
{
    bool found = false;
    for (int i = 0; i < t->count; i++) {
        if (!expr_equal(t->conditions[i].expr, conjunct)) continue;
        guaranteed[i] = true;
        found = true;
    }
    if (found) return true;
    SpanCondition wanted;
    span_analyse(&t->source->spans, conjunct, &wanted);
    if (!wanted.usable || wanted.terms.count != 1 || wanted.terms.items[0].pairs.count != 1) return false;
    if (!wanted.terms.items[0].tight) return false;
    const SpanPair *by = &wanted.terms.items[0].pairs.items[0];
    if (by->part.kind == SPAN_NOT_NULL && t->not_null[by->ordinal]) return true;
    const TypeDef *type = type_find(t->source->table->columns.items[by->ordinal].type.oid);
    for (int i = 0; i < t->count; i++) {
        const SpanCondition *condition = &t->conditions[i];
        bool all = condition->usable && condition->terms.count > 0;
        for (int n = 0; all && n < condition->terms.count; n++) {
            bool one = false;
            const SpanTerm *term = &condition->terms.items[n];
            for (int x = 0; x < term->pairs.count; x++)
                one = one || (term->pairs.items[x].ordinal == by->ordinal &&
                              part_implies(type, &term->pairs.items[x].part, &by->part, t->p->arena));
            all = one;
        }
        if (all) return true;
    }
    return false;
}

bool path_predicate_holds(const TablePath *t, const IndexDesc *index, bool *guaranteed)
{
    Expr *predicate = t->source->predicates[index - t->source->table->indexes.items];
    if (!predicate) return true;
    ExprVec conjuncts = {0};
    path_split_condition(t->p, predicate, &conjuncts);
    for (int i = 0; i < conjuncts.count; i++)
        if (!implied(t, conjuncts.items[i], guaranteed)) return false;
    return true;
}
