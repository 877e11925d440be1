/* session.c - notices, the schemas that names are looked up in, what the user is a member of. */
#include "planner/session.h"

#include "planner/privilege.h"
#include "planner/settings.h"

/* The places of severities among the choices of client_min_messages. */
static int severity_rank(const char *severity)
{
    static const char *const ranks[] = {"DEBUG5", "DEBUG4", "DEBUG3", "DEBUG2", "DEBUG", "LOG", "NOTICE", "WARNING"};
    for (int i = 0; i < (int)(sizeof ranks / sizeof ranks[0]); i++)
        if (strcmp(ranks[i], severity) == 0) return i;
    return 99; /* INFO is always sent */
}

void session_notice_error(Session *session, const char *severity, const Error *fields)
{
    if (!session->notice) return;
    if (severity_rank(severity) < setting_int(session->settings, SETTING_client_min_messages)) return;
    Notice notice = {severity, *fields};
    session->notice(session->notice_argument, &notice);
}

void session_notice(Session *session, const char *severity, SqlState code, const char *format, ...)
{
    if (!session->notice) return;
    Arena *arena = arena_create(NULL, 0);
    va_list args;
    va_start(args, format);
    Error fields = {.sqlstate = code, .message = arena_vprintf(arena, format, args)};
    va_end(args);
    session_notice_error(session, severity, &fields);
    arena_destroy(arena);
}

/* 0 as long as it does not exist. */
static DescId temp_schema(const Session *session)
{
    return session->temp_schema && catalog_find_id(session->catalog, session->temp_schema) ? session->temp_schema : DESC_ID_NONE;
}

Status session_reserve_temp_schema(Session *session, DescId *schema, Error *err)
{
    if (!session->temp_schema) {
        TRY(catalog_new_id(session->catalog, &session->temp_schema, err));
        session->temp_schema_name = arena_printf(session->arena, "pg_temp_%llu", (unsigned long long)session->id);
    }
    *schema = session->temp_schema;
    return ST_OK;
}

bool session_is_other_temp(const Session *session, DescId schema)
{
    const Desc *desc = schema == session->temp_schema ? NULL : catalog_find_id(session->catalog, schema);
    return desc && desc->kind == DESC_SCHEMA && strncmp(desc->name, "pg_temp_", 8) == 0;
}

DescId session_find_schema(const Session *session, const char *name)
{
    static const struct {
        const char *name;
        DescId id;
    } built_in[] = {{"pg_catalog", OID_PG_CATALOG_SCHEMA},
                    {"information_schema", OID_INFORMATION_SCHEMA},
                    {"crdb_internal", OID_CRDB_INTERNAL_SCHEMA},
                    {"rowkey", OID_ROWKEY_SCHEMA}};
    for (size_t i = 0; i < sizeof built_in / sizeof built_in[0]; i++)
        if (strcmp(built_in[i].name, name) == 0) return built_in[i].id;
    if (strcmp(name, "pg_temp") == 0) return temp_schema(session);
    const Desc *schema = catalog_find_schema(session->catalog, session->database_id, name);
    return schema ? schema->id : DESC_ID_NONE;
}

const char *session_schema_name(const Session *session, DescId schema)
{
    switch (schema) {
    case OID_PG_CATALOG_SCHEMA:
        return "pg_catalog";
    case OID_INFORMATION_SCHEMA:
        return "information_schema";
    case OID_CRDB_INTERNAL_SCHEMA:
        return "crdb_internal";
    case OID_ROWKEY_SCHEMA:
        return "rowkey";
    }
    if (schema && schema == session->temp_schema) return session->temp_schema_name;
    const Desc *desc = catalog_find_id(session->catalog, schema);
    return desc ? desc->name : NULL;
}

/* The named schemas that exist, in order; without pg_catalog unless it is named. */
static int named_schemas(const Session *session, const DescId **schemas, Arena *arena)
{
    const char **names;
    int count = setting_list(setting_text(session->settings, SETTING_search_path), &names, arena);
    VEC(DescId) found = {0};
    for (int i = 0; i < count; i++) {
        const char *name = strcmp(names[i], "$user") == 0 ? session->user : names[i];
        DescId id = session_find_schema(session, name);
        if (id != DESC_ID_NONE && privilege_may_use_schema(session, id)) VEC_PUSH(arena, found, id);
    }
    *schemas = found.items;
    return found.count;
}

