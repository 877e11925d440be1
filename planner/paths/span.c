/* span.c - key columns of an index, and templates evaluated into sorted, disjoint spans.
 *
 * While spans are sorted and joined a bound is a place between keys: some leading values and whether the place is before
 * or behind all keys that start with them. `(/1` and `/1]` are then the same place, so that touching spans join by
 * themselves; `behind NULL` is the place behind a last value that is NULL.
 */
#include <assert.h>
#include <stdlib.h>

#include "planner/paths/span_build.h"
#include "storage/types/type_array.h"

enum { KEY_COLUMNS_MAX = 64, SPANS_MAX = 1 << 20 };

int span_key_column_count(const IndexDesc *index)
{
    return index->columns.count + index->suffix.count;
}

const ColumnDesc *span_key_column(const TableDesc *table, const IndexDesc *index, int i, bool *descending)
{
    assert(i >= 0 && i < span_key_column_count(index));
    bool declared = i < index->columns.count;
    int id = declared ? (int)index->columns.items[i].column_id : index->suffix.items[i - index->columns.count];
    if (descending) *descending = declared && index->columns.items[i].descending;
    int ordinal = table_column_by_id(table, (uint32_t)id);
    assert(ordinal >= 0);
    return &table->columns.items[ordinal];
}

typedef struct Place {
    const Value *values;
    int count;
    bool behind;
} Place;

typedef struct PlaceSpan {
    Place start, end;
} PlaceSpan;

typedef struct KeyColumn {
    const TypeDef *type;
    bool descending, nullable;
} KeyColumn;

typedef struct Expander {
    const SpanSet *set;
    SpanEval eval;
    void *argument;
    Arena *arena;
    Error *err;
    KeyColumn columns[KEY_COLUMNS_MAX];
    int column_count;
    VEC(PlaceSpan) spans;
} Expander;

/* What a part is once evaluated. */
typedef struct PartValues {
    SpanPartKind kind;
    Value *points; /* SPAN_POINTS and SPAN_NULL: sorted in key order, no duplicates */
    int point_count;
    bool has_low, has_high;
    Value low, high;
} PartValues;

/* ---- order ---- */

static int compare_key_values(const KeyColumn *column, Value a, Value b)
{
    int order;
    if (a.null || b.null)
        order = (int)b.null - (int)a.null;
    else
        order = span_value_compare(column->type, a, b);
    return column->descending ? -order : order;
}

static int compare_places(const Expander *x, const Place *a, const Place *b)
{
    int shared = a->count < b->count ? a->count : b->count;
    for (int i = 0; i < shared; i++) {
        int order = compare_key_values(&x->columns[i], a->values[i], b->values[i]);
        if (order) return order;
    }
    if (a->count == b->count) return (int)a->behind - (int)b->behind;
    if (a->count < b->count) return a->behind ? 1 : -1;
    return b->behind ? -1 : 1;
}

static int compare_spans(const void *a, const void *b, void *expander)
{
    const PlaceSpan *left = a, *right = b;
    return compare_places(expander, &left->start, &right->start);
}

static int compare_points(const void *a, const void *b, void *column)
{
    return compare_key_values(column, *(const Value *)a, *(const Value *)b);
}

/* ---- evaluation of parts ---- */

static Status eval(Expander *x, Expr *e, Value *value)
{
    if (expr_is_const(e, value)) return ST_OK;
    return x->eval(x->argument, e, value, x->err);
}

typedef VEC(Value) ValueVec;

static Status add_values(Expander *x, const SpanPart *part, ValueVec *values)
{
    for (int i = 0; i < part->value_count; i++) {
        Value value;
        TRY(eval(x, part->values[i], &value));
        if (value.null) continue;
        if (!part->array) {
            VEC_PUSH(x->arena, *values, value);
            continue;
        }
        Array array;
        array_open(value, &array);
        for (int e = 0; e < array.count; e++) {
            Value element = array_element(&array, e);
            if (!element.null) VEC_PUSH(x->arena, *values, element);
        }
    }
    return ST_OK;
}

