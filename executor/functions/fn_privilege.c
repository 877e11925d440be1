/* fn_privilege.c - has_table_privilege and its kin, pg_has_role.
 *
 * Each family comes in the same forms: with or without a user (by name or oid), with the object by name or oid. Names that
 * mean nothing are errors, oids that mean nothing give NULL.
 */
#include <stdlib.h>
#include <strings.h>

#include "executor/functions/families.h"
#include "planner/privilege.h"

/* ---- arguments ---- */

static const char *text_arg(FnCtx *ctx, Value v)
{
    return arena_strndup(ctx->type.arena, v.p, v.size);
}

static bool is_oid(FnCtx *ctx, int arg)
{
    return ctx->arg_types[arg].oid == OID_OID;
}

/* A role by name or oid; *role NULL: no role has that oid. */
static Status role_arg(FnCtx *ctx, const Value *args, int arg, const char **role)
{
    if (is_oid(ctx, arg)) {
        const Desc *desc = catalog_find_id(ctx->session->catalog, (DescId)args[arg].i);
        *role = desc && desc->kind == DESC_ROLE ? desc->name : NULL;
        return ST_OK;
    }
    *role = text_arg(ctx, args[arg]);
    if (strcmp(*role, "public") == 0 || privilege_role_id(ctx->session, *role)) return ST_OK;
    return err_set(ctx->type.err, ctx->type.arena, ERR_UNDEFINED_OBJECT, "role \"%s\" does not exist", *role);
}

/* One of "SELECT", "SELECT WITH GRANT OPTION" ... */
typedef struct Asked {
    uint32_t bits;
    bool grantable;
} Asked;
typedef VEC(Asked) AskedVec;

static bool ask(const char *word, size_t size, uint32_t allowed, Asked *asked)
{
    static const char option[] = " WITH GRANT OPTION";
    size_t tail = sizeof option - 1;
    *asked = (Asked){0};
    if (size > tail && strncasecmp(word + size - tail, option, tail) == 0) {
        asked->grantable = true;
        size -= tail;
    }
    if (size == 4 && strncasecmp(word, "temp", 4) == 0) asked->bits = ACL_TEMPORARY;
    for (int bit = 0; bit < ACL_COUNT; bit++)
        if (strlen(acl_word(bit)) == size && strncasecmp(word, acl_word(bit), size) == 0) asked->bits = 1u << bit;
    asked->bits &= allowed;
    return asked->bits != 0;
}

/* A list: any of them will do. */
static Status asked_arg(FnCtx *ctx, Value v, uint32_t allowed, AskedVec *list)
{
    const char *text = text_arg(ctx, v);
    *list = (AskedVec){0};
    while (*text) {
        size_t size = strcspn(text, ",");
        const char *word = text, *end = text + size;
        while (word < end && *word == ' ') word++;
        while (end > word && end[-1] == ' ') end--;
        Asked asked;
        if (!ask(word, (size_t)(end - word), allowed, &asked))
            return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "unrecognized privilege type: \"%.*s\"",
                           (int)(end - word), word);
        VEC_PUSH(ctx->type.arena, *list, asked);
        text += size;
        if (*text == ',') text++;
    }
    return ST_OK;
}

/* ---- what is held ---- */

static uint32_t options_held(FnCtx *ctx, const char *role, const Desc *desc, const AclVec *extra)
{
    const Session *session = ctx->session;
    AclVec acl = acl_of(desc, privilege_role_id(session, desc->owner), ctx->type.arena);
    for (int i = 0; extra && i < extra->count; i++) VEC_PUSH(ctx->type.arena, acl, extra->items[i]);
    if (privilege_owns(session, role, desc)) return ~0u;
    uint32_t options = 0;
    for (int i = 0; i < acl.count; i++)
        if (acl.items[i].grantable && acl.items[i].grantee && session_inherits(session, role, acl.items[i].grantee))
            options |= acl.items[i].grantable;
    return options;
}

