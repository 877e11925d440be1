/* settings_parse.c - reading the texts of settings. */
#include "planner/settings_parse.h"

#include "storage/base/list.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

Status setting_invalid(const char *name, const char *text, Arena *arena, Error *err)
{
    return err_set(err, arena, ERR_INVALID_PARAMETER_VALUE, "invalid value for parameter \"%s\": \"%s\"", name, text);
}

/* ---- bool ---- */

/* A unique prefix of true, false, yes, no; on, off, 1, 0. */
static bool parse_bool(const char *text, bool *value)
{
    static const struct {
        const char *word;
        size_t least;
        bool value;
    } words[] = {{"true", 1, true}, {"false", 1, false}, {"yes", 1, true}, {"no", 1, false},
                 {"on", 2, true},   {"off", 2, false},   {"1", 1, true},   {"0", 1, false}};
    size_t size = strlen(text);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (size < words[i].least || size > strlen(words[i].word)) continue;
        if (strncasecmp(words[i].word, text, size) != 0) continue;
        *value = words[i].value;
        return true;
    }
    return false;
}

static Status read_bool(const char *name, const char *text, SettingValue *value, Arena *arena, Error *err)
{
    bool on;
    if (!parse_bool(text, &on))
        return err_set(err, arena, ERR_INVALID_PARAMETER_VALUE, "parameter \"%s\" requires a Boolean value", name);
    *value = (SettingValue){on ? "on" : "off", on};
    return ST_OK;
}

/* ---- int ---- */

typedef struct Unit {
    const char *family; /* the base unit of the settings it may be used for */
    const char *name;
    double factor;
} Unit;

/* Largest first: the canonical text uses the first that divides the value. */
static const Unit units[] = {
    {"ms", "d", 86400000}, {"ms", "h", 3600000}, {"ms", "min", 60000},     {"ms", "s", 1000},
    {"ms", "ms", 1},       {"ms", "us", 0.001},  {"kB", "TB", 1073741824}, {"kB", "GB", 1048576},
    {"kB", "MB", 1024},    {"kB", "kB", 1},      {"kB", "B", 1.0 / 1024},
};
enum { UNIT_COUNT = sizeof units / sizeof units[0] };

static const Unit *find_unit(const char *family, const char *name)
{
    for (int i = 0; family && i < UNIT_COUNT; i++)
        if (strcmp(units[i].family, family) == 0 && strcmp(units[i].name, name) == 0) return &units[i];
    return NULL;
}

static const char *unit_text(const SettingDef *def, int64_t number, Arena *arena)
{
    for (int i = 0; def->unit && number > 0 && i < UNIT_COUNT; i++) {
        if (strcmp(units[i].family, def->unit) != 0 || units[i].factor < 1) continue;
        int64_t factor = (int64_t)units[i].factor;
        if (number % factor == 0) return arena_printf(arena, "%lld%s", (long long)(number / factor), units[i].name);
    }
    return arena_printf(arena, "%lld", (long long)number);
}

static Status read_int(const SettingDef *def, const char *name, const char *text, SettingValue *value, Arena *arena,
                       Error *err)
{
    char *end;
    double number = strtod(text, &end);
    bool valid = end != text && isfinite(number);
    while (isspace((unsigned char)*end)) end++;
    if (valid && *end) {
        const Unit *unit = find_unit(def->unit, end);
        if (!unit) {
            (void)setting_invalid(name, text, arena, err);
            if (def->unit && strcmp(def->unit, "ms") == 0)
                err_hint(err, arena,
                         "Valid units for this parameter are \"us\", \"ms\", \"s\", \"min\", \"h\", and \"d\".");
            else if (def->unit)
                err_hint(err, arena, "Valid units for this parameter are \"B\", \"kB\", \"MB\", \"GB\", and \"TB\".");
            return ST_ERROR;
        }
        number *= unit->factor;
    }
    if (!valid) return setting_invalid(name, text, arena, err);
    number = rint(number);
    if (number > INT32_MAX && def->max <= INT32_MAX) {
        (void)setting_invalid(name, text, arena, err);
        err_hint(err, arena, "Value exceeds integer range.");
        return ST_ERROR;
    }
    if (number < (double)def->min || number > (double)def->max)
        return err_set(err, arena, ERR_INVALID_PARAMETER_VALUE,
                       "%lld%s%s is outside the valid range for parameter \"%s\" (%lld .. %lld)", (long long)number,
                       def->unit ? " " : "", def->unit ? def->unit : "", name, (long long)def->min,
                       (long long)def->max);
    *value = (SettingValue){unit_text(def, (int64_t)number, arena), (int64_t)number};
    return ST_OK;
}

