/* JSON text: checked as it stands (json), or handed to a builder piece by piece (jsonb). */
#include <assert.h>

#include "storage/base/utf8.h"
#include "storage/types/type_defs.h"
#include "storage/types/type_json.h"
#include "storage/types/type_numeric.h"

/* Deeper documents are refused: the parser calls itself for each level. */
enum { DEPTH_MAX = 6000, CONTEXT_MAX = 50 };

typedef struct Parse {
    TypeCtx *ctx;
    Slice text;
    size_t at;
    int depth;
    JsonBuilder *builder; /* NULL: only check */
} Parse;

static Status parse_value(Parse *p);

/* ---- faults ---- */

/* JSON data, line 1: {"a": tru...    up to and including the token at fault. */
static void add_context(Parse *p, size_t token_end)
{
    size_t line_start = 0;
    int line = 1;
    for (size_t i = 0; i < token_end && i < p->text.size; i++)
        if (p->text.data[i] == '\n') {
            line++;
            line_start = i + 1;
        }
    size_t start = line_start;
    while (token_end - start >= CONTEXT_MAX && start < token_end)
        start += (size_t)utf8_length(p->text.data[start]);
    bool cut = start - line_start > 3;
    if (!cut) start = line_start;
    bool more = token_end < p->text.size && p->text.data[token_end] != '\n' && p->text.data[token_end] != '\r';
    p->ctx->err->context =
        arena_printf(p->ctx->arena, "JSON data, line %d: %s%.*s%s", line, cut ? "..." : "", (int)(token_end - start),
                     (const char *)p->text.data + start, more ? "..." : "");
}

static Status fault(Parse *p, size_t token_end, const char *format, ...) __attribute__((format(printf, 3, 4)));

static Status fault(Parse *p, size_t token_end, const char *format, ...)
{
    va_list args;
    err_set(p->ctx->err, p->ctx->arena, ERR_INVALID_TEXT_REPRESENTATION, "invalid input syntax for type json");
    va_start(args, format);
    p->ctx->err->detail = arena_vprintf(p->ctx->arena, format, args);
    va_end(args);
    add_context(p, token_end);
    return ST_ERROR;
}

static bool is_word_byte(uint8_t c)
{
    return is_alpha(c) || is_digit(c) || c == '_' || c >= 0x80;
}

/* The end of the token at p->at: a word, a number, or one character. */
static size_t token_end(const Parse *p)
{
    size_t end = p->at;
    while (end < p->text.size && is_word_byte(p->text.data[end])) end++;
    return end > p->at ? end : p->at + (p->at < p->text.size);
}

/* What stands here is not what may stand here; it may be no token at all. */
static Status unexpected(Parse *p, const char *expected)
{
    if (p->at >= p->text.size) return fault(p, p->text.size, "The input string ended unexpectedly.");
    uint8_t c = p->text.data[p->at];
    size_t end = token_end(p);
    Slice token = slice_of(p->text.data + p->at, end - p->at);
    if (c == '"') {
        for (end = p->at + 1; end < p->text.size && p->text.data[end] != '"'; end++)
            if (p->text.data[end] == '\\') end++;
        end = end < p->text.size ? end + 1 : p->text.size;
        token = slice_of(p->text.data + p->at, end - p->at);
    } else if (c == '-' || is_digit(c)) {
        end = p->at + 1;
        while (end < p->text.size && (is_word_byte(p->text.data[end]) || strchr("+-.", p->text.data[end]))) end++;
        token = slice_of(p->text.data + p->at, end - p->at);
    } else if (!strchr("{}[],:", c) && !slice_equal_str(token, "true") && !slice_equal_str(token, "false") &&
               !slice_equal_str(token, "null")) {
        return fault(p, end, "Token \"%.*s\" is invalid.", (int)token.size, (const char *)token.data);
    }
    return fault(p, end, "%s, but found \"%.*s\".", expected, (int)token.size, (const char *)token.data);
}

/* ---- strings ---- */