static bool holds(FnCtx *ctx, const char *role, const Desc *desc, const AskedVec *asked)
{
    uint32_t held = privileges_held(ctx->session, role, desc), options = options_held(ctx, role, desc, NULL);
    for (int i = 0; i < asked->count; i++)
        if ((asked->items[i].grantable ? options : held) & asked->items[i].bits) return true;
    return false;
}

static bool holds_on_column(FnCtx *ctx, const char *role, const Desc *desc, const ColumnDesc *column, const AskedVec *asked)
{
    uint32_t held = privileges_of_column(ctx->session, role, desc, column->id) | privileges_held(ctx->session, role, desc);
    uint32_t options = options_held(ctx, role, desc, &column->acl);
    for (int i = 0; i < asked->count; i++)
        if ((asked->items[i].grantable ? options : held) & asked->items[i].bits) return true;
    return false;
}

/* A built-in relation may be read by everybody, but for a few; only superusers have more. */
static bool holds_on_system(FnCtx *ctx, const char *role, const SystemRelation *system, const AskedVec *asked)
{
    bool super = privilege_is_superuser(ctx->session, role);
    for (int i = 0; i < asked->count; i++)
        if (super || (!asked->items[i].grantable && asked->items[i].bits == ACL_SELECT && !privilege_is_secret(system))) return true;
    return false;
}

/* ---- objects ---- */

typedef struct Object {
    const Desc *desc;
    const SystemRelation *system; /* or a built-in schema or type: neither, and `known` */
    bool known;
} Object;

static void relation_by_oid(FnCtx *ctx, Oid oid, Object *object)
{
    const IndexDesc *index;
    object->desc = catalog_find_id(ctx->session->catalog, oid);
    if (object->desc && object->desc->kind != DESC_TABLE && object->desc->kind != DESC_VIEW && object->desc->kind != DESC_SEQUENCE)
        object->desc = NULL;
    if (!object->desc) {
        const TableDesc *table = catalog_find_index_oid(ctx->session->catalog, oid, &index);
        if (table) object->desc = &table->base;
    }
    object->system = object->desc ? NULL : catalog_find_system_oid(ctx->session->catalog, oid);
    object->known = object->desc || object->system;
}

static Status relation_arg(FnCtx *ctx, const Value *args, int arg, Object *object)
{
    Value oid = args[arg];
    const TypeDef *regclass = type_find(OID_REGCLASS);
    if (!is_oid(ctx, arg)) TRY(regclass->in(regclass, &ctx->type, value_to_slice(args[arg]), -1, &oid));
    relation_by_oid(ctx, (Oid)oid.i, object);
    return ST_OK;
}

static Status schema_arg(FnCtx *ctx, const Value *args, int arg, Object *object)
{
    DescId id = is_oid(ctx, arg) ? (DescId)args[arg].i : session_find_schema(ctx->session, text_arg(ctx, args[arg]));
    object->desc = catalog_find_id(ctx->session->catalog, id);
    if (object->desc && object->desc->kind != DESC_SCHEMA) object->desc = NULL;
    object->known = object->desc || (id && session_schema_name(ctx->session, id));
    if (object->known || is_oid(ctx, arg)) return ST_OK;
    return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_SCHEMA_NAME, "schema \"%s\" does not exist", text_arg(ctx, args[arg]));
}

static Status database_arg(FnCtx *ctx, const Value *args, int arg, Object *object)
{
    const CatalogView *view = ctx->session->catalog;
    object->desc = is_oid(ctx, arg) ? catalog_find_id(view, (DescId)args[arg].i) : catalog_find_database(view, text_arg(ctx, args[arg]));
    if (object->desc && object->desc->kind != DESC_DATABASE) object->desc = NULL;
    object->known = object->desc;
    if (object->known || is_oid(ctx, arg)) return ST_OK;
    return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_CATALOG_NAME, "database \"%s\" does not exist", text_arg(ctx, args[arg]));
}

