/* bind_name.c - names of relations, indexes, schemas and types. */
#include "parser/parse.h"
#include "planner/bind/bind.h"
#include "planner/privilege.h"
#include "planner/settings.h"
#include "storage/catalog/extension.h"

const char *bind_qualified_text(Binder *binder, const AstName *name)
{
    if (name->database) return arena_printf(binder->arena, "%s.%s.%s", name->database, name->schema, name->name);
    if (name->schema) return arena_printf(binder->arena, "%s.%s", name->schema, name->name);
    return name->name;
}

/* ---- relations ---- */

static bool is_relation(const Desc *desc)
{
    return desc->kind == DESC_TABLE || desc->kind == DESC_VIEW || desc->kind == DESC_SEQUENCE;
}

static bool find_in_schema(Binder *binder, DescId schema, const char *name, BoundName *found)
{
    const CatalogView *view = binder->session->catalog;
    const char *schema_name = schema < DESC_ID_FIRST_USER ? session_schema_name(binder->session, schema) : NULL;
    const SystemRelation *system = schema_name ? catalog_find_system(view, schema_name, name) : NULL;
    const Desc *desc = system ? NULL : catalog_find_object(view, schema, name);
    if (desc && !is_relation(desc)) desc = NULL;
    if (!system && !desc) return false;
    *found = (BoundName){desc, system, schema};
    return true;
}

static Status check_database(Binder *binder, const AstName *name)
{
    if (!name->database || strcmp(name->database, binder->session->database) == 0) return ST_OK;
    (void)err_set(binder->err, binder->arena, ERR_FEATURE_NOT_SUPPORTED,
                  "cross-database references are not implemented: \"%s\"", bind_qualified_text(binder, name));
    return err_at(binder->err, name->position);
}

/* db.t, as CockroachDB writes it for db.public.t: only where no schema has that name. */
static bool is_database_name(const Binder *binder, const char *schema)
{
    return strcmp(schema, binder->session->database) == 0;
}

Status bind_find_relation(Binder *binder, const AstName *name, bool required, BoundName *found)
{
    *found = (BoundName){0};
    TRY(check_database(binder, name));
    if (name->schema) {
        DescId schema = session_find_schema(binder->session, name->schema);
        if (!schema && is_database_name(binder, name->schema)) schema = session_find_schema(binder->session, "public");
        if (schema && !binder->trusted && !privilege_may_use_schema(binder->session, schema)) {
            (void)privilege_check_schema(binder->session, schema, ACL_USAGE, binder->arena, binder->err);
            return err_at(binder->err, name->position);
        }
        if (schema && find_in_schema(binder, schema, name->name, found)) return ST_OK;
    } else {
        const DescId *schemas;
        int count = session_search_path(binder->session, &schemas, binder->arena);
        for (int i = 0; i < count; i++)
            if (find_in_schema(binder, schemas[i], name->name, found)) return ST_OK;
    }
    if (!required) return ST_OK;
    (void)err_set(binder->err, binder->arena, ERR_UNDEFINED_TABLE, "relation \"%s\" does not exist",
                  bind_qualified_text(binder, name));
    return err_at(binder->err, name->position);
}

Status bind_find_table(Binder *binder, const AstName *name, const TableDesc **table)
{
    BoundName found;
    TRY(bind_find_relation(binder, name, true, &found));
    if (found.desc && found.desc->kind == DESC_TABLE) {
        *table = (const TableDesc *)found.desc;
        return ST_OK;
    }
    (void)err_set(binder->err, binder->arena, ERR_WRONG_OBJECT_TYPE, "\"%s\" is not a table", name->name);
    return err_at(binder->err, name->position);
}

/* ---- indexes ---- */

static Status find_bare_index(Binder *binder, const AstIndexName *name, const TableDesc **table,
                              const IndexDesc **index)
{
    const DescId *schemas;
    int count = session_search_path(binder->session, &schemas, binder->arena);
    DescId named = name->table.schema ? session_find_schema(binder->session, name->table.schema) : DESC_ID_NONE;
    if (name->table.schema) {
        schemas = &named;
        count = 1;
    }
    for (int i = 0; i < count; i++) {
        *table = catalog_find_index(binder->session->catalog, schemas[i], name->index, index);
        if (*table) return ST_OK;
    }
    (void)err_set(binder->err, binder->arena, ERR_UNDEFINED_OBJECT, "index \"%s\" does not exist", name->index);
    return err_at(binder->err, name->position);
}

Status bind_find_index(Binder *binder, const AstIndexName *name, const TableDesc **table, const IndexDesc **index)
{
    if (!name->table.name) return find_bare_index(binder, name, table, index);
    TRY(bind_find_table(binder, &name->table, table));
    if (!name->index || strcmp(name->index, "primary") == 0) {
        *index = table_primary(*table);
        return ST_OK;
    }
    *index = table_index_by_name(*table, name->index);
    if (*index) return ST_OK;
    (void)err_set(binder->err, binder->arena, ERR_UNDEFINED_OBJECT, "index \"%s\" does not exist", name->index);
    return err_at(binder->err, name->position);
}

/* ---- schemas ---- */

