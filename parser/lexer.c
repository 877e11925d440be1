/* lexer.c - tokens, their positions, and the decisions that need more than one token of look-ahead.
 *
 * Literals (strings, quoted names, dollar quotes, numbers) are in lexer_literal.c.
 */
#include "parser/lexer.h"

#include <assert.h>

#include "parser/grammar.h"
#include "parser/keywords.h"
#include "parser/lexer_internal.h"
#include "storage/base/utf8.h"

enum { IDENTIFIER_BYTES_MAX = 63 };

void lexer_start(Lexer *lexer, const char *origin, const char *text, Arena *arena)
{
    assert(text >= origin);
    *lexer = (Lexer){.arena = arena, .at = text, .counted = text};
    lexer->position = 1 + (int)utf8_count(slice_of(origin, (size_t)(text - origin)));
    lexer->fault_state = ERR_SYNTAX_ERROR;
}

/* Characters are counted as the lexer moves on, so that a position costs nothing when it is asked for. */
static int position_at(Lexer *lexer, const char *at)
{
    for (; lexer->counted < at; lexer->counted++) lexer->position += ((uint8_t)*lexer->counted & 0xC0) != 0x80;
    return lexer->position;
}

Token lexer_fault(Lexer *lexer, const char *start, const char *what)
{
    (void)lexer;
    return (Token){.code = TOKEN_FAULT, .text = start, .length = (int)strlen(start), .value = what};
}

/* Skips blanks and comments. False with *fault set where a comment does not end. */
static bool skip_blanks(Lexer *lexer, Token *fault)
{
    const char *s = lexer->at;
    for (;;) {
        while (lexer_is_space(*s)) s++;
        if (s[0] == '-' && s[1] == '-') {
            while (*s && *s != '\n' && *s != '\r') s++;
        } else if (s[0] == '/' && s[1] == '*') {
            const char *end = lexer_comment_end(s);
            if (!end) {
                *fault = lexer_fault(lexer, s, "unterminated /* comment");
                return false;
            }
            s = end;
        } else {
            lexer->at = s;
            return true;
        }
    }
}

const char *lexer_comment_end(const char *s)
{
    int depth = 0;
    while (*s) {
        if (s[0] == '/' && s[1] == '*') {
            depth++;
            s += 2;
        } else if (s[0] == '*' && s[1] == '/') {
            s += 2;
            if (--depth == 0) return s;
        } else {
            s++;
        }
    }
    return NULL;
}

const char *lexer_cut_identifier(Arena *arena, const char *text, size_t length)
{
    if (length > IDENTIFIER_BYTES_MAX) {
        length = IDENTIFIER_BYTES_MAX;
        while (length > 0 && ((uint8_t)text[length] & 0xC0) == 0x80) length--;
    }
    return arena_strndup(arena, text, length);
}

/* A word: a keyword or a name. Only ASCII letters are folded, as PostgreSQL does with UTF-8. */
static Token scan_word(Lexer *lexer)
{
    const char *s = lexer->at;
    size_t length = 0;
    char folded[IDENTIFIER_BYTES_MAX + 1];
    while (lexer_is_word(s[length])) {
        if (length < sizeof folded) folded[length] = lexer_fold(s[length]);
        length++;
    }
    const Keyword *keyword = length <= IDENTIFIER_BYTES_MAX ? keyword_find(folded, length) : NULL;
    Token token = {.code = keyword ? keyword->token : TK_ID, .text = s, .length = (int)length};
    if (keyword)
        token.value = keyword->word;
    else if (length <= IDENTIFIER_BYTES_MAX)
        token.value = arena_strndup(lexer->arena, folded, length);
    else {
        char *copy = arena_strndup(lexer->arena, s, IDENTIFIER_BYTES_MAX + 4);
        for (char *c = copy; *c; c++) *c = lexer_fold(*c);
        token.value = lexer_cut_identifier(lexer->arena, copy, strlen(copy));
    }
    return token;
}

static bool is_operator(char c)
{
    return c != '\0' && strchr("~!@#^&|`?+-*/%<>=", c) != NULL;
}

/* Bytes of the operator at s: a comment ends it, and + or - at its end belong to it only if it has one of ~!@#%^&|`?
 * somewhere, so that `a=-1` is what it looks like. */
static size_t operator_length(const char *s)
{
    size_t n = 0;
    while (is_operator(s[n]) && !(s[n] == '/' && s[n + 1] == '*') && !(s[n] == '-' && s[n + 1] == '-')) n++;
    if (n > 1 && (s[n - 1] == '+' || s[n - 1] == '-')) {
        for (size_t i = 0; i + 1 < n; i++)
            if (strchr("~!@#^&|`?%", s[i])) return n;
        while (n > 1 && (s[n - 1] == '+' || s[n - 1] == '-')) n--;
    }
    return n;
}

