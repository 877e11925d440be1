/* lexer_internal.h - what lexer.c and lexer_literal.c share: classes of characters, and the scanner of literals. */
#ifndef PARSER_LEXER_INTERNAL_H
#define PARSER_LEXER_INTERNAL_H

#include "parser/lexer.h"

static inline bool lexer_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool lexer_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool lexer_is_word_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (uint8_t)c >= 0x80;
}

static inline bool lexer_is_word(char c)
{
    return lexer_is_word_start(c) || lexer_is_digit(c) || c == '$';
}

static inline char lexer_fold(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

/* A TOKEN_FAULT: `what` at or near the text from start to the end of the input. */
Token lexer_fault(Lexer *lexer, const char *start, const char *what);
/* Behind the (nested) comment that starts at s; NULL if it does not end. */
const char *lexer_comment_end(const char *s);
/* A name cut to 63 bytes, whole characters. */
const char *lexer_cut_identifier(Arena *arena, const char *text, size_t length);
/* If a string, a quoted name, a dollar quote, a number or a parameter stands at lexer->at: its token. */
bool lexer_literal(Lexer *lexer, Token *token);

#endif