int session_search_path(const Session *session, const DescId **schemas, Arena *arena)
{
    const DescId *named;
    int count = named_schemas(session, &named, arena);
    bool has_catalog = false, has_temp = false;
    DescId temp = temp_schema(session);
    for (int i = 0; i < count; i++) has_catalog |= named[i] == OID_PG_CATALOG_SCHEMA;
    for (int i = 0; i < count; i++) has_temp |= named[i] == temp;
    DescId *all = ARENA_ARRAY(arena, DescId, count + 2);
    int n = 0;
    if (temp && !has_temp) all[n++] = temp; /* what is temporary hides the rest */
    if (!has_catalog) all[n++] = OID_PG_CATALOG_SCHEMA;
    for (int i = 0; i < count; i++) all[n++] = named[i];
    *schemas = all;
    return n;
}

DescId session_creation_schema(const Session *session, Error *err)
{
    Arena *scratch = arena_create(NULL, 0);
    const DescId *named;
    DescId schema = named_schemas(session, &named, scratch) ? named[0] : DESC_ID_NONE;
    arena_destroy(scratch);
    if (schema == DESC_ID_NONE)
        (void)err_set(err, session->arena, ERR_INVALID_SCHEMA_NAME, "no schema has been selected to create in");
    return schema;
}

const Desc *session_find_type(const Session *session, const char *schema, const char *name, Arena *arena)
{
    DescId only = schema ? session_find_schema(session, schema) : DESC_ID_NONE;
    const DescId *schemas = &only;
    int count = schema ? 1 : session_search_path(session, &schemas, arena);
    for (int i = 0; i < count; i++) {
        const Desc *desc = catalog_find_object(session->catalog, schemas[i], name);
        if (desc && desc->kind == DESC_TYPE) return desc;
    }
    return NULL;
}

/* ---- roles ---- */

/* Memberships have no cycles: GRANT refuses to make one. */
static bool reaches(const Session *session, const RoleDesc *role, DescId wanted, bool by_inheritance)
{
    if (!role) return false;
    if (role->base.id == wanted) return true;
    if (by_inheritance && role->no_inherit) return false;
    for (int i = 0; i < role->member_of.count; i++) {
        const Desc *next = catalog_find_id(session->catalog, role->member_of.items[i].role);
        if (reaches(session, (const RoleDesc *)next, wanted, by_inheritance)) return true;
    }
    return false;
}

static const RoleDesc *role_of(const Session *session, const char *name)
{
    return (const RoleDesc *)catalog_find_role(session->catalog, name);
}

bool session_is_superuser(const Session *session)
{
    const RoleDesc *self = role_of(session, session->user);
    return self && self->superuser;
}

bool session_has_role(const Session *session, const char *role)
{
    const RoleDesc *self = role_of(session, session->user), *wanted = role_of(session, role);
    if (strcmp(session->user, role) == 0 || (self && self->superuser)) return true;
    return wanted && reaches(session, self, wanted->base.id, true);
}

bool session_inherits(const Session *session, const char *user, DescId role)
{
    const RoleDesc *self = role_of(session, user);
    return self && (self->superuser || reaches(session, self, role, true));
}

bool session_is_member(const Session *session, const char *user, const char *role)
{
    const RoleDesc *self = role_of(session, user), *wanted = role_of(session, role);
    if (!self || !wanted) return false;
    return self->superuser || reaches(session, self, wanted->base.id, false);
}

bool session_is_admin(const Session *session, const char *role)
{
    const RoleDesc *self = role_of(session, session->user), *wanted = role_of(session, role);
    if (!self || !wanted) return false;
    if (self->superuser || (self->create_role && !wanted->superuser)) return true;
    for (int i = 0; i < self->member_of.count; i++)
        if (self->member_of.items[i].role == wanted->base.id && self->member_of.items[i].admin) return true;
    return false;
}
