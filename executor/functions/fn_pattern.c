/* fn_pattern.c - LIKE, ILIKE, SIMILAR TO and the regular expression operators and functions. */
#include "executor/functions/families.h"
#include "executor/functions/regex.h"
#include "executor/functions/text_case.h"
#include "storage/base/utf8.h"
#include "storage/types/type_array.h"

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

static Status similar_to_regex(FnCtx *ctx, Slice pattern, Slice escape, Value *out)
{
    Buf buf = {0};
    bool in_class = false;
    TRY(check_escape(ctx, escape));
    buf_put_str(&buf, "^(?:");
    for (size_t i = 0; i < pattern.size; i++) {
        uint8_t c = pattern.data[i];
        Slice rest = slice_of(pattern.data + i, pattern.size - i);
        if (escape.size && slice_starts_with(rest, escape) && i + escape.size < pattern.size) {
            i += escape.size;
            buf_put_u8(&buf, '\\');
            buf_put_u8(&buf, pattern.data[i]);
        } else if (in_class) {
            if (c == '\\') buf_put_u8(&buf, '\\');
            buf_put_u8(&buf, c);
            in_class = c != ']';
        } else if (c == '%') {
            buf_put_str(&buf, ".*");
        } else if (c == '_') {
            buf_put_u8(&buf, '.');
        } else {
            if (c == '\\' || c == '.' || c == '^' || c == '$') buf_put_u8(&buf, '\\');
            buf_put_u8(&buf, c);
            in_class = c == '[';
            if (c == '(') buf_put_str(&buf, "?:");
        }
    }
    buf_put_str(&buf, ")$");
    return from_buf(ctx, &buf, out);
}

static Status similar_to_escape(FnCtx *ctx, const Value *args, Value *out)
{
    Slice escape = ctx->arg_count > 1 ? value_to_slice(args[1]) : SLICE_LIT("\\");
    return similar_to_regex(ctx, value_to_slice(args[0]), escape, out);
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

/* ---- functions ---- */

static Status options_of(FnCtx *ctx, const Value *args, int argument, int *options)
{
    *options = 0;
    return ctx->arg_count > argument ? regex_options(ctx, value_to_slice(args[argument]), options) : ST_OK;
}

static Value span_value(Slice text, RegexSpan span)
{
    return span.start == SIZE_MAX ? VALUE_NULL : value_bytes(text.data + span.start, span.end - span.start);
}

/* substring(text from pattern): the first group, or the whole match if there is none. */
static Status regex_substring(FnCtx *ctx, const Value *args, Value *out)
{
    Regex *regex;
    const RegexSpan *spans;
    bool found;
    Slice text = value_to_slice(args[0]);
    TRY(regex_at_site(ctx, value_to_slice(args[1]), 0, &regex));
    TRY(regex_match(ctx, regex, text, 0, &found, &spans));
    *out = found ? span_value(text, spans[regex_groups(regex) > 0 ? 1 : 0]) : VALUE_NULL;
    return ST_OK;
}

static void put_replacement(Buf *buf, Slice text, Slice with, const RegexSpan *spans, int groups)
{
    for (size_t i = 0; i < with.size; i++) {
        uint8_t c = with.data[i];
        if (c != '\\' || i + 1 == with.size) {
            buf_put_u8(buf, c);
            continue;
        }
        uint8_t next = with.data[++i];
        int group = next == '&' ? 0 : next >= '1' && next <= '9' ? next - '0' : -1;
        if (group < 0) {
            if (next != '\\') buf_put_u8(buf, '\\');
            buf_put_u8(buf, next);
        } else if (group <= groups && spans[group].start != SIZE_MAX) {
            buf_put(buf, text.data + spans[group].start, spans[group].end - spans[group].start);
        }
    }
}

static Status regexp_replace(FnCtx *ctx, const Value *args, Value *out)
{
    Regex *regex;
    Slice text = value_to_slice(args[0]);
    int options;
    size_t from = 0, copied = 0;
    Buf buf = {0};
    TRY(options_of(ctx, args, 3, &options));
    TRY(regex_at_site(ctx, value_to_slice(args[1]), options & ~REGEX_GLOBAL, &regex));
    while (from <= text.size) {
        const RegexSpan *spans;
        bool found;
        if (regex_match(ctx, regex, text, from, &found, &spans) != ST_OK) {
            buf_finish(&buf);
            return ST_ERROR;
        }
        if (!found) break;
        buf_put(&buf, text.data + copied, spans[0].start - copied);
        put_replacement(&buf, text, value_to_slice(args[2]), spans, regex_groups(regex));
        copied = spans[0].end;
        from = spans[0].end;
        if (spans[0].end == spans[0].start) from += from < text.size ? (size_t)utf8_length(text.data[from]) : 1;
        if (!(options & REGEX_GLOBAL)) break;
    }
    buf_put(&buf, text.data + copied, text.size - copied);
    return from_buf(ctx, &buf, out);
}

static Status groups_array(FnCtx *ctx, Regex *regex, Slice text, const RegexSpan *spans, Value *out)
{
    int groups = regex_groups(regex), first = groups ? 1 : 0, count = groups ? groups : 1;
    Value *items = ARENA_ARRAY(ctx->type.arena, Value, count);
    for (int i = 0; i < count; i++) items[i] = span_value(text, spans[first + i]);
    return array_build(&ctx->type, OID_TEXT, items, count, out);
}

static Status regexp_match(FnCtx *ctx, const Value *args, Value *out)
{
    Regex *regex;
    const RegexSpan *spans;
    bool found;
    int options;
    Slice text = value_to_slice(args[0]);
    TRY(options_of(ctx, args, 2, &options));
    if (options & REGEX_GLOBAL) {
        err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE,
                "regexp_match() does not support the \"global\" option");
        err_hint(ctx->type.err, ctx->type.arena, "Use the regexp_matches function instead.");
        return ST_ERROR;
    }
    TRY(regex_at_site(ctx, value_to_slice(args[1]), options, &regex));
    TRY(regex_match(ctx, regex, text, 0, &found, &spans));
    *out = VALUE_NULL;
    return found ? groups_array(ctx, regex, text, spans, out) : ST_OK;
}

