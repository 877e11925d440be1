/* bind_forms.c - operators, tests, CASE, casts, arrays and their elements. */
#include "planner/bind/bind_expr.h"

static const TypeRef boolean = {OID_BOOL, -1};

/* ---- operators ---- */

Status bind_op(Binder *binder, const AstOp *op, Expr **out)
{
    CompareOp compare;
    Expr *left = NULL, *right;
    if (op->left) TRY(bind_expr(binder, op->left, &left));
    TRY(bind_expr(binder, op->right, &right));
    if (op->schema && strcmp(op->schema, "pg_catalog") != 0) {
        (void)err_set(binder->err, binder->arena, ERR_UNDEFINED_FUNCTION, "operator does not exist: %s.%s", op->schema,
                      op->op);
        return err_at(binder->err, op->base.position);
    }
    if (left && compare_op_find(op->op, &compare))
        return bind_compare(binder, compare, left, right, op->base.position, out);
    return bind_operator(binder, op->op, left, right, op->base.position, out);
}

Status bind_like(Binder *binder, const AstLike *like, Expr **out)
{
    static const char *const symbols[3][2] = {
        [AST_LIKE_LIKE] = {"~~", "!~~"}, [AST_LIKE_ILIKE] = {"~~*", "!~~*"}, [AST_LIKE_SIMILAR] = {"~", "!~"}};
    Expr *left, **args = ARENA_ARRAY(binder->arena, Expr *, 2);
    TRY(bind_expr(binder, like->left, &left));
    TRY(bind_expr(binder, like->pattern, &args[0]));
    int count = 1, position = like->base.position;
    if (like->escape) TRY(bind_expr(binder, like->escape, &args[count++]));
    Expr *pattern = args[0];
    if (like->like == AST_LIKE_SIMILAR)
        TRY(bind_function(binder, "similar_to_escape", args, count, position, &pattern));
    else if (like->escape)
        TRY(bind_function(binder, "like_escape", args, count, position, &pattern));
    return bind_operator(binder, symbols[like->like][like->negated], left, pattern, position, out);
}

static Status bind_range(Binder *binder, const AstBetween *between, Expr *arg, Expr *low, Expr *high, Expr **out)
{
    Expr *sides[2];
    TRY(bind_compare(binder, COMPARE_GE, arg, low, between->base.position, &sides[0]));
    TRY(bind_compare(binder, COMPARE_LE, arg, high, between->base.position, &sides[1]));
    *out = expr_and(binder->arena, sides, 2);
    return ST_OK;
}

Status bind_between(Binder *binder, const AstBetween *between, Expr **out)
{
    Expr *arg, *low, *high, *ways[2];
    TRY(bind_expr(binder, between->arg, &arg));
    TRY(bind_expr(binder, between->low, &low));
    TRY(bind_expr(binder, between->high, &high));
    TRY(bind_range(binder, between, arg, low, high, &ways[0]));
    *out = ways[0];
    if (between->symmetric) {
        TRY(bind_range(binder, between, arg, high, low, &ways[1]));
        *out = expr_or(binder->arena, ways, 2);
    }
    if (between->negated) *out = expr_not(binder->arena, *out);
    return ST_OK;
}

/* ---- IN (list) ---- */

static bool all_plain_equalities(Expr *const *tests, int count)
{
    for (int i = 0; i < count; i++) {
        if (tests[i]->kind != EXPR_COMPARE || ((const ExprCompare *)tests[i])->op != COMPARE_EQ) return false;
        if (!expr_equal(tests[i]->args[0], tests[0]->args[0])) return false;
    }
    return count > 0;
}

/* x IN (a, b): a list if all items compare with x in one type, else x = a OR x = b. */
Status bind_in_list(Binder *binder, const AstIn *in, Expr **out)
{
    Expr *left;
    ExprVec items, tests = {0};
    TRY(bind_expr(binder, in->left, &left));
    TRY(bind_exprs(binder, &in->items, &items));
    for (int i = 0; i < items.count; i++) {
        Expr *test;
        TRY(bind_compare(binder, COMPARE_EQ, left, items.items[i], in->base.position, &test));
        VEC_PUSH(binder->arena, tests, test);
    }
    if (tests.count > 1 && all_plain_equalities(tests.items, tests.count)) {
        Expr **args = ARENA_ARRAY(binder->arena, Expr *, tests.count + 1);
        args[0] = tests.items[0]->args[0];
        for (int i = 0; i < tests.count; i++) args[i + 1] = tests.items[i]->args[1];
        ExprNegatable *list = (ExprNegatable *)expr_new(binder->arena, EXPR_IN_LIST, boolean, args, tests.count + 1);
        list->negated = in->negated;
        list->base.position = in->base.position;
        *out = &list->base;
        return ST_OK;
    }
    *out = expr_or(binder->arena, tests.items, tests.count);
    if (in->negated) *out = expr_not(binder->arena, *out);
    return ST_OK;
}

