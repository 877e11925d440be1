/* reg_names.c - 'users'::regclass and back: names of the session's catalog for the reg* types. */
#include "parser/parse.h"
#include "planner/session.h"
#include "storage/types/type_user.h"

enum { NAME_PARTS_MAX = 3, OID_REGPROCEDURE = 2202, OID_REGOPER = 2203, OID_REGOPERATOR = 2204 };

/* Takes one part of a dotted name off the front: folded to lower case unless quoted. False: malformed. */
static bool take_part(Slice *text, char *out, size_t room)
{
    size_t i = 0, n = 0;
    bool quoted = text->size && text->data[0] == '"';
    if (quoted) i++;
    for (; i < text->size; i++) {
        uint8_t c = text->data[i];
        if (quoted && c == '"') {
            if (i + 1 >= text->size || text->data[i + 1] != '"') break;
            i++;
        } else if (!quoted && c == '.') {
            break;
        } else if (!quoted && c >= 'A' && c <= 'Z') {
            c |= 0x20;
        }
        if (n + 1 >= room) return false;
        out[n++] = (char)c;
    }
    if (quoted && i++ >= text->size) return false;
    out[n] = 0;
    *text = slice_of(text->data + i, text->size - i);
    return n > 0;
}

static int split(Slice text, char parts[NAME_PARTS_MAX][256])
{
    int count = 0;
    while (text.size && (text.data[0] == ' ')) text = slice_of(text.data + 1, text.size - 1);
    while (text.size && text.data[text.size - 1] == ' ') text.size--;
    while (count < NAME_PARTS_MAX && take_part(&text, parts[count], sizeof parts[0])) {
        count++;
        if (text.size == 0) return count;
        if (text.data[0] != '.') return 0;
        text = slice_of(text.data + 1, text.size - 1);
    }
    return 0;
}

static Oid relation_in(const Session *session, DescId schema, const char *name)
{
    const IndexDesc *index;
    const Desc *desc = catalog_find_object(session->catalog, schema, name);
    if (desc && desc->kind != DESC_TYPE) return desc->id;
    const TableDesc *table = catalog_find_index(session->catalog, schema, name, &index);
    if (table) return index_oid(table->base.id, index->id);
    const char *schema_name = session_schema_name(session, schema);
    const SystemRelation *system = schema_name ? catalog_find_system(session->catalog, schema_name, name) : NULL;
    return system ? system->oid : 0;
}

static Oid find_relation(const Session *session, const char *schema, const char *name)
{
    if (schema) {
        DescId id = session_find_schema(session, schema);
        return id ? relation_in(session, id, name) : 0;
    }
    const DescId *path;
    Arena *arena = arena_create(NULL, 0);
    int count = session_search_path(session, &path, arena);
    Oid found = 0;
    for (int i = 0; i < count && !found; i++) found = relation_in(session, path[i], name);
    arena_destroy(arena);
    return found;
}

static const Builtins *builtins_of(const Session *session)
{
    return catalog_builtins(catalog_view_catalog(session->catalog));
}

static Oid find_builtin(const Session *session, Oid reg_type, const char *name)
{
    const Builtins *builtins = builtins_of(session);
    return builtins->reg_find ? builtins->reg_find(reg_type, name) : 0;
}

static const char *builtin_name(const Session *session, Oid reg_type, Oid oid)
{
    const Builtins *builtins = builtins_of(session);
    return builtins->reg_name ? builtins->reg_name(reg_type, oid) : NULL;
}

static Oid find_function(const Session *session, const char *name)
{
    const FuncDef *const *rows;
    const AggDef *const *aggregates;
    if (catalog_functions(session->catalog, name, &rows) > 0) return rows[0]->oid;
    if (catalog_aggregates(session->catalog, name, &aggregates) > 0) return aggregates[0]->oid;
    return find_builtin(session, OID_REGPROC, name);
}

static Oid find_type(const Session *session, const char *schema, const char *name)
{
    Arena *arena = arena_create(NULL, 0);
    const Desc *type = session_find_type(session, schema, name, arena);
    /* An array type has the name of its element's with a line in front. */
    const Desc *element = type || *name != '_' ? NULL : session_find_type(session, schema, name + 1, arena);
    arena_destroy(arena);
    return type ? type->id : element ? ((const TypeDesc *)element)->array_oid : 0;
}

/* A type as SQL writes it, with quotes, a schema, a modifier and dimensions: "public"."kind"[], numeric(10, 2). */
static bool find_type_text(const Session *session, Slice text, Oid *oid)
{
    Arena *arena = arena_create(NULL, 0);
    Error ignored;
    AstType *ast;
    *oid = 0;
    if (parse_type_text(arena_strndup(arena, text.data, text.size), &ast, arena, &ignored) == ST_OK && !ast->setof) {
        bool own = !ast->schema || strcmp(ast->schema, "pg_catalog") == 0;
        const TypeDef *type = own ? type_find_name(ast->name) : NULL;
        if (!type) type = type_find(find_type(session, ast->schema, ast->name));
        if (type) *oid = ast->array_dims ? type->array_oid : type->oid;
    }
    arena_destroy(arena);
    return *oid != 0;
}