static Status eval_points(Expander *x, const SpanPart *part, KeyColumn *column, PartValues *out)
{
    ValueVec values = {0};
    TRY(add_values(x, part, &values));
    if (part->or_null) VEC_PUSH(x->arena, values, VALUE_NULL);
    if (values.count) qsort_r(values.items, (size_t)values.count, sizeof(Value), compare_points, column);
    int kept = 0;
    for (int i = 0; i < values.count; i++)
        if (kept == 0 || compare_key_values(column, values.items[kept - 1], values.items[i]) != 0)
            values.items[kept++] = values.items[i];
    /* 0 and -0 are one key, but a hash of them is not. */
    bool zero = false;
    for (int i = 0; i < kept && column->type->key_class == KEY_CLASS_FLOAT; i++)
        if (!values.items[i].null && values.items[i].f == 0) {
            values.items[i].f = 0.0;
            zero = true;
        }
    values.count = kept;
    if (zero) VEC_PUSH(x->arena, values, value_float(-0.0));
    out->points = values.items;
    out->point_count = values.count;
    return ST_OK;
}

/* The next value of a type that has one: open bounds become closed ones. */
static bool step(const TypeDef *type, Value *value, int by)
{
    switch (type->key_class) {
    case KEY_CLASS_INT:
    case KEY_CLASS_DATE:
    case KEY_CLASS_TIMESTAMP:
        /* The ends of the range are infinities of dates and times. */
        if (type->rep != REP_INT || value->i >= INT64_MAX - 1 || value->i <= INT64_MIN + 1) return false;
        if (type->key_class == KEY_CLASS_DATE && (value->i >= INT32_MAX - 1 || value->i <= INT32_MIN + 1)) return false;
        value->i += by;
        return true;
    case KEY_CLASS_NONE:
    case KEY_CLASS_FLOAT:
    case KEY_CLASS_DECIMAL:
    case KEY_CLASS_BYTES:
    case KEY_CLASS_TIMETZ:
    case KEY_CLASS_INTERVAL:
    case KEY_CLASS_BITS:
    case KEY_CLASS_ARRAY:
    case KEY_CLASS_RANGE:
    case KEY_CLASS_JSON: return false;
    }
    return false;
}

/* ST_END: the part holds nothing. */
static Status eval_range(Expander *x, const SpanPart *part, const KeyColumn *column, PartValues *out)
{
    if (part->low) {
        TRY(eval(x, part->low, &out->low));
        if (out->low.null) return ST_END;
        /* Nothing but NaN itself, which has a span of its own, is above NaN; in keys it is below everything. */
        if (!expr_is_const(part->low, NULL) && span_value_is_nan(column->type, out->low)) return ST_END;
        out->has_low = true;
    }
    if (part->high) {
        TRY(eval(x, part->high, &out->high));
        if (out->high.null) return ST_END;
        out->has_high = true;
    }
    if (!part->low || !part->high) return ST_OK;
    int order = span_value_compare(column->type, out->low, out->high);
    return order > 0 || (order == 0 && !(part->low_inclusive && part->high_inclusive)) ? ST_END : ST_OK;
}

static Status eval_part(Expander *x, const SpanPart *part, KeyColumn *column, PartValues *out)
{
    out->kind = part->kind;
    switch (part->kind) {
    case SPAN_POINTS:
        TRY(eval_points(x, part, column, out));
        return out->point_count ? ST_OK : ST_END;
    case SPAN_NULL:
        out->points = ARENA_ARRAY(x->arena, Value, 1);
        out->points[0] = VALUE_NULL;
        out->point_count = 1;
        return ST_OK;
    case SPAN_RANGE: return eval_range(x, part, column, out);
    case SPAN_NOT_NULL:
    case SPAN_COMPUTED: return ST_OK;
    }
    return ST_OK;
}

/* ---- one combination of points ---- */

static bool has_no_value(const Error *err)
{
    const char *code = sqlstate_code(err->sqlstate);
    return strncmp(code, "22", 2) == 0 || err->sqlstate == ERR_FEATURE_NOT_SUPPORTED;
}

/* ST_END: the expression has no value for these points (they cannot be hashed, or divide by zero): no row that has them
 * could be written, so there is nothing to read.
 */
static Status eval_computed(Expander *x, const SpanPart *part, const Value *chosen, Value *value)
{
    const SpanSet *set = x->set;
    Expr *constants[KEY_COLUMNS_MAX];
    for (int i = 0; i < x->column_count; i++) {
        const ColumnDesc *column = span_key_column(set->table, set->index, set->first_column + i, NULL);
        constants[i] = expr_const(x->arena, column->type, chosen[i]);
    }
    Expr *e = expr_substitute(x->arena, part->computed, set->key_columns + set->first_column, constants, x->column_count);
    Status st = eval(x, e, value);
    if (st != ST_ERROR || !has_no_value(x->err)) return st;
    *x->err = (Error){0};
    return ST_END;
}

