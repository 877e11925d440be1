/* bind_compare.c - comparisons: both sides in one comparable type.
 *
 * Where a constant can be had in the other side's type without loss it is, so that `int2_column = 5` and
 * `int8_column = 5` stay conditions on the column itself: only those can become spans of an index.
 */
#include "planner/bind/bind_types.h"

bool compare_op_find(const char *symbol, CompareOp *op)
{
    static const struct {
        const char *symbol;
        CompareOp op;
    } ops[] = {{"=", COMPARE_EQ},  {"<>", COMPARE_NE}, {"!=", COMPARE_NE}, {"<", COMPARE_LT},
               {"<=", COMPARE_LE}, {">", COMPARE_GT},  {">=", COMPARE_GE}};
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        if (strcmp(ops[i].symbol, symbol) != 0) continue;
        *op = ops[i].op;
        return true;
    }
    return false;
}

static bool is_integer(Oid oid)
{
    return oid == OID_INT2 || oid == OID_INT4 || oid == OID_INT8;
}

static bool fits_integer(Oid oid, int64_t number)
{
    if (oid == OID_INT2) return number >= INT16_MIN && number <= INT16_MAX;
    if (oid == OID_INT4) return number >= INT32_MIN && number <= INT32_MAX;
    return true;
}

/* An integer constant beside an integer of another width takes the other's type if it fits. */
static bool constant_takes(const Expr *constant, const Expr *other)
{
    Value value;
    if (!is_integer(constant->type.oid) || !is_integer(other->type.oid)) return false;
    if (!expr_is_const(constant, &value) || expr_is_const(other, NULL)) return false;
    return value.null || fits_integer(other->type.oid, value.i);
}

static bool comparable(Oid oid)
{
    const TypeDef *def = type_find(oid);
    return def && def->compare;
}

static bool one_implicit_way(Oid a, Oid b, Oid *type)
{
    bool to_b = type_can_coerce(a, b, CAST_IMPLICIT), to_a = type_can_coerce(b, a, CAST_IMPLICIT);
    if (!to_a && !to_b) return false;
    if (to_a && to_b)
        *type = type_find(a)->preferred ? a : b;
    else
        *type = to_b ? b : a;
    return true;
}

bool compare_common_type(const Expr *left, const Expr *right, Oid *type)
{
    Oid a = left->type.oid, b = right->type.oid;
    if (a == OID_UNKNOWN && b == OID_UNKNOWN)
        *type = OID_TEXT;
    else if (a == OID_UNKNOWN || a == b)
        *type = b;
    else if (b == OID_UNKNOWN)
        *type = a;
    else if (constant_takes(right, left))
        *type = a;
    else if (constant_takes(left, right))
        *type = b;
    else if (type_is_text_like(a) && type_is_text_like(b))
        *type = OID_TEXT;
    else if (!type_find(a) || !type_find(b) || !one_implicit_way(a, b, type))
        return false;
    return comparable(*type);
}

static Status no_operator(Binder *binder, const char *symbol, Expr *left, Expr *right, int position)
{
    (void)err_set(binder->err, binder->arena, ERR_UNDEFINED_FUNCTION, "operator does not exist: %s %s %s",
                  type_words(left->type, binder->arena), symbol, type_words(right->type, binder->arena));
    err_hint(binder->err, binder->arena,
             "No operator matches the given name and argument types. You might need to add explicit type casts.");
    return err_at(binder->err, position);
}

/* Text against varchar is compared as text; a literal beside a varchar or char(n) column is of the column's type. */
static Status coerce_side(Binder *binder, Expr *e, Oid type, Expr **out)
{
    /* Narrowing an integer is an assignment cast; compare_common_type has seen that the constant fits. */
    CastContext context = is_integer(e->type.oid) && is_integer(type) ? CAST_ASSIGNMENT : CAST_IMPLICIT;
    return bind_coerce(binder, e, (TypeRef){type, -1}, context, e->position, out);
}

Status bind_compare(Binder *binder, CompareOp op, Expr *left, Expr *right, int position, Expr **out)
{
    const char *symbol = op == COMPARE_NE ? "<>" : compare_symbol(op);
    if (left->kind == EXPR_ROW && right->kind == EXPR_ROW) {
        if (left->arg_count != right->arg_count) {
            (void)err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR, "unequal number of entries in row expressions");
            return err_at(binder->err, position);
        }
        if (left->arg_count > 0)
            return bind_row_compare(binder, op, &(RowPair){left->args, right->args, left->arg_count}, position, out);
    }
    Oid type;
    if (!compare_common_type(left, right, &type)) {
        /* Types without an order of their own may still have operators among the functions. */
        const FuncDef *const *rows;
        if (catalog_functions(binder->session->catalog, symbol, &rows) > 0)
            return bind_operator(binder, symbol, left, right, position, out);
        return no_operator(binder, symbol, left, right, position);
    }
    TRY(coerce_side(binder, left, type, &left));
    TRY(coerce_side(binder, right, type, &right));
    *out = expr_compare(binder->arena, op, left, right);
    (*out)->position = position;
    return ST_OK;
}

/* Each pair in a common type of its own: (a, b) < (1, 'x'). */
Status bind_row_compare(Binder *binder, CompareOp op, const RowPair *rows, int position, Expr **out)
{
    int count = rows->count;
    if (count == 1) return bind_compare(binder, op, rows->left[0], rows->right[0], position, out);
    Expr **args = ARENA_ARRAY(binder->arena, Expr *, 2 * count);
    for (int i = 0; i < count; i++) {
        Expr *pair;
        TRY(bind_compare(binder, op, rows->left[i], rows->right[i], position, &pair));
        if (pair->kind != EXPR_COMPARE)
            return err_unsupported(binder->err, binder->arena, "a row comparison of these types");
        args[i] = pair->args[0];
        args[count + i] = pair->args[1];
    }
    if (op == COMPARE_EQ || op == COMPARE_NE) {
        /* Column by column: the same answer, and each is a condition that paths can use. */
        Expr **pairs = ARENA_ARRAY(binder->arena, Expr *, count);
        for (int i = 0; i < count; i++) pairs[i] = expr_compare(binder->arena, op, args[i], args[count + i]);
        *out = op == COMPARE_EQ ? expr_and(binder->arena, pairs, count) : expr_or(binder->arena, pairs, count);
        return ST_OK;
    }
    ExprCompare *row =
        (ExprCompare *)expr_new(binder->arena, EXPR_ROW_COMPARE, (TypeRef){OID_BOOL, -1}, args, 2 * count);
    row->op = op;
    row->base.position = position;
    *out = &row->base;
    return ST_OK;
}