/* ---- IS DISTINCT FROM ---- */

static Status distinct_pair(Binder *binder, Expr *left, Expr *right, bool negated, int position, Expr **out)
{
    Expr *pair;
    TRY(bind_compare(binder, COMPARE_EQ, left, right, position, &pair));
    if (pair->kind != EXPR_COMPARE) {
        (void)err_unsupported(binder->err, binder->arena, "IS DISTINCT FROM of these types");
        return err_at(binder->err, position);
    }
    ExprNegatable *test = (ExprNegatable *)expr_new(binder->arena, EXPR_DISTINCT, boolean, pair->args, 2);
    test->negated = negated;
    test->base.position = position;
    *out = &test->base;
    return ST_OK;
}

Status bind_distinct_from(Binder *binder, const AstDistinctFrom *distinct, Expr **out)
{
    Expr *left, *right;
    int position = distinct->base.position;
    TRY(bind_expr(binder, distinct->left, &left));
    TRY(bind_expr(binder, distinct->right, &right));
    if (left->kind != EXPR_ROW || right->kind != EXPR_ROW)
        return distinct_pair(binder, left, right, distinct->negated, position, out);
    if (left->arg_count != right->arg_count) {
        (void)err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR, "unequal number of entries in row expressions");
        return err_at(binder->err, position);
    }
    Expr **pairs = ARENA_ARRAY(binder->arena, Expr *, left->arg_count);
    for (int i = 0; i < left->arg_count; i++)
        TRY(distinct_pair(binder, left->args[i], right->args[i], distinct->negated, position, &pairs[i]));
    *out = distinct->negated ? expr_and(binder->arena, pairs, left->arg_count)
                             : expr_or(binder->arena, pairs, left->arg_count);
    return ST_OK;
}

/* ---- CASE ---- */

Status bind_case(Binder *binder, const AstCase *ast, Expr **out)
{
    int n = ast->whens.count;
    Expr *arg = NULL, **args = ARENA_ARRAY(binder->arena, Expr *, 2 * n + 1);
    /* The ELSE comes first where the type is decided, as in PostgreSQL. */
    Expr **results = ARENA_ARRAY(binder->arena, Expr *, n + 1);
    if (ast->arg) TRY(bind_expr(binder, ast->arg, &arg));
    if (arg) TRY(bind_resolve_unknown(binder, arg, &arg));
    for (int i = 0; i < n; i++) {
        const AstWhen *when = &ast->whens.items[i];
        Expr *test;
        TRY(bind_expr(binder, when->when, &test));
        if (arg) TRY(bind_compare(binder, COMPARE_EQ, arg, test, when->when->position, &test));
        TRY(bind_boolean(binder, test, "CASE/WHEN", &args[2 * i]));
        TRY(bind_expr(binder, when->then, &results[i + 1]));
    }
    results[0] = expr_const(binder->arena, (TypeRef){OID_UNKNOWN, -1}, VALUE_NULL);
    if (ast->otherwise) TRY(bind_expr(binder, ast->otherwise, &results[0]));
    TypeRef type;
    TRY(bind_to_common_type(binder, results, n + 1, "CASE", &type));
    for (int i = 0; i < n; i++) args[2 * i + 1] = results[i + 1];
    args[2 * n] = results[0];
    *out = expr_new(binder->arena, EXPR_CASE, type, args, 2 * n + 1);
    (*out)->position = ast->base.position;
    return ST_OK;
}

/* ---- casts ---- */

Status bind_cast(Binder *binder, const AstCast *cast, Expr **out)
{
    TypeRef type;
    Expr *e;
    TRY(bind_type(binder, cast->type, &type));
    const TypeDef *def = type_find(type.oid);
    /* ARRAY[]::int[], ARRAY['1']::int[]: the items are read as the target's elements. */
    if (cast->arg->kind == AST_ARRAY && def->element_oid && type_is_array(def))
        TRY(bind_array(binder, (const AstList *)cast->arg, def->element_oid, &e));
    else
        TRY(bind_expr(binder, cast->arg, &e));
    return bind_coerce(binder, e, type, CAST_EXPLICIT, cast->base.position, out);
}

