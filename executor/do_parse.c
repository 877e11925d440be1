/* do_parse.c - the text of a DO block, taken apart. */
#include <ctype.h>
#include <strings.h>

#include "executor/do_block.h"

enum { DEPTH_MAX = 100 };

typedef struct DoParser {
    const char *at;
    Arena *arena;
    Error *err;
    int depth;
} DoParser;

static Status malformed(DoParser *p)
{
    size_t size = strcspn(p->at, " \t\r\n;");
    if (!*p->at) return err_set(p->err, p->arena, ERR_SYNTAX_ERROR, "syntax error at end of input");
    return err_set(p->err, p->arena, ERR_SYNTAX_ERROR, "syntax error at or near \"%.*s\"", (int)(size ? size : 1), p->at);
}

/* ---- words ---- */

static void skip_blanks(DoParser *p)
{
    for (;;) {
        while (isspace((unsigned char)*p->at)) p->at++;
        if (p->at[0] == '-' && p->at[1] == '-') {
            p->at += strcspn(p->at, "\n");
        } else if (p->at[0] == '/' && p->at[1] == '*') {
            const char *end = strstr(p->at + 2, "*/");
            p->at = end ? end + 2 : p->at + strlen(p->at);
        } else {
            return;
        }
    }
}

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool at_word(const char *at, const char *word)
{
    size_t size = strlen(word);
    return strncasecmp(at, word, size) == 0 && !is_word_char(at[size]);
}

static bool take_word(DoParser *p, const char *word)
{
    skip_blanks(p);
    if (!at_word(p->at, word)) return false;
    p->at += strlen(word);
    skip_blanks(p);
    return true;
}

static Status take_semicolon(DoParser *p)
{
    skip_blanks(p);
    if (*p->at != ';') return malformed(p);
    p->at++;
    return ST_OK;
}

/* Behind a literal, a quoted name, a dollar-quoted text, a comment or one character; `start` is where the text begins. */
static const char *behind_token(const char *start, const char *at)
{
    if (*at == '\'' || *at == '"') {
        char quote = *at;
        bool escapes = quote == '\'' && at > start && (at[-1] == 'e' || at[-1] == 'E');
        for (at++; *at; at++) {
            if (escapes && *at == '\\' && at[1]) at++;
            else if (*at == quote && at[1] == quote) at++;
            else if (*at == quote) return at + 1;
        }
        return at;
    }
    if (*at == '$') {
        size_t tag = 1 + strcspn(at + 1, "$ \t\r\n;");
        if (at[tag] != '$' || isdigit((unsigned char)at[1])) return at + 1;
        for (const char *end = at + tag + 1; *end; end++)
            if (strncmp(end, at, tag + 1) == 0) return end + tag + 1;
        return at + strlen(at);
    }
    if (at[0] == '-' && at[1] == '-') return at + strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    return at + 1;
}

/* The text up to a semicolon, or up to `word` outside parentheses and CASE ... END; it stays to be read. */
static Status take_text(DoParser *p, const char *word, const char **text)
{
    skip_blanks(p);
    const char *start = p->at, *at = start;
    int parentheses = 0, cases = 0;
    while (*at && !(*at == ';' && parentheses == 0)) {
        bool starts = at == start || !is_word_char(at[-1]);
        if (word && starts && parentheses == 0 && cases == 0 && at_word(at, word)) break;
        if (starts && at_word(at, "case")) cases++;
        if (starts && cases && at_word(at, "end")) cases--;
        parentheses += (*at == '(') - (*at == ')');
        at = behind_token(start, at);
    }
    p->at = at;
    if (!*at || (word && *at == ';') || at == start) return malformed(p);
    while (at > start && isspace((unsigned char)at[-1])) at--;
    *text = arena_strndup(p->arena, start, (size_t)(at - start));
    return ST_OK;
}

/* ---- statements ---- */

static Status parse_statements(DoParser *p, DoStmtVec *body);
static Status parse_block(DoParser *p, DoBlock **block);

static Status parse_if(DoParser *p, DoStmt *stmt)
{
    bool has_else = false;
    do {
        DoBranch branch = {0};
        if (!has_else) TRY(take_text(p, "then", &branch.condition));
        if (!has_else) take_word(p, "then");
        TRY(parse_statements(p, &branch.body));
        VEC_PUSH(p->arena, stmt->branches, branch);
        if (has_else) break;
        if (take_word(p, "elsif") || take_word(p, "elseif")) continue;
        has_else = take_word(p, "else");
        if (!has_else) break;
    } while (true);
    if (!take_word(p, "end") || !take_word(p, "if")) return malformed(p);
    return take_semicolon(p);
}

