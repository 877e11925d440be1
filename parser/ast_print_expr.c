/* ast_print_expr.c - expressions, with parentheses where the grammar's precedence asks for them. */
#include "parser/ast_print_internal.h"
#include "parser/keywords.h"

/* As in 00_head.y, the weakest first. An operand that is weaker than its place goes into parentheses. */
typedef enum Level {
    LEVEL_ANY, LEVEL_OR, LEVEL_AND, LEVEL_NOT, LEVEL_IS, LEVEL_COMPARE, LEVEL_LIKE, LEVEL_OP, LEVEL_ADD, LEVEL_MULTIPLY,
    LEVEL_POWER, LEVEL_AT, LEVEL_COLLATE, LEVEL_SIGN, LEVEL_CAST, LEVEL_PRIMARY
} Level;

static void print_at(const AstExpr *expr, Level least, Buf *out);

static Level op_level(const AstOp *op)
{
    static const struct {
        const char *op;
        Level level;
    } levels[] = {{"<", LEVEL_COMPARE}, {">", LEVEL_COMPARE}, {"=", LEVEL_COMPARE}, {"<=", LEVEL_COMPARE}, {">=", LEVEL_COMPARE},
                  {"<>", LEVEL_COMPARE}, {"+", LEVEL_ADD}, {"-", LEVEL_ADD}, {"*", LEVEL_MULTIPLY}, {"/", LEVEL_MULTIPLY},
                  {"%", LEVEL_MULTIPLY}, {"^", LEVEL_POWER}};
    if (op->schema) return LEVEL_OP;
    if (!op->left) return strcmp(op->op, "+") == 0 || strcmp(op->op, "-") == 0 ? LEVEL_SIGN : LEVEL_OP;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        if (strcmp(op->op, levels[i].op) == 0) return levels[i].level;
    return LEVEL_OP;
}

static bool is_negative(const AstExpr *expr)
{
    return expr->kind == AST_LITERAL && ((const AstLiteral *)expr)->text && ((const AstLiteral *)expr)->text[0] == '-' &&
           ((const AstLiteral *)expr)->literal != AST_LITERAL_STRING && ((const AstLiteral *)expr)->literal != AST_LITERAL_TYPED;
}

static Level call_level(const AstCall *call)
{
    if (call->syntax == AST_CALL_AT_TIME_ZONE) return LEVEL_AT;
    return call->syntax == AST_CALL_OVERLAPS ? LEVEL_COMPARE : LEVEL_PRIMARY;
}

static Level level_of(const AstExpr *expr)
{
    switch (expr->kind) {
    case AST_OR: return LEVEL_OR;
    case AST_AND: return LEVEL_AND;
    case AST_NOT: return LEVEL_NOT;
    case AST_IS:
    case AST_DISTINCT_FROM: return LEVEL_IS;
    case AST_QUANTIFIED: return LEVEL_COMPARE;
    case AST_LIKE:
    case AST_BETWEEN:
    case AST_IN_LIST:
    case AST_IN_SUBQUERY: return LEVEL_LIKE;
    case AST_OP: return op_level((const AstOp *)expr);
    case AST_COLLATE: return LEVEL_COLLATE;
    case AST_CAST: return LEVEL_CAST;
    case AST_CALL: return call_level((const AstCall *)expr);
    case AST_LITERAL: return is_negative(expr) ? LEVEL_SIGN : LEVEL_PRIMARY;
    case AST_PARAM:
    case AST_COLUMN:
    case AST_CASE:
    case AST_SUBSCRIPT:
    case AST_FIELD:
    case AST_ARRAY:
    case AST_ROW:
    case AST_SUBQUERY:
    case AST_COALESCE:
    case AST_NULLIF:
    case AST_GREATEST:
    case AST_LEAST:
    case AST_SQL_VALUE:
    case AST_GROUPING:
    case AST_GROUPING_SET:
    case AST_CURRENT_OF:
    case AST_DEFAULT:
    case AST_MINVALUE:
    case AST_MAXVALUE: return LEVEL_PRIMARY;
    }
    return LEVEL_PRIMARY;
}