/* ---- arrays ---- */

static Status empty_array(Binder *binder, const AstList *list)
{
    (void)err_set(binder->err, binder->arena, ERR_INDETERMINATE_DATATYPE, "cannot determine type of empty array");
    err_hint(binder->err, binder->arena, "Explicitly cast to the desired type, for example ARRAY[]::integer[].");
    return err_at(binder->err, list->base.position);
}

Status bind_array(Binder *binder, const AstList *list, Oid element, Expr **out)
{
    ExprVec items = {0};
    bool nested = false;
    for (int i = 0; i < list->items.count; i++) {
        const AstExpr *item = list->items.items[i];
        Expr *e;
        if (item->kind == AST_ARRAY)
            TRY(bind_array(binder, (const AstList *)item, element, &e));
        else
            TRY(bind_expr(binder, item, &e));
        const TypeDef *def = type_find(e->type.oid);
        nested |= def && type_is_array(def);
        if (element && !nested) TRY(bind_coerce(binder, e, (TypeRef){element, -1}, CAST_EXPLICIT, e->position, &e));
        VEC_PUSH(binder->arena, items, e);
    }
    if (items.count == 0 && !element) return empty_array(binder, list);
    TypeRef type = {element, -1};
    if (items.count) TRY(bind_to_common_type(binder, items.items, items.count, "ARRAY", &type));
    const TypeDef *def = type_find(type.oid);
    if (!nested && def->array_oid == 0) {
        (void)err_set(binder->err, binder->arena, ERR_UNDEFINED_OBJECT, "could not find array type for data type %s",
                      type_words(type, binder->arena));
        return err_at(binder->err, list->base.position);
    }
    TypeRef result = {nested ? type.oid : def->array_oid, -1};
    *out = expr_new(binder->arena, EXPR_ARRAY, result, items.items, items.count);
    (*out)->position = list->base.position;
    return ST_OK;
}

static Status subscript_bound(Binder *binder, const AstExpr *ast, int32_t missing, Expr **out)
{
    TypeRef int4 = {OID_INT4, -1};
    if (!ast) {
        *out = expr_const(binder->arena, int4, value_int(missing));
        return ST_OK;
    }
    Expr *e;
    TRY(bind_expr(binder, ast, &e));
    if (!type_can_coerce(e->type.oid, OID_INT4, CAST_ASSIGNMENT)) {
        (void)err_set(binder->err, binder->arena, ERR_DATATYPE_MISMATCH, "array subscript must have type integer");
        return err_at(binder->err, e->position);
    }
    return bind_coerce(binder, e, int4, CAST_ASSIGNMENT, e->position, out);
}

/* A missing bound of a slice is the farthest one. */
static Status bind_array_subscript(Binder *binder, const AstSubscript *subscript, Expr *array, Oid element, Expr **out)
{
    bool slice = subscript->items.items[0].slice;
    int n = subscript->items.count;
    if (slice && n > 1) return err_unsupported(binder->err, binder->arena, "a slice of several dimensions");
    ExprVec args = {0};
    VEC_PUSH(binder->arena, args, array);
    for (int i = 0; i < n; i++) {
        const AstSubscriptItem *item = &subscript->items.items[i];
        Expr *e;
        if (slice) {
            TRY(subscript_bound(binder, item->lower, INT32_MIN, &e));
            VEC_PUSH(binder->arena, args, e);
        }
        TRY(subscript_bound(binder, item->upper, INT32_MAX, &e));
        VEC_PUSH(binder->arena, args, e);
    }
    TypeRef type = {slice ? array->type.oid : element, slice ? -1 : array->type.typmod};
    ExprSubscript *e = (ExprSubscript *)expr_new(binder->arena, EXPR_SUBSCRIPT, type, args.items, args.count);
    e->slice = slice;
    e->base.position = subscript->base.position;
    *out = &e->base;
    return ST_OK;
}

