/* fn_pattern.c - LIKE, ILIKE, SIMILAR TO and the regular expression operators. */
#include "executor/functions/families.h"
#include "executor/functions/regex.h"
#include "executor/functions/text_case.h"
#include "storage/base/utf8.h"

/* ---- LIKE ---- */

/* % is any text, _ any character, a backslash takes the next character as it is. Matching restarts behind the last %
 * only, so the time is at most text times pattern. -1: the pattern ends in its escape character. */
static int like_match(Slice text, Slice pattern)
{
    size_t t = 0, p = 0, star_p = SIZE_MAX, star_t = 0;
    while (t < text.size) {
        if (p < pattern.size && pattern.data[p] == '%') {
            star_p = ++p;
            star_t = t;
            continue;
        }
        if (p < pattern.size && pattern.data[p] == '_') {
            t += (size_t)utf8_length(text.data[t]);
            p++;
            continue;
        }
        size_t escaped = p < pattern.size && pattern.data[p] == '\\';
        if (escaped && p + 1 == pattern.size) return -1;
        if (p < pattern.size && pattern.data[p + escaped] == text.data[t]) {
            t++;
            p += 1 + escaped;
            continue;
        }
        if (star_p == SIZE_MAX) return 0;
        star_t += (size_t)utf8_length(text.data[star_t]);
        t = star_t;
        p = star_p;
    }
    while (p < pattern.size && pattern.data[p] == '%') p++;
    return p == pattern.size;
}

static Status like_result(FnCtx *ctx, Slice text, Slice pattern, bool negated, Value *out)
{
    int matched = like_match(text, pattern);
    if (matched < 0)
        return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_ESCAPE_SEQUENCE,
                       "LIKE pattern must not end with escape character");
    *out = value_bool((matched != 0) != negated);
    return ST_OK;
}

static Status like(FnCtx *ctx, const Value *args, Value *out)
{
    return like_result(ctx, value_to_slice(args[0]), value_to_slice(args[1]), false, out);
}

static Status not_like(FnCtx *ctx, const Value *args, Value *out)
{
    return like_result(ctx, value_to_slice(args[0]), value_to_slice(args[1]), true, out);
}

static Status ilike_either(FnCtx *ctx, const Value *args, bool negated, Value *out)
{
    Slice text, pattern;
    TRY(text_case(&ctx->type, value_to_slice(args[0]), false, &text));
    TRY(text_case(&ctx->type, value_to_slice(args[1]), false, &pattern));
    return like_result(ctx, text, pattern, negated, out);
}

static Status ilike(FnCtx *ctx, const Value *args, Value *out)
{
    return ilike_either(ctx, args, false, out);
}

static Status not_ilike(FnCtx *ctx, const Value *args, Value *out)
{
    return ilike_either(ctx, args, true, out);
}

static Status from_buf(FnCtx *ctx, Buf *buf, Value *out)
{
    bool failed = buf->failed;
    if (!failed) *out = value_slice(buf_to_arena(buf, ctx->type.arena));
    buf_finish(buf);
    return failed ? err_no_memory(ctx->type.err) : ST_OK;
}

static Status check_escape(FnCtx *ctx, Slice escape)
{
    if (utf8_count(escape) <= 1) return ST_OK;
    err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_ESCAPE_SEQUENCE, "invalid escape string");
    err_hint(ctx->type.err, ctx->type.arena, "Escape string must be empty or one character.");
    return ST_ERROR;
}

/* A LIKE pattern with another escape character (or none) to one with a backslash. */
static Status like_escape(FnCtx *ctx, const Value *args, Value *out)
{
    Slice pattern = value_to_slice(args[0]), escape = value_to_slice(args[1]);
    Buf buf = {0};
    TRY(check_escape(ctx, escape));
    for (size_t i = 0; i < pattern.size;) {
        Slice rest = slice_of(pattern.data + i, pattern.size - i);
        if (escape.size && slice_starts_with(rest, escape)) {
            buf_put_u8(&buf, '\\');
            i += escape.size;
            if (i < pattern.size) buf_put_u8(&buf, pattern.data[i++]);
        } else {
            if (pattern.data[i] == '\\') buf_put_u8(&buf, '\\');
            buf_put_u8(&buf, pattern.data[i++]);
        }
    }
    return from_buf(ctx, &buf, out);
}

/* ---- SIMILAR TO ---- */

typedef struct Similar {
    Buf out;
    bool in_class;
    bool shortest; /* in front of the part that substring() is to return, the least possible is matched */
} Similar;

