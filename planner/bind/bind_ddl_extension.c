/* CREATE EXTENSION, DROP EXTENSION, COMMENT ON EXTENSION: a database's list of what the binary brings along. */
#include "planner/bind/bind_ddl.h"
#include "storage/catalog/extension.h"

static const DatabaseDesc *own_database(Binder *b)
{
    return (const DatabaseDesc *)catalog_find_id(b->session->catalog, b->session->database_id);
}

static bool is_there(Binder *b, const ExtensionDef *extension)
{
    return extension->always || extension_index(own_database(b), extension) >= 0;
}

static Status not_available(Binder *b, const char *name)
{
    ddl_fail(b, 0, ERR_FEATURE_NOT_SUPPORTED, "extension \"%s\" is not available", name);
    err_detail(b->err, b->arena,
               "Could not open extension control file \"/usr/share/postgresql/15/extension/%s.control\": No such file or "
               "directory.",
               name);
    err_hint(b->err, b->arena, "The extension must first be installed on the system where PostgreSQL is running.");
    return ST_ERROR;
}

static const char *option_text(const AstOption *option)
{
    return option->value && option->value->kind == AST_LITERAL ? ((const AstLiteral *)option->value)->text : "";
}

static Status read_options(Binder *b, const AstCreateExtension *ast, const ExtensionDef *extension, const char **schema)
{
    for (int i = 0; i < ast->options.count; i++) {
        const AstOption *option = &ast->options.items[i];
        if (strcmp(option->name, "schema") == 0) *schema = option_text(option);
        if (strcmp(option->name, "version") == 0 && strcmp(option_text(option), extension->version) != 0)
            return ddl_fail(b, option->position, ERR_INVALID_PARAMETER_VALUE,
                            "extension \"%s\" has no installation script nor update path for version \"%s\"",
                            extension->name, option_text(option));
    }
    if (strcmp(*schema, "pg_catalog") == 0 || session_find_schema(b->session, *schema)) return ST_OK;
    return ddl_fail(b, 0, ERR_INVALID_SCHEMA_NAME, "schema \"%s\" does not exist", *schema);
}

static Plan *change_database(Binder *b, const char *tag, const StrVec *extensions)
{
    const DatabaseDesc *before = own_database(b);
    DatabaseDesc *after = (DatabaseDesc *)ddl_desc_copy(b, &before->base);
    after->extensions = *extensions;
    return ddl_change_utility(b, tag, &before->base, &after->base);
}

Status bind_create_extension(Binder *b, const AstCreateExtension *ast, Plan **out)
{
    const ExtensionDef *extension = extension_find(ast->name);
    if (extension && is_there(b, extension)) {
        if (!ast->if_not_exists)
            return ddl_fail(b, 0, ERR_DUPLICATE_OBJECT, "extension \"%s\" already exists", ast->name);
        return ddl_skip(b, "CREATE EXTENSION", ERR_DUPLICATE_OBJECT, out, "extension \"%s\" already exists, skipping",
                        ast->name);
    }
    if (!extension) return not_available(b, ast->name);
    const char *schema = "public";
    TRY(read_options(b, ast, extension, &schema));
    StrVec list = {0};
    const DatabaseDesc *database = own_database(b);
    for (int i = 0; i < database->extensions.count; i++) VEC_PUSH(b->arena, list, database->extensions.items[i]);
    VEC_PUSH(b->arena, list, arena_printf(b->arena, "%s=%s", extension->name, schema));
    *out = change_database(b, "CREATE EXTENSION", &list);
    return ST_OK;
}

/* 2BP01 if a column has a type of the extension. */
static Status check_unused(Binder *b, const ExtensionDef *extension)
{
    const Desc **tables;
    const TypeDef *type = type_find_name(extension->name); /* of these, a type has its extension's name */
    int count = type ? catalog_list(b->session->catalog, DESC_TABLE, b->session->database_id, 0, &tables, b->arena) : 0;
    for (int t = 0; t < count; t++) {
        const TableDesc *table = (const TableDesc *)tables[t];
        for (int c = 0; c < table->columns.count; c++) {
            Oid oid = table->columns.items[c].type.oid;
            if (oid != type->oid && oid != type->array_oid) continue;
            ddl_fail(b, 0, ERR_DEPENDENT_OBJECTS_STILL_EXIST,
                     "cannot drop extension %s because other objects depend on it", extension->name);
            err_detail(b->err, b->arena, "column %s of table %s depends on type %s", table->columns.items[c].name,
                       table->base.name, type->name);
            err_hint(b->err, b->arena, "Use DROP ... CASCADE to drop the dependent objects too.");
            return ST_ERROR;
        }
    }
    return ST_OK;
}

static Status drop_one(Binder *b, const AstDrop *ast, const char *name, StrVec *list)
{
    const ExtensionDef *extension = extension_find(name);
    if (!extension || !is_there(b, extension)) {
        if (!ast->if_exists) return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "extension \"%s\" does not exist", name);
        return ST_OK;
    }
    if (extension->always) return ddl_unsupported(b, ast->base.position, arena_printf(b->arena, "DROP EXTENSION %s", name));
    TRY(check_unused(b, extension));
    size_t size = strlen(name);
    for (int i = 0; i < list->count; i++)
        if (strncmp(list->items[i], name, size) == 0 && list->items[i][size] == '=') {
            memmove(list->items + i, list->items + i + 1, sizeof *list->items * (size_t)(list->count - i - 1));
            list->count--;
        }
    return ST_OK;
}

Status bind_drop_extension(Binder *b, const AstDrop *ast, Plan **out)
{
    StrVec list = {0};
    const DatabaseDesc *database = own_database(b);
    for (int i = 0; i < database->extensions.count; i++) VEC_PUSH(b->arena, list, database->extensions.items[i]);
    for (int i = 0; i < ast->names.count; i++) TRY(drop_one(b, ast, ast->names.items[i].name, &list));
    if (list.count == database->extensions.count && ast->names.count == 1)
        return ddl_skip(b, "DROP EXTENSION", ERR_SUCCESSFUL_COMPLETION, out, "extension \"%s\" does not exist, skipping",
                        ast->names.items[0].name);
    *out = change_database(b, "DROP EXTENSION", &list);
    return ST_OK;
}

/* The comment that an extension has anyway, as pg_dump writes it. */
Status bind_comment_extension(Binder *b, const AstComment *ast, Plan **out)
{
    const ExtensionDef *extension = extension_find(ast->name.name);
    if (!extension || !is_there(b, extension))
        return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "extension \"%s\" does not exist", ast->name.name);
    if (!ast->text || strcmp(ast->text, extension->comment) != 0)
        return ddl_unsupported(b, ast->base.position, "COMMENT ON EXTENSION with another text than its own");
    const DatabaseDesc *database = own_database(b);
    *out = change_database(b, "COMMENT", &database->extensions);
    return ST_OK;
}
