/* Intervals from and to text, in the four styles. */
#include <math.h>
#include <stdlib.h>

#include "storage/types/time_unit.h"
#include "storage/types/type_defs.h"
#include "storage/types/type_int.h"
#include "storage/types/type_interval.h"
#include "storage/types/type_time.h"

/* clang-format off */
static const struct {
    TimeUnit unit;
    const char *words;
} unit_words[] = {
    {UNIT_MICROSECOND, "us usec usecs useconds microsecon microsecond microseconds"},
    {UNIT_MILLISECOND, "ms msec msecs mseconds millisecon millisecond milliseconds"},
    {UNIT_SECOND, "s sec secs second seconds"},
    {UNIT_MINUTE, "m min mins minute minutes"},
    {UNIT_HOUR, "h hr hrs hour hours"},
    {UNIT_DAY, "d day days"},
    {UNIT_WEEK, "w week weeks"},
    {UNIT_MONTH, "mon mons month months"},
    {UNIT_QUARTER, "qtr quarter"},
    {UNIT_YEAR, "y yr yrs year years"},
    {UNIT_DECADE, "dec decs decade decades"},
    {UNIT_CENTURY, "c cent century centuries"},
    {UNIT_MILLENNIUM, "mil mils millennium millennia"},
    {UNIT_JULIAN, "j jd julian"},
    {UNIT_ISOYEAR, "isoyear"},
    {UNIT_DOW, "dow"},
    {UNIT_ISODOW, "isodow"},
    {UNIT_DOY, "doy"},
    {UNIT_EPOCH, "epoch"},
    {UNIT_TIMEZONE, "timezone"},
    {UNIT_TIMEZONE_HOUR, "timezone_h timezone_hour"},
    {UNIT_TIMEZONE_MINUTE, "timezone_m timezone_minute"},
};
/* clang-format on */

static bool is_one_of(Slice word, const char *words)
{
    for (const char *at = words; *at;) {
        size_t size = strcspn(at, " "), same = 0;
        while (same < size && same < word.size && to_lower(word.data[same]) == (uint8_t)at[same]) same++;
        if (same == size && same == word.size) return true;
        at += size + (at[size] == ' ');
    }
    return false;
}

TimeUnit time_unit_find(Slice word)
{
    for (size_t i = 0; i < sizeof unit_words / sizeof unit_words[0]; i++)
        if (is_one_of(word, unit_words[i].words)) return unit_words[i].unit;
    return UNIT_UNKNOWN;
}

/* ---- reading ---- */

enum { TOKENS_MAX = 25 };

typedef enum TokenKind { TOKEN_NUMBER, TOKEN_YEAR_MONTH, TOKEN_TIME, TOKEN_WORD } TokenKind;

typedef struct Token {
    TokenKind kind;
    Slice text; /* sign included */
} Token;

typedef struct Parse {
    TypeCtx *ctx;
    Slice text;
    int range; /* the typmod's field mask, INTERVAL_MASK_ALL if none */
    Token tokens[TOKENS_MAX];
    int token_count;
    unsigned seen; /* units given so far, a bit each */
    int64_t months, days;
    int64_t us;
    bool overflow;
} Parse;

static Status bad(const Parse *p)
{
    return err_set(p->ctx->err, p->ctx->arena, ERR_INVALID_DATETIME_FORMAT,
                   "invalid input syntax for type interval: \"%.*s\"", (int)p->text.size, (const char *)p->text.data);
}

static Status too_large(const Parse *p)
{
    return err_set(p->ctx->err, p->ctx->arena, ERR_INTERVAL_FIELD_OVERFLOW,
                   "interval field value out of range: \"%.*s\"", (int)p->text.size, (const char *)p->text.data);
}

static void add_us(Parse *p, int64_t n, int64_t unit)
{
    int64_t step;
    p->overflow |= __builtin_mul_overflow(n, unit, &step) || __builtin_add_overflow(p->us, step, &p->us);
}