static Status type_arg(FnCtx *ctx, const Value *args, int arg, Object *object)
{
    Value oid = args[arg];
    const TypeDef *regtype = type_find(OID_REGTYPE);
    if (!is_oid(ctx, arg)) TRY(regtype->in(regtype, &ctx->type, value_to_slice(args[arg]), -1, &oid));
    object->desc = catalog_find_id(ctx->session->catalog, (DescId)oid.i);
    if (object->desc && object->desc->kind != DESC_TYPE) object->desc = NULL;
    object->known = object->desc || type_find((Oid)oid.i);
    return ST_OK;
}

static Status no_sequence(FnCtx *ctx, const Object *object, const char *given)
{
    const char *name = given ? given : object->desc ? object->desc->name : object->system->name;
    return err_set(ctx->type.err, ctx->type.arena, ERR_WRONG_OBJECT_TYPE, "\"%s\" is not a sequence", name);
}

/* ---- the families ---- */

typedef Status (*ObjectArg)(FnCtx *ctx, const Value *args, int arg, Object *object);

static Status current_or_given(FnCtx *ctx, const Value *args, int with_user, const char **role, int *next)
{
    *next = ctx->arg_count == with_user;
    *role = ctx->session->user;
    return *next ? role_arg(ctx, args, 0, role) : ST_OK;
}

static Status has(FnCtx *ctx, const Value *args, ObjectArg find, DescKind kind, Value *out)
{
    const char *role;
    int next;
    Object object = {0};
    AskedVec asked;
    uint32_t allowed = acl_all(kind);
    TRY(current_or_given(ctx, args, 3, &role, &next));
    TRY(find(ctx, args, next, &object));
    TRY(asked_arg(ctx, args[next + 1], allowed, &asked));
    *out = VALUE_NULL;
    if (!object.known || !role) return ST_OK;
    if (kind == DESC_SEQUENCE && (!object.desc || object.desc->kind != DESC_SEQUENCE)) return no_sequence(ctx, &object, is_oid(ctx, next) ? NULL : text_arg(ctx, args[next]));
    if (object.desc)
        *out = value_bool(holds(ctx, role, object.desc, &asked));
    else if (object.system)
        *out = value_bool(holds_on_system(ctx, role, object.system, &asked));
    else /* a built-in schema or type may be used by everybody */
        *out = value_bool((asked.count && asked.items[0].bits == ACL_USAGE && !asked.items[0].grantable) ||
                          privilege_is_superuser(ctx->session, role));
    return ST_OK;
}

static Status has_table(FnCtx *ctx, const Value *args, Value *out)
{
    return has(ctx, args, relation_arg, DESC_TABLE, out);
}

static Status has_sequence(FnCtx *ctx, const Value *args, Value *out)
{
    return has(ctx, args, relation_arg, DESC_SEQUENCE, out);
}

static Status has_schema(FnCtx *ctx, const Value *args, Value *out)
{
    return has(ctx, args, schema_arg, DESC_SCHEMA, out);
}

static Status has_database(FnCtx *ctx, const Value *args, Value *out)
{
    return has(ctx, args, database_arg, DESC_DATABASE, out);
}

static Status has_type(FnCtx *ctx, const Value *args, Value *out)
{
    return has(ctx, args, type_arg, DESC_TYPE, out);
}

/* All functions are built in, and for everybody. */
static Status function_arg(FnCtx *ctx, const Value *args, int arg, Object *object)
{
    const FuncDef *const *rows;
    object->known = true;
    if (is_oid(ctx, arg)) return ST_OK;
    const char *text = text_arg(ctx, args[arg]), *dot = strchr(text, '.');
    if (dot && strncmp(text, "pg_catalog.", 11) == 0) text = dot + 1;
    const char *name = arena_strndup(ctx->type.arena, text, strcspn(text, "("));
    if (catalog_functions(ctx->session->catalog, name, &rows)) return ST_OK;
    return err_set(ctx->type.err, ctx->type.arena, ERR_UNDEFINED_FUNCTION, "function \"%s\" does not exist", text_arg(ctx, args[arg]));
}

