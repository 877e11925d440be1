/* server.c - a data directory with its catalog, and the sessions on it. */
#include <assert.h>
#include <errno.h>
#include <sys/stat.h>

#include "executor/ddl/temp_schema.h"
#include "executor/auto_analyze.h"
#include "executor/builtins.h"
#include "executor/locality.h"
#include "executor/range_control.h"
#include "executor/stmt_internal.h"
#include "planner/settings.h"

Status server_open(const ServerOptions *options, Server **out, Arena *arena, Error *err)
{
    Server *server = ARENA_NEW(arena, Server);
    StoreOptions store = {.engine = options->engine, .no_sync = options->no_sync, .sessions_max = options->sessions_max,
                          .no_services = options->no_services, .nodes = options->nodes};
    server->arena = arena;
    server->options = *options;
    pthread_mutex_init(&server->sessions_lock, NULL);
    TRY(localities_check(options->localities, arena, err));
    TRY(store_open(options->data_directory, &store, &server->store, arena, err));
    Status st = catalog_open(server->store, &builtins, &server->catalog, arena, err);
    if (st == ST_OK && (st = range_control_open(server, arena, err)) != ST_OK) {
        range_control_close(server);
        catalog_close(server->catalog);
    }
    if (st != ST_OK) {
        store_close(server->store);
        return st;
    }
    if (options->data_directory) {
        const char *temp = arena_printf(arena, "%s/temp", options->data_directory);
        if (mkdir(temp, 0700) == 0 || errno == EEXIST) server->temp_directory = temp;
    }
    if (!options->no_services) temp_schema_sweep(server);
    server->auto_analyze = auto_analyze_start(server, !options->no_services && !options->no_auto_analyze);
    *out = server;
    return ST_OK;
}

void server_close(Server *server)
{
    auto_analyze_stop(server->auto_analyze);
    assert(!server->sessions);
    range_control_close(server);
    catalog_close(server->catalog);
    store_close(server->store);
    pthread_mutex_destroy(&server->sessions_lock);
}

/* ---- sessions ---- */

static void send_notice(void *argument, const Notice *notice)
{
    SessionState *s = argument;
    if (s->options.notice) s->options.notice(s->options.argument, notice->severity, &notice->fields);
}

/* CONNECTION LIMIT does not hold superusers. This session is in the list already. */
static Status check_connections(SessionState *self, const RoleDesc *role, Error *err)
{
    int count = 0;
    if (!role->connections_max || role->superuser) return ST_OK;
    pthread_mutex_lock(&self->server->sessions_lock);
    for (SessionState *s = self->server->sessions; s; s = s->next)
        count += strcmp(s->session.login_user, self->session.login_user) == 0;
    pthread_mutex_unlock(&self->server->sessions_lock);
    if (count < role->connections_max) return ST_OK;
    return err_set(err, self->session.arena, ERR_TOO_MANY_CONNECTIONS, "too many connections for role \"%s\"", role->base.name);
}

static void preset_files(const Server *server, Session *session)
{
    const ServerOptions *o = &server->options;
    if (o->hba_file) settings_preset(session, SETTING_hba_file, o->hba_file);
    if (!o->ssl_cert_file) return;
    settings_preset(session, SETTING_ssl, "on");
    settings_preset(session, SETTING_ssl_cert_file, o->ssl_cert_file);
    settings_preset(session, SETTING_ssl_key_file, o->ssl_key_file);
    if (o->ssl_ca_file) settings_preset(session, SETTING_ssl_ca_file, o->ssl_ca_file);
}

static Status find_user_and_database(SessionState *s, Error *err)
{
    Session *session = &s->session;
    const Desc *role = catalog_find_role(session->catalog, session->user);
    if (!role || !((const RoleDesc *)role)->login)
        return err_set(err, session->arena, ERR_INVALID_AUTHORIZATION_SPECIFICATION,
                       role ? "role \"%s\" is not permitted to log in" : "role \"%s\" does not exist", session->user);
    const Desc *database = catalog_find_database(session->catalog, session->database);
    if (!database)
        return err_set(err, session->arena, ERR_INVALID_CATALOG_NAME, "database \"%s\" does not exist",
                       session->database);
    TRY(check_connections(s, (const RoleDesc *)role, err));
    session->database_id = database->id;
    store_session_database(s->lock_session, database->id);
    settings_preset(session, SETTING_is_superuser, ((const RoleDesc *)role)->superuser ? "on" : "off");
    settings_preset(session, SETTING_session_authorization, session->login_user);
    settings_preset(session, SETTING_database, session->database);
    preset_files(s->server, session);
    return ST_OK;
}

static Status apply_options(SessionState *s, Error *err)
{
    TRY(txn_state_ensure(s, err));
    TRY(find_user_and_database(s, err));
    for (int i = 0; i < s->options.count; i++)
        TRY(settings_set_name(&s->session, s->options.names[i], s->options.values[i], false, err));
    TRY(txn_state_commit(s, err));
    settings_make_default(s->session.settings);
    session_note_end(s);
    return ST_OK;
}

