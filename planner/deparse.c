#include "planner/deparse.h"

#include <ctype.h>

#include "planner/bind/bind.h"
#include "planner/bind/bind_change.h"

typedef struct Deparse {
    Buf *out;
    Arena *arena;
    bool pretty;
    int indent;
    const Session *session;
    bool of_domain; /* the only column is VALUE */
} Deparse;

static void put_expr(Deparse *d, const Expr *e, bool implicit);

static void put(Deparse *d, const char *text)
{
    buf_put_str(d->out, text);
}

static const char *type_name(const Deparse *d, const Expr *e)
{
    return session_type_name(d->session, e->type, d->arena);
}

/* ---- what stands where ---- */

static bool is_operator(const Expr *e)
{
    return e->kind == EXPR_CALL && (((const ExprCall *)e)->function->flags & FN_OPERATOR);
}

static bool is_implicit(const Expr *e)
{
    return e->kind == EXPR_CAST && !((const ExprCast *)e)->explicit_cast;
}

/* PostgreSQL compares numbers of different widths, and dates with timestamps, without casting one to the other. */
static bool is_family(Oid a, Oid b)
{
    bool ints = (a == OID_INT2 || a == OID_INT4 || a == OID_INT8) && (b == OID_INT2 || b == OID_INT4 || b == OID_INT8);
    bool floats = (a == OID_FLOAT4 || a == OID_FLOAT8) && (b == OID_FLOAT4 || b == OID_FLOAT8);
    bool times = (a == OID_DATE || a == OID_TIMESTAMP || a == OID_TIMESTAMPTZ) && (b == OID_TIMESTAMP || b == OID_TIMESTAMPTZ);
    return ints || floats || times;
}

static const Expr *without_family_cast(const Expr *e)
{
    return is_implicit(e) && is_family(e->args[0]->type.oid, e->type.oid) ? e->args[0] : e;
}

/* 1: + and -; 2: * / %; 0: no arithmetic. */
static int arithmetic_level(const Expr *e)
{
    if (!is_operator(e) || e->arg_count != 2) return 0;
    const char *name = ((const ExprCall *)e)->function->name;
    if (name[0] == 0 || name[1]) return 0;
    return strchr("+-", name[0]) ? 1 : strchr("*/%", name[0]) ? 2 : 0;
}

typedef enum Place { PLACE_OPERAND_LEFT, PLACE_OPERAND_RIGHT, PLACE_AND, PLACE_OR, PLACE_NOT, PLACE_CAST, PLACE_ARGUMENT } Place;

static bool is_test(const Expr *e)
{
    return is_operator(e) || e->kind == EXPR_COMPARE || e->kind == EXPR_IS_NULL || e->kind == EXPR_IS_BOOL || e->kind == EXPR_DISTINCT ||
           e->kind == EXPR_IN_LIST || e->kind == EXPR_ANY_ARRAY || e->kind == EXPR_ROW_COMPARE;
}

/* Does the pretty form need no parentheses around e there? */
static bool is_simple(const Expr *e, Place place, int parent_level)
{
    if (e->kind == EXPR_CAST) return is_simple(e->args[0], PLACE_CAST, 0);
    bool connective = e->kind == EXPR_AND || e->kind == EXPR_OR || e->kind == EXPR_NOT;
    if (!connective && !is_test(e)) return true;
    if (place == PLACE_ARGUMENT) return true;
    if (place == PLACE_CAST) return false;
    if (place == PLACE_AND || place == PLACE_NOT) return e->kind != EXPR_OR;
    if (place == PLACE_OR) return true;
    int level = arithmetic_level(e);
    if (!level || !parent_level) return false;
    return level > parent_level || (level == parent_level && place == PLACE_OPERAND_LEFT);
}

static void put_placed(Deparse *d, const Expr *e, Place place, int parent_level, bool implicit)
{
    const Expr *shown = !implicit && is_implicit(e) ? e->args[0] : e;
    bool parentheses = d->pretty && !is_simple(shown, place, parent_level);
    if (parentheses) put(d, "(");
    put_expr(d, e, implicit);
    if (parentheses) put(d, ")");
}

