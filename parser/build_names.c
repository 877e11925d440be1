/* build_names.c - names, types, literals of options; and the faults that builders find. */
#include "parser/build.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- faults ---- */

void build_fail(Parser *p, SqlState state, int position, const char *format, ...)
{
    if (p->failed) return;
    p->failed = true;
    va_list args;
    va_start(args, format);
    const char *message = arena_vprintf(p->arena, format, args);
    va_end(args);
    (void)err_set(p->err, p->arena, state, "%s", message);
    if (position > 0) (void)err_at(p->err, position);
}

void build_refuse(Parser *p, int position, const char *what)
{
    build_fail(p, ERR_FEATURE_NOT_SUPPORTED, position, "%s is not supported", what);
}

void parser_syntax_error(Parser *p, const Token *token)
{
    if (!token->text || token->length == 0)
        build_fail(p, ERR_SYNTAX_ERROR, token->position, "syntax error at end of input");
    else
        build_fail(p, ERR_SYNTAX_ERROR, token->position, "syntax error at or near \"%.*s\"", token->length, token->text);
}

int build_depth(Parser *p, int depth)
{
    if (depth > AST_DEPTH_MAX) {
        build_fail(p, ERR_STATEMENT_TOO_COMPLEX, 0, "stack depth limit exceeded");
        return AST_DEPTH_MAX;
    }
    if (depth > p->deepest) p->deepest = depth;
    return depth;
}

void build_once(Parser *p, const Token *token, bool already)
{
    if (already) parser_syntax_error(p, token);
}

void *build_stmt(Parser *p, AstStmtKind kind, size_t size, const Token *first)
{
    assert(size >= sizeof(AstStmt));
    AstStmt *stmt = arena_alloc(p->arena, size);
    stmt->kind = kind;
    stmt->position = first->position;
    stmt->source.data = (const uint8_t *)first->text;
    build_finish(p, stmt);
    return stmt;
}

void build_finish(Parser *p, AstStmt *stmt)
{
    const char *start = (const char *)stmt->source.data;
    if (start && p->previous_end > start) stmt->source.size = (size_t)(p->previous_end - start);
}

/* ---- names ---- */

AstName build_name(Parser *p, const Token *first, const Token *second, const Token *third)
{
    (void)p;
    AstName name = {.position = first->position};
    if (third) {
        name.database = first->value;
        name.schema = second->value;
        name.name = third->value;
    } else if (second) {
        name.schema = first->value;
        name.name = second->value;
    } else {
        name.name = first->value;
    }
    return name;
}

/* A function's name: steps must be fields, at most two. */
AstName build_name_steps(Parser *p, const Token *first, const IndirectionVec *steps)
{
    const char *parts[3] = {first->value};
    int count = 1;
    for (int i = 0; i < steps->count; i++) {
        if (steps->items[i].kind != STEP_FIELD)
            build_fail(p, ERR_SYNTAX_ERROR, steps->items[i].position, "syntax error at or near \"%s\"",
                       steps->items[i].kind == STEP_STAR ? "*" : "[");
        else if (count == 3)
            build_fail(p, ERR_SYNTAX_ERROR, first->position, "improper qualified name (too many dotted names): %s", first->value);
        else
            parts[count++] = steps->items[i].name;
    }
    AstName name = {.position = first->position, .name = parts[count - 1]};
    if (count > 1) name.schema = parts[count - 2];
    if (count > 2) name.database = parts[0];
    return name;
}

AstIndexName build_index_name(Parser *p, const AstName *name, const Token *index)
{
    (void)p;
    AstIndexName result = {.position = name->position, .table = *name, .index = index ? index->value : name->name};
    if (!index) result.table.name = NULL;
    return result;
}

void build_dotted(Parser *p, Token *name, const Token *part)
{
    name->value = arena_printf(p->arena, "%s.%s", name->value, part->value);
}

AstExpr *build_column_ref(Parser *p, const Token *first, const StrVec *rest)
{
    AstColumn *column = NEW_EXPR(p, AstColumn, AST_COLUMN, first->position);
    VEC_PUSH(p->arena, column->names, first->value);
    for (int i = 0; rest && i < rest->count; i++) VEC_PUSH(p->arena, column->names, rest->items[i]);
    return &column->base;
}

/* ---- numbers ---- */