/* ---- operators ---- */

static void print_operator(const char *schema, const char *op, Buf *out)
{
    if (!schema) {
        buf_put_str(out, op);
        return;
    }
    buf_put_str(out, "OPERATOR(");
    ast_print_identifier(schema, out);
    buf_printf(out, ".%s)", op);
}

static void print_op(const AstOp *op, Buf *out)
{
    Level level = op_level(op);
    if (op->left) {
        /* Comparisons do not associate; all others do to the left. */
        print_at(op->left, level == LEVEL_COMPARE ? level + 1 : level, out);
        buf_put_u8(out, ' ');
        print_operator(op->schema, op->op, out);
        buf_put_u8(out, ' ');
        print_at(op->right, level + 1, out);
        return;
    }
    bool sign = level == LEVEL_SIGN;
    print_operator(op->schema, op->op, out);
    /* Two minus signs would be a comment. */
    if (!sign || op->right->kind == AST_OP || is_negative(op->right)) buf_put_u8(out, ' ');
    print_at(op->right, sign && op->right->kind == AST_OP ? LEVEL_SIGN : level + 1, out);
}

static void print_bool(const AstList *list, const char *word, Level level, Buf *out)
{
    for (int i = 0; i < list->items.count; i++) {
        if (i) buf_put_str(out, word);
        print_at(list->items.items[i], level + 1, out);
    }
}

static void print_like(const AstLike *like, Buf *out)
{
    static const char *const words[] = {"LIKE ", "ILIKE ", "SIMILAR TO "};
    print_at(like->left, LEVEL_LIKE + 1, out);
    buf_put_str(out, like->negated ? " NOT " : " ");
    buf_put_str(out, words[like->like]);
    print_at(like->pattern, LEVEL_LIKE + 1, out);
    if (!like->escape) return;
    buf_put_str(out, " ESCAPE ");
    print_at(like->escape, LEVEL_LIKE + 1, out);
}

static void print_between(const AstBetween *between, Buf *out)
{
    print_at(between->arg, LEVEL_LIKE + 1, out);
    buf_put_str(out, between->negated ? " NOT BETWEEN " : " BETWEEN ");
    if (between->symmetric) buf_put_str(out, "SYMMETRIC ");
    print_plain(between->low, out);
    buf_put_str(out, " AND ");
    print_at(between->high, LEVEL_LIKE + 1, out);
}

static void print_subselect(const AstSelect *select, Buf *out)
{
    buf_put_u8(out, '(');
    print_select(select, out);
    buf_put_u8(out, ')');
}

static void print_in(const AstIn *in, Buf *out)
{
    print_at(in->left, LEVEL_LIKE + 1, out);
    buf_put_str(out, in->negated ? " NOT IN " : " IN ");
    if (in->subquery) {
        print_subselect(in->subquery, out);
        return;
    }
    buf_put_u8(out, '(');
    print_exprs(&in->items, out);
    buf_put_u8(out, ')');
}

static void print_quantified(const AstQuantified *expr, Buf *out)
{
    print_at(expr->left, LEVEL_ADD, out);
    buf_put_u8(out, ' ');
    print_operator(expr->schema, expr->op, out);
    buf_put_str(out, expr->all ? " ALL " : " ANY ");
    if (expr->subquery) {
        print_subselect(expr->subquery, out);
        return;
    }
    buf_put_u8(out, '(');
    ast_print_expr(expr->array, out);
    buf_put_u8(out, ')');
}

static void print_is(const AstIs *is, Buf *out)
{
    static const char *const words[] = {"NULL", "TRUE", "FALSE", "UNKNOWN"};
    print_at(is->arg, LEVEL_IS + 1, out);
    buf_put_str(out, is->negated ? " IS NOT " : " IS ");
    buf_put_str(out, words[is->test]);
}