static void open_operator(Deparse *d)
{
    if (!d->pretty) put(d, "(");
}

static void close_operator(Deparse *d)
{
    if (!d->pretty) put(d, ")");
}

static void put_list(Deparse *d, Expr *const *items, int count)
{
    for (int i = 0; i < count; i++) {
        if (i) put(d, ", ");
        put_expr(d, items[i], true);
    }
}

/* ---- leaves ---- */

static void put_quoted(Deparse *d, const char *text)
{
    if (strchr(text, '\\')) put(d, "E");
    put(d, "'");
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\') buf_put_u8(d->out, (uint8_t)*text);
        buf_put_u8(d->out, (uint8_t)*text);
    }
    put(d, "'");
}

static void put_const(Deparse *d, const Expr *e)
{
    Value value = ((const ExprConst *)e)->value;
    if (value.null) {
        buf_printf(d->out, "NULL::%s", type_name(d, e));
        return;
    }
    const char *text = type_text(e->type, &type_env_default, value, d->arena);
    if (e->type.oid == OID_BOOL) {
        put(d, value.i ? "true" : "false");
        return;
    }
    bool digits = isdigit((unsigned char)text[0]) && strspn(text, "0123456789.") == strlen(text);
    bool bare = (e->type.oid == OID_INT4 && digits) || (e->type.oid == OID_NUMERIC && digits && strchr(text, '.') && e->type.typmod < 0);
    if (bare) {
        put(d, text);
        return;
    }
    put_quoted(d, text);
    bool any_length = e->type.oid == OID_BPCHAR && e->type.typmod < 0;
    buf_printf(d->out, "::%s", any_length ? "bpchar" : type_name(d, e));
}

static void put_name(Deparse *d, const char *name)
{
    bool plain = islower((unsigned char)*name) || *name == '_';
    for (const char *p = name; *p; p++) plain = plain && (islower((unsigned char)*p) || isdigit((unsigned char)*p) || *p == '_');
    if (plain) {
        put(d, name);
        return;
    }
    put(d, "\"");
    for (const char *p = name; *p; p++) {
        if (*p == '"') put(d, "\"");
        buf_put_u8(d->out, (uint8_t)*p);
    }
    put(d, "\"");
}

/* ---- operators ---- */

/* PostgreSQL compares varchar as text, and says so. */
static void put_compared(Deparse *d, const Expr *e, Place place, int level)
{
    e = without_family_cast(e);
    if (e->type.oid != OID_VARCHAR) {
        put_placed(d, e, place, level, true);
        return;
    }
    if (e->kind == EXPR_CONST) {
        ExprConst text = *(const ExprConst *)e;
        text.base.type = (TypeRef){OID_TEXT, -1};
        put_const(d, &text.base);
        return;
    }
    if (!d->pretty) put(d, "(");
    put_placed(d, e, PLACE_CAST, 0, true);
    put(d, d->pretty ? "::text" : ")::text");
}

static const char *symbol_of(CompareOp op)
{
    return op == COMPARE_NE ? "<>" : compare_symbol(op);
}

static void put_operator(Deparse *d, const Expr *e, const char *symbol)
{
    int level = arithmetic_level(e);
    open_operator(d);
    if (e->arg_count == 1) {
        buf_printf(d->out, "%s ", symbol);
        put_placed(d, e->args[0], PLACE_OPERAND_RIGHT, 0, true);
    } else {
        put_compared(d, e->args[0], PLACE_OPERAND_LEFT, level);
        buf_printf(d->out, " %s ", symbol);
        put_compared(d, e->args[1], PLACE_OPERAND_RIGHT, level);
    }
    close_operator(d);
}

static void put_connective(Deparse *d, const Expr *e)
{
    bool and = e->kind == EXPR_AND;
    open_operator(d);
    for (int i = 0; i < e->arg_count; i++) {
        if (i) put(d, and ? " AND " : " OR ");
        put_placed(d, e->args[i], and ? PLACE_AND : PLACE_OR, 0, false);
    }
    close_operator(d);
}

static void put_not(Deparse *d, const Expr *e)
{
    open_operator(d);
    put(d, "NOT ");
    put_placed(d, e->args[0], PLACE_NOT, 0, false);
    close_operator(d);
}

