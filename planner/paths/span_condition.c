/* span_condition.c - what one conjunct says about the columns of one table: a union of terms.
 *
 * A value side may be anything that does not depend on the table's own columns and does not change while the statement
 * runs: constants, parameters, columns of enclosing queries (and, in a lookup join, of the left side), stable calls.
 */
#include "planner/paths/span_build.h"

#include <math.h>

#include "planner/rel.h"

enum { TERMS_MAX = 64 };

/* The column side of a comparison: which column, and as what type it is compared. */
typedef struct Subject {
    int ordinal;
    const TypeDef *type; /* of the column */
    Oid compared_as;
} Subject;

static bool analyse(const SpanTable *table, Expr *e, SpanCondition *out);

/* ---- terms ---- */

static SpanTerm *add_term(const SpanTable *table, SpanCondition *out, bool tight)
{
    VEC_PUSH(table->arena, out->terms, (SpanTerm){.tight = tight});
    out->usable = true;
    return &VEC_LAST(out->terms);
}

static bool single(const SpanTable *table, SpanCondition *out, int ordinal, SpanPart part, bool tight)
{
    SpanTerm *term = add_term(table, out, tight);
    VEC_PUSH(table->arena, term->pairs, (SpanPair){.ordinal = ordinal, .part = part});
    return true;
}

static bool never(SpanCondition *out)
{
    out->usable = true;
    out->terms.count = 0;
    return true;
}

static SpanPart point_part(Arena *arena, Expr *value)
{
    Expr **values = ARENA_ARRAY(arena, Expr *, 1);
    values[0] = value;
    return (SpanPart){.kind = SPAN_POINTS, .values = values, .value_count = 1};
}

static SpanPart range_part(CompareOp op, Expr *bound)
{
    SpanPart part = {.kind = SPAN_RANGE};
    if (op == COMPARE_GT || op == COMPARE_GE) {
        part.low = bound;
        part.low_inclusive = op == COMPARE_GE;
    } else {
        part.high = bound;
        part.high_inclusive = op == COMPARE_LE;
    }
    return part;
}

/* ---- which side is what ---- */

static const ColumnDesc *column_of(const SpanTable *table, int ordinal)
{
    return &table->table->columns.items[ordinal];
}

static bool is_int_type(Oid oid)
{
    return oid == OID_INT2 || oid == OID_INT4 || oid == OID_INT8;
}

static bool is_text_type(Oid oid)
{
    return oid == OID_TEXT || oid == OID_VARCHAR;
}

static bool is_float_type(Oid oid)
{
    return oid == OID_FLOAT4 || oid == OID_FLOAT8;
}

/* Types whose values are held alike and sort alike, so that a value of one can stand in a key of the other. */
static bool same_family(Oid a, Oid b)
{
    return a == b || (is_int_type(a) && is_int_type(b)) || (is_text_type(a) && is_text_type(b)) ||
           (is_float_type(a) && is_float_type(b));
}

/* A cast that changes no value (an integer out of range is an error); one to a length or a precision cuts and rounds. */
static bool is_widening(const Expr *cast)
{
    Oid from = cast->args[0]->type.oid, to = cast->type.oid;
    if (cast->type.typmod != -1 && cast->type.typmod != cast->args[0]->type.typmod) return false;
    if (same_family(from, to)) return from != OID_FLOAT8 || to != OID_FLOAT4;
    return is_int_type(from) && (to == OID_NUMERIC || is_float_type(to));
}

/* A bare column, or an expression that is some column's computed one: the hash code of an indexed expression reads the
 * hidden column of that expression, which queries spell out. */
static int find_ordinal(const SpanTable *table, const Expr *e)
{
    for (int i = 0; i < table->table->columns.count; i++) {
        if (e->kind == EXPR_COLUMN && ((const ExprColumn *)e)->column == table->columns[i]) return i;
        if (table->computed && table->computed[i] && expr_equal(table->computed[i], e)) return i;
        if (table->spelled && table->spelled[i] && expr_equal(table->spelled[i], e)) return i;
    }
    return -1;
}

