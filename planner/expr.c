/* expr.c - making bound expressions and comparing them. */
#include "planner/expr.h"

#include <assert.h>

static const size_t expr_sizes[] = {
    [EXPR_CONST] = sizeof(ExprConst),
    [EXPR_PARAM] = sizeof(ExprParam),
    [EXPR_COLUMN] = sizeof(ExprColumn),
    [EXPR_CALL] = sizeof(ExprCall),
    [EXPR_CAST] = sizeof(ExprCast),
    [EXPR_DOMAIN] = sizeof(ExprDomain),
    [EXPR_AND] = sizeof(Expr),
    [EXPR_OR] = sizeof(Expr),
    [EXPR_NOT] = sizeof(Expr),
    [EXPR_IS_NULL] = sizeof(ExprNegatable),
    [EXPR_IS_BOOL] = sizeof(ExprIsBool),
    [EXPR_COMPARE] = sizeof(ExprCompare),
    [EXPR_DISTINCT] = sizeof(ExprNegatable),
    [EXPR_ROW_COMPARE] = sizeof(ExprCompare),
    [EXPR_IN_LIST] = sizeof(ExprNegatable),
    [EXPR_ANY_ARRAY] = sizeof(ExprAnyArray),
    [EXPR_CASE] = sizeof(Expr),
    [EXPR_COALESCE] = sizeof(Expr),
    [EXPR_MIN_MAX] = sizeof(ExprMinMax),
    [EXPR_ARRAY] = sizeof(Expr),
    [EXPR_ROW] = sizeof(ExprRow),
    [EXPR_FIELD] = sizeof(ExprField),
    [EXPR_SUBSCRIPT] = sizeof(ExprSubscript),
    [EXPR_SUBQUERY] = sizeof(ExprSubquery),
    [EXPR_AGGREGATE] = sizeof(ExprAggregate),
    [EXPR_WINDOW] = sizeof(ExprWindow),
    [EXPR_DEFAULT] = sizeof(Expr),
};

size_t expr_size(ExprKind kind)
{
    return expr_sizes[kind];
}

Expr *expr_new(Arena *arena, ExprKind kind, TypeRef type, Expr **args, int arg_count)
{
    Expr *e = arena_alloc(arena, expr_sizes[kind]);
    e->kind = kind;
    e->type = type;
    e->args = args;
    e->arg_count = arg_count;
    return e;
}

static Expr **args_of_two(Arena *arena, Expr *left, Expr *right)
{
    Expr **args = ARENA_ARRAY(arena, Expr *, 2);
    args[0] = left;
    args[1] = right;
    return args;
}

static Expr **args_of_one(Arena *arena, Expr *only)
{
    Expr **args = ARENA_ARRAY(arena, Expr *, 1);
    args[0] = only;
    return args;
}

Expr *expr_const(Arena *arena, TypeRef type, Value value)
{
    ExprConst *e = (ExprConst *)expr_new(arena, EXPR_CONST, type, NULL, 0);
    e->value = value;
    return &e->base;
}

Expr *expr_null(Arena *arena, TypeRef type)
{
    return expr_const(arena, type, VALUE_NULL);
}

Expr *expr_bool(Arena *arena, bool value)
{
    return expr_const(arena, (TypeRef){OID_BOOL, -1}, value_bool(value));
}

Expr *expr_column(Arena *arena, ColId column, TypeRef type, const char *name)
{
    ExprColumn *e = (ExprColumn *)expr_new(arena, EXPR_COLUMN, type, NULL, 0);
    e->column = column;
    e->name = name;
    return &e->base;
}

Expr *expr_compare(Arena *arena, CompareOp op, Expr *left, Expr *right)
{
    TypeRef type = {OID_BOOL, -1};
    ExprCompare *e = (ExprCompare *)expr_new(arena, EXPR_COMPARE, type, args_of_two(arena, left, right), 2);
    e->op = op;
    return &e->base;
}

Expr *expr_not(Arena *arena, Expr *e)
{
    return expr_new(arena, EXPR_NOT, (TypeRef){OID_BOOL, -1}, args_of_one(arena, e), 1);
}

Expr *expr_is_null(Arena *arena, Expr *e, bool negated)
{
    ExprNegatable *test =
        (ExprNegatable *)expr_new(arena, EXPR_IS_NULL, (TypeRef){OID_BOOL, -1}, args_of_one(arena, e), 1);
    test->negated = negated;
    return &test->base;
}

Expr *expr_cast(Arena *arena, Expr *e, CastDef path, TypeRef type, bool explicit_cast)
{
    ExprCast *cast = (ExprCast *)expr_new(arena, EXPR_CAST, type, args_of_one(arena, e), 1);
    cast->path = path;
    cast->explicit_cast = explicit_cast;
    cast->base.position = e->position;
    return &cast->base;
}

