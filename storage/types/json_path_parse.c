/* json_path_parse.c - the words of a path, and recursive descent over them. */
#include "storage/base/utf8.h"
#include "storage/types/json_path.h"
#include "storage/types/type_defs.h"
#include "storage/types/type_numeric.h"

typedef enum WordKind { WORD_END, WORD_NAME, WORD_STRING, WORD_NUMBER, WORD_VARIABLE, WORD_SYMBOL } WordKind;

typedef struct Word {
    WordKind kind;
    Slice text;   /* unescaped; of a symbol or number as it stands */
    size_t start; /* in the input */
} Word;

typedef struct PathParser {
    TypeCtx *ctx;
    Slice input;
    size_t at; /* behind the word */
    Word word;
    int depth, filters, subscripts;
} PathParser;

enum { PATH_DEPTH_MAX = 500 };

static Status syntax_fault(PathParser *p)
{
    /* A name that the input ends with is seen to be one only at the end. */
    if (p->word.kind == WORD_END || (p->word.kind == WORD_NAME && p->at == p->input.size))
        return err_set(p->ctx->err, p->ctx->arena, ERR_SYNTAX_ERROR, "syntax error at end of jsonpath input");
    return err_set(p->ctx->err, p->ctx->arena, ERR_SYNTAX_ERROR, "syntax error at or near \"%.*s\" of jsonpath input",
                   (int)(p->at - p->word.start), (const char *)p->input.data + p->word.start);
}

static Status path_fault(PathParser *p, const char *message)
{
    return err_set(p->ctx->err, p->ctx->arena, ERR_SYNTAX_ERROR, "%s", message);
}

/* ---- words ---- */

static int byte_at(const PathParser *p, size_t at)
{
    return at < p->input.size ? p->input.data[at] : -1;
}

static bool ends_name(int c)
{
    return c < 0 || is_space((uint8_t)c) || strchr("?%$.[]{}()|&!=<>@#,*:-+/\"", c);
}

static int64_t hex_digits(const PathParser *p, size_t at, int count)
{
    int64_t value = 0;
    for (int i = 0; i < count; i++) {
        int c = byte_at(p, at + (size_t)i);
        if (c < 0) return -1;
        int digit = is_digit((uint8_t)c) ? c - '0' : to_lower((uint8_t)c) - 'a' + 10;
        if (digit < 0 || digit > 15) return -1;
        value = value * 16 + digit;
    }
    return value;
}

/* \u0041, \x41, \u{1F600}: *at stands at the letter and is moved behind. -1: none. */
static int64_t code_escape(PathParser *p, size_t *at)
{
    bool braces = byte_at(p, *at + 1) == '{';
    int count = byte_at(p, *at) == 'x' ? 2 : 4;
    size_t from = *at + 1 + braces;
    if (braces)
        for (count = 0; hex_digits(p, from + (size_t)count, 1) >= 0 && count < 6;) count++;
    int64_t code = count ? hex_digits(p, from, count) : -1;
    *at = from + (size_t)count + braces;
    return code;
}

