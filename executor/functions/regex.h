/* regex.h - PostgreSQL's advanced regular expressions, run by PCRE2.
 *
 * The pattern is translated (\y \m \M \Y \A \Z, the ***: and ***= prefixes, $ only at the very end, . matches a newline) and
 * kept at the call site, so a constant pattern is compiled once. Known difference: alternatives are tried from the left
 * (PCRE2) where PostgreSQL takes the longest.
 */
#ifndef EXECUTOR_FUNCTIONS_REGEX_H
#define EXECUTOR_FUNCTIONS_REGEX_H

#include "storage/catalog/builtin.h"

typedef struct Regex Regex;

typedef struct RegexSite { /* FuncDef.site_size of every function that uses regex_at_site */
    Regex *regex;
    char *pattern;
    size_t pattern_size;
    int options;
} RegexSite;

typedef enum RegexOption {
    REGEX_IGNORE_CASE = 1,
    REGEX_GLOBAL = 2,
    REGEX_NEWLINE = 4,  /* n, m: . and [^ ] stop at a newline, ^ and $ match at lines */
    REGEX_PARTIAL = 8,  /* p: only . and [^ ] */
    REGEX_WEIRD = 16,   /* w: only ^ and $ */
    REGEX_EXPANDED = 32,
    REGEX_LITERAL = 64
} RegexOption;

/* Letters such as "gi"; 22023 for an unknown one. */
Status regex_options(FnCtx *ctx, Slice letters, int *options);
/* The compiled pattern, from the site if it is the same as last time. 2201B for a bad one. */
Status regex_at_site(FnCtx *ctx, Slice pattern, int options, Regex **regex);

typedef struct RegexSpan {
    size_t start, end; /* start == SIZE_MAX: the group took no part */
} RegexSpan;
/* Groups 0..regex_groups(r); spans stay until the next match. *found false: no match at or behind `from`. */
Status regex_match(FnCtx *ctx, Regex *regex, Slice text, size_t from, bool *found, const RegexSpan **spans);
int regex_groups(const Regex *regex);

#endif
