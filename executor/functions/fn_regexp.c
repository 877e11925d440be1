/* fn_regexp.c - regexp_match and its family, substring(text from pattern). */
#include "executor/functions/families.h"
#include "executor/functions/regex.h"
#include "storage/base/utf8.h"
#include "storage/types/type_array.h"

static Status bad_parameter(FnCtx *ctx, const char *name, int64_t value)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE,
                   "invalid value for parameter \"%s\": %lld", name, (long long)value);
}

/* The options that argument `argument` says, if the call has that many. */
static Status options_of(FnCtx *ctx, const Value *args, int argument, int *options)
{
    *options = 0;
    return ctx->arg_count > argument ? regex_options(ctx, value_to_slice(args[argument]), options) : ST_OK;
}

static Status options_without_global(FnCtx *ctx, const Value *args, int argument, const char *function, int *options)
{
    TRY(options_of(ctx, args, argument, options));
    if (!(*options & REGEX_GLOBAL)) return ST_OK;
    err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE,
            "%s() does not support the \"global\" option", function);
    if (strcmp(function, "regexp_match") == 0)
        err_hint(ctx->type.err, ctx->type.arena, "Use the regexp_matches function instead.");
    return ST_ERROR;
}

static Value span_value(Slice text, RegexSpan span)
{
    return span.start == SIZE_MAX ? VALUE_NULL : value_bytes(text.data + span.start, span.end - span.start);
}

/* ---- all matches of a text, one after another ---- */

typedef struct Matches {
    Regex *regex;
    Slice text;
    size_t from; /* beyond the text: no more */
    const RegexSpan *spans;
} Matches;

static Status next_match(FnCtx *ctx, Matches *m, bool *found)
{
    *found = false;
    if (m->from > m->text.size) return ST_OK;
    TRY(regex_match(ctx, m->regex, m->text, m->from, found, &m->spans));
    if (!*found) return ST_OK;
    m->from = m->spans[0].end;
    if (m->spans[0].end == m->spans[0].start) /* the same would be found again */
        m->from += m->from < m->text.size ? (size_t)utf8_length(m->text.data[m->from]) : 1;
    return ST_OK;
}

/* Text and pattern from the first two arguments; start is the character to begin at, from 1. */
static Status begin_matches(FnCtx *ctx, const Value *args, int options, int64_t start, Matches *m)
{
    if (start <= 0) return bad_parameter(ctx, "start", start);
    *m = (Matches){.text = value_to_slice(args[0])};
    TRY(regex_at_site(ctx, value_to_slice(args[1]), options & ~REGEX_GLOBAL, &m->regex));
    size_t skipped = (size_t)(start - 1);
    m->from = skipped ? utf8_offset(m->text, skipped) : 0;
    if (skipped && skipped > utf8_count(m->text)) m->from = m->text.size + 1;
    return ST_OK;
}

/* The n-th match; *found false: there are fewer. */
static Status nth_match(FnCtx *ctx, Matches *m, int64_t n, bool *found)
{
    if (n <= 0) return bad_parameter(ctx, "n", n);
    do TRY(next_match(ctx, m, found));
    while (*found && --n > 0);
    return ST_OK;
}

static int64_t int_argument(FnCtx *ctx, const Value *args, int argument, int64_t absent)
{
    return ctx->arg_count > argument ? args[argument].i : absent;
}

/* ---- functions ---- */

/* substring(text from pattern): the first group, or the whole match if there is none. */
static Status regex_substring(FnCtx *ctx, const Value *args, Value *out)
{
    Matches m;
    bool found;
    TRY(begin_matches(ctx, args, 0, 1, &m));
    TRY(next_match(ctx, &m, &found));
    *out = found ? span_value(m.text, m.spans[regex_groups(m.regex) > 0 ? 1 : 0]) : VALUE_NULL;
    return ST_OK;
}

static void put_replacement(Buf *buf, const Matches *m, Slice with)
{
    int groups = regex_groups(m->regex);
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
        } else if (group <= groups && m->spans[group].start != SIZE_MAX) {
            buf_put(buf, m->text.data + m->spans[group].start, m->spans[group].end - m->spans[group].start);
        }
    }
}