static void put_test(Deparse *d, const Expr *e, const char *words, bool implicit)
{
    open_operator(d);
    put_placed(d, e->args[0], PLACE_OPERAND_LEFT, 0, implicit);
    put(d, words);
    close_operator(d);
}

static const char *bool_words(const ExprIsBool *e)
{
    if (e->truth > 0) return e->negated ? " IS NOT TRUE" : " IS TRUE";
    if (e->truth == 0) return e->negated ? " IS NOT FALSE" : " IS FALSE";
    return e->negated ? " IS NOT UNKNOWN" : " IS UNKNOWN";
}

static void put_is(Deparse *d, const Expr *e)
{
    if (e->kind == EXPR_IS_BOOL)
        put_test(d, e, bool_words((const ExprIsBool *)e), false);
    else
        put_test(d, e, ((const ExprNegatable *)e)->negated ? " IS NOT NULL" : " IS NULL", true);
}

/* A varchar column IN constants: these are of its type, and the whole array is cast. */
static bool is_varchar_list(const Expr *e)
{
    if (e->args[0]->type.oid != OID_VARCHAR) return false;
    for (int i = 1; i < e->arg_count; i++)
        if (e->args[i]->kind != EXPR_CONST) return false;
    return true;
}

static void put_list_array(Deparse *d, const Expr *e)
{
    bool cast = is_varchar_list(e);
    if (cast && !d->pretty) put(d, "(");
    put(d, "ARRAY[");
    for (int i = 1; i < e->arg_count; i++) {
        if (i > 1) put(d, ", ");
        put_expr(d, e->args[i], true);
    }
    put(d, "]");
    if (cast) put(d, d->pretty ? "::text[]" : ")::text[]");
}

static void put_in_list(Deparse *d, const ExprNegatable *e)
{
    open_operator(d);
    put_compared(d, e->base.args[0], PLACE_OPERAND_LEFT, 0);
    if (e->base.arg_count == 2) {
        put(d, e->negated ? " <> " : " = ");
        put_compared(d, e->base.args[1], PLACE_OPERAND_RIGHT, 0);
    } else {
        put(d, e->negated ? " <> ALL (" : " = ANY (");
        put_list_array(d, &e->base);
        put(d, ")");
    }
    close_operator(d);
}

static void put_any_array(Deparse *d, const ExprAnyArray *e)
{
    open_operator(d);
    put_placed(d, e->base.args[0], PLACE_OPERAND_LEFT, 0, true);
    buf_printf(d->out, " %s %s (", e->function ? e->function->name : symbol_of(e->op), e->all ? "ALL" : "ANY");
    put_expr(d, e->base.args[1], true);
    put(d, ")");
    close_operator(d);
}

static void put_row_compare(Deparse *d, const ExprCompare *e)
{
    int half = e->base.arg_count / 2;
    bool equal = e->op == COMPARE_EQ;
    open_operator(d);
    for (int i = 0; equal && i < half; i++) {
        if (i) put(d, " AND ");
        Expr *sides[2] = {e->base.args[i], e->base.args[half + i]};
        put_operator(d, &(Expr){.kind = EXPR_COMPARE, .args = sides, .arg_count = 2}, "=");
    }
    if (!equal) {
        put(d, "ROW(");
        put_list(d, e->base.args, half);
        buf_printf(d->out, ") %s ROW(", symbol_of(e->op));
        put_list(d, e->base.args + half, half);
        put(d, ")");
    }
    close_operator(d);
}

/* ---- forms ---- */

static void new_line(Deparse *d)
{
    put(d, "\n");
    for (int i = 0; i < d->indent; i++) put(d, " ");
}

static void put_case(Deparse *d, const Expr *e)
{
    new_line(d);
    put(d, "CASE");
    d->indent += 4;
    for (int i = 0; i + 1 < e->arg_count; i += 2) {
        new_line(d);
        put(d, "WHEN ");
        put_expr(d, e->args[i], false);
        put(d, " THEN ");
        put_expr(d, e->args[i + 1], true);
    }
    new_line(d);
    put(d, "ELSE ");
    put_expr(d, e->args[e->arg_count - 1], true);
    d->indent -= 4;
    new_line(d);
    put(d, "END");
}

