/* settings.c - the values of a session's settings: SET, SHOW, RESET, and their undoing by rollback.
 *
 * Texts are interned in the session's arena, so a pooled connection that sets the same few values for days does not
 * grow. Every change is logged; a transaction's end replays or forgets the log.
 */
#include "planner/settings.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

#include "planner/session.h"
#include "planner/settings_parse.h"
#include "storage/base/map.h"
#include "storage/types/type_timestamp.h"

typedef struct Setting {
    SettingValue value, reset; /* reset: what RESET goes back to */
    bool changed;              /* since the last report */
} Setting;

/* A name with a dot: kept for SHOW and current_setting, means nothing to rowkey. */
typedef struct CustomSetting {
    const char *name, *text; /* text NULL: not set */
} CustomSetting;

typedef struct Change {
    int index; /* a SettingId, or SETTING_COUNT + position in `custom` */
    SettingValue before;
    bool is_local;
} Change;

struct Settings {
    Arena *arena;
    Setting items[SETTING_COUNT];
    VEC(CustomSetting) custom;
    VEC(Change) log;
    Map texts;
    int report_next;
};

static const char *intern(Settings *settings, const char *text)
{
    const char *known = map_get(&settings->texts, slice_str(text));
    if (known) return known;
    char *copy = arena_strdup(settings->arena, text);
    map_put(&settings->texts, settings->arena, slice_str(copy), copy);
    return copy;
}

Settings *settings_create(Arena *arena)
{
    Settings *settings = ARENA_NEW(arena, Settings);
    settings->arena = arena;
    for (int i = 0; i < SETTING_COUNT; i++) {
        const SettingDef *def = setting_def((SettingId)i);
        Error err = {0};
        Status status = setting_parse(def, def->name, def->boot, &settings->items[i].value, arena, &err);
        if (status != ST_OK) abort(); /* a row whose default is no value of its own */
        settings->items[i].reset = settings->items[i].value;
        settings->items[i].changed = true;
    }
    return settings;
}

int setting_find(const char *name)
{
    static const struct {
        const char *alias;
        SettingId id;
    } aliases[] = {{"time zone", SETTING_TimeZone}, {"timezone", SETTING_TimeZone}, {"names", SETTING_client_encoding}};
    for (int i = 0; i < SETTING_COUNT; i++)
        if (strcasecmp(setting_def((SettingId)i)->name, name) == 0) return i;
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
        if (strcasecmp(aliases[i].alias, name) == 0) return (int)aliases[i].id;
    return -1;
}

const char *setting_text(const Settings *settings, SettingId id)
{
    return settings->items[id].value.text;
}

bool setting_bool(const Settings *settings, SettingId id)
{
    return settings->items[id].value.number != 0;
}

int64_t setting_int(const Settings *settings, SettingId id)
{
    return settings->items[id].value.number;
}

/* ---- what depends on a setting ---- */

static void follow_date_style(TypeEnv *env, const char *text, Arena *arena)
{
    Error ignored = {0};
    /* The text is canonical: it was parsed when it was set. */
    (void)setting_parse_date_style(text, &env->date_style, &env->date_order, arena, &ignored);
}

/* Keeps the session's TypeEnv in step. */
static void follow(struct Session *session, int index)
{
    if (index >= SETTING_COUNT) return;
    TypeEnv *env = &session->type_env;
    const SettingValue *value = &session->settings->items[index].value;
    switch ((int)index) {
    case SETTING_TimeZone:
        env->time_zone = time_zone_open(value->text);
        break;
    case SETTING_DateStyle:
        follow_date_style(env, value->text, session->settings->arena);
        break;
    case SETTING_IntervalStyle:
        env->interval_style = (IntervalStyle)value->number;
        break;
    case SETTING_extra_float_digits:
        env->extra_float_digits = (int)value->number;
        break;
    case SETTING_bytea_output:
        env->bytea_escape = value->number == 0;
        break;
    case SETTING_session_authorization:
        session->session_user = session->user = value->text;
        break;
    case SETTING_role:
        session->user = strcmp(value->text, "none") == 0 ? session->session_user : value->text;
        break;
    default:
        break;
    }
}