static Status has_function(FnCtx *ctx, const Value *args, Value *out)
{
    const char *role;
    int next;
    Object object = {0};
    AskedVec asked;
    TRY(current_or_given(ctx, args, 3, &role, &next));
    TRY(function_arg(ctx, args, next, &object));
    TRY(asked_arg(ctx, args[next + 1], ACL_EXECUTE, &asked));
    *out = VALUE_NULL;
    if (role) *out = value_bool(!asked.items[0].grantable || privilege_is_superuser(ctx->session, role));
    return ST_OK;
}

/* There are only sql and plpgsql, for everybody; and tablespaces that only superusers have. */
static Status has_language(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_bool(true);
    return ST_OK;
}

static Status has_tablespace(FnCtx *ctx, const Value *args, Value *out)
{
    const char *role;
    int next;
    TRY(current_or_given(ctx, args, 3, &role, &next));
    *out = role ? value_bool(privilege_is_superuser(ctx->session, role)) : VALUE_NULL;
    return ST_OK;
}

/* ---- columns ---- */

static const ColumnDesc *column_of(FnCtx *ctx, const Desc *desc, Value v, bool by_number)
{
    int count;
    const ColumnDesc *columns = privilege_columns(desc, &count);
    const char *name = by_number ? NULL : text_arg(ctx, v);
    for (int i = 0; i < count; i++)
        if (by_number ? columns[i].id == (uint32_t)v.i : !columns[i].hidden && strcmp(columns[i].name, name) == 0) return &columns[i];
    return NULL;
}

static Status has_column(FnCtx *ctx, const Value *args, Value *out)
{
    const char *role;
    int next;
    Object object = {0};
    AskedVec asked;
    TRY(current_or_given(ctx, args, 4, &role, &next));
    TRY(relation_arg(ctx, args, next, &object));
    TRY(asked_arg(ctx, args[next + 2], ACL_OF_COLUMNS, &asked));
    bool by_number = ctx->arg_types[next + 1].oid == OID_INT2;
    *out = VALUE_NULL;
    if (!object.known || !role) return ST_OK;
    if (!object.desc) {
        *out = value_bool(holds_on_system(ctx, role, object.system, &asked));
        return ST_OK;
    }
    const ColumnDesc *column = column_of(ctx, object.desc, args[next + 1], by_number);
    if (!column && !by_number)
        return err_set(ctx->type.err, ctx->type.arena, ERR_UNDEFINED_COLUMN, "column \"%s\" of relation \"%s\" does not exist",
                       text_arg(ctx, args[next + 1]), object.desc->name);
    if (column) *out = value_bool(holds_on_column(ctx, role, object.desc, column, &asked));
    return ST_OK;
}

static Status has_any_column(FnCtx *ctx, const Value *args, Value *out)
{
    const char *role;
    int next, count;
    Object object = {0};
    AskedVec asked;
    TRY(current_or_given(ctx, args, 3, &role, &next));
    TRY(relation_arg(ctx, args, next, &object));
    TRY(asked_arg(ctx, args[next + 1], ACL_OF_COLUMNS, &asked));
    *out = VALUE_NULL;
    if (!object.known || !role) return ST_OK;
    bool any = object.desc ? holds(ctx, role, object.desc, &asked) : holds_on_system(ctx, role, object.system, &asked);
    const ColumnDesc *columns = object.desc ? privilege_columns(object.desc, &count) : NULL;
    for (int i = 0; columns && i < count && !any; i++) any = holds_on_column(ctx, role, object.desc, &columns[i], &asked);
    *out = value_bool(any);
    return ST_OK;
}

/* ---- roles ---- */

/* USAGE: its privileges are inherited; MEMBER: SET ROLE to it is allowed; with an option: it may be granted on. */
static bool has_role_as(FnCtx *ctx, const char *user, const char *role, const char *word, size_t size)
{
    const Session *session = ctx->session;
    DescId id = privilege_role_id(session, role);
    if (size == 5) return session_inherits(session, user, id);
    if (size == 6) return session_is_member(session, user, role);
    Session as = *session;
    as.user = user;
    return session_is_admin(&as, role);
}

