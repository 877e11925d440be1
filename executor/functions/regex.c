#define PCRE2_CODE_UNIT_WIDTH 8
#include "executor/functions/regex.h"

#include <pcre2.h>
#include <stdlib.h>

/* Bounds that keep a hostile pattern from running for ever: steps and heap (KiB) of one match. */
enum { MATCH_STEPS_MAX = 10000000, MATCH_HEAP_KIB = 65536 };

struct Regex {
    pcre2_code *code;
    pcre2_match_data *match;
    pcre2_match_context *limits;
    RegexSpan *spans;
    int groups;
};

static void release(void *argument)
{
    Regex *r = argument;
    pcre2_match_data_free(r->match);
    pcre2_match_context_free(r->limits);
    pcre2_code_free(r->code);
    free(r->spans);
    free(r);
}

/* Sites forget their regex when another pattern comes; the deferred release then finds nothing to do. */
static void release_site(void *argument)
{
    RegexSite *site = argument;
    if (site->regex) release(site->regex);
    free(site->pattern);
    *site = (RegexSite){0};
}

static int option_of(uint8_t letter)
{
    switch (letter) {
    case 'i':
        return REGEX_IGNORE_CASE;
    case 'g':
        return REGEX_GLOBAL;
    case 'n':
    case 'm':
        return REGEX_NEWLINE;
    case 'p':
        return REGEX_PARTIAL;
    case 'w':
        return REGEX_WEIRD;
    case 'x':
        return REGEX_EXPANDED;
    case 'q':
        return REGEX_LITERAL;
    case 'c': /* case-sensitive, single-line, tight, advanced: the defaults */
    case 's':
    case 't':
    case 'e':
    case 'b':
        return 0;
    default:
        return -1;
    }
}

Status regex_options(FnCtx *ctx, Slice letters, int *options)
{
    *options = 0;
    for (size_t i = 0; i < letters.size; i++) {
        int option = option_of(letters.data[i]);
        if (option < 0)
            return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE,
                           "invalid regular expression option: \"%.*s\"", 1, (const char *)letters.data + i);
        if (letters.data[i] == 'c') *options &= ~REGEX_IGNORE_CASE;
        if (letters.data[i] == 's') *options &= ~(REGEX_NEWLINE | REGEX_PARTIAL | REGEX_WEIRD);
        *options |= option;
    }
    return ST_OK;
}

static void translate(Slice pattern, int *options, Buf *out)
{
    if (slice_starts_with(pattern, SLICE_LIT("***="))) {
        *options |= REGEX_LITERAL;
        pattern = slice_of(pattern.data + 4, pattern.size - 4);
    } else if (slice_starts_with(pattern, SLICE_LIT("***:"))) {
        pattern = slice_of(pattern.data + 4, pattern.size - 4);
    }
    if (*options & REGEX_LITERAL) {
        buf_put_slice(out, pattern);
        return;
    }
    for (size_t i = 0; i < pattern.size; i++) {
        uint8_t c = pattern.data[i];
        if (c != '\\' || i + 1 == pattern.size) {
            buf_put_u8(out, c);
            continue;
        }
        uint8_t next = pattern.data[++i];
        if (next == 'y')
            buf_put_str(out, "\\b");
        else if (next == 'Y')
            buf_put_str(out, "\\B");
        else if (next == 'm')
            buf_put_str(out, "\\b(?=\\w)");
        else if (next == 'M')
            buf_put_str(out, "\\b(?<=\\w)");
        else if (next == 'Z')
            buf_put_str(out, "\\z");
        else {
            buf_put_u8(out, '\\');
            buf_put_u8(out, next);
        }
    }
}