static Place place(Expander *x, const Value *prefix, int count, const Value *last, bool behind)
{
    Value *values = ARENA_ARRAY(x->arena, Value, count + 1);
    memcpy(values, prefix, sizeof(Value) * (size_t)count);
    if (last) values[count++] = *last;
    return (Place){values, count, behind};
}

static void add_range(Expander *x, const Value *prefix, int count, const SpanPart *part, const PartValues *v)
{
    const KeyColumn *column = &x->columns[count];
    Value null = VALUE_NULL, low = v->low, high = v->high;
    bool low_behind = !part->low_inclusive, high_behind = part->high_inclusive;
    if (v->has_low && low_behind && step(column->type, &low, 1)) low_behind = false;
    if (v->has_high && !high_behind && step(column->type, &high, -1)) high_behind = true;
    /* In an ascending column the NULLs are in front of everything, in a descending one behind. */
    bool skip_nulls = column->nullable;
    PlaceSpan span;
    if (!column->descending) {
        span.start = v->has_low    ? place(x, prefix, count, &low, low_behind)
                     : skip_nulls ? place(x, prefix, count, &null, true)
                                  : place(x, prefix, count, NULL, false);
        span.end = v->has_high ? place(x, prefix, count, &high, high_behind) : place(x, prefix, count, NULL, true);
    } else {
        span.start = v->has_high ? place(x, prefix, count, &high, !high_behind) : place(x, prefix, count, NULL, false);
        span.end = v->has_low    ? place(x, prefix, count, &low, !low_behind)
                   : skip_nulls ? place(x, prefix, count, &null, false)
                                : place(x, prefix, count, NULL, true);
    }
    if (compare_places(x, &span.start, &span.end) < 0) VEC_PUSH(x->arena, x->spans, span);
}

static Status add_combination(Expander *x, const SpanTemplate *template, const PartValues *values, Value *chosen)
{
    int last = template->part_count - 1;
    for (int i = 0; i <= last; i++) {
        if (template->parts[i].kind != SPAN_COMPUTED) continue;
        Status st = eval_computed(x, &template->parts[i], chosen, &chosen[i]);
        if (st != ST_OK) return st == ST_END ? ST_OK : st;
    }
    if (x->spans.count >= SPANS_MAX)
        return err_set(x->err, x->arena, ERR_PROGRAM_LIMIT_EXCEEDED, "too many key spans in one scan");
    SpanPartKind kind = template->parts[last].kind;
    if (kind == SPAN_RANGE || kind == SPAN_NOT_NULL) {
        add_range(x, chosen, last, &template->parts[last], &values[last]);
        return ST_OK;
    }
    Place start = place(x, chosen, last + 1, NULL, false);
    VEC_PUSH(x->arena, x->spans, (PlaceSpan){start, {start.values, start.count, true}});
    return ST_OK;
}

static bool is_listed(SpanPartKind kind)
{
    return kind == SPAN_POINTS || kind == SPAN_NULL;
}

/* Every combination of the listed parts' points, as an odometer. */
static Status expand_template(Expander *x, const SpanTemplate *template)
{
    PartValues *values = ARENA_ARRAY(x->arena, PartValues, template->part_count);
    Value chosen[KEY_COLUMNS_MAX] = {0};
    int at[KEY_COLUMNS_MAX] = {0};
    assert(template->part_count > 0 && template->part_count <= x->column_count);
    for (int i = 0; i < template->part_count; i++) {
        Status st = eval_part(x, &template->parts[i], &x->columns[i], &values[i]);
        if (st != ST_OK) return st == ST_END ? ST_OK : st;
    }
    for (;;) {
        for (int i = 0; i < template->part_count; i++)
            if (is_listed(values[i].kind)) chosen[i] = values[i].points[at[i]];
        TRY(add_combination(x, template, values, chosen));
        int i = template->part_count - 1;
        for (; i >= 0; i--) {
            if (!is_listed(values[i].kind)) continue;
            if (++at[i] < values[i].point_count) break;
            at[i] = 0;
        }
        if (i < 0) return ST_OK;
    }
}

/* ---- joining ---- */