int64_t build_int64(Parser *p, const Token *token, bool negative)
{
    errno = 0;
    char *text = arena_printf(p->arena, "%s%s", negative ? "-" : "", token->value);
    long long value = strtoll(text, NULL, 10);
    if (errno == ERANGE) parser_syntax_error(p, token);
    return value;
}

int build_int(Parser *p, const Token *token)
{
    int64_t value = build_int64(p, token, false);
    if (value > INT32_MAX) {
        parser_syntax_error(p, token);
        return 0;
    }
    return (int)value;
}

/* ---- types ---- */

/* What people write, and PostgreSQL's name for it. */
static const struct {
    const char *alias, *name;
    bool plain_int;
} type_aliases[] = {
    {"int", "int4", true},         {"integer", "int4", true},    {"smallint", "int2", false},
    {"bigint", "int8", false},     {"int64", "int8", false},     {"real", "float4", false},
    {"double", "float8", false},   {"decimal", "numeric", false}, {"dec", "numeric", false},
    {"boolean", "bool", false},    {"string", "text", false},    {"bytes", "bytea", false},
    {"blob", "bytea", false},      {"serial", "serial4", true},  {"bigserial", "serial8", false},
    {"smallserial", "serial2", false},
};

static AstType *new_type(Parser *p, const Token *token, const char *name)
{
    AstType *type = ARENA_NEW(p->arena, AstType);
    type->position = token->position;
    type->name = name;
    return type;
}

/* Modifiers are whole numbers, as all built-in types have them. */
static void add_typmods(Parser *p, AstType *type, const AstExprVec *typmods)
{
    for (int i = 0; typmods && i < typmods->count; i++) {
        const AstExpr *item = typmods->items[i];
        const AstLiteral *literal = (const AstLiteral *)item;
        if (item->kind != AST_LITERAL || literal->literal != AST_LITERAL_INT) {
            build_fail(p, ERR_SYNTAX_ERROR, type->position, "type modifiers must be simple constants or identifiers");
            return;
        }
        errno = 0;
        long long value = strtoll(literal->text, NULL, 10);
        if (errno == ERANGE || value > INT32_MAX || value < INT32_MIN)
            build_fail(p, ERR_INVALID_PARAMETER_VALUE, item->position, "value \"%s\" is out of range for type integer", literal->text);
        VEC_PUSH(p->arena, type->typmods, (int)value);
    }
}

static void resolve_alias(AstType *type, bool quoted)
{
    if (type->schema || quoted) return;
    for (size_t i = 0; i < sizeof type_aliases / sizeof type_aliases[0]; i++) {
        if (strcmp(type->name, type_aliases[i].alias) != 0) continue;
        /* STRING(20) is CockroachDB's VARCHAR(20). */
        bool sized_string = strcmp(type->name, "string") == 0 && type->typmods.count > 0;
        type->name = sized_string ? "varchar" : type_aliases[i].name;
        type->plain_int = type_aliases[i].plain_int;
        return;
    }
}

AstType *build_type(Parser *p, const Token *name, const StrVec *rest, const AstExprVec *typmods)
{
    AstType *type = new_type(p, name, name->value);
    if (rest && rest->count > 2) {
        build_fail(p, ERR_SYNTAX_ERROR, name->position, "improper qualified name (too many dotted names): %s", name->value);
    } else if (rest) {
        type->schema = rest->count == 2 ? rest->items[0] : name->value;
        type->name = VEC_LAST(*rest);
    }
    add_typmods(p, type, typmods);
    resolve_alias(type, name->text[0] == '"' || name->text[0] == 'U');
    return type;
}

/* The type of `name '...'` and `name (args) '...'`. */
AstType *build_type_of_name(Parser *p, const AstName *name, const CallArgVec *args)
{
    AstType *type = ARENA_NEW(p->arena, AstType);
    AstExprVec typmods = {0};
    type->position = name->position;
    type->schema = name->schema;
    type->name = name->name;
    for (int i = 0; args && i < args->count; i++) {
        if (args->items[i].name)
            build_fail(p, ERR_SYNTAX_ERROR, args->items[i].expr->position, "type modifier cannot have parameter name");
        VEC_PUSH(p->arena, typmods, args->items[i].expr);
    }
    add_typmods(p, type, &typmods);
    resolve_alias(type, false);
    return type;
}

AstType *build_array_type(Parser *p, AstType *type, int dims, bool setof)
{
    (void)p;
    type->array_dims = dims;
    type->setof = setof;
    return type;
}