static void add_months(Parse *p, int64_t n, int64_t unit)
{
    int64_t step;
    p->overflow |= __builtin_mul_overflow(n, unit, &step) || __builtin_add_overflow(p->months, step, &p->months);
}

static void add_days(Parse *p, int64_t n, int64_t unit)
{
    int64_t step;
    p->overflow |= __builtin_mul_overflow(n, unit, &step) || __builtin_add_overflow(p->days, step, &p->days);
}

static void add_us_fraction(Parse *p, double fraction, int64_t unit)
{
    add_us(p, (int64_t)rint(fraction * (double)unit), 1);
}

static void add_day_fraction(Parse *p, double fraction, int unit_days)
{
    double days = fraction * unit_days;
    int64_t whole = (int64_t)days;
    add_days(p, whole, 1);
    add_us_fraction(p, days - (double)whole, US_PER_DAY);
}

/* n units and a fraction of one; false if the unit is no unit of intervals. */
static bool add_unit(Parse *p, TimeUnit unit, int64_t n, double fraction)
{
    static const struct {
        int64_t us, days, months;
    } sizes[] = {
        [UNIT_MICROSECOND] = {1, 0, 0},
        [UNIT_MILLISECOND] = {1000, 0, 0},
        [UNIT_SECOND] = {US_PER_SECOND, 0, 0},
        [UNIT_MINUTE] = {US_PER_MINUTE, 0, 0},
        [UNIT_HOUR] = {US_PER_HOUR, 0, 0},
        [UNIT_DAY] = {0, 1, 0},
        [UNIT_WEEK] = {0, 7, 0},
        [UNIT_MONTH] = {0, 0, 1},
        [UNIT_QUARTER] = {0, 0, 0},
        [UNIT_YEAR] = {0, 0, 12},
        [UNIT_DECADE] = {0, 0, 120},
        [UNIT_CENTURY] = {0, 0, 1200},
        [UNIT_MILLENNIUM] = {0, 0, 12000},
    };
    if (unit > UNIT_MILLENNIUM || unit == UNIT_QUARTER) return false;
    if (sizes[unit].us) {
        add_us(p, n, sizes[unit].us);
        add_us_fraction(p, fraction, sizes[unit].us);
    } else if (sizes[unit].days) {
        add_days(p, n, sizes[unit].days);
        add_day_fraction(p, fraction, (int)sizes[unit].days);
    } else {
        add_months(p, n, sizes[unit].months);
        if (unit == UNIT_MONTH)
            add_day_fraction(p, fraction, 30);
        else
            add_months(p, (int64_t)rint(fraction * (double)sizes[unit].months), 1);
    }
    return true;
}

static size_t scan_token(Slice t, size_t i, TokenKind *kind)
{
    if (t.data[i] == '-' || t.data[i] == '+') {
        i++;
        while (i < t.size && is_space(t.data[i])) i++;
    }
    if (i < t.size && (is_digit(t.data[i]) || t.data[i] == '.')) {
        *kind = TOKEN_NUMBER;
        while (i < t.size && (is_digit(t.data[i]) || t.data[i] == '.')) i++;
        if (i < t.size && t.data[i] == ':') {
            *kind = TOKEN_TIME;
            while (i < t.size && (is_digit(t.data[i]) || t.data[i] == ':' || t.data[i] == '.')) i++;
        } else if (i + 1 < t.size && t.data[i] == '-' && is_digit(t.data[i + 1])) {
            *kind = TOKEN_YEAR_MONTH;
            for (i++; i < t.size && is_digit(t.data[i]);) i++;
            if (i < t.size && t.data[i] == '-') return 0; /* a date */
        }
        return i;
    }
    *kind = TOKEN_WORD;
    size_t start = i;
    while (i < t.size && is_alpha(t.data[i])) i++;
    return i > start ? i : 0;
}