static const struct {
    const char *text;
    int code;
} symbols[] = {
    {"+", TK_PLUS}, {"-", TK_MINUS}, {"*", TK_STAR}, {"/", TK_SLASH}, {"%", TK_PERCENT}, {"^", TK_CARET},
    {"<", TK_LT}, {">", TK_GT}, {"=", TK_EQ}, {"<=", TK_LE}, {">=", TK_GE}, {"<>", TK_NE}, {"!=", TK_NE},
    {"=>", TK_ARROW}, {"@", TK_AT_SIGN},
};

static Token scan_operator(Lexer *lexer)
{
    const char *s = lexer->at;
    size_t length = operator_length(s);
    Token token = {.code = TK_OP, .text = s, .length = (int)length};
    if (length >= IDENTIFIER_BYTES_MAX + 1) return lexer_fault(lexer, s, "operator too long");
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        if (strncmp(symbols[i].text, s, length) != 0 || symbols[i].text[length] != '\0') continue;
        token.code = symbols[i].code;
        token.value = token.code == TK_NE ? "<>" : symbols[i].text;
        return token;
    }
    token.value = arena_strndup(lexer->arena, s, length);
    return token;
}

static Token scan_punctuation(Lexer *lexer)
{
    const char *s = lexer->at;
    Token token = {.text = s, .length = 1, .code = TK_ILLEGAL};
    switch (*s) {
    case '(': token.code = TK_LP; break;
    case ')': token.code = TK_RP; break;
    case '[': token.code = TK_LBRACKET; break;
    case ']': token.code = TK_RBRACKET; break;
    case '{': token.code = TK_LBRACE; break;
    case '}': token.code = TK_RBRACE; break;
    case ',': token.code = TK_COMMA; break;
    case ';': token.code = TOKEN_SEMICOLON; break;
    case '.':
        token.code = s[1] == '.' ? TK_DOT_DOT : TK_DOT;
        token.length = s[1] == '.' ? 2 : 1;
        break;
    case ':':
        /* Three colons are CockroachDB's type annotation. */
        token.length = s[1] == ':' ? (s[2] == ':' ? 3 : 2) : s[1] == '=' ? 2 : 1;
        token.code = s[1] == ':' ? (s[2] == ':' ? TK_ANNOTATE : TK_TYPECAST) : s[1] == '=' ? TK_COLON_EQ : TK_COLON;
        break;
    default:
        token.length = utf8_length((uint8_t)*s);
        break;
    }
    token.value = ""; /* nobody asks for a punctuation mark's text */
    return token;
}

static Token scan_token(Lexer *lexer)
{
    Token token;
    if (!skip_blanks(lexer, &token)) return token;
    const char *s = lexer->at;
    if (*s == '\0') return (Token){.code = TOKEN_END, .text = s};
    if (lexer_literal(lexer, &token)) return token;
    if (lexer_is_word_start(*s)) return scan_word(lexer);
    if (is_operator(*s)) return scan_operator(lexer);
    return scan_punctuation(lexer);
}

static Token *window_at(Lexer *lexer, int offset)
{
    return &lexer->window[(lexer->first + offset) % LEXER_WINDOW];
}

/* Scans until the window holds offset + 1 tokens. What follows the end or a fault is the same again. */
static Token *fill(Lexer *lexer, int offset)
{
    assert(offset < LEXER_WINDOW);
    while (lexer->count <= offset) {
        Token token = scan_token(lexer);
        token.position = position_at(lexer, token.text);
        if (token.code == TK_RP || token.code == TK_RBRACKET) lexer->depth--;
        token.depth = lexer->depth;
        if (token.code == TK_LP || token.code == TK_LBRACKET) lexer->depth++;
        /* The semicolon ends a statement; nothing behind it is looked at, for a fault there is not this one's. */
        if (token.code != TOKEN_END && token.code != TOKEN_FAULT && token.code != TOKEN_SEMICOLON)
            lexer->at = token.text + token.length;
        *window_at(lexer, lexer->count++) = token;
    }
    return window_at(lexer, offset);
}

const Token *lexer_peek(Lexer *lexer, int offset)
{
    return fill(lexer, offset);
}

static int code_at(Lexer *lexer, int offset)
{
    return fill(lexer, offset)->code;
}