AstType *build_float_type(Parser *p, const Token *name, const Token *precision)
{
    int bits = precision ? build_int(p, precision) : 53;
    if (precision && bits < 1)
        build_fail(p, ERR_INVALID_PARAMETER_VALUE, precision->position, "precision for type float must be at least 1 bit");
    if (precision && bits > 53)
        build_fail(p, ERR_INVALID_PARAMETER_VALUE, precision->position, "precision for type float must be less than 54 bits");
    return new_type(p, name, bits <= 24 ? "float4" : "float8");
}

AstType *build_bit_type(Parser *p, const Token *name, bool varying, const AstExprVec *typmods)
{
    AstType *type = new_type(p, name, varying ? "varbit" : "bit");
    add_typmods(p, type, typmods);
    if (!varying && type->typmods.count == 0) VEC_PUSH(p->arena, type->typmods, 1);
    return type;
}

void build_character(Token *name, bool varying)
{
    name->value = varying ? "varchar" : "bpchar";
}

AstType *build_character_type(Parser *p, const Token *name, const Token *length)
{
    AstType *type = new_type(p, name, name->value);
    if (length)
        VEC_PUSH(p->arena, type->typmods, build_int(p, length));
    else if (strcmp(name->value, "bpchar") == 0)
        VEC_PUSH(p->arena, type->typmods, 1);
    return type;
}

AstType *build_time_type(Parser *p, const Token *name, const Token *precision, bool time_zone)
{
    bool is_time = strcmp(name->value, "time") == 0;
    AstType *type = new_type(p, name, is_time ? (time_zone ? "timetz" : "time") : (time_zone ? "timestamptz" : "timestamp"));
    if (precision) VEC_PUSH(p->arena, type->typmods, build_int(p, precision));
    return type;
}

AstType *build_interval_type(Parser *p, AstType *type, const IntervalFields *fields, const Token *precision)
{
    if (fields) {
        type->interval_fields = fields->fields;
        if (fields->precision >= 0) VEC_PUSH(p->arena, type->typmods, fields->precision);
    }
    if (precision) VEC_PUSH(p->arena, type->typmods, build_int(p, precision));
    return type;
}

/* ---- options ---- */

AstOption build_option(Parser *p, const Token *name, AstExpr *value)
{
    char *word = arena_strdup(p->arena, name->value);
    for (char *c = word; *c; c++) *c = *c >= 'A' && *c <= 'Z' ? (char)(*c + 'a' - 'A') : *c;
    return (AstOption){.position = name->position, .name = word, .value = value};
}

AstOption build_option_qualified(Parser *p, const Token *schema, const Token *name, AstExpr *value)
{
    Token dotted = *schema;
    build_dotted(p, &dotted, name);
    return build_option(p, &dotted, value);
}

AstOption build_option_word(Parser *p, const Token *at, const char *word, AstExpr *value)
{
    (void)p;
    return (AstOption){.position = at->position, .name = word, .value = value};
}

AstExpr *build_string(Parser *p, const Token *at, const char *text)
{
    AstLiteral *literal = NEW_EXPR(p, AstLiteral, AST_LITERAL, at->position);
    literal->literal = AST_LITERAL_STRING;
    literal->text = text;
    return &literal->base;
}

AstOption build_option_bool(Parser *p, const Token *at, const char *word, bool value)
{
    AstExpr *expr = build_string(p, at, value ? "true" : "false");
    ((AstLiteral *)expr)->literal = AST_LITERAL_BOOL;
    return build_option_word(p, at, word, expr);
}

AstOption build_option_names(Parser *p, const Token *at, const char *word, const StrVec *names)
{
    AstExprVec items = {0};
    for (int i = 0; i < names->count; i++) VEC_PUSH(p->arena, items, build_string(p, at, names->items[i]));
    return build_option_word(p, at, word, build_row(p, at, &items, true));
}

AstOption build_option_type(Parser *p, const Token *at, AstType *type)
{
    AstLiteral *literal = NEW_EXPR(p, AstLiteral, AST_LITERAL, at->position);
    literal->literal = AST_LITERAL_TYPED;
    literal->text = "";
    literal->type = type;
    return build_option_word(p, at, "as", &literal->base);
}

const AstOption *ast_option(const AstOptionVec *options, const char *name)
{
    for (int i = options->count - 1; i >= 0; i--)
        if (strcmp(options->items[i].name, name) == 0) return &options->items[i];
    return NULL;
}