static Status regexp_like(FnCtx *ctx, const Value *args, Value *out)
{
    int options;
    TRY(options_of(ctx, args, 2, &options));
    return matches(ctx, args, options & ~REGEX_GLOBAL, false, out);
}

static Status regexp_count(FnCtx *ctx, const Value *args, Value *out)
{
    Regex *regex;
    Slice text = value_to_slice(args[0]);
    int64_t count = 0;
    size_t from = 0;
    TRY(regex_at_site(ctx, value_to_slice(args[1]), 0, &regex));
    while (from <= text.size) {
        const RegexSpan *spans;
        bool found;
        TRY(regex_match(ctx, regex, text, from, &found, &spans));
        if (!found) break;
        count++;
        from = spans[0].end;
        if (spans[0].end == spans[0].start) from += from < text.size ? (size_t)utf8_length(text.data[from]) : 1;
    }
    *out = value_int(count);
    return ST_OK;
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
    { 1637, "like_escape", "text, text",       "text", FN, like_escape },
    { 1569, "like", "text, text",              "bool", FN, like },
    { 1570, "notlike", "text, text",           "bool", FN, not_like },
    { 1986, "similar_to_escape", "text, text", "text", FN, similar_to_escape },
    { 1987, "similar_to_escape", "text",       "text", FN, similar_to_escape },
    { 2073, "substring", "text, text",         "text", FN, regex_substring, SITE },
    { 2284, "regexp_replace", "text, text, text",       "text", FN, regexp_replace, SITE },
    { 2285, "regexp_replace", "text, text, text, text", "text", FN, regexp_replace, SITE },
    { 3396, "regexp_match", "text, text",       "_text", FN, regexp_match, SITE },
    { 3397, "regexp_match", "text, text, text", "_text", FN, regexp_match, SITE },
    { 6263, "regexp_like", "text, text",        "bool", FN, regexp_like, SITE },
    { 6264, "regexp_like", "text, text, text",  "bool", FN, regexp_like, SITE },
    { 6254, "regexp_count", "text, text",       "int4", FN, regexp_count, SITE },
    { 0 }
};
/* clang-format on */