/* [/1 - /1] and [/2 - /2] hold neighbours of a type without values between them. */
static bool are_neighbours(const Expander *x, const Place *end, const Place *start)
{
    if (!end->behind || start->behind || end->count != start->count || end->count == 0) return false;
    int last = end->count - 1;
    for (int i = 0; i < last; i++)
        if (compare_key_values(&x->columns[i], end->values[i], start->values[i]) != 0) return false;
    Value next = end->values[last];
    if (next.null || start->values[last].null) return false;
    if (!step(x->columns[last].type, &next, x->columns[last].descending ? -1 : 1)) return false;
    return compare_key_values(&x->columns[last], next, start->values[last]) == 0;
}

static bool may_join(const Expander *x, const PlaceSpan *left, const PlaceSpan *right)
{
    int order = compare_places(x, &right->start, &left->end);
    if (order > 0 && !are_neighbours(x, &left->end, &right->start)) return false;
    for (int i = 0; i < x->set->separate_columns; i++) {
        if (i >= left->start.count || i >= right->start.count) return order < 0;
        if (compare_key_values(&x->columns[i], left->start.values[i], right->start.values[i]) != 0) return false;
    }
    return true;
}

static void join(Expander *x)
{
    if (!x->spans.count) return;
    qsort_r(x->spans.items, (size_t)x->spans.count, sizeof(PlaceSpan), compare_spans, x);
    int kept = 0;
    for (int i = 1; i < x->spans.count; i++) {
        PlaceSpan *last = &x->spans.items[kept], *next = &x->spans.items[i];
        if (may_join(x, last, next)) {
            if (compare_places(x, &next->end, &last->end) > 0) last->end = next->end;
        } else {
            x->spans.items[++kept] = *next;
        }
    }
    x->spans.count = kept + 1;
}

/* ---- the result ---- */

static Value *copy_values(Arena *arena, const Value *values, int count)
{
    return count ? arena_copy(arena, values, sizeof(Value) * (size_t)count) : NULL;
}

static LogicalSpan to_logical(const Expander *x, const PlaceSpan *span)
{
    const Place *start = &span->start, *end = &span->end;
    LogicalSpan out = {
        .start_count = start->count, .end_count = end->count, .start_inclusive = !start->behind, .end_inclusive = end->behind};
    if (start->count && start->behind && start->values[start->count - 1].null) {
        out.start_after_null = true;
        out.start_inclusive = true;
        out.start_count--;
    }
    if (end->count && !end->behind && end->values[end->count - 1].null) {
        out.end_before_null = true;
        out.end_inclusive = true;
        out.end_count--;
    }
    out.start = copy_values(x->arena, start->values, out.start_count);
    out.end = copy_values(x->arena, end->values, out.end_count);
    return out;
}

static void describe_columns(Expander *x)
{
    const SpanSet *set = x->set;
    x->column_count = span_key_column_count(set->index) - set->first_column;
    assert(x->column_count <= KEY_COLUMNS_MAX);
    for (int i = 0; i < x->column_count; i++) {
        bool descending;
        const ColumnDesc *column = span_key_column(set->table, set->index, set->first_column + i, &descending);
        x->columns[i] = (KeyColumn){type_find(column->type.oid), descending, !column->not_null};
    }
}

Status span_expand(const SpanSet *set, SpanEval eval_fn, void *argument, LogicalSpan **spans, int *count, Arena *arena,
                   Error *err)
{
    Expander x = {.set = set, .eval = eval_fn, .argument = argument, .arena = arena, .err = err};
    describe_columns(&x);
    *count = 0;
    *spans = NULL;
    if (set->contradiction) return ST_OK;
    if (!set->template_count) {
        *spans = ARENA_NEW(arena, LogicalSpan);
        **spans = (LogicalSpan){.start_inclusive = true, .end_inclusive = true};
        *count = 1;
        return ST_OK;
    }
    for (int i = 0; i < set->template_count; i++) TRY(expand_template(&x, &set->templates[i]));
    join(&x);
    *spans = ARENA_ARRAY(arena, LogicalSpan, x.spans.count + 1);
    for (int i = 0; i < x.spans.count; i++) (*spans)[i] = to_logical(&x, &x.spans.items[i]);
    *count = x.spans.count;
    return ST_OK;
}

Status span_eval_constant(void *argument, Expr *e, Value *value, Error *err)
{
    if (expr_is_const(e, value)) return ST_OK;
    return err_unsupported(err, argument, "evaluating an expression while planning");
}