static Status read_real(const char *name, const char *text, SettingValue *value, Arena *arena, Error *err)
{
    char *end;
    double number = strtod(text, &end);
    while (isspace((unsigned char)*end)) end++;
    if (end == text || *end || !isfinite(number)) return setting_invalid(name, text, arena, err);
    *value = (SettingValue){arena_printf(arena, "%g", number), (int64_t)number};
    return ST_OK;
}

/* ---- enum ---- */

/* The i-th of "off,on,..."; false past the end. */
static bool choice_at(const char *choices, int index, Slice *choice)
{
    for (const char *start = choices; start;) {
        const char *comma = strchr(start, ',');
        *choice = slice_of(start, comma ? (size_t)(comma - start) : strlen(start));
        if (index-- == 0) return true;
        start = comma ? comma + 1 : NULL;
    }
    return false;
}

static bool find_choice(const char *choices, const char *text, SettingValue *value, Arena *arena)
{
    Slice choice;
    for (int i = 0; choice_at(choices, i, &choice); i++) {
        if (choice.size != strlen(text) || strncasecmp((const char *)choice.data, text, choice.size) != 0) continue;
        *value = (SettingValue){arena_strndup(arena, choice.data, choice.size), i};
        return true;
    }
    return false;
}

static Status read_enum(const SettingDef *def, const char *name, const char *text, SettingValue *value, Arena *arena,
                        Error *err)
{
    if (find_choice(def->choices, text, value, arena)) return ST_OK;
    bool on;
    if (parse_bool(text, &on) && find_choice(def->choices, on ? "on" : "off", value, arena)) return ST_OK;
    (void)setting_invalid(name, text, arena, err);
    Buf list = {0};
    Slice choice;
    for (int i = 0; choice_at(def->choices, i, &choice); i++) {
        if (i) buf_put_str(&list, ", ");
        buf_put_slice(&list, choice);
    }
    err_hint(err, arena, "Available values: %s.", buf_to_str(&list, arena));
    buf_finish(&list);
    return ST_ERROR;
}

/* ---- lists ---- */

static bool read_quoted_name(const char **p, Buf *name)
{
    for ((*p)++; **p; (*p)++) {
        if (**p != '"') {
            buf_put_u8(name, (uint8_t) * *p);
            continue;
        }
        (*p)++;
        if (**p != '"') return true;
        buf_put_u8(name, '"');
    }
    return false;
}

int setting_list(const char *text, const char ***names, Arena *arena)
{
    StrVec list = {0};
    Buf name = {0};
    bool valid = true;
    const char *p = text;
    while (isspace((unsigned char)*p)) p++;
    while (*p && valid) {
        buf_clear(&name);
        if (*p == '"') {
            valid = read_quoted_name(&p, &name);
        } else {
            for (; *p && *p != ',' && !isspace((unsigned char)*p); p++)
                buf_put_u8(&name, (uint8_t)tolower((unsigned char)*p));
            valid = name.size > 0;
        }
        while (isspace((unsigned char)*p)) p++;
        if (valid) VEC_PUSH(arena, list, buf_to_str(&name, arena));
        if (!*p) break;
        if (*p++ != ',') valid = false;
        while (isspace((unsigned char)*p)) p++;
        if (!*p) valid = false;
    }
    buf_finish(&name);
    *names = list.items;
    return valid ? list.count : -1;
}