static Status scan(Parse *p)
{
    Slice t = p->text;
    for (size_t i = 0; i < t.size;) {
        size_t start = i;
        TokenKind kind;
        if (is_space(t.data[i]) || t.data[i] == '@' || t.data[i] == ',') {
            i++;
            continue;
        }
        i = scan_token(t, i, &kind);
        if (i == 0 || p->token_count == TOKENS_MAX) return bad(p);
        p->tokens[p->token_count++] = (Token){kind, slice_of(t.data + start, i - start)};
    }
    return p->token_count ? ST_OK : bad(p);
}

static bool take_sign(Slice *t)
{
    bool negative = t->data[0] == '-';
    if (negative || t->data[0] == '+') *t = slice_of(t->data + 1, t->size - 1);
    *t = text_trim(*t);
    return negative;
}

/* Digits, then a fraction. false: not a number; *large is set when it does not fit n. */
static bool take_decimal(Slice t, int64_t *n, double *fraction, bool *large)
{
    size_t i = 0;
    *n = 0;
    *fraction = 0;
    for (; i < t.size && is_digit(t.data[i]); i++)
        *large |= __builtin_mul_overflow(*n, 10, n) || __builtin_add_overflow(*n, t.data[i] - '0', n);
    if (i == t.size) return i > 0;
    char copy[64], *end;
    Slice rest = slice_of(t.data + i, t.size - i < sizeof copy - 1 ? t.size - i : sizeof copy - 1);
    memcpy(copy, rest.data, rest.size);
    copy[rest.size] = 0;
    if (copy[0] != '.') return false;
    if (rest.size == 1) return i > 0; /* "5." */
    *fraction = strtod(copy, &end);
    return *end == 0;
}

static bool see(Parse *p, unsigned bits)
{
    bool fresh = !(p->seen & bits);
    p->seen |= bits;
    return fresh;
}

static unsigned bit_of(TimeUnit unit)
{
    return 1u << unit;
}

static bool scan_int(Slice t, size_t *at, int64_t *out)
{
    size_t start = *at;
    *out = 0;
    for (; *at < t.size && is_digit(t.data[*at]); ++*at)
        if (__builtin_mul_overflow(*out, 10, out) || __builtin_add_overflow(*out, t.data[*at] - '0', out)) return false;
    return *at > start;
}

/* hh:mm, hh:mm:ss, or mm:ss where the typmod or a fraction says so. */
static Status take_time(Parse *p, Slice t, bool negative)
{
    int64_t parts[3] = {0};
    int count = 0;
    size_t at = 0;
    double fraction = 0;
    if (!see(p, bit_of(UNIT_HOUR) | bit_of(UNIT_MINUTE) | bit_of(UNIT_SECOND))) return bad(p);
    for (; count < 3; at++) {
        if (!scan_int(t, &at, &parts[count++])) return at < t.size && is_digit(t.data[at]) ? too_large(p) : bad(p);
        if (at == t.size || t.data[at] != ':') break;
    }
    if (at < t.size && t.data[at] == '.') {
        int64_t none;
        bool large = false;
        Slice rest = slice_of(t.data + at, t.size - at);
        if (rest.size > 1 && !take_decimal(rest, &none, &fraction, &large)) return bad(p);
        at = t.size;
        if (count == 1) return bad(p);
    }
    if (at != t.size) return bad(p);
    bool minutes_first = count == 2 && (p->range == (INTERVAL_MASK_MINUTE | INTERVAL_MASK_SECOND) || fraction != 0);
    int64_t hour = minutes_first ? 0 : parts[0], minute = minutes_first ? parts[0] : parts[1];
    int64_t second = minutes_first ? parts[1] : parts[2];
    if (minute > 59 || second > 60) return too_large(p);
    int sign = negative ? -1 : 1;
    add_us(p, sign * hour, US_PER_HOUR);
    add_us(p, sign * minute, US_PER_MINUTE);
    add_us(p, sign * second, US_PER_SECOND);
    add_us_fraction(p, sign * fraction, US_PER_SECOND);
    return ST_OK;
}