static void put_call(Deparse *d, const Expr *e)
{
    static const char *const bare[] = {"current_user", "session_user", "current_date", "current_timestamp", "current_time",
                                       "localtimestamp", "localtime", "current_role", "current_catalog"};
    const char *name = ((const ExprCall *)e)->function->name;
    Value field;
    if (is_operator(e)) {
        put_operator(d, e, name);
        return;
    }
    for (size_t i = 0; i < sizeof bare / sizeof *bare && e->arg_count == 0; i++) {
        if (strcmp(name, bare[i])) continue;
        for (; *name; name++) buf_put_u8(d->out, (uint8_t)toupper((unsigned char)*name));
        return;
    }
    if (strcmp(name, "extract") == 0 && e->arg_count == 2 && expr_is_const(e->args[0], &field)) {
        buf_printf(d->out, "EXTRACT(%.*s FROM ", (int)field.size, (const char *)field.p);
        put_expr(d, e->args[1], true);
        put(d, ")");
        return;
    }
    if (strcmp(name, "position") == 0 && e->arg_count == 2) {
        put(d, "POSITION((");
        put_expr(d, e->args[1], true);
        put(d, ") IN (");
        put_expr(d, e->args[0], true);
        put(d, "))");
        return;
    }
    buf_printf(d->out, "%s(", name);
    put_list(d, e->args, e->arg_count);
    put(d, ")");
}

/* What takes a domain's value as one of the base type says so. */
static void put_column(Deparse *d, const Expr *e, bool as_base)
{
    bool cast = as_base && e->type.domain;
    if (cast) put(d, "(");
    if (d->of_domain)
        put(d, "VALUE");
    else
        put_name(d, ((const ExprColumn *)e)->name);
    if (cast) buf_printf(d->out, ")::%s", type_format((TypeRef){e->type.oid, -1}, d->arena));
}

static void put_cast(Deparse *d, const Expr *e)
{
    if (!d->pretty) put(d, "(");
    put_placed(d, e->args[0], PLACE_CAST, 0, false);
    buf_printf(d->out, d->pretty ? "::%s" : ")::%s", type_name(d, e));
}

static void put_form(Deparse *d, const Expr *e, const char *open, const char *close)
{
    put(d, open);
    put_list(d, e->args, e->arg_count);
    put(d, close);
}

static void put_subscript(Deparse *d, const ExprSubscript *e)
{
    bool plain = e->base.args[0]->kind == EXPR_COLUMN;
    if (!plain) put(d, "(");
    put_expr(d, e->base.args[0], true);
    put(d, plain ? "[" : ")[");
    put_expr(d, e->base.args[1], false);
    if (e->slice) {
        put(d, ":");
        put_expr(d, e->base.args[2], false);
    }
    put(d, "]");
}

static void put_constructor(Deparse *d, const Expr *e)
{
    if (e->kind == EXPR_SUBSCRIPT)
        put_subscript(d, (const ExprSubscript *)e);
    else if (e->kind == EXPR_COALESCE)
        put_form(d, e, "COALESCE(", ")");
    else if (e->kind == EXPR_MIN_MAX)
        put_form(d, e, ((const ExprMinMax *)e)->least ? "LEAST(" : "GREATEST(", ")");
    else
        put_form(d, e, e->kind == EXPR_ARRAY ? "ARRAY[" : "ROW(", e->kind == EXPR_ARRAY ? "]" : ")");
}