static void print_distinct(const AstDistinctFrom *expr, Buf *out)
{
    print_at(expr->left, LEVEL_IS + 1, out);
    buf_put_str(out, expr->negated ? " IS NOT DISTINCT FROM " : " IS DISTINCT FROM ");
    print_at(expr->right, LEVEL_IS + 1, out);
}

static void print_cast(const AstCast *cast, Buf *out)
{
    print_at(cast->arg, LEVEL_CAST, out);
    buf_put_str(out, cast->annotation ? ":::" : "::");
    ast_print_type(cast->type, out);
}

static void print_collate(const AstCollate *expr, Buf *out)
{
    print_at(expr->arg, LEVEL_COLLATE, out);
    buf_put_str(out, " COLLATE ");
    ast_print_name(&expr->collation, out);
}

/* ---- primaries ---- */

static void print_literal(const AstLiteral *literal, Buf *out)
{
    switch (literal->literal) {
    case AST_LITERAL_NULL: buf_put_str(out, "NULL"); break;
    case AST_LITERAL_BOOL: buf_put_str(out, strcmp(literal->text, "true") == 0 ? "TRUE" : "FALSE"); break;
    case AST_LITERAL_INT:
    case AST_LITERAL_DECIMAL: buf_put_str(out, literal->text); break;
    case AST_LITERAL_STRING: ast_print_string(literal->text, out); break;
    case AST_LITERAL_BIT:
        buf_put_u8(out, literal->text[0] == 'b' ? 'B' : 'X');
        ast_print_string(literal->text + 1, out);
        break;
    case AST_LITERAL_TYPED:
        print_type_before_literal(literal->type, out);
        buf_put_u8(out, ' ');
        ast_print_string(literal->text, out);
        print_interval_fields(literal->type, out);
        break;
    }
}

static void print_found_columns(const AstFound *found, Buf *out)
{
    for (int i = 0; i < found->columns.count; i++) {
        if (i) buf_put_str(out, ", ");
        if (found->tables.items[i]) {
            ast_print_identifier(found->tables.items[i], out);
            buf_put_u8(out, '.');
        }
        ast_print_identifier(found->columns.items[i], out);
    }
}

static void print_column(const AstColumn *column, Buf *out)
{
    if (column->found && column->found->columns.count) {
        print_found_columns(column->found, out);
        return;
    }
    for (int i = 0; i < column->names.count; i++) {
        if (i) buf_put_u8(out, '.');
        ast_print_identifier(column->names.items[i], out);
    }
    if (column->star) buf_put_str(out, column->names.count ? ".*" : "*");
}

/* What .field and [index] stand behind: itself, or in parentheses, which keep a column's name apart from a field. */
static void print_base(const AstExpr *arg, bool column_allowed, Buf *out)
{
    bool direct = arg->kind == AST_FIELD || arg->kind == AST_SUBSCRIPT || arg->kind == AST_PARAM ||
                  (arg->kind == AST_SUBQUERY && ((const AstSubquery *)arg)->subquery == AST_SUBQUERY_SCALAR) ||
                  (column_allowed && arg->kind == AST_COLUMN);
    if (!direct) buf_put_u8(out, '(');
    ast_print_expr(arg, out);
    if (!direct) buf_put_u8(out, ')');
}

static void print_subscript(const AstSubscript *expr, Buf *out)
{
    print_base(expr->arg, true, out);
    for (int i = 0; i < expr->items.count; i++) {
        const AstSubscriptItem *item = &expr->items.items[i];
        buf_put_u8(out, '[');
        if (item->lower) ast_print_expr(item->lower, out);
        if (item->slice) buf_put_u8(out, ':');
        /* "[a::b" would be a cast. */
        if (item->upper) ast_print_expr(item->upper, out);
        buf_put_u8(out, ']');
    }
}

static void print_field(const AstField *field, Buf *out)
{
    print_base(field->arg, false, out);
    buf_put_u8(out, '.');
    if (field->name)
        ast_print_identifier(field->name, out);
    else
        buf_put_u8(out, '*');
}

static void print_row(const AstRow *row, Buf *out)
{
    buf_put_str(out, row->explicit_row ? "ROW(" : "(");
    print_exprs(&row->items, out);
    buf_put_u8(out, ')');
}