static bool find_subject(const SpanTable *table, const Expr *e, Subject *subject)
{
    Oid compared_as = e->type.oid;
    int ordinal = find_ordinal(table, e);
    while (ordinal < 0 && e->kind == EXPR_CAST && is_widening(e)) {
        e = e->args[0];
        ordinal = find_ordinal(table, e);
    }
    if (ordinal < 0) return false;
    const TypeDef *type = type_find(column_of(table, ordinal)->type.oid);
    if (!type || !span_type_points(type)) return false;
    *subject = (Subject){ordinal, type, compared_as};
    return true;
}

static bool is_value(const SpanTable *table, const Expr *e)
{
    if (e->kind == EXPR_CONST || e->kind == EXPR_PARAM) return true;
    ColSet used = {0};
    expr_columns(e, &used, table->arena);
    return !colset_intersects(&used, &table->own) && expr_volatility(e) != VOLATILITY_VOLATILE;
}

/* ---- comparisons with a constant of a wider type ---- */

typedef struct Narrowed {
    Value value;
    int side; /* of the narrowed value to the constant: 0 equal, -1 below, 1 above */
    bool out_of_range;
} Narrowed;

/* Fits a numeric or float constant to an integer column: the nearest integer, and on which side of the constant it is. */
static bool narrow(const SpanTable *table, Oid from, Value value, Narrowed *narrowed)
{
    const TypeDef *wide = type_find(from);
    CastDef there, back;
    if (!cast_find_path(from, OID_INT8, CAST_EXPLICIT, &there) || !cast_find_path(OID_INT8, from, CAST_EXPLICIT, &back))
        return false;
    Error err = {0};
    TypeCtx ctx = {table->arena, table->env, &err};
    Value zero, again;
    if (cast_run(&ctx, &back, value_int(0), -1, true, &zero) != ST_OK) return false;
    /* Integers beyond 2^53 are compared as the nearest double: several of them are equal to one constant, and the greatest
     * ones to 2^63. */
    if (is_float_type(from) && fabs(value.f) >= 9007199254740992.0 && fabs(value.f) <= 9223372036854775808.0) return false;
    if (cast_run(&ctx, &there, value, -1, true, &narrowed->value) != ST_OK) {
        narrowed->out_of_range = true;
        narrowed->side = -type_compare(wide, value, zero);
        return true;
    }
    if (cast_run(&ctx, &back, narrowed->value, -1, true, &again) != ST_OK) return false;
    narrowed->side = type_compare(wide, again, value);
    return true;
}

/* `column op constant` where the constant lies outside the column's type, or between two of its values. */
static bool compare_beyond(const SpanTable *table, SpanCondition *out, const Subject *s, CompareOp op, int side)
{
    bool above = op == COMPARE_GT || op == COMPARE_GE;
    if (op == COMPARE_EQ || (side > 0 ? !above : above)) return never(out);
    return single(table, out, s->ordinal, (SpanPart){.kind = SPAN_NOT_NULL}, true);
}

static bool int_limits(Oid oid, int64_t *low, int64_t *high)
{
    *low = oid == OID_INT2 ? INT16_MIN : oid == OID_INT4 ? INT32_MIN : INT64_MIN;
    *high = oid == OID_INT2 ? INT16_MAX : oid == OID_INT4 ? INT32_MAX : INT64_MAX;
    return is_int_type(oid);
}

/* ---- a comparison ---- */

static bool compare_floats(const SpanTable *table, SpanCondition *out, const Subject *s, CompareOp op, Expr *value)
{
    TypeRef type = column_of(table, s->ordinal)->type;
    Error err = {0};
    TypeCtx ctx = {table->arena, table->env, &err};
    Value nan;
    if (s->type->in(s->type, &ctx, slice_str("NaN"), -1, &nan) != ST_OK) return false;
    Expr *nan_const = expr_const(table->arena, type, nan);
    Value known;
    bool known_const = expr_is_const(value, &known);
    SpanPart part = range_part(op, value);
    /* SQL puts NaN above everything, keys put it below: what is above a bound is a range and NaN. */
    if (op == COMPARE_GT || op == COMPARE_GE) {
        if (!known_const || !span_value_is_nan(s->type, known)) single(table, out, s->ordinal, part, true);
        if (known_const && span_value_is_nan(s->type, known) && op == COMPARE_GT) return never(out);
        return single(table, out, s->ordinal, point_part(table->arena, nan_const), known_const);
    }
    bool is_nan = known_const && span_value_is_nan(s->type, known);
    if (!known_const || (is_nan && op == COMPARE_LE))
        return single(table, out, s->ordinal, (SpanPart){.kind = SPAN_NOT_NULL}, is_nan);
    if (is_nan) part.high = NULL;
    part.low = nan_const;
    part.low_inclusive = false;
    return single(table, out, s->ordinal, part, true);
}