static Status parse_raise(DoParser *p, DoStmt *stmt)
{
    static const char *const levels[] = {"notice", "warning", "info", "log", "debug", "exception"};
    static const char *const shown[] = {"NOTICE", "WARNING", "INFO", "LOG", "DEBUG", "EXCEPTION"};
    stmt->level = "EXCEPTION";
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (take_word(p, levels[i])) stmt->level = shown[i];
    if (*p->at != '\'') return err_unsupported(p->err, p->arena, "RAISE without a message");
    TRY(take_text(p, NULL, &stmt->text));
    if (*behind_token(stmt->text, stmt->text) || strchr(stmt->text, '%')) return err_unsupported(p->err, p->arena, "RAISE with placeholders, arguments or options");
    return take_semicolon(p);
}

/* What begins a statement of PL/pgSQL that is not here; NULL: it is SQL. */
static const char *unsupported_word(const char *at)
{
    static const char *const words[] = {"for",  "foreach", "while", "loop",  "return", "exit", "continue", "case",
                                        "open", "get",     "assert", "declare", "call", "fetch", "close", "move"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (at_word(at, words[i])) return words[i];
    size_t name = 0;
    while (is_word_char(at[name]) || at[name] == '.') name++;
    while (isspace((unsigned char)at[name])) name++;
    if (name && at[name] == ':' && at[name + 1] == '=') return "assignment";
    return at[0] == '<' && at[1] == '<' ? "a label" : NULL;
}

static Status parse_simple(DoParser *p, DoStmt *stmt)
{
    const char *word = unsupported_word(p->at);
    if (word) return err_unsupported(p->err, p->arena, arena_printf(p->arena, "%s in a DO block", word));
    if (take_word(p, "null")) return take_semicolon(p);
    stmt->kind = take_word(p, "perform") ? DO_PERFORM : take_word(p, "execute") ? DO_EXECUTE : DO_SQL;
    TRY(take_text(p, NULL, &stmt->text));
    return take_semicolon(p);
}

static Status parse_statement(DoParser *p, DoStmt **out)
{
    DoStmt *stmt = *out = ARENA_NEW(p->arena, DoStmt);
    if (take_word(p, "if")) {
        stmt->kind = DO_IF;
        return parse_if(p, stmt);
    }
    if (take_word(p, "raise")) {
        stmt->kind = DO_RAISE;
        return parse_raise(p, stmt);
    }
    if (at_word(p->at, "begin")) {
        stmt->kind = DO_BLOCK;
        TRY(parse_block(p, &stmt->block));
        return take_semicolon(p);
    }
    return parse_simple(p, stmt);
}

static bool at_end_of_statements(DoParser *p)
{
    static const char *const words[] = {"end", "exception", "else", "elsif", "elseif", "when"};
    skip_blanks(p);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (at_word(p->at, words[i])) return true;
    return *p->at == '\0';
}

static Status parse_statements(DoParser *p, DoStmtVec *body)
{
    if (++p->depth > DEPTH_MAX) return err_set(p->err, p->arena, ERR_STATEMENT_TOO_COMPLEX, "stack depth limit exceeded");
    while (!at_end_of_statements(p)) {
        DoStmt *stmt;
        TRY(parse_statement(p, &stmt));
        VEC_PUSH(p->arena, *body, stmt);
    }
    p->depth--;
    return ST_OK;
}

/* ---- blocks ---- */

static Status parse_condition(DoParser *p, DoHandler *handler)
{
    bool code = take_word(p, "sqlstate");
    if (code && *p->at != '\'') return malformed(p);
    const char *start = p->at;
    if (code) p->at = behind_token(p->at, p->at);
    else
        while (is_word_char(*p->at)) p->at++;
    if (p->at == start) return malformed(p);
    char *name = arena_strndup(p->arena, start, (size_t)(p->at - start));
    for (char *c = name; *c && !code; c++) *c = (char)tolower((unsigned char)*c);
    VEC_PUSH(p->arena, handler->conditions, name);
    return ST_OK;
}

static Status parse_handlers(DoParser *p, DoBlock *block)
{
    while (take_word(p, "when")) {
        DoHandler handler = {0};
        do TRY(parse_condition(p, &handler));
        while (take_word(p, "or"));
        if (!take_word(p, "then")) return malformed(p);
        TRY(parse_statements(p, &handler.body));
        VEC_PUSH(p->arena, block->handlers, handler);
    }
    return block->handlers.count ? ST_OK : malformed(p);
}

static Status parse_block(DoParser *p, DoBlock **out)
{
    DoBlock *block = *out = ARENA_NEW(p->arena, DoBlock);
    skip_blanks(p);
    if (at_word(p->at, "declare") || at_word(p->at, "<<"))
        return err_unsupported(p->err, p->arena, "DECLARE in a DO block");
    if (!take_word(p, "begin")) return malformed(p);
    TRY(parse_statements(p, &block->body));
    if (take_word(p, "exception")) TRY(parse_handlers(p, block));
    return take_word(p, "end") ? ST_OK : malformed(p);
}

Status do_block_parse(const char *body, Arena *arena, DoBlock **block, Error *err)
{
    DoParser parser = {.at = body, .arena = arena, .err = err};
    TRY(parse_block(&parser, block));
    if (*parser.at == ';') parser.at++;
    skip_blanks(&parser);
    return *parser.at ? malformed(&parser) : ST_OK;
}