static void print_case(const AstCase *expr, Buf *out)
{
    buf_put_str(out, "CASE");
    if (expr->arg) {
        buf_put_u8(out, ' ');
        ast_print_expr(expr->arg, out);
    }
    for (int i = 0; i < expr->whens.count; i++) {
        buf_put_str(out, " WHEN ");
        ast_print_expr(expr->whens.items[i].when, out);
        buf_put_str(out, " THEN ");
        ast_print_expr(expr->whens.items[i].then, out);
    }
    if (expr->otherwise) {
        buf_put_str(out, " ELSE ");
        ast_print_expr(expr->otherwise, out);
    }
    buf_put_str(out, " END");
}

static void print_array(const AstList *array, bool outermost, Buf *out)
{
    buf_put_str(out, outermost ? "ARRAY[" : "[");
    bool nested = array->items.count > 0;
    /* Inner brackets without the word need all items to be arrays; a mixture has been written with the word. */
    for (int i = 0; i < array->items.count; i++) nested &= array->items.items[i]->kind == AST_ARRAY;
    for (int i = 0; i < array->items.count; i++) {
        if (i) buf_put_str(out, ", ");
        if (nested)
            print_array((const AstList *)array->items.items[i], false, out);
        else
            ast_print_expr(array->items.items[i], out);
    }
    buf_put_u8(out, ']');
}

static void print_list(const char *word, const AstExprVec *items, Buf *out)
{
    buf_put_str(out, word);
    buf_put_u8(out, '(');
    print_exprs(items, out);
    buf_put_u8(out, ')');
}

static void print_grouping_set(const AstGroupingSet *set, Buf *out)
{
    static const char *const words[] = {"", "ROLLUP", "CUBE", "GROUPING SETS "};
    print_list(words[set->grouping], &set->items, out);
}

static void print_subquery(const AstSubquery *expr, Buf *out)
{
    static const char *const words[] = {"", "EXISTS ", "ARRAY"};
    buf_put_str(out, words[expr->subquery]);
    print_subselect(expr->select, out);
}

static void print_sql_value(const AstSqlValue *expr, Buf *out)
{
    for (const char *s = ast_sql_value_word(expr->value); *s; s++) buf_put_u8(out, (uint8_t)(*s >= 'a' ? (*s == '_' ? '_' : *s - 32) : *s));
    if (expr->precision >= 0) buf_printf(out, "(%d)", expr->precision);
}

/* ---- calls ---- */

static void print_call_args(const AstCall *call, Buf *out)
{
    if (call->star) buf_put_u8(out, '*');
    if (call->distinct) buf_put_str(out, "DISTINCT ");
    for (int i = 0; i < call->args.count; i++) {
        if (i) buf_put_str(out, ", ");
        if (call->variadic && i == call->args.count - 1) buf_put_str(out, "VARIADIC ");
        if (call->arg_names.count > 0 && call->arg_names.items[i]) {
            ast_print_identifier(call->arg_names.items[i], out);
            buf_put_str(out, " => ");
        }
        ast_print_expr(call->args.items[i], out);
    }
}

/* Function names may be words that columns may not be: left, right. */
static void print_call_name(const AstName *name, Buf *out)
{
    const Keyword *keyword = name->schema ? NULL : keyword_find(name->name, strlen(name->name));
    bool bare = keyword && (keyword->category == KEYWORD_TYPE_FUNC || strcmp(name->name, "substring") == 0 ||
                            strcmp(name->name, "overlay") == 0);
    if (bare)
        buf_put_str(out, name->name);
    else
        ast_print_name(name, out);
}

