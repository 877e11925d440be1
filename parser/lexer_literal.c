/* lexer_literal.c - strings in all their quotings, quoted names, numbers, parameters. */
#include "parser/lexer_internal.h"

#include <stdio.h>
#include <strings.h>

#include "parser/grammar.h"
#include "storage/base/buf.h"
#include "storage/base/utf8.h"

/* A string being read. */
typedef struct Literal {
    Lexer *lexer;
    const char *start; /* of the token */
    const char *at;
    Buf text;
    Token *token;
    uint32_t high_surrogate; /* of \uD8xx, until its other half comes; 0: none */
    bool escaped_bytes;      /* \x or \ooo: the result must be checked for valid UTF-8 */
} Literal;

static bool fail(Literal *literal, const char *at, const char *what)
{
    buf_finish(&literal->text);
    *literal->token = lexer_fault(literal->lexer, at, what);
    return false;
}

/* As PostgreSQL reports faults inside a string: at or near just that part. */
static bool fail_part(Literal *literal, const char *at, int length, const char *what)
{
    fail(literal, at, what);
    literal->token->length = length;
    return false;
}

static Token finish(Literal *literal, int code)
{
    Token token = {.code = code, .text = literal->start, .length = (int)(literal->at - literal->start)};
    token.value = buf_to_str(&literal->text, literal->lexer->arena);
    buf_finish(&literal->text);
    return token;
}

/* 'a' and 'b' with a line break between them are one string. Moves behind the blanks if a quote follows. */
static bool continues(Literal *literal)
{
    const char *s = literal->at;
    bool line_break = false;
    for (;; s++) {
        if (s[0] == '-' && s[1] == '-') {
            while (*s && *s != '\n' && *s != '\r') s++;
        }
        if (!lexer_is_space(*s)) break;
        line_break |= *s == '\n' || *s == '\r';
    }
    if (!line_break || *s != '\'') return false;
    literal->at = s + 1;
    return true;
}

