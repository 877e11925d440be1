/* ast_print.c - names, types, options; and which family prints a statement. */
#include "parser/ast_print.h"

#include <assert.h>

#include "parser/ast_print_internal.h"
#include "parser/keywords.h"

/* ---- names ---- */

void ast_print_identifier(const char *name, Buf *out)
{
    bool plain = (*name >= 'a' && *name <= 'z') || *name == '_';
    const char *s = name;
    for (; plain && *s; s++) plain = (*s >= 'a' && *s <= 'z') || *s == '_' || (*s >= '0' && *s <= '9');
    const Keyword *keyword = plain ? keyword_find(name, (size_t)(s - name)) : NULL;
    if (plain && (!keyword || keyword->category == KEYWORD_UNRESERVED)) {
        buf_put_str(out, name);
        return;
    }
    buf_put_u8(out, '"');
    for (s = name; *s; s++) {
        if (*s == '"') buf_put_u8(out, '"');
        buf_put_u8(out, (uint8_t)*s);
    }
    buf_put_u8(out, '"');
}

void ast_print_string(const char *text, Buf *out)
{
    buf_put_u8(out, '\'');
    for (const char *s = text; *s; s++) {
        if (*s == '\'') buf_put_u8(out, '\'');
        buf_put_u8(out, (uint8_t)*s);
    }
    buf_put_u8(out, '\'');
}

void ast_print_name(const AstName *name, Buf *out)
{
    if (name->database) {
        ast_print_identifier(name->database, out);
        buf_put_u8(out, '.');
    }
    if (name->schema) {
        ast_print_identifier(name->schema, out);
        buf_put_u8(out, '.');
    }
    ast_print_identifier(name->name, out);
}

void print_names(const StrVec *names, Buf *out)
{
    for (int i = 0; i < names->count; i++) {
        if (i) buf_put_str(out, ", ");
        ast_print_identifier(names->items[i], out);
    }
}

void print_paren_names(const StrVec *names, Buf *out)
{
    if (names->count == 0) return;
    buf_put_str(out, " (");
    print_names(names, out);
    buf_put_u8(out, ')');
}

void print_name_list(const AstNameVec *names, Buf *out)
{
    for (int i = 0; i < names->count; i++) {
        if (i) buf_put_str(out, ", ");
        ast_print_name(&names->items[i], out);
    }
}

void print_index_name(const AstIndexName *name, Buf *out)
{
    AstName table = name->table;
    if (table.name) {
        ast_print_name(&table, out);
        buf_put_u8(out, '@');
        ast_print_identifier(name->index, out);
    } else {
        table.name = name->index;
        ast_print_name(&table, out);
    }
}

void print_word_if(bool condition, const char *word, Buf *out)
{
    if (!condition) return;
    buf_put_u8(out, ' ');
    buf_put_str(out, word);
}

void print_int(int64_t number, Buf *out)
{
    buf_printf(out, "%lld", (long long)number);
}

void print_drop_behavior(AstDropBehavior behavior, Buf *out)
{
    print_word_if(behavior == AST_DROP_CASCADE, "CASCADE", out);
    print_word_if(behavior == AST_DROP_RESTRICT, "RESTRICT", out);
}

/* ---- types ---- */

/* Words that the grammar knows as types, and that are therefore not quoted though they are keywords. */
static bool is_type_word(const char *name)
{
    static const char *const words[] = {"numeric", "bit", "interval", "time", "timestamp", "varchar"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(name, words[i]) == 0) return true;
    return false;
}

static void print_type_name(const AstType *type, Buf *out)
{
    if (type->schema) {
        ast_print_identifier(type->schema, out);
        buf_put_u8(out, '.');
        ast_print_identifier(type->name, out);
    } else if (type->plain_int) {
        buf_put_str(out, strcmp(type->name, "serial4") == 0 ? "SERIAL" : "INT");
    } else if (is_type_word(type->name)) {
        buf_put_str(out, type->name);
    } else {
        ast_print_identifier(type->name, out);
    }
}

/* Fields of an interval come behind its name, or behind the literal; the precision belongs to them. */
void print_interval_fields(const AstType *type, Buf *out)
{
    if (!type->interval_fields) return;
    buf_put_u8(out, ' ');
    buf_put_str(out, type->interval_fields);
    if (type->typmods.count > 0) buf_printf(out, "(%d)", type->typmods.items[0]);
}

void print_type_before_literal(const AstType *type, Buf *out)
{
    print_type_name(type, out);
    if (type->typmods.count == 0 || type->interval_fields) return;
    buf_put_u8(out, '(');
    for (int i = 0; i < type->typmods.count; i++) buf_printf(out, i ? ",%d" : "%d", type->typmods.items[i]);
    buf_put_u8(out, ')');
}

void ast_print_type(const AstType *type, Buf *out)
{
    if (type->setof) buf_put_str(out, "SETOF ");
    print_type_before_literal(type, out);
    print_interval_fields(type, out);
    for (int i = 0; i < type->array_dims; i++) buf_put_str(out, "[]");
}

/* ---- options ---- */

void print_option_value(const AstExpr *value, Buf *out)
{
    if (value->kind != AST_ROW) {
        ast_print_expr(value, out);
        return;
    }
    buf_put_u8(out, '(');
    print_exprs(&((const AstRow *)value)->items, out);
    buf_put_u8(out, ')');
}

void print_params(const char *word, const AstOptionVec *options, Buf *out)
{
    if (options->count == 0) return;
    print_word_if(word != NULL, word, out);
    buf_put_str(out, " (");
    for (int i = 0; i < options->count; i++) {
        const AstOption *option = &options->items[i];
        if (i) buf_put_str(out, ", ");
        /* Names may have a dot, which stays one. */
        const char *dot = strchr(option->name, '.');
        if (dot)
            buf_put_str(out, option->name);
        else
            ast_print_identifier(option->name, out);
        if (!option->value) continue;
        buf_put_str(out, " = ");
        print_option_value(option->value, out);
    }
    buf_put_u8(out, ')');
}

/* ---- statements ---- */

void ast_print_stmt(const AstStmt *stmt, Buf *out)
{
    if (stmt->kind == AST_SELECT)
        print_select((const AstSelect *)stmt, out);
    else if (stmt->kind == AST_INSERT)
        print_insert((const AstInsert *)stmt, out);
    else if (stmt->kind == AST_UPDATE)
        print_update((const AstUpdate *)stmt, out);
    else if (stmt->kind == AST_DELETE)
        print_delete((const AstDelete *)stmt, out);
    else if (!print_ddl(stmt, out) && !print_object(stmt, out)) {
        bool printed = print_session(stmt, out);
        assert(printed);
        (void)printed;
    }
}

char *ast_stmt_text(const AstStmt *stmt, Arena *arena)
{
    Buf out = {0};
    ast_print_stmt(stmt, &out);
    char *text = buf_to_str(&out, arena);
    buf_finish(&out);
    return text;
}

char *ast_expr_text(const AstExpr *expr, Arena *arena)
{
    Buf out = {0};
    ast_print_expr(expr, &out);
    char *text = buf_to_str(&out, arena);
    buf_finish(&out);
    return text;
}