static void print_plain_call(const AstCall *call, Buf *out)
{
    print_call_name(&call->name, out);
    buf_put_u8(out, '(');
    print_call_args(call, out);
    if (!call->within_group) print_order_by(&call->order, out);
    buf_put_u8(out, ')');
    if (call->within_group) {
        buf_put_str(out, " WITHIN GROUP (");
        print_order_by(&call->order, out);
        buf_put_u8(out, ')');
    }
    if (call->filter) {
        buf_put_str(out, " FILTER (WHERE ");
        ast_print_expr(call->filter, out);
        buf_put_u8(out, ')');
    }
    if (!call->over) return;
    buf_put_str(out, " OVER ");
    if (call->over->bare)
        ast_print_identifier(call->over->refers, out);
    else
        print_window(call->over, out);
}

static void print_args_between(const AstCall *call, const char *const *words, Buf *out)
{
    for (int i = 0; i < call->args.count; i++) {
        if (i) buf_put_str(out, words[i - 1]);
        ast_print_expr(call->args.items[i], out);
    }
    buf_put_u8(out, ')');
}

static void print_trim(const AstCall *call, Buf *out)
{
    const char *side = call->name.name[0] == 'b' ? "BOTH" : call->name.name[0] == 'l' ? "LEADING" : "TRAILING";
    buf_printf(out, "TRIM(%s ", side);
    if (call->args.count == 2) {
        ast_print_expr(call->args.items[1], out);
        buf_put_str(out, " FROM ");
        ast_print_expr(call->args.items[0], out);
    } else {
        buf_put_str(out, "FROM ");
        print_exprs(&call->args, out);
    }
    buf_put_u8(out, ')');
}

static void print_extract(const AstCall *call, Buf *out)
{
    const char *field = ((const AstLiteral *)call->args.items[0])->text;
    Buf word = {0};
    ast_print_identifier(field, &word);
    bool plain = word.size > 0 && word.data[0] != '"';
    buf_finish(&word);
    buf_put_str(out, "EXTRACT(");
    if (plain)
        buf_put_str(out, field);
    else
        ast_print_string(field, out);
    buf_put_str(out, " FROM ");
    ast_print_expr(call->args.items[1], out);
    buf_put_u8(out, ')');
}

static void print_normalize(const AstCall *call, Buf *out)
{
    buf_put_str(out, "NORMALIZE(");
    ast_print_expr(call->args.items[0], out);
    if (call->args.count > 1) {
        buf_put_str(out, ", ");
        buf_put_str(out, ((const AstLiteral *)call->args.items[1])->text); /* one of four words */
    }
    buf_put_u8(out, ')');
}

static void print_overlaps(const AstCall *call, Buf *out)
{
    static const char *const between[] = {", ", ") OVERLAPS (", ", "};
    buf_put_u8(out, '(');
    print_args_between(call, between, out);
}

static void print_call(const AstCall *call, Buf *out)
{
    static const char *const from_for[] = {" FROM ", " FOR "}, *const similar[] = {" SIMILAR ", " ESCAPE "};
    static const char *const placing[] = {" PLACING ", " FROM ", " FOR "};
    AstExpr *const *args = call->args.items;
    switch (call->syntax) {
    case AST_CALL_PLAIN: print_plain_call(call, out); break;
    case AST_CALL_EXTRACT: print_extract(call, out); break;
    case AST_CALL_SUBSTRING:
    case AST_CALL_SUBSTRING_SIMILAR:
        buf_put_str(out, "SUBSTRING(");
        print_args_between(call, call->syntax == AST_CALL_SUBSTRING ? from_for : similar, out);
        break;
    case AST_CALL_POSITION:
        buf_put_str(out, "POSITION(");
        print_plain(args[1], out);
        buf_put_str(out, " IN ");
        print_plain(args[0], out);
        buf_put_u8(out, ')');
        break;
    case AST_CALL_OVERLAY:
        buf_put_str(out, "OVERLAY(");
        print_args_between(call, placing, out);
        break;
    case AST_CALL_TRIM: print_trim(call, out); break;
    case AST_CALL_AT_TIME_ZONE:
        print_at(args[1], LEVEL_AT, out);
        buf_put_str(out, " AT TIME ZONE ");
        print_at(args[0], LEVEL_AT + 1, out);
        break;
    case AST_CALL_OVERLAPS: print_overlaps(call, out); break;
    case AST_CALL_COLLATION_FOR: print_list("COLLATION FOR ", &call->args, out); break;
    case AST_CALL_NORMALIZE: print_normalize(call, out); break;
    case AST_CALL_IS_NORMALIZED: print_list("is_normalized", &call->args, out); break;
    }
}