static bool compare_typed(const SpanTable *table, SpanCondition *out, const Subject *s, CompareOp op, Expr *value)
{
    if (op == COMPARE_EQ) return single(table, out, s->ordinal, point_part(table->arena, value), true);
    if (!span_type_ranges(s->type)) return false;
    if (s->type->key_class == KEY_CLASS_FLOAT || s->type->key_class == KEY_CLASS_DECIMAL)
        return op != COMPARE_NE && compare_floats(table, out, s, op, value);
    if (op == COMPARE_NE)
        return compare_typed(table, out, s, COMPARE_LT, value) && compare_typed(table, out, s, COMPARE_GT, value);
    return single(table, out, s->ordinal, range_part(op, value), true);
}

static bool compare_int(const SpanTable *table, SpanCondition *out, const Subject *s, CompareOp op, Expr *value)
{
    Narrowed n = {0};
    Oid column = column_of(table, s->ordinal)->type.oid;
    if (!expr_is_const(value, &n.value))
        return is_int_type(value->type.oid) && compare_typed(table, out, s, op, value);
    if (!is_int_type(value->type.oid) && !narrow(table, value->type.oid, n.value, &n)) return false;
    int64_t low, high;
    int_limits(column, &low, &high);
    if (column_of(table, s->ordinal)->role == COLUMN_HASH_CODE) {
        low = 0;
        high = UINT16_MAX;
    }
    if (!n.out_of_range && (n.value.i < low || n.value.i > high)) {
        n.out_of_range = true;
        n.side = n.value.i < low ? 1 : -1;
    }
    if (op == COMPARE_NE && (n.out_of_range || n.side))
        return single(table, out, s->ordinal, (SpanPart){.kind = SPAN_NOT_NULL}, true);
    if (n.out_of_range) return compare_beyond(table, out, s, op, n.side);
    if (n.side && op == COMPARE_EQ) return never(out);
    if (n.side < 0) op = op == COMPARE_GE ? COMPARE_GT : op == COMPARE_LT ? COMPARE_LE : op;
    if (n.side > 0) op = op == COMPARE_GT ? COMPARE_GE : op == COMPARE_LE ? COMPARE_LT : op;
    return compare_typed(table, out, s, op, expr_const(table->arena, column_of(table, s->ordinal)->type, n.value));
}

/* char(n): only a value that fits the column can be equal to it; it is padded as the column's values are. */
static bool compare_bpchar(const SpanTable *table, SpanCondition *out, const Subject *s, CompareOp op, Expr *value)
{
    Value v, fitted;
    TypeRef type = column_of(table, s->ordinal)->type;
    if (op != COMPARE_EQ || !expr_is_const(value, &v) || !s->type->fit || type.typmod <= 0) return false;
    Error err = {0};
    TypeCtx ctx = {table->arena, table->env, &err};
    if (s->type->fit(s->type, &ctx, v, type.typmod, true, &fitted) != ST_OK) return false;
    if (type_compare(s->type, v, fitted) != 0) return never(out);
    return single(table, out, s->ordinal, point_part(table->arena, expr_const(table->arena, type, fitted)), true);
}

static bool compare_value(const SpanTable *table, SpanCondition *out, const Subject *s, CompareOp op, Expr *value)
{
    Value v;
    if (expr_is_const(value, &v) && v.null) return never(out);
    Oid column = column_of(table, s->ordinal)->type.oid;
    if (is_int_type(column) && (is_int_type(value->type.oid) || value->type.oid == OID_NUMERIC ||
                                is_float_type(value->type.oid)))
        return compare_int(table, out, s, op, value);
    if (!same_family(column, value->type.oid)) return false;
    if (column == OID_BPCHAR) return compare_bpchar(table, out, s, op, value);
    /* A double that is no float4 still sorts rightly between the widened ones; it is just never equal to one. */
    return compare_typed(table, out, s, op, value);
}