static uint32_t pcre_options(int options)
{
    uint32_t flags = PCRE2_UTF | PCRE2_UCP | PCRE2_NO_UTF_CHECK | PCRE2_DOLLAR_ENDONLY;
    if (options & REGEX_IGNORE_CASE) flags |= PCRE2_CASELESS;
    if (!(options & (REGEX_NEWLINE | REGEX_PARTIAL))) flags |= PCRE2_DOTALL;
    if (options & (REGEX_NEWLINE | REGEX_WEIRD)) flags |= PCRE2_MULTILINE;
    if (options & REGEX_EXPANDED) flags |= PCRE2_EXTENDED;
    if (options & REGEX_LITERAL) flags = (flags & ~(uint32_t)PCRE2_DOLLAR_ENDONLY & ~(uint32_t)PCRE2_DOTALL &
                                          ~(uint32_t)PCRE2_MULTILINE & ~(uint32_t)PCRE2_EXTENDED & ~(uint32_t)PCRE2_UCP) | PCRE2_LITERAL;
    return flags;
}

static Status compile(FnCtx *ctx, Slice pattern, int options, Regex **regex)
{
    Buf text = {0};
    int problem;
    PCRE2_SIZE at;
    translate(pattern, &options, &text);
    pcre2_code *code = pcre2_compile(text.data ? text.data : (const uint8_t *)"", text.size, pcre_options(options), &problem, &at, NULL);
    buf_finish(&text);
    if (!code) {
        char message[128];
        pcre2_get_error_message(problem, (PCRE2_UCHAR *)message, sizeof message);
        return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_REGULAR_EXPRESSION, "invalid regular expression: %s",
                       message);
    }
    uint32_t groups;
    pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &groups);
    Regex *r = calloc(1, sizeof *r);
    RegexSpan *spans = calloc(groups + 1, sizeof *spans);
    if (!r || !spans) {
        free(r);
        free(spans);
        pcre2_code_free(code);
        return err_no_memory(ctx->type.err);
    }
    *r = (Regex){code, pcre2_match_data_create_from_pattern(code, NULL), pcre2_match_context_create(NULL), spans, (int)groups};
    if (r->limits) {
        pcre2_set_match_limit(r->limits, MATCH_STEPS_MAX);
        pcre2_set_heap_limit(r->limits, MATCH_HEAP_KIB);
    }
    pcre2_jit_compile(code, PCRE2_JIT_COMPLETE); /* without it the interpreter matches */
    *regex = r;
    return ST_OK;
}

Status regex_at_site(FnCtx *ctx, Slice pattern, int options, Regex **regex)
{
    RegexSite *site = ctx->site;
    if (site->regex && site->options == options &&
        slice_equal(slice_of(site->pattern, site->pattern_size), pattern)) {
        *regex = site->regex;
        return ST_OK;
    }
    bool registered = site->regex != NULL;
    Regex *made = NULL;
    TRY(compile(ctx, pattern, options, &made));
    if (registered) release_site(site);
    char *copy = malloc(pattern.size + 1);
    if (!copy) {
        release(made);
        return err_no_memory(ctx->type.err);
    }
    if (pattern.size) memcpy(copy, pattern.data, pattern.size);
    *site = (RegexSite){made, copy, pattern.size, options};
    if (!registered) arena_defer(ctx->site_arena, release_site, site);
    *regex = made;
    return ST_OK;
}

int regex_groups(const Regex *regex)
{
    return regex->groups;
}

Status regex_match(FnCtx *ctx, Regex *r, Slice text, size_t from, bool *found, const RegexSpan **spans)
{
    int rc = pcre2_match(r->code, text.size ? text.data : (const uint8_t *)"", text.size, from, PCRE2_NO_UTF_CHECK, r->match, r->limits);
    *found = rc >= 0;
    *spans = r->spans;
    if (rc == PCRE2_ERROR_NOMATCH) return ST_OK;
    if (rc < 0) {
        char message[128];
        pcre2_get_error_message(rc, (PCRE2_UCHAR *)message, sizeof message);
        return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_REGULAR_EXPRESSION, "regular expression failed: %s",
                       message);
    }
    const PCRE2_SIZE *offsets = pcre2_get_ovector_pointer(r->match);
    for (int g = 0; g <= r->groups; g++) {
        bool took_part = g < rc && offsets[2 * g] != PCRE2_UNSET;
        r->spans[g] = took_part ? (RegexSpan){offsets[2 * g], offsets[2 * g + 1]} : (RegexSpan){SIZE_MAX, SIZE_MAX};
    }
    return ST_OK;
}