static bool find(void *argument, Oid reg_type, Slice text, Oid *oid)
{
    Session *session = argument;
    if (reg_type == OID_REGTYPE) return session->catalog && find_type_text(session, text, oid);
    char parts[NAME_PARTS_MAX][256];
    int count = session->catalog ? split(text, parts) : 0;
    const Desc *role;
    if (count == 0) return false;
    const char *name = parts[count - 1], *schema = count > 1 ? parts[count - 2] : NULL;
    *oid = 0;
    switch (reg_type) {
    case OID_REGCLASS:
        *oid = find_relation(session, schema, name);
        break;
    case OID_REGPROC:
    case OID_REGPROCEDURE:
        *oid = find_function(session, name);
        break;
    case OID_REGOPER:
    case OID_REGOPERATOR:
        *oid = find_builtin(session, reg_type, name);
        break;
    case OID_REGNAMESPACE:
        *oid = session_find_schema(session, name);
        break;
    case OID_REGROLE:
        role = catalog_find_role(session->catalog, name);
        *oid = role ? role->id : 0;
        break;
    }
    return *oid != 0;
}

static void put_name(const char *name, Buf *out)
{
    bool plain = (*name >= 'a' && *name <= 'z') || *name == '_';
    for (const char *c = name; *c; c++)
        plain = plain && ((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '_');
    if (plain) {
        buf_put_str(out, name);
        return;
    }
    buf_put_u8(out, '"');
    for (const char *c = name; *c; c++) {
        if (*c == '"') buf_put_u8(out, '"');
        buf_put_u8(out, (uint8_t)*c);
    }
    buf_put_u8(out, '"');
}

/* Qualified unless the plain name finds it. */
static void put_relation(const Session *session, DescId schema, const char *name, Oid oid, Buf *out)
{
    const char *schema_name = session_schema_name(session, schema);
    if (schema_name && find_relation(session, NULL, name) != oid) {
        put_name(schema_name, out);
        buf_put_u8(out, '.');
    }
    put_name(name, out);
}

const char *session_type_name(const Session *session, TypeRef type, Arena *arena)
{
    const UserType *user = session && session->catalog ? user_type_find(type_ref_oid(type)) : NULL;
    const Desc *desc = user ? catalog_find_id(session->catalog, user->def.oid) : NULL;
    if (!desc) return type_format(type, arena);
    Buf text = {0};
    const char *schema = session_schema_name(session, desc->parent_schema);
    if (schema && session_find_type(session, NULL, desc->name, arena) != desc) {
        put_name(schema, &text);
        buf_put_u8(&text, '.');
    }
    put_name(desc->name, &text);
    if (type_ref_oid(type) != user->def.oid) buf_put_str(&text, "[]");
    const char *name = buf_to_str(&text, arena);
    buf_finish(&text);
    return name;
}

static bool put_type(const Session *session, Oid oid, Buf *out)
{
    const UserType *user = user_type_find(oid);
    if (!user || !catalog_find_id(session->catalog, user->def.oid)) return false;
    Arena *arena = arena_create(NULL, 0);
    buf_put_str(out, session_type_name(session, type_ref(oid), arena));
    arena_destroy(arena);
    return true;
}

static bool put_class(const Session *session, Oid oid, Buf *out)
{
    const IndexDesc *index;
    const Desc *desc = catalog_find_id(session->catalog, oid);
    const TableDesc *table = desc ? NULL : catalog_find_index_oid(session->catalog, oid, &index);
    const SystemRelation *system = desc || table ? NULL : catalog_find_system_oid(session->catalog, oid);
    if (desc)
        put_relation(session, desc->parent_schema, desc->name, oid, out);
    else if (table)
        put_relation(session, table->base.parent_schema, index->name, oid, out);
    else if (system)
        put_relation(session, session_find_schema(session, system->schema), system->name, oid, out);
    return desc || table || system;
}

static bool put(void *argument, Oid reg_type, Oid oid, Buf *out)
{
    Session *session = argument;
    const char *name = NULL;
    if (!session->catalog) return false;
    if (reg_type == OID_REGCLASS) return put_class(session, oid, out);
    if (reg_type == OID_REGTYPE) return put_type(session, oid, out);
    if (reg_type == OID_REGOPER || reg_type == OID_REGOPERATOR || reg_type == OID_REGPROCEDURE) {
        name = builtin_name(session, reg_type, oid);
        if (name) buf_put_str(out, name);
        return name != NULL;
    }
    if (reg_type == OID_REGPROC) {
        const FuncDef *function = catalog_function_oid(session->catalog, oid);
        name = builtin_name(session, reg_type, oid);
        if (name) buf_put_str(out, name);
        if (name) return true;
        if (function) name = function->name;
    } else if (reg_type == OID_REGNAMESPACE) {
        name = session_schema_name(session, oid);
    } else if (reg_type == OID_REGROLE) {
        const Desc *role = catalog_find_id(session->catalog, oid);
        name = role && role->kind == DESC_ROLE ? role->name : NULL;
    }
    if (name) put_name(name, out);
    return name != NULL;
}

void session_use_reg_names(Session *session)
{
    RegNames *names = ARENA_NEW(session->arena, RegNames);
    *names = (RegNames){find, put, session};
    session->type_env.reg_names = names;
}