static CompareOp swapped(CompareOp op)
{
    switch (op) {
    case COMPARE_LT: return COMPARE_GT;
    case COMPARE_LE: return COMPARE_GE;
    case COMPARE_GT: return COMPARE_LT;
    case COMPARE_GE: return COMPARE_LE;
    case COMPARE_EQ:
    case COMPARE_NE: return op;
    }
    return op;
}

static bool analyse_pair(const SpanTable *table, SpanCondition *out, CompareOp op, Expr *left, Expr *right)
{
    Subject s;
    if (find_subject(table, left, &s) && is_value(table, right)) return compare_value(table, out, &s, op, right);
    if (find_subject(table, right, &s) && is_value(table, left)) return compare_value(table, out, &s, swapped(op), left);
    return false;
}

/* ---- lists, rows, NULL, LIKE ---- */

/* Joins terms that are points of one column into one term. */
static void join_points(const SpanTable *table, SpanCondition *out)
{
    if (out->terms.count < 2) return;
    VEC(Expr *) values = {0};
    bool tight = true;
    for (int i = 0; i < out->terms.count; i++) {
        const SpanTerm *term = &out->terms.items[i];
        const SpanPair *pair = &term->pairs.items[0];
        if (term->pairs.count != 1 || pair->ordinal != out->terms.items[0].pairs.items[0].ordinal) return;
        if (pair->part.kind != SPAN_POINTS || pair->part.array || pair->part.or_null) return;
        for (int v = 0; v < pair->part.value_count; v++) VEC_PUSH(table->arena, values, pair->part.values[v]);
        tight = tight && term->tight;
    }
    SpanTerm *first = &out->terms.items[0];
    first->pairs.items[0].part.values = values.items;
    first->pairs.items[0].part.value_count = values.count;
    first->tight = tight;
    out->terms.count = 1;
}

static bool analyse_in(const SpanTable *table, SpanCondition *out, const Expr *e)
{
    if (((const ExprNegatable *)e)->negated) return false;
    for (int i = 1; i < e->arg_count; i++) {
        SpanCondition one = {0};
        if (!analyse_pair(table, &one, COMPARE_EQ, e->args[0], e->args[i])) return false;
        for (int t = 0; t < one.terms.count; t++) VEC_PUSH(table->arena, out->terms, one.terms.items[t]);
    }
    out->usable = true;
    join_points(table, out);
    return out->terms.count <= TERMS_MAX;
}

static bool analyse_any(const SpanTable *table, SpanCondition *out, const Expr *e)
{
    const ExprAnyArray *any = (const ExprAnyArray *)e;
    Subject s;
    if (any->all || any->function || any->op != COMPARE_EQ) return false;
    if (!find_subject(table, e->args[0], &s) || !is_value(table, e->args[1])) return false;
    const TypeDef *array = type_find(e->args[1]->type.oid);
    if (!array || s.type->oid == OID_BPCHAR || !same_family(s.type->oid, array->element_oid)) return false;
    SpanPart part = point_part(table->arena, e->args[1]);
    part.array = true;
    return single(table, out, s.ordinal, part, true);
}

/* (a, b, c) > (x, y, z) is a > x, or a = x and b > y, or a = x and b = y and c > z. */
static bool analyse_row(const SpanTable *table, SpanCondition *out, const Expr *e)
{
    CompareOp op = ((const ExprCompare *)e)->op, strict = op;
    int n = e->arg_count / 2;
    if (op == COMPARE_NE) return false;
    if (op == COMPARE_GE) strict = COMPARE_GT;
    if (op == COMPARE_LE) strict = COMPARE_LT;
    for (int last = op == COMPARE_EQ ? n - 1 : 0; last < n; last++) {
        SpanTerm term = {.tight = true};
        bool possible = true;
        for (int i = 0; i <= last; i++) {
            SpanCondition one = {0};
            CompareOp part_op = i < last ? COMPARE_EQ : last == n - 1 ? op : strict;
            bool usable = analyse_pair(table, &one, part_op, e->args[i], e->args[n + i]) && one.terms.count <= 1;
            if (usable && one.terms.count == 0) possible = false;
            if (!usable) term.tight = false;
            if (!usable || !possible) continue;
            term.tight = term.tight && one.terms.items[0].tight;
            VEC_PUSH(table->arena, term.pairs, one.terms.items[0].pairs.items[0]);
        }
        if (!possible) continue;
        if (term.pairs.count == 0) return false;
        VEC_PUSH(table->arena, out->terms, term);
    }
    out->usable = true;
    return true;
}