/* '...' with '' for a quote; at stands behind the first quote. Continuation lines are joined. */
static bool read_plain(Literal *literal)
{
    do {
        for (;;) {
            const char *quote = strchr(literal->at, '\'');
            if (!quote) return fail(literal, literal->start, "unterminated quoted string");
            buf_put(&literal->text, literal->at, (size_t)(quote - literal->at));
            literal->at = quote + 1;
            if (*literal->at != '\'') break;
            buf_put_u8(&literal->text, '\'');
            literal->at++;
        }
    } while (continues(literal));
    return true;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* digits hexadecimal digits at s; -1 if there are fewer. */
static int64_t hex_number(const char *s, int digits)
{
    int64_t value = 0;
    for (int i = 0; i < digits; i++) {
        int digit = hex_digit(s[i]);
        if (digit < 0) return -1;
        value = value * 16 + digit;
    }
    return value;
}

/* Adds a code point; halves of surrogate pairs are put together. at and length: the escape, for the error. */
static bool add_code_point(Literal *literal, int64_t code, const char *at, int length)
{
    bool is_high = code >= 0xD800 && code <= 0xDBFF, is_low = code >= 0xDC00 && code <= 0xDFFF;
    if (literal->high_surrogate) {
        if (!is_low) return fail_part(literal, at, length, "invalid Unicode surrogate pair");
        code = 0x10000 + (((int64_t)literal->high_surrogate & 0x3FF) << 10) + (code & 0x3FF);
        literal->high_surrogate = 0;
    } else if (is_high) {
        literal->high_surrogate = (uint32_t)code;
        return true;
    } else if (is_low) {
        return fail_part(literal, at, length, "invalid Unicode surrogate pair");
    }
    if (code == 0 || code > 0x10FFFF) return fail_part(literal, at, length, "invalid Unicode escape value");
    uint8_t bytes[4];
    buf_put(&literal->text, bytes, (size_t)utf8_encode((int32_t)code, bytes));
    return true;
}

/* The escape sequence behind the backslash at literal->at. */
static bool read_escape(Literal *literal)
{
    static const char letters[] = "bfnrt", values[] = "\b\f\n\r\t";
    const char *s = literal->at, c = s[1];
    if (c == '\0') return fail(literal, literal->start, "unterminated quoted string");
    const char *letter = strchr(letters, c);
    if (c == 'u' || c == 'U') {
        int digits = c == 'u' ? 4 : 8;
        int64_t code = hex_number(s + 2, digits);
        if (code < 0) {
            int length = 2;
            while (length < digits + 2 && hex_digit(s[length]) >= 0) length++;
            return fail_part(literal, s, length, "invalid Unicode escape");
        }
        literal->at += digits + 2;
        return add_code_point(literal, code, s, digits + 2);
    }
    if (literal->high_surrogate) return fail_part(literal, s, 1, "invalid Unicode surrogate pair");
    literal->at += 2;
    if (letter) {
        buf_put_u8(&literal->text, (uint8_t)values[letter - letters]);
    } else if (c == 'x' && hex_digit(s[2]) >= 0) {
        int digits = hex_digit(s[3]) >= 0 ? 2 : 1;
        buf_put_u8(&literal->text, (uint8_t)hex_number(s + 2, digits));
        literal->at += digits;
        literal->escaped_bytes = true;
    } else if (c >= '0' && c <= '7') {
        int value = c - '0';
        for (int i = 0; i < 2 && *literal->at >= '0' && *literal->at <= '7'; i++) value = value * 8 + (*literal->at++ - '0');
        buf_put_u8(&literal->text, (uint8_t)value);
        literal->escaped_bytes = true;
    } else {
        buf_put_u8(&literal->text, (uint8_t)c);
    }
    return true;
}

/* E'...'. */
static bool read_escaped(Literal *literal)
{
    do {
        for (;;) {
            char c = *literal->at;
            if (c == '\0') return fail(literal, literal->start, "unterminated quoted string");
            if (c == '\\') {
                if (!read_escape(literal)) return false;
                continue;
            }
            if (literal->high_surrogate) return fail_part(literal, literal->at, 1, "invalid Unicode surrogate pair");
            literal->at++;
            if (c == '\'') {
                if (*literal->at != '\'') break;
                literal->at++;
            }
            buf_put_u8(&literal->text, (uint8_t)c);
        }
    } while (continues(literal));
    return true;
}

/* Bytes written as \x or \ooo may make no valid text. */
static bool check_escaped(Literal *literal)
{
    Slice text = buf_slice(&literal->text);
    size_t valid = utf8_valid_prefix(text);
    if (!literal->escaped_bytes || valid == text.size) return true;
    char hex[64] = "";
    size_t used = 0;
    for (size_t i = valid; i < text.size && i < valid + (size_t)utf8_length(text.data[valid]); i++)
        used += (size_t)snprintf(hex + used, sizeof hex - used, " 0x%02x", text.data[i]);
    Lexer *lexer = literal->lexer;
    fail(literal, literal->start,
         arena_printf(lexer->arena, "invalid byte sequence for encoding \"UTF8\":%s", hex));
    literal->token->length = 0; /* the message stands alone */
    lexer->fault_state = ERR_CHARACTER_NOT_IN_REPERTOIRE;
    return false;
}

/* Replaces \1234 and \+123456 of a U& string or name; `escape` is the character that starts them. */
static bool decode_unicode(Literal *literal, char escape)
{
    Buf source = literal->text;
    literal->text = (Buf){0};
    buf_put_u8(&source, 0);
    const char *s = (const char *)source.data, *end = s + source.size - 1;
    bool ok = true;
    while (ok && s < end) {
        int digits = s[1] == '+' ? 6 : 4, lead = s[1] == '+' ? 2 : 1;
        int64_t code = *s == escape && s[1] != escape ? hex_number(s + lead, digits) : 0;
        if (*s == escape && s[1] == escape) {
            buf_put_u8(&literal->text, (uint8_t)escape);
            s += 2;
        } else if (*s == escape && code < 0) {
            ok = fail_part(literal, literal->start, (int)(literal->at - literal->start), "invalid Unicode escape");
        } else if (*s == escape) {
            ok = add_code_point(literal, code, literal->start, (int)(literal->at - literal->start));
            s += lead + digits;
        } else if (literal->high_surrogate) {
            ok = fail_part(literal, literal->start, (int)(literal->at - literal->start), "invalid Unicode surrogate pair");
        } else {
            buf_put_u8(&literal->text, (uint8_t)*s++);
        }
    }
    if (ok && literal->high_surrogate)
        ok = fail_part(literal, literal->start, (int)(literal->at - literal->start), "invalid Unicode surrogate pair");
    buf_finish(&source);
    return ok;
}

/* UESCAPE 'c' behind a U& literal; the escape character is a backslash without it. */
static bool read_uescape(Literal *literal, char *escape)
{
    const char *s = literal->at;
    *escape = '\\';
    while (lexer_is_space(*s)) s++;
    if (strncasecmp(s, "uescape", 7) != 0 || lexer_is_word(s[7])) return true;
    s += 7;
    while (lexer_is_space(*s)) s++;
    if (s[0] != '\'' || s[1] == '\0' || s[2] != '\'')
        return fail_part(literal, s, s[0] ? 1 : 0, "UESCAPE must be followed by a simple string literal");
    if (hex_digit(s[1]) >= 0 || strchr("+'\" \t\n\r\f", s[1]))
        return fail_part(literal, s, 3, "invalid Unicode escape character");
    *escape = s[1];
    literal->at = s + 3;
    return true;
}

/* "..." with "" for a quote; at stands behind the first quote. */
static bool read_name(Literal *literal)
{
    for (;;) {
        const char *quote = strchr(literal->at, '"');
        if (!quote) return fail(literal, literal->start, "unterminated quoted identifier");
        buf_put(&literal->text, literal->at, (size_t)(quote - literal->at));
        literal->at = quote + 1;
        if (*literal->at != '"') break;
        buf_put_u8(&literal->text, '"');
        literal->at++;
    }
    if (literal->text.size == 0)
        return fail_part(literal, literal->start, (int)(literal->at - literal->start), "zero-length delimited identifier");
    return true;
}

static Token finish_name(Literal *literal)
{
    Token token = finish(literal, TK_ID);
    token.value = lexer_cut_identifier(literal->lexer->arena, token.value, strlen(token.value));
    return token;
}

/* $tag$...$tag$: false if no such tag starts at `start`. */
static bool scan_dollar(Lexer *lexer, Token *token)
{
    const char *start = lexer->at, *s = start + 1;
    if (*s != '$') {
        if (!lexer_is_word_start(*s)) return false;
        while (lexer_is_word(*s) && *s != '$') s++;
        if (*s != '$') return false;
    }
    size_t tag = (size_t)(++s - start);
    for (const char *end = strchr(s, '$'); end; end = strchr(end + 1, '$')) {
        if (strncmp(end, start, tag) != 0) continue;
        *token = (Token){.code = TK_STRING_LITERAL, .text = start, .length = (int)(end + tag - start)};
        token->value = arena_strndup(lexer->arena, s, (size_t)(end - s));
        return true;
    }
    *token = lexer_fault(lexer, start, "unterminated dollar-quoted string");
    return true;
}

static Token scan_param(Lexer *lexer)
{
    const char *start = lexer->at, *s = start + 1;
    while (lexer_is_digit(*s)) s++;
    Token token = {.code = TK_PARAM, .text = start, .length = (int)(s - start)};
    token.value = arena_strndup(lexer->arena, start + 1, (size_t)(s - start - 1));
    if (lexer_is_word_start(*s)) {
        token = lexer_fault(lexer, start, "trailing junk after parameter");
        token.length = (int)(s - start) + utf8_length((uint8_t)*s);
    }
    return token;
}

static Token scan_number(Lexer *lexer)
{
    const char *start = lexer->at, *s = start;
    bool decimal = false;
    while (lexer_is_digit(*s)) s++;
    /* 1..10 are two integers with dots between. */
    if (*s == '.' && s[1] != '.') {
        decimal = true;
        for (s++; lexer_is_digit(*s);) s++;
    }
    const char *exponent = s;
    if (*s == 'e' || *s == 'E') {
        s += s[1] == '+' || s[1] == '-' ? 2 : 1;
        if (lexer_is_digit(*s)) {
            while (lexer_is_digit(*s)) s++;
            decimal = true;
        } else {
            s = exponent;
        }
    }
    Token token = {.code = decimal ? TK_DECIMAL_LITERAL : TK_INTEGER_LITERAL, .text = start, .length = (int)(s - start)};
    token.value = arena_strndup(lexer->arena, start, (size_t)(s - start));
    if (lexer_is_word_start(*s)) {
        token = lexer_fault(lexer, start, "trailing junk after numeric literal");
        token.length = (int)(s - start) + utf8_length((uint8_t)*s);
        /* An exponent without digits counts as a whole. */
        if (s == exponent && (*s == 'e' || *s == 'E') && (s[1] == '+' || s[1] == '-')) token.length++;
    }
    return token;
}

/* B'101' and X'1F': the value keeps the letter in front; whether the digits fit is for the type to say. */
static bool scan_bits(Literal *literal, char letter)
{
    literal->at = literal->start + 2;
    buf_put_u8(&literal->text, (uint8_t)letter);
    if (!read_plain(literal)) {
        literal->token->value = letter == 'b' ? "unterminated bit string literal" : "unterminated hexadecimal string literal";
        return false;
    }
    *literal->token = finish(literal, TK_BIT_LITERAL);
    return true;
}

static void scan_unicode(Literal *literal)
{
    char escape = '\\';
    bool is_name = literal->start[2] == '"';
    literal->at = literal->start + 3;
    if (!(is_name ? read_name(literal) : read_plain(literal)) || !read_uescape(literal, &escape)) return;
    if (!decode_unicode(literal, escape)) return;
    *literal->token = is_name ? finish_name(literal) : finish(literal, TK_STRING_LITERAL);
}

bool lexer_literal(Lexer *lexer, Token *token)
{
    const char *s = lexer->at;
    Literal literal = {.lexer = lexer, .start = s, .at = s + 1, .token = token};
    char first = lexer_fold(s[0]);
    if (first == '\'') {
        if (read_plain(&literal)) *token = finish(&literal, TK_STRING_LITERAL);
    } else if (first == '"') {
        if (read_name(&literal)) *token = finish_name(&literal);
    } else if (first == 'e' && s[1] == '\'') {
        literal.at++;
        if (read_escaped(&literal) && check_escaped(&literal)) *token = finish(&literal, TK_STRING_LITERAL);
    } else if ((first == 'b' || first == 'x') && s[1] == '\'') {
        scan_bits(&literal, first);
    } else if (first == 'n' && s[1] == '\'') { /* N'...' is a national string: text like any other here */
        literal.at++;
        if (read_plain(&literal)) *token = finish(&literal, TK_STRING_LITERAL);
    } else if (first == 'u' && s[1] == '&' && (s[2] == '\'' || s[2] == '"')) {
        scan_unicode(&literal);
    } else if (lexer_is_digit(first) || (first == '.' && lexer_is_digit(s[1]))) {
        *token = scan_number(lexer);
    } else if (first == '$' && lexer_is_digit(s[1])) {
        *token = scan_param(lexer);
    } else {
        return first == '$' && scan_dollar(lexer, token);
    }
    return true;
}