/* INDEX, FAMILY and INVERTED are no reserved words: as the first word of a table's element, `index (a)`, `index i (a)`
 * and `index if not exists` start a clause, but `index int` and `index varchar(20)` are columns. */
static bool starts_element_clause(Lexer *lexer)
{
    int next = code_at(lexer, 1);
    if (next == TK_LP || next == TK_INDEX || next == TK_IF) return true;
    return code_at(lexer, 2) == TK_LP && code_at(lexer, 3) != TK_INTEGER_LITERAL;
}

/* Decisions on a word that depend on what follows it. */
static int decide(Lexer *lexer, const Token *token)
{
    int next;
    switch (token->code) {
    case TK_NOT: /* a NOT IN (...) binds tighter than NOT a */
        next = code_at(lexer, 1);
        return next == TK_BETWEEN || next == TK_IN || next == TK_LIKE || next == TK_ILIKE || next == TK_SIMILAR
                   ? TK_NOT_LA
                   : TK_NOT;
    case TK_NULLS: /* ORDER BY a NULLS FIRST, where nulls could be the name of an operand */
        next = code_at(lexer, 1);
        return next == TK_FIRST || next == TK_LAST ? TK_NULLS_LA : TK_NULLS;
    case TK_WITH: /* time WITH TIME ZONE, f() WITH ORDINALITY, USING HASH WITH BUCKET_COUNT = 8 */
        next = code_at(lexer, 1);
        if (next == TK_BUCKET_COUNT) return code_at(lexer, 2) == TK_EQ ? TK_WITH_LA : TK_WITH;
        return next == TK_TIME || next == TK_ORDINALITY ? TK_WITH_LA : TK_WITH;
    case TK_ON: /* a column's ON UPDATE expr, which is not the ON UPDATE CASCADE of a foreign key */
        if (code_at(lexer, 1) != TK_UPDATE) return TK_ON;
        next = code_at(lexer, 2);
        return next == TK_NO || next == TK_RESTRICT || next == TK_CASCADE || next == TK_SET ? TK_ON : TK_ON_LA;
    case TK_AT: /* an alias, unless AT TIME ZONE; SPLIT AT, VALUES AT have other tokens before them */
        return code_at(lexer, 1) == TK_TIME ? TK_AT_LA : TK_AT;
    case TK_AS: /* FROM t AS OF SYSTEM TIME x; `of` is a name otherwise */
        return code_at(lexer, 1) == TK_OF && code_at(lexer, 2) == TK_SYSTEM && code_at(lexer, 3) == TK_TIME
                   ? TK_AS_LA
                   : TK_AS;
    case TK_DOUBLE: /* a name, unless DOUBLE PRECISION */
        return code_at(lexer, 1) == TK_PRECISION ? TK_DOUBLE : TK_ID;
    case TK_ROWS: /* a table's name, unless FROM ROWS FROM (...) */
        next = lexer->last_code;
        if (next != TK_FROM && next != TK_JOIN && next != TK_COMMA) return TK_ROWS;
        return code_at(lexer, 1) == TK_FROM && code_at(lexer, 2) == TK_LP ? TK_ROWS : TK_ID;
    case TK_OPERATOR: /* names, unless OPERATOR(s.+), GROUP BY CUBE (...); CREATE OPERATOR + is refused anyway */
        if (lexer->last_code == TK_CREATE || lexer->last_code == TK_DROP || lexer->last_code == TK_ALTER) return TK_OPERATOR;
        return code_at(lexer, 1) == TK_LP ? TK_OPERATOR : TK_ID;
    case TK_CUBE:
    case TK_ROLLUP:
        return code_at(lexer, 1) == TK_LP ? token->code : TK_ID;
    case TK_INDEX:
    case TK_FAMILY:
    case TK_INVERTED:
    case TK_VECTOR:
        next = lexer->last_code;
        if (next != TK_ADD && (!lexer->table_elements || token->depth != 1)) return token->code;
        if (next != TK_ADD && next != TK_LP && next != TK_COMMA) return token->code;
        return starts_element_clause(lexer) ? token->code : TK_ID;
    default:
        return token->code;
    }
}

Token lexer_next(Lexer *lexer)
{
    Token token = *fill(lexer, 0);
    token.code = decide(lexer, &token);
    lexer->first = (lexer->first + 1) % LEXER_WINDOW;
    lexer->count--;
    if (lexer->words == 0) lexer->creates = token.code == TK_CREATE;
    if (lexer->words < 4 && lexer->creates && token.code == TK_TABLE) lexer->table_elements = true;
    lexer->words++;
    lexer->last_code = token.code;
    return token;
}
