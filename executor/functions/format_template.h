/* format_template.h - the templates of to_char, to_date, to_timestamp and to_number, taken apart.
 *
 * A template is a list of nodes: fields (a word of one of the two tables below, with its modifiers) and the characters between
 * them. The last node is FORMAT_END. Nodes borrow from the template's text.
 */
#ifndef EXECUTOR_FUNCTIONS_FORMAT_TEMPLATE_H
#define EXECUTOR_FUNCTIONS_FORMAT_TEMPLATE_H

#include "storage/catalog/builtin.h"

typedef enum FormatKind { FORMAT_END, FORMAT_FIELD, FORMAT_CHARACTER, FORMAT_SEPARATOR, FORMAT_SPACE } FormatKind;

typedef enum FormatModifier { FORMAT_FILL = 1, FORMAT_LOCAL = 2, FORMAT_TH_UPPER = 4, FORMAT_TH_LOWER = 8 } FormatModifier;

typedef enum FormatCalendar { CALENDAR_ANY, CALENDAR_GREGORIAN, CALENDAR_ISO_WEEK } FormatCalendar;

typedef enum DateField {
    FIELD_ERA, FIELD_HALF_DAY, FIELD_CENTURY, FIELD_DAY_NAME, FIELD_DAY_SHORT, FIELD_DAY_OF_YEAR, FIELD_DAY, FIELD_WEEKDAY,
    FIELD_FRACTION, FIELD_FIXED, FIELD_HOUR24, FIELD_HOUR12, FIELD_ISO_DAY_OF_YEAR, FIELD_ISO_WEEKDAY, FIELD_ISO_WEEK,
    FIELD_JULIAN, FIELD_MINUTE, FIELD_MONTH_NUMBER, FIELD_MONTH_NAME, FIELD_MONTH_SHORT, FIELD_OFFSET, FIELD_QUARTER,
    FIELD_ROMAN_MONTH, FIELD_SECOND_OF_DAY, FIELD_SECOND, FIELD_ZONE, FIELD_ZONE_HOUR, FIELD_ZONE_MINUTE, FIELD_WEEK,
    FIELD_WEEK_OF_MONTH, FIELD_MILLISECOND, FIELD_MICROSECOND, FIELD_YEAR_COMMA, FIELD_YEAR, FIELD_ISO_YEAR
} DateField;

typedef enum NumberField {
    NUMBER_COMMA, NUMBER_POINT, NUMBER_ZERO, NUMBER_NINE, NUMBER_BLANK, NUMBER_CURRENCY_C, NUMBER_LOCAL_POINT, NUMBER_EXPONENT,
    NUMBER_FILL, NUMBER_GROUP, NUMBER_CURRENCY, NUMBER_MINUS, NUMBER_PLUS, NUMBER_BRACKET, NUMBER_ROMAN, NUMBER_SIGN,
    NUMBER_SPELL, NUMBER_LOCAL_SIGN, NUMBER_ORDINAL, NUMBER_SHIFT
} NumberField;

/* The letter case of names: JANUARY, January, january. */
typedef enum FormatCase { CASE_UPPER, CASE_TITLE, CASE_LOWER } FormatCase;

typedef struct FormatWord {
    const char *name;
    int field;        /* DateField or NumberField */
    int digits;       /* of years: the last so many; of fractions: so many places */
    FormatCase letters;
    bool is_number;   /* reads as digits, so that a field before it has a fixed width */
    FormatCalendar calendar;
} FormatWord;

typedef struct FormatNode {
    FormatKind kind;
    int modifiers;
    const FormatWord *word; /* FORMAT_FIELD */
    Slice text;             /* of the others: one character */
} FormatNode;

typedef enum FormatTable { FORMAT_DATES, FORMAT_NUMBERS } FormatTable;

/* standard: SQL's datetime templates, which know few separators (22007 for others). */
Status format_template_parse(TypeCtx *ctx, FormatTable table, Slice text, bool standard, const FormatNode **nodes);
/* The next character of a template or input; never longer than what is there. */
size_t format_character(Slice rest);
bool format_is_separator(uint8_t byte);
/* st, nd, rd or th for a number's text. 22P02 if it does not end in a digit. */
Status format_ordinal(TypeCtx *ctx, Slice number, bool upper, const char **ending);

extern const char *const format_months[12], *const format_days[7]; /* January, Sunday ... */
/* I to XII of the number 1 to 12. */
extern const char *const format_roman_months[12];

#endif