static Status put_escape(PathParser *p, size_t *at, Buf *out)
{
    static const char letters[] = "bfnrtv", meanings[] = "\b\f\n\r\t\v";
    int c = byte_at(p, *at);
    const char *letter = c > 0 ? strchr(letters, c) : NULL;
    if (c != 'u' && c != 'x') {
        buf_put_u8(out, letter ? (uint8_t)meanings[letter - letters] : (uint8_t)c);
        (*at)++;
        return ST_OK;
    }
    uint8_t bytes[4];
    int64_t code = code_escape(p, at);
    if (code >= 0xd800 && code <= 0xdbff && byte_at(p, *at) == '\\' && byte_at(p, *at + 1) == 'u') {
        size_t next = *at + 1;
        int64_t low = code_escape(p, &next);
        if (low >= 0xdc00 && low <= 0xdfff) {
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            *at = next;
        }
    }
    if (code <= 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        return err_set(p->ctx->err, p->ctx->arena, ERR_SYNTAX_ERROR, "invalid Unicode escape sequence");
    buf_put(out, bytes, (size_t)utf8_encode((int32_t)code, bytes));
    return ST_OK;
}

static Status finish_text(PathParser *p, Buf *buf, Status status)
{
    if (status == ST_OK && buf->failed) status = err_no_memory(p->ctx->err);
    if (status == ST_OK) p->word.text = buf_to_arena(buf, p->ctx->arena);
    buf_finish(buf);
    return status;
}

static Status read_quoted(PathParser *p, size_t at)
{
    Buf buf = {0};
    Status status = ST_OK;
    for (at++; status == ST_OK && byte_at(p, at) != '"';) {
        if (at >= p->input.size || (byte_at(p, at) == '\\' && at + 1 >= p->input.size)) {
            buf_finish(&buf);
            return path_fault(p, "unexpected end of quoted string at end of jsonpath input");
        }
        if (byte_at(p, at) == '\\') {
            at++;
            status = put_escape(p, &at, &buf);
        } else {
            buf_put_u8(&buf, (uint8_t)byte_at(p, at++));
        }
    }
    p->at = at + 1;
    return finish_text(p, &buf, status);
}

static Status read_name(PathParser *p, size_t at)
{
    Buf buf = {0};
    Status status = ST_OK;
    while (status == ST_OK && !ends_name(byte_at(p, at))) {
        if (byte_at(p, at) == '\\' && at + 1 < p->input.size) {
            at++;
            status = put_escape(p, &at, &buf);
        } else {
            buf_put_u8(&buf, (uint8_t)byte_at(p, at++));
        }
    }
    p->at = at;
    return finish_text(p, &buf, status);
}

static size_t skip_digits(const PathParser *p, size_t at)
{
    while (byte_at(p, at) >= 0 && is_digit((uint8_t)byte_at(p, at))) at++;
    return at;
}

static bool digit_at(const PathParser *p, size_t at)
{
    return skip_digits(p, at) > at;
}

static Status read_number(PathParser *p)
{
    size_t at = skip_digits(p, p->word.start);
    if (byte_at(p, at) == '.') at = skip_digits(p, at + 1);
    size_t exponent = at + 1 + (byte_at(p, at + 1) == '+' || byte_at(p, at + 1) == '-');
    if ((byte_at(p, at) == 'e' || byte_at(p, at) == 'E') && digit_at(p, exponent)) at = skip_digits(p, exponent);
    p->word.kind = WORD_NUMBER;
    p->word.text = slice_of(p->input.data + p->word.start, at - p->word.start);
    p->at = at;
    if (ends_name(byte_at(p, at))) return ST_OK;
    while (!ends_name(byte_at(p, p->at))) p->at++;
    return err_set(p->ctx->err, p->ctx->arena, ERR_SYNTAX_ERROR, "trailing junk after numeric literal at or near \"%.*s\" of jsonpath input",
                   (int)(at + 1 - p->word.start), (const char *)p->input.data + p->word.start);
}

static Status skip_blanks(PathParser *p)
{
    for (;;) {
        while (byte_at(p, p->at) >= 0 && is_space((uint8_t)byte_at(p, p->at))) p->at++;
        if (byte_at(p, p->at) != '/' || byte_at(p, p->at + 1) != '*') return ST_OK;
        const uint8_t *end = memmem(p->input.data + p->at, p->input.size - p->at, "*/", 2);
        if (!end)
            return err_set(p->ctx->err, p->ctx->arena, ERR_SYNTAX_ERROR, "unexpected end of comment at end of jsonpath input");
        p->at = (size_t)(end - p->input.data) + 2;
    }
}

static Status read_symbol(PathParser *p)
{
    static const char *const doubles[] = {"&&", "||", "==", "!=", "<>", "<=", ">=", "**"};
    size_t size = 1;
    for (size_t i = 0; i < sizeof doubles / sizeof doubles[0]; i++)
        if (byte_at(p, p->at) == doubles[i][0] && byte_at(p, p->at + 1) == doubles[i][1]) size = 2;
    p->word.kind = WORD_SYMBOL;
    p->word.text = slice_of(p->input.data + p->at, size);
    p->at += size;
    return ST_OK;
}

static Status next_word(PathParser *p)
{
    TRY(skip_blanks(p));
    int c = byte_at(p, p->at);
    p->word = (Word){.kind = WORD_END, .start = p->at};
    if (c < 0) return ST_OK;
    if (is_digit((uint8_t)c) || (c == '.' && digit_at(p, p->at + 1))) return read_number(p);
    if (c == '"') {
        p->word.kind = WORD_STRING;
        return read_quoted(p, p->at);
    }
    if (c == '$' && (byte_at(p, p->at + 1) == '"' || !ends_name(byte_at(p, p->at + 1)))) {
        p->word.kind = WORD_VARIABLE;
        return byte_at(p, p->at + 1) == '"' ? read_quoted(p, p->at + 1) : read_name(p, p->at + 1);
    }
    if (ends_name(c)) return read_symbol(p);
    p->word.kind = WORD_NAME;
    return read_name(p, p->at);
}

static bool at_symbol(const PathParser *p, const char *symbol)
{
    return p->word.kind == WORD_SYMBOL && slice_equal_str(p->word.text, symbol);
}

static bool at_name(const PathParser *p, const char *name)
{
    return p->word.kind == WORD_NAME && slice_equal_str(p->word.text, name);
}

static Status take_symbol(PathParser *p, const char *symbol)
{
    return at_symbol(p, symbol) ? next_word(p) : syntax_fault(p);
}

/* ---- nodes ---- */

static Status parse_or(PathParser *p, PathNode **out);
static Status parse_sum(PathParser *p, PathNode **out);

static PathNode *new_node(PathParser *p, PathKind kind, PathNode *left, PathNode *right)
{
    PathNode *node = ARENA_NEW(p->ctx->arena, PathNode);
    node->kind = kind;
    node->left = left;
    node->right = right;
    return node;
}

/* A predicate that nothing is applied to is a truth, not an item. */
static bool is_truth(const PathNode *node)
{
    return json_path_is_predicate(node->kind) && !node->next;
}

static Status need(PathParser *p, const PathNode *node, bool truth)
{
    return is_truth(node) == truth ? ST_OK : syntax_fault(p);
}

static Status parse_item(PathParser *p, PathNode **out)
{
    TRY(parse_sum(p, out));
    return need(p, *out, false);
}

static Status parse_level(PathParser *p, int64_t *level)
{
    if (at_name(p, "last")) {
        *level = -1;
        return next_word(p);
    }
    if (p->word.kind != WORD_NUMBER || skip_digits(p, p->word.start) != p->at || p->word.text.size > 9) return syntax_fault(p);
    *level = 0;
    for (size_t i = 0; i < p->word.text.size; i++) *level = *level * 10 + (p->word.text.data[i] - '0');
    return next_word(p);
}

/* Behind ".**". */
static Status parse_levels(PathParser *p, PathNode **out)
{
    *out = new_node(p, PATH_ANY_LEVEL, NULL, NULL);
    (*out)->level_last = -1;
    TRY(next_word(p));
    if (!at_symbol(p, "{")) return ST_OK;
    TRY(next_word(p));
    TRY(parse_level(p, &(*out)->level_first));
    (*out)->level_last = (*out)->level_first;
    if (at_name(p, "to")) {
        TRY(next_word(p));
        TRY(parse_level(p, &(*out)->level_last));
    }
    return take_symbol(p, "}");
}

/* Behind a name and "(". */
static Status parse_method(PathParser *p, Slice name, PathNode **out)
{
    for (PathKind kind = PATH_TYPE; kind <= PATH_DATETIME; kind++) {
        if (!slice_equal_str(name, json_path_word(kind))) continue;
        *out = new_node(p, kind, NULL, NULL);
        TRY(next_word(p));
        if (kind == PATH_DATETIME && p->word.kind == WORD_STRING) {
            (*out)->text = p->word.text;
            TRY(next_word(p));
        }
        return take_symbol(p, ")");
    }
    return syntax_fault(p);
}

/* Behind ".". */
static Status parse_member(PathParser *p, PathNode **out)
{
    if (at_symbol(p, "*")) {
        *out = new_node(p, PATH_ANY_KEY, NULL, NULL);
        return next_word(p);
    }
    if (at_symbol(p, "**")) return parse_levels(p, out);
    bool bare = p->word.kind == WORD_NAME;
    if (!bare && p->word.kind != WORD_STRING) return syntax_fault(p);
    Slice name = p->word.text;
    TRY(next_word(p));
    if (bare && at_symbol(p, "(")) return parse_method(p, name, out);
    *out = new_node(p, PATH_KEY, NULL, NULL);
    (*out)->text = name;
    return ST_OK;
}

/* Behind "[". */
static Status parse_subscripts(PathParser *p, PathNode **out)
{
    if (at_symbol(p, "*")) {
        *out = new_node(p, PATH_ANY_ELEMENT, NULL, NULL);
        TRY(next_word(p));
        return take_symbol(p, "]");
    }
    PathNode **last;
    *out = new_node(p, PATH_SUBSCRIPTS, NULL, NULL);
    last = &(*out)->left;
    p->subscripts++;
    for (;;) {
        PathNode *from, *to = NULL;
        TRY(parse_item(p, &from));
        if (at_name(p, "to")) {
            TRY(next_word(p));
            TRY(parse_item(p, &to));
        }
        *last = new_node(p, PATH_SUBSCRIPTS, from, to);
        last = &(*last)->sibling;
        if (!at_symbol(p, ",")) break;
        TRY(next_word(p));
    }
    p->subscripts--;
    return take_symbol(p, "]");
}

/* Behind "?". */
static Status parse_filter(PathParser *p, PathNode **out)
{
    PathNode *condition;
    TRY(take_symbol(p, "("));
    p->filters++;
    TRY(parse_or(p, &condition));
    p->filters--;
    TRY(need(p, condition, true));
    *out = new_node(p, PATH_FILTER, condition, NULL);
    return take_symbol(p, ")");
}

static Status parse_accessors(PathParser *p, PathNode *node)
{
    for (;;) {
        PathNode *accessor = NULL;
        if (at_symbol(p, ".")) {
            TRY(next_word(p));
            TRY(parse_member(p, &accessor));
        } else if (at_symbol(p, "[")) {
            TRY(next_word(p));
            TRY(parse_subscripts(p, &accessor));
        } else if (at_symbol(p, "?")) {
            TRY(next_word(p));
            TRY(parse_filter(p, &accessor));
        } else {
            return ST_OK;
        }
        node->next = accessor;
        node = accessor;
    }
}

static Status parse_named_primary(PathParser *p, PathNode **out)
{
    static const PathKind kinds[] = {PATH_NULL, PATH_TRUE, PATH_FALSE, PATH_LAST};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (!at_name(p, json_path_word(kinds[i]))) continue;
        if (kinds[i] == PATH_LAST && !p->subscripts) return path_fault(p, "LAST is allowed only in array subscripts");
        *out = new_node(p, kinds[i], NULL, NULL);
        return next_word(p);
    }
    return syntax_fault(p);
}