/* Replaces the n-th match, or all (n 0). */
static Status replace_matches(FnCtx *ctx, Matches *m, Slice with, int64_t n, Buf *buf)
{
    size_t copied = 0;
    bool found;
    for (int64_t seen = 1;; seen++) {
        TRY(next_match(ctx, m, &found));
        if (!found) break;
        if (n > 0 && seen != n) continue;
        buf_put(buf, m->text.data + copied, m->spans[0].start - copied);
        put_replacement(buf, m, with);
        copied = m->spans[0].end;
        if (n > 0) break;
    }
    buf_put(buf, m->text.data + copied, m->text.size - copied);
    return ST_OK;
}

/* (text, pattern, with [, flags]) or (text, pattern, with, start [, n [, flags]]) */
static Status regexp_replace(FnCtx *ctx, const Value *args, Value *out)
{
    bool numbered = ctx->arg_count > 3 && ctx->arg_types[3].oid == OID_INT4;
    int options = 0;
    int64_t start = numbered ? args[3].i : 1;
    Matches m;
    Buf buf = {0};
    if (options_of(ctx, args, numbered ? 5 : 3, &options) != ST_OK) {
        if (!numbered && args[3].size && args[3].p[0] >= '0' && args[3].p[0] <= '9')
            err_hint(ctx->type.err, ctx->type.arena,
                     "If you meant to use regexp_replace() with a start parameter, cast the fourth argument to integer "
                     "explicitly.");
        return ST_ERROR;
    }
    int64_t n = options & REGEX_GLOBAL ? 0 : 1;
    if (numbered) {
        if (start <= 0) return bad_parameter(ctx, "start", start);
        n = int_argument(ctx, args, 4, n);
        if (n < 0) return bad_parameter(ctx, "n", n);
    }
    TRY(begin_matches(ctx, args, options, start, &m));
    Status status = replace_matches(ctx, &m, value_to_slice(args[2]), n, &buf);
    if (status == ST_OK && buf.failed) status = err_no_memory(ctx->type.err);
    if (status == ST_OK) *out = value_slice(buf_to_arena(&buf, ctx->type.arena));
    buf_finish(&buf);
    return status;
}

static Status groups_array(FnCtx *ctx, const Matches *m, Value *out)
{
    int groups = regex_groups(m->regex), first = groups ? 1 : 0, count = groups ? groups : 1;
    Value *items = ARENA_ARRAY(ctx->type.arena, Value, count);
    for (int i = 0; i < count; i++) items[i] = span_value(m->text, m->spans[first + i]);
    return array_build(&ctx->type, OID_TEXT, items, count, out);
}

static Status regexp_match(FnCtx *ctx, const Value *args, Value *out)
{
    Matches m;
    bool found;
    int options;
    TRY(options_without_global(ctx, args, 2, "regexp_match", &options));
    TRY(begin_matches(ctx, args, options, 1, &m));
    TRY(next_match(ctx, &m, &found));
    *out = VALUE_NULL;
    return found ? groups_array(ctx, &m, out) : ST_OK;
}

static Status regexp_like(FnCtx *ctx, const Value *args, Value *out)
{
    Matches m;
    bool found;
    int options;
    TRY(options_without_global(ctx, args, 2, "regexp_like", &options));
    TRY(begin_matches(ctx, args, options, 1, &m));
    TRY(next_match(ctx, &m, &found));
    *out = value_bool(found);
    return ST_OK;
}

static Status regexp_count(FnCtx *ctx, const Value *args, Value *out)
{
    Matches m;
    bool found;
    int options;
    int64_t count = -1, start = int_argument(ctx, args, 2, 1);
    if (start <= 0) return bad_parameter(ctx, "start", start);
    TRY(options_without_global(ctx, args, 3, "regexp_count", &options));
    TRY(begin_matches(ctx, args, options, start, &m));
    do {
        TRY(next_match(ctx, &m, &found));
        count++;
    } while (found);
    *out = value_int(count);
    return ST_OK;
}

/* What regexp_instr and regexp_substr look for: the span of the subexpression of the n-th match. */
typedef struct Wanted {
    const char *function;
    int64_t start, n, group;
    int flags_argument;
} Wanted;

static Status find_wanted(FnCtx *ctx, const Value *args, Wanted wanted, Slice *text, RegexSpan *span)
{
    Matches m;
    bool found;
    int options;
    TRY(options_without_global(ctx, args, wanted.flags_argument, wanted.function, &options));
    TRY(begin_matches(ctx, args, options, wanted.start, &m));
    TRY(nth_match(ctx, &m, wanted.n, &found));
    *text = m.text;
    *span = found && wanted.group <= regex_groups(m.regex) ? m.spans[wanted.group] : (RegexSpan){SIZE_MAX, SIZE_MAX};
    return ST_OK;
}