static Status pg_has_role(FnCtx *ctx, const Value *args, Value *out)
{
    static const char *const words[] = {"USAGE", "MEMBER", "USAGE WITH GRANT OPTION", "USAGE WITH ADMIN OPTION",
                                        "MEMBER WITH GRANT OPTION", "MEMBER WITH ADMIN OPTION"};
    const char *user, *role;
    int next;
    TRY(current_or_given(ctx, args, 3, &user, &next));
    TRY(role_arg(ctx, args, next, &role));
    const char *word = text_arg(ctx, args[next + 1]);
    *out = VALUE_NULL;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcasecmp(word, words[i]) != 0) continue;
        if (user && role) *out = value_bool(has_role_as(ctx, user, role, words[i], strlen(words[i])));
        return ST_OK;
    }
    return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "unrecognized privilege type: \"%s\"", word);
}

static Status row_security_active(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_bool(false); /* there are no policies */
    return ST_OK;
}

#define STABLE (FN_STRICT | FN_STABLE)

/* clang-format off */
const FuncDef fn_privilege_rows[] = {
    { 3024, "has_any_column_privilege", "name, text, text", "bool", STABLE, has_any_column },
    { 3025, "has_any_column_privilege", "name, oid, text", "bool", STABLE, has_any_column },
    { 3026, "has_any_column_privilege", "oid, text, text", "bool", STABLE, has_any_column },
    { 3027, "has_any_column_privilege", "oid, oid, text", "bool", STABLE, has_any_column },
    { 3028, "has_any_column_privilege", "text, text", "bool", STABLE, has_any_column },
    { 3029, "has_any_column_privilege", "oid, text", "bool", STABLE, has_any_column },
    { 3012, "has_column_privilege", "name, text, text, text", "bool", STABLE, has_column },
    { 3013, "has_column_privilege", "name, text, int2, text", "bool", STABLE, has_column },
    { 3014, "has_column_privilege", "name, oid, text, text", "bool", STABLE, has_column },
    { 3015, "has_column_privilege", "name, oid, int2, text", "bool", STABLE, has_column },
    { 3016, "has_column_privilege", "oid, text, text, text", "bool", STABLE, has_column },
    { 3017, "has_column_privilege", "oid, text, int2, text", "bool", STABLE, has_column },
    { 3018, "has_column_privilege", "oid, oid, text, text", "bool", STABLE, has_column },
    { 3019, "has_column_privilege", "oid, oid, int2, text", "bool", STABLE, has_column },
    { 3020, "has_column_privilege", "text, text, text", "bool", STABLE, has_column },
    { 3021, "has_column_privilege", "text, int2, text", "bool", STABLE, has_column },
    { 3022, "has_column_privilege", "oid, text, text", "bool", STABLE, has_column },
    { 3023, "has_column_privilege", "oid, int2, text", "bool", STABLE, has_column },
    { 2250, "has_database_privilege", "name, text, text", "bool", STABLE, has_database },
    { 2251, "has_database_privilege", "name, oid, text", "bool", STABLE, has_database },
    { 2252, "has_database_privilege", "oid, text, text", "bool", STABLE, has_database },
    { 2253, "has_database_privilege", "oid, oid, text", "bool", STABLE, has_database },
    { 2254, "has_database_privilege", "text, text", "bool", STABLE, has_database },
    { 2255, "has_database_privilege", "oid, text", "bool", STABLE, has_database },
    { 2256, "has_function_privilege", "name, text, text", "bool", STABLE, has_function },
    { 2257, "has_function_privilege", "name, oid, text", "bool", STABLE, has_function },
    { 2258, "has_function_privilege", "oid, text, text", "bool", STABLE, has_function },
    { 2259, "has_function_privilege", "oid, oid, text", "bool", STABLE, has_function },
    { 2260, "has_function_privilege", "text, text", "bool", STABLE, has_function },
    { 2261, "has_function_privilege", "oid, text", "bool", STABLE, has_function },
    { 2262, "has_language_privilege", "name, text, text", "bool", STABLE, has_language },
    { 2263, "has_language_privilege", "name, oid, text", "bool", STABLE, has_language },
    { 2264, "has_language_privilege", "oid, text, text", "bool", STABLE, has_language },
    { 2265, "has_language_privilege", "oid, oid, text", "bool", STABLE, has_language },
    { 2266, "has_language_privilege", "text, text", "bool", STABLE, has_language },
    { 2267, "has_language_privilege", "oid, text", "bool", STABLE, has_language },
    { 2268, "has_schema_privilege", "name, text, text", "bool", STABLE, has_schema },
    { 2269, "has_schema_privilege", "name, oid, text", "bool", STABLE, has_schema },
    { 2270, "has_schema_privilege", "oid, text, text", "bool", STABLE, has_schema },
    { 2271, "has_schema_privilege", "oid, oid, text", "bool", STABLE, has_schema },
    { 2272, "has_schema_privilege", "text, text", "bool", STABLE, has_schema },
    { 2273, "has_schema_privilege", "oid, text", "bool", STABLE, has_schema },
    { 2181, "has_sequence_privilege", "name, text, text", "bool", STABLE, has_sequence },
    { 2182, "has_sequence_privilege", "name, oid, text", "bool", STABLE, has_sequence },
    { 2183, "has_sequence_privilege", "oid, text, text", "bool", STABLE, has_sequence },
    { 2184, "has_sequence_privilege", "oid, oid, text", "bool", STABLE, has_sequence },
    { 2185, "has_sequence_privilege", "text, text", "bool", STABLE, has_sequence },
    { 2186, "has_sequence_privilege", "oid, text", "bool", STABLE, has_sequence },
    { 1922, "has_table_privilege", "name, text, text", "bool", STABLE, has_table },
    { 1923, "has_table_privilege", "name, oid, text", "bool", STABLE, has_table },
    { 1924, "has_table_privilege", "oid, text, text", "bool", STABLE, has_table },
    { 1925, "has_table_privilege", "oid, oid, text", "bool", STABLE, has_table },
    { 1926, "has_table_privilege", "text, text", "bool", STABLE, has_table },
    { 1927, "has_table_privilege", "oid, text", "bool", STABLE, has_table },
    { 2390, "has_tablespace_privilege", "name, text, text", "bool", STABLE, has_tablespace },
    { 2391, "has_tablespace_privilege", "name, oid, text", "bool", STABLE, has_tablespace },
    { 2392, "has_tablespace_privilege", "oid, text, text", "bool", STABLE, has_tablespace },
    { 2393, "has_tablespace_privilege", "oid, oid, text", "bool", STABLE, has_tablespace },
    { 2394, "has_tablespace_privilege", "text, text", "bool", STABLE, has_tablespace },
    { 2395, "has_tablespace_privilege", "oid, text", "bool", STABLE, has_tablespace },
    { 3138, "has_type_privilege", "name, text, text", "bool", STABLE, has_type },
    { 3139, "has_type_privilege", "name, oid, text", "bool", STABLE, has_type },
    { 3140, "has_type_privilege", "oid, text, text", "bool", STABLE, has_type },
    { 3141, "has_type_privilege", "oid, oid, text", "bool", STABLE, has_type },
    { 3142, "has_type_privilege", "text, text", "bool", STABLE, has_type },
    { 3143, "has_type_privilege", "oid, text", "bool", STABLE, has_type },
    { 2705, "pg_has_role", "name, name, text", "bool", STABLE, pg_has_role },
    { 2706, "pg_has_role", "name, oid, text", "bool", STABLE, pg_has_role },
    { 2707, "pg_has_role", "oid, name, text", "bool", STABLE, pg_has_role },
    { 2708, "pg_has_role", "oid, oid, text", "bool", STABLE, pg_has_role },
    { 2709, "pg_has_role", "name, text", "bool", STABLE, pg_has_role },
    { 2710, "pg_has_role", "oid, text", "bool", STABLE, pg_has_role },
    { 3298, "row_security_active", "oid", "bool", STABLE, row_security_active },
    { 3299, "row_security_active", "text", "bool", STABLE, row_security_active },
    { 0 },
};
/* clang-format on */