static SettingValue *value_at(Settings *settings, int index, SettingValue *custom)
{
    if (index < SETTING_COUNT) return &settings->items[index].value;
    custom->text = settings->custom.items[index - SETTING_COUNT].text;
    custom->number = 0;
    return custom;
}

static void store(struct Session *session, int index, SettingValue value)
{
    Settings *settings = session->settings;
    if (index < SETTING_COUNT) {
        Setting *item = &settings->items[index];
        if (item->value.text != value.text) item->changed = true;
        item->value = value;
    } else {
        settings->custom.items[index - SETTING_COUNT].text = value.text;
    }
    follow(session, index);
}

static void change(struct Session *session, int index, SettingValue value, bool is_local)
{
    Settings *settings = session->settings;
    SettingValue custom;
    Change entry = {index, *value_at(settings, index, &custom), is_local};
    VEC_PUSH(settings->arena, settings->log, entry);
    if (value.text) value.text = intern(settings, value.text);
    store(session, index, value);
}

/* ---- checks that need more than the row says ---- */

static Status no_such_role(const char *name, Arena *arena, Error *err)
{
    return err_set(err, arena, ERR_INVALID_PARAMETER_VALUE, "role \"%s\" does not exist", name);
}

static Status check_role(const struct Session *session, const char *text, SettingValue *value, Arena *arena, Error *err)
{
    if (strcasecmp(text, "none") == 0) {
        value->text = "none";
        return ST_OK;
    }
    if (!catalog_find_role(session->catalog, text)) return no_such_role(text, arena, err);
    if (session_is_member(session, session->session_user, text)) return ST_OK;
    return err_set(err, arena, ERR_INSUFFICIENT_PRIVILEGE, "permission denied to set role \"%s\"", text);
}

/* Who authenticated as a superuser may become anybody. */
static Status check_authorization(const struct Session *session, const char *text, Arena *arena, Error *err)
{
    if (strcmp(text, session->login_user) == 0) return ST_OK;
    const RoleDesc *login = (const RoleDesc *)catalog_find_role(session->catalog, session->login_user);
    if (!catalog_find_role(session->catalog, text)) return no_such_role(text, arena, err);
    if (login && login->superuser) return ST_OK;
    return err_set(err, arena, ERR_INSUFFICIENT_PRIVILEGE, "permission denied to set session authorization");
}

static Status check_time_zone(const char *text, SettingValue *value, Arena *arena, Error *err)
{
    const TimeZone *zone = time_zone_open(text);
    if (!zone) return setting_invalid("TimeZone", text, arena, err);
    value->text = time_zone_name(zone);
    return ST_OK;
}

/* Letters and digits alone tell encodings apart: UTF8, utf-8 and 'UTF-8' with its quotes (asyncpg) are one. */
static const char *encoding_letters(const char *text, Arena *arena)
{
    char *copy = arena_strndup(arena, text, strlen(text));
    char *end = copy;
    for (const char *p = text; *p; p++)
        if (isalnum((unsigned char)*p)) *end++ = (char)tolower((unsigned char)*p);
    *end = '\0';
    return copy;
}

static Status check_encoding(const char *text, SettingValue *value, Arena *arena, Error *err)
{
    const char *letters = encoding_letters(text, arena);
    if (strcmp(letters, "utf8") == 0 || strcmp(letters, "unicode") == 0) {
        value->text = "UTF8";
        return ST_OK;
    }
    /* SQL_ASCII asks for no conversion, which is what happens anyway. */
    if (strcmp(letters, "sqlascii") == 0) {
        value->text = "SQL_ASCII";
        return ST_OK;
    }
    static const char *const others[] = {"latin1", "iso88591", "latin2", "latin9", "win1252", "win1251",
                                         "eucjp",  "sjis",     "big5",   "gbk",    "koi8r",   "muleinternal"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(letters, others[i]) == 0)
            return err_unsupported(err, arena, arena_printf(arena, "client encoding %s", text));
    return setting_invalid("client_encoding", text, arena, err);
}