static Status take_year_month(Parse *p, Slice t, bool negative)
{
    int64_t years, months;
    size_t at = 0;
    if (!see(p, bit_of(UNIT_YEAR) | bit_of(UNIT_MONTH))) return bad(p);
    if (!scan_int(t, &at, &years) || t.data[at++] != '-' || !scan_int(t, &at, &months) || at != t.size) return bad(p);
    if (months > 11) return too_large(p);
    int sign = negative ? -1 : 1;
    add_months(p, sign * years, 12);
    add_months(p, sign * months, 1);
    return ST_OK;
}

/* What a number without a unit counts: the last field of the typmod, or seconds. */
static TimeUnit bare_unit(int range)
{
    if (range == INTERVAL_MASK_ALL) return UNIT_SECOND;
    if (range & INTERVAL_MASK_SECOND) return UNIT_SECOND;
    if (range & INTERVAL_MASK_MINUTE) return UNIT_MINUTE;
    if (range & INTERVAL_MASK_HOUR) return UNIT_HOUR;
    if (range & INTERVAL_MASK_DAY) return UNIT_DAY;
    return range & INTERVAL_MASK_MONTH ? UNIT_MONTH : UNIT_YEAR;
}

static Status take_number(Parse *p, Slice t, bool negative, TimeUnit unit)
{
    int64_t n;
    double fraction;
    bool large = false;
    if (!take_decimal(t, &n, &fraction, &large)) return bad(p);
    if (large) return too_large(p);
    if (!see(p, bit_of(unit))) return bad(p);
    return add_unit(p, unit, negative ? -n : n, negative ? -fraction : fraction) ? ST_OK : bad(p);
}

static void negate(Parse *p)
{
    p->overflow |= __builtin_sub_overflow(0, p->months, &p->months) || __builtin_sub_overflow(0, p->days, &p->days) ||
                   __builtin_sub_overflow(0, p->us, &p->us);
}

/* SQL: one sign in front is the sign of all; PostgreSQL: each part has its own. */
static bool one_sign_for_all(const Parse *p)
{
    if (p->ctx->env->interval_style != INTERVAL_SQL_STANDARD || p->tokens[0].text.data[0] != '-') return false;
    for (int i = 1; i < p->token_count; i++)
        if (p->tokens[i].text.data[0] == '-' || p->tokens[i].text.data[0] == '+') return false;
    return true;
}

/* From right to left, as a unit stands behind its number. */
static Status take_tokens(Parse *p)
{
    bool ago = false, all_negative = one_sign_for_all(p), unit_open = false;
    TimeUnit unit = UNIT_UNKNOWN;
    for (int i = p->token_count; i-- > 0;) {
        Slice t = p->tokens[i].text;
        bool signed_text = t.data[0] == '-' || t.data[0] == '+';
        bool negative = take_sign(&t) || (all_negative && !signed_text);
        switch (p->tokens[i].kind) {
        case TOKEN_TIME:
            TRY(take_time(p, t, negative));
            unit = UNIT_DAY;
            break;
        case TOKEN_YEAR_MONTH: TRY(take_year_month(p, t, negative)); break;
        case TOKEN_NUMBER:
            TRY(take_number(p, t, negative, unit == UNIT_UNKNOWN ? bare_unit(p->range) : unit));
            unit = UNIT_UNKNOWN;
            unit_open = false;
            break;
        case TOKEN_WORD:
            if (text_is_word(t, "ago") && i == p->token_count - 1) {
                ago = true;
                break;
            }
            unit = time_unit_find(t);
            if (unit > UNIT_MILLENNIUM || signed_text || unit_open) return bad(p);
            unit_open = true;
            break;
        }
    }
    if (!p->seen || unit_open) return bad(p);
    if (ago) negate(p);
    return ST_OK;
}

