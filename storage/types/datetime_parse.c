#include "storage/types/datetime_parse.h"

#include <math.h>
#include <stdlib.h>

#include "storage/base/clock.h"
#include "storage/types/type_defs.h"

enum { TOKENS_MAX = 25 };

typedef enum TokenKind { TOKEN_NUMBER, TOKEN_DATE, TOKEN_TIME, TOKEN_WORD, TOKEN_OFFSET, TOKEN_SIGNED_WORD } TokenKind;

typedef struct Token {
    TokenKind kind;
    Slice text;
} Token;

/* What is known so far, and what the next number would mean. */
typedef struct Parse {
    TypeCtx *ctx;
    Oid type;
    const char *type_words;
    Slice text;
    Token tokens[TOKENS_MAX];
    int token_count;
    DateTime *dt;
    bool have_year, have_month, have_day, text_month, two_digit_year, bc, have_meridian, pm, is_word_date, julian,
        iso_time_next;
} Parse;

Status datetime_invalid(TypeCtx *ctx, const char *type_words, Slice text)
{
    return err_set(ctx->err, ctx->arena, ERR_INVALID_DATETIME_FORMAT, "invalid input syntax for type %s: \"%.*s\"",
                   type_words, (int)text.size, (const char *)text.data);
}

Status datetime_out_of_range(TypeCtx *ctx, const char *what, Slice text)
{
    return err_set(ctx->err, ctx->arena, ERR_DATETIME_FIELD_OVERFLOW, "%s out of range: \"%.*s\"", what, (int)text.size,
                   (const char *)text.data);
}

static Status bad(const Parse *p)
{
    return datetime_invalid(p->ctx, p->type_words, p->text);
}

static Status field_overflow(const Parse *p)
{
    return datetime_out_of_range(p->ctx, "date/time field value", p->text);
}

static Status date_overflow(const Parse *p)
{
    datetime_out_of_range(p->ctx, "date/time field value", p->text);
    err_hint(p->ctx->err, p->ctx->arena, "Perhaps you need a different \"datestyle\" setting.");
    return ST_ERROR;
}

/* ---- tokens ---- */

static bool is_alnum(uint8_t c)
{
    return is_alpha(c) || is_digit(c) || c >= 0x80;
}

static size_t scan_digit_token(Slice t, size_t i, TokenKind *kind)
{
    *kind = TOKEN_NUMBER;
    while (i < t.size && is_digit(t.data[i])) i++;
    if (i < t.size && t.data[i] == ':') {
        *kind = TOKEN_TIME;
        while (i < t.size && (is_digit(t.data[i]) || t.data[i] == ':' || t.data[i] == '.')) i++;
        return i;
    }
    if (i == t.size || !strchr("-/.", t.data[i])) return i;
    uint8_t delimiter = t.data[i++];
    if (i < t.size && is_digit(t.data[i])) {
        /* One point may be a fraction; a second one makes a date of it. */
        if (delimiter != '.') *kind = TOKEN_DATE;
        while (i < t.size && is_digit(t.data[i])) i++;
        if (i < t.size && t.data[i] == delimiter) {
            *kind = TOKEN_DATE;
            while (i < t.size && (is_digit(t.data[i]) || t.data[i] == delimiter)) i++;
        }
    } else if (delimiter != '.' || (i < t.size && is_alpha(t.data[i]))) {
        *kind = TOKEN_DATE;
        while (i < t.size && (is_alnum(t.data[i]) || t.data[i] == delimiter)) i++;
    }
    return i;
}

static int month_of(Slice word)
{
    static const char *const names[] = {"january", "february", "march",     "april",   "may",      "june",
                                        "july",    "august",   "september", "october", "november", "december"};
    for (int i = 0; i < 12; i++)
        if (text_is_word(word, names[i]) ||
            (word.size == 3 && text_is_word(word, (char[4]){names[i][0], names[i][1], names[i][2], 0})))
            return i + 1;
    return text_is_word(word, "sept") ? 9 : 0;
}