static void enlist(Server *server, SessionState *s)
{
    pthread_mutex_lock(&server->sessions_lock);
    s->session.id = ++server->last_session_id;
    s->next = server->sessions;
    if (s->next) s->next->previous = s;
    server->sessions = s;
    s->lock_session = store_session_create(server->store, s->session.id); /* others read it from now on */
    pthread_mutex_unlock(&server->sessions_lock);
}

Status session_open(Server *server, const SessionOptions *options, Session **out, Error *err)
{
    Arena *arena = arena_create(NULL, 0);
    SessionState *s = ARENA_NEW(arena, SessionState);
    s->server = server;
    s->options = *options;
    s->error_arenas[0] = arena_create(arena, 0);
    s->error_arenas[1] = arena_create(arena, 0);
    s->session.arena = arena;
    s->session.user = s->session.session_user = s->session.login_user = arena_strdup(arena, options->user);
    s->session.database = arena_strdup(arena, options->database);
    s->session.type_env = type_env_default;
    session_use_reg_names(&s->session);
    s->session.settings = settings_create(arena);
    s->session.notice = send_notice;
    s->session.notice_argument = s;
    s->session.executor = s;
    activity_init(&s->activity);
    enlist(server, s);
    if (apply_options(s, err) == ST_OK) {
        *out = &s->session;
        return ST_OK;
    }
    /* The caller has no session to keep the texts in: they become its own. */
    static _Thread_local char message[512];
    snprintf(message, sizeof message, "%s", err->message);
    *err = (Error){.sqlstate = err->sqlstate, .message = message, .fatal = true};
    session_close(&s->session);
    return ST_ERROR;
}

void session_close(Session *session)
{
    SessionState *s = state_of(session);
    Server *server = s->server;
    txn_state_rollback(s);
    portal_close_all(s, true);
    while (s->portals) portal_close(s->portals);
    while (s->stmts) stmt_close(session, s->stmts->name);
    temp_schema_leave(session);
    session_unlock_all(s->lock_session);
    pthread_mutex_lock(&server->sessions_lock);
    if (s->previous) s->previous->next = s->next;
    if (s->next) s->next->previous = s->previous;
    if (server->sessions == s) server->sessions = s->next;
    notify_finish(s);
    pthread_mutex_unlock(&server->sessions_lock);
    store_session_destroy(s->lock_session);
    activity_finish(&s->activity);
    arena_destroy(session->arena);
}

uint64_t session_id(const Session *session)
{
    return session->id;
}

Interrupt *session_interrupt(Session *session)
{
    return &session->interrupt;
}

const TypeEnv *session_type_env(const Session *session)
{
    return &session->type_env;
}

char session_txn_status(const Session *session)
{
    const SessionState *s = state_of(session);
    return s->phase == PHASE_BLOCK || s->phase == PHASE_RELEASED ? 'T' : s->phase == PHASE_FAILED ? 'E' : 'I';
}

int64_t session_idle_timeout_ms(const Session *session)
{
    SettingId in_block = SETTING_idle_in_transaction_session_timeout;
    if (session_txn_status(session) != 'I') return setting_int(session->settings, in_block);
    int64_t own = setting_int(session->settings, SETTING_idle_session_timeout);
    int64_t other = setting_int(session->settings, SETTING_idle_in_session_timeout);
    return own && other ? (own < other ? own : other) : own + other;
}

void session_idle_error(const Session *session, Error *err)
{
    bool in_block = session_txn_status(session) != 'I';
    *err = (Error){.sqlstate = in_block ? ERR_IDLE_IN_TRANSACTION_SESSION_TIMEOUT : ERR_IDLE_SESSION_TIMEOUT,
                   .message = in_block ? "terminating connection due to idle-in-transaction timeout"
                                       : "terminating connection due to idle-session timeout",
                   .fatal = true};
}

void session_note_begin(SessionState *s, const char *query)
{
    activity_begin(&s->activity, query, setting_text(s->session.settings, SETTING_application_name));
}

void session_note_end(SessionState *s)
{
    ActivityState state = s->phase == PHASE_BLOCK    ? ACTIVITY_IDLE_IN_BLOCK
                          : s->phase == PHASE_FAILED ? ACTIVITY_IDLE_IN_FAILED_BLOCK
                                                     : ACTIVITY_IDLE;
    activity_end(&s->activity, state, setting_text(s->session.settings, SETTING_application_name));
    /* The time that a statement had is no business of the next one. */
    atomic_store(&s->session.interrupt.deadline_ns, 0);
}

const char *session_next_report(Session *session, const char **value)
{
    return settings_next_report(session->settings, value);
}