/* P1Y2M3DT4H5M6S, P2W, and P0001-02-03T04:05:06. */
static Status take_iso(Parse *p)
{
    Slice t = slice_of(p->text.data + 1, p->text.size - 1);
    bool in_time = false, any = false;
    while (t.size) {
        if (t.data[0] == 'T') {
            if (in_time) return bad(p);
            in_time = true;
            t = slice_of(t.data + 1, t.size - 1);
            any = false;
            continue;
        }
        size_t size = t.data[0] == '-' || t.data[0] == '+';
        while (size < t.size && (is_digit(t.data[size]) || t.data[size] == '.')) size++;
        Slice number = slice_of(t.data, size);
        if (!size) return bad(p);
        bool negative = take_sign(&number), large = false;
        int64_t n;
        double fraction;
        if (!take_decimal(number, &n, &fraction, &large)) return bad(p);
        if (large) return too_large(p);
        uint8_t unit_letter = size < t.size ? t.data[size] : 0;
        if (!in_time && unit_letter == '-') {
            int64_t month, day;
            size_t at = size + 1;
            if (!scan_int(t, &at, &month) || at == t.size || t.data[at++] != '-' || !scan_int(t, &at, &day))
                return bad(p);
            add_months(p, n, 12);
            add_months(p, month, 1);
            add_days(p, day, 1);
            t = slice_of(t.data + at, t.size - at);
            any = true;
            continue;
        }
        if (in_time && (unit_letter == ':')) return take_time(p, t, false);
        const char *letters = in_time ? "HMS" : "YMWD", *found = unit_letter ? strchr(letters, unit_letter) : NULL;
        static const TimeUnit date_units[] = {UNIT_YEAR, UNIT_MONTH, UNIT_WEEK, UNIT_DAY};
        static const TimeUnit time_units[] = {UNIT_HOUR, UNIT_MINUTE, UNIT_SECOND};
        if (!found) return bad(p);
        TimeUnit unit = in_time ? time_units[found - letters] : date_units[found - letters];
        add_unit(p, unit, negative ? -n : n, negative ? -fraction : fraction);
        t = slice_of(t.data + size + 1, t.size - size - 1);
        any = true;
    }
    return any ? ST_OK : bad(p);
}

static void restrict_fields(Interval *interval, int range)
{
    int64_t unit = 1;
    if (range == INTERVAL_MASK_ALL) return;
    if (!(range & (INTERVAL_MASK_DAY | INTERVAL_MASK_HOUR | INTERVAL_MASK_MINUTE | INTERVAL_MASK_SECOND))) {
        if (range == INTERVAL_MASK_YEAR) interval->months = interval->months / 12 * 12;
        interval->days = 0;
        interval->us = 0;
    } else if (range & INTERVAL_MASK_SECOND) {
        unit = 1;
    } else if (range & INTERVAL_MASK_MINUTE) {
        unit = US_PER_MINUTE;
    } else if (range & INTERVAL_MASK_HOUR) {
        unit = US_PER_HOUR;
    } else {
        interval->us = 0;
    }
    interval->us = interval->us / unit * unit;
}

Interval interval_restrict(Interval interval, int32_t typmod)
{
    if (typmod < 0) return interval;
    restrict_fields(&interval, typmod >> 16 & INTERVAL_MASK_ALL);
    if ((typmod & 0xFFFF) != INTERVAL_PRECISION_ALL) interval.us = time_round(interval.us, typmod & 0xFFFF);
    return interval;
}

Status interval_parse(TypeCtx *ctx, Slice text, int32_t typmod, Interval *out)
{
    Parse p = {.ctx = ctx, .text = text, .range = typmod < 0 ? INTERVAL_MASK_ALL : typmod >> 16 & INTERVAL_MASK_ALL};
    Slice trimmed = text_trim(text);
    if (trimmed.size > 1 && trimmed.data[0] == 'P') {
        p.text = trimmed;
        TRY(take_iso(&p));
    } else {
        TRY(scan(&p));
        TRY(take_tokens(&p));
    }
    p.text = text;
    if (p.overflow || p.days > INT32_MAX || p.days < INT32_MIN) return too_large(&p);
    if (p.months > INT32_MAX || p.months < INT32_MIN)
        return err_set(ctx->err, ctx->arena, ERR_DATETIME_FIELD_OVERFLOW, "interval out of range");
    *out = interval_restrict((Interval){p.us, (int32_t)p.days, (int32_t)p.months}, typmod);
    return ST_OK;
}