static Status check_search_path(const char *text, Arena *arena, Error *err)
{
    const char **names;
    if (setting_list(text, &names, arena) >= 0) return ST_OK;
    (void)setting_invalid("search_path", text, arena, err);
    err_detail(err, arena, "List syntax is invalid.");
    return ST_ERROR;
}

/* application_name is shown to others: only printable ASCII stays. */
static const char *printable(const char *text, Arena *arena)
{
    char *copy = arena_strndup(arena, text, strnlen(text, 63));
    for (char *p = copy; *p; p++)
        if (*p < 32 || *p > 126) *p = '?';
    return copy;
}

static Status check(struct Session *session, SettingId id, const char *text, SettingValue *value, Error *err)
{
    Arena *arena = session->settings->arena;
    DateStyle style = session->type_env.date_style;
    DateOrder order = session->type_env.date_order;
    switch ((int)id) {
    case SETTING_TimeZone:
        return check_time_zone(text, value, arena, err);
    case SETTING_client_encoding:
        return check_encoding(text, value, arena, err);
    case SETTING_search_path:
        return check_search_path(text, arena, err);
    case SETTING_application_name:
        value->text = printable(text, arena);
        return ST_OK;
    case SETTING_DateStyle:
        TRY(setting_parse_date_style(text, &style, &order, arena, err));
        value->text = setting_date_style_text(style, order);
        return ST_OK;
    case SETTING_default_int_size:
        if (value->number != 4 && value->number != 8)
            return err_set(err, arena, ERR_INVALID_PARAMETER_VALUE, "only 4 or 8 is supported by default_int_size");
        return ST_OK;
    case SETTING_session_authorization:
        return check_authorization(session, text, arena, err);
    case SETTING_role:
        return check_role(session, text, value, arena, err);
    default:
        return ST_OK;
    }
}

/* ---- SET and SHOW ---- */

static int find_custom(const Settings *settings, const char *name)
{
    for (int i = 0; i < settings->custom.count; i++)
        if (strcasecmp(settings->custom.items[i].name, name) == 0) return i;
    return -1;
}

static Status unrecognized(const struct Session *session, const char *name, Error *err)
{
    return err_set(err, session->settings->arena, ERR_UNDEFINED_OBJECT, "unrecognized configuration parameter \"%s\"",
                   name);
}

static Status set_custom(struct Session *session, const char *name, const char *text, bool is_local, Error *err)
{
    Settings *settings = session->settings;
    if (!strchr(name, '.')) return unrecognized(session, name, err);
    int i = find_custom(settings, name);
    if (i < 0) {
        i = settings->custom.count;
        VEC_PUSH(settings->arena, settings->custom, (CustomSetting){arena_strdup(settings->arena, name), NULL});
    }
    change(session, SETTING_COUNT + i, (SettingValue){text ? text : "", 0}, is_local);
    return ST_OK;
}

