/* format_template.c - templates to nodes; the words of both kinds of template. */
#include "executor/functions/format_template.h"
#include "storage/base/utf8.h"

const char *const format_months[12] = {"January", "February", "March",     "April",   "May",      "June",
                                       "July",    "August",   "September", "October", "November", "December"};
const char *const format_days[7] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
const char *const format_roman_months[12] = {"I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"};

/* clang-format off */
#define ISO CALENDAR_ISO_WEEK
#define GREGORIAN CALENDAR_GREGORIAN
/* Each word in upper and in lower case; names also with one capital. The longest that fits is taken. */
#define BOTH(upper, lower, field, digits, is_number, calendar)  \
    { upper, field, digits, CASE_UPPER, is_number, calendar },  \
    { lower, field, digits, CASE_LOWER, is_number, calendar }
static const FormatWord date_words[] = {
    /*    words              field                   digits number calendar */
    BOTH("A.D.", "a.d.",     FIELD_ERA,              4, false, CALENDAR_ANY),
    BOTH("B.C.", "b.c.",     FIELD_ERA,              4, false, CALENDAR_ANY),
    BOTH("AD", "ad",         FIELD_ERA,              2, false, CALENDAR_ANY),
    BOTH("BC", "bc",         FIELD_ERA,              2, false, CALENDAR_ANY),
    BOTH("A.M.", "a.m.",     FIELD_HALF_DAY,         4, false, CALENDAR_ANY),
    BOTH("P.M.", "p.m.",     FIELD_HALF_DAY,         4, false, CALENDAR_ANY),
    BOTH("AM", "am",         FIELD_HALF_DAY,         2, false, CALENDAR_ANY),
    BOTH("PM", "pm",         FIELD_HALF_DAY,         2, false, CALENDAR_ANY),
    BOTH("CC", "cc",         FIELD_CENTURY,          2, true,  CALENDAR_ANY),
    BOTH("DAY", "day",       FIELD_DAY_NAME,         0, false, CALENDAR_ANY),
    { "Day",                 FIELD_DAY_NAME,         0, CASE_TITLE, false, CALENDAR_ANY },
    BOTH("DY", "dy",         FIELD_DAY_SHORT,        0, false, CALENDAR_ANY),
    { "Dy",                  FIELD_DAY_SHORT,        0, CASE_TITLE, false, CALENDAR_ANY },
    BOTH("DDD", "ddd",       FIELD_DAY_OF_YEAR,      3, true,  GREGORIAN),
    BOTH("DD", "dd",         FIELD_DAY,              2, true,  GREGORIAN),
    BOTH("D", "d",           FIELD_WEEKDAY,          1, true,  GREGORIAN),
    BOTH("FF1", "ff1",       FIELD_FRACTION,         1, true,  CALENDAR_ANY),
    BOTH("FF2", "ff2",       FIELD_FRACTION,         2, true,  CALENDAR_ANY),
    BOTH("FF3", "ff3",       FIELD_FRACTION,         3, true,  CALENDAR_ANY),
    BOTH("FF4", "ff4",       FIELD_FRACTION,         4, true,  CALENDAR_ANY),
    BOTH("FF5", "ff5",       FIELD_FRACTION,         5, true,  CALENDAR_ANY),
    BOTH("FF6", "ff6",       FIELD_FRACTION,         6, true,  CALENDAR_ANY),
    BOTH("FX", "fx",         FIELD_FIXED,            0, false, CALENDAR_ANY),
    BOTH("HH24", "hh24",     FIELD_HOUR24,           2, true,  CALENDAR_ANY),
    BOTH("HH12", "hh12",     FIELD_HOUR12,           2, true,  CALENDAR_ANY),
    BOTH("HH", "hh",         FIELD_HOUR12,           2, true,  CALENDAR_ANY),
    BOTH("IDDD", "iddd",     FIELD_ISO_DAY_OF_YEAR,  3, true,  ISO),
    BOTH("ID", "id",         FIELD_ISO_WEEKDAY,      1, true,  ISO),
    BOTH("IW", "iw",         FIELD_ISO_WEEK,         2, true,  ISO),
    BOTH("IYYY", "iyyy",     FIELD_ISO_YEAR,         4, true,  ISO),
    BOTH("IYY", "iyy",       FIELD_ISO_YEAR,         3, true,  ISO),
    BOTH("IY", "iy",         FIELD_ISO_YEAR,         2, true,  ISO),
    BOTH("I", "i",           FIELD_ISO_YEAR,         1, true,  ISO),
    BOTH("J", "j",           FIELD_JULIAN,           1, true,  CALENDAR_ANY),
    BOTH("MI", "mi",         FIELD_MINUTE,           2, true,  CALENDAR_ANY),
    BOTH("MM", "mm",         FIELD_MONTH_NUMBER,     2, true,  GREGORIAN),
    BOTH("MONTH", "month",   FIELD_MONTH_NAME,       0, false, GREGORIAN),
    { "Month",               FIELD_MONTH_NAME,       0, CASE_TITLE, false, GREGORIAN },
    BOTH("MON", "mon",       FIELD_MONTH_SHORT,      0, false, GREGORIAN),
    { "Mon",                 FIELD_MONTH_SHORT,      0, CASE_TITLE, false, GREGORIAN },
    BOTH("MS", "ms",         FIELD_MILLISECOND,      3, true,  CALENDAR_ANY),
    BOTH("OF", "of",         FIELD_OFFSET,           0, false, CALENDAR_ANY),
    BOTH("Q", "q",           FIELD_QUARTER,          1, true,  CALENDAR_ANY),
    BOTH("RM", "rm",         FIELD_ROMAN_MONTH,      0, false, GREGORIAN),
    BOTH("SSSSS", "sssss",   FIELD_SECOND_OF_DAY,    5, true,  CALENDAR_ANY),
    BOTH("SSSS", "ssss",     FIELD_SECOND_OF_DAY,    4, true,  CALENDAR_ANY),
    BOTH("SS", "ss",         FIELD_SECOND,           2, true,  CALENDAR_ANY),
    BOTH("TZH", "tzh",       FIELD_ZONE_HOUR,        2, false, CALENDAR_ANY),
    BOTH("TZM", "tzm",       FIELD_ZONE_MINUTE,      2, true,  CALENDAR_ANY),
    BOTH("TZ", "tz",         FIELD_ZONE,             0, false, CALENDAR_ANY),
    BOTH("US", "us",         FIELD_MICROSECOND,      6, true,  CALENDAR_ANY),
    BOTH("WW", "ww",         FIELD_WEEK,             2, true,  GREGORIAN),
    BOTH("W", "w",           FIELD_WEEK_OF_MONTH,    1, true,  GREGORIAN),
    BOTH("Y,YYY", "y,yyy",   FIELD_YEAR_COMMA,       4, true,  GREGORIAN),
    BOTH("YYYY", "yyyy",     FIELD_YEAR,             4, true,  GREGORIAN),
    BOTH("YYY", "yyy",       FIELD_YEAR,             3, true,  GREGORIAN),
    BOTH("YY", "yy",         FIELD_YEAR,             2, true,  GREGORIAN),
    BOTH("Y", "y",           FIELD_YEAR,             1, true,  GREGORIAN),
    { NULL }
};

