/* bind_copy.c - COPY: its options, and the query or INSERT behind it. */
#include "parser/ast_print.h"
#include "parser/parse.h"
#include "planner/bind/bind_change.h"
#include "planner/bind/bind_session.h"
#include "planner/utility_session.h"

#include <strings.h>

/* ---- options ---- */

static Status bad_option(Binder *binder, const AstOption *option, const char *message)
{
    (void)err_set(binder->err, binder->arena, ERR_FEATURE_NOT_SUPPORTED, "%s", message);
    return err_at(binder->err, option ? option->position : 0);
}

static Status copy_format(Binder *binder, const AstOptionVec *options, UtilityCopy *u)
{
    const AstOption *option = ast_option(options, "format");
    const char *text = option_text(option);
    if (!text || strcasecmp(text, "text") == 0) return ST_OK;
    if (strcasecmp(text, "csv") == 0)
        u->format = COPY_CSV;
    else if (strcasecmp(text, "binary") == 0)
        u->format = COPY_BINARY;
    else {
        (void)err_set(binder->err, binder->arena, ERR_INVALID_PARAMETER_VALUE, "COPY format \"%s\" not recognized",
                      text);
        return err_at(binder->err, option->position);
    }
    return ST_OK;
}

static Status one_char(Binder *binder, const AstOptionVec *options, const char *name, const char *fault, char *out)
{
    const AstOption *option = ast_option(options, name);
    const char *text = option_text(option);
    if (!option) return ST_OK;
    if (!text || strlen(text) != 1) return bad_option(binder, option, fault);
    *out = text[0];
    return ST_OK;
}

static Status copy_header(Binder *binder, const AstOptionVec *options, UtilityCopy *u)
{
    const AstOption *option = ast_option(options, "header");
    const char *text = option_text(option);
    bool on = false;
    if (text && strcasecmp(text, "match") == 0) {
        if (!u->from) return bad_option(binder, option, "cannot use \"match\" with HEADER in COPY TO");
        u->header = COPY_HEADER_MATCH;
        return ST_OK;
    }
    TRY(option_bool(binder, option, &on));
    u->header = on ? COPY_HEADER_ON : COPY_HEADER_OFF;
    return ST_OK;
}

static Status check_characters(Binder *binder, const UtilityCopy *u)
{
    if (u->delimiter == '\n' || u->delimiter == '\r')
        return err_set(binder->err, binder->arena, ERR_INVALID_PARAMETER_VALUE,
                       "COPY delimiter cannot be newline or carriage return");
    if (u->format == COPY_CSV && u->delimiter == u->quote)
        return err_set(binder->err, binder->arena, ERR_INVALID_PARAMETER_VALUE,
                       "COPY delimiter and quote must be different");
    if (strpbrk(u->null_text, "\r\n"))
        return err_set(binder->err, binder->arena, ERR_INVALID_PARAMETER_VALUE,
                       "COPY null representation cannot use newline or carriage return");
    return ST_OK;
}

static Status copy_options(Binder *binder, const AstOptionVec *options, UtilityCopy *u)
{
    TRY(copy_format(binder, options, u));
    bool csv = u->format == COPY_CSV;
    u->delimiter = csv ? ',' : '\t';
    u->quote = '"';
    u->null_text = csv ? "" : "\\N";
    TRY(one_char(binder, options, "delimiter", "COPY delimiter must be a single one-byte character", &u->delimiter));
    TRY(one_char(binder, options, "quote", "COPY quote must be a single one-byte character", &u->quote));
    u->escape = u->quote;
    TRY(one_char(binder, options, "escape", "COPY escape must be a single one-byte character", &u->escape));
    const char *null_text = option_text(ast_option(options, "null"));
    if (null_text) u->null_text = null_text;
    TRY(copy_header(binder, options, u));
    const char *encoding = option_text(ast_option(options, "encoding"));
    if (encoding && strcasecmp(encoding, "utf8") != 0 && strcasecmp(encoding, "utf-8") != 0)
        return err_unsupported(binder->err, binder->arena, arena_printf(binder->arena, "COPY encoding %s", encoding));
    return check_characters(binder, u);
}

static bool is_named(const AstRow *row, const char *name)
{
    for (int i = 0; i < row->items.count; i++) {
        const AstExpr *item = row->items.items[i];
        if (item->kind == AST_LITERAL && strcmp(((const AstLiteral *)item)->text, name) == 0) return true;
    }
    return false;
}

/* FORCE_QUOTE (a, b) and kin: one flag per copied column. */
static bool *column_flags(Binder *binder, const AstOptionVec *options, const char *name, const UtilityCopy *u)
{
    const AstOption *option = ast_option(options, name);
    if (!option || !option->value || option->value->kind != AST_ROW) return NULL;
    bool *flags = ARENA_ARRAY(binder->arena, bool, u->column_count);
    for (int i = 0; i < u->column_count; i++) flags[i] = is_named((const AstRow *)option->value, u->columns[i].name);
    return flags;
}

static void copy_column_options(Binder *binder, const AstOptionVec *options, UtilityCopy *u)
{
    const char *all = option_text(ast_option(options, "force_quote"));
    u->force_quote_all = all && strcmp(all, "*") == 0;
    u->force_quote = column_flags(binder, options, "force_quote", u);
    u->force_not_null = column_flags(binder, options, "force_not_null", u);
    u->force_null = column_flags(binder, options, "force_null", u);
}

/* ---- the copied columns ---- */