static Status parse_primary(PathParser *p, PathNode **out)
{
    PathKind kind = p->word.kind == WORD_STRING ? PATH_STRING : p->word.kind == WORD_NUMBER ? PATH_NUMBER
                  : p->word.kind == WORD_VARIABLE ? PATH_VARIABLE : at_symbol(p, "$") ? PATH_ROOT : PATH_CURRENT;
    if (p->word.kind == WORD_NAME) return parse_named_primary(p, out);
    if (kind == PATH_CURRENT && !at_symbol(p, "@")) return syntax_fault(p);
    if (kind == PATH_CURRENT && !p->filters) return path_fault(p, "@ is not allowed in root expressions");
    *out = new_node(p, kind, NULL, NULL);
    (*out)->text = p->word.text;
    if (kind == PATH_NUMBER) TRY(numeric_parse(p->ctx, p->word.text, &(*out)->number));
    return next_word(p);
}

/* (item), (predicate), (predicate) is unknown. */
static Status parse_parenthesis(PathParser *p, PathNode **out)
{
    TRY(next_word(p));
    TRY(parse_or(p, out));
    TRY(take_symbol(p, ")"));
    if (!is_truth(*out) || !at_name(p, "is")) return ST_OK;
    TRY(next_word(p));
    if (!at_name(p, "unknown")) return syntax_fault(p);
    *out = new_node(p, PATH_IS_UNKNOWN, *out, NULL);
    return next_word(p);
}

