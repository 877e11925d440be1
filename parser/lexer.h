/* lexer.h - from bytes to tokens, by PostgreSQL's lexical rules.
 *
 * The lexer keeps a few tokens in advance, so that decisions that need two or more tokens are made here and the grammar
 * stays LALR(1). A token's value is in the arena (or is static); its text is a part of the source.
 */
#ifndef PARSER_LEXER_H
#define PARSER_LEXER_H

#include "storage/base/err.h"

/* What carries no code of the grammar: 0 ends the input, and a fault of the text. */
enum { TOKEN_END = 0, TOKEN_FAULT = -1, TOKEN_SEMICOLON = -2 };

typedef struct Token {
    int code;          /* TK_... of grammar.h, or one of the above */
    int position;      /* in characters, from 1 */
    const char *text;  /* where it starts in the source */
    int length;        /* bytes of source */
    const char *value; /* folded word, unquoted name, string's value, operator, digits; FAULT: what is wrong */
    int depth;         /* of parentheses and brackets before it */
} Token;

enum { LEXER_WINDOW = 8 };

typedef struct Lexer {
    Arena *arena;
    const char *at;       /* the next byte to look at */
    const char *counted;  /* up to here characters are counted ... */
    int position;         /* ... and this is the position of that byte */
    Token window[LEXER_WINDOW];
    int first, count;     /* of the window */
    int depth;
    bool table_elements;  /* inside CREATE TABLE name (...): set when seen */
    int last_code, words; /* code of the token handed out last; tokens handed out so far */
    bool creates;         /* the statement starts with CREATE */
    SqlState fault_state; /* of a TOKEN_FAULT */
} Lexer;

/* Starts at `text`; positions count from origin. */
void lexer_start(Lexer *lexer, const char *origin, const char *text, Arena *arena);
Token lexer_next(Lexer *lexer);
/* Looks ahead without taking: 0 is the token that lexer_next returns next. offset < LEXER_WINDOW - 1. */
const Token *lexer_peek(Lexer *lexer, int offset);

#endif