void print_function_call(const AstExpr *expr, Buf *out)
{
    const AstCast *cast = (const AstCast *)expr;
    if (expr->kind != AST_CAST) {
        ast_print_expr(expr, out);
        return;
    }
    buf_put_str(out, "CAST(");
    ast_print_expr(cast->arg, out);
    buf_put_str(out, " AS ");
    ast_print_type(cast->type, out);
    buf_put_u8(out, ')');
}

/* ---- windows, ORDER BY ---- */

static void print_frame_bound(AstFrameBound bound, const AstExpr *offset, Buf *out)
{
    static const char *const words[] = {"UNBOUNDED PRECEDING", " PRECEDING", "CURRENT ROW", " FOLLOWING", "UNBOUNDED FOLLOWING"};
    if (offset) ast_print_expr(offset, out);
    buf_put_str(out, words[bound]);
}

void print_window(const AstWindow *window, Buf *out)
{
    static const char *const units[] = {"RANGE", "ROWS", "GROUPS"};
    static const char *const excludes[] = {"", " EXCLUDE CURRENT ROW", " EXCLUDE GROUP", " EXCLUDE TIES"};
    buf_put_u8(out, '(');
    if (window->refers) ast_print_identifier(window->refers, out);
    if (window->partition.count > 0) {
        buf_put_str(out, window->refers ? " PARTITION BY " : "PARTITION BY ");
        print_exprs(&window->partition, out);
    }
    print_order_by(&window->order, out);
    if (window->has_frame) {
        buf_printf(out, " %s BETWEEN ", units[window->unit]);
        print_frame_bound(window->start, window->start_offset, out);
        buf_put_str(out, " AND ");
        print_frame_bound(window->end, window->end_offset, out);
        buf_put_str(out, excludes[window->exclude]);
    }
    buf_put_u8(out, ')');
}

static void print_sort(const AstSort *sort, Buf *out)
{
    ast_print_expr(sort->expr, out);
    if (sort->direction == AST_SORT_USING) {
        buf_put_str(out, " USING ");
        print_operator(sort->using_schema, sort->using_op, out);
    }
    print_word_if(sort->direction == AST_SORT_ASC, "ASC", out);
    print_word_if(sort->direction == AST_SORT_DESC, "DESC", out);
    print_word_if(sort->nulls == AST_NULLS_FIRST, "NULLS FIRST", out);
    print_word_if(sort->nulls == AST_NULLS_LAST, "NULLS LAST", out);
}

void print_order_by(const AstSortVec *order, Buf *out)
{
    if (order->count == 0) return;
    bool first = out->size > 0 && out->data[out->size - 1] == '(';
    buf_put_str(out, first ? "ORDER BY " : " ORDER BY ");
    for (int i = 0; i < order->count; i++) {
        if (i) buf_put_str(out, ", ");
        print_sort(&order->items[i], out);
    }
}

/* ---- entry ---- */