/* ---- writing ---- */

typedef struct Parts {
    int64_t years, months, days, hours;
    int minutes, seconds, us;
} Parts;

static Parts parts_of(Interval i)
{
    return (Parts){i.months / 12, i.months % 12, i.days, i.us / US_PER_HOUR, (int)(i.us / US_PER_MINUTE % 60),
                   (int)(i.us / US_PER_SECOND % 60), (int)(i.us % US_PER_SECOND)};
}

/* Seconds without sign, with a fraction of no trailing zeros. */
static void put_seconds(int seconds, int us, bool two_digits, Buf *out)
{
    int fraction = abs(us), width = 6;
    if (two_digits)
        int_put_padded(out, (uint64_t)abs(seconds), 2);
    else
        int_put_text(out, abs(seconds));
    if (!fraction) return;
    for (; fraction % 10 == 0; fraction /= 10) width--;
    buf_put_u8(out, '.');
    int_put_padded(out, (uint64_t)fraction, width);
}

static bool negative_time(const Parts *p)
{
    return p->hours < 0 || p->minutes < 0 || p->seconds < 0 || p->us < 0;
}

static uint64_t magnitude(int64_t n)
{
    return n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
}

static void put_part(int64_t n, const char *unit, bool *first, bool *before_negative, Buf *out)
{
    if (n == 0) return;
    if (!*first) buf_put_u8(out, ' ');
    if (*before_negative && n > 0) buf_put_u8(out, '+');
    int_put_text(out, n);
    buf_put_u8(out, ' ');
    buf_put_str(out, unit);
    if (n != 1) buf_put_u8(out, 's');
    *first = false;
    *before_negative = n < 0;
}

static void put_postgres(const Parts *p, Buf *out)
{
    bool first = true, before_negative = false;
    put_part(p->years, "year", &first, &before_negative, out);
    put_part(p->months, "mon", &first, &before_negative, out);
    put_part(p->days, "day", &first, &before_negative, out);
    if (!first && !p->hours && !p->minutes && !p->seconds && !p->us) return;
    if (!first) buf_put_u8(out, ' ');
    if (negative_time(p))
        buf_put_u8(out, '-');
    else if (before_negative)
        buf_put_u8(out, '+');
    if (magnitude(p->hours) < 100)
        int_put_padded(out, magnitude(p->hours), 2);
    else
        int_put_unsigned_text(out, magnitude(p->hours));
    buf_put_u8(out, ':');
    int_put_padded(out, (uint64_t)abs(p->minutes), 2);
    buf_put_u8(out, ':');
    put_seconds(p->seconds, p->us, true, out);
}

/* The first part that is not zero decides whether the whole is "ago". */
static void put_verbose_part(int64_t n, const char *unit, bool *first, bool *ago, Buf *out)
{
    if (n == 0) return;
    if (*first)
        *ago = n < 0;
    if (*ago) n = -n;
    buf_put_u8(out, ' ');
    int_put_text(out, n);
    buf_put_u8(out, ' ');
    buf_put_str(out, unit);
    if (n != 1) buf_put_u8(out, 's');
    *first = false;
}

