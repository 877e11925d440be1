/* expr_text.c - bound expressions as SQL-like text, for EXPLAIN and errors.
 *
 * The form is CockroachDB's: an operand that is itself an operator expression stands in parentheses, implicit casts
 * are not shown, constants carry no type.
 */
#include <ctype.h>

#include "planner/rel.h"

typedef struct Printer {
    Buf *out;
    Arena *arena;
} Printer;

static void print(Printer *p, const Expr *e);

static void put(Printer *p, const char *text)
{
    buf_put_str(p->out, text);
}

/* ---- which expressions need parentheses as operands ---- */

static bool is_symbol(const char *name)
{
    return name[0] && strspn(name, "+-*/<>=~!@#%^&|?`") == strlen(name);
}

static bool is_operator_call(const Expr *e)
{
    return e->kind == EXPR_CALL && (((const ExprCall *)e)->function->flags & FN_OPERATOR);
}

/* What an implicit cast shows is what it casts. */
static const Expr *shown(const Expr *e)
{
    while (e->kind == EXPR_CAST && !((const ExprCast *)e)->explicit_cast) e = e->args[0];
    return e;
}

static bool needs_parentheses(const Expr *e)
{
    switch (e->kind) {
    case EXPR_CALL:
        return is_operator_call(e);
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_NOT:
    case EXPR_IS_NULL:
    case EXPR_IS_BOOL:
    case EXPR_COMPARE:
    case EXPR_DISTINCT:
    case EXPR_ROW_COMPARE:
    case EXPR_IN_LIST:
    case EXPR_ANY_ARRAY:
        return true;
    case EXPR_SUBQUERY:
        return ((const ExprSubquery *)e)->sub_kind == SUBQUERY_ANY;
    case EXPR_CONST:
    case EXPR_PARAM:
    case EXPR_COLUMN:
    case EXPR_CAST:
    case EXPR_DOMAIN:
    case EXPR_CASE:
    case EXPR_COALESCE:
    case EXPR_MIN_MAX:
    case EXPR_ARRAY:
    case EXPR_ROW:
    case EXPR_FIELD:
    case EXPR_SUBSCRIPT:
    case EXPR_AGGREGATE:
    case EXPR_WINDOW:
    case EXPR_DEFAULT:
        return false;
    }
    return false;
}

static void print_operand(Printer *p, const Expr *e)
{
    e = shown(e);
    bool parentheses = needs_parentheses(e);
    if (parentheses) put(p, "(");
    print(p, e);
    if (parentheses) put(p, ")");
}

static void print_list(Printer *p, Expr *const *items, int count)
{
    for (int i = 0; i < count; i++) {
        if (i) put(p, ", ");
        print(p, items[i]);
    }
}

/* ---- leaves ---- */

static void print_quoted(Printer *p, Slice text)
{
    put(p, "'");
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] == '\'') put(p, "'");
        buf_put_u8(p->out, text.data[i]);
    }
    put(p, "'");
}

static void print_const(Printer *p, const Expr *e)
{
    Value value = ((const ExprConst *)e)->value;
    const TypeDef *type = type_find(e->type.oid);
    if (value.null || !type) {
        put(p, "NULL");
        return;
    }
    if (type->oid == OID_BOOL) {
        put(p, value.i ? "true" : "false");
        return;
    }
    const char *text = type_text(e->type, &type_env_default, value, p->arena);
    bool bare = type->category == 'N' && (isdigit((unsigned char)text[0]) || text[0] == '-');
    if (bare)
        put(p, text);
    else
        print_quoted(p, slice_str(text));
}

/* ---- calls ---- */

static const char *operator_word(const char *name)
{
    static const struct {
        const char *symbol, *word;
    } words[] = {{"~~", "LIKE"}, {"!~~", "NOT LIKE"}, {"~~*", "ILIKE"}, {"!~~*", "NOT ILIKE"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i].symbol, name) == 0) return words[i].word;
    return name;
}

static void print_call(Printer *p, const Expr *e)
{
    const FuncDef *function = ((const ExprCall *)e)->function;
    bool symbol = (function->flags & FN_OPERATOR) && is_symbol(function->name);
    if (symbol && e->arg_count == 2) {
        print_operand(p, e->args[0]);
        buf_printf(p->out, " %s ", operator_word(function->name));
        print_operand(p, e->args[1]);
    } else if (symbol && e->arg_count == 1) {
        put(p, function->name);
        print_operand(p, e->args[0]);
    } else {
        buf_printf(p->out, "%s(", function->name);
        print_list(p, e->args, e->arg_count);
        put(p, ")");
    }
}