static void print_bare(const AstExpr *expr, Buf *out)
{
    const AstList *list = (const AstList *)expr;
    switch (expr->kind) {
    case AST_LITERAL: print_literal((const AstLiteral *)expr, out); break;
    case AST_PARAM: buf_printf(out, "$%d", ((const AstParam *)expr)->number); break;
    case AST_COLUMN: print_column((const AstColumn *)expr, out); break;
    case AST_CALL: print_call((const AstCall *)expr, out); break;
    case AST_OP: print_op((const AstOp *)expr, out); break;
    case AST_AND: print_bool(list, " AND ", LEVEL_AND, out); break;
    case AST_OR: print_bool(list, " OR ", LEVEL_OR, out); break;
    case AST_NOT:
        buf_put_str(out, "NOT ");
        print_at(((const AstUnary *)expr)->arg, LEVEL_NOT, out);
        break;
    case AST_LIKE: print_like((const AstLike *)expr, out); break;
    case AST_BETWEEN: print_between((const AstBetween *)expr, out); break;
    case AST_IN_LIST:
    case AST_IN_SUBQUERY: print_in((const AstIn *)expr, out); break;
    case AST_QUANTIFIED: print_quantified((const AstQuantified *)expr, out); break;
    case AST_IS: print_is((const AstIs *)expr, out); break;
    case AST_DISTINCT_FROM: print_distinct((const AstDistinctFrom *)expr, out); break;
    case AST_CASE: print_case((const AstCase *)expr, out); break;
    case AST_CAST: print_cast((const AstCast *)expr, out); break;
    case AST_COLLATE: print_collate((const AstCollate *)expr, out); break;
    case AST_SUBSCRIPT: print_subscript((const AstSubscript *)expr, out); break;
    case AST_FIELD: print_field((const AstField *)expr, out); break;
    case AST_ARRAY: print_array(list, true, out); break;
    case AST_ROW: print_row((const AstRow *)expr, out); break;
    case AST_SUBQUERY: print_subquery((const AstSubquery *)expr, out); break;
    case AST_COALESCE: print_list("COALESCE", &list->items, out); break;
    case AST_NULLIF: print_list("NULLIF", &list->items, out); break;
    case AST_GREATEST: print_list("GREATEST", &list->items, out); break;
    case AST_LEAST: print_list("LEAST", &list->items, out); break;
    case AST_SQL_VALUE: print_sql_value((const AstSqlValue *)expr, out); break;
    case AST_GROUPING: print_list("GROUPING", &list->items, out); break;
    case AST_GROUPING_SET: print_grouping_set((const AstGroupingSet *)expr, out); break;
    case AST_CURRENT_OF:
        buf_put_str(out, "CURRENT OF ");
        ast_print_identifier(((const AstCurrentOf *)expr)->cursor, out);
        break;
    case AST_DEFAULT: buf_put_str(out, "DEFAULT"); break;
    case AST_MINVALUE: buf_put_str(out, "MINVALUE"); break;
    case AST_MAXVALUE: buf_put_str(out, "MAXVALUE"); break;
    }
}

static void print_at(const AstExpr *expr, Level least, Buf *out)
{
    bool parens = level_of(expr) < least;
    if (parens) buf_put_u8(out, '(');
    print_bare(expr, out);
    if (parens) buf_put_u8(out, ')');
}

void ast_print_expr(const AstExpr *expr, Buf *out)
{
    print_bare(expr, out);
}

/* Is it one of PostgreSQL's restricted expressions? Parts that are printed in parentheses anyway do not count. */
static bool is_plain(const AstExpr *expr)
{
    const AstOp *op = (const AstOp *)expr;
    if (level_of(expr) == LEVEL_PRIMARY) return expr->kind != AST_DEFAULT;
    if (expr->kind == AST_LITERAL) return true;
    if (expr->kind == AST_CAST) return level_of(((const AstCast *)expr)->arg) < LEVEL_CAST || is_plain(((const AstCast *)expr)->arg);
    return expr->kind == AST_OP && (!op->left || is_plain(op->left)) && is_plain(op->right);
}

void print_plain(const AstExpr *expr, Buf *out)
{
    bool parens = !is_plain(expr);
    if (parens) buf_put_u8(out, '(');
    print_bare(expr, out);
    if (parens) buf_put_u8(out, ')');
}

void print_exprs(const AstExprVec *exprs, Buf *out)
{
    for (int i = 0; i < exprs->count; i++) {
        if (i) buf_put_str(out, ", ");
        ast_print_expr(exprs->items[i], out);
    }
}

void print_rows(const AstExprRows *rows, Buf *out)
{
    for (int i = 0; i < rows->count; i++) {
        buf_put_str(out, i ? ", (" : "(");
        print_exprs(&rows->items[i], out);
        buf_put_u8(out, ')');
    }
}