static bool at_escape(Slice pattern, size_t i, Slice escape)
{
    return escape.size && i + escape.size <= pattern.size &&
           slice_starts_with(slice_of(pattern.data + i, pattern.size - i), escape);
}

/* How often the escape character stands before a double quote: twice around the part that substring() returns. */
static int count_separators(Slice pattern, Slice escape)
{
    int count = 0;
    for (size_t i = 0; i < pattern.size; i++) {
        if (!at_escape(pattern, i, escape)) continue;
        i += escape.size;
        if (pattern.data[i] == '"') count++;
    }
    return count;
}

static void similar_character(Similar *s, uint8_t c)
{
    if (s->in_class) {
        if (c == '\\') buf_put_u8(&s->out, '\\');
        buf_put_u8(&s->out, c);
        s->in_class = c != ']';
    } else if (c == '%') {
        buf_put_str(&s->out, s->shortest ? ".*?" : ".*");
    } else if (c == '_') {
        buf_put_u8(&s->out, '.');
    } else {
        if (c == '\\' || c == '.' || c == '^' || c == '$') buf_put_u8(&s->out, '\\');
        buf_put_u8(&s->out, c);
        s->in_class = c == '[';
        if (c == '(') buf_put_str(&s->out, "?:");
        if (s->shortest && strchr("*+?}", c)) buf_put_u8(&s->out, '?');
    }
}

static Status similar_to_regex(FnCtx *ctx, Slice pattern, Slice escape, Value *out)
{
    Similar s = {0};
    TRY(check_escape(ctx, escape));
    int separators = count_separators(pattern, escape), seen = 0;
    if (separators > 2)
        return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_USE_OF_ESCAPE_CHARACTER,
                       "SQL regular expression may not contain more than two escape-double-quote separators");
    s.shortest = separators > 0;
    buf_put_str(&s.out, "^(?:");
    for (size_t i = 0; i < pattern.size; i++) {
        if (!at_escape(pattern, i, escape)) {
            similar_character(&s, pattern.data[i]);
            continue;
        }
        i += escape.size;
        if (i >= pattern.size) break; /* it escapes nothing */
        if (pattern.data[i] == '"' && !s.in_class) {
            buf_put_str(&s.out, ++seen == 1 ? ")(" : ")(?:");
            s.shortest = false;
        } else {
            buf_put_u8(&s.out, '\\');
            buf_put_u8(&s.out, pattern.data[i]);
        }
    }
    buf_put_str(&s.out, ")$");
    return from_buf(ctx, &s.out, out);
}

static Status similar_to_escape(FnCtx *ctx, const Value *args, Value *out)
{
    Slice escape = ctx->arg_count > 1 ? value_to_slice(args[1]) : SLICE_LIT("\\");
    return similar_to_regex(ctx, value_to_slice(args[0]), escape, out);
}

/* substring(text similar pattern escape character): what the part between the two separators matches, or all. */
static Status similar_substring(FnCtx *ctx, const Value *args, Value *out)
{
    Regex *regex;
    const RegexSpan *spans;
    Value pattern;
    bool found;
    TRY(similar_to_regex(ctx, value_to_slice(args[1]), value_to_slice(args[2]), &pattern));
    TRY(regex_at_site(ctx, value_to_slice(pattern), 0, &regex));
    TRY(regex_match(ctx, regex, value_to_slice(args[0]), 0, &found, &spans));
    RegexSpan span = found ? spans[regex_groups(regex) > 0 ? 1 : 0] : (RegexSpan){SIZE_MAX, SIZE_MAX};
    *out = span.start == SIZE_MAX ? VALUE_NULL : value_bytes(args[0].p + span.start, span.end - span.start);
    return ST_OK;
}

/* ---- operators ---- */

static Status matches(FnCtx *ctx, const Value *args, int options, bool negated, Value *out)
{
    Regex *regex;
    const RegexSpan *spans;
    bool found;
    TRY(regex_at_site(ctx, value_to_slice(args[1]), options, &regex));
    TRY(regex_match(ctx, regex, value_to_slice(args[0]), 0, &found, &spans));
    *out = value_bool(found != negated);
    return ST_OK;
}

static Status regex_eq(FnCtx *ctx, const Value *args, Value *out)
{
    return matches(ctx, args, 0, false, out);
}

static Status regex_ne(FnCtx *ctx, const Value *args, Value *out)
{
    return matches(ctx, args, 0, true, out);
}