static void put_verbose(const Parts *p, Buf *out)
{
    bool first = true, ago = false;
    buf_put_u8(out, '@');
    put_verbose_part(p->years, "year", &first, &ago, out);
    put_verbose_part(p->months, "mon", &first, &ago, out);
    put_verbose_part(p->days, "day", &first, &ago, out);
    put_verbose_part(p->hours, "hour", &first, &ago, out);
    put_verbose_part(p->minutes, "min", &first, &ago, out);
    if (p->seconds || p->us) {
        bool negative = p->seconds < 0 || p->us < 0;
        if (first) ago = negative;
        buf_put_u8(out, ' ');
        if (negative != ago) buf_put_u8(out, '-');
        put_seconds(p->seconds, p->us, false, out);
        buf_put_str(out, abs(p->seconds) != 1 || p->us ? " secs" : " sec");
        first = false;
    }
    if (first) buf_put_str(out, " 0");
    if (ago) buf_put_str(out, " ago");
}

static void put_iso_part(int64_t n, char unit, Buf *out)
{
    if (n == 0) return;
    int_put_text(out, n);
    buf_put_u8(out, (uint8_t)unit);
}

static void put_iso(const Parts *p, Buf *out)
{
    bool time = p->hours || p->minutes || p->seconds || p->us;
    if (!time && !p->years && !p->months && !p->days) {
        buf_put_str(out, "PT0S");
        return;
    }
    buf_put_u8(out, 'P');
    put_iso_part(p->years, 'Y', out);
    put_iso_part(p->months, 'M', out);
    put_iso_part(p->days, 'D', out);
    if (!time) return;
    buf_put_u8(out, 'T');
    put_iso_part(p->hours, 'H', out);
    put_iso_part(p->minutes, 'M', out);
    if (!p->seconds && !p->us) return;
    if (p->seconds < 0 || p->us < 0) buf_put_u8(out, '-');
    put_seconds(p->seconds, p->us, false, out);
    buf_put_u8(out, 'S');
}

static void put_clock(const Parts *p, Buf *out)
{
    int_put_unsigned_text(out, magnitude(p->hours));
    buf_put_u8(out, ':');
    int_put_padded(out, (uint64_t)abs(p->minutes), 2);
    buf_put_u8(out, ':');
    put_seconds(p->seconds, p->us, true, out);
}

static void put_year_month(const Parts *p, Buf *out)
{
    int_put_unsigned_text(out, magnitude(p->years));
    buf_put_u8(out, '-');
    int_put_unsigned_text(out, magnitude(p->months));
}

static void put_sql(const Parts *p, Buf *out)
{
    bool negative_clock = negative_time(p), clock = p->hours || p->minutes || p->seconds || p->us;
    bool negative = p->years < 0 || p->months < 0 || p->days < 0 || negative_clock;
    bool positive = p->years > 0 || p->months > 0 || p->days > 0 || (clock && !negative_clock);
    bool year_month = p->years || p->months, day_time = p->days || clock;
    if (!year_month && !day_time) {
        buf_put_u8(out, '0');
    } else if ((negative && positive) || (year_month && day_time)) {
        /* The standard has no such intervals; signs on all parts keep them readable. */
        buf_put_u8(out, p->years < 0 || p->months < 0 ? '-' : '+');
        put_year_month(p, out);
        buf_put_str(out, p->days < 0 ? " -" : " +");
        int_put_unsigned_text(out, magnitude(p->days));
        buf_put_str(out, negative_clock ? " -" : " +");
        put_clock(p, out);
    } else {
        if (negative) buf_put_u8(out, '-');
        if (year_month) {
            put_year_month(p, out);
            return;
        }
        if (p->days) {
            int_put_unsigned_text(out, magnitude(p->days));
            buf_put_u8(out, ' ');
        }
        put_clock(p, out);
    }
}

void interval_put_text(Interval interval, IntervalStyle style, Buf *out)
{
    Parts parts = parts_of(interval);
    switch (style) {
    case INTERVAL_POSTGRES: put_postgres(&parts, out); break;
    case INTERVAL_POSTGRES_VERBOSE: put_verbose(&parts, out); break;
    case INTERVAL_SQL_STANDARD: put_sql(&parts, out); break;
    case INTERVAL_ISO_8601: put_iso(&parts, out); break;
    }
}