Status bind_creation_schema(Binder *binder, const AstName *name, DescId *schema)
{
    TRY(check_database(binder, name));
    if (!name->schema) {
        *schema = session_creation_schema(binder->session, binder->err);
        if (!*schema) return err_at(binder->err, name->position);
    } else {
        *schema = session_find_schema(binder->session, name->schema);
        if (!*schema && is_database_name(binder, name->schema))
            *schema = session_find_schema(binder->session, "public");
        if (!*schema) {
            (void)err_set(binder->err, binder->arena, ERR_INVALID_SCHEMA_NAME, "schema \"%s\" does not exist",
                          name->schema);
            return err_at(binder->err, name->position);
        }
    }
    if (*schema >= DESC_ID_FIRST_USER || catalog_find_id(binder->session->catalog, *schema))
        return privilege_check_schema(binder->session, *schema, ACL_CREATE, binder->arena, binder->err);
    const char *schema_name = session_schema_name(binder->session, *schema);
    (void)err_set(binder->err, binder->arena, ERR_INSUFFICIENT_PRIVILEGE, "permission denied to create \"%s.%s\"",
                  schema_name, name->name);
    err_detail(binder->err, binder->arena, "System catalog modifications are currently disallowed.");
    return err_at(binder->err, name->position);
}

/* ---- types ---- */

static Status no_type(Binder *binder, const AstType *type)
{
    const char *dot = type->schema ? "." : "", *schema = type->schema ? type->schema : "";
    (void)err_set(binder->err, binder->arena, ERR_UNDEFINED_OBJECT, "type \"%s%s%s%s\" does not exist", schema, dot,
                  type->name, type->array_dims ? "[]" : "");
    return err_at(binder->err, type->position);
}

/* INTERVAL's field list as PostgreSQL's typmod has it: one bit a field. */
static int32_t interval_range(const char *fields)
{
    static const struct {
        const char *fields;
        int32_t bits;
    } ranges[] = {
        {"year", 1 << 2},
        {"month", 1 << 1},
        {"day", 1 << 3},
        {"hour", 1 << 10},
        {"minute", 1 << 11},
        {"second", 1 << 12},
        {"year to month", 1 << 2 | 1 << 1},
        {"day to hour", 1 << 3 | 1 << 10},
        {"day to minute", 1 << 3 | 1 << 10 | 1 << 11},
        {"day to second", 1 << 3 | 1 << 10 | 1 << 11 | 1 << 12},
        {"hour to minute", 1 << 10 | 1 << 11},
        {"hour to second", 1 << 10 | 1 << 11 | 1 << 12},
        {"minute to second", 1 << 11 | 1 << 12},
    };
    for (size_t i = 0; fields && i < sizeof ranges / sizeof ranges[0]; i++)
        if (strcmp(ranges[i].fields, fields) == 0) return ranges[i].bits;
    return 0x7FFF;
}

static Status interval_typmod(Binder *binder, const AstType *type, int32_t *typmod)
{
    if (!type->interval_fields && type->typmods.count == 0) return ST_OK;
    int32_t precision = type->typmods.count ? type->typmods.items[0] : 0xFFFF;
    if (type->typmods.count && (precision < 0 || precision > 6)) {
        if (precision < 0)
            return err_set(binder->err, binder->arena, ERR_INVALID_PARAMETER_VALUE,
                           "INTERVAL(%d) precision must not be negative", precision);
        precision = 6;
    }
    *typmod = interval_range(type->interval_fields) << 16 | precision;
    return ST_OK;
}

static Status bind_typmod(Binder *binder, const AstType *type, const TypeDef *def, int32_t *typmod)
{
    *typmod = -1;
    if (def->oid == OID_INTERVAL) return interval_typmod(binder, type, typmod);
    if (type->typmods.count == 0) return ST_OK;
    if (!def->typmod_in) {
        (void)err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR, "type modifier is not allowed for type \"%s\"",
                      def->name);
        return err_at(binder->err, type->position);
    }
    int32_t *args = ARENA_ARRAY(binder->arena, int32_t, type->typmods.count);
    for (int i = 0; i < type->typmods.count; i++) args[i] = type->typmods.items[i];
    if (def->typmod_in(def, &binder->types, args, type->typmods.count, typmod) == ST_OK) return ST_OK;
    return err_at(binder->err, type->position);
}

/* The types of an extension are in the schema that it was created in. */
static bool is_built_in(Binder *binder, const AstType *type)
{
    if (!type->schema || strcmp(type->schema, "pg_catalog") == 0) return true;
    const ExtensionDef *extension = extension_of(type->name);
    const DatabaseDesc *database = (const DatabaseDesc *)catalog_find_id(binder->session->catalog, binder->session->database_id);
    int index = extension && database ? extension_index(database, extension) : -1;
    return index >= 0 && strcmp(extension_schema(database, index), type->schema) == 0;
}

Status bind_type(Binder *binder, const AstType *type, TypeRef *out)
{
    const TypeDef *def = is_built_in(binder, type) ? type_find_name(type->name) : NULL;
    if (!def) {
        const Desc *desc = session_find_type(binder->session, type->schema, type->name, binder->arena);
        if (desc) def = type_find(desc->id);
        if (!def) return no_type(binder, type);
    }
    if (type->plain_int && def->oid == OID_INT4 &&
        setting_int(binder->session->settings, SETTING_default_int_size) == 8)
        def = type_find(OID_INT8);
    if (type->setof) {
        (void)err_set(binder->err, binder->arena, ERR_SYNTAX_ERROR, "SETOF is not allowed here");
        return err_at(binder->err, type->position);
    }
    int32_t typmod;
    TypeRef named = type_ref(type->array_dims ? def->array_oid : def->oid);
    if (named.domain && type->typmods.count == 0) {
        *out = named;
        return ST_OK;
    }
    TRY(bind_typmod(binder, type, def, &typmod));
    Oid oid = def->oid;
    if (type->array_dims) oid = def->array_oid;
    if (!oid) return no_type(binder, type);
    *out = (TypeRef){oid, typmod};
    return ST_OK;
}