Expr *expr_call(Arena *arena, const FuncDef *function, TypeRef type, Expr **args, int arg_count)
{
    ExprCall *call = (ExprCall *)expr_new(arena, EXPR_CALL, type, args, arg_count);
    call->function = function;
    return &call->base;
}

/* A connective of n items, nested ones of the same kind flattened. */
static Expr *connective(Arena *arena, ExprKind kind, Expr **items, int count)
{
    VEC(Expr *) flat = {0};
    for (int i = 0; i < count; i++) {
        if (items[i]->kind != kind) {
            VEC_PUSH(arena, flat, items[i]);
            continue;
        }
        for (int j = 0; j < items[i]->arg_count; j++) VEC_PUSH(arena, flat, items[i]->args[j]);
    }
    if (flat.count == 0) return expr_bool(arena, kind == EXPR_AND);
    if (flat.count == 1) return flat.items[0];
    return expr_new(arena, kind, (TypeRef){OID_BOOL, -1}, flat.items, flat.count);
}

Expr *expr_and(Arena *arena, Expr **items, int count)
{
    return connective(arena, EXPR_AND, items, count);
}

Expr *expr_and2(Arena *arena, Expr *a, Expr *b)
{
    if (!a) return b;
    if (!b) return a;
    return expr_and(arena, (Expr *[]){a, b}, 2);
}

Expr *expr_or(Arena *arena, Expr **items, int count)
{
    return connective(arena, EXPR_OR, items, count);
}

int expr_conjuncts(Expr *e, Expr ***items, Arena *arena)
{
    if (!e) return 0;
    if (e->kind == EXPR_AND) {
        *items = e->args;
        return e->arg_count;
    }
    *items = args_of_one(arena, e);
    return 1;
}

bool expr_is_const(const Expr *e, Value *value)
{
    if (e->kind != EXPR_CONST) return false;
    if (value) *value = ((const ExprConst *)e)->value;
    return true;
}

bool expr_is_true(const Expr *e)
{
    Value value;
    return e->type.oid == OID_BOOL && expr_is_const(e, &value) && !value.null && value.i;
}

bool expr_is_null_const(const Expr *e)
{
    Value value;
    return expr_is_const(e, &value) && value.null;
}

Expr *expr_with_args(Arena *arena, const Expr *e, Expr **args)
{
    Expr *copy = arena_copy(arena, e, expr_sizes[e->kind]);
    copy->args = args;
    return copy;
}

/* a op b is b compare_swapped(op) a. */
CompareOp compare_swapped(CompareOp op)
{
    static const CompareOp swapped[] = {
        [COMPARE_EQ] = COMPARE_EQ, [COMPARE_NE] = COMPARE_NE, [COMPARE_LT] = COMPARE_GT,
        [COMPARE_LE] = COMPARE_GE, [COMPARE_GT] = COMPARE_LT, [COMPARE_GE] = COMPARE_LE};
    return swapped[op];
}

/* NOT (a op b) is a compare_negated(op) b, NULLs included. */
CompareOp compare_negated(CompareOp op)
{
    static const CompareOp negated[] = {
        [COMPARE_EQ] = COMPARE_NE, [COMPARE_NE] = COMPARE_EQ, [COMPARE_LT] = COMPARE_GE,
        [COMPARE_LE] = COMPARE_GT, [COMPARE_GT] = COMPARE_LE, [COMPARE_GE] = COMPARE_LT};
    return negated[op];
}

const char *compare_symbol(CompareOp op)
{
    static const char *const symbols[] = {[COMPARE_EQ] = "=",  [COMPARE_NE] = "!=", [COMPARE_LT] = "<",
                                          [COMPARE_LE] = "<=", [COMPARE_GT] = ">",  [COMPARE_GE] = ">="};
    return symbols[op];
}

/* ---- equality ---- */

static bool consts_equal(const Expr *a, const Expr *b)
{
    Value x = ((const ExprConst *)a)->value, y = ((const ExprConst *)b)->value;
    if (x.null || y.null) return x.null && y.null;
    const TypeDef *type = type_find(a->type.oid);
    /* Bytes, not the type's order: 1.0 and 1.00 are equal numerics but print differently. */
    if (type && type->rep == REP_BYTES) return slice_equal(value_to_slice(x), value_to_slice(y));
    return x.i == y.i;
}

static bool keys_equal(const SortKey *a, const SortKey *b, int count)
{
    for (int i = 0; i < count; i++) {
        if (a[i].descending != b[i].descending || a[i].nulls_first != b[i].nulls_first) return false;
        if (!expr_equal(a[i].expr, b[i].expr)) return false;
    }
    return true;
}

static bool both_or_neither_equal(const Expr *a, const Expr *b)
{
    if (!a || !b) return a == b;
    return expr_equal(a, b);
}