static void print_keys(Printer *p, const char *words, const SortKey *keys, int count)
{
    for (int i = 0; i < count; i++) {
        put(p, i ? ", " : words);
        print(p, keys[i].expr);
        if (keys[i].descending) put(p, " DESC");
    }
}

static void print_aggregate(Printer *p, const ExprAggregate *e)
{
    bool star = strcmp(e->aggregate->name, "count") == 0 && e->base.arg_count == 0;
    buf_printf(p->out, "%s(%s", star ? "count_rows" : e->aggregate->name, e->distinct ? "DISTINCT " : "");
    print_list(p, e->base.args, e->base.arg_count);
    print_keys(p, " ORDER BY ", e->order, e->order_count);
    put(p, ")");
    if (!e->filter) return;
    put(p, " FILTER (WHERE ");
    print(p, e->filter);
    put(p, ")");
}

static void print_window(Printer *p, const ExprWindow *e)
{
    buf_printf(p->out, "%s(", e->aggregate ? e->aggregate->name : e->window->name);
    print_list(p, e->base.args, e->base.arg_count);
    put(p, ") OVER (");
    if (e->spec->partition_count) put(p, "PARTITION BY ");
    print_list(p, e->spec->partition, e->spec->partition_count);
    print_keys(p, e->spec->partition_count ? " ORDER BY " : "ORDER BY ", e->spec->order, e->spec->order_count);
    put(p, ")");
}

/* ---- tests ---- */

static void print_connective(Printer *p, const Expr *e, const char *word)
{
    /* ((a) AND (b)) AND (c): two at a time, from the left. */
    for (int i = 2; i < e->arg_count; i++) put(p, "(");
    for (int i = 0; i < e->arg_count; i++) {
        if (i) buf_printf(p->out, " %s ", word);
        print_operand(p, e->args[i]);
        if (i >= 1 && i < e->arg_count - 1) put(p, ")");
    }
}

static void print_is_bool(Printer *p, const ExprIsBool *e)
{
    print_operand(p, e->base.args[0]);
    put(p, e->negated ? " IS NOT " : " IS ");
    put(p, e->truth > 0 ? "true" : e->truth == 0 ? "false" : "UNKNOWN");
}

static void print_row_compare(Printer *p, const ExprCompare *e)
{
    int half = e->base.arg_count / 2;
    put(p, "(");
    print_list(p, e->base.args, half);
    buf_printf(p->out, ") %s (", compare_symbol(e->op));
    print_list(p, e->base.args + half, half);
    put(p, ")");
}

static void print_in_list(Printer *p, const ExprNegatable *e)
{
    print_operand(p, e->base.args[0]);
    put(p, e->negated ? " NOT IN (" : " IN (");
    print_list(p, e->base.args + 1, e->base.arg_count - 1);
    put(p, ")");
}

static void print_any_array(Printer *p, const ExprAnyArray *e)
{
    print_operand(p, e->base.args[0]);
    buf_printf(p->out, " %s %s (", e->function ? operator_word(e->function->name) : compare_symbol(e->op),
               e->all ? "ALL" : "ANY");
    print(p, e->base.args[1]);
    put(p, ")");
}

static void print_between(Printer *p, const Expr *e, const char *word)
{
    print_operand(p, e->args[0]);
    buf_printf(p->out, " %s ", word);
    print_operand(p, e->args[1]);
}

/* ---- forms ---- */

static void print_case(Printer *p, const Expr *e)
{
    put(p, "CASE");
    for (int i = 0; i + 1 < e->arg_count; i += 2) {
        put(p, " WHEN ");
        print(p, e->args[i]);
        put(p, " THEN ");
        print(p, e->args[i + 1]);
    }
    const Expr *otherwise = e->args[e->arg_count - 1];
    if (!expr_is_null_const(otherwise)) {
        put(p, " ELSE ");
        print(p, otherwise);
    }
    put(p, " END");
}

static void print_form(Printer *p, const Expr *e, const char *open, const char *close)
{
    put(p, open);
    print_list(p, e->args, e->arg_count);
    put(p, close);
}

static void print_subscript(Printer *p, const Expr *e)
{
    print_operand(p, e->args[0]);
    put(p, "[");
    print(p, e->args[1]);
    if (((const ExprSubscript *)e)->slice && e->arg_count > 2) {
        put(p, ":");
        print(p, e->args[2]);
    }
    put(p, "]");
}