Status bind_subscript(Binder *binder, const AstSubscript *subscript, Expr **out)
{
    Expr *e;
    TRY(bind_expr(binder, subscript->arg, &e));
    const TypeDef *def = type_find(e->type.oid);
    if (def && def->element_oid) return bind_array_subscript(binder, subscript, e, def->element_oid, out);
    if (e->type.oid != OID_JSONB) {
        (void)err_set(binder->err, binder->arena, ERR_DATATYPE_MISMATCH,
                      "cannot subscript type %s because it does not support subscripting",
                      type_words(e->type, binder->arena));
        return err_at(binder->err, subscript->base.position);
    }
    for (int i = 0; i < subscript->items.count; i++) {
        Expr *key;
        if (subscript->items.items[i].slice)
            return err_set(binder->err, binder->arena, ERR_DATATYPE_MISMATCH,
                           "jsonb subscript does not support slices");
        TRY(bind_expr(binder, subscript->items.items[i].upper, &key));
        TRY(bind_operator(binder, "->", e, key, subscript->base.position, &e));
    }
    *out = e;
    return ST_OK;
}

/* ---- fields ---- */

/* The rows of the set-returning call that made this record, here or in a subquery: its typmod is the function's oid. */
static const FnRows *rows_of(const Binder *binder, const Expr *e)
{
    if (e->kind == EXPR_CALL) return ((const ExprCall *)e)->function->rows;
    if (e->type.oid != OID_RECORD || e->type.typmod < 0) return NULL;
    const FuncDef *function = catalog_function_oid(binder->session->catalog, (Oid)e->type.typmod);
    return function ? function->rows : NULL;
}

static Expr *field_of(Binder *binder, Expr *record, int index, TypeRef type, int position)
{
    Expr **args = ARENA_ARRAY(binder->arena, Expr *, 1);
    args[0] = record;
    ExprField *field = (ExprField *)expr_new(binder->arena, EXPR_FIELD, type, args, 1);
    field->field = index;
    field->base.position = position;
    return &field->base;
}

Status bind_record_fields(Binder *binder, Expr *record, int position, RelColumnVec *names, ExprVec *fields)
{
    *names = (RelColumnVec){0};
    *fields = (ExprVec){0};
    const FnRows *rows = rows_of(binder, record);
    if (rows && rows->columns) {
        TRY(bind_column_list(binder, rows->columns, names));
        for (int i = 0; i < names->count; i++)
            VEC_PUSH(binder->arena, *fields, field_of(binder, record, i, names->items[i].type, position));
        return ST_OK;
    }
    if (record->kind == EXPR_ROW) {
        for (int i = 0; i < record->arg_count; i++) {
            Expr *item = record->args[i];
            TRY(bind_resolve_unknown(binder, item, &item));
            const char *name = item->kind == EXPR_COLUMN ? ((const ExprColumn *)item)->name
                                                         : arena_printf(binder->arena, "f%d", i + 1);
            VEC_PUSH(binder->arena, *names, (RelColumn){.name = name, .type = item->type});
            VEC_PUSH(binder->arena, *fields, item);
        }
        return ST_OK;
    }
    if (record->type.oid == OID_RECORD)
        (void)err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR, "record type has not been registered");
    else
        (void)err_set(binder->err, binder->arena, ERR_WRONG_OBJECT_TYPE, "type %s is not composite",
                      type_words(record->type, binder->arena));
    return err_at(binder->err, position);
}

Status bind_field(Binder *binder, const AstField *field, Expr **out)
{
    Expr *record;
    RelColumnVec names;
    ExprVec fields;
    TRY(bind_expr(binder, field->arg, &record));
    if (!field->name) {
        (void)err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR, "row expansion via \"*\" is not supported here");
        return err_at(binder->err, field->base.position);
    }
    if (record->type.oid != OID_RECORD) {
        (void)err_set(binder->err, binder->arena, ERR_WRONG_OBJECT_TYPE,
                      "column notation .%s applied to type %s, which is not a composite type", field->name,
                      type_words(record->type, binder->arena));
        return err_at(binder->err, field->base.position);
    }
    TRY(bind_record_fields(binder, record, field->base.position, &names, &fields));
    for (int i = 0; i < names.count; i++) {
        if (strcmp(names.items[i].name, field->name) != 0) continue;
        *out = fields.items[i];
        return ST_OK;
    }
    (void)err_set(binder->err, binder->arena, ERR_UNDEFINED_COLUMN,
                  "could not identify column \"%s\" in record data type", field->name);
    return err_at(binder->err, field->base.position);
}