static Status regex_ieq(FnCtx *ctx, const Value *args, Value *out)
{
    return matches(ctx, args, REGEX_IGNORE_CASE, false, out);
}

static Status regex_ine(FnCtx *ctx, const Value *args, Value *out)
{
    return matches(ctx, args, REGEX_IGNORE_CASE, true, out);
}

/* clang-format off */
#define OP FN_STRICT | FN_IMMUTABLE | FN_OPERATOR
#define FN FN_STRICT | FN_IMMUTABLE
#define SITE NULL, NULL, sizeof(RegexSite)
const FuncDef fn_pattern_rows[] = {
    { 1209, "~~",   "text, text",   "bool", OP, like },
    { 1211, "~~",   "bpchar, text", "bool", OP, like },
    { 2016, "~~",   "bytea, bytea", "bool", OP, like },
    { 1210, "!~~",  "text, text",   "bool", OP, not_like },
    { 1212, "!~~",  "bpchar, text", "bool", OP, not_like },
    { 2017, "!~~",  "bytea, bytea", "bool", OP, not_like },
    { 1627, "~~*",  "text, text",   "bool", OP, ilike },
    { 1629, "~~*",  "bpchar, text", "bool", OP, ilike },
    { 1628, "!~~*", "text, text",   "bool", OP, not_ilike },
    { 1630, "!~~*", "bpchar, text", "bool", OP, not_ilike },
    { 641,  "~",    "text, text",   "bool", OP, regex_eq,  SITE },
    { 1055, "~",    "bpchar, text", "bool", OP, regex_eq,  SITE },
    { 642,  "!~",   "text, text",   "bool", OP, regex_ne,  SITE },
    { 1056, "!~",   "bpchar, text", "bool", OP, regex_ne,  SITE },
    { 1228, "~*",   "text, text",   "bool", OP, regex_ieq, SITE },
    { 1234, "~*",   "bpchar, text", "bool", OP, regex_ieq, SITE },
    { 1229, "!~*",  "text, text",   "bool", OP, regex_ine, SITE },
    { 1235, "!~*",  "bpchar, text", "bool", OP, regex_ine, SITE },
    { 9760, "~~",   "citext, citext", "bool", OP, ilike },
    { 9761, "~~",   "citext, text",   "bool", OP, ilike },
    { 9762, "!~~",  "citext, citext", "bool", OP, not_ilike },
    { 9763, "!~~",  "citext, text",   "bool", OP, not_ilike },
    { 9764, "~~*",  "citext, citext", "bool", OP, ilike },
    { 9765, "~~*",  "citext, text",   "bool", OP, ilike },
    { 9766, "!~~*", "citext, citext", "bool", OP, not_ilike },
    { 9767, "!~~*", "citext, text",   "bool", OP, not_ilike },
    { 9768, "~",    "citext, citext", "bool", OP, regex_ieq, SITE },
    { 9769, "~",    "citext, text",   "bool", OP, regex_ieq, SITE },
    { 9770, "!~",   "citext, citext", "bool", OP, regex_ine, SITE },
    { 9771, "!~",   "citext, text",   "bool", OP, regex_ine, SITE },
    { 9772, "~*",   "citext, citext", "bool", OP, regex_ieq, SITE },
    { 9773, "~*",   "citext, text",   "bool", OP, regex_ieq, SITE },
    { 9774, "!~*",  "citext, citext", "bool", OP, regex_ine, SITE },
    { 9775, "!~*",  "citext, text",   "bool", OP, regex_ine, SITE },
    { 1637, "like_escape", "text, text",       "text", FN, like_escape },
    { 1569, "like", "text, text",              "bool", FN, like },
    { 2009, "like_escape", "bytea, bytea",     "bytea", FN, like_escape },
    { 1571, "like", "name, text",              "bool", FN, like },
    { 2007, "like", "bytea, bytea",            "bool", FN, like },
    { 1570, "notlike", "text, text",           "bool", FN, not_like },
    { 1572, "notlike", "name, text",           "bool", FN, not_like },
    { 2008, "notlike", "bytea, bytea",         "bool", FN, not_like },
    { 1986, "similar_to_escape", "text, text", "text", FN, similar_to_escape },
    { 2074, "substring", "text, text, text",   "text", FN, similar_substring, SITE },
    { 1987, "similar_to_escape", "text",       "text", FN, similar_to_escape },
    { 0 }
};
/* clang-format on */