/* A word; with - or / inside it may be a date (04-Jul-2008 the other way round) or a zone (America/New_York, UTC+3). */
static size_t scan_word_token(Slice t, size_t i, TokenKind *kind)
{
    size_t start = i;
    *kind = TOKEN_WORD;
    while (i < t.size && (is_alpha(t.data[i]) || t.data[i] >= 0x80)) i++;
    if (i == t.size || !strchr("-/.+_", t.data[i])) return i;
    uint8_t delimiter = t.data[i];
    bool month = month_of(slice_of(t.data + start, i - start)) && i + 1 < t.size && is_digit(t.data[i + 1]);
    if (delimiter == '.' && !month) return i;
    *kind = month && delimiter != '+' ? TOKEN_DATE : TOKEN_WORD;
    while (i < t.size && (is_alnum(t.data[i]) || strchr("-/.+_:", t.data[i]))) i++;
    return i;
}

static size_t scan_signed_token(Slice t, size_t i, TokenKind *kind)
{
    i++;
    while (i < t.size && is_space(t.data[i])) i++;
    if (i < t.size && is_digit(t.data[i])) {
        *kind = TOKEN_OFFSET;
        while (i < t.size && (is_digit(t.data[i]) || t.data[i] == ':' || t.data[i] == '.')) i++;
        return i;
    }
    *kind = TOKEN_SIGNED_WORD;
    size_t word = i;
    while (i < t.size && is_alpha(t.data[i])) i++;
    return i > word ? i : 0;
}

static Status scan(Parse *p)
{
    Slice t = p->text;
    for (size_t i = 0; i < t.size;) {
        uint8_t c = t.data[i];
        size_t start = i;
        TokenKind kind = TOKEN_WORD;
        if (is_space(c) || c == ',') {
            i++;
            continue;
        }
        if (is_digit(c))
            i = scan_digit_token(t, i, &kind);
        else if (is_alpha(c))
            i = scan_word_token(t, i, &kind);
        else if (c == '+' || c == '-')
            i = scan_signed_token(t, i, &kind);
        else
            i = 0;
        if (i == 0 || p->token_count == TOKENS_MAX) return bad(p);
        p->tokens[p->token_count++] = (Token){kind, slice_of(t.data + start, i - start)};
    }
    return p->token_count ? ST_OK : bad(p);
}

/* ---- words ---- */