static Status parse_exists(PathParser *p, PathNode **out)
{
    PathNode *item;
    TRY(next_word(p));
    TRY(take_symbol(p, "("));
    TRY(parse_item(p, &item));
    *out = new_node(p, PATH_EXISTS, item, NULL);
    return take_symbol(p, ")");
}

static Status parse_not(PathParser *p, PathNode **out)
{
    PathNode *inner;
    TRY(next_word(p));
    if (at_name(p, "exists"))
        TRY(parse_exists(p, &inner));
    else if (at_symbol(p, "("))
        TRY(parse_parenthesis(p, &inner));
    else
        return syntax_fault(p);
    TRY(need(p, inner, true));
    *out = new_node(p, PATH_NOT, inner, NULL);
    return ST_OK;
}

static Status parse_accessor(PathParser *p, PathNode **out)
{
    if (at_name(p, "exists")) return parse_exists(p, out);
    if (at_symbol(p, "!")) return parse_not(p, out);
    if (at_symbol(p, "(")) {
        TRY(parse_parenthesis(p, out));
        /* What is applied to a parenthesis follows whatever is inside. */
        PathNode *last = *out;
        while (last->next) last = last->next;
        return parse_accessors(p, last);
    }
    TRY(parse_primary(p, out));
    return parse_accessors(p, *out);
}