static bool analyse_distinct(const SpanTable *table, SpanCondition *out, const Expr *e)
{
    Subject s;
    Value v;
    Expr *value = e->args[1];
    if (!find_subject(table, e->args[0], &s)) {
        if (!find_subject(table, e->args[1], &s)) return false;
        value = e->args[0];
    }
    if (!expr_is_const(value, &v)) return false;
    bool equal = ((const ExprNegatable *)e)->negated;
    if (v.null) return single(table, out, s.ordinal, (SpanPart){.kind = equal ? SPAN_NULL : SPAN_NOT_NULL}, true);
    if (equal) return compare_value(table, out, &s, COMPARE_EQ, value);
    if (!compare_value(table, out, &s, COMPARE_NE, value)) return false;
    return single(table, out, s.ordinal, (SpanPart){.kind = SPAN_NULL}, true);
}

static bool analyse_null(const SpanTable *table, SpanCondition *out, const Expr *e)
{
    int ordinal = find_ordinal(table, e->args[0]);
    if (ordinal < 0) return false;
    bool negated = ((const ExprNegatable *)e)->negated;
    if (column_of(table, ordinal)->not_null && !negated) return never(out);
    return single(table, out, ordinal, (SpanPart){.kind = negated ? SPAN_NOT_NULL : SPAN_NULL}, true);
}

static bool analyse_bool(const SpanTable *table, SpanCondition *out, const Expr *column, bool truth, bool or_null)
{
    int ordinal = find_ordinal(table, column);
    if (ordinal < 0 || column_of(table, ordinal)->type.oid != OID_BOOL) return false;
    SpanPart part = point_part(table->arena, expr_bool(table->arena, truth));
    part.or_null = or_null;
    return single(table, out, ordinal, part, true);
}

static bool analyse_is_bool(const SpanTable *table, SpanCondition *out, const Expr *e)
{
    const ExprIsBool *is = (const ExprIsBool *)e;
    if (is->truth >= 0) return analyse_bool(table, out, e->args[0], is->negated != (is->truth == 1), is->negated);
    int ordinal = find_ordinal(table, e->args[0]);
    if (ordinal < 0) return false;
    return single(table, out, ordinal, (SpanPart){.kind = is->negated ? SPAN_NOT_NULL : SPAN_NULL}, true);
}

/* The text in front of the first wildcard, escapes undone; *rest is what follows it. */
static Slice like_prefix(Slice pattern, Arena *arena, Slice *rest)
{
    uint8_t *prefix = arena_alloc(arena, pattern.size + 1);
    size_t size = 0, i = 0;
    for (; i < pattern.size && pattern.data[i] != '%' && pattern.data[i] != '_'; i++) {
        if (pattern.data[i] == '\\' && i + 1 < pattern.size) i++;
        prefix[size++] = pattern.data[i];
    }
    *rest = slice_of(pattern.data + i, pattern.size - i);
    return slice_of(prefix, size);
}

/* The least text above all that start with prefix; false if there is none. */
static bool prefix_end(Slice prefix, Arena *arena, Slice *end)
{
    uint8_t *bytes = arena_copy(arena, prefix.data, prefix.size);
    size_t size = prefix.size;
    while (size && bytes[size - 1] == 0xff) size--;
    if (!size) return false;
    bytes[size - 1]++;
    *end = slice_of(bytes, size);
    return true;
}

static bool analyse_like(const SpanTable *table, SpanCondition *out, const Expr *e)
{
    Subject s;
    Value pattern;
    if (!find_subject(table, e->args[0], &s) || !is_text_type(s.type->oid)) return false;
    if (!expr_is_const(e->args[1], &pattern)) return false;
    if (pattern.null) return never(out);
    Slice rest, end, prefix = like_prefix(value_to_slice(pattern), table->arena, &rest);
    TypeRef type = column_of(table, s.ordinal)->type;
    Expr *low = expr_const(table->arena, type, value_slice(prefix));
    if (rest.size == 0) return single(table, out, s.ordinal, point_part(table->arena, low), true);
    if (prefix.size == 0) return false;
    SpanPart part = {.kind = SPAN_RANGE, .low = low, .low_inclusive = true};
    if (prefix_end(prefix, table->arena, &end)) part.high = expr_const(table->arena, type, value_slice(end));
    return single(table, out, s.ordinal, part, slice_equal_str(rest, "%"));
}