/* (text, pattern [, start [, n [, endoption [, flags [, subexpr]]]]]) */
static Status regexp_instr(FnCtx *ctx, const Value *args, Value *out)
{
    Wanted wanted = {"regexp_instr", int_argument(ctx, args, 2, 1), int_argument(ctx, args, 3, 1),
                     int_argument(ctx, args, 6, 0), 5};
    int64_t behind = int_argument(ctx, args, 4, 0);
    RegexSpan span;
    Slice text;
    if (wanted.start <= 0) return bad_parameter(ctx, "start", wanted.start);
    if (wanted.n <= 0) return bad_parameter(ctx, "n", wanted.n);
    if (behind != 0 && behind != 1) return bad_parameter(ctx, "endoption", behind);
    if (wanted.group < 0) return bad_parameter(ctx, "subexpr", wanted.group);
    TRY(find_wanted(ctx, args, wanted, &text, &span));
    size_t at = behind ? span.end : span.start;
    *out = value_int(span.start == SIZE_MAX ? 0 : (int64_t)utf8_count(slice_of(text.data, at)) + 1);
    return ST_OK;
}

/* (text, pattern [, start [, n [, flags [, subexpr]]]]) */
static Status regexp_substr(FnCtx *ctx, const Value *args, Value *out)
{
    Wanted wanted = {"regexp_substr", int_argument(ctx, args, 2, 1), int_argument(ctx, args, 3, 1),
                     int_argument(ctx, args, 5, 0), 4};
    RegexSpan span;
    Slice text;
    if (wanted.start <= 0) return bad_parameter(ctx, "start", wanted.start);
    if (wanted.n <= 0) return bad_parameter(ctx, "n", wanted.n);
    if (wanted.group < 0) return bad_parameter(ctx, "subexpr", wanted.group);
    TRY(find_wanted(ctx, args, wanted, &text, &span));
    *out = span_value(text, span);
    return ST_OK;
}

/* ---- sets: a call site reads one set at a time, so its matches may use the site's regex ---- */

typedef struct MatchSet {
    Matches matches;
    bool all, done;
} MatchSet;

static Status matches_start(FnCtx *ctx, void *state, const Value *args)
{
    MatchSet *set = state;
    int options;
    TRY(options_of(ctx, args, 2, &options));
    set->all = options & REGEX_GLOBAL;
    return begin_matches(ctx, args, options, 1, &set->matches);
}

static Status matches_next(FnCtx *ctx, void *state, Value *out)
{
    MatchSet *set = state;
    bool found = false;
    if (!set->done) TRY(next_match(ctx, &set->matches, &found));
    if (!found) return ST_END;
    set->done = !set->all;
    return groups_array(ctx, &set->matches, out);
}

static const FnRows matches_rows = {sizeof(MatchSet), matches_start, matches_next, NULL};

/* The pieces between matches. Empty matches at either end of the text or right behind another one do not split. */
typedef struct Pieces {
    Matches matches;
    size_t piece_start, last_end;
    bool done;
} Pieces;

static Status pieces_begin(FnCtx *ctx, const Value *args, const char *function, Pieces *pieces)
{
    int options;
    TRY(options_without_global(ctx, args, 2, function, &options));
    *pieces = (Pieces){0};
    return begin_matches(ctx, args, options, 1, &pieces->matches);
}

static Status next_piece(FnCtx *ctx, Pieces *p, Value *out)
{
    Matches *m = &p->matches;
    bool found = true, splits = false;
    if (p->done) return ST_END;
    size_t start = p->piece_start;
    while (found && !splits) {
        TRY(next_match(ctx, m, &found));
        if (!found) break;
        splits = m->spans[0].start < m->text.size && m->spans[0].end > p->last_end;
        p->last_end = m->spans[0].end;
    }
    size_t end = found ? m->spans[0].start : m->text.size;
    p->done = !found;
    p->piece_start = p->last_end;
    *out = value_bytes(m->text.data + start, end - start);
    return ST_OK;
}

static Status split_start(FnCtx *ctx, void *state, const Value *args)
{
    return pieces_begin(ctx, args, "regexp_split_to_table", state);
}