static void print_subquery(Printer *p, const ExprSubquery *e)
{
    const char *word = "";
    switch (e->sub_kind) {
    case SUBQUERY_SCALAR:
        break;
    case SUBQUERY_EXISTS:
        word = "EXISTS ";
        break;
    case SUBQUERY_ARRAY:
        word = "ARRAY";
        break;
    case SUBQUERY_ANY:
    case SUBQUERY_ALL:
        if (e->base.arg_count - e->bound_count > 1) {
            Expr left = e->base;
            left.arg_count -= e->bound_count;
            print_form(p, &left, "(", ")");
        }
        if (e->base.arg_count - e->bound_count == 1) print_operand(p, e->base.args[0]);
        buf_printf(p->out, " %s ", e->function ? e->function->name : compare_symbol(e->op));
        word = e->sub_kind == SUBQUERY_ANY ? "ANY " : "ALL ";
        break;
    }
    bool bare = e->sql && e->sql[0] != '(';
    buf_printf(p->out, bare ? "%s(%s)" : "%s%s", word, e->sql ? e->sql : "(subquery)");
}

static void print_cast(Printer *p, const Expr *e)
{
    if (e->kind == EXPR_DOMAIN || ((const ExprCast *)e)->explicit_cast) {
        print_operand(p, e->args[0]);
        buf_printf(p->out, "::%s", type_format_crdb(e->type, p->arena));
    } else {
        print(p, e->args[0]);
    }
}

static void print(Printer *p, const Expr *e)
{
    switch (e->kind) {
    case EXPR_CONST:
        print_const(p, e);
        return;
    case EXPR_PARAM:
        buf_printf(p->out, "$%d", ((const ExprParam *)e)->number);
        return;
    case EXPR_COLUMN:
        put(p, ((const ExprColumn *)e)->name ? ((const ExprColumn *)e)->name : "?column?");
        return;
    case EXPR_CALL:
        print_call(p, e);
        return;
    case EXPR_CAST: case EXPR_DOMAIN:
        print_cast(p, e);
        return;
    case EXPR_AND:
        print_connective(p, e, "AND");
        return;
    case EXPR_OR:
        print_connective(p, e, "OR");
        return;
    case EXPR_NOT:
        put(p, "NOT ");
        print_operand(p, e->args[0]);
        return;
    case EXPR_IS_NULL:
        print_operand(p, e->args[0]);
        put(p, ((const ExprNegatable *)e)->negated ? " IS NOT NULL" : " IS NULL");
        return;
    case EXPR_IS_BOOL:
        print_is_bool(p, (const ExprIsBool *)e);
        return;
    case EXPR_COMPARE:
        print_between(p, e, compare_symbol(((const ExprCompare *)e)->op));
        return;
    case EXPR_DISTINCT:
        print_between(p, e, ((const ExprNegatable *)e)->negated ? "IS NOT DISTINCT FROM" : "IS DISTINCT FROM");
        return;
    case EXPR_ROW_COMPARE:
        print_row_compare(p, (const ExprCompare *)e);
        return;
    case EXPR_IN_LIST:
        print_in_list(p, (const ExprNegatable *)e);
        return;
    case EXPR_ANY_ARRAY:
        print_any_array(p, (const ExprAnyArray *)e);
        return;
    case EXPR_CASE:
        print_case(p, e);
        return;
    case EXPR_COALESCE:
        print_form(p, e, "COALESCE(", ")");
        return;
    case EXPR_MIN_MAX:
        print_form(p, e, ((const ExprMinMax *)e)->least ? "LEAST(" : "GREATEST(", ")");
        return;
    case EXPR_ARRAY:
        print_form(p, e, "ARRAY[", "]");
        return;
    case EXPR_ROW:
        print_form(p, e, "(", ")");
        return;
    case EXPR_FIELD:
        put(p, "(");
        print(p, e->args[0]);
        buf_printf(p->out, ").f%d", ((const ExprField *)e)->field + 1);
        return;
    case EXPR_SUBSCRIPT:
        print_subscript(p, e);
        return;
    case EXPR_SUBQUERY:
        print_subquery(p, (const ExprSubquery *)e);
        return;
    case EXPR_AGGREGATE:
        print_aggregate(p, (const ExprAggregate *)e);
        return;
    case EXPR_WINDOW:
        print_window(p, (const ExprWindow *)e);
        return;
    case EXPR_DEFAULT:
        put(p, "DEFAULT");
        return;
    }
}

const char *expr_text(const Expr *e, Arena *arena)
{
    Buf out = {0};
    Printer p = {&out, arena};
    print(&p, e);
    const char *text = buf_to_str(&out, arena);
    buf_finish(&out);
    return text;
}