static bool aggregates_equal(const ExprAggregate *a, const ExprAggregate *b)
{
    return a->aggregate == b->aggregate && a->distinct == b->distinct && a->order_count == b->order_count &&
           both_or_neither_equal(a->filter, b->filter) && keys_equal(a->order, b->order, a->order_count);
}

bool window_spec_equal(const WindowSpec *a, const WindowSpec *b)
{
    if (a == b) return true;
    if (a->partition_count != b->partition_count || a->order_count != b->order_count) return false;
    if (a->unit != b->unit || a->start != b->start || a->end != b->end || a->exclude != b->exclude) return false;
    for (int i = 0; i < a->partition_count; i++)
        if (!expr_equal(a->partition[i], b->partition[i])) return false;
    return keys_equal(a->order, b->order, a->order_count) && both_or_neither_equal(a->start_offset, b->start_offset) &&
           both_or_neither_equal(a->end_offset, b->end_offset);
}

static bool windows_equal(const ExprWindow *a, const ExprWindow *b)
{
    return a->aggregate == b->aggregate && a->window == b->window && both_or_neither_equal(a->filter, b->filter) &&
           window_spec_equal(a->spec, b->spec);
}

/* The same text, but for parentheses around the whole of one. */
static bool same_words(const char *a, const char *b)
{
    size_t a_size = strlen(a), b_size = strlen(b);
    if (a_size < b_size) return same_words(b, a);
    size_t around = (a_size - b_size) / 2;
    if ((a_size - b_size) % 2 != 0 || memcmp(a + around, b, b_size) != 0) return false;
    for (size_t i = 0; i < around; i++)
        if (a[i] != '(' || a[a_size - 1 - i] != ')') return false;
    return true;
}

/* Each mention of a subquery is bound with columns of its own, so structures never match: the same words over the same
 * outer columns mean the same. */
static bool subqueries_equal(const ExprSubquery *a, const ExprSubquery *b)
{
    if (a->sub_kind != b->sub_kind) return false;
    if (a->rel == b->rel) return true;
    if (!a->sql || !b->sql || !same_words(a->sql, b->sql) || a->outer_count != b->outer_count) return false;
    return a->outer_count == 0 || memcmp(a->outer, b->outer, sizeof(ColId) * (size_t)a->outer_count) == 0;
}

/* What a node of this kind holds besides its arguments. */
static bool fields_equal(const Expr *a, const Expr *b)
{
#define SAME(Type, field) (((const Type *)a)->field == ((const Type *)b)->field)
    switch (a->kind) {
    case EXPR_CONST:
        return consts_equal(a, b);
    case EXPR_PARAM:
        return SAME(ExprParam, number);
    case EXPR_COLUMN:
        return SAME(ExprColumn, column);
    case EXPR_CALL:
        return SAME(ExprCall, function);
    case EXPR_CAST:
        return SAME(ExprCast, path.source) && SAME(ExprCast, path.target) && SAME(ExprCast, explicit_cast);
    case EXPR_DOMAIN:
        return SAME(ExprDomain, domain) && SAME(ExprDomain, elements);
    case EXPR_IS_NULL:
    case EXPR_DISTINCT:
    case EXPR_IN_LIST:
        return SAME(ExprNegatable, negated);
    case EXPR_IS_BOOL:
        return SAME(ExprIsBool, negated) && SAME(ExprIsBool, truth);
    case EXPR_COMPARE:
    case EXPR_ROW_COMPARE:
        return SAME(ExprCompare, op);
    case EXPR_ANY_ARRAY:
        return SAME(ExprAnyArray, all) && SAME(ExprAnyArray, op) && SAME(ExprAnyArray, function);
    case EXPR_MIN_MAX:
        return SAME(ExprMinMax, least);
    case EXPR_FIELD:
        return SAME(ExprField, field);
    case EXPR_SUBSCRIPT:
        return SAME(ExprSubscript, slice);
    case EXPR_SUBQUERY:
        return subqueries_equal((const ExprSubquery *)a, (const ExprSubquery *)b);
    case EXPR_AGGREGATE:
        return aggregates_equal((const ExprAggregate *)a, (const ExprAggregate *)b);
    case EXPR_WINDOW:
        return windows_equal((const ExprWindow *)a, (const ExprWindow *)b);
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_NOT:
    case EXPR_CASE:
    case EXPR_COALESCE:
    case EXPR_ARRAY:
    case EXPR_ROW:
    case EXPR_DEFAULT:
        return true;
    }
#undef SAME
    assert(!"unknown expression kind");
    return false;
}

bool expr_equal(const Expr *a, const Expr *b)
{
    if (a == b) return true;
    if (a->kind != b->kind || a->type.oid != b->type.oid || a->type.typmod != b->type.typmod) return false;
    if (a->arg_count != b->arg_count) return false;
    if (!fields_equal(a, b)) return false;
    for (int i = 0; i < a->arg_count; i++)
        if (!expr_equal(a->args[i], b->args[i])) return false;
    return true;
}