static Status parse_unary(PathParser *p, PathNode **out)
{
    bool plus = at_symbol(p, "+"), minus = at_symbol(p, "-");
    PathNode *operand;
    if (!plus && !minus) return parse_accessor(p, out);
    if (++p->depth > PATH_DEPTH_MAX) return path_fault(p, "stack depth limit exceeded");
    TRY(next_word(p));
    TRY(parse_unary(p, &operand));
    p->depth--;
    TRY(need(p, operand, false));
    *out = operand;
    if (operand->kind == PATH_NUMBER && !operand->next) { /* -1 is a literal */
        if (minus) operand->number = numeric_neg(operand->number, p->ctx->arena);
        return ST_OK;
    }
    *out = new_node(p, plus ? PATH_PLUS : PATH_MINUS, operand, NULL);
    return ST_OK;
}

/* A chain of operators from..to, from the left; operand parses what binds tighter. */
static Status parse_chain(PathParser *p, PathKind from, PathKind to, Status (*operand)(PathParser *, PathNode **), PathNode **out)
{
    bool truths = json_path_is_predicate(from);
    TRY(operand(p, out));
    for (;;) {
        PathKind found = PATH_NULL;
        PathNode *right;
        for (PathKind kind = from; kind <= to; kind++)
            if (at_symbol(p, json_path_word(kind))) found = kind;
        if (found == PATH_NULL) return ST_OK;
        TRY(need(p, *out, truths));
        TRY(next_word(p));
        TRY(operand(p, &right));
        TRY(need(p, right, truths));
        *out = new_node(p, found, *out, right);
    }
}

static Status parse_product(PathParser *p, PathNode **out)
{
    return parse_chain(p, PATH_MUL, PATH_MOD, parse_unary, out);
}