static bool is_weekday(Slice word)
{
    static const char *const names[] = {"sunday", "monday",  "tuesday", "wednesday", "thursday", "friday", "saturday",
                                        "sun",    "mon",     "tue",     "wed",       "thu",      "fri",    "sat",
                                        "tues",   "weds",    "thur",    "thurs"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (text_is_word(word, names[i])) return true;
    return false;
}

static int64_t now_us(const TypeCtx *ctx)
{
    return ctx->env->transaction_start_us ? ctx->env->transaction_start_us : clock_now_us();
}

static void set_date(Parse *p, int64_t days)
{
    CivilTime *c = &p->dt->civil;
    date_to_civil(days, &c->year, &c->month, &c->day);
    p->have_year = p->have_month = p->have_day = p->is_word_date = true;
}

/* today, now and the like. false: no such word. */
static bool relative_word(Parse *p, Slice word)
{
    DateTime *dt = p->dt;
    int64_t local = time_zone_to_local(p->ctx->env->time_zone, now_us(p->ctx));
    int64_t today = date_from_timestamp(local);
    bool is_now = text_is_word(word, "now");
    if (is_now || text_is_word(word, "today"))
        set_date(p, today);
    else if (text_is_word(word, "tomorrow"))
        set_date(p, today + 1);
    else if (text_is_word(word, "yesterday"))
        set_date(p, today - 1);
    else if (text_is_word(word, "epoch"))
        set_date(p, UNIX_EPOCH_DAYS);
    else
        return false;
    if (is_now) {
        timestamp_to_civil(local, &dt->civil);
        dt->has_time = true;
    } else if (text_is_word(word, "epoch")) {
        dt->has_time = dt->has_zone = true;
        dt->east = 0;
    }
    return true;
}

static const TimeZone *zone_by_slice(Slice name)
{
    char text[64];
    if (name.size >= sizeof text) return NULL;
    memcpy(text, name.data, name.size);
    text[name.size] = 0;
    return time_zone_find(text);
}

static Status zone_word(Parse *p, Slice word)
{
    DateTime *dt = p->dt;
    bool is_dst;
    if (word.size == 3 && text_is_word(word, "dst")) return ST_OK;
    if (time_zone_abbreviation(word, &dt->east, &is_dst)) {
        dt->has_zone = true;
        return ST_OK;
    }
    dt->zone = zone_by_slice(word);
    if (!dt->zone) {
        bool like_zone = memchr(word.data, '/', word.size) != NULL;
        if (!like_zone) return bad(p);
        char *lower = arena_strndup(p->ctx->arena, word.data, word.size);
        for (char *c = lower; *c; c++) *c = (char)to_lower((uint8_t)*c);
        return err_set(p->ctx->err, p->ctx->arena, ERR_INVALID_PARAMETER_VALUE, "time zone \"%s\" not recognized",
                       lower);
    }
    dt->has_zone = true;
    return ST_OK;
}

static Status take_word(Parse *p, Slice word)
{
    DateTime *dt = p->dt;
    int month = month_of(word);
    if (month) {
        /* A number read as a month before was the day. */
        if (p->have_month && !p->text_month && !p->have_day) {
            dt->civil.day = dt->civil.month;
            p->have_day = true;
        } else if (p->have_month) {
            return bad(p);
        }
        dt->civil.month = month;
        p->have_month = p->text_month = true;
        return ST_OK;
    }
    if (is_weekday(word) || text_is_word(word, "at") || text_is_word(word, "on")) return ST_OK;
    if (text_is_word(word, "am") || text_is_word(word, "pm")) {
        p->have_meridian = true;
        p->pm = to_lower(word.data[0]) == 'p';
        return ST_OK;
    }
    if (text_is_word(word, "bc") || text_is_word(word, "ad")) {
        p->bc = to_lower(word.data[0]) == 'b';
        return ST_OK;
    }
    if (text_is_word(word, "t") && (p->have_day || p->type == OID_TIME || p->type == OID_TIMETZ)) {
        p->iso_time_next = true;
        return ST_OK;
    }
    if (text_is_word(word, "j") || text_is_word(word, "jd") || text_is_word(word, "julian")) {
        p->julian = true;
        return ST_OK;
    }
    if (text_is_word(word, "infinity") || text_is_word(word, "inf")) {
        dt->kind = DATETIME_INFINITY;
        return ST_OK;
    }
    if (text_is_word(word, "allballs")) {
        dt->civil.hour = dt->civil.minute = dt->civil.second = dt->civil.us = 0;
        dt->has_time = dt->has_zone = true;
        return ST_OK;
    }
    return relative_word(p, word) ? ST_OK : zone_word(p, word);
}

/* ---- times ---- */

/* Decimals behind a point, as microseconds: to the nearest, half ways to the even one; may be 1000000. */
static int fraction_us(Slice digits)
{
    char text[40] = ".";
    size_t n = digits.size < sizeof text - 2 ? digits.size : sizeof text - 2;
    memcpy(text + 1, digits.data, n);
    text[1 + n] = 0;
    return n ? (int)rint(strtod(text, NULL) * 1e6) : 0;
}

static bool scan_int(Slice t, size_t *at, int64_t *out)
{
    size_t start = *at;
    *out = 0;
    while (*at < t.size && is_digit(t.data[*at])) {
        if (*out < INT32_MAX) *out = *out * 10 + (t.data[*at] - '0');
        ++*at;
    }
    return *at > start;
}

static Status set_time(Parse *p, int64_t hour, int64_t minute, int64_t second, int us)
{
    CivilTime *c = &p->dt->civil;
    if (hour > 24 || minute > 59 || second > 60 || (hour == 24 && (minute || second || us))) return field_overflow(p);
    c->hour = (int)hour;
    c->minute = (int)minute;
    c->second = (int)second;
    c->us = us;
    if (p->dt->has_time) return bad(p);
    p->dt->has_time = true;
    return ST_OK;
}

static Status take_time(Parse *p, Slice t)
{
    int64_t hour, minute, second = 0;
    size_t at = 0;
    int us = 0;
    if (!scan_int(t, &at, &hour) || at == t.size || t.data[at++] != ':') return bad(p);
    scan_int(t, &at, &minute);
    if (at < t.size && t.data[at] == ':') {
        at++;
        scan_int(t, &at, &second);
    }
    if (at < t.size && t.data[at] == '.') {
        size_t start = ++at;
        while (at < t.size && is_digit(t.data[at])) at++;
        us = fraction_us(slice_of(t.data + start, at - start));
    }
    return at == t.size ? set_time(p, hour, minute, second, us) : bad(p);
}

/* hh, hh:mm, hh:mm:ss, hhmm or hhmmss after a sign. */
static Status take_offset(Parse *p, Slice t)
{
    int64_t hour = 0, minute = 0, second = 0;
    size_t at = 1;
    while (at < t.size && is_space(t.data[at])) at++;
    size_t start = at;
    if (!scan_int(t, &at, &hour)) return bad(p);
    size_t digits = at - start;
    if (at < t.size && t.data[at] == ':') {
        at++;
        if (!scan_int(t, &at, &minute)) return bad(p);
        if (at < t.size && t.data[at] == ':') {
            at++;
            if (!scan_int(t, &at, &second)) return bad(p);
        }
    } else if (digits > 4) {
        second = hour % 100;
        minute = hour / 100 % 100;
        hour /= 10000;
    } else if (digits > 2) {
        minute = hour % 100;
        hour /= 100;
    }
    if (at != t.size) return bad(p);
    if (hour > 15 || minute > 59 || second > 59)
        return err_set(p->ctx->err, p->ctx->arena, ERR_INVALID_TIME_ZONE_DISPLACEMENT_VALUE,
                       "time zone displacement out of range: \"%.*s\"", (int)p->text.size, (const char *)p->text.data);
    int east = (int)(hour * 3600 + minute * 60 + second);
    if (p->dt->has_zone && !p->dt->zone) p->dt->east = 0;
    p->dt->has_zone = true;
    p->dt->zone = NULL;
    p->dt->east = t.data[0] == '-' ? -east : east;
    return ST_OK;
}

/* ---- numbers ---- */

static Status set_year(Parse *p, int64_t n, size_t digits)
{
    p->dt->civil.year = n;
    p->have_year = true;
    p->two_digit_year = digits <= 2;
    return ST_OK;
}

static Status set_month(Parse *p, int64_t n)
{
    p->dt->civil.month = (int)n;
    p->have_month = true;
    return ST_OK;
}

static Status set_day(Parse *p, int64_t n)
{
    p->dt->civil.day = (int)n;
    p->have_day = true;
    return ST_OK;
}

/* Run-together fields: yyyymmdd, yymmdd, hhmmss, hhmm. */
static Status take_run(Parse *p, Slice t)
{
    Slice whole = t;
    int us = 0;
    const uint8_t *point = memchr(t.data, '.', t.size);
    if (point) {
        whole.size = (size_t)(point - t.data);
        us = fraction_us(slice_of(point + 1, t.size - whole.size - 1));
    }
    int64_t n = 0;
    for (size_t i = 0; i < whole.size; i++) n = n < INT64_MAX / 20 ? n * 10 + (whole.data[i] - '0') : n;
    bool date_done = p->have_year && p->have_month && p->have_day;
    bool wants_time = (p->type == OID_TIME || p->type == OID_TIMETZ) && whole.size == 6;
    if (!date_done && !point && whole.size >= 6 && !wants_time) {
        set_day(p, n % 100);
        set_month(p, n / 100 % 100);
        return set_year(p, n / 10000, whole.size - 4);
    }
    if (!p->dt->has_time && whole.size == 6) return set_time(p, n / 10000, n / 100 % 100, n % 100, us);
    if (!p->dt->has_time && whole.size == 4 && !point) return set_time(p, n / 100, n % 100, 0, 0);
    return bad(p);
}

/* The day of the year, as in 1999.123 or 1999-123. */
static Status set_day_of_year(Parse *p, int64_t day)
{
    set_date(p, date_from_civil(p->dt->civil.year, 1, 1) + day - 1);
    p->is_word_date = false;
    return ST_OK;
}

static Status take_date_number(Parse *p, Slice t)
{
    int64_t n = 0;
    DateOrder order = p->ctx->env->date_order;
    for (size_t i = 0; i < t.size; i++) {
        if (!is_digit(t.data[i])) return bad(p);
        if (n < INT32_MAX) n = n * 10 + (t.data[i] - '0');
    }
    if (n > INT32_MAX) return field_overflow(p);
    int known = p->have_year | p->have_month << 1 | p->have_day << 2;
    switch (known) {
    case 0:
        if (t.size >= 3 || order == DATE_YMD) return set_year(p, n, t.size);
        return order == DATE_DMY ? set_day(p, n) : set_month(p, n);
    case 1: /* year */
        if (t.size == 3 && !p->two_digit_year && n >= 1 && n <= 366) return set_day_of_year(p, n);
        return set_month(p, n);
    case 2: /* month */
        if (p->text_month && (t.size >= 3 || order == DATE_YMD)) return set_year(p, n, t.size);
        return set_day(p, n);
    case 3: /* year, month */
        if (p->text_month && t.size >= 3 && p->two_digit_year) {
            set_day(p, p->dt->civil.year);
            return set_year(p, n, t.size);
        }
        return set_day(p, n);
    case 4: /* day */
        return set_month(p, n);
    case 6: /* month, day */
        return set_year(p, n, t.size);
    default:
        return take_run(p, t);
    }
}

static Status take_number(Parse *p, Slice t)
{
    const uint8_t *point = memchr(t.data, '.', t.size);
    size_t whole = point ? (size_t)(point - t.data) : t.size;
    if (p->julian) {
        int64_t n;
        size_t at = 0;
        if (point || !scan_int(t, &at, &n) || n > INT32_MAX / 2) return bad(p);
        p->julian = false;
        set_date(p, n - 2451545);
        return ST_OK;
    }
    if (p->iso_time_next) {
        p->iso_time_next = false;
        if (whole == 2 && !point) return set_time(p, (t.data[0] - '0') * 10 + t.data[1] - '0', 0, 0, 0);
        return take_run(p, t);
    }
    bool none = !p->have_year && !p->have_month && !p->have_day;
    if (none && point && whole == 4 && t.size == 8) {
        TRY(take_date_number(p, slice_of(t.data, whole)));
        return take_date_number(p, slice_of(point + 1, 3));
    }
    if (p->type == OID_TIME || p->type == OID_TIMETZ) {
        if (none && (whole == 4 || whole == 6)) return take_run(p, t);
    }
    if (whole >= 6 || point) return take_run(p, t);
    return take_date_number(p, t);
}

static Status take_date(Parse *p, Slice t)
{
    Slice parts[3];
    int count = 0;
    for (size_t i = 0; i < t.size;) {
        size_t start = i;
        bool digits = is_digit(t.data[i]);
        while (i < t.size && is_alnum(t.data[i]) && is_digit(t.data[i]) == digits) i++;
        if (i == start || count == 3) return bad(p);
        parts[count++] = slice_of(t.data + start, i - start);
        if (i < t.size && !is_alnum(t.data[i])) i++;
    }
    /* A month in letters settles what the numbers are, wherever it stands. */
    for (int i = 0; i < count; i++) {
        int month = is_alpha(parts[i].data[0]) ? month_of(parts[i]) : 0;
        if (!is_alpha(parts[i].data[0])) continue;
        if (!month || p->have_month) return bad(p);
        set_month(p, month);
        p->text_month = true;
        parts[i].size = 0;
    }
    for (int i = 0; i < count; i++)
        if (parts[i].size) TRY(take_date_number(p, parts[i]));
    return p->have_year && p->have_month && p->have_day ? ST_OK : bad(p);
}

/* ---- the whole ---- */

static Status finish_date(Parse *p)
{
    CivilTime *c = &p->dt->civil;
    if (!p->have_year && !p->have_month && !p->have_day) return ST_OK;
    bool month_valid = c->month >= 1 && c->month <= 12, day_valid = c->day >= 1 && c->day <= 31;
    bool complete = p->have_year && p->have_month && p->have_day,
         is_time = p->type == OID_TIME || p->type == OID_TIMETZ;
    if (!complete && is_time) return bad(p);
    if ((p->have_month && !month_valid) || (p->have_day && !day_valid)) return date_overflow(p);
    if (!complete) return bad(p);
    p->dt->has_date = true;
    if (p->is_word_date) return ST_OK;
    if (p->bc) {
        if (c->year <= 0) return field_overflow(p);
        c->year = 1 - c->year;
    } else if (p->two_digit_year) {
        c->year += c->year < 70 ? 2000 : 1900;
    } else if (c->year <= 0) {
        return field_overflow(p);
    }
    return c->day > days_in_month(c->year, c->month) ? field_overflow(p) : ST_OK;
}

static Status finish_time(Parse *p)
{
    CivilTime *c = &p->dt->civil;
    if (!p->have_meridian) return ST_OK;
    if (!p->dt->has_time) return bad(p);
    if (c->hour > 12) return field_overflow(p);
    if (p->pm && c->hour != 12) c->hour += 12;
    if (!p->pm && c->hour == 12) c->hour = 0;
    return ST_OK;
}

static Status take(Parse *p, const Token *token)
{
    switch (token->kind) {
    case TOKEN_NUMBER: return take_number(p, token->text);
    case TOKEN_DATE: return take_date(p, token->text);
    case TOKEN_TIME: return take_time(p, token->text);
    case TOKEN_OFFSET:
        return p->dt->has_time || p->is_word_date || p->type == OID_DATE ? take_offset(p, token->text) : bad(p);
    case TOKEN_WORD: return take_word(p, token->text);
    case TOKEN_SIGNED_WORD: break;
    }
    Slice word = text_trim(slice_of(token->text.data + 1, token->text.size - 1));
    if (token->text.data[0] != '-' || (!text_is_word(word, "infinity") && !text_is_word(word, "inf"))) return bad(p);
    p->dt->kind = DATETIME_MINUS_INFINITY;
    return ST_OK;
}

Status datetime_parse(TypeCtx *ctx, Oid type, const char *type_words, Slice text, DateTime *out)
{
    Parse p = {.ctx = ctx, .type = type, .type_words = type_words, .text = text, .dt = out};
    *out = (DateTime){.civil = {.year = 2000, .month = 1, .day = 1}};
    TRY(scan(&p));
    for (int i = 0; i < p.token_count; i++) TRY(take(&p, &p.tokens[i]));
    if (out->kind != DATETIME_FIELDS) {
        bool is_time = type == OID_TIME || type == OID_TIMETZ;
        return p.token_count == 1 && !is_time ? ST_OK : bad(&p);
    }
    TRY(finish_date(&p));
    TRY(finish_time(&p));
    if (type == OID_TIME || type == OID_TIMETZ) return out->has_time ? ST_OK : bad(&p);
    return out->has_date ? ST_OK : bad(&p);
}

/* The calendar's whole range and then some fits here; the type's own limits are checked by the caller. */
Status datetime_local_us(TypeCtx *ctx, const char *type_words, Slice text, const DateTime *dt, int64_t *us)
{
    const CivilTime *c = &dt->civil;
    if (c->year > 300000 || c->year < -4800) return datetime_out_of_range(ctx, type_words, text);
    __int128 total = (__int128)date_from_civil(c->year, c->month, c->day) * US_PER_DAY + c->hour * US_PER_HOUR +
                     c->minute * US_PER_MINUTE + c->second * US_PER_SECOND + c->us;
    if (total < TIMESTAMP_MIN || total >= TIMESTAMP_END) return datetime_out_of_range(ctx, type_words, text);
    *us = (int64_t)total;
    return ST_OK;
}

Status datetime_utc_us(TypeCtx *ctx, const char *type_words, Slice text, const DateTime *dt, int64_t *us)
{
    const CivilTime *c = &dt->civil;
    if (c->year > 300000 || c->year < -4800) return datetime_out_of_range(ctx, type_words, text);
    __int128 local = (__int128)date_from_civil(c->year, c->month, c->day) * US_PER_DAY + c->hour * US_PER_HOUR +
                     c->minute * US_PER_MINUTE + c->second * US_PER_SECOND + c->us;
    if (local < TIMESTAMP_MIN - US_PER_DAY || local >= (__int128)TIMESTAMP_END + US_PER_DAY)
        return datetime_out_of_range(ctx, type_words, text);
    const TimeZone *zone = dt->has_zone ? dt->zone : ctx->env->time_zone;
    *us =
        dt->has_zone && !dt->zone ? (int64_t)local - dt->east * US_PER_SECOND : time_zone_to_utc(zone, (int64_t)local);
    if (*us < TIMESTAMP_MIN || *us >= TIMESTAMP_END) return datetime_out_of_range(ctx, type_words, text);
    return ST_OK;
}