static Status split_next(FnCtx *ctx, void *state, Value *out)
{
    return next_piece(ctx, state, out);
}

static const FnRows split_rows = {sizeof(Pieces), split_start, split_next, NULL};

static Status regexp_split_to_array(FnCtx *ctx, const Value *args, Value *out)
{
    Pieces pieces;
    size_t count = 0, room = 16;
    Value *items = ARENA_ARRAY(ctx->type.arena, Value, room);
    Status status;
    TRY(pieces_begin(ctx, args, "regexp_split_to_array", &pieces));
    while ((status = next_piece(ctx, &pieces, &items[count])) == ST_OK) {
        if (++count < room) continue;
        items = arena_grow(ctx->type.arena, items, room * sizeof *items, room * 2 * sizeof *items);
        room *= 2;
    }
    return status == ST_ERROR ? status : array_build(&ctx->type, OID_TEXT, items, (int)count, out);
}

/* clang-format off */
#define FN FN_STRICT | FN_IMMUTABLE
#define SITE NULL, NULL, sizeof(RegexSite)
#define SET(rows) FN | FN_SET, NULL, NULL, rows, sizeof(RegexSite)
const FuncDef fn_regexp_rows[] = {
    { 2073, "substring", "text, text",                  "text", FN, regex_substring, SITE },
    { 6254, "regexp_count", "text, text",               "int4", FN, regexp_count, SITE },
    { 6255, "regexp_count", "text, text, int4",         "int4", FN, regexp_count, SITE },
    { 6256, "regexp_count", "text, text, int4, text",   "int4", FN, regexp_count, SITE },
    { 6257, "regexp_instr", "text, text",               "int4", FN, regexp_instr, SITE },
    { 6258, "regexp_instr", "text, text, int4",         "int4", FN, regexp_instr, SITE },
    { 6259, "regexp_instr", "text, text, int4, int4",   "int4", FN, regexp_instr, SITE },
    { 6260, "regexp_instr", "text, text, int4, int4, int4",             "int4", FN, regexp_instr, SITE },
    { 6261, "regexp_instr", "text, text, int4, int4, int4, text",       "int4", FN, regexp_instr, SITE },
    { 6262, "regexp_instr", "text, text, int4, int4, int4, text, int4", "int4", FN, regexp_instr, SITE },
    { 6263, "regexp_like", "text, text",                "bool", FN, regexp_like, SITE },
    { 6264, "regexp_like", "text, text, text",          "bool", FN, regexp_like, SITE },
    { 3396, "regexp_match", "text, text",               "_text", FN, regexp_match, SITE },
    { 3397, "regexp_match", "text, text, text",         "_text", FN, regexp_match, SITE },
    { 2763, "regexp_matches", "text, text",             "_text", SET(&matches_rows) },
    { 2764, "regexp_matches", "text, text, text",       "_text", SET(&matches_rows) },
    { 2284, "regexp_replace", "text, text, text",       "text", FN, regexp_replace, SITE },
    { 2285, "regexp_replace", "text, text, text, text", "text", FN, regexp_replace, SITE },
    { 6251, "regexp_replace", "text, text, text, int4, int4, text", "text", FN, regexp_replace, SITE },
    { 6252, "regexp_replace", "text, text, text, int4, int4",       "text", FN, regexp_replace, SITE },
    { 6253, "regexp_replace", "text, text, text, int4",             "text", FN, regexp_replace, SITE },
    { 2767, "regexp_split_to_array", "text, text",       "_text", FN, regexp_split_to_array, SITE },
    { 2768, "regexp_split_to_array", "text, text, text", "_text", FN, regexp_split_to_array, SITE },
    { 2765, "regexp_split_to_table", "text, text",       "text", SET(&split_rows) },
    { 2766, "regexp_split_to_table", "text, text, text", "text", SET(&split_rows) },
    { 6265, "regexp_substr", "text, text",              "text", FN, regexp_substr, SITE },
    { 6266, "regexp_substr", "text, text, int4",        "text", FN, regexp_substr, SITE },
    { 6267, "regexp_substr", "text, text, int4, int4",  "text", FN, regexp_substr, SITE },
    { 6268, "regexp_substr", "text, text, int4, int4, text",       "text", FN, regexp_substr, SITE },
    { 6269, "regexp_substr", "text, text, int4, int4, text, int4", "text", FN, regexp_substr, SITE },
    { 0 }
};
/* clang-format on */
