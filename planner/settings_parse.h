/* settings_parse.h - the texts of settings: from what SET gives to the canonical text and number. Used by settings.c only.
 *
 * Each fails with 22023 and PostgreSQL's message; `name` is the parameter as the user wrote it. Results live in the arena.
 */
#ifndef PLANNER_SETTINGS_PARSE_H
#define PLANNER_SETTINGS_PARSE_H

#include "planner/settings.h"

typedef struct SettingValue {
    const char *text; /* as SHOW prints it */
    int64_t number;
} SettingValue;

Status setting_parse(const SettingDef *def, const char *name, const char *text, SettingValue *value, Arena *arena,
                     Error *err);
/* "ISO, MDY" over what is in force; the parts not named keep their value. */
Status setting_parse_date_style(const char *text, DateStyle *style, DateOrder *order, Arena *arena, Error *err);
const char *setting_date_style_text(DateStyle style, DateOrder order);
/* ERR_INVALID_PARAMETER_VALUE `invalid value for parameter "name": "text"`. */
Status setting_invalid(const char *name, const char *text, Arena *arena, Error *err);

#endif