/* ---- date style ---- */

const char *setting_date_style_text(DateStyle style, DateOrder order)
{
    static const char *const texts[4][3] = {
        [DATE_ISO] = {"ISO, MDY", "ISO, DMY", "ISO, YMD"},
        [DATE_SQL] = {"SQL, MDY", "SQL, DMY", "SQL, YMD"},
        [DATE_POSTGRES] = {"Postgres, MDY", "Postgres, DMY", "Postgres, YMD"},
        [DATE_GERMAN] = {"German, MDY", "German, DMY", "German, YMD"},
    };
    return texts[style][order];
}

typedef struct StyleWord {
    const char *word;
    bool prefix;      /* any text that starts so */
    int style, order; /* -1: does not say */
} StyleWord;

static const StyleWord style_words[] = {
    {"iso", false, DATE_ISO, -1},       {"sql", false, DATE_SQL, -1},           {"postgres", true, DATE_POSTGRES, -1},
    {"german", false, DATE_GERMAN, -1}, {"ymd", false, -1, DATE_YMD},           {"dmy", false, -1, DATE_DMY},
    {"mdy", false, -1, DATE_MDY},       {"euro", true, -1, DATE_DMY},           {"us", false, -1, DATE_MDY},
    {"noneuro", true, -1, DATE_MDY},    {"default", false, DATE_ISO, DATE_MDY},
};

static const StyleWord *find_style_word(const char *word)
{
    for (size_t i = 0; i < sizeof style_words / sizeof style_words[0]; i++) {
        const StyleWord *w = &style_words[i];
        if (w->prefix ? strncasecmp(w->word, word, strlen(w->word)) == 0 : strcasecmp(w->word, word) == 0) return w;
    }
    return NULL;
}

Status setting_parse_date_style(const char *text, DateStyle *style, DateOrder *order, Arena *arena, Error *err)
{
    const char **words;
    int count = setting_list(text, &words, arena), new_style = -1, new_order = -1;
    if (count < 0) {
        (void)setting_invalid("DateStyle", text, arena, err);
        err_detail(err, arena, "List syntax is invalid.");
        return ST_ERROR;
    }
    for (int i = 0; i < count; i++) {
        const StyleWord *w = find_style_word(words[i]);
        if (!w) {
            (void)setting_invalid("DateStyle", text, arena, err);
            err_detail(err, arena, "Unrecognized key word: \"%s\".", words[i]);
            return ST_ERROR;
        }
        if ((w->style >= 0 && new_style >= 0 && new_style != w->style) ||
            (w->order >= 0 && new_order >= 0 && new_order != w->order)) {
            (void)setting_invalid("DateStyle", text, arena, err);
            err_detail(err, arena, "Conflicting \"datestyle\" specifications.");
            return ST_ERROR;
        }
        if (w->style >= 0) new_style = w->style;
        if (w->order >= 0) new_order = w->order;
    }
    if (new_style == DATE_GERMAN && new_order < 0) new_order = DATE_DMY;
    if (new_style >= 0) *style = (DateStyle)new_style;
    if (new_order >= 0) *order = (DateOrder)new_order;
    return ST_OK;
}

Status setting_parse(const SettingDef *def, const char *name, const char *text, SettingValue *value, Arena *arena,
                     Error *err)
{
    switch (def->kind) {
    case SETTING_BOOL:
        return read_bool(name, text, value, arena, err);
    case SETTING_INT:
        return read_int(def, name, text, value, arena, err);
    case SETTING_REAL:
        return read_real(name, text, value, arena, err);
    case SETTING_ENUM:
        return read_enum(def, name, text, value, arena, err);
    case SETTING_STRING:
        *value = (SettingValue){text, 0};
        return ST_OK;
    }
    return ST_OK;
}
