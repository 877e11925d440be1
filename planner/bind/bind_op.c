/* bind_op.c - operators and functions over arguments that are bound already. */
#include "planner/bind/bind_types.h"

static Oid *types_of(Binder *binder, Expr *const *args, int count)
{
    Oid *types = ARENA_ARRAY(binder->arena, Oid, count);
    for (int i = 0; i < count; i++) types[i] = args[i]->type.oid;
    return types;
}

static int signatures_of(Binder *binder, const FuncDef *const *rows, int count, bool operators, Signature **out)
{
    Signature *signatures = ARENA_ARRAY(binder->arena, Signature, count);
    int n = 0;
    for (int i = 0; i < count; i++) {
        if (((rows[i]->flags & FN_OPERATOR) != 0) != operators) continue;
        signatures[n++] =
            (Signature){rows[i], rows[i]->arguments, rows[i]->result, (rows[i]->flags & FN_VARIADIC) != 0, false};
    }
    *out = signatures;
    return n;
}

/* ---- operators ---- */

static Status no_operator(Binder *binder, const char *symbol, Expr *const *args, int count, bool ambiguous,
                          int position)
{
    const char *words = ambiguous ? "operator is not unique" : "operator does not exist";
    SqlState code = ambiguous ? ERR_AMBIGUOUS_FUNCTION : ERR_UNDEFINED_FUNCTION;
    if (count == 2)
        (void)err_set(binder->err, binder->arena, code, "%s: %s %s %s", words, type_words(args[0]->type, binder->arena),
                      symbol, type_words(args[1]->type, binder->arena));
    else
        (void)err_set(binder->err, binder->arena, code, "%s: %s %s", words, symbol,
                      type_words(args[0]->type, binder->arena));
    if (ambiguous)
        err_hint(binder->err, binder->arena,
                 "Could not choose a best candidate operator. You might need to add explicit type casts.");
    else if (count == 2)
        err_hint(binder->err, binder->arena,
                 "No operator matches the given name and argument types. You might need to add explicit type casts.");
    else
        err_hint(binder->err, binder->arena,
                 "No operator matches the given name and argument type. You might need to add an explicit type cast.");
    return err_at(binder->err, position);
}

Status bind_operator(Binder *binder, const char *symbol, Expr *left, Expr *right, int position, Expr **out)
{
    int count = left ? 2 : 1;
    Expr **args = ARENA_ARRAY(binder->arena, Expr *, 2);
    args[0] = left ? left : right;
    args[1] = left ? right : NULL;
    const FuncDef *const *rows;
    Signature *signatures;
    Resolution resolution;
    int row_count = catalog_functions(binder->session->catalog, symbol, &rows);
    int n = signatures_of(binder, rows, row_count, true, &signatures);
    bind_resolve(binder, &(Overloads){signatures, n, true}, types_of(binder, args, count), count, &resolution);
    if (resolution.chosen < 0) return no_operator(binder, symbol, args, count, resolution.ambiguous, position);
    TRY(bind_fit_arguments(binder, &resolution, args, count));
    const FuncDef *function = signatures[resolution.chosen].def;
    *out = expr_call(binder->arena, function, (TypeRef){resolution.result, -1}, args, count);
    (*out)->position = position;
    return ST_OK;
}

/* ---- functions ---- */

static const char *call_words(Binder *binder, const char *name, Expr *const *args, int count)
{
    Buf text = {0};
    buf_printf(&text, "%s(", name);
    for (int i = 0; i < count; i++) buf_printf(&text, "%s%s", i ? ", " : "", type_words(args[i]->type, binder->arena));
    buf_put_str(&text, ")");
    const char *words = buf_to_str(&text, binder->arena);
    buf_finish(&text);
    return words;
}

Status bind_no_function(Binder *binder, const char *name, Expr *const *args, int count, bool ambiguous, int position)
{
    const char *words = call_words(binder, name, args, count);
    if (ambiguous) {
        (void)err_set(binder->err, binder->arena, ERR_AMBIGUOUS_FUNCTION, "function %s is not unique", words);
        err_hint(binder->err, binder->arena,
                 "Could not choose a best candidate function. You might need to add explicit type casts.");
    } else {
        (void)err_set(binder->err, binder->arena, ERR_UNDEFINED_FUNCTION, "function %s does not exist", words);
        err_hint(binder->err, binder->arena,
                 "No function matches the given name and argument types. You might need to add explicit type casts.");
    }
    return err_at(binder->err, position);
}

/* int4(x), text(x), date(x): a type's name as a function is a cast, where nothing better is found. */
static bool is_cast_call(const char *name, Expr *const *args, int count, Oid *type)
{
    if (count != 1) return false;
    const TypeDef *def = type_find_name(name);
    if (!def || def->category == 'P') return false;
    *type = def->oid;
    return type_can_coerce(args[0]->type.oid, def->oid, CAST_EXPLICIT);
}

Status bind_function(Binder *binder, const char *name, Expr **args, int count, int position, Expr **out)
{
    const FuncDef *const *rows;
    Signature *signatures;
    Resolution resolution;
    Oid cast_to;
    int row_count = catalog_functions(binder->session->catalog, name, &rows);
    int n = signatures_of(binder, rows, row_count, false, &signatures);
    bind_resolve(binder, &(Overloads){signatures, n, false}, types_of(binder, args, count), count, &resolution);
    if (resolution.chosen < 0 && !resolution.ambiguous && is_cast_call(name, args, count, &cast_to))
        return bind_coerce(binder, args[0], (TypeRef){cast_to, -1}, CAST_EXPLICIT, position, out);
    if (resolution.chosen < 0) return bind_no_function(binder, name, args, count, resolution.ambiguous, position);
    TRY(bind_fit_arguments(binder, &resolution, args, count));
    const FuncDef *function = signatures[resolution.chosen].def;
    *out = expr_call(binder->arena, function, (TypeRef){resolution.result, -1}, args, count);
    (*out)->position = position;
    return ST_OK;
}