#define WORDS(upper, lower, field) { upper, field, 0, CASE_UPPER, false, CALENDAR_ANY }, { lower, field, 0, CASE_LOWER, false, CALENDAR_ANY }
static const FormatWord number_words[] = {
    { ",", NUMBER_COMMA }, { ".", NUMBER_POINT }, { "0", NUMBER_ZERO }, { "9", NUMBER_NINE },
    WORDS("B", "b", NUMBER_BLANK),
    WORDS("C", "c", NUMBER_CURRENCY_C),
    WORDS("D", "d", NUMBER_LOCAL_POINT),
    WORDS("EEEE", "eeee", NUMBER_EXPONENT),
    WORDS("FM", "fm", NUMBER_FILL),
    WORDS("G", "g", NUMBER_GROUP),
    WORDS("L", "l", NUMBER_CURRENCY),
    WORDS("MI", "mi", NUMBER_MINUS),
    WORDS("PL", "pl", NUMBER_PLUS),
    WORDS("PR", "pr", NUMBER_BRACKET),
    WORDS("RN", "rn", NUMBER_ROMAN),
    WORDS("SG", "sg", NUMBER_SIGN),
    WORDS("SP", "sp", NUMBER_SPELL),
    WORDS("S", "s", NUMBER_LOCAL_SIGN),
    WORDS("TH", "th", NUMBER_ORDINAL),
    WORDS("V", "v", NUMBER_SHIFT),
    { NULL }
};

typedef struct ModifierWord { const char *name; int modifier; } ModifierWord;
static const ModifierWord prefixes[] = {
    { "FM", FORMAT_FILL }, { "fm", FORMAT_FILL }, { "TM", FORMAT_LOCAL }, { "tm", FORMAT_LOCAL }, { NULL }
};
static const ModifierWord suffixes[] = {
    { "TH", FORMAT_TH_UPPER }, { "th", FORMAT_TH_LOWER }, { "SP", 0 }, { NULL } /* SP is taken and does nothing */
};
/* clang-format on */