static Status parse_sum(PathParser *p, PathNode **out)
{
    if (++p->depth > PATH_DEPTH_MAX) return path_fault(p, "stack depth limit exceeded");
    Status status = parse_chain(p, PATH_ADD, PATH_SUB, parse_product, out);
    p->depth--;
    return status;
}

static Status parse_starts_with(PathParser *p, PathNode **out)
{
    PathNode *prefix;
    TRY(next_word(p));
    if (!at_name(p, "with")) return syntax_fault(p);
    TRY(next_word(p));
    if (p->word.kind != WORD_STRING && p->word.kind != WORD_VARIABLE) return syntax_fault(p);
    TRY(parse_primary(p, &prefix));
    *out = new_node(p, PATH_STARTS_WITH, *out, prefix);
    return ST_OK;
}

static Status check_regex_flags(PathParser *p, Slice flags)
{
    for (size_t i = 0; i < flags.size; i++) {
        if (flags.data[i] == 'x')
            return err_set(p->ctx->err, p->ctx->arena, ERR_FEATURE_NOT_SUPPORTED,
                           "XQuery \"x\" flag (expanded regular expressions) is not implemented");
        if (strchr("ismq", flags.data[i])) continue;
        err_set(p->ctx->err, p->ctx->arena, ERR_SYNTAX_ERROR, "invalid input syntax for type %s", "jsonpath");
        err_detail(p->ctx->err, p->ctx->arena, "Unrecognized flag character \"%c\" in LIKE_REGEX predicate.", flags.data[i]);
        return ST_ERROR;
    }
    return ST_OK;
}

static Status parse_like_regex(PathParser *p, PathNode **out)
{
    TRY(next_word(p));
    if (p->word.kind != WORD_STRING) return syntax_fault(p);
    *out = new_node(p, PATH_LIKE_REGEX, *out, NULL);
    (*out)->text = p->word.text;
    TRY(next_word(p));
    if (!at_name(p, "flag")) return ST_OK;
    TRY(next_word(p));
    if (p->word.kind != WORD_STRING) return syntax_fault(p);
    (*out)->flags = p->word.text;
    TRY(check_regex_flags(p, p->word.text));
    return next_word(p);
}

static Status parse_comparison(PathParser *p, PathNode **out)
{
    PathNode *right;
    TRY(parse_sum(p, out));
    PathKind found = at_symbol(p, "<>") ? PATH_NE : PATH_NULL;
    for (PathKind kind = PATH_EQ; kind <= PATH_GE; kind++)
        if (at_symbol(p, json_path_word(kind))) found = kind;
    bool starts = at_name(p, "starts"), like = at_name(p, "like_regex");
    if (found == PATH_NULL && !starts && !like) return ST_OK;
    TRY(need(p, *out, false));
    if (starts) return parse_starts_with(p, out);
    if (like) return parse_like_regex(p, out);
    TRY(next_word(p));
    TRY(parse_item(p, &right));
    *out = new_node(p, found, *out, right);
    return ST_OK;
}

static Status parse_and(PathParser *p, PathNode **out)
{
    return parse_chain(p, PATH_AND, PATH_AND, parse_comparison, out);
}

static Status parse_or(PathParser *p, PathNode **out)
{
    return parse_chain(p, PATH_OR, PATH_OR, parse_and, out);
}

Status json_path_parse(TypeCtx *ctx, Slice text, JsonPath *path)
{
    PathParser p = {.ctx = ctx, .input = text};
    *path = (JsonPath){0};
    TRY(next_word(&p));
    if (p.word.kind == WORD_END)
        return err_set(ctx->err, ctx->arena, ERR_INVALID_TEXT_REPRESENTATION, "invalid input syntax for type jsonpath: \"%.*s\"",
                       (int)text.size, (const char *)text.data);
    path->strict = at_name(&p, "strict");
    if (path->strict || at_name(&p, "lax")) TRY(next_word(&p));
    TRY(parse_or(&p, &path->root));
    return p.word.kind == WORD_END ? ST_OK : syntax_fault(&p);
}