static Status copy_columns(Binder *binder, const AstCopy *ast, const TableDesc *table, UtilityCopy *u)
{
    VEC(RelColumn) columns = {0};
    for (int i = 0; i < ast->columns.count; i++) {
        int ordinal;
        TRY(bind_written_column(binder, table, ast->columns.items[i], 0, &ordinal));
        const ColumnDesc *column = &table->columns.items[ordinal];
        if (column->computed != COMPUTED_NONE) {
            (void)err_set(binder->err, binder->arena, ERR_INVALID_COLUMN_REFERENCE,
                          "column \"%s\" is a generated column", column->name);
            err_detail(binder->err, binder->arena, "Generated columns cannot be used in COPY.");
            return ST_ERROR;
        }
        VEC_PUSH(binder->arena, columns, (RelColumn){.name = column->name, .type = column->type});
    }
    for (int i = 0; ast->columns.count == 0 && i < table->columns.count; i++) {
        const ColumnDesc *column = &table->columns.items[i];
        if (column->hidden || column->computed != COMPUTED_NONE) continue;
        VEC_PUSH(binder->arena, columns, (RelColumn){.name = column->name, .type = column->type});
    }
    u->columns = columns.items;
    u->column_count = columns.count;
    return ST_OK;
}

static void put_columns(const UtilityCopy *u, Buf *text)
{
    for (int i = 0; i < u->column_count; i++) {
        if (i) buf_put_str(text, ", ");
        ast_print_identifier(u->columns[i].name, text);
    }
}

static const char *take_text(Binder *binder, Buf *text)
{
    const char *copy = buf_to_str(text, binder->arena);
    buf_finish(text);
    return copy;
}

/* ---- TO ---- */

static Status copy_query(Binder *binder, const AstCopy *ast, UtilityCopy *u)
{
    Rel *rel;
    TRY(bind_query_stmt(binder, ast->query, &rel));
    if (rel->column_count == 0)
        return err_set(binder->err, binder->arena, ERR_FEATURE_NOT_SUPPORTED,
                       "COPY query must have a RETURNING clause");
    u->columns = rel->columns;
    u->column_count = rel->column_count;
    return plan_nested(binder, rel, &u->query);
}

static Status copy_table_to(Binder *binder, const AstCopy *ast, UtilityCopy *u)
{
    BoundName found;
    Rel *rel;
    TRY(bind_find_relation(binder, &ast->table, true, &found));
    if (found.desc && found.desc->kind == DESC_VIEW) {
        (void)err_set(binder->err, binder->arena, ERR_WRONG_OBJECT_TYPE, "cannot copy from view \"%s\"",
                      ast->table.name);
        err_hint(binder->err, binder->arena, "Try the COPY (SELECT ...) TO variant.");
        return ST_ERROR;
    }
    Buf text = {0};
    buf_put_str(&text, "SELECT ");
    if (found.desc && found.desc->kind == DESC_TABLE) {
        u->table = (const TableDesc *)found.desc;
        TRY(copy_columns(binder, ast, u->table, u));
        put_columns(u, &text);
    } else {
        buf_put_str(&text, "*");
    }
    buf_put_str(&text, " FROM ");
    ast_print_name(&ast->table, &text);
    TRY(bind_query_text(binder, take_text(binder, &text), &rel));
    u->columns = rel->columns;
    u->column_count = rel->column_count;
    return plan_nested(binder, rel, &u->query);
}

/* ---- FROM ---- */

/* INSERT INTO t (columns) VALUES ($1, $2 ...): one row per run. */
static Status copy_table_from(Binder *binder, const AstCopy *ast, UtilityCopy *u)
{
    const TableDesc *table;
    Access *access;
    Rel *rel;
    TRY(bind_change_table(binder, &ast->table, "copy to", &table, &access));
    TRY(copy_columns(binder, ast, table, u));
    u->table = table;
    Buf text = {0};
    buf_put_str(&text, "INSERT INTO ");
    ast_print_name(&ast->table, &text);
    if (u->column_count) {
        buf_put_str(&text, " (");
        put_columns(u, &text);
        buf_put_str(&text, ") OVERRIDING SYSTEM VALUE VALUES (");
        for (int i = 0; i < u->column_count; i++) buf_printf(&text, "%s$%d", i ? ", " : "", i + 1);
        buf_put_str(&text, ")");
    } else {
        buf_put_str(&text, " DEFAULT VALUES");
    }
    TRY(bind_query_text(binder, take_text(binder, &text), &rel));
    return plan_nested(binder, rel, &u->insert);
}

Status bind_copy(Binder *binder, const AstCopy *ast, Plan **out)
{
    UtilityCopy *u = bind_utility(binder, UTILITY_COPY, "COPY", sizeof *u);
    u->from = ast->from;
    *out = &u->base.base;
    if (ast->file || ast->is_program) {
        (void)err_unsupported(binder->err, binder->arena, "COPY with a file or program on the server");
        err_hint(binder->err, binder->arena, "Use COPY ... FROM STDIN or TO STDOUT; psql's \\copy does.");
        return ST_ERROR;
    }
    if (ast->where) return err_unsupported(binder->err, binder->arena, "COPY FROM ... WHERE");
    TRY(copy_options(binder, &ast->options, u));
    if (!ast->table.name)
        TRY(copy_query(binder, ast, u));
    else if (ast->from)
        TRY(copy_table_from(binder, ast, u));
    else
        TRY(copy_table_to(binder, ast, u));
    copy_column_options(binder, &ast->options, u);
    return ST_OK;
}