size_t format_character(Slice rest)
{
    size_t length = (size_t)utf8_length(rest.data[0]);
    return length < rest.size ? length : rest.size;
}

static bool is_letter_or_digit(uint8_t c)
{
    return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

bool format_is_separator(uint8_t byte)
{
    return byte > ' ' && byte < 127 && !is_letter_or_digit(byte);
}

static bool is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static const FormatWord *longest_word(FormatTable table, Slice rest)
{
    const FormatWord *best = NULL;
    for (const FormatWord *word = table == FORMAT_DATES ? date_words : number_words; word->name; word++) {
        if (!slice_starts_with(rest, slice_str(word->name))) continue;
        if (!best || strlen(word->name) > strlen(best->name)) best = word;
    }
    return best;
}

static int take_modifier(const ModifierWord *words, Slice *rest)
{
    for (; words->name; words++) {
        Slice name = slice_str(words->name);
        if (!slice_starts_with(*rest, name)) continue;
        *rest = slice_of(rest->data + name.size, rest->size - name.size);
        return words->modifier;
    }
    return 0;
}

static void skip_bytes(Slice *rest, size_t n)
{
    *rest = slice_of(rest->data + n, rest->size - n);
}

static FormatNode character_node(FormatTable table, Slice *rest, bool quoted)
{
    size_t length = format_character(*rest);
    FormatNode node = {FORMAT_CHARACTER, 0, NULL, slice_of(rest->data, length)};
    if (!quoted && table == FORMAT_DATES && format_is_separator(rest->data[0]))
        node.kind = FORMAT_SEPARATOR;
    else if (!quoted && is_space(rest->data[0]))
        node.kind = FORMAT_SPACE;
    skip_bytes(rest, length);
    return node;
}

/* "text": a backslash takes the next character as it is. A missing closing quote is no fault. */
static void take_quoted(FormatTable table, Slice *rest, FormatNode *nodes, int *count)
{
    skip_bytes(rest, 1);
    while (rest->size) {
        if (rest->data[0] == '"') {
            skip_bytes(rest, 1);
            return;
        }
        if (rest->data[0] == '\\' && rest->size > 1) skip_bytes(rest, 1);
        nodes[(*count)++] = character_node(table, rest, true);
    }
}

Status format_template_parse(TypeCtx *ctx, FormatTable table, Slice text, bool standard, const FormatNode **out)
{
    FormatNode *nodes = ARENA_ARRAY(ctx->arena, FormatNode, text.size + 1);
    Slice rest = text;
    int count = 0;
    while (rest.size) {
        int modifiers = table == FORMAT_DATES ? take_modifier(prefixes, &rest) : 0;
        if (!rest.size) break;
        const FormatWord *word = longest_word(table, rest);
        if (word) {
            skip_bytes(&rest, strlen(word->name));
            if (table == FORMAT_DATES) modifiers |= take_modifier(suffixes, &rest);
            nodes[count++] = (FormatNode){FORMAT_FIELD, modifiers, word, {0}};
        } else if (standard && !strchr("-./,':; \"", rest.data[0])) {
            return err_set(ctx->err, ctx->arena, ERR_INVALID_DATETIME_FORMAT, "invalid datetime format separator: \"%.*s\"",
                           (int)format_character(rest), (const char *)rest.data);
        } else if (rest.data[0] == '"') {
            take_quoted(table, &rest, nodes, &count);
        } else {
            if (rest.size > 1 && rest.data[0] == '\\' && rest.data[1] == '"') skip_bytes(&rest, 1);
            nodes[count++] = character_node(table, &rest, false);
        }
    }
    *out = nodes;
    return ST_OK;
}

Status format_ordinal(TypeCtx *ctx, Slice number, bool upper, const char **ending)
{
    static const char *const endings[2][4] = {{"th", "st", "nd", "rd"}, {"TH", "ST", "ND", "RD"}};
    uint8_t last = number.size ? number.data[number.size - 1] : 0;
    if (last < '0' || last > '9')
        return err_set(ctx->err, ctx->arena, ERR_INVALID_TEXT_REPRESENTATION, "\"%.*s\" is not a number", (int)number.size,
                       (const char *)number.data);
    bool teen = number.size > 1 && number.data[number.size - 2] == '1';
    int unit = last - '0';
    *ending = endings[upper][teen || unit > 3 ? 0 : unit];
    return ST_OK;
}