Status settings_set_name(struct Session *session, const char *name, const char *text, bool is_local, Error *err)
{
    int id = setting_find(name);
    if (id < 0) return set_custom(session, name, text, is_local, err);
    const SettingDef *def = setting_def((SettingId)id);
    Settings *settings = session->settings;
    if (def->read_only)
        return err_set(err, settings->arena, ERR_CANT_CHANGE_RUNTIME_PARAM, "parameter \"%s\" cannot be changed",
                       def->name);
    SettingValue value = settings->items[id].reset;
    if (text) {
        /* Texts of a failed SET may stay behind in the session's arena; a scratch arena keeps the good ones apart. */
        Arena *scratch = arena_create(NULL, 0);
        Error scratch_err = {0};
        Status status = setting_parse(def, name, text, &value, scratch, &scratch_err);
        if (status == ST_OK) status = check(session, (SettingId)id, text, &value, &scratch_err);
        if (status == ST_OK) {
            change(session, id, value, is_local);
        } else {
            (void)err_set(err, settings->arena, scratch_err.sqlstate, "%s", scratch_err.message);
            if (scratch_err.detail) err_detail(err, settings->arena, "%s", scratch_err.detail);
            if (scratch_err.hint) err_hint(err, settings->arena, "%s", scratch_err.hint);
        }
        arena_destroy(scratch);
        return status;
    }
    change(session, id, value, is_local);
    return ST_OK;
}

const char *settings_show(const struct Session *session, const char *name, Error *err)
{
    const Settings *settings = session->settings;
    int id = setting_find(name);
    if (id >= 0) return settings->items[id].value.text;
    int custom = find_custom(settings, name);
    if (custom >= 0 && settings->custom.items[custom].text) return settings->custom.items[custom].text;
    (void)unrecognized(session, name, err);
    return NULL;
}

void settings_preset(struct Session *session, SettingId id, const char *text)
{
    Setting *item = &session->settings->items[id];
    item->value.text = item->reset.text = intern(session->settings, text);
    if (setting_def(id)->kind == SETTING_BOOL) item->value.number = item->reset.number = strcmp(text, "on") == 0;
    item->changed = true;
    follow(session, id);
}

void settings_reset_all(struct Session *session)
{
    Settings *settings = session->settings;
    for (int i = 0; i < SETTING_COUNT; i++) {
        const SettingDef *def = setting_def((SettingId)i);
        bool of_transaction = i == SETTING_transaction_isolation || i == SETTING_transaction_read_only ||
                              i == SETTING_transaction_deferrable || i == SETTING_session_authorization;
        if (def->read_only || of_transaction || settings->items[i].value.text == settings->items[i].reset.text)
            continue;
        change(session, i, settings->items[i].reset, false);
    }
    for (int i = 0; i < settings->custom.count; i++)
        if (settings->custom.items[i].text) change(session, SETTING_COUNT + i, (SettingValue){"", 0}, false);
}

void settings_make_default(Settings *settings)
{
    for (int i = 0; i < SETTING_COUNT; i++) settings->items[i].reset = settings->items[i].value;
    settings->log.count = 0;
}

/* ---- transactions ---- */

int settings_mark(Settings *settings)
{
    return settings->log.count;
}

void settings_rollback(struct Session *session, int mark)
{
    Settings *settings = session->settings;
    while (settings->log.count > mark) {
        Change entry = VEC_LAST(settings->log);
        settings->log.count--;
        store(session, entry.index, entry.before);
    }
}

void settings_commit(struct Session *session)
{
    Settings *settings = session->settings;
    for (int i = settings->log.count - 1; i >= 0; i--) {
        Change entry = settings->log.items[i];
        if (!entry.is_local) continue;
        bool overtaken = false; /* a plain SET after the SET LOCAL stays */
        for (int j = i + 1; j < settings->log.count && !overtaken; j++)
            overtaken = settings->log.items[j].index == entry.index && !settings->log.items[j].is_local;
        if (!overtaken) store(session, entry.index, entry.before);
    }
    settings->log.count = 0;
}

const char *settings_next_report(Settings *settings, const char **value)
{
    for (; settings->report_next < SETTING_COUNT; settings->report_next++) {
        Setting *item = &settings->items[settings->report_next];
        const SettingDef *def = setting_def((SettingId)settings->report_next);
        bool report = def->reported && item->changed;
        item->changed = false;
        if (!report) continue;
        settings->report_next++;
        *value = item->value.text;
        return def->name;
    }
    settings->report_next = 0;
    return NULL;
}