static int hex_value(uint8_t c)
{
    if (is_digit(c)) return c - '0';
    c = to_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static Status parse_hex(Parse *p, size_t at, int *out)
{
    *out = 0;
    for (size_t i = at; i < at + 4; i++) {
        int digit = i < p->text.size ? hex_value(p->text.data[i]) : -1;
        if (i >= p->text.size) return fault(p, p->text.size, "The input string ended unexpectedly.");
        if (digit < 0) return fault(p, i + 1, "\"\\u\" must be followed by four hexadecimal digits.");
        *out = *out << 4 | digit;
    }
    return ST_OK;
}

/* \uXXXX at p->at, a pair of surrogates included. Only jsonb needs to know what it means. */
static Status parse_unicode(Parse *p, uint8_t *out, size_t *size)
{
    int code, low;
    TRY(parse_hex(p, p->at + 2, &code));
    p->at += 6;
    if (!p->builder) return ST_OK;
    if (code >= 0xDC00 && code <= 0xDFFF) return fault(p, p->at, "Unicode low surrogate must follow a high surrogate.");
    if (code >= 0xD800 && code <= 0xDBFF) {
        bool pair = p->at + 1 < p->text.size && p->text.data[p->at] == '\\' && p->text.data[p->at + 1] == 'u';
        if (!pair) return fault(p, p->at, "Unicode low surrogate must follow a high surrogate.");
        TRY(parse_hex(p, p->at + 2, &low));
        p->at += 6;
        if (low >= 0xD800 && low <= 0xDBFF)
            return fault(p, p->at, "Unicode high surrogate must not follow a high surrogate.");
        if (low < 0xDC00 || low > 0xDFFF) return fault(p, p->at, "Unicode low surrogate must follow a high surrogate.");
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    if (code == 0) {
        err_set(p->ctx->err, p->ctx->arena, ERR_UNTRANSLATABLE_CHARACTER, "unsupported Unicode escape sequence");
        err_detail(p->ctx->err, p->ctx->arena, "\\u0000 cannot be converted to text.");
        add_context(p, p->at);
        return ST_ERROR;
    }
    *size += (size_t)utf8_encode(code, out + *size);
    return ST_OK;
}

static Status parse_escape(Parse *p, uint8_t *out, size_t *size)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (p->at + 1 >= p->text.size) return fault(p, p->text.size, "The input string ended unexpectedly.");
    uint8_t c = p->text.data[p->at + 1];
    if (c == 'u') return parse_unicode(p, out, size);
    const char *found = c ? strchr(letters, c) : NULL;
    int shown = utf8_length(c);
    if (!found)
        return fault(p, p->at + 1 + (size_t)shown, "Escape sequence \"\\%.*s\" is invalid.", shown,
                     (const char *)p->text.data + p->at + 1);
    out[(*size)++] = (uint8_t)meanings[found - letters];
    p->at += 2;
    return ST_OK;
}

/* A string with its quotes; *out borrows from the text where nothing was escaped. */
static Status parse_string(Parse *p, Slice *out)
{
    size_t start = ++p->at, end = start;
    while (end < p->text.size && p->text.data[end] != '"' && p->text.data[end] != '\\' && p->text.data[end] >= ' ')
        end++;
    if (end < p->text.size && p->text.data[end] == '"') {
        *out = slice_of(p->text.data + start, end - start);
        p->at = end + 1;
        return ST_OK;
    }
    /* What escapes stand for is never longer than they are. */
    uint8_t *text = arena_try_alloc(p->ctx->arena, p->text.size - start + 4);
    if (!text) return err_no_memory(p->ctx->err);
    size_t size = 0;
    for (;;) {
        if (p->at >= p->text.size)
            return fault(p, p->text.size, "Token \"%.*s\" is invalid.", (int)(p->text.size - start + 1),
                         (const char *)p->text.data + start - 1);
        uint8_t c = p->text.data[p->at];
        if (c == '"') break;
        if (c < ' ') return fault(p, p->at, "Character with value 0x%02x must be escaped.", c);
        if (c == '\\') {
            TRY(parse_escape(p, text, &size));
            continue;
        }
        text[size++] = c;
        p->at++;
    }
    p->at++;
    *out = slice_of(text, size);
    return ST_OK;
}

/* ---- values ---- */

static void skip_space(Parse *p)
{
    while (p->at < p->text.size && p->text.data[p->at] && strchr(" \t\n\r", p->text.data[p->at])) p->at++;
}

static uint8_t peek(Parse *p)
{
    skip_space(p);
    return p->at < p->text.size ? p->text.data[p->at] : 0;
}

static size_t skip_digits(const Parse *p, size_t at)
{
    while (at < p->text.size && is_digit(p->text.data[at])) at++;
    return at;
}

/* The grammar's number: no leading zeros, a digit on both sides of the point. 0 if it is none. */
static size_t scan_number(const Parse *p)
{
    size_t at = p->at + (p->text.data[p->at] == '-'), start = at;
    if (at < p->text.size && p->text.data[at] == '0')
        at++;
    else if ((at = skip_digits(p, at)) == start)
        return 0;
    if (at < p->text.size && p->text.data[at] == '.') {
        size_t fraction = skip_digits(p, at + 1);
        if (fraction == at + 1) return 0;
        at = fraction;
    }
    if (at < p->text.size && (p->text.data[at] == 'e' || p->text.data[at] == 'E')) {
        at++;
        if (at < p->text.size && (p->text.data[at] == '+' || p->text.data[at] == '-')) at++;
        size_t exponent = skip_digits(p, at);
        if (exponent == at) return 0;
        at = exponent;
    }
    return at < p->text.size && (is_word_byte(p->text.data[at]) || p->text.data[at] == '.') ? 0 : at;
}

static Status parse_number(Parse *p)
{
    size_t end = scan_number(p);
    if (!end) {
        end = p->at + 1;
        while (end < p->text.size && (is_word_byte(p->text.data[end]) || strchr("+-.", p->text.data[end]))) end++;
        return fault(p, end, "Token \"%.*s\" is invalid.", (int)(end - p->at), (const char *)p->text.data + p->at);
    }
    Slice text = slice_of(p->text.data + p->at, end - p->at);
    p->at = end;
    if (!p->builder) return ST_OK;
    Value number = VALUE_NULL;
    TRY(numeric_parse(p->ctx, text, &number));
    jsonb_number(p->builder, number);
    return ST_OK;
}

static Status parse_word(Parse *p)
{
    size_t end = token_end(p);
    Slice word = slice_of(p->text.data + p->at, end - p->at);
    bool is_true = slice_equal_str(word, "true"), is_null = slice_equal_str(word, "null");
    if (!is_true && !is_null && !slice_equal_str(word, "false")) return unexpected(p, "Expected JSON value");
    p->at = end;
    if (!p->builder) return ST_OK;
    if (is_null)
        jsonb_null(p->builder);
    else
        jsonb_bool(p->builder, is_true);
    return ST_OK;
}

static Status parse_array(Parse *p)
{
    p->at++;
    if (p->builder) jsonb_begin_array(p->builder);
    if (peek(p) == ']') {
        p->at++;
    } else {
        for (;;) {
            if (p->at >= p->text.size || strchr("},:", p->text.data[p->at]))
                return unexpected(p, "Expected JSON value");
            TRY(parse_value(p));
            uint8_t c = peek(p);
            if (c != ',' && c != ']') return unexpected(p, "Expected \",\" or \"]\"");
            p->at++;
            if (c == ']') break;
            skip_space(p);
        }
    }
    if (p->builder) jsonb_end(p->builder);
    return ST_OK;
}

static Status parse_pair(Parse *p)
{
    Slice key = {0};
    TRY(parse_string(p, &key));
    if (peek(p) != ':') return unexpected(p, "Expected \":\"");
    p->at++;
    if (p->builder) jsonb_key(p->builder, key);
    return parse_value(p);
}

static Status parse_object(Parse *p)
{
    p->at++;
    if (p->builder) jsonb_begin_object(p->builder);
    uint8_t c = peek(p);
    if (c == '}') {
        p->at++;
    } else {
        if (c != '"') return unexpected(p, "Expected string or \"}\"");
        for (;;) {
            TRY(parse_pair(p));
            c = peek(p);
            if (c != ',' && c != '}') return unexpected(p, "Expected \",\" or \"}\"");
            p->at++;
            if (c == '}') break;
            if (peek(p) != '"') return unexpected(p, "Expected string");
        }
    }
    if (p->builder) jsonb_end(p->builder);
    return ST_OK;
}

static Status parse_value(Parse *p)
{
    Slice text = {0};
    Status status;
    uint8_t c = peek(p);
    if (c == '{' || c == '[') {
        if (++p->depth > DEPTH_MAX)
            return err_set(p->ctx->err, p->ctx->arena, ERR_STATEMENT_TOO_COMPLEX, "stack depth limit exceeded");
        status = c == '{' ? parse_object(p) : parse_array(p);
        p->depth--;
        return status;
    }
    if (c == '"') {
        TRY(parse_string(p, &text));
        if (p->builder) jsonb_string(p->builder, text);
        return ST_OK;
    }
    if (c == '-' || is_digit(c)) return parse_number(p);
    return p->at < p->text.size && is_word_byte(c) ? parse_word(p) : unexpected(p, "Expected JSON value");
}

static Status parse_document(Parse *p)
{
    TRY(parse_value(p));
    skip_space(p);
    return p->at == p->text.size ? ST_OK : unexpected(p, "Expected end of input");
}

Status json_check(TypeCtx *ctx, Slice text)
{
    Parse p = {.ctx = ctx, .text = text};
    return parse_document(&p);
}

Status jsonb_parse(TypeCtx *ctx, Slice text, Value *out)
{
    Parse p = {.ctx = ctx, .text = text, .builder = jsonb_builder(ctx)};
    TRY(parse_document(&p));
    return jsonb_finish(p.builder, out);
}