static bool is_like(const Expr *e)
{
    const char *name = ((const ExprCall *)e)->function->name;
    return e->arg_count == 2 && (strcmp(name, "~~") == 0 || strcmp(name, "like") == 0);
}

/* ---- connectives ---- */

/* One arm of an OR: a conjunction. Every combination of its conjuncts' terms is a term of the arm. */
static bool analyse_arm(const SpanTable *table, SpanCondition *out, Expr *arm)
{
    Expr **items = arm->kind == EXPR_AND ? arm->args : &arm;
    int count = arm->kind == EXPR_AND ? arm->arg_count : 1;
    VEC(SpanTerm) terms = {0};
    VEC_PUSH(table->arena, terms, (SpanTerm){.tight = true});
    for (int i = 0; i < count; i++) {
        SpanCondition one = {0};
        bool usable = analyse(table, items[i], &one) && one.terms.count * terms.count <= TERMS_MAX;
        VEC(SpanTerm) product = {0};
        for (int t = 0; t < terms.count; t++) {
            SpanTerm base = terms.items[t];
            if (!usable) base.tight = false;
            if (!usable) VEC_PUSH(table->arena, product, base);
            for (int u = 0; usable && u < one.terms.count; u++) {
                SpanTerm joined = {.tight = base.tight && one.terms.items[u].tight};
                for (int p = 0; p < base.pairs.count; p++) VEC_PUSH(table->arena, joined.pairs, base.pairs.items[p]);
                for (int p = 0; p < one.terms.items[u].pairs.count; p++)
                    VEC_PUSH(table->arena, joined.pairs, one.terms.items[u].pairs.items[p]);
                VEC_PUSH(table->arena, product, joined);
            }
        }
        terms.items = product.items;
        terms.count = product.count;
        terms.capacity = product.capacity;
    }
    for (int t = 0; t < terms.count; t++) {
        if (terms.items[t].pairs.count == 0) return false;
        VEC_PUSH(table->arena, out->terms, terms.items[t]);
    }
    return true;
}

static bool analyse_or(const SpanTable *table, SpanCondition *out, const Expr *e)
{
    for (int i = 0; i < e->arg_count; i++)
        if (!analyse_arm(table, out, e->args[i])) return false;
    out->usable = true;
    join_points(table, out);
    return out->terms.count <= TERMS_MAX;
}

static bool analyse(const SpanTable *table, Expr *e, SpanCondition *out)
{
    Value v;
    switch (e->kind) {
    case EXPR_CONST: return expr_is_const(e, &v) && (v.null || !v.i) && never(out);
    case EXPR_COLUMN: return analyse_bool(table, out, e, true, false);
    case EXPR_NOT: return analyse_bool(table, out, e->args[0], false, false);
    case EXPR_CALL:
        return (is_like(e) && analyse_like(table, out, e)) || analyse_bool(table, out, e, true, false);
    case EXPR_AND: return analyse_arm(table, out, e) && (out->usable = true);
    case EXPR_OR: return analyse_or(table, out, e);
    case EXPR_IS_NULL: return analyse_null(table, out, e);
    case EXPR_IS_BOOL: return analyse_is_bool(table, out, e);
    case EXPR_COMPARE:
        return analyse_pair(table, out, ((const ExprCompare *)e)->op, e->args[0], e->args[1]);
    case EXPR_DISTINCT: return analyse_distinct(table, out, e);
    case EXPR_ROW_COMPARE: return analyse_row(table, out, e);
    case EXPR_IN_LIST: return analyse_in(table, out, e);
    case EXPR_ANY_ARRAY: return analyse_any(table, out, e);
    case EXPR_PARAM:
    case EXPR_CAST:
    case EXPR_DOMAIN:
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
    case EXPR_DEFAULT: return false;
    }
    return false;
}

void span_analyse(const SpanTable *table, Expr *conjunct, SpanCondition *condition)
{
    *condition = (SpanCondition){.expr = conjunct};
    if (analyse(table, conjunct, condition)) return;
    *condition = (SpanCondition){.expr = conjunct};
}