static void put_expr(Deparse *d, const Expr *e, bool implicit)
{
    if (!implicit && is_implicit(e)) e = e->args[0];
    switch (e->kind) {
    case EXPR_CONST:
        put_const(d, e);
        return;
    case EXPR_COLUMN:
        put_column(d, e, implicit);
        return;
    case EXPR_CALL:
        put_call(d, e);
        return;
    case EXPR_CAST: case EXPR_DOMAIN:
        put_cast(d, e);
        return;
    case EXPR_AND:
    case EXPR_OR:
        put_connective(d, e);
        return;
    case EXPR_NOT:
        put_not(d, e);
        return;
    case EXPR_IS_NULL:
    case EXPR_IS_BOOL:
        put_is(d, e);
        return;
    case EXPR_COMPARE:
        put_operator(d, e, symbol_of(((const ExprCompare *)e)->op));
        return;
    case EXPR_DISTINCT:
        put_operator(d, e, ((const ExprNegatable *)e)->negated ? "IS NOT DISTINCT FROM" : "IS DISTINCT FROM");
        return;
    case EXPR_ROW_COMPARE:
        put_row_compare(d, (const ExprCompare *)e);
        return;
    case EXPR_IN_LIST:
        put_in_list(d, (const ExprNegatable *)e);
        return;
    case EXPR_ANY_ARRAY:
        put_any_array(d, (const ExprAnyArray *)e);
        return;
    case EXPR_CASE:
        put_case(d, e);
        return;
    case EXPR_COALESCE:
    case EXPR_MIN_MAX:
    case EXPR_ARRAY:
    case EXPR_ROW:
    case EXPR_SUBSCRIPT:
        put_constructor(d, e);
        return;
    case EXPR_PARAM:
    case EXPR_FIELD:
    case EXPR_SUBQUERY:
    case EXPR_AGGREGATE:
    case EXPR_WINDOW:
    case EXPR_DEFAULT:
        put(d, expr_text(e, d->arena));
        return;
    }
}

/* What an implicit cast at the top casts is printed alone. */
static const char *expr_as_sql(const Session *session, const Expr *e, bool pretty, Arena *arena)
{
    Buf out = {0};
    Deparse d = {.out = &out, .arena = arena, .pretty = pretty, .session = session};
    put_expr(&d, e, false);
    const char *text = buf_to_str(&out, arena);
    buf_finish(&out);
    return text;
}

/* Constants whose text is the value's, however it was written: DEFAULT '1' of a bool is true, DEFAULT '7' of an int 7. */
static bool is_plain_constant(const Expr *e)
{
    Oid type = e->type.oid;
    return e->kind == EXPR_CONST && (type == OID_BOOL || type == OID_INT2 || type == OID_INT4 || type == OID_INT8);
}

static bool is_computation(const Expr *e)
{
    while (is_implicit(e)) e = e->args[0];
    return is_test(e) || is_plain_constant(e) || e->kind == EXPR_AND || e->kind == EXPR_OR || e->kind == EXPR_NOT;
}

const char *deparse_default(Session *session, const TableDesc *table, const ColumnDesc *column, const char *text, Arena *arena)
{
    Binder binder;
    Error ignored;
    Expr *e;
    binder_init(&binder, session, arena, &ignored);
    TableExpr of_table = {table, NULL, column->default_expr, {column->type.oid, -1}};
    if (bind_table_text(&binder, &of_table, column->name, &e) != ST_OK) return text;
    bool literal = e->kind == EXPR_CONST && strchr(text, '\''); /* date '2026-01-01' */
    if (!literal && !is_computation(e)) return text;
    if (literal) e->type.typmod = -1;
    return expr_as_sql(session, e, false, arena);
}

const char *deparse_table_expr(Session *session, const TableDesc *table, const char *text, bool pretty, Arena *arena)
{
    Binder binder;
    Error ignored;
    Expr *e;
    binder_init(&binder, session, arena, &ignored);
    TableExpr of_table = {table, bind_table_columns(&binder, table), text, {0}};
    return bind_table_text(&binder, &of_table, NULL, &e) == ST_OK ? expr_as_sql(session, e, pretty, arena) : text;
}

const char *deparse_domain_check(Session *session, const TypeDesc *domain, const char *text, bool pretty, Arena *arena)
{
    Binder binder;
    Error ignored;
    Expr *e;
    binder_init(&binder, session, arena, &ignored);
    if (bind_domain_check(&binder, domain, text, 1, &e) != ST_OK) return text;
    Buf out = {0};
    Deparse d = {.out = &out, .arena = arena, .pretty = pretty, .session = session, .of_domain = true};
    put_expr(&d, e, false);
    const char *copy = buf_to_str(&out, arena);
    buf_finish(&out);
    return copy;
}
